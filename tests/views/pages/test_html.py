"""The page: what it holds, that it needs nothing else, and, in a real browser, that it does what it should."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import xgen
from views import samples
from views.browser import CHROMIUM, Browser
from xgen.analyses.explain import condition, explain
from xgen.executions.execution import Execution
from xgen.executions.result import Outcome
from xgen.frontends.litmus import load_litmus
from xgen.memory.evaluate import Evaluator
from xgen.resources import package_text, shipped
from xgen.views.answers.explain import to_html
from xgen.views.drawing.layout import arrange
from xgen.views.drawing.picture import EXTRAS, SHOWN
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.relations import drawn_pairs
from xgen.views.drawing.svg import drawing
from xgen.views.pages.html import CHUNK, RECORDS, Page, Shown, result_to_html

MODEL = xgen.model("tso")
IRIW = shipped("litmus") / "X86" / "IRIW.litmus"


def data_of(page: str) -> Any:
    """What the page knows before anything is unpacked."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text), -15)


def records_of(page: str) -> list[Any]:
    """What is known of the first executions."""
    chunks = re.findall(r'<script type="text/plain" id="record-\d+">(.*?)</script>', page)
    return [record for chunk in chunks for record in json.loads(unpacked(chunk))]


def checked(name: str, model: str, **options: Any) -> str:
    memory_model = xgen.model(model)
    program = xgen.load(shipped("programs") / f"{name}.xcfa")
    return result_to_html(xgen.check(program, memory_model, dependencies=True, **options), memory_model)


def test_outcomes_with_their_executions() -> None:
    page = checked("sb_fenced", "weak", all_states=True)
    data, records = data_of(page), records_of(page)
    assert [(count, remark, bad) for count, remark, bad, _ in data["groups"]] == [(1, "", 0)] * 3
    membership = list(unpacked(data["outcomes"]))
    assert sorted(membership) == [0, 1, 2]
    assert len(records) == data["count"] == 3
    for number, group in enumerate(membership):
        values = zip(data["names"], data["groups"][group][3], strict=True)
        assert records[number]["state"] == ", ".join(f"{name} = {value}" for name, value in values)
        assert records[number]["holds"] == [True, True, True]
    assert data["names"] == ["p0:a", "p1:b", "x", "y"]
    assert [c["name"] for c in data["constraints"]] == ["coherence", "causality", "fence_order"]


OPENED = [
    # a program; what is wrong, how the threads end, in the execution that the page opens on
    ("process p { var a : int a <- x; assume a = 1; } process q { 1 -> x; }", 0, ("ended", "ended")),
    ("process p { var a : int a <- x; assume a = 1; assert false; } process q { 1 -> x; }", 1, ("error", "ended")),
    ("process p { var a : int a <- x; assume a = 2; } process q { 1 -> x; }", 0, ("blocked", "ended")),
    ("process p { var a : int if a = 1 { start q; } } process q { 1 -> x; }", 0, ("ended", "unstarted")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "violations", "ends"), OPENED)
@pytest.mark.parametrize("turned", [False, True])
def test_a_page_opens_on_a_violation_else_on_a_complete_execution(
    text: str, violations: int, ends: tuple[str, ...], turned: bool
) -> None:
    traces = xgen.check(xgen.parse(f"var x : int {text}"), MODEL, all_states=True).traces
    order = traces[::-1] if turned else traces
    page = Page(map(Shown, order), MODEL, (), "x", "x")
    opened = order[page.data()["first"] - 1]
    assert (len(opened.violations), opened.ends) == (violations, ends)


def test_executions_that_are_not_complete_have_rows_of_their_own() -> None:
    """A thread that nobody starts has not been cut; where one is blocked and one is cut, the bound counts."""
    result = xgen.check(xgen.parse(UNSTARTED), MODEL, all_states=True)
    page = Page(map(Shown, result.traces), MODEL, result.outcomes, "x", "x")
    assert [row[:2] for row in page.data()["groups"]] == [[1, ""], [1, ""]]
    text = "var x : int process p { assume false; } process q { 1 -> x; 2 -> x; 3 -> x; } process r { 1 -> x; }"
    result = xgen.check(xgen.parse(text), MODEL, all_states=True, max_depth=2)
    page = Page(map(Shown, result.traces), MODEL, result.outcomes, "x", "x")
    assert [row[:2] for row in page.data()["groups"]] == [[result.bounded, "cut by a limit"]]


