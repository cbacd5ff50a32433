"""Handshakes on execution graphs: the events of a flag are added to an execution, and the model is asked again.

A handshake (a, b) is a write right behind the event that keeps the result of a, and a read of it right before the first
event of b. The client with the flag in its text has this execution exactly if the model allows the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Literal

from xgen.analyses.check.check import executions
from xgen.analyses.linearizability.clients import Client, Place
from xgen.analyses.linearizability.handshakes import ByPrograms, Order, Told, Under
from xgen.analyses.linearizability.programs import Structure, text_of
from xgen.clock import Clock, OutOfTime
from xgen.engine.problem import problem
from xgen.executions.execution import INITIAL, Event, Execution, Pairs
from xgen.memory.algebra import Model
from xgen.memory.evaluate import Evaluator
from xgen.memory.statics.base_order import load_buffering
from xgen.records import dataclass

PROBE = """_Atomic int {p}flag_1; int {p}result_1_1;
static void *{p}thread_1(void *{p}argument) {{
  atomic_store_explicit(&{p}flag_1, 1, memory_order_release);
  return {p}argument;
}}
static void *{p}thread_2(void *{p}argument) {{
  {p}result_1_1 = atomic_load_explicit(&{p}flag_1, memory_order_acquire);
  return {p}argument;
}}
int main(void) {{
  pthread_t {p}t1, {p}t2;
  pthread_create(&{p}t1, 0, {p}thread_1, 0);
  pthread_create(&{p}t2, 0, {p}thread_2, 0);
}}
"""
"""A program in which one can see what a flag is compiled to."""
Kind = Literal["R", "W", "F"]
GRAPHS = 20_000
"""Executions of a client that are kept; of more, each order is asked by a program."""


@dataclass(frozen=True)
class ByGraphs:
    """Asks the model about each execution with flags. `tags`: of their writes and reads; `ordered`: what comes before
    by program order and flags may not be after it in coherence, nor may it read from there; `cyclic`: program order and
    reads-from may be a cycle."""

    structure: Structure
    model: Model
    clock: Clock
    tags: Mapping[Kind, frozenset[str]]
    ordered: bool
    cyclic: bool
    programs: ByPrograms

    def of(self, client: Client) -> Under:
        """The executions are made when the first order is asked about."""
        known: list[Under] = []

        def under(order: Order, told: Told) -> bool:
            if not known:
                known.append(self._graphs(client) or self.programs.of(client))
            return known[0](order, told)

        return under

    def _graphs(self, client: Client) -> Under | None:
        """None: there are too many, or the model does not allow one as it is, as far as can be told here."""
        program = self.structure.program(text_of(self.structure, client))
        model = problem(program, self.model).model
        graphs: dict[Told, list[_Graph]] = {}
        number = 0
        for execution in executions(program, self.model):
            if self.clock.over():
                raise OutOfTime
            if not execution.complete:
                continue
            number += 1
            told = frozenset(self.structure.returned(client, execution.state).items())
            graphs.setdefault(told, []).append(_Graph(execution, self._ends(client, execution), model, self))
            if number > GRAPHS:
                return None
        if any(each and not each[0].allows(()) for each in graphs.values()):
            return None

        def under(order: Order, told: Told) -> bool:
            if self.clock.over():
                raise OutOfTime
            return any(graph.allows(order) for graph in graphs.get(told, ()))

        return under

    def _ends(self, client: Client, execution: Execution) -> dict[Place, int]:
        """The events that keep the results of the calls of threads."""
        names = {self.structure.name(place): place for place in client.parallel}
        return {
            names[event.variable]: number
            for number, event in enumerate(execution.events)
            if event.kind == "W" and event.thread >= 0 and event.variable in names
        }


def by_graphs(structure: Structure, model: Model, clock: Clock, ordered: bool) -> ByGraphs | None:
    """None where a flag is more than a write and a read: it has fences."""
    program = structure.program(PROBE.format(p=structure.prefix))
    flag = f"{structure.prefix}flag_1"
    for execution in executions(program, model):
        own = [e for e in execution.events if e.thread > 0 and e.variable != f"{structure.prefix}result_1_1"]
        if sorted(event.kind for event in own) != ["R", "W"] or any(event.variable != flag for event in own):
            return None
        tags = {event.kind: event.tags for event in own}
        cyclic = load_buffering(problem(program, model).model)[0]
        return ByGraphs(structure, model, clock, tags, ordered, cyclic, ByPrograms(structure, model, clock))
    return None


@dataclass
class _Graph:
    """An execution, where its calls begin and end, and what is known of its orders."""

    execution: Execution
    ends: Mapping[Place, int]
    model: Model
    way: ByGraphs
    known: dict[frozenset[tuple[Place, Place]], bool] = field(default_factory=dict)

    def allows(self, order: Order) -> bool:
        """Whether the model allows it with these flags; then it does with fewer."""
        key = frozenset(order)
        if key not in self.known:
            fewer = len(order) < 2 or (self.allows(order[:-1]) and self.allows(order[-1:]))
            self.known[key] = fewer and not self._is_impossible(order) and self._is_consistent(order)
        return self.known[key]

    @cached_property
    def starts(self) -> dict[Place, int]:
        """The first event of each call."""
        first: dict[int, int] = {}
        for number, event in enumerate(self.execution.events):
            first.setdefault(event.thread, number)
        events = self.execution.events
        return {
            (thread, k): self.ends[thread, k - 1] + 1 if k else first[events[end].thread]
            for (thread, k), end in self.ends.items()
        }

    @cached_property
    def after(self) -> dict[Place, set[int]]:
        """The events that each call's start comes to by program order and reads-from."""
        following: dict[int, list[int]] = {}
        for a, b in (*self.execution.po, *self.execution.rf):
            following.setdefault(a, []).append(b)
        found = {}
        for place, start in self.starts.items():
            seen, line = {start}, [start]
            while line:
                fresh = [b for b in following.get(line.pop(), ()) if b not in seen]
                seen.update(fresh)
                line += fresh
            found[place] = seen
        return found

    @cached_property
    def overtaken(self) -> set[tuple[Place, Place]]:
        """Pairs (b, a) of calls: an event of b, or behind it in its thread, is before one of a, or before that in its
        thread, in the order of all accesses to one place."""
        rank = {number: 2 * k for order in self.execution.mo for k, number in enumerate(order)}
        rank |= {read: rank[write] + 1 for write, read in self.execution.rf}
        events = self.execution.events
        places: dict[str | None, list[int]] = {}
        for number in rank:
            if events[number].thread > 0:
                places.setdefault(events[number].variable, []).append(number)
        found = set()
        for numbers in places.values():
            for x in numbers:
                for y in numbers:
                    if rank[x] < rank[y] and events[x].thread != events[y].thread:
                        found |= self._around(x, y)
        return found

    def _around(self, x: int, y: int) -> set[tuple[Place, Place]]:
        """The calls that begin no later than x in its thread, with those that end no sooner than y in its own."""
        events = self.execution.events
        begun = [b for b, n in self.starts.items() if events[n].thread == events[x].thread and n <= x]
        ended = [a for a, n in self.ends.items() if events[n].thread == events[y].thread and n >= y]
        return {(b, a) for b in begun for a in ended}

    def _is_impossible(self, order: Order) -> bool:
        """Whether no model of this kind allows it: by a cycle, which is seen at once."""
        if not self.way.cyclic and _is_cyclic(order, lambda b, a: self.ends[a] in self.after[b], lambda _b, _a: False):
            return True
        if not self.way.ordered:
            return False
        return _is_cyclic(order, lambda b, a: b[0] == a[0] and b[1] <= a[1], lambda b, a: (b, a) in self.overtaken)

    def _is_consistent(self, order: Order) -> bool:
        """Whether the model allows it, by its constraints."""
        evaluator = Evaluator(self.extended(order))
        return all(evaluator.holds(c.condition) for c in self.model.constraints if not c.flag)

    def extended(self, order: Order) -> Execution:
        """The execution with the events of the flags."""
        return _extended(self.execution, [(self.ends[a], self.starts[b]) for a, b in order], self.way.tags)


