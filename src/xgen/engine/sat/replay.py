"""An answer of the solver as an execution, which the core confirms.

The core's machine runs each thread, with what it reads and what is chosen given: it has to go the way that the solver
says, to access these cells and to write these values. And the core's evaluation of the model has to allow from where
reads read, and the order of writes. Neither shares anything with the encoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from xgen import _core
from xgen._core import EventKind, Op, Status
from xgen.engine.graphs.convert import to_execution
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import Problem
from xgen.engine.sat.dependencies.taint import REPLACES
from xgen.engine.sat.dependencies.trail import Depends, Trail
from xgen.engine.sat.events import INITIAL, Event
from xgen.engine.sat.graph import Graph
from xgen.engine.sat.numbers import WORD, value_of
from xgen.engine.sat.straight import Passed, Straight
from xgen.errors import InternalError, LimitError
from xgen.executions.execution import Execution, ViolationKind
from xgen.lowering.code import objects
from xgen.memory.evaluate import Evaluator
from xgen.memory.plans.plan import make_plan
from xgen.memory.ready import facts
from xgen.memory.undefined import undefined_behaviour
from xgen.records import dataclass, replace

_KINDS = {"R": EventKind.READ, "W": EventKind.WRITE, "F": EventKind.FENCE}
_SHOWN = {
    **dict.fromkeys(("unlock", "destroyed", "bad-free"), Status.ASSERTION),
    "uninitialised": Status.UNDEFINED,
}
"""Errors that the graph shows, and not the thread alone."""
_BLOCKING, _CUTTING = (Op.ASSUME, Op.HAVOC, Op.STUCK), (Op.BOUND, Op.CUT)
"""Where threads stop for good by themselves, and where a bound stops them."""
_ERRORS = (Status.ASSERTION, Status.FAILED, Status.OVERFLOWED, Status.DIVISION, Status.RANGE, Status.UNDEFINED)


@dataclass(frozen=True, slots=True)
class Input:
    """A number that nobody knew: which thread chose it at which instruction, and what it is here. `whole`: it may be
    any word."""

    thread: int
    pc: int
    value: int
    whole: bool


class Replay:
    """What one answer says of each thread and of the graph."""

    def __init__(self, problem: Problem, graph: Graph) -> None:
        self.problem, self.code, self.graph = problem, problem.code, graph
        self.encoding = graph.encoding
        self.objects = objects(problem.code)
        self.inputs: list[Input] = []
        self.events = [event for event in graph.events if graph.is_there(event.number)]
        self._trails = [Trail(self.code, thread.reservation) for thread in self.code.threads]
        self._ways = [list(self._way(thread)) for thread in range(len(self.code.threads))]
        self._pairs = {write: read for trail in self._trails for write, read in trail.pairs.items()}
        known = facts(problem.model)
        self._buffering = known.buffering
        self.depends: dict[int, Depends] = {}
        for trail in self._trails if known.dependencies or known.buffering else ():
            self.depends |= trail.of

    def execution(self) -> Execution:
        """The execution, with what goes wrong in it. Raises InternalError where the core does not confirm it."""
        if len(self.events) > _core.LARGEST:
            raise LimitError(f"an execution of more than {_core.LARGEST} events cannot be judged")
        alone, locals_ = self._alone()
        ends = [self._end(thread, status) for thread, status in enumerate(alone)]
        deadlock = not any(status in _ERRORS for status, _ in ends) and self._is_deadlock(ends)
        if deadlock:
            ends = [(Status.BLOCKED, pc) if self._waits_at_lock(t) else (s, pc) for t, (s, pc) in enumerate(ends)]
        failing = self._failing()
        constraints = self.problem.model.constraints
        for number in failing:
            if not constraints[number].flag:
                self._differ(f"the model forbids it: {constraints[number].name}")
        trace = self._trace(ends, locals_, deadlock, failing)
        found = to_execution(self.problem, cast(_core.Trace, trace), whole=not any(s in _ERRORS for s, _ in ends))
        self._see_picks(found)
        if any(constraints[number].undefined for number in failing):
            undefined = undefined_behaviour(found, self.problem.model, self.problem.program.volatile)
            found = replace(found, violations=(*undefined, *found.violations))
        if not found.violations:
            self._differ("nothing goes wrong in it")
        return found

    def _differ(self, why: str) -> None:
        raise InternalError(f"the core does not confirm an execution that the solver has found: {why}")

    # ---- each thread alone

    def _value(self, event: Event) -> int:
        found = value_of(event.value, self.graph.holds)
        assert found is not None
        return found

    def _way(self, thread: int) -> Iterator[Passed]:
        """What a thread does, step by step."""
        trail = self._trails[thread]
        own = iter([event for event in self.events if event.thread == thread])
        coming = next(own, None)
        for step in self.encoding.unrolled.steps:
            if step.thread != thread or not self.graph.holds(step.guard):
                continue
            if step.chosen is not None:
                value = value_of(step.chosen, self.graph.holds)
                assert value is not None
                if value_of(step.chosen) is None:
                    self.inputs.append(Input(thread, step.pc, value, len(step.chosen) == WORD))
                trail.step(step.pc, ())
                yield Passed(step.pc, chosen=value)
                continue
            cell, read, written, success = self._not_freed(thread, step.pc), None, None, True
            here = coming is not None and coming.pc == step.pc
            numbers: list[int] = []
            while coming is not None and coming.pc == step.pc:
                cell = self.graph.objects[coming.number] if coming.objects else self.graph.cells[coming.number]
                read = self._value(coming) if coming.kind == "R" else read
                written = self._value(coming) if coming.kind == "W" else written
                is_update = coming.kind == "R" and coming.partner >= 0
                success = success and self.graph.holds(coming.success)
                numbers.append(coming.number)
                before, coming = coming, next(own, None)
                if not is_update or coming is None or coming.number != before.partner:
                    break
            trail.step(step.pc, numbers)
            yield Passed(step.pc, cell, read, written, happens=here, success=success)
        if coming is not None:
            self._differ("a thread has an event that its way does not have")

    def _not_freed(self, thread: int, pc: int) -> int:
        """The cell that a free is about which is an error for that, or -1."""
        for error in self.encoding.unrolled.errors:
            if (error.thread, error.pc) == (thread, pc) and error.cells and self.graph.holds(error.holds):
                return next(cell for cell, own in error.cells.items() if self.graph.holds(own))
        return -1

    def _alone(self) -> tuple[list[tuple[Status, int]], list[list[int]]]:
        """How each thread ends by itself on its way, as the core's machine says, and its locals then."""
        straight = Straight(self.code)
        for way in self._ways:
            straight.thread(way)
        own = replace(self.problem, code=straight.done(), observed=(), requirement=None)
        run = Run(own, Options(all_states=True, trace_limit=2))
        run.finish()
        traces = run.core.take_traces()
        if len(traces) != 1:
            self._differ("the threads do not go the ways that it says")
        (trace,) = traces
        ends = [(status, straight.origin[pc]) for status, pc in trace.ends]
        for (status, _), way in zip(ends, self._ways, strict=True):
            if status not in (Status.ENDED, *_ERRORS) and not (way and self._ends_blocked(way[-1], status)):
                self._differ("a thread does not go the way that it says")
        return ends, trace.locals

    def _ends_blocked(self, last: Passed, status: Status) -> bool:
        """Whether a thread may be blocked, or cut, at the last step of its way."""
        op = self.code.instructions[last.pc].op
        return (op in _BLOCKING and status is Status.BLOCKED) or (op in _CUTTING and status is Status.CUT)

    def _end(self, thread: int, alone: tuple[Status, int]) -> tuple[Status, int]:
        """How a thread ends, and where, as traces have it."""
        way = self._ways[thread]
        if not way:
            return Status.UNSTARTED, self.code.threads[thread].entry
        last = way[-1]
        status, _ = alone
        for error in self.encoding.unrolled.errors:
            if (error.thread, error.pc) == (thread, last.pc) and self.graph.holds(error.holds):
                self._confirm(error.kind, thread, last)
                if error.kind in _SHOWN:
                    return _SHOWN[error.kind], last.pc
        if status in _ERRORS:
            return status, last.pc
        op = self.code.instructions[last.pc].op
        if op is Op.END:
            return Status.ENDED, last.pc
        if status in (Status.BLOCKED, Status.CUT):
            return status, last.pc
        if not last.happens:  # at a lock or a join
            return Status.EVENT, last.pc
        cut = any(
            (place.thread, place.pc) == (thread, last.pc) and self.graph.holds(place.holds)
            for place in self.encoding.unrolled.cuts
        )
        return Status.CUT if cut else Status.BLOCKED, last.pc

    def _confirm(self, kind: ViolationKind, thread: int, last: Passed) -> None:
        """Sees at the graph that an error is one that a thread alone does not show."""
        own = [event for event in self.events if event.thread == thread]
        if kind == "uninitialised":
            source = self.graph.source[own[-1].number] if own else -1
            real = 0 <= source < len(self.code.cells) and self.code.cells[source].undefined
        elif kind == "destroyed":
            real = last.read is not None and last.read < 0
        elif kind == "bad-free":
            real = last.cell >= 0 and self.objects[last.cell] != last.cell
        elif kind == "unlock":
            operand = self.code.instructions[last.pc].a
            cell = self.code.constants[~operand] if operand < 0 else None
            before = [e for e in own if e.kind == "W" and (cell is None or self.graph.cells[e.number] == cell)]
            real = cell is None or not before or before[-1].partner < 0
        else:
            return
        if not real:
            self._differ(f"an error ({kind}) that is none")

    # ---- the graph

    def _waits_at_lock(self, thread: int) -> bool:
        way = self._ways[thread]
        return bool(way) and not way[-1].happens and self.code.instructions[way[-1].pc].op is Op.RMW

    def _is_deadlock(self, ends: Sequence[tuple[Status, int]]) -> bool:
        """Whether all threads end, wait at joins of others that do not, or at mutexes that stay held."""
        waiting = False
        for thread, (status, pc) in enumerate(ends):
            i = self.code.instructions[pc]
            if status in (Status.ENDED, Status.UNSTARTED):
                continue
            if status is not Status.EVENT:
                return False
            if i.op is Op.JOIN:
                if ends[i.a][0] is Status.ENDED:
                    return False
                continue
            if not self._stays_held(thread, pc):
                return False
            waiting = True
        return waiting

    def _stays_held(self, thread: int, pc: int) -> bool:
        """Whether the mutex that a thread waits for is not free in the end, nor destroyed."""
        for stand in self.encoding.unrolled.stands:
            if (stand.thread, stand.pc) == (thread, pc) and self.graph.holds(stand.holds):
                cells = [cell for cell, own in stand.cells.items() if self.graph.holds(own)]
                last = [self._value(self.graph.events[self.graph.mo_of(cell)[-1]]) for cell in cells]
                return bool(last) and last[0] > 0
        return False

    def _partner(self, event: Event) -> bool:
        """Whether an event is the read or the write of an update that writes."""
        return event.partner >= 0 and self.graph.is_there(event.partner)

    def _class(self, event: Event) -> int:
        failed = event.kind == "R" and event.failed_class >= 0 and not self.graph.holds(event.success)
        return event.failed_class if failed else event.event_class

    def _object(self, event: Event) -> int:
        """The allocated object that an event is about, by its first cell, or -1."""
        cell = self.graph.objects[event.number] if event.objects else self.graph.cells[event.number]
        if event.objects and self.objects[cell] != cell:
            self._differ("what is allocated or freed is no object")
        return self.objects[cell] if cell >= 0 else -1

    def _failing(self) -> list[int]:
        """The constraints and flags that the graph does not satisfy, as the core says."""
        place = {event.number: n for n, event in enumerate(self.events)}
        index = self._indices()
        events = [
            (_KINDS[e.kind], e.thread, self._class(e), cell, object_, 0, self._partner(e), partner, 0)
            for e in self.events
            for cell, object_ in [(self.graph.cells[e.number], self._object(e))]
            for partner in [index[self._pairs[e.number]] if e.number in self._pairs else -1]
        ]
        problem = self.problem
        every = [n for n, constraint in enumerate(problem.model.constraints) if not constraint.flag]
        plan = make_plan(problem.model, self.code.classes, every, False)
        rf = [(place[w], place[r]) for r, w in enumerate(self.graph.source) if w >= 0 and r in place]
        mo = [[place[n] for n in self.graph.mo_of(cell)] for cell in range(len(self.code.cells))]
        self._see_values()
        forks = [(place[a], place[b]) for a, b in self._forks()]
        threads, cells = len(self.code.threads), len(self.code.cells)
        addr, data, ctrl = (self._dependencies(kind, place) for kind in ("addr", "data", "ctrl"))
        return _core.failing(plan, threads, cells, events, rf, mo, addr, data, ctrl, forks)

    def _indices(self) -> dict[int, int]:
        """For each event its place in its thread."""
        counts: dict[int, int] = {}
        found = {}
        for event in self.events:
            found[event.number] = counts[event.thread] = counts.get(event.thread, -1) + 1
        return found

    def _dependencies(self, kind: str, place: Mapping[int, int]) -> list[tuple[int, int]]:
        """The pairs of a dependency, of events at these places."""
        pairs = ((other, event) for event, own in self.depends.items() for other in sorted(getattr(own, kind)))
        return [(place[other], place[event]) for other, event in pairs]

    def _see_picks(self, found: Execution) -> None:
        """Sees that the model allows what is only picked by what is read; of that the core is told nothing."""
        if any(own.picks for own in self.depends.values()):
            judge = Evaluator(found)
            for constraint in self.problem.model.constraints:
                if not constraint.flag and not judge.holds(constraint.condition):
                    self._differ(f"the model forbids it: {constraint.name}")

    def _see_values(self) -> None:
        """Sees that each read reads from one write to its cell, and what that writes; and that updates are atomic."""
        for event in self.events:
            if event.kind == "R":
                source = self.graph.source[event.number]
                write = self.graph.events[source]
                same = source >= 0 and self.graph.cells[source] == self.graph.cells[event.number]
                if not same or not self.graph.is_there(source) or self._value(write) != self._value(event):
                    self._differ("a read reads what is not written there")
                if self._partner(event):
                    order = self.graph.mo_of(self.graph.cells[source])
                    if order.index(event.partner) != order.index(source) + 1:
                        self._differ("something comes between the read and the write of an update")

    def _forks(self) -> Iterator[tuple[int, int]]:
        """Immediate program order between threads."""
        own: dict[int, list[int]] = {}
        for event in self.events:
            own.setdefault(event.thread, []).append(event.number)
        for event in self.events:
            if event.starts in own and event.starts >= 0:
                yield event.number, own[event.starts][0]
            if event.joins in own and event.joins >= 0:
                yield own[event.joins][-1], event.number

    def _trace(
        self, ends: list[tuple[Status, int]], locals_: list[list[int]], deadlock: bool, failing: list[int]
    ) -> Any:
        """The same as the core's traces have it; slots are an order in which it may have been built."""
        slots = self._slots()
        index = self._indices()
        events = []
        for event in self.events:
            source = self.graph.source[event.number]
            events.append(
                SimpleNamespace(
                    slot=slots[event.number],
                    number=index[event.number],
                    kind=_KINDS[event.kind],
                    thread=event.thread,
                    pc=event.pc,
                    event_class=self._class(event),
                    cell=self.graph.cells[event.number],
                    object=self._object(event),
                    rf=slots[source] if source >= 0 else -1,
                    value=self._value(event) if event.value else 0,
                    block=0,
                    part=0,
                )
            )
        none: list[tuple[int, int]] = []
        kinds = {kind: self._dependencies(kind, slots) for kind in ("addr", "data", "ctrl")}
        picks = [(slots[a], slots[b]) for b, own in self.depends.items() for a in own.picks if self._is_write(b)]
        return SimpleNamespace(
            events=events,
            mo=[[slots[n] for n in self.graph.mo_of(cell)] for cell in range(len(self.code.cells))],
            ends=ends,
            locals=locals_,
            rounds=[],
            deadlock=deadlock,
            rmw=[
                *((slots[e.number], slots[e.partner]) for e in self.events if e.kind == "R" and self._partner(e)),
                *((slots[read], slots[write]) for write, read in self._pairs.items()),
            ],
            forks=[(slots[a], slots[b]) for a, b in self._forks()],
            flags=failing,
            gathered=[],
            decided=[],
            pick_addr=none,
            pick_data=picks,
            pick_ctrl=none,
            **kinds,
        )

    def _is_write(self, number: int) -> bool:
        return self.graph.events[number].kind == "W"

    def _slots(self) -> dict[int, int]:
        """The events in an order in which none comes before what is before it in program order, or is read by it; where
        there is none, and the model allows that, in one in which none comes before what it depends on."""
        left = [event.number for event in self.events if event.thread != INITIAL]
        slots = {event.number: n for n, event in enumerate(e for e in self.events if e.thread == INITIAL)}
        found = _in_order(left, self._needed(by_program=True), slots)
        if found is None and self._buffering:
            found = _in_order(left, self._needed(by_program=False), slots)
        if found is None:
            self._differ("a value comes out of nothing")
        return found or slots

    def _needed(self, by_program: bool) -> dict[int, set[int]]:
        """What has to be before each event: what it reads from, and what comes before it in program order, or what it
        depends on."""
        needed: dict[int, set[int]] = {event.number: set() for event in self.events}
        for event in self.events:
            number = event.number
            if event.thread == INITIAL:
                continue
            if event.kind == "R":
                needed[number].add(self.graph.source[number])
            if by_program:
                for after in needed:
                    if self.encoding.po[number] >> after & 1:
                        needed[after].add(number)
                continue
            own = self.depends[number]
            needed[number] |= own.addr | own.data | own.way | own.picks
            if event.kind == "W" and self._partner(event) and self.code.rmws[self._rmw(event)].kind not in REPLACES:
                needed[number].add(event.partner)
            for other in self.events:
                if other.thread == event.thread and other.number > number and (own.addr or event.joins >= 0):
                    needed[other.number] |= own.addr if event.joins < 0 else own.addr | {number}
                if event.starts >= 0 and other.thread == event.starts:
                    needed[other.number].add(number)
                if event.joins >= 0 and other.thread == event.joins and other.joins >= 0:
                    needed[number].add(other.number)
            if event.joins >= 0:
                needed[number] |= self._trails[event.joins].way
        return needed

    def _rmw(self, event: Event) -> int:
        return self.code.instructions[event.pc].c


def _in_order(events: Sequence[int], needed: Mapping[int, set[int]], first: Mapping[int, int]) -> dict[int, int] | None:
    """The places of these events behind the first ones, each behind what it needs; None: there is no such order."""
    slots, left = dict(first), [*events]
    while left:
        ready = next((event for event in left if needed[event] <= slots.keys()), None)
        if ready is None:
            return None
        slots[ready] = len(slots)
        left.remove(ready)
    return slots
