"""Safety: can a program reach an error location, violate an assertion, overflow or divide by zero?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from xgen import _core
from xgen.analyses.check.cones import check_cones, why_not
from xgen.analyses.check.independent import Product, product_of
from xgen.analyses.check.portfolio import expected_seconds, explored_in_turns
from xgen.analyses.check.portfolio import why_not as not_in_classes
from xgen.analyses.warnings import notes
from xgen.clock import Clock
from xgen.engine.graphs.deepening import grows
from xgen.engine.graphs.diagnosis import blocked, unreached
from xgen.engine.graphs.fair_extension import ROUNDS, can_go_on
from xgen.engine.graphs.found import Found, found_by
from xgen.engine.graphs.intervals import LOSSES, Interval
from xgen.engine.graphs.lazy_cells import explored, sparse
from xgen.engine.graphs.options import Long, Options, Progress
from xgen.engine.graphs.run import BY_READS_FROM, Run, Untouched
from xgen.engine.graphs.run import executions as run_executions
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import Filter, Problem, problem
from xgen.errors import LimitError, UsageError
from xgen.executions.execution import Execution
from xgen.executions.result import Partition, Result, Verdict
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import load_buffering
from xgen.program.automaton import Program

if TYPE_CHECKING:
    from xgen.engine.graphs.estimate import Estimate

MAX_WORKERS = 256
"""More native threads than this help nobody."""

LONG = 2.0
"""Seconds after which a run that reports its progress estimates what is left."""
ESTIMATING = 0.4
"""Seconds that it takes for this."""

BOTH = "loops that wait cannot be explored round by round where they are to be found"
"""What is said of options that ask for the opposite."""


def check(
    program: Program,
    model: Model,
    *,
    max_depth: int | None = None,
    all_states: bool = False,
    filter: Filter = "in-situ",
    unroll: bool = False,
    workers: int = 1,
    timeout: float | None = None,
    trace_limit: int | None = None,
    dependencies: bool = False,
    liveness: bool = False,
    robust: Model | None = None,
    classes: Partition | Literal["auto"] = "auto",
    symmetry: bool = True,
    cones: bool = False,
    processes: int | None = None,
    cluster: str | None = None,
    checkpoint: str | Path | None = None,
    memory_limit: int | None = None,
    about: Mapping[str, Any] | None = None,
    sample: int | None = None,
    seed: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Explores the executions of a program that a memory model allows, and looks for violations.

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
                 loop, at a lock or at a join, and what it reads does not change any more
    robust       another model: what ends, waits for ever or is cut otherwise than it allows is a violation
    classes      "auto": where only the verdict is asked and executions one by one have not been explored soon, classes
                 of them are as well, in turns, until one of these is done; "off": executions only; "rf": of those with
                 the same events and the same reads-from, one is visited, and the others are only counted; "values": of
                 those in which each read reads the same; "seen": of those that no thread can tell apart; of these two,
                 executions are not counted (docs/classes.md)
    cones        the verdict only: each thread that can go wrong, and each two that may race, are looked at with what
                 they depend on; no outcomes
    symmetry     with `classes`, those that differ by the names of threads that do the same are visited once
    processes    so many processes explore; what is found does not depend on it (docs/long-runs.md)
    cluster      the address of a scheduler of Dask whose workers explore
    checkpoint   the run is kept in this file; where it exists, its run goes on, which must have been the same
    memory_limit in bytes, for all processes together: outcomes that it has no room for are kept in a file
    about        what a new checkpoint says of the run, beside what must be the same
    sample       so many executions at random, and no others: a violation that is met is real, but that there is none
                 proves nothing, and the verdict is "interrupted" then (docs/sampling.md); `Result.sample` has estimates
    seed         of `sample`: the same seed, the same samples
    on_progress  is called about ten times a second

    Raises UnsupportedError for programs that cannot be run yet, LimitError where a limit of the engine is exceeded,
    UsageError for options that make no sense.
    """
    if max_depth is not None and max_depth < 1:
        raise UsageError(f"the depth bound must be at least 1, not {max_depth}")
    if not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"the number of workers must be from 1 to {MAX_WORKERS}, not {workers}")
    if liveness and unroll:
        raise UsageError(BOTH)
    kept = any(option is not None for option in (processes, cluster, checkpoint, memory_limit))
    if sample is not None:
        _refuse_sample(
            sample,
            classes=classes not in ("off", "auto"),
            cones=cones,
            workers=workers > 1,
            processes=processes is not None,
            cluster=cluster is not None,
            checkpoint=checkpoint is not None,
            memory_limit=memory_limit is not None,
        )
    clock = Clock(timeout)
    auto = classes == "auto"
    if classes == "auto":
        classes = "off"
    if classes != "off":
        _refuse(f"classes={classes!r}", filter=filter == "final", liveness=liveness, robust=robust is not None)

    def make(program: Program) -> Problem:
        return problem(program, model, reference=robust, classes=classes != "off")

    auto = auto and not (all_states or trace_limit or filter == "final" or liveness or robust or cones)
    asked = make(program if cones or kept or classes != "off" else sparse(program))
    if asked.program.absent and asked.strategy.ahead:  # addresses may not be known there
        asked = make(program)
    if classes != "off" and (what := not_in_classes(asked, classes)) is not None:
        why = f"{what} cannot be used with classes={classes!r} under {model.name}, which allows load buffering"
        raise UsageError(why, file=program.source.name)
    traces = trace_limit if trace_limit is not None else 1000 if all_states else 0
    options = Options(
        max_depth,
        all_states,
        filter,
        unroll,
        workers,
        clock.left(),
        traces,
        dependencies=dependencies,
        liveness=liveness,
        symmetry=symmetry,
        partition="rf" if classes == "off" else classes,
    )
    if kept:
        how = Long(processes, cluster, None if checkpoint is None else Path(checkpoint), memory_limit, about or {})
        _refuse_long(asked, options, how, cones)
        return _long(asked, options, how, clock, on_progress)
    if sample is not None:
        from xgen.engine.graphs.sampling import sampled  # long to import

        asked, found, drawn = sampled(asked, options, sample, seed, clock, on_progress)
        return replace(result_of(asked, options, found, clock.seconds), sample=drawn)
    reason = None
    if cones:
        _refuse(
            "cones=True", all_states=all_states, filter=filter == "final", liveness=liveness, robust=robust is not None
        )
        reason = why_not(problem(program, model) if asked.classes else asked)
        if reason is None:
            found, looked_at = check_cones(
                asked, lambda: problem(program, model, classes=True), options, clock, on_progress
            )
            return replace(result_of(asked, options, found, clock.seconds), cones=looked_at)

    def watch(run: Run) -> Callable[[Progress], None] | None:
        return _with_total(run, on_progress) if on_progress else None

    run: Run | Product | None = None
    if auto and not asked.program.absent:
        run = explored_in_turns(asked, lambda: problem(program, model, classes=True), options, clock, watch)
    elif asked.classes:
        run = _explored_product(asked, options, on_progress)
    if run is None:
        _, run = explored(asked, options, clock, watch)
    result = _result_of_run(run, clock)
    if run.options.partition != run.asked.partition and not auto:
        result = replace(result, warnings=(BY_READS_FROM, *result.warnings))
    if reason is not None:
        result = replace(result, warnings=(f"the whole program was explored, not cones: {reason}", *result.warnings))
    return result


