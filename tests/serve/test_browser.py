"""The playground in a real browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from views.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")

READY = "document.querySelector('#sentence').innerText"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of its own."""
    command = [sys.executable, "-m", "xgen", "serve", "--port", "0", "--seconds", "20"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found
    yield found[0]
    os.killpg(server.pid, signal.SIGINT)
    try:
        assert server.wait(20) is not None
    finally:
        server.stdout.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def said(browser: Browser, beginning: str) -> None:
    """Waits until the answer begins so."""
    browser.wait(f"{READY}.startsWith({beginning!r}) && !document.querySelector('#verdict').classList.contains('busy')")


def test_checks_as_one_types(browser: Browser, address: str) -> None:
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run("document.querySelectorAll('.cm-editor').length") == 2
    browser.run("document.querySelector('#models').value = 'sc'")
    browser.run("document.querySelector('#models').dispatchEvent(new Event('change'))")
    said(browser, "Never: sc forbids 0:EAX=0")
    browser.run("document.querySelector('#model .cm-content').focus()")
    browser.ask("Input.insertText", text="nonsense ")
    said(browser, "model, line ")
    assert browser.run("document.querySelector('#whose').innerText") == "yours"
    browser.wait("document.querySelector('.cm-lintRange-error')")
    assert browser.errors == []


def test_what_is_expected_comes_before_the_answer(browser: Browser, address: str) -> None:
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    browser.point("#teach", click=True)
    said(browser, "Can both loads read 0?")
    assert browser.run("document.querySelectorAll('#tab input').length") == 4
    browser.point("#tab-graphs", click=True)
    assert browser.run("document.querySelectorAll('#tab .event').length") == 0
    for name in ("P0:EAX = 0, P1:EAX = 1", "P0:EAX = 1, P1:EAX = 0"):
        browser.run(f"document.querySelector('#tab input[aria-label^=\"{name}\"]').click()")
    browser.run("document.querySelector('#models').value = 'sc'")
    browser.run("document.querySelector('#models').dispatchEvent(new Event('change'))")  # asks anew
    browser.wait("document.querySelectorAll('#tab input:checked').length === 0")
    said(browser, "Can both loads read 0?")
    for name in ("P0:EAX = 0, P1:EAX = 0", "P0:EAX = 1, P1:EAX = 0"):
        browser.run(f"document.querySelector('#tab input[aria-label^=\"{name}\"]').click()")
    browser.point("#tab-outcomes", click=True)
    browser.point("#reveal", click=True)
    said(browser, "Never: sc forbids 0:EAX=0")
    told = browser.run("[...document.querySelectorAll('#tab tbody td.expected')].map((cell) => cell.innerText)")
    assert told == ["yes: it is not possible", "no: look at the graph", "yes ✓", "no: look at the graph"]
    browser.run("document.querySelectorAll('#tab tbody tr')[1].click()")
    browser.wait("document.querySelectorAll('#tab .event').length === 4")
    browser.point("#teach", click=True)
    assert browser.errors == []


def test_tabs(browser: Browser, address: str) -> None:
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run("document.querySelectorAll('#tab tbody tr').length") == 4
    browser.point("#tab-graphs", click=True)
    browser.wait("document.querySelectorAll('#tab .event').length === 4")
    browser.run("document.querySelector('#examples').value = 1")  # with fences
    browser.run("document.querySelector('#examples').dispatchEvent(new Event('change'))")
    said(browser, "Never: tso forbids")
    browser.point("#tab-explain", click=True)
    browser.wait("document.querySelectorAll('#tab ol li').length === 6")
    browser.wait("document.querySelectorAll('#tab .badge').length === 6")
    browser.point("#tab input[value=store_order]", click=True)  # without it, nothing forbids the outcome
    said(browser, "Yes: tso without store_order allows")
    browser.wait("document.querySelector('#tab pre')?.innerText.startsWith('allowed by tso without store_order')")
    assert not browser.run("document.querySelector('#tab input[value=store_order]').checked")
    browser.run("document.querySelector('#examples').value = 8")  # Peterson
    browser.run("document.querySelector('#examples').dispatchEvent(new Event('change'))")
    said(browser, "violation: error location Error reached")
    browser.point("#tab-fences", click=True)
    browser.wait("document.querySelector('#tab pre')?.innerText.includes('minimal placement')")
    assert browser.errors == []


def test_a_link_carries_both_texts(browser: Browser, address: str) -> None:
    """A link with a model of its own is not run before one says so, and markup in it stays text."""
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso")
    browser.run("editors.model.set('<img src=x onerror=\"document.title=1\">'); changed()")
    said(browser, "model, line 1")
    browser.run("editors.model.set('model \"<b>mine\" order = po | rf | mo | fr order acyclic'); changed()")
    said(browser, "Never: <b>mine forbids")
    assert browser.run("document.querySelectorAll('#sentence b, #tab b').length") == 0
    browser.point("#link", click=True)
    browser.wait("location.hash.length > 100")
    link = browser.run("location.href")
    program = browser.run("editors.program.get()")
    browser.open("about:blank")
    browser.open(link)
    browser.wait("!document.querySelector('#run').hidden")
    assert browser.run("editors.program.get()") == program
    assert browser.run(READY) == "a link with a model of its own"
    browser.point("#run", click=True)
    said(browser, "Never: <b>mine forbids")
    assert browser.run("document.title") == "xgen playground"
    browser.open("about:blank")
    browser.open(address + "#broken")
    browser.wait("document.querySelector('#said').innerText === 'the link is broken'")
    assert browser.errors == []


def test_a_phone(browser: Browser, address: str) -> None:
    browser.ask("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=1, mobile=True)
    try:
        browser.open("about:blank")
        browser.open(address)
        said(browser, "Yes: tso")
        assert browser.run("document.documentElement.scrollWidth") <= 390
        assert browser.run("document.querySelector('#sentence').checkVisibility()")  # beside each pane
        browser.point("nav [data-pane=answer]", click=True)
        assert browser.run("document.querySelector('#tab').getBoundingClientRect().width") > 300
        assert browser.run("document.querySelector('#program').getBoundingClientRect().width") == 0
    finally:
        browser.ask("Emulation.clearDeviceMetricsOverride")


def test_hints_are_of_examples_and_tell_no_answer(browser: Browser, address: str) -> None:
    hint = "document.querySelector('#hint').checkVisibility() && document.querySelector('#hint').innerText"
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run(hint) == "Both loads read 0. Try the model sc."
    browser.run("document.querySelector('#teach').click()")
    said(browser, "Can both loads read 0?")
    assert browser.run(hint) is False
    browser.run("document.querySelector('#reveal').click()")
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run(hint) == "Both loads read 0. Try the model sc."
    browser.run("document.querySelector('#program .cm-content').focus()")
    browser.ask("Input.insertText", text=" ")
    browser.wait("document.querySelector('#hint').innerText === ''")
    assert browser.run("document.querySelector('#examples').value") == ""


def shows(browser: Browser, example: int) -> None:
    browser.run(f"document.querySelector('#examples').value = {example}")
    browser.run("document.querySelector('#examples').dispatchEvent(new Event('change'))")


def test_the_graph_of_a_violation_opens_first(browser: Browser, address: str) -> None:
    chosen = "document.querySelector('#tabs [aria-selected=true]').id"
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run(chosen) == "tab-outcomes"
    shows(browser, 8)  # Peterson
    said(browser, "violation: error location Error reached")
    assert browser.run(chosen) == "tab-graphs"
    assert browser.run("document.querySelectorAll('#tab .violation').length") == 1
    groups = browser.run("[...document.querySelectorAll('.numbers span')].map((each) => each.innerText)")
    assert groups == ["violation", "complete", "a thread waits"]
    first = "[...document.querySelectorAll('.numbers > *')].map((each) => each.innerText).slice(0, 2)"
    assert browser.run(first) == ["violation", "1"]
    shows(browser, 9)  # with fences: safe
    said(browser, "safe (model tso")
    assert browser.run(chosen) == "tab-outcomes"
    browser.point("#tab-report", click=True)
    shows(browser, 8)
    said(browser, "violation: error location Error reached")
    assert browser.run(chosen) == "tab-report"
    assert browser.errors == []


def test_words_of_each_language(browser: Browser, address: str) -> None:
    words = "[...new Set([...document.querySelectorAll('#program .tok-keyword')].map((each) => each.innerText))]"
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    assert browser.run(words) == ["exists"]
    shows(browser, 8)
    said(browser, "violation: error location Error reached")
    found = set(browser.run(words))
    assert {"var", "process", "loc", "not"} <= found
    assert not {"flag", "struct", "exists"} & found
    last = browser.run("document.querySelector('#examples').options.length") - 2
    shows(browser, last)  # Peterson in C
    browser.wait("document.querySelector('#program .cm-content').innerText.includes('#include')")
    browser.wait(f"{words}.includes('int')")
    assert not {"flag", "var", "process"} & set(browser.run(words))
    model = words.replace("#program", "#model")
    assert not {"int", "struct"} & set(browser.run(model))


def test_calls_of_a_data_structure(browser: Browser, address: str) -> None:
    """C without a main opens its calls first: a timeline, what cannot be, and the client as C."""
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso")
    browser.point("#tab-calls", click=True)
    browser.wait("document.querySelector('#tab p')?.innerText.startsWith('This is about data structures')")
    text = "#include <stdatomic.h>\\natomic_int x; void put(int v) { x = v; }\\n"
    text += "int take(void) { int v = x; x = 0; return v; }\\n"
    browser.run(f"editors.program.set('{text}'); changed()")
    said(browser, "not linearizable: no order of the calls explains")
    assert browser.run("document.querySelector('#models').value") == "rc11"  # it was tso, for a litmus test
    browser.wait("document.querySelector('#tab img')?.naturalWidth > 100")
    assert browser.run("document.querySelector('#tab pre').innerText").startswith("not linearizable: ")
    assert browser.run("document.querySelector('#tab details pre').textContent").startswith("#include <stdatomic.h>")
    browser.point("#tab-graphs", click=True)
    browser.wait("document.querySelectorAll('#tab .event').length > 4")
    assert browser.errors == []


def test_options(browser: Browser, address: str) -> None:
    """C is asked about on a machine, within bounds; notes are below the verdict; a link carries what was chosen."""
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    shown = "document.querySelector('#{}').checkVisibility()"
    assert browser.run(shown.format("options")) is False  # of a litmus test
    shows(browser, 8)  # Peterson
    said(browser, "violation: error location Error reached")
    assert (browser.run(shown.format("options")), browser.run(shown.format("machines"))) == (True, False)
    browser.run("document.querySelector('#max_depth').value = 3")
    browser.run("document.querySelector('#max_depth').dispatchEvent(new Event('input'))")
    said(browser, "no execution completes within the bound")
    browser.run("document.querySelector('#max_depth').value = ''")
    browser.run("document.querySelector('#max_depth').dispatchEvent(new Event('input'))")
    last = browser.run("document.querySelector('#examples').options.length") - 3
    shows(browser, last)  # Peterson in C
    said(browser, "safe (model rc11)")
    assert browser.run(shown.format("machines")) is True
    browser.run("document.querySelector('#on').value = 'armv8'")
    browser.run("document.querySelector('#on').dispatchEvent(new Event('change'))")
    said(browser, "safe (model arm8)")
    assert browser.run("document.querySelector('#models').value") == "arm8"
    browser.run("document.querySelector('#on').value = ''")
    browser.run("document.querySelector('#models').value = 'tso'")
    browser.run("document.querySelector('#models').dispatchEvent(new Event('change'))")
    browser.wait(f"{READY}.includes(': the model tso does not know `memory_order_seq_cst` of a write')")
    browser.run("document.querySelector('#on').value = 'none'")
    browser.run("document.querySelector('#on').dispatchEvent(new Event('change'))")
    said(browser, "violation: data race on shared")
    browser.run("document.querySelector('#on').value = ''")
    browser.run("document.querySelector('#on').dispatchEvent(new Event('change'))")
    browser.run("document.querySelector('#liveness').click()")
    said(browser, "safe, and no thread waits for ever (model rc11)")
    browser.point("#link", click=True)
    browser.wait("location.hash.length > 10")
    link = browser.run("location.href")
    browser.open("about:blank")
    browser.open(link)
    said(browser, "safe, and no thread waits for ever (model rc11)")
    assert browser.run("document.querySelector('#liveness').checked") is True
    assert browser.errors == []


def test_few_variables_are_asked_about(browser: Browser, address: str) -> None:
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    shows(browser, 8)
    said(browser, "violation: error location Error reached")
    browser.point("#teach", click=True)
    said(browser, "How can the two processes end?")
    heads = "[...document.querySelectorAll('#tab th')].map((each) => each.innerText)"
    assert len(browser.run(heads)) == 5
    assert browser.run(heads)[0] == "expected"
    browser.run("document.querySelector('#columns input:checked').click()")
    browser.wait(f"{heads}.length === 4")
    assert browser.run("document.querySelectorAll('#columns input:not([disabled])').length > 4") is True
    browser.point("#teach", click=True)
    assert browser.errors == []


def test_arrows_move_between_tabs(browser: Browser, address: str) -> None:
    browser.open("about:blank")
    browser.open(address)
    said(browser, "Yes: tso allows 0:EAX=0")
    browser.run("document.querySelector('#tab-outcomes').focus()")
    for key, name in (
        ("ArrowRight", "graphs"),
        ("ArrowLeft", "outcomes"),
        ("ArrowLeft", "report"),
        ("Home", "outcomes"),
    ):
        browser.run(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }}))")
        assert browser.run("document.activeElement.id") == f"tab-{name}"
        assert browser.run("document.querySelector('#tabs [aria-selected=true]').id") == f"tab-{name}"
