"""Calls: of functions that are there, of the library, of what LLVM itself knows; of functions that are not known."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias
from zlib import crc32

from xgen.frontends.library.call import Function as Handled
from xgen.frontends.library.formats import SPACES
from xgen.frontends.library.table import FUNCTIONS
from xgen.frontends.library.verification import ASSUMES, ERRORS
from xgen.frontends.limits import CALLED_AGAIN, COMPARED, LONG, POOL, TOO_MANY_OBJECTS, too_deep
from xgen.frontends.llvm.language import inputs, numbers, output, reuse, unknown_sizes
from xgen.frontends.llvm.language.exceptions import FUNCTIONS as OF_EXCEPTIONS
from xgen.frontends.llvm.language.instructions import Activation
from xgen.frontends.llvm.language.interpreter import FRAMES
from xgen.frontends.llvm.language.lifetimes import is_marker
from xgen.frontends.llvm.language.translation import TranslateAgain, Unreachable
from xgen.frontends.llvm.objects import OBJECTS, RUST, Object, unset
from xgen.frontends.llvm.passes import MARK
from xgen.frontends.llvm.text.ir import Function, Instruction
from xgen.frontends.llvm.text.names import readable
from xgen.frontends.llvm.text.tokens import Assembly, Global, Local
from xgen.frontends.llvm.text.types import POINTER, VOID, Array, Float, Int, Type, size_of
from xgen.frontends.llvm.values import Either, FromCells, Register, Uninitialised, Value, expression, signed, unsigned
from xgen.frontends.multiples import Multiple
from xgen.program import automaton as xcfa
from xgen.program.automaton import Binary, IntLiteral, Name, Unary, nth

_LARGE = re.compile(r"__atomic_(load|store|exchange|compare_exchange)$")
"""What compilers call for what is too large for the machine: the first argument says how large."""
_DEQUE = re.compile(r"_ZNSt3__15dequeI.*E(19__add_back|20__add_front)_capacityE")
_SORTS_MANY = re.compile(r"4core5slice4sort(6stable14driftsort_main|8unstable7ipnsort)")
"""What sorts more than 20 elements in Rust, by recursion in several functions: fewer are sorted by a loop before."""
_NOT_FOLLOWED = (
    (re.compile(r"8__format19__allocating_bufferI\w+E13__grow_buffer"), "a text of 256 characters is formatted"),
    (re.compile(r"_ZNSt3__120__throw_format_error"), "`std::format_error` is thrown"),
    (re.compile(r"_ZNSt3__111__formatter23__format_floating_point"), "a floating point number is formatted"),
)
"""What `std::format` calls in few executions, and is long: where it is not known that it is called, these are cut."""
_PASSED = (
    "llvm.dbg",
    "llvm.assume",
    "llvm.donothing",
    "llvm.experimental.noalias",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.prefetch",
    "llvm.x86.sse2.pause",
    "llvm.x86.sse2.lfence",
    "llvm.x86.sse.sfence",
    "llvm.invariant",
    "llvm.va_end",
)
_NO_REGISTER = 48, 176
"""Where those places of a list of arguments end in which registers are kept: of numbers, of floating point numbers."""
_ITSELF = ("llvm.expect", "llvm.launder", "llvm.strip", "llvm.ssa.copy")
_ALIGNED = "St11align_val_t"
"""In the names of those operators `new` that are given an alignment."""
_NULL = "St9nothrow_t"
"""In the names of those that give a null pointer where there is no memory."""
_THROWS = re.compile(r"_ZNSt3__1\d+__throw_|_ZSt\d+__throw_")
_ENDS = re.compile(r"_ZNSt3__1\d+__libcpp_verbose_abort|__clang_call_terminate|_ZSt9terminatev|__cxa_pure_virtual")
Handler: TypeAlias = "Callable[[Calls, str, list[Value], Instruction], Value | None]"


class Calls(reuse.Reuse):
    """What is called, by its name."""

    of_library: Callable[[str, Handled, list[Value], Instruction], Value | None]
    assembly: Callable[[Activation, Instruction, Assembly], Value | None]

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.stack = []
        self.asking = ""  # with what memory is asked for now, if that says how it is freed
        self.further: list[list[tuple[Type, Value]]] = []  # of each call, the arguments behind the last parameter

    def step(self, here: Activation, i: Instruction) -> Value | None:
        if i.op != "call":
            return super().step(here, i)
        self.place_now = i.place if i.place is not None else self.place_now
        value = self.call(here, i)
        if i.name is not None:
            here.values[i.name] = value
        return value

    def call(self, here: Activation, i: Instruction) -> Value | None:
        if isinstance(i.about, Assembly):
            return self.assembly(here, i, i.about)
        if is_marker(i):
            self.marked(here, i)
            return 0
        target = self.used(self.value(here, i.about, POINTER))
        arguments = self.arguments_of(here, i)
        if not isinstance(target, int):
            return self.dispatch(target, arguments, i)
        name = self.world.memory.function_at.get(target)
        if name is None:
            self.fail("bad-call")
            raise Unreachable
        return self.invoke(name, arguments, i)

    def invoke(self, name: str, arguments: list[Value], i: Instruction) -> Value | None:
        name = self.world.module.aliases.get(name, name)
        function = self.world.module.functions.get(name)
        if name in self.world.options.stubs:
            return inputs.stubbed(self, name, i.type)
        if not self.single_threaded and _DEQUE.match(name):
            others = "from -std=c++17 on it may"
            raise self.unsupported("a `std::deque` (of a `std::queue`) that grows while threads share it is", others)
        if (function is None or name in ASSUMES | ERRORS) and not name.startswith("llvm.memset"):
            arguments = self.needed(name, arguments, i)
        if _SORTS_MANY.search(name) and not self.is_known(arguments[0]):
            self.emit(xcfa.Cut(self.position, "more than 20 elements are sorted here"))
            raise Unreachable
        if not self.on_one_path and "format" in name:
            reason = next((reason for pattern, reason in _NOT_FOLLOWED if pattern.search(name)), None)
            if reason is not None:
                self.emit(xcfa.Cut(self.position, f"{reason} here"))
                raise Unreachable
        if function is not None and name not in ASSUMES | ERRORS:
            types = [type_ for type_, _ in i.operands]
            self.further.append([*zip(types, arguments, strict=False)][len(function.parameters) :])
            try:
                return self.inside(function, arguments)
            finally:
                self.further.pop()
        handler = found(name)
        if handler is not None:
            return handler(self, name, arguments, i)
        handled = FUNCTIONS.get(name)
        if handled is not None:
            return self.of_library(name, handled, arguments, i)
        if _LARGE.match(name) and arguments and isinstance(arguments[0], int):
            raise self.unsupported(f"an atomic access of {arguments[0]} bytes is")
        hint = None if name.startswith("llvm.") else f"--stub {name} says that it does nothing"
        raise self.unsupported(f"a call of `{readable(name)}`, which is not in the program, is", hint)

    def inside(self, function: Function, arguments: list[Value]) -> Value | None:
        """The function's body, at the place of the call."""
        nested = 0 if self.on_one_path else self.stack.count(function)
        if nested >= self.facts.nested:
            name = self.world.metadata.function(function.place, function.name)
            self.emit(xcfa.Cut(self.position, too_deep(name, self.facts.nested)))
            raise Unreachable
        if nested:
            self.called_again()
        outer, place, path = self.outer, self.place_now, self.path
        metadata = self.world.metadata
        if place is not None and (here := metadata.kept(place)):  # else it is called in a library
            self.outer = ((metadata.function(function.place, function.name), here[0][1]), *here[1:], *outer)
        self.stack.append(function)
        self.path = f"{crc32(f'{path} {function.name} {place}'.encode()):08x}"
        self.learn_type(function, arguments)
        arguments = [self.used(each) if at in function.filled else each for at, each in enumerate(arguments)]
        try:
            return self.call_body(function, arguments)
        finally:
            self.stack.pop()
            self.outer, self.place_now, self.path = outer, place, path

    def called_again(self) -> None:
        """A function is inside itself. (What is dropped may have in it what is like it, as far as types say: each way
        through it becomes longer, and there are more of them.)"""
        self.world.called_again += 1
        if self.facts.nested > 1 and self.world.called_again > CALLED_AGAIN and len(self.steps) > LONG:
            self.facts.nested = 1
            raise TranslateAgain

    def is_known(self, pointer: Value) -> bool:
        """Whether it is known here what this thread has written where a pointer leads."""
        found = self.world.memory.at(pointer) if isinstance(pointer, int) and self.on_one_path else None
        if found is None:
            return False
        return all(isinstance(value, int) for cell, value in self.values.items() if cell[0] == found.name)

    def learn_type(self, function: Function, arguments: list[Value]) -> None:
        """Memory is asked for by its size; what is made there, the first functions that take it for a class tell."""
        known = [
            address
            for each in arguments
            for address in (
                each.origin.values if isinstance(each, Register) and isinstance(each.origin, Either) else [each]
            )
            if isinstance(address, int) and address >= OBJECTS
        ]
        for argument in known:
            found = self.world.memory.at(argument)
            if found is None or found.life != "heap":
                continue
            for part in self.world.metadata.classes(function.place):
                if argument + part.size <= found.address + found.size:
                    self.world.memory.call_by_type(found, argument - found.address, part)

    def dispatch(self, target: Value, arguments: list[Value], i: Instruction) -> Value | None:
        """A call of one of the functions that an address may be of, if it takes no more than is given."""
        known, unknown = self.world.points.addresses(target), self.world.points.bases(target)[1]
        module, functions = self.world.module, self.world.memory.function_at
        names = {address: functions[address] for address in known & set(functions)}
        for address, name in list(names.items()):
            routine = module.functions.get(module.aliases.get(name, name))
            if routine is not None and len(routine.parameters) > len(arguments):
                del names[address]
        if unknown and not names:
            raise self.unsupported("a call of a function that is not known here is")
        was, self.on_one_path = self.on_one_path, False
        end, slot = self.label(), None if i.type == VOID else self.slot(i.type, "", f"{self.path} {self.place_now}")
        returned: list[Value] = []
        try:
            for address, name in sorted(names.items()):
                following = self.label()
                self.branch(Unary("not", Binary("=", expression(target), IntLiteral(address))), following)
                try:
                    value = self.invoke(name, arguments, i)
                    if slot is not None and value is not None:
                        self.fill(slot, value)
                        returned.append(value)
                    self.branch(None, end)
                except Unreachable:
                    self.branch(None, "")
                self.emit(following)
            self.emit(xcfa.Assert(xcfa.BoolLiteral(False), self.position, "bad-call"))
            self.branch(None, "")
            self.emit(end)
        finally:
            self.on_one_path = was
        return None if slot is None else self.of_slot(slot, i.type, returned)

    # ---- memory that is asked for

    def new_by(self, asked: str, size: Value, zeroed: bool, base: str, aligned: int = 1) -> Value:
        """The same of memory that is freed as it was asked for."""
        self.asking = asked
        try:
            return self.new(size, zeroed, base, aligned)
        finally:
            self.asking = ""

    def new(self, size: Value, zeroed: bool, base: str, aligned: int = 1) -> Value:
        """Memory; `aligned`: what its address is a multiple of at least."""
        if not isinstance(size, int):
            return unknown_sizes.one_of(self, size, zeroed, base)
        self.shares_memory()
        if self.looping and not self.on_one_path:
            objects = [self.made(size, zeroed, base, aligned) for _ in range(POOL)]
            return self.or_again(objects[0], aligned, zeroed, lambda: self.from_pool(objects))
        found = self.made(size, zeroed, base, aligned)
        return self.or_again(found, aligned, zeroed, lambda: self.begun(found))

    def begun(self, found: Object) -> Value:
        """A new object is there from now on."""
        if not self.single_threaded and not self.facts.is_private(self.number, found, 0, found.size):
            self.facts.mortal.add(found.name)
            self.facts.whole.add(found.name)
            self.facts.use(self.who, found, 0, found.size)
            self.lifetime("alloc", found)
        elif not self.single_threaded and self.world.options.leaks and found.name not in self.facts.freed:
            self.world.alive.add(found.name)
            self.lifetime("alloc", found)
        return found.address

    def new_aligned(self, size: Value, alignment: Value, zeroed: bool, base: str) -> Value:
        """Memory for values of an alignment."""
        if isinstance(size, int) or not isinstance(alignment, int):
            return self.new(size, zeroed, base, alignment if isinstance(alignment, int) else 1)
        return unknown_sizes.of_elements(self, size, Multiple(alignment, 0), zeroed, base)

    def renew(self, old: Value, size: Value, alignment: Value, wanted: Value) -> Value:
        """Memory that grows or shrinks, as that of a vector does."""
        if not isinstance(size, int) or not isinstance(wanted, int):
            self.emit(xcfa.Cut(self.position, "memory whose size is not known here gets another size"))
            raise Unreachable
        new = self.new_aligned(wanted, alignment, False, RUST)
        self.copy_bytes(new, old, min(size, wanted))
        self.delete(old)
        return new

    def made(self, size: int, zeroed: bool, base: str, aligned: int) -> Object:
        alone, name = self.single_threaded, base if self.single_threaded else f"{self.name}.{base}"
        found = self.world.memory.allocate(name, max(size, 1), "heap", path=self.path, aligned=aligned)
        found.alone, found.position, found.at_first = alone, self.position, alone or zeroed
        if self.asking:
            self.facts.asked.setdefault(found.name, set()).add(self.asking)
        self.may_come_back(found, base)
        if base == RUST:
            found.layout = Array(found.size, Int(8))  # nothing says what is in it, or that it is there
        if zeroed:
            found.known = bytearray(b"\xff" * found.size)
        return found

    def from_pool(self, objects: list[Object]) -> Value:
        """One of several objects, by a counter of the thread."""
        counter, enough, place = self.fresh("allocated"), self.label(), self.fresh()
        for each in objects:
            self.facts.whole.add(each.name)
        self.branch(Binary("<", Name(counter), IntLiteral(POOL)), enough)
        self.emit(xcfa.Cut(self.position, TOO_MANY_OBJECTS))
        self.branch(None, "")
        self.emit(enough)
        # They may lie in any order: some were expected.
        self.assign(place, nth(Name(counter), [each.address for each in objects]))
        self.assign(counter, Binary("+", Name(counter), IntLiteral(1)))
        self.facts.mortal.update(each.name for each in objects)
        self.emit(xcfa.Lifetime("alloc", xcfa.Deref(Name(place), self.position), self.position))
        return Register(Name(place), Either([each.address for each in objects]))

    def delete(self, pointer: Value) -> None:
        if isinstance(pointer, int):
            self.delete_known(pointer)
            return
        who = self.who

        def ask() -> None:
            for target, _ in self.world.points.targets(pointer, 1)[0]:
                if target.life == "heap":
                    self.facts.mortal.add(target.name)
                    self.facts.whole.add(target.name)
                    self.facts.use(who, target, 0, target.size)

        ask()
        self.world.later.append(ask)
        with self.where_not_zero(expression(pointer)), self.unless_given_back(pointer):
            self.emit(xcfa.Lifetime("free", xcfa.Deref(expression(pointer), self.position), self.position))

    def must_be_of(self, pointer: Value, asked: str) -> None:
        """What is freed was asked for in the way that belongs to it."""
        if isinstance(pointer, int):
            found = self.world.memory.at(pointer)
            targets = [found] if found is not None and found.address == pointer else []
        else:
            targets = [found for found, _ in self.world.points.targets(pointer, 1)[0]]
        for other in targets:
            if asked not in self.facts.asked.get(other.name, (asked,)):
                self.check(Binary("/=", expression(pointer), IntLiteral(other.address)), "bad-free")

    def delete_known(self, pointer: int) -> None:
        if pointer == 0:
            return
        found = self.world.memory.at(pointer)
        if found is None or found.life != "heap" or found.address != pointer:
            self.fail("bad-free")
            return
        self.shares_memory()
        if self.single_threaded:
            started, users = len(self.world.bodies), self.facts.users(found, 0, found.size)
            if not found.dead and not any(self.facts.runs(user, started) for user, _ in users):
                found.dead, found.ended = True, self.position
                return
            self.end_single_threaded()
        if (
            self.on_one_path
            and found.name not in self.facts.mortal
            and self.facts.is_private(self.number, found, 0, found.size)
            and self.facts.is_only(self.number, found)
            and not found.dead
            and not self.is_gone(found)
            and not self.world.options.reuse
            and not (self.world.options.leaks and found.alone and self.number)
        ):
            self.facts.use(self.who, found, 0, found.size)
            self.facts.freed.add(found.name)
            self.lose(found)
            return
        with self.unless_given_back(pointer):
            self.end(found)

    # ---- bytes

    def pieces(self, to: Value, source: Value | None, count: int) -> list[tuple[int, int]]:
        """The numbers that bytes are of: as they are accessed elsewhere, else of words."""

        def known(pointer: Value | None, at: int) -> int | None:
            target = self.world.memory.at(pointer) if isinstance(pointer, int) else None
            if target is None or not isinstance(pointer, int):
                return None
            place = pointer - target.address + at
            widths = self.facts.widths.get(target.name, ())
            return min((width for start, width in widths if start == place), default=None)

        found, at = [], 0
        while at < count:
            width = known(to, at) or known(source, at) or 8
            while width > count - at or any(isinstance(p, int) and (p + at) % width for p in (to, source)):
                width //= 2
            found.append((at, width))
            at += width
        return found

    def copy_bytes(self, to: Value, source: Value, count: Value) -> None:
        if not isinstance(count, int):
            unknown_sizes.copy(self, to, source, count)
            return
        if self.single_threaded and isinstance(to, int) and isinstance(source, int) and count:
            for pointer, write in ((source, False), (to, True)):
                self.note_access(pointer, count, write)
            one, other = self.world.memory.at(to), self.world.memory.at(source)
            if self.single_threaded and one and other and not one.dead and not other.dead:
                a, b = to - one.address, source - other.address
                if a + count > one.size or b + count > other.size:
                    self.fail("out-of-bounds")
                one.data[a : a + count] = other.data[b : b + count]
                one.known[a : a + count] = other.known[b : b + count]
                moved = {place - b + a for place in other.real if b <= place < b + count}
                one.real = one.real - set(range(a, a + count)) | moved
                return
        parts = self.pieces(to, source, count)
        values = [self.load_uninitialised(self.moved(source, at), width, copied=True) for at, width in parts]
        for (at, width), value in zip(parts, values, strict=True):
            self.store(self.moved(to, at), value, width)
        if any(width < 8 for _, width in parts):
            self.carry(to, source, count)

    def carry(self, to: Value, source: Value, count: int) -> None:
        """Bytes that are copied one by one may be those of addresses; of the last one perhaps not from its start."""
        for at in (*range(0, count - 7, 8), *([count - 8] if count % 8 else ())):
            cells = self.cells_at(self.moved(source, at), 8, quiet=True)
            there = self.cells_at(self.moved(to, at), 8, quiet=True)
            self.note_escape(Register(Name(""), FromCells(cells)), there)

    def set_bytes(self, to: Value, byte: Value, count: Value) -> None:
        if not isinstance(byte, int | Uninitialised):
            raise self.unsupported("setting bytes to what is not known here is")
        if not isinstance(count, int):
            unknown_sizes.set_bytes(self, to, byte, count)
            return
        parts = [(at, 1) for at in range(count)] if self.single_threaded else self.pieces(to, None, count)
        for at, width in parts:
            value = unset(Int(8 * width))  # where the byte has none, as Rust sets memory that may have none
            if isinstance(byte, int):
                value = signed(int.from_bytes(bytes([byte & 255]) * width, "little"), 8 * width)
            self.store(self.moved(to, at), value, width)

    def compare_bytes(self, one: Value, other: Value, count: int) -> Value:
        """0, or the sign of the difference of the first bytes that differ."""
        if count > COMPARED:
            raise self.unsupported(f"which of more than {COMPARED} bytes are the larger ones is")
        found: Value = 0
        for at, width in reversed(self.pieces(one, other, count)):
            pair = [self.load(self.moved(each, at), width) for each in (one, other)]
            for byte in reversed(range(width)):
                a, b = (self._byte(value, byte, width) for value in pair)
                differs = self.select(self.compare("ult", a, b), -1, 1)
                found = self.select(self.compare("eq", a, b), found, differs)
        return found

    def _byte(self, value: Value, number: int, width: int) -> Value:
        """A byte of a number, without a sign."""
        if isinstance(value, int):
            return unsigned(value, 8 * width) >> 8 * number & 255
        shifted = Binary("shr", expression(value), IntLiteral(8 * number)) if number else expression(value)
        return self.keep(Register(xcfa.Wrap(shifted, 8, False), Either(), 32))

    def does_nothing(self, name: str, depth: int = 0) -> bool:
        """Whether a function, of destructors of most objects without parts, only uses local variables."""
        function = self.world.module.functions.get(self.world.module.aliases.get(name, name))
        if function is None or depth > FRAMES:
            return False
        code = [i for block in function.lines for i in self.world.module.block(function, block)]
        return all(
            i.op in ("ret", "br", "getelementptr")
            or is_marker(i)
            or (i.op == "call" and isinstance(i.about, Global) and self.does_nothing(i.about.name, depth + 1))
            for i in code
        )

    def only_compared_with_zero(self, i: Instruction) -> bool:
        """Whether it does not matter what a result is, but whether it is 0."""
        lines = [line for lines in self.stack[-1].lines.values() for line in lines if not line.startswith("#dbg")]
        value = rf"%{re.escape(i.name or '')}(?![\w.])"
        uses = [line for line in lines if re.search(value, line.partition(" = ")[2] or line)]
        return all(re.search(rf"icmp (eq|ne) i32 {value}, 0", line) for line in uses)


