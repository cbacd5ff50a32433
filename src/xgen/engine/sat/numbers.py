"""Numbers as literals: two's complement, the lowest bit first, the last one is the sign and stands for all above it.

A number has as many bits as it needs, so that what is small stays small; 64 are those of the machine.
"""

from __future__ import annotations

from collections.abc import Callable

from xgen.engine.sat.gates import FALSE, TRUE, Gates, Literal

Bits = tuple[Literal, ...]
WORD = 64
"""Bits of a value of the machine."""


def trim(bits: Bits) -> Bits:
    """The same number without bits that repeat its sign."""
    count = len(bits)
    while count > 1 and bits[count - 1] == bits[count - 2]:
        count -= 1
    return bits[:count]


def constant(value: int) -> Bits:
    """A number that is known."""
    count = (value if value >= 0 else ~value).bit_length() + 1
    return tuple(TRUE if value >> k & 1 else FALSE for k in range(count))


def value_of(bits: Bits, holds: Callable[[Literal], bool] | None = None) -> int | None:
    """The number, where it is known, or where `holds` says what literals are."""
    if holds is None:
        if any(abs(bit) != TRUE for bit in bits):
            return None
        holds = TRUE.__eq__
    found = sum(1 << k for k, bit in enumerate(bits) if holds(bit))
    return found - (1 << len(bits)) if holds(bits[-1]) else found


def wide(bits: Bits, width: int) -> Bits:
    """So many bits of a number: the lowest, or more of its sign."""
    return bits[:width] if len(bits) >= width else bits + (bits[-1],) * (width - len(bits))


