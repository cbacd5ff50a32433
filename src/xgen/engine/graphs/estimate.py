"""How large an exploration is going to be, before it runs: random probes of the tree of graphs (probes.py)."""

from __future__ import annotations

import random
import time
from dataclasses import field

from xgen import _core
from xgen.engine.graphs.deepening import bounds
from xgen.engine.graphs.intervals import WHOLE
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.probes import spread, walk
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.errors import TooLongError
from xgen.executions.sample import Range
from xgen.records import dataclass, replace

LEAST_PROBES = 8
PATIENCE = 20.0
"""Seconds that the least probes may take."""
MEASURED = 0.25
"""Seconds of exploring that the rate is measured on."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an exploration of everything is likely to meet.

    `exact`: it was so small that it was over while its speed was measured. `seconds` is for one worker. `ways`: about
    how many seconds the verdict takes, by what is visited (`off`: executions; classes), where that was asked.
    """

    executions: Range
    blocked: Range
    bounded: Range
    graphs: Range
    seconds: Range
    probes: int
    exact: bool = False
    ways: dict[str, float] = field(default_factory=dict)


def estimate(
    problem: Problem, *, max_depth: int | None = None, unroll: bool = False, seconds: float = 2.0, seed: int = 1
) -> Estimate:
    """Estimates the exploration of all executions, in about so many seconds. The same seed gives the same probes.

    Raises UnsupportedError, and TooLongError where a probe does not come to an end: without a bound, a loop that makes
    progress for ever has none.
    """
    start = time.monotonic()
    for depth in bounds(problem, max_depth):
        run = Run(problem, Options(depth, all_states=True, unroll=unroll), WHOLE)
        found = _estimate(run, depth != max_depth, start, seconds, seed)
        if found is not None:
            break
    assert found is not None
    return found


def _estimate(run: Run, growing: bool, start: float, seconds: float, seed: int) -> Estimate | None:
    """The estimate of a run; None where its bound grows, and some probe is cut by it."""
    rate = _rate(run.core)
    if growing and run.outgrown:
        return None
    if isinstance(rate, Estimate):
        return rate
    rng = random.Random(seed)
    probes: list[_Probe] = []
    while len(probes) < LEAST_PROBES or time.monotonic() < start + seconds:
        try:
            probe, cut = _probe(run, rng, start + seconds + PATIENCE)
        except TimeoutError:
            raise TooLongError(
                f"{len(probes)} probes of the exploration came to an end in {seconds + PATIENCE:g} s, which is too few",
                file=run.code.source.name,
                hint="if a loop can go on forever, bound the events per thread (--max-depth)",
            ) from None
        if growing and cut:
            return None
        probes.append(probe)
    executions, blocked, bounded, graphs = (spread(column, rng) for column in zip(*probes, strict=True))
    time_ = Range(*(_quotient(number, rate) for number in (graphs.mean, graphs.low, graphs.high)))
    return Estimate(executions, blocked, bounded, graphs, time_, len(probes))


def _quotient(number: float, rate: float) -> float:
    """Of numbers of any size."""
    return number // max(1, int(rate)) if isinstance(number, int) else number / rate


def expected_graphs(run: Run, seconds: float) -> float | None:
    """About how many graphs a run has in all, found in so many seconds; None where these are not enough."""
    rng, end = random.Random(1), time.monotonic() + seconds
    graphs: list[int] = []
    options = replace(run.options, max_depth=run.depth, all_states=True, workers=1, trace_limit=0)
    beside = Run(run.problem, options)
    try:
        while time.monotonic() < end:
            graphs.append(_probe(beside, rng, end)[0][-1])
    except TimeoutError:
        pass
    return spread(graphs, rng).mean if len(graphs) >= LEAST_PROBES else None


_Probe = tuple[int, int, int, int]
"""Executions, blocked and bounded ones, and graphs, as one probe sees them."""


def _rate(core: _core.Exploration) -> float | Estimate:
    """Graphs per second; or, where all of them are explored at once, their exact numbers."""
    start = time.monotonic()
    halt = core.run(MEASURED)
    spent = max(time.monotonic() - start, 1e-6)
    counters = core.counters
    if halt == _core.Halt.DONE:
        names = ("executions", "blocked", "bounded", "explored")
        executions, blocked, bounded, graphs = (Range(*[float(counters[name])] * 3) for name in names)
        return Estimate(executions, blocked, bounded, graphs, Range(spent, spent, spent), 0, exact=True)
    return max(counters["explored"], 1) / spent


def _probe(run: Run, rng: random.Random, end: float) -> tuple[_Probe, bool]:
    """One way down, and whether the bound on events has cut something there. Raises TimeoutError at `end`."""
    way = walk(run, rng.getrandbits(64), end)
    if way is None:
        raise TimeoutError
    c = run.core.counters
    probe = way.weight * c["executions"], way.weight * c["blocked"], way.weight * c["bounded"], way.graphs
    return probe, run.outgrown
