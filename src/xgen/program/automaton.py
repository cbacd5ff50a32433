"""The extended control flow automaton (XCFA): what every front end produces, and all that lies behind them knows.

Plain data. Two programs are equal if they say the same thing: positions and the source do not count. Whether names
and types make sense is up to checks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal, Protocol, TypeAlias

from xgen.errors import Position, Source
from xgen.records import dataclass

NOWHERE = Position(1, 1)
"""The position of what no source text stands behind."""

CELL_SIZE = 16
"""Cell n has the address CELL_SIZE * (n + 1), where its variable does not say another."""


# ---- types and expressions -----------------------------------------------------------------------------------------


ANY = 0
"""The size of an array that has a cell for each process, however many there are."""


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar type, or an array of `sizes` (outermost dimension first) of it; `synthetic` is a mutex."""

    base: Literal["int", "bool", "synthetic"]
    sizes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.base + "".join(f"[{'*' if size == ANY else size}]" for size in self.sizes)


INT = Type("int")
BOOL = Type("bool")

UnaryOp: TypeAlias = Literal["not", "-", "bitnot"]
BinaryOp: TypeAlias = (
    Literal["iff", "imply", "or", "and", "=", "/=", "<", "<=", ">", ">=", "+", "-", "*", "/", "mod", "rem"]
    | Literal["bitand", "bitor", "bitxor", "shl", "shr", "sar", "quot", "trem", "udiv", "urem", "ult", "ule"]
)
FUNCTIONS = ("sar", "quot", "trem", "udiv", "urem", "ult", "ule")
"""The operators that are written like functions: `quot(a, b)`. Shift with the sign; division that truncates, and its
remainder;
both without sign; less than and at most without sign."""


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
class Element(Name):
    """A cell of a local array, or one of several processes, in the text form only: expand.py says which that is."""

    indices: tuple[Expression, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Wrap:
    """The number that the lowest `bits` (1 to 64) of a value are, in two's complement where `signed`."""

    operand: Expression
    bits: int
    signed: bool
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """A number, which is a violation where it is not from 0 to `size` - 1."""

    operand: Expression
    size: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a place: `&x`, `&a[i]`. The cells of a program are numbered from 0 in the order in which they are
    declared; see CELL_SIZE."""

    place: AnyPlace
    position: Position = field(default=NOWHERE, compare=False)


Constant: TypeAlias = IntLiteral | BoolLiteral
Expression: TypeAlias = IntLiteral | BoolLiteral | Name | Unary | Binary | Conditional | Wrap | Index | AddressOf


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, from left to right."""
    match expression:
        case Binary():
            return (expression.left, expression.right)
        case Unary():
            return (expression.operand,)
        case Conditional():
            return (expression.condition, expression.positive, expression.negative)
        case Wrap() | Index():
            return (expression.operand,)
        case Element():
            return expression.indices
        case AddressOf(Deref(address)):
            return (address,)
        case AddressOf(Place(_, indices)):
            return indices
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
class Deref:
    """The cell with this address: `*e`. An address that is not that of an int cell is a violation.

    `width` is how many bytes the cell has to have, negative where they are a number with a sign; 0: any.
    """

    address: Expression
    position: Position = field(default=NOWHERE, compare=False)
    width: int = 0


AnyPlace: TypeAlias = Place | Deref


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Load:
    """A read. `order` is its first tag, `tags` are the others (the text form does not tell a tag from an order).

    An `exclusive` one (load-linked) is what the store exclusives of the thread that follow pair with.
    """

    target: Name
    place: AnyPlace
    atomic: bool = False
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """A write. `order` is its first tag, `tags` are the others."""

    value: Expression
    place: AnyPlace
    atomic: bool = False
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreExclusive:
    """A store-conditional: it fails (`status` gets 1, no event) or succeeds (0, and a write), nondeterministically.

    It can succeed only if the thread's last exclusive load is of the same cell and no store exclusive came since. The
    relation `rmw` leads from that load to the write; whether the two are atomic is up to the memory model.
    """

    status: Name
    value: Expression
    place: AnyPlace
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()


RMW_ARGUMENTS = {
    "exchange": 1,
    "fetch_add": 1,
    "fetch_sub": 1,
    "fetch_and": 1,
    "fetch_or": 1,
    "fetch_xor": 1,
    "fetch_andnot": 1,
    "fetch_min": 1,
    "fetch_max": 1,
    "fetch_umin": 1,
    "fetch_umax": 1,
    "cas": 2,
    "add_unless": 2,
}
"""The read-modify-write operations, and how many values each takes after the place."""

CONDITIONAL_RMWS = frozenset({"cas", "add_unless"})
"""Those that need not write; then they are plain reads, which have an order of their own."""


@dataclass(frozen=True, slots=True)
class Rmw:
    """An atomic update; `target` gets the old value. `orders`: its own, then that of one that does not write.

    Further tags are those of its two events: `read_tags` (also of the read of one that does not write), `write_tags`.
    `bits`: what it writes has so many bits, as in `Wrap`, -n for n bits with a sign; None: an overflow is an error.
    """

    target: Name | None
    op: str
    place: AnyPlace
    arguments: tuple[Expression, ...]
    orders: tuple[str, ...] = ()
    position: Position = field(default=NOWHERE, compare=False)
    read_tags: tuple[str, ...] = ()
    write_tags: tuple[str, ...] = ()
    bits: int | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence. One that was `inserted` to see what it changes does not count for a bound on events."""

    tag: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()
    inserted: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Assume:
    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assert:
    """A violation of a kind, one of ASSERTIONS, where the condition does not hold.

    One of kind "exit" whose condition is `true` marks a place that a note tells of, if an execution comes there.
    """

    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)
    kind: str = "assertion"


ASSERTIONS = (
    "assertion",
    "unlock",
    "out-of-bounds",
    "overflow",
    "shift",
    "division-by-zero",
    "uninitialised",
    "bad-join",
    "bad-call",
    "bad-allocation",
    "bad-free",
    "barrier",
    "destroyed",
    "undefined",
    "exit",
)
"""What an assertion that does not hold can be a violation of."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The thread goes no further: a bound is reached. `what`: the bound, in words, for who reads results."""

    position: Position = field(default=NOWHERE, compare=False)
    what: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Bound:
    """Counts in a local how often the thread comes here; where it is more than `limit`, the thread is cut.

    The count is no part of what tells whether a loop only waits.
    """

    counter: Name
    limit: int
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Havoc:
    """Any value: of `bounds` (both included) for an int, either one for a bool."""

    target: Name
    bounds: tuple[Expression, Expression] | None = None
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Predict:
    """A local gets a value, even before that is known: then it is predicted, and has to turn out so.

    It is a bool, or an int; then the value is one from 0 to `count` - 1.
    What depends on the local depends on what the value does; with `picks`, it picks by that (`pick_addr` and so on).
    """

    target: Name
    value: Expression
    picks: bool = False
    count: int = 2
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Select:
    """One of two values, which depends on the choice, and on the one that is chosen but not on the other.

    `one_sided`: it depends on the choice only where that is true.
    """

    target: Name
    choice: Name
    positive: Expression
    negative: Expression
    one_sided: bool = False
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Scope:
    """What decides which way the thread goes is kept in a local; when it leaves, nothing else decides that any more."""

    op: Literal["keep", "leave"]
    local: Name
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
    """`lock(mutex)` or `unlock(mutex)`: of a variable that is a mutex, or of a cell for an int by its place."""

    op: Literal["lock", "unlock"]
    mutex: Name | AnyPlace
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """`alloc(place)` or `free(place)`: of the allocated object whose first cell that is; else it is a violation."""

    op: Literal["alloc", "free"]
    place: AnyPlace
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
    | StoreExclusive
    | Rmw
    | Fence
    | Assume
    | Assert
    | Cut
    | Bound
    | Havoc
    | Predict
    | Select
    | Scope
    | Skip
    | Return
    | Call
    | AtomicBegin
    | AtomicEnd
    | Mutex
    | Lifetime
    | Control
)


