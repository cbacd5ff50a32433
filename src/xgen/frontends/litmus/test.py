"""A litmus test that was read: a program, and the question about its final states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from xgen.errors import Source
from xgen.frontends.litmus.condition import Atom, Question, holds
from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.values import Address, Cell, IntType, Observable, Register, Value
from xgen.program.automaton import CELL_SIZE, Program

FinalValue: TypeAlias = "Value | tuple[Value, ...]"
FinalState: TypeAlias = Mapping[Observable, FinalValue]
"""What registers and locations hold in the end; the value of an array is a tuple."""


@dataclass(frozen=True)
class LitmusTest:
    """A litmus test.

    name, arch, doc, info   what the header says; `arch` is "LKMM" for C with the Linux kernel's functions
    model                   the name of the shipped model that tests of the architecture are checked against
    program                 the threads P0, P1, ...; registers that are not observed are not among the variables shown
    question                the condition, with registers by their own names
    observed                what the question mentions, in the order of herd's states; of these, the ones that states
                            list are `displayed`
    pointers                those of the observed that may hold addresses
    types                   the types of integers that the observed show; values are compared as values of these
    """

    source: Source = field(repr=False)
    name: str
    arch: str
    model: str
    doc: str
    info: Mapping[str, str]
    program: Program = field(repr=False)
    question: Question
    observed: tuple[Observable, ...]
    displayed: tuple[Observable, ...]
    locations: Mapping[str, Location] = field(repr=False)
    pointers: frozenset[Observable] = field(repr=False)
    types: Mapping[Observable, IntType] = field(repr=False, default_factory=dict)

    @cached_property
    def addresses(self) -> dict[int, Address]:
        """What the numbers mean that are addresses; see `xgen.program.automaton.AddressOf`."""
        names = [Address(name, i) for name, location in self.locations.items() for i in range(location.size or 1)]
        return {CELL_SIZE * (number + 1): address for number, address in enumerate(names)}

    @cached_property
    def cells(self) -> dict[str, int]:
        """The number of each location's first cell."""
        numbers, count = {}, 0
        for name, location in self.locations.items():
            numbers[name] = count
            count += location.size or 1
        return numbers

    def cells_of(self, item: Cell) -> range:
        """The numbers of the cells that an item speaks of: one, or all of an array."""
        first, size = self.cells[item.name], self.locations[item.name].size
        if size is None or item.index is not None:
            return range(first + (item.index or 0), first + (item.index or 0) + 1)
        return range(first, first + size)

    @property
    def observed_cells(self) -> set[int]:
        """The numbers of the cells that final states list."""
        return {number for item in self.observed if isinstance(item, Cell) for number in self.cells_of(item)}

    def value(self, item: Observable, number: int) -> Value:
        """The value that a number of the engine is, in that item."""
        if item in self.pointers and number in self.addresses:
            return self.addresses[number]
        return self.types[item].value(number) if item in self.types else number

    def true(self, atom: Atom, state: FinalState) -> bool:
        """Whether an atom holds in a final state."""
        expected = atom.value
        if isinstance(expected, (Register, Cell)):
            expected = state[expected]
        elif isinstance(expected, tuple):
            expected = tuple(self.as_shown(atom.item, part) for part in expected)
        else:
            expected = self.as_shown(atom.item, expected)
        return state[atom.item] == expected

    def as_shown(self, item: Observable, value: Value) -> Value:
        """A value that a condition gives, as a value of the item's type."""
        return self.types[item].value(value) if isinstance(value, int) and item in self.types else value

    def counts(self, state: FinalState) -> bool:
        """Whether the state passes the question's filter."""
        wanted = self.question.filter
        return wanted is None or holds(wanted, lambda atom: self.true(atom, state))

    def satisfies(self, state: FinalState) -> bool:
        """Whether the bare proposition holds in the state."""
        return holds(self.question.proposition, lambda atom: self.true(atom, state))

    @cached_property
    def _keys(self) -> dict[Observable, str | tuple[str, ...]]:
        """What outcomes call the things that are observed; the cells of a whole array are several."""
        keys: dict[Observable, str | tuple[str, ...]] = {}
        for item in self.observed:
            if isinstance(item, Register):
                keys[item] = f"P{item.thread}:{item.name}"
                continue
            size = self.locations[item.name].size
            if size is None:
                keys[item] = item.name
            elif item.index is None:
                keys[item] = tuple(f"{item.name}[{index}]" for index in range(size))
            else:
                keys[item] = f"{item.name}[{item.index}]"
        return keys

    def state(self, outcome: Mapping[str, int | bool]) -> FinalState:
        """The final state that an outcome of the engine is."""
        state: dict[Observable, FinalValue] = {}
        for item, key in self._keys.items():
            if isinstance(key, str):
                state[item] = self.value(item, outcome[key])
            else:
                state[item] = tuple(self.value(item, outcome[name]) for name in key)
        return state


@dataclass(frozen=True)
class FinalCondition:
    """The question of a test, as a requirement on its program's final states: of `exists`, only its filter.

    `asks`: else it is only the filter as well.
    """

    test: LitmusTest
    asks: bool = True

    @property
    def text(self) -> str:
        """The question as herd prints it."""
        return str(self.test.question)

    @property
    def cells(self) -> frozenset[str]:
        """The cells of arrays that the question speaks of."""
        names = [(key,) if isinstance(key, str) else key for key in self.test._keys.values()]
        return frozenset(name for group in names for name in group if name.endswith("]"))

    @property
    def unwanted(self) -> FinalCondition:
        """That what `exists` asks for does not happen; else that what is forbidden does not, and `forall` holds."""
        if self.test.question.quantifier != "exists":
            return FinalCondition(self.test)
        return FinalCondition(replace(self.test, question=replace(self.test.question, quantifier="~exists")))

    def counts(self, state: Mapping[str, int | bool]) -> bool:
        """Whether an execution with that final state counts."""
        return self.test.counts(self.test.state(state))

    def met(self, state: Mapping[str, int | bool]) -> bool:
        """Whether one final state is compatible with the question."""
        if not self.asks or self.test.question.quantifier == "exists" or not self.counts(state):
            return True
        return self.test.satisfies(self.test.state(state)) == (self.test.question.quantifier == "forall")


def show_state(state: FinalState, displayed: tuple[Observable, ...]) -> str:
    """A final state as herd prints it: `0:EAX=1; [x]=0;`."""
    return " ".join(f"{_show_item(item, state[item])};" for item in displayed)


def _show_item(item: Observable, value: FinalValue) -> str:
    if isinstance(value, tuple):
        return f"{item.name}={{{','.join(map(str, value))}}}"
    return f"{item}={value}"
