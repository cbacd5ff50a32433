"""Arm's 32-bit architecture (A32), as herd writes it; see "Arm Architecture Reference Manual, ARMv7-A and ARMv7-R".

Registers hold numbers from 0 to 2^32 - 1. Fences are `dmb`, `dsb` (of the whole system), `dmb.st`, `dmb.ish` and so on,
and `isb`. What a store-exclusive finds out depends on its value and on its address, as in herd. Conditional execution
other than of branches is not supported.
"""

from __future__ import annotations

import re

from xgen.frontends.assembly import negation
from xgen.frontends.litmus.architectures import flags
from xgen.frontends.litmus.architectures.arithmetic import (
    ZERO,
    both,
    depending,
    equal,
    low,
    modulo,
    number,
    rotate_right,
    shift_right,
    signed,
    stored,
)
from xgen.frontends.litmus.architectures.columns import Architecture, Step, symbolic
from xgen.frontends.litmus.architectures.operands import expect, immediate, is_number
from xgen.frontends.litmus.thread import Operand
from xgen.program import automaton as xcfa

REGISTERS = {f"R{i}": f"R{i}" for i in range(16)} | {"SP": "R13", "LR": "R14"}

OPERATIONS: dict[str, xcfa.BinaryOp] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "and": "bitand",
    "orr": "bitor",
    "eor": "bitxor",
    "xor": "bitxor",
    "bic": "bitand",
}
"""`op Rd,Rn,Rm`. BIC flips the second operand's bits first."""

SHIFTS = ("lsl", "lsr", "asr", "ror")

OPTIONS = frozenset({"sy", "st", "ld", "ish", "ishst", "ishld", "nsh", "nshst", "nshld", "osh", "oshst", "oshld"})

_LOAD = re.compile(r"(?P<acquire>lda|ldr)(?P<exclusive>ex)?(?P<sign>s?)(?P<size>[bh]?)\Z")
_STORE = re.compile(r"(?P<release>stl|str)(?P<exclusive>ex)?(?P<size>[bh]?)\Z")
_CODES = "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"
_CONDITIONAL = re.compile(rf"(?P<stem>\w+?)(?:{_CODES})\Z")
BITS = {"b": 8, "h": 16, "": 32}


