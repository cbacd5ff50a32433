"""What is defined in a C file that was not given: which one beside those that were, or near their headers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from xgen.errors import ProgramError, Source, UsageError
from xgen.frontends.c.text.prune import body, declared, groups
from xgen.frontends.c.text.tokens import Token, tokenise
from xgen.sources import is_confined, read_source

MAX_FILES = 200
"""So many files of a folder are looked into."""
MAX_BYTES = 1 << 20
NEAR_HEADERS = (".", "../src", "../lib", "../../src", "../../lib")
"""Where the files stand that define what a header declares, from its folder."""


def defined_beside(name: str, files: Sequence[Source], headers: Iterable[str] = ()) -> str | None:
    """A hint that names the file that defines a function or variable, or None. Macros are not looked through.

    It stands beside one of the `files` that are given, or near one of the `headers` that they include."""
    if is_confined():
        return None
    given = {os.path.realpath(source.name) for source in files}
    folders = [os.path.dirname(source.name) for source in files if os.path.isfile(source.name)]
    near = dict.fromkeys(os.path.dirname(header) for header in headers)
    folders += [os.path.normpath(os.path.join(folder, each)) for folder in near for each in NEAR_HEADERS]
    for folder in dict.fromkeys(folder.removeprefix("./") if folder != "." else "" for folder in folders):
        if not os.path.isdir(folder or "."):
            continue
        for entry in sorted(os.listdir(folder or "."))[: 10 * MAX_FILES]:
            path = os.path.join(folder, entry)
            if entry.endswith(".c") and os.path.realpath(path) not in given and _defines(path, name):
                words = " ".join([*(source.name for source in files), path])
                return f"`{path}` defines it: name that file, too ({words})"
    return None


def _defines(path: str, name: str) -> bool:
    try:
        text = read_source(path, MAX_BYTES).text
        tokens = _without_directives(tokenise(Source(path, text))) if name in text else []
    except (UsageError, ProgramError):
        return False
    for group in groups(tokens):
        meaning = declared(group)
        if name in meaning.names and (meaning.object or body(group) is not None):
            return not any(token.text == "static" for token in group[:3])
    return False


def _without_directives(tokens: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    directive, start = False, True
    for token in tokens:
        if token.kind == "newline":
            directive, start = False, True
            continue
        directive = directive or (start and token.text == "#")
        start = False
        if not directive:
            found.append(token)
    return found
