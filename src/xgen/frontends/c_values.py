"""Values of C as expressions of XCFA, which tells numbers from conditions."""

from __future__ import annotations

from xgen.errors import Position
from xgen.program import automaton as xcfa
from xgen.program.automaton import CELL_SIZE, AddressOf, Binary, Expression, IntLiteral, Unary
from xgen.records import replace

_BOOLEAN = {"=", "/=", "<", "<=", ">", ">=", "and", "or"}
_INVERSE: dict[str, xcfa.BinaryOp] = {"=": "/=", "/=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def operation(operator: xcfa.BinaryOp, left: Expression, right: Expression, position: Position) -> Expression:
    """The result of an operator; what is added to the address of a location is counted in cells."""
    if operator in ("+", "-") and isinstance(left, AddressOf):
        step = IntLiteral(CELL_SIZE, position)
        right = (
            IntLiteral(CELL_SIZE * right.value) if isinstance(right, IntLiteral) else Binary("*", right, step, position)
        )
        if right == IntLiteral(0):
            return left
    return Binary(operator, left, right, position)


def is_boolean(expression: Expression) -> bool:
    """Whether an expression is of type bool in XCFA."""
    match expression:
        case Binary(op):
            return op in _BOOLEAN
        case Unary(op):
            return op == "not"
        case _:
            return False


def boolean(expression: Expression) -> Expression:
    """The condition that a value is: whether it is not 0."""
    if is_boolean(expression):
        return expression
    return Binary("/=", expression, IntLiteral(0, expression.position), expression.position)


def integer(expression: Expression) -> Expression:
    """The value that a condition is: 0 or 1."""
    if not is_boolean(expression):
        return expression
    position = expression.position
    return xcfa.Conditional(expression, IntLiteral(1, position), IntLiteral(0, position), position)


def negation(condition: Expression) -> Expression:
    """The opposite of a condition."""
    if isinstance(condition, Binary) and condition.op in _INVERSE:
        return replace(condition, op=_INVERSE[condition.op])
    return Unary("not", condition, condition.position)
