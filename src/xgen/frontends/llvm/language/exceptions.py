"""Exceptions of C++: who catches what is thrown, and what the library keeps of it (the Itanium ABI for C++, part 2).

Calls are put in the place where they are, so it is known who is around a `throw`. Where everything is known so far, the
translation itself goes back to there; where there was a choice, it is a jump to a label. A landing pad is no target of
its call before something is thrown there: what never throws has the shape that it has without exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import NoReturn

from xgen.frontends.llvm.language.instructions import Activation, Instructions
from xgen.frontends.llvm.language.translation import TranslateAgain, Unreachable, World
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.text.ir import Instruction
from xgen.frontends.llvm.text.names import readable
from xgen.frontends.llvm.text.tokens import Aggregate, Operand
from xgen.frontends.llvm.text.types import POINTER
from xgen.frontends.llvm.values import Either, Register, Value, condition, expression
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral, Name, Unary
from xgen.records import dataclass

HEAD = 48
"""So many bytes are in front of what is thrown; where in them is what:"""
TYPE, DESTRUCTOR, COUNT, PREVIOUS, ADJUSTED, OBJECT = 0, 8, 16, 24, 32, 40
PUBLIC, VIRTUAL = 2, 1
NOT_AMONG_THEM = -1
"""The selector of a filter, which lets nothing through."""
PANIC = 8
"""Stands for the type of what a panic of Rust throws, which is not looked at."""


@dataclass(eq=False, slots=True)
class Landing:
    """Where a call goes on when something is thrown in it, and what was: the object, and the address of its type."""

    here: Activation
    block: str
    cleanup: bool
    caught: list[int | None]  # the addresses of types, 0: of any type, None: what a filter lets through, nothing
    label: str
    slots: tuple[str, str]
    thrown: list[tuple[Value, int]] = field(default_factory=list)


class Thrown(Exception):
    """Something is thrown, and it is known where that goes."""

    def __init__(self, landing: Landing, thing: Value, type_: int) -> None:
        super().__init__()
        self.landing, self.thing, self.type = landing, thing, type_


class Exceptions(Instructions):
    """What is thrown, and where that goes. `Calls` has what is called, and what is made in memory."""

    new: Callable[[Value, bool, str], Value]
    delete: Callable[[Value], None]
    end_program: Callable[[int], None]
    dispatch: Callable[[Value, list[Value], Instruction], Value | None]
    invoke: Callable[[str, list[Value], Instruction], Value | None]
    own_object: Callable[[object, str, int], Object]

    def __init__(self, world: World, number: int, name: str) -> None:
        super().__init__(world, number, name)
        self.landings: list[Landing] = []  # around the place where the thread is, the innermost one last
        self.panics = False  # it is in Rust, and something has panicked

    # ---- landing pads

    def landing(self, here: Activation, block: str, i: Instruction) -> Landing:
        """Where a call goes on that something is thrown in."""
        pad = next(each for each in self.world.module.block(here.function, i.successors[1]) if each.op != "phi")
        cleanup, clauses = pad.about
        caught = [self._clause(kind, operand) for kind, operand in clauses]
        return Landing(here, block, cleanup, caught, self.label(), (self.fresh("exception"), self.fresh()))

    def _clause(self, kind: str, operand: Operand) -> int | None:
        if kind == "catch":
            found = self.world.memory.constant(operand, POINTER)
            assert isinstance(found, int)
            return found
        if isinstance(operand, Aggregate) and operand.elements:
            raise self.unsupported("a function that says which exceptions it throws is")
        return None

    def landed(self, landing: Landing) -> tuple[Value, Value]:
        """What a landing pad is given: the object that was thrown, and a number that says as what it is caught."""
        things = [thing for thing, _ in landing.thrown]
        types = list(dict.fromkeys(type_ for _, type_ in landing.thrown))
        thing: Value = Register(Name(landing.slots[0]), Either(things))
        if all(isinstance(each, int) and each == things[0] for each in things):
            thing = things[0]
        selectors = {type_: self.selector(landing, type_) for type_ in types}
        if len(set(selectors.values())) == 1:
            return thing, selectors[types[0]]
        chosen: Expression = IntLiteral(selectors[types[-1]])
        for type_ in types[-2::-1]:
            same = Binary("=", Name(landing.slots[1]), IntLiteral(type_))
            chosen = Conditional(same, IntLiteral(selectors[type_]), chosen)
        return thing, self.keep(Register(chosen, Either(), 32))

    def selector(self, landing: Landing, type_: int) -> int:
        for caught in landing.caught:
            if caught is None:
                return NOT_AMONG_THEM
            if self._is_caught(type_, caught) is not None:
                return self.number_of(caught)
        return 0

    def number_of(self, type_: int) -> int:
        """The selector of a type."""
        return self.world.types.setdefault(type_, len(self.world.types) + 1)

    # ---- throwing

    def throw(self, thing: Value, type_: Value) -> NoReturn:
        """Goes on where a thing is caught, or where something is cleaned up before; nobody catches it: the end."""
        if isinstance(type_, int):
            self._throw(thing, type_)
        types = sorted(self.world.points.addresses(type_) - {0})
        was, self.on_one_path = self.on_one_path, False
        try:
            for each in types:
                following = self.label()
                self.branch(Unary("not", Binary("=", expression(type_), IntLiteral(each))), following)
                try:
                    self._throw(thing, each)
                except Unreachable:
                    self.branch(None, "")
                self.emit(following)
        finally:
            self.on_one_path = was
        self.emit(xcfa.Assume(BoolLiteral(False), self.position))
        raise Unreachable

    def _throw(self, thing: Value, type_: int) -> NoReturn:
        for landing in reversed(self.landings):
            found = self._catches(landing, type_)
            if found is None and not landing.cleanup:
                continue
            if found is None and not any(self._catches(each, type_) is not None for each in self.landings):
                break
            function = landing.here.function
            if landing.block not in function.throwing:
                function.throwing.add(landing.block)
                function.shape = None
                raise TranslateAgain
            if found is not None and type_ != PANIC:
                self.store(self.moved(thing, ADJUSTED - HEAD), self._adjusted(thing, type_, found), 8)
            if self.on_one_path:
                raise Thrown(landing, thing, type_)
            self.land(landing, thing, type_)
        self.end_program(1)
        raise Unreachable

    def catchers(self) -> int:
        """How many around this place catch whatever is thrown."""
        return sum(0 in landing.caught for landing in self.landings)

    def land(self, landing: Landing, thing: Value, type_: int) -> NoReturn:
        """A jump to a landing pad."""
        landing.thrown.append((thing, type_))
        self.assign(landing.slots[0], expression(thing))
        self.assign(landing.slots[1], IntLiteral(type_))
        self.branch(None, landing.label)
        raise Unreachable

    def throw_unknown(self, name: str) -> NoReturn:
        """What a function throws that is not there: it is not known what that is."""
        if any(landing.caught for landing in self.landings):
            raise self.unsupported(
                f"an exception of `{readable(name)}`, which is not in the program, that may be caught is"
            )
        self.end_program(1)
        raise Unreachable

    def resume(self, here: Activation, i: Instruction) -> NoReturn:
        """It is thrown on."""
        found = self.operand(here, i, 0)
        assert isinstance(found, tuple)
        self.throw(found[0], PANIC if self.panics else self.load(self.moved(found[0], TYPE - HEAD), 8))

    # ---- types

    def _catches(self, landing: Landing, type_: int) -> int | None:
        for caught in landing.caught:
            if caught is None:
                return 0
            found = self._is_caught(type_, caught)
            if found is not None:
                return found
        return None

    def _adjusted(self, thing: Value, type_: int, offset: int) -> Value:
        """What the handler is given: the part of the object, or the pointer that was thrown."""
        thing = self.of_head(thing, OBJECT)
        return self.load(thing, 8) if "pointer" in self._kind(type_) else self.moved(thing, offset)

    def _is_caught(self, type_: int, caught: int) -> int | None:
        """Where in an object of a type that is which is caught; None: it is not one."""
        if caught in (0, type_):
            return 0
        kind = self._kind(type_)
        if "pointer" in kind:
            return self._pointer_is(type_, caught)
        return self._base(type_, caught)

    def _base(self, type_: int, wanted: int) -> int | None:
        """Where in a class the one base is that is asked for; of several it is not said which."""
        found = [offset for base, offset in self._bases(type_) if base == wanted]
        return found[0] if len(found) == 1 else None

    def _pointer_is(self, type_: int, caught: int) -> int | None:
        """Pointers to a class are caught as those to its bases at its start, all as `void *`; `const` may be more."""
        if "pointer" not in self._kind(caught):
            return None
        flags, others = self._word(type_ + 16, 4), self._word(caught + 16, 4)
        pointee, wanted = self._word(type_ + 24), self._word(caught + 24)
        if flags & ~others:
            return None
        if pointee == wanted or self.world.memory.address_of("_ZTIv") == wanted:
            return 0
        offset = self._base(pointee, wanted) if self._word(pointee) else None
        if offset:
            raise self.unsupported("a pointer that is caught as one to a base behind others is")
        return offset

    def _bases(self, type_: int) -> Iterator[tuple[int, int]]:
        """The public bases of a class, and where in it they are."""
        kind = self._kind(type_)
        if "si_class" in kind:
            base = self._word(type_ + 16)
            yield base, 0
            yield from self._bases(base)
        elif "vmi_class" in kind:
            for number in range(self._word(type_ + 20, 4)):
                base, said = (self._word(type_ + 24 + 16 * number + 8 * k) for k in (0, 1))
                if said & VIRTUAL:
                    raise self.unsupported("throwing an object of a class with virtual bases is")
                if said & PUBLIC:
                    yield base, said >> 8
                    yield from ((inner, (said >> 8) + offset) for inner, offset in self._bases(base))

    def _kind(self, type_: int) -> str:
        """What kind of type information something is."""
        found = self.world.memory.at(self._word(type_))
        if found is None:
            raise self.unsupported("an exception of a type that is not in the program is")
        return found.name

    def _word(self, address: int, width: int = 8) -> int:
        found = self.found(address, width)
        return 0 if found is None else found[0].read(found[1], width)

    # ---- what is kept of exceptions

    def caught(self) -> int:
        """Where it stands what this thread has caught last."""
        return self.own_object("caught", "caught", 8).address

    def of_head(self, thing: Value, which: int) -> Value:
        return self.load(self.moved(thing, which - HEAD), 8)

    def put_in_head(self, thing: Value, which: int, value: Value) -> None:
        self.store(self.moved(thing, which - HEAD), value, 8)

    def new_exception(self, size: Value) -> Value:
        if not isinstance(size, int):
            raise self.unsupported("an exception of a size that is not known here is")
        start = self.new(HEAD + size, False, "exception")
        thing = self.moved(start, HEAD)
        for which in (TYPE, DESTRUCTOR, COUNT, PREVIOUS, ADJUSTED):
            self.put_in_head(thing, which, 0)
        self.put_in_head(thing, OBJECT, thing)
        return thing

    def begin_catch(self, thing: Value) -> Value:
        count, last = self.of_head(thing, COUNT), self.load(self.caught(), 8)
        away = self.compare("slt", count, 0)  # it was thrown on from a handler
        more = self.select(away, self.compute("sub", 1, count, 64), self.compute("add", count, 1, 64))
        self.put_in_head(thing, COUNT, more)
        again = self.compare("eq", last, thing)
        self.put_in_head(thing, PREVIOUS, self.select(again, self.of_head(thing, PREVIOUS), last))
        self.store(self.caught(), thing, 8)
        return self.of_head(thing, ADJUSTED)

    def end_catch(self, i: Instruction) -> None:
        thing = self.load(self.caught(), 8)
        count = self.of_head(thing, COUNT)
        away = self.compare("slt", count, 0)
        less = self.select(away, self.compute("add", count, 1, 64), self.compute("sub", count, 1, 64))
        self.put_in_head(thing, COUNT, less)
        over = self.compare("eq", less, 0)
        self.store(self.caught(), self.select(over, self.of_head(thing, PREVIOUS), thing), 8)
        self._destroy(thing, self.compute("and", over, self.compare("eq", away, 0), 1), i)

    def _destroy(self, thing: Value, over: Value, i: Instruction) -> None:
        """Calls the destructor of what no handler has any more, which is there no more then."""
        destructor = self.of_head(thing, DESTRUCTOR)
        functions = self.world.memory.function_at
        names = [functions[each] for each in self.world.points.addresses(destructor) if each in functions]
        if self.facts.pointed:
            if not all(map(_OF_LIBRARY.match, names)):
                raise self.unsupported("an exception with a destructor, in a program with `std::exception_ptr`, is")
            return  # what the library's own exceptions free may stay
        if over == 0:
            return
        if over == 1 and isinstance(destructor, int):
            if names:
                self.invoke(names[0], [thing], i)
            self.delete(self.moved(thing, -HEAD))
            return
        was, self.on_one_path = self.on_one_path, False
        end, destroyed = self.label(), self.label()
        try:
            self.branch(Unary("not", condition(over)), end)
            if names:
                self.branch(Binary("=", expression(destructor), IntLiteral(0)), destroyed)
                self.dispatch(destructor, [thing], i)
            self.emit(destroyed)
            self.delete(self.moved(thing, -HEAD))
        finally:
            self.on_one_path = was
        self.emit(end)

    def throw_again(self) -> NoReturn:
        """`throw;`"""
        thing = self.load(self.caught(), 8)
        if thing == 0:
            self.end_program(1)
            raise Unreachable
        self.put_in_head(thing, COUNT, self.compute("sub", 0, self.of_head(thing, COUNT), 64))
        self.throw(thing, self.of_head(thing, TYPE))

    def throw_shared(self, thing: Value) -> NoReturn:
        other, type_ = self.new_exception(0), self.of_head(thing, TYPE)
        self.put_in_head(other, TYPE, type_)
        self.put_in_head(other, OBJECT, thing)
        self.throw(other, type_)


# ---- functions of the library


def _allocate(body: Exceptions, arguments: list[Value], _i: Instruction) -> Value:
    return body.new_exception(arguments[0])


def _throw_panic(body: Exceptions, arguments: list[Value], _i: Instruction) -> NoReturn:
    body.panics = True
    body.throw(arguments[0], PANIC)


def _free(_body: Exceptions, _arguments: list[Value], _i: Instruction) -> Value:
    return 0


def _throw(body: Exceptions, arguments: list[Value], _i: Instruction) -> NoReturn:
    thing, type_, destructor = arguments
    body.put_in_head(thing, TYPE, type_)
    body.put_in_head(thing, DESTRUCTOR, destructor)
    body.throw(thing, type_)


def _begin(body: Exceptions, arguments: list[Value], _i: Instruction) -> Value:
    return body.begin_catch(arguments[0])


def _adjusted(body: Exceptions, arguments: list[Value], _i: Instruction) -> Value:
    return body.of_head(arguments[0], ADJUSTED)


def _end(body: Exceptions, _arguments: list[Value], i: Instruction) -> None:
    body.end_catch(i)


def _again(body: Exceptions, _arguments: list[Value], _i: Instruction) -> NoReturn:
    body.throw_again()


def _type(body: Exceptions, arguments: list[Value], _i: Instruction) -> Value:
    """`llvm.eh.typeid.for`"""
    assert isinstance(arguments[0], int)
    return body.number_of(arguments[0])


def _current(body: Exceptions, _arguments: list[Value], _i: Instruction) -> Value:
    """The object that is caught last, for a `std::exception_ptr`."""
    body.facts.pointed.add("exceptions")
    thing = body.load(body.caught(), 8)
    if isinstance(thing, int):
        return 0 if thing == 0 else body.of_head(thing, OBJECT)
    found, nothing = body.fresh(), body.label()
    was, body.on_one_path = body.on_one_path, False
    body.assign(found, IntLiteral(0))
    body.branch(Binary("=", expression(thing), IntLiteral(0)), nothing)
    value = body.of_head(thing, OBJECT)
    body.assign(found, expression(value))
    body.emit(nothing)
    body.on_one_path = was
    return Register(Name(found), Either([0, value]))


def _make(body: Exceptions, arguments: list[Value], _i: Instruction) -> Value:
    """An exception that is not thrown, for a `std::exception_ptr`."""
    body.facts.pointed.add("exceptions")
    thing, type_, destructor = arguments
    body.put_in_head(thing, TYPE, type_)
    body.put_in_head(thing, DESTRUCTOR, destructor)
    return thing


def _throw_shared(body: Exceptions, arguments: list[Value], _i: Instruction) -> None:
    """This thread throws an object that some thread has thrown: that is another exception, with the same object."""
    thing = arguments[0]
    if thing == 0:
        return
    if isinstance(thing, int):
        body.throw_shared(thing)
    was, body.on_one_path = body.on_one_path, False
    nothing = body.label()
    try:
        body.branch(Binary("=", expression(thing), IntLiteral(0)), nothing)
        body.throw_shared(thing)
    except Unreachable:
        body.branch(None, "")
    finally:
        body.on_one_path = was
    body.emit(nothing)


_OF_LIBRARY = re.compile(r"_ZNSt|_ZZSt29__make_exception_ptr_explicit\w*?INSt")
"""Destructors of the library's own exceptions."""
FUNCTIONS: dict[str, Callable[[Exceptions, list[Value], Instruction], Value | None]] = {
    "__cxa_allocate_exception": _allocate,
    "__cxa_free_exception": _free,
    "__cxa_throw": _throw,
    "xgen_throw": _throw_panic,
    "__cxa_begin_catch": _begin,
    "__cxa_get_exception_ptr": _adjusted,
    "__cxa_end_catch": _end,
    "__cxa_rethrow": _again,
    "__cxa_init_primary_exception": _make,
    "__cxa_rethrow_primary_exception": _throw_shared,
    "__cxa_current_primary_exception": _current,
    "llvm.eh.typeid.for": _type,
    "llvm.eh.typeid.for.p0": _type,
    "__cxa_increment_exception_refcount": _free,
    "__cxa_decrement_exception_refcount": _free,
}
"""What they do."""
