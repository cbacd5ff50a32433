"""What names of a .cat model stand for."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, MutableMapping

from xgen.errors import ModelError, UnsupportedError
from xgen.memory.algebra import Kind, Term
from xgen.memory.cat import syntax as s
from xgen.records import dataclass


@dataclass(frozen=True)
class Anything:
    """`{}` and `_`: a set or a relation, as the place demands; empty or with everything."""

    empty: bool


@dataclass(frozen=True)
class Tag:
    name: str


@dataclass(frozen=True)
class Tags:
    """A set of tags, in the order of their declaration."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """A tuple."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the text, with the names that it uses."""

    function: s.Function
    scope: Scope


@dataclass(frozen=True, eq=False)
class Primitive:
    """A function that is built in."""

    name: str
    apply: Callable[[Value, s.Origin], Value]


@dataclass(frozen=True, eq=False)
class Routine:
    """A procedure, with the names that it uses."""

    procedure: s.Procedure
    scope: Scope


@dataclass(frozen=True)
class Orders:
    """For each variable the total orders of those writes to it that are in `events`, if they extend `within`."""

    events: Term
    within: Term


@dataclass(frozen=True)
class Failed:
    """A definition that makes no sense; that is an error where the name is used."""

    error: ModelError | UnsupportedError


Value = Term | Anything | Tag | Tags | Values | Closure | Primitive | Routine | Orders
Scope = ChainMap[str, Value | Failed]

EMPTY, UNIVERSE = Anything(True), Anything(False)

Names = MutableMapping[str, Value | Failed]


def describe(value: Value) -> str:
    """What a value is, for messages."""
    if isinstance(value, Term):
        return "a set of events" if value.kind is Kind.SET else "a relation"
    if isinstance(value, Anything):
        return "`{}`" if value.empty else "`_`"
    return {
        Tag: "a tag", Tags: "a set of tags", Values: "a tuple", Closure: "a function", Primitive: "a function",
        Routine: "a procedure", Orders: "a set of relations",
    }[type(value)]  # fmt: skip
