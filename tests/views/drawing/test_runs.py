"""Runs behind store buffers as SVG: what is drawn, and that it has room."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import xgen
from xgen.analyses.ltl import LtlResult
from xgen.engine.explicit.states import Order
from xgen.views.drawing.runs import run_to_html, run_to_svg

SVG = "{http://www.w3.org/2000/svg}"
SERVED = "G (P_1@wait -> F P_1@CS)"
RUNS: list[tuple[str, str, Order, int]] = [
    ("dve/peterson.dve", "G !(P_0@CS & P_1@CS)", "tso", 1),
    ("dve/lamport.dve", SERVED, "sc", 4),
    ("dve/lamport.dve", SERVED, "tso", 2),
    ("dve/lamport.dve", SERVED, "pso", 1),
    ("peterson.xcfa", "F ended(all)", "tso", 4),
]


def run(program: str, formula: str, memory: Order, buffer: int) -> LtlResult:
    return xgen.ltl(Path("programs") / program, formula, memory, buffer=buffer)


def groups(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter(f"{SVG}g") if name in str(element.get("class")).split()]


def said(element: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


@pytest.mark.parametrize(("program", "formula", "memory", "buffer"), RUNS)
def test_all_of_a_run_is_drawn(program: str, formula: str, memory: Order, buffer: int) -> None:
    result = run(program, formula, memory, buffer)
    root = ElementTree.fromstring(run_to_svg(result))
    moments = (*result.prefix, *result.cycle)
    steps = [moment for moment in moments[1:] if moment.transition is not None]
    assert len(groups(root, "step")) == len(steps)
    assert len(groups(root, "flush")) == len(moments) - 1 - len(steps)
    stored = sum(
        max(0, len(after.stores[p]) - len(before.stores[p]))
        for before, after in pairwise(moments)
        for p in range(len(result.system.processes))
    )
    assert len(groups(root, "store")) == stored
    memories = [element for element in root.iter(f"{SVG}text") if element.get("class") == "memory"]
    assert len(memories) == len(moments)
    assert len(groups(root, "ever")) == bool(result.cycle)


@pytest.mark.parametrize(("program", "formula", "memory", "buffer"), RUNS)
def test_nothing_overlaps(program: str, formula: str, memory: Order, buffer: int) -> None:
    """Boxes of steps and bars of stores lie beside each other, and inside the drawing."""
    root = ElementTree.fromstring(run_to_svg(run(program, formula, memory, buffer)))
    boxes = []
    for group in (*groups(root, "step"), *groups(root, "store")):
        rectangle = next(group.iter(f"{SVG}rect"))
        x, y, width, height = (float(str(rectangle.get(key))) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= float(str(root.get("width")))
        assert 0 <= y <= y + height <= float(str(root.get("height")))
        boxes.append((x, y, x + width, y + height))
    for n, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:n]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_what_is_said() -> None:
    root = ElementTree.fromstring(run_to_svg(run(*RUNS[0])))
    boxes = [said(group) for group in groups(root, "step")]
    assert boxes[:2] == [["flag[0] = 1", "10  NCS → q1"], ["flag[1] = 1", "21  NCS → q1"]]
    assert ["flag[1] == 0", "12  wait → CS", "stale"] in boxes
    assert next(said(group) for group in groups(root, "store")) == ["flag[0]=1"]
    assert "the formula fails, whatever follows" in said(root)
    caption = "fails: G !(P_0@CS & P_1@CS) (tso, at most 1 delayed store per process, fair)"
    assert caption in said(root)
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == caption


def test_only_reads_that_miss_a_store_are_stale() -> None:
    root = ElementTree.fromstring(run_to_svg(run(*RUNS[0])))
    assert sum("stale" in said(group) for group in groups(root, "step")) == 1
    root = ElementTree.fromstring(run_to_svg(run(*RUNS[1])))
    assert sum("stale" in said(group) for group in groups(root, "step")) == 0


def test_a_page_marks_the_lines_that_a_run_comes_by() -> None:
    page = run_to_html(run(*RUNS[0]))
    assert "{{" not in page
    assert page.count("<svg") == 1
    assert '<span class="line changed" data-line="10"><span class="number">10</span>' in page
    assert '<span class="line" data-line="9"><span class="number">9</span>' in page
    assert "flag[1] == 0 &amp;&amp;" not in page


def test_arrays_that_do_not_change_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "wide.dve"
    file.write_text(
        "byte a[20]; byte x; process P { state s, t; init s; trans s -> t { effect x = 1, a[7] = 2; }; } system async;"
    )
    root = ElementTree.fromstring(run_to_svg(xgen.ltl(file, "G x = 0", "sc")))
    memories = ["".join(e.itertext()) for e in root.iter(f"{SVG}text") if e.get("class") == "memory"]
    assert memories == ["a[7]=0  x=0", "a[7]=2  x=1"]
