"""Makes the picture of an execution: its boxes, edges, frames, and the order of its threads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from xgen.executions.execution import INITIAL, Execution, show_value
from xgen.records import replace
from xgen.views.answers.witness import shown_threads
from xgen.views.drawing.boxes import (
    WRONG,
    chips_of,
    deciding,
    ending,
    event_text,
    forking,
    lines_at,
    program_name,
    remarks,
    statement,
)
from xgen.views.drawing.edges import all_edges, immediate, merged
from xgen.views.drawing.frames import folded_rounds, stretches
from xgen.views.drawing.groups import called, groups_of, placed_threads
from xgen.views.drawing.picture import DERIVED, MEANINGS, SHOWN, Column, Edge, Frame, Item, Pairs, Picture

FEW_COLUMNS = 4
"""Pictures with more threads may have them in another order."""


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
        self.hot = [(*edge, step) for step, given in enumerate(highlight, 1) for edge in immediate(execution, given)]
        self.origin = {read: write for write, read in execution.rf}
        self.merged = merged(execution)
        self.folded = folded_rounds(execution, self.ends)
        self.deciding = deciding(execution)
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
        order = placed_threads(
            execution,
            reorder(threads, [(execution.events[a].thread, execution.events[b].thread) for _, a, b in self.edges]),
        )
        first = [Column("initially", tuple(self.item(n)[1] for n in self.initial))] if self.initial else []
        place = {execution.events[n].id: k for k, n in enumerate(self.initial)}
        for number, ids in enumerate((ids for thread in order for ids, _ in columns[thread]), len(place)):
            place |= dict.fromkeys(ids, number)
        shown_columns = [Column(_headed(execution, t), tuple(item for _, item in columns[t])) for t in order]
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
        chips = chips_of(tags - {forking(event)}) if event.variable is not None or event.object is None else ()
        initial = number in self.origin and execution.events[self.origin[number]].thread == INITIAL
        if initial and "init" not in self.show and "hidden" not in event.tags:
            chips = (*chips, "init")
        wrong = number in self.deciding
        if wrong:
            chips = (*chips, self.deciding[number])
        owner = "initially" if event.thread == INITIAL else execution.threads[event.thread]
        said = statement(execution, event)
        title = ", ".join(filter(None, [f"{owner}: {text}", " ".join(sorted(tags - {"init"})), said]))
        line, other = lines_at(execution, event.position)
        kind = "initial" if event.thread == INITIAL else kind
        return ids, Item(event.id, kind, text, chips, said, line, title, event.step, wrong, other=other)

    def quiet(self, threads: Sequence[int]) -> str:
        """The threads that have done nothing."""
        names = [self.execution.threads[t] for t in shown_threads(self.execution) if t not in threads]
        return f"no events: {', '.join(names)}" if names else ""

    def frames(self, threads: Sequence[int], place: Mapping[str, int]) -> Iterator[Frame]:
        """What is framed of each thread, and what one that waits for ever does again and again: the words of two frames
        that begin together would stand upon each other."""
        for thread in threads:
            mine = [e for e in self.execution.events if e.thread == thread]
            rounds = [place[e.id] for e in self.execution.round_of(thread) if e.id in place]
            for a, b, text in stretches(mine):
                if place[mine[b].id] > place[mine[a].id] and place[mine[a].id] not in rounds[:1]:
                    yield Frame(place[mine[a].id], place[mine[b].id], text)
            if rounds:
                yield Frame(rounds[0], rounds[-1], "again and again")


def _headed(execution: Execution, thread: int) -> str:
    """What stands above a thread: its name, and where it stands in a GPU."""
    return ", ".join([execution.threads[thread], *map(called, reversed(groups_of(execution, thread)))])


def shown_edges(
    execution: Execution, show: Collection[str], relations: Mapping[str, Pairs]
) -> list[tuple[str, int, int]]:
    """The edges of a picture, by positions in `execution.events`; without program order within threads."""
    return _Picturing(execution, show, (), relations).edges


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


def _as_one(alike: Sequence[tuple[tuple[str, ...], Item]]) -> tuple[tuple[str, ...], Item]:
    """The box of reads that are alike."""
    first = alike[0][1]
    marked = [item for _, item in alike if item.wrong]
    wrong = next((item for item in marked if WRONG in item.chips), next(iter(marked), first))
    item = replace(
        first,
        text=f"{first.text} ×{len(alike)}",
        title=f"{first.title}, {len(alike)} times",
        chips=wrong.chips,
        wrong=wrong.wrong,
    )
    return tuple(id_ for ids, _ in alike for id_ in ids), item


def boxes_of(execution: Execution, thread: int) -> list[tuple[tuple[str, ...], Item]]:
    """The boxes of a thread's events without how it ended and without what they read, for pages: each round's own."""
    picturing = _Picturing(replace(execution, decided=()), (*SHOWN, "init"), (), {})
    picturing.folded = {}
    return picturing.events(thread)
