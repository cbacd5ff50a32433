"""Measures explorations: executions per second, time per graph, peak memory.

    python benchmarks/run.py                                  # the usual set
    python benchmarks/run.py --models sc tso --repeat 5 'readers(18)' peterson:12 > measured.csv
    python benchmarks/run.py --models sc arm8 --workers 1 2 'writers(3,2)' 'writers(3,3)' 'writers(3,4)'

The last one shows whether memory grows with the number of executions.

A program is a family with its numbers (families.py), or a shipped program with a depth bound (`peterson:12`). One line
of CSV per program and model; the time is the best of the repetitions, each in a fresh process.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import subprocess
import sys
from itertools import product
from pathlib import Path

from families import FAMILIES

USUAL = [
    "readers(16)", "late_writer(16)", "coherence(8)", "sb(8)", "sb(10)", "writers(3,3)", "write_then_read(5)",
    "variables(12)", "peterson:20",
]  # fmt: skip
FIELDS = ["program", "model", "workers", "executions", "blocked", "bounded", "explored", "seconds",
          "executions_per_second", "ns_per_graph", "graphs_held", "peak_mib"]  # fmt: skip

ONE = """
import json, sys
import xgen
text, model, workers, depth = json.load(sys.stdin)
r = xgen.check(xgen.parse(text), xgen.model(model), max_depth=depth, workers=workers, all_states=True, trace_limit=0)
print(json.dumps([r.executions, r.blocked, r.bounded, r.explored, r.seconds, r.held, r.peak_kib]))
"""


def program_text(name: str) -> tuple[str, int | None]:
    """The text and the depth bound that a name stands for."""
    if "(" in name:
        family, numbers = name.rstrip(")").split("(")
        return FAMILIES[family](*map(int, numbers.split(","))), None
    program, _, depth = name.partition(":")
    path = Path(__file__).parents[1] / "programs" / f"{program}.xcfa"
    return path.read_text(), int(depth) if depth else None


def measure(name: str, model: str, workers: int, repeat: int) -> dict[str, object]:
    """One line of the table."""
    text, depth = program_text(name)
    runs = []
    for _ in range(repeat):
        given = json.dumps([text, model, workers, depth])
        done = subprocess.run([sys.executable, "-c", ONE], input=given, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    executions, blocked, bounded, explored, seconds, held, peak = min(runs, key=lambda run: run[4])
    found = executions + blocked + bounded
    values = [name, model, workers, executions, blocked, bounded, explored, round(seconds, 6), round(found / seconds),
              round(seconds / explored * 1e9), held, round(peak / 1024, 1)]  # fmt: skip
    return dict(zip(FIELDS, values, strict=True))


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure explorations; CSV on standard output.")
    parser.add_argument("programs", nargs="*", default=USUAL)
    parser.add_argument("--models", nargs="+", default=["sc", "tso", "weak"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1])
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print(f"# {platform.platform()}, Python {platform.python_version()}", file=sys.stderr)
    table = csv.DictWriter(sys.stdout, FIELDS)
    table.writeheader()
    for name in options.programs:
        for model, workers in product(options.models, options.workers):
            table.writerow(measure(name, model, workers, options.repeat))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
