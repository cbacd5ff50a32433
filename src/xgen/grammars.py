"""Parsers of the grammar files, whose tables are kept; what is said of texts that do not parse."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from xgen.errors import Position, ProgramError, Source, XgenError, end_of, listed, quoted, visible
from xgen.records import dataclass


def load_grammar(path: Path, **options: Any) -> Lark:
    """The LALR parser of a grammar file; `options` are Lark's.

    Building the tables takes ten times as long as reading a usual input, so they are kept in `__pycache__` beside the
    grammar: whoever may write there may also replace the code itself. Lark checks that they fit the grammar, the
    options, its own version and Python's, and builds them anew where they do not fit or cannot be read.
    """
    return Lark(path.read_text(encoding="utf-8"), parser="lalr", cache=_cache_file(path) or False, **options)


class Wrong(NamedTuple):
    """What should not stand where it does.

    `token` has the type "" if it is a character that no word of the language starts with, and "$END" at the end of the
    text. `before` is what was read last, a token or what a part of the text was made into, and `accepted` the
    terminals that could have come.
    """

    token: Token
    place: Position
    source: Source
    before: object = None
    accepted: frozenset[str] = frozenset()

    def error(self, message: str, hint: str | None = None, kind: type[XgenError] = ProgramError) -> XgenError:
        """An error at this place."""
        return kind(message, self.source, self.place, hint)


Group: TypeAlias = tuple[str, frozenset[str], frozenset[str]]
"""Terminals that are told as one thing: its name, those that are all accepted where it is, and what it stands for."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """What is said of texts of a language that do not parse.

    hint      advice on slips that are easily made, or an error to be raised instead
    foreign   what people write who come from other languages, and how it is written here
    groups    in the order in which they are told
    words     how terminals are written, in the order in which they are told; others are not
    most      so many of what could have come are told
    otherwise told where none of this could have come
    text      what the text is called
    aside     what could have come is told where there is no advice, and not beside it
    error     the kind of the errors
    """

    hint: Callable[[Wrong], str | XgenError | None]
    foreign: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    most: int = 6
    otherwise: str | None = None
    text: str = "text"
    aside: bool = False
    error: type[XgenError] = ProgramError


def read(parser: Lark, source: Source, syntax: Syntax, text: str | None = None) -> Any:
    """What a parser makes of a source, or of `text` in its place. Raises what is said of errors, and what a transformer
    raises."""
    try:
        return parser.parse(source.text if text is None else text)
    except UnexpectedInput as error:
        raise syntax_error(error, source, syntax) from None
    except ProgramError as error:  # of a transformer, which does not know the source
        raise ProgramError(error.message, source, error.position, error.hint) from None


def syntax_error(error: UnexpectedInput, source: Source, syntax: Syntax) -> XgenError:
    """What is wrong with a text that does not parse."""
    wrong = _wrong(error, source)
    hint = syntax.hint(wrong)
    if isinstance(hint, XgenError):
        return hint
    hint = hint or _foreign(wrong, syntax.foreign)
    expected = _expected(wrong.accepted, syntax)
    ends = wrong.token.type == "$END"
    what = quoted(wrong.token) if wrong.token.type else visible(wrong.token)
    if syntax.aside:
        message = f"{what} is out of place" if wrong.token.type else f"{what} is not part of the language"
        hint = hint or (f"expected {expected}" if expected else None)
    else:
        message = f"unexpected {what}" + (f", expected {expected}" if expected else "")
    if ends:
        beside = expected and not syntax.aside
        message = f"the {syntax.text} ends, expected {expected}" if beside else f"the {syntax.text} ends too early"
    return wrong.error(message, hint, syntax.error)


def _wrong(error: UnexpectedInput, source: Source) -> Wrong:
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream or 0
        token = Token("", source.text[at], at, error.line, error.column)
        return Wrong(token, position_of(token), source)
    assert isinstance(error, UnexpectedToken), error
    place = end_of(source) if error.token.type == "$END" else position_of(error.token)
    values = error.interactive_parser.parser_state.value_stack if error.interactive_parser else []
    before = values[-1] if values else None
    return Wrong(error.token, place, source, before, frozenset(error.accepts or error.expected))


def _foreign(wrong: Wrong, foreign: Mapping[str, str]) -> str | None:
    """The hint for what another language has at the place, or has the character there at its end."""
    if wrong.token.type == "$END":
        return None
    at, text = wrong.token.start_pos or 0, wrong.source.text
    before = [text[at - 1 : at + 1]] if at and wrong.token.type else []  # a character's error is that of the first one
    return next((foreign[each] for each in (text[at : at + 2], *before, str(wrong.token)) if each in foreign), None)


def _expected(accepted: frozenset[str], syntax: Syntax) -> str | None:
    """What could have come instead, in words."""
    left = set(accepted)
    told = []
    for name, needed, members in syntax.groups:
        if needed <= left:
            told.append(name)
            left -= members
    told += [word for name, word in syntax.words.items() if name in left]
    told = list(dict.fromkeys(told))[: syntax.most]
    return listed(told, "or") if told else syntax.otherwise if accepted else None


def position_of(token: Token) -> Position:
    """The place of a token that is not broken over lines."""
    return Position(token.line or 1, token.column or 1, len(token))


def check_nesting(source: Source, text: str, limit: int, brackets: str = "()") -> None:
    """Refuses what would exhaust the stack: more brackets in each other than the limit. Raises ProgramError.

    `text` is that of the source, in which what does not count may be blanks; `brackets` are all that open and close.
    """
    depth = 0
    for match in re.finditer(f"[{re.escape(brackets)}]", text):
        depth += -1 if brackets.index(match.group()) % 2 else 1
        if depth > limit:
            before = text[: match.start()]
            place = Position(before.count("\n") + 1, match.start() - before.rfind("\n"))
            raise ProgramError(f"more than {limit} levels of parentheses", source, place)


def _cache_file(path: Path) -> str | None:
    """Where the tables of a grammar are kept, or None where they cannot be."""
    if sys.implementation.cache_tag is None:
        return None
    file = Path(importlib.util.cache_from_source(str(path))).with_suffix(".lark-tables")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(file) if os.access(file if file.exists() else file.parent, os.W_OK) else None
