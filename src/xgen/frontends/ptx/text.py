"""PTX text as statements: what ends in `;`, labels, directives of a line, and the braces of scopes and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from xgen.errors import Position, ProgramError, Source

Kind = Literal["statement", "label", "open", "close"]


class Piece(NamedTuple):
    """A statement, a label, or a brace (`open` has what stands before it: the head of a function, or nothing)."""

    kind: Kind
    text: str
    line: int
    column: int


_COMMENT = re.compile(r'"[^"\n]*"|/\*.*?\*/|//[^\n]*', re.DOTALL)
_STOP = re.compile(r'[;{}\n]|"[^"\n]*"')
_LABEL = re.compile(r"\s*([\w$%]+)\s*:(?!:)")
_OF_A_LINE = (".loc", ".file", ".version", ".target", ".address_size")
"""Directives that end where their line does."""
_SECTION = re.compile(r"\s*\.section\b")


def pieces(source: Source) -> Iterator[Piece]:
    """What a text consists of, in order; debug information (`.section`) is left out. Raises ProgramError."""
    yield from _Pieces(source).all()


class _Pieces:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = _COMMENT.sub(_without_comment, source.text)
        self.start = 0
        self.line, self.line_start = 1, 0
        self.first: tuple[int, int] | None = None

    def all(self) -> Iterator[Piece]:
        skipped_to, nested = -1, 0
        for stop in _STOP.finditer(self.text):
            at, mark = stop.start(), stop[0]
            if at >= skipped_to and not mark.startswith('"'):
                yield from self._labels(at)
                chunk = self.text[self.start : at]
                if mark == "{" and _SECTION.match(chunk):
                    skipped_to = self.text.find("}", at) + 1 or len(self.text)
                    self.start = skipped_to
                elif mark == "{" and chunk.strip() and ".entry" not in chunk and ".func" not in chunk:
                    nested += 1
                elif mark == "}" and nested:
                    nested -= 1
                else:
                    yield from self._stop(mark, chunk, at)
            if mark == "\n":
                self.line, self.line_start = self.line + 1, at + 1
        rest = self.text[self.start :]
        if rest.strip() and not rest.strip().startswith(_OF_A_LINE):
            raise ProgramError("this statement has no end", self.source, self._place(rest))

    def _labels(self, end: int) -> Iterator[Piece]:
        """The labels with which what has been read so far begins."""
        while label := _LABEL.match(self.text, self.start, end):
            yield self._piece("label", label[0], label[1])
            self.start = label.end()

    def _stop(self, mark: str, chunk: str, at: int) -> Iterator[Piece]:
        """What ends here: a statement, the head of a function, a scope, a line."""
        if mark == "\n" and chunk.strip() and not chunk.strip().startswith(_OF_A_LINE):
            return  # a statement goes on in the next line
        if mark == "{":
            yield self._piece("open", chunk)
        elif mark == "}":
            if chunk.strip():
                raise ProgramError("this statement has no end", self.source, self._place(chunk))
            yield self._piece("close", chunk)
        elif chunk.strip():
            yield self._piece("statement", chunk)
        self.start = at + 1

    def _place(self, chunk: str) -> Position:
        """Where the text of a chunk begins, which began at `start`."""
        at = self.start + len(chunk) - len(chunk.lstrip())
        line = self.line - self.text.count("\n", at, self.line_start)
        return Position(line, at - self.text.rfind("\n", 0, at), source=self.source)

    def _piece(self, kind: Kind, chunk: str, text: str | None = None) -> Piece:
        place = self._place(chunk)
        return Piece(kind, " ".join((chunk if text is None else text).split()), place.line, place.column)


def _without_comment(found: re.Match[str]) -> str:
    """Blanks in place of a comment, so that what stands behind it keeps its place."""
    if found[0].startswith('"'):
        return found[0]
    return re.sub(r"[^\n]", " ", found[0])


def split(text: str) -> list[str]:
    """What stands between commas, but for those in brackets."""
    if "{" not in text and "(" not in text:
        return [part.strip() for part in text.split(",")] if text.strip() else []
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
        elif letter == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*found, last] if last else found
