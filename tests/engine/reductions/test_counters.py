"""Threads that count apart, where nobody sees the order of their updates, against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
from oracle.against import expected_executions
from oracle.compare import key_of_execution
from oracle.enumerate import Execution, TooManyError
from oracle.expressions import Binary, Const, Local
from oracle.programs import (
    Assert,
    Assume,
    Block,
    Fence,
    If,
    Load,
    Program,
    Rmw,
    RmwOperation,
    Statement,
    Store,
    Thread,
    Variable,
)

import xgen
from xgen.engine import counters
from xgen.engine.counters import without_orders
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run, executions
from xgen.engine.problem import Problem, problem
from xgen.records import replace

MODELS = ("rc11", "rc11", "rc11-c20", "sc", "tso", "pso")
FAST, SLOW, LONG = 16, 200, 20_000
"""Programs in every run, in a slow one, and in a long one."""
ROUNDS = [
    pytest.param(range(FAST), id="fast"),
    pytest.param(range(FAST, SLOW), id="slow", marks=pytest.mark.slow),
    pytest.param(range(SLOW, LONG), id="long", marks=pytest.mark.long),
]
LIMIT = 300
"""Programs with more candidate executions are left out."""
OPTIONS = Options(all_states=True, trace_limit=256, stream=True, unroll=True)
COUNTED = "n"


_ORDERS = (
    ("relaxed",),
    ("relaxed", "release"),
    ("relaxed", "acquire"),
    ("relaxed", "release", "acquire"),
    ("acq_rel",),
)


def random_program(rng: Random) -> Program:
    """Threads that count in n, and read and write x and y. In half of the programs each reads before it writes."""
    orders = rng.choice(_ORDERS)
    fences = rng.random() < 0.3
    buffering = rng.random() < 0.5
    threads = rng.choice((2, 2, 3))
    bodies = [_body(rng, number, threads, orders, fences, buffering) for number in range(threads)]
    shared = (Variable("x"), Variable("y"), Variable(COUNTED, initial=rng.choice((0, 1, 3, 5))))
    return Program(shared, tuple(Thread(f"t{n}", _locals(n), body) for n, body in enumerate(bodies)))


def _body(rng: Random, number: int, threads: int, orders: tuple[str, ...], fences: bool, buffering: bool) -> Block:
    names = [local.name for local in _locals(number)]
    body: list[Statement] = [
        _update(rng, rng.choice((None, names[each])), orders) for each in range(rng.randint(1, 2 if threads > 2 else 3))
    ]
    one, other = ("x", "y") if number % 2 == 0 else ("y", "x")
    accesses: list[Statement] = [_read(rng, number, one), _write(rng, number, other)]
    if not buffering:
        accesses = [rng.choice((_read, _write))(rng, number, rng.choice("xy")) for _ in range(rng.randint(0, 3))]
    places = sorted(rng.randint(0, len(body)) for _ in accesses)
    for done, (place, access) in enumerate(zip(places, accesses, strict=True)):
        body.insert(place + done, access)
    if fences:
        tag = rng.choice(("acquire", "release", "acquire", "release", "acq_rel", "seq_cst"))
        body.insert(rng.randint(0, len(body)), Fence(tag))
    for place in reversed(range(len(body))):
        update = body[place]
        if isinstance(update, Rmw) and update.local is not None and rng.random() < 0.8:
            body.insert(rng.randint(place + 1, len(body)), _test(rng, update.local, other))
    return tuple(body)


_KINDS: tuple[RmwOperation, ...] = ("fetch_add", "fetch_add", "fetch_sub")


def _read(rng: Random, number: int, variable: str) -> Statement:
    return Load(f"r{number}", variable, rng.choice(("relaxed", "relaxed", "acquire", "seq_cst")))


def _write(rng: Random, number: int, variable: str) -> Statement:
    return Store(variable, Const(number + 1), rng.choice(("relaxed", "relaxed", "release", "seq_cst")))


def _locals(number: int) -> tuple[Variable, ...]:
    """Four for what is read of the counter, and one for another read."""
    return *(Variable(f"c{number}{each}") for each in range(4)), Variable(f"r{number}")


def _update(rng: Random, local: str | None, orders: tuple[str, ...]) -> Rmw:
    return Rmw(local, rng.choice(_KINDS), COUNTED, (Const(rng.choice((1, 1, 2))),), (rng.choice(orders),))


def _test(rng: Random, local: str, variable: str) -> Statement:
    compared = Binary(
        rng.choice(("=", "=", "/=", "<")), Local(local), Const(rng.choice((-30, 30, -30, 30, -30, 30, 0, 3)))
    )
    done = Store(variable, Const(7), "relaxed")
    return rng.choice(
        (If(compared, (done,)), If(compared, (done,), (Fence("acquire"),)), Assume(compared), Assert(compared))
    )


def close(rng: Random) -> Program:
    """Threads that only count, and compare what they read with numbers that the counter may just hold, or just not."""
    first, bodies, most = rng.choice((0, 1, 5)), [], 0
    for number in range(2):
        body: list[Statement] = []
        for each in range(rng.randint(1, 3)):
            by = rng.choice((1, 1, 2))
            most += by
            body.append(Rmw(f"c{number}{each}", rng.choice(_KINDS), COUNTED, (Const(by),), ("relaxed",)))
        if number:
            body.insert(rng.randint(0, len(body)), Load("r1", "x", "relaxed"))
        bodies.append(body)
    for number, body in enumerate(bodies):
        place = rng.randrange(len(body))
        read = body[place]
        if isinstance(read, Rmw) and rng.random() < 0.8:
            assert read.local is not None
            compared = Binary(
                rng.choice(("=", "/=", "<", "<=")), Local(read.local), Const(first + rng.randint(-most, most))
            )
            then: tuple[Statement, ...] = (Store("x", Const(7 + number), "relaxed"),)
            if rng.random() < 0.3:
                then = (*then, Rmw(None, "fetch_add", COUNTED, (Const(0),), ("relaxed",)))
            body.insert(place + 1, rng.choice((If(compared, then), Assert(compared))))
    shared = (Variable("x"), Variable("y"), Variable(COUNTED, initial=first))
    return Program(shared, tuple(Thread(f"t{n}", _locals(n), tuple(body)) for n, body in enumerate(bodies)))


def synchronising(rng: Random) -> Program:
    """Threads that read and write before they count and behind that, and may acquire and release by it."""
    threads = rng.choice((2, 2, 3))
    bodies = []
    for number in range(threads):

        def access(own: str = f"p{number}", number: int = number) -> Statement:
            place = rng.choice(("x", "y", "x", "y", "q", own))
            return (_read if place == "q" or rng.random() < 0.5 else _write)(rng, number, place)

        update = [_update(rng, None, ("acq_rel", "acq_rel", "acquire", "release", "relaxed")) for _ in range(2)]
        body = [access() for _ in range(rng.choice((0, 1, 1, 2) if threads == 2 else (0, 1, 1)))]
        body += [update[0], *(access() for _ in range(rng.choice((0, 0, 1, 1, 2) if threads == 2 else (0, 0, 1))))]
        if rng.random() < 0.4:
            body.insert(rng.randint(0, len(body)), update[1])
        bodies.append(Thread(f"t{number}", _locals(number), tuple(body)))
    return Program(tuple(map(Variable, ("x", "y", "q", "p0", "p1", "p2", COUNTED))), tuple(bodies))


def hidden(program: xgen.Program) -> xgen.Program:
    """The program, of which final states do not list what was read of the counter."""

    def each(process: Any) -> Any:
        variables = tuple(replace(v, shown=v.shown and not v.name.startswith("c")) for v in process.variables)
        procedures = tuple(each(procedure) for procedure in getattr(process, "procedures", ()))
        return replace(process, variables=variables, **({"procedures": procedures} if procedures else {}))

    return replace(program, processes=tuple(map(each, program.processes)))


def apart(text: str, mcm: str) -> tuple[Problem, Problem | None]:
    """The problem of a program, and that in which threads count apart."""
    whole = problem(hidden(xgen.parse(text, "xcfa")), model(mcm), private=True, parts=True)
    made = without_orders(whole)
    return whole, None if made is None else made[0]


@cache
def model(name: str) -> xgen.Model:
    return xgen.model(name)


def seen(execution: Execution, first: int) -> tuple[object, ...]:
    """What is seen of an execution without the order of updates of the counter, which holds `first` at first."""
    places: dict[tuple[object, object], tuple[object, object]] = {}
    threads = []
    for thread, trace in enumerate(execution.threads):
        own = [place for place, event in enumerate(trace.events) if not _counts(event.variable)]
        places |= {(thread, place): (thread, number) for number, place in enumerate(own)}
        threads.append((tuple(trace.events[place] for place in own), trace.end))
    rf = frozenset((places.get(a, a), places[b]) for a, b in execution.rf if b in places)
    mo = frozenset(tuple(places.get(w, w) for w in order) for order in execution.mo if not _counts(str(order[0][1])))
    last: object = first
    for order in execution.mo:
        if order[0][1] == COUNTED:
            thread, place = order[-1]
            last = execution.threads[thread].events[place].value  # type: ignore[index, call-overload]
    whole = all(trace.end == "ended" for trace in execution.threads)
    return tuple(threads), rf, mo, last if whole else None


def _counts(variable: str | None) -> bool:
    return variable is not None and variable.split()[0] == COUNTED


def with_main(rng: Random, text: str, threads: int) -> str:
    """The program with a thread that starts the others, perhaps counts itself, and reads the counter in the end."""
    counted = f"fetch_add({COUNTED}, 1) @relaxed" if rng.random() < 0.5 else "skip"
    order = rng.choice(("relaxed", "acquire", "seq_cst"))
    steps = [*(f"start t{n}" for n in range(threads)), *(f"join t{n}" for n in range(threads))]
    steps.insert(rng.randint(0, threads), counted)
    steps += [f"r <- {COUNTED} @{order}", "r -> x @relaxed", rng.choice(("skip", f"fetch_add({COUNTED}, 5) @relaxed"))]
    edges = "".join(f"L{n} -> L{n + 1} {{ {step} }}\n" for n, step in enumerate(steps))
    places = "".join(f"loc L{n}\n" for n in range(1, len(steps)))
    own = f"main process m {{ var r : int\ninit loc L0\n{places}final loc L{len(steps)}\n{edges}}}\n"
    return text.replace("main process", "process") + own


def compare(program: Program, mcm: str, main: Random | None = None) -> bool:
    """Whether threads may count apart. If so, there is one execution for each class of those of the oracle; with a
    thread that starts the others, which the oracle does not know, of those that xgen finds in the whole program."""
    text = str(program) if main is None else with_main(main, str(program), len(program.threads))
    whole, parts = apart(text, mcm)
    if parts is None:
        return False
    cell = next(number for number, cell in enumerate(whole.code.cells) if cell.name == COUNTED)
    if main is None:
        every: Iterable[Execution] = expected_executions(program, whole.asked, limit=LIMIT)
    else:
        every = map(key_of_execution, executions(whole, OPTIONS))
    expected = {seen(execution, whole.code.initial[cell]) for execution in every}
    found = Counter(seen(key_of_execution(e), parts.code.initial[cell]) for e in executions(parts, OPTIONS))
    assert set(found) == expected, f"{text}\n{mcm}\n{found}\n{expected}"
    assert set(found.values()) <= {1}
    flags = []
    for each in (whole, parts):
        run = Run(each, Options(all_states=True))
        run.finish(None)
        told = found_by(run)
        flags.append((told.witness is not None, {name for name, count in told.flags.items() if count}))
    assert flags[0] == flags[1]
    return True


@pytest.mark.parametrize("seeds", ROUNDS)
def test_against_the_oracle(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "MANY", 0)
    compared = 0
    for seed in seeds:
        rng = Random(f"counters {seed}")
        program, mcm = random_program(rng), rng.choice(MODELS)
        try:
            compared += compare(program, mcm, rng if seed % 4 else None)
        except TooManyError:
            continue
    assert compared > len(seeds) // 8


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 400), marks=pytest.mark.slow)], ids=["fast", "slow"]
)
def test_numbers_that_the_counter_just_holds(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "MANY", 0)
    compared = 0
    for seed in seeds:
        rng = Random(f"close {seed}")
        with suppress(TooManyError):
            compared += compare(close(rng), rng.choice(("rc11", "sc")))
    assert compared > len(seeds) // 8


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 100), marks=pytest.mark.slow)], ids=["fast", "slow"]
)
def test_threads_that_synchronise_by_counting(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count apart where what comes behind an acquire is only counting, or of no interest to others."""
    monkeypatch.setattr(counters, "MANY", 0)
    compared = 0
    for seed in seeds:
        rng = Random(f"synchronising {seed}")
        with suppress(TooManyError):
            compared += compare(synchronising(rng), rng.choice(("rc11", "rc11-c20")), None if seed % 3 else rng)
    assert compared > len(seeds) // 4


