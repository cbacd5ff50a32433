"""What a specification allows, and what rules it out, against all permutations of the calls."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, permutations

import pytest

from xgen.analyses.linearizability.clients import AFTER, Call, Client, Slot
from xgen.analyses.linearizability.forecast import PAIRS, allowed, forecast, killers
from xgen.analyses.linearizability.orders import Judge

Pair = tuple[Slot, Slot]


class Queue:
    """The calls of a client on a queue; `waits`: a get of an empty one does."""

    start: Hashable = ()

    def __init__(self, client: Client, waits: bool) -> None:
        self.client, self.waits = client, waits

    def step(self, slot: Slot, state: Hashable) -> Sequence[tuple[int, Hashable]]:
        assert isinstance(state, tuple)
        call = self.client.calls[slot]
        if call.name == "put":
            return [(1, (*state, call.argument))]
        if state:
            return [(state[0], state[1:])]
        return [] if self.waits else [(0, state)]


def client(threads: str, after: int = 0) -> Client:
    """`put get|get`: puts have the numbers from 1 on."""
    number, rows = 0, []
    for row in threads.split("|"):
        calls = []
        for name in row.split():
            number += name == "put"
            calls.append(Call(name, number if name == "put" else None))
        rows.append(tuple(calls))
    return Client((), tuple(rows), (Call("get"),) * after, bool(after))


def lines(made: Client, waits: bool) -> Iterator[tuple[tuple[Slot, ...], frozenset[tuple[Slot, int]]]]:
    """All orders of the calls that go with the client, with what is returned."""
    for line in permutations(made.calls):
        if any(line.index(b) < line.index(a) for a, b in made.order):
            continue
        values: list[int] = []
        told: dict[Slot, int] = {}
        for slot in line:
            call = made.calls[slot]
            if call.argument is not None:
                values.append(call.argument)
                told[slot] = 1
            elif values or not waits:
                told[slot] = values.pop(0) if values else 0
            else:
                break
        else:
            nothing = [k for (thread, k), result in told.items() if thread == AFTER and result == 0]
            yield line, frozenset((p, r) for p, r in told.items() if p[0] != AFTER or p[1] <= min([*nothing, p[1]]))


CLIENTS = [
    ("put|get|get", 1),
    ("put|put|get", 2),
    ("put|put|get|get", 0),
    ("put get|put|get", 1),
    ("put put|get get", 1),
]


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("threads", "after"), CLIENTS)
def test_against_all_permutations(threads: str, after: int, waits: bool) -> None:
    made = client(threads, after)
    steps, every = Queue(made, waits), list(lines(made, waits))
    assert allowed(made, steps, 0) == {told for _, told in every}
    pairs = [(a, b) for a, b in permutations(made.parallel, 2) if a[0] != b[0]]
    all_lines = [line for line in permutations(made.calls) if all(line.index(a) < line.index(b) for a, b in made.order)]

    def goes(line: Sequence[Slot], order: Sequence[Pair]) -> bool:
        return all(line.index(a) < line.index(b) for a, b in order)

    for told in {told for _, told in every}:
        wrong: list[frozenset[Pair]] = []
        for number in range(1, PAIRS + 1):
            for order in combinations(pairs, number):
                known = any(smaller <= frozenset(order) for smaller in wrong)
                if known or not any(goes(line, order) for line in all_lines):
                    continue
                if not any(goes(line, order) for line, results in every if results == told):
                    wrong.append(frozenset(order))
        assert {frozenset(order) for order in killers(made, dict(told), steps, Judge())} == set(wrong)


@pytest.mark.parametrize(("puts", "gets", "number"), [(3, 3, 17), (4, 3, 22)])
def test_up_to_names(puts: int, gets: int, number: int) -> None:
    """As a program counts them that shares no code with this one; those with most flags come first."""
    made = client("|".join(["put"] * puts + ["get"] * gets), puts - gets)
    found = forecast(made, Queue(made, True), Judge(), 0, {"put"}, lambda: False)
    assert len(found) == number
    sizes = [len(order) for _, order in found]
    assert sizes == sorted(sizes, reverse=True)
    few = forecast(made, Queue(made, True), Judge(), 0, {"put"}, lambda: False, 3)
    assert [len(order) for _, order in few] == sizes[:3]
    for told, order in few:  # each is one that rules its history out, and they are different ones
        assert order in killers(made, told, Queue(made, True), Judge())
    assert len({(frozenset(told.items()), order) for told, order in few}) == 3
    assert forecast(made, Queue(made, True), Judge(), 0, {"put"}, lambda: True) == []
