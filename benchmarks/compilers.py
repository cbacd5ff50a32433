"""Tests of compilers: C programs of one thread, which end with 0 where a compiler has read them right.

python benchmarks/compilers.py FOLDER > results/compilers.csv

The repositories are fetched into the folder, each at its commit; where a folder of that commit is there already, it is
taken as it is. What is no violation of ours is in JUDGED, each with its reason: compilers say nothing of it, C does.
"""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from harness import write
from real import fetched

import xgen

LIMIT = 10.0
"""Seconds for each."""
SUITES = (
    ("c-testsuite/c-testsuite", "5c7275656d751de0e68b2d340a95b5681858ed07", "tests/single-exec"),
    (
        "llvm/llvm-test-suite",
        "3c0a28f12509091808c051c80ca867d9085cd8fb",
        "SingleSource/Regression/C/gcc-c-torture/execute",
    ),
)
"""Repository, commit, and where the programs are; the second folder has those of GCC."""
FIELDS = ["repository", "commit", "test", "outcome", "why", "seconds"]
_NO_VALUE = """
00141 00144 20030404-1 20071120-1 20090113-1 20090527-1 20171008-1 20190820-1 920428-1 920726-1 930719-1 941014-2
pr33870-1 pr34099 pr34099-2 pr43629 pr80421 va-arg-14
"""
JUDGED = {
    **dict.fromkeys(_NO_VALUE.split(), "reads what has no value"),
    **dict.fromkeys(("pr41395-2", "pr41463", "pr41935", "strlen-7"), "an index beyond an array"),
    **dict.fromkeys(("pr55875", "pr58943"), "C leaves the order open"),
    "20021127-1": "replaces a function of the library",
    "bcp-1": "asks what the optimiser knows",
    "eeprof-1": "needs an option of the compiler",
    "pr67037": "calls a function that has no parameters with an argument",
}


def programs(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Repository, commit and file of each, in order."""
    for repository, commit, where in SUITES:
        for file in sorted((fetched(repository, commit, folder) / where).glob("*.c")):
            yield repository, commit, file


def asked(file: Path) -> dict[str, object]:
    """What is said of one."""
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        said = answer(file.stem, xgen.check(xgen.load(file), xgen.model("rc11")).verdict)
    except TimeoutError:
        said = {"outcome": "unknown", "why": "time"}
    except xgen.XgenError as error:
        said = refused(error.message)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {**said, "seconds": f"{time.process_time() - start:.2f}"}


def answer(test: str, verdict: str) -> dict[str, object]:
    """What a verdict says of a test."""
    if verdict == "safe":
        return {"outcome": "right", "why": ""}
    if verdict == "violation":
        return {"outcome": "judged" if test in JUDGED else "wrong", "why": JUDGED.get(test, "")}
    return {"outcome": "unknown", "why": verdict}


def refused(message: str) -> dict[str, object]:
    """What is not read, and why."""
    return {"outcome": "refused", "why": re.sub(r"`[^`]*`", "..", re.sub(r"\s+", " ", message))[:80]}


def _late(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, _late)
    write(
        FIELDS,
        (
            {"repository": repository, "commit": commit[:12], "test": file.stem, **asked(file)}
            for repository, commit, file in programs(Path(sys.argv[1]))
        ),
    )
