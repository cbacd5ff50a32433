"""C's arithmetic with floating point numbers, as far as it is done: conversions, operators, comparisons.

Numbers are passed on, compared and negated whatever they are; other operators need to know them.
"""

from __future__ import annotations

from typing import TypeGuard

from xgen.frontends import reals
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.types import DOUBLE, FLOAT, INT, CType, Int, Real, is_signed, size_of
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral

_OPERATORS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


class UnknownRealError(Exception):
    """What is computed from numbers that are not known, or is no number. `type`: what the result is of."""

    def __init__(self, what: str, type_: CType) -> None:
        super().__init__(what)
        self.what, self.type = what, type_


def is_real(type_: CType) -> TypeGuard[Real]:
    return isinstance(type_, Real)


def convert(value: Value, type_: CType) -> Value:
    """A number in another type, of which one at least is a floating point type."""
    what = f"a conversion of {value.type} to {type_} (of a number that is not known here, or does not fit) is"
    if value.type == type_:
        return value
    if value.constant is None or not isinstance(value.type, Int) or not isinstance(type_, Int):
        raise UnknownRealError(what, type_)
    before, after = value.type, type_
    widths = (size_of(t) if is_real(t) else t.bits for t in (before, after))
    if is_real(before):
        op = "fpext" if is_real(after) else "fptosi" if is_signed(after) else "fptoui"
    else:
        op = "sitofp" if is_signed(before) else "uitofp"
    found = reals.converted(op, value.constant, *widths)
    if found is None:
        raise UnknownRealError(what, type_)
    return literal(found if is_real(after) or found >= 0 or after.bits == 64 else found % (1 << after.bits), type_)


def narrowed(left: Value, right: Value, type_: Real) -> tuple[Value, Value, Real]:
    """Two numbers that are compared, and the type in which they are: a float that is not known is compared with a
    known double as floats are, where that is one."""
    for one, other in ((left, right), (right, left)):
        if one.constant is None and one.type == FLOAT and other.type == DOUBLE and other.constant is not None:
            number = reals.number_of(other.constant, 8)
            bits = reals.bits_of(number, 4)
            if reals.number_of(bits, 4) == number:
                found = literal(bits, FLOAT)
                return (one, found, FLOAT) if one is left else (found, one, FLOAT)
    return left, right, type_


def truth(value: Value) -> Expression:
    """Whether a number is not 0."""
    return compared("!=", value, literal(0, value.type))


def compared(op: str, left: Value, right: Value) -> Expression:
    """Whether two numbers of one type are as an operator says."""
    a, b, width = left.constant, right.constant, size_of(left.type)
    if a is None or b is None:
        return reals.comparison(_COMPARISONS[op], left.expression, right.expression, width)
    x, y = reals.number_of(a, width), reals.number_of(b, width)
    return BoolLiteral({"==": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[op])


def operate(op: str, left: Value, right: Value) -> Value:
    """An operator on two numbers of one type."""
    a, b, type_ = left.constant, right.constant, left.type
    if op not in _OPERATORS:
        raise UnknownRealError(f"`{op}` of {type_} is", INT)
    found = None if a is None or b is None else reals.computed(_OPERATORS[op], a, b, size_of(type_))
    if found is None:
        raise UnknownRealError(f"`{op}` of {type_} (of numbers that are not known here, or with no number) is", type_)
    return literal(found, type_)


def negated(value: Value) -> Value:
    """The number with the other sign: one bit."""
    sign = -(1 << (8 * size_of(value.type) - 1))
    if value.constant is not None:
        return literal(value.constant ^ sign, value.type)
    return Value(Binary("bitxor", value.expression, IntLiteral(sign)), value.type)
