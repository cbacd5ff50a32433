"""The order of instructions in which ways that meet wait for each other: jumps go on, but for those of loops."""

from __future__ import annotations

import random

from xgen.lowering.analysis.layout import Layout, layout


def holds(found: Layout, successors: dict[int, list[int]]) -> None:
    """Loops are nested or apart, and each jump back goes to the head of one that it is in."""
    assert sorted(found.order) == sorted(successors)
    assert all(found.order[place] == pc for pc, place in found.place.items())
    loops = [*found.tails.items()]
    for head, tail in loops:
        assert head <= tail
        assert all(b < head or tail < a or (head <= a and b <= tail) or (a <= head and tail <= b) for a, b in loops)
    for pc, others in successors.items():
        for other in others:
            at, to = found.place[pc], found.place[other]
            assert to > at or (to in found.tails and to <= at <= found.tails[to])


def test_code_in_order_stays_as_it_is() -> None:
    successors = {0: [1], 1: [2, 5], 2: [3, 4], 3: [2], 4: [1], 5: []}
    assert layout(0, successors) == Layout([0, 1, 2, 3, 4, 5], {n: n for n in range(6)}, {1: 4, 2: 3})


def test_a_jump_back_that_is_of_no_loop() -> None:
    successors = {0: [1, 3], 1: [2], 2: [], 3: [1]}
    assert layout(0, successors) == Layout([0, 3, 1, 2], {0: 0, 3: 1, 1: 2, 2: 3}, {})


def test_a_loop_behind_what_follows_it() -> None:
    successors = {0: [3], 1: [2], 2: [], 3: [4, 1], 4: [3]}
    found = layout(0, successors)
    assert (found.order, found.tails) == ([0, 3, 4, 1, 2], {1: 2})


def test_random_graphs() -> None:
    """Also such as have loops with several ways in."""
    draw, loops = random.Random(7), 0
    for _ in range(300):
        size = draw.randrange(1, 12)
        successors = {n: draw.sample(range(size), draw.choice([0, 1, 1, 2]) if size > 1 else 0) for n in range(size)}
        found = layout(0, successors)
        holds(found, successors)
        loops += len(found.tails)
    assert loops > 100
