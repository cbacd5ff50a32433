"""Executions packed for a page, a byte or so each: what threads did, each once, and rows of small numbers.

A *trace* is what a thread did: its events with their boxes and dependencies. An *ending* is how an execution ended: its
violations, and which threads have not finished. An execution is a row of numbers: its ending, a trace for each thread
(the initial writes are one, too), for each read the number of the write that it reads from, plus one (0: none), and
for each variable with several writes these in modification order. Events are numbered as in `Execution.events`. Rows
lie in chunks, in each chunk column after column, since executions that follow on each other are alike; a number is a
byte, or 255 and two bytes. `executions.js` reads them.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from xgen.errors import UnsupportedError
from xgen.executions.execution import INITIAL, Event, Execution
from xgen.views.answers.witness import shown_threads
from xgen.views.drawing.boxes import deciding, ending, remarks
from xgen.views.drawing.edges import dependency_edges, merged
from xgen.views.drawing.frames import repetitions, stretches
from xgen.views.drawing.picturing import boxes_of

ROWS = 4096
"""Executions in a chunk."""
LOCAL = ("addr", "data", "ctrl", "rmw")
LARGEST = 0xFFFF


class Store:
    """Executions of one program, added one by one."""

    def __init__(self) -> None:
        self.threads: tuple[str, ...] = ()
        self.variables: dict[str, int] = {}
        self.traces: list[dict[Any, int]] = []
        self.shown: list[list[dict[str, Any]]] = []
        self.endings: dict[Any, int] = {}
        self.ended: list[dict[str, Any]] = []
        self.rows: list[list[int]] = []
        self._events: dict[int, tuple[Event, int]] = {}
        self._like: dict[Any, int] = {}
        self._parts: dict[Any, tuple[Any, ...]] = {}

    def add(self, execution: Execution) -> None:
        """Adds an execution."""
        if not self.rows:
            self.threads = execution.threads
            self.traces = [{} for _ in range(len(execution.threads) + 1)]
            self.shown = [[] for _ in self.traces]
        kinds = [self._kind(event) for event in execution.events]
        slices = _slices(execution)
        local, between = self._split(execution, slices)
        row = [self._ending(execution, between)]
        for number, (first, last) in enumerate(slices):
            key = (tuple(kinds[first:last]), local[number])
            place = self.traces[number].setdefault(key, len(self.traces[number]))
            if place == len(self.shown[number]):
                self.shown[number].append(self._trace(execution, number - 1, first, last, local[number]))
            row.append(place)
        origin = {read: write + 1 for write, read in execution.rf}
        row += [origin.get(n, 0) for n, event in enumerate(execution.events) if event.kind == "R"]
        for order in sorted(execution.mo, key=lambda order: self._variable(execution, order)):
            later = [n for n in order if execution.events[n].thread != INITIAL]
            row += later if len(later) > 1 else []
        if max(row) > LARGEST:
            raise UnsupportedError("the executions are too large for a page")
        self.rows.append(row)

    def data(self) -> dict[str, Any]:
        """What a page needs to know besides the chunks."""
        return {
            "threads": self.threads,
            "variables": list(self.variables),
            "traces": self.shown,
            "endings": self.ended,
            "rows": ROWS,
            "count": len(self.rows),
        }

    def chunks(self) -> Iterator[str]:
        """The rows, packed."""
        for first in range(0, len(self.rows), ROWS):
            yield packed(_columns(self.rows[first : first + ROWS], len(self.traces) + 1))

    def _variable(self, execution: Execution, order: tuple[int, ...]) -> int:
        """The number of the variable of an order of writes."""
        return self.variables.setdefault(str(execution.events[order[0]].variable), len(self.variables)) if order else -1

    def _kind(self, event: Event) -> int:
        """A number that events have in common that differ by their steps only."""
        known = self._events.get(id(event))
        if known is None:
            if event.variable is not None:
                self.variables.setdefault(event.variable, len(self.variables))
            key = (event.thread, event.index, event.kind, event.variable, event.value, type(event.value), event.tags)
            like = self._like.setdefault((*key, event.position, event.text, event.block, event.object), len(self._like))
            known = self._events[id(event)] = event, like  # the event is kept, so that its id stays its own
        return known[1]

    def _split(self, execution: Execution, slices: list[tuple[int, int]]) -> tuple[Any, ...]:
        """Dependencies within each thread, by places in it; and those between threads."""
        key = (execution.addr, execution.data, execution.ctrl, execution.rmw, execution.forks, tuple(slices))
        found = self._parts.get(key)
        if found is None:
            owner = [number for number, (first, last) in enumerate(slices) for _ in range(first, last)]
            relations = {**dependency_edges(execution), "rmw": execution.rmw}
            local: list[list[tuple[str, int, int]]] = [[] for _ in slices]
            between = [("start", a, b) for a, b in execution.starts] + [("join", a, b) for a, b in execution.joins]
            for name in LOCAL:
                for a, b in sorted(relations[name]):
                    if owner[a] == owner[b]:
                        local[owner[a]].append((name, a - slices[owner[a]][0], b - slices[owner[a]][0]))
                    else:
                        between.append((name, a, b))
            found = self._parts[key] = tuple(map(tuple, local)), tuple(between)
        return found

    def _ending(self, execution: Execution, between: tuple[tuple[str, int, int], ...]) -> int:
        waits = tuple((w.start, w.stop) if w is not None else None for w in execution.waits)
        wrong = tuple((execution.events[n].id, chip) for n, chip in deciding(execution).items())
        key = (execution.ends, execution.violations, waits, execution.hidden, between, execution.races, wrong)
        place = self.endings.setdefault(key, len(self.endings))
        if place == len(self.ended):
            fault, aside = remarks(execution)
            threads = range(len(execution.threads))
            self.ended.append(
                {
                    "fault": fault,
                    "aside": aside,
                    "complete": execution.complete,
                    "marks": [[asdict(item) for item in ending(execution, t)] for t in threads],
                    "rounds": [[event.id for event in execution.round_of(t)] for t in threads],
                    "between": between,
                    "races": execution.races,
                    "wrong": dict(wrong),
                    "shown": shown_threads(execution),
                    "violations": [[v.thread, list(v.events)] for v in execution.violations],
                }
            )
        return place

    def _trace(
        self, execution: Execution, thread: int, first: int, last: int, local: tuple[Any, ...]
    ) -> dict[str, Any]:
        """What a thread did: its boxes, of each event its box, kind and variable, what is framed, rounds of loops."""
        events = execution.events[first:last]
        boxes = boxes_of(execution, thread)
        box = {id_: number for number, (ids, _) in enumerate(boxes) for id_ in ids}
        writes = {b for a, b in merged(execution).items()}
        return {
            "items": [asdict(item) for _, item in boxes],
            "ids": [event.id for event in events],
            "of": [box[event.id] for event in events],
            "kinds": "".join(event.kind for event in events),
            "vars": [self.variables[event.variable] if event.variable is not None else -1 for event in events],
            "frames": stretches(events) if thread >= 0 else [],
            "repeated": list(repetitions(events)) if thread >= 0 else [],
            "merged": [n - first for n in range(first, last) if n in writes],
            "edges": local,
        }


def packed(data: bytes) -> str:
    """Bytes as text that a page unpacks: deflated without a header, in base64."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflater.compress(data) + deflater.flush()).decode()


def numbers_to_bytes(numbers: Iterator[int] | list[int]) -> bytes:
    """A byte a number; 255 and two bytes for larger ones."""
    found = bytearray()
    for number in numbers:
        if number < 255:
            found.append(number)
        else:
            found += bytes((255, number & 255, number >> 8))
    return bytes(found)


def _columns(rows: list[list[int]], fixed: int) -> bytes:
    """The fixed columns one after the other, then what each row has at the next place, as far as it is that long."""
    found = bytearray()
    for column in range(fixed):
        found += numbers_to_bytes([row[column] for row in rows])
    for column in range(fixed, max(map(len, rows))):
        found += numbers_to_bytes([row[column] for row in rows if len(row) > column])
    return bytes(found)


def _slices(execution: Execution) -> list[tuple[int, int]]:
    """Where the initial writes and each thread begin and end among the events."""
    counts = [0] * (len(execution.threads) + 1)
    for event in execution.events:
        counts[event.thread + 1] += 1
    found, first = [], 0
    for count in counts:
        found.append((first, first + count))
        first += count
    return found
