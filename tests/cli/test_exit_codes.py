"""What ends a command, and with which exit code: 1 means a violation, and nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys

import click
import pytest

import xgen
from cli.fake import Library, run
from xgen.clock import OutOfTime
from xgen.errors import InternalError, LimitError, ModelError, TooLongError

OWN = f"error: xgen {xgen.__version__} has made a mistake, please report it with its input: "


ENDS: list[tuple[BaseException, int, str]] = [
    (ModelError("this is wrong"), 2, "error: this is wrong\n"),
    (LimitError("this is too large"), 2, "error: this is too large\n"),
    (TooLongError("this goes on and on"), 3, "error: this goes on and on\n"),
    (click.FileError("a.xcfa", "no"), 2, "Error: Could not open file 'a.xcfa': no\n"),
    (RecursionError(), 2, "error: the input is nested too deeply\n"),
    (OSError(28, "No space left on device"), 2, "error: [Errno 28] No space left on device\n"),
    (KeyboardInterrupt(), 3, "interrupted\n"),
    (MemoryError(), 3, "error: there is not enough memory\n"),
    (InternalError("`sc` is not extensible"), 4, f"{OWN}`sc` is not extensible\n"),
]


@pytest.mark.parametrize(("error", "code", "said"), ENDS)
def test_what_ends_a_command(error: BaseException, code: int, said: str, library: Library) -> None:
    library.error = error
    outcome = run("check", "d/a.xcfa", "--mcm", "sc")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (code, "", said)


def test_time_that_is_over(library: Library) -> None:
    """A check says so with its verdict."""
    library.error = OutOfTime()
    outcome = run("check", "d/a.xcfa", "--mcm", "sc")
    assert (outcome.exit_code, outcome.stderr) == (3, "")
    assert outcome.stdout.startswith("interrupted by the time limit after ")


@pytest.mark.parametrize("error", [ValueError("one\ntwo"), AssertionError(), KeyError("x"), StopIteration()])
def test_a_mistake_of_our_own(error: Exception, library: Library) -> None:
    """It is told in a line, with the place that a developer looks for first."""
    library.error = error
    outcome = run("check", "d/a.xcfa", "--mcm", "sc")
    assert (outcome.exit_code, outcome.stdout) == (4, "")
    said = f": {' '.join(str(error).split())}" if str(error) else ""
    assert outcome.stderr.startswith(f"{OWN}{type(error).__name__}{said} (fake.py, line ")
    assert outcome.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["xgen", "xgen._core", "xgen.cli", "xgen.cli.check"])
def test_ctrl_c_while_it_starts(module: str) -> None:
    """It is no violation, whatever is imported just then: the core would abort, and Python say that classes failed."""
    code = f"""
import signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = ["check", "peterson", "--mcm", "sc"]
from xgen_command import main
main()
"""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process inherits that a signal is ignored
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"interrupted\n")


def test_ctrl_c_that_python_takes_for_an_error(library: Library) -> None:
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    library.error = error
    outcome = run("check", "d/a.xcfa", "--mcm", "sc")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "", "interrupted\n")


def test_help_on_closed_and_full_outputs() -> None:
    """Whoever reads the help may go away; a disk that is full is no violation."""
    command = [sys.executable, "-m", "xgen", "--help"]
    gone = subprocess.run(f"{' '.join(command)} | true", shell=True, capture_output=True, check=False)
    assert (gone.returncode, gone.stderr) == (0, b"")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"error: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("arguments", [["check"], ["check", "no.xcfa", "--mcm", "sc"], ["chekc"], ["litmus", "no"]])
def test_nobody_hears_of_an_error(arguments: list[str]) -> None:
    """Standard error may be full or closed: the exit code is still that of the error."""
    command = [sys.executable, "-m", "xgen", *arguments]
    with open("/dev/full", "wb") as full:
        assert subprocess.run(command, stdout=subprocess.PIPE, stderr=full, check=False).returncode == 2
    closing = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    assert subprocess.run(closing, stdout=subprocess.PIPE, check=False).returncode == 2
