"""One client of many calls of a data structure, beside Relinche (results/published/relinche.csv).

python benchmarks/clients.py > results/clients.csv

`start` is what a client of one call takes: reading the file, and Python. Where xgen takes longer than LIMIT, there are
no counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from harness import read, run, write

PUBLISHED = Path(__file__).parents[1] / "results" / "published" / "relinche.csv"
LIMIT = 300.0
FIELDS = ["structure", "puts", "gets", "verdict", "executions", "histories", "orders", "seconds", "start", "relinche"]
NAMES = {
    "msqueue": ("queue", "enqueue", "dequeue"),
    "treiber": ("stack", "push", "pop"),
    "herlihy_wing": ("queue", "enqueue", "dequeue"),
}
"""Specification, put and get of each."""


def command(structure: str, puts: int, gets: int) -> list[str]:
    """How one client is asked about: each call has a thread of its own."""
    name, *flags = structure.split()
    spec, put, get = NAMES[name]
    client = " | ".join([put] * puts + [get] * gets)
    options = ["--before", "0", "--spec", spec, "--client", client, "--timeout", str(LIMIT), "--format", "json"]
    return ["xgen", "linearizable", f"linearizable/{name}", *flags, *options]


def rows() -> Iterator[dict[str, object]]:
    run(command("msqueue", 1, 1))  # Python compiles its modules once
    for row in read(PUBLISHED)[1]:
        structure, puts, gets = row["structure"], int(row["puts"]), int(row["gets"])
        start = run(command(structure, 1, 0))
        done = run(command(structure, puts, gets), limit=2 * LIMIT)
        found = json.loads(done.output[done.output.index("{") :])
        ended = found["verdict"] != "interrupted"
        counts = {key: found[key] if ended else "" for key in ("executions", "histories", "orders")}
        yield {
            **{"structure": structure, "puts": puts, "gets": gets, "verdict": found["verdict"], **counts},
            **{"seconds": f"{done.cpu:.2f}", "start": f"{start.cpu:.2f}", "relinche": row["seconds"]},
        }


if __name__ == "__main__":
    write(FIELDS, rows())
