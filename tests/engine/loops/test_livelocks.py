"""Threads that undo each other's work for ever: fair cycles of runs in which threads take turns."""

from __future__ import annotations

from random import Random

import pytest
from oracle.buffers import rounds
from oracle.buffers.rounds import Wrong, goes_on, random_threads, to_xcfa

import xgen
from tests.engine.loops.test_spinning import MUTEXES, both, give, in_c, tries
from xgen import Execution, Program
from xgen.analyses.explain import explain, waiting
from xgen.engine.explicit.turns import Turns, look_for_cycle, may_go_on
from xgen.engine.problem import problem
from xgen.memory.statics.sequential import allows_turns
from xgen.views.answers.text import verdict_line

MODELS = ("sc", "tso", "pso", "ra", "rc11", "rc11-c20", "weak")


def looked_for(program: Program, model: str = "sc") -> Turns:
    asked = problem(program, xgen.model(model))
    return look_for_cycle(asked) if may_go_on(asked) else Turns(None, complete=True)


def livelocks(program: Program, model: str = "rc11") -> list[str]:
    """What a check says of each thread that goes on for ever; none where it has another verdict."""
    result = xgen.check(program, xgen.model(model), liveness=True, timeout=20)
    if result.verdict != "violation" or result.witness is None:
        return []
    return [f"{violation.kind}: {violation.message}" for violation in result.witness.violations]


# --- Programs ---------------------------------------------------------------------------------------------------------

FOR_EVER = {
    "oscillation": ("while (l != 2) l = !l;",),
    "longer": ("while (l < 10) l = (l + 1) % 10;",),
    "one is never seen": ("while (done != 1) { l = 1; l = 2; }", "while (l != 2) { } done = 1;"),
    "twice as often": (
        "while (done != 1) l = 1 - l;",
        "for (;;) { if (l == 0) break; if (l == 1) break; done = 0; } done = 1;",
    ),
    "taken and given back": ("for (;;) { if (atomic_fetch_add(&l, 1) == 0) break; atomic_fetch_add(&l, -1); }",) * 3,
    "undone": ("while (l != 2) if (l == 0) l = 1;", "while (l != 2) if (l == 1) l = 0;"),
}
"""The bodies of threads, of which the first ones are after Dartagnan's tests of non-termination (POPL 2026)."""


@pytest.mark.parametrize("name", FOR_EVER)
@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_for_ever(name: str, model: str) -> None:
    found = livelocks(in_c(*FOR_EVER[name]), model)
    assert found
    assert all(said.startswith("livelock: goes round for ever: each round writes ") for said in found)


ENDS = {
    "only if the other one never comes": ("while (!done) { l = 1; l = 0; }", "done = 1;"),
    "the mutex is had in the end": (
        "for (;;) { pthread_mutex_lock(&a); n ^= 1; if (done) break; pthread_mutex_unlock(&a); }",
        "pthread_mutex_lock(&a); done = 1; pthread_mutex_unlock(&a);",
    ),
    "a lock by an exchange": ("while (atomic_exchange(&l, 1)); n++; l = 0;",) * 2,
    "a counter": ("int v = l; while (!atomic_compare_exchange_strong(&l, &v, v + 1)); ",) * 3,
    "odd rounds are the same": ("for (;;) { if (!done) done = 1; else { if (++l == 2) break; done = 0; } }",),
}


@pytest.mark.parametrize("name", ENDS)
def test_ends(name: str) -> None:
    """A cycle that leaves out for ever who could go on is none."""
    assert looked_for(in_c(*ENDS[name], shared=MUTEXES)) == Turns(None, complete=True)


def test_who_waits_may_wait_meanwhile() -> None:
    """The third thread waits for a mutex that is never given back, and two others go on for ever."""
    hold = "pthread_mutex_lock(&a);"
    found = looked_for(in_c(*FOR_EVER["undone"], hold, hold, shared=MUTEXES))
    assert found.witness is not None
    assert found.witness.ends == ("blocked", "blocked", "blocked", "ended", "blocked")


@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_two_who_each_have_one_mutex(model: str) -> None:
    program = in_c(both("a", "b") + give("b", "a"), both("b", "a") + give("a", "b"), shared=MUTEXES)
    result = xgen.check(program, xgen.model(model), liveness=True)
    assert result.witness is not None
    assert {violation.kind for violation in result.witness.violations} == {"livelock"}
    assert "goes round for ever: each round takes and gives back a at " in verdict_line(result)
    assert (result.verdict, result.exhaustive, result.left_out) == ("violation", False, ())


