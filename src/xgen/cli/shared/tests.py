"""Tests as they stand in files: which are asked for, and what comes of several, each by itself."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

import click

import xgen
from xgen.analyses.check.result import nothing_found
from xgen.cli import files, options, output
from xgen.cli.shared import failures, pictures
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.engine.distributed.workers import Lost, in_order
from xgen.errors import InternalError, UsageError, XgenError, described, own_error
from xgen.exclusions import Excludes
from xgen.executions.result import Result
from xgen.frontends.testing import NamedTest, chosen
from xgen.records import dataclass
from xgen.shipped import find_program
from xgen.sources import CPP, RUST, read_source
from xgen.tags import EVERY_MACHINE
from xgen.views import named_tests as view
from xgen.views import tests_of_cargo as of_cargo
from xgen.views.findings import Form, of_result
from xgen.views.named_tests import Done

_MAIN = re.compile(r"^[^/\n]*\bfn main\b", re.M)
_TEST = re.compile(r"^\s*#\[(?:\w+::)*test\b", re.M)
_OF_ONE = (
    *(*pictures.FILES, "show", "full_witness", "explain", "verbose", "coverage", "weaken", "estimate", "dump"),
    *("checkpoint", "cluster", "memory_limit"),
)
LATE = 60.0
"""Seconds behind a test's time limit in which its process may say what it has found."""
RULES = (Excludes("several tests", _OF_ONE, "each of them has an answer of its own; --test NAME asks about one"),)


class Asked:
    """What the command's words ask of tests. `program`: a file; None: all targets of a project."""

    def __init__(self, program: str | None, c_options: dict[str, Any], listing: bool, lib: bool) -> None:
        self.program = program
        self.options = {name: value for name, value in c_options.items() if name != "test"}
        self._reading = {**self.options}
        if self._reading.get("map") == EVERY_MACHINE:  # of which the tests are the same
            del self._reading["map"]
        self.name: str | None = c_options.get("test")
        self.listing = listing
        self.lib = lib
        if program is None and "build" not in c_options:
            raise click.UsageError("Missing argument 'PROGRAM': a file, or the folder of a project behind -p.")

    @cached_property
    def file(self) -> Path | None:
        """The file of Rust or C++, if the program is one."""
        file = None if self.program is None else find_program(self.program)
        return file if file is not None and file.suffix in (*RUST, *CPP) else None

    @property
    def _of_cpp(self) -> bool:
        return self.file is not None and self.file.suffix in CPP

    @cached_property
    def wanted(self) -> bool:
        """Whether tests of Rust or C++ are asked for: also by a file that has no main, or one that runs tests."""
        if self.program is None or self.listing:
            return True
        if self.file is None:
            return False
        if self.name is not None:
            return True
        if self._of_cpp:
            if "entry" in self.options:
                return False
            from xgen.frontends.llvm.frameworks.headers import are_tests  # long to import

            names = (self.file, *self.options.get("others", ()))
            return are_tests([read_source(name).text for name in names])
        text = read_source(self.file).text
        return not _MAIN.search(text) and ("build" in self.options or bool(_TEST.search(text)))

    @cached_property
    def tests(self) -> list[NamedTest]:
        """The tests that are asked for. Raises as `xgen.list_tests` does, and UsageError where there is none."""
        only = {"test": self.name} if self._of_cpp and self.name is not None else {}
        known = xgen.list_tests(self.file or self.program, **self._reading, **only)
        if self.lib:
            known = [test for test in known if test.of_library]
        where = self.program or str(self.options["build"])
        return chosen(known, self.name, where)

    @cached_property
    def several(self) -> bool:
        """Whether each test that is asked for has an answer of its own, or they are listed."""
        if not self.wanted:
            return False
        return self.listing or self.name is None or [test.name for test in self.tests] != [self.name]

    @property
    def root(self) -> str:
        """The file that the only test is compiled with."""
        return self.tests[0].root


@dataclass(frozen=True)
class How:
    """How tests are checked: under which model, with which options of a question, each for how long; and told, in which
    form, in which files, and with which exit code of each."""

    model: str | None
    asked: dict[str, Any]
    timeout: float | None
    form: str
    errors: Form | None
    code: Callable[[Result], int]
    junit: Path | None = None
    sarif: Path | None = None
    processes: int | None = None
    as_cargo: bool = False


def run(asks: Asked, how: How) -> int:
    """Lists tests, or checks them, one after the other or in several processes, and says what comes of each; the exit
    code is that of the worst."""
    if not asks.listing:
        options.refuse(RULES, more={"several tests": "a check of several tests"})
        if how.model is None or asks.options.get("map") == EVERY_MACHINE:
            raise click.UsageError("--on all asks about one test: --test NAME names it.")
    start = time.monotonic()
    try:
        with time_limit(Clock(how.timeout).left()):
            tests = asks.tests
    except OutOfTime:
        output.complain("out of time: the tests are not compiled yet; --timeout is also how long that may take")
        if how.form == "json":
            output.emit(view.render_json([], time.monotonic() - start))
        return 3
    for report in (how.junit, how.sarif):
        if report is not None:
            files.prepare(report)
    if asks.listing:
        output.emit(view.listed_json(tests) if how.form == "json" else view.listed(tests))
        return 0
    done, stopped = list[Done](), False
    if how.as_cargo and how.form != "json":
        output.emit(of_cargo.heading(tests))
    try:
        with closing(_each(asks, how, tests)) as each:
            for one in each:
                done.append(one)
                _tell(one, how)
    except KeyboardInterrupt:
        stopped = True
    seconds = time.monotonic() - start
    ended = of_cargo.summary if how.as_cargo else view.summary
    output.emit(view.render_json(done, seconds) if how.form == "json" else ended(done, seconds, stopped))
    if how.junit is not None:
        from xgen.views.junit import render_tests

        files.write(how.junit, render_tests(done, seconds))
    if how.sarif is not None:
        from xgen.views.sarif import of_findings

        facts = {"tests": len(done), "violated": sum(view.outcome(one) == "violated" for one in done)}
        finished = not stopped and all(view.outcome(one) != "without an answer" for one in done)
        files.write(how.sarif, of_findings(view.findings(done), "xgen/tests", successful=finished, properties=facts))
    return 3 if stopped else _exit_code(done, how)


