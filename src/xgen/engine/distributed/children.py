"""Processes that may die at any moment, also while they answer: each has a pipe of its own.

The pools of the standard library give up as a whole once a process is killed, for lack of memory, say; and where it is
killed while it sends, whoever receives may wait for the rest for ever.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from types import ModuleType
from typing import Any, Generic, TypeVar

T = TypeVar("T")

WATCH = 0.5
"""Seconds between two looks of a child at whether its parent lives."""

ENDING = 10.0
"""Seconds that a child gets for its end."""


class Ended:
    """What is heard last of a child."""


Heard = SimpleQueue["tuple[Child[T], T | Ended]"]
"""What children have sent, with the child; threads put it there, so that no message that is cut off holds it up."""


class Child(Generic[T]):
    """A process that does `serve(connection, *arguments)`.

    It does not heed Ctrl-C, which is its parent's matter, and ends soon after its parent.
    """

    def __init__(self, serve: Callable[..., None], arguments: tuple[object, ...]) -> None:
        context: Any = multiprocessing.get_context("fork" if can_copy() else "spawn")
        pipe: tuple[Any, Any] = context.Pipe()  # of another type on Windows
        self._connection, theirs = pipe
        self._process: BaseProcess = context.Process(
            target=_live, args=(os.getpid(), serve, theirs, *arguments), daemon=True
        )
        with _interrupts_are_ours(), _without_main() if context.get_start_method() == "spawn" else nullcontext():
            self._process.start()
        theirs.close()  # so that the end of the process is the end of what can be received
        self._silent = False
        self._listener: threading.Thread | None = None

    def listen(self, heard: Heard[T]) -> None:
        """From here on what it sends comes to `heard`, and `Ended` when it is gone."""
        self._listener = threading.Thread(target=self._listen, args=(heard,), daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def send(self, what: object) -> None:
        """Send it something; that it has died meanwhile is heard of."""
        with suppress(OSError):
            self._connection.send(what)

    def kill(self) -> None:
        """End the process by force, and do not wait for that."""
        self._process.kill()

    def end(self) -> int | None:
        """End the process by force, if it does not end by itself, and wait for that; its exit code."""
        if self._silent:
            self._process.join(ENDING)
        self._process.kill()
        self._process.join()
        if self._listener is not None:
            self._listener.join()
        self._connection.close()
        return self._process.exitcode

    def _listen(self, heard: Heard[T]) -> None:
        with suppress(EOFError, OSError):
            while True:
                heard.put((self, self._connection.recv()))
        self._silent = True
        heard.put((self, Ended()))


def can_copy() -> bool:
    """Whether a process can start as a copy of this one: in milliseconds, and not in the quarter of a second in which
    one that has nothing imports all.

    What another thread holds at that moment would be held in the copy for ever: so there must be none.
    """
    with suppress(OSError):
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    return False


@contextmanager
def _without_main() -> Iterator[None]:
    """A process that starts would run the user's script once more, to know what is in it; it need not know that."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


@contextmanager
def _interrupts_are_ours() -> Iterator[None]:
    """Ctrl-C on a terminal reaches all processes of a command; of those, the ones that start now are not to answer."""
    if sys.platform == "win32":  # it has no signals that wait
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live(parent: int, serve: Callable[..., None], connection: Connection, *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        serve(connection, *arguments)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)
