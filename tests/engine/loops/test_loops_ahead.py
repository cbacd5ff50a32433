"""Loops where threads run ahead of their reads: rounds that wait, or try again; bounds that cut, and no bound."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from oracle.generators.retrying import ORDERS, disagreement, retrying_program
from oracle.generators.rounds import random_rounds
from oracle.models import arm, no_thin_air

import xgen
from xgen import Program, Result
from xgen.errors import LimitError

BUFFERING = ("arm8", "power", "riscv", "arm", "coherence", "lkmm")
MODELS = {
    **{name: xgen.model(name) for name in ("arm8", "power", "riscv", "lkmm", "coherence", "sc", "weak")},
    "own": no_thin_air(),
    "arm": arm(),
}


def program(shared: str, *threads: str, more: str = "") -> Program:
    """Threads of edges from S to E over the locals a, b, c, r; shared variables are `name` or `name(initial)`."""
    lines = [
        f"var {name.split('(')[0]} : int{name[name.index('(') :] if '(' in name else ''}" for name in shared.split()
    ]
    for number, edges in enumerate(threads):
        names = sorted(
            {word for word in edges.replace("->", " ").split() if word.isupper() and word.isalpha()} - {"S", "E"}
        )
        locations = "".join(f" loc {name}" for name in names)
        lines.append(
            f"process p{number} {{ var a : int  var b : int  var c : int  var r : int"
            f"  init loc S{locations}  final loc E  {edges} }}"
        )
    return xgen.parse("\n".join([*lines, more]))


def explore(shape: Program, model: str, **options: object) -> Result:
    """All executions, without keeping any."""
    result = xgen.check(shape, xgen.model(model), all_states=True, trace_limit=0, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    return result


def states(result: Result, *names: str) -> set[tuple[object, ...]]:
    """What the variables may be in the end."""
    return {tuple(outcome.state[name] for name in names) for outcome in result.outcomes}


# --- Waiting ---------------------------------------------------------------------------------------------------------


ELSEWHERE = program(
    "x y z(1) go(1)",
    "S -> H { a <- x; b := a } H -> G { c <- go } G -> H { assume c = 1; a <- z } G -> E { assume c = 0; a -> y }",
    "S -> E { a <- y; a -> x; 0 -> go }",
)
"""What is stored to y comes from x, or in a second round from z: then it does not depend on x."""

TWO_ELSEWHERE = program(
    "x y z(1) go(1)",
    "S -> H { a <- x; b <- x; r := a } H -> G { c <- go } G -> H { assume c = 1; a <- z; b <- z }"
    " G -> E { assume c = 0; a * b -> y }",
    "S -> E { a <- y; a -> x; 0 -> go }",
)
"""Each round reads two locals anew that matter later."""

COUNTED = program(
    "x y z go(1)",
    "S -> H { a <- x; b := a } H -> G { c <- go; a := a + 1 } G -> H { assume c = 1 }"
    " G -> E { assume c = 0; 1 -> y; a -> z }",
    "S -> E { a <- y; a -> x; 0 -> go }",
)
"""Rounds are counted from a value that is not known while they run; the store to y does not depend on it."""


@pytest.mark.parametrize("model", BUFFERING)
def test_a_round_that_reads_the_same_value_elsewhere(model: str) -> None:
    """A round more, and the store to y depends on z and no longer on x, which may come from the store to y then."""
    for shape in (ELSEWHERE, TWO_ELSEWHERE):
        waiting, rounds = explore(shape, model), explore(shape, model, unroll=True, max_depth=10)
        assert waiting.exhaustive
        assert states(waiting, "p0:b", "p0:r", "p1:a", "y") == states(rounds, "p0:b", "p0:r", "p1:a", "y")
    assert (1, 1) in states(explore(ELSEWHERE, model), "p0:b", "p1:a")
    assert (1, 1) in states(explore(TWO_ELSEWHERE, model), "p0:r", "p1:a")


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_rounds_that_no_dependency_tells_apart(model: str) -> None:
    """Where no constraint uses dependencies, what is shown of them changes nothing."""
    shown = explore(ELSEWHERE, model, dependencies=True)
    assert shown.exhaustive
    assert shown.executions == explore(ELSEWHERE, model).executions


@pytest.mark.parametrize("model", BUFFERING)
@pytest.mark.parametrize("depth", [4, 5, 6, 7, 8])
def test_rounds_that_differ_in_what_is_not_known_yet(model: str, depth: int) -> None:
    """To wait for the value before the next round would lose what the value comes from."""
    waiting, rounds = (explore(COUNTED, model, max_depth=depth, unroll=unroll) for unroll in (False, True))
    names = ("p0:a", "p0:b", "p1:a", "y", "z")
    assert states(waiting, *names) == states(rounds, *names)
    if depth >= 6:
        assert (2 + 1, 1, 1, 1, 3) in states(waiting, *names)


# --- What the bound cuts ---------------------------------------------------------------------------------------------


LATE = program(
    "x y z v j",
    "S -> E { a <- y; r <- cas(x, 0, a); fence @ dmb.st\n 1 -> z; a -> v }",
    "S -> E { c <- z; c -> y }",
    "S -> G { b <- v } G -> E { assume b /= 1 }"
    " G -> E { assume b = 1; 1 -> j; 2 -> j; 3 -> j; 4 -> j; 5 -> j; 6 -> j; 5 -> x }",
)
"""p0 reads 1 from y only if its cas fails, and it fails only by what p2 writes last."""


@pytest.mark.parametrize(("depth", "cut", "executions"), [(6, True, 6), (7, True, 6), (8, False, 7), (9, False, 7)])
def test_an_execution_is_cut_that_shows_in_no_other(depth: int, cut: bool, executions: int) -> None:
    """With the last store beyond the bound, no whole execution is cut; but what is missing would have needed it."""
    result = explore(LATE, "arm8", max_depth=depth)
    assert (result.executions, result.bounded, result.exhaustive) == (executions, 0, not cut)
    assert result.verdict == ("safe-within-bound" if cut else "safe")
    where = [warning for warning in result.warnings if warning.startswith("the bound stopped p2 ")]
    assert bool(where) == cut


BEHIND = {
    "join": ("", "join p2;", ""),
    "start": ("; start p3", "", ""),
    "join of one that joins": ("", "join p4;", "process p4 { init loc S final loc E S -> E { join p2 } }"),
    "start by one that is started": ("; start p4", "", "process p4 { init loc S final loc E S -> E { start p3 } }"),
}


@pytest.mark.parametrize("classes", ["off", "rf", "seen"])
@pytest.mark.parametrize("name", BEHIND)
def test_what_others_do_behind_a_thread_that_is_cut_is_missing(name: str, classes: str) -> None:
    """The write that lets the cas fail is another thread's, which p2 starts, or which waits for its end."""
    end, first, more = BEHIND[name]
    stores = "1 -> j; 2 -> j; 3 -> j; 4 -> j; 5 -> j; 6 -> j"
    shape = program(
        "x y z v j",
        "S -> E { a <- y; r <- cas(x, 0, a); fence @ dmb.st\n 1 -> z; a -> v }",
        "S -> E { c <- z; c -> y }",
        f"S -> G {{ b <- v }} G -> E {{ assume b /= 1 }} G -> E {{ assume b = 1; {stores}{end} }}",
        f"S -> E {{ {first} 5 -> x }}",
        more=more,
    )
    whole = explore(shape, "arm8", classes=classes)
    for depth in (6, 8):
        result = explore(shape, "arm8", max_depth=depth, classes=classes)
        found = (result.executions, result.bounded, result.exhaustive)
        assert found == ((whole.executions - 1, 0, False) if depth == 6 else (whole.executions, 0, True))


