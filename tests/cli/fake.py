"""A library that answers what a test wants, so that the commands are tested without an exploration."""

from __future__ import annotations

import re
from typing import Any

from click.testing import CliRunner
from click.testing import Result as Run
from views import samples

from xgen.cli import main
from xgen.errors import Source
from xgen.executions.result import Result


class Program(str):
    """A program, of which nothing is known but its name."""

    requirement = None
    source = Source("program.xcfa", "")


class Library:
    """Stands in for xgen.load, xgen.model and xgen.check; `calls` is what they were asked."""

    def __init__(self) -> None:
        self.result: Result = samples.result()
        self.error: BaseException | None = None
        self.memory_model: Any = "the model"
        self.calls: list[Any] = []

    def load(self, path: Any) -> Program:
        """Remembers the path."""
        self.calls.append(("load", str(path)))
        if self.error:
            raise self.error
        return Program("the program")

    def model(self, name: Any) -> Any:
        """Remembers the name."""
        self.calls.append(("model", str(name)))
        return self.memory_model

    def check(self, program: str, model: Any, **options: Any) -> Result:
        """Remembers the options, and returns what the test put into `result`."""
        assert (program, model) == ("the program", self.memory_model)
        self.calls.append(("check", options))
        return self.result


LINE = re.compile(r"^[^\n]+:\d+:\d+: (?:error: [^\n]* \[[a-z-]+\]|note: [^\n]*)\n", re.MULTILINE)


def unlined(told: str) -> str:
    """What is on standard error beside the lines that say where a violation is."""
    return LINE.sub("", told)


def run(*args: str) -> Run:
    """Run the command line; standard output and standard error are kept apart."""
    return CliRunner().invoke(main, list(args), catch_exceptions=False)
