"""Classes of executions: the oracle's partition of what it finds, on random programs, and counts that are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from oracle.against import features_for, shipped_models
from oracle.classes import (
    difference_of_classes,
    difference_of_orbits,
    difference_of_views,
    with_like_threads,
    without_faults,
)
from oracle.compare import key_of_execution
from oracle.enumerate import Execution, TooManyError
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
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import UsageError
from xgen.executions.result import Classes, Result
from xgen.memory.algebra import Model

FAST, SLOW, LONG = 3, 10, 400
"""Programs per test in every run, and in a long one."""
LIMIT = 800
"""Programs with more candidate executions are left out."""
LARGE = {
    "chase_lev",
    "dekker_us",
    "dijkstra",
    "dijkstra_us",
    "msqueue",
    "peterson_2rounds",
    "treiber",
    "treiber_fenced",
}
"""Shipped programs with many executions or classes under weak models."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, SLOW), id="slow", marks=pytest.mark.slow),
    pytest.param(range(SLOW, LONG), id="long", marks=pytest.mark.long),
]
UPDATES = replace(DEFAULT, rmws=35, orders=DEPENDENT.orders)
SHIPPED = Path(__file__).parents[3] / "programs"


def check(model: Model, features: Features, seeds: range, workers: int = 1) -> None:
    """xgen and the oracle agree on the classes of random programs, many of which are small enough."""
    assert compared(model, features, seeds, workers) >= len(seeds) // 4


def compared(model: Model, features: Features, seeds: range, workers: int = 1) -> int:
    """How many of the programs are small enough to be compared."""
    count = 0
    for seed in seeds:
        drawn = random_program(Random(f"{model.name} {seed}"), without_faults(features_for(model, features)))
        depth = 3 if features.loops else None
        count += agrees(partial(difference_of_classes, drawn, model, depth, LIMIT, workers))
    return count


def agrees(difference: Callable[[], str | None]) -> bool:
    """False if the program is too large to be compared, or what is asked of it is refused under load buffering."""
    try:
        found = difference()
    except TooManyError:
        return False
    except UsageError as error:
        if "which allows load buffering" not in str(error):
            raise
        return False
    assert found is None, found
    return True


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models(name: str, seeds: range) -> None:
    for features in (DEFAULT, UPDATES):
        check(xgen.model(name), features, seeds)


@pytest.mark.sweep
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


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("features", FEATURES)
def test_features(features: str, seeds: range) -> None:
    """Loops, mutexes, exclusive accesses, atomic blocks, arrays and choices, by one and by two workers."""
    for n, model in enumerate((xgen.model("sc"), xgen.model("weak"), arm(), no_thin_air(), atomic_pairs())):
        check(model, FEATURES[features], seeds, 1 + n % 2)


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("partition", ["values", "seen"])
@pytest.mark.parametrize("name", [*shipped_models(), *ADVERSARIES])
def test_what_is_read(name: str, partition: Literal["values", "seen"], seeds: range) -> None:
    """Executions in which reads read the same, or leave the same in their threads, under all models."""
    model, count = model_of(name) if name in ADVERSARIES else xgen.model(name), 0
    for seed in seeds:
        kinds = [DEFAULT, UPDATES, *FEATURES.values()]
        features = without_faults(features_for(model, kinds[seed % len(kinds)]))
        drawn = random_program(Random(f"{name} {partition} {seed}"), features)
        depth = 3 if features.loops else None
        count += agrees(partial(difference_of_views, drawn, model, partition, depth, LIMIT, 1 + seed % 2))
    assert count >= len(seeds) // 4


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "weak", "rc11"])
@pytest.mark.parametrize(
    "path", [p for p in sorted(SHIPPED.glob("*.xcfa")) if p.stem not in LARGE], ids=lambda p: p.stem
)
def test_verdicts_and_outcomes_of_shipped_programs(path: Path, model: str) -> None:
    """Those of --classes seen are those of --classes off."""
    program, memory = xgen.load(path), xgen.model(model)
    each = xgen.check(program, memory, all_states=True, trace_limit=0)
    seen_ = xgen.check(program, memory, all_states=True, trace_limit=0, classes="seen")
    assert (seen_.verdict, seen_.cut, seen_.vacuous) == (each.verdict, each.cut, each.vacuous)
    assert [outcome.state for outcome in seen_.outcomes] == [outcome.state for outcome in each.outcomes]
    assert xgen.check(program, memory, classes="seen").verdict == each.verdict


