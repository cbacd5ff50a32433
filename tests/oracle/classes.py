"""Classes of executions: those with the same events and the same reads-from, as the oracle partitions what it finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import xgen
from oracle.against import LIMIT, expected_executions
from oracle.compare import compare_counts, describe, key_of_execution, report
from oracle.enumerate import Execution
from oracle.programs import Program
from oracle.strategies import Features
from xgen.memory.algebra import Model

SHOWN = 2
"""How many classes of each kind a report shows."""


def without_faults(features: Features) -> Features:
    """The features without what threads that run ahead of their reads do not find at the same place."""
    return replace(features, faults=0)


def class_of(execution: Execution) -> Execution:
    """What is the same for all executions of a class."""
    return execution._replace(mo=frozenset())


def difference_of_classes(
    program: Program, model: Model, max_depth: int | None = None, limit: int | None = LIMIT, workers: int = 1
) -> str | None:
    """None where xgen visits the oracle's classes, each once, and counts its executions rightly, else a report.

    What is kept of a class are executions that the oracle has as well, each once. Final states are counted as they are
    where each execution is visited.
    """
    expected = list(expected_executions(program, model, max_depth, limit))
    parsed = xgen.parse(str(program), "xcfa")
    many = len(expected) * 2 + 10
    result = xgen.check(
        parsed,
        model,
        all_states=True,
        max_depth=max_depth,
        unroll=True,
        trace_limit=many,
        classes="rf",
        workers=workers,
    )
    lines: list[str] = []
    wanted = {class_of(execution) for execution in expected}
    seen = {class_of(execution.seen_from_outside()) for execution in expected}
    found = Counter(key_of_execution(trace) for trace in result.traces)
    got = {class_of(execution) for execution in found}
    for title, classes in (("missing", seen - got), ("extra", got - seen)):
        if classes:
            lines.append(f"{title} classes: {len(classes)}")
            lines += [f"  {line}" for one in sorted(classes, key=str)[:SHOWN] for line in describe(one)]
    if result.classes != len(wanted):
        lines.append(f"{result.classes} classes instead of {len(wanted)}")
    left = found - Counter(execution.seen_from_outside() for execution in expected)
    if left:
        lines.append("no executions, or kept twice:")
        lines += [f"  {line}" for one in sorted(left, key=str)[:SHOWN] for line in describe(one)]
    if not result.counted:
        lines.append("the executions were not counted")
    each = xgen.check(parsed, model, all_states=True, max_depth=max_depth, unroll=True, trace_limit=0)
    if list(result.outcomes) != list(each.outcomes) or result.flags != each.flags:
        lines.append(f"other outcomes or flags: {list(result.outcomes)} {result.flags}")
        lines.append(f"              instead of {list(each.outcomes)} {each.flags}")
    return report(program, model, "\n".join(lines) or None, max_depth) or compare_counts(
        program, model, result, expected
    )