class Numbers(Gates):
    """Gates, and arithmetic of them."""

    def fresh(self, low: int, high: int) -> Bits:
        """A number of which the bits are free that numbers from low to high have; others may be among these."""
        width = max(len(constant(low)), len(constant(high)))
        bits = tuple(self.new() for _ in range(width - 1))
        return (*bits, FALSE if low >= 0 else self.new())

    def nonzero(self, a: Bits) -> Literal:
        return self.any(a)

    def truth(self, literal: Literal) -> Bits:
        """1 where it holds, else 0."""
        return trim((literal, FALSE))

    def equal(self, a: Bits, b: Bits) -> Literal:
        width = max(len(a), len(b))
        return self.all(-self.xor(x, y) for x, y in zip(wide(a, width), wide(b, width), strict=True))

    def less(self, a: Bits, b: Bits, or_equal: bool = False, unsigned: bool = False) -> Literal:
        """Whether a < b, or a <= b; `unsigned`: as words without a sign."""
        if unsigned and (a[-1] != FALSE or b[-1] != FALSE):
            a, b = self.unsigned(a), self.unsigned(b)
        width = max(len(a), len(b))
        a, b = wide(a, width), wide(b, width)
        found = TRUE if or_equal else FALSE
        for x, y in zip(a[:-1], b[:-1], strict=True):
            found = self.pick(self.xor(x, y), y, found)
        return self.pick(self.xor(a[-1], b[-1]), a[-1], found)

    def unsigned(self, a: Bits) -> Bits:
        """The number that a word is without a sign."""
        return a if a[-1] == FALSE else trim((*wide(a, WORD), FALSE))

    def add(self, a: Bits, b: Bits, carry: Literal = FALSE) -> Bits:
        width = max(len(a), len(b)) + 1
        found = []
        for x, y in zip(wide(a, width), wide(b, width), strict=True):
            differ = self.xor(x, y)
            found.append(self.xor(differ, carry))
            carry = self.pick(differ, carry, x)
        return trim(tuple(found))

    def negate(self, a: Bits) -> Bits:
        return self.add(self.invert(a), (FALSE,), TRUE)

    def invert(self, a: Bits) -> Bits:
        """Each bit the other way: -a - 1."""
        return tuple(-bit for bit in a)

    def subtract(self, a: Bits, b: Bits) -> Bits:
        return self.add(a, self.invert(b), TRUE)

    def multiply(self, a: Bits, b: Bits) -> Bits:
        if value_of(a) is not None:
            a, b = b, a
        width = len(a) + len(b)
        long, found = wide(a, width), constant(0)
        for k, bit in enumerate(b):
            if bit == FALSE:
                continue
            row = trim((FALSE,) * k + tuple(self.both(x, bit) for x in long[: width - k]))
            is_sign = k == len(b) - 1
            found = trim(wide(self.subtract(found, row) if is_sign else self.add(found, row), width))
        return found

    def wrap(self, a: Bits, bits: int) -> Bits:
        """The number that the low `bits` are, or -bits of them with a sign; 0: all of it."""
        if bits < 0:
            return trim(wide(a, -bits)) if len(a) > -bits else a
        if bits in (0, WORD):
            return self.wrap(a, -WORD)
        return trim((*wide(a, bits), FALSE))

    def choose(self, condition: Literal, a: Bits, b: Bits) -> Bits:
        """a where the condition holds, else b."""
        if condition in (TRUE, FALSE):
            return a if condition == TRUE else b
        width = max(len(a), len(b))
        return trim(tuple(self.pick(condition, x, y) for x, y in zip(wide(a, width), wide(b, width), strict=True)))

    def bitwise(self, gate: Callable[[Literal, Literal], Literal], a: Bits, b: Bits) -> Bits:
        width = max(len(a), len(b))
        return trim(tuple(gate(x, y) for x, y in zip(wide(a, width), wide(b, width), strict=True)))

    def shift(self, a: Bits, distance: Bits, left: bool, filled: Literal = FALSE) -> Bits:
        """A word by 0 to 63 bits; `filled`: what comes from the left where it goes right."""
        known = value_of(distance)
        stages = [(1 << k, bit) for k, bit in enumerate(wide(distance, 6))]
        if known is not None:
            stages = [(known, TRUE)] if known else []
        word = wide(a, WORD)
        for by, on in stages:
            moved = (FALSE,) * by + word[: WORD - by] if left else word[by:] + (filled,) * by
            word = tuple(self.pick(on, x, y) for x, y in zip(moved, word, strict=True))
        return trim(word)

    def divide(self, a: Bits, b: Bits, truncated: bool) -> tuple[Bits, Bits]:
        """The quotient and the remainder: truncated, the remainder has the sign of a; else it is 0 or more. Where b is
        0, they may be anything."""
        x, y = value_of(a), value_of(b)
        if x is not None and y is not None:
            quotient_, rest_ = _divided(x, y, truncated) if y else (0, 0)
            return constant(quotient_), constant(rest_)
        if y is not None and y > 0 and y & (y - 1) == 0:
            return self._by_power(a, y.bit_length() - 1, truncated)
        width = max(len(a), len(b)) + 1
        quotient, rest = (tuple(self.new() for _ in range(width)) for _ in range(2))
        magnitude = self.choose(b[-1], self.negate(b), b)
        exact = self.equal(self.add(self.multiply(b, quotient), rest), a)
        if truncated:
            size = self.choose(rest[-1], self.negate(rest), rest)
            fine = self.either(-self.nonzero(rest), -self.xor(rest[-1], a[-1]))
            fine = self.all((exact, self.less(size, magnitude), fine))
        else:
            fine = self.all((exact, -rest[-1], self.less(rest, magnitude)))
        self.clause(-self.nonzero(b), fine)
        return quotient, rest

    def _by_power(self, a: Bits, power: int, truncated: bool) -> tuple[Bits, Bits]:
        """By 2^power."""
        low = trim((*wide(a, power), FALSE)) if power else constant(0)
        if not truncated:
            return (a[power:] if len(a) > power else (a[-1],)), low
        down = self.both(a[-1], self.nonzero(low))
        up = self.choose(a[-1], self.add(a, constant((1 << power) - 1)), a)
        rest = self.choose(down, self.subtract(low, constant(1 << power)), low)
        return (up[power:] if len(up) > power else (up[-1],)), rest


def _divided(a: int, b: int, truncated: bool) -> tuple[int, int]:
    quotient = a // b if b > 0 else -(a // -b)
    if truncated:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b
