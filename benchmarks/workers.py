"""Exploring with several workers (Bajczi 2020, section 6.2.1): figure 6.10.

    python benchmarks/workers.py > results/workers.csv

`seconds` are by the clock, of the best run; `cpu` those of all cores together in that run. More workers than cores only
show that they do no harm.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from families import instance
from harness import apart, write

import xgen
from xgen.engine.problem import problem
from xgen.engine.run import Options, Run

PROGRAMS = ("readers(21)", "coherence(11)", "writers(3,4)", "variables(19)", "fetch_add(9)")
MODEL = "weak"
WORKERS = (1, 2, 4, 8)
REPEAT = 5
FIELDS = ("program", "model", "workers", "executions", "explored", "seconds", "cpu", "load")


def explore(name: str, workers: int) -> dict[str, object]:
    """One exploration."""
    asked = problem(xgen.parse(instance(name).text), xgen.model(MODEL))
    run = Run(asked, Options(all_states=True, workers=workers))
    begin, cpu = time.monotonic(), time.process_time()
    run.finish()
    seconds, used = time.monotonic() - begin, time.process_time() - cpu
    counters = run.core.counters
    return {
        "executions": counters["executions"], "explored": counters["explored"], "seconds": round(seconds, 3),
        "cpu": round(used, 3), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def rows() -> Iterator[dict[str, object]]:
    """The runs of a program go by turns, so that what else the machine does falls on all of them."""
    for name in PROGRAMS:
        runs = {workers: [] for workers in WORKERS}
        for _ in range(REPEAT):
            for workers in WORKERS:
                runs[workers].append(apart(explore, name, workers))
        for workers, found in runs.items():
            best = min(found, key=lambda one: one["seconds"])
            yield {"program": name, "model": MODEL, "workers": workers, **best}


if __name__ == "__main__":
    write(FIELDS, rows())
