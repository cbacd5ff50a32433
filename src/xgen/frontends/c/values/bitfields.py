"""Bit fields: numbers in some bits of the units that their memory location is accessed in (C11, 3.14; layout.py).

To read a field is to read the units that it is in; to write it, all units of its location: each is read, changed and
written, by plain accesses, as compilers do it. So fields that are neighbours race with each other, as C has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pycparser import c_ast

from xgen.frontends.c.values.arithmetic import binary, convert, unchecked
from xgen.frontends.c.values.places import Place, Value, literal
from xgen.frontends.c.values.types import ULLONG, Bits, CType, converted, number_of, promoted, size_of
from xgen.program.automaton import BoolLiteral, Expression
from xgen.records import replace


class Accessing(Protocol):
    """Accesses of whole scalars."""

    def moved(self, place: Place, offset: int, type_: CType) -> Place: ...
    def load(self, place: Place, node: c_ast.Node, order: str | None = None, uninitialised: bool = False) -> Value: ...
    def store(self, place: Place, value: Value, node: c_ast.Node, order: str | None = None) -> None: ...
    def keep(self, value: Value, node: c_ast.Node) -> Value: ...
    def unset_bits(self, place: Place) -> int: ...
    def note_unset(self, place: Place, bits: int) -> None: ...
    def check(self, condition: Expression, kind: str, node: c_ast.Node) -> None: ...


def load(body: Accessing, place: Place, field: Bits, node: c_ast.Node) -> Value:
    """The number in a field, as C promotes it: an int, if all its numbers are."""
    found = literal(0, ULLONG)
    for unit, at, bits, done in _units(body, place, field):
        if bits:
            if body.unset_bits(unit) & _ones(bits) << at:
                body.check(BoolLiteral(False), "uninitialised", node)
            part = _shifted(">>", convert(body.load(unit, node), ULLONG), at)
            part = binary("&", part, literal(_ones(bits), ULLONG), unchecked)
            found = binary("|", found, _shifted("<<", part, done), unchecked)
    value = convert(found, field.number)
    return convert(value, promoted(field.number))


def store(body: Accessing, place: Place, field: Bits, value: Value, node: c_ast.Node) -> None:
    """Writes a number. Bits beside it that have no value yet become 0; of a local that is known."""
    value = body.keep(convert(convert(value, field.number), ULLONG), node)
    for unit, at, bits, done in _units(body, place, field):
        part = _shifted("<<", binary("&", _shifted(">>", value, done), literal(_ones(bits), ULLONG), unchecked), at)
        unset = body.unset_bits(unit) & ~(_ones(bits) << at)
        kept = _ones(8 * size_of(unit.type)) & ~(_ones(bits) << at)
        if kept:
            old = convert(body.load(unit, node, uninitialised=True), ULLONG)
            part = binary("|", binary("&", old, literal(converted(kept, ULLONG), ULLONG), unchecked), part, unchecked)
        body.store(unit, part, node)
        body.note_unset(unit, unset)


def put(field: Bits, value: int, found: dict[int, tuple[int, int]], offset: int) -> None:
    """Puts a number into the first values of an object: by offsets, how many bytes they have, and numbers."""
    for start, size in field.units:
        at, bits, done = _share(field, start, size)
        if bits:
            mask = _ones(bits) << at
            old = found.get(offset + start, (size, 0))[1]
            found[offset + start] = size, old & ~mask | value >> done << at & mask


def _units(body: Accessing, place: Place, field: Bits) -> Iterator[tuple[Place, int, int, int]]:
    """The units of a field's location, and what each has of the field (see _share)."""
    for start, size in field.units:
        type_ = replace(number_of(size), volatile=field.type.volatile)
        yield body.moved(place, start, type_), *_share(field, start, size)


def _share(field: Bits, start: int, size: int) -> tuple[int, int, int]:
    """What a unit has of a field: from which of its bits on, how many, and how many of the field come before."""
    low, high = max(field.start, 8 * start), min(field.start + field.width, 8 * (start + size))
    return (low - 8 * start, high - low, low - field.start) if low < high else (0, 0, 0)


def _shifted(op: str, value: Value, bits: int) -> Value:
    return binary(op, value, literal(bits, ULLONG), unchecked) if bits else value


def _ones(bits: int) -> int:
    return (1 << bits) - 1
