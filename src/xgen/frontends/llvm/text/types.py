"""Types of LLVM's IR, and where their parts are in memory (x86-64)."""

from __future__ import annotations

from typing import TypeAlias

from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Int:
    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class Float:
    """A floating point number of so many bytes."""

    bytes: int

    def __str__(self) -> str:
        return {2: "half", 4: "float", 8: "double", 16: "long double"}[self.bytes]


@dataclass(frozen=True, slots=True)
class Array:
    """An array, or a vector."""

    count: int
    element: Type
    vector: bool = False

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>" if self.vector else f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class Struct:
    elements: tuple[Type, ...]
    packed: bool = False

    def __str__(self) -> str:
        return f"{{ {', '.join(map(str, self.elements))} }}"


@dataclass(frozen=True, slots=True)
class Named:
    """`ptr`, `void`, `label`, `metadata`, `token`, `opaque`."""

    name: str

    def __str__(self) -> str:
        return self.name


Type: TypeAlias = Int | Float | Array | Struct | Named
POINTER = Named("ptr")
VOID = Named("void")
BOOL = Int(1)
LONG = Int(64)


class Unsized(Exception):
    """A type that no value in memory has."""


def size_of(type_: Type) -> int:
    match type_:
        case Int(bits):
            return _up((bits + 7) // 8, align_of(type_))
        case Float(bytes_):
            return bytes_
        case Array(count, element):
            return count * size_of(element)
        case Struct(elements):
            return _up(offsets(type_)[-1], align_of(type_)) if elements else 0
        case Named("ptr"):
            return 8
    raise Unsized(str(type_))


def align_of(type_: Type) -> int:
    match type_:
        case Int(bits):
            alignment = 1
            while alignment < (bits + 7) // 8 and alignment < 16:
                alignment *= 2
            return alignment
        case Float(bytes_):
            return bytes_
        case Array(_, element):
            return align_of(element)
        case Struct(elements, packed):
            return 1 if packed or not elements else max(map(align_of, elements))
        case Named("ptr"):
            return 8
    raise Unsized(str(type_))


def offsets(type_: Struct) -> list[int]:
    """Where the elements are, and behind them where the last one ends."""
    found, end = [], 0
    for element in type_.elements:
        start = end if type_.packed else _up(end, align_of(element))
        found.append(start)
        end = start + size_of(element)
    return [*found, end]


def parts(type_: Type) -> list[tuple[int, Type]]:
    """The elements of a struct or an array, each with where it is; of a number that has more than 64 bits, numbers."""
    if isinstance(type_, Int):
        return _words(type_)
    if isinstance(type_, Struct):
        return list(zip(offsets(type_), type_.elements, strict=False))
    assert isinstance(type_, Array)
    step = size_of(type_.element)
    return [(number * step, type_.element) for number in range(type_.count)]


def width_at(type_: Type, offset: int) -> int | None:
    """How many bytes the number has that is there in a type; None: none starts there."""
    while isinstance(type_, Struct | Array):
        found = next(((at, part) for at, part in reversed(parts(type_)) if at <= offset), None)
        if found is None:
            return None
        offset, type_ = offset - found[0], found[1]
    return None if offset else size_of(type_)


def _words(type_: Int) -> list[tuple[int, Type]]:
    found, start, size = list[tuple[int, Type]](), 0, (type_.bits + 7) // 8
    while start < size:
        width = next(width for width in (8, 4, 2, 1) if width <= size - start)
        found.append((start, Int(8 * width)))
        start += width
    return found


def is_wide(type_: Type) -> bool:
    """Whether a type is of numbers with more than 64 bits, which are taken apart."""
    return isinstance(type_, Int) and type_.bits > 64


def is_odd(type_: Type) -> bool:
    """Whether a type is of numbers with 3, 5, 6 or 7 bytes, which are several accesses."""
    return isinstance(type_, Int) and (type_.bits + 7) // 8 in (3, 5, 6, 7)


def _up(offset: int, alignment: int) -> int:
    return (offset + alignment - 1) // alignment * alignment
