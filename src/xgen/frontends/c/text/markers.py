"""The tokens of preprocessed text (`cc -E`, .i files), each with the place that the line markers tell.

`# 1 "queue.h" 1 3` says where the following line is from; 1, that a file begins; 3, that it is one of the system.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from itertools import groupby, product
from typing import TypeAlias

from xgen.errors import ProgramError, Source, UsageError
from xgen.frontends.c.text.tokens import Token, refuse_open_quotes, tokenise
from xgen.records import dataclass, replace
from xgen.sources import is_file, read_source

_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)"((?:\s+\d+)*))?\s*$')
_WORD = re.compile(r"\w|\"")
_ENTERED = "1"
_SYSTEM = "3"
_SAME = 3
"""So many tokens are looked for behind what a macro became."""
STANDARD_INPUT = "<stdin>"
"""How compilers call it."""

Lines: TypeAlias = dict[int, list[Token]]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line of preprocessed text is from."""

    file: str
    line: int


@dataclass(slots=True)
class Marked:
    """The tokens of a preprocessed text, with their places in it, and the origin of each of its lines."""

    source: Source
    tokens: list[Token]
    origins: list[Origin]
    system: set[str]
    marked: bool
    """The headers of the system, and whether there are any markers."""
    known: dict[str, Lines | None] = field(default_factory=dict)

    def origin(self, token: Token) -> Origin:
        return self.origins[token.position.line - 1]

    def is_of_system(self, token: Token) -> bool:
        return self.origin(token).file in self.system

    def placed(self, tokens: Sequence[Token]) -> list[Token]:
        """Tokens of this text, with the places that they are from: those of a macro with the place of its call.

        Where there is no such file, or mostly another text in it, the place is the one in the preprocessed text.
        """
        lines = [(origin, list(group)) for origin, group in groupby(tokens, self.origin)]
        chosen: list[list[int] | None] = []
        fits: Counter[str] = Counter()
        for origin, here in lines:
            before = [token.text for token in self.lines(origin.file).get(origin.line, [])]
            after = [token.text for token in here]
            chosen.append(aligned(before, after))
            fits[origin.file] += 1 if any(_is_word(text) and text in before for text in after) else -1
        found: list[Token] = []
        for (origin, here), places in zip(lines, chosen, strict=True):
            if places is None or fits[origin.file] < 0:
                found += here
            else:
                original = self.lines(origin.file)[origin.line]
                found += [replace(t, position=original[k].position) for t, k in zip(here, places, strict=True)]
        return found

    def lines(self, file: str) -> Lines:
        """The tokens of a file that the markers name, by their lines; of none that cannot be read."""
        if file not in self.known:
            try:
                self.known[file] = _lines(read_source(file)) if self.marked and is_file(file) else None
            except UsageError:
                self.known[file] = None
        return self.known[file] or {}


def read_marked(source: Source, original: Source | None = None) -> Marked:
    """The tokens of a preprocessed text. `original` is what it was made of, which may have come from standard input.

    Raises ProgramError.
    """
    lines: list[str] = []
    origins: list[Origin] = []
    here = Origin(source.name, 1)
    system: set[str] = set()
    marked = False
    for line in source.text.split("\n"):
        marker = _MARKER.match(line) if line.startswith("#") else None
        lines.append("" if line.startswith("#") else line)
        if marker:
            marked = True
            name = here.file if marker[2] is None else _unquoted(marker[2])
            if name == STANDARD_INPUT and original is not None:
                name = original.name
            # What a macro of the system's became has a 3 as well, but is no beginning of a file.
            if {_ENTERED, _SYSTEM} <= set((marker[3] or "").split()):
                system.add(name)
            here = Origin(name, int(marker[1]))
            origins.append(here)
            continue
        origins.append(here)
        here = Origin(here.file, here.line + 1)
    text = Source(source.name, "\n".join(lines))
    tokens = [token for token in tokenise(text) if token.kind != "newline"]
    refuse_open_quotes(tokens)
    found = Marked(text, tokens, origins, system, marked)
    if original is not None:
        found.known[original.name] = _lines(original)
    return found


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


def _lines(source: Source) -> Lines | None:
    """The tokens of a file by their lines; None where it has none."""
    try:
        tokens = tokenise(source)
    except ProgramError:
        return None
    found: Lines = {}
    for token in tokens:
        if token.kind != "newline":
            found.setdefault(token.position.line, []).append(token)
    return found


def aligned(before: Sequence[str], after: Sequence[str]) -> list[int] | None:
    """For each token of a line behind the preprocessor, the one before it that it is from: of what a macro became, the
    macro's name. None where the line before it has no token."""
    found: list[int] = []
    at = 0
    while len(found) < len(after) and at < len(before):
        if before[at] == after[len(found)]:
            found.append(at)
            at += 1
        else:
            at = _behind_macro(before, at, after, found)
    if not found:
        return None
    return found + [found[-1]] * (len(after) - len(found))


def _behind_macro(before: Sequence[str], at: int, after: Sequence[str], found: list[int]) -> int:
    """Goes over what the macro at `at` became, all of it; the place behind its call."""
    start = len(found)
    calls = [at + 1]
    if at + 1 < len(before) and before[at + 1] == "(":
        calls.insert(0, _closing(before, at + 1) + 1)
    # What is behind the call, as far as it is no macro itself.
    for behind, same in product(calls, range(_SAME, 0, -1)):
        rest = before[behind : behind + same]
        depth = 0
        for k in range(start, len(after) + 1):
            if depth == 0 and rest == after[k : k + len(rest)] and (rest or k == len(after)):
                found += [at] * (k - start)
                return behind
            if k < len(after):
                depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(after[k], 0)
    found += [at] * (len(after) - start)
    return len(before)


def _closing(texts: Sequence[str], at: int) -> int:
    """The place of the parenthesis that closes the one at `at`; the last place where none does."""
    depth = 0
    for k in range(at, len(texts)):
        depth += {"(": 1, ")": -1}.get(texts[k], 0)
        if depth == 0:
            return k
    return len(texts) - 1


def _is_word(text: str) -> bool:
    return _WORD.match(text) is not None
