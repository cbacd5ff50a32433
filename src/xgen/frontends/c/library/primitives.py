"""A call in C, as the handlers of frontends/library see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from pycparser import c_ast

from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.flow import SINGLE_THREADED, Label
from xgen.frontends.c.library.thread_state import ThreadState
from xgen.frontends.c.library.unknown import any_number
from xgen.frontends.c.values.arithmetic import convert, truth
from xgen.frontends.c.values.places import InMemory, Value, literal
from xgen.frontends.c.values.types import INT, LONG, UINT, VOID, CType, Int, Pointer, is_scalar, size_of
from xgen.frontends.library.call import INT as NUMBER
from xgen.frontends.library.call import POINTER, Call, Cell, Kind
from xgen.frontends.library.facts import Key
from xgen.frontends.library.ranges import numbers_of
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, Name

_EXIT_IN_THREAD = "`exit` in another thread than main, of a program that has functions of `atexit`, is"
TYPES: dict[Kind, CType] = {(32, True): INT, (32, False): UINT, (64, True): LONG, (64, False): Pointer(VOID)}


class PrimitivesOfC(Call):
    """See frontends/library/call.py. What is emitted has the position of the call."""

    body: Body

    def __init__(self, own: ThreadState, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> None:
        self.own, self.cells, self.threads, body = own, own.cells, own.threads, own.body
        self.body, self.flow, self.node, self.world = body, body.flow, node, body.world
        self.given = arguments
        effects = [argument for argument in arguments if not isinstance(argument, c_ast.Constant)]
        self.evaluated = dict(zip(map(id, effects), body.numbers(effects), strict=True))
        self.position = body.position(node)
        self.thread, self.handle = body.thread, body.handle
        self.waits, self.waiting, self.remarks = self.world.facts, self.world.waiting, self.world.remarks
        self.spurious = self.world.options.spurious
        self.has_handle = False

    def value(self, number: int) -> Value:
        """An argument. A constant is nowhere before it is asked for: of most functions strings do not matter."""
        node = self.arguments[number]
        return self.evaluated[id(node)] if id(node) in self.evaluated else self.body.number(node)

    @property
    def arguments(self) -> Sequence[c_ast.Node]:
        return self.given

    @property
    def ignored(self) -> bool:
        return not self.body.used(self.node)

    @property
    def reachable(self) -> bool:
        return self.flow.reachable

    def argument(self, number: int, kind: Kind | None = None) -> Expression:
        value = self.value(number)
        if value.alias and kind is None:
            return Name("")  # an address, whichever
        value = self.body.plain_number(value)
        return (convert(value, TYPES[kind]) if kind else value).expression

    def truth(self, number: int) -> Expression:
        return truth(self.value(number))

    def cell(self, number: int, offset: int = 0) -> Cell:
        found = self.body.plain_number(self.value(number)).expression
        return self.body.add(found, offset) if offset else found

    def get(self, number: int, kind: Kind, at: int = 0) -> Expression:
        type_ = TYPES[kind]
        place = self.body.target(self.value(number), VOID if at else type_)
        place = self.body.moved(place, at * size_of(type_), type_) if at else place
        return self.body.plain_number(self.body.load(place, self.node)).expression

    def put(self, number: int, value: Expression, kind: Kind) -> None:
        if not self.has_handle:
            self.body.store(self.body.target(self.value(number), TYPES[kind]), Value(value, TYPES[kind]), self.node)

    def key(self, cell: Cell) -> Key | None:
        return self.cells.key_of(_place(cell))

    def keys(self, cell: Cell) -> Sequence[Key] | None:
        key = self.key(cell)
        return None if key is None else (key,)

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        self.body.refuse(what, self.node, hint)

    def set_errno(self, error: Expression, unless: Expression | None = None) -> None:
        if not _knows_errno(self.body):
            return
        following = self.label()
        if unless is not None:
            self.branch(unless, following)
        set_errno(self.body, Value(error, INT), self.node)
        self.bind(following)

    def remark_if_alone(self) -> None:
        self.cells.remark_if_alone(self.node)

    # ---- cells

    def load(self, cell: Cell, order: str | None = None) -> Expression:
        return self.body.load(_place(cell), self.node, order).expression

    def store(self, cell: Cell, value: Expression) -> None:
        self.body.store(_place(cell), Value(value, INT), self.node)

    def event_at(self, cell: Cell, writes: bool) -> xcfa.AnyPlace:
        return self.cells.event_at(_place(cell), writes, self.node)

    def beside(self, key: Key, what: str, number: int, count: int) -> Cell:
        return self.cells.beside(key, what, number, count).address

    def has_value_at_first(self, cell: Cell) -> bool:
        found = self.body.object_at(_place(cell))
        return found is not None and not found[0].undefined

    def is_before_threads(self) -> bool:
        return SINGLE_THREADED in (self.flow.known or {}) and not self.body.looping

    # ---- ways

    def emit(self, step: xcfa.Statement) -> None:
        self.flow.emit(step)

    def check(self, condition: Expression, kind: str) -> None:
        self.body.check(condition, kind, self.node)

    def assume(self, condition: Expression) -> None:
        self.body.assume(condition, self.node)

    def keep(self, value: Expression) -> Expression:
        return self.body.keep(Value(value, INT), self.node).expression

    def assign(self, name: str, value: Expression) -> None:
        self.flow.assign(name, value, self.position)

    def known(self, name: str) -> Expression:
        return self.body.result(name, INT).expression

    def any_number(self, name: str, kind: Kind, of: Kind | None = None) -> Expression | None:
        type_, options = TYPES[kind], self.world.options
        if (options.nondet is None and not (of and options.any_input)) or not isinstance(type_, Int):
            self.world.partial = True
            return None
        return any_number(self.body, name, type_, self.node, numbers_of(*of) if of else None).expression

    def label(self) -> Label:
        return self.flow.label()

    def bind(self, label: Label, head: bool = False) -> None:
        if head:
            self.flow.place_head(label, ())
        else:
            self.flow.bind(label)

    def branch(self, condition: Expression | None, label: Label) -> None:
        if condition is None:
            self.flow.fork(label, self.position)
        else:
            self.flow.branch(condition, label, self.position)

    # ---- threads

    def call_argument(self, number: int) -> None:
        self.body.call_pointer(self.value(number), [], self.node)

    def start(self, function: int, argument: int, detached: Expression) -> Expression:
        """POSIX lets the thread run before its handle is written. SV-COMP does not; so of a task, that comes first."""
        named = self.value(function), self.arguments[function]
        self.has_handle = self.world.options.property is not None and function > 0
        to = self.body.target(self.value(0), LONG) if self.has_handle else None
        return self.threads.spawn(named, self.value(argument), self.node, Value(detached, INT), to).expression

    def join(self, result: int | None, kind: Kind = POINTER) -> None:  # noqa: ARG002 - the type of the place says it
        handle, place = self.body.plain_number(self.value(0)), None
        if result is not None and self.value(result).constant != 0:
            target = self.value(result)
            inner = target.type.target if isinstance(target.type, Pointer) else VOID
            place = self.body.target(target, inner if is_scalar(inner) else Pointer(VOID))
        self.threads.join(handle, self.node, place)

    def detach(self) -> None:
        self.threads.detach(self.body.plain_number(self.value(0)), self.node)

    def end_thread(self) -> None:
        if self.handle == 0 and (self.own.exits or self.world.destructors):
            self.refuse("`pthread_exit` of main with functions of `atexit`, or destructors, is")
        self.threads.end_thread(self.value(0), self.node)

    def end_main(self, functions: bool) -> None:
        self.own.end_main(functions, self.node)

    def end_program(self, functions: bool) -> None:
        if functions and self.world.at_exit:
            self.refuse(_EXIT_IN_THREAD)
        self.flow.emit(xcfa.Assume(BoolLiteral(False), self.position, ends=True))
        self.flow.known = None

    def exit_status(self, status: Expression) -> None:
        self.body.exit_status(Value(status, INT), self.node)

    def at_exit(self) -> None:
        self.own.at_exit(self.value(0), self.node)

    # ---- who waits where

    def next_round(self, key: Key) -> int | None:
        return self.cells.next_round(key)

    def asks_for_the_serial_one(self) -> bool:
        definition = self.body.activations[-1].routine.definition
        assert definition is not None
        return not self.ignored and id(self.node) not in self.world.ignored_results(definition.body)


def of_keys(own: ThreadState, name: str, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> Value:
    """What a function of values does that each thread has its own of."""
    call = PrimitivesOfC(own, arguments, node)
    if name in ("pthread_key_create", "tss_create"):
        call.put(0, own.new_key(call.value(1), node), NUMBER)
        return literal(0, INT)
    key = Value(call.argument(0, NUMBER), INT)
    if name in ("pthread_getspecific", "tss_get"):
        return own.specific(key, node)
    own.set_specific(key, call.argument(1, POINTER), node)
    return literal(0, INT)


def set_errno(body: Body, value: Value, node: c_ast.Node) -> None:
    """Gives `errno` a value, in a program that knows it."""
    if _knows_errno(body):
        outer, body.scope = body.scope, body.world.scope
        body.store(body.place(c_ast.ID("errno")), value, node)
        body.scope = outer


def _knows_errno(body: Body) -> bool:
    return body.flow.reachable and body.world.scope.find("errno") is not None


def _place(cell: Cell) -> InMemory:
    return InMemory(cell, INT)
