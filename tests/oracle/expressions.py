"""Expressions over local variables: their values, what these depend on, and their text as XCFA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Value = int | bool
Type = Literal["int", "bool"]
Operator = Literal["+", "-", "*", "/", "mod", "rem", "=", "/=", "<", "<=", "and", "or"]
Events = frozenset[int]
"""Events of one thread, by index."""
NONE: Events = frozenset()


@dataclass(frozen=True)
class Const:
    value: Value


@dataclass(frozen=True)
class Local:
    name: str


@dataclass(frozen=True)
class Not:
    operand: Expr


@dataclass(frozen=True)
class Binary:
    op: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Conditional:
    """`if condition then positive else negative`."""

    condition: Expr
    positive: Expr
    negative: Expr


Expr = Const | Local | Not | Binary | Conditional


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """The expressions right inside."""
    match expr:
        case Not(operand):
            return (operand,)
        case Binary(_, left, right):
            return left, right
        case Conditional(condition, positive, negative):
            return condition, positive, negative
        case _:
            return ()


def names_in(expr: Expr) -> Iterator[str]:
    """The local variables that an expression mentions."""
    if isinstance(expr, Local):
        yield expr.name
    for part in parts_of(expr):
        yield from names_in(part)


# --- Values ---------------------------------------------------------------------------------------------------------


def value_of(expr: Expr, env: Mapping[str, Value]) -> Value:
    """The value of an expression, given the values of the local variables.

    An ArithmeticError is raised where an integer does not fit 64 bits, and for a division by zero.
    """
    match expr:
        case Const(value):
            return value
        case Local(name):
            return env[name]
        case Not(operand):
            return not value_of(operand, env)
        case Conditional(condition, positive, negative):
            return value_of(positive if value_of(condition, env) else negative, env)
    left = value_of(expr.left, env)
    if decided(expr, left):
        return left
    return fit(_apply(expr.op, left, value_of(expr.right, env)))


def decided(expr: Binary, left: Value) -> bool:
    """Whether the left side decides what `and` or `or` gives: then its right side is not looked at."""
    return (expr.op == "and" and not left) or (expr.op == "or" and bool(left))


def fit(value: Value) -> Value:
    """The value, if it has room in 64 bits; else an ArithmeticError is raised."""
    if not -(2**63) <= value < 2**63:
        raise ArithmeticError("overflow")
    return value


def _apply(op: Operator, left: Value, right: Value) -> Value:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return (left - left % abs(right)) // right  # Euclidean: the remainder is not negative
        case "mod":
            return left % abs(right)
        case "rem":
            return left % abs(right) if right > 0 else -(left % abs(right))
        case "=":
            return left == right
        case "/=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "and":
            return bool(left and right)
        case "or":
            return bool(left or right)


# --- Dependencies ---------------------------------------------------------------------------------------------------


class Flow(NamedTuple):
    """The reads whose values flow into a value, and those that flow into a divisor on the way, which can end it."""

    value: Events
    control: Events


def flow_of(expr: Expr, env: Mapping[str, Value], taint: Mapping[str, Events]) -> Flow:
    """What an expression depends on, given the values of the local variables and what these depend on.

    Of a conditional, the condition and both sides count. Where a side has arithmetic in it, which can fail, it counts
    only if it is chosen, and the condition decides on the way as well; so it is with the right side of `and` and `or`.
    """
    match expr:
        case Const():
            return Flow(NONE, NONE)
        case Local(name):
            return Flow(taint.get(name, NONE), NONE)
        case Not(operand):
            return flow_of(operand, env, taint)
        case Conditional(condition, positive, negative):
            first = flow_of(condition, env, taint)
            sides = (positive, negative)
            if any(map(can_fail, sides)):
                first = Flow(first.value, first.control | first.value)
                sides = (positive if value_of(condition, env) else negative,)
            flows = [first, *(flow_of(side, env, taint) for side in sides)]
            return Flow(NONE.union(*(f.value for f in flows)), NONE.union(*(f.control for f in flows)))
    left = flow_of(expr.left, env, taint)
    if can_fail(expr.right) and expr.op in ("and", "or", "imply"):
        left = Flow(left.value, left.control | left.value)
        if decided(expr, value_of(expr.left, env)):
            return left
    right = flow_of(expr.right, env, taint)
    divisor = right.value if expr.op in ("/", "mod", "rem") else NONE
    return Flow(left.value | right.value, left.control | right.control | divisor)


def can_fail(expr: Expr) -> bool:
    """Whether there is arithmetic in an expression."""
    return (isinstance(expr, Binary) and expr.op in ("+", "-", "*", "/", "mod", "rem")) or any(
        map(can_fail, parts_of(expr))
    )


# --- Text -----------------------------------------------------------------------------------------------------------


def show(expr: Expr) -> str:
    """An expression as XCFA text, with all its parentheses."""
    match expr:
        case Const(value):
            return show_value(value)
        case Local(name):
            return name
        case Not(operand):
            return f"(not {show(operand)})"
        case Binary(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case Conditional(condition, positive, negative):
            return f"(if {show(condition)} then {show(positive)} else {show(negative)})"


def show_value(value: Value) -> str:
    """A literal as XCFA text."""
    return str(value).lower()
