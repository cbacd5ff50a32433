"""Which executions are explored as one: what a program and a model allow, and what is cheaper."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from xgen import _core
from xgen.clock import Clock
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.problem import Problem
from xgen.errors import XgenError
from xgen.executions.result import Classes, Partition
from xgen.lowering.code import ADDRESS
from xgen.memory.ready import facts
from xgen.records import replace

if TYPE_CHECKING:
    from xgen.analyses.check.independent import Product

ALONE = 5 * 10**7
"""The work (`Run.work`, about nanoseconds) of executions one by one before anything else is tried."""
NAMES, SHARE_OF_NAMES = 6, 0.4
"""Where so many executions may differ by the names of threads alone, what an exploration gets that visits one of them,
or some: so much of the work of executions one by one."""
TRYING, SHARE_OF_CLASSES = 2 * 10**9, 0.07
"""The work before classes are explored, too, and what these get."""
TURN = 1.1
"""How much more work executions have had after a turn than before it."""
ALL: tuple[Partition, ...] = ("off", "rf", "seen")
PROBING = 0.1
"""Seconds of probes, and then of exploring, of each way."""


def why_not(problem: Problem, partition: Partition) -> str | None:
    """Why classes cannot be explored, if it is so: a noun phrase."""
    if partition == "rf" or not facts(problem.model).buffering:
        return None
    # What decides whether a thread gets to an event is not all among its dependencies.
    for i in problem.code.instructions:
        if i.op in (_core.Op.STOREX, _core.Op.LOADX):
            return "exclusive accesses"
        if i.op is _core.Op.PREDICT:
            return "accesses of arrays" if i.c == ADDRESS else "what is predicted, as is whether a wide update fails,"
        waived = (i.op is _core.Op.JZ and i.b) or (i.op is _core.Op.ASSUME and i.c)
        if i.op is _core.Op.LEAVE or waived:
            return "what ends a control dependency"
    return None


def expected_seconds(each: Problem, classes: Problem, options: Options) -> dict[Partition, float]:
    """The ways to explore a program for its verdict, with about how many seconds each takes, where probes show it."""
    found: dict[Partition, float] = {}
    for partition in ALL:
        if partition != "off" and why_not(classes, partition):
            continue
        own = replace(options, partition="rf" if partition == "off" else partition)
        seconds = _expected_seconds(each if partition == "off" else classes, own)
        if seconds is not None:
            found[partition] = seconds
    return found


def explored_in_turns(
    each: Problem,
    make: Callable[[], Problem],
    options: Options,
    clock: Clock,
    watch: Callable[[Run], Callable[[Progress], None] | None],
) -> Run | Product:
    """Explores for the verdict, executions and what stands for several of them in turns, until one of these is done.

    First executions one by one, which is often all; from then on, where threads do the same, executions that are not
    the same but for the names of these, and later classes, too: with a share of the work that executions have had. So
    it takes little longer than executions alone, and only some times as long as the best. Who is done first is a matter
    of work, not of time: the answer depends neither on the machine nor on how many workers there are, unless there is a
    violation, which several workers find sooner or later.

    `make`: makes the problem of classes. `watch`: what is told how far a run has come. Raises as `Run.advance` does, if
    that is how executions end.
    """
    run = Run(each, replace(options, timeout=clock.left()))
    try:
        others = (
            _Other(ALONE, SHARE_OF_NAMES, lambda: but_for_names(each, options, clock)),
            _Other(TRYING, SHARE_OF_CLASSES, lambda: _in_classes(make(), options, clock)),
        )
        return _first_done(run, others, watch(run))
    except KeyboardInterrupt:
        run.stopped = "interrupt"
        return run


class _Other(NamedTuple):
    """What is explored beside executions, once these have had so much work, and its share of that."""

    after: int
    share: float
    begin: Callable[[], Run | Product | None]


def _first_done(run: Run, others: Sequence[_Other], tell: Callable[[Progress], None] | None) -> Run | Product:
    executions, left = _Racer(run), sorted(others, key=lambda other: other.after)
    work = left[0].after
    racers: list[tuple[_Racer, float]] = []
    while not executions.ends_by(work, tell):
        while left and left[0].after <= work:
            other = left.pop(0)
            with suppress(XgenError):
                if (begun := other.begin()) is not None:
                    racers.append((_Racer(begun), other.share))
        for racer, share in list(racers):
            try:
                if not racer.ends_by(int(work * share), tell and (lambda _: tell(run.progress()))):
                    continue
            except XgenError:  # classes may need larger graphs
                racers.remove((racer, share))
                continue
            if racer.run.stopped:
                run.stopped = racer.run.stopped
                return run
            if _answers(racer.run):
                return racer.run
            racers.remove((racer, share))
        work = int(work * TURN) + 1
    return run


def _answers(run: Run | Product) -> bool:
    """Whether an exploration that is over tells what executions one by one would. One in which names of threads make no
    difference may have to be given up, and of threads that wait it says less."""
    if not isinstance(run, Run) or run.asked.like is None:
        return True
    return run.halt != _core.Halt.UNLIKE and bool(run.core.counters["executions"] or run.core.witness)


def but_for_names(asked: Problem, options: Options, clock: Clock) -> Run | None:
    """The exploration of executions that are not the same but for the names of threads, where that is worth it."""
    if not options.symmetry:
        return None
    from xgen.engine.graphs.symmetry import exchangeable_threads_of  # long to import

    like = exchangeable_threads_of(asked, options.max_depth)
    if like is None or like.names < NAMES:
        return None
    return Run(asked, replace(options, like=like, timeout=clock.left()))


def _in_classes(asked: Problem, options: Options, clock: Clock) -> Run | Product:
    """The exploration of the largest classes that can be had."""
    from xgen.analyses.check.independent import product_of  # long to import

    partition: Classes = "rf" if why_not(asked, "seen") else "seen"
    own = replace(options, partition=partition, timeout=clock.left())
    return product_of(asked, own) or Run(asked, own)


class _Racer:
    """An exploration that is done bit by bit."""

    def __init__(self, run: Run | Product) -> None:
        self.run = run
        self._over = False
        self._error: XgenError | None = None

    def ends_by(self, work: int, tell: Callable[[Progress], None] | None) -> bool:
        """Explores with so much work in all; whether that is the end, or the time or Ctrl-C was. Raises XgenError.

        Several workers may have done more than that: then it does not count yet that the exploration is over.
        """
        run = self.run
        while not self._over and run.work < work:
            try:
                self._over = run.ends_within(SLICE, work)
            except XgenError as error:
                self._over, self._error = True, error
            if tell:
                tell(run.progress())
        if not self._over or (run.work > work and not run.stopped):
            return False
        if self._error is not None:
            raise self._error
        return True


def _expected_seconds(problem: Problem, options: Options) -> float | None:
    """About how long an exploration takes; None where the probes do not show it."""
    from xgen.engine.graphs.estimate import expected_graphs  # long to import

    run = Run(problem, options)
    start = time.process_time()
    if run.ends_within(PROBING):
        return time.process_time() - start
    spent = time.process_time() - start
    explored = run.core.counters["explored"]
    graphs = expected_graphs(run, PROBING)
    return None if graphs is None else graphs * spent / max(explored, 1)
