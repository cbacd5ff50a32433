"""Functions on numbers that threads share, beside Python's."""

from __future__ import annotations

import random
import re

import pytest
from llvm.compiling import compiles

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
pytestmark = compiles

TYPES = {8: "unsigned char", 16: "unsigned short", 32: "unsigned", 64: "unsigned long"}
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void *touch(void *given) { TOUCHES return given; }
"""


def expected(value: int, bits: int) -> dict[str, int]:
    """By C's expressions of `v`."""
    found = {f"__builtin_bitreverse{bits}(v)": int(f"{value:0{bits}b}"[::-1], 2)}
    found[f"__builtin_popcount{'l' if bits == 64 else ''}(v)"] = value.bit_count()
    if bits > 8:
        found[f"__builtin_bswap{bits}(v)"] = int.from_bytes(value.to_bytes(bits // 8, "little"), "big")
    if bits >= 32:
        long, sign = "l" if bits == 64 else "", -1 if value >> bits - 1 else 0
        found[f"__builtin_parity{long}(v)"] = value.bit_count() % 2
        found[f"__builtin_ffs{long}(v)"] = (value & -value).bit_length()
        found[f"__builtin_clrsb{long}(v)"] = bits - 1 - ((value - (1 << bits) if sign else value) ^ sign).bit_length()
    if bits >= 32 and value:
        found[f"__builtin_clz{'l' if bits == 64 else ''}(v)"] = bits - value.bit_length()
        found[f"__builtin_ctz{'l' if bits == 64 else ''}(v)"] = (value & -value).bit_length() - 1
    return found


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("bits", TYPES)
def test_bits_of_what_threads_share(bits: int, clang: bool) -> None:
    draw = random.Random(bits)
    high = (1 << bits) - 1
    values = [0, 1, high, high ^ 1, 1 << (bits - 1), *(draw.randint(0, high) >> draw.randrange(bits) for _ in range(3))]
    globals_ = "".join(f"_Atomic {TYPES[bits]} g{k} = {value}UL;\n" for k, value in enumerate(values))
    touches = " ".join(f"atomic_fetch_add(&g{k}, 0);" for k in range(len(values)))
    lines = [HEAD.replace("void *touch", f"{globals_}void *touch").replace("TOUCHES", touches), "int main(void) {"]
    lines += ["  pthread_t other;", "  pthread_create(&other, 0, touch, 0);", "  pthread_join(other, 0);"]
    for k, value in enumerate(values):
        checks = " && ".join(
            f"{what} == {result}UL" for what, result in expected(value, bits).items() if clang or "reverse" not in what
        )
        lines.append(f"  {{ {TYPES[bits]} v = atomic_load(&g{k}); assert({checks}); }}")
    text = "\n".join([*lines, "}"])
    assert xgen.check(xgen.parse(text, "c", clang=clang), xgen.model("sc")).verdict == "safe"
    wrong = text.replace(f"popcount{'l' if bits == 64 else ''}(v) == 1UL", "popcount(v) == 2UL", 1)
    assert wrong != text
    assert xgen.check(xgen.parse(wrong, "c", clang=clang), xgen.model("sc")).verdict == "violation"


LEAST, MOST = -(1 << 63), (1 << 63) - 1
PAIRS = [
    (3, 5),
    (-1, LEAST),
    (LEAST, -1),
    (MOST, 2),
    (LEAST, 10),
    (MOST // 10, 10),
    (MOST // 10 + 1, 10),
    (LEAST // 10 + 1, 10),
    (LEAST // 10, 10),
    (LEAST // -3, -3),
    (LEAST // -3 + 1, -3),
    (-7, 1 << 32),
]
OF_TWO = """
_Atomic long a, b;
void *touch(void *given) { atomic_fetch_add(&a, 0); atomic_fetch_add(&b, 0); return given; }
int main(void) {
  pthread_t other;
  a = A, b = B;
  pthread_create(&other, 0, touch, 0);
  pthread_join(other, 0);
  long x = a, y = b, z;
  unsigned long u;
  assert(__builtin_mul_overflow(x, y, &z) == SIGNED && __builtin_mul_overflow(x, B, &z) == SIGNED);
  assert(z == (long)((unsigned long)A * (unsigned long)B));
  assert(__builtin_mul_overflow((unsigned long)x, (unsigned long)y, &u) == UNSIGNED);
  assert(__builtin_elementwise_add_sat(x, y) == SUM && __builtin_elementwise_sub_sat(x, y) == DIFFERENCE);
  assert(__builtin_elementwise_add_sat((unsigned char)x, (unsigned char)y) == BYTES);
  assert(__builtin_elementwise_sub_sat((unsigned char)x, (unsigned char)y) == LESS);
  assert(__builtin_rotateleft64(x, y) == LEFT && __builtin_rotateright32(x, y) == RIGHT);
}
"""


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_numbers(a: int, b: int) -> None:
    u, v = (each & (1 << 64) - 1 for each in (a, b))
    low, left, right = u & 0xFFFFFFFF, v % 64, v % 32
    values = {
        "SIGNED": int(not LEAST <= a * b <= MOST),
        "UNSIGNED": int(u * v >> 64 != 0),
        "BYTES": min((u & 255) + (v & 255), 255),
        "LESS": max((u & 255) - (v & 255), 0),
        "LEFT": f"{(u << left | u >> (64 - left)) & (1 << 64) - 1}UL",
        "RIGHT": f"{(low >> right | low << (32 - right)) & 0xFFFFFFFF}U",
    }
    longs = {"A": a, "B": b, "SUM": max(LEAST, min(MOST, a + b)), "DIFFERENCE": max(LEAST, min(MOST, a - b))}
    values.update((name, f"(long){each & (1 << 64) - 1}UL") for name, each in longs.items())
    text = HEAD.partition("void *")[0] + OF_TWO
    for name, value in values.items():
        text = re.sub(rf"\b{name}\b", str(value), text)
    assert xgen.check(xgen.parse(text, "c", clang=True), xgen.model("sc")).verdict == "safe"


def test_nand_of_a_few_bits() -> None:
    """As C's reader has it: a compare-exchange that is tried again."""
    text = HEAD.replace("void *touch", "unsigned char g = 0xf0;\nvoid *touch")
    text = text.replace("TOUCHES", "__atomic_fetch_nand(&g, 0x30, __ATOMIC_SEQ_CST);")
    text += """int main(void) {
      pthread_t one, two;
      assert(__atomic_fetch_nand(&g, 0, __ATOMIC_SEQ_CST) == 0xf0 && g == 0xff);
      g = 0xf0;
      pthread_create(&one, 0, touch, 0);
      pthread_create(&two, 0, touch, 0);
      pthread_join(one, 0);
      pthread_join(two, 0);
      assert(g == 0xff);
    }"""
    found = [xgen.check(xgen.parse(text, "c", clang=clang), xgen.model("rc11")) for clang in (False, True)]
    assert [(each.verdict, each.executions, each.blocked) for each in found] == [("safe", 2, 2)] * 2
