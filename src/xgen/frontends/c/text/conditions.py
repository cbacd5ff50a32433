"""The conditions of `#if` and `#elif`: integer constant expressions of the preprocessor (C11, 6.10.1)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeAlias

from xgen.errors import ProgramError
from xgen.frontends.c.text.tokens import Token
from xgen.frontends.c.values.constants import character, number
from xgen.frontends.c.values.types import CHAR, converted
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class _Value:
    """A number of 64 bits, of intmax_t or of uintmax_t."""

    value: int
    unsigned: bool = False


_Operator: TypeAlias = Callable[[int, int], int]


def _value(number: int, unsigned: bool) -> _Value:
    number &= (1 << 64) - 1
    return _Value(number - (1 << 64) if number >> 63 and not unsigned else number, unsigned)


def _quotient(a: int, b: int) -> int:
    """0 where there is none: it may be in a part that does not matter."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0


_LEVELS: list[dict[str, _Operator]] = [
    {"||": lambda a, b: bool(a) or bool(b)},
    {"&&": lambda a, b: bool(a) and bool(b)},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": _quotient, "%": lambda a, b: a - b * _quotient(a, b) if b else 0},
]
_TESTS = frozenset({"||", "&&", "==", "!=", "<", ">", "<=", ">="})
"""Their results are signed."""


def condition(word: Token, tokens: Sequence[Token]) -> int:
    """The value of the condition behind `word` (its directive). Names that are left are 0. Raises ProgramError."""
    reader = _Reader(word, list(tokens))
    value = reader.conditional()
    if reader.at < len(tokens):
        reader.wrong("this is out of place in a condition")
    return value.value


class _Reader:
    """Reads by recursive descent; every level of strength is one entry of _LEVELS."""

    def __init__(self, word: Token, tokens: list[Token]) -> None:
        self.word = word
        self.tokens = tokens
        self.at = 0

    @property
    def sign(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self, text: str) -> bool:
        if self.sign != text:
            return False
        self.at += 1
        return True

    def conditional(self) -> _Value:
        value = self.binary(0)
        if not self.take("?"):
            return value
        positive = self.conditional()
        if not self.take(":"):
            self.wrong("expected `:`")
        negative = self.conditional()
        chosen = positive if value.value else negative
        return _value(chosen.value, positive.unsigned or negative.unsigned)

    def binary(self, level: int) -> _Value:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.sign in _LEVELS[level]:
            sign = self.sign
            self.at += 1
            left = self.combined(sign, _LEVELS[level][sign], left, self.binary(level + 1))
        return left

    def combined(self, sign: str, function: _Operator, left: _Value, right: _Value) -> _Value:
        """What is computed of two numbers; where one is unsigned, of both as unsigned ones."""
        if sign in ("<<", ">>"):
            return _value(function(left.value, right.value), left.unsigned)
        unsigned = left.unsigned or right.unsigned
        result = function(_value(left.value, unsigned).value, _value(right.value, unsigned).value)
        return _value(int(result), unsigned and sign not in _TESTS)

    def unary(self) -> _Value:
        for sign, function in (("-", operator.neg), ("+", operator.pos), ("~", operator.invert)):
            if self.take(sign):
                operand = self.unary()
                return _value(int(function(operand.value)), operand.unsigned)
        if self.take("!"):
            return _Value(int(not self.unary().value))
        if self.take("("):
            value = self.conditional()
            if not self.take(")"):
                self.wrong("expected `)`")
            return value
        if self.at >= len(self.tokens):
            self.wrong("a value is missing in this condition")
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "name":
            return _Value(0)
        if token.kind == "number" and (found := number(token.text)) is not None and found < 1 << 64:
            return _value(found, "u" in token.text.lower() or found >> 63 > 0)
        if token.kind == "char" and (code := character(token.text)) is not None:
            return _Value(converted(code, CHAR))
        self.at -= 1
        return self.wrong("this is out of place in a condition")

    def wrong(self, message: str) -> NoReturn:
        token = self.tokens[self.at] if self.at < len(self.tokens) else self.word
        raise ProgramError(message, token.position.source, token.position)
