"""Where the labels of a drawing go: on their own line, or beside it, clear of all else; or nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

CELL = 48
CLEAR = 3
"""How far labels keep from everything else, in pixels."""
STEP = 4
CANDIDATES = 30
"""Places that are tried on each part of a line, at each of its sides, and on it."""
PARTS = 6
"""Parts of a bundle's lines that are tried, the longest first."""
SHARES = (6, 5, 7, 4, 8, 3, 9)
"""Where labels on curves are tried, in twelfths."""
HEIGHT = 14

_WIDE = (
    (0x1100, 0x115F), (0x2E80, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE6F), (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6), (0x1F300, 0x1FAFF), (0x20000, 0x3FFFD),
)  # fmt: skip
"""Characters of double width."""


class Segment(NamedTuple):
    """An area that labels keep clear of, but those of the bundle `owner`."""

    left: int
    top: int
    right: int
    bottom: int
    owner: int


def text_width(text: str) -> int:
    """How wide a text is in a monospaced font, in characters."""
    return sum(1 + (char >= "ᄀ" and any(a <= ord(char) <= b for a, b in _WIDE)) for char in text)


def label_width(text: str) -> int:
    """How wide a label is, in pixels."""
    return 7 * text_width(text) + 6


def curve_point(start: tuple[int, int], end: tuple[int, int], share: int) -> tuple[int, int]:
    """A point of a curve across a channel, at a share of it in twelfths."""
    t, u = share, 12 - share
    middle = (start[0] + end[0]) // 2
    inner = 3 * t * u * u + 3 * t * t * u
    x = (u * u * u * start[0] + inner * middle + t * t * t * end[0]) // 1728
    y = ((u * u * u + 3 * t * u * u) * start[1] + (t * t * t + 3 * t * t * u) * end[1]) // 1728
    return x, y


class Labels:
    """The areas that are taken, by cells of a grid."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], list[Segment]] = {}

    def add(self, taken: Segment) -> None:
        """Labels keep clear of this area from now on."""
        for i in range(taken.left // CELL, taken.right // CELL + 1):
            for j in range(taken.top // CELL, taken.bottom // CELL + 1):
                self.cells.setdefault((i, j), []).append(taken)

    def add_ways(self, ways: list[list[tuple[int, int]]], curved: bool, owner: int) -> None:
        """Labels of other bundles keep clear of these lines."""
        for way in ways:
            points = [curve_point(way[0], way[1], share) for share in range(13)] if curved else way
            for (a, b), (c, d) in pairwise(points):
                self.add(Segment(min(a, c), min(b, d), max(a, c), max(b, d), owner))

    def put(
        self, ways: list[list[tuple[int, int]]], curved: bool, owner: int, text: str, needed: bool
    ) -> tuple[int, int] | None:
        """The middle of a bundle's label; None where nothing is free, unless it is `needed`."""
        half = label_width(text) // 2
        places = list(_on_curve(ways[0]) if curved else _on_lines(ways, half))
        found = next((place for place in places if self.is_free(place, half, owner)), None)
        if found is None and needed:
            found = places[0]
        if found is not None:
            x, y = found
            self.add(Segment(x - half, y - HEIGHT // 2, x + half, y + HEIGHT // 2, -1))
        return found

    def is_free(self, place: tuple[int, int], half: int, owner: int) -> bool:
        """Whether a label there is clear of all but its own lines, and on the paper."""
        left, right = place[0] - half - CLEAR, place[0] + half + CLEAR
        top, bottom = place[1] - HEIGHT // 2 - CLEAR, place[1] + HEIGHT // 2 + CLEAR
        if left < 0:
            return False
        for i in range(left // CELL, right // CELL + 1):
            for j in range(top // CELL, bottom // CELL + 1):
                for taken in self.cells.get((i, j), ()):
                    if taken.owner == owner:
                        continue
                    if left < taken.right and taken.left < right and top < taken.bottom and taken.top < bottom:
                        return False
        return True


def _on_curve(way: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    points = [curve_point(way[0], way[1], share) for share in SHARES]
    yield from points
    for x, y in points:
        yield x, y - 12
        yield x, y + 12


def _on_lines(ways: list[list[tuple[int, int]]], half: int) -> Iterator[tuple[int, int]]:
    """On the longest straight parts, from the middle outwards, then beside them."""
    parts = sorted(
        dict.fromkeys(pair for way in ways for pair in pairwise(way)),
        key=lambda part: -abs(part[0][0] - part[1][0]) - abs(part[0][1] - part[1][1]),
    )[:PARTS]
    upright = half + 5
    for beside in (0, 1, -1):
        for (a, b), (c, d) in parts:
            x, y = (a + c) // 2, (b + d) // 2
            steps = min(CANDIDATES, (abs(a - c) + abs(b - d)) // STEP)
            for k in range(steps):
                moved = STEP * ((k + 1) // 2) * (1 if k % 2 else -1)
                if a == c:
                    yield x + beside * upright, y + moved
                else:
                    yield x + moved, y + beside * 12
