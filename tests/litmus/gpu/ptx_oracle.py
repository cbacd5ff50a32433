"""PTX by brute force: litmus tests as data, and every execution of them that the PTX ISA allows.

Nothing of xgen is used. A test is drawn (`draw`), written as text (`Test.text`) and run: each read gets a write to its
location, coherence order is each partial order of the writes, fence-SC order each acyclic way to order pairs of fences,
and the axioms are those of the ISA's chapter on memory consistency, in sets of pairs. Threads have no branches, but
compare-and-swap writes or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random

from tests.litmus.gpu.candidates import State

Pairs = frozenset[tuple[int, int]]
NOTHING: Pairs = frozenset()


@dataclass(frozen=True)
class Instr:
    """An instruction: what it does (ld, st, add, exch, cas, fence, proxy, bar), and its words.

    `name` is the location as written, `value` a number or a register, `register` gets what is read.
    """

    what: str
    order: str = ""
    scope: str = ""
    proxy: str = "generic"
    name: str = ""
    register: str = ""
    value: int | str = 0
    expected: int = 0
    instance: int = 0

    @property
    def text(self) -> str:
        scope = f".{self.scope}" if self.scope else ""
        prefix = {"generic": "", "surface": "su", "texture": "t", "constant": "co"}[self.proxy]
        match self.what:
            case "ld":
                return f"{prefix}ld.{self.order}{scope} {self.register}, {self.name}"
            case "st":
                return f"{prefix}st.{self.order}{scope} {self.name}, {self.value}"
            case "cas":
                values = f"{self.expected}, {self.value}"
                return f"{prefix}atom.{self.order}{scope}.cas {self.register}, {self.name}, {values}"
            case "add" | "exch":
                return f"{prefix}atom.{self.order}{scope}.{self.what} {self.register}, {self.name}, {self.value}"
            case "fence":
                return f"fence.{self.order}{scope}"
            case "proxy":
                return f"fence.proxy.{self.order}"
        return f"bar.cta.{self.order} {self.instance}"


@dataclass(frozen=True)
class Test:
    """Threads in their places (cta, gpu), and names: of each its location, its address, and how it was declared."""

    __test__ = False
    threads: tuple[tuple[tuple[int, int], tuple[Instr, ...]], ...]
    names: Mapping[str, tuple[str, str, str]]

    @property
    def locations(self) -> list[str]:
        return sorted({location for location, _, _ in self.names.values()})

    @property
    def registers(self) -> list[tuple[int, str]]:
        return [(n, i.register) for n, (_, body) in enumerate(self.threads) for i in body if i.register]

    @property
    def text(self) -> str:
        """The test as a file."""
        heads = [f"P{n}@cta {cta},gpu {gpu}" for n, ((cta, gpu), _) in enumerate(self.threads)]
        rows = [heads]
        for line in range(max(len(body) for _, body in self.threads)):
            rows.append([body[line].text if line < len(body) else "" for _, body in self.threads])
        listed = [f"{n}:{register};" for n, register in self.registers] + [f"{name};" for name in self.locations]
        return "\n".join([
            "PTX drawn", "{ " + " ".join(f"{how};" for _, _, how in self.names.values()) + " }",
            *(" " + " | ".join(row) + " ;" for row in rows), f"locations [{' '.join(listed)}]", "exists (true)", "",
        ])  # fmt: skip


def draw(rng: Random) -> Test:
    """A small test of two or three threads."""
    places = [(rng.randint(0, 1), int(rng.random() < 0.2)) for _ in range(rng.choice((2, 2, 2, 3)))]
    names = {"x": ("x", "x", "x=0")}
    if rng.random() < 0.7:
        names["y"] = ("y", "y", "y=0")
    if rng.random() < 0.4:
        proxy = rng.choice(("surface", "texture", "constant"))
        names["s"] = ("x", "x", f"s @ {proxy} aliases x")
    if rng.random() < 0.3:
        names["a"] = ("x", "a", rng.choice(("a aliases x", "a @ generic aliases x")))
    several = len(places) > 2
    threads = []
    for place in places:
        body: list[Instr] = []
        for number in range(rng.randint(1, 2 if several else 3)):
            body.append(_draw_instr(rng, names, number, body))
        threads.append((place, tuple(body)))
    return Test(tuple(threads), names)


def _draw_instr(rng: Random, names: Mapping[str, tuple[str, str, str]], number: int, before: list[Instr]) -> Instr:
    kind = rng.choices(("ld", "st", "add", "exch", "cas", "fence", "proxy", "bar"), (30, 32, 6, 5, 5, 14, 4, 7))[0]
    scope = rng.choice(("cta", "gpu", "gpu", "sys"))
    if kind == "fence":
        return Instr("fence", rng.choice(("sc", "sc", "acq_rel", "acquire", "release")), scope)
    if kind == "proxy":
        return Instr("proxy", rng.choice(("alias", "surface", "texture", "constant", "generic")))
    if kind == "bar":
        return Instr("bar", rng.choice(("sync", "sync", "arrive")), instance=rng.choice((0, 0, 1)))
    name = rng.choice(list(names))
    proxy = names[name][2].split()[2] if "@" in names[name][2] else "generic"
    registers = [i.register for i in before if i.register]
    value: int | str = rng.randint(1, 2)
    if registers and rng.random() < 0.25:
        value = rng.choice(registers)
    if kind == "ld" or (kind != "st" and proxy in ("texture", "constant")):
        order = rng.choice(("weak", "relaxed", "acquire"))
        return Instr("ld", order, "" if order == "weak" else scope, proxy, name, f"r{number}")
    if kind == "st" and proxy in ("generic", "surface"):
        order = rng.choice(("weak", "relaxed", "release"))
        return Instr("st", order, "" if order == "weak" else scope, proxy, name, value=value)
    if kind == "st":
        return Instr("st", "weak", "", "generic", names[name][0], value=value)
    order = rng.choice(("relaxed", "acquire", "release", "acq_rel"))
    return Instr(kind, order, scope, proxy, name, f"r{number}", value, rng.randint(0, 1))


# ---- executions


@dataclass
class Event:
    """An event; `data` are the reads, by number, that its value or its being there depends on."""

    thread: int
    kind: str  # R, W, F
    instr: Instr
    order: str
    location: str | None = None
    address: str | None = None
    source: int | None = None  # of an update's write: its read
    data: set[int] = field(default_factory=set)
    writes: bool = True  # of the read of a compare-and-swap: whether it is to write


def states(test: Test) -> set[State]:
    """The final states of all executions that are allowed."""
    return outcomes(test)[0]


def outcomes(test: Test) -> tuple[set[State], bool]:
    """The final states of all executions that are allowed, and whether one of these has a data race."""
    found: set[State] = set()
    race = False
    compared = [(n, k) for n, (_, body) in enumerate(test.threads) for k, i in enumerate(body) if i.what == "cas"]
    if not _meets(test):
        return found, race
    for succeed in product((False, True), repeat=len(compared)):
        execution = _Execution(test, dict(zip(compared, succeed, strict=True)))
        found |= execution.states()
        race |= execution.race
    return found, race


def _meets(test: Test) -> bool:
    """Whether nobody waits at a barrier for ever: threads go on until none can."""
    bodies = [body for _, body in test.threads]
    at = [0] * len(bodies)
    comes: dict[tuple[tuple[int, int], int], dict[int, list[int]]] = {}
    for n, (place, body) in enumerate(test.threads):
        for k, i in enumerate(body):
            if i.what == "bar":
                comes.setdefault((place, i.instance), {}).setdefault(n, []).append(k)
    moved = True
    while moved:
        moved = False
        for n, (place, body) in enumerate(test.threads):
            while at[n] < len(body):
                i = body[at[n]]
                if i.what == "bar" and i.order == "sync":
                    group = comes[place, i.instance]
                    here = group[n].index(at[n])  # the round
                    if any(len(each) <= here or at[m] < each[here] for m, each in group.items()):
                        break
                at[n] += 1
                moved = True
    return all(place == len(body) for place, body in zip(at, bodies, strict=True))


class _Execution:
    def __init__(self, test: Test, succeed: Mapping[tuple[int, int], bool]) -> None:
        self.test = test
        self.race = False
        self.events: list[Event] = []
        for location in test.locations:
            self.events.append(Event(-1, "W", Instr("st"), "", location))
        self.reads_of: dict[tuple[int, str], int] = {}
        for n, (_, body) in enumerate(test.threads):
            for k, i in enumerate(body):
                self.add(n, i, succeed.get((n, k), True))
        self.all = range(len(self.events))

    def add(self, thread: int, i: Instr, succeeds: bool) -> None:
        """The events of an instruction."""
        if i.what in ("fence", "proxy", "bar"):
            self.events.append(Event(thread, "F", i, i.order))
            return
        location, address, _ = self.test.names[i.name]
        data = {self.reads_of[thread, i.value]} if isinstance(i.value, str) else set()
        read = None
        if i.what != "st":
            order = {"acq_rel": "acquire", "release": "relaxed"}.get(i.order, i.order)
            read = len(self.events)
            self.events.append(Event(thread, "R", i, order, location, address, writes=succeeds))
            if i.what == "ld" or (i.what == "cas" and not succeeds):
                self.reads_of[thread, i.register] = read
                return
        order = {"acq_rel": "release", "acquire": "relaxed"}.get(i.order, i.order)
        if read is not None:
            self.reads_of[thread, i.register] = read
            data |= {read} if i.what in ("add", "cas") else set()
        self.events.append(Event(thread, "W", i, order, location, address, read, data))

    def where(self, kind: str) -> list[int]:
        return [n for n in self.all if self.events[n].kind == kind]

    def states(self) -> set[State]:
        found: set[State] = set()
        reads, writes = self.where("R"), self.where("W")
        sources = [[w for w in writes if self.events[w].location == self.events[r].location] for r in reads]
        fixed = _Relations(self)
        for choice in product(*sources):
            rf = dict(zip(reads, choice, strict=True))
            values = self.values(rf)
            if values is None:
                continue
            for fence_sc in fixed.fence_orders():
                with_rf = fixed.with_rf(frozenset((w, r) for r, w in rf.items()), fence_sc)
                if with_rf is None:
                    continue
                for co in self.coherence(writes):
                    if with_rf.allows(co):
                        found |= self.finals(values, co)
                        self.race |= with_rf.races()
        return found

    def values(self, rf: Mapping[int, int]) -> dict[int, int] | None:
        """The value of each event; None where they come out of thin air, or a compare-and-swap is not as assumed."""
        edges = {(w, r) for r, w in rf.items()} | {(r, w) for w in self.all for r in self.events[w].data}
        if _cyclic(frozenset(edges)):
            return None
        known: dict[int, int] = {}

        def value(n: int) -> int:
            if n not in known:
                event = self.events[n]
                if event.kind == "R":
                    known[n] = value(rf[n])
                elif event.thread < 0:
                    known[n] = 0
                else:
                    i = event.instr
                    given = value(min(event.data - {event.source})) if isinstance(i.value, str) else i.value
                    known[n] = given + value(event.source) if i.what == "add" and event.source is not None else given
            return known[n]

        for n in self.all:
            event = self.events[n]
            if event.kind == "R" and event.instr.what == "cas" and (value(n) == event.instr.expected) != event.writes:
                return None
            if event.kind != "F":
                value(n)
        return known

    def coherence(self, writes: list[int]) -> Iterator[Pairs]:
        """Each partial order of the writes of each location, the initial one first."""
        parts = []
        for location in self.test.locations:
            here = [w for w in writes if self.events[w].location == location]
            first, others = here[0], here[1:]
            parts.append([order | {(first, w) for w in others} for order in _partial_orders(others)])
        for choice in product(*parts):
            yield frozenset().union(*choice)

    def finals(self, values: Mapping[int, int], co: Pairs) -> Iterator[State] | set[State]:
        """A location ends with a write that is last, any of them."""
        registers = [(f"{n}:{name}", values[self.reads_of[n, name]]) for n, name in self.test.registers]
        last = []
        for location in self.test.locations:
            writes = [w for w in self.where("W") if self.events[w].location == location]
            last.append([(f"[{location}]", values[w]) for w in writes if not any(a == w for a, _ in co)])
        return {(*registers, *choice) for choice in product(*last)}


def _partial_orders(elements: list[int]) -> list[Pairs]:
    pairs = list(combinations(elements, 2))
    found = []
    for ways in product((0, 1, 2), repeat=len(pairs)):
        order = frozenset(pair if way == 1 else pair[::-1] for pair, way in zip(pairs, ways, strict=True) if way)
        if _compose(order, order) <= order:
            found.append(order)
    return found


def _compose(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> Pairs:
    following: dict[int, set[int]] = {}
    for a, b in second:
        following.setdefault(a, set()).add(b)
    return frozenset((a, c) for a, b in first for c in following.get(b, ()))


def _closure(relation: Pairs) -> Pairs:
    result = relation
    while not (more := _compose(result, relation)) <= result:
        result |= more
    return result


def _cyclic(relation: Pairs) -> bool:
    return any(a == b for a, b in _closure(relation))


def _inverse(relation: Pairs) -> Pairs:
    return frozenset((b, a) for a, b in relation)


class _Relations:
    """What the ISA speaks of, as far as it depends on the events alone."""

    def __init__(self, execution: _Execution) -> None:
        self.events, self.all = execution.events, execution.all
        events = self.events
        places = [place for place, _ in execution.test.threads]
        self.po = self.pairs(lambda a, b: a < b and events[a].thread == events[b].thread >= 0)
        self.same_cta = self.pairs(
            lambda a, b: (
                min(events[a].thread, events[b].thread) >= 0 and places[events[a].thread] == places[events[b].thread]
            )
        )
        self.overlap = self.pairs(
            lambda a, b: events[a].location is not None and events[a].location == events[b].location
        )
        self.same_address = frozenset(
            (a, b) for a, b in self.overlap if events[a].address and events[a].address == events[b].address
        )
        self.rmw = frozenset((e.source, n) for n, e in enumerate(events) if e.source is not None)
        self.depends = frozenset((r, n) for n, e in enumerate(events) for r in e.data)
        self.scopes = self.pairs(lambda a, b: self.reaches(a, b, places) and self.reaches(b, a, places))
        self.same_proxy = self.pairs(lambda a, b: self.proxy(a) is not None and self.proxy(a) == self.proxy(b))
        mixed = self.pairs(lambda a, b: not (events[a].location and events[b].location))
        related = self.po | _inverse(self.po)
        related |= frozenset((a, b) for a, b in self.scopes if self.strong(a) and self.strong(b))
        self.morally_strong = frozenset(
            (a, b) for a, b in related & self.same_proxy & (self.same_address | mixed) if a != b
        )
        self.bar = frozenset(
            (a, b) for a, b in self.same_cta
            if events[a].instr.what == events[b].instr.what == "bar"
            and events[a].instr.instance == events[b].instr.instance and events[b].order == "sync"
            and self.round(a) == self.round(b)
        )  # fmt: skip

    def pairs(self, condition) -> Pairs:  # type: ignore[no-untyped-def]
        return frozenset((a, b) for a in self.all for b in self.all if condition(a, b))

    def round(self, n: int) -> int:
        """How often the thread of a barrier has been at one of its instance before."""
        event = self.events[n]
        own = (e.instr for e in self.events[:n] if e.thread == event.thread)
        return sum(i.what == "bar" and i.instance == event.instr.instance for i in own)

    def is_fence(self, n: int) -> bool:
        return self.events[n].instr.what == "fence"

    def strong(self, n: int) -> bool:
        event = self.events[n]
        return event.thread >= 0 and (self.is_fence(n) or (event.kind in "RW" and event.order != "weak"))

    def proxy(self, n: int) -> str | None:
        event = self.events[n]
        if event.thread < 0 or event.instr.what == "bar":
            return None
        if event.instr.what == "proxy":
            return None if event.order == "alias" else event.order
        return event.instr.proxy

    def reaches(self, a: int, b: int, places: list[tuple[int, int]]) -> bool:
        one, other = self.events[a], self.events[b]
        if min(one.thread, other.thread) < 0 or not one.instr.scope or not other.instr.scope:
            return False
        (cta, gpu), (other_cta, other_gpu) = places[one.thread], places[other.thread]
        if one.instr.scope == "sys":
            return True
        return gpu == other_gpu and (one.instr.scope == "gpu" or cta == other_cta)

    def fence_orders(self) -> Iterator[Pairs]:
        """Each acyclic way to order the pairs of fence.sc that are in each other's scope."""
        fences = [n for n in self.all if self.is_fence(n) and self.events[n].order == "sc"]
        pairs = [(a, b) for a, b in combinations(fences, 2) if (a, b) in self.scopes]
        for ways in product((False, True), repeat=len(pairs)):
            order = frozenset(pair[::-1] if way else pair for pair, way in zip(pairs, ways, strict=True))
            if not _cyclic(order):
                yield order

    def with_rf(self, rf: Pairs, fence_sc: Pairs) -> _Causality | None:
        if _cyclic(rf | self.depends):
            return None
        return _Causality(self, rf, fence_sc)


