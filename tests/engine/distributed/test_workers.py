"""Several workers: they find what one finds; and so does one that has the threads in another order."""

from __future__ import annotations

import _thread
import math
import threading
from dataclasses import replace
from itertools import permutations

import pytest

import xgen
from engine.shapes import BRANCHING, SHAPES, coherence, late_writer, program, readers, store_buffers, writers
from xgen import Model, Program, Result, UsageError
from xgen.resources import shipped

WORKERS = (2, 3, 8)


SHAPES_HERE = {
    **{name: SHAPES[name] for name in ("SB", "MP+fences", "LB", "2+2W", "WRC", "IRIW", "CoRR")},
    "LB ring": program("a <- x; 1 -> y", "b <- y; 1 -> z", "c <- z; 1 -> x"),
    "dependencies": program("a <- x; a -> y; 1 -> z", "b <- y; b + 1 -> x", "c <- z; d <- y"),
    "branches, choices, blocked threads": BRANCHING,
}
"""Small enough for models under which constraints are checked on whole executions only."""
LARGER = {
    "readers": readers(9),
    "late writer": late_writer(9),
    "writers": writers(3, 3),
    "coherence": coherence(6),
    "store buffers": store_buffers(7),
    "updates": program(*["a <- fetch_add(x, 1); fetch_add(y, 1)"] * 3, variables="x y"),
    "rotation": program(*[f"a <- cas(x, {i}, {i + 1})" for i in range(5)], variables="x"),
}


def summary(result: Result) -> dict[str, object]:
    """What must not depend on the number of workers."""
    assert (result.duplicates, result.stopped) == (0, None)
    return {
        "verdict": result.verdict,
        "executions": result.executions,
        "blocked": result.blocked,
        "bounded": result.bounded,
        "violations": result.violations,
        "explored": result.explored,
        "revisits": (result.revisits_tried, result.revisits),
        "outcomes": outcomes_of(result),
        "demoted": result.demoted,
        "certified": (result.certified, result.exhaustive),
        "warnings": sorted(result.warnings),
    }


def outcomes_of(result: Result) -> set[tuple[frozenset[tuple[str, int]], int, int]]:
    """The outcomes with their counts."""
    found = {(frozenset(o.state.items()), o.count, o.violations) for o in result.outcomes}
    assert len(found) == len(result.outcomes)
    return found


def same_for_all(shape: Program, model: Model, **options: object) -> Result:
    """The result of one worker, after comparing it with that of several."""
    one = xgen.check(shape, model, all_states=True, workers=1, **options)  # type: ignore[arg-type]
    for workers in WORKERS:
        several = xgen.check(shape, model, all_states=True, workers=workers, **options)  # type: ignore[arg-type]
        assert summary(several) == summary(one), f"{workers} workers"
    return one


# --- The same with several workers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["sc", "tso", "weak", "ra", "coherence"])
@pytest.mark.parametrize("name", SHAPES_HERE)
def test_shapes(name: str, model: str) -> None:
    same_for_all(SHAPES_HERE[name], xgen.model(model))


@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
@pytest.mark.parametrize("name", LARGER)
def test_families(name: str, model: str) -> None:
    same_for_all(LARGER[name], xgen.model(model))


@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
@pytest.mark.parametrize("name", ["peterson", "peterson_us", "dekker", "burns_fenced", "spinlock", "treiber"])
def test_programs(name: str, model: str) -> None:
    """Mutual exclusion with loops that wait, right and wrong; with a bound, so that threads are cut as well."""
    same_for_all(xgen.load(shipped("programs") / f"{name}.xcfa"), xgen.model(model), max_depth=9)


@pytest.mark.parametrize("name", ["dijkstra", "szymanski"])
def test_programs_without_a_bound(name: str) -> None:
    result = same_for_all(xgen.load(shipped("programs") / f"{name}.xcfa"), xgen.model("sc"))
    assert result.verdict == "safe"


def test_rounds_of_a_loop() -> None:
    """Without looking for loops that wait, the bound cuts executions at each place."""
    peterson = xgen.load(shipped("programs") / "peterson.xcfa")
    result = same_for_all(peterson, xgen.model("tso"), max_depth=8, unroll=True)
    assert result.bounded > 0


def test_checking_at_the_end() -> None:
    for name in ("SB", "WRC", "branches, choices, blocked threads"):
        same_for_all(SHAPES_HERE[name], xgen.model("tso"), filter="final")


def test_threads_that_run_ahead() -> None:
    """Each read reads the last write, which is not extensible."""
    latest = xgen.parse_model("h = po | rf\nf = fr\nh acyclic\nf empty as latest")
    result = same_for_all(late_writer(6), latest)
    assert (result.executions, result.demoted) == (1, {})
    for model in ("coherence", "any"):
        same_for_all(late_writer(5), xgen.model(model))


def test_executions_that_are_kept() -> None:
    """All of them, and none twice, whoever found them."""
    for workers in (1, *WORKERS):
        result = xgen.check(writers(3, 2), xgen.model("sc"), all_states=True, workers=workers)
        assert len(result.traces) == result.executions == math.factorial(6) // 8
        assert len({(trace.rf, trace.mo) for trace in result.traces}) == result.executions
        few = xgen.check(writers(3, 2), xgen.model("sc"), all_states=True, workers=workers, trace_limit=7)
        assert len(few.traces) == 7


