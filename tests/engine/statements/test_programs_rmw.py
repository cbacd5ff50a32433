"""Updates, mutexes, arrays and calls: exact numbers of executions, and the violations that they lead to."""

from __future__ import annotations

import math

import pytest
from program.interleavings import explore as interleavings

import xgen
from xgen import Execution, Program, Result
from xgen.lowering.threads import lower
from xgen.program.printer import print_program
from xgen.resources import shipped

MODELS = ("sc", "tso", "pso", "ra", "weak", "weak-a9")
FENCED = ("sc", "tso", "pso", "ra", "weak", "weak-a9")
"""Models in which a fence without a meaning of its own is a full one."""


def threads(*bodies: str, shared: str = "var x : int") -> Program:
    """Processes with one edge each."""
    lines = [
        f"process p{n} {{ var a : int var b : int var c : bool init loc L final loc K L -> K {{ {body} }} }}"
        for n, body in enumerate(bodies)
    ]
    return xgen.parse("\n".join([shared, *lines]))


def explore(program: Program, model: str, **options: object) -> Result:
    result = xgen.check(program, xgen.model(model), all_states=True, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    return result


def values(result: Result, *names: str) -> list[tuple[int | bool, ...]]:
    return sorted(tuple(outcome.state[name] for name in names) for outcome in result.outcomes)


# ---- updates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_counter(n: int, model: str) -> None:
    """Updates of one variable form a chain, whatever the model: N! executions."""
    result = explore(threads(*["a <- fetch_add(x, 1)"] * n), model)
    assert (result.executions, result.blocked, result.bounded) == (math.factorial(n), 0, 0)
    assert {outcome.state["x"] for outcome in result.outcomes} == {n}


@pytest.mark.parametrize("model", MODELS)
def test_exchanges(model: str) -> None:
    """Each thread gets what the one before it wrote; the last one's value stays."""
    result = explore(threads(*[f"a <- exchange(x, {n + 1})" for n in range(3)]), model)
    assert result.executions == 6
    for outcome in result.outcomes:
        assert sorted([outcome.state["x"], *(outcome.state[f"p{n}:a"] for n in range(3))]) == [0, 1, 2, 3]


def rotations(n: int) -> int:
    """Thread i waits for i and writes i + 1: the first `done` threads succeed, each of the others fails.

    The first that fails has `done` values to read (all but the one that it waits for), those behind it one more each.
    """
    return sum(1 if done == n else done * (done + 1) ** (n - 1 - done) for done in range(1, n + 1))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_cas_rotation(n: int, model: str) -> None:
    result = explore(threads(*[f"a <- cas(x, {i}, {i + 1})" for i in range(n)]), model)
    assert result.executions == rotations(n)
    assert {outcome.state["x"] for outcome in result.outcomes} == set(range(1, n + 1))


@pytest.mark.parametrize("model", MODELS)
def test_one_of_two_succeeds(model: str) -> None:
    result = explore(threads("a <- cas(x, 0, 1)", "a <- cas(x, 0, 2)"), model)
    assert values(result, "p0:a", "p1:a", "x") == [(0, 1, 1), (2, 0, 2)]


@pytest.mark.parametrize("model", MODELS)
def test_an_update_and_a_store(model: str) -> None:
    """The store comes before or after both events of the update, not between."""
    result = explore(threads("a <- fetch_add(x, 1)", "5 -> x"), model)
    assert result.executions == 2
    assert values(result, "p0:a", "x") == [(0, 5), (5, 6)]


@pytest.mark.parametrize(("model", "count"), [("sc", 3), ("tso", 3), ("weak", 3)])
def test_a_load_before_an_update(model: str, count: int) -> None:
    """Two orders of the updates. The load sees what its own thread's update sees, or older; under any, everything."""
    result = explore(threads("a <- fetch_add(x, 1)", "a <- x b <- fetch_add(x, 1)"), model)
    assert result.executions == count


def test_events_of_an_update() -> None:
    """Tags say what is part of an update; a cas that fails is a load."""
    (execution,) = xgen.executions(
        threads("a <- cas(x, 0, 1) @ acq_rel, acquire a <- cas(x, 0, 1) @ acq_rel, acquire"), xgen.model("sc")
    )
    labels = [event.label for event in execution.events]
    assert labels == ["W x = 0", "R x = 0 acq_rel rmw", "W x = 1 acq_rel rmw", "R x = 1 acquire failed"]


def test_overflow_of_an_update() -> None:
    result = explore(threads(f"{2**63 - 1} -> x\na <- fetch_add(x, 1)"), "sc")
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.position.line) == ("overflow", 3)


