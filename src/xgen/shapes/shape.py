"""What a small program is: threads of accesses, with something or nothing between two that follow each other.

A *shape* has no values. A *test* is a shape with values, and the final state that it asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from xgen.memory.statics.vocabulary import Dependency
from xgen.records import dataclass

VARIABLES = "xyzuvw"
"""What variables are called: the n-th one of a shape."""


@dataclass(frozen=True)
class Access:
    """A read or write; the variable is a number. No tag is the same as "relaxed".

    In tests for machines a write may be more: "rmw" is an atomic exchange, "ex" the store of an exclusive pair, which
    has to succeed, "exal" that of a pair of which the load acquires and the store releases.
    """

    kind: Literal["R", "W"]
    variable: int
    tag: str | None = None


@dataclass(frozen=True)
class Link:
    """What stands between two accesses: a dependency of the second one on the first, and a fence of this tag."""

    dependency: Dependency | None = None
    fence: str | None = None


@dataclass(frozen=True)
class Thread:
    """Accesses in program order, and what stands between them."""

    accesses: tuple[Access, ...]
    links: tuple[Link, ...]  # one less


@dataclass(frozen=True)
class Shape:
    """Threads of accesses, without values."""

    threads: tuple[Thread, ...]

    @property
    def accesses(self) -> list[Access]:
        return [access for thread in self.threads for access in thread.accesses]

    @property
    def words(self) -> set[str | None]:
        """The tags, fences and dependencies that the shape has."""
        links = [link for thread in self.threads for link in thread.links]
        given = {access.tag for access in self.accesses} | {link.fence for link in links}
        return (given | {link.dependency for link in links}) - {None}

    def values(self) -> list[list[int]]:
        """For each access its number among the thread's reads (from 0), or the value that it writes (from 1)."""
        written: dict[int, int] = {}
        numbers = []
        for thread in self.threads:
            row, reads = [], 0
            for access in thread.accesses:
                if access.kind == "R":
                    row.append(reads)
                    reads += 1
                else:
                    written[access.variable] = written.get(access.variable, 0) + 1
                    row.append(written[access.variable])
            numbers.append(row)
        return numbers


@dataclass(frozen=True)
class Test:
    """A shape, and a final state: for each access the value that it writes, or has to read (None: any).

    `finals` are the last values of variables; `old` is what the loads of exclusive pairs have to read (None: any).
    """

    shape: Shape
    values: tuple[tuple[int | None, ...], ...]
    finals: tuple[tuple[str, int], ...] = ()
    old: int | None = None

    def steps(self, thread: int) -> Iterator[tuple[Link, Access, int | None]]:
        """The accesses of a thread, each with what stands before it and with its value."""
        accesses, links = self.shape.threads[thread].accesses, self.shape.threads[thread].links
        yield from zip((Link(), *links), accesses, self.values[thread], strict=True)
