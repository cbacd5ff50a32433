"""Formulas behind store buffers with several workers: the first one searches, the others look at states ahead of it.

    python benchmarks/ahead.py > results/ahead.csv

`first` are the processor's seconds of the worker that searches, `others` those of each of the others, on average, in
the run with the least of the busiest. On cores of their own the workers would be done after the greater of the two;
`ratio` is how many times less that is than with one worker. What is found is the same.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

from harness import apart, by_threads, write
from mutexes import anderson, lamport, peterson_n

from xgen.analyses.ltl import check_formula, parse_formula
from xgen.errors import Source
from xgen.frontends.dve import read_dve

SYSTEMS = {
    ("peterson_n(4)", "sc"): (peterson_n(4), "G true"),
    ("anderson(5)", "sc"): (anderson(5), "G true"),
    ("lamport(5)", "sc"): (lamport(5), "G true"),
    ("lamport(3)", "tso"): (lamport(3), "G true"),
    ("peterson_n(3)", "tso"): (peterson_n(3), "G (P_0@wait -> F P_0@CS)"),
}
"""The system, the machine, and the formula, which holds."""
WORKERS = (1, 2)
REPEAT = 5
FIELDS = ("system", "memory", "formula", "workers", "states", "transitions", "first", "others", "ratio", "load")


def explore(name: str, memory: str, workers: int) -> dict[str, object]:
    """One search, watched by a thread of its own."""
    text, formula = SYSTEMS[name, memory]
    system = read_dve(Source("system.dve", text))
    parse_formula(formula, system)  # so that the search alone is measured
    result, used, _ = by_threads(lambda: check_formula(system, formula, memory, workers=workers))
    first = used.pop(threading.get_native_id())
    others = sum(used.values()) / max(workers - 1, 1)
    return {
        "formula": formula, "states": result.states, "transitions": result.transitions, "first": round(first, 3),
        "others": round(others, 3), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def busiest(run: dict[str, object]) -> float:
    """Seconds of the worker that worked longest."""
    return max(float(str(run["first"])), float(str(run["others"])))


def rows() -> Iterator[dict[str, object]]:
    """The runs of a system go by turns, so that what else the machine does falls on all of them."""
    for name, memory in SYSTEMS:
        runs: dict[int, list[dict[str, object]]] = {workers: [] for workers in WORKERS}
        for _ in range(REPEAT):
            for workers in WORKERS:
                runs[workers].append(apart(explore, name, memory, workers))
        best = {workers: min(found, key=busiest) for workers, found in runs.items()}
        for workers, run in best.items():
            ratio = f"{busiest(best[1]) / busiest(run):.2f}"
            yield {"system": name, "memory": memory, "workers": workers, **run, "ratio": ratio}


if __name__ == "__main__":
    write(FIELDS, rows())
