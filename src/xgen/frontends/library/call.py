"""What a handler of a function of the library is given. A reader says what each of it means in its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

from xgen.program.automaton import Expression, IntLiteral
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
PROGRAM = "program"
"""What a program finds as its own name."""
PROCESS = 1000
"""Its number, which is main's, too. Those of other threads come behind it."""
NO_MEMORY, INVALID = 12, 22
"""ENOMEM and EINVAL."""
Kind: TypeAlias = tuple[int, bool]
Cell: TypeAlias = Expression
"""The address of a number of the library, which is an int."""
Key: TypeAlias = tuple[str, int]
"""A cell whose address is known: the object that it is in, and where."""


Label: TypeAlias = Any
"""A place in the text, as the reader has them."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds of locks of one type that are not like most (0), and what is said where it is not known which one it is."""

    numbers: tuple[int, ...]
    declared: str
    unknown: str
    changed: str


class Call(Protocol):
    """A call. Its arguments are evaluated; statements are added behind those that are there."""

    thread: str
    handle: int

    @property
    def arguments(self) -> Sequence[Any]: ...

    # ---- what is given, and what is said of it

    @property
    def ignored(self) -> bool:
        """Whether nothing is done with the result."""

    @property
    def reachable(self) -> bool:
        """Whether anything gets here."""

    @property
    def spurious(self) -> bool:
        """Whether threads may wake up without a signal."""

    def argument(self, number: int, kind: Kind | None = None) -> Expression:
        """An argument as a number, of a kind or of its own."""

    def truth(self, number: int) -> Expression:
        """Whether an argument counts as true."""

    def cell(self, number: int) -> Cell:
        """The object of the library that an argument leads to."""

    def get(self, number: int, kind: Kind) -> Expression:
        """The number that an argument leads to, which may be a local variable."""

    def put(self, number: int, value: Expression, kind: Kind) -> None:
        """Writes a number where an argument leads to."""

    def key(self, cell: Cell) -> Key | None:
        """What a cell is, where that is known."""

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        """Something is not supported."""

    def nanoseconds(self, number: int) -> Expression:
        """The nanoseconds of the `struct timespec` that an argument leads to."""

    def set_errno(self, error: Expression, unless: Expression | None = None) -> None:
        """Gives `errno` a value, in a program that looks at it, unless a condition holds."""

    def remark(self, text: str) -> None:
        """Tells the user something, once."""

    def remark_if_alone(self) -> None:
        """Tells of a wait that is in no loop."""

    # ---- cells

    def inside(self, cell: Cell, offset: int) -> Cell:
        """The cell so many bytes on."""

    def load(self, cell: Cell, order: str | None = None) -> Expression:
        """What is in a cell: an event, unless it is known."""

    def read(self, cell: Cell, order: str) -> Expression:
        """What is in a cell, whatever is known of it."""

    def store(self, cell: Cell, value: Expression) -> None:
        """Writes: an event, unless it can be the value at first."""

    def write(self, cell: Cell, value: int, order: str) -> None: ...

    def change(
        self, op: str, cell: Cell, values: tuple[Expression, ...], order: str, failing: str = "relaxed"
    ) -> Expression:
        """An update; its old value. `failing`: the order of one that does not write."""

    def lock(self, cell: Cell) -> None:
        """Waits until a cell is 0, and makes it 1."""

    def unlock(self, cell: Cell) -> None: ...

    def try_lock(self, cell: Cell) -> Expression:
        """Makes 1 of 0; the old value."""

    # ---- locks that are not like most

    def declare_kind(self, cell: Cell, kind: int, of: Kinds) -> None:
        """Says of which kind a lock is, unless that is normal."""

    def kind_of(self, cell: Cell, of: Kinds) -> int:
        """Of which kind a lock is."""

    def depth_of(self, cell: Cell) -> str:
        """The local that says how often this thread has locked a mutex."""

    def known(self, name: str) -> Expression:
        """A local of this thread, or its value where that is known."""

    # ---- ways

    def check(self, condition: Expression, kind: str) -> None:
        """What follows needs a condition; else there is a violation."""

    def assume(self, condition: Expression) -> None: ...

    def keep(self, value: Expression) -> Expression:
        """The value in a local that nothing changes."""

    def fresh(self) -> str:
        """A local that nobody else uses."""

    def assign(self, name: str, value: Expression) -> None: ...

    def choose(self, most: int) -> Expression:
        """Any number from 0 on."""

    def any_number(self, name: str, kind: Kind) -> Expression | None:
        """Any number of the range that is given for what nobody knows, which `name` gives; None if there is none."""

    def own_number(self, name: str) -> str:
        """A local of this thread that is 0 at first."""

    def label(self) -> Label: ...

    def place(self, label: Label) -> None:
        """What follows is at the label."""

    def jump(self, label: Label) -> None: ...

    def branch(self, condition: Expression, label: Label) -> None:
        """To the label where a condition holds, else on."""

    def fork(self, label: Label) -> None:
        """To the label or on."""

    def until(self, attempt: Callable[[], Expression]) -> None:
        """Tries again and again until a condition holds, which the attempt computes."""

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

    def atomic_begin(self) -> None:
        """What follows is done in one step."""

    def atomic_end(self) -> None: ...

    def at_exit(self) -> None:
        """The function that the first argument is the address of is to be called when the program ends."""

    def new_key(self, destructor: int) -> Expression:
        """A key of values that each thread has its own of; an argument is what is called with them in the end."""

    def specific(self, key: Expression) -> Expression:
        """What this thread has for a key."""

    def set_specific(self, key: Expression, value: Expression) -> None: ...

    # ---- who waits where: what the reader finds out of all threads

    def barrier_is_for(self, key: Key, count: int | None) -> None: ...

    def has_value_at_first(self, cell: Cell) -> bool:
        """Whether a cell is known to be of an object that has values from the start on."""

    def round_at(self, key: Key) -> tuple[int, tuple[str, ...]] | None:
        """How often this thread has waited at a barrier before, and the threads that wait there, if it is for just as
        many and all this is known."""

    def meet(self, key: Key, round_: int, waiting: tuple[str, ...]) -> None:
        """Waits until all these threads have come to a barrier once more than so often."""

    def beside(self, key: Key, what: str, number: int, count: int) -> Cell:
        """One of so many cells that the library has for an object, 0 at first; `what` they are."""

    def asks_for_the_serial_one(self, key: Key) -> bool:
        """Whether a thread looks at what waiting at a barrier gives."""

    def fall_asleep_at(self, cell: Cell) -> int:
        """Says that this thread sleeps at a condition variable; its number among all sleepers."""

    def sleepers(self, cell: Cell) -> list[int]:
        """The numbers of the other threads that may sleep there."""


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
    alone: bool = False
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
