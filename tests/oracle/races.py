"""Data races of C11 in an execution, from the definitions (Lahav et al., PLDI 2017, section 3), without any algebra.

A mutex is an acquiring update and a releasing write, and its fences are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from oracle.enumerate import EventKey, Execution, Place
from oracle.evaluate import INITIAL

ACQUIRE = {"acquire", "acq_rel", "seq_cst", "lock"}
RELEASE = {"release", "acq_rel", "seq_cst", "unlock"}
ATOMIC = ACQUIRE | RELEASE | {"relaxed"}


def has_race(execution: Execution) -> bool:
    """Whether two threads access a variable, one of them writing and one not atomically, and neither comes before."""
    events = _events(execution)
    before = _happens_before(execution, events)
    return any(
        a[0] < b[0]
        and x.variable == y.variable is not None
        and "W" in (x.kind, y.kind)
        and not (x.tags & ATOMIC and y.tags & ATOMIC)
        and b not in before[a]
        and a not in before[b]
        for a, x in events.items()
        for b, y in events.items()
    )


def _events(execution: Execution) -> dict[Place, EventKey]:
    return {(t, n): event for t, trace in enumerate(execution.threads) for n, event in enumerate(trace.events)}


def _happens_before(execution: Execution, events: dict[Place, EventKey]) -> dict[Place, set[Place]]:
    """What comes after each event."""
    following: dict[Place, set[Place]] = {place: set() for place in events}
    for thread, index in events:
        if (thread, index + 1) in events:
            following[thread, index].add((thread, index + 1))
    source = {read: write for write, read in execution.rf if write[0] != INITIAL}
    for read, write in source.items():
        if events[read].tags & ATOMIC:
            for head in _heads(write, events, source):
                following[head].update(_tails(read, events))
    for start in following:
        stack = list(following[start])
        while stack:
            new = following[stack.pop()] - following[start]
            following[start] |= new
            stack += new
    return following


def _heads(write: Place, events: dict[Place, EventKey], source: dict[Place, Place]) -> Iterator[Place]:
    """The events whose release a read of a write acquires: those of the release sequences that it is in."""
    while True:
        thread, index = write
        if events[write].tags & ATOMIC:
            for n in range(index + 1):
                other = events[thread, n]
                if other.kind != "W" or other.variable != events[write].variable:
                    continue
                if other.tags & RELEASE:
                    yield thread, n
                yield from ((thread, f) for f in range(n) if _is_fence(events[thread, f], RELEASE))
        read = _read_of_update(write, events)
        if read not in source:
            return
        write = source[read]


def _read_of_update(write: Place, events: dict[Place, EventKey]) -> Place | None:
    """The read of the update, or of the exclusive pair, that a write is part of."""
    thread, index = write
    if "rmw" in events[write].tags:
        return thread, index - 1
    exclusive = [n for n in range(index) if {"exclusive"} <= events[thread, n].tags and events[thread, n].kind == "R"]
    return (thread, exclusive[-1]) if "exclusive" in events[write].tags else None


def _tails(read: Place, events: dict[Place, EventKey]) -> Iterator[Place]:
    if events[read].tags & ACQUIRE:
        yield read
    thread, index = read
    yield from (
        place for place, e in events.items() if place[0] == thread and place[1] > index and _is_fence(e, ACQUIRE)
    )


def _is_fence(event: EventKey, tags: set[str]) -> bool:
    """A fence with one of some orders, or without any: that is a seq_cst one."""
    if event.kind != "F" or event.tags & {"lock", "unlock"}:
        return False
    return bool(event.tags & tags) or not event.tags & ATOMIC
