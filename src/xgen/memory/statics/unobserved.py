"""Whether a model does not see what a thread does by itself: plain accesses to cells that nobody else uses.

Without these events an execution has to be consistent, and to raise flags, just as with them. Their values need no
model: where there is coherence, each read reads from the last write before it. What is left to show is that no
constraint becomes another one. For that, events are told apart by sorts, their kinds and tags, as far as the program
has them; and of each relation it is found out, by its form,

    may       between which sorts there can be a pair at all
    loose     ... a pair that is neither in program order nor of an event and itself
    selves    of which sorts an event may be related to itself
    po        between which sorts it has all pairs of program order
    full      between which sorts it has all pairs
    ids       for which sorts it has all pairs of an event and itself
    faithful  whether events that are left out change nothing between those that stay

What is put together of two relations by an event that is left out has to be there without it: both pairs are of program
order, so their ends are, and it is enough if the relation has that of these sorts. A cycle through such events leads
from one that stays to the next one that does by program order as well. (A fence in between which only program order
leaves may be passed by: then what comes after it counts.) Whatever is not found out in this way counts as seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_

from xgen.lowering.code import INITIAL_WRITE, EventClass
from xgen.memory.algebra import Check, Kind, Model, Op, Term, checks_of, operands
from xgen.memory.statics.base_order import coherent, load_buffering
from xgen.memory.statics.decided import DECIDED, is_in
from xgen.memory.terms import normalised
from xgen.records import dataclass, replace

_PLAIN = EventClass("R"), EventClass("W"), INITIAL_WRITE
"""Those that are left out, and the initial writes of their cells."""

Rows = tuple[int, ...]
"""For each sort, the set of sorts that it is related to, as bits."""


@lru_cache(256)
def why_observed(model: Model, sorts: frozenset[EventClass]) -> str | None:
    """Why the model may see plain accesses that one thread alone has to a cell; None where it does not.

    `sorts`: those of all events that a program may have.
    """
    if load_buffering(model)[0]:
        return "it allows load buffering"
    if not coherent(model):
        return "it is not seen to keep the accesses to one location in order"
    constraints = normalised(model).constraints
    staying = sorted(sorts, key=lambda sort: (sort.kind, sorted(sort.tags)))
    checks = (c.condition for c in constraints if not c.flag and isinstance(c.condition, Check))
    orders = {order for check in checks for order in _orders(check)}
    forms = _Forms(staying)
    forms = _Forms(staying, frozenset(order for order in orders if forms.has_own_order(order)))
    for constraint in constraints:
        if any(check.binders or not forms.same(check) for check in checks_of(constraint.condition)):
            return f"`{constraint.name}` may depend on them"
    return None


def _orders(check: Check) -> Iterator[Term]:
    """The relations that a check shows to be acyclic."""
    if check.negated or check.binders:
        return
    if check.property == "acyclic":
        yield check.term
    elif check.property == "irreflexive":
        yield from (part.args[0] for part in operands(check.term, Op.UNION) if part.op is Op.PLUS)


@dataclass(frozen=True, slots=True)
class _Set:
    """A set of events: the sorts that may be in it, and those that are."""

    may: int
    must: int
    faithful: bool = True


@dataclass(frozen=True, slots=True)
class _Pairs:
    """A relation; the module says what the fields mean."""

    may: Rows
    loose: Rows
    po: Rows
    full: Rows
    selves: int = 0
    ids: int = 0
    faithful: bool = True


class _Forms:
    """What the forms of terms show. The sorts are those that stay, then those that are left out.

    `orders`: relations that are acyclic and have the program order of what is left out, so that it has no other order
    by their closures.
    """

    def __init__(self, staying: Sequence[EventClass], orders: Collection[Term] = ()) -> None:
        self.orders = orders
        self.sorts = (*staying, *_PLAIN)
        self.count = len(self.sorts)
        self.stay = (1 << len(staying)) - 1
        self.all = (1 << self.count) - 1
        self.gone = self.all & ~self.stay
        self.none: Rows = (0,) * self.count
        self.inits = self._bits(lambda sort: sort == INITIAL_WRITE)
        self.known: dict[Term, _Set | _Pairs] = {}

    def _bits(self, holds: Callable[[EventClass], bool]) -> int:
        return sum(1 << number for number, sort in enumerate(self.sorts) if holds(sort))

    # ---- checks

    def same(self, check: Check) -> bool:
        """Whether a check says the same with and without the events."""
        if check.property == "acyclic":
            return self.cycles_stay(check.term)
        if check.property == "irreflexive":
            return all(map(self._loops_stay, operands(check.term, Op.UNION)))
        found = self.of(check.term)
        if isinstance(found, _Set):
            return found.faithful and not found.may & self.gone
        touched = any(row & self.gone for row in found.may) or any(found.may[n] for n in self._numbers(self.gone))
        return found.faithful and not touched

    def _loops_stay(self, term: Term) -> bool:
        if term.op is Op.PLUS:
            return self.cycles_stay(term.args[0])
        found = self._pairs(term)
        return found.faithful and not found.selves & self.gone

    def cycles_stay(self, term: Term) -> bool:
        """Whether a relation has a cycle just where it has one without the events."""
        found = self._steps(term)
        alone = any(found.loose[number] & self.gone for number in self._numbers(self.gone)) or found.selves & self.gone
        return found.faithful and not alone and self._bypassed(found, passing=True)

    def has_own_order(self, term: Term) -> bool:
        """Whether that is so, and the relation has the program order of the events among themselves."""
        own = self._steps(term).po
        return self.cycles_stay(term) and all(own[n] & self.gone == self.gone for n in self._numbers(self.gone))

    def _steps(self, term: Term) -> _Pairs:
        """What the closure of a relation is the closure of: with what is closed in it not closed."""
        parts, left = list[_Pairs](), [term]
        while left:
            part = left.pop()
            if part.op is Op.UNION or part.op is Op.PLUS:
                left += part.args
            else:
                parts.append(self._pairs(part))
        return reduce(self._union, parts)

    # ---- relations

    def of(self, term: Term) -> _Set | _Pairs:
        for part in term.subterms(self.known):
            found = self._set(part) if part.kind is Kind.SET else self._relation(part)
            rows = (found.may,) if isinstance(found, _Set) else (found.may[n] for n in self._numbers(self.stay))
            nothing = not any(row & self.stay for row in rows)  # between those that stay, with the others or without
            self.known[part] = replace(found, faithful=True) if nothing else found
        return self.known[term]

    def _pairs(self, term: Term) -> _Pairs:
        found = self.of(term)
        assert isinstance(found, _Pairs)
        return found

    def _numbers(self, bits: int) -> Iterator[int]:
        return (number for number in range(self.count) if bits >> number & 1)

    def _set(self, term: Term) -> _Set:
        args = [self.known[argument] for argument in term.args]
        match term.op, args:
            case Op.UNION, [_Set() as a, _Set() as b]:
                return _Set(a.may | b.may, a.must | b.must, a.faithful and b.faithful)
            case Op.INTERSECT, [_Set() as a, _Set() as b]:
                return _Set(a.may & b.may, a.must & b.must, a.faithful and b.faithful)
            case Op.DIFFERENCE, [_Set() as a, _Set() as b]:
                return _Set(a.may & ~b.must, a.must & ~b.may, a.faithful and b.faithful)
            case Op.DOMAIN, [_Pairs() as r]:
                own = any(r.may[number] & self.gone for number in self._numbers(self.stay))
                return _Set(self._bits_of(r.may), r.ids, r.faithful and not own)
            case Op.RANGE, [_Pairs() as r]:
                back = self._turned(r.may)
                own = any(back[number] & self.gone for number in self._numbers(self.stay))
                return _Set(self._bits_of(back), r.ids, r.faithful and not own)
        if term.op not in DECIDED:
            return _Set(self.all, 0, faithful=False)
        exact = self._bits(lambda sort: is_in(sort, term))
        return _Set(exact, exact)

    def _bits_of(self, rows: Rows) -> int:
        return sum(1 << number for number, row in enumerate(rows) if row)

    def _turned(self, rows: Rows) -> Rows:
        return tuple(sum(1 << a for a, row in enumerate(rows) if row >> b & 1) for b in range(self.count))

    def _product(self, sources: int, targets: int) -> Rows:
        return tuple(targets if sources >> number & 1 else 0 for number in range(self.count))

    def _relation(self, term: Term) -> _Pairs:
        args = [self.known[argument] for argument in term.args]
        match term.op, args:
            case Op.IDENTITY, [_Set() as s]:
                diagonal = tuple(1 << number if s.may >> number & 1 else 0 for number in range(self.count))
                return _Pairs(diagonal, self.none, self.none, self.none, s.may, s.must, s.faithful)
            case Op.CROSS, [_Set() as s, _Set() as t]:
                may, full = self._product(s.may, t.may), self._product(s.must, t.must)
                return _Pairs(may, may, full, full, s.may & t.may, s.must & t.must, s.faithful and t.faithful)
            case Op.UNION, [_Pairs() as a, _Pairs() as b]:
                return self._union(a, b)
            case Op.INTERSECT, [_Pairs() as a, _Pairs() as b]:
                may, loose, po, full = (_each_and(x, y) for x, y in zip(_rows(a), _rows(b), strict=True))
                return _Pairs(may, loose, po, full, a.selves & b.selves, a.ids & b.ids, a.faithful and b.faithful)
            case Op.DIFFERENCE, [_Pairs() as a, _Pairs() as b]:
                may, loose = (_each_without(rows, b.full) for rows in (a.may, a.loose))
                po, full = (_each_without(rows, b.may) for rows in (a.po, a.full))
                ids = a.ids & ~b.selves
                return _Pairs(may, loose, po, full, a.selves & ~b.ids, ids, a.faithful and b.faithful)
            case Op.SEQUENCE, [_Pairs() as a, _Pairs() as b]:
                return self._sequence(a, b)
            case Op.INVERSE, [_Pairs() as a]:
                may = self._turned(a.may)
                return _Pairs(may, may, self.none, self._turned(a.full), a.selves, a.ids, a.faithful)
            case ((Op.PLUS | Op.STAR | Op.OPTIONAL), [_Pairs() as a]):
                closed = a if term.op is Op.OPTIONAL else self._closure(term.args[0])
                return closed if term.op is Op.PLUS else self._union(closed, self._base(Op.ID))
        return self._base(term.op)

    def _union(self, a: _Pairs, b: _Pairs) -> _Pairs:
        may, loose, po, full = (_each_or(x, y) for x, y in zip(_rows(a), _rows(b), strict=True))
        return _Pairs(may, loose, po, full, a.selves | b.selves, a.ids | b.ids, a.faithful and b.faithful)

    def _base(self, op: Op) -> _Pairs:
        """A relation that is no other's: what is not known may relate anything, and see everything."""
        stay, gone, product = self.stay, self.gone, self._product
        reads, writes = self._bits(lambda sort: sort.kind == "R"), self._bits(lambda sort: sort.kind == "W")
        accesses, none, everything = reads | writes, self.none, product(self.all, self.all)
        later = writes & ~self.inits
        own = {Op.RF: (writes, reads), Op.MO: (writes, later), Op.FR: (reads, later), Op.LOC: (accesses, accesses)}
        if op is Op.EMPTY_RELATION:
            return _Pairs(none, none, none, none)
        if op is Op.ID:
            diagonal = tuple(1 << number for number in range(self.count))
            return _Pairs(diagonal, none, none, none, self.all, self.all)
        if op is Op.PO:
            return _Pairs(product(self.all, self.all & ~self.inits), none, everything, none)
        if op in own:
            sources, targets = own[op]
            others = product(sources & stay, targets & stay)
            alone = product(sources & gone, targets & gone)
            loc = op is Op.LOC
            there = _each_or(others, alone)
            return _Pairs(there, there if loc else others, none, none, accesses if loc else 0)
        if op is Op.RMW:
            return _Pairs(product(reads & stay, writes & stay), none, none, none)
        if op is Op.INT:
            there = product(self.all & ~self.inits, self.all & ~self.inits)
            return _Pairs(there, there, none, none, self.all & ~self.inits)
        if op is Op.EXT:
            alone = product(gone & ~self.inits, gone & ~self.inits)
            there = _each_without(everything, alone)
            return _Pairs(there, there, none, none)
        if op in (Op.BLOCK, Op.OBJ):
            there = product(stay, stay)
            return _Pairs(there, there, none, none, stay)
        return _Pairs(everything, everything, none, none, self.all, 0, faithful=False)

    def _sequence(self, a: _Pairs, b: _Pairs) -> _Pairs:
        may, loose, po = [], [], []
        for number in range(self.count):
            middle = tuple(self._numbers(a.may[number]))
            may.append(_or(b.may[m] for m in middle))
            loose.append(_or(b.may[m] if a.loose[number] >> m & 1 else b.loose[m] for m in middle))
            po.append((b.po[number] if a.ids >> number & 1 else 0) | (a.po[number] & b.ids))
        selves = (a.selves & b.selves) | sum(1 << n for n in range(self.count) if loose[n] >> n & 1)
        faithful = a.faithful and b.faithful
        for number in self._numbers(self.stay):
            for m in self._numbers(a.may[number] & self.gone):
                ends = b.may[m] & self.stay
                tight = not a.loose[number] >> m & 1 and not b.loose[m] & self.stay
                faithful &= not ends or (tight and not ends & ~po[number])
        return _Pairs(tuple(may), tuple(loose), tuple(po), self.none, selves, a.ids & b.ids, faithful)

    def _closure(self, term: Term) -> _Pairs:
        a = self._steps(term)
        may = _closed(a.may)
        ways = tuple(row | 1 << number for number, row in enumerate(may))  # none or more steps
        loose = []
        for number in range(self.count):
            after = _or(a.loose[m] for m in self._numbers(ways[number]))
            loose.append(_or(ways[m] for m in self._numbers(after)))
        selves = a.selves | sum(1 << n for n in range(self.count) if loose[n] >> n & 1)
        if term in self.orders:
            selves = 0
            loose = [row & ~self.gone if self.gone >> number & 1 else row for number, row in enumerate(loose)]
        faithful = a.faithful and self._bypassed(a, passing=False)
        return _Pairs(may, tuple(loose), a.po, a.full, selves, a.ids, faithful)

    def _bypassed(self, a: _Pairs, passing: bool) -> bool:
        """Whether, where steps lead from one event that stays to another by such that do not, a step does so too.

        `passing`: only cycles matter, so that fences which only program order leaves may be passed by.
        """
        into = {n: a.may[n] & self.gone for n in self._numbers(self.stay) if a.may[n] & self.gone}
        if not into or not any(a.may[n] & self.stay for n in self._numbers(self.gone)):
            return True
        if any(a.loose[n] & self.gone for n in into) or any(a.loose[n] for n in self._numbers(self.gone)):
            return False
        return all(self._leads_on(a, number, gone, passing) for number, gone in into.items())

    def _leads_on(self, a: _Pairs, start: int, through: int, passing: bool) -> bool:
        """The same for steps from events of one sort."""
        left, seen = list(self._numbers(through)), through
        while left:
            ends = a.may[left.pop()] & ~(a.po[start] & self.stay) & ~seen
            for end in self._numbers(ends):
                is_fence = self.sorts[end].kind == "F" and not a.loose[end]
                if not self.gone >> end & 1 and not (passing and is_fence):
                    return False
                seen |= 1 << end
                left.append(end)
        return True


def _rows(pairs: _Pairs) -> tuple[Rows, Rows, Rows, Rows]:
    return pairs.may, pairs.loose, pairs.po, pairs.full


def _or(rows: Iterable[int]) -> int:
    return reduce(or_, rows, 0)


def _each_or(a: Rows, b: Rows) -> Rows:
    return tuple(x | y for x, y in zip(a, b, strict=True))


def _each_and(a: Rows, b: Rows) -> Rows:
    return tuple(x & y for x, y in zip(a, b, strict=True))


def _each_without(a: Rows, b: Rows) -> Rows:
    return tuple(x & ~y for x, y in zip(a, b, strict=True))


def _closed(rows: Rows) -> Rows:
    """The transitive closure."""
    found = list(rows)
    for middle in range(len(found)):
        for number, row in enumerate(found):
            if row >> middle & 1:
                found[number] = row | found[middle]
    return tuple(found)
