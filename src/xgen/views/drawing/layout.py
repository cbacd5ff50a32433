"""Where everything in a drawing of an execution goes: boxes, edges and labels, in whole pixels.

Threads are columns, their events are rows. Between the columns are *channels* and between the rows *gaps*, which hold
no boxes: edges run in them, each on its own *track* of a channel or *lane* of a gap. What leaves one box by the same
relation is a *bundle*, which has one track and one label:

    between neighbours      across the channel between them: curves where there are few, else corners
    within a column         out into a channel and back
    further                 into a channel, along a gap, and across another channel

so that no edge runs across a box. `draw.js` has the same rules, step by step, for pages: there are no fractions, all
sorting is stable, and what is equal goes by its number, so that both come to the same pixels. A test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xgen.records import dataclass
from xgen.views.drawing.labels import Labels, Segment, label_width, text_width
from xgen.views.drawing.picture import Picture
from xgen.views.drawing.tracks import Use, assign_tracks, curves_fit, order_tracks

CHARACTER, SMALL = 8, 6
"""How wide a character is in a box's first line, and in its second one."""
PORT, TRACK, LANE, MARGIN = 8, 12, 10, 12
HEADER, CAPTION, LINE = 32, 24, 18
FURTHER = 16
"""How high a further line of a box's text is."""
MANY_ROWS = 12
"""Drawings with more rows are compact: boxes of one line."""
MANY_TRACKS, WIDE = 16, 3000
"""What a drawing may need: more tracks than that in a channel, or more pixels, and edges are left out."""
CURVES = 6
"""Channels with more bundles have corners instead of curves."""
HEAD = 9
"""How long heads of arrows are."""
LONGEST = 240
"""Second lines are cut to so many pixels."""

Point = tuple[int, int]
Area = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(slots=True)
class Bundle:
    """Edges of one relation with an end in common, the anchor, that lead to (or come from) one column."""

    relation: str
    anchor: int
    others: list[int]
    forward: bool
    step: int
    number: int
    sides: tuple[int, int] = (0, 0)
    channels: list[int] = field(default_factory=list)
    gap: int = -1
    lane: int = 0
    port: int = 0
    ports: list[int] = field(default_factory=list)
    tracks: list[int] = field(default_factory=list)
    curved: bool = False
    ways: list[list[Point]] = field(default_factory=list)
    label: Point | None = None

    @property
    def text(self) -> str:
        """What its label says."""
        name = f"{self.relation} ×{len(self.others)}" if len(self.others) > 1 else self.relation
        return f"{self.step} {name}" if self.step else name


@dataclass(slots=True)
class Layout:
    """A finished drawing: the areas of its items, columns and frames, and the bundles with their ways.

    `steps` are the badges of highlighted program order. `left_out` counts the edges that were too many.
    """

    width: int
    height: int
    compact: bool
    boxes: list[Area]
    columns: list[Area]
    frames: list[Area]
    bundles: list[Bundle]
    steps: list[tuple[int, Point]]
    left_out: int


def arrange(picture: Picture) -> Layout:
    """Places everything; of too many edges only those that matter, `Edge.keep`, or of these those of rf, or none."""
    edges = [number for number, edge in enumerate(picture.edges) if edge.a != edge.b]
    kept = edges
    for stage in range(4):
        if stage:
            kept = [
                n
                for n in kept
                if picture.edges[n].step
                or (stage == 1 and picture.edges[n].keep)
                or (stage == 2 and picture.edges[n].relation == "rf")
            ]
        found = _Placing(picture, kept).layout()
        if found is not None:
            break
    assert found is not None
    found.left_out = len(edges) - len(kept)
    return found


