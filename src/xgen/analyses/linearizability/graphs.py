"""Handshakes on execution graphs: the events of a flag are added to an execution, and the model is asked again.

A handshake (a, b) is a write right behind the event that keeps the result of a, and a read of it right before the first
event of b. The client with the flag in its text has this execution exactly if the model allows the graph.

Of each execution the core tells what is known of the order of its calls (src/core/search/calls.hpp, `Words` here); so
most flags are seen to be impossible at once, and no graphs are made where all are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Literal

from xgen._core import Halt
from xgen.analyses.check.check import executions
from xgen.analyses.check.question import Question
from xgen.analyses.check.result import result_of
from xgen.analyses.linearizability.clients import Client, Slot
from xgen.analyses.linearizability.handshakes import ByPrograms, Explored, Order, Told, Under, never
from xgen.analyses.linearizability.programs import CLIENT, Structure, text_of
from xgen.analyses.linearizability.sequential import ended
from xgen.clock import Clock, OutOfTime
from xgen.engine.graphs.found import found_by
from xgen.engine.graphs.options import Calls, Options
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.graphs.symmetry import like_threads_of
from xgen.engine.problem import Problem, problem
from xgen.executions.execution import INITIAL, Event, Execution, Pairs
from xgen.lowering.analysis.symmetry import Like
from xgen.lowering.code import Site
from xgen.memory.algebra import Model
from xgen.memory.evaluate import Evaluator
from xgen.memory.ready import facts
from xgen.records import dataclass, replace

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
FIRST = 1_000_000_000
"""So much work (Run.work) is done before it is asked whether that is enough."""
GRAPHS = 20_000
"""Executions of a client that are kept; of more, each order is asked by a program."""
RELEASES, ACQUIRES = frozenset({"release", "acq_rel", "seq_cst"}), frozenset({"acquire", "acq_rel", "seq_cst"})
"""The orders of accesses by which two threads agree."""
Words = tuple[int, ...]
"""What is known of the order of calls: a word for each, with three sets of calls (src/core/search/calls.hpp)."""


@dataclass(frozen=True)
class ByGraphs:
    """Asks the model about each execution with flags. `tags`: of their writes and reads; `ordered`: what comes before
    by program order and flags may not be after it in coherence, nor may it read from there; `total`: that all accesses
    have one order is all that the model asks for; `cyclic`: program order and reads-from may be a cycle."""

    structure: Structure
    model: Model
    clock: Clock
    tags: Mapping[Kind, frozenset[str]]
    ordered: bool
    total: bool
    cyclic: bool
    programs: ByPrograms

    def explored(self, client: Client, by_names: bool = False, enough: Callable[[], bool] = never) -> Explored | None:
        """All executions, with what each tells of the order of its calls."""
        asked = problem(self.structure.program(text_of(self.structure, client)), self.model)
        like = self._like(client, asked) if by_names else None
        enough = cache(enough)  # it is asked once
        run = self._run(client, asked, like, enough)
        if run is not None and run.halt == Halt.UNLIKE:
            run = self._run(client, asked, None, enough)
        if run is None:
            return None
        result = result_of(asked, run.options, found_by(run), run.seconds)
        if result.stopped is None and not result.outcomes_complete:
            return self.programs.explored(client, by_names, enough)
        found: dict[Told, set[Words]] = {}
        for state, words in () if result.stopped else run.calls():
            found.setdefault(frozenset(self.structure.returned(client, state).items()), set()).add(words)
        number = {call: n for n, call in enumerate(client.parallel)}
        least = {told: _least(every) for told, every in found.items()}
        alike = run.options.like
        names = alike.names if alike else 1
        few = result.executions * names <= GRAPHS
        return Explored(ended(result), list(found), _OnGraphs(self, client, asked, number, least, few))

    def _like(self, client: Client, asked: Problem) -> Like:
        """The threads that do the same but for the values that they put."""
        puts = {operation.name for operation in self.structure.interface.of("put")}
        names = {self.structure.name(slot) for slot, call in client.calls.items() if call.name not in puts}
        results = [number for number, cell in enumerate(asked.code.cells) if cell.name in names]
        values = {call.argument for call in client.calls.values() if call.name in puts and call.argument is not None}
        return like_threads_of(asked, lambda pc: _is_the_clients(asked.code.sites[pc]), results, values)

    def _run(self, client: Client, asked: Problem, like: Like | None, enough: Callable[[], bool]) -> Run | None:
        options = Question(classes="off").options(self.clock.left(0.01))
        run = Run(asked, replace(options, calls=self._calls(client, asked), like=like))
        ended = False
        while not ended and run.work < FIRST:
            ended = run.ends_within(SLICE, FIRST)
        if not ended:
            if enough():
                return None
            run.finish()
        return run

    def _calls(self, client: Client, asked: Problem) -> Calls:
        cells = {cell.name: number for number, cell in enumerate(asked.code.cells)}
        ends = tuple(cells[self.structure.name(slot)] for slot in client.parallel)
        if self.total:
            return Calls(ends, leads=True, total=True)
        return Calls(ends, not self.cyclic, False, *(RELEASES, ACQUIRES) if self.ordered else ())

    def graphs(self, client: Client, asked: Problem) -> Mapping[Told, Mapping[Words, Sequence[_Graph]]] | None:
        """The executions of a client by histories and what they tell of the order of calls. None: there are too many,
        or the model does not allow one as it is, as far as can be told here."""
        run = Run(asked, Options(None, all_states=True, trace_limit=256, stream=True, calls=self._calls(client, asked)))
        found: dict[Told, dict[Words, list[_Graph]]] = {}
        number, more = 0, True
        while more:
            more = run.advance()
            for words, execution in run.complete_with_calls():
                told = frozenset(self.structure.returned(client, execution.state).items())
                graph = _Graph(execution, self._ends(client, execution), asked.model, self)
                found.setdefault(told, {}).setdefault(words, []).append(graph)
                number += 1
            if self.clock.over():
                raise OutOfTime
            if number > GRAPHS:
                return None
        if not all(next(iter(alike.values()))[0].allows(()) for alike in found.values()):
            return None
        return found

    def _ends(self, client: Client, execution: Execution) -> dict[Slot, int]:
        """The events that keep the results of the calls of threads."""
        names = {self.structure.name(slot): slot for slot in client.parallel}
        return {
            names[event.variable]: number
            for number, event in enumerate(execution.events)
            if event.kind == "W" and event.thread >= 0 and event.variable in names
        }


def _is_the_clients(site: Site) -> bool:
    """Whether an instruction is of the client's own text: that does with values what it does with all from 1 on."""
    return site.position.source is not None and site.position.source.name == CLIENT


