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


_INITIALISERS = {
    "PTHREAD_MUTEX_RECURSIVE_NP": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_MUTEX_ERRORCHECK_NP": "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    "PTHREAD_MUTEX_ADAPTIVE_NP": "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP": "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP",
}
"""What glibc's initial value of a lock has in it that is not like others, and what has that value."""


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
    return with_initialisers(result)


def with_initialisers(tokens: list[Token]) -> list[Token]:
    """The tokens with xgen's initial values of locks of other kinds: glibc's are `{ { 0, 0, 0, 0, KIND, ... } }`."""
    values = macro_bodies("pthread.h")
    for k in range(len(tokens) - 1, -1, -1):
        macro = _INITIALISERS.get(tokens[k].text, "")
        if macro not in values:
            continue
        start, depth = k, 0
        while start > 0 and depth < 1:
            start -= 1
            depth += {"{": 1, "}": -1}.get(tokens[start].text, 0)
        said = any(token.text == ";" for token in tokens[start:k])
        if start > 0 and tokens[start - 1].text == "{" and not said:
            end = skipped(tokens, start - 1)
            tokens[start - 1 : end] = [tokens[k].renamed(token.text, token.kind) for token in values[macro]]
    return tokens


@cache
def macro_bodies(header: str) -> dict[str, list[Token]]:
    """The macros without parameters in a header of xgen's."""
    found: dict[str, list[Token]] = {}
    lines = (HEADERS / header).read_text("utf-8").split("\n")
    for words in (line.split(None, 2) for line in lines if line.startswith("#define ")):
        if len(words) == 3 and "(" not in words[1]:
            found[words[1]] = [token for token in tokenise(Source(header, words[2])) if token.kind != "newline"]
    return found


def _tags(group: Sequence[Token]) -> Iterator[Token]:
    """What else a declaration defines: a struct with a tag, which may be used by that."""
    for k, token in enumerate(group):
        at = operand_skipped(group, k + 1)
        if token.text in TAGGED and at + 1 < len(group) and group[at].kind == "name" and group[at + 1].text == "{":
            end = skipped(group, at + 1)
            yield from group[k:end]
            yield group[-1]
            return
