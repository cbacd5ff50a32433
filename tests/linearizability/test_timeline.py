"""The timeline of calls: what comes before what is seen in it, and it is drawn where it was asked for."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from cli.fake import run

from xgen.views.drawing.timeline import Bar, Timeline, timeline_to_svg

SVG = "{http://www.w3.org/2000/svg}"


def boxes(svg: str) -> dict[str, tuple[float, float, float]]:
    """For each bar where it begins and ends, and its height on the paper."""
    found = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        box, text = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
        if box is not None and text is not None:
            x, y, width = (float(box.attrib[name]) for name in ("x", "y", "width"))
            found[str(text.text)] = (x, x + width, y)
    return found


def test_bars_are_in_order() -> None:
    """Of three threads: a, b; c; d, with a flag from c to b. What is ordered does not overlap, and the rest may."""
    bars = [Bar(0, "a", False), Bar(0, "b", True), Bar(1, "c", False), Bar(2, "d & <e>", False)]
    svg = timeline_to_svg(Timeline("title", "note", ["one", "two", "three"], bars, [(0, 1), (2, 1)], [(2, 1)]))
    found = boxes(svg)
    assert set(found) == {"a", "b", "c", "d & <e>"}
    for before, after in (("a", "b"), ("c", "b")):
        assert found[before][1] < found[after][0]
    assert found["a"][2] == found["b"][2] < found["c"][2] < found["d & <e>"][2]
    assert found["d & <e>"][0] == found["a"][0]  # nothing orders it: it reaches over the whole row
    assert found["d & <e>"][1] >= found["b"][1]
    assert svg.count('class="relation rf"') == 1
    assert svg.count('class="violation"') == 1
    assert "c has returned before b starts." in svg


def test_it_is_drawn(folder: Path) -> None:
    head = "#include <stdatomic.h>\natomic_int x;\nint get(void) { return x; }\n"
    (folder / "right.c").write_text(head + "int inc(void) { return x++; }\n")
    (folder / "wrong.c").write_text(head + "int inc(void) { int v = x; x = v + 1; return v; }\n")
    assert run("linearizable", "wrong.c", "--calls", "2", "--svg", "drawn").exit_code == 1
    history = (folder / "drawn" / "history.svg").read_text()
    assert list(boxes(history)) == ["inc() = 0", "inc() = 0", "get() = 1"][1:]  # two bars have the same text
    assert history.count('class="violation"') == 2
    assert "<svg" in (folder / "drawn" / "witness.svg").read_text()
    assert run("linearizable", "right.c", "--calls", "2", "--svg", "drawn").exit_code == 0
    assert list((folder / "drawn").iterdir()) == []  # a fault of yesterday is not taken for one of today


def test_the_page_has_both(folder: Path) -> None:
    """The calls above the execution, which is the one of the assertion; no page where nothing is wrong."""
    (folder / "count.c").write_text(
        "#include <stdatomic.h>\natomic_int x;\nint get(void) { return x; }\n"
        "#ifdef SPLIT\nint inc(void) { int v = x; x = v + 1; return v; }\n"
        "#else\nint inc(void) { return x++; }\n#endif\n"
    )
    command = ["linearizable", "count.c", "--calls", "2", "--html", "page.html"]
    assert run(*command, "-DSPLIT").exit_code == 1
    page = (folder / "page.html").read_text()
    picture = page[page.index('<figure id="picture"') : page.index("</figure>")]
    assert sorted(boxes(picture[picture.index("<svg") :])) == ["get() = 1", "inc() = 0"]
    assert "no order of the calls explains inc() = 0 and inc() = 0" in page
    assert page.count('id="chunk-0"') == 1
    assert run(*command).exit_code == 0
    assert not (folder / "page.html").exists()
    assert run(*command[:-1], "gone/page.html").exit_code == 2
