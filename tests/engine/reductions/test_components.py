"""Programs whose parts share nothing: explored part by part, with the answer of the whole."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from oracle.against import features_for, shipped_models
from oracle.classes import beside, difference_of_classes, difference_of_orbits, difference_of_views, without_faults
from oracle.models import random_hardware_model, random_language_model, random_model
from oracle.programs import Program
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, random_program

import xgen
from engine.reductions.test_classes import LIMIT, UPDATES, agrees
from engine.test_adversarial import ADVERSARIES, model_of
from xgen.analyses.check import portfolio
from xgen.analyses.check.independent import product_of
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.executions.result import Classes, Result
from xgen.memory.algebra import Model
from xgen.memory.statics.separable import separable
from xgen.memory.terms import normalised, of_whole_accesses
from xgen.program.components import components

FAST, LONG = 6, 600
"""Programs per test in every run, and in a long one."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, LONG), id="long", marks=pytest.mark.long),
]
SHIPPED = Path(__file__).parents[3] / "mcm"
COUNTED = ("executions", "blocked", "stuck", "bounded", "violations")
PAIR = (
    "var x{n} : int process w{n} {{ init loc A final loc E A -> E {{ 1 -> x{n} @ relaxed }} }} "
    "process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x{n} @ relaxed }} }} "
)


def random_parts(rng: Random, model: Model, features: Any, faults: bool = False) -> Program:
    """Two or three small programs beside each other, their threads in any order; often two of them are the same."""
    own = replace(features_for(model, features), threads=(1, 2, 2), events=(1, 2))
    parts = [random_program(rng, own if faults else without_faults(own)) for _ in range(rng.choice((2, 2, 3)))]
    if rng.random() < 0.3:
        parts[1] = parts[0]
    return beside(parts, rng)


