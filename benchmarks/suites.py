"""The tests in C of Nidhugg and of Dat3M, with what their authors expect.

python benchmarks/suites.py FOLDER > results/suites.csv

The repositories are fetched into the folder, each at its commit; where a folder of that commit is there already, it is
taken as it is. A file is read as it is, under the model that the test names, and races are none: neither tool asks for
them there. A test without an answer is asked again with a bound on loops, and one that frees memory too early without
`free`, which neither tool asks about. Of Nidhugg's litmus tests every twentieth is asked, under sc; each that is not as
expected has a row, and the others one together. Cases of which Dat3M expects no answer within its bound are left out.

`other` is a violation of a kind that the authors do not ask about, as a deadlock; `differs` is a verdict that is not
theirs, about which something is said.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import apart, write
from real import fetched

import xgen
from xgen.tags import MACHINES

LIMIT = 5.0
"""Seconds for one check."""
NIDHUGG = "nidhugg/nidhugg", "0aea4d237eefe492f09df8e23a54cbeba69c42de"
DAT3M = "hernanponcedeleon/Dat3M", "30640123b88d4fc5ca01403f936d45c54d83a9c1"
FIELDS = ["suite", "test", "model", "expected", "verdict", "outcome", "why", "executions", "unroll"]
WAYS = ((None, True), (3, True), (None, False), (3, False))
"""The bounds on loops that are tried, one after the other, as long as there is no answer; and whether `free` frees."""
NONDET = (0, 3)
"""The values of what nobody knows."""
EVERY = 20
"""Of so many litmus tests of Nidhugg, one is asked."""
BATCH = 100
"""Litmus tests for each process."""
NOT_ASKED = frozenset({"deadlock", "destroyed", "unlock", "uninitialised"})
OF_THE_HEAP = frozenset({"race-with-free", "use-after-free", "double-free"})
WITHOUT_FREE = "#include <stdlib.h>\n#define free(pointer) ((void)(pointer))\n"

DIFFER = {
    "miscellaneous/verifierAssert (ARM8)": "what follows an assertion depends on it here, as where it is compiled",
    "mixed/store-to-load-forwarding1 (ARM8)": "a load takes a byte from its own update and the other from elsewhere",
}
"""Where a verdict is not theirs: what about. The second is not judged."""

JAVA = "dartagnan/src/test/java/com/dat3m/dartagnan/llvm"
_FOLDER = re.compile(r'getTestResourcePath\("(\w+)/" \+ name \+ ".ll"\)')
_NAMED_MODEL = re.compile(r'createWmmFromName\(\(\) -> "([\w-]+)"\)')
_CASE = re.compile(r'^\s*\{"([^"]+)", (\w+), (PASS|FAIL)\b', re.M)
_EXPECTED = {"PASS": "safe", "FAIL": "violation"}
_MACHINES = {"TSO": "x86", "ARM8": "armv8", "POWER": "power", "RISCV": "riscv"}
_MODELS = {"rc11": "rc11", "IMM": "rc11"}
"""By what the tests say. Of those under Dat3M's other models of C, only the ones that are about C itself are asked."""


@dataclass(frozen=True)
class Test:
    """`model`: a model of xgen, or `on MACHINE`."""

    suite: str
    name: str
    file: Path
    model: str
    expected: str
    folders: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


def of_nidhugg(library: Path, suite: str) -> Iterator[Test]:
    """What the file with results of a folder of tests lists."""
    folder = library / "tests" / suite
    for line in (folder / "reference.results.txt").read_text("utf-8").splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        file = folder / "C-tests" / f"{words[0]}.c"
        if not file.exists():
            continue
        flags = re.match(r"// nidhuggc:(.*)", file.read_text("utf-8"))
        model = next((name for name in ("tso", "pso") if flags and f"-{name}" in flags[1].split()), "sc")
        yield Test(f"nidhugg {suite}", words[0], file, model, "violation" if words[1] == "Allow" else "safe")


def of_dat3m(library: Path) -> Iterator[Test]:
    """The cases of its tests in Java that are about assertions, and of a C file that is in benchmarks."""
    for java in sorted((library / JAVA).glob("*.java")):
        text = java.read_text("utf-8")
        folder, model = _FOLDER.search(text), _NAMED_MODEL.search(text)
        if folder is None or "TERMINATION" in text or folder[1] == "lkmm":
            continue
        for name, target, expected in _CASE.findall(text):
            named = model[1] if model else target
            found = f"on {_MACHINES[named]}" if named in _MACHINES else _MODELS.get(named)
            variant = _variant(library / "benchmarks" / folder[1], name)
            other = named == "IMM" and folder[1] != "miscellaneous"
            if found is None or variant is None or other or name.startswith("memtrack"):
                continue
            file, defines = variant
            title = f"{folder[1]}/{name} ({named})"
            yield Test("dat3m", title, file, found, _EXPECTED[expected], (str(library / "include"),), defines)


