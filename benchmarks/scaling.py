"""How exploring goes with the dimensions of programs (Bajczi 2020, sections 6.2.1 and 6.3): figures 6.7 and 6.13.

    python benchmarks/scaling.py > results/scaling.csv
    python benchmarks/scaling.py threads coherence > results/some.csv

Each series is one thing that grows, from a program to the next, until the time is over. GenMC, Nidhugg and herd get the
same programs where they are on PATH. The columns are those of run.py.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import replace

import tools
from families import Instance, instance
from harness import write
from measure import FIELDS, Row, compare

SERIES: dict[str, list[tuple[int, str]]] = {
    "threads": [(n, f"wide({n},1)") for n in (2, 4, 8, 12, 16, 18, 20, 22, 24)],
    "variables": [(n, f"variables({n})") for n in (2, 4, 8, 12, 16, 18, 20, 22, 24)],
    "instructions": [(n, f"wide(7,{n})") for n in range(1, 10)],
    "coherence": [(n, f"coherence({n})") for n in (2, 4, 6, 8, 9, 10, 11, 12, 13)],
    "loops": [(n, f"loops({n}):3") for n in range(1, 12)],
    "rounds": [(n, f"peterson({n})") for n in range(1, 6)],
    "fenced": [(n, f"dekker_fenced({n})") for n in range(1, 5)],
    "bound": [(n, f"peterson(9):{n}") for n in range(8, 37, 4)],
}
"""What grows: the size, and the program. `loops` and `bound` are for xgen alone, since no other tool has a bound."""
MODELS = ("sc", "tso", "weak", "rc11")
LIMIT = 60.0
"""Seconds that xgen gets for one program, by the clock."""


def rows(chosen: Collection[str] = tuple(SERIES)) -> Iterator[Row]:
    """One row for each size, model and tool."""
    for name in chosen:
        grown = [_of(name, size, program) for size, program in SERIES[name]]
        for model in MODELS:
            yield from compare(grown, [model], [1], 1, tools.present(), LIMIT)


def _of(family: str, size: int, name: str) -> Instance:
    return replace(instance(name), family=family, size=size)


if __name__ == "__main__":
    limits = f"{LIMIT:g} s for xgen, {tools.LIMIT:g} s for others, by the clock"
    write(FIELDS, rows(sys.argv[1:] or tuple(SERIES)), limit=limits)
