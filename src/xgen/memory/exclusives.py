"""Exclusive accesses under models that say nothing of them, such as sc and tso."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from xgen.errors import Source
from xgen.memory.algebra import Constraint, Model, Op
from xgen.memory.facts import terms_of
from xgen.memory.mcm import read_model
from xgen.memory.remember import remembered

ATOMIC = """
intervening = rmw(A[exclusive] -> A[exclusive]) & ((fr & ext) ; (mo & ext))
intervening empty as atomic_exclusives "nobody writes between an exclusive load and the store that pairs with it"
"""
"""What every architecture that has exclusive accesses promises."""


@remembered(64)
def with_atomic_exclusives(model: Model) -> Model:
    """The model itself where it mentions `rmw`; else with the constraint that exclusive pairs are atomic.

    For programs that have exclusive accesses.
    """
    if any(part.op is Op.RMW for term in terms_of(model) for part in term.subterms()):
        return model
    return replace(model, constraints=(*model.constraints, _atomic()))


@cache
def _atomic() -> Constraint:
    return read_model(Source("", ATOMIC)).constraints[0]
