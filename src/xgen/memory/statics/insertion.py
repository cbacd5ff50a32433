"""Whether a model's form shows that fences, and stronger orders of accesses, only take behaviour away.

A fence that is put between the events of an execution leaves these, their reads-from and modification order, and
program order among them as they are. What is said here of a term is about the pairs (or members) that were there
before: it *grows* if it loses none, and *shrinks* if it gains none. A constraint whose term grows, once violated, stays
violated when fences are put in; a race that shrinks does not come up. Stronger orders change what tags accesses have;
then sets made of tags grow if no step up (relaxed to acquire, say) takes an access out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from xgen.memory.algebra import Constraint, Kind, Model, Op, Term, checks_of, fold, operands
from xgen.memory.base_relations import OF_OP
from xgen.tags import ORDERS

Access = tuple[Op, set[str]]
"""READS or WRITES, and the tags."""


Ends = tuple[bool, bool]
"""Whether the sources of a relation, and its targets, are known to be accesses; of a set, its members, twice."""


class Change(NamedTuple):
    """What happens to a term: it grows, it shrinks; both: it stays as it is."""

    grows: bool
    shrinks: bool


STEPS: tuple[tuple[str | None, str], ...] = (
    (None, "relaxed"),
    ("relaxed", "acquire"),
    ("relaxed", "release"),
    ("acquire", "acq_rel"),
    ("release", "acq_rel"),
    ("acquire", "seq_cst"),
    ("release", "seq_cst"),
    ("acq_rel", "seq_cst"),
)
"""How orders get stronger, one step at a time."""

MOST_TAGS = 8
"""Sets that are made of more tags than these and the orders are not looked into."""

_BASE = {Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.TAGGED, Op.EMPTY_SET}
_BOOLEAN = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE}
_PATHS = {Op.SEQUENCE, Op.PLUS, Op.STAR}
_ACCESSES = ("read", "write", "access")
_BY_WAY_OF_OTHERS = {*_PATHS, Op.DOMAIN, Op.RANGE}
"""What may get pairs, or members, by events that are put in."""
_STAYS = Change(True, True)


def only_forbids(
    model: Model, orders: bool = False, demanded: Collection[int] = (), stores: bool = False
) -> tuple[bool, str]:
    """Whether the form of a model shows that fences only take behaviour away, and else why they may add some.

    `orders`: stronger orders of accesses too. `demanded`: flags, by number, that are not to be raised. `stores`: a
    fence may be a write to a cell that nobody reads (`fence.sc` of PTX); then none of this rests on fences being no
    accesses.
    """
    for number, constraint in enumerate(model.constraints):
        if number in demanded:
            if stores or not _kept(constraint, orders):
                return False, f"the form of {constraint.name} does not show that fences break nothing of it"
            continue
        if constraint.flag and not constraint.undefined:
            continue
        if not _lasting(constraint, orders, stores):
            what = "fences or stronger orders" if orders else "fences"
            return False, f"the form of the constraint `{constraint.name}` does not show that {what} only forbid"
    return True, ""


def _lasting(constraint: Constraint, orders: bool, stores: bool) -> bool:
    """Whether what a constraint forbids stays forbidden; of a race, whether what has none gets none."""
    for check in checks_of(constraint.condition):
        domains = [binder.domain for binder in check.binders if binder.domain is not None]
        if check.negated != constraint.undefined:
            if domains or not _change(check.term, orders, stores).shrinks:
                return False
        elif not all(_change(term, orders, stores).grows for term in (*domains, check.term)):
            return False
    return True


def _kept(constraint: Constraint, orders: bool) -> bool:
    """Whether what a constraint allows stays allowed: no pair comes up, nor a cycle by way of a fence.

    Program order does not make one: what it has by way of a fence, it has without.
    """
    for check in checks_of(constraint.condition):
        if check.negated or check.binders or check.term.kind is Kind.SET:
            return False
        for part in operands(check.term, Op.UNION):
            if part.op is Op.PO and check.property == "acyclic":
                continue
            if not (_change(part, orders).shrinks and all(_ends(part))):
                return False
    return True


def _change(term: Term, orders: bool, stores: bool = False) -> Change:
    def rule(part: Term, arguments: list[Change]) -> Change:
        if orders and part in sets:
            return _of_tags(part)
        if stores and part.op in _BY_WAY_OF_OTHERS:
            return Change(all(argument.grows for argument in arguments), shrinks=False)
        return _rule(part, arguments, ends)

    sets = {part for part in term.subterms() if _is_of_tags(part)} if orders else set()
    ends = fold(term, _ends_of, (True, True))
    return fold(term, rule, _STAYS)[term]


def _rule(part: Term, arguments: list[Change], ends: Mapping[Term, Ends]) -> Change:
    """`ends` are those of the parts of a term."""
    if part.op is Op.DIFFERENCE:
        left, right = arguments
        return Change(left.grows and right.shrinks, left.shrinks and right.grows)
    grows = all(argument.grows for argument in arguments)
    shrinks = all(argument.shrinks for argument in arguments)
    if part.op is Op.SEQUENCE:
        shrinks &= ends[part.args[0]][1] or ends[part.args[1]][0]
    elif part.op in _PATHS:
        shrinks &= any(ends[part.args[0]])
    elif part.op in (Op.DOMAIN, Op.RANGE):
        shrinks &= ends[part.args[0]][int(part.op is Op.DOMAIN)]
    return Change(grows, shrinks)


def _ends(term: Term) -> Ends:
    """What a term's form shows of its ends."""
    return fold(term, _ends_of, (True, True))[term]


