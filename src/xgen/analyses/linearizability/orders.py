"""Whether some order of calls explains what they returned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Literal, Protocol

from xgen.analyses.linearizability.clients import Slot
from xgen.records import dataclass

Failures = Literal["exact", "stale", "contended"]
"""How calls that fail are judged, see `Judge`."""
History = Mapping[Slot, int | None]
"""What calls returned; None is left open: anything will do. Calls that were not made are not in it."""
Before = Mapping[Slot, frozenset[Slot]]
"""For each call those that come before it, closed."""


class Steps(Protocol):
    """What the calls of one client may do one after the other, from the state `start` on."""

    start: Hashable

    def step(self, slot: Slot, state: Hashable) -> Sequence[tuple[int, Hashable]]:
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
    fails: Callable[[Slot, int], bool] = field(default=lambda _slot, _result: False)
    busy: Callable[[Slot, int], bool] = field(default=lambda _slot, _result: False)


@dataclass(frozen=True)
class Explanation:
    """An order of the calls that succeed, and what each failing call has seen of them. `loose`: calls of which no
    order is asked. In exact ones, all are in the order."""

    order: tuple[Slot, ...]
    views: Mapping[Slot, frozenset[Slot]] = field(default_factory=dict)
    loose: frozenset[Slot] = frozenset()

    @property
    def plain(self) -> bool:
        """Whether it is an order of all calls."""
        return not self.views and not self.loose


def closed(pairs: Iterable[tuple[Slot, Slot]], slots: Collection[Slot]) -> Before | None:
    """For each call those that come before it by some pairs; None where one comes before itself."""
    before: dict[Slot, set[Slot]] = {slot: set() for slot in slots}
    for a, b in pairs:
        if a in before and b in before:
            before[b].add(a)
    for middle, earlier in before.items():
        for sooner in before.values():
            if middle in sooner:
                sooner |= earlier
    if any(slot in sooner for slot, sooner in before.items()):
        return None
    return {slot: frozenset(sooner) for slot, sooner in before.items()}


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
    solid = [slot for slot in history if slot not in weak and slot not in loose]
    for order in _orders(solid, history, steps, before, final, every=bool(weak)):
        if not weak:
            return Explanation(order, {}, loose)
        views = _views(order, sorted(weak, key=lambda f: len(before[f])), history, steps, before)
        if views is not None:
            return Explanation(order, views, loose)
    return None


def _weak_and_loose(history: History, before: Before, judge: Judge) -> tuple[frozenset[Slot], frozenset[Slot] | None]:
    """The calls that may have seen less, and those that may fail for no reason; None: one says that somebody was in the
    way, and nobody can have been."""

    def is_crowded(slot: Slot) -> bool:
        return any(other != slot and other not in before[slot] and slot not in before[other] for other in history)

    known = {slot: result for slot, result in history.items() if result is not None}
    busy = {slot for slot, result in known.items() if judge.busy(slot, result)}
    if not all(map(is_crowded, busy)):
        return frozenset(), None
    if judge.failures == "exact":
        return frozenset(), frozenset(busy)
    failing = {slot for slot, result in known.items() if judge.fails(slot, result)} - busy
    if judge.failures == "contended":
        busy |= {slot for slot in failing if is_crowded(slot)}
    return frozenset(failing - busy), frozenset(busy)


def _orders(
    solid: Sequence[Slot],
    history: History,
    steps: Steps,
    before: Before,
    final: Callable[[Hashable], bool] | None,
    every: bool,
) -> Iterator[tuple[Slot, ...]]:
    """The orders of calls that give their results: every one, or one if there is one."""
    dead: set[tuple[frozenset[Slot], Hashable]] = set()
    needed = {slot: before[slot].intersection(solid) for slot in solid}

    def go(done: frozenset[Slot], order: tuple[Slot, ...], state: Hashable) -> Iterator[tuple[Slot, ...]]:
        if len(order) == len(solid):
            if final is None or final(state):
                yield order
            return
        if not every:
            if (done, state) in dead:
                return
            dead.add((done, state))
        for slot in solid:
            if slot in done or not needed[slot] <= done:
                continue
            for result, after in steps.step(slot, state):
                if history[slot] is None or history[slot] == result:
                    yield from go(done | {slot}, (*order, slot), after)

    return go(frozenset(), (), steps.start)


def _views(
    order: Sequence[Slot], weak: Sequence[Slot], history: History, steps: Steps, before: Before
) -> dict[Slot, frozenset[Slot]] | None:
    """For each failing call what it can have seen of an order; None: one cannot have failed."""
    may_see = {}
    for slot in weak:
        may_see[slot] = list(_seen_by(slot, order, history, steps, before))
        if not may_see[slot]:
            return None
    chosen: dict[Slot, frozenset[Slot]] = {}

    def pick(number: int) -> bool:
        if number == len(weak):
            return True
        slot = weak[number]
        for view in may_see[slot]:
            if all(chosen[sooner] <= view for sooner in weak[:number] if sooner in before[slot]):
                chosen[slot] = view
                if pick(number + 1):
                    return True
                del chosen[slot]
        return False

    return chosen if pick(0) else None


def _seen_by(
    slot: Slot, order: Sequence[Slot], history: History, steps: Steps, before: Before
) -> Iterator[frozenset[Slot]]:
    """The parts of an order after which a call fails as it did."""
    sure = frozenset(other for other in order if other in before[slot])
    open_ = [other for other in order if other not in sure and slot not in before[other]]
    for number in range(len(open_) + 1):
        for more in combinations(open_, number):
            view = sure.union(more)
            if any(not before[other].intersection(order) <= view for other in view):
                continue
            for state in _states([other for other in order if other in view], history, steps):
                if any(history[slot] in (None, result) for result, _ in steps.step(slot, state)):
                    yield view
                    break


def _states(order: Sequence[Slot], history: History, steps: Steps) -> set[Hashable]:
    """The states after calls in an order, if they can return there what they did."""
    states: set[Hashable] = {steps.start}
    for slot in order:
        states = {
            after
            for state in states
            for result, after in steps.step(slot, state)
            if history[slot] is None or history[slot] == result
        }
    return states
