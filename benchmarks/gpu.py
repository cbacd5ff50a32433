"""The public suites for GPUs: verdicts beside those that Dat3M expects.

    git clone https://github.com/hernanponcedeleon/Dat3M        # results/gpu.csv is of the commit below
    python benchmarks/gpu.py Dat3M > results/gpu.csv

Its tests (litmus/PTX) and the verdicts that its own runs are compared with (dartagnan/src/test/resources/*.csv) are
read from there; results/gpu.csv has the names of the tests, and what was found. Each suite is run under Dat3M's model
and under the shipped one. A verdict is 1 where what the test asks for holds. How many agree is said on standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import write

from xgen.analyses.suite.litmus import run_litmus
from xgen.errors import XgenError
from xgen.frontends.litmus import load_litmus
from xgen.memory.library import load_model

COMMIT = "30640123b88d4fc5ca01403f936d45c54d83a9c1"
FIELDS = ("suite", "test", "model", "expected", "found", "executions")
EXPECTED = "dartagnan/src/test/resources/{}-expected.csv"


@dataclass(frozen=True)
class Suite:
    """Tests with a verdict each, and the models that they are run under: a file of Dat3M's, and ours."""

    name: str
    architecture: str
    theirs: str
    ours: str


SUITES = (
    Suite("PTXv6_0", "PTX", "cat/ptx-v6.0.cat", "ptx"),
    Suite("PTXv7_5", "PTX", "cat/ptx-v7.5.cat", "ptx"),
)


def tests_of(root: Path, suite: Suite) -> list[tuple[str, str]]:
    """The tests of a suite, each with the verdict that is expected."""
    lines = (root / EXPECTED.format(suite.name)).read_text(encoding="utf-8").splitlines()
    rows = [line.strip().rsplit(",", 1) for line in lines if line.startswith("litmus/")]
    return [(path, expected) for path, expected in rows]


def verdict(path: Path, model: str, architecture: str, timeout: float) -> tuple[str, int]:
    """1 where what the test asks for holds, 0 where it does not, or why there is no answer; and the executions."""
    try:
        result = run_litmus(load_litmus(path), load_model(model, architecture), timeout)
    except XgenError as error:
        return error.message, 0
    words = {"Ok": "1", "No": "0", None: "out of time"}
    return words[result.verdict], result.positive + result.negative


def rows(root: Path, timeout: float) -> Iterator[dict[str, object]]:
    """All suites under both models; how many agree is told on the way."""
    for suite in SUITES:
        theirs = (suite.theirs.rpartition("/")[2], str(root / suite.theirs))
        for model, file in (theirs, (suite.ours, suite.ours)):
            counts: Counter[str] = Counter()
            start, executions = time.monotonic(), 0
            for path, expected in tests_of(root, suite):
                found, count = verdict(root / path, file, suite.architecture, timeout)
                counts["agree" if found == expected else "differ" if found in ("0", "1") else "no answer"] += 1
                executions += count
                yield dict(zip(FIELDS, (suite.name, path, model, expected, found, count), strict=True))
            told = ", ".join(f"{counts[word]} {word}" for word in ("agree", "differ", "no answer"))
            seconds = time.monotonic() - start
            print(f"{suite.name} under {model}: {told}; {executions} executions, {seconds:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dat3m", type=Path, help="a clone of Dat3M")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each test")
    given = parser.parse_args()
    write(FIELDS, rows(given.dat3m, given.timeout), dat3m=COMMIT)