def _extended(execution: Execution, pairs: Sequence[tuple[int, int]], tags: Mapping[Kind, frozenset[str]]) -> Execution:
    """With a write right behind the first event of each pair, and a read of it right before the second one."""
    old = execution.events
    flags = [Event(INITIAL, -1, "W", f"a flag {k}", 0, frozenset({"init"}), None, "", -1) for k, _ in enumerate(pairs)]
    events: list[Event] = [*flags]
    place: dict[int, int] = {}
    writes, reads = {}, {}

    def added(kind: Kind, k: int, near: Event) -> int:
        events.append(replace(near, kind=kind, variable=f"a flag {k}", value=1, tags=tags[kind], block=0, object=None))
        return len(events) - 1

    for number, event in enumerate(old):
        for k, (_, start) in enumerate(pairs):
            if start == number:
                reads[k] = added("R", k, event)
        place[number] = len(events)
        events.append(event)
        for k, (end, _) in enumerate(pairs):
            if end == number:
                writes[k] = added("W", k, event)
    count: dict[int, int] = {}
    for number, event in enumerate(events):
        if event.thread != INITIAL:
            events[number] = replace(event, index=count.get(event.thread, 0))
            count[event.thread] = count.get(event.thread, 0) + 1
    edges: dict[int, list[int]] = {}
    for number, event in enumerate(events):
        edges.setdefault(event.thread, []).append(number)

    def moved(pairs: Pairs) -> Pairs:
        return tuple((place[a], place[b]) for a, b in pairs)

    starts = set(execution.starts)
    forks = [
        (place[a], edges[old[b].thread][0]) if (a, b) in starts else (edges[old[a].thread][-1], place[b])
        for a, b in execution.forks
    ]
    return replace(
        execution,
        events=tuple(events),
        rf=(*moved(execution.rf), *((writes[k], reads[k]) for k in writes)),
        mo=(*(tuple(place[n] for n in order) for order in execution.mo), *((k, writes[k]) for k in writes)),
        forks=tuple(forks),
        rmw=moved(execution.rmw),
        addr=moved(execution.addr),
        data=moved(execution.data),
        ctrl=moved(execution.ctrl),
        pick_addr=moved(execution.pick_addr),
        pick_data=moved(execution.pick_data),
        pick_ctrl=moved(execution.pick_ctrl),
        decided=(),
    )


def _is_cyclic(order: Order, leads: Callable[[Place, Place], bool], overtakes: Callable[[Place, Place], bool]) -> bool:
    """Whether flags and what leads from the start of a call to the end of another one go round, with at most one step
    in which a call overtakes another one."""
    steps: dict[tuple[int, bool], list[tuple[int, bool]]] = {}
    for i, (_, b) in enumerate(order):
        for used in (False, True):
            steps[i, used] = [(j, used) for j, (a, _) in enumerate(order) if leads(b, a)]
        steps[i, False] += [(j, True) for j, (a, _) in enumerate(order) if overtakes(b, a)]
    for i, _ in enumerate(order):
        seen, line = set[tuple[int, bool]](), [(i, False)]
        while line:
            for state in steps[line.pop()]:
                if state[0] == i:
                    return True
                if state not in seen:
                    seen.add(state)
                    line.append(state)
    return False
