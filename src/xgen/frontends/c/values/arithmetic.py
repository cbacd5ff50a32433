"""C's integer arithmetic in terms of the automaton's 64-bit numbers (C11, 6.3 and 6.5).

Operands and results are canonical (see places.py). Constants are folded. What is undefined in C is an assertion of its
own kind, which `check` emits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xgen.frontends.c.values import reals
from xgen.frontends.c.values.places import Value, literal
from xgen.frontends.c.values.reals import is_real
from xgen.frontends.c.values.types import (
    BOOL,
    INT,
    CType,
    Int,
    Real,
    bits_of,
    common,
    converted,
    fits,
    is_signed,
    plain,
    promoted,
)
from xgen.frontends.conditions import condition, negated, number
from xgen.program.automaton import (
    Binary,
    BinaryOp,
    BoolLiteral,
    Conditional,
    Expression,
    IntLiteral,
    Unary,
    Wrap,
)
from xgen.records import replace

Check: TypeAlias = Callable[[Expression, str], None]
"""Emits that a condition has to hold, or else there is a violation of that kind."""

ZERO, ONE = IntLiteral(0), IntLiteral(1)
COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_RING: dict[str, BinaryOp] = {"+": "+", "-": "-", "*": "*"}
_BITS: dict[str, BinaryOp] = {"&": "bitand", "|": "bitor", "^": "bitxor"}
_SIGNED: dict[str, BinaryOp] = {"<": "<", ">": ">", "<=": "<=", ">=": ">="}
_UNSIGNED: dict[str, BinaryOp] = {"<": "ult", "<=": "ule"}
_MIN_INT64 = -(2**63)


def is_at_once(op: str, type_: CType, right: Value) -> bool:
    """Whether `x op= right` is an update of the bits of x by an integer of its size. Of a _Bool it is none: C computes
    with int, and what is not 0 is 1."""
    if is_real(right.type) or plain(type_) != BOOL or op == "|":
        return not is_real(right.type)
    match right.expression:
        case IntLiteral(0 | 1) | Conditional(_, IntLiteral(0 | 1), IntLiteral(0 | 1)):
            return op in ("&", "^")
        case _:
            return op in ("&", "^") and plain(right.type) == BOOL


def truth(value: Value) -> Expression:
    """Whether a value counts as true. The address of a variable does."""
    if is_real(value.type):
        return reals.truth(value)
    return BoolLiteral(True) if value.alias else condition(value.expression)


def convert(value: Value, type_: CType) -> Value:
    """The value in another integer or pointer type."""
    type_ = plain(type_)
    if isinstance(type_, Real) or isinstance(value.type, Real):
        if is_bool(type_):
            return Value(number(reals.truth(value)), BOOL)
        return reals.convert(replace(value, type=plain(value.type)), type_)
    if value.alias:
        return literal(1, type_) if is_bool(type_) else Value(value.expression, type_, value.alias)
    if isinstance(value.expression, IntLiteral):
        constant = converted(value.expression.value, type_)
        same = value.type is type_ and value.place is None and constant == value.expression.value
        return value if same else literal(constant, type_)
    if is_bool(type_):
        return Value(number(condition(value.expression)), BOOL)
    if value.type is type_:
        return value
    return Value(wrapped(value.expression, type_, value.type), type_)


def as_stored(value: Value, type_: CType) -> Value:
    """What the bits of a value are in a type that has as many."""
    if not (isinstance(type_, Real) or isinstance(value.type, Real)) or value.alias:
        return convert(value, type_)
    return Value(wrapped(value.expression, plain(type_), value.type), plain(type_))


def wrapped(expression: Expression, type_: CType, of: CType | None = None) -> Expression:
    """The value that the low bits of a number are in a type; `of`: the number is a value of that type."""
    if isinstance(expression, IntLiteral):
        return IntLiteral(converted(expression.value, type_))
    if is_within(expression, type_) or (of is not None and holds(type_, of)):
        return expression
    bits = bits_of(type_)
    return Wrap(expression, bits, is_signed(type_) or bits == 64)


def holds(type_: CType, other: CType) -> bool:
    """Whether all canonical values of another type are canonical in a type."""
    bits, theirs = bits_of(type_), bits_of(other)
    if bits == 64:
        return True
    if is_signed(type_) == is_signed(other):
        return theirs <= bits
    return is_signed(type_) and theirs < bits


def is_within(expression: Expression, type_: CType) -> bool:
    """Whether an expression is known to have a value of a type."""
    match expression:
        case IntLiteral(value):
            return fits(value, type_)
        case Conditional(_, positive, negative):
            return is_within(positive, type_) and is_within(negative, type_)
        case Binary("bitand", _, IntLiteral(mask)) if mask >= 0:
            return fits(mask, type_)
        case Wrap(_, bits, signed):
            limit = bits_of(type_)
            return limit == 64 or (bits <= limit if signed == is_signed(type_) else is_signed(type_) and bits < limit)
        case _:
            return False


def unary(op: str, value: Value, check: Check, overflow: bool = False) -> Value:
    """`-x`, `+x`, `~x`."""
    type_ = promoted(value.type)
    operand = convert(value, type_).expression
    if is_real(type_) and op != "~":
        return reals.negated(Value(operand, type_)) if op == "-" else Value(operand, type_)
    if op == "+":
        return Value(operand, type_)
    if isinstance(operand, IntLiteral):
        result = -operand.value if op == "-" else ~operand.value
        if not (overflow and op == "-" and not fits(result, type_)):
            return literal(converted(result, type_), type_)
    if op == "~":
        return Value(wrapped(Unary("bitnot", operand), type_, type_ if is_signed(type_) else None), type_)
    if overflow and is_signed(type_):
        check(Binary("/=", operand, IntLiteral(-(1 << (bits_of(type_) - 1)))), "overflow")
    return Value(wrapped(Unary("-", operand), type_), type_)


def unchecked(_condition: Expression, _kind: str) -> None:
    """What cannot go wrong."""


def binary(op: str, left: Value, right: Value, check: Check, overflow: bool = False) -> Value:
    """An operator on two integers; also comparisons of pointers, whose values are numbers here."""
    type_ = common(left.type, right.type)
    if is_real(type_):
        left, right = convert(left, type_), convert(right, type_)
        if op in COMPARISONS:
            return Value(number(reals.compared(op, left, right)), INT)
        return reals.operate(op, left, right)
    if op in ("<<", ">>"):
        return _shift(op, left, right, check)
    a, b = convert(left, type_).expression, convert(right, type_).expression
    if op in COMPARISONS:
        return _compare(op, a, b, type_)
    if op in ("/", "%"):
        return _divide(op, a, b, type_, check)
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        result = _fold(op, a.value, b.value)
        if not (overflow and is_signed(type_) and not fits(result, type_)):
            return literal(converted(result, type_), type_)
    if op in _BITS:
        return Value(_simple(Binary(_BITS[op], a, b)), type_)
    exact = Binary(_RING[op], a, b)
    if overflow and is_signed(type_):
        _check_range(exact, type_, check)
    short = _simple(exact)
    return Value(short if short is not exact else wrapped(exact, type_), type_)


def _check_range(exact: Binary, type_: CType, check: Check) -> None:
    """The exact result has to be a value of the type; 64-bit arithmetic finds its own overflows."""
    bits = bits_of(type_)
    low, high = IntLiteral(-(1 << (bits - 1))), IntLiteral((1 << (bits - 1)) - 1)
    check(Binary("and", Binary("<=", low, exact), Binary("<=", exact, high)), "overflow")


def _fold(op: str, a: int, b: int) -> int:
    return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]


def _simple(expression: Binary) -> Expression:
    """`x + 0`, `x * 1` and the like are `x`."""
    match expression:
        case Binary("+" | "-" | "bitor" | "bitxor", x, IntLiteral(0)) | Binary(
            "+" | "bitor" | "bitxor", IntLiteral(0), x
        ):
            return x
        case Binary("*", x, IntLiteral(1)) | Binary("*", IntLiteral(1), x):
            return x
        case _:
            return expression


def _compare(op: str, a: Expression, b: Expression, type_: CType) -> Value:
    unsigned = bits_of(type_) == 64 and not is_signed(type_)
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral):
        x, y = (n.value & (2**64 - 1) if unsigned else n.value for n in (a, b))
        return literal(int({"==": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[op]), INT)
    if op in ("==", "!="):
        same = _same(a, b)
        return Value(number(same if op == "==" else negated(same)), INT)
    if not unsigned:
        return Value(number(Binary(_SIGNED[op], a, b)), INT)
    if op in (">", ">="):
        a, b, op = b, a, {">": "<", ">=": "<="}[op]
    return Value(number(Binary(_UNSIGNED[op], a, b)), INT)


def _same(a: Expression, b: Expression) -> Expression:
    """Whether two numbers are the same; a condition's number compared with 0 or 1 is the condition."""
    if isinstance(b, IntLiteral) and isinstance(a, Conditional) and b.value in (0, 1):
        match a:
            case Conditional(test, IntLiteral(1), IntLiteral(0)):
                return test if b.value == 1 else negated(test)
    return Binary("=", a, b)


