"""The extended control flow automaton (XCFA): what every front end produces, and all that lies behind them knows.

Plain data. Two programs are equal if they say the same thing: positions and the source do not count. Whether names
and types make sense is up to checks.py.

Expressions and statements are in files of their own; here are variables, locations and edges, processes and the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal, Protocol, TypeAlias

from xgen.errors import Position, Source
from xgen.program.expressions import (
    ANY,
    BOOL,
    CELL_SIZE,
    FUNCTIONS,
    INT,
    NOWHERE,
    AddressOf,
    AnyPlace,
    Binary,
    BinaryOp,
    BoolLiteral,
    Conditional,
    Constant,
    Deref,
    Element,
    Expression,
    Index,
    IntLiteral,
    Name,
    Place,
    Type,
    Unary,
    UnaryOp,
    Wrap,
    nth,
    operands,
    postorder,
)
from xgen.program.statements import (
    ASSERTIONS,
    CONDITIONAL_RMWS,
    RMW_ARGUMENTS,
    UPDATE_OPERATORS,
    Assert,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Bound,
    Call,
    Control,
    Cut,
    Fence,
    Havoc,
    Lifetime,
    Load,
    Meet,
    Mutex,
    Predict,
    Return,
    Rmw,
    Scope,
    Select,
    Skip,
    Statement,
    Store,
    StoreExclusive,
)
from xgen.records import dataclass

__all__ = [
    "ANY",
    "ASSERTIONS",
    "BOOL",
    "CELL_SIZE",
    "CONDITIONAL_RMWS",
    "FUNCTIONS",
    "INT",
    "NOWHERE",
    "RMW_ARGUMENTS",
    "UPDATE_OPERATORS",
    "AddressOf",
    "AnyPlace",
    "Assert",
    "Assign",
    "Assume",
    "AtomicBegin",
    "AtomicEnd",
    "Binary",
    "BinaryOp",
    "Block",
    "BoolLiteral",
    "Bound",
    "Call",
    "Conditional",
    "Constant",
    "Control",
    "Cut",
    "Deref",
    "Edge",
    "Element",
    "Expression",
    "Fence",
    "Havoc",
    "Index",
    "IntLiteral",
    "Leaks",
    "Lifetime",
    "Load",
    "Location",
    "Meet",
    "Mutex",
    "Name",
    "Object",
    "Place",
    "Predict",
    "Procedure",
    "Process",
    "Program",
    "Property",
    "Question",
    "Reading",
    "Requirement",
    "Return",
    "Rmw",
    "Scope",
    "Select",
    "Skip",
    "Statement",
    "Store",
    "StoreExclusive",
    "Type",
    "Unary",
    "UnaryOp",
    "Variable",
    "Wrap",
    "nth",
    "operands",
    "postorder",
]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or a parameter; `initial` is empty (0 or false) or has a value for each cell, row by row.

    A shared one may say its `address`, and how many bytes each of its cells has (negative: a number with a sign); and
    that it has no value at first (`undefined`): then it is a violation to read the initial one. The addresses of its
    cells are `step` bytes apart (0: as many as one has); `array.field` is a field of all elements of an array.
    Outcomes list those scalars that are `shown`. `object`: it is (a part of) an object of that name, which is allocated
    and freed. `pointer`: its values are addresses. `unsigned`: results have its values without the sign that they have
    in the program.
    """

    name: str
    type: Type
    initial: tuple[Constant, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)
    address: int | None = None
    bytes: int = 0
    undefined: bool = False
    shown: bool = field(default=True, compare=False)
    object: str | None = None
    step: int = field(default=0, compare=False)
    pointer: bool = field(default=False, compare=False)
    unsigned: bool = field(default=False, compare=False)


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
    same: bool = False
    """It does what another edge does, and differs only in what depends on what."""


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
    """A process has either procedures or locations and edges of its own; then it is its own main procedure.

    `many`: it stands for any number of processes that do the same; `me` is what each calls its own number.
    """

    name: str
    main: bool = False
    variables: tuple[Variable, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    locations: tuple[Location, ...] = ()
    edges: tuple[Edge, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)
    many: bool = False
    me: Name | None = None

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


class Requirement(Protocol):
    """What has to hold when all processes have ended."""

    @property
    def text(self) -> str:
        """The requirement as the program's author wrote it."""

    @property
    def position(self) -> Position | None:
        """Where the author wrote it, if that is known."""

    @property
    def cells(self) -> frozenset[str]:
        """The cells of arrays that it speaks of (`a[0]`); outcomes list them."""

    @property
    def filters(self) -> bool:
        """Whether it leaves executions out by their final states; then those count that have one only."""

    def counts(self, state: Mapping[str, int | bool]) -> bool:
        """Whether executions with this final state count; those that do not raise no flags."""

    def met(self, state: Mapping[str, int | bool]) -> bool:
        """Whether it holds in a final state, as outcomes have them (`process:variable` and shared variables)."""


class Question(Requirement, Protocol):
    """What a program's text asks of final states, whether or not it requires something: the condition of a test."""

    @property
    def unwanted(self) -> Requirement:
        """That what it asks for does not happen; where it requires something, that it is so."""

    @property
    def unseen(self) -> Position | None:
        """Where a thread may wait for ever, which the final state shows and no execution does; if anywhere."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text is read: values of constants that count instead of those in it, a bound on the rounds of loops."""

    constants: tuple[tuple[str, int | bool], ...] = ()
    unroll: int | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """What a task of SV-COMP asks about its program, and what it says of it, if it does. `partial`: not all that the
    program may do is in it."""

    name: str
    expected: bool | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Object:
    """What begins at an address: a variable, an array, memory that is allocated (`position`: where), a function."""

    name: str
    address: int
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """So many bytes at an address that programs call by a name.

    `root`: it is there until the program ends, and what it leads to does not leak: a variable that all threads share,
    and one of main's own. Others are allocated (`position`: where): `first` times before any event does so. `silent`:
    it is the library's own, and no leak itself. `data`: its bytes as they are at first, as far as no cell says so; all
    others are 0.
    """

    name: str
    address: int
    size: int
    root: bool = False
    silent: bool = False
    first: int = 0
    position: Position | None = field(default=None, compare=False)
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Leaks:
    """All blocks that there are at the end. `unless`: the address of a cell that is not 0 where the program ended by a
    call, as `exit`, and not by what its threads return: what these still hold then is no leak."""

    blocks: tuple[Block, ...]
    unless: int | None = None


Instead: TypeAlias = Callable[[Statement], Statement | None]
"""What stands in the place of a statement; None: nothing."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A kind of finding that is accepted at a line of a file: it is no violation there."""

    kind: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Program:
    """`races`: whether data races leave the program without a meaning, whatever the model says; None: as it says.

    `aims`: where the model lets writes come before accesses that have no address yet, addresses are to be predicted. A
    front end that has seen to that itself says no. `reading` is how its text was read. `question`: what it asks, which
    is a requirement, too, if it requires or leaves out something.

    `absent`: variables without cells. A run in which a pointer leads to one has to be made again with it. `gaps`: bytes
    of objects that belong to no variable, as nothing was seen to access them: where they start, and how many there are.

    `target`: of a C program the architecture that it is compiled for, "C" for the text as it is; None for all others.
    `headers`: whose it was read with, xgen's "own" or those that "cc" finds; `ignored`: flags that said nothing here.
    `remarks`: what its reader warns of, a sentence each. `folded`: places of its text that nothing leads to, as
    constants show, each with the name of the function that is called there, if one is. `objects`: what values that are
    addresses are called by. `volatile`: where plain accesses of volatile objects are. `asked`: of a task, what it asks
    about. `tested`: assertions stand behind their tests, as compilers put them: those that hold are never come to.

    `mixed`: where it has atomic accesses of several sizes to the same bytes, and which, if models of languages are to
    refuse that. `model`: the name of the one that its language has, or its test's architecture, if there is one.
    `accepted`: findings that are no violations.
    `told`: what it tells of tests that it has, and of their parts. `constants`: those of its text that were given
    another value. `project`: the folder of the project of cargo that it is of, in whose files constants can be given
    other values, too. `lively`: what asks, though nobody says so, that no thread waits for ever.
    `leaks`: the memory that there is, where it is asked whether some leaks.
    `again`: of a part of the Linux kernel, what reads its text with other accesses and fences.
    """

    source: Source = field(compare=False)
    variables: tuple[Variable, ...] = ()
    processes: tuple[Process, ...] = ()
    requirement: Requirement | None = field(default=None, compare=False)
    races: bool | None = field(default=None, compare=False)
    aims: bool = field(default=True, compare=False)
    absent: tuple[Variable, ...] = ()
    gaps: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    reading: Reading = field(default=Reading(), compare=False)
    question: Question | None = field(default=None, compare=False)
    target: str | None = field(default=None, compare=False)
    headers: str | None = field(default=None, compare=False)
    ignored: tuple[str, ...] = field(default=(), compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)
    folded: tuple[tuple[Position, str], ...] = field(default=(), compare=False)
    objects: tuple[Object, ...] = field(default=(), compare=False)
    volatile: tuple[Position, ...] = field(default=(), compare=False)
    asked: Property | None = field(default=None, compare=False)
    tested: bool = field(default=False, compare=False)
    mixed: tuple[Position, str] | None = field(default=None, compare=False)
    model: str | None = field(default=None, compare=False)
    accepted: tuple[Accepted, ...] = ()
    told: tuple[tuple[str | int, ...], ...] = field(default=(), compare=False)
    constants: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    project: str | None = field(default=None, compare=False)
    lively: str | None = field(default=None, compare=False)
    leaks: Leaks | None = field(default=None, compare=False)
    again: Callable[[Instead], Program] | None = field(default=None, compare=False, repr=False)

    @property
    def many(self) -> Process | None:
        """A process that stands for any number of them, if there is one."""
        return next((process for process in self.processes if process.many), None)
