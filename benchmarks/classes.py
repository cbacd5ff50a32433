"""Classes against executions: graphs and seconds of each way to explore the same programs (docs/classes.md).

    python benchmarks/classes.py > results/classes.csv
    python benchmarks/classes.py --models sc,rc11 'writers(4,4)' 'ticket_lock(2)' > classes.csv

`by` is what is visited: executions; classes with the same reads-from (`rf`), or those but for the names of like threads
(`orbits`); classes of what reads read (`values`) or of what threads see (`seen`), both but for these names, too; but
`seen` may end up with `rf` (`partition`). A run that takes longer than 20 seconds has no numbers. Seconds are the
processor's, with what it takes to make a plan of the model, which is some milliseconds for the larger ones; those for
each graph are without that. A run whose bound grows has the graphs of the last bound, and the time of all.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any

from families import Instance, instance
from harness import write
from run import models

import xgen
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

PROGRAMS = [
    "writers(4,4)", "write_then_read(5)", "coherence(7)", "readers(12)", "fetch_add(6)", "cas_rotation(7)", "sb(8)",
    "locked_counter(4)", "locked_data(6)", "peterson(2)", "peterson_fenced(2)", "dekker_fenced(2)", "ticket_lock(2)",
    "ticket_lock(3)",
]  # fmt: skip
MODELS = ["sc", "weak", "rc11", "arm8"]
LIMIT = 20.0
"""Seconds for each."""
WAYS: dict[str, dict[str, Any]] = {
    "executions": {},
    "rf": {"partition": "rf"},
    "orbits": {"partition": "rf", "symmetry": True},
    "values": {"partition": "values", "symmetry": True},
    "seen": {"partition": "seen", "symmetry": True},
}
FIELDS = [
    "program", "model", "by", "partition", "executions", "classes", "orbits", "refused", "lost", "explored",
    "dead_ends", "seconds", "ns_per_graph",
]  # fmt: skip


def row(program: Instance, model: str, by: str, limit: float = LIMIT) -> dict[str, object]:
    """One exploration of everything; of one that is not done in time, only what it was to be."""
    values: dict[str, object] = {"program": program.name, "model": model, "by": by}
    parsed, memory = xgen.parse(program.text, "xcfa"), xgen.model(model)
    start = time.process_time()
    asked = problem(parsed, memory, classes=by != "executions")
    run = Run(asked, Options(program.depth, all_states=True, timeout=limit, **WAYS[by]))
    prepared = time.process_time()
    run.finish()
    end = time.process_time()
    if run.stopped:
        return values
    found, counters = found_by(run), run.core.counters
    counted = found.counted and (by == "executions" or run.options.partition == "rf")
    values |= {name: counters[name] for name in ("refused", "lost", "explored", "dead_ends")}
    values |= {"executions": counters["executions"] if counted else "", "seconds": f"{end - start:.4f}"}
    if by != "executions":
        values |= {"partition": run.options.partition, "classes": counters["classes"], "orbits": counters["orbits"]}
    return values | {"ns_per_graph": round(1e9 * (end - prepared) / max(counters["explored"], 1))}


def rows(names: Sequence[str], under: Sequence[str]) -> Iterator[dict[str, object]]:
    """A row for each program, model and way."""
    for name in names:
        for model in under:
            for by in WAYS:
                yield dict.fromkeys(FIELDS, "") | row(instance(name), model, by)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=PROGRAMS, help="families with numbers, or shipped programs")
    parser.add_argument("--models", type=models, default=",".join(MODELS), help="default: %(default)s")
    options = parser.parse_args()
    write(FIELDS, rows(options.programs, options.models))


if __name__ == "__main__":
    main()
