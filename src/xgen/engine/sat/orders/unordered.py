"""That two events are a race, as clauses: no way of steps that put events in order leads from one to the other.

A way is a walk over events and the states of an automaton that reads the relation's term. Of one that is not seen here,
the solver's answer is judged all the same (races.py).
"""

from __future__ import annotations

from xgen.engine.sat.events import INITIAL
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.possible import Possible
from xgen.engine.sat.races import Races
from xgen.memory.algebra import Op, Term
from xgen.memory.evaluate import members

_Pairs = dict[tuple[int, int], Literal]
_EXACT = {Op.UNION, Op.INTERSECT, Op.DIFFERENCE, Op.TAGGED}


class _NotSeenError(Exception):
    """A term is none of which pairs are made here."""


def unordered(possible: Possible, races: Races) -> bool:
    """Says of each pair of a race that nothing orders it; whether that could be said."""
    ordered = races.ordered
    both = not races.one_way
    if ordered.op is Op.ID:
        return True
    back = ordered.op is Op.INVERSE
    walk = _Walk(possible)
    walk.read(ordered.args[0] if both or back else ordered, _START, _END)
    gates = possible.encoding.gates
    first: dict[int, list[Literal]] = {}
    second: dict[int, list[Literal]] = {}
    for (a, b), literal in races.pairs.items():
        first.setdefault(a, []).append(literal)
        second.setdefault(b, []).append(literal)
    one = {event: gates.any(literals) for event, literals in first.items()}
    other = {event: gates.any(literals) for event, literals in second.items()}
    if both or not back:
        walk.separate(one, other)
    if both or back:
        walk.separate(other, one)
    return True


_START, _END = 0, 1