class _Causality:
    """What depends on what is read and on fence-SC order."""

    def __init__(self, given: _Relations, rf: Pairs, fence_sc: Pairs) -> None:
        self.given, self.rf, self.fence_sc = given, rf, fence_sc
        events, po, address = given.events, given.po, given.same_address
        observed = given.morally_strong & rf
        observation = observed
        while not (more := _compose(_compose(observation, given.rmw), observed)) <= observation:
            observation |= more
        strong = {n for n in given.all if given.strong(n)}
        writes = {n for n in strong if events[n].kind == "W"}
        reads = {n for n in strong if events[n].kind == "R"}
        releases = {
            (a, b) for a in writes if events[a].order == "release" for b in writes if a == b or (a, b) in po & address
        }
        releases |= {(a, b) for a, b in po if given.is_fence(a) and events[a].order != "acquire" and b in writes}
        acquires = {
            (a, b) for b in reads if events[b].order == "acquire" for a in reads if a == b or (a, b) in po & address
        }
        acquires |= {(a, b) for a, b in po if given.is_fence(b) and events[b].order != "release" and a in reads}
        sync = given.morally_strong & _compose(_compose(releases, observation), acquires)
        self.base = _closure(po | sync | fence_sc | given.bar)
        self.cause = self.preserved() | _compose(observation, self.preserved())

    def preserved(self) -> Pairs:
        """Base causality as proxies keep it."""
        given, base = self.given, self.base
        generic = {n for n in given.all if given.events[n].location and given.proxy(n) == "generic"}
        accesses = {n for n in given.all if given.events[n].location and given.events[n].thread >= 0}
        fence_of = frozenset(
            (f, n) for f, n in given.same_cta
            if given.events[f].instr.what == "proxy" and n in accesses and given.proxy(f) == given.proxy(n)
        )  # fmt: skip
        # from an access to where it counts as one of the generic proxy; the same from there to an access
        into = frozenset((n, n) for n in generic) | (base & _inverse(fence_of))
        out_of = frozenset((n, n) for n in generic) | (base & fence_of)
        order = _compose(_compose(into, base), out_of)
        alias = frozenset(
            (f, f) for f in given.all if given.events[f].instr.what == "proxy" and given.events[f].order == "alias"
        )
        by_alias = _compose(_compose(base, alias), base)
        through = _compose(_compose(into, by_alias), out_of)
        same = base & given.same_proxy & given.same_cta
        return ((order | same) & given.same_address) | (through & given.overlap)

    def allows(self, co: Pairs) -> bool:
        """The axioms."""
        given, strong, events = self.given, self.given.morally_strong, self.given.events
        writes = {n for n in given.all if events[n].kind == "W"}
        for a, b in given.overlap:
            if a in writes and b in writes:
                if (a, b) in self.cause and (a, b) not in co:
                    return False
                if (a, b) in strong and not {(a, b), (b, a)} & co:
                    return False
        fr = _compose(_inverse(self.rf), co)
        if any(a == b for a, b in _compose(self.fence_sc, self.base)):
            return False
        if given.rmw & _compose(strong & fr, strong & co):
            return False
        if _cyclic((strong & (self.rf | co | fr)) | (strong & given.po & given.overlap)):
            return False
        return not any(a == b for a, b in _compose(self.rf | fr, self.cause))

    def races(self) -> bool:
        """Whether accesses of two threads overlap, one of which writes, that are not morally strong, and of which
        neither is before the other. What one instruction does is one operation."""
        given, events = self.given, self.given.events
        operations = [n if event.source is None else event.source for n, event in enumerate(events)]
        before = {(operations[a], operations[b]) for a, b in self.cause}
        return any(
            0 <= events[a].thread < events[b].thread
            and "W" in (events[a].kind, events[b].kind)
            and not {(a, b), (b, a)} & given.morally_strong
            and not {(operations[a], operations[b]), (operations[b], operations[a])} & before
            for a, b in given.overlap
        )
