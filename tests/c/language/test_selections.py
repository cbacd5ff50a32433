"""What `_Generic` selects, and which types are one: enumerations, `const`, functions, structs, as GCC says it."""

from __future__ import annotations

import pytest

import xgen

DECLARED = """
enum a { A, B = 7 } ea, many[3];
enum b { C, D } eb;
enum n { N = -1, M } en;
enum wide { SMALL = -1, WIDE = 1LL << 40 };
typedef enum { E } e, e2;
typedef enum { F } f;
enum a fun(void) { return A; }
typedef enum a fa(enum a);
typedef enum b fb(enum b);
struct enums { enum a x; enum b y[2]; } es;
"""
OWN = "_Generic({}, enum a: 1, enum b: 2, e: 3, f: 4, int: 5, default: 6)"
PLAIN = "_Generic({}, unsigned: 1, int: 2, long: 3, default: 4)"
POINTERS = "_Generic(&{}, enum a *: 1, enum b *: 2, enum a (*)[3]: 3, enum b (*)[2]: 4, default: 5)"
COMPATIBLE = "__builtin_types_compatible_p({})"
FUNCTIONS = "_Generic({}, unsigned *: 1, int *: 2, enum b (*)(void): 3, enum a (*)(void): 4, default: 5)"
ITSELF = "{}"
ENUMERATIONS = [
    (OWN, 1, "ea; es.x; *many; fun(); *&ea; ea = eb; ea++; (const enum a)A"),
    (OWN, 2, "eb; es.y[1]; (enum b)1; (0, eb)"),
    (OWN, 3, "(e)0"),
    (OWN, 4, "(f)0"),
    (OWN, 5, "A; D; en"),
    (OWN, 6, "WIDE; (enum wide)0"),
    (PLAIN, 1, "ea; eb; (e)0; (f)0; es.x; es.y[1]; *many; fun(); (enum b)1; (0, eb); *&ea; +ea; 1 ? ea : ea"),
    (PLAIN, 1, "1 ? ea : eb; ea + ea; ea = eb; ea++; (const enum a)A"),
    (PLAIN, 2, "A; D; en"),
    (PLAIN, 3, "WIDE; (enum wide)0"),
    (POINTERS, 1, "ea; *many"),
    (POINTERS, 2, "eb"),
    (POINTERS, 3, "many"),
    (POINTERS, 4, "es.y"),
    (COMPATIBLE, 0, "enum a, enum b; e, f; enum a, int; enum n, unsigned; enum a *, enum b *; fa, fb"),
    (COMPATIBLE, 0, "enum a[2], enum b[2]; enum wide, long long"),
    (
        COMPATIBLE,
        1,
        "enum a, enum a; e, e2; enum a, unsigned; enum n, int; enum a *, unsigned *; fa, fa",
    ),
    (COMPATIBLE, 1, "__typeof__(A), int; __typeof__(A), __typeof__(C); __typeof__(ea), enum a; enum wide, long"),
    (COMPATIBLE, 1, "__typeof__(WIDE), enum wide; const enum a, enum a; enum a, const unsigned"),
    (FUNCTIONS, 1, "&ea"),
    (FUNCTIONS, 2, "&en"),
    (FUNCTIONS, 4, "fun"),
    (ITSELF, 0, "(enum n)-1 > 0"),
    (ITSELF, 1, "(enum a)-1 > 0; -1 < A; ea - 1 > 0"),
    (ITSELF, 4, "sizeof(enum a)"),
    (ITSELF, 8, "sizeof(enum wide)"),
]
"""Forms of expressions, their values, and what stands in the place of `{}`."""
QUALIFIED = """
struct s { int a; const char *t; char name[4]; } o;
const struct s co; struct s *po; const struct s *pco; struct s *const cpo = &o;
char *p; const char *q; char *const r = 0; const char *const w = 0; char **pp; const char **qq;
char *const *rr; char buf[4]; const char cbuf[4]; const int ci = 1; int i; long l; const long *cl;
unsigned char uc;
typedef const int cint; typedef char *str; const str cs = 0; cint ty; cint *pty;
int f(const char *); int g(char *); const char *h(void); void *v; const void *cv; _Atomic int ai;
int mat[2][3]; const int cmat[2][3];
"""
CASES = """
char *: 1, const char *: 2, char **: 3, const char **: 4, char *const *: 5, int: 6, const int: 7, int *: 8,
const int *: 9, long: 10, const long *: 11, struct s: 12, struct s *: 13, const struct s *: 14,
struct s *const *: 15, void *: 16, const void *: 17, int (*)(const char *): 18, int (*)(char *): 19,
const char *(*)(void): 20, char (*)[4]: 21, const char (*)[4]: 22, int (*)[3]: 23, const int (*)[3]: 24,
unsigned char: 25, unsigned char *: 26, unsigned long: 27, _Atomic int *: 28, default: 99
"""
SELECTED = "_Generic({}, " + CASES + ")"
QUALIFIERS = [
    (SELECTED, 1, "p; r; buf; cs; po->name; o.name; p = r; *pp; *rr"),
    (SELECTED, 2, "q; w; cbuf; po->t; pco->t; pco->name; co.name; 1 ? p : q; (const char *)p; &*q; q + 1; &q[1]"),
    (SELECTED, 2, "(0, q); *qq; &pco->name[1]"),
    (SELECTED, 3, "pp"),
    (SELECTED, 4, "qq"),
    (SELECTED, 5, "rr"),
    (SELECTED, 6, "ci; i; ty; *pty; ai; pco->a; (const int)1; -ci; ci + 1"),
    (SELECTED, 8, "&i; mat[0]"),
    (SELECTED, 9, "&ci; pty; cmat[1]; &pco->a; (const int[]){1}"),
    (SELECTED, 10, "l; *cl"),
    (SELECTED, 11, "cl"),
    (SELECTED, 12, "o; (struct s){1}; co"),
    (SELECTED, 13, "&o; po; cpo; po + 1; &(struct s){1}"),
    (SELECTED, 14, "&co; pco; pco++; 1 ? po : pco"),
    (SELECTED, 15, "&cpo"),
    (SELECTED, 16, "v"),
    (SELECTED, 17, "cv; 1 ? v : cv"),
    (SELECTED, 18, "f"),
    (SELECTED, 19, "g"),
    (SELECTED, 20, "h; &h; *h"),
    (SELECTED, 21, "&buf; &po->name"),
    (SELECTED, 22, "&cbuf"),
    (SELECTED, 23, "mat"),
    (SELECTED, 24, "cmat"),
    (SELECTED, 25, "uc; uc; (unsigned char)1"),
    (SELECTED, 26, "&uc"),
    (SELECTED, 27, "sizeof ci"),
    (SELECTED, 28, "&ai"),
    (SELECTED, 99, "(const char)1"),
    (COMPATIBLE, 0, "char *, const char *; cint *, int *; int (*)(char *), int (*)(const char *)"),
    (COMPATIBLE, 0, "__typeof__(q), char *; __typeof__(&ci), int *; struct s *, const struct s *"),
    (COMPATIBLE, 1, "int, const int; const int, volatile int; char *, char *const; cint *, const int *"),
    (COMPATIBLE, 1, "str, const str; int[3], const int[3]; int[3], const int[]; int (*)(int), int (*)(const int)"),
    (COMPATIBLE, 1, "__typeof__(ci), int; __typeof__(*q), char"),
]
"""Likewise."""


