"""What the terms of a model are on one execution, and whether its constraints hold there.

The engine has an evaluator of its own, for millions of graphs. This one is for pictures and explanations: it takes any
execution that was handed out, allowed or not, and keeps the value of every subterm.

A set of events is an int, bit n for the event at position n of `Execution.events`; a relation is a tuple of such sets,
one per event: what it is related to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_, or_
from typing import cast
from weakref import WeakKeyDictionary

from xgen.executions.execution import INITIAL, Execution
from xgen.memory.algebra import Binder, Check, Condition, Kind, Op, Term
from xgen.memory.terms import families_of
from xgen.records import dataclass

Rows = tuple[int, ...]
Value = int | Rows
Environment = Mapping[str, Value]
"""The values of binders (the sets of events that they stand for) and of the variables of recursions."""

_CLOSED: Environment = {}
_VARIABLES = (Op.BOUND, Op.THREAD, Op.VARIABLE, Op.REC_SET, Op.REC_RELATION)
_FREE: WeakKeyDictionary[Term, frozenset[str]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Failure:
    """Why a check does not hold: a cycle or a pair that should not be, as positions of events.

    `events` is the cycle, its first event not repeated at the end (`acyclic`); the event that is related to itself
    (`irreflexive`); the pair, or the member of the set (`empty`). It is () where a negated check fails: there, what is
    missing cannot be shown.
    """

    check: Check
    environment: Environment
    events: tuple[int, ...]


class Evaluator:
    """The values of terms on one execution."""

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.size = len(execution.events)
        self.all = (1 << self.size) - 1
        self._closed: dict[Term, Value] = {}

    def pairs(self, term: Term, environment: Environment = _CLOSED) -> list[tuple[int, int]]:
        """The pairs of a relation, in the order of the events."""
        return [(a, b) for a, row in enumerate(self.relation(term, environment)) for b in members(row)]

    def relation(self, term: Term, environment: Environment = _CLOSED) -> Rows:
        """The value of a term that is a relation."""
        return cast(Rows, self.value(term, environment))

    def set(self, term: Term, environment: Environment = _CLOSED) -> int:
        """The value of a term that is a set."""
        return cast(int, self.value(term, environment))

    def value(self, term: Term, environment: Environment = _CLOSED) -> Value:
        """What a term denotes; terms may be thousands of levels deep."""
        local: dict[Term, Value] = {}
        free_names(term)  # those of its subterms with it
        stack = [term]
        while stack:
            top = stack[-1]
            if top in self._closed or top in local:
                stack.pop()
                continue
            arguments = () if top.op is Op.FIX else top.args
            missing = [a for a in arguments if a not in self._closed and a not in local]
            if missing:
                stack += missing
                continue
            values = [self._closed[a] if a in self._closed else local[a] for a in arguments]
            (local if _FREE[top] else self._closed)[top] = self._compute(top, values, environment)
        return self._closed[term] if term in self._closed else local[term]

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is satisfied."""
        return next(self.failures(condition), None) is None

    def failures(self, condition: Condition) -> Iterator[Failure]:
        """Why a condition is not satisfied: of `and` the failures of each part that fails, of `or` those of all parts.

        One failure per check: for the first values of its binders for which it fails.
        """
        if isinstance(condition, Check):
            yield from self._check(condition)
            return
        parts = [list(self.failures(part)) for part in condition.parts]
        if condition.mode == "and" or all(parts):
            for part in parts:
                yield from part

    def environments(self, binders: tuple[Binder, ...], outer: Environment = _CLOSED) -> Iterator[Environment]:
        """Every choice of values for binders, the first one outermost."""
        if not binders:
            yield outer
            return
        for choice in self._choices(binders[0], outer):
            yield from self.environments(binders[1:], {**outer, binders[0].name: choice})

    # --- how terms are computed ---

    def _choices(self, binder: Binder, outer: Environment) -> list[int]:
        """What a binder goes through: single events, or all events of a thread or on a variable."""
        events = self.execution.events
        if binder.over == "node":
            domain = self.all if binder.domain is None else self.set(binder.domain, outer)
            return [1 << n for n in members(domain)]
        if binder.over == "thread":
            threads = range(len(self.execution.threads))
            return [self._where(lambda n, t=t: events[n].thread == t) for t in threads]  # type: ignore[misc]
        names = dict.fromkeys(event.variable for event in events if event.variable is not None)
        return [self._where(lambda n, v=v: events[n].variable == v) for v in names]  # type: ignore[misc]

    def _where(self, wanted: Callable[[int], bool]) -> int:
        return sum(1 << n for n in range(self.size) if wanted(n))

    def _compute(self, term: Term, values: list[Value], environment: Environment) -> Value:
        if term.op is Op.FIX:
            return self.fixed_point(term, environment)[term.name]
        if term.op in _VARIABLES:
            return environment[term.name]
        if term.args:
            return composed(term.op, values, self.size)
        if term.kind is Kind.SET:
            return self._set(term)
        return self._pairs_of_families(*families_of(term)) if term.op is Op.SAME else self._base(term.op)

    def _set(self, term: Term) -> int:
        events = self.execution.events
        if term.op is Op.EVENTS:
            return self.all
        if term.op in (Op.READS, Op.WRITES, Op.FENCES):
            return self._where(lambda n: events[n].kind == term.op.name[0])
        if term.op is Op.INITS:
            return self._where(lambda n: events[n].thread == INITIAL)
        if term.op is Op.TAGGED:
            return self._where(lambda n: term.name in events[n].tags)
        assert term.op is Op.EMPTY_SET
        return 0

    def _base(self, op: Op) -> Rows:
        events = self.execution.events
        if op is Op.EMPTY_RELATION:
            return (0,) * self.size
        if op is Op.ID:
            return tuple(1 << n for n in range(self.size))
        if op is Op.LOC:
            return self._same(lambda n: events[n].variable)
        if op is Op.INT:
            return self._same(lambda n: None if events[n].thread == INITIAL else events[n].thread)
        if op is Op.SI:
            rows = self._same(lambda n: (events[n].thread, events[n].group) if events[n].group is not None else None)
            return tuple(row & ~(1 << n) for n, row in enumerate(rows))
        if op is Op.BLOCK:
            return self._same(lambda n: (events[n].thread, events[n].block) if events[n].block else None)
        if op is Op.OBJ:
            return self._same(lambda n: None if events[n].thread == INITIAL else events[n].object)
        if op is Op.EXT:
            return tuple(self.all & ~row for row in self._same(lambda n: events[n].thread))
        if op is Op.PO:
            initial = self._where(lambda n: events[n].thread == INITIAL)
            rows = closure(self._rows(self.execution.po))
            return tuple(self.all & ~initial if initial >> n & 1 else row for n, row in enumerate(rows))
        if op is Op.MO:
            return closure(self._rows(self.execution.mo_edges))
        if op is Op.FR:
            after = self._base(Op.MO)
            origin = {read: write for write, read in self.execution.rf}
            return tuple(after[origin[n]] & ~(1 << n) if n in origin else 0 for n in range(self.size))
        return self._rows(getattr(self.execution, op.name.lower()))

    def _pairs_of_families(self, first: str, second: str) -> Rows:
        """Events that bear a same tag: what follows the family's name and a dot."""
        events = self.execution.events
        named = [
            [{tag[len(family) + 1 :] for tag in event.tags if tag.startswith(f"{family}.")} for event in events]
            for family in (first, second)
        ]
        return tuple(self._where(lambda n, own=own: bool(own & named[1][n])) for own in named[0])  # type: ignore[misc]

    def _rows(self, pairs: tuple[tuple[int, int], ...]) -> Rows:
        rows = [0] * self.size
        for a, b in pairs:
            rows[a] |= 1 << b
        return tuple(rows)

    def _same(self, key: Callable[[int], object]) -> Rows:
        """Events with the same key; None is no key."""
        classes: dict[object, int] = {}
        for n in range(self.size):
            classes[key(n)] = classes.get(key(n), 0) | 1 << n
        return tuple(0 if key(n) is None else classes[key(n)] for n in range(self.size))

    def fixed_point(self, term: Term, environment: Environment) -> dict[str, Value]:
        """The values of a recursion's variables."""
        return {name: value for name, _, value in self.rounds(term, environment)}

    def rounds(self, term: Term, environment: Environment) -> Iterator[tuple[str, Environment, Value]]:
        """How a recursion's variables get their values, as `xgen.memory.algebra` says: step by step a variable, the
        environment in which its body is evaluated, and the value that it gets.
        """
        names = [f"{term.group}:{i}" for i in range(len(term.args))]
        empty: dict[Kind, Value] = {Kind.SET: 0, Kind.RELATION: (0,) * self.size}
        now = {name: empty[body.kind] for name, body in zip(names, term.args, strict=True)}
        while True:
            before = dict(now)
            for name, body in zip(names, term.args, strict=True):
                inside = {**environment, **now}
                now[name] = self.value(body, inside)
                yield name, inside, now[name]
            if all(_is_subset(now[name], before[name]) for name in names):
                return

    # --- checks ---

    def _check(self, check: Check) -> Iterator[Failure]:
        for environment in self.environments(check.binders):
            events = self._broken(check, self.value(check.term, environment))
            if events is not None:
                if not check.negated:
                    yield Failure(check, environment, events)
                return
        if check.negated:
            yield Failure(check, _CLOSED, ())

    def _broken(self, check: Check, value: Value) -> tuple[int, ...] | None:
        if isinstance(value, int):
            return next(((n,) for n in members(value)), None)
        if check.property == "empty":
            return next(((a, b) for a, row in enumerate(value) for b in members(row)), None)
        if check.property == "irreflexive":
            return next(((n,) for n, row in enumerate(value) if row >> n & 1), None)
        return shortest_cycle(value)


