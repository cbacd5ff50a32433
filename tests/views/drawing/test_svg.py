"""Drawings: what is in them, that nothing runs over anything else, and that odd names and sizes do no harm."""

from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as xml
from dataclasses import replace
from typing import Any

import pytest

from views import samples
from views.drawing.geometry import faults
from xgen.executions.execution import Execution
from xgen.views.drawing.boxes import chips_of
from xgen.views.drawing.layout import arrange
from xgen.views.drawing.picture import MEANINGS, SHOWN
from xgen.views.drawing.picturing import picture_of, reorder, shown_edges
from xgen.views.drawing.svg import execution_to_svg, style_sheet

SVG = "{http://www.w3.org/2000/svg}"


def parsed(execution: Execution, **options: Any) -> xml.Element:
    return xml.fromstring(execution_to_svg(execution, **options))


def classed(root: xml.Element, name: str) -> list[xml.Element]:
    """The elements that have a class."""
    return [e for e in root.iter() if name in e.get("class", "").split()]


def edges(root: xml.Element, relation: str) -> list[tuple[str | None, str | None]]:
    groups = [g for g in root.iter(f"{SVG}g") if g.get("data-relation") == relation]
    return sorted((e.get("data-from"), e.get("data-to")) for g in groups for e in g.iter() if e.get("data-from"))


def words(element: xml.Element) -> list[str]:
    texts = (text for text in element.iter(f"{SVG}text") if text.get("class") != "halo")  # (drawn twice)
    return ["".join(text.itertext()) for text in texts]


def test_store_buffering() -> None:
    root = parsed(samples.store_buffering())
    events = {e.get("data-event"): words(e) for e in classed(root, "event")}
    assert events == {
        "0:0": ["W x = 1", "4: 1 -> x"], "0:1": ["R y = 0", "init", "5: a <- y"],
        "1:0": ["W y = 1", "8: 1 -> y"], "1:1": ["R x = 0", "init", "9: b <- x"],
    }  # fmt: skip
    assert edges(root, "po") == [("0:0", "0:1"), ("1:0", "1:1"), ("1:1", "1:violation")]
    assert edges(root, "rf") == []  # of initial writes
    assert edges(root, "fr") == [("0:1", "1:0"), ("1:1", "0:0")]
    assert edges(root, "mo") == []
    assert words(classed(root, "violation")[0]) == ["assertion violated", "10: assert not (b = 0)"]
    assert "".join(classed(root, "caption")[0].itertext()) == "sb.xcfa\xa0assertion violated, line 10"
    assert [text for text in words(root) if ": " in text and "order" in text] == ["po: program order"]


def test_what_a_screen_reader_reads() -> None:
    root = parsed(samples.store_buffering())
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "sb.xcfa assertion violated, line 10"
    said = root.findtext(f"{SVG}desc")
    assert said is not None
    assert said.startswith("p0: W x = 1, then R y = 0 init. p1: ")
    assert "fr from p0's R y = 0 to p1's W y = 1." in said
    assert "p1: W y = 1, then R x = 0 init, then assertion violated." in said


def test_initial_writes_are_drawn_on_request() -> None:
    """`init:unused` is not touched by any edge."""
    root = parsed(samples.two_plus_two_writes(), show=("po", "rf", "mo", "fr", "init"))
    assert sorted(str(e.get("data-event")) for e in classed(root, "initial")) == ["init:x", "init:y"]
    assert edges(root, "mo") == [("0:1", "1:0"), ("1:1", "0:0"), ("init:x", "1:1"), ("init:y", "0:1")]
    assert not classed(parsed(samples.two_plus_two_writes()), "initial")
    assert edges(parsed(samples.two_plus_two_writes()), "mo") == [("0:1", "1:0"), ("1:1", "0:0")]


def test_what_program_order_implies_is_drawn_on_request() -> None:
    execution = samples.execution(
        "p.xcfa",
        {"x": 0},
        {
            "p": [samples.access(n, "W", "x", n, f"{n} -> x") for n in (1, 2)]
            + [samples.access(3, "R", "x", 2, "a <- x")]
        },
        rf=[("0:1", "0:2")],
        mo=[["init:x", "0:0", "0:1"]],
    )
    assert edges(parsed(execution), "mo") == []
    assert edges(parsed(execution), "rf") == [("0:1", "0:2")]
    assert edges(parsed(execution, show=("mo", "implied")), "mo") == [("0:0", "0:1")]
    assert edges(parsed(execution, show=("mo", "implied")), "rf") == []
    assert edges(parsed(execution, show=("mo", "implied")), "po") == []
    assert edges(parsed(execution, show=("mo", "implied", "init")), "mo") == [("0:0", "0:1"), ("init:x", "0:0")]


