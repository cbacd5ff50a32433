"""Bits of numbers of up to 64: how many are set, and all below the highest one, by operations that there are.

Numbers are those from 0 on, of 64 bits in two's complement; `keep` puts one in a local of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xgen.program.automaton import Binary, BinaryOp, Expression, IntLiteral, Wrap

Keep: TypeAlias = Callable[[Expression], Expression]
_EACH_SECOND, _PAIRS, _FOURS, _EACH_BYTE = (
    IntLiteral(number) for number in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)


def ones(value: Expression, keep: Keep) -> Expression:
    """How many bits are set: those of pairs are added, then of pairs of these, then of all bytes."""
    if isinstance(value, IntLiteral):
        return IntLiteral((value.value & 2**64 - 1).bit_count())
    pairs = keep(_modulo("-", value, Binary("bitand", _behind(value, 1), _EACH_SECOND)))
    fours = keep(_modulo("+", Binary("bitand", pairs, _PAIRS), Binary("bitand", _behind(pairs, 2), _PAIRS)))
    bytes_ = Binary("bitand", _modulo("+", fours, _behind(fours, 4)), _FOURS)
    return _behind(_modulo("*", bytes_, _EACH_BYTE), 56)


def smeared(value: Expression, keep: Keep) -> Expression:
    """The number with all bits below its highest one."""
    if isinstance(value, IntLiteral):
        found = (1 << (value.value & 2**64 - 1).bit_length()) - 1
        return IntLiteral(found - 2**64 if found >> 63 else found)
    for distance in (1, 2, 4, 8, 16, 32):
        value = keep(Binary("bitor", value, _behind(value, distance)))
    return value


def below_lowest(value: Expression, keep: Keep) -> Expression:
    """All bits below the lowest one, of 0 all that there are: so many as zeros are behind it."""
    if isinstance(value, IntLiteral):
        return IntLiteral((value.value & -value.value) - 1)
    lowest = Binary("bitand", value, _modulo("-", IntLiteral(0), value))
    return keep(_modulo("-", lowest, IntLiteral(1)))


def _behind(value: Expression, distance: int) -> Expression:
    return Binary("shr", value, IntLiteral(distance))


def _modulo(op: BinaryOp, left: Expression, right: Expression) -> Expression:
    return Wrap(Binary(op, left, right), 64, True)
