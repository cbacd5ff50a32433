"""Why no order explains a history: a smallest set of calls that cannot be together, and what would have been right."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xgen.analyses.linearizability.clients import AFTER, BEFORE, Client, Place
from xgen.analyses.linearizability.orders import Before, Explanation, Judge, Steps, explain
from xgen.records import dataclass


@dataclass(frozen=True)
class Nearest:
    """An order that explains the others, up to a call: what each of them returns there, and what the call would."""

    call: Place
    order: tuple[Place, ...]
    results: Mapping[Place, int]
    instead: int


@dataclass(frozen=True)
class Reason:
    """Calls that cannot be together, whatever the others return; and what one of them would have to return."""

    core: tuple[Place, ...]
    nearest: Nearest | None


def reason(
    client: Client, history: Mapping[Place, int], steps: Steps, before: Before, judge: Judge, puts: Collection[str]
) -> Reason:
    """The reason of a history that nothing explains. `puts`: operations whose calls are told last."""

    def explained(kept: Collection[Place]) -> Explanation | None:
        return explain({p: history[p] if p in kept else None for p in history}, steps, before, judge)

    def rank(place: Place) -> tuple[bool, bool, bool, Place]:
        return place[0] != AFTER, place[0] != BEFORE, client.calls[place].name not in puts, place

    core = list(history)
    for place in sorted(history, key=rank):
        less = [other for other in core if other != place]
        if explained(less) is None:
            core = less
    core = core or list(history)  # nothing at all is in order, whatever calls return
    best: Nearest | None = None
    for place in core:
        for kept in (history.keys() - {place}, set(core) - {place}):
            found = explained(kept)
            near = None if found is None else _near(place, found, kept, history, steps)
            if near is not None:
                if best is None or len(near.order) > len(best.order):
                    best = near
                break
    return Reason(tuple(sorted(core, key=lambda p: list(client.calls).index(p))), best)


def _near(
    place: Place, found: Explanation, kept: Collection[Place], history: Mapping[Place, int], steps: Steps
) -> Nearest | None:
    """What a call returns in an order that explains others."""
    if place not in found.order:
        return None
    state, results = steps.start, dict[Place, int]()
    for other in found.order:
        possible = [(r, s) for r, s in steps.step(other, state) if other not in kept or r == history[other]]
        if not possible:
            return None
        result, state = possible[0]
        if other == place:
            return Nearest(place, tuple(results), results, result) if result != history[place] else None
        results[other] = result
    return None
