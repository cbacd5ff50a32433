"""Why no order explains a history: a smallest set of calls that cannot be together, and what would have been right."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xgen.analyses.linearizability.clients import AFTER, BEFORE, Client, Slot
from xgen.analyses.linearizability.orders import Before, Explanation, Judge, Steps, explain
from xgen.records import dataclass


@dataclass(frozen=True)
class Nearest:
    """An order that explains the others, up to a call: what each of them returns there, and what the call would."""

    call: Slot
    order: tuple[Slot, ...]
    results: Mapping[Slot, int]
    instead: int


@dataclass(frozen=True)
class Reason:
    """Calls that cannot be together, whatever the others return; and what one of them would have to return."""

    core: tuple[Slot, ...]
    nearest: Nearest | None


def reason(
    client: Client, history: Mapping[Slot, int], steps: Steps, before: Before, judge: Judge, puts: Collection[str]
) -> Reason:
    """The reason of a history that nothing explains. `puts`: operations whose calls are told last."""

    def explained(kept: Collection[Slot]) -> Explanation | None:
        return explain({p: history[p] if p in kept else None for p in history}, steps, before, judge)

    def rank(slot: Slot) -> tuple[bool, bool, bool, Slot]:
        return slot[0] != AFTER, slot[0] != BEFORE, client.calls[slot].name not in puts, slot

    core = list(history)
    for slot in sorted(history, key=rank):
        less = [other for other in core if other != slot]
        if explained(less) is None:
            core = less
    core = core or list(history)  # nothing at all is in order, whatever calls return
    best: Nearest | None = None
    for slot in core:
        for kept in (history.keys() - {slot}, set(core) - {slot}):
            found = explained(kept)
            near = None if found is None else _near(slot, found, kept, history, steps)
            if near is not None:
                if best is None or len(near.order) > len(best.order):
                    best = near
                break
    return Reason(tuple(sorted(core, key=lambda p: list(client.calls).index(p))), best)


def _near(
    slot: Slot, found: Explanation, kept: Collection[Slot], history: Mapping[Slot, int], steps: Steps
) -> Nearest | None:
    """What a call returns in an order that explains others."""
    if slot not in found.order:
        return None
    state, results = steps.start, dict[Slot, int]()
    for other in found.order:
        possible = [(r, s) for r, s in steps.step(other, state) if other not in kept or r == history[other]]
        if not possible:
            return None
        result, state = possible[0]
        if other == slot:
            return Nearest(slot, tuple(results), results, result) if result != history[slot] else None
        results[other] = result
    return None
