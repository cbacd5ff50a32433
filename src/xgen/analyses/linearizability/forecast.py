"""Specification first: what may be wrong with a large client, before all of it is explored.

Each history that the specification allows is ruled out by some orders of calls. The client with such an order in it, by
flags, has few executions; one of them with this history is wrong. Of histories and orders that differ by names only (of
threads that make the same calls, and of the values that they put), one is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import chain, permutations, product
from math import factorial, prod

from xgen.analyses.linearizability.clients import AFTER, Client, Slot
from xgen.analyses.linearizability.handshakes import Order
from xgen.analyses.linearizability.orders import Before, Judge, Steps, closed, explain

PAIRS = 3
"""Flags of an order, at most."""
RENAMINGS = 3000
"""Beyond so many, names are taken as they are."""

History = frozenset[tuple[Slot, int]]
Asked = tuple[dict[Slot, int], Order]


def forecast(
    client: Client,
    steps: Steps,
    judge: Judge,
    empty: int,
    puts: Collection[str],
    over: Callable[[], bool],
    most: int | None = None,
) -> list[Asked]:
    """Histories with orders that rule them out, those with most flags first, which leave the fewest executions.

    `empty`: what gets return where there is nothing; `puts`: operations that are given values of their own. Once `over`
    says so, what there is by then. `most`: no more are wanted.
    """
    names = list(_renamings(client, puts))
    found: dict[tuple[object, ...], Asked] = {}
    seen = set()
    full = 0  # of those found, the number of those with PAIRS flags
    for history in sorted(allowed(client, steps, empty), key=sorted):
        if over() or (most is not None and full >= most):
            break
        if (shape := _shape(history, (), names)) in seen:
            continue
        seen.add(shape)
        for order in reversed(killers(client, dict(history), steps, judge)):  # the largest ones first
            if most is not None and full >= most:
                break
            before = len(found)
            found.setdefault(_shape(history, order, names), (dict(history), order))
            full += len(order) == PAIRS and len(found) > before
    return sorted(found.values(), key=lambda asked: -len(asked[1]))[:most]


def allowed(client: Client, steps: Steps, empty: int) -> set[History]:
    """What calls may return in some order of all; of those after the threads, up to the first that finds nothing."""
    before = closed(client.order, client.calls)
    assert before is not None
    known: dict[tuple[frozenset[Slot], Hashable], frozenset[History]] = {}

    def rest(done: frozenset[Slot], state: Hashable) -> frozenset[History]:
        key = (done, state)
        if key not in known:
            found = set[History]()
            for slot in client.calls:
                if slot not in done and before[slot] <= done:
                    for result, after in steps.step(slot, state):
                        found.update(more | {(slot, result)} for more in rest(done | {slot}, after))
            known[key] = frozenset(found) if len(done) < len(client.calls) else frozenset([frozenset()])
        return known[key]

    def made(history: History) -> History:
        last = [k for (thread, k), result in history if thread == AFTER and client.drained and result == empty]
        return frozenset((p, r) for p, r in history if p[0] != AFTER or not last or p[1] <= min(last))

    return {made(history) for history in rest(frozenset(), steps.start)}


def killers(client: Client, history: Mapping[Slot, int], steps: Steps, judge: Judge) -> list[Order]:
    """The smallest orders of up to PAIRS flags under which nothing explains a history."""
    found: list[frozenset[tuple[Slot, Slot]]] = []
    todo: dict[frozenset[tuple[Slot, Slot]], None] = {frozenset(): None}
    for size in range(PAIRS + 1):
        larger: dict[frozenset[tuple[Slot, Slot]], None] = {}
        for order in todo:
            before = closed([*client.order, *order], client.calls)
            if before is None or any(smaller <= order for smaller in found):
                continue
            explanation = explain(history, steps, _only(before, history), judge)
            if explanation is None:
                found.append(order)
            elif size < PAIRS:
                at = {slot: n for n, slot in enumerate(explanation.order)}
                pairs = [(a, b) for a, b in permutations(client.parallel, 2) if at[b] < at[a] and a[0] != b[0]]
                larger |= dict.fromkeys(order | {pair} for pair in pairs)
        todo = larger
    return [tuple(sorted(order)) for order in found]


def _only(before: Before, history: Mapping[Slot, int]) -> Before:
    return {slot: before[slot].intersection(history) for slot in history}


def _renamings(client: Client, puts: Collection[str]) -> Iterator[tuple[dict[Slot, Slot], dict[tuple[Slot, int], int]]]:
    """The ways to exchange threads that make the same calls but for values: where each call goes, and each value."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for thread, row in enumerate(client.threads):
        key = tuple((call.name, None if call.name in puts else call.argument) for call in row)
        groups.setdefault(key, []).append(thread)
    few = prod(factorial(len(group)) for group in groups.values()) <= RENAMINGS
    rows = list(chain(*groups.values()))
    for chosen in product(*(permutations(group) if few else [tuple(group)] for group in groups.values())):
        to = dict(zip(rows, chain(*chosen), strict=True))
        slots = {slot: (to.get(slot[0], slot[0]), slot[1]) for slot in client.calls}
        values = {
            call.argument: client.calls[slots[slot]].argument or 0
            for slot, call in client.calls.items()
            if call.name in puts and call.argument is not None
        }
        gets = [slot for slot, call in client.calls.items() if call.name not in puts]
        yield slots, {(slot, value): other for slot in gets for value, other in values.items()}


def _shape(
    history: History, order: Order, names: Sequence[tuple[Mapping[Slot, Slot], Mapping[tuple[Slot, int], int]]]
) -> tuple[object, ...]:
    """The same for all that differ by names only."""
    return min(
        (
            tuple(sorted((slots[slot], values.get((slot, result), result)) for slot, result in history)),
            tuple(sorted((slots[a], slots[b]) for a, b in order)),
        )
        for slots, values in names
    )