class ArmStep(Step):
    def run(self) -> None:
        name, line = self.line.mnemonic, self.line
        if match := _LOAD.match(name):
            self.load(match)
        elif match := _STORE.match(name):
            self.store(match)
        elif name.removesuffix("s") in OPERATIONS:
            self.compute(name)
        elif name.removesuffix("s") in SHIFTS:
            self.shift(name)
        elif name in ("mov", "movs", "movw", "movt", "mvn", "neg"):
            self.move(name)
        elif name in ("cmp", "cmn", "tst"):
            self.compare(name)
        elif name in ("dmb", "dsb", "isb"):
            self.fence(name)
        elif name in ("b", "cbz", "cbnz") or (name[:1] == "b" and flags.condition(self.thread, name[1:]) is not None):
            self.branch(name)
        elif name == "nop":
            expect(line, "NOP", 0)
            self.thread.do(xcfa.Skip(line.position))
        else:
            self.unknown(name)

    def unknown(self, name: str) -> None:
        if name.startswith(("ldm", "stm", "ldrd", "strd", "push", "pop")):
            self.line.unsupported(f"`{self.line.text}`: instructions that access several words are not supported")
        match = _CONDITIONAL.match(name)
        if match and (match["stem"] in OPERATIONS or match["stem"] in ("mov", "movw", "movt", "ldr", "str", "cmp")):
            self.line.unsupported(f"`{self.line.text}`: conditional execution is supported for branches only")
        self.line.unknown()

    # ---- operands

    def read(self, operand: Operand) -> xcfa.Expression:
        register = self.thread.register(operand)
        if register.name == "R15":
            self.line.unsupported("the program counter as an operand is not supported")
        return register

    def value(self, operands: tuple[Operand, ...]) -> xcfa.Expression:
        """The value of `#1`, `R1`, or `R1, LSL #2`."""
        first, *shift = operands
        if is_number(first):
            return number(immediate(self.line, first))
        value = self.read(first)
        return self.shifted(value, shift[0]) if shift else value

    def shifted(self, value: xcfa.Expression, shift: Operand) -> xcfa.Expression:
        word, _, by = shift.text.partition(" ")
        kind = word.lower()
        if kind not in SHIFTS:
            self.line.wrong(f"`{shift.text}` is no shift", shift, "expected, say, `LSL #2`")
        return moved(kind, value, number(immediate(self.line, Operand(by.strip(), shift.position), range(32))))

    def assign(self, target: Operand, value: xcfa.Expression) -> None:
        self.thread.assign(self.thread.register(target), low(value, 32), self.line.position)

    def address(self, operands: tuple[Operand, ...]) -> xcfa.AnyPlace:
        """The place that `[R1]`, `[R1,R2]`, `[R1,#4]` or (as herd allows) `R1` means."""
        operand = operands[0]
        if len(operands) > 1 or operand.text.endswith("!"):
            self.line.unsupported("addresses with an update of the register are not supported")
        inside = operand.text
        if inside.startswith("[") and inside.endswith("]"):
            start = self.line.text.index(inside) + 1
            base, *rest = self.line.split(start)
            parts = tuple(self.without_bracket(part) for part in (base, *rest))
        else:
            parts = (operand,)
        address = self.read(parts[0])
        if len(parts) > 1:
            address = both("+", address, self.value(parts[1:]))
        return self.thread.place(address, operand.position)

    def without_bracket(self, part: Operand) -> Operand:
        return Operand(part.text.rstrip("]").rstrip(), part.position)

    # ---- memory

    def load(self, match: re.Match[str]) -> None:
        target, *address = expect(self.line, f"{match[0].upper()} R0,[R1]", 2, 3)
        register, bits, exclusive = self.thread.register(target), BITS[match["size"]], bool(match["exclusive"])
        place, order = self.address(tuple(address)), "acquire" if match["acquire"] == "lda" else None
        self.thread.access(xcfa.Load(register, place, False, order, self.line.position, exclusive=exclusive), bits)
        value = low(signed(register, bits), 32) if match["sign"] else low(register, bits)
        self.thread.assign(register, value, self.line.position)

    def store(self, match: re.Match[str]) -> None:
        order, position = "release" if match["release"] == "stl" else None, self.line.position
        bits = BITS[match["size"]]
        if not match["exclusive"]:
            value, *address = expect(self.line, f"{match[0].upper()} R0,[R1]", 2, 3)
            written = stored(self.read(value), bits)
            self.thread.access(xcfa.Store(written, self.address(tuple(address)), False, order, position), bits)
            return
        result, value, *address = expect(self.line, f"{match[0].upper()} R0,R1,[R2]", 3, 4)
        written, place = stored(self.read(value), bits), self.address(tuple(address))
        status = self.thread.register(result)
        finding = self.thread.fresh()
        self.thread.access(xcfa.StoreExclusive(finding, written, place, order, position), bits)
        on = (written, place.address) if isinstance(place, xcfa.Deref) else (written,)
        self.thread.assign(status, depending(finding, *on), position)

    def fence(self, name: str) -> None:
        options = expect(self.line, f"{name.upper()} SY", 0, 1)
        option = options[0].text.lower() if options else "sy"
        if option not in OPTIONS:
            self.line.wrong(f"`{options[0].text}` is no option of a fence", options[0], "expected, say, SY or ISH")
        tag = name if option == "sy" or name == "isb" else f"{name}.{option}"
        self.thread.do(xcfa.Fence(tag, self.line.position))

    # ---- computation

    def compute(self, name: str) -> None:
        stem = name if name in OPERATIONS else name.removesuffix("s")
        target, first, *rest = expect(self.line, f"{name.upper()} R0,R1,R2", 2, 3, 4)
        operands = (first, *rest) if rest else (target, first)  # ADD R0,R1 is ADD R0,R0,R1
        left, right = self.read(operands[0]), self.value(operands[1:])
        op = OPERATIONS[stem]
        if stem == "bic":
            right = xcfa.Unary("bitnot", right)
        if name != stem:
            if op in ("+", "-"):
                flags.set_arithmetic(self.thread, op, left, right, 32, self.line.position)
            else:
                flags.set_logical(self.thread, both(op, left, right), 32, self.line.position)
        self.assign(target, both(op, left, right) if op.startswith("bit") else modulo(op, left, right))

    def shift(self, name: str) -> None:
        stem = name.removesuffix("s") if name not in SHIFTS else name
        target, source, by = expect(self.line, f"{name.upper()} R0,R1,#2", 3)
        if not is_number(by) or stem != name:
            self.line.unsupported("shifts by a register, and shifts that set flags, are not supported")
        value = moved(stem, self.read(source), number(immediate(self.line, by, range(32))))
        self.assign(target, value)

    def move(self, name: str) -> None:
        target, *rest = expect(self.line, f"{name.upper()} R0,#1", 2, 3)
        value = self.value(tuple(rest))
        if name == "movt":
            kept = both("bitand", self.read(target), number(0xFFFF))
            value = both("bitor", kept, number(immediate(self.line, rest[0], range(2**16)) << 16))
        elif name == "mvn":
            value = xcfa.Unary("bitnot", value)
        elif name == "neg":
            value = modulo("-", ZERO, value)
        elif name == "movs":
            flags.set_logical(self.thread, value, 32, self.line.position)
        self.assign(target, value)

    def compare(self, name: str) -> None:
        first, *rest = expect(self.line, f"{name.upper()} R0,#1", 2, 3)
        left, right = self.read(first), self.value(tuple(rest))
        if name == "tst":
            flags.set_logical(self.thread, both("bitand", left, right), 32, self.line.position)
        else:
            flags.set_arithmetic(self.thread, "-" if name == "cmp" else "+", left, right, 32, self.line.position)

    def branch(self, name: str) -> None:
        position = self.line.position
        if name in ("cbz", "cbnz"):
            register, label = expect(self.line, f"{name.upper()} R0,LC00", 2)
            zero = equal(self.read(register), ZERO)
            self.thread.branch(zero if name == "cbz" else negation(zero), label.text, position)
            return
        (label,) = expect(self.line, f"{name.upper()} LC00", 1)
        condition = flags.condition(self.thread, name[1:])
        if condition is None:
            self.thread.jump(label.text, position)
        else:
            self.thread.branch(condition, label.text, position)


class Arm(Architecture):
    step = ArmStep

    def register(self, name: str) -> str | None:
        return REGISTERS.get(name.upper()) or symbolic(name, REGISTERS)


ARM = Arm()


def moved(kind: str, value: xcfa.Expression, by: xcfa.IntLiteral) -> xcfa.Expression:
    """A word that is shifted or rotated by a number of places from 0 to 31."""
    if kind == "lsl":
        return both("shl", value, by)
    if kind == "ror":
        return rotate_right(value, by.value, 32)
    return shift_right(value, by, 32, arithmetic=kind == "asr")