@pytest.mark.parametrize(
    ("before", "update", "after"),
    [
        (2**63 - 1, "wrap(fetch_add(x, 1), -64)", -(2**63)),
        (2**31 - 1, "wrap(fetch_add(x, 1), -32)", -(2**31)),
        (2**31 - 1, "wrap(fetch_add(x, 1), 32)", 2**31),
        (0, "wrap(fetch_sub(x, 1), 8)", 255),
        (200, "wrap(fetch_max(x, 1), 8)", 1),
        (200, "wrap(fetch_min(x, 1), 8)", 200),
        (200, "wrap(fetch_umax(x, 1), 8)", 200),
        (-1, "wrap(fetch_max(x, 1), -32)", 1),
        (5, "wrap(exchange(x, 300), 8)", 44),
        (5, "wrap(cas(x, 5, 300), 8)", 44),
    ],
)
@pytest.mark.parametrize("model", ["sc", "arm8"])
def test_updates_of_so_many_bits(before: int, update: str, after: int, model: str) -> None:
    program = threads(f"{before} -> x\na <- {update} @ seq_cst b <- x", shared="var x : int")
    result = explore(program, model)
    assert result.verdict == "safe"
    assert values(result, "p0:a", "p0:b") == [(before, after)]
    assert xgen.parse(print_program(program)) == program


# ---- arrays --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_cells_are_different_variables(model: str) -> None:
    """Message passing by two cells, with computed indices, is message passing by two variables."""
    shared = "var x : int[2]"
    by_cells = threads("a := 1 1 -> x[0] a -> x[a]", "a <- x[b + 1] b <- x[0]", shared=shared)
    plain = threads("1 -> x 1 -> y", "a <- y b <- x", shared="var x : int var y : int")
    assert explore(by_cells, model).executions == explore(plain, model).executions


@pytest.mark.parametrize("model", MODELS)
def test_an_index_that_was_read(model: str) -> None:
    program = threads("a <- i b <- x[a]", "1 -> i", "2 -> x[1]", shared="var i : int var x : int[2] (7, 8)")
    assert values(explore(program, model), "p0:a", "p0:b") == [(0, 7), (1, 2), (1, 8)]


def test_outcomes_do_not_list_arrays_and_mutexes() -> None:
    program = threads("lock(m) 1 -> x[0] unlock(m)", shared="var y : int var x : int[2] var m : synthetic")
    (execution,) = xgen.executions(program, xgen.model("sc"))
    (outcome,) = explore(program, "sc").outcomes
    assert set(execution.state) == set(outcome.state) == {"p0:a", "p0:b", "p0:c", "y"}
    assert [event.variable for event in execution.events[:4]] == ["y", "x[0]", "x[1]", "m"]


@pytest.mark.parametrize("access", ["a <- x[b]", "1 -> x[b]", "a <- fetch_add(x[b], 1)", "a <- x[3]"])
def test_an_index_out_of_range_is_a_violation(access: str) -> None:
    program = threads(f"b <- i\n{access}", "3 -> i", shared="var i : int var x : int[3]")
    result = explore(program, "sc")
    assert (result.verdict, result.executions) == ("violation", 2)
    assert result.violations == (2 if access == "a <- x[3]" else 1)
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.message) == ("out-of-range", "array index out of range")
    assert (violation.position.line, violation.text, violation.thread) == (3, access, 0)
    assert result.witness.ends[0] == "error"


# ---- mutexes -------------------------------------------------------------------------------------------------------

