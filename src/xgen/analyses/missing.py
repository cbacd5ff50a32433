"""What a data race lacks: the route from one of its events to the other that takes the fewest orders.

Ways go along program order (starts and joins are in it) and the model's own `sw`, which is asked four times: as the
execution is, with every atomic write releasing, with every atomic read acquiring, and with both. A pair that there is
only then lacks the one order, or the other, or both; so release sequences and fences count as the model says. That the
orders found really put one event before the other is asked of the model's flag itself. Of models that do not say what
synchronises nothing is said.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import count, pairwise
from typing import NamedTuple

from xgen.analyses.orders import ACQUIRING, ORDERS, RELEASING
from xgen.executions.execution import INITIAL, Execution, Violation
from xgen.executions.missing import Missing
from xgen.memory.adapt import ATOMIC_TAGS, LIFETIMES
from xgen.memory.algebra import Check, Constraint, Kind, Model, Term
from xgen.memory.evaluate import Evaluator
from xgen.memory.undefined import VOLATILE
from xgen.records import replace

Tags = Mapping[int, str]
"""Other orders of some events, by position."""
Needs = tuple[tuple[int, str], ...]
"""Events, by position, with the orders that they lack."""


def with_missing(execution: Execution, model: Model) -> Execution:
    """The execution with what its races lack, instead of other hints. `model` is the problem's."""
    if not any(violation.kind == "race" and violation.missing is None for violation in execution.violations):
        return execution
    synchronises = next(
        (d.term for d in model.definitions if d.name == "sw" and not d.binders and d.term.kind is Kind.RELATION), None
    )
    if synchronises is None:
        return execution
    search = _Search(execution, model, synchronises)
    violations = []
    for violation in execution.violations:
        missing = search.of(violation) if violation.kind == "race" and violation.missing is None else None
        hint = violation.hint if violation.hint == VOLATILE else None
        violations.append(violation if missing is None else replace(violation, hint=hint, missing=missing))
    return replace(execution, violations=tuple(violations))


class _Route(NamedTuple):
    """A way to an event: what it costs, and what it lacks. `path` has its ends, and where it goes between threads."""

    cost: int
    crossings: int
    number: int
    at: int
    path: tuple[int, ...]
    needs: Needs


