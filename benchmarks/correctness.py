"""The litmus tests and case studies of the thesis under its models (Bajczi 2020, sections 6.1.3 and 6.4).

    python benchmarks/correctness.py > results/correctness.csv

Verdicts and numbers of executions and outcomes; all executions are explored, without a bound: `exhaustive` says that
nothing is missing. `thesis/..` are the models as they are printed there, the others are xgen's, which mean what the
thesis means. `thesis` is the verdict that it reports, where it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from harness import write

import xgen
from xgen.resources import shipped

LITMUS = ("2w2r", "cow2r", "coww2r2r", "coww2r2r_checked", "mp")
PETERSON = ("peterson", "peterson_fenced")
MUTEXES = (
    "dekker", "dekker_fenced", "szymanski", "szymanski_fenced", "burns", "burns_fenced", "dijkstra_fenced",
    "bakery", "bakery_fenced", "ticket_lock", "ticket_lock_fenced", "spinlock", "ttas_lock",
)  # fmt: skip
MODELS = ("sc", "tso", "pso", "weak", "weak-a9", "nofence")
PRINTED = ("thesis/sc", "thesis/tso", "thesis/weak", "thesis/weak-a9", "thesis/nofence")
OTHERS = ("arm8", "power", "riscv", "ra")
CORRECT = ("sc", "tso", "pso", "weak", "arm8")
"""Models of machines that work, for the programs that the thesis does not have."""
LIMIT = 20.0
"""Seconds for one program; a row without counts took longer."""
REPORTED = {
    ("cow2r", "sc"): "safe", ("cow2r", "tso"): "safe", ("cow2r", "weak"): "safe", ("cow2r", "weak-a9"): "violation",
    ("coww2r2r_checked", "sc"): "safe", ("coww2r2r_checked", "tso"): "safe", ("coww2r2r_checked", "weak"): "safe",
    ("coww2r2r_checked", "weak-a9"): "violation",
    ("mp", "sc"): "safe", ("mp", "tso"): "safe", ("mp", "weak"): "safe", ("mp", "weak-a9"): "safe",
    ("mp", "nofence"): "violation",
    ("peterson", "sc"): "safe", ("peterson", "weak"): "violation",
    ("peterson_fenced", "weak"): "safe",
}  # fmt: skip
"""What the thesis says of the models that it describes; `peterson` there within its bounds."""
COUNTS = ("verdict", "executions", "blocked", "violations", "explored")
FIELDS = ("program", "model", *COUNTS, "outcomes", "exhaustive", "thesis")


def check(name: str, model: str) -> dict[str, object]:
    """One program under one model."""
    program = xgen.load(shipped("programs") / f"{name}.xcfa")
    result = xgen.check(program, xgen.model(model), all_states=True, timeout=LIMIT)
    row = {"program": name, "model": model, "thesis": REPORTED.get((name, model.removeprefix("thesis/")), "")}
    if result.stopped:
        return row | {"exhaustive": "no"}
    counts = {count: getattr(result, count) for count in COUNTS}
    return row | counts | {"outcomes": len(result.outcomes), "exhaustive": "yes" if result.exhaustive else "no"}


def asked() -> Iterator[tuple[str, str]]:
    """Programs and models: those that the thesis has under all models, also the printed ones; others under CORRECT."""
    yield from product((*LITMUS, *PETERSON), (*MODELS, *PRINTED, *OTHERS))
    yield from product(MUTEXES, CORRECT)


if __name__ == "__main__":
    write(FIELDS, (check(*pair) for pair in asked()))
