"""Options of C programs that say how a text is meant: both readers find the same with them."""

from __future__ import annotations

import re

import pytest
from both.asked import READERS, said
from both.readers import Found, Text, found
from llvm.compiling import compiles

import xgen

_HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
OVERFLOWS = [
    ("int a = INT_MAX; int b = a + 1;", "overflow"),
    ("int a = 2147483647 + 1;", "overflow"),
    ("int a = g - 1; a = a - INT_MAX - 1;", "overflow"),
    ("int a = -g - INT_MAX; a = -a;", None),
    ("int a = INT_MIN + g; a = -a;", "overflow"),
    ("long a = LONG_MAX; a += g + 1;", "overflow"),
    ("long a = (g + 1L) << 40; a *= a;", "overflow"),
    ("int a = 65536; a = a * (g + 32767); a = a * 1 + 65535;", None),
    ("int a = INT_MAX; for (int i = 0; i <= g; i++) a += i;", None),
    ("int a = INT_MAX; a++;", "overflow"),
    ("int a = INT_MIN, b = g - 1; a = a / b;", "overflow"),
    ("unsigned a = UINT_MAX; a++; a = -a; unsigned char c = 255; c++; short s = SHRT_MAX; s++;", None),
    ("atomic_int a = INT_MAX; atomic_fetch_add(&a, INT_MAX);", None),
    ("int a = (int)4294967295u; a = INT_MAX & (a - 1) ? g : INT_MAX + 1;", None),
]
SET = """int g;
void *t(void *a) { g = 0; return a; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); BODY }
"""
RACES = """TYPE x; int data;
void *t(void *a) { data = 1; __atomic_thread_fence(__ATOMIC_RELEASE); x = 1; return a; }
int main(void) {
  pthread_t p; pthread_create(&p, 0, t, 0);
  if (READ) { __atomic_thread_fence(__ATOMIC_ACQUIRE); assert(data == 1); }
  pthread_join(p, 0);
}
"""
ONCE = "int e = 0; int ok = atomic_compare_exchange_weak(&x, &e, 1); assert(ok TEST);"
ROUNDS = "int e = 0; while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; assert(x == 1);"
PAIR = """typedef struct { long a, b; } pair; _Atomic pair p;
int main(void) { pair e = {0, 0}, n = {1, 2}; int ok = atomic_compare_exchange_weak(&p, &e, n); assert(ok TEST); }"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("body", "kind"), OVERFLOWS)
def test_signed_numbers_that_overflow(reader: str, body: str, kind: str | None) -> None:
    """A thread has set `g`, so that nobody knows the numbers before the program runs."""
    text = SET.replace("BODY", body)
    expected = ("safe", 1, []) if kind is None else ("violation", 1, [kind])
    assert said(reader, text, head="#include <limits.h>\n" + _HEAD, overflow=True) == expected
    if "/" not in body:
        assert said(reader, text, head="#include <limits.h>\n" + _HEAD) == ("safe", 1, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("type_", "read"),
    [
        ("volatile int", "x"),
        ("volatile _Bool", "x"),
        ("int *volatile", "x"),
        ("volatile struct { char a; int b; }", "x.b"),
        ("volatile int", "x++ == 1"),
    ],
)
def test_volatile_accesses_are_relaxed_ones(reader: str, type_: str, read: str) -> None:
    set_ = "x.b = 1;" if "struct" in type_ else "x = &data;" if "*" in type_ else "x = 1;"
    text = RACES.replace("TYPE", type_).replace("READ", read).replace("x = 1;", set_)
    assert said(reader, text, head=_HEAD)[2] == ["race"]
    assert said(reader, text, head=_HEAD, volatile="plain")[2] == ["race"]
    verdict, executions, kinds = said(reader, text, head=_HEAD, volatile="relaxed")
    assert (verdict, kinds) == ("safe", [])
    assert executions == (3 if "++" in read else 2)


@pytest.mark.parametrize("reader", READERS)
def test_an_initial_value_of_a_volatile_variable_is_no_volatile_access(reader: str) -> None:
    text = """int *volatile p;
    void *t(void *a) { volatile int k = 1; p = (int *)&k; k = 2; while (p) ; return a; }
    int main(void) {
      pthread_t h; pthread_create(&h, 0, t, 0);
      volatile int *seen = p; int found = SEEN; p = 0; pthread_join(h, 0);
    }
    """
    for seen, kinds in (("seen ? *seen : 0", ["race"]), ("0", [])):
        assert said(reader, text.replace("SEEN", seen), head=_HEAD, volatile="relaxed")[2] == kinds


LOOPS = [
    ("for (;;) x++;", "int k = x; assert(k < 3);"),
    ("while (!s) x++;", "s = 1; int k = x; assert(k < 3);"),
    ("do x++; while (!s);", "int k = x; assert(k < 3); s = 1;"),
    ("for (int j = 0; j < 2; j++) { while (x < 5) x++; x = 0; }", "int k = x; assert(k != 3);"),
    ("while (!x) up(); up();", "x = 1; int k = s; assert(k < 3);"),
    ("while (1) { if (x == 1) break; if (x == 2) continue; x++; s++; }", "x = 2; int k = s; assert(k < 3);"),
]


@pytest.mark.parametrize("loop", LOOPS)
@compiles
def test_rounds_of_loops_are_bounded(loop: tuple[str, str]) -> None:
    """Each time that a loop is entered it has so many rounds: both readers count them the same."""
    text = f"""{_HEAD}atomic_int x, s; void up(void) {{ while (!x) s++; }}
    void *t(void *a) {{ {loop[0]} return a; }}
    int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); {loop[1]} pthread_join(p, 0); }}
    """
    for rounds in (1, 2, 3):
        options = Text(text, "t.c", {"unroll": rounds})
        own, compiled = (found(options, "rc11", clang) for clang in (False, True))
        assert own == compiled
        assert isinstance(own, Found)
        assert own.verdict in ("safe-within-bound", "violation")


@compiles
def test_rounds_of_jumps_are_bounded() -> None:
    text = f"""{_HEAD}atomic_int x, s;
    void *t(void *a) {{ again: if (!x) {{ s++; goto again; }} return a; }}
    int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); x = 1; int k = s; assert(k < 3); }}
    """
    for rounds, verdict in ((2, "safe-within-bound"), (3, "violation")):
        assert said("clang", text, head="", unroll=rounds)[0] == verdict


@compiles
def test_updates_of_atomic_numbers_are_told_of() -> None:
    """To C's own reader `x++` may overflow, as in C; a compiler has it wrap, which is said."""
    text = _HEAD + "_Atomic int g = 2147483647; int main(void) { g++; }"
    assert "--check overflow looks at no update" in "".join(xgen.parse(text, "c", clang=True, overflow=True).remarks)
    assert not xgen.parse(text, "c", clang=True).remarks
    assert not xgen.parse(text.replace("g++", "g = 1"), "c", clang=True, overflow=True).remarks


