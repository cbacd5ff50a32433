"""A model's terms on one execution, and why a pair is in one: literals that hold, and of which that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from xgen.engine.sat.gates import Literal
from xgen.engine.sat.possible import Possible, Set, acyclic_form, is_open, together
from xgen.engine.sat.recursion import Recursions
from xgen.memory.algebra import Check, Condition, Kind, Op, Term
from xgen.memory.evaluate import Rows, closure, composed, members, shortest_path

Reason = set[Literal]
MANY = 60
"""Reasons of one constraint that are given at a time."""


class Graph:
    """One execution: `holds` says of a literal whether it does there.

    there   the events that are there, as bits
    cells   for each event, the cell that it is about, or -1
    objects for each event, the allocated object that it is about, by its first cell, or -1
    source  for each read, the write that it reads from, or -1
    """

    def __init__(self, possible: Possible, holds: Callable[[Literal], bool]) -> None:
        self.possible, self.encoding, self.holds = possible, possible.encoding, holds
        self.events, self.size = possible.events, possible.size
        self.there = sum(1 << e.number for e in self.events if holds(e.exec))
        self.cells = [
            next((cell for cell, own in e.cells.items() if holds(own)), -1) if self.is_there(e.number) else -1
            for e in self.events
        ]
        self.objects = [self._object(number) for number in range(self.size)]
        self.source = [-1] * self.size
        for read, sources in self.encoding.sources.items():
            if self.is_there(read):
                self.source[read] = next((write for write, own in sources.items() if holds(own)), -1)
        self._values: dict[Term, Set | Rows] = {}
        self._base = self._bases()
        self._recursions = Recursions()

    def is_there(self, number: int) -> bool:
        """Whether an event is."""
        return bool(self.there >> number & 1)

    def _object(self, number: int) -> int:
        if self.cells[number] >= 0:
            return self.encoding.unrolled.objects[self.cells[number]]
        found = (first for first, own in self.events[number].objects.items() if self.holds(own))
        return next(found, -1) if self.is_there(number) else -1

    def _bases(self) -> dict[Op, Rows]:
        rf, mo = [0] * self.size, [0] * self.size
        for read, write in enumerate(self.source):
            if write >= 0:
                rf[write] |= 1 << read
        for cell in {*self.cells} - {-1}:
            writes = [write.number for write in self.encoding.writes[cell] if self.cells[write.number] == cell]
            for k, a in enumerate(writes):
                for b in writes[k + 1 :]:
                    first, second = (a, b) if self.holds(self.encoding.mo(a, b)) else (b, a)
                    mo[first] |= 1 << second
        fr = (mo[write] & ~(1 << read) if write >= 0 else 0 for read, write in enumerate(self.source))
        loc, obj = (together([[n] if n >= 0 else [] for n in about]) for about in (self.cells, self.objects))
        taints = {op: self.rows_of(pairs) for op, pairs in self.possible.taints.items()}
        pairs = self.rows_of(self.encoding.pairs)
        found = {Op.RF: tuple(rf), Op.MO: tuple(mo), Op.FR: tuple(fr), Op.LOC: loc, Op.OBJ: obj, Op.RMW: pairs}
        return found | taints

    def rows_of(self, pairs: Mapping[tuple[int, int], Literal]) -> Rows:
        """The relation of those pairs whose events are there, and whose literals hold."""
        rows = [0] * self.size
        for (a, b), own in pairs.items():
            if self.is_there(a) and self.is_there(b) and self.holds(own):
                rows[a] |= 1 << b
        return tuple(rows)

    def mo_of(self, cell: int) -> list[int]:
        """The writes of a cell that are there, in their order."""
        here = [write.number for write in self.encoding.writes[cell] if self.cells[write.number] == cell]
        return sorted(here, key=lambda number: -self._base[Op.MO][number].bit_count())

    def value(self, term: Term) -> Set | Rows:
        """What a term is here."""
        values = self._recursions.now.values if is_open(term, self.possible.open) else self._values
        found = values.get(term)
        if found is None:
            found = values[term] = self._value(term)
        return found

    def rows(self, term: Term) -> Rows:
        """What a relation is here."""
        found = self.value(term)
        assert not isinstance(found, int)
        return found

    def members(self, term: Term) -> Set:
        """What a set is here."""
        found = self.value(term)
        assert isinstance(found, int)
        return found

    def _value(self, term: Term) -> Set | Rows:
        if self.possible.is_fixed(term):
            return self._of_these(self.possible.value(term))
        if term.op in self._base:
            return self._base[term.op]
        if term.op is Op.REC_RELATION:
            return self._recursions.now.variables[term.name]
        if term.op is Op.FIX:
            self._recursions.run(term, self.rows, self.size)
            return self._recursions.found[term.name]
        if term.op is Op.TAGGED:
            return sum(1 << e.number for e in self.events if self.is_there(e.number) and self._bears(e.number, term))
        given = [self.value(part) for part in term.args]
        if term.op in (Op.OPTIONAL, Op.STAR):
            (rows,) = given
            assert not isinstance(rows, int)
            rows = closure(rows) if term.op is Op.STAR else rows
            return tuple(row | (self.there & 1 << n) for n, row in enumerate(rows))
        return composed(term.op, given, self.size)

    def _of_these(self, value: Set | Rows) -> Set | Rows:
        """Of a set or a relation what is of events that are there."""
        if isinstance(value, int):
            return value & self.there
        return tuple(row & self.there if self.is_there(n) else 0 for n, row in enumerate(value))

    def _bears(self, number: int, term: Term) -> bool:
        event = self.events[number]
        return self.possible.bears(event, term.name, failed=not self.holds(event.success))

    # ---- constraints

    def failures(self, condition: Condition, limit: int = MANY) -> list[Reason]:
        """Why a condition does not hold: literals that hold, and of which it follows, each time."""
        if isinstance(condition, Check):
            return list(self._broken(condition, limit))
        if condition.mode == "and":
            return [reason for part in condition.parts for reason in self.failures(part, limit)]
        parts = [self.failures(part, 1) for part in condition.parts]
        return [set[Literal]().union(*(reasons[0] for reasons in parts))] if all(parts) else []

    def _broken(self, check: Check, limit: int) -> Iterator[Reason]:
        term, relation = check.term, acyclic_form(check)
        if relation is not None:
            for cycle in self.cycles(self.rows(relation))[:limit]:
                yield self._reason(relation, zip(cycle, cycle[1:] + cycle[:1], strict=True))
        elif term.kind is Kind.SET:
            for number in [*members(self.members(term))][:limit]:
                reason: Reason = set()
                self.why_in(term, number, reason)
                yield reason
        else:
            empty = check.property == "empty"
            pairs = [(a, b) for a, row in enumerate(self.rows(term)) for b in members(row) if empty or a == b]
            for pair in pairs[:limit]:
                yield self._reason(term, [pair])

    def _reason(self, term: Term, pairs: Iterable[tuple[int, int]]) -> Reason:
        reason: Reason = set()
        for a, b in pairs:
            self.why(term, a, b, reason)
        return reason

    def cycles(self, rows: Rows) -> list[list[int]]:
        """Shortest cycles, one through each event that is on any, the shortest first."""
        left = self.there
        while True:
            gone = sum(1 << n for n in members(left) if not rows[n] & left)
            if not gone:
                break
            left &= ~gone
        rows = tuple(row & left for row in rows)
        found: dict[tuple[int, ...], None] = {}
        for number in members(left):
            way = shortest_path(rows, number, number)
            if way is not None:
                least = way.index(min(way[:-1]))
                found[tuple(way[least:-1] + way[:least])] = None
        return sorted(map(list, found), key=len)

    # ---- reasons

    def why(self, term: Term, a: int, b: int, out: Reason) -> None:
        """Adds literals that together put a pair into a relation."""
        if self.possible.is_fixed(term):
            out.update((self.events[a].exec, self.events[b].exec))
            return
        match term.op:
            case Op.RF:
                out.add(self.encoding.sources[b][a])
            case Op.MO:
                self._same_cell(a, b, out)
                out.add(self.encoding.mo(a, b))
            case Op.FR:
                write = self.source[a]
                self._same_cell(a, b, out)
                out.update((self.encoding.sources[a][write], self.encoding.mo(write, b)))
            case Op.LOC:
                self._same_cell(a, b, out)
            case Op.FIX | Op.REC_RELATION:
                self.rows(term)
                with self._recursions.where_first(term, a, b) as body:
                    self.why(body, a, b, out)
            case _ if term.op in self.possible.taints:
                out.update((self.events[a].exec, self.events[b].exec, self.possible.taints[term.op][a, b]))
            case Op.OBJ:
                for number in (a, b):
                    out.update((self.events[number].exec, self._about(number)))
            case Op.RMW:
                out.add(self.encoding.pairs[a, b])
            case Op.UNION:
                ways = [part for part in term.args if self.rows(part)[a] >> b & 1]
                self.why(next(filter(self.possible.is_fixed, ways), ways[0]), a, b, out)
            case Op.INTERSECT:
                for part in term.args:
                    self.why(part, a, b, out)
            case Op.DIFFERENCE:
                self.why(term.args[0], a, b, out)
                self.why_not(term.args[1], a, b, out)
            case Op.SEQUENCE:
                one, other = map(self.rows, term.args)
                middle = next(m for m in members(one[a]) if other[m] >> b & 1)
                self.why(term.args[0], a, middle, out)
                self.why(term.args[1], middle, b, out)
            case Op.PLUS | Op.STAR | Op.OPTIONAL:
                self._why_far(term, a, b, out)
            case Op.INVERSE:
                self.why(term.args[0], b, a, out)
            case Op.CROSS:
                self.why_in(term.args[0], a, out)
                self.why_in(term.args[1], b, out)
            case Op.IDENTITY:
                self.why_in(term.args[0], a, out)
            case _:
                raise AssertionError(term.op)

    def _why_far(self, term: Term, a: int, b: int, out: Reason) -> None:
        if a == b and term.op is not Op.PLUS:
            out.add(self.events[a].exec)
            return
        if term.op is Op.OPTIONAL:
            self.why(term.args[0], a, b, out)
            return
        way = shortest_path(self.rows(term.args[0]), a, b)
        assert way is not None
        for x, y in pairwise(way):
            self.why(term.args[0], x, y, out)

    def _same_cell(self, a: int, b: int, out: Reason) -> None:
        for number in (a, b):
            out.update((self.events[number].exec, self.events[number].cells[self.cells[a]]))

    def _about(self, number: int) -> Literal:
        """Of an event that is about an object, or a cell: that it is about this one."""
        event, cell = self.events[number], self.cells[number]
        return event.cells[cell] if cell >= 0 else event.objects[self.objects[number]]

    def why_in(self, term: Term, a: int, out: Reason) -> None:
        """Adds literals that together put an event into a set."""
        out.add(self.events[a].exec)
        if self.possible.is_fixed(term):
            return
        match term.op:
            case Op.TAGGED:
                self._writes(a, out)
            case Op.UNION:
                self.why_in(next(part for part in term.args if self.members(part) >> a & 1), a, out)
            case Op.INTERSECT:
                for part in term.args:
                    self.why_in(part, a, out)
            case Op.DIFFERENCE:
                self.why_in(term.args[0], a, out)
                self.why_not_in(term.args[1], a, out)
            case Op.DOMAIN:
                self.why(term.args[0], a, next(members(self.rows(term.args[0])[a])), out)
            case Op.RANGE:
                rows = self.rows(term.args[0])
                self.why(term.args[0], next(n for n, row in enumerate(rows) if row >> a & 1), a, out)
            case _:
                raise AssertionError(term.op)

    def _writes(self, a: int, out: Reason) -> None:
        """Of an update's read: whether it writes, by which it has its tags."""
        event = self.events[a]
        if event.failed_class >= 0:
            out.add(event.success if self.holds(event.success) else -event.success)

    def why_not_in(self, term: Term, a: int, out: Reason) -> None:
        """Adds literals that together keep an event that is there out of a set."""
        if self.possible.is_fixed(term):
            return
        match term.op:
            case Op.TAGGED:
                self._writes(a, out)
            case Op.UNION:
                for part in term.args:
                    self.why_not_in(part, a, out)
            case Op.INTERSECT:
                self.why_not_in(next(part for part in term.args if not self.members(part) >> a & 1), a, out)
            case Op.DIFFERENCE if self.members(term.args[1]) >> a & 1:
                self.why_in(term.args[1], a, out)
            case Op.DIFFERENCE:
                self.why_not_in(term.args[0], a, out)
            case _:
                self.everything(out)

    def why_not(self, term: Term, a: int, b: int, out: Reason) -> None:
        """Adds literals that together keep a pair of events that are there out of a relation."""
        if self.possible.is_fixed(term):
            return
        match term.op:
            case Op.UNION:
                for part in term.args:
                    self.why_not(part, a, b, out)
            case Op.INTERSECT:
                ways = [part for part in term.args if not self.rows(part)[a] >> b & 1]
                self.why_not(next(filter(self.possible.is_fixed, ways), ways[0]), a, b, out)
            case Op.DIFFERENCE if self.rows(term.args[1])[a] >> b & 1:
                self.why(term.args[1], a, b, out)
            case Op.DIFFERENCE:
                self.why_not(term.args[0], a, b, out)
            case Op.LOC if self.cells[a] >= 0 and self.cells[b] >= 0:
                out.update(self.events[number].cells[self.cells[number]] for number in (a, b))
            case Op.LOC:
                pass
            case Op.OBJ:
                out.update(self._about(n) for n in (a, b) if self.cells[n] >= 0 or self.events[n].objects)
            case _ if term.op in self.possible.taints:
                out.update([-own for own in (self.possible.taints[term.op].get((a, b)),) if own is not None])
            case Op.RMW:
                if (a, b) in self.encoding.pairs:
                    out.add(-self.encoding.pairs[a, b])
            case Op.CROSS:
                one, other = term.args
                if self.members(one) >> a & 1:
                    self.why_not_in(other, b, out)
                else:
                    self.why_not_in(one, a, out)
            case Op.IDENTITY if a == b:
                self.why_not_in(term.args[0], a, out)
            case Op.IDENTITY:
                pass
            case _:
                self.everything(out)

    def everything(self, out: Reason) -> None:
        """Adds all that was chosen: the weakest reason that there is."""
        chosen = [event.exec for event in self.events]
        chosen += [own for e in self.events for own in (e.success, *e.cells.values(), *e.objects.values())]
        chosen += [own for sources in self.encoding.sources.values() for own in sources.values()]
        chosen += self.encoding.orders
        out.update(own if self.holds(own) else -own for own in chosen)