def test_a_read_modify_write_is_one_box() -> None:
    """mo into it says what its rf says, and its own edges stay inside."""
    accesses = [
        samples.access(5, "R", "x", 1, "a <- fetch_add(x, 1)"),
        samples.access(5, "W", "x", 2, "a <- fetch_add(x, 1)"),
    ]
    execution = samples.execution(
        "rmw.xcfa",
        {"x": 0},
        {"p": [samples.access(2, "W", "x", 1, "1 -> x")], "q": accesses, "idle": []},
        rf=[("0:0", "1:0")],
        mo=[["init:x", "0:0", "1:1"]],
        rmw=[("1:0", "1:1")],
    )
    root = parsed(execution)
    assert [words(e) for e in classed(root, "update")] == [["U x: 1 → 2", "5: a <- fetch_add(x, 1)"]]
    assert [edges(root, name) for name in ("rf", "mo", "fr", "rmw")] == [[("0:0", "1:0")], [], [], []]
    assert "no events: idle" in words(root)


def test_one_label_for_what_reads_one_write() -> None:
    reads = [samples.access(n, "R", "x", 1, "a <- x") for n in range(3, 7)]
    execution = samples.execution(
        "b.xcfa",
        {"x": 0},
        {"p": [samples.access(1, "W", "x", 1, "1 -> x")], "q": reads},
        rf=[("0:0", f"1:{n}") for n in range(4)],
        mo=[["init:x", "0:0"]],
    )
    root = parsed(execution)
    assert edges(root, "rf") == [("0:0", f"1:{n}") for n in range(4)]
    assert [text for text in words(root) if text.startswith("rf")] == ["rf ×4", "rf: reads from"]


def test_chips() -> None:
    root = parsed(samples.independent_reads())
    texts = {e.get("data-event"): words(e) for e in classed(root, "event")}
    assert texts["0:0"] == ["W x = 1", "rel", "3: 1 -> x @release"]
    assert texts["3:1"] == ["F", "dmb", "full", "15: fence[dmb]"]
    assert texts["2:2"] == ["R y = 0", "acq", "init", "11: b <- y @acquire"]
    assert chips_of({"a", "b", "c"}) == ("a", "b", "c")
    assert chips_of({"a", "b", "c", "d", "rmw"}) == ("a", "b", "+2")


def test_a_line_of_which_the_text_is_not_known_stands_alone() -> None:
    write = samples.access(901, "W", "x", 1, "")
    root = parsed(samples.execution("mod.rs", {"x": 0}, {"p": [write]}, rf=[], mo=[["init:x", "0:0"]]))
    assert [words(event) for event in classed(root, "event")] == [["W x = 1", "901"]]


def test_compact_drawings_have_the_line_before_and_the_statement_in_the_tooltip() -> None:
    events = [samples.access(n, "W", "x", n, f"{n} -> x") for n in range(1, 15)]
    execution = samples.execution("c.xcfa", {"x": 0}, {"p": events}, rf=[], mo=[["init:x"]])
    root = parsed(execution)
    assert words(classed(root, "event")[0]) == ["1", "W x = 1"]
    assert [e.findtext(f"{SVG}title") for e in classed(root, "event")][:1] == ["p: W x = 1, 1: 1 -> x"]


def test_threads_stand_near_those_that_they_talk_to_if_that_saves_a_quarter() -> None:
    assert reorder([0, 1, 2, 3], [(0, 3)] * 9) == [0, 1, 2, 3]
    assert reorder([0, 1, 2, 3, 4], [(0, 4)] * 9) == [1, 2, 3, 0, 4]
    assert reorder([0, 1, 2, 3, 4], [(0, 1), (1, 2), (2, 3), (3, 4), (0, 2)]) == [0, 1, 2, 3, 4]
    near = [(0, 1), *[(0, 2)] * 2, *[(2, 3)] * 3]
    assert reorder([0, 1, 2, 3, 4], [*near, *[(3, 4)] * 3]) == [0, 1, 2, 3, 4]  # 11, and 9 with 0 and 1 exchanged
    assert reorder([0, 1, 2, 3, 4], near[:3]) == [1, 0, 2, 3, 4]


