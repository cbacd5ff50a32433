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

PTX sees nothing either where somebody reads from u and makes nothing of it, if all accesses to the cell by different
threads are strong and in each other's scope. Then they are all morally strong: no write is between w and u in coherence
order, so that from-reads get no new pair; observation leads from w to who reads from u by way of u; and w does not come
behind that one in causality order, or it would be before itself. Nor is there a new cycle of dependencies, if none
starts at who reads. Without u less is ordered, so that no race is lost; and there was none at the cell.

HIP sees nothing either, on the same conditions. What reads from u reads from w in the same release sequences, which go
on through updates, so that it synchronises with no more than before; w was before it in coherence order by way of u,
and from-reads get no new pair, since nothing is between w and u; so there is none in happens-before, nor in the order
of seq_cst operations, which is made of these. No constraint speaks of dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from xgen.lowering.code import EventClass
from xgen.memory.algebra import Condition, Model
from xgen.memory.library import load_model
from xgen.records import dataclass

SHOWN = ("sc", "tso", "pso", "ra", "rc11", "rc11-c20", "weak", "weak-a9", "nofence")
_OF_C = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}


@dataclass(frozen=True)
class _Words:
    """What strong accesses bear: an order of their kind, one of the scopes, the smallest first, of which the last one
    is of all threads, and all of `needed`."""

    orders: Mapping[str, set[str]]
    scopes: tuple[str, ...]
    needed: frozenset[str] = frozenset()

    @property
    def plain(self) -> set[str]:
        """The tags that are not of groups of threads."""
        return {*self.scopes, *self.needed, "exclusive", *_OF_C}


_WORDS = {
    ("ptx", "cuda"): _Words(
        {"R": {"relaxed", "acquire"}, "W": {"relaxed", "release"}, "F": set()},
        ("cta", "cluster", "gpu", "sys"),
        frozenset(("generic", "address.own")),
    ),
    ("hip",): _Words({"R": _OF_C, "W": _OF_C, "F": set()}, ("workgroup", "agent", "system")),
}
"""The models with scopes of which it was shown, with the words of their accesses."""


@lru_cache(64)
def leaves_out_updates(model: Model) -> bool:
    """Whether it is one of those, whatever it is called, so that nobody sees such updates."""
    return is_one_of(model, SHOWN)


@lru_cache(64)
def leaves_out_strong(model: Model, sorts: frozenset[EventClass]) -> bool:
    """Whether it is PTX or HIP, and all accesses to a cell are morally strong which are of these classes."""
    return any(_are_strong(words, sorts) and is_one_of(model, models) for models, words in _WORDS.items())


def _are_strong(words: _Words, sorts: frozenset[EventClass]) -> bool:
    return all(_is_strong(words, a) and all(_reaches(words, a, b) for b in sorts) for a in sorts)


def _is_strong(words: _Words, sort: EventClass) -> bool:
    """Whether it is an access with an order and a scope, in the generic way, with one name for its place."""
    groups = {tag.partition(".")[0] for tag in sort.tags - words.plain}
    return bool(sort.tags & words.orders[sort.kind]) and words.needed <= sort.tags and groups <= {*words.scopes}


def _reaches(words: _Words, one: EventClass, other: EventClass) -> bool:
    """Whether the scope of an access has the other one's thread in it."""
    if words.scopes[-1] in one.tags:
        return True
    shared = {tag.partition(".")[0] for tag in one.tags & other.tags - words.plain}
    return any(scope in one.tags and scope in shared for scope in words.scopes)


@lru_cache(64)
def is_one_of(model: Model, names: tuple[str, ...]) -> bool:
    """Whether a model says the same as one of these, whatever it is called."""
    return _conditions(model) in _shown(names)


@lru_cache(5)
def _shown(names: tuple[str, ...]) -> frozenset[frozenset[tuple[bool, Condition]]]:
    return frozenset(_conditions(load_model(name)) for name in names)


def _conditions(model: Model) -> frozenset[tuple[bool, Condition]]:
    return frozenset((constraint.flag, constraint.condition) for constraint in model.constraints)