def _explored_product(
    asked: Problem, options: Options, on_progress: Callable[[Progress], None] | None
) -> Product | None:
    """The exploration of components to its end; None where the whole is to be explored.

    Where one has executions without an end, a violation of another one may be found in the whole.
    """
    run = product_of(asked, options)
    try:
        if run is not None:
            run.finish(on_progress)
    except LimitError:
        return None
    return run if run is not None and run.exact else None


def _result_of_run(run: Run | Product, clock: Clock) -> Result:
    """The result of an exploration that is over; assertions of components are told component by component."""
    if isinstance(run, Run):
        return result_of(run.problem, run.options, found_by(run), clock.seconds)
    found = run.found()
    result = replace(result_of(run.problem, run.options, found, clock.seconds), components=len(run.parts))
    for part, own in zip(run.parts, run.each, strict=True):
        told = replace(own, witness=found.witness, stopped=found.stopped, cut=found.cut)
        notes = (note for note in _unreached(part, run.options, told) if note not in result.warnings)
        result = replace(result, warnings=(*result.warnings, *notes))
    return result


def _refuse(what: str, **others: bool) -> None:
    for name, asked in others.items():
        if asked:
            raise UsageError(f"{what} cannot be used with `{name}`: that looks at each execution")


def _refuse_sample(sample: int, **others: bool) -> None:
    if sample < 1:
        raise UsageError(f"the number of samples must be at least 1, not {sample}")
    for name, asked in others.items():
        if asked:
            raise UsageError(f"`sample` cannot be used with `{name}`")


