"""Safety: can a program reach an error location, violate an assertion, overflow or divide by zero?"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from xgen.engine import explore
from xgen.engine.explore import Filter, Options, Progress, Run
from xgen.engine.result import Execution, Result, Verdict
from xgen.errors import UsageError
from xgen.memory.algebra import Model, Op
from xgen.memory.polarity import checks_of
from xgen.program.automaton import Program
from xgen.program.code import Code
from xgen.program.lowering import lower

MAX_WORKERS = 256
"""More native threads than this help nobody."""


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
    trace_limit: int = 1000,
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
    trace_limit  with `all_states`: at most so many executions are kept as `traces`
    on_progress  is called about ten times a second

    Raises UnsupportedError for programs that cannot be run yet, LimitError where a limit of the engine is exceeded,
    UsageError for options that make no sense.
    """
    if max_depth is not None and max_depth < 1:
        raise UsageError(f"the depth bound must be at least 1, not {max_depth}")
    if not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"the number of workers must be from 1 to {MAX_WORKERS}, not {workers}")
    code = lower(program)
    options = Options(max_depth, all_states, filter, unroll, workers, timeout, trace_limit if all_states else 0)
    run = Run(code, model, options)
    run.finish(on_progress)
    witness = run.witness()
    counters = run.core.counters
    verdict: Verdict = "safe-within-bound" if counters["bounded"] else "safe"
    if run.stopped:
        verdict = "interrupted"
    if witness is not None:
        verdict = "violation"
    return Result(
        program=Path(program.source.name).name,
        model=model.name,
        verdict=verdict,
        certified=run.stopped is None,
        demoted=run.demoted,
        executions=counters["executions"],
        blocked=counters["blocked"],
        bounded=counters["bounded"],
        violations=counters["violations"],
        explored=counters["explored"],
        revisits_tried=counters["revisits_tried"],
        revisits=counters["revisits"],
        duplicates=counters["duplicates"],
        duplicates_checked=counters["duplicates_checked"],
        outcomes=run.outcomes(),
        outcomes_complete=run.core.outcomes_complete,
        witness=witness,
        traces=tuple(run.traces()),
        max_depth=max_depth,
        all_states=all_states,
        filter=filter,
        seconds=run.seconds,
        peak_kib=_peak_kib(),
        stopped=run.stopped,
        warnings=(*_warnings(code, model), *run.cuts()),
    )


def executions(
    program: Program, model: Model, *, max_depth: int | None = None, unroll: bool = False
) -> Iterator[Execution]:
    """The consistent executions of a program, one after the other as they are found.

    Executions with a blocked thread, or with one that the bound stopped, are among them: `Execution.ends` tells.
    """
    options = Options(max_depth, all_states=True, unroll=unroll, trace_limit=256, stream=True)
    return explore.executions(lower(program), model, options)


def _peak_kib() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def _warnings(code: Code, model: Model) -> Iterator[str]:
    """Where a model distinguishes tags, one that it does not name is likely a slip."""
    known = {
        term.name
        for constraint in model.constraints
        for check_ in checks_of(constraint.condition)
        for term in check_.term.subterms()
        if term.op is Op.TAGGED
    }
    used = {tag: i.kind for i in code.classes for tag in sorted(i.tags - {"init", "atomic"})}
    if known - {"init"}:
        for tag in sorted(used.keys() - known):
            yield f"the program uses the tag `{tag}`, which the model {model.name} does not mention"
