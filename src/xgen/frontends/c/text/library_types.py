"""The types of the library that are known by their names, whatever the headers of a system say that they are.

A `pthread_mutex_t` of glibc is a union that tells nothing; it is what xgen's own header says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from xgen.errors import Source
from xgen.frontends.c.text.preprocess import ALWAYS, HEADERS
from xgen.frontends.c.text.prune import TAGGED, declared, groups, operand_skipped, skipped
from xgen.frontends.c.text.tokens import Token, tokenise

_HEADERS = ("pthread.h", "semaphore.h", "threads.h", "stdatomic.h")
_FLOATS = frozenset(["_Float32", "_Float64", "_Float128", "_Float32x", "_Float64x", "__float128"])
"""What some versions of glibc's headers give a type although it is a word of the compiler."""


@cache
def library_types() -> dict[str, tuple[Token, ...]]:
    """The declaration in xgen's headers of each struct or number of the library: `typedef long pthread_t;`."""
    found: dict[str, tuple[Token, ...]] = {}
    for header in _HEADERS:
        text = ((ALWAYS if header == "stdatomic.h" else HEADERS) / header).read_text("utf-8")
        tokens, directive = [], False
        for token in tokenise(Source(header, text)):
            directive = token.kind != "newline" and (directive or token.text == "#")
            if not directive and token.kind != "newline":
                tokens.append(token)
        for group in groups(tokens):
            if group[0].text == "typedef" and not any(token.text in ("enum", "_Atomic", "*") for token in group[1:2]):
                found |= {name: tuple(group) for name in declared(group).names if isinstance(name, str)}
    return found


def with_library_types(tokens: Sequence[Token], is_of_system: Callable[[Token], bool]) -> list[Token]:
    """The tokens with the types of the library as they are known. Only headers of the system declare these."""
    known = library_types()
    result: list[Token] = []
    for group in groups(tokens):
        if group[0].text not in ("typedef", "__extension__") or not is_of_system(group[0]):
            result += group
            continue
        names = {name for name in declared(group).names if isinstance(name, str)}
        if names & _FLOATS:
            continue
        if len(names & known.keys()) == 1:
            word = group[0]
            result += _tags(group)
            result += [word.renamed(token.text, token.kind) for token in known[(names & known.keys()).pop()]]
        else:
            result += group
    return result


def _tags(group: Sequence[Token]) -> Iterator[Token]:
    """What else a declaration defines: a struct with a tag, which may be used by that."""
    for k, token in enumerate(group):
        at = operand_skipped(group, k + 1)
        if token.text in TAGGED and at + 1 < len(group) and group[at].kind == "name" and group[at + 1].text == "{":
            end = skipped(group, at + 1)
            yield from group[k:end]
            yield group[-1]
            return
