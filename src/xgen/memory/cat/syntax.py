"""The syntax trees of .cat texts: expressions and instructions, each with its origin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Literal, NamedTuple

from xgen.errors import Position, Source
from xgen.records import dataclass


class Origin(NamedTuple):
    """A place in one of the files that a model is made of."""

    source: Source
    position: Position


@dataclass(frozen=True, eq=False)
class Node:
    """Anything in a text."""

    origin: Origin


# --- Expressions


@dataclass(frozen=True, eq=False)
class Expression(Node):
    """What denotes a value."""


@dataclass(frozen=True, eq=False)
class Name(Expression):
    name: str


@dataclass(frozen=True, eq=False)
class TagName(Expression):
    """`'tag`"""

    name: str


@dataclass(frozen=True, eq=False)
class Zero(Expression):
    """`0`, the empty relation."""


@dataclass(frozen=True, eq=False)
class Universe(Expression):
    """`_`, all events or all pairs of events."""


@dataclass(frozen=True, eq=False)
class Members(Expression):
    """`{a, b}`, and `{}`, which is empty and of any kind."""

    members: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Tuple(Expression):
    """`(a, b)`, and `()`."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Unary(Expression):
    """`sign` is one of `~ + * ? ^-1 []`."""

    sign: str
    operand: Expression


@dataclass(frozen=True, eq=False)
class Operation(Expression):
    """`sign` is one of `| ++ ; \\ & *`; the places of the signs are not kept."""

    sign: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Apply(Expression):
    function: Expression
    argument: Expression


@dataclass(frozen=True, eq=False)
class Pattern(Node):
    """What a value is bound to: a name, `_` (None), or, with `tuple`, any number of those."""

    names: tuple[str | None, ...]
    tuple: bool


@dataclass(frozen=True, eq=False)
class Function(Expression):
    """`fun x -> body`; `name` is that of the definition, or ""."""

    parameter: Pattern
    body: Expression
    name: str


@dataclass(frozen=True, eq=False)
class Binding(Node):
    pattern: Pattern
    value: Expression


@dataclass(frozen=True, eq=False)
class LetIn(Expression):
    recursive: bool
    bindings: tuple[Binding, ...]
    body: Expression


@dataclass(frozen=True, eq=False)
class Try(Expression):
    body: Expression
    otherwise: Expression


@dataclass(frozen=True, eq=False)
class Variant(Node):
    """A condition on herd's variants: `name` where `sign` is "", else `not`, `&&` or `||` of the parts."""

    sign: Literal["", "not", "&&", "||"]
    name: str
    parts: tuple[Variant, ...] = ()


@dataclass(frozen=True, eq=False)
class Comparison(Node):
    """`sign` is one of `= subset in`."""

    sign: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class If(Expression):
    condition: Variant | Comparison
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, eq=False)
class MatchTag(Expression):
    """`match e with || 'a -> x || _ -> y end`; the clause of `_` is last, with the tag None."""

    value: Expression
    clauses: tuple[tuple[str | None, Expression], ...]


@dataclass(frozen=True, eq=False)
class MatchSet(Expression):
    """`match e with || {} -> empty || head ++ rest -> other end`; `before` is the name in `before | head ++ rest`."""

    value: Expression
    empty: Expression
    before: str | None
    head: str | None
    rest: str | None
    other: Expression


# --- Instructions


@dataclass(frozen=True, eq=False)
class Instruction(Node):
    """What stands by itself."""


@dataclass(frozen=True, eq=False)
class Let(Instruction):
    """`test` is the check after `when`."""

    recursive: bool
    bindings: tuple[Binding, ...]
    test: Check | None = None


@dataclass(frozen=True, eq=False)
class Check(Instruction):
    """`role` is "" for a check that rejects."""

    role: Literal["", "flag", "undefined_unless", "assert"]
    negated: bool
    property: Literal["acyclic", "irreflexive", "empty"]
    expression: Expression
    name: str | None


@dataclass(frozen=True, eq=False)
class Show(Instruction):
    """`show` and `unshow`: for herd's pictures."""


@dataclass(frozen=True, eq=False)
class Include(Instruction):
    file: str


@dataclass(frozen=True, eq=False)
class Procedure(Instruction):
    name: str
    parameter: Pattern
    body: tuple[Instruction, ...]


@dataclass(frozen=True, eq=False)
class Call(Instruction):
    name: str
    argument: Expression


@dataclass(frozen=True, eq=False)
class ForAll(Instruction):
    name: str
    members: Expression
    body: tuple[Instruction, ...]


@dataclass(frozen=True, eq=False)
class WithFrom(Instruction):
    name: str
    values: Expression


@dataclass(frozen=True, eq=False)
class IfVariant(Instruction):
    condition: Variant
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...]


@dataclass(frozen=True, eq=False)
class MatchInstructions(Instruction):
    value: Expression
    clauses: tuple[tuple[str | None, tuple[Instruction, ...]], ...]


@dataclass(frozen=True, eq=False)
class Enumeration(Instruction):
    """`enum name = 'a || 'b`"""

    name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Annotations(Instruction):
    """`instructions R[...]` and `default R[...]` of bell files."""

    kind: str
    sets: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Debug(Instruction):
    expression: Expression


@dataclass(frozen=True)
class File:
    """A whole text: the words of its header, "" where there are none, and its instructions."""

    source: Source
    architecture: str
    title: str
    instructions: tuple[Instruction, ...]


def names_in(node: Node) -> Iterator[str]:
    """The names that are used anywhere in a tree, bound there or not."""
    work: list[object] = [node]
    while work:
        part = work.pop()
        if isinstance(part, Name):
            yield part.name
        elif isinstance(part, Node):
            work += [getattr(part, field.name) for field in fields(part) if field.name != "origin"]
        elif isinstance(part, tuple):
            work += part
