"""The engine against the oracle: the same executions, on random programs, under every shipped model and random ones.

Under models that allow load buffering, these are the executions in which no read depends on itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import models
from oracle.against import difference, expected_executions, features_for, shipped_models
from oracle.buffers import machines
from oracle.compare import differences, key_of_execution
from oracle.enumerate import Execution, TooManyError, executions
from oracle.expressions import Binary, Const, Local
from oracle.models import random_hardware_model, random_language_model, random_model
from oracle.programs import Block, Fence, If, Load, Program, Rmw, Store, Thread, Variable
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, DEPENDENT, LOOPS, Barrier, Features, programs, random_program, random_shape

import xgen
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import load_buffering
from xgen.program.printer import print_program

FAST, SLOW, LONG = 4, 25, 2000
"""Programs per test in every run, in a slow one, and in a long one."""
LIMIT = 1000
"""Programs with more candidate executions are left out, most of which are found to be none."""
PREDICTING = replace(DEPENDENT, predictions=35, branches=5, choices=3, events=(2, 5), threads=(2, 2, 2, 3))
"""Much is predicted."""
SMALL = replace(DEFAULT, events=(1, 3))
"""What is run often enough to be short."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, SLOW), id="slow", marks=pytest.mark.slow),
    pytest.param(range(SLOW, LONG), id="long", marks=pytest.mark.long),
]


@dataclass
class Tally:
    """The programs of a test: those that were compared, and those that were passed over."""

    compared: int = 0
    passed_over: int = 0

    def count(self, compared: bool) -> bool:
        self.compared += compared
        self.passed_over += not compared
        return compared


TALLY = Tally()


@pytest.fixture(autouse=True)
def enough_is_compared() -> Iterator[None]:
    """Of the programs of a test, most are compared: what is passed over tests nothing."""
    TALLY.compared = TALLY.passed_over = 0
    yield
    few = TALLY.compared + TALLY.passed_over < 25  # of which more can be passed over by chance
    assert TALLY.compared >= (1 if few else 2) * TALLY.passed_over, TALLY


def check(program: Program, model: Model, max_depth: int | None = None) -> None:
    """The engine and the oracle agree on a program, unless it has very many executions."""
    try:
        found = difference(program, model, max_depth, LIMIT)
    except TooManyError:
        TALLY.count(False)
        return
    TALLY.count(True)
    assert found is None, found


def found_by_xgen(program: Program, model: Model, max_depth: int | None = None) -> list[Execution]:
    """The executions that xgen finds."""
    parsed = xgen.parse(str(program), "xcfa")
    return [key_of_execution(execution) for execution in xgen.executions(parsed, model, max_depth=max_depth)]


