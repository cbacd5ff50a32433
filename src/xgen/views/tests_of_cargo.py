"""Tests and what came of each, as `cargo test` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xgen.executions.result import Result
from xgen.frontends.testing import NamedTest
from xgen.views.answers.text import verdict_line
from xgen.views.named_tests import Done, outcome, reason
from xgen.views.words import duration, plural

_WORDS = {"safe": "ok", "violated": "FAILED", "without an answer": "no answer", "ignored": "ignored"}


def heading(tests: Sequence[NamedTest]) -> str:
    """What is printed first."""
    return f"\nrunning {plural(len(tests), 'test')}"


def row(done: Done) -> str:
    """What came of a test, in a line; of one that is safe but for something, with what that is."""
    word, result = _WORDS[outcome(done)], done.result
    if word == "ok" and result is not None and not _is_plainly_safe(result):
        word = f"ok: {verdict_line(result)}"
    return f"test {done.test.name} ... {word}"


def _is_plainly_safe(result: Result) -> bool:
    return result.verdict == "safe" and result.exhaustive and not result.stuck and not result.accepted


def summary(done: Sequence[Done], seconds: float, stopped: bool) -> str:
    """What went wrong in which test, or kept it from an answer; how many there were of each."""
    bad = [one for one in done if outcome(one) in ("violated", "without an answer")]
    counts = Counter(map(outcome, done))
    lines = [""]
    if bad:
        lines.append("failures:\n")
        lines += [f"---- {one.test.name} ----\n{reason(one)}\n" for one in bad]
    word = "interrupted" if stopped else "FAILED" if counts["violated"] else "no answer" if bad else "ok"
    numbers = [f"{counts['safe']} passed", f"{counts['violated']} failed"]
    numbers += [f"{counts['without an answer']} without an answer"] if counts["without an answer"] else []
    numbers += [f"{counts['ignored']} ignored", f"finished in {duration(seconds)}"]
    return "\n".join((*lines, f"test result: {word}. {'; '.join(numbers)}"))
