"""Of executions that differ by the names of threads that do the same, one is enough: these come in one order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xgen.engine.graphs.symmetry import exchangeable_threads_of
from xgen.engine.problem import Problem
from xgen.engine.sat.encoding import Encoding
from xgen.engine.sat.events import Event
from xgen.records import replace


def in_order(encoding: Encoding, problem: Problem) -> int:
    """Puts threads that may be exchanged into the order in which they write a variable first; how many it has ordered.

    In each execution they can be named so: first those that have that write, by modification order, then the others.
    """
    like = exchangeable_threads_of(replace(problem, observed=()), None)
    ordered = 0
    for group in like.groups if like else ():
        moved = like.moved if like else ()
        place = next((place for place in _shared(encoding, group) if not moved[_cell(encoding, group[0], place)]), None)
        if place is None:
            continue
        for one, other in pairwise(group):
            a, b = _event(encoding, one, place), _event(encoding, other, place)
            encoding.gates.clause(-b.exec, a.exec)
            encoding.gates.clause(-a.exec, -b.exec, encoding.mo(a.number, b.number))
            ordered += 1
    return ordered


def _event(encoding: Encoding, thread: int, place: int) -> Event:
    return encoding.events[encoding.unrolled.spans_of[thread][place]]


def _cell(encoding: Encoding, thread: int, place: int) -> int:
    return next(iter(_event(encoding, thread, place).cells))


def _shared(encoding: Encoding, group: Sequence[int]) -> list[int]:
    """The places among their events at which all threads of a group write one variable."""
    starts = [encoding.code.ranges[thread][0] for thread in group]
    found = []
    for place in range(min(len(encoding.unrolled.spans_of[thread]) for thread in group)):
        events = [_event(encoding, thread, place) for thread in group]
        shapes = {(e.kind, e.pc - start, tuple(e.cells)) for e, start in zip(events, starts, strict=True)}
        if len(shapes) > 1:
            break
        if events[0].kind == "W" and len(events[0].cells) == 1:
            found.append(place)
    return found
