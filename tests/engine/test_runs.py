"""What a run does besides counting: bounds, choices, faults of the program, certificates, stopping."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import pytest

import xgen
from engine.shapes import SHAPES, late_writer, program, store_buffers, writers
from xgen import Model, Result
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem
from xgen.errors import TooLongError
from xgen.lowering.threads import lower
from xgen.memory import cache
from xgen.memory.adapt import with_atomic_blocks, with_atomic_exclusives
from xgen.memory.plans import plan, planner


def one(body: str, *, local: str = "a", model: str = "sc", **options: object) -> Result:
    """The result for one thread with int locals and the edges given."""
    names = "".join(f"var {name} : int " for name in local.split())
    text = f"var x : int\nmain process p {{ {names}\ninit loc L0\n{body} }}"
    return xgen.check(xgen.parse(text), xgen.model(model), **options)  # type: ignore[arg-type]


WAITING = """
var x : int
process waiter { var a : int  init loc L0  loc L1  final loc Lf
  L0 -> L1 { a <- x }  L1 -> L0 { assume a = 0 }  L1 -> Lf { assume a = 1 } }
process setter { init loc L0  final loc L1  L0 -> L1 { 1 -> x } }
"""


@pytest.mark.parametrize("bound", [1, 2, 5, 70])
def test_the_bound_counts_events_and_cuts_before_the_next(bound: int) -> None:
    result = xgen.check(xgen.parse(WAITING), xgen.model("sc"), max_depth=bound, unroll=True)
    assert (result.verdict, result.executions, result.bounded) == ("safe-within-bound", bound, 1)
    assert not result.exhaustive


def test_a_loop_that_only_waits_needs_no_bound() -> None:
    result = xgen.check(xgen.parse(WAITING), xgen.model("weak"))
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)
    assert result.exhaustive


def test_waiting_is_told_by_the_locals_that_matter() -> None:
    """`old` changes from round to round, but is never read."""
    text = WAITING.replace("{ a <- x }", "{ old := a + 1; a <- x }").replace("var a : int", "var a : int var old : int")
    assert xgen.check(xgen.parse(text), xgen.model("sc")).verdict == "safe"


def test_a_loop_that_writes_is_not_waiting() -> None:
    text = WAITING.replace("L1 -> L0 { assume a = 0 }", "L1 -> L0 { assume a = 0; 2 -> y }").replace(
        "var x", "var y : int var x"
    )
    result = xgen.check(xgen.parse(text), xgen.model("sc"), max_depth=6)
    assert result.verdict == "safe-within-bound"
    assert result.warnings == ("the bound stopped waiter at line 4, before `a <- x`",)


def test_what_comes_after_the_last_event_within_the_bound_still_runs() -> None:
    result = one("error loc E  L0 -> E { a <- x }", max_depth=1)
    assert result.verdict == "violation"


def test_choices_are_explored_each() -> None:
    result = one("final loc L1  L0 -> L1 { havoc a in -1 .. 2; a -> x }", all_states=True)
    assert [outcome.state["x"] for outcome in result.outcomes] == [-1, 0, 1, 2]
    assert one("final loc L1  L0 -> L1  L0 -> L1 { skip }").executions == 2


def test_an_edge_that_an_assume_disables_is_no_choice() -> None:
    result = one("final loc L1  L0 -> L1 { a := 1; assume a = 0 }  L0 -> L1 { assume a = 0 }")
    assert (result.executions, result.blocked) == (1, 0)


def test_an_assume_that_depends_on_a_load_of_its_edge_blocks() -> None:
    result = one("final loc L1  L0 -> L1 { a <- x; assume a = 1 }  L0 -> L1 { a <- x; assume a = 0 }")
    assert (result.executions, result.blocked) == (1, 1)


def test_choices_of_deleted_events_are_not_explored_twice() -> None:
    """p2's write revisits p0's read, and deletes what p1 did in between: its choice as well."""
    text = """
    var x : int  var y : int
    process p0 { var a : int  init loc L0  final loc L1  L0 -> L1 { a <- x } }
    process p1 { var b : bool  init loc L0  loc L1  final loc L2
      L0 -> L1 { havoc b }  L1 -> L2 { assume b; 1 -> y }  L1 -> L2 { assume not b } }
    process p2 { init loc L0  final loc L1  L0 -> L1 { 1 -> x } }
    """
    result = xgen.check(xgen.parse(text), xgen.model("sc"), all_states=True)
    assert (result.executions, result.duplicates) == (4, 0)


def test_a_local_loop_without_effect_blocks() -> None:
    result = one("loc L1  L0 -> L1  L1 -> L0", all_states=True)
    assert (result.executions, result.blocked) == (0, 1)
    result = one("loc L1  final loc L2  L0 -> L1  L1 -> L0  L1 -> L2", all_states=True)
    assert (result.executions, result.blocked) == (1, 1)


def test_a_local_loop_that_goes_on_and_on_is_reported() -> None:
    with pytest.raises(TooLongError, match="a loop without any shared access") as caught:
        one("loc L1  L0 -> L1 { a := a + 1 }  L1 -> L0")
    assert caught.value.line == 4


LEAST, MOST = "(-9223372036854775807 - 1)", "9223372036854775807"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (f"a := {MOST} + 1", "overflow"),
        (f"a := {LEAST} - 1", "overflow"),
        (f"a := {MOST} * 2", "overflow"),
        (f"a := - {LEAST}", "overflow"),
        (f"a := {LEAST} / (-1)", "overflow"),
        ("a := 1 / a", "division-by-zero"),
        ("a := 1 mod a", "division-by-zero"),
        ("a := 1 rem a", "division-by-zero"),
        ("assert a = 1", "assertion"),
    ],
)
def test_faults_of_the_program_are_violations(statement: str, kind: str) -> None:
    result = one(f"final loc L1  L0 -> L1 {{ {statement} }}")
    assert result.verdict == "violation"
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.position.line) == (kind, 4)
    assert result.witness.ends == ("error",)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / 2", 3), ("7 mod 2", 1), ("7 rem 2", 1),
        ("(-7) / 2", -4), ("(-7) mod 2", 1), ("(-7) rem 2", 1),
        ("7 / (-2)", -3), ("7 mod (-2)", 1), ("7 rem (-2)", -1),
        ("(-7) / (-2)", 4), ("(-7) mod (-2)", 1), ("(-7) rem (-2)", -1),
        (f"{LEAST} mod (-1)", 0), (f"{LEAST} / 1", -(2**63)), (f"{LEAST} mod {LEAST}", 0),
        (f"(-1) mod {LEAST}", 2**63 - 1), (f"(-1) / {LEAST}", 1), (f"{MOST} + 0", 2**63 - 1),
        ("if a = 0 then 5 else 1 / a", 5),
    ],
)  # fmt: skip
def test_arithmetic(expression: str, value: int) -> None:
    """Division as in SMT-LIB: the remainder is never negative; `rem` takes the divisor's sign."""
    (outcome,) = one(f"final loc L1  L0 -> L1 {{ a := {expression} }}").outcomes
    assert outcome.state["p:a"] == value


