"""Whole programs: how many executions, and what goes wrong where. Counts are by hand, or those of the same litmus shapes."""  # noqa: E501

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, main, model, run, threads

import xgen

STORE_BUFFERING = (
    "atomic_store_explicit(&x, 1, {o}); int a = atomic_load_explicit(&y, {o});",
    "atomic_store_explicit(&y, 1, {o}); int b = atomic_load_explicit(&x, {o});",
)


@pytest.mark.parametrize(
    ("order", "mcm", "executions"),
    [
        ("memory_order_relaxed", "rc11", 4),
        ("memory_order_seq_cst", "rc11", 3),
        ("memory_order_relaxed", "sc", 3),
        ("memory_order_relaxed", "tso", 4),
    ],
)
def test_store_buffering(order: str, mcm: str, executions: int) -> None:
    bodies = [body.format(o=order) for body in STORE_BUFFERING]
    result = run(threads(*bodies, before="atomic_int x, y;"), mcm)
    assert (result.verdict, result.executions, result.blocked) == ("safe", executions, 0)


def test_creation_orders_give_the_same_count() -> None:
    one = "atomic_fetch_add(&x, 1);"
    two = "int r = atomic_load(&x); atomic_store(&y, r);"
    three = "int s = atomic_load(&y); atomic_store(&x, s + 1);"
    found = {
        run(threads(*bodies, before="atomic_int x, y;")).executions
        for bodies in ((one, two, three), (three, two, one), (two, one, three))
    }
    assert len(found) == 1


@pytest.mark.parametrize(("mcm", "map_"), [("rc11", None), ("sc", None), ("tso", "x86"), ("arm8", "armv8")])
def test_operators_without_an_instruction(mcm: str, map_: str | None) -> None:
    """As many executions as of updates that there is an instruction for, and each operand is multiplied with once."""
    counts = []
    for operator, last in (("+", 1 + 2 + 3 + 5), ("*", 30)):
        bodies = [f"x {operator}= {number};" for number in (2, 3, 5)]
        result = run(threads(*bodies, before="atomic_int x = 1;"), mcm, map=map_)
        assert [outcome.state["x"] for outcome in result.outcomes] == [last]
        counts.append(result.executions)
    assert counts == [6, 6]


def test_threads_in_a_loop() -> None:
    text = """
atomic_int x;
void *add(void *i) { atomic_fetch_add(&x, (long)i + 1); return 0; }
int main() {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, (void *)(long)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 6);
}"""
    result = run(text)
    assert (result.verdict, result.executions) == ("safe", 6)
    assert [outcome.state for outcome in result.outcomes] == [{"x": 6}]


def test_mutexes() -> None:
    body = "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);"
    text = threads(
        body, body, body, before="pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;", after="assert(n == 3);"
    )
    result = run(text)
    assert (result.verdict, result.executions, result.flags) == ("safe", 6, {})


