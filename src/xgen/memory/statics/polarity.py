"""Which constraints, once violated, stay violated when an execution grows.

An exploration adds events one at a time, each at the end of its thread, with the rf and mo edges that it brings; what
was there keeps its order. A term is *monotone* if nothing ever leaves it as this happens. All operators but difference
hand this on from their arguments, so a constraint (acyclic, irreflexive or empty) on a monotone term, once violated,
is violated for good, and the subtree of the exploration can be dropped. (Read from the larger graph to the smaller:
such constraints are prefix-closed, which is what makes pruning in situ complete.)

`a \\ b` is monotone if `a` is and `b` is *stable*: two events that are there are related by `b` now if and only if they
ever will be. This holds for what depends on the events themselves: po, loc, int, ext, id, kinds of events and tags, and
for what the Boolean operators, inverse, product, `[S]` and `?` make of them. It does not hold for domain and range
(`domain(po)` gains the last event of a thread when another follows), nor in general for sequences and closures, which a
new event in the middle can extend. Within program order no new event comes into the middle, so sequences and closures
of stable parts of `po | id` are stable: `po ; [F] ; po`.

A recursion is monotone if its bodies are, and none of its variables is on the right side of a difference. What is said
of its value is what the bodies say of it if it is assumed of the variables: it holds of them at first, when they are
empty, and each evaluation of the bodies keeps it.

What is said of paths in program order needs events to be added at the ends of threads only. rf, mo and fr are not
counted as stable: between two events that are there they do not change either while events are added, but a revisit
changes them. Where threads run ahead of their reads both is different (see `Growth`): nothing is revisited, and reads
join the graph after events that follow them. Then a path counts as stable only if what it leads through is in the graph
whenever its ends are.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from functools import lru_cache

from xgen.memory.algebra import VARIABLES, Condition, Junction, Kind, Op, Term, checks_of, fold
from xgen.memory.base_relations import BASE_RELATIONS


class Growth(enum.Enum):
    """How an exploration adds events to a graph."""

    AT_ENDS = enum.auto()
    """Each at the end of its thread; later, reads may be revisited (src/core/search/explore.hpp)."""
    AHEAD = enum.auto()
    """Reads join after writes and fences that follow them in program order; no edge changes (search/resolve.hpp)."""
    AHEAD_WITH_UPDATES = enum.auto()
    """So do the writes of read-modify-writes."""


_STABLE_ATOMS = {
    Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.TAGGED, Op.BOUND, Op.THREAD, Op.VARIABLE, Op.EMPTY_SET,
    Op.EMPTY_RELATION, Op.SAME, *(relation.op for relation in BASE_RELATIONS if relation.stable),
}  # fmt: skip
_POINTWISE = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.INVERSE, Op.CROSS, Op.IDENTITY, Op.OPTIONAL}
"""The operators of which two events' membership depends on the same two events' membership in the arguments only."""

_PATHS = {Op.SEQUENCE, Op.PLUS, Op.STAR}


def stable(term: Term, growth: Growth = Growth.AT_ENDS) -> bool:
    """Whether membership of events that exist never changes; False where that is not plain from the term's form."""
    return _stability(term, growth)[term]


def settled(term: Term) -> bool:
    """Whether membership of events that exist never changes where each new event comes behind all that are there.

    It does not where the term's form shows that: what a path leads through has to be there before its end, so that all
    its steps but the first are to lie within (po | rf)^*. Reads are not revisited.
    """
    inside = within(term, {Op.PO, Op.RF, Op.RMW, Op.ID, Op.IDENTITY, Op.SI, Op.EMPTY_RELATION})

    def rule(part: Term, arguments: list[bool]) -> bool:
        if part.op in (*_STABLE_ATOMS, Op.RF, Op.MO, Op.FR, Op.OBJ):
            return True
        if part.op in _PATHS:
            return all(arguments) and inside[part.args[-1]]
        return part.op in _POINTWISE and all(arguments)

    return fold(term, rule, True)[term]


def monotone(term: Term, names: Mapping[Term, str] | None = None, growth: Growth = Growth.AT_ENDS) -> tuple[bool, str]:
    """Whether nothing ever leaves the term as the execution grows, and else why something may.

    `names` are names of subterms to be used in the reason, such as those of a model's definitions.
    """
    known: dict[Term, bool] = {}
    differences = [part for part in term.subterms() if part.op is Op.DIFFERENCE]
    for _, right in (part.args for part in reversed(differences)):  # the outermost first: they have others in them
        if right not in known:
            known |= _stability(right, growth)
    free = _free(term) if differences else {}
    for part in differences:
        if not known[part.args[1]] or free[part.args[1]]:
            whole, right_text = _shown(part, names), _shown(part.args[1], names)
            return False, f"`{whole}` can lose what it holds when events are added, because `{right_text}` can gain it"
    return True, ""


