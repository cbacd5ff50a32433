"""Where a project of cargo is built: in its own target folder, so that cargo compiles anew only what has changed."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from xgen.frontends.llvm.rust.rustc import run
from xgen.store import hashed

FOLDERS_KEPT = 3
"""So many folders are kept beside each other in a project: one for each way in which panics end, and for each version
of rustc and of xgen."""
_EVER = 1 << 62
"""A time that no file has."""


@contextmanager
def workplace(manifest: str | None, key: Sequence[object]) -> Iterator[str]:
    """A folder to build in, while the block lasts. For a project of cargo, by its manifest, it stays there for the
    next run, if that has the same `key`; else, or where another run has it or nothing can be written, it does not."""
    folder = None if manifest is None else _folder(manifest, hashed(repr(key).encode())[:16])
    lock = None if folder is None else _locked(folder)
    if folder is None or lock is None:
        with tempfile.TemporaryDirectory(prefix="xgen-") as work:
            yield work
        return
    try:
        yield str(folder)
    finally:
        os.close(lock)


def _folder(manifest: str, name: str) -> Path | None:
    """The folder of a project's target for this name; older ones go."""
    ended = run(["cargo", "metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest])
    if ended.returncode:
        return None
    all_of_them = Path(json.loads(ended.stdout)["target_directory"], "xgen")
    with suppress(OSError):
        (all_of_them / name).mkdir(parents=True, exist_ok=True)
        os.utime(all_of_them / name)
        by_age = sorted(all_of_them.iterdir(), key=lambda each: each.stat().st_mtime)
        for old in by_age[:-FOLDERS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
        return all_of_them / name
    return None


def _locked(folder: Path) -> int | None:
    """A lock on a folder that another run does not have."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


@contextmanager
def told_apart(work: str, read: Callable[[], Iterable[str]], packages: Mapping[str, bool]) -> Iterator[None]:
    """While the block lasts, cargo builds in a folder, whether it comes to an end or not; `read`: the files that it has
    read there; `packages`: their folders, and whether cargo looks for changes in them.

    cargo takes a file for unchanged that is older than what was made of it, such as one that was put back from
    elsewhere with its time; and all of registries, also where these are vendored. Where one of these has another text
    than before, all is built anew.
    """
    about, begin = Path(work, "files.json"), time.time_ns()
    seen: dict[str, tuple[str, int]] = {}
    with suppress(OSError, ValueError):
        seen = json.loads(about.read_bytes())
    if any(_is_older(name, *known) for name, known in seen.items()):
        about.unlink()
        shutil.rmtree(os.path.join(work, "target"))
        seen = {}
    try:
        yield
    finally:
        seen |= {name: (_hash(name), begin if _is_seen(name, packages) else _EVER) for name in read()}
        about.write_text(json.dumps(seen), encoding="utf-8")


def _is_seen(name: str, packages: Mapping[str, bool]) -> bool:
    """Whether cargo looks for changes of a file: that is so in a package if it is none of a registry."""
    inside = (folder for folder in packages if name.startswith(os.path.join(folder, "")))
    return packages.get(max(inside, key=len, default=""), True)


def _is_older(name: str, text: str, built: int) -> bool:
    """Whether a file has another text than when it was built, and no later time."""
    try:
        return os.stat(name).st_mtime_ns <= built and _hash(name) != text
    except OSError:  # it is gone, which cargo sees
        return False


def _hash(name: str) -> str:
    """What tells texts apart; that of no file is empty."""
    try:
        return hashed(Path(name).read_bytes())
    except OSError:
        return ""
