"""Threads that undo each other's work for ever, before executions are explored, which then have no end."""

from __future__ import annotations

from pathlib import Path

from xgen.analyses.check.case import Case
from xgen.analyses.check.question import SCHEDULES
from xgen.analyses.check.result import peak_kib
from xgen.analyses.warnings import notes
from xgen.engine.orders import untranslated
from xgen.executions.result import Result, Verdict
from xgen.records import replace

_AS_WELL = {
    *("liveness", *SCHEDULES, "timeout", "memory_limit", "workers", "symmetry", "on_progress", "about"),
    *("dependencies", "trace_limit"),
}
"""Options beside which it is asked: of the last two, which pictures have, its witness has no dependencies."""


def look_for_livelock(case: Case) -> tuple[Result | None, bool]:
    """A violation by threads that go on for ever; and whether it is known that there is none, whatever was left out.

    That is not asked where all executions are to be explored, a bound ends each of them, or another question is asked.
    """
    question, program = case.question, case.program
    more = question.given() - _AS_WELL
    if not question.liveness or more or program.asked is not None or program.requirement is not None:
        return None, False
    asked = case.lazy
    from xgen.engine.explicit.turns import look_for_cycle, may_go_on  # long to import

    if not may_go_on(asked):
        return None, False
    found = look_for_cycle(asked, case.clock.left())
    if found.witness is None:
        return None, found.complete and _is_sc(case)
    violation = Result(
        program=Path(program.source.name).name,
        model=case.model.name,
        verdict="violation",
        outcomes_complete=False,
        witness=found.witness,
        violations=1,
        blocked=1,
        stuck=1,
        counted=False,
        liveness=True,
        seconds=case.clock.seconds,
        peak_kib=peak_kib(),
        headers=program.headers,
        ignored=program.ignored,
        constants=program.constants,
        map=untranslated(program),
        warnings=tuple(notes(asked)),
    )
    return violation, False


def without_left_out(result: Result) -> Result:
    """The same where it is known that the rounds which were left out come to an end."""
    verdict: Verdict = "safe-within-bound" if result.cut else "safe"
    return replace(result, left_out=(), verdict=verdict) if result.left_out else result


def _is_sc(case: Case) -> bool:
    """Whether the model allows no runs but those in which threads take turns."""
    from xgen.memory.library import load_model

    return case.model.source.text == load_model("sc").source.text
