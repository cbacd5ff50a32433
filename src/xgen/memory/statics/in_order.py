"""What a model has in order of each thread, where the argument about load buffering is made for it.

Of models that allow load buffering, a program that has none can be explored by revisits, which are faster. They look
for a write that a read before it might read from (src/core/search/explore_order_impl.hpp), so that something has to be
known of how the model orders what a thread does: docs/explorer.md has the argument, and what it takes of a model. That
is not found out of its form; these are the shipped models of which it was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from xgen.lowering.code import EventClass
from xgen.memory.algebra import DEPENDENCIES, Check, Model, Op, Term, operands
from xgen.memory.library import load_model
from xgen.memory.statics.decided import DECIDED, is_in

SHOWN = {"arm8": "external", "riscv": "global_order"}
"""The models, each with its constraint that orders events for all threads at once."""

_STATIC = {
    Op.PO, Op.RMW, Op.LOC, Op.INT, Op.ID, Op.IDENTITY, Op.CROSS, Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.SEQUENCE,
    Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.TAGGED, Op.EMPTY_SET, Op.EMPTY_RELATION, *DEPENDENCIES,
}  # fmt: skip
"""What a thread's way decides, whatever is read."""
_ACCESSES = (EventClass("R"), EventClass("W"))
_WITHIN = {Op.PO, Op.RMW, *DEPENDENCIES}


def is_shown(model: Model) -> bool:
    """Whether the model is one of those."""
    return model.name in SHOWN and load_model(model.name).constraints == model.constraints


@lru_cache(64)
def order_of_threads(model: Model, shown: str) -> tuple[Term, ...]:
    """Relations within program order that a model orders events by, whatever is read. It is `shown`, made ready."""
    constraint = next(c for c in model.constraints if c.name == SHOWN[shown])
    assert isinstance(constraint.condition, Check)
    return tuple(part for part in _parts(constraint.condition.term) if _is_static(part))


@lru_cache(1024)
def orders_all_after(model: Model, shown: str, kind: EventClass) -> bool:
    """Whether the form of that constraint shows that events of a class come before all that follows them."""
    parts = order_of_threads(model, shown)
    return all(any(_has_all(part, kind, end) for part in parts) for end in _ACCESSES)


@lru_cache(1024)
def is_ordered(model: Model, shown: str, source: EventClass, target: EventClass) -> bool:
    """Whether the form of that constraint shows that events of a class come before later ones of another."""
    return any(_has_all(part, source, target) for part in order_of_threads(model, shown))


@lru_cache(1024)
def is_full(model: Model, shown: str, kind: EventClass) -> bool:
    """Whether events of a class are fences that come, by that form, after all before them and before all after them."""
    parts = order_of_threads(model, shown)
    before = all(any(_has_all(part, end, kind) for part in parts) for end in _ACCESSES)
    return kind.kind == "F" and before and orders_all_after(model, shown, kind)


def _parts(relation: Term) -> Iterator[Term]:
    """Relations that a relation's form shows to be in it."""
    for part in operands(relation, Op.UNION):
        if part.op is Op.SEQUENCE and part.args[0].op in (Op.OPTIONAL, Op.STAR):
            yield from _parts(part.args[1])
        elif part.op is Op.SEQUENCE and part.args[1].op in (Op.OPTIONAL, Op.STAR):
            yield from _parts(part.args[0])
        elif part.op is Op.DIFFERENCE and part.args[0].op is Op.UNION:
            yield from (Term(Op.DIFFERENCE, (each, part.args[1])) for each in _parts(part.args[0]))
        else:
            yield part


def _is_static(relation: Term) -> bool:
    return all(part.op in _STATIC for part in relation.subterms()) and _is_within(relation)


def _is_within(relation: Term) -> bool:
    """Whether a static relation is within program order."""
    if relation.op is Op.INTERSECT:
        return any(map(_is_within, relation.args))
    if relation.op is Op.DIFFERENCE:
        return _is_within(relation.args[0])
    if relation.op is Op.SEQUENCE:
        return all(part.op is Op.IDENTITY or _is_within(part) for part in relation.args)
    return relation.op in _WITHIN or (relation.op is Op.UNION and all(map(_is_within, relation.args)))


def _has_all(relation: Term, source: EventClass, target: EventClass) -> bool:
    """Whether a relation has all of po from events of a class to those of another, by its form."""
    if relation.op is Op.SEQUENCE and relation.args[0].op is Op.IDENTITY:
        first, rest = relation.args
        return _has(first.args[0], source) is True and _has_all(rest, source, target)
    if relation.op is Op.SEQUENCE and relation.args[1].op is Op.IDENTITY:
        rest, last = relation.args
        return _has(last.args[0], target) is True and _has_all(rest, source, target)
    if relation.op is Op.INTERSECT:
        return all(_has_all(part, source, target) for part in relation.args)
    if relation.op is Op.DIFFERENCE and _is_update(relation.args[1]):  # which is in order by itself
        return _has_all(relation.args[0], source, target)
    if relation.op is Op.CROSS:
        return _has(relation.args[0], source) is True and _has(relation.args[1], target) is True
    return relation.op is Op.PO


def _is_update(relation: Term) -> bool:
    """Whether a relation is within rmw, by its form."""
    if relation.op is Op.INTERSECT:
        return any(map(_is_update, relation.args))
    if relation.op is Op.SEQUENCE:
        return all(part.op is Op.IDENTITY or _is_update(part) for part in relation.args)
    return relation.op is Op.RMW


def _has(events: Term, kind: EventClass) -> bool | None:
    """Whether events of a class are in a set, or none is; None: its form does not say."""
    if events.op in DECIDED:
        return is_in(kind, events)
    if events.op not in (Op.UNION, Op.INTERSECT, Op.DIFFERENCE):
        return None
    first, second = (_has(part, kind) for part in events.args)
    if events.op is Op.UNION:
        return True if first or second else None if None in (first, second) else False
    if events.op is Op.DIFFERENCE:
        second = None if second is None else not second
    return False if False in (first, second) else None if None in (first, second) else True
