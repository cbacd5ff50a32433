"""Critical cycles, and the litmus tests that ask for them.

A cycle goes through threads: in each through one or several accesses in program order, from one thread to the next by a
communication (rf, fr or co) between accesses of one location. The test's final state is the one in which all
communications of the cycle happened. (Shasha and Snir, Efficient and correct execution of parallel programs that share
memory, TOPLAS 1988; the names of the shapes are those of Alglave, Maranget and Tautschnig, Herding cats, TOPLAS 2014.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

Communication: TypeAlias = Literal["rf", "fr", "co"]
LOCATIONS = "xyzabcdefgh"
"""What the locations of tests are called."""


@dataclass(frozen=True, slots=True)
class Access:
    """A read or a write; `order` is what the architecture adds to it ("" for nothing): "acq", "rel", ..."""

    kind: Literal["R", "W"]
    order: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """What stands between two accesses of a thread: `via` is "po", a fence, or a dependency (addr, data, ctrl, ...).

    `same`: they are of one location.
    """

    via: str = "po"
    same: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """The accesses of one thread, with the links between them."""

    accesses: tuple[Access, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle: `communications[i]` leads from the last access of thread i to the first of the next (the last: to the
    first thread)."""

    sections: tuple[Section, ...]
    communications: tuple[Communication, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """An access of a test: the value that a write writes, the one that a read has to see (None: any).

    `old`: what the load of an exclusive pair has to see (None: any).
    """

    access: Access
    location: str
    value: int | None
    link: Link | None  # to the access before it in the thread
    old: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A test before it is written for an architecture: steps of the threads, and the final values of locations."""

    threads: tuple[tuple[Step, ...], ...]
    finals: tuple[tuple[str, int], ...]


ENDS: dict[Communication, tuple[str, str]] = {"rf": ("W", "R"), "fr": ("R", "W"), "co": ("W", "W")}
"""The kinds of accesses that communications lead from and to."""


def shape_of(cycle: Cycle) -> Shape:
    """The test that asks for a cycle. Raises ValueError where there is none.

    There is none if a communication does not fit its accesses, if the cycle goes through the locations in a way that
    does not come back to the first, or if a location has more than two writes, whose order no final state shows.
    """
    places = [(t, i) for t, section in enumerate(cycle.sections) for i in range(len(section.accesses))]
    locations = dict(zip(places, _locations(cycle), strict=True))
    access = {(t, i): cycle.sections[t].accesses[i] for t, i in places}
    count = len(cycle.sections)
    edges: list[tuple[Communication, tuple[int, int], tuple[int, int]]] = []
    for t, communication in enumerate(cycle.communications):
        source, target = (t, len(cycle.sections[t].accesses) - 1), ((t + 1) % count, 0)
        if (access[source].kind, access[target].kind) != ENDS[communication]:
            raise ValueError(f"{communication} does not lead from {access[source].kind} to {access[target].kind}")
        edges.append((communication, source, target))
    read_from = {target: source for communication, source, target in edges if communication == "rf"}
    before = [(s, t) for c, s, t in edges if c == "co"]
    before += [(read_from[s], t) for c, s, t in edges if c == "fr" and s in read_from]
    values: dict[tuple[int, int], int | None] = dict.fromkeys(places)
    finals = []
    for location in dict.fromkeys(locations.values()):
        writes = [p for p in places if access[p].kind == "W" and locations[p] == location]
        if len(writes) > 2:
            raise ValueError(f"{location} has more than two writes")
        if len(writes) == 2:
            if (writes[1], writes[0]) in before:
                writes.reverse()
            elif (writes[0], writes[1]) not in before:
                raise ValueError(f"nothing orders the writes of {location}")
            finals.append((location, 2))
        values |= {write: number for number, write in enumerate(writes, 1)}
    for communication, source, target in edges:
        if communication == "rf":
            values[target] = values[source]
        elif communication == "fr" and source not in read_from:
            values[source] = (values[target] or 0) - 1
    threads = []
    for t, section in enumerate(cycle.sections):
        links = (None, *section.links)
        steps = [Step(a, locations[t, i], values[t, i], links[i]) for i, a in enumerate(section.accesses)]
        threads.append(tuple(steps))
    return Shape(tuple(threads), tuple(sorted(finals)))


def _locations(cycle: Cycle) -> Iterator[str]:
    """The location of each access: each link that is not to the same goes to the next, the last to the first."""
    changes = sum(not link.same for section in cycle.sections for link in section.links)
    if changes == 1:
        raise ValueError("the cycle does not come back to its first location")
    current = 0
    for section in cycle.sections:
        yield LOCATIONS[current]
        for link in section.links:
            current = current if link.same else (current + 1) % changes
            yield LOCATIONS[current]


def _cycle(text: str) -> Cycle:
    """A cycle in short: `WW rf RR fr` has two threads; `R=R` are accesses of one location."""
    words = text.split()
    sections = []
    for word in words[::2]:
        kinds = word.replace("=", "")
        same = [word[i + 1] == "=" for i in range(len(word) - 1) if word[i] != "="]
        accesses = tuple(Access("W" if kind == "W" else "R") for kind in kinds)
        sections.append(Section(accesses, tuple(Link(same=s) for s in same)))
    communications: list[Communication] = []
    for word in words[1::2]:
        communications += [c for c in ENDS if c == word]
    return Cycle(tuple(sections), tuple(communications))


SHAPES = {
    name: _cycle(text)
    for name, text in {
        "SB": "WR fr WR fr",
        "MP": "WW rf RR fr",
        "LB": "RW rf RW rf",
        "S": "WW rf RW co",
        "R": "WW co WR fr",
        "2+2W": "WW co WW co",
        "WRC": "W rf RW rf RR fr",
        "RWC": "W rf RR fr WR fr",
        "WWC": "W rf RW rf RW co",
        "ISA2": "WW rf RW rf RR fr",
        "IRIW": "W rf RR fr W rf RR fr",
        "3.SB": "WR fr WR fr WR fr",
        "3.LB": "RW rf RW rf RW rf",
        "CoRR": "W rf R=R fr",
        "CoWW": "W=W co",
        "CoRW": "W rf R=W co",
        "CoRW1": "R=W rf",
        "CoWR": "W=R fr W co",
    }.items()
}
"""The classic cycles, without fences, dependencies or orders."""


def decorate(cycle: Cycle, vias: Sequence[str], orders: Sequence[Sequence[str]] = ()) -> Cycle:
    """The cycle with its links (of all threads, in order) by `vias`, and its accesses with `orders` (by thread)."""
    rest = iter(vias)
    sections = []
    for number, section in enumerate(cycle.sections):
        given = orders[number] if orders else [""] * len(section.accesses)
        accesses = tuple(Access(a.kind, order) for a, order in zip(section.accesses, given, strict=True))
        sections.append(Section(accesses, tuple(Link(next(rest), link.same) for link in section.links)))
    return Cycle(tuple(sections), cycle.communications)


def slots(cycle: Cycle) -> list[tuple[Access, Access, bool]]:
    """The accesses on both sides of each link, and whether they are of one location."""
    return [
        (a, b, link.same)
        for section in cycle.sections
        for (a, b), link in zip(pairwise(section.accesses), section.links, strict=True)
    ]
