"""Suites of litmus tests: finding them, running them in several processes, comparing with expected verdicts."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.errors import (
    InternalError,
    LimitError,
    ModelError,
    Position,
    Source,
    TooLongError,
    UnsupportedError,
    UsageError,
    XgenError,
    described,
    own_error,
)
from xgen.memory.algebra import Model
from xgen.memory.library import load_model
from xgen.records import dataclass, replace
from xgen.sources import STANDARD_INPUT, read_source

if TYPE_CHECKING:
    from xgen.frontends.litmus.test import LitmusTest

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Item:
    """A test under a model, or under its architecture's own.

    `text`: what the file has, where that is known; `liveness`: whether every thread ends is asked; `until_decided`: no
    more is explored than it takes to know the verdict.
    """

    path: str
    model: str | None
    text: str | None = None
    liveness: bool = False
    until_decided: bool = False


def find_tests(paths: Iterable[str]) -> list[str]:
    """The tests that paths name: a file, the *.litmus files in a folder (sorted), or those that @LIST lists.

    A list has a path in each line, which is relative to the list's folder; blank lines and lines that start with `#`
    do not count. Raises UsageError where there is nothing.
    """
    found: list[str] = []
    for path in paths:
        if path.startswith("@"):
            found += _listed(path[1:])
        else:
            found += _under(path)
    return found


def _under(path: str) -> list[str]:
    if path in ("-", "litmus:-"):
        return [STANDARD_INPUT["litmus:-"]]
    if not os.path.exists(path):
        raise UsageError("there is no such file or folder", file=path)
    if not os.path.isdir(path):
        return [path]
    tests = sorted(str(file) for file in Path(path).rglob("*.litmus") if file.is_file())
    if not tests:
        raise UsageError("there are no litmus tests (*.litmus) in this folder", file=path)
    return tests


def _listed(name: str) -> list[str]:
    source = read_source(name)
    folder, found = os.path.dirname(name), list[str]()
    for number, line in enumerate(source.text.split("\n"), 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        path = os.path.join(folder, entry)
        if not os.path.exists(path):
            raise UsageError(
                f"there is no such file: {path}", source, Position(number, line.index(entry) + 1, len(entry))
            )
        found += _under(path)
    if not found:
        raise UsageError("there are no tests in this list", file=name)
    return found


_model = cache(load_model)


def check_model(name: str) -> None:
    """Raises what is wrong with a model, if it is of use for no architecture: that is no test's fault."""
    try:
        _model(name)
    except ModelError:
        from xgen.tags import ARCHITECTURES

        if not name.endswith(".cat") or not any(_is_model(name, architecture) for architecture in ARCHITECTURES):
            raise


def _is_model(name: str, architecture: str) -> bool:
    try:
        _model(name, architecture)
    except XgenError:
        return False
    return True


Load = Callable[[str, str | None], Model]
"""Gives the model of a name, for an architecture."""


def read_test(path: str, model: str | None, liveness: bool = False) -> tuple[LitmusTest, LitmusResult]:
    """The test in a file, and a result without a verdict that says whose it is, and of which model."""
    from xgen.frontends.litmus import read_litmus

    test = read_litmus(read_source(path))
    if liveness:
        test = asking_whether_all_end(test)
    return test, LitmusResult(test.name, path, test.arch, model or test.model)


def asking_whether_all_end(test: LitmusTest) -> LitmusTest:
    """The test with that as its question. Raises UnsupportedError where executions do not tell."""
    from xgen.frontends.litmus.barriers import crossing, influenced

    crossed = crossing(test.barriers)
    if crossed is not None:
        message = "whether threads end that may come to barriers in several orders is not supported"
        raise UnsupportedError(message, test.source, crossed.position)
    decided = influenced(test.barriers)
    if decided is not None:
        message = "whether threads end that come to a barrier behind a branch is not supported here"
        hint = "another thread of the group writes behind a barrier, which could decide it"
        raise UnsupportedError(message, test.source, decided.position, hint)
    return replace(test, liveness=True)


def model_for(result: LitmusResult, load: Load) -> Model:
    """The model of such a result."""
    assert result.model is not None
    return load(result.model, result.arch if result.model.endswith(".cat") else None)


def run_file(
    path: str,
    model: str | None = None,
    timeout: float | None = None,
    load: Load = _model,
    run: Callable[[LitmusTest, Model, float | None], LitmusResult | A] = run_litmus,
    liveness: bool = False,
) -> LitmusResult | A:
    """The result of the test in a file, under a model or under its architecture's own. Never raises an Exception.

    `run` makes it, or something else, of the test, its model and the seconds that are left. `liveness`: whether every
    thread ends is asked.
    """
    clock = Clock(timeout)
    result = LitmusResult(Path(path).stem, path, None, model)
    try:
        with time_limit(clock.hard):
            test, result = read_test(path, model, liveness)
            found = run(test, model_for(result, load), clock.left())
            if not isinstance(found, LitmusResult):
                return found
            result = replace(found, path=path)
    except (OutOfTime, Exception) as error:
        result = failed(result, error)
    return replace(result, seconds=clock.seconds)


