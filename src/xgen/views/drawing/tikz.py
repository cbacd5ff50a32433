"""An execution as TikZ, for papers: the same layout as the SVG drawing, its colours and dashes, in TeX's fonts.

A file holds one `tikzpicture`, for `\\input` where `\\usepackage{tikz}` is; it is no wider than a line of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from xgen.executions.execution import Execution
from xgen.version import __version__
from xgen.views.drawing.labels import text_width
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
from xgen.views.drawing.picture import SHOWN, Item, Pairs, Picture
from xgen.views.drawing.picturing import picture_of
from xgen.views.drawing.svg import KINK, cut, style_sheet

SIGNATURE = "% xgen"
"""How every file begins."""
_RULE = re.compile(
    r"^\.xgen-drawing \.([\w-]+) path \{ stroke: #(\w{6}); stroke-width: ([\d.]+)(?:; stroke-dasharray: ([\d. ]+))?"
)
_SPECIAL = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}",
    ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\textquotedbl{}", "'": "\\textquotesingle{}",
    "→": "$\\to$", "×": "$\\times$", "…": "\\dots{}", "-": "{-}", "`": "\\textasciigrave{}",
}  # fmt: skip
"""What characters are in TeX, in a typewriter font as in others."""
_FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
_SETTINGS = """\
\\begin{tikzpicture}[x=0.75bp, y=-0.75bp, line width=0.75bp, every node/.style={inner sep=0pt, outer sep=0pt},
  first/.style={anchor=base west, font=\\fontsize{11}{13}\\selectfont\\ttfamily},
  small/.style={anchor=base, font=\\fontsize{8.5}{10}\\selectfont\\ttfamily, text=black!65},
  note/.style={anchor=base west, font=\\fontsize{9}{11}\\selectfont\\sffamily},
  band/.style={line width=6.75bp, line cap=round, draw=yellow!60!orange!55}, faint/.style={opacity=0.35},
  badge/.style={fill=yellow!60!orange!55, rounded corners=4bp, inner sep=1.5bp,
    font=\\fontsize{8}{9}\\selectfont\\sffamily\\bfseries},
  chip/.style={anchor=base, font=\\fontsize{7}{8}\\selectfont\\sffamily, text=black!75},
  label/.style={fill=white, inner sep=0.7bp, font=\\fontsize{8}{9}\\selectfont\\sffamily\\bfseries}]
