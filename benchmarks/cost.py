"""Cost against size: what a graph costs as programs have more events, threads and variables, under chosen models.

    python benchmarks/cost.py > cost.csv
    python benchmarks/cost.py --models sc lkmm --over events > cost.csv

The columns are those of run.py, and plot.py draws them: `family` is what grows, `size` how large it is. The programs
are `racing(threads, variables, events)`, in which all events race, and `private(threads, events)`, a small race behind
long private parts (families.py). All would take for ever, and each run is stopped after a second: the exploration goes
to the full length first, so that what is measured are graphs of about that size.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from families import Instance, instance
from measure import measure
from run import write

SIZES: dict[str, list[tuple[int, str]]] = {
    "events": [(n, f"racing(2,2,{n})") for n in (10, 20, 40, 80, 160)],
    "private": [(n, f"private(6,{n})") for n in (20, 40, 80, 160)],
    "threads": [(n, f"racing({n},2,48)") for n in (2, 3, 4, 6, 8, 12)],
    "variables": [(n, f"racing(2,{n},48)") for n in (1, 2, 4, 8, 12)],
}
SECONDS = 1.0


def instances(over: str) -> list[Instance]:
    """The programs in which one thing grows."""
    return [replace(instance(name), family=f"cost-{over}", size=size) for size, name in SIZES[over]]


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure cost against size; CSV on standard output.")
    parser.add_argument("--over", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--models", nargs="+", default=["sc", "tso", "rc11", "riscv", "lkmm", "arm8"])
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    write(
        measure(program, model, 1, options.repeat, SECONDS)
        for over in options.over
        for program in instances(over)
        for model in options.models
    )


if __name__ == "__main__":
    main()