def test_the_right_side_of_and_is_not_evaluated_in_vain() -> None:
    assert one("final loc L1  L0 -> L1 { assert not (a /= 0 and 1 / a = 1) }").verdict == "safe"


NOT_EXTENSIBLE = "f = fr\nf empty as latest\nh = po | rf\nh acyclic"  # each read reads the last write


def test_a_constraint_that_forbids_a_maximal_step_is_checked_on_the_way() -> None:
    shape = program("a <- x", "1 -> x", variables="x")
    result = xgen.check(shape, xgen.parse_model(NOT_EXTENSIBLE), all_states=True)
    assert (result.executions, result.verdict) == (1, "safe")
    assert (result.demoted, result.explored) == ({}, 3)


def test_a_violation_counts_only_in_an_execution_that_the_model_allows_as_a_whole() -> None:
    """p0 fails where it reads 0, which is consistent until p1 writes."""
    text = """
    var x : int
    process p0 { var a : int  init loc L0  final loc L1  L0 -> L1 { a <- x; assert a = 1 } }
    process p1 { init loc L0  final loc L1  L0 -> L1 { 1 -> x } }
    """
    result = xgen.check(xgen.parse(text), xgen.parse_model(NOT_EXTENSIBLE))
    assert (result.verdict, result.executions) == ("safe", 1)


