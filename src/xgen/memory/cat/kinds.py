"""Values of .cat that have to be a set, or have to be a relation."""

from __future__ import annotations

from xgen.errors import ModelError
from xgen.memory import terms as t
from xgen.memory.algebra import Kind, Term
from xgen.memory.cat import syntax as s
from xgen.memory.cat.values import Anything, Value, describe

EMPTY_OF = {Kind.SET: t.NO_EVENTS, Kind.RELATION: t.NO_PAIRS}
UNIVERSE_OF = {Kind.SET: t.EVENTS, Kind.RELATION: t.product(t.EVENTS, t.EVENTS)}
KIND_HINTS = {
    Kind.RELATION: "the identity on a set S is `[S]`, all its pairs are `S * S`",
    Kind.SET: "the ends of a relation r are the sets `domain(r)` and `range(r)`",
}
WANTED = {Kind.SET: "a set", Kind.RELATION: "a relation"}


def as_kind(kind: Kind, value: Value, origin: s.Origin) -> Term:
    """A value that has to be a set, or has to be a relation."""
    if isinstance(value, Anything):
        return (EMPTY_OF if value.empty else UNIVERSE_OF)[kind]
    if isinstance(value, Term) and value.kind is kind:
        return value
    hint = KIND_HINTS[kind] if isinstance(value, Term) else None
    raise ModelError(f"this is {describe(value)}, but {WANTED[kind]} is needed here", *origin, hint)
