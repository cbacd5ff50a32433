"""Assembly of x86-64 in C: what its instructions do with their operands.

An instruction means what C's construct means that compilers make it of: `mov` is a relaxed access, what locks is an
update, `mfence` a fence, all seq_cst. Fences without operands are those of any machine. Other machines, and what has
labels, are in instructions.py. What is not known is refused by its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import NoReturn, TypeAlias

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.library.atomics import fence
from xgen.frontends.c.library.call import Call
from xgen.frontends.c.library.instructions import Instructions
from xgen.frontends.c.library.machines import MACHINES, for_machine, jumps, lines_of, machine_of
from xgen.frontends.c.library.unknown import time_told
from xgen.frontends.c.library.wholes import Whole, outcomes_of_cas
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, InRegisters, Place, Value, literal
from xgen.frontends.c.values.types import (
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    Array,
    Int,
    Pointer,
    is_scalar,
    plain,
    size_of,
)
from xgen.frontends.conditions import negated, number
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral
from xgen.records import dataclass, replace

_FENCES = {"mfence", "dmb ish", "dmb sy", "dsb sy", "sync", "fence rw,rw"}
"""Full fences, which are a fence of C that is seq_cst."""
_STACK = re.compile(r"lock (addl|orl|addq|orq) \$(0|0x0), ?(-?\d+)?\(%{1,2}[re]sp\)")
"""What compilers write for mfence."""
_NOTHING = re.compile(r"(rep )?nop|pause|yield|[ls]fence|rep;?|prefetch\w* .*", re.IGNORECASE)
_INTS = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONG}
_SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}
_MODIFIERS = {"b": 1, "w": 2, "k": 4, "q": 8}
_REGISTERS = {"a": "rax", "b": "rbx", "c": "rcx", "d": "rdx", "S": "rsi", "D": "rdi"}
_NAMES = {
    name: (full, size)
    for full in ("rax", "rbx", "rcx", "rdx")
    for name, size in ((full, 8), (f"e{full[1:]}", 4), (full[1:], 2), (f"{full[1]}l", 1))
} | {"rsi": ("rsi", 8), "esi": ("rsi", 4), "rdi": ("rdi", 8), "edi": ("rdi", 4)}
_BINARY = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_ONE = {"inc": "add", "dec": "sub"}
_BITS = {"bts": "or", "btr": "and", "btc": "xor", "bt": ""}
"""What becomes of the bit: nothing of that of bt."""
_BASES = {"mov", "xchg", "xadd", "cmpxchg", "neg", "not", *_BINARY, *_ONE, *_BITS}
_FLAGS = {"z": ("zero", True), "e": ("zero", True), "nz": ("zero", False), "ne": ("zero", False)} | {
    name: ("carry", name in ("c", "b", "nae")) for name in ("c", "b", "nae", "nc", "nb", "ae")
}
"""By what follows `set`: the flag that it is about, and whether that has to be set."""
_ARGUMENT = re.compile(r"%([a-z]?)(\d+)|(-?\d+)?\(%([a-z]?)(\d+)\)|\$(-?(?:0x[0-9a-fA-F]+|\d+))|%%(\w+)")


@dataclass(frozen=True, slots=True)
class _Register:
    """A register. `target`: the place of an output, which gets what it holds in the end."""

    name: str
    size: int
    target: Place | None = None


@dataclass(frozen=True, slots=True)
class _Flag:
    """An output that says whether a flag was set in the end, or was not."""

    of: str
    set: bool


_Operand: TypeAlias = _Register | _Flag | InMemory | InRegisters | Value


@dataclass(slots=True)
class _State:
    """What the registers hold, the flags (the last result was 0; it had one bit more), and the operands."""

    operands: list[_Operand] = field(default_factory=list)
    held: dict[str, Value] = field(default_factory=dict)
    zero: Expression | None = None
    carry: Expression | None = None

    def flag(self, said: _Flag) -> Value | None:
        """What is said of a flag, if an instruction has set it."""
        found = self.zero if said.of == "zero" else self.carry
        return None if found is None else Value(number(found if said.set else negated(found)), INT)


class _Assembly:
    """Reads `asm` statements."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def statement(self, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
        """`arguments`: the text, the number of outputs, and of each operand its constraint and what it is."""
        text, machine = _text(arguments[0]), self.body.world.options.machine
        given = [(_text(constraint), what) for constraint, what in zip(arguments[2::2], arguments[3::2], strict=True)]
        outputs = int(_text(arguments[1])) if len(arguments) > 1 else 0
        given = [(said, self.behind_casts(what) if k < outputs else what) for k, (said, what) in enumerate(given)]
        if machine is not None and _is_read_as_litmus(machine, text, bool(given)):
            Instructions(self.body).run(machine, text, given, outputs, node)
            return NOTHING
        lines = lines_of(text, MACHINES["x86"].comment)
        if machine is None and not all(_is_any(line) for line in lines) and machine_of(lines):
            self.body.refuse(f"the assembly `{lines[0]}` is", node, for_machine(lines))
        state = _State()
        for k, (constraint, what) in enumerate(given):
            state.operands.append(self.operand(constraint, what, k < outputs, state, node))
        for line in lines:
            self.line(line, state, given, node)
        for operand, (_, what) in zip(state.operands, given[:outputs], strict=False):
            self.output(operand, what, state, node)
        return NOTHING

    def behind_casts(self, what: c_ast.Node) -> c_ast.Node:
        """What an output is written to: GNU's compilers let it be cast to a type of its size."""
        if not isinstance(what, c_ast.Cast):
            return what
        inner = self.behind_casts(what.expr)
        if isinstance(inner, c_ast.Cast):
            return what
        with self.body.unevaluated():
            size = size_of(self.body.place(inner).type)
        return inner if size == size_of(self.body.type_of(what.to_type)) else what

    def operand(self, constraint: str, what: c_ast.Node, output: bool, state: _State, node: c_ast.Node) -> _Operand:
        bare = constraint.lstrip("=+&%")
        if constraint.startswith("=@cc") and constraint[4:] in _FLAGS:
            return _Flag(*_FLAGS[constraint[4:]])
        if not bare or not re.fullmatch(r"[rqgmQoabcdSDinNIJKLMOeZ0-9]+", bare):
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        if re.fullmatch(r"[mQo]+", bare):
            place = self.body.place(what)
            if not isinstance(place, InMemory | InRegisters):
                self.body.refuse("an operand of assembly that is no number and no pointer is", what)
            if size_of(place.type) == 16 and isinstance(place, InMemory):  # of cmpxchg16b
                return InMemory(place.address, ULONG)
            if not is_scalar(place.type) and size_of(place.type) in _INTS:  # a struct of as many bytes as are accessed
                return _of_size(place, size_of(place.type))
            if not is_scalar(place.type):
                self.body.refuse("an operand of assembly that is no number and no pointer is", what)
            return place
        tied = re.search(r"\d", bare)
        if tied and (int(tied[0]) >= len(state.operands) or not isinstance(state.operands[int(tied[0])], _Register)):
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        name = f"%{len(state.operands)}"
        fixed = [_REGISTERS[letter] for letter in bare if letter in _REGISTERS]
        if tied:
            register = state.operands[int(tied[0])]
            assert isinstance(register, _Register)
            name = register.name
        elif fixed and not re.search(r"[rqg]", bare):
            name = fixed[0]
        if output:
            place = self.body.place(what)
            if not is_scalar(place.type):
                self.body.refuse("an operand of assembly that is no number and no pointer is", what)
            if isinstance(place, InMemory):  # it stays where it is, whatever is written
                place = replace(place, address=self.body.keep(Value(place.address, ULONG), node).expression)
            if constraint.startswith("+"):
                state.held[name] = self.body.keep(self.body.plain_number(self.body.load(place, node)), node)
            return _Register(name, size_of(place.type), place)
        value = self.body.keep(self.body.plain_number(self.body.number(what)), node)
        state.held[name] = value
        return _Register(name, size_of(value.type))

    def output(self, operand: _Operand, what: c_ast.Node, state: _State, node: c_ast.Node) -> None:
        """What a register or a flag holds in the end is put where it belongs."""
        if isinstance(operand, _Register):
            if operand.name not in state.held:
                self.body.refuse("an output that the assembly does not write is", what)
            value, place = state.held[operand.name], operand.target
        elif isinstance(operand, _Flag):
            said = state.flag(operand)
            if said is None:
                self.body.refuse("a flag that the assembly does not set is", what)
            value, place = said, self.body.place(what)
        else:
            return
        assert place is not None
        self.body.store(place, convert(value, plain(place.type)), node)

    # ---- instructions

    def line(self, line: str, state: _State, given: Sequence[object], node: c_ast.Node) -> None:
        if line.lower() == "mfence" or _STACK.fullmatch(line) or (not given and line.lower() in _FENCES):
            fence(self.body, "seq_cst", node)
            return
        if _NOTHING.fullmatch(line):
            return

        def refuse() -> NoReturn:
            hint = None if machine_of([line]) == "x86" else for_machine([line])
            self.body.refuse(f"the assembly `{line}` is", node, hint)

        if line in ("rdtsc", "rdtscp") and given and self.body.world.options.machine == "x86":
            self.clock(line, state, node)
            return
        locked = line.startswith("lock ")
        word, _, rest = line.removeprefix("lock ").partition(" ")
        if not given and word not in _NAMES and "%" not in rest:
            refuse()
        texts = [part.strip() for part in re.split(r",(?![^(]*\))", rest)] if rest else []
        flag = re.fullmatch(r"set(\w+)", word)
        base = word if word in _BASES else word[:-1]
        if word == "cmpxchg16b" and locked and len(texts) == 1 and self.body.world.options.machine == "x86":
            self.compare_both(self.argument(texts[0], state, refuse), state, node, refuse)
            return
        if flag is None and (base not in _BASES or (word != base and word[-1] not in _SUFFIXES)):
            refuse()
        said = state.flag(_Flag(*_FLAGS[flag[1]])) if flag and flag[1] in _FLAGS else None
        if flag and (said is None or locked or len(texts) != 1):
            refuse()
        if self.body.world.options.machine != "x86":
            self.body.refuse(f"the assembly `{line}` is", node, "this assembly is for x86: --on x86")
        found = [self.argument(text, state, refuse) for text in texts]
        if said:
            self.put(found[0], convert(said, UCHAR), 1, state, node)
            return
        size = _SUFFIXES[word[-1]] if word != base else _size(found[1:] if base in _BITS else found)
        if size is None or len(found) != (1 if base in (*_ONE, "neg", "not") else 2):
            refuse()
        self.step(base, locked, found, size, state, node, refuse)

    def clock(self, name: str, state: _State, node: c_ast.Node) -> None:
        """The time is what other clocks tell, in the low half; for rdtscp all threads run on processor 0."""
        told = time_told(self.body, name, node)
        state.held["rax"] = self.body.keep(convert(convert(told, UINT), ULONG), node)
        state.held["rdx"] = literal(0, ULONG)
        if name == "rdtscp":
            state.held["rcx"] = literal(0, ULONG)

    def argument(self, text: str, state: _State, refuse: Callable[[], NoReturn]) -> _Operand:
        match = _ARGUMENT.fullmatch(text)
        if match is None:
            refuse()
        if match[6] is not None:
            return literal(int(match[6], 0), ULONG)
        if match[7] is not None:
            return _Register(*_NAMES[match[7]]) if match[7] in _NAMES else refuse()
        where = int(match[2] or match[5])
        if where >= len(state.operands):
            refuse()
        operand = state.operands[where]
        if match[5] is not None:
            if not isinstance(operand, _Register) or operand.name not in state.held:
                refuse()
            pointer = state.held[operand.name]
            target = pointer.type.target if isinstance(pointer.type, Pointer) else ULONG
            return InMemory(self.body.add(pointer.expression, int(match[3] or 0)), target)
        if isinstance(operand, _Flag) or (match[1] and match[1] not in _MODIFIERS):
            refuse()
        if isinstance(operand, _Register) and match[1]:
            return _Register(operand.name, _MODIFIERS[match[1]])
        return operand

    def step(
        self,
        base: str,
        locked: bool,
        found: list[_Operand],
        size: int,
        state: _State,
        node: c_ast.Node,
        refuse: Callable[[], NoReturn],
    ) -> None:
        last = found[-1]
        memory = [operand for operand in found if isinstance(operand, InMemory | InRegisters)]
        if len(memory) > 1 or isinstance(last, Value) or (locked and (not memory or base in ("mov", "neg", "not"))):
            refuse()
        if base == "xchg" and memory:
            register = found[0] if found[1] is memory[0] else found[1]
            new = self.get(register, size, state, node, refuse)
            self.put(register, self.update("exchange", memory[0], new, size, node), size, state, node)
        elif base == "mov":
            self.put(last, self.get(found[0], size, state, node, refuse), size, state, node)
        elif base == "xadd" and memory and found[1] is memory[0]:
            new = self.get(found[0], size, state, node, refuse)
            old = self.updated("add", locked, memory[0], new, size, state, node, refuse)
            self.put(found[0], old, size, state, node)
        elif base == "cmpxchg" and memory and found[1] is memory[0]:
            self.compare(locked, memory[0], found[0], size, state, node, refuse)
        elif base in _BITS:
            self.bit(base, locked, found[0], last, size, state, node, refuse)
        elif base in _BINARY or base in _ONE:
            if locked and memory[0] is not last:
                refuse()
            carry = state.carry
            by = literal(1, _INTS[size]) if base in _ONE else self.get(found[0], size, state, node, refuse)
            self.updated(_ONE.get(base, base), locked, last, by, size, state, node, refuse)
            state.carry = carry if base in _ONE else state.carry
        elif base in ("neg", "not"):
            old = self.get(last, size, state, node, refuse)
            new = self.body.operate("-", literal(0, ULONG), old, node)
            if base == "not":
                new = self.body.operate("-", new, literal(1, ULONG), node)
            elif base == "neg":
                state.zero = self.zero(new, size, node)
                state.carry = negated(state.zero)
            self.put(last, new, size, state, node)
        else:
            refuse()

    def updated(
        self,
        op: str,
        locked: bool,
        at: _Operand,
        by: Value,
        size: int,
        state: _State,
        node: c_ast.Node,
        refuse: Callable[[], NoReturn],
    ) -> Value:
        """Computes with what is somewhere, and writes it there; the old value."""
        by = self.body.keep(convert(by, _INTS[size]), node)
        if locked:
            assert isinstance(at, InMemory | InRegisters)
            old = self.update(f"fetch_{op}", at, by, size, node)
        else:
            old = self.body.keep(self.get(at, size, state, node, refuse), node)
        new = self.body.keep(convert(self.body.operate(_BINARY[op], old, by, node), _INTS[size]), node)
        state.zero = self.zero(new, size, node)
        state.carry = BoolLiteral(False)
        if op in ("add", "sub"):
            state.carry = truth(self.body.operate("<", new if op == "add" else old, by, node))
        if not locked:
            self.put(at, new, size, state, node)
        return old

    def compare(
        self,
        locked: bool,
        at: Place,
        new: _Operand,
        size: int,
        state: _State,
        node: c_ast.Node,
        refuse: Callable[[], NoReturn],
    ) -> None:
        """cmpxchg; without a lock it reads, and then it writes if that is what is expected."""
        wanted = self.body.keep(self.get(_Register("rax", size), size, state, node, refuse), node)
        given = self.body.keep(self.get(new, size, state, node, refuse), node)
        both = (at, size, state, node, refuse)
        old = self.update("cas", at, given, size, node, wanted) if locked else self.get(*both)
        state.zero = Binary("=", old.expression, wanted.expression)
        state.carry = truth(self.body.operate("<", wanted, old, node))
        if not locked:
            after = self.body.flow.label()
            self.body.flow.branch(negated(state.zero), after, self.body.position(node))
            self.put(at, given, size, state, node)
            self.body.flow.bind(after)
        self.put(_Register("rax", size), old, size, state, node)

    def compare_both(self, at: _Operand, state: _State, node: c_ast.Node, refuse: Callable[[], NoReturn]) -> None:
        """cmpxchg16b: rdx and rax are expected, and have what was read in the end; rcx and rbx are written."""
        if not isinstance(at, InMemory):
            refuse()
        whole = Whole(self.body, InMemory(at.address, Array(ULONG, 2)), node)
        given = [
            self.body.keep(self.get(_Register(name, 8), 8, state, node, refuse), node)
            for name in ("rax", "rdx", "rbx", "rcx")
        ]
        low, high, done = (self.body.fresh() for _ in range(3))
        for _, old in outcomes_of_cas(whole, done, given[:2], given[2:], ("seq_cst", "seq_cst")):
            for name, word in ((low, old[0]), (high, old[1])):
                self.body.flow.assign(name, convert(word, LONG).expression, self.body.position(node))
        state.held |= {"rax": self.body.result(low, ULONG), "rdx": self.body.result(high, ULONG)}
        state.zero = truth(self.body.result(done, INT))

    def bit(
        self,
        base: str,
        locked: bool,
        index: _Operand,
        at: _Operand,
        size: int,
        state: _State,
        node: c_ast.Node,
        refuse: Callable[[], NoReturn],
    ) -> None:
        """bt, bts, btr, btc: the carry is one bit, which is set, cleared, or turned. A register may say one behind the
        number that is in memory."""
        if size == 1 or (locked and base == "bt"):
            refuse()
        bits, which = 8 * size, self.body.keep(self.get(index, size, state, node, refuse), node)
        inside = self.body.operate("&", which, literal(bits - 1, _INTS[size]), node)
        if (
            isinstance(at, InMemory | InRegisters)
            and isinstance(index, _Register)
            and which.constant != inside.constant
        ):
            if not isinstance(at, InMemory):
                refuse()
            signed = convert(which, {2: SHORT, 4: INT, 8: LONG}[size])
            words = self.body.operate(">>", convert(signed, LONG), literal(bits.bit_length() - 1, INT), node)
            by = self.body.operate("*", words, literal(size, LONG), node)
            address = Binary("+", at.address, by.expression)
            known = by.constant is not None
            at = InMemory(
                self.body.add(at.address, by.constant or 0) if known else self.body.within_memory(address), at.type
            )
        mask = self.body.keep(self.body.operate("<<", literal(1, _INTS[size]), inside, node), node)
        others = self.body.operate("^", convert(mask, ULONG), literal(-1, ULONG), node)
        if base == "bt":
            old = self.get(at, size, state, node, refuse)
        else:
            zero = state.zero
            old = self.updated(_BITS[base], locked, at, others if base == "btr" else mask, size, state, node, refuse)
            state.zero = zero
        one = self.body.operate("&", old, mask, node)
        state.carry = negated(self.zero(one, size, node))

    def zero(self, value: Value, size: int, node: c_ast.Node) -> Expression:
        return Binary("=", self.body.keep(convert(value, _INTS[size]), node).expression, IntLiteral(0))

    def update(
        self, op: str, at: Place, value: Value, size: int, node: c_ast.Node, wanted: Value | None = None
    ) -> Value:
        """A locked update; its old value."""
        place = _of_size(at, size)
        value, type_ = convert(value, plain(place.type)), plain(place.type)
        orders = ("seq_cst", "seq_cst") if op == "cas" else ("seq_cst",)
        expected = None if wanted is None else self.body.keep(convert(wanted, type_), node)
        old = self.body.update(op, place, value, node, orders, expected)
        return self.body.keep(convert(old, _INTS[size]), node)

    def get(self, of: _Operand, size: int, state: _State, node: c_ast.Node, refuse: Callable[[], NoReturn]) -> Value:
        match of:
            case Value():
                return convert(of, _INTS[size])
            case _Register(name, _):
                return convert(state.held[name], _INTS[size]) if name in state.held else refuse()
            case InMemory() | InRegisters():
                return self.body.keep(convert(self.body.load(_of_size(of, size), node, "relaxed"), _INTS[size]), node)
        return refuse()

    def put(self, to: _Operand, value: Value, size: int, state: _State, node: c_ast.Node) -> None:
        """Writes; what is smaller than 4 bytes leaves the rest of a register, larger ones make it 0."""
        if isinstance(to, InMemory | InRegisters):
            self.body.store(_of_size(to, size), value, node, "relaxed")
        elif isinstance(to, _Register):
            new = convert(value, _INTS[size])
            old = state.held.get(to.name)
            if size < 4 and old is not None:
                rest = self.body.operate("&", convert(old, ULONG), literal(-(1 << 8 * size), ULONG), node)
                new = self.body.operate("|", rest, convert(new, ULONG), node)
            state.held[to.name] = self.body.keep(new, node)


