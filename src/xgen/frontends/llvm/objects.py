"""Objects: their bytes, at addresses; what global variables have in them at first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from xgen.errors import Position, UnsupportedError
from xgen.frontends.llvm.text.ir import Module
from xgen.frontends.llvm.text.metadata import Metadata, Subobject
from xgen.frontends.llvm.text.tokens import (
    Aggregate,
    Bytes,
    Cast,
    Computed,
    Global,
    Number,
    Offset,
    Operand,
    Real,
    Unset,
    Zero,
)
from xgen.frontends.llvm.text.types import (
    POINTER,
    Array,
    Float,
    Int,
    Struct,
    Type,
    Unsized,
    is_wide,
    offsets,
    parts,
    size_of,
    width_at,
)
from xgen.frontends.llvm.values import Cell, Either, Register, Uninitialised, Value, signed, unsigned
from xgen.frontends.reals import WIDTHS
from xgen.program.automaton import NOWHERE
from xgen.records import dataclass

FUNCTIONS = 1 << 24
"""Where the addresses of functions begin."""
OBJECTS = 1 << 32
"""Where those of objects begin."""
TAGGED = 48
"""Addresses have fewer bits: above these, programs keep tags."""
UNKNOWN_NAME = 1 << 20
"""The address of what is defined elsewhere."""
LARGEST = 1 << 24
VTABLE = "vtable for "
"""What the table of a class's virtual functions is called, before the class."""
UNSIGNED = ("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF")
"""How what is said of a type calls numbers without a sign."""
RUST = "alloc"
"""What memory is called that Rust asks for: nothing says what is in it."""
CONSOLE = {
    f"_ZNSt3__1{len(name)}{name}E": f"std::{name}" for name in ("cout", "cerr", "clog", "wcout", "wcerr", "wclog")
}
"""The streams of the console, by their symbols: what they are called."""
_INSIDE = {**dict.fromkeys(CONSOLE, 8), "_ZNSt3__13cinE": 16}
"""Where `std::basic_ios` begins in a stream."""
_TABLES, _FLAGS = "tables of the console's streams", 0x1002
"""`std::ios_base::skipws | std::ios_base::dec`"""
Life = Literal["static", "stack", "heap"]


def may_lead(number: int) -> bool:
    """Whether a number may be an address, with a tag or without."""
    return number >= FUNCTIONS or number < -OBJECTS


def may_be_address(value: Value) -> bool:
    """Whether a value may lead to an object or a function."""
    if isinstance(value, int):
        return may_lead(value)
    return isinstance(value, Register) and not (isinstance(value.origin, Either) and not value.origin.values)


@dataclass(eq=False, slots=True)
class Object:
    """`name`: by this it is the same in all rounds; `title`: what it is called, by the order in which objects are made.
    `data`: what main has put there before threads share anything; `known`: the bits that have a value.
    `real`: the bytes of floating point numbers, which are not kept.
    `at_first`: whether it is there from the start on; `alone`: main has allocated it by itself. `expected`: it will be
    made, as it was in the round before. `listed`: final states list it, a number that the program declares outside
    functions, `unsigned` if it has no sign. `type`: what the metadata say of it; `layout`: what the IR says, of a local
    object and of a global one with bytes that have no value."""

    name: str
    title: str
    address: int
    size: int
    life: Life
    constant: bool = False
    guard: bool = False
    dead: bool = False
    at_first: bool = True
    type: int | str | None = None
    layout: Type | None = None
    position: Position = NOWHERE
    ended: Position | None = None  # where main has ended it, alone
    made: dict[int, Subobject] = field(default_factory=dict)  # of the heap: what is made in it, and where
    data: bytearray = field(default_factory=bytearray)
    known: bytearray = field(default_factory=bytearray)
    real: set[int] = field(default_factory=set)
    expected: bool = False
    alone: bool = False
    listed: bool = False
    unsigned: bool = False
    aligned: int = 1

    @property
    def shown(self) -> str:
        """What it is called: by the type of what has been made there, if that is all of it."""
        whole = self.made.get(0)
        return whole.name if whole is not None and whole.size == self.size else self.title

    def is_real(self, offset: int, width: int) -> bool:
        return bool(self.real) and not self.real.isdisjoint(range(offset, offset + width))

    def read(self, offset: int, width: int) -> int:
        return signed(int.from_bytes(self.data[offset : offset + width], "little"), 8 * width)

    def missing(self, offset: int, width: int) -> int:
        """The bits of a number that have no value."""
        return signed(~int.from_bytes(self.known[offset : offset + width], "little"), 8 * width)

    def write(self, offset: int, width: int, value: int, missing: int = 0) -> None:
        self.data[offset : offset + width] = unsigned(value, 8 * width).to_bytes(width, "little")
        self.known[offset : offset + width] = unsigned(~missing, 8 * width).to_bytes(width, "little")
        if self.real:
            self.real.difference_update(range(offset, offset + width))

    def has_number(self, offset: int, width: int) -> bool:
        """Whether what is there is one number, as far as that is known; else it is only passed on as it is."""
        return self.layout is None or width_at(self.layout, offset) == width

    def has_value(self, offset: int, width: int) -> bool:
        return self.missing(offset, width) == 0