@pytest.mark.sweep
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


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("partition", ["rf", "values", "seen"])
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "rc11", "arm8", "lkmm"])
def test_like_threads(name: str, partition: Classes, seeds: range) -> None:
    model, count = xgen.model(name), 0
    for features in (DEFAULT, UPDATES, FEATURES["dependent-choices" if partition == "rf" else "dependent-rmw"]):
        for seed in seeds:
            rng = Random(f"{name} {seed}")
            like = with_like_threads(random_program(rng, without_faults(features_for(model, features))), rng)
            count += agrees(partial(difference_of_orbits, like, model, None, LIMIT, 1 + seed % 2, partition))
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


def lock(count: int, section: str, lock_: str = "spin") -> xgen.Program:
    """Threads that take a lock, once each."""
    take = {
        "spin": "S -> T { old <- cas(held, 0, 1) } T -> S { assume old /= 0 } T -> C { assume old = 0 }",
        "ticket": "S -> T { old <- fetch_add(next, 1) } T -> U { v <- held } U -> T { assume v /= old } "
        "U -> C { assume v = old }",
    }[lock_]
    free = "0 -> held" if lock_ == "spin" else "old + 1 -> held"
    processes = [
        f"process p{n} {{ var old : int var v : int init loc S loc T loc U loc C final loc E {take} "
        f"C -> E {{ {section.replace('#', str(n))}; {free} }} }}"
        for n in range(count)
    ]
    shared = [f"var {name} : int" for name in ("held", "next", "c", *(f"d{n}" for n in range(count)))]
    return xgen.parse("\n".join([*shared, *processes]), "xcfa")