STATISTICS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int hits, other;
void *worker(void *_) {
    for (int i = 0; i < 2; i++) {
        COUNT
    }
    return 0;
}
int main() {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(atomic_load(&hits) == SUM);
}
"""
RELAXED = "atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);"
ACQ_REL = RELAXED.replace("relaxed", "acq_rel")
REFERENCE = """atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&hits, 1, memory_order_release) == LAST) {
        atomic_thread_fence(memory_order_acquire);
        assert(0);
    }"""


def counted(count: str, total: int, mcm: str, first: int = 0, **options: Any) -> xgen.Result:
    text = STATISTICS.replace("COUNT", count).replace("SUM", str(total)).replace("int hits", f"int hits = {first}")
    return xgen.check(xgen.parse(text, "c", "count.c", map="none"), model(mcm), **options)


def test_statistics_have_one_execution() -> None:
    for mcm in ("sc", "rc11", "tso"):
        result = counted(RELAXED * 2, 12, mcm)
        assert (result.verdict, result.executions, result.exhaustive) == ("safe", 1, True)
        assert [o.state["hits"] for o in result.outcomes] == [12]
        assert [w for w in result.warnings if "counted once" in w and "hits" in w]


def test_a_reference_count_that_another_thread_keeps_above_zero() -> None:
    """Main keeps one in the first case; in the second one nobody does, and the order says who is last."""
    assert counted(REFERENCE.replace("LAST", "1"), 1, "rc11", first=1).executions == 1
    assert counted(REFERENCE.replace("LAST", "1"), 0, "sc").verdict == "violation"


def test_a_reference_count_that_acquires_and_releases() -> None:
    count = (
        REFERENCE.replace("LAST", "1")
        .replace("release", "acq_rel")
        .replace("atomic_thread_fence(memory_order_acquire);", "")
    )
    assert counted(count, 1, "rc11", first=1).executions == 1
    assert counted(count, 0, "rc11").verdict == "violation"


JOINED = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n = 1, x, y;
int a = 1, b = 1;
pthread_t t, u;
void copies(void) {
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
        if (atomic_fetch_sub_explicit(&n, 1, memory_order_acq_rel) == 1) assert(0);
    }
}
void *first(void *_) { atomic_store_explicit(&y, 1, memory_order_relaxed); copies(); return 0; }
void *second(void *_) { atomic_store_explicit(&x, 1, memory_order_relaxed); copies(); return 0; }
void *third(void *_) { pthread_join(t, 0); READS_X return 0; }
void *fourth(void *_) { pthread_join(u, 0); READS_Y return 0; }
int main() {
    pthread_t v, w;
    pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);
    pthread_create(&v, 0, third, 0); pthread_create(&w, 0, fourth, 0);
    pthread_join(v, 0); pthread_join(w, 0);
}
"""


