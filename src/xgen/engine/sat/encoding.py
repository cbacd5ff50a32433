"""Program order, reads-from and modification order of all events that there may be, as literals.

What every coherent model asks of these is said at once; the rest of a model is for the solver's answers (solving.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from xgen.engine.sat.events import INITIAL, Event
from xgen.engine.sat.gates import FALSE, TRUE, Literal
from xgen.engine.sat.numbers import Numbers, wide
from xgen.engine.sat.unroll import Unroller
from xgen.lowering.code import Code

NOWHERE = -1
"""Stands for no object."""
MANY = 400
"""Pairs of sources of two reads of a thread: of more, what they read in order is left to the solver's answers."""


class Encoding:
    """The executions of a program, without what its model asks but that it is coherent.

    po       for each event, those that come after it in program order, as bits
    sources  for each read, the writes that it may read from, each with whether it does
    writes   for each cell, the events that may write it
    pairs    the reads and writes that may be one update, or a pair of exclusive accesses, each with whether it is one
    """

    def __init__(self, code: Code, gates: Numbers, unrolled: Unroller) -> None:
        self.code, self.gates = code, gates
        self.unrolled = unrolled
        self.events: Sequence[Event] = self.unrolled.events
        self.po = self._program_order()
        self.reads = [event for event in self.events if event.kind == "R"]
        self.writes: list[list[Event]] = [[] for _ in code.cells]
        for event in self.events:
            if event.kind == "W":
                for cell in event.cells:
                    self.writes[cell].append(event)
        self._mo: dict[tuple[int, int], Literal] = {}
        self.sources: dict[int, dict[int, Literal]] = {}
        self._modification_order()
        self._reads_from()
        self.pairs = self._pairs()
        self._coherence()
        self._updates()
        self._in_order()

    def mo(self, a: int, b: int) -> Literal:
        """Whether one write comes before another one to the same cell, if both are there."""
        return self._mo[a, b] if (a, b) in self._mo else -self._mo[b, a]

    @property
    def orders(self) -> Iterator[Literal]:
        """All literals of modification order."""
        return iter(self._mo.values())

    def may_share(self, a: Event, b: Event) -> bool:
        """Whether two accesses may be to the same cell."""
        return not a.cells.keys().isdisjoint(b.cells)

    def together(self, a: Event, b: Event) -> Literal:
        """Whether two accesses are to the same cell, if both are there."""
        common = a.cells.keys() & b.cells.keys()
        if len(a.cells) == len(b.cells) == len(common) == 1:
            return TRUE
        return self.gates.any(self.gates.both(a.cells[cell], b.cells[cell]) for cell in sorted(common))

    def objects_of(self, event: Event) -> dict[int, Literal]:
        """The allocated objects that an event may be about, each with whether it is; NOWHERE: it is about none."""
        found = dict(event.objects)
        for cell, literal in event.cells.items():
            first = self.unrolled.objects[cell]
            found[first] = self.gates.either(found[first], literal) if first in found else literal
        return found

    def about_one(self, a: Event, b: Event) -> Literal:
        """Whether two events are about the same allocated object, if both are there."""
        one, other = self.objects_of(a), self.objects_of(b)
        if len(one) == len(other) == 1 and one.keys() == other.keys() != {NOWHERE}:
            return TRUE
        common = one.keys() & other.keys() - {NOWHERE}
        return self.gates.any(self.gates.both(one[first], other[first]) for first in sorted(common))

    def _program_order(self) -> list[int]:
        """That of a thread, into threads that it starts, and out of those that it joins; initial writes come first."""
        events, spans = self.events, self.unrolled.spans_of
        po = [0] * len(events)
        all_of = {thread: _bits(span) for thread, span in spans.items()}
        for span in spans.values():
            for number in span:
                po[number] = _bits(range(number + 1, span.stop))
        for event in events:
            if event.starts >= 0:
                po[event.number] |= all_of[event.starts]
            if event.joins >= 0:
                for number in spans[event.joins]:
                    po[number] |= 1 << event.number
        first = len(self.code.cells)
        for number in range(first):
            po[number] = _bits(range(first, len(events)))
        forks = [event.number for event in events if event.starts >= 0 or event.joins >= 0]
        changed = True
        while changed:
            changed = False
            for number, row in enumerate(po):
                for fork in forks:
                    if row >> fork & 1:
                        row |= po[fork]
                changed |= row != po[number]
                po[number] = row
        return po

    def passed_by(self) -> Iterator[tuple[int, Literal]]:
        """For each join: its instruction, and whether its thread goes on without it. Program order leads through it
        even then, so that nobody may."""
        for event in self.events:
            if event.joins >= 0:
                later = range(event.number + 1, self.unrolled.spans_of[event.thread].stop)
                goes_on = self.gates.any(self.events[number].exec for number in later)
                yield event.pc, self.gates.both(-event.exec, goes_on)

    def _modification_order(self) -> None:
        for writes in self.writes:
            for k, a in enumerate(writes):
                for b in writes[k + 1 :]:
                    self._order(a, b)
        for writes in self.writes:
            own = [write.number for write in writes if write.thread != INITIAL]
            for x, y, z in combinations(own, 3):
                xy, yz, xz = self.mo(x, y), self.mo(y, z), self.mo(x, z)
                self.gates.clause(-xy, -yz, xz)
                self.gates.clause(xy, yz, -xz)

    def _order(self, a: Event, b: Event) -> None:
        """Gives two writes an order, once. Two of a thread have that of the program, if they are to the same cell."""
        if (a.number, b.number) in self._mo or (b.number, a.number) in self._mo:
            return
        if a.thread == INITIAL:
            self._mo[a.number, b.number] = TRUE
            return
        if self.po[b.number] >> a.number & 1:
            a, b = b, a
        if not self.po[a.number] >> b.number & 1:
            self._mo[a.number, b.number] = self.gates.new()
            return
        together = self.together(a, b)
        order = TRUE if together == TRUE else self.gates.new()
        self.gates.clause(-together, order)
        self._mo[a.number, b.number] = order

    def _reads_from(self) -> None:
        gates = self.gates
        for read in self.reads:
            found: dict[int, Literal] = {}
            for write in {write.number: write for cell in read.cells for write in self.writes[cell]}.values():
                if self.po[read.number] >> write.number & 1 or write.exec == FALSE or self._is_hidden(write, read):
                    continue
                literal = found[write.number] = gates.new()
                gates.clause(-literal, write.exec)
                gates.clause(-literal, read.exec)
                for cell, own in read.cells.items():
                    gates.clause(-literal, -own, write.cells.get(cell, FALSE))
                width = max(len(write.value), len(read.value))
                for x, y in zip(wide(write.value, width), wide(read.value, width), strict=True):
                    gates.clause(-literal, -x, y)
                    gates.clause(-literal, x, -y)
            gates.clause(-read.exec, *found.values())
            if found:
                gates.at_most_one(list(found.values()))
            if read.unset != FALSE:
                gates.same(read.unset, gates.any(own for write, own in found.items() if self._has_no_value(write)))
            self.sources[read.number] = found

    def _has_no_value(self, write: int) -> bool:
        """Whether it is the initial write of a variable that has no value at first."""
        return write < len(self.code.cells) and self.code.cells[write].undefined

    def _is_hidden(self, write: Event, read: Event) -> bool:
        """Whether between the two, in program order, there is always another write to the one cell that is read."""
        if len(read.cells) > 1:
            return False
        (cell,) = read.cells
        return any(
            other.exec == TRUE
            and other.cells[cell] == TRUE
            and self.po[write.number] >> other.number & 1
            and self.po[other.number] >> read.number & 1
            for other in self.writes[cell]
        )

    def _coherence(self) -> None:
        """No read reads what was overwritten before it, or what comes after it; nothing comes between what an update
        reads and what it writes."""
        gates, po = self.gates, self.po
        for read in self.reads:
            for source, literal in self.sources[read.number].items():
                write = self.events[source]
                if read.partner >= 0:
                    own = self.events[read.partner].exec
                    gates.clause(-literal, -own, self.mo(source, read.partner))
                for cell in read.cells.keys() & write.cells.keys():
                    for other in self.writes[cell]:
                        if other.number in (source, read.partner) or other.thread == INITIAL:
                            continue
                        here = (-literal, -read.cells[cell], -other.exec, -other.cells[cell])
                        before = FALSE if write.thread == INITIAL else self.mo(other.number, source)
                        if po[other.number] >> read.number & 1:
                            gates.clause(*here, before)
                        elif po[read.number] >> other.number & 1:
                            gates.clause(*here, -before)
                        if read.partner >= 0:
                            own = self.events[read.partner].exec
                            gates.clause(*here, -own, before, self.mo(read.partner, other.number))

    def _pairs(self) -> dict[tuple[int, int], Literal]:
        """A write of an update is only there with its read."""
        updates = [read for read in self.reads if read.partner >= 0]
        found = {(read.number, read.partner): self.events[read.partner].exec for read in updates}
        return found | self.unrolled.exclusives

    def _updates(self) -> None:
        """No two updates read from one write: that follows, but proofs of it are long."""
        updates = [read for read in self.reads if read.partner >= 0]
        for write in self.events:
            readers = [
                self.gates.both(self.sources[read.number][write.number], self.events[read.partner].exec)
                for read in updates
                if write.number in self.sources[read.number]
            ]
            for k, a in enumerate(readers):
                for b in readers[k + 1 :]:
                    self.gates.clause(-a, -b)

    def _in_order(self) -> None:
        """Two reads of a cell, one after the other, read from one write, or from two in this order."""
        for a in self.reads:
            for b in self.reads:
                if not self.po[a.number] >> b.number & 1 or not self.may_share(a, b):
                    continue
                one, other = self.sources[a.number], self.sources[b.number]
                if len(one) * len(other) >= MANY:
                    continue
                for cell in a.cells.keys() & b.cells.keys():
                    for x, first in one.items():
                        if self.events[x].thread == INITIAL or cell not in self.events[x].cells:
                            continue
                        for y, second in other.items():
                            if x != y and cell in self.events[y].cells:
                                order = FALSE if self.events[y].thread == INITIAL else self.mo(x, y)
                                self.gates.clause(-first, -second, -a.cells[cell], -b.cells[cell], order)


def _bits(numbers: range) -> int:
    """A set of consecutive numbers, as bits."""
    return (1 << numbers.stop) - (1 << numbers.start) if numbers else 0