"""
_BOXES = {
    "write": "line width=1.5bp, draw=black!60, fill=white",
    "update": "line width=1.5bp, draw=black!60, fill=white",
    "initial": "dash pattern=on 1.5bp off 1.5bp, draw=black!60, fill=black!4",
    "fence": "draw=black!60, fill=black!10",
    "more": "draw=none",
    "end": "dash pattern=on 1.5bp off 1.5bp, draw=black!60",
    "violation": "line width=1.5bp, draw=red!70!black, fill=red!7",
}
_BOX = "draw=black!60, fill=white"


def execution_to_tikz(
    execution: Execution,
    *,
    show: Collection[str] | None = None,
    highlight: Iterable[tuple[str, int, int]] = (),
    relations: Mapping[str, Pairs] | None = None,
) -> str:
    """The execution as one `tikzpicture`; the arguments are those of `execution_to_svg`."""
    return picture_to_tikz(picture_of(execution, SHOWN if show is None else tuple(show), tuple(highlight), relations))


def picture_to_tikz(picture: Picture) -> str:
    """A picture as one `tikzpicture`."""
    layout = arrange(picture)
    if layout.left_out:
        count = len(picture.edges)
        picture = picture.with_notice(f"{count - layout.left_out} of {count} edges are drawn: there are too many")
        layout = arrange(picture)
    items = [item for column in picture.columns for item in column.items]
    lines = [f"{SIGNATURE} {__version__}: \\input this where \\usepackage{{tikz}} is\n{_FITTED}{_SETTINGS.rstrip()}"]
    lines += _colours(picture, layout)
    lines += _header(picture)
    for column, (x, y, width, height) in zip(picture.columns, layout.columns, strict=True):
        lines.append(f"\\path[fill=black!4, draw=black!15, rounded corners=4bp] {_area((x, y, width, height))};")
        style = "anchor=base, font=\\fontsize{9}{11}\\selectfont\\sffamily\\bfseries"
        lines.append(f"\\node[{style}] at ({x + width // 2},{y + 19}) {{{escape(column.name)}}};")
    if picture.po:
        lines += _program_order(picture, layout, items)
    for frame, area in zip(picture.frames, layout.frames, strict=True):
        lines.append(f"\\draw[black!60, dash pattern=on 3bp off 2bp, rounded corners=3bp] {_area(area)};")
        lines.append(f"\\node[small, anchor=base west] at ({area[0] + 6},{area[1] + 10}) {{{escape(frame.text)}}};")
    for number, item in enumerate(items):
        lines += _box(item, layout.boxes[number], layout.compact)
    for bundle in layout.bundles:
        lines += _bundle(bundle, picture.looks[bundle.relation], picture.highlighted and not bundle.step)
    badges = [(step, "po", point) for step, point in layout.steps]
    for bundle in layout.bundles:
        if bundle.label and bundle.step:
            badges.append((bundle.step, bundle.relation, bundle.label))
        elif bundle.label:
            look, (x, y) = picture.looks[bundle.relation], bundle.label
            faint = ", faint" if picture.highlighted else ""
            lines.append(f"\\node[label, text=xgen-{look}{faint}] at ({x},{y}) {{{escape(bundle.text)}}};")
    for step, name, (x, y) in sorted(badges):
        lines.append(f"\\node[badge] at ({x},{y}) {{{step} {escape(name)}}};")
    lines += _legend(picture, layout)
    return "\n".join([*lines, "\\end{tikzpicture}}%"]) + "\n"


def escape(text: str) -> str:
    """A text of TeX that shows these characters; what its fonts lack becomes a question mark."""
    return "".join(_SPECIAL.get(c, c if c.isascii() and c.isprintable() else "?") for c in text)


@cache
def _looks() -> dict[str, tuple[str, float, str]]:
    """Of each look its colour, its width and its dashes, as the style sheet has them for light pages."""
    found: dict[str, tuple[str, float, str]] = {}
    for line in style_sheet().splitlines():
        rule = _RULE.match(line)
        if rule is not None:
            found.setdefault(rule[1], (rule[2].upper(), float(rule[3]), (rule[4] or "").strip()))
    return found


def _look(name: str) -> str:
    """The style of a line."""
    _, width, dashes = _looks()[name]
    parts = [f"xgen-{name}", f"line width={0.75 * width:g}bp"]
    if dashes:
        words = [
            f"{word} {0.75 * float(size):g}bp" for size, word in zip(dashes.split(), ("on", "off") * 3, strict=False)
        ]
        parts.append(f"dash pattern={' '.join(words)}")
    return ", ".join(parts)


def _used(picture: Picture, layout: Layout) -> list[str]:
    used = {picture.looks[bundle.relation] for bundle in layout.bundles} | ({"po"} if picture.po else set())
    return sorted(used & _looks().keys())


def _colours(picture: Picture, layout: Layout) -> Iterator[str]:
    for name in _used(picture, layout):
        yield f"\\definecolor{{xgen-{name}}}{{HTML}}{{{_looks()[name][0]}}}"


def _header(picture: Picture) -> Iterator[str]:
    y = MARGIN + 12
    if picture.caption:
        parts = [f"\\textbf{{{escape(picture.name)}}}"]
        parts += [f"\\textcolor{{red!70!black}}{{{escape(picture.fault)}}}"] if picture.fault else []
        parts += [f"\\textcolor{{black!65}}{{{escape(picture.aside)}}}"] if picture.aside else []
        yield f"\\node[note] at ({MARGIN},{y}) {{{' '.join(parts)}}};"
        y += 24
    for text in filter(None, (picture.quiet, picture.notice)):
        yield f"\\node[note, text=black!65] at ({MARGIN},{y}) {{{escape(text)}}};"
        y += LINE


def _program_order(picture: Picture, layout: Layout, items: list[Item]) -> Iterator[str]:
    first, hot = 0, {edge.b for edge in picture.steps}
    for column in picture.columns:
        for b in range(first + 1, first + len(column.items)):
            if items[b].kind not in ("initial", "more"):
                x, y, width, height = layout.boxes[b - 1]
                middle = x + width // 2
                way = f"({middle},{y + height}) -- ({middle},{layout.boxes[b][1]})"
                if b in hot:
                    yield f"\\draw[band] {way};"
                yield f"\\draw[{_look('po')}, -{{latex}}] {way};"
        first += len(column.items)


def _box(item: Item, area: Area, compact: bool) -> Iterator[str]:
    """As `svg._box` places it."""
    x, y, width, height = area
    style = _BOXES.get(item.kind, _BOX) + (", draw=red!70!black" if item.wrong else "")
    yield f"\\path[{style}, rounded corners=2.5bp] {_area(area)};"
    one_line = compact or not item.small
    middle, lower = y + height // 2, FURTHER // 2 * len(item.more)
    base = (middle + 5 if one_line else middle - 3) - lower
    left = x + 8 if compact else x + (width - item.first_width(False)) // 2
    if compact and item.shown_line:
        text = item.shown_line if item.line else f"\\textit{{{item.shown_line}}}"
        yield f"\\node[small, anchor=base east] at ({x + 24},{base - 1}) {{{text}}};"
        left += 24
    first, colour = left, ", text=red!70!black" if item.kind == "violation" else ""
    yield f"\\node[first{colour}] at ({first},{base}) {{{escape(item.text)}}};"
    left += CHARACTER * text_width(item.text) + 6
    for chip in item.chips:
        wide = SMALL * text_width(chip) + 10
        yield f"\\path[fill=black!10, rounded corners=5bp] {_area((left, base - 11, wide, 14))};"
        yield f"\\node[chip] at ({left + wide // 2},{base}) {{{escape(chip)}}};"
        left += wide + 6
    for number, text in enumerate(item.more, 1):
        start = first if compact else x + (width - CHARACTER * text_width(text)) // 2
        yield f"\\node[first{colour}] at ({start},{base + FURTHER * number}) {{{escape(text)}}};"
    if not one_line:
        small = escape(cut(item.small, min(LONGEST, width - 12) // SMALL))
        yield f"\\node[small] at ({x + width // 2},{middle + 13 + lower}) {{{small}}};"


def _bundle(bundle: Bundle, look: str, faint: bool) -> Iterator[str]:
    for way in bundle.ways:
        path = _path(way if bundle.forward else way[::-1], bundle.curved)
        if bundle.step:
            yield f"\\draw[band] {path};"
        yield f"\\draw[{_arrow(look)}{', faint' if faint else ''}] {path};"


def _path(points: list[Point], curved: bool) -> str:
    """As `svg.curve` and `svg.corners` have it."""
    if curved:
        (a, b), (c, d) = points
        return f"({a},{b}) .. controls ({(a + c) // 2},{b}) and ({(a + c) // 2},{d}) .. ({c},{d})"
    if len(points) == 4 and abs(points[1][1] - points[2][1]) < KINK:
        (x, y), (track, _), _, (end, low) = points
        if (x < track) == (track < end):
            reach = 10 if track > x else -10
            bend = f".. controls ({track},{y}) and ({track},{low}) .. ({track + reach},{low})"
            return f"({x},{y}) -- ({track - reach},{y}) {bend} -- ({end},{low})"
    return "{[rounded corners=5bp] " + " -- ".join(f"({x},{y})" for x, y in points) + "}"


def _arrow(look: str) -> str:
    """The style of a line with its head."""
    return _look(look) + ("" if look == "data-race" else ", -{latex}")


def _legend(picture: Picture, layout: Layout) -> Iterator[str]:
    """A sample of each relation in use, one below the other."""
    y = layout.height + 4
    for look, meaning in picture.legend:
        if look in _used(picture, layout):
            yield f"\\draw[{_arrow(look)}] ({MARGIN},{y}) -- ({MARGIN + 26},{y});"
            yield f"\\node[note, anchor=west] at ({MARGIN + 34},{y}) {{{escape(meaning)}}};"
            y += LINE


def _area(area: Area) -> str:
    x, y, width, height = area
    return f"({x},{y}) rectangle ({x + width},{y + height})"
