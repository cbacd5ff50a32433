"""Which base order an exploration uses: program order, or dependencies.

Executions are built along (base order u rf). With program order, that is every execution in which po u rf has no cycle;
so program order will do where the model forbids such cycles. Where it does not (it allows load buffering), the base
order is dependencies: executions in which a read depends on itself are never built.

A cycle in po u rf is one of (external rf ; po from a read to a write)^+, or lies within a thread: a read of a write
that comes later. So a model forbids them if one of its acyclic relations has all rf and all of po from reads to writes,
or if one has all external rf and those pairs of po, and another one all rf and all po of the same variable.

Relations that leave out what one instruction does (po without the read and the write of an update) will do if they have
fr: an update's write comes right after the write that its read reads, so that fr has this pair. No update reads its own
write, so that a relation of po of the same variable may leave these pairs out. No cycle leads through an initial write.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal
from weakref import WeakKeyDictionary

from xgen.memory.algebra import Check, Condition, Junction, Model, Op, Term, checks_of, operands
from xgen.memory.terms import normalised


class _Edges(enum.Enum):
    """Kinds of edges; a relation has all of a kind, or it is not known to."""

    RF = enum.auto()
    EXTERNAL_RF = enum.auto()
    READ_TO_WRITE = enum.auto()  # po from reads to writes, updates left out
    UPDATE = enum.auto()  # from the read to the write of an update that is one instruction
    SAME_VARIABLE = enum.auto()  # po & loc, initial writes and updates left out
    FR = enum.auto()
    MO = enum.auto()
    EXTERNAL_MO = enum.auto()
    WHOLE_MO = enum.auto()  # mo between threads, and from what it leads to to the other parts of the same access
    ADDRESS = enum.auto()  # addr
    TO_WRITE = enum.auto()  # po from reads and writes to writes
    AFTER_ADDRESS = enum.auto()  # of the one and the other
    READ_TO_READ = enum.auto()  # po from reads to reads
    WRITE_TO_WRITE = enum.auto()
    WRITE_TO_READ = enum.auto()


_ACCESSES = Op.LOC
"""Stands for reads and writes."""
_ENDS = {
    _Edges.RF: (Op.WRITES, Op.READS),
    _Edges.EXTERNAL_RF: (Op.WRITES, Op.READS),
    _Edges.READ_TO_WRITE: (Op.READS, Op.WRITES),
    _Edges.UPDATE: (Op.READS, Op.WRITES),
    _Edges.SAME_VARIABLE: (_ACCESSES, _ACCESSES),
    _Edges.FR: (Op.READS, Op.WRITES),
    _Edges.MO: (Op.WRITES, Op.WRITES),
    _Edges.EXTERNAL_MO: (Op.WRITES, Op.WRITES),
    _Edges.WHOLE_MO: (Op.WRITES, Op.WRITES),
    _Edges.ADDRESS: (Op.READS, _ACCESSES),
    _Edges.TO_WRITE: (_ACCESSES, Op.WRITES),
    _Edges.AFTER_ADDRESS: (Op.READS, Op.WRITES),
    _Edges.READ_TO_READ: (Op.READS, Op.READS),
    _Edges.WRITE_TO_WRITE: (Op.WRITES, Op.WRITES),
    _Edges.WRITE_TO_READ: (Op.WRITES, Op.READS),
}
_ORDERED = {_Edges.READ_TO_READ, _Edges.WRITE_TO_WRITE, _Edges.WRITE_TO_READ}
_BASE = {
    Op.RF: {_Edges.RF, _Edges.EXTERNAL_RF},
    Op.PO: {_Edges.READ_TO_WRITE, _Edges.UPDATE, _Edges.SAME_VARIABLE, _Edges.TO_WRITE, *_ORDERED},
    Op.FR: {_Edges.UPDATE, _Edges.FR},
    Op.MO: {_Edges.MO, _Edges.EXTERNAL_MO},
    Op.RMW: {_Edges.UPDATE},
    Op.LOC: {
        _Edges.RF,
        _Edges.EXTERNAL_RF,
        _Edges.UPDATE,
        _Edges.SAME_VARIABLE,
        _Edges.FR,
        _Edges.MO,
        _Edges.EXTERNAL_MO,
    },
    Op.INT: {_Edges.READ_TO_WRITE, _Edges.UPDATE, _Edges.SAME_VARIABLE, *_ORDERED},
    Op.EXT: {_Edges.EXTERNAL_RF, _Edges.EXTERNAL_MO},
    Op.ADDR: {_Edges.ADDRESS},
}
_PROGRAM_ORDER = {_Edges.READ_TO_WRITE, _Edges.UPDATE}


@lru_cache(64)
def load_buffering(model: Model) -> tuple[bool, str]:
    """Whether executions with a cycle in po u rf have to be built for the model, and why, or why not."""
    constraints = normalised(model).constraints
    relations = [(c.name, r) for c in constraints if not c.flag for r in _acyclic_relations(c.condition)]
    local = [name for name, r in relations if {_Edges.RF, _Edges.SAME_VARIABLE} <= _edges(r)]
    for name, relation in relations:
        edges = _edges(relation)
        if {_Edges.RF, *_PROGRAM_ORDER} <= edges:
            return False, f"`{name}` makes po | rf acyclic"
        if local and {_Edges.EXTERNAL_RF, *_PROGRAM_ORDER} <= edges:
            return False, f"`{name}` and `{local[0]}` make po | rf acyclic"
    return True, "no constraint is seen to make po | rf acyclic"


@lru_cache(64)
def goes_on_unaddressed(model: Model) -> bool:
    """Whether a write may come before an access that precedes it in program order has an address.

    It may not in models that say so: where `addr ; po`, or what has all of it, is a part of what they order. It may not
    in models that do not speak of addresses at all, either; that is for us to say.
    """
    if not load_buffering(model)[0]:
        return False
    edges = _all_edges(check.term for constraint in model.constraints for check in checks_of(constraint.condition))
    if Term(Op.ADDR) not in edges:
        return False
    return not any(term.op is Op.SEQUENCE and _Edges.AFTER_ADDRESS in found for term, found in edges.items())


_AROUND = {_Edges.EXTERNAL_RF, _Edges.EXTERNAL_MO, _Edges.FR, _Edges.READ_TO_WRITE}
_ASKED = {
    "acquire": _AROUND | {_Edges.READ_TO_READ},
    "release": _AROUND | {_Edges.WRITE_TO_WRITE},
    "seq_cst": _AROUND | _ORDERED,
}


def orders_all(model: Model, order: Literal["acquire", "release", "seq_cst"]) -> bool:
    """Whether the form of a constraint shows that accesses without an order have this one anyway.

    It does if an acyclic relation has rf, mo and fr between threads, and program order from all reads (acquire), to all
    writes (release), or from all to all (seq_cst): then nothing comes in between for any thread.
    """
    relations = (r for c in normalised(model).constraints if not c.flag for r in _acyclic_relations(c.condition))
    return any(_ASKED[order] <= _edges(relation) for relation in relations)


def coherent(model: Model) -> bool:
    """Whether the form of a constraint shows that po of the same variable, rf, mo and fr have no cycle.

    It does if they are in an acyclic relation. Or if po of the same variable followed by steps of rf, mo and fr never
    leads back: then no event of a variable is placed, by mo, before one that it comes after in program order, nor does
    one read from a write that it comes before.
    """
    wanted = {_Edges.RF, _Edges.MO, _Edges.FR, _Edges.SAME_VARIABLE}
    relations = (r for c in normalised(model).constraints if not c.flag for r in _acyclic_relations(c.condition))
    irreflexive = (r for c in model.constraints if not c.flag for r in _irreflexive_relations(c.condition))
    return any(wanted <= _edges(relation) for relation in relations) or any(map(_leads_back, irreflexive))


@lru_cache(64)
def writes_whole(model: Model) -> bool:
    """Whether the form of a constraint shows that two writes of several parts have the same order in each part.

    It does if an acyclic relation has all of (mo & ext) ; si?, for writes of two threads; for those of one, coherence
    shows it.
    """
    wanted = {_Edges.EXTERNAL_MO, _Edges.WHOLE_MO}
    relations = (r for c in normalised(model).constraints if not c.flag for r in _acyclic_relations(c.condition))
    return coherent(model) and any(wanted <= _edges(relation) for relation in relations)


def _leads_back(relation: Term) -> bool:
    """Whether a relation's form shows that it has all of (po & loc) ; (rf | mo | fr)^+, initial writes left out."""
    return any(
        part.op is Op.SEQUENCE
        and _Edges.SAME_VARIABLE in _edges(part.args[0])
        and part.args[1].op is Op.PLUS
        and {_Edges.RF, _Edges.MO, _Edges.FR} <= _edges(part.args[1].args[0])
        for part in operands(relation, Op.UNION)
    )


