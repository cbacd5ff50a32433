"""Instructions on floating point numbers, which are the bits that they are.

They are computed where they are known, rounded to nearest as IEEE 754 has it; any are passed on and compared. What is
computed of unknown ones is nothing, which is refused where it decides something.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from xgen.frontends.ptx.numbers import Nothing, Number, Truth, computed, expression, signed
from xgen.frontends.reals import bits_of, comparison, converted, number_of

HINT = "what is asked of a protocol does not need them: `#define float int` behind the headers makes them whole numbers"
COMPARISONS = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "equ": "ueq", "neu": "une",
    "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord", "nan": "uno",
}  # fmt: skip
"""Comparisons, as `reals` calls them."""
_EXACT: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
    "mad": lambda a, b, c: a * b + c,
}
_CHOSEN: dict[str, Callable[[float, float], float]] = {"min": min, "max": max}


def computed_real(operation: str, bits: int, *operands: Number) -> Number:
    """What an operation gives of numbers of 32 or 64 bits."""
    known = list[int]()
    for operand in operands:
        if isinstance(operand, Nothing):
            return operand
        if not isinstance(operand, int):
            return _unknown(operation, bits)
        known.append(operand)
    found = _result(operation, bits, [number_of(each, bits // 8) for each in known])
    return _unknown(operation, bits) if found is None else bits_of(found, bits // 8)


def _unknown(operation: str, bits: int) -> Nothing:
    return Nothing("", f"`{operation}.f{bits}` of numbers that are not known is not supported", HINT)


def _result(operation: str, bits: int, values: list[float]) -> float | None:
    """None: it is not computed here; where no number comes out, or one whose sign no fraction has."""
    if not all(math.isfinite(value) for value in values):
        return None
    if operation in _CHOSEN:
        return None if values[0] == values[1] == 0 else _CHOSEN[operation](*values)
    if operation == "sqrt":
        return None if values[0] <= 0 else math.sqrt(values[0])
    if operation == "div" and values[1] == 0:
        return None
    exact = _EXACT[operation](*map(Fraction, values))
    if exact == 0:
        plus = all(math.copysign(1, value) > 0 for value in values) and operation != "sub"
        same = operation == "sub" and values[0] == values[1] and math.copysign(1, values[1]) > 0
        return 0.0 if plus or same else None
    return _rounded(exact, bits)


def _rounded(exact: Fraction, bits: int) -> float | None:
    """A number that becomes the nearest one of so many bits: of 32, its last bit is made odd, to be rounded once."""
    try:
        found = float(exact)
    except OverflowError:
        return None
    if bits == 32 and Fraction(found) != exact and not bits_of(found, 8) & 1:
        found = math.nextafter(found, math.inf if exact > Fraction(found) else -math.inf)
    return found


def negated_real(bits: int, value: Number) -> Number:
    return computed("xor", bits, value, signed(1 << (bits - 1), bits))


def absolute_real(bits: int, value: Number) -> Number:
    return computed("and", bits, value, (1 << (bits - 1)) - 1)


def compared_real(operation: str, bits: int, a: Number, b: Number) -> Truth:
    """Whether a comparison holds, of known numbers or of unknown ones."""
    if isinstance(a, Nothing):
        return a
    if isinstance(b, Nothing):
        return b
    how = COMPARISONS[operation]
    if not isinstance(a, int) or not isinstance(b, int):
        return comparison(how, expression(a), expression(b), bits // 8)
    x, y = number_of(a, bits // 8), number_of(b, bits // 8)
    none = math.isnan(x) or math.isnan(y)
    if how in ("ord", "uno"):
        return none == (how == "uno")
    if none:
        return how[0] == "u"
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[how[1:]]


def converted_real(kinds: tuple[str, str], sizes: tuple[int, int], value: Number) -> Number:
    """`cvt` to a kind (`f`, `s`, `u`) of so many bits from another one: to the nearest, to whole numbers towards 0."""
    if isinstance(value, Nothing):
        return value
    (after, before), (bits, width) = kinds, sizes
    found = None
    if isinstance(value, int):
        if before == "f":
            to = "f" if after == "f" else "fptoui" if after == "u" else "fptosi"
            op = ("fpext" if bits > width else "fptrunc") if to == "f" else to
            found = converted(op, value, width // 8, bits // 8 if to == "f" else bits)
        else:
            found = converted("uitofp" if before == "u" else "sitofp", value, width, bits // 8)
    name = f"cvt.{after}{bits}.{before}{width}"
    return Nothing("", f"`{name}` of a number that is not known is not supported", HINT) if found is None else found
