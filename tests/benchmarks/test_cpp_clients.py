"""Clients of public C++ structures: each says of what, and has rows of results with the verdict that is expected of it;
nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import cpp
import pytest
import real
from harness import read

RESULTS = read(Path(__file__).parents[2] / "results" / "cpp.csv")[1]
RACY = {"seqlock_rigtorp"}
"""What it keeps is no atomic, which by the standard is a race."""


def test_every_client_is_in_the_table() -> None:
    assert {row.client for row in cpp.ROWS} == {path.stem for path in real.CLIENTS.glob("*.cpp")}
    assert [row["client"] for row in RESULTS] == [row.name for row in cpp.ROWS]
    assert len({(row["repository"], row["client"].split()[0]) for row in RESULTS if row["executions"]}) >= 18


@pytest.mark.parametrize("number", range(len(cpp.ROWS)), ids=lambda number: f"{number} {cpp.ROWS[number].name}")
def test_what_came_out(number: int) -> None:
    """What is as it is is safe, what is broken is found."""
    row, stored, found = cpp.ROWS[number], RESULTS[number], real.head(f"{cpp.ROWS[number].client}.cpp")
    assert (stored["repository"], stored["commit"]) == (found["repository"], found["commit"][:12])
    assert bool(stored["broken"]) == bool(row.file)
    wrong = row.client in RACY or bool(row.file)
    assert stored["verdict"] == ("violation" if wrong else "safe")
    assert stored["why"] in (("race", "assertion") if wrong else ("",))
