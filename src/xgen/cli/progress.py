"""The line that shows how a long run is going: on a terminal only, and only after half a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from xgen.cli.output import is_terminal
from xgen.views.words import duration, one_line, plural

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.status import Status

    from xgen.analyses.suite.litmus import LitmusResult
    from xgen.engine.graphs.options import Progress

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
        if progress.seconds >= PATIENCE:
            self.say(describe(progress))

    def say(self, text: str) -> None:
        """Show a text."""
        if self._status is None:
            # Most runs are over before they need rich, whose import takes longer than they do.
            from rich.console import Console

            self._status = Console(stderr=True, highlight=False).status("")
            self._status.start()
        self._status.update(text)


def describe(progress: Progress) -> str:
    """A report in one line: what was found, how fast, for how long, and about how much of it is done."""
    seen = progress.executions + progress.blocked + progress.bounded
    rate = seen / progress.seconds if progress.seconds else 0
    parts = [plural(progress.executions, "execution")]
    parts += [
        f"{number} {word}" for number, word in ((progress.blocked, "blocked"), (progress.bounded, "bounded")) if number
    ]
    share = ""
    if progress.total:
        # The estimate may be too low; a run that goes on is not done.
        share = f", about {min(99, round(100 * progress.explored / progress.total))} % explored"
    note = f", {progress.note}" if progress.note else ""
    return f"{', '.join(parts)}, {rate:.0f} per second, {duration(progress.seconds)}{share}{note}"


class SuiteLine:
    """Shows how many tests of a suite are done, on standard error while the `with` block lasts."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._start = time.monotonic()
        self._bar: RichProgress | None = None

    def __enter__(self) -> SuiteLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, result: LitmusResult) -> None:
        """Count a test that is done."""
        self._done += 1
        if self._bar is None:
            if time.monotonic() - self._start < PATIENCE:
                return
            from rich import progress
            from rich.console import Console

            columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn())
            console = Console(stderr=True, highlight=False)
            self._bar = progress.Progress(*columns, progress.TimeRemainingColumn(), console=console, transient=True)
            self._bar.add_task("tests", total=self._total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._done, description=one_line(result.name, 30).ljust(30))


def suite_line(wanted: bool, total: int) -> SuiteLine | None:
    """The line of a suite of so many tests, if it is wanted and standard error is a terminal."""
    return SuiteLine(total) if wanted and is_terminal(sys.stderr) else None


def progress_line(wanted: bool) -> ProgressLine | None:
    """The line, if it is wanted and standard error is a terminal."""
    return ProgressLine() if wanted and is_terminal(sys.stderr) else None
