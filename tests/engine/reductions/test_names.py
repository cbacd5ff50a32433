"""Executions that differ by the names of threads that do the same: one is visited, or some, and all are counted."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from oracle.against import expected_executions, features_for
from oracle.classes import start_and_join, with_like_threads, with_own_variables, without_faults
from oracle.enumerate import TooManyError
from oracle.models import random_language_model, random_model
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, random_program

import xgen
from engine.reductions.test_classes import LIMIT, UPDATES
from xgen import _core
from xgen._core import Halt
from xgen.analyses.check import portfolio, weaken
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.graphs.symmetry import exchangeable_threads_of
from xgen.engine.problem import Problem, problem
from xgen.lowering.analysis.symmetry import ALL_NAMES, Like
from xgen.memory.algebra import Model
from xgen.views.answers.json import result_to_dict
from xgen.views.answers.text import render

KINDS = [DEFAULT, UPDATES, *FEATURES.values()]
ROUNDS = [
    pytest.param(range(24), id="fast"),
    pytest.param(range(24, 120), id="slow", marks=pytest.mark.slow),
    pytest.param(range(120, 4000), id="long", marks=pytest.mark.long),
]
WITHOUT_A_BOUND = 300_000
"""Graphs that are looked at where a program has no bound."""


def told(run: Run) -> dict[str, Any]:
    """All that is counted of what an exploration finds."""
    counters, found = run.core.counters, run.core.findings
    outcomes = found.outcomes.rows(0, len(found.outcomes))
    counted = ("executions", "blocked", "stuck", "bounded", "violations")
    return {
        **{name: counters[name] for name in counted},
        "outcomes": sorted((tuple(_core.outcome_values(state)), *numbers) for state, *numbers in outcomes),
        "flags": list(found.flags),
    }


def explored(asked: Problem, options: Options, like: Like | None = None) -> Run | None:
    """The run; None where there are too many graphs."""
    run = Run(asked, replace(options, like=like))
    run.finish()
    return None if run.gave_up else run


def drawn(model: Model, seed: int) -> tuple[Any, Problem, int | None]:
    """A random program of two to five like threads and perhaps others, some of them started by another one, of which
    final states do not tell what threads have read."""
    rng = Random(f"names {model.name} {seed}")
    features = without_faults(features_for(model, KINDS[seed % len(KINDS)]))
    program = with_like_threads(random_program(rng, features), rng)
    if rng.random() < 0.3:
        more = [replace(program.threads[0], name=f"R{n}") for n in range(rng.choice((1, 2)))]
        program = replace(program, threads=(*program.threads, *more))
    if seed % 5 in (1, 2, 3):
        program = with_own_variables(program, rng)
    text = start_and_join(program, rng) if seed % 4 == 1 else str(program)
    asked = problem(xgen.parse(text, "xcfa"), model, parts=True)
    code = replace(asked.code, threads=tuple(replace(thread, shown=()) for thread in asked.code.threads))
    asked = replace(asked, code=code, observed=() if seed % 2 else asked.observed)
    return None if seed % 4 == 1 else program, asked, 3 if features.loops else None


def agrees(model: Model, seed: int) -> bool:
    """False where there are no such threads, or too many executions."""
    program, asked, depth = drawn(model, seed)
    like = exchangeable_threads_of(asked, depth)
    if like is None:
        return False
    # Executions in which a thread waits in vain are left out where threads have names, unless they are asked for.
    options = Options(depth, all_states=True, unroll=seed % 5 == 0, stale=True, graphs=WITHOUT_A_BOUND)
    each = explored(asked, options)
    if each is None:
        return False
    once = explored(asked, options, like)
    assert once is not None
    if once.halt == Halt.UNLIKE:
        return False
    assert told(once) == told(each), (model.name, seed)
    assert once.core.counters["orbits"] <= each.core.counters["executions"]
    assert once.core.counters["duplicates"] == 0
    if options.unroll and program is not None:
        with suppress(TooManyError):
            number = sum(1 for _ in expected_executions(program, model, depth, LIMIT))
            counted = told(once)
            assert counted["executions"] + counted["blocked"] + counted["bounded"] == number
    return True


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "pso", "ra", "rc11", "rc11-c20"])
def test_all_that_is_counted(name: str, seeds: range) -> None:
    assert sum(agrees(xgen.model(name), seed) for seed in seeds) >= len(seeds) // 4


@pytest.mark.parametrize("seeds", ROUNDS)
def test_under_random_models(seeds: range) -> None:
    draws = (random_model, random_language_model)
    models = [(draw(Random(f"names {seed}")), seed) for seed in seeds for draw in draws]
    assert sum(agrees(model, seed) for model, seed in models) >= len(seeds) // 4


@pytest.mark.parametrize(
    ("text", "model", "executions", "orbits"),
    [("1 -> {0}; a <- {1}", "sc", 3, 2), ("1 -> {0}; a <- {1}", "tso", 4, 3), ("a <- {0}; 1 -> {1}", "sc", 3, 2),
     ("1 -> {0}; a <- {1}; a <- z; 1 -> z", "sc", 12, 6), ("1 -> {0}; a <- {1}; 1 -> z", "sc", 6, 3)],
)  # fmt: skip
def test_two_that_look_at_each_other(text: str, model: str, executions: int, orbits: int) -> None:
    """Neither order of their names is known at first: what they read from tells, or no one of them is left out."""
    processes = (
        f"process p{n} {{ var a : int init loc A final loc E A -> E {{ {text.format(*names)} }} }}"
        for n, names in enumerate(("xy", "yx"))
    )
    asked = problem(xgen.parse(f"var x : int var y : int var z : int {' '.join(processes)}", "xcfa"), xgen.model(model))
    hidden = replace(asked.code, threads=tuple(replace(thread, shown=()) for thread in asked.code.threads))
    asked = replace(asked, code=hidden, observed=())
    like = exchangeable_threads_of(asked, None)
    each, once = (explored(asked, Options(all_states=True, stale=True), names) for names in (None, like))
    assert each is not None
    assert once is not None
    assert like is not None
    assert (told(once), once.core.counters["executions"]) == (told(each), executions)
    assert once.core.counters["orbits"] == orbits


@pytest.fixture
def names_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions but for names begin at once, and are done before those one by one."""
    monkeypatch.setattr(portfolio, "ALONE", 1)
    monkeypatch.setattr(portfolio, "SHARE_OF_NAMES", 1e6)


