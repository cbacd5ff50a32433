"""What a process does in a step: accesses, fences, assignments, assertions, and what starts or cuts threads."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from xgen.errors import Position
from xgen.program.expressions import NOWHERE, AnyPlace, BinaryOp, Expression, Name
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expression
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Load:
    """A read. `order` is its first tag, `tags` are the others (the text form does not tell a tag from an order).

    An `exclusive` one (load-linked) is what the store exclusives of the thread that follow pair with. Of a `blind` one
    nobody looks at what it reads, which goes nowhere: a store reads only because it is made by an update.
    """

    target: Name
    place: AnyPlace
    atomic: bool = False
    order: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()
    exclusive: bool = False
    blind: bool = False


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
    "fetch_fadd32": 1,
    "fetch_fadd64": 1,
    "fetch_umax": 1,
    "cas": 2,
    "add_unless": 2,
}
"""The read-modify-write operations, and how many values each takes after the place."""

CONDITIONAL_RMWS = frozenset({"cas", "add_unless"})
"""Those that need not write; then they are plain reads, which have an order of their own."""


UPDATE_OPERATORS: dict[str, BinaryOp] = {
    "fetch_add": "+",
    "fetch_sub": "-",
    "fetch_and": "bitand",
    "fetch_or": "bitor",
    "fetch_xor": "bitxor",
}
"""Those that write what an operator gives of the old value and the argument."""


@dataclass(frozen=True, slots=True)
class Rmw:
    """An atomic update; `target` gets the old value. `orders`: its own, then that of one that does not write.

    An exchange without a target is a store that is made by an update: it may find that there is no value yet.

    Further tags are those of its two events: `read_tags` (also of the read of one that does not write), `write_tags`.
    `bits`: what it writes has so many bits, as in `Wrap`, -n for n bits with a sign; None: an overflow is an error.
    `pair`: it stands for a pair of exclusive accesses (lowering/pairs.py), and has no tags but those that are given.
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
    pair: bool = False


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence. One that was `inserted` to see what it changes does not count for a bound on events."""

    tag: str | None = None
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()
    inserted: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Assume:
    """The thread goes on where a condition holds only. `ends`: where it does not, the program has come to its end."""

    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)
    ends: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Assert:
    """A violation of a kind, one of ASSERTIONS, where the condition does not hold.

    One of kind "exit" whose condition is `true` marks a place that a note tells of, if an execution comes there.
    `what`: what has failed, in the words of a test.
    """

    condition: Expression
    position: Position = field(default=NOWHERE, compare=False)
    kind: str = "assertion"
    what: str = field(default="", compare=False)


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
    "bad-address",
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
    """`lock(mutex)` or `unlock(mutex)`: of a variable that is a mutex, or of a cell for an int by its place.

    There is a fence with it, behind a lock and before an unlock, unless it is `bare`, as one that is compiled: only its
    tags order then. `target` gets what a lock has read.
    """

    op: Literal["lock", "unlock"]
    mutex: Name | AnyPlace
    position: Position = field(default=NOWHERE, compare=False)
    target: Name | None = None
    read_tags: tuple[str, ...] = ()
    write_tags: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Lifetime:
    """`alloc(place)` or `free(place)`: of the allocated object whose first cell that is; else it is a violation."""

    op: Literal["alloc", "free"]
    place: AnyPlace
    position: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Control:
    """`start process` or `join process`; `tags`: further ones of its event."""

    op: Literal["start", "join"]
    process: Name
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meet:
    """`meet(barrier, round, p, q)`: the process goes on when each process of the group stands at its Meet of this
    barrier and round, or is past it. It is one of the group itself.

    What each has done before comes before what any of them does behind it, as behind a `join`. For a front end: emit
    one at each call of a barrier of which it knows who meets there and how often the process has come before (`round`,
    from 0). The name of the barrier is any that no other barrier has, the group is the same in all its rounds, and a
    process comes to a round at most once. Nothing else is needed: no cells, no loop. `tags`: further ones of its event,
    a fence with the tags `join` and `meet`.

    Without `orders` (`gather(barrier, round, p, q)`) nobody passes before all have come, and that is all: models see no
    event, nothing is ordered by it. So it is for barriers of GPUs, which are accesses that models order by, with the
    tag `bar`, before it. It takes a model that allows load buffering; under others there are cells in its place.
    """

    barrier: str
    round: int
    group: tuple[Name, ...]
    position: Position = field(default=NOWHERE, compare=False)
    tags: tuple[str, ...] = ()
    orders: bool = True


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
    | Meet
)
