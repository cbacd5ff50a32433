"""The file in which a run is kept: one SQLite file, always an exact state of the run.

meta      what the run is about: versions, command line, texts
session   who worked on it

What else is in it is up to its kind.

While nobody writes it, the file is sealed: in bytes of its header that SQLite leaves alone there is a checksum of all
others, so that no bit of it can change unseen. Before it is changed the seal is taken off, and it is set again once
that is written; who is killed in between leaves a file without one, which is taken as it is if SQLite finds nothing
wrong.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from xgen.engine.graphs.intervals import EXPLORATION
from xgen.errors import UsageError
from xgen.version import __version__

APPLICATION = 0x7867656E  # "xgen"
FORMAT = 4
OLD_FORMAT = 3
"""That of xgen 0.2.0, which had no seal."""
INTERVAL = 5.0
"""Seconds between two commits, at least; and 20 times as long as the last one took."""
SHARE = 20

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE session (start REAL, seconds REAL, host TEXT, pid INTEGER, workers INTEGER, slices INTEGER, deaths INTEGER,
                      cpu REAL);
"""

SEAL = slice(72, 92)
"""The bytes of the seal; all 0: the file is not sealed. SQLite's format reserves them."""
PIECE = 1 << 20

Work = tuple[int, int, int, float]
"""What a session says of its work: workers, slices, deaths, seconds of processors."""
Fill = Callable[[sqlite3.Connection], object]
F = TypeVar("F", bound="KeptFile")


class KeptFile:
    """An open file, which nobody else can work with meanwhile; made by `create` or `resume`.

    Raises UsageError where the file is none of ours, of another kind or version, damaged, or in use.
    """

    kind: ClassVar[str]
    tables: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lasted = 0.0
        self._last = self._start = time.monotonic()
        self.trouble: str | None = None
        self.work: Callable[[], Work] = lambda: (1, 0, 0, 0.0)
        self._session: int | None = None
        self._seal: _Seal | None = None
        self._db = sqlite3.connect(path, timeout=0.0, isolation_level=None)

    @classmethod
    def create(cls: type[F], path: Path, about: Mapping[str, Any], fill: Fill = bool) -> F:
        """A new file, with what `fill` writes. Raises UsageError where there is one, or none can be."""
        # It is made under another name, so that who is killed meanwhile leaves nothing that looks like a checkpoint.
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o666))
            cls(draft)._made(about, "FULL", fill).close()
            _place(draft, path)
        except FileExistsError:
            raise taken(path) from None
        except UsageError as error:  # it is about the draft
            raise UsageError(error.message, file=str(path)) from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(f"this cannot be written: {reason}", file=str(path)) from None
        finally:
            with suppress(OSError, ValueError):
                draft.unlink(missing_ok=True)
        return cls.resume(path)

    def _made(self: F, about: Mapping[str, Any], synchronous: str, fill: Fill = bool) -> F:
        try:
            self._lock(synchronous)
            if synchronous != "OFF":
                self._seal = _Seal(self.path)
            self._db.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};")
            with _transaction(self._db):
                for statement in (_TABLES + self.tables).split(";"):
                    self._db.execute(statement)
                told = {"xgen": __version__, "exploration": EXPLORATION, "kind": self.kind, "done": False, **about}
                self._db.executemany("INSERT INTO meta VALUES (?, ?)", ((k, json.dumps(v)) for k, v in told.items()))
                fill(self._db)
            self._set_seal()
        except sqlite3.Error as error:
            self.close()
            raise UsageError(f"this cannot be written: {error}", file=str(self.path)) from None
        return self

    @classmethod
    def resume(cls: type[F], path: Path) -> F:
        """The file of a run that goes on."""
        check_file(path)
        kept = cls(path)
        try:
            kept._seal = _Seal(path)
            kept._seal.take_off()  # before SQLite reads the header, which it may write again as it was
            kept._lock("FULL")
            kept._begin_session()
            kind = kept.about()["kind"]
            kept._set_seal()
        except (sqlite3.OperationalError, OSError) as error:
            kept.close()
            if "locked" in str(error):
                raise _in_use(path) from None
            raise UsageError(f"this cannot be written: {error}", file=str(path)) from None
        except (sqlite3.DatabaseError, ValueError, KeyError) as error:
            kept.close()
            raise damaged(path, error) from None
        if kind != cls.kind:
            kept.close()
            raise UsageError(f"this is the checkpoint of {kind}, not of {cls.kind}", file=str(path))
        return kept

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
        return self.age >= max(INTERVAL, SHARE * self._lasted)

    @property
    def age(self) -> float:
        """Seconds since the last commit."""
        return time.monotonic() - self._last

    def _committed(self, write: Callable[[], object], done: bool) -> bool:
        """Makes the file what `write` makes it: all or nothing; False where it cannot be written."""
        start = time.monotonic()
        try:
            if self._seal:
                self._seal.take_off()
            with _transaction(self._db):
                write()
                self._db.execute("UPDATE meta SET value = ? WHERE key = 'done'", (json.dumps(done),))
                row = (time.monotonic() - self._start, *self.work(), self._session)
                sets = "seconds = ?, workers = ?, slices = ?, deaths = ?, cpu = ?"
                self._db.execute(f"UPDATE session SET {sets} WHERE rowid = ?", row)
            self._set_seal()
        except (sqlite3.Error, OSError) as error:
            self.trouble = str(error)
            self._last = time.monotonic()
            return False
        self.trouble = None
        self._last = time.monotonic()
        self._lasted = self._last - start
        return True

    def sessions(self) -> tuple[int, float, int, int, float]:
        """How many there were, and of all before this one: seconds, slices, deaths, seconds of processors."""
        row = self._db.execute(
            "SELECT COUNT(*), TOTAL(seconds), TOTAL(slices), TOTAL(deaths), TOTAL(cpu) FROM session WHERE rowid < ?",
            (self._session,),
        ).fetchone()
        return int(row[0]) + 1, float(row[1]), int(row[2]), int(row[3]), float(row[4])

    def damaged(self, why: object) -> UsageError:
        """What is said where the file cannot be what was written."""
        return damaged(self.path, why)

    def _set_seal(self) -> None:
        """All that is to be in the file is written."""
        if self._seal:
            self._seal.set()

    def close(self) -> None:
        """Others may work with the file now."""
        self._db.close()
        if self._seal:
            self._seal.close()
            self._seal = None


