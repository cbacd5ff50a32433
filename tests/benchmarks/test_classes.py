"""The rows of the table of classes."""

from __future__ import annotations

from classes import PROGRAMS, row
from families import instance


def test_rows() -> None:
    each, classes, orbits = (row(instance("readers(3)"), "sc", by) for by in ("executions", "rf", "orbits"))
    assert each["executions"] == classes["executions"] == orbits["executions"] == 8
    assert (classes["classes"], classes["orbits"], orbits["classes"], orbits["orbits"]) == (8, 8, 8, 4)
    assert "classes" not in each


def test_a_run_without_an_end_has_no_numbers() -> None:
    assert "seconds" not in row(instance("writers(6,6)"), "sc", "executions", limit=0.01)


def test_all_programs_are_there() -> None:
    assert all(instance(name).text for name in PROGRAMS)
