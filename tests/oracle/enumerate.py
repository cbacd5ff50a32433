"""All executions of a program that a memory model allows, by brute force.

Step by step, as the definitions go:

1. each thread is run on its own, for every sequence of values that its reads could see (`traces_of_threads`);
2. one such trace of each thread, in every combination, gives the events of an execution;
3. each read reads from every write of its variable with its value, in every combination: rf;
4. the writes of each variable are put in every order, the initial one first, and that of a read-modify-write right
   after the write that its read reads from: mo;
5. what has a cycle in po and rf is dropped (with `load_buffering`: what has one in dependencies and rf), and so is what
   the model forbids.

Nothing is dropped early but what can be seen to be impossible from less: a combination of traces that leaves a read
without a write, a model's constraint on rf alone before all the modification orders are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, count, pairwise, permutations, product
from typing import Literal, NamedTuple, TypeVar

from oracle.evaluate import INITIAL, Evaluator, Event, Pair, is_acyclic, stage, terms_of
from oracle.expressions import Value, value_of
from oracle.programs import (
    Automaton,
    Block,
    EventStatement,
    Fence,
    Give,
    Load,
    Mutex,
    MutexFence,
    Program,
    Rmw,
    Store,
    StoreExclusive,
    Take,
    Thread,
    count_stores,
    has_loop,
    parts_of,
)
from oracle.running import Choices, Dependencies, End, Pause, State, expected_value, new_value, resume, settle, start
from xgen.memory.algebra import Condition, Model, Op

Place = tuple[int, int] | tuple[int, str]
"""The identity of an event: thread and index, or INITIAL and the variable."""
Cell = tuple[str, Value]
T = TypeVar("T")
Domain = dict[str, set[Value]]


class TooManyError(Exception):
    """A program has more candidate executions than the caller wants to look at."""


class EventKey(NamedTuple):
    """What a thread did: the kind of event, its variable and value, its tags."""

    kind: Literal["R", "W", "F"]
    variable: str | None
    value: Value | None
    tags: frozenset[str]


class Trace(NamedTuple):
    """One thread's part of an execution: its events, how it ended, its choices, what each event depends on.

    `inside` is the number of the atomic block in the middle of which it was stopped, or 0.
    """

    events: tuple[EventKey, ...]
    end: End
    choices: Choices = ()
    dependencies: tuple[Dependencies, ...] = ()
    inside: int = 0

    @property
    def writes(self) -> list[Cell]:
        """The values written, by variable."""
        return [(event.variable, event.value) for event in self.events if event.kind == "W"]  # type: ignore[misc]

    @property
    def reads(self) -> list[Cell]:
        """The values read, by variable."""
        return [(event.variable, event.value) for event in self.events if event.kind == "R"]  # type: ignore[misc]


class Execution(NamedTuple):
    """An execution, in a form that is equal for equal executions.

    `rf` is the place of the write and the place of the read; `mo` has the writes of each variable that is written to.
    """

    threads: tuple[Trace, ...]
    rf: frozenset[tuple[Place, Place]]
    mo: frozenset[tuple[Place, ...]]

    @property
    def kind(self) -> str:
        """complete, blocked or bounded (where a thread is bounded and another one blocked: bounded)."""
        ends = {trace.end for trace in self.threads}
        return "bounded" if "bounded" in ends else "blocked" if "blocked" in ends else "complete"

    @property
    def violates(self) -> bool:
        """Whether some thread ended in an error, or all that are blocked wait for mutexes that stay locked."""
        blocked = [number for number, trace in enumerate(self.threads) if trace.end == "blocked"]
        deadlock = bool(blocked) and self.kind == "blocked" and all(map(self.is_deadlocked, blocked))
        return deadlock or any(trace.end == "error" for trace in self.threads)

    def is_deadlocked(self, thread: int) -> bool:
        """Whether a blocked thread has found a mutex locked by the last of the writes to it."""
        events = self.threads[thread].events
        if not events or events[-1].kind != "R" or events[-1].tags != {"lock", "failed"}:
            return False
        (source,) = (write for write, read in self.rf if read == (thread, len(events) - 1))
        return any(order[-1] == source for order in self.mo)

    def seen_from_outside(self) -> Execution:
        """The same execution, with choices and dependencies forgotten."""
        return self._replace(threads=tuple(Trace(trace.events, trace.end) for trace in self.threads))


def keys_of_events(event: EventStatement, state: State, read: Value | None = None) -> tuple[EventKey, ...]:
    """The events that a statement does in the state given: of an RMW, there can be two."""
    match event:
        case Load(_, variable, order, exclusive):
            tags = [*([order] if order else []), *(["exclusive"] if exclusive else [])]
            return (EventKey("R", str(variable), read, frozenset(tags)),)
        case Store(variable, expr, order):
            value = value_of(expr, state.env)
            return (EventKey("W", str(variable), value, frozenset([order] if order else [])),)
        case StoreExclusive(_, variable, expr, order):
            tags = ["exclusive", *([order] if order else [])]
            return (EventKey("W", str(variable), value_of(expr, state.env), frozenset(tags)),)
        case Take(name) if read == 0:
            tags = ["lock", "rmw"]
            return EventKey("R", name, 0, frozenset(tags)), EventKey("W", name, 1, frozenset(tags))
        case Take(name):
            return (EventKey("R", name, read, frozenset(["lock", "failed"])),)
        case Give(name):
            return (EventKey("W", name, 0, frozenset(["unlock"])),)
        case Fence(tag) | MutexFence(tag):
            return (EventKey("F", None, None, frozenset([tag] if tag else [])),)
    assert read is not None
    both, name = frozenset([*event.orders[:1], "rmw"]), str(event.variable)
    written = both | {"compared"} if event.picks else both if event.op in ("exchange", "cas") else both | {"computed"}
    try:
        new = new_value(event, state, read)
    except ArithmeticError:
        return (EventKey("R", name, read, both),)
    if new is None:
        return (EventKey("R", name, read, frozenset([*event.orders[-1:], "failed"])),)
    return EventKey("R", name, read, both), EventKey("W", name, new, written)


def traces_of_thread(
    auto: Automaton, state: State, domain: Domain, max_depth: int | None, hopeful: bool = False
) -> Iterator[Trace]:
    """All traces of one thread when each read may see each of the values that `domain` has for its variable.

    With `hopeful`, a cas may see what it hopes for as well.
    """

    def extend(state: State, events: tuple[EventKey, ...]) -> Iterator[Trace]:
        for pause in settle(auto, state):
            if pause.end is not None:
                inside = pause.state.block if pause.end == "blocked" else 0
                yield Trace(events, pause.end, pause.state.choices, pause.state.events, inside)
            elif max_depth is not None and len(events) + (2 if isinstance(pause.event, Rmw | Take) else 1) > max_depth:
                yield Trace(events, "bounded", pause.state.choices, pause.state.events, pause.state.block)
            else:
                yield from step(pause, events)

    def step(pause: Pause, events: tuple[EventKey, ...]) -> Iterator[Trace]:
        assert pause.event is not None
        reads = isinstance(pause.event, Load | Rmw | Take)
        guesses: set[Value | None] = set(domain[str(pause.event.variable)]) if reads else {None}
        if hopeful and isinstance(pause.event, Rmw) and pause.event.op == "cas":
            guesses |= {expected_value(pause.event, pause.state)} - {None}
        for guess in sorted(guesses) if reads else guesses:
            yield from extend(resume(pause, guess), (*events, *keys_of_events(pause.event, pause.state, guess)))

    return extend(state, ())


def most_writes(program: Program, max_depth: int | None) -> int:
    """A bound on the number of writes (initial ones aside) in an execution."""
    total = 0
    for thread in program.threads:
        if not has_loop(thread.body):
            total += count_stores(thread.body)
        elif max_depth is not None:
            total += max_depth
        else:
            raise ValueError("a program with a loop needs a bound on its depth")
    return total


def traces_of_threads(program: Program, max_depth: int | None, limit: int | None = None) -> list[list[Trace]]:
    """All traces of each thread, with reads that see initial values and whatever any thread may write.

    A value that takes n writes to come about is found in the n-th round, so that there need be no more rounds than an
    execution has writes. (That no value comes out of thin air is what makes this right with load buffering.) A cas
    that fails leaves room below the bound for a write that it may read: values come from runs twice as deep. What one
    hopes to read may be computed from what it writes: it succeeds wherever values are looked for.
    """
    domain: Domain = {variable.name: {variable.initial} for variable in program.cells}
    deep = max_depth if max_depth is None or not any(map(has_cas, program.threads)) else 2 * max_depth

    def traces(depth: int | None, hopeful: bool = False) -> list[list[Trace]]:
        return [
            list(up_to(limit, traces_of_thread(auto, start(thread), domain, depth, hopeful)))
            for thread, auto in zip(program.threads, program.automata, strict=True)
        ]

    for _ in range(most_writes(program, deep)):
        written = {cell for thread in traces(deep, True) for trace in thread for cell in trace.writes}
        if all(value in domain[variable] for variable, value in written):
            break
        for variable, value in written:
            domain[variable].add(value)
    return traces(max_depth)


def has_cas(thread: Thread) -> bool:
    """Whether there is a cas or a store exclusive, which can fail, in a thread's text."""

    def inside(block: Block) -> bool:
        return any(
            (isinstance(statement, Rmw) and statement.op == "cas")
            or isinstance(statement, StoreExclusive | Mutex)
            or any(map(inside, parts_of(statement)))
            for statement in block
        )

    return inside(thread.body)