@pytest.mark.parametrize("model", ["sc", "tso", "ra", "weak", "arm8"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_locks_around_own_data_are_not_ordered(count: int, model: str) -> None:
    """n! executions and as many that are blocked, n + 1 graphs, one class."""
    for symmetry in (True, False):
        found = xgen.check(lock(count, "1 -> d#"), xgen.model(model), classes="seen", symmetry=symmetry)
        assert (found.explored, found.classes, found.verdict) == (count + 1, 1, "safe")


def test_graphs_of_locks_and_waits() -> None:
    model = xgen.model("sc")
    waiting = threads(*["1 -> x"] * 5, *["a <- x; assume a = 1"] * 2)
    found = xgen.check(waiting, model, classes="seen")
    assert (found.explored, found.classes, found.verdict, found.vacuous) == (1, 1, "safe", False)
    same = xgen.check(threads(*["1 -> x; a <- x"] * 4), model, classes="values")
    assert (same.classes, same.orbits) == (1, 1)
    for program, graphs, orbits in (
        (lock(4, "v <- c; v + 1 -> c"), (109, 67), (24, 1)),
        (lock(3, "old := old", "ticket"), (31, 27), (6, 1)),
    ):
        apart, like = (xgen.check(program, model, classes="seen", symmetry=s) for s in (False, True))
        assert (apart.explored, like.explored) == graphs
        assert (apart.orbits, like.orbits, apart.classes, like.classes) == (*orbits, orbits[0], orbits[0])
    for count, ends in ((3, 6), (4, 24)):
        shared = lock(count, "v <- c; v + 1 -> c")
        each = xgen.check(shared, model, all_states=True, trace_limit=0)
        for partition in ("values", "seen"):
            found = xgen.check(shared, model, all_states=True, classes=partition)  # type: ignore[arg-type]
            assert found.explored < each.explored
            assert [o.state for o in found.outcomes] == [o.state for o in each.outcomes]
            assert len(found.outcomes) == ends


def sees_as_much(text: str, models: tuple[str, ...] = ("sc", "weak", "arm8")) -> None:
    """Verdict and outcomes are those of --classes off, whatever is visited."""
    program = xgen.parse(text, "xcfa")
    for model in map(xgen.model, models):
        each = xgen.check(program, model, all_states=True, trace_limit=0)
        for partition in ("rf", "values", "seen"):
            found = xgen.check(program, model, all_states=True, trace_limit=0, classes=partition)  # type: ignore[arg-type]
            assert (found.verdict, found.vacuous) == (each.verdict, each.vacuous)
            assert [outcome.state for outcome in found.outcomes] == [outcome.state for outcome in each.outcomes]


LATE = (
    "process P1 { init loc A final loc E A -> E { # -> x } } "
    "process P2 { var c : int init loc A loc B final loc E A -> B { c <- x } "
    "B -> E { assume c = 0; 1 -> y; c := 0 } B -> E { assume c /= 0; 2 -> y; c := 0 } } "
)
"""What is written to y is not there before it is known what P2 reads."""


def test_what_a_thread_makes_of_a_value_depends_on_another_one() -> None:
    """Which way it goes decides whether another value, which is not known yet, is looked at."""
    sees_as_much(
        "var x : int var y : int process P0 { var r : int var a : int var b : int init loc A loc B loc C final loc E "
        "A -> B { r <- y } B -> C { a <- x } C -> E { assume a = 0; b := 0; a := 0; r := 0 } "
        "C -> E { assume a /= 0; b := r; a := 0; r := 0 } }" + LATE.replace("#", "1")
    )


def test_values_that_nobody_looks_at_but_that_overflow() -> None:
    """A result that is thrown away can end the thread all the same."""
    large = str(2**63 - 1)
    sees_as_much(
        "var x : int var y : int process P0 { var a : int var b : int init loc A loc B final loc E "
        "A -> B { a <- x } B -> E { b := a + 1; b := 0; a := 0 } }" + LATE.replace("#", large)
    )
    sees_as_much(
        "var x : int var y : int process P0 { var a : int var b : int var r : int init loc A loc B loc C final loc E "
        "A -> B { r <- y } B -> C { a <- x } C -> E { b := a + r; b := 0; a := 0; r := 0 } }" + LATE.replace("#", large)
    )


def test_values_out_of_thin_air() -> None:
    """Two threads that wait for what the other one writes after that; one that copies what it has written."""
    waits = "init loc A loc B final loc E A -> B { a <- # } B -> E { assume a = 1; 1 -> $ } }"
    sees_as_much(
        "var x : int var y : int "
        + "".join(
            f"process P{n} {{ var a : int " + waits.replace("#", r).replace("$", w)
            for n, (r, w) in enumerate(("xy", "yx"))
        )
    )
    sees_as_much(
        "var x : int process P0 { var a : int init loc A final loc E A -> E { a <- x; a -> x } } "
        "process P1 { init loc A final loc E A -> E { 1 -> x } }",
        ("weak", "arm8", "coherence"),
    )


def test_updates_that_come_before_what_they_read() -> None:
    """The write of an exchange is read before it is known what the exchange reads; it comes right after that."""
    program = threads("a <- x; a -> x", "a <- exchange(x, 2)")
    crossed = threads("0 -> x; a <- exchange(x, 2)", "0 -> x")
    for name in ("only load buffering", "nothing, with load buffering", "two relations that feed each other"):
        for one in (program, crossed):
            each = xgen.check(one, model_of(name), all_states=True)
            for partition in ("rf", "values", "seen"):
                found = xgen.check(one, model_of(name), all_states=True, classes=partition)  # type: ignore[arg-type]
                assert [o.state for o in found.outcomes] == [o.state for o in each.outcomes]


def test_what_reads_read_from_is_guessed_anew_for_each_end() -> None:
    """An end of which all orders are known, and then one for which the first guess is wrong."""
    program = xgen.parse(
        "var x : int process p { var a : int var b : int var c : int var g : int "
        "init loc A loc B loc C loc D final loc E "
        "A -> B { c -> x } A -> B B -> C { b <- exchange(x, 2); g <- cas(x, a, a + 1) } "
        "C -> C { assume g /= a; b <- exchange(x, 2); g <- cas(x, a, a + 1) } C -> D { assume not (g /= a) } "
        "D -> E { c -> x; assert c /= 0 } } "
        "process q { var c : int var g : int init loc A loc B loc C final loc E A -> B { g <- fetch_add(x, 0) } "
        "B -> B { assume g = 1; g <- fetch_add(x, 0) } B -> C { assume not (g = 1) } C -> E { c -> x } } "
        "process r { var a : int var b : int init loc A final loc E "
        "A -> E { atomic-begin; a <- fetch_add(x, 1); a <- x; atomic-end; b <- cas(x, 1, 1) } }"
    )
    for model in ("sc", "weak"):
        each = xgen.check(program, xgen.model(model), all_states=True, max_depth=6)
        found = xgen.check(program, xgen.model(model), all_states=True, max_depth=6, classes="seen")
        assert (found.verdict, [o.state for o in found.outcomes]) == (each.verdict, [o.state for o in each.outcomes])


def test_violations_beside_a_thread_that_waits() -> None:
    """What goes wrong while another thread waits for ever is found, and so are deadlocks."""
    text = (
        "var x : int var y : int process w { var a : int init loc S loc T final loc E "
        "S -> T { a <- x } T -> S { assume a = 0 } T -> E { assume a /= 0 } } "
        "process p { var a : int init loc A final loc E A -> E { a <- y; assert a = 0 } } "
        "process q { init loc A final loc E A -> E { 1 -> y } }"
    )
    for model in ("sc", "weak", "arm8"):
        assert xgen.check(xgen.parse(text, "xcfa"), xgen.model(model), classes="seen").verdict == "violation"
    locks = "var m : synthetic var n : synthetic " + "".join(
        f"process p{k} {{ init loc A final loc E A -> E {{ lock({a}); lock({b}); unlock({b}); unlock({a}) }} }} "
        for k, (a, b) in enumerate(("mn", "nm"))
    )
    for classes in ("rf", "values", "seen"):
        found = xgen.check(xgen.parse(locks, "xcfa"), xgen.model("sc"), classes=classes)  # type: ignore[arg-type]
        assert found.verdict == "violation"


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


def test_loops_that_write_are_explored_by_reads_from() -> None:
    """Where reads may read from what comes later, what threads see leads on and on; long runs do not begin with it."""
    program, model = xgen.load(SHIPPED / "burns.xcfa"), xgen.model("sc")
    each = xgen.check(program, model, all_states=True, trace_limit=0)
    for partition in ("values", "seen"):
        found = xgen.check(program, model, all_states=True, trace_limit=0, classes=partition)  # type: ignore[arg-type]
        assert (found.partition, found.executions, found.counted) == ("rf", each.executions, True)
        assert "classes of executions with the same reads-from were explored" in found.warnings[0]
        with pytest.raises(UsageError, match=f"classes `{partition}` of a program with loops are not for long runs"):
            xgen.check(program, model, classes=partition, processes=1)  # type: ignore[arg-type]


def test_traces_in_a_stream_come_once() -> None:
    """Also where bounds start again with classes of reads-from."""
    loops = "var x : int " + "".join(
        f"process p{n} {{ var a : int init loc S final loc E S -> S {{ a <- x; assume a < 2; a + 1 -> x }} "
        "S -> E { assume a = 2 } S -> E { a <- x; assume a = 2 } } "
        for n in range(2)
    )
    asked = problem(xgen.parse(loops, "xcfa"), xgen.model("sc"), classes=True)
    run = Run(asked, Options(all_states=True, trace_limit=1000, stream=True, partition="seen"))
    found, more = Counter[Execution](), True
    while more:
        more = run.advance()
        found.update(map(key_of_execution, run.traces()))
    assert (run.options.partition, set(found.values())) == ("rf", {1})
    assert run.core.counters["explored"] < 10_000


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


def test_an_update_whose_write_is_known_to_come_after_what_it_reads() -> None:
    """The write joined before its read, and a load before them has read from the same write."""
    program = threads("a <- x; 2 * a -> y", "a <- y; a <- exchange(y, 1); a <- y; a -> x", variables="xy")
    for model in map(xgen.model, ("coherence", "power", "lkmm")):
        each, classes = (xgen.check(program, model, all_states=True, classes=c) for c in ("off", "rf"))  # type: ignore[arg-type]
        assert (classes.executions, list(classes.outcomes)) == (each.executions, list(each.outcomes))


def test_the_time_limit_ends_a_search_for_orders() -> None:
    program = threads(*(f"{t + 1} -> x; a <- y; {t + 1} -> y; a <- x" for t in range(8)), variables="xy")
    assert seen(program, timeout=0.05).verdict == "interrupted"