def _refuse_long(asked: Problem, options: Options, how: Long, cones: bool) -> None:
    """Raises UsageError for what long runs do not do."""
    for name, given in (("cones", cones), ("workers", options.workers > 1)):
        if given:
            raise UsageError(f"a long run (`processes`, `cluster`, `checkpoint`, `memory_limit`) cannot have `{name}`")
    if how.processes is not None and how.cluster is not None:
        raise UsageError("a run has either `processes` or a `cluster`")
    if how.processes is not None and not 1 <= how.processes <= MAX_WORKERS:
        raise UsageError(f"the number of processes must be from 1 to {MAX_WORKERS}, not {how.processes}")
    if asked.classes and options.partition != "rf" and grows(asked, options.max_depth):
        what = f"classes `{options.partition}` of a program with loops are not for long runs"
        hint = "classes `rf` are; so are these with a bound on events per thread"
        raise UsageError(what, file=asked.program.source.name, hint=hint)


def _long(
    asked: Problem, options: Options, how: Long, clock: Clock, on_progress: Callable[[Progress], None] | None
) -> Result:
    """The result of a long run. Executions to be kept come from another run, which ends with the last of them."""
    if sys.platform == "win32":
        raise UsageError("runs in parts need limits and signals of processes, which Windows does not have")
    from xgen.engine.distributed.long_run import explore  # long to import

    found, aside, told = explore(asked, options, how, clock, on_progress)
    if options.trace_limit and found.stopped is None:
        alone = run_executions(asked, replace(options, stream=True, timeout=clock.left()))
        found = replace(found, traces=tuple(islice(alone, options.trace_limit)))
    run: dict[str, str | int | float] = {
        "engine": told.engine,
        "workers": told.workers,
        "slices": told.slices,
        "deaths": told.deaths,
        "sessions": told.sessions,
        "cpu_seconds": round(told.cpu_seconds, 3),
    }
    result = result_of(asked, options, found, clock.seconds)
    warnings = result.warnings
    if told.trouble is not None:
        warnings = (f"the checkpoint is not complete, it could not be written: {told.trouble}", *warnings)
    if told.gone is not None:
        goes_on = f"; `xgen resume {how.checkpoint}` goes on" if how.checkpoint is not None else ""
        warnings = (f"{told.gone}{goes_on}", *warnings)
    if aside:
        warnings = (f"{len(aside)} parts killed their workers {LOSSES} times and were left out", *warnings)
    return replace(result, lost_parts=tuple(map(_path, aside)), run=run, warnings=warnings)


def _path(part: Interval) -> str:
    return ".".join(map(str, part.path)) + f" ({', '.join(map(str, part.rest))})"


