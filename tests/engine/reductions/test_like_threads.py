"""Threads that do the same with variables of their own, or that another one starts: orbits, what they stand for."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from oracle.against import features_for
from oracle.classes import (
    difference_of_orbits,
    difference_of_started,
    with_like_threads,
    with_own_variables,
    without_faults,
)
from oracle.models import random_hardware_model, random_language_model, random_model
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, random_program

import xgen
from engine.reductions.test_classes import LIMIT, ROUNDS, UPDATES, agrees, lock, seen, threads
from engine.test_adversarial import ADVERSARIES, model_of
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import problem
from xgen.executions.result import Classes
from xgen.lowering.analysis.symmetry import MOST, symmetries
from xgen.lowering.threads import lower
from xgen.memory.algebra import Model
from xgen.memory.statics.redundant_fences import leaves_out_twins
from xgen.memory.terms import normalised, of_whole_accesses

KINDS = [DEFAULT, UPDATES, *FEATURES.values()]
PARTITIONS: tuple[Classes, ...] = ("rf", "values", "seen")


def drawn(model: Model, seed: int) -> tuple[Any, int | None, Random]:
    """A random program of like threads, each with variables of its own, with a bound if it has loops."""
    rng = Random(f"{model.name} {seed}")
    features = without_faults(features_for(model, KINDS[seed % len(KINDS)]))
    like = with_like_threads(random_program(rng, features), rng)
    return with_own_variables(like, rng) if seed % 3 else like, 3 if features.loops else None, rng


def models_of(name: str) -> Model:
    return model_of(name) if name in ADVERSARIES else xgen.model(name)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "rc11", "arm8", "lkmm", *list(ADVERSARIES)[::4]])
def test_variables_of_their_own(name: str, seeds: range) -> None:
    """The oracle's classes, each renaming of one among them; orbits and counts."""
    model, count = models_of(name), 0
    for seed in seeds:
        program, depth, _ = drawn(model, seed)
        partition = PARTITIONS[seed % 2 if seed % 5 else 2]
        count += agrees(partial(difference_of_orbits, program, model, depth, LIMIT, 1 + seed % 2, partition))
    assert count >= len(seeds) // 4


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "rc11", "arm8", *list(ADVERSARIES)[1::4]])
def test_threads_that_another_one_starts(name: str, seeds: range) -> None:
    """As if they were told apart, and as if each execution was visited."""
    model, count = models_of(name), 0
    for seed in seeds:
        program, depth, rng = drawn(model, seed)
        partition = PARTITIONS[seed % 2 if seed % 5 else 2]
        bound = depth if seed % 4 else 2 + seed % 3
        count += agrees(partial(difference_of_started, program, rng, model, bound, LIMIT, 1 + seed % 2, partition))
    assert count >= len(seeds) // 4


@pytest.mark.parametrize("seeds", ROUNDS)
def test_started_threads_under_random_models(seeds: range) -> None:
    for seed in seeds:
        for draw in (random_model, random_hardware_model, random_language_model):
            model = draw(Random(f"started {seed}"))
            program, depth, rng = drawn(model, seed)
            agrees(partial(difference_of_started, program, rng, model, depth))


def ring(count: int) -> xgen.Program:
    """Each thread writes a variable, and reads that of the next one."""
    variables = " ".join(f"var x{n} : int" for n in range(count))
    processes = (
        f"process p{n} {{ var a : int init loc A final loc E A -> E {{ 1 -> x{n}; a <- x{(n + 1) % count} }} }}"
        for n in range(count)
    )
    return xgen.parse(f"{variables} {' '.join(processes)}", "xcfa")


@pytest.mark.parametrize(("count", "necklaces", "graphs"), [(4, 6, 17), (6, 14, 47), (8, 36, 133)])
def test_rings(count: int, necklaces: int, graphs: int) -> None:
    """2^n classes, but for rotations: as many as necklaces of two colours."""
    found = seen(ring(count), "weak")
    assert (found.classes, found.executions, found.orbits, found.explored) == (2**count, 2**count, necklaces, graphs)
    each = xgen.check(ring(count), xgen.model("weak"), all_states=True, trace_limit=0)
    assert list(seen(ring(count), "weak", all_states=True).outcomes) == list(each.outcomes)


