"""The order in which the tests of a suite are run: whole tests, until fewer wait than there are workers; then in parts.

A test that is not done after a slice goes on in parts. These come before tests that nobody has begun, so that few are
under way at a time; they are divided once there is too little else to do.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.sliced_test import Begun, Piece, SlicedTest, lost_result
from xgen.analyses.suite.suite import Item
from xgen.engine.distributed.coordinator import LONGEST, OPEN, PER_WORKER, slice_seconds
from xgen.engine.distributed.slices import Slice
from xgen.engine.distributed.workers import Lost, Workers
from xgen.engine.graphs.intervals import LOSSES
from xgen.records import dataclass, replace

WAIT = 0.1
"""Seconds between two looks at whether the file is to be written."""
PATIENCE = 10.0
"""Seconds beyond its time limit after which a test's process is ended: it does not heed the limit."""
STILL = 60.0
"""Seconds beyond ten times what a process was given after which it stands still, and is ended."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tests to run one after the other, and their numbers; none is begun, and none goes on, after so many seconds.

    seconds  None: each goes on until its end
    """

    numbers: tuple[int, ...]
    tests: tuple[Item, ...]
    seconds: float | None = None

    @property
    def name(self) -> str:
        """The first one's."""
        more = f"+{len(self.tests) - 1}" if len(self.tests) > 1 else ""
        return Path(self.tests[0].path).stem + more


Job: TypeAlias = Batch | Piece


def longest(job: Job, timeout: float | None) -> float:
    """Seconds after which the process that does a job is ended, where each test may take so long."""
    still = STILL + 10 * (job.seconds or 0.0)
    return min(still, timeout + PATIENCE) if timeout is not None and isinstance(job, Batch) else still


Answer: TypeAlias = "list[LitmusResult | Begun] | Slice | LitmusResult"
Crew: TypeAlias = Workers[Job, Answer]


