"""Results of litmus tests, of claims, and of tests in files, as JUnit's XML, for what shows how tests went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from xml.etree import ElementTree

from xgen.analyses.claims.files import Claims
from xgen.analyses.claims.run import Checked
from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.suite import Expectations, outcome_of
from xgen.executions.result import Result
from xgen.frontends.testing import NamedTest
from xgen.resources import short
from xgen.views.answers.claims import told
from xgen.views.answers.litmus import NOTHING, reason
from xgen.views.named_tests import Done, outcome
from xgen.views.named_tests import reason as reason_of_test

_Row: TypeAlias = tuple[str, str, float, str, str]
"""Of a test: its file, its name, the seconds that it took, the tag of what happened ("" where all is well), and why."""


def render_claims(claims: Claims) -> str:
    """JUnit's XML of claims: a failure is one that is not kept, an error what cannot be read."""
    rows = list[_Row]()
    for file in claims.files:
        rows += [(file.file, one.claim.said, one.seconds, *_claimed(file.file, one)) for one in file.checked]
        rows += [(file.file, "what can be read", 0.0, "error", str(error)) for error in file.errors]
        rows += [(file.file, "what xgen does", 0.0, "error", mistake) for mistake in file.mistakes]
    return _of_files("xgen test", rows, claims.seconds)


def render_result(program: str, result: Result) -> str:
    """JUnit's XML of one check, whose program is named as people read it: a test of that name."""
    return render_tests([Done(NamedTest(program, program, 1, program), result)], result.seconds)


def render_tests(done: Sequence[Done], seconds: float) -> str:
    """JUnit's XML of tests as they stand in files: a failure is a violation, an error what cannot be read; what is
    ignored, or has no answer, is skipped."""
    rows = (
        (one.test.file, one.test.name, 0.0 if one.result is None else one.result.seconds, *_ended(one)) for one in done
    )
    return _of_files("xgen check", rows, seconds)


def _of_files(name: str, rows: Iterable[_Row], seconds: float) -> str:
    """The document of tests that stand in files."""
    suite = ElementTree.Element("testsuite", name=name)
    counts = Counter[str]()
    for path, test, took, tag, message in rows:
        file = short(path)
        case = ElementTree.SubElement(suite, "testcase", name=test, classname=file, file=file, time=f"{took:.3f}")
        if tag:
            ElementTree.SubElement(case, tag, message=message)
        counts.update(["tests", tag])
    for key, tag in (("tests", "tests"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(counts[tag]))
    suite.set("time", f"{seconds:.3f}")
    return _document(suite)


def _ended(done: Done) -> tuple[str, str]:
    """The tag of a test in a file, and what is said."""
    if done.error is not None or done.mistake is not None:
        return "error", reason_of_test(done)
    if done.is_ignored:
        return "skipped", "ignored"
    tag = {"violated": "failure", "safe": ""}.get(outcome(done), "skipped")
    return tag, reason_of_test(done) if tag else ""


def _claimed(file: str, checked: Checked) -> tuple[str, str]:
    """The tag of a claim, and what is said."""
    if checked.kept is False:
        return "failure", told(file, checked)
    return ("", "") if checked.kept else ("skipped", checked.found)


def render(results: Sequence[LitmusResult], expectations: Expectations = NOTHING) -> str:
    """JUnit's XML: a failure is a test that is not as expected, an error one that cannot be read."""
    suite = ElementTree.Element("testsuite", name="xgen litmus", tests=str(len(results)))
    counts: Mapping[str, int] = Counter(_junit_case(suite, result, expectations) for result in results)
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(counts.get(tag, 0)))
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
    return _document(suite)


def _document(suite: ElementTree.Element) -> str:
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _junit_case(suite: ElementTree.Element, result: LitmusResult, expectations: Expectations) -> str:
    """Adds a test; the tag that says what happened, "" where all is well."""
    case = ElementTree.SubElement(
        suite, "testcase", name=result.path, classname=f"{result.arch}.{result.model}", time=f"{result.seconds:.3f}"
    )
    met, outcome = expectations.met(result), outcome_of(result)
    if met is False:
        tag, message = (
            "failure",
            f"expected {expectations.expected(result.path)}, is {outcome} {reason(result)}".rstrip(),
        )
    elif met or not reason(result):
        return ""
    else:
        tag, message = ("skipped" if result.unsupported else "error"), reason(result)
    ElementTree.SubElement(case, tag, message=message)
    return tag
