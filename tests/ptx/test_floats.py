"""Floating point numbers: they are computed as IEEE 754 has it, whether they are known or not."""

from __future__ import annotations

import ctypes
import math
import struct
from random import Random

import pytest

from tests.ptx.kernels import check, kernel, kind, program
from xgen.errors import UnsupportedError
from xgen.frontends.ptx.floats import computed_real

FORMATS = {32: ("<f", "<i"), 64: ("<d", "<q")}


def bits(value: float, width: int) -> int:
    real, whole = FORMATS[width]
    return int(struct.unpack(whole, struct.pack(real, value))[0])


def real(value: int, width: int) -> float:
    of_real, whole = FORMATS[width]
    return float(struct.unpack(of_real, struct.pack(whole, value))[0])


def drawn(rng: Random, width: int) -> int:
    """One of a middling size."""
    exponent = rng.randint(*((90, 160) if width == 32 else (990, 1060)))
    place = 23 if width == 32 else 52
    return bits(0, width) | exponent << place | rng.getrandbits(place)


def test_numbers_are_rounded_once() -> None:
    """As the processor rounds them: by single precision of C, and fma of its library."""
    libm = ctypes.CDLL("libm.so.6")
    libm.fmaf.argtypes, libm.fmaf.restype = [ctypes.c_float] * 3, ctypes.c_float
    libm.fma.argtypes, libm.fma.restype = [ctypes.c_double] * 3, ctypes.c_double
    rng = Random(3)
    for _ in range(500):
        a, b, c = (drawn(rng, 32) for _ in range(3))
        x, y, z = (real(value, 32) for value in (a, b, c))
        for name, value in (("add", x + y), ("sub", x - y), ("mul", x * y), ("div", x / y)):
            assert computed_real(name, 32, a, b) == bits(ctypes.c_float(value).value, 32), (name, x, y)
        assert computed_real("fma", 32, a, b, c) == bits(libm.fmaf(x, y, z), 32)
        d, e, f = (drawn(rng, 64) for _ in range(3))
        assert computed_real("fma", 64, d, e, f) == bits(libm.fma(real(d, 64), real(e, 64), real(f, 64)), 64)


ONE, HALF, THREE = "0f3F800000", "0f3F000000", "0f40400000"
KNOWN = [
    (f"add.f32 %r1, {ONE}, {HALF};", bits(1.5, 32)),
    (f"sub.rn.f32 %r1, {ONE}, {THREE};", bits(-2, 32)),
    (f"fma.rn.f32 %r1, {THREE}, {HALF}, {ONE};", bits(2.5, 32)),
    (f"div.rn.f32 %r1, {ONE}, {THREE};", bits(1 / 3, 32)),
    (f"neg.f32 %r1, {ONE};", bits(-1, 32)),
    ("abs.f32 %r1, 0fBF800000;", bits(1, 32)),
    ("mov.f32 %r1, 0f3F800000;", bits(1, 32)),
    (f"max.f32 %r1, {ONE}, {HALF};", bits(1, 32)),
    ("sqrt.rn.f32 %r1, 0f40800000;", bits(2, 32)),
    ("cvt.rn.f32.s32 %r1, -7;", bits(-7, 32)),
    ("cvt.rn.f32.u32 %r1, 0xffffff00;", bits(4294967040, 32)),
    ("cvt.rzi.s32.f32 %r1, 0fC0200000;", -2),
    (f"cvt.f64.f32 %d1, {HALF}; cvt.rzi.u32.f64 %r1, %d1;", 0),
    (f"setp.lt.f32 %p1, {HALF}, {ONE}; selp.f32 %r1, {ONE}, {HALF}, %p1;", bits(1, 32)),
    (f"setp.neu.f32 %p1, 0f7FC00000, {ONE}; selp.u32 %r1, 1, 2, %p1;", 1),
    (f"setp.ne.f32 %p1, 0f7FC00000, {ONE}; selp.u32 %r1, 1, 2, %p1;", 2),
    (f"setp.nan.f32 %p1, 0f7FC00000, {ONE}; selp.u32 %r1, 1, 2, %p1;", 1),
]


