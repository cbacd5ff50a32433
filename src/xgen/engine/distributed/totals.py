"""What slices have found together: what it begins with, and how it is written down, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xgen import _core
from xgen.engine.graphs.diagnosis import cut_by_depth
from xgen.engine.problem import Problem


def nothing(problem: Problem) -> _core.Findings:
    """What was found of a problem before anything was."""
    found = _core.Findings(len(problem.final_values))
    found.flags = [0] * len(problem.model.constraints)
    return found


def outgrown(problem: Problem, found: _core.Findings) -> bool:
    """Whether the bound on events has cut anything."""
    return bool(cut_by_depth(problem.code, found.cuts))


def facts_of(found: _core.Findings) -> dict[str, Any]:
    """All that was found but the final states, as JSON has it."""
    fields = ((name, getattr(found, name)) for name in _core.FINDINGS)
    return {"counters": found.counters} | {name: sorted(v) if isinstance(v, set) else v for name, v in fields}


def restored(problem: Problem, facts: Mapping[str, Any]) -> _core.Findings:
    """The same again. Raises ValueError, TypeError and LookupError where these are no such facts."""
    found = nothing(problem)
    flags = len(found.flags)
    found.counters = facts["counters"]
    for name in _core.FINDINGS:
        value = facts[name]
        setattr(found, name, set(value) if isinstance(getattr(found, name), set) else value)
    if len(found.flags) != flags:
        raise ValueError("the flags are those of another model")
    return found
