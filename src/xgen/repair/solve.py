"""The choice of groups, as one satisfiability problem: a boolean for each state that is reached, one for each group.

A state that is reached makes what its steps lead to reached; bad steps are not taken; who must go on has a group that
does. Cycles outside the legitimate states are forbidden one by one, as solutions show them. If there is no solution,
there is no such program.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xgen.records import dataclass
from xgen.repair.columns import Flags
from xgen.repair.space import Space, Stopped

if TYPE_CHECKING:
    from pysat.solvers import Solver

Groups: TypeAlias = NDArray[np.int64]
BLOCK = 1 << 16
"""Clauses that are given to the solver at a time."""


@dataclass
class Choice:
    """The groups of the new program, and the states that it reaches with the faults."""

    groups: Flags
    reached: Flags
    cycles: int


def choose(
    space: Space, deadline: float | None = None, say: Callable[[str], None] | None = None
) -> tuple[Choice | None, int]:
    """Groups that make the program tolerant, or None if there are none; and how many cycles had to be forbidden.

    As many groups of the old program stay as can; with that, there are as few new ones as can be. Raises Stopped when
    the time is over.
    """
    with _Formula(space, deadline) as formula:
        found = formula.solve([])
        if found is None:
            return None, formula.cycles
        old, new = (formula.chosen(np.flatnonzero(which)) for which in (space.old, ~space.old))
        found = formula.fewest([-literal for literal in old], found, "groups of the old program removed", say)
        found = formula.fewest(new, found, "groups of the new program", say)
        return Choice(found, reach(space, found), formula.cycles), formula.cycles


def reach(space: Space, groups: Flags) -> Flags:
    """The states that are reached by groups and faults."""
    taken = groups[space.step_group] & (space.step_to >= 0)
    edges_from = np.concatenate([space.step_from[taken], space.fault_from])
    edges_to = np.concatenate([space.step_to[taken], space.fault_to])
    order = np.argsort(edges_from, kind="stable")
    edges_from, edges_to = edges_from[order], edges_to[order]
    starts = np.searchsorted(edges_from, np.arange(len(space.states) + 1))
    reached = np.zeros(len(space.states), dtype=np.bool_)
    reached[: space.initial] = True
    frontier = np.arange(space.initial)
    while len(frontier):
        targets = edges_to[_ranges(starts[frontier], starts[frontier + 1])]
        frontier = np.unique(targets[~reached[targets]])
        reached[frontier] = True
    return reached


def _ranges(first: Groups, last: Groups) -> Groups:
    """The numbers of several ranges, one after the other."""
    lengths = last - first
    skipped = np.repeat(np.cumsum(lengths) - lengths, lengths)
    found: Groups = np.arange(int(lengths.sum())) - skipped + np.repeat(first, lengths)
    return found


def find_cycles(space: Space, groups: Flags, reached: Flags) -> list[list[int]]:
    """Cycles of program steps outside the legitimate states, as steps; none only if there are none at all."""
    inside = reached & ~space.legit
    taken = groups[space.step_group] & (space.step_to >= 0) & inside[space.step_from]
    steps = np.flatnonzero(taken & inside[space.step_to])
    while len(steps):
        # What leads on to nothing is on no cycle.
        goes_on = np.zeros(len(space.states), dtype=np.bool_)
        goes_on[space.step_from[steps]] = True
        rest = steps[goes_on[space.step_to[steps]]]
        if len(rest) == len(steps):
            break
        steps = rest
    following = {int(space.step_from[step]): int(step) for step in steps[::-1]}
    cycles = []
    done: dict[int, int] = {}
    for number, start in enumerate(following):
        path: list[int] = []
        state = start
        while state not in done:
            done[state] = number
            path.append(following[state])
            state = int(space.step_to[following[state]])
        if done[state] == number:
            first = next(i for i, step in enumerate(path) if space.step_from[step] == state)
            cycles.append(path[first:])
    return cycles


class _Formula:
    """The clauses in a solver. Variables are the states from 1, then the groups."""

    def __init__(self, space: Space, deadline: float | None) -> None:
        self.space = space
        self.deadline = deadline
        self.first = len(space.states) + 1
        self.top = len(space.states) + len(space.groups)
        self.cycles = 0
        self._solver: Solver = _solver()
        self._fill()

    def __enter__(self) -> _Formula:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def chosen(self, groups: Groups) -> list[int]:
        """The literals that choose groups."""
        found: list[int] = (groups + self.first).tolist()
        return found

    def solve(self, assumptions: list[int]) -> Flags | None:
        """A choice without cycles under assumptions, or None."""
        space = self.space
        while self._run(assumptions):
            model = np.array(self._solver.get_model()[: len(space.states) + len(space.groups)])
            groups = model[self.first - 1 :] > 0
            cycles = find_cycles(space, groups, reach(space, groups)) if space.level != "failsafe" else []
            if not cycles:
                return groups
            self.cycles += len(cycles)
            for cycle in cycles:
                picked = {-int(self.first + space.step_group[step]) for step in cycle}
                self._solver.add_clause([-int(space.step_from[cycle[0]] + 1), *sorted(picked)])
        return None

    def fewest(self, literals: list[int], found: Flags, what: str, say: Callable[[str], None] | None) -> Flags:
        """A choice under which as few of some literals hold as can; so many hold in all choices from now on.

        The literals are counted by a totalizer, whose bound is lowered until there is no choice left.
        """
        from pysat.card import ITotalizer

        holding = self._holding(literals, found)
        if not literals or holding == 0:
            self._solver.append_formula([[-literal] for literal in literals])
            return found
        with ITotalizer(literals, ubound=holding, top_id=self.top) as counter:
            self._solver.append_formula(counter.cnf.clauses)
            self.top = counter.top_id
            while holding:
                better = self.solve([-counter.rhs[holding - 1]])
                if better is None:
                    break
                found, holding = better, self._holding(literals, better)
                if say:
                    say(f"{holding} {what}")
            if holding < len(counter.rhs):
                self._solver.add_clause([-counter.rhs[holding]])
        return found

    def _holding(self, literals: list[int], found: Flags) -> int:
        return sum(bool(found[abs(literal) - self.first]) == (literal > 0) for literal in literals)

    def _run(self, assumptions: list[int]) -> bool:
        """Solve in a thread of its own, so that time limits and Ctrl-C are heard."""
        answer: list[bool] = []
        thread = threading.Thread(
            target=lambda: answer.append(self._solver.solve_limited(assumptions, expect_interrupt=True)), daemon=True
        )
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.2 if self.deadline is None else max(0.001, min(0.2, self.deadline - time.monotonic())))
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise Stopped("the time is over")
        except BaseException:
            while thread.is_alive():
                self._solver.interrupt()
                thread.join(0.05)
            self._solver.clear_interrupt()
            raise
        return answer[0]

    def _fill(self) -> None:
        space, solver = self.space, self._solver
        for first in range(0, len(space.step_from), BLOCK):
            part = slice(first, first + BLOCK)
            state, group = -(space.step_from[part] + 1), -(space.step_group[part] + self.first)
            to = space.step_to[part] + 1
            stays = to > 0
            solver.append_formula(np.stack([state, group, to], axis=1)[stays].tolist())
            solver.append_formula(np.stack([state, group], axis=1)[~stays].tolist())
        good = ~space.bad_fault
        solver.append_formula(np.stack([-(space.fault_from + 1), space.fault_to + 1], axis=1)[good].tolist())
        solver.append_formula((-(space.fault_from[~good] + 1))[:, None].tolist())
        ways: dict[int, list[int]] = {int(state): [] for state in np.flatnonzero(space.must_go_on)}
        open_ = np.flatnonzero((space.step_to >= 0) & space.must_go_on[space.step_from])
        for state, group in zip(space.step_from[open_].tolist(), space.step_group[open_].tolist(), strict=True):
            ways[state].append(group + self.first)
        solver.append_formula([[-(state + 1), *groups] for state, groups in ways.items()])
        solver.append_formula([[state + 1] for state in range(space.initial)])
        phases = [-(state + 1) for state in range(len(space.states))]
        phases += [(self.first + group) * (1 if old else -1) for group, old in enumerate(space.old.tolist())]
        solver.set_phases(phases)


def _solver() -> Any:
    from pysat.solvers import Solver

    return Solver(name="glucose4")
