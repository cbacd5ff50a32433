"""C: functions P0, P1, ... whose parameters point to the shared locations.

Two dialects, by the functions that a test calls: C11's atomics (c11) and the Linux kernel's (linux). What is common is
here: declarations, assignments, `if`, `while`, `do`, `for`; and in expressions.py. Statements are translated as they
are read.

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
from collections.abc import Callable

from xgen.errors import Position, ProgramError
from xgen.frontends.c_values import boolean, integer, negation, operation
from xgen.frontends.litmus.c.expressions import NAME, TYPES, Dialect, Expressions
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Text, Words
from xgen.frontends.litmus.values import NUMBER
from xgen.program import automaton as xcfa

_WORD = re.compile(rf"{NUMBER.removeprefix('-?')}[uUlL]*|[A-Za-z_]\w*|&&|\|\||[=!<>]=|<<|>>|\+\+|--|->|[+\-*/%&|^]=|\S")
_PROCESS = re.compile(r"P(\d+)\Z")
_KERNEL = re.compile(
    r"\b(?:READ_ONCE|WRITE_ONCE|smp_\w+|s?rcu_\w+|synchronize_s?rcu\w*|spin_\w+|barrier|cmpxchg\w*|xchg\w*|spinlock_t"
    r"|atomic_(?:read|set|add|sub|inc|dec|and|or|xor|andnot)\w*|atomic_fetch_(?:inc|dec|andnot)\w*|atomic_(?:cmp)?xchg\w*"
    r"|atomic_fetch_\w+_(?:relaxed|acquire|release)|atomic(?:64|_long)?_t|atomic(?:64|_long)_(?:fetch|add|sub)\w*)\b"
)

_ASSIGNMENTS: dict[str, xcfa.BinaryOp] = {
    **{"=": "+", "++": "+", "--": "-", "+=": "+", "-=": "-"},  # `=` itself has no operation
    **{"&=": "bitand", "|=": "bitor", "^=": "bitxor"},
}


class C:
    """Programs in a dialect of C."""

    fixed_registers = False

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.language = dialect.LANGUAGE
        self.name = dialect.ARCH

    def register(self, name: str) -> str | None:
        """Local variables are named as they are."""
        return name if NAME.match(name) else None

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
        make = self.head(words, number_, initial)
        shared = parameters(words, initial)
        start = words.number
        thread = make()
        body = self.body(words, thread, self.dialect, shared)
        body.block()
        if body.reaches_too_far:
            words.number = start
            thread = make()
            self.body(words, thread, self.dialect, shared, scoped=True).block()
        return thread

    def head(self, words: Words, number_: int, initial: Initial) -> Callable[[], Thread]:
        """Reads what stands between a function's name and its parameters; makes its thread."""
        return lambda: Thread(words.text.source, number_, initial, self.register)

    @property
    def body(self) -> type[Body]:
        """What translates the body of a function."""
        return Body


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
            if NAME.match(words.word):
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


class Body(Expressions):
    """Translates the body of a function."""

    def __init__(self, words: Words, thread: Thread, dialect: Dialect, shared: set[str], scoped: bool = False) -> None:
        super().__init__(words, thread, dialect, shared, scoped)
        self.jumps = 0  # so many times has a `break`, a `continue` or a `return` been read
        self.returns = 0  # and so many of these were a `return`
        self.carried = 0  # so many locals have got a value that is computed from locals

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
        elif NAME.match(words.word) and words.word not in self.shared and words.ahead() in _ASSIGNMENTS:
            self.local(Operand(words.word, words.position))
        elif self.is_store():
            self.store()
        elif NAME.match(words.word) and words.ahead() == "(":
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
        if not NAME.match(words.word) or words.word in self.shared or words.word in self.thread.locals:
            return False
        count = 1
        while words.ahead(count) == "*":
            count += 1
        return bool(NAME.match(words.ahead(count))) and words.ahead(count + 1) in ("=", ";", ",")

    def declaration(self) -> None:
        words = self.words
        struct = words.word == "struct"
        words.take()
        while words.word in TYPES or (struct and NAME.match(words.word)):
            struct = words.take() == "struct"
        while True:
            while words.accept("*", "const", "volatile"):
                pass
            name = Operand(words.word, words.position)
            if not NAME.match(name.text):
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
