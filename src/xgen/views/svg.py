"""An execution as SVG, drawn by us: threads as columns, initial writes above, each relation with its own look.

Relations differ in colour, in dashes and in arrow heads, so that they survive a black-and-white print; what is
highlighted also lies on a wide band. Colours follow the viewer's light or dark scheme. Every rule of the style sheet
is about what is inside of `.xgen-drawing`: a drawing can stand in any page, or several of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from xgen.executions.execution import INITIAL, Execution
from xgen.resources import package_text
from xgen.views.layout import MARGIN, Box, Curve, Edge, Item, Labels, Layout, Point, Route, place, text_width
from xgen.views.picture import Mark, drawn_edges, marks, program_name, remarks, shown_initial, statement
from xgen.views.witness import shown_threads

Pairs = Collection[tuple[int, int]]

MEANINGS = {
    "po": "program order",
    "rf": "reads from",
    "mo": "modification order",
    "fr": "from-reads",
    "addr": "address dependency",
    "data": "data dependency",
    "ctrl": "control dependency (to the first event)",
    "rmw": "read-modify-write",
    "data-race": "data race",
}
"""The base relations, and what they are called in legends."""

SIGNATURE = '<svg xmlns="http://www.w3.org/2000/svg" class="xgen-drawing"'
"""How every drawing begins: by it xgen knows its own files."""
CAPTION_CHARACTER = 7.4
"""About how wide a character of the caption is."""
DEPENDENCIES = ("addr", "data", "ctrl")
MAX_LABELS = 120
"""Drawings with more edges have labels at highlighted ones only; the legend and the lines' looks say what they are."""
DERIVED = 6
"""Looks for relations that are not base relations; further ones share them."""


def execution_to_svg(
    execution: Execution,
    *,
    relations: Mapping[str, Pairs] | None = None,
    highlight: Iterable[tuple[str, int, int]] = (),
    dependencies: bool = False,
    overlays: Mapping[str, Pairs] | None = None,
    standalone: bool = True,
) -> str:
    """The execution as one `<svg>` element.

    relations     the relations that are drawn, pairs of positions in `execution.events`; by default rf, mo and fr
    highlight     edges that matter, such as those of a cycle: (relation, from, to); drawn even if no relation has them
    dependencies  draw addr, data and ctrl too, as far as they are known
    overlays      further relations, of the class `overlay`, which a page hides and shows
    standalone    with style sheet, caption, legend and background; else for a page that has them
    """
    drawn = relations if relations is not None else base_relations(execution, dependencies)
    return _Drawing(execution, drawn, tuple(highlight), overlays or {}, standalone).text()


def base_relations(execution: Execution, dependencies: bool = False) -> dict[str, list[tuple[int, int]]]:
    """The relations of a drawing, reduced to the pairs that say something."""
    found: dict[str, list[tuple[int, int]]] = {"rf": [], "mo": [], "fr": []}
    for relation, a, b in drawn_edges(execution):
        found.setdefault(relation, []).append((a, b))
    if execution.rmw:
        found["rmw"] = list(execution.rmw)
    if dependencies:
        found |= dependency_edges(execution)
    return found


def dependency_edges(execution: Execution) -> dict[str, list[tuple[int, int]]]:
    """addr, data and ctrl as drawings have them: of ctrl, from each read to the first event; all later ones follow."""
    found: dict[str, list[tuple[int, int]]] = {name: list(getattr(execution, name)) for name in DEPENDENCIES}
    first: dict[int, int] = {}
    for read, event in execution.ctrl:
        first[read] = min(event, first.get(read, event))  # events of a thread are in program order
    found["ctrl"] = sorted(first.items())
    return found


def relation_sample(name: str, derived: Sequence[str]) -> str:
    """A short line as drawings have them for a relation; `derived` are those that are not base relations."""
    look = _look(name, derived)
    line = f'<path d="M0 6h24"/>{_head(look, (0, 6), (25, 6))}'
    return f'<svg class="xgen-drawing" width="27" height="12"><g class="relation {look}">{line}</g></svg>'


def style_sheet() -> str:
    """The rules that a page needs to show drawings that are not `standalone`."""
    return package_text("views/drawing.css")


@lru_cache(maxsize=1 << 14)
def escape(text: str) -> str:
    """A text inside of an element or an attribute; what XML cannot hold becomes a question mark."""
    printable = text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)
    for char, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        printable = printable.replace(char, name)
    return printable


def arrow_head(before: Point, tip: Point) -> str:
    """The filled head of an arrow that ends at a point."""
    return _head("", before, tip)


