"""The tokens of C source text, each with where it is from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from xgen.errors import Position, ProgramError, Source
from xgen.records import dataclass, replace

Kind: TypeAlias = Literal["name", "number", "string", "char", "sign", "newline", "other"]

_TOKEN = re.compile(
    r"""(?P<newline>\n)
    |(?P<blank>(?:[ \t\f\v]|\\\n|//(?:\\\n|[^\n])*|/\*[\s\S]*?\*/)+)
    |(?P<open>/\*)
    |(?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
    |(?P<char>[uUL]?'(?:\\.|[^'\\\n])+')
    |(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
    |(?P<sign>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[*/%+\-&^|]=|\#\#|[\[\](){}.&*+\-~!/%<>^|?:;=,\#])
    |(?P<other>[\s\S])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token. `position` has the file; `blank`: there is white space before it; `hidden`: macros that it is not a
    call of."""

    kind: Kind
    text: str
    position: Position
    blank: bool = False
    hidden: frozenset[str] = frozenset()

    def at(self, position: Position, hidden: frozenset[str], blank: bool | None = None) -> Token:
        """The token as a part of what a macro became."""
        blank = self.blank if blank is None else blank
        return Token(self.kind, self.text, position, blank, self.hidden | hidden)

    def renamed(self, text: str, kind: Kind = "name") -> Token:
        return replace(self, text=text, kind=kind)


def tokenise(source: Source, first: int = 0, last: int | None = None) -> list[Token]:
    """The tokens of a text, the ends of its lines among them. Raises ProgramError.

    `first` and `last`: only of what is between these places, whole lines.

    A quote without an end is one too: it may stand in a part that is left out.
    """
    tokens: list[Token] = []
    line, start, blank = 1 + source.text.count("\n", 0, first), first, False
    for match in _TOKEN.finditer(source.text, first, len(source.text) if last is None else last):
        kind: Any = match.lastgroup
        text = match.group()
        if kind == "blank":
            if "\n" in text:
                line += text.count("\n")
                start = match.start() + text.rfind("\n") + 1
            blank = True
            continue
        position = Position(line, match.start() - start + 1, len(text), source)
        if kind == "open":
            raise ProgramError("this comment does not end", source, position, "expected `*/`")
        tokens.append(Token(kind, text, position, blank))
        blank = False
        if kind == "newline":
            line, start = line + 1, match.end()
    return tokens


def refuse_open_quotes(tokens: Iterable[Token]) -> None:
    """Raises ProgramError where a quote without an end is read."""
    for token in tokens:
        if token.kind == "other" and token.text in "\"'":
            message = "this text does not end on its line"
            raise ProgramError(message, token.position.source, token.position, f"expected `{token.text}`")
