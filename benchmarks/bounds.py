"""Peterson's algorithm under growing bounds and all models (Bajczi 2020, section 6.4), and without a bound.

    python benchmarks/bounds.py > results/bounds.csv

The thesis' script raises the bound on the events of a thread by 2, from 5, until there is a violation or the time is
over. So here, with every round of the waiting loops explored (`rounds` is `all`); the row with the bound `none`
explores a round that changes nothing once, and is an answer without a bound. `seconds` are those of one search.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness import fastest, write

import xgen
from xgen.resources import shipped

PROGRAMS = ("peterson", "peterson_fenced")
MODELS = ("sc", "tso", "pso", "weak", "weak-a9", "nofence", "ra", "arm8", "riscv", "power")
MOST = 25
"""The last bound that is tried; of the program with fences, half as many again, since fences are events too."""
LIMIT = 20.0
"""Seconds after which no larger bound is tried."""
COUNTS = ("verdict", "executions", "blocked", "bounded", "explored")
FIELDS = ("program", "model", "bound", "rounds", *COUNTS, "seconds")


def search(name: str, model: str, bound: int | None, again: float = 0.02) -> dict[str, object]:
    """One search, which ends with the first violation."""
    program, memory = xgen.load(shipped("programs") / f"{name}.xcfa"), xgen.model(model)
    result, seconds = fastest(
        lambda: xgen.check(program, memory, max_depth=bound, unroll=bound is not None, timeout=LIMIT, classes="off"),
        again,
    )
    counts = {count: getattr(result, count) for count in COUNTS}
    return {
        "program": name, "model": model, "bound": bound or "none", "rounds": "all" if bound else "one", **counts,
        "seconds": f"{seconds:.6f}",
    }  # fmt: skip


def rows() -> Iterator[dict[str, object]]:
    """All of them."""
    for name in PROGRAMS:
        most = MOST * 3 // 2 if "fenced" in name else MOST
        for model in MODELS:
            for bound in range(5, most + 1, 2):
                row = search(name, model, bound)
                yield row
                if row["verdict"] in ("violation", "interrupted"):
                    break
            yield search(name, model, None)


if __name__ == "__main__":
    write(FIELDS, rows(), limit=f"{LIMIT:g} s")
