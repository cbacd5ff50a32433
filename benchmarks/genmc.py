"""GenMC's own tests in C and C++, with the number of executions that it expects; C through both of xgen's readers.

python benchmarks/genmc.py FOLDER > results/genmc.csv

GenMC's repository is fetched into the folder, at COMMIT. Of each test of those folders that xgen can read, the
first variant is checked, with the first set of flags, under rc11-c20, which is what GenMC calls rc11; all executions.
C++ goes through the compiler, C through it (`clang`) and through xgen's own reader (`own`): both should say the same.
Where numbers differ from GenMC's, docs/counts.md says why.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import apart, write
from real import fetched

import xgen

REPOSITORY, COMMIT = "MPI-SWS/genmc", "b03f01ed0f34a873f7b8b960313a5279a6c9ab45"
SUITES = ("infr", "litmus", "saver", "ipr", "sr", "liveness")
LIMIT = 10.0
"""Seconds for one check."""
FIELDS = ["test", "flags", "reader", "expected", "verdict", "executions", "blocked", "bounded", "seconds", "why"]
HEADER = Path(xgen.__file__).parent / "frontends" / "c" / "include" / "genmc.h"

DECLARED = "void __VERIFIER_assume(int);\nint __VERIFIER_nondet_int(void);\n"
"""What a compiler has to be told of, which xgen's own reader knows."""


@dataclass(frozen=True)
class Test:
    """`options` are GenMC's, `flags` the compiler's; `expected` executions."""

    path: Path
    options: tuple[str, ...]
    flags: tuple[str, ...]
    expected: str

    @property
    def races(self) -> bool:
        return "-disable-race-detection" not in self.options

    @property
    def name(self) -> str:
        return "/".join(self.path.parts[-4:-2])


def tests(library: Path, suites: Iterable[str], line: int) -> Iterator[Test]:
    """Those that GenMC runs under rc11, with the flags of one line of their files; the last is the largest size."""
    for suite in suites:
        for folder in sorted((library / "tests" / "correct" / suite).iterdir()):
            variants = sorted([*folder.glob("variants/*.c"), *folder.glob("variants/*.cpp")])
            expected, given = folder / "expected.rc11.mo.in", folder / "args.rc11.mo.in"
            if not variants or not expected.exists():
                continue
            lines = given.read_text().strip().splitlines() if given.exists() else []
            own, _, flags = lines[line].partition("|") if lines else ("", "", "")
            words = tuple(f"-I{library / word[2:]}" if word.startswith("-I") else word for word in flags.split())
            numbers = expected.read_text().split()
            yield Test(variants[0], tuple(own.split()), words, numbers[line] if numbers else "")


def checked(path: str, flags: list[str], races: bool, clang: bool, headers: str) -> dict[str, object]:
    """What one reader makes of a test."""
    folders = [flag[2:] for flag in flags if flag.startswith("-I")]
    options: dict[str, object] = {
        "defines": tuple(flag[2:] for flag in flags if flag.startswith("-D")),
        "folders": (*folders, headers) if clang else tuple(folders),
        "flags": tuple(flag for flag in flags if flag.startswith("-std")) if clang else (),
        "races": races,
    }
    if clang and path.endswith(".c"):
        options["clang"] = True
    try:
        found = xgen.check(xgen.load(path, **options), xgen.model("rc11-c20"), all_states=True, timeout=LIMIT)
    except xgen.XgenError as error:
        return {"verdict": "refused", "why": str(error.message).split("\n")[0]}
    why = found.witness.violations[0].kind if found.witness else ""
    counts = {"executions": found.executions, "blocked": found.blocked, "bounded": found.bounded}
    return {"verdict": found.verdict, **counts, "why": why, "seconds": f"{found.seconds:.2f}"}


def rows(folder: Path) -> Iterator[dict[str, object]]:
    library = fetched(REPOSITORY, COMMIT, folder).resolve()
    with tempfile.TemporaryDirectory() as headers:
        (Path(headers) / "genmc.h").write_text(HEADER.read_text("utf-8") + DECLARED, "utf-8")
        for test in tests(library, SUITES, 0):
            for reader in ("clang",) if test.path.suffix == ".cpp" else ("own", "clang"):
                named = {"test": test.name, "reader": reader, "expected": test.expected}
                named["flags"] = " ".join(flag for flag in test.flags if not flag.startswith("-I"))
                try:
                    arguments = str(test.path), list(test.flags), test.races, reader == "clang", headers
                    answer = apart(checked, *arguments, limit=3 * LIMIT)
                except (TimeoutError, RuntimeError) as error:
                    answer = {"verdict": "no answer", "why": type(error).__name__}
                yield dict.fromkeys(FIELDS, "") | named | answer


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
