"""RISC-V (RV64IA), as herd writes it; see "The RISC-V Instruction Set Manual, Volume I: Unprivileged Architecture",
chapters 2, 4 and 8 (instructions), 14 and appendix A (memory model).

Tags: accesses with `.aq`, `.rl`, `.aq.rl` are `acquire`, `release`, `acq_rel`. Both events of an AMO bear the AMO's: in
the manual's memory order it is one operation. `lr` with only `.rl` and `sc` with only `.aq` have no such effect.
Load-reserved and store-conditional are `exclusive`. `fence r,rw` is the fence `fence.r.rw`; the parts that are for
devices (`i`, `o`) do not matter for memory.
"""

from __future__ import annotations

import re

from xgen.frontends.assembly import negation
from xgen.frontends.litmus.architectures.arithmetic import (
    ZERO,
    below,
    both,
    equal,
    less,
    low,
    modulo,
    number,
    shift_right,
    signed,
    stored,
)
from xgen.frontends.litmus.architectures.columns import Architecture, Step, symbolic
from xgen.frontends.litmus.architectures.operands import expect, immediate
from xgen.frontends.litmus.thread import Operand, offset
from xgen.program import automaton as xcfa

_ABI = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"]
_ABI += [*(f"a{i}" for i in range(8)), *(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7))]
REGISTERS = {f"x{i}": f"x{i}" for i in range(32)} | {name: f"x{i}" for i, name in enumerate(_ABI)} | {"fp": "x8"}

BITS = {"b": 8, "h": 16, "w": 32, "d": 64}

ORDERS = {"": None, ".aq": "acquire", ".rl": "release", ".aq.rl": "acq_rel", ".aqrl": "acq_rel"}

RING: dict[str, xcfa.BinaryOp] = {"add": "+", "sub": "-", "and": "bitand", "or": "bitor", "xor": "bitxor", "mul": "*"}
"""Operations of which the low bits depend on the low bits of the operands only."""

SHIFTS = ("sll", "srl", "sra")

COMPUTATIONS = {*RING, *SHIFTS, "slt", "sltu"}

AMOS = {
    "amoswap": "exchange",
    "amoadd": "fetch_add",
    "amoand": "fetch_and",
    "amoor": "fetch_or",
    "amoxor": "fetch_xor",
    "amomax": "fetch_max",
    "amomin": "fetch_min",
    "amomaxu": "fetch_umax",
    "amominu": "fetch_umin",
}

BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu"}
ZERO_BRANCHES = {"beqz", "bnez", "bltz", "bgez", "bgtz", "blez"}

_ORDER = r"(?P<order>(?:\.aq)?(?:\.?rl)?)"
_LOAD = re.compile(rf"l(?P<size>[bhwd])(?P<unsigned>u?){_ORDER}\Z")
_STORE = re.compile(rf"s(?P<size>[bhwd]){_ORDER}\Z")
_RESERVED = re.compile(rf"(?P<what>lr|sc)\.(?P<size>[wd]){_ORDER}\Z")
_AMO = re.compile(rf"(?P<what>amo\w+)\.(?P<size>[wd]){_ORDER}\Z")
_ADDRESS = re.compile(r"([-+\w]*)\s*\(\s*(%?\w+)\s*\)\Z")
_SET = re.compile(r"i?o?r?w?\Z")
_EXTENSION = re.compile(r"(?P<kind>[sz])ext\.(?P<size>[bhw])\Z")


