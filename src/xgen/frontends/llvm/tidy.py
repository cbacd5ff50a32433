"""Steps without jumps to what comes next anyway, and without what no way leads to."""

from __future__ import annotations

from xgen.frontends.assembly import Branch, Step


def tidied(steps: list[Step]) -> list[Step]:
    """The same program in fewer steps."""
    while True:
        shorter = _without_labels(_without_jumps(_reachable(steps)))
        if len(shorter) == len(steps):
            return steps
        steps = shorter


def _reachable(steps: list[Step]) -> list[Step]:
    """Without what comes behind a jump and has no label."""
    found, here = list[Step](), True
    for step in steps:
        here = here or isinstance(step, str)
        if here:
            found.append(step)
        if isinstance(step, Branch) and step.condition is None and not step.fork:
            here = False
    return found


def _without_jumps(steps: list[Step]) -> list[Step]:
    """Without jumps to a label right behind them."""
    found, following = list[Step](), set[str]()  # labels between here and the next step
    for step in reversed(steps):
        if isinstance(step, str):
            following.add(step)
        elif isinstance(step, Branch) and step.label in following and step.condition is None and not step.fork:
            continue
        else:
            following = set()
        found.append(step)
    return found[::-1]


def _without_labels(steps: list[Step]) -> list[Step]:
    """Without labels that nothing jumps to."""
    used = {step.label for step in steps if isinstance(step, Branch)}
    return [step for step in steps if not isinstance(step, str) or step in used]
