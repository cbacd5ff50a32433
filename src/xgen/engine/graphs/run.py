"""Running the core on a problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from xgen import _core
from xgen.engine.graphs.convert import to_execution
from xgen.engine.graphs.fair_extension import lasting
from xgen.engine.graphs.intervals import WHOLE, Interval
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.graphs.loops import ADVICE, went_round
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import Filter, Problem
from xgen.errors import InternalError, LimitError, UnsupportedError
from xgen.executions.execution import Execution
from xgen.executions.result import Classes, Outcome
from xgen.lowering.analysis.cones import failing, has_mutexes
from xgen.lowering.analysis.liveness import live_at_loop_events, live_at_stops
from xgen.lowering.analysis.symmetry import Symmetries
from xgen.lowering.analysis.value_sets import Written, written_values
from xgen.lowering.code import Code, objects
from xgen.lowering.threads import NESTED_CALLS
from xgen.memory.plans.plan import make_plan
from xgen.memory.undefined import not_allowed, undefined_behaviour
from xgen.program.automaton import Call

OUTCOME_LIMIT = 1_000_000
"""Different outcomes that are kept; a run that meets more of them says that its list is not complete."""

DUPLICATE_LIMIT = 1 << 10
"""Executions that are compared with each other, as a check of the engine on itself."""

FIRST_DEPTH = 8
"""Events per thread to start with where threads run ahead through loops; see `Run`."""
VIEW_DEPTHS = (8, 16)
"""The same where classes are what threads see; beyond that, they are explored by what reads read from."""
VIEW_GRAPHS = 3_000
"""So are they if there are more graphs than this."""
MOST_DEPTH = 16_384
"""More than any graph has."""

LOOK_GRAPHS, LOOK_DEPTH, LOOK_AT, LOOK = 5000, 64, 256, 2.0
"""Of a run without a bound that is stopped: in how many graphs, how many events deep, in how many executions, and for
how many seconds at most loops are looked for.
"""

BY_READS_FROM = (
    "classes of executions with the same reads-from were explored: by what threads see, a loop goes on and on in "
    "graphs that lead to no execution"
)
"""What is said of programs with such loops."""
RUNS_ON = "a loop without any shared access runs on and on (10,000,000 steps)"
MIXED = "this accesses a part of a number, or a number as one of another size or sign"
"""What is said of programs that the machine cannot run."""

SLICE = 0.1
"""Seconds between two looks at the clock, at signals and at the progress line."""


class Untouched(Exception):
    """A pointer leads to a variable that has no cell: its number among `Program.absent`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; `total` is about how many graphs there are in all, where that was estimated.

    `note`: what else there is to say of a long run.
    """

    executions: int
    blocked: int
    bounded: int
    explored: int
    seconds: float
    total: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Long:
    """How a run is spread and kept.

    processes   that explore; None: this one does
    cluster     the address of a scheduler of Dask whose workers explore
    checkpoint  the file that it is kept in; where that exists, its run goes on
    memory      the limit for all processes together, in bytes; None: most of what there is
    about       what a new checkpoint says of the run beside what has to be the same to go on
    longest     seconds of a slice, at most
    """

    processes: int | None = None
    cluster: str | None = None
    checkpoint: Path | None = None
    memory: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    longest: float | None = None


_PARTITIONS = {"rf": _core.Partition.RF, "values": _core.Partition.VALUES, "seen": _core.Partition.SEEN}


@dataclass(frozen=True, slots=True)
class Options:
    """How to explore; see `xgen.check`. For `shared_plan` see `make_plan`.

    `undefined`: executions that leave the program without a meaning (`undefined_unless`) are violations. `liveness`:
    so are those in which threads wait for ever. `symmetry`: where classes are explored, threads that do the same are
    told apart only when they are counted. `partition`: what classes are of, where they are explored. `graphs`: the run
    stops when it has visited so many.
    """

    max_depth: int | None = None
    all_states: bool = False
    filter: Filter = "in-situ"
    unroll: bool = False
    workers: int = 1
    timeout: float | None = None
    trace_limit: int = 0
    stream: bool = False
    dependencies: bool = False
    shared_plan: bool = False
    undefined: bool = True
    liveness: bool = False
    symmetry: bool = False
    partition: Classes = "rf"
    graphs: int | None = None


class Run:
    """The exploration of a problem, or of one interval of it.

    A constraint is checked on every graph where that loses nothing, else on whole executions (it is *demoted*).

    Where threads run ahead of their reads, a program with loops can have branches without an end that lead to no
    execution, however few executions there are. So a run without a bound is one with a bound, `depth`, that is doubled
    until it cuts nothing. Then it makes no difference: every execution that goes beyond it would have been noticed.
    Traces that come in a stream are those that no smaller bound let through whole.

    A run of one interval is of one bound: who explores intervals lets it grow (see `bounds`).

    `live`: what `live_at_loop_events` says of the code, where that is known; `alone`: what `who_waits_alone` says.
    """

    def __init__(
        self,
        problem: Problem,
        options: Options,
        interval: Interval | None = None,
        live: list[list[int]] | None = None,
        alone: list[bool] | None = None,
    ) -> None:
        self.problem = problem
        self.code = problem.code
        self.model = problem.model
        self.options = self.asked = options
        self.stopped: Literal["interrupt", "timeout"] | None = None
        self.halt = _core.Halt.BUDGET
        self.start = time.monotonic()
        strategy = problem.strategy
        self.live = live_at_loop_events(self.code) if live is None else live
        self._code = native(self.code, self.live, written_values(self.code) if strategy.ahead else [])
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
        )
        sees = problem.classes and options.partition != "rf"
        wrong = failing(self.code) if sees else []
        # The outcomes of violations make no difference where the first one ends the run.
        listed = set[int]().union(*wrong) if options.all_states else ()
        self._matters = live_at_stops(self.code, listed) if sees else []
        self._alone = (alone or who_waits_alone(problem, options, wrong)) if sees else []
        self.deepening = interval is None and options.max_depth is None and _grows(problem, self.live)
        self._bounds = (
            chain(VIEW_DEPTHS if sees else (), _growing(problem)) if self.deepening else iter([options.max_depth])
        )
        self.depth = next(self._bounds)
        self._known_symmetries: dict[int | None, Symmetries] = {}
        self._seen = -1
        self._outgrown = False
        self._gone_on: list[str] = []
        self._worked = 0
        self.core = self.explore(interval or WHOLE)

    def explore(self, interval: Interval, settings: _core.Settings | None = None) -> _core.Exploration:
        """A fresh exploration of that interval."""
        settings = settings or self.settings()
        workers = 1 if self._has_views else self.options.workers  # several would explore more graphs, and others
        return _core.Exploration(self._code, self._plan, settings, workers, interval.path, interval.rest)

    def settings(self) -> _core.Settings:
        """How the core explores, by the options."""
        options, settings = self.options, _core.Settings()
        settings.max_depth = -1 if self.depth is None else self.depth
        settings.all_states = options.all_states
        settings.waiting = not options.unroll
        settings.locking = self.code.only_locks
        settings.liveness = options.liveness
        settings.trace_limit = options.trace_limit
        settings.stream = options.stream
        settings.outcome_limit = OUTCOME_LIMIT
        if options.graphs is not None:
            settings.graph_pause = options.graphs
        settings.duplicate_limit = DUPLICATE_LIMIT
        settings.shown = [thread.shown for thread in self.code.threads]
        settings.shown_cells = self.problem.observed
        like = self._symmetries
        if like is not None and like.generators:
            settings.renamings = [[*threads, *cells] for threads, cells in like.renamings]
            settings.generators = like.generators
        if self.problem.classes:
            settings.partition = _PARTITIONS[options.partition]
            settings.matters, settings.alone = self._matters, self._alone
        if self._has_views:
            settings.graph_pause = min(settings.graph_pause, VIEW_GRAPHS)
        settings.undefined = [n for n, c in enumerate(self.model.constraints) if c.undefined and options.undefined]
        settings.demanded = self.problem.demanded
        settings.lasting = lasting(self.problem)
        settings.judge = None if self.problem.requirement is None else self.problem.judge
        return settings

    @property
    def _symmetries(self) -> Symmetries | None:
        """The renamings that leave the program as it is, where classes that differ by them are visited once."""
        if not (self.problem.classes and self.options.symmetry and self.problem.requirement is None):
            return None
        if self.depth not in self._known_symmetries:
            self._known_symmetries[self.depth] = symmetries_of(self.problem, self.depth)
        return self._known_symmetries[self.depth]

    @property
    def _has_views(self) -> bool:
        """Whether classes are what threads see as long as bounds are small."""
        return self.deepening and self.problem.classes and self.options.partition != "rf"

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
        if self._outgrown:
            self._deepen()
        seconds = SLICE if seconds is None else seconds
        if self.options.timeout is not None:
            seconds = min(seconds, self.options.timeout - self.seconds)
            if seconds <= 0:
                self.stopped = "timeout"
                return False
        left = None if work is None else work - self._worked
        self.halt = self._explored(lambda: self.core.run(seconds, left))
        if self.halt == _core.Halt.DONE and self.deepening and self.outgrown:
            self._outgrow()
        if self.halt == _core.Halt.BUDGET:
            if self._has_views and self.core.counters["explored"] >= VIEW_GRAPHS:
                self._bounds, self._outgrown = _growing(self.problem), True
                self.options = replace(self.options, partition="rf")
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
            raise LimitError(RUNS_ON, self.code.source, site.position)
        if self.halt == _core.Halt.MIXED and self.core.culprit < 0:
            raise Untouched(~self.core.culprit)
        if self.halt == _core.Halt.MIXED:
            site = self.code.sites[self.core.culprit]
            raise UnsupportedError(MIXED, self.code.source, site.position)
        if self.halt == _core.Halt.TOO_LARGE:
            raise _too_large(self.problem, self.look_for_loops() if self.depth is None else [])

    @property
    def gave_up(self) -> bool:
        """Whether it has visited as many graphs as it may, and there are more."""
        graphs = self.options.graphs
        return graphs is not None and self.halt == _core.Halt.BUDGET and self.core.counters["explored"] >= graphs

    def _outgrow(self) -> None:
        """What the run's own bound has let through was not everything: there is more to do, with a larger one."""
        self._outgrown = True
        self.halt = _core.Halt.BUDGET
        self._gone_on = self._going_on(self.core)

    def _going_on(self, core: _core.Exploration, traces: Sequence[_core.Trace] = ()) -> list[str]:
        """Which threads an exploration with the bound `depth` has cut, one sentence for each place."""
        return [
            went_round(self.code, traces, self._thread_of(pc), pc)
            or f"{thread} still goes on after {self.depth} events, at line {line}, before `{text}`; {ADVICE}"
            for pc in self.cut_by_depth(core)
            for thread, line, text in [self._place(pc)]
        ]

    def look_for_loops(self, depth: int = LOOK_DEPTH) -> list[str]:
        """Where threads go on and on, as far as a short look with a bound shows it."""
        if not any(self.live):
            return []
        bound, self.depth = self.depth, depth
        settings = self.settings()
        settings.graph_pause, settings.trace_limit, settings.stream = LOOK_GRAPHS, LOOK_AT, False
        settings.all_states = True
        core = self.explore(WHOLE, settings)
        core.run(LOOK)
        found = self._going_on(core, core.take_traces())
        self.depth = bound
        return found

    def _deepen(self) -> None:
        """Starts again with the next bound."""
        assert self.depth is not None
        self._outgrown = False
        if self.depth == VIEW_DEPTHS[-1]:
            self.options = replace(self.options, partition="rf")
        self._seen, self.depth = max(self._seen, self.depth), next(self._bounds)
        self._worked += self.core.work
        self.core = self.explore(WHOLE)

    def cut_by_depth(self, core: _core.Exploration) -> list[int]:
        """Where an exploration of the run's has cut threads because of the bound on their events: instructions."""
        return [pc for pc in core.cuts if self.code.instructions[pc].op not in (_core.Op.CUT, _core.Op.BOUND)]

    @property
    def outgrown(self) -> bool:
        """Whether the bound on events has cut anything."""
        return self.depth is not None and bool(self.cut_by_depth(self.core))

    def ends_within(self, seconds: float, work: int | None = None) -> bool:
        """Explores for so long, and until so much work is done, at most; whether that was the end, or Ctrl-C was."""
        try:
            return not self.advance(seconds, work)
        except KeyboardInterrupt:
            self.stopped = "interrupt"
            return True

    def finish(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Explores until the end, the timeout or Ctrl-C; calls `on_progress` about ten times a second."""
        try:
            while self.advance():
                if on_progress:
                    on_progress(self.progress())
        except KeyboardInterrupt:
            self.stopped = "interrupt"

    def cuts(self) -> list[str]:
        """Where the bound stopped threads, or where they were still going on: one sentence for each place."""
        if self.deepening and self.halt != _core.Halt.DONE:
            return self.look_for_loops() or self._gone_on or self._going_on(self.core) if self.stopped else []
        if self.stopped and self.depth is None:
            return self.look_for_loops()
        return self.cut_at(self.core.cuts)

    def cut_at(self, pcs: Sequence[int]) -> list[str]:
        """Where the bound stopped threads, at these instructions: one sentence for each place."""
        return [
            f"{self._bound_at(pc)} stopped {thread} at line {line}, before `{text}`"
            for pc in self._images(pcs)
            for thread, line, text in [self._place(pc)]
        ]

    def _bound_at(self, pc: int) -> str:
        """What has stopped a thread there."""
        nested = self.code.instructions[pc].op is _core.Op.CUT and isinstance(self.code.sites[pc].part, Call)
        return f"the bound on nested calls ({NESTED_CALLS})" if nested else "the bound"

    def _images(self, pcs: Sequence[int]) -> list[int]:
        """These instructions, and those in their places of threads that do the same."""
        found = set(pcs)
        for pc in pcs:
            own = self._thread_of(pc)
            for group in self._symmetries.groups if self._symmetries else []:
                if own in group:
                    threads = self.code.threads
                    found |= {threads[other].entry + pc - threads[own].entry for other in group}
        return sorted(found)

    def _thread_of(self, pc: int) -> int:
        return max((t.entry, number) for number, t in enumerate(self.code.threads) if t.entry <= pc)[1]

    def _place(self, pc: int) -> tuple[str, int, str]:
        """Of an instruction: its thread, its line and its text."""
        site = self.code.sites[pc]
        return self.code.threads[self._thread_of(pc)].name, site.position.line, site.text

    @property
    def cut(self) -> bool:
        """Whether the bound, or that on nested calls, has cut anything; if not, it made no difference."""
        return bool(self.core.cuts)

    def waits(self) -> list[str]:
        """Where threads wait for ever in stuck executions: `p0 at line 3`, each once."""
        return self.waits_at(self.core.waits)

    def waits_at(self, pcs: Sequence[int]) -> list[str]:
        """The same, at these instructions."""
        found = []
        for pc in self._images(pcs):
            found.append(f"{self.code.threads[self._thread_of(pc)].name} at line {self.code.sites[pc].position.line}")
        return list(dict.fromkeys(found))

    def flags(self) -> dict[str, int]:
        """The flags that were raised, each with the number of executions that raise it."""
        return self.flags_of(self.core.flags)

    def flags_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """The same, of these numbers by constraint."""
        counted = enumerate(zip(self.model.constraints, numbers, strict=True))
        return {c.name: count for number, (c, count) in counted if count and number not in self.problem.demanded}

    def progress(self) -> Progress:
        """How far it has come."""
        c = self.core.counters
        return Progress(c["executions"], c["blocked"], c["bounded"], c["explored"], self.seconds)

    def traces(self) -> Executions:
        """The executions kept since the last call."""
        return Executions(self.execution, [trace for trace in self.core.take_traces() if self._is_new(trace)])

    def _is_new(self, trace: _core.Trace) -> bool:
        """Not one in a stream that a smaller bound has given already, or that a larger one will give whole."""
        if not self.options.stream or not self.deepening or self.depth is None:
            return True
        return self._seen < trace.depth <= self.depth

    def witness(self) -> Execution | None:
        """The execution that shows the violation, if one was found."""
        trace = self.core.witness
        return None if trace is None else self.execution(trace, whole=False)

    def execution(self, trace: _core.Trace, whole: bool = True) -> Execution:
        """What a trace describes, with what is undefined in it. Of one that is not whole the core has no flags."""
        found = to_execution(self.problem, trace, whole, self.options.liveness)
        if not self.options.undefined or (whole and not trace.flags):
            return found
        undefined = undefined_behaviour(found, self.model)
        if not undefined and not found.violations and self.problem.demanded:
            undefined = not_allowed(found, [self.model.constraints[n] for n in self.problem.demanded])
        return replace(found, violations=(*undefined, *found.violations)) if undefined else found

    def outcomes(self) -> Outcomes:
        """The final states of the complete executions, ordered by their values."""
        return Outcomes(self.problem, self.core)


def who_waits_alone(problem: Problem, options: Options, wrong: Sequence[set[int]]) -> list[bool]:
    """For each thread: whether it makes no difference to what is asked if it is blocked for ever.

    `wrong`: for each thread, where it can go wrong.

    It does where another one can go wrong meanwhile, where that is a deadlock, where a bound cuts what others do, and
    where executions that are not complete raise flags.
    """
    cuts = {_core.Op.CUT, _core.Op.BOUND}
    bounded = options.max_depth is not None or any(i.op in cuts for i in problem.code.instructions)
    flags = any(constraint.flag for constraint in problem.model.constraints)
    if bounded or flags or has_mutexes(problem.code):
        return [False] * len(wrong)
    return [sum(map(bool, wrong)) == bool(own) for own in wrong]


def bounds(problem: Problem, max_depth: int | None) -> Iterator[int | None]:
    """The bounds on events per thread to explore with, one after the other, until one cuts nothing; see `Run`.

    Raises LimitError after those that graphs have room for.
    """
    return _growing(problem) if grows(problem, max_depth) else iter([max_depth])


def grows(problem: Problem, max_depth: int | None) -> bool:
    """Whether these are several."""
    return max_depth is None and _grows(problem, live_at_loop_events(problem.code))


def _grows(problem: Problem, live: list[list[int]]) -> bool:
    """Whether an exploration without a bound needs bounds that grow: threads run ahead, and there are loops."""
    return problem.strategy.ahead and any(live)


def _growing(problem: Problem) -> Iterator[int]:
    depth = FIRST_DEPTH
    while depth <= MOST_DEPTH:
        yield depth
        depth *= 2
    raise _too_large(problem)


def _too_large(problem: Problem, going_on: Sequence[str] = ()) -> LimitError:
    """`going_on`: which threads go on and on, a sentence for each place."""
    return LimitError(
        "an execution has more than 16,384 events",
        file=problem.code.source.name,
        hint="; ".join(going_on) or "if a loop can go on forever, bound the events per thread (--max-depth)",
    )


class Outcomes(Lazy[Outcome]):
    """The outcomes that a run has met, ordered by their values; made when they are asked for."""

    def __init__(self, problem: Problem, core: _core.Exploration) -> None:
        self._problem = problem
        self._core = core

    @cached_property
    def _order(self) -> list[int]:
        return self._core.outcome_order

    def __len__(self) -> int:
        return len(self._order)

    def item(self, place: int) -> Outcome:
        """The outcome at a place of the order."""
        values, count, violations = self._core.outcome(self._order[place])
        return Outcome(self._problem.state(values), count, violations)


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


def executions(problem: Problem, options: Options) -> Iterator[Execution]:
    """The consistent executions one after the other, blocked and bounded ones as well."""
    run = Run(problem, options)
    more = True
    while more:
        more = run.advance()
        yield from run.traces()


def native(code: Code, live: list[list[int]] | None = None, written: Sequence[Written] = ()) -> _core.Code:
    """The code as the core takes it; `live`: what `live_at_loop_events` says, if that is known, `written`: what
    `written_values` says, for the exploration of threads that run ahead.
    """
    places = [(cell.address, cell.width, n) for n, cell in enumerate(code.cells) if cell.type == "int"]
    places += [(address, width, ~n) for n, (address, width) in enumerate(code.absent)]
    return _core.Code(
        [(i.op, i.dst, i.a, i.b, i.c) for i in code.instructions],
        code.constants,
        code.targets,
        [
            (r.kind, r.address, r.operand, r.expected, r.read_class, r.failed_class, r.write_class, r.picks, r.bits)
            for r in code.rmws
        ],
        [(t.entry, len(t.locals), t.temporaries, t.initial, t.reservation, t.block) for t in code.threads],
        code.initial,
        sorted(places),
        [cell.undefined for cell in code.cells],
        objects(code),
        live_at_loop_events(code) if live is None else live,
        list(written),
    )
