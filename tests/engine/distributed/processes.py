"""Looking at processes, and killing them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any


def running(pids: Iterable[int]) -> list[int]:
    """Those that have not ended; one whose parent is gone may wait for somebody to look at how it ended."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def ended(pids: Iterable[int], seconds: float = 60.0) -> bool:
    """Whether all end within so many seconds."""
    pids, until = list(pids), time.monotonic() + seconds
    while running(pids):
        if time.monotonic() > until:
            return False
        os.sched_yield()
    return True


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and that are there."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def kill(process: subprocess.Popen[Any], dice: random.Random, longest: float) -> None:
    """Kills it, or first one of the processes that it has started, and itself while it notices that, within so many
    seconds; those end with it."""
    children = children_of(process.pid)
    if children and dice.random() < 0.5:
        with suppress(ProcessLookupError):
            os.kill(dice.choice(children), signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            process.wait(dice.uniform(0.0, longest))
    process.kill()
    process.communicate()
    assert ended(children)
