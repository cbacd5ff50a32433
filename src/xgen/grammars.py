"""Building parsers from the grammar files, keeping the tables that they are built into; places of what they read."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

from lark import Lark, Token

from xgen.errors import Position, ProgramError, Source


def load_grammar(path: Path, **options: Any) -> Lark:
    """The LALR parser of a grammar file; `options` are Lark's.

    Building the tables takes ten times as long as reading a usual input, so they are kept in `__pycache__` beside the
    grammar: whoever may write there may also replace the code itself. Lark checks that they fit the grammar, the
    options, its own version and Python's, and builds them anew where they do not fit or cannot be read.
    """
    return Lark(path.read_text(encoding="utf-8"), parser="lalr", cache=_cache_file(path) or False, **options)


def place_of(token: Token) -> Position:
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
