"""Which variables of a program hold processes: those that a process' own number gets into."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.errors import UnsupportedError
from xgen.program.automaton import (
    Assign,
    Binary,
    Conditional,
    Expression,
    IntLiteral,
    Load,
    Name,
    Place,
    Process,
    Program,
    Rmw,
    Statement,
    Store,
    Unary,
    Variable,
    postorder,
)

Key = tuple[str, str]
"""The process ("" for shared ones) and the name of a variable; ("", "") is a process' own number."""
ME: Key = ("", "")
NUMBER: Key = ("", "#")


class Kinds:
    """Which variables hold processes, and which numbers. Raises UnsupportedError for those that hold both."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.parents: dict[Key, Key] = {}
        for process in program.processes:
            for edge in process.edges:
                for statement in edge.statements:
                    self._statement(process, statement)
                    if self._find(ME) == self._find(NUMBER):
                        message = "a process' own number is computed with, or compared with a number"
                        hint = "with any number of processes it is only stored and compared for equality"
                        raise UnsupportedError(message, program.source, statement.position, hint)

    def sort(self, process: Process | None, variable: Variable) -> str:
        """`bool`, `int` or `proc`."""
        key = (process.name if process else "", variable.name)
        if variable.type.base != "int":
            return variable.type.base
        return "proc" if self._find(key) == self._find(ME) else "int"

    def _find(self, key: Key) -> Key:
        while key in self.parents:
            key = self.parents[key]
        return key

    def _merge(self, keys: list[Key]) -> None:
        for key in keys[1:]:
            a, b = self._find(keys[0]), self._find(key)
            if a != b:
                self.parents[b] = a

    def _key(self, process: Process, name: str) -> Key:
        if process.me is not None and name == process.me.name:
            return ME
        return (process.name, name)

    def _values(self, process: Process, expression: Expression) -> list[Key]:
        """What the value of an expression can be that of."""
        match expression:
            case Name(name):
                return [self._key(process, name)]
            case Conditional(_, positive, negative):
                return self._values(process, positive) + self._values(process, negative)
            case IntLiteral() | Unary("-") | Binary("+" | "-"):
                return [NUMBER]
        return []

    def _statement(self, process: Process, statement: Statement) -> None:
        for expression in self._expressions(statement):
            for part in postorder(expression):
                if isinstance(part, Binary) and part.op in ("=", "/=", "<", "<=", ">", ">="):
                    self._merge(self._values(process, part.left) + self._values(process, part.right))
                elif isinstance(part, Binary | Unary):
                    inner = (part.left, part.right) if isinstance(part, Binary) else (part.operand,)
                    if part.op in ("+", "-"):
                        self._merge([NUMBER, *(key for i in inner for key in self._values(process, i))])
        match statement:
            case Assign(target, value):
                self._merge([self._key(process, target.name), *self._values(process, value)])
            case Load(target, Place(place)):
                self._merge([("", place.name), self._key(process, target.name)])
            case Store(value, Place(place)):
                self._merge([("", place.name), *self._values(process, value)])
            case Rmw(target, op, Place(place), arguments):
                keys = [("", place.name), *(key for a in arguments for key in self._values(process, a))]
                keys += [] if target is None else [self._key(process, target.name)]
                self._merge(keys + ([NUMBER] if op not in ("exchange", "cas") else []))

    def _expressions(self, statement: Statement) -> Iterator[Expression]:
        for field in ("value", "condition"):
            if hasattr(statement, field):
                yield getattr(statement, field)
        if isinstance(statement, Rmw):
            yield from statement.arguments
