"""What is said of a litmus test: the answer first, of the model, and herd's words behind it."""

from __future__ import annotations

from typing import Any

import pytest

from xgen.analyses.suite.litmus import LitmusResult
from xgen.views.answers.litmus import sentence

ASKED = "(0:EAX=0 /\\ 1:EAX=0)"


@pytest.mark.parametrize(
    ("kind", "verdict", "positive", "negative", "said"),
    [
        ("Allowed", "Ok", 1, 3, "Yes: tso allows C (in 1 of 4 executions; herd: Ok, Sometimes)"),
        ("Allowed", "No", 0, 3, "Never: tso forbids C (in none of 3 executions; herd: No, Never)"),
        ("Forbidden", "Ok", 0, 3, "Holds: no execution of tso has C (in none of 3 executions; herd: Ok, Never)"),
        (
            "Forbidden",
            "No",
            1,
            0,
            "Fails: tso allows C, which the test forbids (in 1 of 1 execution; herd: No, Always)",
        ),
        ("Required", "Ok", 2, 0, "Holds: every execution of tso has C (in 2 of 2 executions; herd: Ok, Always)"),
        ("Required", "No", 2, 1, "Fails: tso allows other ends than C (1 of 3 executions; herd: No, Sometimes)"),
        ("Allowed", "Undef", 2, 1, "Undefined: tso promises nothing of this test (race; herd: Undef, Sometimes)"),
    ],
)
def test_sentences(kind: Any, verdict: Any, positive: int, negative: int, said: str) -> None:
    quantifier = {"Allowed": "exists", "Forbidden": "~exists", "Required": "forall"}[kind]
    flags = ("race",) if verdict == "Undef" else ()
    result = LitmusResult(
        "SB", "SB.litmus", "X86", "tso", kind, f"{quantifier} {ASKED}", verdict, positive, negative, flags=flags
    )
    assert sentence(result) == said.replace(" C", f" {ASKED[1:-1]}", 1)
