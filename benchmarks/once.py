"""One exploration, as measure.py has it done in a process of its own.

An exploration that takes no time to speak of is done again until some time has gone by; the fastest counts.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harness import AGAIN, peak_mib

import xgen
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem


@dataclass(frozen=True)
class Job:
    """What to explore: the text of an XCFA program, or the file of one in C."""

    text: str
    model: str
    workers: int
    depth: int | None
    timeout: float | None
    file: str | None = None


@dataclass(frozen=True)
class Explored:
    """What an exploration came to; `seconds` are the processor's where one worker works, else the clock's.

    They are without the start-up, which is imports, parsing, model and plan: the processor's seconds of the process.
    """

    executions: int
    blocked: int
    bounded: int
    explored: int
    held: int
    seconds: float
    startup: float
    peak_mib: float


def explore(job: Job) -> Explored:
    """Does the job. Raises XgenError as `xgen.check` does."""
    program = xgen.parse(job.text) if job.file is None else xgen.load(job.file)
    model = xgen.model(job.model)
    options = Options(job.depth, all_states=True, workers=job.workers, timeout=job.timeout)
    asked = problem(program, model)
    times: list[float] = []
    startup = 0.0
    clock = time.process_time if job.workers == 1 else time.monotonic
    while sum(times) < AGAIN:
        run = Run(asked, options)
        startup = startup or time.process_time()
        begin = clock()
        run.finish()
        times.append(clock() - begin)
        counters = run.core.counters
        del run
    counts = {name: counters[name] for name in ("executions", "blocked", "bounded", "explored", "held")}
    return Explored(**counts, seconds=min(times), startup=startup, peak_mib=peak_mib())


def explored(job: Mapping[str, Any]) -> dict[str, Any]:
    """The same for what goes between processes."""
    return asdict(explore(Job(**job)))
