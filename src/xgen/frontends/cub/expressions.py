"""Expressions of programs as terms and formulas of Cubicle's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from xgen.errors import Position, Source, UnsupportedError
from xgen.program.automaton import (
    Binary,
    BoolLiteral,
    Conditional,
    Expression,
    IntLiteral,
    Name,
    Unary,
)

Cases = tuple[tuple[str, str, int], ...]
"""Values of an int or a process: a formula, a cell or process ("": none), and what is added. The formulas exclude each
other, and one of them always holds."""

_RELATIONS = {"=": "=", "/=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_NEGATED = {"=": "/=", "/=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def both(*parts: str) -> str:
    """The conjunction."""
    left = [part for part in parts if part != "true"]
    if "false" in left:
        return "false"
    return " && ".join(left if len(left) == 1 else [f"({part})" for part in left]) or "true"


def either(*parts: str) -> str:
    """The disjunction."""
    left = list(dict.fromkeys(part for part in parts if part != "false"))
    if "true" in left:
        return "true"
    return " || ".join(left if len(left) == 1 else [f"({part})" for part in left]) or "false"


class Expressions:
    """Translates the expressions of a process; `now` says what a local is: a formula for a bool, cases for others."""

    def __init__(
        self, source: Source, me: str | None, sorts: Mapping[str, str], now: Callable[[str], Cases | str]
    ) -> None:
        self.source = source
        self.me = me
        self.sorts = sorts
        self.now = now

    def is_bool(self, expression: Expression) -> bool:
        """Whether it is of type bool."""
        match expression:
            case BoolLiteral():
                return True
            case Name(name):
                return self.sorts.get(name) == "bool"
            case Unary(op):
                return op == "not"
            case Binary(op):
                return op in ("iff", "imply", "or", "and", *_RELATIONS)
            case Conditional(_, positive):
                return self.is_bool(positive)
            case _:
                return False

    def is_process(self, expression: Expression) -> bool:
        """Whether it is a variable that holds a process, or the process' own number."""
        return isinstance(expression, Name) and (
            expression.name == self.me or self.sorts.get(expression.name) == "proc"
        )

    def constant(self, expression: Expression) -> int | None:
        """The number that it is, whatever the variables are."""
        if self.is_bool(expression) or self.is_process(expression):
            return None
        cases = self.cases(expression)
        return cases[0][2] if len(cases) == 1 and not cases[0][1] else None

    def cases(self, expression: Expression) -> Cases:
        """The values of an int, or of what holds a process."""
        match expression:
            case IntLiteral(value):
                return (("true", "", value),)
            case Name(name) if name == self.me:
                return (("true", "p", 0),)
            case Name(name):
                found = self.now(name)
                assert not isinstance(found, str)
                return found
            case Unary("-", operand):
                return self._sum((("true", "", 0),), self.cases(operand), -1, expression.position)
            case Binary(op, left, right) if op in ("+", "-"):
                return self._sum(self.cases(left), self.cases(right), 1 if op == "+" else -1, expression.position)
            case Conditional(condition, positive, negative):
                yes, no = self.truth(condition), self.truth(condition, False)
                chosen = [(both(yes, c), x, n) for c, x, n in self.cases(positive)]
                chosen += [(both(no, c), x, n) for c, x, n in self.cases(negative)]
                return tuple(case for case in chosen if case[0] != "false")
        return self._unsupported(expression)

    def _sum(self, left: Cases, right: Cases, sign: int, position: Position) -> Cases:
        found = []
        for a, x, n in left:
            for b, y, m in right:
                if "p" in (x, y) or (y and (x or sign < 0)):
                    self._no("a sum or difference of two variables", position)
                if (case := both(a, b)) != "false":
                    found.append((case, x or y, n + sign * m))
        return tuple(found)

    def truth(self, expression: Expression, positive: bool = True) -> str:
        """A bool as a formula, or with `positive` False its negation."""
        match expression:
            case BoolLiteral(value):
                return "true" if value == positive else "false"
            case Name(name):
                found = self.now(name)
                assert isinstance(found, str)
                return found if positive else self._negated(found)
            case Unary("not", operand):
                return self.truth(operand, not positive)
            case Binary("and" | "or" as op, left, right):
                join = both if (op == "and") == positive else either
                return join(self.truth(left, positive), self.truth(right, positive))
            case Binary("imply", left, right):
                join = either if positive else both
                return join(self.truth(left, not positive), self.truth(right, positive))
            case Binary("iff", left, right):
                return self._same(left, right, positive)
            case Binary(op, left, right) if op in _RELATIONS:
                if self.is_bool(left):
                    return self._same(left, right, positive == (op == "="))
                return self._compared(op if positive else _NEGATED[op], self.cases(left), self.cases(right), expression)
            case Conditional(condition, yes, no):
                return either(
                    both(self.truth(condition), self.truth(yes, positive)),
                    both(self.truth(condition, False), self.truth(no, positive)),
                )
        return self._unsupported(expression)

    def equal(self, old: Cases | str, expression: Expression, is_bool: bool) -> tuple[str, str]:
        """Whether a cell is equal to a value: the formula and its negation."""
        if is_bool:
            assert isinstance(old, str)
            yes, no = self.truth(expression), self.truth(expression, False)
            other = self._negated(old)
            return either(both(old, yes), both(other, no)), either(both(old, no), both(other, yes))
        assert not isinstance(old, str)
        value = self.cases(expression)
        return self._compared("=", old, value, expression), self._compared("/=", old, value, expression)

    def _negated(self, formula: str) -> str:
        """The negation of what a local is."""
        if formula in ("true", "false"):
            return "false" if formula == "true" else "true"
        return f"not ({formula})"

    def _same(self, left: Expression, right: Expression, positive: bool) -> str:
        return either(
            both(self.truth(left), self.truth(right, positive)),
            both(self.truth(left, False), self.truth(right, not positive)),
        )

    def _compared(self, op: str, left: Cases, right: Cases, expression: Expression) -> str:
        parts = []
        for a, x, n in left:
            for b, y, m in right:
                parts.append(both(a, b, self._literal(op, x, n, y, m, expression)))
        return either(*parts)

    def _literal(self, op: str, x: str, n: int, y: str, m: int, expression: Expression) -> str:
        if x == y:
            holds = {"=": n == m, "/=": n != m, "<": n < m, "<=": n <= m, ">": n > m, ">=": n >= m}[op]
            return "true" if holds else "false"
        if not x:
            x, n, y, m = y, m, x, n
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
        amount = m - n
        right = y if not amount else f"{y} {'+' if amount > 0 else '-'} {abs(amount)}" if y else str(amount)
        if "p" in (x, y) and (n or m or op not in ("=", "/=")):
            self._no("an order of processes", expression.position)
        return f"{x} {_RELATIONS[op]} {right if y or amount else '0'}"

    def _unsupported(self, expression: Expression) -> NoReturn:
        from xgen.program.printer import print_expression

        self._no(f"`{print_expression(expression)}`", expression.position)

    def _no(self, what: str, position: Position) -> NoReturn:
        raise UnsupportedError(f"{what}, in a program with any number of processes", self.source, position)
