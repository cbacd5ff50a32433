"""What every picture of an execution shows, however it is drawn: boxes, edges, frames, titles, how threads ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import PurePath
from textwrap import wrap
from typing import Any

from xgen.errors import Position
from xgen.executions.execution import INITIAL, Event, Execution, show_value
from xgen.records import dataclass
from xgen.tags import is_of_group
from xgen.views.answers.witness import lines_of, shown_threads, thread_end, threads_of
from xgen.views.drawing.labels import text_width
from xgen.views.words import one_line, plural

Pairs = Collection[tuple[int, int]]

STATEMENT = 40
"""Statements are cut to so many characters."""
MESSAGE = 40
"""What violations say is in lines of so many characters."""
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
    "join": "end of a thread, waited for",
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
FEW_COLUMNS = 4
"""Pictures with more threads may have them in another order."""
SHORT = {
    "acquire": "acq", "release": "rel", "acq_rel": "ar", "seq_cst": "sc", "relaxed": "rlx", "consume": "con",
}  # fmt: skip
"""Names of orderings on chips."""
CHIPS = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands below a thread's last event: a violation, or that the thread did not finish."""

    id: str
    text: str
    small: str = ""
    violation: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """A box: an event, a read-modify-write (two events), an initial write or a violation.

    `id` is the event's; `title` says everything about it. `line` and `step` are 0 and -1 where there is none. A
    violation depends on what is `wrong`. `more` are further lines of the text, of what violations say.
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

    @property
    def whole(self) -> str:
        """The text in one line."""
        return " ".join((self.text, *self.more))

    def first_width(self, compact: bool) -> int:
        """How wide its first line is, in pixels; in compact drawings with the number of its line."""
        chips = sum(6 * text_width(chip) + 16 for chip in self.chips)
        return 8 * text_width(self.text) + chips + (30 if compact and self.line else 0)

    def width(self, compact: bool) -> int:
        """How wide the longest line of its text is, with chips and number as they stand in the first."""
        number = 30 if compact and self.line else 0
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


def picture_of(
    execution: Execution,
    show: Collection[str] = SHOWN,
    highlight: Sequence[tuple[str, int, int]] = (),
    relations: Mapping[str, Pairs] | None = None,
) -> Picture:
    """What is drawn of an execution.

    show        names of relations, and of EXTRAS
    highlight   edges that matter, such as those of a cycle: (relation, from, to), drawn even if nothing else has them
    relations   pairs of relations that are not base relations, by their names, as far as `show` has them
    """
    return _Picturing(execution, show, highlight, relations or {}).picture()


class _Picturing:
    def __init__(
        self,
        execution: Execution,
        show: Collection[str],
        highlight: Sequence[tuple[str, int, int]],
        relations: Mapping[str, Pairs],
    ) -> None:
        self.execution, self.show, self.relations = execution, show, relations
        self.ends = {n for _, a, b in highlight for n in (a, b)}
        self.hot = [(*edge, step) for step, given in enumerate(highlight, 1) for edge in _immediate(execution, given)]
        self.origin = {read: write for write, read in execution.rf}
        self.merged = merged(execution)
        self.folded = folded_rounds(execution, self.ends)
        self.wrong = frozenset(execution.decided)
        touched = {n for _, a, b, _ in self.hot for n in (a, b) if execution.events[n].thread == INITIAL}
        edges = [(name, a, b) for name, a, b in all_edges(execution, show, relations)]
        if "init" in show:
            touched |= {n for _, a, b in edges for n in (a, b) if execution.events[n].thread == INITIAL}
        self.initial = sorted(touched)
        self.edges = [edge for edge in edges if self.is_drawn(*edge)]

    def is_drawn(self, name: str, a: int, b: int) -> bool:
        """Whether an edge says something that program order or another edge does not."""
        events = self.execution.events
        if INITIAL in (events[a].thread, events[b].thread) and "init" not in self.show:
            return False
        if "implied" in self.show:
            return True
        if name in ("mo", "fr") and events[a].thread == events[b].thread and a < b:
            return False
        return not (name == "mo" and b - 1 in self.merged and self.origin.get(b - 1) == a)

    def picture(self) -> Picture:
        execution = self.execution
        columns = {thread: self.items(thread) for thread in shown_threads(execution)}
        threads = [thread for thread, items in columns.items() if items]
        order = reorder(threads, [(execution.events[a].thread, execution.events[b].thread) for _, a, b in self.edges])
        first = [Column("initially", tuple(self.item(n)[1] for n in self.initial))] if self.initial else []
        place = {execution.events[n].id: k for k, n in enumerate(self.initial)}
        for number, ids in enumerate((ids for thread in order for ids, _ in columns[thread]), len(place)):
            place |= dict.fromkeys(ids, number)
        shown_columns = [Column(execution.threads[t], tuple(item for _, item in columns[t])) for t in order]
        edges, steps = self.placed(place)
        names = list(dict.fromkeys(["po", *(e.relation for e in edges)]))
        derived = [name for name in self.relations if name not in MEANINGS]
        derived += [name for name in names if name not in MEANINGS and name not in derived]
        looks = {n: n if n in MEANINGS else f"derived-{derived.index(n) % DERIVED}" for n in [*names, *derived]}
        fault, aside = remarks(execution)
        return Picture(
            name=program_name(execution),
            fault=fault,
            aside=aside,
            columns=(*first, *shown_columns),
            edges=tuple(edges),
            frames=tuple(self.frames(threads, place)),
            steps=tuple(steps),
            quiet=self.quiet(threads),
            po="po" in self.show,
            hot=tuple(sorted({place[execution.events[n].id] for n in self.ends if execution.events[n].id in place})),
            looks=looks,
            legend=tuple((looks[n], f"{n}: {MEANINGS[n]}" if n in MEANINGS else n) for n in names),
        )

    def placed(self, place: dict[str, int]) -> tuple[list[Edge], list[Edge]]:
        """The edges by the numbers of their items; and those of program order that are highlighted."""
        events, cause = self.execution.events, self.execution.cause
        edges: dict[tuple[str, int, int], Edge] = {}
        steps: dict[tuple[str, int, int], Edge] = {}
        hot: dict[tuple[str, int, int], int] = {}
        for name, a, b, step in self.hot:
            hot.setdefault((name, a, b), step)
        for name, a, b in dict.fromkeys([*self.edges, *hot]):
            one, two = place.get(events[a].id), place.get(events[b].id)
            if one is None or two is None or one == two:
                continue
            within = name == "po" and events[a].thread == events[b].thread != INITIAL
            if within and two < one:
                continue  # to the next of several rounds that are one
            found = steps if within and two == one + 1 else edges
            edge = Edge(name, one, two, hot.get((name, a, b), 0), a in cause and b in cause)
            if (name, one, two) not in found or (edge.step and not found[name, one, two].step):
                found[name, one, two] = edge
        return list(edges.values()), list(steps.values())

    def items(self, thread: int) -> list[tuple[tuple[str, ...], Item]]:
        """The boxes of a thread and how it ended, each with the ids that it stands for."""
        found = self.events(thread)
        last = len(found) - 1
        for item in ending(self.execution, thread):
            if item.kind == "end" and last >= 0:
                ids, event = found[last]
                found[last] = ids, replace(event, chips=(*event.chips, item.text))
            else:
                found.append(((item.id,), item))
        return found

    def events(self, thread: int) -> list[tuple[tuple[str, ...], Item]]:
        """The boxes of a thread's events, each with the ids that it stands for."""
        skipped = set(self.merged.values())
        found: dict[int, list[tuple[tuple[str, ...], Item]]] = {}
        for n, event in enumerate(self.execution.events):
            if event.thread == thread and n not in skipped:
                found.setdefault(self.folded.get(n, n), []).append(self.item(n))
        return [_as_one(alike) if len(alike) > 1 else alike[0] for alike in found.values()]

    def item(self, number: int) -> tuple[tuple[str, ...], Item]:
        execution = self.execution
        event = execution.events[number]
        ids: tuple[str, ...] = (event.id,)
        text, kind = event_text(event), {"R": "read", "W": "write", "F": "fence"}[event.kind]
        if number in self.merged:
            write = execution.events[self.merged[number]]
            ids = (event.id, write.id)
            text, kind = f"U {event.variable}: {show_value(event.value)} → {show_value(write.value)}", "update"
        tags = event.tags | (execution.events[self.merged[number]].tags if number in self.merged else frozenset())
        chips = chips_of(tags) if event.variable is not None or event.object is None else ()
        initial = number in self.origin and execution.events[self.origin[number]].thread == INITIAL
        if initial and "init" not in self.show:
            chips = (*chips, "init")
        wrong = number in self.wrong
        if wrong:
            chips = (*chips, "wrong")
        owner = "initially" if event.thread == INITIAL else execution.threads[event.thread]
        said = statement(execution, event)
        title = ", ".join(filter(None, [f"{owner}: {text}", " ".join(sorted(tags - {"init"})), said]))
        line = own_line(execution, event.position)
        kind = "initial" if event.thread == INITIAL else kind
        return ids, Item(event.id, kind, text, chips, said, line, title, event.step, wrong)

    def quiet(self, threads: Sequence[int]) -> str:
        """The threads that have done nothing."""
        names = [self.execution.threads[t] for t in shown_threads(self.execution) if t not in threads]
        return f"no events: {', '.join(names)}" if names else ""

    def frames(self, threads: Sequence[int], place: Mapping[str, int]) -> Iterator[Frame]:
        """What is framed of each thread, and what one that waits for ever does again and again."""
        for thread in threads:
            mine = [e for e in self.execution.events if e.thread == thread]
            for a, b, text in stretches(mine):
                if place[mine[b].id] > place[mine[a].id]:
                    yield Frame(place[mine[a].id], place[mine[b].id], text)
            rounds = [place[e.id] for e in self.execution.round_of(thread) if e.id in place]
            if rounds:
                yield Frame(rounds[0], rounds[-1], "again and again")


