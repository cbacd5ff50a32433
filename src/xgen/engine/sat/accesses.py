"""The events that instructions are, with what they read and write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal as One

from xgen._core import Op, RmwKind
from xgen.engine.sat.computing import Computer
from xgen.engine.sat.dependencies.taint import (
    MAY_FAIL,
    NOTHING,
    REPLACES,
    Dependencies,
    Taint,
    Way,
    joined,
    operands_of,
)
from xgen.engine.sat.events import INITIAL, Error, Event, Place, Stand, State, Value, refused
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.numbers import WORD, Bits, Numbers, constant
from xgen.lowering.analysis.value_sets import accessed_cells, written_values
from xgen.lowering.code import Code, Instruction, Rmw, objects

_Cells = dict[int, Literal]


class Accesses(Computer):
    """Runs instructions that are events.

    events   in the order in which they were met: initial writes, then thread by thread in program order
    doubts   where something is written that a read would not see, as it was thought too small for it
    exclusives  of exclusive loads, and stores that may pair with them: whether they do
    stands   where a thread may stay for ever: at locks and joins
    """

    def __init__(self, code: Code, gates: Numbers, dependent: bool = False) -> None:
        super().__init__(code, gates, dependent)
        self.events: list[Event] = []
        self.doubts: list[Place] = []
        self.stands: list[Stand] = []
        self.ended = [gates.new() for _ in code.threads]
        self.started: dict[int, list[Literal]] = {i.a: [] for i in code.instructions if i.op is Op.START}
        self._accessed = accessed_cells(code)
        self.objects = objects(code)
        self.exclusives: dict[tuple[int, int], Literal] = {}
        self.spans = _spans(code, self.ranges.cells)
        for cell, value in enumerate(code.initial):
            event = Event(cell, INITIAL, "W", TRUE, 0, cells={cell: TRUE}, value=constant(value))
            self.events.append(event)

    def event(self, pc: int, i: Instruction, state: State) -> None:
        """Runs an instruction of the kind EVENT."""
        if not self.dependent:
            self._event(pc, i, state)
            return
        before, given = len(self.events), operands_of(i, self.code.rmws)
        address, value, compared = (
            self.get(state, operand).taint if operand >= 0 else NOTHING
            for operand in (given.address, given.value, given.compared)
        )
        way = state.way
        self._event(pc, i, state)
        made = self.events[before:]
        for event in made:
            event.dependencies = Dependencies(address, NOTHING, way)
        if i.op is Op.RMW and made:
            self._update_depends(i, state, made[0], made[1], value, compared)
        elif i.op in (Op.STORE, Op.STOREX, Op.UNLOCK):
            for event in made:
                event.dependencies = Dependencies(address, value, way)
                if i.op is Op.STOREX:  # whether it has succeeded depends on it
                    state.registers[i.dst] = Value(constant(0), taint={event.number: TRUE})
        elif i.op in (Op.LOAD, Op.LOADX) and made and i.dst >= 0:
            found = state.registers[i.dst]
            state.registers[i.dst] = Value(found.bits, found.cells, {made[0].number: TRUE})

    def _update_depends(
        self, i: Instruction, state: State, read: Event, write: Event, value: Taint, compared: Taint
    ) -> None:
        """Of a pair that an update stands for the write depends on the read: by its value, or as the store is behind a
        branch; and what follows depends on it that the store succeeds."""
        rmw, gates, own = self.code.rmws[i.c], self.gates, {read.number: TRUE}
        addr, way = read.dependencies.addr, read.dependencies.way
        data, picks = value, compared if rmw.picks else NOTHING
        if not rmw.picks and not rmw.pair:
            data = joined(gates, (value, compared))
        if rmw.pair and rmw.kind in MAY_FAIL:
            way = Way(joined(gates, (way.control, compared, own)), joined(gates, (way.all, compared, own)))
        elif rmw.pair and rmw.kind not in REPLACES:
            data = joined(gates, (data, own))
        write.dependencies = Dependencies(addr, data, way, picks)
        read.dependencies = Dependencies(addr, NOTHING, read.dependencies.way, picks)
        if rmw.pair:
            self.goes_by(state, [{write.number: write.exec}])
        if i.dst >= 0:
            found = state.registers[i.dst]
            state.registers[i.dst] = Value(found.bits, found.cells, own)

    def _event(self, pc: int, i: Instruction, state: State) -> None:
        if i.part or i.op is Op.MEET:
            what = "barriers" if i.op is Op.MEET else "accesses of several sizes to the same bytes"
            raise refused(self.code, pc, what)
        match i.op:
            case Op.FENCE:
                self._made(state, "F", pc, i.c)
            case Op.START:
                self._made(state, "F", pc, i.c, starts=i.a)
                self.started[i.a].append(state.guard)
                self._wrote(state, TRUE)
            case Op.JOIN:
                before = state.guard
                state.guard = self.gates.both(before, self.ended[i.a])
                self._stays(pc, self.gates.both(before, -self.ended[i.a]))
                self._made(state, "F", pc, i.c, joins=i.a)
            case Op.LOAD | Op.LOADX:
                cells = self._cells(state, i.a, pc)
                if cells:
                    read = self._made(state, "R", pc, i.c, cells=cells, value=self._read(cells))
                    self._unset(state, read, blind=i.dst < 0)
                    if i.dst >= 0:
                        state.registers[i.dst] = Value(read.value)
                    if i.op is Op.LOADX:
                        self._reserve(state, i, read)
            case Op.STORE | Op.UNLOCK:
                cells = self._cells(state, i.a, pc)
                if cells:
                    if i.op is Op.UNLOCK:
                        self._unlock(state, cells, pc)
                    self._write(state, pc, i.c, state.guard, cells, self.get(state, i.b).bits)
                    self._wrote(state, TRUE)
            case Op.STOREX:
                cells = self._cells(state, i.a, pc)
                if cells:
                    write = self._write(state, pc, i.c, state.guard, cells, self.get(state, i.b).bits)
                    self._pair(state, i, write)
                    self._wrote(state, TRUE)
            case Op.RMW:
                self._update(pc, i, state, self.code.rmws[i.c])
            case Op.OBJECT:
                self._lifetime(pc, i, state, self._cells(state, i.a, pc))
            case _:
                raise refused(self.code, pc, f"the operation {i.op.name}")

    def _made(
        self,
        state: State,
        kind: One["R", "W", "F"],
        pc: int,
        event_class: int,
        cells: _Cells | None = None,
        value: Bits = (),
        starts: int = -1,
        joins: int = -1,
    ) -> Event:
        number = len(self.events)
        made = Event(number, self.thread, kind, state.guard, event_class, pc, cells or {}, value)
        made.starts, made.joins = starts, joins
        self.events.append(made)
        return made

    def _wrote(self, state: State, literal: Literal) -> None:
        """Notes, for all loops that the thread is in, that it has done what is seen outside of them."""
        state.writes = tuple(self.gates.either(before, literal) for before in state.writes)

    def _stays(self, pc: int, literal: Literal, cells: _Cells | None = None, expected: Bits = ()) -> None:
        if literal != FALSE:
            self.stands.append(Stand(self.thread, pc, literal, cells or {}, expected))

    def _cells(self, state: State, operand: int, pc: int) -> _Cells:
        """The cells that an access may be to; where it is to none, the thread does not come there."""
        if operand < 0:
            return {self.code.constants[~operand]: TRUE}
        value = self.get(state, operand)
        cells = value.cells
        if cells is None:
            may = self._accessed[pc]
            wanted = range(len(self.code.cells)) if may is None else may
            cells = {cell: self.gates.equal(value.bits, constant(cell)) for cell in wanted}
        cells = {cell: literal for cell, literal in cells.items() if literal != FALSE}
        state.guard = self.gates.both(state.guard, self.gates.any(cells.values()))
        return cells if state.guard != FALSE else {}

    def _read(self, cells: _Cells) -> Bits:
        """What is read of one of these: a number that writes of them can have."""
        low = min(self.spans[cell][0] for cell in cells)
        high = max(self.spans[cell][1] for cell in cells)
        return self.gates.fresh(low, high)

    def _unset(self, state: State, read: Event, blind: bool) -> None:
        """An error where it reads what has no value yet, unless nobody looks at it; encoding.py says where that is."""
        if not blind and any(self.code.cells[cell].undefined for cell in read.cells):
            read.unset = self.gates.new()
            self.fails(state, read.unset, "uninitialised", read.pc)

    def _write(self, state: State, pc: int, event_class: int, there: Literal, cells: _Cells, value: Bits) -> Event:
        made = self._made(state, "W", pc, event_class, cells=cells, value=value)
        made.exec = there
        for cell, literal in cells.items():
            low, high = self.spans[cell]
            width = max(len(constant(low)), len(constant(high)))
            seen = self.gates.wrap(value, width - 1 if low >= 0 else -width) if width <= WORD else value
            doubt = self.gates.all((there, literal, -self.gates.equal(seen, value)))
            if doubt != FALSE:
                self.doubts.append(Place(self.thread, pc, doubt))
        return made

    def _reserve(self, state: State, i: Instruction, read: Event) -> None:
        """An exclusive load: its cell is reserved, and by it. Which cell that is depends on the load's address."""
        reservation = self.code.threads[self.thread].reservation
        address = self.get(state, i.a)
        reserved = self.gates.add(address.bits, constant(1))
        state.registers[reservation] = Value(reserved, taint=address.taint)
        state.registers[reservation + 1] = Value(constant(read.number))

    def _pair(self, state: State, i: Instruction, write: Event) -> None:
        """A store exclusive that succeeds: it has the load that has reserved the cell, which it gives back."""
        reservation = self.code.threads[self.thread].reservation
        by = self.get(state, reservation + 1).bits
        for event in self.events:
            if event.thread == self.thread and event.kind == "R" and self.code.instructions[event.pc].op is Op.LOADX:
                literal = self.gates.both(write.exec, self.gates.equal(by, constant(event.number)))
                if literal != FALSE:
                    self.exclusives[event.number, write.number] = literal
        free = Value(constant(0))
        state.registers |= {i.dst: free, reservation: free, reservation + 1: free}

    def _unlock(self, state: State, cells: _Cells, pc: int) -> None:
        """An error where the thread's last write to the mutex is not its lock's."""
        held = FALSE
        for cell, literal in cells.items():
            locked = FALSE
            for event in self.events:
                if event.thread == self.thread and event.kind == "W" and cell in event.cells:
                    here = self.gates.both(event.exec, event.cells[cell])
                    locked = self.gates.pick(here, TRUE if event.partner >= 0 else FALSE, locked)
            held = self.gates.either(held, self.gates.both(literal, locked))
        self.fails(state, -held, "unlock", pc)

    def _lifetime(self, pc: int, i: Instruction, state: State, cells: _Cells) -> None:
        """An allocation or a free; an error where it is of what is not the start of an object."""
        others = {cell: literal for cell, literal in cells.items() if self.objects[cell] != cell}
        wrong = self.gates.both(state.guard, self.gates.any(others.values()))
        if wrong != FALSE:
            self.errors.append(Error(self.thread, pc, wrong, "bad-free", others))
            state.guard = self.gates.both(state.guard, -wrong)
        if len(others) < len(cells):
            made = self._made(state, "F", pc, i.c)
            made.objects = {cell: literal for cell, literal in cells.items() if cell not in others}
            self._wrote(state, TRUE)

    def _update(self, pc: int, i: Instruction, state: State, rmw: Rmw) -> None:
        gates = self.gates
        cells = self._cells(state, rmw.address, pc)
        if not cells:
            return
        operand, expected = self.get(state, rmw.operand).bits, self.get(state, rmw.expected).bits
        old = self._read(cells)
        success = TRUE
        if rmw.kind in (RmwKind.CAS, RmwKind.LOCK):
            success = gates.equal(old, expected)
        elif rmw.kind is RmwKind.ADD_UNLESS:
            success = -gates.equal(old, expected)
        before = state.guard
        if rmw.kind is RmwKind.LOCK:  # it goes on where it can, or stays there
            state.guard = gates.both(before, gates.new())
        read = self._made(state, "R", pc, rmw.read_class, cells=cells, value=old)
        read.success, read.failed_class = success, rmw.failed_class
        if rmw.kind is RmwKind.LOCK:
            self._stays(pc, gates.both(before, -state.guard), cells, expected)
            destroyed = gates.both(state.guard, old[-1])
            if destroyed != FALSE:
                self.errors.append(Error(self.thread, pc, destroyed, "destroyed"))
            gates.clause(-state.guard, success, old[-1])
            state.guard = gates.both(state.guard, success)
        self._unset(state, read, blind=i.dst < 0 and rmw.kind is RmwKind.EXCHANGE)
        new = self._updated(rmw, old, operand)
        new = gates.wrap(new, rmw.bits) if rmw.bits else self.word(state, new, pc, success)
        write = self._write(state, pc, rmw.write_class, gates.both(state.guard, success), cells, new)
        write.partner, read.partner = read.number, write.number
        if i.dst >= 0:
            state.registers[i.dst] = Value(old)
        self._wrote(state, success)

    def _updated(self, rmw: Rmw, old: Bits, operand: Bits) -> Bits:
        gates, kind = self.gates, rmw.kind

        def signed(bits: Bits) -> Bits:
            return gates.wrap(bits, -rmw.bits) if rmw.bits > 0 else bits

        made: dict[RmwKind, Callable[[], Bits]] = {
            RmwKind.ADD: lambda: gates.add(old, operand),
            RmwKind.ADD_UNLESS: lambda: gates.add(old, operand),
            RmwKind.SUB: lambda: gates.subtract(old, operand),
            RmwKind.AND: lambda: gates.bitwise(gates.both, old, operand),
            RmwKind.ANDNOT: lambda: gates.bitwise(gates.both, old, gates.invert(operand)),
            RmwKind.OR: lambda: gates.bitwise(gates.either, old, operand),
            RmwKind.XOR: lambda: gates.bitwise(gates.xor, old, operand),
            RmwKind.MIN: lambda: gates.choose(gates.less(signed(old), signed(operand)), old, operand),
            RmwKind.MAX: lambda: gates.choose(gates.less(signed(old), signed(operand)), operand, old),
            RmwKind.UMIN: lambda: gates.choose(gates.less(old, operand, unsigned=True), old, operand),
            RmwKind.UMAX: lambda: gates.choose(gates.less(old, operand, unsigned=True), operand, old),
        }
        return made[kind]() if kind in made else operand


def _spans(code: Code, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """For each cell: between which numbers what it holds is, by its type and by what may be written to it."""
    written: list[set[int] | None] = [
        None if cell.undefined else {value} for cell, value in zip(code.cells, code.initial, strict=True)
    ]
    for cells, values in written_values(code):
        for number in range(len(written)) if cells is None else cells:
            known = written[number]
            written[number] = None if values is None or known is None else known | set(values)
    found = []
    for cell, (low, high), known, initial in zip(code.cells, ranges, written, code.initial, strict=True):
        bits = 8 * abs(cell.width)
        if 0 < bits < WORD:
            low = max(low, -(1 << bits - 1) if cell.width < 0 else 0)
            high = min(high, (1 << bits - (cell.width < 0)) - 1)
        if known is not None:
            low, high = max(low, min(known)), min(high, max(known))
        found.append((min(low, initial), max(high, initial)))
    return found
