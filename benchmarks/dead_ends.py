"""Dead ends of shipped programs, where threads run ahead of their reads (docs/explorer.md).

    python benchmarks/dead_ends.py > results/dead_ends.csv

Programs in `programs/` are explored under arm8, which allows load buffering, those in `programs/c/` under rc11 by
classes with the same reads-from (`by`). `whole` are executions, or classes, that were come to, blocked ones and those
that the bound cut among them; `share` is how many of all ends are dead. Where bounds grow, this is the last one. What
takes longer than five seconds has no numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness import write

import xgen
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

PROGRAMS = Path(__file__).parents[1] / "programs"
LIMIT = 5.0
"""Seconds for each."""
FIELDS = ["program", "model", "by", "whole", "dead_ends", "explored", "share"]


def row(path: Path, limit: float = LIMIT) -> dict[str, object]:
    """One exploration of everything; of one that is not done in time, only what it was to be."""
    classes = path.suffix == ".c"
    values: dict[str, object] = {"program": path.stem, "model": "rc11" if classes else "arm8"}
    values["by"] = "rf" if classes else "executions"
    asked = problem(xgen.load(path), xgen.model(str(values["model"])), classes=classes)
    run = Run(asked, Options(all_states=True, timeout=limit))
    run.finish()
    if run.stopped:
        return values
    counters = run.core.counters
    kinds = ("classes",) if classes else ("executions", "blocked", "bounded")
    whole, dead = sum(counters[kind] for kind in kinds), counters["dead_ends"]
    share = f"{dead / max(whole + dead, 1):.2f}"
    return values | {"whole": whole, "dead_ends": dead, "explored": counters["explored"], "share": share}


def rows() -> Iterator[dict[str, object]]:
    """A row for each program."""
    for path in (*sorted(PROGRAMS.glob("*.xcfa")), *sorted((PROGRAMS / "c").glob("*.c"))):
        yield dict.fromkeys(FIELDS, "") | row(path)


if __name__ == "__main__":
    write(FIELDS, rows())
