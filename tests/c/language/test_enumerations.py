"""Enumerations are types of their own (C11, 6.7.2.2): against what GCC says of them."""

from __future__ import annotations

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
FACTS = [
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


def test_which_type_an_enumeration_is() -> None:
    facts = [(form.replace("{}", each), value) for form, value, listed in FACTS for each in listed.split("; ")]
    asserts = "\n".join(f"assert({fact} == {value});" for fact, value in facts)
    text = "#include <assert.h>\n" + DECLARED + "int main(void) {\n" + asserts + "\n}\n"
    result = xgen.check(xgen.parse(text, "c", "enumerations.c"), xgen.model("sc"))
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
