"""Floating point numbers, as the bits that they are (IEEE 754): `float` with its sign, and `double`."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import cast

from xgen._core import real
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Unary, Wrap
from xgen.program.expressions import REALS, Real, RealOfOne

_FORMATS = {4: "<f", 8: "<d"}
WIDTHS = tuple(_FORMATS)
"""Bytes of those that are known."""


def bits_of(number: float, width: int) -> int:
    """The bits of a number, with their sign."""
    try:
        data = struct.pack(_FORMATS[width], number)
    except OverflowError:
        data = struct.pack(_FORMATS[width], math.copysign(math.inf, number))
    return int.from_bytes(data, "little", signed=True)


def number_of(bits: int, width: int) -> float:
    data = (bits & (1 << 8 * width) - 1).to_bytes(width, "little")
    return float(struct.unpack(_FORMATS[width], data)[0])


def literal(text: str, width: int) -> int:
    """The bits of a number as IR writes it: in decimal, or as those of a number of 64 bits."""
    number = number_of(int(text, 16), 8) if text.startswith("0x") else float(text)
    return bits_of(number, width)


# ---- computing: at once where the numbers are known


def operation(op: Real, a: Expression, b: Expression) -> Expression:
    """What an operator gives of two numbers."""
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        return IntLiteral(real(REALS[op], a.value, b.value))
    return Binary(op, a, b)


def operation_on_one(op: RealOfOne, a: Expression) -> Expression:
    return IntLiteral(real(REALS[op], a.value, 0)) if isinstance(a, IntLiteral) else Unary(op, a)


def arithmetic(op: str, a: Expression, b: Expression, width: int) -> Expression:
    """`fadd`, `fsub`, `fmul`, `fdiv` or `frem` of numbers of so many bytes."""
    return operation(cast(Real, f"{op}{8 * width}"), a, b)


OF_ONE = {
    "ceil": "ceil",
    "floor": "floor",
    "trunc": "trunc",
    "rint": "rint",
    "nearbyint": "rint",
    "roundeven": "rint",
    "round": "round",
    "sqrt": "sqrt",
}
"""Functions of math.h and LLVM's, and what they compute."""
EXTREMES = {
    **dict.fromkeys(("fmin", "minnum", "minimumnum"), "olt"),
    **dict.fromkeys(("fmax", "maxnum", "maximumnum"), "ogt"),
}
FUNCTIONS = (*OF_ONE, "fabs", *EXTREMES, "fmod", "copysign", "fmuladd")
"""Those of math.h and LLVM's that give a number of their own type."""


def function(name: str, numbers: Sequence[Expression], width: int) -> Expression:
    """What one of FUNCTIONS gives of numbers of so many bytes."""
    first = numbers[0]
    if name == "fabs":
        return absolute(first, width)
    if name in OF_ONE:
        return operation_on_one(cast(RealOfOne, f"f{OF_ONE[name]}{8 * width}"), first)
    if name == "fmod":
        return arithmetic("frem", first, numbers[1], width)
    if name == "copysign":
        return _with_sign(first, numbers[1], width)
    if name == "fmuladd":  # rounded twice, as by machines that have no instruction for both
        return arithmetic("fadd", arithmetic("fmul", first, numbers[1], width), numbers[2], width)
    return _extreme(EXTREMES[name], first, numbers[1], width)


TO_LONG = {"lround": "round", "llround": "round", "lrint": "rint", "llrint": "rint"}
"""Functions that give a whole number of 64 bits, and what they round by."""
OF_MATH_H = {
    **dict.fromkeys(("fabs", "sqrt", "ceil", "floor", "trunc", "round", "rint", "nearbyint"), 1),
    **dict.fromkeys(("fmin", "fmax", "fmod", "copysign"), 2),
}
"""The names in C of the first ones, and how many numbers they take."""
CLASSES = {"isnan": "uno", "isinf": "oeq", "isfinite": "olt"}
"""What C calls kinds of numbers, and how their sizes compare with infinity."""


