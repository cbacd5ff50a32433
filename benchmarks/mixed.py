"""The C programs with accesses of several sizes (programs/mixed), each with its wrong variant.

    python benchmarks/mixed.py > results/mixed.csv

Under rc11 atomic accesses of several sizes to the same bytes are one access each (`--mixed-atomics`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

from harness import write

import xgen

PROGRAMS = Path(__file__).parents[1] / "programs" / "mixed"
MODELS = ("sc", "tso", "arm8", "rc11")
COUNTS = ("verdict", "executions", "blocked", "explored")
FIELDS = ("program", "variant", "model", *COUNTS, "seconds")
LIMIT = 60.0
"""Seconds for each; a row without counts took longer. `seconds` are the processor's."""


def variants(program: str) -> list[str]:
    """The program as it is (""), and others that its first lines name: macros, or a bound of its loops."""
    head = (PROGRAMS / f"{program}.c").read_text(encoding="utf-8").split("#include")[0]
    return ["", *dict.fromkeys(re.findall(r"\((-D .*|unroll \d+)\)", head))]


def check(program: str, variant: str, model: str) -> dict[str, object]:
    """One of them under one model."""
    path = str(PROGRAMS / f"{program}.c")
    bound = int(variant.removeprefix("unroll ")) if variant.startswith("unroll ") else None
    defines = () if bound else tuple(variant.replace("-D ", "").split())
    text = xgen.load(path, defines=defines, mixed_atomics=True, unroll=bound)
    start = time.process_time()
    result = xgen.check(text, xgen.model(model), timeout=LIMIT)
    seconds = round(time.process_time() - start, 2)
    row = {"program": program, "variant": variant, "model": model}
    if result.stopped:
        return row
    return row | {count: getattr(result, count) for count in COUNTS} | {"seconds": seconds}


def rows() -> Iterator[dict[str, object]]:
    for path in sorted(PROGRAMS.glob("*.c")):
        for variant in variants(path.stem):
            for model in MODELS:
                yield check(path.stem, variant, model)


if __name__ == "__main__":
    write(FIELDS, rows(), limit=f"{LIMIT:g} s")
