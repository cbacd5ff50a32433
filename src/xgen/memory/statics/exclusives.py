"""Models under which a pair of exclusive accesses with nothing between is an update (lowering/pairs.py says why).

They have to say that no other thread writes between the two, and that the accesses to each location are in one order
that respects each thread. That is not found out of their forms; these are the shipped ones that do.
"""

from __future__ import annotations

from xgen.memory.algebra import Model
from xgen.memory.library import load_model

SHOWN = {"arm": False, "arm8": True, "power": False, "riscv": True}
"""The models; whether those that may fail are taken as updates, too. Where threads run ahead, it is decided of these
whether they fail before they read, which leads to more graphs; of these two models it can be found out whether they
have to (in_order.py)."""


def are_updates(model: Model) -> bool:
    """Whether the model is one of those."""
    return model.name in SHOWN and load_model(model.name).constraints == model.constraints


def may_fail(model: Model) -> bool:
    """Whether pairs that may only read are updates under one of those, too."""
    return SHOWN[model.name]