def up_to(limit: int | None, items: Iterable[T]) -> Iterator[T]:
    """The items; a TooManyError is raised where there are more than `limit`."""
    for number, item in enumerate(items):
        if limit is not None and number >= limit:
            raise TooManyError
        yield item


def combinations_of_traces(
    program: Program, threads: list[list[Trace]], limit: int | None = None
) -> Iterator[tuple[Trace, ...]]:
    """One trace for each thread, in every combination in which each value read is initial or written by someone.

    A TooManyError is raised where that means to look at more than 50 times `limit` partial combinations.
    """
    steps = count()
    initial = {(variable.name, variable.initial) for variable in program.cells}
    cells = [[(trace, set(trace.reads), set(trace.writes)) for trace in thread] for thread in threads]
    possible = [set().union(*(writes for _, _, writes in thread)) for thread in cells]
    later = [set().union(*possible[number + 1 :]) for number in range(len(cells))]

    def extend(chosen: tuple[Trace, ...], needed: set[Cell], written: set[Cell]) -> Iterator[tuple[Trace, ...]]:
        number = len(chosen)
        if number == len(cells):
            yield chosen
            return
        for trace, reads, writes in cells[number]:
            if limit is not None and next(steps) > 50 * limit:
                raise TooManyError
            missing = (needed | reads) - written - writes
            if missing <= later[number]:
                yield from extend((*chosen, trace), missing, written | writes)

    return extend((), set(), initial)


