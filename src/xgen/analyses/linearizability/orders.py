"""Whether some order of calls explains what they returned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Literal, Protocol

from xgen.analyses.linearizability.clients import Place
from xgen.records import dataclass

Failures = Literal["exact", "stale", "contended"]
"""How calls that fail are judged, see `Judge`."""
History = Mapping[Place, int | None]
"""What calls returned; None is left open: anything will do. Calls that were not made are not in it."""
Before = Mapping[Place, frozenset[Place]]
"""For each call those that come before it, closed."""


class Steps(Protocol):
    """What the calls of one client may do one after the other, from the state `start` on."""

    start: Hashable

    def step(self, place: Place, state: Hashable) -> Sequence[tuple[int, Hashable]]:
        """What a call may return in a state, each with the state then; nothing: it waits."""
        ...


@dataclass(frozen=True)
class Judge:
    """How calls that fail are judged.

    exact      as all others
    stale      a failing call may have seen only some of the calls that succeed, in their order: all that come before
               it, none that come after it, with each all that come before that, and no fewer than failing calls before
    contended  besides, it may fail for no reason if it is not ordered with some call

    `fails` says of a call and its result whether it failed, `busy` whether it says that somebody was in the way, which
    is judged as contended always.
    """

    failures: Failures = "exact"
    fails: Callable[[Place, int], bool] = field(default=lambda _place, _result: False)
    busy: Callable[[Place, int], bool] = field(default=lambda _place, _result: False)


@dataclass(frozen=True)
class Explanation:
    """An order of the calls that succeed, and what each failing call has seen of them. `loose`: calls of which no
    order is asked. In exact ones, all are in the order."""

    order: tuple[Place, ...]
    views: Mapping[Place, frozenset[Place]] = field(default_factory=dict)
    loose: frozenset[Place] = frozenset()

    @property
    def plain(self) -> bool:
        """Whether it is an order of all calls."""
        return not self.views and not self.loose


def closed(pairs: Iterable[tuple[Place, Place]], places: Collection[Place]) -> Before | None:
    """For each call those that come before it by some pairs; None where one comes before itself."""
    before: dict[Place, set[Place]] = {place: set() for place in places}
    for a, b in pairs:
        if a in before and b in before:
            before[b].add(a)
    for middle, earlier in before.items():
        for sooner in before.values():
            if middle in sooner:
                sooner |= earlier
    if any(place in sooner for place, sooner in before.items()):
        return None
    return {place: frozenset(sooner) for place, sooner in before.items()}


def explain(
    history: History,
    steps: Steps,
    before: Before,
    judge: Judge = Judge(),
    final: Callable[[Hashable], bool] | None = None,
) -> Explanation | None:
    """An order that explains a history and goes with what comes before what; None: there is none.

    `final` is what the state at the end has to be.
    """
    weak, loose = _weak_and_loose(history, before, judge)
    if loose is None:
        return None
    solid = [place for place in history if place not in weak and place not in loose]
    for order in _orders(solid, history, steps, before, final, every=bool(weak)):
        if not weak:
            return Explanation(order, {}, loose)
        views = _views(order, sorted(weak, key=lambda f: len(before[f])), history, steps, before)
        if views is not None:
            return Explanation(order, views, loose)
    return None


def _weak_and_loose(history: History, before: Before, judge: Judge) -> tuple[frozenset[Place], frozenset[Place] | None]:
    """The calls that may have seen less, and those that may fail for no reason; None: one says that somebody was in the
    way, and nobody can have been."""

    def is_crowded(place: Place) -> bool:
        return any(other != place and other not in before[place] and place not in before[other] for other in history)

    known = {place: result for place, result in history.items() if result is not None}
    busy = {place for place, result in known.items() if judge.busy(place, result)}
    if not all(map(is_crowded, busy)):
        return frozenset(), None
    if judge.failures == "exact":
        return frozenset(), frozenset(busy)
    failing = {place for place, result in known.items() if judge.fails(place, result)} - busy
    if judge.failures == "contended":
        busy |= {place for place in failing if is_crowded(place)}
    return frozenset(failing - busy), frozenset(busy)


def _orders(
    solid: Sequence[Place],
    history: History,
    steps: Steps,
    before: Before,
    final: Callable[[Hashable], bool] | None,
    every: bool,
) -> Iterator[tuple[Place, ...]]:
    """The orders of calls that give their results: every one, or one if there is one."""
    dead: set[tuple[frozenset[Place], Hashable]] = set()
    needed = {place: before[place].intersection(solid) for place in solid}

    def go(done: frozenset[Place], order: tuple[Place, ...], state: Hashable) -> Iterator[tuple[Place, ...]]:
        if len(order) == len(solid):
            if final is None or final(state):
                yield order
            return
        if not every:
            if (done, state) in dead:
                return
            dead.add((done, state))
        for place in solid:
            if place in done or not needed[place] <= done:
                continue
            for result, after in steps.step(place, state):
                if history[place] is None or history[place] == result:
                    yield from go(done | {place}, (*order, place), after)

    return go(frozenset(), (), steps.start)


def _views(
    order: Sequence[Place], weak: Sequence[Place], history: History, steps: Steps, before: Before
) -> dict[Place, frozenset[Place]] | None:
    """For each failing call what it can have seen of an order; None: one cannot have failed."""
    may_see = {}
    for place in weak:
        may_see[place] = list(_seen_by(place, order, history, steps, before))
        if not may_see[place]:
            return None
    chosen: dict[Place, frozenset[Place]] = {}

    def pick(number: int) -> bool:
        if number == len(weak):
            return True
        place = weak[number]
        for view in may_see[place]:
            if all(chosen[sooner] <= view for sooner in weak[:number] if sooner in before[place]):
                chosen[place] = view
                if pick(number + 1):
                    return True
                del chosen[place]
        return False

    return chosen if pick(0) else None


def _seen_by(
    place: Place, order: Sequence[Place], history: History, steps: Steps, before: Before
) -> Iterator[frozenset[Place]]:
    """The parts of an order after which a call fails as it did."""
    sure = frozenset(other for other in order if other in before[place])
    open_ = [other for other in order if other not in sure and place not in before[other]]
    for number in range(len(open_) + 1):
        for more in combinations(open_, number):
            view = sure.union(more)
            if any(not before[other].intersection(order) <= view for other in view):
                continue
            for state in _states([other for other in order if other in view], history, steps):
                if any(history[place] in (None, result) for result, _ in steps.step(place, state)):
                    yield view
                    break


def _states(order: Sequence[Place], history: History, steps: Steps) -> set[Hashable]:
    """The states after calls in an order, if they can return there what they did."""
    states: set[Hashable] = {steps.start}
    for place in order:
        states = {
            after
            for state in states
            for result, after in steps.step(place, state)
            if history[place] is None or history[place] == result
        }
    return states
