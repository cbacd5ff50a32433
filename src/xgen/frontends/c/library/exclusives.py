"""Loops that a failed store exclusive leads back to; and expressions of which much is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.c.language.accesses import written
from xgen.frontends.c.simplify import reads
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral
from xgen.program.expressions import COMPARED, COMPUTED
from xgen.program.rewrite import rewrite, with_operands


def only_retries(steps: Sequence[Step], number: int, at: Mapping[str, int]) -> bool:
    """Whether a branch leads back where a store exclusive has failed, and only there, to rounds that have done nothing
    by then but a load exclusive, and take nothing over from the one before."""
    branch = steps[number]
    if not isinstance(branch, Branch) or branch.condition is None or at.get(branch.label, number) >= number:
        return False
    middle = number - 1
    while middle >= 0 and isinstance(steps[middle], xcfa.Assign | xcfa.Skip):
        middle -= 1
    store = steps[middle]
    if not isinstance(store, xcfa.StoreExclusive):
        return False
    body = steps[at[branch.label] + 1 : middle]
    if not all(isinstance(step, xcfa.Load | xcfa.Assign | xcfa.Skip | xcfa.Fence | Branch) for step in body):
        return False
    if any(isinstance(step, Branch) and at.get(step.label, 0) < number for step in body):
        return False
    loads = [step for step in body if isinstance(step, xcfa.Load)]
    if len(loads) != 1 or not loads[0].exclusive:
        return False
    own = {written(step) for step in steps[at[branch.label] + 1 : number]}
    done: set[str | None] = set()
    for step in [*body, store]:
        if any(name in own and name not in done for name in reads(step)):
            return False
        done.add(written(step))
    return [_decided(steps[middle + 1 : number], branch.condition, store.status.name, k) for k in (0, 1)] == [
        False,
        True,
    ]


def _decided(steps: Sequence[Step], condition: Expression, status: str, value: int) -> bool | None:
    """What a condition is where a store exclusive has failed (1) or has not (0), if only that decides."""
    known: dict[str, Expression] = {status: IntLiteral(value)}

    def now(expression: Expression) -> Expression:
        return folded(rewrite(expression, lambda name, _: known.get(name.name, name)), alike=True)

    for step in steps:
        if isinstance(step, xcfa.Assign):
            known[step.target.name] = now(step.value)
    found = now(condition)
    return found.value if isinstance(found, BoolLiteral) else None


def folded(expression: Expression, alike: bool = False) -> Expression:
    """An expression with what is known worked out; `alike`: also `e ^ e`, which depends on e."""
    stack: list[Expression] = []
    for part in xcfa.postorder(expression):
        count = len(xcfa.operands(part))
        inside = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        stack.append(_one(part, inside, alike))
    return stack.pop()


def _one(part: Expression, inside: Sequence[Expression], alike: bool) -> Expression:
    """An operation on what is worked out."""
    numbers = [each.value for each in inside if isinstance(each, IntLiteral)]
    whole = len(numbers) == len(inside)
    match part:
        case xcfa.Wrap(_, bits, sign) if whole:
            low = numbers[0] & (1 << bits) - 1
            return IntLiteral(low - (1 << bits) if sign and low >> bits - 1 else low)
        case xcfa.Unary("not") if isinstance(inside[0], BoolLiteral):
            return BoolLiteral(not inside[0].value)
        case xcfa.Binary("bitxor") if alike and inside[0] == inside[1]:
            return IntLiteral(0)
        case xcfa.Binary(op) if whole and op in COMPARED:
            return BoolLiteral(COMPARED[op](*numbers))
        case xcfa.Binary(op) if whole and op in COMPUTED:
            value = COMPUTED[op](*numbers)
            if -(2**63) <= value < 2**63:
                return IntLiteral(value)
        case xcfa.Conditional() if isinstance(inside[0], BoolLiteral):
            return inside[1] if inside[0].value else inside[2]
        case _:
            pass
    return with_operands(part, inside)
