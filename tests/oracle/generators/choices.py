"""Random programs that choose among edges which load before they look at it, and the same ones with loops."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

VARIABLES = ("x", "y")


@dataclass(frozen=True)
class Way:
    """An edge of a choice: what it does, on which condition, what it does then; and how that is asked again."""

    access: str
    condition: str
    then: str
    other: str


Place = list[Way] | str
"""A choice that is waited for, or what the only edge does."""
Drawn = list[list[Place]]


def draw_way(rng: Random) -> Way:
    variable, value = rng.choice(VARIABLES), rng.randint(0, 2)
    sign, no = ("=", "/=") if rng.random() < 0.6 else ("/=", "=")
    then = f" ; {rng.randint(1, 2)} -> {rng.choice(VARIABLES)}" if rng.random() < 0.5 else ""
    if rng.random() < 0.2:  # what succeeds is a store, too
        return Way(f"c <- cas({variable}, {value}, {rng.randint(0, 2)})", f"c = {value}", then, f"c /= {value}")
    between = rng.choice(("", "", " ; d := c", " ; assert c < 3", " ; havoc d in 0 .. 1", " ; skip"))
    return Way(f"c <- {variable}{between}", f"c {sign} {value}", then, f"c {no} {value}")


def draw_place(rng: Random) -> Place:
    kind = rng.random()
    if kind < 0.4:
        return f"{rng.randint(1, 2)} -> {rng.choice(VARIABLES)}"
    if kind < 0.5:
        return rng.choice(("fence", "d <- x", "havoc c in 0 .. 1 ; assume c = 1", "c <- fetch_add(y, 1)"))
    ways = [draw_way(rng) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.4 and not ways[0].access.startswith("c <- cas"):  # one of the two can be taken
        ways = [ways[0], Way(ways[0].access, ways[0].other, "", ways[0].condition)]
    return ways


def draw(rng: Random) -> Drawn:
    return [[draw_place(rng) for _ in range(rng.randint(1, 3))] for _ in range(2)]


def text_of(drawn: Drawn, tries: bool) -> str:
    """The program; `tries`: with loops, in which one edge after the other is asked, any of them first."""
    lines = [f"var {name} : int" for name in VARIABLES]
    for number, places in enumerate(drawn):
        edges, inner = [], []
        for place, ways in enumerate(places):
            here, there = f"L{place}", f"L{place + 1}"
            if isinstance(ways, str):
                edges.append(f"{here} -> {there} {{ {ways} }}")
                continue
            if not tries:
                edges += [f"{here} -> {there} {{ {w.access} ; assume {w.condition}{w.then} }}" for w in ways]
                continue
            for way, each in enumerate(ways):
                start, asked, again = f"L{place}w{way}", f"L{place}a{way}", f"L{place}w{(way + 1) % len(ways)}"
                inner += [start, asked]
                edges.append(f"{here} -> {start} {{ skip }}")
                edges.append(f"{start} -> {asked} {{ {each.access} }}")
                edges.append(f"{asked} -> {there} {{ assume {each.condition}{each.then} }}")
                edges.append(f"{asked} -> {again} {{ assume {each.other} }}")
        names = [f"L{n}" for n in range(1, len(places))] + inner
        lines += [f"process p{number} {{ var c : int var d : int init loc L0 final loc L{len(places)}"]
        lines += [f"  loc {name}" for name in names] + [f"  {edge}" for edge in edges] + ["}"]
    return "\n".join(lines) + "\n"


def draw_edge(rng: Random, blocks: bool, mutex: bool) -> str:
    """What an edge does that is one of several; without effects that others see, it may not be taken."""
    x, y, value = rng.choice(VARIABLES), rng.choice(VARIABLES), rng.randint(0, 2)
    sign = rng.choice(("=", "/="))
    plain = (
        "skip",
        "d := 0",
        f"c <- {x} ; assume c {sign} {value}",
        f"c <- {x} ; assume c = {value} ; {rng.randint(0, 2)} -> {y}",
        f"c <- {x} ; havoc d in 0 .. 1 ; c <- {y} ; assume c = d",
        f"c <- {x} ; havoc d in 0 .. 1 ; assume c = d",
        f"c <- {x} ; d <- {y} ; assume c {sign} d",
        f"1 -> {x} ; c <- {y} ; assume c {sign} {value}",
        f"c <- cas({x}, {value}, 1) ; assume c = {value}",
        f"c <- load_exclusive({x}) ; d <- store_exclusive({x}, 1) ; assume d = 0",
        f"fence ; c <- {x} ; assume c {sign} {value}",
    )
    block = (
        f"atomic-begin ; c <- {x} ; d <- {y} ; assume c {sign} d ; atomic-end",
        f"atomic-begin ; c <- {x} ; d <- {y} ; assume d {sign} {value} ; 1 -> {x} ; atomic-end",
        f"atomic-begin ; {value} -> {x} ; c <- {y} ; assume c {sign} {value} ; atomic-end",
    )
    return rng.choice((*plain, *(block if blocks else ()), *(("lock(m)",) if mutex else ())))


def draw_choices(rng: Random, again: bool, blocks: bool) -> str:
    """Processes that choose at each location, and end or (`again`) start anew by way of L0, where they store."""
    lines = [f"var {name} : int" for name in VARIABLES] + ["var m : synthetic"]
    for process in range(2):
        last = rng.randint(2, 3)
        final = not again or (process == 1 and rng.random() < 0.5)
        edges = [f"L0 -> L1 {{ {rng.randint(0, 2)} -> {rng.choice(VARIABLES)} }}"]
        for place in range(1, last):
            for _ in range(rng.randint(1, 3)):
                target = rng.randint(place + 1, last)
                edges.append(f"L{place} -> L{target} {{ {draw_edge(rng, blocks, not again)} }}")
        if not final:
            edges.append(f"L{last} -> L0 {{ skip }}")
        names = [f"loc L{n}" for n in range(1, last)] + [f"{'final ' if final else ''}loc L{last}"]
        lines += [f"process p{process} {{ var c : int var d : int init loc L0 {' '.join(names)}"]
        lines += [f"  {edge}" for edge in edges] + ["}"]
    return "\n".join(lines) + "\n"
