"""Histories that differ by names only: of threads that make the same calls, and of the values that they put.

That an object treats values alike is not assumed: it is seen of what its executions tell, all of which are explored,
and of what the specification says.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.handshakes import Told, Under
from xgen.analyses.linearizability.orders import Steps
from xgen.records import dataclass


@dataclass(frozen=True)
class Names:
    """Where calls get to, and values, as results of `gets`."""

    slots: Mapping[Slot, Slot]
    values: Mapping[int, int]
    gets: frozenset[Slot]

    def result(self, slot: Slot, result: int) -> int:
        """What the result of a call becomes."""
        return self.values.get(result, result) if slot in self.gets else result

    def history(self, told: Told) -> Told:
        """The history by the other names."""
        return frozenset((self.slots[slot], self.result(slot, result)) for slot, result in told)


def exchanges(client: Client, puts: Collection[str]) -> Iterator[Names]:
    """The exchanges of a thread with the next one that makes the same calls, but for values; they make all others."""
    last: dict[tuple[object, ...], int] = {}
    for thread, row in enumerate(client.threads):
        key = tuple((call.name, None if call.name in puts else call.argument) for call in row)
        if key in last:
            yield _exchange(client, puts, last[key], thread)
        last[key] = thread


def _exchange(client: Client, puts: Collection[str], one: int, other: int) -> Names:
    to = {one: other, other: one}
    slots = {(thread, k): (to.get(thread, thread), k) for thread, k in client.calls}
    values = {
        call.argument: client.calls[slots[slot]].argument or 0
        for slot, call in client.calls.items()
        if call.name in puts and call.argument is not None
    }
    return Names(slots, values, frozenset(p for p, call in client.calls.items() if call.name not in puts))


def keeps(names: Names, client: Client, steps: Steps, some: bool) -> bool:
    """Whether what calls return one after the other, in all orders, stays what it is by other names. `some`: also where
    some calls are left out."""
    sooner: dict[Slot, set[Slot]] = {slot: set() for slot in client.calls}
    later: dict[Slot, set[Slot]] = {slot: set() for slot in client.calls}
    for a, b in client.order:
        sooner[b].add(a)
        later[a].add(b)
    first = (frozenset[Slot](), steps.start, steps.start)
    seen: set[tuple[frozenset[Slot], Hashable, Hashable]] = {first}
    line = [first]
    while line:
        done, state, other = line.pop()
        for slot in client.calls:
            if slot in done or (later[slot] & done if some else not sooner[slot] <= done):
                continue
            here = [(names.result(slot, r), after) for r, after in steps.step(slot, state)]
            there = dict(steps.step(names.slots[slot], other))
            if len(here) != len(there) or {result for result, _ in here} != there.keys():
                return False
            for result, after in here:
                following = (done | {slot}, after, there[result])
                if following not in seen:
                    seen.add(following)
                    line.append(following)
    return True


def alike(told: Told, names: Sequence[Names], under: Under) -> set[Told]:
    """A history, and those that are this one by other names, as far as their executions tell the same by these."""
    found, line = {told}, [told]
    while line:
        each = line.pop()
        for name in names:
            other = name.history(each)
            if other not in found and under.renamed(each, other, name.slots):
                found.add(other)
                line.append(other)
    return found
