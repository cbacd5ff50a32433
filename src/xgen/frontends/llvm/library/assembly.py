"""Assembly in IR: operands and accesses of what inline_asm/x86.py reads. Its text is turned into that of C."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from xgen.frontends.conditions import negated
from xgen.frontends.inline_asm.machines import jumps, lines_of
from xgen.frontends.inline_asm.x86 import (
    SIZES,
    Flag,
    InPlace,
    Register,
    Statement,
    flag_of,
    is_read_as_litmus,
    register_named,
)
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.library.instructions import Instructions, order_at, unsigned_part
from xgen.frontends.llvm.library.standard import now
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.tokens import Assembly, Operand
from xgen.frontends.llvm.text.types import VOID, Struct, Type
from xgen.frontends.llvm.values import Moved, Value, condition, expression, folded, signed
from xgen.frontends.llvm.values import Register as Number
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.frontends.llvm.library.threads import Threads

_OPS = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor", "<<": "shl"}
_WRITTEN = re.compile(r"\$\$|\$(\d+)|\$\{:uid\}|\$\{(\d+)(?::(\w))?\}|%|\$\{:comment\}")
_BYTE = re.compile(r"\\([0-9A-Fa-f]{2})")
_ELEMENT = re.compile(r"\belementtype\(")
_FENCE = re.compile(r"lock (add|or|xor|sub) ([dq]word|byte) ptr \[[re]sp( ?[-+] ?\d+)?\], ?(0|0x0)", re.I)
"""A full fence, as it is written where operands are in the order of Intel's manuals."""
_FENCE_OF_LOCAL = re.compile(r"lock not [dq]word ptr \[%[a-z]?0\]", re.I)
"""As Rust's libraries write one: the operand is the address of a local variable."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an operand in memory is, of so many bytes; what has made its address."""

    pointer: Value
    size: int | None = None
    operand: Operand | None = None


@dataclass(frozen=True, slots=True)
class _Given:
    """An operand: its constraint, and what it is: None of an output in a register. `size`: its bytes, or those that it
    leads to."""

    constraint: str
    type: Type
    number: int | None = None  # among the arguments of the call
    size: int | None = None

    @property
    def is_output(self) -> bool:
        return self.constraint.startswith("=")

    @property
    def is_place(self) -> bool:
        return "*" in self.constraint

    @property
    def bare(self) -> str:
        return self.constraint.lstrip("=&*%")


def done(thread: Threads, here: Activation, i: Instruction, code: Assembly) -> Value | None:
    """What a statement of assembly does, and its results."""
    text, machine = text_of(code), thread.world.options.machine
    given = _operands(thread, i, code)
    passed = _passed_on(thread, here, i, text, given)
    if passed is not None:
        return passed
    reader = _InIR(thread, here)
    statement = Statement[Value, _Place](reader, machine, code.intel)
    if code.intel and machine == "x86" and jumps(lines_of(text, "#.*")):
        reader.refuse(f"the assembly `{text.strip()[:40]}` is")
    if code.intel:
        text = _with_fences(reader, text, i)
    elif machine is not None and is_read_as_litmus(machine, text, bool(given)):
        return _as_litmus(Instructions(thread, machine, text), here, i, given)
    statement.must_be_named(text)
    for each in given:
        _give(thread, here, i, each, statement)
    statement.run(text)
    found = [_result(statement, operand, each) for operand, each in zip(statement.operands, given, strict=True)]
    return _results(i, [each for each in found if each is not None])


def _results(i: Instruction, found: Sequence[Value]) -> Value | None:
    if i.type == VOID:
        return None
    return tuple(found) if isinstance(i.type, Struct) else found[0]


def _as_litmus(instructions: Instructions, here: Activation, i: Instruction, given: Sequence[_Given]) -> Value | None:
    """The same of a statement that means what litmus tests mean."""
    for each in given:
        value = None if each.number is None else instructions.thread.operand(here, i, each.number)
        instructions.give(each.constraint, each.bare, value, each.size)
    instructions.run()
    outputs = [(number, each.size or 8) for number, each in enumerate(given) if each.is_output and not each.is_place]
    return _results(i, [instructions.result(number, size) for number, size in outputs])


def text_of(code: Assembly) -> str:
    """The text as C has it: `%0` for `$0`, `%%` for `%`."""

    def written(match: re.Match[str]) -> str:
        if match[0] in ("$$", "%"):
            return "$" if match[0] == "$$" else "%%"
        if match[0].startswith("${:"):
            return "%=" if "uid" in match[0] else "#"
        return f"%{match[3] or ''}{match[1] or match[2]}"

    return _WRITTEN.sub(written, _BYTE.sub(lambda match: chr(int(match[1], 16)), code.text))


