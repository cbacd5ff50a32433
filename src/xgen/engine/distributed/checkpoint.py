"""The file in which an exploration is kept; in its `meta` is a sha256 for each cause of refusal.

part      the open parts
counter   numbers of what was explored
outcome   final states, by their bytes
found     the parts with the witness, instructions at which something was cut or waits, and assertions that are reached
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from xgen import _core
from xgen.engine.distributed.coordinator import Coordinator, OpenInterval
from xgen.engine.distributed.run_file import KeptFile, damaged, reading
from xgen.engine.distributed.totals import facts_of, restored
from xgen.engine.graphs.final_states import outcome_of
from xgen.engine.graphs.intervals import LOSSES, Interval, checked
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem
from xgen.executions.result import Outcome
from xgen.lowering.dump import dump_code
from xgen.records import dataclass

CHUNK = 10_000
"""Rows that are taken at once."""

_TABLES = """
CREATE TABLE part (path TEXT NOT NULL, rest TEXT NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE outcome (state BLOB PRIMARY KEY, count INTEGER NOT NULL, violations INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE found (kind TEXT NOT NULL, data TEXT NOT NULL);
"""
_ADD = """
INSERT INTO outcome VALUES (?, ?, ?)
ON CONFLICT (state) DO UPDATE SET count = count + excluded.count, violations = violations + excluded.violations
"""


def identity(problem: Problem, options: Options) -> dict[str, str]:
    """What must be the same for a run to go on: a sha256 by cause of refusal."""
    code = problem.code
    places = "\n".join(f"{site.position.line}:{site.position.column} {site.text}" for site in code.sites)
    constraints = "\n".join(map(repr, problem.model.constraints))
    late = sorted(problem.at_end(options.filter))
    asked = {
        "--max-depth": options.max_depth,
        "--all-states": options.all_states,
        "--filter": options.filter,
        "--no-spin": options.unroll,
        "--liveness": options.liveness,
        "--symmetry": options.symmetry,
        "--classes": problem.classes and options.partition,
    }
    found = {"program": f"{dump_code(code)}\n{places}", "model": f"{constraints}\n{late}\n{problem.strategy.ahead}"}
    return {
        **{what: hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest() for what, text in found.items()},
        **{name: json.dumps(value) for name, value in asked.items()},
    }


@dataclass(frozen=True)
class Begun:
    """A run that goes on: its bound, its open parts, what was found, and the part with the first violation."""

    depth: int | None
    parts: dict[int, OpenInterval]
    found: _core.Findings
    witness: Interval | None


class Checkpoint(KeptFile):
    """The file of an exploration."""

    kind = "a check"
    tables = _TABLES

    def __init__(self, path: Path, keep: _Folder | None = None) -> None:
        super().__init__(path)
        self._keep = keep
        self.depth: int | None = None
        self._stale = False

    @classmethod
    def temporary(cls) -> Checkpoint:
        """A file that is gone when the run's result is: for outcomes that there is no memory for."""
        folder = _Folder()
        return cls(folder.path / "outcomes", folder)._made({}, "OFF")

    def commit(self, run: Coordinator, done: bool = False) -> bool:
        """Makes the file the state of the run: all or nothing; False where it cannot be written."""
        if not self._committed(lambda: self._write(run), done):
            return False
        self._stale = False
        run.found.outcomes.clear()
        return True

    def _write(self, run: Coordinator) -> None:
        db, found = self._db, run.found
        if self._stale:
            db.execute("DELETE FROM outcome")
            db.execute("DELETE FROM counter")
        db.execute("DELETE FROM part")
        rows = ((json.dumps(p.interval.path), json.dumps(p.interval.rest), p.lost) for p in run.parts.values())
        db.executemany("INSERT INTO part VALUES (?, ?, ?)", rows)
        facts = facts_of(found)
        db.executemany("INSERT OR REPLACE INTO counter VALUES (?, ?)", facts.pop("counters").items())
        for first in range(0, len(found.outcomes), CHUNK):
            db.executemany(_ADD, found.outcomes.rows(first, CHUNK))
        db.execute("DELETE FROM found")
        if run.witness is not None:
            facts["witness"] = [run.witness[0].path, run.witness[0].rest]
        db.executemany("INSERT INTO found VALUES (?, ?)", ((kind, json.dumps(data)) for kind, data in facts.items()))
        db.execute("INSERT OR REPLACE INTO meta VALUES ('depth', ?)", (json.dumps(self.depth),))

    def start_again(self) -> None:
        """A bound was outgrown: what was found with it counts for nothing. It is dropped with the next commit."""
        self._stale = True

    def load(self, problem: Problem) -> Begun | None:
        """What there is; None: nothing was begun. What was lost is tried again."""
        try:
            return self._loaded(problem)
        except (sqlite3.Error, ValueError, TypeError, LookupError) as error:
            raise damaged(self.path, error) from None

    def _loaded(self, problem: Problem) -> Begun | None:
        db = self._db
        counters = dict(db.execute("SELECT name, value FROM counter"))
        if not counters:
            return None
        self.depth = self.about()["depth"]
        rows = db.execute("SELECT path, rest FROM part ORDER BY rowid")
        parts = {number: OpenInterval(checked(*map(json.loads, row))) for number, row in enumerate(rows)}
        told = {kind: json.loads(data) for kind, data in db.execute("SELECT kind, data FROM found")}
        witness = checked(*told["witness"]) if "witness" in told else None
        return Begun(self.depth, parts, restored(problem, {**told, "counters": counters}), witness)

    def give_back(self, found: _core.Findings) -> None:
        """Adds to what was found the outcomes that are in the file, for want of a disk that takes the others."""
        rows = self._db.execute("SELECT state, count, violations FROM outcome")
        while chunk := rows.fetchmany(CHUNK):
            found.outcomes.add(chunk)

    def outcomes(self, problem: Problem) -> Sequence[Outcome]:
        """What the file has; it is read when it is asked for, and has to be there then."""
        total = self._db.execute("SELECT COUNT(*) FROM outcome").fetchone()[0]
        return StoredOutcomes(problem, self.path, total, self._keep)


class _Folder:
    """A folder that is gone when nobody knows it any more."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="xgen-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class StoredOutcomes(Lazy[Outcome]):
    """The outcomes in a file, ordered by their values."""

    def __init__(self, problem: Problem, path: Path, size: int, keep: _Folder | None) -> None:
        self._problem, self._path, self._size, self._keep = problem, path, size, keep

    def __len__(self) -> int:
        return self._size

    def item(self, place: int) -> Outcome:
        """The outcome at a place of the order."""
        return next(self._read(place, 1))

    def items(self, places: range) -> Iterator[Outcome]:
        """The outcomes at such places; where these are in order, by one query."""
        if places.step < 0:
            return super().items(places)
        return islice(self._read(places.start, len(places) * places.step), None, None, places.step)

    def _read(self, first: int, count: int) -> Iterator[Outcome]:
        query = "SELECT state, count, violations FROM outcome ORDER BY state LIMIT ? OFFSET ?"
        with closing(sqlite3.connect(self._path)) as db:
            for row in db.execute(query, (count, first)):
                yield outcome_of(self._problem, row)


def read_about(path: Path) -> dict[str, Any]:
    """How far the run in a file has come; raises as `Checkpoint.resume` does."""
    with reading(path) as db:
        return {
            "counters": dict(db.execute("SELECT name, value FROM counter")),
            "parts": db.execute("SELECT COUNT(*) FROM part").fetchone()[0],
            "lost": db.execute("SELECT COUNT(*) FROM part WHERE lost >= ?", (LOSSES,)).fetchone()[0],
            "outcomes": db.execute("SELECT COUNT(*) FROM outcome").fetchone()[0],
        }
