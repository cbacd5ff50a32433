"""What the front end computes with while it translates: values, and the places where they are.

A value is an expression over the locals of the automaton, in canonical form: the number itself where the type holds
it, sign and all; of 64-bit unsigned types and pointers the same 64 bits as a signed number.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from xgen.frontends.c.values.types import CType, Leaf, Record, cut_leaves, size_of
from xgen.program.automaton import Expression, IntLiteral
from xgen.records import dataclass


@dataclass(eq=False, slots=True)
class Registers:
    """A local variable that is kept in locals of the automaton, one for each of its scalars, by their offsets.

    `key` is its declaration's, by which it is moved to memory where its address is needed. `aliased`: some value was
    its address.
    """

    name: str
    type: CType
    key: object
    names: dict[int, str] = field(default_factory=dict)
    leaves: dict[int, Leaf] = field(default_factory=dict)
    aliased: bool = False

    def at(self, offset: int, type_: CType) -> str | None:
        """The local that a scalar is in; None where there is none of that size."""
        leaf = self.leaves.get(offset)
        fits = leaf is not None and (leaf.type is type_ or size_of(leaf.type) == size_of(type_))
        return self.names[offset] if fits else None


@dataclass(frozen=True, slots=True)
class Alias:
    """The address of a variable that is kept in registers, `offset` bytes on."""

    variable: Registers
    offset: int = 0


@dataclass(frozen=True, slots=True)
class InRegisters:
    """A place in a local variable that is kept in registers."""

    variable: Registers
    offset: int
    type: CType


@dataclass(frozen=True, slots=True)
class InMemory:
    """A place in memory. `within`: it is so many bytes from the start of a union whose members overlap."""

    address: Expression
    type: CType
    within: tuple[Record, int] | None = None


Place: TypeAlias = InRegisters | InMemory


@dataclass(frozen=True, slots=True)
class Value:
    """A value. With `alias`, it is the address of a variable in registers, and there is no expression for it. With
    `place`, it is a struct or union that is (still) there."""

    expression: Expression
    type: CType
    alias: Alias | None = None
    place: Place | None = None

    @property
    def constant(self) -> int | None:
        """The number that it is, where that is known."""
        return self.expression.value if isinstance(self.expression, IntLiteral) and self.alias is None else None


def literal(value: int, type_: CType) -> Value:
    return Value(IntLiteral(value), type_)


def registers(name: str, type_: CType, key: object, cuts: frozenset[int]) -> Registers:
    """A variable to be kept in registers, whose scalars are cut somewhere; its locals have no names yet."""
    found = Registers(name, type_, key)
    found.leaves = {leaf.offset: leaf for leaf in cut_leaves(type_, cuts)}
    return found
