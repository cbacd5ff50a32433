"""What the encoding knows of a program that is run with all its ways at a time."""

from __future__ import annotations

from dataclasses import field
from typing import Literal as One

from xgen.engine.sat.dependencies.taint import INDEPENDENT, NOTHING, Dependencies, Taint, Way
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.numbers import Bits
from xgen.errors import UnsupportedError
from xgen.executions.execution import ViolationKind
from xgen.lowering.code import Code
from xgen.records import dataclass

INITIAL = -1
"""The thread of initial writes."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a register holds. `cells`: of the number of a cell, whether it is each of these; `taint`: what it depends
    on."""

    bits: Bits
    cells: dict[int, Literal] | None = None
    taint: Taint = NOTHING


@dataclass(slots=True)
class State:
    """A thread at an instruction: whether it comes there, and what its registers hold.

    `writes`: of each loop that it is in, from the outermost one, whether it has done something since the loop's head
    that is seen outside of it. `way`: what has decided that it comes there.
    """

    guard: Literal
    registers: dict[int, Value]
    writes: tuple[Literal, ...] = ()
    way: Way = field(default_factory=Way)

    def copy(self, guard: Literal) -> State:
        """The same with another guard."""
        return State(guard, dict(self.registers), self.writes, self.way)


@dataclass(slots=True)
class Event:
    """An event that there may be.

    exec          whether it is there
    cells         the cells that it may be about, and whether it is about each; none: a fence
    success       of an update's read: whether it writes; else true
    failed_class  its class where it does not, or -1
    partner       of an update's read its write, of its write its read, else -1
    unset         of a read: whether it reads what has no value yet, which is an error
    starts, joins of a fence: the thread that it starts or joins, else -1
    objects       of an allocation or a free: the objects that it may be about, each with whether it is
    dependencies  what it depends on, if the model asks
    """

    number: int
    thread: int
    kind: One["R", "W", "F"]
    exec: Literal
    event_class: int
    pc: int = -1
    cells: dict[int, Literal] = field(default_factory=dict)
    value: Bits = ()
    success: Literal = TRUE
    failed_class: int = -1
    partner: int = -1
    unset: Literal = FALSE
    starts: int = -1
    joins: int = -1
    objects: dict[int, Literal] = field(default_factory=dict)
    dependencies: Dependencies = INDEPENDENT


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction of a thread, whether it comes there, and what is chosen there."""

    thread: int
    pc: int
    guard: Literal
    chosen: Bits | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """An instruction of a thread, and whether something happens there."""

    thread: int
    pc: int
    holds: Literal


@dataclass(frozen=True, slots=True)
class Stand(Place):
    """Where a thread waits that does not go on: at a join, or at a lock. `cells`: of a lock, the mutexes that it may be
    about, with whether it is each of them; `expected`: what it waits for."""

    cells: dict[int, Literal]
    expected: Bits


@dataclass(frozen=True, slots=True)
class Error:
    """What goes wrong at an instruction, and whether it does. `cells`: of a free of what is not the start of an object,
    what it may be, each with whether it is."""

    thread: int
    pc: int
    holds: Literal
    kind: ViolationKind
    cells: dict[int, Literal] = field(default_factory=dict)


def refused(code: Code, pc: int, what: str) -> UnsupportedError:
    """That something of a program is not encoded."""
    site = code.sites[pc]
    message = f"--engine sat does not know {what} yet"
    hint = "`--engine graphs`, the default, explores it"
    return UnsupportedError(message, site.position.source or code.source, site.position, hint)
