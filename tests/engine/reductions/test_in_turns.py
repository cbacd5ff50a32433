"""Executions and classes of them in turns: who is done first is a matter of work, which is the same on each machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import xgen
from engine.shapes import BRANCHING, coherence, program, readers, store_buffers, writers
from xgen.analyses.check import independent, portfolio
from xgen.analyses.check.independent import product_of
from xgen.engine.graphs import run as engine
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import LimitError
from xgen.executions.result import Classes
from xgen.program.automaton import Program
from xgen.views.answers.json import result_to_dict

LOCKED = "var l : int var c : int " + "".join(
    f"process p{n} {{ var a : int var b : int init loc S loc T final loc E S -> T {{ a <- cas(l, 0, 1) }} "
    f"T -> S {{ assume a /= 0 }} T -> E {{ assume a = 0; b <- c; b + {n} -> c; 0 -> l }} }} "
    for n in range(3)
)
PARTS = " ".join(
    f"var x{n} : int process w{n} {{ init loc A final loc E A -> E {{ 1 -> x{n} }} }} "
    f"process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x{n}; assert a < 2 }} }}"
    for n in range(9)
)
PROGRAMS: dict[str, Program] = {
    "coherence": coherence(5),
    "readers": readers(7),
    "writers": writers(3, 2),
    "store buffers": store_buffers(6),
    "updates": program(*["a <- fetch_add(x, 1); fetch_add(y, 1)"] * 3, variables="x y"),
    "load buffering": program("a <- x; 1 -> y", "b <- y; b + 1 -> z", "c <- z; 1 -> x", "1 -> x; 2 -> y"),
    "choices, blocked threads": BRANCHING,
    "a lock and a counter": xgen.parse(LOCKED, "xcfa"),
    "components": xgen.parse(PARTS, "xcfa"),
}


def work_of(name: str, model: str, by: Classes | None, workers: int, seconds: float) -> tuple[int, int]:
    asked = problem(PROGRAMS[name], xgen.model(model), classes=by is not None)
    run = Run(asked, Options(all_states=True, workers=workers, symmetry=True, partition=by or "rf"))
    while run.advance(seconds):
        pass
    return run.work, run.core.counters["explored"]


@pytest.mark.parametrize("by", [None, "rf", "seen"])
@pytest.mark.parametrize("model", ["sc", "rc11", "arm8"])
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep
def test_work_is_the_same_however_it_is_done(name: str, model: str, by: Classes | None) -> None:
    """In one piece, in many, by several workers."""
    if by == "seen" and portfolio.why_not(problem(PROGRAMS[name], xgen.model(model), classes=True), by):
        return
    found = {work_of(name, model, by, *how) for how in ((1, 60.0), (1, 1e-4), (2, 1e-3), (3, 1e-2))}
    assert len(found) == 1
    assert min(found) > (0, 0)


def told(checked: Program, model: str, **options: Any) -> str:
    """All that is told of a check but what it has cost."""
    result = xgen.check(checked, xgen.model(model), **options)
    return json.dumps(result_to_dict(replace(result, seconds=0, peak_kib=0)))


@pytest.mark.parametrize("model", ["sc", "weak"])
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep
def test_the_same_is_told_each_time(monkeypatch: pytest.MonkeyPatch, name: str, model: str) -> None:
    """Whoever is done first: classes begin at once, then later, and at last never; `held` is of each worker."""
    monkeypatch.setattr(portfolio, "SHARE_OF_CLASSES", 1.0)
    for trying in (10**4, 10**6, 10**10):
        monkeypatch.setattr(portfolio, "TRYING", trying)
        alone, again = (told(PROGRAMS[name], model) for _ in range(2))
        assert alone == again
        for workers in (2, 3):
            assert without_held(told(PROGRAMS[name], model, workers=workers)) == without_held(alone)
    assert without_held(told(PROGRAMS[name], model, classes="off")) == without_held(alone)


def without_held(text: str) -> dict[str, object]:
    return {key: value for key, value in json.loads(text).items() if key not in ("held", "duplicates_checked")}


MANY = writers(5, 5)
LARGE = program(*(f"{2 * n} -> x; a <- x; {2 * n + 1} -> x; b <- x" for n in range(6)), variables="x")
"""Both executions and classes are more than anybody visits."""
WRONG = xgen.parse(
    "var x : int var y : int "
    + "".join(
        f"process p{n} {{ init loc A final loc E A -> E {{ {'; '.join(f'{5 * n + k} -> x' for k in range(5))} }} }} "
        for n in range(5)
    )
    + "process r { var a : int var b : int init loc A final loc E A -> E { a <- x; b <- x; assert a /= 9 or b /= 4 } }",
    "xcfa",
)
"""A violation that only few of many executions have."""


def test_classes_are_done_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default, where executions are too many."""
    monkeypatch.setattr(portfolio, "TRYING", 10**6)
    found = xgen.check(MANY, xgen.model("sc"))
    assert (found.verdict, found.partition, found.classes, found.counted) == ("safe", "seen", 1, False)


