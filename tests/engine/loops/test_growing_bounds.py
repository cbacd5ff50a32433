"""Bounds that grow where threads run ahead through loops: whoever explores without a bound finds the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from oracle.generators.retrying import retrying_program
from oracle.models import arm, no_thin_air

import xgen
from xgen import Execution, Model, Program, Result
from xgen.engine.graphs import deepening
from xgen.engine.graphs.diagnosis import LOOK_DEPTH
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import LimitError

MODELS = {
    **{name: xgen.model(name) for name in ("arm8", "power", "riscv", "coherence")},
    "own": no_thin_air(),
    "arm": arm(),
}

COUNTED = """var x : int
process p { var i : int  var r : int  init loc L  loc G  final loc E
  L -> G { assume i < 3; r <- cas(x, i, i + 1) }  G -> L { assume r = i; i := i + 1 }  G -> E { assume r /= i }
  L -> E { assume i = 3 } }
process q { init loc S  final loc E  S -> E { 7 -> x } }
"""
"""p has up to six events, and one more where its last cas fails: that has room for two."""

LOCKED = """var x : int  var go : int  var m : synthetic
process p { var i : int  var n : int  init loc S  loc L  loc D  final loc E
  S -> L { n <- go }  L -> L { assume i < n; lock(m); 1 -> x; unlock(m); i := i + 1 }  L -> D { assume i = n; lock(m) }
  D -> E }
process q { var a : int  init loc S  final loc E  S -> E { 2 -> go; lock(m); a <- x } }
"""
"""Deadlocks and violations of no kind; what is blocked at a lock has failed there."""

FAULTY = """var x : int(9223372036854775807)  var go : int
process p { var i : int  var n : int  init loc S  loc L  final loc E
  S -> L { n <- go }  L -> L { assume i < n; 1 -> go; i := i + 1 }  L -> E { assume i >= n; fetch_add(x, 1) } }
process q { init loc S  final loc E  S -> E { 2 -> go } }
"""
"""The update overflows, after as many events as there are rounds; it has no second event."""

JOINED = """var x : int
process p { var r : int  init loc L  loc G  final loc E
  L -> G { r <- x }  G -> L { assume r = 0 }  G -> E { assume r = 1; 2 -> x } }
process q { var i : int  init loc S  loc L  loc J  final loc E
  S -> L { start p }  L -> L { assume i < 3; i := i + 1; 0 -> x }  L -> J { assume i = 3; 1 -> x }
  L -> J { assume i = 3 }  J -> E { join p } }
"""


PROGRAMS = {"counted": COUNTED, "locked": LOCKED, "faulty": FAULTY, "joined": JOINED}


def parsed(text: str) -> Program:
    return xgen.parse(text)


def key(execution: Execution) -> tuple[object, ...]:
    events = tuple((e.thread, e.index, e.kind, e.variable, e.value, e.tags) for e in execution.events)
    return events, execution.rf, execution.mo, execution.ends, tuple(execution.state.items())


def whole(program: Program, model: Model, **options: int | bool) -> Counter[tuple[object, ...]]:
    return Counter(map(key, xgen.executions(program, model, **options)))


def numbers(result: Result) -> tuple[object, ...]:
    counts = (result.verdict, result.executions, result.blocked, result.bounded, result.violations, result.stuck)
    return *counts, list(result.outcomes), result.cut, result.warnings


@pytest.fixture(params=[1, 2, 3])
def first(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Bounds start as low as this, so that small programs need several."""
    depth: int = request.param
    monkeypatch.setattr(deepening, "FIRST_DEPTH", depth)
    return depth


def compared(program: Program, model: Model, depth: int) -> None:
    """Of a program that ends with so many events per thread: each way to explore it, against that bound."""
    bounded = xgen.check(program, model, all_states=True, max_depth=depth, trace_limit=0)
    assert not bounded.cut
    free = xgen.check(program, model, all_states=True, trace_limit=0)
    parts = xgen.check(program, model, all_states=True, trace_limit=0, memory_limit=2**30)
    estimated = xgen.estimate(program, model)
    assert numbers(free) == numbers(bounded)
    assert numbers(parts) == numbers(bounded)
    streamed = whole(program, model)
    assert streamed == whole(program, model, max_depth=depth)
    assert sum(whole(program, model, complete=True).values()) == free.executions
    assert sum(streamed.values()) >= free.executions + free.blocked  # detours as well
    if estimated.exact:
        assert (estimated.executions.mean, estimated.blocked.mean) == (free.executions, free.blocked)
        assert estimated.bounded.mean == 0