def _divide(op: str, a: Expression, b: Expression, type_: CType, check: Check) -> Value:
    bits, signed = bits_of(type_), is_signed(type_)
    if isinstance(a, IntLiteral) and isinstance(b, IntLiteral) and b.value != 0:
        x, y = (n.value if signed else n.value & (2**64 - 1) for n in (a, b))
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        if fits(converted(quotient, type_), type_) and (not signed or fits(quotient, type_)):
            return literal(converted(quotient if op == "/" else x - y * quotient, type_), type_)
    if _may_be(b, 0):
        check(Binary("/=", b, ZERO), "division-by-zero")
    if not signed and bits == 64:
        return Value(Binary("udiv" if op == "/" else "urem", a, b), type_)
    lowest = IntLiteral(-(1 << (bits - 1)))
    if signed and _may_be(b, -1) and _may_be(a, lowest.value):
        check(Unary("not", Binary("and", Binary("=", b, IntLiteral(-1)), Binary("=", a, lowest))), "overflow")
    return Value(Binary("quot" if op == "/" else "trem", a, b), type_)


def _may_be(expression: Expression, value: int) -> bool:
    return not isinstance(expression, IntLiteral) or expression.value == value


def _shift(op: str, left: Value, right: Value, check: Check) -> Value:
    type_ = promoted(left.type)
    bits, signed = bits_of(type_), is_signed(type_)
    a, b = convert(left, type_).expression, convert(right, promoted(right.type)).expression
    if isinstance(b, IntLiteral) and 0 <= b.value < bits:
        if isinstance(a, IntLiteral):
            x = a.value if signed else a.value & (2**bits - 1)
            return literal(converted(x << b.value if op == "<<" else x >> b.value, type_), type_)
    else:
        check(Binary("and", Binary("<=", ZERO, b), Binary("<", b, IntLiteral(bits))), "shift")
        b = Binary("bitand", b, IntLiteral(63))  # so that the distance cannot fail
    if op == "<<":
        return Value(wrapped(Binary("shl", a, b), type_) if bits < 64 else Binary("shl", a, b), type_)
    return Value(Binary("sar" if signed else "shr", a, b), type_)


def is_bool(type_: CType) -> bool:
    return isinstance(type_, Int) and type_.name == "_Bool"