class _Walk:
    """The steps of an automaton: from an event and a state to others, where a literal holds."""

    def __init__(self, possible: Possible) -> None:
        self.possible, self.encoding = possible, possible.encoding
        self.events, self.gates = possible.events, possible.encoding.gates
        self.states = _END + 1
        self.silent: list[tuple[int, int]] = []
        self.steps: list[tuple[int, int, _Pairs]] = []
        self.following = self._following()

    def _state(self) -> int:
        self.states += 1
        return self.states - 1

    def _following(self) -> _Pairs:
        """The next events of threads, whether they are there or not: these lead to all that come later."""
        spans = self.encoding.unrolled.spans_of
        found = {(number, number + 1): TRUE for span in spans.values() for number in span[:-1]}
        for event in self.events:
            if event.starts >= 0 and spans[event.starts]:
                found[event.number, spans[event.starts].start] = TRUE
            if event.joins >= 0 and spans[event.joins]:
                found[spans[event.joins].stop - 1, event.number] = TRUE
        return found

    def read(self, term: Term, start: int, end: int) -> None:
        """Adds ways from one state to another one that read a pair of the term. Of what is not seen there are none."""
        match term.op:
            case Op.UNION:
                for part in term.args:
                    self.read(part, start, end)
            case Op.SEQUENCE:
                middle = self._state()
                self.read(term.args[0], start, middle)
                self.read(term.args[1], middle, end)
            case Op.PLUS:
                self._again(term.args[0], start, end, once=True)
            case Op.STAR:
                self._again(term.args[0], start, end, once=False)
            case Op.OPTIONAL:
                self.silent.append((start, end))
                self.read(term.args[0], start, end)
            case Op.PO:
                middle = self._state()
                self.steps.append((start, middle, self.following))
                self.steps.append((middle, middle, self.following))
                self.silent.append((middle, end))
            case Op.INTERSECT if term.args[0].op is Op.PO and term.args[1].op is Op.CROSS:
                ends = [Term(Op.IDENTITY, (part,)) for part in term.args[1].args]
                self.read(Term(Op.SEQUENCE, (ends[0], Term(Op.SEQUENCE, (term.args[0], ends[1])))), start, end)
            case _:
                try:
                    self.steps.append((start, end, self.pairs(term)))
                except _NotSeenError:
                    return

    def _again(self, term: Term, start: int, end: int, once: bool) -> None:
        middle = self._state()
        if once:
            self.read(term, start, middle)
        else:
            self.silent.append((start, middle))
        self.read(term, middle, middle)
        self.silent.append((middle, end))

    # ---- pairs

    def pairs(self, term: Term) -> _Pairs:
        """The pairs that there may be in a relation, each with whether it is. Raises _NotSeenError."""
        if term.op is Op.RF:
            return {(w, r): own for r, sources in self.encoding.sources.items() for w, own in sources.items()}
        if term.op is Op.IDENTITY:
            every = ((event.number, self.member(term.args[0], event.number)) for event in self.events)
            return {(n, n): self.gates.both(own, self.events[n].exec) for n, own in every if own != FALSE}
        if self.possible.is_fixed(term):
            rows = self.possible.value(term)
            assert not isinstance(rows, int)
            return {(a, b): self._both(a, b) for a, row in enumerate(rows) for b in members(row) if self._is_own(a)}
        if term.op is Op.RMW:
            return self.encoding.pairs
        if term.op is Op.INTERSECT:
            return self._intersected(term)
        raise _NotSeenError

    def _intersected(self, term: Term) -> _Pairs:
        try:
            few, others = self.pairs(term.args[0]), term.args[1]
        except _NotSeenError:
            few, others = self.pairs(term.args[1]), term.args[0]
        found = ((pair, self.gates.both(own, self.pair(others, *pair))) for pair, own in few.items())
        return {pair: own for pair, own in found if own != FALSE}

    def _is_own(self, number: int) -> bool:
        return self.events[number].thread != INITIAL

    def _both(self, a: int, b: int) -> Literal:
        return self.gates.both(self.events[a].exec, self.events[b].exec)

    def pair(self, term: Term, a: int, b: int) -> Literal:
        """Whether a pair of events that are there is in a relation. Raises _NotSeenError."""
        if self.possible.is_fixed(term):
            rows = self.possible.value(term)
            assert not isinstance(rows, int)
            return TRUE if rows[a] >> b & 1 else FALSE
        if term.op is Op.CROSS:
            return self.gates.both(self.member(term.args[0], a), self.member(term.args[1], b))
        if term.op is Op.LOC:
            one, other = self.events[a], self.events[b]
            return self.encoding.together(one, other) if self.encoding.may_share(one, other) else FALSE
        if term.op in (Op.UNION, Op.INTERSECT):
            gate = self.gates.either if term.op is Op.UNION else self.gates.both
            return gate(*(self.pair(part, a, b) for part in term.args))
        raise _NotSeenError

    def member(self, term: Term, number: int) -> Literal:
        """Whether an event that is there is in a set. Raises _NotSeenError."""
        if self.possible.is_fixed(term):
            value = self.possible.value(term)
            assert isinstance(value, int)
            return TRUE if value >> number & 1 else FALSE
        if term.op is Op.TAGGED:
            event = self.events[number]
            ways = [self.possible.bears(event, term.name, failed) for failed in (False, True)]
            return self.gates.pick(event.success, *(TRUE if way else FALSE for way in ways))
        if term.op in _EXACT:
            a, b = (self.member(part, number) for part in term.args)
            if term.op is Op.UNION:
                return self.gates.either(a, b)
            return self.gates.both(a, b if term.op is Op.INTERSECT else -b)
        raise _NotSeenError

    # ---- clauses

    def separate(self, sources: dict[int, Literal], targets: dict[int, Literal]) -> None:
        """Says that no way leads from an event of the ones to one of the others, where their literals hold."""
        gates = self.gates
        leaving: dict[int, list[tuple[int, dict[int, list[tuple[int, Literal]]]]]] = {}
        for start, end, pairs in self.steps:
            rows: dict[int, list[tuple[int, Literal]]] = {}
            for (a, b), literal in pairs.items():
                rows.setdefault(a, []).append((b, literal))
            leaving.setdefault(start, []).append((end, rows))
        reached: dict[tuple[int, int], Literal] = {}
        line: list[tuple[int, int]] = []

        def reach(event: int, state: int) -> Literal:
            if (event, state) not in reached:
                reached[event, state] = gates.new()
                line.append((event, state))
            return reached[event, state]

        for event, literal in sources.items():
            gates.clause(-literal, reach(event, _START))
        while line:
            event, state = line.pop()
            here = reached[event, state]
            for start, end in self.silent:
                if start == state:
                    gates.clause(-here, reach(event, end))
            for end, rows in leaving.get(state, ()):
                for other, literal in rows.get(event, ()):
                    gates.clause(-here, -literal, reach(other, end))
        for event, literal in targets.items():
            if (event, _END) in reached:
                gates.clause(-literal, -reached[event, _END])
