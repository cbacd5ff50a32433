"""Standard output: colour, missing readers, letters that the output lacks; and the progress line."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from xgen.cli import output
from xgen.cli.progress import ProgressLine, describe, progress_line
from xgen.engine.graphs.options import Progress
from xgen.views.answers.text import plain


class Terminal:
    """A standard output or standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("no_colour", "term", "painted"),
    [
        ("", "xterm", "\033[31m\033[1mviolation\033[0m"),
        ("1", "xterm", "violation"),
        ("", "dumb", "violation"),
    ],
)
def test_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch, no_colour: str, term: str, painted: str) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setenv("TERM", term)
    assert output.terminal_paint()("violation", "bad") == painted


def test_no_colour_elsewhere() -> None:
    assert output.terminal_paint() is plain


def python(code: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run code that writes with `emit` in a process of its own."""
    code = f"import sys; from xgen.cli.output import emit; {code}"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = "from xgen.cli.output import emit; import sys; [emit('x' * 99999) for _ in range(9)]; sys.exit(1)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_a_full_disk_is_an_error() -> None:
    with open("/dev/full", "wb") as full:
        done = python("emit('x')", stdout=full)
    assert b"standard output cannot be written: No space left on device" in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_closed_standard_output_is_no_error() -> None:
    done = python("sys.stdout = None; emit('x'); sys.exit(1)")
    assert (done.returncode, done.stderr) == (1, b"")


def test_letters_that_the_output_lacks_are_escaped() -> None:
    done = python(r"sys.stdout.reconfigure(encoding='ascii'); emit('gr\xf6\xdfe \udcff')", stdout=subprocess.PIPE)
    assert done.stdout == b"gr\\xf6\\xdfe \\udcff\n"


def report(seconds: float, blocked: int = 0) -> Progress:
    """What the library reports."""
    return Progress(executions=300, blocked=blocked, bounded=0, explored=999, seconds=seconds)


def test_progress_in_words() -> None:
    assert describe(report(2.0)) == "300 executions, 150 per second, 2.0 s"
    assert describe(report(2.0, blocked=100)) == "300 executions, 100 blocked, 200 per second, 2.0 s"
    long = replace(report(3.0), total=3000.0)
    assert describe(long) == "300 executions, 100 per second, 3.0 s, about 33 % explored"
    assert describe(replace(long, total=10.0)).endswith("about 99 % explored")  # it goes on, so it is not done
    assert describe(report(0)) == "300 executions, 0 per second, 0.000 s"


def test_short_runs_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    status = SimpleNamespace(
        start=lambda: shown.append("start"), stop=lambda: shown.append("stop"), update=shown.append
    )
    monkeypatch.setattr("rich.console.Console.status", lambda *_: status)
    with ProgressLine() as line:
        line(report(0.4))
    assert shown == []
    with ProgressLine() as line:
        line(report(0.4))
        line(report(2.0))
        line(report(4.0))
    assert shown == [
        "start", "300 executions, 150 per second, 2.0 s", "300 executions, 75 per second, 4.0 s", "stop",
    ]  # fmt: skip


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert progress_line(False) is None
    assert progress_line(True) is not None
    monkeypatch.undo()
    assert progress_line(True) is None
