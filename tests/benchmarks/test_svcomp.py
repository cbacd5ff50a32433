"""Tasks of SV-COMP, and programs by both engines: how answers are read, and what stored tables and their pages say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import inputs
import pytest
import solver
import svcomp
from harness import read

ROOT = Path(__file__).parents[2]
RESULTS = read(ROOT / "results" / "svcomp.csv")[1]
INPUTS = read(ROOT / "results" / "inputs.csv")[1]
ROWS = read(ROOT / "results" / "solver.csv")[1]


def test_the_table() -> None:
    """At least 100 tasks, none of them wrong, and as many as the page says."""
    counts = Counter(row["outcome"] for row in RESULTS)
    assert (len(RESULTS) >= 100, counts["wrong"], len({row["task"] for row in RESULTS})) == (True, 0, len(RESULTS))
    for row in RESULTS:
        assert (row["outcome"] == "right") == (row["answer"] == row["expected"] != "")
    page = (ROOT / "docs" / "svcomp.md").read_text(encoding="utf-8")
    for said in (f"{len(RESULTS)} tasks", f"{counts['right']} answers", f"{counts['unknown']} are unknown"):
        assert said in page
    commits = {(row["repository"], row["commit"]) for row in RESULTS}
    assert commits == {(name, commit[:12]) for name, commit in (svcomp.GOBLINT, svcomp.ESBMC, svcomp.ULTIMATE)}


def test_answers() -> None:
    told = '{\n "property": "no-data-race", "expected": true, "stopped": null, "witness": null, "answer": '
    assert svcomp.answer(told + '"true"}')["outcome"] == "right"
    assert svcomp.answer(told + '"false"}')["outcome"] == "wrong"
    assert svcomp.answer(told + '"unknown"}')["outcome"] == "unknown"
    assert svcomp.answer('{\n "error": {"message": "no such thing\\nat all"}}')["why"] == "no such thing"


def test_the_table_of_inputs() -> None:
    """At least 30 tasks; no answer of either engine is wrong; as many as the page says."""
    page = " ".join((ROOT / "docs" / "svcomp.md").read_text(encoding="utf-8").split())
    assert len(INPUTS) >= 30
    assert f"has {len(INPUTS)} of these tasks" in page
    right = {engine: Counter[str]() for engine in inputs.ENGINES}
    for row in INPUTS:
        for engine in inputs.ENGINES:
            if row[engine] in ("true", "false"):
                assert row[engine] == row["expected"], row["task"]
                right[engine][row[engine]] += 1
    assert f"The explorer has {right['graphs'].total()} answers, all false" in page
    assert right["graphs"]["true"] == 0
    assert f"the solver has {right['sat'].total()}, and {right['sat']['true']} are true" in page
    both = sum(row["graphs"] == row["sat"] == "refused" for row in INPUTS)
    own = sum(row["graphs"] != row["sat"] == "refused" for row in INPUTS)
    assert f"{both} programs are refused by both" in page
    assert f"refuses {own} more" in page


def test_the_table_of_both_engines() -> None:
    """All cases; no two answers that differ; the page's figures under sc."""
    wanted = [(name, macros, model) for name, macros, models in solver.CASES for model in models]
    assert [(row["program"], row["macros"], row["model"]) for row in ROWS] == wanted
    none = {"interrupted", "refused"}
    for row in ROWS:
        said = {row["graphs"], row["sat"]} - none
        assert len(said) <= 1, row
        assert (row["graphs"] == "refused") == (row["inputs"] == "any"), row
        assert ("BUG" in row["macros"]) <= (said <= {"violation"}), row
    page = (ROOT / "docs" / "sat.md").read_text(encoding="utf-8")
    for row in ROWS:
        if row["model"] == "sc" and not row["inputs"]:
            assert f"| {float(row['sat_seconds']):.1f} |".replace("| 0.", "| .") in page, row
    assert [row["program"] for row in ROWS if row["inputs"] and row["sat"] == "interrupted"] == ["seats"]


def test_which_tasks_have_inputs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that have threads and call for a number; a declaration is no call."""
    texts = {
        "calls": "int f(void) { return __VERIFIER_nondet_int(); } int main() { pthread_create(); }",
        "declares": "extern int __VERIFIER_nondet_int(void);\nint main() { pthread_create(); }",
        "alone": "int main() { return __VERIFIER_nondet_int(); }",
    }
    found = []
    for name, text in texts.items():
        (tmp_path / f"{name}.c").write_text(text, encoding="utf-8")
        file = tmp_path / f"{name}.yml"
        file.write_text(f"format_version: '2.0'\ninput_files: '{name}.c'\n", encoding="utf-8")
        found.append(svcomp.Task("some/where", "0" * 40, name, file))
    monkeypatch.setattr(inputs, "tasks", lambda _: iter(found))
    assert [task.name for task in inputs.with_inputs(tmp_path)] == ["calls"]
