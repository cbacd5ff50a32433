"""Atomic blocks: what no event of another thread comes between, under which model, and what makes no sense."""

from __future__ import annotations

import math

import pytest

import xgen
from engine.statements.test_programs_rmw import explore, threads, values
from xgen import ProgramError
from xgen.lowering.threads import lower
from xgen.memory.adapt import AT_END

MODELS = ("sc", "tso", "pso", "ra", "weak", "weak-a9", "coherence", "any")
INCREMENT = "atomic-begin a <- x; a + 1 -> x; atomic-end"
TWO = "var x : int var y : int"


def both(model: str, first: str, second: str, *names: str) -> list[tuple[int | bool, ...]]:
    return sorted(set(values(explore(threads(first, second, shared=TWO), model), *names)))


@pytest.mark.parametrize("model", MODELS)
def test_counter(model: str) -> None:
    """Blocks come one after the other, whatever the model: N! executions."""
    for n in (1, 2, 3):
        result = explore(threads(*[INCREMENT] * n), model)
        assert (result.verdict, result.executions, result.blocked) == ("safe", math.factorial(n), 0)
        assert {outcome.state["x"] for outcome in result.outcomes} == {n}
        assert result.exhaustive


def test_a_block_is_as_an_update() -> None:
    """Where nothing else is in it, a block of a load and a store allows what a read-modify-write does."""
    for model in ("sc", "ra", "weak", "coherence"):
        for rest in ("5 -> x", "b <- x; 7 -> x", INCREMENT, "fetch_add(x, 1)"):
            block, update = (explore(threads(body, rest), model) for body in (INCREMENT, "a <- fetch_add(x, 1)"))
            assert values(block, "p0:a", "p1:a", "p1:b", "x") == values(update, "p0:a", "p1:a", "p1:b", "x"), (
                model,
                rest,
            )


@pytest.mark.parametrize("model", MODELS)
def test_store_buffering_of_blocks(model: str) -> None:
    """One block sees the other: their order is one."""
    first = "atomic-begin 1 -> x; a <- y; atomic-end"
    second = "atomic-begin 1 -> y; a <- x; atomic-end"
    assert both(model, first, second, "p0:a", "p1:a") == [(0, 1), (1, 0)]


def test_message_passing_of_a_block() -> None:
    """Who sees a part of a block sees all of it, if the model keeps the two loads in order."""
    block = "atomic-begin 1 -> x; 1 -> y; atomic-end"
    all_or_nothing, late = [(0, 0), (0, 1), (1, 1)], (1, 0)
    for model in ("sc", "tso", "pso", "ra"):
        assert both(model, block, "a <- y; b <- x", "p1:a", "p1:b") == all_or_nothing
    assert late in both("weak", block, "a <- y; b <- x", "p1:a", "p1:b")
    assert both("weak", block, "a <- y; fence; b <- x", "p1:a", "p1:b") == all_or_nothing
    assert both("weak", block, "atomic-begin a <- y; b <- x; atomic-end", "p1:a", "p1:b") == [(0, 0), (1, 1)]


def test_a_block_is_no_fence() -> None:
    """What stands before a block may be overtaken as the model says: store buffering under tso."""
    first, second = "1 -> x; atomic-begin a <- y; atomic-end", "1 -> y; atomic-begin a <- x; atomic-end"
    assert (0, 0) in both("tso", first, second, "p0:a", "p1:a")
    assert (0, 0) not in both("sc", first, second, "p0:a", "p1:a")


def test_a_store_of_another_thread_does_not_come_between() -> None:
    for model in MODELS:
        assert both(model, "atomic-begin a <- x; b <- x; atomic-end", "1 -> x", "p0:a", "p0:b") == [(0, 0), (1, 1)]
        # under any, the first store may come last
        stores = both(model, "atomic-begin 1 -> x; 2 -> x; atomic-end", "a <- x", "p1:a")
        assert stores == ([(0,), (1,), (2,)] if model == "any" else [(0,), (2,)])


LOCK = """{
  var a : int
  init loc Out  loc Seen  loc In  final loc End
  Out -> Seen { atomic-begin; a <- x }
  Seen -> Out { assume a = 1; atomic-end }
  Seen -> In { assume a = 0; 1 -> x; atomic-end }
  In -> End { 0 -> x }
}"""


def test_waiting_for_a_block() -> None:
    """A round in which the block only looks is a waiting one: no bound is needed."""
    program = xgen.parse(f"var x : int process p {LOCK} process q {LOCK}")
    result = explore(program, "sc")
    assert (result.verdict, result.executions, result.bounded) == ("safe", 2, 0)
    bounded = explore(program, "sc", unroll=True, max_depth=6)
    assert (bounded.verdict, bounded.bounded > 0) == ("safe-within-bound", True)


