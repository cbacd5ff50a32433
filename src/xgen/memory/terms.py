"""Making terms of the algebra, with the simplifications that later steps profit from.

They are equalities: what is empty by its form goes away, `rf^-1 ; mo` is written FR, `[S] ; [T]` is `[S & T]`. So that
base order, polarity and plans see the usual forms however a model has put them. The terms of .cat are made in this way
from the start; those of .mcm are kept as they are written, and brought to this form where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, reduce

from xgen.memory.algebra import Condition, Junction, Kind, Model, Op, Term, operands
from xgen.memory.base_relations import BASE_RELATIONS, OF_OP
from xgen.records import replace

EVENTS, READS, WRITES, FENCES, INITS = (Term(op) for op in (Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS))
NO_EVENTS, NO_PAIRS = Term(Op.EMPTY_SET), Term(Op.EMPTY_RELATION)
PO, RF, MO, FR, LOC, INT, EXT, ID, RMW, SI = (
    Term(op) for op in (Op.PO, Op.RF, Op.MO, Op.FR, Op.LOC, Op.INT, Op.EXT, Op.ID, Op.RMW, Op.SI)
)
_READ_FROM = Term(Op.INVERSE, (RF,))
_DISJOINT = {
    frozenset(pair) for pair in ((READS, WRITES), (READS, FENCES), (WRITES, FENCES), (READS, INITS), (FENCES, INITS))
}
EMPTY = {Kind.SET: NO_EVENTS, Kind.RELATION: NO_PAIRS}


def is_empty(term: Term) -> bool:
    """Whether the term is empty by its form."""
    return term.op in (Op.EMPTY_SET, Op.EMPTY_RELATION)


def tagged(*names: str) -> Term:
    """The events that bear one of the tags."""
    return union(Term(Op.TAGGED, name=name) for name in names)


def union(terms: Iterable[Term]) -> Term:
    """Of terms of one kind, at least one."""
    given = list(terms)
    solid = list(dict.fromkeys(term for term in given if not is_empty(term)))
    return reduce(lambda a, b: Term(Op.UNION, (a, b)), solid) if solid else given[0]


def parts_of_union(term: Term) -> list[Term]:
    """The terms of which it is the union, from left to right."""
    return operands(term, Op.UNION)


def intersection(a: Term, b: Term) -> Term:
    if is_empty(a) or is_empty(b):
        return EMPTY[a.kind]
    if a is b or b is EVENTS:
        return a
    if frozenset((a, b)) in _DISJOINT:
        return NO_EVENTS
    if a in parts_of_union(b) or b in parts_of_union(a):
        return a if a in parts_of_union(b) else b
    return b if a is EVENTS else Term(Op.INTERSECT, (a, b))


def difference(a: Term, b: Term) -> Term:
    if is_empty(a) or is_empty(b):
        return a
    if a is b:
        return EMPTY[a.kind]
    if a is FR and b is ID:  # no event is both a read and a write
        return FR
    if a.op is Op.OPTIONAL and a.args[0] is SI and b is ID:  # which is irreflexive
        return SI
    return Term(Op.DIFFERENCE, (a, b))


def sequence(a: Term, b: Term) -> Term:
    if is_empty(a) or is_empty(b):
        return NO_PAIRS
    if a is ID or b is ID:
        return b if a is ID else a
    if a.op is Op.IDENTITY and b.op is Op.IDENTITY:
        return identity(intersection(a.args[0], b.args[0]))
    if a is _READ_FROM and b is MO:
        return FR
    if a.op is Op.IDENTITY and _between(b, a.args[0], 0):
        return b
    if b.op is Op.IDENTITY and _between(a, b.args[0], 1):
        return a
    return Term(Op.SEQUENCE, (a, b))


_SET_OF = {"read": READS, "write": WRITES}
_ENDS = {
    Term(relation.op): [_SET_OF[end] for end in relation.ends]
    for relation in BASE_RELATIONS
    if _SET_OF.keys() >= {*relation.ends}
}


def _between(relation: Term, events: Term, end: int) -> bool:
    """Whether the forms show that all sources (end 0) or targets (1) of the relation are in the set."""
    has = parts_of_union(events)

    def inside(part: Term) -> bool:
        if part.op is Op.INTERSECT:
            return any(map(inside, part.args))
        return part in _ENDS and _ENDS[part][end] in has

    return all(map(inside, parts_of_union(relation)))


def inverse(a: Term) -> Term:
    if a.op is Op.INVERSE:
        return a.args[0]
    symmetric = a.op in (Op.EMPTY_RELATION, Op.IDENTITY) or (a.op in OF_OP and OF_OP[a.op].symmetric)
    if a.op is Op.SAME:
        return same(*reversed(families_of(a)))
    return a if symmetric else Term(Op.INVERSE, (a,))


def plus(a: Term) -> Term:
    if a.op is Op.OPTIONAL:
        return star(a.args[0])
    closed = a.op in (Op.EMPTY_RELATION, Op.ID, Op.IDENTITY, Op.PLUS, Op.STAR)
    return a if closed else Term(Op.PLUS, (a,))


def optional(a: Term) -> Term:
    if is_empty(a) or a is ID:
        return ID
    return star(a.args[0]) if a.op is Op.PLUS else a if a.op in (Op.OPTIONAL, Op.STAR) else Term(Op.OPTIONAL, (a,))


def star(a: Term) -> Term:
    if is_empty(a) or a is ID:
        return ID
    return a if a.op is Op.STAR else star(a.args[0]) if a.op in (Op.PLUS, Op.OPTIONAL) else Term(Op.STAR, (a,))


def product(a: Term, b: Term) -> Term:
    return NO_PAIRS if is_empty(a) or is_empty(b) else Term(Op.CROSS, (a, b))


def same(family: str, other: str | None = None) -> Term:
    """The pairs of events that bear a same tag of the family; or the first one of it, the second one of another."""
    return Term(Op.SAME, name=family if other in (None, family) else f"{family}, {other}")


def families_of(term: Term) -> tuple[str, str]:
    """The families of a SAME: that of the first event's tag, and that of the second one's."""
    first, _, second = term.name.partition(", ")
    return first, second or first


def identity(a: Term) -> Term:
    if is_empty(a):
        return NO_PAIRS
    return ID if a is EVENTS else Term(Op.IDENTITY, (a,))


def domain(a: Term) -> Term:
    return NO_EVENTS if is_empty(a) else Term(Op.DOMAIN, (a,))


def range_(a: Term) -> Term:
    return NO_EVENTS if is_empty(a) else Term(Op.RANGE, (a,))


_MAKE: Mapping[Op, Callable[..., Term]] = {
    Op.UNION: lambda a, b: union((a, b)),
    Op.INTERSECT: intersection,
    Op.DIFFERENCE: difference,
    Op.SEQUENCE: sequence,
    Op.INVERSE: inverse,
    Op.PLUS: plus,
    Op.STAR: star,
    Op.OPTIONAL: optional,
    Op.DOMAIN: domain,
    Op.RANGE: range_,
    Op.CROSS: product,
    Op.IDENTITY: identity,
}


# ---- terms that are there


@lru_cache(64)
def normalised(model: Model) -> Model:
    """The model with its terms in the usual forms."""
    return _rewritten(model, {})


@lru_cache(64)
def of_whole_accesses(model: Model) -> Model:
    """The same where no access has several parts: `si` relates each event to itself only."""
    return _rewritten(model, {SI: NO_PAIRS})


def _rewritten(model: Model, known: dict[Term, Term]) -> Model:
    constraints = (replace(c, condition=_normal_condition(c.condition, known)) for c in model.constraints)
    definitions = (replace(d, term=normal(d.term, known)) for d in model.definitions)
    return replace(model, constraints=tuple(constraints), definitions=tuple(definitions))


def normal(term: Term, known: dict[Term, Term]) -> Term:
    """The term in the usual form; `known` has that of terms, and gets that of this one's subterms."""
    for part in term.subterms(known):
        args = tuple(known[argument] for argument in part.args)
        known[part] = _MAKE[part.op](*args) if part.op in _MAKE else Term(part.op, args, part.name)
    return known[term]


def _normal_condition(condition: Condition, known: dict[Term, Term]) -> Condition:
    if isinstance(condition, Junction):
        return replace(condition, parts=tuple(_normal_condition(part, known) for part in condition.parts))
    binders = (replace(b, domain=b.domain and normal(b.domain, known)) for b in condition.binders)
    return replace(condition, term=normal(condition.term, known), binders=tuple(binders))
