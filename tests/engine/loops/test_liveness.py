"""Executions in which threads wait for ever (`--liveness`)."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from oracle.buffers import waiting
from oracle.buffers.fair import Memory, Threads, Writer, hangs, random_race, random_threads, to_xcfa

import xgen
from xgen.engine.graphs.fair_extension import with_rounds
from xgen.errors import UsageError
from xgen.executions.result import Result
from xgen.memory.evaluate import Evaluator

MACHINES: tuple[Memory, ...] = ("sc", "tso", "pso")
MODELS = ("sc", "tso", "pso", "ra", "rc11", "weak")


@cache
def model(name: str) -> xgen.Model:
    return xgen.model(name)


def threads(*writers: Writer) -> Threads:
    return tuple(tuple(writer.steps) for writer in writers)


def store_buffering(fenced: bool) -> Threads:
    """Who sees the other's store says so; a third thread waits for that."""
    racers = Writer(), Writer()
    for racer, mine, other in ((racers[0], "x", "y"), (racers[1], "y", "x")):
        racer.store(mine, 1)
        if fenced:
            racer.fence()
        racer.store_if(racer.load(other), 1, "z", 1)
    waiter = Writer()
    waiter.wait(("z", 1))
    return threads(*racers, waiter)


def message_passing() -> Threads:
    """The data is reported by who has seen the flag; a third thread waits for the report."""
    sender, receiver, waiter = Writer(), Writer(), Writer()
    sender.store("data", 1)
    sender.store("flag", 1)
    receiver.wait(("flag", 1))
    receiver.store_if(receiver.load("data"), 1, "z", 1)
    waiter.wait(("z", 1))
    return threads(sender, receiver, waiter)


def answers(first: str, second: str) -> Threads:
    """`handshake`: one stores and waits for the answer. `crossed`: both wait for each other's store."""
    one, other = Writer(), Writer()
    for writer, order, mine, theirs in ((one, first, "x", "y"), (other, second, "y", "x")):
        for part in order.split():
            if part == "store":
                writer.store(mine, 1)
            else:
                writer.wait((theirs, 1))
    return threads(one, other)


def lost_wake_up() -> Threads:
    """The signal is taken back, seen or not."""
    sender, waiter = Writer(), Writer()
    sender.store("x", 1)
    sender.store("x", 0)
    waiter.wait(("x", 1))
    return threads(sender, waiter)


TABLE: dict[str, tuple[Threads, str]] = {
    # name: (the threads, the models under which a thread may wait for ever)
    "store buffering": (store_buffering(False), "tso pso ra rc11 weak"),
    "store buffering with fences": (store_buffering(True), ""),
    "message passing": (message_passing(), "pso rc11 weak"),
    "handshake": (answers("store wait", "wait store"), ""),
    "crossed awaits": (answers("wait store", "wait store"), "sc tso pso ra rc11 weak"),
    "lost wake-up": (lost_wake_up(), "sc tso pso ra rc11 weak"),
}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("memory", MODELS)
def test_table(name: str, memory: str) -> None:
    program, hanging = TABLE[name]
    result = xgen.check(xgen.parse(to_xcfa(program, "relaxed"), "xcfa"), model(memory), liveness=True)
    expected = "violation" if memory in hanging.split() else "safe"
    assert result.verdict == expected
    if result.witness:
        assert {violation.kind for violation in result.witness.violations} == {"await"}
    if memory in MACHINES:
        assert hangs(program, memory) == (expected == "violation")


def differing(program: Threads) -> bool:
    """Compares the engine with the machines; whether these differ from each other."""
    text = to_xcfa(program)
    parsed = xgen.parse(text, "xcfa")
    verdicts = set()
    for memory in MACHINES:
        expected = hangs(program, memory)
        verdicts.add(expected)
        found = xgen.check(parsed, model(memory), liveness=True)
        counted = xgen.check(parsed, model(memory), all_states=True)
        assert found.verdict == ("violation" if expected else "safe"), f"{text}under {memory}"
        assert (counted.stuck > 0, counted.violations) == (expected, 0), f"{text}under {memory}"
    return len(verdicts) > 1


