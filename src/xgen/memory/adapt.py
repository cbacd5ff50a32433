"""What a program's exclusive accesses and atomic blocks ask of executions, in the terms of a memory model.

The pairs of exclusive accesses are atomic, also under models that say nothing of them, such as sc and tso.

An atomic block is to be one event for all that is outside of it. So every order in which events have to fit needs a
place for the block as a whole: a relation that the model wants acyclic has to stay acyclic when the events of each
block are contracted to one. And whatever the model says, no event of another thread is between two events of a block as
far as reads-from, modification order and from-reads tell. (Strong isolation and transaction order, with `stronglift`:
N. Chong, T. Sorensen, J. Wickerson, The Semantics of Transactions and Weak Memory in x86, Power, ARM, and C++, PLDI
2018.)
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from xgen.errors import Position, Source
from xgen.memory.algebra import Check, Condition, Constraint, Junction, Model, Op, Term
from xgen.memory.mcm import read_model
from xgen.memory.statics.vocabulary import terms_of

AT_END = "atomic blocks are looked at when they are whole"
_BLOCK = Term(Op.BLOCK)
_COMMUNICATION = Term(Op.UNION, (Term(Op.UNION, (Term(Op.RF), Term(Op.MO))), Term(Op.FR)))


ATOMIC = """
intervening = rmw(A[exclusive] -> A[exclusive]) & ((fr & ext) ; (mo & ext))
intervening empty as atomic_exclusives "nobody writes between an exclusive load and the store that pairs with it"
"""
"""What every architecture that has exclusive accesses promises."""


@lru_cache(64)
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


@lru_cache(64)
def with_atomic_blocks(model: Model) -> Model:
    """The model with constraints behind its own that hold where the atomic blocks of a program are isolated.

    Of `irreflexive` and `empty`, only `irreflexive` of a closure is an order; the others are as they were.
    """
    isolation = Check("acyclic", lifted(_COMMUNICATION))
    added = [
        Constraint("atomic_blocks", isolation, Position(1, 1), "nothing comes between the events of an atomic block")
    ]
    for constraint in model.constraints:
        condition = None if constraint.flag else _lifted_condition(constraint.condition)
        if condition is not None:
            name = f"{constraint.name}_of_atomic_blocks"
            added.append(replace(constraint, name=name, condition=condition))
    return replace(model, constraints=(*model.constraints, *added))


def lifted(relation: Term) -> Term:
    """Where there is a pair between two blocks, or a block and an event outside, all their events are related."""
    outside = Term(Op.DIFFERENCE, (relation, _BLOCK))
    ends = Term(Op.OPTIONAL, (_BLOCK,))
    return Term(Op.SEQUENCE, (Term(Op.SEQUENCE, (ends, outside)), ends))


def _lifted_condition(condition: Condition) -> Condition | None:
    """The condition with its acyclic relations lifted; None where there is none."""
    if isinstance(condition, Junction):
        parts = [_lifted_condition(part) for part in condition.parts]
        if condition.mode == "or":  # one of them holds, as it is and lifted
            both = [
                part if also is None else Junction("and", (part, also))
                for part, also in zip(condition.parts, parts, strict=True)
            ]
            return Junction("or", tuple(both)) if any(parts) else None
        found = tuple(part for part in parts if part is not None)
        return Junction("and", found) if found else None
    if condition.negated:
        return None
    if condition.property == "acyclic":
        return replace(condition, term=lifted(condition.term))
    if condition.property == "irreflexive" and condition.term.op is Op.PLUS:
        return replace(condition, property="acyclic", term=lifted(condition.term.args[0]))
    return None
