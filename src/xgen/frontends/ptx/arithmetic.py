"""Instructions on registers: moves, whole numbers, bits, comparisons, conversions.

What an instruction does is said by the PTX ISA, chapter "Instruction Set". A form that no pattern here has is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from xgen.frontends.ptx.floats import COMPARISONS as REAL_COMPARISONS
from xgen.frontends.ptx.floats import absolute_real, compared_real, computed_real, converted_real, negated_real
from xgen.frontends.ptx.layout import END, GLOBAL, LOCAL, OF_BLOCK, SHARED
from xgen.frontends.ptx.numbers import (
    COMPARISONS,
    NotComputed,
    Nothing,
    Number,
    chosen,
    compared,
    computed,
    is_within,
    joined,
    negated,
    resized,
    signed,
)
from xgen.frontends.ptx.operands import Operands, Refused
from xgen.frontends.ptx.text import split
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral

Given = tuple[str, ...]
_BITS = "(16|32|64)"
_PLAIN = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "not": "not", "cnot": "cnot"}
_OF_SIGN = {"div": "udiv", "rem": "urem", "min": "umin", "max": "umax", "hi": "uhigh"}
_WINDOWS = {"local": (LOCAL, END), "global": (GLOBAL, SHARED)}
_SHIFTED = 32
"""The bits of a distance by which one shifts."""


class Arithmetic(Operands):
    """What does not access memory that others see."""

    def compute(self, name: str, operands: Given) -> bool:
        """Does an instruction; whether it is one of these."""
        for pattern, method in _FORMS.get(name.partition(".")[0], ()):
            if found := pattern.fullmatch(name):
                try:
                    method(self, operands, *found.groups())
                except NotComputed as error:
                    raise Refused(f"{error} of numbers that are not known is not supported") from None
                return True
        return False

    def takes(self, operands: Given, *counts: int) -> None:
        if len(operands) not in counts:
            raise Refused(f"{len(operands)} operands are not supported here")

    # ---- moves

    def move(self, operands: Given, width: str) -> None:
        self.takes(operands, 2)
        bits = int(width)
        target, source = operands
        if source.startswith("{"):
            each = split(source.strip("{}"))
            parts = [self.number_of(part, bits // len(each)) for part in each]
            self.put(target, self.put_together(parts, bits), bits)
        elif target.startswith("{"):
            self.take_apart(split(target.strip("{}")), self.number_of(source, bits), bits)
        else:
            self.put(target, self.number_of(source, bits), bits)

    def put_together(self, parts: list[Number], bits: int) -> Number:
        """The number that parts of the same size are, the lowest first."""
        width = bits // len(parts)
        total: Number = 0
        for index, part in enumerate(parts):
            moved = computed("shl", bits, resized(part, width, bits, with_sign=False), index * width)
            total = moved if index == 0 else computed("or", bits, total, moved)
        return total

    def take_apart(self, registers: list[str], value: Number, bits: int) -> None:
        """Gives each register a part of a number, the first one the lowest."""
        width = bits // len(registers)
        if not isinstance(value, int | Nothing):
            value = self.kept(value)
        for index, register in enumerate(registers):
            part = computed("shr", bits, value, index * width)
            self.put(register, resized(part, bits, width, with_sign=True), width)

    def move_truth(self, operands: Given) -> None:
        self.takes(operands, 2)
        self.put_truth(operands[0], self.truth(operands[1]))

    def convert_address(self, operands: Given, space: str | None, width: str) -> None:
        """Addresses are the same in all spaces."""
        self.takes(operands, 2)
        if space and space.startswith("param"):
            raise Refused("the address of a parameter is not supported")
        self.put(operands[0], self.number_of(operands[1], int(width)), int(width))

    def is_of_space(self, operands: Given, space: str) -> None:
        """An address that is not known is taken to be none of local memory: an access there by it is refused."""
        self.takes(operands, 2)
        address = self.number_of(operands[1], 64)
        window = self.shared_window(space.removesuffix("::cta")) if "shared" in space else _WINDOWS.get(space)
        if window is None or isinstance(address, Nothing):
            self.put_truth(operands[0], False if window is None else address)  # type: ignore[arg-type]
        elif space == "local" and not isinstance(address, int):
            self.put_truth(operands[0], False)
        elif isinstance(address, int):
            self.put_truth(operands[0], window[0] <= address < window[1])
        else:
            self.put_truth(operands[0], is_within(address, window))

    def of_other_block(self, operands: Given, width: str) -> None:
        """`mapa`: the address in the shared memory of the block with a rank that is this one in its block."""
        self.takes(operands, 3)
        address = self.in_shared(operands[1], int(width))
        rank = self.needed(self.number_of(operands[2], 32))
        count = len(self.siblings)
        if isinstance(rank, int):
            if not 0 <= rank < count:
                self.fail("out-of-bounds")
        else:
            rank = self.kept(rank)
            self.do(xcfa.Assert(Binary("ult", rank, IntLiteral(count)), self.position, "out-of-bounds"))
        inside = computed("and", 64, address, OF_BLOCK - 1)
        window = computed("add", 64, self.shared_window(None)[0], computed("mul", 64, rank, OF_BLOCK))
        self.put(operands[0], resized(computed("add", 64, window, inside), 64, int(width), False), int(width))

    def rank_of_block(self, operands: Given, width: str) -> None:
        """`getctarank`: the rank of the block in whose shared memory an address is."""
        self.takes(operands, 2)
        offset = computed("sub", 64, self.in_shared(operands[1], int(width)), self.shared_window(None)[0])
        rank = computed("udiv", 64, offset, OF_BLOCK)
        self.put(operands[0], resized(rank, 64, 32, False), 32)

    def in_shared(self, operand: str, bits: int) -> int | xcfa.Expression:
        """An address in the shared memory of the cluster; outside it is a violation."""
        address = self.needed(resized(self.number_of(operand, bits), bits, 64, False))
        start, end = self.shared_window(None)
        if isinstance(address, int):
            if not start <= address < end:
                self.fail("out-of-bounds")
            return address
        address = self.kept(address)
        self.do(xcfa.Assert(is_within(address, (start, end)), self.position, "out-of-bounds"))
        return address

    # ---- whole numbers

    def plain(self, operands: Given, operation: str, width: str) -> None:
        """Of which the sign is of no account."""
        bits = int(width)
        self.takes(operands, 2 if operation in ("not", "cnot") else 3)
        values = [self.number_of(each, bits) for each in operands[1:]]
        self.put(operands[0], computed(_PLAIN[operation], bits, *values), bits)

    def of_one(self, operands: Given, operation: str, width: str) -> None:
        self.takes(operands, 2)
        self.put(operands[0], computed(operation, int(width), self.number_of(operands[1], int(width))), int(width))

    def of_sign(self, operands: Given, operation: str, sign: str, width: str) -> None:
        """What depends on the sign: division, remainder, the lesser and the greater of two."""
        self.takes(operands, 3)
        bits = int(width)
        a, b = (self.number_of(each, bits) for each in operands[1:])
        if operation in ("div", "rem") and not isinstance(b, int | Nothing):
            self.do(xcfa.Assert(Binary("/=", b, IntLiteral(0)), self.position, "division-by-zero"))
        self.put(operands[0], computed(operation if sign == "s" else _OF_SIGN[operation], bits, a, b), bits)

    def product(self, operands: Given, operation: str, part: str, sign: str, width: str) -> None:
        """`mul` and `mad`: the lower half of a product, the upper one, or all of it."""
        self.takes(operands, 3 if operation == "mul" else 4)
        bits = int(width)
        a, b = (self.number_of(each, bits) for each in operands[1:3])
        wide = 2 * bits if part == "wide" else bits
        if part == "wide" and wide > 64:
            raise Refused("products of 128 bits are not supported")
        if part == "hi":
            found = computed("high" if sign == "s" else "uhigh", bits, a, b)
        else:
            a, b = (resized(each, bits, wide, sign == "s") for each in (a, b))
            found = computed("mul", wide, a, b)
        if operation == "mad":
            found = computed("add", wide, found, self.number_of(operands[3], wide))
        self.put(operands[0], found, wide)

    def shift(self, operands: Given, operation: str, sign: str, width: str) -> None:
        self.takes(operands, 3)
        bits = int(width)
        value, distance = self.number_of(operands[1], bits), self.number_of(operands[2], _SHIFTED)
        does = "shl" if operation == "shl" else "sar" if sign == "s" else "shr"
        self.put(operands[0], computed(does, bits, value, distance), bits)

    # ---- bits

    def count_bits(self, operands: Given, operation: str, width: str) -> None:
        self.takes(operands, 2)
        found = computed(operation, int(width), self.number_of(operands[1], int(width)))
        self.put(operands[0], resized(found, int(width), 32, with_sign=False), 32)

    def find_bit(self, operands: Given, shifts: str | None, sign: str, width: str) -> None:
        self.takes(operands, 2)
        bits = int(width)
        value = self.number_of(operands[1], bits)
        if sign == "s":
            value = computed("xor", bits, value, computed("sar", bits, value, bits - 1))
        above = resized(computed("clz", bits, value), bits, 32, with_sign=True)
        if shifts:
            self.put(operands[0], chosen(compared("eq", bits, True, value, 0), -1, above), 32)
        else:
            self.put(operands[0], computed("sub", 32, bits - 1, above), 32)

    def _known(self, operands: Given, what: str) -> tuple[int, ...]:
        """Numbers that have to be known, of which the lowest 8 bits count."""
        found = []
        for each in operands:
            value = self.needed(self.number_of(each, 32))
            if not isinstance(value, int):
                raise Refused(f"{what} by numbers that are not known is not supported")
            found.append(value & 0xFF)
        return tuple(found)

    def extract(self, operands: Given, sign: str, width: str) -> None:
        self.takes(operands, 4)
        bits = int(width)
        value = self.number_of(operands[1], bits)
        start, length = self._known(operands[2:], "`bfe`")
        if length == 0:
            found: Number = 0
        elif sign == "u":
            mask = signed((1 << min(length, bits)) - 1, bits)
            found = computed("and", bits, computed("shr", bits, value, start), mask)
        elif start + length >= bits:
            found = computed("sar", bits, value, start)
        else:
            found = computed("sar", bits, computed("shl", bits, value, bits - start - length), bits - length)
        self.put(operands[0], found, bits)

    def insert(self, operands: Given, width: str) -> None:
        self.takes(operands, 5)
        bits = int(width)
        part, whole = (self.number_of(each, bits) for each in operands[1:3])
        start, length = self._known(operands[3:], "`bfi`")
        mask = signed(((1 << length) - 1) << start, bits)
        moved = computed("and", bits, computed("shl", bits, part, start), mask)
        rest = computed("and", bits, whole, ~mask)
        self.put(operands[0], computed("or", bits, rest, moved), bits)

    def by_table(self, operands: Given) -> None:
        """`lop3`: any function of three bits; of those of each number of the table that are 1, one is so."""
        self.takes(operands, 5)
        (table,) = self._known(operands[4:], "`lop3`")
        values = [self.number_of(each, 32) for each in operands[1:4]]
        inverse = [computed("not", 32, each) for each in values]
        found: Number = 0
        for row in range(8):
            if table >> row & 1:
                term: Number = -1
                for index in range(3):
                    of = values if row >> (2 - index) & 1 else inverse
                    term = computed("and", 32, of[index], term)
                found = computed("or", 32, term, found)
        self.put(operands[0], found, 32)

    def permute(self, operands: Given) -> None:
        self.takes(operands, 4)
        values = [self.number_of(each, 32) for each in operands[1:3]]
        selector = self.needed(self.number_of(operands[3], 32))
        if not isinstance(selector, int):
            raise Refused("`prmt` by a number that is not known is not supported")
        found: Number = 0
        for index in range(4):
            choice = selector >> 4 * index & 15
            value, byte = values[choice >> 2 & 1], choice & 3
            if choice & 8:
                part = computed("sar", 32, computed("shl", 32, value, 24 - 8 * byte), 31)
            else:
                part = computed("shr", 32, value, 8 * byte)
            moved = computed("shl", 32, computed("and", 32, part, 0xFF), 8 * index)
            found = computed("or", 32, found, moved)
        self.put(operands[0], found, 32)

    def funnel(self, operands: Given, side: str, limit: str) -> None:
        """`shf`: 32 of 64 bits, which two numbers are."""
        self.takes(operands, 4)
        low, high = (self.number_of(each, 32) for each in operands[1:3])
        (distance,) = self._known(operands[3:], "`shf`")
        whole = self.put_together([low, high], 64)
        distance = distance & 31 if limit == "wrap" else min(distance, 32)
        moved = computed("shr", 64, whole, distance if side == "r" else 32 - distance)
        self.put(operands[0], resized(moved, 64, 32, with_sign=True), 32)

    # ---- truths

    def compare(self, operands: Given, operation: str, logic: str | None, sign: str, width: str) -> None:
        """`setp`: whether a comparison holds, joined with a predicate or not; and a second one, whether it does not."""
        self.takes(operands, 4 if logic else 3)
        bits = int(width)
        a, b = (self.number_of(each, bits) for each in operands[1:3])
        self.give_truths(operands, logic, compared(operation, bits, sign == "s", a, b))

    def give_truths(self, operands: Given, logic: str | None, found: Any) -> None:
        opposite = negated(found)
        if logic:
            other = self.truth(operands[3])
            found, opposite = joined(logic, found, other), joined(logic, opposite, other)
        first, bar, second = operands[0].partition("|")
        if bar and not isinstance(found, bool | Nothing):
            found = self.kept(found, xcfa.BOOL)
        if bar and not isinstance(opposite, bool | Nothing):
            opposite = self.kept(opposite, xcfa.BOOL)
        self.put_truth(first.strip(), found)
        if bar:
            self.put_truth(second.strip(), opposite)

    def join(self, operands: Given, operation: str) -> None:
        self.takes(operands, 2 if operation == "not" else 3)
        truths = [self.truth(each) for each in operands[1:]]
        found = negated(truths[0]) if operation == "not" else joined(operation, *truths)
        self.put_truth(operands[0], found)

    def select(self, operands: Given, width: str) -> None:
        self.takes(operands, 4)
        bits = int(width)
        positive, negative = (self.number_of(each, bits) for each in operands[1:3])
        self.put(operands[0], chosen(self.truth(operands[3]), positive, negative), bits)

    def convert(self, operands: Given, sign: str, width: str, before_sign: str, before: str) -> None:
        """`cvt` of whole numbers."""
        self.takes(operands, 2)
        value = self.number_of(operands[1], int(before))
        found = resized(value, int(before), int(width), before_sign == "s")
        self.put(operands[0], found, int(width), sign == "s")

    # ---- floating point

    def real(self, operands: Given, operation: str, width: str) -> None:
        bits = int(width)
        self.takes(operands, {"sqrt": 2, "rcp": 2, "fma": 4, "mad": 4}.get(operation, 3))
        values = [self.number_of(each, bits) for each in operands[1:]]
        self.put(operands[0], computed_real(operation, bits, *values), bits)

    def real_sign(self, operands: Given, operation: str, width: str) -> None:
        self.takes(operands, 2)
        does = negated_real if operation == "neg" else absolute_real
        self.put(operands[0], does(int(width), self.number_of(operands[1], int(width))), int(width))

    def compare_real(self, operands: Given, operation: str, logic: str | None, width: str) -> None:
        self.takes(operands, 4 if logic else 3)
        a, b = (self.number_of(each, int(width)) for each in operands[1:3])
        self.give_truths(operands, logic, compared_real(operation, int(width), a, b))

    def convert_real(self, operands: Given, kind: str, width: str, before_kind: str, before: str) -> None:
        self.takes(operands, 2)
        value = self.number_of(operands[1], int(before))
        found = converted_real((kind, before_kind), (int(width), int(before)), value)
        self.put(operands[0], found, int(width), kind == "s")

    def nothing_else(self, *_: object) -> None:
        """What changes nothing that is looked at here."""


_Method = Callable[..., None]
_CMP = "|".join(COMPARISONS)
_ALL: tuple[tuple[str, _Method], ...] = (
    (r"mov\.pred", Arithmetic.move_truth),
    (rf"mov\.[usbf]{_BITS}", Arithmetic.move),
    (
        r"cvta(?:\.to)?\.(global|local|const|shared(?:::cta|::cluster)?|param(?:::entry)?)\.u(32|64)",
        Arithmetic.convert_address,
    ),
    (r"mapa(?:\.shared::cluster)?\.u(32|64)", Arithmetic.of_other_block),
    (r"getctarank(?:\.shared::cluster)?\.u(32|64)", Arithmetic.rank_of_block),
    (r"isspacep\.([\w:]+)", Arithmetic.is_of_space),
    (rf"(add|sub)\.[us]{_BITS}", Arithmetic.plain),
    (rf"(and|or|xor|not|cnot)\.b{_BITS}", Arithmetic.plain),
    (r"(and|or|xor|not)\.pred", Arithmetic.join),
    (rf"(neg|abs)\.s{_BITS}", Arithmetic.of_one),
    (r"(brev)\.b(32|64)", Arithmetic.of_one),
    (rf"(div|rem|min|max)\.([us]){_BITS}", Arithmetic.of_sign),
    (rf"(mul|mad)\.(lo|hi|wide)\.([us]){_BITS}", Arithmetic.product),
    (rf"(shl)\.(b){_BITS}", Arithmetic.shift),
    (rf"(shr)\.([usb]){_BITS}", Arithmetic.shift),
    (r"(popc|clz)\.b(32|64)", Arithmetic.count_bits),
    (r"bfind(\.shiftamt)?\.([us])(32|64)", Arithmetic.find_bit),
    (r"bfe\.([us])(32|64)", Arithmetic.extract),
    (r"bfi\.b(32|64)", Arithmetic.insert),
    (r"lop3\.b32", Arithmetic.by_table),
    (r"prmt\.b32", Arithmetic.permute),
    (r"shf\.([lr])\.(wrap|clamp)\.b32", Arithmetic.funnel),
    (rf"setp\.({_CMP})(?:\.(and|or|xor))?\.([usb]){_BITS}", Arithmetic.compare),
    (rf"selp\.[usbf]{_BITS}", Arithmetic.select),
    (r"cvt\.([us])(8|16|32|64)\.([us])(8|16|32|64)", Arithmetic.convert),
    (r"(add|sub|mul)(?:\.rn)?\.f(32|64)", Arithmetic.real),
    (r"(div|fma|mad|sqrt|rcp)\.rn\.f(32|64)", Arithmetic.real),
    (r"(min|max)\.f(32|64)", Arithmetic.real),
    (r"(neg|abs)\.f(32|64)", Arithmetic.real_sign),
    (rf"setp\.({'|'.join(REAL_COMPARISONS)})(?:\.(and|or|xor))?\.f(32|64)", Arithmetic.compare_real),
    (r"cvt\.rn\.(f)(32|64)\.([us])(8|16|32|64)", Arithmetic.convert_real),
    (r"cvt(?:\.rn)?\.(f)(32|64)\.(f)(32|64)", Arithmetic.convert_real),
    (r"cvt\.rzi\.([us])(8|16|32|64)\.(f)(32|64)", Arithmetic.convert_real),
    *((word + r"\..*", Arithmetic.nothing_else) for word in ("nanosleep", "prefetch", "prefetchu", "discard")),
    *((word + r"\b.*", Arithmetic.nothing_else) for word in ("applypriority", "pmevent", "setmaxnreg")),
)
_FORMS: dict[str, list[tuple[re.Pattern[str], _Method]]] = {}
for _pattern, _method in _ALL:
    for _word in re.findall(r"[a-z0-9]+", re.split(r"\\[.b]", _pattern)[0]):
        _FORMS.setdefault(_word, []).append((re.compile(_pattern), _method))
