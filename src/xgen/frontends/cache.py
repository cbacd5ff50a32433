"""What compilers and translations have made, kept for the next run: in the folder that the system has for this."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from xgen.records import dataclass

FORMAT = 1
"""Goes up when what is kept means something else."""
ROOM = 256 << 20
"""So many bytes are kept; what was not used for the longest time goes first."""
DEPTH = 4
"""So many folders and a name may stand in an #include, as far as files that are new are looked for."""


@dataclass(frozen=True, slots=True)
class Made:
    """What has come of some texts, and the files that were read for it besides."""

    text: str
    read: tuple[str, ...]


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


def cached(key: Sequence[object], folders: Iterable[str], make: Callable[[], Made]) -> str:
    """What `make` makes of all that `key` says, and of the files that it reads.

    It is made anew where one of these files has another text, and where in `folders`, which it looks for files in,
    there is a file that may be found instead. Where nothing can be kept, it is made each time.
    """
    import json  # long to import, and what is translated does without

    name = hashed(json.dumps([FORMAT, *key], default=str).encode())[:40]
    about, made_text = f"{name}.json", f"{name}.ll"
    folders = tuple(dict.fromkeys(os.path.abspath(each) for each in folders))
    try:
        known, data = json.loads(kept(about) or b""), kept(made_text) or b""
        if known["text"] == hashed(data) and _state(known["read"], folders) == known["state"]:
            return data.decode()
    except (ValueError, KeyError, TypeError):
        pass
    made = make()
    found = {"text": hashed(made.text.encode()), "read": list(made.read), "state": _state(made.read, folders)}
    keep(made_text, made.text.encode())
    keep(about, json.dumps(found).encode())
    return made.text


def kept(name: str) -> bytes | None:
    """What was kept under a name."""
    try:
        data = (folder() / name).read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(folder() / name)
    return data


def keep(name: str, data: bytes) -> None:
    """Keeps something under a name, where that can be."""
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        _write(folder() / name, data)
        if len(data) > ROOM // 64 or name.startswith("0"):  # one of sixteen small ones: it looks at all that is kept
            _sweep()


def _state(read: Sequence[str], folders: Iterable[str]) -> str:
    """What files have in them, and which others of their names there are."""
    seen = []
    tails = {os.sep.join(name.split(os.sep)[-k:]) for name in read for k in range(1, DEPTH + 1)}
    beside = (os.path.join(each, tail) for each in folders for tail in sorted(tails))
    for name in [*read, *(each for each in beside if os.path.isfile(each))]:
        with suppress(OSError):
            seen.append(name.encode("utf-8", "surrogateescape") + b"\0" + hashed(Path(name).read_bytes()).encode())
    return hashed(b"\0".join(seen))


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


def _sweep() -> None:
    """Throws away what was used least recently, where there is too much."""
    with os.scandir(folder()) as entries:
        files = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries]
    left = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if left <= ROOM:
            return
        with suppress(OSError):
            os.unlink(path)
        left -= size
