"""Executions: their events, relations that follow from them, and what went wrong in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from xgen.errors import Position, Source
from xgen.executions import rendering
from xgen.executions.missing import Missing
from xgen.executions.nothing import NOTHING
from xgen.records import dataclass, replace
from xgen.resources import short
from xgen.tags import told

if TYPE_CHECKING:
    import networkx

Value = int | bool


class Address(int):
    """A value that is the address of what has a name: of an object, a part of one, or a function."""

    name: str

    def __new__(cls, value: int, name: str) -> Address:
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Address, (int(self), self.name)


State = dict[str, Value]
ViolationKind = Literal[
    "error-location",
    "assertion",
    "overflow",
    "division-by-zero",
    "out-of-range",
    "unlock",
    "deadlock",
    "await",
    "livelock",
    "race",
    "undefined",
    "not-allowed",
    "shift",
    "out-of-bounds",
    "bad-address",
    "uninitialised",
    "destroyed",
    "barrier",
    "bad-join",
    "bad-call",
    "bad-allocation",
    "bad-free",
    "use-after-free",
    "race-with-free",
    "double-free",
    "use-before-allocation",
    "exit",
    "leak",
]
Pairs = tuple[tuple[int, int], ...]
FINISHED = ("ended", "error", "unstarted")
"""How the threads of complete executions have ended."""
PASSED = "barrier passed"
"""What is said of an event behind a barrier, before which each thread of the barrier has come there."""
INITIAL = -1
"""The thread number of initial writes."""


@dataclass(frozen=True, slots=True)
class Event:
    """A read, a write or a fence of an execution.

    `thread` is the thread's number, INITIAL for initial writes; `index` counts a thread's events in program order from
    0 (for initial writes: the variables in order of declaration). `variable` and `value` are None for fences. `text`
    is the statement that the event comes from ("" for initial writes). `step` counts the events in the order in which
    the execution was built (initial writes have -1). `block` numbers the atomic blocks of a thread; 0: in none.
    `object` is the allocated object that is accessed, allocated or freed. `group` is the index of the first event of
    the access of several parts that it is a part of; None: it is a whole access, or none.
    """

    thread: int
    index: int
    kind: Literal["R", "W", "F"]
    variable: str | None
    value: Value | None
    tags: frozenset[str]
    position: Position | None
    text: str
    step: int
    block: int = 0
    object: str | None = None
    group: int | None = None

    @property
    def id(self) -> str:
        """The event's name in JSON and .dot: `thread:index`, or `init:variable`."""
        return f"init:{self.variable}" if self.thread == INITIAL else f"{self.thread}:{self.index}"

    @property
    def label(self) -> str:
        """How people write the event: `W x = 1`, `R y = 0`, `F mfence`; orderings and tags come last."""
        tags = " ".join(told(self.tags))
        if self.kind == "F" and self.object is not None:
            return f"{tags} {self.object}"
        return f"{self.body} {tags}" if tags else self.body

    @property
    def body(self) -> str:
        """What it does, without orderings and tags; an access to a cell of xgen's own stands for something else."""
        if "hidden" in self.tags:
            return "barrier" if "bar" in self.tags else "F"
        if "meet" in self.tags:
            return PASSED
        return self.kind if self.variable is None else f"{self.kind} {self.variable} = {show_value(self.value)}"


