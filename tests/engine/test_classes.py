"""Classes of executions: the oracle's partition of what it finds, on random programs, and counts that are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from oracle.against import features_for, shipped_models
from oracle.classes import difference_of_classes, difference_of_orbits, with_like_threads, without_faults
from oracle.enumerate import TooManyError
from oracle.models import (
    arm,
    atomic_pairs,
    no_thin_air,
    random_hardware_model,
    random_language_model,
    random_model,
)
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, DEPENDENT, Features, random_program

import xgen
from engine.test_adversarial import ADVERSARIES, model_of
from xgen.errors import UsageError
from xgen.executions.result import Result
from xgen.memory.algebra import Model

FAST, LONG = 6, 400
"""Programs per test in every run, and in a long one."""
LIMIT = 800
"""Programs with more candidate executions are left out."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, LONG), id="long", marks=pytest.mark.long),
]
UPDATES = replace(DEFAULT, rmws=35, orders=DEPENDENT.orders)
SHIPPED = Path(__file__).parents[2] / "programs"


def check(model: Model, features: Features, seeds: range, workers: int = 1) -> None:
    """xgen and the oracle agree on the classes of random programs, most of which are small enough."""
    assert compared(model, features, seeds, workers) >= len(seeds) // 2


def compared(model: Model, features: Features, seeds: range, workers: int = 1) -> int:
    """How many of the programs are small enough to be compared."""
    left_out = 0
    for seed in seeds:
        drawn = random_program(Random(f"{model.name} {seed}"), without_faults(features_for(model, features)))
        depth = 3 if features.loops else None
        try:
            found = difference_of_classes(drawn, model, depth, LIMIT, workers)
        except TooManyError:
            left_out += 1
            continue
        assert found is None, found
    return len(seeds) - left_out


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models(name: str, seeds: range) -> None:
    for features in (DEFAULT, UPDATES):
        check(xgen.model(name), features, seeds)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ADVERSARIES)
def test_adversarial_models(name: str, seeds: range) -> None:
    """Of some of them what is forbidden is allowed later, and what is before another write may depend on all others."""
    check(model_of(name), UPDATES, seeds)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_random_models(seeds: range) -> None:
    count = 0
    for seed in range(seeds.start * 2, seeds.stop * 2):
        for draw in (random_model, random_hardware_model, random_language_model):
            count += compared(draw(Random(f"model {seed}")), UPDATES, range(seed, seed + 1))
    assert count >= 3 * len(seeds)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("features", FEATURES)
def test_features(features: str, seeds: range) -> None:
    """Loops, mutexes, exclusive accesses, atomic blocks, arrays and choices, by one and by two workers."""
    for n, model in enumerate((xgen.model("sc"), xgen.model("weak"), arm(), no_thin_air(), atomic_pairs())):
        check(model, FEATURES[features], seeds, 1 + n % 2)


@pytest.mark.parametrize("model", ["sc", "tso", "weak", "rc11", "arm8"])
@pytest.mark.parametrize(
    "name",
    [
        *("cow2r", "coww2r2r", "dekker_fenced", "fig_5_1", "fig_5_4", "mp", "peterson", "peterson_fenced"),
        *("sb_fenced", "spinlock", "ticket_lock", "treiber", "ttas_lock", "szymanski_fenced"),
    ],
)
def test_shipped_programs(name: str, model: str) -> None:
    """The same verdict, and where everything is explored the same numbers of the same outcomes."""
    program, memory = xgen.load(SHIPPED / f"{name}.xcfa"), xgen.model(model)
    each, classes = (xgen.check(program, memory, all_states=True, trace_limit=0, classes=c) for c in ("off", "rf"))  # type: ignore[arg-type]
    assert (classes.verdict, classes.executions, classes.counted) == (each.verdict, each.executions, True)
    assert (classes.violations, classes.lost) == (each.violations, 0)
    assert list(classes.outcomes) == list(each.outcomes)
    assert 0 < classes.classes <= classes.executions + classes.blocked
    assert xgen.check(program, memory, classes="rf").verdict == each.verdict


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "rc11", "arm8", "lkmm"])
def test_like_threads(name: str, seeds: range) -> None:
    model, count = xgen.model(name), 0
    for features in (DEFAULT, UPDATES, FEATURES["dependent-choices"]):
        for seed in seeds:
            rng = Random(f"{name} {seed}")
            drawn = random_program(rng, without_faults(features_for(model, features)))
            try:
                found = difference_of_orbits(with_like_threads(drawn, rng), model, None, LIMIT, 1 + seed % 2)
            except TooManyError:
                continue
            count += 1
            assert found is None, found
    assert count >= len(seeds)


def threads(*bodies: str, variables: str = "x") -> xgen.Program:
    """A program of threads without branches."""
    processes = [
        f"process p{n} {{ var a : int init loc A final loc E A -> E {{ {body} }} }}" for n, body in enumerate(bodies)
    ]
    return xgen.parse("\n".join([*(f"var {v} : int" for v in variables), *processes]), "xcfa")


def writers(count: int, writes: int) -> xgen.Program:
    return threads(*("; ".join(f"{t * writes + w + 1} -> x" for w in range(writes)) for t in range(count)))


