"""Safety: can a program reach an error location, violate an assertion, overflow or divide by zero?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xgen.analyses.check.again import LONGER, PATIENCE, raised, with_small_witness
from xgen.analyses.check.case import Case
from xgen.analyses.check.coverage import coverage_of
from xgen.analyses.check.livelocks import look_for_livelock, without_left_out
from xgen.analyses.check.portfolio import expected_seconds
from xgen.analyses.check.properties import answered
from xgen.analyses.check.question import Question, by_options
from xgen.analyses.check.races import races
from xgen.analyses.check.result import of_parts, result_of
from xgen.analyses.check.strategies import Exploration, strategy
from xgen.analyses.check.weaken import see_orders, weaken
from xgen.analyses.missing import with_missing
from xgen.clock import Clock
from xgen.engine.graphs.diagnosis import ENDLESS
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions as run_executions
from xgen.engine.problem import problem
from xgen.errors import TooLongError, XgenError
from xgen.executions.execution import Execution
from xgen.executions.result import Met, Result
from xgen.executions.weakened import Weakened
from xgen.memory.algebra import Model
from xgen.program.automaton import Accepted, Program
from xgen.records import replace
from xgen.sources import COMPILED

if TYPE_CHECKING:
    from xgen.engine.explicit.states import Order
    from xgen.engine.graphs.estimate import Estimate


FEWER = (
    "note: a test of two threads with two or three operations each has an answer sooner; `--sample 1000` looks at "
    "random executions; `xgen linearizable` makes small tests of a data structure by itself"
)
"""What is said to who has no answer, where the program is a text and no loop in it has many rounds."""
MANY = 100_000
"""Executions after which a solver is named to who has no answer."""
BY_STATES: tuple[Order, ...] = ("sc", "tso", "pso")
"""The models that `xgen ltl` knows."""


@by_options(Question)
def check(program: Program, model: Model, question: Question) -> Result:
    """Explores the executions of a program that a memory model allows, and looks for violations.

    What is asked is said by keywords, as in `check(program, model, max_depth=8, liveness=True)`: they are the fields of
    `Question`, which says what each means, and which exclude each other.

    Raises UsageError for options that make no sense, UnsupportedError for programs that cannot be run yet, LimitError
    where a limit of the engine is exceeded.
    """
    question = question.of(program)
    if question.weaken:
        see_orders(program)
    if question.engine == "sat":
        from xgen.analyses.check.satisfiability import check_by_sat  # long to import, and needs another package

        return check_by_sat(program, model, question)
    clock, accepted = Clock(question.timeout), list[Met]()
    case = Case(program, model, question, clock)
    livelock, none = look_for_livelock(case)
    if livelock is not None:
        return replace(livelock, schedule=question.schedule)
    case, explored, result, higher = _raised(case, *_explored(case))
    result = without_left_out(result) if none else result
    program = case.program
    while known := _known(program, question, result):
        accepted += known
        places = (Accepted(each.kind, each.file, each.line) for each in known)
        program = replace(program, accepted=(*program.accepted, *places))
        case = Case(program, model, question, clock)
        explored, result = _explored(case)
    witness = None if result.witness is None else with_missing(result.witness, explored.problem.model)
    coverage = coverage_of(case, result.stopped == "interrupt") if question.coverage else None
    weakened: tuple[Weakened, ...] | None = () if question.weaken else None
    if question.weaken and result.verdict in ("safe", "safe-within-bound"):
        weakened = weaken(case, result.explored, explored.options.like is not None, result.flags)
    told = (*races(case, result, explored.problem),)
    result = replace(
        result,
        **explored.told,
        traces=result.traces[: question.options(None).trace_limit] if case.tells_races else result.traces,
        warnings=(
            *explored.warnings,
            *higher,
            *_smaller(program, result),
            *of_parts(explored, result),
            *told,
            *_unmet(program, question, result),
            *_by_sat(case, result),
            *_by_states(case, result),
        ),
        witness=witness,
        coverage=coverage,
        weakened=weakened,
        accepted=tuple(accepted),
        seconds=clock.seconds,
    )
    if question.schedule != "fair":
        from xgen.analyses.check.schedules import under_schedule  # long to import, and rarely asked for

        result = under_schedule(case, result, lambda each: _explored(each)[1])
        result = replace(result, schedule=question.schedule, seconds=clock.seconds)
    return result if program.asked is None else replace(answered(result, case), seconds=clock.seconds)


def _explored(case: Case) -> tuple[Exploration, Result]:
    """What the question's way to explore finds of a case."""
    question = case.question
    try:
        explored = strategy(question)(case)
    except TooLongError as error:
        from xgen.frontends.constants import hint_for  # rarely needed

        error.hint = "; ".join(filter(None, (hint_for(case.program), error.hint)))
        raise
    if not question.long and question.sample is None:
        explored = with_small_witness(explored)
    return explored, result_of(explored.problem, explored.options, explored.found, case.clock.seconds)


