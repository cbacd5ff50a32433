"""Work in several processes, of which each may die without taking more along than what it was doing.

The pools of the standard library give up as a whole once a process is killed, for lack of memory, say.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Lost:
    """A task whose process is gone: `late` if it was ended here for taking too long; else it died with `exitcode`."""

    late: bool
    exitcode: int | None = None


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    connection: Connection
    task: int = -1
    since: float = 0.0

    def give(self, number: int, task: object) -> None:
        self.task, self.since = number, time.monotonic()
        with suppress(OSError):  # it has died, which is found by whoever waits for its answer
            self.connection.send(task)


class Crew(Generic[T, R]):
    """Processes that do tasks: `work` and the tasks are pickled, and so are the results.

    patience  seconds that a task may take before its process is ended; None: no limit
    """

    def __init__(self, work: Callable[[T], R], tasks: Sequence[T], workers: int, patience: float | None = None) -> None:
        self._work, self._tasks, self._patience = work, tasks, patience
        self._left = iter(range(len(tasks)))
        self._size = min(workers, len(tasks))
        self._crew: dict[Connection, _Worker] = {}

    def results(self) -> Iterator[tuple[int, R | Lost]]:
        """The number of each task and what came of it, as it comes."""
        try:
            for _ in range(self._size):
                self._employ()
            while self._crew:
                ready = wait(list(self._crew), None if self._patience is None else 0.5)
                for connection in ready:
                    assert isinstance(connection, Connection)
                    yield self._answer(self._crew[connection])
                for worker in [w for w in self._crew.values() if self._is_late(w)]:
                    worker.process.kill()
                    self._dismiss(worker)
                    self._employ()
                    yield worker.task, Lost(late=True)
        finally:
            for worker in self._crew.values():
                worker.process.kill()
            for worker in list(self._crew.values()):
                self._dismiss(worker)

    def _answer(self, worker: _Worker) -> tuple[int, R | Lost]:
        number = worker.task
        try:
            result: R = worker.connection.recv()
        except (EOFError, OSError):
            self._dismiss(worker)
            self._employ()
            return number, Lost(late=False, exitcode=worker.process.exitcode)
        following = next(self._left, None)
        if following is None:
            self._dismiss(worker)
        else:
            worker.give(following, self._tasks[following])
        return number, result

    def _is_late(self, worker: _Worker) -> bool:
        return self._patience is not None and time.monotonic() - worker.since > self._patience

    def _employ(self) -> None:
        """Start a process with the next task, if there is one."""
        number = next(self._left, None)
        if number is None:
            return
        context = multiprocessing.get_context("spawn")
        pipe: tuple[Any, Any] = context.Pipe()  # of another type on Windows
        ours, theirs = pipe
        process = context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        with _interrupts_are_ours():
            process.start()
        theirs.close()  # so that the end of the process is the end of what can be received
        worker = self._crew[ours] = _Worker(process, ours)
        worker.give(number, self._tasks[number])

    def _dismiss(self, worker: _Worker) -> None:
        del self._crew[worker.connection]
        worker.connection.close()
        worker.process.join()


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


def _serve(connection: Connection, work: Callable[[T], R]) -> None:
    """What a process does, until nobody has anything to do for it."""
    with suppress(EOFError, OSError):
        while True:
            connection.send(work(connection.recv()))
