"""Work for processes, in a module that they can import."""

from __future__ import annotations

import os
import signal
import time


def work(task: str) -> str:
    """Does what the task says: dies, stops with an exit code, takes for ever, or answers."""
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "exit":
        os._exit(3)
    if task == "hang":
        time.sleep(1000)
    if task == "pid":
        return str(os.getpid())
    return task.upper()


def is_killed(path: str, model: str | None, timeout: float | None) -> str:  # noqa: ARG001 - stands in for run_file
    """A process that is killed while it runs a test."""
    return work("die")
