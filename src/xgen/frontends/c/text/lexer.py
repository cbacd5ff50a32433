"""pycparser's lexer for a text that has one token a line: what stands on a line is looked at once, however often it
is there.

As pycparser 3 has it, whose lexer makes one token after another; with an older one the text is read as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NoReturn

from pycparser import c_lexer
from pycparser.c_parser import CParser

_LINE = "#line "


class _NoToken(Exception):
    """What stands on a line is wrong, which is said when the parser comes to it."""


def parser() -> CParser:
    """One that reads texts with a token a line, behind `#line` in the first one."""
    return CParser(lexer=LineLexer) if hasattr(c_lexer, "Token") else CParser()


class LineLexer(c_lexer.CLexer):  # type: ignore[misc]
    """Gives pycparser's tokens."""

    def input(self, text: str, filename: str = "") -> None:
        super().input(text, filename)
        self.found = self._found(text)

    def token(self) -> Any:
        return super().token() if self.found is None else next(self.found, None)

    def _found(self, text: str) -> Iterator[Any] | None:
        """The tokens; None where what stands on a line depends on others."""
        first, *lines = text.split("\n")
        if not first.startswith(_LINE) or "\n[\n[\n" in text or "\n#" in text:  # attributes, directives
            return None
        try:
            known = [_on(line) for line in lines]
        except _NoToken:
            return None
        return self._numbered(known, int(first[len(_LINE) :]))

    def _numbered(self, known: list[tuple[tuple[str, str, int], ...]], first: int) -> Iterator[Any]:
        for number, parts in enumerate(known, first):
            self._lineno = number
            for kind, value, column in parts:
                yield c_lexer.Token(kind, value, number, column, "")


@lru_cache(maxsize=1 << 14)
def _on(line: str) -> tuple[tuple[str, str, int], ...]:
    """The kinds, the texts and the columns of a line's tokens. Raises _NoToken."""
    lexer = c_lexer.CLexer(_refuse)
    lexer.input(line)
    return tuple((token.type, token.value, token.column) for token in iter(lexer.token, None))


def _refuse(_message: str, _line: int, _column: int) -> NoReturn:
    raise _NoToken
