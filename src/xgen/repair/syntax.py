"""What a protocol's text says, as the parser gives it: names are not looked up yet."""

from __future__ import annotations

from typing import TypeAlias

from xgen.errors import Position
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A name, a number or a word, and its place."""

    text: str
    at: Position


@dataclass(frozen=True, slots=True)
class Designator:
    """A variable, or any other name: `d`, `d.g`, `d.(j + 1)`; primed, what it is after the step.

    `start` and `end` are its place in the text, in characters, as those of constants, actions and processes.
    """

    name: Name
    index: Expression | Name | None
    primed: bool
    start: int
    end: int

    @property
    def at(self) -> Position:
        """Where it is."""
        return self.name.at


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or `true` and `false`, which are 1 and 0."""

    value: int
    at: Position
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """`not`, or an operator between two operands."""

    operator: str
    operands: tuple[Expression, ...]
    at: Position


@dataclass(frozen=True, slots=True)
class Range:
    """From a number to a number, both included."""

    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True)
class Quantified:
    """`all`, `some` or `count` over a range, or over the other processes (None)."""

    word: str
    name: Name
    domain: Range | None
    body: Expression
    at: Position


Expression: TypeAlias = Designator | Number | Operation | Quantified


@dataclass(frozen=True, slots=True)
class Constant:
    """`const n = 3`"""

    name: Name
    value: Expression
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Type:
    """`type Decision = 0 | 1 | none`: the values in their order, or a range."""

    name: Name | None
    values: tuple[Name, ...] | Range


@dataclass(frozen=True, slots=True)
class Declaration:
    """`var d.g : Bit = 0`, or one of a process, which has no index."""

    name: Name
    index: Expression | Name | None
    type: Name | Range
    initial: Expression | None


@dataclass(frozen=True, slots=True)
class OfOthers:
    """`d of others` in a list of what is read."""

    name: Name


@dataclass(frozen=True, slots=True)
class Assignment:
    """`d := 1`; `value` is a tuple where any of its values will do, None where any value of the type will."""

    target: Designator
    value: Expression | tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True)
class Action:
    """`guard -> assignments`"""

    guard: Expression
    assignments: tuple[Assignment, ...]
    at: Position
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Each:
    """`for j in 0..n-1`"""

    name: Name
    range: Range


@dataclass(frozen=True, slots=True)
class Process:
    """A process, or a family of them, one for each number of a range."""

    name: Name
    range: Range | None
    symmetric: bool
    locals: tuple[Declaration, ...]
    reads: tuple[Designator | OfOthers, ...]
    writes: tuple[Designator, ...]
    actions: tuple[Action, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fault:
    """`fault for j in 0..n-1: guard -> assignments`"""

    each: Each | None
    action: Action


@dataclass(frozen=True, slots=True)
class Property:
    """`legit`, `never`, `never step` or `init`, and its condition."""

    word: str
    each: Each | None
    condition: Expression
    at: Position


Item: TypeAlias = Constant | Type | Declaration | Process | Fault | Property
Text: TypeAlias = tuple[Item, ...]