def executions(
    program: Program,
    model: Model,
    max_depth: int | None = None,
    load_buffering: bool = False,
    limit: int | None = None,
    unaddressed: bool = False,
) -> Iterator[Execution]:
    """All executions, each once: complete, blocked and bounded ones. For `unaddressed` see `base_order`.

    `max_depth` is the number of events after which a thread is cut. A TooManyError is raised where more than `limit`
    combinations of traces, reads-from and modification orders would have to be looked at, or more traces of a thread.
    """
    threads = traces_of_threads(program, max_depth, limit)
    candidates = (
        found
        for traces in combinations_of_traces(program, threads, limit)
        for found in executions_of_traces(program, traces, model, load_buffering, unaddressed)
    )
    for found in up_to(limit, candidates):
        if found is not None:
            yield found


def executions_of_traces(
    program: Program, traces: tuple[Trace, ...], model: Model, load_buffering: bool, unaddressed: bool = False
) -> Iterator[Execution | None]:
    """The executions with the traces given, and a None for each candidate that is none."""
    events = events_of_traces(program, traces)
    evaluator = Evaluator(events, len(traces))
    constraints: list[list[Condition]] = [[], [], []]
    for constraint in model.constraints:
        if constraint.flag:
            continue
        constraints[stage(constraint.condition)].append(constraint.condition)
    if not all(map(evaluator.holds, constraints[0])):
        yield None
        return
    base = base_order(evaluator, load_buffering, unaddressed)
    rmw = evaluator.dependencies("rmw")
    pairs = () if mentions_rmw(model) else evaluator.dependencies("pair")
    blocks = any(event.depends.block for event in events)
    places: list[Place] = [(INITIAL, variable.name) for variable in program.cells]
    places += [(event.thread, event.index) for event in events if event.thread != INITIAL]
    for rf in all_rf(events):
        evaluator.set_rf(frozenset(rf))
        if not is_acyclic([*base, *rf]) or not all(map(evaluator.holds, constraints[1])):
            yield None
            continue
        if blocks and any(is_halfway(events[w], traces) and not is_halfway(events[r], traces) for w, r in rf):
            yield None
            continue
        for mo in all_mo(events):
            evaluator.set_mo(frozenset(pair for order in mo for pair in combinations(order, 2)))
            atomic = is_atomic(rmw, rf, mo) and not intervenes(events, pairs, rf, mo)
            if not atomic or not all(map(evaluator.holds, constraints[2])):
                yield None
                continue
            if blocks and not evaluator.isolates(condition for stage in constraints for condition in stage):
                yield None
                continue
            yield Execution(
                traces,
                frozenset((places[w], places[r]) for w, r in rf),
                frozenset(tuple(places[w] for w in order) for order in mo if len(order) > 1),
            )


