"""Where everything in a drawing of an execution goes: boxes, edges and labels, in pixels.

Threads are columns, their events are rows; initial writes stand above. Between the columns are *channels* and between
the rows *gaps*, which hold no boxes: edges run in them, each on its own *track* of a channel or *lane* of a gap. An
edge leaves and enters boxes at their sides:

    between neighbours         across the channel between them
    within a column            out into a channel and back
    further                    into a channel, along a gap, and across another channel
    from an initial write      down a channel

so that no edge runs across a box. Everything is decided by the execution alone: the same one is always drawn the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise

Point = tuple[float, float]
Curve = tuple[Point, Point, Point]
"""A cubic Bézier curve without its start: two points that direct it, and its end."""

CHARACTER = 7.9
"""The width of a character of a box's first line; monospaced fonts differ by little."""
SMALL_CHARACTER = 6.1
"""The same for the second line."""
ROW = 40.0
MARGIN = 14.0
HEADER = 24.0
INITIAL = 28.0
CAPTION = 26.0
PORT = 9.0
"""The most that two edges at one side of a box stand apart."""


@dataclass(frozen=True, slots=True)
class Item:
    """A box to be placed: what is written in it (`small`: in small print below). `key` is what edges call it."""

    key: object
    text: str
    small: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A line to be drawn between two items."""

    relation: str
    source: object
    target: object


@dataclass(frozen=True, slots=True)
class Box:
    """A placed item: its left upper corner, size, column (-1: an initial write) and row."""

    x: float
    y: float
    width: float
    height: float
    column: int
    row: int

    @property
    def middle(self) -> Point:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(slots=True)
class Route:
    """The way of an edge: cubic Bézier curves, each of which starts where the one before ends."""

    edge: Edge
    start: Point
    curves: tuple[Curve, ...]

    def points(self, step: float = 6.0) -> tuple[Point, ...]:
        """Points along the way, about `step` pixels apart, ends included."""
        return _points(self.start, self.curves, step)


@lru_cache(maxsize=1 << 14)  # the executions of a page have many routes in common
def _points(start: Point, curves: tuple[Curve, ...], step: float) -> tuple[Point, ...]:
    found = [start]
    for (x1, y1), (x2, y2), (x3, y3) in curves:
        x0, y0 = found[-1]
        count = max(2, int((abs(x3 - x0) + abs(y3 - y0)) / step) + 1)
        found += [
            (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3) for a, b, c, d in _weights(count)
        ]
    return tuple(found)


@cache
def _weights(count: int) -> list[tuple[float, float, float, float]]:
    """What a curve's four points weigh after each of so many equal steps."""
    shares = [k / count for k in range(1, count + 1)]
    return [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in shares]


@dataclass(slots=True)
class Layout:
    """A finished drawing. `frames` are the columns; the first `primary` routes are those of no overlay."""

    width: float
    height: float
    boxes: dict[object, Box]
    frames: list[Box]
    routes: list[Route]
    primary: int


def text_width(text: str, character: float = CHARACTER) -> float:
    """How wide a text is in a monospaced font, in pixels."""
    wide = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
    return wide * character


def place(
    columns: Sequence[Sequence[Item]],
    headers: Sequence[str],
    initial: Sequence[Item],
    edges: Iterable[Edge],
    overlays: Iterable[Sequence[Edge]] = (),
    *,
    caption: bool,
) -> Layout:
    """Places boxes and routes edges; edges between two initial writes, or to what is not there, are left out.

    Room is made for `edges`. Each of the `overlays` is routed in the room that there is, for itself: they are not shown
    all the time. Their routes come after those of `edges`.
    """
    return _Placing(columns, headers, initial, edges, caption).layout(overlays)


@dataclass(slots=True)
class _Way:
    """Which sides of boxes, channels and gap an edge uses. A side is -1 for left, 1 for right, 0 for the bottom."""

    edge: Edge
    sides: tuple[int, int]
    channels: tuple[int, ...]
    gap: int = -1
    lane: int = 0
    ports: list[Point] = field(init=False)
    tracks: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.ports = [(0.0, 0.0), (0.0, 0.0)]