def _variant(folder: Path, name: str) -> tuple[Path, tuple[str, ...]] | None:
    """The file of a case, and the macro that makes the case of it: `ttas-acq2rx` is ttas.c with ACQ2RX."""
    if (folder / f"{name}.c").exists():
        return folder / f"{name}.c", ()
    stem, _, rest = name.partition("-")
    files = sorted(folder.glob("*.c"), key=lambda file: -len(file.stem))
    for file in files:
        if name.startswith(f"{file.stem}-"):
            stem, rest = file.stem, name.removeprefix(f"{file.stem}-")
            break
    if not (folder / f"{stem}.c").exists():
        return None
    text = "".join(
        (folder / part).read_text("utf-8") for part in (f"{stem}.c", f"{stem}.h", "futex.h") if (folder / part).exists()
    )
    macro = rest.upper().replace("-", "_")
    for tried in (macro, macro.rpartition("_")[0], "FAIL"):
        if tried and re.search(rf"#ifn?def {tried}\b", text):
            return folder / f"{stem}.c", (tried,)
    return None


def checked(
    path: str, model: str, expected: str, folders: list[str], defines: list[str], unroll: int | None, frees: bool
) -> dict[str, object]:
    """What xgen makes of a test, and whether that is what was expected."""
    machine = model.removeprefix("on ")
    options: dict[str, Any] = {"defines": tuple(defines), "folders": tuple(folders), "races": False, "exits": False}
    options["nondet"] = NONDET
    if machine != model:
        options["map"] = machine
    elif model in ("tso", "pso"):  # as Nidhugg reads it
        options["map"] = "none"
    if unroll is not None:
        options["unroll"] = unroll
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
            header.write("" if frees else WITHOUT_FREE)
            header.flush()
            program = xgen.load(path, includes=(header.name,), **options)
        mcm = xgen.model(MACHINES[machine] if machine != model else model)
        found = xgen.check(program, mcm, timeout=LIMIT)
    except xgen.XgenError as error:
        return {"verdict": "refused", "outcome": "refused", "why": str(error.message).split("\n")[0]}
    why = found.witness.violations[0].kind if found.witness else ""
    verdict: str = "none completes" if found.vacuous and found.bounded else found.verdict
    if verdict == "safe" and "__VERIFIER_nondet_" in Path(path).read_text("utf-8"):
        verdict = "safe for a few values"
    outcome = judged(verdict, expected, why)
    return {"verdict": verdict, "outcome": outcome, "why": why, "executions": found.executions, "unroll": unroll or ""}


def judged(verdict: str, expected: str, kind: str) -> str:
    """How a verdict is to what was expected."""
    if verdict == "violation":
        return "right" if expected == "violation" else "other" if kind in NOT_ASKED else "wrong"
    if verdict == "vacuous":  # all was explored, and nothing completes
        return "right" if expected == "safe" else "unknown"
    if verdict == "safe":
        return "wrong" if expected == "violation" else "right"
    return "unknown"


def answered(test: Test) -> dict[str, object]:
    """The row of a test."""
    named: dict[str, object] = {
        "suite": test.suite,
        "test": test.name,
        "model": test.model,
        "expected": test.expected,
    }
    answer: dict[str, object] = {}
    for unroll, frees in WAYS:
        if answer and (answer["outcome"] != "unknown" if frees else answer["why"] not in OF_THE_HEAP):
            continue
        arguments: list[Any] = [str(test.file), test.model, test.expected, test.folders, test.defines, unroll, frees]
        try:
            answer = apart(checked, *arguments, limit=3 * LIMIT)
        except (TimeoutError, RuntimeError) as error:
            answer = {"verdict": "no answer", "outcome": "unknown", "why": type(error).__name__}
    if answer["outcome"] == "wrong" and test.name in DIFFER:
        answer |= {"outcome": "differs", "why": DIFFER[test.name]}
    return dict.fromkeys(FIELDS, "") | named | answer


def all_of(tests: list[list[str]]) -> list[dict[str, object]]:
    """What is made of small tests, all in one process."""
    return [checked(path, model, expected, [], [], None, True) for path, model, expected in tests]


def of_many(tests: list[Test]) -> Iterator[dict[str, object]]:
    """A row for each test that is not as expected, and one for the others."""
    right: Counter[str] = Counter()
    for first in range(0, len(tests), BATCH):
        some = tests[first : first + BATCH]
        answers = apart(all_of, [[str(test.file), test.model, test.expected] for test in some])
        for test, answer in zip(some, answers, strict=True):
            if answer["outcome"] == "right":
                right[test.expected] += 1
            else:
                yield answered(test)
    for expected, count in sorted(right.items()):
        named: dict[str, object] = {
            "suite": tests[0].suite,
            "test": f"{count} tests",
            "model": "sc",
            "outcome": "right",
        }
        yield dict.fromkeys(FIELDS, "") | named | {"expected": expected, "verdict": expected}


def rows(folder: Path) -> Iterator[dict[str, object]]:
    nidhugg, dat3m = (fetched(*one, folder).resolve() for one in (NIDHUGG, DAT3M))
    for test in (*of_nidhugg(nidhugg, "smoke"), *of_dat3m(dat3m)):
        yield answered(test)
    yield from of_many(list(of_nidhugg(nidhugg, "litmus"))[::EVERY])


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
