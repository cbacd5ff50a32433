"""Indices at and past the ends of arrays, and what is behind objects."""

from __future__ import annotations

import pytest
from both.asked import READERS, said
from llvm.compiling import compiles

import xgen

TEXT = """
int g[4], x, n = 3, m[2][3];
struct part { int v[2]; int w; } part;
struct rows { int m[2][3]; int w[6]; } rows;
struct tail { long n; int v[1]; };
struct first { int v[1], w; } first;
int single[1];
void put(struct part *p) { p->v[2] = 1; }
void row(int a[2][3]) { a[0][3] = 1; }
int at(int *p, int i) { return p[i]; }
void *body(void *given) { BODY return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, body, 0);
  pthread_join(t, 0);
  return 0;
}
"""
OUT = [
    # a local array, or one in a local
    ("int b[3]; b[3] = 1;", "out-of-bounds"),
    ("int b[3]; b[-1] = 1;", "out-of-bounds"),
    ("int b[3] = {0}; x = b[3];", "out-of-bounds"),
    ("int b[3] = {0}; int k = 3; b[k] = 1;", "out-of-bounds"),
    ("int b[3] = {0}; for (int i = 0; i <= 3; i++) b[i] = 1;", "out-of-bounds"),
    ("int l[2][3]; l[0][3] = 1;", "out-of-bounds"),
    ("int l[2][3] = {0}; int k = 3; l[0][k] = 1;", "out-of-bounds"),
    ("struct part l; l.v[2] = 1;", "out-of-bounds"),
    ("struct part l = {0}; l.v[n - 1] = 1;", "out-of-bounds"),
    ("struct rows l; l.m[2][0] = 1;", "out-of-bounds"),
    ("struct part l[2] = {0}; l[2] = part;", "out-of-bounds"),
    ("struct part l; put(&l);", "out-of-bounds"),
    ("int l[2][3]; row(l);", "out-of-bounds"),
    # of a global variable
    ("g[4] = 1;", "out-of-bounds"),
    ("x = g[n + 1];", "out-of-bounds"),
    ("m[0][3] = 1;", "out-of-bounds"),
    ("m[0][n] = 1;", "out-of-bounds"),
    ("part.v[2] = 1;", "out-of-bounds"),
    ("rows.m[2][0] = 1;", "out-of-bounds"),
    # of one element, where it is not at the end of a struct
    ("int b[1]; b[1] = 0;", "out-of-bounds"),
    ("int b[1]; b[n] = 0;", "out-of-bounds"),
    ("single[1] = 1;", "out-of-bounds"),
    ("struct first l; l.v[1] = 1;", "out-of-bounds"),
    ("first.v[1] = 1;", "out-of-bounds"),
    ("first.v[n - 2] = 1;", "out-of-bounds"),
    ("struct { struct tail t; long w; } l; l.t.v[1] = 1;", "out-of-bounds"),
    ("int l[2][1]; l[0][1] = 1;", "out-of-bounds"),
    # by pointers, which are in other variables
    ("int k; (&k)[1] = 1;", "bad-address"),
    ("int b[3] = {0}, *p = b; p[3] = 1;", "bad-address"),
    ("int b[3] = {0}; x = at(b, 3);", "bad-address"),
    ("int b[3]; struct { int *p; } h = {b}; h.p[3] = 1;", "bad-address"),
    ("int b[3] = {0}, *p = b, **q = &p; (*q)[3] = 1;", "bad-address"),
    ("int *p = malloc(12); p[3] = 1;", "bad-address"),
]
INSIDE = [
    "int b[3] = {0}; for (int *p = b; p != &b[3]; p++) *p = 1; assert(b[2] == 1);",
    "int b[3] = {0}, *e = b + 3; while (e > b) *--e = 1; assert(b[0] == 1);",
    "int b[3] = {0}, *p = &b[3]; p[-1] = 2; assert(b[2] == 2 && p == b + 3);",
    "int b[2][3] = {0}, *p = b[0]; for (int i = 0; i < 6; i++) p[i] = i; assert(b[1][2] == 5);",
    "int *e = &m[0][3], sum = 0; for (int *p = m[0]; p != e; p++) sum += *p; assert(sum == 0);",
    "struct tail *p = malloc(sizeof *p + 8); p->v[1] = 1; p->v[2] = 2; assert(p->v[2] == 2);",
    "struct tail *p = malloc(sizeof *p + 8); p->v[n - 1] = 2; assert(p->v[2] == 2);",
    "struct { int k, v[]; } *p = malloc(sizeof *p + 8); p->v[1] = 2; assert(p->v[n - 2] == 2);",
    "int b[1], *p = &b[1]; p[-1] = 3; assert(p - b == 1 && b[0] == 3);",
    "union { int a[2]; char c[8]; } u; u.a[0] = u.a[1] = 0; u.c[7] = 1;",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("body", "kind"), OUT, ids=range(len(OUT)))
