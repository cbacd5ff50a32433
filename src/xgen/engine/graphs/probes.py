"""Random ways down the tree of graphs.

A way goes from the empty graph, at each graph to one of those that follow, each as likely as the others, to a graph
that nothing follows. The product of the numbers of branches on the way, its weight, is an unbiased estimate of the
number of leaves; of the leaves of some kind, if it is taken as 0 where the leaf is of another; summed along the way, of
the number of graphs (D. E. Knuth, Estimating the Efficiency of Backtrack Programs, Mathematics of Computation 29(129),
1975). The estimates of single ways differ wildly where the tree is lopsided, so that the interval matters as much as
the mean.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from statistics import fmean

from xgen import _core
from xgen.engine.graphs.run import SLICE, Run
from xgen.executions.sample import Range
from xgen.records import dataclass

RESAMPLES = 400
"""Of the bootstrap that the intervals are from."""
BATCHES = 500
"""More values are put together before."""
ROOM = 900
"""Bits of numbers that are left to floats."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A way down: which branches it went, its weight, and how many graphs there are by what it has seen."""

    path: tuple[int, ...]
    weight: int
    graphs: int


def walk(run: Run, seed: int, end: float) -> Probe | None:
    """One way down; `run.core` has what is at its end. None where the time is over before (`time.monotonic`).

    Where `run.halt` is VIOLATION, the way is left for one with a violation, and says nothing of the tree. Raises as
    `Run.advance` does.
    """
    run.core.begin_probe(seed)
    while (left := end - time.monotonic()) > 0:
        if run.go_on(min(left, SLICE)) == _core.Halt.BUDGET:
            continue
        branches, taken, followed = run.core.probe
        weight = graphs = 1
        for count, new in zip(branches, followed, strict=True):
            graphs += weight * new
            weight *= count
        return Probe(tuple(taken), weight, graphs)
    return None


def spread(values: Sequence[int], rng: random.Random) -> Range:
    """The mean of values, and the middle nine tenths of means of values drawn from them."""
    unit = 1 << max(0, max(values).bit_length() - ROOM)
    scaled = [value / unit for value in values]
    mean = fmean(scaled)
    if len(scaled) > BATCHES:
        scaled = [fmean(scaled[k::BATCHES]) for k in range(BATCHES)]
    means = sorted(fmean(rng.choices(scaled, k=len(scaled))) for _ in range(RESAMPLES))
    numbers = (mean, means[RESAMPLES // 20], means[-1 - RESAMPLES // 20])
    return Range(*(number if unit == 1 else int(number) * unit for number in numbers))