def _with_total(run: Run, on_progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The same reports; those of runs that take longer say about how many graphs there are in all."""
    totals: dict[int | None, float | None] = {}
    """By the run's depth."""

    def report(progress: Progress) -> None:
        from xgen.engine.graphs.estimate import expected_graphs  # long to import

        if run.depth not in totals and progress.seconds >= LONG:
            try:
                totals[run.depth] = expected_graphs(run, ESTIMATING)
            except Untouched:
                totals[run.depth] = None
        on_progress(replace(progress, total=totals.get(run.depth)))

    return report


def estimate(
    program: Program, model: Model, *, max_depth: int | None = None, unroll: bool = False, seconds: float = 2.0
) -> Estimate:
    """Estimates how many executions a check of everything is going to meet, and how long it takes; see `Estimate`.

    `seconds` is how long that may take. The other options are those of `check`. Raises UnsupportedError and LimitError.
    """
    from xgen.engine.graphs.estimate import estimate as engine_estimate

    each = problem(program, model)
    found = engine_estimate(each, max_depth=max_depth, unroll=unroll, seconds=seconds)
    if found.exact:
        return found
    options = Options(max_depth, unroll=unroll)
    ways = expected_seconds(each, problem(program, model, classes=True), options)
    return replace(found, ways={str(way): seconds for way, seconds in ways.items()})


PATIENCE = 1.0
"""Seconds in which an execution is looked for again that shows where threads are blocked."""


def result_of(problem: Problem, options: Options, found: Found, seconds: float) -> Result:
    """The result of an exploration of everything and what it has found."""
    verdict: Verdict = "vacuous" if found.vacuous else "safe-within-bound" if found.cut else "safe"
    if found.stopped:
        verdict = "interrupted"
    if found.witness is not None:
        verdict = "violation"
    return Result(
        program=Path(problem.code.source.name).name,
        model=problem.asked.name,
        verdict=verdict,
        demoted=problem.demoted(options.filter),
        **found.counters,
        outcomes=found.outcomes,
        outcomes_complete=found.outcomes_complete,
        witness=found.witness,
        traces=found.traces,
        max_depth=options.max_depth,
        all_states=options.all_states,
        filter=options.filter,
        seconds=seconds,
        peak_kib=peak_kib(),
        stopped=found.stopped,
        flags=found.flags,
        cut=found.cut,
        liveness=options.liveness,
        waits=found.waits,
        partition=options.partition if problem.classes else "off",
        counted=found.counted and not (problem.classes and options.partition != "rf"),
        cones=None,
        lost_parts=(),
        run=None,
        sample=None,
        headers=problem.program.headers,
        ignored=problem.program.ignored,
        warnings=(
            *_warnings(problem, found),
            *_uncertified(problem, options),
            *found.cuts,
            *_blocked(problem, options, found),
            *_unreached(problem, options, found),
        ),
    )


def _blocked(problem: Problem, options: Options, found: Found) -> Iterator[str]:
    """Where threads are blocked if no execution completes; where they wait for ever, the verdict says so."""
    counters = found.counters
    if found.stopped or found.witness or not found.vacuous:
        return
    if found.cut:
        yield from unseen(problem, options)
    if found.cut or (counters["stuck"] == counters["blocked"] and found.completes is None):
        return
    own = replace(options, partition="rf", workers=1, timeout=PATIENCE, trace_limit=1, stream=True)
    yield from blocked(Run(problem, own))


def unseen(problem: Problem, options: Options) -> Iterator[str]:
    """What a bound hides within which no execution completes, and what does without one."""
    from xgen.engine.symbolic import can_be_proved  # long to import

    more = "; `xgen prove` needs no bound" if options.max_depth is not None and can_be_proved(problem) else ""
    yield f"no execution completes within the bound: what can go wrong later is not seen{more}"


def _unreached(problem: Problem, options: Options, found: Found) -> Iterator[str]:
    """The assertions that no execution comes to, if all were explored; what threads see does not tell that."""
    if found.stopped or (found.witness is not None and not options.all_states):
        return
    if problem.classes and options.partition == "seen":
        return
    left = unreached(problem.code, found.reached)
    if left and problem.classes and options.symmetry and problem.requirement is None:
        left = unreached(problem.code, found.reached, symmetries_of(problem, options.max_depth).groups)
    where = "execution within the bound" if found.cut else "execution"
    for position, text in left.items():
        yield f"note: no {where} comes to the assertion at line {position.line} (`{' '.join(text.split())}`)"


def nothing_found(program: str, model: str, max_depth: int | None, seconds: float) -> Result:
    """The result of a check whose time was over before there was anything to explore."""
    counters = dict.fromkeys(_core.COUNTERS, 0)
    return Result(
        program=program,
        model=model,
        verdict="interrupted",
        demoted={},
        **counters,
        outcomes=(),
        outcomes_complete=False,
        witness=None,
        traces=(),
        max_depth=max_depth,
        all_states=False,
        filter="in-situ",
        seconds=seconds,
        peak_kib=peak_kib(),
        stopped="timeout",
        flags={},
        cut=False,
        liveness=False,
        waits=(),
        partition="off",
        counted=True,
        cones=None,
        lost_parts=(),
        run=None,
        sample=None,
        headers=None,
        ignored=(),
        warnings=("the time was over before the program and the model were read and prepared",),
    )


def executions(
    program: Program, model: Model, *, max_depth: int | None = None, unroll: bool = False, dependencies: bool = False
) -> Iterator[Execution]:
    """The consistent executions of a program, one after the other as they are found.

    Executions with a blocked thread, or with one that the bound stopped, are among them: `Execution.ends` tells.
    """
    options = Options(
        max_depth, all_states=True, unroll=unroll, trace_limit=256, stream=True, dependencies=dependencies
    )
    return run_executions(problem(program, model), options)


def peak_kib() -> int:
    """The most memory that the process has used."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset) // 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def _uncertified(problem: Problem, options: Options) -> Iterator[str]:
    """Why what was found out about waiting may not be exact: see docs/liveness.md."""
    if not options.liveness:
        return
    name = problem.asked.name
    if load_buffering(problem.model)[0]:
        yield f"what waits for ever is not certified: the model {name} allows load buffering"
    elif not can_go_on(problem.model):
        more = f"the model {name} allows {ROUNDS} more rounds, and may forbid later ones"
        yield f"what waits for ever is not certified: {more}"


def _warnings(problem: Problem, found: Found) -> Iterator[str]:
    """What is not in the numbers."""
    if problem.requirement is not None and found.witness is not None and not found.witness.violations:
        yield f"final states are not as required: {problem.requirement.text}"
    yield from notes(problem)