def shown_edges(
    execution: Execution, show: Collection[str], relations: Mapping[str, Pairs]
) -> list[tuple[str, int, int]]:
    """The edges of a picture, by positions in `execution.events`; without program order within threads."""
    return _Picturing(execution, show, (), relations).edges


def all_edges(
    execution: Execution, show: Collection[str], relations: Mapping[str, Pairs]
) -> Iterator[tuple[str, int, int]]:
    """The edges of the relations that are to be shown, but those of program order, which stands from top to bottom."""
    base: dict[str, Iterable[tuple[int, int]]] = {
        "rf": sorted(execution.rf, key=lambda pair: pair[1]),
        "mo": execution.mo_edges,
        "fr": sorted(execution.fr),
    }
    for name, edges in base.items():
        if name in show:
            yield from ((name, a, b) for a, b in edges)
    others: dict[str, Pairs] = {
        **dependency_edges(execution),
        "rmw": execution.rmw,
        "start": execution.starts,
        "join": execution.joins,
        "data-race": execution.races,
    }
    for name, pairs in {**others, **relations}.items():
        if name in show:
            yield from ((name, a, b) for a, b in sorted(pairs))


def drawn_edges(execution: Execution) -> Iterator[tuple[str, int, int]]:
    """The edges of rf, mo and fr that say something, those between events that race, starts and joins.

    That the only write of a variable comes after the initial one does not.
    """
    trivial = {order[0] for order in execution.mo if len(order) == 2}
    for relation, a, b in execution.edges():
        if relation != "po" and not (relation == "mo" and a in trivial):
            yield relation, a, b
    for name, pairs in (("start", execution.starts), ("join", execution.joins), ("data-race", execution.races)):
        for a, b in pairs:
            yield name, a, b