def few_executions(program: Program) -> bool:
    """Whether a program has few enough candidate executions for a test that takes all of them."""
    try:
        return TALLY.count(len(list(executions(program, models.any_execution(), limit=LIMIT // 3))) >= 0)
    except TooManyError:
        return TALLY.count(False)


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models(name: str, seeds: range) -> None:
    model = xgen.model(name)
    for seed in seeds:
        check(random_program(Random(f"{name} {seed}"), features_for(model, DEFAULT)), model)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_random_models(seeds: range) -> None:
    """Models that nobody would write: what cannot be checked on the way has to be noticed, and checked at the end."""
    for seed in range(seeds.start * 4, seeds.stop * 4):
        rng = Random(seed)
        model = random_model(rng)
        check(random_program(rng, features_for(model, DEFAULT)), model)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "any"])
def test_bounded(name: str, seeds: range) -> None:
    """With loops, and a bound on the number of events of each thread."""
    model = xgen.model(name)
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        check(random_program(rng, features_for(model, LOOPS)), model, max_depth=rng.randint(1, 4))


@pytest.mark.parametrize("seeds", ROUNDS)
def test_orders_are_tags(seeds: range) -> None:
    """Orderings of loads and stores reach the model as tags."""
    features = Features(orders=(None, "rel", "acq"), branches=3, havocs=0)
    ordered = models.sequence(models.PO, models.on(models.tagged("rel")))
    after = models.sequence(models.on(models.tagged("acq")), models.PO)
    model = models.model("ordered", models.COHERENT, models.acyclic(ordered, after, models.RF, models.MO, models.FR))
    for seed in seeds:
        check(random_program(Random(seed), features_for(model, features)), model)


# --- Dependencies and updates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("model", [models.arm(), models.no_thin_air(), models.coherence()], ids=lambda m: m.name)
def test_load_buffering(model: Model, seeds: range) -> None:
    for seed in seeds:
        check(random_program(Random(f"{model.name} {seed}"), DEPENDENT), model)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_models_in_the_manner_of_processors(seeds: range) -> None:
    for seed in range(seeds.start * 4, seeds.stop * 4):
        rng = Random(seed)
        check(random_program(rng, DEPENDENT), random_hardware_model(rng))


@pytest.mark.parametrize("seeds", ROUNDS)
def test_models_in_the_manner_of_languages(seeds: range) -> None:
    for seed in range(seeds.start * 4, seeds.stop * 4):
        rng = Random(seed)
        model = random_language_model(rng)
        features = features_for(model, rng.choice((DEFAULT, replace(DEFAULT, rmws=35, orders=DEPENDENT.orders))))
        check(random_program(rng, features), model)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_predictions(seeds: range) -> None:
    """What is predicted, picked by or ends to decide is used before it is known, and turns out right."""
    for seed in range(seeds.start * 4, seeds.stop * 4):
        rng = Random(seed)
        model = random_hardware_model(rng, picks=True)
        features = replace(PREDICTING, rmws=rng.choice((0, 0, 25)), arrays=rng.choice((0, 0, 25)))
        check(random_program(rng, features), model)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["arm8", "sc", "coherence", "lkmm", "rc11"])
def test_predictions_under_shipped_models(name: str, seeds: range) -> None:
    model = xgen.model(name)
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        check(
            random_program(rng, features_for(model, replace(PREDICTING, rmws=15, loops=5))),
            model,
            max_depth=rng.choice((2, 3)),
        )


@pytest.mark.parametrize("seeds", ROUNDS)
def test_load_buffering_in_loops(seeds: range) -> None:
    features = replace(DEPENDENT, threads=LOOPS.threads, loops=LOOPS.loops)
    for seed in seeds:
        rng = Random(seed)
        check(random_program(rng, features), random_hardware_model(rng), max_depth=rng.randint(1, 4))


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", shipped_models())
def test_updates(name: str, seeds: range) -> None:
    model = xgen.model(name)
    features = features_for(model, replace(DEFAULT, rmws=35, orders=DEPENDENT.orders))
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        check(random_program(rng, features), model, max_depth=rng.choice((None, None, 1, 2, 3)))


@pytest.mark.parametrize("seeds", ROUNDS)
def test_updates_under_random_models(seeds: range) -> None:
    for seed in range(seeds.start * 2, seeds.stop * 2):
        rng = Random(seed)
        for model in (random_model(rng), random_hardware_model(rng)):
            check(random_program(rng, replace(DEPENDENT, rmws=35)), model)


RINGS = ("coherence", "power", "lkmm", "arm8", "riscv")
A, B = Local("a"), Local("b")


@pytest.mark.sweep
@pytest.mark.parametrize("name", RINGS)
@pytest.mark.parametrize(
    "update",
    [
        Rmw("a", "cas", "x", (Const(2), Const(1))),
        Rmw("a", "exchange", "x", (Const(1),)),
        Rmw("a", "fetch_add", "x", (Const(1),)),
    ],
    ids=lambda update: update.op,
)
def test_an_update_that_reads_what_depends_on_it(name: str, update: Rmw) -> None:
    """An update that another load follows, from which the other thread computes what the update reads."""
    one, two = Binary("+", Binary("*", Const(0), B), Const(1)), Binary("+", A, Const(1))
    stores = [Store("y", B), Store("y", one), If(Binary("=", B, Const(1)), (Store("y", Const(2)),), ())]
    backs = [Store("x", two), Store("x", A), Rmw("b", "cas", "x", (Const(0), two)), Rmw("b", "exchange", "x", (two,))]
    for store, back in product(stores, backs):
        bodies = ((update, Load("b", "x"), store), (Load("a", "y"), back))
        threads = tuple(Thread(f"P{n}", (Variable("a"), Variable("b")), body) for n, body in enumerate(bodies))
        check(Program((Variable("x"), Variable("y")), threads), xgen.model(name))


@pytest.mark.parametrize("seeds", ROUNDS)
def test_updates_in_rings(seeds: range) -> None:
    """What an update reads may depend on what it writes, where that is the same whatever it reads."""
    for seed in range(seeds.start * 3, seeds.stop * 3):
        rng = Random(seed)
        model = rng.choice([*map(xgen.model, RINGS), models.no_thin_air(), models.arm(), random_hardware_model(rng)])
        check(random_program(rng, features_for(model, FEATURES["rings"])), model)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("features", ["arrays", "dependent-arrays", "exclusives", "dependent-exclusives"])
def test_arrays_and_exclusives(features: str, seeds: range) -> None:
    """Computed indices, pointers and pairs of exclusives, with load buffering and without."""
    for seed in seeds:
        rng = Random(seed)
        buffered = [models.arm(), models.no_thin_air(), models.coherence(), random_hardware_model(rng)]
        others = [models.sc(), models.tso(), models.atomic_pairs(), *map(xgen.model, ("ra", "weak"))]
        model = rng.choice(buffered if "dependent" in features else others)
        program = random_program(rng, features_for(model, FEATURES[features]))
        check(program, model, max_depth=rng.choice((None, None, 1, 2, 3)))


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("features", ["atomic", "atomic-loops", "dependent-atomic", "mutexes", "dependent-mutexes"])
def test_atomic_blocks_and_mutexes(features: str, seeds: range) -> None:
    shipped = [xgen.model(name) for name in ("sc", "tso", "ra", "weak", "coherence", "any")]
    for seed in seeds:
        rng = Random(f"{features} {seed}")
        model = rng.choice([*shipped, models.arm(), random_hardware_model(rng)])
        program = random_program(rng, features_for(model, FEATURES[features]))
        check(program, model, max_depth=rng.randint(1, 4) if "loops" in features else rng.choice((None, None, 2, 3)))


@pytest.mark.parametrize("seeds", ROUNDS)
def test_waiting_rounds_decide_no_violation(seeds: range) -> None:
    """Whether rounds of loops that only wait are blocked or unrolled: the same outcomes, and violations or none."""
    features = replace(LOOPS, rmws=10, exclusives=15, atomics=10, loops=40, asserts=25, events=(2, 6))
    for seed in range(seeds.start * 4, seeds.stop * 4):
        rng = Random(seed)
        model = xgen.model(rng.choice(("sc", "tso", "ra", "weak")))
        program = xgen.parse(str(random_program(rng, features)), "xcfa")
        blocked, unrolled = (
            xgen.check(program, model, max_depth=5, unroll=unroll, all_states=True, timeout=20)
            for unroll in (False, True)
        )
        if not TALLY.count("interrupted" not in (blocked.verdict, unrolled.verdict)):
            continue
        assert (blocked.violations > 0) == (unrolled.violations > 0), program
        assert {str(outcome.state) for outcome in blocked.outcomes} == {
            str(outcome.state) for outcome in unrolled.outcomes
        }


def dependent(*bodies: Block) -> Program:
    """Threads with two locals that share x, which is 1 first, and y."""
    threads = (Thread(f"P{n}", (Variable("a"), Variable("b")), body) for n, body in enumerate(bodies))
    return Program((Variable("x", initial=1), Variable("y")), tuple(threads), joined=True)


EARLY: dict[str, tuple[Block, ...]] = {
    "load and store before a load that stays": (
        (Store("x", Const(2)), Load("a", "x")),
        (Load("a", "x"), Store("x", Const(3)), Load("a", "x"), Store("x", Local("a"))),
    ),
}
"""Programs in which a store is early, and what is before it in program order has to be added again behind it."""


@pytest.mark.parametrize("name", EARLY)
@pytest.mark.parametrize("model", [models.any_execution(), models.coherence(), models.arm()], ids=lambda m: m.name)
def test_early_stores(model: Model, name: str) -> None:
    check(dependent(*EARLY[name]), model)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("model", [models.arm(), models.coherence()], ids=lambda m: m.name)
def test_updates_with_load_buffering(model: Model, seeds: range) -> None:
    for seed in seeds:
        rng = Random(f"{model.name} {seed}")
        check(random_program(rng, replace(DEPENDENT, rmws=35)), model, max_depth=rng.choice((None, None, 2, 3)))


@pytest.mark.long
@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_all_programs_of_two_threads_and_one_variable(size: int) -> None:
    """Under coherence with dependencies only: loads, stores of constants, and stores of what was loaded last."""
    for length in range(1, size):
        for bodies in product(product("RWD", repeat=length), product("RWD", repeat=size - length)):
            if "D" in bodies[0] + bodies[1]:
                found = difference(accesses(*bodies), models.coherence(), limit=None)
                assert found is None, found


def accesses(*bodies: tuple[str, ...]) -> Program:
    """Threads that load (R), store a number of their own (W), or store what they have loaded (D)."""
    kinds: dict[str, Load | Store] = {"R": Load("a", "x"), "D": Store("x", Local("a"))}
    threads = []
    for number, body in enumerate(bodies):
        block = tuple(kinds.get(kind) or Store("x", Const(10 * number + i)) for i, kind in enumerate(body, 1))
        threads.append(Thread(f"P{number}", (Variable("a"),), block))
    return Program((Variable("x"),), tuple(threads), joined=True)


@pytest.mark.parametrize("seeds", ROUNDS)
def test_models_that_are_said_to_forbid_load_buffering_do(seeds: range) -> None:
    """Where program order is the base order, the executions that are never built are none that the model allows."""
    shipped = [xgen.model(name) for name in shipped_models()]
    for seed in range(seeds.start * 8, seeds.stop * 8):
        rng = Random(seed)
        model = rng.choice([random_model(rng), random_hardware_model(rng), *shipped])
        program = random_program(rng, replace(SMALL, rmws=10, branches=5))
        if not load_buffering(model)[0] and few_executions(program):
            less, more = (set(executions(program, model, load_buffering=choice)) for choice in (False, True))
            assert more <= less, (program, model.constraints)


@given(programs(replace(SMALL, faults=0, rmws=10)), st.sampled_from(shipped_models()))
def test_drawn_programs(program: Program, name: str) -> None:
    """Programs drawn by hypothesis, which makes one that shows a difference small."""
    check(program, xgen.model(name))


# --- Shipped models against independent definitions ----------------------------------------------------------------


def counts_for_tso(fence: Fence) -> bool:
    """x86-TSO gives a meaning to mfence alone."""
    return fence.tag == "mfence"


@pytest.mark.parametrize("seeds", ROUNDS)
def test_sc_and_tso_are_the_machines(seeds: range) -> None:
    """What the engine finds under sc and tso is what a machine with one memory, and one with write buffers, does."""
    sc, tso = xgen.model("sc"), xgen.model("tso")
    for seed in seeds:
        program = random_program(Random(seed), replace(SMALL, rmws=20))
        if few_executions(program):
            assert differences(machines.sc_executions(program), found_by_xgen(program, sc)) is None, program
            buffered = machines.tso_executions(program, counts_for_tso)
            assert differences(buffered, found_by_xgen(program, tso)) is None, program


UPDATES: tuple[Barrier, ...] = ("fence", "cas", "failing cas", "exchange")


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(FAST), id="fast"),
        pytest.param(range(FAST, SLOW), id="slow", marks=pytest.mark.slow),
        pytest.param(range(SLOW, 4 * LONG), id="long", marks=pytest.mark.long),
    ],
)
def test_updates_of_tso_and_pso_are_those_of_the_machines(seeds: range) -> None:
    """What a machine with write buffers does where updates, failing ones too, and fences stand between accesses."""
    tso, pso = xgen.model("tso"), xgen.model("pso")
    for seed in seeds:
        rng = Random(seed)
        program = random_shape(rng, UPDATES, replace(DEFAULT, fence_tags=("mfence",)))
        buffered = machines.tso_executions(program, counts_for_tso)
        assert differences(buffered, found_by_xgen(program, tso)) is None, program
        program = random_shape(rng, UPDATES, replace(DEFAULT, fence_tags=("stbar", "stbar", None)))
        unordered = machines.pso_executions(program)
        assert differences(unordered, found_by_xgen(program, pso)) is None, program


