"""Bodies for functions of the library that a program calls and does not define, where these are a few lines of C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from xgen.errors import Source
from xgen.frontends.c.text.preprocess import HEADERS, predefined
from xgen.frontends.c.text.prune import body, declared, groups
from xgen.frontends.c.text.tokens import Token, tokenise

FILE = HEADERS / "library.c"
_HEAD = re.compile(r"^\w[\w *]*?(\w+)\(", re.MULTILINE)
"""How a definition in that file begins; bodies are indented."""


@cache
def _text() -> str:
    return FILE.read_text("utf-8")


@cache
def _names() -> frozenset[str]:
    """The functions that there is a body for, which is quickly told."""
    return frozenset(_HEAD.findall(_text()))


@cache
def library_bodies(size_type: str) -> dict[str, tuple[Token, ...]]:
    """The definition of each function that there is a body for; `size_type` is what `size_t` is."""
    tokens = []
    for token in tokenise(Source(str(FILE), _text())):
        words = size_type.split() if token.text == "size_t" else [token.text]
        tokens += [token.renamed(text, token.kind) for text in words if token.kind != "newline"]
    return {str(name): tuple(group) for group in groups(tokens) for name in declared(group).names}


def bodies(files: Sequence[Sequence[Token]]) -> list[Token]:
    """The definitions of those that some files call, and none of them defines."""
    named = {token.text for tokens in files for token in tokens if token.text in _names()}
    if not named:
        return []
    known = library_bodies(predefined()["__SIZE_TYPE__"])
    own = (group for tokens in files for group in groups(tokens) if body(group) is not None)
    todo = sorted(named - {name for group in own for name in declared(group).names if isinstance(name, str)})
    found: dict[str, tuple[Token, ...]] = {}
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = known[name]
            todo += [token.text for token in known[name] if token.text in known]
    return [token for name, tokens in known.items() if name in found for token in tokens]