class _Placing:
    def __init__(
        self,
        columns: Sequence[Sequence[Item]],
        headers: Sequence[str],
        initial: Sequence[Item],
        edges: Iterable[Edge],
        caption: bool,
    ) -> None:
        self.columns, self.headers, self.initial, self.caption = columns, headers, initial, caption
        self.rows = max((len(column) for column in columns), default=0)
        self.cells = {item.key: (c, r) for c, column in enumerate(columns) for r, item in enumerate(column)}
        self.cells |= {item.key: (-1, -1) for item in initial}
        self.load = [0] * (len(columns) + 1)
        known = self.drawable(edges)
        self.homes = self.find_homes(known)
        self.ways: list[_Way] = []
        for edge in known:
            self.ways.append(self.plan(edge))
            for channel in self.ways[-1].channels:
                self.load[channel] += 1
        self.boxes: dict[object, Box] = {}
        self.channels: list[tuple[float, float]] = []

    # --- which sides, channels and gaps ---

    def drawable(self, edges: Iterable[Edge]) -> list[Edge]:
        """The edges between two different boxes of which at most one is an initial write."""
        known = (e for e in edges if e.source in self.cells and e.target in self.cells and e.source != e.target)
        return [e for e in known if max(self.cells[e.source][0], self.cells[e.target][0]) >= 0]

    def find_homes(self, edges: list[Edge]) -> dict[object, int]:
        """The channel above which each initial write stands: near its readers, outside rather than between threads."""
        homes = {}
        taken: dict[int, int] = {}
        for item in self.initial:
            near = [self.cells[e.target][0] for e in edges if e.source == item.key and self.cells[e.target][0] >= 0]
            last = len(self.columns)

            def cost(channel: int, near: list[int] = near, last: int = last) -> tuple[float, int]:
                far = sum(min(abs(channel - c), abs(channel - c - 1)) for c in near)
                return far + 0.6 * taken.get(channel, 0) + (0 if channel in (0, last) else 0.5), channel

            homes[item.key] = min(range(last + 1), key=cost)
            taken[homes[item.key]] = taken.get(homes[item.key], 0) + 1
        return homes

    def plan(self, edge: Edge) -> _Way:
        (a, row_a), (b, row_b) = self.cells[edge.source], self.cells[edge.target]
        if a == -1 or b == -1:
            column = max(a, b)
            home = self.homes[edge.source if a == -1 else edge.target]
            side = -1 if home <= column else 1
            channel = column if side == -1 else column + 1
            way = _Way(edge, (0, side) if a == -1 else (side, 0), (channel,))
        elif a == b:
            side = self.outer_side(a)
            way = _Way(edge, (side, side), (a if side == -1 else a + 1,))
        elif abs(a - b) == 1:
            way = _Way(edge, (1, -1) if a < b else (-1, 1), (max(a, b),))
        else:
            channels = (a + 1, b) if a < b else (a, b + 1)
            way = _Way(edge, (1, -1) if a < b else (-1, 1), channels, self.choose_gap(a, b, row_a, row_b))
        return way

    def outer_side(self, column: int) -> int:
        """The side at which an edge within a column bows out."""
        if column in (0, len(self.columns) - 1) and len(self.columns) > 1:
            return -1 if column == 0 else 1
        return -1 if self.load[column] < self.load[column + 1] else 1

    def choose_gap(self, a: int, b: int, row_a: int, row_b: int) -> int:
        """The gap (g is above row g) in which a long edge crosses columns: on its way, and above boxes if it can."""
        low, high = sorted((row_a, row_b))
        between = range(min(a, b) + 1, max(a, b))
        choices = range(low + 1, high + 1) if low < high else (low, low + 1)
        free = [g for g in choices if all(len(self.columns[c]) <= g - 1 for c in between)]
        return (free or list(choices))[0 if row_a <= row_b else -1]

    # --- sizes ---

    def layout(self, overlays: Iterable[Sequence[Edge]]) -> Layout:
        lanes = self.assign_lanes()
        frames = self.place_boxes(lanes)
        routes = self.route(self.ways)
        for overlay in overlays:
            ways = [self.plan(edge) for edge in self.drawable(overlay)]
            for number, way in enumerate(ways):
                way.lane = number % max(1, lanes.get(way.gap, 1))
            routes += self.route(ways, shift=2.5)
        right = self.channels[-1][1] if self.channels else 0.0
        bottom = max((f.y + f.height for f in frames), default=self.top)
        if lanes.get(self.rows):
            bottom = max(bottom, self.lane_y(self.rows, lanes[self.rows] - 1) + MARGIN)
        right = max([right, *(box.x + box.width + 4 for box in self.boxes.values())])
        return Layout(right + MARGIN, bottom + MARGIN, self.boxes, frames, routes, len(self.ways))

    def assign_lanes(self) -> dict[int, int]:
        """A lane for each way along a gap, so that those that share a stretch do not share a lane."""
        used: dict[int, list[list[tuple[int, int]]]] = {}
        for way in self.ways:
            if way.gap < 0:
                continue
            low, high = min(way.channels), max(way.channels)
            lanes = used.setdefault(way.gap, [])
            free = (n for n, lane in enumerate(lanes) if all(high < a or b < low for a, b in lane))
            way.lane = next(free, len(lanes))
            if way.lane == len(lanes):
                lanes.append([])
            lanes[way.lane].append((low, high))
        return {gap: len(lanes) for gap, lanes in used.items()}

    def place_boxes(self, lanes: dict[int, int]) -> list[Box]:
        widths = [
            max([54.0, text_width(h) + 8, *map(_width, column)])
            for column, h in zip(self.columns, self.headers, strict=True)
        ]
        x = MARGIN
        last = len(self.columns)
        lefts = []
        for channel in range(last + 1):
            tracks = self.load[channel]
            least = 8.0 if channel in (0, last) else 46.0
            width = max(least, 26 + 13.0 * tracks if tracks else least)
            self.channels.append((x, x + width))
            x += width
            if channel < last:
                lefts.append(x)
                x += widths[channel]
        y = MARGIN + (CAPTION if self.caption else 0)
        self.initial_y = y
        if self.initial:
            y += INITIAL + 16
        y += 9.0 * lanes.get(0, 0)
        self.top = y
        y += HEADER
        self.row_y: list[float] = []
        for row in range(self.rows):
            y += 9.0 * lanes.get(row, 0) if row else 0
            self.row_y.append(y)
            y += ROW + 20
        for c, column in enumerate(self.columns):
            for r, item in enumerate(column):
                self.boxes[item.key] = Box(lefts[c], self.row_y[r], widths[c], ROW, c, r)
        self.place_initial()
        return [
            Box(
                lefts[c] - 8,
                self.top,
                widths[c] + 16,
                (self.row_y[len(column) - 1] + ROW if column else self.top + HEADER) + 8 - self.top,
                c,
                0,
            )
            for c, column in enumerate(self.columns)
        ]

    def place_initial(self) -> None:
        """Initial writes stand above their channels, moved aside where they are too close."""
        order = sorted(self.initial, key=lambda item: self.homes[item.key])
        xs: list[tuple[float, float]] = []
        for item in order:
            left, right = self.channels[self.homes[item.key]]
            x = max((left + right) / 2 - _width(item) / 2, MARGIN if not xs else xs[-1][1] + 18)
            xs.append((x, x + _width(item)))
        # What was pushed to the right goes back as far as the ones before it leave room.
        limit = max(self.channels[-1][1], xs[-1][1] if xs else 0) if self.channels else 0
        over = xs[-1][1] - self.channels[-1][1] if xs and self.channels else 0.0
        for k in range(len(xs) - 1, -1, -1):
            width = xs[k][1] - xs[k][0]
            least = MARGIN + sum(b - a + 18 for a, b in xs[:k])
            wanted = max(least, min(xs[k][0] - max(over, 0), limit - width))
            xs[k] = (wanted, wanted + width)
            limit = wanted - 18
        for item, (x, end) in zip(order, xs, strict=True):
            self.boxes[item.key] = Box(x, self.initial_y, end - x, INITIAL, -1, -1)

    def lane_y(self, gap: int, lane: int) -> float:
        if gap >= self.rows:
            return self.row_y[-1] + ROW + 14 + 9.0 * lane
        return (self.row_y[gap] if gap else self.top) - 10 - 9.0 * lane

    # --- ports and tracks ---

    def route(self, ways: list[_Way], shift: float = 0.0) -> list[Route]:
        """The ways in pixels, with all their ends moved along the sides of the boxes by `shift`."""
        self.place_ports(ways, shift)
        self.assign_tracks(ways)
        drawn = ((way.edge, *self.draw(way)) for way in ways)
        return [Route(edge, start, tuple(curves)) for edge, start, curves in drawn]

    def place_ports(self, ways: list[_Way], moved: float) -> None:
        """Where edges touch their boxes: spread along the side, in the order in which they go on."""
        sides: dict[tuple[object, int], list[tuple[float, int, int]]] = {}
        for number, way in enumerate(ways):
            edge, (side, other_side) = way.edge, way.sides
            if way.gap >= 0:
                first = second = self.lane_y(way.gap, way.lane)
            else:
                one, two = self.boxes[edge.source], self.boxes[edge.target]
                first = two.y + two.height / 2 if side else sum(self.channels[way.channels[0]]) / 2
                second = one.y + one.height / 2 if other_side else sum(self.channels[way.channels[0]]) / 2
            sides.setdefault((edge.source, side), []).append((first, number, 0))
            sides.setdefault((edge.target, other_side), []).append((second, number, 1))
        for (key, side), ends in sides.items():
            box = self.boxes[key]
            middle = box.middle
            room = (box.width if side == 0 else box.height) - 10
            step = min(PORT, room / max(1, len(ends) - 1))
            ends.sort()
            across = box.x + (box.width if side == 1 else 0)
            for place, (_, number, end) in enumerate(ends):
                shift = (place - (len(ends) - 1) / 2) * step + moved
                port = (middle[0] + shift, box.y + box.height) if side == 0 else (across, middle[1] + shift)
                ways[number].ports[end] = port

    def assign_tracks(self, ways: list[_Way]) -> None:
        """The vertical line that an edge follows in each channel that it uses, so that few cross."""
        users: dict[int, list[tuple[tuple[float, ...], int, int]]] = {}
        for number, way in enumerate(ways):
            way.tracks = [0.0] * len(way.channels)
            for which, channel in enumerate(way.channels):
                users.setdefault(channel, []).append((self.track_order(way, which), number, which))
        for channel, list_ in users.items():
            left, right = self.channels[channel]
            for place, (_, number, which) in enumerate(sorted(list_)):
                share = (place + 1) / (len(list_) + 1)
                ways[number].tracks[which] = left + 10 + share * (right - left - 20)

    def track_order(self, way: _Way, which: int) -> tuple[float, ...]:
        """From left to right: what hangs on the left column, what crosses, what hangs on the right column."""
        (_, y0), (_, y1) = way.ports
        if len(way.channels) == 2:
            lane = self.lane_y(way.gap, way.lane)
            y0, y1 = (y0, lane) if which == 0 else (lane, y1)
            side = way.sides[which]
            return (0, abs(y1 - y0)) if side == 1 else (2, -abs(y1 - y0))
        if way.sides[0] == -way.sides[1]:
            left, right = (y0, y1) if way.sides[0] == 1 else (y1, y0)
            return (1, 0, -(left + right)) if right > left else (1, 1, left + right)
        side = way.sides[0] or way.sides[1]
        return (0, abs(y1 - y0)) if side == 1 else (2, -abs(y1 - y0))

    # --- ways ---

    def draw(self, way: _Way) -> tuple[Point, list[Curve]]:
        """The start of the edge and its curves."""
        start, end = way.ports
        if 0 in way.sides:
            down = [*self.from_initial(start, end, way.tracks[0])] if way.sides[0] == 0 else []
            return (start, down) if down else _reversed(end, list(self.from_initial(end, start, way.tracks[0])))
        if way.gap >= 0:
            return start, list(self.along_gap(way))
        (x0, y0), y1, track = start, end[1], way.tracks[0]
        if way.sides[0] == way.sides[1]:
            reach = x0 + (track - x0) / 0.75
            return start, [((reach, y0), (reach, y1), end)]
        if abs(y0 - y1) < PORT:
            return start, [_line(start, end)]
        return start, [((track, y0), (track, y1), end)]

    def from_initial(self, start: Point, end: Point, track: float) -> Iterator[Curve]:
        top, turn = self.top + 4, end[1] - 16
        middle = (start[1] + top) / 2
        yield (start[0], middle), (track, middle), (track, top)
        if turn > top:
            yield _line((track, top), (track, turn))
        yield (track, end[1]), (track, end[1]), end

    def along_gap(self, way: _Way) -> Iterator[Curve]:
        (_, y0), end = way.ports
        y = self.lane_y(way.gap, way.lane)
        right = way.sides[0] == 1
        leave = self.channels[way.channels[0]][1 if right else 0]
        enter = self.channels[way.channels[1]][0 if right else 1]
        one, two = way.tracks
        yield (one, y0), (one, y), (leave, y)
        yield _line((leave, y), (enter, y))
        yield (two, y), (two, end[1]), end


