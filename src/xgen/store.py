"""Files that are kept for the next run: in the folder that the system has for this."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

ROOM = 256 << 20
"""So many bytes are kept; what was not used for the longest time goes first."""
ROOM_ELSEWHERE = 16 << 20
"""So many of one kind in another folder."""


def folder() -> Path:
    """Where it is kept."""
    home = Path.home() if "HOME" in os.environ or sys.platform == "win32" else Path(_temporary())
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "xgen" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "xgen"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "xgen"


def _temporary() -> str:
    from tempfile import gettempdir  # long to import

    return gettempdir()


def kept(name: str, where: Path | None = None) -> bytes | None:
    """What was kept under a name, in that folder if it is said."""
    path = (where or folder()) / name
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # of a folder that may only be read
        os.utime(path)
    return data


def keep(name: str, data: bytes, where: Path | None = None) -> None:
    """Keeps something under a name, where that can be."""
    suffix, room = ("", ROOM) if where is None else (os.path.splitext(name)[1], ROOM_ELSEWHERE)
    with suppress(OSError):
        where = where or folder()
        where.mkdir(parents=True, exist_ok=True)
        _write(where / name, data)
        if len(data) > ROOM // 64 or name.startswith("0"):  # one of sixteen small ones: it looks at all that is kept
            _sweep(where, suffix, room)


def hashed(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    from hashlib import sha256  # long to import, and C does without

    return sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Writes a file at once: another run may read it, or write it as well. (`tempfile` is long to import.)"""
    name = path.with_name(f"{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    with open(name, "xb", opener=_for_the_user) as file:
        file.write(data)
    os.replace(name, path)


def _for_the_user(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sweep(where: Path, suffix: str, room: int) -> None:
    """Throws away what was used least recently of the files whose names end so, where there is too much of them."""
    with os.scandir(where) as entries:
        found = [entry for entry in entries if entry.name.endswith(suffix)]
        files = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in found]
    left = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if left <= room:
            return
        with suppress(OSError):
            os.unlink(path)
        left -= size
