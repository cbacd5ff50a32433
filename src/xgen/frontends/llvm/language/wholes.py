"""Atomic accesses of 16 bytes, such as a pointer and a tag: one access of two parts (docs/sizes.md)."""

from __future__ import annotations

from collections.abc import Sequence

from xgen.frontends.llvm.language.few import Few
from xgen.frontends.llvm.values import Cell, Either, FromCells, Register, Value, expression
from xgen.frontends.mixed_size import parts
from xgen.program import automaton as xcfa
from xgen.program.automaton import Deref, IntLiteral, Name

HALF, WHOLE = 8, 16
Pair = tuple[Value, Value]


class Wholes(Few):
    """Values are pairs, the low half first."""

    def halves(self, pointer: Value) -> tuple[Value, Value]:
        return pointer, self.moved(pointer, HALF)

    def at_once(self, pointer: Value, write: bool) -> bool:
        """Whether main is alone, so that an access is no event."""
        self.note_access(pointer, WHOLE, write)
        return self.single_threaded and isinstance(pointer, int) and self.found(pointer, WHOLE) is not None

    def cells_of(self, pointer: Value, write: bool) -> tuple[list[Deref], list[list[Cell]]]:
        """The parts, and the cells that each may be."""
        cells: list[list[Cell]] = []
        for half in self.halves(pointer):
            self.piece(half, HALF, True, whole=True)
            place = self.found(half, HALF) if isinstance(half, int) else None
            if place is not None:
                self.must_be_there(place[0])
                self.facts.access(self.who, *place, HALF, write)
                self.facts.note_shared(*place, HALF)
                cells.append([(place[0].name, place[1], HALF)])
            else:
                cells.append([] if isinstance(half, int) else self.cells_at(half, HALF, write))
        return [Deref(expression(half), self.position, -HALF) for half in self.halves(pointer)], cells

    def load_whole(self, pointer: Value, order: str | None) -> Value:
        if self.at_once(pointer, False):
            low, high = (self.load(half, HALF) for half in self.halves(pointer))
            return low, high
        places, cells = self.cells_of(pointer, False)
        load = xcfa.Load(Name(""), places[0], order=order, position=self.position)
        return self._read(load, places, cells)

    def _read(self, load: xcfa.Load, places: list[Deref], cells: list[list[Cell]]) -> tuple[Register, Register]:
        names = [Name(self.fresh()), Name(self.fresh())]
        self.emit(*parts.loads(load, names, places))
        low, high = (Register(name, FromCells(each)) for name, each in zip(names, cells, strict=True))
        return low, high

    def store_whole(self, pointer: Value, new: Pair, order: str | None) -> None:
        known = all(isinstance(each, int) for each in new)
        if self.at_once(pointer, True) and known:
            for half, value in zip(self.halves(pointer), new, strict=True):
                self.store(half, value, HALF)
            return
        self.end_single_threaded()
        places, cells = self.cells_of(pointer, True)
        self._expose(new, cells)
        store = xcfa.Store(IntLiteral(0), places[0], order=order, position=self.position)
        self.emit(*parts.stores(store, list(map(expression, new)), places))

    def _expose(self, new: Sequence[Value], cells: list[list[Cell]]) -> None:
        for value, each in zip(new, cells, strict=True):
            self.note_escape(value, each)

    def exchange_whole(self, pointer: Value, new: Pair, orders: tuple[str, ...]) -> Value:
        if self.at_once(pointer, True) and all(isinstance(each, int) for each in new):
            old = self.load_whole(pointer, None)
            self.store_whole(pointer, new, None)
            return old
        self.end_single_threaded()
        places, cells = self.cells_of(pointer, True)
        self._expose(new, cells)
        update = xcfa.Rmw(None, "exchange", places[0], (), orders, self.position)
        found = self._read(parts.read_of(update, "rmw"), places, cells)
        self.emit(*parts.stores(parts.write_of(update), list(map(expression, new)), places))
        return found

    def compare_exchange_whole(
        self, pointer: Value, expected: Pair, new: Pair, orders: tuple[str, ...], weak: bool
    ) -> tuple[Value, Value]:
        """What was there, and whether it was what is expected. `weak`: it may fail for no reason."""
        known = all(isinstance(each, int) for each in (*expected, *new))
        if not weak and self.at_once(pointer, True) and known:
            old = self.load_whole(pointer, None)
            if old == expected:
                self.store_whole(pointer, new, None)
            return old, int(old == expected)
        self.end_single_threaded()
        places, cells = self.cells_of(pointer, True)
        self._expose(new, cells)
        update = xcfa.Rmw(None, "cas", places[0], (), orders, self.position)
        names, worked = self.compare_exchange_parts(
            update, places, list(map(expression, expected)), list(map(expression, new)), weak
        )
        low, high = (Register(name, FromCells(each)) for name, each in zip(names, cells, strict=True))
        return (low, high), Register(worked, Either(), 1)
