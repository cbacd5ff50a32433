"""Tests of AArch64 with accesses of several sizes, beside what herd and Dartagnan say of them.

    python benchmarks/sizes.py herdtools7 Dat3M > results/sizes.csv

The folders are those of clones of github.com/herd/herdtools7 and github.com/hernanponcedeleon/Dat3M. Of herd these are
the tests of two folders, with what is stored beside them (kinds.txt, *.expected); of Dartagnan those of litmus/AARCH64/
mixed, with ARM8-expected.csv. `said` is what is stored: herd's observation, or whether the test's condition is met
(`met` or `not`); `found` the same by xgen under arm8, or why there is no answer.
"""

from __future__ import annotations

import csv
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from harness import write

import xgen
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.errors import Source, XgenError
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest

FIELDS = ("suite", "test", "said", "found", "states", "executions", "seconds")
FOLDERS = ("catalogue/aarch64-mixed/tests", "herd/tests/instructions/AArch64.mixed")
KINDS = {"Allowed": "Sometimes", "Forbidden": "Never", "Required": "Always"}
LIMIT = 60.0
"""Seconds for each test."""


def of_herd(clone: Path) -> Iterator[tuple[Path, str]]:
    """The tests of herd's folders, with the observation that is stored, "" where none is."""
    for folder in FOLDERS:
        kinds = clone / folder / "kinds.txt"
        lines = kinds.read_text(encoding="utf-8").splitlines() if kinds.exists() else []
        known = {name: KINDS[kind] for name, kind in (line.split() for line in lines if line)}
        for path in sorted((clone / folder).glob("*.litmus")):
            expected = path.with_name(f"{path.name}.expected")
            text = expected.read_text(encoding="utf-8") if expected.exists() else ""
            match = re.search(r"^Observation \S+ (\w+)", text, re.MULTILINE)
            yield path, match[1] if match else known.get(path.stem, "")


def of_dartagnan(clone: Path) -> Iterator[tuple[Path, str]]:
    """Dartagnan's tests, with whether their condition is met."""
    with (clone / "dartagnan/src/test/resources/ARM8-expected.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if len(row) == 2 and "AARCH64/mixed" in row[0]]
    for name, met in sorted(rows):
        yield clone / name, "met" if met == "1" else "not"


def answer(path: Path, observed: bool) -> dict[str, object]:
    """What xgen finds: the observation, or whether the condition is met."""
    start = time.perf_counter()
    try:
        test = read_litmus(Source(path.name, path.read_text(encoding="utf-8")))
        result = run_litmus(test, xgen.model("arm8"), timeout=LIMIT)
    except XgenError as error:
        return {"found": f"refused: {error.message}"}
    found = {"seconds": round(time.perf_counter() - start, 3)}
    if result.stopped:
        return {"found": "timeout", **found}
    executions = result.positive + result.negative
    shown = result.observation if observed else met(test, result)
    return {"found": shown, "states": len(result.states), "executions": executions, **found}


def met(test: LitmusTest, result: LitmusResult) -> str:
    """Whether there is an execution that `exists` asks for, none of those that `~exists` does not want, and so on."""
    good = {"exists": result.positive > 0, "~exists": result.positive == 0, "forall": result.negative == 0}
    return "met" if good[test.question.quantifier] else "not"


def rows(herd: Path, dartagnan: Path) -> Iterator[dict[str, object]]:
    """All tests of which something is said."""
    for suite, tests in (("herd", of_herd(herd)), ("Dartagnan", of_dartagnan(dartagnan))):
        for path, said in tests:
            if said:
                yield {"suite": suite, "test": path.stem, "said": said, **answer(path, suite == "herd")}


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1]), Path(sys.argv[2])), limit=f"{LIMIT:g} s")
