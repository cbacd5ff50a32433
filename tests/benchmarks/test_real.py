"""Clients of public libraries: each says of what, is in the table, and has a row of results; nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
import real
from harness import read

RESULTS = read(Path(__file__).parents[2] / "results" / "real.csv")[1]
VERDICTS = {"safe", "safe-within-bound", "violation"}


def test_every_client_is_in_the_table() -> None:
    assert {row.client for row in real.ROWS} == {path.stem for path in real.CLIENTS.glob("*.c")}
    assert [row["client"] for row in RESULTS] == [row.name for row in real.ROWS]
    assert sum(row["verdict"] in VERDICTS for row in RESULTS) >= 15


@pytest.mark.parametrize("row", real.ROWS, ids=lambda row: row.name)
def test_what_a_client_says(row: real.Row) -> None:
    found = real.head(f"{row.client}.c")
    (stored,) = (each for each in RESULTS if each["client"] == row.name)
    assert (stored["repository"], stored["commit"]) == (found["repository"], found["commit"][:12])
    words = real.command(row, Path("/library"))
    assert words[words.index("--") + 1 :]
    assert all(Path(word).is_absolute() for word in words if word.endswith(".c"))


def test_answers() -> None:
    assert real.answer('{"error": {"message": "no such thing\\nat all"}}') == {
        "verdict": "refused",
        "why": "no such thing",
    }
    counts = '"executions": 0, "blocked": 3, "bounded": 0'
    empty = real.answer('note: x\n{"verdict": "safe", "vacuous": true, ' + counts + "}")
    assert (empty["verdict"], empty["blocked"]) == ("none completes", 3)
    wrong = real.answer('{"verdict": "violation", "witness": {"error": {"kind": "race"}}, ' + counts + "}")
    assert (wrong["verdict"], wrong["why"]) == ("violation", "race")
