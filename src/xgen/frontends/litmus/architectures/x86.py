"""X86 and X86_64: the instructions of litmus tests.

What each does: Intel's manual, volume 2. Fences carry the tags `mfence`, `sfence`, `lfence`; locked instructions are
updates (Rmw). The flags are kept as the two values that were compared last.

X86 is written as Intel does (`MOV [x],$1`), X86_64 as AT&T does, the target last (`movl $1,(x)`); both are read in
both. An instruction accesses 32 bits, or 64 where its name ends in `q` or a register has so many.
"""

from __future__ import annotations

import re

from xgen.errors import Position
from xgen.frontends.litmus.architectures.columns import Architecture, Instruction
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.values import NUMBER, number
from xgen.program import automaton as xcfa

_BASES = ("AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP")
_NUMBER = re.compile(rf"\$?({NUMBER})\Z")
_LOCATION = re.compile(r"[A-Za-z_][\w.]*\Z")
_AT_AND_T = re.compile(r"%|\(")
_MEMORY = re.compile(r"(?P<offset>-?\w*)\((?P<base>%?\w+)(?:,(?P<index>%?\w+)(?:,(?P<scale>\d))?)?\)\Z")

_UPDATES: dict[str, xcfa.BinaryOp] = {"add": "+", "sub": "-", "and": "bitand", "or": "bitor", "xor": "bitxor"}
_ARITHMETIC: dict[str, xcfa.BinaryOp] = {**_UPDATES, "shl": "shl", "sal": "shl", "shr": "shr"}
_CONDITIONS: dict[str, xcfa.BinaryOp] = {
    **dict.fromkeys(("e", "z"), "="),
    **dict.fromkeys(("ne", "nz"), "/="),
    **dict.fromkeys(("l", "nge"), "<"),
    **dict.fromkeys(("le", "ng"), "<="),
    **dict.fromkeys(("g", "nle"), ">"),
    **dict.fromkeys(("ge", "nl"), ">="),
}
_FENCES = {"mfence", "sfence", "lfence"}
_NOTHING = {"nop", "nopl", "nopw", "endbr64"}
_SIZED = {*_ARITHMETIC, "mov", "inc", "dec", "cmp", "test", "xchg", "xadd", "cmpxchg"}
_SUFFIXES = {"": 0, "l": 32, "d": 32, "q": 64}
_KNOWN = {*_SIZED, *_FENCES, "js", "jns", "jmp", "ret", "nop", "lock", "read", *(f"j{name}" for name in _CONDITIONS)}


class X86(Architecture):
    """32-bit registers: EAX, ... In 64 bits, rax and so on are the registers and eax their lower halves."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        if bits == 32:
            own = {name: name for name in (*(f"E{base}" for base in _BASES), "EIP")}
        else:
            names = (*(f"R{base}" for base in _BASES), *(f"R{n}" for n in range(8, 16)), "RIP", "CS")
            own = {name: name.lower() for name in names}
        self.registers = dict(own)
        self.widths = dict.fromkeys(own, bits)
        self.order = {name: number for number, name in enumerate(own.values())}
        if bits == 64:
            halves = {f"E{base}": f"r{base.lower()}" for base in _BASES} | {f"R{n}D": f"r{n}" for n in range(8, 16)}
            self.registers |= halves
            self.widths |= dict.fromkeys(halves, 32)

    def register(self, name: str) -> str | None:
        """The register, whatever the letters' case."""
        return self.registers.get(name.removeprefix("%").upper())

    def width(self, name: str) -> int:
        """The bits of a register of that name."""
        return self.widths[name.removeprefix("%").upper()]

    def sort_key(self, register: str) -> tuple[int | str, ...]:
        """EAX, EBX, ECX, EDX, ESI, EDI, EBP, ESP: as herd lists them."""
        return (self.order.get(register, len(self.order)), register)

    def instruction(self, thread: Thread, line: Instruction) -> None:
        """Appends what an instruction does."""
        locked = line.mnemonic == "lock"
        if locked:
            rest = line.text[4:].lstrip(" \t;")
            line = Instruction(rest, line.start + len(line.text) - len(rest), line.whole)
        _Lowering(self, thread, line, locked).run()


