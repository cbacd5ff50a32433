"""The states that a repair may have to speak of, and the groups of steps that it chooses from.

A group is a process, what it reads, and what it writes: all steps that look the same to the process. Groups are taken
whole; that is what makes a program distributed. Processes that are symmetric share groups up to renaming.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xgen.errors import LimitError, ProgramError
from xgen.records import dataclass
from xgen.repair.columns import Columns, Digits, Flags
from xgen.repair.protocol import Action, Process, Protocol

Codes: TypeAlias = NDArray[np.int64]
MAX_VIEWS = 4_000_000
"""What one process may see at most, as a number of different views."""
BLOCK = 1 << 14
"""States whose steps are made at a time."""


class Stopped(Exception):
    """The time is over, or there are more states than allowed; `why` is a sentence's end."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Views:
    """What a process sees and what it can do: numbers for views and for what is written, and the old program's steps.

    `old[view, choice]` says whether the old program has that step. Steps that change nothing are none.
    """

    def __init__(self, columns: Columns, process: Process) -> None:
        variables = columns.protocol.variables
        self.process = process
        self.reads = np.array(process.reads, dtype=np.int64)
        self.writes = np.array(process.writes, dtype=np.int64)
        self.radix = _radix([len(variables[v].values) for v in process.reads])
        self.count = int(np.prod([len(variables[v].values) for v in process.reads], dtype=object))
        sizes = [len(variables[v].values) for v in process.writes]
        self.write_radix = _radix(sizes)
        self.choices = int(np.prod(sizes, dtype=object)) if sizes else 0
        if self.count * max(1, self.choices) > MAX_VIEWS:
            shown = f"{self.count} views, and {self.choices} choices in each"
            raise LimitError(f"process {process.name} reads too much: {shown} (at most {MAX_VIEWS} of both)")
        self.choice_digits = _decode(np.arange(self.choices), sizes)
        self._columns = columns
        self.old = np.zeros((self.count, self.choices), dtype=np.bool_)
        self.of_alternative: dict[tuple[int, int], NDArray[np.int64]] = {}
        for action in process.actions:
            self._enter(action)
        self.canonical = self._canonical()

    def numbers(self, states: Digits) -> Codes:
        """The views of states."""
        return states[:, self.reads].astype(np.int64) @ self.radix

    def written(self, states: Digits) -> Codes:
        """What a state has where the process writes, as the number of a choice: the one that changes nothing."""
        return states[:, self.writes].astype(np.int64) @ self.write_radix

    @cached_property
    def rows(self) -> Digits:
        """A state for each view; what is not read is its variable's first value."""
        sizes = [len(self._columns.protocol.variables[v].values) for v in self.process.reads]
        rows = np.zeros((self.count, len(self._columns.protocol.variables)), dtype=np.int16)
        rows[:, self.reads] = _decode(np.arange(self.count), sizes)
        return rows

    def _enter(self, action: Action) -> None:
        """Enter an action's steps; `of_alternative` keeps for each of its ways the choice in each view, or -1."""
        enabled = np.flatnonzero(self._columns.holds(action.guard, self.rows))
        rows = self.rows[enabled]
        for number, alternative in enumerate(action.alternatives):
            after = rows.copy()
            for variable, value in alternative.updates:
                digits = self._columns.digits(variable, value, rows)
                if (digits < 0).any():
                    self._refuse(action, variable, rows[int((digits < 0).argmax())])
                after[:, variable] = digits
            choice, same = self.written(after), self.written(rows)
            self.old[enabled[choice != same], choice[choice != same]] = True
            found = np.full(self.count, -1, dtype=np.int64)
            found[enabled[choice != same]] = choice[choice != same]
            self.of_alternative[action.number, number] = found

    def _refuse(self, action: Action, variable: int, row: Digits) -> None:
        protocol = self._columns.protocol
        seen = ", ".join(
            f"{protocol.variables[v].name} = {protocol.variables[v].shown(protocol.variables[v].values[row[v]])}"
            for v in self.process.reads
        )
        name = protocol.variables[variable].name
        message = f"this sets `{name}` to what is none of its values"
        raise ProgramError(message, protocol.source, action.at, f"where {seen}")

    def _canonical(self) -> NDArray[np.int64]:
        """For each view the least view that is the same up to the order of the other processes."""
        process = self.process
        numbers = np.arange(self.count, dtype=np.int64)
        if not process.symmetric or len(process.others) < 2 or not process.others[0]:
            return numbers
        variables = self._columns.protocol.variables
        column = {v: position for position, v in enumerate(process.reads)}
        digits = self.rows[:, self.reads].astype(np.int64)
        sizes = [len(variables[v].values) for v in process.others[0]]
        radix = _radix(sizes)
        places = [[column[v] for v in other] for other in process.others]
        each = np.stack([digits[:, place] @ radix for place in places], axis=1)
        each.sort(axis=1)
        for position, place in enumerate(places):
            digits[:, place] = _decode(each[:, position], sizes)
        return digits @ self.radix


