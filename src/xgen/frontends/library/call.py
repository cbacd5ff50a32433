"""What a handler of a function of the library is given. A reader says what each of it means in its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

from xgen.errors import Position
from xgen.frontends.library.facts import ANYWHERE, Key, Waiting, Waits
from xgen.program.automaton import (
    CONDITIONAL_RMWS,
    AnyPlace,
    AtomicBegin,
    AtomicEnd,
    Binary,
    BoolLiteral,
    Expression,
    Havoc,
    IntLiteral,
    Load,
    Meet,
    Mutex,
    Name,
    Rmw,
    Statement,
    Store,
    Unary,
    Variable,
)
from xgen.program.automaton import INT as INTEGER
from xgen.records import dataclass

ZERO = IntLiteral(0)
INT = (32, True)
UNSIGNED = (32, False)
LONG = (64, True)
POINTER = (64, False)
"""Kinds of numbers: how many bits, and whether there is a sign."""
NO_ENVIRONMENT = "note: the program is started without an environment: `getenv` finds nothing"
STARTED_ALONE = "note: the program is started without arguments: `argc` is 1; `--args` gives others"
"""What is said of a program that looks."""
ENDS_BY_CALL = "note: --leaks does not look at executions that `exit` ends: the functions that run hold their memory"
"""What is said where it is asked what leaks."""
PROGRAM = "program"
"""What a program finds as its own name."""
PROCESS = 1000
"""Its number, which is main's, too. Those of other threads come behind it."""
NO_MEMORY, INVALID = 12, 22
"""ENOMEM and EINVAL."""
Kind: TypeAlias = tuple[int, bool]
Cell: TypeAlias = Expression
"""The address of a number of the library, which is an int."""
Label: TypeAlias = Any
"""A place in the text, as the reader has them."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds of locks of one type that are not like most (0), and what is said where it is not known which one it is."""

    numbers: tuple[int, ...]
    declared: str
    unknown: str
    changed: str


class Thread(Protocol):
    """What a reader knows of a thread while it translates it."""

    variables: dict[str, Variable]
    atomic_depth: int

    def fresh(self) -> str:
        """A local that nobody else uses."""


