"""Lowering what touches shared variables: which cells they have, and the events of statements."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal, TypeAlias

from xgen.engine._core import Op, RmwKind
from xgen.errors import LimitError
from xgen.program import code
from xgen.program.automaton import CONDITIONAL_RMWS, AnyPlace, Deref, Load, Rmw, Store, Variable
from xgen.program.code import UNLOCK, Code, EventClass, Site
from xgen.program.expressions import Builder, Computing

MAX_CELLS = 16_000
"""Shared variables and cells of arrays: each is an event of every execution, and the engine takes 16,384 of these."""

KINDS = {
    "exchange": RmwKind.EXCHANGE,
    "fetch_add": RmwKind.ADD,
    "fetch_sub": RmwKind.SUB,
    "fetch_and": RmwKind.AND,
    "fetch_or": RmwKind.OR,
    "fetch_xor": RmwKind.XOR,
    "cas": RmwKind.CAS,
}

Triple: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Array:
    """The cells of a shared variable, row by row from cell `first` on; a scalar is an array without dimensions."""

    first: int
    sizes: tuple[int, ...]


def allocate(result: Code, variable: Variable) -> Array:
    """Adds a shared variable's cells. A mutex is a cell, with 0 where it is free and 1 where a thread holds it."""
    array, type_ = Array(len(result.cells), variable.type.sizes), variable.type.base
    size = prod(array.sizes)
    if array.first + size > MAX_CELLS:
        message = f"the shared variables have more than {MAX_CELLS:,} cells in all"
        raise LimitError(message, result.source, variable.position)
    if not array.sizes and type_ != "synthetic":
        result.shown_cells.append(array.first)
    for index in product(*map(range, array.sizes)):
        name = variable.name + "".join(f"[{i}]" for i in index)
        result.cells.append(code.Variable(name, "bool" if type_ == "bool" else "int"))
    result.initial += [int(value.value) for value in variable.initial] or [0] * size
    return array


class Accesses(Computing):
    """Emits the events of statements: loads, stores, fences, updates, and those that mutexes are made of.

    `held`: for each mutex that the thread uses, the register that says whether it holds it.
    """

    def __init__(self, builder: Builder, site: Site, arrays: dict[str, Array], held: dict[str, int]) -> None:
        super().__init__(builder, site)
        self.arrays = arrays
        self.held = held

    def event_class(self, kind: Literal["R", "W", "F"], *tags: str | None) -> int:
        return self.builder.event_class(EventClass(kind, frozenset(tag for tag in tags if tag is not None)))

    def load(self, statement: Load) -> None:
        if statement.exclusive:
            self.unsupported("exclusive accesses", statement.position)
        atomic = "atomic" if statement.atomic else None
        event_class = self.event_class("R", atomic, statement.order, *statement.tags)
        self.emit(Op.LOAD, self.registers[statement.target.name], self.address(statement.place), c=event_class)

    def store(self, statement: Store) -> None:
        atomic = "atomic" if statement.atomic else None
        event_class = self.event_class("W", atomic, statement.order, *statement.tags)
        operand, address = self.evaluate(statement.value), self.address(statement.place)
        self.emit(Op.STORE, a=address, b=operand, c=event_class)

    def fence(self, *tags: str) -> None:
        self.emit(Op.FENCE, c=self.event_class("F", *tags))

    def address(self, place: AnyPlace) -> int:
        """The operand that is the place's address: its cell. Constant indices that are in range are added up."""
        if isinstance(place, Deref):
            self.unsupported("pointers", place.position)
        array = self.arrays[place.name.name]
        base, stride = array.first, prod(array.sizes)
        computed: list[tuple[int, int, int]] = []
        for index, size in zip(place.indices, array.sizes, strict=True):
            stride //= size
            operand = self.evaluate(index)
            value = self.builder.code.constants[~operand] if operand < 0 else -1
            if 0 <= value < size:
                base += value * stride
            else:
                computed.append((operand, size, stride))
        if len(computed) == 1 and computed[0][2] == 1:
            cell = self.temporary(self.used)
            self.emit(Op.INDEX, cell, computed[0][0], base, computed[0][1])
            return cell
        address = self.builder.constant(base)
        for operand, size, stride in computed:
            cell = self.temporary(self.used)
            self.emit(Op.INDEX, cell, operand, 0, size)
            if stride > 1:
                self.emit(Op.MUL, cell, cell, self.builder.constant(stride))
            self.emit(Op.ADD, cell, cell, address)
            address = cell
        return address

    # ---- updates and mutexes

    def update(self, statement: Rmw) -> None:
        if statement.op not in KINDS:
            self.unsupported(f"`{statement.op}`", statement.position)
        values = [self.evaluate(argument) for argument in statement.arguments]
        expected = values.pop(0) if statement.op == "cas" else self.builder.constant(0)
        target = -1 if statement.target is None else self.registers[statement.target.name]
        order = statement.orders[0] if statement.orders else None
        failed_order = statement.orders[-1] if statement.orders else None
        address = self.address(statement.place)
        read = self.event_class("R", "rmw", order, *statement.read_tags)
        failed = self.event_class("R", failed_order, *statement.read_tags)
        write = self.event_class("W", "rmw", order, *statement.write_tags)
        if statement.op not in CONDITIONAL_RMWS:
            failed = read
        self.rmw(KINDS[statement.op], target, (address, values[0], expected), (read, failed, write))

    def rmw(self, kind: RmwKind, target: int, operands: Triple, classes: Triple) -> None:
        """Emits an update; the operands are its address, its value and the value that it expects, the classes are those
        of its read, of its read where it does not write, and of its write."""
        rmws = self.builder.code.rmws
        rmws.append(code.Rmw(kind, *operands, *classes))
        self.emit(Op.RMW, target, c=len(rmws) - 1)

    def lock(self, mutex: str) -> None:
        free, held = self.builder.constant(0), self.builder.constant(1)
        address = self.builder.constant(self.arrays[mutex].first)
        read, write = (self.event_class(kind, "rmw", "lock") for kind in ("R", "W"))
        self.rmw(RmwKind.LOCK, -1, (address, held, free), (read, self.event_class("R", "lock"), write))
        self.emit(Op.MOV, self.held[mutex], held)
        self.fence("lock")

    def unlock(self, mutex: str) -> None:
        free = self.builder.constant(0)
        self.emit(Op.ASSERT, a=self.held[mutex], c=UNLOCK)
        self.fence("unlock")
        address = self.builder.constant(self.arrays[mutex].first)
        self.emit(Op.STORE, a=address, b=free, c=self.event_class("W", "unlock"))
        self.emit(Op.MOV, self.held[mutex], free)
