"""Expressions for what instructions compute: values of so many bits, and the flags of comparisons.

Values are 64-bit integers in two's complement. A sum, difference or product directly inside a `Wrap` does not overflow,
so that only results need wrapping: the low bits of a result depend on the operands' low bits alone. Not so those of
shifts to the right, divisions and comparisons, whose operands are to be cut to their size before (`low`, `signed`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen.program import automaton as xcfa

MIN = xcfa.IntLiteral(-(2**63))


def number(value: int) -> xcfa.IntLiteral:
    """A constant; one from 2^63 on (up to 2^64) stands for the negative number with the same 64 bits."""
    value &= 2**64 - 1
    return xcfa.IntLiteral(value - 2**64 if value >= 2**63 else value)


ZERO = number(0)


def low(value: xcfa.Expression, bits: int) -> xcfa.Expression:
    """The lowest bits, as a number from 0 on (64 bits: as they are)."""
    if isinstance(value, xcfa.IntLiteral):
        return number(value.value & (2**bits - 1))
    value = _uncut(value, bits)
    return value if bits == 64 or _fits(value, bits) else xcfa.Wrap(value, bits, False, value.position)


def signed(value: xcfa.Expression, bits: int) -> xcfa.Expression:
    """The lowest bits, as a number in two's complement."""
    if isinstance(value, xcfa.IntLiteral):
        cut = value.value & (2**bits - 1)
        return number(cut - 2**bits if cut >> (bits - 1) else cut)
    value = _uncut(value, bits)
    return value if bits == 64 else xcfa.Wrap(value, bits, True, value.position)


def stored(value: xcfa.Expression, bits: int) -> xcfa.Expression:
    """What an access of so many bits writes: an `int` in two's complement, bytes and halfwords from 0 on.

    A location's cell always holds such a value, which what compares or updates it relies on.
    """
    return (low if bits < 32 else signed)(value, bits)


def _fits(value: xcfa.Expression, bits: int) -> bool:
    """Whether a value is certainly a number from 0 on of so many bits."""
    return isinstance(value, xcfa.Wrap) and not value.signed and value.bits <= bits


def _uncut(value: xcfa.Expression, bits: int) -> xcfa.Expression:
    """An expression with the same low bits: what is wrapped at more bits need not be."""
    return value.operand if isinstance(value, xcfa.Wrap) and bits < 64 and bits <= value.bits else value


def both(op: xcfa.BinaryOp, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
    """Two values combined; just one of them where the other is a 0 that changes nothing."""
    if isinstance(left, xcfa.IntLiteral) and isinstance(right, xcfa.IntLiteral) and op == "bitand":
        return number(left.value & right.value)
    if op in ("+", "bitor", "bitxor") and is_constant(left, 0):
        return right
    if op in ("+", "-", "bitor", "bitxor", "shl", "shr") and is_constant(right, 0):
        return left
    return xcfa.Binary(op, left, right)


def modulo(op: xcfa.BinaryOp, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
    """A sum, difference or product modulo 2^64."""
    value = both(op, left, right)
    return xcfa.Wrap(value, 64, True) if isinstance(value, xcfa.Binary) and value.op == op else value


def is_constant(value: xcfa.Expression, constant: int) -> bool:
    return isinstance(value, xcfa.IntLiteral) and value.value == constant


def equal(left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Binary:
    return xcfa.Binary("=", left, right)


def all_equal(pairs: Sequence[tuple[xcfa.Expression, xcfa.Expression]]) -> xcfa.Binary:
    """Whether the values of each pair are the same."""
    if len(pairs) == 1:
        return equal(*pairs[0])
    return equal(different(pairs), ZERO)


def different(pairs: Sequence[tuple[xcfa.Expression, xcfa.Expression]]) -> xcfa.Expression:
    """A value that is 0 where the values of each pair are the same."""
    result: xcfa.Expression = ZERO
    for left, right in pairs:
        result = both("bitor", result, xcfa.Binary("bitxor", left, right))
    return result


def less(left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Binary:
    """Of two numbers in two's complement."""
    return xcfa.Binary("<", left, right)


def below(left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Binary:
    """Of two 64-bit values as numbers from 0 on: these compare as those with the highest bit flipped do."""
    return xcfa.Binary("<", xcfa.Binary("bitxor", left, MIN), xcfa.Binary("bitxor", right, MIN))


def shift_right(value: xcfa.Expression, by: xcfa.Expression, bits: int, arithmetic: bool) -> xcfa.Expression:
    """The low bits of a value moved to the right by fewer than `bits`; `arithmetic`: copies of the sign come in."""
    if not arithmetic:
        return xcfa.Binary("shr", low(value, bits), by)
    # flip a negative number's bits, so that zeros come in, and flip them back; -(x < 0) is what to flip
    wide = signed(value, bits)
    sign = xcfa.Unary("-", xcfa.Binary("shr", wide, number(63)))
    return xcfa.Binary("bitxor", xcfa.Binary("shr", xcfa.Binary("bitxor", wide, sign), by), sign)


def rotate_right(value: xcfa.Expression, by: int, bits: int) -> xcfa.Expression:
    """The low bits of a value, rotated by a constant number of places."""
    by %= bits
    if by == 0:
        return low(value, bits)
    left = xcfa.Binary("shl", value, number(bits - by))
    return low(xcfa.Binary("bitor", xcfa.Binary("shr", low(value, bits), number(by)), left), bits)


def depending(value: xcfa.Expression, *on: xcfa.Expression) -> xcfa.Expression:
    """The same value, which also depends on what other expressions read."""
    for other in on:
        if not isinstance(other, xcfa.IntLiteral):
            value = xcfa.Binary("bitor", value, xcfa.Binary("bitxor", other, other))
    return value