def test_mutex_in_the_heap() -> None:
    text = """
struct box { pthread_mutex_t m; int n; } *box;
void *work(void *p) { pthread_mutex_lock(&box->m); box->n++; pthread_mutex_unlock(&box->m); return 0; }
int main() {
  pthread_t a, b;
  box = malloc(sizeof *box);
  box->n = 0;
  pthread_mutex_init(&box->m, 0);
  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(box->n == 2);
}"""
    result = run(text)
    assert (result.verdict, result.executions) == ("safe", 2)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("int a[3] = {1, 2, 3}; int s = 0; for (int i = 0; i < 3; i++) s += a[i]; assert(s == 6);", ""),
        ("int a[2][2] = {{1, 2}, {3, 4}}; assert(a[1][0] == 3 && *(*a + 1) == 2);", ""),
        ("struct s v = {.b = 2, .a = 1}; struct s w = v; w.a++; assert(v.a == 1 && w.a == 2 && w.b == 2);", "struct s { int a, b; };"),  # noqa: E501
        ("struct s *p = &g; p->a = 5; assert(g.a == 5 && (*p).a == 5);", "struct s { int a, b; } g;"),
        ("int x = 1; int *p = &x; *p = 4; assert(x == 4);", ""),
        ("int x = 1; set(&x); assert(x == 9);", "void set(int *p) { *p = 9; }"),
        ("int x = 3; swap(&x, &y); assert(x == 7 && y == 3);", "int y = 7; void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }"),  # noqa: E501
        ("assert(fact(5) == 120);", "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }"),
        ("int i = 0; do { i++; } while (i < 5); assert(i == 5);", ""),
        ("int i = 0; again: i++; if (i < 4) goto again; assert(i == 4);", ""),
        ("int n = 0; for (int i = 0; i < 10; i++) { if (i == 2) continue; if (i == 5) break; n += i; } assert(n == 8);", ""),  # noqa: E501
        ("int r; switch (3) { case 1: r = 1; break; case 2 ... 4: r = 2; default: r = r + 5; } assert(r == 7);", ""),
        ("int (*f)(int) = twice; assert(f(4) == 8 && (*f)(1) == 2);", "int twice(int n) { return 2 * n; }"),
        ("assert(n.next->value == 2 && n.next->next == 0);", "struct n { int value; struct n *next; } m = {2, 0}, n = {1, &m};"),  # noqa: E501
        ("char *s = \"hi\"; assert(s[0] == 'h' && s[2] == 0);", ""),
        ("int x = ({ int t = 2; t * 3; }); assert(x == 6);", ""),
        ("typeof(1L) x = 1; __auto_type y = x; assert(sizeof(y) == 8);", ""),
        ("struct p q = pair(1, 2); assert(q.a + q.b == 3);", "struct p { int a, b; }; struct p pair(int a, int b) { struct p r = {a, b}; return r; }"),  # noqa: E501
        ("int a[4]; memset(a, 0, sizeof a); int b[4] = {1, 2, 3, 4}; memcpy(a, b, sizeof a); assert(a[3] == 4);", ""),
        ("struct o *i = (struct o *)((char *)&v.in - offsetof(struct o, in)); assert(i == &v);", "struct o { long x; int in; } v;"),  # noqa: E501
        ("static int n; n++; assert(next() == 1 && next() == 2);", "int next() { static int k; return ++k; }"),
        ("enum { A, B = 5, C }; assert(C == 6 && A == 0);", ""),
        ("int a = 1, b; b = a++ + 10; assert(a == 2 && b == 11); b = --a; assert(b == 1);", ""),
        ("int x = 5; x = x > 3 ? x < 10 ? 1 : 2 : 3; assert(x == 1);", ""),
        ("uintptr_t p = (uintptr_t)&y | 1; assert(((int *)(p & ~1ul)) == &y);", "int y;"),
        ("int *p = malloc(3 * sizeof(int)); p[0] = 1; p[1] = p[0] + 1; assert(*(p + 1) == 2 && &p[2] - p == 2);", ""),
        ("long *p = calloc(2, sizeof(long)); assert(p[1] == 0);", ""),
        ("assert(x == 0); x = 3; assert(x == 3);", "_Thread_local int x;"),
        ("struct s x = {1, 2}, v[3] = {x, {3, 4}, x}; assert(v[0].b == 2 && v[1].a == 3 && v[2].a == 1);", "struct s { int a, b; };"),  # noqa: E501
        ("struct s x = {1, 2}; struct t v = {x, 7, {8, 9}}; assert(v.p.b == 2 && v.z == 7 && v.q.a == 8);", "struct s { int a, b; }; struct t { struct s p; int z; struct s q; };"),  # noqa: E501
        ("assert(f(3) == 121);", "int f(int n) { switch (n) { case 3: return f(2) * 10 + 1; case 2: return f(1) + f(0); case 1: n = f(0); break; case 0: return 5; } return n + 2; }"),  # noqa: E501
        ("int x = 0; again: x++; ({ if (x < 5) goto again; 0; }); assert(x == 5);", ""),
        ("int x = 0, y = ({ int k = 0; again: k++; x += k; if (k < 4) goto again; k; }); assert(x == 10 && y == 4);", ""),  # noqa: E501
        ("assert(pthread_mutex_trylock(&m) == 0 && pthread_mutex_trylock(&m) != 0); pthread_mutex_unlock(&m);", "pthread_mutex_t m;"),  # noqa: E501
    ],
)  # fmt: skip
def test_one_thread(body: str, before: str) -> None:
    result = main(body, "#include <stddef.h>\n" + before)
    assert (result.verdict, result.executions, result.blocked, result.bounded) == ("safe", 1, 0, 0)


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("int main() {\n assert(1 == 2);\n}", "assertion", 2),
        ("int x;\nint main() {\n int *p = 0;\n *p = 1;\n}", "bad-address", 4),
        ("int a[3];\nint main() {\n a[3] = 1;\n}", "out-of-bounds", 3),
        ("int main() {\n int a[3]; int i = 3;\n a[i] = 1;\n}", "out-of-bounds", 3),
        ("int main() {\n int x;\n return x;\n}", "uninitialised", 3),
        ("int main() {\n int *p = malloc(4);\n return *p;\n}", "uninitialised", 3),
        ("int main() {\n int z = 0;\n return 1 / z;\n}", "division-by-zero", 3),
        ("int main() {\n int z = 40;\n return 1 << z;\n}", "shift", 3),
        ("pthread_mutex_t m;\nint main() {\n pthread_mutex_unlock(&m);\n}", "unlock", 3),
        ("pthread_mutex_t m;\nint main() {\n pthread_mutex_destroy(&m);\n pthread_mutex_lock(&m);\n}", "destroyed", 4),
        ("int main() {\n pthread_join(77, 0);\n}", "bad-join", 2),
        ("void *f(void *a) { return a; }\nint main() {\n int (*g)() = (int (*)())0;\n g();\n}", "bad-call", 4),
        ("int main() {\n __VERIFIER_error();\n}", "assertion", 2),
        ("int main() {\n malloc(0);\n}", "bad-allocation", 2),
    ],
)
def test_errors(text: str, kind: str, line: int) -> None:
    assert kinds(text) == [(kind, line)]