def threads(count: int, run: str, before: str = "", results: str = "") -> str:
    """A program in C with so many threads of one function."""
    return f"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
{before}
void *run(void *argument) {{ long me = (long)argument; {run} return 0; }}
int main(void) {{
  pthread_t t[{count}];
  for (long i = 0; i < {count}; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (long i = 0; i < {count}; i++) pthread_join(t[i], 0);
  {results}
}}
"""


TICKET = """int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine);
  data++;
  atomic_store_explicit(&serving, mine + 1, memory_order_release);"""
LOOKING = """do while (atomic_load_explicit(&l, memory_order_relaxed));
  while (atomic_exchange_explicit(&l, 1, memory_order_acquire));
  data++; atomic_store_explicit(&l, 0, memory_order_release);"""
GROWING = {
    "ticket": (threads(7, TICKET, "atomic_int next, serving; int data;", "assert(data == 7);"), 5040, 1),
    "looking": (threads(5, LOOKING, "atomic_int l; int data;", "assert(data == 5);"), 14400, 120),
    "counter": (threads(8, "(void)me; x++;", "atomic_int x;", "assert(x == 8);"), 40320, 1),
    "mutex": (
        threads(
            6, "pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int data;", "assert(data == 6);",
        ), 720, 1,
    ),
    "flags": (threads(4, "f[me] = 1; atomic_load(&x);", "atomic_int f[4], x;"), 1, 1),
}  # fmt: skip
"""Programs, with their executions: n! of a lock that n threads take, those that GenMC counts of the one that looks."""


@pytest.mark.usefixtures("names_first")
@pytest.mark.parametrize("name", GROWING)
def test_programs_that_grow(name: str) -> None:
    text, executions, orbits = GROWING[name]
    program, model = xgen.parse(text, "c"), xgen.model("rc11-c20")
    each = xgen.check(program, model, classes="off")
    once = xgen.check(program, model)
    assert (once.verdict, once.executions, list(once.outcomes)) == (each.verdict, executions, list(each.outcomes))
    assert (once.orbits, once.partition, each.executions, each.orbits) == (orbits, "off", executions, 0)
    assert once.warnings == each.warnings


@pytest.mark.usefixtures("names_first")
@pytest.mark.parametrize(("name", "noticed"), [("ticket", ["noticed"] * 2), ("looking", ["noticed"] * 2)])
def test_weaker_orders(monkeypatch: pytest.MonkeyPatch, name: str, noticed: list[str]) -> None:
    """Each is explored as the program itself was."""
    program, model = xgen.parse(GROWING[name][0], "c"), xgen.model("rc11-c20")
    monkeypatch.setattr(weaken, "GRAPHS", 2000)
    found = xgen.check(program, model, weaken=True)
    assert found.orbits == GROWING[name][2]
    assert found.weakened is not None
    assert [each.verdict for each in found.weakened] == noticed


@pytest.mark.usefixtures("names_first")
def test_names_that_are_told_apart() -> None:
    """By what final states list, by a number, by when they are started, by who asks, and by the model."""
    apart = {
        "listed": threads(
            3, "if (me) { if (me == 1) r1 = x; else r2 = x; } else r0 = x;", "atomic_int x; int r0, r1, r2;"
        ),
        "a number": threads(4, "x += me;", "atomic_int x;"),
        "two": threads(2, "x++;", "atomic_int x;"),
        "in between": threads(4, "x++;", "atomic_int x;").replace("run, (void *)i);", "run, (void *)i), x++;", 1),
    }
    for name, text in apart.items():
        assert xgen.check(xgen.parse(text, "c"), xgen.model("rc11")).orbits == 0, name
    counting = xgen.parse(threads(4, "x++;", "atomic_int x;"), "c")
    assert xgen.check(counting, xgen.model("rc11")).orbits == 1
    assert xgen.check(counting, xgen.model("rc11"), symmetry=False).orbits == 0
    assert xgen.check(counting, xgen.model("rc11"), all_states=True).orbits == 0
    assert xgen.check(counting, xgen.model("arm8")).orbits == 0


@pytest.mark.usefixtures("names_first")
def test_what_is_told() -> None:
    found = xgen.check(xgen.parse(GROWING["ticket"][0], "c"), xgen.model("rc11-c20"))
    counted = "executions  5040 complete, 2630880 blocked, 0 cut by the bound"
    assert f"{counted}; 1 of the complete ones up to the names of symmetric threads\n" in render(found)
    assert result_to_dict(found)["but_for_names"] == 1


@pytest.mark.usefixtures("names_first")
def test_a_violation() -> None:
    text, _, _ = GROWING["ticket"]
    for wrong, what in (
        (text.replace("memory_order_release", "memory_order_relaxed"), "data race on data"),
        (text.replace("data == 7", "data == 6"), "assertion violated"),
    ):
        found = xgen.check(xgen.parse(wrong, "c"), xgen.model("rc11-c20"))
        assert found.witness is not None
        assert (found.verdict, found.witness.violations[0].message) == ("violation", what)


def test_more_names_than_one_stands_for() -> None:
    """Of ten threads, eight are taken to do the same."""
    asked = problem(xgen.parse(threads(10, "x++;", "atomic_int x;"), "c"), xgen.model("rc11"))
    like = exchangeable_threads_of(asked, None)
    assert like is not None
    assert (like.names, [len(group) for group in like.groups]) == (ALL_NAMES, [8])
