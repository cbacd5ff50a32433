"""With which bounds on events per thread a run without one explores, and which classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from xgen.engine.graphs.options import Options
from xgen.engine.problem import Problem
from xgen.errors import TooLongError
from xgen.executions.result import Classes

FIRST_DEPTH = 8
"""Events per thread to start with where threads run ahead through loops; see `Deepening`."""
VIEW_DEPTHS = (8, 16)
"""The same where classes are what threads see; beyond that, they are explored by what reads read from."""
VIEW_GRAPHS = 3_000
"""So are they if there are more graphs than this."""
HASTE = 1_000_000_000
"""Work, about nanoseconds, after which a bound is given up that cuts most executions."""
MOSTLY = 3
"""A bound cuts too much if it cuts more than so many executions for each that ends within it."""
UNHURRIED = 64
"""The first bound that is not given up."""
MOST_DEPTH = 16_384
"""More than any graph has."""


class Deepening:
    """The bounds of a run, one after the other, each with the classes that are explored then.

    Where threads run ahead of their reads, a program with loops can have branches without an end that lead to no
    execution, however few executions there are. So a run without a bound is one with a bound, `depth`, that is doubled
    until it cuts nothing. Then it makes no difference: every execution that goes beyond it would have been noticed.
    A bound that has cut something will be doubled in any case; so a small one is given up if it takes long and has cut
    most executions so far. What it has not explored, the next one will.

    grows      there are several; not so for a run of one interval, as who explores intervals lets the bound grow
    smaller    the largest bound before this one, -1: none
    partition  what classes are of: what threads see as long as bounds are small, and there are few graphs
    patience   the work after which one looks whether to give the bound up, None: it is not given up
    due        there is more to do with the next bound
    """

    def __init__(self, problem: Problem, options: Options, whole: bool) -> None:
        self._problem = problem
        self.partition: Classes = options.partition
        self.grows = whole and grows(problem, options.max_depth)
        self.smaller = -1
        self.due = False
        views = VIEW_DEPTHS if problem.classes and self.partition != "rf" else ()
        self._bounds = chain(views, _growing(problem)) if self.grows else iter([options.max_depth])
        self.depth = next(self._bounds)
        self._hurries = self.grows and not options.stream
        self.patience = HASTE if self._hurries and not self.views else None

    @property
    def views(self) -> bool:
        """Whether classes are what threads see as long as bounds are small."""
        return self.grows and self._problem.classes and self.partition != "rf"

    def look_at(self, graphs: int) -> None:
        """Where there are too many graphs to go on with what threads see, it begins again with reads-from."""
        if self.views and graphs >= VIEW_GRAPHS:
            self._bounds, self.partition, self.due = _growing(self._problem), "rf", True

    def lose_patience(self, whole: int, cut: int) -> None:
        """Gives a bound up that has cut most executions so far, `cut`, not `whole`; else one looks later again."""
        assert self.patience is not None
        self.patience *= 2
        self.due = self.due or MOSTLY * whole < cut

    def deepen(self) -> None:
        """Goes on to the next bound. Raises TooLongError after the last one."""
        assert self.depth is not None
        self.due = False
        if self.depth == VIEW_DEPTHS[-1]:
            self.partition = "rf"
        self._hurries = self._hurries and 2 * self.depth < UNHURRIED
        self.smaller, self.depth = max(self.smaller, self.depth), next(self._bounds)
        self.patience = HASTE if self._hurries and not self.views else None


def bounds(problem: Problem, max_depth: int | None) -> Iterator[int | None]:
    """The bounds on events per thread to explore with, one after the other, until one cuts nothing; see `Deepening`.

    Raises TooLongError after those that graphs have room for.
    """
    return _growing(problem) if grows(problem, max_depth) else iter([max_depth])


def grows(problem: Problem, max_depth: int | None) -> bool:
    """Whether these are several: without a bound, where there are loops and threads run ahead, or rounds of loops may
    be explored for ever that give back what they have taken."""
    if max_depth is not None or not any(problem.live):
        return False
    return problem.strategy.ahead or problem.in_order or problem.rounds_are_seen


def _growing(problem: Problem) -> Iterator[int]:
    depth = FIRST_DEPTH
    while depth <= MOST_DEPTH:
        yield depth
        depth *= 2
    raise too_large(problem)


def too_large(problem: Problem, going_on: Sequence[str] = ()) -> TooLongError:
    """`going_on`: which threads go on and on, a sentence for each place."""
    return TooLongError(
        "an execution has more than 16,384 events",
        file=problem.code.source.name,
        hint="; ".join(going_on) or "if a loop can go on forever, bound the events per thread (--max-depth)",
    )
