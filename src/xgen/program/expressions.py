"""Types, expressions, and the places of shared memory that they speak of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from operator import attrgetter
from typing import Any, Literal, TypeAlias, get_args

from xgen import _core
from xgen.errors import Position
from xgen.records import dataclass

NOWHERE = Position(1, 1)
"""The position of what no source text stands behind."""

CELL_SIZE = 16
"""Cell n has the address CELL_SIZE * (n + 1), where its variable does not say another."""

ANY = 0
"""The size of an array that has a cell for each process, however many there are."""


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar type, or an array of `sizes` (outermost dimension first) of it; `synthetic` is a mutex."""

    base: Literal["int", "bool", "synthetic"]
    sizes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.base + "".join(f"[{'*' if size == ANY else size}]" for size in self.sizes)


INT = Type("int")
BOOL = Type("bool")

Real: TypeAlias = (
    Literal["fadd32", "fsub32", "fmul32", "fdiv32", "frem32"]
    | Literal["fadd64", "fsub64", "fmul64", "fdiv64", "frem64"]
)
"""Operators on two floating point numbers, which are the bits that they are (IEEE 754): of 32 bits with their sign.
Results are rounded to the nearest number, to the even one of two. What is no number is the quiet NaN without a sign:
languages leave open which one it is. The remainder is that of C's `fmod`."""
RealOfOne: TypeAlias = (
    Literal["fsqrt32", "fceil32", "ffloor32", "ftrunc32", "frint32", "fround32"]
    | Literal["fsqrt64", "fceil64", "ffloor64", "ftrunc64", "frint64", "fround64"]
    | Literal["fwiden", "fnarrow"]
    | Literal["int_to_f32", "unsigned_to_f32", "int_to_f64", "unsigned_to_f64"]
    | Literal["f32_to_int", "f32_to_unsigned", "f64_to_int", "f64_to_unsigned"]
)
"""On one: the root; whole numbers (`frint` takes the even one where two are as near, `fround` the one farther from 0);
32 bits as 64, and 64 as 32; whole numbers of 64 bits as floating point ones, and these as whole ones, towards 0: the
nearest one where that does not fit, the least of what is no number."""
UnaryOp: TypeAlias = Literal["not", "-", "bitnot"] | RealOfOne
BinaryOp: TypeAlias = (
    Literal["iff", "imply", "or", "and", "=", "/=", "<", "<=", ">", ">=", "+", "-", "*", "/", "mod", "rem"]
    | Literal["bitand", "bitor", "bitxor", "shl", "shr", "sar", "quot", "trem", "udiv", "urem", "ult", "ule"]
    | Real
)
REALS_OF_ONE: tuple[RealOfOne, ...] = tuple(op for some in get_args(RealOfOne) for op in get_args(some))
REALS_OF_TWO: tuple[Real, ...] = tuple(op for some in get_args(Real) for op in get_args(some))
REALS: dict[str, _core.Real] = {
    **{f"f{name.lower()}": real for name, real in vars(_core.Real).items() if name[0] != "_" and "_" not in name},
    "int_to_f32": _core.Real.OF_SIGNED32,
    "unsigned_to_f32": _core.Real.OF_UNSIGNED32,
    "int_to_f64": _core.Real.OF_SIGNED64,
    "unsigned_to_f64": _core.Real.OF_UNSIGNED64,
    "f32_to_int": _core.Real.TO_SIGNED32,
    "f32_to_unsigned": _core.Real.TO_UNSIGNED32,
    "f64_to_int": _core.Real.TO_SIGNED64,
    "f64_to_unsigned": _core.Real.TO_UNSIGNED64,
}
"""Operators on floating point numbers, as the core calls them."""
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "/=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "bitand": operator.and_,
    "bitor": operator.or_,
    "bitxor": operator.xor,
}
"""What operators give of numbers that are known, as long as these have as many bits as they need."""
FUNCTIONS = ("sar", "quot", "trem", "udiv", "urem", "ult", "ule", *REALS_OF_TWO)
"""The operators that are written like functions: `quot(a, b)`. Shift with the sign; division that truncates, and its
remainder; both without sign; less than and at most without sign; those on floating point numbers."""


@dataclass(frozen=True, slots=True)
class IntLiteral:
    value: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class BoolLiteral:
    value: bool
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A name where it is used: in an expression always a local variable."""

    name: str
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Element(Name):
    """A cell of a local array, or one of several processes, in the text form only: expand.py says which that is."""

    indices: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expression
    right: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if condition then positive else negative`."""

    condition: Expression
    positive: Expression
    negative: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Wrap:
    """The number that the lowest `bits` (1 to 64) of a value are, in two's complement where `signed`."""

    operand: Expression
    bits: int
    signed: bool
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """A number, which is a violation where it is not from 0 to `size` - 1."""

    operand: Expression
    size: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a place: `&x`, `&a[i]`. The cells of a program are numbered from 0 in the order in which they are
    declared; see CELL_SIZE."""

    place: AnyPlace
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A shared variable, or a cell of a shared array: one index for each dimension."""

    name: Name
    indices: tuple[Expression, ...] = ()

    @property
    def position(self) -> Position:
        return self.name.position


@dataclass(frozen=True, slots=True)
class Deref:
    """The cell with this address: `*e`. An address that is not that of an int cell is a violation.

    `width` is how many bytes the cell has to have, negative where they are a number with a sign; 0: any.
    """

    address: Expression
    position: Position = field(default=NOWHERE, compare=False)
    width: int = 0


AnyPlace: TypeAlias = Place | Deref


Constant: TypeAlias = IntLiteral | BoolLiteral
Expression: TypeAlias = IntLiteral | BoolLiteral | Name | Unary | Binary | Conditional | Wrap | Index | AddressOf


def nth(index: Expression, values: Sequence[int]) -> Expression:
    """The number at an index, from 0 on; the last one where there is none."""
    *first, last = map(IntLiteral, values)
    chosen: Expression = last
    for number, value in reversed(list(enumerate(first))):
        chosen = Conditional(Binary("=", index, IntLiteral(number)), value, chosen)
    return chosen


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, from left to right."""
    inside = _INSIDE.get(type(expression))
    return () if inside is None else inside(expression)


def _of_address(expression: AddressOf) -> tuple[Expression, ...]:
    place = expression.place
    return (place.address,) if isinstance(place, Deref) else place.indices


def _of_operand(expression: Unary | Wrap | Index) -> tuple[Expression, ...]:
    return (expression.operand,)


_INSIDE: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Binary: attrgetter("left", "right"),
    Unary: _of_operand,
    Conditional: attrgetter("condition", "positive", "negative"),
    Wrap: _of_operand,
    Index: _of_operand,
    Element: attrgetter("indices"),
    AddressOf: _of_address,
}
"""What is inside, by the kind of expression."""


def postorder(expression: Expression) -> Iterator[Expression]:
    """All expressions inside and the expression itself, operands before what they are operands of, left before right.

    Not recursive: expressions may be nested as deeply as memory allows.
    """
    reverse, stack = [], [expression]
    while stack:
        part = stack.pop()
        reverse.append(part)
        inside = _INSIDE.get(type(part))
        if inside is not None:
            stack += inside(part)
    return reversed(reverse)