def _operands(thread: Threads, i: Instruction, code: Assembly) -> list[_Given]:
    """The operands, in the order in which the text counts them."""
    results = list(i.type.elements) if isinstance(i.type, Struct) else [i.type]
    elements = [thread.world.module.reader(i.text[match.end() :]).type() for match in _ELEMENT.finditer(i.text)]
    found, argument = list[_Given](), 0
    for constraint in code.constraints.split(","):
        if not constraint or constraint.startswith("~"):
            continue
        if "*" not in constraint and constraint.startswith("="):
            type_ = results.pop(0)
            found.append(_Given(constraint, type_, None, thread.size(type_)))
            continue
        if constraint.startswith("!") or argument >= len(i.operands):
            raise thread.unsupported(f"the constraint `{constraint}` of assembly is")
        type_ = elements.pop(0) if "*" in constraint else i.operands[argument][0]
        found.append(_Given(constraint, type_, argument, thread.size(type_)))
        argument += 1
    return found


def _passed_on(thread: Threads, here: Activation, i: Instruction, text: str, given: Sequence[_Given]) -> Value | None:
    """The results where nothing is done, and each of them is what an operand is, whatever that is: what keeps a
    compiler from moving things. None where it is otherwise."""
    outputs = [number for number, each in enumerate(given) if each.is_output and not each.is_place]
    tied = {int(each.bare): each.number for each in given if not each.is_output and each.bare.isdecimal()}
    if text.strip() or not outputs or not all(number in tied for number in outputs):
        return None
    found = tuple(thread.raw_operand(here, i, tied[number] or 0) for number in outputs)
    return found if isinstance(i.type, Struct) else found[0]


def _give(thread: Threads, here: Activation, i: Instruction, each: _Given, statement: Statement[Value, _Place]) -> None:
    """The next operand of a statement."""
    constraint, bare = each.constraint, each.bare
    fixed = re.fullmatch(r"\{(\w+|@cc\w+)\}", bare)
    if fixed and fixed[1].startswith("@cc"):
        flag = flag_of(fixed[1][3:])
        if flag is None or not each.is_output:
            raise thread.unsupported(f"the constraint `{constraint}` of assembly is")
        statement.operands.append(flag)
        return
    if each.is_place:
        assert each.number is not None
        if each.size not in (*SIZES, 16):
            raise thread.unsupported("an operand of assembly that is no number and no pointer is")
        operand = i.operands[each.number][1]
        place = _Place(thread.operand(here, i, each.number), 8 if each.size == 16 else each.size, operand)
        statement.operands.append(InPlace(place))
        return
    name = register_named(fixed[1]) if fixed else None
    if name is None and not fixed and re.fullmatch(r"[rqgmoabcdSDinNIJKLMOeZ0-9]+", bare):
        name = statement.register_of(bare)
    if name is None:
        raise thread.unsupported(f"the constraint `{constraint}` of assembly is")
    if each.size not in SIZES:
        raise thread.unsupported("an operand of assembly that is no number and no pointer is")
    register = Register(name, each.size)
    statement.operands.append(register)
    statement.sharing.operand(constraint, name)
    if each.number is not None:
        statement.give(constraint, register, thread.keep(thread.operand(here, i, each.number)))


def _result(statement: Statement[Value, _Place], operand: object, each: _Given) -> Value | None:
    """What an output holds in the end."""
    if not each.is_output or each.is_place:
        return None
    assert each.size is not None
    if isinstance(operand, Flag):
        said = statement.flag(operand)
        if said is None:
            statement.reader.refuse("a flag that the assembly does not set is")
        return said
    assert isinstance(operand, Register)
    if not statement.has(operand):
        statement.reader.refuse("an output that the assembly does not write is")
    return statement.reader.sized(statement.held[operand.name], each.size)


def _with_fences(reader: _InIR, text: str, i: Instruction) -> str:
    """The text, in which those updates are `mfence` that are nothing but fences."""
    lines = []
    for line in lines_of(text, "#.*"):
        if _FENCE_OF_LOCAL.fullmatch(line):
            reader.turn_local(i, line)
            line = "mfence"
        elif _FENCE.fullmatch(line):
            line = "mfence"
        lines.append(line)
    return "\n".join(lines)