@pytest.mark.parametrize(("body", "expected"), KNOWN, ids=lambda value: str(value)[:24])
def test_known_ones_are_computed(body: str, expected: int) -> None:
    text = kernel(f"{body} st.global.u32 [x], %r1;", ".global .align 4 .u32 x;")
    assert kind(check(text, "k<<<1,1>>>()", f"x == {expected}")) == "safe"


READ = "ld.volatile.global.f32 %r2, [x]; st.volatile.global.f32 [x], %r2;"


@pytest.mark.parametrize(("number", "least"), [("3F800000", 1), ("BF800000", 0), ("7FC00000", 0), ("40000000", 1)])
def test_unknown_ones_are_passed_on_and_compared(number: str, least: int) -> None:
    body = f"{READ} setp.ge.f32 %p1, %r2, {ONE}; selp.u32 %r3, 1, 0, %p1; st.global.u32 [y], %r3; neg.f32 %r4, %r2;"
    text = kernel(body, f".global .align 4 .f32 x = 0f{number};\n.global .align 4 .u32 y;")
    assert kind(check(text, "k<<<1,1>>>()", f"y == {least}")) == "safe"


COMPUTED = [
    ("add.f32 %r3, %r2, {one};", "40200000", bits(3.5, 32)),
    ("sub.rn.f32 %r3, {one}, %r2;", "3DCCCCCD", bits(0.9, 32)),
    ("mul.f32 %r3, %r2, %r2;", "7F7FFFFF", bits(math.inf, 32)),
    ("div.rn.f32 %r3, {one}, %r2;", "40400000", bits(1 / 3, 32)),
    ("div.rn.f32 %r3, {one}, %r2;", "80000000", bits(-math.inf, 32)),
    ("rcp.rn.f32 %r3, %r2;", "40400000", bits(1 / 3, 32)),
    ("sqrt.rn.f32 %r3, %r2;", "40000000", bits(math.sqrt(2), 32)),
    ("min.f32 %r3, %r2, 0f80000000;", "00000000", bits(-0.0, 32)),
    ("max.f32 %r3, %r2, 0f80000000;", "00000000", bits(0.0, 32)),
    ("max.f32 %r3, %r2, {one};", "7FC00000", bits(1, 32)),
    ("cvt.rzi.s32.f32 %r3, %r2;", "CF800000", -(2**31)),
    ("cvt.rzi.u32.f32 %r3, %r2;", "C0200000", 0),
    ("cvt.rzi.u32.f32 %r3, %r2;", "4F7FFFFF", 0xFFFFFF00 - 2**32),
    ("cvt.rzi.s32.f32 %r3, %r2;", "7FC00000", 0),
    ("cvt.f64.f32 %d1, %r2; cvt.rzi.s32.f64 %r3, %d1;", "7FC00000", -(2**31)),
    (
        "cvt.f64.f32 %d1, %r2; mul.f64 %d1, %d1, %d1; cvt.rn.f32.f64 %r3, %d1;",
        "3DCCCCCD",
        bits(real(0x3DCCCCCD, 32) ** 2, 32),
    ),
    ("mov.b32 %r3, %r2; cvt.rn.f32.s32 %r3, %r3;", "FFFFFFFD", bits(-3, 32)),
    ("cvt.rn.f32.u32 %r3, %r2;", "FFFFFFFF", bits(2.0**32, 32)),
]


@pytest.mark.parametrize(("body", "number", "expected"), COMPUTED)
def test_unknown_ones_are_computed(body: str, number: str, expected: int) -> None:
    """As the ISA says: of the zeros -0 is the smaller one, and of a number and NaN the number is taken."""
    body = f"{READ} {body.format(one=ONE)} st.global.u32 [y], %r3;"
    text = kernel(body, f".global .align 4 .u32 x = 0x{number};\n.global .align 4 .u32 y;")
    assert kind(check(text, "k<<<1,1>>>()", f"y == {expected}")) == "safe"
    assert kind(check(text, "k<<<1,1>>>()", f"y == {expected + 1}")) != "safe"


