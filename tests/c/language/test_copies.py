"""Copies of structures and bytes: each scalar is read and written, also one that has no value."""

from __future__ import annotations

import pytest
from c.running import HEAD, kinds, load, main, model, run

import xgen

PAIR = "struct pair { int a, b; } s, *p; struct outer { struct pair in; int c; } o; struct array { int v[3]; } w;"
READS = "void *r(void *x) { int seen = {READ}; return x; }\n"
MAIN = "int main() { pthread_t t; struct pair l, k; l.b = 1; k.b = 2; pthread_create(&t, 0, r, 0);\n"


def copying(copy: str, read: str = "s.a", before: str = "") -> str:
    """main copies what is not initialised while a thread reads it."""
    return f"{PAIR} {before}\n{READS.replace('{READ}', read)}{MAIN}{copy}\npthread_join(t, 0); }}"


COPIES = [
    ("s = l;", "s.a", ""),
    ("p = &s; *p = l;", "s.a", ""),
    ("s = make();", "s.a", "struct pair make(void) { struct pair y; y.b = 1; return y; }"),
    ("put(l);", "s.a", "void put(struct pair y) { s = y; }"),
    ("memcpy(&s, &l, sizeof l);", "s.a", ""),
    ("memmove(&s.a, &l.a, 4);", "s.a", ""),
    ("s = s.b ? l : k;", "s.a", ""),
    ("o = (struct outer){l, 3};", "o.in.a", ""),
    ("struct outer m = {.in = l}; o = m;", "o.in.a", ""),
    ("struct array v; v.v[0] = 1; w = v;", "w.v[2]", ""),
    ("s = (k = l, k);", "s.a", ""),
    ("struct pair *h = malloc(sizeof *h); h->b = 1; s = *h;", "s.a", ""),
    ("struct pair *h = malloc(sizeof *h); h->b = 1; memcpy(&s, h, sizeof *h);", "s.a", ""),
    ("struct pair many[2]; many[1].b = 1; s = many[1];", "s.a", ""),
    ("struct pair m; struct pair *q = &m; p = q; s = *q;", "s.a", ""),
    ("s = ({ struct pair y; y; });", "s.a", ""),
]


@pytest.mark.parametrize(("copy", "read", "before"), COPIES)
def test_a_copy_is_a_write(copy: str, read: str, before: str) -> None:
    assert "race" in [kind for kind, _ in kinds(copying(copy, read, before))]
    # What is read after the copy has no value, but in the other members.
    alone = copying(copy, "0", before)
    assert kinds(alone) == []
    after = alone.replace("pthread_join(t, 0);", f"pthread_join(t, 0);\nint z = {read};")
    assert kinds(after) == [("uninitialised", 6)]


HEAP = "struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->b = 1;"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("*b = *a; assert(b->b == 1);", None),
        ("*b = *a;\ng = b->a;", 2),
        ("*b = *a;\ng = a->a;", 2),
        ("*b = *a; b->a = 2; g = b->a;", None),
        ("memcpy(b, a, sizeof *a); assert(b->b == 1);", None),
        ("memcpy(b, a, sizeof *a); memcpy(a, b, sizeof *a);\ng = a->a;", 2),
        ("struct pair l = *a; assert(l.b == 1); *b = l;\ng = b->a;", 2),
        ("struct pair l = *a;\ng = l.a;", 2),
        ("struct pair l = *a; l.a = 3; g = l.a;", None),
        ("int z; memcpy(&z, &a->a, 4);\ng = z;", 2),
        ("a = realloc(a, 16); assert(a->b == 1);\ng = a->a;", 2),
        ("if (__VERIFIER_nondet_bool()) a->a = 1; a = realloc(a, 16); assert(a->b == 1);\ng = a->a;", 2),
        ("*b = *a;\n__atomic_fetch_add(&b->a, 1, 5);", 2),
        ("if (__VERIFIER_nondet_bool()) a->a = 1; *b = *a; a->a = b->b; g = a->a;", None),
        ("if (__VERIFIER_nondet_bool()) a->a = 1; *b = *a;\ng = b->a;", 2),
    ],
)
@pytest.mark.parametrize("mcm", ["sc", "rc11"])
def test_what_has_no_value(body: str, line: int | None, mcm: str) -> None:
    """In one thread, and in a thread that main starts."""
    expected = [] if line is None else [("uninitialised", line + 2)]
    before = f"int g; {PAIR}\n"
    assert kinds(f"{before}int main() {{ {HEAP}\n{body} }}", mcm) == expected
    thread = f"{before}void *f(void *x) {{ {HEAP}\n{body} return 0; }}\n"
    assert kinds(thread + "int main() { pthread_t t; pthread_create(&t, 0, f, 0); }", mcm) == expected