class _InIR:
    """What instructions ask of this reader (`x86.Reader`)."""

    def __init__(self, thread: Threads, here: Activation) -> None:
        self.thread, self.here = thread, here

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        raise self.thread.unsupported(what, hint)

    def turn_local(self, i: Instruction, line: str) -> None:
        """All bits of a local variable are turned round."""
        thread, width = self.thread, 8 if "qword" in line.lower() else 4
        pointer = thread.operand(self.here, i, 0)
        place = thread.found(pointer, width) if isinstance(pointer, int) else None
        if place is None or place[0].life != "stack":
            self.refuse(f"assembly (`{line}`) on what is no local variable is")
        thread.store(pointer, thread.compute("xor", thread.load(pointer, width), -1, 8 * width), width)

    # ---- numbers

    def literal(self, number: int) -> Value:
        return signed(number, 64)

    def known(self, value: Value) -> int | None:
        return value if isinstance(value, int) else None

    def sized(self, value: Value, size: int) -> Value:
        if size == 8 or (isinstance(value, Number) and value.bits <= 8 * size):
            return value
        return self.thread.part(value, 0, 8 * size)

    def widened(self, value: Value, size: int) -> Value:
        return value if size == 8 else unsigned_part(self.thread, value, size)

    def compute(self, op: str, one: Value, other: Value, size: int) -> Value:
        return self.thread.compute(_OPS[op], self.sized(one, size), self.sized(other, size), 8 * size)

    def same(self, one: Value, other: Value, size: int) -> Expression:
        return folded(Binary("=", expression(self.sized(one, size)), expression(self.sized(other, size))))

    def below(self, one: Value, other: Value, size: int) -> Expression:
        return condition(self.thread.compare("ult", self.sized(one, size), self.sized(other, size)))

    def truth(self, test: Expression) -> Value:
        return int(test.value) if isinstance(test, BoolLiteral) else self.thread.truth(test)

    def where(self, test: Expression, action: Callable[[], None]) -> None:
        if isinstance(test, BoolLiteral):
            if test.value:
                action()
            return
        thread = self.thread
        thread.end_single_threaded()
        was, thread.on_one_path, after = thread.on_one_path, False, thread.label()
        thread.branch(negated(test), after)
        try:
            action()
        except Unreachable:
            thread.branch(None, "")
        thread.emit(after)
        thread.on_one_path = was

    # ---- places

    def place_at(self, pointer: Value, offset: int) -> _Place:
        return _Place(self.thread.moved(pointer, offset))

    def place_of_bit(self, place: _Place, bit: Value, size: int) -> _Place | None:
        shift = (8 * size).bit_length() - 1
        words = self.thread.compute("ashr", bit, shift, 64)
        if isinstance(words, int):
            return replace(place, pointer=self.thread.moved(place.pointer, words * size), operand=None)
        by = Binary("*", expression(words), IntLiteral(size))
        moved = Number(Binary("+", expression(place.pointer), by), Moved(place.pointer, 0, (size,)))
        return replace(place, pointer=self.thread.keep(moved), operand=None)

    def bytes_of(self, place: _Place) -> int | None:
        return place.size

    def _order(self, place: _Place, size: int) -> str | None:
        """That of a move."""
        return order_at(self.thread, "relaxed", place.pointer, size)

    def _must_be(self, place: _Place, size: int) -> None:
        if place.operand is not None:
            self.thread.must_be_inside(self.here, place.operand)
        self.thread.must_fit(place.pointer, size)

    def read(self, place: _Place, size: int) -> Value:
        self._must_be(place, size)
        return self.thread.load(place.pointer, size, self._order(place, size))

    def write(self, place: _Place, value: Value, size: int) -> None:
        self._must_be(place, size)
        self.thread.store(place.pointer, self.sized(value, size), size, self._order(place, size))

    def update(self, op: str, place: _Place, arguments: Sequence[Value], size: int) -> Value:
        self._must_be(place, size)
        orders = ("seq_cst", "seq_cst") if op == "cas" else ("seq_cst",)
        return self.thread.update(op, place.pointer, [self.sized(each, size) for each in arguments], size, orders)

    def compare_both(
        self, place: _Place, expected: Sequence[Value], new: Sequence[Value]
    ) -> tuple[Value, Value, Expression] | None:
        self.thread.must_fit(place.pointer, 16)
        (one, other), (low, high) = expected, new
        orders = ("seq_cst", "seq_cst")
        old, done_ = self.thread.compare_exchange_whole(place.pointer, (one, other), (low, high), orders, False)
        assert isinstance(old, tuple)
        return old[0], old[1], condition(done_)

    def fence(self) -> None:
        if not self.thread.single_threaded:
            self.thread.emit(xcfa.Fence("seq_cst", self.thread.position))

    def clock(self, name: str) -> Value:
        return now(self.thread, name)
