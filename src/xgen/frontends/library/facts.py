"""What is found out of a program while it is translated, again and again: who waits where, and at what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from xgen.records import dataclass

T = TypeVar("T")
Key: TypeAlias = tuple[str, int]
"""A cell whose address is known: the object that it is in, and where."""
ANYWHERE: Key = ("", 0)
"""Stands for a cell whose address is not known."""


class Learnt(Generic[T]):
    """Facts of one kind. `outdated`: this translation asked for one, or for all of them, before it learnt it."""

    def __init__(self) -> None:
        self.outdated = False
        self._items: dict[T, None] = {}
        self._denied: set[object] = set()
        self._listed = False

    def begin(self) -> None:
        """A translation begins, which has not asked for anything."""
        self.outdated = self._listed = False
        self._denied.clear()

    def __contains__(self, item: object) -> bool:
        found = item in self._items
        if not found:
            self._denied.add(item)
        return found

    def __len__(self) -> int:
        return len(self._items)

    def all(self) -> Sequence[T]:
        self._listed = True
        return list(self._items)

    def learn(self, *items: T) -> None:
        for item in items:
            if item not in self._items:
                self._items[item] = None
                self.outdated |= self._listed or item in self._denied


@dataclass(eq=False)
class Waiting:
    """Who waits where in one translation, in which threads may have other names and another order than in the next."""

    barriers: dict[Key, list[str]] = field(default_factory=dict)  # the threads that wait there
    sizes: dict[Key, set[int | None]] = field(default_factory=dict)  # how many they are for
    others: set[Key] = field(default_factory=set)  # those for more or fewer than wait, taken for met all the same
    sleepers: dict[str, set[Key | None]] = field(default_factory=dict)  # by thread: condition variables; None: any
    running: Counter[str] = field(default_factory=Counter)  # by thread: those that it has started and not joined yet

    def all(self) -> tuple[object, ...]:
        """What two translations agree in, or not."""
        return self.barriers, self.sizes, self.others, list(self.sleepers.items())


class Waits:
    """What is known of barriers and locks from the translations before: `last` of the last one."""

    def __init__(self) -> None:
        self.uncounted: Learnt[Key] = Learnt()  # barriers whose rounds are not known
        self.looked_at: Learnt[Key] = Learnt()  # those of which some thread asks whether it is the serial one
        self.left: Learnt[Key] = Learnt()  # those that are destroyed while threads may be on their way out
        self.kinds: Learnt[tuple[Key, int]] = Learnt()  # of locks that are not normal
        self.last = Waiting()

    def size(self) -> tuple[object, ...]:
        """Something that changes whenever anything is found."""
        return len(self.uncounted), len(self.looked_at), len(self.left), len(self.kinds), self.last.all()
