"""One exploration in a process of its own: measure.py gives it a job as JSON, and reads what it says.

An exploration that takes no time to speak of is done again until some time has gone by; the fastest counts.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass

import xgen
from xgen.engine.problem import problem
from xgen.engine.run import Options, Run

AGAIN = 0.1
"""Seconds of exploring below which it is done once more."""


@dataclass(frozen=True)
class Job:
    """What to explore: the text of an XCFA program, or the file of one in C.

    `start` is when the process was started, by the clock that all processes share.
    """

    text: str
    model: str
    workers: int
    depth: int | None
    timeout: float | None
    start: float
    file: str | None = None


@dataclass(frozen=True)
class Explored:
    """What an exploration came to; `seconds` without the start-up, which is imports, parsing, model and plan."""

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
    while sum(times) < AGAIN:
        run = Run(asked, options)
        begin = time.monotonic()
        startup = startup or begin - job.start
        run.finish()
        times.append(time.monotonic() - begin)
        counters = run.core.counters
        del run
    # Linux counts in KiB, macOS in bytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    counts = {name: counters[name] for name in ("executions", "blocked", "bounded", "explored", "held")}
    return Explored(**counts, seconds=min(times), startup=startup, peak_mib=peak)


if __name__ == "__main__":
    print(json.dumps(asdict(explore(Job(**json.load(sys.stdin))))))
