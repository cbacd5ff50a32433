"""What has a value, and what is there no more: each reader of C finds what goes wrong, and no more."""

from __future__ import annotations

import pytest
from both.asked import READERS, said
from llvm.compiling import compiles

BEFORE = """struct two { int x, y; };
struct pad { char c; int x; };
struct bits { unsigned a : 3, b : 5; };
struct list { struct list *next; int x; };
int *at; atomic_int go; atomic_intptr_t shared; pthread_t t, u;
void *sets(void *a) { go = 1; return 0; }
int *local_of(int i) { int v = i, *p = &v; return p; }
#define START(handle, function, argument) pthread_create(&handle, 0, function, argument)
#define JOIN(handle) pthread_join(handle, 0)
"""

UNSET = {
    # What a round of a loop, or a call before, has left where a variable is begins without a value.
    "for (int i = 0; i < 2; i++) { int v; if (i == 0) v = 5; assert(v == 5); }": "uninitialised",
    "int v; for (int i = 0; i < 2; i++) { if (i == 0) v = 5; assert(v == 5); }": None,
    "START(t, sets, 0); int n = go + 1; for (int i = 0; i < n; i++) { int v; if (!i) v = 5; assert(v == 5); }"
    " JOIN(t);": "uninitialised",
    "START(t, sets, 0); for (int i = 0; i < 2; i++) { int v, is = go; if (is) v = 5; if (is) assert(v == 5); }"
    " JOIN(t);": None,
    "for (int i = 0; i < 2; i++) { struct two v; if (i == 0) v.y = 5; assert(v.y == 5); }": "uninitialised",
    "int v, *p = &v; START(t, sets, 0); if (go) *p = 1; assert(*p == 1); JOIN(t);": "uninitialised",
    "int v, *p = &v; START(t, sets, 0); int is = go; if (is) *p = 1; assert(!is || *p == 1); JOIN(t);": None,
    # What something jumps to behind a declaration has no value there.
    "switch (1) { int v; case 0: v = 3; break; case 1: assert(v != 7); }": "uninitialised",
    "switch (0) { int v; case 0: v = 3; case 1: assert(v == 3); }": None,
    "START(t, sets, 0); switch (go) { int v; case 0: v = 3; case 1: assert(v == 3); } JOIN(t);": "uninitialised",
    "START(t, sets, 0); switch (go) { int v; case 0: v = 3; break; case 1: v = 4; assert(v == 4); } JOIN(t);": None,
    "goto behind; int v; v = 1; behind: assert(v == 1);": "uninitialised",
    "goto behind; int v; behind: v = 1; assert(v == 1);": None,
    "START(t, sets, 0); if (go) goto behind; int v; v = 1; behind: assert(v == 1); JOIN(t);": "uninitialised",
    "int i = 0; again:; int v; v = i; if (i == 1) goto out; i++; goto again; out: assert(v == 1);": None,
    # A bit field that is set says nothing of those beside it.
    "struct bits v; v.a = 1; assert(v.b == 0);": "uninitialised",
    "struct bits v; v.a = 1; struct bits w = v; assert(w.b == 0);": "uninitialised",
    "struct bits v; v.a = 1; struct bits w = v; w.b = 2; assert(w.a == 1 && w.b == 2);": None,
    "struct bits v; for (int i = 0; i < 3; i++) { v.a = i; if (i) assert(v.b == i - 1); v.b = i; }": None,
    "struct bits v; for (int i = 0; i < 3; i++) { v.a = i; if (i == 2) assert(v.b == 0); }": "uninitialised",
    "struct bits v, w = {2, 3}; v.a = 1; v = w; assert(v.b == 3);": None,
    "struct bits v; v.a = 1; memset(&v, 0, sizeof v); assert(v.b == 0);": None,
    "union { struct bits s; unsigned all; } v; v.s.a = 1; v.all = 0; assert(v.s.b == 0);": None,
    # Bytes are copied one by one, with a value or without, and those between the members.
    "struct two a, b; a.x = 1; char *p = (char *)&a, *q = (char *)&b; for (unsigned i = 0; i < sizeof a; i++)"
    " q[i] = p[i]; assert(b.x == 1);": None,
    "struct two a, b; a.x = 1; char *p = (char *)&a, *q = (char *)&b; for (unsigned i = 0; i < sizeof a; i++)"
    " *q++ = *p++; assert(b.y == 1);": "uninitialised",
    "struct pad a = {1, 2}, b; char *p = (char *)&a, *q = (char *)&b; for (unsigned i = 0; i < sizeof a; i++)"
    " *q++ = *p++; assert(b.c == 1 && b.x == 2);": None,
    "char *p = malloc(2), q[2]; p[0] = 1; for (int i = 0; i < 2; i++) q[i] = p[i]; assert(q[0] == 1);": None,
    "char *p = malloc(2), q[2]; p[0] = 1; for (int i = 0; i < 2; i++) q[i] = p[i]; assert(q[1] == 1);": "uninitialised",
    # A lock is used once it has been made.
    "pthread_mutex_t m; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);": "uninitialised",
    "pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);": None,
    "struct { int x; pthread_mutex_t m; } *s = calloc(1, sizeof *s); pthread_mutex_lock(&s->m);"
    " pthread_mutex_unlock(&s->m);": None,
    # A structure is copied from one of two places: all that it has, and what is between that.
    "START(t, sets, 0); struct pad o = {1, 2}, q, *m = malloc(sizeof *m); m->x = 3;"
    " struct pad *s = go ? &o : m; q = *s; assert(q.x == 2 || q.x == 3); JOIN(t);": None,
    "START(t, sets, 0); struct pad o = {1, 2}, q, *m = malloc(sizeof *m); m->x = 3;"
    " struct pad *s = go ? &o : m; q = *s; assert(q.c != 9); JOIN(t);": "uninitialised",
    "START(t, sets, 0); struct list o = {0, 2}, q, *m = malloc(sizeof *m); m->x = 3; m->next = &o;"
    " struct list *s = go ? &o : m; q = *s; assert(q.x == 2 || q.x == 3); JOIN(t);": None,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", UNSET)
def test_unset(reader: str, body: str) -> None:
    assert _kind(reader, f"int main(void) {{ {body} return 0; }}") == UNSET[body]


GIVEN = {
    # What a thread gives whose function ends without a value may be copied, and not used.
    ("*(int *)a = 1;", "assert(x == 1);"): None,
    ("*(int *)a = 1;", "assert(r == 0);"): "uninitialised",
    ("if (go) return a;", "assert(r == &x);"): "uninitialised",
    ("if (go) return a; pthread_exit(a);", "assert(r == &x);"): None,
    ("if (go) pthread_exit(a);", "assert(r == &x);"): "uninitialised",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("body", "joined"), GIVEN)
def test_what_a_thread_gives(reader: str, body: str, joined: str) -> None:
    text = f"""void *f(void *a) {{ {body} }}
int main(void) {{
  int x; void *r; START(t, f, &x); START(u, sets, 0); pthread_join(t, &r); JOIN(u); {joined} return 0;
}}
"""
    assert _kind(reader, text) == GIVEN[body, joined]


ENDED = {
    # The variable that a thread has of its own ends with it: behind its locals, and what its keys call.
    ("at = &own; return a;", "JOIN(t); *at = 1;"): "use-after-free",
    ("at = &own; *at = 2; assert(own == 2); return a;", "JOIN(t); own = 1; at = &own; assert(*at == 1);"): None,
    ("return &own;", "void *r; pthread_join(t, &r); assert(*(int *)r == 3);"): "use-after-free",
    ("shared = (intptr_t)&own; return a;", "if (shared) *(int *)shared = 1; JOIN(t);"): "race-with-free",
    ("START(u, g, &own); return a;", "JOIN(t); JOIN(u);"): "race-with-free",
    ("START(u, g, &own); JOIN(u); assert(own == 7); return a;", "JOIN(t); assert(own == 3);"): None,
    ("static _Thread_local int other; at = &other; return a;", "JOIN(t); *at = 1;"): "use-after-free",
    ("int local = 1; pthread_setspecific(key, &local); return a;", "JOIN(t);"): "use-after-free",
    ("pthread_setspecific(key, &own); return a;", "JOIN(t);"): None,
    ("pthread_setspecific(key, &own); at = &own; return a;", "JOIN(t); assert(*at == 7);"): "use-after-free",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("body", "main"), ENDED)
def test_what_is_a_threads_own(reader: str, body: str, main: str) -> None:
    text = f"""_Thread_local int own = 3; pthread_key_t key;
void *g(void *a) {{ *(int *)a = 7; return 0; }}
void h(void *a) {{ *(int *)a = 7; }}
void *f(void *a) {{ {body} }}
int main(void) {{ pthread_key_create(&key, h); START(t, f, 0); {main} return 0; }}
"""
    assert _kind(reader, text) == ENDED[body, main]


LEFT = {
    # What a block in a loop has, whose rounds are not known, is over behind the loop.
    ("for (int i = 0; i < n; i++) { int v = i; at = &v; } *at = 1;", ""): "use-after-free",
    ("for (int i = 0; i < n; i++) { int v = i; at = &v; } at = &n; *at = 1;", ""): None,
    ("for (int i = 0; i < n; i++) { int v = i; at = &v; if (go) return a; }", "*at = 1;"): "use-after-free",
    ("for (int i = 0; i < n; i++) { int v = i; at = &v; *at = 2; assert(v == 2); }", ""): None,
    ("int *p = &n; for (int i = 0; i < n; i++) { int v = i; p = &v; } *p = 1;", ""): "use-after-free",
    ("int *p = &n; for (int i = 0; i < n; i++) { int v = i; p = &v; } for (int i = 0; i < n; i++) *p = 1;", ""): (
        "use-after-free"
    ),
    ("int *p = &n; for (int i = 0; i < n; i++) p = local_of(i); *p = 1;", ""): "use-after-free",
    # What leaves a round early may use it on its way.
    ("for (int i = 0; i < n; i++) { int v = i; at = &v; if (go) goto out; } at = &n; out: *at = 1;", ""): (
        "use-after-free"
    ),
    ("for (int i = 0;; i++) { int v = i; at = &v; if (i == n) { *at = 5; assert(v == 5); return a; } }", ""): None,
    ("for (int i = 0;; i++) { int v = i; at = &v; if (i == n) { assert(*at == i); abort(); } }", ""): "exit",
}


@compiles
@pytest.mark.parametrize(("body", "main"), LEFT)
def test_what_a_loop_has_left(body: str, main: str) -> None:
    text = f"""void *f(void *a) {{ int n = go + 1; {body} return a; }}
int main(void) {{ START(u, sets, 0); START(t, f, 0); JOIN(t); JOIN(u); {main} return 0; }}
"""
    assert _kind("clang", text) == LEFT[body, main]


@compiles
def test_what_a_loop_has_left_for_others() -> None:
    text = """void *f(void *a) { for (int n = go + 1; n > 0; n--) { int v; shared = (intptr_t)&v; } return a; }
int main(void) { START(u, sets, 0); START(t, f, 0); if (shared) *(int *)shared = 1; JOIN(t); JOIN(u); return 0; }
"""
    assert _kind("clang", text) == "race-with-free"


def _kind(reader: str, text: str) -> str | None:
    verdict, _, kinds = said(reader, BEFORE + text, whole=False)
    assert verdict == ("violation" if kinds else "safe")
    return kinds[0] if kinds else None
