"""Explicit states behind store buffers: how many, how fast, and what one takes; a line of CSV each.

python benchmarks/lassos.py > results/lassos.csv

All states of the systems in programs/dve are explored, by a formula that always holds. `seconds` is the time of the
processor, start-up left out; `bytes` is the growth of the process' memory for each state.
"""

from __future__ import annotations

import csv
import subprocess
import sys

from proofs import machine

from xgen.resources import shipped

SYSTEMS = {"peterson": 8, "peterson_n": 4, "lamport": 4}
"""The most delayed stores that are tried."""
CODE = """
import sys, time, resource
from xgen.analyses.ltl import check_formula
from xgen.errors import Source
from xgen.frontends.dve import read_dve
path, memory, room = sys.argv[1:]
system = read_dve(Source(path, open(path).read()))
check_formula(system, "G true", "sc")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
r = check_formula(system, "G true", memory, int(room))
seconds = time.process_time() - start
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
print(r.states, r.transitions, f"{seconds:.3f}", round(r.states / seconds), round(grown / r.states), sep=",")
"""


def main() -> None:
    """All of them."""
    for line in machine():
        print(f"# {line}")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["system", "memory", "buffer", "states", "transitions", "seconds", "states_per_second", "bytes"])
    for name, most in SYSTEMS.items():
        path = str(shipped("programs") / "dve" / f"{name}.dve")
        machines = [("sc", 1), ("cam", 1), *(("tso", room) for room in (1, 2, 4, 8) if room <= most), ("pso", 1)]
        for memory, room in machines:
            command = [sys.executable, "-c", CODE, path, memory, str(room)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            writer.writerow([name, memory, room, *done.stdout.strip().split(",")])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
