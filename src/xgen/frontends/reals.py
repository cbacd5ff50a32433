"""Floating point numbers, as the bits that they are (IEEE 754). They are passed on and compared; computed with only
where they are known."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Unary

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


def computed(op: str, a: int, b: int, width: int) -> int | None:
    """The result of an operation; None: it is not computed here."""
    x, y = number_of(a, width), number_of(b, width)
    operations: dict[str, Callable[[], float]] = {
        "fadd": lambda: x + y,
        "fsub": lambda: x - y,
        "fmul": lambda: x * y,
        "fdiv": lambda: x / y,
    }
    if op not in operations or (op == "fdiv" and y == 0) or math.isnan(x) or math.isnan(y):
        return None
    result = operations[op]()
    return None if math.isnan(result) else bits_of(result, width)


ROUNDED: dict[str, Callable[[float], float]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
    "rint": round,
    "nearbyint": round,
    "roundeven": round,
    "round": lambda x: math.floor(abs(x)) + (abs(x) % 1 >= 0.5),
}
"""What makes whole numbers, to the even one where two are as near; but for `round`, which takes the larger one."""


def rounded(how: str, bits: int, width: int) -> int | None:
    """A number as a whole one; None: it is not computed here."""
    x = number_of(bits, width)
    if math.isnan(x):
        return None
    return bits if math.isinf(x) else bits_of(math.copysign(ROUNDED[how](x), x), width)


def converted(op: str, value: int, before: int, after: int) -> int | None:
    """A conversion of a number of so many bytes to one of others (of integers: bits); None: it is not done here."""
    if op in ("sitofp", "uitofp"):
        whole = value & (1 << before) - 1 if op == "uitofp" else value
        return bits_of(float(whole), after) if after == 8 or abs(whole) < 1 << 53 else None  # else rounded twice
    number = number_of(value, before)
    if math.isnan(number):
        return None
    if op in ("fpext", "fptrunc"):
        return bits_of(number, after)
    if math.isinf(number):
        return None
    whole = math.trunc(number)
    least, most = (0, (1 << after) - 1) if op == "fptoui" else (-(1 << (after - 1)), (1 << (after - 1)) - 1)
    if not least <= whole <= most:
        return None
    return whole - (1 << after) if op == "fptoui" and after > 1 and whole >> (after - 1) else whole


# ---- comparing: as whole numbers in the same order, of which both zeros are one


def comparison(op: str, a: Expression, b: Expression, width: int) -> Expression:
    """Whether two numbers are as `oeq`, `ult` and the like say: in order (`o`), or one of them is none (`u`)."""
    if op in ("true", "false"):
        return BoolLiteral(op == "true")
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


def _is_none(bits: Expression, width: int) -> Expression:
    """Whether it is no number (NaN): above infinity, whatever its sign is."""
    most, infinity = (1 << (8 * width - 1)) - 1, bits_of(math.inf, width)
    return Binary("<", IntLiteral(infinity), Binary("bitand", bits, IntLiteral(most)))


def _place(bits: Expression, width: int) -> Expression:
    least = IntLiteral(-(1 << (8 * width - 1)))
    return Conditional(Binary("<=", IntLiteral(0), bits), bits, Binary("-", least, bits))