def by_graphs(structure: Structure, model: Model, clock: Clock, *, ordered: bool, total: bool) -> ByGraphs | None:
    """None where a flag is more than a write and a read: it has fences."""
    program = structure.program(PROBE.format(p=structure.prefix))
    flag = f"{structure.prefix}flag_1"
    for execution in executions(program, model):
        own = [e for e in execution.events if e.thread > 0 and e.variable != f"{structure.prefix}result_1_1"]
        if sorted(event.kind for event in own) != ["R", "W"] or any(event.variable != flag for event in own):
            return None
        tags = {event.kind: event.tags for event in own}
        cyclic = facts(problem(program, model).model).buffering
        return ByGraphs(structure, model, clock, tags, ordered, total, cyclic, ByPrograms(structure, model, clock))
    return None


@dataclass(frozen=True)
class _OnGraphs:
    """What the executions of a client tell of the order of its calls, by histories: of those that tell more than
    another, nothing. `asked`: the client's problem; `number`: that of each call there; `few`: there are so few that
    they may be kept. Where they tell little (not `way.ordered`), what may be is what is."""

    way: ByGraphs
    client: Client
    asked: Problem
    number: Mapping[Slot, int]
    words: Mapping[Told, frozenset[Words]]
    few: bool
    left: dict[tuple[Order, Told], tuple[Words, ...]] = field(default_factory=dict)

    def may(self, order: Order, told: Told) -> bool:
        return bool(self._left(order, told)) if self.way.ordered else self(order, told)

    def __call__(self, order: Order, told: Told) -> bool:
        if not self._left(order, told):
            return False
        if self.way.total:
            return True
        if self.graphs is None:
            return self.programs(order, told)
        pairs = self._pairs(order)
        for words, graphs in self.graphs[told].items():
            for graph in graphs if all(_allows(words, pairs[: n + 1]) for n, _ in enumerate(pairs)) else ():
                if self.way.clock.over():
                    raise OutOfTime
                if graph.allows(order):
                    return True
        return False

    def renamed(self, told: Told, other: Told, slots: Mapping[Slot, Slot]) -> bool:
        """Whether the executions of a history tell what those of another one do, but for the names of calls."""
        if not self.way.ordered or other not in self.words:
            return False
        to = [self.number[slots[call]] for call in self.client.parallel]
        return self.words[other] == {_moved(words, to) for words in self.words[told]}

    @cached_property
    def graphs(self) -> Mapping[Told, Mapping[Words, Sequence[_Graph]]] | None:
        return self.way.graphs(self.client, self.asked) if self.few else None

    @cached_property
    def programs(self) -> Under:
        return self.way.programs.under(self.client)

    def _pairs(self, order: Order) -> list[tuple[int, int]]:
        return [(self.number[a], self.number[b]) for a, b in order]

    def _left(self, order: Order, told: Told) -> tuple[Words, ...]:
        """What is left of what executions tell that goes with an order: of what goes with all but the last pair."""
        if not order:
            return tuple(self.words.get(told, ()))
        key = (order, told)
        if key not in self.left:
            if self.way.clock.over():
                raise OutOfTime
            pairs = self._pairs(order)
            self.left[key] = tuple(words for words in self._left(order[:-1], told) if _allows(words, pairs))
        return self.left[key]


