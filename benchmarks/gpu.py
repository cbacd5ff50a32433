"""The public suites for GPUs: verdicts beside those that Dat3M expects.

    git clone https://github.com/hernanponcedeleon/Dat3M        # results/gpu.csv is of the commit below
    python benchmarks/gpu.py Dat3M > results/gpu.csv

Its tests (litmus/) and the verdicts that its own runs are compared with (dartagnan/src/test/resources/*.csv) are read
from there; results/gpu.csv has the names of the tests, and what was found. Each suite is run under Dat3M's model
and under the shipped one. A verdict is 1 where what the test asks for holds,
or, in a suite of races, where there are none. How many agree is said on standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness import write

from xgen.analyses.suite.litmus import run_litmus
from xgen.analyses.suite.suite import asking_whether_all_end
from xgen.errors import XgenError
from xgen.frontends.litmus import load_litmus
from xgen.memory.library import load_model

COMMIT = "30640123b88d4fc5ca01403f936d45c54d83a9c1"
FIELDS = ("suite", "test", "model", "expected", "found", "executions")
_model = cache(load_model)
EXPECTED = "dartagnan/src/test/resources/{}-expected.csv"


@dataclass(frozen=True)
class Suite:
    """Tests with a verdict each, and the models that they are run under: a file of Dat3M's, and ours.

    `races`: what is asked is whether nothing raises a flag; `liveness`: whether every thread ends.
    """

    name: str
    architecture: str
    theirs: str
    ours: str | None
    races: bool = False
    liveness: bool = False


SUITES = (
    Suite("PTXv6_0", "PTX", "cat/ptx-v6.0.cat", "ptx"),
    Suite("PTXv7_5", "PTX", "cat/ptx-v7.5.cat", "ptx"),
    Suite("PTXv6_0-Liveness", "PTX", "cat/ptx-v6.0.cat", "ptx", liveness=True),
    Suite("PTXv7_5-Liveness", "PTX", "cat/ptx-v7.5.cat", "ptx", liveness=True),
    Suite("VULKAN", "VULKAN", "cat/vulkan.cat", "vulkan"),
    Suite("VULKAN-DR", "VULKAN", "cat/vulkan.cat", "vulkan", races=True),
    Suite("VULKAN-NOCHAINS", "VULKAN", "cat/vulkan-nochains.cat", None),
    Suite("OPENCL", "OpenCL", "cat/opencl.cat", "opencl"),
    Suite("OPENCL-DR", "OpenCL", "cat/opencl.cat", "opencl", races=True),
    Suite("VULKAN-DR-NOCHAINS", "VULKAN", "cat/vulkan-nochains.cat", None, races=True),
)


def tests_of(root: Path, suite: Suite) -> list[tuple[str, str]]:
    """The tests of a suite that are there, each with the verdict that is expected."""
    lines = (root / EXPECTED.format(suite.name)).read_text(encoding="utf-8").splitlines()
    rows = [line.strip().rsplit(",", 1) for line in lines if line.startswith("litmus/")]
    return [(path, expected) for path, expected in rows if (root / path).is_file()]


def verdict(path: Path, model: str, suite: Suite, timeout: float) -> tuple[str, int]:
    """1 where what the test asks for holds, 0 where it does not, or why there is no answer; and the executions."""
    try:
        test = asking_whether_all_end(load_litmus(path)) if suite.liveness else load_litmus(path)
        result = run_litmus(test, _model(model, suite.architecture), timeout)
    except XgenError as error:
        return error.message, 0
    executions = result.positive + result.negative
    decided = result.negative if result.kind == "Required" else result.positive
    if result.stopped is not None and not (result.flags if suite.races else decided):
        return "out of time", executions
    if suite.liveness:
        return str(int(result.negative == 0)), executions
    holds = not result.flags if suite.races else test.question.validated(result.positive, result.negative)
    return str(int(holds)), executions


def rows(root: Path, timeout: float, only: list[str] | None) -> Iterator[dict[str, object]]:
    """All suites under both models; how many agree is told on the way."""
    for suite in SUITES:
        if only is not None and suite.name not in only:
            continue
        theirs = (suite.theirs.rpartition("/")[2], str(root / suite.theirs))
        for model, file in (theirs, *([(suite.ours, suite.ours)] if suite.ours else [])):
            counts: Counter[str] = Counter()
            start, executions = time.monotonic(), 0
            for path, expected in tests_of(root, suite):
                found, count = verdict(root / path, file, suite, timeout)
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
    parser.add_argument("--only", action="append", help="a suite, such as VULKAN")
    given = parser.parse_args()
    write(FIELDS, rows(given.dat3m, given.timeout, given.only), dat3m=COMMIT)
