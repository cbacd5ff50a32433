"""Which lines executions come to; and what none does that a test is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xgen._core import Op
from xgen.analyses.check.case import Case
from xgen.clock import GRACE
from xgen.engine.graphs.diagnosis import accesses, unreached
from xgen.engine.graphs.found import Found
from xgen.engine.graphs.visited import visited
from xgen.engine.problem import Problem
from xgen.errors import Position, Source
from xgen.executions.coverage import Coverage, Line, Why
from xgen.records import replace

FOLDED = {
    "__xgen_assert": "assertion",
    "__VERIFIER_assert": "assertion",
    "__VERIFIER_error": "assertion",
    "reach_error": "assertion",
    "free": "free",
    "pthread_mutex_unlock": "unlock",
    "pthread_rwlock_unlock": "unlock",
    "mtx_unlock": "unlock",
}
"""What calls of C are to which a test is to come."""


def coverage_of(case: Case, interrupted: bool) -> Coverage:
    """The lines of a program, as far as its executions come to them, and as far as the time goes: little is left where
    the check was `interrupted`."""
    left = GRACE / 2 if interrupted else case.clock.left()
    problem, options = case.each, replace(case.question, classes="off", workers=1).options(left)
    code, source = problem.code, problem.code.source
    asserts = [pc for pc, i in enumerate(code.instructions) if i.op is Op.ASSERT and not i.c]
    asserts = [] if problem.program.tested else asserts
    seen = visited(problem, options)
    come_to = {code.sites[pc].position for pc in seen.pcs if pc >= 0}
    come_to |= {code.sites[pc].position for pc in asserts} - unreached(code, seen.reached).keys()
    lines: dict[tuple[str, int], Why | None] = {}
    for position in (code.sites[pc].position for pc in (*accesses(code), *asserts)):
        lines.setdefault(_line(source, position), "never")
    for position, _ in problem.program.folded:
        lines.setdefault(_line(source, position), "folded")
    for position in come_to:
        lines[_line(source, position)] = None
    texts = {(position.source or source).name: position.source or source for position in _places(problem)}
    found = (
        Line(file, number, texts[file].line(number).strip(), why)
        for (file, number), why in sorted(lines.items())
        if number > 0
    )
    return Coverage(tuple(found), seen.complete, seen.cut)


def _places(problem: Problem) -> Iterator[Position]:
    yield Position(1, 1)
    yield from (site.position for site in problem.code.sites)
    yield from (position for position, _ in problem.program.folded)


def _line(source: Source, position: Position) -> tuple[str, int]:
    return position.spot(source)[:2]


def not_come_to(problem: Problem, found: Found, identical: Sequence[Sequence[int]]) -> Iterator[str]:
    """Assertions that no execution comes to, and what constants have taken away: assertions, unlocks and frees.

    `identical`: groups of threads of which one was explored for the others, too.
    """
    code = problem.code
    where = "execution within the bound" if found.cut else "execution"
    left = {} if problem.program.tested else unreached(code, found.reached, identical)
    for position, text in left.items():
        yield f"note: no {where} comes to the assertion at {position.line_text(code.source)} ({_quoted(text)})"
    said = {_line(code.source, site.position) for site in code.sites}
    for position, name in dict.fromkeys(problem.program.folded):
        if name in FOLDED and _line(code.source, position) not in said:
            text = (position.source or code.source).line(position.line)
            place = f"the {FOLDED[name]} at {position.line_text(code.source)} ({_quoted(text)})"
            yield f"note: nothing comes to {place}: what decides that never changes"


def _quoted(text: str) -> str:
    return f"`{' '.join(text.split())}`"
