"""Relations of which the form shows that they have each pair both ways, as races do."""

from __future__ import annotations

from functools import lru_cache

from xgen.memory.algebra import Op, Term, operands
from xgen.memory.base_relations import BASE_RELATIONS
from xgen.memory.terms import families_of

_SYMMETRIC = {relation.op for relation in BASE_RELATIONS if relation.symmetric} | {Op.IDENTITY, Op.EMPTY_RELATION}


@lru_cache(256)  # plans for many programs ask it of one model
def is_symmetric(relation: Term) -> bool:
    """Whether the form of a relation shows that it is its own inverse."""
    known: set[Term] = set()
    for term in relation.subterms():
        op = term.op
        if op in (Op.UNION, Op.INTERSECT):
            parts = set(operands(term, op))
            good = all(part in known or _inverse(part) in parts for part in parts)
        elif op is Op.DIFFERENCE:
            good = known.issuperset(term.args)
        else:
            one_family = op is Op.SAME and len(set(families_of(term))) == 1
            good = op in _SYMMETRIC or one_family or (op is Op.CROSS and term.args[0] is term.args[1])
        if good:
            known.add(term)
    return relation in known


def _inverse(relation: Term) -> Term:
    if relation.op is Op.INVERSE:
        return relation.args[0]
    if relation.op is Op.CROSS:
        return Term(Op.CROSS, relation.args[::-1])
    return Term(Op.INVERSE, (relation,))
