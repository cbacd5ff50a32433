"""What slices have found together: everything that is counted is counted here, once."""

from __future__ import annotations

from dataclasses import dataclass, field

from xgen import _core
from xgen.engine.distributed.slices import Slice
from xgen.engine.graphs.intervals import Interval
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.problem import Problem
from xgen.executions.execution import Execution
from xgen.executions.result import Outcome

AT_ONCE = "held"
"""The counter of what is there at one time: of slices the most counts."""

CHUNK = 10_000
"""Rows that are taken at once."""

Row = tuple[bytes, int, int]
"""A final state, as `_core.Outcomes` has it, how often it was met, and how often with a violation."""


@dataclass
class Gathered:
    """What was found so far, of one bound.

    outcomes  those that are not in a checkpoint yet
    witness   of the part that starts first: where it starts, that part, and the execution once it is known
    """

    problem: Problem
    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_core.COUNTERS, 0))
    flags: list[int] = field(default_factory=list)
    cuts: set[int] = field(default_factory=set)
    waits: set[int] = field(default_factory=set)
    counted: bool = True
    reached: int = 0
    outgrown: bool = False
    witness: tuple[Interval, Execution | None] | None = None
    outcomes: _core.Outcomes = field(init=False)

    def __post_init__(self) -> None:
        self.outcomes = _core.Outcomes(len(self.problem.final_values))
        self.flags = self.flags or [0] * len(self.problem.model.constraints)

    def add(self, part: Interval, found: Slice) -> None:
        """Counts what the slice of a part has found."""
        for name, number in found.counters.items():
            self.counters[name] = max(self.counters[name], number) if name == AT_ONCE else self.counters[name] + number
        for number, count in enumerate(found.flags):
            self.flags[number] += count
        self.outcomes.merge(found.outcomes)
        self.cuts.update(found.cuts)
        self.waits.update(found.waits)
        self.reached |= found.reached
        self.counted &= found.counted
        self.outgrown |= found.outgrown
        if found.witness is not None and (self.witness is None or part.start < self.witness[0].start):
            self.witness = part, found.witness


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