def failed(result: LitmusResult, error: OutOfTime | Exception) -> LitmusResult:
    """What is said of a test of which this came."""
    match error:
        case OutOfTime():
            return replace(result, stopped="timeout")
        case InternalError():
            return replace(result, error=own_error(error.message), own_error=True)
        case UnsupportedError() | LimitError():
            too_large = isinstance(error, TooLongError)
            return replace(result, unsupported=_sentence(error), too_large=too_large)
        case XgenError():
            return replace(result, error=_sentence(error))
        case RecursionError():
            return replace(result, unsupported="it is nested too deeply")
        case MemoryError():
            return replace(result, error="there is not enough memory", too_large=True)
        case Exception():
            return replace(result, error=own_error(described(error)), own_error=True)


def _sentence(error: XgenError) -> str:
    place = "".join(f"{part}:" for part in (error.line, error.column) if part is not None)
    hint = f" ({error.hint})" if error.hint else ""
    return f"{place} {error.message}{hint}".lstrip()


# ---- expected verdicts


VERDICTS = ("Ok", "No", "Undef", "vacuous", "unsupported", "error", "timeout")
"""What a run of a test may come to. "vacuous": no execution completes, so that herd's verdict says nothing; the last
three: there is none."""


def outcome_of(result: LitmusResult) -> str:
    """What the run of a test came to, as expectations write it."""
    if result.stopped == "decided":
        return str(result.decided)
    if result.verdict is not None:
        return "vacuous" if result.vacuous else result.verdict
    return "unsupported" if result.unsupported else "error" if result.error else "timeout"


@dataclass(frozen=True)
class Expectations:
    """Expected outcomes (`VERDICTS`) by the real paths of tests."""

    by_path: Mapping[str, str]

    def expected(self, path: str) -> str | None:
        """What is expected of the test in a file, if anything is."""
        return self.by_path.get(os.path.realpath(path))

    def met(self, result: LitmusResult) -> bool | None:
        """Whether a result is as expected, or would be had it had the time; None where nothing is."""
        expected = self.expected(result.path)
        return None if expected is None else expected in (outcome_of(result), result.decided)


def read_expectations(name: str) -> Expectations:
    """The expectations in a file: lines `path,verdict` (CSV), or JSON objects with these keys, one a line.

    Paths are relative to the file's folder, or else to the current one. Raises UsageError with the line.
    """
    source = read_source(name)
    folder, found = os.path.dirname(name), dict[str, str]()
    rows = _json_rows(source) if source.text.lstrip().startswith("{") else _csv_rows(source)
    for line, path, verdict in rows:
        if verdict not in VERDICTS:
            hint = f"expected one of {', '.join(VERDICTS)}"
            raise UsageError(f"`{verdict}` is not a verdict", source, Position(line, 1), hint)
        beside = os.path.join(folder, path)
        try:
            found[os.path.realpath(beside if os.path.exists(beside) or not os.path.exists(path) else path)] = verdict
        except ValueError:  # a NUL, or half of a character
            raise UsageError("this line names no file", source, Position(line, 1)) from None
    if not found:
        raise UsageError("there are no expectations in this file", file=name)
    return Expectations(found)


def _csv_rows(source: Source) -> Iterator[tuple[int, str, str]]:
    reader = csv.reader(io.StringIO(source.text))
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            message = f"this line cannot be read: {error}"
            raise UsageError(message, source, Position(reader.line_num, 1), "expected `path,verdict`") from None
        if row is None:
            return
        if not row or row[0].startswith("#") or (reader.line_num == 1 and row[:2] == ["path", "verdict"]):
            continue
        if len(row) < 2:
            raise UsageError(
                "this line has no verdict", source, Position(reader.line_num, 1), "expected `path,verdict`"
            )
        yield reader.line_num, row[0].strip(), row[1].strip()


def _json_rows(source: Source) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(source.text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            yield number, str(row["path"]), str(row["verdict"])
        except (ValueError, KeyError, TypeError, RecursionError):
            hint = 'expected, say, {"path": "SB.litmus", "verdict": "Ok"}'
            raise UsageError("this line is no expectation", source, Position(number, 1), hint) from None


def expectations_text(name: str, results: Iterable[LitmusResult]) -> str:
    """What the results came to, as a file of that name holds it: JSON lines if the name ends in .jsonl, else CSV.

    Paths are relative to the file.
    """
    folder = os.path.dirname(os.path.realpath(name))
    rows = [(os.path.relpath(os.path.realpath(result.path), folder), result) for result in results]
    if name.endswith(".jsonl"):
        entries = (
            {"path": path, "name": result.name, "model": result.model, "verdict": outcome_of(result)}
            for path, result in rows
        )
        return "".join(json.dumps(entry) + "\n" for entry in entries)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("path", "verdict"))
    writer.writerows((path, outcome_of(result)) for path, result in rows)
    return text.getvalue()
