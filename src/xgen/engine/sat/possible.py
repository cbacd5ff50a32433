"""A model's terms on all events that there may be: what does not depend on the execution, and what may be in the rest.

Sets are bits, relations are one set for each event: those that it leads to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from xgen.engine.sat.encoding import NOWHERE, Encoding
from xgen.engine.sat.events import INITIAL, Event
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.errors import UnsupportedError
from xgen.memory.algebra import DEPENDENCIES, Check, Kind, Model, Op, Term, checks_of
from xgen.memory.evaluate import Rows, composed

_OF_EVENTS = {
    Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.EMPTY_SET, Op.TAGGED, Op.UNION, Op.INTERSECT, Op.DIFFERENCE,
}  # fmt: skip
"""Operations that say of each event by itself whether it is in."""

Set = int

_FIXED = {
    Op.EVENTS, Op.READS, Op.WRITES, Op.FENCES, Op.INITS, Op.EMPTY_SET,
    Op.PO, Op.INT, Op.EXT, Op.ID, Op.EMPTY_RELATION, Op.SI, Op.BLOCK,
}  # fmt: skip
_PARTWISE = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.CROSS, Op.IDENTITY, Op.INVERSE}
"""Operations that say of each pair by itself whether it is in, by pairs that are there."""
_KNOWN = {
    *_FIXED, *_PARTWISE, Op.LOC, Op.OBJ, Op.TAGGED, Op.RMW, Op.RF, Op.MO, Op.FR, Op.SEQUENCE, Op.PLUS, Op.STAR,
    Op.OPTIONAL, Op.DOMAIN, Op.RANGE, Op.FIX, Op.REC_RELATION, *DEPENDENCIES,
}  # fmt: skip


def refuse_unknown(model: Model) -> None:
    """Raises UnsupportedError for a model with what is not evaluated here."""
    for constraint in model.constraints:
        if constraint.flag and not constraint.undefined:
            continue
        for check in checks_of(constraint.condition):
            odd = "an operator" if any(term.op not in _KNOWN for term in check.term.subterms()) else None
            odd = "a recursion" if not all(map(_is_simple, check.term.subterms())) else odd
            odd = "a variable" if check.binders else "a negation" if check.negated else odd
            if odd is not None:
                message = f"--engine sat does not know {odd} of the constraint `{constraint.name}` of {model.name} yet"
                hint = "it knows sc, tso, rc11 and models that are made of the same operators"
                raise UnsupportedError(message, model.source, constraint.position, hint)


def _is_simple(term: Term) -> bool:
    """Whether a recursion is of relations, has no other one around it, and gets only more pairs by those it has."""
    if term.op is Op.DIFFERENCE:
        return not any(part.op is Op.REC_RELATION for part in term.args[1].subterms())
    if term.op is not Op.FIX:
        return True
    groups = {part.group for body in term.args for part in body.subterms() if part.op in (Op.FIX, Op.REC_RELATION)}
    return groups <= {term.group} and all(body.kind is Kind.RELATION for body in term.args)


def is_open(term: Term, known: dict[Term, bool]) -> bool:
    """Whether what a term is depends on the variables of a recursion around it. `known`: answers so far."""
    for part in term.subterms(known):
        known[part] = part.op is not Op.FIX and (part.op is Op.REC_RELATION or any(known[a] for a in part.args))
    return known[term]


def together(abouts: Sequence[Collection[int]]) -> Rows:
    """For each event, those that are about one of the cells, or objects, that it is about."""
    at: dict[int, int] = {}
    for number, about in enumerate(abouts):
        for each in about:
            at[each] = at.get(each, 0) | 1 << number
    near = [0] * len(abouts)
    for number, about in enumerate(abouts):
        for each in about:
            near[number] |= at[each]
    return tuple(near)


class Possible:
    """The terms of a model that are the same in all executions, but for which events are there."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.events: Sequence[Event] = encoding.events
        self.size = len(self.events)
        self.all = (1 << self.size) - 1
        self.tags = [kind.tags for kind in encoding.code.classes]
        self.near = together([set(event.cells) for event in self.events])
        abouts = [encoding.objects_of(event) for event in self.events]
        self.same_object = together([about.keys() - {NOWHERE} for about in abouts])
        self._one_object = all(len(about) <= 1 for about in abouts)
        self._values: dict[Term, Set | Rows] = {}
        self.open: dict[Term, bool] = {}
        self._fixed: dict[Term, bool] = {}
        self.taints = self._taints()
        self._base = self._bases()
        self._one_place = all(len(event.cells) <= 1 for event in self.events)

    def _bases(self) -> dict[Op, Set | Rows]:
        events, none = self.events, (0,) * self.size
        own: dict[int, int] = {}
        for event in events:
            own[event.thread] = own.get(event.thread, 0) | 1 << event.number
        kinds = {kind: sum(1 << e.number for e in events if e.kind == kind) for kind in "RWF"}
        return {
            Op.EVENTS: self.all,
            Op.READS: kinds["R"],
            Op.WRITES: kinds["W"],
            Op.FENCES: kinds["F"],
            Op.INITS: own.get(INITIAL, 0),
            Op.EMPTY_SET: 0,
            Op.PO: tuple(self.encoding.po),
            Op.INT: tuple(0 if e.thread == INITIAL else own[e.thread] for e in events),
            Op.EXT: tuple(self.all & ~own[e.thread] for e in events),
            Op.ID: tuple(1 << e.number for e in events),
            Op.LOC: self.near,
            Op.OBJ: self.same_object,
            **dict.fromkeys((Op.EMPTY_RELATION, Op.SI, Op.BLOCK), none),
            **{op: self._rows(pairs, surely=True) for op, pairs in self.taints.items()},
        }

    def _taints(self) -> dict[Op, dict[tuple[int, int], Literal]]:
        """The dependencies that there may be, each with whether it is one of events that are there."""
        found: dict[Op, dict[tuple[int, int], Literal]] = {op: {} for op in DEPENDENCIES}
        for event in self.events:
            known = event.dependencies
            named = {Op.ADDR: known.addr, Op.DATA: known.data, Op.CTRL: known.way.control}
            if event.kind == "W":
                named[Op.PICK_DATA] = known.picks
            for op, taint in named.items():
                found[op].update({(other, event.number): own for other, own in taint.items() if own != FALSE})
        return found

    def _rows(self, pairs: Mapping[tuple[int, int], Literal], surely: bool) -> Rows:
        rows = [0] * self.size
        for (a, b), own in pairs.items():
            rows[a] |= (own == TRUE or not surely) << b
        return tuple(rows)

    def is_fixed(self, term: Term) -> bool:
        """Whether a term is, of events that are there, what `value` says of it."""
        found = self._fixed.get(term)
        if found is None:
            found = self._fixed[term] = self._is_fixed(term)
        return found

    def _is_fixed(self, term: Term) -> bool:
        if term.op in _FIXED:
            return True
        if term.op is Op.LOC:
            return self._one_place
        if term.op is Op.OBJ:
            return self._one_object
        if term.op in self.taints:
            return all(own == TRUE for own in self.taints[term.op].values())
        if term.op is Op.TAGGED:
            return not any(
                event.success != TRUE and self.bears(event, term.name) != self.bears(event, term.name, failed=True)
                for event in self.events
                if event.kind == "R" and event.partner >= 0
            )
        if term.op in _PARTWISE:
            return all(map(self.is_fixed, term.args))
        if term.op is Op.SEQUENCE:
            return all(map(self.is_fixed, term.args)) and any(part.op is Op.IDENTITY for part in term.args)
        return False

    def bears(self, event: Event, tag: str, failed: bool = False) -> bool:
        """Whether an event has a tag; `failed`: where it is the read of an update that does not write."""
        number = event.failed_class if failed and event.failed_class >= 0 else event.event_class
        return tag in self.tags[number]

    def value(self, term: Term) -> Set | Rows:
        """What a fixed term is."""
        found = self._values.get(term)
        if found is None:
            if term.op is Op.TAGGED:
                found = sum(1 << e.number for e in self.events if self.bears(e, term.name))
            else:
                given = [self.value(part) for part in term.args]
                found = self._base[term.op] if term.op in self._base else composed(term.op, given, self.size)
            self._values[term] = found
        return found

    def most(self, term: Term) -> Set | Rows | None:
        """No less than what a term may be in any execution; None: that is not known."""
        return self._limit(term, True)

    def least(self, term: Term) -> Set | Rows:
        """No more than what a term has to be in each execution, of events that are there."""
        found = self._limit(term, False)
        assert found is not None
        return found

    def _limit(self, term: Term, most: bool) -> Set | Rows | None:
        """Of a term no less than what it may be, or no more than what it has to be, of events that are there."""
        if self.is_fixed(term):
            return self.value(term)
        if term.kind is Kind.SET and all(part.op in _OF_EVENTS for part in term.subterms()):
            one, other = self._members(term, failed=False), self._members(term, failed=True)
            return one | other if most else one & other
        if term.op is Op.LOC and most:
            return self.near
        if term.op is Op.OBJ and most:
            return self.same_object
        if term.op in self.taints:
            return self._rows(self.taints[term.op], surely=not most)
        if not most and term.op in (Op.PLUS, Op.STAR, Op.OPTIONAL):
            return self._limit(term.args[0], most)
        if term.op in (Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.CROSS, Op.IDENTITY, Op.INVERSE):
            flips = term.op is Op.DIFFERENCE
            given = [self._limit(part, most != (flips and n == 1)) for n, part in enumerate(term.args)]
            if any(value is None for value in given):
                return None
            return composed(term.op, [value for value in given if value is not None], self.size)
        if most:
            return None
        return 0 if term.kind is Kind.SET else (0,) * self.size

    def _members(self, term: Term, failed: bool) -> Set:
        """What a set is where all updates that may fail do, or none does."""
        if self.is_fixed(term):
            found = self.value(term)
        elif term.op is Op.TAGGED:
            found = sum(1 << e.number for e in self.events if self.bears(e, term.name, failed and e.success != TRUE))
        else:
            found = composed(term.op, [self._members(part, failed) for part in term.args], self.size)
        assert isinstance(found, int)
        return found


def acyclic_form(check: Check) -> Term | None:
    """The relation that has no cycle, if that is what a check says."""
    if check.property == "acyclic":
        return check.term
    if check.property == "irreflexive" and check.term.op is Op.PLUS:
        return check.term.args[0]
    return None
