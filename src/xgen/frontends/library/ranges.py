"""Numbers that nobody knows: those of a type, and those of `--nondet` among them."""

from __future__ import annotations

from typing import TypeAlias

from xgen.program.automaton import Binary, Expression, IntLiteral, Name, Wrap

Bounds: TypeAlias = tuple[int, int]
"""The least number and the largest one."""


def numbers_of(bits: int, signed: bool) -> Bounds:
    """All numbers of a type."""
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def within(given: Bounds, all_: Bounds) -> Bounds | None:
    """Those of a range that a type has; None: it has none of them."""
    low, high = max(given[0], all_[0]), min(given[1], all_[1])
    return (low, high) if low <= high else None


def any_of(bounds: Bounds, bits: int, name: Name, has_sign: bool) -> tuple[Bounds, Expression, Expression | None]:
    """Of a number of so many bits, which is stored with a sign or without: of which range a local is any number, the
    stored number that it stands for, and what has to hold of it. Numbers of 64 bits always have a sign there."""
    low, high = bounds
    half = 1 << bits - 1
    if high < half or (bits < 64 and not has_sign):
        return bounds, name, None
    if bits < 64:
        return bounds, Wrap(name, bits, True), None
    if low >= half:
        return (low - 2 * half, high - 2 * half), name, None
    words = -half, half - 1
    if bounds == (0, 2 * half - 1):
        return words, name, None
    above = Binary("ule", IntLiteral(low), name)
    return words, name, Binary("and", above, Binary("ule", name, IntLiteral(high - 2 * half)))