LATER = """pl = (po & loc) | rf | mo | fr
hidden = ([I] ; rf) \\ ([domain(mo)] ; rf)
pl acyclic
hidden empty"""
WRITTEN = """pl = (po & loc) | rf | mo | fr
early = rf(I -> R)
pl acyclic
early empty"""


@pytest.mark.parametrize(("model", "counts"), [(LATER, (0, 2)), (WRITTEN, (0, 1))])
def test_executions_that_only_what_is_cut_allows(model: str, counts: tuple[int, int]) -> None:
    """A read of the initial value needs a later write to be there; or no such read is allowed at all."""
    shape = program("x z", "S -> E { 1 -> z; 1 -> x }", "S -> E { a <- x }")
    for depth, count in enumerate(counts, 1):
        result = xgen.check(shape, xgen.parse_model(model), max_depth=depth, all_states=True)
        assert (result.executions, result.bounded, result.exhaustive) == (count, 0, depth == 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_cut_does_not_depend_on_the_workers(workers: int) -> None:
    result = explore(LATE, "arm8", max_depth=7, workers=workers)
    assert (result.executions, result.exhaustive) == (6, False)


# --- No bound --------------------------------------------------------------------------------------------------------


FINITE = {
    "exchange": ("x(1)", ["S -> G { a <- x } G -> S { assume a = 1; exchange(x, 2) } G -> E { assume a /= 1 }"], 1),
    "cas": ("x(1)", ["S -> G { a <- x } G -> S { assume a = 1; cas(x, 1, 2) } G -> E { assume a /= 1 }"], 1),
    "add": ("x", ["S -> G { a <- x; r <- cas(x, a, a + 1) } G -> S { assume r /= a } G -> E { assume r = a }"] * 2, 2),
    "helping": (
        "link tail(1)",
        [
            "S -> E { 2 -> link; cas(tail, 1, 2) }",
            "S -> G { a <- tail; b <- link } G -> E { assume b = 0 } G -> E { assume a /= 1 and b /= 0 }"
            " G -> S { assume a = 1 and b /= 0; cas(tail, a, b) }",
        ],
        4,
    ),
    "reads that steer nothing": (
        "x y(1)",
        [
            "S -> F { a <- x } F -> G { b <- y } G -> D { assume b = 0 } G -> S { assume b /= 0; r <- cas(x, 1, b) }"
            " D -> E { 2 -> y }",
            "S -> G { a <- x } G -> D { assume a = 0 } G -> S { assume a /= 0; r <- cas(x, 1, 2) } D -> E { 1 -> y }",
            "S -> E { 2 -> x }",
        ],
        0,
    ),
    "updates that wait for one write": (
        "x y",
        [
            "S -> F { a <- x } F -> G { b <- y } G -> D { assume b = 2 } G -> S { assume b /= 2; r <- cas(x, 0, 1) }"
            " D -> E { 2 -> y }",
            "S -> E { r <- cas(x, 0, 1) }",
        ],
        0,
    ),
    "updates that hope for each other": (
        "x",
        ["S -> G { r <- cas(x, 1, 2) } G -> S { assume r /= 1 } G -> E { assume r = 1 }", "S -> E { cas(x, 2, 1) }"],
        0,
    ),
}
"""Shared variables, threads, and how many executions are complete: few, though threads could run ahead for ever."""


@pytest.mark.parametrize("model", ["arm8", "power", "riscv", "coherence"])
@pytest.mark.parametrize("name", FINITE)
def test_finite_programs_end_without_a_bound(name: str, model: str) -> None:
    shared, threads, executions = FINITE[name]
    shape = program(shared, *threads)
    result, bounded = explore(shape, model), explore(shape, model, max_depth=20)
    verdict = "safe" if executions else "vacuous"
    assert (result.verdict, result.executions, result.exhaustive) == (verdict, executions, True)
    assert (bounded.executions, bounded.blocked, bounded.bounded) == (executions, result.blocked, 0)
    assert list(bounded.outcomes) == list(result.outcomes)


def test_rounds_of_updates_past_all_widths() -> None:
    """130 updates that may fail, of two events each: the run's own bound grows, and so do the graphs."""
    text = """var x : int
    process p { var i : int  var r : int  init loc L  loc G  final loc E
      L -> G { assume i < 130; r <- cas(x, i, i + 1) }  G -> L { assume r = i; i := i + 1 }
      L -> E { assume i = 130 } }"""
    for model in ("coherence", "arm8"):
        result = explore(xgen.parse(text), model)
        assert (result.executions, result.blocked, result.exhaustive) == (1, 0, True)
        assert result.outcomes[0].state["x"] == 130


@pytest.mark.parametrize("model", ["arm8", "sc", "tso", "rc11"])
def test_a_loop_without_an_end_is_named(model: str) -> None:
    endless = program(
        "x y", "S -> G { a <- x } G -> S { assume a = 0; 1 -> y } G -> E { assume a = 1 }", "S -> E { 1 -> x; 2 -> y }"
    )
    said = (
        "p0 went round a loop 32 times: line 3 (`a <- x`), line 3 (`1 -> y`), and again, and writes y each time; "
        "if it has no end, try --max-depth 20 or --unroll 4"
    )
    try:
        result = explore(endless, model, timeout=0.3)
        assert (result.verdict, result.exhaustive) == ("interrupted", False)
        found = result.warnings
    except LimitError as error:  # a fast machine comes to the limit of events before
        found = (str(error.hint),)
    assert found == (said,)


def test_a_violation_of_a_loop_without_an_end_is_found() -> None:
    """However deep the loop could go first."""
    shape = program("x y", "S -> G { a <- x } G -> S { assume a = 0; 1 -> y } G -> E { assume a = 1; assert a = 0 }",
        "S -> E { 1 -> x }")  # fmt: skip
    result = xgen.check(shape, xgen.model("arm8"))
    assert (result.verdict, result.max_depth) == ("violation", None)
    assert [w for w in result.warnings if "bound" in w] == []


# --- Values that are addresses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "both"), [("arm8", True), ("power", True), ("coherence", True), ("weak", False)])
def test_what_follows_an_address_that_is_computed_waits_for_no_index(model: str, both: bool) -> None:
    """`p := &t[a]` is no access: nothing after it depends on a but what uses p."""
    text = """var t : int[2] var x : int var y : int
    process p0 { var a : int  var p : int  init loc S  final loc E  S -> E { a <- x; p := &t[a]; 1 -> y; a -> *p } }
    process p1 { var b : int  init loc S  final loc E  S -> E { b <- y; b -> x } }"""
    assert ((1, 1) in states(explore(xgen.parse(text), model), "p0:a", "p1:b")) == both


def test_an_address_that_is_out_of_range_is_reported() -> None:
    """Also where what follows it was there first."""
    text = """var t : int[2] var x : int var y : int
    process p0 { var a : int  var p : int  init loc S  final loc E  S -> E { a <- x; p := &t[a]; 1 -> y } }
    process p1 { var b : int  init loc S  final loc E  S -> E { b <- y; b + 1 -> x } }"""
    result = explore(xgen.parse(text), "arm8")
    assert result.verdict == "violation"


# --- Rounds of locks, lists and queues -------------------------------------------------------------------------------


QUEUES = [("msqueue", 20, 230), ("treiber", 20, 200), ("mcs", 8, 60), ("mpmc", 14, 120), ("chaselev", 29, 320)]


@pytest.mark.parametrize(("name", "classes", "graphs"), QUEUES)
def test_reads_that_wait_for_each_other_wait_for_nothing(name: str, classes: int, graphs: int) -> None:
    """Where po | rf is acyclic, a thread that waits for what another one reads first does not go on before.

    Nor is anything decided for a thread behind a read of it that waits, before the rest is; nor does an update fail, or
    succeed, by what no thread can write.
    """
    queue = xgen.load(Path(__file__).parents[3] / "programs" / "c" / f"{name}.c")
    result = xgen.check(queue, xgen.model("rc11"), all_states=True, classes="rf", symmetry=False)
    assert (result.classes, result.exhaustive) == (classes, True)
    assert result.explored < graphs


@pytest.mark.parametrize(("name", "ends", "dead"), [("treiber", 50, 30), ("msqueue", 70, 25), ("chase_lev", 255, 100)])
def test_what_a_read_waits_for_does_not_come_after_it(name: str, ends: int, dead: int) -> None:
    """With load buffering, too, no thread writes what comes before what it has seen of the same variable.

    And who has done what a loop tries again and again, by a compare-and-swap that succeeds, does not go round again.
    """
    result = explore(xgen.load(Path(__file__).parents[3] / "programs" / f"{name}.xcfa"), "arm8")
    assert result.executions + result.blocked == ends
    assert result.dead_ends < dead


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (10, 20, 30))])
def test_random_rounds(start: int) -> None:
    """Against the oracle under models with load buffering, and against executions one by one under others."""
    for seed in range(start, start + 10):
        rng = Random(f"rounds {seed}")
        drawn = random_rounds(rng)
        name = rng.choice(sorted(MODELS))
        different = disagreement(drawn, MODELS[name], rng.randint(2, 3), limit=150)
        assert different is None, f"seed {seed}: {different}"
        shape, depth = xgen.parse(str(drawn)), rng.choice((4, 6, 8))
        model = rng.choice(("sc", "tso", "rc11", "weak"))
        each, by_class = (explore(shape, model, max_depth=depth, classes=c) for c in ("off", "rf"))
        assert list(by_class.outcomes) == list(each.outcomes), f"seed {seed}, {model}, depth {depth}:\n{drawn}"
        assert (by_class.blocked, by_class.bounded) == (each.blocked, each.bounded)


# --- Against the oracle ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0, 20, *(pytest.param(n, marks=pytest.mark.slow) for n in (40, 60, 80, 100))])
def test_random_programs_that_try_again(start: int) -> None:
    for seed in range(start, start + 20):
        rng = Random(f"again {seed}")
        name = rng.choice(sorted(MODELS))
        drawn = retrying_program(rng, ORDERS.get(name, ()))
        different = disagreement(drawn, MODELS[name], rng.randint(2, 3), limit=150)
        assert different is None, f"seed {seed}: {different}"
