"""The line that shows how a long run is going: on a terminal only, and only after half a second."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

from xgen.cli.output import is_terminal
from xgen.views.words import duration, plural

if TYPE_CHECKING:
    from rich.status import Status

    from xgen.engine.explore import Progress

PATIENCE = 0.5
"""Seconds that a run may take without saying anything."""


class ProgressLine:
    """Shows reports on standard error while the `with` block lasts, and wipes the line at its end."""

    def __init__(self) -> None:
        self._status: Status | None = None

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status:
            self._status.stop()

    def __call__(self, progress: Progress) -> None:
        """Show a report."""
        if progress.seconds < PATIENCE:
            return
        if self._status is None:
            # Most runs are over before they need rich, whose import takes longer than they do.
            from rich.console import Console

            self._status = Console(stderr=True, highlight=False).status("")
            self._status.start()
        self._status.update(describe(progress))


def describe(progress: Progress) -> str:
    """A report in one line: what was found, how fast, for how long."""
    seen = progress.executions + progress.blocked + progress.bounded
    rate = seen / progress.seconds if progress.seconds else 0
    parts = [plural(progress.executions, "execution")]
    parts += [
        f"{number} {word}" for number, word in ((progress.blocked, "blocked"), (progress.bounded, "bounded")) if number
    ]
    return f"{', '.join(parts)}, {rate:.0f} per second, {duration(progress.seconds)}"


def progress_line(wanted: bool) -> ProgressLine | None:
    """The line, if it is wanted and standard error is a terminal."""
    return ProgressLine() if wanted and is_terminal(sys.stderr) else None
