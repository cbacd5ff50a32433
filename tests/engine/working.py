"""Work for processes, in a module that they can import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable


def work(entry: tuple[int, str]) -> str:
    """Does what the task says: dies, exits with a code, takes for ever, or all memory, makes a mistake, or answers."""
    _, task = entry
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "exit":
        os._exit(3)
    if task == "hang":
        time.sleep(1000)
    if task == "gorge":
        return str(len(bytearray(10**10)))
    if task == "mistake":
        raise ValueError("a mistake")
    if task == "pid":
        return str(os.getpid())
    return task.upper()


def worker() -> Callable[[tuple[int, str]], str]:
    """What a process makes for itself."""
    return work


def never_ready(*_: object) -> None:
    """A process that stands still before it has started."""
    time.sleep(1000)
