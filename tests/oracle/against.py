"""The one place where the oracle meets xgen: the same program through both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import xgen
from oracle.compare import compare_counts, differences, key_of_execution, report
from oracle.enumerate import Execution, executions
from oracle.evaluate import terms_of
from oracle.programs import Program
from oracle.strategies import Features
from xgen.memory.algebra import Model, Op
from xgen.memory.statics.base_order import goes_on_unaddressed, load_buffering
from xgen.memory.statics.strategy import choose_strategy

Filter = Literal["in-situ", "final"]
LIMIT = 4000
"""Programs with more candidate executions than this are left out: they would take too long here."""


def shipped_models() -> list[str]:
    """The names of the models under mcm/ that are written in xgen's own language."""
    root = Path(__file__).parents[2] / "mcm"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.mcm"))


def expected_executions(
    program: Program, model: Model, max_depth: int | None = None, limit: int | None = LIMIT
) -> Iterator[Execution]:
    """What xgen has to find.

    That is every execution without a cycle in program order and reads-from where xgen says that the model makes sure
    of that (which is tested elsewhere); else every one without a cycle in dependencies and reads-from. What follows an
    access depends on its address, unless xgen says that the model thinks otherwise (likewise).
    """
    unaddressed = goes_on_unaddressed(model)
    return executions(program, model, max_depth, load_buffering(model)[0], limit, unaddressed)


def features_for(model: Model, features: Features) -> Features:
    """The features without faults where dependencies matter: a fault decides on the way, but is no dependency.

    Where threads run ahead of their reads, what follows a fault may be there before it is known to be one.
    """
    terms = [term for constraint in model.constraints for term in terms_of(constraint.condition)]
    depends = any(term.op in (Op.ADDR, Op.DATA, Op.CTRL) for term in terms)
    ahead = any(choose_strategy(model, updates, False).ahead for updates in (False, True))
    return replace(features, faults=0) if depends or ahead else features


def difference(
    program: Program,
    model: Model,
    max_depth: int | None = None,
    limit: int | None = LIMIT,
    filter: Filter = "in-situ",
    expected: list[Execution] | None = None,
) -> str | None:
    """None where xgen finds the executions of the oracle and counts them rightly, else a report.

    Both ways to get executions from xgen are tried: those that a check keeps, and those that come one by one. Each
    round of a loop that only waits is explored, as the oracle does. `expected` is what the oracle finds, where it was
    asked already.
    """
    if expected is None:
        expected = list(expected_executions(program, model, max_depth, limit))
    parsed = xgen.parse(str(program), "xcfa")
    many = len(expected) * 2 + 10
    result = xgen.check(
        parsed, model, all_states=True, max_depth=max_depth, filter=filter, unroll=True, trace_limit=many
    )
    different = differences(expected, map(key_of_execution, result.traces))
    if different is None and filter == "in-situ":
        streamed = xgen.executions(parsed, model, max_depth=max_depth, unroll=True)
        different = differences(expected, map(key_of_execution, streamed))
    if different is not None:
        return report(program, model, different, max_depth)
    return compare_counts(program, model, result, expected)
