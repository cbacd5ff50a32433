"""Memory that is allocated, freed, or of a function that has ended: what goes wrong with it, and where."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, model, run, threads

import xgen
from xgen.program import automaton

NODE = "struct node { int v; struct node *next; }; _Atomic(struct node *) top;\n"


def body(text: str) -> str:
    return f"{NODE}int g; int main() {{\n{text}\n}}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct node *n = malloc(sizeof *n);\nn->v = 1; free(n);", []),
        ("void *n = aligned_alloc(3, 9);", [("bad-allocation", 3)]),
        ("void *memalign(size_t, size_t), *n = memalign(3, 9);", [("bad-allocation", 3)]),
        ("void *memalign(size_t, size_t); struct node *n = memalign(64, sizeof *n);\nn->v = 1; free(n);", []),
        ("struct node *n = malloc(sizeof *n);\nfree(n);\nn->v = 1;", [("use-after-free", 5)]),
        ("struct node *n = calloc(1, sizeof *n);\nfree(n);\ng = n->v;", [("use-after-free", 5)]),
        ("struct node *n = malloc(sizeof *n);\nfree(n);\nfree(n);", [("double-free", 5)]),
        ("struct node *n = malloc(sizeof *n);\nfree(&n->next);", [("bad-free", 4)]),
        ("struct node *n = malloc(sizeof *n);\nfree((char *)n + 1);", [("bad-free", 4)]),
        ("free(&g);", [("bad-free", 3)]),
        ("g = 1;\nint *p = realloc(&g, 8);", [("bad-free", 4)]),
        ("int *p = malloc(4);\nint *q = realloc(p, 8);\n*p = 1;", [("use-after-free", 5)]),
        ("int *p = malloc(4);\np = realloc(p, 8);\ng = *p;", [("uninitialised", 5)]),
        ("int *p = malloc(8);\np = realloc(p, 0);", [("bad-allocation", 4)]),
        ("g = 1;\ng = __builtin_clz(g) + __builtin_ctz(g - 1);", [("undefined", 4)]),
        ("g = memcmp(&g, &g, 8);", [("out-of-bounds", 3)]),
        ("int x = 0;\nfree(&x);", [("bad-free", 4)]),
        ("int x = 0; int *volatile p = &x;\nfree(p);", [("bad-free", 4)]),
        ("free((void *)12345);", [("bad-free", 3)]),
        ("free(0); free((struct node *)0);", []),
        ("int *a = malloc(3 * sizeof(int));\na[3] = 1;", [("bad-address", 4)]),
        ("int a[3] = {0}, b[4] = {0};\nmemcpy(a, b, sizeof b);", [("out-of-bounds", 4)]),
        ("int *a = malloc(3 * sizeof(int));\nmemset(a, 0, 16);", [("out-of-bounds", 4)]),
        ("int *a = malloc(3 * sizeof(int));\na[-1] = 1;", [("bad-address", 4)]),
        ("int *a = malloc(3 * sizeof(int));\na[0] = 1; a[2] = a[0]; free(a);", []),
        ("int *a = malloc(0);", [("bad-allocation", 3)]),
        ("int *a = malloc(sizeof(int));\ng = *a;", [("uninitialised", 4)]),
        ("int *a = calloc(2, sizeof(int));\ng = a[1];", []),
        ("top = calloc(1, sizeof(struct node));\nfree(top);\ng = top->v;", [("use-after-free", 5)]),
        ("pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0);\nfree(m);\npthread_mutex_lock(m);",
         [("use-after-free", 5)]),
    ],
)  # fmt: skip
def test_one_thread(text: str, expected: list[tuple[str, int]]) -> None:
    for name in ("rc11", "sc", "tso"):
        assert kinds(body(text), name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int *leak(int v) { int x = v; int *p = &x; g = (long)p; return p; }\nint main() {\nreturn *leak(3); }", 3),
        ("int *leak(int v) { int *p = &v; g = (long)p != 0; return p; }\nint main() {\nreturn *leak(3); }", 3),
        ("void leak() { int x = 1; s = &x; }\nint main() {\nleak(); return *s; }", 3),
        ("void use() { int x = 1; s = &x; *s = 2; }\nint main() {\nuse(); use(); return 0; }", None),
        ("struct b { int a[2]; }; struct b make() { struct b y = {{1, 2}}; s = y.a; return y; }\n"
         "int main() { struct b z = make(); return z.a[1]; }", None),
        ("struct p { int *p; int n; }; struct p pair(int *p) { struct p q = {p, 1}; return q; }\n"
         "int main() { int x = 5; struct p y = pair(&x); *y.p += y.n; assert(x == 6); }", None),
        ("struct p { int *p; }; struct p pair() { int x = 1; struct p q = {&x}; return q; }\n"
         "int main() {\nstruct p y = pair(); return *y.p; }", 3),
    ],
)  # fmt: skip
def test_locals_of_functions_that_have_ended(text: str, expected: int | None) -> None:
    found = kinds("int g; int *s;\n" + text, exits=False)
    assert found == ([] if expected is None else [("use-after-free", expected + 1)])


LOOP = "for (int i = 0; i < 2; i++)"
CHOOSE = "int main() { h(__VERIFIER_nondet_bool()); }"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("int main() { int *q; { int x = 1; q = &x; }\ng = *q; }", 2),
        ("int main() { { int x = 1; p = &x; }\n*p = 2; }", 2),
        ("int main() { { int x = 1; p = &x; *p = 2; } }", None),
        ("int main() { int x = 1; { p = &x; } *p = 2; }", None),
        (f"int main() {{ {LOOP} {{ int x = i; p = &x; if (i == 1) break; }}\n*p = 1; }}", 2),
        (f"int main() {{ {LOOP} {{ int x = i; p = &x; if (i == 0) continue; *p = 2; }}\n*p = 1; }}", 2),
        (f"int main() {{ {LOOP} {{ int x = i; p = &x; *p += 1; assert(x == i + 1); }} }}", None),
        ("int main() { if (1) { int x = 1; p = &x; }\n*p = 1; }", 2),
        ("void h(int c) { if (c) { int x = 2; p = &x; return; } else { int y = 3; p = &y; } }\n"
         "int main() { h(1);\n*p = 1; }", 3),
        ("void h(int c) { if (c) { int x = 2; p = &x; return; } else { int y = 3; p = &y; } }\n"
         "int main() { h(__VERIFIER_nondet_bool());\n*p = 1; }", 3),
        ("int h(int c) { int z = 5; p = &z; if (c) { int x = 2; p = &x; *p = 4; p = &z; } *p = 7; return z; }\n"
         "int main() { assert(h(__VERIFIER_nondet_bool()) == 7); }", None),
        ("void h(int c) { switch (c) { case 0: { int x = 2; p = &x; break; } default: { int y = 1; p = &y; } }\n"
         f"g = *p; }} {CHOOSE}", 2),
        ("void h(int c) { switch (c) { int x; case 0: x = 1; p = &x; break; default: p = &g; }\n"
         f"g = *p; }} {CHOOSE}", 2),
        ("struct s { int a[2]; }; int main() { struct s v = ({ struct s y = {{1, 2}}; p = y.a; y; }); g = v.a[1]; }",
         None),
        ("int *at(int *q) { return q; } int main() { { int x = 1; *at(&x) = 2; { int y = *at(&x); p = &y; } }\n"
         "*p = 1; }", 2),
        ("void set(int **q, int *r) { *q = r; } int main() { int *q; { int x; set(&q, &x); *q = 1; }\n*q = 2; }", 2),
    ],
)  # fmt: skip
def test_locals_of_blocks_that_have_ended(text: str, line: int | None) -> None:
    assert kinds(f"int g, *p; {text}") == ([] if line is None else [("use-after-free", line)])


def test_a_local_that_a_thread_is_given() -> None:
    """The usual mistake: its block ends while the thread reads it."""
    thread = "void *f(void *q) {\nint n = *(int *)q; return 0; }\n"
    starts = f"pthread_t t[2]; {LOOP} {{ int x = i; pthread_create(&t[i], 0, f, &x);"
    joins = f"{LOOP} pthread_join(t[i], 0); }}"
    assert {kind for kind, _ in kinds(f"{thread}int main() {{ {starts} }} {joins}")} == {"race-with-free"}
    assert kinds(f"{thread}int main() {{ {starts} pthread_join(t[i], 0); }} }}") == []


def test_a_local_of_a_thread_that_has_ended() -> None:
    text = threads(
        "int x = 1; atomic_store(&p, &x);", "int *q = atomic_load(&p); if (q) *q = 2;", before="_Atomic(int *) p;"
    )
    assert {kind for kind, _ in kinds(text)} == {"race-with-free"}


REMOVE = """
struct node {{ int v; struct node *next; }};
_Atomic(struct node *) top;
pthread_t t, u;
void *reader(void *a) {{ struct node *n = atomic_load(&top); if (n) {{ int x = n->v; (void)x; }} return 0; }}
void *remover(void *a) {{
  struct node *n = atomic_exchange(&top, 0);
  {join}
  free(n);
  return 0;
}}
int main() {{
  struct node *n = malloc(sizeof *n);
  n->v = 1; n->next = 0;
  atomic_store(&top, n);
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, remover, 0);
}}"""


@pytest.mark.parametrize("mcm", ["rc11", "rc11-c20", "sc", "tso"])
def test_a_reader_of_what_is_removed(mcm: str) -> None:
    assert kinds(REMOVE.format(join=""), mcm) == [("race-with-free", 9)]
    result = run(REMOVE.format(join="pthread_join(t, 0);"), mcm)
    assert (result.verdict, result.executions) == ("safe", 2)


def test_what_is_not_ordered_after_its_allocation() -> None:
    text = threads(
        "int *q = malloc(sizeof(int)); atomic_store_explicit(&p, q, memory_order_{o});",
        "int *q = atomic_load_explicit(&p, memory_order_acquire); if (q) *q = 2;",
        before="_Atomic(int *) p;",
    )
    assert {kind for kind, _ in kinds(text.replace("{o}", "relaxed"))} == {"use-before-allocation"}
    assert kinds(text.replace("{o}", "release")) == []
    assert kinds(text.replace("{o}", "relaxed"), "sc") == []


def test_calls_and_events_of_a_violation() -> None:
    text = "static void drop(int *p) {\n  free(p);\n}\nint main() {\n  int *a = malloc(4);\n  drop(a);\n  drop(a);\n}"
    result = xgen.check(load(HEAD + text), model("rc11"))
    assert result.witness is not None
    (violation,) = result.witness.violations
    assert violation.message == "second free of a"
    (name, called) = violation.position.calls[0]
    assert (name, called.line - HEAD.count("\n")) == ("drop", 7)
    frees = [event for event in result.witness.events if "free" in event.tags]
    assert [event.label for event in frees] == ["free a"] * 2
    assert violation.events == tuple(event.id for event in frees)


def test_memory_from_loops() -> None:
    text = """
