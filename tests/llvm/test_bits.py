"""Functions on the bits of numbers that threads share, beside Python's."""

from __future__ import annotations

import random

import pytest
from llvm.compiling import compiles

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install 'xgen[cpp]'")
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
    if bits >= 32 and value:
        found[f"__builtin_clz{'l' if bits == 64 else ''}(v)"] = bits - value.bit_length()
        found[f"__builtin_ctz{'l' if bits == 64 else ''}(v)"] = (value & -value).bit_length() - 1
    return found


@pytest.mark.parametrize("bits", TYPES)
def test_bits_of_what_threads_share(bits: int) -> None:
    draw = random.Random(bits)
    high = (1 << bits) - 1
    values = [0, 1, high, high ^ 1, 1 << (bits - 1), *(draw.randint(0, high) >> draw.randrange(bits) for _ in range(3))]
    globals_ = "".join(f"_Atomic {TYPES[bits]} g{k} = {value}UL;\n" for k, value in enumerate(values))
    touches = " ".join(f"atomic_fetch_add(&g{k}, 0);" for k in range(len(values)))
    lines = [HEAD.replace("void *touch", f"{globals_}void *touch").replace("TOUCHES", touches), "int main(void) {"]
    lines += ["  pthread_t other;", "  pthread_create(&other, 0, touch, 0);", "  pthread_join(other, 0);"]
    for k, value in enumerate(values):
        checks = " && ".join(f"{what} == {result}UL" for what, result in expected(value, bits).items())
        lines.append(f"  {{ {TYPES[bits]} v = atomic_load(&g{k}); assert({checks}); }}")
    text = "\n".join([*lines, "}"])
    assert xgen.check(xgen.parse(text, "c", clang=True), xgen.model("sc")).verdict == "safe"
    wrong = text.replace(f"popcount{'l' if bits == 64 else ''}(v) == 1UL", "popcount(v) == 2UL", 1)
    assert wrong != text
    assert xgen.check(xgen.parse(wrong, "c", clang=True), xgen.model("sc")).verdict == "violation"
