"""The sets of events that are told by an event's kind and tags."""

from __future__ import annotations

from xgen.lowering.code import INITIAL_WRITE, EventClass
from xgen.memory.algebra import Op, Term

_KINDS = {Op.READS: "R", Op.WRITES: "W", Op.FENCES: "F"}
DECIDED = frozenset({Op.EVENTS, Op.INITS, Op.TAGGED, Op.EMPTY_SET, *_KINDS})
"""The operators of those that are not made of others."""


def is_in(c: EventClass, term: Term) -> bool:
    """Whether the events of a class are in a set that is DECIDED."""
    if term.op in _KINDS:
        return c.kind == _KINDS[term.op]
    if term.op is Op.INITS:
        return c == INITIAL_WRITE
    return term.op is Op.EVENTS or (term.op is Op.TAGGED and term.name in c.tags)
