"""Instructions on whole numbers: of known numbers and of unknown ones the same, and as Python computes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

import xgen
from tests.ptx.kernels import kernel, program

NUMBERS = (
    0,
    1,
    2,
    3,
    5,
    7,
    31,
    32,
    33,
    63,
    64,
    100,
    255,
    256,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    1 << 63,
    (1 << 64) - 1,
)
Function = Callable[..., int]


def sign(value: int, bits: int) -> int:
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def shift_left(a: int, b: int, bits: int) -> int:
    return a << b if b < bits else 0


def quotient(a: int, b: int) -> int:
    return -(-a // b) if a < 0 < b else -(a // -b) if b < 0 < a else a // b if a > 0 else -a // -b


def population(a: int) -> int:
    return bin(a).count("1")


def field(a: int, start: int, length: int, bits: int, signed: bool) -> int:
    """Bit by bit, as the ISA defines `bfe`."""
    start, length = start & 255, length & 255
    top = a >> min(start + length - 1, bits - 1) & 1 if signed and length else 0
    found = 0
    for at in range(bits):
        inside = at < length and start + at < bits
        found |= (a >> (start + at) & 1 if inside else top) << at
    return found


def inserted(a: int, b: int, start: int, length: int, bits: int) -> int:
    start, length = start & 255, length & 255
    for at in range(length):
        if start + at < bits:
            b = b & ~(1 << (start + at)) | (a >> at & 1) << (start + at)
    return b


def permuted(a: int, b: int, selector: int) -> int:
    data, found = a | b << 32, 0
    for index in range(4):
        choice = selector >> 4 * index & 15
        byte = data >> 8 * (choice & 7) & 255
        found |= (255 * (byte >> 7) if choice & 8 else byte) << 8 * index
    return found


def table(a: int, b: int, c: int, lut: int) -> int:
    return sum((lut >> ((a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1) & 1) << n for n in range(32))


def funnel(a: int, b: int, distance: int, left: bool, wraps: bool) -> int:
    distance = distance & 31 if wraps else min(distance, 32)
    whole = b << 32 | a
    return whole << distance >> 32 if left else whole >> distance


# name, bits of operands, bits of the result, function of unsigned operands, how many are constants of the text
OPERATIONS: list[tuple[str, tuple[int, ...], int, Function, int]] = []
for _n in (16, 32, 64):
    _s = partial(sign, bits=_n)
    _two = (_n, _n)
    OPERATIONS += [
        (f"add.u{_n}", _two, _n, lambda a, b: a + b, 0),
        (f"sub.s{_n}", _two, _n, lambda a, b: a - b, 0),
        (f"mul.lo.s{_n}", _two, _n, lambda a, b: a * b, 0),
        (f"and.b{_n}", _two, _n, lambda a, b: a & b, 0),
        (f"or.b{_n}", _two, _n, lambda a, b: a | b, 0),
        (f"xor.b{_n}", _two, _n, lambda a, b: a ^ b, 0),
        (f"not.b{_n}", (_n,), _n, lambda a: ~a, 0),
        (f"cnot.b{_n}", (_n,), _n, lambda a: int(not a), 0),
        (f"neg.s{_n}", (_n,), _n, lambda a: -a, 0),
        (f"abs.s{_n}", (_n,), _n, lambda a, s=_s: abs(s(a)), 0),
        (f"shl.b{_n}", (_n, 32), _n, lambda a, b, n=_n: shift_left(a, b, n), 0),
        (f"shr.u{_n}", (_n, 32), _n, lambda a, b: a >> b, 0),
        (f"shr.b{_n}", (_n, 32), _n, lambda a, b: a >> b, 0),
        (f"shr.s{_n}", (_n, 32), _n, lambda a, b, s=_s: s(a) >> b, 0),
        (f"div.u{_n}", _two, _n, lambda a, b: a // b, 0),
        (f"rem.u{_n}", _two, _n, lambda a, b: a % b, 0),
        (f"div.s{_n}", _two, _n, lambda a, b, s=_s: quotient(s(a), s(b)), 0),
        (f"rem.s{_n}", _two, _n, lambda a, b, s=_s: s(a) - s(b) * quotient(s(a), s(b)), 0),
        (f"min.s{_n}", _two, _n, lambda a, b, s=_s: min(s(a), s(b)), 0),
        (f"max.s{_n}", _two, _n, lambda a, b, s=_s: max(s(a), s(b)), 0),
        (f"min.u{_n}", _two, _n, min, 0),
        (f"max.u{_n}", _two, _n, max, 0),
        (f"mad.lo.u{_n}", (_n, _n, _n), _n, lambda a, b, c: a * b + c, 0),
    ]
for _n in (16, 32):
    _s = partial(sign, bits=_n)
    OPERATIONS += [
        (f"mul.hi.u{_n}", (_n, _n), _n, lambda a, b, n=_n: a * b >> n, 0),
        (f"mul.hi.s{_n}", (_n, _n), _n, lambda a, b, n=_n, s=_s: s(a) * s(b) >> n, 0),
        (f"mul.wide.u{_n}", (_n, _n), 2 * _n, lambda a, b: a * b, 0),
        (f"mul.wide.s{_n}", (_n, _n), 2 * _n, lambda a, b, s=_s: s(a) * s(b), 0),
        (f"mad.wide.s{_n}", (_n, _n, 2 * _n), 2 * _n, lambda a, b, c, s=_s: s(a) * s(b) + c, 0),
    ]
for _n in (32, 64):
    OPERATIONS += [
        (f"popc.b{_n}", (_n,), 32, population, 0),
        (f"clz.b{_n}", (_n,), 32, lambda a, n=_n: n - a.bit_length(), 0),
        (f"brev.b{_n}", (_n,), _n, lambda a, n=_n: int(f"{a:0{n}b}"[::-1], 2), 0),
        (f"bfind.u{_n}", (_n,), 32, lambda a: a.bit_length() - 1, 0),
        (f"bfind.s{_n}", (_n,), 32, lambda a, n=_n: (a ^ ((1 << n) - 1) * (a >> (n - 1))).bit_length() - 1, 0),
        (f"bfind.shiftamt.u{_n}", (_n,), 32, lambda a, n=_n: n - a.bit_length() if a else -1, 0),
        (f"bfe.u{_n}", (_n, 32, 32), _n, partial(field, bits=_n, signed=False), 2),
        (f"bfe.s{_n}", (_n, 32, 32), _n, partial(field, bits=_n, signed=True), 2),
        (f"bfi.b{_n}", (_n, _n, 32, 32), _n, partial(inserted, bits=_n), 2),
    ]
OPERATIONS += [
    ("lop3.b32", (32, 32, 32, 8), 32, table, 1),
    ("prmt.b32", (32, 32, 32), 32, permuted, 1),
    *(
        (f"shf.{side}.{limit}.b32", (32, 32, 32), 32, partial(funnel, left=side == "l", wraps=limit == "wrap"), 1)
        for side in "lr"
        for limit in ("wrap", "clamp")
    ),
    *(
        (f"cvt.{to}{m}.{of}{n}", (n,), m, lambda a, of=of, n=n: sign(a, n) if of == "s" else a, 0)
        for to in "us"
        for m in (16, 32, 64)
        for of in "us"
        for n in (16, 32, 64)
    ),
]  # fmt: skip
KNOWN_ONLY: list[tuple[str, tuple[int, ...], int, Function]] = [
    ("mul.hi.u64", (64, 64), 64, lambda a, b: a * b >> 64),
    ("mul.hi.s64", (64, 64), 64, lambda a, b: sign(a, 64) * sign(b, 64) >> 64),
]
BANK = {8: "%r", 16: "%h", 32: "%r", 64: "%d"}


def drawn(rng: Random, bits: int) -> int:
    return (rng.choice(NUMBERS) if rng.random() < 0.7 else rng.getrandbits(bits)) % (1 << bits)


def results(lines: list[str], count: int, first: list[int | None]) -> list[int]:
    """What a thread writes into cells of 8 bytes, which have some numbers at first that it does not know."""
    values = ", ".join(str(value or 0) for value in first)
    text = kernel("\n".join(lines), f".global .align 8 .u64 y[{count}] = {{{values}}};")
    result = xgen.check(program(text, "k<<<1,1>>>()"), xgen.model("ptx"))
    assert result.verdict == "safe"
    (outcome,) = result.outcomes
    return [int(outcome.state[f"y[{number}]"]) for number in range(count)]


def instruction(name: str, operands: list[str], result: int, cell: int) -> str:
    """Does one, and stores what it gives as a number of 64 bits with its sign."""
    register = f"{BANK[result]}7"
    widened = f"cvt.s64.s{result} %d8, {register};" if result != 64 else f"mov.b64 %d8, {register};"
    return f"{name} {register}, {', '.join(operands)}; {widened} st.volatile.global.u64 [y+{8 * cell}], %d8;"


def case(rng: Random, name: str, widths: tuple[int, ...], constants: int) -> list[int]:
    values = [drawn(rng, bits) for bits in widths]
    if ("div" in name or "rem" in name) and values[1] == 0:
        values[1] = 3
    if constants == 2:
        values[-2:] = rng.choice((0, 1, 4, 31, 32, 63, 64, 70)), rng.choice((0, 1, 5, 8, 32, 33, 64))
    return values


@pytest.mark.parametrize("seed", range(3))
def test_known_numbers(seed: int) -> None:
    rng, lines, expected = Random(seed), list[str](), list[int]()
    plain = [each[:4] for each in OPERATIONS]
    for name, widths, result, function in (*plain, *KNOWN_ONLY):
        values = case(rng, name, widths, 2 if name.startswith(("bfe.", "bfi.")) else 0)
        lines.append(instruction(name, [str(value) for value in values], result, len(expected)))
        expected.append(sign(function(*values), result))
    assert results(lines, len(expected), [None]) == expected


@pytest.mark.parametrize("value", [0, 1, 6 << 61, 3 << 62, (1 << 64) - 1, 0x5555_0000_8000_0001])
def test_bits_of_unknown_numbers(value: int) -> None:
    lines, expected = ["ld.volatile.global.u64 %d9, [y];"], [sign(value, 64)]
    for name, widths, result, function, _ in OPERATIONS:
        if name.startswith(("popc.", "clz.", "brev.", "bfind.")):
            narrow = "cvt.u32.u64 %r0, %d9;" if widths[0] == 32 else "mov.b64 %d0, %d9;"
            lines += [narrow, instruction(name, [f"{BANK[widths[0]]}0"], result, len(expected))]
            expected.append(sign(function(value % (1 << widths[0])), result))
    lines.append(f"st.volatile.global.u64 [y], {value};")
    assert results(lines, len(expected), [value]) == expected


@pytest.mark.parametrize("seed", range(3))
def test_unknown_numbers(seed: int) -> None:
    """They are read from memory that the thread writes as well."""
    rng, lines, expected, first = Random(seed), list[str](), list[int](), list[int | None]()
    for name, widths, result, function, constants in OPERATIONS:
        values = case(rng, name, widths, constants)
        operands = [str(value) for value in values]
        for at in range(len(values) - constants):
            register = f"{BANK[widths[at]]}{at}"
            narrow = f"cvt.u{widths[at]}.u64 {register}, %d9;" if widths[at] != 64 else f"mov.b64 {register}, %d9;"
            lines.append(f"ld.volatile.global.u64 %d9, [y+{8 * len(first)}]; {narrow}")
            first.append(values[at])
            operands[at] = register
            expected.append(sign(values[at], 64))
        lines.append(instruction(name, operands, result, len(first)))
        first.append(None)
        expected.append(sign(function(*values), result))
    lines += [f"st.volatile.global.u64 [y+{8 * at}], {value};" for at, value in enumerate(first) if value is not None]
    found = results(lines, len(first), first)
    assert found == expected


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


@pytest.mark.parametrize("known", [True, False])
def test_comparisons(known: bool) -> None:
    rng, lines, expected, first = Random(7), list[str](), list[int](), list[int | None]()
    for bits in (16, 32, 64):
        for name, kind in [(n, k) for n in COMPARED for k in "us"] + [(n, "u") for n in UNSIGNED]:
            a, b, r = drawn(rng, bits), drawn(rng, bits), BANK[bits]
            b = a if rng.random() < 0.2 else b
            operands = [str(a), str(b)]
            if not known:
                for at, value in enumerate((a, b)):
                    narrow = f"cvt.u{bits}.u64 {r}{at}, %d9;" if bits != 64 else f"mov.b64 {r}{at}, %d9;"
                    lines.append(f"ld.volatile.global.u64 %d9, [y+{8 * len(first)}]; {narrow}")
                    first.append(value)
                    expected.append(sign(value, 64))
                    operands[at] = f"{r}{at}"
            lines.append(f"setp.{name}.{kind}{bits} %p1|%p2, {', '.join(operands)};")
            lines.append("selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 2, 0, %p2; add.u32 %r7, %r3, %r4;")
            lines.append(instruction("mov.u32", ["%r7"], 32, len(first)))
            x, y = (sign(v, bits) if kind == "s" else v for v in (a, b))
            expected.append(1 if COMPARED[UNSIGNED.get(name, name)](x, y) else 2)
            first.append(None)
    lines += [f"st.volatile.global.u64 [y+{8 * at}], {value};" for at, value in enumerate(first) if value is not None]
    assert results(lines, len(first), first) == expected
