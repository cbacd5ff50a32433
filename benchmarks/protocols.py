"""Repairs of the shipped protocols: verdict, sizes and seconds, a line of CSV each.

python benchmarks/protocols.py > results/protocols.csv

Names that are given choose protocols. `seconds` is the time of the processor, `choosing` what of it the solver and the
words take, after the states and clauses are made; each repair runs in a process of its own.
"""

from __future__ import annotations

import csv
import subprocess
import sys

from proofs import machine

from xgen.resources import shipped

ROWS = (
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
NUMBERS = ("states", "groups", "clauses", "cycles", "reached", "legitimate", "kept", "removed", "new")
CODE = """
import sys, time
from xgen.errors import Source
from xgen.repair.protocol import read_protocol
from xgen.repair.repair import repair
path, level, *settings = sys.argv[2:]
constants = {name: int(value) for name, _, value in (setting.partition("=") for setting in settings)}
protocol = read_protocol(Source(path, open(path).read()), constants)
start = time.process_time()
made = [start]
r = repair(protocol, level, say=lambda text: made.append(time.process_time()) if text.endswith(" states") else None)
end = time.process_time()
numbers = [getattr(r, name) for name in sys.argv[1].split(",")]
shown = ["" if number is None else number for number in numbers]
print(r.verdict, *shown, f"{end - start:.2f}", f"{end - made[-1]:.2f}", sep=",")
"""


def main() -> None:
    """All of them, or those whose names are given."""
    for line in machine():
        print(f"# {line}")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["protocol", "level", "constants", "verdict", *NUMBERS, "seconds", "choosing"])
    for name, level, constants in ROWS:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        settings = [f"{key}={value}" for key, value in constants.items()]
        path = str(shipped("protocols") / f"{name}.gcl")
        command = [sys.executable, "-c", CODE, ",".join(NUMBERS), path, level, *settings]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        writer.writerow([name, level, " ".join(settings), *done.stdout.strip().split(",")])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