def _acyclic_relations(condition: Condition) -> Iterator[Term]:
    """The relations that the condition makes acyclic."""
    for check in _checks(condition):
        yield from _acyclic_of_check(check)


def _irreflexive_relations(condition: Condition) -> Iterator[Term]:
    """The relations that the condition makes irreflexive."""
    yield from (check.term for check in _checks(condition) if check.property in ("acyclic", "irreflexive"))


def _checks(condition: Condition) -> Iterator[Check]:
    """The checks that hold wherever the condition does."""
    if isinstance(condition, Junction):
        for part in condition.parts if condition.mode == "and" else ():
            yield from _checks(part)
    elif not condition.binders and not condition.negated:
        yield condition


def _acyclic_of_check(check: Check) -> Iterator[Term]:
    if check.property == "acyclic":
        yield check.term
    elif check.property == "irreflexive":
        yield from (part.args[0] for part in operands(check.term, Op.UNION) if part.op is Op.PLUS)


_KNOWN: WeakKeyDictionary[Term, set[_Edges]] = WeakKeyDictionary()
"""Of terms that were asked about; nobody changes these sets."""


def _edges(term: Term) -> set[_Edges]:
    """The edges that the term's form shows to be in it, in every execution."""
    for sub in term.subterms(_KNOWN):
        _KNOWN[sub] = _edges_of(sub, [_KNOWN[a] for a in sub.args])
    return _KNOWN[term]


