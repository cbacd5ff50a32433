"""Which executions are explored as one: what a program and a model allow, and what is cheaper."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from xgen import _core
from xgen.clock import Clock
from xgen.engine.problem import Problem
from xgen.engine.run import Options, Progress, Run
from xgen.executions.result import Partition
from xgen.memory.statics.base_order import load_buffering

TRYING = 1.0
"""Seconds for which executions are explored one by one before it is asked what is cheaper."""
BETTER = 1.5
"""How many times as fast classes have to look."""
ALL: tuple[Partition, ...] = ("off", "rf", "seen")
PROBING = 0.1
"""Seconds of probes, and then of exploring, of each way."""


def why_not(problem: Problem, partition: Partition) -> str | None:
    """Why classes cannot be explored, if it is so: a noun phrase."""
    if not load_buffering(problem.model)[0]:
        return None
    if partition == "rf":
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


def explored_cheaply(
    each: Problem,
    classes: Problem,
    options: Options,
    clock: Clock,
    watch: Callable[[Run], Callable[[Progress], None] | None],
) -> Run:
    """Explores for the verdict what is likely to be done first: executions, or classes of them.

    `watch`: what is told how far a run has come.
    """
    run = Run(each, replace(options, timeout=clock.left()))
    if not run.ends_within(TRYING):
        run = _cheaper(run, classes, clock)
        run.finish(watch(run))
    return run


def _cheaper(run: Run, classes: Problem, clock: Clock) -> Run:
    """The run, which explores executions one by one, or one of classes that is likely to be done earlier."""
    options = replace(run.options, timeout=clock.left())
    found = expected_seconds(run.problem, classes, options)
    own = found.pop("off", float("inf"))
    seconds, best = min(((seconds, partition) for partition, seconds in found.items()), default=(own, "off"))
    if best == "off" or seconds * BETTER > own:
        return run
    return Run(classes, replace(options, partition=best, timeout=clock.left()))


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
