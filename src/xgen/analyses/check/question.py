"""What `xgen check` is asked: its options, and which of them exclude which."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast, get_args

from xgen.engine.graphs.options import Long, Options, Progress
from xgen.engine.problem import Filter
from xgen.errors import UsageError
from xgen.exclusions import Excludes, Needs, Rule, refusal
from xgen.executions.result import Partition, Schedule
from xgen.memory.algebra import Model
from xgen.program.automaton import Program
from xgen.records import dataclass, replace

Engine = Literal["graphs", "sat"]
"""How a verdict is found: by exploring executions, or by satisfiability."""
MAX_WORKERS = 256
"""More native threads, or processes, than this help nobody."""
TRACES = 1000
"""Executions that are kept where all are explored, unless the user says how many."""

LONG = ("processes", "cluster", "checkpoint", "memory_limit")
"""The options of long runs."""
CLASSES = ("classes rf", "classes values", "classes seen")
"""Those that name what classes are of."""
SCHEDULES = tuple(f"schedule {each}" for each in get_args(Schedule) if each != "fair")
"""Those under which not each thread goes on."""
_EACH = "that looks at each execution"
_WITHOUT_THREADS = "programs in which threads never begin, or stop, are explored as well, for the verdict only"
_ONE_VERDICT = "a solver gives a verdict, and explores no executions"
_NOT_BY_SAT = (
    *("max_depth", "all_states", "filter final", "unroll", "workers", "liveness", "robust", "classes off", *CLASSES),
    *("cones", *LONG, "sample", "coverage", "weaken", "accept", *SCHEDULES),
)
_NOT_BY_SCHEDULE = (
    *("all_states", "filter final", "unroll", "robust", *CLASSES, "cones", *LONG, "sample", "coverage", "weaken"),
    "accept",
)
RULES: tuple[Rule, ...] = (
    Excludes("liveness", ("unroll",), "loops that wait cannot be explored round by round where they are to be found"),
    *(Excludes(option, ("filter final", "liveness", "robust"), _EACH) for option in CLASSES),
    Excludes("cones", ("all_states", "filter final", "liveness", "robust"), _EACH),
    Excludes("processes", ("cluster",), "it is the one or the other that explores"),
    *(Excludes(option, ("workers",), "threads are not for long runs, processes are") for option in LONG),
    *(Excludes(option, ("cones",), "a long run is one exploration, and each cone is one") for option in LONG),
    *(Excludes(option, ("sample",), "samples are of no part of an exploration") for option in LONG),
    Excludes("sample", (*CLASSES, "cones"), "samples are executions of the whole, each by itself"),
    Excludes("sample", ("workers",), "samples are made one after the other, so that a seed says which"),
    Excludes("coverage", ("sample",), "lines are those of all executions, which are explored once more for it"),
    Excludes("weaken", ("sample", "cones", "filter final"), "each weaker program is explored as a whole"),
    *(Excludes("weaken", (option,), "so many programs are no long run") for option in LONG),
    *(
        Excludes("accept", (option,), "a run that meets an accepted finding is made again without it")
        for option in LONG
    ),
    Excludes("accept", ("sample",), "samples show what they meet, whatever is known of it"),
    *(Excludes("engine sat", (option,), _ONE_VERDICT) for option in _NOT_BY_SAT),
    *(Excludes(schedule, _NOT_BY_SCHEDULE, _WITHOUT_THREADS) for schedule in SCHEDULES),
    Excludes("leaks", (*CLASSES, "cones"), "each execution may end with other memory"),
    Excludes("leaks", ("engine sat",), _ONE_VERDICT),
    Needs("seed", ("sample",), "it says which samples are made"),
    Needs("about", ("checkpoint",), "it is kept there"),
)
"""Which options exclude which, by the names of fields; `classes off` is `classes` of that value."""
_CHOICES = ("filter", "classes", "engine", "schedule")
"""Options that the rules call by their values, too."""
_AS_NONE = (("trace_limit", 0), ("liveness", False))
"""Values that exclude nothing, as no value does."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of a program, and how it is explored.

    max_depth    at most so many events per thread; None: no bound
    all_states   explore everything; else the first violation ends the run
    filter       "in-situ": inconsistent graphs are dropped on the way; "final": all are built, and filtered at the end
    unroll       explore each round of a loop that only waits; else a thread that comes back to where it was, without a
                 write, is blocked there, and loops that only wait need no bound
    workers      threads to explore with; what is found does not depend on it
    timeout      in seconds; then the verdict is "interrupted", as it is after Ctrl-C
    trace_limit  at most so many executions are kept as `traces`; None: 1000 with `all_states`, else none
    dependencies executions have addr, data and ctrl even if the model does not use them
    liveness     an execution in which threads wait for ever is a violation: each thread that has not ended waits in a
                 loop, at a lock or at a join, and what it reads does not change any more; None: as the program says,
                 which kernels do, of GPUs and of Linux, and tests for loom
    schedule     which threads go on, where it is asked who waits for ever: "fair": each; "obe": those that have begun;
                 "lobe": these, and each with a lower number; "hsa": the one with the lowest number that has not ended.
                 Any but "fair" asks for liveness (docs/liveness.md)
    robust       another model: what ends, waits for ever or is cut otherwise than it allows is a violation
    classes      "auto": where only the verdict is asked and executions one by one have not been explored soon, classes
                 of them are as well, in turns, until one of these is done; "off": executions only; "rf": of those with
                 the same events and the same reads-from, one is visited, and the others are only counted; "values": of
                 those in which each read reads the same; "seen": of those that no thread can tell apart; of these two,
                 executions are not counted (docs/classes.md)
    symmetry     of classes: those that differ by the names of threads that do the same are visited once; where
                 executions are explored, no two of them are taken for one in any case
    cones        the verdict only: each thread that can go wrong, and each two that may race, are looked at with what
                 they depend on; no outcomes
    processes    so many processes explore; what is found does not depend on it (docs/long-runs.md)
    cluster      the address of a scheduler of Dask whose workers explore
    checkpoint   the run is kept in this file; where it exists, its run goes on, which must have been the same
    memory_limit in bytes, for all processes together: outcomes that it has no room for are kept in a file
    coverage     which lines executions come to is noted, as `Result.coverage`
    weaken       of a safe program, each order is weakened alone, each fence taken out alone: `Result.weakened` says
                 what goes wrong then
    engine       "graphs": executions are explored, as graphs; "sat": a solver says whether one goes wrong, whatever
                 inputs without a range are (docs/sat.md)
    accept       known findings, as KIND@FILE:LINE: they are no violations, and `Result.accepted` has those that were
                 seen (docs/ci.md)
    about        what a new checkpoint says of the run, beside what must be the same
    sample       so many executions at random, and no others: a violation that is met is real, but that there is none
                 proves nothing, and the verdict is "interrupted" then (docs/sampling.md); `Result.sample` has estimates
    seed         of `sample`: the same seed, the same samples; None: 1
    on_progress  is called about ten times a second

    Raises UsageError for options that make no sense, alone or together.
    """

    max_depth: int | None = None
    all_states: bool = False
    filter: Filter = "in-situ"
    unroll: bool = False
    workers: int = 1
    timeout: float | None = None
    trace_limit: int | None = None
    dependencies: bool = False
    liveness: bool | None = None
    schedule: Schedule = "fair"
    robust: Model | None = None
    classes: Partition | Literal["auto"] = "auto"
    symmetry: bool = True
    cones: bool = False
    processes: int | None = None
    cluster: str | None = None
    checkpoint: str | Path | None = None
    memory_limit: int | None = None
    about: Mapping[str, Any] | None = field(default=None, hash=False)
    sample: int | None = None
    seed: int | None = None
    coverage: bool = False
    weaken: bool = False
    accept: tuple[str, ...] = ()
    engine: Engine = "graphs"
    on_progress: Callable[[Progress], None] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for what, number, most in (
            ("the depth bound", self.max_depth, None),
            ("the number of workers", self.workers, MAX_WORKERS),
            ("the number of processes", self.processes, MAX_WORKERS),
            ("the number of samples", self.sample, None),
        ):
            if number is not None and not 1 <= number <= (most or number):
                allowed = "at least 1" if most is None else f"from 1 to {most}"
                raise UsageError(f"{what} must be {allowed}, not {number}")
        if self.accept:
            from xgen.analyses.check.accepting import read  # long to import, and rarely asked for

            for known in self.accept:
                read(known)
        if (why := refusal(RULES, self.given())) is not None:
            raise UsageError(why)
        if self.schedule != "fair" and self.liveness is False:
            raise UsageError(f"`schedule={self.schedule!r}` needs `liveness`: it says who waits for ever")

    def given(self) -> set[str]:
        """The options that are not as they are by default, as the rules call them."""
        found = set()
        for option in fields(self):
            value = getattr(self, option.name)
            if value != option.default and (option.name, value) not in _AS_NONE:
                found.add(f"{option.name} {value}" if option.name in _CHOICES else option.name)
        return found

    def of(self, program: Program) -> Question:
        """The same, where a program says what nobody has. Raises UsageError for options that make no sense then."""
        asked = self
        if program.leaks is not None:
            if (why := refusal(RULES, {*self.given(), "leaks"})) is not None:
                raise UsageError(why)
            asked = replace(self, classes="off")
        if self.liveness is not None:
            return asked
        if program.lively is not None and (why := refusal(RULES, {*self.given(), "liveness"})) is not None:
            raise UsageError(why, hint=f"{program.lively} turns `liveness` on: liveness=False turns it off")
        return replace(asked, liveness=program.lively is not None or self.schedule != "fair")

    @property
    def private(self) -> bool:
        """Whether what threads do by themselves need not be events: a bound on these would mean another thing."""
        return self.max_depth is None

    @property
    def long(self) -> bool:
        """Whether it is a long run: one in parts."""
        return not self.given().isdisjoint(LONG)

    @property
    def partition(self) -> Partition:
        """Which classes are to be explored whatever comes."""
        return "off" if self.classes == "auto" else self.classes

    @property
    def in_turns(self) -> bool:
        """Whether classes may be explored beside executions, since only the verdict is asked."""
        each = {"all_states", "trace_limit", "filter final", "liveness", "robust"}
        return self.classes == "auto" and each.isdisjoint(self.given())

    def options(self, timeout: float | None) -> Options:
        """How the engine explores, in so many seconds."""
        traces = self.trace_limit if self.trace_limit is not None else TRACES if self.all_states else 0
        return Options(
            self.max_depth,
            self.all_states,
            self.filter,
            self.unroll,
            self.workers,
            timeout,
            traces,
            dependencies=self.dependencies,
            liveness=bool(self.liveness) or self.schedule != "fair",
            symmetry=self.symmetry,
            partition="rf" if self.partition == "off" else self.partition,
        )

    def spread(self) -> Long:
        """How a long run is spread and kept."""
        checkpoint = None if self.checkpoint is None else Path(self.checkpoint)
        return Long(self.processes, self.cluster, checkpoint, self.memory_limit, self.about or {})

    def kept(self) -> dict[str, Any]:
        """What of it a checkpoint keeps, to ask it again: what is found depends on these, and they are plain values."""
        names = ("max_depth", "all_states", "filter", "unroll", "liveness", "classes", "symmetry")
        return {name: getattr(self, name) for name in names}


P = ParamSpec("P")
T = TypeVar("T")


def by_options(
    question: Callable[P, Question],
) -> Callable[[Callable[[Program, Model, Question], T]], Callable[Concatenate[Program, Model, P], T]]:
    """Makes a function that takes a question one that takes its options, as keywords."""

    def decorate(ask: Callable[[Program, Model, Question], T]) -> Callable[Concatenate[Program, Model, P], T]:
        @wraps(ask)
        def asked(program: Program, model: Model, *args: P.args, **options: P.kwargs) -> T:
            return ask(program, model, question(*args, **options))

        own = list(inspect.signature(ask).parameters.values())[:2]
        keywords = inspect.signature(question).parameters.values()
        asked.__signature__ = inspect.signature(ask).replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
        return cast(Callable[Concatenate[Program, Model, P], T], asked)

    return decorate
