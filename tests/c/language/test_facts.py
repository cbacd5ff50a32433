"""How often a program is translated: again only where something was asked for that was found out later."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, threads

from xgen.frontends.c import translate
from xgen.frontends.c.language.facts import Learnt

F = "int f(int a) { return a; }"
PROGRAMS = {
    # name: (the program, translations)
    "no threads": ("int x; int main() { x = 1; return x; }", 1),
    "threads that are joined": (threads("x = 1;", "y = 1;", before="int x, y;"), 1),
    "written, then read": (threads("x = 1; x = x + 1;", before="int x;"), 1),
    "read, then written": (threads("y = x; x = 1;", before="int x, y;"), 2),
    "read, then written by another": (threads("y = x;", "x = 1;", before="atomic_int x; int y;"), 2),
    "read, then written by a pointer": (
        threads("y = x; *(y ? &x : &z) = 1;", before="int x, z; atomic_int y;", after="y = 1;"),
        2,
    ),
    "a local in memory": (threads("int a = 1; long b = (long)&a % 8;"), 2),
    "a loop that changes a local": (threads("int a = 1, *p = &a; while (x) { *p += 1; }", before="atomic_int x;"), 1),
    "a loop that changes a global": ("int x; int main() { while (__VERIFIER_nondet_bool()) x++; }", 2),
    "a function that is taken before it is called": (f"{F} int main() {{ int (*p)(int) = f; return p(1) - 1; }}", 1),
    "a function that is taken after a call": (
        f"{F} int (*p)(int); void *t(void *a) {{ if (p) p(1); p = f; return a; }}"
        " int main() { pthread_t h; pthread_create(&h, 0, t, 0); t(0); }",
        2,
    ),
    "a value that is asked for": (
        "void *t(void *a) { return a; }"
        " int main() { pthread_t h; void *r; pthread_create(&h, 0, t, 0); pthread_join(h, &r); }",
        3,
    ),
    "a thread that is joined by a handle that is not known": (
        "void *t(void *a) { return a; } int main() { pthread_t h[2]; for (int i = 0; i < 2; i++)"
        " pthread_create(&h[i], 0, t, 0); pthread_join(h[__VERIFIER_nondet_bool()], 0); }",
        2,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_translations(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    threads = translate._Translator.threads

    def counted(self: translate._Translator) -> None:
        nonlocal count
        count += 1
        threads(self)

    monkeypatch.setattr(translate._Translator, "threads", counted)
    load(HEAD + PROGRAMS[name][0])
    assert count == PROGRAMS[name][1]


# What is behind an assertion that seems to fail as long as it is not known that a thread writes x: the first
# translation does not come to it, and knows nothing of these threads, though it may know of others that wait there.

LATE = """int x, y;
void *set(void *p) { x = 5; return p; }
%s
int main() {
    pthread_t s, t;
    %s
    pthread_create(&s, 0, set, 0); pthread_join(s, 0);
    assert(x == 5);
    %s
    assert(y == 1);
}
"""
F, J = "pthread_create(&t, 0, f, &y);", "pthread_join(t, 0);"
WAIT = "pthread_barrier_wait(&b);"
MEET = f"pthread_barrier_init(&b, 0, 2); y = 0; {F} {WAIT} {WAIT} {J}"
SERIAL = f"{WAIT[:-1]} == PTHREAD_BARRIER_SERIAL_THREAD"
SLEEP = "pthread_mutex_lock(&m); while (y != (long)p) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
WAKE = "pthread_mutex_lock(&m); y = %d; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"
SLEPT = f"pthread_create(&t, 0, f, (void *)%d); {WAKE} {J}"
BEHIND = {
    # name: (before main, before the assertion, behind it)
    "a barrier": (f"pthread_barrier_t b; void *f(void *p) {{ {WAIT} y = 1; {WAIT} return p; }}", "", MEET),
    "a barrier, again": (
        f"pthread_barrier_t b; void *f(void *p) {{ {WAIT} y = 1; {WAIT} return p; }}",
        f"{MEET} pthread_barrier_destroy(&b);",
        MEET,
    ),
    "who is serial": (
        f"pthread_barrier_t b; int z; void *f(void *p) {{ y = {SERIAL}; return p; }}",
        "",
        f"pthread_barrier_init(&b, 0, 2); {F} z = {SERIAL}; {J} y += z;",
    ),
    "a condition": (
        f"pthread_mutex_t m; pthread_cond_t c; void *f(void *p) {{ {SLEEP} return p; }}",
        "",
        SLEPT % (1, 1),
    ),
    "a condition, again": (
        f"pthread_mutex_t m; pthread_cond_t c; void *f(void *p) {{ {SLEEP} return p; }}",
        SLEPT % (2, 2),
        SLEPT % (1, 1),
    ),
    "once": (
        "pthread_once_t o; void init(void) { y++; } void *f(void *p) { pthread_once(&o, init); return p; }",
        "",
        f"{F} pthread_once(&o, init); {J}",
    ),
    "a thread's value": (
        "void *f(void *p) { return (void *)1; }",
        "",
        f"{F} void *r; pthread_join(t, &r); y = (long)r;",
    ),
    "a handle that is not known": (
        "atomic_int n; void *f(void *p) { n = 1; return p; }",
        "",
        "pthread_t h[2]; for (int i = 0; i < 2; i++) pthread_create(&h[i], 0, f, 0);"
        " int k = n; pthread_join(h[k], 0); pthread_join(h[1 - k], 0); y = 1;",
    ),
    "a thread that is detached": ("void *f(void *p) { return p; }", "", f"{F} pthread_detach(t); y = 1;"),
    "a function that is taken": (
        "int (*p)(int); int g(int a) { return a; } void *f(void *q) { p = g; return q; }",
        "",
        f"{F} {J} y = p(1);",
    ),
    "what is freed": ("", "", "int *q = malloc(sizeof *q); *q = 1; y = *q; free(q);"),
    "a union": ("union { int i; long l; } u; void *f(void *p) { u.l = 1; return p; }", "", f"{F} {J} y = (int)u.l;"),
    "what a pointer writes": ("void *f(void *p) { *(int *)p = 1; return 0; }", "", f"{F} {J}"),
    "a thread's own": (
        "_Thread_local int l; void *f(void *p) { int *q = &l; *q += 1; y = l; return p; }",
        "",
        f"{F} {J}",
    ),
}


@pytest.mark.parametrize("name", BEHIND)
def test_what_the_first_translation_does_not_come_to(name: str) -> None:
    text = LATE % BEHIND[name]
    assert kinds(text) == []
    assert [kind for kind, _ in kinds(text.replace("assert(y == 1)", "assert(y != 1)"))] == ["assertion"]


def test_what_outdates_a_translation() -> None:
    known: Learnt[str] = Learnt()
    known.learn("nobody asked")
    assert not known.outdated
    assert "nobody asked" in known
    assert "later" not in known
    known.learn("another", "nobody asked")
    assert not known.outdated
    known.learn("later")
    assert known.outdated
    known.begin()
    assert not known.outdated
    assert known.all() == ["nobody asked", "another", "later"]
    known.learn("later")
    assert not known.outdated
    known.learn("one more")
    assert known.outdated
