"""Objects in memory: where they are, and the cells that they are made of.

Objects lie at real byte addresses, aligned to 64 bytes or more, with a gap behind each: what overruns one hits no
other. One cell is one scalar, or a part of one where accesses of several sizes cut it. Functions have addresses too, at
which there is no cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from xgen.errors import Position, UnsupportedError
from xgen.executions.nothing import NOTHING
from xgen.frontends.c.values.types import (
    Array,
    CType,
    Int,
    Leaf,
    Pointer,
    Record,
    alignment,
    converted,
    cut_leaves,
    has_bytes,
    is_byte,
    leaves,
    plain,
    size_of,
    width_of,
)
from xgen.frontends.limits import SCALARS
from xgen.program import automaton as xcfa
from xgen.records import dataclass

FIRST = 1 << 16
"""The first object's address; below it there is nothing."""
FUNCTIONS = 1 << 12
"""The first function's address."""
BODILESS = 1 << 8
"""The first address of a function without a body: one of the library."""
GAP = 64
"""Bytes between two objects, at least."""

Life: TypeAlias = Literal["static", "heap", "stack"]
"""How long an object is there: always, until it is freed, until the function ends."""


@dataclass(eq=False)
class Object:
    """An object; `initial` holds the values of its scalars by their offsets, those that are not there are 0.

    `cuts`: where accesses cut its scalars. `taken`: what its bytes are taken as (see untyped.py). `untyped`: nothing
    says what it is for: it is so many bytes. `pooled`: it is one of several, by a counter. `undefined`: they have no
    values at first. `shown`: results list the value, if it is a scalar. `key`: what declares it, the same in every
    translation of a program. `position`: where it is allocated, if it is. `declared`: the type that its variable has,
    where that is another one: a struct whose last array has no size there, and here the initial values that it has.
    `copies`: of a variable of each CPU, those of the other CPUs.
    """

    name: str
    type: CType
    address: int
    undefined: bool = False
    shown: bool = False
    key: object = None
    initial: dict[int, int] = field(default_factory=dict)
    life: Life = "static"
    position: Position | None = None
    cuts: frozenset[int] = frozenset()
    taken: tuple[Leaf, ...] = ()
    untyped: bool = False
    pooled: bool = False
    declared: CType | None = None
    copies: tuple[Object, ...] = ()

    def first(self, offset: int) -> int | None:
        """The initial value of a scalar; None where it has none."""
        return self.initial.get(offset, None if self.undefined else 0)

    @cached_property
    def bytes(self) -> dict[int, str]:
        """Its bytes that may be taken as anything, and their names."""
        return {leaf.offset: leaf.name for leaf in leaves(self.type) if is_byte(leaf.type)}

    @cached_property
    def leaves(self) -> list[Leaf]:
        return cut_leaves(self.type, self.cuts, self.taken, self.untyped)

    def fill(self, given: Mapping[int, tuple[int, int]]) -> None:
        """Gives it values: by their offsets, how many bytes they have, and numbers. What is not there is 0."""
        self.initial = image(self.leaves, size_of(self.type), given)

    @property
    def whole(self) -> int:
        """The initial value of a scalar, of all its parts."""
        bits = {leaf: (1 << 8 * size_of(leaf.type)) - 1 for leaf in self.leaves}
        return converted(sum((self.initial.get(at.offset, 0) & bits[at]) << 8 * at.offset for at in bits), self.type)

    @cached_property
    def marks(self) -> list[str]:
        """What values of its cells are known by (see flow.py)."""
        return [f"@{self.name}{leaf.name}" for leaf in self.leaves]

    @cached_property
    def widths(self) -> set[int]:
        """What accesses may ask of its cells."""
        return {width_of(plain(leaf.type)) for leaf in self.leaves}

    @cached_property
    def by_offset(self) -> dict[int, Leaf]:
        return {leaf.offset: leaf for leaf in self.leaves}

    def variables(self, uninitialised: Container[str]) -> list[xcfa.Variable]:
        """The object's cells as variables of the automaton. `uninitialised`: the types of which NOTHING is no value."""
        return [self.variable(leaf, str(plain(leaf.type)) in uninitialised) for leaf in self.leaves]

    def variable(self, leaf: Leaf, uninitialised: bool) -> xcfa.Variable:
        undefined = self.first(leaf.offset) is None
        value = NOTHING if undefined and uninitialised else self.initial.get(leaf.offset, 0)
        initial = (xcfa.IntLiteral(value),) if value else ()
        width, kind = width_of(leaf.type), plain(leaf.type)
        return xcfa.Variable(
            self.name + leaf.name,
            xcfa.INT,
            initial,
            address=self.address + leaf.offset,
            bytes=width,
            undefined=undefined and not uninitialised,
            shown=self.shown,
            object=None if self.life == "static" else self.name,
            pointer=isinstance(kind, Pointer),
            unsigned=width == 8 and isinstance(kind, Int) and not kind.signed,  # in the engine, they have a sign
        )


