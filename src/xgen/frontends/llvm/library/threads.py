"""Threads: created, joined, ended, and what each has of its own; the library as this reader has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from xgen.errors import UnsupportedError
from xgen.frontends.assembly import Branch
from xgen.frontends.library.call import ENDS_BY_CALL
from xgen.frontends.library.facts import Key
from xgen.frontends.limits import DESTROYED, NESTED_CALLS, SET_AGAIN, THREADS, TOO_MANY_THREADS, too_many_like
from xgen.frontends.llvm.language.calls import Calls
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.interpreter import Mark
from xgen.frontends.llvm.language.translation import Unreachable, World
from xgen.frontends.llvm.objects import Object
from xgen.frontends.llvm.rust.names import closure_of
from xgen.frontends.llvm.text.ir import Function, Instruction
from xgen.frontends.llvm.text.tokens import Local, Operand
from xgen.frontends.llvm.text.types import VOID, Type
from xgen.frontends.llvm.values import FromCells, Register, Value, expression, folded
from xgen.program import automaton as xcfa
from xgen.program.automaton import NOWHERE, Binary, BoolLiteral, IntLiteral, Name, Unary
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Exit:
    """What a thread calls at its end, with what; `wanted`: a local that is 0 where it was not asked for."""

    function: Value
    argument: Value
    wanted: str | None = None


class Threads(Calls):
    """A thread: what it runs, and its number, which is its handle."""

    function: Function | None = None
    argument: Value = 0
    started = NOWHERE
    creators: tuple[str, ...] = ()  # the functions of those that started it, and its own
    result: Object | None = None

    def __init__(self, world: World, index: int, name: str) -> None:
        super().__init__(world, index, name)
        self.at_end = self.label()
        self.exits: list[Exit] = []
        self.rounds: dict[Key, int] = {}
        self.atomic_depth = 0
        self.sets_again = False  # a value has been set for a key since a round of destructors began
        self.catches = False  # it goes on where what it runs has ended with a panic

    def mark(self, here: Activation, previous: str | None) -> Mark:
        found = super().mark(here, previous)
        found.exits = len(self.exits)
        return found

    def take_back(self, here: Activation, mark: Mark) -> str | None:
        previous = super().take_back(here, mark)
        del self.exits[mark.exits :]
        return previous

    # ---- from its start to its end

    def run_all(self, calls: list[tuple[Function, list[Value]]]) -> None:
        """The functions one after the other, and what is called when the thread ends."""
        try:
            for function, arguments in calls:
                self.stack = [function]
                value = self.call_body(function, arguments)
                if self.result is not None:
                    self.store(self.result.address, 0 if value is None else value, 8)
            if self.number == 0 and value is not None and function.name == self.world.options.entry == "main":
                self.end_of_main(self.used(value))
        except Unreachable:
            self.branch(None, "")
        if any(isinstance(step, Branch) and step.label == self.at_end for step in self.steps):
            self.on_one_path = False  # threads come here on several ways
        self.emit(self.at_end)
        self.finish()
        self.end_own()
        self.publish()

    def end_of_main(self, status: Value) -> None:
        """What main returns is the status with which the program ends: another one than 0 says that it has failed."""
        if self.world.options.exits:
            self.check(folded(Binary("=", expression(status), IntLiteral(0))), "exit")

    def finish(self) -> None:
        """What is called at the end: of a thread for its own objects, of main for those of the program."""
        if self.number and (self.exits or self.world.destructors):
            self.facts.late.add(self.number)
        while self.exits:
            last = self.exits.pop()
            if last.wanted is None:
                if not self.call_at_end(last.function, [last.argument]):
                    return
                continue
            was, self.on_one_path = self.on_one_path, False
            with self.where_not_zero(Name(last.wanted)):
                self.call_at_end(last.function, [last.argument])
            self.on_one_path = was
        if self.number:
            self.destroy_specific()
        while self.number == 0 and self.world.at_exit:
            function, arguments = self.world.at_exit.pop()
            if not self.call_at_end(function, list(arguments)):
                return

    def end_own(self) -> None:
        """A thread's own variables end with it; main's are there as long as the program."""
        for (index, key), found in list(self.world.own.items()) if self.number else ():
            if index == self.number and isinstance(key, tuple) and key[0] == "variable":
                self.over(found)

    def destroy_specific(self) -> None:
        """Calls the destructors of keys for the values that are not 0: of known ones first, as nothing is a choice."""
        places = {key: self.world.own.get((self.number, ("key", key))) for key in self.world.destructors}
        for key, place in places.items():
            if (
                place is not None
                and isinstance(value := self.load(place.address, 8), int)
                and value
                and self.on_one_path
            ):
                self.store(place.address, 0, 8)
                if not self.call_at_end(self.world.destructors[key], [value]):
                    return
        was, self.on_one_path = self.on_one_path, False
        for _ in range(DESTROYED - 1):
            self.sets_again = False
            places = {key: self.world.own.get((self.number, ("key", key))) for key in self.world.destructors}
            for key, place in places.items():
                if place is not None and (value := self.load(place.address, 8)) != 0:
                    with self.where_not_zero(expression(value)):
                        self.store(place.address, 0, 8)
                        self.call_at_end(self.world.destructors[key], [value])
            if not self.sets_again:
                self.on_one_path = was
                return
        for place in places.values():
            if place is not None and (value := self.load(place.address, 8)) != 0:
                with self.where_not_zero(expression(value)):
                    self.emit(xcfa.Cut(self.position, SET_AGAIN))
                    self.branch(None, "")
        self.on_one_path = was

    def call_at_end(self, function: Value, arguments: list[Value]) -> bool:
        """Whether what is called comes back."""
        name = self.world.memory.function_at.get(function) if isinstance(function, int) else None
        try:
            if name is None:
                self.fail("bad-call")
                return False
            self.invoke(name, arguments, _NO_CALL)
        except Unreachable:
            self.branch(None, "")
            return False
        return True

    def call_at_exit(self, function: Value, argument: Value) -> None:
        """A thread's own object is there, and is destroyed when it ends: if it was made, where that is not known."""
        if self.on_one_path:
            self.exits.append(Exit(function, argument))
            return
        known = next((each for each in self.exits if (each.function, each.argument) == (function, argument)), None)
        if known is not None and known is not self.exits[-1]:
            raise self.unsupported("that objects of threads are made in an order that is not known here is")
        if known is None:
            known = Exit(function, argument, self.fresh("made"))
            self.exits.append(known)
        if known.wanted is not None:
            self.assign(known.wanted, IntLiteral(1))

    # ---- threads

    def start(self, function: Value, argument: Value, place: Value | None) -> Value:
        world = self.world
        if not isinstance(function, int) or function not in world.memory.function_at:
            raise self.unsupported("a thread whose function is not known where it is created is")
        if self.looping and not self.on_one_path:
            from xgen.frontends.constants import hint_for_file  # rarely needed

            source = self.position.source
            smaller = hint_for_file(source.name) if source is not None else None
            hint = "; ".join(filter(None, (smaller, "a loop whose rounds are known, and few, is written out")))
            raise self.unsupported("creating threads in a loop whose rounds are not known is", hint)
        if len(world.bodies) >= THREADS:
            position = self.position
            raise UnsupportedError(TOO_MANY_THREADS, position.source, position if position.source else None)
        name = world.memory.function_at[function]
        routine = world.module.functions.get(world.module.aliases.get(name, name))
        if routine is None:
            raise self.unsupported(f"a thread that runs `{name}`, which is not in the program, is")
        if self.creators.count(routine.name) >= NESTED_CALLS:
            self.emit(xcfa.Cut(self.position, too_many_like(world.metadata.function(routine.place, routine.name))))
            raise Unreachable
        handle = len(world.bodies)
        body = type(self)(world, handle, self.thread_name(routine, place))
        body.creators = (*self.creators, routine.name)
        body.function, body.started, body.parent = routine, self.position, self.number
        body.argument = self.given(body, argument)
        world.bodies.append(body)
        if handle in world.facts.returning:
            body.result = self.result_of(handle)
        self.emit(xcfa.Control("start", Name(body.name), self.position))
        return handle

    def given(self, body: Threads, argument: Value) -> Value:
        """What a thread is given: a number, or what is put where it finds it."""
        self.note_escape(argument, [])
        if isinstance(argument, int):
            return argument
        found = self.special(f"{body.name}.argument")
        self.facts.whole.add(found.name)
        cell = (found.name, 0, 8)
        self.store(found.address, argument, 8)
        body.argument_cell = cell
        return Register(Name(""), FromCells([cell]))

    argument_cell: tuple[str, int, int] | None = None

    def first_argument(self) -> Value:
        """What the thread's function is given."""
        if self.argument_cell is None:
            return self.argument
        found = self.world.memory.by_name[self.argument_cell[0]]
        return self.load(found.address, 8)

    def special(self, name: str) -> Object:
        found = self.world.memory.allocate(name, 8, "static")
        found.known = bytearray(b"\xff" * 8)
        return found

    def thread_name(self, routine: Function, place: Value | None) -> str:
        """The function's name; of a std::thread, and of a function without a name, that of the object that it is in."""
        taken = {body.name for body in self.world.bodies}
        name = self.world.metadata.function(routine.place, routine.name)
        if (closure := closure_of(name)) is not None:
            name = closure
        elif name.startswith("__"):
            name = "thread"
            found = self.found(place, 8) if isinstance(place, int) else None
            if found is not None and found[0].life != "heap" and found[0].type is not None:
                name = self.cell_name(*found)
        numbered = (f"{name}#{count}" for count in range(2, 1000))
        return name if name not in taken else next(each for each in numbered if each not in taken)

    def for_thread(self, handle: Value, action: Callable[[int], None]) -> None:
        """Does something about the thread that a handle is of."""
        known = range(1, max(len(self.facts.threads), len(self.world.bodies)))
        if isinstance(handle, int):
            if handle not in known:
                self.fail("bad-join")
            action(handle)
            return
        was, self.on_one_path = self.on_one_path, False
        handle, end = self.keep(handle), self.label()
        for each in known:
            following = self.label()
            self.branch(Unary("not", Binary("=", expression(handle), IntLiteral(each))), following)
            action(each)
            self.branch(None, end)
            self.emit(following)
        self.on_one_path = was
        self.emit(xcfa.Assert(BoolLiteral(False), self.position, "bad-join"))
        self.branch(None, "")
        self.emit(end)

    def join(self, handle: Value, result: Value, width: int = 8) -> None:
        def join_one(index: int) -> None:
            if index == self.number:  # POSIX leaves it open what comes of that
                self.emit(xcfa.Assert(BoolLiteral(False), self.position, "bad-join"))
                self.branch(None, "")
                return
            self.decide(index)
            self.emit(xcfa.Control("join", Name(self.name_of(index)), self.position))
            if self.number == 0 and self.on_one_path:
                self.joined |= 1 << index
            if result != 0:
                self.facts.returning.add(index)
                self.store(result, self.load_uninitialised(self.result_of(index).address, 8), width)

        self.end_single_threaded()
        self.for_thread(handle, join_one)

    def name_of(self, index: int) -> str:
        """What a thread is called, which may be started by one that comes later here."""
        bodies = self.world.bodies
        return bodies[index].name if index < len(bodies) else self.facts.threads[index]

    def result_of(self, index: int) -> Object:
        """Where a thread puts what it gives."""
        found = self.world.own.get((index, "result"))
        if found is None:
            found = self.world.own[index, "result"] = self.special(f"{self.name_of(index)}.result")
        return found

    def detach(self, handle: Value) -> None:
        self.end_single_threaded()
        self.for_thread(handle, self.decide)

    def decide(self, index: int) -> None:
        """A thread is joined or detached, which happens once; that is looked at where it may be otherwise."""
        count = self.world.joined[index] = self.world.joined.get(index, 0) + 1
        if count > 1 or (self.looping and not self.on_one_path):
            self.facts.detached.add(index)
        if index not in self.facts.detached:
            return
        fate = self.world.own.get((index, "joined"))
        if fate is None:
            fate = self.world.own[index, "joined"] = self.special(f"{self.name_of(index)}.joined")
        old = Name(self.fresh())
        self.emit(xcfa.Rmw(old, "exchange", self.cell(fate.address), (IntLiteral(1),), ("relaxed",), self.position))
        self.check(Binary("=", old, IntLiteral(0)), "bad-join")

    def end_thread(self, value: Value) -> NoReturn:
        """Ends the thread from wherever it is."""
        if self.result is not None:
            self.store(self.result.address, value, 8)
        self.end_calls()
        self.branch(None, self.at_end)
        raise Unreachable

    def end_program(self, status: int) -> None:
        """As `abort` does."""
        if status and self.world.options.exits:
            self.fail("exit")
        if status:
            self.emit(xcfa.Assert(BoolLiteral(True), self.position, "exit"))
        self.assume(0)

    def ends_by_call(self) -> None:
        """Main ends by a call: what its functions hold is no leak."""
        if not self.world.options.leaks:
            return
        if self.world.unless is None:
            self.world.unless = self.special("exit")
        self.world.remarks[ENDS_BY_CALL] = None
        self.end_single_threaded()
        self.store(self.world.unless.address, 1, 8, "relaxed")

    # ---- what each thread has of its own

    def own_object(self, key: object, name: str, size: int) -> Object:
        found = self.world.own.get((self.number, key))
        if found is None:
            found = self.world.memory.allocate(f"{self.name}.{name}", size, "static")
            found.known = bytearray(b"\xff" * size)
            self.world.own[self.number, key] = found
        return found

    def value(self, here: Activation, operand: Operand, type_: Type) -> Value:
        """In IR a `thread_local` variable may stand for the thread's own object without a call that says so."""
        found = super().value(here, operand, type_)
        if self.number and not isinstance(operand, Local) and isinstance(found, int) and self.world.memory.first:
            whole = self.world.memory.at(found)
            if whole is not None and whole.name in self.world.memory.first:
                own = self.per_thread(whole.address)
                assert isinstance(own, int)
                return own + found - whole.address
        return found

    def per_thread(self, address: Value) -> Value:
        """The thread's own object of a `thread_local` variable."""
        found = self.world.memory.at(address) if isinstance(address, int) else None
        if found is None:
            raise self.unsupported("a variable of each thread that is not known here is")
        if self.number == 0 or found.name not in self.world.memory.first:
            return found.address
        known = (self.number, ("variable", found.name)) in self.world.own
        own = self.own_object(("variable", found.name), found.name, found.size)
        if not known:
            own.data, own.type = bytearray(self.world.memory.first[found.name]), found.type
        return own.address

    def specific(self, key: Value) -> int:
        if not isinstance(key, int):
            raise self.unsupported("a key of values of each thread that is not known here is")
        return self.own_object(("key", key), f"key {key}", 8).address


_NO_CALL = Instruction("call", "", None, VOID)
