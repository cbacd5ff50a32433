"""Kinds of fences and orders of accesses, and which of them is stronger than which."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from xgen.analyses import orders
from xgen.analyses.warnings import meaning
from xgen.errors import UsageError, nearest
from xgen.frontends.mixed_size.parts import FAILED, PART, UPDATE
from xgen.memory.algebra import Model
from xgen.memory.statics.vocabulary import known_tags, mentioned_tags
from xgen.program.automaton import Load, Rmw, Statement, Store
from xgen.program.uses import tags_of
from xgen.records import dataclass
from xgen.tags import BY_NAME, FAMILIES, TAGS

NAME = r"[A-Za-z][\w.-]*"
TAGLESS = "fence"
"""How the fence without a tag is called among the kinds."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fence, or an order: `name` is its tag ("" for no tag), `cost` what it costs, `below` the weaker ones.

    `weight` is what it costs more than all weaker ones together; it is at least 1.
    """

    name: str
    cost: int
    weight: int
    below: tuple[str, ...] = ()


ORDER_COSTS = {"relaxed": 1, "acquire": 1, "release": 1, "seq_cst": 1}
"""What each order costs more than those below it."""


def default_kinds(model: Model) -> str:
    """The kinds of fences that placements for a model are made of, as they would be written for `--kinds`.

    Those of the first family that fits, or the fence without a tag if the model orders something by it, and those tags
    of the model's own by which it does; else all that it names and orders something by.
    """
    known = known_tags(model)
    family = next((kinds for tags, kinds in FAMILIES if tags <= known), f"{TAGLESS}=1")
    own = [tag for tag in own_kinds(model) if meaning(model, (tag,))]
    if orders_nothing(model, family):
        tags = [tag for tag in mentioned_tags(model) if tag in BY_NAME and "F" in BY_NAME[tag].kinds]
        own += [tag for tag in tags if meaning(model, (tag,))]
        family = "" if own else family
    full = {tag for tag in own if "store buffering" in (meaning(model, (tag,)) or ())}
    dear = 3 if family or full != set(own) else 1
    costs = [f"{tag}={dear if tag in full else 1}" for tag in own]
    return ",".join([family] * bool(family) + costs)


def own_kinds(model: Model) -> list[str]:
    """The tags that a model names and nobody else does, which may be those of fences."""
    return [tag for tag in mentioned_tags(model) if tag not in BY_NAME and tag != TAGLESS and re.fullmatch(NAME, tag)]


def orders_nothing(model: Model, kinds: str) -> bool:
    """Whether a model, which names fences, orders nothing by any of these, as far as small programs tell."""
    named = [tag for tag in mentioned_tags(model) if tag not in BY_NAME or "F" in BY_NAME[tag].kinds]
    names = [kind.name for kind in reversed(read_kinds(kinds))]  # the strongest ones first
    return bool(named) and all(meaning(model, (name,) if name else ()) == () for name in names)


def read_kinds(text: str, own: Collection[str] = ()) -> tuple[Kind, ...]:
    """Kinds from chains of them, the weaker ones first: `lwsync=1<sync=3,isync=1`; in the order of their strength.

    A cost that is not given is one more than that of all weaker ones together. `own`: names beside those that everybody
    knows. Raises UsageError.
    """
    costs: dict[str, int | None] = {}
    under: dict[str, set[str]] = {}
    for chain in text.split(","):
        weaker = None
        for part in chain.split("<"):
            name = _name(part, text, costs, own)
            under.setdefault(name, set()).update([weaker] if weaker is not None else [])
            weaker = name
    ordered = _ordered(under, text)
    kinds: dict[str, Kind] = {}
    for name in ordered:
        below = {name_ for weaker in under[name] for name_ in (weaker, *kinds[weaker].below)}
        least = sum(kinds[weaker].weight for weaker in below)
        given = costs[name]
        cost = least + 1 if given is None else given
        if cost <= least:
            message = f"`{name}` costs {cost}, and what is weaker costs {least} already"
            raise UsageError(message, hint="a stronger kind has to cost more than all that are weaker", file=text)
        kinds[name] = Kind(name, cost, cost - least, tuple(sorted(below)))
    tagless = {TAGLESS: ""}
    return tuple(
        Kind(tagless.get(k.name, k.name), k.cost, k.weight, tuple(tagless.get(b, b) for b in k.below))
        for k in kinds.values()
    )


def _name(part: str, text: str, costs: dict[str, int | None], own: Collection[str]) -> str:
    match = re.fullmatch(rf"\s*({NAME})\s*(?:=\s*([0-9]{{1,6}})\s*)?", part)
    if match is None:
        raise UsageError(f"`{part.strip()}` is no kind of fence", hint="kinds are written lwsync=1<sync=3", file=text)
    name, cost = match[1], None if match[2] is None else int(match[2])
    if name != TAGLESS and not ("F" in BY_NAME[name].kinds if name in BY_NAME else name in own):
        known = [TAGLESS, *own, *(tag.name for tag in TAGS if "F" in tag.kinds)]
        raise UsageError(f"there is no kind of fence `{name}`", hint=nearest(name, known), file=text)
    if cost is not None and costs.get(name) not in (None, cost):
        raise UsageError(f"`{name}` has two costs, {costs[name]} and {cost}", file=text)
    costs[name] = cost if cost is not None else costs.get(name)
    return name


def _ordered(under: dict[str, set[str]], text: str) -> list[str]:
    """The names, each behind those that are weaker."""
    ordered: list[str] = []
    while len(ordered) < len(under):
        ready = [name for name in under if name not in ordered and under[name] <= set(ordered)]
        if not ready:
            raise UsageError("each of these would be weaker than itself", file=text)
        ordered += ready
    return ordered


def joined(names: Iterable[str]) -> list[str]:
    """The fences or orders that have these strengths: acquire and release are one, `acq_rel`."""
    found = list(names)
    if "acquire" in found and "release" in found:
        found = [name for name in found if name not in ("acquire", "release")] + ["acq_rel"]
    return found


# ---- orders of accesses

_CHAIN = {
    Load: ("relaxed", "acquire", "seq_cst"),
    Store: ("relaxed", "release", "seq_cst"),
    Rmw: ("relaxed", "acquire", "release", "seq_cst"),
}
_OF_PARTS = {PART, UPDATE, FAILED, "computed"}
"""What says how an access is made of its parts, and nothing of its order."""
_IMPLIED = {
    "relaxed": {"relaxed"},
    "consume": {"relaxed"},
    "acquire": {"relaxed", "acquire"},
    "release": {"relaxed", "release"},
    "acq_rel": {"relaxed", "acquire", "release"},
    "seq_cst": {"relaxed", "acquire", "release", "seq_cst"},
}


def has_orders(known: set[str]) -> bool:
    """Whether a model that speaks of these tags orders accesses in the words of C."""
    return {"acquire", "release"} <= known


def order_kinds(statement: Statement, known: set[str]) -> tuple[Kind, ...]:
    """The orders that an access could have beyond its own, of those that a model speaks of."""
    has = _IMPLIED.get(order_of(statement) or "", set())
    others = {*_orders_of(statement), *tags_of(statement)} - _IMPLIED.keys()
    if others - {"noret", *_OF_PARTS}:
        return ()  # it has an order of another kind
    chain = _CHAIN[Rmw if orders.is_of_update(statement) else type(statement)]
    left = [word for word in chain if word in known and word not in has]
    kinds: list[Kind] = []
    for word in left:
        below = tuple(k.name for k in kinds if k.name in _IMPLIED[word])
        weight = ORDER_COSTS[word]
        cost = weight + sum(ORDER_COSTS[name] for name in below)
        kinds.append(Kind(word, cost, weight, below))
    return tuple(kinds)


def stronger(statement: Statement, words: Iterable[str]) -> str:
    """The order that has these strengths and that of the access itself."""
    has = set(words) | _IMPLIED.get(order_of(statement) or "", set())
    if {"acquire", "release"} <= has and "seq_cst" not in has:
        return "acq_rel"
    return next(word for word in ("seq_cst", "acquire", "release", "relaxed") if word in has)


def order_of(statement: Statement) -> str | None:
    """The order of an access, if it has one: of an update, its own, not that of one that does not write."""
    if isinstance(statement, Rmw):
        return statement.orders[0] if statement.orders else None
    return orders.order_of(statement) if isinstance(statement, Load | Store) else None


def _orders_of(statement: Statement) -> tuple[str, ...]:
    if isinstance(statement, Rmw):
        return statement.orders
    return (statement.order,) if isinstance(statement, Load | Store) and statement.order else ()