def _each(asks: Asked, how: How, tests: list[NamedTest]) -> Generator[Done, None, None]:
    """What comes of tests, in their order."""
    wanted = [test for test in tests if not test.ignored or test.name == asks.name]
    check = _Checker(asks.options, how, tests, wanted)
    with closing(_beside(check) if (how.processes or 1) > 1 and len(wanted) > 1 else _alone(check)) as found:
        for test in tests:
            yield next(found) if not test.ignored or test.name == asks.name else Done(test)


def _alone(check: _Checker) -> Generator[Done, None, None]:
    """What comes of tests, which this process checks one after the other; one that is interrupted is the last."""
    for task in check.tasks:
        done = check(task)
        yield done
        if done.result is not None and done.result.stopped == "interrupt":
            raise KeyboardInterrupt


def _beside(check: _Checker) -> Generator[Done, None, None]:
    """What comes of tests, in their order, of which several processes check one each at a time.

    Where it is interrupted, what has come of tests behind one without an answer is told as well.
    """
    from xgen.analyses.suite.runner import Spread, crew_for  # long to import

    timeout, size = check.how.timeout, min(check.how.processes or 1, len(check.tasks))
    most = float("inf") if timeout is None else timeout + LATE
    crew = crew_for(Spread(size), _checker, (check,), lambda _: most)
    with closing(in_order(crew, check.tasks)) as answers:
        for task, answer in answers:
            yield check.told(task, answer)


@dataclass(frozen=True)
class _Task:
    """One of the tests that are checked, by its number."""

    name: str
    number: int
    test: NamedTest


class _Checker:
    """Checks tests, each for itself; a process of its own may do it."""

    def __init__(self, c_options: dict[str, Any], how: How, tests: list[NamedTest], wanted: list[NamedTest]) -> None:
        self.how, self._options, self._tests = how, c_options, tests
        self.tasks = [_Task(test.name, number, test) for number, test in enumerate(wanted)]

    def __call__(self, task: _Task) -> Done:
        """What comes of a test."""
        test, clock = task.test, Clock(self.how.timeout)
        try:
            return Done(test, self._checked(test, clock))
        except OutOfTime:
            return self._late(test, clock.seconds)
        except InternalError as error:
            return Done(test, mistake=own_error(error.message))
        except XgenError as error:
            return Done(test, error=error)
        except Exception as error:
            return Done(test, mistake=own_error(described(error)))

    def told(self, task: _Task, answer: Done | Lost | Exception) -> Done:
        """What is said of a test, also where its process is gone."""
        if isinstance(answer, Done):
            return answer
        test = task.test
        if not isinstance(answer, Lost):
            return Done(test, mistake=own_error(described(answer)))
        if answer.late:
            return self._late(test, self.how.timeout or 0.0)
        why = f"the process that checked it was ended ({answer.how})"
        hint = "if memory was short: fewer --processes need less of it"
        return Done(test, error=UsageError(why, file=test.file, hint=hint))

    def _checked(self, test: NamedTest, clock: Clock) -> Result:
        asked = self.how.asked
        retries = {"retries": False} if asked["unroll"] else {}
        with time_limit(clock.left()):
            program = xgen.load(test.root, **self._options, **retries, test=test.name)
            model = xgen.model(str(self.how.model))
        with time_limit(clock.hard):
            return xgen.check(program, model, **asked, timeout=clock.left())

    def _late(self, test: NamedTest, seconds: float) -> Done:
        """What is said of a test for which the time was over before it was read."""
        given, project = self._options.get("constants", ()), self._options.get("build")
        model, depth = str(self.how.model), self.how.asked["max_depth"]
        lines = _lines_of(test, self._tests)
        return Done(test, nothing_found(test.root, model, depth, seconds, "timeout", given, lines, project))


def _checker(check: _Checker) -> _Checker:
    """What a process checks tests by: what it was given."""
    return check


def _lines_of(test: NamedTest, tests: list[NamedTest]) -> range:
    """Where a test is in its file: up to the next one."""
    behind = [other.line for other in tests if other.file == test.file and other.line > test.line]
    return range(test.line, min(behind, default=1 << 30))


def _tell(done: Done, how: How) -> None:
    """A test's line, and what is wrong, for people and for machines."""
    if how.form != "json":
        output.emit(of_cargo.row(done) if how.as_cargo else view.row(done))
    if done.error is not None:
        output.complain(done.error.report("input"))
    elif done.mistake is not None:
        output.complain(f"error: {done.mistake}")
    elif done.result is not None:
        failures.print_beside(of_result(done.result), how.errors, shown=False)


def _exit_code(done: list[Done], how: How) -> int:
    """4: an error of our own, 1: a test is violated, 3: one has no answer, else 0."""
    if any(one.mistake is not None for one in done):
        return 4
    codes = {3 if one.result is None else how.code(one.result) for one in done if not one.is_ignored}
    return 1 if 1 in codes else max(codes, default=0)
