"""The words of .cat texts, as herd's lexer divides them (lib/modelLexer.mll of herdtools7)."""

from __future__ import annotations

import re
from typing import Literal

from xgen.errors import ModelError, Position, Source, end_of, visible
from xgen.memory.cat.syntax import Origin
from xgen.records import dataclass

KEYWORDS = frozenset((
    "let", "rec", "and", "when", "acyclic", "irreflexive", "empty", "show", "unshow", "subset", "as", "fun", "in",
    "undefined_unless", "flag", "assert", "include", "variant", "begin", "end", "procedure", "call", "enum",
    "debug", "match", "with", "forall", "from", "do", "try", "if", "then", "else", "catdep", "instructions",
    "default", "not",
))  # fmt: skip

_NAME = r"_?[A-Za-z][A-Za-z0-9_.-]*'?"
_WORD = re.compile(
    rf"""(?P<blank>[ \t\r\n]+ | (?://|\#)[^\n]* | /\*(?s:.*?)\*/)
    | (?P<comment>\(\*)
    | (?P<string>"[^"]*")
    | (?P<tag>'{_NAME})
    | (?P<name>{_NAME})
    | (?P<sign>\|\| | && | \+\+ | -1 | -> | [(){{}}\[\]_0|&*~+^\\?=;,])""",
    re.VERBOSE,
)
_COMMENT_MARK = re.compile(r"\(\*|\*\)")


@dataclass(frozen=True, slots=True)
class Word:
    """A token. `text` is a name's or tag's spelling (without the quote), a string's contents, a sign or a keyword."""

    kind: Literal["name", "tag", "string", "sign", "keyword", "end"]
    text: str
    origin: Origin

    def __str__(self) -> str:
        shown = {"tag": f"'{self.text}", "string": f'"{self.text}"'}.get(self.kind, self.text)
        return f"`{shown if len(shown) <= 60 else shown[:57] + '...'}`" if self.kind != "end" else "the text's end"


def words(source: Source) -> list[Word]:
    """The words of a text, the last of which is its end. Raises ModelError."""
    text, found = source.text, []
    at, line, line_start = 0, 1, 0
    while at < len(text):
        match = _WORD.match(text, at)
        origin = Origin(source, Position(line, at - line_start + 1, len(match.group()) if match else 1))
        if match is None:
            raise _strange(text[at], origin)
        end = _comment_end(text, at, origin) if match.lastgroup == "comment" else match.end()
        passed = text[at:end]
        if match.lastgroup not in ("blank", "comment"):
            found.append(_word(match, origin))
        newlines = passed.count("\n")
        if newlines:
            line, line_start = line + newlines, at + passed.rindex("\n") + 1
        at = end
    found.append(Word("end", "", Origin(source, end_of(source))))
    return found


def _word(match: re.Match[str], origin: Origin) -> Word:
    text = match.group()
    if match.lastgroup == "string":
        return Word("string", text[1:-1], origin)
    if match.lastgroup == "tag":
        return Word("tag", text[1:], origin)
    if match.lastgroup == "sign":
        return Word("sign", text, origin)
    return Word("keyword" if text in KEYWORDS else "name", text, origin)


def _comment_end(text: str, start: int, origin: Origin) -> int:
    """Where the comment that begins at `start` ends; they nest, unless one inside does not end (Dat3M's do not)."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark.group() == "(*" else -1
        if depth == 0:
            return mark.end()
    end = text.find("*)", start)
    if end >= 0:
        return end + 2
    raise ModelError("a comment that is opened here is never closed", *origin)


def _strange(character: str, origin: Origin) -> ModelError:
    hints = {
        '"': "a text in quotes has to end",
        "/": "comments are written (* ... *) or /* ... */, or // to the end of the line",
        "'": "a tag is written 'name",
        "-": "the inverse is written r^-1, a difference a \\ b",
        "<": "a restriction is written r & (S * T) or [S]; r; [T]",
    }
    return ModelError(f"unexpected {visible(character)}", *origin, hints.get(character))