def test_atomic_blocks_and_rounds_have_frames() -> None:
    execution = samples.load_buffering()
    atomic = replace(execution, events=tuple(replace(e, block=int(e.thread == 0)) for e in execution.events))
    assert [words(e) for e in classed(parsed(atomic), "block")] == [["atomic"]]
    waiting = replace(execution, waits=(range(0, 1), None))
    assert [words(e) for e in classed(parsed(waiting), "round")] == [["again and again"]]
    both = parsed(replace(atomic, waits=(range(0, 1), None)))
    assert [len(classed(both, kind)) for kind in ("round", "block")] == [1, 0]  # their words stood upon each other


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
    """The steps have numbers and bands; the other edges are faint."""
    execution = samples.store_buffering()
    number = {event.id: n for n, event in enumerate(execution.events)}
    cycle = [("po", "0:0", "0:1"), ("fr", "0:1", "1:0"), ("global", "1:0", "1:1"), ("fr", "1:1", "0:0")]
    root = parsed(execution, highlight=[(name, number[a], number[b]) for name, a, b in cycle])
    hot = [e for e in classed(root, "hot") if e.get("data-from")]
    told = {int(e.get("data-story", "0")): (e.get("data-from"), e.get("data-to")) for e in hot}
    assert told == {step: (a, b) for step, (_, a, b) in enumerate(cycle, 1)}
    assert all(len(classed(e, "band")) == 1 for e in hot)
    assert len([e for e in classed(root, "hot") if e.get("data-event")]) == 4
    assert [words(e) for e in classed(root, "badge")] == [["1 po"], ["2 fr"], ["3 global"], ["4 fr"]]
    assert edges(root, "global") == [("1:0", "1:1")]  # drawn although no relation of the drawing has it
    assert not classed(parsed(execution), "hot") + classed(parsed(execution), "faint")


def test_initial_writes_of_a_cycle_are_drawn() -> None:
    execution = samples.store_buffering()
    number = {event.id: n for n, event in enumerate(execution.events)}
    root = parsed(execution, highlight=[("rf", number["init:x"], number["1:1"])])
    assert [e.get("data-event") for e in classed(root, "initial")] == ["init:x"]
    assert edges(root, "rf") == [("init:x", "1:1")]


def test_relations_differ_in_colour_and_on_paper() -> None:
    """Each base relation has dashes or a head of its own; the dependencies differ from each other by their dashes."""
    rules = dict(re.findall(r"^\.xgen-drawing \.([\w-]+) path \{ (.*) \}$", style_sheet(), re.MULTILINE))
    looks = {name: re.sub(r"stroke: #\w+;?", "", rules[name]).strip() for name in MEANINGS}
    assert len(set(looks.values())) == len(MEANINGS)
    dark = style_sheet().split("prefers-color-scheme: dark")[1]
    assert all(f".xgen-drawing .{name} path {{" in dark for name in rules if name != "relation")


@pytest.mark.parametrize("sample", samples.SAMPLES)
def test_deterministic_and_well_formed(sample: Any) -> None:
    execution: Execution = sample()
    assert execution_to_svg(execution) == execution_to_svg(sample())
    root = parsed(execution)
    listed = [e.get("data-event") for e in classed(root, "event")]
    threads = [event.id for event in execution.events if event.thread >= 0]
    assert [name for name in listed if name in threads] == threads
    for name in ("rf", "mo", "fr", "data-race"):
        shown = [(a, b) for relation, a, b in shown_edges(execution, SHOWN, {}) if relation == name]
        assert edges(root, name) == sorted((execution.events[a].id, execution.events[b].id) for a, b in shown)


def test_awkward_names_are_escaped() -> None:
    root = parsed(samples.awkward_names())
    text = " | ".join(words(root))
    assert 'P "q" <r> \\' in text
    assert 'R größe = false | a&b | init | 4: größe <- "a\\b" <x> && &lt;' in text
    assert root.findtext(f"{SVG}title") == 'odd "name" <1>\\.xcfa error location L<1>\\ reached, line 4'
    drawn = parsed(samples.awkward_names(), show=("rf", "init"))
    assert "init:a<b>\\" in [e.get("data-event") for e in classed(drawn, "event")]


