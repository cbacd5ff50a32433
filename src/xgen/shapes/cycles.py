"""Critical cycles, and the litmus tests that ask for them.

A cycle goes through threads: in each through one or several accesses in program order, from one thread to the next by a
communication (rf, fr or co) between accesses of one variable. The test's final state is the one in which all
communications of the cycle happened. (Shasha and Snir, Efficient and correct execution of parallel programs that share
memory, TOPLAS 1988; the names of the shapes are those of Alglave, Maranget and Tautschnig, Herding cats, TOPLAS 2014.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from xgen.records import dataclass, replace
from xgen.shapes.shape import VARIABLES, Access, Link, Shape, Test, Thread

Communication: TypeAlias = Literal["rf", "fr", "co"]


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle: `communications[i]` leads from the last access of thread i to the first of the next (the last: to the
    first thread)."""

    shape: Shape
    communications: tuple[Communication, ...]


ENDS: dict[Communication, tuple[str, str]] = {"rf": ("W", "R"), "fr": ("R", "W"), "co": ("W", "W")}
"""The kinds of accesses that communications lead from and to."""


def asking_for(cycle: Cycle) -> Test:
    """The test that asks for a cycle. Raises ValueError where there is none.

    There is none if a communication does not fit its accesses, or if a variable has more than two writes, whose order
    no final state shows.
    """
    threads = cycle.shape.threads
    places = [(t, i) for t, thread in enumerate(threads) for i in range(len(thread.accesses))]
    access = {(t, i): threads[t].accesses[i] for t, i in places}
    edges: list[tuple[Communication, tuple[int, int], tuple[int, int]]] = []
    for t, communication in enumerate(cycle.communications):
        source, target = (t, len(threads[t].accesses) - 1), ((t + 1) % len(threads), 0)
        if (access[source].kind, access[target].kind) != ENDS[communication]:
            raise ValueError(f"{communication} does not lead from {access[source].kind} to {access[target].kind}")
        edges.append((communication, source, target))
    read_from = {target: source for communication, source, target in edges if communication == "rf"}
    before = [(s, t) for c, s, t in edges if c == "co"]
    before += [(read_from[s], t) for c, s, t in edges if c == "fr" and s in read_from]
    values: dict[tuple[int, int], int | None] = dict.fromkeys(places)
    finals = []
    for variable in sorted({a.variable for a in access.values()}):
        writes = [p for p in places if access[p].kind == "W" and access[p].variable == variable]
        if len(writes) > 2:
            raise ValueError(f"{VARIABLES[variable]} has more than two writes")
        if len(writes) == 2:
            if (writes[1], writes[0]) in before:
                writes.reverse()
            elif (writes[0], writes[1]) not in before:
                raise ValueError(f"nothing orders the writes of {VARIABLES[variable]}")
            finals.append((VARIABLES[variable], 2))
        values |= {write: number for number, write in enumerate(writes, 1)}
    for communication, source, target in edges:
        if communication == "rf":
            values[target] = values[source]
        elif communication == "fr" and source not in read_from:
            values[source] = (values[target] or 0) - 1
    rows = (tuple(values[t, i] for i in range(len(thread.accesses))) for t, thread in enumerate(threads))
    return Test(cycle.shape, tuple(rows), tuple(finals))


def cycle_of(text: str) -> Cycle:
    """A cycle in short: `WW rf RR fr` has two threads; `R=R` are accesses of one variable.

    Each access that follows another in its thread without `=` is of the next variable, the last of the first. Raises
    ValueError where the cycle does not come back to its first variable.
    """
    words = text.split()
    changes = sum(b not in "=" and a != "=" for word in words[::2] for a, b in pairwise(word))
    if changes == 1:
        raise ValueError("the cycle does not come back to its first variable")
    threads, variable = [], 0
    for word in words[::2]:
        accesses = list[Access]()
        for place, kind in enumerate(word):
            if kind != "=":
                variable = (variable + 1) % changes if place and word[place - 1] != "=" else variable
                accesses.append(Access("W" if kind == "W" else "R", variable))
        threads.append(Thread(tuple(accesses), (Link(),) * (len(accesses) - 1)))
    communications: list[Communication] = [c for word in words[1::2] for c in ENDS if c == word]
    return Cycle(Shape(tuple(threads)), tuple(communications))


SHAPES = {
    name: cycle_of(text)
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


def decorate(cycle: Cycle, links: Sequence[Link], tags: Sequence[Sequence[str]] = ()) -> Cycle:
    """The cycle with these links (of all threads, in order), and its accesses with tags (by thread; "" for none)."""
    rest = iter(links)
    threads = []
    for number, thread in enumerate(cycle.shape.threads):
        given = tags[number] if tags else [""] * len(thread.accesses)
        accesses = tuple(replace(a, tag=tag or None) for a, tag in zip(thread.accesses, given, strict=True))
        threads.append(Thread(accesses, tuple(next(rest) for _ in thread.links)))
    return Cycle(Shape(tuple(threads)), cycle.communications)


def slots(cycle: Cycle) -> list[tuple[Access, Access]]:
    """The accesses on both sides of each link."""
    return [pair for thread in cycle.shape.threads for pair in pairwise(thread.accesses)]
