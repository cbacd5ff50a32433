"""Conditions and numbers, as C and the automaton have them: a number is a condition, a condition is 0 or 1."""

from __future__ import annotations

from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Unary, postorder

ZERO, ONE = IntLiteral(0), IntLiteral(1)


def condition(value: Expression) -> Expression:
    """Whether a number is not 0."""
    match value:
        case IntLiteral(number):
            return BoolLiteral(number != 0)
        case Conditional(test, IntLiteral(1), IntLiteral(0)):
            return test
        case Conditional(test, IntLiteral(0), IntLiteral(1)):
            return Unary("not", test)
        case _:
            return Binary("/=", value, ZERO)


def negated(test: Expression) -> Expression:
    """What holds where a condition does not."""
    match test:
        case BoolLiteral(value):
            return BoolLiteral(not value)
        case Unary("not", inside):
            return inside
        case Binary("=", left, right):
            return Binary("/=", left, right)
        case Binary("/=", left, right):
            return Binary("=", left, right)
        case _:
            return Unary("not", test)


def number(test: Expression) -> Expression:
    """1 where a condition holds, else 0."""
    match test:
        case BoolLiteral(value):
            return IntLiteral(int(value))
        case _:
            return Conditional(test, ONE, ZERO)


def names_in(expression: Expression) -> set[str]:
    """The locals and parameters that an expression reads."""
    return {part.name for part in postorder(expression) if isinstance(part, Name)}
