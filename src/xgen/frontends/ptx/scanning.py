"""The words of a line that says something of a launch, each with its place."""

from __future__ import annotations

import re
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source, quoted

NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]+|[1-9][0-9]*|0)([uUlL]{0,3})(?![\w.])")
NAME = re.compile(r"[A-Za-z_$][\w$]*(?:::[A-Za-z_$][\w$]*)*")
_BLANKS = re.compile(r"\s*")


class Line:
    """A piece of a line of a source, and how much of it is read."""

    def __init__(self, source: Source, line: int, start: int, end: int) -> None:
        self.source, self.line = source, line
        self.text = source.line(line)[:end]
        self.at = start
        self._skip()

    def _skip(self) -> None:
        found = _BLANKS.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    def place(self, start: int | None = None) -> Position:
        """The place of what comes next; with `start`, of what was read since."""
        if start is None:
            return Position(self.line, self.at + 1, source=self.source)
        width = max(1, len(self.text[start : self.at].rstrip()))
        return Position(self.line, start + 1, width, source=self.source)

    def fail(self, expected: str, hint: str | None = None) -> NoReturn:
        """Raises what is wrong here: another thing was expected."""
        found = "the line ends" if self.ended else f"unexpected {quoted(self.text[self.at :])}"
        raise ProgramError(f"{found}, expected {expected}", self.source, self.place(), hint)

    def wrong(self, message: str, start: int, hint: str | None = None) -> NoReturn:
        """Raises what is wrong with what was read since `start`."""
        raise ProgramError(message, self.source, self.place(start), hint)

    def take(self, *words: str) -> str | None:
        """The first of these that comes next, read; None: none does."""
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                self._skip()
                return word
        return None

    def need(self, word: str) -> None:
        """Reads this, which has to come next."""
        if self.take(word) is None:
            self.fail(f"`{word}`")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What comes next and is like this, read."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self._skip()
        return found

    def name(self, what: str) -> str:
        """A name, as C++ has them: with `::` where it is in a namespace."""
        found = self.match(NAME)
        if found is None:
            self.fail(what)
        return found[0]

    def number(self, what: str = "a number") -> int:
        """A number as C has them, perhaps with a minus."""
        minus = self.take("-") is not None
        found = self.match(NUMBER)
        if found is None:
            self.fail(what)
        return -value_of(found[1]) if minus else value_of(found[1])


def value_of(digits: str) -> int:
    """The number that digits are in C, where a 0 before others means octal ones."""
    if digits[0] == "0" and digits.isdigit():
        return int(digits, 8)
    return int(digits, 0)