def test_more_events_than_bits_in_a_word() -> None:
    """Workers take subtrees from each other whose graphs are of different widths."""
    loads = "; ".join(["a <- x"] * 70)
    for shape in (program(loads, "1 -> x", "b <- x", variables="x"), program("1 -> x", loads, "b <- x", variables="x")):
        assert same_for_all(shape, xgen.model("tso"), trace_limit=0).executions == 142


def test_the_number_of_workers_has_bounds() -> None:
    for workers in (0, -1, 257):
        with pytest.raises(UsageError, match="the number of workers must be from 1 to 256"):
            xgen.check(SHAPES["SB"], xgen.model("sc"), workers=workers)
    assert xgen.check(SHAPES["SB"], xgen.model("sc"), workers=256).executions == 3


def test_many_runs() -> None:
    """What goes wrong seldom, in a shape that leaves little to share."""
    for _ in range(200):
        assert xgen.check(SHAPES["WRC"], xgen.model("weak"), all_states=True, workers=4).executions == 8


# --- Violations, and stopping ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, *WORKERS])
@pytest.mark.parametrize(
    ("name", "bound"), [("peterson", 8), ("mp_us", None), ("spinlock_us", None), ("treiber", None)]
)
def test_a_violation_is_found(name: str, bound: int | None, workers: int) -> None:
    """Which one is found first may differ; that one is found does not, nor that it ends the run."""
    shape = xgen.load(shipped("programs") / f"{name}.xcfa")
    result = xgen.check(shape, xgen.model("weak"), max_depth=bound, workers=workers)
    assert (result.verdict, result.exhaustive) == ("violation", False)
    assert result.witness is not None
    assert result.witness.violations


@pytest.mark.parametrize("workers", WORKERS)
def test_a_violation_ends_the_other_workers(workers: int) -> None:
    """What they would still have to do takes much longer than the test."""
    text = "\n".join(
        ["var x : int var y : int"]
        + [f"process p{i} {{ var a : int init loc L0 final loc L1 L0 -> L1 {{ {body} }} }}" for i, body in enumerate(
            [*[f"{i} -> x; a <- x; {i} -> x; a <- x" for i in range(1, 7)], "a <- y; assert a = 0", "1 -> y"]
        )]
    )  # fmt: skip
    result = xgen.check(xgen.parse(text), xgen.model("sc"), workers=workers, timeout=120)
    assert (result.verdict, result.stopped) == ("violation", None)


@pytest.mark.parametrize("workers", WORKERS)
def test_timeout(workers: int) -> None:
    result = xgen.check(writers(6, 6), xgen.model("sc"), timeout=0.3, workers=workers)
    assert (result.verdict, result.stopped, result.exhaustive) == ("interrupted", "timeout", False)
    assert result.executions > 0
    assert result.seconds < 10


@pytest.mark.parametrize("workers", WORKERS)
def test_interrupt(workers: int) -> None:
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    result = xgen.check(writers(6, 6), xgen.model("sc"), workers=workers, timeout=60)
    timer.join()
    assert (result.verdict, result.stopped) == ("interrupted", "interrupt")
    assert result.executions > 0
    # Nothing is left of the workers: the next run is a new one.
    assert xgen.check(SHAPES["SB"], xgen.model("tso"), workers=workers).executions == 4


def test_progress() -> None:
    seen: list[int] = []
    xgen.check(writers(6, 6), xgen.model("sc"), workers=3, timeout=0.6, on_progress=lambda p: seen.append(p.executions))
    assert seen
    assert seen == sorted(seen)


def test_executions_as_they_are_found_while_several_workers_explore_something_else() -> None:
    """Two explorations at once, in two threads of Python."""
    results: list[Result] = []
    other = threading.Thread(
        target=lambda: results.append(xgen.check(writers(3, 3), xgen.model("sc"), all_states=True, workers=2))
    )
    other.start()
    found = list(xgen.executions(store_buffers(6), xgen.model("tso")))
    other.join()
    assert (len(found), results[0].executions) == (2**6, math.factorial(9) // 6**3)


# --- The order of the threads ---------------------------------------------------------------------------------------

ORDERED = {
    **SHAPES_HERE,
    "S": SHAPES["S"],
    "R": SHAPES["R"],
    "CoWR": SHAPES["CoWR"],
    "writers": program("1 -> x; 2 -> x", "3 -> x", "4 -> x; a <- x", variables="x"),
    "readers": readers(3),
}


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "tso", "pso", "ra", "weak", "weak-a9", "coherence", "any"])
@pytest.mark.parametrize("name", ORDERED)
def test_orders_of_the_threads(name: str, model: str) -> None:
    """The complete executions are the same, and so are their outcomes; some for one worker, some for three."""
    memory_model = xgen.model(model)
    first: tuple[object, ...] | None = None
    for number, order in enumerate(permutations(ORDERED[name].processes)):
        shape = replace(ORDERED[name], processes=order)
        result = xgen.check(shape, memory_model, all_states=True, workers=1 + number % 2 * 2)
        found = (result.executions, result.violations, outcomes_of(result), result.blocked)
        first = first or found
        assert found == first, [process.name for process in order]


@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
@pytest.mark.parametrize("name", ["updates", "rotation"])
def test_orders_of_threads_that_update(name: str, model: str) -> None:
    memory_model = xgen.model(model)
    expected = xgen.check(LARGER[name], memory_model, all_states=True)
    for order in permutations(LARGER[name].processes):
        result = xgen.check(replace(LARGER[name], processes=order), memory_model, all_states=True)
        assert (result.executions, outcomes_of(result)) == (expected.executions, outcomes_of(expected))
