"""Small programs by both engines, one after the other: where the solver is ahead, and where the explorer is.

python benchmarks/solver.py > results/solver.csv

The programs are the C files of `solver/`, each under models in which their threads behave differently. Programs that
ask for unknown numbers get all numbers of their types; the explorer refuses these, as it wants a range. Seconds are
the processor's, of whole commands. `ratio` is the solver's to the explorer's; where the explorer has not ended, a
bound of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness import XGEN, run, write

PROGRAMS = Path(__file__).parent / "solver"
LIMIT = 45.0
"""Seconds for each, by the clock of xgen itself."""
ENGINES = ("graphs", "sat")
MAPPED = {"tso": "x86", "arm8": "armv8-lse"}
FIELDS = ["program", "macros", "model", "inputs", "graphs", "graphs_seconds", "sat", "sat_seconds", "ratio"]
CASES = [
    ("readers2", "N=8", ("sc", "rc11", "tso", "arm8")),
    ("racy", "K=8 BUG", ("sc", "rc11", "tso", "arm8")),
    ("fib", "N=8 BUG", ("sc", "rc11", "tso")),
    ("mutex", "N=5 K=2", ("sc", "rc11")),
    ("trylock", "R=3 W=3", ("sc", "rc11")),
    ("magic", "", ("sc", "rc11", "arm8")),
    ("accounts", "BUG", ("sc", "rc11")),
    ("accounts", "", ("sc", "rc11")),
    ("sum", "", ("sc", "rc11", "arm8")),
    ("spsc", "K=6", ("sc", "rc11")),
    ("message", "", ("sc", "rc11", "arm8")),
    ("message", "BUG", ("rc11", "arm8")),
    ("seats", "", ("rc11",)),
    ("seats", "BUG", ("sc", "rc11")),
    ("compare", "", ("sc", "rc11")),
    ("nondet_max", "N=2", ("sc", "rc11")),
]


def answered(program: Path, macros: str, model: str, engine: str) -> tuple[str, float]:
    """What an engine says, and its seconds."""
    words = [XGEN, "check", "-q", str(program), "--mcm", model, "--engine", engine, "--timeout", f"{LIMIT:g}"]
    words += [f"-D{macro}" for macro in macros.split()]
    words += ["--map", MAPPED[model]] if model in MAPPED else []
    done = run(words, limit=2 * LIMIT)
    if done.status == 2:
        return "refused", done.cpu
    found = re.search(r"^(safe|violation|interrupted)\b( within the bound)?", done.output, re.M)
    if found is None:
        raise RuntimeError(f"{program.stem} {macros}, {model}, {engine}: {done.output}")
    return found[0], done.cpu


def rows() -> Iterator[dict[str, object]]:
    """A row for each program under each model."""
    for name, macros, models in CASES:
        program = PROGRAMS / f"{name}.c"
        asks = "any" if "__VERIFIER_nondet" in program.read_text("utf-8") else ""
        for model in models:
            found = {engine: answered(program, macros, model, engine) for engine in ENGINES}
            row: dict[str, object] = {"program": name, "macros": macros, "model": model, "inputs": asks}
            for engine, (said, seconds) in found.items():
                row |= {engine: said, f"{engine}_seconds": f"{seconds:.2f}"}
            (first, base), (second, other) = found["graphs"], found["sat"]
            if not {first, second} & {"refused"} and second != "interrupted":
                row["ratio"] = ("< " if first == "interrupted" else "") + f"{other / base:.2f}"
            yield row


if __name__ == "__main__":
    write(FIELDS, rows(), limit=f"{LIMIT:g} s by the clock")
