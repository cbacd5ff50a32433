"""GenMC's own tests as commands: xgen beside GenMC, and Nidhugg where it is on PATH.

python benchmarks/peers.py FOLDER > results/peers.csv

GenMC's repository is fetched into the folder, at the commit that genmc.py names; `genmc` is on PATH. Its tests in C,
the largest size of each, come in an order that a fixed seed draws; the first 60 for which GenMC ends within the limit
are rows, whatever the others make of them. The row `start-up` is a program that does nothing. Seconds are the
processor's, the least of three runs by turns. `xgen` reads the program, `again` is the same command once more, for
which the program is kept as it was translated. A tool says its verdict with the complete and blocked executions, or why
it has none. `ratio` is xgen's time by GenMC's; `beyond` is xgen's time less GenMC's where each is without its start-up.

GenMC runs under rc11 with the options of that test, without its estimate; xgen under rc11-c20, which is that model,
with the options that mean the same. Nidhugg has no such model: it runs under sc, with a header
for what tests use of GenMC's (nidhugg/genmc.h), and counts other executions.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from genmc import COMMIT, REPOSITORY, Test, tests
from harness import XGEN, Finished, run, write
from real import fetched
from tools import TOOLS, genmc_counted, nidhugg_counted, version, xgen_counted

SUITES = ("data-structures", "infr", "ipr", "liveness", "saver", "sr", "synthetic")
"""All but the litmus tests, which are nothing but start-up, and what needs options that xgen has no counterpart of."""
SEED, COUNT, RUNS = 45, 60, 3
LIMIT = 20.0
"""Seconds for one run."""
NAMES = ("genmc", "xgen", "nidhugg")
FIELDS = ["test", "flags", "genmc", "xgen", "again", "nidhugg", "ratio", "beyond", *(f"{name}_says" for name in NAMES)]
SAME = {"-disable-race-detection": ("--no-check", "races"), "-check-liveness": ("--liveness",)}
"""GenMC's options, and xgen's."""
HEADERS = Path(__file__).parent / "nidhugg"
NOTHING = "int main(void) { return 0; }\n"


def commands(test: Test) -> dict[str, list[str]]:
    """How each tool that is there is run."""
    path = str(test.path)
    unrolled = [option for option in test.options if option.startswith("-unroll=")]
    options = [word for option in test.options for word in SAME.get(option, ())]
    options += [word for option in unrolled for word in ("--unroll", option.partition("=")[2])]
    options += [flag for flag in test.flags if flag.startswith(("-D", "-I"))]
    found = {
        "genmc": ["genmc", "--rc11", "--disable-estimation", *test.options, "--", *test.flags, path],
        "xgen": (check := [XGEN, "check", path, "--mcm", "rc11-c20", *options]),
        "again": check,
        "nidhugg": ["nidhuggc", f"-I{HEADERS}", *test.flags, "--", "-sc", *unrolled, path],
    }
    return {name: command for name, command in found.items() if shutil.which(command[0])}


def said(name: str, output: str) -> str:
    """A verdict, and complete and blocked executions. Raises ValueError with the reason where there is none."""
    if name in ("xgen", "again"):
        verdict, counted = re.split("[:(]", output, maxsplit=1)[0].strip(), xgen_counted(output)
        return f"{verdict}, {counted.executions}+{counted.blocked}"
    counted = (genmc_counted if name == "genmc" else nidhugg_counted)(output)
    return f"safe, {counted.executions}+{counted.blocked}"


def measured(test: Test) -> dict[str, Any]:
    """What the tools take and say. Raises ValueError where GenMC has no answer in time."""
    runs: dict[str, list[Finished]] = {}
    answers: dict[str, str] = {}
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as kept:
            for name, command in commands(test).items():
                if name not in answers or runs.get(name):
                    try:
                        done = run(command, limit=LIMIT, XDG_CACHE_HOME=kept)
                        answers[name] = said(name, done.output)
                        runs.setdefault(name, []).append(done)
                    except (TimeoutError, ValueError) as error:
                        answers[name] = f"no answer: {error}"
                        if name == "genmc":
                            raise ValueError(answers[name]) from error
    if answers.pop("again") != answers["xgen"]:
        raise RuntimeError(f"{test.name}: another answer about the program that was kept")
    seconds = {name: round(min(done.cpu for done in each), 3) for name, each in runs.items()}
    return seconds | {f"{name}_says": answer for name, answer in answers.items()}


def rows(drawn: list[Test]) -> Iterator[dict[str, Any]]:
    """`start-up`, then each test for which GenMC has an answer."""
    nothing: dict[str, Any] = {}
    for test in drawn:
        try:
            row = measured(test)
        except ValueError as error:
            print(f"left out: {test.name}: {error}", file=sys.stderr)
            continue
        nothing = nothing or row
        if "xgen" in row:
            row["ratio"] = f"{row['xgen'] / row['genmc']:.2f}"
            row["beyond"] = f"{row['xgen'] - row['genmc'] - (nothing['xgen'] - nothing['genmc']):.3f}"
        flags = " ".join(word for word in (*test.options, *test.flags) if not word.startswith("-I"))
        name = "start-up" if row is nothing else test.name
        yield dict.fromkeys(FIELDS, "") | {"test": name, "flags": flags} | row


def main(folder: Path) -> None:
    library = fetched(REPOSITORY, COMMIT, folder).resolve()
    there = [test for test in tests(library, SUITES, -1) if test.path.suffix == ".c"]
    drawn = random.Random(SEED).sample(there, len(there))
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "nothing.c").write_text(NOTHING)
        nothing = Test(Path(made) / "nothing.c", (), (), "")
        versions = {tool.name: version(tool) for tool in TOOLS if tool.name in NAMES and shutil.which(tool.command[0])}
        facts = {"repository": REPOSITORY, "commit": COMMIT, "seed": str(SEED), "tests": str(len(there)), **versions}
        write(FIELDS, islice(rows([nothing, *drawn]), COUNT + 1), **facts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