def members(events: int) -> Iterator[int]:
    """The positions of a set's events, in ascending order."""
    while events:
        low = events & -events
        yield low.bit_length() - 1
        events ^= low


def composed(op: Op, values: Sequence[Value], size: int) -> Value:
    """What an operation makes of sets and relations of so many events."""
    if op in _BOOLEAN:
        if isinstance(values[0], int):
            return _BOOLEAN[op](*cast(Sequence[int], values))
        return tuple(map(_BOOLEAN[op], *cast(Sequence[Rows], values)))
    if op is Op.CROSS:
        first, second = cast(Sequence[int], values)
        return tuple(second if first >> n & 1 else 0 for n in range(size))
    if op is Op.IDENTITY:
        return tuple(cast(int, values[0]) & 1 << n for n in range(size))
    rows = cast(Rows, values[0])
    if op is Op.DOMAIN:
        return sum(1 << n for n, row in enumerate(rows) if row)
    if op is Op.RANGE:
        return reduce(or_, rows, 0)
    if op is Op.SEQUENCE:
        return tuple(reduce(or_, (cast(Rows, values[1])[m] for m in members(row)), 0) for row in rows)
    if op is Op.INVERSE:
        inverse = [0] * size
        for n, row in enumerate(rows):
            for m in members(row):
                inverse[m] |= 1 << n
        return tuple(inverse)
    if op is Op.OPTIONAL:
        return tuple(row | 1 << n for n, row in enumerate(rows))
    closed = closure(rows)
    return closed if op is Op.PLUS else composed(Op.OPTIONAL, [closed], size)


