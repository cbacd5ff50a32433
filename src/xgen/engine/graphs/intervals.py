"""Parts of an exploration: intervals of its order, which is depth first.

Branch n of a graph is its n-th consistent option. So an interval has a meaning for one program, model and set of
options, and one `EXPLORATION`, the number of the order in which the engine tries options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xgen.records import dataclass

EXPLORATION = 2
"""It changes whenever the same path may lead elsewhere than before."""

LOSSES = 3
"""So many times a part may take along who explores it; then it is set aside."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A part of an exploration.

    path  which branch to take at the empty graph, which at the one that follows, and so on
    rest  levels, ascending, at which the branches after that of the path belong to the part as well; the level
          len(path) stands for all that follows the graph at the path's end
    """

    path: tuple[int, ...] = ()
    rest: tuple[int, ...] = (0,)

    @property
    def start(self) -> tuple[int, ...]:
        """Where it begins; disjoint intervals are in the order of their starts."""
        last = self.rest[-1]
        return self.path if last == len(self.path) else (*self.path[:last], self.path[last] + 1)

    def divided(self) -> tuple[Interval, Interval] | None:
        """Two that are it together: the end, which is what is left nearest to the root, and the front.

        None where only a moment's exploration can tell what is in it.
        """
        if len(self.rest) < 2:
            return None
        level = self.rest[0]
        return Interval(self.path[: level + 1], (level,)), Interval(self.path, self.rest[1:])


WHOLE = Interval()


def after(path: Sequence[int]) -> Interval:
    """All that follows the graph that the path leads to."""
    return Interval(tuple(path), (len(path),))


def checked(path: Any, rest: Any) -> Interval:
    """The interval that a file says. Raises ValueError and TypeError for what is none."""
    if not all(isinstance(number, int) and number >= 0 for number in (*path, *rest)) or not rest:
        raise ValueError("a part that is none")
    return Interval(tuple(path), tuple(rest))


def interval(path: Sequence[int], rest: Sequence[int]) -> Interval | None:
    """What the core says that is left; None: nothing."""
    return Interval(tuple(path), tuple(rest)) if rest else None
