"""What an exploration has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xgen.engine.graphs.diagnosis import waits_at
from xgen.engine.graphs.run import Run
from xgen.executions.execution import Execution
from xgen.executions.result import LoadBuffering, Outcome
from xgen.records import dataclass


@dataclass(frozen=True)
class Found:
    """What an exploration has found.

    `cut`: a bound made a difference, `cuts` says where. `reached`: see `_core.Findings`. `completes`: whether any
    execution does; None: its number tells. `load_buffering`: see `Result`.
    """

    counters: dict[str, int]
    flags: dict[str, int]
    outcomes: Sequence[Outcome]
    outcomes_complete: bool
    witness: Execution | None
    traces: Sequence[Execution]
    cuts: tuple[str, ...]
    waits: tuple[str, ...]
    cut: bool = False
    counted: bool = True
    reached: int = 0
    stopped: Literal["interrupt", "timeout", "lost", "samples", "incomplete"] | None = None
    completes: bool | None = None
    load_buffering: LoadBuffering | None = None

    @property
    def vacuous(self) -> bool:
        """Whether no execution completes, so that it says nothing that none goes wrong."""
        return not (self.counters["executions"] if self.completes is None else self.completes)


def found_by(run: Run, cuts: bool = True) -> Found:
    """What a run has found; `cuts`: also where it was cut, which may take a short look for loops."""
    found = run.core.findings
    return Found(
        found.counters,
        run.flags(),
        run.outcomes(),
        found.outcomes_complete,
        run.witness(),
        run.traces(),
        tuple(run.cuts()) if cuts else (),
        tuple(waits_at(run, found.waits)),
        run.cut,
        found.counted,
        found.reached,
        run.stopped,
        load_buffering="possible" if run.buffers else "absent" if run.unbuffered else None,
    )
