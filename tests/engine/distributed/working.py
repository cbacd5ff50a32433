"""Work for processes, in a module that they can import."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from xgen.engine.distributed.processes import Processes


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


def copied(alone: bool, tasks: list[str], memory: int | None = None) -> None:
    """Prints how many of two processes are copies of this one, which has no other thread if it is `alone`, and what
    comes of tasks; both by their numbers."""
    over = threading.Event()
    if not alone:
        threading.Thread(target=over.wait, daemon=True).start()
    crew: Processes[tuple[int, str], str] = Processes(worker, (), 2, memory)
    found: dict[int, object] = {}
    waiting = list(enumerate(tasks))
    own = Path("/proc/self/cmdline").read_bytes()
    crew.submit(waiting.pop(0))
    copies = sum(Path(f"/proc/{pid}/cmdline").read_bytes() == own for pid in crew.pids)
    while len(found) < len(tasks):
        while waiting and crew.room():
            crew.submit(waiting.pop(0))
        found |= {number: answer for (number, _), answer in crew.answers(0.5)}
    crew.close()
    over.set()
    print(copies, [found[number] for number in range(len(tasks))], multiprocessing.active_children())
