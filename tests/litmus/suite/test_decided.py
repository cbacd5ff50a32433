"""Tests that run out of time when it is known what their verdicts are."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from tests.litmus.reading import read
from tests.litmus.suite.test_parted import ring
from xgen.analyses.suite.litmus import ENOUGH, OPTIONS, LitmusResult, answered, asked_of
from xgen.analyses.suite.suite import Expectations
from xgen.cli.litmus import exit_code
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


def asking(question: str) -> str:
    return ring(16).rpartition("exists")[0] + question + "\n"


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