def _least(words: Collection[Words]) -> frozenset[Words]:
    """Those that do not tell more than another: what goes with one that does goes with that, too."""
    found: list[Words] = []
    for each in sorted(words, key=lambda w: sum(map(int.bit_count, w))):
        if not any(all(less & ~more == 0 for less, more in zip(other, each, strict=True)) for other in found):
            found.append(each)
    return frozenset(found)


def _moved(words: Words, to: Sequence[int]) -> Words:
    """The words of the same calls by other numbers."""
    number = len(words)
    found = [0] * number
    for b, word in enumerate(words):
        for a in range(number):
            for part in range(3):
                found[to[b]] |= (word >> part * number + a & 1) << part * number + to[a]
    return tuple(found)


def _allows(words: Words, order: Sequence[tuple[int, int]]) -> bool:
    """Whether the last flag of an order closes no cycle with the others and what is known: of what leads from the start
    of a call to the end of another one; nor of what is known there, with one step at most that overtakes."""
    number, last = len(words), len(order) - 1
    for shift, steps in ((0, 1), (number, 2)):
        seen, line = {(last, 1)}, [(last, 1)]
        while line:
            i, step = line.pop()
            word = words[order[i][1]]
            leads, overtakes = word >> shift, word >> 2 * number if step < steps else 0
            for j, (a, _) in enumerate(order):
                if leads >> a & 1:
                    state = (j, step)
                elif overtakes >> a & 1:
                    state = (j, step + 1)
                else:
                    continue
                if j == last:
                    return False
                if state not in seen:
                    seen.add(state)
                    line.append(state)
    return True


@dataclass
class _Graph:
    """An execution, and where its calls begin and end."""

    execution: Execution
    ends: Mapping[Slot, int]
    model: Model
    way: ByGraphs
    known: dict[frozenset[tuple[Slot, Slot]], bool] = field(default_factory=dict)

    def allows(self, order: Order) -> bool:
        """Whether the model allows it with these flags, by its constraints."""
        key = frozenset(order)
        if key not in self.known:
            evaluator = Evaluator(self.extended(order))
            self.known[key] = all(evaluator.holds(c.condition) for c in self.model.constraints if not c.flag)
        return self.known[key]

    @cached_property
    def starts(self) -> dict[Slot, int]:
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
