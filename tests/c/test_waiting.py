"""Barriers, condition variables, rwlocks, semaphores, `pthread_once`, test-and-set: counts by hand, errors."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, model, run, threads

import xgen

TAKE = "sem_wait(&s); n++; sem_post(&s);"
READ = "pthread_rwlock_rdlock(&l); assert(x == y); pthread_rwlock_unlock(&l);"
WRITE = "pthread_rwlock_wrlock(&l); x++; y++; pthread_rwlock_unlock(&l);"
RW = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, y;"
SPIN = "while (atomic_flag_test_and_set(&f)) ; n++; atomic_flag_clear(&f);"
ONCE = "pthread_once(&o, init); assert(n == 1);"
MEET = "a[{k}] = 1; pthread_barrier_wait(&b); assert(a[0] + a[1] + a[2] == 3); pthread_barrier_wait(&b); a[{k}] = 0;"
WAIT = "pthread_mutex_lock(&m); while (!r) pthread_cond_wait(&c, &m); n++; pthread_mutex_unlock(&m);"
WAKE = "pthread_mutex_lock(&m); r = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);"


def semaphore(value: int, *bodies: str) -> str:
    text = threads(*bodies, before="#include <semaphore.h>\nsem_t s; int n;")
    return text.replace("pthread_t t[", f"sem_init(&s, 0, {value}); pthread_t t[")


def barrier(count: int, *bodies: str, before: str = "int a[3]; atomic_int x;") -> str:
    text = threads(*bodies, before=f"pthread_barrier_t b; {before}")
    return text.replace("pthread_t t[", f"pthread_barrier_init(&b, 0, {count}); pthread_t t[")


@pytest.mark.parametrize("mcm", ["sc", "rc11"])
@pytest.mark.parametrize(
    ("text", "executions"),
    [
        (barrier(3, *(MEET.format(k=k) for k in range(3))), 1),  # one order of arrivals
        (barrier(2, "pthread_barrier_wait(&b);", "pthread_barrier_wait(&b);"), 1),
        # The one that is told that it is the last one is any of them.
        (barrier(2, *["if (pthread_barrier_wait(&b)) x = 1; else x = 2;"] * 2), 4),
        (
            barrier(1, *["pthread_barrier_wait(&b);"] * 2),
            4,
        ),  # more threads than it is for: all orders, and who sees what
        (semaphore(1, TAKE, TAKE), 2),
        (semaphore(1, TAKE, TAKE, TAKE), 6),
        (semaphore(0, "n = 1; sem_post(&s);", "sem_wait(&s); assert(n == 1);"), 1),
        (semaphore(1, "if (!sem_trywait(&s)) n++;", "if (!sem_trywait(&s)) n++;"), 2),
        (threads(READ, WRITE, before=RW, after="assert(x == 1);"), 2),
        (threads(WRITE, WRITE, before=RW, after="assert(x == 2);"), 2),
        (threads(ONCE, ONCE, before="pthread_once_t o = PTHREAD_ONCE_INIT; int n; void init() { n++; }"), 2),
        (threads(SPIN, SPIN, before="atomic_flag f = ATOMIC_FLAG_INIT; int n;", after="assert(n == 2);"), 2),
        (threads(SPIN, SPIN, SPIN, before="atomic_flag f = ATOMIC_FLAG_INIT; int n;", after="assert(n == 3);"), 6),
    ],
)
def test_counts(text: str, executions: int, mcm: str) -> None:
    result = run(text, mcm)
    assert (result.verdict, result.executions) == ("safe", executions)


def test_condition_variables() -> None:
    before = "pthread_mutex_t m; pthread_cond_t c; int r, n;"
    assert kinds(threads(WAIT, WAIT, WAKE, before=before, after="assert(n == 2);")) == []
    # Who only asks once may have been woken for nothing; who is signalled before it waits sleeps for ever.
    once = WAIT.replace("while", "if")
    lost = WAKE.replace("r = 1; pthread_cond_broadcast(&c);", "pthread_cond_broadcast(&c); r = 1;").replace(
        "r = 1;", ""
    )
    result = run(threads(once, lost, before=before))
    assert result.blocked > 0
    timed = "pthread_mutex_lock(&m); int e = pthread_cond_timedwait(&c, &m, 0); assert(!e); pthread_mutex_unlock(&m);"
    assert [kind for kind, _ in kinds(threads(timed, before=before))] == ["assertion"]


# ---- rounds that take a mutex only to look

LOOK = "int ok, v; do { pthread_mutex_lock(&m); ok = a && b; v = a; pthread_mutex_unlock(&m); } while (!ok); seen = v;"
SET = "pthread_mutex_lock(&m); {what} = {value}; pthread_mutex_unlock(&m);"
SET_A, SET_B = SET.format(what="a", value=1), SET.format(what="b", value=1)
LOOKED = "pthread_mutex_t m; int a, b, seen, tried;"
TRY = "tried = pthread_mutex_trylock(&m) != 0; if (!tried) pthread_mutex_unlock(&m);"


def ends(text: str, mcm: str, no_spin: bool = False, rounds: int | None = None) -> set[str]:
    """The final states of whole executions."""
    result = xgen.check(load(HEAD + text, unroll=rounds), model(mcm), all_states=True, unroll=no_spin)
    return {str(sorted(outcome.state.items())) for outcome in result.outcomes}


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11"])
@pytest.mark.parametrize(
    ("text", "executions"),
    [
        (threads(LOOK, SET_A, SET_B, before=LOOKED), 2),
        (threads(LOOK, SET_A + SET_B, before=LOOKED), 1),
        (threads(LOOK.replace("seen = v;", ""), LOOK, SET_A, SET_B, before=LOOKED), 4),
        # Who waits for `a` lets `b` be set, whoever else looks meanwhile.
        (threads(LOOK, LOOK.replace("a && b", "a").replace("seen = v;", SET_B), SET_A, before=LOOKED), 1),
        (threads(LOOK, SET_A, SET_B, SET.format(what="a", value=2), before=LOOKED), 10),
    ],
)
def test_rounds_that_lock_to_look(text: str, executions: int, mcm: str) -> None:
    result = run(text, mcm)
    assert (result.verdict, result.executions, result.bounded) == ("safe", executions, 0)
    assert ends(text, mcm) == ends(text, mcm, no_spin=True, rounds=3)


@pytest.mark.parametrize("mcm", ["sc", "rc11"])
def test_who_tries_a_mutex_sees_rounds(mcm: str) -> None:
    """Then all rounds matter: that the mutex was held is seen, before anything else is done."""
    text = threads(LOOK, TRY + SET_A + SET_B, before=LOOKED)
    found = ends(text, mcm, rounds=2)
    assert {"tried', 0" in end for end in found} == {True, False}
    assert found == ends(text, mcm, no_spin=True, rounds=2)


def test_who_looks_for_ever() -> None:
    text = threads(LOOK, SET_A, before=LOOKED)
    assert run(text).verdict == "vacuous"
    result = xgen.check(load(HEAD + text), model("rc11"), liveness=True)
    assert result.witness is not None
    said = {(violation.kind, violation.location) for violation in result.witness.violations}
    assert said == {
        ("await", "the loop reads a = 1, which nobody changes any more"),
        ("await", "t0 does not end"),
    }
    assert (
        xgen.check(load(HEAD + threads(LOOK, SET_A, SET_B, before=LOOKED)), model("sc"), liveness=True).verdict
        == "safe"
    )


@pytest.mark.parametrize("between", ["n++;", "pthread_mutex_lock(&o); pthread_mutex_unlock(&o);"])
def test_rounds_that_do_more(between: str) -> None:
    """One that writes, or takes another mutex meanwhile, is no such round."""
    text = threads(LOOK.replace("ok =", f"{between} ok ="), SET_A + SET_B, before=LOOKED + "int n; pthread_mutex_t o;")
    result = run(text, unroll=2)
    assert result.bounded > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (barrier(0, "pthread_barrier_wait(&b);"), "barrier"),
        (threads("pthread_barrier_wait(&b);", before="pthread_barrier_t b;"), "barrier"),
        (barrier(1, "pthread_barrier_destroy(&b); pthread_barrier_wait(&b);"), "barrier"),
        (barrier(1, "pthread_barrier_init(&b, 0, 2);"), "barrier"),
        (threads("pthread_rwlock_unlock(&l);", before=RW), "unlock"),
        (threads("pthread_rwlock_destroy(&l); pthread_rwlock_rdlock(&l);", before=RW), "destroyed"),
        (threads("pthread_rwlock_rdlock(&l); pthread_rwlock_destroy(&l);", before=RW), "destroyed"),
        (threads(READ, "x++;", before=RW), "race"),
        (semaphore(2, TAKE, TAKE), "race"),
        (threads("pthread_mutex_unlock(&m);", before="pthread_mutex_t m;"), "unlock"),
        (threads("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);", before="pthread_mutex_t m;"), "destroyed"),
        (threads("pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_lock(m);"), "uninitialised"),
        (threads("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", before="pthread_mutex_t m;"), "deadlock"),
    ],
)
def test_wrong(text: str, expected: str) -> None:
    found = [kind for kind, _ in kinds(text)]
    assert expected in found


# ---- loops of test-and-sets, as XCFA

LOCKED = "loc {n}0 {n}0 -> {n}1 {{ r <- {op}(l{args}) @ {o} }} loc {n}1 {n}1 -> {n}0 {{ assume r = 1 }} " \
    "{n}1 -> {n}2 {{ assume r = 0 }} loc {n}2"  # fmt: skip


def locked(op: str, arguments: str, order: str, inside: str, after: str) -> str:
    text = LOCKED.format(n="L", op=op, args=arguments, o=order)
    return (
        f"{{ var r : int var s : int init loc I I -> L0 {text} final loc E "
        f"L2 -> E {{ {inside} 0 -> l @ release {after} }} }}"
    )


@pytest.mark.parametrize("mcm", ["sc", "tso", "pso", "rc11", "ra"])
@pytest.mark.parametrize(("op", "arguments"), [("exchange", ", 1"), ("fetch_or", ", 1"), ("fetch_max", ", 1")])
def test_failed_test_and_sets_change_nothing(mcm: str, op: str, arguments: str) -> None:
    """The outcomes are those of all rounds, as far as a bound lets these go."""
    inside = "s <- x @ relaxed s + 1 -> x @ relaxed"
    text = "var l : int var x : int var y : int\n"
    text += f"process p {locked(op, arguments, 'acquire', inside, '1 -> y @ relaxed')}\n"
    text += f"process q {locked(op, arguments, 'acq_rel', inside, 's <- y @ relaxed')}\n"
    text += "process w { var a : int var b : int init loc A final loc B A -> B { a <- l @ acquire b <- x @ relaxed } }"
    program, model = xgen.parse(text), xgen.model(mcm)
    found = xgen.check(program, model, all_states=True)
    naive = xgen.check(program, model, all_states=True, unroll=True, max_depth=9)
    assert found.bounded == 0
    assert naive.executions > found.executions

    def states(result: xgen.Result) -> set[str]:
        return {str({k: v for k, v in outcome.state.items() if k not in ("p:r", "q:r")}) for outcome in result.outcomes}

    assert states(found) == states(naive)
