"""Slices: what is found does not depend on how an exploration is cut, or on the order in which parts are explored."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
from collections.abc import Sequence
from functools import partial, reduce
from itertools import product
from operator import or_

import pytest
from oracle.against import features_for
from oracle.strategies import DEFAULT, LOOPS, random_program

import xgen
from engine.shapes import BRANCHING, SHAPES, WAITING, coherence, late_writer, program, store_buffers, writers
from xgen import _core
from xgen.engine.distributed.slices import Slice, Slicer
from xgen.engine.distributed.totals import facts_of, nothing, restored
from xgen.engine.graphs.intervals import EXPLORATION, WHOLE, Interval, after
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem, problem
from xgen.resources import shipped

LOOPING = xgen.parse("""
var x : int
var y : int
process p { var r : int  init loc A  loc B  final loc E
  A -> B { 1 -> x; r <- y }  B -> A { assume r = 0 }  B -> E { assume r > 0; assert r = 1 } }
process q { var r : int  init loc A  loc B  final loc E
  A -> B { r <- fetch_add(x, 1) }  B -> A { assume r < 2 }  B -> E { assume r >= 2; 1 -> y } }
""")
PROGRAMS = {
    **{name: SHAPES[name] for name in ("SB", "MP+fences", "LB", "2+2W", "WRC", "IRIW")},
    "branches": BRANCHING,
    "waiting": WAITING,
    "writers": writers(3, 2),
    "coherence": coherence(4),
    "late writer": late_writer(5),
    "a chain of revisits": program(
        "a <- x; b <- y", "; ".join(f"{n} -> x" for n in range(1, 9)) + "; 1 -> y", variables="x y"
    ),
    "store buffers": store_buffers(4),
    "updates": program(*["a <- fetch_add(x, 1); fetch_add(y, 1)"] * 2, variables="x y"),
    "rotation": program(*[f"a <- cas(x, {i}, {i + 1})" for i in range(4)], variables="x"),
    "wide": program("; ".join(f"{n} -> y" for n in range(70)), "1 -> x; a <- z", "1 -> z; a <- x"),
    "peterson": xgen.load(shipped("programs") / "peterson_2rounds.xcfa"),
}
SUMMED = [name for name in _core.COUNTERS if name not in ("held", "duplicates_checked")]
MODELS = ("sc", "tso", "arm8", "rc11", "weak", "coherence")


First = tuple[tuple[int, ...], object]
"""Where a part starts, and a witness that was found in it."""


def key(whole: Problem, found: Sequence[Slice]) -> dict[str, object]:
    """What the slices have found together."""
    outcomes = _core.Outcomes(len(whole.final_values))
    each = [one.found for one in found]
    for one in each:
        outcomes.merge(one.outcomes.packed)
    together = {
        "held": max(one.counters["held"] for one in each),
        "counters": {name: sum(one.counters[name] for one in each) for name in SUMMED},
        "flags": [sum(numbers) for numbers in zip(*(one.flags for one in each), strict=True)],
        "outcomes": outcomes.rows(0, len(outcomes)),
        "cuts": {pc for one in each for pc in one.cuts},
        "waits": {pc for one in each for pc in one.waits},
        "reached": reduce(or_, (one.reached for one in each)),
        "counted": all(one.counted for one in each),
    }
    merged = nothing(whole)
    for one in each:
        merged.merge(pickle.loads(pickle.dumps(one)))
    assert fields(restored(whole, json.loads(json.dumps(facts_of(merged)))), merged.outcomes) == together
    return together


def fields(found: _core.Findings, outcomes: _core.Outcomes) -> dict[str, object]:
    """What was found, field by field, with these outcomes."""
    return {
        "held": found.counters["held"],
        "counters": {name: found.counters[name] for name in SUMMED},
        "flags": found.flags,
        "outcomes": outcomes.rows(0, len(outcomes)),
        "cuts": found.cuts,
        "waits": found.waits,
        "reached": found.reached,
        "counted": found.counted,
    }


def undivided(asked: Problem, options: Options) -> tuple[dict[str, object], Run]:
    run = Run(asked, options, WHOLE)
    run.finish()
    return fields(run.core.findings, run.core.findings.outcomes), run


def sliced(asked: Problem, options: Options, dice: random.Random, size: int) -> tuple[list[Slice], First]:
    """Explores in slices of random sizes, of parts that are divided at random and explored in a random order.

    Some are tried for nothing first. What they have found, and the witness of the part that starts first.
    """
    slicer = Slicer(asked, options)
    explore = partial(slicer.explore, seconds=60.0, stop=lambda: True)
    parts, found = [WHOLE], list[Slice]()
    first: First = ((), None)
    graphs = 1 + size // dice.choice([3, 10, 40])
    while parts:
        part = parts.pop(dice.randrange(len(parts)))
        halves = part.divided() if dice.random() < 0.3 else None
        if halves:
            parts += halves
            continue
        if dice.random() < 0.1:
            explore(part, graphs=dice.randint(1, 2 * graphs))
        one = explore(part, graphs=dice.randint(1, 2 * graphs), outcomes=dice.choice([3, 100, 10**6]))
        found.append(one)
        if one.witness is not None and (first[1] is None or part.start < first[0]):
            first = part.start, one.witness
        if one.left is not None:
            assert one.left.start >= part.start
            assert one.left != part
            parts.append(one.left)
    return found, first


def compare(shape: xgen.Program, model: xgen.Model, dice: random.Random, times: int, **options: object) -> None:
    classes = bool(options.pop("classes", False))
    asked = problem(shape, model, classes=classes)
    chosen = Options(all_states=True, **options)  # type: ignore[arg-type]
    whole, run = undivided(asked, chosen)
    most = whole.pop("held")
    witness = run.witness()
    for _ in range(times):
        found, (_, first) = sliced(asked, chosen, dice, run.core.counters["explored"])
        together = key(asked, found)
        # A part begins where other options are left out: it gives graphs up earlier.
        assert together.pop("held") <= most
        assert together == whole
        assert (first is None) == (witness is None)
        if witness is not None and first is not None:
            assert isinstance(first, xgen.Execution)
            assert (first.events, first.rf, first.mo) == (witness.events, witness.rf, witness.mo)


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_any_slicing_finds_the_same(name: str, model: str) -> None:
    compare(PROGRAMS[name], xgen.model(model), random.Random(f"{name} {model}"), 3)


@pytest.mark.parametrize("model", ["sc", "tso", "arm8", "weak"])
@pytest.mark.parametrize("options", [{"max_depth": 6}, {"max_depth": 9}, {"max_depth": 7, "unroll": True}], ids=str)
def test_bounds(model: str, options: dict[str, object]) -> None:
    compare(LOOPING, xgen.model(model), random.Random(f"{model} {options}"), 3, **options)


@pytest.mark.parametrize("model", ["sc", "tso", "arm8"])
def test_liveness_and_the_filter_at_the_end(model: str) -> None:
    compare(WAITING, xgen.model(model), random.Random(model), 3, liveness=True)
    compare(SHAPES["SB"], xgen.model(model), random.Random(model), 3, filter="final")


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "tso", "arm8", "rc11"])
@pytest.mark.parametrize("name", ["SB", "2+2W", "IRIW", "branches", "writers", "coherence", "store buffers"])
def test_classes(name: str, model: str) -> None:
    for partition, symmetry in product(("rf", "values", "seen"), (False, True)):
        options = {"partition": partition, "symmetry": symmetry}
        compare(PROGRAMS[name], xgen.model(model), random.Random(name), 3, classes=True, **options)


def test_the_arithmetic_of_intervals() -> None:
    part = Interval((2, 0, 1), (0, 2, 3))
    assert part.start == (2, 0, 1)
    assert part.divided() == (Interval((2,), (0,)), Interval((2, 0, 1), (2, 3)))
    assert Interval((2,), (0,)).start == (3,)
    assert Interval((2,), (0,)).divided() is None
    assert after((4, 1)) == Interval((4, 1), (2,))
    assert (WHOLE.start, WHOLE.divided()) == ((), None)


@pytest.mark.parametrize("model", ["sc", "weak"])
def test_to_enter_what_is_left_changes_nothing(model: str) -> None:
    asked, dice = problem(BRANCHING, xgen.model(model)), random.Random(1)
    slicer = Slicer(asked, Options(all_states=True))
    part: Interval | None = WHOLE
    entered = 0
    while part is not None:
        run = Run(asked, Options(all_states=True), part)
        assert run.core.left == (list(part.path), list(part.rest))
        entered += 1
        part = slicer.explore(part, 60, graphs=dice.randint(1, 3), stop=lambda: True).left
    assert entered > 5


@pytest.mark.parametrize("model", ["sc", "weak"])
def test_the_first_slice_compares_as_many_executions(model: str) -> None:
    asked = problem(writers(3, 3), xgen.model(model))
    whole = Run(asked, Options(all_states=True), WHOLE)
    whole.finish()
    first = Slicer(asked, Options(all_states=True)).explore(WHOLE, 0, graphs=1)
    assert first.found.counters["duplicates_checked"] == whole.core.counters["duplicates_checked"] == 1024
    assert first.left is not None


@pytest.mark.parametrize("name", ["sc", "tso", "arm8", "weak"])
def test_random_programs(name: str) -> None:
    model = xgen.model(name)
    for seed in range(12):
        dice = random.Random(f"{name} {seed}")
        drawn = random_program(dice, features_for(model, LOOPS if seed % 3 == 0 else DEFAULT))
        compare(xgen.parse(str(drawn)), model, dice, 2, max_depth=3 if seed % 3 == 0 else None)


@pytest.mark.parametrize("program", ["branches", "updates"])
@pytest.mark.parametrize("model", ["sc", "weak"])
def test_paths_are_the_same_in_all_versions(program: str, model: str) -> None:
    """Where this changes, so must EXPLORATION: checkpoints of other versions lead elsewhere."""
    slicer = Slicer(problem(PROGRAMS[program], xgen.model(model)), Options(all_states=True))
    part: Interval | None = WHOLE
    met = hashlib.sha256()
    while part is not None:
        one = slicer.explore(part, 60, graphs=1, stop=lambda: True)
        met.update(repr((part.path, part.rest, one.found.counters["explored"], one.found.outcomes.packed)).encode())
        part = one.left
    assert (EXPLORATION, met.hexdigest()[:16]) == (2, PINNED[program, model])


PINNED = {
    ("branches", "sc"): "fdd06f4c266d9002",
    ("updates", "sc"): "797e343dcbc04a4e",
    ("branches", "weak"): "db4acc9a95d82fa4",
    ("updates", "weak"): "797e343dcbc04a4e",
}
