"""Proofs of the endless programs beside published ones: verdict, states, seconds and memory, a line of CSV each.

python benchmarks/proofs.py > results/proofs.csv

The published numbers are those of Remmex and SPIN from A. Linden's thesis (published.csv has the number of each
table). DNF: it did not finish. Each proof runs in a process of its own, so that its memory can be told; `seconds` is
the time of the processor.
"""

from __future__ import annotations

import csv
import os
import platform
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "programs" / "endless"
PUBLISHED = Path(__file__).with_name("published.csv")
CODE = """
import sys, time, xgen
path, model = sys.argv[1:]
program, memory = xgen.load(path), xgen.model(model)
start = time.process_time()
p = xgen.prove(program, memory, deadlock="--deadlock" in open(path).read())
seconds = f"{time.process_time() - start:.3f}"
print(p.verdict, p.proof, p.widening or "", p.stored, p.visited, seconds, p.peak_kib, sep=",")
"""


def machine() -> list[str]:
    """What the figures depend on."""
    import xgen

    cpu = next((x.split(":")[1].strip() for x in _lines("/proc/cpuinfo") if x.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"xgen {xgen.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB; one core is used",
    ]


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def main() -> None:
    """All of them, or those whose names are given."""
    with PUBLISHED.open(newline="") as file:
        published = {(row["program"], row["model"]): row for row in csv.DictReader(file)}
    for line in machine():
        print(f"# {line}")
    ours = "program,model,verdict,proof,widening,stored,visited,seconds,peak_kib"
    print(f"{ours},tool,table,tool_stored,tool_visited,tool_seconds", flush=True)
    for path in sorted(FOLDER.glob("*.xcfa")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        for model in ("sc", "tso", "pso"):
            command = [sys.executable, "-c", CODE, str(path), model]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            other = published.get((path.stem, model), {})
            theirs = [other.get(key, "") for key in ("tool", "table", "stored", "visited", "seconds")]
            print(",".join([path.stem, model, done.stdout.strip(), *theirs]), flush=True)


if __name__ == "__main__":
    main()
