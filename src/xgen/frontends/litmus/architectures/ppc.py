"""POWER (64 bits), as herd writes it; see "Power ISA, Version 3.1", Book I (instructions) and Book II (storage model).

A field of the condition register is one local variable: -1, 0 or 1 where what was compared was less, equal or greater,
and `NEITHER` after a store-conditional that failed. What a store-conditional finds out depends on its value and on its
address, as in herd. Fences are `sync`, `lwsync`, `eieio` and `isync`; reservations are `exclusive`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgen.frontends.assembly import negation
from xgen.frontends.litmus.architectures.arithmetic import (
    ZERO,
    below,
    both,
    depending,
    equal,
    less,
    low,
    modulo,
    number,
    rotate_right,
    shift_right,
    signed,
    stored,
)
from xgen.frontends.litmus.architectures.columns import Architecture, Step, symbolic
from xgen.frontends.litmus.architectures.operands import expect, immediate
from xgen.frontends.litmus.thread import Operand, offset
from xgen.program import automaton as xcfa

REGISTERS = {f"r{i}": f"r{i}" for i in range(32)}

BITS = {"b": 8, "h": 16, "w": 32, "d": 64}

RING: dict[str, xcfa.BinaryOp] = {"add": "+", "sub": "-", "mulld": "*", "and": "bitand", "or": "bitor", "xor": "bitxor"}
"""`op rD,rA,rB`: rD gets rA op rB."""

IMMEDIATE: dict[str, tuple[xcfa.BinaryOp, int]] = {
    "addi": ("+", 0),
    "addis": ("+", 16),
    "mulli": ("*", 0),
    "ori": ("bitor", 0),
    "oris": ("bitor", 16),
    "xori": ("bitxor", 0),
    "xoris": ("bitxor", 16),
    "andi.": ("bitand", 0),
    "andis.": ("bitand", 16),
}
"""`op rD,rA,n`: rD gets rA op n, moved to the left by so many bits. Sums and products take a signed number."""

FENCES = {"sync": "sync", "hwsync": "sync", "lwsync": "lwsync", "eieio": "eieio", "isync": "isync"}

LESS, EQUAL, GREATER, NEITHER = (number(value) for value in (-1, 0, 1, 2))

BRANCHES: dict[str, tuple[xcfa.IntLiteral, bool]] = {
    "beq": (EQUAL, True),
    "bne": (EQUAL, False),
    "blt": (LESS, True),
    "bge": (LESS, False),
    "bnl": (LESS, False),
    "bgt": (GREATER, True),
    "ble": (GREATER, False),
    "bng": (GREATER, False),
}
"""Branches are taken where the field has this value, or has it not."""

_LOAD = re.compile(r"l(?P<size>[bhwd])(?P<zero>z?)(?P<algebraic>a?)(?P<update>u?)(?P<indexed>x?)\Z")
_STORE = re.compile(r"st(?P<size>[bhwd])(?P<update>u?)(?P<indexed>x?)\Z")
_COMPARE = re.compile(r"cmp(?P<logical>l?)(?P<size>[wd])(?P<immediate>i?)\Z")
_ADDRESS = re.compile(r"([-+\w]+)\s*\(\s*(%?\w+)\s*\)\Z")
_FIELD = re.compile(r"cr[0-7]\Z")


class PpcStep(Step):
    def run(self) -> None:
        name, line = self.line.mnemonic, self.line
        simple: dict[str, Callable[[], None]] = {
            "li": lambda: self.load_immediate(0),
            "lis": lambda: self.load_immediate(16),
            "subi": self.subtract_immediate,
            "mr": self.move,
            "rlwinm": self.rotate_and_mask,
            "rlwimi": self.rotate_and_insert,
            "clrldi": self.clear_left,
            "srawi": self.shift_right_immediate,
            "lwarx": lambda: self.reserve(32),
            "ldarx": lambda: self.reserve(64),
            "stwcx.": lambda: self.store_conditional(32),
            "stdcx.": lambda: self.store_conditional(64),
        }
        if name in simple:
            simple[name]()
        elif name in FENCES:
            expect(line, name, 0)
            self.thread.do(xcfa.Fence(FENCES[name], line.position))
        elif name == "nop":
            expect(line, name, 0)
            self.thread.do(xcfa.Skip(line.position))
        elif name == "b":
            (label,) = expect(line, "b LC00", 1)
            self.thread.jump(label.text, line.position)
        elif name in BRANCHES:
            self.branch(name)
        elif match := _COMPARE.match(name):
            self.compare(BITS[match["size"]], bool(match["logical"]), bool(match["immediate"]))
        elif name in IMMEDIATE:
            self.compute_immediate(name)
        elif (match := _LOAD.match(name)) and (match["size"] == "d" or bool(match["zero"]) != bool(match["algebraic"])):
            self.load(match)
        elif match := _STORE.match(name):
            self.store(match)
        else:
            self.compute(name)

    # ---- operands

    def read(self, operand: Operand) -> xcfa.Expression:
        return self.thread.register(operand)

    def base(self, operand: Operand) -> xcfa.Expression:
        """The register that an address starts from; in its place r0 stands for the number 0."""
        register = self.thread.register(operand)
        return ZERO if register.name == "r0" else register

    def assign(self, target: Operand, value: xcfa.Expression, record: bool = False) -> None:
        """A register gets a value; with `record`, field 0 says how it compares with 0."""
        register = self.thread.register(target)
        self.thread.assign(register, value, self.line.position)
        if record:
            self.set_field(self.field(0), register, ZERO, less)

    def field(self, number_: int) -> xcfa.Name:
        """A field of the condition register."""
        name = xcfa.Name(f"$cr{number_}")
        self.thread.locals[name.name] = None
        return name

    def field_operand(self, operands: tuple[Operand, ...]) -> tuple[xcfa.Name, tuple[Operand, ...]]:
        """The field that is named first, field 0 if there is none; and the other operands."""
        if _FIELD.match(operands[0].text):
            return self.field(int(operands[0].text[2:])), operands[1:]
        return self.field(0), operands

    def set_field(
        self,
        field: xcfa.Name,
        left: xcfa.Expression,
        right: xcfa.Expression,
        before: Callable[[xcfa.Expression, xcfa.Expression], xcfa.Expression],
    ) -> None:
        unequal = xcfa.Conditional(equal(left, right), EQUAL, GREATER)
        self.thread.assign(field, xcfa.Conditional(before(left, right), LESS, unequal), self.line.position)

    # ---- memory

    def address(self, operands: tuple[Operand, ...], indexed: bool) -> tuple[xcfa.Expression, xcfa.Name | None]:
        """The address that `0(r5)`, `0,r5` or the registers of an indexed form mean; and the register to update."""
        if indexed:
            base, index = self.base(operands[0]), self.read(operands[1])
            register = base if isinstance(base, xcfa.Name) else None
            return both("+", base, index), register
        operand = operands[0]
        if len(operands) == 2:
            by, base = operand, self.base(operands[1])
        else:
            match = _ADDRESS.match(operand.text)
            if match is None:
                self.line.wrong(f"`{operand.text}` is no address", operand, "expected, say, `0(r5)`")
            by, base = Operand(match[1], operand.position), self.base(Operand(match[2], operand.position))
        value = immediate(self.line, by, range(-(2**15), 2**15))
        return offset(base, value, operand.position), base if isinstance(base, xcfa.Name) else None

    def place(self, address: xcfa.Expression) -> xcfa.AnyPlace:
        return self.thread.place(address, self.line.position)

    def access(self, match: re.Match[str], example: str) -> tuple[Operand, xcfa.Expression, xcfa.Name | None]:
        """The register and the address of a load or a store, and the register to update."""
        indexed = bool(match["indexed"])
        form = f"{match[0]} {example},r6,r7" if indexed else f"{match[0]} {example},0(r7)"
        register, *rest = expect(self.line, form, *((3,) if indexed else (2, 3)))
        address, base = self.address(tuple(rest), indexed)
        if match["update"] and base is None:
            self.line.wrong("there is no register to update: r0 stands for the number 0 here", rest[-1])
        return register, address, base if match["update"] else None

    def load(self, match: re.Match[str]) -> None:
        target, address, update = self.access(match, "r5")
        bits, position, register = BITS[match["size"]], self.line.position, self.thread.register(target)
        if update == register:
            self.line.wrong("the register that is loaded is the one that is updated", target)
        self.thread.access(xcfa.Load(register, self.place(address), position=position), bits)
        if bits < 64:
            self.thread.assign(register, (signed if match["algebraic"] else low)(register, bits), position)
        if update is not None:
            self.thread.assign(update, address, position)

    def store(self, match: re.Match[str]) -> None:
        value, address, update = self.access(match, "r5")
        bits = BITS[match["size"]]
        store = xcfa.Store(stored(self.read(value), bits), self.place(address), position=self.line.position)
        self.thread.access(store, bits)
        if update is not None:
            self.thread.assign(update, address, self.line.position)

    def reserve(self, bits: int) -> None:
        target, *registers = expect(self.line, "lwarx r5,0,r6", 3)
        place, register = self.place(self.indexed(registers)), self.thread.register(target)
        load = xcfa.Load(register, place, False, None, self.line.position, exclusive=True)
        self.thread.access(load, bits)
        if bits < 64:
            self.thread.assign(register, low(register, bits), self.line.position)

    def store_conditional(self, bits: int) -> None:
        value, *registers = expect(self.line, "stwcx. r5,0,r6", 3)
        address, written = self.indexed(registers), stored(self.read(value), bits)
        status, field, position = self.thread.fresh(), self.field(0), self.line.position
        place = self.place(address)
        self.thread.access(xcfa.StoreExclusive(status, written, place, None, position), bits)
        on = (written, place.address) if isinstance(place, xcfa.Deref) else (written,)
        self.thread.assign(field, depending(both("*", status, NEITHER), *on), position)

    def indexed(self, registers: list[Operand]) -> xcfa.Expression:
        """The address that two registers make, of which the first may be written `0`."""
        first, second = registers
        return both("+", ZERO if first.text == "0" else self.base(first), self.read(second))

    # ---- computation

    def load_immediate(self, by: int) -> None:
        target, value = expect(self.line, "li r5,1", 2)
        self.assign(target, number(immediate(self.line, value, range(-(2**15), 2**16)) << by))

    def subtract_immediate(self) -> None:
        target, left, value = expect(self.line, "subi r5,r6,1", 3)
        self.assign(target, modulo("-", self.base(left), number(immediate(self.line, value))))

    def move(self) -> None:
        target, source = expect(self.line, "mr r5,r6", 2)
        self.assign(target, self.read(source))

    def compute_immediate(self, name: str) -> None:
        target, left, right = expect(self.line, f"{name} r5,r6,1", 3)
        op, by = IMMEDIATE[name]
        logical = op.startswith("bit")
        value = immediate(self.line, right, range(2**16) if logical else range(-(2**15), 2**15))
        operand = self.base(left) if op == "+" else self.read(left)
        computed = both(op, operand, number(value << by)) if logical else modulo(op, operand, number(value << by))
        self.assign(target, computed, record=name.endswith("."))

    def compute(self, name: str) -> None:
        """Operations on registers; with a dot, cr0 says how the result compares with 0."""
        stem, record = name.removesuffix("."), name.endswith(".")
        if stem in ("neg", "extsb", "extsh", "extsw"):
            target, source = expect(self.line, f"{name} r5,r6", 2)
            value = self.read(source)
            result = modulo("-", ZERO, value) if stem == "neg" else signed(value, BITS[stem[-1]])
            self.assign(target, result, record)
            return
        if stem not in {*RING, "subf", "mullw", "nor", "nand", "andc", "orc", "slw", "srw", "sraw"}:
            self.line.unknown()
        target, first, second = expect(self.line, f"{name} r5,r6,r7", 3)
        self.assign(target, self.result(stem, self.read(first), self.read(second)), record)

    def result(self, stem: str, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
        match stem:
            case "subf":
                return modulo("-", right, left)
            case "mullw":
                return modulo("*", signed(left, 32), signed(right, 32))
            case "nor" | "nand":
                return xcfa.Unary("bitnot", both("bitor" if stem == "nor" else "bitand", left, right))
            case "andc" | "orc":
                return both("bitand" if stem == "andc" else "bitor", left, xcfa.Unary("bitnot", right))
            case "slw" | "srw" | "sraw":
                return self.shifted(stem, left, right)
            case _:
                op = RING[stem]
                return both(op, left, right) if op.startswith("bit") else modulo(op, left, right)

    def shifted(self, stem: str, value: xcfa.Expression, by: xcfa.Expression) -> xcfa.Expression:
        """A word moved by the number in the low 6 bits: from 32 on, nothing but zeros or copies of the sign is left."""
        places, far = both("bitand", by, number(31)), both("bitand", by, number(32))
        if stem == "sraw":
            least = xcfa.Conditional(equal(far, ZERO), places, number(31))
            return shift_right(value, least, 32, arithmetic=True)
        moved = low(both("shl", value, places), 32) if stem == "slw" else shift_right(value, places, 32, False)
        return xcfa.Conditional(equal(far, ZERO), moved, ZERO)

    def shift_right_immediate(self) -> None:
        target, source, by = expect(self.line, "srawi r5,r6,1", 3)
        places = number(immediate(self.line, by, range(32)))
        self.assign(target, shift_right(self.read(source), places, 32, arithmetic=True))

    def rotated(self, source: Operand, by: Operand, first: Operand, last: Operand) -> tuple[xcfa.Expression, int]:
        """A word rotated to the left, and the mask from one bit to another; bit 0 is a word's highest."""
        places = immediate(self.line, by, range(32))
        start, end = immediate(self.line, first, range(32)), immediate(self.line, last, range(32))
        bits = range(start, end + 1) if start <= end else [*range(end + 1), *range(start, 32)]
        mask = sum(1 << (31 - bit) for bit in bits)
        return rotate_right(self.read(source), 32 - places, 32), mask if start <= end else mask | 0xFFFFFFFF << 32

    def rotate_and_mask(self) -> None:
        target, source, *rest = expect(self.line, "rlwinm r5,r6,0,16,31", 5)
        value, mask = self.rotated(source, *rest)
        self.assign(target, both("bitand", self.doubled(value, mask), number(mask)))

    def rotate_and_insert(self) -> None:
        target, source, *rest = expect(self.line, "rlwimi r5,r6,0,16,31", 5)
        value, mask = self.rotated(source, *rest)
        inserted = both("bitand", self.doubled(value, mask), number(mask))
        kept = both("bitand", self.read(target), number(~mask))
        self.assign(target, both("bitor", kept, inserted))

    def doubled(self, word: xcfa.Expression, mask: int) -> xcfa.Expression:
        """The word twice, as the rotation makes it, where the mask lets the upper one through."""
        return word if mask < 2**32 else both("bitor", word, both("shl", word, number(32)))

    def clear_left(self) -> None:
        target, source, bits = expect(self.line, "clrldi r5,r6,32", 3)
        kept = 64 - immediate(self.line, bits, range(64))
        self.assign(target, low(self.read(source), kept))

    def compare(self, bits: int, logical: bool, constant: bool) -> None:
        form = f"{self.line.mnemonic} r5,{'1' if constant else 'r6'}"
        field, operands = self.field_operand(expect(self.line, form, 2, 3))
        if len(operands) != 2:
            self.line.wrong(f"`{operands[0].text}` is no field of the condition register", operands[0], "cr0 to cr7")
        cut = low if logical else signed
        left = cut(self.read(operands[0]), bits)
        allowed = range(2**16) if logical else range(-(2**15), 2**15)
        right = number(immediate(self.line, operands[1], allowed)) if constant else cut(self.read(operands[1]), bits)
        self.set_field(field, left, right, below if logical and bits == 64 else less)

    def branch(self, name: str) -> None:
        field, rest = self.field_operand(expect(self.line, f"{name} LC00", 1, 2))
        if len(rest) != 1:
            self.line.wrong(f"`{name}` goes to one label", hint=f"expected, say, `{name} LC00`")
        value, taken = BRANCHES[name]
        condition = equal(field, value)
        self.thread.branch(condition if taken else negation(condition), rest[0].text, self.line.position)


class Ppc(Architecture):
    step = PpcStep

    def register(self, name: str) -> str | None:
        return REGISTERS.get(name) or symbolic(name, REGISTERS)


PPC = Ppc()