def test_who_joins_a_thread_that_acquires_may_see_the_order() -> None:
    """Of two threads that have written and counted, one has counted last, so that who joins it reads what the other one
    has written."""
    text = JOINED.replace("READS_X", "a = atomic_load(&x);").replace("READS_Y", "b = atomic_load(&y);")
    result = xgen.check(xgen.parse(text, "c", "joined.c", map="none"), model("rc11"))
    assert {(o.state["a"], o.state["b"]) for o in result.outcomes} == {(0, 1), (1, 0), (1, 1)}
    assert not any("counted once" in warning for warning in result.warnings)


def test_a_violation_is_that_of_the_program() -> None:
    result = counted(RELAXED, 5, "rc11")
    assert result.verdict == "violation"
    assert result.witness is not None
    assert {e.variable for e in result.witness.events if e.variable} >= {"hits"}
    assert not any("hits of" in str(event.variable) for event in result.witness.events)
    assert not any("counted once" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("count", "mcm"),
    [
        ("hits++;", "rc11"),
        ("int n = atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed); atomic_store(&other, n);", "sc"),
        (RELAXED + "if (atomic_load(&hits) == 6) atomic_store(&other, 1);", "sc"),
        (RELAXED + "atomic_thread_fence(memory_order_seq_cst);", "rc11"),
        (f"{ACQ_REL} if (atomic_load_explicit(&other, memory_order_relaxed)) {RELAXED} else other = 1;", "rc11"),
        ("if (atomic_load(&other)) " + RELAXED, "sc"),
        ("atomic_exchange_explicit(&hits, 1, memory_order_relaxed);", "sc"),
        (RELAXED, "arm8"),
    ],
    ids=["seq_cst", "value", "read", "fence", "acq_rel", "perhaps", "exchange", "load buffering"],
)
def test_what_is_no_counter(count: str, mcm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "MANY", 0)
    text = STATISTICS.replace("COUNT", count).replace("SUM", "6")
    program = xgen.parse(text, "c", "count.c", map="none")
    assert without_orders(problem(program, model(mcm), private=True, parts=True)) is None