class Primitives(Protocol):
    """What a reader says of a call: all that is not the same for each of them. Its arguments are evaluated; statements
    are added behind those that are there."""

    thread: str
    handle: int

    @property
    def arguments(self) -> Sequence[Any]: ...

    @property
    def ignored(self) -> bool:
        """Whether nothing is done with the result."""

    @property
    def reachable(self) -> bool:
        """Whether anything gets here."""

    # ---- what is given

    def argument(self, number: int, kind: Kind | None = None) -> Expression:
        """An argument as a number, of a kind or of its own."""

    def truth(self, number: int) -> Expression:
        """Whether an argument counts as true."""

    def cell(self, number: int, offset: int = 0) -> Cell:
        """The object of the library that an argument leads to, or what is so many bytes behind its start."""

    def get(self, number: int, kind: Kind, at: int = 0) -> Expression:
        """The number that an argument leads to, which may be a local variable, or that so many numbers on."""

    def put(self, number: int, value: Expression, kind: Kind) -> None:
        """Writes a number where an argument leads to."""

    def key(self, cell: Cell) -> Key | None:
        """What a cell is, where that is known."""

    def keys(self, cell: Cell) -> Sequence[Key] | None:
        """All that a cell may be, as far as is known yet; None: anything."""

    def any_number(self, name: str, kind: Kind, of: Kind | None = None) -> Expression | None:
        """Any number of the range that is given for what nobody knows, which `name` gives; None if there is none. It
        gives numbers of the kind `of`, any of which it may be where all are asked for."""

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        """Something is not supported."""

    def set_errno(self, error: Expression, unless: Expression | None = None) -> None:
        """Gives `errno` a value, in a program that looks at it, unless a condition holds."""

    # ---- cells

    def load(self, cell: Cell, order: str | None = None) -> Expression:
        """What is in a cell: an event, unless it is known."""

    def store(self, cell: Cell, value: Expression) -> None:
        """Writes: an event, unless it can be the value at first."""

    def event_at(self, cell: Cell, writes: bool) -> AnyPlace:
        """Where an event is that reads a cell, or may write to it."""

    def beside(self, key: Key, what: str, number: int, count: int) -> Cell:
        """One of so many cells that the library has for an object, 0 at first; `what` they are."""

    def has_value_at_first(self, cell: Cell) -> bool:
        """Whether a cell is known to be of an object that has values from the start on."""

    def is_before_threads(self) -> bool:
        """Whether it is known that nobody has started a thread before this call."""

    # ---- ways

    def emit(self, step: Statement) -> None: ...

    def check(self, condition: Expression, kind: str) -> None:
        """What follows needs a condition; else there is a violation."""

    def assume(self, condition: Expression) -> None: ...

    def keep(self, value: Expression) -> Expression:
        """The value in a local that nothing changes."""

    def assign(self, name: str, value: Expression) -> None: ...

    def known(self, name: str) -> Expression:
        """A local of this thread, or its value where that is known."""

    def label(self) -> Label: ...

    def bind(self, label: Label, head: bool = False) -> None:
        """What follows is at the label: the head of a loop, if it is jumped to from behind."""

    def branch(self, condition: Expression | None, label: Label) -> None:
        """To the label where a condition holds, else on; without one, to the label or on."""

    # ---- threads

    def call_argument(self, number: int) -> None:
        """Calls the function that an argument is the address of, without arguments."""

    def start(self, function: int, argument: int, detached: Expression) -> Expression:
        """Starts a thread, of the arguments of these numbers; its handle."""

    def join(self, result: int | None, kind: Kind = POINTER) -> None:
        """Waits for the thread whose handle is the first argument; what it gives, a number of a kind, is put where an
        argument leads to."""

    def detach(self) -> None: ...

    def end_thread(self) -> None:
        """Ends this thread, with the first argument."""

    def end_main(self, functions: bool) -> None:
        """Ends main, and with it the program; with `functions` those that `atexit` was given are called."""

    def end_program(self, functions: bool) -> None:
        """Ends the program from another thread than main: nothing follows, here or where the thread is waited for."""

    def exit_status(self, status: Expression) -> None:
        """The program ends: with an error, unless the status is 0."""

    def at_exit(self) -> None:
        """The function that the first argument is the address of is to be called when the program ends."""

    def next_round(self, key: Key) -> int | None:
        """How often this thread has waited at a barrier before; now it does so once more. None: that is not known, and
        it has been noted."""

    def asks_for_the_serial_one(self) -> bool:
        """Whether the thread looks at what waiting at a barrier gives."""


