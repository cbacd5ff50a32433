"""Orders of calls against all permutations, each tried as the definition says it; no code is shared."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from itertools import chain, combinations, permutations
from typing import Any

import pytest

from xgen.analyses.linearizability.orders import Judge, closed, explain

Place = tuple[int, int]
Step = Callable[[str, int | None, Any], list[tuple[int, Any]]]


def queue(op: str, value: int | None, state: tuple[int, ...]) -> list[tuple[int, Any]]:
    if op == "put":
        return [(1, (*state, value))] if len(state) < 2 else [(0, state)]
    return [(state[0], state[1:])] if state else [(0, state)]


def stack(op: str, value: int | None, state: tuple[int, ...]) -> list[tuple[int, Any]]:
    if op == "put":
        return [(1, (*state, value))]
    return [(state[-1], state[:-1])] if state else []  # a get waits


def bag(op: str, value: int | None, state: tuple[int, ...]) -> list[tuple[int, Any]]:
    if op == "put":
        return [(1, tuple(sorted((*state, value or 0))))]
    return [(v, tuple(w for w in state if w != v)) for v in state] or [(0, state)]


SPECIFICATIONS: dict[str, Step] = {"queue": queue, "stack": stack, "bag": bag}


class Steps:
    """A specification for the calls of one history."""

    def __init__(self, step: Step, calls: dict[Place, tuple[str, int | None]]) -> None:
        self.start: Hashable = ()
        self.function = step
        self.calls = calls

    def step(self, place: Place, state: Hashable) -> list[tuple[int, Hashable]]:
        return self.function(*self.calls[place], state)


def histories(seed: int, number: int, most: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Random calls, results and orders: half of them from a run of the specification, so that many are explained."""
    rnd = random.Random(seed)
    for _ in range(number):
        name = rnd.choice(list(SPECIFICATIONS))
        size, calls, value = rnd.randint(1, most), {}, 0
        for k in range(size):
            place = (rnd.randint(0, 2), k)
            put = rnd.random() < 0.5
            value += put
            calls[place] = ("put", value) if put else ("get", None)
        order = rnd.sample(list(calls), size)
        state: Any = ()
        results = {}
        for place in order:
            found = SPECIFICATIONS[name](*calls[place], state)
            results[place], state = rnd.choice(found) if found else (0, state)
        if rnd.random() < 0.6:
            place = rnd.choice(order)
            results[place] = rnd.randint(0, 1 if calls[place][0] == "put" else value)
        pairs = [(a, b) for a in calls for b in calls if a[0] == b[0] and a[1] < b[1]]
        pairs += [(a, b) for a, b in permutations(calls, 2) if a[0] != b[0] and rnd.random() < 0.12]
        yield name, calls, results, pairs


def reached(pairs: list[tuple[Place, Place]], a: Place, b: Place) -> bool:
    """Whether a comes before b, over any number of pairs."""
    seen, line = {a}, [a]
    while line:
        here = line.pop()
        for x, y in pairs:
            if x == here and y == b:
                return True
            if x == here and y not in seen:
                seen.add(y)
                line.append(y)
    return False


def runs(step: Step, calls: Any, results: Any, order: tuple[Place, ...]) -> list[Any]:
    """The states behind calls that return these results in this order."""
    states: list[Any] = [()]
    for place in order:
        states = [after for state in states for r, after in step(*calls[place], state) if r == results[place]]
    return states


def exact(step: Step, calls: Any, results: Any, pairs: Any) -> bool:
    return any(
        runs(step, calls, results, order)
        for order in permutations(calls)
        if not any(order.index(b) < order.index(a) for a, b in pairs)
    )


def weaker(step: Step, calls: Any, results: Any, pairs: Any, contended: bool) -> bool:
    """As docs/linearizable.md says: an order of what succeeds, and for each failing call a part that it has seen."""
    if any(reached(pairs, a, a) for a in calls):
        return False
    failing = [a for a in calls if results[a] == 0]
    if contended:
        alone = [f for f in failing if all(c == f or reached(pairs, c, f) or reached(pairs, f, c) for c in calls)]
    else:
        alone = failing
    solid = [a for a in calls if a not in failing]

    def views(f: Place, order: tuple[Place, ...]) -> Iterator[frozenset[Place]]:
        for view in chain.from_iterable(combinations(order, n) for n in range(len(order) + 1)):
            seen = set(view)
            sure = all(c in seen for c in order if reached(pairs, c, f))
            late = any(reached(pairs, f, c) for c in seen)
            whole = all(d in seen for c in seen for d in order if reached(pairs, d, c))
            if sure and not late and whole:
                states = runs(step, calls, results, view)
                if any(r == results[f] for state in states for r, _ in step(*calls[f], state)):
                    yield frozenset(view)

    def grow(order: tuple[Place, ...], chosen: dict[Place, frozenset[Place]], left: list[Place]) -> bool:
        if not left:
            return all(chosen[f] <= chosen[g] for f in chosen for g in chosen if reached(pairs, f, g))
        return any(grow(order, {**chosen, left[0]: view}, left[1:]) for view in views(left[0], order))

    return any(
        runs(step, calls, results, order) and grow(order, {}, alone)
        for order in permutations(solid)
        if not any(reached(pairs, b, a) for n, a in enumerate(order) for b in order[n + 1 :])
    )


@pytest.mark.parametrize(("mode", "most", "number"), [("exact", 6, 1500), ("stale", 5, 700), ("contended", 5, 700)])
def test_as_all_permutations_say(mode: Any, most: int, number: int) -> None:
    explained = 0
    for name, calls, results, pairs in histories(7, number, most):
        step = SPECIFICATIONS[name]
        before = closed(pairs, calls)
        judge = Judge(mode, fails=lambda _place, result: result == 0)
        found = before is not None and explain(results, Steps(step, calls), before, judge) is not None
        if mode == "exact":
            wanted = exact(step, calls, results, pairs)
        else:
            wanted = weaker(step, calls, results, pairs, mode == "contended")
        assert found == wanted, (name, calls, results, pairs)
        explained += found
    assert number / 5 < explained < number * 4 / 5


def test_a_call_that_says_that_somebody_was_in_the_way_was_not_alone() -> None:
    calls = {(0, 0): ("put", 1), (1, 0): ("get", None)}
    judge = Judge("exact", busy=lambda _place, result: result == -1)
    results = {(0, 0): 1, (1, 0): -1}
    steps = Steps(queue, calls)
    for pairs, right in (([], True), ([((0, 0), (1, 0))], False), ([((1, 0), (0, 0))], False)):
        before = closed(pairs, calls)
        assert before is not None
        assert (explain(results, steps, before, judge) is not None) == right
    before = closed([], [(1, 0)])
    assert before is not None
    assert explain({(1, 0): -1}, steps, before, judge) is None
