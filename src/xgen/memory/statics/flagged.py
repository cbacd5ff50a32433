"""Which accesses a model's flags may tell of, by their kinds and tags.

That is found out of flags that have the form of a data race: the relation that is to be empty is of pairs of accesses
to one location, or to one allocated object, and what events that are there have of it never changes as an execution
grows. Of the pairs it is found out, by the form of the relation, between which sorts of events there can be one.
Whatever is not found out in this way may tell of all.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from xgen.lowering.code import EventClass
from xgen.memory.algebra import Check, Condition, Model, Op, Term, operands
from xgen.memory.statics.decided import DECIDED, is_in
from xgen.memory.statics.polarity import settled


@lru_cache(1024)
def may_be_flagged(model: Model, sorts: frozenset[EventClass], allocated: bool) -> bool:
    """Whether a flag may tell of an access to a cell that is accessed by events of these sorts only.

    `allocated`: the cell is part of an allocated object, so that flags may tell of it and of the object's end.
    """
    flags = (constraint.condition for constraint in model.constraints if constraint.flag)
    return any(_tells(condition, sorts, allocated) for condition in flags)


def _tells(condition: Condition, sorts: Collection[EventClass], allocated: bool) -> bool:
    if not isinstance(condition, Check) or condition.negated or condition.binders or condition.property != "empty":
        return True
    term = condition.term
    if not settled(term):
        return True
    if not allocated and _is_of(term, Op.OBJ):
        return False
    return not _is_of(term, Op.LOC) or any(_may_relate(term, a, b) for a in sorts for b in sorts)


def _is_of(relation: Term, op: Op) -> bool:
    """Whether the form of a relation shows that it is within loc, or obj."""
    if relation.op is Op.UNION:
        return all(_is_of(part, op) for part in operands(relation, Op.UNION))
    if relation.op is Op.INTERSECT:
        return any(_is_of(part, op) for part in operands(relation, Op.INTERSECT))
    return relation.op is op or (relation.op is Op.DIFFERENCE and _is_of(relation.args[0], op))


def _may_relate(relation: Term, a: EventClass, b: EventClass) -> bool:
    """Whether an event of one sort may be related to one of another, as far as the form tells."""
    match relation.op, relation.args:
        case Op.UNION, parts:
            return any(_may_relate(part, a, b) for part in parts)
        case Op.INTERSECT, parts:
            return all(_may_relate(part, a, b) for part in parts)
        case Op.DIFFERENCE, (left, right):
            return _may_relate(left, a, b) and not _relates(right, a, b)
        case Op.CROSS, (sources, targets):
            return _may_have(sources, a) and _may_have(targets, b)
    return relation.op is not Op.EMPTY_RELATION


def _relates(relation: Term, a: EventClass, b: EventClass) -> bool:
    """Whether each event of one sort is related to each of another."""
    match relation.op, relation.args:
        case Op.UNION, parts:
            return any(_relates(part, a, b) for part in parts)
        case Op.INTERSECT, parts:
            return all(_relates(part, a, b) for part in parts)
        case Op.CROSS, (sources, targets):
            return _has(sources, a) and _has(targets, b)
    return False


def _may_have(events: Term, sort: EventClass) -> bool:
    match events.op, events.args:
        case Op.UNION, parts:
            return any(_may_have(part, sort) for part in parts)
        case Op.INTERSECT, parts:
            return all(_may_have(part, sort) for part in parts)
        case Op.DIFFERENCE, (left, right):
            return _may_have(left, sort) and not _has(right, sort)
    return events.op not in DECIDED or is_in(sort, events)


def _has(events: Term, sort: EventClass) -> bool:
    match events.op, events.args:
        case Op.UNION, parts:
            return any(_has(part, sort) for part in parts)
        case Op.INTERSECT, parts:
            return all(_has(part, sort) for part in parts)
        case Op.DIFFERENCE, (left, right):
            return _has(left, sort) and not _may_have(right, sort)
    return events.op in DECIDED and is_in(sort, events)