C11 = (None, "relaxed", "acquire", "release", "acq_rel", "seq_cst")


@pytest.mark.parametrize("seeds", ROUNDS)
def test_rc11_is_as_published(seeds: range) -> None:
    """The shipped model and the definitions of the paper, with mutexes that synchronise and are no fences."""
    model, shipped = models.repaired_c11(), xgen.model("rc11")
    for seed in range(seeds.start * 4, seeds.stop * 4):
        features = replace(DEFAULT, fence_tags=C11, orders=(*C11, "relaxed", "relaxed"))
        program = random_shape(Random(seed), ("fence", "failing cas", "exchange", "mutex", "mutex"), features)
        if few_executions(program):
            expected = expected_executions(program, model, limit=None)
            assert differences(expected, found_by_xgen(program, shipped)) is None, program


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("model", [models.release_acquire(), models.coherence(), models.any_execution()])
def test_models_from_their_definitions(model: Model, seeds: range) -> None:
    """The shipped models of these names allow what their definitions allow."""
    shipped = xgen.model(model.name)
    for seed in seeds:
        program = random_program(Random(seed), features_for(model, SMALL))
        if few_executions(program):
            expected = expected_executions(program, model, limit=None)
            assert differences(expected, found_by_xgen(program, shipped)) is None, program