def image(found: Iterable[Leaf], size: int, given: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    """The values of scalars in an object of so many bytes to which numbers are given: offset -> bytes, number."""
    memory = bytearray(size)
    for offset, (bytes_, number) in given.items():
        memory[offset : offset + bytes_] = (number & (1 << 8 * bytes_) - 1).to_bytes(bytes_, "little")
    values = {leaf: int.from_bytes(memory[leaf.offset : leaf.offset + size_of(leaf.type)], "little") for leaf in found}
    return {leaf.offset: converted(value, leaf.type) for leaf, value in values.items() if value}


def refuse_large(name: str, type_: CType, position: Position) -> None:
    """Raises UnsupportedError where an object has more scalars than are read."""
    count = _scalars(type_)
    if count > SCALARS:
        message = f"an object (`{name}`) of {count:,} numbers is not supported"
        hint = f"there may be {SCALARS:,}; --clang reads what is larger, and a macro lets -D say less"
        raise UnsupportedError(message, position.source, position, hint)


def _scalars(type_: CType) -> int:
    if isinstance(type_, Array):
        return (type_.size or 0) * _scalars(type_.element)
    if isinstance(type_, Record):
        return sum(_scalars(member.type) for member in type_.members or ())
    return 1


class Memory:
    """All objects of a program. `cuts`: what cuts those that something declares; `taken`: what bytes are taken as."""

    def __init__(
        self, cuts: Mapping[object, Collection[int]], taken: Mapping[object, Mapping[tuple[int, int], Leaf]]
    ) -> None:
        self.cuts = cuts
        self.taken = taken
        self.has_bytes = False  # there are some that may be taken as anything
        self.objects: list[Object] = []
        self._starts: list[int] = []
        self._at: dict[int, Object] = {}  # what was found at addresses; later objects lie behind all others
        self._end = FIRST
        self._names: dict[str, int] = {}

    def allocate(
        self,
        name: str,
        type_: CType,
        key: object,
        undefined: bool = False,
        shown: bool = False,
        life: Life = "static",
        position: Position | None = None,
        untyped: bool = False,
        aligned: int = 1,
    ) -> Object:
        """A new object; its name is made one of its own. `aligned`: what its address is a multiple of at least,
        whatever its type says."""
        if position is not None:
            refuse_large(name, type_, position)
        count = self._names[name] = self._names.get(name, 0) + 1
        unique = name if count == 1 else f"{name}#{count}"
        self._end += -self._end % max(alignment(type_), aligned)
        cuts = frozenset(self.cuts.get(key, ()))
        found = Object(unique, type_, self._end, undefined, shown, key, life=life, position=position, cuts=cuts)
        found.taken, found.untyped = tuple(self.taken.get(key, {}).values()), untyped
        self.has_bytes |= life != "stack" and not isinstance(key, str) and has_bytes(type_)
        self._end += (size_of(type_) + GAP + 63) // 64 * 64
        self.objects.append(found)
        self._starts.append(found.address)
        return found

    def at(self, address: int) -> Object | None:
        """The object that an address is in, or right behind."""
        known = self._at.get(address)
        if known is not None:
            return known
        number = bisect_right(self._starts, address) - 1
        if number < 0:
            return None
        found = self.objects[number]
        if address > found.address + size_of(found.type):
            return None
        self._at[address] = found
        return found

    def cell(self, address: int, bytes_: int) -> str | None:
        """The name of the cell that an access of so many bytes is to, where there is one of just that size."""
        found = self.at(address)
        leaf = found.by_offset.get(address - found.address) if found else None
        return found.name + leaf.name if found and leaf and size_of(leaf.type) == bytes_ else None
