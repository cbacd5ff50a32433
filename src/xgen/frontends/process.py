"""Asking a compiler: how it is run, what it says is wrong, and the files that are between."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from xgen.clock import uninterrupted
from xgen.errors import Position, ProgramError, Source, UsageError
from xgen.sources import is_file, read_source

if TYPE_CHECKING:
    from subprocess import CompletedProcess, Popen


class CompilerError(ProgramError):
    """What a compiler says is wrong; it is told as the compiler tells it."""

    said = ""

    def report(self, kind: str | None = None) -> str:  # noqa: ARG002 - the compiler has none
        """All that it says, and what to do, where xgen knows that."""
        return f"{self.said}\n  {self.hint}" if self.hint else self.said


def run(words: Sequence[str], environment: Mapping[str, str], given: str = "") -> CompletedProcess[str]:
    """What a command says, in English, to what standard input gives it. Raises UsageError where it cannot be run."""
    import subprocess  # long to import, and rarely needed

    where = {**os.environ, "LC_ALL": "C", **environment}
    child: Popen[str] | None = None
    try:
        with uninterrupted():  # else it would run on
            child = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogateescape",
                env=where,
                start_new_session=True,
            )
        said, complaints = child.communicate(given)
    except OSError as error:
        raise UsageError(f"the compiler `{words[0]}` cannot be run: {error.strerror}") from None
    except BaseException:  # Ctrl-C, or the time is over
        if child is not None:
            _end(child)
        raise
    return subprocess.CompletedProcess(words, child.returncode, said, complaints)


def _end(child: Popen[str]) -> None:
    """Ends a command, and those that it has started, as compilers do."""
    if sys.platform == "win32":
        child.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    with child:  # its pipes are closed
        pass


def errors_in(said: str, source: Source, errors: re.Pattern[str]) -> Iterator[tuple[str, Source | None, Position, str]]:
    """What a compiler says is wrong: the text, the file, the place in it, the file's name as it says it.

    `errors` finds these (file, line, column, text). The file is `source` where it has its name, and None where it
    cannot be read.
    """
    for match in errors.finditer(said):
        name = match["file"]
        where = source if name == source.name else _read(name)
        yield match["text"], where, Position(int(match["line"]), int(match["column"] or 1)), name


def complaint(said: str, source: Source, errors: re.Pattern[str]) -> CompilerError | None:
    """What a compiler says, as an error that knows its places (`errors_in`)."""
    found = [CompilerError(text, at, place, file=name) for text, at, place, name in errors_in(said, source, errors)]
    if not found:
        return None
    first, *others = found
    first.said, first.others = said.rstrip("\n"), tuple(others)
    return first


def told(said: str, source: Source, errors: re.Pattern[str], compiler: str) -> CompilerError | UsageError:
    """The same; where it tells no place, that the compiler, which is called so, cannot compile the file."""
    line = next(filter(None, said.splitlines()), "it says nothing")
    return complaint(said, source, errors) or UsageError(f"{compiler} cannot compile this: {line}", file=source.name)


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