def test_overflow_on_request() -> None:
    text = "int main() {\n int x = 2147483647;\n x = x + 1;\n}"
    assert kinds(text) == []
    assert kinds(text, overflow=True) == [("overflow", 3)]


def test_mixed_sizes_are_no_verdict() -> None:
    """Where the text does not tell where a pointer leads, no number is cut."""
    text = HEAD + "int x;\nint main() {\n char *p = (char *)&x + __VERIFIER_nondet_bool();\n return *p;\n}"
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.check(load(text), model("rc11"))
    assert caught.value.line == HEAD.count("\n") + 4


def test_waiting_loops_need_no_bound() -> None:
    text = threads(
        "while (!atomic_load(&f)) ; assert(d == 1);", "d = 1; atomic_store(&f, 1);", before="int d; atomic_int f;"
    )
    result = run(text)
    assert (result.verdict, result.executions, result.blocked, result.bounded) == ("safe", 1, 0, 0)


def test_unroll() -> None:
    text = threads("for (;;) atomic_fetch_add(&x, 1);", before="atomic_int x;")
    result = run(text, unroll=3)
    assert (result.executions, result.bounded) == (0, 1)
    assert any("the bound stopped" in warning for warning in result.warnings)


def test_values_by_choice() -> None:
    text = "int main() { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 1); assert(n != 3); }"
    result = run(text, nondet=(0, 2))
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 2)
    assert run(text, nondet=(0, 3)).verdict == "violation"


@pytest.mark.parametrize(
    "write",
    [
        "a[__VERIFIER_nondet_bool()] = 1;",
        "int *p = __VERIFIER_nondet_bool() ? &a[0] : &a[1]; *p = 1;",
        "struct box *b = &v; b->inner[__VERIFIER_nondet_bool()] = 1; a[0] = b->inner[0];",
        "atomic_fetch_add(&c[__VERIFIER_nondet_bool()], 1); a[0] = c[0];",
        "memset(a, __VERIFIER_nondet_bool() ? 1 : 1, 1 * sizeof a); a[1] = 0; a[0] = 1;",
        "set(a + 0);",
    ],
)
def test_what_a_thread_writes_is_seen(write: str) -> None:
    """Main reads what is constant before there are threads as its value; what a thread writes is none of that."""
    text = threads(
        write,
        before="int a[2]; atomic_int c[2]; struct box { int inner[2]; } v; void set(int *p) { *p = 1; }",
        after="assert(a[0] == 0);",
    )
    result = run(text)
    assert result.verdict == "violation"


def test_joined_values() -> None:
    text = """
void *twice(void *p) { return (void *)(2 * (long)p); }
int main() {
  pthread_t t; void *r;
  pthread_create(&t, 0, twice, (void *)21);
  pthread_join(t, &r);
  assert((long)r == 42);
}"""
    assert run(text).verdict == "safe"


