"""Words with their places, for the small languages inside litmus tests."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import NoReturn

from xgen.errors import Position, ProgramError, Source, UnsupportedError


class Text:
    """A source text in which places are counted in characters from its start; `text` may have comments blanked out."""

    def __init__(self, source: Source, text: str | None = None) -> None:
        self.source = source
        self.text = source.text if text is None else text

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line starts."""
        return [0, *accumulate(len(line) + 1 for line in self.source.text.split("\n"))]

    def position(self, start: int, end: int | None = None) -> Position:
        """The place of the characters from `start` to before `end`, as errors show it."""
        line = bisect_right(self._starts, start)
        return Position(line, start - self._starts[line - 1] + 1, max(1, (start + 1 if end is None else end) - start))

    def wrong(self, message: str, start: int, end: int | None = None, hint: str | None = None) -> NoReturn:
        """Raises the error that something at a place makes no sense."""
        raise ProgramError(message, self.source, self.position(start, end), hint)

    def unsupported(self, message: str, start: int, end: int | None = None) -> NoReturn:
        """Raises the error that something at a place is not supported."""
        raise UnsupportedError(message, self.source, self.position(start, end))


class Words:
    """The words of a part of a text, read from left to right. After the last one comes the empty word, again and again.

    `pattern` matches one word; blanks between words are skipped.
    """

    def __init__(self, text: Text, pattern: re.Pattern[str], start: int, end: int) -> None:
        self.text = text
        self.words: list[str] = []
        self.starts: list[int] = []
        self.number = 0
        place, characters = start, text.text
        while place < end:
            if characters[place].isspace():
                place += 1
                continue
            match = pattern.match(characters, place, end)
            if match is None:
                text.wrong(f"`{characters[place]}` is out of place", place)
            self.words.append(match[0])
            self.starts.append(place)
            place = match.end()
        self.words.append("")
        self.starts.append(len(characters[:end].rstrip()))

    @property
    def word(self) -> str:
        """The next word."""
        return self.words[self.number]

    @property
    def place(self) -> tuple[int, int]:
        """Where the next word starts and ends."""
        return self.starts[self.number], self.starts[self.number] + max(1, len(self.word))

    @property
    def position(self) -> Position:
        """The next word's place, as errors show it."""
        return self.text.position(*self.place)

    def ahead(self, count: int = 1) -> str:
        """The word that many words after the next one."""
        return self.words[min(self.number + count, len(self.words) - 1)]

    def take(self) -> str:
        """The next word, which is then done with."""
        word = self.words[self.number]
        self.number = min(self.number + 1, len(self.words) - 1)
        return word

    def accept(self, *words: str) -> bool:
        """Takes the next word if it is one of these."""
        if self.words[self.number] not in words:
            return False
        self.take()
        return True

    def expect(self, word: str, hint: str | None = None) -> None:
        """Takes the next word, which has to be this one."""
        if not self.accept(word):
            self.wrong(hint or f"expected `{word}`")

    def wrong(self, hint: str) -> NoReturn:
        """Raises the error that the next word is out of place; the hint says what was expected."""
        message = f"`{self.word}` is out of place" if self.word else "the text ends too early"
        self.text.wrong(message, *self.place, hint=hint)
