"""Repairs of the shipped protocols: verdict, sizes and seconds.

    python benchmarks/protocols.py > results/protocols.csv

Names that are given choose protocols. `choosing` is what of the seconds the solver and the words take, after the states
and clauses are made; each repair runs in a process of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Iterator, Mapping

from harness import apart, write

from xgen.repair.elaborate import read_protocol
from xgen.repair.repair import repair
from xgen.resources import shipped
from xgen.sources import read_source

REPAIRS = (
    ("byzantine", "masking", {"n": 2}),
    ("byzantine", "masking", {"n": 3}),
    ("byzantine", "failsafe", {"n": 3}),
    ("byzantine", "nonmasking", {"n": 3}),
    ("byzantine", "masking", {"n": 4}),
    ("byzantine", "masking", {"n": 5}),
    ("byzantine", "masking", {"n": 6}),
    ("tmr", "masking", {}),
    ("tmr", "failsafe", {}),
    *(("token_ring", "masking", {"n": n}) for n in range(3, 9)),
    ("dijkstra", "nonmasking", {"k": 3}),
    ("dijkstra", "nonmasking", {"k": 2}),
)
COUNTS = ("verdict", "states", "groups", "clauses", "cycles", "reached", "legitimate", "kept", "removed", "new")
FIELDS = ("protocol", "level", "constants", *COUNTS, "seconds", "choosing")


def mend(name: str, level: str, constants: Mapping[str, int]) -> dict[str, object]:
    """One repair."""
    protocol = read_protocol(read_source(shipped("protocols") / f"{name}.gcl"), dict(constants))
    start = time.process_time()
    made = [start]

    def say(text: str) -> None:
        if text.endswith(" states"):
            made.append(time.process_time())

    result = repair(protocol, level, say=say)
    end = time.process_time()
    counts = {count: getattr(result, count) for count in COUNTS}
    return {**counts, "seconds": f"{end - start:.2f}", "choosing": f"{end - made[-1]:.2f}"}


def rows(names: Collection[str] = ()) -> Iterator[dict[str, object]]:
    """All of them, or those whose names are given."""
    for name, level, constants in REPAIRS:
        if not names or name in names:
            settings = " ".join(f"{key}={value}" for key, value in constants.items())
            yield {"protocol": name, "level": level, "constants": settings, **apart(mend, name, level, constants)}


if __name__ == "__main__":
    write(FIELDS, rows(sys.argv[1:]))
