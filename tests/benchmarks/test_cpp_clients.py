"""Clients of public C++ structures: each says of what, and has rows of results with the verdict that is expected of it;
nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import cpp
import pytest
import real
from harness import read

READING = read(Path(__file__).parents[2] / "results" / "reading.csv")[1]
RESULTS = read(Path(__file__).parents[2] / "results" / "cpp.csv")[1]
FOUND = {"seqlock_rigtorp", "fifo_farbot MANY", "queue_craflin"}
"""Those that race as they are (docs/found.md says how sure that is); what is changed in them mends it."""


def test_every_client_is_in_the_table() -> None:
    assert {row.client for row in cpp.ROWS} == {path.stem for path in real.CLIENTS.glob("*.cpp")}
    assert [row["client"] for row in RESULTS] == [row.name for row in cpp.ROWS]
    assert len({(row["repository"], row["client"].split()[0]) for row in RESULTS if row["executions"]}) >= 18


@pytest.mark.parametrize("number", range(len(cpp.ROWS)), ids=lambda number: f"{number} {cpp.ROWS[number].name}")
def test_what_came_out(number: int) -> None:
    """What is as it is is safe but for what was found, and what is broken is found."""
    row, stored, found = cpp.ROWS[number], RESULTS[number], real.head(f"{cpp.ROWS[number].client}.cpp")
    assert (stored["repository"], stored["commit"]) == (found["repository"], found["commit"][:12])
    assert bool(stored["broken"]) == bool(row.file)
    wrong = (row.name in FOUND) != bool(row.file)
    safe = "safe-within-bound" if "--max-depth" in row.options else "safe"
    assert stored["verdict"] == ("violation" if wrong else safe)
    assert stored["why"] in (("race", "assertion") if wrong else ("",))


def test_each_program_is_read_in_less_time_than_it_is_compiled() -> None:
    """But for the one with vectors of threads, at most."""
    programs = {path.stem for path in (Path(__file__).parents[2] / "programs" / "cpp").glob("*.cpp")}
    assert {row["program"] for row in READING} == {name for name in programs if not name.endswith("_us")}
    slower = {
        row["program"] for row in READING if float(row["passes"]) + float(row["translation"]) >= float(row["compiler"])
    }
    assert slower <= {"workers"}
