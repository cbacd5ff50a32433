"""Asking a compiler: how it is run, what it says is wrong, and the files that are between."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from xgen.errors import Position, ProgramError, Source, UsageError
from xgen.sources import is_file, read_source


class CompilerError(ProgramError):
    """What a compiler says is wrong; it is told as the compiler tells it."""

    said = ""

    def report(self, kind: str | None = None) -> str:  # noqa: ARG002 - the compiler has none
        """All that it says."""
        return self.said


def run(words: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """What a command says, in English. Raises UsageError where it cannot be run."""
    try:
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, "LC_ALL": "C", **environment},
            check=False,
        )
    except OSError as error:
        raise UsageError(f"the compiler `{words[0]}` cannot be run: {error.strerror}") from None


def complaint(said: str, source: Source, errors: re.Pattern[str]) -> CompilerError | None:
    """What a compiler says, as an error that knows its places; `errors` finds these (file, line, column, text)."""
    found: list[CompilerError] = []
    for match in errors.finditer(said):
        where = source if match["file"] == source.name else _read(match["file"])
        position = Position(int(match["line"]), int(match["column"]))
        found.append(CompilerError(match["text"], where, position, file=match["file"]))
    if not found:
        return None
    first, *others = found
    first.said, first.others = said.rstrip("\n"), tuple(others)
    return first


def is_in_file(source: Source) -> bool:
    """Whether a text is that of the file of its name, which can be compiled then."""
    if not is_file(source.name):
        return False
    there = _read(source.name)
    return there is not None and there.text == source.text


def text_of(name: str) -> str:
    """The text of a file that a compiler has made."""
    return Path(name).read_text(encoding="utf-8", errors="surrogateescape")


def _read(name: str) -> Source | None:
    try:
        return read_source(name)
    except UsageError:
        return None
