"""What random samples of an exploration show."""

from __future__ import annotations

from xgen.executions.execution import State
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """An estimate with an interval that has the true value in most cases, nine of ten where the probes show the tree.

    They are whole numbers where they are too large to be anything else.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SampledOutcome:
    """A final state: how many samples end in it, and about which share of the complete executions."""

    state: State
    samples: int
    share: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Random ways down an exploration, and what they say of all executions.

    asked       samples that were to be made; made: those that were
    seed        which random numbers: the same seed, the same samples
    complete    samples that end in a complete execution; blocked, bounded: in another one; lost: in none
    executions  estimates of how many complete executions there are; blocked_executions, bounded_executions: of others.
                None: there are too few samples
    covered     the share of the complete executions that was seen, by that estimate; None: there is none
    unseen      the chance that the next complete sample ends in a final state that was not seen (Good and Turing: the
                share of samples whose final state was seen once); None: there are no complete ones
    whole       every way was gone: these are all executions
    outcomes    the final states of the complete samples, the most frequent first
    """

    asked: int
    made: int
    seed: int
    complete: int
    blocked: int
    bounded: int
    lost: int
    executions: Range | None
    blocked_executions: Range | None
    bounded_executions: Range | None
    covered: float | None
    unseen: float | None
    whole: bool
    outcomes: tuple[SampledOutcome, ...]