def to_long(name: str, number: Expression, width: int) -> Expression:
    """What one of TO_LONG gives."""
    return whole(function(TO_LONG[name], (number,), width), width, 64, signed=True)


def absolute(a: Expression, width: int) -> Expression:
    mask = (1 << (8 * width - 1)) - 1
    return IntLiteral(a.value & mask) if isinstance(a, IntLiteral) else Binary("bitand", a, IntLiteral(mask))


def _with_sign(a: Expression, b: Expression, width: int) -> Expression:
    """The first number with the sign of the second."""
    least = -(1 << (8 * width - 1))
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        return IntLiteral(a.value & ~least | b.value & least)
    return Binary("bitor", absolute(a, width), Binary("bitand", b, IntLiteral(least)))


def _extreme(test: str, a: Expression, b: Expression, width: int) -> Expression:
    """The first of two numbers if the test holds, else the second; where one is none, the other."""
    found = comparison(test, a, b, width), comparison("uno", b, b, width)
    if isinstance(found[0], BoolLiteral) and isinstance(found[1], BoolLiteral):
        return a if found[0].value or found[1].value else b
    return Conditional(Binary("or", *found), a, b)


def is_of_class(a: Expression, mask: int, width: int) -> Expression:
    """Whether a number is of one of the classes that the bits of a mask stand for, as LLVM's `is.fpclass` has them."""
    infinity = bits_of(math.inf, width)
    most, normal, quiet = (1 << (8 * width - 1)) - 1, infinity & -infinity, (infinity & -infinity) >> 1
    # Where zeros, numbers below normal ones, normal ones, infinity, and the two kinds of NaN begin, without a sign.
    ends = (0, 1, normal, infinity, infinity + 1, infinity | quiet, most + 1)
    size = absolute(a, width)
    found: Expression = BoolLiteral(False)
    for first, last, minus, plus in zip(ends, ends[1:], (5, 4, 3, 2, 0, 1), (6, 7, 8, 9, 0, 1), strict=False):
        signs = [bit for bit, place in ((True, minus), (False, plus)) if mask >> place & 1]
        if signs:
            inside = Binary("and", Binary("<=", IntLiteral(first), size), Binary("<=", size, IntLiteral(last - 1)))
            if len(signs) == 1:
                sign: Expression = Binary("<", a, IntLiteral(0))
                inside = Binary("and", inside, sign if signs[0] else Unary("not", sign))
            found = Binary("or", found, inside)
    return found


def resized(a: Expression, before: int, after: int) -> Expression:
    """A number of so many bytes as one of others."""
    return a if before == after else operation_on_one("fwiden" if before < after else "fnarrow", a)


def of_whole(a: Expression, bits: int, signed: bool, width: int) -> Expression:
    """A whole number of so many bits, in two's complement, as a number of `width` bytes."""
    if signed or bits < 64:
        value = a if signed else _low(a, bits)
        return operation_on_one("int_to_f32" if width == 4 else "int_to_f64", value)
    return operation_on_one("unsigned_to_f32" if width == 4 else "unsigned_to_f64", a)


def whole(a: Expression, width: int, bits: int, signed: bool) -> Expression:
    """A number as a whole one of so many bits, towards 0; an overflow where it does not fit, or is none. Without a sign
    it is that of 64 bits in two's complement, or as it is where it has fewer."""
    if bits == 64:
        return _whole64(a, width, signed)
    nearest, middle = _nearest(a, width, True), 0 if signed else 1 << (bits - 1)
    if isinstance(nearest, IntLiteral) and -(1 << (bits - 1)) <= nearest.value - middle < 1 << (bits - 1):
        return nearest
    from_middle = Binary("-", nearest, IntLiteral(middle)) if middle else nearest
    high = Binary("*", from_middle, IntLiteral(1 << (64 - bits)))
    inside = Binary("sar", high, IntLiteral(64 - bits))
    return Binary("+", inside, IntLiteral(middle)) if middle else inside