def seen(program: xgen.Program, model: str = "sc", **options: object) -> Result:
    return xgen.check(program, xgen.model(model), classes="rf", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc11", "weak", "arm8", "power"])
@pytest.mark.parametrize(("count", "writes", "executions"), [(4, 4, 63_063_000), (6, 2, 7_484_400), (2, 3, 20)])
def test_orders_of_writes_are_counted_not_visited(count: int, writes: int, executions: int, model: str) -> None:
    result = seen(writers(count, writes), model, all_states=True)
    assert (result.explored, result.classes, result.executions, result.counted) == (1, 1, executions, True)
    assert [outcome.count for outcome in result.outcomes] == [executions // count] * count


def test_graphs_of_known_programs() -> None:
    write_then_read = seen(threads(*(f"{t + 1} -> x; a <- x" for t in range(4))))
    assert (write_then_read.explored, write_then_read.classes, write_then_read.executions) == (195, 125, 576)
    coherence = seen(threads("1 -> x; 2 -> x; 3 -> x; 4 -> x", "5 -> x; 6 -> x; 7 -> x; 8 -> x", variables="x"))
    assert (coherence.explored, coherence.executions) == (1, 70)
    readers = seen(threads("1 -> x", *["a <- x"] * 6), symmetry=False)
    assert (readers.explored, readers.classes, readers.executions) == (127, 64, 64)
    updates = seen(threads(*["a <- fetch_add(x, 1)"] * 5), symmetry=False)
    assert (updates.classes, updates.executions, updates.lost) == (120, 120, 0)


def test_orbits_of_known_programs() -> None:
    readers = seen(threads("1 -> x", *["a <- x"] * 6))
    assert (readers.explored, readers.orbits, readers.classes, readers.executions) == (28, 7, 64, 64)
    updates = seen(threads(*["a <- fetch_add(x, 1)"] * 6))
    assert (updates.orbits, updates.classes, updates.executions) == (1, 720, 720)
    assert [outcome.count for outcome in updates.outcomes] == [1] * 720
    ticket = xgen.load(SHIPPED / "ticket_lock.xcfa")
    assert (seen(ticket).orbits, seen(ticket, symmetry=False).orbits) == (2, 4)


def test_nine_like_threads() -> None:
    """Seven of them are taken to do the same; the numbers are exact all the same."""
    result = seen(threads("1 -> x", *["a <- x"] * 9))
    assert (result.classes, result.executions, result.orbits) == (512, 512, 8 * 4)
    assert sum(outcome.count for outcome in result.outcomes) == len(result.outcomes) == 512


def test_places_are_those_of_all_like_threads() -> None:
    text = "var x : int " + " ".join(
        f"process p{n} {{ var a : int init loc A A -> A {{ a <- x; 1 -> x }} }}" for n in range(2)
    )
    program, model = xgen.parse(text, "xcfa"), xgen.model("sc")
    bounded = [xgen.check(program, model, max_depth=2, classes="rf", symmetry=symmetry) for symmetry in (True, False)]
    assert bounded[0].warnings == bounded[1].warnings
    assert "p1" in bounded[0].warnings[1]


def test_too_many_to_count() -> None:
    """The verdict and the outcomes are exact, and that the numbers are not is said."""
    result = seen(writers(8, 6))
    assert (result.classes, result.explored, result.counted, result.verdict) == (1, 1, False, "safe")
    assert {outcome.state["x"] for outcome in result.outcomes} == {6 * t for t in range(1, 9)}
    assert result.executions >= 8


def test_several_workers_find_the_same() -> None:
    program = threads(*(f"{t + 1} -> x; a <- x; {t + 1} -> y; a <- x" for t in range(3)), variables="xy")
    results = [seen(program, "weak", workers=workers) for workers in (1, 2, 4)]
    numbers = {(r.classes, r.executions, r.explored, r.dead_ends, r.lost) for r in results}
    assert len(numbers) == 1
    assert list(results[0].outcomes) == list(results[1].outcomes) == list(results[2].outcomes)


def test_wide_graphs() -> None:
    """More than 64 events."""
    result = seen(threads(*["; ".join(f"{n} -> x" for n in range(1, 24)) + "; a <- y"] * 3, "1 -> y", variables="xy"))
    assert (result.classes, result.orbits, result.verdict, result.counted) == (8, 4, "safe", False)


def test_what_looks_at_each_execution_is_refused() -> None:
    program, model = threads("1 -> x"), xgen.model("sc")
    for options in ({"liveness": True}, {"filter": "final"}, {"robust": model}):
        with pytest.raises(UsageError, match="cannot be used with"):
            xgen.check(program, model, classes="rf", **options)  # type: ignore[arg-type]


def test_an_update_whose_write_is_known_to_come_after_what_it_reads() -> None:
    """The write joined before its read, and a load before them has read from the same write."""
    program = threads("a <- x; 2 * a -> y", "a <- y; a <- exchange(y, 1); a <- y; a -> x", variables="xy")
    for model in map(xgen.model, ("coherence", "power", "lkmm")):
        each, classes = (xgen.check(program, model, all_states=True, classes=c) for c in ("off", "rf"))  # type: ignore[arg-type]
        assert (classes.executions, list(classes.outcomes)) == (each.executions, list(each.outcomes))


def test_the_time_limit_ends_a_search_for_orders() -> None:
    program = threads(*(f"{t + 1} -> x; a <- y; {t + 1} -> y; a <- x" for t in range(8)), variables="xy")
    assert seen(program, timeout=0.05).verdict == "interrupted"
