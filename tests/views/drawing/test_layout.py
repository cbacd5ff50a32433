"""Where things go in a drawing: what is a bundle, where it runs, and what is left out, rule by rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

import pytest

from views.samples import pictures
from xgen.views.drawing.labels import label_width
from xgen.views.drawing.layout import LANE, MARGIN, Bundle, Layout, arrange
from xgen.views.drawing.picture import Column, Edge, Frame, Item, Picture
from xgen.views.drawing.svg import drawing
from xgen.views.drawing.tracks import Use, assign_tracks, curves_fit, order_tracks


@cache
def layouts() -> list[tuple[Picture, Layout]]:
    """Pictures of random executions and others, and where all is in them."""
    return [(picture, arrange(picture)) for _, picture in list(pictures())[::3]]


def item(text: str = "W x = 1", small: str = "1 -> x", chips: tuple[str, ...] = ()) -> Item:
    return Item(text, "write", text, chips, small, 4, text, 0)


def picture(lengths: Sequence[int], edges: Iterable[tuple[str, int, int]] = (), **more: object) -> Picture:
    """Columns of so many boxes, numbered from the first column down to the last; an edge may have a step."""
    columns = tuple(Column(f"t{n}", (item(),) * length) for n, length in enumerate(lengths))
    looks = dict.fromkeys(("rf", "mo", "fr", "co"), "rf")
    return Picture("p", "", "", columns, tuple(Edge(*edge) for edge in edges), looks=looks, **more)  # type: ignore[arg-type]


def placed(lengths: Sequence[int], *edges: tuple[str, int, int]) -> Layout:
    return arrange(picture(lengths, edges))


def bundled(lengths: Sequence[int], *edges: tuple[str, int, int] | tuple[str, int, int, int]) -> list[str]:
    """The bundles by their texts and ends."""
    layout = arrange(picture(lengths, edges))  # type: ignore[arg-type]
    return [f"{b.text}: {b.anchor} - {', '.join(map(str, b.others))}" for b in layout.bundles]


# --- bundles ---

BUNDLES = [
    # of one write into one column
    ([1, 2, 1], [("rf", 0, 2), ("rf", 0, 1), ("rf", 0, 3)], ["rf ×2: 0 - 1, 2", "rf: 0 - 3"]),
    ([2, 2], [("rf", 0, 2), ("rf", 1, 3)], ["rf: 0 - 2", "rf: 1 - 3"]),
    # of one column to one write
    ([2, 1, 1], [("fr", 0, 2), ("fr", 1, 2), ("fr", 3, 2)], ["fr ×2: 2 - 0, 1", "fr: 2 - 3"]),
    ([1, 2], [("fr", 0, 1), ("fr", 0, 2)], ["fr: 1 - 0", "fr: 2 - 0"]),
    # others are alone, and so is what is highlighted
    ([1, 2], [("mo", 0, 1), ("mo", 0, 2)], ["mo: 0 - 1", "mo: 0 - 2"]),
    ([1, 2], [("co", 0, 1), ("co", 0, 2)], ["co: 0 - 1", "co: 0 - 2"]),
    ([1, 3], [("rf", 0, 1), ("rf", 0, 2, 7), ("rf", 0, 3)], ["rf ×2: 0 - 1, 3", "7 rf: 0 - 2"]),
    # an edge from a box to itself is none
    ([1, 1], [("mo", 0, 0)], []),
]  # fmt: skip


@pytest.mark.parametrize(("lengths", "edges", "bundles"), BUNDLES)
def test_bundles(lengths: list[int], edges: list[tuple[str, int, int]], bundles: list[str]) -> None:
    assert bundled(lengths, *edges) == bundles


@pytest.mark.parametrize("relation", ["rf", "fr"])
def test_a_bundle_has_one_track_and_begins_at_the_common_end(relation: str) -> None:
    ends = [(0, 2), (0, 3), (0, 4)] if relation == "rf" else [(2, 0), (3, 0), (4, 0)]
    (bundle,) = placed([2, 3], *((relation, a, b) for a, b in ends)).bundles
    assert len({way[0] for way in bundle.ways}) == 1
    assert len({x for way in bundle.ways for x, _ in way[1:3]}) == 1
    assert len({way[-1] for way in bundle.ways}) == 3


def test_labels_beside_the_last_column_are_on_the_paper() -> None:
    """With so many edges within a column that a label stands to the right of all lines."""
    edges = [("rf", a, b) for a in range(5) for b in (a + 4, a + 5) if a != b]
    layout = placed([10], *edges)
    assert max(label[0] for bundle in layout.bundles if (label := bundle.label)) == 199
    for bundle in layout.bundles:
        assert bundle.label is not None
        assert bundle.label[0] + label_width(bundle.text) // 2 + MARGIN <= layout.width


# --- sizes ---


@pytest.mark.parametrize(("rows", "height", "apart"), [(12, 40, 64), (13, 24, 32)])
def test_more_than_twelve_rows_are_compact(rows: int, height: int, apart: int) -> None:
    layout = placed([rows, 2])
    assert {box[3] for box in layout.boxes} == {height}
    assert {b[1] - a[1] for a, b in pairwise(layout.boxes[:rows])} == {apart}
    assert layout.compact == (rows > 12)


WIDTHS = [
    # a first line, a second one and chips, and how wide a column is
    ("W x = 1", "1 -> x", (), 72),
    ("W x = 1", "a long statement that is wider", (), 196),
    ("W x = 1", "a statement of so many characters that it is cut, for it is as long as this", (), 256),
    ("W x = 1", "", ("rel", "init"), 146),
    ("W a_long_name_of_a_variable_which_is_shown_whole = 1", "", (), 432),
]


@pytest.mark.parametrize(("first", "second", "chips", "width"), WIDTHS)
def test_a_column_is_as_wide_as_its_longest_line(first: str, second: str, chips: tuple[str, ...], width: int) -> None:
    """Of second lines, 240 pixels at most; the rest is cut."""
    column = Column("t", (item(first, second, chips),))
    drawn = Picture("p", "", "", (column,), ())
    layout = arrange(drawn)
    assert {box[2] for box in layout.boxes} == {width}
    small = next(line.partition('class="small"')[2] for line in drawing(drawn, layout) if 'class="box"' in line)
    assert (len(second) > 40) == ("…</text>" in small)


def test_frames_take_room_above_and_below() -> None:
    """14 pixels and more above for the label, 8 below; a lane runs above the label."""
    plain, framed = (
        arrange(picture([4, 1, 4], [("rf", 0, 8)], frames=frames)) for frames in ((), (Frame(1, 2, "atomic"),))
    )
    ((x, y, width, height),) = framed.frames
    first, last = framed.boxes[1], framed.boxes[2]
    assert (x, x + width) == (first[0] - 3, first[0] + first[2] + 3)
    assert first[1] - y == 12
    assert y + height - last[1] - last[3] >= 4
    assert framed.boxes[3][1] - (y + height) >= 4
    grown = [b[1] - a[1] for a, b in zip(plain.boxes[:4], framed.boxes[:4], strict=True)]
    assert grown == [0, 16, 16, 24]
    ((_, lane),) = {point for way in framed.bundles[0].ways for point in way[2:3]}
    assert framed.boxes[0][1] + framed.boxes[0][3] < lane < y


# --- ports, tracks and lanes ---


def ports(layout: Layout) -> Iterable[tuple[int, int, int, Bundle]]:
    """Every end of a bundle: its box, -1 for left and 1 for right, its height, and the bundle."""
    for bundle in layout.bundles:
        ends = [(bundle.anchor, bundle.ways[0][0])]
        ends += [(other, way[-1]) for other, way in zip(bundle.others, bundle.ways, strict=True)]
        for box, (x, y) in ends:
            area = layout.boxes[box]
            assert x in (area[0], area[0] + area[2])
            yield box, -1 if x == area[0] else 1, y, bundle


def test_ports_are_eight_apart_and_left_ones_four_lower() -> None:
    """So that the two sides of a channel never share a height; and boxes are as high as their ports need."""
    count = 0
    for _, layout in layouts():
        sides: dict[tuple[int, int], set[int]] = {}
        for box, side, y, _bundle in ports(layout):
            count += 1
            sides.setdefault((box, side), set()).add(y)
            assert y % 8 == (0 if side < 0 else 4)
            assert layout.boxes[box][1] < y < layout.boxes[box][1] + layout.boxes[box][3]
        assert all(y % 8 == 0 for _, y, _, _ in layout.boxes)
        for box, (_, _, _, height) in enumerate(layout.boxes):
            most = max((len(sides.get((box, side), ())) for side in (-1, 1)), default=0)
            assert height == max(24 if layout.compact else 40, 8 + 8 * most)
    assert count > 1000


def test_ports_are_in_the_order_of_the_rows_they_lead_to() -> None:
    layout = placed([1, 5], *[("mo", 0, n) for n in (5, 2, 4, 1, 3)])
    leads = {bundle.others[0]: bundle.port for bundle in layout.bundles}
    assert [leads[n] for n in range(1, 6)] == sorted(leads.values())


def test_ports_are_around_the_middle() -> None:
    layout = placed([1, 1], ("mo", 0, 1))
    assert [y - layout.boxes[0][1] for *_, y, _ in ports(layout)] == [20, 16]


def corners_of(lengths: list[int], a: int, b: int) -> tuple[Layout, list[tuple[int, int]]]:
    layout = placed(lengths, ("mo", a, b))
    return layout, layout.bundles[0].ways[0]


def test_neighbours_have_one_track_between_them() -> None:
    layout, way = corners_of([1, 25], 0, 20)
    assert len(way) == 4
    assert layout.boxes[0][0] + layout.boxes[0][2] < way[1][0] == way[2][0] < layout.boxes[1][0]


@pytest.mark.parametrize(("lengths", "ends", "side"), [([3, 3], (0, 2), -1), ([3, 3], (3, 5), 1), ([3], (0, 2), 1)])
def test_an_edge_within_a_column_bows_outwards(lengths: list[int], ends: tuple[int, int], side: int) -> None:
    layout, way = corners_of(lengths, *ends)
    box = layout.boxes[ends[0]]
    edge = box[0] if side < 0 else box[0] + box[2]
    assert way[0][0] == way[3][0] == edge
    assert (way[1][0] - edge) * side > 0


def test_an_edge_within_an_inner_column_bows_where_less_is() -> None:
    layout = placed([1, 3, 1], ("mo", 0, 1), ("mo", 1, 3))
    within = layout.bundles[1].ways[0]
    assert within[1][0] > layout.boxes[1][0] + layout.boxes[1][2]


GAPS = [
    # rows of the left, the middle and the right column, from, to, and the row above which the lane is
    ((4, 1, 4), (0, 3), 1),  # the first that is below all on the way
    ((4, 2, 4), (0, 3), 2),
    ((4, 3, 4), (0, 3), 3),
    ((4, 4, 4), (0, 3), 1),  # there is none: next to where it comes from
    ((4, 4, 4), (3, 0), 3),
    ((4, 1, 4), (3, 0), 1),
    ((4, 2, 4), (1, 1), 2),
    ((4, 4, 4), (1, 1), 1),
]  # fmt: skip


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(("lengths", "rows", "gap"), GAPS)
def test_longer_edges_run_along_a_gap(
    lengths: tuple[int, int, int], rows: tuple[int, int], gap: int, back: bool
) -> None:
    right = lengths[0] + lengths[1]
    ends = (right + rows[0], rows[1]) if back else (rows[0], right + rows[1])
    layout, way = corners_of(list(lengths), *ends)
    assert len(way) == 6
    lane = way[2][1]
    assert lane == way[3][1]
    tops = [layout.boxes[n][1] for n in range(lengths[0])]
    assert sum(top < lane for top in tops) == gap


def lanes(*edges: tuple[int, int]) -> list[int]:
    """The heights of the lanes of edges between six columns of two rows."""
    return [bundle.ways[0][2][1] for bundle in placed([2] * 6, *(("mo", a, b) for a, b in edges)).bundles]


def test_lanes_are_shared_where_stretches_are_apart() -> None:
    one, two = lanes((0, 5), (6, 11))
    assert one == two
    one, two = lanes((0, 5), (2, 7))
    assert two - one == LANE


def use(number: int, *stubs: tuple[int, int]) -> Use:
    return Use(number, 0, list(stubs))


TRACKS = [
    # stretches from top to bottom, and their tracks
    ([(0, 100), (107, 200)], [0, 0]),
    ([(0, 100), (106, 200)], [0, 1]),  # 6 pixels of air
    ([(0, 100), (50, 200), (107, 300)], [0, 1, 2]),
    ([(0, 100), (50, 90), (107, 300)], [0, 1, 0]),
]


@pytest.mark.parametrize(("stretches", "tracks"), TRACKS)
def test_tracks(stretches: list[tuple[int, int]], tracks: list[int]) -> None:
    uses = [use(n, (a, -1), (b, 1)) for n, (a, b) in enumerate(stretches)]
    assert assign_tracks(uses) == max(tracks) + 1
    assert [one.place for one in uses] == tracks


def test_tracks_are_exchanged_while_that_saves_crossings() -> None:
    """What comes from the left higher up and ends lower would be crossed by the other one."""
    outer, inner = use(0, (0, -1), (100, -1)), use(1, (40, -1), (60, -1))
    assert [one.bundle for one in order_tracks([outer, inner])] == [1, 0]
    outer, inner = use(0, (0, 1), (100, 1)), use(1, (40, 1), (60, 1))
    assert [one.bundle for one in order_tracks([outer, inner])] == [0, 1]


def channel(layout: Layout, right: int) -> int:
    """How wide the channel is between the first box and the first of the next column."""
    return layout.boxes[right][0] - layout.boxes[0][0] - layout.boxes[0][2]


@pytest.mark.parametrize(("count", "curved", "width"), [(1, True, 92), (6, True, 92), (7, False, 44)])
def test_few_edges_between_neighbours_are_curves(count: int, curved: bool, width: int) -> None:
    layout = placed([7, 7], *(("rf", n, 7 + n) for n in range(count)))
    assert [bundle.curved for bundle in layout.bundles] == [curved] * count
    assert channel(layout, 7) == width


def test_channels_with_something_highlighted_are_wider() -> None:
    layout = arrange(picture([1, 1], [("rf", 0, 1, 1)]))  # type: ignore[list-item]
    assert channel(layout, 1) == 104


def test_bundles_of_several_edges_and_what_is_within_a_column_have_corners() -> None:
    assert [bundle.curved for bundle in placed([1, 2], ("rf", 0, 1), ("rf", 0, 2)).bundles] == [False]
    assert [bundle.curved for bundle in placed([2, 1], ("mo", 0, 1)).bundles] == [False]


@pytest.mark.parametrize(
    ("ends", "fit"),
    [
        ([(0, 320)], True),
        ([(0, 321)], False),  # too steep
        ([(0, 0), (8, 24)], True),
        ([(0, 0), (8, 23)], False),  # too near to be told apart
        ([(0, 24), (7, 60)], False),
        ([(0, 24), (20, 0)], True),
        ([(0, 24), (19, 0)], False),  # crosses at a flat angle
    ],
)
def test_curves_that_can_be_told_apart(ends: list[tuple[int, int]], fit: bool) -> None:
    assert curves_fit(ends) is fit


@pytest.mark.parametrize(("count", "width"), [(7, 44), (8, 44 + 24)])
def test_a_channel_is_as_wide_as_its_tracks(count: int, width: int) -> None:
    """Edges along rows share a track; the eighth meets them all: one of them before it, the others behind."""
    edges = [("mo", n, 8 + n) for n in range(7)] + [("mo", 7, 8)]
    layout = placed([8, 8], *edges[:count])
    assert not any(bundle.curved for bundle in layout.bundles)
    assert channel(layout, 8) == width


def test_program_order_has_heads_where_there_is_room_for_them() -> None:
    for rows, heads in ((2, 1), (13, 0)):
        drawn = picture([rows])
        lines = drawing(drawn, arrange(drawn))
        arrows = [line for line in lines if "data-from" in line]
        assert len(arrows) == rows - 1
        assert sum('class="head"' in line for line in arrows) == heads
        assert not any("<text" in line for line in arrows)


# --- labels ---


def test_labels_keep_three_pixels_clear() -> None:
    """Of boxes, of program order, of frames' sides and of each other."""
    count = 0
    for shown, layout in layouts():
        labels = [
            (b.label[0] - half, b.label[1] - 7, b.label[0] + half, b.label[1] + 7)
            for b in layout.bundles
            if b.label and not b.step
            for half in [label_width(b.text) // 2]
        ]
        taken = [(x, y, x + w, y + h) for x, y, w, h in layout.boxes]
        first = 0
        for column in shown.columns:
            for n in range(first + 1, first + len(column.items)):
                x, y, w, h = layout.boxes[n - 1]
                taken.append((x + w // 2, y + h, x + w // 2, layout.boxes[n][1]))
            first += len(column.items)
        for n, (left, top, right, bottom) in enumerate(labels):
            count += 1
            for a, b, c, d in [*taken, *labels[:n]]:
                assert not (left - 3 < c and a < right + 3 and top - 3 < d and b < bottom + 3)
    assert count > 300


def test_labels_are_on_their_own_lines_first() -> None:
    (bundle,) = placed([1, 25], ("mo", 0, 20)).bundles
    (_, (x, a), (_, b), _) = bundle.ways[0]
    assert bundle.label == (x, (a + b) // 2)
    (curve,) = placed([1, 1], ("mo", 0, 1)).bundles
    ((a, _), (b, _)) = curve.ways[0]
    assert curve.label is not None
    assert curve.label[0] == (a + b) // 2


# --- too much ---


def crossing(count: int, keep: int = 0) -> Picture:
    """So many edges in one channel that all meet; some of them are part of the cause."""
    edges = [("mo", n, 2 * count - 1 - n, 0, n < keep) for n in range(count)]
    return picture([count, count], edges)  # type: ignore[arg-type]


def test_more_than_sixteen_tracks_are_too_many() -> None:
    for count in range(8, 40):
        layout = arrange(crossing(count))
        tracks = {bundle.tracks[0] for bundle in layout.bundles}
        if layout.left_out:
            break
        assert len(tracks) <= 16
    assert (len(tracks), layout.left_out) == (0, count)
    assert count == 17


@pytest.mark.parametrize(("count", "left_out"), [(18, 0), (19, 18)])
def test_more_than_three_thousand_pixels_are_too_many(count: int, left_out: int) -> None:
    layout = placed([1] * count, *(("rf", n, n + 1) for n in range(count - 1)))
    assert layout.left_out == left_out
    assert (layout.width > 2800) == (not left_out)


def test_of_too_many_edges_the_cause_stays_then_rf() -> None:
    assert len(arrange(crossing(40, keep=5)).bundles) == 5
    edges = [(("rf", "mo")[n < 30], n, 79 - n, 0, True) for n in range(40)]
    assert [b.relation for b in arrange(picture([40, 40], edges)).bundles] == ["rf"] * 10  # type: ignore[arg-type]
    steps = [("mo", n, 79 - n, n == 3, False) for n in range(40)]
    assert [b.anchor for b in arrange(picture([40, 40], steps)).bundles] == [3]  # type: ignore[arg-type]