ROUNDS = [range(20), pytest.param(range(20, 60), marks=pytest.mark.slow)]


@pytest.mark.parametrize("seeds", ROUNDS, ids=str)
def test_random_races(seeds: range) -> None:
    assert sum(differing(random_race(Random(seed))) for seed in seeds) >= len(seeds) // 20


@pytest.mark.parametrize("seeds", ROUNDS, ids=str)
def test_random_programs(seeds: range) -> None:
    for seed in seeds:
        differing(random_threads(Random(seed)))


@pytest.mark.sweep
@pytest.mark.parametrize("memory", ["ra", "rc11", "weak", "power", "arm8", "riscv"])
def test_against_all_executions_with_awaits_written_out(memory: str) -> None:
    """Models without a machine: the oracle builds every execution, and asks whether all who wait read last writes."""
    tag = "relaxed" if memory in ("ra", "rc11") else ""
    seen = set()
    for seed in range(24):
        make = waiting.random_race if seed % 3 else waiting.random_acts
        acts = make(Random(seed))
        text = to_xcfa(waiting.to_threads(acts), tag)
        found = xgen.check(xgen.parse(text, "xcfa"), model(memory), liveness=True)
        seen.add(found.verdict)
        expected = "violation" if waiting.hangs(acts, model(memory), tag) else "safe"
        assert found.verdict == expected, f"{text}under {memory}"
    assert seen == {"safe", "violation"}


TIRED = """model "tired"
all = po | rf | mo | fr
all acyclic as order "x"
same = (rf^-1 ; rf) & po
again = same ; same
again empty as tired "no thread reads the same write three times"
"""


def test_further_rounds_must_be_allowed() -> None:
    """In a model that forbids a third read of the same write, nobody waits for ever; two more rounds are tried."""
    tired = xgen.parse_model(TIRED)
    result = xgen.check(xgen.parse(HEAD + WAITER.format("w", "x"), "xcfa"), tired, liveness=True)
    assert (result.verdict, result.blocked, result.stuck) == ("vacuous", 1, 0)
    assert list(result.warnings) == [
        "what waits for ever is not certified: the model tired allows 2 more rounds, and may forbid later ones",
        "a blocked execution ends with w at line 5 (`r <- x`)",
    ]
    four = xgen.parse_model(TIRED.replace("same ; same", "same ; same ; same ; same ; same"))
    result = xgen.check(xgen.parse(HEAD + WAITER.format("w", "x"), "xcfa"), four, liveness=True)
    assert (result.verdict, result.stuck) == ("violation", 1)


@pytest.mark.parametrize("memory", ["sc", "tso", "rc11", "arm8", "power", "riscv", "lkmm"])
def test_what_further_rounds_are(memory: str) -> None:
    """Each waiting thread gets its last round twice more; shipped models allow that, though not all by their form."""
    met = 0
    for seed in range(12):
        acts = waiting.random_race(Random(seed))
        parsed = xgen.parse(to_xcfa(waiting.to_threads(acts), "once" if memory == "lkmm" else "relaxed"), "xcfa")
        for execution in xgen.executions(parsed, model(memory)):
            if not execution.waits:
                continue
            met += 1
            more = with_rounds(execution)
            evaluator = Evaluator(more)
            assert all(evaluator.holds(c.condition) for c in model(memory).constraints if not c.flag)
            for thread in range(len(execution.threads)):
                added = [e.label for e in more.events if e.thread == thread][
                    sum(e.thread == thread for e in execution.events) :
                ]
                assert added == [event.label for event in execution.round_of(thread)] * 2
                assert [e.index for e in more.events if e.thread == thread] == list(
                    range(sum(e.thread == thread for e in more.events))
                )
            last = {order[-1] for order in more.mo}
            origin = {read: write for write, read in more.rf}
            assert all(
                origin[n] in last
                for n, e in enumerate(more.events)
                if e.thread >= 0 and e.kind == "R" and e.index >= sum(o.thread == e.thread for o in execution.events)
            )
    assert met > 3