@pytest.mark.sweep
@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_way_to_explore_ends_with_the_same(name: str, model: str) -> None:
    compared(parsed(PROGRAMS[name]), MODELS[model], 20)


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("start", [0, *(pytest.param(start, marks=pytest.mark.slow) for start in (20, 40, 60))])
def test_random_programs(start: int) -> None:
    """Those that end with 10 events per thread: more than half of them."""
    ended = 0
    for seed in range(start, start + 20):
        rng = Random(f"growing {seed}")
        program, model = parsed(str(retrying_program(rng))), MODELS[rng.choice(sorted(MODELS))]
        probe = xgen.check(program, model, all_states=True, max_depth=10, trace_limit=0, timeout=0.3)
        if not probe.stopped and not probe.cut and probe.explored < 2000:
            compared(program, model, 10)
            ended += 1
    assert ended >= 5


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", PROGRAMS)
def test_bounds_that_are_given_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bound has not explored, the next one has, whenever one gives it up."""
    program, model, given_up = parsed(PROGRAMS[name]), MODELS["arm8"], []
    bounded = xgen.check(program, model, all_states=True, max_depth=20, trace_limit=0)
    plain = deepening.Deepening.deepen

    def deepen(self: deepening.Deepening) -> None:
        given_up.append(self.patience is not None and self.patience > deepening.HASTE)
        plain(self)

    monkeypatch.setattr(deepening.Deepening, "deepen", deepen)
    monkeypatch.setattr(deepening, "MOSTLY", 0)  # as soon as anything is cut
    for haste in (1, 1_000, 50_000):
        monkeypatch.setattr(deepening, "HASTE", haste)
        free = xgen.check(program, model, all_states=True, trace_limit=0)
        assert numbers(free) == numbers(bounded)
        assert whole(program, model) == whole(program, model, max_depth=20)
    assert any(given_up)


ENDLESS = """var x : int  var y : int
process p { var a : int  init loc S  loc G  final loc E
  S -> G { a <- x }  G -> S { assume a = 0; 1 -> y }  G -> E { assume a = 1; assert a = 0 } }
process q { init loc S  final loc E  S -> E { 1 -> x } }
"""


def test_a_violation_in_parts_of_a_loop_without_an_end() -> None:
    result = xgen.check(parsed(ENDLESS), MODELS["arm8"], memory_limit=2**30)
    assert (result.verdict, result.max_depth, result.warnings) == ("violation", None, ())
    assert result.witness is not None


def test_executions_of_a_loop_without_an_end_come_one_by_one() -> None:
    """As many as one asks for, each once, though there is no end."""
    found = xgen.executions(parsed(ENDLESS), MODELS["arm8"])
    some = [key(next(found)) for _ in range(100)]
    assert len(set(some)) == 100


def test_what_has_no_end_is_not_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepening, "MOST_DEPTH", 64)
    with pytest.raises(LimitError, match="more than 16,384 events") as error:
        xgen.estimate(parsed(ENDLESS), MODELS["arm8"], seconds=0.1)
    assert "--max-depth" in str(error.value)


def test_cuts_of_nested_calls_are_no_reason_to_go_on() -> None:
    """They are the same with every bound; executions that they cut are bounded."""
    text = """var x : int
    process p { var a : int
      procedure down() { init loc S  final loc E  S -> E { call down() } }
      main procedure go() { init loc S  loc G  final loc E
        S -> G { a <- x }  G -> S { assume a = 0 }  G -> E { assume a = 1; call down() } } }
    process q { init loc S  final loc E  S -> E { 1 -> x } }"""
    program = parsed(text)
    result = xgen.check(program, MODELS["arm8"], all_states=True)
    assert (result.executions, result.bounded, result.cut) == (0, 1, True)
    assert [e.ends for e in xgen.executions(program, MODELS["arm8"])].count(("bounded", "ended")) == 1
    assert xgen.estimate(program, MODELS["arm8"]).bounded.mean == 1


@pytest.mark.parametrize("name", ["clh", "msqueue_us"])
def test_what_needs_few_events_is_found_before_loops_are_followed_far(name: str) -> None:
    """With bounds of 32 events, a million graphs of their loops under lkmm come first."""
    program = xgen.load(Path(__file__).parents[3] / f"programs/c/{name}.c", map="none")
    result = xgen.check(program, xgen.model("lkmm"), timeout=120)
    assert (result.verdict, result.explored < 100_000) == ("violation", True)


def test_a_loop_that_goes_on_is_named_within_the_first_bound() -> None:
    """Without coherence it has more executions than one can wait for, before the bound has grown."""
    text = """var x : int (1)
    process p { var a : int  init loc S  loc G  final loc E
      S -> G { a <- x }  G -> S { assume a = 1; 2 -> x }  G -> E { assume a /= 1 } }"""
    asked = problem(parsed(text), xgen.model("any"))
    going = Run(asked, Options(all_states=True))
    while not going.core.findings.cuts:
        assert going.advance(0.01)
    going.stopped = "interrupt"
    (sentence,) = going.cuts()
    assert sentence.startswith(f"p still goes on after {LOOK_DEPTH} events, at line ")