# ---- declarations --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or a parameter; `initial` is empty (0 or false) or has a value for each cell, row by row.

    A shared one may say its `address`, and how many bytes each of its cells has (negative: a number with a sign); and
    that it has no value at first (`undefined`): then it is a violation to read the initial one. The addresses of its
    cells are `step` bytes apart (0: as many as one has); `array.field` is a field of all elements of an array.
    Outcomes list those scalars that are `shown`. `object`: it is (a part of) an object of that name, which is allocated
    and freed. `pointer`: its values are addresses.
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
    def cells(self) -> frozenset[str]:
        """The cells of arrays that it speaks of (`a[0]`); outcomes list them."""

    def counts(self, state: Mapping[str, int | bool]) -> bool:
        """Whether executions with this final state count; those that do not raise no flags."""

    def met(self, state: Mapping[str, int | bool]) -> bool:
        """Whether it holds in a final state, as outcomes have them (`process:variable` and shared variables)."""


class Question(Requirement, Protocol):
    """What a program's text asks of final states, whether or not it requires something: the condition of a test."""

    @property
    def unwanted(self) -> Requirement:
        """That what it asks for does not happen; where it requires something, that it is so."""


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
class Program:
    """`races`: whether data races leave the program without a meaning, whatever the model says; None: as it says.

    `aims`: where the model lets writes come before accesses that have no address yet, addresses are to be predicted. A
    front end that has seen to that itself says no. `reading` is how its text was read. `question`: what it asks, which
    is a requirement, too, if it requires or leaves out something.

    `absent`: variables without cells. A run in which a pointer leads to one has to be made again with it.

    `target`: of a C program the architecture that it is compiled for, "C" for the text as it is; None for all others.
    `headers`: whose it was read with, xgen's "own" or those that "cc" finds; `ignored`: flags that said nothing here.
    `remarks`: what its reader warns of, a sentence each. `folded`: places of its text that nothing leads to, as
    constants show, each with the name of the function that is called there, if one is. `objects`: what values that are
    addresses are called by. `volatile`: where plain accesses of volatile objects are. `asked`: of a task, what it asks
    about. `tested`: assertions stand behind their tests, as compilers put them: those that hold are never come to.

    `mixed`: where it has atomic accesses of several sizes to the same bytes, and which, if models of languages are to
    refuse that.
    """

    source: Source = field(compare=False)
    variables: tuple[Variable, ...] = ()
    processes: tuple[Process, ...] = ()
    requirement: Requirement | None = field(default=None, compare=False)
    races: bool | None = field(default=None, compare=False)
    aims: bool = field(default=True, compare=False)
    absent: tuple[Variable, ...] = ()
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

    @property
    def many(self) -> Process | None:
        """A process that stands for any number of them, if there is one."""
        return next((process for process in self.processes if process.many), None)
