"""Which orders of C a memory model knows: those of accesses, fences and mutexes of programs in C, C++ and Rust."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from xgen.memory.adapt import families
from xgen.memory.algebra import Model
from xgen.memory.statics.base_order import orders_all
from xgen.memory.statics.vocabulary import known_tags, mentioned_for, orders_any_fence
from xgen.tags import BY_NAME, names

ORDERS = (*names("C", order=True), "lock", "unlock")
_AS: dict[str, Literal["acquire", "release"]] = {
    "consume": "acquire",
    "acquire": "acquire",
    "lock": "acquire",
    "release": "release",
    "unlock": "release",
}
"""What an order asks for, of the two of which all are made but seq_cst."""


@lru_cache(512)
def knows(model: Model, order: str, kind: str) -> bool:
    """Whether events of a kind ("R", "W", "F") with an order of C mean under the model what C asks for.

    So says its text: it expects the order, or speaks of such events with it; or it orders all events as much as that.
    A fence that is seq_cst may be any that it does not name. To models of another language (they know `once`) and to
    those of GPUs (which ask for groups of threads), events of C are events that bear no order.
    """
    known = known_tags(model)
    if families(model) or ("once" in known and "relaxed" not in known):
        return False
    if order == "relaxed" or kind not in BY_NAME[order].kinds:
        return True
    if order in (model.tags or ()) or mentioned_for(model, order, kind):
        return True
    if order == "seq_cst":
        return orders_all(model, "seq_cst") or (kind == "F" and orders_any_fence(model))
    asked = {"R": "acquire", "W": "release"} if order == "acq_rel" else dict.fromkeys("RWF", _AS[order])
    wanted = ("acquire", "release") if kind == "F" else (asked[kind],)
    return all(orders_all(model, each) for each in wanted)  # type: ignore[arg-type]
