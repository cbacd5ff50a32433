"""The tests of Nidhugg and Dat3M (results/suites.csv): no verdict is wrong, and how verdicts are judged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import suites
from harness import read

ROOT = Path(__file__).parents[2]
ROWS = read(ROOT / "results" / "suites.csv")[1]


def test_no_verdict_is_wrong() -> None:
    counts = Counter(row["outcome"] for row in ROWS)
    assert set(counts) <= {"right", "unknown", "refused", "other", "differs"}
    assert counts["right"] > len(ROWS) / 2
    assert {row["test"] for row in ROWS if row["outcome"] == "differs"} == set(suites.DIFFER)
    for row in ROWS:
        assert (row["outcome"] == "right") <= (row["verdict"] in (row["expected"], "vacuous"))
        assert (row["outcome"] == "other") <= (row["why"] in suites.NOT_ASKED | suites.OF_THE_HEAP)


@pytest.mark.parametrize(
    ("verdict", "expected", "kind", "outcome"),
    [
        ("safe", "safe", "", "right"),
        ("safe", "violation", "", "wrong"),
        ("violation", "safe", "assertion", "wrong"),
        ("violation", "safe", "deadlock", "other"),
        ("violation", "violation", "assertion", "right"),
        ("safe-within-bound", "safe", "", "unknown"),
        ("interrupted", "violation", "", "unknown"),
    ],
)
def test_judged(verdict: str, expected: str, kind: str, outcome: str) -> None:
    assert suites.judged(verdict, expected, kind) == outcome


def test_cases_and_their_macros(tmp_path: Path) -> None:
    folder = tmp_path / "benchmarks" / "locks"
    folder.mkdir(parents=True)
    (folder / "a.c").write_text('#include "a.h"\n')
    (folder / "a.h").write_text("#ifdef ACQ2RX\n#endif\n#ifdef FAIL\n#endif\n")
    java = tmp_path / suites.JAVA
    java.mkdir(parents=True)
    (java / "RC11Test.java").write_text(
        'getTestResourcePath("locks/" + name + ".ll") createWmmFromName(() -> "rc11")\n'
        '{"a", C11, PASS},\n{"a-acq2rx_lock", C11, FAIL},\n{"a-CAS", C11, FAIL},\n{"a", C11, UNKNOWN},\n'
        '{"b", C11, PASS},\n'
    )
    found = [(test.name, test.model, test.expected, test.defines) for test in suites.of_dat3m(tmp_path)]
    assert found == [
        ("locks/a (rc11)", "rc11", "safe", ()),
        ("locks/a-acq2rx_lock (rc11)", "rc11", "violation", ("ACQ2RX",)),
        ("locks/a-CAS (rc11)", "rc11", "violation", ("FAIL",)),
    ]
