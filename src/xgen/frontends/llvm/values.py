"""Values while a program is translated: numbers that are known, locals of an automaton, and where these come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Unary
from xgen.program.expressions import COMPARED, COMPUTED
from xgen.records import dataclass

Cell: TypeAlias = tuple[str, int, int]
"""Bytes in memory: the name of the object, where, and how many."""
Lack: TypeAlias = "tuple[str, str | Cell]"
"""That a value may be missing somewhere: a set of the facts (`slots`, `unset`, `empty`), and what may be in it."""


@dataclass(eq=False, slots=True)
class FromCells:
    """What is in one of these cells."""

    cells: list[Cell]


@dataclass(eq=False, slots=True)
class Moved:
    """So many bytes behind another value, and any multiple of the strides; of those in `steps`, as many as are said."""

    base: Value
    offset: int
    strides: tuple[int, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()


@dataclass(eq=False, slots=True)
class Masked:
    """Those bits of another value that are set in a number."""

    base: Value
    mask: int


@dataclass(eq=False, slots=True)
class Either:
    """One of these values; more may be found. Of none: no address."""

    values: list[Value] = field(default_factory=list)


Origin: TypeAlias = FromCells | Moved | Masked | Either


@dataclass(eq=False, slots=True)
class Register:
    """A number that is not known: what computes it, where it comes from as an address (None: that is not known), how
    many bits it has; `condition` says the same of a bool; `most`: it is between 0 and this, if that is known; `lack`:
    by which fact, if that is found later, the number may have no value after all."""

    expression: Expression
    origin: Origin | None = None
    bits: int = 64
    condition: Expression | None = None
    most: int | None = None
    lack: Lack | None = None


@dataclass(eq=False, slots=True)
class Uninitialised:
    """A number of which bits may have no value: those that are set in `missing`. It may be copied; what is done with it
    else needs all bits. `whole`: a local that has the number, or NOTHING where no bit has a value."""

    value: int | Register
    missing: int | Register
    whole: Expression | None = None


Value: TypeAlias = "int | Register | Uninitialised | tuple[Value, ...]"


def uninitialised(value: Value, missing: Value) -> Value:
    """The value, of which these bits have none."""
    if missing == 0:
        return value
    assert isinstance(value, int | Register)
    assert isinstance(missing, int | Register)
    return Uninitialised(value, missing)


def masked(value: Value) -> tuple[Value, Value]:
    """A number, and which bits of it have no value."""
    return (value.value, value.missing) if isinstance(value, Uninitialised) else (value, 0)


def signed(value: int, bits: int) -> int:
    """The number that the lowest bits say in two's complement; a bool is 0 or 1."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value


def unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def parted(value: Value, count: int) -> tuple[Value, ...]:
    """The parts of a value: of a number that is known and has more than 64 bits so many at a time."""
    if isinstance(value, tuple):
        return value
    assert isinstance(value, int)
    return tuple(signed(value >> 64 * number, 64) for number in range(count))


def expression(value: Value) -> Expression:
    assert not isinstance(value, tuple | Uninitialised)
    return IntLiteral(value) if isinstance(value, int) else value.expression


def condition(value: Value) -> Expression:
    """Whether a value is not 0."""
    assert not isinstance(value, tuple | Uninitialised)
    if isinstance(value, int):
        return BoolLiteral(bool(value))
    return value.condition or Binary("/=", value.expression, IntLiteral(0))


def number(found: Expression) -> Value:
    """The value of what a handler of the library computes, which is no address."""
    return found.value if isinstance(found, IntLiteral) else Register(found, Either())


_KNOWN: dict[str, Callable[[int, int], int | bool]] = {
    **COMPARED,
    **COMPUTED,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
}


def folded(found: Expression) -> Expression:
    """What the library computes, or its value where that is known."""
    match found:
        case Binary(op, left, right):
            a, b = folded(left), folded(right)
            if isinstance(a, IntLiteral | BoolLiteral) and isinstance(b, IntLiteral | BoolLiteral) and op in _KNOWN:
                return _literal(_KNOWN[op](a.value, b.value))
            return Binary(op, a, b)
        case Unary("not", operand):
            inner = folded(operand)
            return BoolLiteral(not inner.value) if isinstance(inner, BoolLiteral) else Unary("not", inner)
        case Conditional(test, positive, negative):
            chosen = folded(test)
            if isinstance(chosen, BoolLiteral):
                return folded(positive if chosen.value else negative)
            return Conditional(chosen, folded(positive), folded(negative))
    return found


def _literal(value: int | bool) -> Expression:
    return BoolLiteral(value) if isinstance(value, bool) else IntLiteral(value)
