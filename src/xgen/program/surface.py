"""The text form of programs as their authors write it: constants, structs, several processes of one kind, steps.

Plain data. expand.py makes a Program of it, text.py prints it. Expressions and statements are the automaton's; in them
may be constants, and elements of local arrays (`automaton.Element`).
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from xgen.errors import Position, Source
from xgen.program.automaton import NOWHERE, Expression, Location, Name, Statement
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type by its name, or that of a struct; the sizes are not computed yet, None is `*`."""

    base: str
    sizes: tuple[Expression | None, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """`const NAME = value`."""

    name: str
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, a parameter, or a field of a struct; see `automaton.Variable`."""

    name: str
    type: Type
    initial: tuple[Expression, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)
    address: int | None = None
    bytes: int = 0
    undefined: bool = False
    object: str | None = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A type of shared variables: fields, each of a type of its own."""

    name: str
    fields: tuple[Variable, ...]
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Steps in braces; `end` is the closing one."""

    steps: tuple[Step, ...]
    end: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    positive: Block
    negative: Block | If | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: Block
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DoWhile:
    """`asked` is where its condition is."""

    body: Block
    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)
    asked: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class For:
    """The local counts from the first number to the last one."""

    counter: Name
    first: Expression
    last: Expression
    body: Block
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Jump:
    kind: Literal["break", "continue"]
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Atomic:
    body: Block
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several blocks."""

    blocks: tuple[Block, ...]
    position: Position = field(default=NOWHERE, compare=False)


Step: TypeAlias = Statement | If | While | DoWhile | For | Jump | Atomic | Choose


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge; one that is `otherwise` is taken where no other of its location can be."""

    source: Name
    target: Name
    statements: tuple[Statement, ...] = ()
    otherwise: bool = False
    position: Position = field(default=NOWHERE, compare=False)
    end: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Body:
    """What stands between braces: declarations, locations and edges; or declarations, and then `code`."""

    items: tuple[Variable | Procedure | Location | Edge, ...] = ()
    code: Block | None = None
    end: Position = field(default=NOWHERE, compare=False)

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(item for item in self.items if isinstance(item, Variable))

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        return tuple(item for item in self.items if isinstance(item, Procedure))

    @property
    def locations(self) -> tuple[Location, ...]:
        return tuple(item for item in self.items if isinstance(item, Location))

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(item for item in self.items if isinstance(item, Edge))


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    main: bool
    parameters: tuple[Variable, ...]
    returns: Type | None
    body: Body
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Instances:
    """The processes of one kind: as many as a number, `[3]`; those `[first .. last]`; or any number of them, `[*]`."""

    number: Expression | None = None
    first: Expression | None = None
    last: Expression | None = None


@dataclass(frozen=True, slots=True)
class Process:
    name: str
    main: bool
    instances: Instances | None
    me: Name | None
    body: Body
    position: Position = field(default=NOWHERE, compare=False)


Item: TypeAlias = Constant | Struct | Variable | Procedure | Process


@dataclass(frozen=True, slots=True)
class Text:
    """A program's text: its declarations in their order."""

    source: Source = field(compare=False)
    items: tuple[Item, ...] = ()
