"""Where the data races are that a model flags, of a program that has a meaning all the same: parts of the kernel."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.analyses.check.case import LOOKED_AT, Case
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions
from xgen.engine.problem import Problem, problem
from xgen.errors import XgenError
from xgen.executions.execution import Execution
from xgen.executions.result import Result
from xgen.memory.adapt import EXCLUSIVE, of_races, with_races
from xgen.memory.undefined import undefined_behaviour
from xgen.records import replace

TOLD = 8
"""So many races are told."""


def races(case: Case, result: Result, explored: Problem) -> Iterator[str]:
    """A warning for each pair of places that race, of those that the first executions show.

    These are the ones that `result` has kept. Where it has stopped at a violation, all are explored once more.
    """
    flagged = any(of_races(constraint) and constraint.name in result.flags for constraint in case.model.constraints)
    if not case.tells_races or not flagged or case.clock.over():
        return
    seen: dict[str, None] = {}
    try:
        for number, execution in enumerate(_executions(case, result, explored)):
            seen.update(dict.fromkeys(_in(execution)))
            if number >= LOOKED_AT or len(seen) >= TOLD or case.clock.over():
                break
    except XgenError:  # which `result` tells of
        return
    yield from seen


def _executions(case: Case, result: Result, explored: Problem) -> Iterator[Execution]:
    """Executions with the races in them."""
    program = replace(case.program, races=True)
    if result.verdict == "violation" or result.partition != "off" or not result.traces:
        options = Options(case.question.max_depth, all_states=True, trace_limit=256, stream=True)
        yield from executions(problem(program, case.model, parts=True), options)
        return
    model = with_races(explored.model)
    for kept in result.traces:
        found = undefined_behaviour(kept, model, program.volatile)
        yield replace(kept, violations=(*found, *kept.violations)) if found else kept


def _in(execution: Execution) -> Iterator[str]:
    """The races of an execution, in words."""
    for violation in execution.violations:
        if violation.kind == "race" and violation.flag != EXCLUSIVE:
            places = [event.position.text(execution.source) for event in execution.parties(violation) if event.position]
            yield f"{violation.message}: {' and '.join(places)}"
