"""What is framed of a thread: accesses of several parts, atomic blocks, critical sections, rounds of loops that only
read; which are one box.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xgen.executions.execution import Event, Execution


def stretches(events: Sequence[Event]) -> list[tuple[int, int, str]]:
    """What is framed of a thread's events: from, to, and why.

    Accesses of several parts; atomic blocks; from what locks a mutex to what unlocks it; and rounds of a loop in which
    the thread only reads, where there are several. Of what begins together, or overlaps otherwise than one inside of
    the other, the first one has a frame.
    """
    found = [*_accesses(events), *_blocks(events), *_critical(events), *_rounds(events)]
    found.sort(key=lambda stretch: (stretch[0], -stretch[1]))
    kept: list[tuple[int, int, str]] = []
    for a, b, text in found:
        if all((c < a and b <= d) or d < a for c, d, _ in kept):
            kept.append((a, b, text))
    return kept


def _accesses(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    """Accesses of several parts; an update from the first part that it reads to the last one that it writes."""
    n = 0
    while n < len(events):
        first, last = n, _last_part(events, n)
        following = events[last + 1] if last + 1 < len(events) else None
        updates = last > first and events[first].kind == "R" and "rmw" in events[first].tags
        updates = updates and following is not None and following.kind == "W" and "rmw" in following.tags
        if updates:
            last = _last_part(events, last + 1)
        if last > first:
            yield first, last, "one update" if updates else "one access"
        n = last + 1


def _last_part(events: Sequence[Event], first: int) -> int:
    """The last part of the access of which an event is the first one."""
    last = first
    while last + 1 < len(events) and events[last + 1].kind == events[first].kind and "part" in events[last + 1].tags:
        last += 1
    return last


def _blocks(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    for block in dict.fromkeys(event.block for event in events if event.block):
        inside = [n for n, event in enumerate(events) if event.block == block]
        yield inside[0], inside[-1], "atomic"


def _critical(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    """From the read of a lock to the write of its unlock."""
    taken: dict[str | None, int] = {}
    for n, event in enumerate(events):
        if event.kind == "W" and "unlock" in event.tags and event.variable in taken:
            yield taken.pop(event.variable), n, f"critical {event.variable}"
        elif event.kind == "R" and {"lock", "rmw"} <= event.tags:
            taken[event.variable] = n


def _rounds(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    for first, size, count in repetitions(events):
        position = events[first].position
        yield first, first + size * count - 1, f"line {position.line if position else 0}: {count} rounds"


def repetitions(events: Sequence[Event]) -> Iterator[tuple[int, int, int]]:
    """The longest repetitions of up to four reads, by their statements: the first one, how many reads, how often."""
    first = 0
    while first < len(events):
        size, count = max(((size, _repeated(events, first, size)) for size in range(1, 5)), key=lambda one: one[1])
        if count > 1:
            yield first, size, count
            first += size * (count - 1)
        first += 1


def folded_rounds(execution: Execution, apart: Collection[int]) -> dict[int, int]:
    """The reads of rounds that read what the round before read, each with the read that it is one box with.

    Rounds with events that are to be `apart` have their own boxes.
    """
    origin = {read: write for write, read in execution.rf}
    found: dict[int, int] = {}
    for thread in range(len(execution.threads)):
        mine = [n for n, event in enumerate(execution.events) if event.thread == thread]
        for first, size, count in repetitions([execution.events[n] for n in mine]):
            for place in range(first + size, first + size * count, size):
                now, before = mine[place : place + size], mine[place - size : place]
                alike = all(origin.get(a) == origin.get(b) for a, b in zip(now, before, strict=True))
                if alike and not any(n in apart for n in now):
                    found |= {a: found.get(b, b) for a, b in zip(now, before, strict=True)}
    return found


def _repeated(events: Sequence[Event], first: int, size: int) -> int:
    """How often so many reads of a thread are done in a row."""
    period = [(event.position, event.variable) for event in events[first : first + size]]
    if len(period) < size or any(event.kind != "R" for event in events[first : first + size]):
        return 0
    count = 1
    while True:
        following = events[first + size * count : first + size * (count + 1)]
        if [(event.position, event.variable) for event in following] != period:
            return count
        if any(event.kind != "R" or event.position is None for event in following):
            return count
        count += 1
