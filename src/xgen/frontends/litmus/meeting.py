"""What a thread of a GPU does at a barrier: statements, and what has to be so in the end for it to have been passed.

A barrier is a read of a cell of xgen's own that nobody writes, the same for all threads that meet at it: one for each
instance and round, or number. How often a thread has come is counted in a local (`Barrier`).
"""

from __future__ import annotations

from xgen.errors import Position
from xgen.frontends.litmus.barriers import Barrier
from xgen.frontends.litmus.initial import Location
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.values import Register
from xgen.program import automaton as xcfa
from xgen.records import dataclass

NUMBERED = 16
"""Barriers of an instance that are told apart by number."""
_ROUNDS = 64
"""How often a thread comes to a barrier in a loop, at most."""


@dataclass(frozen=True)
class Meeting:
    """A thread comes to a barrier: `group` has the tag of those that meet, and the instance; the event bears `tags`."""

    thread: Thread
    group: tuple[str, str]
    tags: tuple[str, ...]
    position: Position

    def of_all(self, looped: bool) -> None:
        """Nobody passes before all of the group have come, in each round if it is in a loop."""
        came = self._counter()
        self._meet(self._cell("", _ROUNDS if looped else 1, came), self.tags, came)
        self._note(came, None, None, came, looped)

    def of_number(self, which: xcfa.Expression, quorum: int | None) -> None:
        """Those meet that come to the same number; with a quorum, so many of them."""
        came, named = self._counter(), self._counter()
        place = self._cell("n", NUMBERED, which)
        if quorum is None:
            self._meet(place, self.tags, came)
            met = came
        else:
            met = self._chosen(place, came)
        self.thread.assign(named, which, self.position)
        self._note(came, named, quorum, met)

    def _counter(self) -> xcfa.Name:
        """A local of which the final value is looked at."""
        name = self.thread.fresh()
        self.thread.written.add(name.name)
        return name

    def _cell(self, kind: str, size: int, index: xcfa.Expression) -> xcfa.Place:
        """A cell of xgen's own for the barrier of this instance."""
        name = f"$bar{kind}{self.group[1]}"
        locations = self.thread.initial.locations
        if name not in locations or (locations[name].size or 1) < size:
            locations[name] = Location(name, [0] * max(size, 2), None, max(size, 2))
        return xcfa.Place(xcfa.Name(name, self.position), (index,))

    def _meet(self, place: xcfa.Place, tags: tuple[str, ...], came: xcfa.Name) -> None:
        """The thread comes to the barrier once more."""
        self.thread.do(xcfa.Load(self.thread.fresh(), place, False, None, self.position, tags))
        self.thread.assign(came, xcfa.Binary("+", came, xcfa.IntLiteral(1), self.position), self.position)

    def _chosen(self, place: xcfa.Place, came: xcfa.Name) -> xcfa.Name:
        """The thread comes to the barrier, and is one of its quorum or not: the local that counts how often it is."""
        met, beyond, end = self._counter(), self.thread.new_label(), self.thread.new_label()
        self.thread.fork(beyond, self.position)
        self._meet(place, self.tags, came)
        self.thread.assign(met, xcfa.IntLiteral(1), self.position)
        self.thread.jump(end, self.position)
        self.thread.label(beyond)
        self._meet(place, (*self.tags, "beyond-quorum"), came)
        self.thread.label(end)
        return met

    def _note(
        self, came: xcfa.Name, named: xcfa.Name | None, quorum: int | None, met: xcfa.Name, looped: bool = False
    ) -> None:
        """What has to be so in the end for the barrier to have been passed."""

        def local(name: xcfa.Name) -> Register:
            return Register(self.thread.number, name.name)

        number = None if named is None else local(named)
        waits = "arrive" not in self.tags
        barrier = Barrier(self.group, local(came), number, quorum, local(met), self.position, waits, looped)
        self.thread.barriers.append(barrier)
