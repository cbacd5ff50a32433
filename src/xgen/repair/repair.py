"""The repair of a protocol from beginning to end: states, choice of groups, independent check, and words for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xgen.errors import InternalError
from xgen.records import dataclass
from xgen.repair.check import Checked, Program, Step, Trouble, check, original
from xgen.repair.columns import Flags
from xgen.repair.protocol import Action, Process, Protocol, State, Value
from xgen.repair.solve import choose
from xgen.repair.space import Maker, Space, Stopped
from xgen.repair.words import Speaker

Say: TypeAlias = Callable[[str], None] | None


@dataclass(frozen=True, slots=True)
class Shown:
    """An action of the new program. `process` is None where all of a family have it."""

    family: int
    process: Process | None
    guard: str
    effect: str
    origin: str  # "old", "strengthened" or "new"
    action: int | None  # the number of the old action that it comes from


@dataclass(frozen=True, slots=True)
class Removal:
    """What was taken from an action: where, how many groups, and a run that shows why, if there was time for one."""

    family: int
    process: Process | None
    action: Action
    effect: str
    when: tuple[str, ...]
    groups: int
    trouble: Trouble | None


@dataclass
class Repair:
    """What came of a repair. Numbers that are not known yet when it was interrupted are None."""

    protocol: Protocol
    level: str
    verdict: str = "interrupted"  # or "repaired", "tolerant", "impossible"
    why: str | None = None
    states: int | None = None
    groups: int | None = None
    clauses: int | None = None
    cycles: int | None = None
    reached: int | None = None
    legitimate: int | None = None
    kept: int | None = None
    removed: int | None = None
    new: int | None = None
    actions: list[Shown] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    seconds: float = 0.0


def repair(
    protocol: Protocol, level: str = "masking", limit: int = 1_000_000, timeout: float | None = None, say: Say = None
) -> Repair:
    """Make a protocol tolerate its faults: the program that keeps most of the old one and adds least.

    Raises ProgramError where the protocol contradicts itself: it starts where it must never be, or leaves its
    legitimate states by itself. A result that the independent check does not accept is an InternalError.
    """
    start = time.monotonic()
    deadline = None if timeout is None else start + timeout
    result = Repair(protocol, level)
    try:
        _repair(result, limit, deadline, say)
    except Stopped as error:
        result.why = error.why
    except KeyboardInterrupt:
        result.why = "it was interrupted"
    result.seconds = time.monotonic() - start
    return result


def _repair(result: Repair, limit: int, deadline: float | None, say: Say) -> None:
    maker = Maker(result.protocol, result.level, limit, deadline, say)
    try:
        space = maker.make()
    finally:
        result.states = maker.count
    result.groups, result.clauses = len(space.groups), space.clauses
    choice, result.cycles = choose(space, deadline, say)
    if choice is None:
        result.verdict = "impossible"
        return
    kept, new = choice.groups & space.old, choice.groups & ~space.old
    program = chosen_program(space, choice.groups)
    if say:
        say("checking the result")
    begin = [maker.columns.state(row) for row in space.states[: space.initial]]
    checked = check(result.protocol, program, result.level, begin, deadline=deadline)
    reached, legitimate = int(choice.reached.sum()), int((choice.reached & space.legit).sum())
    if checked != Checked(reached, legitimate, None):
        raise InternalError(f"a repair of {result.protocol.source.name} that the check does not accept")
    result.reached, result.legitimate = reached, legitimate
    result.kept, result.new = int(kept.sum()), int(new.sum())
    result.removed = int(space.old.sum()) - result.kept
    describer = _Describer(space, choice.groups, choice.reached, begin, deadline)
    result.actions = describer.actions()
    result.verdict = "tolerant" if result.removed == result.new == 0 else "repaired"
    result.removals = describer.removals()


def chosen_program(space: Space, groups: Flags, extra: int | None = None) -> Program:
    """The program that chosen groups make, for the check; `extra` is one more group."""
    chosen = groups.copy()
    if extra is not None:
        chosen[extra] = True
    taken = chosen[space.step_group]
    program = []
    for number, views in enumerate(space.views):
        steps = np.flatnonzero(taken & (space.step_process == number))
        before = space.states[space.step_from[steps]]
        # A group is the same in all states that look the same, so one of each is enough.
        choices = space.choices[steps]
        _, one = np.unique(views.numbers(before) * max(1, views.choices) + choices, return_index=True)
        moves: dict[tuple[Value, ...], list[tuple[Value, ...]]] = {}
        variables, process = space.protocol.variables, views.process
        for row, choice in zip(before[one], choices[one], strict=True):
            seen = tuple(variables[v].values[row[v]] for v in process.reads)
            digits = views.choice_digits[choice]
            wrote = tuple(variables[v].values[d] for v, d in zip(process.writes, digits, strict=True))
            moves.setdefault(seen, []).append(wrote)
        program.append(_act(process, space.protocol, moves))
    return program


def _act(
    process: Process, protocol: Protocol, moves: dict[tuple[Value, ...], list[tuple[Value, ...]]]
) -> Callable[[State], Iterator[Step]]:
    def act(state: State) -> Iterator[Step]:
        for wrote in moves.get(tuple(state[v] for v in process.reads), ()):
            after = list(state)
            parts = []
            for variable, value in zip(process.writes, wrote, strict=True):
                if after[variable] != value:
                    known = protocol.variables[variable]
                    parts.append(f"{known.name} := {known.shown(value)}")
                after[variable] = value
            yield f"process {process.name}: {', '.join(parts)}", tuple(after)

    return act


class _Describer:
    """Puts the groups of a program into words: actions with guards, and what was taken away."""

    def __init__(self, space: Space, groups: Flags, reached: Flags, begin: list[State], deadline: float | None) -> None:
        self.space = space
        self.groups = groups
        self.begin = begin
        self.deadline = deadline
        self.protocol = space.protocol
        self.seen: list[NDArray[np.int64]] = []
        self.table: list[Flags] = []
        self.group_of: list[NDArray[np.int64]] = []
        for number, views in enumerate(space.views):
            mine = (space.step_process == number) & reached[space.step_from]
            steps = np.flatnonzero(mine)
            numbers, choices = views.numbers(space.states[space.step_from[steps]]), space.choices[steps]
            table = np.zeros((views.count, max(1, views.choices)), dtype=np.bool_)
            table[numbers, choices] = groups[space.step_group[steps]]
            group_of = np.full(table.shape, -1, dtype=np.int64)
            group_of[numbers, choices] = space.step_group[steps]
            self.table.append(table)
            self.group_of.append(group_of)
            self.seen.append(np.unique(views.numbers(space.states[reached])))
        self.speakers = [Speaker(self.protocol, views) for views in space.views]

    def actions(self) -> list[Shown]:
        """The new program. What all processes of a family do is said once."""
        found = []
        for family, members in enumerate(self._families()):
            if self.protocol.processes[members[0]].symmetric:
                members = members[:1]
            each = [self._of_process(number) for number in members]
            common = [part for part in each[0] if all(part in parts for parts in each)]
            found += [Shown(family, None, *part) for part in common]
            for number, parts in zip(members, each, strict=True):
                process = self.protocol.processes[number]
                found += [Shown(family, process, *part) for part in parts if part not in common]
        return found

    def _families(self) -> list[list[int]]:
        families: list[list[int]] = [[] for _ in self.protocol.blocks]
        for number, process in enumerate(self.protocol.processes):
            families[process.family].append(number)
        return families

    def _of_process(self, number: int) -> list[_Part]:
        views, seen, table = self.space.views[number], self.seen[number], self.table[number]
        parts: list[_Part] = []
        for action in views.process.actions:
            choices = [views.of_alternative[action.number, way][seen] for way in range(len(action.alternatives))]
            kept = [(choice >= 0) & table[seen, choice] for choice in choices]
            if all((chosen == (choice >= 0)).all() for chosen, choice in zip(kept, choices, strict=True)):
                parts.append((action.guard_text, action.effect_text, "old", action.number))
                continue
            for way, chosen, choice in zip(action.alternatives, kept, choices, strict=True):
                if not chosen.any():
                    continue
                effect = way.text if len(choices) > 1 else action.effect_text
                if (chosen == (choice >= 0)).all():
                    parts.append((action.guard_text, effect, "strengthened", action.number))
                    continue
                guards = self.speakers[number].guard(seen[chosen], seen[(choice >= 0) & ~chosen])
                more = guards[0] if len(guards) == 1 else f"({' or '.join(guards)})"
                text = f"{_both(action.guard_text)} and {more}"
                parts.append((text, effect, "strengthened", action.number))
        return parts + self._new(number)

    def _new(self, number: int) -> list[_Part]:
        views, seen, table = self.space.views[number], self.seen[number], self.table[number]
        if not views.choices:
            return []
        effects: dict[str, list[tuple[int, int]]] = {}
        for view, choice in np.argwhere(table & ~views.old).tolist():
            effects.setdefault(self._effect(number, view, choice), []).append((view, choice))
        parts: list[_Part] = []
        for effect, pairs in effects.items():
            inside = np.array([view for view, _ in pairs])
            for guard in self.speakers[number].guard(inside, np.setdiff1d(seen, inside)):
                parts.append((guard, effect, "new", None))
        return parts

    def _effect(self, number: int, view: int, choice: int) -> str:
        views = self.space.views[number]
        parts = []
        for variable, digit in zip(views.process.writes, views.choice_digits[choice].tolist(), strict=True):
            if views.rows[view, variable] != digit:
                known = self.protocol.variables[variable]
                parts.append(f"{self.speakers[number].name(variable)} := {known.shown(known.values[digit])}")
        return ", ".join(parts)

    def removals(self) -> list[Removal]:
        """What was taken from the old program's actions, with runs that show why as far as the time allows."""
        found = []
        for family, members in enumerate(self._families()):
            symmetric = self.protocol.processes[members[0]].symmetric
            for number in members[:1] if symmetric else members:
                process = None if symmetric or len(members) == 1 else self.protocol.processes[number]
                found += [
                    Removal(family, process, *rest) for rest in self._taken(number, self.protocol.processes[number])
                ]
        return found

    def _taken(
        self, number: int, process: Process
    ) -> Iterator[tuple[Action, str, tuple[str, ...], int, Trouble | None]]:
        views, seen, table = self.space.views[number], self.seen[number], self.table[number]
        for action in process.actions:
            for way, alternative in enumerate(action.alternatives):
                choice = views.of_alternative[action.number, way][seen]
                enabled = choice >= 0
                gone = enabled & ~table[seen, choice]
                if gone.any():
                    when = tuple(self.speakers[number].guard(seen[gone], seen[enabled & ~gone]))
                    groups = np.unique(self.group_of[number][seen[gone], choice[gone]])
                    effect = alternative.text if len(action.alternatives) > 1 else action.effect_text
                    yield action, effect, when, len(groups), self._trouble(groups)

    def _trouble(self, groups: NDArray[np.int64]) -> Trouble | None:
        """The shortest of the runs that go wrong with one of some groups put back."""
        best: Trouble | None = None
        for group in groups.tolist()[:3]:
            program = chosen_program(self.space, self.groups, group)
            try:
                found = check(self.protocol, program, self.space.level, self.begin, deadline=self.deadline).trouble
            except Stopped:
                return best
            if found is not None and (best is None or len(found.run) < len(best.run)):
                best = found
        return best


_Part: TypeAlias = tuple[str, str, str, int | None]
"""Of an action: guard, effect, origin, and the number of the old action that it comes from."""


def _both(guard: str) -> str:
    """A guard as an operand of `and`."""
    return f"({guard})" if any(word in f" {guard} " for word in (" or ", " imply ", " all ", " some ")) else guard


def check_as_it_is(
    protocol: Protocol, level: str = "masking", limit: int = 1_000_000, timeout: float | None = None
) -> tuple[Checked | None, str | None]:
    """Whether a protocol tolerates its faults as it is; None and the reason if there is no answer."""
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        maker = Maker(protocol, level, limit, deadline)
        begin = [maker.columns.state(row) for row in maker.initial()]
        return check(protocol, original(protocol), level, begin, limit, deadline), None
    except Stopped as error:
        return None, error.why
    except KeyboardInterrupt:
        return None, "it was interrupted"
