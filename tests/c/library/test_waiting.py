"""Barriers, condition variables, rwlocks, semaphores, `pthread_once`, test-and-set: counts by hand, errors."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, mapped, model, run, threads
from llvm.compiling import compiles

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
    # Who is signalled before it waits sleeps for ever.
    once = WAIT.replace("while", "if")
    lost = WAKE.replace("r = 1; pthread_cond_broadcast(&c);", "pthread_cond_broadcast(&c); r = 1;").replace(
        "r = 1;", ""
    )
    result = run(threads(once, lost, before=before))
    assert result.blocked > 0
    timed = "pthread_mutex_lock(&m); int e = pthread_cond_timedwait(&c, &m, 0); assert(!e); pthread_mutex_unlock(&m);"
    assert [kind for kind, _ in kinds(threads(timed, before=before))] == ["assertion"]


SLEEP = "pthread_mutex_t m; pthread_cond_t c, d; int r, n;"


def lives(text: str, **options: bool) -> bool:
    """Whether no thread waits for ever."""
    return xgen.check(load(HEAD + text, **options), model("rc11"), liveness=True).verdict == "safe"


def test_a_signal_wakes_one() -> None:
    signal = WAKE.replace("broadcast", "signal")
    assert lives(threads(WAIT, WAIT, WAKE, before=SLEEP))
    assert not lives(threads(WAIT, WAIT, signal, before=SLEEP))
    assert lives(threads(WAIT, signal, before=SLEEP))
    assert lives(threads(WAIT, WAIT, signal, signal, before=SLEEP))
    # Of those that sleep at one of two, the other's signal wakes nobody.
    assert not lives(threads(WAIT, signal.replace("&c", "&d"), before=SLEEP))
    # One that is woken wakes the next one.
    chain = WAIT.replace("n++;", "n++; pthread_cond_signal(&c);")
    assert lives(threads(chain, chain, signal, before=SLEEP, after="assert(n == 2);"))
    # A signal before anybody waits is lost, a broadcast too.
    for lost in ("signal", "broadcast"):
        late = WAIT.replace("while (!r)", "if (!r)").replace("n++;", "")
        early = f"pthread_mutex_lock(&m); pthread_cond_{lost}(&c); pthread_mutex_unlock(&m);"
        assert not lives(threads(late, early, before=SLEEP))
    for name in ("&c", "p"):
        text = threads(WAIT.replace("&c", name), WAIT, signal, signal, before=SLEEP + "pthread_cond_t *p = &c;")
        assert lives(text)


def test_a_thread_that_wakes_up_for_nothing() -> None:
    """Who asks once goes on too early then, and a note tells of it."""
    once = WAIT.replace("while", "if").replace("n++;", "assert(r);")
    text = threads(once, WAKE, before=SLEEP)
    assert [kind for kind, _ in kinds(text, spurious=True)] == ["assertion"]
    assert kinds(text) == []
    (note,) = [warning for warning in run(text).warnings if "--spurious" in warning]
    line = HEAD.count("\n") + 2
    assert note == (
        f"note: the wait at test.c:{line}:55 is in no loop, and a thread may wake up without a signal: `--spurious` "
        "explores that"
    )
    assert not run(text, spurious=True).warnings
    again = text.replace("if (!r)", "while (!r)")
    assert kinds(again, spurious=True) == []
    assert not run(again).warnings
    assert run(again, spurious=True).bounded == 0
    helper = SLEEP + " void doze(void) { pthread_cond_wait(&c, &m); }"
    text = threads(WAIT.replace("pthread_cond_wait(&c, &m)", "doze()"), WAKE, before=helper)
    assert not run(text).warnings


def test_a_wait_for_a_time() -> None:
    """It ends, so that nobody waits for ever; it may take a signal, or be too late for it."""
    timed = "pthread_mutex_lock(&m); {LOOP} e = pthread_cond_timedwait(&c, &m, 0); pthread_mutex_unlock(&m);"
    assert lives(threads(timed.replace("{LOOP}", ""), before=SLEEP + "int e;"))
    signal = WAKE.replace("broadcast", "signal")
    text = threads(timed.replace("{LOOP}", ""), signal, before="#include <errno.h>\n" + SLEEP + "int e;")
    assert lives(text)
    assert {outcome.state["e"] for outcome in run(text).outcomes} == {0, 110}
    again = threads("int e; " + timed.replace("{LOOP}", "while (!r)"), signal, before=SLEEP)
    assert (run(again).verdict, run(again).bounded) == ("safe", 0)
    # It may take the only signal.
    assert not lives(threads(WAIT, timed.replace("{LOOP}", "if (!r)"), signal, before=SLEEP + "int e;"))


def test_c11s_condition_variables() -> None:
    before = "#include <threads.h>\nmtx_t m; cnd_t c; int r, e;"
    wait = "mtx_lock(&m); while (!r) cnd_wait(&c, &m); mtx_unlock(&m);"
    wake = "mtx_lock(&m); r = 1; cnd_{}(&c); mtx_unlock(&m);"
    assert lives(threads(wait, wait, wake.format("broadcast"), before=before))
    assert not lives(threads(wait, wait, wake.format("signal"), before=before))
    timed = "mtx_lock(&m); e = cnd_timedwait(&c, &m, 0); mtx_unlock(&m);"
    text = threads(timed, before=before, after="assert(e == thrd_timedout);")
    assert kinds(text) == []


# ---- barriers


def test_any_may_be_the_serial_one() -> None:
    """Also one that looks, where the others do not."""
    asks = "if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD) x = 1;"
    drops = "pthread_barrier_wait(&b);"
    for bodies, states in (([asks, drops], {0, 1}), ([asks, drops, drops], {0, 1}), ([asks, asks], {1})):
        result = run(barrier(len(bodies), *bodies))
        assert {outcome.state["x"] for outcome in result.outcomes} == states
    assert run(barrier(2, drops, drops)).executions == 1
    alone = run(barrier(1, asks))
    assert {outcome.state["x"] for outcome in alone.outcomes} == {0}


S = "PTHREAD_BARRIER_SERIAL_THREAD"


@pytest.mark.parametrize(
    ("use", "tells"),
    [
        ("int e = W; if (e != 0 && e != S) exit(1);", False),
        ("int e = W; if (e && e != S) exit(1);", False),
        ("int e = W; if (S != e && !(e == 0)) exit(1);", False),
        ("int e = W; assert(e == 0 || e == S);", False),
        ("int e; e = W; if (e > 0) exit(e);", True),  # where it is given on, whatever leads there
        ("int e = 7; e = W; if (e > 0) exit(1); e = W; if (e >= 1 || e < -1) x = 2;", False),
        ("int e = W;", False),
        ("int e = W; if (e == 0 || e == S) x = 1; else x = e;", True),
        ("int e = W; if (e != 0) x = 1;", True),
        ("int e = W; if (e == S) x = 1;", True),
        ("int e = W; if (e > 0 || (e != 0 && x == 0)) x = 1;", True),
        ("int e = W; { int e = 5; if (e < 5) x = 1; } if (e > 0) x = 2;", False),
        ("int e = W; { _Bool e = W; if (e != 0 && e != 1) x = 1; }", True),  # -1 would be 1
        ("unsigned e = W; if (e > 0) x = 1;", True),
        ("int e = W; if (e > 0u) x = 1;", True),
        ("int e = W; if (e > 0 && e < 0xffffffff) x = 1;", True),
        ("int e = W, *p = &e; if (e > 0) x = *p;", True),
        ("static int e; e = W; if (e > 0) x = 1;", True),
        ("int e, d; d = e = W; if (e > 0) x = d;", True),
        ("int e; if ((e = W) > 0) x = 1;", True),
        ("int e = W; int d = ({ e; }); x = d;", True),
        ("struct { int e; } s; int e = W; s.e = 1; x = s.e; if (e > 0) x = 2;", True),
    ],
)
def test_whether_the_serial_one_is_told(use: str, tells: bool) -> None:
    """Nobody asks for it where questions have one answer: then there is one execution, with the same ends."""
    waits = use.count("W")
    use = use.replace("W", "pthread_barrier_wait(&b)").replace("S", S)
    text, told = (barrier(2, *[f"{use}{more}"] * 2) for more in ("", " y = e;"))
    told = told.replace("atomic_int x;", "atomic_int x, y;")
    counts = [run(each).executions for each in (text, told)]
    assert counts[0] > 1 if tells else counts == [1, 2**waits * 2], counts
    ends = [{outcome.state["x"] for outcome in run(each).outcomes} for each in (text, told)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("where", ["pthread_barrier_t at, *b = &at;", "pthread_barrier_t *b;"])
@pytest.mark.parametrize(("first", "second"), [(2, 3), (3, 2), (2, 2), (1, 2)])
def test_a_barrier_that_is_initialised_again(where: str, first: int, second: int) -> None:
    text = f"{where} int x; void *f(void *p) {{ x = (long)p; pthread_barrier_wait(b); return 0; }}\n"
    text += "void *g(void *p) { pthread_barrier_wait(b); return 0; }\nint main() {\n"
    if "at" not in where:
        text += "b = malloc(sizeof *b);\n"
    for round_, size in enumerate((first, second)):
        text += f"pthread_barrier_init(b, 0, {size}); pthread_t t{round_}[{size}];\n"
        for k in range(size - 1):
            function = "f" if k == 0 else "g"
            text += f"pthread_create(&t{round_}[{k}], 0, {function}, (void *){round_ + 5});\n"
        text += f"pthread_barrier_wait(b); assert(x == {round_ + 5 if size > 1 else 0});\n"
        text += "".join(f"pthread_join(t{round_}[{k}], 0);\n" for k in range(size - 1))
        text += "pthread_barrier_destroy(b);\n"
    assert kinds(text + "}") == []
    assert [kind for kind, _ in kinds(text.replace("assert(x ==", "assert(x !=") + "}")] == ["assertion"]


PLACES = {
    "local": ("pthread_barrier_t at, *b = &at;", "", "b"),
    "heap": ("pthread_barrier_t *b = malloc(sizeof *b);", "free(b);", "b"),
    "member": ("struct { int n; pthread_barrier_t at; } of; of.n = 3; pthread_barrier_t *b = &of.at;", "", "b"),
    "pointer": ("pthread_barrier_t at; b = &at;", "", "0"),
}


def by_pointer(place: str, again: str = "", early: bool = False) -> str:
    made, freed, given = PLACES[place]
    end = f"{freed} pthread_join(t, 0);" if early else f"pthread_join(t, 0); {freed}"
    text = f"""#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int a;
