"""How executions are generated for a model, and which of its constraints are checked on the way.

There are two explorations. One revisits (src/core/explore.hpp): it is the faster one, but complete only for what makes
po | rf acyclic, and can check a constraint on the way only if it is extensible. In the other one threads run ahead of
their reads (src/core/resolve.hpp): it is complete for every model, and can check every constraint on the way of which
violations are permanent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xgen.memory.algebra import Model
from xgen.memory.base_order import load_buffering
from xgen.memory.polarity import Growth, extensible, violations_permanent
from xgen.memory.remember import remembered

NOT_EXTENSIBLE = (
    "it can forbid every way on from some execution (it is not extensible), so that checking it on the way could lose "
    "executions"
)


@dataclass(frozen=True)
class Strategy:
    """Whether threads run `ahead` of their reads, and which constraints are checked `at_end` only, with the reason."""

    ahead: bool
    at_end: dict[int, str] = field(default_factory=dict)


@remembered(64)
def choose_strategy(model: Model, updates: bool) -> Strategy:
    """The exploration that checks most of a model's constraints on the way; revisits are preferred.

    `updates`: the program has read-modify-writes.
    """
    names = {definition.term: definition.name for definition in model.definitions}

    def at_end(growth: Growth) -> dict[int, str]:
        reasons = {}
        for number, constraint in enumerate(model.constraints):
            if constraint.flag:
                continue
            permanent, reason = violations_permanent(constraint.condition, names, growth)
            if not permanent:
                reasons[number] = reason
            elif growth is Growth.AT_ENDS and not extensible(constraint.condition):
                reasons[number] = NOT_EXTENSIBLE
        return reasons

    ahead = Growth.AHEAD_WITH_UPDATES if updates else Growth.AHEAD
    if load_buffering(model)[0]:
        return Strategy(True, at_end(ahead))
    revisiting = Strategy(False, at_end(Growth.AT_ENDS))
    if not revisiting.at_end:
        return revisiting
    running_ahead = Strategy(True, at_end(ahead))
    return running_ahead if len(running_ahead.at_end) < len(revisiting.at_end) else revisiting