def is_halfway(event: Event, traces: tuple[Trace, ...]) -> bool:
    """Whether an event is in an atomic block in the middle of which its thread was stopped: nobody else sees it."""
    return event.thread != INITIAL and 0 < traces[event.thread].inside == event.depends.block


def evaluator_of(program: Program, execution: Execution) -> Evaluator:
    """What says whether constraints hold of an execution."""
    events = events_of_traces(program, execution.threads)
    places: list[Place] = [(INITIAL, variable.name) for variable in program.cells]
    places += [(event.thread, event.index) for event in events if event.thread != INITIAL]
    number = {place: n for n, place in enumerate(places)}
    evaluator = Evaluator(events, len(execution.threads))
    evaluator.set_rf(frozenset((number[w], number[r]) for w, r in execution.rf))
    orders = ([number[place] for place in order] for order in execution.mo)
    evaluator.set_mo(frozenset(pair for order in orders for pair in combinations(order, 2)))
    return evaluator


def base_order(evaluator: Evaluator, load_buffering: bool, unaddressed: bool) -> list[Pair]:
    """What has no cycle with rf: program order, or with `load_buffering` dependencies.

    These lead from reads: what depends on the success of a store exclusive, which is a write, depends on no value. What
    comes after an access depends on its address; if `unaddressed`, only after a store exclusive. What is predicted is
    known at once.
    """
    events = evaluator.events
    if not load_buffering:
        return [(a, a + 1) for a in range(len(events) - 1) if INITIAL < events[a].thread == events[a + 1].thread]
    pairs = set(evaluator.dependencies("needs", "computed"))
    for a, b in evaluator.dependencies("address"):
        if unaddressed and not (events[b].kind == "W" and "exclusive" in events[b].tags):
            continue
        pairs |= {(a, c) for c in range(b + 1, len(events)) if events[c].thread == events[b].thread}
    return [(a, b) for a, b in pairs if events[a].kind == "R"]


def events_of_traces(program: Program, traces: tuple[Trace, ...]) -> tuple[Event, ...]:
    """The initial writes, then the events of each thread."""
    events = [Event(INITIAL, 0, "W", v.name, v.initial, frozenset(["init"])) for v in program.cells]
    for thread, trace in enumerate(traces):
        keys = zip(trace.events, trace.dependencies, strict=True)
        events += [Event(thread, index, *event, depends) for index, (event, depends) in enumerate(keys)]
    return tuple(events)


def is_atomic(rmw: Iterable[Pair], rf: Iterable[Pair], mo: Iterable[tuple[int, ...]]) -> bool:
    """Whether each RMW's write comes right after the write that its read reads from."""
    source = {read: write for write, read in rf}
    following = {pair for order in mo for pair in pairwise(order)}
    return all((source[read], write) in following for read, write in rmw)


def mentions_rmw(model: Model) -> bool:
    """Whether a model says something of updates and of pairs of exclusive accesses; else the pairs are atomic."""
    return any(_mentions_rmw(constraint.condition) for constraint in model.constraints)


@cache
def _mentions_rmw(condition: Condition) -> bool:
    return any(term.op is Op.RMW for term in terms_of(condition))


def intervenes(
    events: Sequence[Event], pairs: Iterable[Pair], rf: Iterable[Pair], mo: Iterable[tuple[int, ...]]
) -> bool:
    """Whether another thread writes between what an exclusive load reads from and the store that pairs with it."""
    source = {read: write for write, read in rf}
    for load, store in pairs:
        for order in mo:
            if store in order and source[load] in order:
                between = order[order.index(source[load]) + 1 : order.index(store)]
                if any(events[write].thread != events[store].thread for write in between):
                    return True
    return False


def all_rf(events: Sequence[Event]) -> Iterator[tuple[Pair, ...]]:
    """Every way for each read to read from a write of its variable that has its value."""
    choices = [
        [
            (w, r)
            for w, write in enumerate(events)
            if write.kind == "W" and (write.variable, write.value) == (read.variable, read.value)
        ]
        for r, read in enumerate(events)
        if read.kind == "R"
    ]
    return product(*choices)


def all_mo(events: Sequence[Event]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to order the writes of each variable, with the initial one first."""
    writes: dict[str | None, list[int]] = {}
    for number, event in enumerate(events):
        if event.kind == "W":
            writes.setdefault(event.variable, []).append(number)

    def extend(groups: list[list[int]]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if not groups:
            yield ()
            return
        initial, *others = groups[0]
        for order in permutations(others):
            for rest in extend(groups[1:]):
                yield (initial, *order), *rest

    return extend(list(writes.values()))
