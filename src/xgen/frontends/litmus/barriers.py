"""Barriers at which threads of GPUs meet: whether all that have to come have come, as the final state tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
    """

    group: tuple[str, str]
    came: Register
    number: Register | None
    quorum: int | None
    met: Register

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
