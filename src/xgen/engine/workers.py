"""Who explores slices: this process, or others of which each may die."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Protocol

from xgen.engine.children import Child, Ended, Heard
from xgen.engine.intervals import Interval
from xgen.engine.problem import Problem
from xgen.engine.run import Options
from xgen.engine.slices import Slice, Slicer
from xgen.errors import XgenError


@dataclass(frozen=True, slots=True)
class Task:
    """A slice to explore: of the part of that number, tried for that time, with that bound on events per thread."""

    number: int
    try_: int
    part: Interval
    depth: int | None
    seconds: float
    outcomes: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A slice that nobody will answer: its worker has died, or had no memory left."""

    how: str


Answer = tuple[Task, Slice | Lost | Exception]


class Workers(Protocol):
    """Those who explore slices of one problem."""

    size: int
    deaths: int

    def room(self) -> int:
        """How many more tasks may be given to them."""

    def submit(self, task: Task) -> None:
        """Give them a task."""

    def answers(self, seconds: float) -> Iterator[Answer]:
        """What has come back; waits so long at most."""

    def close(self) -> None:
        """End them; what they have not answered yet is dropped."""


class Slicers:
    """A problem made ready for slices, once for each bound."""

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem, self._options = problem, options
        self._ready: dict[int | None, Slicer] = {}

    def explore(self, task: Task, stop: Callable[[], bool] = lambda: False) -> Slice | Lost | XgenError:
        """The answer to a task."""
        try:
            if task.depth not in self._ready:
                self._ready = {task.depth: Slicer(self._problem, replace(self._options, max_depth=task.depth))}
            return self._ready[task.depth].explore(task.part, task.seconds, task.outcomes, stop=stop)
        except XgenError as error:
            return error
        except MemoryError:
            return Lost("memory")


class Here:
    """This process alone; `stop` says whether a slice is to end at once."""

    size = 1
    deaths = 0

    def __init__(self, problem: Problem, options: Options, stop: Callable[[], bool]) -> None:
        self._slicers, self._stop = Slicers(problem, options), stop
        self._tasks: list[Task] = []

    def room(self) -> int:
        """One task at a time."""
        return 1 - len(self._tasks)

    def submit(self, task: Task) -> None:
        """Keep a task for `answers`."""
        self._tasks.append(task)

    def answers(self, seconds: float) -> Iterator[Answer]:  # noqa: ARG002 - the tasks say how long they take
        """Do what there is to do."""
        while self._tasks:
            task = self._tasks.pop()
            yield task, self._slicers.explore(task, self._stop)

    def close(self) -> None:
        """Nothing to end."""


class Processes:
    """So many processes: where one dies, it takes along what it was doing, and no more."""

    def __init__(self, problem: Problem, options: Options, size: int, memory: int | None = None) -> None:
        self.size, self.deaths = size, 0
        self._job = problem, options, memory
        self._heard: Heard[Slice | Lost | Exception] = SimpleQueue()
        self._tasks: dict[Child[Slice | Lost | Exception], list[Task]] = {}
        for _ in range(size):
            self._start([])

    def _start(self, tasks: list[Task]) -> None:
        child = Child(_serve, self._job, self._heard)
        self._tasks[child] = tasks
        for task in tasks:
            child.send(task)

    def room(self) -> int:
        """Each may have one task to do and one to wait."""
        return sum(2 - len(tasks) for tasks in self._tasks.values())

    def submit(self, task: Task) -> None:
        """Give it to a process that has least to do."""
        child, tasks = min(self._tasks.items(), key=lambda entry: len(entry[1]))
        tasks.append(task)
        child.send(task)

    def answers(self, seconds: float) -> Iterator[Answer]:
        """What processes have answered, and what died with them."""
        with suppress(Empty):
            yield from self._heard_of(*self._heard.get(timeout=seconds))
            while True:
                yield from self._heard_of(*self._heard.get_nowait())

    def _heard_of(self, child: Child[Slice | Lost | Exception], said: Slice | Lost | Exception | Ended) -> list[Answer]:
        if not isinstance(said, Ended):
            return [(self._tasks[child].pop(0), said)]
        self.deaths += 1
        child.end()
        left = self._tasks.pop(child)
        # The first one was being done; the second one, which waited, is as it was.
        self._start(left[1:])
        return [(left[0], Lost("died"))] if left else []

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [child.pid for child in self._tasks]

    def close(self) -> None:
        """End all processes, by force."""
        for child in self._tasks:
            child.end()


def _serve(connection: Connection, problem: Problem, options: Options, memory: int | None) -> None:
    """What a process does, until nobody has anything to do for it."""
    if memory is not None:
        with suppress(OSError, ValueError):
            limit = _address_space() + memory
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    slicers = Slicers(problem, options)
    while True:
        task = connection.recv()
        try:
            connection.send(slicers.explore(task))
        except MemoryError:  # to send takes memory as well
            connection.send(Lost("memory"))
        except Exception as error:  # a mistake of ours, which the coordinator reports
            connection.send(error)


def _address_space() -> int:
    """What the process has mapped, in bytes; OSError where the system does not tell."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
