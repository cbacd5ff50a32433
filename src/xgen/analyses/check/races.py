"""Where the data races are that a model flags, of a program that has a meaning all the same: parts of the kernel."""

from __future__ import annotations

from collections.abc import Iterator

from xgen.analyses.check.case import Case
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions
from xgen.engine.problem import problem
from xgen.errors import XgenError
from xgen.executions.execution import Execution
from xgen.executions.result import Result
from xgen.memory.adapt import EXCLUSIVE, of_races
from xgen.records import replace
from xgen.tags import KERNEL

LOOKED_AT, TOLD = 200, 8
"""In so many executions, so many races are told."""


def races(case: Case, result: Result) -> Iterator[str]:
    """A warning for each pair of places that race, of those that the first executions show."""
    program, model = case.program, case.model
    flagged = any(of_races(constraint) and constraint.name in result.flags for constraint in model.constraints)
    if program.target != KERNEL or program.races is False or not flagged or case.clock.over():
        return
    options = Options(case.question.max_depth, all_states=True, trace_limit=256, stream=True)
    seen: dict[str, None] = {}
    try:
        asked = problem(replace(program, races=True), model, parts=True)
        for number, execution in enumerate(executions(asked, options)):
            seen.update(dict.fromkeys(_in(execution)))
            if number >= LOOKED_AT or len(seen) >= TOLD or case.clock.over():
                break
    except XgenError:  # which `result` tells of
        return
    yield from seen


def _in(execution: Execution) -> Iterator[str]:
    """The races of an execution, in words."""
    for violation in execution.violations:
        if violation.kind == "race" and violation.flag != EXCLUSIVE:
            places = [event.position.text(execution.source) for event in execution.parties(violation) if event.position]
            yield f"{violation.message}: {' and '.join(places)}"
