"""Assembly in IR that means what litmus tests of its machine mean, as inline_asm/statements.py reads it.

Registers become locals. Of each it is kept which values it may have, so that it is known where addresses come from;
accesses have the machine's tags, which mapping.py leaves as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from xgen.frontends.assembly import Branch, Step, negation
from xgen.frontends.inline_asm.machines import OF_X86
from xgen.frontends.inline_asm.statements import Statement, Ways, is_constant, is_known, is_place, must_be_known
from xgen.frontends.inline_asm.x86 import SIZES, register_named
from xgen.frontends.litmus.thread import Thread as Lines
from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.objects import may_be_address
from xgen.frontends.llvm.values import Cell, Either, FromCells, Moved, Register, Value, expression, signed, unsigned
from xgen.frontends.mapping import VERBATIM
from xgen.frontends.mixed_size.parts import PART
from xgen.frontends.reductions.steps import written
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Deref, Expression, IntLiteral, Name, Wrap
from xgen.program.rewrite import folded, rewrite
from xgen.program.uses import names_in
from xgen.records import replace

if TYPE_CHECKING:
    from xgen.frontends.llvm.library.threads import Threads

_LETTERS = {name: letter for letter, name in OF_X86.items()}


class Instructions:
    """Does what the instructions of a statement do. `values`: what registers have on all ways to here, where that is
    known; `origins`: what each may have anywhere."""

    def __init__(self, thread: Threads, machine: str, text: str) -> None:
        self.thread = thread
        self.statement = Statement(machine, text, self._refuse)
        self.locals: dict[str, str] = {}
        self.values: dict[str, Value] = {}
        self.origins: dict[str, Either] = {}
        self.flags: set[str] = set()
        self.circles = False  # whether it may jump back

    def _refuse(self, what: str, hint: str | None = None) -> NoReturn:
        raise self.thread.unsupported(what, hint)

    # ---- operands

    def give(self, constraint: str, bare: str, value: Value | None, size: int | None) -> None:
        """The next operand, of so many bytes: its constraint and what it is, None of an output in a register."""
        if bare.startswith("{"):
            bare = _LETTERS.get(register_named(bare[1:-1]) or "", "") if self.statement.is_x86 else ""
        in_place = "*" in constraint
        if not bare or not is_known(bare) or (is_place(bare) and not in_place):
            raise self.thread.unsupported(f"the constraint `{constraint}` of assembly is")
        if in_place:
            assert value is not None
            self._hold(self.statement.in_memory(), value)
        elif value is not None and is_constant(bare):
            if not isinstance(value, int):
                what = f"an operand that is no constant for the constraint `{constraint}` of assembly is"
                raise self.thread.unsupported(what)
            self.statement.constant(value)
        else:
            if size not in SIZES:
                raise self.thread.unsupported("an operand of assembly that is no number and no pointer is")
            register = self.statement.in_register(constraint, bare, size)
            if register is None:
                raise self.thread.unsupported(f"the constraint `{constraint}` of assembly is")
            if value is not None:
                self._hold(register, value)

    def _hold(self, register: str, value: Value) -> None:
        """A register has a value from the start."""
        self._local(register)
        self._assign(register, self.thread.keep(value))

    def result(self, number: int, size: int) -> Value:
        """What the register of an output holds in the end."""
        register = self.statement.registers[number]
        if register is None or register not in self.locals:
            raise self.thread.unsupported("an output that the assembly does not write is")
        return self._sized(self._value(register), size)

    # ---- registers

    def _local(self, register: str) -> str:
        if register not in self.locals:
            name = self.locals[register] = self.thread.fresh()
            self.origins[register] = Either()
            if register in self.flags:
                self.thread.variables[name] = xcfa.Variable(name, xcfa.BOOL)
        return self.locals[register]

    def _assign(self, register: str, value: Value) -> None:
        local = self.locals[register]
        self.thread.assign(local, expression(value))
        self._may_get(register, value)
        self.values[register] = value if isinstance(value, int) else Register(Name(local), Either([value]))

    def _loaded(self, register: str, cells: list[Cell], width: int) -> None:
        """An event has put the number that was somewhere into the local of a register."""
        name = Name(self.locals[register])
        found = self.thread.used(
            self.thread.perhaps(Register(name, FromCells(cells) if width == 8 else Either(), 8 * width), cells)
        )
        self._assign(register, self._widened(found, width))

    def _value(self, register: str) -> Value:
        known = self.values.get(register)
        return Register(Name(self.locals[register]), self.origins[register]) if known is None else known

    def _sized(self, value: Value, size: int) -> Value:
        return value if size == 8 and not isinstance(value, int) else self.thread.part(value, 0, 8 * size)

    def _widened(self, value: Value, size: int) -> Value:
        """A number that is read, in a register: with its sign where the machine's words have theirs."""
        if size == 8 or self.statement.machine.signed:
            return value
        return unsigned_part(self.thread, value, size)

    def _expression(self, found: Expression) -> Expression:
        """An expression of registers as one of locals, or its value, where that is known."""

        def leaf(name: Name, _: object) -> Expression:
            return Name(self.locals[name.name]) if name.name in self.flags else expression(self._value(name.name))

        return folded(rewrite(found, leaf))

    def _computed(self, found: Expression) -> Value:
        """What is computed, and where it comes from as an address."""
        inner = found
        while isinstance(inner, Wrap) and inner.bits == 64:
            inner = inner.operand
        if isinstance(inner, Name):
            return self._value(inner.name)
        result = self._expression(found)
        if isinstance(result, IntLiteral):
            return signed(result.value, 64)
        return self.thread.keep(Register(result, self._origin(inner)))

    def _origin(self, found: Expression) -> Moved | Either | None:
        names = [name for name in names_in((found,)) if name not in self.flags]
        addresses = [value for value in map(self._value, names) if may_be_address(value)]
        match found:
            case Binary("+", Name(name), IntLiteral(by)):
                return Moved(self._value(name), by)
            case Binary("bitxor", left, right) if left == right:
                return Either()
        if isinstance(found, Wrap) and found.bits <= 32:
            return Either()
        if self.circles and any(name not in self.values for name in names):
            return None
        if addresses and not _adds(found):
            return None
        return Either([Register(expression(each), Moved(each, 0, (1,))) for each in addresses])

    # ---- what it does

    def run(self) -> None:
        """The steps of a thread of a litmus test become those of this one."""
        lines, thread = self.statement.thread(), self.thread
        steps = lines.since(0)
        self.flags |= lines.flags
        if any(not isinstance(step, xcfa.Fence | xcfa.Skip | xcfa.Assign) for step in steps):
            thread.end_single_threaded()
        for step in steps:
            must_be_known(step, self.locals, self._refuse)
            target = written(step)
            if target is not None:
                self._local(target)
        ways, was, looping = Ways(steps, self._refuse), thread.on_one_path, thread.looping
        self.circles = bool(ways.back)
        changed = {name for step in steps if (name := written(step)) is not None}
        labels = {name: thread.label() for name in ways.at}
        thread.on_one_path = was and not labels
        goes_on = True
        for number, step in enumerate(steps):
            if isinstance(step, str):
                goes_on = True
                self.values = {name: value for name, value in self.values.items() if name not in changed}
                if step in ways.back:
                    self._head(labels[step], step)
                else:
                    thread.emit(labels[step])
            elif goes_on:
                try:
                    self._one(number, steps, lines, ways, labels)
                except Unreachable:
                    thread.branch(None, "")
                    goes_on = False
        thread.on_one_path, thread.looping = was, looping
        if not goes_on:
            raise Unreachable

    def _one(self, number: int, steps: list[Step], lines: Lines, ways: Ways, labels: dict[str, str]) -> None:
        """One step, which is no label."""
        step = steps[number]
        if isinstance(step, Branch):
            self._branch(step, labels[step.label], number in ways.succeeding)
        elif lines.is_second(number + 1):
            self._two_words(step, steps[number + 1])
        elif not lines.is_second(number):
            self._step(step, lines.bits_of(number), lines)

    def _head(self, label: str, name: str) -> None:
        """A label that is jumped back to."""
        thread, unroll = self.thread, self.thread.world.options.unroll
        counter = thread.fresh("rounds") if unroll is not None else None
        if counter is not None:
            thread.assign(counter, IntLiteral(0))
        thread.looping += 1
        thread.emit_head(label, f"{thread.place_now} {name}")
        if counter is not None:
            thread.emit(xcfa.Bound(Name(counter), unroll or 0, thread.position))

    def _branch(self, step: Branch, label: str, succeeding: bool) -> None:
        thread = self.thread
        if step.condition is None:
            thread.emit(Branch(None, label, thread.position, step.fork))
            return
        test = self._expression(step.condition)
        if succeeding:
            thread.emit(xcfa.Assume(negation(test), thread.position))
        elif test != BoolLiteral(False):
            thread.branch(None if test == BoolLiteral(True) else test, label)

    def _step(self, step: Step, bits: int | None, lines: Lines) -> None:
        position = self.thread.position
        match step:
            case xcfa.Load() | xcfa.Store() | xcfa.StoreExclusive() | xcfa.Rmw():
                self._access(step, (bits or 64) // 8)
            case xcfa.Assign(target, value) if target.name in self.flags:
                self.thread.assign(self.locals[target.name], self._expression(value))
            case xcfa.Assign(target, value):
                self._assign(target.name, self._computed(value))
            case xcfa.Predict(target, value):
                name, value = Name(self.locals[target.name]), self._expression(value)
                self.thread.emit(replace(step, target=name, value=value, position=position))
                self.values.pop(target.name, None)
            case xcfa.Select(target, choice, positive, negative):
                name, choice = (Name(self.locals[each.name]) for each in (target, choice))
                for each in (positive, negative):
                    self._may_get(target.name, self._computed(each))
                positive, negative = self._expression(positive), self._expression(negative)
                self.thread.emit(xcfa.Select(name, choice, positive, negative, step.one_sided, position))
                self.values.pop(target.name, None)
            case xcfa.Fence():
                if not self.thread.single_threaded:
                    self.thread.emit(replace(step, position=position))
            case xcfa.Skip():
                pass
            case _:
                raise AssertionError(f"{step} is no step of an instruction of {lines.source.name}")

    def _may_get(self, register: str, value: Value) -> None:
        """What is no number that is known may turn out to be an address."""
        if isinstance(value, Register) or may_be_address(value):
            self.origins[register].values.append(value)

    # ---- accesses

    def _access(self, step: xcfa.Load | xcfa.Store | xcfa.StoreExclusive | xcfa.Rmw, width: int) -> None:
        thread = self.thread
        assert isinstance(step.place, Deref)
        pointer = self._address(step.place.address)
        thread.must_fit(pointer, width)
        if isinstance(step, xcfa.Store):
            order = self._order(step.order, pointer, width)
            thread.store(pointer, self._sized(self._computed(step.value), width), width, order)
            return
        if isinstance(step, xcfa.Load) and not step.exclusive:
            loaded = thread.load(pointer, width, self._order(step.order, pointer, width))
            self._assign(step.target.name, self._widened(loaded, width))
            return
        place, cells = self._cell(pointer, width, write=not isinstance(step, xcfa.Load))
        if isinstance(step, xcfa.Load):
            target = Name(self.locals[step.target.name])
            thread.emit(xcfa.Load(target, place, False, step.order, thread.position, exclusive=True))
            self._loaded(step.target.name, cells, width)
        elif isinstance(step, xcfa.StoreExclusive):
            value = self._sized(self._computed(step.value), width)
            thread.note_escape(value, cells)
            status = Name(self.locals[step.status.name])
            thread.emit(xcfa.StoreExclusive(status, expression(value), place, step.order, thread.position))
            self.values.pop(step.status.name, None)
        else:
            self._update(step, place, cells, width)

    def _two_words(self, first: Step, second: Step) -> None:
        """An exclusive access of two words, as in litmus tests: each is read by itself, and the second one is written
        if the first is."""
        thread = self.thread
        if not isinstance(first, xcfa.Load | xcfa.StoreExclusive):
            raise thread.unsupported("an update, by assembly, of two registers at once is")
        assert isinstance(first.place, Deref)
        pointer, position = self._address(first.place.address), thread.position
        thread.note_access(pointer, 16, True)
        places, cells = thread.cells_of(pointer, not isinstance(first, xcfa.Load))
        if isinstance(first, xcfa.Load):
            assert isinstance(second, xcfa.Load)
            names = [Name(self.locals[each.target.name]) for each in (first, second)]
            order = VERBATIM + (first.order or "")
            thread.emit(
                xcfa.Load(names[0], places[0], False, first.order, position, exclusive=True),
                xcfa.Load(names[1], places[1], False, order, position, ("exclusive",)),
            )
            for each, of_half in zip((first, second), cells, strict=True):
                self._loaded(each.target.name, of_half, 8)
            return
        assert isinstance(second, xcfa.Store)
        values = [self._computed(each.value) for each in (first, second)]
        for value, of_half in zip(values, cells, strict=True):
            thread.note_escape(value, of_half)
        one, other = map(expression, values)
        tags = (*([first.order] if first.order else []), PART)
        thread.emit(
            xcfa.StoreExclusive(Name(self.locals[first.status.name]), one, places[0], first.order, position),
            xcfa.Store(other, places[1], False, VERBATIM + "exclusive", position, tags),
        )
        self.values.pop(first.status.name, None)

    def _address(self, found: Expression) -> Value:
        """Where an access is to."""
        if self.circles and any(name not in self.values for name in names_in((found,))):
            raise self.thread.unsupported("an address in assembly that a loop there changes is")
        return self._computed(found)

    def _update(self, step: xcfa.Rmw, place: Deref, cells: list[Cell], width: int) -> None:
        thread, name = self.thread, None if step.target is None else Name(self.locals[step.target.name])
        arguments = [self._sized(self._computed(each), width) for each in step.arguments]
        for argument in arguments:
            thread.note_escape(argument, cells)
        given, tags = tuple(map(expression, arguments)), (step.read_tags, step.write_tags)
        bits = None if step.bits is None else -8 * width
        thread.emit(xcfa.Rmw(name, step.op, place, given, (VERBATIM,), thread.position, *tags, bits))
        if step.target is not None:
            self._loaded(step.target.name, cells, width)

    def _cell(self, pointer: Value, width: int, write: bool) -> tuple[Deref, list[Cell]]:
        """What an update, or an exclusive access, is to."""
        thread = self.thread
        thread.note_access(pointer, width, write)
        thread.piece(pointer, width, True)
        cells = list[Cell]()
        if isinstance(pointer, int):
            place = thread.found(pointer, width)
            if place is not None:
                if write:
                    thread.must_be_variable(place[0])
                thread.must_be_there(place[0])
                thread.facts.access(thread.who, *place, width, True)
                thread.facts.note_shared(*place, width)
                cells.append((place[0].name, place[1], width))
        else:
            cells = thread.cells_at(pointer, width, write=True)
        return Deref(expression(pointer), thread.position, -width), cells

    def _order(self, order: str | None, pointer: Value, width: int) -> str | None:
        """That of an access."""
        return order_at(self.thread, VERBATIM + (order or ""), pointer, width)


def order_at(thread: Threads, order: str, pointer: Value, width: int) -> str | None:
    """The order of an access; none where no other thread gets at what is accessed."""
    found = thread.found(pointer, width) if isinstance(pointer, int) else None
    return None if found is not None and thread.facts.is_private(thread.number, *found, width) else order


def unsigned_part(thread: Threads, value: Value, size: int) -> Value:
    """The low bytes of a number, fewer than 8, as one without a sign."""
    if isinstance(value, int):
        return unsigned(value, 8 * size)
    return thread.keep(Register(Wrap(expression(value), 8 * size, False), Either()))


def _adds(found: Expression) -> bool:
    """Whether numbers are only added and subtracted."""
    match found:
        case Name() | IntLiteral():
            return True
        case Wrap(inner, 64, _):
            return _adds(inner)
        case Binary("+" | "-", left, right):
            return _adds(left) and _adds(right)
    return False
