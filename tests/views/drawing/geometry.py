"""What is measured of finished drawings: boxes that meet, lines in boxes, lines that lie on each other, labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from xgen.views.drawing.labels import HEIGHT, label_width
from xgen.views.drawing.layout import Bundle, Layout

Point = tuple[float, float]
NEAR = 3
"""Parallel lines that are closer, in pixels, lie on each other."""


def points(bundle: Bundle, way: list[tuple[int, int]]) -> list[Point]:
    """A line of a bundle by its corners; a curve by many points."""
    if not bundle.curved:
        return [*way]
    (a, b), (c, d) = way
    middle = (a + c) / 2
    found = []
    for k in range(201):
        t = k / 200
        u = 1 - t
        x = u**3 * a + 3 * u * u * t * middle + 3 * u * t * t * middle + t**3 * c
        y = (u**3 + 3 * u * u * t) * b + (3 * u * t * t + t**3) * d
        found.append((x, y))
    return found


def pieces(bundle: Bundle) -> list[tuple[Point, Point]]:
    """The straight pieces of a bundle."""
    return [piece for way in bundle.ways for piece in pairwise(points(bundle, way))]


def faults(layout: Layout) -> Iterator[str]:
    """What is wrong with a drawing, a sentence each."""
    for (n, a), (m, b) in combinations(enumerate(layout.boxes), 2):
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            yield f"boxes {n} and {m} meet"
    lines = {bundle.number: pieces(bundle) for bundle in layout.bundles}
    for bundle in layout.bundles:
        for (x0, y0), (x1, y1) in lines[bundle.number]:
            if not (min(x0, x1) >= 0 and max(x0, x1) <= layout.width and min(y0, y1) >= 0):
                yield f"bundle {bundle.number} leaves the paper"
            if max(y0, y1) > layout.height:
                yield f"bundle {bundle.number} leaves the paper below"
            for n, (x, y, w, h) in enumerate(layout.boxes):
                if min(x0, x1) < x + w and x < max(x0, x1) and min(y0, y1) < y + h and y < max(y0, y1):
                    yield f"bundle {bundle.number} enters box {n}"
                if x0 == x1 and x < x0 < x + w and min(y0, y1) < y + h and y < max(y0, y1):
                    yield f"bundle {bundle.number} enters box {n}"
                if y0 == y1 and y < y0 < y + h and min(x0, x1) < x + w and x < max(x0, x1):
                    yield f"bundle {bundle.number} enters box {n}"
    for one, two in combinations(layout.bundles, 2):
        if any(together(p, q) for p in lines[one.number] for q in lines[two.number]):
            yield f"bundles {one.number} and {two.number} lie on each other"
    for bundle in layout.bundles:
        if bundle.label is None or bundle.step:
            continue
        x, y = bundle.label
        half = label_width(bundle.text) // 2
        area = (x - half - 2, y - HEIGHT // 2 - 2, x + half + 2, y + HEIGHT // 2 + 2)
        if area[0] < 0 or area[2] > layout.width:
            yield f"the label of bundle {bundle.number} leaves the paper"
        for other in layout.bundles:
            if other is not bundle and any(meets(area, piece) for piece in lines[other.number]):
                yield f"the label of bundle {bundle.number} covers bundle {other.number}"


def together(p: tuple[Point, Point], q: tuple[Point, Point]) -> bool:
    """Whether two pieces run side by side, closer than NEAR, for more than a pixel."""
    if min(p[0][0], p[1][0]) > max(q[0][0], q[1][0]) + NEAR or min(q[0][0], q[1][0]) > max(p[0][0], p[1][0]) + NEAR:
        return False
    if min(p[0][1], p[1][1]) > max(q[0][1], q[1][1]) + NEAR or min(q[0][1], q[1][1]) > max(p[0][1], p[1][1]) + NEAR:
        return False
    (dx, dy), (ex, ey) = ((b[0] - a[0], b[1] - a[1]) for a, b in (p, q))
    long, other = (dx * dx + dy * dy) ** 0.5, (ex * ex + ey * ey) ** 0.5
    if not long or not other or abs(dx * ey - dy * ex) > 0.1 * long * other:
        return False
    along = sorted(((x - p[0][0]) * dx + (y - p[0][1]) * dy) / long for x, y in q)
    shared = min(along[1], long) - max(along[0], 0)
    across = abs((q[0][0] - p[0][0]) * dy - (q[0][1] - p[0][1]) * dx) / long
    return shared > 1 and across < NEAR


def meets(area: tuple[float, float, float, float], piece: tuple[Point, Point]) -> bool:
    """Whether a piece goes through an area (of pieces that are not upright or level, whether what spans it does)."""
    (a, b), (c, d) = piece
    return area[0] < max(a, c) and min(a, c) < area[2] and area[1] < max(b, d) and min(b, d) < area[3]
