"""Checks that never fail, of locals that come from constants alone: they need not be there.

    while (exchange(lock, 1)) { for (int i = 0; i < (1 << n); i++) pause(); if (n < 10) n++; }

What is shifted by is 1 to 10, so the shift is as C has it, and the loop only counts (counting_loops.py). This is found
out by going all ways that the steps allow for with such locals: a branch about others leads both ways. An assertion of
the program stays, since results tell whether one was reached.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.reductions.steps import closed, reads, sources
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral
from xgen.program.rewrite import folded, rewrite

_Values: TypeAlias = tuple[int | None, ...]
"""Of some locals; None: not known."""
_State: TypeAlias = tuple[int, _Values]
"""Before which step, with which values."""
MOST = 3000
"""So many steps are looked at for one check."""


def without_constant_checks(steps: list[Step], pure: Set[str]) -> list[Step]:
    """The same steps without checks in loops that hold whenever they are made. `pure`: those locals."""
    places = {step: at for at, step in enumerate(steps) if isinstance(step, str)}
    looping = set[int]()
    for at, step in enumerate(steps):
        if isinstance(step, Branch) and places.get(step.label, at) < at:
            looping.update(range(places[step.label], at))
    checks = [at for at in looping if _is_check(steps[at], pure)]
    if not checks:
        return steps
    ways = _Ways(steps, places, pure)
    gone = {at for at in checks if ways.hold(at)}
    return [step for at, step in enumerate(steps) if at not in gone]


def _is_check(step: Step, pure: Set[str]) -> bool:
    return isinstance(step, xcfa.Assert) and step.kind != "assertion" and pure >= set(reads(step))


class _Ways:
    """The ways through steps. Between those that branch and those that give a local of a check its value, nothing
    changes: only these are gone through one by one."""

    def __init__(self, steps: Sequence[Step], places: Mapping[str, int], pure: Set[str]) -> None:
        self.steps, self.places = steps, places
        self.comes_from = sources(steps)
        self.branches = [at for at, step in enumerate(steps) if isinstance(step, Branch)]
        self.asked = {name for at in self.branches for name in reads(steps[at])} & pure
        self.assigned = dict[str, list[int]]()
        for at, step in enumerate(steps):
            if isinstance(step, xcfa.Assign):
                self.assigned.setdefault(step.target.name, []).append(at)

    def hold(self, check: int) -> bool:
        """Whether a check holds on all ways that lead to it, as far as its locals and what they come from decide."""
        names, made = self._slice(check), self.steps[check]
        assert isinstance(made, xcfa.Assert)
        stops = sorted({check, *self.branches, *(at for name in names for at in self.assigned.get(name, ()))})
        first: _State = 0, (None,) * len(names)
        seen, todo, looked = {first}, [first], 0
        while todo:
            start, values = todo.pop()
            following = bisect_left(stops, start)
            if following == len(stops):
                continue  # nothing of it matters there
            at = stops[following]
            looked += at - start + 1
            if looked > MOST or (at == check and _value(made.condition, names, values) is not True):
                return False
            for state in self._following(at, names, values):
                if state not in seen and state[0] < len(self.steps):
                    seen.add(state)
                    todo.append(state)
        return True

    def _slice(self, check: int) -> list[str]:
        """The locals of a check, those that their values come from, and what branches ask that comes from these
        alone."""
        found = closed(reads(self.steps[check]), self.comes_from)
        asked = {name for name in self.asked if self.comes_from.get(name) and self.comes_from[name] <= found}
        return sorted(found | asked)

    def _following(self, at: int, names: list[str], values: _Values) -> Iterator[_State]:
        """Where a step leads to, and with which values."""
        step = self.steps[at]
        if isinstance(step, xcfa.Assign) and step.target.name in names:
            found = _value(step.value, names, values)
            number = None if found is None else int(found)
            pairs = zip(names, values, strict=True)
            yield at + 1, tuple(number if name == step.target.name else value for name, value in pairs)
            return
        if not isinstance(step, Branch):
            yield at + 1, values
            return
        taken = True if step.condition is None else _value(step.condition, names, values)
        if step.fork or taken is not True:
            yield at + 1, values
        if taken is not False and step.label in self.places:
            yield self.places[step.label], values


def _value(expression: Expression, names: list[str], values: _Values) -> int | bool | None:
    """What an expression is with these values; None where they do not say it."""
    if isinstance(expression, Binary) and expression.op in ("and", "or"):
        decides = expression.op == "or"
        sides = [_value(side, names, values) for side in (expression.left, expression.right)]
        return decides if decides in sides else None if None in sides else not decides
    known = dict(zip(names, values, strict=True))

    def leaf(name: xcfa.Name, _: object) -> Expression:
        value = known.get(name.name)
        return name if value is None else IntLiteral(value)

    found = folded(rewrite(expression, leaf))
    return found.value if isinstance(found, IntLiteral | BoolLiteral) else None
