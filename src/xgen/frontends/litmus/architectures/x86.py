"""X86 and X86_64: the instructions of litmus tests.

What each does: Intel's manual, volume 2. Fences carry the tags `mfence`, `sfence`, `lfence`; locked instructions are
updates (Rmw). The flags are kept as the two values that were compared last.

X86 is written as Intel does (`MOV [x],$1`), X86_64 as AT&T does, the target last (`movl $1,(x)`); both are read in
both. An instruction accesses as many bits as the last letter of its name says (`b` 8, `w` 16, `l` 32, `q` 64), else as
its registers have, else 32. What is written to 8 or 16 bits of a register leaves the others as they are; what is
written to 32 bits of one of 64 makes the others 0. CMPXCHG8B and CMPXCHG16B access two registers' worth at once.
"""

from __future__ import annotations

import re

from xgen.errors import Position
from xgen.frontends.litmus.architectures.arithmetic import both, different, equal, low, modulo, signed, stored
from xgen.frontends.litmus.architectures.columns import Architecture, Instruction
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.values import NUMBER, number
from xgen.program import automaton as xcfa
from xgen.records import dataclass

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
_SUFFIXES = {"": 0, "b": 8, "w": 16, "l": 32, "d": 32, "q": 64}
_EXTENDING = re.compile(r"mov(?P<kind>[sz])(?P<source>[bwl])(?P<target>[wlq])\Z")
_TWO_AT_ONCE = {"cmpxchg8b": 32, "cmpxchg16b": 64}
_LETTERED = ("AX", "BX", "CX", "DX")
"""The registers of which bits 8 to 15 have a name."""
_KNOWN = {
    *_SIZED,
    *_FENCES,
    *_TWO_AT_ONCE,
    "js",
    "jns",
    "jmp",
    "ret",
    "nop",
    "lock",
    "read",
    *(f"j{name}" for name in _CONDITIONS),
}


