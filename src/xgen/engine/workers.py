"""Who explores slices: this process, or others of which each may die."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from typing import Protocol

from xgen.engine.intervals import Interval
from xgen.engine.problem import Problem
from xgen.engine.run import Options
from xgen.engine.slices import Slice, Slicer
from xgen.errors import XgenError

WATCH = 0.5
"""Seconds between two looks of a worker at whether its coordinator lives."""

SETTLING = 10.0
"""Seconds that workers get to end by themselves."""


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


Answer = tuple[Task, Slice | Lost | XgenError]


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
    """So many processes, each an executor of its own: where one dies, it takes along what it was doing, and no more."""

    def __init__(self, problem: Problem, options: Options, size: int, memory: int | None = None) -> None:
        self.size, self.deaths = size, 0
        self._job = pickle.dumps((problem, options)), os.getpid(), memory
        self._teams: list[_Team] = [_Team(self._job) for _ in range(size)]

    def room(self) -> int:
        """Each may have one task to do and one to wait."""
        return sum(2 - len(team.futures) for team in self._teams)

    def submit(self, task: Task) -> None:
        """Give it to a process that has least to do."""
        min(self._teams, key=lambda team: len(team.futures)).submit(task)

    def answers(self, seconds: float) -> Iterator[Answer]:
        """What processes have answered, and what died with them."""
        futures = [future for team in self._teams for future in team.futures]
        wait(futures, seconds, FIRST_COMPLETED)
        for place, team in enumerate(self._teams):
            yield from team.answers()
            if team.broken:
                self.deaths += 1
                left = list(team.futures.values())
                team.close()
                self._teams[place] = fresh = _Team(self._job)
                # The first one was being done; the second one, which waited, is as it was.
                for task in left[1:]:
                    fresh.submit(task)
                if left:
                    yield left[0], Lost("died")

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that have begun."""
        return [process.pid for team in self._teams for process in team.processes if process.pid is not None]

    def close(self) -> None:
        """End all processes, by force where one does not heed."""
        for team in self._teams:
            team.close()


class _Team:
    """An executor of one process, and what it has to do, in this order."""

    def __init__(self, job: tuple[bytes, int, int | None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(1, context, _begin, job)
        self.futures: dict[Future[Slice | Lost | XgenError], Task] = {}
        self.processes: list[BaseProcess] = []
        self.broken = False

    def submit(self, task: Task) -> None:
        before = set(multiprocessing.active_children())
        try:
            future = self._executor.submit(_work, task)
        except BrokenProcessPool:  # it has died meanwhile
            self.broken = True
            future = Future()
        self.futures[future] = task
        self.processes += set(multiprocessing.active_children()) - before

    def answers(self) -> Iterator[Answer]:
        for future, task in list(self.futures.items()):
            if not future.done():
                break
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                self.broken = True
                break
            del self.futures[future]
            if error is not None:
                raise error
            yield task, future.result()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.join(SETTLING)


_slicers: Slicers


def _begin(job: bytes, coordinator: int, memory: int | None) -> None:
    """What a process does first. Ctrl-C is the coordinator's matter; when that is gone, so is the worker soon."""
    global _slicers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(coordinator,), daemon=True).start()
    problem, options = pickle.loads(job)
    _slicers = Slicers(problem, options)
    if memory is not None:
        with suppress(OSError, ValueError):
            limit = _address_space() + memory
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _watch(coordinator: int) -> None:
    while os.getppid() == coordinator:
        time.sleep(WATCH)
    os._exit(1)


def _address_space() -> int:
    """What the process has mapped, in bytes; OSError where the system does not tell."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _work(task: Task) -> Slice | Lost | XgenError:
    return _slicers.explore(task)
