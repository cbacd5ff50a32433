"""A call in C, as the handlers of frontends/library see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from pycparser import c_ast

from xgen.frontends.c.language.arithmetic import convert, negated, truth
from xgen.frontends.c.language.body import Body
from xgen.frontends.c.language.flow import Label
from xgen.frontends.c.language.places import InMemory, Value
from xgen.frontends.c.language.types import INT, LONG, UINT, VOID, CType, Int, Pointer, is_scalar, size_of
from xgen.frontends.c.library.own import Own
from xgen.frontends.c.library.unknown import any_number
from xgen.frontends.library.call import POINTER, Cell, Key, Kind, Kinds, barrier_name
from xgen.program import automaton as xcfa
from xgen.program.automaton import BoolLiteral, Expression, IntLiteral, Name

_EXIT_IN_THREAD = "`exit` in another thread than main, of a program that has functions of `atexit`, is"
TYPES: dict[Kind, CType] = {(32, True): INT, (32, False): UINT, (64, True): LONG, (64, False): Pointer(VOID)}


class CallInC:
    """See frontends/library/call.py. What is emitted has the position of the call."""

    def __init__(self, own: Own, arguments: Sequence[c_ast.Node], node: c_ast.Node) -> None:
        self.own, self.cells, self.threads, body = own, own.cells, own.threads, own.body
        self.body, self.flow, self.node = body, body.flow, node
        self.arguments = arguments
        effects = [argument for argument in arguments if not isinstance(argument, c_ast.Constant)]
        self.evaluated = dict(zip(map(id, effects), body.numbers(effects), strict=True))
        self.position = body.position(node)
        self.thread, self.handle = body.thread, body.handle
        self.has_handle = False

    def value(self, number: int) -> Value:
        """An argument. A constant is nowhere before it is asked for: of most functions strings do not matter."""
        node = self.arguments[number]
        return self.evaluated[id(node)] if id(node) in self.evaluated else self.body.number(node)

    @property
    def ignored(self) -> bool:
        return not self.body.used(self.node)

    @property
    def reachable(self) -> bool:
        return self.flow.reachable

    @property
    def spurious(self) -> bool:
        return self.body.world.options.spurious

    def argument(self, number: int, kind: Kind | None = None) -> Expression:
        value = self.value(number)
        if value.alias and kind is None:
            return Name("")  # an address, whichever
        value = self.body.plain_number(value)
        return (convert(value, TYPES[kind]) if kind else value).expression

    def truth(self, number: int) -> Expression:
        return truth(self.value(number))

    def cell(self, number: int) -> Cell:
        return self.body.plain_number(self.value(number)).expression

    def get(self, number: int, kind: Kind) -> Expression:
        place = self.body.target(self.value(number), TYPES[kind])
        return self.body.plain_number(self.body.load(place, self.node)).expression

    def put(self, number: int, value: Expression, kind: Kind) -> None:
        if not self.has_handle:
            self.body.store(self.body.target(self.value(number), TYPES[kind]), Value(value, TYPES[kind]), self.node)

    def key(self, cell: Cell) -> Key | None:
        return self.cells.key_of(_place(cell))

    def refuse(self, what: str, hint: str | None = None) -> NoReturn:
        self.body.refuse(what, self.node, hint)

    def nanoseconds(self, number: int) -> Expression:
        inside = self.body.moved(self.body.target(self.value(number), VOID), size_of(LONG), LONG)
        return self.body.keep(self.body.plain_number(self.body.load(inside, self.node)), self.node).expression

    def set_errno(self, error: Expression, unless: Expression | None = None) -> None:
        if not _knows_errno(self.body):
            return
        following = self.label()
        if unless is not None:
            self.branch(unless, following)
        set_errno(self.body, Value(error, INT), self.node)
        self.place(following)

    def remark(self, text: str) -> None:
        self.body.world.remarks[text] = None

    def remark_if_alone(self) -> None:
        self.cells.remark_if_alone(self.node)

    # ---- cells

    def inside(self, cell: Cell, offset: int) -> Cell:
        return self.body.add(cell, offset)

    def load(self, cell: Cell, order: str | None = None) -> Expression:
        return self.body.load(_place(cell), self.node, order).expression

    def read(self, cell: Cell, order: str) -> Expression:
        return self.cells.read(_place(cell), order, self.node)

    def store(self, cell: Cell, value: Expression) -> None:
        self.body.store(_place(cell), Value(value, INT), self.node)

    def write(self, cell: Cell, value: int, order: str) -> None:
        self.cells.write(_place(cell), value, order, self.node)

    def change(
        self, op: str, cell: Cell, values: tuple[Expression, ...], order: str, failing: str = "relaxed"
    ) -> Expression:
        return self.cells.change(op, _place(cell), values, (order, failing), self.node)

    def lock(self, cell: Cell) -> None:
        self.flow.emit(xcfa.Mutex("lock", self.cells.changing(_place(cell), self.node), self.position))

    def unlock(self, cell: Cell) -> None:
        self.flow.emit(xcfa.Mutex("unlock", self.cells.changing(_place(cell), self.node), self.position))

    def try_lock(self, cell: Cell) -> Expression:
        return self.cells.try_lock(_place(cell), self.node)

    # ---- locks that are not like most

    def declare_kind(self, cell: Cell, kind: int, of: Kinds) -> None:
        self.own.declare_kind(_place(cell), kind, of, self.node)

    def kind_of(self, cell: Cell, of: Kinds) -> int:
        return self.own.kind_of(_place(cell), of, self.node)

    def depth_of(self, cell: Cell) -> str:
        return self.own.depth_of(_place(cell))

    def known(self, name: str) -> Expression:
        return self.body.result(name, INT).expression

    # ---- ways

    def check(self, condition: Expression, kind: str) -> None:
        self.body.check(condition, kind, self.node)

    def assume(self, condition: Expression) -> None:
        self.body.assume(condition, self.node)

    def keep(self, value: Expression) -> Expression:
        return self.body.keep(Value(value, INT), self.node).expression

    def fresh(self) -> str:
        return self.body.fresh()

    def assign(self, name: str, value: Expression) -> None:
        self.flow.assign(name, value, self.position)

    def choose(self, most: int) -> Expression:
        chosen = Name(self.fresh())
        self.flow.emit(xcfa.Havoc(chosen, (IntLiteral(0), IntLiteral(most)), self.position))
        return chosen

    def any_number(self, name: str, kind: Kind) -> Expression | None:
        type_ = TYPES[kind]
        if self.body.world.options.nondet is None or not isinstance(type_, Int):
            return None
        return any_number(self.body, name, type_, self.node).expression

    def own_number(self, name: str) -> str:
        self.body.variables.setdefault(name, xcfa.Variable(name, xcfa.INT, (IntLiteral(0),)))
        return name

    def label(self) -> Label:
        return self.flow.label()

    def place(self, label: Label) -> None:
        self.flow.place(label)

    def jump(self, label: Label) -> None:
        self.flow.jump(label, self.position)

    def branch(self, condition: Expression, label: Label) -> None:
        self.flow.branch(condition, label, self.position)

    def fork(self, label: Label) -> None:
        self.flow.fork(label, self.position)

    def until(self, attempt: Callable[[], Expression]) -> None:
        head = self.flow.label()
        self.flow.place_head(head, ())
        self.flow.branch(negated(attempt()), head, self.position)

    # ---- threads

    def call_argument(self, number: int) -> None:
        self.body.call_pointer(self.value(number), [], self.node)

    def start(self, function: int, argument: int, detached: Expression) -> Expression:
        """POSIX lets the thread run before its handle is written. SV-COMP does not; so of a task, that comes first."""
        named = self.value(function), self.arguments[function]
        self.has_handle = self.body.world.options.property is not None and function > 0
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
        if self.handle == 0 and (self.own.exits or self.body.world.destructors):
            self.refuse("`pthread_exit` of main with functions of `atexit`, or destructors, is")
        self.threads.end_thread(self.value(0), self.node)

    def end_main(self, functions: bool) -> None:
        self.own.end_main(functions, self.node)

    def at_exit(self) -> None:
        self.own.at_exit(self.value(0), self.node)

    def new_key(self, destructor: int) -> Expression:
        return self.own.new_key(self.value(destructor), self.node)

    def specific(self, key: Expression) -> Expression:
        return self.own.specific(Value(key, INT), self.node).expression

    def set_specific(self, key: Expression, value: Expression) -> None:
        self.own.set_specific(Value(key, INT), value, self.node)

    def end_program(self, functions: bool) -> None:
        if functions and self.body.world.at_exit:
            self.refuse(_EXIT_IN_THREAD)
        self.flow.emit(xcfa.Assume(BoolLiteral(False), self.position, ends=True))
        self.flow.known = None

    def exit_status(self, status: Expression) -> None:
        self.body.exit_status(Value(status, INT), self.node)

    def atomic_begin(self) -> None:
        self.body.atomic_begin(self.node)

    def atomic_end(self) -> None:
        self.body.atomic_end(self.node)

    # ---- who waits where

    def barrier_is_for(self, key: Key, count: int | None) -> None:
        self.body.world.barriers.setdefault(key, {})
        self.body.world.sizes.setdefault(key, set()).add(count)

    def has_value_at_first(self, cell: Cell) -> bool:
        found = self.body.object_at(_place(cell))
        return found is not None and not found[0].undefined

    def round_at(self, key: Key) -> tuple[int, tuple[str, ...]] | None:
        return self.cells.round_at(key)

    def meet(self, key: Key, round_: int, waiting: tuple[str, ...]) -> None:
        name = barrier_name(key, self.body.world.barriers)
        self.flow.emit(xcfa.Meet(name, round_, tuple(map(Name, waiting)), self.position))

    def beside(self, key: Key, what: str, number: int, count: int) -> Cell:
        return self.cells.beside(key, what, number, count).address

    def asks_for_the_serial_one(self, key: Key) -> bool:
        looked_at, definition = self.body.world.facts.looked_at, self.body.activations[-1].routine.definition
        assert definition is not None
        if not self.ignored and id(self.node) not in self.body.world.asked_of_no_one(definition.body):
            looked_at.learn(key)
            return True
        return key in looked_at

    def fall_asleep_at(self, cell: Cell) -> int:
        return self.cells.fall_asleep_at(_place(cell))

    def sleepers(self, cell: Cell) -> list[int]:
        return self.cells.sleepers(_place(cell))


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
