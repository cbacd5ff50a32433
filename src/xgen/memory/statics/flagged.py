"""Which accesses a model's flags may tell of, by their kinds and tags.

That is found out of flags that have the form of a data race: the relation that is to be empty is of pairs of accesses
to one location, or to one allocated object, and what events that are there have of it never changes as an execution
grows. Of the pairs it is found out, by the form of the relation, between which sorts of events there can be one.
Whatever is not found out in this way may tell of all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from xgen.lowering.code import EventClass
from xgen.memory.algebra import Check, Condition, Model, Op, Term
from xgen.memory.statics.decided import DECIDED, is_in
from xgen.memory.statics.polarity import settled, within


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
    if not allocated and within(term, {Op.OBJ})[term]:
        return False
    return not within(term, {Op.LOC})[term] or any(_are_related(term, a, b) is not False for a in sorts for b in sorts)


def _are_related(relation: Term, a: EventClass, b: EventClass) -> bool | None:
    """Whether each event of one class is related to each of another, or none; None: that is not plain from the form."""

    def known(part: Term) -> bool | None:
        if part.op is Op.CROSS:
            sources, targets = part.args
            return _all_of(_has(sources, a), _has(targets, b))
        return False if part.op is Op.EMPTY_RELATION else None

    return _combined(relation, known)


def _has(events: Term, c: EventClass) -> bool | None:
    """Whether a set has all events of a class, or none; None: that is not plain from the form."""
    return _combined(events, lambda part: is_in(c, part) if part.op in DECIDED else None)


def _combined(term: Term, known: Callable[[Term], bool | None]) -> bool | None:
    """What is known of a term by what is known of the terms that union, intersection and difference make it of."""
    if term.op not in (Op.UNION, Op.INTERSECT, Op.DIFFERENCE):
        return known(term)
    a, b = (_combined(part, known) for part in term.args)
    if term.op is Op.UNION:
        return _not(_all_of(_not(a), _not(b)))
    return _all_of(a, b if term.op is Op.INTERSECT else _not(b))


def _all_of(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a
