"""Random samples of an exploration: what is found on random ways down, and what that says of all executions.

A way leads to at most one execution, and each execution is at the end of one way; see probes.py. A violation that is
met is real. That none is met proves nothing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from fractions import Fraction
from hashlib import blake2b
from math import inf

from xgen import _core
from xgen.clock import Clock
from xgen.engine.graphs.deepening import bounds, grows
from xgen.engine.graphs.diagnosis import cut_at, waits_at
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.lazy_cells import with_more
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.probes import Probe, spread, walk
from xgen.engine.graphs.run import SLICE, AbsentCell, Executions, Run
from xgen.engine.problem import Problem
from xgen.executions.execution import Execution
from xgen.executions.sample import Range, Sample, SampledOutcome
from xgen.records import dataclass, replace

FEW = 8
"""Fewer samples say nothing of how many executions there are."""

_KINDS = ("executions", "blocked", "bounded")
_OF_WAYS = (*_KINDS, "stuck", "violations")
"""What is counted of executions: each once, however often it is met."""
_OF_GRAPHS = ("explored", "revisits_tried", "revisits", "dead_ends", "held")


@dataclass
class _Tally:
    """What the samples so far have found.

    graphs    of all of them; once: of each way that was gone, once
    ends      of each sample, the weight of its way and which of _KINDS is at its end; "": none of them
    outcomes  of each final state, the weights of its samples; of each way once: `different`
    gone      the ways, as hashes
    reached   the share of all ways that has been gone, by their chances
    """

    graphs: dict[str, int]
    once: _core.Findings
    ends: list[tuple[int, str]] = field(default_factory=list)
    outcomes: dict[tuple[int, ...], list[int]] = field(default_factory=dict)
    different: Counter[tuple[int, ...]] = field(default_factory=Counter)
    gone: set[bytes] = field(default_factory=set)
    reached: Fraction = Fraction(0)
    traces: list[_core.Trace] = field(default_factory=list)
    witness: Execution | None = None

    def add(self, run: Run, way: Probe) -> None:
        """Adds a sample."""
        found = run.core.findings
        counters = found.counters
        self.graphs = _core.together([self.graphs, counters])
        kind = next((kind for kind in _KINDS if counters[kind]), "")
        self.ends.append((way.weight, kind))
        rows = found.outcomes.rows(0, len(found.outcomes))
        states = [tuple(_core.outcome_values(state)) for state, _, _ in rows]
        for state in states:
            self.outcomes.setdefault(state, []).append(way.weight)
        key = blake2b(repr(way.path).encode(), digest_size=16).digest()
        if key in self.gone:
            return
        self.gone.add(key)
        self.different.update(states)
        if way.weight < 1 << 64:  # else there are more ways than samples
            self.reached += Fraction(1, way.weight)
        self.once.merge(found)
        self.traces += run.core.take_traces()[: max(0, run.options.trace_limit - len(self.traces))]
        self.witness = self.witness or run.witness()

    def end_with(self, run: Run) -> None:
        """Adds what is at the end of the way that was left for a violation."""
        self.graphs = _core.together([self.graphs, run.core.counters])
        self.once.counters = _core.together([self.once.counters, dict.fromkeys(_core.COUNTERS, 0) | {"violations": 1}])
        self.witness = run.witness()

    @property
    def counters(self) -> dict[str, int]:
        """The numbers: of graphs, of all samples; of executions, of each way once."""
        none, once = dict.fromkeys(_core.COUNTERS, 0), self.once.counters
        return none | {n: self.graphs[n] for n in _OF_GRAPHS} | {n: once[n] for n in _OF_WAYS}


def sampled(
    asked: Problem,
    options: Options,
    samples: int,
    seed: int,
    clock: Clock,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[Problem, Found, Sample]:
    """Makes so many samples, fewer where a violation ends the run, the time is over or Ctrl-C comes.

    The problem may be one of a program with absent cells (lazy_cells.py); the one that was explored is returned.
    Raises as `Run.advance` does.
    """
    while True:
        try:
            return asked, *_sampled(asked, options, samples, seed, clock, on_progress)
        except AbsentCell as found:
            count = len(asked.code.cells)  # with as many more the ways are the same
            asked = with_more(asked, range(found.number, min(found.number + count, len(asked.program.absent))))


def _sampled(
    asked: Problem,
    options: Options,
    samples: int,
    seed: int,
    clock: Clock,
    on_progress: Callable[[Progress], None] | None,
) -> tuple[Found, Sample]:
    growing = grows(asked, options.max_depth)
    for depth in bounds(asked, options.max_depth):
        run = Run(asked, replace(options, max_depth=depth))
        tally = _Tally(dict.fromkeys(_core.COUNTERS, 0), _core.Findings(len(asked.final_values)))
        tally.once.flags = [0] * len(asked.model.constraints)
        rng, told = random.Random(seed), 0.0
        try:
            for _ in _samples(run, tally, samples, rng, clock):
                if growing and run.outgrown:
                    break
                if on_progress and clock.seconds >= told + SLICE:
                    told = clock.seconds
                    on_progress(_progress(tally, samples, clock))
            else:
                break
        except KeyboardInterrupt:
            run.stopped = "interrupt"
            break
    return _found(run, tally), _sample(asked, tally, samples, seed, rng)


def _samples(run: Run, tally: _Tally, samples: int, rng: random.Random, clock: Clock) -> Iterator[None]:
    """Makes samples, until there is a reason to stop."""
    while len(tally.ends) < samples:
        left = clock.left()
        way = walk(run, rng.getrandbits(64), inf if left is None else time.monotonic() + left)
        if way is None:
            run.stopped = "timeout"
            return
        if run.halt == _core.Halt.VIOLATION:
            tally.end_with(run)
            return
        tally.add(run, way)
        yield


def _progress(tally: _Tally, samples: int, clock: Clock) -> Progress:
    c = tally.counters
    note = f"{len(tally.ends):,} of {samples:,} samples"
    return Progress(c["executions"], c["blocked"], c["bounded"], c["explored"], clock.seconds, note=note)


def _found(run: Run, tally: _Tally) -> Found:
    return Found(
        tally.counters,
        run.flags_of(tally.once.flags),
        outcomes=(),
        outcomes_complete=False,
        witness=tally.witness,
        traces=Executions(run.execution, tally.traces),
        cuts=tuple(cut_at(run, tally.once.cuts)),
        waits=tuple(waits_at(run, tally.once.waits)),
        cut=bool(tally.once.cuts),
        stopped=run.stopped or "samples",
    )


def _sample(problem: Problem, tally: _Tally, samples: int, seed: int, rng: random.Random) -> Sample:
    ends = Counter(kind for _, kind in tally.ends)
    ranges: list[Range | None] = [None] * len(_KINDS)
    whole = tally.reached == 1
    if whole:
        ranges = [Range(*[float(tally.counters[kind])] * 3) for kind in _KINDS]
    elif len(tally.ends) >= FEW:
        columns = ([weight * (end == kind) for weight, end in tally.ends] for kind in _KINDS)
        ranges = [spread(column, rng) for column in columns]
    (executions, blocked, bounded), complete = ranges, ends["executions"]
    number = tally.counters["executions"]
    covered = None if executions is None or not executions.mean else min(1.0, number / executions.mean)
    parts = tally.different if whole else {state: sum(weights) for state, weights in tally.outcomes.items()}
    total = sum(parts.values())
    outcomes = [
        SampledOutcome(problem.state(state), len(weights), parts[state] / total)
        for state, weights in sorted(tally.outcomes.items())
    ]
    once = sum(outcome.samples == 1 for outcome in outcomes)
    return Sample(
        samples,
        len(tally.ends),
        seed,
        complete,
        ends["blocked"],
        ends["bounded"],
        ends[""],
        executions,
        blocked,
        bounded,
        covered=1.0 if whole else covered,
        unseen=None if not complete else 0.0 if whole else once / complete,
        whole=whole,
        outcomes=tuple(sorted(outcomes, key=lambda outcome: -outcome.share)),
    )
