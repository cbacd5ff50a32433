"""A case: a program, a model and a question, which the ways to answer it are given as one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from xgen.analyses.check.portfolio import why_not
from xgen.analyses.check.question import Question
from xgen.clock import Clock
from xgen.engine.graphs.lazy_cells import with_absent_cells
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import AbsentCell, Run
from xgen.engine.problem import Problem, problem
from xgen.errors import UnsupportedError, UsageError
from xgen.memory.adapt import of_races
from xgen.memory.algebra import Model
from xgen.program.automaton import Program
from xgen.records import dataclass, replace
from xgen.tags import KERNEL

LOOKED_AT = 200
"""In so many executions races are looked for."""
LATE = 2.0
"""Seconds after which a run that reports its progress estimates what is left."""
ESTIMATING = 0.4
"""Seconds that it takes for this."""


def see_that_waits_show(program: Program) -> None:
    """Raises UnsupportedError where a thread may wait for ever and executions do not show it."""
    place = program.question.unseen if program.question is not None else None
    if place is not None:
        message = "whether a thread waits for ever at a barrier with a quorum is not told here"
        hint = "`xgen litmus --liveness` tells it"
        raise UnsupportedError(message, program.source, place, hint)


@dataclass(frozen=True)
class Case:
    """What is to be explored, and the time that there is."""

    program: Program
    model: Model
    question: Question
    clock: Clock

    def __post_init__(self) -> None:
        if self.question.liveness:
            see_that_waits_show(self.program)

    @cached_property
    def whole(self) -> Problem:
        """The problem, of all cells. Raises UsageError for classes that the model does not allow."""
        return self._problem(self.program)

    @cached_property
    def lazy(self) -> Problem:
        """That without the cells that no statement names, where they can be added later."""
        asked = self._problem(with_absent_cells(self.program))
        return self.whole if asked.program.absent and asked.strategy.ahead else asked  # addresses are unknown there

    @cached_property
    def each(self) -> Problem:
        """The problem of executions, whichever classes are asked for, without what another model demands."""
        return problem(self.program, self.model, private=self.question.private, parts=True)

    def of_classes(self) -> Problem:
        """The problem of classes of executions."""
        return problem(self.program, self.model, classes=True, private=self.question.private)

    def options(self) -> Options:
        """How the engine explores in the time that is left; it keeps executions if their races are told."""
        options = self.question.options(self.clock.left())
        return replace(options, trace_limit=max(options.trace_limit, LOOKED_AT)) if self.tells_races else options

    @property
    def tells_races(self) -> bool:
        """Whether data races that the model flags are told, of a program that has a meaning all the same."""
        flagged = any(of_races(constraint) for constraint in self.model.constraints)
        return flagged and self.program.target == KERNEL and self.program.races is not False

    def watch(self, run: Run) -> Callable[[Progress], None] | None:
        """Who hears how far a run has come."""
        return _with_total(run, self.question.on_progress) if self.question.on_progress else None

    def _problem(self, program: Program) -> Problem:
        question, partition = self.question, self.question.partition
        asked = problem(
            program,
            self.model,
            reference=question.robust,
            classes=partition != "off",
            private=question.private,
            parts=not question.cones,
            asker="`--cones`",
        )
        if partition != "off" and (what := why_not(asked, partition)) is not None:
            allows = f"under {self.model.name}, which allows load buffering"
            raise UsageError(f"{what} cannot be used with classes={partition!r} {allows}", file=program.source.name)
        return asked


def _with_total(run: Run, on_progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The same reports; those of runs that take longer say about how many graphs there are in all."""
    totals: dict[int | None, float | None] = {}
    """By the run's depth."""

    def report(progress: Progress) -> None:
        from xgen.engine.graphs.estimate import expected_graphs  # long to import

        if run.depth not in totals and progress.seconds >= LATE:
            try:
                totals[run.depth] = expected_graphs(run, ESTIMATING)
            except AbsentCell:
                totals[run.depth] = None
        on_progress(replace(progress, total=totals.get(run.depth)))

    return report