@compiles
def test_copies_of_whole_volatile_objects_are_refused() -> None:
    """The compiler's copy does not say which of the two is volatile."""
    text = "struct s { int a, b; } one; volatile struct s two; void *t(void *a) { one = two; return a; }"
    text += "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); }"
    with pytest.raises(xgen.UnsupportedError, match=re.escape("a whole object that is volatile")) as refused:
        said("clang", text, head=_HEAD, volatile="relaxed")
    assert refused.value.hint == "its members may be copied one by one"
    assert said("clang", text, head=_HEAD)[0] == "safe"
    one_by_one = text.replace("one = two;", "one.a = two.a; one.b = two.b;")
    assert said("clang", one_by_one, head=_HEAD, volatile="relaxed")[0] == "safe"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "strong", "weak"),
    [
        (f"atomic_int x; int main(void) {{ {ONCE.replace('TEST', '')} }}", "safe", "violation"),
        (f"atomic_int x; int main(void) {{ {ONCE.replace('TEST', '|| x == 0')} }}", "safe", "safe"),
        (f"atomic_int x; int main(void) {{ {ROUNDS} }}", "safe", "safe"),
        (f"int main(void) {{ atomic_int x = 0; {ONCE.replace('TEST', '')} }}", "safe", "violation"),
        (
            f"atomic_int x; void *t(void *a) {{ {ONCE.replace('TEST', '')} return a; }}"
            "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); }",
            "safe",
            "violation",
        ),
        (PAIR.replace("TEST", ""), "safe", "violation"),
        (PAIR.replace("TEST", "|| 1"), "safe", "safe"),
    ],
)
def test_a_weak_compare_exchange_may_fail(reader: str, text: str, strong: str, weak: str) -> None:
    assert said(reader, text)[0] == strong
    assert said(reader, text, weak_cas=True)[0] == weak