class _Search:
    """What races of one execution lack. `next` has for each event those that come after it at once, with what that
    takes."""

    def __init__(self, execution: Execution, model: Model, synchronises: Term) -> None:
        self.execution, self.model = execution, model
        self.place = {event.id: number for number, event in enumerate(execution.events)}
        self.releasing = dict(self._stronger("W", RELEASING))
        self.acquiring = dict(self._stronger("R", ACQUIRING))
        self.next: list[list[tuple[int, Needs]]] = [[] for _ in execution.events]
        for a, b in execution.po:
            self.next[a].append((b, ()))
        known = set[tuple[int, int]]()
        for released, acquired in ((False, False), (True, False), (False, True), (True, True)):
            orders = (self.releasing if released else {}) | (self.acquiring if acquired else {})
            for a, b in Evaluator(with_tags(execution, orders)).pairs(synchronises):
                if (a, b) not in known:
                    known.add((a, b))
                    release = ((a, self.releasing[a]),) if released else ()
                    acquire = ((b, self.acquiring[b]),) if acquired else ()
                    self.next[a].append((b, release + acquire))

    def _stronger(self, kind: str, table: Mapping[str, str]) -> Iterator[tuple[int, str]]:
        """What each atomic event of a kind that is too weak would have for its order."""
        for number, event in enumerate(self.execution.events):
            if event.kind == kind and event.thread != INITIAL:
                for order in event.tags & table.keys():
                    yield number, table[order]

    def of(self, violation: Violation) -> Missing | None:
        """What a race lacks; None: nothing can be said of it by orders."""
        flag = next((c for c in self.model.constraints if self._raised(c, violation, {})), None)
        if flag is None:
            return None
        one, other = sorted(map(self.place.__getitem__, violation.events), key=self._step)
        routes = [route for route in (self.route(one, other), self.route(other, one)) if route is not None]
        for route in sorted(routes, key=lambda route: route[:2]):
            orders = dict(route.needs)
            if not self._raised(flag, violation, orders):
                names = [event.id for event in self.execution.events]
                lacks = tuple((names[number], order) for number, order in self._merged(orders).items())
                return Missing(self.model.name, tuple(names[number] for number in route.path), lacks)
        if routes or not self._spoken(one) & self._spoken(other):
            return None
        return Missing(self.model.name, ())

    def _step(self, number: int) -> int:
        return self.execution.events[number].step

    def route(self, start: int, end: int) -> _Route | None:
        """The route from an event to another that lacks the fewest orders, and of these changes threads the least."""
        numbers, threads = count(), [event.thread for event in self.execution.events]
        best = {start: (0, 0)}
        line = [_Route(0, 0, next(numbers), start, (start,), ())]
        while line:
            route = heapq.heappop(line)
            if route.at == end:
                return route._replace(path=tuple(dict.fromkeys((*route.path, end))))
            if route[:2] > best[route.at]:
                continue
            for to, lacks in self.next[route.at]:
                across = threads[to] != threads[route.at]
                weight = route.cost + len(lacks), route.crossings + across
                if to not in best or weight < best[to]:
                    best[to] = weight
                    path = tuple(dict.fromkeys((*route.path, route.at, to))) if across else route.path
                    heapq.heappush(line, _Route(*weight, next(numbers), to, path, route.needs + lacks))
        return None

    def _merged(self, orders: dict[int, str]) -> dict[int, str]:
        """The orders; of an update that lacks two, both as one."""
        found = dict(orders)
        for read, write in self.execution.rmw:
            if read in found and write in found:
                found[write] = _joined(found.pop(read), found[write])
        return found

    def _raised(self, constraint: Constraint, violation: Violation, orders: Tags) -> bool:
        """Whether a flag is about the two events, with other orders of some events."""
        check = constraint.condition
        if not constraint.undefined or constraint.name in LIFETIMES or not isinstance(check, Check):
            return False
        if check.property != "empty" or check.term.kind is not Kind.RELATION:
            return False
        evaluator = Evaluator(with_tags(self.execution, orders))
        a, b = (self.place[name] for name in violation.events)
        values = (evaluator.relation(check.term, each) for each in evaluator.environments(check.binders))
        return any(rows[a] >> b & 1 or rows[b] >> a & 1 for rows in values)

    def _spoken(self, number: int) -> set[str | None]:
        """Variables that the event's thread has accessed atomically before: what it meant to agree with others on."""
        event = self.execution.events[number]
        return {
            earlier.variable
            for earlier in self.execution.events
            if earlier.thread == event.thread and earlier.index < event.index and earlier.tags & ATOMIC_TAGS
        } - {None}


def steps_of(execution: Execution, missing: Missing) -> tuple[tuple[str, int, int], ...]:
    """The route as edges: po, start, join, rf, and `sw` where it is by way of fences or updates."""
    place = {event.id: number for number, event in enumerate(execution.events)}
    path = [place[name] for name in missing.path]
    kinds = {"rf": set(execution.rf), "start": set(execution.starts), "join": set(execution.joins)}

    def name(a: int, b: int) -> str:
        if execution.events[a].thread == execution.events[b].thread:
            return "po"
        found = next((kind for kind, pairs in kinds.items() if (a, b) in pairs), "sw")
        return "meet" if found == "join" and "meet" in execution.events[b].tags else found

    return tuple((name(a, b), a, b) for a, b in pairwise(path))


def with_tags(execution: Execution, orders: Tags) -> Execution:
    """The execution with other orders of some events; both events of an update have one."""
    if not orders:
        return execution
    whole = dict(orders)
    for read, write in execution.rmw:
        if read in whole or write in whole:
            own = orders.get(read) or orders[write], orders.get(write) or orders[read]
            whole[read] = whole[write] = _joined(*own)
    events = [
        replace(event, tags=event.tags - set(ORDERS) | {whole[number]}) if number in whole else event
        for number, event in enumerate(execution.events)
    ]
    return replace(execution, events=tuple(events))


def _joined(one: str, other: str) -> str:
    """The weakest order that is as strong as two: those that release, or acquire."""
    return one if one == other else "acq_rel"
