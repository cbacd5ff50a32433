"""That a relation has no cycle, as clauses: there is one order of all events that it is in.

Of relations that are made of program order, reads-from, modification order and from-read. Orders cost clauses for each
three events, so that this is for constraints of which the solver's answers were often refuted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from xgen.engine.sat.events import INITIAL
from xgen.engine.sat.gates import TRUE, Literal
from xgen.engine.sat.possible import Possible
from xgen.memory.algebra import Op, Term, operands
from xgen.memory.evaluate import members

MOST = 64
"""Events that are put in one order."""

_Edge = tuple[int, int, tuple[Literal, ...]]
"""Two events, and literals: where all hold, the one comes before the other."""


def in_one_order(possible: Possible, term: Term) -> bool:
    """Says that a relation has no cycle; whether that could be said."""
    parts = [_part(possible, part) for part in operands(term, Op.UNION)]
    if any(part is None for part in parts):
        return False
    edges = [edge for part in parts if part is not None for edge in part if not _is_initial(possible, edge)]
    po = possible.encoding.po
    always = Term(Op.PO) in operands(term, Op.UNION)
    wanted = sorted({event for a, b, _ in edges for event in (a, b)})
    if always:  # what has no other edges is on no cycle
        own = {event for a, b, _ in edges if not po[a] >> b & 1 for event in (a, b)}
        wanted = [event for event in wanted if event in own]
    if len(wanted) > MOST:
        return False
    _put(possible, wanted, edges, po if always else None)
    return True


def _put(possible: Possible, wanted: list[int], edges: list[_Edge], po: list[int] | None) -> None:
    gates = possible.encoding.gates
    order: dict[tuple[int, int], Literal] = {}
    for a, b in combinations(wanted, 2):
        before = po is not None and po[a] >> b & 1
        behind = po is not None and po[b] >> a & 1
        order[a, b] = TRUE if before else -TRUE if behind else gates.new()
        order[b, a] = -order[a, b]
    for a, b, holds in edges:
        if (a, b) in order and order[a, b] != TRUE:
            gates.clause(order[a, b], *(-literal for literal in holds))
    for a, b, c in combinations(wanted, 3):
        ab, bc, ac = order[a, b], order[b, c], order[a, c]
        if ac != TRUE:
            gates.clause(-ab, -bc, ac)
        if ac != -TRUE:
            gates.clause(ab, bc, -ac)


def _is_initial(possible: Possible, edge: _Edge) -> bool:
    """Whether an initial write is on it: nothing comes before these."""
    return INITIAL in (possible.events[edge[0]].thread, possible.events[edge[1]].thread)


def _part(possible: Possible, term: Term) -> Iterator[_Edge] | None:
    """The edges of a relation; None: it is not made as those are that are known here."""
    if term.op is Op.RF:
        return _rf(possible)
    if term.op is Op.MO:
        return _mo(possible)
    if term.op is Op.FR:
        return _fr(possible)
    if possible.is_fixed(term):
        return _fixed(possible, term)
    if term.op is Op.INTERSECT:
        for one, other in (term.args, term.args[::-1]):
            edges = _part(possible, one) if possible.is_fixed(other) else None
            if edges is not None:
                rows = possible.value(other)
                assert not isinstance(rows, int)
                return (edge for edge in edges if rows[edge[0]] >> edge[1] & 1)
    return None


def _fixed(possible: Possible, term: Term) -> Iterator[_Edge]:
    rows, events = possible.value(term), possible.events
    assert not isinstance(rows, int)
    for a, row in enumerate(rows):
        for b in members(row):
            yield a, b, (events[a].exec, events[b].exec)


def _rf(possible: Possible) -> Iterator[_Edge]:
    for read, sources in possible.encoding.sources.items():
        for write, own in sources.items():
            yield write, read, (own,)


def _mo(possible: Possible) -> Iterator[_Edge]:
    encoding = possible.encoding
    for cell, writes in enumerate(encoding.writes):
        for a, b in combinations(writes, 2):
            there = (a.exec, b.exec, a.cells[cell], b.cells[cell])
            yield a.number, b.number, (*there, encoding.mo(a.number, b.number))
            yield b.number, a.number, (*there, -encoding.mo(a.number, b.number))


def _fr(possible: Possible) -> Iterator[_Edge]:
    encoding = possible.encoding
    for read in encoding.reads:
        for write, own in encoding.sources[read.number].items():
            for cell in read.cells.keys() & possible.events[write].cells.keys():
                for other in encoding.writes[cell]:
                    if other.number != write and other.thread != INITIAL:
                        there = (own, read.cells[cell], other.exec, other.cells[cell])
                        yield read.number, other.number, (*there, encoding.mo(write, other.number))