def _shown(term: Term, names: Mapping[Term, str] | None) -> str:
    from xgen.memory.show import show  # long to import

    return show(term, names)


def falling(body: Term, group: str) -> Term | None:
    """A difference in the body of a recursion that has a variable of the group on its right side, if there is one."""
    free = _free(body)
    differences = (part for part in body.subterms() if part.op is Op.DIFFERENCE)
    return next((part for part in differences if group in free[part.args[1]]), None)


def violations_permanent(
    condition: Condition, names: Mapping[Term, str] | None = None, growth: Growth = Growth.AT_ENDS
) -> tuple[bool, str]:
    """Whether the condition, once violated, stays violated as the execution grows, and else why it may not.

    The sets that for_each_node loops range over have to be monotone as well: a violation is one of some event in them.
    """
    for check in checks_of(condition):
        if check.negated:
            return (
                False,
                f"that `{_shown(check.term, names)}` is not {check.property} can come true when events are added",
            )
        domains = [binder.domain for binder in check.binders if binder.domain is not None]
        for term in (*domains, check.term):
            good, reason = monotone(term, names, growth)
            if not good:
                return False, reason
    return True, ""


def extensible(condition: Condition, empty: Callable[[Term], bool] | None = None) -> bool:
    """Whether the condition's form shows that a maximal step cannot break it.

    `empty` says of relations whether they are known to have no pairs in any execution of a program.

    A maximal step adds an event to which nothing is mo-later or reads: po, rf, mo and fr lead to it, and not from it.
    A relation of which every pair starts with such a step (by union, intersection, sequence, closure, restriction)
    cannot get a cycle by it. Relations that lead both ways, such as loc, will do inside an intersection. What should
    be empty can always be filled. The engine watches for the rest only where it looks, which is not everywhere: the
    graph that a revisit needs may never be built.
    """
    if isinstance(condition, Junction):
        return condition.mode == "and" and all(extensible(part, empty) for part in condition.parts)
    if condition.property == "empty" or condition.negated:
        return False
    return _leads_on_by_form(condition.term) if empty is None else _leads_on(condition.term, empty)


def of_two_events(condition: Condition) -> bool:
    """Whether the condition's form shows that what violates it is a pair of events, and what comes before these alone.

    Such a pair is one of each execution that has the two events and what comes before them in (po | rf)*, as far as
    other events are added maximally (see `extensible`). Data races are: `conflict \\ (hb | hb^-1)`, with a stable
    `conflict`.
    """
    if isinstance(condition, Junction) or condition.negated or condition.binders or condition.property != "empty":
        return False

    def lasts(term: Term) -> bool:
        if stable(term):
            return True
        if term.op is Op.DIFFERENCE:
            kept, left_out = term.args
            nowhere = fold(left_out, _reach, _Reach.ON)[left_out] is not _Reach.ANYWHERE
            return lasts(kept) and monotone(left_out)[0] and nowhere
        return term.op in (Op.UNION, Op.INTERSECT) and all(map(lasts, term.args))

    return condition.term.kind is Kind.RELATION and lasts(condition.term)


class _Reach(enum.IntEnum):
    """Where the pairs lead that an event brings with it which was added maximally."""

    ON = 0  # to the event
    STAY = 1  # to the event, also from itself
    BOTH = 2  # to the event and from it; which pairs there are depends on the two events alone
    ANYWHERE = 3  # perhaps past the event, between others


_REACH = {relation.op: _Reach[relation.reach.upper()] for relation in BASE_RELATIONS} | {Op.EMPTY_RELATION: _Reach.ON}


@lru_cache(256)
def _leads_on_by_form(term: Term) -> bool:
    """Whether all pairs that a maximal event brings lead to it, in any program."""
    return fold(term, _reach, _Reach.ON)[term] is _Reach.ON


def _leads_on(term: Term, empty: Callable[[Term], bool]) -> bool:
    """The same for a program, of which relations are empty."""
    if _leads_on_by_form(term):
        return True

    def way(part: Term, arguments: list[_Reach]) -> _Reach:
        return _Reach.ON if empty(part) else _reach(part, arguments)

    return fold(term, way, _Reach.ON)[term] is _Reach.ON


