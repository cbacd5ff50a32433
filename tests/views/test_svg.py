"""Drawings: what is in them, that nothing runs over anything else, and that odd names and sizes do no harm."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as xml
from typing import Any

import pytest

from views import samples
from xgen.executions.execution import Execution
from xgen.views import layout
from xgen.views.layout import Edge, Item, Labels, Layout, place
from xgen.views.picture import marks
from xgen.views.svg import MEANINGS, base_relations, execution_to_svg, style_sheet

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = [
    samples.noisy,
    lambda: samples.noisy().only(samples.noisy().cause),
    samples.store_buffering,
    samples.two_plus_two_writes,
    samples.independent_reads,
    samples.load_buffering,
    samples.awkward_names,
]
RANDOM = [(seed, 1 + seed % 7, 4 + seed * 2) for seed in range(24)]


def parsed(execution: Execution, **options: Any) -> xml.Element:
    return xml.fromstring(execution_to_svg(execution, **options))


def classed(root: xml.Element, name: str) -> list[xml.Element]:
    """The elements that have a class."""
    return [e for e in root.iter() if name in e.get("class", "").split()]


def edges(root: xml.Element, relation: str) -> list[tuple[str | None, str | None]]:
    groups = [g for g in root.iter(f"{SVG}g") if g.get("data-relation") == relation]
    return sorted((e.get("data-from"), e.get("data-to")) for g in groups for e in g if e.get("data-from"))


def words(element: xml.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def test_store_buffering() -> None:
    root = parsed(samples.store_buffering())
    events = {e.get("data-event"): words(e) for e in classed(root, "event")}
    assert events == {
        "init:x": ["W x = 0"], "init:y": ["W y = 0"], "0:0": ["W x = 1", "4: 1 -> x"],
        "0:1": ["R y = 0", "5: a <- y"], "1:0": ["W y = 1", "8: 1 -> y"], "1:1": ["R x = 0", "9: b <- x"],
    }  # fmt: skip
    assert edges(root, "po") == [("0:0", "0:1"), ("1:0", "1:1"), ("1:1", "1:violation")]
    assert edges(root, "rf") == [("init:x", "1:1"), ("init:y", "0:1")]
    assert edges(root, "fr") == [("0:1", "1:0"), ("1:1", "0:0")]
    assert edges(root, "mo") == []
    assert words(classed(root, "violation")[0]) == ["assertion violated", "10: assert not (b = 0)"]
    assert "".join(classed(root, "caption")[0].itertext()) == "sb.xcfa: assertion violated, line 10"
    assert [text for text in words(root) if ": " in text and "order" in text] == ["po: program order"]


def test_what_a_screen_reader_reads() -> None:
    root = parsed(samples.store_buffering())
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "sb.xcfa assertion violated, line 10"
    said = root.findtext(f"{SVG}desc")
    assert said is not None
    assert said.startswith("p0: W x = 1, then R y = 0. p1: W y = 1, then R x = 0, then assertion violated. ")
    assert "fr from p0's R y = 0 to p1's W y = 1." in said
    assert "rf from the initial W x = 0 to p1's R x = 0." in said


def test_initial_writes_that_say_nothing_are_left_out() -> None:
    """`init:unused` is not touched, and that one write comes after the initial one is no news."""
    root = parsed(samples.two_plus_two_writes())
    shown = [e.get("data-event") for e in classed(root, "initial")]
    assert sorted(map(str, shown)) == ["init:x", "init:y"]  # first of two writes each
    assert edges(root, "mo") == [("0:1", "1:0"), ("1:1", "0:0"), ("init:x", "1:1"), ("init:y", "0:1")]
    assert not classed(parsed(samples.load_buffering()), "initial")


def test_dependencies_on_request() -> None:
    assert edges(parsed(samples.load_buffering()), "data") == []
    root = parsed(samples.load_buffering(), dependencies=True)
    assert edges(root, "data") == [("0:0", "0:1")]
    assert edges(root, "ctrl") == [("1:0", "1:1")]
    assert edges(root, "addr") == []


def test_control_dependencies_are_drawn_to_the_first_event() -> None:
    """What comes after it depends on the same read; an edge that is highlighted is drawn all the same."""
    execution = samples.execution(
        "p.xcfa",
        {"x": 0},
        {"p": [samples.access(n, "R", "x", 0, "a <- x") for n in range(1, 5)]},
        rf=[("init:x", f"0:{n}") for n in range(4)],
        mo=[["init:x"]],
        ctrl=[("0:0", "0:2"), ("0:0", "0:3"), ("0:1", "0:3")],
    )
    assert edges(parsed(execution, dependencies=True), "ctrl") == [("0:0", "0:2"), ("0:1", "0:3")]
    assert ("0:0", "0:3") in edges(parsed(execution, dependencies=True, highlight=[("ctrl", 1, 4)]), "ctrl")


def test_highlight() -> None:
    execution = samples.store_buffering()
    number = {event.id: n for n, event in enumerate(execution.events)}
    cycle = [("po", "0:0", "0:1"), ("fr", "0:1", "1:0"), ("global", "1:0", "1:1"), ("fr", "1:1", "0:0")]
    root = parsed(execution, highlight=[(name, number[a], number[b]) for name, a, b in cycle])
    hot = [e for e in classed(root, "hot") if e.get("data-from")]
    assert sorted((e.get("data-from"), e.get("data-to")) for e in hot) == sorted((a, b) for _, a, b in cycle)
    assert all(len(classed(e, "band")) == 1 for e in hot)
    assert len([e for e in classed(root, "hot") if e.get("data-event")]) == 4
    assert edges(root, "global") == [("1:0", "1:1")]  # drawn although no relation of the drawing has it
    assert not classed(parsed(execution), "hot")


def test_relations_differ_in_colour_and_on_paper() -> None:
    """Each base relation has dashes or a head of its own; the dependencies differ from each other by their dashes."""
    rules = dict(re.findall(r"^\.xgen-drawing \.([\w-]+) path \{ (.*) \}$", style_sheet(), re.MULTILINE))
    looks = {name: re.sub(r"stroke: #\w+;?", "", rules[name]).strip() for name in MEANINGS}
    assert len(set(looks.values())) == len(MEANINGS)
    dark = style_sheet().split("prefers-color-scheme: dark")[1]
    assert all(f".xgen-drawing .{name} path {{" in dark for name in rules if name != "relation")


@pytest.mark.parametrize("sample", SAMPLES)
def test_deterministic_and_well_formed(sample: Any) -> None:
    execution: Execution = sample()
    assert execution_to_svg(execution) == execution_to_svg(sample())
    root = parsed(execution)
    listed = [e.get("data-event") for e in classed(root, "event")]
    threads = [event.id for event in execution.events if event.thread >= 0]
    assert [name for name in listed if name in threads] == threads
    relations = {n: [(execution.events[a].id, execution.events[b].id) for a, b in pairs] for n, pairs in
                 base_relations(execution).items()}  # fmt: skip
    for name, pairs in relations.items():
        assert edges(root, name) == sorted(pairs)


def test_awkward_names_are_escaped() -> None:
    root = parsed(samples.awkward_names())
    text = " | ".join(words(root))
    assert 'P "q" <r> \\' in text
    assert 'R größe = false a&b | 4: größe <- "a\\b" <x> && &lt;' in text
    assert root.findtext(f"{SVG}title") == 'odd "name" <1>\\.xcfa error location L<1>\\ reached, line 4'
    assert "init:a<b>\\" in [e.get("data-event") for e in classed(root, "event")]


def test_parts_of_a_page_have_neither_style_nor_caption() -> None:
    root = parsed(samples.store_buffering(), standalone=False)
    assert root.find(f"{SVG}style") is None
    assert not classed(root, "caption") + classed(root, "legend") + classed(root, "paper")


def test_many_edges_have_no_labels_but_highlighted_ones_do() -> None:
    execution = samples.random_execution(5, 6, 300)
    pairs = base_relations(execution)["rf"][:1]
    root = parsed(execution, highlight=[("rf", *pairs[0])])
    labels = [e for e in root.iter(f"{SVG}g") if e.get("data-from") and e.find(f"{SVG}text") is not None]
    assert len(labels) == 1


def test_five_hundred_events() -> None:
    root = parsed(samples.random_execution(1, 8, 500))
    assert len([e for e in classed(root, "event") if "initial" not in e.get("class", "")]) == 500


def laid_out(execution: Execution) -> Layout:
    columns = [
        [Item(n, e.label, e.text) for n, e in enumerate(execution.events) if e.thread == t]
        + [Item(m.id, m.text, m.small) for m in marks(execution, t)]
        for t in range(len(execution.threads))
    ]
    relations = base_relations(execution, dependencies=True)
    lines = [Edge(name, a, b) for name, pairs in relations.items() for a, b in pairs]
    touched = {n for edge in lines for n in (edge.source, edge.target)}
    initial = [Item(n, e.label) for n, e in enumerate(execution.events) if e.thread < 0 and n in touched]
    return place(columns, execution.threads, initial, lines, caption=False)


@pytest.mark.parametrize("execution", [sample() for sample in SAMPLES] + [samples.random_execution(*r) for r in RANDOM])
def test_boxes_and_edges_keep_apart(execution: Execution) -> None:
    """No two boxes overlap; no edge runs over a box but at its own ends; everything is on the paper."""
    layout = laid_out(execution)
    boxes = list(layout.boxes.items())
    for (_, a), (_, b) in itertools.combinations(boxes, 2):
        assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    for route in layout.routes:
        for x, y in route.points(2):
            assert 0 <= x <= layout.width
            assert 0 <= y <= layout.height
            inside = [key for key, b in boxes if b.x + 1 < x < b.x + b.width - 1 and b.y + 1 < y < b.y + b.height - 1]
            assert not inside, (route.edge, inside)
    for _, box in boxes:
        assert box.x >= 0
        assert box.x + box.width <= layout.width
        assert box.y + box.height <= layout.height


@pytest.mark.parametrize("sample", SAMPLES)
def test_labels_cover_no_box_and_no_other_label(sample: Any) -> None:
    layout = laid_out(sample())
    labels = Labels(layout)
    for number, route in enumerate(layout.routes):
        labels.put(number, route.edge.relation)
    for a, b in itertools.combinations(labels.taken, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for left, top, right, bottom in labels.taken:
        for box in layout.boxes.values():
            assert right <= box.x or box.x + box.width <= left or bottom <= box.y or box.y + box.height <= top


def test_an_execution_without_events() -> None:
    root = parsed(samples.execution("empty.xcfa", {}, {"p": []}, rf=[], mo=[]))
    assert "no events" in words(root)


def test_what_was_drawn_before_is_not_computed_again() -> None:
    """The executions of a page have most of their edges in common."""
    drawing = execution_to_svg(samples.random_execution(1, 6, 60))
    computed = layout._points.cache_info().misses
    assert execution_to_svg(samples.random_execution(1, 6, 60)) == drawing
    assert layout._points.cache_info().misses == computed > 0
