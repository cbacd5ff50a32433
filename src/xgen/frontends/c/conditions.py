"""The conditions of `#if` and `#elif`: integer constant expressions of the preprocessor (C11, 6.10.1)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from xgen.errors import ProgramError
from xgen.frontends.c.constants import character, number
from xgen.frontends.c.tokens import Token
from xgen.frontends.c.types import CHAR, converted

_LEVELS: list[dict[str, Callable[[int, int], int]]] = [
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": operator.floordiv, "%": operator.mod},
]


def condition(word: Token, tokens: Sequence[Token]) -> int:
    """The value of the condition behind `word` (its directive). Names that are left are 0. Raises ProgramError."""
    reader = _Reader(word, list(tokens))
    value = reader.conditional()
    if reader.at < len(tokens):
        reader.wrong("this is out of place in a condition")
    return value


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

    def conditional(self) -> int:
        value = self.binary(0)
        if not self.take("?"):
            return value
        positive = self.conditional()
        if not self.take(":"):
            self.wrong("expected `:`")
        negative = self.conditional()
        return positive if value else negative

    def binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.sign in _LEVELS[level]:
            sign = self.sign
            self.at += 1
            right = self.binary(level + 1)
            value = self.divided(sign, value, right) if sign in "/%" else _LEVELS[level][sign](value, right)
        return value

    def divided(self, sign: str, a: int, b: int) -> int:
        if b == 0:
            return 0  # it may be in a part that does not matter
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if sign == "/" else a - b * quotient

    def unary(self) -> int:
        for sign, function in (("-", operator.neg), ("+", operator.pos), ("~", operator.invert)):
            if self.take(sign):
                return int(function(self.unary()))
        if self.take("!"):
            return int(not self.unary())
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
            return 0
        value_ = number(token.text) if token.kind == "number" else None
        if token.kind == "char":
            code = character(token.text)
            value_ = None if code is None else converted(code, CHAR)
        if value_ is None:
            self.at -= 1
            self.wrong("this is out of place in a condition")
        assert value_ is not None
        return value_

    def wrong(self, message: str) -> None:
        token = self.tokens[self.at] if self.at < len(self.tokens) else self.word
        raise ProgramError(message, token.position.source, token.position)
