"""Estimates: exact where the tree is even or small, near where it is not, and unbiased."""

from __future__ import annotations

import random

import pytest

import xgen
from xgen.engine.graphs import estimate as module
from xgen.engine.graphs.estimate import Estimate, estimate, expected_graphs
from xgen.engine.graphs.intervals import after
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.probes import spread
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import LimitError
from xgen.resources import shipped


@pytest.fixture
def probing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small explorations are estimated too, with so many probes every time."""
    monkeypatch.setattr(module, "MEASURED", 1e-9)
    monkeypatch.setattr(module, "_rate", lambda _: 1e6)
    monkeypatch.setattr(module, "LEAST_PROBES", 400)


def load(name: str) -> xgen.Program:
    return xgen.load(shipped("programs") / f"{name}.xcfa")


def estimated(program: xgen.Program, model: str, seed: int = 1) -> Estimate:
    return estimate(problem(program, xgen.model(model)), max_depth=12, seconds=0, seed=seed)


def test_small_explorations_are_exact() -> None:
    found = xgen.estimate(load("peterson"), xgen.model("tso"))
    result = xgen.check(load("peterson"), xgen.model("tso"), all_states=True)
    assert found.exact
    assert found.probes == 0
    assert (found.executions.mean, found.blocked.mean) == (result.executions, result.blocked)
    assert (found.graphs.low, found.graphs.high) == (result.explored, result.explored)


def readers(n: int) -> xgen.Program:
    text = "var x : int\nprocess w { init loc A final loc B A -> B { 1 -> x } }\n"
    for k in range(n):
        text += f"process r{k} {{ var a : int init loc A final loc B A -> B {{ a <- x }} }}\n"
    return xgen.parse(text)


@pytest.mark.usefixtures("probing")
def test_an_even_tree_is_estimated_exactly() -> None:
    """Every probe sees the same: each read has two writes to read from."""
    found = estimated(readers(20), "sc")
    assert (found.executions.low, found.executions.mean, found.executions.high) == (2**20,) * 3
    assert found.graphs.low == found.graphs.high == found.graphs.mean
    assert found.seconds.mean == found.graphs.mean / 1e6
    assert not found.exact


@pytest.mark.usefixtures("probing")
@pytest.mark.parametrize(
    ("name", "model"), [("peterson", "tso"), ("treiber", "sc"), ("bakery", "tso"), ("burns", "weak")]
)
def test_uneven_trees(name: str, model: str) -> None:
    result = xgen.check(load(name), xgen.model(model), max_depth=12, all_states=True)
    found = estimated(load(name), model)
    for part, true in ((found.executions, result.executions), (found.blocked, result.blocked),
                       (found.bounded, result.bounded)):  # fmt: skip
        assert part.low <= part.mean <= part.high
        assert part.low / 1.5 <= true <= part.high * 1.5
    assert estimated(load(name), model) == found
    assert estimated(load(name), model, seed=2).executions != found.executions


@pytest.mark.parametrize("model", ["sc", "weak", "thesis/weak"])
def test_all_ways_down_together_are_the_tree(model: str) -> None:
    """What makes the estimate unbiased: the leaves that probes can reach are all that there is, each once."""
    run = Run(problem(load("peterson"), xgen.model(model)), Options(8, all_states=True))
    leaves, totals = [()], {"executions": 0, "blocked": 0, "bounded": 0}
    while leaves:
        path = leaves.pop()
        count = run.explore(after(path)).branches()
        leaves += [(*path, k) for k in range(count)]
        if count == 0:
            core = run.explore(after(path))
            core.run(10)
            totals = {name: number + core.counters[name] for name, number in totals.items()}
    result = xgen.check(load("peterson"), xgen.model(model), max_depth=8, all_states=True)
    assert totals == {name: getattr(result, name) for name in totals}


def test_a_loop_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    monkeypatch.setattr(module, "MEASURED", 0.01)
    program = xgen.parse(
        "var x : int\nprocess p { var a : int init loc A A -> A { a <- x a + 1 -> x } }\n"
        "process q { init loc A A -> A { 1 -> x } }"
    )
    with pytest.raises(LimitError, match=r"probes of the exploration came to an end in 0\.2 s") as error:
        xgen.estimate(program, xgen.model("sc"), seconds=0)
    assert "--max-depth" in str(error.value)


def test_what_a_running_check_expects() -> None:
    run = Run(problem(readers(12), xgen.model("sc")), Options())
    before = run.core.counters
    assert expected_graphs(run, 0.3) == pytest.approx(2**13 + 1, rel=0.01)
    assert run.core.counters == before
    assert expected_graphs(run, 0) is None


def test_a_long_check_reports_how_much_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.engine.graphs.run.SLICE", 0.001)
    monkeypatch.setattr("xgen.analyses.check.case.LATE", 0.0)
    reports: list[Progress] = []
    xgen.check(readers(16), xgen.model("sc"), on_progress=reports.append)
    assert len({report.total for report in reports}) == 1  # is estimated once
    assert reports[0].total == pytest.approx(2**17 + 1, rel=0.01)
    monkeypatch.setattr("xgen.analyses.check.case.LATE", 1e9)
    reports.clear()
    xgen.check(readers(16), xgen.model("sc"), on_progress=reports.append)
    assert {report.total for report in reports} == {None}


def test_intervals_hold_the_mean() -> None:
    rng = random.Random(3)
    for _ in range(20):
        values = [int(1000 * rng.expovariate(1)) for _ in range(50)]
        found = spread(values, rng)
        assert min(values) <= found.low <= found.mean <= found.high <= max(values)
