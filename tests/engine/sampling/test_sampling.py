"""Samples: ways down are as likely as they say, estimates have no bias, and what is found is there."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from fractions import Fraction

import pytest

import xgen
from xgen.engine.graphs.intervals import after
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.probes import BATCHES, Probe, spread, walk
from xgen.engine.graphs.run import Run
from xgen.engine.graphs.sampling import FEW
from xgen.engine.problem import problem
from xgen.errors import LimitError
from xgen.resources import shipped

MODELS = ["sc", "weak", "arm8", "thesis/weak"]
"""Revisits; the same with dependencies; threads that run ahead; constraints that are checked at the end."""
SMALL = [("peterson", "sc"), ("peterson", "weak"), ("peterson", "arm8")]
"""All executions of these are soon met."""
COUNTS = ("executions", "blocked", "bounded", "stuck", "violations")


def load(name: str) -> xgen.Program:
    return xgen.load(shipped("programs") / f"{name}.xcfa")


def checked(program: xgen.Program, model: str, **options: int | bool) -> xgen.Result:
    return xgen.check(program, xgen.model(model), all_states=True, **options)  # type: ignore[arg-type]


def leaves(run: Run) -> dict[tuple[int, ...], int]:
    """All leaves of the tree of graphs, each with the product of the numbers of branches on the way there."""
    found, todo = dict[tuple[int, ...], int](), [((), 1)]
    while todo:
        path, weight = todo.pop()
        count = run.explore(after(path)).branches()
        todo += [((*path, k), weight * count) for k in range(count)]
        if count == 0:
            found[path] = weight
    return found


def walked(run: Run, seed: int) -> Probe:
    way = walk(run, seed, time.monotonic() + 100)
    assert way is not None
    return way


@pytest.mark.parametrize("model", MODELS)
def test_a_way_is_as_likely_as_it_says(model: str) -> None:
    """The chances of all leaves are one in sum, and each is met about as often as its chance says."""
    run = Run(problem(load("mp"), xgen.model(model)), Options(8, all_states=True))
    tree = leaves(run)
    assert sum(Fraction(1, weight) for weight in tree.values()) == 1
    ways = [walked(run, seed) for seed in range(60 * len(tree))]
    assert {way.path: way.weight for way in ways} == tree
    number, met = len(ways), Counter(way.path for way in ways)
    for path, weight in tree.items():
        chance = 1 / weight
        assert abs(met[path] - number * chance) <= 5 * math.sqrt(number * chance * (1 - chance)) + 1e-9


@pytest.mark.parametrize(("name", "model"), [*((name, model) for name in ("mp", "cow2r") for model in MODELS), *SMALL])
def test_what_all_samples_meet_is_all_there_is(name: str, model: str) -> None:
    everything = checked(load(name), model, max_depth=7)
    found = checked(load(name), model, max_depth=7, sample=4000)
    assert found.sample is not None
    assert found.sample.whole, found.sample
    assert [getattr(found, count) for count in COUNTS] == [getattr(everything, count) for count in COUNTS]
    assert {(o.share, *o.state.values()) for o in found.sample.outcomes} == {
        (o.count / everything.executions, *o.state.values()) for o in everything.outcomes
    }
    assert (found.flags, found.waits, found.cut) == (everything.flags, everything.waits, everything.cut)
    assert (found.stopped, found.certified, found.exhaustive) == ("samples", False, False)


@pytest.mark.parametrize("model", ["sc", "arm8"])
def test_estimates_of_graphs_have_no_bias(model: str) -> None:
    """The mean of a way's numbers over all ways, by their chances, is what an exploration counts."""
    run = Run(problem(load("peterson"), xgen.model(model)), Options(6, all_states=True))
    ways, seed, reached = dict[tuple[int, ...], Probe](), 0, Fraction(0)
    executions = Fraction(0)
    while reached < 1:
        way = walked(run, seed)
        seed += 1
        if way.path not in ways:
            ways[way.path] = way
            reached += Fraction(1, way.weight)
            executions += Fraction(way.weight * run.core.counters["executions"], way.weight)
    everything = checked(load("peterson"), model, max_depth=6)
    assert executions == everything.executions
    # An exploration counts a graph before it drops it, since a thread waits in vain there; no way comes to it.
    dropped = {"sc": 0, "arm8": 1}[model]
    assert sum(Fraction(way.graphs, way.weight) for way in ways.values()) == everything.explored - dropped


