"""The functions that herd gives to .cat models."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xgen.errors import ModelError, UnsupportedError
from xgen.memory import terms as t
from xgen.memory.algebra import Kind, Term
from xgen.memory.cat import syntax as s
from xgen.memory.cat.kinds import as_kind
from xgen.memory.cat.values import Orders, Primitive, Tag, Tags, Value, Values, describe
from xgen.memory.cat.world import World


def primitives(world: World) -> Iterator[Primitive]:
    """The built-in functions, in one world."""

    def of_relation(function: Callable[[Term], Term]) -> Callable[[Value, s.Origin], Value]:
        return lambda value, origin: function(as_kind(Kind.RELATION, value, origin))

    def of_nothing(name: str) -> Callable[[Value, s.Origin], Value]:
        """A function that is known where there is nothing that it could give."""

        def function(value: Value, origin: s.Origin) -> Value:
            relation = as_kind(Kind.RELATION, value, origin)
            if t.is_empty(relation):
                return relation
            raise UnsupportedError(f"herd's function `{name}` is not supported", *origin)

        return function

    def orders(value: Value, origin: s.Origin) -> Value:
        if not isinstance(value, Values) or len(value.parts) != 2:
            raise ModelError(f"a set and a relation are needed here, and this is {describe(value)}", *origin)
        events = as_kind(Kind.SET, value.parts[0], origin)
        return Orders(events, as_kind(Kind.RELATION, value.parts[1], origin))

    def coherence_orders(value: Value, origin: s.Origin) -> Value:
        return Orders(world.sets["W"], as_kind(Kind.RELATION, value, origin))

    yield Primitive("domain", of_relation(t.domain))
    yield Primitive("range", of_relation(t.range_))
    yield Primitive("generate_orders", orders)
    yield Primitive("generate_cos", coherence_orders)
    for name in ("different-values", "same-oa", "at-least-one-writable"):
        yield Primitive(name, of_nothing(name))
    for name in ("tag2events", "tag2instrs"):
        yield Primitive(name, _events_of_tag)


def _events_of_tag(value: Value, origin: s.Origin) -> Value:
    if isinstance(value, Tag):
        return t.tagged(value.name.lower())
    if isinstance(value, Tags):
        return t.tagged(*(name.lower() for name in value.names)) if value.names else t.NO_EVENTS
    raise ModelError(f"this is {describe(value)}, but a tag is needed here", *origin)
