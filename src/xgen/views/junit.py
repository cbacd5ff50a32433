"""Results of litmus tests as JUnit's XML, for what runs tests and shows how they went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.suite import Expectations, outcome_of
from xgen.views.answers.litmus import NOTHING, reason


def render(results: Sequence[LitmusResult], expectations: Expectations = NOTHING) -> str:
    """JUnit's XML: a failure is a test that is not as expected, an error one that cannot be read."""
    suite = ElementTree.Element("testsuite", name="xgen litmus", tests=str(len(results)))
    counts: Mapping[str, int] = Counter(_junit_case(suite, result, expectations) for result in results)
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(counts.get(tag, 0)))
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
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