def test_a_round_that_leaves_a_block_open_is_not_a_waiting_one() -> None:
    """The load after the loop is in the block of the last round, which starts anew in each."""
    text = """var x : int
    process p {
      var a : int  var b : int
      init loc L  loc Inside  loc Seen  final loc End
      L -> Inside { atomic-begin; a <- x }
      Inside -> Seen { b <- x; a := 0 }
      Seen -> Inside { assume b = 0; atomic-end; atomic-begin }
      Seen -> End { assume b = 1; atomic-end }
    }
    process q { init loc L final loc K L -> K { 1 -> x } }"""
    result = explore(xgen.parse(text), "sc")
    runs = xgen.executions(xgen.parse(text), xgen.model("sc"))
    found = {tuple(event.value for event in run.events if event.thread == 0) for run in runs}
    assert (result.verdict, result.bounded) == ("safe", 0)
    assert (0, 0, 1) in found


def test_demoted_constraints_are_named() -> None:
    result = explore(threads(INCREMENT), "tso")
    names = ["atomic_blocks", "coherence_of_atomic_blocks", "store_order_of_atomic_blocks"]
    assert result.demoted == dict.fromkeys(names, AT_END)
    assert explore(threads("a <- x"), "tso").demoted == {}


def test_violations_in_what_the_model_forbids_are_none() -> None:
    """The assertion fails only where something comes between."""
    checked = "atomic-begin a <- x; b <- x; assert a = b; atomic-end"
    assert xgen.check(threads(checked, "1 -> x"), xgen.model("sc")).verdict == "safe"
    assert xgen.check(threads("a <- x; b <- x; assert a = b", "1 -> x"), xgen.model("sc")).verdict == "violation"


@pytest.mark.parametrize(
    ("edges", "message", "line", "column"),
    [
        ("L -> K { atomic-end }", "there is no atomic block to end", 4, 10),
        ("L -> K { atomic-begin; atomic-begin }", "there is an atomic block already", 4, 24),
        ("L -> K { atomic-begin }", "the process ends inside an atomic block", 3, 11),
        ("L -> K { atomic-begin; return }", "the process ends inside an atomic block", 4, 24),
        (
            "L -> M { atomic-begin } L -> M M -> K",
            "location `M` is reached both inside and outside of an atomic block",
            2,
            23,
        ),
        ("L -> L { atomic-begin }", "location `L` is reached both inside and outside of an atomic block", 2, 12),
    ],
)
def test_blocks_that_make_no_sense(edges: str, message: str, line: int, column: int) -> None:
    text = f"process p {{\n  init loc L      loc M\nfinal loc K\n{edges}\n}}"
    with pytest.raises(ProgramError) as info:
        lower(xgen.parse(text))
    place = info.value.position
    assert place is not None
    assert (info.value.message, place.line, place.column) == (message, line, column)


def test_blocks_and_calls() -> None:
    """A procedure may be called inside and outside of a block; a block ends in the procedure where it begins."""
    text = """var x : int
    process p {{
      procedure f() {{ var a : int init loc L L -> L {{ {inner}; return }} }}
      main procedure g() {{ init loc L final loc K L -> K {{ call f(); atomic-begin; call f(); atomic-end }} }}
    }}"""
    assert explore(xgen.parse(text.format(inner="a <- x; a + 1 -> x")), "sc").executions == 1
    with pytest.raises(ProgramError, match="reached both inside and outside of an atomic block"):
        lower(xgen.parse(text.format(inner="atomic-begin")))


SEEN = "atomic-begin a <- x; b <- y; atomic-end assert a = b"


@pytest.mark.parametrize("model", ["sc", "tso", "weak", "arm8"])
def test_nobody_sees_a_block_that_is_not_finished(model: str) -> None:
    """Where the bound, or an assume, stops a thread in its middle, others have not seen what it has written there."""
    whole = threads("atomic-begin 1 -> x; 3 -> z; 1 -> y; atomic-end", SEEN, shared=TWO + " var z : int")
    for depth in (1, 2, 3):
        assert explore(whole, model, max_depth=depth).violations == 0
    stopped = threads("atomic-begin 1 -> x; a <- y; assume a = 2; 1 -> y; atomic-end", SEEN, shared=TWO)
    assert explore(stopped, model).violations == 0


@pytest.mark.parametrize("model", ["sc", "arm8"])
def test_what_goes_wrong_beside_a_block_that_is_not_finished(model: str) -> None:
    """It does so without the block as well; and what a thread has done before the block counts."""
    wrong = "atomic-begin a <- x; atomic-end assert a = 1"
    for block in ("atomic-begin 5 -> x; 3 -> y; atomic-end", "atomic-begin 5 -> x; a <- y; assume a = 2; atomic-end"):
        result = explore(threads(block, wrong, shared=TWO), model, max_depth=1)
        assert (result.verdict, result.violations) == ("violation", 1), block
        after = explore(threads("7 -> y; " + block, "a <- y; assert a /= 7", shared=TWO), model, max_depth=2)
        assert after.verdict == "violation", block
