"""Assembly of x86-64 in C: operands and accesses of what inline_asm/x86.py reads.

Fences without operands are those of any machine. Other machines, and what has labels, are in instructions.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.expressions import NOTHING
from xgen.frontends.c.library.atomics import fence
from xgen.frontends.c.library.call import Call
from xgen.frontends.c.library.instructions import Instructions
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
from xgen.frontends.inline_asm.x86 import Flag, InPlace, Operand, Register, Statement, flag_of, is_read_as_litmus
from xgen.program.automaton import Binary, Expression
from xgen.records import replace

_INTS = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONG}
_SIGNED = {2: SHORT, 4: INT, 8: LONG}


class _InC:
    """What instructions ask of this reader (`x86.Reader`)."""

    def __init__(self, body: Body, node: c_ast.Node) -> None:
        self.body, self.node = body, node

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        self.body.refuse(what, self.node, hint)

    def literal(self, number_: int) -> Value:
        return literal(number_, ULONG)

    def known(self, value: Value) -> int | None:
        return value.constant

    def sized(self, value: Value, size: int) -> Value:
        return self.body.keep(convert(value, _INTS[size]), self.node)

    def widened(self, value: Value, size: int) -> Value:
        return self.sized(value, size)

    def compute(self, op: str, one: Value, other: Value, size: int) -> Value:
        left, right = (convert(each, _INTS[size]) for each in (one, other))
        return self.sized(self.body.operate(op, left, right, self.node), size)

    def same(self, one: Value, other: Value, size: int) -> Expression:
        return Binary("=", self.sized(one, size).expression, self.sized(other, size).expression)

    def below(self, one: Value, other: Value, size: int) -> Expression:
        return truth(self.body.operate("<", self.sized(one, size), self.sized(other, size), self.node))

    def truth(self, test: Expression) -> Value:
        return Value(number(test), INT)

    def where(self, test: Expression, action: Callable[[], None]) -> None:
        after = self.body.flow.label()
        self.body.flow.branch(negated(test), after, self.body.position(self.node))
        action()
        self.body.flow.bind(after)

    def place_at(self, pointer: Value, offset: int) -> Place:
        target = pointer.type.target if isinstance(pointer.type, Pointer) else ULONG
        return InMemory(self.body.add(pointer.expression, offset), target)

    def place_of_bit(self, place: Place, bit: Value, size: int) -> Place | None:
        if not isinstance(place, InMemory):
            return None
        shift = literal((8 * size).bit_length() - 1, INT)
        words = self.body.operate(">>", convert(convert(bit, _SIGNED[size]), LONG), shift, self.node)
        by = self.body.operate("*", words, literal(size, LONG), self.node)
        if by.constant is not None:
            return InMemory(self.body.add(place.address, by.constant), place.type)
        start = self.body.address(place).expression  # what is around it may be accessed by its address now
        return InMemory(self.body.within_memory(Binary("+", start, by.expression)), place.type)

    def bytes_of(self, place: Place) -> int | None:
        return size_of(place.type)

    def read(self, place: Place, size: int) -> Value:
        return self.sized(self.body.load(_of_size(place, size), self.node, "relaxed"), size)

    def write(self, place: Place, value: Value, size: int) -> None:
        self.body.store(_of_size(place, size), value, self.node, "relaxed")

    def update(self, op: str, place: Place, arguments: Sequence[Value], size: int) -> Value:
        at = _of_size(place, size)
        *expected, new = (self.body.keep(convert(each, plain(at.type)), self.node) for each in arguments)
        orders = ("seq_cst", "seq_cst") if expected else ("seq_cst",)
        old = self.body.update(op, at, new, self.node, orders, expected[0] if expected else None)
        return self.sized(old, size)

    def compare_both(
        self, place: Place, expected: Sequence[Value], new: Sequence[Value]
    ) -> tuple[Value, Value, Expression] | None:
        if not isinstance(place, InMemory):
            return None
        whole = Whole(self.body, InMemory(place.address, Array(ULONG, 2)), self.node)
        low, high, done = (self.body.fresh() for _ in range(3))
        for _, old in outcomes_of_cas(whole, done, expected, new, ("seq_cst", "seq_cst")):
            for name, word in ((low, old[0]), (high, old[1])):
                self.body.flow.assign(name, convert(word, LONG).expression, self.body.position(self.node))
        return self.body.result(low, ULONG), self.body.result(high, ULONG), truth(self.body.result(done, INT))

    def fence(self) -> None:
        fence(self.body, "seq_cst", self.node)

    def clock(self, name: str) -> Value:
        return time_told(self.body, name, self.node)


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
        if machine is not None and is_read_as_litmus(machine, text, bool(given)):
            Instructions(self.body).run(machine, text, given, outputs, node)
            return NOTHING
        state = Statement[Value, Place](_InC(self.body, node), machine)
        state.must_be_named(text)
        targets = list[Place | None]()
        for k, (constraint, what) in enumerate(given):
            operand, target = self.operand(constraint, what, k < outputs, state, node)
            state.operands.append(operand)
            targets.append(target)
        state.run(text)
        for operand, target, (_, what) in zip(state.operands, targets, given[:outputs], strict=False):
            self.output(operand, target, what, state, node)
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

    def operand(
        self, constraint: str, what: c_ast.Node, output: bool, state: Statement[Value, Place], node: c_ast.Node
    ) -> tuple[Operand[Place], Place | None]:
        """An operand; and of an output in a register, where that goes in the end."""
        bare = constraint.lstrip("=+&%")
        if constraint.startswith("=@cc") and (flag := flag_of(constraint[4:])) is not None:
            return flag, None
        if not bare or not re.fullmatch(r"[rqgmQoabcdSDinNIJKLMOeZ0-9]+", bare):
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        if re.fullmatch(r"[mQo]+", bare):
            return InPlace(self.in_place(what)), None
        name = state.register_of(bare)
        if name is None:
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        state.sharing.operand(constraint, name)
        if output:
            place = self.body.place(what)
            if not is_scalar(place.type):
                self.body.refuse("an operand of assembly that is no number and no pointer is", what)
            if isinstance(place, InMemory):  # it stays where it is, whatever is written
                place = replace(place, address=self.body.keep(Value(place.address, ULONG), node).expression)
            if constraint.startswith("+"):
                value = self.body.keep(self.body.plain_number(self.body.load(place, node)), node)
                state.give(constraint, Register(name, size_of(place.type)), value)
            return Register(name, size_of(place.type)), place
        value = self.body.keep(self.body.plain_number(self.body.number(what)), node)
        register = Register(name, size_of(value.type))
        state.give(constraint, register, value)
        return register, None

    def in_place(self, what: c_ast.Node) -> Place:
        """Where an operand is that an instruction accesses."""
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

    def output(
        self,
        operand: Operand[Place],
        target: Place | None,
        what: c_ast.Node,
        state: Statement[Value, Place],
        node: c_ast.Node,
    ) -> None:
        """What a register or a flag holds in the end is put where it belongs."""
        if isinstance(operand, Register):
            if not state.has(operand):
                self.body.refuse("an output that the assembly does not write is", what)
            value, place = state.held[operand.name], target
        elif isinstance(operand, Flag):
            said = state.flag(operand)
            if said is None:
                self.body.refuse("a flag that the assembly does not set is", what)
            value, place = said, self.body.place(what)
        else:
            return
        assert place is not None
        self.body.store(place, convert(value, plain(place.type)), node)


def asm(call: Call) -> Value:
    return _Assembly(call.body).statement(call.arguments, call.node)


def _text(node: c_ast.Node) -> str:
    assert isinstance(node, c_ast.Constant)
    value = str(node.value)
    return value[1:-1] if value.startswith('"') else value


def _of_size(place: Place, size: int) -> Place:
    """The place, accessed with so many bytes, and no order of its own."""
    type_ = plain(place.type)
    if not isinstance(type_, Int | Pointer) or size_of(type_) != size:
        type_ = _INTS[size]
    if isinstance(place, InRegisters):
        return InRegisters(place.variable, place.offset, type_)
    return InMemory(place.address, type_)