class _Drawing:
    def __init__(
        self,
        execution: Execution,
        relations: Mapping[str, Pairs],
        highlight: Sequence[tuple[str, int, int]],
        overlays: Mapping[str, Pairs],
        standalone: bool,
    ) -> None:
        self.execution, self.standalone, self.overlays = execution, standalone, overlays
        self.labels = [event.label for event in execution.events]
        self.ids = [escape(event.id) for event in execution.events]
        owners = [f"{thread}'s" for thread in execution.threads]
        self.called = [
            f"{'the initial' if event.thread == INITIAL else owners[event.thread]} {label}"
            for event, label in zip(execution.events, self.labels, strict=True)
        ]
        self.hot_events = {number for _, a, b in highlight for number in (a, b)}
        highlight = [step for edge in highlight for step in _immediate(execution, edge)]
        self.hot = set(highlight)
        edges = [(name, a, b) for name, pairs in relations.items() for a, b in sorted(pairs)]
        known = set(edges)
        edges += [
            edge for edge in highlight if edge not in known and not (edge[0] == "po" and edge[1:] in execution.po)
        ]
        edges += [("po", a, b) for a, b in execution.po if execution.events[a].thread != execution.events[b].thread]
        self.threads = shown_threads(execution)
        self.initial = shown_initial(execution, edges)
        self.marks = {mark.id: mark for thread in self.threads for mark in marks(execution, thread)}
        self.names = list(dict.fromkeys(["po", *overlays, *(name for name, _, _ in edges)]))
        derived = [name for name in self.names if name not in MEANINGS]
        self.looks = {name: _look(name, derived) for name in self.names}
        self.layout = self.place(edges)

    def place(self, edges: list[tuple[str, int, int]]) -> Layout:
        columns = []
        for thread in self.threads:
            column = [self.item(n) for n, e in enumerate(self.execution.events) if e.thread == thread]
            column += [Item(m.id, m.text, m.small) for m in marks(self.execution, thread)]
            columns.append(column or [Item(f"{thread}:none", "no events")])
        return place(
            columns,
            [self.execution.threads[thread] for thread in self.threads],
            [self.item(n) for n in self.initial],
            [Edge(*edge) for edge in edges],
            [[Edge(name, a, b) for a, b in sorted(pairs)] for name, pairs in self.overlays.items()],
            caption=self.standalone,
        )

    def item(self, number: int) -> Item:
        return Item(number, self.labels[number], statement(self.execution.events[number]))

    # --- writing ---

    def text(self) -> str:
        legend = self.legend() if self.standalone else ([], 0.0, 0.0)
        width, height = max(self.layout.width, legend[1]), self.layout.height + legend[2]
        if self.standalone:
            said = " ".join([program_name(self.execution), *remarks(self.execution)])
            width = max(width, 2 * MARGIN + text_width(said, CAPTION_CHARACTER))
        body = [*self.frames(), *self.rounds(), *self.program_order(), *self.boxes(), *self.relations(), *legend[0]]
        if self.standalone:
            body = [
                self.style(),
                f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
                *self.caption(),
                *body,
            ]
        size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        head = f'{SIGNATURE} role="img" {size}>'
        title = " ".join(filter(None, [program_name(self.execution), *remarks(self.execution)]))
        described = [f"<title>{escape(title)}</title>", f"<desc>{escape(self.description())}</desc>"]
        return "\n".join([head, *described, *body, "</svg>"]) + "\n"

    @staticmethod
    def style() -> str:
        return f"<style>\n{style_sheet()}</style>"

    def description(self) -> str:
        """The drawing in words, for those who do not see it."""
        events = self.execution.events
        parts = []
        for thread in self.threads:
            mine = [label for event, label in zip(events, self.labels, strict=True) if event.thread == thread]
            mine += [mark.text for mark in marks(self.execution, thread)]
            parts.append(f"{self.execution.threads[thread]}: {', then '.join(mine) or 'no events'}.")
        parts += [
            f"{route.edge.relation} from {self.called_by(route.edge.source)} to {self.called_by(route.edge.target)}."
            for route in self.layout.routes
            if route.edge.relation not in self.overlays
        ]
        return " ".join(parts)

    def called_by(self, key: object) -> str:
        assert isinstance(key, int)
        return self.called[key]

    def caption(self) -> list[str]:
        fault, hidden = remarks(self.execution)
        parts = [f"<tspan class='name'>{escape(program_name(self.execution))}</tspan>"]
        if fault:
            parts.append(f"<tspan class='fault'>: {escape(fault)}</tspan>")
        if hidden:
            parts.append(f"<tspan class='aside'> {hidden}</tspan>")
        return [f'<text class="caption" x="{MARGIN:.0f}" y="{MARGIN + 12:.0f}">{"".join(parts)}</text>']

    def frames(self) -> list[str]:
        lines = []
        for thread, frame in zip(self.threads, self.layout.frames, strict=True):
            name = escape(self.execution.threads[thread])
            lines.append(f'<rect class="frame" {_area(frame)} rx="6"/>')
            lines.append(f'<text class="thread" x="{frame.middle[0]:.0f}" y="{frame.y + 18:.0f}">{name}</text>')
        return lines

    def rounds(self) -> list[str]:
        """A frame with an arrow back around what a thread that waits for ever does again and again."""
        lines = []
        for thread in self.threads:
            again = {event.index for event in self.execution.round_of(thread)}
            numbers = [n for n, e in enumerate(self.execution.events) if e.thread == thread and e.index in again]
            boxes = [self.layout.boxes[number] for number in numbers if number in self.layout.boxes]
            if not boxes:
                continue
            left, top = min(box.x for box in boxes) - 4, min(box.y for box in boxes) - 5
            right, bottom = max(box.x + box.width for box in boxes) + 4, max(box.y + box.height for box in boxes) + 5
            frame = f'x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" height="{bottom - top:.0f}"'
            back = f"M{right:.0f} {bottom - 8:.0f}h4q3 0 3 -3V{top + 11:.0f}q0 -3 -3 -3h-3"
            end = (right, top + 8)
            lines.append(
                f'<g class="round"><title>again and again</title><rect {frame} rx="5"/>'
                f'<path d="{back}"/>{_head("po", (right + 4, top + 8), end)}</g>'
            )
        return lines

    def program_order(self) -> list[str]:
        """The arrows from each event of a thread to the next, and to the mark below the last."""
        lines = []
        for column in range(len(self.layout.frames)):
            chain = [key for key, box in self.layout.boxes.items() if box.column == column]
            lines += [self.step(a, b) for a, b in pairwise(chain)]
        return ['<g class="relation po" data-relation="po">', *lines, "</g>"] if lines else []

    def step(self, a: object, b: object) -> str:
        upper, lower = self.layout.boxes[a], self.layout.boxes[b]
        x, y = upper.middle[0], upper.y + upper.height
        hot = ' class="hot"' if ("po", a, b) in self.hot else ""
        band = f'<path class="band" d="M{x:.0f} {y:.0f}V{lower.y:.0f}"/>' if hot else ""
        line = f'<path d="M{x:.0f} {y:.0f}V{lower.y - 1:.0f}"/>{_head("po", (x, y), (x, lower.y))}'
        return f"<g{hot}{self.ends(a, b)}>{band}{line}</g>"

    def ends(self, a: object, b: object) -> str:
        one = self.ids[a] if isinstance(a, int) else escape(str(a))
        two = self.ids[b] if isinstance(b, int) else escape(str(b))
        return f' data-from="{one}" data-to="{two}"'

    def boxes(self) -> list[str]:
        lines = []
        for key, box in self.layout.boxes.items():
            if isinstance(key, int):
                lines += self.event_box(key, box, key in self.hot_events)
            elif key in self.marks:
                lines += self.mark_box(self.marks[str(key)], box)
            else:
                lines += [f'<text class="aside middle" x="{box.middle[0]:.1f}" y="{box.y + 16:.0f}">no events</text>']
        return lines

    def event_box(self, number: int, box: Box, hot: bool) -> list[str]:
        event = self.execution.events[number]
        kind = "initial" if event.thread == INITIAL else {"R": "read", "W": "write", "F": "fence"}[event.kind]
        line = f' data-line="{event.position.line}"' if event.position else ""
        look = f"event {kind} hot" if hot else f"event {kind}"
        head = f'<g class="{look}" data-event="{self.ids[number]}" data-step="{event.step}"{line}>'
        small = statement(event)
        middle = box.y + (box.height / 2 + 4.5 if not small else 17)
        parts = [
            f"<title>{escape(self.called[number])}</title>",
            f'<rect {_area(box)} rx="{9 if event.thread == INITIAL else 3}"/>',
            f'<text x="{box.middle[0]:.1f}" y="{middle:.1f}">{escape(self.labels[number])}</text>',
        ]
        if small:
            parts.append(f'<text class="small" x="{box.middle[0]:.1f}" y="{box.y + 32:.1f}">{escape(small)}</text>')
        return [head + "".join(parts) + "</g>"]

    @staticmethod
    def mark_box(mark: Mark, box: Box) -> list[str]:
        x = box.middle[0]
        if not mark.violation:
            return [f'<text class="aside middle" x="{x:.1f}" y="{box.y + 16:.0f}">{escape(mark.text)}</text>']
        return [
            f'<g class="violation"><rect {_area(box)} rx="3"/>'
            f'<text x="{x:.1f}" y="{box.y + 17:.1f}">{escape(mark.text)}</text>'
            f'<text class="small" x="{x:.1f}" y="{box.y + 32:.1f}">{escape(mark.small)}</text></g>'
        ]

    def relations(self) -> list[str]:
        routes = self.layout.routes
        labels = Labels(self.layout)
        all_labels = self.layout.primary <= MAX_LABELS
        groups: dict[str, list[str]] = {}
        for number, route in sorted(enumerate(routes), key=lambda pair: self.is_hot(pair[1])):
            name = route.edge.relation
            label = None
            if number >= self.layout.primary:
                label = labels.on_overlay(number, route)
            elif all_labels or self.is_hot(route):
                label = labels.put(number, name)
            groups.setdefault(name, []).append(self.edge(route, label))
        return [
            line
            for name, lines in groups.items()
            for line in (f'<g class="{self.group(name)}" data-relation="{escape(name)}">', *lines, "</g>")
        ]

    def group(self, name: str) -> str:
        """The classes of a relation's group."""
        return f"relation {self.looks[name]}{' overlay' if name in self.overlays else ''}"

    def is_hot(self, route: Route) -> bool:
        return bool(self.hot) and (route.edge.relation, route.edge.source, route.edge.target) in self.hot

    def edge(self, route: Route, label: Point | None) -> str:
        edge = route.edge
        path, head = _line_and_head(route.start, route.curves, self.looks[edge.relation])
        hot = self.is_hot(route)
        band = f'<path class="band" d="{path}"/>' if hot else ""
        name = ""
        if label:
            name = f'<text x="{label[0]:.0f}" y="{label[1] + 4:.0f}">{escape(edge.relation)}</text>'
        klass = ' class="hot"' if hot else ""
        return f'<g{klass}{self.ends(edge.source, edge.target)}>{band}<path d="{path}"/>{head}{name}</g>'

    def legend(self) -> tuple[list[str], float, float]:
        """A sample of each relation in use, with its width and height."""
        x, y, widest = MARGIN, self.layout.height + 8, 0.0
        lines = []
        for name in self.names:
            meaning = f"{name}: {MEANINGS[name]}" if name in MEANINGS else name
            width = 34 + len(meaning) * 5.9 + 16
            if x > MARGIN and x + width > max(self.layout.width, 420):
                x, y = MARGIN, y + 18
            sample = f'<path d="M{x:.0f} {y:.0f}h26"/>{_head(self.looks[name], (x, y), (x + 27, y))}'
            text = f'<text class="key" x="{x + 34:.0f}" y="{y + 4:.0f}">{escape(meaning)}</text>'
            lines.append(f'<g class="legend relation {self.looks[name]}">{sample}{text}</g>')
            x += width
            widest = max(widest, x)
        return lines, widest, y - self.layout.height + 14


