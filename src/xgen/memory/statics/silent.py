"""Whether a model sees that updates are left out which give back what they have taken.

A thread that tries an update again until it reads another value waits, and its rounds are left out
(src/core/search/threads_waiting_impl.hpp). Let u be such an update, which reads from a write w and writes the same
value. Without it, whoever has read from u reads from w. All other pairs of relations that stay are those that there
were before; so the only thing to show is that a model forbids nothing for the new pairs of reads-from. It does if it
orders w before u, and u before its readers, and has that in all that reading from w gives; or lets reads-from go on
through updates, as release sequences do. Where only what a write itself releases is acquired, it does not: who reads
from u has seen nothing, and who reads from w has seen all that came before w.

That is not found out by the form of a model; these are the shipped ones of which it was shown (docs/explorer.md),
none of which has load buffering or speaks of dependencies. Under others such rounds are left out only where nobody
makes anything of what they write (lowering/analysis/spinning.py).
"""

from __future__ import annotations

from functools import lru_cache

from xgen.memory.algebra import Condition, Model
from xgen.memory.library import load_model

SHOWN = ("sc", "tso", "pso", "ra", "rc11", "rc11-c20", "weak", "weak-a9", "nofence")


@lru_cache(64)
def leaves_out_updates(model: Model) -> bool:
    """Whether it is one of those, whatever it is called, so that nobody sees such updates."""
    return _conditions(model) in _shown()


@lru_cache(1)
def _shown() -> frozenset[frozenset[tuple[bool, Condition]]]:
    return frozenset(_conditions(load_model(name)) for name in SHOWN)


def _conditions(model: Model) -> frozenset[tuple[bool, Condition]]:
    return frozenset((constraint.flag, constraint.condition) for constraint in model.constraints)
