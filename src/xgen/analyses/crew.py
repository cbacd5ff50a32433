"""Work in several processes, of which each may die without taking more along than what it was doing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from xgen.engine.children import Child, Ended, Heard

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Lost:
    """A task whose process is gone: `late` if it was ended here for taking too long; else it died with `exitcode`."""

    late: bool
    exitcode: int | None = None


class Crew(Generic[T, R]):
    """Processes that do tasks: `work` and the tasks are pickled, and so are the results.

    patience  seconds that a task may take before its process is ended; None: no limit
    """

    def __init__(self, work: Callable[[T], R], tasks: Sequence[T], workers: int, patience: float | None = None) -> None:
        self._work, self._tasks, self._patience = work, tasks, patience
        self._left = iter(range(len(tasks)))
        self._size = min(workers, len(tasks))
        self._heard: Heard[R | _Ready] = SimpleQueue()
        self._crew: dict[Child[R | _Ready], _Turn] = {}

    def results(self) -> Iterator[tuple[int, R | Lost]]:
        """The number of each task and what came of it, as it comes."""
        try:
            for _ in range(self._size):
                self._employ()
            while self._crew:
                with suppress(Empty):
                    yield from self._answers(*self._heard.get(timeout=None if self._patience is None else 0.5))
                yield from [self._late(child) for child, turn in list(self._crew.items()) if self._is_late(turn)]
        finally:
            for child in self._crew:
                child.end()

    def _answers(self, child: Child[R | _Ready], said: R | _Ready | Ended) -> list[tuple[int, R | Lost]]:
        if child not in self._crew:  # it was ended here
            return []
        turn = self._crew[child]
        if isinstance(said, _Ready):
            turn.since = time.monotonic()
            return []
        if isinstance(said, Ended):
            del self._crew[child]
            self._employ()
            return [(turn.task, Lost(late=False, exitcode=child.end()))]
        following = next(self._left, None)
        if following is None:
            del self._crew[child]
            child.end()
        else:
            self._crew[child] = _Turn(following, time.monotonic())
            child.send(self._tasks[following])
        return [(turn.task, said)]

    def _is_late(self, turn: _Turn) -> bool:
        return self._patience is not None and turn.since is not None and time.monotonic() - turn.since > self._patience

    def _late(self, child: Child[R | _Ready]) -> tuple[int, Lost]:
        turn = self._crew.pop(child)
        child.end()
        self._employ()
        return turn.task, Lost(late=True)

    def _employ(self) -> None:
        """Start a process with the next task, if there is one."""
        number = next(self._left, None)
        if number is not None:
            child = Child(_serve, (self._work,), self._heard)
            self._crew[child] = _Turn(number)
            child.send(self._tasks[number])


@dataclass
class _Turn:
    """What a process does, and since when; None: it is starting."""

    task: int
    since: float | None = None


class _Ready:
    """What a process says once it has started."""


def _serve(connection: Connection, work: Callable[[T], R]) -> None:
    """What a process does, until nobody has anything to do for it."""
    connection.send(_Ready())
    while True:
        connection.send(work(connection.recv()))