@pytest.mark.parametrize(("declared", "facts"), [(DECLARED, ENUMERATIONS), (QUALIFIED, QUALIFIERS)])
def test_which_type_it_is(declared: str, facts: list[tuple[str, int, str]]) -> None:
    asked = [(form.replace("{}", each), value) for form, value, listed in facts for each in listed.split("; ")]
    asserts = "\n".join(f"assert({fact} == {value});" for fact, value in asked)
    text = "#include <assert.h>\n" + declared + "int main(void) {\n" + asserts + "\n}\n"
    result = xgen.check(xgen.parse(text, "c", "types.c"), xgen.model("sc"))
    assert result.verdict == "safe", str(result)


def test_which_type_is_meant_by_functions_and_structs() -> None:
    """Functions are told apart by their parameters, structs by where they are declared."""
    text = """#include <assert.h>
int f(int), g(void);
struct s { int a; } outer;
int main(void) {
  assert(_Generic(f, int (*)(void): 1, int (*)(int): 2, default: 3) == 2);
  assert(_Generic(g, int (*)(void): 1, int (*)(int): 2, default: 3) == 1);
  struct s { long b; } inner;
  assert(_Generic(&inner, struct s *: 1, default: 2) == 1);
  assert(_Generic(&outer, struct s *: 1, default: 2) == 2);
}
"""
    assert xgen.check(xgen.parse(text, "c", "selected.c"), xgen.model("sc")).verdict == "safe"
