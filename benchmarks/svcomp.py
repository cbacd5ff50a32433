"""Tasks of SV-COMP, and of tools that take part in it, with what their authors say of them.

python benchmarks/svcomp.py FOLDER > results/svcomp.csv

The repositories are fetched into the folder, each at its commit; where a folder of that commit is there already, it is
taken as it is. Whose tests have no .yml file get one, from what stands beside them or in their first lines; Ultimate's
`//@ assert E;` becomes `if (!(E)) reach_error();`. A task without an answer is asked again: with a bound on loops, and
with one value for all that nobody knows.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import run, write
from real import fetched

LIMIT = 10.0
"""Seconds for each."""
WAYS = ("", "--unroll 3", "--unroll 3 --nondet 2..2")
"""The options that are tried, one after the other, as long as there is no answer."""
GOBLINT = "goblint/bench", "10961f6d7aa69ea5acb00b05ef721efb5c25d23f"
ESBMC = "esbmc/esbmc", "a670194df9512960c8f39c67c6c69ad1ad08286e"
ULTIMATE = "ultimate-pa/ultimate", "ad80ebfb2a6b4c491cfe27707b760716e58f55b9"
FIELDS = ["repository", "commit", "task", "property", "expected", "answer", "outcome", "options", "why", "seconds"]

_CALLS = re.compile(r"\b(?:reach_error|__VERIFIER_error)\b")
_OTHER_QUESTIONS = (
    "--data-races",
    "--deadlock",
    "--overflow",
    "--memory",
    "--memleak",
    "--k-induction",
    "--lock-order",
)
_STATED = re.compile(r"^//\s*#(Safe|Unsafe)\b", re.M)
_ACSL = re.compile(r"//@\s*assert\s+(.*?);")
_ERROR = "extern void reach_error(void);\n"


@dataclass(frozen=True)
class Task:
    """A task: whose it is, what it is called there, and its .yml file, which is there or is made."""

    repository: str
    commit: str
    name: str
    file: Path


def tasks(folder: Path) -> Iterator[Task]:
    """All tasks, in order; those that need a .yml file get it in the folder."""
    for of, found in (
        (GOBLINT, _of_goblint),
        (ESBMC, _of_esbmc),
        (ULTIMATE, _of_ultimate),
    ):
        there = fetched(*of, folder)
        made = folder / f"{there.name}-tasks"
        for name, file in found(there, made):
            yield Task(*of, name, file)


def _of_goblint(there: Path, _: Path) -> Iterator[tuple[str, Path]]:
    """The challenges of data races that SV-COMP has taken, which have .yml files."""
    for file in sorted((there / "concrat" / "race-challenges").glob("*.yml")):
        yield file.relative_to(there).as_posix(), file


def _of_esbmc(there: Path, made: Path) -> Iterator[tuple[str, Path]]:
    """Its own tests that have threads and call `reach_error`, where they ask about nothing else."""
    for file in _sources(there / "regression", ("esbmc-unix", "esbmc-unix2", "esbmc")):
        test, text = file.parent / "test.desc", file.read_text("utf-8", "replace")
        if "pthread_create" not in text or not _CALLS.search(text) or not test.exists():
            continue
        said = test.read_text("utf-8", "replace")
        verdict = re.search(r"VERIFICATION (SUCCESSFUL|FAILED)", said)
        if verdict is None or file.name not in said or any(word in said for word in _OTHER_QUESTIONS):
            continue
        name = file.relative_to(there).as_posix()
        model = "ILP32" if re.search(r"(?<!\S)--32(?!\S)", said) else "LP64"
        yield name, _task(made, name, text, "unreach-call", verdict[1] == "SUCCESSFUL", model)


def _of_ultimate(there: Path, made: Path) -> Iterator[tuple[str, Path]]:
    """Its own tests of threads, which say in their first lines whether they are safe."""
    threads = there / "trunk" / "examples" / "concurrent" / "pthreads"
    for file in _sources(threads, ("races/regression", "regression")):
        text = file.read_text("utf-8", "replace")
        stated = _STATED.search(text)
        if stated is None or "pthread_create" not in text:
            continue
        race = "races" in file.relative_to(threads).parts
        if not race and not _ACSL.search(text):
            continue
        text = text if race else _ERROR + _ACSL.sub(_called, text)
        name = file.relative_to(there).as_posix()
        yield name, _task(made, name, text, "no-data-race" if race else "unreach-call", stated[1] == "Safe")


def _called(match: re.Match[str]) -> str:
    condition = match[1].replace("\\true", "1").replace("\\false", "0")
    return f"if (!({condition})) reach_error();"


def _sources(folder: Path, below: Iterable[str]) -> Iterator[Path]:
    for place in below:
        for suffix in ("c", "i"):
            yield from sorted(path for path in (folder / place).rglob(f"*.{suffix}") if path.is_file())


def _task(made: Path, name: str, text: str, asked: str, expected: bool, model: str = "LP64") -> Path:
    """A .yml file of a task, with its program beside it."""
    program = made / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(text, encoding="utf-8")
    file = program.with_suffix(".yml")
    file.write_text(
        f"format_version: '2.0'\ninput_files: '{program.name}'\nproperties:\n"
        f"  - property_file: {asked}.prp\n    expected_verdict: {str(expected).lower()}\n"
        f"options:\n  language: C\n  data_model: {model}\n",
        encoding="utf-8",
    )
    return file


def command(task: Task, options: str = "") -> list[str]:
    """How a task is asked about."""
    return [
        "xgen",
        "check",
        str(task.file),
        *options.split(),
        "--timeout",
        str(LIMIT),
        "--errors",
        "none",
        "--format",
        "json",
    ]


def answer(text: str) -> dict[str, str]:
    """The answer, and how it compares; of what is refused its first sentence."""
    found = json.loads(text[text.index("{\n") :])
    if "answer" not in found:
        return {"answer": "refused", "outcome": "refused", "why": found["error"]["message"].split("\n")[0]}
    expected, said = found["expected"], found["answer"]
    words = {"property": found["property"] or "", "expected": "" if expected is None else str(expected).lower()}
    outcome = "unknown" if said == "unknown" else "right" if said == str(expected).lower() else "wrong"
    error = (found.get("witness") or {}).get("error") or {}
    why = {"true": "", "false": error.get("kind", "")}.get(said) or error.get("kind") or found["stopped"] or ""
    return {**words, "answer": said, "outcome": outcome, "why": why if said != "true" else ""}


def asked(task: Task) -> dict[str, object]:
    """A row of the table."""
    row = dict.fromkeys(FIELDS, "") | {
        "repository": task.repository,
        "commit": task.commit[:12],
        "task": task.name,
    }
    seconds = 0.0
    for options in WAYS:
        done = run(command(task, options), limit=4 * LIMIT)
        seconds += done.cpu
        found = answer(done.output)
        if not options or found["outcome"] in ("right", "wrong") or row["outcome"] == "refused":
            row |= found | {"options": options if found["outcome"] != "refused" else ""}
        if found["outcome"] in ("right", "wrong"):
            break
    return row | {"seconds": f"{seconds:.1f}"}


if __name__ == "__main__":
    write(FIELDS, map(asked, tasks(Path(sys.argv[1]))))
