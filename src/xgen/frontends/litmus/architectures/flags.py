"""Arm's condition flags N, Z, C and V, and the conditions that instructions test.

What sets flags leaves its result, from which N and Z follow, and C and V as 0 or 1, in three local variables. They
depend on what the instruction reads, and what tests them depends on that.
"""

from __future__ import annotations

from collections.abc import Callable

from xgen.errors import Position
from xgen.frontends.assembly import negation
from xgen.frontends.litmus.architectures.arithmetic import ZERO, below, both, equal, less, low, modulo, number, signed
from xgen.frontends.litmus.thread import Thread
from xgen.program import automaton as xcfa

RESULT, CARRY, OVERFLOW = "$result", "$carry", "$overflow"

ALIASES = {"hs": "cs", "lo": "cc"}

OPPOSITES = {"ne": "eq", "cc": "cs", "pl": "mi", "vc": "vs", "ls": "hi", "lt": "ge", "le": "gt"}
"""A condition holds where its opposite does not."""


def flag(thread: Thread, name: str) -> xcfa.Name:
    thread.locals[name] = None
    return xcfa.Name(name)


def set_logical(thread: Thread, result: xcfa.Expression, bits: int, position: Position) -> None:
    """The flags after ANDS and the like: C and V are 0."""
    thread.assign(flag(thread, RESULT), signed(result, bits), position)
    thread.assign(flag(thread, CARRY), both("bitand", result, ZERO), position)
    thread.assign(flag(thread, OVERFLOW), both("bitand", result, ZERO), position)


def set_arithmetic(
    thread: Thread, op: xcfa.BinaryOp, left: xcfa.Expression, right: xcfa.Expression, bits: int, position: Position
) -> None:
    """The flags after a sum (`+`) or a difference (`-`).

    C: there is a carry, or no borrow. V: the sign is wrong, as operands of like signs (of unlike ones) made another.
    """
    a, b = signed(left, bits), signed(right, bits)
    result = signed(modulo(op, left, right), bits)
    before: Callable[[xcfa.Expression, xcfa.Expression], xcfa.Expression] = below if bits == 64 else less
    x, y, r = low(left, bits), low(right, bits), low(result, bits)
    carry = negation(before(x, y)) if op == "-" else before(r, x)
    signs = both(
        "bitand",
        xcfa.Binary("bitxor", a, b if op == "-" else result),
        xcfa.Binary("bitxor", a if op == "-" else b, result),
    )
    for name, value in (
        (RESULT, result),
        (CARRY, xcfa.Conditional(carry, number(1), ZERO)),
        (OVERFLOW, xcfa.Conditional(less(signs, ZERO), number(1), ZERO)),
    ):
        thread.assign(flag(thread, name), value, position)


def condition(thread: Thread, code: str) -> xcfa.Expression | None:
    """What a condition code in lower case stands for, None where there is no such code (or it always holds)."""
    code = ALIASES.get(code, code)
    if code in OPPOSITES:
        opposite = condition(thread, OPPOSITES[code])
        return None if opposite is None else negation(opposite)
    result, carry, overflow = (flag(thread, name) for name in (RESULT, CARRY, OVERFLOW))
    one = number(1)
    match code:
        case "eq":
            return equal(result, ZERO)
        case "cs":
            return equal(carry, one)
        case "mi":
            return less(result, ZERO)
        case "vs":
            return equal(overflow, one)
        case "hi":
            return xcfa.Binary("and", equal(carry, one), negation(equal(result, ZERO)))
        case "ge":
            return equal(both("shr", result, number(63)), overflow)
        case "gt":
            greater = equal(both("shr", result, number(63)), overflow)
            return xcfa.Binary("and", negation(equal(result, ZERO)), greater)
        case _:
            return None
