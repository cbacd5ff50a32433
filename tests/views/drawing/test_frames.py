"""What pictures frame: accesses of parts, atomic blocks, critical sections, and rounds of loops that only read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import xgen
from xgen.views.drawing.dot import execution_to_dot
from xgen.views.drawing.frames import stretches
from xgen.views.drawing.picturing import picture_of

DECLARED = "var x : int var y : int var m : synthetic var n : synthetic\n"

ALONE = [
    # the steps of a thread, and what is framed: from, to and why, by events
    ("1 -> x; 2 -> x;", []),
    ("atomic { 1 -> x; 2 -> x; } 3 -> x;", [(0, 1, "atomic")]),
    ("lock(m); 1 -> x; unlock(m);", [(0, 5, "critical m")]),
    ("lock(m); lock(n); unlock(n); unlock(m);", [(0, 9, "critical m"), (3, 7, "critical n")]),
    ("lock(m); atomic { 1 -> x; 2 -> x; } unlock(m);", [(0, 6, "critical m"), (3, 4, "atomic")]),
    ("lock(m); lock(n); unlock(m); unlock(n);", [(0, 7, "critical m")]),  # the other one overlaps
    ("lock(m); 1 -> x;", []),
    ("for i in 1 .. 3 { a <- x; }", [(0, 2, "line 2: 3 rounds")]),
    ("for i in 1 .. 2 { a <- x; a <- y; } a <- x;", [(0, 3, "line 2: 2 rounds")]),
    ("for i in 1 .. 2 { a <- x; a -> x; }", []),
    ("a <- x; a <- x;", []),
    ("1 -> x; 2 -> y @part; 3 -> x;", [(0, 1, "one access")]),
    ("a <- x; a <- y @part; a <- x; a <- y @part;", [(0, 1, "one access"), (2, 3, "one access")]),
    ("a <- x @rmw; a <- y @rmw @part; 1 -> x @rmw; 2 -> y @rmw @part; a <- x;", [(0, 3, "one update")]),
]


@pytest.mark.parametrize(("steps", "framed"), ALONE)
def test_what_is_framed(steps: str, framed: list[tuple[int, int, str]]) -> None:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int {steps} }}")
    execution = next(iter(xgen.executions(program, xgen.model("sc"))))
    assert stretches([event for event in execution.events if event.thread == 0]) == framed
    assert sorted(frames_of(execution_to_dot(execution))) == sorted((b - a + 1, text) for a, b, text in framed)


def frames_of(text: str) -> Iterator[tuple[int, str]]:
    """How many boxes are in each frame of a Graphviz text, and what it says, as its lines say."""
    inside: list[tuple[int, str]] = []
    for line in text.splitlines():
        if "subgraph" in line:
            inside.append((0, ""))
        elif line.strip() == "}" and inside:
            count, label = inside.pop()
            if label:
                yield count, label
        elif " [label=<" in line:
            inside = [(count + 1, label) for count, label in inside]
        elif (frame := re.search(r"fontsize=9 label=(?:\"([^\"]*)\"|(\w+))", line)) and inside:
            inside[-1] = (0, frame[1] or frame[2])


def test_frames_are_around_boxes() -> None:
    """An update is one box, and what is within one box needs no frame."""
    program = xgen.parse(f"{DECLARED}process p {{ lock(m); 1 -> x; unlock(m); atomic {{ 2 -> x; }} }}")
    (execution,) = xgen.executions(program, xgen.model("sc"))
    picture = picture_of(execution)
    (frame,) = picture.frames
    texts = [item.text for item in picture.columns[0].items]
    assert (texts[frame.a], texts[frame.b], frame.text) == ("U m: 0 → 1", "W m = 0", "critical m")


FOLDED = [
    # the steps of a thread beside one that writes x once, and its boxes with what is framed, in all its executions
    ("for i in 1 .. 3 { a <- x; }", {"0 ×3", "0 ×2, 1 | 0-1", "0, 1 ×2 | 0-1", "1 ×3"}),
    ("for i in 1 .. 2 { a <- x; b <- y; }", {"0 ×2, 0 ×2 | 0-1", "0, 0, 1, 0 | 0-3", "1 ×2, 0 ×2 | 0-1"}),
    ("for i in 1 .. 2 { a <- x; } b <- y;", {"0 ×2, 0", "0, 1, 0 | 0-1", "1 ×2, 0"}),
    ("for i in 1 .. 2 { a <- x; a -> y; }", {"0, 0, 0, 0", "0, 0, 1, 1", "1, 1, 1, 1"}),
    ("a <- x; a <- x;", {"0, 0", "0, 1", "1, 1"}),
]


@pytest.mark.parametrize(("steps", "wanted"), FOLDED)
def test_rounds_that_read_what_the_round_before_read_are_one_box(steps: str, wanted: set[str]) -> None:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int var b : int {steps} }} process q {{ 1 -> x; }}")
    found = set()
    for execution in xgen.executions(program, xgen.model("sc")):
        picture = picture_of(execution)
        boxes = ", ".join(item.text.partition(" = ")[2] for item in picture.columns[0].items)
        frames = "".join(f" | {frame.a}-{frame.b}" for frame in picture.frames)
        found.add(boxes + frames)
        assert len({(edge.relation, edge.a, edge.b) for edge in picture.edges}) == len(picture.edges)
    assert found == wanted


def test_rounds_that_read_the_same_value_from_another_write_are_not_one_box() -> None:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int for i in 1 .. 2 {{ a <- x; }} }} process q {{ 0 -> x; }}")
    boxes = [[item.text for item in picture_of(e).columns[0].items] for e in xgen.executions(program, xgen.model("sc"))]
    assert sorted(boxes) == [["R x = 0", "R x = 0"], ["R x = 0 ×2"], ["R x = 0 ×2"]]


def test_what_rounds_that_are_one_say_of_themselves() -> None:
    """Every round, if it is wrong or part of a cycle."""
    steps = "for i in 1 .. 3 { b := a; a <- x; } assert a + b /= 0;"
    program = xgen.parse(f"{DECLARED}process p {{ var a : int var b : int {steps} }}")
    witness = xgen.check(program, xgen.model("sc"), dependencies=True).witness
    assert witness is not None
    assert [n for n, event in enumerate(witness.events) if event.thread == 0] == [4, 5, 6]
    assert witness.decided == (5, 6)
    (item, violation) = picture_of(witness).columns[0].items
    assert (item.text, item.chips, item.wrong) == ("R x = 0 ×3", ("init", "leads here"), True)
    assert item.title == "p: R x = 0, 2: a <- x, 3 times"
    assert violation.kind == "violation"


TOLD = [
    # highlighted edges between the reads of four rounds, the boxes, and the steps between them
    ([], ["×4"], []),
    ([("po", 2, 3)], ["", "×3"], [(0, 1, 1)]),
    ([("po", 2, 5)], ["×3", ""], [(0, 1, 1)]),
    ([("po", 3, 5), ("po", 2, 3)], ["", "×2", ""], [(0, 1, 2), (1, 2, 1)]),
    ([("po", 3, 4)], ["", "", "×2"], [(1, 2, 1)]),
]


@pytest.mark.parametrize(("highlight", "boxes", "steps"), TOLD)
def test_rounds_that_an_explanation_speaks_of_are_apart(
    highlight: list[tuple[str, int, int]], boxes: list[str], steps: list[tuple[int, int, int]]
) -> None:
    """No step of a cycle vanishes in a box."""
    program = xgen.parse("var x : int var y : int process p { var a : int for i in 1 .. 4 { a <- x; } }")
    (execution,) = xgen.executions(program, xgen.model("sc"))
    picture = picture_of(execution, highlight=highlight)
    assert [item.text.removeprefix("R x = 0").strip() for item in picture.columns[0].items] == boxes
    assert sorted((step.a, step.b, step.step) for step in picture.steps) == steps
