"""What came of tests that have no answer: in JSON, and as JUnit's XML."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from xgen.errors import ProgramError, TooLongError
from xgen.frontends.testing import NamedTest
from xgen.views.junit import render_tests
from xgen.views.named_tests import Done, render_json, row, summary

TEST = NamedTest("queue::push", "src/queue.rs", 7, "src/lib.rs")


@pytest.mark.parametrize(
    ("done", "kind", "tag"),
    [
        (Done(TEST, error=TooLongError("too long")), "limit", "error"),
        (Done(TEST, error=ProgramError("too long")), "input", "error"),
        (Done(TEST, mistake="too long"), "internal", "error"),
        (Done(TEST), None, "skipped"),
    ],
)
def test_no_answer(done: Done, kind: str | None, tag: str) -> None:
    (told,) = json.loads(render_json([done], 1.0))["tests"]
    assert (told["name"], told["file"], told["line"]) == ("queue::push", "src/queue.rs", 7)
    assert told["error"]["kind"] == kind if kind else told["ignored"]
    (case,) = ElementTree.fromstring(render_tests([done], 1.0))
    assert [(each.tag, each.get("message")) for each in case] == [(tag, "too long" if kind else "ignored")]
    assert row(done) == f"queue::push: {'no answer: too long' if kind else 'ignored'}"
    assert summary([done], 1.0, False) == f"1 test, 1 {'without an answer' if kind else 'ignored'}, 1.0 s"