def both_take(waiting_first: bool) -> Threads:
    """Two threads take a lock and give it back."""
    takers = Writer(), Writer()
    for taker in takers:
        taker.take("lock", waiting_first)
        taker.store("lock", 0)
    return threads(*takers)


def seen_twice() -> Threads:
    """A round reads one variable twice."""
    sender, waiter = Writer(), Writer()
    sender.store("x", 2)
    sender.store("x", 1)
    waiter.wait(("x", 3), ("x", 1))
    return threads(sender, waiter)


@pytest.mark.parametrize("memory", MODELS)
@pytest.mark.parametrize(
    "program",
    [both_take(True), both_take(False), seen_twice()],
    ids=["await in a retry loop", "retry loop", "one variable twice"],
)
def test_no_false_alarms(program: Threads, memory: str) -> None:
    result = xgen.check(xgen.parse(to_xcfa(program, "relaxed"), "xcfa"), model(memory), liveness=True, all_states=True)
    assert (result.verdict, result.stuck) == ("safe", 0)
    assert result.executions > 0
    if memory in MACHINES:
        assert not hangs(program, memory)


def check(text: str, memory: str = "sc", **options: object) -> Result:
    return xgen.check(xgen.parse(text, "xcfa"), model(memory), **options)  # type: ignore[arg-type]


HEAD = "var x : int\nvar y : int\nvar m : synthetic\n"
WAITER = "process {0} {{ var r : int init loc L loc M final loc E\nL -> M {{ r <- {1} }}\n" \
    "M -> L {{ assume r = 0 }} M -> E {{ assume r /= 0 }} }}\n"  # fmt: skip