@dataclass(frozen=True, slots=True)
class Violation:
    """What went wrong, and where.

    `kind`: "error-location" (`location` is its name), "assertion", "overflow", "division-by-zero", "out-of-range" (an
    index), "unlock" (of a mutex that the thread does not hold), "deadlock", "await" (a thread waits for ever;
    `location` says for what), "livelock" (its rounds write, and go on for ever; `location` says what they do),
    "race" (of two events that the model says leave the program without a meaning; `location` is their variable),
    "undefined" (another such flag of the model, of which `location` is the name), "not-allowed" (by another model,
    the executions of which were asked for; `location` is its name), and what docs/c.md lists.
    `text` is the statement at fault; for an error location, the location's declaration. `events`: of undefined
    behaviour, the ids of the events that make it, of which the last one is at fault. `hint` is what may be done.
    `missing`: the orders that a race lacks. `flag`: the model's flag that undefined behaviour raises. `rests_on`: of a
    leak, the ids of the events that made the memory, and of all writes to where its address ever was.
    """

    kind: ViolationKind
    thread: int
    position: Position
    text: str
    location: str | None = None
    events: tuple[str, ...] = ()
    hint: str | None = None
    missing: Missing | None = None
    flag: str | None = None
    rests_on: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """One phrase that says what happened."""
        return {
            "error-location": f"error location {self.location} reached",
            "assertion": f"{self.location} failed" if self.location else "assertion violated",
            "overflow": "integer overflow",
            "division-by-zero": "division by zero",
            "out-of-range": "array index out of range",
            "unlock": "unlock of a mutex that the thread does not hold",
            "deadlock": "deadlock: the thread waits for ever",
            "await": f"waits for ever: {self.location}",
            "livelock": f"goes round for ever: each round {self.location}",
            "race": f"data race on {self.location}",
            "undefined": f"undefined behaviour ({self.location})" if self.location else "undefined behaviour",
            "not-allowed": f"not allowed by {self.location}",
            "shift": "shift by less than 0, or by no less than there are bits",
            "out-of-bounds": "array index out of bounds",
            "bad-address": "access to memory where there is no object",
            "uninitialised": "read of what has no value yet",
            "destroyed": "lock of a mutex that is destroyed",
            "barrier": "wrong use of a barrier",
            "bad-join": "join of what is no thread, or is joined or detached already",
            "bad-call": "call of what is no function of that type",
            "bad-allocation": "allocation of a wrong size",
            "bad-free": "free of what was not allocated",
            "use-after-free": f"use of {self.location} after it was freed",
            "race-with-free": f"access to {self.location} that nothing orders with its free",
            "double-free": f"second free of {self.location}",
            "exit": "the program ends with an error",
            "leak": f"leak of {self.location}",
            "use-before-allocation": f"access to {self.location} that nothing orders after its allocation",
        }[self.kind]