def dependency_edges(execution: Execution) -> dict[str, Pairs]:
    """addr, data and ctrl as drawings have them: of ctrl, from each read to the first event; all later ones follow."""
    found: dict[str, Pairs] = {name: list(getattr(execution, name)) for name in DEPENDENCIES}
    first: dict[int, int] = {}
    for read, event in execution.ctrl:
        first[read] = min(event, first.get(read, event))  # events of a thread are in program order
    found["ctrl"] = sorted(first.items())
    return found


def merged(execution: Execution) -> dict[int, int]:
    """The reads that are one box with the writes of their read-modify-writes."""
    events = execution.events
    return {a: b for a, b in execution.rmw if b == a + 1 and events[a].variable == events[b].variable}


def reorder(threads: Sequence[int], edges: Iterable[tuple[int, int]]) -> list[int]:
    """The threads from left to right: as they are, or so that the ends of edges are nearer, if that saves a quarter."""
    weights: dict[tuple[int, int], int] = {}
    for a, b in edges:
        if a != b and a in threads and b in threads:
            weights[min(a, b), max(a, b)] = weights.get((min(a, b), max(a, b)), 0) + 1
    order = list(threads)
    if len(order) <= FEW_COLUMNS:
        return order

    def length(order: list[int]) -> int:
        place = {thread: k for k, thread in enumerate(order)}
        return sum(abs(place[a] - place[b]) * count for (a, b), count in weights.items())

    best = length(order)
    first = best
    improved = True
    while improved:
        improved = False
        for taken in range(len(order)):
            for put in range(len(order)):
                tried = order[:taken] + order[taken + 1 :]
                tried.insert(put, order[taken])
                found = length(tried)
                if found < best:
                    order, best, improved = tried, found, True
    return order if 4 * best <= 3 * first else list(threads)


