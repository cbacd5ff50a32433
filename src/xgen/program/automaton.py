"""The extended control flow automaton (XCFA): what every front end produces, and all that lies behind them knows.

Plain data. Two programs are equal if they say the same thing: positions and the source do not count. Whether names
and types make sense is up to checks.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xgen.errors import Position, Source

NOWHERE = Position(1, 1)
"""The position of what no source text stands behind."""


# ---- types and expressions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar type, or an array of `sizes` (outermost dimension first) of it; `synthetic` is a mutex."""

    base: Literal["int", "bool", "synthetic"]
    sizes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.base + "".join(f"[{size}]" for size in self.sizes)


INT = Type("int")
BOOL = Type("bool")

UnaryOp: TypeAlias = Literal["not", "-"]
BinaryOp: TypeAlias = Literal[
    "iff", "imply", "or", "and", "=", "/=", "<", "<=", ">", ">=", "+", "-", "*", "/", "mod", "rem"
]


@dataclass(frozen=True, slots=True)
class IntLiteral:
    value: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class BoolLiteral:
    value: bool
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A name where it is used: in an expression always a local variable."""

    name: str
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expression
    right: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if condition then positive else negative`."""

    condition: Expression
    positive: Expression
    negative: Expression
    position: Position = field(default=NOWHERE, compare=False)


Constant: TypeAlias = IntLiteral | BoolLiteral
Expression: TypeAlias = IntLiteral | BoolLiteral | Name | Unary | Binary | Conditional


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, from left to right."""
    match expression:
        case Binary():
            return (expression.left, expression.right)
        case Unary():
            return (expression.operand,)
        case Conditional():
            return (expression.condition, expression.positive, expression.negative)
        case _:
            return ()


def postorder(expression: Expression) -> Iterator[Expression]:
    """All expressions inside and the expression itself, operands before what they are operands of, left before right.

    Not recursive: expressions may be nested as deeply as memory allows.
    """
    reverse, stack = [], [expression]
    while stack:
        reverse.append(stack.pop())
        stack.extend(operands(reverse[-1]))
    return reversed(reverse)


# ---- statements ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """A shared variable, or a cell of a shared array: one index for each dimension."""

    name: Name
    indices: tuple[Expression, ...] = ()

    @property
    def position(self) -> Position:
        return self.name.position


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Load:
    target: Name
    place: Place
    atomic: bool = False
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    value: Expression
    place: Place
    atomic: bool = False
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)


RMW_ARGUMENTS = {
    "exchange": 1,
    "fetch_add": 1,
    "fetch_sub": 1,
    "fetch_and": 1,
    "fetch_or": 1,
    "fetch_xor": 1,
    "cas": 2,
}
"""The read-modify-write operations, and how many values each takes after the place."""


@dataclass(frozen=True, slots=True)
class Rmw:
    """An atomic update; `target` gets the old value. `orders`: that of the update, then that of a failing cas."""

    target: Name | None
    op: str
    place: Place
    arguments: tuple[Expression, ...]
    orders: tuple[str, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Fence:
    tag: str | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assume:
    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Havoc:
    """Any value: of `bounds` (both included) for an int, either one for a bool."""

    target: Name
    bounds: tuple[Expression, Expression] | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Skip:
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    target: Name | None
    procedure: Name
    arguments: tuple[Expression, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AtomicBegin:
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Mutex:
    """`lock(mutex)` or `unlock(mutex)`."""

    op: Literal["lock", "unlock"]
    mutex: Name
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Control:
    """`start process` or `join process`."""

    op: Literal["start", "join"]
    process: Name
    position: Position = field(default=NOWHERE, compare=False)


Statement: TypeAlias = (
    Assign
    | Load
    | Store
    | Rmw
    | Fence
    | Assume
    | Assert
    | Havoc
    | Skip
    | Return
    | Call
    | AtomicBegin
    | AtomicEnd
    | Mutex
    | Control
)


# ---- declarations --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or a parameter; `initial` is empty (0 or false) or has a value for each cell, row by row."""

    name: str
    type: Type
    initial: tuple[Constant, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Location:
    name: str
    kind: Literal["init", "final", "error"] | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    source: Name
    target: Name
    statements: tuple[Statement, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    main: bool = False
    parameters: tuple[Variable, ...] = ()
    variables: tuple[Variable, ...] = ()
    locations: tuple[Location, ...] = ()
    edges: tuple[Edge, ...] = ()
    returns: Type | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Process:
    """A process has either procedures or locations and edges of its own; then it is its own main procedure."""

    name: str
    main: bool = False
    variables: tuple[Variable, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    locations: tuple[Location, ...] = ()
    edges: tuple[Edge, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)

    @property
    def main_procedure(self) -> Procedure:
        """The procedure that the process runs: the one marked `main`, the only one, or the process itself."""
        if self.procedures:
            return next((p for p in self.procedures if p.main), self.procedures[0])
        return Procedure(self.name, True, (), self.variables, self.locations, self.edges, position=self.position)

    @property
    def outer_variables(self) -> tuple[Variable, ...]:
        """The variables that belong to the process but not to its main procedure."""
        return self.variables if self.procedures else ()


@dataclass(frozen=True, slots=True)
class Program:
    source: Source = field(compare=False)
    variables: tuple[Variable, ...] = ()
    processes: tuple[Process, ...] = ()
