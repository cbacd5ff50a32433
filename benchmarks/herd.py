"""The C++ committee's collection of litmus tests: xgen beside herd, and both beside the states that are expected there.

python benchmarks/herd.py FOLDER > results/herd.csv

The tests and their model (`model/cpp17.cat`) are fetched into the folder, at a commit; `herd7` is on PATH. Each group
of tests, a folder, is one command of each tool, with all of the group's tests in one list; seconds are the processor's,
the least of three by turns. A test is as expected where the condition's verdict and the final states are those of the
collection. `others` names the tests that are not so, with what the tool says where the collection says otherwise; tests
without an expectation count as answered only.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import XGEN, Finished, run, write
from real import fetched

import xgen

REPOSITORY, COMMIT = "gonzalobg/cpp_memory_model", "ef771e2dc39fedb3dae425b02d7621cbf9288736"
MODEL = Path("model/cpp17")
LIMIT, RUNS = 600.0, 3
"""Seconds for a group; and how many runs there are."""
FIELDS = [
    "suite", "model", "tool", "version", "tests", "answered", "as_expected", "cpu_s", "peak_mb", "others",
]  # fmt: skip
TEST = re.compile(r"^Test (?P<name>\S+) \w+\nStates (?P<states>\d+)\n", re.M)
OBSERVED = re.compile(r"^Observation \S+ (Always|Sometimes|Never)", re.M)


@dataclass(frozen=True)
class Answer:
    """What a tool says of a test: whether its condition's states are seen, and all final states."""

    observation: str
    states: tuple[str, ...]


def answers(output: str) -> Iterator[tuple[str, Answer]]:
    """The names of tests, as they come, and what is said of them."""
    for block in re.split(r"^(?=Test )", output, flags=re.M):
        if (found := TEST.match(block)) and (observed := OBSERVED.search(block)):
            states = block[found.end() :].splitlines()[: int(found["states"])]
            yield found["name"].removesuffix(".litmus"), Answer(observed[1], tuple(sorted(states)))


def name_of(test: Path) -> str:
    """What its first line calls a test; herd leaves out the end that names of files have."""
    return test.read_text(encoding="utf-8").split(None, 2)[1].removesuffix(".litmus")


def expected(test: Path) -> Answer | None:
    """What the collection says of a test, if it does."""
    path = test.with_name(f"{test.name}.expected")
    told = list(answers(path.read_text(encoding="utf-8", errors="replace"))) if path.exists() else []
    return told[0][1] if len(told) == 1 else None


def groups(library: Path) -> dict[str, list[Path]]:
    """The tests by their folders; of those with one name in a group the first, since answers come with names."""
    found: dict[str, dict[str, Path]] = {}
    for test in sorted(path for path in (library / "tests").rglob("*.litmus") if path.is_file()):
        group = str(test.parent.relative_to(library / "tests"))
        found.setdefault(group, {}).setdefault(name_of(test), test)
    return {group: list(tests.values()) for group, tests in found.items()}


def commands(library: Path, listed: Path) -> dict[str, list[str]]:
    model = library / MODEL
    return {
        "herd7": ["herd7", "-model", f"{model}.cat", "-I", str(model.parent), str(listed)],
        "xgen": [XGEN, "litmus", f"@{listed}", "--mcm", f"{model}.cat", "--format", "herd"],
    }


def row(tests: Sequence[Path], done: Finished) -> dict[str, object]:
    """How many of the tests come out as expected, and which do not; those without an expectation count as answered."""
    told = dict(answers(done.output))
    as_expected, others = 0, []
    for test in tests:
        wanted, answer = expected(test), told.get(name_of(test))
        if answer is None:
            others.append(f"{test.stem}: no answer")
        elif wanted is not None and answer.observation != wanted.observation:
            others.append(f"{test.stem}: {answer.observation} for {wanted.observation}")
        elif wanted is not None and answer != wanted:
            others.append(f"{test.stem}: {len(answer.states)} states for {len(wanted.states)}")
        else:
            as_expected += wanted is not None
    return {"tests": len(tests), "answered": len(told), "as_expected": as_expected, "others": "; ".join(others)}


def rows(library: Path, versions: dict[str, str]) -> Iterator[dict[str, object]]:
    for group, tests in groups(library).items():
        runs: dict[str, list[Finished]] = {name: [] for name in versions}
        with tempfile.TemporaryDirectory() as kept:
            listed = Path(kept) / "@list"  # both tools take such a name for that of a list
            listed.write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
            for _ in range(RUNS):
                for name, command in commands(library, listed).items():
                    runs[name].append(run(command, limit=LIMIT, XDG_CACHE_HOME=kept))
        for name, each in runs.items():
            least = min(each, key=lambda done: done.cpu)
            about = {"suite": group, "model": MODEL.name, "tool": name, "version": versions[name]}
            yield about | row(tests, least) | {"cpu_s": round(least.cpu, 2), "peak_mb": round(least.peak_mib)}


def main(folder: Path) -> None:
    library = fetched(REPOSITORY, COMMIT, folder).resolve()
    herd = run(["herd7", "-version"]).output.split(",")[0].strip()
    write(FIELDS, rows(library, {"herd7": herd, "xgen": xgen.__version__}), repository=REPOSITORY, commit=COMMIT)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
