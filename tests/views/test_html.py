"""The page: what it holds, that it needs nothing else, and, in a real browser, that it does what it should."""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as xml
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import xgen
from views import samples
from views.browser import CHROMIUM, Browser
from xgen.executions.result import Outcome
from xgen.memory.evaluate import Evaluator
from xgen.resources import shipped
from xgen.views.html import CHUNK, Page, Shown, drawn_pairs, result_to_html

MODEL = xgen.model("tso")


def data_of(page: str) -> Any:
    """What the page knows before any drawing is unpacked."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def records_of(page: str) -> list[Any]:
    """All that is packed."""
    chunks = re.findall(r'<script type="text/plain" id="chunk-\d+">(.*?)</script>', page)
    return [record for chunk in chunks for record in json.loads(zlib.decompress(base64.b64decode(chunk)))]


def checked(name: str, model: str, **options: Any) -> str:
    memory_model = xgen.model(model)
    program = xgen.load(shipped("programs") / f"{name}.xcfa")
    return result_to_html(xgen.check(program, memory_model, dependencies=True, **options), memory_model)


def test_outcomes_with_their_executions() -> None:
    page = checked("sb_fenced", "weak", all_states=True)
    data, records = data_of(page), records_of(page)
    assert [(group["count"], len(group["executions"])) for group in data["groups"]] == [(1, 1)] * 3
    assert sorted(n for group in data["groups"] for n in group["executions"]) == [1, 2, 3]
    assert len(records) == len(data["executions"]) == 3
    for number, group in enumerate(data["executions"]):
        state = data["groups"][group]["state"]
        assert records[number]["state"] == ", ".join(f"{name} = {value}" for name, value in state.items())
        assert records[number]["holds"] == [True, True, True]
    assert data["names"] == ["p0:a", "p1:b", "x", "y"]
    assert [c["name"] for c in data["constraints"]] == ["coherence", "causality", "fence_order"]


def test_relations_by_the_models_names() -> None:
    data = data_of(checked("peterson", "tso", all_states=True))
    names = [relation["name"] for relation in data["relations"]]
    assert names == ["po", "rf", "mo", "fr", "ctrl", "per_location", "ppo", "fenced", "global"]
    assert data["shown"] == ["po", "rf", "mo", "fr"]


def test_the_violating_execution_comes_first_and_is_chosen() -> None:
    page = checked("peterson", "tso")
    data = data_of(page)
    assert data["groups"][data["executions"][data["first"] - 1]]["bad"]
    assert "data-relation" in records_of(page)[data["first"] - 1]["svg"]


def test_executions_that_are_not_complete_have_rows_of_their_own() -> None:
    data = data_of(checked("peterson", "sc", all_states=True))
    rows = [(group["remark"], group["state"]) for group in data["groups"] if group["remark"]]
    assert rows == [("blocked", {})]


def test_the_page_needs_nothing_else() -> None:
    page = checked("cow2r", "weak-a9", all_states=True)
    without_names = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"https?:|\ssrc=|@import|url\(|<link", without_names)


def test_names_are_escaped() -> None:
    awkward = samples.awkward_names()
    result = samples.violated(program='</script><b>"x"&', witness=awkward, traces=(awkward,))
    page = result_to_html(result, MODEL)
    assert "<b>" not in page.replace('<b id="', "")
    assert "&lt;/script&gt;&lt;b&gt;&quot;x&quot;&amp; under tso" in page
    assert page.count("</script>") == 3  # the data, one chunk, the program of the page
    assert 'L<1>\\"' not in page
    drawn = xml.fromstring(records_of(page)[0]["svg"])
    assert 'P "q" <r> \\' in ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_no_executions() -> None:
    data = data_of(result_to_html(samples.result(outcomes=(), executions=0), MODEL))
    assert (data["executions"], data["groups"], data["source"]) == ([], [], [])


def test_drawings_are_packed_a_few_at_a_time() -> None:
    shown = [Shown(samples.random_execution(seed, 3, 9)) for seed in range(2 * CHUNK + 1)]
    page = Page(shown, MODEL, (), "random", "many").text()
    assert page.count('type="text/plain"') == 3
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


needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def opened(browser: Browser, folder: Path, page: str, fragment: str = "") -> str:
    """Shows a page; its address."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.open("about:blank")
    browser.open(f"{file.as_uri()}#{fragment}")
    return file.as_uri()


