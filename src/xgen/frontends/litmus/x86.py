"""X86 and X86_64: the instructions of litmus tests.

What each does: Intel's manual, volume 2. Fences carry the tags `mfence`, `sfence`, `lfence`; locked instructions are
updates (Rmw). The flags are kept as the two values that were compared last.
"""

from __future__ import annotations

import re

from xgen.errors import Position
from xgen.frontends.litmus.columns import Architecture, Instruction
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.values import NUMBER, number
from xgen.program.automaton import (
    AnyPlace,
    Binary,
    BinaryOp,
    Expression,
    Fence,
    IntLiteral,
    Load,
    Name,
    Rmw,
    Store,
    Wrap,
)

_BASES = ("AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP")
_NUMBER = re.compile(rf"\$?({NUMBER})\Z")
_LOCATION = re.compile(r"[A-Za-z_][\w.]*\Z")

_ARITHMETIC: dict[str, BinaryOp] = {
    "add": "+",
    "sub": "-",
    "and": "bitand",
    "or": "bitor",
    "xor": "bitxor",
}
_UPDATES = {
    "add": "fetch_add",
    "sub": "fetch_sub",
    "and": "fetch_and",
    "or": "fetch_or",
    "xor": "fetch_xor",
}
_CONDITIONS: dict[str, BinaryOp] = {
    **dict.fromkeys(("e", "z"), "="),
    **dict.fromkeys(("ne", "nz"), "/="),
    **dict.fromkeys(("l", "nge"), "<"),
    **dict.fromkeys(("le", "ng"), "<="),
    **dict.fromkeys(("g", "nle"), ">"),
    **dict.fromkeys(("ge", "nl"), ">="),
}
_MOVES = {"mov", "movl", "movq", "movd"}
_NARROW = {"movb", "movw", "movt", "movsd"}
_FENCES = {"mfence", "sfence", "lfence"}
_KNOWN = (
    {*_ARITHMETIC, *_MOVES, *_FENCES, *(f"j{condition}" for condition in _CONDITIONS)}
    | {"js", "jns", "jmp", "nop", "xchg", "cmpxchg", "xadd", "inc", "dec", "cmp", "test", "lock", "read"}
)  # fmt: skip


class X86(Architecture):
    """32-bit registers: EAX, ... In 64 bits, RAX and so on are the registers and EAX their lower halves."""

    model = "tso"

    def __init__(self, bits: int) -> None:
        self.bits = bits
        letter = "E" if bits == 32 else "R"
        self.registers = {f"{letter}{base}": f"{letter}{base}" for base in _BASES}
        if bits == 64:
            self.registers |= {f"R{n}": f"R{n}" for n in range(8, 16)}
            self.registers |= {f"E{base}": f"R{base}" for base in _BASES}
            self.registers |= {f"R{n}D": f"R{n}" for n in range(8, 16)}
        self.order = {name: number for number, name in enumerate(dict.fromkeys(self.registers.values()))}

    def register(self, name: str) -> str | None:
        """The register, whatever the letters' case."""
        return self.registers.get(name.upper())

    def sort_key(self, register: str) -> tuple[int | str, ...]:
        """EAX, EBX, ECX, EDX, ESI, EDI, EBP, ESP: as herd lists them."""
        return (self.order.get(register, len(self.order)), register)

    def instruction(self, thread: Thread, line: Instruction) -> None:
        """Appends what an instruction does."""
        mnemonic, operands, locked = line.mnemonic, line.operands, False
        if mnemonic == "lock":
            rest = line.text[4:].lstrip(" \t;")
            line = Instruction(rest, line.start + len(line.text) - len(rest), line.whole)
            mnemonic, operands, locked = line.mnemonic, line.operands, True
        _Lowering(self, thread, line, operands, locked).run(mnemonic)


