"""Bodies for functions of the library that a program calls and does not define, where these are a few lines of C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from xgen.errors import Source
from xgen.frontends.c.text.preprocess import HEADERS, predefined
from xgen.frontends.c.text.prune import body, declared, groups
from xgen.frontends.c.text.tokens import Token, tokenise

SHIPPED = HEADERS / "library.c"
_HEAD = re.compile(r"^\w[\w *]*?(\w+)\(", re.MULTILINE)
"""How a definition in that file begins; bodies are indented."""


@cache
def _source() -> Source:
    return Source(str(SHIPPED), SHIPPED.read_text("utf-8"))


def is_shipped(source: Source | None) -> bool:
    """Whether a text is that file."""
    return source is not None and source.name == str(SHIPPED)


@cache
def places() -> dict[str, tuple[int, int]]:
    """The functions that there is a body for, in the order of the file: where each begins and the next one does."""
    heads = list(_HEAD.finditer(_source().text))
    ends = [*(head.start() for head in heads[1:]), len(_source().text)]
    return {head[1]: (head.start(), end) for head, end in zip(heads, ends, strict=True)}


@cache
def definition(name: str, size_type: str) -> tuple[Token, ...]:
    """One that there is a body for; `size_type` is what `size_t` is."""
    tokens = []
    for token in tokenise(_source(), *places()[name]):
        words = size_type.split() if token.text == "size_t" else [token.text]
        tokens += [token.renamed(text, token.kind) for text in words if token.kind != "newline"]
    return tuple(tokens)


def bodies(files: Sequence[Sequence[Token]]) -> list[Token]:
    """The definitions of those that some files call, and none of them defines."""
    named = {token.text for tokens in files for token in tokens if token.text in places()}
    if not named:
        return []
    size_type = predefined()["__SIZE_TYPE__"]
    own = (group for tokens in files for group in groups(tokens) if body(group) is not None)
    todo = sorted(named - {name for group in own for name in declared(group).names if isinstance(name, str)})
    found: dict[str, tuple[Token, ...]] = {}
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = definition(name, size_type)
            todo += [token.text for token in found[name] if token.text in places()]
    return [token for name in places() for token in found.get(name, ())]
