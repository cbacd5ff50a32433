"""Lowering what touches shared variables: which cells they have, and the events of statements."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Literal, TypeAlias

from xgen._core import WHOLE_OBJECT, Op, RmwKind
from xgen.errors import LimitError, ProgramError
from xgen.lowering import code
from xgen.lowering.code import (
    ADDRESS,
    EVENTS,
    NO_DEPENDENCY,
    SECOND_WORD,
    SPLIT_UPDATE,
    UNCOUNTED,
    UNLOCK,
    Draft,
    EventClass,
    Site,
)
from xgen.lowering.expressions import Array, Builder, Computing, fallible, run
from xgen.program import automaton as xcfa
from xgen.records import replace

MAX_CELLS = 16_000
"""Shared variables and cells of arrays: each is an event of every execution, and the engine takes 16,384 of these."""

PART = "part"
"""The tag of an access that is a part of the one before it in its thread."""
MAX_PARTS = 16

KINDS = {
    "exchange": RmwKind.EXCHANGE,
    "fetch_add": RmwKind.ADD,
    "fetch_sub": RmwKind.SUB,
    "fetch_and": RmwKind.AND,
    "fetch_andnot": RmwKind.ANDNOT,
    "fetch_or": RmwKind.OR,
    "fetch_xor": RmwKind.XOR,
    "fetch_min": RmwKind.MIN,
    "fetch_max": RmwKind.MAX,
    "fetch_umin": RmwKind.UMIN,
    "fetch_umax": RmwKind.UMAX,
    "fetch_fadd32": RmwKind.REAL_ADD32,
    "fetch_fadd64": RmwKind.REAL_ADD64,
    "cas": RmwKind.CAS,
    "add_unless": RmwKind.ADD_UNLESS,
}

Triple: TypeAlias = tuple[int, int, int]


def _class(kind: Literal["R", "W", "F"], *tags: str | None) -> EventClass:
    return EventClass(kind, frozenset(tag for tag in tags if tag is not None))


def classes_of(statement: xcfa.Load | xcfa.Store | xcfa.Rmw) -> tuple[EventClass, ...]:
    """The classes of an access's events; of an update those of its read and its write, and of its read where it may
    fail to write. The write of one that computes with what it reads is `computed`.
    """
    if isinstance(statement, xcfa.Rmw) and statement.pair:
        read, write = _class("R", *statement.read_tags), _class("W", *statement.write_tags)
        return (read, write, read) if statement.op in xcfa.CONDITIONAL_RMWS else (read, write)
    if isinstance(statement, xcfa.Rmw):
        order = statement.orders[0] if statement.orders else None
        failed_order = statement.orders[-1] if statement.orders else None
        read = _class("R", "rmw", order, *statement.read_tags)
        computed = None if statement.op in ("exchange", "cas") else "computed"
        write = _class("W", "rmw", computed, order, *statement.write_tags)
        if statement.op in xcfa.CONDITIONAL_RMWS:
            return read, write, _class("R", "failed", failed_order, *statement.read_tags)
        return read, write
    atomic = "atomic" if statement.atomic else None
    if isinstance(statement, xcfa.Store):
        return (_class("W", atomic, statement.order, *statement.tags),)
    exclusive = "exclusive" if statement.exclusive else None
    return (_class("R", atomic, exclusive, statement.order, *statement.tags),)


def allocate(result: Draft, variable: xcfa.Variable) -> Array:
    """Adds a shared variable's cells. A mutex is a cell, with 0 where it is free and 1 where a thread holds it."""
    type_, first = variable.type.base, len(result.cells)
    step = variable.step or abs(variable.bytes) or xcfa.CELL_SIZE
    array = Array(
        first, variable.type.sizes, xcfa.CELL_SIZE * (first + 1) if variable.address is None else variable.address, step
    )
    size = prod(array.sizes)
    if array.first + size > MAX_CELLS:
        message = f"the shared variables have more than {MAX_CELLS:,} cells in all"
        raise LimitError(message, result.source, variable.position)
    if not array.sizes and type_ != "synthetic" and variable.shown:
        result.scalars.append(array.first)
    for number, index in enumerate(product(*map(range, array.sizes))):
        base, dot, of_struct = variable.name.partition(".")
        name = base + "".join(f"[{i}]" for i in index) + dot + of_struct
        kind: Literal["int", "bool", "mutex"] = "mutex" if type_ == "synthetic" else type_
        address = array.address + number * step
        width, undefined = variable.bytes, variable.undefined
        cell = (kind, address, width, undefined, variable.object, variable.pointer, variable.unsigned)
        result.cells.append(code.Variable(name, *cell))
    result.initial += [int(value.value) for value in variable.initial] or [0] * size
    return array