def test_locks_around_data_of_their_own() -> None:
    """n! classes of reads-from, all the same but for names; each thread writes a variable of its own."""
    for count, classes in ((3, 6), (4, 24)):
        found = seen(lock(count, "1 -> d#"), all_states=True)
        assert (found.classes, found.orbits) == (classes * 2**0 * found.classes // classes, found.orbits)
        apart = seen(lock(count, "1 -> d#"), symmetry=False, all_states=True)
        assert (found.classes, found.executions, found.blocked) == (apart.classes, apart.executions, apart.blocked)
        assert found.orbits < apart.orbits
        assert list(found.outcomes) == list(apart.outcomes)


def test_which_renamings_there_are() -> None:
    def group(program: xgen.Program) -> int:
        return len(symmetries(lower(program)).renamings)

    assert group(ring(5)) == 5
    assert group(threads("1 -> x; a <- y", "1 -> y; a <- x", variables="xy")) == 2
    assert group(threads("1 -> x; a <- y", "1 -> y; a <- y", variables="xy")) == 1
    assert group(threads("1 -> x; a <- y", "2 -> y; a <- x", variables="xy")) == 1
    assert group(threads("1 -> x", "1 -> y", "a <- x", variables="xy")) == 1
    assert group(threads("1 -> x", "1 -> y", "a <- x; a <- y", variables="xy")) == 1
    assert group(threads("1 -> x", "1 -> y", "a <- x", "a <- y", variables="xy")) == 2
    assert group(threads(*["1 -> x"] * 9)) == MOST
    initial = "var x : int var y : int (1) " + " ".join(
        f"process p{v} {{ init loc A final loc E A -> E {{ 2 -> {v} }} }}" for v in "xy"
    )
    assert group(xgen.parse(initial, "xcfa")) == 1
    assert group(xgen.parse(initial.replace("(1)", ""), "xcfa")) == 2
    assert (
        group(
            xgen.parse(initial.replace("(1)", "").replace("2 -> y", "true -> y").replace("y : int", "y : bool"), "xcfa")
        )
        == 1
    )


BOSS = "main process m { var v : int init loc A final loc E A -> E { # } } "
READER = "process r$ { var a : int init loc A final loc E A -> E { a <- fetch_add(x, 1) } } "


def started(steps: str, model: str = "sc", depth: int | None = None) -> list[list[int]]:
    text = "var x : int " + BOSS.replace("#", steps) + "".join(READER.replace("$", str(n)) for n in range(3))
    return symmetries_of(problem(xgen.parse(text, "xcfa"), xgen.model(model), classes=True), depth).groups


@pytest.mark.parametrize(
    ("steps", "groups"),
    [
        ("start r0; start r1; start r2", [[1, 2, 3]]),
        ("start r2; start r0; start r1; join r1; join r2; join r0; v <- x", [[1, 2, 3]]),
        ("start r0; v := 1; start r1; start r2", [[1, 2, 3]]),
        ("start r0; v <- x; start r1; start r2", [[2, 3]]),
        ("start r0; v := v + 1; start r1; start r2", [[2, 3]]),
        ("start r0; assume v = 0; start r1; start r2", [[2, 3]]),
        ("start r0; start r1; start r2; join r0; v <- x; join r1; join r2", [[2, 3]]),
        ("start r0; start r1; start r2; join r1", [[1, 3]]),
        ("start r0; join r0; start r1; join r1; start r2; join r2", []),
        ("start r0; start r1; start r1; start r2", []),
        ("start r0; start r1", [[1, 2]]),
        ("atomic-begin start r0; start r1; start r2 atomic-end", []),
    ],
)
def test_which_started_threads_are_alike(steps: str, groups: list[list[int]]) -> None:
    assert started(steps) == groups


def test_a_bound_between_two_starts() -> None:
    """Then one of them runs, and the other does not."""
    steps = "v <- x; start r0; start r1; start r2"
    assert [started(steps, depth=depth) for depth in (3, 4, None)] == [[], [[1, 2, 3]], [[1, 2, 3]]]


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "ra", "rc11", "rc11-c20", "arm8", "weak", "weak-a9", "coherence"])
def test_models_to_which_one_start_is_as_good_as_two(name: str) -> None:
    model = of_whole_accesses(xgen.model(name))
    assert leaves_out_twins(model, {"start"})
    assert leaves_out_twins(model, {"join"})
    assert started("start r0; start r1; start r2; join r0; join r1; join r2", name) == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("o = po | rf o acyclic", True),
        ("o = po | rf o empty", False),
        ("o = (po ; po) | rf o acyclic", False),
        ("o = po(A -> F) | po(F -> A) | rf o acyclic", True),
        ("o = ([R | W] ; po ; [F] ; po ; [R]) | rf o acyclic", True),
        ("o = ([R] ; po ; [F] ; po ; [F] ; po ; [R]) | rf o acyclic", False),
        ("o = (po ; [F[lock]] ; po ; [F[lock]] ; po(A -> R)) & ext | rf o acyclic", False),
        ("o = po(F[start] -> F[start]) o empty", False),
        ("o = po(F[start] -> A) & ext o empty", False),
        ("o = rf ; (po \\ loc) ; (po | rf)^+ ; (po \\ loc) o irreflexive", False),
        ("o = po | rf | rf ; (po \\ loc) ; (po | rf)^+ ; (po \\ loc) o acyclic", True),
        ("o = (po | rf)^+ & loc o irreflexive", True),
        ("o = (po ; po) & loc o irreflexive", True),
        ("o = (po ; po ; po) & loc o irreflexive", False),
        ("o = [domain(po ; [F])] ; po ; [R] o empty", False),
        ("o = po \\ (po ; po ; po) p = o & rf p empty", False),
        ("o = po^-1 ; po p = o & rf p empty", False),
        ("o = for_each_node F begin po(F[node] -> A) end o acyclic", False),
        ("o = rf \\ po o empty", True),
    ],
)
def test_forms_of_models(text: str, good: bool) -> None:
    model = normalised(xgen.parse_model(text))
    assert leaves_out_twins(model, {"start"}) == good


