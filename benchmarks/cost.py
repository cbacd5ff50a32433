"""Cost against size: what a graph costs as programs have more events, threads and variables, under chosen models.

    python benchmarks/cost.py > cost.csv
    python benchmarks/cost.py --models sc,lkmm --over events > cost.csv

The columns are those of run.py, and plot.py draws them: `family` is what grows, `size` how large it is. The programs
are `racing(threads, variables, events)`, in which all events race, and `private(threads, events)`, a small race behind
long private parts (families.py). All would take for ever, and each run is stopped after half a second: the
exploration goes to the full length first, so that what is measured are graphs of about that size. `apart(n)` has
four executions only, long ones: it says what an event costs that has thousands before it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace

from families import Instance, instance
from harness import write
from measure import FIELDS, Row, measure
from run import models

SIZES: dict[str, list[tuple[int, str]]] = {
    "events": [(n, f"racing(2,2,{n})") for n in (10, 20, 40, 80, 160)],
    "private": [(n, f"private(6,{n})") for n in (20, 40, 80, 160)],
    "long": [(4 * n, f"apart({n})") for n in (75, 150, 300, 600)],
    "threads": [(n, f"racing({n},2,48)") for n in (2, 3, 4, 6, 8, 12, 16)],
    "variables": [(n, f"racing(2,{n},48)") for n in (1, 2, 4, 8, 12)],
}
MODELS = ["sc", "tso", "rc11", "riscv", "lkmm", "arm8"]
SECONDS = 0.5
"""After so long an exploration is stopped."""


def instances(over: str) -> list[Instance]:
    """The programs in which one thing grows."""
    return [replace(instance(name), family=f"cost-{over}", size=size) for size, name in SIZES[over]]


def rows(chosen: Sequence[str], under: Sequence[str], repeat: int) -> Iterator[Row]:
    """One row for each size of what is chosen, and each model."""
    for over in chosen:
        for program in instances(over):
            for model in under:
                yield measure(program, model, 1, repeat, SECONDS)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--over", nargs="+", choices=list(SIZES), default=list(SIZES), help="what grows; default: all")
    parser.add_argument("--models", type=models, default=",".join(MODELS), help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=1, help="the best of so many processes; default: %(default)s")
    options = parser.parse_args()
    write(FIELDS, rows(options.over, options.models, options.repeat))


if __name__ == "__main__":
    main()
