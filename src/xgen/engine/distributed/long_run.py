"""Long runs: explorations by several processes, kept in a file, within a limit of memory."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from xgen.clock import Clock
from xgen.engine.distributed import memory
from xgen.engine.distributed.checkpoint import Begun, Checkpoint, identity
from xgen.engine.distributed.coordinator import LONGEST, Coordinator, Why
from xgen.engine.distributed.processes import Processes
from xgen.engine.distributed.run_file import damaged
from xgen.engine.distributed.slices import OUTCOME_PAUSE, Explorers, NowhereError, Slicer, Slicers
from xgen.engine.distributed.totals import outgrown
from xgen.engine.distributed.workers import Here
from xgen.engine.graphs.deepening import bounds
from xgen.engine.graphs.diagnosis import cut_at, look_for_loops, waits_at
from xgen.engine.graphs.final_states import States
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.intervals import WHOLE, Interval
from xgen.engine.graphs.options import Long, Options, Progress
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.errors import InternalError, UsageError
from xgen.executions.execution import Execution
from xgen.records import dataclass, replace

STILL = 60.0
"""Seconds beyond ten times that of a slice after which a process that does not answer stands still, and is ended."""
ALONE = 0.1
"""Seconds after which it is worth starting other processes."""


@dataclass(frozen=True)
class Report:
    """What a long run says of itself.

    trouble  why its file could not be written in the end, if that is so
    gone     that all workers are, if that is why it stopped
    """

    engine: str
    workers: int
    slices: int
    deaths: int
    sessions: int
    cpu_seconds: float
    trouble: str | None = None
    gone: str | None = None


def explore(
    asked: Problem, options: Options, how: Long, clock: Clock, on_progress: Callable[[Progress], None] | None
) -> tuple[Found, tuple[Interval, ...], Report]:
    """What was found, the parts that were lost too often, and how it was done. Raises UsageError, and as `Run` does."""
    store = _store(asked, options, how)
    with _signals() as asked_to_stop:
        journey = _Journey(asked, options, how, clock, on_progress, store, asked_to_stop)
        try:
            journey.go()
            return journey.result()
        except NowhereError as error:
            if how.checkpoint is None:
                raise InternalError(error.message) from None
            raise damaged(how.checkpoint, error.message) from None
        finally:
            journey.close()


def _store(asked: Problem, options: Options, how: Long) -> Checkpoint | None:
    if how.checkpoint is None:
        return None
    own = identity(asked, options)
    if not how.checkpoint.exists():
        return Checkpoint.create(how.checkpoint, {"identity": own, **how.about})
    store = Checkpoint.resume(how.checkpoint)
    kept = store.about().get("identity", {})
    for what, value in own.items():
        if kept.get(what) != value:
            store.close()
            other = f"another {what}" if not what.startswith("--") else f"a run with another {what}"
            raise UsageError(f"this is a checkpoint of {other}", file=str(how.checkpoint))
    return store


@contextmanager
def _signals() -> Iterator[Callable[[], int]]:
    """How often Ctrl-C or SIGTERM asked for an end while the block lasts; the third time it is at once."""
    asked = [0]

    def note(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
        asked[0] += 1
        if asked[0] > 2:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield lambda: 0
        return
    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked[0]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Journey:
    """A run with its bounds, one after the other; it is its coordinators' keeper."""

    def __init__(
        self,
        asked: Problem,
        options: Options,
        how: Long,
        clock: Clock,
        on_progress: Callable[[Progress], None] | None,
        store: Checkpoint | None,
        asked_to_stop: Callable[[], int],
    ) -> None:
        self._asked, self._options, self._how, self._clock = asked, options, how, clock
        self._on_progress, self._store, self._asked_to_stop = on_progress, store, asked_to_stop
        self._crew: Explorers | None = None
        self._room = memory.for_outcomes(how.memory or memory.available())
        self._slices, self._cpu = 0, 0.0
        self._told = time.monotonic()
        self._coordinator: Coordinator | None = None
        self._finished = False

    # ---- the run

    def go(self) -> None:
        """Explores with one bound after the other until one cuts nothing."""
        kept = self._store.load(self._asked) if self._store else None
        self._finished = self._store is not None and self._store.about()["done"]
        if self._store:
            self._store.work = self._work
        if self._how.cluster is not None and not self._finished:
            self._crew = self._hired()  # at once, as the address may be wrong
        for depth in bounds(self._asked, self._options.max_depth):
            if kept is not None and depth != kept.depth:
                continue
            self._coordinator = coordinator = self._begin(depth, kept)
            kept = None
            if self._store and not self._finished:
                self._store.depth = depth
            if not self._finished:
                self._explore(coordinator)
            if coordinator.stopped or coordinator.ended or self._finished:
                break
            if depth == self._options.max_depth or not outgrown(self._asked, coordinator.found):
                break
            if self._store:
                self._store.start_again()
        assert self._coordinator is not None
        if self._store and not self._finished:
            self._finished = self._coordinator.stopped is None
            self.commit(self._coordinator)

    def _begin(self, depth: int | None, kept: Begun | None) -> Coordinator:
        coordinator = Coordinator(self._asked, depth, self._options.all_states, self._halt)
        coordinator.keeper, coordinator.report, coordinator.longest = self, self._say, self._how.longest
        coordinator.time_left = self._clock.left
        coordinator.pause = min(OUTCOME_PAUSE, memory.in_a_slice(self._room, self._how.processes or 1))
        coordinator.hurry = lambda: self._asked_to_stop() > 1
        if kept:
            coordinator.found = kept.found
            coordinator.witness = (kept.witness, None) if kept.witness else None
            coordinator.take_up(kept.parts)
        else:
            coordinator.begin()
        return coordinator

    def _explore(self, coordinator: Coordinator) -> None:
        here = Here(Slicers(self._asked, self._options, lambda: self._halt() is not None))
        if self._how.processes is None and self._how.cluster is None:
            self._run(coordinator, here)
            return
        if self._crew is None or self._how.cluster is not None:
            self._run(coordinator, here, ALONE)
        if coordinator.left and not coordinator.ended and coordinator.stopped is None:
            self._crew = self._crew or self._hired()
            self._run(coordinator, self._crew)

    def _hired(self) -> Explorers:
        job = self._asked, self._options
        if self._how.cluster is not None:
            from xgen.engine.distributed.cluster import Cluster  # long to import, and not always there

            return Cluster(Slicers, job, self._how.cluster)
        number = self._how.processes or 1
        share = None if self._how.memory is None else self._how.memory // 2 // number
        return Processes(Slicers, job, number, share, limit=lambda task: STILL + 10 * task.seconds)

    def _run(self, coordinator: Coordinator, workers: Explorers, until: float = float("inf")) -> None:
        before = coordinator.slices, coordinator.cpu
        coordinator.run(workers, until)
        self._slices += coordinator.slices - before[0]
        self._cpu += coordinator.cpu - before[1]

    def _halt(self) -> Why | None:
        if self._asked_to_stop():
            return "interrupt"
        return "timeout" if self._clock.over() else None

    def close(self) -> None:
        """Ends the processes, and leaves the file to others."""
        if self._crew is not None:
            self._crew.close()
        if self._store is not None:
            self._store.close()

    # ---- keeping

    def due(self) -> bool:
        """Whether a commit is: of time, or of memory, for which a file is made if there is none."""
        assert self._coordinator is not None
        if self._coordinator.found.outcomes.memory > self._room:
            self._store = self._store or Checkpoint.temporary()
            return True
        return self._store is not None and self._store.due()

    def commit(self, coordinator: Coordinator) -> None:
        """Writes what there is. A disk that is full is said in the end, if it is full then."""
        assert self._store is not None
        self._store.commit(coordinator, self._finished)

    # ---- what is said

    def _say(self) -> None:
        if self._on_progress is None or time.monotonic() - self._told < LONGEST / 10:
            return
        assert self._coordinator is not None
        self._told = time.monotonic()
        c = self._coordinator.found.counters
        note = f"{len(self._coordinator.parts)} parts open"
        if self._crew is not None:
            lost = f" ({self._crew.deaths} lost)" if self._crew.deaths else ""
            who = "workers" if self._how.cluster else "processes"
            note = f"{self._crew.size} {who}{lost}, {note}"
        if self._how.checkpoint is not None and self._store is not None:
            note += f", checkpoint {self._store.age:.0f} s ago"
        seconds = self._clock.seconds
        self._on_progress(Progress(c["executions"], c["blocked"], c["bounded"], c["explored"], seconds, note=note))

    def _work(self) -> tuple[int, int, int, float]:
        deaths = 0 if self._crew is None else self._crew.deaths
        slices, cpu = self._slices, self._cpu
        return self._crew.size if self._crew else self._how.processes or 1, slices, deaths, cpu

    def result(self) -> tuple[Found, tuple[Interval, ...], Report]:
        """What `explore` returns."""
        coordinator = self._coordinator
        assert coordinator is not None
        found, stopped = coordinator.found, coordinator.stopped
        described = Run(self._asked, replace(self._options, max_depth=coordinator.depth, workers=1), WHOLE)
        own = coordinator.depth != self._options.max_depth
        if own:
            cuts = []
        elif stopped and coordinator.depth is None:
            cuts = look_for_loops(described, late=stopped == "timeout")
        else:
            cuts = cut_at(described, found.cuts)
        if self._store is not None and self._store.trouble is None:
            outcomes = self._store.outcomes(self._asked)
        else:
            if self._store is not None:
                self._store.give_back(found)
            outcomes = States(self._asked, found.outcomes)
        workers, slices, deaths, cpu = self._work()
        sessions = 1
        if self._store is not None and self._how.checkpoint is not None:
            sessions, _, before, died, spent = self._store.sessions()
            slices, deaths, cpu = slices + before, deaths + died, cpu + spent
        part = Found(
            found.counters,
            described.flags_of(found.flags),
            outcomes,
            True,
            self._witness(),
            (),
            tuple(cuts),
            tuple(waits_at(described, found.waits)),
            bool(found.cuts),
            found.counted,
            found.reached,
            stopped,
        )
        aside = tuple(coordinator.aside)
        engine = "here" if self._crew is None else "cluster" if self._how.cluster else "processes"
        trouble = self._store.trouble if self._store else None
        return part, aside, Report(engine, workers, slices, deaths, sessions, cpu, trouble, coordinator.gone)

    def _witness(self) -> Execution | None:
        """The execution that was found; a checkpoint has only the part in which it is."""
        coordinator = self._coordinator
        assert coordinator is not None
        if coordinator.witness is None or coordinator.witness[1] is not None:
            return coordinator.witness[1] if coordinator.witness else None
        part: Interval | None = coordinator.witness[0]
        slicer = Slicer(self._asked, replace(self._options, max_depth=coordinator.depth))
        while part is not None:
            one = slicer.explore(part, LONGEST / 10, stop=lambda: True)
            if one.witness is not None:
                return one.witness
            part = one.left
        return None