def is_divided(program: Program, model: Model) -> bool:
    parsed = xgen.parse(str(program), "xcfa")
    return product_of(problem(parsed, model, classes=True), Options()) is not None


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", [*shipped_models(), *ADVERSARIES, "random"])
def test_against_the_oracle(name: str, seeds: range) -> None:
    """Classes, executions, outcomes and flags are those of the whole program, by brute force."""
    divided = 0
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        draw = rng.choice((random_model, random_hardware_model, random_language_model))
        model = draw(rng) if name == "random" else model_of(name) if name in ADVERSARIES else xgen.model(name)
        features = rng.choice((DEFAULT, UPDATES, *FEATURES.values()))
        program, depth = random_parts(rng, model, features), 2 if features.loops else None
        kinds: tuple[Any, ...] = (
            difference_of_classes,
            difference_of_orbits,
            partial(difference_of_orbits, partition="seen"),
            partial(difference_of_views, partition=rng.choice(("values", "seen"))),
        )
        # Where the whole computes addresses, it does not see that components without any are alike.
        kind = kinds[seed % 4 // 3 * 3] if features.arrays or features.exclusives else kinds[seed % 4]
        difference = partial(kind, program, model, max_depth=depth, limit=LIMIT, workers=1 + seed % 2)
        divided += agrees(difference) and is_divided(program, model)
    assert divided >= len(seeds) // 6 or name == "random" or not separable(normalised(model))


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("partition", ["rf", "seen"])
@pytest.mark.parametrize("name", ["sc", "tso", "arm8", "rc11", "power"])
def test_violations(name: str, partition: Classes, seeds: range) -> None:
    """With errors: the numbers of the whole where everything is explored, and its verdict where that is asked for."""
    model = xgen.model(name)
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        text = str(random_parts(rng, model, replace(DEFAULT, asserts=25, assumes=15), faults=True))
        asked = problem(xgen.parse(text, "xcfa"), model, classes=True)
        for every in (True, False):
            options = Options(all_states=every, partition=partition, symmetry=seed % 2 == 0)
            whole, parts = Run(asked, options), product_of(asked, options)
            whole.finish()
            if parts is None:
                continue
            parts.finish()
            wanted, found = found_by(whole), parts.found()
            assert (found.witness is None) == (wanted.witness is None), text
            assert found.witness is None or found.witness.violations
            if every and parts.exact:
                names = (*COUNTED, "classes", "orbits") if partition == "rf" else ("classes", "orbits")
                assert [found.counters[n] for n in names] == [wanted.counters[n] for n in names], text
                assert [o.state for o in found.outcomes] == [o.state for o in wanted.outcomes], text
                assert sorted(found.waits) == sorted(wanted.waits)


# ---- programs that are known


def check(text: str, model: str = "sc", classes: Any = "rf", **options: Any) -> Result:
    return xgen.check(xgen.parse(text, "xcfa"), xgen.model(model), classes=classes, **options)


def pairs(count: int) -> str:
    return "".join(PAIR.format(n=n) for n in range(count))


@pytest.mark.parametrize("classes", ["rf", "values", "seen"])
@pytest.mark.parametrize("model", ["sc", "rc11", "arm8"])
def test_a_writer_and_a_reader_of_each_of_many_variables(model: str, classes: Classes) -> None:
    """2^34 executions from 34 explorations of two of them; the first million of as many outcomes, in their order."""
    found = check(pairs(34), model, classes, all_states=True)
    assert (found.verdict, found.exhaustive, found.components) == ("safe", True, 34)
    assert (found.classes, found.orbits, found.explored) == (2**34, 35, 34 * 3)
    assert found.executions == 2**34 or classes != "rf"
    assert (len(found.outcomes), found.outcomes_complete) == (1_000_000, False)
    last = [value for name, value in found.outcomes[5].state.items() if ":" in name][-3:]
    assert last == [1, 0, 1]
    assert len(found.traces) == 1000
    assert found.traces[3].state == {**found.traces[0].state, "r0:a": 1, "r1:a": 1}


def test_like_components_differ_by_names_only() -> None:
    """Of three like ones there are four orbits; another one beside them doubles that."""
    other = PAIR.format(n=9).replace("1 ->", "2 ->") + PAIR.format(n=8).replace("a <-", "a <- x8 @ relaxed; a <-")
    assert (check(pairs(3)).orbits, check(pairs(3) + other).orbits) == (4, 4 * 2 * 3)
    assert check(pairs(3), symmetry=False).orbits == 8


def test_executions_are_those_of_the_whole() -> None:
    parsed, model = xgen.parse(pairs(3), "xcfa"), xgen.model("tso")
    kept = []
    for classes in ("off", "rf"):
        traces = xgen.check(parsed, model, all_states=True, classes=classes).traces  # type: ignore[arg-type]
        assert all(len({e.step for e in trace.events}) == 1 + 6 for trace in traces)
        kept.append(
            [(t.threads, [replace(e, step=0) for e in t.events], {*t.rf}, t.mo, t.ends, t.state) for t in traces]
        )
    assert len(kept[0]) == len(kept[1]) == 8
    assert all(one in kept[0] for one in kept[1])
    assert all(one in kept[1] for one in kept[0])


WRONG = (
    "var y : int process p { init loc A final loc E A -> E { 1 -> y } } "
    "process q { var b : int init loc A final loc E A -> E { b <- y; assert b = 0 } } "
)


@pytest.mark.parametrize("classes", ["rf", "seen"])
def test_a_violation_among_many_executions(classes: str) -> None:
    """It is shown with an execution of each other component."""
    found = check(pairs(20) + WRONG + pairs(40)[len(pairs(20)) :], classes=classes)
    assert found.verdict == "violation"
    assert found.witness is not None
    assert [violation.message for violation in found.witness.violations] == ["assertion violated"]
    assert found.witness.threads[found.witness.violations[0].thread] == "q"
    assert len(found.witness.events) == 41 + 82
    assert found.witness.ends.count("error") == 1


def test_auto_comes_to_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "TRYING", 10**6)
    found = check(pairs(40), classes="auto")
    assert (found.verdict, found.components, found.classes) == ("safe", 40, 2**40)


def test_counts_with_violations() -> None:
    found = check(pairs(2) + WRONG, all_states=True)
    assert (found.executions, found.violations) == (8, 4)
    assert sorted((o.state["q:b"], o.count, o.violations) for o in found.outcomes) == [(0, 1, 0)] * 4 + [(1, 1, 1)] * 4


WAITS = (
    "var f : int process s { var c : int init loc L loc M final loc E "
    "L -> M { c <- f } M -> L { assume c = 0 } M -> E { assume c /= 0 } } "
)


def test_blocked_executions() -> None:
    """One waits for ever in each execution of the whole; with an error beside it, the whole is explored."""
    found = check(pairs(2) + WAITS, all_states=True)
    assert (found.executions, found.blocked, found.stuck, found.components) == (0, 4, 4, 3)
    assert found.waits == ("s at line 1",)
    assert check(pairs(2) + WAITS + WRONG, all_states=True).components == 1


