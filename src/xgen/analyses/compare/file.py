"""The file in which a search for what tells two models apart is kept."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xgen.analyses.compare.distinguish import Reached
from xgen.engine.distributed.run_file import KeptFile, damaged, reading


class KeptSearch(KeptFile):
    """The file of a search: how far it has come."""

    kind = "a search"
    tables = "CREATE TABLE place (data TEXT NOT NULL)"

    def place(self) -> Reached:
        """Where to go on."""
        try:
            row = self._db.execute("SELECT data FROM place").fetchone()
            return Reached() if row is None else _place(json.loads(row[0]))
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise damaged(self.path, error) from None

    def commit(self, place: Reached, done: bool = False) -> bool:
        """Keeps a place; False where it cannot be written."""

        def write() -> None:
            self._db.execute("DELETE FROM place")
            self._db.execute("INSERT INTO place VALUES (?)", (json.dumps(asdict(place)),))

        return self._committed(write, done)


def _place(values: dict[str, Any]) -> Reached:
    weak = tuple((int(size), int(number)) for size, number in values.pop("weak"))
    place = Reached(**values, weak=weak)
    if not all(isinstance(n, int) and n >= 0 for n in (place.stage, place.number, place.programs, place.size)):
        raise ValueError("a place that is none")
    return place


def read_search(path: Path) -> dict[str, Any]:
    """How far the search in a file has come."""
    with reading(path) as db:
        row = db.execute("SELECT data FROM place").fetchone()
    place = Reached() if row is None else _place(json.loads(row[0]))
    return {"programs": place.programs, "size": place.size}
