"""The share of dead ends among shipped programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from dead_ends import PROGRAMS, row
from harness import read


@pytest.mark.parametrize(("name", "whole"), [("mp.xcfa", 3), ("c/treiber.c", 20)])
def test_rows(name: str, whole: int) -> None:
    found = row(PROGRAMS / name)
    assert found["whole"] == whole
    assert float(str(found["share"])) < 0.6


def test_a_run_without_an_end_has_no_numbers() -> None:
    assert "share" not in row(PROGRAMS / "bakery_us.xcfa", limit=0.0)


def test_no_shipped_program_leads_to_more_dead_ends_than_others() -> None:
    rows = read(Path(__file__).parents[2] / "results" / "dead_ends.csv")[1]
    assert [found["program"] for found in rows if float(found["share"] or 0) >= 0.5] == []