def _raised(case: Case, explored: Exploration, result: Result) -> tuple[Case, Exploration, Result, tuple[str, ...]]:
    """The same with a larger bound on the rounds of loops, where the one that was given leaves no execution, and what
    is said of it. What has no answer either within the time that it is given counts as not tried."""
    question, clock = case.question, case.clock
    if question.long or question.sample is not None:
        return case, explored, result, ()
    for given, rounds, program in raised(case.program):
        if not (result.verdict == "vacuous" and result.cut) or clock.over():
            break
        left, seconds = clock.left(), PATIENCE + LONGER * clock.seconds
        seconds = seconds if left is None else min(left, seconds)
        try:
            found, other = _explored(Case(program, case.model, replace(question, timeout=seconds), Clock(seconds)))
        except TooLongError:
            break
        if other.verdict == "interrupted":
            break
        if other.verdict != "vacuous":
            told = (
                f"note: a bound of {given} on the rounds of loops lets no execution complete; "
                f"this is the answer with a bound of {rounds}"
            )
            return replace(case, program=program), found, other, (told,)
    return case, explored, result, ()


def _known(program: Program, question: Question, result: Result) -> list[Met]:
    """The accepted findings among what a run has found."""
    if question.long or result.witness is None:
        return []
    from xgen.analyses.check.accepting import met  # long to import

    return met(program, result.witness, question.accept)


def _unmet(program: Program, question: Question, result: Result) -> Iterator[str]:
    """What is said of accepted findings that were not seen."""
    if question.accept:
        from xgen.analyses.check.accepting import unmet  # long to import, and rarely asked for

        yield from unmet(program, question.accept, result)


def _smaller(program: Program, result: Result) -> list[str]:
    """What is said of the run, and what may be tried where the time was not enough: fewer rounds of a loop that has an
    end, as the text says, not a bound, within which nothing would complete."""
    if result.stopped not in ("timeout", "interrupt") or result.verdict != "interrupted":
        return [*result.warnings]
    from xgen.frontends.constants import hint_for  # rarely needed

    if (smaller := hint_for(program)) is not None:
        return [*(said.partition(f"; {ENDLESS}")[0] for said in result.warnings), f"note: {smaller}"]
    return [*result.warnings, *([FEWER] if program.source.name.endswith(COMPILED) else [])]


def _by_sat(case: Case, result: Result) -> Iterator[str]:
    """That a solver may have an answer, where an exploration had none in its time and there are many executions."""
    many = result.executions + result.blocked >= MANY
    if result.stopped in ("timeout", "interrupt") and result.verdict == "interrupted" and many:
        from xgen.engine.sat.refusals import refuse  # long to import, and rarely needed

        try:
            replace(case.question, engine="sat")
            refuse(problem(case.program, case.model, private=True))
        except XgenError:
            return
        yield "note: a solver may have an answer where there are so many executions: --engine sat (docs/sat.md)"


def _by_states(case: Case, result: Result) -> Iterator[str]:
    """That `xgen ltl` may say whether all threads end, where executions had no answer and it takes the program."""
    if result.verdict != "interrupted" or result.stopped not in ("timeout", "interrupt"):
        return
    source = case.program.source
    name = next((each for each in BY_STATES if each == case.model.name), None)
    if name is None or not case.question.liveness or not source.name.endswith(".xcfa"):
        return
    from xgen.engine.explicit.unfold import unfold  # long to import, and rarely needed
    from xgen.memory.library import load_model

    try:
        unfold(case.program, name)
    except XgenError:
        return
    if load_model(name).source.text == case.model.source.text:
        asked = f"xgen ltl {source.name} 'F ended(all)' --mcm {name}"
        yield f"note: whether all threads end in each fair run may be found out so: {asked} (docs/liveness.md)"


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
        max_depth,
        all_states=True,
        unroll=unroll,
        trace_limit=256,
        stream=True,
        dependencies=dependencies,
        stale=not complete,
    )
    return run_executions(problem(program, model, parts=True), options, complete)
