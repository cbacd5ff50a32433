"""Tests of AArch64 with accesses of several sizes, beside what herd and Dartagnan say of them.

    python benchmarks/sizes.py herdtools7 Dat3M > results/sizes.csv

The folders are those of clones of github.com/herd/herdtools7 and github.com/hernanponcedeleon/Dat3M. Of herd these are
the tests of two folders, with what is stored beside them (kinds.txt, *.expected); of Dartagnan those of litmus/AARCH64/
mixed, with ARM8-expected.csv. `said` is what is stored: herd's observation, or whether the test's condition is met
(`met` or `not`); `found` the same by xgen under arm8, or why there is no answer. Each row is of all tests of which the
same is said and found, `example` one of them; `--each` prints a row for each test.
"""

from __future__ import annotations

import csv
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from harness import write

import xgen
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.errors import Source, XgenError
from xgen.frontends.litmus import read_litmus
from xgen.frontends.litmus.test import LitmusTest

EACH = ("suite", "test", "said", "found", "states", "executions", "seconds")
FIELDS = ("suite", "said", "found", "tests", "states", "executions", "seconds", "example")
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


def summed(each: Iterable[Mapping[str, object]]) -> Iterator[dict[str, object]]:
    """Rows of tests put together; of what is refused, the place is left out."""
    found: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in each:
        outcome = re.sub(r": \d.*| behind .*", "", str(row["found"]))
        key = str(row["suite"]), str(row["said"]), outcome
        names = dict(zip(("suite", "said", "found"), key, strict=True))
        total = found.setdefault(key, {**names, "tests": 0, "example": row["test"]})
        total["tests"] = int(str(total["tests"])) + 1
        for name in ("states", "executions", "seconds"):
            total[name] = float(str(total.get(name, 0))) + float(str(row.get(name) or 0))
        total["seconds"] = round(float(str(total["seconds"])), 2)
        total |= {name: int(float(str(total[name]))) for name in ("states", "executions")}
    yield from found.values()


if __name__ == "__main__":
    clones = [Path(argument) for argument in sys.argv[1:] if argument != "--each"]
    if "--each" in sys.argv:
        write(EACH, rows(*clones), limit=f"{LIMIT:g} s")
    else:
        write(FIELDS, summed(rows(*clones)), limit=f"{LIMIT:g} s")