def is_shown(browser: Browser, selector: str) -> bool:
    return bool(browser.run(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().width > 0"))


@needs_browser
def test_choosing_an_outcome(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("sb_fenced", "any", all_states=True))
    browser.wait("document.querySelector('#drawing svg')")
    rows = browser.run("[...document.querySelectorAll('#outcomes tbody tr')].map(row => row.innerText)")
    assert len(rows) == 4
    browser.point("#outcomes tbody tr:nth-child(4)", click=True)
    browser.wait("document.querySelector('#outcomes tr[aria-selected=true]').rowIndex === 4")
    values = rows[3].split()[1:]
    assert [v.split(" = ")[1] for v in browser.run("document.querySelector('#state').innerText").split(", ")] == values
    assert "execution=" in browser.run("location.hash")
    assert browser.errors == []


@needs_browser
def test_filtering(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("sb_fenced", "any", all_states=True))
    browser.wait("document.querySelector('#drawing svg')")
    browser.run(
        """(() => { const choice = document.querySelector("select[data-name='p0:a']"); choice.value = "1";
        choice.dispatchEvent(new Event("change")); })()"""
    )
    assert browser.run("document.querySelectorAll('#outcomes tbody tr').length") == 2
    browser.wait("document.querySelector('#state').innerText.startsWith('p0:a = 1')")


@needs_browser
def test_switching_relations_and_following_a_link(browser: Browser, tmp_path: Path) -> None:
    address = opened(browser, tmp_path, checked("peterson", "tso", all_states=True))
    browser.wait("document.querySelector('#drawing svg')")
    assert is_shown(browser, "#drawing [data-relation=rf]")
    assert not is_shown(browser, "#drawing [data-relation=global]")
    browser.point("#switches input[value=rf]", click=True)
    browser.point("#switches input[value=global]", click=True)
    browser.wait("location.hash.includes('relations=po,mo,fr,global')")
    assert not is_shown(browser, "#drawing [data-relation=rf]")
    assert is_shown(browser, "#drawing [data-relation=global]")
    before = browser.run("document.querySelector('#name').innerText")
    link = browser.run("location.href")
    browser.open("about:blank")
    browser.open(link)
    browser.wait("document.querySelector('#drawing svg')")
    assert browser.run("document.querySelector('#name').innerText") == before
    assert is_shown(browser, "#drawing [data-relation=global]")
    browser.run(f"location.assign({json.dumps(address + '#execution=2&step=3&relations=rf')})")
    browser.wait("document.querySelector('#steps').innerText.startsWith('3 of ')")
    assert not is_shown(browser, "#drawing [data-relation=po]")
    assert browser.errors == []


@needs_browser
def test_stepping_with_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("cow2r", "weak-a9", all_states=True), "execution=1")
    browser.wait("document.querySelector('#drawing svg')")
    seen = "[...document.querySelectorAll('#drawing [data-event]')].filter(e => e.getBoundingClientRect().width).length"
    whole = browser.run(seen)
    browser.press("ArrowLeft")
    browser.wait(f"{seen} === {whole - 1}")
    assert browser.run("document.querySelectorAll('#drawing .violation:not(.later)').length") == 0
    browser.press("ArrowRight")
    browser.wait(f"{seen} === {whole}")
    browser.press("ArrowDown")
    browser.wait("location.hash === '#execution=2'")
    browser.press("ArrowUp")
    browser.wait("location.hash === '#execution=1'")


@needs_browser
def test_the_event_under_the_mouse_and_its_line(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, checked("cow2r", "weak-a9", all_states=True))
    browser.wait("document.querySelector('#drawing svg')")
    browser.point("#drawing [data-event='1:0']")
    line = browser.run("document.querySelector(\"#drawing [data-event='1:0']\").dataset.line")
    browser.wait("document.querySelectorAll('#source .lit').length === 1")
    assert browser.run("document.querySelector('#source .lit').getAttribute('value')") == line
    assert browser.run("document.querySelectorAll('#drawing .touched').length") >= 2  # its rf and its po
    browser.point(f"#source li[value='{line}']")
    browser.wait("[...document.querySelectorAll('#drawing .lit')].map(e => e.dataset.event).join() === '1:0'")


@needs_browser
def test_many_executions(browser: Browser, tmp_path: Path) -> None:
    """Of a hundred thousand executions with as many outcomes, a thousand are drawn; odd names do no harm."""
    few = [samples.random_execution(seed, 2, 5) for seed in range(30)]
    shown = [Shown(few[n % 30]) for n in range(990)] + [Shown(samples.awkward_names())] * 10
    outcomes = [Outcome({"a<b>": n, 'c"': n % 7}, 1) for n in range(100_000)]
    opened(browser, tmp_path, Page(shown, MODEL, outcomes, "many", "100000 executions").text(), "execution=995")
    browser.wait("document.querySelector('#drawing svg')")
    assert browser.run("document.querySelector('#name').innerText") == "execution 995 of 1000"
    assert "R größe = false a&b" in browser.run("document.querySelector('#drawing').textContent")
    assert browser.run("document.querySelectorAll('#outcomes tbody tr').length") == 500
    assert "more" in browser.run("document.querySelector('#more').innerText")
    assert browser.errors == []


@needs_browser
def test_an_empty_page(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, result_to_html(samples.result(outcomes=(), executions=0), MODEL))
    browser.wait("document.querySelector('#drawing').innerText === 'No executions to show.'")
    assert browser.errors == []