class RiscVStep(Step):
    def run(self) -> None:
        name, line = self.line.mnemonic, self.line
        if match := _LOAD.match(name):
            self.load(BITS[match["size"]], bool(match["unsigned"]), ORDERS[match["order"]])
        elif match := _STORE.match(name):
            self.store(BITS[match["size"]], ORDERS[match["order"]])
        elif match := _RESERVED.match(name):
            self.exclusive(match["what"], BITS[match["size"]], ORDERS[match["order"]])
        elif (match := _AMO.match(name)) and match["what"] in AMOS:
            self.amo(AMOS[match["what"]], BITS[match["size"]], ORDERS[match["order"]])
        elif name in COMPUTATIONS or name.removesuffix("w") in {*RING, *SHIFTS}:
            self.compute(name)
        elif self.immediate_form(name):
            self.compute_immediate(name)
        elif name in BRANCHES or name in ZERO_BRANCHES:
            self.branch(name)
        elif match := _EXTENSION.match(name):
            target, source = expect(line, "sext.w x5,x6", 2)
            extend = signed if match["kind"] == "s" else low
            self.assign(target, extend(self.read(source), BITS[match["size"]]))
        else:
            self.other(name)

    def other(self, name: str) -> None:
        thread, line = self.thread, self.line
        match name:
            case "li":
                target, value = expect(line, "li x5,1", 2)
                self.assign(target, number(immediate(line, value)))
            case "la":
                target, value = expect(line, "la x5,x", 2)
                self.assign(target, thread.symbol(value))
            case "lui":
                target, value = expect(line, "lui x5,1", 2)
                self.assign(target, signed(number(immediate(line, value, range(-(2**19), 2**20)) << 12), 32))
            case "mv":
                target, source = expect(line, "mv x5,x6", 2)
                self.assign(target, self.read(source))
            case "not" | "neg":
                target, source = expect(line, f"{name} x5,x6", 2)
                operand = self.read(source)
                result = xcfa.Unary("bitnot", operand) if name == "not" else modulo("-", ZERO, operand)
                self.assign(target, result)
            case "j":
                (label,) = expect(line, "j LC00", 1)
                thread.jump(label.text, line.position)
            case "nop":
                expect(line, "nop", 0)
                thread.do(xcfa.Skip(line.position))
            case "fence":
                self.fence()
            case "fence.i" | "fence.tso":
                expect(line, name, 0)
                thread.do(xcfa.Fence(name, line.position))
            case _:
                line.unknown()

    # ---- operands

    def read(self, operand: Operand) -> xcfa.Expression:
        register = self.thread.register(operand)
        return ZERO if register.name == "x0" else register

    def target(self, operand: Operand) -> xcfa.Name:
        """What a result is written to: x0 takes any, and stays 0."""
        register = self.thread.register(operand)
        return self.thread.fresh() if register.name == "x0" else register

    def assign(self, target: Operand, value: xcfa.Expression) -> None:
        register = self.thread.register(target)
        if register.name != "x0":
            self.thread.assign(register, value, self.line.position)

    def place(self, operand: Operand, offsets: bool = True) -> xcfa.AnyPlace:
        """The place that `0(x5)` or `(x5)` means."""
        match = _ADDRESS.match(operand.text)
        if match is None:
            self.line.wrong(f"`{operand.text}` is no address", operand, "expected, say, `0(x5)`")
        by = immediate(self.line, Operand(match[1] or "0", operand.position), range(-2048, 2048))
        if by and not offsets:
            self.line.wrong("this instruction takes no offset", operand)
        base = self.read(Operand(match[2], operand.position))
        return self.thread.place(offset(base, by, operand.position), operand.position)

    # ---- memory

    def load(self, bits: int, unsigned: bool, order: str | None) -> None:
        target, address = expect(self.line, "lw x5,0(x6)", 2)
        self.loaded(
            xcfa.Load(self.target(target), self.place(address), False, order, self.line.position), bits, unsigned
        )

    def loaded(self, load: xcfa.Load, bits: int, unsigned: bool = False) -> None:
        """A load, of which the register gets so many bits."""
        self.thread.access(load, bits)
        self.extend(load.target, bits, unsigned)

    def extend(self, register: xcfa.Name, bits: int, unsigned: bool = False) -> None:
        if bits < 64 and not register.name.startswith("$"):
            self.thread.assign(register, (low if unsigned else signed)(register, bits), self.line.position)

    def store(self, bits: int, order: str | None) -> None:
        value, address = expect(self.line, "sw x5,0(x6)", 2)
        written = stored(self.read(value), bits)
        self.thread.access(xcfa.Store(written, self.place(address), False, order, self.line.position), bits)

    def exclusive(self, what: str, bits: int, order: str | None) -> None:
        position = self.line.position
        if what == "lr":
            target, address = expect(self.line, "lr.w x5,(x6)", 2)
            place = self.place(address, offsets=False)
            order = None if order == "release" else order
            self.loaded(xcfa.Load(self.target(target), place, False, order, position, exclusive=True), bits)
            return
        status, value, address = expect(self.line, "sc.w x5,x6,(x7)", 3)
        place, written = self.place(address, offsets=False), stored(self.read(value), bits)
        order = None if order == "acquire" else order
        self.thread.access(xcfa.StoreExclusive(self.target(status), written, place, order, position), bits)

    def amo(self, op: str, bits: int, order: str | None) -> None:
        old, value, address = expect(self.line, "amoadd.w x5,x6,(x7)", 3)
        target = self.thread.register(old)
        operand, tags = stored(self.read(value), bits), (order,) if order else ()
        place, position = self.place(address, offsets=False), self.line.position
        unused = target.name == "x0"
        rmw = xcfa.Rmw(None if unused else target, op, place, (operand,), (), position, tags, tags)
        self.thread.access(rmw, bits)
        if not unused:
            self.extend(target, bits)

    def fence(self) -> None:
        operands = expect(self.line, "fence rw,rw", 0, 2)
        sets = []
        for operand in operands:
            if not operand.text or _SET.match(operand.text) is None:
                self.line.wrong(f"`{operand.text}` is no set of accesses", operand, "expected r, w or rw")
            sets.append(operand.text.replace("i", "").replace("o", ""))
        if "" in sets:
            self.thread.do(xcfa.Skip(self.line.position))  # it orders accesses to devices only
        else:
            self.thread.do(xcfa.Fence(".".join(["fence", *(sets or ["rw", "rw"])]), self.line.position))

    # ---- computation

    def immediate_form(self, name: str) -> str | None:
        """The instruction on registers that this one on a register and a number is like: `add` for `addi`."""
        stem = {"sltiu": "sltu", "addiw": "addw", "slliw": "sllw", "srliw": "srlw", "sraiw": "sraw"}.get(name)
        plain = name.removesuffix("i")
        return stem or (plain if name.endswith("i") and plain in COMPUTATIONS - {"sub", "mul"} else None)

    def compute(self, name: str) -> None:
        target, left, right = expect(self.line, f"{name} x5,x6,x7", 3)
        self.assign(target, self.result(name, self.read(left), self.read(right)))

    def compute_immediate(self, name: str) -> None:
        target, left, right = expect(self.line, f"{name} x5,x6,1", 3)
        stem = self.immediate_form(name) or ""
        bits = 32 if stem.endswith("w") else 64
        shift = stem.removesuffix("w") in SHIFTS
        value = immediate(self.line, right, range(bits) if shift else range(-2048, 2048))
        self.assign(target, self.result(stem, self.read(left), number(value)))

    def result(self, name: str, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
        bits = 32 if name not in COMPUTATIONS else 64
        stem = name if bits == 64 else name.removesuffix("w")
        if stem in ("slt", "sltu"):
            condition = less(left, right) if stem == "slt" else below(left, right)
            return xcfa.Conditional(condition, number(1), ZERO)
        if stem in RING:
            op = RING[stem]
            return signed(both(op, left, right) if op.startswith("bit") else modulo(op, left, right), bits)
        by = both("bitand", right, number(bits - 1))
        if stem == "sll":
            return signed(both("shl", left, by), bits)
        return signed(shift_right(left, by, bits, arithmetic=stem == "sra"), bits)

    def branch(self, name: str) -> None:
        if name in ZERO_BRANCHES:
            left, label = expect(self.line, f"{name} x5,LC00", 2)
            condition = self.condition(name.removesuffix("z"), self.read(left), ZERO)
        else:
            left, right, label = expect(self.line, f"{name} x5,x6,LC00", 3)
            condition = self.condition(name, self.read(left), self.read(right))
        self.thread.branch(condition, label.text, self.line.position)

    def condition(self, name: str, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
        match name:
            case "beq":
                return equal(left, right)
            case "bne":
                return negation(equal(left, right))
            case "blt" | "bltu":
                return less(left, right) if name == "blt" else below(left, right)
            case "bge" | "bgeu":
                return negation(self.condition(name.replace("ge", "lt"), left, right))
            case "bgt" | "bgtu":
                return self.condition(name.replace("gt", "lt"), right, left)
            case _:
                return negation(self.condition(name.replace("le", "lt"), right, left))


class RiscV(Architecture):
    step = RiscVStep

    def register(self, name: str) -> str | None:
        return REGISTERS.get(name) or symbolic(name, REGISTERS)


RISCV = RiscV()
