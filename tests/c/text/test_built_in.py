"""Functions of the compiler that stand for others, GCC's checked arithmetic beside Python's, and labels of a block."""

from __future__ import annotations

import random

import pytest
from c.running import INTEGERS

import xgen

TYPES = INTEGERS | {"unsigned long long": (64, False)}
SIGNS = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}


def verdict(text: str, **options: object) -> str:
    return xgen.check(xgen.parse(text, "c", **options), xgen.model("sc")).verdict


def literal(value: int, type_: str) -> str:
    if value == -(1 << 63):
        return f"({type_})(-0x7fffffffffffffffLL - 1)"
    return f"({type_}){value}{'ULL' if value >= 1 << 63 else 'LL'}"


def drawn(draw: random.Random, type_: str) -> int:
    bits, signed = TYPES[type_]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    few = [low, high, low + 1, high - 1, 0, 1, 2, 3, high // 2, high // 3 + 1, max(low, -1)]
    return draw.choice([*few, draw.randint(low, high), draw.randint(max(low, -9), 9)])


def stored(value: int, type_: str) -> int:
    bits, signed = TYPES[type_]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >= 1 << (bits - 1) else value


@pytest.mark.parametrize("seed", range(3))
def test_arithmetic_that_tells_overflows(seed: int) -> None:
    draw, lines = random.Random(seed), ["int main(void) {"]
    for _ in range(30):
        first, second, result = (draw.choice(list(TYPES)) for _ in range(3))
        what = draw.choice(list(SIGNS))
        a, b = drawn(draw, first), drawn(draw, second)
        exact = SIGNS[what](a, b)
        kept = stored(exact, result)
        lines.append(f"  {{ {first} a = {literal(a, first)}; {second} b = {literal(b, second)}; {result} c;")
        lines.append(f"    _Bool over = __builtin_{what}_overflow(a, b, &c);")
        lines.append(f"    if (over != {int(exact != kept)} || c != {literal(kept, result)}) __VERIFIER_error(); }}")
    text = "\n".join([*lines, "}"])
    assert verdict(text, overflow=True) == "safe"
    assert verdict(text.replace("over != 1", "over != 0", 1)) == "violation"


TRUE = [
    ("int r;", "!__builtin_sadd_overflow(1, 2, &r) && r == 3"),
    ("unsigned r;", "__builtin_umul_overflow(65536, 65536, &r) && r == 0"),
    ("long r;", "!__builtin_ssubl_overflow(1, 2, &r) && r == -1"),
    ("unsigned long long r;", "__builtin_usubll_overflow(1, 2, &r) && r == -1ULL"),
    ("int r, n = 3;", "!__builtin_add_overflow(n++, 1, &r) && n == 4 && r == 4"),
    ("int a[2], *p = a;", "!__builtin_add_overflow(1, 1, p++) && p == a + 1 && a[0] == 2"),
    ("int r, s;", "!__builtin_add_overflow(1, __builtin_mul_overflow(7, 1, &s) ? 0 : s, &r) && r == 8"),
    ("", '__builtin_strlen("four") == 4'),
    ("", '__builtin_strcmp("a", "b") < 0'),
    ("", "__builtin_abs(-3) == 3"),
    ("int a[4], *p = __builtin_assume_aligned(a, 16); p[1] = 2;", "a[1] == 2"),
    ("", "__builtin_expect_with_probability(3, 1, .5) == 3"),
    ("int a[4];", "__builtin_object_size(a, 0) >= sizeof a && __builtin_object_size(a, 2) <= sizeof a"),
    ("", '__builtin_choose_expr(sizeof(int) == 4, 3, "no number") == 3'),
    ("", 'sizeof(__builtin_choose_expr(0, 3, "text")) == 5'),
    ("", "({ __label__ out; int n = 1; if (n) goto out; n = 7; out: n; }) == 1"),
    ("", "({ __label__ a, b; int n = 0; a: if (n == 3) goto b; n++; goto a; b: n; }) == 3"),
    ("int n = 0; a: { __label__ a; a: if (++n % 2) goto a; } if (n < 4) goto a;", "n == 4"),
    ("int n = 1, a = 2;", "({ __label__ a; goto a; a: n ? a : 0; }) == 2"),
]


@pytest.mark.parametrize(("declared", "condition"), TRUE)
def test_what_stands_for_others(declared: str, condition: str) -> None:
    program = f"int main(void) {{ {declared} if (!({condition})) __VERIFIER_error(); }}"
    assert verdict(program) == "safe"
    assert verdict(program.replace("if (!(", "if ((")) == "violation"


def test_concurrent_increments_stop_at_the_end() -> None:
    thread = """
    unsigned char old = n, new;
    do if (__builtin_add_overflow(old, 1, &new)) return 0;
    while (!atomic_compare_exchange_strong(&n, &old, new));
    """
    text = f"""
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    _Atomic unsigned char n = 254;
    void *up(void *a) {{ {thread} return a; }}
    int main(void) {{
      pthread_t other;
      pthread_create(&other, 0, up, 0);
      up(0);
      pthread_join(other, 0);
      assert(n == 255);
    }}
    """
    assert verdict(text) == "safe"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int r; __builtin_add_overflow(1, &r);", "takes 3 arguments, not 2"),
        ("const int r = 0; __builtin_add_overflow(1, 2, &r);", "this is const"),
        ("__label__ a; goto b;", "there is no label `b`"),
        ("{ __label__ a; a:; } goto a;", "there is no label `a`"),
    ],
)
def test_wrong(text: str, said: str) -> None:
    with pytest.raises(xgen.ProgramError, match=said):
        xgen.parse(f"int main(void) {{ {text} }}", "c")