def test_too_many_edges() -> None:
    """Those of the cause are drawn, of these at least rf, else none; what is highlighted is always there."""
    execution = samples.random_execution(5, 6, 300)
    number = next(n for n, (name, _, _) in enumerate(execution.edges()) if name == "mo")
    highlight = [list(execution.edges())[number]]
    root = parsed(execution, highlight=highlight)
    (said,) = [text for text in words(root) if "edges are drawn" in text]
    drawn, of = (int(word) for word in said.split() if word.isdigit())
    assert drawn < of
    assert sum(len(edges(root, name)) for name in ("rf", "mo", "fr")) == drawn
    assert len([e for e in classed(root, "hot") if e.get("data-from")]) == 1


def test_five_hundred_events() -> None:
    root = parsed(samples.random_execution(1, 8, 500))
    assert len(classed(root, "event")) == 500


EXAMPLES = list(samples.pictures())


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_nothing_runs_over_anything_else(number: int) -> None:
    """No two boxes meet, no line enters one, no two bundles lie on each other, labels are clear of other lines."""
    assert list(faults(arrange(EXAMPLES[number][1]))) == []


def test_the_measures_find_faults() -> None:
    """A line, a label or a box that is moved is found."""
    layout = arrange(picture_of(samples.two_plus_two_writes()))
    assert list(faults(layout)) == []
    straight = next(b for b in layout.bundles if not b.curved)
    for moved in (11, 60):
        layout = arrange(picture_of(samples.two_plus_two_writes()))
        bundle = layout.bundles[straight.number]
        bundle.ways = [[(x + moved, y) for x, y in way] for way in bundle.ways]
        assert any("enters box" in fault or "lie on" in fault for fault in faults(layout))
    layout = arrange(picture_of(samples.two_plus_two_writes()))
    labelled = next(b for b in layout.bundles if b.label)
    other = next(b for b in layout.bundles if b is not labelled)
    labelled.label = other.ways[0][0]
    assert any("the label" in fault for fault in faults(layout))
    layout.boxes[1] = layout.boxes[0]
    assert "boxes 0 and 1 meet" in list(faults(layout))


def test_most_bundles_have_a_label() -> None:
    bundles = [bundle for _, picture in EXAMPLES for bundle in arrange(picture).bundles]
    assert len(bundles) > 1000
    assert sum(bundle.label is None for bundle in bundles) < len(bundles) / 50


def test_an_execution_without_events() -> None:
    root = parsed(samples.execution("empty.xcfa", {}, {"p": []}, rf=[], mo=[]))
    assert "no events: p" in words(root)


# --- colours ---

LINES = ("rf", "mo", "fr", "addr", "po")
MACHADO = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""What is seen of linear red, green and blue (G. Machado et al., TVCG 2009, severity 1)."""


def colours(dark: bool) -> dict[str, str]:
    """The colours of the lines and of the paper."""
    sheet = style_sheet().split("@media (prefers-color-scheme: dark)")[int(dark)]
    found = dict(re.findall(r"^ *\.xgen-drawing \.([\w-]+) path \{ stroke: (#\w+)", sheet, re.MULTILINE))
    paper = re.search(r"\.paper \{ fill: (#\w+)", sheet)
    assert paper
    return {**{name: found[name] for name in LINES}, "paper": paper[1]}


def linear(colour: str) -> list[float]:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    """CIELAB of linear red, green and blue."""
    r, g, b = (min(1.0, max(0.0, part)) for part in rgb)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize(("dark", "distance", "contrast", "faint"), [(False, 27, 4.8, 3.0), (True, 18, 5.0, 3.2)])
def test_colours_can_be_told_apart(dark: bool, distance: float, contrast: float, faint: float) -> None:
    """Also without one kind of cones; and they stand out from the paper, po a little less."""
    shown = colours(dark)
    for matrix in MACHADO.values():
        seen = {
            name: lab([sum(m * c for m, c in zip(row, linear(shown[name]), strict=True)) for row in matrix])
            for name in LINES
        }
        for one, two in itertools.combinations(LINES, 2):
            assert math.dist(seen[one], seen[two]) >= distance, (one, two)
    light = {
        name: sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(shown[name]), strict=True)) for name in shown
    }
    for name in LINES:
        high, low = sorted((light[name], light["paper"]), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= (faint if name == "po" else contrast), name
