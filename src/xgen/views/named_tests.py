"""Tests and what came of each: a line for people, a document for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from xgen.errors import XgenError, kind_of
from xgen.executions.result import Result
from xgen.frontends.testing import NamedTest
from xgen.records import dataclass
from xgen.resources import short
from xgen.version import __version__
from xgen.views.answers.json import document, error_to_dict, result_to_dict
from xgen.views.answers.text import verdict_line
from xgen.views.findings import Finding, of_error, of_result
from xgen.views.words import duration, plural


@dataclass(frozen=True)
class Done:
    """What came of a test: a result, or what kept it from one (`mistake`: one of xgen's own). None of them: it was not
    run."""

    test: NamedTest
    result: Result | None = None
    error: XgenError | None = None
    mistake: str | None = None

    @property
    def is_ignored(self) -> bool:
        """Whether it was not run."""
        return self.result is None and self.error is None and self.mistake is None


def listed(tests: Sequence[NamedTest]) -> str:
    """The names of tests, and where they are."""
    width = max((len(test.name) for test in tests), default=0)
    rows = (f"{test.name:<{width}}  {_place(test)}{'  ignored' if test.ignored else ''}" for test in tests)
    return "\n".join(rows)


def _place(test: NamedTest) -> str:
    return f"{short(test.file)}:{test.line}"


def listed_json(tests: Sequence[NamedTest]) -> str:
    """The document of what there is."""
    return document({"xgen": __version__, "tests": [{**_about(test), "ignored": test.ignored} for test in tests]})


def _about(test: NamedTest) -> dict[str, Any]:
    return {"name": test.name, "file": short(test.file), "line": test.line}


def row(done: Done) -> str:
    """What came of a test, in a line."""
    if done.result is not None:
        return f"{done.test.name}: {verdict_line(done.result)}{_smaller(done.result)}"
    if done.is_ignored:
        return f"{done.test.name}: ignored"
    return f"{done.test.name}: no answer: {reason(done)}"


def _smaller(result: Result) -> str:
    """What may be tried with less, where there was not time enough."""
    return "".join(f"; {each.removeprefix('note: ')}" for each in result.warnings if each.startswith("note: try --set"))


def summary(done: Sequence[Done], seconds: float, stopped: bool) -> str:
    """How many tests there were, and what came of them."""
    counts = Counter(map(outcome, done))
    told = [f"{counts[name]} {name}" for name in ("safe", "violated", "without an answer", "ignored") if counts[name]]
    words = ", ".join((plural(len(done), "test"), *told, duration(seconds)))
    return f"interrupted: {words}" if stopped else words


def outcome(done: Done) -> str:
    """ "safe", "violated", "without an answer" or "ignored"."""
    if done.is_ignored:
        return "ignored"
    if done.result is None or done.result.vacuous or done.result.verdict == "interrupted":
        return "without an answer"
    return "violated" if done.result.verdict == "violation" else "safe"


def findings(done: Sequence[Done]) -> Iterator[Finding]:
    """What is wrong, of all tests."""
    for one in done:
        if one.result is not None:
            yield from of_result(one.result)
        elif one.error is not None:
            yield from of_error(one.error)


def reason(done: Done) -> str:
    """Why a test has no answer, or what is wrong in it."""
    if done.result is not None:
        return verdict_line(done.result)
    return (done.mistake or "") if done.error is None else done.error.message


def render_json(done: Sequence[Done], seconds: float) -> str:
    """The document for scripts: of each test what a check says of one."""
    return document({"xgen": __version__, "tests": list(map(_told, done)), "seconds": round(seconds, 6)})


def _told(done: Done) -> dict[str, Any]:
    if done.result is not None:
        return {**_about(done.test), **result_to_dict(done.result)}
    if done.is_ignored:
        return {**_about(done.test), "ignored": True}
    kind = "internal" if done.error is None else kind_of(done.error)
    return {**_about(done.test), "error": error_to_dict(kind, done.error or done.mistake or "")}