def test_what_threads_do_is_stored_once() -> None:
    data = data_of(checked("peterson", "tso", all_states=True))
    assert data["count"] == 28
    assert [len(traces) for traces in data["traces"]] == [1, 6, 5]
    assert data["variables"] == ["flag0", "flag1", "turn", "cs"]


def test_relations_by_the_models_names() -> None:
    data = data_of(checked("peterson", "tso", all_states=True))
    names = [relation["name"] for relation in data["relations"]]
    assert names == ["po", "rf", "mo", "fr", "ctrl", "per_location", "ppo", "fenced", "global"]
    assert data["shown"] == ["po", "rf", "mo", "fr"]


def test_the_violating_execution_is_chosen_and_executions_that_are_not_complete_have_rows() -> None:
    data = data_of(checked("peterson", "tso"))
    assert data["groups"][unpacked(data["outcomes"])[data["first"] - 1]][2] == 1
    data = data_of(checked("peterson", "sc", all_states=True))
    assert [(remark, set(values)) for _, remark, _, values in data["groups"] if remark] == [("blocked", {""})]


def test_the_page_needs_nothing_else() -> None:
    page = checked("cow2r", "weak-a9", all_states=True)
    assert not re.findall(r"https?:|\ssrc=|@import|url\(|<link", page)
    assert "default-src 'none'; script-src 'sha256-" in page


def test_names_are_escaped() -> None:
    awkward = samples.awkward_names()
    result = samples.violated(program='</script><b>"x"&', witness=awkward, traces=(awkward,))
    page = result_to_html(result, MODEL)
    assert "<b>" not in page.replace('<b id="', "")
    assert "&lt;/script&gt;&lt;b&gt;&quot;x&quot;&amp; under tso" in page
    assert page.count("</script>") == 4  # the data, one chunk, one of records, the program of the page


def test_no_executions() -> None:
    data = data_of(result_to_html(samples.result(outcomes=(), executions=0), MODEL))
    assert (data["count"], data["groups"], data["source"]) == (0, [], [])


def test_records_are_packed_a_few_at_a_time() -> None:
    shown = [Shown(samples.random_execution(seed, 3, 9)) for seed in range(2 * CHUNK + 1)]
    page = Page(shown, MODEL, (), "random", "many").text()
    assert page.count('type="text/plain"') == 4
    assert len(records_of(page)) == 2 * CHUNK + 1


def test_pairs_that_follow_from_others_are_not_drawn() -> None:
    execution = samples.independent_reads()
    evaluator = Evaluator(execution)
    (term,) = (definition.term for definition in MODEL.definitions if definition.name == "per_location")
    ids = [(execution.events[a].id, execution.events[b].id) for a, b in drawn_pairs(evaluator, term)]
    # What follows: init:x -> 3:2 -> 0:0 says that init:x is before 0:0, and so for y.
    assert ids == [
        ("init:x", "3:2"), ("init:y", "2:2"), ("0:0", "2:0"), ("1:0", "3:0"), ("2:2", "1:0"), ("3:2", "0:0"),
    ]  # fmt: skip


# --- in a browser ---

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")


