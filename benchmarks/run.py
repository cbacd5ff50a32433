"""Measures explorations: executions per second, time per graph, peak memory, start-up.

    python benchmarks/run.py                                  # the usual programs
    python benchmarks/run.py --models sc tso --repeat 5 'readers(18)' 'dekker(3):20' > measured.csv
    python benchmarks/run.py --workers 1 2 coherence sb > measured.csv

CSV on standard output, one line per tool, program, model and number of workers; README.md says what the columns mean. A
family's name alone stands for it in growing sizes. GenMC, Nidhugg and herd are measured too where they are on PATH.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from typing import TextIO

import tools
from families import Instance, instance
from measure import FIELDS, Row, compare

USUAL = [
    "readers(16)", "late_writer(16)", "coherence(8)", "sb(8)", "sb(10)", "fetch_add(8)", "cas_rotation(11)",
    "writers(3,3)", "write_then_read(5)", "variables(12)", "peterson(3)", "peterson_fenced(2)", "dekker(2)",
    "szymanski(2)", "burns(3)", "dijkstra(2):24", "bakery(2)", "ticket_lock(4)",
]  # fmt: skip

GROWING = {
    "readers": [f"readers({n})" for n in range(6, 19, 2)],
    "late_writer": [f"late_writer({n})" for n in range(6, 19, 2)],
    "coherence": [f"coherence({n})" for n in range(3, 11)],
    "sb": [f"sb({n})" for n in range(4, 17, 2)],
    "fetch_add": [f"fetch_add({n})" for n in range(4, 10)],
    "cas_rotation": [f"cas_rotation({n})" for n in range(6, 13)],
    "writers": [f"writers(3,{n})" for n in range(1, 5)],
    "write_then_read": [f"write_then_read({n})" for n in range(3, 7)],
    "variables": [f"variables({n})" for n in range(6, 17, 2)],
    **{
        f"{name}-rounds": [f"{name}({n})" for n in range(1, most + 1)]
        for name, most in {
            "peterson": 3, "dekker": 3, "szymanski": 3, "burns": 3, "bakery": 2, "dijkstra": 2, "ticket_lock": 4,
        }.items()
    },
    **{
        f"{name}-bound": [f"{name}(9):{n}" for n in range(8, 25, 4)]
        for name in ("peterson", "dekker", "szymanski", "burns", "bakery", "dijkstra")
    },
}  # fmt: skip


def instances(names: Iterable[str]) -> list[Instance]:
    """The programs that names stand for. Raises ValueError."""
    return [instance(name) for given in names for name in GROWING.get(given, [given])]


def write(rows: Iterable[Row], file: TextIO | None = None) -> None:
    """CSV, on standard output unless a file is given; each row as soon as it is there."""
    out = file or sys.stdout
    table = csv.DictWriter(out, FIELDS)
    table.writeheader()
    for row in rows:
        table.writerow(row)
        out.flush()


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure explorations; CSV on standard output.")
    parser.add_argument("programs", nargs="*", default=USUAL, help=f"names, or families: {', '.join(GROWING)}")
    parser.add_argument("--models", nargs="+", default=["sc", "tso", "rc11", "arm8"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    try:
        chosen = instances(options.programs)
    except ValueError as error:
        parser.error(str(error))
    write(compare(chosen, options.models, options.workers, options.repeat, tools.present()))


if __name__ == "__main__":
    main()