def test_behind_the_end(reader: str, body: str, kind: str) -> None:
    assert said(reader, TEXT.replace("BODY", body), whole=False) == ("violation", 0, [kind])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", INSIDE, ids=range(len(INSIDE)))
def test_up_to_the_end(reader: str, body: str) -> None:
    assert said(reader, TEXT.replace("BODY", body)) == ("safe", 1, [])


CONSTANT = [
    'char *s = "abc"; s[0] = 1;',
    "*(int *)&fixed = 1;",
    "*(char *)letters = 1;",
    "__atomic_fetch_add((int *)&fixed, 1, 5);",
    "memset((char *)letters, 0, 2);",
]


BY_ITS_TYPE = [  # of which IR has nothing: clang makes variables of them
    "const int c = 1; *(int *)&c = 2;",
    "const int c = 1; memcpy((int *)&c, &x, 4);",
    "const int c[2] = {1, 2}; ((int *)c)[1] = 2;",
    "const long c = 1; *(char *)&c = 1;",
    "const struct two c = {1, 2}; *(struct two *)&c = (struct two){2, 3};",
    "const struct { struct two i; } c = {{1, 2}}; *(int *)&c.i.b = 1;",
    "struct keyed c[2] = {{1, 2}}; *(int *)&c[1].k = 2;",
    "const _Atomic int c = 1; atomic_store((_Atomic int *)&c, 2);",
    "fixed_int c = 1; *(int *)&c = 2;",
    "int *const p = 0; *(int **)&p = &x;",
    "*(int *)&(const int){1} = 2;",
    "changes(3);",
]
NO_CONSTANTS = [
    'char s[] = "abc"; s[0] = 1;',
    "for (int i = 0; i < 3; i++) { const int c = i; assert(c == i); }",
    "const int *const p = &x; *(int *)p = 3; assert(x == 3);",
    "const int c[3] = {1, 2}; int s = 0; for (const int *p = c; p != c + 3; p++) s += *p; assert(s == 3);",
    "struct keyed *p = malloc(sizeof *p); *(int *)&p->k = 3; p->v = 1; assert(p->k == 3);",
    "const struct keyed c = {1, 2}; struct keyed d = c; d.v = 4; assert(d.k == 1);",
    "struct keyed d = made(4); assert(d.k == 4);",
    "const struct two c = x ? (struct two){1, 2} : (struct two){3, 4}; assert(c.a == 3);",
    "union { const int a; int b; } u = {1}; u.b = 2; assert(u.a == 2);",
    "elements(m[1]);",
]
CONSTANTS = """#include <stdatomic.h>
struct two { int a, b; };
struct keyed { const int k; int v; };
typedef const int fixed_int;
const int fixed = 3;
const char letters[2] = "a";
static void changes(const int c) { *(int *)&c = 4; }
static struct keyed made(int k) { struct keyed r = {k, 1}; return r; }
"""
ELEMENTS = "static void elements(const int p[3]) { p = m[0]; assert(p[0] == 0); }\nint at("