class _Placing:
    def __init__(self, picture: Picture, kept: Sequence[int]) -> None:
        self.picture = picture
        self.cells = [(c, r) for c, column in enumerate(picture.columns) for r in range(len(column.items))]
        self.items = [item for column in picture.columns for item in column.items]
        self.lengths = [len(column.items) for column in picture.columns]
        self.rows = max(self.lengths, default=0)
        self.compact = self.rows > MANY_ROWS
        self.base = 24 if self.compact else 40
        self.bundles = self.collect(kept)
        self.load = [0] * (len(self.lengths) + 1)
        for bundle in self.bundles:
            self.plan(bundle)
            for channel in bundle.channels:
                self.load[channel] += 1

    # --- which bundles, sides, channels and gaps ---

    def collect(self, kept: Sequence[int]) -> list[Bundle]:
        """The rf edges of one write into one column, the fr edges of one column to one write; others are alone."""
        found: list[Bundle] = []
        known: dict[tuple[str, int, int], Bundle] = {}
        for number in kept:
            edge = self.picture.edges[number]
            forward = edge.relation != "fr"
            anchor, other = (edge.a, edge.b) if forward else (edge.b, edge.a)
            key = (edge.relation, anchor, self.cells[other][0])
            if edge.relation in ("rf", "fr") and not edge.step and key in known:
                known[key].others.append(other)
                continue
            bundle = Bundle(edge.relation, anchor, [other], forward, edge.step, len(found))
            found.append(bundle)
            if not edge.step:
                known[key] = bundle
        for bundle in found:
            bundle.others.sort()
        return found

    def plan(self, bundle: Bundle) -> None:
        (a, row_a), (b, row_b) = self.cells[bundle.anchor], self.cells[bundle.others[0]]
        if a == b:
            side = self.outer_side(a)
            bundle.sides, bundle.channels = (side, side), [a if side < 0 else a + 1]
        elif a < b:
            bundle.sides, bundle.channels = (1, -1), [a + 1] if b == a + 1 else [a + 1, b]
        else:
            bundle.sides, bundle.channels = (-1, 1), [a] if b == a - 1 else [a, b + 1]
        if len(bundle.channels) == 2:
            bundle.gap = self.choose_gap(a, b, row_a, row_b)

    def outer_side(self, column: int) -> int:
        """The side at which an edge within a column bows out."""
        last = len(self.lengths) - 1
        if last > 0 and column in (0, last):
            return -1 if column == 0 else 1
        return -1 if self.load[column] < self.load[column + 1] else 1

    def choose_gap(self, a: int, b: int, row_a: int, row_b: int) -> int:
        """The gap (g is above row g) in which a long edge crosses columns: below all boxes if it can."""
        low, high = (row_a + 1, row_b) if row_a < row_b else (row_b + 1, row_a)
        if row_a == row_b:
            low, high = row_a, row_a + 1
        deepest = max(self.lengths[c] for c in range(min(a, b) + 1, max(a, b)))
        if deepest <= high:
            return max(low, deepest)
        return row_a + 1 if row_a < row_b else row_a

    # --- sizes ---

    def layout(self) -> Layout | None:
        """The drawing, or None where it gets too large for its edges."""
        sides = self.order_ports()
        lanes = self.assign_lanes()
        self.place_rows(sides, lanes)
        self.place_ports(sides)
        channels = self.order_channels()
        widths = self.place_columns(channels)
        many = max((self.counts[c] for c in range(len(self.counts))), default=0) > MANY_TRACKS
        if self.bundles and (many or self.right > WIDE):
            return None
        self.place_tracks(channels)
        for bundle in self.bundles:
            self.draw(bundle)
        boxes = [(self.lefts[c], self.tops[r], widths[c], self.heights[n]) for n, (c, r) in enumerate(self.cells)]
        columns = []
        for c, length in enumerate(self.lengths):
            last = sum(self.lengths[: c + 1]) - 1
            below = self.below.get((c, length - 1), 0)
            bottom = boxes[last][1] + boxes[last][3] + below if length else self.top + HEADER
            columns.append((self.lefts[c] - 6, self.top, widths[c] + 12, bottom + 8 - self.top))
        result = Layout(
            self.right, self.bottom, self.compact, boxes, columns, self.frame_areas(boxes), self.bundles, [], 0
        )
        self.put_labels(result)
        return result

    def order_ports(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """For each side of an item the ends that touch it: (where they lead, bundle, which end), from top to bottom.

        The ends are -1 for the anchor, else the place in `others`; what they lead to is twice a gap, or a row's middle.
        """
        sides: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for bundle in self.bundles:
            middle = bundle.others[len(bundle.others) // 2]
            far = 2 * bundle.gap if bundle.gap >= 0 else 2 * self.cells[middle][1] + 1
            near = 2 * bundle.gap if bundle.gap >= 0 else 2 * self.cells[bundle.anchor][1] + 1
            sides.setdefault((bundle.anchor, bundle.sides[0]), []).append((far, bundle.number, -1))
            for place, other in enumerate(bundle.others):
                sides.setdefault((other, bundle.sides[1]), []).append((near, bundle.number, place))
            bundle.ports = [0] * len(bundle.others)
        for ends in sides.values():
            ends.sort()
        return sides

    def assign_lanes(self) -> dict[int, int]:
        """A lane for each bundle along a gap, so that those that share a stretch do not share a lane."""
        used: dict[int, list[list[tuple[int, int]]]] = {}
        for bundle in self.bundles:
            if bundle.gap < 0:
                continue
            low, high = min(bundle.channels), max(bundle.channels)
            lanes = used.setdefault(bundle.gap, [])
            lane = 0
            while lane < len(lanes) and any(low <= b and a <= high for a, b in lanes[lane]):
                lane += 1
            if lane == len(lanes):
                lanes.append([])
            lanes[lane].append((low, high))
            bundle.lane = lane
        return {gap: len(lanes) for gap, lanes in used.items()}

    def place_rows(self, sides: dict[tuple[int, int], list[tuple[int, int, int]]], lanes: dict[int, int]) -> None:
        """The heights of items, the tops of rows, and the lanes, all down from the top."""
        self.heights = [self.base + FURTHER * len(item.more) for item in self.items]
        for (item, _), ends in sides.items():
            self.heights[item] = max(self.heights[item], 8 + PORT * len(ends))
        row_heights = [0] * self.rows
        for number, (_, row) in enumerate(self.cells):
            row_heights[row] = max(row_heights[row], self.heights[number])
        above, under = [0] * (self.rows + 1), [0] * (self.rows + 1)
        self.below: dict[tuple[int, int], int] = {}
        for frame in self.picture.frames:
            above[self.cells[frame.a][1]] = 16
            under[self.cells[frame.b][1] + 1] = 8
            self.below[self.cells[frame.b]] = 8
        for edge in self.picture.steps:
            above[self.cells[edge.b][1]] = max(above[self.cells[edge.b][1]], 24 if self.compact else 8)
        self.top = MARGIN + (CAPTION if self.picture.caption else 0)
        self.top += LINE * ((1 if self.picture.quiet else 0) + (1 if self.picture.notice else 0))
        y = self.top + HEADER
        self.tops: list[int] = []
        self.lanes: dict[tuple[int, int], int] = {}
        for row in range(self.rows + 1):
            count = lanes.get(row, 0)
            gap = 0 if row == 0 else 8 if self.compact else 24
            if row == self.rows:
                gap = 24 if count else 8
            if count:
                gap = max(gap, 16) + LANE * (count - 1)
            for lane in range(count):
                first = max(8, (gap - LANE * (count - 1)) // 2)
                self.lanes[row, lane] = y + under[row] + first + LANE * lane
            y += under[row] + gap + above[row]
            y = (y + 7) // 8 * 8
            if row < self.rows:
                self.tops.append(y)
                y += row_heights[row]
        self.bottom = y + MARGIN

    def place_ports(self, sides: dict[tuple[int, int], list[tuple[int, int, int]]]) -> None:
        """Where edges touch their boxes; on left sides 4 lower, so that the sides of a channel share no height."""
        for (item, side), ends in sides.items():
            slots = self.heights[item] // PORT - (1 if side < 0 else 0)
            first = (slots - len(ends)) // 2
            top = self.tops[self.cells[item][1]] + (PORT if side < 0 else PORT // 2)
            for place, (_, number, end) in enumerate(ends):
                y = top + PORT * (first + place)
                if end < 0:
                    self.bundles[number].port = y
                else:
                    self.bundles[number].ports[end] = y

    # --- tracks ---

    def order_channels(self) -> list[list[Use]]:
        """For each channel what runs in it, from left to right."""
        channels: list[list[Use]] = [[] for _ in self.load]
        for bundle in self.bundles:
            bundle.tracks = [0] * len(bundle.channels)
            (start, end), ports = bundle.sides, bundle.ports
            if bundle.gap < 0:
                stubs = [(bundle.port, -start), *((y, -end) for y in ports)]
                channels[bundle.channels[0]].append(Use(bundle.number, 0, stubs))
            else:
                lane = self.lanes[bundle.gap, bundle.lane]
                channels[bundle.channels[0]].append(Use(bundle.number, 0, [(bundle.port, -start), (lane, start)]))
                channels[bundle.channels[1]].append(Use(bundle.number, 1, [(lane, end), *((y, -end) for y in ports)]))
        return [order_tracks(uses) for uses in channels]

    def place_columns(self, channels: list[list[Use]]) -> list[int]:
        """The widths of columns; their left sides, and those of channels."""
        widths = []
        for column in self.picture.columns:
            width = max(56, CHARACTER * text_width(column.name) + 8)
            for item in column.items:
                width = max(width, item.width(self.compact) + 16)
                if not self.compact:
                    width = max(width, min(LONGEST, SMALL * text_width(item.small)) + 16)
            widths.append((width + 1) // 2 * 2)
        self.lefts: list[int] = []
        self.channels: list[tuple[int, int]] = []
        self.counts: list[int] = []
        x, last = MARGIN, len(widths)
        for channel, uses in enumerate(channels):
            count = assign_tracks(uses)
            inner = 0 < channel < last
            curved = inner and self.is_curved(uses)
            width = 44 + TRACK * (count - 1) if count else 32 if inner else 6
            if curved:
                width = 104 if self.picture.highlighted else 92
            self.channels.append((x, x + width))
            self.counts.append(count)
            x += width
            if channel < last:
                self.lefts.append(x)
                x += widths[channel]
        self.right = max(x + MARGIN, self.header_width())
        return widths

    def header_width(self) -> int:
        lines = [SMALL * text_width(self.picture.notice), SMALL * text_width(self.picture.quiet)]
        if self.picture.caption:
            lines.append(CHARACTER * text_width(self.picture.caption))
        return 2 * MARGIN + max(lines)

    def is_curved(self, uses: list[Use]) -> bool:
        """Whether a channel's bundles are drawn as curves: few, of one edge between neighbours, that keep apart."""
        alone = [self.bundles[use.bundle] for use in uses]
        fits = 0 < len(alone) <= CURVES and all(
            b.gap < 0 and len(b.others) == 1 and b.sides[0] != b.sides[1] for b in alone
        )
        ends = [(b.port, b.ports[0]) if b.sides[0] > 0 else (b.ports[0], b.port) for b in alone] if fits else []
        fits = fits and curves_fit(ends)
        for bundle in alone if fits else ():
            bundle.curved = True
        return fits

    def place_tracks(self, channels: list[list[Use]]) -> None:
        for channel, uses in enumerate(channels):
            left, right = self.channels[channel]
            first = left + 22 if self.counts[channel] else (left + right) // 2
            for use in uses:
                self.bundles[use.bundle].tracks[use.which] = first + TRACK * use.place

    # --- ways ---

    def side_x(self, item: int, side: int) -> int:
        column = self.cells[item][0]
        return self.channels[column][1] if side < 0 else self.channels[column + 1][0]

    def draw(self, bundle: Bundle) -> None:
        """The ways of a bundle's edges, all from the anchor: the corners, or the two ends of a curve."""
        start = (self.side_x(bundle.anchor, bundle.sides[0]), bundle.port)
        for other, y in zip(bundle.others, bundle.ports, strict=True):
            end = (self.side_x(other, bundle.sides[1]), y)
            if bundle.curved:
                bundle.ways.append([start, end])
            elif bundle.gap < 0:
                track = bundle.tracks[0]
                bundle.ways.append([start, (track, start[1]), (track, y), end])
            else:
                (one, two), lane = bundle.tracks, self.lanes[bundle.gap, bundle.lane]
                bundle.ways.append([start, (one, start[1]), (one, lane), (two, lane), (two, y), end])

    def frame_areas(self, boxes: list[Area]) -> list[Area]:
        areas = []
        for frame in self.picture.frames:
            one, two = boxes[frame.a], boxes[frame.b]
            out = 5 if any(frame.a <= f.a and f.b <= frame.b and f is not frame for f in self.picture.frames) else 3
            areas.append((one[0] - out, one[1] - 12, one[2] + 2 * out, two[1] + two[3] + 13 + out - one[1]))
        return areas

    def put_labels(self, layout: Layout) -> None:
        """At most one label a bundle, where it keeps clear of all else; what is highlighted has one in any case."""
        labels = Labels()
        for x, y, width, height in layout.boxes:
            labels.add(Segment(x, y, x + width, y + height, -1))
        for number in range(1, len(self.cells)):
            if self.cells[number][0] == self.cells[number - 1][0]:
                x, y, width, height = layout.boxes[number - 1]
                labels.add(Segment(x + width // 2, y + height, x + width // 2, layout.boxes[number][1], -1))
        for x, y, width, height in layout.frames:
            labels.add(Segment(x, y, x, y + height, -1))
            labels.add(Segment(x + width, y, x + width, y + height, -1))
        told: set[int] = set()
        for edge in self.picture.steps:
            if edge.step in told:
                continue
            told.add(edge.step)
            x, y, width, height = layout.boxes[edge.a]
            point = (x + width // 2, (y + height + layout.boxes[edge.b][1]) // 2)
            layout.steps.append((edge.step, point))
            labels.add(Segment(point[0] - 20, point[1] - 8, point[0] + 20, point[1] + 8, -1))
        for bundle in layout.bundles:
            labels.add_ways(bundle.ways, bundle.curved, bundle.number)
            for way in bundle.ways:
                (x, y), (inner, _) = (way[-1], way[-2]) if bundle.forward else (way[0], way[1])
                left = x - HEAD if inner < x else x
                labels.add(Segment(left, y - 3, left + HEAD, y + 3, -1))
        for bundle in sorted(layout.bundles, key=lambda b: not b.step):
            bundle.label = labels.put(bundle.ways, bundle.curved, bundle.number, bundle.text, bool(bundle.step))
            if bundle.label:
                layout.width = max(layout.width, bundle.label[0] + label_width(bundle.text) // 2 + MARGIN)