def test_a_thread_that_nobody_starts_does_not_keep_others_from_waiting_for_ever() -> None:
    idle = "process p0 { var a : int if a = 1 { start p1; } 1 -> x; } process p1 { 1 -> x; }"
    waiting = "process p2 { var b : int do { b <- y; } while b = 0; }"
    found = check(f"var x : int var y : int {idle} {waiting}", all_states=True)
    assert (found.components, found.blocked, found.stuck) == (2, 1, 1)
    (execution,) = found.traces
    assert execution.ends == ("ended", "unstarted", "blocked")
    assert execution.waits == (None, None, range(1))


def test_what_an_endless_component_hides() -> None:
    """A violation beside a loop that has no end is found where the whole finds it."""
    endless = "var z : int process l { var d : int init loc L L -> L { d <- z; d + 1 -> z } } "
    found = check(endless + WRONG, "weak", max_depth=None, timeout=20)
    assert found.verdict == "violation"


def test_what_makes_one_component() -> None:
    """Starts and joins, mutexes, addresses."""
    main = "process m { init loc A final loc E A -> E { start w0; start w1 } } "
    mutex = "var k : synthetic process o { init loc A final loc E A -> E { lock(k); unlock(k) } } "
    address = "process o { var b : int init loc A final loc E A -> E { b := &x0 } } "

    def number(text: str) -> int:
        return len(components(xgen.parse(text, "xcfa")))

    assert [number(pairs(3) + more) for more in ("", main, mutex, address)] == [3, 2, 1, 1]
    parts = components(xgen.parse(pairs(2) + "var u : int (3) " + main, "xcfa"))
    assert [process.name for process in parts[0].processes] == ["w0", "r0", "w1", "r1", "m"]


def test_assertions_that_no_execution_comes_to() -> None:
    late = (
        "process t { var a : int init loc A loc B final loc E A -> B { a <- x0 @ relaxed } "
        "B -> E { assume a < 2 } B -> E { assume a = 2; assert a = 3 } } "
    )
    for classes in ("off", "rf"):
        (warning,) = check(pairs(2) + late, classes=classes, all_states=True).warnings
        assert warning.startswith("note: no execution comes to the assertion at line 1")


def test_out_of_time() -> None:
    found = check(pairs(4), timeout=1e-9)
    assert (found.verdict, found.stopped, found.executions) == ("interrupted", "timeout", 0)


RCU = """var x{n} : int var y{n} : int
process r{n} {{ var a : int var b : int init loc A final loc E
  A -> E {{ fence @rcu-lock; a <- x{n} @once; b <- y{n} @once; fence @rcu-unlock }} }}
process w{n} {{ init loc A final loc E A -> E {{ 1 -> y{n} @once; fence @{order}; 1 -> x{n} @once }} }}
"""


@pytest.mark.parametrize("classes", ["off", "rf"])
def test_grace_periods_and_sections_are_of_one_component(classes: str) -> None:
    parsed = xgen.parse(RCU.format(n=0, order="sync-rcu") + RCU.format(n=1, order="wmb"), "xcfa")
    found = xgen.check(parsed, xgen.model("lkmm"), all_states=True, classes=classes)  # type: ignore[arg-type]
    assert found.executions == 3 * 4


# ---- models


def test_shipped_models_are_separable() -> None:
    """All but those that compare tags, and those with loops."""
    apart = {str(path.relative_to(SHIPPED)) for path in SHIPPED.rglob("*.mcm")}
    found = {name for name in apart if separable(of_whole_accesses(xgen.model(SHIPPED / name)))}
    gpus = {"cuda.mcm", "hip.mcm", "opencl.mcm", "ptx.mcm", "vulkan.mcm"}
    assert {name for name in apart - found if "/" not in name} == gpus


@pytest.mark.parametrize(
    ("term", "property_", "wanted"),
    [
        ("po | rf | mo | fr", "acyclic", True),
        ("po | rf^-1", "acyclic", False),
        ("po | loc", "acyclic", False),
        ("(po & loc) | rf^-1", "acyclic", True),
        ("po ; po | [W] ; po", "acyclic", True),
        ("rf^-1 ; po", "acyclic", False),
        ("rf ; [R] ; (po & (R * W))", "acyclic", True),
        ("po^-1 ; po", "irreflexive", False),
        ("po^-1 ; rf", "irreflexive", True),
        ("ext ; rf", "irreflexive", True),
        ("ext ; ext", "irreflexive", False),
        ("(W * W) \\ mo", "empty", False),
        ("loc & ext & (W * R) \\ (po | rf)^+", "empty", True),
        ("W & range(ext)", "empty", False),
        ("po | rf", "not acyclic", False),
    ],
)
def test_forms(term: str, property_: str, wanted: bool) -> None:
    model = xgen.parse_model(f"t = {term}\nt {property_} as c")
    assert separable(normalised(model)) == wanted
