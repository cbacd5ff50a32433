"""Programs in which some threads never begin, may stop for ever, or must not end, made from one in which none does.

A thread that never begins ends without a step. One that stops stands in a loop that does nothing: who looks for threads
that wait for ever takes it for one of them, and who joins it, or waits for it at a barrier, waits for ever, too. Where
it stands has a place of its own (`STANDS`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

import networkx as nx

from xgen.errors import Position, Source, UnsupportedError
from xgen.program import automaton as xcfa
from xgen.program.uses import reads
from xgen.records import replace

STANDS = Source("(no step)", "")
"""The text in which a thread stands that goes no further."""
LEFT = "(left)"
"""A variable that is 1 in a thread that would wait for the end of one that never begins, and ends instead."""

_AT = Position(1, 1, 1, STANDS)
_HALT, _BEGIN, _NEVER, _LAST = "(halt)", "(begin)", "(never)", "(last)"
_WRITES = (xcfa.Store, xcfa.StoreExclusive, xcfa.Rmw, xcfa.Mutex, xcfa.Meet)
"""What others may see, or wait for."""
_READS = (xcfa.Load, xcfa.Rmw, xcfa.StoreExclusive, xcfa.AtomicBegin, xcfa.Call)
"""What stands in a loop that waits."""


def has_no_step(position: Position) -> bool:
    """Whether a thread that stands at a place is one that goes no further."""
    return position.source == STANDS


def can_wait(process: xcfa.Process) -> bool:
    """Whether a process may wait for ever, but for the end of another one: it has a loop, a lock, or a barrier."""
    if not all(nx.is_directed_acyclic_graph(_arrows(procedure)) for procedure in _procedures(process)):
        return True
    return any(_waits(each) or isinstance(each, xcfa.Call) for each in statements(process))


def may_wait_by_itself(process: xcfa.Process) -> bool:
    """Whether a process may wait for others in a loop that reads, at a lock or at a barrier."""
    for procedure in _procedures(process):
        loop = _loops(procedure)
        for edge in procedure.edges:
            again = loop[edge.source.name] == loop[edge.target.name]
            if again and any(isinstance(statement, _READS) for statement in edge.statements):
                return True
    return any(map(_waits, statements(process)))


def never_begins(process: xcfa.Process) -> xcfa.Process:
    """The process without a step: it ends at once, and comes to no barrier. Nobody must wait for its end."""
    begin, last = xcfa.Location(_BEGIN, "init", _AT), xcfa.Location(_LAST, "final", _AT)
    return _with(process, replace(process.main_procedure, locations=(begin, last), edges=(_edge(_BEGIN, _LAST),)))


def must_not_end(process: xcfa.Process) -> xcfa.Process:
    """The process, of which executions do not count in which it ends: it is stopped there, as by an `assume`."""
    own = process.main_procedure
    leaving = {edge.source.name for edge in own.edges}
    has_final = any(location.kind == "final" for location in own.locations)
    ends = {
        location.name
        for location in own.locations
        if location.kind == "final" or (not has_final and location.kind != "error" and location.name not in leaving)
    }
    edges = [_without_return(edge) for edge in own.edges if edge.source.name not in ends]
    edges += [_edge(name, _NEVER) for name in sorted(ends)]
    assumed = xcfa.Assume(xcfa.BoolLiteral(False, _AT), _AT)
    never, last = xcfa.Location(_NEVER, None, _AT), xcfa.Location(_LAST, "final", _AT)
    locations = tuple(replace(each, kind=None) if each.kind == "final" else each for each in own.locations)
    made = replace(own, locations=(*locations, never, last), edges=(*edges, _edge(_NEVER, _LAST, assumed)))
    return _with(process, made)


def may_stop(process: xcfa.Process, source: Source) -> xcfa.Process:
    """The process, which may stop for ever before it begins, and behind each step that others may see.

    Where it stops between such steps makes no difference to others: they see what it has written. In an atomic block it
    does not stop, which is one step. Raises UnsupportedError for calls in these.
    """
    own = process.main_procedure
    if process.procedures:
        procedures = tuple(_stopping(each, each.name == own.name, source) for each in process.procedures)
        return replace(process, procedures=procedures)
    made = _stopping(own, True, source)
    return replace(process, locations=made.locations, edges=made.edges)


def without_joins(process: xcfa.Process, missing: Collection[str]) -> xcfa.Process:
    """The process, which ends where it would wait for the end of one of those that are `missing`; `LEFT` tells that."""
    own = process.main_procedure
    edges, locations = list[xcfa.Edge](), list(own.locations)
    never = xcfa.Assume(xcfa.BoolLiteral(False, _AT), _AT)
    left = xcfa.Assign(xcfa.Name(LEFT, _AT), xcfa.IntLiteral(1, _AT), _AT)
    for edge in own.edges:
        for number, statement in enumerate(edge.statements):
            if isinstance(statement, xcfa.Control) and statement.op == "join" and statement.process.name in missing:
                here = xcfa.Name(f"(before {len(locations)})", edge.position)
                locations.append(xcfa.Location(here.name, None, edge.position))
                edges.append(replace(edge, target=here, statements=edge.statements[:number] or (xcfa.Skip(_AT),)))
                edges.append(_edge(here.name, edge.target.name, left, xcfa.Return(None, _AT)))
                # It does not come here, but whom it starts there must not be there from the start.
                edges.append(replace(edge, source=here, statements=(never, *edge.statements[number:])))
                break
        else:
            edges.append(edge)
    variables = (*own.variables, xcfa.Variable(LEFT, xcfa.INT, (xcfa.IntLiteral(0),), _AT))
    return _with(process, replace(own, edges=tuple(edges), locations=tuple(locations), variables=variables))


def _stopping(procedure: xcfa.Procedure, is_main: bool, source: Source) -> xcfa.Procedure:
    inside, retried = _in_blocks(procedure, source), _Retries(procedure).same
    locations, edges = list(procedure.locations), list[xcfa.Edge]()
    for edge in procedure.edges:
        at, done, block = edge.source, list[xcfa.Statement](), inside[edge.source.name]
        for number, statement in enumerate(edge.statements):
            done.append(statement)
            block = _block_after(statement, block)
            if not block and _shows(edge.statements, number):
                here = _new(locations, edge.position)
                edges.append(replace(edge, source=at, target=here, statements=tuple(done)))
                at, done, stops = here, [], here
                same = retried(edge, number)
                if same is not None:
                    stops, at = _new(locations, edge.position), _new(locations, edge.position)
                    other = xcfa.Unary("not", same, _AT)
                    edges.append(_edge(here.name, at.name, xcfa.Assume(same, _AT)))
                    edges.append(_edge(here.name, stops.name, xcfa.Assume(other, _AT)))
                    edges.append(_edge(stops.name, at.name))
                edges.append(_edge(stops.name, _HALT))
        edges.append(replace(edge, source=at, statements=tuple(done)))
    if is_main:
        first = next(n for n, location in enumerate(locations) if location.kind == "init")
        begin = locations[first].name
        locations[first] = replace(locations[first], kind=None)
        locations.append(xcfa.Location(_BEGIN, "init", _AT))
        edges += [_edge(_BEGIN, begin), _edge(_BEGIN, _HALT)]
    halt = xcfa.Location(_HALT, None, _AT)
    return replace(procedure, locations=(*locations, halt), edges=(*edges, _edge(_HALT, _HALT)))


def _new(locations: list[xcfa.Location], position: Position) -> xcfa.Name:
    name = f"(behind {len(locations)})"
    locations.append(xcfa.Location(name, None, position))
    return xcfa.Name(name, position)


class _Retries:
    """Exchanges that are tried again, as `while (exchange(lock, 1) = 1)`: a round that writes what it has read changes
    nothing. To stop behind it is to stop before it; and with no choice in it, the engine sees that it only waits.

    What it has read decides by a branch whether it is tried again, before the next event: asked once more, it orders
    nothing that it has not ordered.
    """

    def __init__(self, procedure: xcfa.Procedure) -> None:
        self.leaving, self.loop = _leaving(procedure), _loops(procedure)

    def same(self, edge: xcfa.Edge, number: int) -> xcfa.Expression | None:
        """What holds where an exchange on an edge, up to a statement, has written what it has read; None: it is none
        that is tried again."""
        statements = edge.statements[: number + 1]
        pair = tuple(map(type, statements[-3:])) == (xcfa.Load, xcfa.StoreExclusive, xcfa.Assume)
        value: xcfa.Expression | None = None
        read: xcfa.Name | None = None
        match statements[-3:] if pair else statements[-1:]:
            case (xcfa.Rmw(target, "exchange", _, (xcfa.IntLiteral() as value,)),):
                read = target
            case (
                xcfa.Load(target, place, exclusive=True),
                xcfa.StoreExclusive(_, xcfa.IntLiteral() as value, other),
                _,
            ):
                read = target if place == other else None
        if read is None or value is None or self.loop[edge.source.name] != self.loop[edge.target.name]:
            return None
        same = xcfa.Binary("=", read, value, _AT)
        return same if self._decides(read.name, edge.statements[number + 1 :], edge.target.name) else None

    def _decides(self, local: str, statements: Sequence[xcfa.Statement], target: str) -> bool:
        """Whether a thread comes to a branch by what a local holds before it does anything else."""
        known, seen = {local}, set[str]()
        while True:
            for statement in statements:
                if isinstance(statement, xcfa.Assign):
                    from_it = not known.isdisjoint(reads(statement))
                    known = known | {statement.target.name} if from_it else known - {statement.target.name}
                elif not isinstance(statement, xcfa.Skip):
                    return isinstance(statement, xcfa.Assume) and not known.isdisjoint(reads(statement))
            edges = self.leaving[target]
            if target in seen or not edges:
                return False
            if len(edges) > 1:
                first = [next(iter(edge.statements), None) for edge in edges]
                return all(isinstance(each, xcfa.Assume) and not known.isdisjoint(reads(each)) for each in first)
            seen.add(target)
            statements, target = edges[0].statements, edges[0].target.name


def _shows(statements: Sequence[xcfa.Statement], number: int) -> bool:
    """Whether others may see what was done up to a statement, and did not see it before."""
    statement, following = statements[number], statements[number + 1 : number + 2]
    if any(_is_part(each) for each in following):
        return False
    if isinstance(statement, xcfa.Assume) and number and isinstance(statements[number - 1], xcfa.StoreExclusive):
        return True
    if isinstance(statement, xcfa.StoreExclusive) and following and isinstance(following[0], xcfa.Assume):
        return False
    return isinstance(statement, (*_WRITES, xcfa.AtomicEnd))


def _is_part(statement: xcfa.Statement) -> bool:
    return "part" in getattr(statement, "tags", ())


def _in_blocks(procedure: xcfa.Procedure, source: Source) -> dict[str, bool]:
    """Which locations are in atomic blocks."""
    leaving = _leaving(procedure)
    inside = dict.fromkeys(leaving, False)
    work = [location.name for location in procedure.locations if location.kind == "init"]
    seen = set(work)
    while work:
        name = work.pop()
        for edge in leaving[name]:
            block = inside[name]
            for statement in edge.statements:
                block = _block_after(statement, block)
                if block and isinstance(statement, xcfa.Call):
                    message = "where a thread may stop is not known in an atomic block that calls procedures"
                    raise UnsupportedError(message, source, statement.position, "`--schedule hsa` asks for that")
            if edge.target.name not in seen:
                seen.add(edge.target.name)
                inside[edge.target.name] = block
                work.append(edge.target.name)
    return inside


def _block_after(statement: xcfa.Statement, block: bool) -> bool:
    return not isinstance(statement, xcfa.AtomicEnd) and (block or isinstance(statement, xcfa.AtomicBegin))


def _without_return(edge: xcfa.Edge) -> xcfa.Edge:
    """An edge of a main procedure, which does not return but goes where the process must not come."""
    for number, statement in enumerate(edge.statements):
        if isinstance(statement, xcfa.Return):
            return replace(edge, target=xcfa.Name(_NEVER, _AT), statements=edge.statements[:number])
    return edge


def _procedures(process: xcfa.Process) -> tuple[xcfa.Procedure, ...]:
    return process.procedures or (process.main_procedure,)


def statements(process: xcfa.Process) -> Iterable[xcfa.Statement]:
    """All that a process may do, in the order of the text."""
    return chain.from_iterable(edge.statements for procedure in _procedures(process) for edge in procedure.edges)


def _waits(statement: xcfa.Statement) -> bool:
    """Whether a thread may wait for others at a statement: it is a lock or a barrier."""
    return isinstance(statement, xcfa.Meet) or (isinstance(statement, xcfa.Mutex) and statement.op == "lock")


def _arrows(procedure: xcfa.Procedure) -> nx.DiGraph:
    """The locations of a procedure, by their names, as its edges lead from each to others."""
    return nx.DiGraph((edge.source.name, edge.target.name) for edge in procedure.edges)


def _loops(procedure: xcfa.Procedure) -> dict[str, int]:
    """Of each location, by its name, a number: locations that lead to each other have the same."""
    parts = nx.strongly_connected_components(_arrows(procedure))
    return {name: number for number, part in enumerate(parts) for name in part}


def _leaving(procedure: xcfa.Procedure) -> dict[str, list[xcfa.Edge]]:
    """The edges from each location, by its name."""
    found: dict[str, list[xcfa.Edge]] = {location.name: [] for location in procedure.locations}
    for edge in procedure.edges:
        found[edge.source.name].append(edge)
    return found


def controls(process: xcfa.Process) -> list[xcfa.Control]:
    """Where a process starts others, and waits for their ends."""
    return [statement for statement in statements(process) if isinstance(statement, xcfa.Control)]


def behind_joins(process: xcfa.Process) -> set[tuple[str, str]]:
    """Pairs of names: whom a process joins, and whom it may start when it has joined that one."""
    own = process.main_procedure
    arrows, found = _arrows(own), set[tuple[str, str]]()
    for edge in own.edges:
        reached = {edge.target.name, *nx.descendants(arrows, edge.target.name)}
        later = [s for other in own.edges if other.source.name in reached for s in other.statements]
        for number, statement in enumerate(edge.statements):
            if isinstance(statement, xcfa.Control) and statement.op == "join":
                behind = (*edge.statements[number:], *later)
                started = (s.process.name for s in behind if isinstance(s, xcfa.Control) and s.op == "start")
                found |= {(statement.process.name, name) for name in started}
    return found


def _with(process: xcfa.Process, main: xcfa.Procedure) -> xcfa.Process:
    """The process with another main procedure."""
    if not process.procedures:
        return replace(process, variables=main.variables, locations=main.locations, edges=main.edges)
    procedures = tuple(main if each.name == main.name else each for each in process.procedures)
    return replace(process, procedures=procedures)


def _edge(source: str, target: str, *statements: xcfa.Statement) -> xcfa.Edge:
    return xcfa.Edge(xcfa.Name(source, _AT), xcfa.Name(target, _AT), statements or (xcfa.Skip(_AT),), _AT)