def shortest_path(rows: Rows, start: int, end: int) -> tuple[int, ...] | None:
    """A shortest way of at least one step, both ends included; None where there is none."""
    origin: dict[int, int] = {}
    line, reached = [start], 0
    while line:
        following = []
        for a in line:
            row = rows[a] & ~reached
            if row >> end & 1:
                path = [end, a]
                while path[-1] != start:
                    path.append(origin[path[-1]])
                return tuple(reversed(path))
            reached |= row
            for b in members(row & ~(1 << start)):
                origin[b] = a
                following.append(b)
        line = following
    return None


def shortest_cycle(rows: Rows) -> tuple[int, ...] | None:
    """The events of a shortest cycle, from the lowest of them on; None where there is no cycle."""
    if is_acyclic(rows):
        return None
    best: tuple[int, ...] | None = None
    for n in range(len(rows)):
        path = shortest_path(rows, n, n)
        if path and (best is None or len(path) - 1 < len(best)):
            best = path[:-1]
    return best


def is_acyclic(rows: Rows) -> bool:
    """Whether no event comes before itself: events are taken away, the last ones first, until none can be."""
    left = (1 << len(rows)) - 1
    while left:
        before = left
        for n in range(len(rows) - 1, -1, -1):
            if left >> n & 1 and not rows[n] & left:
                left ^= 1 << n
        if left == before:
            return False
    return True


def free_names(term: Term) -> frozenset[str]:
    """The binders and variables of recursions on which a term's value depends."""
    for part in term.subterms() if term not in _FREE else ():
        if part in _FREE:
            continue
        names = {part.name} if part.op in _VARIABLES else set().union(*(_FREE[a] for a in part.args))
        if part.op is Op.FIX:
            names = {name for name in names if name.rpartition(":")[0] != part.group}
        _FREE[part] = frozenset(names)
    return _FREE[term]


@lru_cache(maxsize=1 << 10)  # executions of one program have much in common
def closure(rows: Rows) -> Rows:
    """The transitive closure of a relation."""
    closed = list(rows)
    for k in range(len(closed)):
        bit, more = 1 << k, closed[k]
        if more:
            closed = [row | more if row & bit else row for row in closed]
    return tuple(closed)


_BOOLEAN: dict[Op, Callable[[int, int], int]] = {
    Op.UNION: or_,
    Op.INTERSECT: and_,
    Op.DIFFERENCE: lambda a, b: a & ~b,
}


def _is_subset(first: Value, second: Value) -> bool:
    if isinstance(first, int):
        return first & ~cast(int, second) == 0
    return all(a & ~b == 0 for a, b in zip(first, cast(Rows, second), strict=True))