def asm(call: Call) -> Value:
    return _Assembly(call.body).statement(call.arguments, call.node)


def _text(node: c_ast.Node) -> str:
    assert isinstance(node, c_ast.Constant)
    value = str(node.value)
    return value[1:-1] if value.startswith('"') else value


def _is_read_as_litmus(machine: str, text: str, operands: bool) -> bool:
    """Whether a text is for the reader of the machine's litmus tests. Without operands, what any machine knows is not,
    if it is another one's."""
    lines = lines_of(text, MACHINES[machine].comment)
    if machine == "x86":
        return jumps(lines)
    own = MACHINES.get(machine_of(lines) or machine) is MACHINES[machine]
    return bool(lines) and (operands or own or not all(_is_any(line) for line in lines))


def _is_any(line: str) -> bool:
    """Whether an instruction means the same wherever it stands."""
    return line.lower() in _FENCES or _STACK.fullmatch(line) is not None or _NOTHING.fullmatch(line) is not None


def _size(operands: Sequence[_Operand]) -> int | None:
    """How many bytes an instruction is about that does not say so: what its registers have, or what is in memory."""
    sizes = {operand.size for operand in operands if isinstance(operand, _Register)}
    sizes = sizes or {size_of(operand.type) for operand in operands if isinstance(operand, InMemory | InRegisters)}
    return sizes.pop() if len(sizes) == 1 and sizes <= _INTS.keys() else None


def _of_size(place: Place, size: int) -> Place:
    """The place, accessed with so many bytes, and no order of its own."""
    type_ = plain(place.type)
    if not isinstance(type_, Int | Pointer) or size_of(type_) != size:
        type_ = _INTS[size]
    if isinstance(place, InRegisters):
        return InRegisters(place.variable, place.offset, type_)
    return InMemory(place.address, type_)
