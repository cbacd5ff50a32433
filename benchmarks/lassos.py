"""Explicit states behind store buffers: how many, how fast, and what one takes.

    python benchmarks/lassos.py > results/lassos.csv

All states of the systems in programs/dve are explored, by a formula that always holds. `bytes` is the growth of the
process' memory for each state: nothing where there are few.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from harness import AGAIN, apart, fastest, peak_mib, write

from xgen.analyses.ltl import check_formula
from xgen.frontends.dve import read_dve
from xgen.resources import shipped
from xgen.sources import read_source

ROOMS = {"peterson": 8, "peterson_n": 4, "lamport": 4}
"""The systems, and the most delayed stores that are tried."""
FIELDS = ("system", "memory", "buffer", "states", "transitions", "seconds", "states_per_second", "bytes")


def explore(name: str, memory: str, room: int, again: float = AGAIN) -> dict[str, object]:
    """All states of one system."""
    system = read_dve(read_source(shipped("programs") / "dve" / f"{name}.dve"))
    check_formula(system, "G true", "sc")
    before = peak_mib()
    first = check_formula(system, "G true", memory, room)
    grown = (peak_mib() - before) * 2**20
    _, seconds = fastest(lambda: check_formula(system, "G true", memory, room), again)
    return {
        "states": first.states, "transitions": first.transitions, "seconds": f"{seconds:.6f}",
        "states_per_second": round(first.states / seconds), "bytes": round(grown / first.states),
    }  # fmt: skip


def rows(names: Collection[str] = tuple(ROOMS)) -> Iterator[dict[str, object]]:
    """All of them, or those whose names are given."""
    for name in names:
        tso = [("tso", room) for room in (1, 2, 4, 8) if room <= ROOMS[name]]
        for memory, room in [("sc", 1), ("cam", 1), *tso, ("pso", 1)]:
            yield {"system": name, "memory": memory, "buffer": room, **apart(explore, name, memory, room)}


if __name__ == "__main__":
    write(FIELDS, rows(sys.argv[1:] or tuple(ROOMS)))