@dataclass
class Space:
    """The states, made by need, and all steps of groups between them.

    States are numbered in the order in which they are found. A step has a state, a group, the state that it leads to
    (-1: the step must not be taken), and a process. `clauses` counts what the formula is made of: one for each step of
    a group, one for each step of a fault, one for each state that must not be a dead end.
    """

    protocol: Protocol
    level: str
    views: list[Views]
    states: Digits
    initial: int  # the first so many states
    legit: Flags
    must_go_on: Flags
    bad_fault: Flags
    fault_from: Codes
    fault_to: Codes
    step_from: Codes
    step_to: Codes
    step_group: Codes
    step_process: NDArray[np.int16]
    groups: NDArray[np.int64]  # a number for each that says what it is
    old: Flags  # of each group

    @cached_property
    def choices(self) -> NDArray[np.int64]:
        """What each step writes, as the number of a choice of its process."""
        counts = np.array([max(1, views.choices) for views in self.views])
        found: NDArray[np.int64] = self.groups[self.step_group] % (MAX_VIEWS + 1) % counts[self.step_process]
        return found

    @property
    def clauses(self) -> int:
        """Of the formula, but for those of cycles."""
        return len(self.step_from) + len(self.fault_from) + int(self.must_go_on.sum())


class Maker:
    """Makes states by need: from the initial ones by faults, and by all groups' steps that are not excluded at once.

    A step is excluded at once if it is bad (unless the level is nonmasking), or new and from a legitimate state:
    whatever is chosen, it is not taken where its state is reached.
    """

    def __init__(
        self,
        protocol: Protocol,
        level: str,
        limit: int,
        deadline: float | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.protocol = protocol
        self.level = level
        self.limit = limit
        self.deadline = deadline
        self.say = say
        self.columns = Columns(protocol)
        sizes = [len(v.values) for v in protocol.variables]
        if int(np.prod(sizes, dtype=object)) >= 1 << 62:
            raise LimitError("the variables have more than 2^62 combinations of values")
        self.sizes = sizes
        self.radix = _radix(sizes)
        self.views = [Views(self.columns, process) for process in protocol.processes]
        self._check_symmetry()
        self.seen: Codes = np.zeros(0, dtype=np.int64)
        self.number: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.count = 0

    def make(self) -> Space:
        """All of it. Raises Stopped at the limit of states or time."""
        frontier = self.initial()
        initial = len(frontier)
        states, steps, faults = [], [], []
        while len(frontier):
            first = self.count - len(frontier)
            states.append(frontier)
            self._check_time()
            steps.append(self._program_steps(frontier))
            faults.append(self._fault_steps(frontier))
            steps[-1][0] += first
            faults[-1][0] += first
            to = steps[-1][1]
            frontier = self._new(np.concatenate([to[to >= 0], faults[-1][1]]))
            if self.say:
                self.say(f"{self.count:,} states")
        return self._space(
            np.concatenate(states), initial, np.concatenate(steps, axis=1), np.concatenate(faults, axis=1)
        )

    # --- Steps ---------------------------------------------------------------------------------------------------

    def initial(self) -> Digits:
        """The states in which a run may start."""
        free = [v for v, variable in enumerate(self.protocol.variables) if variable.initial is None]
        sizes = [self.sizes[v] for v in free]
        total = int(np.prod(sizes, dtype=object))
        if total > 50 * self.limit:
            names = ", ".join(self.protocol.variables[v].name for v in free[:5])
            raise LimitError(f"there are {total} states to start from before `init` is looked at: {names}, .. are free")
        found = []
        for first in range(0, total, 1 << 18):
            self._check_time()
            numbers = np.arange(first, min(total, first + (1 << 18)))
            rows = np.zeros((len(numbers), len(self.sizes)), dtype=np.int16)
            for v, variable in enumerate(self.protocol.variables):
                if variable.initial is not None:
                    rows[:, v] = variable.values.index(variable.initial)
            rows[:, free] = _decode(numbers, sizes)
            found.append(rows[self.columns.holds(self.protocol.init, rows)])
        rows = np.concatenate(found)
        if not len(rows):
            raise ProgramError("there is no state to start from", self.protocol.source, self.protocol.init.at)
        bad = self.columns.holds(self.protocol.never, rows)
        if bad.any():
            state = self.protocol.describe(self.columns.state(rows[int(bad.argmax())]))
            raise ProgramError(
                "a run may start in a state that must never be", self.protocol.source, self.protocol.never.at, state
            )
        return self._new(rows.astype(np.int64) @ self.radix)

    def _program_steps(self, states: Digits) -> Codes:
        """All groups' steps from states, a column each: from (row), to (code; -1: excluded at once), view and choice as
        one number, process."""
        joined = [self._steps_of_block(states[first : first + BLOCK], first) for first in range(0, len(states), BLOCK)]
        return np.concatenate(joined, axis=1)

    def _steps_of_block(self, states: Digits, first: int) -> Codes:
        codes = states.astype(np.int64) @ self.radix
        parts, befores, afters = [], [], []
        for number, views in enumerate(self.views):
            seen, same = views.numbers(states), views.written(states)
            for choice in range(views.choices):
                rows = np.flatnonzero(same != choice)
                after = states[rows]
                after[:, views.writes] = views.choice_digits[choice]
                to = codes[rows] + (after.astype(np.int64) - states[rows]) @ self.radix
                group = views.canonical[seen[rows]] * views.choices + choice
                is_old = views.old[seen[rows], choice]
                parts.append(np.stack([rows, to, group, np.full(len(rows), number), is_old]))
                befores.append(states[rows])
                afters.append(after)
        steps = np.concatenate(parts, axis=1)
        before, after = np.concatenate(befores), np.concatenate(afters)
        is_old = steps[4].astype(np.bool_)
        legit = self.columns.holds(self.protocol.legit, states)[steps[0]]
        self._check_closed(steps[3], before, after, legit & is_old)
        excluded = legit & ~is_old
        if self.level != "nonmasking":
            excluded |= self._bad(before, after)
        steps[1, excluded] = -1
        steps[0] += first
        return steps[:4]

    def _bad(self, before: Digits, after: Digits) -> Flags:
        """Which steps lead to a state that must not be, or must not be taken themselves."""
        _, one, all_ = np.unique(after.astype(np.int64) @ self.radix, return_index=True, return_inverse=True)
        never = self.columns.holds(self.protocol.never, after[one])[all_]
        return never | self.columns.holds(self.protocol.never_step, before, after)

    def _check_closed(self, processes: Codes, before: Digits, after: Digits, rows: Flags) -> None:
        """The old program must not leave the legitimate states: what is written is not what is meant, then."""
        left = rows.copy()
        left[rows] = ~self.columns.holds(self.protocol.legit, after[rows])
        if not left.any():
            return
        at = int(left.argmax())
        one, two = (self.protocol.describe(self.columns.state(states[at])) for states in (before, after))
        process = int(processes[at])
        views = self.views[process]
        choice = int(views.written(after[at : at + 1])[0])
        view = int(views.numbers(before[at : at + 1])[0])
        for action in self.protocol.processes[process].actions:
            for number in range(len(action.alternatives)):
                if views.of_alternative[action.number, number][view] == choice:
                    message = f"process {views.process.name} leaves the legitimate states by this action"
                    raise ProgramError(message, self.protocol.source, action.at, f"from {one}\n  to   {two}")

    def _fault_steps(self, states: Digits) -> Codes:
        """All faults' steps from states, each once, a column each: from (row), to (code), whether it is bad."""
        parts = [np.zeros((3, 0), dtype=np.int64)]
        for action in self.protocol.faults:
            rows = np.flatnonzero(self.columns.holds(action.guard, states))
            for alternative in action.alternatives:
                before = states[rows]
                after = before.copy()
                for variable, value in alternative.updates:
                    digits = self.columns.digits(variable, value, before)
                    if (digits < 0).any():
                        name = self.protocol.variables[variable].name
                        state = self.protocol.describe(self.columns.state(before[int((digits < 0).argmax())]))
                        message = f"this fault sets `{name}` to what is none of its values"
                        raise ProgramError(message, self.protocol.source, action.at, f"where {state}")
                    after[:, variable] = digits
                changed = (before != after).any(axis=1)
                bad = self._bad(before, after) if self.level != "nonmasking" else np.zeros(len(rows), dtype=np.bool_)
                parts.append(np.stack([rows, after.astype(np.int64) @ self.radix, bad])[:, changed])
        return np.unique(np.concatenate(parts, axis=1), axis=1)

    # --- Numbers -------------------------------------------------------------------------------------------------

    def _new(self, codes: Codes) -> Digits:
        """The states among these that were not seen before, each once; they are seen from now on."""
        fresh = np.setdiff1d(codes, self.seen)
        if self.count + len(fresh) > self.limit:
            raise Stopped(f"there are more than {self.limit:,} states; --limit allows more")
        order = np.argsort(np.concatenate([self.seen, fresh]), kind="stable")
        self.number = np.concatenate([self.number, np.arange(self.count, self.count + len(fresh))])[order]
        self.seen = np.concatenate([self.seen, fresh])[order]
        self.count += len(fresh)
        return _decode(fresh, self.sizes)

    def _numbers(self, codes: Codes) -> Codes:
        """The numbers of states that were seen; -1 stays."""
        found = self.number[np.minimum(np.searchsorted(self.seen, codes), len(self.seen) - 1)]
        return np.where(codes < 0, -1, found)

    def _check_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Stopped("the time is over")

    # --- The whole -----------------------------------------------------------------------------------------------

    def _space(self, states: Digits, initial: int, steps: Codes, faults: Codes) -> Space:
        step_from, to, local, process = steps
        # A group's number among all: symmetric processes share theirs, the others have their own.
        home = np.array(
            [p.family if p.symmetric else len(self.protocol.blocks) + n for n, p in enumerate(self.protocol.processes)]
        )
        keys = home[process] * (MAX_VIEWS + 1) + local
        groups, step_group = np.unique(keys, return_inverse=True)
        by_process = np.array([v.choices for v in self.views])
        old = np.zeros(len(groups), dtype=np.bool_)
        old_steps = np.zeros(len(step_from), dtype=np.bool_)
        for number, views in enumerate(self.views):
            mine = process == number
            canonical, choice = local[mine] // by_process[number], local[mine] % by_process[number]
            old_steps[mine] = views.old[canonical, choice]
        old[step_group[old_steps]] = True
        legit = self.columns.holds(self.protocol.legit, states)
        moves = np.zeros(len(states), dtype=np.bool_)
        moves[step_from[old_steps]] = True
        must = ~(legit & ~moves)
        if self.level == "failsafe":
            must &= legit
        return Space(
            self.protocol,
            self.level,
            self.views,
            states,
            initial,
            legit,
            must,
            faults[2].astype(np.bool_),
            faults[0],
            self._numbers(faults[1]),
            step_from,
            self._numbers(to),
            step_group.astype(np.int64),
            process.astype(np.int16),
            groups,
            old,
        )

    def _check_symmetry(self) -> None:
        """Symmetric processes must do the same in views that are the same up to the others' order."""
        first: dict[int, Views] = {}
        for views in self.views:
            process = views.process
            if not process.symmetric:
                continue
            model = first.setdefault(process.family, views)
            one = model.old[model.canonical]
            same = views.count == model.count and (views.old == views.old[views.canonical]).all()
            if not same or not (views.old == one).all():
                block = self.protocol.blocks[process.family]
                raise ProgramError(
                    "these processes are not symmetric: what they do depends on which of the others it is",
                    self.protocol.source,
                    block.name.at,
                    "leave `symmetric` away",
                )


def _radix(sizes: list[int]) -> NDArray[np.int64]:
    """What each digit counts, for numbers with these numbers of digits' values; the last counts one."""
    weights = [1]
    for size in reversed(sizes[1:]):
        weights.append(weights[-1] * size)
    return np.array(weights[::-1] if sizes else [], dtype=np.int64)


def _decode(numbers: Codes, sizes: list[int]) -> Digits:
    """The digits of numbers: the shape is (numbers, digits)."""
    rows = np.zeros((len(numbers), len(sizes)), dtype=np.int16)
    rest = numbers.astype(np.int64)
    for position in range(len(sizes) - 1, -1, -1):
        rows[:, position] = rest % sizes[position]
        rest = rest // sizes[position]
    return rows