SECTION = "lock(m) a <- x a + 1 -> x unlock(m)"
MUTEX = "var x : int var m : synthetic"


@pytest.mark.parametrize("model", FENCED)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_critical_sections(n: int, model: str) -> None:
    """Nothing is lost, and there is one execution for each order of the threads."""
    result = explore(threads(*[SECTION] * n, shared=MUTEX), model)
    assert (result.executions, result.violations) == (math.factorial(n), 0)
    assert {outcome.state["x"] for outcome in result.outcomes} == {n}


def test_a_mutex_without_fences_does_not_help() -> None:
    result = explore(threads(SECTION, SECTION, shared=MUTEX), "nofence")
    assert {outcome.state["x"] for outcome in result.outcomes} == {1, 2}


@pytest.mark.parametrize("model", FENCED)
def test_a_mutex_orders_what_it_guards(model: str) -> None:
    """Message passing by plain accesses under a lock."""
    program = threads(
        "lock(m) 1 -> x 1 -> y unlock(m)", "lock(m) a <- y b <- x unlock(m)", shared=f"{MUTEX} var y : int"
    )
    assert values(explore(program, model), "p1:a", "p1:b") == [(0, 0), (1, 1)]


@pytest.mark.parametrize("model", FENCED)
@pytest.mark.parametrize("text", ["unlock(m)", "lock(m) unlock(m)\nunlock(m)", "lock(n)\nunlock(m)"])
def test_unlock_of_a_mutex_that_the_thread_does_not_hold(text: str, model: str) -> None:
    program = threads(text, "lock(m) unlock(m)", shared=f"{MUTEX} var n : synthetic")
    result = explore(program, model)
    assert result.verdict == "violation"
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert (violation.kind, violation.text, violation.thread) == ("unlock", "unlock(m)", 0)
    assert violation.message == "unlock of a mutex that the thread does not hold"
    assert violation.position.line == 2 + text.count("\n")


def test_a_mutex_can_be_unlocked_in_another_procedure() -> None:
    program = xgen.parse(
        """var m : synthetic
        process p { procedure done() { init loc L L -> L { unlock(m) return } }
          main procedure run() { init loc L final loc K L -> K { lock(m) call done() lock(m) call done() } } }"""
    )
    result = explore(program, "sc")
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)


def test_no_execution_in_which_a_thread_waits_for_itself_is_complete() -> None:
    result = explore(threads("lock(m) lock(m) unlock(m)", shared=MUTEX), "sc")
    assert (result.executions, result.blocked) == (0, 1)


# ---- calls ---------------------------------------------------------------------------------------------------------

SUM = """process p {
  int procedure sum(n : int) {
    var rest : int
    init loc L
    final loc K
    L -> K { assume n = 0; return 0 }
    L -> K {
      assume n > 0
      rest := call sum(n - 1)
      return n + rest
    }
  }
  main procedure run() { var a : int init loc L final loc K L -> K { a := call sum(%d) } }
}"""


def run(text: str) -> Execution:
    (execution,) = xgen.executions(xgen.parse(text), xgen.model("sc"))
    return execution


def test_recursion() -> None:
    assert [run(SUM % n).state for n in (0, 1, 7)] == [{"p:a": 0}, {"p:a": 1}, {"p:a": 28}]
    assert run(SUM % 7).complete


def test_recursion_beyond_the_bound_cuts_the_thread() -> None:
    execution = run(SUM % 8)
    assert (execution.ends, execution.complete) == (("bounded",), False)
    result = explore(xgen.parse(SUM % 8), "sc")
    assert (result.verdict, result.executions, result.bounded) == ("vacuous", 0, 1)


