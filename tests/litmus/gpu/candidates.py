"""All ways in which the reads of a test read and its writes are ordered, tried one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Protocol

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