def opened(browser: Browser, folder: Path, page: str, fragment: str = "") -> str:
    """Shows a page and its first drawing; its address."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.open("about:blank")
    browser.open(f"{file.as_uri()}#{fragment}")
    browser.wait("document.querySelector('#drawing svg')")
    return file.as_uri()


def is_shown(browser: Browser, selector: str) -> bool:
    part = f"document.querySelector({json.dumps(selector)})"
    return bool(browser.run(f"Boolean({part}) && {part}.getBoundingClientRect().width > 0"))


def texts(browser: Browser, selector: str) -> list[str]:
    return list(browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((part) => part.innerText)"))


ROUNDS = """
var x : int var y : int
process p { var a : int for i in 1 .. 3 { a <- x; } }
process q { var a : int for i in 1 .. 2 { a <- x; a <- y; } assert a = 0; }
process r { 1 -> x; 1 -> y; }
"""
"""Of its executions, there are some with rounds that are alike."""
UNSTARTED = """
var x : int
process p { var a : int a <- x; if a = 1 { start q; join q; } }
process q { 2 -> x; }
process r { 1 -> x; }
"""
"""Of its executions, there is one in which a thread is not started."""


def first_lines(execution: Execution, show: list[str]) -> list[str]:
    return [item.text for column in picture_of(execution, show).columns for item in column.items]


def explored(program: xgen.Program, model: xgen.Model) -> tuple[Execution, ...]:
    found = xgen.check(program, model, all_states=True, max_depth=10, trace_limit=12, dependencies=True)
    return found.traces


def executions_to_compare() -> list[tuple[Execution, list[str], list[tuple[str, int, int]]]]:
    """Executions, what to show of them, and what to highlight."""
    drawn = [samples.noisy, samples.store_buffering, samples.two_plus_two_writes, samples.independent_reads]
    found = [sample() for sample in [*drawn, samples.load_buffering, samples.awkward_names]]
    found.append(replace(found[4], waits=(range(0, 2), None), rmw=((2, 3),)))
    found += [samples.random_execution(seed, 1 + seed % 9, (3 + seed % 9, 4 + seed)[seed % 2]) for seed in range(60)]
    for name, model in (("spinlock", "tso"), ("chase_lev", "sc"), ("treiber", "weak")):
        program = xgen.load(shipped("programs") / f"{name}.xcfa")
        found += explored(program, xgen.model(model))
    found += explored(xgen.parse(ROUNDS), MODEL)
    for name in ("publication_us", "philosophers"):  # starts, joins, allocated memory, long violations, threads blocked
        found += explored(xgen.load(shipped("programs") / "c" / f"{name}.c"), xgen.model("rc11"))
    found += explored(xgen.parse(UNSTARTED), MODEL)
    chosen = []
    for seed, execution in enumerate(found):
        rng = random.Random(seed)
        edges = list(execution.edges())
        show = [*SHOWN, *rng.choice([[], ["addr", "data", "ctrl"], [EXTRAS[0]], [*EXTRAS]])]
        chosen.append((execution, show, rng.sample(edges, min(4, len(edges))) if seed % 4 == 1 else []))
    return chosen


@needs_browser
def test_pages_draw_what_documents_have(browser: Browser) -> None:
    """Both layouts come to the same text, and both ways from an execution to its picture to the same picture."""
    browser.open("about:blank")
    browser.run(package_text("views/pages/draw.js").replace("const Draw", "window.Draw"))
    browser.run(package_text("views/pages/executions.js").replace("class Executions", "window.Executions = class"))
    compared = executions_to_compare()
    assert len(compared) > 90
    assert any("×" in text for execution, show, _ in compared for text in first_lines(execution, show))
    for execution, show, highlight in compared:
        picture = replace(picture_of(execution, show, highlight), name="", fault="", aside="", legend=())
        text = browser.run(
            f"(() => {{ const p = {json.dumps(picture.data())}; return Draw.drawing(p, Draw.arrange(p)); }})()"
        )
        assert "\n".join(text) == "\n".join(drawing(picture, arrange(picture)))
        page = Page([Shown(execution)], MODEL, (), "x", "x")
        (chunk,) = page.store.chunks()
        made = browser.run(
            f"(async () => {{ const e = new Executions({json.dumps(page.data())}, () => {json.dumps(chunk)});"
            f"return e.picture(await e.row(1), {json.dumps(show)}, {{ highlight: {json.dumps(highlight)} }}); }})()"
        )
        wanted = json.loads(json.dumps(picture.data()))
        for column in (*made["columns"], *wanted["columns"]):
            for item in column["items"]:
                item["step"] = 0  # a page has an order of its own
        for name in ("columns", "edges", "steps", "frames", "quiet", "po", "hot"):
            assert made[name] == wanted[name], name


@needs_browser
def test_choosing_an_outcome(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("sb_fenced", "weak", all_states=True))
    assert texts(browser, "#outcomes th") == ["runs", "p0\na", "p1\nb"]  # x and y are always 1
    assert texts(browser, "#always") == ["always x = 1, y = 1"]
    assert texts(browser, "#counts") == ["3 of 3 outcomes"]
    browser.point("#outcomes tbody tr:nth-child(3)", click=True)
    browser.wait("document.querySelector('#outcomes tbody tr:nth-child(3)').getAttribute('aria-selected') === 'true'")
    values = texts(browser, "#outcomes tbody tr:nth-child(3) td")[1:]
    assert f"p0:a = {values[0]}, p1:b = {values[1]}" in texts(browser, "#state")[0]
    assert browser.errors == []


SEARCHES = [
    ("", 4, ""),
    ("a = 1", 2, ""),
    ("a=1 and p1:b /= 1", 1, ""),
    ("p0:a = 0 or b = 0", 3, ""),
    ("not (a = 1, b = 1)", 3, ""),
    (r"~(a=1 /\ b=1) /\ x >= 1", 2, ""),
    ("violation", 1, ""),
    ("violation or a > 0", 3, ""),
    ("x < 2", 3, ""),
    ("flag = true", 2, ""),
    ("c = 1", None, "no c here: there are p0:a, p1:b, x, p0:flag, p0:t, p1:t"),
    ("t = 1", None, "which t: p0:t, p1:t?"),
    ("a = ", None, 'expected a value after "="'),
    ("= 1", None, 'expected a name before "="'),
    ("(a = 1", None, 'expected ")"'),
    ("a = 1 b = 1", None, 'expected "and" or "or" before "b"'),
    ("a = 1 and", None, "expected a name"),
    ("a = 1 | b", None, 'what is "| b"?'),
]


@needs_browser
@pytest.mark.parametrize(("wanted", "count", "error"), SEARCHES)
def test_search(browser: Browser, wanted: str, count: int | None, error: str) -> None:
    browser.open("about:blank")
    browser.run(package_text("views/pages/search.js").replace("function parseSearch", "window.parseSearch = function"))
    names = ["p0:a", "p1:b", "x", "p0:flag", "p0:t", "p1:t"]
    rows = [
        {
            "remark": "violation" if a == b == 0 else "",
            "values": [str(a), str(b), str(a + b), ("false", "true")[a], "0", "1"],
        }
        for a in (0, 1)
        for b in (0, 1)
    ]
    found = browser.run(
        f"(() => {{ try {{ const fits = parseSearch({json.dumps(wanted)}, {json.dumps(names)});"
        f"return {json.dumps(rows)}.filter(fits).length;"
        "} catch (error) { return error.message; } })()"
    )
    assert found == (error if count is None else count)


@needs_browser
def test_searching_leads_to_the_first_execution_that_fits(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("peterson", "tso", all_states=True))
    browser.press("/")
    browser.ask("Input.insertText", text="p0:t = 1 and not violation")
    browser.wait("document.querySelector('#counts').innerText === '3 of 20 outcomes'")
    browser.wait("document.querySelectorAll('#outcomes tr[aria-selected=true]').length === 1")
    browser.ask("Input.insertText", text=" and nonsense")
    browser.wait("document.querySelector('#search-error').innerText.startsWith('no nonsense here')")
    assert "search=p0%3At" in browser.run("location.hash")
    assert browser.errors == []


@needs_browser
def test_switching_relations_and_following_a_link(browser: Browser, tmp_path: Path) -> None:
    address = opened(browser, tmp_path, checked("peterson", "tso", all_states=True))
    assert is_shown(browser, "#drawing [data-relation=rf] .bundle")
    assert not is_shown(browser, "#drawing [data-relation=global]")
    browser.point("#relations summary", click=True)
    browser.point("#switches input[value=rf]", click=True)
    browser.point("#switches input[value=global]", click=True)
    browser.wait("location.hash.includes('relations=po,mo,fr,global')")
    browser.wait("document.querySelector('#drawing [data-relation=global]')")
    assert not is_shown(browser, "#drawing [data-relation=rf] .bundle")
    before = texts(browser, "#name")
    link = browser.run("location.href")
    browser.open("about:blank")
    browser.open(link)
    browser.wait("document.querySelector('#drawing [data-relation=global]')")
    assert texts(browser, "#name") == before
    browser.run(f"location.assign({json.dumps(address + '#execution=2&step=3&relations=rf,init')})")
    browser.wait("document.querySelector('#steps').innerText.startsWith('3 of ')")
    assert not is_shown(browser, "#drawing [data-relation=po]")
    assert browser.run("document.querySelectorAll('#drawing .event:not(.later)').length") >= 3
    assert browser.errors == []


@needs_browser
def test_keys(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("cow2r", "weak-a9", all_states=True), "execution=1")
    seen = "[...document.querySelectorAll('#drawing [data-event]')].filter(e => e.getBoundingClientRect().width).length"
    whole = browser.run(seen)
    browser.press("ArrowLeft")
    browser.wait(f"{seen} < {whole}")
    browser.press("ArrowRight")
    browser.wait(f"{seen} === {whole}")
    browser.press("ArrowDown")
    browser.wait("location.hash === '#execution=2'")
    browser.press("ArrowUp")
    browser.wait("location.hash === '#execution=1'")
    width = browser.run("document.querySelector('#drawing svg').getBoundingClientRect().width")
    browser.press("+")
    assert browser.run("document.querySelector('#drawing svg').getBoundingClientRect().width") > width
    browser.press("0")
    assert browser.run("document.querySelector('#drawing svg').getBoundingClientRect().width") == width
    for key, pane in (("[", "#outcome-pane"), ("]", "#program-pane")):
        browser.press(key)
        assert browser.run(f"getComputedStyle(document.querySelector('{pane}')).visibility") == "hidden"
        browser.press(key)
        assert browser.run(f"getComputedStyle(document.querySelector('{pane}')).visibility") == "visible"
    browser.press("?")
    assert browser.run("document.querySelector('#keys').open")
    browser.run("document.querySelector('#keys').close()")


@needs_browser
def test_events_and_lines(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("cow2r", "weak-a9", all_states=True))
    browser.point("#drawing [data-event='1:0']", click=True)
    line = browser.run("document.querySelector(\"#drawing [data-event='1:0']\").dataset.line")
    browser.wait("document.querySelectorAll('#source .lit').length === 1")
    assert browser.run("document.querySelector('#source .lit').getAttribute('value')") == line
    browser.wait("document.querySelectorAll('#drawing .touched').length >= 2")  # its rf and its po
    assert line in texts(browser, "#event")[0]
    browser.press("Escape")
    browser.wait("document.querySelector('#selected').hidden")
    browser.point(f"#source li[value='{line}']")
    browser.wait("[...document.querySelectorAll('#drawing .lit')].map(e => e.dataset.event).join() === '1:0'")
    assert browser.errors == []


@needs_browser
def test_wheel_drag_and_splitters(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("peterson", "tso", all_states=True))
    x, y, width = browser.run(
        "(() => { const r = document.querySelector('#stage').getBoundingClientRect();"
        "return [r.x + 200, r.y + 200, r.width]; })()"
    )
    drawn = browser.run("document.querySelector('#drawing svg').getBoundingClientRect().width")
    assert drawn <= width  # it fits
    for _ in range(8):
        browser.ask("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    browser.wait(f"document.querySelector('#drawing svg').getBoundingClientRect().width > 2 * {drawn}")
    before = browser.run("document.querySelector('#stage').scrollLeft")
    steps = [("mousePressed", 0), ("mouseMoved", -60), ("mouseMoved", -100), ("mouseReleased", -100)]
    for kind, moved in steps:
        browser.ask("Input.dispatchMouseEvent", type=kind, x=x + moved, y=y, button="left", buttons=1, clickCount=1)
    assert browser.run("document.querySelector('#stage').scrollLeft") == pytest.approx(before + 100, abs=2)
    for wanted in (400, 40):
        place = "document.querySelector('#split-left').getBoundingClientRect().x + 3"
        for kind, at in (("mousePressed", browser.run(place)), ("mouseMoved", wanted), ("mouseReleased", wanted)):
            browser.ask("Input.dispatchMouseEvent", type=kind, x=at, y=300, button="left", buttons=1, clickCount=1)
        left = browser.run("document.querySelector('#outcome-pane').getBoundingClientRect().width")
        assert left == (pytest.approx(wanted, abs=4) if wanted > 90 else 0)  # narrow ones are folded
    assert browser.errors == []


@needs_browser
def test_an_explanation_is_told_step_by_step(browser: Browser, tmp_path: Path) -> None:
    test = load_litmus(IRIW)
    opened(browser, tmp_path, to_html(explain(condition(test, MODEL))))
    assert texts(browser, "#story li")[0] == "P1 reads the x = 1 that it gets from P0's write."
    assert texts(browser, "#story li")[-1].endswith("which is where the circle began.")
    assert len(texts(browser, "#story li")) == 6
    browser.press("ArrowRight")
    browser.wait("document.querySelector('#story li[aria-current]') === document.querySelector('#story li')")
    assert browser.run("document.querySelectorAll('#drawing .badge.future').length") == 5
    browser.press("ArrowRight")
    browser.wait("document.querySelectorAll('#drawing .badge.past').length === 1")
    assert "step=2" in browser.run("location.hash")


@needs_browser
def test_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Pinching, and the panes as sheets; nothing is wider than the screen."""
    browser.ask("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=1, mobile=True)
    browser.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    try:
        opened(browser, tmp_path, checked("peterson", "tso", all_states=True))
        assert browser.run("document.documentElement.scrollWidth") <= 390
        assert not is_shown(browser, "#program-pane")
        browser.run("document.querySelector('#tab-program').click()")
        assert is_shown(browser, "#source")
        browser.run("document.querySelector('#tab-outcomes').click()")
        assert is_shown(browser, "#outcomes")
        assert not is_shown(browser, "#source")
        browser.run("document.querySelector('#tab-outcomes').click()")
        width = browser.run("document.querySelector('#drawing svg').getBoundingClientRect().width")
        for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90)):
            points = [{"x": 190 - apart, "y": 300, "id": 0}, {"x": 190 + apart, "y": 300, "id": 1}]
            browser.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        browser.wait(f"document.querySelector('#drawing svg').getBoundingClientRect().width > 1.8 * {width}")
        assert browser.errors == []
    finally:
        browser.ask("Emulation.clearDeviceMetricsOverride")
        browser.ask("Emulation.setTouchEmulationEnabled", enabled=False)


