"""Handshakes on execution graphs: the events of a flag are added to an execution, and the model is asked again.

A handshake (a, b) is a write right behind the event that keeps the result of a, and a read of it right before the first
event of b. The client with the flag in its text has this execution exactly if the model allows the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, reduce
from itertools import chain
from operator import or_
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
RELEASES, ACQUIRES = frozenset({"release", "acq_rel", "seq_cst"}), frozenset({"acquire", "acq_rel", "seq_cst"})
"""The orders of accesses by which two threads agree."""


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
        return _Later(lambda: self.graphs(client) or self.programs.of(client))

    def graphs(self, client: Client) -> _OnGraphs | None:
        """The executions of a client. None: there are too many, or the model does not allow one as it is, as far as can
        be told here."""
        program = self.structure.program(text_of(self.structure, client))
        model = problem(program, self.model).model
        graphs: dict[Told, dict[_Tables, list[_Graph]]] = {}
        for number, execution in enumerate(executions(program, self.model, complete=True)):
            if self.clock.over():
                raise OutOfTime
            told = frozenset(self.structure.returned(client, execution.state).items())
            graph = _Graph(execution, self._ends(client, execution), model, self)
            graphs.setdefault(told, {}).setdefault(graph.tables, []).append(graph)
            if number >= GRAPHS:
                return None
        if not all(next(iter(alike.values()))[0].allows(()) for alike in graphs.values()):
            return None
        return _OnGraphs(self.clock, self.ordered, graphs)

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


@dataclass(frozen=True)
class _Later:
    """What is made when the first order is asked about."""

    make: Callable[[], Under]

    @cached_property
    def under(self) -> Under:
        return self.make()

    def may(self, order: Order, told: Told) -> bool:
        return self.under.may(order, told)

    def __call__(self, order: Order, told: Told) -> bool:
        return self.under(order, told)


@dataclass(frozen=True)
class _OnGraphs:
    """The executions of a client by histories and tables. Where tables say little (`telling` is false), what may be is
    what is."""

    clock: Clock
    telling: bool
    graphs: Mapping[Told, Mapping[_Tables, Sequence[_Graph]]]

    left: dict[tuple[Order, Told], tuple[_Tables, ...]] = field(default_factory=dict)

    def may(self, order: Order, told: Told) -> bool:
        return bool(self._left(order, told)) if self.telling else self(order, told)

    def __call__(self, order: Order, told: Told) -> bool:
        for tables in self._left(order, told):
            for graph in self.graphs[told][tables]:
                if self.clock.over():
                    raise OutOfTime
                if graph.allows(order):
                    return True
        return False

    def _left(self, order: Order, told: Told) -> tuple[_Tables, ...]:
        """The tables that allow an order: of those that allow all but the last pair of it."""
        if not order:
            return tuple(self.graphs.get(told, ()))
        key = (order, told)
        if key not in self.left:
            if self.clock.over():
                raise OutOfTime
            self.left[key] = tuple(tables for tables in self._left(order[:-1], told) if tables.allow(order))
        return self.left[key]


@dataclass(frozen=True)
class _Tables:
    """Orders between the calls of an execution, by which flags are seen to be impossible at once, by a cycle. Pairs
    (b, a) of calls:

    leads      the start of b comes to the end of a by program order and reads-from; empty where the model allows cycles
               of these
    knows      the same, but where threads read from each other the one released and the other acquired
    overtaken  from the start of b one knows of an access that is before another one to the same place, of which one
               knows at the end of a; both are empty where the model does not forbid such a cycle
    """

    leads: frozenset[tuple[Place, Place]]
    knows: frozenset[tuple[Place, Place]]
    overtaken: frozenset[tuple[Place, Place]]

    def allow(self, order: Order) -> bool:
        """Whether the last flag closes no cycle with these and the others."""
        nothing = frozenset[tuple[Place, Place]]()
        return not _closes(order, self.leads, nothing) and not _closes(order, self.knows, self.overtaken)


@dataclass
class _Graph:
    """An execution, where its calls begin and end, and what is known of its orders."""

    execution: Execution
    ends: Mapping[Place, int]
    model: Model
    way: ByGraphs
    known: dict[frozenset[tuple[Place, Place]], bool] = field(default_factory=dict)

    def allows(self, order: Order) -> bool:
        """Whether the model allows it with these flags, by its constraints."""
        key = frozenset(order)
        if key not in self.known:
            evaluator = Evaluator(self.extended(order))
            self.known[key] = all(evaluator.holds(c.condition) for c in self.model.constraints if not c.flag)
        return self.known[key]

    @cached_property
    def tables(self) -> _Tables:
        """What is seen of it at once."""
        nothing = frozenset[tuple[Place, Place]]()
        execution, way = self.execution, self.way
        leads = nothing if way.cyclic else self._pairs(_reached(execution.po, execution.rf))
        if not way.ordered:
            return _Tables(leads, nothing, nothing)
        tags = [event.tags for event in execution.events]
        agreed = [(w, r) for w, r in execution.rf if tags[w] & RELEASES and tags[r] & ACQUIRES]
        known = _reached(execution.po, agreed)
        return _Tables(leads, self._pairs(known), self._overtaken(known))

    def _pairs(self, reached: Mapping[int, int]) -> frozenset[tuple[Place, Place]]:
        """The pairs (b, a) of calls of which the start of b reaches the end of a."""
        return frozenset(
            (b, a) for b, start in self.starts.items() for a, end in self.ends.items() if reached[start] >> end & 1
        )

    def _overtaken(self, known: Mapping[int, int]) -> frozenset[tuple[Place, Place]]:
        """The pairs (b, a) of calls in which b starts before an access that comes before one that is before the end
        of a."""
        rank = {number: (k, 2 * n) for k, order in enumerate(self.execution.mo) for n, number in enumerate(order)}
        rank |= {read: (rank[write][0], rank[write][1] + 1) for write, read in self.execution.rf}
        own = [(number, at) for number, at in rank.items() if self.execution.events[number].thread != INITIAL]
        first, last = dict[Place, dict[int, int]](), dict[Place, dict[int, int]]()
        for b, start in self.starts.items():
            first[b] = {}
            for number, (place, n) in own:
                if known[start] >> number & 1:
                    first[b][place] = min(first[b].get(place, n), n)
        for a, end in self.ends.items():
            last[a] = {}
            for number, (place, n) in own:
                if known[number] >> end & 1:
                    last[a][place] = max(last[a].get(place, n), n)
        return frozenset(
            (b, a)
            for b, lowest in first.items()
            for a, highest in last.items()
            if any(n < highest.get(place, n) for place, n in lowest.items())
        )

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


def _reached(*steps: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each event those that steps lead to, and itself, as a set of bits. Steps make no cycle."""
    following: dict[int, list[int]] = {}
    for a, b in chain(*steps):
        following.setdefault(a, []).append(b)
        following.setdefault(b, [])
    found: dict[int, int] = {}
    for event in following:
        line = [event]
        while line:
            missing = [b for b in following[line[-1]] if b not in found]
            if missing:
                line += missing
            elif (done := line.pop()) not in found:
                found[done] = reduce(or_, (found[b] for b in following[done]), 1 << done)
    return found


def _closes(order: Order, leads: Collection[tuple[Place, Place]], overtaken: Collection[tuple[Place, Place]]) -> bool:
    """Whether the last flag closes a cycle of flags and what leads from the start of a call to the end of another one,
    with at most one step in which a call overtakes another one."""
    last = len(order) - 1
    seen, line = {(last, False)}, [(last, False)]
    while line:
        i, used = line.pop()
        b = order[i][1]
        for j, (a, _) in enumerate(order):
            if (b, a) in leads:
                state = (j, used)
            elif not used and (b, a) in overtaken:
                state = (j, True)
            else:
                continue
            if j == last:
                return True
            if state not in seen:
                seen.add(state)
                line.append(state)
    return False
