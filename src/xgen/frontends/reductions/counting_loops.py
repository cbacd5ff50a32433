"""Rounds that pass the time: loops that count and do nothing else, and what only they depend on.

    while (exchange(lock, 1)) { for (int i = 0; i < delay; i++) pause(); if (delay < 1024) delay *= 2; }

Such a loop ends, and nothing is left of it; so `delay` says nothing any more, nor does the branch before its update.
Without them each round of the outer loop leaves all as it was: it only waits, which is the engine's matter.

Left out are, of locals that come from constants alone,

- loops whose steps are assignments of locals that nothing else needs, which end as a local counts up or down by 1 to
  what the loop does not change (C lets an implementation assume that other ones end, too: C11, 6.8.5p6), or as a
  clock comes to it;
- branches over assignments of such locals.

Locals that come from what was read are not looked at: what depends on a branch about them comes after their reads
under models of machines. Of other locals, a branch orders nothing that an earlier one, about what was read, does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.conditions import names_in
from xgen.frontends.reductions.constant_checks import without_constant_checks
from xgen.frontends.reductions.steps import closed, reads, sources, written
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name, Unary, Wrap
from xgen.records import dataclass

CLOCK = "the clock"
"""The local that a thread reads in loops for the time. It is never written; loops that only wait for it end."""
_ORDERS = ("<", "<=", ">", ">=", "ult", "ule")
LONGEST = 60
"""Of so many steps at most are loops and branches that are looked at."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Steps that do nothing but assign: a loop, of which all is left out, or what a branch leads over."""

    first: int
    last: int
    loop: bool
    reads: frozenset[str]
    assigned: frozenset[str]

    @property
    def left_out(self) -> range:
        """Which steps go: of a branch that one alone, as the assignments do if nothing needs their locals."""
        return range(self.first, self.last + 1 if self.loop else self.first + 1)


def drop_counting_loops(steps: list[Step]) -> list[Step]:
    """The same steps without what passes the time."""
    if _has_loops(steps):
        steps = without_constant_checks(steps, _pure(steps))
    while True:
        shorter = _once(steps)
        if len(shorter) == len(steps):
            return steps
        steps = shorter


def _once(steps: list[Step]) -> list[Step]:
    if not _has_loops(steps):
        return steps
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    pure = _pure(steps)
    parts = [part for at in range(len(steps)) for part in _part(steps, at, places) if part.reads <= pure]
    needed = _needed(steps, parts)
    gone = set[int]()
    for part in parts:
        if not part.assigned & needed:
            gone.update(part.left_out)
    gone.update(at for at, step in enumerate(steps) if isinstance(step, xcfa.Assign) and step.target.name not in needed)
    return [step for at, step in enumerate(steps) if at not in gone or isinstance(step, str)]


def _has_loops(steps: Sequence[Step]) -> bool:
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    return any(isinstance(step, Branch) and places.get(step.label, len(steps)) < at for at, step in enumerate(steps))


def _pure(steps: Sequence[Step]) -> set[str]:
    """The locals that get nothing but constants and what is computed of such locals."""
    others = {name for step in steps if not isinstance(step, xcfa.Assign) and (name := written(step)) is not None}
    assigned, leads_to = sources(steps).keys(), _uses(steps)
    return (assigned - closed(others | (leads_to.keys() - assigned - {CLOCK}), leads_to)) | {CLOCK}


def _uses(steps: Iterable[Step]) -> dict[str, set[str]]:
    """By locals: those that are assigned what is made of them."""
    found = dict[str, set[str]]()
    for target, names in sources(steps).items():
        for name in names:
            found.setdefault(name, set()).add(target)
    return found


def _needed(steps: Sequence[Step], parts: Sequence[_Part]) -> set[str]:
    """The locals on which more depends than how the parts go."""
    inside = {at for part in parts for at in part.left_out}
    found, comes_from = set[str](), sources(steps)
    for at, step in enumerate(steps):
        if at not in inside and not isinstance(step, xcfa.Assign):
            found.update(reads(step))
    for part in parts:
        for name in part.assigned:
            comes_from.setdefault(name, set()).update(part.reads)
    return closed(found, comes_from)


def _part(steps: Sequence[Step], at: int, places: dict[str, int]) -> Iterable[_Part]:
    """The loop that a branch ends, or what it leads over, if it is no more than that."""
    branch = steps[at]
    if not isinstance(branch, Branch) or branch.fork:
        return
    there = places.get(branch.label)
    if there is not None and there < at:
        if at - there <= LONGEST and _only_counts(steps, there, at, places):
            yield _made(steps, there, at, loop=True)
    elif there is not None and branch.condition is not None:
        last = _end(steps, at, there, places)
        if last is not None:
            yield _made(steps, at, last, loop=False)