class Memory:
    """All objects of a program, in the order of their addresses."""

    def __init__(self, module: Module, metadata: Metadata, before: Mapping[str, tuple[int, Life, int]]) -> None:
        """`before`: the objects that there were in the round before."""
        self.module, self.metadata, self.before = module, metadata, before
        self.objects: list[Object] = []
        self.by_name: dict[str, Object] = {}
        self.globals: dict[str, Object] = {}
        self.functions: dict[str, int] = {}
        self.function_at: dict[int, str] = {}
        self._addresses: list[int] = []
        self._names: dict[str, int] = {}
        self._shown: set[str] = set()
        self._met: list[Object] = []  # those that were expected, and are made now
        self._next = OBJECTS
        for number, name in enumerate([*module.functions, *module.declared]):
            self.functions[name] = FUNCTIONS + 16 * number
            self.function_at[FUNCTIONS + 16 * number] = name
        self._declare()

    def _declare(self) -> None:
        """The global variables. Of one that is defined elsewhere nothing is known but its address."""
        initial = []
        for name, variable in self.module.variables.items():
            if name.startswith("llvm."):
                continue
            reader = self.module.reader(variable.text)
            type_ = reader.type()
            try:
                size = size_of(type_)
            except Unsized:
                continue
            shown = self.metadata.qualified(variable.variable, CONSOLE.get(name) or _readable(name))
            if shown.endswith("::_vtable$"):  # so clang calls it in what it says of a class
                shown = VTABLE + shown.removesuffix("::_vtable$")
            found = self.allocate(shown, size, "static", variable.constant, aligned=variable.aligned)
            found.known = bytearray(b"\xff" * size)
            found.guard = name.startswith("_ZGV")
            found.type = self.metadata.variable(variable.variable).get("type")
            found.position = self.metadata.place_of(variable.variable)
            of_program = self.metadata.is_of_program(variable.variable) and not (
                variable.constant or variable.per_thread
            )
            number = self.metadata.number(found.type)
            found.listed, found.unsigned = of_program and number is not None, number in UNSIGNED
            self.globals[name] = found
            if variable.external and name in _INSIDE:
                self._open(found, _INSIDE[name])
            if not variable.external:
                initial.append((found, type_, reader.operand(type_)))
        for found, type_, operand in initial:
            self._fill(found, 0, type_, operand)
            if not all(found.known):  # what is between its numbers is only passed on
                found.layout = type_
        per_thread = (self.globals[name] for name, each in self.module.variables.items() if each.per_thread)
        self.first = {found.name: bytes(found.data) for found in per_thread}

    def _open(self, stream: Object, inside: int) -> None:
        """What is in a stream of the console, laid out as libc++ does: its tables say where `std::basic_ios` begins in
        it; numbers are decimal, with six digits; there is no error; what is missing of a width is filled with spaces.
        """
        table = self.by_name.get(_TABLES) or self.allocate(_TABLES, 64, "static", constant=True)
        table.known, head = bytearray(b"\xff" * table.size), 4 * (inside - 8)
        table.write(head, 8, inside)
        for at, width, value in ((0, 8, table.address + head + 24), (inside + 8, 4, _FLAGS), (inside + 16, 8, 6)):
            stream.write(at, width, value)
        stream.write(inside + 144, 4, ord(" "))

    def allocate(
        self, name: str, size: int, life: Life, constant: bool = False, path: str = "", aligned: int = 1
    ) -> Object:
        """An object; `path`: where in the program, which later rounds know it by: they may make others first.
        `aligned`: what its address is a multiple of at least."""
        if not 0 <= size <= LARGEST:
            raise UnsupportedError(f"an object of {size:,} bytes is not supported")
        title = self._numbered(name)
        self._shown.add(title)
        unique = self._numbered(f"{name}@{path}") if path else title
        expected = self.by_name.get(unique)
        if expected is not None and expected.expected and expected.size >= size and expected.address % aligned == 0:
            expected.expected, expected.at_first, expected.life = False, True, life
            expected.constant, expected.size, expected.title = constant, size, title
            self._met.append(expected)
            del expected.data[size:], expected.known[size:]
            return expected
        return self._add(Object(unique, title, self._place(aligned), size, life, constant, aligned=aligned))

    def _numbered(self, name: str) -> str:
        count = self._names[name] = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}#{count}"

    def _place(self, aligned: int) -> int:
        """Where the next object may be."""
        self._next += -self._next % aligned
        return self._next

    def _add(self, found: Object) -> Object:
        found.data, found.known = bytearray(found.size), bytearray(found.size)
        size, unique = found.size, found.name
        self._next += (size + 64 + 63) // 64 * 64
        self.objects.append(found)
        self._addresses.append(found.address)
        self.by_name[unique] = found
        return found

    def named(self, name: str) -> Object | None:
        """The object of a name, also if it is made later in this round."""
        found = self.by_name.get(name)
        if found is None and name in self.before:
            size, life, aligned = self.before[name]
            place = self._place(aligned)
            found = self._add(Object(name, name, place, size, life, at_first=False, expected=True, aligned=aligned))
        return found

    def is_blank(self, cell: Cell) -> bool:
        """Whether no byte of a cell has a value at first."""
        name, offset, width = cell
        found = self.by_name.get(name)
        return found is not None and not any(found.known[offset : offset + width])

    def call_by_type(self, found: Object, offset: int, made: Subobject) -> None:
        """In an object of the heap something of a type is made, if nothing larger has been made there before."""
        if any(start < offset + made.size and offset < start + each.size for start, each in found.made.items()):
            return
        count, shown = 1, made.name
        while shown in self._shown:
            count += 1
            shown = f"{made.name}#{count}"
        self._shown.add(shown)
        found.made[offset] = Subobject(shown, made.type, made.size)

    def mark(self) -> tuple[int, int, int, dict[str, int]]:
        """A state to go back to."""
        return len(self.objects), len(self._met), self._next, dict(self._names)

    def cut(self, mark: tuple[int, int, int, dict[str, int]]) -> None:
        """Forgets the objects since a mark; those that were expected there are expected again."""
        count, met, self._next, names = mark
        for found in self._met[met:]:
            self._shown -= {found.title, *(made.name for made in found.made.values())}
            found.title, found.expected, found.at_first, found.dead = found.name, True, False, False
            found.data, found.known = bytearray(found.size), bytearray(found.size)
            found.made.clear()
        del self._met[met:]
        for found in self.objects[count:]:
            del self.by_name[found.name]
            self._shown -= {found.title, *(made.name for made in found.made.values())}
        del self.objects[count:], self._addresses[count:]
        self._names = dict(names)

    def at(self, address: int) -> Object | None:
        """The object that an address is in, or right behind."""
        place = bisect_right(self._addresses, address) - 1
        if place < 0:
            return None
        found = self.objects[place]
        return found if address <= found.address + found.size else None

    def address_of(self, name: str) -> int:
        """Of a function or a global variable."""
        name = self.module.aliases.get(name, name)
        if name in self.globals:
            return self.globals[name].address
        return self.functions.get(name, UNKNOWN_NAME)

    # ---- constants

    def constant(self, operand: Operand, type_: Type) -> Value:
        match operand:
            case Number(value):
                return signed(value, type_.bits) if isinstance(type_, Int) else value
            case Zero():
                return self._zero(type_)
            case Unset():
                return unset(type_)
            case Real():
                return 0
            case Global(name):
                return self.address_of(name)
            case Offset(inner, operands):
                return self._offset(inner, operands)
            case Cast(target, inner_operand):
                found = self.constant(inner_operand, POINTER)
                return signed(found, target.bits) if isinstance(found, int) and isinstance(target, Int) else found
            case Computed(op, inner, left, right):
                a, b = self.constant(left, inner), self.constant(right, inner)
                assert isinstance(a, int)
                assert isinstance(b, int)
                return signed({"add": a + b, "sub": a - b, "xor": a ^ b}[op], 64)
            case Aggregate(elements):
                return tuple(self.constant(element, inner) for inner, element in elements)
            case Bytes(text):
                return tuple(signed(byte, 8) for byte in text)
        raise UnsupportedError("a constant of this kind is not supported")

    def _zero(self, type_: Type) -> Value:
        if isinstance(type_, Struct | Array):
            return tuple(self._zero(element) for _, element in parts(type_))
        return 0

    def _offset(self, type_: Type, operands: tuple[tuple[Type, Operand], ...]) -> int:
        numbers = [self.constant(operand, inner) for inner, operand in operands]
        address, step, *path = (number if isinstance(number, int) else 0 for number in numbers)
        address += step * size_of(type_)
        for index in path:
            if isinstance(type_, Struct):
                address, type_ = address + offsets(type_)[index], type_.elements[index]
            else:
                assert isinstance(type_, Array)
                type_ = type_.element
                address += index * size_of(type_)
        return address

    def _fill(self, found: Object, offset: int, type_: Type, operand: Operand) -> None:
        """Puts a constant into an object that is all 0; where it has none, there is no value."""
        match operand:
            case Zero() | Real():
                return
            case Unset():
                size = size_of(type_)
                found.known[offset : offset + size] = bytes(size)
            case Bytes(text):
                found.data[offset : offset + len(text)] = text
            case Aggregate(elements):
                for (place, inner), (_, element) in zip(parts(type_), elements, strict=True):
                    self._fill(found, offset + place, inner, element)
            case _:
                value = self.constant(operand, type_)
                assert isinstance(value, int)
                found.write(offset, size_of(type_), value)


def unset(type_: Type) -> Value:
    """What has no value."""
    if isinstance(type_, Struct | Array) or is_wide(type_):
        return tuple(unset(inner) for _, inner in parts(type_))
    if isinstance(type_, Float):
        return Uninitialised(0, signed(-1, 8 * type_.bytes)) if type_.bytes in WIDTHS else 0
    return Uninitialised(0, signed(-1, type_.bits if isinstance(type_, Int) else 64))


def _readable(name: str) -> str:
    """The names in one that a C++ compiler has made: `_ZN1q4headE` is `q::head`."""
    if name.startswith("_ZGV"):
        return f"guard of {_readable('_Z' + name[4:])}"
    if name.startswith("_ZTV"):
        return VTABLE + _readable("_Z" + name[4:])
    if not name.startswith("_Z"):
        return name
    rest, words = name[2:].lstrip("NKLZS"), []
    while True:
        digits = len(rest) - len(rest.lstrip("0123456789"))
        if not digits:
            break
        length = int(rest[:digits])
        words.append(rest[digits : digits + length])
        rest = rest[digits + length :].lstrip("L")
    return "::".join(words) or name
