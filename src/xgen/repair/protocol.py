"""A protocol with all names looked up and all quantifiers written out: what the rest of the room works on.

Values are numbers, or the names of a type's values as texts; a state is a tuple of them, one for each variable. `true`
and `false` are 1 and 0.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from xgen.errors import Position, Source
from xgen.records import dataclass
from xgen.repair import syntax

Value: TypeAlias = int | str
State: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value."""

    value: Value
    at: Position
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """What a variable is, or, primed, what it is after the step."""

    variable: int
    primed: bool
    at: Position


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator, as it is written, or `count`; `and`, `or` and `count` have any number of operands."""

    operator: str
    operands: tuple[Expression, ...]
    at: Position


Expression: TypeAlias = Literal | Reference | Operation


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its full name, its values in their order, and its value at the start where that is said."""

    name: str
    values: tuple[Value, ...]
    initial: Value | None
    is_bool: bool
    at: Position

    def shown(self, value: Value) -> str:
        """A value as it is written."""
        return ("true" if value else "false") if self.is_bool else str(value)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way in which an action may go: for each variable that it sets, to what; and its text."""

    updates: tuple[tuple[int, Expression], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """A guarded command of a process or a fault. `number` counts the actions of the text; a family shares them."""

    guard: Expression
    alternatives: tuple[Alternative, ...]
    number: int
    guard_text: str
    effect_text: str
    at: Position
    span: tuple[int, int]

    @property
    def text(self) -> str:
        """As it stands in the text."""
        return f"{self.guard_text} -> {self.effect_text}"


@dataclass(frozen=True, slots=True)
class Process:
    """A process: what it reads, its own variables first, what of that it writes, and its actions.

    `family` counts the process blocks of the text, `index` is the number or the name that follows the dot in the names
    of its own variables. `names` are what the process calls what it reads, in the same order. In a symmetric family
    `others` are, for each other process, the variables of it that are read.
    """

    name: str
    index: Value
    family: int
    reads: tuple[int, ...]
    names: tuple[str, ...]
    own: tuple[int, ...]
    writes: tuple[int, ...]
    actions: tuple[Action, ...]
    others: tuple[tuple[int, ...], ...]
    symmetric: bool


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol. Conditions of several `legit` and `init` hold together; one of several `never` is enough."""

    source: Source
    constants: dict[str, int]
    variables: tuple[Variable, ...]
    processes: tuple[Process, ...]
    faults: tuple[Action, ...]
    legit: Expression
    never: Expression
    never_step: Expression
    init: Expression
    text: syntax.Text = field(repr=False)

    @property
    def blocks(self) -> tuple[syntax.Process, ...]:
        """The processes and families as they stand in the text."""
        return tuple(item for item in self.text if isinstance(item, syntax.Process))

    def describe(self, state: State) -> str:
        """A state in words: `d.0 = none, f.0 = false`."""
        return ", ".join(f"{v.name} = {v.shown(value)}" for v, value in zip(self.variables, state, strict=True))


_LEVELS = {"imply": 1, "or": 2, "and": 3, "not": 4}
_LEVELS |= dict.fromkeys(("=", "/=", "<", "<=", ">", ">="), 5) | {"+": 6, "-": 6, "*": 7, "mod": 7}


def text_of(
    expression: Expression, variables: tuple[Variable, ...] | list[Variable], index: Value | None = None, level: int = 0
) -> str:
    """An expression as it is written, in a process of this index, with all quantifiers written out."""
    if isinstance(expression, Literal):
        return str(expression.value)
    if isinstance(expression, Reference):
        name, _, suffix = variables[expression.variable].name.partition(".")
        shown = name if index is not None and suffix == str(index) else variables[expression.variable].name
        return shown + "'" * expression.primed
    if expression.operator == "count":
        parts = [text_of(operand, variables, index) for operand in expression.operands]
        return f"count of ({', '.join(parts)})"
    own = _LEVELS[expression.operator]
    if expression.operator == "not":
        text = f"not {text_of(expression.operands[0], variables, index, own)}"
    elif not expression.operands:
        return "true" if expression.operator == "and" else "false"
    else:
        first, *rest = expression.operands
        text = text_of(first, variables, index, own if own not in (1, 5) else own + 1)
        for operand in rest:
            text += f" {expression.operator} {text_of(operand, variables, index, own + (own != 1))}"
    return f"({text})" if own < level else text