def _made(steps: Sequence[Step], first: int, last: int, loop: bool) -> _Part:
    region = steps[first : last + 1]
    branches = [step for step in (region if loop else region[:1]) if isinstance(step, Branch)]
    read = {name for branch in branches for name in reads(branch)}
    assigned = frozenset(step.target.name for step in region if isinstance(step, xcfa.Assign))
    return _Part(first, last, loop, frozenset(read), assigned)


def _end(steps: Sequence[Step], at: int, last: int, places: dict[str, int]) -> int | None:
    """Where the ways of a branch have met again, if there is nothing on them but assignments."""
    here = at + 1
    while here < last:
        step = steps[here]
        if here - at > LONGEST:
            return None
        if isinstance(step, Branch):
            there = places.get(step.label, -1)
            if step.fork or there <= here:
                return None
            last = max(last, there)
        elif not isinstance(step, xcfa.Assign | str):
            return None
        here += 1
    return last


def _only_counts(steps: Sequence[Step], first: int, last: int, places: dict[str, int]) -> bool:
    """Whether the steps from a label to the branch back to it are a loop that ends, and assign at most."""
    behind = set[str]()
    for step in steps[last + 1 :]:
        if not isinstance(step, str):
            break
        behind.add(step)
    ends = list[int]()
    for at in range(first + 1, last + 1):
        step = steps[at]
        if isinstance(step, Branch):
            if at == last or step.label in behind:
                ends += [at] if step.condition is not None else []
            elif step.fork or not at < places.get(step.label, -1) <= last:
                return False
        elif not isinstance(step, xcfa.Assign | xcfa.Bound | str):
            return False
    each_round = [at for at in range(first + 1, last + 1) if not _is_passed_over(steps, at, first, last, places)]
    region = [steps[at] for at in range(first, last + 1)]
    assigned = [step.target.name for step in region if isinstance(step, xcfa.Assign)]
    once = [s for at in each_round if isinstance(s := steps[at], xcfa.Assign) and assigned.count(s.target.name) == 1]
    counts = {step.target.name for step in once if _is_counted(step)}
    counts |= {step.target.name for step in once if _is_one_of(step.value, counts)}  # what `n--` gives
    if any(_is_about(steps[at], counts, set(assigned)) for at in ends if at in each_round):
        return True
    clocked = closed({CLOCK}, _uses(region))
    return any(_waits_for_clock(steps[at], clocked) for at in ends if at in each_round)


def _waits_for_clock(end: Step, clocked: set[str]) -> bool:
    """Whether a loop ends where what comes from the clock is more or less than what does not."""
    condition = _compared(end)
    if not isinstance(condition, Binary) or condition.op not in _ORDERS:
        return False
    return bool(clocked & names_in(condition.left)) != bool(clocked & names_in(condition.right))


def _is_counted(step: xcfa.Assign) -> bool:
    """Whether a step makes a local one more or less than it is."""
    value = step.value.operand if isinstance(step.value, Wrap) else step.value
    if not isinstance(value, Binary) or value.op not in ("+", "-"):
        return False
    return value.right == IntLiteral(1) and value.left == step.target


def _is_one_of(value: xcfa.Expression, names: set[str]) -> bool:
    value = value.operand if isinstance(value, Wrap) else value
    return isinstance(value, Name) and value.name in names


def _is_passed_over(steps: Sequence[Step], at: int, first: int, last: int, places: dict[str, int]) -> bool:
    """Whether a way round the loop does without a step."""
    before = (step for step in steps[first:at] if isinstance(step, Branch))
    return any(at < places.get(step.label, -1) <= last for step in before)


def _compared(end: Step) -> xcfa.Expression | None:
    """The condition of a branch, or what it is not."""
    condition = end.condition if isinstance(end, Branch) else None
    while isinstance(condition, Unary) and condition.op == "not":
        condition = condition.operand
    return condition


def _is_about(end: Step, counts: set[str], assigned: set[str]) -> bool:
    """Whether a loop ends where a local that counts has come to what stays as it is."""
    condition = _compared(end)
    if not isinstance(condition, Binary) or condition.op not in ("=", "/=", *_ORDERS):
        return False
    for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if _is_one_of(one, counts) and not assigned & names_in(other):
            return True
    return False