def test_proofs_say_the_same() -> None:
    for body, expected in (("*b = *a; g = b->b;", "safe"), ("*b = *a; g = b->a;", "violation")):
        text = f"int g; {PAIR} void *f(void *x) {{ {HEAP} {body} return 0; }}\n"
        program = load(HEAD + text + "int main() { pthread_t t; pthread_create(&t, 0, f, 0); }")
        assert xgen.prove(program, model("tso")).verdict == expected


def test_what_is_no_copy_is_not_looked_at() -> None:
    """To look whether there is a value decides what a thread does next, which would order it on machines."""
    text = (
        "struct one { int a; } k; int x, y, seen;\n"
        "void *f(void *p) { struct one m; k = m; return 0; }\n"
        "void *g(void *p) { int r = __atomic_load_n(&x, 0); __atomic_store_n(&y, 1, 0); seen = r; return 0; }\n"
        "void *h(void *p) { int r = __atomic_load_n(&y, 0); __atomic_store_n(&x, r, 0); return 0; }\n"
        "int main() { pthread_t t, i, j; pthread_create(&t, 0, g, 0); pthread_create(&i, 0, h, 0);\n"
        "pthread_create(&j, 0, f, 0); pthread_join(t, 0); assert(!seen); }"
    )
    assert [kind for kind, _ in kinds(text, "arm8", races=False)] == ["assertion"]


def test_counts_are_those_of_scalars() -> None:
    """A copy of a structure has the executions of copies of its members."""
    whole = run(copying("atomic_thread_fence(memory_order_seq_cst); s = k;", "__atomic_load_n(&s.b, 0)"), races=False)
    each = run(copying("atomic_thread_fence(memory_order_seq_cst); s.a = 0; s.b = k.b;", "__atomic_load_n(&s.b, 0)"),
               races=False)  # fmt: skip
    assert (whole.verdict, whole.executions) == (each.verdict, each.executions) == ("safe", 2)


def test_large_copies() -> None:
    """What is found out of a program does not take a translation for each scalar."""
    assert (
        kinds("struct large { int v[700]; } g; int main() { struct large l; l.v[1] = 1; g = l; assert(g.v[1] == 1); }")
        == []
    )


CUT = """union u { int w; unsigned char b[4]; };
struct s { int x; union u u; short h; } a[2], c = { 5, { .b = { 1, 2, 3, 4 } }, 6 }, d;
struct p { int x, w; short h; } *plain, other = { 7, 8, 9 };
"""


def test_parts_by_pointers_that_are_not_known() -> None:
    """What is cut, and what is not, is copied from where pointers lead and to there."""
    body = """_Bool k = __VERIFIER_nondet_bool();
    a[1].u.b[2] = 9; a[k] = c; assert(a[k].u.w == 0x04030201 && a[!k].u.b[2] == (k ? 0 : 9));
    d = a[k]; assert(d.u.b[3] == 4 && d.h == 6);
    struct s l = a[k]; l.u.b[0] = 7; assert(l.u.w == 0x04030207); a[!k] = l; assert(a[!k].u.b[0] == 7);
    plain = k ? &other : (struct p *)&a[0]; struct p q = *plain; assert(k ? q.w == 8 : q.w == 0x04030201);
    *(k ? &other : (struct p *)&d) = q; assert(k ? other.w == 8 : d.u.b[1] == 2);
    struct s *m = malloc(sizeof *m); m->x = 4; struct s *n = k ? m : &a[0]; struct s e = *n;
    assert(e.x == (k ? 4 : 5)); if (!k) assert(e.u.b[2] == 3);
    *n = e; n->u.b[1] = 3; e = *n; assert(e.u.b[1] == 3);
    struct p *to = k ? &other : (struct p *)&d, *from = k ? (struct p *)&c : &other; memcpy(to, from, sizeof *to);
    assert(k ? other.w == 0x04030201 : d.u.b[0] == 8);"""
    result = main(body, CUT)
    assert (result.verdict, result.executions) == ("safe", 2)
    after = f"{CUT}int main() {{ {body}\nif (k) assert(e.u.b[0]); }}"
    assert kinds(after) == [("uninitialised", 15)]


def test_a_number_of_which_a_part_has_no_value() -> None:
    """Where it is copied as a whole, what comes of it is not known."""
    before = "union u { int w; unsigned char b[4]; }; struct p { int x; } other = { 7 };"
    body = """_Bool k = __VERIFIER_nondet_bool(); union u *m = malloc(sizeof *m); %s
    struct p *s = k ? &other : (struct p *)m, q = *s; assert(!k || q.x == 7);"""
    assert main(body % "*(unsigned *)m->b = 3;", before).verdict == "safe"
    assert main(body % "", before).verdict == "safe"
    with pytest.raises(xgen.XgenError, match=r"this accesses a part of a number"):
        main(body % "m->b[1] = 3;", before)
