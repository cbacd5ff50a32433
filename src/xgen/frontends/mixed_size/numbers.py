"""Numbers that are accessed in parts: the number that some parts are, and what a part has of a number."""

from __future__ import annotations

from collections.abc import Iterable

from xgen.program.automaton import (
    UPDATE_OPERATORS,
    Binary,
    BinaryOp,
    Conditional,
    Expression,
    IntLiteral,
    Unary,
    Wrap,
)

_EXTREMES: dict[str, tuple[BinaryOp, bool, bool]] = {
    "fetch_min": ("<", True, True),
    "fetch_max": ("<", True, False),
    "fetch_umin": ("ult", False, True),
    "fetch_umax": ("ult", False, False),
}
"""How numbers compare, whether they have a sign, and whether the lower one is written."""


def joined(parts: Iterable[tuple[Expression, int]]) -> Expression:
    """The number whose parts are these, each the low ones of so many bits, the lowest part first.

    Only as many bits of it count as all parts have together.
    """
    values = list(parts)
    constant, start = 0, 0
    result: Expression | None = None
    for n, (value, bits) in enumerate(values, 1):
        if isinstance(value, IntLiteral):
            constant |= (value.value & (1 << bits) - 1) << start
        else:
            part = value if n == len(values) else Wrap(value, bits, False)
            part = Binary("shl", part, IntLiteral(start)) if start else part
            result = part if result is None else Binary("bitor", result, part)
        start += bits
    if result is None:
        return IntLiteral(in_bits(constant, 64, True))
    return Binary("bitor", result, IntLiteral(in_bits(constant, 64, True))) if constant else result


def share(value: Expression, start: int, bits: int, signed: bool) -> Expression:
    """So many bits of a number, from one on."""
    if isinstance(value, IntLiteral):
        return IntLiteral(in_bits((value.value & 2**64 - 1) >> start, bits, signed or bits == 64))
    shifted = Binary("shr", value, IntLiteral(start)) if start else value
    return shifted if bits == 64 else Wrap(shifted, bits, signed)


def updated(op: str, old: Expression, value: Expression, bits: int) -> Expression | None:
    """What an update of a number of so many bits writes, of which only these count; None: it has several parts
    nowhere."""
    if op == "exchange":
        return value
    if op == "fetch_andnot":
        return Binary("bitand", old, Unary("bitnot", value))
    if op in UPDATE_OPERATORS:
        return Wrap(Binary(UPDATE_OPERATORS[op], old, value), bits, True)
    if op not in _EXTREMES:
        return None
    below, sign, lower = _EXTREMES[op]
    less = Binary(below, share(old, 0, bits, sign), share(value, 0, bits, sign))
    return Conditional(less, old, value) if lower else Conditional(less, value, old)


def in_bits(value: int, bits: int, signed: bool) -> int:
    """What the low bits of a number are; `signed`: in two's complement."""
    low = value & (1 << bits) - 1
    return low - (1 << bits) if signed and low >> bits - 1 else low