def hard(rng: Random) -> tuple[float, float, float]:
    """Numbers whose product is nearly the third, or is half of its last bit, or of any size."""
    a, b = (real(-rng.getrandbits(1) << 31 | rng.randint(1, 250) << 23 | rng.getrandbits(23), 32) for _ in range(2))
    c = -a * b if rng.random() < 0.7 else a * b * 2.0 ** rng.choice((24, 25, -24, -25))
    c = ctypes.c_float(c if abs(c) < 3e38 else 1.5).value
    return a, b, real(bits(c, 32) ^ rng.choice((0, 0, 1, 3, 1 << 23)), 32)


def test_what_is_fused_of_unknown_ones_is_rounded_once() -> None:
    """As the C library's fmaf rounds it."""
    libm = ctypes.CDLL("libm.so.6")
    libm.fmaf.argtypes, libm.fmaf.restype = [ctypes.c_float] * 3, ctypes.c_float
    rng = Random(68)
    for _ in range(5):
        body, given = "", list[float]()
        while len(given) < 15:
            numbers = hard(rng)
            expected = float(libm.fmaf(*numbers))
            if math.isfinite(expected) and all(map(math.isfinite, numbers)):
                at = 4 * len(given)
                for index in range(3):
                    body += f"ld.volatile.global.u32 %r{index}, [v+{at + 4 * index}]; "
                    body += f"st.volatile.global.u32 [v+{at + 4 * index}], %r{index};\n"
                body += f"fma.rn.f32 %r4, %r0, %r1, %r2; setp.ne.s32 %p1, %r4, {bits(expected, 32)}; @%p1 trap;\n"
                given += numbers
        words = ", ".join(str(bits(number, 32) & 0xFFFFFFFF) for number in given)
        text = kernel(body, f".global .align 4 .u32 v[15] = {{{words}}};")
        assert kind(check(text, "k<<<1,1>>>()")) == "safe", given


def test_what_is_fused_of_64_bits_is_refused_where_it_decides() -> None:
    read = "ld.global.f64 %d2, [x]; st.global.f64 [x], %d2;"
    unused = kernel(f"{read} fma.rn.f64 %d3, %d2, %d2, %d2;", ".global .align 8 .f64 x;")
    assert kind(check(unused, "k<<<1,1>>>()")) == "safe"
    stored = unused.replace("ret;", "st.global.f64 [x], %d3; ret;")
    with pytest.raises(UnsupportedError) as caught:
        program(stored, "k<<<1,1>>>()")
    assert caught.value.message == "`fma.f64` of numbers that are not known is not supported"
    assert caught.value.hint is not None
    assert "#define float int" in caught.value.hint


@pytest.mark.parametrize(("width", "parameter"), [(32, "%r1"), (64, "%d1")])
def test_sums_that_blocks_add_up(width: int, parameter: str) -> None:
    """Each is rounded, so that their order matters: 2 to the power of 60 hides what is added to it."""
    large, one, minus = (
        f"0{'f' if width == 32 else 'd'}{bits(value, width) % 2**width:0{width // 4}X}"
        for value in (2.0**60, 1, -(2.0**60))
    )
    numbers = f".global .align 8 .f{width} n[3] = {{{large}, {one}, {minus}}};\n.global .align 8 .f{width} x;"
    body = (
        f"mov.u32 %r2, %ctaid.x; mul.wide.u32 %d3, %r2, {width // 8}; mov.u64 %d4, n; add.u64 %d3, %d3, %d4;"
        f" ld.global.f{width} {parameter}, [%d3]; red.relaxed.gpu.global.add.f{width} [x], {parameter};"
    )
    text = kernel(body, numbers)
    either = f"x == {bits(0.0, width)} || x == {bits(1.0, width)}"
    assert kind(check(text, "k<<<3,1>>>()", either)) == "safe"
    for value in (0.0, 1.0):
        assert kind(check(text, "k<<<3,1>>>()", f"x != {bits(value, width)}")) == "final"