def _reach(part: Term, arguments: list[_Reach]) -> _Reach:
    if part.op in _REACH:
        return _REACH[part.op]
    if part.op in _STABLE_ATOMS:
        return _Reach.BOTH
    if part.op is Op.DIFFERENCE and all(sub.op is not Op.DIFFERENCE for sub in part.args[1].subterms()):
        return arguments[0]  # what is taken away can only become more
    most = max(arguments)
    if part.op is Op.RANGE and most <= _Reach.STAY:
        return _Reach.BOTH  # a set that gets the event at most
    if most is _Reach.ANYWHERE or part.op in (Op.DOMAIN, Op.RANGE):
        return _Reach.ANYWHERE  # a set gets other members than the event, of which pairs of others may be made
    if part.op is Op.IDENTITY:
        return _Reach.STAY  # a set gets the event at most
    if part.op is Op.INTERSECT:
        return min(arguments)  # its new pairs are new pairs of both
    if part.op is Op.DIFFERENCE:
        return arguments[0]  # of others, neither side gets or loses a pair
    if part.op in (Op.OPTIONAL, Op.STAR):
        most = max(most, _Reach.STAY)  # the event with itself
    if part.op in (Op.SEQUENCE, Op.PLUS, Op.STAR) and most is _Reach.BOTH:
        return _Reach.ANYWHERE  # from one to another by way of the event
    if part.op is Op.SEQUENCE:
        return min(arguments)  # a pair of the event with itself needs one on either side
    if part.op is Op.INVERSE:
        return max(most, _Reach.BOTH)  # from the event
    return most  # PLUS, STAR: a new pair leads to the event, so that it is the last step of a path


def _stability(term: Term, growth: Growth) -> dict[Term, bool]:
    """For every subterm, whether its form shows that it is stable."""
    inside = within(term, {Op.PO, Op.ID, Op.IDENTITY, Op.EMPTY_RELATION})
    ahead = growth is not Growth.AT_ENDS
    certain = _certain_middles(term, inside, growth) if ahead else frozenset()

    def rule(part: Term, arguments: list[bool]) -> bool:
        if part.op in _STABLE_ATOMS or (ahead and part.op in (Op.RF, Op.MO, Op.FR)):
            return True
        if part.op in _POINTWISE:
            return all(arguments)
        if part.op not in _PATHS or not all(arguments):
            return False
        return part in certain if ahead else all(inside[argument] for argument in part.args)

    return fold(term, rule, True)


def _certain_middles(term: Term, within_po: Mapping[Term, bool], growth: Growth) -> frozenset[Term]:
    """The sequences of which the event in the middle is in the graph whenever their ends are, though reads join late.

    It is one of the ends, or the write that one of them reads from, or it is between them in program order and a fence
    or, but for updates, a write: these join before what follows them.
    """
    same = within(term, {Op.ID, Op.IDENTITY, Op.EMPTY_RELATION})
    from_write = within(term, {Op.RF, Op.EMPTY_RELATION})
    early = {Op.FENCES} if growth is Growth.AHEAD_WITH_UPDATES else {Op.FENCES, Op.WRITES}

    def certain(first: Term, second: Term) -> bool:
        if same[first] or same[second] or from_write[second]:
            return True
        if first.op is Op.INVERSE and from_write[first.args[0]]:
            return True
        between = within_po[first] and within_po[second]
        return between and (_ends_in(first, early, 1) or _ends_in(second, early, 0))

    return frozenset(part for part in term.subterms() if part.op is Op.SEQUENCE and certain(*part.args))


def _ends_in(relation: Term, kinds: set[Op], side: int) -> bool:
    """Whether the form of a relation shows that its targets (side 1) or sources (0) are events of some kinds."""
    while relation.op is Op.SEQUENCE:
        relation = relation.args[side]
    if relation.op is Op.INTERSECT:
        return any(_ends_in(part, kinds, side) for part in relation.args)
    if relation.op is Op.IDENTITY:
        return _is_of(relation.args[0], kinds)
    return relation.op is Op.CROSS and _is_of(relation.args[side], kinds)


def _is_of(events: Term, kinds: set[Op]) -> bool:
    """Whether the form of a set shows that its events are of some kinds."""
    if events.op is Op.INTERSECT:
        return any(_is_of(part, kinds) for part in events.args)
    if events.op is Op.UNION:
        return all(_is_of(part, kinds) for part in events.args)
    return events.op in kinds


def within(term: Term, atoms: set[Op]) -> dict[Term, bool]:
    """For every subterm, whether its form shows that it is a relation within a transitive one that has all the atoms.

    Where they are rf or the empty relation, that is rf: nothing follows an rf edge.
    """

    def rule(part: Term, arguments: list[bool]) -> bool:
        if part.op in atoms:
            return True
        if part.op is Op.INTERSECT:
            return any(arguments)
        if part.op is Op.DIFFERENCE:
            return arguments[0]
        if part.op in (Op.STAR, Op.OPTIONAL):
            return Op.ID in atoms and all(arguments)
        return part.op in (Op.UNION, Op.SEQUENCE, Op.PLUS) and all(arguments)

    return fold(term, rule, True)


def _free(term: Term) -> dict[Term, frozenset[str]]:
    """For every subterm, the groups of recursions of which it uses variables, and which it is a part of."""
    free: dict[Term, frozenset[str]] = {}
    for part in term.subterms():
        groups = frozenset([part.group] if part.op in VARIABLES else []).union(*(free[a] for a in part.args))
        free[part] = groups - {part.group} if part.op is Op.FIX else groups
    return free
