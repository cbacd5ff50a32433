"""The table of public projects' tests hangs together with the script that makes it."""

from __future__ import annotations

from pathlib import Path

import cpp_tests
from harness import read

TABLE = Path(__file__).parents[2] / "results" / "cpp_tests.csv"


def test_the_table() -> None:
    """Rows are of projects at their commits; each test is safe, violated, too long or refused."""
    _, rows = read(TABLE)
    assert [list(row) for row in rows] == [cpp_tests.FIELDS] * len(rows)
    for row in rows:
        project = cpp_tests.PROJECTS[row["project"]]
        assert project.commit.startswith(row["commit"])
        counts = [int(row[name]) for name in ("safe", "violated", "too_long", "refused")]
        assert sum(counts) == int(row["tests"]) > 0
        assert bool(row["why"]) is (row["refused"] != "0")
    (smaller,) = (row for row in rows if row["smaller"])
    assert (smaller["smaller"], smaller["violated"]) == ("VyukovBoundedQueue.parallel_usage MaxIterations=2", "1")