@pytest.mark.parametrize("model", MODELS)
def test_a_call_is_as_good_as_its_body(model: str) -> None:
    text = """var x : int var y : int
    process p { procedure put(v : int) { init loc L L -> L { v -> x  v -> y return } }
      main procedure run() { init loc L final loc K L -> K { call put(1) } } }
    process q { int procedure get(first : bool) { var v : int init loc L
        L -> L { assume first v <- y return v } L -> L { assume not first v <- x return v } }
      main procedure run() { var a : int var b : int init loc L final loc K
        L -> K { a := call get(true) b := call get(false) } } }"""
    plain = threads("1 -> x 1 -> y", "a <- y b <- x", shared="var x : int var y : int")
    by_calls, inline = explore(xgen.parse(text), model), explore(plain, model)
    assert by_calls.executions == inline.executions
    assert values(by_calls, "q:a", "q:b") == values(inline, "p1:a", "p1:b")


# ---- whole programs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count"),
    [("ticket_lock", 2), ("ticket_lock_fenced", 2), ("spinlock", 2), ("ttas_lock", 4), ("treiber", 22)],
)
def test_shipped_programs(name: str, count: int) -> None:
    """Under sc: the number of executions without rounds that only wait, and the outcomes of all interleavings."""
    program = xgen.load(shipped("programs") / f"{name}.xcfa")
    result = explore(program, "sc")
    assert (result.verdict, result.executions, result.bounded) == ("safe", count, 0)
    finals = interleavings(lower(program)).finals
    names = [name for name, _ in next(iter(finals))]
    found = {frozenset((name, outcome.state[name]) for name in names) for outcome in result.outcomes}
    assert found == {frozenset(final) for final in finals}


def test_treibers_stack() -> None:
    """Each gets a node, whichever, and nothing is left; however much the retries are unrolled."""
    program = xgen.load(shipped("programs") / "treiber.xcfa")
    result = explore(program, "sc")
    assert set(values(result, "p0:node", "p1:node")) == {(1, 2), (2, 1)}
    assert {outcome.state["top"] for outcome in result.outcomes} == {0}
    unrolled = explore(program, "sc", max_depth=14, unroll=True)
    assert set(values(unrolled, "p0:node", "p1:node")) == {(1, 2), (2, 1)}


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 2), (3, 6)])
def test_pushes_that_succeed_at_once(n: int, count: int) -> None:
    """N threads push a node each and are blocked where they would have to try again: one execution per order."""
    push = "a <- x a -> next[{n}] b <- cas(x, a, {n}) assume a = b"
    program = threads(*[push.format(n=i + 1) for i in range(n)], shared="var x : int var next : int[4]")
    for model in ("sc", "tso", "weak"):
        assert explore(program, model).executions == count


# ---- dependencies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statements", "related"),
    [
        ("a -> y", {"data"}),
        ("a + 1 -> y", {"data"}),
        ("b := if a = 1 then 1 else 2; b -> y", {"data"}),
        ("b := if c then a else 2; b -> y", {"data"}),
        ("b := if not c then a else 2; b -> y", {"data"}),
        ("b := if a = 1 then 1 / a else 2; b -> y", {"data", "ctrl"}),
        ("c := a = 0 or 1 / a = 1; c -> z", {"data", "ctrl"}),
        ("c := a = 1 and 1 / a = 1; c -> z", {"data", "ctrl"}),
        ("c := a = 1 imply 1 / a = 1; c -> z", {"data", "ctrl"}),
        ("fetch_add(y, a)", {"data"}),
        ("b <- exchange(t[a], 1)", {"addr"}),
        ("1 -> t[a]", {"addr"}),
        ("a -> t[0]", {"data"}),
        ("a := 0; 1 -> t[a]", set()),
        ("assume a = 0; 1 -> y", {"ctrl"}),
        ("b := 1 / (a + 1); 1 -> y", {"ctrl"}),
    ],
)
def test_what_a_write_depends_on(statements: str, related: set[str]) -> None:
    """`a` was loaded. A relation that a constraint wants empty has pairs if and only if no execution is left."""
    program = threads(f"a <- x; {statements}", shared="var x : int var y : int var z : bool var t : int[2]")
    found = set()
    for relation in ("addr", "data", "ctrl"):
        model = xgen.parse_model(f"r = {relation} & (R * W)\nr empty as none\nh = po | rf\nh acyclic")
        found |= {relation} if xgen.check(program, model, all_states=True).executions == 0 else set()
    assert found == related