@dataclass(frozen=True, slots=True)
class View:
    """Some bits of a register: its name, how many these are, and how many there are below."""

    register: str
    bits: int
    below: int = 0


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
        self.order = {name: number for number, name in enumerate(own.values())}
        self.views = {name: View(local, bits) for name, local in own.items()}
        if bits == 64:
            halves = {f"E{base}": f"r{base.lower()}" for base in _BASES} | {f"R{n}D": f"r{n}" for n in range(8, 16)}
            self.registers |= halves
            self.views |= {name: View(local, 32) for name, local in halves.items()}
        self.views |= self._small()

    def _small(self) -> dict[str, View]:
        """The parts of registers with 8 and 16 bits."""
        whole = {base: self.registers[f"{'E' if self.bits == 32 else 'R'}{base}"] for base in _BASES}
        found = {base: View(local, 16) for base, local in whole.items()}
        for base in _LETTERED:
            found |= {f"{base[0]}L": View(whole[base], 8), f"{base[0]}H": View(whole[base], 8, 8)}
        if self.bits == 64:
            found |= {f"{base}L": View(whole[base], 8) for base in _BASES if base not in _LETTERED}
            for n in range(8, 16):
                found |= {f"R{n}W": View(f"r{n}", 16), f"R{n}B": View(f"r{n}", 8)}
        return found

    def register(self, name: str) -> str | None:
        """The register, whatever the letters' case."""
        return self.registers.get(name.removeprefix("%").upper())

    def view(self, name: str) -> View | None:
        """The register, or part of one, of that name."""
        return self.views.get(name.removeprefix("%").upper())

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
        views = [view for o in self.operands if (view := self.architecture.view(o.text))]
        for suffix, bits in _SUFFIXES.items():
            name = self.line.mnemonic.removesuffix(suffix) if suffix else self.line.mnemonic
            if name in _SIZED and (not suffix or self.line.mnemonic.endswith(suffix)):
                if bits and any(view.bits != bits if bits < 32 else view.bits < 32 for view in views):
                    self.line.wrong(f"`{self.line.mnemonic}` takes registers of {bits} bits")
                sizes = sorted({view.bits for view in views})
                if not bits and sizes[1:] and sizes[0] < 32:
                    self.line.wrong(f"the operands of `{name}` are of {sizes[0]} and {sizes[-1]} bits")
                return name, bits or (max(view.bits for view in views) if views else 32)
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
        elif name in _TWO_AT_ONCE:
            self.cmpxchg_two(_TWO_AT_ONCE[name])
        elif match := _EXTENDING.match(name):
            self.extend(match)
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
        return self.architecture.view(operand.text) is not None or self.thread.is_register(operand.text)

    def held(self, operand: Operand) -> tuple[xcfa.Name, int]:
        """The register that an operand is of, and how many of its bits are below those that are meant."""
        view = self.architecture.view(operand.text)
        if view is None:
            return self.thread.register(operand), 0
        name = self.thread.register(Operand(view.register, operand.position))
        return name, view.below

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
            return signed(xcfa.IntLiteral(number(found[1]), operand.position), self.bits)
        if operand.text.startswith("$") and _LOCATION.match(operand.text[1:]):
            return self.thread.symbol(Operand(operand.text[1:], operand.position))
        if not self.is_place(operand):
            register, below = self.held(operand)
            if below:
                return self.cut(xcfa.Binary("shr", register, xcfa.IntLiteral(below), operand.position))
            return self.cut(register) if self.bits < self.architecture.bits else register
        target = self.thread.fresh()
        self.load(target, self.place(operand))
        return self.cut(target) if self.bits < self.architecture.bits else target

    def load(self, target: xcfa.Name, place: xcfa.AnyPlace) -> None:
        self.thread.access(xcfa.Load(target, place, position=self.position), self.bits)

    def store(self, value: xcfa.Expression, place: xcfa.AnyPlace) -> None:
        self.thread.access(xcfa.Store(self.written(value), place, position=self.position), self.bits)

    def cut(self, value: xcfa.Expression) -> xcfa.Expression:
        """The bits of a value that the instruction uses, with a sign; all 64 of them are as they are."""
        return xcfa.Wrap(value, self.bits, True, self.position) if self.bits < 64 else value

    def written(self, value: xcfa.Expression) -> xcfa.Expression:
        """What goes to memory of a value; one of as many bits as registers have is there as it is."""
        return stored(value, self.bits) if self.bits < self.architecture.bits else value

    def set(self, target: Operand, value: xcfa.Expression) -> None:
        """A register, or so many bits of one, get a value; where half of one does, the other half becomes 0."""
        register, below = self.held(target)
        if self.bits == 32 < self.architecture.bits:
            value = xcfa.Wrap(value, 32, False, self.position)
        elif self.bits < 32:
            others = xcfa.IntLiteral(~((1 << self.bits) - 1 << below))
            new = both("shl", low(value, self.bits), xcfa.IntLiteral(below))
            value = both("bitor", xcfa.Binary("bitand", register, others, self.position), new)
        self.thread.assign(register, value, self.position)

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
            self.load(self.held(target)[0], self.place(source))
        else:
            self.set(target, self.value(source))

    def arithmetic(self, operation: str, value: xcfa.Expression) -> None:
        target, position = self.operands[0], self.position
        if not self.is_place(target):
            self.no_lock()
            result = self.computed_of(operation, self.value(target), value)
            self.set(target, result)
            self.flags(self.value(target), xcfa.IntLiteral(0, position))
            return
        if self.locked and operation not in _UPDATES:
            self.no_lock()
        new = self.computed_of(operation, self.update(operation, target, value), value)
        self.flags(new, xcfa.IntLiteral(0, position))

    def computed_of(self, operation: str, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Expression:
        """What an operation makes of two values."""
        if operation == "shr":
            left = low(left, self.bits)
        op = _ARITHMETIC[operation]
        return self.cut(xcfa.Binary(op, left, right, self.position) if self.bits < 64 else modulo(op, left, right))

    def update(self, operation: str, target: Operand, value: xcfa.Expression) -> xcfa.Name:
        """Updates a place: an Rmw if the instruction is locked, else a read and a write. The value before."""
        old, place, position = self.thread.fresh(), self.place(target), self.position
        if self.locked:
            update = xcfa.Rmw(old, f"fetch_{operation}", place, (self.written(value),), (), position)
            self.thread.access(update, self.bits)
        else:
            self.load(old, place)
            self.store(self.computed_of(operation, old, value), place)
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
            written = self.written(self.value(second))
            update = xcfa.Rmw(held, "exchange", self.place(first), (written,), (), self.position)
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
        self.flags(self.computed_of("add", old, added), xcfa.IntLiteral(0, self.position))
        self.set(source, old)

    def cmpxchg(self) -> None:
        """`cmpxchg [x],r`: if [x] = EAX then [x] := r, else EAX := [x]; the flags are those of the comparison.

        A locked one that fails is a full barrier all the same: its read has the tag `failed`. One that is not locked
        writes in any case, and what it has read if it fails (Intel's manual, volume 2, CMPXCHG).
        """
        self.takes(2)
        target, source = self.operands
        if not self.is_place(target):
            self.line.unsupported("`cmpxchg` of two registers is not supported")
        accumulator = Operand({8: "AL", 16: "AX", 32: "EAX", 64: "RAX"}[self.bits], self.position)
        old, expected, place = self.thread.fresh(), self.value(accumulator), self.place(target)
        if self.locked:
            values = self.written(expected), self.written(self.value(source))
            self.thread.access(xcfa.Rmw(old, "cas", place, values, (), self.position), self.bits)
        else:
            self.load(old, place)
            same = equal(self.cut(old), expected)
            self.store(xcfa.Conditional(same, self.value(source), self.cut(old), self.position), place)
        self.flags(self.cut(old), expected)
        self.set_unless(equal(self.cut(old), expected), accumulator, old)

    def set_unless(self, same: xcfa.Expression, target: Operand, value: xcfa.Expression) -> None:
        """A register gets what a comparison found, unless that was the same: then no half of it becomes 0 either."""
        register, _ = self.held(target)
        if self.bits == 32 < self.architecture.bits:
            wrapped = xcfa.Wrap(value, 32, False, self.position)
            self.thread.assign(register, xcfa.Conditional(same, register, wrapped, self.position), self.position)
        else:
            self.set(target, value)

    def cmpxchg_two(self, bits: int) -> None:
        """`lock cmpxchg16b [x]`: as `cmpxchg`, of RDX:RAX, with RCX:RBX; the halves with 32 bits."""
        self.takes(1)
        if not self.locked:
            self.line.unsupported(f"`{self.line.mnemonic}` without `lock` is not supported")
        self.bits = bits
        target = self.operands[0]
        if not self.is_place(target):
            self.line.wrong(f"the operand of `{self.line.mnemonic}` is in memory", target)
        names = ("EAX", "EDX", "EBX", "ECX") if bits == 32 else ("RAX", "RDX", "RBX", "RCX")
        registers = [Operand(name, self.position) for name in names]
        values, place, position = [self.value(each) for each in registers], self.place(target), self.position
        old = [self.thread.fresh(), self.thread.fresh()]
        if bits == 32:
            wholes = [
                both("bitor", low(first, 32), both("shl", low(second, 32), xcfa.IntLiteral(32)))
                for first, second in (values[:2], values[2:])
            ]
            self.thread.access(xcfa.Rmw(old[0], "cas", place, tuple(wholes), (), position), 64)
            self.thread.assign(old[1], xcfa.Binary("shr", old[0], xcfa.IntLiteral(32), position), position)
        else:
            words = [xcfa.Rmw(old[n], "cas", place, (values[n], values[n + 2]), (), position) for n in (0, 1)]
            self.thread.access_two(words[0], words[1], bits)
        changed = self.thread.fresh()
        different_ = different([(self.cut(o), e) for o, e in zip(old, values, strict=False)])
        self.thread.assign(changed, different_, position)
        self.flags(changed, xcfa.IntLiteral(0))
        for register, value in zip(registers, old, strict=False):
            self.set_unless(equal(changed, xcfa.IntLiteral(0)), register, self.cut(value))

    def extend(self, match: re.Match[str]) -> None:
        """`movzbl`, `movswq` and so on: of what the first letter says, with a sign or not, to the second."""
        self.takes(2)
        self.no_lock()
        target, source = self.operands
        self.bits = _SUFFIXES[match["source"]]
        if not self.is_register(target) or _SUFFIXES[match["target"]] <= self.bits:
            self.line.unknown(_KNOWN)
        value = (signed if match["kind"] == "s" else low)(self.value(source), self.bits)
        self.bits = _SUFFIXES[match["target"]]
        self.set(target, self.cut(value))

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
