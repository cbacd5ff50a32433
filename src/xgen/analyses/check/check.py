"""Safety: can a program reach an error location, violate an assertion, overflow or divide by zero?"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xgen.analyses.check.case import Case
from xgen.analyses.check.coverage import coverage_of, not_come_to
from xgen.analyses.check.portfolio import expected_seconds
from xgen.analyses.check.properties import answered
from xgen.analyses.check.question import Question, by_options
from xgen.analyses.check.strategies import strategy
from xgen.analyses.check.weaken import see_orders, weaken
from xgen.analyses.missing import with_missing
from xgen.analyses.warnings import notes
from xgen.clock import Clock
from xgen.engine.graphs.diagnosis import blocked, noted
from xgen.engine.graphs.fair_extension import ROUNDS, can_go_on
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.graphs.run import executions as run_executions
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import Problem, problem
from xgen.errors import listed
from xgen.executions.execution import Execution
from xgen.executions.result import Result, Verdict
from xgen.executions.weakened import Weakened
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import load_buffering
from xgen.program.automaton import Program

if TYPE_CHECKING:
    from xgen.engine.graphs.estimate import Estimate


@by_options(Question)
def check(program: Program, model: Model, question: Question) -> Result:
    """Explores the executions of a program that a memory model allows, and looks for violations.

    What is asked is said by keywords, as in `check(program, model, max_depth=8, liveness=True)`: they are the fields of
    `Question`, which says what each means, and which exclude each other.

    Raises UsageError for options that make no sense, UnsupportedError for programs that cannot be run yet, LimitError
    where a limit of the engine is exceeded.
    """
    if question.weaken:
        see_orders(program)
    case = Case(program, model, question, clock := Clock(question.timeout))
    explored = strategy(question)(case)
    result = result_of(explored.problem, explored.options, explored.found, clock.seconds)
    warnings = [*explored.warnings, *result.warnings]
    for part, own in explored.parts:  # what a component does not come to is told component by component
        found = explored.found
        own = replace(own, witness=found.witness, stopped=found.stopped, cut=found.cut)
        told = (*_unreached(part, explored.options, own), *_noted(part, own))
        warnings += [note for note in told if note not in warnings]
    witness = None if result.witness is None else with_missing(result.witness, explored.problem.model)
    coverage = coverage_of(case) if question.coverage else None
    weakened: tuple[Weakened, ...] | None = () if question.weaken else None
    if question.weaken and result.verdict in ("safe", "safe-within-bound"):
        weakened = weaken(case, result.explored)
    result = replace(
        result,
        **explored.told,
        warnings=tuple(warnings),
        witness=witness,
        coverage=coverage,
        weakened=weakened,
        seconds=clock.seconds,
    )
    return result if program.asked is None else replace(answered(result, case), seconds=clock.seconds)


def estimate(
    program: Program, model: Model, *, max_depth: int | None = None, unroll: bool = False, seconds: float = 2.0
) -> Estimate:
    """Estimates how many executions a check of everything is going to meet, and how long it takes; see `Estimate`.

    `seconds` is how long that may take. The other options are those of `check`. Raises UnsupportedError and LimitError.
    """
    from xgen.engine.graphs.estimate import estimate as engine_estimate

    each = problem(program, model, parts=True)
    found = engine_estimate(each, max_depth=max_depth, unroll=unroll, seconds=seconds)
    if found.exact:
        return found
    options = Options(max_depth, unroll=unroll)
    ways = expected_seconds(each, problem(program, model, classes=True, parts=True), options)
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
    counters: Mapping[str, Any] = found.counters
    return Result(
        program=Path(problem.code.source.name).name,
        model=problem.asked.name,
        verdict=verdict,
        demoted=problem.demoted(options.filter),
        **counters,
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
        headers=problem.program.headers,
        ignored=problem.program.ignored,
        warnings=(
            *_warnings(problem, found),
            *_uncertified(problem, options),
            *found.cuts,
            *_blocked(problem, options, found),
            *_unreached(problem, options, found),
            *_noted(problem, found),
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
    """What no execution comes to, if all were explored; what threads see does not tell that."""
    if found.stopped or (found.witness is not None and not options.all_states):
        return
    if problem.classes and options.partition == "seen":
        return
    left = list(not_come_to(problem, found, ()))
    if left and problem.classes and options.symmetry and problem.requirement is None:
        left = list(not_come_to(problem, found, symmetries_of(problem, options.max_depth).groups))
    yield from left


def _noted(problem: Problem, found: Found) -> Iterator[str]:
    """That the program ends with an error, where that is no violation."""
    places = [f"line {p.line} (`{' '.join(text.split())}`)" for p, text in noted(problem.code, found.reached).items()]
    if places:
        yield (
            f"note: the program ends with an error at {listed(places, 'or')}, which is no violation here: "
            "`--check exit` makes it one"
        )


def nothing_found(program: str, model: str, max_depth: int | None, seconds: float) -> Result:
    """The result of a check whose time was over before there was anything to explore."""
    why = "the time was over before the program and the model were read and prepared"
    return Result(
        program=program,
        model=model,
        verdict="interrupted",
        outcomes_complete=False,
        max_depth=max_depth,
        seconds=seconds,
        peak_kib=peak_kib(),
        stopped="timeout",
        warnings=(why,),
    )


def executions(
    program: Program,
    model: Model,
    *,
    max_depth: int | None = None,
    unroll: bool = False,
    dependencies: bool = False,
    complete: bool = False,
) -> Iterator[Execution]:
    """The consistent executions of a program, one after the other as they are found.

    Executions with a blocked thread, or with one that the bound stopped, are among them: `Execution.ends` tells.
    `complete`: there are none of these.
    """
    options = Options(
        max_depth, all_states=True, unroll=unroll, trace_limit=256, stream=True, dependencies=dependencies
    )
    return run_executions(problem(program, model, parts=True), options, complete)


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
