"""Barriers at which threads of GPUs meet: whether all that have to come have come, as the final state tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from xgen.errors import Position
from xgen.frontends.litmus.values import Register
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier in a thread's text.

    group    what meets: the block of threads, and the instance
    came     counts how often the thread has come to it
    number   holds its number, if it has one: only those with the same one meet
    quorum   how many threads it waits for; None: for all where there is no number, else for no one
    met      counts how often the thread was one of these
    position where it is
    waits    whether the thread waits there
    looped   whether it is in a loop
    decided, followed  whether there may be a branch before it, and a write behind it
    """

    group: tuple[str, str]
    came: Register
    number: Register | None
    quorum: int | None
    met: Register
    position: Position
    waits: bool = True
    looped: bool = False
    decided: bool = False
    followed: bool = False

    @property
    def locals(self) -> Iterator[Register]:
        """The locals whose final values are looked at."""
        yield from {self.came, self.met, *([self.number] if self.number else [])}


def passed(barriers: Iterable[Barrier], value: Callable[[Register], object]) -> bool:
    """Whether nobody waits at a barrier for ever, where these are the final values.

    Of those without a number, each has to be come to as often as the others of its group. With a quorum, exactly so
    many are those that meet, of all that come; where barriers of one number have several, the largest.
    """
    rounds: dict[tuple[str, str], set[object]] = {}
    meeting: dict[tuple[tuple[str, str], object], list[Barrier]] = {}
    for barrier in barriers:
        came = value(barrier.came)
        if barrier.number is None:
            rounds.setdefault(barrier.group, set()).add(came)
        elif came:
            meeting.setdefault((barrier.group, value(barrier.number)), []).append(barrier)
    for met in meeting.values():
        quorums = [barrier.quorum for barrier in met if barrier.quorum is not None]
        if quorums and sum(bool(value(barrier.met)) for barrier in met) != max(quorums):
            return False
    return all(len(counts) == 1 for counts in rounds.values())


def waiting(barriers: Iterable[Barrier], value: Callable[[Register], object]) -> list[str]:
    """Who waits at a barrier for ever, where these are the final values, and for whom: a sentence each."""
    groups: dict[tuple[str, str], list[Barrier]] = {}
    meeting: dict[tuple[tuple[str, str], object], list[Barrier]] = {}
    for barrier in barriers:
        if barrier.number is None:
            groups.setdefault(barrier.group, []).append(barrier)
        elif value(barrier.came):
            meeting.setdefault((barrier.group, value(barrier.number)), []).append(barrier)
    found = []
    for group in groups.values():
        times = [_times(value(barrier.came)) for barrier in group]
        late = [barrier for barrier, came in zip(group, times, strict=True) if came == min(times)]
        for barrier, came in zip(group, times, strict=True):
            if barrier.waits and came > min(times):
                missing = ", ".join(f"P{each.came.thread} (line {each.position.line})" for each in late)
                found.append(f"{_place(barrier)}, to which {missing} does not come")
    for met in meeting.values():
        wanted = max((barrier.quorum for barrier in met if barrier.quorum is not None), default=0)
        if len(met) < wanted:
            found += [f"{_place(each)}, to which {len(met)} come of {wanted}" for each in met if each.waits]
    return found


def crossing(barriers: Iterable[Barrier]) -> Barrier | None:
    """A barrier that threads may come to before and after another one, so that each waits for the other; if any.

    Where there is none, whoever waits for ever waits for a thread that does not come, which the final values tell.
    """
    threads: dict[tuple[str, int], list[Barrier]] = {}
    for barrier in barriers:
        threads.setdefault((barrier.group[0], barrier.came.thread), []).append(barrier)
    before: set[tuple[tuple[str, str], tuple[str, str]]] = set()
    for own in threads.values():
        for place, barrier in enumerate(own):
            for later in own[place + 1 :]:
                if barrier.group == later.group or barrier.looped or (later.group, barrier.group) in before:
                    return later
                before.add((barrier.group, later.group))
    return None


def influenced(barriers: Sequence[Barrier]) -> Barrier | None:
    """A barrier to which a thread may come because of what another one writes behind a barrier, if there is any.

    There threads that run on at barriers, as they are explored, could go another way than those that wait.
    """
    for barrier in barriers:
        for other in barriers:
            apart = other.came.thread != barrier.came.thread and other.group[0] == barrier.group[0]
            if apart and barrier.decided and other.followed:
                return barrier
    return None


def _place(barrier: Barrier) -> str:
    return f"P{barrier.came.thread} waits at the barrier in line {barrier.position.line}"


def _times(value: object) -> int:
    assert isinstance(value, int)
    return value