class _Lowering:
    """What one instruction does."""

    def __init__(
        self, architecture: X86, thread: Thread, line: Instruction, operands: tuple[Operand, ...], locked: bool
    ) -> None:
        self.architecture = architecture
        self.thread = thread
        self.line = line
        self.position: Position = line.position
        self.operands = operands
        self.locked = locked
        self.bits = architecture.bits

    def run(self, mnemonic: str) -> None:
        if mnemonic in _FENCES:
            self.takes(0)
            self.thread.do(Fence(mnemonic, self.position))
        elif mnemonic in _MOVES:
            self.move()
        elif mnemonic in ("inc", "dec"):
            self.takes(1)
            self.arithmetic("add" if mnemonic == "inc" else "sub", IntLiteral(1, self.position))
        elif mnemonic in _ARITHMETIC:
            self.takes(2)
            self.arithmetic(mnemonic, self.value(self.operands[1]))
        elif mnemonic in ("cmp", "test"):
            self.compare(mnemonic)
        elif mnemonic == "xchg":
            self.xchg()
        elif mnemonic == "xadd":
            self.xadd()
        elif mnemonic == "cmpxchg":
            self.cmpxchg()
        elif mnemonic == "read":
            self.takes(1)
            self.value(self.operands[0])
        elif mnemonic.startswith("j"):
            self.jump(mnemonic[1:])
        elif mnemonic in _NARROW:
            self.line.unsupported(f"accesses of other sizes (`{mnemonic}`) are not supported")
        elif mnemonic != "nop":
            self.line.unknown(_KNOWN)

    def takes(self, count: int) -> None:
        """Checks the number of operands."""
        if len(self.operands) != count:
            self.line.wrong(f"`{self.line.mnemonic}` takes {count} operands, not {len(self.operands)}")

    # ---- operands

    def is_place(self, operand: Operand) -> bool:
        return operand.text.startswith("[") or (
            not self.thread.is_register(operand.text) and not _NUMBER.match(operand.text)
        )

    def place(self, operand: Operand) -> AnyPlace:
        """The place that an operand is: `[x]`, `[RAX]`, or `x`."""
        text = operand.text
        inner = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else text
        named = Operand(inner, operand.position)
        address: Expression
        if self.thread.is_register(inner):
            address = self.thread.register(named)
        elif _LOCATION.match(inner):
            address = self.thread.symbol(named)
        else:
            self.line.unsupported(f"addresses of the form `{text}` are not supported")
        return self.thread.place(address, operand.position)

    def value(self, operand: Operand) -> Expression:
        """The value of an operand; what is in memory is read, by an event."""
        found = _NUMBER.match(operand.text)
        if found:
            return IntLiteral(number(found[1]), operand.position)
        if operand.text.startswith("$") and _LOCATION.match(operand.text[1:]):
            return self.thread.symbol(Operand(operand.text[1:], operand.position))
        if not self.is_place(operand):
            return self.thread.register(operand)
        target = self.thread.fresh()
        self.thread.do(Load(target, self.place(operand), position=self.position))
        return target

    def wrap(self, value: Expression) -> Expression:
        return Wrap(value, 32, True, self.position) if self.bits == 32 else value

    def flags(self, left: Expression, right: Expression) -> None:
        """The flags are those of this comparison."""
        for name, value in (("$left", left), ("$right", right)):
            self.thread.locals[name] = None
            self.thread.assign(Name(name), value, self.position)

    def no_lock(self) -> None:
        if self.locked:
            self.line.wrong("`lock` stands before updates of memory only")

    # ---- instructions

    def move(self) -> None:
        self.takes(2)
        self.no_lock()
        target, source = self.operands
        if self.is_place(target):
            if self.is_place(source):
                self.line.wrong("one operand of `mov` at most is in memory", source)
            value = self.value(source)
            self.thread.do(Store(value, self.place(target), position=self.position))
        elif self.is_place(source):
            self.thread.do(Load(self.thread.register(target), self.place(source), position=self.position))
        else:
            self.thread.assign(self.thread.register(target), self.value(source), self.position)

    def arithmetic(self, operation: str, value: Expression) -> None:
        target, position = self.operands[0], self.position
        if not self.is_place(target):
            self.no_lock()
            register = self.thread.register(target)
            result = self.wrap(Binary(_ARITHMETIC[operation], register, value, position))
            self.thread.assign(register, result, position)
            self.flags(register, IntLiteral(0, position))
            return
        old, place = self.thread.fresh(), self.place(target)
        new = self.wrap(Binary(_ARITHMETIC[operation], old, value, position))
        if self.locked:
            self.thread.do(Rmw(old, _UPDATES[operation], place, (value,), (), position))
        else:
            self.thread.do(Load(old, place, position=position), Store(new, place, position=position))
        self.flags(new, IntLiteral(0, position))

    def xchg(self) -> None:
        self.takes(2)
        first, second = self.operands
        if not self.is_place(first):
            first, second = second, first
        if self.is_place(second):
            self.line.wrong("one operand of `xchg` at most is in memory", second)
        register, position = self.thread.register(second), self.position
        if self.is_place(first):
            self.thread.do(Rmw(register, "exchange", self.place(first), (register,), (), position))
            return
        other, held = self.thread.register(first), self.thread.fresh()
        for target, value in ((held, other), (other, register), (register, held)):
            self.thread.assign(target, value, position)

    def xadd(self) -> None:
        self.takes(2)
        target, source = self.operands
        position, register, old = self.position, self.thread.register(source), self.thread.fresh()
        if not self.is_place(target):
            self.line.unsupported("`xadd` of two registers is not supported")
        place = self.place(target)
        new = self.wrap(Binary("+", old, register, position))
        if self.locked:
            self.thread.do(Rmw(old, "fetch_add", place, (register,), (), position))
        else:
            self.thread.do(Load(old, place, position=position), Store(new, place, position=position))
        self.flags(new, IntLiteral(0, position))
        self.thread.assign(register, old, position)

    def cmpxchg(self) -> None:
        """`cmpxchg [x],r`: if [x] = EAX then [x] := r, else EAX := [x]; the flags are those of the comparison."""
        self.takes(2)
        target, source = self.operands
        if not self.is_place(target):
            self.line.unsupported("`cmpxchg` of two registers is not supported")
        if not self.locked:
            self.line.unsupported("`cmpxchg` without `lock` is not supported")
        position, old = self.position, self.thread.fresh()
        new, expected = self.thread.register(source), self.thread.register("EAX")
        self.thread.do(Rmw(old, "cas", self.place(target), (expected, new), (), position))
        self.flags(old, expected)
        self.thread.assign(expected, old, position)

    def compare(self, mnemonic: str) -> None:
        self.takes(2)
        self.no_lock()
        left, right = self.value(self.operands[0]), self.value(self.operands[1])
        if mnemonic == "test":
            left, right = Binary("bitand", left, right, self.position), IntLiteral(0, self.position)
        self.flags(left, right)

    def jump(self, condition: str) -> None:
        self.takes(1)
        label, position = self.operands[0].text, self.operands[0].position
        if condition == "mp":
            self.thread.jump(label, position)
            return
        left, right = Name("$left", self.position), Name("$right", self.position)
        for name in (left, right):
            self.thread.locals[name.name] = None
        if condition in _CONDITIONS:
            self.thread.branch(Binary(_CONDITIONS[condition], left, right, self.position), label, position)
        elif condition in ("s", "ns"):
            sign = Binary("-", left, right, self.position)
            zero = IntLiteral(0, self.position)
            self.thread.branch(Binary("<" if condition == "s" else ">=", sign, zero, self.position), label, position)
        else:
            self.line.unknown(_KNOWN)


ARCHITECTURE = X86(32)