def test_the_first_violation_ends_the_run_unless_all_states_are_asked_for() -> None:
    text = """
    var x : int
    process p0 { var a : int  init loc L0  final loc L1  L0 -> L1 { a <- x; assert a = 0 } }
    process p1 { init loc L0  final loc L1  L0 -> L1 { 1 -> x } }
    """
    program_, model = xgen.parse(text), xgen.model("sc")
    first = xgen.check(program_, model)
    assert (first.verdict, first.exhaustive) == ("violation", False)
    every = xgen.check(program_, model, all_states=True)
    assert (every.verdict, every.executions, every.violations, every.exhaustive) == ("violation", 2, 1, True)
    assert [(o.state["p0:a"], o.count, o.violations) for o in every.outcomes] == [(0, 1, 0), (1, 1, 1)]


def test_timeout() -> None:
    result = xgen.check(writers(6, 6), xgen.model("sc"), timeout=0.2)
    assert (result.verdict, result.stopped, result.exhaustive) == ("interrupted", "timeout", False)
    assert result.executions > 0


def test_interrupt_keeps_what_was_found() -> None:
    import _thread

    threading.Timer(0.3, _thread.interrupt_main).start()
    result = xgen.check(writers(6, 6), xgen.model("sc"))
    assert (result.verdict, result.stopped) == ("interrupted", "interrupt")
    assert result.executions > 0


def test_other_threads_run_while_the_core_explores() -> None:
    ticks = []

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    xgen.check(writers(6, 6), xgen.model("sc"), timeout=0.3)
    done.set()
    thread.join()
    assert len(ticks) > 3


def test_progress_is_reported() -> None:
    seen: list[int] = []
    xgen.check(writers(6, 6), xgen.model("sc"), timeout=0.5, on_progress=lambda p: seen.append(p.executions))
    assert seen
    assert seen == sorted(seen)


def test_executions_come_one_after_the_other() -> None:
    found = list(xgen.executions(SHAPES["SB"], xgen.model("sc")))
    assert [execution.ends for execution in found] == [("ended", "ended")] * 3
    assert len({(execution.rf, execution.mo) for execution in found}) == 3
    more = xgen.executions(store_buffers(12), xgen.model("tso"))
    assert len([next(more) for _ in range(1000)]) == 1000


def test_tags_that_the_model_does_not_know_are_pointed_out() -> None:
    shape = program("fence mfense; 1 -> x", variables="x")
    assert xgen.check(shape, xgen.model("tso")).warnings == (
        "note: the model tso does not name `fence[mfense]` and takes it as a full fence",
    )
    assert xgen.check(shape, xgen.model("sc")).warnings == ()


def test_the_graphs_that_are_held_do_not_grow_with_the_executions() -> None:
    """One for each revisit on the way at most: not more than there are events, whatever the number of executions."""
    for n in (2, 3, 4):
        result = xgen.check(late_writer(n), xgen.model("sc"), all_states=True)
        assert result.executions == 2**n
        assert 2 <= result.held <= n + 1


@pytest.mark.parametrize("count", [3, 30, 70])
@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_a_chain_of_revisits_holds_two_graphs(count: int, model: str) -> None:
    """Each write revisits the read as the one before has left it, and nothing else is left to do there."""
    writes = "; ".join(f"{n} -> x" for n in range(1, count + 1))
    chain = program("a <- x", writes, variables="x")
    for workers in (1, 3):
        result = xgen.check(chain, xgen.model(model), all_states=True, workers=workers)
        assert result.executions == len(result.outcomes) == count + 1
        assert result.held <= 2 * workers
    # What the first read may yet read is left to do there.
    longer = program("a <- y; b <- x", f"1 -> y; {writes}", variables="x y")
    result = xgen.check(longer, xgen.model(model), all_states=True)
    assert 3 <= result.held <= 4


