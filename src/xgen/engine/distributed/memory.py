"""How much memory there is for a run."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MEBIBYTE = 1 << 20
LEAST = 8 * MEBIBYTE
"""What outcomes always get."""
GROWTH = 4
"""A table that grows holds its old and its new memory at one time; beside it there are answers that are to be added."""
ANSWERED = 100
"""Bytes that an outcome of an answer takes, on its way and when it is there."""
LEAST_ANSWERED = 1000
"""Different outcomes that a slice may always have."""
_CGROUPS = Path("/sys/fs/cgroup")


def available() -> int:
    """Three quarters of the least of what the machine has, and of what this process may have, in bytes."""
    return min(_limits()) // 4 * 3


def _limits() -> Iterator[int]:
    yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        yield soft
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
            _, controllers, path = line.split(":", 2)
            own = Path(path.lstrip("/"))
            if controllers == "":
                yield from _read(_CGROUPS, own, "memory.max")
            elif "memory" in controllers.split(","):
                yield from _read(_CGROUPS / "memory", own, "memory.limit_in_bytes")


def _read(root: Path, own: Path, name: str) -> Iterator[int]:
    """The limits of a group and of those above it."""
    for folder in (own, *own.parents):
        with suppress(OSError, ValueError):
            yield int((root / folder / name).read_text(encoding="ascii"))


def for_outcomes(limit: int) -> int:
    """How large a table of outcomes may be, in bytes, where the coordinator has half of what there is."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return max(LEAST, (limit // 2 - used) // GROWTH)


def in_a_slice(room: int, workers: int, ahead: int = 2) -> int:
    """How many different outcomes a slice may have where all answers that wait to be added may take that much."""
    return max(LEAST_ANSWERED, room // (ANSWERED * workers * ahead))