def _line(start: Point, end: Point) -> Curve:
    """A straight line as a curve."""
    (a, b), (c, d) = start, end
    return (a + (c - a) / 3, b + (d - b) / 3), (a + 2 * (c - a) / 3, b + 2 * (d - b) / 3), end


def _reversed(start: Point, curves: list[Curve]) -> tuple[Point, list[Curve]]:
    points = [start, *(point for curve in curves for point in curve)][::-1]
    return points[0], [(points[k], points[k + 1], points[k + 2]) for k in range(1, len(points), 3)]


def _width(item: Item) -> float:
    return max(text_width(item.text), text_width(item.small, SMALL_CHARACTER)) + 18


class Labels:
    """Puts labels on edges: where they cover no box, no other label, and few other edges."""

    CELL = 12.0
    PLACES = (0.5, 0.4, 0.6, 0.32, 0.68, 0.24, 0.76, 0.16, 0.84)
    HEIGHT = 13.0
    CHARACTER = 6.4

    def __init__(self, layout: Layout) -> None:
        columns: dict[tuple[float, float], list[tuple[float, float]]] = {}
        for box in layout.boxes.values():
            columns.setdefault((box.x, box.x + box.width), []).append((box.y, box.y + box.height))
        self.columns = [(*sides, heights) for sides, heights in columns.items()]
        self.routes = layout.routes[: layout.primary]
        # By cell, a bit for each route that goes through, and then for each label.
        self.near: dict[int, int] = {}
        near = self.near
        for number, route in enumerate(self.routes):
            bit = 1 << number
            for cell in _cells(route.start, route.curves):
                near[cell] = near.get(cell, 0) | bit
        self.taken: list[tuple[float, float, float, float]] = []

    def put(self, number: int, text: str) -> Point:
        """Where the middle of the label of edge `number` goes."""
        width, height = (len(text) * self.CHARACTER + 6) / 2, self.HEIGHT / 2
        best: tuple[float, tuple[float, float, float, float]] | None = None
        route = self.routes[number]
        for x, y in _places(route.start, route.curves):
            area = (x - width, y - height, x + width, y + height)
            cost = self.cost(number, area)
            if best is None or cost < best[0]:
                best = cost, area
            if cost == 0:
                break
        assert best is not None
        left, top, right, bottom = best[1]
        bit = 1 << len(self.routes) + len(self.taken)
        for cell in _cells_of(best[1]):
            self.near[cell] = self.near.get(cell, 0) | bit
        self.taken.append(best[1])
        return (left + right) / 2, (top + bottom) / 2

    def cost(self, number: int, area: tuple[float, float, float, float]) -> int:
        left, top, right, bottom = area
        near, found, cost = self.near, 0, 0
        for cell in _cells_of(area):
            found |= near.get(cell, 0)
        for box_left, box_right, heights in self.columns:
            if left < box_right and box_left < right:
                cost += 100 * sum(top < box_bottom and box_top < bottom for box_top, box_bottom in heights)
        labels = found >> len(self.routes)
        while labels:
            other = self.taken[labels.bit_length() - 1]
            labels ^= 1 << labels.bit_length() - 1
            if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                cost += 30
        return cost + (found & (1 << len(self.routes)) - 1 & ~(1 << number)).bit_count()

    @classmethod
    def on_overlay(cls, number: int, route: Route) -> Point:
        """Where the middle of a label in an overlay goes, which looks at nothing else."""
        return _at_share(route.start, route.curves, cls.PLACES[number % 7])


