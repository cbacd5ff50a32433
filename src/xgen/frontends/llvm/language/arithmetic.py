"""Numbers: computed at once where they are known, else put into locals. They have their sign; bools are 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import cast

from xgen.frontends.llvm.language.wholes import Wholes
from xgen.frontends.llvm.objects import FUNCTIONS, OBJECTS, may_be_address
from xgen.frontends.llvm.values import (
    Either,
    Masked,
    Moved,
    Register,
    Uninitialised,
    Value,
    condition,
    expression,
    masked,
    signed,
    uninitialised,
    unsigned,
)
from xgen.program.automaton import Binary, BinaryOp, Conditional, Expression, IntLiteral, Unary, Wrap

ONE, ZERO = IntLiteral(1), IntLiteral(0)
_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "and": "bitand", "or": "bitor", "xor": "bitxor"}
_PACKING = ("shl", "lshr", "ashr", "xor")
"""What addresses go through that are packed with something else: they are addresses again when they are unpacked."""
OF_SHIFTS, OF_SIGNS = ("shl", "lshr", "ashr"), ("sdiv", "srem")
_COMPARED: dict[str, tuple[str, bool]] = {
    "eq": ("=", False),
    "ne": ("/=", False),
    "slt": ("<", False),
    "sgt": (">", False),
    "sle": ("<=", False),
    "sge": (">=", False),
    "ult": ("ult", False),
    "ule": ("ule", False),
    "ugt": ("ult", True),
    "uge": ("ule", True),
}
"""The operator of each comparison, and whether its sides change places."""


def known(op: str, a: int, b: int, bits: int) -> int:
    """The result of an operation; the divisor is not 0."""
    u, v = unsigned(a, bits), unsigned(b, bits)
    shift = v & _shifts(bits)
    results: dict[str, Callable[[], int]] = {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "and": lambda: a & b,
        "or": lambda: a | b,
        "xor": lambda: a ^ b,
        "shl": lambda: a << shift,
        "lshr": lambda: u >> shift,
        "ashr": lambda: a >> shift,
        "udiv": lambda: u // v,
        "urem": lambda: u % v,
        "sdiv": lambda: _quotient(a, b),
        "srem": lambda: a - b * _quotient(a, b),
    }
    return signed(results[op](), bits)


def _shifts(bits: int) -> int:
    """The bits that may be in the number of bits to shift by; a shift by more than there are has no meaning."""
    return (1 << (bits - 1).bit_length()) - 1


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def compared(op: str, a: int, b: int) -> bool:
    u, v = unsigned(a, 64), unsigned(b, 64)
    results = {
        "eq": a == b,
        "ne": a != b,
        "slt": a < b,
        "sgt": a > b,
        "sle": a <= b,
        "sge": a >= b,
        "ult": u < v,
        "ule": u <= v,
        "ugt": u > v,
        "uge": u >= v,
    }
    return results[op]


class Arithmetic(Wholes):
    """Operations on values."""

    def truth(self, test: Expression, hint: str = "") -> Value:
        """A condition as a number."""
        found = self.keep(Register(Conditional(test, ONE, ZERO), Either(), 1), hint)
        assert isinstance(found, Register)
        found.condition = test
        return found

    def compare(self, op: str, a: Value, b: Value, hint: str = "") -> Value:
        if isinstance(a, int) and isinstance(b, int):
            return int(compared(op, a, b))
        if isinstance(a, Uninitialised) or isinstance(b, Uninitialised):
            return self.compare(op, self.used(a), self.used(b), hint)
        sign, swapped = _COMPARED[op]
        if isinstance(a, Register) and a.condition is not None and b == 0 and op in ("eq", "ne"):
            return self.truth(a.condition if op == "ne" else Unary("not", a.condition), hint)
        left, right = expression(a), expression(b)
        pair = (right, left) if swapped else (left, right)
        return self.truth(Binary(cast(BinaryOp, sign), *pair), hint)

    def select(self, test: Value, a: Value, b: Value, hint: str = "") -> Value:
        test = self.used(test)
        if isinstance(test, int):
            return a if test else b
        if isinstance(a, tuple):
            assert isinstance(b, tuple)
            return tuple(self.select(test, x, y, hint) for x, y in zip(a, b, strict=True))
        if isinstance(a, Uninitialised) or isinstance(b, Uninitialised):
            (x, p), (y, q) = masked(a), masked(b)
            return uninitialised(self.select(test, x, y, hint), self.select(test, p, q))
        if isinstance(a, int) and a == b:
            return a
        bits = max(each.bits if isinstance(each, Register) else 1 for each in (a, b))
        chosen = Conditional(condition(test), expression(a), expression(b))
        return self.keep(Register(chosen, Either([a, b]), bits), hint)

    def compute(self, op: str, a: Value, b: Value, bits: int, hint: str = "") -> Value:
        """An operation on numbers of so many bits; what overflows is wrapped."""
        if isinstance(a, Uninitialised) or isinstance(b, Uninitialised):
            return self._hollow(op, a, b, bits, hint)
        if op in ("udiv", "sdiv", "urem", "srem"):
            if b == 0:
                self.fail("division-by-zero")
            elif not isinstance(b, int):
                self.check(Binary("/=", expression(b), ZERO), "division-by-zero")
        if isinstance(a, int) and isinstance(b, int):
            if bits == 64 and op in _PACKING:
                self.packed(a, b)
            return known(op, a, b, bits)
        if b == 0 and op in ("add", "sub", "or", "xor", "shl", "lshr", "ashr"):
            return a
        if a == 0 and op in ("add", "or", "xor"):
            return b
        if bits == 1 and op in ("and", "or", "xor", "add", "sub"):
            return self._bools(op, a, b, hint)
        if op == "sub" and bits == 64 and (distance := apart_from(a, b)) is not None:
            return distance
        found = Register(self._expression(op, expression(a), expression(b), bits), Either(), bits)
        if bits == 64:
            found.origin = self._moved(op, a, b)
        found.most = _most(op, a, b)
        return self.keep(found, hint)

    def defined(self, op: str, a: Value, b: Value, bits: int) -> tuple[Value, Value]:
        """The operands of an instruction of the program that has a result for some numbers only."""
        b = self.used(b)
        if op in OF_SHIFTS:
            self.check(Binary("ult", expression(b), IntLiteral(bits)), "shift")
        elif b == -1 or isinstance(b, Register):
            a = self.used(a)
            least, minus_one = IntLiteral(signed(1 << (bits - 1), bits)), IntLiteral(-1)
            over = Binary("and", Binary("=", expression(a), least), Binary("=", expression(b), minus_one))
            self.check(Unary("not", over), "overflow")
        return a, b

    def _hollow(self, op: str, a: Value, b: Value, bits: int, hint: str) -> Value:
        """Bits that are moved, or put together, may have no value: what is a part of a number is computed so."""
        if op in ("shl", "lshr", "ashr"):
            b = self.used(b)
            found = (self.compute(op, each, b, bits) for each in masked(a))
            return uninitialised(*found)
        if op not in ("and", "or", "xor"):
            return self.compute(op, self.used(a), self.used(b), bits, hint)
        (x, p), (y, q) = masked(a), masked(b)
        if op == "xor":
            return uninitialised(self.compute(op, x, y, bits, hint), self._bits("or", p, q, bits))
        one, other = (each if op == "and" else self._bits("xor", each, signed(-1, bits), bits) for each in (x, y))
        single_threaded = self._bits("or", self._bits("and", one, q, bits), self._bits("and", p, other, bits), bits)
        missing = self._bits("or", self._bits("and", p, q, bits), single_threaded, bits)
        return uninitialised(self.compute(op, x, y, bits, hint), missing)

    def _bits(self, op: str, a: Value, b: Value, bits: int) -> Value:
        """An operation on masks, most of which are known."""
        everything = signed(-1, bits)
        for one, other in ((a, b), (b, a)):
            if op == "and" and one in (0, everything):
                return other if one else 0
            if op == "or" and one in (0, everything):
                return one or other
        return self.compute(op, a, b, bits)

    def packed(self, *numbers: int) -> None:
        """An address may be hidden in what is computed: what it is of can be reached from then on."""
        for address in map(self.world.points.untagged, numbers):
            found = self.world.memory.at(address) if address >= OBJECTS else None
            if found is not None:
                self.world.points.note_escape(found, address)

    def _bools(self, op: str, a: Value, b: Value, hint: str) -> Value:
        if op in ("xor", "add", "sub"):
            if isinstance(b, int):
                return self.truth(Unary("not", condition(a)), hint)
            return self.truth(Unary("not", Binary("iff", condition(a), condition(b))), hint)
        if isinstance(b, int):
            return a if (op == "and") == bool(b) else b
        return self.truth(Binary("and" if op == "and" else "or", condition(a), condition(b)), hint)

    @staticmethod
    def _expression(op: str, a: Expression, b: Expression, bits: int) -> Expression:
        shift: Expression = Binary("bitand", b, IntLiteral(_shifts(bits)))
        if isinstance(b, IntLiteral):
            shift = IntLiteral(b.value & _shifts(bits))

        def positive(number: Expression) -> Expression:
            return number if bits == 64 else Wrap(number, bits, False)

        match op:
            case "and" | "or" | "xor":
                return Binary(cast(BinaryOp, _OPERATORS[op]), a, b)
            case "add" | "sub" | "mul":
                return Wrap(Binary(cast(BinaryOp, _OPERATORS[op]), a, b), bits, True)
            case "shl":
                return Wrap(Binary("shl", a, shift), bits, True)
            case "lshr":
                return Wrap(Binary("shr", positive(a), shift), bits, True)
            case "ashr":
                return Binary("sar", a, shift)
            case "udiv" | "urem":
                return Wrap(Binary("udiv" if op == "udiv" else "urem", positive(a), positive(b)), bits, True)
        return Wrap(Binary("quot" if op == "sdiv" else "trem", a, b), bits, True)

    @staticmethod
    def _moved(op: str, a: Value, b: Value) -> Moved | Masked | Either | None:
        """Where an address goes that is computed with; None: that is not known."""
        if op == "and" and (isinstance(a, int) or isinstance(b, int)):
            mask, base = (a, b) if isinstance(a, int) else (b, a)
            assert isinstance(mask, int)
            return Masked(base, mask) if may_be_address(base) and not 0 <= mask < FUNCTIONS else Either()
        if op in ("and", "or"):
            return Either([each for each in (a, b) if isinstance(each, int) or may_be_address(each)])
        if op == "add" and isinstance(a, int):
            a, b = b, a
        if op in ("add", "sub") and isinstance(b, int) and may_be_address(a):
            return Moved(a, b if op == "add" else -b)
        if op == "add":
            return Either([_anywhere(each) for each in (a, b) if may_be_address(each)])
        if op == "sub":
            return Either([_anywhere(a)] if may_be_address(a) and not may_be_address(b) else [])
        return None if op in _PACKING and (may_be_address(a) or may_be_address(b)) else Either()

    def real(self, found: Expression, width: int, hint: str = "") -> Value:
        """A floating point number of so many bytes, which is no address."""
        return found.value if isinstance(found, IntLiteral) else self.keep(Register(found, Either(), 8 * width), hint)

    def whole(self, found: Expression, bits: int, hint: str = "") -> Value:
        """A whole number that a floating point one becomes."""
        if isinstance(found, IntLiteral):
            return signed(found.value, bits)
        return self.keep(Register(Wrap(found, bits, bits > 1), Either(), bits), hint)

    def overflowing(self, kind: str, op: str, bits: int, a: Value, b: Value) -> tuple[Value, Value]:
        """`llvm.*.with.overflow`: the result, and whether it is not what the numbers give."""
        a, b = self.used(a), self.used(b)
        if isinstance(a, int) and isinstance(b, int):
            u, v = (unsigned(a, bits), unsigned(b, bits)) if kind == "u" else (a, b)
            exact = {"add": u + v, "sub": u - v, "mul": u * v}[op]
            result = signed(exact, bits)
            return result, int((unsigned(result, bits) if kind == "u" else result) != exact)
        found = self.compute(op, a, b, bits)
        if bits == 64:
            if kind == "u" and op in ("add", "sub"):
                return found, self.compare("ult", *((found, a) if op == "add" else (a, b)))
            if kind == "s" and op in ("add", "sub"):
                return found, self._signed_overflow(op, a, b, found)
            return found, self._product_overflow(kind, a, b, found)

        def exact_of(value: Value) -> Expression:
            return Wrap(expression(value), bits, False) if kind == "u" else expression(value)

        whole = Binary(cast(BinaryOp, _OPERATORS[op]), exact_of(a), exact_of(b))
        return found, self.truth(Binary("/=", exact_of(found), whole))

    def _signed_overflow(self, op: str, a: Value, b: Value, result: Value) -> Value:
        """Both signs other than the result's (of a difference: the second one's turned round)."""
        left = self.compute("xor", a, result, 64)
        right = self.compute("xor", b, result if op == "add" else a, 64)
        return self.compare("slt", self.compute("and", left, right, 64), 0)

    def _product_overflow(self, kind: str, a: Value, b: Value, product: Value) -> Value:
        """Of 64 bits: the other number is outside of what can be multiplied by a known one; or dividing does not give
        it back."""
        times, other = (a, b) if isinstance(a, int) else (b, a)
        assert isinstance(times, int | Register)
        if isinstance(times, Register):
            unknown = self.compare("eq", times, 0)
            if kind == "s":  # nothing can be divided by -1 that the product may be
                unknown = self.compute("or", unknown, self.compare("eq", times, -1), 1)
            least = self.compute("and", self.compare("eq", times, -1), self.compare("eq", other, -1 << 63), 1)
            back = self.compute(f"{kind}div", product, self.select(unknown, 1, times), 64)
            differs = self.select(unknown, 0, self.compare("ne", back, other))
            return self.compute("or", differs, least, 1) if kind == "s" else differs
        if times == 0:
            return 0
        if kind == "u":
            return self.compare("ugt", other, signed(((1 << 64) - 1) // unsigned(times, 64), 64))
        ends = (-1 << 63, (1 << 63) - 1)
        first, last = sorted(Fraction(end, times) for end in ends)
        below = self.compare("slt", other, ceil(first)) if first > ends[0] else 0
        above = self.compare("sgt", other, floor(last)) if last < ends[1] else 0
        return self.compute("or", below, above, 1)


def _most(op: str, a: Value, b: Value) -> int | None:
    """The largest number that comes of an operation, if none is negative."""
    left, right = (each.most if isinstance(each, Register) else each for each in (a, b))
    assert not isinstance(left, Uninitialised | tuple)
    assert not isinstance(right, Uninitialised | tuple)
    if op == "and" and (left is not None or right is not None):
        return min((each for each in (left, right) if each is not None and each >= 0), default=None)
    if op == "urem" and right is not None and right > 0 and isinstance(b, int):
        return right - 1
    if left is None or right is None or left < 0 or right < 0:
        return None
    if op in ("or", "xor"):
        return (1 << max(left.bit_length(), right.bit_length())) - 1
    if op in ("udiv", "lshr"):
        return left
    return None


def _anywhere(value: Value) -> Value:
    """A value, and any number of bytes behind it."""
    return Register(expression(value), Moved(value, 0, (1,)))


def apart_from(one: Value, other: Value) -> int | None:
    """How far a value is behind another one, if both are made of the same register by adding numbers that are known:
    where one of them is used, no round of a loop has given that register another number since."""
    (base, offset), (from_, other_offset) = _based(one), _based(other)
    return signed(offset - other_offset, 64) if base is from_ and isinstance(base, Register) else None


def _based(value: Value) -> tuple[Value, int]:
    offset = 0
    while isinstance(value, Register) and isinstance(value.origin, Moved):
        if value.origin.strides or value.origin.steps:
            break
        offset, value = offset + value.origin.offset, value.origin.base
    return value, offset