int main() {
  for (int i = 0; i < 3; i++) { int *a = malloc(sizeof(int)); *a = i; free(a); }
  int n = __VERIFIER_nondet_int();
  while (n > 0) { int *a = malloc(sizeof(int)); *a = n; n = *a - 1; free(a); }
}"""
    result = run(text, nondet=(0, 3))
    assert (result.verdict, result.executions) == ("safe", 4)


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11", "arm8"])
@pytest.mark.parametrize("nodes", [2, 3, 5])
def test_lists_that_are_walked_through_do_not_wait(mcm: str, nodes: int) -> None:
    """Each round reads another node, at an address that the round before has read and nothing keeps."""
    links = "".join(f"node[{k}].next = &node[{k + 1}]; node[{k}].key = {2 * k};\n" for k in range(nodes))
    text = f"""
struct node {{ int key; struct node *next; }} node[{nodes + 1}];
int found;
void *find(void *a) {{
  for (struct node *p = &node[0]; p != &node[{nodes}]; p = p->next) if (p->key >= {2 * nodes - 2}) {{ found++; break; }}
  return a;
}}
int main() {{
  {links}
  pthread_t t;
  pthread_create(&t, 0, find, 0);
  pthread_join(t, 0);
  assert(found == 1);
}}"""
    result = run(text, mcm)
    assert (result.verdict, result.executions, result.blocked) == ("safe", 1, 0)


def cells_read(text: str) -> set[str]:
    """The names of the cells that the program loads from by name."""
    program = load(HEAD + text)
    edges = [edge for process in program.processes for edge in process.procedures[0].edges]
    loads = [step for edge in edges for step in edge.statements if isinstance(step, automaton.Load)]
    return {step.place.name.name for step in loads if isinstance(step.place, automaton.Place)}


FIXED = "struct { int size; atomic_int head; int rest[2]; } q = { 4, 0, { 3, 7 } };"


@pytest.mark.parametrize(
    ("writes", "read"),
    [
        ("q.rest[0] = 5;", {"q.head", "q.rest[0]"}),
        ("q.size = 5;", {"q.head", "q.size"}),
        ("int *p = &q.rest[0]; p[q.head & 1] = 5;", {"q.head", "q.size", "q.rest[0]", "q.rest[1]"}),
    ],
)
def test_what_nobody_writes_is_a_constant(writes: str, read: set[str]) -> None:
    """Other scalars of the object may change; where a pointer leads nobody knows, all may."""
    after = "int s = q.size + q.rest[0] + q.rest[1] + q.head;"
    text = threads(f"q.head = 1; {writes}", f"q.head = 2; {after}", before=FIXED)
    assert cells_read(text) == read


def test_constants_are_what_main_wrote_last() -> None:
    text = threads("q.head = q.size + q.rest[1]; q.rest[0] = 9;", before=FIXED, after="assert(q.head == 15);")
    text = text.replace("int main() {", "int main() { q.size = 8;")
    assert run(text).verdict == "safe"
    assert run(text.replace("15", "11")).verdict == "violation"


@pytest.mark.parametrize("mcm", ["sc", "tso", "rc11", "arm8"])
@pytest.mark.parametrize(
    "own", ["atomic_int *me = malloc(sizeof *me); atomic_init(me, 1);", "static atomic_int it = 1, *me = &it;"]
)
def test_what_waits_on_allocated_memory_waits(own: str, mcm: str) -> None:
    """Nobody is there to wait for; it is 0 already; or it is 1 first."""
    waits = "atomic_int *p = q; if (!p) return 0; int r = *p; while (r) r = *p;"
    text = threads(f"{own} q = me; *me = 0;", waits, before="atomic_int *_Atomic q;")
    result = run(text, mcm)
    assert (result.verdict, result.executions) == ("safe", 3)
