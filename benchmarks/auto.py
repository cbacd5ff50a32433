"""A check for the verdict with classes in turns (`--classes auto`) against executions alone (docs/classes.md).

    python benchmarks/auto.py > results/auto.csv
    python benchmarks/auto.py --models sc,rc11 'writers(4,4)' dekker_us mcs.c > auto.csv

Without names: all of programs/, and families in sizes that take from half a second to half a minute; and, in one row
each, the litmus tests of an architecture under its model. `off` and `auto` are the processor's seconds of each, reading
not included, `ratio` is the one by the other; `by` is what the answer of `auto` comes from. What takes longer than
20 seconds has no `off`, and then no ratio.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from families import PROGRAMS, instance
from harness import fastest, write
from run import models

import xgen
from xgen.executions.result import Partition, Result

FAMILIES = [
    "coherence(13)", "readers(23)", "fetch_add(10)", "write_then_read(7)", "writers(4,4)", "sb(22)",
    "variables(22)", "locked_counter(8)", "locked_data(8)", "racing(3,3,24)", "peterson_fenced(5)", "dekker_fenced(4)",
]  # fmt: skip
FEW = ["sc"]
"""Their models."""
MODELS = ["sc", "tso", "rc11", "arm8"]
LITMUS = {"X86": "tso", "AArch64": "arm8", "PPC": "power", "RISCV": "riscv", "C": "rc11"}
LIMIT = 20.0
"""Seconds for each."""
FIELDS = ["program", "model", "verdict", "by", "off", "auto", "ratio"]


def load(name: str) -> tuple[xgen.Program, int | None]:
    """A shipped program as it is, or one of a family, and its bound."""
    path = PROGRAMS / "c" / name if name.endswith(".c") else PROGRAMS / f"{name}.xcfa"
    if path.exists():
        return xgen.load(path, **({"map": "none"} if path.suffix == ".c" else {})), None
    made = instance(name)
    return xgen.parse(made.text, "xcfa"), made.depth


def row(name: str, model: str, limit: float = LIMIT, again: float = 0.1) -> dict[str, object]:
    """One program under one model."""
    program, depth = load(name)
    memory = xgen.model(model)

    def check(classes: Partition | None) -> Result:
        options = {} if classes is None else {"classes": classes}
        return xgen.check(program, memory, max_depth=depth, timeout=limit, **options)  # type: ignore[arg-type]

    alone, off = fastest(lambda: check("off"), again)
    found, auto = fastest(lambda: check(None), again)
    values: dict[str, object] = {"program": name, "model": model}
    if found.stopped is None:
        assert alone.stopped is not None or alone.verdict == found.verdict, (name, model)
        by = "executions" if found.partition == "off" else found.partition
        values |= {"verdict": found.verdict, "by": by, "auto": f"{auto:.4f}"}
    if alone.stopped is None:
        values |= {"off": f"{off:.4f}", "ratio": f"{auto / off:.2f}"}
    return values


def litmus(folder: str, model: str) -> dict[str, object]:
    """The tests of one architecture, one after the other."""
    memory, sums = xgen.model(model), [0.0, 0.0]
    paths = sorted((PROGRAMS.parent / "litmus" / folder).rglob("*.litmus"))
    programs = list(map(xgen.load, paths))
    for program in programs:  # plans of the model are made once
        xgen.check(program, memory)
    for program in programs:
        for place, options in enumerate(({"classes": "off"}, {})):
            sums[place] += fastest(lambda: xgen.check(program, memory, **options), 0.005)[1]  # type: ignore[arg-type]  # noqa: B023
    values = {"program": f"litmus/{folder}: {len(paths)} tests", "model": model, "off": f"{sums[0]:.4f}"}
    return values | {"auto": f"{sums[1]:.4f}", "ratio": f"{sums[1] / sums[0]:.2f}"}


def shipped() -> list[str]:
    """The names of the programs in programs/ and programs/c/."""
    return [
        *(p.stem for p in sorted(PROGRAMS.glob("*.xcfa"))),
        *(p.name for p in sorted(Path(PROGRAMS, "c").glob("*.c"))),
    ]


def rows(names: Sequence[str], under: Sequence[str]) -> Iterator[dict[str, object]]:
    """A row for each program and model; without names, for all and the litmus tests."""
    pairs = [(name, model) for name in names or shipped() for model in under]
    if not names:
        pairs = [(name, model) for name in FAMILIES for model in FEW if model in under] + pairs
    tests = (litmus(*pair) for pair in LITMUS.items()) if not names else ()
    for found in chain((row(*pair) for pair in pairs), tests):
        yield dict.fromkeys(FIELDS, "") | found


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="families with numbers, or shipped programs")
    parser.add_argument("--models", type=models, default=",".join(MODELS), help="default: %(default)s")
    options = parser.parse_args()
    write(FIELDS, rows(options.programs, options.models))


if __name__ == "__main__":
    main()
