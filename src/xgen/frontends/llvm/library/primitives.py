"""A call in IR, as the handlers of frontends/library see it; and functions of the C++ library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from xgen.frontends.assembly import Branch
from xgen.frontends.library.call import POINTER, ZERO, Call, Cell, Kind, Kinds
from xgen.frontends.library.call import Function as Handled
from xgen.frontends.library.facts import Key
from xgen.frontends.library.mutexes import take_or_give
from xgen.frontends.library.ranges import numbers_of
from xgen.frontends.library.waiting import LOCKS, NONRECURSIVE, WRITERS_FIRST
from xgen.frontends.llvm.language.inputs import any_number
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.translation import Unreachable
from xgen.frontends.llvm.library import frameworks, meeting, of_c, rust, standard, streams
from xgen.frontends.llvm.library.threads import Threads
from xgen.frontends.llvm.text import types
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.names import readable
from xgen.frontends.llvm.text.tokens import Assembly
from xgen.frontends.llvm.text.types import VOID
from xgen.frontends.llvm.values import Either, Register, Value, condition, expression, folded, number, uninitialised
from xgen.program import automaton as xcfa
from xgen.program.automaton import AnyPlace, BoolLiteral, Expression, IntLiteral, Name, Wrap

Label = str
_KIND, _PREFERS = 16, 48
"""Where the kind of a mutex is in it, and that of a lock for readers and writers."""
_ATTRIBUTES = ("pthread_attr_init", "pthread_condattr_init", "pthread_mutexattr_init", "pthread_rwlockattr_init")


LOCKS_SEVERAL = re.compile(r"_ZNSt3__1\d+(lock|try_lock|__lock_first)(B\w+?)?I")
"""`std::lock` of libc++, which `std::scoped_lock` calls."""


class PrimitivesOfIR(Call):
    """See frontends/library/call.py. While main is alone, what is done is done at once."""

    body: Threads

    def __init__(self, body: Threads, arguments: list[Value], i: Instruction) -> None:
        self.body, self.given, self.i = body, arguments, i
        self.thread, self.handle, self.position = body.name, body.number, body.position
        self.waits, self.waiting, self.remarks = body.facts.waits, body.world.waiting, body.world.remarks
        self.spurious = body.world.options.spurious
        self.cells: dict[Cell, Value] = {}

    @property
    def arguments(self) -> list[Value]:
        return self.given

    @property
    def ignored(self) -> bool:
        name, function = self.i.name, self.body.stack[-1] if self.body.stack else None
        return name is None or (function is not None and not function.uses(name))

    def is_of_library(self) -> bool:
        return any(LOCKS_SEVERAL.match(function.name) for function in self.body.stack)

    @property
    def reachable(self) -> bool:
        return True

    def argument(self, index: int, kind: Kind | None = None) -> Expression:
        value = self.given[index]
        if kind is None or kind[0] == 64:
            return expression(value)
        if isinstance(value, int):
            low = value & ((1 << kind[0]) - 1)
            return IntLiteral(low - (1 << kind[0]) if kind[1] and low >> (kind[0] - 1) else low)
        return expression(value) if kind[1] else Wrap(expression(value), *kind)

    def truth(self, index: int) -> Expression:
        return condition(self.given[index])

    def cell(self, index: int, offset: int = 0) -> Cell:
        value = self.given[index]
        return self._cell(self.body.moved(value, offset) if offset else value)

    def _cell(self, value: Value) -> Cell:
        value = self.body.keep(value)
        self.body.piece(value, 4, True)  # where all is copied that it is in, this is copied by itself
        self.cells[expression(value)] = value
        return expression(value)

    def _pointer(self, cell: Cell) -> Value:
        return self.cells[cell] if cell in self.cells else number(cell)

    def get(self, index: int, kind: Kind, at: int = 0) -> Expression:
        value, width = self.given[index], kind[0] // 8
        return expression(self.body.load(self.body.moved(value, at * width) if at else value, width))

    def put(self, index: int, value: Expression, kind: Kind) -> None:
        self.body.store(self.given[index], number(folded(value)), kind[0] // 8)

    def key(self, cell: Cell) -> Key | None:
        pointer = self._pointer(cell)
        found = self.body.found(pointer, 4) if isinstance(pointer, int) else None
        return (found[0].name, found[1]) if found else None

    def keys(self, cell: Cell) -> Sequence[Key] | None:
        pointer, key = self._pointer(cell), self.key(cell)
        if key is not None or isinstance(pointer, int):
            return None if key is None else (key,)
        targets, wild = self.body.world.points.targets(pointer, 4)
        return None if wild else [(found.name, offset) for found, offsets in targets for offset in offsets]

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        raise self.body.unsupported(what, hint)

    def set_errno(self, error: Expression, unless: Expression | None = None) -> None:
        if of_c.ERRNO not in self.body.world.module.declared:
            return
        following = self.label()
        if unless is not None:
            self.branch(unless, following)
        of_c.set_errno(self.body, number(folded(error)))
        self.bind(following)

    # ---- cells

    def load(self, cell: Cell, order: str | None = None) -> Expression:
        return expression(self.body.load(self._pointer(cell), 4, order))

    def store(self, cell: Cell, value: Expression) -> None:
        self.body.store(self._pointer(cell), number(folded(value)), 4)

    def event_at(self, cell: Cell, writes: bool) -> AnyPlace:  # noqa: ARG002 - who writes has touched it
        self.body.end_single_threaded()
        return self.body.cell(self._pointer(cell))

    def at_once(self, op: str, cell: Cell, *values: Expression) -> Expression | None:
        body, pointer = self.body, self._pointer(cell)
        body.note_access(pointer, 4, op != "load")
        if op in ("lock", "unlock", "try_lock"):
            return self._mutex(op, pointer)
        if not body.single_threaded:
            return None
        if op == "load":
            return expression(body.load(pointer, 4))
        if op == "store":
            body.store(pointer, number(folded(values[0])), 4)
            return ZERO
        if op != "add_unless":
            return expression(body.update(op, pointer, [number(folded(each)) for each in values], 4, ("relaxed",)))
        known = body.load(pointer, 4)
        more, unless = (number(folded(each)) for each in values)
        if not isinstance(known, int) or not isinstance(more, int):
            return None
        if known != unless:
            body.store(pointer, known + more, 4)
        return IntLiteral(known)

    def _mutex(self, op: str, pointer: Value) -> Expression | None:
        """What main does while it is alone with a mutex that nobody else holds."""
        body = self.body
        found = body.found(pointer, 4) if isinstance(pointer, int) else None
        if found is not None:
            body.must_be_there(found[0])
        if found is None or not body.single_threaded:
            return None
        assert isinstance(pointer, int)
        mutex, offset = found
        if op == "unlock":
            if pointer not in body.world.held:
                return None
            mutex.write(offset, 4, 0)
            body.world.held.remove(pointer)
            return ZERO
        old = mutex.read(offset, 4)
        if op == "lock" or old == 0:
            body.used(uninitialised(0, mutex.missing(offset, 4)))
        if old == 0:
            mutex.write(offset, 4, 1)
            body.world.held.append(pointer)
        return None if op == "lock" and old else IntLiteral(old)

    def beside(self, key: Key, what: str, index: int, count: int) -> Cell:
        own, memory = self.body.world.own, self.body.world.memory
        found = own.get((0, (what, key)))
        if found is None:
            title = memory.by_name[key[0]].title if key[0] in memory.by_name else key[0]
            found = memory.allocate(f"{title}.{what}", 4 * count, "static")
            found.known = bytearray(b"\xff" * 4 * count)
            own[0, (what, key)] = found
        return self._cell(found.address + 4 * index)

    def has_value_at_first(self, cell: Cell) -> bool:
        pointer = self._pointer(cell)
        found = self.body.found(pointer, 4) if isinstance(pointer, int) else None
        return found is not None and found[0].at_first and found[0].has_value(found[1], 12)

    def is_before_threads(self) -> bool:
        return len(self.body.world.bodies) == 1 and self.body.on_one_path

    # ---- locks that are not like most

    def kind_at_first(self, key: Key, of: Kinds) -> int:
        """As PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP says it: glibc has the number in a mutex of C and C++. What others
        lock is a number, beside which anything may lie."""
        variable, found = self.body.world.module.variables.get(key[0]), self.body.world.memory.by_name.get(key[0])
        if variable is None or found is None:
            return 0
        if of is LOCKS:  # the IR of its variable has no name of a type
            declared = self.body.world.metadata.node(found.type).get("name")
            said = found.read(_PREFERS, 4) if (declared, key[1]) == ("pthread_rwlock_t", 0) else 0
            return WRITERS_FIRST if said == NONRECURSIVE else 0
        at = key[1] + _KIND
        if "pthread_mutex" not in variable.text or at + 4 > found.size or not found.has_value(at, 4):
            return 0
        said = found.read(at, 4)
        return said if said in of.numbers else 0

    def kind_of(self, cell: Cell, of: Kinds) -> int:
        kind = super().kind_of(cell, of)
        if kind:  # how often it is locked is not known of objects
            self.body.end_single_threaded()
        return kind

    # ---- ways

    @contextmanager
    def coming_back(self) -> Iterator[None]:
        """What does not come back ends this way only: handlers go on, and may have labels to place."""
        try:
            yield
        except Unreachable:
            self.body.branch(None, "")

    def emit(self, step: xcfa.Statement) -> None:
        self.body.emit(step)

    def check(self, test: Expression, kind: str) -> None:
        with self.coming_back():
            self.body.check(folded(test), kind)

    def assume(self, test: Expression) -> None:
        test = folded(test)
        if test == BoolLiteral(True):
            return
        self.body.emit(xcfa.Assume(test, self.position))
        if test == BoolLiteral(False):
            self.body.branch(None, "")

    def keep(self, value: Expression) -> Expression:
        return expression(self.body.keep(number(folded(value))))

    def assign(self, name: str, value: Expression) -> None:
        self.body.assign(name, folded(value))

    def known(self, name: str) -> Expression:
        return Name(name)

    def any_number(self, name: str, kind: Kind, of: Kind | None = None) -> Expression | None:
        options = self.body.world.options
        if options.nondet is None and not (of and options.any_input):
            return None
        return expression(any_number(self.body, name, kind[0], numbers_of(*(of or kind))))

    def label(self) -> Label:
        return self.body.label()

    def bind(self, label: Label, head: bool = False) -> None:
        if head:
            self.body.branch(None, label)
            self.body.emit_head(label, f"{self.body.place_now}")
        else:
            self.body.emit(label)

    def branch(self, test: Expression | None, label: Label) -> None:
        if test is None:
            self.body.emit(Branch(None, label, self.position, fork=True))
            return
        test = folded(test)
        if test != BoolLiteral(False):
            self.body.branch(None if test == BoolLiteral(True) else test, label)

    # ---- threads

    def call_argument(self, index: int) -> None:
        body, target = self.body, self.given[index]
        name = body.world.memory.function_at.get(target) if isinstance(target, int) else None
        if name is None:
            self.refuse("a function that is called once and not known here is")
        was, body.on_one_path = body.on_one_path, False
        try:
            with self.coming_back():
                body.invoke(name, [], self.i)
        finally:
            body.on_one_path = was

    def start(self, function: int, argument: int, detached: Expression) -> Expression:
        body = self.body
        place = self.given[0] if function else None
        at_once = folded(detached)
        if not isinstance(at_once, IntLiteral):
            self.refuse("a thread of which it is not known here whether it is created detached is")
        handle = body.start(self.given[function], self.given[argument], place)
        if at_once.value:
            body.detach(handle)
        return expression(handle)

    def join(self, result: int | None, kind: Kind = POINTER) -> None:
        with self.coming_back():
            self.body.join(self.given[0], 0 if result is None else self.given[result], kind[0] // 8)

    def detach(self) -> None:
        with self.coming_back():
            self.body.detach(self.given[0])

    def end_thread(self) -> None:
        if self.handle == 0 and self.body.world.at_exit:
            self.refuse("`pthread_exit` of main with functions of `atexit` is")
        with self.coming_back():
            self.body.end_thread(self.given[0])

    def end_main(self, functions: bool) -> None:
        if not functions:
            self.body.world.at_exit.clear()
            self.body.exits.clear()
        self.body.ends_by_call()
        self.body.branch(None, self.body.at_end)

    def end_program(self, functions: bool) -> None:
        if functions and self.body.world.calls_at_exit:
            self.refuse("`exit` in another thread than main, of a program that has functions of `atexit`, is")
        self.body.emit(xcfa.Assume(BoolLiteral(False), self.position, ends=True))
        self.body.branch(None, "")

    def exit_status(self, status: Expression) -> None:
        good = folded(xcfa.Binary("=", status, IntLiteral(0)))
        if self.body.world.options.exits:
            self.check(good, "exit")
            return
        if good == BoolLiteral(True):
            return
        after = self.label()
        self.branch(good, after)
        self.body.emit(xcfa.Assert(BoolLiteral(True), self.position, "exit"))
        self.bind(after)

    def at_exit(self) -> None:
        at_exit(self.body, [self.given[0]])
        self.body.world.calls_at_exit = True

    # ---- who waits where

    def next_round(self, key: Key) -> int | None:
        if not self.body.on_one_path:
            self.waits.uncounted.learn(key)
            return None
        round_ = self.body.rounds.get(key, 0)
        self.body.rounds[key] = round_ + 1
        return round_

    def asks_for_the_serial_one(self) -> bool:
        return not self.ignored


# ---- what has to know where values come from


def _has_work_at_thread_exit(body: Threads) -> bool:
    """Whether what libc++ has of each thread does anything at its end: notifies, or makes a future ready."""
    return any("at_thread_exit" in name for name in body.world.module.functions)


def _key_create(body: Threads, arguments: list[Value]) -> Value:
    body.world.keys += 1
    body.store(arguments[0], body.world.keys, 4)
    destructor = arguments[1]
    name = body.world.memory.function_at.get(destructor) if isinstance(destructor, int) else None
    if destructor != 0 and (name is None or "__thread_specific_ptr" not in name or _has_work_at_thread_exit(body)):
        body.world.destructors[body.world.keys] = destructor
    return 0


def _get_specific(body: Threads, arguments: list[Value]) -> Value:
    return body.load(body.specific(arguments[0]), 8)


def _set_specific(body: Threads, arguments: list[Value]) -> Value:
    body.sets_again = True
    body.store(body.specific(arguments[0]), arguments[1], 8)
    return 0


def at_exit(body: Threads, arguments: list[Value]) -> Value:
    function, *rest = arguments[:2]
    if isinstance(function, int) and body.does_nothing(body.world.memory.function_at.get(function, "")):
        return 0
    if body.number or not body.on_one_path or not isinstance(function, int):
        raise body.unsupported("`atexit` in another thread than main, or where it is not known what it is given, is")
    body.world.at_exit.append((function, tuple(rest)))
    return 0


def thread_at_exit(body: Threads, arguments: list[Value]) -> Value:
    function = arguments[0]
    if not isinstance(function, int) or not body.does_nothing(body.world.memory.function_at.get(function, "")):
        body.call_at_exit(*arguments[:2])
    return 0


def _guard_acquire(body: Threads, arguments: list[Value]) -> Value:
    """One for a static local variable: byte 0 says that it is there, a number at 4 who is at it (0, 1, 2: done)."""
    guard = arguments[0]
    body.note_access(guard, 8, True)
    control = body.moved(guard, 4)
    if body.single_threaded:
        begins = body.load(guard, 1) == 0
        if begins:
            body.store(control, 1, 4)
        return int(begins)
    attempts: list[Expression] = []
    call = PrimitivesOfIR(body, [control], _GUARD)
    cell = call.cell(0)

    def attempt() -> Expression:
        attempts.append(call.change("cas", cell, (IntLiteral(0), IntLiteral(1)), "acquire", "acquire"))
        return xcfa.Binary("/=", attempts[-1], IntLiteral(1))

    call.until(attempt)
    return body.compare("eq", Register(attempts[-1], Either(), 32), 0)


def _guard_release(body: Threads, arguments: list[Value]) -> Value:
    guard = arguments[0]
    body.note_access(guard, 8, True)
    if body.single_threaded:
        body.store(guard, 1, 1)
        body.store(body.moved(guard, 4), 2, 4)
        return 0
    body.store(guard, 1, 1, "release")
    call = PrimitivesOfIR(body, [body.moved(guard, 4)], _GUARD)
    call.write(call.cell(0), IntLiteral(2), "release")
    return 0


def _guard_abort(body: Threads, arguments: list[Value]) -> Value:
    """Its initialisation has thrown something: the next one tries again."""
    guard = arguments[0]
    body.note_access(guard, 8, True)
    if body.single_threaded:
        body.store(body.moved(guard, 4), 0, 4)
        return 0
    call = PrimitivesOfIR(body, [body.moved(guard, 4)], _GUARD)
    call.write(call.cell(0), ZERO, "release")
    return 0


_GUARD = Instruction("call", "")
_SPECIAL: dict[str, Callable[[Threads, list[Value]], Value]] = {
    "pthread_key_create": _key_create,
    "tss_create": _key_create,
    "pthread_getspecific": _get_specific,
    "tss_get": _get_specific,
    "pthread_setspecific": _set_specific,
    "tss_set": _set_specific,
}


_OWN: dict[str, Callable[[Threads, list[Value]], Value]] = {
    "__cxa_guard_acquire": _guard_acquire,
    "__cxa_guard_release": _guard_release,
    "__cxa_guard_abort": _guard_abort,
    "__cxa_atexit": at_exit,
    "__cxa_thread_atexit": thread_at_exit,
    "__cxa_thread_atexit_impl": thread_at_exit,
    **rust.ASKED,
    **frameworks.HANDLERS,
}


class Thread(Threads):
    """A thread that may call functions of the library."""

    def invoke(self, name: str, arguments: list[Value], i: Instruction) -> Value | None:
        if name.startswith("llvm.threadlocal.address"):
            return self.per_thread(arguments[0])
        if (locking := self.of_lock(name)) is not None:
            self.lock(locking, self.needed(name, arguments, i), i)
            return None
        own, meant = _OWN.get(name), standard.handler(name) or streams.handler(name)
        if own is None and name not in self.world.module.functions:
            own = of_c.HANDLERS.get(name)
        if own is not None:
            return own(self, self.needed(name, arguments, i))
        if (meets := meeting.handler(name, self.world.module)) is not None:
            return meets(self, PrimitivesOfIR(self, self.needed(name, arguments, i), i))
        waits = rust.waits(name, self)
        if waits is not None:
            return self.of_library(name, waits, self.needed(name, arguments, i), i)
        if meant is not None:
            return meant(self, name, self.needed(name, arguments, i), i)
        return super().invoke(name, arguments, i)

    def assembly(self, here: Activation, i: Instruction, code: Assembly) -> Value | None:
        from xgen.frontends.llvm.library.assembly import done  # knows many machines, which takes long

        return done(self, here, i, code)

    def of_lock(self, name: str) -> str | None:
        """The name, as --lock has it, of a function that is taken as one of a lock."""
        lock = self.world.options.lock
        if lock is None:
            return None
        if name not in self.world.locks:
            shown = readable(name).partition("(")[0]
            self.world.locks[name] = shown if shown in lock else None
        return self.world.locks[name]

    def lock(self, name: str, arguments: list[Value], i: Instruction) -> None:
        """A call of a function that is taken as one of a lock: that to which the first argument leads, else the one."""
        lock = self.world.options.lock
        assert lock is not None
        if i.type != VOID:
            raise self.unsupported(f"`{name}`, which gives a value, as a function of --lock is")
        self.end_single_threaded()
        key: Key | None = (lock[0], 0)
        if arguments and i.operands[0][0] == types.POINTER:
            found = self.found(arguments[0], 1) if isinstance(arguments[0], int) else None
            key = (found[0].name, found[1]) if found else None
        take_or_give(PrimitivesOfIR(self, arguments, i), name, lock, key)

    def of_library(self, name: str, handled: Handled, arguments: list[Value], i: Instruction) -> Value | None:
        if name in _ATTRIBUTES and self.single_threaded:
            self.store(arguments[0], 0, 4)
            return 0
        if not handled.single_threaded:
            self.end_single_threaded()
        if name in _SPECIAL:
            return _SPECIAL[name](self, arguments)
        was = self.gone
        found = handled.handler(PrimitivesOfIR(self, arguments, i))
        if self.gone and not was:
            raise Unreachable
        if handled.kind is None:
            return None
        value = self.keep(number(folded(found)))
        if name in standard.ONE_IS_LATE:
            standard.late(self, self.compare("ne", value, 0))
        return value
