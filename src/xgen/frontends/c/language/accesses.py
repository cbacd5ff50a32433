"""Reading and writing places, and what is emitted for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Literal, NoReturn, Protocol

from pycparser import c_ast

from xgen.errors import Position, XgenError
from xgen.executions.nothing import NOTHING
from xgen.frontends import conditions
from xgen.frontends.c.interrupts import Context
from xgen.frontends.c.language.barrier_results import ignored_results
from xgen.frontends.c.language.facts import Block, Facts, TranslateAgain
from xgen.frontends.c.language.flow import (
    ON_ONE_PATH,
    PERHAPS,
    SINGLE_THREADED,
    UNDEFINED,
    UNKNOWN,
    Flow,
    Known,
    Mark,
    ended,
)
from xgen.frontends.c.language.kcsan import Kcsan
from xgen.frontends.c.language.kthread import Kthread
from xgen.frontends.c.language.memory import Memory, Object
from xgen.frontends.c.language.scope import Declarations, Routine, Scope
from xgen.frontends.c.language.syntax import Blocks
from xgen.frontends.c.options import Options
from xgen.frontends.c.text.reader import Unit
from xgen.frontends.c.values import bitfields, int128
from xgen.frontends.c.values.arithmetic import as_stored, convert, wrapped
from xgen.frontends.c.values.places import Alias, InMemory, InRegisters, Place, Registers, Value, literal, registers
from xgen.frontends.c.values.types import (
    NUMBERS,
    ULONG,
    Bits,
    CType,
    Pointer,
    Record,
    atomic,
    constant_members,
    converted,
    is_scalar,
    is_volatile,
    leaves,
    plain,
    size_of,
    width_of,
)
from xgen.frontends.library.facts import Key, Waiting
from xgen.frontends.reductions.steps import written
from xgen.program import automaton as xcfa
from xgen.program.automaton import NOWHERE, Binary, BoolLiteral, Expression, IntLiteral, Name
from xgen.records import dataclass


@dataclass(eq=False, slots=True)
class ThreadSpec:
    """A thread to translate: what it runs, with which argument. `argument` is a number, or the object where it is
    put; `creators`: the functions of the threads that led to it; `waits_for`: see `call_srcu` in library/kernel.py;
    `kthread`: what it is, where kthread_run or the like has started it."""

    name: str
    routine: Routine
    argument: int | Object
    handle: int
    position: Position
    result: Object | None = None
    creators: tuple[str, ...] = ()
    waits_for: Value | None = None
    kthread: Kthread | None = None


@dataclass(eq=False)
class World:
    """What all threads of a program share while it is translated."""

    unit: Unit
    options: Options
    facts: Facts
    memory: Memory
    scope: Scope = field(default_factory=Scope)
    routines: dict[str, Routine] = field(default_factory=dict)
    prototypes: dict[str, c_ast.FuncDecl] = field(default_factory=dict)
    statics: dict[object, Object] = field(default_factory=dict)
    per_thread: list[c_ast.Decl] = field(default_factory=list)
    strings: dict[str, Object] = field(default_factory=dict)
    typeofs: dict[int, c_ast.Node] = field(default_factory=dict)
    blocks: Blocks = field(default_factory=Blocks)
    serial: dict[int, frozenset[int]] = field(default_factory=dict)  # calls, by the ids of functions' bodies
    constructors: list[c_ast.FuncDef] = field(default_factory=list)  # what is called before main
    destructors: list[c_ast.FuncDef] = field(default_factory=list)  # what is called when the program ends
    errors: list[XgenError] = field(default_factory=list)
    remarks: dict[str, None] = field(default_factory=dict)  # what compilers warn of, in the order of finding
    at_exit: bool = False  # something is to be called when the program ends
    threads: list[ThreadSpec] = field(default_factory=list)
    entered: set[int] = field(default_factory=set)  # statements that something leads to, by their ids
    passed_over: dict[int, c_ast.Node] = field(default_factory=dict)  # those that nothing led to somewhere
    settled: dict[str, Known] | None = None  # what was known of cells when the first thread was started
    exposed: set[object] = field(default_factory=set)  # what declares objects to which pointers may lead
    accessed: set[str] = field(default_factory=set)  # cells that have events
    mortal: set[object] = field(default_factory=set)  # what declares objects that end while the program runs
    copied_types: set[str] = field(default_factory=set)  # types of scalars that are copied from somewhere
    constant: dict[object, tuple[range, ...]] = field(default_factory=dict)  # bytes of objects that are never written

    kthread: Kthread | None = None  # which one the next thread is that is started
    kthreads: int = 0  # how many have got the next number of a CPU
    on_cpu: dict[int, list[ThreadSpec]] = field(default_factory=dict)  # the threads that are a CPU of that number

    waiting: Waiting = field(default_factory=Waiting)
    keys: dict[str, int] = field(default_factory=dict)  # of each thread: how many keys it has made
    stubbed: set[str] = field(default_factory=set)  # stubs that are called
    locking: set[str] = field(default_factory=set)  # functions of --lock that are called
    unless: Object | None = None  # with --leaks: what is not 0 where main has ended by a call
    partial: bool = False  # not all values were looked at of what nobody knows
    volatile: dict[Position, None] = field(default_factory=dict)  # where plain accesses of volatile objects are
    joined: set[str] = field(default_factory=set)  # threads that are joined somewhere
    results: dict[str, Object] = field(default_factory=dict)  # of threads that are asked for what they give
    fates: dict[str, Object] = field(default_factory=dict)  # of threads that may be detached: 1 when joined or detached
    beside: dict[tuple[Key, str], Object] = field(default_factory=dict)  # cells of the library's own, by their use
    allocations: list[Block] = field(default_factory=list)  # all allocated memory, where it may be given again
    wanted: set[object] = field(default_factory=set)  # layouts of what threads allocate
    returned: set[int | None] = field(default_factory=set)  # addresses that threads free; None: one that is not known
    atomics: dict[tuple[str, int, int], Position] = field(default_factory=dict)  # accesses: object, offset, bytes

    def given_again(self) -> list[Block]:
        """What is freed and may be given again."""
        freed = (block for block in self.allocations if not self.returned.isdisjoint((None, block.address)))
        return [block for block in freed if block.layout in self.wanted]

    def ignored_results(self, body: c_ast.Node) -> frozenset[int]:
        """As `serial.asked_of_no_one` says, for each body once."""
        if id(body) not in self.serial:
            self.serial[id(body)] = ignored_results(body, self.blocks)
        return self.serial[id(body)]

    def changes(self, object_: Object, offset: int) -> bool:
        """Whether a scalar is known to change once there are threads; what is in a string literal never does."""
        if object_.key in self.strings:
            return False
        return object_.key in self.facts.changed or (object_.key, offset) in self.facts.changed

    def expose(self, key: object) -> None:
        """Pointers may lead to an object."""
        self.exposed.add(key)
        self.facts.exposed.learn(key)
        if self.facts.unknown_writers:
            self.facts.changed.learn(key)

    def write_anywhere(self) -> None:
        """Something is written by a pointer, when there are threads."""
        self.facts.unknown_writers = True
        self.facts.changed.learn(*self.exposed)

    def may_end(self, key: object) -> None:
        """An object may end while the program runs."""
        self.mortal.add(key)
        if self.facts.frees:
            self.facts.changed.learn(key)

    def some_end(self) -> None:
        self.facts.frees = True
        self.facts.changed.learn(*self.mortal)


class AccessesOfParts(Protocol):
    """Accesses of what is cut in parts, or may be."""

    def cut_union(self, place: InMemory) -> None:
        """A member of a union in which others lie is accessed somewhere."""

    def is_parted(self, place: Place, node: c_ast.Node, order: str | None) -> bool:
        """Whether a scalar is cut, or may be."""

    def load(self, place: Place, type_: CType, node: c_ast.Node, order: str | None) -> Value:
        """The value of one that `is_parted`."""

    def load_hollow(self, place: Place, type_: CType, node: c_ast.Node) -> Value:
        """The same, where what has no value yet is 0."""

    def store(self, place: Place, value: Value, node: c_ast.Node, order: str | None) -> None:
        """Writes it."""


class CopiesOfScalars(Protocol):
    """Copies of structs and unions."""

    def copy(self, place: Place, value: Value, node: c_ast.Node) -> None:
        """Copies one, scalar by scalar."""

    def as_wide(self, value: Value, type_: CType, node: c_ast.Node) -> Value:
        """A number that becomes one of 128 bits; all else as it is."""

    def in_variable(self, type_: CType, numbers: Sequence[Value], node: c_ast.Node) -> Value:
        """The structure that numbers make."""

    def load_whole(self, place: Place, node: c_ast.Node, order: str) -> Value:
        """What is in one that is accessed atomically."""

    def store_whole(self, place: Place, value: Value, node: c_ast.Node, order: str) -> None:
        """Writes one at once."""


class Accesses(Declarations):
    """Emits loads, stores, and assignments of locals."""

    parts: AccessesOfParts
    copies: CopiesOfScalars

    def __init__(self, world: World, thread: str) -> None:
        self.world = world
        self.thread = thread
        self.scope = world.scope
        self.flow = Flow()
        self.calls: tuple[tuple[str, Position], ...] = ()
        self.outside: Position | None = None  # in a function of the library that is a text: where the program calls it
        self.variables: dict[str, xcfa.Variable] = {}
        self.counts: dict[str, int] = {}
        self.atomic_depth = 0
        self.dropped: set[int] = set()  # nodes whose values nobody uses
        self.new_registers: list[Registers] = []  # of the function that is being translated
        self.same: dict[int, Value] = {}  # the conditions of `a ?: b`, by what stands between its signs
        self.looping = 0  # in how many loops that have one copy this is
        self.trials = 0  # how many evaluations are going on that may be taken back
        self.cpu = 0  # which CPU of the kernel the thread is
        self.context: Context | None = None  # what runs there; None: it is none that a driver has started
        self.kcsan = Kcsan(world.options.races == "kcsan")
        self.flow.seen = self.kcsan.seen if world.options.kernel is not None else None
        self.initial = False  # whether what is written is a first value, which a const object gets as well

    def position(self, node: c_ast.Node) -> Position:
        """A place in the program: what a text of the library does is done where the program calls it."""
        if self.outside is not None:
            return self.outside
        found = self.world.unit.position(node)
        return Position(found.line, found.column, found.width, found.source, self.calls) if self.calls else found

    # ---- locals

    def fresh(self, hint: str = "", initial: int = 0) -> str:
        """A new local of the automaton."""
        count = self.counts[hint] = self.counts.get(hint, 0) + 1
        name = hint if hint and count == 1 else f"{hint}${count}"
        value = (IntLiteral(initial),) if initial else ()
        self.variables[name] = xcfa.Variable(name, xcfa.INT, value)
        return name

    def in_registers(self, name: str, type_: CType, key: object) -> Registers:
        """A new local variable, without a value."""
        found = registers(name, type_, key, self.cuts_of(key))
        self.new_registers.append(found)
        for offset, leaf in found.leaves.items():
            found.names[offset] = self.fresh(name + leaf.name)
            self.unset(found.names[offset], key)
        return found

    def unset(self, name: str, key: object) -> None:
        """A local has no value from here on; it says so where that matters."""
        if key in self.world.facts.unset:
            self.flow.assign(name, IntLiteral(NOTHING), NOWHERE)
        self.flow.learn(name, UNDEFINED)

    def may_be_unset(self, name: str, key: object) -> bool:
        """Whether a local may have no value here, and holds NOTHING then."""
        if (self.flow.known or {}).get(name) is not PERHAPS:
            return False
        self.world.facts.unset.learn(key)
        return True

    def may_hold(self, place: InRegisters, name: str | None) -> bool:
        """The same, also where it is copied from elsewhere."""
        key = place.variable.key
        return (name is not None and self.may_be_unset(name, key)) or key in self.world.facts.uninitialised_objects

    def keep(self, value: Value, node: c_ast.Node) -> Value:
        """The value in a local of its own, unless nothing can change it."""
        if value.alias or value.place or value.constant is not None:
            return value
        name = self.fresh()
        self.flow.assign(name, value.expression, self.position(node))
        return Value(Name(name), value.type)

    def protect(self, value: Value, mark: int, node: c_ast.Node) -> Value:
        """The value as it was at a mark, whatever has been emitted since."""
        if value.alias or value.place or value.constant is not None:
            return value
        names = conditions.names_in(value.expression)
        changed = {written(step) for step in self.flow.steps[mark:]}
        if names.isdisjoint(changed):
            return value
        name = self.fresh()
        self.flow.steps.insert(mark, xcfa.Assign(Name(name), value.expression, self.position(node)))
        self.flow.assigned[name] = [value.expression]
        return Value(Name(name), value.type)

    def assign(self, name: str, value: Value, node: c_ast.Node) -> None:
        if value.alias:
            self.flow.learn(name, value.alias)
        else:
            self.flow.assign(name, value.expression, self.position(node))

    def check(self, condition: Expression, kind: str, node: c_ast.Node) -> None:
        """What follows needs a condition; else there is a violation."""
        if condition != BoolLiteral(True):
            self.flow.emit(xcfa.Assert(condition, self.position(node), kind))
        if condition == BoolLiteral(False):
            self.flow.known = None

    def assume(self, test: Expression, node: c_ast.Node) -> None:
        if test == BoolLiteral(True):
            return
        self.flow.emit(xcfa.Assume(test, self.position(node)))
        if test == BoolLiteral(False):
            self.flow.known = None

    @contextmanager
    def trial(self) -> Iterator[Mark]:
        """What is evaluated may be taken back: nothing becomes an initial value meanwhile, no thread is created."""
        self.trials += 1
        try:
            yield self.flow.mark()
        finally:
            self.trials -= 1

    @contextmanager
    def unevaluated(self) -> Iterator[Mark]:
        """What is evaluated is taken back, as the operand of `sizeof`."""
        with self.trial() as mark:
            if self.flow.known is None:
                self.flow.known = {}
            try:
                yield mark
            finally:
                self.flow.cut(mark)

    # ---- escapes

    def escape(self, alias: Alias | Registers) -> NoReturn:
        """The variable has to be in memory: its address is a number."""
        variable = alias.variable if isinstance(alias, Alias) else alias
        self.world.facts.escaped.add(variable.key)
        raise TranslateAgain

    def plain_number(self, value: Value) -> Value:
        """The value as a number, which the address of a variable in registers is not."""
        if value.alias:
            self.escape(value.alias)
        return value

    # ---- unions

    def used_members(self, union: object) -> tuple[int, ...]:
        return self.world.facts.members.get(union, ())

    def cuts_of(self, key: object) -> frozenset[int]:
        return frozenset(self.world.facts.cuts.get(key, ()))

    def uses(self, record: Record, number: int) -> None:
        """A member is used. Of a union whose members overlap, one counts for others that are made alike."""
        if not record.overlaps:
            return
        members, known = record.members or [], self.used_members(record.key)
        if not any(self.alike(members[used].type, members[number].type) for used in known):
            known = self.world.facts.members[record.key] = tuple(sorted((*known, number)))
        if (record.used or (0,)) != known:
            raise TranslateAgain

    def alike(self, one: CType, other: CType) -> bool:
        """Whether objects of two types are made of scalars of the same sizes at the same places."""
        places = [[(leaf.offset, size_of(leaf.type)) for leaf in leaves(type_)] for type_ in (one, other)]
        return places[0] == places[1]

    # ---- places

    def moved(self, place: Place, offset: int, type_: CType) -> Place:
        """The place so many bytes on."""
        if isinstance(place, InRegisters):
            return InRegisters(place.variable, place.offset + offset, type_)
        within = place.within and (place.within[0], place.within[1] + offset)
        return InMemory(self.add(place.address, offset), type_, within)

    def add(self, address: Expression, offset: int) -> Expression:
        match address:
            case IntLiteral(value):
                return IntLiteral(converted(value + offset, ULONG))
            case xcfa.Wrap(Binary("+", base, IntLiteral(value))):
                return self.add(base, value + offset)
        return self.within_memory(Binary("+", address, IntLiteral(offset))) if offset else address

    def within_memory(self, address: Expression) -> Expression:
        """A number as an address, which has so many bits."""
        return xcfa.Wrap(address, ULONG.bits, ULONG.bits == 64)

    def address(self, place: Place) -> Value:
        """The address of a place."""
        type_ = Pointer(place.type)
        if isinstance(place, InRegisters):
            place.variable.aliased = True
            return Value(IntLiteral(0), type_, Alias(place.variable, place.offset))
        self.parts.cut_union(place)
        self.expose(place)
        return Value(place.address, type_)

    def target(self, pointer: Value, type_: CType) -> Place:
        """The place that a pointer leads to."""
        if pointer.alias:
            return InRegisters(pointer.alias.variable, pointer.alias.offset, type_)
        return InMemory(pointer.expression, type_)

    # ---- what is known of memory

    def object_at(self, place: InMemory) -> tuple[Object, int] | None:
        """The object that a known address is in, and the offset, if there is a scalar of that size."""
        if not isinstance(place.address, IntLiteral):
            return None
        found = self.world.memory.at(place.address.value)
        offset = place.address.value - found.address if found else 0
        leaf = found.by_offset.get(offset) if found else None
        return (found, offset) if found and leaf and size_of(leaf.type) == size_of(place.type) else None

    def expose(self, place: Place) -> None:
        if isinstance(place, InMemory) and isinstance(place.address, IntLiteral):
            found = self.world.memory.at(place.address.value)
            if found:
                self.world.expose(found.key)

    def ends(self, found: Object) -> None:
        """An object is there no more: from now on all its accesses are events."""
        self.world.some_end()
        self.world.accessed.update(mark[1:] for mark in found.marks)
        self.flow.forget_all(found)

    def lifetime(self, op: Literal["alloc", "free"], address: Expression, node: c_ast.Node) -> None:
        """An object is allocated or freed. What main does before there are threads is before all that they do."""
        before = self.flow.known is not None and SINGLE_THREADED in self.flow.known
        if op == "alloc" and before and not self.world.options.leaks:
            return
        position = self.position(node)
        self.flow.emit(xcfa.Lifetime(op, xcfa.Deref(address, position), position))

    def known_cell(self, place: InMemory) -> int | None:
        """The value that is read there whatever happens: main's before there are threads, or what never changes
        then."""
        found = self.object_at(place)
        if found is None or self.flow.known is None:
            return None
        object_, offset = found
        name = "@" + object_.name + object_.by_offset[offset].name
        known = self.flow.known if SINGLE_THREADED in self.flow.known else self.world.settled
        if known is None or known.get(ended(object_), 0) != 0:
            return None
        if known is self.world.settled and self.world.changes(object_, offset):
            return None
        value = known.get(name, object_.first(offset))
        return value if isinstance(value, int) else None

    def declare_constant(self, key: object, declaration: c_ast.Node, type_: CType) -> None:
        """An object is declared, which may be const, or have members that are."""
        found = [range(size_of(type_))] if self.is_const(declaration) else constant_members(type_)
        if found:
            self.world.constant[key] = tuple(found)

    def must_be_variable(self, place: Place, node: c_ast.Node) -> None:
        """What is written is no string literal, and nothing else that is const (C11, 6.4.5 and 6.7.3)."""
        if self.initial:
            return
        if isinstance(place, InRegisters):
            key, offset = place.variable.key, place.offset
        else:
            object_ = self.world.memory.at(place.address.value) if isinstance(place.address, IntLiteral) else None
            if object_ is None or not isinstance(place.address, IntLiteral):
                return
            key, offset = object_.key, place.address.value - object_.address
        if any(offset in bytes_ for bytes_ in self.world.constant.get(key, ())):
            self.check(BoolLiteral(False), "bad-address", node)

    def store_first(self, place: Place, value: Value, node: c_ast.Node) -> None:
        """The first value of a variable."""
        outer, self.initial = self.initial, True
        try:
            self.store(place, value, node)
        finally:
            self.initial = outer

    def note_write(self, place: InMemory, value: Value | None, node: c_ast.Node) -> bool:
        """Something is written; `value` is None for an update. Whether it is an initial value, and no event."""
        self.must_be_variable(place, node)
        known, found = self.flow.known, self.object_at(place)
        if known is None:
            return False
        if SINGLE_THREADED not in known:
            if found:
                self.world.facts.changed.learn((found[0].key, found[1]))
            else:
                self.world.write_anywhere()
            return False
        if found is None:
            known.pop(ON_ONE_PATH, None)
            exposed = self.world.facts.exposed if self.looping else self.world.exposed  # in a loop, later ones as well
            for object_ in self.world.memory.objects:
                if object_.key in exposed and known.get(ended(object_)) != 1:
                    self.flow.forget_all(object_)
            return False
        object_, offset = found
        name = object_.name + object_.by_offset[offset].name
        number = value.constant if value else None
        if number is not None and ON_ONE_PATH in known and name not in self.world.accessed and not self.trials:
            object_.initial[offset] = number
            return True
        self.access(name)
        self.flow.learn("@" + name, number)
        return False

    def access(self, cell: str) -> None:
        """The cell has an event: its value at first is settled."""
        if not self.trials:
            self.world.accessed.add(cell)

    def started_thread(self) -> None:
        """From here on there are other threads."""
        known = self.flow.known
        if known is None or SINGLE_THREADED not in known:
            return
        cells = {name: value for name, value in known.items() if name.startswith(("@", "#ended "))}
        settled = self.world.settled
        if settled is not None:
            for name in settled.keys() | cells.keys():
                if settled.get(name) != cells.get(name):
                    cells[name] = UNKNOWN
        self.world.settled = cells
        known.pop(SINGLE_THREADED)
        known.pop(ON_ONE_PATH, None)

    def cell(self, place: InMemory, node: c_ast.Node) -> tuple[xcfa.AnyPlace, CType]:
        """The automaton's place, and the type of the scalar that is there."""
        type_ = plain(place.type)
        if isinstance(place.address, IntLiteral):
            found = self.world.memory.at(place.address.value)
            leaf = found.by_offset.get(place.address.value - found.address) if found else None
            if found and leaf and size_of(leaf.type) == size_of(type_):
                return xcfa.Place(Name(found.name + leaf.name, self.position(node))), plain(leaf.type)
        return xcfa.Deref(place.address, self.position(node), width_of(type_)), type_

    # ---- loads and stores

    def load(self, place: Place, node: c_ast.Node, order: str | None = None, uninitialised: bool = False) -> Value:
        """The value in a place; a struct is where it is, unless it is accessed atomically. `uninitialised`: where there
        is no value yet, it is 0."""
        if not isinstance(place.type, NUMBERS):
            if isinstance(place.type, Bits):
                return bitfields.load(self, place, place.type, node)
            if order is not None or atomic(place.type):
                return self.copies.load_whole(place, node, order or "seq_cst")
            return Value(IntLiteral(0), place.type, place=place)
        type_ = plain(place.type)
        if isinstance(place, InRegisters) and (name := place.variable.at(place.offset, type_)) is not None:
            return self.load_local(place, name, type_, node, uninitialised)
        if order is None and isinstance(place, InMemory):
            order = self.order_of(place.type, node)
        if self.parts.is_parted(place, node, order):
            if uninitialised:
                return self.parts.load_hollow(place, type_, node)
            return self.parts.load(place, type_, node, order)
        if isinstance(place, InRegisters):
            return literal(0, type_) if self.is_idle else self.escape(place.variable)
        if uninitialised:
            self.world.facts.uninitialised.learn(str(type_))
        cell, stored = self.cell(place, node)
        number = self.known_cell(place)
        if number == NOTHING:
            if not uninitialised:
                self.check(BoolLiteral(False), "uninitialised", node)
            return literal(0, type_)
        if number is not None:
            return as_stored(literal(number, stored), type_)
        self.note_read(cell)
        name = self.fresh()
        if object_ := self.object_at(place):
            self.flow.loaded[name] = object_
        self.flow.emit(xcfa.Load(Name(name), cell, order=order, position=self.position(node)))
        found = self.given(name, node, uninitialised) if self.may_hold_nothing(place, stored) else Name(name)
        return Value(wrapped(found, type_, stored), type_)

    def order_of(self, type_: CType, node: c_ast.Node) -> str | None:
        """The order of an access that says none."""
        if atomic(type_):
            if self.world.options.kernel is not None:
                self.refuse("an atomic object of C, which the kernel's model knows nothing of, is", node)
            return "seq_cst"
        if not is_volatile(type_):
            return "once" if self.kcsan.takes_as_marked(not self.is_idle) else None
        if self.world.options.volatile is None:
            self.world.volatile[self.position(node)] = None
        return self.world.options.volatile

    def note_read(self, cell: xcfa.AnyPlace) -> None:
        """Something is read by an event."""
        if isinstance(cell, xcfa.Place):
            self.access(cell.name.name)
        elif self.flow.known is not None:
            self.flow.known.pop(ON_ONE_PATH, None)

    def filled(self, name: str, node: c_ast.Node) -> None:
        """What was read has to have a value."""
        self.check(Binary("/=", Name(name), IntLiteral(NOTHING)), "uninitialised", node)

    def given(self, name: str, node: c_ast.Node, uninitialised: bool) -> Expression:
        """What was read into a local, where that may be no value: 0 then, if `uninitialised`, else a violation."""
        if uninitialised:
            return xcfa.Conditional(Binary("=", Name(name), IntLiteral(NOTHING)), IntLiteral(0), Name(name))
        self.filled(name, node)
        return Name(name)

    def may_hold_nothing(self, place: InMemory, type_: CType) -> bool:
        """Whether NOTHING may be read there."""
        facts, found = self.world.facts, self.object_at(place)
        if str(plain(type_)) not in facts.uninitialised:
            return False
        if found is None or found[0].first(found[1]) is None or str(plain(type_)) in facts.uninitialised_anywhere:
            return True
        return (found[0].key, found[1]) in facts.uninitialised_objects

    def unset_bits(self, place: Place) -> int:
        """The bits of a scalar of a local that are known to have no value."""
        name = place.variable.at(place.offset, plain(place.type)) if isinstance(place, InRegisters) else None
        if name is None:
            return 0
        known = (self.flow.known or {}).get(name)
        return (1 << 8 * size_of(place.type)) - 1 if known is UNDEFINED else self.flow.unset(name)

    def note_unset(self, place: Place, bits: int) -> None:
        """These bits of a scalar still have no value, although it was written."""
        name = place.variable.at(place.offset, plain(place.type)) if isinstance(place, InRegisters) else None
        if name is not None:
            self.flow.learn_unset(name, bits)

    def load_local(self, place: InRegisters, name: str, type_: CType, node: c_ast.Node, uninitialised: bool) -> Value:
        """The value of one of a variable's scalars, by the local that it is in."""
        known = (self.flow.known or {}).get(name)
        if known is UNDEFINED:
            if not uninitialised:
                self.check(BoolLiteral(False), "uninitialised", node)
            return literal(0, type_)
        if isinstance(known, Alias):
            return Value(IntLiteral(0), type_, known)
        stored = place.variable.leaves[place.offset].type
        if isinstance(known, int):
            value = literal(known, plain(stored))
            return value if value.type is type_ else as_stored(value, type_)
        found = self.given(name, node, uninitialised) if self.may_hold(place, name) else Name(name)
        if known is PERHAPS and not uninitialised:
            self.flow.learn(name, None)  # else there is a violation
        return Value(wrapped(found, type_, stored), type_)

    def store(self, place: Place, value: Value, node: c_ast.Node, order: str | None = None) -> None:
        """Writes a value, which is converted to the place's type."""
        if isinstance(place.type, Bits):
            bitfields.store(self, place, place.type, value, node)
            return
        if not is_scalar(place.type):
            if order is not None or atomic(place.type):
                self.copies.store_whole(place, value, node, order or "seq_cst")
            else:
                self.copies.copy(place, value, node)
            return
        if order is None and isinstance(place, InMemory):
            order = self.order_of(place.type, node)
        type_ = plain(place.type)
        value = convert(int128.narrowed(self, value, type_, node), type_)
        name = place.variable.at(place.offset, type_) if isinstance(place, InRegisters) else None
        if name is None and self.parts.is_parted(place, node, order):
            self.parts.store(place, value, node, order)
            return
        if isinstance(place, InRegisters):
            if name is None:
                self.escape(place.variable)
            self.must_be_variable(place, node)
            self.assign(name, as_stored(value, plain(place.variable.leaves[place.offset].type)), node)
            return
        cell, stored = self.cell(place, node)
        value = as_stored(self.plain_number(value), stored)
        if self.note_write(place, value, node):
            return
        expression, tags = value.expression, self.kcsan.of_store(self.flow.steps, [place], [cell], order)
        self.flow.emit(xcfa.Store(expression, cell, order=order, position=self.position(node), tags=tags))

    @property
    def is_idle(self) -> bool:
        """Whether what is evaluated is not done: it is taken back, or nothing gets there."""
        return self.trials > 0 or not self.flow.reachable
