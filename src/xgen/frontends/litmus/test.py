"""A litmus test that was read: a program, and the question about its final states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from xgen.errors import Position, Source
from xgen.frontends.litmus.barriers import Barrier, passed, waiting
from xgen.frontends.litmus.condition import Atom, Question, holds
from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.layout import Layout
from xgen.frontends.litmus.values import Address, Cell, IntType, Observable, Register, Value
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

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
    layout                  the cells that the locations are made of
    types                   the types of integers that the observed show; values are compared as values of these
    barriers                at which threads meet; who waits at one with a number ends, in a state that does not count
    liveness                what is asked is whether every thread ends, whatever the question is
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
    layout: Layout = field(repr=False)
    pointers: frozenset[Observable] = field(repr=False)
    types: Mapping[Observable, IntType] = field(repr=False, default_factory=dict)
    barriers: tuple[Barrier, ...] = field(repr=False, default=())
    liveness: bool = False

    @property
    def locations(self) -> Mapping[str, Location]:
        """The shared locations by their names."""
        return self.layout.locations

    @cached_property
    def addresses(self) -> dict[int, Address]:
        """What the numbers mean that are addresses; see `xgen.program.automaton.AddressOf`."""
        return self.layout.addresses

    @property
    def observed_cells(self) -> set[int]:
        """The numbers of the cells that final states list."""
        return {number for item in self.observed if isinstance(item, Cell) for number in self.layout.numbers_of(item)}

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

    @property
    def is_filtered(self) -> bool:
        """Whether there are final states that do not count."""
        return self.question.filter is not None or any(barrier.counted for barrier in self.barriers)

    def waiting(self, state: FinalState) -> list[str]:
        """Who waits at a barrier with a number for ever in a final state, a sentence each."""
        return waiting(self.barriers, state.__getitem__)

    def counts(self, state: FinalState) -> bool:
        """Whether the state passes the question's filter, and nobody waits at a barrier."""
        if not passed(self.barriers, state.__getitem__):
            return False
        wanted = self.question.filter
        return wanted is None or holds(wanted, lambda atom: self.true(atom, state))

    def satisfies(self, state: FinalState) -> bool:
        """Whether the bare proposition holds in the state."""
        return holds(self.question.proposition, lambda atom: self.true(atom, state))

    def state(self, outcome: Mapping[str, int | bool]) -> FinalState:
        """The final state that an outcome of the engine is."""
        state: dict[Observable, FinalValue] = {}
        for item in self.observed:
            if isinstance(item, Register):
                state[item] = self.value(item, outcome[f"P{item.thread}:{item.name}"])
                continue
            values = tuple(self.value(item, value) for value in self.layout.values_of(item, outcome))
            whole = self.locations[item.name].size is not None and item.index is None
            state[item] = values if whole else values[0]
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
    def position(self) -> Position | None:
        return None

    @property
    def cells(self) -> frozenset[str]:
        """The cells of arrays that the question speaks of."""
        test = self.test
        names = [test.layout.keys_of(item) for item in test.observed if isinstance(item, Cell)]
        return frozenset(name for group in names for name in group if name.endswith("]"))

    @property
    def filters(self) -> bool:
        """Whether the question has a filter."""
        return self.test.question.filter is not None

    @property
    def unwanted(self) -> FinalCondition:
        """That what `exists` asks for does not happen; else that what is forbidden does not, and `forall` holds."""
        if self.test.question.quantifier != "exists":
            return FinalCondition(self.test)
        return FinalCondition(replace(self.test, question=replace(self.test.question, quantifier="~exists")))

    @property
    def unseen(self) -> Position | None:
        """The first barrier with a quorum: threads do not wait there while they are explored."""
        places = [each.position for each in self.test.barriers if each.counted is not None and each.counted.quorum]
        return min(places, default=None, key=lambda place: (place.line, place.column))

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