def test_starts_that_are_counted_are_told_apart() -> None:
    """Who is started after another one may read nothing: under this model they are not alike."""
    model = xgen.parse_model(
        "o = po | rf | mo | fr p = [F[start]] ; po ; [F[start]] ; po ; [R] ; rf^-1 ; [W \\ I] o acyclic p empty"
    )
    assert not leaves_out_twins(normalised(model), {"start"})
    text = (
        "var x : int "
        + BOSS.replace("#", "start r0; start r1; 1 -> x")
        + "".join(f"process r{n} {{ var a : int init loc A final loc E A -> E {{ a <- x }} }} " for n in range(2))
    )
    program = xgen.parse(text, "xcfa")
    results = [xgen.check(program, model, all_states=True, classes=c) for c in ("off", "rf")]  # type: ignore[arg-type]
    assert [r.executions for r in results] == [results[0].executions] * 2
    assert list(results[0].outcomes) == list(results[1].outcomes)


C = """
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
void *add(void *unused) { atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(x == 4);
}
"""


@pytest.mark.parametrize("model", ["sc", "rc11", "arm8"])
def test_threads_of_c_programs(tmp_path: Path, model: str) -> None:
    file = tmp_path / "add.c"
    file.write_text(C)
    program, memory = xgen.load(file), xgen.model(model)
    for classes in PARTITIONS:
        like, apart = (xgen.check(program, memory, classes=classes, symmetry=s) for s in (True, False))
        assert (like.verdict, like.classes, like.orbits) == ("safe", 24, 1)
        assert (apart.verdict, apart.classes, apart.orbits) == ("safe", 24, 24)
        assert like.explored < apart.explored
    wrong = file.with_name("wrong.c")
    wrong.write_text(C.replace("x == 4", "x == 3"))
    assert xgen.check(xgen.load(wrong), memory, classes="rf").verdict == "violation"


@pytest.mark.parametrize(
    ("last", "orbits"),
    [("", 1), ("assert(slot[0] + slot[1] + slot[2] + slot[3] == 4);", 24), ("assert(slot[2] == 1);", 4)],
)
def test_arrays_indexed_by_the_number_that_a_thread_is_given(tmp_path: Path, last: str, orbits: int) -> None:
    """Each has an element of its own; they are told apart if another one looks at elements one after the other."""
    file = tmp_path / "slots.c"
    text = C.replace("atomic_int x;", "atomic_int x; int slot[4];").replace("add, 0)", "add, (void *)(long)i)")
    text = text.replace("*unused) {", "*number) { slot[(long)number] = 1;").replace("assert(x == 4);", last)
    file.write_text(text)
    program, memory = xgen.load(file), xgen.model("rc11")
    like, apart, each = (
        xgen.check(program, memory, all_states=True, classes=classes, symmetry=s, trace_limit=0)  # type: ignore[arg-type]
        for classes, s in (("rf", True), ("rf", False), ("off", True))
    )
    assert (like.verdict, like.classes, like.orbits) == (each.verdict, apart.classes, orbits)
    assert like.executions == apart.executions == each.executions
    assert list(like.outcomes) == list(each.outcomes)
