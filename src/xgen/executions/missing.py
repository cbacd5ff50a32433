"""What a data race lacks: which orders of accesses would put one of its two events before the other."""

from __future__ import annotations

from typing import Literal

from xgen.records import dataclass

Trial = Literal["safe", "safe-within-bound", "others", "acq_rel", "seq_cst", "violation"]
"""What checks say. With the missing orders the program is "safe", or within the bound; or it is not, and is safe with
acquire and release at all atomic accesses ("others"), or not even then ("acq_rel"), or not even with seq_cst at all of
them ("seq_cst"); "violation": it is not, and more is not known."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The cheapest way from one event of a race to the other, and the orders that it lacks.

    model   the name of the model that says so
    path    ids of events: from the first of the two, by way of each write (or fence) that hands over and the read (or
            fence) that takes it, to the second; () where there is no way: neither thread has read what the other wrote
    orders  of each access that is too weak: its id, and the order that it should have
    trial   what checks say of the program with these orders, or stronger ones; None: it was not asked, or is not soon
            known
    left    what goes wrong in it with these orders, if anything does
    """

    model: str
    path: tuple[str, ...]
    orders: tuple[tuple[str, str], ...] = ()
    trial: Trial | None = None
    left: str | None = None
