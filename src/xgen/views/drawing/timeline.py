"""The calls of a client as a timeline in SVG: a row for each thread, a bar for each call, flags as arrows.

There is no time that all threads share: a bar begins behind all that comes before its call, and reaches to the first
call that comes after it. Calls that nothing orders stand above each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xgen.records import dataclass
from xgen.views.drawing.labels import label_width
from xgen.views.drawing.svg import SIGNATURE, escape, style_sheet

ROW, BAR, GAP, MARGIN, NAME = 46, 28, 26, 16, 84
"""Heights of rows and of bars, what is left free between bars, around all, and for the names of rows."""


@dataclass(frozen=True)
class Bar:
    """A call: the number of its row, what is written in it, and whether it is one that cannot be right."""

    row: int
    text: str
    wrong: bool


@dataclass(frozen=True)
class Timeline:
    """What is drawn. `order`: pairs of bars of which the one ends before the other begins; `flags`: those of them that
    the client sees to; `title` and `note` are written above and below."""

    title: str
    note: str
    rows: Sequence[str]
    bars: Sequence[Bar]
    order: Sequence[tuple[int, int]]
    flags: Sequence[tuple[int, int]]


def timeline_to_svg(timeline: Timeline) -> str:
    """A timeline as one `<svg>` element with its style sheet."""
    bars = timeline.bars
    column = _columns(timeline)
    widths = _widths(timeline, column)
    left = [MARGIN + NAME + sum(widths[:n]) for n in range(len(widths) + 1)]
    ends = {n: min([column[b] for a, b in timeline.order if a == n], default=len(widths)) for n in range(len(bars))}
    top = MARGIN + 30
    height = top + ROW * len(timeline.rows) + 30
    width = max([left[-1] + MARGIN, *(2 * MARGIN + label_width(t) for t in (timeline.title, timeline.note))])
    size = f'width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}"'
    parts = [
        f'{SIGNATURE} role="img" {size}>',
        f"<title>{escape(timeline.title)}</title>",
        f"<desc>{escape(_description(timeline))}</desc>",
        f"<style>\n{style_sheet()}</style>",
        f'<rect class="paper" width="{width:.0f}" height="{height}"/>',
        f'<text class="caption" x="{MARGIN}" y="{MARGIN + 12}">{escape(timeline.title)}</text>',
    ]
    for number, name in enumerate(timeline.rows):
        y = top + ROW * number
        parts.append(
            f'<rect class="frame" x="{MARGIN}" y="{y}" width="{left[-1] - MARGIN:.0f}" height="{ROW - 6}" rx="5"/>'
        )
        parts.append(f'<text class="name" x="{MARGIN + 10}" y="{y + 25}">{escape(name)}</text>')
    for number, bar in enumerate(bars):
        x, y = left[column[number]], top + ROW * bar.row + 6
        long = left[ends[number]] - x - GAP
        kind = "violation" if bar.wrong else "event"
        parts.append(
            f'<g class="{kind}"><rect class="box" x="{x:.0f}" y="{y}" width="{long:.0f}" height="{BAR}" rx="5"/>'
        )
        parts.append(f'<text x="{x + 9:.0f}" y="{y + 19}">{escape(bar.text)}</text></g>')
    for a, b in timeline.flags:
        x, y = left[ends[a]] - GAP, top + ROW * bars[a].row + 6 + BAR // 2
        to, down = left[column[b]], top + ROW * bars[b].row + 6 + BAR // 2
        middle = (x + to) / 2
        curve = f"M{x:.0f} {y} C{middle:.0f} {y} {middle:.0f} {down} {to - 7:.0f} {down}"
        head = f"M{to:.0f} {down} l-8 -4 v8 z"
        parts.append(f'<g class="relation rf"><path d="{curve}"/><path class="head" d="{head}"/></g>')
    parts.append(f'<text class="aside" x="{MARGIN}" y="{height - MARGIN + 4}">{escape(timeline.note)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _columns(timeline: Timeline) -> Mapping[int, int]:
    """For each bar the length of the longest way to it, by what comes before what."""
    found = dict.fromkeys(range(len(timeline.bars)), 0)
    for _ in timeline.bars:
        for a, b in timeline.order:
            found[b] = max(found[b], found[a] + 1)
    return found


def _widths(timeline: Timeline, column: Mapping[int, int]) -> list[float]:
    """The widths of columns: each text has room in the column in which its bar begins."""
    found = [0.0] * (max(column.values(), default=0) + 1)
    for number, bar in enumerate(timeline.bars):
        found[column[number]] = max(found[column[number]], label_width(bar.text) + 18 + GAP)
    return found


def _description(timeline: Timeline) -> str:
    """The rows in words."""
    said = []
    for number, name in enumerate(timeline.rows):
        calls = [bar.text for bar in timeline.bars if bar.row == number]
        said.append(f"{name}: {', then '.join(calls)}.")
    flags = [f"{timeline.bars[a].text} has returned before {timeline.bars[b].text} starts." for a, b in timeline.flags]
    return " ".join([*said, *flags, timeline.note])
