"""C: functions P0, P1, ... whose parameters point to the shared locations.

Two dialects, by the functions that a test calls: C11's atomics (c11) and the Linux kernel's (linux). What is common is
here: declarations, expressions, `if`, `while`, `do`, `for`. Statements are translated as they are read.

    function  = ["void"] "P" NUMBER "(" [parameter {"," parameter}] ")" "{" { statement } "}"
    statement = [type] name ["=" expression] ";" | place "=" expression ";" | expression ";" | "{" { statement } "}"
              | "if" "(" expression ")" statement ["else" statement] | "while" "(" expression ")" statement
              | "do" statement "while" "(" expression ")" ";" | "for" "(" ... ")" statement
              | "break" ";" | "continue" ";" | "return" ";" | ";"

As in herd, an access without an order (`*x`) is not atomic, whatever the location's type, and a local variable need not
be declared. `int` has 64 bits.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeAlias

from xgen.errors import Position, ProgramError, Source, UnsupportedError
from xgen.frontends.c.values import boolean, integer, negation, operation
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Text, Words
from xgen.frontends.litmus.values import NUMBER, number
from xgen.program import automaton as xcfa

_WORD = re.compile(rf"{NUMBER.removeprefix('-?')}[uUlL]*|[A-Za-z_]\w*|&&|\|\||[=!<>]=|<<|>>|\+\+|--|->|[+\-*/%&|^]=|\S")
_NUMBER = re.compile(rf"({NUMBER.removeprefix('-?')})[uUlL]*\Z")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_PROCESS = re.compile(r"P(\d+)\Z")
_KERNEL = re.compile(
    r"\b(?:READ_ONCE|WRITE_ONCE|smp_\w+|s?rcu_\w+|synchronize_s?rcu\w*|spin_\w+|barrier|cmpxchg\w*|xchg\w*|spinlock_t"
    r"|atomic_(?:read|set|add|sub|inc|dec|and|or|xor|andnot)\w*|atomic_fetch_(?:inc|dec)\w*|atomic_(?:cmp)?xchg\w*)\b"
)

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
_ASSIGNMENTS: dict[str, xcfa.BinaryOp] = {
    **{"=": "+", "++": "+", "--": "-", "+=": "+", "-=": "-"},  # `=` itself has no operation
    **{"&=": "bitand", "|=": "bitor", "^=": "bitxor"},
}
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

    MODEL: str
    ARCH: str
    ORDERS: Mapping[str, str]
    """Names of memory orders, and the tags that they are."""
    CONTROL_ENDS: bool
    """Whether a control dependency ends where the `if` or the loop ends, and an address decides nothing that follows:
    see `Body.write`."""
    TAKES_PLACE: Collection[str]
    """Functions whose first argument is a place (`*x`) that is not read."""

    def call(self, body: Body, name: str, arguments: list[Argument], position: Position) -> xcfa.Expression | None:
        """The effects of a call; its value, None where it has none. Raises UnsupportedError, ProgramError."""


class C:
    """Programs in a dialect of C."""

    fixed_registers = False

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.model = dialect.MODEL
        self.name = dialect.ARCH

    def register(self, name: str) -> str | None:
        """Local variables are named as they are."""
        return name if _NAME.match(name) else None

    def sort_key(self, register: str) -> tuple[int | str, ...]:
        """As herd lists them: by their letters."""
        return (register,)

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        words = Words(text, _WORD, start, end)
        threads: list[Thread] = []
        while words.accept(";"):
            pass
        while words.word:
            threads.append(self.function(words, len(threads), initial))
        if not threads:
            words.wrong("expected a function such as `P0(int *x) { ... }`")
        return threads

    def function(self, words: Words, number_: int, initial: Initial) -> Thread:
        words.accept("void", "static")
        match = _PROCESS.match(words.word)
        if match is None:
            words.wrong("expected a function such as `P0(int *x) { ... }`")
        if int(match[1]) != number_:
            words.text.wrong(f"thread {number_} comes next, not thread {match[1]}", *words.place)
        words.take()
        shared = parameters(words, initial)
        start = words.number
        thread = Thread(words.text.source, number_, initial, self.register)
        body = Body(words, thread, self.dialect, shared)
        body.block()
        if body.reaches_too_far:
            words.number = start
            thread = Thread(words.text.source, number_, initial, self.register)
            Body(words, thread, self.dialect, shared, scoped=True).block()
        return thread


def architecture(text: str) -> C:
    """C in the dialect that a program's text is written in."""
    name = "linux" if _KERNEL.search(text) else "c11"
    dialect: Dialect = importlib.import_module(f"xgen.frontends.litmus.c.{name}")
    return C(dialect)