def _immediate(execution: Execution, edge: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    """An edge as drawings have it: program order within a thread in its immediate steps."""
    name, a, b = edge
    events = execution.events
    if name == "po" and events[a].thread == events[b].thread != INITIAL and a < b:
        return [("po", k, k + 1) for k in range(a, b)]
    return [edge]


def _look(name: str, derived: Sequence[str]) -> str:
    return name if name in MEANINGS else f"derived-{derived.index(name) % DERIVED}"


def _area(box: Box) -> str:
    return f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'


@lru_cache(maxsize=1 << 14)  # the executions of a page have many edges in common
def _line_and_head(start: Point, curves: tuple[Curve, ...], look: str) -> tuple[str, str]:
    """The way of an edge in whole pixels (pages hold thousands of them), and its head."""
    parts = [f"M{start[0]:.0f} {start[1]:.0f}"]
    for (a, b), (c, d), (x, y) in curves:
        parts.append(f"C{a:.0f} {b:.0f} {c:.0f} {d:.0f} {x:.0f} {y:.0f}")
    one, two, end = curves[-1]
    return "".join(parts), _head(look, two if two != end else one, end)


def _head(look: str, before: Point, tip: Point) -> str:
    """The head of an arrow: filled, but open for mo and hollow for fr."""
    size, half = (6.0, 2.6) if look == "po" else (8.0, 3.4)
    length = math.hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    dx, dy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    x, y = tip[0] - size * dx, tip[1] - size * dy
    one, two = (x - half * dy, y + half * dx), (x + half * dy, y - half * dx)
    shape = f"M{one[0]:.1f} {one[1]:.1f}L{tip[0]:.0f} {tip[1]:.0f}L{two[0]:.1f} {two[1]:.1f}"
    return f'<path class="head" d="{shape}{"" if look == "mo" else "Z"}"/>'
