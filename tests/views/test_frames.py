"""What drawings frame: atomic blocks, critical sections, and rounds of loops that only read."""

from __future__ import annotations

import pytest

import xgen
from xgen.views.picture import picture_of, stretches

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
]


@pytest.mark.parametrize(("steps", "framed"), ALONE)
def test_what_is_framed(steps: str, framed: list[tuple[int, int, str]]) -> None:
    program = xgen.parse(f"{DECLARED}process p {{ var a : int {steps} }}")
    execution = next(iter(xgen.executions(program, xgen.model("sc"))))
    assert stretches([event for event in execution.events if event.thread == 0]) == framed


def test_frames_are_around_boxes() -> None:
    """An update is one box, and what is within one box needs no frame."""
    program = xgen.parse(f"{DECLARED}process p {{ lock(m); 1 -> x; unlock(m); atomic {{ 2 -> x; }} }}")
    (execution,) = xgen.executions(program, xgen.model("sc"))
    picture = picture_of(execution)
    (frame,) = picture.frames
    texts = [item.text for item in picture.columns[0].items]
    assert (texts[frame.a], texts[frame.b], frame.text) == ("U m: 0 → 1", "W m = 0", "critical m")