def test_places_of_calls() -> None:
    text = HEAD + "void inner(int k) {\n  assert(k);\n}\nvoid outer() {\n  inner(0);\n}\nint main() {\n  outer();\n}\n"
    result = xgen.check(load(text), model("sc"))
    assert result.witness is not None
    (violation,) = result.witness.violations
    first = HEAD.count("\n")
    assert violation.position.line == first + 2
    assert [(name, place.line - first) for name, place in violation.position.calls] == [("inner", 5), ("outer", 8)]


@pytest.mark.parametrize("mcm", ["rc11", "arm8", "power"])
def test_a_bound_on_rounds_ends_the_run_where_threads_run_ahead(mcm: str) -> None:
    """Nothing but the rounds of a loop is cut: no deeper search is needed."""
    count = "int n = 0; while (atomic_load_explicit(&x, memory_order_relaxed) < 2) n++; assert(n >= 0);"
    text = threads(count, "atomic_store_explicit(&x, 1, memory_order_relaxed);", before="atomic_int x;")
    result = run(text, mcm, unroll=4)
    assert (result.verdict, result.executions, result.bounded) == ("vacuous", 0, 5)


CHAIN = """atomic_int x;
void *f(void *a) { pthread_t t; if (x++ < LIMIT) pthread_create(&t, 0, f, 0); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""


@pytest.mark.parametrize(("limit", "verdict"), [("3", "safe"), ("7", "safe"), ("8", "vacuous")])
def test_threads_that_start_their_like(limit: str, verdict: str) -> None:
    """Each comes after the update of the one that started it: there is one execution."""
    result = run(CHAIN.replace("LIMIT", limit))
    assert (result.verdict, result.executions + result.bounded) == (verdict, 1)


def test_too_many_threads() -> None:
    twice = CHAIN.replace("pthread_create(&t, 0, f, 0); return", "{ pthread_create(&t, 0, f, 0); START } return", 1)
    with pytest.raises(xgen.UnsupportedError, match="more than 256 threads are not supported"):
        load(HEAD + twice.replace("START", 2 * "pthread_create(&t, 0, f, 0);").replace("LIMIT", "9"))


@pytest.mark.parametrize(
    "count", ["sizeof(t) / sizeof(t[0])", "(sizeof t / sizeof *t)", "sizeof(int[3]) / _Alignof(int)"]
)
def test_rounds_by_the_size_of_an_array(count: str) -> None:
    body = f"pthread_t t[3]; unsigned long i; for (i = 0; i < {count}; ++i) pthread_create(&t[i], 0, add, (void *)i);"
    text = "atomic_long x; void *add(void *a) { x += (long)a; return 0; }\n"
    result = run(f"{text}int main() {{ {body} for (i = 0; i < {count}; ++i) pthread_join(t[i], 0); assert(x == 3); }}")
    assert (result.verdict, result.executions) == ("safe", 6)


THREAD_LOCAL = """
static int next(int *p) {
  static _Thread_local int n = 3;
  for (int i = 0; i < 2; i++) { _Thread_local static int k; k++; n += k; }
  if (p) *p = n;
  return n;
}
static int *where(void) { static _Thread_local int y = 4; y++; return ({ static _Thread_local int z; z++; &y; }); }
void *t(void *a) {
  int v;
  assert(next(0) == 6);
  assert(next(&v) == 13 && v == 13);
  assert(*where() == 5);
  assert(*where() == 6);
  return 0;
}
int main(void) {
  pthread_t p;
  int i = 0;
  assert(next(0) == 6);
  pthread_create(&p, 0, t, 0);
  while (i < 2) { i++; assert(*where() == 4 + i); }
  assert(next(0) == 13);
  pthread_join(p, 0);
  assert(next(0) == 24);
}
"""


def test_thread_local_variables_of_functions() -> None:
    """The numbers are what gcc's program has."""
    assert run(THREAD_LOCAL).verdict == "safe"
    assert kinds(THREAD_LOCAL.replace("== 24", "== 23")) == [("assertion", 25)]


def test_a_thread_local_variable_that_is_declared_twice() -> None:
    result = run("extern _Thread_local int x; _Thread_local int x = 3; int main() { assert(x == 3); }")
    assert (result.verdict, result.executions) == ("safe", 1)