_COLUMN = 1 << 20
"""Cells are numbered column by column."""


@lru_cache(maxsize=1 << 14)
def _cells(start: Point, curves: tuple[Curve, ...]) -> frozenset[int]:
    """The cells that a way goes through."""
    size = Labels.CELL
    return frozenset(int(x // size) * _COLUMN + int(y // size) for x, y in _points(start, curves, 6.0))


@lru_cache(maxsize=1 << 14)
def _cells_of(area: tuple[float, float, float, float]) -> list[int]:
    """The cells that an area touches."""
    left, top, right, bottom = (int(side // Labels.CELL) for side in area)
    return [i * _COLUMN + j for i in range(left, right + 1) for j in range(top, bottom + 1)]


@lru_cache(maxsize=1 << 14)
def _places(start: Point, curves: tuple[Curve, ...]) -> tuple[Point, ...]:
    """Where a label could be."""
    return tuple(_along(_points(start, curves, 6.0), Labels.PLACES))


@lru_cache(maxsize=1 << 14)
def _at_share(start: Point, curves: tuple[Curve, ...], share: float) -> Point:
    return next(_along(_points(start, curves, 20.0), (share,)))


def _along(points: Sequence[Point], shares: Iterable[float]) -> Iterator[Point]:
    """The points to which shares of the way lead."""
    lengths = [abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(points)]
    whole = sum(lengths)
    for share in shares:
        rest, k = share * whole, 0
        while k < len(lengths) - 1 and rest > lengths[k]:
            rest -= lengths[k]
            k += 1
        t = rest / lengths[k] if lengths[k] else 0.0
        (x0, y0), (x1, y1) = points[k], points[k + 1]
        yield x0 + t * (x1 - x0), y0 + t * (y1 - y0)
