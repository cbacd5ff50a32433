"""The table of differences: what its rows name is there, and a row that no text needs makes a run of all texts fail."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from both.table import Unused, row_of, rows

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("row", "why"), rows())
def test_rows_have_a_test_and_a_reason(row: str, why: str) -> None:
    path, _, name = row.partition("::")
    tests = re.findall(r"^def (test_\w+)", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert why
    assert any(fnmatchcase(test, name.partition("[")[0]) for test in tests)


def test_rows_that_are_not_needed() -> None:
    (first, _), (second, _), *_ = rows()
    one, other = (row.replace("*", "") for row in (first, second))
    run = Unused()
    run.ran |= {one, "tests/c/language/test_values.py::test_all"}
    assert run.rows() == [first]
    run.needed.add(first)
    assert run.rows() == []
    run.ran.add(other)
    assert run.rows() == [second]
    assert row_of(one) == first
    assert row_of("tests/c/language/test_values.py::test_all") is None
