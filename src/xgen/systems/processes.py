"""Processes with guarded steps over shared variables: what the engine of explicit states works on."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from xgen.errors import Position, Source
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or an array: its name, the least and the greatest value, and what it holds at first.

    `process` is None where it is shared. Values are wrapped into the range.
    """

    name: str
    process: int | None
    range: tuple[int, int]
    initial: tuple[int, ...]
    is_array: bool
    at: Position | None = field(default=None, compare=False)

    @property
    def is_shared(self) -> bool:
        """Whether stores to it are delayed in buffers."""
        return self.process is None


@dataclass(frozen=True, slots=True)
class Read:
    """What a variable holds, at an index where it is an array."""

    variable: Variable
    index: Expression | None


@dataclass(frozen=True, slots=True)
class Stands:
    """Whether a process is at a place, both by number."""

    process: int
    place: int


@dataclass(frozen=True, slots=True)
class Operation:
    """`not`, `-` or `~` with one operand, else an operator of C between two; `&&` and `||` look at the right one only
    where the left one does not decide."""

    operator: str
    operands: tuple[Expression, ...]


Expression: TypeAlias = Number | Read | Stands | Operation


@dataclass(frozen=True, slots=True)
class Effect:
    """An assignment; `exclusive`: that of a store exclusive, which needs the cell to be reserved."""

    variable: Variable
    index: Expression | None
    value: Expression
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What has to hold amid the actions of a step: else it cannot be taken, or where it is `claimed`, is an error."""

    value: Expression
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Clear:
    """The process' own stores to a cell are in memory, and those before the last fence between stores."""

    variable: Variable
    index: Expression | None


@dataclass(frozen=True, slots=True)
class Reserve:
    """A load exclusive of a cell has read it: it is the process' until another one's store to it reaches memory."""

    variable: Variable
    index: Expression | None


@dataclass(frozen=True, slots=True)
class Release:
    """The process has reserved nothing any more."""


Action: TypeAlias = Effect | Condition | Clear | Reserve | Release


@dataclass(frozen=True, slots=True)
class Transition:
    """A step of a process; all its actions happen at once, one after the other. `text` is what people are shown.

    `atomic`: it waits until the process' own stores are in memory, and stores there itself. `partner`: of a handshake,
    which is atomic, the process that moves as well, from and to where. `fences`: the process' stores before it come
    before those after it. `direct`: it stores to memory itself, and each cell has to be clear then. `together`: its
    stores reach memory at one moment. `watches`: where it reads a store of its own process that is not in memory, the
    run may be none of the model.
    """

    process: int
    origin: int
    target: int
    guard: Expression | None
    actions: tuple[Action, ...]
    text: str
    line: int | None
    atomic: bool = False
    partner: tuple[int, int, int] | None = None
    fences: bool = False
    direct: bool = False
    together: bool = False
    watches: bool = False

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What it assigns."""
        return tuple(action for action in self.actions if isinstance(action, Effect))


@dataclass(frozen=True, slots=True)
class Process:
    """A process: its name, its places, where it starts, which are committed or its end, and what is asserted."""

    name: str
    places: tuple[str, ...]
    start: int
    committed: frozenset[int]
    asserts: tuple[tuple[int, Expression], ...]
    ends: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class System:
    """A system of processes."""

    name: str
    source: Source
    variables: tuple[Variable, ...]
    processes: tuple[Process, ...]
    transitions: tuple[Transition, ...]
