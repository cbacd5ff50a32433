"""Exploring a part for a while: what was found, and what is left of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from xgen import _core
from xgen.engine.distributed.workers import Workers
from xgen.engine.graphs.intervals import WHOLE, Interval, interval
from xgen.engine.graphs.native import DUPLICATE_LIMIT
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.errors import XgenError
from xgen.executions.execution import Execution
from xgen.records import dataclass, replace

OUTCOME_PAUSE = 200_000
"""Different outcomes with which a slice ends, so that neither its memory nor its answer grows without end."""

PIECE = 0.1
"""Seconds between two looks at whether a slice is to end at once."""

ALL_OUTCOMES = 2**63 - 1


class NowhereError(XgenError):
    """A part that is none of the program's: its path leads nowhere."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What a slice has found; together with `left`, it is all of the part that was explored.

    violation it is enough to end the whole exploration
    left      what was not explored; None: nothing
    seconds   of the processor
    """

    found: _core.Findings
    witness: Execution | None
    violation: bool
    left: Interval | None
    seconds: float


class Slicer:
    """A problem made ready to be explored in slices, with the bound `options.max_depth`.

    duplicates  executions that are compared with each other, in the slice that begins with the whole
    """

    def __init__(self, problem: Problem, options: Options, duplicates: int = DUPLICATE_LIMIT) -> None:
        self._duplicates = duplicates
        options = replace(options, timeout=None, workers=1, trace_limit=0)
        self._run = Run(problem, options, WHOLE)

    def explore(
        self,
        part: Interval,
        seconds: float,
        outcomes: int = OUTCOME_PAUSE,
        graphs: int | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Slice:
        """Explores a part for so long, or until there are so many outcomes, or so many graphs; or it is to `stop`.

        There is always less left than before. The slice that begins with the whole goes on until so many executions
        were compared with each other as in a run that is not divided. Raises as `Run.advance` does.
        """
        run, start, cpu = self._run, time.monotonic(), time.process_time()
        settings = run.settings(run.depth)
        settings.outcome_limit, settings.outcome_pause = ALL_OUTCOMES, outcomes
        if graphs is not None:
            settings.graph_pause = graphs
        settings.duplicate_limit = self._duplicates if part == WHOLE else 0
        try:
            run.core = run.explore(part, settings)
        except ValueError:  # the core's word for it
            raise NowhereError("a part of the exploration leads nowhere") from None
        more, pause = True, False
        while more and not pause:
            rest = start + seconds - time.monotonic()
            more = run.advance(max(0.0, min(rest, PIECE)))
            over = rest <= PIECE or graphs is not None or run.core.outcome_count >= outcomes
            pause = more and (over or stop()) and self._may_pause(part, stop)
        halted = run.halt == _core.Halt.VIOLATION
        left = None if not more and not halted else interval(*run.core.left)
        return Slice(run.core.findings, run.witness(), halted, left, time.process_time() - cpu)

    def _may_pause(self, part: Interval, stop: Callable[[], bool]) -> bool:
        core = self._run.core
        if not core.settled or interval(*core.left) == part:
            return False
        return part != WHOLE or stop() or core.counters["duplicates_checked"] >= self._duplicates


@dataclass(frozen=True, slots=True)
class Task:
    """A slice to explore: of the part of that number, tried for that time, with that bound on events per thread."""

    number: int
    try_: int
    part: Interval
    depth: int | None
    seconds: float
    outcomes: int

    @property
    def name(self) -> str:
        """Where the part is, and which slice of it this is."""
        return ".".join(map(str, self.part.start)) or "whole"


Explorers = Workers[Task, Slice]
"""Those who explore slices."""


class Slicers:
    """A problem made ready for slices, once for each bound; called with a task, it does it.

    stop        whether a slice is to end at once
    duplicates  as `Slicer` has it
    """

    def __init__(
        self,
        problem: Problem,
        options: Options,
        stop: Callable[[], bool] = lambda: False,
        duplicates: int = DUPLICATE_LIMIT,
    ) -> None:
        self._problem, self._options, self._stop, self._duplicates = problem, options, stop, duplicates
        self._ready: dict[int | None, Slicer] = {}

    def __call__(self, task: Task) -> Slice:
        """The answer to a task. Raises what `Slicer` raises."""
        if task.depth not in self._ready:
            options = replace(self._options, max_depth=task.depth)
            self._ready = {task.depth: Slicer(self._problem, options, self._duplicates)}
        return self._ready[task.depth].explore(task.part, task.seconds, task.outcomes, stop=self._stop)