@needs_browser
def test_a_hundred_thousand_executions(browser: Browser, tmp_path: Path) -> None:
    """As many outcomes; a few hundred kilobytes, and any of them can be reached."""
    few = [samples.random_execution(7, 2, 8), samples.random_execution(7, 2, 8).only(range(6))]
    few = [replace(execution, state={"p0:a": n}) for n, execution in enumerate(few)]
    executions = [Shown(few[n % 2]) for n in range(100_000)]
    outcomes = [Outcome({"p0:a": n, 'c"<': n % 7}, 1) for n in range(20_000)]
    page = Page(executions, xgen.model("sc"), outcomes, "many", "100000 executions").text()
    assert len(page) < 3_000_000
    opened(browser, tmp_path, page, "execution=99999")
    assert texts(browser, "#name") == ["99,999 / 100,000"]
    browser.press("ArrowDown")
    browser.wait("document.querySelector('#name').innerText === '100,000 / 100,000'")
    assert browser.run("document.querySelectorAll('#outcomes tbody tr').length") == 300
    assert texts(browser, "#more") == ["the first 300 of 20002: search for others"]
    known = browser.run("document.querySelector('#constraints').textContent")
    assert known == f"known for the first {RECORDS} executions"
    assert browser.errors == []


@needs_browser
def test_an_empty_page(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(result_to_html(samples.result(outcomes=(), executions=0), MODEL), encoding="utf-8")
    browser.open(file.as_uri())
    browser.wait("document.querySelector('#drawing').innerText === 'No executions to show.'")
    assert browser.errors == []