class Schedule:
    """What is to be done of a suite.

    crew    who does it
    most    tests that are sent at a time, at most
    divide  whether tests may be explored in parts
    begin   what counts the parts of a test that was begun
    timeout seconds for each test
    room    bytes for the final states of tests in parts
    changed the tests in parts that were gone on with since it was emptied
    """

    def __init__(
        self,
        tests: Sequence[Item],
        numbers: Sequence[int],
        crew: Crew,
        most: int,
        divide: bool,
        begin: Callable[[int, Item], SlicedTest],
        timeout: float | None = None,
        room: int | None = None,
    ) -> None:
        self._tests, self._crew, self._most, self._divide, self._begin = tests, crew, most, divide, begin
        self._timeout, self._room, self._used = timeout, room, 0
        self._waiting, self._again, self._suspects = deque(numbers), deque[int](), deque[int]()
        self._lost = Counter[int]()
        self._left, self._sent = len(numbers), 0
        self._start = time.monotonic()
        self.parted: dict[int, SlicedTest] = {}
        self.changed: set[int] = set()
        self._ready, self._dividable = OrderedDict[int, None](), OrderedDict[int, None]()
        self._parts = 0

    def take_up(self, number: int, parted: SlicedTest) -> None:
        """Goes on with a test that was begun before."""
        self._waiting.remove(number)
        self.parted[number] = parted
        self._counted(number, 0, 0)

    def results(self) -> Iterator[tuple[int, LitmusResult] | None]:
        """What comes of tests, by their numbers; None: there is time for something else."""
        while self._left:
            self._give()
            for job, answer in self._crew.answers(WAIT):
                self._sent -= 1
                if isinstance(job, Piece):
                    yield from self._of_piece(job, answer)
                elif isinstance(answer, Exception):
                    raise answer
                elif isinstance(answer, Lost):
                    yield from self._of_lost(job, answer)
                else:
                    assert isinstance(answer, list)
                    yield from self._of_batch(job, answer)
            yield None

    # ---- what is sent

    def _give(self) -> None:
        size = self._crew.size
        while size > 1 and self._waits + self._sent < OPEN * size and self._divides():
            pass
        for _ in range(self._crew.room()):
            job = self._piece() or self._batch()
            if job is None:
                break
            self._sent += 1
            self._crew.submit(job)

    @property
    def _waits(self) -> int:
        """How many tests and parts wait."""
        return len(self._waiting) + len(self._again) + self._parts

    def _seconds(self) -> float:
        """Of a slice: long ones while there are tests for all."""
        size = self._crew.size
        if size == 1 or len(self._waiting) >= size:
            return max(LONGEST, PER_WORKER * size)
        return slice_seconds(size, time.monotonic() - self._start, self._waits, self._waits + self._sent)

    def _divides(self) -> bool:
        """Divides a part of some test, each in its turn; whether there is one."""
        while self._dividable:
            number, _ = self._dividable.popitem(last=False)
            parted = self.parted.get(number)
            if parted is not None and parted.divide():
                self._counted(number, parted.waiting - 1, parted.memory)
                return True
        return False

    def _counted(self, number: int, waiting: int, memory: int) -> None:
        """Counts the parts of a test that wait now, where so many did, and its memory, where that was so much."""
        parted = self.parted[number]
        self._parts += parted.waiting - waiting
        self._used += parted.memory - memory
        if parted.waiting:
            self._ready[number] = self._dividable[number] = None

    def _piece(self) -> Piece | None:
        """A slice of a test, each in its turn."""
        while self._ready:
            number, _ = self._ready.popitem(last=False)
            parted = self.parted.get(number)
            piece = None if parted is None else parted.piece(self._seconds())
            if parted is not None and piece is not None:
                self._counted(number, parted.waiting + 1, parted.memory)
                return piece
        return None

    def _batch(self) -> Batch | None:
        size = max(1, min(self._most, len(self._waiting) // (4 * self._crew.size)))
        chosen = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
        if not chosen and self._again:
            chosen = [self._again.popleft()]
        # Who dies may take along what others wait for: so each has its last chance alone.
        if not chosen and self._suspects and not self._sent:
            chosen = [self._suspects.popleft()]
        if not chosen:
            return None
        seconds = self._seconds() if self._divide else None
        return Batch(tuple(chosen), tuple(self._tests[number] for number in chosen), seconds)

    # ---- what is answered

    def _done(self, number: int, result: LitmusResult) -> Iterator[tuple[int, LitmusResult]]:
        parted = self.parted.pop(number, None)
        if parted is not None:
            self._parts -= parted.waiting
            self._used -= parted.memory
        self.changed.discard(number)
        self._left -= 1
        yield number, result

    def _of_batch(self, batch: Batch, answer: list[LitmusResult | Begun]) -> Iterator[tuple[int, LitmusResult]]:
        for number, test, one in zip(batch.numbers, batch.tests, answer, strict=False):
            if isinstance(one, LitmusResult):
                yield from self._done(number, one)
                continue
            self.parted[number] = parted = self._begin(number, replace(test, text=one.text))
            result = parted.begin(one)
            self._counted(number, 0, 0)
            yield from self._gone_on(number, result)
        self._waiting.extendleft(reversed(batch.numbers[len(answer) :]))  # for which there was no time

    def _of_piece(self, piece: Piece, answer: Answer | Lost | Exception) -> Iterator[tuple[int, LitmusResult]]:
        parted = self.parted.get(piece.number)
        if parted is None:  # there is a result already
            return
        assert not isinstance(answer, list)
        before = parted.waiting, parted.memory
        result = parted.take(piece.task, answer)
        self._counted(piece.number, *before)
        if result is None and self._room is not None and self._used > self._room:
            result = parted.lost(Lost("memory"))
        yield from self._gone_on(piece.number, result)

    def _gone_on(self, number: int, result: LitmusResult | None) -> Iterator[tuple[int, LitmusResult]]:
        if result is None:
            self.changed.add(number)
        else:
            yield from self._done(number, result)

    def _of_lost(self, batch: Batch, lost: Lost) -> Iterator[tuple[int, LitmusResult]]:
        out_of_time = lost.late and longest(batch, self._timeout) < longest(batch, None)
        for number in batch.numbers:
            test = self._tests[number]
            blank = LitmusResult(Path(test.path).stem, test.path, None, test.model)
            self._lost[number] += 1
            if out_of_time:
                yield from self._done(number, replace(blank, stopped="timeout"))
            elif self._lost[number] == LOSSES:
                yield from self._done(number, lost_result(blank, lost))
            else:
                (self._again if self._lost[number] < LOSSES - 1 else self._suspects).append(number)
