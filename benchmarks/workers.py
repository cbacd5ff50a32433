"""Exploring with several workers (Bajczi 2020, section 6.2.1): figure 6.10.

    python benchmarks/workers.py > results/workers.csv

`busiest` are the processor's seconds of the worker that worked longest, `cpu` those of all together, in the run with
the least of the former. On cores of their own the workers would be done after the former; what the clock says depends
on what else the machine does, and on how many cores there are. Workers are looked at a hundred times a second.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from families import instance
from harness import apart, by_threads, write

import xgen
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

PROGRAMS = ("readers(21)", "coherence(11)", "writers(3,5)", "variables(19)", "fetch_add(9)")
MODEL = "weak"
WORKERS = (1, 2, 4, 8)
REPEAT = 2
FIELDS = ("program", "model", "workers", "executions", "explored", "busiest", "cpu", "load")


def explore(name: str, workers: int) -> dict[str, object]:
    """One exploration, watched by a thread of its own."""
    asked = problem(xgen.parse(instance(name).text), xgen.model(MODEL))
    run = Run(asked, Options(all_states=True, workers=workers))
    _, used, cpu = by_threads(run.finish)
    counters = run.core.counters
    return {
        "executions": counters["executions"], "explored": counters["explored"], "busiest": round(max(used.values()), 3),
        "cpu": round(cpu, 3), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def rows() -> Iterator[dict[str, object]]:
    """The runs of a program go by turns, so that what else the machine does falls on all of them."""
    for name in PROGRAMS:
        runs: dict[int, list[dict[str, object]]] = {workers: [] for workers in WORKERS}
        for _ in range(REPEAT):
            for workers in WORKERS:
                runs[workers].append(apart(explore, name, workers))
        for workers, found in runs.items():
            best = min(found, key=lambda one: float(one["busiest"]))
            yield {"program": name, "model": MODEL, "workers": workers, **best}


if __name__ == "__main__":
    write(FIELDS, rows())
