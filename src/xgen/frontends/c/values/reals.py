"""C's arithmetic with floating point numbers: conversions, operators, comparisons."""

from __future__ import annotations

from typing import TypeGuard

from xgen.frontends import reals
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.types import CType, Real, bits_of, is_signed, size_of
from xgen.program.automaton import Binary, Expression, IntLiteral

OPERATORS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARISONS = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


def is_real(type_: CType) -> TypeGuard[Real]:
    return isinstance(type_, Real)


def convert(value: Value, type_: CType) -> Value:
    """A number in another type; one of the two is a floating point type. What does not fit a whole type overflows."""
    before, number = value.type, value.expression
    if before == type_:
        return value
    if is_real(before):
        if is_real(type_):
            return Value(reals.resized(number, size_of(before), size_of(type_)), type_)
        return Value(reals.whole(number, size_of(before), bits_of(type_), is_signed(type_)), type_)
    return Value(reals.of_whole(number, bits_of(before), is_signed(before), size_of(type_)), type_)


def truth(value: Value) -> Expression:
    """Whether a number is not 0."""
    return compared("!=", value, literal(0, value.type))


def compared(op: str, left: Value, right: Value) -> Expression:
    """Whether two numbers of one type are as an operator says."""
    return reals.comparison(_COMPARISONS[op], left.expression, right.expression, size_of(left.type))


def operate(op: str, left: Value, right: Value) -> Value:
    """One of OPERATORS on two numbers of one type."""
    number = reals.arithmetic(OPERATORS[op], left.expression, right.expression, size_of(left.type))
    return Value(number, left.type)


def negated(value: Value) -> Value:
    """The number with the other sign: one bit."""
    sign = -(1 << (8 * size_of(value.type) - 1))
    if value.constant is not None:
        return literal(value.constant ^ sign, value.type)
    return Value(Binary("bitxor", value.expression, IntLiteral(sign)), value.type)
