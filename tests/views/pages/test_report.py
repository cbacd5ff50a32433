"""Pages of fences and of runs: what is folded, and, in a real browser, that they do what they should."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import xgen
from views.browser import CHROMIUM, Browser
from xgen.analyses.fences.fences import find_fences
from xgen.resources import shipped
from xgen.views.drawing.runs import run_to_html
from xgen.views.pages.placements import placements_to_html
from xgen.views.pages.report import fill_report, program_text

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")


@cache
def fences() -> str:
    program = xgen.load(shipped("programs") / "peterson.xcfa")
    return placements_to_html(find_fences(program, xgen.model("tso"), why=True))


@cache
def run() -> str:
    return run_to_html(xgen.ltl(shipped("programs") / "dve" / "lamport.dve", "G (P_1@wait -> F P_1@CS)", "tso"))


FOLDS = [
    # lines, those that are marked, and what is folded
    (20, [], []),
    (20, [1], ["5 to 20"]),
    (20, [10], ["14 to 20"]),
    (20, [11], ["1 to 7"]),
    (40, [15, 30], ["1 to 11", "19 to 26", "34 to 40"]),
    (40, [15, 28], ["1 to 11", "32 to 40"]),
    (10, [4], []),
]


@pytest.mark.parametrize(("count", "marked", "folded"), FOLDS)
def test_lines_far_from_what_is_marked_are_folded(count: int, marked: list[int], folded: list[str]) -> None:
    text = program_text([("x", n + 1 in marked) for n in range(count)])
    assert re.findall("<summary>lines (.*?)</summary>", text) == folded
    assert [int(n) for n in re.findall(r'data-line="(\d+)"', text)] == list(range(1, count + 1))
    assert text.count('class="line changed"') == len(marked)


def test_tabs_are_shown() -> None:
    text = (shipped("programs") / "peterson.xcfa").read_text(encoding="utf-8").replace("    ", "\t")
    page = placements_to_html(find_fences(xgen.parse(text), xgen.model("tso")))
    assert '<span class="number">29</span>    1 -&gt; turn<span class="put">mfence</span></span>' in page


@pytest.mark.parametrize("make", [fences, run])
def test_a_page_needs_nothing_else(make: Callable[[], str]) -> None:
    page = make()
    assert "{{" not in page
    assert "default-src 'none'; script-src 'sha256-" in page
    assert not re.findall(r"https?:(?!//www\.w3\.org/2000/svg)|\ssrc=|@import|url\(|<link", page)
    assert "&lt;b&gt;" in fill_report("<b>", "<b>", "<b>", "")


def opened(browser: Browser, folder: Path, page: str) -> None:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.open("about:blank")
    browser.open(file.as_uri())


def width(browser: Browser) -> float:
    return float(browser.run("document.querySelector('.stage svg').getBoundingClientRect().width"))


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [1400, 500, 390])
def test_pages_fit(browser: Browser, tmp_path: Path, wide: int, scheme: str) -> None:
    """Nothing is wider than the screen; drawings are scrolled where they would get too small."""
    browser.ask("Emulation.setDeviceMetricsOverride", width=wide, height=800, deviceScaleFactor=1, mobile=wide < 400)
    browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        for page in (fences(), run()):
            opened(browser, tmp_path, page)
            assert browser.run("document.documentElement.scrollWidth") <= wide
            assert browser.run("document.querySelector('.stage').clientWidth") >= 0.8 * min(wide, 700)
            natural = browser.run("document.querySelector('.stage svg').viewBox.baseVal.width")
            assert 0.54 * natural <= width(browser) <= 1.26 * natural
            back = browser.run("getComputedStyle(document.body).backgroundColor")
            assert (back == "rgb(255, 255, 255)") == (scheme == "light")
        assert browser.errors == []
    finally:
        browser.ask("Emulation.clearDeviceMetricsOverride")
        browser.ask("Emulation.setEmulatedMedia", features=[])


@needs_browser
def test_drawings_are_zoomed_by_keys(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, run())
    first = width(browser)
    browser.press("+")
    assert width(browser) == pytest.approx(1.2 * first, abs=1)
    browser.press("-")
    browser.press("-")
    assert width(browser) == pytest.approx(first / 1.2, abs=1)
    browser.press("0")
    assert width(browser) == pytest.approx(first, abs=1)
    assert browser.errors == []


@needs_browser
def test_a_run_is_told_step_by_step(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, run())
    rows = browser.run(
        "Math.max(...[...document.querySelectorAll('.stage .number')].map((n) => Number(n.textContent)))"
    )
    shown = "document.querySelectorAll('.stage .step:not(.later)').length"
    lit = "[...document.querySelectorAll('.line.lit')].map((line) => line.dataset.line).join()"
    steps = browser.run(shown)
    browser.press("ArrowLeft")
    assert browser.run("document.querySelector('.stage').dataset.told") == str(rows)
    assert browser.run(shown) == steps
    for _ in range(rows - 1):
        browser.press("ArrowLeft")
    assert browser.run(shown) == 1
    assert browser.run("document.querySelector('.stage .chosen').dataset.row") == "1"
    assert browser.run(lit) == browser.run("document.querySelector('.stage .chosen').dataset.line")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert browser.run(shown) == 0
    assert browser.run("document.querySelectorAll('.stage .memory:not(.later)').length") == 1
    for _ in range(rows + 3):
        browser.press("ArrowRight")
    assert browser.run("document.querySelectorAll('.stage .later, .stage .chosen').length") == 0
    assert browser.run(lit) == ""
    assert browser.errors == []


@needs_browser
def test_events_and_lines_light_each_other(browser: Browser, tmp_path: Path) -> None:
    """Within the placement that they are of; a line that is folded comes forth."""
    opened(browser, tmp_path, fences())
    lit = "[...document.querySelectorAll('.lit')].map((part) => part.dataset.line)"
    place = "document.querySelector('.stage .event[data-line=\"40\"]')"
    line = "document.querySelector('.answer .line[data-line=\"40\"]')"
    assert not browser.run(f"{line}.closest('details').open")
    browser.run(f"{place}.scrollIntoView()")
    browser.point("details.answer[open] .stage .event[data-line='40']", click=True)
    assert browser.run(f"{line}.closest('details').open")
    assert set(browser.run(lit)) == {"40"}
    assert browser.run("document.querySelectorAll('details.answer:not([open]) .lit').length") == 0
    browser.point(".answer .line[data-line='29']")
    assert set(browser.run(lit)) == {"29"}
    browser.run(f"{place}.focus()")
    browser.press("Enter")
    assert set(browser.run(lit)) == {"40"}
    browser.press("Escape")
    assert browser.run(lit) == []
    assert browser.errors == []
