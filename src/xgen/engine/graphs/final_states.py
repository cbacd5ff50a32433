"""The final states of an exploration, as the core has gathered them."""

from __future__ import annotations

from xgen import _core
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.problem import Problem
from xgen.executions.result import Outcome

Row = tuple[bytes, int, int]
"""A final state, as `_core.Outcomes` has it, how often it was met, and how often with a violation."""


class States(Lazy[Outcome]):
    """The outcomes that were gathered in memory, ordered by their values; each is made when it is asked for."""

    def __init__(self, problem: Problem, outcomes: _core.Outcomes) -> None:
        self._problem, self._outcomes = problem, outcomes

    def __len__(self) -> int:
        return len(self._outcomes)

    def item(self, place: int) -> Outcome:
        """The outcome at a place of the order."""
        return outcome_of(self._problem, self._outcomes.rows(place, 1)[0])


def outcome_of(problem: Problem, row: Row) -> Outcome:
    """What a row says."""
    state, count, violations = row
    return Outcome(problem.state(_core.outcome_values(state)), count, violations)
