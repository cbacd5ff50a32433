"""The library's functions: by their address, and what each gives back."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, model, run, threads

import xgen

LOCKS = "struct ops { int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *); };"
OPS = LOCKS + " struct ops o = {pthread_mutex_lock, pthread_mutex_unlock}; pthread_mutex_t m; int x;"
CHOICE = "int i = __VERIFIER_nondet_bool();"
FREES = "void mine(void *p) { free(p); } void (*put)(void *);"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void *(*get)(size_t) = malloc;\nint main() { int *p = get(sizeof *p); *p = 1; free(p); }", []),
        ("void *(*get[2])(size_t) = {calloc, malloc};\nint main() { int *p = get[1](4); return *p; }",
         [("uninitialised", 2)]),
        ("void *(*get[2])(size_t) = {malloc, malloc};\nint main() { int *p = get[1](sizeof *p); *p = 0; free(p);\n"
         "return *p; }", [("use-after-free", 3)]),
        (f"{FREES} int main() {{ {CHOICE} put = i ? &free : mine; int *p = malloc(sizeof *p);\nput(p);\n}}", []),
        (f"{FREES} int main() {{ {CHOICE} put = i ? free : mine; int *p = malloc(sizeof *p); put(p);\nput(p);\n}}",
         "double-free"),
        ("int main() {\nvoid (*stop)(int) = exit; stop(2); }", [("exit", 2)]),
        ("int main() {\nvoid (*stop)(void) = abort; (*stop)(); }", [("exit", 2)]),
        (f"void no(int n) {{ }} int main() {{ {CHOICE} void (*stop)(int) = i ? _Exit : no;\n"
         "stop(1); }", [("exit", 2)]),
        (f"int main() {{ {CHOICE} void (*stop)(int) = i ? exit : quick_exit;\nstop(!i); }}", [("exit", 2)]),
        ("pthread_once_t o = PTHREAD_ONCE_INIT;\nint main() { pthread_once(&o, abort); }", [("exit", 2)]),
        ("void reach_error(void) { }\nint main() {\nvoid (*e)(void) = reach_error; e(); }", [("assertion", 3)]),
        ("void reach_error(void) { }\nint main() {\nreach_error(); abort(); }", [("assertion", 3)]),
        ("int (*p)(const char *, ...) = (int (*)(const char *, ...))printf; int x;\n"
         "int main() { p(\"x\", x = 1); assert(x == 1); }", []),
        (f"void *(*c)(void *, const void *, size_t);\nint main() {{ {CHOICE} int a = 1, b = 2;\n"
         "c = i ? memcpy : memmove; int *r = c(&a, &b, sizeof a); assert(a == 2 && r == &a); }", []),
        ("void other(void); void (*o)(void) = other;\n"
         "int main() { assert(o && o == other && o != (void (*)(void))free); }", []),
        ("int main() {\nvoid (*e)(void) = 0; e(); }", [("bad-call", 2)]),
        (f"void (*put)(void *) = free; void no(void) {{ }} int main() {{ {CHOICE} void (*e)(void) = i ? no : abort;\n"
         "e(); }", [("exit", 2)]),
    ],
)  # fmt: skip
def test_functions_by_their_address(text: str, expected: list[tuple[str, int]] | str) -> None:
    if expected == "double-free":
        assert "double-free" in [kind for kind, _ in kinds(text)]
    else:
        assert kinds(text) == expected


def test_locks_by_their_address() -> None:
    text = threads(
        "o.lock(&m); x++; o.unlock(&m);", "o.lock(&m); x++; o.unlock(&m);", before=OPS, after="assert(x == 2);"
    )
    assert (run(text).verdict, run(text).executions) == ("safe", 2)
    assert "unlock" in [kind for kind, _ in kinds(text.replace("o.lock(&m);", "", 1))]


def test_calls_of_what_has_no_body_are_refused() -> None:
    with pytest.raises(xgen.UnsupportedError, match="the function `other`, which has no body, is not supported"):
        load(f"{HEAD}void other(void); void (*o)(void) = other; int main() {{ o(); }}")


@pytest.mark.parametrize("call", ["random()", "lrand48()", "mrand48()", "rand()", "rand_r(&seed)", "sched_getcpu()"])
def test_any_number(call: str) -> None:
    head = "#include <sched.h>\nunsigned seed = 1; long x;\n"
    text = f"{HEAD}{head}int main() {{ srandom(1); x = {call}; assert(0 <= x && x <= 2); }}"
    result = xgen.check(load(text, nondet=(0, 2)), model("rc11"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 3)
    assert kinds(f"{head}int main() {{ x = {call};\nassert(x != 1); }}", nondet=(0, 2)) == [("assertion", 4)]


def test_the_seed_of_random_numbers_is_memory() -> None:
    text = threads("rand_r(&seed);", "rand_r(&seed);", before="unsigned seed;")
    assert [kind for kind, _ in kinds(text, nondet=(0, 0))] == ["race"]


def test_notes_of_where_it_runs() -> None:
    text = "#include <unistd.h>\nint main() { return getpid() == sysconf(_SC_NPROCESSORS_ONLN); }"
    remarks = load(HEAD + text).remarks
    assert remarks == ("note: `getpid()` is 1000", "note: `sysconf(_SC_NPROCESSORS_ONLN)` is 2")


THREADS_H = "#include <threads.h>\nmtx_t m;"


@pytest.mark.parametrize(
    ("before", "held", "call", "busy"),
    [
        (THREADS_H, "mtx_lock(&m);", "mtx_trylock(&m)", "thrd_busy"),
        (THREADS_H, "mtx_lock(&m);", "mtx_timedlock(&m, 0)", "thrd_timedout"),
        ("#include <errno.h>\npthread_mutex_t m;", "pthread_mutex_lock(&m);", "pthread_mutex_trylock(&m)", "EBUSY"),
        ("#include <errno.h>\npthread_mutex_t m;", "pthread_mutex_lock(&m);", "pthread_mutex_timedlock(&m, 0)",
         "ETIMEDOUT"),
        ("#include <errno.h>\npthread_spinlock_t m;", "pthread_spin_lock(&m);", "pthread_spin_trylock(&m)", "EBUSY"),
        ("#include <errno.h>\npthread_rwlock_t m;", "pthread_rwlock_wrlock(&m);",
         "pthread_rwlock_tryrdlock(&m)", "EBUSY"),
        ("#include <errno.h>\npthread_rwlock_t m;", "pthread_rwlock_rdlock(&m);",
         "pthread_rwlock_trywrlock(&m)", "EBUSY"),
        ("#include <semaphore.h>\nsem_t m;", "sem_init(&m, 0, 1); sem_wait(&m);", "sem_trywait(&m)", "-1"),
    ],
)  # fmt: skip
def test_what_is_held(before: str, held: str, call: str, busy: str) -> None:
    assert kinds(f"{before}\nint main() {{ {held} assert({call} == {busy}); }}") == []
    free = held.replace("sem_wait(&m);", "") if "sem" in held else ""
    assert kinds(f"{before}\nint main() {{ {free} assert({call} == 0); }}") == []


def test_locks_that_are_destroyed() -> None:
    for call in ("lock", "trylock"):
        text = f"pthread_mutex_t m;\nint main() {{ pthread_mutex_destroy(&m);\npthread_mutex_{call}(&m); }}"
        assert kinds(text) == [("destroyed", 3)]


OWN = "int g(void) { static _Thread_local int k = 4; return ++k; }"


@pytest.mark.parametrize(
    "text",
    [
        f"{OWN}\nint main() {{ assert(g() == 5 && g() == 6); }}",
        f"{OWN}\nint main() {{ for (int i = 0; i < 3; i++) assert(g() == i + 5); }}",
        f"{OWN}\nint main() {{ if (__VERIFIER_nondet_bool()) g(); int n = g(); assert(n == 5 || n == 6); }}",
        threads("assert(g() == 5);", "g(); assert(g() == 6);", before=OWN, after="assert(g() == 5);"),
        "int *g(void) { static _Thread_local int k[2] = {1}; k[1]++; return k; }\n"
        "int main() { g(); assert(g()[1] == 2); }",
        threads("assert(*g() == 1);", "*g() += 2; assert(*g() == 4);",
                before="int *g(void) { static _Thread_local int k; k++; return &k; }"),
        "struct s { int a, b; };\n"
        "int x; int g(void) { static _Thread_local struct s k = {.b = 2}; return k.b++ + k.a; }\n"
        "int main() { int i = 0; while (i < 2) { x = g(); i++; } assert(x == 3); }",
        "int main() { static _Thread_local int k; k = 1;\n"
        "{ static _Thread_local int k = 7; assert(k == 7); } assert(k); }",
    ],
)  # fmt: skip
def test_static_locals_of_threads(text: str) -> None:
    assert kinds(text) == []
    wrong = text.replace("assert(", "assert(!", 1)
    assert [kind for kind, _ in kinds(wrong)] == ["assertion"]


ONE = "pthread_t t; pthread_create(&t, 0, f, 0);"
LIKE = "long t = __VERIFIER_spawn(f, 0); long u = __VERIFIER_spawn_symmetric(f, 0, t);"
TWO = "int i = __VERIFIER_nondet_bool(); pthread_create(&h[0], 0, f, 0); pthread_create(&h[1], 0, f, 0);"
ATTRIBUTES = "pthread_t t; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_{});"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{ONE} pthread_detach(t);\npthread_join(t, 0);", "bad-join"),
        (f"{ONE} pthread_join(t, 0);\npthread_join(t, 0);", "bad-join"),
        (f"{ONE} pthread_join(t, 0);\npthread_detach(t);", "bad-join"),
        (f"{ONE} pthread_detach(t);\npthread_detach(t);", "bad-join"),
        ("\npthread_detach(7);", "bad-join"),
        (f"{ONE} pthread_detach(t);", None),
        (f"{LIKE} __VERIFIER_join(u);\n__VERIFIER_join(u);", "bad-join"),
        (f"{LIKE} __VERIFIER_join(t); __VERIFIER_join_symmetric(u);", None),
        (f"{ONE} if (__VERIFIER_nondet_bool()) pthread_detach(t); else pthread_join(t, 0);", None),
        (f"{TWO} pthread_detach(h[i]);\npthread_join(h[0], 0);", "bad-join"),
        (f"{TWO} pthread_detach(h[i]); pthread_join(h[1 - i], 0);", None),
        (f"{TWO} pthread_join(h[i], 0);\npthread_join(h[0], 0);", "bad-join"),
        (f"{TWO} pthread_join(h[i], 0); pthread_join(h[1 - i], 0);", None),
        (f"{ONE} for (int i = 0; i < 2; i++)\npthread_join(t, 0);", "bad-join"),
        (f"{ATTRIBUTES.format('DETACHED')} pthread_create(&t, &a, f, 0);\npthread_join(t, 0);", "bad-join"),
        (f"{ATTRIBUTES.format('JOINABLE')} pthread_create(&t, &a, f, 0); pthread_join(t, 0);", None),
        ("pthread_t t; pthread_attr_t a;\npthread_create(&t, &a, f, 0);", "uninitialised"),
    ],
)
def test_a_thread_is_joined_or_detached_once(body: str, expected: str | None) -> None:
    text = f"pthread_t h[2]; void *f(void *p) {{ return 0; }} int main() {{ {body} }}"
    assert kinds(text) == ([] if expected is None else [(expected, 2)])


def test_a_thread_that_detaches_itself() -> None:
    text = "void *f(void *p) { pthread_detach(pthread_self()); return 0; } int main() { pthread_t t;\n"
    text += "pthread_create(&t, 0, f, 0); pthread_join(t, 0); }"
    assert [kind for kind, _ in kinds(text)] == ["bad-join"]


def test_joins_of_known_threads_are_no_accesses() -> None:
    result = run(threads("", "", after="pthread_t u; pthread_create(&u, 0, t0, 0); pthread_join(u, 0);"))
    assert (result.verdict, result.executions, result.explored) == ("safe", 1, 7)
