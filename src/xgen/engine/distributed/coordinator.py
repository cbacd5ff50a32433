"""The coordinator: keeps the open parts of an exploration, gives them to workers slice by slice, and alone counts.

The open parts are disjoint, and together all that was not explored. An answer to an open part replaces it by what is
left of it, and its numbers are counted in the same step; an answer to a part that is not open any more is dropped. So
nothing counts twice, and what is lost runs again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import field
from heapq import heappop, heappush
from itertools import count
from typing import Literal, Protocol

from xgen import _core
from xgen.engine.distributed.slices import OUTCOME_PAUSE, Explorers, Slice, Task
from xgen.engine.distributed.totals import nothing
from xgen.engine.distributed.workers import GoneError, Lost
from xgen.engine.graphs.intervals import LOSSES, WHOLE, Interval
from xgen.engine.problem import Problem
from xgen.executions.execution import Execution
from xgen.records import dataclass

LONGEST = 1.0
"""Seconds of a slice of a long run, but for many workers."""
PER_WORKER = 0.008
"""Such seconds for each worker, where that is more: each answer costs the coordinator some time."""
MANY = 16
"""Workers from which on slices grow four times as fast."""
PER_PART = 0.002
"""Such seconds for each part that is left, at the end."""
OPEN = 4
"""Parts per worker to keep open."""
WAIT = 0.1
"""Seconds between two looks at the clock."""

Why = Literal["interrupt", "timeout", "lost"]


@dataclass
class OpenInterval:
    """An open part: how often it was lost, and the task that was sent for it; None: it waits."""

    interval: Interval
    lost: int = 0
    sent: Task | None = None


class Keeper(Protocol):
    """Who keeps what was found where a crash does not reach it."""

    def due(self) -> bool:
        """Whether it is time to."""

    def commit(self, coordinator: Coordinator) -> None:
        """Keep it; outcomes that are kept are dropped from what was found."""


def slice_seconds(workers: int, elapsed: float, waiting: int, left: int) -> float:
    """How long a slice is: short at first, and while fewer parts wait than there are workers, so that more come soon.

    Then it is the shorter the fewer parts are left in all, as there are as many answers: so the end, at which more and
    more workers are idle, is short, too. Of few workers each counts: where one waits for what another one leaves, its
    time is to be a small share of the run's.
    """
    longest = max(LONGEST, PER_WORKER * workers)
    seconds = min(longest, max(longest / 40, elapsed / (200 if 1 < workers < MANY else 50)))
    return min(seconds, longest / 8, max(LONGEST / 40, PER_PART * left)) if waiting < workers else seconds


class _Queue:
    """The parts that wait to be sent, those nearest to the root first; `aside`: how many are never sent again."""

    def __init__(self, parts: dict[int, OpenInterval]) -> None:
        self._parts = parts
        self._all: list[tuple[int, tuple[int, ...], int]] = []
        self._dividable: list[tuple[int, tuple[int, ...], int]] = []
        self.waiting = self.aside = 0

    def add(self, number: int, part: OpenInterval) -> None:
        """A part that was opened."""
        if part.lost >= LOSSES:
            self.aside += 1
            return
        self.waiting += 1
        entry = part.interval.rest[0], part.interval.start, number
        heappush(self._all, entry)
        if len(part.interval.rest) > 1:
            heappush(self._dividable, entry)

    def first(self) -> int | None:
        """Takes the number of the first part."""
        return self._taken(self._all)

    def dividable(self) -> int | None:
        """Takes the number of the first part that arithmetic divides."""
        return self._taken(self._dividable)

    def _taken(self, heap: list[tuple[int, tuple[int, ...], int]]) -> int | None:
        while heap:
            number = heappop(heap)[2]
            # A part that was sent, or divided, is in the other heap still.
            if number in self._parts and self._parts[number].sent is None:
                return number
        return None


@dataclass
class Coordinator:
    """The exploration of one problem with one bound.

    all_states  go on after a violation
    halt        asked for between two answers: why to stop, if so
    found       so far; its outcomes are those that are not in a checkpoint yet
    witness     of the part that starts first: that part, and the execution once it is known
    gone        what is said where all workers are
    hurry       whether not to wait even for what is under way
    pause       different outcomes with which a slice ends
    """

    problem: Problem
    depth: int | None
    all_states: bool
    halt: Callable[[], Why | None]
    found: _core.Findings = field(init=False)
    witness: tuple[Interval, Execution | None] | None = None
    parts: dict[int, OpenInterval] = field(default_factory=dict)
    keeper: Keeper | None = None
    report: Callable[[], None] = lambda: None
    stopped: Why | None = None
    ended: bool = False
    slices: int = 0
    cpu: float = 0.0
    longest: float | None = None
    gone: str | None = None
    time_left: Callable[[], float | None] = lambda: None
    hurry: Callable[[], bool] = lambda: False
    pause: int = OUTCOME_PAUSE

    def __post_init__(self) -> None:
        self._numbers: Iterator[int] = count()
        self._start = time.monotonic()
        self._queue = _Queue(self.parts)
        self.found = nothing(self.problem)

    def begin(self) -> None:
        """With all there is to explore."""
        self._open(WHOLE)

    def take_up(self, parts: dict[int, OpenInterval]) -> None:
        """With the parts that were left, as if none of them had ever been lost; they may be its own."""
        intervals = [part.interval for part in parts.values()]
        self.parts, self.stopped = {}, None
        self._queue = _Queue(self.parts)
        for one in intervals:
            self._open(one)

    @property
    def aside(self) -> list[Interval]:
        """The parts that were lost too often."""
        return [part.interval for part in self.parts.values() if part.lost >= LOSSES]

    @property
    def left(self) -> int:
        """How many parts may still be explored."""
        return len(self.parts) - self._queue.aside

    def run(self, workers: Explorers, until: float = float("inf")) -> None:
        """Explores until there is nothing left, or a reason to stop, or for so many seconds."""
        try:
            self._run(workers, until)
            if self.stopped is not None and workers.size > 1:
                self._settle(workers)
            elif not self.left and self.aside:
                self.stopped = "lost"
        except GoneError as error:
            self.stopped, self.gone = "lost", str(error)

    def _run(self, workers: Explorers, until: float) -> None:
        while self.left and not self.ended and self.stopped is None and time.monotonic() - self._start < until:
            self._give(workers, until)
            for task, answer in workers.answers(WAIT):
                self.take(task, answer)
                if self.ended:
                    return
            self.stopped = self.halt()
            self.report()
            if self.keeper and self.keeper.due():
                self.keeper.commit(self)

    def _settle(self, workers: Explorers) -> None:
        """Takes what is being answered; what does not come within a slice's time is explored again by who goes on."""
        seconds = max((part.sent.seconds for part in self.parts.values() if part.sent), default=0.0)
        over = time.monotonic() + seconds + WAIT
        while any(part.sent for part in self.parts.values()) and time.monotonic() < over and not self.ended:
            if self.hurry():
                return
            for task, answer in workers.answers(WAIT):
                self.take(task, answer)

    def _give(self, workers: Explorers, until: float) -> None:
        """Divides parts until there are enough, and sends those nearest to the root; of these the first."""
        while workers.size > 1 and self.left < OPEN * workers.size and self.divide():
            pass
        elapsed = time.monotonic() - self._start
        seconds = slice_seconds(workers.size, elapsed, self.waiting if workers.size > 1 else 1, self.left)
        limits = (until - elapsed, self.longest, self.time_left())
        seconds = max(0.0, min(seconds, *(limit for limit in limits if limit is not None)))
        for _ in range(workers.room()):
            task = self.task(seconds)
            if task is None:
                break
            workers.submit(task)

    @property
    def waiting(self) -> int:
        """How many parts wait to be sent."""
        return self._queue.waiting

    def divide(self) -> bool:
        """Divides the first part that arithmetic divides; whether there is one."""
        number = self._queue.dividable()
        if number is None:
            return False
        part = self._close(number)
        for half in part.interval.divided() or ():
            self._open(half, part.lost)
        return True

    def task(self, seconds: float) -> Task | None:
        """A slice of the first part that waits, which counts as sent now; None: no part waits."""
        number = self._queue.first()
        if number is None:
            return None
        part = self.parts[number]
        share = 1 if part.lost == 0 else 4
        part.sent = Task(number, part.lost, part.interval, self.depth, seconds / share, self.pause // share)
        self._queue.waiting -= 1
        return part.sent

    def _open(self, interval: Interval, lost: int = 0) -> None:
        number = next(self._numbers)
        self.parts[number] = part = OpenInterval(interval, lost)
        self._queue.add(number, part)

    def _close(self, number: int) -> OpenInterval:
        part = self.parts.pop(number)
        if part.sent is None:
            self._queue.waiting -= 1
        return part

    def take(self, task: Task, answer: Slice | Lost | Exception) -> None:
        """What an answer means, if its part is still open and was sent with this task."""
        part = self.parts.get(task.number)
        if part is None or part.sent != task:
            return
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Lost):
            self._close(task.number)
            self._divide_all(part.interval, part.lost + 1)
            return
        self._close(task.number)
        self.found.merge(answer.found)
        if answer.witness is not None and (self.witness is None or part.interval.start < self.witness[0].start):
            self.witness = part.interval, answer.witness
        self.slices += 1
        self.cpu += answer.seconds
        if answer.left is not None:
            self._open(answer.left)
        if answer.violation and not self.all_states:
            self.ended = True

    def _divide_all(self, interval: Interval, lost: int) -> None:
        """A part that was lost, as small as it can be divided: what kills its workers is to be alone in the end."""
        while halves := interval.divided():
            self._open(halves[0], lost)
            interval = halves[1]
        self._open(interval, lost)