def _all_edges(terms: Iterable[Term]) -> dict[Term, set[_Edges]]:
    """The same for some terms and all their subterms."""
    found: dict[Term, set[_Edges]] = {}
    for term in terms:
        for sub in term.subterms(found):
            if sub not in _KNOWN:
                _KNOWN[sub] = _edges_of(sub, [_KNOWN[a] for a in sub.args])
            found[sub] = _KNOWN[sub]
    return found


def _edges_of(term: Term, args: list[set[_Edges]]) -> set[_Edges]:
    if term.op is Op.UNION:
        return args[0] | args[1]
    if term.op is Op.INTERSECT:
        return args[0] & args[1]
    if term.op in (Op.PLUS, Op.STAR, Op.OPTIONAL):
        return args[0]
    if term.op is Op.FIX:  # what its body has even where the variables are empty
        return args[term.variable]
    if term.op is Op.CROSS:
        s, t = term.args
        return {kind for kind, (source, target) in _ENDS.items() if _has(s, source) and _has(t, target)}
    if term.op is Op.DIFFERENCE:
        return {kind for kind in args[0] if _misses(term.args[1], kind)}
    if term.op is Op.SEQUENCE:
        a, b = term.args
        if _are_updates(term):
            return {_Edges.UPDATE}
        found = {kind for kind in args[0] if any(_has(same, _ENDS[kind][1]) for same in _same(b))}
        found |= {kind for kind in args[1] if any(_has(same, _ENDS[kind][0]) for same in _same(a))}
        if _Edges.ADDRESS in args[0] and _Edges.TO_WRITE in args[1]:
            found.add(_Edges.AFTER_ADDRESS)
        if _Edges.EXTERNAL_MO in args[0] and any(part.op is Op.SI for part in _alternatives(b)):
            found.add(_Edges.WHOLE_MO)
        return found
    return _BASE.get(term.op, set())


def _alternatives(relation: Term) -> list[Term]:
    """Relations each of which a relation's form shows to be in it."""
    if relation.op is Op.OPTIONAL:
        return _alternatives(relation.args[0])
    return operands(relation, Op.UNION)


def _same(relation: Term) -> list[Term]:
    """Sets of events each of which a relation's form shows to be related to itself."""
    if relation.op is Op.IDENTITY:
        return [relation.args[0]]
    if relation.op is Op.UNION:
        return [*_same(relation.args[0]), *_same(relation.args[1])]
    return [Term(Op.EVENTS)] if relation.op in (Op.OPTIONAL, Op.STAR) else []


def _has(events: Term, kind: Op) -> bool:
    """Whether a set has all events of a kind, initial writes left out."""
    if kind is _ACCESSES:
        return _has(events, Op.READS) and _has(events, Op.WRITES)
    if events.op is Op.UNION:
        return any(_has(part, kind) for part in events.args)
    if events.op is Op.INTERSECT:
        return all(_has(part, kind) for part in events.args)
    if events.op is Op.DIFFERENCE:
        gone = events.args[1]
        return (gone.op is Op.INITS or _are_fences(gone)) and _has(events.args[0], kind)
    return events.op in (Op.EVENTS, kind)


def _are_fences(events: Term) -> bool:
    """Whether a set's form shows that no access is in it."""
    if events.op is Op.UNION:
        return all(map(_are_fences, events.args))
    if events.op is Op.INTERSECT:
        return any(map(_are_fences, events.args))
    return events.op is Op.FENCES


def _misses(relation: Term, kind: _Edges) -> bool:
    """Whether a relation has no edge of a kind: a product of sets of the other kinds, or updates."""
    if _are_updates(relation):
        return kind is not _Edges.UPDATE
    if relation.op is not Op.CROSS:
        return False
    other = {Op.READS: Op.WRITES, Op.WRITES: Op.READS}
    return any(other.get(ends) is end.op for ends, end in zip(_ENDS[kind], relation.args, strict=True))


def _are_updates(relation: Term) -> bool:
    """Whether a relation's form shows that it has the pairs of all updates that are one instruction, and no others."""
    if relation.op is not Op.SEQUENCE or relation.args[0].op is not Op.IDENTITY or relation.args[1].op is not Op.RMW:
        return False
    reads = relation.args[0].args[0]
    return reads is Term(Op.DIFFERENCE, (Term(Op.EVENTS), _EXCLUSIVE))


_EXCLUSIVE = Term(Op.TAGGED, name="exclusive")
