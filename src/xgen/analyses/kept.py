"""The file in which a suite of tests is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xgen.analyses.litmus import LitmusResult
from xgen.analyses.suites import Item
from xgen.engine.file import KeptFile, damaged, reading


class KeptSuite(KeptFile):
    """The file of a suite: its tests with their texts, and what came of them."""

    kind = "a suite"
    tables = """
    CREATE TABLE item (number INTEGER PRIMARY KEY, path TEXT NOT NULL, model TEXT, text TEXT);
    CREATE TABLE result (number INTEGER PRIMARY KEY, data TEXT NOT NULL, again INTEGER NOT NULL);
    """

    @classmethod
    def begin(cls, path: Path, about: Mapping[str, Any], tests: Sequence[Item]) -> KeptSuite:
        """A new file for these tests."""

        def fill(db: sqlite3.Connection) -> None:
            rows = ((number, test.path, test.model, test.text) for number, test in enumerate(tests))
            db.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", rows)

        return cls.create(path, about, fill)

    def tests(self) -> list[Item]:
        """The tests."""
        return [Item(*row) for row in self._db.execute("SELECT path, model, text FROM item ORDER BY number")]

    def results(self) -> dict[int, LitmusResult]:
        """Those that there are; tests that had no time, or took their process along, are tried again."""
        try:
            rows = self._db.execute("SELECT number, data FROM result WHERE NOT again").fetchall()
            return {number: _thawed(json.loads(data)) for number, data in rows}
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise damaged(self.path, error) from None

    def commit(self, results: Mapping[int, LitmusResult], done: bool = False) -> bool:
        """Adds results; False where they cannot be written."""

        def write() -> None:
            rows = ((number, json.dumps(asdict(r)), r.stopped is not None or r.lost) for number, r in results.items())
            self._db.executemany("INSERT OR REPLACE INTO result VALUES (?, ?, ?)", rows)

        return self._committed(write, done)


def _thawed(values: dict[str, Any]) -> LitmusResult:
    states = tuple((str(state), int(count)) for state, count in values.pop("states"))
    return LitmusResult(**{**values, "states": states, "flags": tuple(values["flags"])})


def read_suite(path: Path, times: int) -> dict[str, Any]:
    """How many tests the suite in a file has, each so many times, and how many have a result."""
    with reading(path) as db:
        return {
            "tests": db.execute("SELECT COUNT(*) FROM item").fetchone()[0] // times,
            "answered": db.execute("SELECT COUNT(*) FROM result WHERE NOT again").fetchone()[0] // times,
        }
