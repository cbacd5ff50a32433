"""Pages that only show something: a heading, a sentence, and drawings and programs below."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence

from xgen.resources import package_text
from xgen.views.drawing.svg import escape, style_sheet

CONTEXT = 3
"""Lines that are shown around those that are marked."""
FOLDED = 6
"""Fewer other lines are not folded."""
SCRIPTS = ("stage.js", "report.js")

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def fill_report(title: str, heading: str, sentence: str, body: str) -> str:
    """The page; all but the body, which is HTML, are texts. Nothing in it comes from elsewhere."""
    script = "\n".join(package_text(f"views/pages/{name}") for name in SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    values = {
        "title": escape(title),
        "heading": escape(heading),
        "sentence": escape(sentence),
        "body": body,
        "drawing": style_sheet() + package_text("views/drawing/run.css"),
        "policy": f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:",
        "script": script,
    }
    return _PLACE.sub(lambda match: values[match[1]], package_text("views/pages/report.html"))


def stage(drawing: str) -> str:
    """A drawing that fits and can be zoomed."""
    return f'<div class="stage" tabindex="0" role="group" aria-label="drawing">{drawing}</div>'


def html_of(line: str) -> str:
    """A part of a line of a program as HTML."""
    return escape(line.replace("\t", "    "))


def program_text(lines: Sequence[tuple[str, bool]]) -> str:
    """The lines of a program, as HTML, with those that are marked; what is far from these is folded."""
    return f'<div class="code">{"".join(_folded(lines))}</div>'


def _folded(lines: Sequence[tuple[str, bool]]) -> Iterator[str]:
    near = [any(marked for _, marked in lines[max(0, n - CONTEXT) : n + CONTEXT + 1]) for n in range(len(lines))]
    first = 0
    while first < len(lines):
        last = first
        while last + 1 < len(lines) and near[last + 1] == near[first]:
            last += 1
        text = "".join(_line(n + 1, *lines[n]) for n in range(first, last + 1))
        if near[first] or last - first < FOLDED or not any(near):
            yield text
        else:
            yield f'<details class="more"><summary>lines {first + 1} to {last + 1}</summary>{text}</details>'
        first = last + 1


def _line(number: int, html: str, marked: bool) -> str:
    look = "line changed" if marked else "line"
    return f'<span class="{look}" data-line="{number}"><span class="number">{number}</span>{html}</span>'
