"""Structures that are accessed atomically, such as a pointer and a tag: one access of all their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert
from xgen.frontends.c.language.lvalues import Lvalues
from xgen.frontends.c.language.places import InMemory, InRegisters, Place, Value
from xgen.frontends.c.language.types import CType, Record, leaves, plain, size_of
from xgen.program.automaton import IntLiteral

_MOST = 16
"""So many bytes machines access at once."""


class Wholes(Lvalues):
    """Emits accesses of structures; `parts` are their numbers."""

    def load_whole(self, place: Place, node: c_ast.Node, order: str) -> Value:
        """What is in a structure, in a variable of its own; nobody else sees what is in registers."""
        if isinstance(place, InRegisters):
            return Value(IntLiteral(0), plain(place.type), place=replace(place, type=plain(place.type)))
        found = self.taken_all(self.whole_parts(place, node), node, order)
        return self.in_variable(place.type, found, node)

    def store_whole(self, place: Place, value: Value, node: c_ast.Node, order: str) -> None:
        if isinstance(place, InRegisters):
            self.copy(place, value, node)
            return
        parts = self.whole_parts(place, node)
        self.put_all(parts, self.for_parts(parts, self.numbers_of(value, place.type, node)), node, order)

    def in_variable(self, type_: CType, numbers: Sequence[Value], node: c_ast.Node) -> Value:
        """The structure that numbers make, in a variable of its own."""
        made = self.local_place("whole", plain(type_), (id(node), "whole"))
        self.put_numbers(made, type_, numbers, node)
        return Value(IntLiteral(0), plain(type_), place=made)

    def put_numbers(self, place: Place, like: CType, numbers: Sequence[Value], node: c_ast.Node) -> None:
        """Writes the numbers of one structure to another, which is no atomic access."""
        for part, value in zip(self.alike_numbers(place, like, node), numbers, strict=True):
            self.put(part, value, node)

    def numbers_of(self, value: Value, like: CType, node: c_ast.Node) -> list[Value]:
        """What a structure holds that is to be written to another one, each number in a local of its own."""
        if value.place is None:
            self.wrong(f"{value.type} is not {plain(like)}", node)
        found = [self.load(part, node) for part in self.alike_numbers(value.place, like, node)]
        return [self.keep(self.plain_number(number), node) for number in found]

    def for_parts(self, parts: Sequence[Place], numbers: Sequence[Value]) -> list[Value]:
        return [convert(number, plain(part.type)) for number, part in zip(numbers, parts, strict=True)]

    def alike_numbers(self, place: Place, like: CType, node: c_ast.Node) -> list[Place]:
        """The numbers of a structure that has to be made as another one."""
        own = list(leaves(place.type))
        sizes = [[(leaf.offset, size_of(leaf.type)) for leaf in found] for found in (own, leaves(like))]
        if not isinstance(place.type, Record) or sizes[0] != sizes[1]:
            self.wrong(f"{plain(place.type)} is not {plain(like)}", node)
        return [self.moved(place, leaf.offset, plain(leaf.type)) for leaf in own]

    def whole_parts(self, place: InMemory, node: c_ast.Node) -> list[Place]:
        """The numbers that are accessed at once. All bytes have to be some number's: what is between them would be
        compared as well."""
        type_, size, found = place.type, size_of(place.type), list(leaves(place.type))
        if not 0 < size <= _MOST or sum(size_of(leaf.type) for leaf in found) != size:
            self.refuse(f"an atomic access of {plain(type_)} ({size} bytes, or some that are no number's) is", node)
        parts = [self.moved(place, leaf.offset, plain(leaf.type)) for leaf in found]
        for part in parts:
            assert isinstance(part, InMemory)
            if self.layouts_of(part) or len(self.parts_of(part, node)) > 1:
                self.refuse(f"an atomic access of {plain(type_)}, of which numbers are accessed in parts, is", node)
        self.note_atomic(place, node, "seq_cst")
        return parts
