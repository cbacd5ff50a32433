"""Where accesses cut bytes: in the fewest parts of which each access is made; and atomic accesses of several sizes.

An access is where it begins, and how many bytes it has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from xgen.errors import Position, Source

Access: TypeAlias = tuple[int, int]
Parts: TypeAlias = tuple[Access, ...]
"""The parts of an access, the lowest first; they are right behind each other."""


def cut(start: int, end: int, edges: Iterable[int]) -> Iterator[Access]:
    """The bytes from one on to another one, cut at those of some edges that are between."""
    inside = sorted({edge for edge in edges if start < edge < end})
    return ((one, other - one) for one, other in pairwise([start, *inside, end]))


def parts_of_atomics(atomic: Collection[Access], others: Collection[Access]) -> Parts:
    """The parts of the atomic accesses that others cut, and of all accesses that share bytes with such parts, in the
    order of their addresses. All other bytes are left as they are."""
    accesses = {*atomic, *others}
    edges = {edge for start, size in accesses for edge in (start, start + size)}
    todo = [(start, size) for start, size in atomic if any(start < edge < start + size for edge in edges)]
    taken = set(todo)
    while todo:
        here = todo.pop()
        found = {each for each in accesses - taken if overlap(each, here)}
        taken |= found
        todo += found
    edges = {edge for start, size in taken for edge in (start, start + size)}
    return tuple(part for start, end in _joined(taken) for part in cut(start, end, edges))


def _joined(accesses: Iterable[Access]) -> Iterator[tuple[int, int]]:
    """From where to where there are bytes of accesses without one between that is of none."""
    begun: tuple[int, int] | None = None
    for start, size in sorted(accesses):
        if begun is not None and start <= begun[1]:
            begun = begun[0], max(begun[1], start + size)
            continue
        if begun is not None:
            yield begun
        begun = start, start + size
    if begun is not None:
        yield begun


def cut_alike(edges: Mapping[str, set[int]], groups: Collection[tuple[int, Collection[tuple[str, int]]]]) -> None:
    """Adds edges to those of some objects so that the same access is cut in the same way wherever it may be. `groups`:
    for each such access how many bytes it has, and where it may be: in which objects, and where in these."""
    before = -1
    while before != (before := sum(map(len, edges.values()))):
        for size, slots in groups:
            inside = {edge - start for name, start in slots for edge in edges[name] if 0 <= edge - start <= size}
            for name, start in slots:
                edges[name].update(start + edge for edge in (0, *inside, size))


def within(parts: Sequence[Access], access: Access) -> Parts:
    """Those of some parts that an access is made of; none where it is not made of whole ones."""
    found = tuple(part for part in parts if overlap(part, access))
    whole = bool(found) and found[0][0] == access[0] and sum(size for _, size in found) == access[1]
    return found if whole and sum(found[-1]) == sum(access) else ()


def overlap(one: Access, other: Access) -> bool:
    """Whether two accesses have a byte in common."""
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def of_several_sizes(atomic: Mapping[tuple[str, int, int], Position]) -> tuple[Position, str] | None:
    """An atomic access that has bytes in common with one of another size, and which both are: languages give them no
    meaning. `atomic`: by what an object is called, where in it, and how many bytes."""
    last: dict[str, tuple[int, int, Position]] = {}
    for (name, start, size), position in sorted(atomic.items(), key=lambda item: (item[0][0], item[0][1], -item[0][2])):
        before = last.get(name)
        if before and start < before[0] + before[1]:
            return position, f"atomic accesses to {_bytes(before[1])} and {_bytes(size)} of `{name}`"
        last[name] = start, size, position
    return None


def remark(both: tuple[Position, str], source: Source) -> str:
    """What is said of such accesses where a model has them all the same."""
    return f"{both[0].text(source)}: C says nothing of {both[1]}, which are taken as the model has them"


def _bytes(count: int) -> str:
    return f"{count} byte{'s' if count > 1 else ''}"
