"""What Clang has beside C and GNU's extensions is read by C's own reader, too."""

from __future__ import annotations

import pytest
from both.asked import READERS, said

TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
EXTREMES = """T x = BEGIN;
void *t(void *a) { __atomic_fetch_max(&x, (T)5, __ATOMIC_RELAXED); return a; }
int main(void) {
  pthread_t p; pthread_create(&p, 0, t, 0);
  T old = __atomic_fetch_max(&x, (T)3, __ATOMIC_RELAXED), kept = __atomic_max_fetch(&x, (T)1, __ATOMIC_RELAXED);
  pthread_join(p, 0);
  assert(x == 5 && (old == (T)BEGIN || old == 5) && (kept == 3 || kept == 5));
  assert(__atomic_fetch_min(&x, (T)2, __ATOMIC_SEQ_CST) == 5 && x == 2);
  x = -1; assert(__atomic_min_fetch(&x, (T)7, __ATOMIC_SEQ_CST) == ((T)-1 < 0 ? (T)-1 : 7));
}
"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("type_", TYPES)
def test_the_larger_and_the_smaller_one(reader: str, type_: str) -> None:
    begin = "0" if type_.startswith("unsigned") else "-2"
    text = EXTREMES.replace("BEGIN", begin).replace("T ", f"{type_} ").replace("(T)", f"({type_})")
    assert said(reader, text) == ("safe", 3, [])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "body",
    [
        "unsigned c, s = __builtin_addc(1u, 2u, 0u, &c); assert(s == 3 && c == 0);",
        "unsigned c, s = __builtin_addc(~0u, 0u, 1u, &c); assert(s == 0 && c == 1);",
        "unsigned c, s = __builtin_subc(1u, 2u, 0u, &c); assert(s == ~0u && c == 1);",
        "unsigned long c, s = __builtin_subcl(5ul, 2ul, 1ul, &c); assert(s == 2 && c == 0);",
        "unsigned char c, s = __builtin_addcb(200, 55, 1, &c); assert(s == 0 && c == 1);",
        "assert(__builtin_bitreverse8(1) == 128 && __builtin_bitreverse16(3) == 0xc000);",
        "assert(__builtin_bitreverse32(0x12345678) == 0x1e6a2c48 && __builtin_bitreverse64(1) == 1ull << 63);",
        "assert(__builtin_rotateleft32(0x80000001u, 4) == 0x18 && __builtin_rotateleft8(0x81, 9) == 3);",
        "assert(__builtin_rotateright16(1, 1) == 0x8000 && __builtin_rotateright64(2, 1) == 1);",
        "assert(__builtin_rotateleft64(__builtin_rotateleft64(3, 60), 4) == 3 && __builtin_rotateleft32(7, 0) == 7);",
    ],
)
def test_functions_of_numbers(reader: str, body: str) -> None:
    assert said(reader, f"int main(void) {{ {body} }}") == ("safe", 1, [])
