"""Dartagnan's own tests of locks and lock-free structures as commands: xgen beside Dartagnan, in one run.

python benchmarks/dartagnan.py FOLDER > results/dartagnan.csv

Dartagnan's repository is fetched into the folder, at a commit, and built there by Maven, with its solvers; it needs a
JDK of 17 or more. Its tests of C programs are tables of a program, a machine or RC11, and what it says of them. Each
row of these is a question, with the bound on loops that the test has. A fixed seed draws 60 of the questions. Both
tools read the same IR, by turns, as whole commands, with nothing kept from the time before. Each
question is two lines, one of each tool: verdict, executions, seconds of the processor, MiB of memory at most.

Dartagnan asks for assertions alone, so xgen is told to look for no data races. Its UNKNOWN is `safe` within the bound
on its loops; xgen has no bound on loops, but where the question itself has one (`note`). `note` of xgen's line says
what the tables expect where that is another verdict.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import XGEN, Finished, run, write
from real import fetched
from suites import DAT3M, JAVA

import xgen

REPOSITORY, COMMIT = DAT3M
VERSION = "4.3.1"
SEED, COUNT = 45, 60
LIMIT = 60.0
"""Seconds for one run."""
PROGRAMS = Path("dartagnan/src/test/resources")
JAR, LIBRARIES = Path("dartagnan/target/dartagnan.jar"), Path("dartagnan/target/libs")
MODELS = {
    "TSO": ("tso", "--on", "x86"),
    "ARM8": ("aarch64", "--on", "armv8"),
    "POWER": ("power", "--on", "power"),
    "RISCV": ("riscv", "--on", "riscv"),
    "C11": ("rc11", "--mcm", "rc11"),
}
"""By the names of Dartagnan's targets: its file of the model, and xgen's options."""
SUITES = {"CLocksTest": "locks", "LFDSTest": "lfds", "RC11LocksTest": "locks", "RC11LFDSTest": "lfds"}
"""Its classes of tests, and the folders of their programs."""
ROW = re.compile(r'^\s*\{"([\w-]+)", (\w+), (PASS|FAIL|UNKNOWN)\}', re.M)
"""Of such a class: a program, a target, and what Dartagnan says."""
MEANS = {"PASS": "safe", "UNKNOWN": "safe", "FAIL": "violation"}
FIELDS = ["suite", "program", "model", "tool", "version", "verdict", "executions", "cpu_s", "peak_mb", "note"]


@dataclass(frozen=True)
class Question:
    """A row of a table of Dartagnan's: what it expects is a word of MEANS."""

    suite: str
    program: str
    target: str
    bound: int
    expected: str

    @property
    def model(self) -> str:
        return MODELS[self.target][0]


def questions(library: Path) -> Iterator[Question]:
    for name, suite in SUITES.items():
        text = (library / JAVA / f"{name}.java").read_text(encoding="utf-8")
        bound = re.search(r"getBoundProvider\(\) \{\s*return \(\) -> (\d+)", text)
        for program, target, expected in ROW.findall(text):
            yield Question(suite, program, target, int(bound[1]) if bound else 1, expected)


def built(folder: Path) -> Path:
    """The repository, with Dartagnan in it."""
    library = fetched(REPOSITORY, COMMIT, folder).resolve()
    if not (library / JAR).exists():
        words = [
            "mvn",
            "-q",
            "-B",
            "-pl",
            "dartagnan",
            "-am",
            "package",
            "-DskipTests",
            "-Dmaven.gitcommitid.skip=true",
        ]
        subprocess.run(words, cwd=library, check=True, stdout=sys.stderr)
    return library


def of_dartagnan(library: Path, question: Question) -> dict[str, object]:
    command = ["java", f"-Djava.library.path={library / LIBRARIES}", "-jar", str(library / JAR)]
    command += [str(library / "cat" / f"{question.model}.cat"), f"--target={question.target.lower()}"]
    command += [
        f"--bound={question.bound}",
        "--property=program_spec",
        str(library / PROGRAMS / question.suite / f"{question.program}.ll"),
    ]
    with tempfile.TemporaryDirectory() as output:
        done = run(command, limit=LIMIT, DAT3M_HOME=str(library), DAT3M_OUTPUT=output)
    said = re.search(r"^Result: (PASS|FAIL|UNKNOWN)$", done.output, re.M)
    if said is None:
        raise ValueError(done.output.strip().splitlines()[-1].strip())
    note = f"not all of its loops are unrolled (bound {question.bound})" if said[1] == "UNKNOWN" else ""
    return {"verdict": MEANS[said[1]], "executions": "", "note": note, **costs(done)}


def of_xgen(library: Path, question: Question) -> dict[str, object]:
    program = library / PROGRAMS / question.suite / f"{question.program}.ll"
    options = [*MODELS[question.target][1:], "--no-check", "races", "--format", "json"]
    with tempfile.TemporaryDirectory() as kept:
        done = run([XGEN, "check", str(program), *options], limit=LIMIT, XDG_CACHE_HOME=kept)
    found = re.search(r"^\{.*", done.output, re.M | re.S)
    answer = json.loads(found[0]) if found else {}
    if answer.get("verdict") not in ("safe", "violation"):
        raise ValueError(answer["error"]["message"] if "error" in answer else done.output.strip())
    note = "" if answer["exhaustive"] or answer["verdict"] == "violation" else "within a bound"
    return {"verdict": answer["verdict"], "executions": answer["executions"], "note": note, **costs(done)}


def costs(done: Finished) -> dict[str, object]:
    return {"cpu_s": round(done.cpu, 2), "peak_mb": round(done.peak_mib)}


TOOLS = {"dartagnan": (VERSION, of_dartagnan), "xgen": (xgen.__version__, of_xgen)}


def rows(library: Path, drawn: Sequence[Question]) -> Iterator[dict[str, Any]]:
    for question in drawn:
        for tool, (version, ask) in TOOLS.items():
            row: dict[str, object] = dict.fromkeys(FIELDS, "")
            row |= {"suite": question.suite, "program": question.program, "model": question.model}
            row |= {"tool": tool, "version": version}
            try:
                row |= ask(library, question)
            except (TimeoutError, ValueError) as error:
                row |= {"verdict": "no answer", "note": str(error)}
            if row["verdict"] != MEANS[question.expected]:
                row["note"] = "; ".join(filter(None, [str(row["note"]), f"its table: {question.expected}"]))
            yield row


def main(folder: Path) -> None:
    library = built(folder)
    there = list(questions(library))
    drawn = random.Random(SEED).sample(there, COUNT)
    java = subprocess.run(["java", "-version"], check=True, capture_output=True, text=True)
    facts = {
        "repository": REPOSITORY,
        "commit": COMMIT,
        "seed": str(SEED),
        "questions": str(len(there)),
        "java": java.stderr.splitlines()[0].replace('"', ""),
    }
    write(FIELDS, rows(library, drawn), **facts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
