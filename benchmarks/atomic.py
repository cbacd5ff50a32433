"""Which writes have to be atomic for a formula to hold, beside published ones.

    python benchmarks/atomic.py > results/atomic.csv

The systems and formulas are those of table I of J. Barnat, L. Brim, V. Havel, LTL Model Checking of Parallel Programs
with Under-Approximated TSO Memory Model; `cam` is the paper's own machine. The paper finds one set, and not a least
one; here all minimal sets are found, and `atomic` is the size of the smallest. The paper does not print its systems:
the number of writes says how far ours are like them. `paper_..` are its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness import AGAIN, apart, fastest, write

import xgen
from xgen.resources import shipped

SYSTEMS = {
    "anderson": ("G (P_0@wait -> F P_0@CS) & G (P_1@wait -> F P_1@CS)", 30, 24),
    "lamport": ("G !(P_1@CS & P_2@CS)", 27, 16),
    "peterson": ("G !(P_0@CS & P_1@CS)", 8, 4),
}
"""The formula, and of how many writes the paper makes how many atomic."""
MACHINES = (("cam", 1), ("tso", 1), ("tso", 2))
FIELDS = (
    "system",
    "memory",
    "buffer",
    "verdict",
    "writes",
    "atomic",
    "sets",
    "runs",
    "seconds",
    "paper_writes",
    "paper_atomic",
)


def repair(name: str, memory: str, room: int, again: float = AGAIN) -> dict[str, object]:
    """All minimal sets of one system."""
    path = shipped("programs") / "dve" / f"{name}.dve"
    formula = SYSTEMS[name][0]
    found, seconds = fastest(lambda: xgen.ltl_repairs(path, formula, memory, buffer=room), again)  # type: ignore[arg-type]
    return {
        "verdict": found.verdict, "writes": len(found.writes), "atomic": min(map(len, found.sets)),
        "sets": len(found.sets), "runs": found.runs, "seconds": f"{seconds:.4f}",
    }  # fmt: skip


def rows() -> Iterator[dict[str, object]]:
    """All of them."""
    for name, (_, writes, atomic) in SYSTEMS.items():
        for memory, room in MACHINES:
            yield {"system": name, "memory": memory, "buffer": room, **apart(repair, name, memory, room),
                   "paper_writes": writes, "paper_atomic": atomic}  # fmt: skip


if __name__ == "__main__":
    write(FIELDS, rows())