def test_a_seed_makes_the_same_samples() -> None:
    first, again, other = (checked(load("peterson"), "arm8", sample=50, seed=seed).sample for seed in (3, 3, 4))
    assert first == again
    assert first != other


READER = "process r{} {{ var a : int init loc A final loc B A -> B {{ a <- x }} }}\n"


def readers(number: int, last: str = "") -> xgen.Program:
    text = "var x : int\nprocess w { init loc A final loc B A -> B { 1 -> x } }\n"
    return xgen.parse(text + "".join(READER.format(k) for k in range(number)) + last)


def test_far_too_many_executions() -> None:
    """Each reader has two writes to read from; all ways are alike, so that the estimate is exact."""
    found = checked(readers(1100), "sc", sample=FEW, trace_limit=0)
    assert found.sample is not None
    assert found.sample.executions is not None
    assert found.sample.executions.mean == found.sample.executions.low == 2**1100
    assert found.sample.covered == FEW / 2**1100
    assert (found.sample.unseen, found.verdict) == (1.0, "interrupted")


@pytest.mark.parametrize("model", ["sc", "arm8"])
def test_an_easy_violation_among_far_too_many_executions(model: str) -> None:
    late = "process late { var a : int init loc A final loc B A -> B { a <- x assert a = 0 } }\n"
    found = xgen.check(readers(40, late), xgen.model(model), sample=1000)
    assert found.sample is not None
    assert found.sample.made < 20
    assert found.explored < 5000
    assert found.verdict == "violation"
    assert found.witness is not None
    assert found.witness.violations[0].message == "assertion violated"


def test_a_violation_in_executions_without_an_end() -> None:
    endless = "process e { var b : int init loc A A -> A { b + 1 -> x b <- x } }\n"
    late = "process late { var a : int init loc A final loc B A -> B { a <- x assert a = 0 } }\n"
    found = xgen.check(readers(0, late + endless), xgen.model("sc"), sample=10)
    assert found.verdict == "violation"


def test_samples_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    program = xgen.parse("var x : int\nprocess e { var b : int init loc A A -> A { b + 1 -> x b <- x } }\n")
    found = xgen.check(program, xgen.model("sc"), sample=10, timeout=0.05)
    assert (found.stopped, found.verdict, found.sample and found.sample.made) == ("timeout", "interrupted", 0)
    monkeypatch.setattr("xgen.engine.graphs.deepening.MOST_DEPTH", 32)
    with pytest.raises(LimitError, match=r"bound the events per thread \(--max-depth\)"):
        xgen.check(program, xgen.model("arm8"), sample=10)


def test_ctrl_c_keeps_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    def walk_or_stop(run: Run, seed: int, end: float) -> Probe | None:
        nonlocal made
        made += 1
        if made > 20:
            raise KeyboardInterrupt
        return walk(run, seed, end)

    monkeypatch.setattr("xgen.engine.graphs.sampling.walk", walk_or_stop)
    found = checked(load("peterson"), "sc", sample=50)
    assert (found.stopped, found.verdict) == ("interrupt", "interrupted")
    assert found.sample is not None
    assert (found.sample.made, found.sample.asked) == (20, 50)
    assert sum(outcome.samples for outcome in found.sample.outcomes) == found.sample.complete > 0


def test_few_samples_estimate_nothing() -> None:
    found = checked(load("peterson"), "arm8", sample=FEW - 1).sample
    assert found is not None
    assert (found.executions, found.covered, found.whole) == (None, None, False)


def test_spreads_of_many_values_and_of_large_ones() -> None:
    rng = random.Random(2)
    values = [rng.randrange(1000) for _ in range(3 * BATCHES + 7)]
    found = spread(values, rng)
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert found.low < found.mean < found.high
    large = spread([value << 2000 for value in values], rng)
    assert large.low < large.mean < large.high
    assert int(large.mean) >> 2000 == pytest.approx(found.mean, rel=0.01)