def parameters(words: Words, initial: Initial) -> set[str]:
    """Reads a function's parameters: the names of shared locations."""
    words.expect("(")
    names: set[str] = set()
    while not words.accept(")"):
        name = ""
        while words.word not in (",", ")", ""):
            if _NAME.match(words.word):
                name = words.word
            elif words.word not in "*<>[]" and not words.word.isdigit():
                words.wrong("expected parameters such as `int *x`")
            words.take()
        if name and name != "void":
            initial.location(name)
            names.add(name)
        if words.word != ")":
            words.expect(",", "expected `,` or `)`")
    return names


class Body:
    """Translates the body of a function.

    `scoped`: what decides which way the thread goes ends to do so where the `if` or the loop ends. To let the thread go
    on before that is known, it is predicted; and so are addresses. This is done only where it may matter (see `write`).
    """

    def __init__(self, words: Words, thread: Thread, dialect: Dialect, shared: set[str], scoped: bool = False) -> None:
        self.words = words
        self.thread = thread
        self.dialect = dialect
        self.shared = shared
        self.source: Source = thread.source
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self.scoped = scoped
        self.reaches_too_far = False  # `write` has found out
        self.jumps = 0  # so many times has a `break`, a `continue` or a `return` been read
        self.returns = 0  # and so many of these were a `return`
        self.carried = 0  # so many locals have got a value that is computed from locals
        # What has decided with no fence since, at `if`s and loops that have ended, or has been an address: where it was
        # read from, and the line of a loop that does more than wait
        self.decided: list[tuple[Origin, int | None]] = []
        self.origins: dict[str, Origin] = {}  # of local variables

    # ---- statements

    def block(self) -> None:
        words = self.words
        words.expect("{")
        while not words.accept("}"):
            if not words.word:
                words.wrong("expected `}`")
            self.statement()

    def statement(self) -> None:
        words = self.words
        word, position = words.word, words.position
        if word == "{":
            self.block()
        elif word == ";":
            words.take()
        elif word == "if":
            self.if_(position)
        elif word == "while":
            self.while_(position)
        elif word == "do":
            self.do(position)
        elif word == "for":
            self.for_(position)
        elif word in ("break", "continue"):
            words.take()
            self.jumps += 1
            if not self.loops:
                raise ProgramError(f"`{word}` is not in a loop", self.source, position)
            self.thread.jump(self.loops[-1][word == "break"], position)
            words.expect(";")
        elif word == "return":
            words.take()
            self.jumps += 1
            self.returns += 1
            if words.word != ";":
                self.expression()
            self.thread.end(position)
            words.expect(";")
        elif word in ("goto", "switch", "case", "typedef", "asm", "__asm__"):
            words.text.unsupported(f"`{word}` is not supported", *words.place)
        else:
            self.simple()
            words.expect(";", "expected `;`")

    def condition(self) -> xcfa.Expression:
        self.words.expect("(")
        result = boolean(self.expression())
        self.words.expect(")", "expected an operator or `)`")
        return result

    def if_(self, position: Position) -> None:
        words, thread = self.words, self.thread
        words.take()
        otherwise, end = thread.new_label(), thread.new_label()
        condition = self.condition()
        scope, jumps = self.keep(position), self.jumps
        thread.branch(negation(self.predicted(condition, position)), otherwise, position)
        self.statement()
        if words.accept("else"):
            thread.jump(end, position)
            thread.label(otherwise)
            self.statement()
            thread.label(end)
        else:
            thread.label(otherwise)
        if self.jumps == jumps:
            self.leave(scope, self.origin(condition), position)

    def while_(self, position: Position) -> None:
        thread = self.thread
        self.words.take()
        again, end = thread.new_label(), thread.new_label()
        scope, before = self.keep(position), (self.returns, self.carried, thread.mark())
        thread.label(again)
        self.loop_condition(self.condition(), end, position)
        self.loop_body(again, end)
        thread.jump(again, position)
        thread.label(end)
        self.leave_loop(scope, before, position)

    def do(self, position: Position) -> None:
        thread, words = self.thread, self.words
        words.take()
        again, test, end = thread.new_label(), thread.new_label(), thread.new_label()
        scope, before = self.keep(position), (self.returns, self.carried, thread.mark())
        thread.label(again)
        self.loop_body(test, end)
        words.expect("while")
        thread.label(test)
        self.loop_condition(self.condition(), end, position)
        thread.jump(again, position)
        thread.label(end)
        words.expect(";")
        self.leave_loop(scope, before, position)

    def for_(self, position: Position) -> None:
        thread, words = self.thread, self.words
        again, step, end = thread.new_label(), thread.new_label(), thread.new_label()
        words.take()
        words.expect("(")
        if words.word != ";":
            self.simple()
        words.expect(";")
        scope, before = self.keep(position), (self.returns, self.carried, thread.mark())
        thread.label(again)
        if words.word != ";":
            self.loop_condition(boolean(self.expression()), end, position)
        words.expect(";")
        step_start, depth = words.number, 0
        while depth or words.word != ")":
            depth += {"(": 1, ")": -1}.get(words.word, 0)
            if not words.take():
                words.wrong("expected `)`")
        words.take()
        self.loop_body(step, end)
        after = words.number
        thread.label(step)
        words.number = step_start
        if words.word != ")":
            self.simple()
        words.expect(")")
        words.number = after
        thread.jump(again, position)
        thread.label(end)
        self.leave_loop(scope, before, position)

    def loop_body(self, next_: str, end: str) -> None:
        self.loops.append((next_, end))
        self.statement()
        self.loops.pop()

    def simple(self) -> None:
        """A declaration, an assignment or an expression."""
        words = self.words
        if words.word == "(" and words.ahead() == "void" and words.ahead(2) == ")":
            words.number += 3
        if self.is_declaration():
            self.declaration()
        elif _NAME.match(words.word) and words.word not in self.shared and words.ahead() in _ASSIGNMENTS:
            self.local(Operand(words.word, words.position))
        elif self.is_store():
            self.store()
        elif _NAME.match(words.word) and words.ahead() == "(":
            position, name = words.position, words.take()
            words.take()
            self.call(name, position)
        else:
            self.expression()

    def is_store(self) -> bool:
        """Whether a statement assigns to a place: there is a `=` in it that is not in brackets."""
        words, count, depth = self.words, 0, 0
        while (word := words.ahead(count)) not in ("", ";", "{", "}"):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(word, 0)
            if word == "=" and depth == 0:
                return True
            count += 1
        return False

    def is_declaration(self) -> bool:
        """Whether a statement is a declaration: it starts with a type, or with a name before a name (`foo_t r1`)."""
        words = self.words
        if words.word in TYPES:
            return True
        if not _NAME.match(words.word) or words.word in self.shared or words.word in self.thread.locals:
            return False
        count = 1
        while words.ahead(count) == "*":
            count += 1
        return bool(_NAME.match(words.ahead(count))) and words.ahead(count + 1) in ("=", ";", ",")

    def declaration(self) -> None:
        words = self.words
        struct = words.word == "struct"
        words.take()
        while words.word in TYPES or (struct and _NAME.match(words.word)):
            struct = words.take() == "struct"
        while True:
            while words.accept("*", "const", "volatile"):
                pass
            name = Operand(words.word, words.position)
            if not _NAME.match(name.text):
                words.wrong("expected the name of a variable")
            if name.text in self.shared:
                words.text.unsupported("a variable with the name of a parameter is not supported", *words.place)
            if words.ahead() == "=":
                self.local(name)
            else:
                words.take()
                self.thread.register(name)
                if words.word == "[":
                    words.text.unsupported("local arrays are not supported", *words.place)
            if not words.accept(","):
                return

    def local(self, name: Operand) -> None:
        """`name = expression`, `name += expression`, `name++`."""
        words, position = self.words, name.position
        words.take()
        operator = words.take()
        value: xcfa.Expression = (
            xcfa.IntLiteral(1, position) if operator in ("++", "--") else integer(self.expression())
        )
        target = self.thread.register(name)
        if operator != "=":
            value = operation(_ASSIGNMENTS[operator], target, value, position)
        self.carried += any(isinstance(part, xcfa.Name) and part.name[0] != "$" for part in xcfa.postorder(value))
        self.thread.assign(target, value, position)
        old, new = self.origins.get(target.name, frozenset()), self.origin(value)
        self.origins[target.name] = None if old is None or new is None else old | new

    def store(self) -> None:
        """`*x = expression`, `x[1] = expression`."""
        words, position = self.words, self.words.position
        address = self.address()
        words.expect("=")
        value = integer(self.expression())
        place = self.place(address, position)
        self.write(place, position)
        self.thread.do(xcfa.Store(value, place, position=position))

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
        if not _NAME.match(words.word):
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
        origin = self.origin(address)
        if isinstance(address, xcfa.AddressOf) or origin == frozenset() or not self.dialect.CONTROL_ENDS:
            return self.thread.place(address, position)
        if self.scoped:
            address = self.aimed(address, position)
        self.decided.append((origin, None))
        return self.thread.place(address, position)

    def aimed(self, address: xcfa.Expression, position: Position) -> xcfa.Expression:
        """An address that is predicted: that of one of the cells, or of none."""
        thread, cells = self.thread, sum(location.size or 1 for location in self.thread.initial.locations.values())

        def number(value: int) -> xcfa.IntLiteral:
            return xcfa.IntLiteral(value, position)

        def both(op: xcfa.BinaryOp, left: xcfa.Expression, right: xcfa.Expression) -> xcfa.Binary:
            return xcfa.Binary(op, left, right, position)

        inside = both("and", both(">=", address, number(16)), both("<", address, number(16 * cells + 16)))
        aligned = both("=", both("bitand", address, number(15)), number(0))
        cell = xcfa.Wrap(both("-", both("shr", address, number(4)), number(1)), 64, True, position)
        target = thread.fresh()
        value = xcfa.Conditional(both("and", inside, aligned), cell, number(cells), position)
        thread.do(xcfa.Predict(target, value, False, cells + 1, position))
        return both("*", both("+", target, number(1)), number(16))

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
        if words.word in TYPES or (_NAME.match(words.word) and words.ahead() == "*" and words.ahead(2) == ")"):
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
        if not _NAME.match(word) or word in _RESERVED:
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

    def loop_condition(self, condition: xcfa.Expression, end: str, position: Position) -> None:
        """Goes to a label unless a condition holds. Only that it does not is predicted: no loop goes on for ever so."""
        self.thread.branch(negation(self.predicted(condition, position)), end, position)
        if self.scoped:
            self.thread.do(xcfa.Assume(condition, position))

    def leave_loop(self, scope: xcfa.Name | None, before: tuple[int, int, int], position: Position) -> None:
        """Called behind a loop; `before`: `returns`, `carried`, and the place in the thread, where it began."""
        returns, carried, mark = before
        if self.returns == returns:
            self.leave(scope, None, position)
        writes = any(isinstance(step, xcfa.Store | xcfa.Rmw) for step in self.thread.since(mark))
        if writes or self.carried > carried:
            self.decided.append((None, position.line))

    def fence(self) -> None:
        """Called at a fence that orders earlier reads before later writes."""
        self.decided.clear()

    def wrong(self, message: str, position: Position) -> NoReturn:
        """Raises the error that something makes no sense."""
        raise ProgramError(message, self.source, position)

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
