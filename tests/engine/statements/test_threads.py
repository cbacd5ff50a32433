"""Threads that wait for each other: start and join, mutexes, deadlocks."""

from __future__ import annotations

import pytest

import xgen
from xgen import Result


def run(text: str, model: str = "sc", **options: object) -> Result:
    result = xgen.check(xgen.parse(text), xgen.model(model), all_states=True, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    return result


def thread(name: str, body: str, local: str = "a") -> str:
    return f"process {name} {{ var {local} : int init loc L0 final loc L1 L0 -> L1 {{ {body} }} }}\n"


FORK = (
    "var x : int var y : int\n"
    + thread("boss", "1 -> x; start left; start right; join left; join right; a <- y; assert a = 3")
    + thread("left", "a <- x; assert a = 1; a <- fetch_add(y, 1)")
    + thread("right", "a <- x; assert a = 1; a <- fetch_add(y, 2)")
)


@pytest.mark.parametrize("model", ["sc", "tso", "pso", "ra", "weak"])
def test_start_and_join_order_what_the_threads_do(model: str) -> None:
    result = run(FORK, model)
    assert (result.verdict, result.executions, result.blocked) == ("safe", 2, 0)


def test_a_process_that_nobody_starts_does_not_run() -> None:
    text = "var x : int\n" + thread("p0", "a := 1; assume a = 0; start p1") + thread("p1", "1 -> x")
    result = run(text)
    assert (result.executions, result.blocked, result.explored) == (0, 1, 1)


def test_starting_again_has_no_effect() -> None:
    text = "var x : int\n" + thread("p0", "start p1; start p1; join p1; a <- x") + thread("p1", "1 -> x")
    (outcome,) = run(text).outcomes
    assert outcome.state == {"p0:a": 1, "p1:a": 0, "x": 1}


def test_who_joins_a_blocked_thread_is_blocked() -> None:
    text = "var x : int\n" + thread("p0", "join p1; 1 -> x") + thread("p1", "a <- x; assume a = 1")
    assert (run(text).executions, run(text).blocked) == (0, 1)


ENDS = [
    # what a process and another one do, and how both end in each execution
    ("joins one that is blocked", "join p1;", "a <- x; assume a = 1;", {}, [("blocked", "blocked")]),
    ("joins one that is cut", "join p1;", "1 -> x; 2 -> x; 3 -> x;", {"max_depth": 2}, [("bounded", "bounded")]),
    ("is cut before it joins", "1 -> x; join p1;", "2 -> y;", {"max_depth": 1}, [("bounded", "ended")]),
    ("joins one with a violation", "join p1;", "a <- x; assert a = 1;", {}, [("blocked", "error")]),
    ("joins one that joins it", "start p1; join p1;", "join p0;", {}, [("blocked", "blocked")]),
    ("starts it", "start p1;", "1 -> x;", {}, [("ended", "ended")]),
    ("may start it", "a <- y; if a = 0 { start p1; }", "1 -> y;", {}, [("ended", "ended")]),
    ("does not start it", "1 -> y; a <- y; if a = 0 { start p1; }", "1 -> y;", {}, [("ended", "unstarted")]),
    ("never starts what would go wrong", "if a = 1 { start p1; }", "assert false;", {}, [("ended", "unstarted")]),
    ("never starts what would be blocked", "if a = 1 { start p1; }", "assume false;", {}, [("ended", "unstarted")]),
    ("is blocked before it starts it", "assume a = 1; start p1;", "1 -> x;", {}, [("blocked", "unstarted")]),
]  # fmt: skip


@pytest.mark.parametrize(("boss", "other", "options", "ends"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_how_threads_end(boss: str, other: str, options: dict[str, object], ends: list[tuple[str, str]]) -> None:
    """As executions say it; a thread that is not started neither fails nor is blocked."""
    local = "var a : int"
    result = run(f"var x : int var y : int process p0 {{ {local} {boss} }} process p1 {{ {local} {other} }}", **options)
    assert sorted(execution.ends for execution in result.traces) == ends
    assert sum(execution.complete for execution in result.traces) == result.executions
    assert sum(bool(execution.violations) for execution in result.traces) == result.violations


def test_accesses_before_the_start_are_not_revisited_by_the_started_thread() -> None:
    text = "var x : int\n" + thread("p0", "a <- x; start p1") + thread("p1", "1 -> x")
    (outcome,) = run(text, "weak").outcomes
    assert outcome.state["p0:a"] == 0


def test_events_of_a_started_thread_are_dropped_with_its_start() -> None:
    """p2's write revisits p0's read, which decides whether p1 starts."""
    text = (
        "var x : int var y : int\n"
        "process p0 { var a : int init loc L0 loc L1 final loc L2\n"
        "  L0 -> L1 { a <- x } L1 -> L2 { assume a = 0; start p1 } L1 -> L2 { assume a = 1 } }\n"
        + thread("p1", "1 -> y")
        + thread("p2", "1 -> x")
    )
    assert sorted(outcome.state["y"] for outcome in run(text).outcomes) == [0, 1]


def test_start_and_join_where_load_buffering_is_allowed() -> None:
    """A started process is in program order behind its start, and before what follows its join."""
    result = run(FORK, "coherence")
    assert result.demoted == {}
    assert result.executions >= run(FORK, "sc").executions


COUNTER = "lock(m); a <- x; a + 1 -> x; unlock(m)"


@pytest.mark.parametrize("model", ["sc", "tso", "pso", "ra", "weak", "weak-a9"])
def test_a_mutex_excludes(model: str) -> None:
    text = "var m : synthetic var x : int\n" + thread("p0", COUNTER) + thread("p1", COUNTER)
    result = run(text, model)
    assert result.executions == 2
    assert [outcome.state["x"] for outcome in result.outcomes] == [2, 2]


CROSSED = (
    "var m : synthetic var n : synthetic\n"
    + thread("p0", "lock(m); lock(n); unlock(n); unlock(m)")
    + thread("p1", "lock(n); lock(m); unlock(m); unlock(n)")
)


@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
def test_a_deadlock_is_reported_with_the_places_of_all_threads(model: str) -> None:
    result = run(CROSSED, model)
    assert (result.verdict, result.violations, result.executions) == ("violation", 1, 2)
    assert result.witness is not None
    assert [(v.kind, v.thread, v.text) for v in result.witness.violations] == [
        ("deadlock", 0, "lock(n)"),
        ("deadlock", 1, "lock(m)"),
    ]


def test_who_waits_for_a_mutex_that_comes_free_is_not_deadlocked() -> None:
    text = "var m : synthetic\n" + thread("p0", "lock(m); unlock(m)") + thread("p1", "lock(m); unlock(m)")
    result = run(text)
    assert (result.verdict, result.executions, result.violations) == ("safe", 2, 0)


def test_locking_twice_is_a_deadlock_of_one() -> None:
    result = run("var m : synthetic\n" + thread("p0", "lock(m); lock(m)"))
    assert result.verdict == "violation"
    assert result.witness is not None
    assert [v.kind for v in result.witness.violations] == ["deadlock"]
