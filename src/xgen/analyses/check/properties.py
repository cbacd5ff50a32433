"""Properties of SV-COMP: which violations are about them, and what a result says of them."""

from __future__ import annotations

from xgen.analyses.check.case import Case
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import executions
from xgen.executions.answer import Answer
from xgen.executions.execution import Execution, ViolationKind
from xgen.executions.result import Result
from xgen.program.automaton import Program
from xgen.records import replace

_DEREF: frozenset[ViolationKind] = frozenset(["bad-address", "out-of-bounds", "use-after-free"])
_FREE: frozenset[ViolationKind] = frozenset(["double-free", "bad-free"])
KINDS: dict[str, frozenset[ViolationKind]] = {
    "unreach-call": frozenset(["assertion"]),
    "no-data-race": frozenset(["race"]),
    "no-overflow": frozenset(["overflow"]),
    "valid-memsafety": _DEREF | _FREE,
    "valid-deref": _DEREF,
    "valid-free": _FREE,
}
"""The violations that make a property false."""
_NO_MATTER: frozenset[ViolationKind] = frozenset(["deadlock", "await", "livelock"])
"""Violations after which nothing else can go wrong that did not before: the program stands still."""


def answered(result: Result, case: Case) -> Result:
    """The result with what it says of the program's property, if it has one.

    Where what was found is about something else, executions are looked at one by one, as long as there is time: one
    that violates the property, and does nothing else that leaves it without a meaning, makes it false. Deadlocks alone
    leave it true.
    """
    program, asked = case.program, case.program.asked
    if asked is None:
        return result
    known = Answer("unknown", asked.name, asked.expected)
    wanted = KINDS[asked.name]
    if result.verdict == "violation" and result.witness is not None:
        if _is_about(result.witness, wanted):
            return replace(result, answer=replace(known, says="false"))
        first = result.witness.violations[0].kind if result.witness.violations else "unmet"
        others, found = _others(case, wanted)
        if found is not None:
            return replace(result, witness=found, answer=replace(known, says="false"))
        if others is None or others - _NO_MATTER or case.question.max_depth is not None or result.cut:
            return replace(result, answer=replace(known, why=f"what goes wrong is something else ({first})"))
    elif result.verdict != "safe" or not result.exhaustive:
        return replace(result, answer=known)
    return _true(result, program, known)


def answered_by_sat(result: Result, program: Program) -> Result:
    """The same of what a solver says of the program. Where what it has found is about something else, it does not
    look further."""
    asked = program.asked
    if asked is None:
        return result
    known = Answer("unknown", asked.name, asked.expected)
    if result.witness is not None:
        if _is_about(result.witness, KINDS[asked.name]):
            return replace(result, answer=replace(known, says="false"))
        kind = result.witness.violations[0].kind
        return replace(result, answer=replace(known, why=f"what goes wrong is something else ({kind})"))
    if result.verdict != "safe" or not result.exhaustive:
        return replace(result, answer=known)
    return _true(result, program, known)


def _true(result: Result, program: Program, known: Answer) -> Result:
    """What is said where nothing goes wrong that is about the property."""
    why = None if known.about is None else _not_all(program, known.about)
    if why is not None:
        return replace(result, answer=replace(known, why=why))
    only = "nothing goes wrong but deadlocks" if result.verdict == "violation" else None
    return replace(result, answer=replace(known, says="true", why=only))


def _is_about(execution: Execution, wanted: frozenset[ViolationKind]) -> bool:
    kinds = {violation.kind for violation in execution.violations}
    return bool(kinds & wanted) and kinds <= wanted | _NO_MATTER


def _others(case: Case, wanted: frozenset[ViolationKind]) -> tuple[frozenset[str] | None, Execution | None]:
    """What goes wrong in all executions (None: there was not the time to look at all), or one that is about the
    property."""
    question, kinds = case.question, set[str]()
    options = Options(question.max_depth, all_states=True, unroll=question.unroll, trace_limit=256, stream=True)
    for execution in executions(case.each, options):
        if _is_about(execution, wanted):
            return None, execution
        if "bounded" in execution.ends or case.clock.over():
            return None, None
        kinds.update(violation.kind for violation in execution.violations)
    return frozenset(kinds), None


def _not_all(program: Program, name: str) -> str | None:
    """Why a program in which nothing goes wrong may violate a property."""
    assert program.asked is not None
    if program.asked.partial:
        return "only some values were looked at of unknown numbers (--nondet, --stub)"
    if name == "valid-memsafety" and any(variable.object is not None for variable in program.variables):
        return "memory that is allocated and never freed is not looked for"
    return None
