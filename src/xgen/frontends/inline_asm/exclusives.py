"""Loops that a failed store exclusive leads back to; and expressions of which much is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.reductions.steps import reads, written
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral
from xgen.program.rewrite import folded, rewrite


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
