"""Random programs about the lives of objects and threads, in C, C++ and Rust, against all their interleavings.

    python tests/both/run_long.py --programs 300 --seed 1
    python tests/both/run_long.py --programs 100 --readers rust --seed 7

What is seldom wrong is asked about as often as what mostly is: for each set of kinds as many programs as for others.
A difference is shown with its seed and its text; any makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).parents[1]))

from both.interleavings import LeftError, TooManyError, wrong
from both.made import Program, make
from both.printers import InC, InCpp, InRust, Printer

import xgen

PRINTERS: dict[str, tuple[Printer, str, bool]] = {
    "c": (InC(), "c", False),
    "clang": (InC(), "c", True),
    "cpp": (InCpp(), "cpp", False),
    "rust": (InRust(), "rs", False),
}
"""What reads a program: how it is printed, in which language it is read, and whether a compiler is asked about C."""

KINDS = {
    "dead": {"use-after-free", "double-free", "race-with-free"},
    "unset": {"uninitialised"},
    "assertion": {"assertion", "exit"},
    "race": {"race", "race-with-free", "use-before-allocation"},
    "null": {"bad-address"},
    "bad-free": {"bad-free"},
    "bad-join": {"bad-join", "bad-address", "exit"},
}
"""What xgen calls each kind. A join of no thread is a null pointer in C++, and a panic in Rust."""


def drawn(seed: int, throws: bool | None = None, more: bool = False) -> Iterator[tuple[int, Program, frozenset[str]]]:
    """Programs from a seed on, with what is wrong with each; `throws`: all with exceptions, or all without;
    `more`: with shapes that the others have not."""
    met: Counter[frozenset[str]] = Counter()
    while True:
        program = make(seed, seed % 2 == 1 if throws is None else throws, more)
        try:
            kinds = frozenset(wrong(program))
        except (LeftError, TooManyError):
            kinds = None
        if kinds is not None and met[kinds] * (2 if kinds else 1) <= 1 + sum(met.values()) / 8:
            met[kinds] += 1
            yield seed, program, kinds
        seed += 1


def difference(program: Program, kinds: frozenset[str], reader: str) -> str | None:
    """How what is found of a program differs from what is wrong with it; None: it does not, or there is no answer."""
    printer, language, clang = PRINTERS[reader]
    text = printer.text(program)
    options = {"clang": True} if clang else {}
    try:
        result = xgen.check(xgen.parse(text, language, f"made.{language}", **options), xgen.model("rc11"), timeout=20)
    except xgen.XgenError as error:
        return f"refused: {error}"
    if result.verdict == "interrupted":
        return None
    if not kinds:
        return None if result.verdict == "safe" else f"{result.verdict} {found_in(result)}, and nothing is wrong"
    if result.verdict != "violation":
        return f"{result.verdict}, and it can be wrong: {', '.join(sorted(kinds))}"
    named = {name for kind in kinds for name in KINDS[kind]}
    return None if found_in(result) & named else f"{found_in(result)}, not {named}"


def found_in(result: xgen.Result) -> set[str]:
    """The kinds of a result's violations."""
    return set() if result.witness is None else {violation.kind for violation in result.witness.violations}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", nargs="*", choices=PRINTERS, default=list(PRINTERS))
    parser.add_argument("--throws", action="store_true", help="exceptions and destructors in all programs")
    parser.add_argument("--more", action="store_true", help="owners, structures, calls, loops, what threads are given")
    parser.add_argument("--progress", action="store_true", help="name each program on standard error")
    asked = parser.parse_args()
    compared = 0
    differences: Counter[str] = Counter()
    for _, (seed, program, kinds) in zip(
        range(asked.programs), drawn(asked.seed, asked.throws or None, asked.more), strict=False
    ):
        for reader in asked.readers:
            if program.throws and PRINTERS[reader][1] == "c":
                continue
            compared += 1
            differs = difference(program, kinds, reader)
            if asked.progress:
                print(f"seed {seed}, {reader}: {', '.join(sorted(kinds)) or 'safe'}", file=sys.stderr, flush=True)
            if differs is not None:
                differences[reader] += 1
                print(f"== seed {seed}, {reader}: {differs}\n{PRINTERS[reader][0].text(program)}", flush=True)
    print(f"{compared} comparisons, {sum(differences.values())} differences: {dict(differences)}")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
