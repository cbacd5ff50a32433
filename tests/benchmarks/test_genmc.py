"""GenMC's own tests (results/genmc.csv): C through the compiler is what it is through xgen's own reader."""

from __future__ import annotations

from pathlib import Path

from harness import read

ROWS = read(Path(__file__).parents[2] / "results" / "genmc.csv")[1]
ROUNDS = {
    "saver/spin+phi-header",
    "saver/spin-cas-onebranch",
    "saver/spin-cas-res",
}
"""Retry loops of which C's own reader leaves out more rounds."""
WAITS = {"saver/spin-lock"}
"""A lock of which the loop only waits as C's own reader has it; more of what the compiler made of it is blocked."""
ANSWERS = ("safe", "violation", "safe-within-bound")


def test_both_readers_say_the_same() -> None:
    found = {(row["test"], row["reader"]): row for row in ROWS}
    pairs = [
        (row, found[test, "own"])
        for (test, _), row in found.items()
        if row["reader"] == "clang" and (test, "own") in found
    ]
    answered = [(a, b) for a, b in pairs if a["verdict"] in ANSWERS and b["verdict"] in ANSWERS]
    assert len(answered) == 185
    for compiled, own in answered:
        assert compiled["verdict"] == own["verdict"], own["test"]
        same = compiled["executions"] == own["executions"], compiled["blocked"] == own["blocked"]
        assert all(same) == (own["test"] not in ROUNDS | WAITS), own["test"]
        assert same[0] == (own["test"] not in ROUNDS), own["test"]


def test_cpp_has_the_executions_that_genmc_expects() -> None:
    """But for a loop of which rounds are left out (docs/counts.md)."""
    cpp = [row for row in ROWS if (row["test"], row["reader"]) == (row["test"], "clang") and "/cpp-" in row["test"]]
    assert len(cpp) == 9
    assert all((row["verdict"], row["executions"]) == ("safe", row["expected"]) for row in cpp)
