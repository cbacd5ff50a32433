"""An execution as SVG, drawn by us: threads as columns, each relation with its own look.

Relations differ in colour, in dashes and in arrow heads, so that they survive a black-and-white print; what is
highlighted also lies on a wide band, with the number of its step. Colours follow the viewer's light or dark scheme.
Every rule of the style sheet is about what is inside of `.xgen-drawing`: a drawing can stand in any page, or several
of them. `draw.js` writes the same text, for pages.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from xgen.executions.execution import Execution
from xgen.resources import package_text
from xgen.views.drawing.boxes import LEADS, WRONG
from xgen.views.drawing.labels import label_width, text_width
from xgen.views.drawing.layout import (
    CHARACTER,
    FURTHER,
    LINE,
    LONGEST,
    MARGIN,
    SMALL,
    Area,
    Bundle,
    Layout,
    Point,
    arrange,
)
from xgen.views.drawing.picture import DEPENDENCIES, SHOWN, Item, Pairs, Picture
from xgen.views.drawing.picturing import picture_of

SIGNATURE = '<svg xmlns="http://www.w3.org/2000/svg" class="xgen-drawing"'
"""How every drawing begins: by it xgen knows its own files."""
CORNER = 9
"""The radius of corners, in pixels."""
KINK = 18
"""Shorter ways from side to side are drawn as one bend."""
BLANK = "\u00a0"
"""Between the parts of a title: some viewers leave out other blanks there."""
LEGEND_CHARACTER = 6
LEGEND_WIDTH = 420


def execution_to_svg(
    execution: Execution,
    *,
    show: Collection[str] | None = None,
    highlight: Iterable[tuple[str, int, int]] = (),
    relations: Mapping[str, Pairs] | None = None,
    dependencies: bool = False,
) -> str:
    """The execution as one `<svg>` element with its style sheet.

    show          the relations that are drawn, and `init` and `implied` (`picture.EXTRAS`); None: `picture.SHOWN`
    highlight     edges that matter, such as those of a cycle: (relation, from, to); drawn even if `show` has them not
    relations     pairs of relations that are not base relations, by their names, as far as `show` has them
    dependencies  draw addr, data and ctrl too, as far as they are known
    """
    wanted = tuple(SHOWN if show is None else show) + (DEPENDENCIES if dependencies else ())
    return picture_to_svg(picture_of(execution, wanted, tuple(highlight), relations))


def picture_to_svg(picture: Picture) -> str:
    """A picture as one `<svg>` element with its style sheet."""
    layout = arrange(picture)
    if layout.left_out:
        count = len(picture.edges)
        picture = picture.with_notice(f"{count - layout.left_out} of {count} edges are drawn: there are too many")
        layout = arrange(picture)
    legend = _legend(picture, layout)
    width, height = max(layout.width, legend[1]), layout.height + legend[2]
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'{SIGNATURE} role="img" {size}>',
        f"<title>{escape(picture.caption)}</title>",
        f"<desc>{escape(description(picture))}</desc>",
        f"<style>\n{style_sheet()}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *drawing(picture, layout),
        *legend[0],
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def description(picture: Picture) -> str:
    """The drawing in words, for those who do not see it."""
    parts = []
    called = []
    for column in picture.columns:
        happened = [" ".join([item.whole, *item.chips]) for item in column.items]
        parts.append(f"{column.name}: {', then '.join(happened)}.")
        called += [f"{column.name}'s {item.whole}" for item in column.items]
    if picture.quiet:
        parts.append(f"{picture.quiet}.")
    parts += [f"{edge.relation} from {called[edge.a]} to {called[edge.b]}." for edge in picture.edges]
    return " ".join(parts)


def style_sheet() -> str:
    """The rules that a page needs to show drawings."""
    return package_text("views/drawing/drawing.css")


@lru_cache(maxsize=1 << 14)
def escape(text: str) -> str:
    """A text inside of an element or an attribute; what XML cannot hold becomes a question mark."""
    printable = text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)
    for char, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        printable = printable.replace(char, name)
    return printable


def arrow_head(before: tuple[float, float], tip: tuple[float, float]) -> str:
    """The filled head of an arrow that ends at a point, wherever it comes from."""
    length = math.hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    dx, dy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    x, y = tip[0] - 8 * dx, tip[1] - 8 * dy
    one, two = (x - 3.4 * dy, y + 3.4 * dx), (x + 3.4 * dy, y - 3.4 * dx)
    shape = f"M{one[0]:.1f} {one[1]:.1f}L{tip[0]:.0f} {tip[1]:.0f}L{two[0]:.1f} {two[1]:.1f}"
    return f'<path class="head" d="{shape}Z"/>'


# --- what draw.js writes, too ---


def drawing(picture: Picture, layout: Layout) -> list[str]:
    """The drawing without legend and paper, as lines."""
    items = [item for column in picture.columns for item in column.items]
    body = [
        *_header(picture),
        *_columns(picture, layout),
        *(_program_order(picture, layout, items) if picture.po else ()),
    ]
    body += _frames(picture, layout)
    body += [_box(item, layout.boxes[n], layout.compact, n in picture.hot) for n, item in enumerate(items)]
    return [*body, *_relations(picture, layout, items), *_badges(layout)]


def _header(picture: Picture) -> list[str]:
    lines, y = [], MARGIN + 12
    if picture.caption:
        parts = [f'<tspan class="name">{escape(picture.name)}</tspan>']
        for look, text in (("fault", picture.fault), ("aside", picture.aside)):
            parts += [f'<tspan class="{look}">{BLANK}{escape(text)}</tspan>'] if text else []
        lines.append(f'<text class="caption" x="{MARGIN}" y="{y}">{"".join(parts)}</text>')
        y += 24
    for text in (picture.quiet, picture.notice):
        if text:
            lines.append(f'<text class="aside" x="{MARGIN}" y="{y}">{escape(text)}</text>')
            y += LINE
    return lines


def _columns(picture: Picture, layout: Layout) -> list[str]:
    lines = []
    for column, (x, y, width, height) in zip(picture.columns, layout.columns, strict=True):
        lines.append(f'<rect class="frame" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>')
        lines.append(f'<text class="thread" x="{x + width // 2}" y="{y + 19}">{escape(column.name)}</text>')
    return lines


def _frames(picture: Picture, layout: Layout) -> list[str]:
    lines = []
    for frame, (x, y, width, height) in zip(picture.frames, layout.frames, strict=True):
        kind = "round" if frame.text == "again and again" else "loop" if frame.text.startswith("line ") else "block"
        area = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>'
        lines.append(f'<g class="{kind}">{area}<text x="{x + 6}" y="{y + 10}">{escape(frame.text)}</text></g>')
    return lines


def _program_order(picture: Picture, layout: Layout, items: list[Item]) -> list[str]:
    """The arrows from each event of a thread to the next, and to what stands below the last."""
    hot = {edge.b: edge.step for edge in picture.steps}
    lines, first = [], 0
    for column in picture.columns:
        for b in range(first + 1, first + len(column.items)):
            if items[b].kind in ("initial", "more"):
                continue
            x, y, width, height = layout.boxes[b - 1]
            middle, top, end = x + width // 2, y + height, layout.boxes[b][1]
            way = f"M{middle} {top}V{end}"
            look = f' class="hot" data-story="{hot[b]}"' if b in hot else ""
            parts = [f'<path class="band" d="{way}"/>'] if b in hot else []
            parts.append(f'<path d="{way}"/>')
            if end - top > 12:
                parts.append(f'<path class="head" d="M{middle - 3} {end - 6}L{middle} {end}L{middle + 3} {end - 6}Z"/>')
            ends = f'data-from="{escape(items[b - 1].id)}" data-to="{escape(items[b].id)}"'
            lines.append(f"<g{look} {ends}>{''.join(parts)}</g>")
        first += len(column.items)
    return ['<g class="relation po" data-relation="po">', *lines, "</g>"] if lines else []


def _box(item: Item, area: Area, compact: bool, hot: bool) -> str:
    x, y, width, height = area
    look = f"event {item.kind}" if item.kind not in ("violation", "end", "more") else item.kind
    look += " wrong" if item.wrong else ""
    line = f' data-line="{item.line}"' if item.line else ""
    head = f'<g class="{look}{" hot" if hot else ""}" data-event="{escape(item.id)}" data-step="{item.step}"{line}>'
    corner = 9 if item.kind == "initial" else 4
    parts = [
        f"<title>{escape(item.title)}</title>",
        f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}"/>',
    ]
    one_line = compact or not item.small
    middle, lower = y + height // 2, FURTHER // 2 * len(item.more)
    base = (middle + 5 if one_line else middle - 3) - lower
    if compact:
        left = x + 8
        if item.shown_line:
            kind = "number" if item.line else "number other"
            parts.append(f'<text class="{kind}" x="{x + 24}" y="{base - 1}">{item.shown_line}</text>')
            left += 24
    else:
        left = x + (width - item.first_width(False)) // 2
    first = left
    parts.append(f'<text class="first" x="{first}" y="{base}">{escape(item.text)}</text>')
    left += CHARACTER * text_width(item.text) + 6
    for chip in item.chips:
        wide = SMALL * text_width(chip) + 10
        kind = f"chip {chip.partition(' ')[0]}" if chip in ("init", LEADS, WRONG) else "chip"
        parts.append(f'<rect class="{kind}" x="{left}" y="{base - 11}" width="{wide}" height="14" rx="7"/>')
        parts.append(f'<text class="chip" x="{left + wide // 2}" y="{base}">{escape(chip)}</text>')
        left += wide + 6
    for number, text in enumerate(item.more, 1):
        start = first if compact else x + (width - CHARACTER * text_width(text)) // 2
        parts.append(f'<text class="first" x="{start}" y="{base + FURTHER * number}">{escape(text)}</text>')
    if not one_line:
        small = escape(cut(item.small, min(LONGEST, width - 12) // SMALL))
        parts.append(f'<text class="small" x="{x + width // 2}" y="{middle + 13 + lower}">{small}</text>')
    return head + "".join(parts) + "</g>"


def cut(text: str, most: int) -> str:
    """A text of so many characters at most."""
    kept = list(text)
    if text_width(text) <= most:
        return text
    while text_width("".join(kept)) > most - 1:
        kept.pop()
    return "".join(kept) + "…"


def _relations(picture: Picture, layout: Layout, items: list[Item]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for bundle in [b for b in layout.bundles if not b.step] + [b for b in layout.bundles if b.step]:
        faint = picture.highlighted and not bundle.step
        text = _bundle(bundle, picture.looks[bundle.relation], items)
        groups.setdefault(bundle.relation, []).append(f'<g class="bundle{" faint" if faint else ""}">{text}</g>')
    lines = []
    for name, bundles in groups.items():
        lines += [f'<g class="relation {picture.looks[name]}" data-relation="{escape(name)}">', *bundles, "</g>"]
    return lines


def _bundle(bundle: Bundle, look: str, items: list[Item]) -> str:
    parts = []
    for other, way in zip(bundle.others, bundle.ways, strict=True):
        a, b = (bundle.anchor, other) if bundle.forward else (other, bundle.anchor)
        path = curve(way) if bundle.curved else corners(way)
        band = f'<path class="band" d="{path}"/>' if bundle.step else ""
        tip, inner = (way[-1], way[-2]) if bundle.forward else (way[0], way[1])
        hot = f' class="hot" data-story="{bundle.step}"' if bundle.step else ""
        ends = f'data-from="{escape(items[a].id)}" data-to="{escape(items[b].id)}"'
        parts.append(f'<g{hot} {ends}>{band}<path d="{path}"/>{_head(look, tip, 1 if inner[0] < tip[0] else -1)}</g>')
    if bundle.label and not bundle.step:
        place = f'x="{bundle.label[0]}" y="{bundle.label[1] + 4}"'
        # Twice, since not all that draws SVG knows `paint-order`.
        parts.append(f'<text class="halo" aria-hidden="true" {place}>{escape(bundle.text)}</text>')
        parts.append(f"<text {place}>{escape(bundle.text)}</text>")
    return "".join(parts)


def _badges(layout: Layout) -> list[str]:
    """The numbers and names of what is highlighted, above all else."""
    named = [(b.step, b.relation, b.label) for b in layout.bundles if b.step and b.label]
    named += [(step, "po", point) for step, point in layout.steps]
    lines = []
    for step, name, (x, y) in sorted(named, key=lambda badge: badge[0]):
        half = label_width(f"{step} {name}") // 2
        area = f'<rect x="{x - half}" y="{y - 8}" width="{2 * half}" height="16" rx="8"/>'
        text = f'<text x="{x}" y="{y + 4}"><tspan class="name">{step}</tspan> {escape(name)}</text>'
        lines.append(f'<g class="badge" data-step="{step}">{area}{text}</g>')
    return lines


def curve(way: list[Point]) -> str:
    """The path of a curve across a channel."""
    (a, b), (c, d) = way
    return f"M{a} {b}C{(a + c) // 2} {b} {(a + c) // 2} {d} {c} {d}"


def corners(way: list[Point]) -> str:
    """The path along corners, which are rounded."""
    if len(way) == 4 and abs(way[1][1] - way[2][1]) < KINK and (way[0][0] < way[1][0]) == (way[2][0] < way[3][0]):
        return _bend(way)
    parts = [f"M{way[0][0]} {way[0][1]}"]
    for before, (x, y), after in zip(way, way[1:], way[2:], strict=False):
        one = min(CORNER, (abs(x - before[0]) + abs(y - before[1])) // 2)
        two = min(CORNER, (abs(x - after[0]) + abs(y - after[1])) // 2)
        radius = min(one, two)
        a, b = x + radius * _sign(before[0] - x), y + radius * _sign(before[1] - y)
        c, d = x + radius * _sign(after[0] - x), y + radius * _sign(after[1] - y)
        parts.append(f"L{a} {b}Q{x} {y} {c} {d}")
    return "".join([*parts, f"L{way[-1][0]} {way[-1][1]}"])


def _bend(way: list[Point]) -> str:
    """A way across a channel that hardly goes up or down."""
    (x, y), (track, _), _, (end, low) = way
    reach = 10 * _sign(track - x)
    return f"M{x} {y}L{track - reach} {y}C{track} {y} {track} {low} {track + reach} {low}L{end} {low}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _head(look: str, tip: Point, direction: int) -> str:
    """The head of an arrow that ends at the side of a box: filled, but open for mo and hollow for fr."""
    x, y = tip
    shape = f"M{x - 8 * direction} {y - 3}L{x} {y}L{x - 8 * direction} {y + 3}"
    return f'<path class="head" d="{shape}{"" if look == "mo" else "Z"}"/>'


def _legend(picture: Picture, layout: Layout) -> tuple[list[str], int, int]:
    """A sample of each relation in use, with its width and height."""
    x, y, widest = MARGIN, layout.height + 4, 0
    lines = []
    drawn = {picture.looks[bundle.relation] for bundle in layout.bundles} | ({"po"} if picture.po else set())
    for look, meaning in picture.legend:
        if look not in drawn:
            continue
        width = 34 + LEGEND_CHARACTER * text_width(meaning) + 16
        if x > MARGIN and x + width > max(layout.width, LEGEND_WIDTH):
            x, y = MARGIN, y + LINE
        sample = f'<path d="M{x} {y}h26"/>{_head(look, (x + 27, y), 1)}'
        text = f'<text class="key" x="{x + 34}" y="{y + 4}">{escape(meaning)}</text>'
        lines.append(f'<g class="legend relation {look}">{sample}{text}</g>')
        x += width
        widest = max(widest, x)
    return lines, widest, y - layout.height + 14 if lines else 0