def with_constants(body: str) -> str:
    return CONSTANTS + TEXT.replace("BODY", body).replace("int at(", ELEMENTS)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", CONSTANT, ids=range(len(CONSTANT)))
def test_constants_are_not_written(reader: str, body: str) -> None:
    assert said(reader, with_constants(body), whole=False) == ("violation", 0, ["bad-address"])


@pytest.mark.parametrize("body", BY_ITS_TYPE, ids=range(len(BY_ITS_TYPE)))
def test_what_only_its_type_says_is_constant(body: str) -> None:
    assert said("own", with_constants(body), whole=False) == ("violation", 0, ["bad-address"])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", NO_CONSTANTS, ids=range(len(NO_CONSTANTS)))
def test_what_is_beside_constants_is_written(reader: str, body: str) -> None:
    assert said(reader, with_constants(body)) == ("safe", 1, [])


IN_CPP = [
    ("int b[3]; b[3] = 1;", ["out-of-bounds"]),
    ("pair p; p.v[2] = 1;", ["out-of-bounds"]),
    ("std::array<int, 3> a{}; a[3] = 1;", ["out-of-bounds"]),
    ("struct { std::array<int, 3> a; int after; } s{}; s.a[3] = 1;", ["out-of-bounds"]),
    ("struct { std::array<int, 3> a; int after; } s{}; int i = 3; s.after = s.a[i];", ["out-of-bounds"]),
    ("struct { std::array<int, 3> a; int after; } s{}; s.a[2] = 1; assert(s.a.end() - s.a.begin() == 3);", []),
    ("int b[3] = {0}, *p = b; p[3] = 1;", ["bad-address"]),
    ("int b[3] = {0}; auto put = [&] { b[3] = 1; }; put();", ["out-of-bounds"]),
    ("int b[3] = {2, 1, 0}; std::sort(std::begin(b), std::end(b)); assert(b[2] == 2);", []),
    ("std::array<int, 3> a{2, 1, 0}; std::sort(a.begin(), a.end()); for (int &k : a) k++; assert(a[2] == 3);", []),
    ("std::string s(15, 'a'), e; s += s; assert(s.size() == 30 && e.empty());", []),
    ("alignas(8) char b[4]; new (b) long(1);", ["bad-address"]),
    ("alignas(8) char b[4]; new (b) one(1);", ["bad-address"]),
    ("alignas(8) char b[16]; new (b + 12) one(1);", ["bad-address"]),
    ("alignas(8) char b[8]; assert((new (b) one(1))->a == 1);", []),
    ("alignas(8) char b[8]; new (b) many<int, 3>(1);", ["bad-address"]),
    ("std::vector<int> v{1, 2}; v.push_back(3); assert(*std::prev(v.end()) == 3);", []),
]
CPP = """#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <new>
#include <string>
#include <thread>
#include <vector>
struct pair { int v[2], w; };
struct one { int a, b; one(int i) : a(i) {} };
template <class T, int N> struct many { T a, b[N]; many(T i) : a(i) {} };
int main() {
  std::thread t([] { BODY });
  t.join();
}
"""


@compiles
@pytest.mark.parametrize(("body", "kinds"), IN_CPP, ids=range(len(IN_CPP)))
@pytest.mark.sweep
def test_of_cpp(body: str, kinds: list[str]) -> None:
    result = xgen.check(xgen.parse(CPP.replace("BODY", body), "cpp", "test.cpp"), xgen.model("rc11"))
    assert [each.kind for each in result.witness.violations] == kinds if result.witness else not kinds


ALONE = """
int length(const char *text) { int n = 0; while (text[n]) n++; return n; }
int main(void) { char b[2] = {1, 2}; return length(b) == 9; }
"""


@pytest.mark.parametrize("reader", READERS)
def test_main_alone_looks_behind_an_object_in_a_loop(reader: str) -> None:
    """What is read there decides where main goes, which is not known then."""
    assert said(reader, ALONE)[::2] == ("violation", ["bad-address"])