def test_a_violation_that_classes_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "TRYING", 10**6)
    monkeypatch.setattr(portfolio, "SHARE_OF_CLASSES", 1.0)
    found = xgen.check(WRONG, xgen.model("sc"))
    assert (found.verdict, found.partition) == ("violation", "seen")
    assert found.witness is not None
    assert told(WRONG, "sc") == told(WRONG, "sc")


def test_a_violation_in_components(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several, the first one by work is shown, however slices of time fall; others are explored to an execution."""
    wrong = xgen.parse(PARTS + str(WRONG.source.text).replace("var x", "var z").replace("x", "z"), "xcfa")
    asked = problem(wrong, xgen.model("sc"), classes=True)
    found = set()
    for seconds in (10.0, 1e-3, 1e-5):
        run = product_of(asked, Options(partition="seen"))
        assert run is not None
        monkeypatch.setattr(independent, "TURN", 10**5)
        while not run.ends_within(seconds):
            pass
        counters = [own.core.counters for own in run.runs]
        found.add((run.work, *(c["explored"] for c in counters), sum(c["violations"] for c in counters)))
    assert len(found) == 1
    assert min(found)[-1] == 1


def test_executions_tell_all_that_they_tell_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where classes are not done with their share."""
    monkeypatch.setattr(portfolio, "TRYING", 10**5)
    monkeypatch.setattr(portfolio, "SHARE_OF_CLASSES", 1e-9)
    assert told(coherence(6), "sc") == told(coherence(6), "sc", classes="off")


OFF: list[dict[str, Any]] = [
    {"classes": "off"}, {"all_states": True}, {"trace_limit": 3}, {"liveness": True}, {"filter": "final"},
    {"cones": True}, {"processes": 1}, {"sample": 5}, {"robust": xgen.model("tso")},
]  # fmt: skip


@pytest.mark.parametrize("options", OFF, ids=lambda options: next(iter(options)))
def test_only_the_verdict(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """What looks at each execution has them one by one."""
    monkeypatch.setattr(portfolio, "TRYING", 1)
    monkeypatch.setattr(portfolio, "SHARE_OF_CLASSES", 1e6)
    assert xgen.check(coherence(3), xgen.model("sc"), **options).partition == "off"
    assert xgen.check(coherence(3), xgen.model("sc")).partition == "seen"


def test_an_error_of_classes_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it comes on the way or at once."""
    monkeypatch.setattr(portfolio, "TRYING", 1)
    alone = told(coherence(4), "sc", classes="off")

    def raising(*_: object) -> None:
        raise LimitError("larger than anything")

    real = engine.Run.advance
    with monkeypatch.context() as patch:
        patch.setattr(
            engine.Run, "advance", lambda run, *limits: raising() if run.problem.classes else real(run, *limits)
        )
        assert told(coherence(4), "sc") == alone
    monkeypatch.setattr(portfolio, "_in_classes", raising)
    assert told(coherence(4), "sc") == alone


def test_an_error_of_executions_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless classes are done before."""
    monkeypatch.setattr(portfolio, "TRYING", 10**6)

    def advance(run: Run, *limits: Any) -> bool:
        more = real(run, *limits)
        if not run.problem.classes and run.work > 10**8:
            raise LimitError("larger than anything")
        return more

    real = engine.Run.advance
    monkeypatch.setattr(engine.Run, "advance", advance)
    assert xgen.check(writers(4, 4), xgen.model("sc")).partition == "seen"
    with pytest.raises(LimitError, match="larger than anything"):
        xgen.check(LARGE, xgen.model("sc"))


@pytest.mark.parametrize("when", ["executions", "classes"])
def test_the_time_limit_tells_of_executions(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    monkeypatch.setattr(portfolio, "TRYING", 1 if when == "classes" else 10**12)
    monkeypatch.setattr(portfolio, "SHARE_OF_CLASSES", 1e6 if when == "classes" else 0.1)
    found = xgen.check(LARGE, xgen.model("sc"), timeout=0.3)
    assert (found.verdict, found.stopped, found.partition) == ("interrupted", "timeout", "off")
    assert found.explored > 0


def interrupting(after: int) -> Callable[[object], None]:
    calls = iter(range(after))

    def watch(_: object) -> None:
        if next(calls, None) is None:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize("after", [0, 1, 3])
def test_ctrl_c_tells_of_executions(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """In any turn."""
    monkeypatch.setattr(portfolio, "TRYING", 1)
    found = xgen.check(LARGE, xgen.model("sc"), on_progress=interrupting(after))
    assert (found.verdict, found.stopped, found.partition) == ("interrupted", "interrupt", "off")
