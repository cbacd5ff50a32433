"""What a thread of a GPU does at a barrier: statements, and what has to be so in the end for it to have been passed.

A barrier is a read of a cell of xgen's own that nobody writes, the same for all threads that meet at it: one for each
instance and round, or number. Where all of the group have to come, they meet behind it (`Meet`, which orders nothing);
where it is not known how often each has come, a thread notes before that it has, in a cell of its own, and waits behind
it until the others have come as often: `meet_others`, once all threads are read. At a barrier with a number it goes on;
how often it has come is counted, and looked at in the end (`Barrier`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xgen.errors import Position
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.litmus.barriers import Barrier, Counted, Gap, Rounds
from xgen.frontends.litmus.initial import Initial, Location
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.values import Register
from xgen.program import automaton as xcfa
from xgen.records import dataclass
from xgen.tags import AWAITS

NUMBERED = 16
"""Barriers of an instance that are told apart by number."""
_ROUNDS = 64
"""How often a thread comes to a barrier in a loop, at most."""
_ONE = xcfa.IntLiteral(1)
_HIDDEN = ("hidden", "arrival")


@dataclass(frozen=True)
class Meeting:
    """A thread comes to a barrier: `group` has the tag of those that meet, and the instance; the event bears `tags`."""

    thread: Thread
    group: tuple[str, str]
    tags: tuple[str, ...]
    position: Position

    def of_all(self, looped: bool) -> None:
        """Nobody passes before all of the group have come as often; `looped`: it may come here more than once."""
        thread, waits = self.thread, "arrive" not in self.tags
        rounds = thread.rounds.get(self.group) or Rounds(thread.fresh())
        thread.rounds[self.group] = rounds
        # The number of the round is known from the text as long as there is one way through it.
        before = rounds.came if looped or thread.forks else xcfa.IntLiteral(rounds.places)
        rounds.places += 1
        rounds.size = _ROUNDS if looped else max(rounds.size, rounds.places)
        rounds.known &= waits and before is not rounds.came
        size, arrival = rounds.size, thread.gap()
        thread.do(self._read(_cell(thread.initial, f"$bar{self.group[1]}", size, before, self.position), self.tags))
        waiting = thread.gap() if waits else ""
        thread.gaps.append(Gap(arrival, waiting, self.group, before, size, self.position))
        after = xcfa.Binary("+", before, _ONE) if before is rounds.came else xcfa.IntLiteral(rounds.places)
        thread.assign(rounds.came, after, self.position)
        thread.barriers.append(Barrier(self.group, thread.number, self.position, waits, looped))

    def of_number(self, which: xcfa.Expression, quorum: int | None) -> None:
        """Those meet that come to the same number; with a quorum, so many of them."""
        thread = self.thread
        came, named = self._counter(), self._counter()
        place = _cell(thread.initial, f"$barn{self.group[1]}", NUMBERED, which, self.position)
        if quorum is None:
            self._meet(place, self.tags, came)
            met = came
        else:
            met = self._chosen(place, came)
        thread.assign(named, which, self.position)
        locals_ = [Register(thread.number, name.name) for name in (came, named, met)]
        waits = "arrive" not in self.tags
        thread.barriers.append(
            Barrier(
                self.group,
                thread.number,
                self.position,
                waits,
                counted=Counted(locals_[0], locals_[1], locals_[2], quorum),
            )
        )

    def _counter(self) -> xcfa.Name:
        """A local of which the final value is looked at."""
        name = self.thread.fresh()
        self.thread.written.add(name.name)
        return name

    def _read(self, place: xcfa.Place, tags: tuple[str, ...]) -> xcfa.Load:
        return xcfa.Load(self.thread.fresh(), place, False, None, self.position, tags)

    def _meet(self, place: xcfa.Place, tags: tuple[str, ...], came: xcfa.Name) -> None:
        """The thread comes to the barrier once more."""
        self.thread.do(self._read(place, tags))
        self.thread.assign(came, xcfa.Binary("+", came, _ONE, self.position), self.position)

    def _chosen(self, place: xcfa.Place, came: xcfa.Name) -> xcfa.Name:
        """The thread comes to the barrier, and is one of its quorum or not: the local that counts how often it is."""
        met, beyond, end = self._counter(), self.thread.new_label(), self.thread.new_label()
        self.thread.fork(beyond, self.position)
        self._meet(place, self.tags, came)
        self.thread.assign(met, _ONE, self.position)
        self.thread.jump(end, self.position)
        self.thread.label(beyond)
        self._meet(place, (*self.tags, "beyond-quorum"), came)
        self.thread.label(end)
        return met


def meet_others(threads: Sequence[Thread]) -> None:
    """Each thread waits at its barriers for those of its group that have one of the instance in their text.

    They meet where the text tells how often each has come, and all wait. Else a thread says that it has come, and waits
    for one after the other, in loops that read whether it has.
    """
    groups = list(dict.fromkeys(group for thread in threads for group in thread.rounds))
    for number, group in enumerate(groups):
        members = [thread for thread in threads if group in thread.rounds]
        known = all(thread.rounds[group].known for thread in members)
        for thread in members:
            for gap in thread.gaps:
                if gap.group == group and known and len(members) > 1:
                    thread.fill(gap.label, [_meet(f"bar{number}", members, gap)])
                elif gap.group == group and not known:
                    _wait(thread, gap, members)


def _meet(name: str, members: Sequence[Thread], gap: Gap) -> xcfa.Meet:
    assert isinstance(gap.before, xcfa.IntLiteral)
    names = tuple(xcfa.Name(f"P{thread.number}", gap.position) for thread in members)
    return xcfa.Meet(name, gap.before.value, names, gap.position, orders=False)


def _wait(thread: Thread, gap: Gap, members: Sequence[Thread]) -> None:
    arrived = _cell(thread.initial, _arrivals(gap.group, thread), gap.size, gap.before, gap.position)
    thread.fill(gap.arrival, [xcfa.Store(_ONE, arrived, False, None, gap.position, _HIDDEN)])
    if gap.label:
        others = (other for other in members if other is not thread)
        thread.fill(gap.label, [step for other in others for step in _waits_for(other, thread, gap)])


def _waits_for(other: Thread, thread: Thread, gap: Gap) -> list[Step]:
    again, seen = thread.hidden_label(), thread.fresh()
    thread.written.add(seen.name)
    place = _cell(thread.initial, _arrivals(gap.group, other), gap.size, gap.before, gap.position)
    tags = (*_HIDDEN, f"{AWAITS}.p{other.number}")
    missing = xcfa.Binary("=", seen, xcfa.IntLiteral(0), gap.position)
    return [again, xcfa.Load(seen, place, False, None, gap.position, tags), Branch(missing, again, gap.position)]


def _arrivals(group: tuple[str, str], thread: Thread) -> str:
    """The location that says of each round of an instance whether a thread has come."""
    return f"$bar{group[1]}.P{thread.number}"


def _cell(initial: Initial, name: str, size: int, index: xcfa.Expression, position: Position) -> xcfa.Place:
    """A cell of a location of xgen's own, which has so many at least."""
    locations = initial.locations
    if name not in locations or (locations[name].size or 1) < size:
        locations[name] = Location(name, [0] * max(size, 2), None, max(size, 2))
    return xcfa.Place(xcfa.Name(name, position), (index,))