class Call(Primitives):
    """A call, as its handlers see it: what each reader says of it, and what follows from that."""

    body: Thread
    position: Position
    waits: Waits
    waiting: Waiting
    remarks: dict[str, None]
    spurious: bool
    """Whether threads may wake up without a signal."""

    def remark(self, text: str) -> None:
        """Tells the user something, once."""
        self.remarks[text] = None

    def remark_if_alone(self) -> None:
        """Tells of a wait that is in no loop, where a reader looks at that."""

    def nanoseconds(self, number: int) -> Expression:
        """The nanoseconds of the `struct timespec` that an argument leads to."""
        return self.keep(self.get(number, LONG, 1))

    # ---- cells

    def at_once(self, op: str, cell: Cell, *values: Expression) -> Expression | None:  # noqa: ARG002
        """What an operation gives that is done at once, where a reader does so: no other thread can see it. `op`: an
        update's, or `load`, `store`, `lock`, `unlock`, `try_lock`."""
        return None

    def read(self, cell: Cell, order: str) -> Expression:
        """What is in a cell, whatever is known of it."""
        if (found := self.at_once("load", cell)) is not None:
            return found
        name = Name(self.fresh())
        self.emit(Load(name, self.event_at(cell, False), order=order, position=self.position))
        return name

    def write(self, cell: Cell, value: Expression, order: str) -> None:
        if self.at_once("store", cell, value) is None:
            self.emit(Store(value, self.event_at(cell, True), order=order, position=self.position))

    def change(
        self, op: str, cell: Cell, values: tuple[Expression, ...], order: str, failing: str = "relaxed"
    ) -> Expression:
        """An update; its old value. `failing`: the order of one that does not write."""
        if (found := self.at_once(op, cell, *values)) is not None:
            return found
        orders = (order, failing) if op in CONDITIONAL_RMWS else (order,)
        bits = -32 if op in ("fetch_add", "fetch_sub") else None
        old = Name(self.fresh())
        self.emit(Rmw(old, op, self.event_at(cell, True), values, orders, self.position, bits=bits))
        return old

    def lock(self, cell: Cell) -> None:
        """Waits until a cell is 0, and makes it 1."""
        if self.at_once("lock", cell) is None:
            self.emit(Mutex("lock", self.event_at(cell, True), self.position))

    def unlock(self, cell: Cell) -> None:
        if self.at_once("unlock", cell) is None:
            self.emit(Mutex("unlock", self.event_at(cell, True), self.position))

    def try_lock(self, cell: Cell) -> Expression:
        """Makes 1 of 0; the old value."""
        if (found := self.at_once("try_lock", cell)) is not None:
            return found
        place, old = self.event_at(cell, True), Name(self.fresh())
        tags = ("lock", "back-off") if self.is_of_library() else ("lock",)
        orders = ("acquire", "relaxed")
        self.emit(Rmw(old, "cas", place, (ZERO, IntLiteral(1)), orders, self.position, tags, tags))
        return old

    def is_of_library(self) -> bool:
        """Whether a library that has several mutexes to take calls this, which gives back what it has and tries again:
        it is up to the library that threads which do so come on."""
        return False

    # ---- locks that are not like most

    def declare_kind(self, cell: Cell, kind: int, of: Kinds) -> None:
        """Says of which kind a lock is, unless that is normal."""
        key = self.key(cell)
        if kind and key is None:
            self.refuse(of.declared)
        if key is not None and (kind or self.kind_of(cell, of)):
            self.waits.kinds.learn((key, kind))

    def kind_of(self, cell: Cell, of: Kinds) -> int:
        """Of which kind a lock is."""
        key = self.key(cell)
        if key is not None and (first := self.kind_at_first(key, of)):
            self.waits.kinds.learn((key, first))
        known = self.waits.kinds.all()
        if key is None and any(kind in of.numbers for _, kind in known):
            self.refuse(of.unknown)
        kinds = {kind for other, kind in known if other == key} or {0}
        if len(kinds) > 1:
            self.refuse(of.changed)
        return kinds.pop()

    def kind_at_first(self, key: Key, of: Kinds) -> int:  # noqa: ARG002
        """Of which kind the first value of a variable makes a lock, where that is no matter of what the reader does."""
        return 0

    def depth_of(self, cell: Cell) -> str:
        """The local that says how often this thread has locked a mutex."""
        key = self.key(cell)
        assert key is not None
        return self.own_number(depth_name(key))

    def own_number(self, name: str) -> str:
        """A local of this thread that is 0 at first."""
        self.body.variables.setdefault(name, Variable(name, INTEGER, (ZERO,)))
        return name

    # ---- ways

    def fresh(self) -> str:
        """A local that nobody else uses."""
        return self.body.fresh()

    def choose(self, most: int) -> Expression:
        """Any number from 0 on."""
        chosen = Name(self.fresh())
        self.emit(Havoc(chosen, (ZERO, IntLiteral(most)), self.position))
        return chosen

    def jump(self, label: Label) -> None:
        self.branch(BoolLiteral(True), label)

    def fork(self, label: Label) -> None:
        """To the label or on."""
        self.branch(None, label)

    def until(self, attempt: Callable[[], Expression]) -> None:
        """Tries again and again until a condition holds, which the attempt computes."""
        head = self.label()
        self.bind(head, head=True)
        self.branch(_negated(attempt()), head)

    def atomic_begin(self) -> None:
        """What follows is done in one step."""
        if self.body.atomic_depth == 0:
            self.emit(AtomicBegin(self.position))
        self.body.atomic_depth += 1

    def atomic_end(self) -> None:
        self.body.atomic_depth -= 1
        if self.body.atomic_depth == 0:
            self.emit(AtomicEnd(self.position))

    # ---- who waits where: what is found out of all threads

    def barrier_is_for(self, key: Key, count: int | None) -> None:
        self.waiting.barriers.setdefault(key, [])
        self.waiting.sizes.setdefault(key, set()).add(count)

    def round_at(self, key: Key) -> tuple[int, tuple[str, ...]] | None:
        """How often this thread has waited at a barrier before, and the threads that wait there, if it is for just as
        many and all this is known."""
        names = self.waiting.barriers.setdefault(key, [])
        if self.thread not in names:
            names.append(self.thread)
        round_, last = self.next_round(key), self.waits.last
        waiting = tuple(last.barriers.get(key, ()))
        if round_ is None or self.is_uncounted(key) or last.sizes.get(key, set()) != {len(waiting)}:
            return None
        if self.thread not in waiting:  # the last translation did not come to it: this one is not the last either
            return None
        return round_, waiting

    def is_uncounted(self, key: Key) -> bool:
        """Whether somebody waits at a barrier and it is not known how often; at one that is not known is at any."""
        anywhere = ANYWHERE in self.waits.uncounted
        return key in self.waits.uncounted or anywhere

    def meet(self, key: Key, round_: int, waiting: tuple[str, ...]) -> None:
        """Waits until all these threads have come to a barrier once more than so often."""
        name = barrier_name(key, self.waiting.barriers)
        self.emit(Meet(name, round_, tuple(map(Name, waiting)), self.position))

    def somebody_asks_for_the_serial_one(self, key: Key) -> bool:
        """Whether a thread looks at what waiting at a barrier gives."""
        if self.asks_for_the_serial_one():
            self.waits.looked_at.learn(key)
            return True
        return key in self.waits.looked_at

    def fall_asleep_at(self, cell: Cell) -> int:
        """Says that this thread sleeps at a condition variable; its number among all sleepers."""
        self.waiting.sleepers.setdefault(self.thread, set()).add(self.key(cell))
        names = list(self.waits.last.sleepers)
        return names.index(self.thread) if self.thread in names else 0

    def sleepers(self, cell: Cell) -> list[int]:
        """The numbers of the other threads that may sleep there."""
        key = self.key(cell)
        return [
            number
            for number, (thread, places) in enumerate(self.waits.last.sleepers.items())
            if thread != self.thread and (key is None or places & {key, None})
        ]


