"""What only one thread can get at: objects that it has allocated since it last told others anything.

Between the allocation and a step the thread has written to its own new objects only, and has started nobody. So no
other thread can have got an address of theirs, however addresses are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from xgen.frontends.assembly import Branch, Step
from xgen.program import automaton as xcfa
from xgen.program.automaton import Deref, IntLiteral, Place

Allocated = Mapping[str, int]
"""The cells of allocated objects, by name: the address of the object."""
_SILENT = (xcfa.Assign, xcfa.Load, xcfa.Assume, xcfa.Assert, xcfa.Bound, Branch, str)


def is_own(place: xcfa.AnyPlace, own: Allocated) -> bool:
    """Whether a place is a cell of these."""
    return isinstance(place, Place) and not place.indices and place.name.name in own


def is_plain_store(step: Step, own: Allocated) -> TypeGuard[xcfa.Store]:
    """Whether a step writes to a cell of these, and is no atomic access."""
    return isinstance(step, xcfa.Store) and step.order is None and not step.atomic and is_own(step.place, own)


def unpublished_cells(steps: Sequence[Step], places: Mapping[str, int], at: int, allocated: Allocated) -> Allocated:
    """The cells that only the thread can get at when it comes to a step. `places`: of labels.

    Each way there leads through the allocations, once.
    """
    found: set[int] = set()
    first = at
    stored: set[int] = set()
    for k in range(at - 1, -1, -1):
        step = steps[k]
        if isinstance(step, xcfa.Lifetime) and step.op == "alloc" and isinstance(step.place, Deref):
            if not isinstance(step.place.address, IntLiteral):
                break
            found.add(step.place.address.value)
            first = k
        elif is_plain_store(step, allocated):
            assert isinstance(step.place, Place)
            stored.add(allocated[step.place.name.name])
        elif not isinstance(step, _SILENT):
            break
    if not found or not stored <= found or _enters(steps, places, first, at):
        return {}
    return {name: address for name, address in allocated.items() if address in found}


def _enters(steps: Sequence[Step], places: Mapping[str, int], first: int, last: int) -> bool:
    """Whether a branch leads into the steps between two from without, or back in them or over them."""
    for k, step in enumerate(steps):
        target = places.get(step.label) if isinstance(step, Branch) else None
        if target is None:
            continue
        inside = first < target < last
        if (inside and not first < k < target) or target <= first < k:
            return True
    return False
