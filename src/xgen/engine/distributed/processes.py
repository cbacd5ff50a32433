"""Workers that are processes of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from xgen.engine.distributed.children import Child, Ended, Heard, can_copy
from xgen.engine.distributed.workers import Lost, Make
from xgen.records import dataclass

T = TypeVar("T")
A = TypeVar("A")


STARTING = 120.0
"""Seconds after which a process with limits stands still that has not started."""


@dataclass
class _Hand(Generic[T]):
    """What a process has to do, in this order; since when it does the first, or has nothing; None: it is starting."""

    tasks: list[T]
    since: float | None = None
    made: float = field(default_factory=time.monotonic)

    def is_late(self, limit: Callable[[T], float]) -> bool:
        """Whether it takes longer than it may."""
        if not self.tasks:
            return False
        since, most = (self.made, STARTING) if self.since is None else (self.since, limit(self.tasks[0]))
        return time.monotonic() - since > most


class _Ready:
    """What a process says once it has started."""


class Processes(Generic[T, A]):
    """So many processes, started once there is something for them to do: where one dies, it takes along what it was
    doing, and no more.

    memory  how much each may take beside what it has when it starts, in bytes
    ahead   tasks that each may have at a time: one that it does, the others wait for it
    limit   seconds that a task may take before its process is ended, which stands still
    """

    def __init__(
        self,
        make: Make[T, A],
        arguments: tuple[object, ...],
        size: int,
        memory: int | None = None,
        ahead: int = 2,
        limit: Callable[[T], float] | None = None,
    ) -> None:
        self.size, self.deaths = size, 0
        self._job, self._ahead, self._limit = (make, arguments, memory), ahead, limit
        self._heard: Heard[A | Lost | Exception | _Ready] = SimpleQueue()
        self._hands: dict[Child[A | Lost | Exception | _Ready], _Hand[T]] = {}

    def _start(self, tasks: list[T]) -> None:
        """A process that does these; and all others, if they start as copies: once there are threads, they cannot."""
        missing = self.size - len(self._hands) if can_copy() else 1
        children: list[Child[A | Lost | Exception | _Ready]] = []
        for _ in range(missing):
            children.append(Child(_serve, self._job))
            self._hands[children[-1]] = _Hand([])
        for child in children:
            child.listen(self._heard)
        self._hands[children[0]].tasks += tasks
        for task in tasks:
            children[0].send(task)

    def room(self) -> int:
        """Each may have one task to do, and those that wait."""
        return self._ahead * self.size - sum(len(hand.tasks) for hand in self._hands.values())

    def submit(self, task: T) -> None:
        """Give it to a process that has least to do; to a new one, if all that there are have something to do."""
        if len(self._hands) < self.size and all(hand.tasks for hand in self._hands.values()):
            self._start([task])
            return
        child, hand = min(self._hands.items(), key=lambda entry: len(entry[1].tasks))
        if not hand.tasks and hand.since is not None:
            hand.since = time.monotonic()
        hand.tasks.append(task)
        child.send(task)

    def answers(self, seconds: float) -> Iterator[tuple[T, A | Lost | Exception]]:
        """What processes have answered, and what died with them."""
        with suppress(Empty):
            yield from self._heard_of(*self._heard.get(timeout=seconds))
            while True:
                yield from self._heard_of(*self._heard.get_nowait())
        if self._limit is not None:
            for child, hand in list(self._hands.items()):
                if hand.is_late(self._limit):
                    yield from self._lose(child, late=True)

    def _heard_of(
        self, child: Child[A | Lost | Exception | _Ready], said: A | Lost | Exception | _Ready | Ended
    ) -> Iterator[tuple[T, A | Lost | Exception]]:
        if child not in self._hands:  # it was ended here
            return
        if isinstance(said, Ended):
            yield from self._lose(child)
            return
        hand = self._hands[child]
        hand.since = time.monotonic()
        if not isinstance(said, _Ready):
            yield hand.tasks.pop(0), said

    def _lose(self, child: Child[A | Lost | Exception | _Ready], late: bool = False) -> Iterator[tuple[T, Lost]]:
        self.deaths += 1
        code = child.end()
        left = self._hands.pop(child).tasks
        # The first one was being done; those that waited are as they were.
        self._start(left[1:])
        if left:
            yield left[0], Lost(f"signal {-code}" if code is not None and code < 0 else f"exit code {code}", late)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [child.pid for child in self._hands]

    def close(self) -> None:
        """End all processes, by force."""
        for child in self._hands:  # all of them, even if Ctrl-C keeps this from waiting for them
            child.kill()
        for child in self._hands:
            child.end()


def _serve(connection: Connection, make: Make[T, A], arguments: tuple[object, ...], memory: int | None) -> None:
    """What a process does, until nobody has anything to do for it."""
    if memory is not None:
        _bound(memory)
    connection.send(_Ready())
    work: Callable[[T], A] | None = None
    while True:
        task = connection.recv()
        try:
            work = work or make(*arguments)
            connection.send(work(task))
        except MemoryError:  # to send takes memory as well
            connection.send(Lost("memory"))
        except Exception as error:  # a mistake of ours, which the coordinator reports
            connection.send(error)


def _bound(memory: int) -> None:
    """From here on the process gets so many bytes more, where the system tells how many it has, and heeds limits."""
    import resource  # which Windows does not have

    with suppress(OSError, ValueError):
        with open("/proc/self/statm", encoding="ascii") as file:
            limit = int(file.read().split()[0]) * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
