"""Known bugs: the table has a row of results for each, and those that need nothing fetched come out the same."""

from __future__ import annotations

from pathlib import Path

import bugs
import pytest
from harness import read

import xgen
from xgen.frontends.ptx.compiling.compilers import find_compiler

RESULTS = {row["name"]: row for row in read(Path(__file__).parents[2] / "results" / "bugs.csv")[1]}
BUGGY = ("violation: ", "not-found: ", "refused: ")
FIXED = ("safe", "safe-within-bound", "violation", "no-answer", "refused")


def test_every_client_is_in_the_table() -> None:
    files = {path.relative_to(bugs.CLIENTS).as_posix() for path in bugs.CLIENTS.rglob("*.*")}
    assert {bug.client for bug in bugs.BUGS} == files
    assert [bug.name for bug in bugs.BUGS] == list(RESULTS)


@pytest.mark.parametrize("bug", bugs.BUGS, ids=lambda bug: bug.name)
def test_what_is_stored(bug: bugs.Bug) -> None:
    stored = RESULTS[bug.name]
    assert list(stored) == bugs.FIELDS
    assert stored["buggy"].startswith(BUGGY)
    assert stored["fixed"].split(":")[0] in FIXED
    assert bool(stored["models"]) == stored["buggy"].startswith("violation")
    same = (bug.language, bug.repository, bug.issue, bug.after[:12])
    assert (stored["language"], stored["repository"], stored["issue"], stored["after"]) == same
    for each in (bug.before, bug.after) if bug.is_fetched and not bug.crate else ():
        assert len(each) == 40
    text = (bugs.CLIENTS / bug.client).read_text()
    assert text.startswith("// ")
    assert len(text.splitlines()) < 50


def test_most_are_found() -> None:
    """Of those that are read; what is before the fix is a violation, and what is behind it is none."""
    read_ = [row for row in RESULTS.values() if not row["buggy"].startswith("refused")]
    found = [row for row in read_ if row["buggy"].startswith("violation")]
    assert len(found) >= 0.9 * len(read_) > 40
    assert sum(row["fixed"].startswith("safe") for row in read_) >= 0.85 * len(read_)


ANSWERED = [bug for bug in bugs.BUGS if not bug.is_fetched and RESULTS[bug.name]["fixed"] == "safe"]


@pytest.mark.parametrize("bug", ANSWERED, ids=lambda bug: bug.name)
def test_what_needs_nothing_fetched(bug: bugs.Bug, tmp_path: Path) -> None:
    if bug.language == "GPU":
        try:
            find_compiler()
        except xgen.UsageError:
            pytest.skip("there is no compiler of CUDA")
    made, stored = bugs.row(bug, tmp_path), RESULTS[bug.name]
    assert made.keys() == stored.keys()
    assert {key: made[key] for key in made if key != "cpu_s"} == {key: stored[key] for key in stored if key != "cpu_s"}


def test_what_is_said() -> None:
    wrong = {"verdict": "violation", "witness": {"error": {"kind": "race", "file": "/a/b.c", "line": 7}}}
    assert bugs.said(wrong) == "violation: race at b.c:7"
    assert bugs.said({"verdict": "interrupted"}) == "no-answer"
    assert bugs.said({"verdict": "safe", "vacuous": True}) == "no-answer: none completes"
    assert bugs.said({"error": {"message": "no\n such thing"}}) == "refused: no such thing"


def test_versions_that_were_withdrawn() -> None:
    lines = bugs.locked("spin", "0.9.7", ("lock_api 0.4.9",)).splitlines()
    assert 'dependencies = ["spin"]' in lines
    assert 'dependencies = ["lock_api"]' in lines
    assert 'version = "0.4.9"' in lines


def test_what_the_bound_has_cut() -> None:
    assert bugs.said({"verdict": "safe", "bounded": 2}) == "safe-within-bound"
    assert bugs.said({"verdict": "safe", "bounded": 0}) == "safe"


def test_what_the_page_says_of_the_table() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs" / "found.md").read_text(encoding="utf-8").split())
    kinds = {kind: [row for row in RESULTS.values() if row["buggy"].startswith(kind)] for kind in BUGGY}
    found, missed, refused = (len(kinds[kind]) for kind in BUGGY)
    safe = sum(row["fixed"].startswith("safe") for row in kinds["violation: "])
    assert f"Of {len(RESULTS)} bugs xgen finds {found}, misses {missed}, and refuses the code of {refused}." in page
    assert f"Behind the fixes of those that it finds, {safe} are safe." in page