def event_text(event: Event) -> str:
    """A box's first line: what the event does, without its orderings and tags."""
    if event.kind == "F":
        return "F" if event.object is None else event.label
    return f"{event.kind} {event.variable} = {show_value(event.value)}"


def stretches(events: Sequence[Event]) -> list[tuple[int, int, str]]:
    """What is framed of a thread's events: from, to, and why.

    Atomic blocks; from what locks a mutex to what unlocks it; and rounds of a loop in which the thread only reads,
    where there are several. Of what begins together, or overlaps otherwise than one inside of the other, the first one
    has a frame.
    """
    found = [*_blocks(events), *_critical(events), *_rounds(events)]
    found.sort(key=lambda stretch: (stretch[0], -stretch[1]))
    kept: list[tuple[int, int, str]] = []
    for a, b, text in found:
        if all((c < a and b <= d) or d < a for c, d, _ in kept):
            kept.append((a, b, text))
    return kept


def _blocks(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    for block in dict.fromkeys(event.block for event in events if event.block):
        inside = [n for n, event in enumerate(events) if event.block == block]
        yield inside[0], inside[-1], "atomic"


def _critical(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    """From the read of a lock to the write of its unlock."""
    taken: dict[str | None, int] = {}
    for n, event in enumerate(events):
        if event.kind == "W" and "unlock" in event.tags and event.variable in taken:
            yield taken.pop(event.variable), n, f"critical {event.variable}"
        elif event.kind == "R" and {"lock", "rmw"} <= event.tags:
            taken[event.variable] = n


def _rounds(events: Sequence[Event]) -> Iterator[tuple[int, int, str]]:
    for first, size, count in repetitions(events):
        position = events[first].position
        yield first, first + size * count - 1, f"line {position.line if position else 0}: {count} rounds"


def repetitions(events: Sequence[Event]) -> Iterator[tuple[int, int, int]]:
    """The longest repetitions of up to four reads, by their statements: the first one, how many reads, how often."""
    first = 0
    while first < len(events):
        size, count = max(((size, _repeated(events, first, size)) for size in range(1, 5)), key=lambda one: one[1])
        if count > 1:
            yield first, size, count
            first += size * (count - 1)
        first += 1


def folded_rounds(execution: Execution, apart: Collection[int]) -> dict[int, int]:
    """The reads of rounds that read what the round before read, each with the read that it is one box with.

    Rounds with events that are to be `apart` have their own boxes.
    """
    origin = {read: write for write, read in execution.rf}
    found: dict[int, int] = {}
    for thread in range(len(execution.threads)):
        mine = [n for n, event in enumerate(execution.events) if event.thread == thread]
        for first, size, count in repetitions([execution.events[n] for n in mine]):
            for place in range(first + size, first + size * count, size):
                now, before = mine[place : place + size], mine[place - size : place]
                alike = all(origin.get(a) == origin.get(b) for a, b in zip(now, before, strict=True))
                if alike and not any(n in apart for n in now):
                    found |= {a: found.get(b, b) for a, b in zip(now, before, strict=True)}
    return found


def _as_one(alike: Sequence[tuple[tuple[str, ...], Item]]) -> tuple[tuple[str, ...], Item]:
    """The box of reads that are alike."""
    first = alike[0][1]
    wrong = next((item for _, item in alike if item.wrong), first)
    item = replace(
        first,
        text=f"{first.text} ×{len(alike)}",
        title=f"{first.title}, {len(alike)} times",
        chips=wrong.chips,
        wrong=wrong.wrong,
    )
    return tuple(id_ for ids, _ in alike for id_ in ids), item


def _repeated(events: Sequence[Event], first: int, size: int) -> int:
    """How often so many reads of a thread are done in a row."""
    period = [(event.position, event.variable) for event in events[first : first + size]]
    if len(period) < size or any(event.kind != "R" for event in events[first : first + size]):
        return 0
    count = 1
    while True:
        following = events[first + size * count : first + size * (count + 1)]
        if [(event.position, event.variable) for event in following] != period:
            return count
        if any(event.kind != "R" or event.position is None for event in following):
            return count
        count += 1


_UNTOLD = ("init", "rmw", "computed")
"""Tags of which a picture says nothing: the text of the event does, or nobody looks for it."""


def chips_of(tags: Collection[str]) -> tuple[str, ...]:
    """Orderings and tags as they stand behind the first line: three at most, else two and how many more there are."""
    names = [SHORT.get(tag, tag) for tag in sorted(tags) if tag not in _UNTOLD and not is_of_group(tag)]
    return tuple(names) if len(names) <= CHIPS else (*names[: CHIPS - 1], f"+{len(names) - CHIPS + 1}")


def ending(execution: Execution, thread: int) -> list[Item]:
    """What stands below a thread's last event: violations; of kind "end", what is a chip of that event if it can."""
    found = []
    for mark in marks(execution, thread):
        kind = "violation" if mark.violation else "end"
        text, *more = wrap(mark.text, MESSAGE) if mark.violation else [mark.text]
        found.append(Item(mark.id, kind, text, (), mark.small, mark.line, mark.text, -1, more=tuple(more)))
    return found


def boxes_of(execution: Execution, thread: int) -> list[tuple[tuple[str, ...], Item]]:
    """The boxes of a thread's events without how it ended and without what they read, for pages: each round's own."""
    picturing = _Picturing(replace(execution, decided=()), (*SHOWN, "init"), (), {})
    picturing.folded = {}
    return picturing.events(thread)


def _immediate(execution: Execution, edge: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    """An edge as drawings have it: program order within a thread in its immediate steps."""
    name, a, b = edge
    events = execution.events
    if name == "po" and events[a].thread == events[b].thread != INITIAL and a < b:
        return [("po", k, k + 1) for k in range(a, b)]
    return [edge]


def shown_initial(execution: Execution, edges: Iterable[tuple[str, int, int]]) -> list[int]:
    """The initial writes that some edge touches; the others say nothing about this execution."""
    touched = {number for _, a, b in edges for number in (a, b)}
    return [n for n, event in enumerate(execution.events) if event.thread == INITIAL and n in touched]


def statement(execution: Execution, event: Event) -> str:
    """The line of an event's statement and the statement; "" for initial writes."""
    line = f"{execution.line(event.position)}: " if event.position else ""
    return line + one_line(event.text, STATEMENT)


def own_line(execution: Execution, position: Position | None) -> int:
    """The line of the program's own text, which pages show beside the drawing; 0 where there is none."""
    own = position is not None and (position.source or execution.source).name == execution.source.name
    return position.line if position is not None and own else 0


def program_name(execution: Execution) -> str:
    """The name of the program's file without its folders."""
    return PurePath(execution.source.name).name


def remarks(execution: Execution) -> tuple[str, str]:
    """What the title says after the name: the violation, and how many events are not shown; "" where there is none."""
    fault = ""
    if execution.violations:
        violation = execution.violations[0]
        fault = f"{violation.message}, {lines_of(execution, violation)}"
    hidden = sum(execution.hidden)
    return fault, f"({plural(hidden, 'event')} not shown)" if hidden else ""


def marks(execution: Execution, thread: int) -> list[Mark]:
    """What stands below a thread's last event, from top to bottom."""
    found = []
    for number, violation in enumerate(v for v in execution.violations if thread in threads_of(execution, v)):
        source = f"{execution.line(violation.position)}: {one_line(violation.text, STATEMENT)}"
        place: Position | None = violation.position
        for event in execution.parties(violation):
            if event.thread == thread:
                source, place = statement(execution, event), event.position
        line = own_line(execution, place)
        found.append(Mark(f"{thread}:violation{number or ''}", violation.message, source, True, line))
    end = thread_end(execution, thread)
    if end:
        name = "hidden" if execution.hidden and execution.hidden[thread] else execution.ends[thread]
        found.append(Mark(f"{thread}:{name}", end))
    return found
