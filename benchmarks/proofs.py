"""Proofs of the endless programs beside published ones: verdict, states, seconds and memory.

    python benchmarks/proofs.py > results/proofs.csv

Names that are given choose programs. The published numbers are those of Remmex and SPIN from A. Linden's thesis
(results/published/remmex.csv); DNF: it did not finish. Each proof runs in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from harness import AGAIN, apart, fastest, peak_mib, read, write

import xgen
from xgen.resources import shipped

MODELS = ("sc", "tso", "pso")
PUBLISHED = Path(__file__).parents[1] / "results" / "published" / "remmex.csv"
COUNTS = ("verdict", "proof", "widening", "stored", "visited")
THEIRS = {
    "tool": "tool",
    "table": "table",
    "tool_stored": "stored",
    "tool_visited": "visited",
    "tool_seconds": "seconds",
}
"""Columns, and what they are called among the published numbers."""
FIELDS = ("program", "model", *COUNTS, "seconds", "peak_mib", *THEIRS)


def prove(name: str, model: str, again: float = AGAIN) -> dict[str, object]:
    """One proof, of deadlocks too where the program's head asks for it."""
    path = shipped("programs") / "endless" / f"{name}.xcfa"
    program, memory = xgen.load(path), xgen.model(model)
    deadlock = "--deadlock" in path.read_text()
    proof, seconds = fastest(lambda: xgen.prove(program, memory, deadlock=deadlock), again)
    counts = {count: getattr(proof, count) for count in COUNTS}
    return {**counts, "seconds": round(seconds, 4), "peak_mib": round(peak_mib(), 1)}


def rows(names: Collection[str] = ()) -> Iterator[dict[str, object]]:
    """All of them, or those whose names are given."""
    published = {(row["program"], row["model"]): row for row in read(PUBLISHED)[1]}
    for path in sorted((shipped("programs") / "endless").glob("*.xcfa")):
        for model in MODELS if not names or path.stem in names else ():
            other = published.get((path.stem, model), {})
            theirs = {field: other.get(name, "") for field, name in THEIRS.items()}
            yield {"program": path.stem, "model": model, **apart(prove, path.stem, model), **theirs}


if __name__ == "__main__":
    write(FIELDS, rows(sys.argv[1:]))
