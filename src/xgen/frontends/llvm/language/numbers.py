"""LLVM's functions on numbers: how many bits are set, where the first and the last one are, other orders of them, bits
of two numbers; sums and differences that end at the last number that there is. Those on floating point numbers, and
what C's library has of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgen.frontends import bits, reals
from xgen.frontends.llvm.language.arithmetic import Arithmetic
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.values import Either, Register, Value, expression, folded, signed, unsigned
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral, Wrap

NAMES = ("llvm.ctpop", "llvm.ctlz", "llvm.cttz", "llvm.bswap", "llvm.bitreverse", "llvm.abs")
OF_TWO = ("llvm.fshl", "llvm.fshr", "llvm.uadd.sat", "llvm.usub.sat", "llvm.sadd.sat", "llvm.ssub.sat")
_NOT_OF_ZERO = ("ctlz", "cttz")
"""What has no result for 0, if a second argument says so."""


def of_bits(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """The result of one of these functions. Raises UnsupportedError for numbers of more than 64 bits."""
    match = re.match(r"llvm\.(\w+)\.i(\d+)$", name)
    if match is None or f"llvm.{match[1]}" not in NAMES or int(match[2]) > 64:
        raise calls.unsupported(f"`{name}` is")
    what, size, value = match[1], int(match[2]), arguments[0]
    if what in _NOT_OF_ZERO and arguments[1]:
        calls.check(Binary("/=", expression(value), IntLiteral(0)), "undefined")
    if what == "abs":
        return calls.select(calls.compare("slt", value, 0), calls.compute("sub", 0, value, size), value)
    if isinstance(value, int):
        return _known(what, unsigned(value, size), size)
    number = _Number(calls, size)
    if what == "bswap":
        return number.swapped(value)
    if what == "bitreverse":
        return number.reversed(value)
    value = calls.keep(number.positive(calls.used(value)))
    if what == "ctpop":
        return number.ones(expression(value))
    if what == "ctlz":
        return number.of("sub", size, number.ones(bits.smeared(expression(value), number.keep)))
    return number.ones(number.cut(bits.below_lowest(expression(value), number.keep)))  # of 0: all


def of_two(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """The same of two numbers. Raises UnsupportedError for numbers of more than 64 bits."""
    match = re.match(r"llvm\.(?:(fsh)(.)|([us])(add|sub)\.sat)\.i(\d+)$", name)
    if match is None or int(match[5]) > 64:
        raise calls.unsupported(f"`{name}` is")
    bits = int(match[5])
    if match[1]:
        return _shifted(_Number(calls, bits), match[2] == "l", *arguments)
    kind, op = match[3], match[4]
    found, over = calls.overflowing(kind, op, bits, *arguments)
    least, most = -1 << (bits - 1), (1 << (bits - 1)) - 1
    if kind == "u":
        return calls.select(over, -1 if op == "add" else 0, found)
    return calls.select(over, calls.select(calls.compare("slt", arguments[0], 0), least, most), found)


def _shifted(number: _Number, left: bool, high: Value, low: Value, distance: Value) -> Value:
    """One half of two numbers that are shifted together: where both are the same, the number is rotated."""
    calls, bits = number.calls, number.bits
    distance = number.of("urem", distance, bits)
    back = number.of("sub", bits, distance)
    up, down = (distance, back) if left else (back, distance)
    both = number.of("or", number.of("shl", high, up), number.of("lshr", low, down))
    return calls.select(calls.compare("eq", distance, 0), high if left else low, both)


def _known(what: str, value: int, bits: int) -> int:
    if what == "bswap":
        return signed(int.from_bytes(value.to_bytes(bits // 8, "little"), "big"), bits)
    if what == "bitreverse":
        return signed(int(f"{value:0{bits}b}"[::-1], 2), bits)
    if what == "ctpop":
        return value.bit_count()
    if what == "ctlz":
        return bits - value.bit_length()
    return (value & -value).bit_length() - 1 if value else bits


class _Number:
    """What is computed of numbers of so many bits."""

    def __init__(self, calls: Arithmetic, bits: int) -> None:
        self.calls, self.bits = calls, bits

    def of(self, op: str, left: Value, right: Value) -> Value:
        return self.calls.compute(op, left, right, self.bits)

    def masked(self, value: Value, mask: int) -> Value:
        return self.of("and", value, signed(mask & ((1 << self.bits) - 1), self.bits))

    def cut(self, value: Expression) -> Expression:
        return value if self.bits == 64 else Wrap(value, self.bits, False)

    def positive(self, value: Value) -> Value:
        """The number from 0 on."""
        return Register(self.cut(expression(value)), Either())

    def keep(self, value: Expression) -> Expression:
        return expression(self.calls.keep(Register(value, Either())))

    def ones(self, value: Expression) -> Value:
        """How many bits of a number from 0 on are set."""
        return self.calls.keep(Register(Wrap(bits.ones(value, self.keep), self.bits, True), Either(), self.bits))

    def swapped(self, value: Value) -> Value:
        """The bytes in the other order."""
        found: Value = 0
        for at in range(0, self.bits, 8):
            byte = self.masked(self.of("lshr", value, at), 255)
            found = self.of("or", found, self.of("shl", byte, self.bits - 8 - at))
        return found

    def reversed(self, value: Value) -> Value:
        """The bits in the other order."""
        found: Value = 0
        for at in range(self.bits):
            bit = self.masked(self.of("lshr", value, at), 1)
            found = self.of("or", found, self.of("shl", bit, self.bits - 1 - at))
        return found


def of_reals(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.ceil.f64` and its like, `fmod`."""
    match = re.fullmatch(r"llvm\.(\w+)\.f(32|64)|([a-z]+?)(f?)", name)
    assert match is not None
    what, width = (match[1], int(match[2]) // 8) if match[1] else (match[3], 4 if match[4] else 8)
    found = reals.function(what, [expression(each) for each in arguments], width)
    return calls.real(found, width)


def saturated(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.fptosi.sat.i32.f64`."""
    _, op, _, whole, of = name.split(".")
    bits, width = int(whole[1:]), int(of[1:]) // 8
    return calls.whole(reals.nearest_whole(expression(arguments[0]), width, bits, op == "fptosi"), bits)


def to_long(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`lround` and its like."""
    plain = name if name in reals.TO_LONG else name[:-1]
    return calls.whole(reals.to_long(plain, expression(arguments[0]), 8 if plain == name else 4), 64)


def of_class(calls: Arithmetic, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.is.fpclass.f64`."""
    value, mask = arguments
    assert isinstance(mask, int)
    test = folded(reals.is_of_class(expression(value), mask, int(name[-2:]) // 8))
    return int(test.value) if isinstance(test, BoolLiteral) else calls.truth(test)


OF_REALS: dict[str, Callable[[Arithmetic, str, list[Value], Instruction], Value]] = {
    **{f"llvm.{name}.f{bits}": of_reals for name in reals.FUNCTIONS if name != "fmod" for bits in (32, 64)},
    **dict.fromkeys(("sqrt", "sqrtf", "fmod", "fmodf"), of_reals),
    **dict.fromkeys(("llvm.is.fpclass.f32", "llvm.is.fpclass.f64"), of_class),
    **{f"{name}{suffix}": to_long for name in reals.TO_LONG for suffix in ("", "f")},
    **{f"llvm.fpto{s}i.sat.i{n}.f{m}": saturated for s in "su" for n in (8, 16, 32, 64) for m in (32, 64)},
}
