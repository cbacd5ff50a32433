"""What instructions of x86-64 do with their operands; fences and pauses, of any machine.

An instruction means what C's construct means that compilers make it of: `mov` is a relaxed access, what locks is an
update, `mfence` a fence, all seq_cst. What is not known is refused by its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Generic, NoReturn, Protocol, TypeAlias, TypeVar

from xgen.frontends.conditions import negated
from xgen.frontends.inline_asm.machines import MACHINES, OF_X86, for_machine, jumps, lines_of, machine_of
from xgen.frontends.inline_asm.sharing import EARLY, LATE, Sharing
from xgen.program.automaton import BoolLiteral, Expression
from xgen.records import dataclass

V = TypeVar("V")
P = TypeVar("P")

_FENCES = {"mfence", "dmb ish", "dmb sy", "dsb sy", "sync", "fence rw,rw"}
"""Full fences, which are a fence of C that is seq_cst."""
_STACK = re.compile(r"lock (add|or|xor|sub)[lqb] \$(0|0x0), ?(-?\d+)?\(%{1,2}[re]sp\)")
"""What compilers write for mfence."""
_NOTHING = re.compile(r"(rep )?nop|pause|yield|[ls]fence|rep;?|prefetch\w* .*|\.byte 0xf3, ?0x90", re.IGNORECASE)
_CLOCKS = ("rdtsc", "rdtscp")
"""What tells the time in registers, and touches no memory: read also of programs that are for no machine."""
SIZES = (1, 2, 4, 8)
_SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}
_MODIFIERS = {"b": 1, "w": 2, "k": 4, "q": 8}
NAMES = {
    name: (full, size)
    for full in ("rax", "rbx", "rcx", "rdx")
    for name, size in ((full, 8), (f"e{full[1:]}", 4), (full[1:], 2), (f"{full[1]}l", 1))
} | {"rsi": ("rsi", 8), "esi": ("rsi", 4), "rdi": ("rdi", 8), "edi": ("rdi", 4)}
"""Registers by what assembly calls them: which one, and how many bytes of it."""
_BINARY = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_ONE = {"inc": "add", "dec": "sub"}
_BITS = {"bts": "or", "btr": "and", "btc": "xor", "bt": ""}
"""What becomes of the bit: nothing of that of bt."""
_BASES = {"mov", "xchg", "xadd", "cmpxchg", "neg", "not", *_BINARY, *_ONE, *_BITS}
_FLAGS = {"z": ("zero", True), "e": ("zero", True), "nz": ("zero", False), "ne": ("zero", False)} | {
    name: ("carry", name in ("c", "b", "nae")) for name in ("c", "b", "nae", "nc", "nb", "ae")
}
"""By what follows `set`: the flag that it is about, and whether that has to be set."""
_OF_INTEL = re.compile(
    r"(?P<register>%[a-z]?\d+)|(?P<name>[a-z]{2,3})|(?P<number>-?(?:0x[0-9a-f]+|\d+))"
    r"|(?:(?P<width>byte|word|dword|qword) ptr )?\[(?P<base>%[a-z]?\d+) ?(?P<sign>[-+])? ?(?P<offset>\d+)?\]",
    re.IGNORECASE,
)
_WIDTHS = {"byte": "b", "word": "w", "dword": "l", "qword": "q"}
_ARGUMENT = re.compile(r"%([a-z]?)(\d+)|(-?\d+)?\(%([a-z]?)(\d+)\)|\$(-?(?:0x[0-9a-fA-F]+|\d+))|%%(\w+)")


@dataclass(frozen=True, slots=True)
class Register:
    """A register, or some bytes of it."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Flag:
    """An output that says whether a flag was set in the end, or was not."""

    of: str
    set: bool


@dataclass(frozen=True, slots=True)
class InPlace(Generic[P]):
    """What is somewhere in memory, or where the reader keeps it instead."""

    place: P


@dataclass(frozen=True, slots=True)
class _Known:
    """A number that the text says."""

    number: int


Operand: TypeAlias = "Register | Flag | InPlace[P] | _Known"


