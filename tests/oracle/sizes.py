"""Accesses of several sizes by brute force, byte by byte: what AArch64 tests with such accesses may do.

Nothing is shared with the product: an access is so many events as it has bytes, however many cells xgen makes of them;
the axioms of the models are written out here for these. (What one access writes is in one order with what
another one does, in all bytes that both write: each model forbids all else, so that other orders are not tried.)
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Literal

SIZE = 4
"""Bytes of a location."""
Mode = Literal["ld", "st", "fence", "swp", "ldadd", "cas", "ldx", "stx", "branch"]


@dataclass(frozen=True)
class Instruction:
    """`into` gets what is read; `value` is a number, or a register with a number that is added to it.

    `after`: a register on which the address depends, or, of a branch, which way it goes (both go on here). `halves`: it
    reads its two halves each by itself.
    """

    mode: Mode
    location: int = 0
    offset: int = 0
    bytes: int = SIZE
    into: int = -1
    value: tuple[int, int] = (-1, 0)
    expected: tuple[int, int] = (-1, 0)
    after: int = -1
    acquire: bool = False
    release: bool = False
    fence: str = "sy"
    halves: bool = False


@dataclass(eq=False)
class Event:
    """One byte that is read or written, or a fence."""

    number: int
    thread: int
    instruction: int
    kind: Literal["R", "W", "F"]
    place: tuple[int, int] = (0, 0)
    acquire: bool = False
    release: bool = False
    rmw: bool = False  # by an update that is one instruction, and writes
    failed: bool = False
    noret: bool = False
    fence: str = ""
    addr: frozenset[int] = frozenset()  # the instructions of its thread whose reads it depends on
    data: frozenset[int] = frozenset()
    ctrl: frozenset[int] = frozenset()
    picked: frozenset[int] = frozenset()  # what is written is only picked by these
    computed: bool = False
    compared: bool = False
    partner: int = -1  # of a write: the instruction that its read is of


Program = tuple[tuple[Instruction, ...], ...]


@dataclass
class Candidate:
    """The events of a program where it is assumed which compare-and-swaps and stores exclusive succeed."""

    program: Program
    success: dict[tuple[int, int], bool]
    events: list[Event] = field(default_factory=list)
    of: dict[tuple[int, int, str], list[int]] = field(default_factory=dict)

    def add(self, thread: int, number: int, kind: Literal["R", "W", "F"], i: Instruction, **more: object) -> None:
        places = [(0, 0)] if kind == "F" else [(i.location, i.offset + k) for k in range(i.bytes)]
        for place in places:
            event = Event(len(self.events), thread, number, kind, place, **more)  # type: ignore[arg-type]
            self.events.append(event)
            self.of.setdefault((thread, number, kind), []).append(event.number)


def candidates(program: Program) -> Iterator[Candidate]:
    """One for each choice of what succeeds; a store exclusive can if its load is of the same bytes."""
    open_ = [(t, n) for t, code in enumerate(program) for n, i in enumerate(code) if i.mode in ("cas", "stx")]
    for choice in product((True, False), repeat=len(open_)):
        success = dict(zip(open_, choice, strict=True))
        candidate = Candidate(program, success)
        if all(_run(candidate, t, code) for t, code in enumerate(program)):
            for location in range(2):
                for offset in range(SIZE):
                    number = len(candidate.events)
                    candidate.events.append(Event(number, -1, -1, "W", (location, offset)))
            yield candidate


def _run(candidate: Candidate, thread: int, code: tuple[Instruction, ...]) -> bool:
    depends: dict[int, frozenset[int]] = {}  # of registers: the instructions whose reads they are made of
    ctrl: frozenset[int] = frozenset()
    reserved: tuple[int, Instruction] | None = None
    for n, i in enumerate(code):
        after, own = depends.get(i.after, frozenset()), depends.get(i.value[0], frozenset())
        if i.mode == "branch":
            ctrl |= after
            continue
        if i.mode == "fence":
            candidate.add(thread, n, "F", i, fence=i.fence, ctrl=ctrl)
            continue
        success = candidate.success.get((thread, n), True)
        if i.mode == "stx":
            fits = reserved is not None and reserved[1].location == i.location and reserved[1].offset == i.offset
            if success and not (fits and reserved is not None and reserved[1].bytes == i.bytes):
                return False
        update = i.mode in ("swp", "ldadd", "cas")
        if i.mode in ("ld", "ldx") or update:
            candidate.add(
                thread, n, "R", i, acquire=i.acquire and (i.into >= 0 or not update), addr=after, ctrl=ctrl,
                rmw=update and success, failed=i.mode == "cas" and not success, noret=update and i.into < 0,
            )  # fmt: skip
        if success and (update or i.mode in ("st", "stx")):
            partner = n if update else reserved[0] if i.mode == "stx" and reserved else -1
            picked = depends.get(i.expected[0], frozenset()) if i.mode == "cas" else frozenset()
            candidate.add(
                thread, n, "W", i, release=i.release, addr=after, data=own, ctrl=ctrl, rmw=update, picked=picked,
                computed=i.mode == "ldadd", compared=i.mode == "cas", partner=partner,
            )  # fmt: skip
        if i.into >= 0:
            depends[i.into] = frozenset({n})
        reserved = (n, i) if i.mode == "ldx" else None if i.mode == "stx" else reserved
    return True


# ---- models


class Order:
    """A relation that has to be acyclic, as rows of bits."""

    def __init__(self, size: int) -> None:
        self.rows = [0] * size

    def add(self, a: int, b: int) -> None:
        self.rows[a] |= 1 << b

    def closed(self) -> list[int]:
        """The rows of its transitive closure."""
        rows = list(self.rows)
        for k in range(len(rows)):
            rows = [row | rows[k] if row >> k & 1 else row for row in rows]
        return rows

    def acyclic(self) -> bool:
        rows = list(self.rows)
        left = (1 << len(rows)) - 1
        while left:
            free = [n for n in range(len(rows)) if left >> n & 1 and not rows[n] & left]
            if not free:
                return False
            for n in free:
                left &= ~(1 << n)
        return True


@dataclass
class Graph:
    """Reads-from (of those reads that have it) and, per byte, the order of writes."""

    candidate: Candidate
    rf: dict[int, int]
    mo: dict[tuple[int, int], list[int]]

    def __post_init__(self) -> None:
        events = self.candidate.events
        self.events = events
        self.place = {w: k for order in self.mo.values() for k, w in enumerate(order)}
        self.edges = [(w, r, "rf") for r, w in self.rf.items()]
        for order in self.mo.values():
            self.edges += [(a, b, "mo") for k, a in enumerate(order) for b in order[k + 1 :]]
        for r, w in self.rf.items():
            self.edges += [(r, b, "fr") for b in self.mo[events[r].place][self.place[w] + 1 :]]

    def siblings(self, e: int) -> list[int]:
        event = self.events[e]
        if event.thread < 0:
            return [e]
        found = self.candidate.of[event.thread, event.instruction, event.kind]
        if event.kind != "R" or not self.candidate.program[event.thread][event.instruction].halves:
            return found
        middle, place = len(found) // 2, found.index(e)
        return found[:middle] if place < middle else found[middle:]

    def external(self, a: int, b: int) -> bool:
        return self.events[a].thread != self.events[b].thread

    def po(self, a: Event, b: Event) -> bool:
        """From an access to a later one; the read of an update comes before its write."""
        if a.thread != b.thread or a.thread < 0:
            return False
        return a.instruction < b.instruction or (a.instruction == b.instruction and (a.kind, b.kind) == ("R", "W"))

    def pairs(self) -> list[tuple[Event, Event]]:
        return [(a, b) for a in self.events for b in self.events if self.po(a, b)]

    def coherent(self) -> bool:
        order = Order(len(self.events))
        for a, b, _ in self.edges:
            order.add(a, b)
        for a, b in self.pairs():
            if a.place == b.place and "F" not in (a.kind, b.kind):
                order.add(a.number, b.number)
        return order.acyclic()

    def rmw(self) -> list[tuple[int, int]]:
        """From a byte that is read to the same byte that is written."""
        return [
            (r.number, w.number)
            for w in self.events
            if w.partner >= 0
            for r in self.events
            if (r.thread, r.instruction, r.kind, r.place) == (w.thread, w.partner, "R", w.place)
        ]

    def atomic(self) -> bool:
        fr = {(a, b) for a, b, kind in self.edges if kind == "fr" and self.external(a, b)}
        mo = {(a, b) for a, b, kind in self.edges if kind == "mo" and self.external(a, b)}
        return not any((r, c) in fr and (c, w) in mo for r, w in self.rmw() for c in range(len(self.events)))


def sc(graph: Graph) -> bool:
    order = Order(len(graph.events))
    for a, b in graph.pairs():
        order.add(a.number, b.number)
    for a, b, _ in graph.edges:
        for other in graph.siblings(b):
            order.add(a, other)
    return order.acyclic() and graph.atomic()


def tso(graph: Graph) -> bool:
    order = Order(len(graph.events))
    for a, b in graph.pairs():
        locked = a.rmw or b.rmw or a.failed or b.failed
        if a.kind == "R" or b.kind == "W" or "F" in (a.kind, b.kind) or locked:
            order.add(a.number, b.number)
    for a, b, kind in graph.edges:
        if kind != "rf" or graph.external(a, b):
            for other in graph.siblings(b):
                order.add(a, other)
    return graph.coherent() and order.acyclic() and graph.atomic()


def arm8(graph: Graph) -> bool:
    order = Order(len(graph.events))
    events, pairs = graph.events, graph.pairs()
    internal = [(a, b) for a, b, kind in graph.edges if kind == "rf" and not graph.external(a, b)]
    external = [(a, b, kind) for a, b, kind in graph.edges if graph.external(a, b)]
    for a, b, _ in external:
        for other in graph.siblings(b):
            order.add(a, other)
    overwritten = [(a, b) for a, b, kind in external if kind == "fr"]
    for a, b in pairs:
        same = a.place == b.place and "F" not in (a.kind, b.kind)
        if same and b.kind == "W":
            for other in graph.siblings(b.number):
                order.add(a.number, other)
        if same and (a.kind, b.kind) == ("R", "R"):
            for c, d in overwritten:
                if c in graph.siblings(b.number):
                    for other in graph.siblings(d):
                        order.add(a.number, other)
        _barriers(order, graph, a, b)
    _dependencies(order, graph, internal)
    for r, w in graph.rmw():
        order.add(r, w)
        for a, b in internal:
            if a == w and events[b].acquire:
                order.add(r, b)
    return graph.coherent() and order.acyclic() and graph.atomic()


def _barriers(order: Order, graph: Graph, a: Event, b: Event) -> None:
    if b.kind == "F":
        returns = a.kind == "R" and not a.noret
        if b.fence == "sy" or (b.fence == "ld" and returns) or (b.fence == "st" and a.kind == "W"):
            order.add(a.number, b.number)
    elif a.kind == "F":
        if a.fence in ("sy", "ld") or b.kind == "W":
            order.add(a.number, b.number)
    else:
        both = a.kind == "W" and a.release and b.kind == "R" and b.acquire
        if both or (a.kind == "R" and a.acquire) or (b.kind == "W" and b.release):
            order.add(a.number, b.number)
    if a.kind == "W" and a.rmw and a.release and b.kind != "F":
        reads = graph.candidate.of[a.thread, a.instruction, "R"]
        if graph.events[reads[0]].acquire:
            order.add(a.number, b.number)


def _dependencies(order: Order, graph: Graph, internal: list[tuple[int, int]]) -> None:
    events = graph.events
    reads: dict[tuple[int, int], list[int]] = {}
    for e in events:
        if e.kind == "R":
            reads.setdefault((e.thread, e.instruction), []).append(e.number)

    def sources(thread: int, instructions: frozenset[int]) -> list[int]:
        return [r for n in instructions for r in reads.get((thread, n), [])]

    strong: list[tuple[int, int]] = []
    picks: list[tuple[int, int]] = []
    for e in events:
        strong += [(r, e.number) for r in sources(e.thread, e.addr | (e.data if e.kind == "W" else frozenset()))]
        if e.kind == "W":
            for r in sources(e.thread, e.ctrl):
                order.add(r, e.number)
            for other in events:
                if other.thread == e.thread and 0 <= other.instruction < e.instruction and other.kind != "F":
                    for r in sources(e.thread, other.addr):
                        order.add(r, e.number)
            picks += [(r, e.number) for r in sources(e.thread, e.picked)]
            if e.computed or e.compared:
                picks += [(r, e.number) for r in sources(e.thread, frozenset({e.instruction}))]
    computed = {(r, w.number) for w in events if w.computed for r in sources(w.thread, frozenset({w.instruction}))}
    # (r, later) by way of updates whose write is computed, to loads that read it in their thread
    carried = {(r, b) for r, w in computed for a, b in internal if a == w}
    while more := {(a, d) for a, b in carried for c, d in carried if b == c} - carried:
        carried |= more
    for a, b in [*strong, *((a, d) for a, b in carried for c, d in strong if b == c)]:
        order.add(a, b)
    for a, b in strong:
        for c, d in internal:
            if c == b:
                order.add(a, d)
                for x, y in carried:
                    if y == a:
                        order.add(x, d)
    picked = set(picks)
    steps = [*picks, *strong, *internal]
    while more := {(a, d) for a, b in picked for c, d in steps if b == c} - picked:
        picked |= more
    for a, b in picked:
        if events[b].kind == "W":
            order.add(a, b)
        else:
            _picked_on(order, graph, a, events[b])


def _picked_on(order: Order, graph: Graph, a: int, b: Event) -> None:
    """From what has picked what a read has read: to writes behind a branch on it, an acquire or a barrier."""
    for later in graph.events:
        if later.thread != b.thread or later.kind != "W" or not graph.po(b, later):
            continue
        barrier = any(
            f.kind == "F" and f.fence == "ld" and graph.po(b, f) and graph.po(f, later) and not b.noret
            for f in graph.events
        )
        if b.acquire or barrier or b.instruction in later.ctrl:
            order.add(a, later.number)
        for other in graph.events:
            if (
                other.thread == b.thread
                and other.kind != "F"
                and b.instruction in other.addr
                and graph.po(other, later)
            ):
                order.add(a, later.number)


def ra(graph: Graph) -> bool:
    """Release/acquire: what one byte of a read synchronises with, all of both accesses do; no access is torn."""
    events, happens, whole = graph.events, Order(len(graph.events)), Order(len(graph.events))
    for a, b in graph.pairs():
        happens.add(a.number, b.number)
    for a, b, kind in graph.edges:
        if kind == "rf":
            for first in graph.siblings(a):
                for second in graph.siblings(b):
                    happens.add(first, second)
        if kind != "rf" or graph.external(a, b):
            for other in graph.siblings(b):
                whole.add(a, other)
    if not happens.acyclic() or not whole.acyclic():
        return False
    before = happens.closed()
    places, fences = Order(len(events)), Order(len(events))
    for a in events:
        for b in events:
            if before[a.number] >> b.number & 1:
                if "F" not in (a.kind, b.kind) and a.place == b.place:
                    places.add(a.number, b.number)
                if (a.kind, b.kind) == ("F", "F"):
                    fences.add(a.number, b.number)
    full = [e.number for e in events if e.kind == "F"]
    for a, b, kind in graph.edges:
        places.add(a, b)
        for f in full if kind != "rf" else ():
            for g in full if before[f] >> a & 1 else ():
                if before[b] >> g & 1:
                    fences.add(f, g)
    return places.acyclic() and fences.acyclic() and graph.atomic()


def rc11(graph: Graph) -> bool:
    """RC11 where all is atomic, nothing seq_cst, and there are no fences: what is synchronised, all of an access is."""
    events, size = graph.events, len(graph.events)
    happens, whole, causes = Order(size), Order(size), Order(size)
    for a, b in graph.pairs():
        happens.add(a.number, b.number)
        causes.add(a.number, b.number)
    partner = dict(graph.rmw())
    for a, b, kind in graph.edges:
        if kind == "rf":
            causes.add(a, b)
        if kind != "rf" or graph.external(a, b):
            for other in graph.siblings(b):
                whole.add(a, other)
    for w in events:
        if w.kind != "W" or not w.release:
            continue
        sequence = {w.number} | {b.number for a, b in graph.pairs() if a is w and b.kind == "W" and b.place == w.place}
        while more := {partner[r] for r, e in graph.rf.items() if e in sequence and r in partner} - sequence:
            sequence |= more
        for r, e in graph.rf.items():
            if e in sequence and events[r].acquire:
                for first in graph.siblings(w.number):
                    for second in graph.siblings(r):
                        happens.add(first, second)
    before, order = happens.closed(), Order(size)
    for a, b, _ in graph.edges:
        order.add(a, b)
    after = order.closed()
    if any(before[e] >> e & 1 for e in range(size)) or not whole.acyclic() or not causes.acyclic():
        return False
    backwards = any(before[a] >> b & 1 and after[b] >> a & 1 for a in range(size) for b in range(size))
    return order.acyclic() and not backwards and graph.atomic()


MODELS = {"sc": sc, "tso": tso, "arm8": arm8, "ra": ra, "rc11": rc11}


# ---- executions


def executions(program: Program, model: str) -> Counter[str]:
    """How often each final state is reached, written as herd does: registers that loads write, then locations."""
    return Counter(state for candidate in candidates(program) for _, state in consistent(candidate, model))


def consistent(candidate: Candidate, model: str) -> Iterator[tuple[dict[int, int], str]]:
    """The executions of a candidate: what each read reads from, and the final state."""
    for mo in _orders(candidate):
        for rf in _sources(candidate, mo, model):
            state = _state(candidate, rf, mo)
            if state is not None:
                yield rf, state


def _orders(candidate: Candidate) -> Iterator[dict[tuple[int, int], list[int]]]:
    events = candidate.events
    places = [(location, offset) for location in range(2) for offset in range(SIZE)]
    writes = {place: [e.number for e in events if e.kind == "W" and e.place == place] for place in places}

    def key(e: int) -> tuple[int, int]:
        return events[e].thread, events[e].instruction

    def go(k: int, before: set[tuple[tuple[int, int], tuple[int, int]]]) -> Iterator[dict[tuple[int, int], list[int]]]:
        if k == len(places):
            yield {}
            return
        *own, initial = writes[places[k]]  # the initial one has been added last
        for order in permutations(own):
            pairs = {(key(a), key(b)) for n, a in enumerate(order) for b in order[n + 1 :]}
            if any((b, a) in before for a, b in pairs) or any(a[0] == b[0] and a[1] > b[1] for a, b in pairs):
                continue
            for rest in go(k + 1, before | pairs):
                yield {places[k]: [initial, *order], **rest}

    yield from go(0, set())


def _sources(candidate: Candidate, mo: dict[tuple[int, int], list[int]], model: str) -> Iterator[dict[int, int]]:
    reads = [e for e in candidate.events if e.kind == "R"]

    def go(k: int, rf: dict[int, int]) -> Iterator[dict[int, int]]:
        if k == len(reads):
            yield dict(rf)
            return
        for w in mo[reads[k].place]:
            own = candidate.events[w]
            if own.thread == reads[k].thread and own.instruction >= reads[k].instruction:
                continue
            rf[reads[k].number] = w
            if MODELS[model](Graph(candidate, rf, mo)):
                yield from go(k + 1, rf)
            del rf[reads[k].number]

    if MODELS[model](Graph(candidate, {}, mo)):
        yield from go(0, {})


def _state(candidate: Candidate, rf: dict[int, int], mo: dict[tuple[int, int], list[int]]) -> str | None:
    """The final state; None where a value would come out of nothing, or what was assumed turns out wrong."""
    events, program = candidate.events, candidate.program
    written: dict[int, int | None] = {e.number: (0 if e.thread < 0 else None) for e in events if e.kind == "W"}
    registers: list[dict[int, int]] = [{} for _ in program]
    right = True
    for _ in range(len(events) + 1):
        right = True
        for t, code in enumerate(program):
            known: dict[int, int | None] = {}
            for n, i in enumerate(code):
                right &= _step(candidate, rf, written, known, t, n, i)
            registers[t] = {r: v for r, v in known.items() if v is not None}
    if not right or any(value is None for value in written.values()):
        return None
    text = [f"{t}:X{r}={v}" for t in range(len(program)) for r, v in sorted(registers[t].items())]
    for location, name in enumerate("xy"):
        last = [written[mo[location, k][-1]] for k in range(SIZE)]
        text.append(f"[{name}]={sum((v or 0) << 8 * k for k, v in enumerate(last))}")
    return " ".join(f"{part};" for part in text)


def _step(
    candidate: Candidate, rf: dict[int, int], written: dict[int, int | None], known: dict[int, int | None],
    t: int, n: int, i: Instruction,
) -> bool:  # fmt: skip
    """One instruction, as far as values are known; False where it is not as was assumed (or not known yet)."""
    bits = (1 << 8 * i.bytes) - 1

    def value(of: tuple[int, int]) -> int | None:
        base = known.get(of[0], 0) if of[0] >= 0 else 0
        return None if base is None else (base + of[1]) & bits

    read: int | None = None
    if (t, n, "R") in candidate.of:
        parts = [written[rf[r]] for r in candidate.of[t, n, "R"]]
        read = None if None in parts else sum((p or 0) << 8 * k for k, p in enumerate(parts))
    good = True
    new = value(i.value)
    if i.mode == "ldadd":
        new = None if new is None or read is None else (new + read) & bits
    if i.mode == "cas":
        expected = value(i.expected)
        good = read is not None and expected is not None and (read == expected) == candidate.success[t, n]
    for k, w in enumerate(candidate.of.get((t, n, "W"), [])):
        written[w] = None if new is None else new >> 8 * k & 0xFF
    if i.mode == "stx":
        if i.into >= 0:
            known[i.into] = 0 if candidate.success[t, n] else 1
    elif i.into >= 0:
        known[i.into] = read
    return good


# ---- as litmus tests

_SUFFIX = {1: "B", 2: "H", 4: ""}


def litmus(program: Program) -> str:
    """The program as a test of AArch64; location x is in X20, y in X21, numbers are in X10 and so on."""
    initial = ["uint32_t x; uint32_t y;"]
    columns: list[list[str]] = []
    listed = ["x;", "y;"]
    for t, code in enumerate(program):
        numbers: dict[int, str] = {}
        lines: list[str] = []
        for n, i in enumerate(code):
            lines += _lines(t, n, i, numbers)
            if i.into >= 0 and (listed_ := f"{t}:X{i.into};") not in listed:
                listed.append(listed_)
                initial.append(f"uint64_t {t}:X{i.into};")
        initial.append(f"{t}:X20=x; {t}:X21=y;")
        initial += [f"uint64_t {t}:{register}={value};" for value, register in numbers.items()]
        columns.append([f"P{t}", *lines])
    height = max(map(len, columns))
    rows = [" | ".join(column[k] if k < len(column) else "" for column in columns) + " ;" for k in range(height)]
    end = [f"locations [{' '.join(listed)}]", "exists (x=77)", ""]
    return "\n".join(["AArch64 random", "{", *initial, "}", *rows, *end])


def _lines(t: int, n: int, i: Instruction, numbers: dict[int, str]) -> list[str]:
    suffix, lines = _SUFFIX[i.bytes], list[str]()

    def register(of: tuple[int, int], scratch: int) -> str:
        if of[0] < 0:
            return "W" + numbers.setdefault(of[1], f"X{10 + len(numbers)}")[1:]
        lines.append(f"ADD W{scratch},W{of[0]},#{of[1]}")
        return f"W{scratch}"

    base = f"X{20 + i.location}"
    if i.mode == "fence":
        return [f"DMB {i.fence.upper()}"]
    if i.mode == "branch":
        return [f"CBNZ W{i.after},L{t}{n}", f"L{t}{n}:"]
    address = f"[{base},#{i.offset}]" if i.offset else f"[{base}]"
    special = i.mode not in ("ld", "st") or i.acquire or i.release
    if i.after >= 0:
        lines.append(f"EOR X9,X{i.after},X{i.after}")
        address = f"[{base},X9]"
        if i.offset or special:
            lines += [f"ADD X9,X9,#{i.offset}", f"ADD X9,{base},X9"]
            address = "[X9]"
    elif i.offset and special:
        lines.append(f"ADD X9,{base},#{i.offset}")
        address = "[X9]"
    into = f"W{i.into}" if i.into >= 0 else "WZR"
    match i.mode:
        case "ld":
            lines.append(f"{'LDAR' if i.acquire else 'LDR'}{suffix} {into},{address}")
        case "st":
            value = register(i.value, 8)
            lines.append(f"{'STLR' if i.release else 'STR'}{suffix} {value},{address}")
        case "ldx":
            lines.append(f"{'LDAXR' if i.acquire else 'LDXR'}{suffix} {into},{address}")
        case "stx":
            value = register(i.value, 8)
            lines.append(f"{'STLXR' if i.release else 'STXR'}{suffix} {into},{value},{address}")
        case _:
            order = "A" * i.acquire + "L" * i.release
            value = register(i.value, 8)
            if i.mode == "cas":
                expected = register(i.expected, 7)
                lines.append(f"MOV {into},{expected}")
                lines.append(f"CAS{order}{suffix} {into},{value},{address}")
            else:
                lines.append(f"{i.mode.upper()}{order}{suffix} {value},{into},{address}")
    return lines


def random_program(
    rng: random.Random, modes: tuple[Mode, ...] = ("ld", "st"), threads: int = 2, most: int = 3
) -> Program:
    """A program of few accesses to two locations, some of which have bytes in common."""
    code = []
    for _ in range(threads):
        own: list[Instruction] = []
        registers: list[int] = []
        for _ in range(rng.randint(1, most)):
            own += _random_instruction(rng, modes, registers)
        code.append(tuple(own))
    return tuple(code)


def _random_instruction(rng: random.Random, modes: tuple[Mode, ...], registers: list[int]) -> list[Instruction]:
    size = rng.choice((1, 2, 2, 4, 4))
    mode: Mode = rng.choice(modes)
    after = rng.choice(registers) if registers and rng.random() < 0.25 else -1
    number = rng.choice((1, 2, 0x0101, 0x0203, 0x01020304)) & (1 << 8 * size) - 1
    value = (rng.choice(registers), rng.choice((0, 1))) if registers and rng.random() < 0.4 else (-1, number)
    into = len(registers) if len(registers) < 6 else -1
    found = Instruction(
        mode, int(rng.random() < 0.35), rng.randrange(0, SIZE, size), size, -1, value, (-1, rng.choice((0, number))),
        after, rng.random() < 0.2, rng.random() < 0.2,
    )  # fmt: skip
    if mode == "fence":
        return [Instruction("fence", fence=rng.choice(("sy", "ld", "st")))]
    if mode == "branch":
        return [Instruction("branch", after=registers[-1])] if registers else []
    if mode in ("ld", "ldx", "cas") or (mode in ("swp", "ldadd") and rng.random() < 0.8):
        found = replace(found, into=into)
        if into >= 0:
            registers.append(into)
    if mode == "ldx":
        other = replace(found, mode="stx", into=-1, value=value, release=rng.random() < 0.2)
        status = len(registers)
        registers.append(status)
        return [found, replace(other, into=status)]
    if mode == "cas" and found.into < 0:
        return []
    return [found]
