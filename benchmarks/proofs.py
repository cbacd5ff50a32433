"""Proofs of the endless programs: verdict, states, seconds and memory, a line of CSV each.

python benchmarks/proofs.py > proofs.csv
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "programs" / "endless"
CODE = """
import sys, xgen
path, model = sys.argv[1:]
p = xgen.prove(xgen.load(path), xgen.model(model), deadlock="--deadlock" in open(path).read())
print(p.verdict, p.proof, p.widening or "", p.stored, p.visited, f"{p.seconds:.3f}", p.peak_kib, sep=",")
"""


def main() -> None:
    """Each proof in a process of its own, so that its memory can be told."""
    print("program,model,verdict,proof,widening,stored,visited,seconds,peak_kib", flush=True)
    for path in sorted(FOLDER.glob("*.xcfa")):
        for model in ("sc", "tso", "pso"):
            command = [sys.executable, "-c", CODE, str(path), model]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(f"{path.stem},{model},{done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
