"""Tests that run out of time, or are to end, when it is known what their verdicts are."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.litmus.reading import read
from tests.litmus.suite.test_parted import ring
from xgen.analyses.suite import litmus
from xgen.analyses.suite.litmus import ENOUGH, OPTIONS, LitmusResult, answered, asked_of
from xgen.analyses.suite.runner import Spread, run_tests
from xgen.analyses.suite.suite import Expectations, Item, outcome_of
from xgen.cli import main
from xgen.cli.litmus import exit_code
from xgen.cli.shared.suites import resumed
from xgen.engine.graphs.run import Run
from xgen.memory.library import load_model
from xgen.views.answers import litmus as view

RACE = "C r\n{ x=0; y=0; }\n" + "".join(
    f"P{n}(int* x, atomic_int* y) {{ {body} int r0 = atomic_load(y); int r1 = atomic_load(y); }}\n"
    for n, body in enumerate(["*x = 1;", "*x = 2;", *["atomic_fetch_add(y, 1);"] * 8])
)
"""Races, and has executions without end."""


def stopped(text: str, model: str) -> LitmusResult:
    """What is said of a test that runs out of time once it has so many final states."""
    test = read(text)
    run = Run(asked_of(test, load_model(model)), replace(OPTIONS, timeout=None))
    while run.core.findings.counters["executions"] < 3 * ENOUGH:
        assert not run.ends_within(0.01)
    run.stopped = "timeout"
    return answered(test, run)


def asking(question: str, threads: int = 16) -> str:
    return ring(threads).rpartition("exists")[0] + question + "\n"


@pytest.mark.parametrize(
    ("text", "model", "decided", "said"),
    [
        (asking("exists (x0=1)"), "tso", "Ok", "Yes: tso allows "),
        (asking("~exists (x0=1)"), "tso", "No", "Fails: tso allows "),
        (asking("forall (x0=2)"), "tso", "No", "Fails: tso allows other ends than "),
        (asking("exists (x0=2)"), "tso", None, "no answer: out of time"),
        (asking("~exists (x0=2)"), "tso", None, "no answer: out of time"),
        (asking("forall (x0=1)"), "tso", None, "no answer: out of time"),
        (RACE + "exists (y=8)", "rc11", "Undef", "Undefined: rc11 promises nothing of this test "),
        (RACE.replace("*x = 2;", "") + "exists (y=8)", "rc11", None, "no answer: out of time"),  # may race yet
    ],
)
def test_what_is_known(text: str, model: str, decided: str | None, said: str) -> None:
    result = stopped(text, model)
    assert (result.verdict, result.decided, result.stopped) == (None, decided, "timeout")
    assert view.sentence(result).startswith(said)
    if decided:
        assert "until time was over" in view.sentence(result)
    listed = view.to_dict(result)
    assert (listed["verdict"], listed["decided"], listed["positive"], listed["observation"]) == (
        None,
        decided,
        None,
        None,
    )
    assert exit_code([result], Expectations({})) == (0 if decided else 3)
    assert Expectations({os.path.realpath(result.path): decided or "Ok"}).met(result) is (decided is not None)


ENDLESS = [
    (asking("exists (x0=1)", 40), "tso", "Ok"),
    (asking("~exists (x0=1)", 40), "tso", "No"),
    (asking("forall (x0=2)", 40), "tso", "No"),
    (RACE + "exists (y=8)", "rc11", "Undef"),
]


@pytest.mark.parametrize("processes", [None, 2])
def test_tests_without_end_are_ended_when_their_verdicts_are_known(tmp_path: Path, processes: int | None) -> None:
    """Their executions cannot be counted, so that there is no answer but from some of them."""
    paths = [tmp_path / f"{number}.litmus" for number in range(len(ENDLESS))]
    for path, (text, _, _) in zip(paths, ENDLESS, strict=True):
        path.write_text(text)
    items = [Item(str(path), asked[1], until_decided=True) for path, asked in zip(paths, ENDLESS, strict=True)]
    results = list(run_tests(items, Spread(processes)))
    assert [(r.verdict, r.stopped, r.decided) for r in results] == [(None, "decided", asked[2]) for asked in ENDLESS]
    assert [outcome_of(r) for r in results] == [asked[2] for asked in ENDLESS]
    assert all("until the verdict was known" in view.sentence(r) for r in results)
    assert not any(view.reason(r) for r in results)
    assert exit_code(results, Expectations({})) == 0


QUESTIONS = [
    "exists (x0=1)",
    "~exists (x0=2)",
    "forall (x0=1)",
    "forall (0:EAX=0)",
    "~exists (0:EAX=1)",
    "exists (x0=2)",
]


@pytest.mark.parametrize("liveness", [False, True])
def test_a_verdict_that_is_known_early_is_that_of_all_executions(
    liveness: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(litmus, "MOMENT", 0.0)
    monkeypatch.setattr(litmus, "SLICE", 0.0)
    monkeypatch.setattr(litmus.Looks, "due", lambda _looks, _seconds: True)
    model, early = load_model("tso"), 0
    for question in QUESTIONS:
        test = replace(read(asking(question, 11)), liveness=liveness)
        result, whole = litmus.run_litmus(test, model, until_decided=True), litmus.run_litmus(test, model)
        assert (result.verdict or result.decided) == whole.verdict
        early += result.stopped == "decided"
        if result.stopped is None:
            assert (result.positive, result.negative, result.states) == (whole.positive, whole.negative, whole.states)
        else:
            assert result.positive + result.negative < whole.positive + whole.negative
    assert (early > 0) is not liveness  # all threads end, which only the whole can say


def test_numbers_of_all_executions_are_not_asked_for_with_it(tmp_path: Path) -> None:
    (tmp_path / "ring.litmus").write_text(ring(2))
    found = CliRunner().invoke(main, ["litmus", str(tmp_path), "--until-decided", "--format", "herd"])
    assert (found.exit_code, "herd's form has the numbers of all executions" in found.output) == (2, True)


def test_a_suite_goes_on_as_it_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is kept, and a test that is left is ended early, too."""
    monkeypatch.chdir(tmp_path)
    Path("ring.litmus").write_text(ENDLESS[0][0])
    asked = ["litmus", "ring.litmus", "--mcm", "tso", "--until-decided", "--checkpoint", "all.run"]
    first = CliRunner().invoke(main, [*asked, "--format", "json"])
    again = CliRunner().invoke(main, ["resume", "all.run", "--format", "json"])
    tests = [json.loads(found.stdout)["tests"] for found in (first, again)]
    assert tests[0] == tests[1]
    assert [(test["stopped"], test["decided"]) for test in tests[0]] == [("decided", "Ok")]
    items, how, _ = resumed(Path("all.run"), Spread())
    assert [item.until_decided for item in items] == [True]
    assert how.kept is not None
    how.kept.close()