class _Seal:
    """The seal of an open file. To close it gives up the file's locks, POSIX says."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))

    def take_off(self) -> None:
        """Before the file is changed; it must not be there on the disk any more when that is."""
        self._write(bytes(SEAL.stop - SEAL.start))
        os.fsync(self._file)

    def set(self) -> None:
        """The file is what it is to be."""
        os.lseek(self._file, 0, os.SEEK_SET)
        self._write(_checksum(lambda: os.read(self._file, PIECE)))

    def _write(self, seal: bytes) -> None:
        os.lseek(self._file, SEAL.start, os.SEEK_SET)
        os.write(self._file, seal)

    def close(self) -> None:
        """The file is not changed any more."""
        os.close(self._file)


def _checksum(read: Callable[[], bytes]) -> bytes:
    """What the seal of a file is to be; `read` gives the file piece by piece, and the head of it at once."""
    head = read()
    total = hashlib.sha256(head[: SEAL.start] + head[SEAL.stop :])
    while piece := read():
        total.update(piece)
    return total.digest()[: SEAL.stop - SEAL.start]


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


def check_file(path: Path) -> None:
    """Raises UsageError where a file is no checkpoint that this xgen can go on with."""
    name = str(path)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device may have no end
            raise UsageError("this is no file", file=name)
        with open(path, "rb") as file:
            head = file.read(SEAL.stop)
            if head[:16] != b"SQLite format 3\0" or int.from_bytes(head[68:72], "big") != APPLICATION:
                raise UsageError("this is no checkpoint of xgen", file=name)
            file.seek(0)
            checksum = _checksum(lambda: file.read(PIECE))
    except OSError as error:
        missing = "there is no such file" if isinstance(error, FileNotFoundError) else None
        raise UsageError(missing or f"the file cannot be read: {error.strerror}", file=name) from None
    form = int.from_bytes(head[60:64], "big")
    if form != FORMAT:
        old = ", that of xgen 0.2.0" if form == OLD_FORMAT else ""
        raise UsageError(
            f"this checkpoint has format {form}{old}; this xgen, {__version__}, has {FORMAT}",
            file=name,
            hint="the xgen that wrote it can go on with it; this one has to begin again, with another file",
        )
    if any(head[SEAL]) and head[SEAL] != checksum:
        if _is_locked(path):
            raise _in_use(path)
        raise damaged(path, "its checksum is not that of what is in it")
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


def read_meta(path: Path) -> dict[str, Any]:
    """What a checkpoint says of its run: what is in `meta`, and `sessions`, `seconds`; raises as `KeptFile.resume`."""
    check_file(path)
    with reading(path) as db:
        told = {key: json.loads(value) for key, value in db.execute("SELECT key, value FROM meta")}
        told["sessions"], told["seconds"] = db.execute("SELECT COUNT(*), TOTAL(seconds) FROM session").fetchone()
    return told


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that was checked; what cannot be read is said to be damaged."""
    try:
        with closing(sqlite3.connect(path, timeout=0.0)) as db:
            yield db
    except sqlite3.Error as error:
        raise damaged(path, error) from None


def _is_locked(path: Path) -> bool:
    """Whether somebody works with a file, who may be about to change it."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=0.0, uri=True)) as db:
            db.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


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