def test_each_execution_is_told_where_they_are_asked_for() -> None:
    assert counted(RELAXED, 6, "sc", all_states=True).executions == 90


def test_a_number_that_was_read_on_one_way_only() -> None:
    """On the other way, it is no number that the counter may hold."""
    count = f"int n = 100; if (atomic_load(&other)) n = {RELAXED} else {RELAXED} if (n == 100) assert(0);"
    text = STATISTICS.replace("COUNT", count).replace("SUM", "6")
    joins = "for (int i = 0; i < 3; i++) pthread_join"
    text = text.replace(joins, f"other = 1; {joins}")
    assert xgen.check(xgen.parse(text, "c", "count.c", map="none"), model("sc")).verdict == "violation"


def test_a_thread_that_is_started_by_one_that_perhaps_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "MANY", 0)
    text = f"""#include <pthread.h>
    #include <stdatomic.h>
    atomic_int hits, other;
    pthread_t a, b, c;
    void *counts(void *_) {{ {RELAXED} {RELAXED} return 0; }}
    void *starts(void *_) {{ pthread_create(&b, 0, counts, 0); return 0; }}
    void *tells(void *_) {{ {RELAXED} other = 1; return 0; }}
    int main() {{
        pthread_create(&c, 0, tells, 0);
        IF pthread_create(&a, 0, starts, 0);
        {RELAXED}
    }}"""
    for condition, sums in (("if (atomic_load(&other))", {2, 4}), ("", {4})):
        program = xgen.parse(text.replace("IF", condition), "c", "count.c", map="none")
        found = xgen.check(program, model("sc"))
        assert {o.state["hits"] for o in found.outcomes} == sums


def test_a_loop_that_counts_on_from_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing says how far it gets, so that the order of updates is seen."""
    monkeypatch.setattr(counters, "MANY", 0)
    on = "while (atomic_exchange(&other, 0)) n++; if (n == 1000) atomic_store(&other, 5);"
    text = (
        STATISTICS.replace("COUNT", f"int n = {RELAXED} {on}")
        .replace("SUM", "6")
        .replace("main() {", "main() { other = 1;")
    )
    program = xgen.parse(text, "c", "count.c", map="none")
    assert without_orders(problem(program, model("rc11"), private=True, parts=True)) is None
