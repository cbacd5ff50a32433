"""All ways in which the reads of a test read and its writes are ordered, tried one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Protocol

from tests.litmus.gpu.rows import Rows

State = tuple[tuple[str, int], ...]
"""Registers, as `0:r0`, and locations, as `[x]`, with their values."""
Judge = Callable[[Mapping[int, int], tuple[tuple[int, ...], ...]], tuple[bool, bool]]
"""Whether a model allows what reads read and in which order the writes to each location come; and whether there is a
race."""


class Listed(Protocol):
    """A test with its accesses, by number; the initial write of a location comes first among its writes."""

    test: Any
    events: list[Any]
    reads_of: dict[tuple[int, str], int]

    @property
    def all(self) -> Sequence[int]: ...

    def values(self, rf: Mapping[int, int]) -> dict[int, int] | None:
        """The value of each access; None where one depends on itself."""


def writes(listed: Listed, location: str | None) -> list[int]:
    return [n for n in listed.all if listed.events[n].kind == "W" and listed.events[n].location == location]


def outcomes(listed: Listed, judge: Judge) -> tuple[set[State], bool]:
    """The final states of all executions that are allowed, and whether one of these has a data race."""
    found: set[State] = set()
    race = False
    locations, registers = listed.test.locations, listed.test.registers
    reads = [n for n in listed.all if listed.events[n].kind == "R"]
    orders = [
        [(first, *rest) for rest in permutations(others)]
        for first, *others in (writes(listed, location) for location in locations)
    ]
    for choice in product(*(writes(listed, listed.events[r].location) for r in reads)):
        rf = dict(zip(reads, choice, strict=True))
        values = listed.values(rf)
        if values is None:
            continue
        for co in product(*orders):
            allowed, races = judge(rf, co)
            if allowed:
                last = tuple((f"[{name}]", values[order[-1]]) for name, order in zip(locations, co, strict=True))
                found.add((*((f"{n}:{name}", values[listed.reads_of[n, name]]) for n, name in registers), *last))
                race |= races
    return found, race


def values_of(listed: Listed, rf: Mapping[int, int]) -> dict[int, int] | None:
    """The value of each access, of instructions with a `value`, of which `add` adds to what it reads; None where one
    depends on itself."""
    events = listed.events
    needs = {n: {rf[n]} if n in rf else set(events[n].data) for n in listed.all}
    known: dict[int, int] = {}
    while len(known) < len(needs):
        ready = [n for n in needs if n not in known and needs[n] <= known.keys()]
        if not ready:
            return None
        for n in ready:
            event, i = events[n], events[n].instr
            if n in rf:
                known[n] = known[rf[n]]
            elif event.thread < 0 or event.kind != "W":
                known[n] = 0
            else:
                given = known[listed.reads_of[event.thread, i.value]] if isinstance(i.value, str) else i.value
                added = i.what == "add" and event.source is not None
                known[n] = given + (known[event.source] if added else 0)
    return known


class Related:
    """Relations of events that depend on these alone; those before the threads begin have a negative one."""

    def __init__(self, events: Sequence[Any]) -> None:
        self.events, self.size = events, len(events)
        self.numbers = range(self.size)
        self.id = self.rows(lambda a, b: a == b)
        self.po = self.rows(lambda a, b: a < b and events[a].thread == events[b].thread >= 0)
        self.loc = self.rows(lambda a, b: events[a].location is not None and events[a].location == events[b].location)
        self.first = self.rows(lambda a, b: events[a].thread < 0 <= events[b].thread)

    def rows(self, condition: Callable[[int, int], bool]) -> Rows:
        return [sum(1 << b for b in self.numbers if condition(a, b)) for a in self.numbers]

    def conflicts(self) -> Rows:
        """Accesses of two threads to one location, one of which writes."""
        events = self.events
        return self.rows(
            lambda a, b: (
                bool(self.loc[a] >> b & 1) and "W" in (events[a].kind, events[b].kind)
                and events[a].thread != events[b].thread and min(events[a].thread, events[b].thread) >= 0
            )
        )  # fmt: skip
