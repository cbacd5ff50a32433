"""Whether what goes wrong where two functions are taken as a lock (`--lock`) does so with what they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xgen
from xgen.clock import Clock, OutOfTime, time_limit
from xgen.errors import XgenError
from xgen.executions.result import Result
from xgen.records import replace

SECONDS = 10.0
"""How long it is looked for."""
_SAME = ("max_depth", "unroll", "liveness", "schedule", "accept")
"""What of a question means the same of the program without the option. How its executions are explored is free."""


def replayed(
    result: Result,
    path: Path,
    model: xgen.Model,
    asked: Mapping[str, Any],
    c_options: Mapping[str, Any],
    clock: Clock,
) -> Result:
    """The result of a check with `--lock`; where something goes wrong, with a note that says whether it does without.

    A lock that acquires and releases orders less than many others, so that with the functions themselves, what it
    allows may be forbidden.
    """
    if result.witness is None or not result.witness.violations or c_options.get("lock") is None:
        return result
    left = clock.left()
    seconds = SECONDS if left is None else min(SECONDS, left)
    try:
        with time_limit(seconds):
            real = xgen.load(path, **{**c_options, "lock": None})
        found = xgen.check(real, model, **{name: asked[name] for name in _SAME if name in asked}, timeout=seconds)
        note = _note(result, found)
    except (XgenError, OutOfTime, KeyboardInterrupt):
        note = _UNKNOWN
    return replace(result, warnings=(*result.warnings, f"note: {note}"))


_UNKNOWN = "whether it goes wrong without --lock is not known: a lock may allow more than the functions do"


def _note(result: Result, found: Result) -> str:
    assert result.witness is not None
    (first, *_) = result.witness.violations
    if found.witness is not None and found.witness.violations:
        (other, *_) = found.witness.violations
        if (first.kind, first.position) == (other.kind, other.position):
            return "the same goes wrong without --lock"
        return f"without --lock, a check finds {other.kind} first, at {other.position.text(found.witness.source)}"
    if found.verdict in ("safe", "safe-within-bound"):
        bound = "" if found.verdict == "safe" else " within the bound"
        return f"nothing goes wrong{bound} without --lock: a lock allows more than the functions do"
    return "without --lock, no execution completes" if found.verdict == "vacuous" else _UNKNOWN