@pytest.mark.parametrize("count", [70, 300])
def test_a_graph_grows_where_a_chain_of_revisits_leads(count: int) -> None:
    """Rows get wider while contexts before have given their rooms away."""
    stores = "; ".join(f"{n} -> y" for n in range(count))
    text = f"""var x : int var y : int
    process R {{ var a : int init loc A loc B final loc C final loc D
      A -> B {{ a <- x }} B -> C {{ assume a /= 5 }} B -> D {{ assume a = 5; {stores} }} }}
    process W {{ init loc A final loc B A -> B {{ 1 -> x; 2 -> x; 3 -> x; 4 -> x; 5 -> x; 6 -> x; 7 -> x }} }}"""
    result = xgen.check(xgen.parse(text, "xcfa"), xgen.model("sc"), all_states=True)
    assert result.executions == 8
    assert {outcome.state["y"] for outcome in result.outcomes} == {0, count - 1}


@pytest.mark.parametrize(("shape", "model"), [("late_writer", "coherence"), ("writers", "any")])
def test_threads_that_run_ahead_share_one_graph(shape: str, model: str) -> None:
    result = xgen.check(late_writer(4) if shape == "late_writer" else writers(2, 4), xgen.model(model), all_states=True)
    assert result.executions >= 2**4
    assert result.held == 1


def planners(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by three with each plan that is made anew; none is there from earlier runs."""
    monkeypatch.setattr(cache, "_OF", WeakKeyDictionary())
    made: list[object] = []
    original = planner.Planner.__init__

    def counting(self: planner.Planner, *args: object, **options: object) -> None:
        made.append(self)
        original(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(planner.Planner, "__init__", counting)
    return made


READ_FIRST = program("a <- x; 1 -> y", "fence; 2 -> x", variables="x y")
READ_LAST = program("3 -> y; fence; a <- y", variables="y")
TAGGED = program("3 -> y @mine; fence; a <- y", variables="y")
UPDATE = program("3 -> y; fence; a <- y; fetch_add(y, 1)", variables="y")


@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_programs_with_the_same_events_share_a_plan(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan takes longer to make than a small program to explore. The events of TAGGED are the same to the model."""
    loaded, made = xgen.model(model), planners(monkeypatch)
    counts = []
    for text in (READ_FIRST, READ_LAST, TAGGED, UPDATE):
        plan.make_plan(loaded, lower(text).classes, (), ahead=False)
        counts.append(len(made))
    assert counts == [3, 3, 3, 6]


def test_small_programs_share_a_plan_for_all_their_events(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, made = replace(xgen.model("rc11"), name="no plans yet"), planners(monkeypatch)
    counts = []
    for text in (READ_FIRST, UPDATE, READ_LAST, READ_FIRST):
        plan.make_plan(loaded, lower(text).classes, (), ahead=False, shared=True)
        counts.append(len(made))
    assert counts == [3, 6, 6, 6]


@pytest.mark.parametrize("model", ["sc", "tso", "weak", "rc11", "arm8", "power", "riscv", "lkmm"])
def test_a_plan_for_more_events_finds_the_same(model: str) -> None:
    """The programs come twice: first the shared plan grows, then it is for all of them."""
    loaded = xgen.model(model)
    programs = [
        *SHAPES.values(),
        *(READ_FIRST, UPDATE, READ_LAST, TAGGED),
        program("1 -> x @once; fence mb; 1 -> y @release", "a <- y @acquire; b <- x @once", variables="x y"),
    ]
    for text in [*programs, *programs]:
        asked = problem(text, loaded)
        runs = [Run(asked, Options(all_states=True, shared_plan=shared)) for shared in (False, True)]
        for run in runs:
            run.finish()
        own, shared = ([run.core.counters, list(run.outcomes()), run.flags()] for run in runs)
        assert own == shared


@pytest.mark.parametrize("derive", [with_atomic_blocks, with_atomic_exclusives])
def test_models_that_are_derived_from_the_same_one_are_the_same(derive: Callable[[Model], Model]) -> None:
    """So that they share plans as well."""
    model = xgen.model("sc")
    assert derive(model) is derive(model)
    assert len(derive(model).constraints) == len(model.constraints) + (2 if derive is with_atomic_blocks else 1)