class Reader(Protocol[V, P]):
    """What a reader of a language does for instructions, at the place of the statement: with its own values, and its
    own places in memory. Numbers of so many bytes are their lowest ones; `compute` has the signs of C."""

    def refuse(self, what: str, hint: str | None = None) -> NoReturn: ...

    def literal(self, number: int) -> V: ...

    def known(self, value: V) -> int | None: ...

    def sized(self, value: V, size: int) -> V: ...

    def widened(self, value: V, size: int) -> V:
        """The same, with zeros in front."""

    def compute(self, op: str, one: V, other: V, size: int) -> V: ...

    def same(self, one: V, other: V, size: int) -> Expression: ...

    def below(self, one: V, other: V, size: int) -> Expression:
        """As numbers without signs."""

    def truth(self, test: Expression) -> V: ...

    def where(self, test: Expression, action: Callable[[], None]) -> None:
        """Does something where a condition holds."""

    def place_at(self, pointer: V, offset: int) -> P: ...

    def place_of_bit(self, place: P, bit: V, size: int) -> P | None:
        """Where numbers of so many bytes from a place on have a bit; None where that is no memory."""

    def bytes_of(self, place: P) -> int | None: ...

    def read(self, place: P, size: int) -> V: ...

    def write(self, place: P, value: V, size: int) -> None: ...

    def update(self, op: str, place: P, arguments: Sequence[V], size: int) -> V:
        """Its old value."""

    def compare_both(self, place: P, expected: Sequence[V], new: Sequence[V]) -> tuple[V, V, Expression] | None:
        """Of two words: those that were there, and whether they were those expected; None where that is no memory."""

    def fence(self) -> None: ...

    def clock(self, name: str) -> V: ...


def flag_of(name: str) -> Flag | None:
    """The flag of which an output says something: what follows `=@cc` in its constraint."""
    return Flag(*_FLAGS[name]) if name in _FLAGS else None


def register_named(name: str) -> str | None:
    """The register that a constraint of IR names: `ax` and `eax` are rax."""
    return next((NAMES[each][0] for each in (name, f"r{name}") if each in NAMES), None)


def is_read_as_litmus(machine: str, text: str, operands: bool) -> bool:
    """Whether a text is for the reader of the machine's litmus tests. Without operands, what any machine knows is not,
    if it is another one's."""
    lines = lines_of(text, MACHINES[machine].comment)
    if machine == "x86":
        return jumps(lines)
    own = MACHINES.get(machine_of(lines) or machine) is MACHINES[machine]
    return bool(lines) and (operands or own or not all(is_any(line) for line in lines))


def is_any(line: str) -> bool:
    """Whether an instruction means the same wherever it stands."""
    return line.lower() in _FENCES or _STACK.fullmatch(line) is not None or _NOTHING.fullmatch(line) is not None


def of_intel(line: str) -> str | None:
    """An instruction with operands in the order of Intel's manuals, as AT&T has it; None where that is not known."""
    match = re.fullmatch(r"(lock )?(\w+)(?: (.+))?", line, re.IGNORECASE)
    if match is None:
        return None
    found, width = [], ""
    for text in re.split(r" ?, ?", match[3]) if match[3] else ():
        operand = _OF_INTEL.fullmatch(text)
        if operand is None or bool(operand["sign"]) != bool(operand["offset"]):
            return None
        if operand["base"]:
            width = _WIDTHS.get((operand["width"] or "").lower(), "")
            offset = operand["offset"] and operand["sign"].replace("+", "") + operand["offset"]
            found.append(f"{offset or ''}({operand['base']})")
        else:
            found.append(operand["register"] or (operand["name"] and f"%%{operand['name']}") or f"${operand['number']}")
    word = match[2].lower()
    base = word if word in _BASES else ""
    return f"{match[1] or ''}{word}{width if base else ''} {', '.join(found[::-1])}".rstrip()