SHAPES: dict[str, tuple[str, int, int, int]] = {
    # name: (the processes, complete executions, blocked ones, stuck ones)
    "a load that is not done in each round": (
        "process p { var a : int var b : int init loc L loc M loc N loc K final loc E L -> M { a <- x }"
        " M -> L { assume a = 0 } M -> N { assume a /= 0 } N -> K { b <- y } K -> L { assume b = 0 }"
        " K -> E { assume b /= 0 } }\n"
        "process q { init loc A final loc E A -> E { 1 -> x 1 -> y } }", 1, 0, 0,
    ),
    "an assume is no waiting": (
        "process p { var r : int init loc A final loc E A -> E { r <- x assume r = 1 } }", 0, 1, 0,
    ),
    "nor is it beside a thread that waits": (
        WAITER.format("w", "y") + "process p { var r : int init loc A final loc E A -> E { r <- x assume r = 1 } }",
        0, 1, 0,
    ),
    "a loop without events": (
        "process p { init loc A final loc E A -> A { skip } }", 0, 1, 1,
    ),
    "a loop that has chosen": (
        "process p { var r : int init loc A loc B final loc E A -> B { r <- x } B -> A { skip } B -> E { skip } }",
        1, 1, 1,
    ),
    "one waits for a mutex, the other for a variable": (
        "process p { var r : int init loc L loc M loc N final loc E L -> M { lock(m) } M -> N { r <- x }"
        " N -> M { assume r = 0 } N -> E { assume r /= 0 } }\n"
        "process q { init loc A final loc E A -> E { lock(m) 1 -> x unlock(m) } }", 1, 2, 1,
    ),
    "a thread that joins one that waits": (
        WAITER.format("w", "x") + "process p { init loc A final loc E A -> E { start w join w } }", 0, 1, 1,
    ),
    "a store exclusive may fail, but not for ever": (
        "process p { var r : int var s : int init loc L loc M final loc E\n"
        "L -> M { r <- load_exclusive(x) s <- store_exclusive(x, 1) }"
        " M -> L { assume s = 1 } M -> E { assume s = 0 } }", 1, 1, 0,
    ),
    "a loop in an atomic block": (
        "process p { var r : int init loc A loc L loc M loc N final loc E A -> L { atomic-begin } L -> M { r <- x }"
        " M -> L { assume r = 0 } M -> N { assume r /= 0 } N -> E { atomic-end } }", 0, 1, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    processes, *counts = SHAPES[name]
    result = check(HEAD + processes, all_states=True)
    assert [result.executions, result.blocked, result.stuck] == counts
    assert result.vacuous == (result.executions == 0)
    strict = check(HEAD + processes, all_states=True, liveness=True)
    assert (strict.violations, strict.verdict == "violation") == (result.stuck, result.stuck > 0)


def test_deadlocks_stay_deadlocks() -> None:
    text = HEAD + "process p { init loc A final loc E A -> E { lock(m) lock(m) } }"
    for liveness in (False, True):
        result = check(text, liveness=liveness)
        assert result.witness
        assert [violation.kind for violation in result.witness.violations] == ["deadlock"]


MESSAGES = {
    # the processes: line and message of each violation
    WAITER.format("w", "x"): [(5, "waits for ever: the loop reads x = 0, which no thread changes any more")],
    WAITER.format("w", "x") + "process p { init loc A final loc E A -> E { start w\njoin w } }": [
        (5, "waits for ever: the loop reads x = 0, which no thread changes any more"),
        (8, "waits for ever: w does not end"),
    ],
    "process p { init loc A final loc E\nA -> A { skip } }": [
        (5, "waits for ever: the loop reads nothing that could end it")
    ],
    "process p { var r : int init loc A loc B final loc E A -> B { r <- x\nr <- y } B -> A { assume r = 0 }"
    " B -> E { assume r /= 0 } }\nprocess q { init loc A final loc E A -> E { 2 -> x } }": [
        (4, "waits for ever: the loop reads x = 2 and y = 0, which no thread changes any more")
    ],
}


@pytest.mark.parametrize("processes", MESSAGES)
def test_who_waits_and_for_what(processes: str) -> None:
    result = check(HEAD + processes, liveness=True)
    assert result.witness
    found = [(violation.position.line, violation.message) for violation in result.witness.violations]
    assert found == MESSAGES[processes]
    assert {violation.kind for violation in result.witness.violations} == {"await"}


def test_last_rounds() -> None:
    text = HEAD + WAITER.format("w", "x") + "process p { init loc A final loc E A -> E { 1 -> y } }"
    (execution,) = xgen.executions(xgen.parse(text, "xcfa"), model("sc"))
    assert execution.waits == (range(0, 1), None)
    assert [event.label for event in execution.round_of(0)] == ["R x = 0"]
    assert execution.round_of(1) == []
    assert execution.violations == ()


def test_bounds() -> None:
    # What the bound cuts is not stuck; what waits within it is.
    text = HEAD + WAITER.format("w", "y") + "process p { init loc A A -> A { 1 -> x } }"
    cut = check(text, max_depth=3, liveness=True)
    assert (cut.verdict, cut.stuck, cut.blocked) == ("vacuous", 0, 0)
    within = check(HEAD + WAITER.format("w", "y"), max_depth=3, liveness=True)
    assert (within.verdict, within.stuck) == ("violation", 1)


def test_workers_and_parts_find_the_same() -> None:
    parsed = xgen.parse(to_xcfa(store_buffering(False)), "xcfa")
    one = xgen.check(parsed, model("tso"), all_states=True)
    two = xgen.check(parsed, model("tso"), all_states=True, workers=2)
    assert one.stuck > 0
    assert (one.stuck, one.waits) == (two.stuck, two.waits)


def test_rounds_must_be_recognised() -> None:
    with pytest.raises(UsageError):
        check(HEAD + WAITER.format("w", "x"), liveness=True, unroll=True, max_depth=3)


@pytest.mark.parametrize(
    ("memory", "warning"),
    [
        ("sc", None),
        ("rc11", None),
        ("arm8", "what waits for ever is not certified: the model arm8 allows load buffering"),
    ],
)
def test_what_is_not_certified(memory: str, warning: str | None) -> None:
    result = check(HEAD + WAITER.format("w", "x"), memory, liveness=True)
    assert list(result.warnings) == ([warning] if warning else [])
    assert check(HEAD + WAITER.format("w", "x"), memory).warnings == ()
