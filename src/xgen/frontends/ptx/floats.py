"""Instructions on floating point numbers, which are the bits that they are.

They are rounded to nearest as IEEE 754 has it. A fused product and sum of 64 bits of numbers that are not known is
nothing, which is refused where it decides something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from xgen.frontends import reals
from xgen.frontends.ptx.numbers import Nothing, Number, Truth, computed, expression, signed
from xgen.frontends.reals import bits_of, comparison, number_of
from xgen.program.automaton import Binary, BinaryOp, BoolLiteral, Conditional, Expression, IntLiteral, Wrap

HINT = "what is asked of a protocol does not need them: `#define float int` behind the headers makes them whole numbers"
COMPARISONS = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "equ": "ueq", "neu": "une",
    "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord", "nan": "uno",
}  # fmt: skip
"""Comparisons, as `reals` calls them."""


def computed_real(operation: str, bits: int, *operands: Number) -> Number:
    """What an operation gives of numbers of 32 or 64 bits."""
    numbers = list[Expression]()
    for operand in operands:
        if isinstance(operand, Nothing):
            return operand
        numbers.append(expression(operand))
    width = bits // 8
    if operation in ("add", "sub", "mul", "div"):
        return _number(reals.arithmetic(f"f{operation}", numbers[0], numbers[1], width))
    if operation == "rcp":
        return _number(reals.arithmetic("fdiv", IntLiteral(bits_of(1.0, width)), numbers[0], width))
    if operation == "sqrt":
        return _number(reals.function("sqrt", numbers, width))
    if operation in ("min", "max"):
        return _number(_extreme(operation, numbers[0], numbers[1], width))
    return _fused(operation, bits, numbers)


def _number(found: Expression) -> Number:
    return found.value if isinstance(found, IntLiteral) else found


def _extreme(operation: str, a: Expression, b: Expression, width: int) -> Expression:
    """Of zeros the one with the sign is the smaller one, where `fmin` may give either."""
    found = reals.function(f"f{operation}", (a, b), width)
    join: BinaryOp = "bitor" if operation == "min" else "bitand"
    zeros = comparison("oeq", a, b, width)  # other numbers that are the same have the same bits
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        joined = a.value | b.value if operation == "min" else a.value & b.value
        return IntLiteral(joined) if zeros == BoolLiteral(True) else found
    return Conditional(zeros, Binary(join, a, b), found)


def _fused(operation: str, bits: int, operands: Sequence[Expression]) -> Number:
    """A product and a sum, rounded once."""
    known = [number_of(each.value, bits // 8) for each in operands if isinstance(each, IntLiteral)]
    if bits == 32 and len(known) < len(operands):
        return _number(fused_of_32(*operands))
    if len(known) < len(operands) or not all(map(math.isfinite, known)):
        return _unknown(operation, bits)
    a, b, c = map(Fraction, known)
    exact = a * b + c
    if exact == 0:
        plus = all(math.copysign(1, each) > 0 for each in known)
        return bits_of(0.0, bits // 8) if plus else _unknown(operation, bits)
    found = _rounded(exact, bits)
    return _unknown(operation, bits) if found is None else bits_of(found, bits // 8)


def fused_of_32(a: Expression, b: Expression, c: Expression) -> Expression:
    """A product and a sum of 32 bits by operations of 64. The product is exact. So is the sum with what its rounding
    has left out (Knuth's TwoSum): where that is not 0, the last bit of the sum is made odd, to be rounded once."""
    a, b, c = (reals.resized(each, 4, 8) for each in (a, b, c))

    def does(operation: str, first: Expression, second: Expression) -> Expression:
        return reals.arithmetic(f"f{operation}", first, second, 8)

    product = does("mul", a, b)
    total = does("add", product, c)
    other = does("sub", total, product)
    left = does("add", does("sub", product, does("sub", total, other)), does("sub", c, other))
    zero, one = IntLiteral(0), IntLiteral(1)
    is_even = Binary("=", Binary("bitand", total, one), zero)
    is_rounded = comparison("one", left, zero, 8)
    further = Conditional(
        Binary("<=", zero, Binary("bitxor", total, left)),
        Wrap(Binary("+", total, one), 64, True),
        Wrap(Binary("-", total, one), 64, True),
    )
    return reals.resized(Conditional(Binary("and", is_rounded, is_even), further, total), 8, 4)


def _unknown(operation: str, bits: int) -> Nothing:
    return Nothing("", f"`{operation}.f{bits}` of numbers that are not known is not supported", HINT)


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
    found = comparison(COMPARISONS[operation], expression(a), expression(b), bits // 8)
    return found.value if isinstance(found, BoolLiteral) else found


def converted_real(kinds: tuple[str, str], sizes: tuple[int, int], value: Number) -> Number:
    """`cvt` to a kind (`f`, `s`, `u`) of so many bits from another one: to the nearest, to whole numbers towards 0."""
    if isinstance(value, Nothing):
        return value
    (after, before), (bits, width) = kinds, sizes
    given = expression(value)
    if before != "f":
        return _number(reals.of_whole(given, width, before == "s", bits // 8))
    if after == "f":
        return _number(reals.resized(given, width // 8, bits // 8))
    whole = reals.nearest_whole(given, width // 8, bits, after == "s")
    if after == "u" and bits < 64:
        whole = IntLiteral(signed(whole.value, bits)) if isinstance(whole, IntLiteral) else Wrap(whole, bits, True)
    if 64 in (bits, width):  # of what is no number they give another value than 0
        none, other = comparison("uno", given, given, width // 8), IntLiteral(signed(1 << (bits - 1), bits))
        either = (whole, other)
        whole = either[none.value] if isinstance(none, BoolLiteral) else Conditional(none, other, whole)
    return _number(whole)
