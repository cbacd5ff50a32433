"""Running the core on a problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from xgen import _core
from xgen.engine.graphs.convert import is_complete, to_execution
from xgen.engine.graphs.deepening import VIEW_GRAPHS, Deepening, too_large
from xgen.engine.graphs.diagnosis import cut_at, cut_by_depth, going_on, look_for_loops
from xgen.engine.graphs.final_states import States
from xgen.engine.graphs.in_order import in_order, order_of
from xgen.engine.graphs.intervals import WHOLE, Interval
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.graphs.native import MIXED, RUNS_ON, UNFOLLOWED, native, settings, who_waits_alone
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.problem import Problem
from xgen.errors import InternalError, LimitError, TooLongError, UnsupportedError
from xgen.executions.execution import Execution, State
from xgen.memory.plans.plan import make_plan
from xgen.memory.undefined import not_allowed, undefined_behaviour
from xgen.records import replace

if TYPE_CHECKING:
    from xgen.lowering.analysis.symmetry import Symmetries

BY_READS_FROM = (
    "classes of executions with the same reads-from were explored: by what threads see, a loop goes on and on in "
    "graphs that lead to no execution"
)
"""What is said of programs with such loops."""
AHEAD = 10**7
"""The work (`Run.work`, about nanoseconds) of threads that run ahead before it is found out whether they have to."""
TRIED = 3 * AHEAD
"""The same before it is found out by an exploration that tells nothing else."""
TRIAL = 10**10
"""The most work of such an exploration."""
SLICE = 0.1
"""Seconds between two looks at the clock, at signals and at the progress line."""


class AbsentCell(Exception):
    """A pointer leads to a variable that has no cell: its number among `Program.absent`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Run:
    """The exploration of a problem, or of one interval of it.

    A constraint is checked on every graph where that loses nothing, else on whole executions (it is *demoted*).

    A run without a bound may be one with bounds that grow, see `Deepening`. Traces that come in a stream are those that
    no smaller bound let through whole. A run of one interval is of one bound: who explores intervals lets it grow.

    `alone`: what `who_waits_alone` says, where that is known. `buffers`: it has begun anew, since there may be load
    buffering. `_next`: what is explored next, where what is explored now only tells whether there is some.
    """

    def __init__(
        self, problem: Problem, options: Options, interval: Interval | None = None, alone: list[bool] | None = None
    ) -> None:
        self.asked = options
        self.stopped: Literal["interrupt", "timeout"] | None = None
        self.halt = _core.Halt.BUDGET
        self.start = time.monotonic()
        self.buffers = False
        self._given = problem
        self._interval = interval
        self._gone_on: list[str] = []
        self._worked = 0
        self._due = AHEAD if options.in_order and interval is None else None
        self._ordered: tuple[Problem, ...] = ()
        self._next: Problem | None = None
        self._begin(problem, alone)

    def _begin(self, problem: Problem, alone: list[bool] | None = None) -> None:
        """Begins to explore the problem: the one that is given, or what of it has no load buffering."""
        options, strategy = self.asked, problem.strategy
        self.problem = problem
        self.code = problem.code
        self.model = problem.model
        self._code = native(self.code, problem.live, problem.written if strategy.ahead else ())
        self._plan = make_plan(
            self.model,
            self.code.classes,
            problem.at_end(options.filter),
            strategy.ahead,
            coherent=strategy.coherent,
            holds=strategy.holds,
            dependencies=options.dependencies,
            kinds=self.code.dependencies,
            shared=options.shared_plan,
            classes_only=problem.classes,
            order=order_of(problem),
        )
        sees = problem.classes and options.partition != "rf"
        self._alone = (alone or who_waits_alone(problem, options)) if sees else []
        self._deepening = Deepening(problem, options, whole=self._interval is None)
        self._known_symmetries: dict[int | None, Symmetries] = {}
        self.core = self.explore(self._interval or WHOLE)

    def _look_for_order(self) -> None:
        """Finds out whether there is load buffering, where that can be; what tells only that, not so soon."""
        self._ordered = self._ordered or in_order(self._given, self.asked)
        late = len(self._ordered) > 1 and self.work < TRIED
        self._due = TRIED if late else None
        if self._ordered and not late:
            self._begin_anew(*self._ordered)

    def _begin_anew(self, problem: Problem, then: Problem | None = None) -> None:
        self._next = then
        self._worked += self.core.work
        self.halt = _core.Halt.BUDGET
        self._begin(problem)

    def _stop(self, how: Literal["interrupt", "timeout"]) -> None:
        """Of what only tells whether there is load buffering, nothing counts."""
        if self._next:
            self._begin_anew(self._given)
        self.stopped = how

    @property
    def _has_told_nothing(self) -> bool:
        """Whether what was to tell whether there is load buffering has not done so, and will not in good time."""
        return self.core.work > TRIAL or self.halt not in (_core.Halt.BUDGET, _core.Halt.DONE)

    @property
    def unbuffered(self) -> bool:
        """Whether what was explored shows that the program has no load buffering, which the model allows."""
        return self.problem is not self._given and self.halt == _core.Halt.DONE

    @property
    def options(self) -> Options:
        """As asked, with the classes that are explored now."""
        partition = self._deepening.partition
        return self.asked if self.asked.partition == partition else replace(self.asked, partition=partition)

    @property
    def depth(self) -> int | None:
        """The bound on events per thread that is explored now."""
        return self._deepening.depth

    def explore(self, interval: Interval, settings: _core.Settings | None = None) -> _core.Exploration:
        """A fresh exploration of that interval."""
        settings = settings or self.settings(self.depth)
        settings.in_order = self.problem is not self._given
        workers = 1 if self._deepening.views else self.asked.workers  # several would explore more graphs, and others
        return _core.Exploration(self._code, self._plan, settings, workers, interval.path, interval.rest)

    def settings(self, depth: int | None) -> _core.Settings:
        """How the core explores with a bound, by the options."""
        made = settings(self.problem, self.options, depth, self._symmetries(depth), self._alone)
        if self._deepening.views:
            made.graph_pause = min(made.graph_pause, VIEW_GRAPHS)
        return made

    def _symmetries(self, depth: int | None) -> Symmetries | None:
        """The renamings that leave the program as it is, where classes that differ by them are visited once."""
        if not (self.problem.classes and self.asked.symmetry and self.problem.requirement is None):
            return None
        if depth not in self._known_symmetries:
            from xgen.engine.graphs.symmetry import symmetries_of  # long to import

            self._known_symmetries[depth] = symmetries_of(self.problem, depth)
        return self._known_symmetries[depth]

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """Threads that do the same, of which one is explored for the others."""
        like = self.asked.like or self._symmetries(self.depth)
        return like.groups if like else ()

    def branches(self) -> int:
        """How many graphs follow the interval's first at once; ends the run's use."""
        return self.core.branches()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.start

    @property
    def work(self) -> int:
        """What has been done so far, about nanoseconds; of a whole exploration it is the same on each machine."""
        return self._worked + self.core.work

    def advance(self, seconds: float | None = None, work: int | None = None) -> bool:
        """Explores for a little while; False once there is nothing more to do. Raises LimitError.

        `work`: no longer than until so much is done in all. With one worker, where that is does not depend on the time.
        """
        if self._due is not None and self.work >= self._due:
            self._look_for_order()
        if self._deepening.due:
            self._worked += self.core.work
            self._deepening.deepen()
            self.core = self.explore(WHOLE)
        seconds = SLICE if seconds is None else seconds
        if self.asked.timeout is not None:
            seconds = min(seconds, self.asked.timeout - self.seconds)
            if seconds <= 0:
                self._stop("timeout")
                return False
        patience = self._deepening.patience
        limits = [most - self._worked for most in (work, self._due) if most is not None]
        left = min(limits if patience is None else [*limits, patience], default=None)
        self.halt = self._explored(lambda: self.core.run(seconds, left))
        if self.halt == _core.Halt.BUFFERING:
            self.buffers = True
            self._begin_anew(self._given)
            return True
        if self.unbuffered and self.core.counters["violations"]:  # what comes behind an error is not seen
            self._begin_anew(self._given)
            return True
        if self._next and self._has_told_nothing:
            self._begin_anew(self._given)
            return True
        if self.halt == _core.Halt.DONE and self._deepening.grows and self.outgrown:
            self._outgrow()
        elif self.halt == _core.Halt.DONE and self._next:
            self._begin_anew(self._next)
            return True
        if self.halt == _core.Halt.BUDGET:
            self._deepening.look_at(self.core.counters["explored"])
            if patience is not None and self.core.work >= patience:
                counters = self.core.counters
                whole, cut = counters["executions"] + counters["blocked"], counters["bounded"]
                self._deepening.lose_patience(whole, cut if self.outgrown else 0)
            return not self.gave_up
        self._refuse()
        return False

    def go_on(self, seconds: float) -> _core.Halt:
        """Goes on with a random way down that has begun. Raises as `advance` does."""
        self.halt = self._explored(lambda: self.core.go_on(seconds))
        self._refuse()
        return self.halt

    def _explored(self, explore: Callable[[], _core.Halt]) -> _core.Halt:
        try:
            return explore()
        except OverflowError as error:  # the core's word for it
            raise LimitError(str(error), file=self.model.source.name) from None

    def _refuse(self) -> None:
        """Raises what the core has halted for, if that is an error."""
        if self.halt == _core.Halt.UNCERTIFIED:
            name = self.model.constraints[self.core.culprit].name
            raise InternalError(f"the constraint `{name}` of the model {self.model.name} forbids a maximal step")
        if self.halt == _core.Halt.RUNAWAY:
            site = self.code.sites[self.core.culprit]
            raise TooLongError(RUNS_ON, self.code.source, site.position)
        if self.halt == _core.Halt.MIXED and self.core.culprit < 0:
            raise AbsentCell(~self.core.culprit)
        if self.halt == _core.Halt.MIXED:
            site = self.code.sites[self.core.culprit]
            raise UnsupportedError(UNFOLLOWED if self.code.gaps else MIXED, self.code.source, site.position)
        if self.halt == _core.Halt.TOO_LARGE:
            raise too_large(self.problem, look_for_loops(self) if self.depth is None else [])

    @property
    def gave_up(self) -> bool:
        """Whether it has visited as many graphs as it may, and there are more."""
        graphs = self.asked.graphs
        return graphs is not None and self.halt == _core.Halt.BUDGET and self.core.counters["explored"] >= graphs

    def _outgrow(self) -> None:
        """What the run's own bound has let through was not everything: there is more to do, with a larger one."""
        assert self.depth is not None
        self._deepening.due = True
        self.halt = _core.Halt.BUDGET
        self._gone_on = going_on(self, self.depth, self.core)

    @property
    def outgrown(self) -> bool:
        """Whether the bound on events has cut anything."""
        return self.depth is not None and bool(cut_by_depth(self.code, self.core.findings.cuts))

    def ends_within(self, seconds: float, work: int | None = None) -> bool:
        """Explores for so long, and until so much work is done, at most; whether that was the end, or Ctrl-C was."""
        try:
            return not self.advance(seconds, work)
        except KeyboardInterrupt:
            self._stop("interrupt")
            return True

    def finish(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Explores until the end, the timeout or Ctrl-C; calls `on_progress` about ten times a second."""
        try:
            while self.advance():
                if on_progress:
                    on_progress(self.progress())
        except KeyboardInterrupt:
            self._stop("interrupt")

    def cuts(self) -> list[str]:
        """Where the bound stopped threads, or where they were still going on: one sentence for each place."""
        if self._deepening.grows and self.halt != _core.Halt.DONE:
            assert self.depth is not None
            if not self.stopped:
                return []
            found = look_for_loops(self, late=self.stopped == "timeout")
            return found or self._gone_on or going_on(self, self.depth, self.core)
        if self.stopped and self.depth is None:
            return look_for_loops(self, late=self.stopped == "timeout")
        return cut_at(self, self.core.findings.cuts)

    @property
    def cut(self) -> bool:
        """Whether the bound, or that on nested calls, has cut anything; if not, it made no difference."""
        return bool(self.core.findings.cuts)

    def flags(self) -> dict[str, int]:
        """The flags that were raised, each with the number of executions that raise it."""
        return self.flags_of(self.core.findings.flags)

    def flags_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """The same, of these numbers by constraint."""
        counted = enumerate(zip(self.model.constraints, numbers, strict=True))
        return {c.name: count for number, (c, count) in counted if count and number not in self.problem.demanded}

    def progress(self) -> Progress:
        """How far it has come."""
        c = self.core.counters
        ends = (0, 0, 0) if self._next else (c["executions"], c["blocked"], c["bounded"])
        return Progress(*ends, c["explored"], self.seconds)

    def traces(self, complete: bool = False) -> Executions:
        """The executions kept since the last call; `complete`: of these, the complete ones."""
        kept = [trace for trace in self.core.take_traces() if self._is_new(trace)]
        if complete:
            kept = [trace for trace in kept if is_complete(trace)]
        return Executions(self.execution, kept)

    def calls(self) -> Iterator[tuple[State, tuple[int, ...]]]:
        """The final states of complete executions, each with what is known of the order of the calls that are asked
        about: several with the same state."""
        assert self.asked.calls is not None
        outcomes, number = self.core.findings.outcomes, len(self.asked.calls.ends)
        for state, _, _ in outcomes.rows(0, len(outcomes)):
            values = _core.outcome_values(state)
            yield self.problem.state(values), tuple(values[-number:])

    def complete_with_calls(self) -> Iterator[tuple[tuple[int, ...], Execution]]:
        """The complete executions kept since the last call, each with what is known of the order of calls."""
        for trace in self.core.take_traces():
            if self._is_new(trace) and is_complete(trace):
                yield tuple(trace.calls), self.execution(trace)

    def _is_new(self, trace: _core.Trace) -> bool:
        """Not one in a stream that a smaller bound has given already, or that a larger one will give whole."""
        if not self.asked.stream or not self._deepening.grows or self.depth is None:
            return True
        return self._deepening.smaller < trace.depth <= self.depth

    def witness(self) -> Execution | None:
        """The execution that shows the violation, if one was found."""
        trace = self.core.witness
        return None if trace is None else self.execution(trace, whole=False)

    def execution(self, trace: _core.Trace, whole: bool = True) -> Execution:
        """What a trace describes, with what is undefined in it. Of one that is not whole the core has no flags."""
        found = to_execution(self.problem, trace, whole, self.asked.liveness)
        if not self.asked.undefined or (whole and not trace.flags):
            return found
        undefined = undefined_behaviour(found, self.model, self.problem.program.volatile)
        if not undefined and not found.violations and self.problem.demanded:
            undefined = not_allowed(found, [self.model.constraints[n] for n in self.problem.demanded])
        return replace(found, violations=(*undefined, *found.violations)) if undefined else found

    def outcomes(self) -> States:
        """The final states of the complete executions so far, ordered by their values."""
        return States(self.problem, self.core.findings.outcomes)


class Executions(Lazy[Execution]):
    """The executions that a run has kept; each is made when it is asked for, and then stays."""

    def __init__(self, make: Callable[[_core.Trace], Execution], traces: Sequence[_core.Trace]) -> None:
        self._make = make
        self._kept: list[_core.Trace | Execution] = list(traces)

    def __len__(self) -> int:
        return len(self._kept)

    def item(self, place: int) -> Execution:
        """The execution that was kept at that place."""
        kept = self._kept[place]
        if isinstance(kept, Execution):
            return kept
        made = self._kept[place] = self._make(kept)
        return made


def executions(problem: Problem, options: Options, complete: bool = False) -> Iterator[Execution]:
    """The consistent executions one after the other, blocked and bounded ones as well, or complete ones only."""
    run = Run(problem, options)
    more = True
    while more:
        more = run.advance()
        yield from run.traces(complete)
