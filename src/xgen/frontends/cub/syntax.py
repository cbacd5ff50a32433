"""The syntax of .cub texts as data: what the parser builds, before names and types are looked at."""

from __future__ import annotations

from xgen.errors import Position
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A word of the text and its place."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Cell:
    """`X`, `X[p]`, or with the process that reads it `p @ X`. A constructor looks like the first."""

    name: Name
    index: tuple[Name, ...] = ()
    reader: Name | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number; `digits` as written, with its sign."""

    digits: Name


@dataclass(frozen=True, slots=True)
class Sum:
    """`left + right` or `left - right`."""

    left: Cell | Constant | Name
    sign: int
    right: Cell | Constant | Name
    position: Position


Term = Cell | Constant | Sum | Name
"""A Name is a process, or what `let` gave a name to."""


@dataclass(frozen=True, slots=True)
class Comparison:
    left: Term
    relation: str
    right: Term
    position: Position


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Fence:
    position: Position


@dataclass(frozen=True, slots=True)
class Junction:
    """All of the parts hold (`every`), or one of them."""

    every: bool
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    part: Formula


@dataclass(frozen=True, slots=True)
class Quantified:
    """`word` is forall, exists, forall_other or exists_other; `distinct`: the names are different processes."""

    word: Name
    names: tuple[Name, ...]
    distinct: bool
    body: Formula


@dataclass(frozen=True, slots=True)
class Call:
    """A predicate with its arguments: formulas and terms."""

    name: Name
    arguments: tuple[Formula | Term, ...]


Formula = Comparison | Truth | Fence | Junction | Negation | Quantified | Call


@dataclass(frozen=True, slots=True)
class Typedef:
    name: Name
    values: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """`kind` is var, array or const."""

    kind: str
    name: Name
    index: tuple[Name, ...]
    type: Name
    weak: bool


@dataclass(frozen=True, slots=True)
class Property:
    """`init`, `unsafe` or `invariant`, as `word` says."""

    word: str
    name: Name | None
    parameters: tuple[Name, ...]
    formula: Formula
    position: Position


@dataclass(frozen=True, slots=True)
class Predicate:
    name: Name
    parameters: tuple[Name, ...]
    formula: Formula


@dataclass(frozen=True, slots=True)
class Branch:
    """`| condition : value`; the condition is None for `_`."""

    condition: Formula | None
    value: Term


@dataclass(frozen=True, slots=True)
class Assignment:
    """`cell := value`, `cell := case ..`; a value None is any."""

    cell: Cell
    value: Term | tuple[Branch, ...] | None


@dataclass(frozen=True, slots=True)
class Step:
    """A transition."""

    name: Name
    parameters: tuple[Name, ...]
    actor: Name | None
    guard: Formula
    lets: tuple[tuple[Name, Term], ...]
    updates: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A whole text; `size` is what `number_procs` says."""

    size: Name | None
    types: tuple[Typedef, ...]
    declarations: tuple[Declaration, ...]
    properties: tuple[Property, ...]
    predicates: tuple[Predicate, ...]
    steps: tuple[Step, ...]
