"""Expressions of C tests: their values, whose reads are done one by one, and the places that they speak of.

What decides which way a thread goes is kept track of here as well: see `Expressions.write`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NoReturn, Protocol, TypeAlias

from xgen.errors import Position, ProgramError, Source, UnsupportedError, nearest
from xgen.frontends.c_values import boolean, integer, negation, operation
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Words
from xgen.frontends.litmus.values import NUMBER, number
from xgen.program import automaton as xcfa
from xgen.records import dataclass

_NUMBER = re.compile(rf"({NUMBER.removeprefix('-?')})[uUlL]*\Z")
NAME = re.compile(r"[A-Za-z_]\w*\Z")

TYPES = {
    *("void", "int", "long", "short", "char", "bool", "_Bool", "unsigned", "signed", "volatile", "const", "struct"),
    *("size_t", "intptr_t", "uintptr_t", "atomic_int", "atomic_bool", "atomic_long", "atomic_t", "atomic64_t"),
    *("spinlock_t", "_Atomic", "register", "static", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}

# xcfa.Binary operators by precedence, loosest first. `&&` and `||` are apart: their right sides may not be evaluated.
_LEVELS: tuple[dict[str, xcfa.BinaryOp], ...] = (
    {"|": "bitor"},
    {"^": "bitxor"},
    {"&": "bitand"},
    {"==": "=", "!=": "/="},
    {"<": "<", "<=": "<=", ">": ">", ">=": ">="},
    {"<<": "shl", ">>": "shr"},
    {"+": "+", "-": "-"},
    {"*": "*", "/": "/", "%": "rem"},
)
_RESERVED = {"if", "else", "while", "do", "for", "return", "break", "continue", *TYPES}


@dataclass(frozen=True, slots=True)
class Word:
    """An argument that is no value: a memory order, or (`local`) a local variable whose address is taken."""

    text: str
    position: Position
    local: bool = False


Argument: TypeAlias = "xcfa.Expression | Word"
Origin: TypeAlias = "frozenset[str] | None"
"""The locations that a value was read from; None: that is not known."""


class Dialect(Protocol):
    """The functions that a test may call: a module."""

    LANGUAGE: str
    ARCH: str
    ORDERS: Mapping[str, str]
    """Names of memory orders, and the tags that they are."""
    CONTROL_ENDS: bool
    """Whether a control dependency ends where the `if` or the loop ends, and an address decides nothing that follows:
    see `Expressions.write`."""
    TAKES_PLACE: Collection[str]
    """Functions whose first argument is a place (`*x`) that is not read."""

    def call(
        self, body: Expressions, name: str, arguments: list[Argument], position: Position
    ) -> xcfa.Expression | None:
        """The effects of a call; its value, None where it has none. Raises UnsupportedError, ProgramError."""


class Expressions:
    """Translates the expressions of a function's body.

    `scoped`: what decides which way the thread goes ends to do so where the `if` or the loop ends. To let the thread go
    on before that is known, it is predicted; and so are addresses. This is done only where it may matter (see `write`).
    """

    def __init__(self, words: Words, thread: Thread, dialect: Dialect, shared: set[str], scoped: bool = False) -> None:
        self.words = words
        self.thread = thread
        self.dialect = dialect
        self.shared = shared
        self.source: Source = thread.source
        self.scoped = scoped
        self.reaches_too_far = False  # `write` has found out
        # What has decided with no fence since, at `if`s and loops that have ended, or has been an address: where it was
        # read from, and the line of a loop that does more than wait
        self.decided: list[tuple[Origin, int | None]] = []
        self.origins: dict[str, Origin] = {}  # of local variables
        self.unknown: set[str] = set()  # those that are read before anything else says that they are there
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    # ---- places

    def address(self) -> xcfa.Expression:
        """The address of the place that the next words are: `*x`, `(*x)`, `x[1]`, or the name of a shared location."""
        words, position = self.words, self.words.position
        if words.accept("*"):
            return integer(self.unary())
        if words.accept("("):
            result = self.address()
            words.expect(")")
            return result
        if not NAME.match(words.word):
            words.wrong("expected a place such as `*x`")
        base = self.name(Operand(words.take(), position))
        if words.accept("["):
            return self.indexed(base, position)
        if isinstance(base, xcfa.AddressOf):
            return base
        raise ProgramError("this is a local variable, not a place", self.source, position, "expected, say, `*x`")

    def indexed(self, base: xcfa.Expression, position: Position) -> xcfa.Expression:
        index = integer(self.expression())
        self.words.expect("]")
        return operation("+", base, index, position)

    def place(self, address: xcfa.Expression, position: Position) -> xcfa.AnyPlace:
        """The place with an address."""
        if isinstance(address, xcfa.IntLiteral):
            raise ProgramError("this is a number, not an address", self.source, position)
        if isinstance(address, xcfa.Name) and not self.loops and address.name in self.unknown - self.origins.keys():
            message = f"`{address.name}` is no parameter, and has no value here"
            raise ProgramError(message, self.source, position, nearest(address.name, self.shared))
        origin = self.origin(address)
        if isinstance(address, xcfa.AddressOf) or origin == frozenset() or not self.dialect.CONTROL_ENDS:
            return self.thread.place(address, position)
        if self.scoped:
            address = self.aimed(address, position)
        self.decided.append((origin, None))
        return self.thread.place(address, position)

    def aimed(self, address: xcfa.Expression, position: Position) -> xcfa.Expression:
        """An address that is predicted: that of one of the cells, or of none."""
        thread, size = self.thread, xcfa.CELL_SIZE
        cells = sum(location.size or 1 for location in thread.initial.locations.values())

        def number(value: int) -> xcfa.IntLiteral:
            return xcfa.IntLiteral(value, position)

        def both(op: xcfa.BinaryOp, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Binary:
            return xcfa.Binary(op, left, right, position)

        inside = both("and", both(">=", address, number(size)), both("<", address, number(size * (cells + 1))))
        aligned = both("=", both("bitand", address, number(size - 1)), number(0))
        cell = xcfa.Wrap(both("-", both("shr", address, number(size.bit_length() - 1)), number(1)), 64, True, position)
        target = thread.fresh()
        value = xcfa.Conditional(both("and", inside, aligned), cell, number(cells), position)
        thread.do(xcfa.Predict(target, value, False, cells + 1, position))
        return both("*", both("+", target, number(1)), number(size))

    def load(self, address: xcfa.Expression, position: Position) -> xcfa.Expression:
        """Reads a place, with an event of its own."""
        return self.read(self.place(address, position), None, position)

    # ---- expressions

    def expression(self) -> xcfa.Expression:
        """An expression's value; its reads are done."""
        result = self.lazy("||")
        if self.words.word == "?":
            self.words.text.unsupported("`?` is not supported", *self.words.place)
        return result

    def lazy(self, operator: str) -> xcfa.Expression:
        """`a || b` and `a && b`: what has events on the right is evaluated only if the left does not decide."""
        words, thread = self.words, self.thread
        result = self.lazy("&&") if operator == "||" else self.binary(0)
        while words.word == operator:
            position = words.position
            words.take()
            left, mark = boolean(result), thread.mark()
            right = boolean(self.lazy("&&") if operator == "||" else self.binary(0))
            events = thread.cut(mark)
            if not events:
                result = xcfa.Binary("or" if operator == "||" else "and", left, right, position)
                continue
            decided, skip, scope = thread.fresh(), thread.new_label(), self.keep(position)
            thread.assign(decided, integer(left), position)
            test = self.predicted(boolean(decided), position)
            thread.branch(test if operator == "||" else negation(test), skip, position)
            thread.paste(events)
            thread.assign(decided, integer(right), position)
            thread.label(skip)
            self.leave(scope, self.origin(left), position)
            result = decided
        return result

    def binary(self, level: int) -> xcfa.Expression:
        """A chain of the operators of a level and tighter ones."""
        if level == len(_LEVELS):
            return self.unary()
        words = self.words
        result = self.binary(level + 1)
        while words.word in _LEVELS[level]:
            position, operator = words.position, _LEVELS[level][words.take()]
            result = operation(operator, integer(result), integer(self.binary(level + 1)), position)
        return result

    def unary(self) -> xcfa.Expression:
        words, position = self.words, self.words.position
        if words.accept("!"):
            return negation(boolean(self.unary()))
        if words.accept("-"):
            operand = integer(self.unary())
            if isinstance(operand, xcfa.IntLiteral):
                return xcfa.IntLiteral(-operand.value, position)
            return xcfa.Unary("-", operand, position)
        if words.accept("~"):
            return xcfa.Unary("bitnot", integer(self.unary()), position)
        if words.accept("*"):
            return self.load(integer(self.unary()), position)
        if words.accept("&"):
            return self.address()
        if words.word == "(":
            return self.parenthesis()
        return self.primary()

    def parenthesis(self) -> xcfa.Expression:
        words = self.words
        words.take()
        if words.word in TYPES or (NAME.match(words.word) and words.ahead() == "*" and words.ahead(2) == ")"):
            while words.word and not words.accept(")"):  # a cast: the value stays as it is
                words.take()
            return self.unary()
        result = self.expression()
        words.expect(")", "expected an operator or `)`")
        return result

    def primary(self) -> xcfa.Expression:
        words, position = self.words, self.words.position
        word = words.word
        if found := _NUMBER.match(word):
            words.take()
            return xcfa.IntLiteral(number(found[1]), position)
        if not NAME.match(word) or word in _RESERVED:
            words.wrong("expected an expression")
        words.take()
        if words.accept("("):
            result = self.call(word, position)
            if result is None:
                raise ProgramError(f"`{word}` has no value", self.source, position)
            return result
        if words.word == "{":
            words.text.unsupported("functions of herd's own (`f{...}(...)`) are not supported", *words.place)
        base = self.name(Operand(word, position))
        if words.accept("["):
            return self.load(self.indexed(base, position), position)
        if words.word in ("->", "."):
            words.text.unsupported("members of structures are not supported", *words.place)
        return base

    def name(self, operand: Operand) -> xcfa.Expression:
        if operand.text in self.shared or (
            operand.text in self.thread.initial.locations and operand.text not in self.thread.locals
        ):
            return self.thread.symbol(operand)
        if operand.text in ("NULL", "false", "true"):
            return xcfa.IntLiteral(int(operand.text == "true"), operand.position)
        initial, number_ = self.thread.initial, self.thread.number
        if operand.text not in self.thread.locals and (number_, operand.text) not in initial.registers:
            self.unknown.add(operand.text)
        return self.thread.register(operand)

    def call(self, name: str, position: Position) -> xcfa.Expression | None:
        """A call, after its `(`."""
        words = self.words
        arguments: list[Argument] = []
        while not words.accept(")"):
            arguments.append(self.argument(name, not arguments))
            if words.word != ")":
                words.expect(",", "expected `,` or `)`")
        return self.dialect.call(self, name, arguments, position)

    def argument(self, function: str, first: bool) -> Argument:
        words = self.words
        if words.word in self.dialect.ORDERS:
            return Word(self.dialect.ORDERS[words.take()], words.position)
        if words.word == "&" and words.ahead() in self.thread.locals:
            words.take()
            return Word(words.take(), words.position, True)
        if first and function in self.dialect.TAKES_PLACE:
            return self.address()
        return integer(self.expression())

    # ---- for dialects

    def read(self, place: xcfa.AnyPlace, order: str | None, position: Position) -> xcfa.Name:
        """Appends a read, which is atomic if it has an order; its value."""
        target = self.thread.fresh()
        self.thread.do(xcfa.Load(target, place, order is not None, order, position))
        self.origins[target.name] = frozenset({place.name.name}) if isinstance(place, xcfa.Place) else None
        return target

    def origin(self, value: xcfa.Expression) -> Origin:
        """The locations that a value was read from."""
        found = [self.origins.get(part.name) for part in xcfa.postorder(value) if isinstance(part, xcfa.Name)]
        known = [names for names in found if names is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def write(self, place: xcfa.AnyPlace, position: Position) -> None:
        """Called before a write that is not ordered after all earlier reads.

        In the engine a branch decides all that comes after it, and what comes after an access waits for its address;
        where the model does not see it so, such a write could be forbidden wrongly. (Not if what decides was read from
        the location that is written: these are ordered in any case.) What is predicted does not do so; but of a loop,
        only the last round is, so that it must not matter how many there are.
        """
        if not self.dialect.CONTROL_ENDS:
            return
        same = frozenset({place.name.name}) if isinstance(place, xcfa.Place) else frozenset()
        deciding = [loop for locations, loop in self.decided if locations is None or not locations <= same]
        self.reaches_too_far |= bool(deciding)
        for loop in deciding if self.scoped else ():
            if loop is not None:
                message = f"a write after the loop of line {loop}, without a fence between, is not supported"
                self.unsupported(message, position, "the loop does more than wait")

    def keep(self, position: Position) -> xcfa.Name | None:
        """Called before what decides which way a thread goes; the local that keeps what has decided so far."""
        if not self.scoped:
            return None
        scope = self.thread.fresh()
        self.thread.do(xcfa.Scope("keep", scope, position))
        return scope

    def predicted(self, condition: xcfa.Expression, position: Position) -> xcfa.Expression:
        """What decides which way the thread goes, so that the thread can go on before that is known."""
        if not self.scoped:
            return condition
        flag = self.thread.flag()
        self.thread.do(xcfa.Predict(flag, condition, position=position))
        return flag

    def leave(self, scope: xcfa.Name | None, locations: Origin, position: Position) -> None:
        """Called behind what decides which way a thread goes, by values that were read from these locations."""
        if scope is not None:
            self.thread.do(xcfa.Scope("leave", scope, position))
        self.decided.append((locations, None))

    def fence(self) -> None:
        """Called at a fence that orders earlier reads before later writes."""
        self.decided.clear()

    def wrong(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        """Raises the error that something makes no sense."""
        raise ProgramError(message, self.source, position, hint)

    def unsupported(self, message: str, position: Position, hint: str | None = None) -> NoReturn:
        """Raises the error that something is not supported."""
        raise UnsupportedError(message, self.source, position, hint)

    def takes(self, name: str, arguments: list[Argument], counts: tuple[int, ...], position: Position) -> None:
        """Checks the number of arguments."""
        if len(arguments) not in counts:
            takes = " or ".join(map(str, counts))
            plural = "" if takes == "1" else "s"
            self.wrong(f"`{name}` takes {takes} argument{plural}, not {len(arguments)}", position)

    def value(self, argument: Argument) -> xcfa.Expression:
        """An argument that has to be a value."""
        if isinstance(argument, Word):
            self.wrong("expected a value here", argument.position)
        return argument

    def target(self, argument: Argument, position: Position) -> xcfa.AnyPlace:
        """An argument that has to be an address: the place."""
        return self.place(self.value(argument), position)
