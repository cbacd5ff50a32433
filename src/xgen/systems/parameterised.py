"""Parameterised systems: cells indexed by processes, and transitions of any number of processes.

Processes are written as ints. In a transition, a formula or a universal part they are variables, counted from 0;
-1, -2, .. are the fixed processes #1, #2, ... Parameters are different processes. Conditions are in disjunctive normal
form: a tuple of conjunctions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum

from xgen.errors import Position, Source
from xgen.records import dataclass


class Kind(Enum):
    """What values of a type are; each is compared in its own way."""

    ENUM = "enumeration"
    ABSTRACT = "abstract"
    INT = "int"
    REAL = "real"
    PROC = "proc"


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `values` are the constructors of an enumeration, in order."""

    name: str
    kind: Kind
    values: tuple[str, ...] = ()


NOWHERE = Position(1, 1)
"""Where a system has no text."""

BOOL = Type("bool", Kind.ENUM, ("False", "True"))
INT = Type("int", Kind.INT)
REAL = Type("real", Kind.REAL)
PROC = Type("proc", Kind.PROC)


@dataclass(frozen=True, slots=True)
class Array:
    """A variable (no index), or a cell for each process or tuple of processes."""

    name: str
    type: Type
    arity: int
    weak: bool = False
    constant: bool = False
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class Access:
    """What a cell holds, plus an offset if it is a number; `array` counts the system's arrays.

    `reader` is the process that a weak cell is read by: the one that acts, or in `unsafe` the one before the `@`.
    """

    array: int
    index: tuple[int, ...] = ()
    offset: int = 0
    reader: int | None = None
    position: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Process:
    """A process as a value."""

    process: int


@dataclass(frozen=True, slots=True)
class Value:
    """The constructor of that number, of an enumeration."""

    value: int


@dataclass(frozen=True, slots=True)
class Number:
    """An int; a real is multiplied by the system's `scale`."""

    value: int


Term = Access | Process | Value | Number


@dataclass(frozen=True, slots=True)
class Literal:
    """`left relation right`; the relation is one of "=", "<>", "<", "<="."""

    relation: str
    left: Term
    right: Term


Conjunction = tuple[Literal, ...]
Condition = tuple[Conjunction, ...]


@dataclass(frozen=True, slots=True)
class Universal:
    """`condition` holds for all values of `variables`; the one of number v is not one of the processes `apart[v]`."""

    variables: tuple[int, ...]
    apart: tuple[tuple[int, ...], ...]
    condition: Condition


@dataclass(frozen=True, slots=True)
class Rule:
    """One disjunct of a guard. `parameters` counts those of the transition, and then what `exists` adds."""

    parameters: int
    literals: Conjunction
    universals: tuple[Universal, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A branch of an update: the value where the condition holds; None is any value."""

    condition: Condition
    value: Term | None


@dataclass(frozen=True, slots=True)
class Update:
    """A write to a cell; an index of `fresh` is no parameter and stands for all processes.

    The cases exclude each other, and one of them always holds.
    """

    array: int
    index: tuple[int, ...]
    fresh: tuple[int, ...]
    cases: tuple[Case, ...]
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class Transition:
    """What a process can do, in one step. `actor` is the parameter that acts, None where it does not matter.

    `reads`, `writes`: weak cells; `fence`: its earlier writes have to be visible to all. Of the parameters that
    `exists` adds there are no names.
    """

    name: str
    parameters: tuple[str, ...]
    actor: int | None
    rules: tuple[Rule, ...]
    updates: tuple[Update, ...]
    reads: bool = False
    writes: bool = False
    fence: bool = False
    position: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class Bad:
    """What must not happen: for some different processes, one of the conjunctions. Also what is known not to."""

    name: str | None
    parameters: int
    condition: Condition
    position: Position = NOWHERE


@dataclass(frozen=True)
class System:
    """A parameterised system; the meaning of weak cells is up to the memory model.

    processes  their number, None: any
    fixed      how many of them have names: #1, #2, ...
    ordered    whether processes are compared with `<`
    init       for all tuples of different processes: (how many variables, condition)
    scale      what constants of type real are multiplied by
    """

    arrays: tuple[Array, ...]
    processes: int | None
    fixed: int
    ordered: bool
    init: tuple[int, Condition]
    unsafe: tuple[Bad, ...]
    invariants: tuple[Bad, ...]
    transitions: tuple[Transition, ...]
    scale: int = 1
    source: Source = field(default=Source("", ""), repr=False)

    @property
    def universal_guards(self) -> bool:
        """Whether a guard speaks of all processes: then `safe` is still right, but not every trace is possible."""
        return any(rule.universals for transition in self.transitions for rule in transition.rules)


def accesses(condition: Condition) -> Iterator[Access]:
    """The cells that a condition speaks of."""
    for conjunction in condition:
        for literal in conjunction:
            yield from (term for term in (literal.left, literal.right) if isinstance(term, Access))
