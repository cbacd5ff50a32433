"""What is known of the bytes that a thread has of its own, on all ways to where its translation is."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TypeAlias

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.llvm.language.translation import Emitter, World
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.values import Cell, Register, Uninitialised, Value
from xgen.program.automaton import Name

Values: TypeAlias = "dict[Cell, Value | None]"
_MISSING = Register(Name(""))
PERHAPS = Register(Name(""))
"""What is known of a cell that has no value on some way to here."""
UNSET = " has no value"
"""Behind the place of a loop's head: of what `changing` says that a round may leave it so."""


class KnownBytes(Emitter):
    """`values`: what is known of cells, None of what has a value and may be this or that, PERHAPS of what has one on
    some ways to here; of what is not in it, nothing is written on any way to here. It follows the steps: ways that meet
    at a label know what is the same on all of them.

    `at_labels`: what is known on all ways to a label that is not emitted yet. `at_heads`: what is taken to be known at
    a label that is jumped back to, and where that is: each way back is looked at, and what has another value there is
    not known in the next round. `near`: all cells, by the objects and the numbers of the words of 8 bytes that they
    have bytes of."""

    def __init__(self, world: World, number: int, name: str) -> None:
        super().__init__(world, number, name)
        self.values: Values = {}
        self.kept = False  # whether what is known is also kept elsewhere: it is copied before it is changed
        self.gone = False  # whether nothing gets here
        self.at_labels: dict[str, Values] = {}
        self.at_heads: dict[str, tuple[str, Values]] = {}
        self.passed: set[str] = set()  # all labels so far
        self.near: dict[tuple[str, int], set[Cell]] = {}

    def emit(self, *steps: Step) -> None:
        for step in steps:
            if isinstance(step, str):
                self._arrive(step)
            elif isinstance(step, Branch):
                self._leave(step)
        super().emit(*steps)

    def emit_head(self, label: str, place: str) -> None:
        """A label that is jumped back to. `place` says where it is, the same in all rounds of translation."""
        changing = self.facts.changing.get(f"{self.number} {self.path} {place}", ())
        unset = self.facts.changing.get(f"{self.number} {self.path} {place}{UNSET}", ())
        self._arrive(label)
        there: Values = {}
        for cell in changing:
            self.remember(cell)
            there[cell] = PERHAPS if cell in unset or self.may_be_unset(cell, self.values) else None
        if changing:
            self.values = {**self.values, **there}
        self.at_heads[label] = f"{self.number} {self.path} {place}", self.snapshot()
        super().emit(label)

    def snapshot(self) -> Values:
        self.kept = True
        return self.values

    def go_back(self, known: Values) -> None:
        """To a place where so much was known."""
        self.values, self.kept, self.gone = known, True, False

    def _leave(self, jump: Branch) -> None:
        if not self.gone and jump.label in self.at_heads:
            place, known = self.at_heads[jump.label]
            for cell, value in self.values.items():
                before, partly = known.get(cell, _MISSING), value is PERHAPS or isinstance(value, Uninitialised)
                if before is PERHAPS or _same(before, value) or (before is None and not partly):
                    continue
                self.facts.changing.setdefault(place, set()).add(cell)
                if partly:
                    self.facts.changing.setdefault(place + UNSET, set()).add(cell)
        elif not self.gone and jump.label:
            assert jump.label not in self.passed
            others, here = self.at_labels.get(jump.label), self.snapshot()
            self.at_labels[jump.label] = here if others is None else self._both(others, here)
        if jump.condition is None and not jump.fork:
            self.values, self.kept, self.gone = {}, False, True

    def _arrive(self, label: str) -> None:
        self.passed.add(label)
        there = self.at_labels.pop(label, None)
        if there is not None:
            self.go_back(there if self.gone else self._both(there, self.values))

    def _both(self, one: Values, other: Values) -> Values:
        """What is known where two ways meet."""
        if one is other:
            return one
        if len(one) < len(other):
            one, other = other, one
        found, changed = dict(one), False
        for cell, value in one.items():
            if value is not PERHAPS and not _same(value, other.get(cell, _MISSING)):
                found[cell] = self._of_both(cell, value, one, other)
                changed = changed or found[cell] is not value
        for cell in other.keys() - one.keys():
            found[cell], changed = self._of_both(cell, other[cell], other, one), True
        return found if changed else one

    def _of_both(self, cell: Cell, value: Value | None, here: Values, there: Values) -> Value | None:
        """What is known of a cell that has a value on one way, and not that one on another."""
        if self.may_be_unset(cell, here) or self.may_be_unset(cell, there):
            return PERHAPS
        found = self.world.memory.by_name.get(cell[0])
        unchanged = cell not in there and found is not None and found.read(*cell[1:]) == value
        return value if unchanged else None

    def may_be_unset(self, cell: Cell, values: Values) -> bool:
        """Whether a cell may have no value, of which so much is known."""
        if cell in values:
            return values[cell] is PERHAPS or isinstance(values[cell], Uninitialised)
        found = self.world.memory.by_name.get(cell[0])
        return found is None or not found.at_first or found.missing(*cell[1:]) != 0

    def know(self, cell: Cell, value: Value) -> None:
        if self.kept:
            self.values, self.kept = dict(self.values), False
        self.remember(cell)
        for other in list(self.overlapping(self.values, cell)):
            self.values[other] = PERHAPS if self.may_be_unset(other, self.values) else None
        self.values[cell] = value

    def lose(self, found: Object) -> None:
        """An object is there no more, without an event: as if there were 1 in a byte behind it. Where that is so on
        some way only, what uses it is told by events as well."""
        self.know((found.name, found.size, 1), 1)

    def is_gone(self, found: Object) -> bool:
        """Whether an object is there no more on a way to here."""
        return self.values.get((found.name, found.size, 1), 0) != 0

    def forget(self, found: Object) -> None:
        """An object is there no more: if it is made again, it has no values."""
        words = range(found.size // 8 + 1)
        cells = {cell for word in words for cell in self.near.get((found.name, word), ()) if cell in self.values}
        if cells and self.kept:
            self.values, self.kept = dict(self.values), False
        for cell in cells:
            del self.values[cell]

    def remember(self, cell: Cell) -> None:
        for word in _words(cell):
            self.near.setdefault((cell[0], word), set()).add(cell)

    def overlapping(self, cells: Container[Cell], cell: Cell) -> Iterator[Cell]:
        """Those of some cells of this thread that have bytes in common with one."""
        name, offset, width = cell
        near = set[Cell]().union(*(self.near.get((name, word), ()) for word in _words(cell)))
        return (each for each in near if each[1] < offset + width and offset < each[1] + each[2] and each in cells)


def _same(one: Value | None, other: Value | None) -> bool:
    if isinstance(one, Uninitialised) and isinstance(other, Uninitialised):
        return _same(one.value, other.value) and _same(one.missing, other.missing)
    return one is other or (isinstance(one, int) and one == other)


def _words(cell: Cell) -> range:
    """The numbers of the words that a cell has bytes of."""
    _, offset, width = cell
    return range(offset // 8, (offset + width - 1) // 8 + 1)