# ---- functions by their names


def _nothing(_calls: Calls, _name: str, _arguments: list[Value], _i: Instruction) -> Value:
    return 0


def _itself(_calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> Value:
    return arguments[0]


def _masked(calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> Value:
    """llvm.ptrmask, as `__builtin_align_down` becomes it"""
    pointer, mask = arguments
    return calls.compute("and", pointer, mask, 64)


def _list_of_arguments(calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> None:
    """llvm.va_start, for x86-64: all that are listed are in memory, 8 bytes each, and none in a register."""
    here, further = arguments[0], calls.further[-1] if calls.further else []
    if any(
        not (type_ == POINTER or isinstance(type_, Int | Float)) or size_of(type_) not in (4, 8) for type_, _ in further
    ):
        raise calls.unsupported("a list of arguments with one that is neither a number nor a pointer is")
    found = calls.world.memory.allocate(f"{calls.name}.arguments", 8 * len(further) + 8, "stack", path=calls.path)
    found.at_first, found.position = calls.single_threaded, calls.position
    for number, (type_, value) in enumerate(further):
        calls.store(found.address + 8 * number, value, size_of(type_))
    for at, said, width in ((0, _NO_REGISTER[0], 4), (4, _NO_REGISTER[1], 4), (8, found.address, 8), (16, 0, 8)):
        calls.store(calls.moved(here, at), said, width)


def _copied_list(calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> None:
    """llvm.va_copy"""
    to, source = arguments
    calls.copy_bytes(to, source, 24)


def _size_of_object(_calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> Value:
    """llvm.objectsize, as compilers have it that do not know: the least there is, or the most."""
    return 0 if arguments[1] else -1


def _throw(calls: Calls, name: str, _arguments: list[Value], _i: Instruction) -> None:
    calls.throw_unknown(name)


def _end(calls: Calls, _name: str, _arguments: list[Value], _i: Instruction) -> None:
    calls.end_program(1)
    raise Unreachable


def _of_exceptions(calls: Calls, name: str, arguments: list[Value], i: Instruction) -> Value | None:
    return OF_EXCEPTIONS[name](calls, arguments, i)


def _new(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    aligned = alignment_of(calls, arguments[1]) if _ALIGNED in name else 1

    def given() -> Value:
        return calls.new_by(name[:4], arguments[0], False, "new", aligned)

    return unknown_sizes.or_else(calls, given, 0) if _NULL in name else given()


def alignment_of(calls: Calls, value: Value) -> int:
    """The alignment that is asked for, which has to be known."""
    if not isinstance(value, int):
        raise calls.unsupported("an alignment that is not known here is")
    return value


def _new_aligned(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    return calls.new_aligned(arguments[0], arguments[1], name.endswith("_zeroed"), RUST)


def _renew(calls: Calls, _name: str, arguments: list[Value], _i: Instruction) -> Value:
    return calls.renew(*arguments)


def _delete(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    calls.must_be_of(arguments[0], {"_Zdl": "_Znw", "_Zda": "_Zna"}.get(name[:4], "malloc"))
    calls.delete(arguments[0])
    return 0


def _copy(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    is_volatile = name.startswith("llvm.") and arguments[3] != 0
    if is_volatile and calls.world.options.volatile is not None and not calls.single_threaded:
        hint = "its members may be copied one by one"
        raise calls.unsupported("copying a whole object that is volatile, as relaxed accesses (`volatile`), is", hint)
    calls.copy_bytes(*arguments[:3])
    return arguments[0]


def _set(calls: Calls, _name: str, arguments: list[Value], i: Instruction) -> Value:
    byte = i.operands[1][1]
    if isinstance(byte, Local) and byte.name.startswith(MARK):
        return arguments[0]  # there is nothing at first anyway
    arguments[0], arguments[2] = calls.used(arguments[0]), calls.used(arguments[2])
    calls.set_bytes(*arguments[:3])
    return arguments[0]


def _length(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    return len(unknown_sizes.known_text(calls, name, arguments[0]))


def _number(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """atoi, atol, atoll."""
    found = re.match(rb"[ \t-\r]*([+-]?[0-9]+)", unknown_sizes.known_text(calls, name, arguments[0]))
    return signed(0 if found is None else int(found[1]), 32 if name == "atoi" else 64)


def _compare(calls: Calls, name: str, arguments: list[Value], i: Instruction) -> Value:
    """memcmp; bcmp, which only says whether bytes are the same."""
    one, other, count = arguments
    if not isinstance(count, int):
        return unknown_sizes.compare_bytes(calls, one, other, count)
    if name != "bcmp" and not calls.only_compared_with_zero(i):
        return calls.compare_bytes(one, other, count)
    same: Value = 1
    for at, width in calls.pieces(one, other, count):
        a, b = (calls.load(calls.moved(pointer, at), width) for pointer in (one, other))
        same = calls.compute("and", same, calls.compare("eq", a, b), 1)
    return calls.compute("xor", same, 1, 1)


def _overflow(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    match = re.match(r"llvm\.([us])(add|sub|mul)\.with\.overflow\.i(\d+)", name)
    assert match
    return calls.overflowing(match[1], match[2], int(match[3]), *arguments)


def _extreme(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    a, b = arguments
    op = {"umin": "ult", "umax": "ugt", "smin": "slt", "smax": "sgt"}[name.split(".")[1]]
    return calls.select(calls.compare(op, a, b), a, b)


def _sign(calls: Calls, name: str, arguments: list[Value], _i: Instruction) -> Value:
    """The sign of a difference."""
    a, b = arguments
    less = calls.compare("slt" if name.startswith("llvm.scmp") else "ult", a, b)
    return calls.select(calls.compare("eq", a, b), 0, calls.select(less, -1, 1))


def _fence(calls: Calls, _name: str, _arguments: list[Value], _i: Instruction) -> Value:
    if not calls.single_threaded:
        calls.emit(xcfa.Fence("seq_cst", calls.position))
    return 0


_EXACT: dict[str, Handler] = {
    **dict.fromkeys(("memcpy", "memmove", "__memcpy_chk"), _copy),
    **dict.fromkeys(output.NAMES, output.printed),
    **dict.fromkeys(SPACES, output.made),
    **dict.fromkeys(("__rust_alloc", "__rust_alloc_zeroed"), _new_aligned),
    "__rust_realloc": _renew,
    "free": _delete,
    "memset": _set,
    "strlen": _length,
    **dict.fromkeys(("atoi", "atol", "atoll"), _number),
    **dict.fromkeys(("memcmp", "bcmp"), _compare),
    **dict.fromkeys(OF_EXCEPTIONS, _of_exceptions),
    **numbers.OF_REALS,
}
_PREFIXES: tuple[tuple[tuple[str, ...], Handler], ...] = (
    ((inputs.ANY,), inputs.any_of_type),
    (("_Znwm", "_Znam"), _new),
    (("_ZdlPv", "_ZdaPv"), _delete),
    (_PASSED, _nothing),
    (_ITSELF, _itself),
    (("llvm.ptrmask",), _masked),
    (("llvm.memcpy", "llvm.memmove"), _copy),
    (("llvm.memset",), _set),
    (("llvm.va_start",), _list_of_arguments),
    (("llvm.va_copy",), _copied_list),
    (("llvm.is.constant",), _nothing),
    (("llvm.objectsize",), _size_of_object),
    (("llvm.smax", "llvm.smin", "llvm.umax", "llvm.umin"), _extreme),
    (("llvm.scmp.", "llvm.ucmp."), _sign),
    (numbers.NAMES, numbers.of_bits),
    (numbers.OF_TWO, numbers.of_two),
    (("llvm.x86.sse2.mfence",), _fence),
    (("llvm.trap", "llvm.debugtrap"), _end),
    (tuple(f"llvm.{s}{op}.with.overflow" for s in "us" for op in ("add", "sub", "mul")), _overflow),
)


_EXCEPTIONS = re.compile(
    r"_ZNSt\d+(logic|runtime|length|system|range|overflow|underflow)_error[CD][0-2]|"
    r"_ZNSt\d+(bad_\w+|out_of_range|"
    r"invalid_argument|exception)[CD][0-2]"
)
"""What makes exceptions and destroys them."""


def found(name: str) -> Handler | None:
    """What does what a function does that is no matter of threads."""
    if name in _EXACT:
        return _EXACT[name]
    if _THROWS.match(name):
        return _throw
    if _ENDS.match(name):
        return _end
    if _EXCEPTIONS.match(name):
        return _nothing
    return next((handler for starts, handler in _PREFIXES if name.startswith(starts)), None)
