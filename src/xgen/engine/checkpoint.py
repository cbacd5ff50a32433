"""The file in which a long run is kept: one SQLite file, always an exact state of the run.

meta      what the run is about: versions, command line, texts, and a sha256 for each cause of refusal
part      the open parts
counter   numbers of what was explored
outcome   final states, by their bytes
found     the parts with the witness, instructions at which something was cut or waits, and assertions that are reached
session   who worked on it
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import socket
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from xgen.engine.coordinator import Part
from xgen.engine.gathered import CHUNK, Gathered, outcome_of
from xgen.engine.intervals import EXPLORATION, LOSSES, Interval
from xgen.engine.lazy import Lazy
from xgen.engine.problem import Problem
from xgen.engine.run import Options
from xgen.errors import UsageError
from xgen.executions.result import Outcome
from xgen.lowering.dump import dump_code
from xgen.version import __version__

APPLICATION = 0x7867656E  # "xgen"
FORMAT = 2
INTERVAL = 5.0
"""Seconds between two commits, at least; and 20 times as long as the last one took."""
SHARE = 20

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE part (path TEXT NOT NULL, rest TEXT NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE outcome (state BLOB PRIMARY KEY, count INTEGER NOT NULL, violations INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE found (kind TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE session (start REAL, seconds REAL, host TEXT, pid INTEGER, workers INTEGER, slices INTEGER, deaths INTEGER,
                      cpu REAL);
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
        "--classes": problem.classes,
    }
    found = {"program": f"{dump_code(code)}\n{places}", "model": f"{constraints}\n{late}\n{problem.strategy.ahead}"}
    return {
        **{what: hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest() for what, text in found.items()},
        **{name: json.dumps(value) for name, value in asked.items()},
    }


class Checkpoint:
    """An open file, which nobody else can work with meanwhile; made by `create`, `resume` or `temporary`.

    Raises UsageError where the file is none of ours, of another version, damaged, or in use.
    """

    def __init__(self, path: Path, keep: _Folder | None = None) -> None:
        self.path = path
        self._keep = keep
        self._lasted = 0.0
        self._last = time.monotonic()
        self.depth: int | None = None
        self.trouble: str | None = None
        self._stale = False
        self._start = time.time(), time.monotonic()
        self.work: Callable[[], tuple[int, int, int, float]] = lambda: (1, 0, 0, 0.0)
        self._session: int | None = None
        self._db = sqlite3.connect(path, timeout=0.0, isolation_level=None)

    @classmethod
    def create(cls, path: Path, about: Mapping[str, Any]) -> Checkpoint:
        """A new file. Raises UsageError where there is one, or none can be."""
        # It is made under another name, so that who is killed meanwhile leaves nothing that looks like a checkpoint.
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o666))
            cls(draft)._made(about, "FULL").close()
            _place(draft, path)
        except FileExistsError:
            raise taken(path) from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(f"this cannot be written: {reason}", file=str(path)) from None
        finally:
            with suppress(OSError, ValueError):
                draft.unlink(missing_ok=True)
        return cls.resume(path)

    @classmethod
    def temporary(cls) -> Checkpoint:
        """A file that is gone when the run's result is: for outcomes that there is no memory for."""
        folder = _Folder()
        return cls(folder.path / "outcomes", folder)._made({}, "OFF")

    def _made(self, about: Mapping[str, Any], synchronous: str) -> Checkpoint:
        try:
            self._lock(synchronous)
            self._db.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};")
            with _transaction(self._db):
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                told = {"xgen": __version__, "exploration": EXPLORATION, "done": False, **about}
                self._db.executemany("INSERT INTO meta VALUES (?, ?)", ((k, json.dumps(v)) for k, v in told.items()))
        except sqlite3.Error as error:
            self._db.close()
            raise UsageError(f"this cannot be written: {error}", file=str(self.path)) from None
        return self

    @classmethod
    def resume(cls, path: Path) -> Checkpoint:
        """The file of a run that goes on."""
        check_file(path)
        checkpoint = cls(path)
        try:
            checkpoint._lock("FULL")
            checkpoint._begin_session()
        except sqlite3.OperationalError as error:
            checkpoint._db.close()
            if "locked" in str(error):
                raise _in_use(path) from None
            raise UsageError(f"this cannot be written: {error}", file=str(path)) from None
        except sqlite3.DatabaseError as error:
            checkpoint._db.close()
            raise damaged(path, error) from None
        return checkpoint

    def _lock(self, synchronous: str) -> None:
        """From here on nobody else reads or writes the file."""
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.execute(f"PRAGMA synchronous = {synchronous}")
        self._db.execute("BEGIN EXCLUSIVE")
        self._db.execute("COMMIT")

    def _begin_session(self) -> None:
        row = (time.time(), 0.0, socket.gethostname(), os.getpid(), 1, 0, 0, 0.0)
        self._session = self._db.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid

    def about(self) -> dict[str, Any]:
        """What the file says of its run."""
        return {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM meta")}

    def due(self) -> bool:
        """Whether it is time for a commit."""
        return time.monotonic() - self._last >= max(INTERVAL, SHARE * self._lasted)

    def commit(self, parts: Mapping[int, Part], found: Gathered, done: bool = False) -> bool:
        """Makes the file the state of the run: all or nothing; False where it cannot be written."""
        start = time.monotonic()
        try:
            with _transaction(self._db):
                self._write(parts, found, done)
        except sqlite3.Error as error:
            self.trouble = str(error)
            self._last = time.monotonic()
            return False
        self.trouble, self._stale = None, False
        found.outcomes.clear()
        self._last = time.monotonic()
        self._lasted = self._last - start
        return True

    def _write(self, parts: Mapping[int, Part], found: Gathered, done: bool) -> None:
        db = self._db
        if self._stale:
            db.execute("DELETE FROM outcome")
            db.execute("DELETE FROM counter")
        db.execute("DELETE FROM part")
        rows = ((json.dumps(p.interval.path), json.dumps(p.interval.rest), p.lost) for p in parts.values())
        db.executemany("INSERT INTO part VALUES (?, ?, ?)", rows)
        counters = {**found.counters, **{f"flag {n}": number for n, number in enumerate(found.flags)}}
        db.executemany("INSERT OR REPLACE INTO counter VALUES (?, ?)", counters.items())
        for first in range(0, len(found.outcomes), CHUNK):
            db.executemany(_ADD, found.outcomes.rows(first, CHUNK))
        db.execute("DELETE FROM found")
        told: dict[str, Any] = {
            "cuts": sorted(found.cuts),
            "waits": sorted(found.waits),
            "counted": found.counted,
            "reached": found.reached,
            "outgrown": found.outgrown,
        }
        if found.witness is not None:
            told["witness"] = [found.witness[0].path, found.witness[0].rest]
        db.executemany("INSERT INTO found VALUES (?, ?)", ((kind, json.dumps(data)) for kind, data in told.items()))
        db.execute("UPDATE meta SET value = ? WHERE key = 'done'", (json.dumps(done),))
        db.execute("INSERT OR REPLACE INTO meta VALUES ('depth', ?)", (json.dumps(self.depth),))
        workers, slices, deaths, cpu = self.work()
        seconds = time.monotonic() - self._start[1]
        row = (seconds, workers, slices, deaths, cpu, self._session)
        db.execute("UPDATE session SET seconds = ?, workers = ?, slices = ?, deaths = ?, cpu = ? WHERE rowid = ?", row)

    def start_again(self) -> None:
        """A bound was outgrown: what was found with it counts for nothing. It is dropped with the next commit."""
        self._stale = True

    @property
    def age(self) -> float:
        """Seconds since the last commit."""
        return time.monotonic() - self._last

    def load(self, problem: Problem) -> tuple[int | None, dict[int, Part], Gathered] | None:
        """The bound, the open parts and what was found; None: nothing was begun. What was lost is tried again."""
        try:
            return self._loaded(problem)
        except (sqlite3.Error, ValueError, TypeError, KeyError, IndexError) as error:
            raise damaged(self.path, error) from None

    def _loaded(self, problem: Problem) -> tuple[int | None, dict[int, Part], Gathered] | None:
        db = self._db
        counters = dict(db.execute("SELECT name, value FROM counter"))
        if not counters:
            return None
        self.depth = self.about()["depth"]
        rows = db.execute("SELECT path, rest FROM part ORDER BY rowid")
        parts = {number: Part(_interval(*map(json.loads, row))) for number, row in enumerate(rows)}
        told = {kind: json.loads(data) for kind, data in db.execute("SELECT kind, data FROM found")}
        flags = [counters.pop(f"flag {number}") for number in range(len(problem.model.constraints))]
        found = Gathered(
            problem, counters, flags, set(told["cuts"]), set(told["waits"]), told["counted"], told["reached"]
        )
        found.outgrown = told["outgrown"]
        if "witness" in told:
            found.witness = _interval(*told["witness"]), None
        return self.depth, parts, found

    def sessions(self) -> tuple[int, float, int, int, float]:
        """How many there were, and of all before this one: seconds, slices, deaths, seconds of processors."""
        row = self._db.execute(
            "SELECT COUNT(*), TOTAL(seconds), TOTAL(slices), TOTAL(deaths), TOTAL(cpu) FROM session WHERE rowid < ?",
            (self._session,),
        ).fetchone()
        return int(row[0]) + 1, float(row[1]), int(row[2]), int(row[3]), float(row[4])

    def close(self) -> None:
        """Others may work with the file now."""
        self._db.close()

    def give_back(self, found: Gathered) -> None:
        """Adds to what was found the outcomes that are in the file, for want of a disk that takes the others."""
        rows = self._db.execute("SELECT state, count, violations FROM outcome")
        while chunk := rows.fetchmany(CHUNK):
            found.outcomes.add(chunk)

    def outcomes(self, problem: Problem) -> Sequence[Outcome]:
        """What the file has; it is read when it is asked for, and has to be there then."""
        total = self._db.execute("SELECT COUNT(*) FROM outcome").fetchone()[0]
        return Kept(problem, self.path, total, self._keep)


def taken(path: Path) -> UsageError:
    """What is said where a new run would take the place of a file."""
    return UsageError("this file exists already", file=str(path), hint=f"`xgen resume {path}` goes on with a run")


def _place(draft: Path, path: Path) -> None:
    """Gives a file its name, unless that is taken."""
    try:
        os.link(draft, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        if path.exists():
            raise FileExistsError(errno.EEXIST, "it exists") from None
        os.rename(draft, path)  # of a file system without links


class _Folder:
    """A folder that is gone when nobody knows it any more."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="xgen-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Kept(Lazy[Outcome]):
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


class _transaction:
    """A block that changes all that it changes, or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            try:
                self._db.execute("COMMIT")
                return
            except sqlite3.Error:
                self._roll_back()
                raise
        self._roll_back()

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # a full disk has done so already
            self._db.execute("ROLLBACK")


def _interval(path: Any, rest: Any) -> Interval:
    if not all(isinstance(number, int) and number >= 0 for number in (*path, *rest)) or not rest:
        raise ValueError("a part that is none")
    return Interval(tuple(path), tuple(rest))


def check_file(path: Path) -> None:
    """Raises UsageError where a file is no checkpoint that this xgen can go on with."""
    name = str(path)
    try:
        with open(path, "rb") as file:
            head = file.read(72)
    except OSError as error:
        missing = "there is no such file" if isinstance(error, FileNotFoundError) else None
        raise UsageError(missing or f"the file cannot be read: {error.strerror}", file=name) from None
    if head[:16] != b"SQLite format 3\0" or int.from_bytes(head[68:72], "big") != APPLICATION:
        raise UsageError("this is no checkpoint of xgen", file=name)
    form = int.from_bytes(head[60:64], "big")
    if form != FORMAT:
        raise UsageError(f"this checkpoint has format {form}; this xgen, {__version__}, has {FORMAT}", file=name)
    try:
        with closing(sqlite3.connect(path, timeout=0.0)) as db:
            [(good,)] = db.execute("PRAGMA quick_check(1)").fetchall()
            told = dict(db.execute("SELECT key, value FROM meta"))
        version, exploration = json.loads(told["xgen"]), json.loads(told["exploration"])
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise _in_use(path) from None
        raise damaged(path, error) from None
    except (sqlite3.Error, KeyError, ValueError) as error:
        raise damaged(path, error) from None
    if good != "ok":
        raise damaged(path, good)
    if (version, exploration) != (__version__, EXPLORATION):
        made = f"xgen {version} (exploration {exploration})"
        raise UsageError(f"this is a checkpoint of {made}; this is {__version__} ({EXPLORATION})", file=name)


def read_about(path: Path) -> dict[str, Any]:
    """What a checkpoint says of its run, and how far it has come; raises as `Checkpoint.resume` does."""
    check_file(path)
    try:
        with closing(sqlite3.connect(path, timeout=0.0)) as db:
            told = {key: json.loads(value) for key, value in db.execute("SELECT key, value FROM meta")}
            told["counters"] = dict(db.execute("SELECT name, value FROM counter WHERE name NOT LIKE 'flag %'"))
            told["parts"] = db.execute("SELECT COUNT(*) FROM part").fetchone()[0]
            told["lost"] = db.execute("SELECT COUNT(*) FROM part WHERE lost >= ?", (LOSSES,)).fetchone()[0]
            told["outcomes"] = db.execute("SELECT COUNT(*) FROM outcome").fetchone()[0]
            told["sessions"], told["seconds"] = db.execute("SELECT COUNT(*), TOTAL(seconds) FROM session").fetchone()
    except sqlite3.Error as error:
        raise damaged(path, error) from None
    return told


def _in_use(path: Path) -> UsageError:
    """Who works with a file is read although it is locked."""
    who = ""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as db:
        row = db.execute("SELECT host, pid FROM session ORDER BY rowid DESC LIMIT 1").fetchone()
        who = f": process {row[1]} on {row[0]}" if row else ""
    return UsageError(f"another run works with this checkpoint{who}", file=str(path))


def damaged(path: Path, why: object) -> UsageError:
    """What is said of a file that cannot be what was written."""
    return UsageError(f"this checkpoint is damaged: {why}", file=str(path))
