"""Dartagnan's tests beside xgen (results/dartagnan.csv): which questions there are, and what each tool says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import dartagnan
import pytest
from dartagnan import Question
from harness import Finished, read

FACTS, ROWS = read(Path(__file__).parents[2] / "results" / "dartagnan.csv")
JAVA = """
    protected Provider<Integer> getBoundProvider() {
        return () -> 2;
    }
                {"queue", TSO, UNKNOWN},
                // {"queue", ARM8, PASS},
                {"queue-relaxed", POWER, FAIL},
"""
ASKED = Question("locks", "spin", "ARM8", 2, "FAIL")


def test_both_tools_have_each_question() -> None:
    assert (FACTS["repository"], FACTS["commit"]) == (dartagnan.REPOSITORY, dartagnan.COMMIT)
    assert FACTS["seed"] == str(dartagnan.SEED)
    asked = Counter((row["suite"], row["program"], row["model"]) for row in ROWS)
    assert len(asked) == dartagnan.COUNT
    assert set(asked.values()) == {2}
    assert {row["verdict"] for row in ROWS} <= {"safe", "violation", "no answer"}


def test_answers_are_the_same() -> None:
    answers: dict[tuple[str, str, str], set[str]] = {}
    for row in ROWS:
        if row["verdict"] != "no answer":
            answers.setdefault((row["suite"], row["program"], row["model"]), set()).add(row["verdict"])
    assert len(answers) == dartagnan.COUNT
    assert [asked for asked, verdicts in answers.items() if len(verdicts) > 1] == []


def test_questions_of_a_table(tmp_path: Path) -> None:
    (tmp_path / dartagnan.JAVA).mkdir(parents=True)
    for name in dartagnan.SUITES:
        (tmp_path / dartagnan.JAVA / f"{name}.java").write_text(JAVA if name == "LFDSTest" else "")
    assert list(dartagnan.questions(tmp_path)) == [
        Question("lfds", "queue", "TSO", 2, "UNKNOWN"),
        Question("lfds", "queue-relaxed", "POWER", 2, "FAIL"),
    ]


@pytest.mark.parametrize(
    ("output", "verdict", "note"),
    [
        ("Test: a.ll\nResult: FAIL\nReason: Program specification violation found\n", "violation", ""),
        ("Result: PASS\n", "safe", ""),
        ("Result: UNKNOWN\n", "safe", "not all of its loops are unrolled (bound 2)"),
    ],
)
def test_what_dartagnan_says(output: str, verdict: str, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dartagnan, "run", lambda *_, **__: Finished(0, 2.0, 1.0, 64.0, output))
    assert dartagnan.of_dartagnan(Path("there"), ASKED) == {
        "verdict": verdict, "executions": "", "note": note, "cpu_s": 1.0, "peak_mb": 64,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "verdict", "note"),
    [
        ({"verdict": "safe", "exhaustive": True, "executions": 3}, "safe", ""),
        ({"verdict": "safe", "exhaustive": False, "executions": 3}, "safe", "within a bound"),
        ({"verdict": "violation", "exhaustive": False, "executions": 3}, "violation", ""),
    ],
)
def test_what_xgen_says(answer: dict[str, object], verdict: str, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dartagnan, "run", lambda *_, **__: Finished(0, 2.0, 1.0, 64.0, f"note\n{json.dumps(answer)}"))
    found = dartagnan.of_xgen(Path("there"), ASKED)
    assert (found["verdict"], found["executions"], found["note"]) == (verdict, 3, note)


def test_no_answer_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dartagnan, "run", lambda *_, **__: Finished(1, 2.0, 1.0, 64.0, "out of memory\n"))
    for ask in (dartagnan.of_dartagnan, dartagnan.of_xgen):
        with pytest.raises(ValueError, match=r"^out of memory$"):
            ask(Path("there"), ASKED)