def _ends_of(part: Term, arguments: list[Ends]) -> Ends:
    op = part.op
    if op in (Op.READS, Op.WRITES, Op.INITS, Op.EMPTY_SET, Op.EMPTY_RELATION):
        return True, True
    if op in OF_OP:
        return OF_OP[op].source_is in _ACCESSES, OF_OP[op].target_is in _ACCESSES
    if op is Op.INTERSECT:
        return any(first for first, _ in arguments), any(second for _, second in arguments)
    if op is Op.UNION:
        return all(first for first, _ in arguments), all(second for _, second in arguments)
    if op in (Op.DIFFERENCE, Op.PLUS, Op.IDENTITY):
        return arguments[0]
    if op in (Op.SEQUENCE, Op.CROSS):
        return arguments[0][0], arguments[1][1]
    if op is Op.INVERSE:
        return arguments[0][1], arguments[0][0]
    return False, False


# ---- sets of tags, as orders get stronger


def _is_of_tags(term: Term) -> bool:
    return all(part.op in _BASE or part.op in _BOOLEAN for part in term.subterms())


def _of_tags(term: Term) -> Change:
    """What steps up do to a set, whatever other tags an access has."""
    others = sorted({part.name for part in term.subterms() if part.op is Op.TAGGED} - set(ORDERS))
    if len(others) > MOST_TAGS:
        return Change(False, False)
    before: list[Access] = []
    after: list[Access] = []
    for kind, (weak, strong) in product((Op.READS, Op.WRITES), STEPS):
        for has in product((False, True), repeat=len(others)):
            tags = {name for name, there in zip(others, has, strict=True) if there}
            before.append((kind, tags | ({weak} if weak else set())))
            after.append((kind, tags | {strong}))
    had, has_now = _members(term, before), _members(term, after)
    return Change(grows=not had & ~has_now, shrinks=not has_now & ~had)


def _members(term: Term, accesses: Sequence[Access]) -> int:
    """Which of these accesses a set made of kinds and tags has: a bit for each."""

    def those(has: Callable[[Access], bool]) -> int:
        return sum(1 << n for n, access in enumerate(accesses) if has(access))

    def rule(part: Term, arguments: list[int]) -> int:
        if part.op is Op.UNION:
            return arguments[0] | arguments[1]
        if part.op is Op.INTERSECT:
            return arguments[0] & arguments[1]
        if part.op is Op.DIFFERENCE:
            return arguments[0] & ~arguments[1]
        if part.op is Op.TAGGED:
            return those(lambda access: part.name in access[1])
        return those(lambda access: part.op in (Op.EVENTS, access[0]))

    return fold(term, rule, 0)[term]
