"""Small programs of reads, writes, fences and dependencies, from the smallest on.

Shapes that differ only by the order of the threads or the names of the variables are taken once. As a program, the n-th
write to a variable writes n.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Literal

from xgen.errors import Source
from xgen.memory.statics.vocabulary import Vocabulary
from xgen.program import automaton as xcfa
from xgen.records import replace
from xgen.shapes.cycles import SHAPES
from xgen.shapes.shape import VARIABLES, Access, Link, Shape, Thread

MAX_ACCESSES = 6
"""Of a shape."""


# ---- all shapes


def shapes(accesses: int, plain: str | None = None) -> Iterator[Shape]:
    """The shapes of so many accesses with nothing between them, of which a model could say anything.

    Every variable has a write and another access, some thread has two accesses, no thread is a single read, and with
    more than three accesses, two threads share each variable and no thread has more than three. With six, no thread has
    more than two, of different variables. The classic ones come first, in the order of SHAPES; then those whose outcome
    needs the fewest orders of writes to be seen.
    """
    yield from sorted(_all_shapes(accesses, plain), key=lambda shape: (_rank(shape), _orders_of_writes(shape)))


def _rank(shape: Shape) -> int:
    """The place of its name among those of the classic shapes, behind them where it has none."""
    name = shape_name(shape)
    return list(SHAPES).index(name) if name is not None else len(SHAPES)


def shape_name(shape: Shape) -> str | None:
    """What tests of the shape are called, whatever is between its accesses."""
    return _classic().get(canonical(shape))


@cache
def _classic() -> dict[tuple[_Bare, ...], str]:
    """The names of the classic shapes."""
    return {canonical(cycle.shape): name for name, cycle in SHAPES.items()}


def _orders_of_writes(shape: Shape) -> int:
    """How many variables have more than one write."""
    written = [access.variable for access in shape.accesses if access.kind == "W"]
    return sum(written.count(variable) > 1 for variable in set(written))


def _all_shapes(accesses: int, plain: str | None) -> Iterator[Shape]:
    for sizes in _partitions(accesses):
        if max(sizes) > (3 if accesses < MAX_ACCESSES else 2):
            continue
        for kinds in product("WR", repeat=accesses):
            for variables in _namings(accesses):
                threads = _split(sizes, kinds, variables)
                if _is_of_interest(threads) and _is_first(threads):
                    yield Shape(tuple(_thread(thread, plain) for thread in threads))


_Bare = tuple[tuple[str, int], ...]
"""A thread as kinds and variables."""


def _partitions(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """The sizes of threads, the greatest first."""
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def _namings(n: int, used: int = 0) -> Iterator[tuple[int, ...]]:
    """Variables for n accesses, numbered in the order of their first access."""
    if n == 0:
        yield ()
        return
    for variable in range(used + 1):
        for rest in _namings(n - 1, max(used, variable + 1)):
            yield (variable, *rest)


def _split(sizes: tuple[int, ...], kinds: tuple[str, ...], variables: tuple[int, ...]) -> tuple[_Bare, ...]:
    events = list(zip(kinds, variables, strict=True))
    threads, start = [], 0
    for size in sizes:
        threads.append(tuple(events[start : start + size]))
        start += size
    return tuple(threads)


def _is_of_interest(threads: tuple[_Bare, ...]) -> bool:
    events = [event for thread in threads for event in thread]
    if len(threads[0]) == 1 or any(thread[0][0] == "R" for thread in threads if len(thread) == 1):
        return False  # nothing is ordered, or a read alone
    if len(events) == MAX_ACCESSES and any(len({v for _, v in thread}) < len(thread) for thread in threads):
        return False
    for variable in {v for _, v in events}:
        accesses = [kind for kind, v in events if v == variable]
        if len(accesses) < 2 or "W" not in accesses:
            return False
        if len(events) > 3 and sum(any(v == variable for _, v in thread) for thread in threads) < 2:
            return False
    return True


def _is_first(threads: tuple[_Bare, ...]) -> bool:
    """Whether no other order of the threads, with variables renamed, comes before this one; writes before reads."""
    own = _sort_key(threads)
    for order in permutations(threads):
        if [len(thread) for thread in order] != [len(thread) for thread in threads]:
            continue
        names: dict[int, int] = {}
        renamed = tuple(
            tuple((kind, names.setdefault(variable, len(names))) for kind, variable in thread) for thread in order
        )
        if _sort_key(renamed) < own:
            return False
    return True


def canonical(shape: Shape) -> tuple[_Bare, ...]:
    """The accesses of a shape, without tags and links: the same for shapes that differ by the order of the threads and
    the names of the variables."""
    found = []
    for order in permutations(shape.threads):
        names: dict[int, int] = {}
        found.append(
            tuple(
                tuple((a.kind, names.setdefault(a.variable, len(names))) for a in thread.accesses) for thread in order
            )
        )
    return min(found)


def _sort_key(threads: tuple[_Bare, ...]) -> list[list[tuple[bool, int]]]:
    return [[(kind == "R", variable) for kind, variable in thread] for thread in threads]


def _thread(events: _Bare, plain: str | None) -> Thread:
    accesses = tuple(Access("R" if kind == "R" else "W", variable, plain) for kind, variable in events)
    return Thread(accesses, (Link(),) * (len(events) - 1))


# ---- tags, fences and dependencies


def decorated(shape: Shape, count: int, vocabulary: Vocabulary) -> Iterator[Shape]:
    """The shape with so many tags, fences and dependencies added; a dependency and a fence can share a place."""
    if count < 1:
        return
    slots = [
        (t, i, change)
        for t, thread in enumerate(shape.threads)
        for i, access in enumerate(thread.accesses)
        for change in _changes(access, thread.accesses[i + 1] if i + 1 < len(thread.accesses) else None, vocabulary)
    ]
    for chosen in combinations(slots, count):
        if len({(t, i, what) for t, i, (what, _) in chosen}) == count:
            yield _changed(shape, chosen)


_Change = tuple[Literal["tag", "fence", "dependency"], str]


def _changes(access: Access, following: Access | None, vocabulary: Vocabulary) -> Iterator[_Change]:
    """What can be changed at an access and the link behind it."""
    for tag in vocabulary.reads if access.kind == "R" else vocabulary.writes:
        yield "tag", tag
    if following is None:
        return
    for fence in vocabulary.fences:
        yield "fence", fence
    for dependency in vocabulary.dependencies if access.kind == "R" else ():
        if dependency != "data" or following.kind == "W":
            yield "dependency", dependency


def _changed(shape: Shape, chosen: tuple[tuple[int, int, _Change], ...]) -> Shape:
    threads = list(shape.threads)
    for t, i, (what, value) in chosen:
        accesses, links = list(threads[t].accesses), list(threads[t].links)
        if what == "tag":
            accesses[i] = replace(accesses[i], tag=value)
        elif what == "fence":
            links[i] = replace(links[i], fence=value)
        else:
            links[i] = replace(links[i], dependency=value)  # type: ignore[arg-type]
        threads[t] = Thread(tuple(accesses), tuple(links))
    return Shape(tuple(threads))


# ---- as programs


def program_of(shape: Shape) -> xcfa.Program:
    """The shape as a program: processes P0, P1, ..., whose n-th read is the variable `r<n>`; see VARIABLES for the
    shared ones. Those with an access whose address depends on a read are arrays of one cell."""
    count = 1 + max(access.variable for access in shape.accesses)
    arrays = {
        access.variable
        for thread in shape.threads
        for link, access in zip(thread.links, thread.accesses[1:], strict=True)
        if link.dependency == "addr"
    }
    shared = tuple(
        xcfa.Variable(VARIABLES[v], xcfa.Type("int", (1,)) if v in arrays else xcfa.INT) for v in range(count)
    )
    processes = tuple(
        _process(f"P{n}", thread, values, arrays)
        for n, (thread, values) in enumerate(zip(shape.threads, shape.values(), strict=True))
    )
    return xcfa.Program(Source("generated", ""), shared, processes)


def _process(name: str, thread: Thread, values: list[int], arrays: Collection[int]) -> xcfa.Process:
    edges: list[xcfa.Edge] = []
    locations = ["l0"]

    def step(*alternatives: xcfa.Statement) -> None:
        """To a new location, by one of the statements."""
        locations.append(f"l{len(locations)}")
        edges.extend(
            xcfa.Edge(xcfa.Name(locations[-2]), xcfa.Name(locations[-1]), (statement,)) for statement in alternatives
        )

    for i, access in enumerate(thread.accesses):
        link = thread.links[i - 1] if i else Link()
        before = xcfa.Name(f"r{values[i - 1]}") if link.dependency else None
        if link.dependency == "ctrl" and before is not None:
            zero = xcfa.Binary("=", before, xcfa.IntLiteral(0))
            step(xcfa.Assume(zero), xcfa.Assume(xcfa.Unary("not", zero)))
        if link.fence is not None:
            step(xcfa.Fence(link.fence or None))
        nothing: xcfa.Expression = (
            xcfa.IntLiteral(0) if before is None else xcfa.Binary("*", before, xcfa.IntLiteral(0))
        )
        indices = (nothing if link.dependency == "addr" else xcfa.IntLiteral(0),) if access.variable in arrays else ()
        place = xcfa.Place(xcfa.Name(VARIABLES[access.variable]), indices)
        if access.kind == "R":
            step(xcfa.Load(xcfa.Name(f"r{values[i]}"), place, order=access.tag))
        else:
            value: xcfa.Expression = xcfa.IntLiteral(values[i])
            if link.dependency == "data":
                value = xcfa.Binary("+", value, nothing)
            step(xcfa.Store(value, place, order=access.tag))
    reads = sum(access.kind == "R" for access in thread.accesses)
    kinds: dict[str, Literal["init", "final"]] = {locations[0]: "init", locations[-1]: "final"}
    return xcfa.Process(
        name,
        variables=tuple(xcfa.Variable(f"r{n}", xcfa.INT) for n in range(reads)),
        locations=tuple(xcfa.Location(location, kinds.get(location)) for location in locations),
        edges=tuple(edges),
    )