class Accesses(Computing):
    """Emits the events of statements: loads, stores, fences, updates, and those that mutexes are made of.

    `held`: for each mutex that the thread uses, the register that says whether it holds it. `reservation`: the register
    of the cell that is reserved, or -1 where the thread has no exclusive accesses. `aim`: that of a cell that is
    predicted, or -1 where what follows an access waits for its address.
    """

    def __init__(self, builder: Builder, site: Site, arrays: dict[str, Array], held: dict[str, int]) -> None:
        super().__init__(builder, site, arrays)
        self.held = held
        self.reservation = -1
        self.aim = -1
        self.before: xcfa.Statement | None = None  # on the same edge
        self.read: list[int] = []  # the loads, by number, of the parts that an update has read on this edge
        self.aimed = False  # the statement's address is predicted already

    def event_class(self, kind: Literal["R", "W", "F"], *tags: str | None) -> int:
        return self.builder.event_class(_class(kind, *tags))

    def classes(self, statement: xcfa.Load | xcfa.Store | xcfa.Rmw) -> tuple[int, ...]:
        """The classes of `classes_of`, by number."""
        return tuple(map(self.builder.event_class, classes_of(statement)))

    def load(self, statement: xcfa.Load) -> None:
        (event_class,) = self.classes(statement)
        part = self.part_of(statement)
        number = self.emit(
            Op.LOADX if statement.exclusive else Op.LOAD,
            -1 if statement.blind else self.registers[statement.target.name],
            self.address(statement.place),
            SECOND_WORD if "exclusive" in statement.tags and not statement.exclusive else 0,
            c=event_class,
            part=part,
        )
        if part == 0 or not self.read:
            self.read = []
        if "rmw" in (statement.order, *statement.tags):
            self.read.append(number)

    def store(self, statement: xcfa.Store) -> None:
        (event_class,) = self.classes(statement)
        part = self.part_of(statement)
        self.predict(statement.place)
        operand, address = self.evaluate(statement.value), self.address(statement.place)
        update = self.is_update(statement, part)
        self.emit(Op.STORE, int(update), address, operand, event_class, part)
        self.read = []

    def is_update(self, statement: xcfa.Store, part: int) -> bool:
        """Whether it is the first write of an update of several parts; then it marks the reads, right before it."""
        instructions, read = self.builder.draft.instructions, self.read
        if part > 0 or len(read) < 2 or "rmw" not in (statement.order, *statement.tags):
            return False
        if any(i.op in EVENTS for i in instructions[read[-1] + 1 :]):
            return False
        for number in read:
            instructions[number] = replace(instructions[number], b=SPLIT_UPDATE)
        return True

    def part_of(self, statement: xcfa.Load | xcfa.Store) -> int:
        """Which part it is of the access of several cells that it belongs to: one more than what comes right before."""
        if PART not in statement.tags and statement.order != PART:
            return 0
        draft = self.builder.draft
        like = xcfa.Load if isinstance(statement, xcfa.Load) else (xcfa.Store, xcfa.StoreExclusive)
        if not isinstance(self.before, like):
            what = "read" if isinstance(statement, xcfa.Load) else "write"
            message = f"`{PART}` makes this a part of the {what} before it, but no {what} is right before it"
            raise ProgramError(message, draft.source, statement.position)
        last = next(i for i in reversed(draft.instructions) if i.op in EVENTS)
        if last.part + 1 >= MAX_PARTS:
            raise LimitError(f"an access has at most {MAX_PARTS} parts", draft.source, statement.position)
        return last.part + 1

    def store_exclusive(self, statement: xcfa.StoreExclusive) -> None:
        """Emits the success of a store exclusive: an option that there is if its cell is the one that is reserved."""
        operand, address = self.evaluate(statement.value), self.computed(statement.place)
        cell = self.temporary(self.used)
        self.emit(Op.ADD, cell, address, self.builder.constant(1))
        self.emit(Op.EQ, cell, cell, self.reservation)
        self.emit(Op.ASSUME, a=cell, c=NO_DEPENDENCY)
        event_class = self.event_class("W", "exclusive", statement.order, *statement.tags)
        self.emit(Op.STOREX, self.registers[statement.status.name], address, operand, event_class)

    def fence(self, *tags: str, inserted: bool = False) -> None:
        self.emit(Op.FENCE, b=UNCOUNTED if inserted else 0, c=self.event_class("F", *tags))

    def address(self, place: xcfa.AnyPlace) -> int:
        """The operand that is the number of the cell that is accessed, which may be predicted."""
        if not self.aimed:
            operand = self.computed(place)
            if self.aim < 0 or operand < 0:
                return operand
            self.predict_cell(operand)
        self.aimed = False
        return self.aim

    def computed(self, place: xcfa.AnyPlace) -> int:
        """The operand that is the number of the place's cell."""
        self.fallible = set().union(
            *map(fallible, place.indices if isinstance(place, xcfa.Place) else (place.address,))
        )
        return run(self.cell(place))

    def predict(self, place: xcfa.AnyPlace) -> None:
        """Predicts the cell of a place that is not known from the text, before anything else that its statement does:
        temporaries do not outlast that."""
        if self.aim < 0 or (isinstance(place, xcfa.Place) and not place.indices):
            return
        operand = self.computed(place)
        if operand >= 0:
            self.predict_cell(operand)
            self.aimed = True

    def predict_cell(self, operand: int) -> None:
        """A cell is predicted, or that there is none; then the thread waits to see that."""
        none = len(self.builder.draft.cells)
        self.emit(Op.PREDICT, self.aim, operand, none + 1, ADDRESS)
        self.used = 0
        found = self.temporary(0)
        self.emit(Op.EQ, found, self.aim, self.builder.constant(none))
        inside = self.emit(Op.JZ, a=found, b=NO_DEPENDENCY)
        self.emit(Op.STUCK)
        self.builder.land(inside)
        self.used = 0

    def lifetime(self, statement: xcfa.Lifetime) -> None:
        """An allocation or a free: of the object that starts there."""
        place = statement.place
        if isinstance(place, xcfa.Deref):
            place = replace(place, width=WHOLE_OBJECT)
        self.emit(Op.OBJECT, a=self.address(place), c=self.event_class("F", statement.op))

    # ---- updates and mutexes

    def update(self, statement: xcfa.Rmw) -> None:
        self.predict(statement.place)
        values = [self.evaluate(argument) for argument in statement.arguments]
        # cas(place, expected, new), add_unless(place, number, unless)
        place_of_expected = {"cas": 0, "add_unless": 1}.get(statement.op)
        expected = self.builder.constant(0) if place_of_expected is None else values.pop(place_of_expected)
        target = -1 if statement.target is None else self.registers[statement.target.name]
        address = self.address(statement.place)
        read, write, *others = self.classes(statement)
        failed = others[0] if others else read
        operands, picks = (address, values[0], expected), "compared" in statement.write_tags
        how = picks, statement.bits or 0, statement.pair
        self.rmw(KINDS[statement.op], target, operands, (read, failed, write), *how)
        if statement.op == "cas" and "lock" in statement.read_tags and statement.orders:  # and it is not compiled
            self.fence_if_taken(target, expected)

    def fence_if_taken(self, target: int, free: int) -> None:
        """Emits what is behind a lock, where one that is tried has been free."""
        self.used = 0
        found = self.temporary(0)
        self.emit(Op.EQ, found, target, free)
        held = self.emit(Op.JZ, a=found, b=NO_DEPENDENCY)
        self.fence("lock", inserted=True)
        self.builder.land(held)

    def rmw(
        self,
        kind: RmwKind,
        target: int,
        operands: Triple,
        classes: Triple,
        picks: bool = False,
        bits: int = 0,
        pair: bool = False,
    ) -> None:
        """Emits an update; the operands are its address, its value and the value that it expects, the classes are those
        of its read, of its read where it does not write, and of its write."""
        rmws = self.builder.draft.rmws
        rmws.append(code.Rmw(kind, *operands, *classes, picks, bits, pair))
        self.emit(Op.RMW, target, c=len(rmws) - 1)

    def lock(self, mutex: str) -> None:
        free, held = self.builder.constant(0), self.builder.constant(1)
        address = self.builder.constant(self.arrays[mutex].first)
        read, write = (self.event_class(kind, "rmw", "lock") for kind in ("R", "W"))
        self.rmw(RmwKind.LOCK, -1, (address, held, free), (read, self.event_class("R", "failed", "lock"), write))
        self.emit(Op.MOV, self.held[mutex], held)
        self.fence("lock")

    def unlock(self, mutex: str) -> None:
        free = self.builder.constant(0)
        self.emit(Op.ASSERT, a=self.held[mutex], c=UNLOCK)
        self.fence("unlock")
        address = self.builder.constant(self.arrays[mutex].first)
        self.emit(Op.STORE, a=address, b=free, c=self.event_class("W", "unlock"))
        self.emit(Op.MOV, self.held[mutex], free)

    def lock_cell(self, statement: xcfa.Mutex, place: xcfa.AnyPlace) -> None:
        """A mutex in a cell for an int: 0 where it is free, 1 where it is held, less where it is destroyed."""
        free, held = self.builder.constant(0), self.builder.constant(1)
        read = self.event_class("R", "rmw", "lock", *statement.read_tags)
        write = self.event_class("W", "rmw", "lock", *statement.write_tags)
        failed = self.event_class("R", "lock", *statement.read_tags)
        target = -1 if statement.target is None else self.registers[statement.target.name]
        self.rmw(RmwKind.LOCK, target, (self.address(place), held, free), (read, failed, write))
        if not statement.bare:
            self.fence("lock", inserted=True)

    def unlock_cell(self, statement: xcfa.Mutex, place: xcfa.AnyPlace) -> None:
        if not statement.bare:
            self.fence("unlock", inserted=True)
        address, free = self.address(place), self.builder.constant(0)
        self.emit(Op.UNLOCK, a=address, b=free, c=self.event_class("W", "unlock", *statement.write_tags))
