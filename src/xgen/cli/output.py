"""Writing to standard output: colour only where someone looks, no complaint where nobody reads on."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

import click

from xgen.errors import UsageError
from xgen.views.answers.text import Paint, plain

STYLES = {
    "good": {"fg": "green", "bold": True},
    "bad": {"fg": "red", "bold": True},
    "unsure": {"fg": "yellow", "bold": True},
    "title": {"bold": True},
    "dim": {"dim": True},
}
"""How the roles of a text view look on a terminal."""


_LINES = "xgen.lines"
"""Where the context keeps how many lines were written to standard output."""
COLOR = "xgen.color"
"""Where the context keeps whether colours are wanted: auto, always or never."""


def emit(text: str) -> None:
    """Write a text and a line end to standard output."""
    emit_all((text,))


def emit_all(pieces: Iterable[str]) -> None:
    """Write the pieces of a text and a line end to standard output.

    A reader that has gone away (`| head`) is no error: the rest of the output is dropped, and the exit code is still
    that of the answer. Characters that the output's encoding lacks are written as escapes.
    """
    if sys.stdout is None:  # the process was started with standard output closed
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    lines = 1
    try:
        for piece in pieces:
            sys.stdout.write(piece)
            lines += piece.count("\n")
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError as error:
        silence(1)
        if not isinstance(error, BrokenPipeError):
            raise UsageError(f"standard output cannot be written: {error.strerror}") from None
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_LINES] = context.meta.get(_LINES, 0) + lines


def complain(text: str) -> None:
    """Write a text and a line end to standard error; where that cannot be done nobody is told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        click.echo(text, err=True)
    except OSError:
        silence(2)


def silence(number: int) -> None:
    """Send a stream nowhere: Python flushes it once more when it ends, and that must find somewhere to write."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether someone looks at the stream; None stands for one that was closed before the start."""
    return stream is not None and stream.isatty()


def one_terminal() -> bool:
    """Whether who reads standard output reads standard error beside it."""
    return is_terminal(sys.stdout) and is_terminal(sys.stderr)


def scrolled() -> bool:
    """Whether the first line that was written has left the terminal."""
    written: int = click.get_current_context().meta.get(_LINES, 0)
    if not is_terminal(sys.stdout):
        return False
    import shutil  # long to import

    return written > shutil.get_terminal_size().lines


def terminal_paint() -> Paint:
    """The paint for standard output: colours where --color says so, or where someone looks (`_coloured`)."""
    context = click.get_current_context(silent=True)
    asked = "auto" if context is None else context.meta.get(COLOR, "auto")
    if asked == "never" or (asked == "auto" and not _coloured()):
        return plain
    return lambda text, role: click.style(text, **STYLES[role])  # type: ignore[arg-type]


def _coloured() -> bool:
    """Whether standard output gets colours if nothing is said: on a terminal, or where FORCE_COLOR asks for them.

    NO_COLOR is stronger than that; as people agreed, both count if they are not empty.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced != "0"
    return is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