pthread_barrier_t *b;
void *f(void *p) {{ pthread_barrier_t *q = p ? p : b; a = 1; pthread_barrier_wait(q); return 0; }}
int main(void) {{
  pthread_t t; {made}
  pthread_barrier_init(b, 0, 2);
  pthread_create(&t, 0, f, {given});
  {again}
  pthread_barrier_wait(b); assert(a); {end}
}}
"""
    return text if place == "pointer" else text.replace("\npthread_barrier_t *b;", "").replace("p ? p : b", "p")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("clang", [False, pytest.param(True, marks=compiles)])
def test_a_barrier_that_is_no_global_variable(place: str, clang: bool) -> None:
    options: dict[str, object] = {"clang": True} if clang else {}
    found = xgen.check(xgen.parse(by_pointer(place), "c", **options), "rc11", liveness=True)
    assert (found.verdict, found.executions, found.blocked) == ("safe", 1, 0)
    text = by_pointer(place, "pthread_barrier_init(b, 0, 2);")  # the thread may have come: then it waits for ever
    again = xgen.check(xgen.parse(text, "c", races=False, **options), "rc11", liveness=True)
    assert (again.verdict, again.stuck > 0) == ("violation", True)


@pytest.mark.parametrize("clang", [False, pytest.param(True, marks=compiles)])
@pytest.mark.parametrize("asked", ["malloc(sizeof *b)", "calloc(1, sizeof *b)"])
def test_a_barrier_is_freed_when_one_may_still_leave_it(clang: bool, asked: str) -> None:
    options: dict[str, object] = {"clang": True} if clang else {}
    for early, verdict in ((True, "violation"), (False, "safe")):
        text = by_pointer("heap", early=early).replace("malloc(sizeof *b)", asked)
        assert xgen.check(xgen.parse(text, "c", **options), "rc11").verdict == verdict


ALONE = """#include <pthread.h>
#include <stdlib.h>
pthread_barrier_t *b;
int x;
void *f(void *p) {
  pthread_barrier_wait(b);
  if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) { DESTROY free(b); } else OTHER
  return 0;
}
int main(void) {
  pthread_t t;
  b = calloc(1, sizeof *b);
  pthread_barrier_init(b, 0, 2);
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize("clang", [False, pytest.param(True, marks=compiles)])
@pytest.mark.parametrize(
    ("destroys", "other", "told"),
    [
        ("pthread_barrier_destroy(b);", "x = 1;", None),
        ("", "x = 1;", "race-with-free"),
        ("pthread_barrier_destroy(b); x = 2;", "x = 1;", "race"),
    ],
)
def test_who_comes_out_of_a_barrier_may_destroy_it(clang: bool, destroys: str, other: str, told: str | None) -> None:
    """Others may still be on their way out. Who destroys it waits for these, as glibc does; who frees it only does not,
    and what a thread does when it has left is ordered by nothing."""
    options: dict[str, object] = {"clang": True} if clang else {}
    text = ALONE.replace("DESTROY", destroys).replace("OTHER", other)
    found = xgen.check(xgen.parse(text, "c", **options), "rc11", liveness=True)
    assert found.verdict == ("violation" if told else "safe")
    if found.witness is None:
        assert (found.executions, found.blocked) == (4, 0)  # either is the serial one, in either round
    else:
        assert {violation.kind for violation in found.witness.violations} == {told}


# ---- rounds that take a mutex only to look

LOOK = "int ok, v; do { pthread_mutex_lock(&m); ok = a && b; v = a; pthread_mutex_unlock(&m); } while (!ok); seen = v;"
SET = "pthread_mutex_lock(&m); {what} = {value}; pthread_mutex_unlock(&m);"
SET_A, SET_B = SET.format(what="a", value=1), SET.format(what="b", value=1)
LOOKED = "pthread_mutex_t m; int a, b, seen, tried;"
TRY = "tried = pthread_mutex_trylock(&m) != 0; if (!tried) pthread_mutex_unlock(&m);"


def ends(text: str, mcm: str, no_spin: bool = False, rounds: int | None = None) -> set[str]:
    """The final states of whole executions."""
    program = load(HEAD + text, **mapped(mcm, {"unroll": rounds}))
    result = xgen.check(program, model(mcm), all_states=True, unroll=no_spin)
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
        ("await", "the loop reads a = 1, which no thread changes any more"),
        ("await", "t0 does not end"),
    }
    assert (
        xgen.check(load(HEAD + threads(LOOK, SET_A, SET_B, before=LOOKED)), model("sc"), liveness=True).verdict
        == "safe"
    )


def test_rounds_that_do_more() -> None:
    """One that writes is no such round."""
    text = threads(LOOK.replace("ok =", "n++; ok ="), SET_A + SET_B, before=LOOKED + "int n;")
    result = run(text, unroll=2)
    assert result.bounded > 0


TAKEN = "pthread_mutex_lock(&o); pthread_mutex_unlock(&o);"


def test_rounds_that_take_another_mutex_and_give_it_back() -> None:
    """They only wait; where somebody takes the two in the other order, a round that comes to no end is a deadlock."""
    look, before = LOOK.replace("ok =", f"{TAKEN} ok ="), LOOKED + "pthread_mutex_t o;"
    result = run(threads(look, SET_A + SET_B, before=before))
    assert (result.verdict, result.bounded) == ("safe", 0)
    other = "pthread_mutex_lock(&o); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&o);"
    assert {kind for kind, _ in kinds(threads(look, other + SET_A + SET_B, before=before))} == {"deadlock"}


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
