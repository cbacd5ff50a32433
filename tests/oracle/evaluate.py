"""Memory models evaluated naively: a set is a frozenset of events, a relation a frozenset of pairs of events.

Events are numbered; the graph's events, its reads-from and its modification order are all that a model looks at. A term
is evaluated as the docstring of the algebra defines it, a binder by trying every value. The only liberty taken: what
mentions neither rf nor mo is evaluated once for all executions with the same events (and likewise what mentions no mo).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeVar, cast

from oracle.expressions import Value
from oracle.running import Dependencies
from xgen.memory.algebra import Binder, Check, Condition, Junction, Kind, Op, Term

INDEPENDENT = Dependencies()
INITIAL = -1
"""The thread of initial writes."""

Set = frozenset[int]
Pair = tuple[int, int]
Relation = frozenset[Pair]
Bindings = Mapping[str, "int | str | Set | Relation"]
T = TypeVar("T")


@dataclass(frozen=True)
class Event:
    """An event; `index` counts the events of a thread, and is 0 for initial writes."""

    thread: int
    index: int
    kind: Literal["R", "W", "F"]
    variable: str | None
    value: Value | None
    tags: frozenset[str] = frozenset()
    depends: Dependencies = INDEPENDENT


def successors(relation: Iterable[Pair]) -> dict[int, set[int]]:
    """The events that each event is related to."""
    result: dict[int, set[int]] = {}
    for a, b in relation:
        result.setdefault(a, set()).add(b)
    return result


def closure(relation: Relation) -> Relation:
    """The transitive closure."""
    following = successors(relation)
    pairs = set()
    for first in following:
        reached: set[int] = set()
        stack = [first]
        while stack:
            new = following.get(stack.pop(), set()) - reached
            reached |= new
            stack += new
        pairs |= {(first, last) for last in reached}
    return frozenset(pairs)


def is_acyclic(relation: Iterable[Pair]) -> bool:
    """Whether a relation has no cycle: events without successors are taken away until none is left."""
    following = successors(relation)
    while following:
        inner = {a: bs & following.keys() for a, bs in following.items()}
        smaller = {a: bs for a, bs in inner.items() if bs}
        if len(smaller) == len(following):
            return False
        following = smaller
    return True


def terms_of(condition: Condition | Term) -> Iterator[Term]:
    """Every term in a condition or in a term."""
    if isinstance(condition, Junction):
        for part in condition.parts:
            yield from terms_of(part)
    elif isinstance(condition, Check):
        for term in [condition.term, *(binder.domain for binder in condition.binders if binder.domain is not None)]:
            yield from term.subterms()
    else:
        yield from condition.subterms()


@cache
def stage(condition: Condition | Term) -> int:
    """How much of an execution a condition or a term looks at: 0 its events, 1 also rf, 2 also mo."""
    return max(({Op.RF: 1, Op.MO: 2, Op.FR: 2}.get(term.op, 0) for term in terms_of(condition)), default=0)


@cache
def names_of(term: Term) -> tuple[str, ...]:
    """The binders and the variables of recursions that a term mentions."""
    named = (Op.BOUND, Op.THREAD, Op.VARIABLE, Op.REC_SET, Op.REC_RELATION)
    return tuple(sorted({t.name for t in term.subterms() if t.op in named}))


Dependency = Literal[
    "addr", "data", "ctrl", "rmw", "pair", "pick_addr", "pick_data", "pick_ctrl", "needs", "address", "computed"
]
"""A field of Dependencies."""


class Evaluator:
    """Evaluates models on executions that have the events given; rf and mo are set from outside, in this order.

    `threads` is the number of the program's threads, also of those that have no event.
    """

    def __init__(self, events: tuple[Event, ...], threads: int) -> None:
        self.events = events
        self.threads = threads
        self.all: Set = frozenset(range(len(events)))
        self.rf: Relation = frozenset()
        self.mo: Relation = frozenset()
        self._known: tuple[dict[tuple[object, ...], Set | Relation], ...] = ({}, {}, {})

    def set_rf(self, rf: Relation) -> None:
        """Look at another reads-from relation."""
        self.rf = rf
        self._known[1].clear()
        self._known[2].clear()

    def set_mo(self, mo: Relation) -> None:
        """Look at another modification order (transitive)."""
        self.mo = mo
        self._known[2].clear()

    def dependencies(self, *kinds: Dependency) -> Relation:
        """From each event to those that depend on it in one of the ways given."""
        places = {(event.thread, event.index): number for number, event in enumerate(self.events)}
        return frozenset(
            (places[event.thread, index], number)
            for number, event in enumerate(self.events)
            for kind in kinds
            for index in getattr(event.depends, kind)
        )

    def holds(self, condition: Condition) -> bool:
        """Whether a condition of a model holds."""
        if isinstance(condition, Junction):
            results = (self.holds(part) for part in condition.parts)
            return all(results) if condition.mode == "and" else any(results)
        results = (self._has(condition, bindings) for bindings in self._bindings(condition.binders, {}))
        return not all(results) if condition.negated else all(results)

    def isolates(self, conditions: Iterable[Condition]) -> bool:
        """Whether nothing comes between the events of an atomic block.

        Nothing does in rf, mo and fr together, and nothing in what the conditions want acyclic.
        """
        communication = self.rf | self.mo | self.relation(Term(Op.FR), {})
        return self._is_contracted_acyclic(communication) and all(map(self._isolates, conditions))

    def _isolates(self, condition: Condition) -> bool:
        if isinstance(condition, Junction):
            if condition.mode == "and":
                return all(map(self._isolates, condition.parts))
            return any(self.holds(part) and self._isolates(part) for part in condition.parts)
        term = condition.term
        if condition.property == "irreflexive" and term.op is Op.PLUS:
            term = term.args[0]
        elif condition.property != "acyclic":
            return True
        bindings = self._bindings(condition.binders, {})
        return condition.negated or all(self._is_contracted_acyclic(self.relation(term, b)) for b in bindings)

    def _is_contracted_acyclic(self, relation: Relation) -> bool:
        """Whether a relation has no cycle when the events of each atomic block are one."""
        first: dict[tuple[int, int], int] = {}
        whole = list(range(len(self.events)))
        for number, event in enumerate(self.events):
            if event.depends.block:
                whole[number] = first.setdefault((event.thread, event.depends.block), number)
        return is_acyclic((whole[a], whole[b]) for a, b in relation if whole[a] != whole[b])

    def _bindings(self, binders: tuple[Binder, ...], outer: Bindings) -> Iterator[Bindings]:
        """Every way to bind the names, the first one outermost."""
        if not binders:
            yield outer
            return
        binder = binders[0]
        values: Iterable[int | str]
        if binder.over == "node":
            values = self.set(binder.domain, outer) if binder.domain is not None else self.all
        elif binder.over == "thread":
            values = range(self.threads)
        else:
            values = {event.variable for event in self.events if event.variable is not None}
        for value in values:
            yield from self._bindings(binders[1:], {**outer, binder.name: value})

    def _has(self, check: Check, bindings: Bindings) -> bool:
        value = self.value(check.term, bindings)
        if check.property == "empty":
            return not value
        relation = self.relation(check.term, bindings)
        if check.property == "irreflexive":
            return all(a != b for a, b in relation)
        return is_acyclic(relation)

    def value(self, term: Term, bindings: Bindings) -> Set | Relation:
        """What a term denotes."""
        if term.op is Op.FIX:
            return self._recursion(term, bindings)
        known = self._known[stage(term)]
        key = (term, *[bindings[name] for name in names_of(term) if name in bindings]) if bindings else (term,)
        if key not in known:
            known[key] = (self._set if term.kind is Kind.SET else self._relation)(term, bindings)
        return known[key]

    def _recursion(self, term: Term, outer: Bindings) -> Set | Relation:
        """A component of a recursion: evaluated again and again, until one evaluation of all bodies adds nothing."""
        now: dict[str, Set | Relation] = {f"{term.group}:{i}": frozenset() for i in range(len(term.args))}
        while True:
            before = dict(now)
            for i, body in enumerate(term.args):
                now[f"{term.group}:{i}"] = self.value(body, {**outer, **now})
            if all(now[name] <= before[name] for name in now):  # type: ignore[operator]
                return now[term.name]

    def set(self, term: Term, bindings: Bindings) -> Set:
        """The value of a term that is a set."""
        return cast(Set, self.value(term, bindings))

    def relation(self, term: Term, bindings: Bindings) -> Relation:
        """The value of a term that is a relation."""
        return cast(Relation, self.value(term, bindings))

    def _where(self, condition: Callable[[Event], bool]) -> Set:
        return frozenset(number for number, event in enumerate(self.events) if condition(event))

    def _pairs(self, condition: Callable[[Event, Event], bool]) -> Relation:
        numbered = list(enumerate(self.events))
        return frozenset((i, j) for i, a in numbered for j, b in numbered if condition(a, b))

    def _set(self, term: Term, bindings: Bindings) -> Set:
        match term.op:
            case Op.EVENTS:
                return self.all
            case Op.READS:
                return self._where(lambda event: event.kind == "R")
            case Op.WRITES:
                return self._where(lambda event: event.kind == "W")
            case Op.FENCES:
                return self._where(lambda event: event.kind == "F")
            case Op.INITS:
                return self._where(lambda event: event.thread == INITIAL)
            case Op.TAGGED:
                return self._where(lambda event: term.name in event.tags)
            case Op.BOUND:
                return frozenset([cast(int, bindings[term.name])])
            case Op.THREAD:
                return self._where(lambda event: event.thread == bindings[term.name])
            case Op.VARIABLE:
                return self._where(lambda event: event.variable == bindings[term.name])
            case Op.DOMAIN:
                return frozenset(a for a, _ in self.relation(term.args[0], bindings))
            case Op.RANGE:
                return frozenset(b for _, b in self.relation(term.args[0], bindings))
            case Op.EMPTY_SET:
                return frozenset()
            case Op.REC_SET:
                return cast(Set, bindings[term.name])
        left, right = (self.set(argument, bindings) for argument in term.args)
        return _boolean(term.op, left, right)

    def _relation(self, term: Term, bindings: Bindings) -> Relation:
        if term.op is Op.REC_RELATION:
            return cast(Relation, bindings[term.name])
        if term.op is Op.CROSS:
            first, second = (self.set(argument, bindings) for argument in term.args)
            return frozenset((a, b) for a in first for b in second)
        if term.op is Op.IDENTITY:
            return frozenset((a, a) for a in self.set(term.args[0], bindings))
        arguments = [self.relation(argument, bindings) for argument in term.args]
        if term.op is Op.SAME:
            starts = term.name.split(", ")
            names = [
                [{tag[len(start) + 1 :] for tag in event.tags if tag.startswith(f"{start}.")} for event in self.events]
                for start in (starts[0], starts[-1])
            ]
            return frozenset((a, b) for a, one in enumerate(names[0]) for b, two in enumerate(names[1]) if one & two)
        if not arguments:
            return self._base(term.op)
        if len(arguments) == 1:
            return self._of_one(term.op, arguments[0])
        left, right = arguments
        if term.op is Op.SEQUENCE:
            following = successors(right)
            return frozenset((a, c) for a, b in left for c in following.get(b, ()))
        return _boolean(term.op, left, right)

    def _of_one(self, op: Op, relation: Relation) -> Relation:
        identity = frozenset((event, event) for event in self.all)
        match op:
            case Op.INVERSE:
                return frozenset((b, a) for a, b in relation)
            case Op.PLUS:
                return closure(relation)
            case Op.STAR:
                return closure(relation) | identity
            case Op.OPTIONAL:
                return relation | identity
        raise ValueError(op)

    def _base(self, op: Op) -> Relation:
        match op:
            case Op.EMPTY_RELATION:
                return frozenset()
            case Op.RF:
                return self.rf
            case Op.MO:
                return self.mo
            case Op.FR:
                later = successors(self.mo)
                return frozenset((read, w) for write, read in self.rf for w in later.get(write, ()) if w != read)
            case Op.PO:
                return self._pairs(
                    lambda a, b: (
                        b.thread != INITIAL and (a.thread == INITIAL or (a.thread == b.thread and a.index < b.index))
                    )
                )
            case Op.LOC:
                return self._pairs(lambda a, b: a.variable is not None and a.variable == b.variable)
            case Op.INT:
                return self._pairs(lambda a, b: a.thread == b.thread != INITIAL)
            case Op.EXT:
                return self._pairs(lambda a, b: a.thread != b.thread)
            case Op.SI:
                return frozenset()  # the programs here have whole accesses; sizes.py is about others
            case Op.RMW:
                return self.dependencies("rmw", "pair")
            case Op.ADDR:
                return self.dependencies("addr")
            case Op.DATA:
                return self.dependencies("data")
            case Op.CTRL:
                return self.dependencies("ctrl")
            case Op.PICK_ADDR:
                return self.dependencies("pick_addr")
            case Op.PICK_DATA:
                return self.dependencies("pick_data")
            case Op.PICK_CTRL:
                return self.dependencies("pick_ctrl")
            case Op.ID:
                return frozenset((event, event) for event in self.all)
        raise ValueError(op)


def _boolean(op: Op, left: frozenset[T], right: frozenset[T]) -> frozenset[T]:
    match op:
        case Op.UNION:
            return left | right
        case Op.INTERSECT:
            return left & right
        case Op.DIFFERENCE:
            return left - right
    raise ValueError(op)
