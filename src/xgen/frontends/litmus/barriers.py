"""Barriers at which threads of GPUs meet, and those with a number: whether all have come, as the final state tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from xgen.errors import Position
from xgen.frontends.litmus.values import Register
from xgen.program import automaton as xcfa
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Counted:
    """A barrier with a number: locals of its thread, whose final values are looked at.

    came    counts how often the thread has come to it
    number  holds its number: only those with the same one meet
    met     counts how often the thread was one of its quorum
    quorum  how many threads it waits for; None: for no one
    """

    came: Register
    number: Register
    met: Register
    quorum: int | None


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier in a thread's text.

    group    what meets: the block of threads, and the instance
    position where it is
    waits    whether the thread waits there
    looped   whether it is in a loop
    counted  of one with a number; at one without, a thread waits while it is explored
    decided, followed  whether there may be a branch before it, and a write behind it
    """

    group: tuple[str, str]
    thread: int
    position: Position
    waits: bool = True
    looped: bool = False
    counted: Counted | None = None
    decided: bool = False
    followed: bool = False

    @property
    def locals(self) -> Iterator[Register]:
        """The locals whose final values are looked at."""
        if self.counted is not None:
            yield from {self.counted.came, self.counted.number, self.counted.met}


@dataclass
class Rounds:
    """How often a thread has come to the barriers of an instance: a local that counts, at how many places of its text
    there is one so far, and how often it may come in all. `known`: the text tells at each of them how often it has
    come, and the thread waits there."""

    came: xcfa.Name
    places: int = 0
    size: int = 0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Gap:
    """Where a thread comes to others of a group, and where it waits for them: two labels, the number of the round, of
    so many, and its barrier."""

    arrival: str
    label: str
    group: tuple[str, str]
    before: xcfa.Expression
    size: int
    position: Position


Meets = dict[tuple[tuple[str, str], object], list[tuple[Barrier, Counted]]]


def _meeting(barriers: Iterable[Barrier], value: Callable[[Register], object]) -> Meets:
    """The barriers with a number that threads have come to, by group and number."""
    found: Meets = {}
    for barrier in barriers:
        if barrier.counted is not None and value(barrier.counted.came):
            found.setdefault((barrier.group, value(barrier.counted.number)), []).append((barrier, barrier.counted))
    return found


def passed(barriers: Iterable[Barrier], value: Callable[[Register], object]) -> bool:
    """Whether nobody waits at a barrier with a number for ever, where these are the final values.

    With a quorum, exactly so many are those that meet, of all that come; where barriers of one number have several, the
    largest.
    """
    for met in _meeting(barriers, value).values():
        quorums = [counted.quorum for _, counted in met if counted.quorum is not None]
        if quorums and sum(bool(value(counted.met)) for _, counted in met) != max(quorums):
            return False
    return True


def waiting(barriers: Iterable[Barrier], value: Callable[[Register], object]) -> list[str]:
    """Who waits at a barrier with a number for ever, where these are the final values: a sentence each."""
    found = []
    for met in _meeting(barriers, value).values():
        wanted, come = max((counted.quorum for _, counted in met if counted.quorum is not None), default=0), len(met)
        for each, _ in met if come < wanted else ():
            if each.waits:
                place = f"the barrier in line {each.position.line}"
                found.append(f"P{each.thread} waits for ever at {place}, to which {come} come of {wanted}")
    return found


def crossing(barriers: Iterable[Barrier]) -> Barrier | None:
    """A barrier that threads may come to before and after another one, so that each waits for the other; if any.

    One of the two has a number: at others threads wait while they are explored. Where there is none, whoever waits for
    ever waits for a thread that does not come, which the final values tell.
    """
    threads: dict[tuple[str, int], list[Barrier]] = {}
    for barrier in barriers:
        threads.setdefault((barrier.group[0], barrier.thread), []).append(barrier)
    before: set[tuple[tuple[str, str], tuple[str, str]]] = set()
    for own in threads.values():
        for place, barrier in enumerate(own):
            for later in own[place + 1 :]:
                if barrier.counted is None and later.counted is None:
                    continue
                if barrier.group == later.group or barrier.looped or (later.group, barrier.group) in before:
                    return later
                before.add((barrier.group, later.group))
    return None


def influenced(barriers: Sequence[Barrier]) -> Barrier | None:
    """A barrier to which a thread may come because of what another one writes behind a barrier, if there is any.

    There threads that run on at barriers with numbers could go another way than those that wait.
    """
    for barrier in barriers:
        for other in barriers:
            apart = other.thread != barrier.thread and other.group[0] == barrier.group[0]
            numbered = barrier.counted is not None or other.counted is not None
            if apart and numbered and barrier.decided and other.followed:
                return barrier
    return None
