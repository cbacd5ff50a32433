"""Drawings and pages of executions: what people wait for, in Python and in a browser.

    python benchmarks/drawings.py > drawings.csv
    python benchmarks/drawings.py --executions 10000 --repeat 5 > drawings.csv

The columns: `what` is done, by whom (`where`: python or browser), to something of `threads` and `events` (of pages:
`executions`), `repeat` times; the mean and the worst `seconds`, in Python of the processor. `kib`: how large a page is,
`heap_mib` what its scripts hold. Drawings are of executions at random (tests/views/samples.py), which have more edges
than those of programs: all writes of a variable in one order, a read anywhere.

The page has the first executions of a program in which each thread writes and reads. `make` is in Python, from
executions to text; `open` from nothing to what is drawn, `jump` to an execution somewhere in the page, `search` through
its outcomes with the table drawn anew. The browser is Chromium, where there is one on PATH.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from harness import write

import xgen
from xgen.executions.execution import Execution
from xgen.resources import package_text
from xgen.views.drawing.layout import arrange
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.svg import picture_to_svg
from xgen.views.pages.html import Page, Shown

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from views import samples
from views.browser import CHROMIUM, Browser

SIZES = ((2, 20), (4, 60), (12, 60), (4, 200), (12, 200), (12, 500))
THREADS = 8
PROGRAM = f"var x : int process w[{THREADS}](me) {{ var r : int me -> x; r <- x; }}"
FIELDS = ("what", "where", "threads", "events", "executions", "repeat", "mean", "worst", "kib", "heap_mib")
Row = Mapping[str, object]


def row(what: str, where: str, times: list[float], **more: object) -> Row:
    """A row of the table, of what was taken each time."""
    mean, worst = f"{sum(times) / len(times):.4f}", f"{max(times):.4f}"
    return {"what": what, "where": where, "repeat": len(times), "mean": mean, "worst": worst, **more}


def drawn(repeat: int, browser: Browser | None) -> Iterator[Row]:
    """Drawings of executions at random, in Python and in a page."""
    if browser:
        browser.open("about:blank")
        browser.run(package_text("views/pages/draw.js").replace("const Draw", "window.Draw"))
    for threads, events in SIZES:
        python, page = [], []
        for seed in range(repeat):
            execution = samples.random_execution(seed, threads, events)
            start = time.process_time()
            picture_to_svg(picture_of(execution))
            python.append(time.process_time() - start)
            if browser:
                page.append(_in_browser(browser, execution))
        yield row("draw", "python", python, threads=threads, events=events)
        if browser:
            yield row("draw", "browser", page, threads=threads, events=events)


def _in_browser(browser: Browser, execution: Execution) -> float:
    """The seconds of a drawing in a page, with its layout, put into the page."""
    picture = json.dumps(picture_of(execution).data())
    script = f"""(() => {{ const picture = {picture}, start = performance.now();
        document.body.innerHTML = Draw.draw(picture).text; document.body.getBoundingClientRect();
        return performance.now() - start; }})()"""
    return float(browser.run(script)) / 1000


def pages(count: int, repeat: int, browser: Browser | None) -> Iterator[Row]:
    """A page of so many executions."""
    model = xgen.model("tso")
    found = list(islice(xgen.executions(xgen.parse(PROGRAM), model), count))
    start = time.process_time()
    text = Page(map(Shown, found), model, (), "many", "many").text()
    taken = time.process_time() - start
    about = {"threads": THREADS, "events": 2 * THREADS, "executions": len(found)}
    yield row("make", "python", [taken], kib=len(text) // 1024, **about)
    if browser is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(text, encoding="utf-8")
        opening = [_opened(browser, file) for _ in range(repeat)]
        heap = browser.ask("Runtime.getHeapUsage")["usedSize"] / 2**20
        yield row("open", "browser", opening, heap_mib=f"{heap:.1f}", **about)
        rng = random.Random(1)
        jumps = [_timed(browser, f"go({{ execution: {rng.randint(1, len(found))} }})") for _ in range(repeat)]
        yield row("jump", "browser", jumps, **about)
        words = [f"w[{n % THREADS}]:r = {rng.randrange(THREADS)} and x > {n % 4}" for n in range(repeat)]
        searches = [_timed(browser, f"($('search').value = {json.dumps(word)}, search())") for word in words]
        yield row("search", "browser", searches, **about)


def _opened(browser: Browser, file: Path) -> float:
    """Seconds from nothing to a drawing."""
    browser.open("about:blank")
    start = time.monotonic()
    browser.open(file.as_uri())
    browser.wait("document.querySelector('#drawing svg')")
    return time.monotonic() - start


def _timed(browser: Browser, script: str) -> float:
    """The seconds of what the page does, with what it shows then."""
    measured = f"""(async () => {{ const start = performance.now(); await {script};
        document.body.getBoundingClientRect(); return performance.now() - start; }})()"""
    return float(browser.run(measured)) / 1000


def measured(count: int, repeat: int) -> Iterator[Row]:
    """All rows."""
    arrange(picture_of(samples.random_execution(0, 2, 8)))  # what is imported only then
    if CHROMIUM is None:
        yield from (*drawn(repeat, None), *pages(count, repeat, None))
        return
    with tempfile.TemporaryDirectory() as profile, Browser(Path(profile)) as browser:
        yield from drawn(repeat, browser)
        yield from pages(count, repeat, browser)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure drawings and pages; CSV on standard output.")
    parser.add_argument("--executions", type=int, default=100_000, help="how many a page has")
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    write(FIELDS, measured(options.executions, options.repeat))


if __name__ == "__main__":
    main()