@dataclass(slots=True)
class Statement(Generic[V, P]):
    """A statement while its instructions are done: the operands, what registers hold (of those in `short`, so many
    bytes), and the flags (the last result was 0; it had one bit more). `machine`: what the program is compiled for;
    `intel`: what is written comes first."""

    reader: Reader[V, P]
    machine: str | None
    intel: bool = False
    operands: list[Operand[P]] = field(default_factory=list)
    held: dict[str, V] = field(default_factory=dict)
    short: dict[str, int] = field(default_factory=dict)
    sharing: Sharing = field(default_factory=Sharing)
    zero: Expression | None = None
    carry: Expression | None = None

    def give(self, constraint: str, register: Register, value: V) -> None:
        """What is in a register at first, in its low bytes; a constant of the text is in none."""
        if self.reader.known(value) is not None and re.fullmatch(r"\w*[inIJKLMNOeZg]\w*", constraint):
            self.sharing.inputs.pop(register.name, None)
        elif register.size < 8:
            self.short[register.name] = register.size
        self.held[register.name] = value

    def register_of(self, constraint: str) -> str | None:
        """The register of the next operand, by the letters of its constraint; None where that cannot be."""
        tied = re.search(r"\d+", constraint)
        if tied:
            other = self.operands[int(tied[0])] if int(tied[0]) < len(self.operands) else None
            return other.name if isinstance(other, Register) else None
        fixed = [OF_X86[letter] for letter in constraint if letter in OF_X86]
        return fixed[0] if fixed and not re.search(r"[rqg]", constraint) else f"%{len(self.operands)}"

    def must_be_named(self, text: str) -> None:
        """Refuses a text of a machine where the program is compiled for none, whatever its operands are."""
        lines = lines_of(text, MACHINES["x86"].comment)
        if self.machine is None and not all(is_any(line) or line in _CLOCKS for line in lines) and machine_of(lines):
            self.reader.refuse(f"the assembly `{lines[0]}` is", for_machine(lines))

    def run(self, text: str) -> None:
        """Does what the text says, in which operands are written as C has them."""
        for line in lines_of(text, MACHINES["x86"].comment):
            self._line(line)

    def has(self, register: Register) -> bool:
        """Whether all bytes of a register have a value."""
        return register.name in self.held and self.short.get(register.name, 8) >= register.size

    def flag(self, said: Flag) -> V | None:
        """What is said of a flag, if an instruction has set it."""
        found = self.zero if said.of == "zero" else self.carry
        return None if found is None else self.reader.truth(found if said.set else negated(found))

    def _line(self, line: str) -> None:
        reader = self.reader
        any_ = line.lower() in _FENCES if not self.operands else line.lower() == "mfence"
        if any_ or _STACK.fullmatch(line):
            reader.fence()
            return
        if _NOTHING.fullmatch(line):
            return

        def refuse(shown: str = line) -> NoReturn:
            hint = None if machine_of([shown]) == "x86" else for_machine([shown])
            reader.refuse(f"the assembly `{shown}` is", hint)

        if line in _CLOCKS and self.operands and self.machine in ("x86", None):
            self._clock(line)
            return
        line = (of_intel(line) or refuse()) if self.intel else line
        locked = line.startswith("lock ")
        word, _, rest = line.removeprefix("lock ").partition(" ")
        if not self.operands and word not in NAMES and "%" not in rest:
            refuse()
        texts = [part.strip() for part in re.split(r",(?![^(]*\))", rest)] if rest else []
        flag = re.fullmatch(r"set(\w+)", word)
        base = word if word in _BASES else word[:-1]
        if word == "cmpxchg16b" and locked and len(texts) == 1 and self.machine == "x86":
            self._compare_both(self._argument(texts[0], refuse), refuse)
            return
        if flag is None and (base not in _BASES or (word != base and word[-1] not in _SUFFIXES)):
            refuse()
        said = self.flag(Flag(*_FLAGS[flag[1]])) if flag and flag[1] in _FLAGS else None
        if flag and (said is None or locked or len(texts) != 1):
            refuse()
        if self.machine != "x86":
            reader.refuse(f"the assembly `{line}` is", "this assembly is for x86: --on x86")
        found = [self._argument(text, refuse) for text in texts]
        if said is not None:
            self._put(found[0], said, 1)
            return
        size = _SUFFIXES[word[-1]] if word != base else self._size(found[1:] if base in _BITS else found)
        if size is None or len(found) != (1 if base in (*_ONE, "neg", "not") else 2):
            refuse()
        self._step(base, locked, found, size, refuse)

    def _clock(self, name: str) -> None:
        """The time is what other clocks tell, in the low half; for rdtscp all threads run on processor 0."""
        now, zero = self.reader.widened(self.reader.clock(name), 4), self.reader.literal(0)
        for register, value in (("rax", now), ("rdx", zero), *([("rcx", zero)] if name == "rdtscp" else [])):
            self._put(Register(register, 8), value, 8)

    def _argument(self, text: str, refuse: Callable[[], NoReturn]) -> Operand[P]:
        match = _ARGUMENT.fullmatch(text)
        if match is None:
            refuse()
        if match[6] is not None:
            return _Known(int(match[6], 0))
        if match[7] is not None:
            return Register(*NAMES[match[7]]) if match[7] in NAMES else refuse()
        where = int(match[2] or match[5])
        if where >= len(self.operands):
            refuse()
        operand = self.operands[where]
        if match[5] is not None:
            if not isinstance(operand, Register):
                refuse()
            return InPlace(self.reader.place_at(self._in_register(operand.name, 8, refuse), int(match[3] or 0)))
        if isinstance(operand, Flag) or (match[1] and match[1] not in _MODIFIERS):
            refuse()
        if isinstance(operand, Register) and match[1]:
            return Register(operand.name, _MODIFIERS[match[1]])
        return operand

    def _size(self, operands: Sequence[Operand[P]]) -> int | None:
        """How many bytes an instruction is about that does not say so: what its registers have, or what is in
        memory."""
        sizes = {operand.size for operand in operands if isinstance(operand, Register)}
        sizes = sizes or {self.reader.bytes_of(each.place) or 0 for each in operands if isinstance(each, InPlace)}
        return sizes.pop() if len(sizes) == 1 and sizes <= {*SIZES} else None

    def _step(
        self, base: str, locked: bool, found: list[Operand[P]], size: int, refuse: Callable[[], NoReturn]
    ) -> None:
        last = found[-1]
        memory = [operand for operand in found if isinstance(operand, InPlace)]
        if len(memory) > 1 or isinstance(last, _Known) or (locked and (not memory or base in ("mov", "neg", "not"))):
            refuse()
        if base == "xchg" and memory:
            register = found[0] if found[1] is memory[0] else found[1]
            new = self._get(register, size, refuse)
            self._put(register, self.reader.update("exchange", memory[0].place, [new], size), size)
        elif base == "mov":
            self._put(last, self._get(found[0], size, refuse), size)
        elif base == "xadd" and memory and found[1] is memory[0]:
            new = self._get(found[0], size, refuse)
            self._put(found[0], self._updated("add", locked, memory[0], new, size, refuse), size)
        elif base == "cmpxchg" and memory and found[1] is memory[0]:
            self._compare(locked, memory[0].place, found[0], size, refuse)
        elif base in _BITS:
            self._bit(base, locked, found[0], last, size, refuse)
        elif base in _BINARY or base in _ONE:
            if locked and memory[0] is not last:
                refuse()
            carry = self.carry
            by = self.reader.literal(1) if base in _ONE else self._get(found[0], size, refuse)
            self._updated(_ONE.get(base, base), locked, last, by, size, refuse)
            self.carry = carry if base in _ONE else self.carry
        elif base in ("neg", "not"):
            old = self._get(last, size, refuse)
            if base == "not":
                self._put(last, self.reader.compute("^", old, self.reader.literal(-1), size), size)
                return
            new = self.reader.compute("-", self.reader.literal(0), old, size)
            self.zero = self._is_zero(new, size)
            self.carry = negated(self.zero)
            self._put(last, new, size)
        else:
            refuse()

    def _updated(self, op: str, locked: bool, at: Operand[P], by: V, size: int, refuse: Callable[[], NoReturn]) -> V:
        """Computes with what is somewhere, and writes it there; the old value."""
        reader = self.reader
        by = reader.sized(by, size)
        if locked:
            assert isinstance(at, InPlace)
            old = reader.update(f"fetch_{op}", at.place, [by], size)
        else:
            old = self._get(at, size, refuse)
        new = reader.compute(_BINARY[op], old, by, size)
        self.zero = self._is_zero(new, size)
        self.carry = BoolLiteral(False)
        if op in ("add", "sub"):
            self.carry = reader.below(new if op == "add" else old, by, size)
        if not locked:
            self._put(at, new, size)
        return old

    def _compare(self, locked: bool, at: P, new: Operand[P], size: int, refuse: Callable[[], NoReturn]) -> None:
        """cmpxchg. Without a lock it reads, and then writes: what it has read, where something else was expected
        (Intel's manual, volume 2, CMPXCHG)."""
        reader = self.reader
        wanted = self._get(Register("rax", size), size, refuse)
        given = self._get(new, size, refuse)
        old = reader.update("cas", at, [wanted, given], size) if locked else reader.read(at, size)
        self.zero = reader.same(old, wanted, size)
        self.carry = reader.below(wanted, old, size)
        if not locked:
            reader.where(self.zero, lambda: reader.write(at, given, size))
            reader.where(negated(self.zero), lambda: reader.write(at, old, size))
        self._put(Register("rax", size), old, size)

    def _compare_both(self, at: Operand[P], refuse: Callable[[], NoReturn]) -> None:
        """cmpxchg16b: rdx and rax are expected, and have what was read in the end; rcx and rbx are written."""
        if not isinstance(at, InPlace):
            refuse()
        given = [self._get(Register(name, 8), 8, refuse) for name in ("rax", "rdx", "rbx", "rcx")]
        found = self.reader.compare_both(at.place, given[:2], given[2:])
        if found is None:
            refuse()
        self.held["rax"], self.held["rdx"], self.zero = found

    def _bit(
        self,
        base: str,
        locked: bool,
        index: Operand[P],
        at: Operand[P],
        size: int,
        refuse: Callable[[], NoReturn],
    ) -> None:
        """bt, bts, btr, btc: the carry is one bit, which is set, cleared, or turned. A register may say one behind the
        number that is in memory."""
        if size == 1 or (locked and base == "bt"):
            refuse()
        reader, bits, which = self.reader, 8 * size, self._get(index, size, refuse)
        known = reader.known(which)
        if isinstance(at, InPlace) and isinstance(index, Register) and (known is None or not 0 <= known < bits):
            place = reader.place_of_bit(at.place, which, size)
            if place is None:
                refuse()
            at = InPlace(place)
        inside = reader.compute("&", which, reader.literal(bits - 1), size)
        mask = reader.compute("<<", reader.literal(1), inside, size)
        if base == "bt":
            old = self._get(at, size, refuse)
        else:
            zero, op = self.zero, _BITS[base]
            by = reader.compute("^", mask, reader.literal(-1), size) if base == "btr" else mask
            old = self._updated(op, locked, at, by, size, refuse)
            self.zero = zero
        self.carry = negated(self._is_zero(reader.compute("&", old, mask, size), size))

    def _is_zero(self, value: V, size: int) -> Expression:
        return self.reader.same(value, self.reader.literal(0), size)

    def _get(self, of: Operand[P], size: int, refuse: Callable[[], NoReturn]) -> V:
        match of:
            case _Known(number):
                return self.reader.sized(self.reader.literal(number), size)
            case Register(name, _):
                return self.reader.sized(self._in_register(name, size, refuse), size)
            case InPlace(place):
                return self.reader.read(place, size)
        return refuse()

    def _in_register(self, name: str, size: int, refuse: Callable[[], NoReturn]) -> V:
        if self.sharing.may_be_lost(name):
            self.reader.refuse(LATE, EARLY)
        return self.held[name] if self.has(Register(name, size)) else refuse()

    def _put(self, to: Operand[P], value: V, size: int) -> None:
        """Writes; what is smaller than 4 bytes leaves the rest of a register, larger ones make it 0."""
        if isinstance(to, InPlace):
            self.reader.write(to.place, value, size)
        elif isinstance(to, Register):
            self.sharing.write(to.name)
            new, old = self.reader.widened(value, size), self.held.get(to.name)
            if size < 4 and old is not None:
                rest = self.reader.compute("&", old, self.reader.literal(-(1 << 8 * size)), 8)
                new = self.reader.compute("|", rest, new, 8)
            if size < 4 and (old is None or to.name in self.short):
                self.short[to.name] = max(size, self.short.get(to.name, 0))
            elif size >= 4:
                self.short.pop(to.name, None)
            self.held[to.name] = new
