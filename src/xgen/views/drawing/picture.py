"""What every picture of an execution shows, however it is drawn: boxes, edges, frames, titles, how threads ended."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, field
from typing import Any

from xgen.records import dataclass, replace
from xgen.views.drawing.labels import text_width

Pairs = Collection[tuple[int, int]]

MEANINGS = {
    "po": "program order",
    "rf": "reads from",
    "mo": "modification order",
    "fr": "read before the write",
    "addr": "address dependency",
    "data": "data dependency",
    "ctrl": "control dependency (to the first event)",
    "rmw": "read-modify-write",
    "start": "start of a thread",
    "join": "end of a thread, or what comes before a barrier, waited for",
    "data-race": "data race",
}
"""The base relations, and what they are called in legends."""
DEPENDENCIES = ("addr", "data", "ctrl")

SHOWN = ("po", "rf", "mo", "fr", "rmw", "start", "join", "data-race")
"""The relations that pictures show if nothing else is asked for."""

EXTRAS = ("init", "implied")
"""What else can be asked for: initial writes as boxes, and pairs that program order implies."""

DERIVED = 6
"""Looks for relations that are not base relations; further ones share them."""


@dataclass(frozen=True, slots=True)
class Item:
    """A box: an event, a read-modify-write (two events), an initial write or a violation.

    `id` is the event's; `title` says everything about it. `line` and `step` are 0 and -1 where there is none; `other`
    is the line in another file than the program's own. A violation depends on what is `wrong`: its chip says how.
    `more` are further lines of the text, of what violations say.
    """

    id: str
    kind: str
    text: str
    chips: tuple[str, ...]
    small: str
    line: int
    title: str
    step: int
    wrong: bool = False
    more: tuple[str, ...] = ()
    other: int = 0

    @property
    def shown_line(self) -> int:
        """The line that compact drawings show, of whichever file."""
        return self.line or self.other

    @property
    def whole(self) -> str:
        """The text in one line."""
        return " ".join((self.text, *self.more))

    def first_width(self, compact: bool) -> int:
        """How wide its first line is, in pixels; in compact drawings with the number of its line."""
        chips = sum(6 * text_width(chip) + 16 for chip in self.chips)
        return 8 * text_width(self.text) + chips + (30 if compact and self.shown_line else 0)

    def width(self, compact: bool) -> int:
        """How wide the longest line of its text is, with chips and number as they stand in the first."""
        number = 30 if compact and self.shown_line else 0
        return max([self.first_width(compact), *(8 * text_width(line) + number for line in self.more)])


@dataclass(frozen=True, slots=True)
class Column:
    """A thread and what it did, from top to bottom."""

    name: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two items, by their numbers. `step` counts highlighted edges from 1; 0: it is not highlighted.

    `keep`: it is part of the cause of a violation, and left out last where there are too many edges.
    """

    relation: str
    a: int
    b: int
    step: int = 0
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame around the items of a column from `a` to `b`."""

    a: int
    b: int
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An execution as it is drawn, before anything has a place. Items are numbered column by column.

    `steps` are highlighted pairs of immediate program order, which is drawn between boxes; `po`: it is drawn at all.
    `hot` are the items that highlighted edges lead to and from.
    `looks` has the class of each relation, `legend` the relations that are explained below the drawing.
    """

    name: str
    fault: str
    aside: str
    columns: tuple[Column, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Frame, ...] = ()
    steps: tuple[Edge, ...] = ()
    quiet: str = ""
    notice: str = ""
    po: bool = True
    hot: tuple[int, ...] = ()
    looks: dict[str, str] = field(default_factory=dict)
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def caption(self) -> str:
        """The line above the drawing; "" for none."""
        return " ".join(filter(None, (self.name, self.fault, self.aside)))

    @property
    def highlighted(self) -> bool:
        """Whether edges are highlighted."""
        return bool(self.steps) or any(edge.step for edge in self.edges)

    def with_notice(self, text: str) -> Picture:
        """The same with a line above it."""
        return replace(self, notice=text)

    def data(self) -> dict[str, Any]:
        """The picture as JSON, for pages."""
        return asdict(self)