def _whole64(a: Expression, width: int, signed: bool) -> Expression:
    least, beyond = (-(2.0**63), 2.0**63) if signed else (-1.0, 2.0**64)
    fits = Binary(
        "and",
        comparison("oge" if signed else "ogt", a, IntLiteral(bits_of(least, width)), width),
        comparison("olt", a, IntLiteral(bits_of(beyond, width)), width),
    )
    nearest = _nearest(a, width, signed)
    if isinstance(a, IntLiteral):
        number = number_of(a.value, width)
        if (least <= number if signed else least < number) and number < beyond:
            return nearest
    # A product that overflows is an error, but decides not which way the thread goes.
    overflow = Binary("*", Conditional(fits, IntLiteral(0), IntLiteral(1 << 62)), IntLiteral(4))
    return Binary("bitor", nearest, overflow)


def nearest_whole(a: Expression, width: int, bits: int, signed: bool) -> Expression:
    """A number as a whole one of so many bits, towards 0; the nearest one where it does not fit, 0 where it is none."""
    nearest = _nearest(a, width, signed)
    most = (1 << (bits - signed)) - 1
    least = -most - 1 if signed else 0
    if isinstance(a, IntLiteral):
        number = number_of(a.value, width)
        fitting = 0 if math.isnan(number) else int(min(max(number, least), most))
        return IntLiteral(fitting - (1 << 64) if fitting >> 63 > 0 else fitting)
    if bits < 64:
        above, below = Binary("<", IntLiteral(most), nearest), Binary("<", nearest, IntLiteral(least))
        if not signed:
            above = Binary("ult", IntLiteral(most), nearest)
        nearest = Conditional(above, IntLiteral(most), nearest)
        nearest = Conditional(below, IntLiteral(least), nearest) if signed else nearest
    return Conditional(comparison("uno", a, a, width), IntLiteral(0), nearest)


def _nearest(a: Expression, width: int, signed: bool) -> Expression:
    op = f"f{8 * width}_to_{'int' if signed else 'unsigned'}"
    return operation_on_one(cast(RealOfOne, op), a)


def _low(a: Expression, bits: int) -> Expression:
    return IntLiteral(a.value & (1 << bits) - 1) if isinstance(a, IntLiteral) else Wrap(a, bits, False)


# ---- comparing: as whole numbers in the same order, of which both zeros are one


def comparison(op: str, a: Expression, b: Expression, width: int) -> Expression:
    """Whether two numbers are as `oeq`, `ult` and the like say: in order (`o`), or one of them is none (`u`)."""
    if op in ("true", "false"):
        return BoolLiteral(op == "true")
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        return BoolLiteral(_holds(op, number_of(a.value, width), number_of(b.value, width)))
    one_is_none = Binary("or", _is_none(a, width), _is_none(b, width))
    if op in ("uno", "ord"):
        return one_is_none if op == "uno" else Unary("not", one_is_none)
    left, right = _place(a, width), _place(b, width)
    tests: dict[str, Expression] = {
        "eq": Binary("=", left, right),
        "ne": Binary("/=", left, right),
        "lt": Binary("<", left, right),
        "le": Binary("<=", left, right),
        "gt": Binary(">", left, right),
        "ge": Binary(">=", left, right),
    }
    test = tests[op[1:]]
    return Binary("or", one_is_none, test) if op[0] == "u" else Binary("and", Unary("not", one_is_none), test)


def _holds(op: str, x: float, y: float) -> bool:
    none = math.isnan(x) or math.isnan(y)
    if op in ("uno", "ord"):
        return none is (op == "uno")
    if none:
        return op[0] == "u"
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[op[1:]]


def _is_none(bits: Expression, width: int) -> Expression:
    """Whether it is no number (NaN): above infinity, whatever its sign is."""
    most, infinity = (1 << (8 * width - 1)) - 1, bits_of(math.inf, width)
    return Binary("<", IntLiteral(infinity), Binary("bitand", bits, IntLiteral(most)))


def _place(bits: Expression, width: int) -> Expression:
    least = IntLiteral(-(1 << (8 * width - 1)))
    return Conditional(Binary("<=", IntLiteral(0), bits), bits, Binary("-", least, bits))