def depth_name(key: Key) -> str:
    """The local that says how often a thread has locked a mutex."""
    return f"locks of {key[0]} {key[1]}"


def _negated(test: Expression) -> Expression:
    if isinstance(test, Binary) and test.op in ("=", "/="):
        return Binary("=" if test.op == "/=" else "/=", test.left, test.right)
    return Unary("not", test)


def barrier_name(key: Key, barriers: Iterable[Key]) -> str:
    """A name that a barrier has in the automaton, and no other of these barriers."""
    return f"{re.sub(r'[^A-Za-z0-9_]', '_', key[0])}_{list(barriers).index(key)}"


Handler: TypeAlias = Callable[[Call], Expression]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the library: what it does, and how many arguments it takes (`more`: at least); its result is an int
    if nothing else is said."""

    handler: Handler
    arguments: int
    kind: Kind | None = INT
    more: bool = False
    single_threaded: bool = False
    """Whether main may call it before it shares anything."""

    @property
    def counts(self) -> tuple[int, int | None]:
        """How many arguments it takes at least and at most (None: any number)."""
        return self.arguments, None if self.more else self.arguments


def nothing(_call: Call) -> Expression:
    """For a function whose only use here is that its arguments are evaluated."""
    return ZERO


def sets(value: int) -> Handler:
    """For a function that makes an object of the library a number."""

    def handler(call: Call) -> Expression:
        call.store(call.cell(0), IntLiteral(value))
        return ZERO

    return handler


def gives(call: Call) -> Expression:
    """For a function that tells what is kept in the attributes that the first argument leads to."""
    call.put(1, call.get(0, INT), INT)
    return ZERO


def notes(argument: int | None = None, most: int = 0) -> Handler:
    """For a function that keeps an argument, or 0, in the attributes that the first one leads to: EINVAL, if it is more
    than the numbers that there are."""

    def handler(call: Call) -> Expression:
        value = ZERO if argument is None else call.argument(argument, INT)
        if isinstance(value, IntLiteral) and not 0 <= value.value <= most:
            return IntLiteral(INVALID)
        call.put(0, value, INT)
        return ZERO

    return handler
