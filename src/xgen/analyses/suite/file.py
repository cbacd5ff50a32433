"""The file in which a suite of tests is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.suite import Item
from xgen.engine.distributed.run_file import KeptFile, damaged, reading
from xgen.engine.graphs.final_states import Row

State = tuple[dict[str, Any], Sequence[Row]]
"""Facts of a test that is explored in parts, and its final states."""


class KeptSuite(KeptFile):
    """The file of a suite: its tests with their texts, and what came of them."""

    kind = "a suite"
    tables = """
    CREATE TABLE item (number INTEGER PRIMARY KEY, path TEXT NOT NULL, model TEXT, text TEXT);
    CREATE TABLE result (number INTEGER PRIMARY KEY, data TEXT NOT NULL, again INTEGER NOT NULL);
    CREATE TABLE begun (number INTEGER PRIMARY KEY, data TEXT NOT NULL);
    CREATE TABLE outcome (number INTEGER NOT NULL, state BLOB NOT NULL, count INTEGER NOT NULL,
                          violations INTEGER NOT NULL);
    CREATE INDEX outcomes ON outcome (number);
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

    def begun(self) -> list[tuple[int, State]]:
        """The tests that are explored in parts, and what has become of them."""
        try:
            rows = self._db.execute("SELECT number, data FROM begun ORDER BY number").fetchall()
            return [(number, (json.loads(data), self._outcomes(number))) for number, data in rows]
        except (sqlite3.Error, ValueError) as error:
            raise damaged(self.path, error) from None

    def _outcomes(self, number: int) -> list[Row]:
        query = "SELECT state, count, violations FROM outcome WHERE number = ?"
        return self._db.execute(query, (number,)).fetchall()

    def commit(
        self, results: Mapping[int, LitmusResult], begun: Mapping[int, State] | None = None, done: bool = False
    ) -> bool:
        """Adds results, and replaces what is known of tests in parts; False where it cannot be written."""
        begun = begun or {}

        def write() -> None:
            rows = ((number, json.dumps(asdict(r)), r.stopped == "timeout" or r.lost) for number, r in results.items())
            self._db.executemany("INSERT OR REPLACE INTO result VALUES (?, ?, ?)", rows)
            for table in ("begun", "outcome"):
                self._db.executemany(f"DELETE FROM {table} WHERE number = ?", ((n,) for n in (*results, *begun)))
            for number, (facts, outcomes) in begun.items():
                self._db.execute("INSERT INTO begun VALUES (?, ?)", (number, json.dumps(facts)))
                self._db.executemany("INSERT INTO outcome VALUES (?, ?, ?, ?)", ((number, *row) for row in outcomes))

        return self._committed(write, done)


def _thawed(values: dict[str, Any]) -> LitmusResult:
    states = tuple((str(state), int(count)) for state, count in values.pop("states"))
    lists = {name: tuple(values.get(name, ())) for name in ("flags", "waits")}
    return LitmusResult(**{**values, "states": states, **lists})


def read_suite(path: Path, times: int) -> dict[str, Any]:
    """How many tests the suite in a file has, each so many times, how many have a result, and how many explorations of
    some are under way."""
    with reading(path) as db:
        return {
            "tests": db.execute("SELECT COUNT(*) FROM item").fetchone()[0] // times,
            "answered": db.execute("SELECT COUNT(*) FROM result WHERE NOT again").fetchone()[0] // times,
            "begun": db.execute("SELECT COUNT(*) FROM begun").fetchone()[0],
        }
