"""`--on all`: the same check on each machine, one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Literal, Protocol

import xgen
from xgen.analyses.check.result import nothing_found
from xgen.cli import files, output
from xgen.cli.progress import ProgressLine
from xgen.cli.shared import failures
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.errors import XgenError
from xgen.exclusions import Excludes
from xgen.resources import short
from xgen.room import limited_memory
from xgen.shipped import find_program
from xgen.sources import is_file, is_standard_input, read_source
from xgen.tags import EVERY_MACHINE, MACHINES
from xgen.views import findings
from xgen.views.answers import machines as view
from xgen.views.answers.machines import OnMachine

ONE = (
    *("dot", "svg", "tex", "html", "show", "full_witness", "explain", "verbose", "coverage", "weaken"),
    *("junit", "checkpoint", "estimate", "dump code", "engine sat"),
)
RULES = (Excludes(f"machine {EVERY_MACHINE}", ONE, "it answers one row for each machine; name one machine"),)
"""What needs one machine."""


class Told(Protocol):
    """What is asked of an answer: see `Answering` in `check`."""

    @property
    def form(self) -> str: ...
    @property
    def quiet(self) -> bool: ...
    @property
    def complete(self) -> bool: ...
    @property
    def errors(self) -> findings.Form | None: ...
    @property
    def sarif(self) -> Path | None: ...


def check_everywhere(
    program: str, asked: dict[str, Any], c_options: dict[str, Any], told: Told, clock: Clock, line: ProgressLine | None
) -> int:
    """Prints what a check finds on each machine, as soon as it is there; the exit code: 1 where it goes wrong on any,
    else 3 where any has no answer, else 0. Raises what is wrong with the program on all of them."""
    path, start, answers = find_program(program), time.monotonic(), list[OnMachine]()
    for file in (str(path), *map(str, c_options.get("others", ()))):
        if not is_standard_input(file) and not is_file(file):
            read_source(file)  # what is wrong is said once
    for answer in _answers(path, asked, c_options, clock, line):
        answers.append(answer)
        if isinstance(answer.found, xgen.Result):
            failures.print_beside(findings.of_result(answer.found), told.errors, shown=told.form == "text")
        if told.form == "text" and not told.quiet:
            output.emit(view.row(answer))
    refused = [answer.found for answer in answers if isinstance(answer.found, XgenError)]
    if len(refused) == len(answers):
        raise refused[0]
    seconds = time.monotonic() - start
    output.emit(
        view.render_json(path.name, answers, seconds) if told.form == "json" else view.summary(answers, seconds)
    )
    if told.sarif is not None:
        files.write(told.sarif, view.to_sarif(short(str(path)), answers))
    whole = view.verdict(answers)
    if whole == "violation":
        return 1
    return 3 if whole == "interrupted" or (told.complete and whole != "safe") else 0


def _answers(
    path: Path, asked: dict[str, Any], c_options: dict[str, Any], clock: Clock, line: ProgressLine | None
) -> Iterator[OnMachine]:
    """What is found on each machine. Each has its share of the time that is left; Ctrl-C ends it for all."""
    interrupted = False
    for number, machine in enumerate(MACHINES):
        left = clock.left()
        own = Clock(None if left is None else left / (len(MACHINES) - number))
        try:
            if interrupted:
                raise KeyboardInterrupt
            with time_limit(own.hard), line or nullcontext():
                with limited_memory(asked["memory_limit"], f"reading {path.name}"):
                    loaded = xgen.load(path, **c_options, map=machine)
                model = xgen.model(MACHINES[machine])
                found: xgen.Result | XgenError = xgen.check(
                    loaded, model, **asked, timeout=own.left(), trace_limit=0, on_progress=line
                )
        except XgenError as error:
            found = error
        except (OutOfTime, KeyboardInterrupt) as error:
            stopped: Literal["timeout", "interrupt"] = "timeout" if isinstance(error, OutOfTime) else "interrupt"
            found = nothing_found(path.name, MACHINES[machine], asked["max_depth"], own.seconds, stopped)
        interrupted = interrupted or (isinstance(found, xgen.Result) and found.stopped == "interrupt")
        yield OnMachine(machine, found)
