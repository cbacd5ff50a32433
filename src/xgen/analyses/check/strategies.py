"""The ways to explore a program for an answer: one of these functions explores what is asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING, Any

from xgen._core import RmwKind
from xgen.analyses.check.case import Case
from xgen.analyses.check.portfolio import explored_in_turns
from xgen.analyses.check.question import Question
from xgen.engine.graphs.deepening import grows
from xgen.engine.graphs.found import Found, found_by
from xgen.engine.graphs.intervals import LOSSES, Interval
from xgen.engine.graphs.lazy_cells import explored
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import BY_READS_FROM, Run, executions
from xgen.engine.problem import Problem
from xgen.errors import LimitError, UsageError, listed
from xgen.records import dataclass, replace

if TYPE_CHECKING:
    from xgen.analyses.check.independent import Product


@dataclass(frozen=True)
class Exploration:
    """What was explored, how, and what was found.

    parts     of the program, with what was found in each, if they were explored one by one
    told      further fields of the result
    warnings  what the user should know of the way it was explored
    """

    problem: Problem
    options: Options
    found: Found
    parts: tuple[tuple[Problem, Found], ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


Strategy = Callable[[Case], Exploration]

_VERDICT = {"classes off", "workers", "timeout", "symmetry", "on_progress", "accept", "liveness"}
"""The options with which nothing but a verdict is asked."""


def strategy(question: Question) -> Strategy:
    """How a question is to be answered."""
    if question.long:
        return long
    if question.sample is not None:
        return sampled
    if question.cones:
        return in_cones
    if question.partition != "off":
        return in_classes
    return in_turns if question.in_turns else plain


def plain(case: Case) -> Exploration:
    """Executions, or classes of them, one by one."""
    asked = case.whole if case.question.cones or case.question.partition != "off" else case.lazy
    return _counting_apart(case, asked, _one_by_one) or _of(_one_by_one(case, asked))


def _one_by_one(case: Case, asked: Problem) -> Run:
    return explored(asked, _in_order(case), case.clock, case.watch)[1]


def _in_order(case: Case) -> Options:
    """The options, where it does not matter how executions are built."""
    return replace(case.options(), in_order=case.question.robust is None)


def in_turns(case: Case) -> Exploration:
    """Executions, and classes of them in turns, where all cells are there from the start."""
    asked = case.lazy
    if asked.program.absent:
        return plain(case)
    return _counting_apart(case, asked, _by_turns) or _without_warnings(_of(_by_turns(case, asked)))


def _by_turns(case: Case, asked: Problem) -> Run | Product:
    return explored_in_turns(asked, case.of_classes, _in_order(case), case.clock, case.watch)


def _without_warnings(explored: Exploration) -> Exploration:
    return replace(explored, warnings=())  # which classes they are is nothing that was asked for


def _counting_apart(
    case: Case, asked: Problem, explore: Callable[[Case, Problem], Run | Product]
) -> Exploration | None:
    """Executions up to the orders of updates that nobody sees, if there are many, and nothing is found in them that
    is to be shown."""
    counts = any(rmw.kind in (RmwKind.ADD, RmwKind.SUB) for rmw in asked.code.rmws)
    if not counts or not case.question.given() <= _VERDICT:
        return None
    from xgen.engine.counters import without_orders  # long to import, and rarely of use

    made = without_orders(asked if not asked.program.absent else case.whole)
    if made is None:
        return None
    told = (
        f"note: executions that differ in nothing but the order of updates of {listed(made[1], 'and')} are counted once"
    )
    found = replace(_of(explore(case, made[0])), warnings=(told,))
    shown = found.found.witness is not None or any(found.found.flags.values())
    return None if shown or (found.found.vacuous and not found.found.stopped) else found


def in_classes(case: Case) -> Exploration:
    """Classes of executions of each component of the program by itself, or else of the whole.

    Where a component has executions without an end, a violation of another one may be found in the whole.
    """
    from xgen.analyses.check.independent import product_of  # long to import

    run = product_of(case.whole, case.options())
    try:
        if run is not None:
            run.finish(case.question.on_progress)
    except LimitError:
        run = None
    return _of(run) if run is not None and run.exact else plain(case)


def in_cones(case: Case) -> Exploration:
    """Each cone by itself, or else the whole."""
    from xgen.analyses.check.cones import check_cones, why_not  # long to import

    asked, options = case.whole, case.options()
    reason = why_not(case.each if asked.classes else asked)
    if reason is not None:
        whole = (in_classes if asked.classes else plain)(case)
        return replace(whole, warnings=(f"the whole program was explored, not cones: {reason}", *whole.warnings))
    found, cones = check_cones(asked, case.of_classes, options, case.clock, case.question.on_progress)
    return Exploration(asked, options, found, told={"cones": cones})


def sampled(case: Case) -> Exploration:
    """Executions at random."""
    from xgen.engine.graphs.sampling import sampled as samples  # long to import

    question, options = case.question, case.options()
    assert question.sample is not None
    seed = 1 if question.seed is None else question.seed
    asked, found, drawn = samples(case.lazy, options, question.sample, seed, case.clock, question.on_progress)
    return Exploration(asked, options, found, told={"sample": drawn})


def long(case: Case) -> Exploration:
    """Parts of the exploration, by processes, and kept in a file.

    Executions that are to be kept come from another run, which ends with the last of them.
    """
    if sys.platform == "win32":
        raise UsageError("runs in parts need limits and signals of processes, which Windows does not have")
    from xgen.engine.distributed.long_run import explore  # long to import

    asked, options, how = case.whole, case.options(), case.question.spread()
    if asked.classes and options.partition != "rf" and grows(asked, options.max_depth):
        what = f"classes `{options.partition}` of a program with loops are not for long runs"
        hint = "classes `rf` are; so are these with a bound on events per thread"
        raise UsageError(what, file=asked.program.source.name, hint=hint)
    found, aside, told = explore(asked, options, how, case.clock, case.question.on_progress)
    if options.trace_limit and found.stopped is None:
        alone = executions(asked, replace(options, stream=True, timeout=case.clock.left()))
        found = replace(found, traces=tuple(islice(alone, options.trace_limit)))
    run: dict[str, str | int | float] = {
        "engine": told.engine,
        "workers": told.workers,
        "slices": told.slices,
        "deaths": told.deaths,
        "sessions": told.sessions,
        "cpu_seconds": round(told.cpu_seconds, 3),
    }
    warnings: list[str] = []
    if aside:
        warnings.append(f"{len(aside)} parts killed their workers {LOSSES} times and were left out")
    if told.gone is not None:
        goes_on = f"; `xgen resume {how.checkpoint}` goes on" if how.checkpoint is not None else ""
        warnings.append(f"{told.gone}{goes_on}")
    if told.trouble is not None:
        warnings.append(f"the checkpoint is not complete, it could not be written: {told.trouble}")
    more = {"lost_parts": tuple(map(_path, aside)), "run": run}
    return Exploration(asked, options, found, told=more, warnings=tuple(warnings))


def _of(run: Run | Product) -> Exploration:
    """What a run has found that is over."""
    warnings = (BY_READS_FROM,) if run.options.partition != run.asked.partition else ()
    if isinstance(run, Run):
        return Exploration(run.problem, run.options, found_by(run), warnings=warnings)
    found, parts = run.found(), tuple(zip(run.parts, run.each, strict=True))
    return Exploration(run.problem, run.options, found, parts, {"components": len(parts)}, warnings)


def _path(part: Interval) -> str:
    return ".".join(map(str, part.path)) + f" ({', '.join(map(str, part.rest))})"
