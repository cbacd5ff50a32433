"""Tracks in a channel of a drawing: in which order bundles run down it, so that few cross, and where."""

from __future__ import annotations

from xgen.records import dataclass

AIR = 6
"""How far the stretches of two bundles have to be apart, in pixels, to share a track."""
ROUNDS = 12
STEEP = 320
"""Curves between ports that are further apart get too steep to keep apart."""


@dataclass(slots=True)
class Use:
    """A bundle in a channel, the `which`-th that it uses; `place` is its track."""

    bundle: int
    which: int
    stubs: list[tuple[int, int]]
    place: int = 0

    @property
    def top(self) -> int:
        """Its highest point."""
        return min(y for y, _ in self.stubs)

    @property
    def bottom(self) -> int:
        """Its lowest point."""
        return max(y for y, _ in self.stubs)


def air(a: Use, b: Use) -> bool:
    """Whether two bundles can share a track."""
    return a.bottom + AIR < b.top or b.bottom + AIR < a.top


def order_tracks(uses: list[Use]) -> list[Use]:
    """From left to right: by their highest points, then exchanged with their neighbours while that saves crossings."""
    order = sorted(uses, key=lambda use: (use.top, use.bottom, use.bundle, use.which))
    for _ in range(ROUNDS):
        changed = False
        for k in range(len(order) - 1):
            a, b = order[k], order[k + 1]
            if _crossings(b, a) < _crossings(a, b):
                order[k], order[k + 1] = b, a
                changed = True
        if not changed:
            break
    return order


def _crossings(left: Use, right: Use) -> int:
    """How often two bundles cross if one runs left of the other."""
    count = sum(side > 0 and right.top <= y <= right.bottom for y, side in left.stubs)
    return count + sum(side < 0 and left.top <= y <= left.bottom for y, side in right.stubs)


def assign_tracks(order: list[Use]) -> int:
    """Gives each the first track behind all tracks before it that it would touch; how many tracks there are."""
    for k, use in enumerate(order):
        use.place = max((other.place + 1 for other in order[:k] if not air(other, use)), default=0)
    return max((use.place + 1 for use in order), default=0)


def curves_fit(ends: list[tuple[int, int]]) -> bool:
    """Whether curves between these heights, at the left and at the right of a channel, can be told apart."""
    for k, (a, b) in enumerate(ends):
        if abs(a - b) > STEEP:
            return False
        for c, d in ends[:k]:
            near, far = sorted((abs(a - c), abs(b - d)))
            crossing = (a < c) != (b < d)
            if near < (20 if crossing else 8) or far < 24:
                return False
    return True