@dataclass(frozen=True, repr=False)
class Execution:
    """One execution graph: its events, program order, reads-from, modification order, and how each thread ended.

    `rf` pairs (write, read), `mo` one tuple of writes per variable, the initial one first; all relations refer to
    `events` by position in that tuple. Events are listed thread by thread in program order, initial writes first.
    `rmw` pairs the read and the write of a read-modify-write. `addr`, `data`, `ctrl`: from a read to an event that
    depends on it; empty where the run did not track dependencies; `pick_addr` and so on: what was picked by the value
    read. `forks`: immediate program order between threads, from the start of a thread to its first event, and from its
    last to what joins it.
    `ends[t]`: "ended", "blocked", "bounded", "error", or "unstarted", of a thread that no other one has started;
    "running" where the run stopped at another thread's violation; where not each thread goes on, "not-begun" and
    "stopped", of one that goes no further. A thread that joins one that has not ended is
    "bounded" if that one is, else "blocked".
    `waits[t]`, where threads wait for ever, is the range of indices of the thread's events that make the last round of
    its loop (at a lock its read; empty at a join), None where it does not wait; () where no thread waits so.
    `decided`: the reads on which it depends that a thread comes to an error; () where dependencies were not tracked.
    `hidden[t]` counts the events of a thread that `only` has left out; () where it was not used.
    `allocated`: where objects come from that are allocated, by their names.
    """

    threads: tuple[str, ...]
    events: tuple[Event, ...]
    rf: tuple[tuple[int, int], ...]
    mo: tuple[tuple[int, ...], ...]
    ends: tuple[str, ...]
    state: State
    violations: tuple[Violation, ...]
    source: Source
    hidden: tuple[int, ...] = ()
    rmw: Pairs = ()
    addr: Pairs = ()
    data: Pairs = ()
    ctrl: Pairs = ()
    pick_addr: Pairs = ()
    pick_data: Pairs = ()
    pick_ctrl: Pairs = ()
    forks: Pairs = ()
    waits: tuple[range | None, ...] = ()
    decided: tuple[int, ...] = ()
    allocated: Mapping[str, Position] = field(default_factory=dict, compare=False)

    @property
    def complete(self) -> bool:
        """No thread is blocked, cut by the bound or still running."""
        return all(end in FINISHED for end in self.ends)

    @cached_property
    def po(self) -> Pairs:
        """Immediate program order, within each thread and across starts and joins (initial writes left out)."""
        pairs = pairwise(range(len(self.events)))
        within = (
            (a, b) for a, b in pairs if self.events[a].thread == self.events[b].thread and self.events[a].thread >= 0
        )
        return (*within, *self.forks)

    @cached_property
    def starts(self) -> Pairs:
        """Program order from the start of a thread to its first event."""
        return tuple(pair for pair in self.forks if self._is_start(*pair))

    @cached_property
    def joins(self) -> Pairs:
        """Program order from the last event of a thread to what joins it."""
        return tuple(pair for pair in self.forks if not self._is_start(*pair))

    def _is_start(self, before: int, after: int) -> bool:
        return self.events[after].index == 0 and "start" in self.events[before].tags

    @cached_property
    def mo_edges(self) -> tuple[tuple[int, int], ...]:
        """Immediate modification order."""
        return tuple(pair for order in self.mo for pair in pairwise(order))

    @cached_property
    def fr(self) -> tuple[tuple[int, int], ...]:
        """From-reads, reduced: from each read to the write that comes right after the one it reads from."""
        following = dict(self.mo_edges)
        return tuple((read, following[write]) for write, read in self.rf if write in following)

    @cached_property
    def races(self) -> Pairs:
        """The pairs of events that race."""
        place = {event.id: number for number, event in enumerate(self.events)}
        return tuple(
            (place[v.events[0]], place[v.events[1]])
            for v in self.violations
            if v.kind == "race" and place.keys() >= set(v.events)
        )

    def round_of(self, thread: int) -> list[Event]:
        """The events of the last round of a thread that waits for ever, as far as they are there."""
        round_ = self.waits[thread] if self.waits else None
        return [e for e in self.events if e.thread == thread and e.index in (round_ or ())]

    def parties(self, violation: Violation) -> list[Event]:
        """The events that make undefined behaviour, and are there."""
        return [event for event in self.events if event.id in violation.events]

    @cached_property
    def _files(self) -> dict[str, str]:
        """The files of events and violations, each as results name it: without folders, if their names differ."""
        places = [event.position for event in self.events] + [violation.position for violation in self.violations]
        files = {(place.source or self.source).name for place in places if place is not None}
        alone = len({PurePath(file).name for file in files}) == len(files)
        return {file: PurePath(file).name if alone else short(file) for file in files}

    def line(self, position: Position) -> str:
        """`5`, or `file:5` where events of several files are shown; it is the place of one of them."""
        if len(self._files) == 1:
            return str(position.line)
        return f"{self._files[(position.source or self.source).name]}:{position.line}"

    def at(self, position: Position) -> str:
        """`line 5`, or `file:5` where events of several files are shown."""
        line = self.line(position)
        return line if ":" in line else f"line {line}"

    def where(self, violation: Violation) -> str:
        """The places of a violation, each once: `f.c:5:3 and f.c:9:7`."""
        places = [event.position for event in self.parties(violation) if event.position] or [violation.position]
        return " and ".join(place.text(self.source) for place in dict.fromkeys(places))

    @cached_property
    def cause(self) -> frozenset[int]:
        """The events that the violations rest on: what comes before them in (po u rf)*; without violations, all events.

        Of the initial writes these are the ones that are read; of the other threads, what was read and what led to it.
        """
        if not self.violations:
            return frozenset(range(len(self.events)))
        before: dict[int, list[int]] = {}
        for a, b in (*self.po, *self.rf):
            before.setdefault(b, []).append(a)
        threads = {each.thread for each in self.violations if not each.events and each.kind != "leak"}
        named = {name for each in self.violations for name in (*each.events, *each.rests_on)}
        work = [n for n, event in enumerate(self.events) if event.thread in threads or event.id in named]
        found = set(work)
        while work:
            fresh = set(before.get(work.pop(), ())) - found
            found |= fresh
            work += fresh
        return frozenset(found)

    @property
    def inner(self) -> frozenset[int]:
        """The events, by position, that are of a library alone, where the program calls it: plain accesses, and objects
        that begin or end; no violation is about them, and nothing else reads from them."""
        parties = {event.id for violation in self.violations for event in self.parties(violation)}
        found = {
            number
            for number, event in enumerate(self.events)
            if event.position is not None
            and event.position.library
            and event.id not in parties
            and (event.object is not None if event.kind == "F" else not told(event.tags))
        }
        while read := {write for write, reader in self.rf if write in found and reader not in found}:
            found -= read
        return frozenset(found)

    @property
    def drawn(self) -> Execution:
        """What pictures show of a violating execution: its cause, without what is of a library alone."""
        return self.only(self.cause - self.inner) if self.violations else self

    def only(self, kept: Collection[int]) -> Execution:
        """The execution with those events only, by position, as pictures show it: events keep their ids.

        What is left of mo keeps its order; a pair of another relation stays if both its events do. The state is left
        with the locals of threads that lost no event, and with the variables whose last write is kept.
        """
        numbers = sorted(set(kept))
        place = {old: new for new, old in enumerate(numbers)}
        lost = [0] * len(self.threads)
        for number, event in enumerate(self.events):
            if number not in place and event.thread != INITIAL:
                lost[event.thread] += 1

        def moved(pairs: Pairs) -> Pairs:
            return tuple((place[a], place[b]) for a, b in pairs if a in place and b in place)

        hidden = tuple(a + b for a, b in zip(lost, self.hidden or [0] * len(lost), strict=True))
        gone = {f"{name}:" for name, count in zip(self.threads, hidden, strict=True) if count}
        gone |= {str(self.events[order[-1]].variable) for order in self.mo if order and order[-1] not in place}
        return replace(
            self,
            events=tuple(self.events[number] for number in numbers),
            mo=tuple(tuple(place[number] for number in order if number in place) for order in self.mo),
            state={name: value for name, value in self.state.items() if "".join(name.partition(":")[:2]) not in gone},
            hidden=hidden,
            rf=moved(self.rf),
            rmw=moved(self.rmw),
            addr=moved(self.addr),
            data=moved(self.data),
            ctrl=moved(self.ctrl),
            pick_addr=moved(self.pick_addr),
            pick_data=moved(self.pick_data),
            pick_ctrl=moved(self.pick_ctrl),
            forks=moved(self.forks),
            decided=tuple(place[number] for number in self.decided if number in place),
        )

    def edges(self) -> Iterator[tuple[str, int, int]]:
        """All edges that pictures show: (relation, from, to) for po, rf, mo and fr."""
        for name, pairs in (("po", self.po), ("rf", self.rf), ("mo", self.mo_edges), ("fr", self.fr)):
            for a, b in pairs:
                yield name, a, b

    def to_dot(self, *, show: Collection[str] | None = None) -> str:
        """The execution as Graphviz text: one cluster per thread; po, rf, mo and fr, or the relations of `show`."""
        return rendering.of().execution_to_dot(self, show=show)

    def to_svg(self, *, dependencies: bool = False, show: Collection[str] | None = None) -> str:
        """The execution as an SVG drawing, with the relations of `show` (see `--show`); None: po, rf, mo and fr.

        With `dependencies`, addr, data and ctrl too, as far as they are known.
        """
        return rendering.of().execution_to_svg(self, dependencies=dependencies, show=show)

    def __str__(self) -> str:
        """The execution as reports have it: a column per thread, a row per event."""
        return rendering.of().execution_to_text(self)

    def __repr__(self) -> str:
        count = sum(event.thread != INITIAL for event in self.events)
        facts = [f"{len(self.threads)} threads", f"{count} events"]
        if self.violations:
            facts.append(f"{self.violations[0].kind} at {self.violations[0].position.text(self.source)}")
        elif not self.complete:
            facts.append("not complete")
        return f"<Execution: {', '.join(facts)}>"

    def _repr_svg_(self) -> str:
        """How a notebook shows the execution."""
        return self.to_svg()

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The execution as a graph: a node per event (by its id, with its fields), an edge per pair (key: relation)."""
        return rendering.of().execution_to_networkx(self)


def show_value(value: Value | None) -> str:
    """A value as programs write it: `true`, `false`, the number, or `&name`; of memory that has none, `no value`."""
    if value == NOTHING:
        return "no value"
    if isinstance(value, Address):
        return f"&{value.name}"
    return str(value).lower() if isinstance(value, bool) else str(value)
