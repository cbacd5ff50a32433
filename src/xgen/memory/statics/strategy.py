"""How executions are generated for a model, and which of its constraints are checked on the way.

There are two explorations. One revisits (src/core/search/explore.hpp): it is the faster one, but complete only for what
makes po | rf acyclic, and can check a constraint on the way only if it is extensible. In the other one threads run
ahead of their reads (src/core/search/resolve.hpp): it is complete for every model, and can check every constraint on
the way of which violations are permanent.

Neither has to check that nothing comes between the read and the write of an update that is one instruction: both put
the write right after what the read reads from, and nothing in between later. So a constraint that says no more than
this is left out, unless the program has pairs of exclusive accesses, which are updates as well.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from xgen.memory.algebra import Condition, Junction, Model, Op, Term, operands
from xgen.records import dataclass

if TYPE_CHECKING:
    from xgen.memory.statics.polarity import Growth

NOT_EXTENSIBLE = (
    "it can forbid every way on from some execution (it is not extensible), so that checking it on the way could lose "
    "executions"
)


@dataclass(frozen=True)
class Strategy:
    """Whether threads run `ahead` of their reads, and which constraints are checked `at_end` only, with the reason.

    What `holds` in all graphs that the exploration builds need not be checked at all. `coherent`: the model has
    coherence per location.
    """

    ahead: bool
    at_end: dict[int, str] = field(default_factory=dict)
    holds: frozenset[int] = frozenset()
    coherent: bool = False


@lru_cache(64)
def choose_strategy(
    model: Model, updates: bool, exclusives: bool, classes: bool = False, parts: bool = False, in_order: bool = False
) -> Strategy:
    """The exploration that checks most of a model's constraints on the way; revisits are preferred.

    `updates`: the program has read-modify-writes; `exclusives`: it has exclusive accesses. `classes` are explored
    instead of executions, which only threads that run ahead do. `parts`: some accesses have several parts; of reads of
    these the exploration that revisits would lose some, since one part alone is not always free to read the last write.
    `in_order`: of the executions without load buffering alone, for a model that was shown to be extensible.
    """
    # These are long to import, and what is chosen is remembered.
    from xgen.memory.statics.base_order import coherent, load_buffering
    from xgen.memory.statics.polarity import Growth, extensible, violations_permanent

    names = {definition.term: definition.name for definition in model.definitions}
    atomic = () if exclusives else (n for n, c in enumerate(model.constraints) if forbids_intervening(c.condition))
    holds = frozenset(atomic)

    def at_end(growth: Growth) -> dict[int, str]:
        reasons = {}
        for number, constraint in enumerate(model.constraints):
            if constraint.flag or number in holds:
                continue
            permanent, reason = violations_permanent(constraint.condition, names, growth)
            if not permanent:
                reasons[number] = reason
            elif growth is Growth.AT_ENDS and not in_order and not extensible(constraint.condition):
                reasons[number] = NOT_EXTENSIBLE
        return reasons

    ahead = Growth.AHEAD_WITH_UPDATES if updates else Growth.AHEAD
    if in_order:
        return Strategy(False, at_end(Growth.AT_ENDS), holds, coherent(model))
    if classes or parts or load_buffering(model)[0]:
        return Strategy(True, at_end(ahead), holds, coherent(model))
    revisiting = Strategy(False, at_end(Growth.AT_ENDS), holds, coherent(model))
    if not revisiting.at_end:
        return revisiting
    running_ahead = Strategy(True, at_end(ahead), holds, coherent(model))
    return running_ahead if len(running_ahead.at_end) < len(revisiting.at_end) else revisiting


def forbids_intervening(condition: Condition) -> bool:
    """Whether the condition says at most that nothing comes between the read and the write of an update.

    It is that `rmw & (fr ; mo)` is empty, or what has fewer pairs by its form: `rmw & ((fr & ext) ; (mo & ext))`.
    """
    if isinstance(condition, Junction):
        return condition.mode == "and" and all(map(forbids_intervening, condition.parts))
    if condition.property != "empty" or condition.negated or condition.binders:
        return False
    parts = operands(condition.term, Op.INTERSECT)
    return any(map(_within_rmw, parts)) and any(map(_intervening, parts))


def _within_rmw(relation: Term) -> bool:
    """Whether the form of a relation shows that it is within rmw."""
    return _is_part(relation, {Term(Op.RMW)})


def _intervening(relation: Term) -> bool:
    """Whether the form of a relation shows that it is within fr ; mo."""
    if relation.op is not Op.SEQUENCE:
        return False
    first, second = relation.args
    if first.op is Op.IDENTITY:
        return _intervening(second)
    if second.op is Op.IDENTITY:
        return _intervening(first)
    return _is_part(first, {Term(Op.FR)}) and _is_part(second, {Term(Op.MO)})


def _is_part(relation: Term, wholes: set[Term]) -> bool:
    """Whether a relation is one of these, or what intersections, differences and `[S] ;` leave of it."""
    work = [relation]
    while work:
        part = work.pop()
        if part in wholes:
            return True
        if part.op is Op.INTERSECT:
            work += part.args
        elif part.op is Op.DIFFERENCE:
            work.append(part.args[0])
        elif part.op is Op.SEQUENCE:
            first, second = part.args
            work += [second] if first.op is Op.IDENTITY else [first] if second.op is Op.IDENTITY else []
    return False