class _Lowering:
    """What one instruction does; its operands in Intel's order, the target first."""

    def __init__(self, architecture: X86, thread: Thread, line: Instruction, locked: bool) -> None:
        self.architecture = architecture
        self.thread = thread
        self.line = line
        self.position: Position = line.position
        self.operands = line.operands[::-1] if _AT_AND_T.search(line.text) else line.operands
        self.locked = locked
        self.name, self.bits = self.size()

    def size(self) -> tuple[str, int]:
        """The instruction's name without what its end says of the size, and the number of bits."""
        widths = [self.architecture.width(o.text) for o in self.operands if self.is_register(o)]
        for suffix, bits in _SUFFIXES.items():
            name = self.line.mnemonic.removesuffix(suffix) if suffix else self.line.mnemonic
            if name in _SIZED and (not suffix or self.line.mnemonic.endswith(suffix)):
                return name, bits or (max(widths) if widths else 32)
        if self.line.mnemonic[:-1] in _SIZED and self.line.mnemonic[-1] in "bwt":
            self.line.unsupported(f"accesses of other sizes (`{self.line.mnemonic}`) are not supported")
        return self.line.mnemonic, 32

    def run(self) -> None:
        name = self.name
        if name in _FENCES:
            self.takes(0)
            self.thread.do(xcfa.Fence(name, self.position))
        elif name == "mov":
            self.move()
        elif name in ("inc", "dec"):
            self.takes(1)
            self.arithmetic("add" if name == "inc" else "sub", xcfa.IntLiteral(1, self.position))
        elif name in _ARITHMETIC:
            self.takes(2)
            self.arithmetic(name, self.value(self.operands[1]))
        elif name in ("cmp", "test"):
            self.compare()
        elif name == "xchg":
            self.xchg()
        elif name == "xadd":
            self.xadd()
        elif name == "cmpxchg":
            self.cmpxchg()
        elif name == "read":
            self.takes(1)
            self.value(self.operands[0])
        elif name.startswith("j"):
            self.jump(name[1:])
        elif name in ("ret", "retq"):
            self.thread.end(self.position)
        elif name not in _NOTHING:
            self.line.unknown(_KNOWN)

    def takes(self, count: int) -> None:
        """Checks the number of operands."""
        if len(self.operands) != count:
            self.line.wrong(f"`{self.line.mnemonic}` takes {count} operands, not {len(self.operands)}")

    # ---- operands

    def is_register(self, operand: Operand) -> bool:
        return self.thread.is_register(operand.text)

    def is_place(self, operand: Operand) -> bool:
        return not operand.text.startswith("$") and not self.is_register(operand) and not _NUMBER.match(operand.text)

    def place(self, operand: Operand) -> xcfa.AnyPlace:
        """The place that an operand is: `[x]`, `[EAX]`, `x`, `(x)`, `(%rax)`, `8(%rax)` or `0(%rax,%rbx,8)`."""
        text = operand.text
        inner = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else text
        if match := _MEMORY.match("".join(inner.split())):
            return self.thread.place(self.computed(operand, match), operand.position)
        return self.thread.place(self.base(Operand(inner, operand.position)), operand.position)

    def base(self, operand: Operand) -> xcfa.Expression:
        """The address that a register holds or that is called so."""
        if self.is_register(operand):
            return self.thread.register(operand)
        if not _LOCATION.match(operand.text):
            self.line.unsupported(f"addresses of the form `{operand.text}` are not supported")
        return self.thread.symbol(operand)

    def computed(self, operand: Operand, match: re.Match[str]) -> xcfa.Expression:
        """`offset(base, index, scale)`: offset and scale have to be those of elements of an array."""
        size, position = self.bits // 8, operand.position
        address = self.base(Operand(match["base"], position))
        offset = match["offset"] or "0"
        if not _NUMBER.match(offset) or number(offset) % size or int(match["scale"] or size) != size:
            self.line.unsupported(f"addresses of the form `{operand.text}` are not supported")
        if number(offset):
            address = xcfa.Binary("+", address, xcfa.IntLiteral(number(offset), position), position)
        if match["index"]:
            index = self.thread.register(Operand(match["index"], position))
            address = xcfa.Binary(
                "+", address, xcfa.Binary("*", index, xcfa.IntLiteral(size, position), position), position
            )
        return address

    def value(self, operand: Operand) -> xcfa.Expression:
        """The value of an operand; what is in memory is read, by an event."""
        found = _NUMBER.match(operand.text)
        if found:
            return xcfa.IntLiteral(number(found[1]), operand.position)
        if operand.text.startswith("$") and _LOCATION.match(operand.text[1:]):
            return self.thread.symbol(Operand(operand.text[1:], operand.position))
        if not self.is_place(operand):
            register = self.thread.register(operand)
            return self.signed(register) if self.bits < self.architecture.bits else register
        target = self.thread.fresh()
        self.load(target, self.place(operand))
        return target

    def load(self, target: xcfa.Name, place: xcfa.AnyPlace) -> None:
        self.thread.access(xcfa.Load(target, place, position=self.position), self.bits)

    def store(self, value: xcfa.Expression, place: xcfa.AnyPlace) -> None:
        self.thread.access(xcfa.Store(value, place, position=self.position), self.bits)

    def signed(self, value: xcfa.Expression) -> xcfa.Expression:
        """The lower half of a value, or all of it: as an int."""
        return xcfa.Wrap(value, 32, True, self.position) if self.bits == 32 else value

    def set(self, target: Operand, value: xcfa.Expression) -> None:
        """A register gets a value; where its lower half does, the upper half becomes 0."""
        half = self.bits < self.architecture.bits
        self.thread.assign(
            self.thread.register(target), xcfa.Wrap(value, 32, False, self.position) if half else value, self.position
        )

    def flags(self, left: xcfa.Expression, right: xcfa.Expression) -> None:
        """The flags are those of this comparison."""
        for name, value in (("$left", left), ("$right", right)):
            self.thread.locals[name] = None
            self.thread.assign(xcfa.Name(name), value, self.position)

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
            self.store(self.value(source), self.place(target))
        elif self.is_place(source) and self.bits == self.architecture.bits:
            self.load(self.thread.register(target), self.place(source))
        else:
            self.set(target, self.value(source))

    def arithmetic(self, operation: str, value: xcfa.Expression) -> None:
        target, position = self.operands[0], self.position
        if not self.is_place(target):
            self.no_lock()
            result = self.signed(xcfa.Binary(_ARITHMETIC[operation], self.value(target), value, position))
            self.set(target, result)
            self.flags(self.value(target), xcfa.IntLiteral(0, position))
            return
        if self.locked and operation not in _UPDATES:
            self.no_lock()
        new = self.signed(xcfa.Binary(_ARITHMETIC[operation], self.update(operation, target, value), value, position))
        self.flags(new, xcfa.IntLiteral(0, position))

    def update(self, operation: str, target: Operand, value: xcfa.Expression) -> xcfa.Name:
        """Updates a place: an Rmw if the instruction is locked, else a read and a write. The value before."""
        old, place, position = self.thread.fresh(), self.place(target), self.position
        if self.locked:
            self.thread.access(xcfa.Rmw(old, f"fetch_{operation}", place, (value,), (), position), self.bits)
        else:
            self.load(old, place)
            self.store(self.signed(xcfa.Binary(_ARITHMETIC[operation], old, value, position)), place)
        return old

    def xchg(self) -> None:
        self.takes(2)
        first, second = self.operands
        if not self.is_place(first):
            first, second = second, first
        if self.is_place(second):
            self.line.wrong("one operand of `xchg` at most is in memory", second)
        held = self.thread.fresh()
        if self.is_place(first):
            update = xcfa.Rmw(held, "exchange", self.place(first), (self.value(second),), (), self.position)
            self.thread.access(update, self.bits)
        else:
            self.thread.assign(held, self.value(first), self.position)
            self.set(first, self.value(second))
        self.set(second, held)

    def xadd(self) -> None:
        self.takes(2)
        target, source = self.operands
        if not self.is_place(target):
            self.line.unsupported("`xadd` of two registers is not supported")
        added = self.value(source)
        old = self.update("add", target, added)
        self.flags(self.signed(xcfa.Binary("+", old, added, self.position)), xcfa.IntLiteral(0, self.position))
        self.set(source, old)

    def cmpxchg(self) -> None:
        """`cmpxchg [x],r`: if [x] = EAX then [x] := r, else EAX := [x]; the flags are those of the comparison.

        A locked one that fails is a full barrier all the same: its read has the tag `failed`.
        """
        self.takes(2)
        target, source = self.operands
        if not self.is_place(target):
            self.line.unsupported("`cmpxchg` of two registers is not supported")
        accumulator = Operand("EAX" if self.bits == 32 else "RAX", self.position)
        old, expected, place = self.thread.fresh(), self.value(accumulator), self.place(target)
        if self.locked:
            update = xcfa.Rmw(old, "cas", place, (expected, self.value(source)), (), self.position)
            self.thread.access(update, self.bits)
        else:
            self.load(old, place)
            after = self.thread.new_label()
            self.thread.branch(xcfa.Binary("/=", old, expected, self.position), after, self.position)
            self.store(self.value(source), place)
            self.thread.label(after)
        self.flags(old, expected)
        self.set(accumulator, old)

    def compare(self) -> None:
        self.takes(2)
        self.no_lock()
        left, right = self.value(self.operands[0]), self.value(self.operands[1])
        if self.name == "test":
            left, right = xcfa.Binary("bitand", left, right, self.position), xcfa.IntLiteral(0, self.position)
        self.flags(left, right)

    def jump(self, condition: str) -> None:
        self.takes(1)
        label, position = self.operands[0].text, self.operands[0].position
        if condition == "mp":
            self.thread.jump(label, position)
            return
        left, right = xcfa.Name("$left", self.position), xcfa.Name("$right", self.position)
        for name in (left, right):
            self.thread.locals[name.name] = None
        if condition in _CONDITIONS:
            self.thread.branch(xcfa.Binary(_CONDITIONS[condition], left, right, self.position), label, position)
        elif condition in ("s", "ns"):
            sign = xcfa.Binary("-", left, right, self.position)
            zero = xcfa.IntLiteral(0, self.position)
            self.thread.branch(
                xcfa.Binary("<" if condition == "s" else ">=", sign, zero, self.position), label, position
            )
        else:
            self.line.unknown(_KNOWN)


X86_32 = X86(32)
X86_64 = X86(64)