def test_rounds_that_end_are_known_to_under_sc() -> None:
    """One takes the mutexes in the same order as the other: who has the first one has both in the end."""
    program = in_c(both("a", "b") + give("b", "a"), both("a", "b") + give("b", "a"), shared=MUTEXES)
    result = xgen.check(program, xgen.model("sc"), liveness=True)
    assert (result.verdict, result.exhaustive, result.left_out) == ("safe", True, ())
    result = xgen.check(program, xgen.model("rc11"), liveness=True)
    assert (result.verdict, result.exhaustive, len(result.left_out)) == ("safe-within-bound", False, 2)
    line = verdict_line(result)
    said = "safe; whether threads undo each other's work for ever is not known: rounds of"
    assert line.startswith(f"{said} {result.left_out[0]} and ")
    assert "no thread waits" not in line


def test_what_is_not_asked() -> None:
    """Without the option, with a bound, and of models whose form does not show that they allow it."""
    program = in_c(tries("a", "b") + give("b", "a"), tries("b", "a") + give("a", "b"), shared=MUTEXES)
    assert xgen.check(program, xgen.model("rc11")).verdict == "safe"
    assert xgen.check(in_c(*FOR_EVER["undone"]), xgen.model("rc11"), liveness=True, max_depth=6).witness is None
    bounded = in_c(*FOR_EVER["undone"], unroll=2)
    assert xgen.check(bounded, xgen.model("rc11"), liveness=True).witness is None
    shown = [
        name for name in ("riscv", "lkmm", "ptx", "vulkan", "opencl", "cuda", "hip") if allows_turns(xgen.model(name))
    ]
    assert shown == []
    assert all(allows_turns(xgen.model(name)) for name in (*MODELS, "arm8", "arm", "power", "coherence"))


# --- Random programs --------------------------------------------------------------------------------------------------


def follows(threads: rounds.Threads, witness: Execution) -> None:
    """Fails where the last round of an execution does not go on for ever."""
    state, started = rounds.start(threads), {t: w.start for t, w in enumerate(witness.waits) if w is not None}
    inner = sorted(
        (event for event in witness.events if event.thread >= 0 and event.kind != "F"), key=lambda event: event.step
    )
    turns: list[tuple[int, list[tuple[str, str, object]]]] = []
    at, before = 0, 0
    while at < len(inner):
        event = inner[at]
        after, accesses = rounds.events(threads, state, event.thread)
        own = inner[at : at + len(accesses)]
        assert [(e.thread, e.kind, e.variable, e.value) for e in own] == [(event.thread, *each) for each in accesses]
        turns.append((event.thread, accesses))
        state, at = after, at + len(accesses)
        before += event.index < started.get(event.thread, len(witness.events))
    again = turns[before:]
    assert any(kind == "W" for _, accesses in again for kind, _, _ in accesses)
    going = {thread for thread, _ in again}
    for _ in range(4):
        for thread, accesses in again:
            for other in set(range(len(threads))) - going:
                now = rounds.at_access(threads, state, other)
                place = now[0][other]
                by_itself = place < len(threads[other]) and threads[other][place].op in ("test", "assume")
                assert by_itself or not rounds.able(threads, now, other)
            state, now_ = rounds.events(threads, state, thread)
            assert now_ == accesses


def compare(seed: int) -> bool | None:
    """Compares a random program with its states; whether it goes on for ever, None where something goes wrong."""
    threads = random_threads(Random(seed))
    text = to_xcfa(threads)
    found = looked_for(xgen.parse(text, "xcfa"))
    expected: bool | None
    try:
        expected = goes_on(threads)
    except Wrong:
        expected = None  # perhaps only in a run that an assumption excludes
    if expected is not None:
        assert (found.witness is not None) == expected, text
        assert found.complete == (not expected), text
    if found.witness is not None:
        follows(threads, found.witness)
    return expected


def test_random_programs() -> None:
    seen = [compare(seed) for seed in range(150)]
    assert seen.count(True) > 20
    assert seen.count(False) > 20


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in range(10_000, 12_500):
        compare(seed)


def test_other_commands_say_what_is_not_known() -> None:
    """Fences and explanations are of executions, of which such rounds were left out."""
    program = in_c(both("a", "b") + give("b", "a"), both("b", "a") + give("a", "b"), shared=MUTEXES)
    said = "whether threads undo each other's work for ever is not known: rounds of "
    placed = xgen.fences(program, xgen.model("rc11"), liveness=True)
    assert [warning for warning in placed.warnings if warning.startswith(said)]
    explained = explain(waiting(program, xgen.model("rc11")), timeout=1)
    assert [warning for warning in explained.warnings if warning.startswith(said)]
