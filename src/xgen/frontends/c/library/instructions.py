"""Assembly in C that means what litmus tests of its machine mean: AArch64, Arm, Power, RISC-V; x86 where it jumps.

The lines of a statement are one thread of a litmus test, read by the machine's reader. Its registers become locals of
the C program, operands are registers that hold their values or addresses, and each access is one of C's memory with the
machine's tags, which mapping.py leaves as they are. A loop that a failed store exclusive leads back to is not gone
round again where its rounds do nothing else: as in an update of C, the store is taken to succeed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pycparser import c_ast

from xgen.frontends.assembly import Branch, Step, negation
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.facts import TranslateAgain
from xgen.frontends.c.language.flow import Label
from xgen.frontends.c.values.arithmetic import convert
from xgen.frontends.c.values.places import InMemory, Value
from xgen.frontends.c.values.types import (
    INT,
    LONG,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    CType,
    bits_of,
    is_scalar,
    is_signed,
    plain,
    size_of,
)
from xgen.frontends.inline_asm.statements import Statement, Ways, is_constant, is_known, is_place, must_be_known
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.mapping import VERBATIM
from xgen.frontends.mixed_size.parts import PART
from xgen.frontends.reductions.steps import written
from xgen.program import automaton as xcfa
from xgen.program.automaton import Expression, IntLiteral, Name
from xgen.program.rewrite import folded, rewrite
from xgen.records import replace

Given: TypeAlias = "tuple[str, c_ast.Node]"
"""An operand: its constraint, and what it is."""

_OF_BITS = {8: UCHAR, 16: USHORT, 32: UINT, 64: ULONG}
_WITH_A_SIGN = {"fetch_max", "fetch_min"}


class _Statement(Statement):
    """A statement while it is read. `locals` are the registers, and values in between."""

    def __init__(self, machine: str, text: str, body: Body, node: c_ast.Node) -> None:
        super().__init__(machine, text, lambda what, hint=None: body.refuse(what, node, hint))
        self.node = node
        self.locals = dict[str, str]()


class Instructions:
    """Does what the instructions of a statement do."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def run(self, name: str, text: str, given: Sequence[Given], outputs: int, node: c_ast.Node) -> None:
        """A statement of assembly: its text, its operands, of which the first so many are outputs."""
        statement = _Statement(name, text, self.body, node)
        for k, (constraint, what) in enumerate(given):
            self._operand(statement, constraint, what, k < outputs)
        self._emit(statement, statement.thread())
        for register, (_, what) in zip(statement.registers, given[:outputs], strict=False):
            if register is not None:
                self._output(statement, register, what)

    # ---- operands

    def _operand(self, statement: _Statement, constraint: str, what: c_ast.Node, output: bool) -> None:
        bare, node = constraint.lstrip("=+&%"), statement.node
        if not is_known(bare):
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        if is_place(bare):
            place = self.body.place(what)
            address = self.body.keep(self.body.plain_number(self.body.address(place)), node)
            self._hold(statement, statement.in_memory(), Value(address.expression, ULONG))
        elif not output and is_constant(bare):
            value = self.body.plain_number(self.body.number(what)).constant
            if value is None:
                self.body.refuse(
                    f"an operand that is no constant for the constraint `{constraint}` of assembly is", what
                )
            statement.constant(value)
        else:
            self._in_register(statement, constraint, what, output)

    def _in_register(self, statement: _Statement, constraint: str, what: c_ast.Node, output: bool) -> None:
        bare, node = constraint.lstrip("=+&%"), statement.node
        place = self.body.place(what) if output else None
        value = None
        if place is None or "+" in constraint:
            value = self.body.load(place, node) if place else self.body.number(what)
            value = self.body.keep(self.body.plain_number(value), node)
        type_ = plain(place.type) if place else plain(value.type if value else INT)
        if not is_scalar(type_):
            self.body.refuse("an operand of assembly that is no number and no pointer is", what)
        register = statement.in_register(constraint, bare, size_of(type_))
        if register is None:
            self.body.refuse(f"the constraint `{constraint}` of assembly is", node)
        if value is not None:
            self._hold(statement, register, value)

    def _hold(self, statement: _Statement, register: str, value: Value) -> None:
        """A register has a value from the start."""
        if statement.machine.signed and plain(value.type) == UINT:
            value = convert(value, INT)
        local = self._local(statement, register)
        self.body.flow.assign(local, value.expression, self.body.position(statement.node))

    def _local(self, statement: _Statement, register: str, flag: bool = False) -> str:
        """The local that a register is, or a value in between."""
        if register not in statement.locals:
            name = statement.locals[register] = self.body.fresh()
            if flag:
                self.body.variables[name] = xcfa.Variable(name, xcfa.BOOL)
        return statement.locals[register]

    def _output(self, statement: _Statement, register: str, what: c_ast.Node) -> None:
        """What a register holds in the end is put where it belongs."""
        if register not in statement.locals:
            self.body.refuse("an output that the assembly does not write is", what)
        place, value = self.body.place(what), self._now(Name(statement.locals[register]))
        self.body.store(place, convert(Value(value, LONG), plain(place.type)), statement.node)

    # ---- what it does

    def _emit(self, statement: _Statement, thread: Thread) -> None:
        """The steps of a thread of a litmus test become C's."""
        steps = thread.since(0)
        self._all_known(statement, thread, steps)
        ways, labels = Ways(steps, statement.refuse), dict[str, Label]()
        looping = 0
        for number, step in enumerate(steps):
            if isinstance(step, str):
                label = labels[step] = labels.get(step) or self.body.flow.label()
                if step in ways.back:
                    self._head(label, steps[number : ways.back[step]], statement, number)
                    self.body.looping += 1
                    looping += 1
                else:
                    self.body.flow.bind(label)
            elif isinstance(step, Branch):
                labels[step.label] = labels.get(step.label) or self.body.flow.label()
                self._branch(step, labels[step.label], statement, number in ways.succeeding)
            elif thread.is_second(number + 1):
                self._two_words(step, steps[number + 1], statement)
            elif not thread.is_second(number):
                self._step(step, thread.bits_of(number), statement, thread)
        self.body.looping -= looping
        for name, label in labels.items():
            if name in ways.back and label.lost:
                self.body.world.facts.changing.setdefault((id(statement.node), ways.at[name]), set()).update(label.lost)
                raise TranslateAgain

    def _all_known(self, statement: _Statement, thread: Thread, steps: Sequence[Step]) -> None:
        """Each register that is read has a value; locals are made for those that get one."""
        for step in steps:
            must_be_known(step, statement.locals, statement.refuse)
            target = written(step)
            if target is not None:
                self._local(statement, target, target in thread.flags)

    def _head(self, label: Label, steps: Sequence[Step], statement: _Statement, number: int) -> None:
        """A label that is jumped back to."""
        position, unroll = self.body.position(statement.node), self.body.world.options.unroll
        counter = self.body.fresh("rounds") if unroll is not None else None
        if counter:
            self.body.flow.emit(xcfa.Assign(Name(counter), IntLiteral(0), position))
        names = {statement.locals[name] for step in steps if (name := written(step)) is not None}
        self.body.flow.place_head(
            label, names | self.body.world.facts.changing.get((id(statement.node), number), set())
        )
        if counter:
            self.body.flow.emit(xcfa.Bound(Name(counter), unroll or 0, position))

    def _branch(self, step: Branch, label: Label, statement: _Statement, succeeding: bool) -> None:
        position = self.body.position(statement.node)
        if step.condition is None:
            (self.body.flow.fork if step.fork else self.body.flow.jump)(label, position)
            return
        condition = self._expression(step.condition, statement)
        if succeeding:
            self.body.assume(negation(condition), statement.node)
        else:
            self.body.flow.branch(condition, label, position)

    def _expression(self, expression: Expression, statement: _Statement) -> Expression:
        """An expression of registers as one of locals, or its value, where that is known."""
        return self._now(rewrite(expression, lambda name, _: Name(statement.locals[name.name])))

    def _now(self, expression: Expression) -> Expression:
        known = self.body.flow.known or {}

        def leaf(name: Name, _: object) -> Expression:
            value = known.get(name.name)
            return IntLiteral(value) if isinstance(value, int) else name

        return folded(rewrite(expression, leaf))

    def _step(self, step: xcfa.Statement, bits: int | None, statement: _Statement, thread: Thread) -> None:
        position = self.body.position(statement.node)
        match step:
            case xcfa.Load() | xcfa.Store() | xcfa.StoreExclusive() | xcfa.Rmw():
                assert isinstance(step.place, xcfa.Deref)
                address = self._expression(step.place.address, statement)
                self._access(step, InMemory(address, _OF_BITS[bits or 64]), statement)
            case xcfa.Assign(target, value):
                self.body.flow.assign(statement.locals[target.name], self._expression(value, statement), position)
            case xcfa.Predict(target, value):
                name = Name(statement.locals[target.name])
                value = self._expression(value, statement)
                self.body.flow.emit(replace(step, target=name, value=value, position=position))
                self.body.flow.learn(name.name, None)
            case xcfa.Select(target, choice, positive, negative):
                name, choice = (Name(statement.locals[each.name]) for each in (target, choice))
                positive, negative = self._expression(positive, statement), self._expression(negative, statement)
                self.body.flow.emit(xcfa.Select(name, choice, positive, negative, step.one_sided, position))
                self.body.flow.learn(name.name, None)
            case xcfa.Fence():
                self.body.flow.emit(replace(step, position=position))
            case xcfa.Skip():
                pass
            case _:
                raise AssertionError(f"{step} is no step of an instruction of {thread.source.name}")

    def _two_words(self, first: Step, second: Step, statement: _Statement) -> None:
        """An exclusive access of two words, as in litmus tests: each is read by itself, and the second one is written
        if the first is."""
        node, position, flow = statement.node, self.body.position(statement.node), self.body.flow
        if not isinstance(first, xcfa.Load | xcfa.StoreExclusive):
            self.body.refuse("an update, by assembly, of two registers at once is", node)
        assert isinstance(first.place, xcfa.Deref)
        assert isinstance(second, xcfa.Load | xcfa.Store)
        address = self._expression(first.place.address, statement)
        places = [InMemory(self.body.add(address, offset), LONG) for offset in (0, 8)]
        if any(self.body.parts.is_parted(place, node, VERBATIM) for place in places):
            self.body.refuse("an access, by assembly, to two words that are accessed in parts is", node)
        (low, stored), (high, stored_high) = (self.body.cell(place, node) for place in places)
        if isinstance(first, xcfa.Load):
            assert isinstance(second, xcfa.Load)
            names = [Name(statement.locals[each.target.name]) for each in (first, second)]
            self.body.note_read(low)
            self.body.note_read(high)
            flow.emit(
                xcfa.Load(names[0], low, False, first.order, position, exclusive=True),
                xcfa.Load(names[1], high, False, VERBATIM + (first.order or ""), position, ("exclusive",)),
            )
            for name, place, type_ in zip(names, places, (stored, stored_high), strict=True):
                flow.learn(name.name, None)
                if self.body.may_hold_nothing(place, type_):
                    self.body.filled(name.name, node)
            return
        assert isinstance(second, xcfa.Store)
        status, values = Name(statement.locals[first.status.name]), (first.value, second.value)
        new = [
            self.body.keep(Value(self._argument(value, type_, statement), LONG), node).expression
            for value, type_ in zip(values, (stored, stored_high), strict=True)
        ]
        for place in places:
            self.body.note_write(place, None, node)
        tags = (*([first.order] if first.order else []), PART)
        flow.emit(
            xcfa.StoreExclusive(status, new[0], low, first.order, position),
            xcfa.Store(new[1], high, False, VERBATIM + "exclusive", position, tags),
        )
        flow.learn(status.name, None)

    def _access(
        self, step: xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw, at: InMemory, statement: _Statement
    ) -> None:
        node, position = statement.node, self.body.position(statement.node)
        if isinstance(step, xcfa.Store):
            value = Value(self._expression(step.value, statement), LONG)
            self.body.store(at, value, node, VERBATIM + (step.order or ""))
            return
        if isinstance(step, xcfa.Load) and not step.exclusive:
            loaded = self.body.plain_number(self.body.load(at, node, VERBATIM + (step.order or "")))
            self.body.flow.assign(statement.locals[step.target.name], loaded.expression, position)
            return
        if self.body.parts.is_parted(at, node, VERBATIM):
            self.body.refuse("an update, by assembly, of what is accessed in parts is", node)
        cell, stored = self.body.cell(at, node)
        target = step.status if isinstance(step, xcfa.StoreExclusive) else step.target
        name = None if target is None else Name(statement.locals[target.name])
        if isinstance(step, xcfa.Load):
            assert name is not None
            self.body.note_read(cell)
            self.body.flow.emit(xcfa.Load(name, cell, False, step.order, position, exclusive=True))
        elif isinstance(step, xcfa.StoreExclusive):
            assert name is not None
            self.body.note_write(at, None, node)
            self.body.flow.emit(
                xcfa.StoreExclusive(name, self._argument(step.value, stored, statement), cell, step.order, position)
            )
        else:
            self._update(step, name, cell, stored, at, statement)
        if name is not None:
            self.body.flow.learn(name.name, None)
        if name is not None and not isinstance(step, xcfa.StoreExclusive) and self.body.may_hold_nothing(at, stored):
            self.body.filled(name.name, node)

    def _update(
        self,
        step: xcfa.Rmw,
        name: Name | None,
        cell: xcfa.AnyPlace,
        stored: CType,
        at: InMemory,
        statement: _Statement,
    ) -> None:
        width, negative = bits_of(stored), is_signed(stored) or bits_of(stored) == 64
        if step.op in _WITH_A_SIGN and not negative:
            self.body.refuse("a signed minimum or maximum, by assembly, of an unsigned number is", statement.node)
        arguments = tuple(self._argument(value, stored, statement) for value in step.arguments)
        self.body.note_write(at, None, statement.node)
        bits = None if step.bits is None else -width if negative else width
        position, orders = self.body.position(statement.node), (VERBATIM,)
        update = xcfa.Rmw(name, step.op, cell, arguments, orders, position, step.read_tags, step.write_tags, bits)
        self.body.flow.emit(update)

    def _argument(self, value: Expression, stored: CType, statement: _Statement) -> Expression:
        """What an update is given, as a number of the type that is there."""
        return convert(Value(self._expression(value, statement), LONG), stored).expression
