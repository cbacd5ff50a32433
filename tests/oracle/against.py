"""The one place where the oracle meets xgen: the same program through both."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import xgen
from oracle.compare import compare_counts, differences, key_of_execution, report
from oracle.enumerate import executions
from oracle.programs import Program
from xgen.memory.algebra import Model

Filter = Literal["in-situ", "final"]
LIMIT = 4000
"""Programs with more candidate executions than this are left out: they would take too long here."""


def shipped_models() -> list[str]:
    """The names of the models under mcm/ that are written in xgen's own language."""
    root = Path(__file__).parents[2] / "mcm"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.mcm"))


def difference(
    program: Program,
    model: Model,
    max_depth: int | None = None,
    limit: int | None = LIMIT,
    filter: Filter = "in-situ",
) -> str | None:
    """None where xgen finds the executions of the oracle and counts them rightly, else a report.

    Both ways to get executions from xgen are tried: those that a check keeps, and those that come one by one.
    """
    expected = list(executions(program, model, max_depth=max_depth, limit=limit))
    parsed = xgen.parse(str(program), "xcfa")
    many = len(expected) * 2 + 10
    result = xgen.check(parsed, model, all_states=True, max_depth=max_depth, filter=filter, trace_limit=many)
    different = differences(expected, map(key_of_execution, result.traces))
    if different is None and filter == "in-situ":
        streamed = xgen.executions(parsed, model, max_depth=max_depth)
        different = differences(expected, map(key_of_execution, streamed))
    if different is not None:
        return report(program, model, different, max_depth)
    return compare_counts(program, model, result, expected)
