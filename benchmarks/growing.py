"""Families of programs that grow with a number N: how far xgen gets, and GenMC where it is on PATH.

    python benchmarks/growing.py > results/growing.csv
    python benchmarks/growing.py ticket mutex > some.csv

The programs are the C files of `growing/`, under rc11, with the options that both tools have by default. N grows by one
until a tool takes more than `LIMIT` seconds of the processor. `both` is the last N for which both end within them, with
the seconds of each and with the complete and blocked executions that each says; `genmc_last` and `xgen_last` are the
last N of each, with its seconds. xgen says classes where it explores these instead, and how many executions there are
but for names of threads where it visits few others. Where GenMC takes writes in no order for an error, which its
in-place revisiting is not made for, it runs without that: `flags` says so.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from harness import XGEN, run, write
from tools import genmc_counted, xgen_counted

PROGRAMS = Path(__file__).parent / "growing"
LIMIT, CLOCK = 6.0, 30.0
"""Seconds of the processor, and by the clock."""
MOST = 32
WITHOUT = "-disable-ipr"
FIELDS = ["family", "flags", "both", "genmc", "xgen", "genmc_says", "xgen_says"]
FIELDS += ["genmc_last", "genmc_seconds", "xgen_last", "xgen_seconds"]


class Row(NamedTuple):
    """A run that ended in time."""

    seconds: float
    says: str


def xgen(program: Path, size: int) -> Row | None:
    done = run([XGEN, "check", str(program), "--mcm", "rc11-c20", f"-DN={size}"], limit=CLOCK)
    if not done.output.startswith("safe"):
        raise RuntimeError(f"{program.stem}({size}): {done.output}")
    if classes := re.search(r"^classes +(\d+)", done.output, re.M):
        says = f"{classes[1]} classes"
    else:
        counted = xgen_counted(done.output)
        says = f"{counted.executions}+{counted.blocked}"
    names = re.search(r"; (\d+) of the complete ones but for the names", done.output)
    says += f" ({names[1]} but for names)" if names else ""
    return Row(done.cpu, says) if done.cpu <= LIMIT else None


def genmc(program: Path, size: int, *options: str) -> Row | None:
    command = ["genmc", "--rc11", "--disable-estimation", *options, "--", f"-DN={size}", str(program)]
    done = run(command, limit=CLOCK)
    if "treated as an error" in done.output and not options:
        return genmc(program, size, WITHOUT)
    counted = genmc_counted(done.output)
    says = " ".join([f"{counted.executions}+{counted.blocked}", *options])
    return Row(done.cpu, says) if done.cpu <= LIMIT else None


def grown(program: Path, tool: str) -> dict[int, Row]:
    """The runs of a tool, by N, until one takes too long."""
    found: dict[int, Row] = {}
    for size in range(2, MOST + 1):
        try:
            row = (xgen if tool == "xgen" else genmc)(program, size)
        except TimeoutError:
            row = None
        if row is None:
            break
        found[size] = row
    return found


def rows(families: list[str]) -> Iterator[dict[str, object]]:
    for program in sorted(PROGRAMS.glob("*.c")):
        if families and program.stem not in families:
            continue
        row: dict[str, object] = {"family": program.stem}
        runs = {tool: grown(program, tool) for tool in ("genmc", "xgen") if tool == "xgen" or shutil.which(tool)}
        for tool, found in runs.items():
            last = max(found)
            row |= {f"{tool}_last": last, f"{tool}_seconds": f"{found[last].seconds:.2f}"}
        row["both"] = both = min(max(found) for found in runs.values())
        for tool, found in runs.items():
            row |= {tool: f"{found[both].seconds:.2f}", f"{tool}_says": found[both].says.partition(" -")[0]}
        row["flags"] = WITHOUT if any(WITHOUT in each.says for each in runs.get("genmc", {}).values()) else ""
        yield row


if __name__ == "__main__":
    write(FIELDS, rows(sys.argv[1:]), limit=f"{LIMIT:g} s of the processor")