# --- Invariance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "ra", "weak"])
def test_counts_do_not_depend_on_the_order_of_the_threads(name: str, seeds: range) -> None:
    model = xgen.model(name)
    for seed in seeds:
        program = random_program(Random(seed), replace(SMALL, threads=(2, 3)))
        if few_executions(program):
            orders = permutations(program.threads)
            assert len({counts(replace(program, threads=order), model) for order in orders}) == 1, program


def counts(program: Program, model: Model) -> tuple[int, ...]:
    """The counts of a check."""
    result = xgen.check(xgen.parse(str(program), "xcfa"), model, all_states=True)
    return result.executions, result.blocked, result.bounded, result.violations


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", shipped_models())
def test_filtering_at_the_end_finds_the_same(name: str, seeds: range) -> None:
    model = xgen.model(name)
    for seed in seeds:
        program = random_program(Random(seed), features_for(model, SMALL))
        if few_executions(program):
            found = difference(program, model, filter="final")
            assert found is None, found


@pytest.mark.parametrize("seeds", ROUNDS)
def test_a_program_and_its_printed_form_have_the_same_executions(seeds: range) -> None:
    model = xgen.model("tso")
    for seed in seeds:
        program = random_program(Random(seed), SMALL)
        if few_executions(program):
            parsed = xgen.parse(str(program), "xcfa")
            printed = xgen.parse(print_program(parsed), "xcfa")
            found = [Counter(map(key_of_execution, xgen.executions(p, model))) for p in (parsed, printed)]
            assert found[0] == found[1], program
