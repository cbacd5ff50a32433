"""Which executions are explored as one: what a program and a model allow, and what is cheaper."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from xgen import _core
from xgen.analyses.components import Apart, apart
from xgen.clock import Clock
from xgen.engine.problem import Problem
from xgen.engine.run import SLICE, Options, Progress, Run
from xgen.errors import XgenError
from xgen.executions.result import Classes, Partition
from xgen.memory.statics.base_order import load_buffering

TRYING = 1.0
"""Seconds for which executions are explored one by one before classes are explored, too."""
SHARE = 0.15
"""Of the time that executions have had, what classes get: with what it takes to begin, less than a fifth."""
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
            return "accesses of arrays"
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
) -> Run | Apart:
    """Explores for the verdict, executions and classes of them in turns, until one of these is done.

    First executions one by one, which is often all; from then on classes for a SHARE of the time that executions have
    had, which is doubled again and again. So it takes little longer than executions alone, and only some times as long
    as classes alone.

    `make`: makes the problem of classes. `watch`: what is told how far a run has come.
    """
    run = Run(each, replace(options, timeout=clock.left()))
    tell, past = watch(run), TRYING
    if not _goes_on_after(run, past, tell):
        return run
    start, classes = time.monotonic(), make()
    partition: Classes = "rf" if why_not(classes, "seen") else "seen"
    own = replace(options, partition=partition, timeout=clock.left())
    other: Run | Apart | None = apart(classes, own) or Run(classes, own)
    used = time.monotonic() - start
    while True:
        if other is not None:
            left, start = past * SHARE - used, time.monotonic()
            try:
                done = not _goes_on_after(other, left, None)
            except XgenError:  # classes may need larger graphs
                done, other = False, None
            used += time.monotonic() - start
            if done and other is not None:
                if not other.stopped:
                    return other
                run.stopped = other.stopped
                return run
        if not _goes_on_after(run, past, tell):
            return run
        past *= 2


def _goes_on_after(run: Run | Apart, seconds: float, tell: Callable[[Progress], None] | None) -> bool:
    """Explores for so long; whether there is more to do."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if run.ends_within(min(left, SLICE)):
            return False
        if tell:
            tell(run.progress())
    return True


def _expected_seconds(problem: Problem, options: Options) -> float | None:
    """About how long an exploration takes; None where the probes do not show it."""
    from xgen.engine.estimate import expected_graphs  # long to import

    run = Run(problem, options)
    start = time.process_time()
    if run.ends_within(PROBING):
        return time.process_time() - start
    spent = time.process_time() - start
    explored = run.core.counters["explored"]
    graphs = expected_graphs(run, PROBING)
    return None if graphs is None else graphs * spent / max(explored, 1)
