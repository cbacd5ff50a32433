"""Which executions are explored as one: what a program and a model allow, and what is cheaper."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from xgen import _core
from xgen.clock import Clock
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.problem import Problem
from xgen.errors import XgenError
from xgen.executions.result import Classes, Partition
from xgen.lowering.code import ADDRESS
from xgen.memory.statics.base_order import load_buffering

if TYPE_CHECKING:
    from xgen.analyses.check.independent import Product

TRYING = 2 * 10**9
"""The work (`Run.work`, about nanoseconds) of executions one by one before classes are explored, too."""
SHARE = 0.07
"""Of the work of executions, what classes get."""
TURN = 1.1
"""How much more work executions have had after a turn than before it."""
ALL: tuple[Partition, ...] = ("off", "rf", "seen")
PROBING = 0.1
"""Seconds of probes, and then of exploring, of each way."""


def why_not(problem: Problem, partition: Partition) -> str | None:
    """Why classes cannot be explored, if it is so: a noun phrase."""
    if partition == "rf" or not load_buffering(problem.model)[0]:
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
    """Explores for the verdict, executions and classes of them in turns, until one of these is done.

    First executions one by one, which is often all; from then on classes, too, with a SHARE of the work that executions
    have had. So it takes little longer than executions alone, and only some times as long as classes alone. Who is done
    first is a matter of work, not of time: the answer depends neither on the machine nor on how many workers there are,
    unless there is a violation, which several workers find sooner or later.

    `make`: makes the problem of classes. `watch`: what is told how far a run has come. Raises as `Run.advance` does, if
    that is how executions end.
    """
    run = Run(each, replace(options, timeout=clock.left()))
    try:
        return _first_done(run, lambda: _in_classes(make(), options, clock), watch(run))
    except KeyboardInterrupt:
        run.stopped = "interrupt"
        return run


def _first_done(
    run: Run, begin_classes: Callable[[], Run | Product], tell: Callable[[Progress], None] | None
) -> Run | Product:
    executions, work = _Racer(run), TRYING
    if executions.ends_by(work, tell):
        return run
    classes: _Racer | None = None
    with suppress(XgenError):
        classes = _Racer(begin_classes())
    while True:
        try:
            if classes is not None and classes.ends_by(int(work * SHARE), tell and (lambda _: tell(run.progress()))):
                run.stopped = classes.run.stopped
                return run if run.stopped else classes.run
        except XgenError:  # classes may need larger graphs
            classes = None
        work = int(work * TURN) + 1
        if executions.ends_by(work, tell):
            return run


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
