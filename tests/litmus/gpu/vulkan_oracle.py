"""Vulkan by brute force: litmus tests as data, and every execution of them that the specification allows.

Nothing of xgen is used. A test is drawn (`draw`), written as text (`Test.text`) and run: each read gets a write to its
location, the writes to a location each order, and the axioms are those of the specification's appendix (release
sequences by immediate successors in scoped modification order, domains from narrow to wide), on rows of bits. Values
that depend on themselves are left out. Threads have no branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from tests.litmus.gpu.candidates import State, outcomes
from tests.litmus.gpu.rows import Rows, closure, compose, inverse, loops, meet, union, without

SCOPES = ("sg", "wg", "qf", "dv")


@dataclass(frozen=True)
class Instr:
    """An instruction (ld, st, exch, add, membar, cbar, avdevice, visdevice); `how` is plain, nonpriv, local or atom."""

    what: str
    how: str = ""
    order: str = ""
    scope: str = ""
    storage: str = ""
    classes: tuple[int, ...] = ()
    side: tuple[str, ...] = ()
    name: str = ""
    register: str = ""
    value: int | str = 0

    @property
    def text(self) -> str:
        semantics = [*(f"semsc{n}" for n in self.classes), *self.side] if self.order else []
        order = [self.order] if self.order else []
        if self.what in ("avdevice", "visdevice"):
            return self.what
        if self.what == "membar":
            return ".".join(["membar", *order, self.scope, *semantics])
        if self.what == "cbar":
            return ".".join(["cbar", *order, self.scope, *semantics]) + f" {self.value}"
        if self.what in ("exch", "add"):
            words = ["rmw", "atom", *order, self.scope, self.storage, *semantics]
            words += ["add"] if self.what == "add" else []
            return f"{'.'.join(words)} {self.register}, {self.name}, {self.value}"
        side = "vis" if self.what == "ld" else "av"
        middle = {
            "plain": [],
            "nonpriv": ["nonpriv"],
            "local": [side, self.scope],
            "atom": ["atom", *order, self.scope],
        }
        words = ".".join([self.what, *middle[self.how], self.storage, *semantics])
        operands = (self.register, self.name) if self.what == "ld" else (self.name, self.value)
        return f"{words} {operands[0]}, {operands[1]}"


@dataclass(frozen=True)
class Test:
    """Threads in their places (subgroup, workgroup, queue family), names of locations, what the system orders."""

    __test__ = False
    threads: tuple[tuple[tuple[int, int, int], tuple[Instr, ...]], ...]
    names: Mapping[str, str]
    system: tuple[tuple[int, int], ...]

    @property
    def locations(self) -> list[str]:
        return sorted(set(self.names.values()))

    @property
    def registers(self) -> list[tuple[int, str]]:
        return [(n, i.register) for n, (_, body) in enumerate(self.threads) for i in body if i.register]

    @property
    def text(self) -> str:
        """The test as a file."""
        rows = [[f"P{n}@sg {sg},wg {wg},qf {qf}" for n, ((sg, wg, qf), _) in enumerate(self.threads)]]
        for line in range(max(len(body) for _, body in self.threads)):
            rows.append([body[line].text if line < len(body) else "" for _, body in self.threads])
        listed = [f"{n}:{register};" for n, register in self.registers] + [f"{name};" for name in self.locations]
        first = [f"{name}=0;" if name == of else f"{name} aliases {of};" for name, of in self.names.items()]
        system = ["{ " + " ".join(f"ssw {a} {b};" for a, b in self.system) + " }"] if self.system else []
        return "\n".join([
            "VULKAN drawn", "{ " + " ".join(first) + " }", *system,
            *(" " + " | ".join(row) + " ;" for row in rows), f"locations [{' '.join(listed)}]", "exists (true)", "",
        ])  # fmt: skip


def draw(rng: Random) -> Test:
    """A small test of two or three threads."""
    count = rng.choice((2, 2, 2, 3))
    places = [(rng.randint(0, 1), int(rng.random() < 0.4), int(rng.random() < 0.2)) for _ in range(count)]
    names = {"x": "x", "y": "y"}
    if rng.random() < 0.25:
        names["a"] = "x"
    classes = {"x": 0, "y": rng.choice((0, 0, 1))}
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    system = tuple(rng.sample(pairs, rng.choice((1, 1, 2)))) if rng.random() < 0.2 else ()
    threads = []
    for place in places:
        body: list[Instr] = []
        for number in range(rng.randint(1, 2 if count > 2 else 3)):
            body.append(_draw_instr(rng, names, classes, number, body))
        threads.append((place, tuple(body)))
    return Test(tuple(threads), names, system)


def _draw_instr(
    rng: Random, names: Mapping[str, str], classes: Mapping[str, int], number: int, before: list[Instr]
) -> Instr:
    kinds = ("ld", "st", "exch", "add", "membar", "cbar", "avdevice", "visdevice")
    kind = rng.choices(kinds, (30, 33, 6, 5, 14, 7, 2, 3))[0]
    scope = rng.choice(("sg", "wg", "qf", "dv", "dv"))
    ordered = tuple(sorted(rng.sample((0, 1), rng.choice((1, 1, 2)))))
    if kind in ("avdevice", "visdevice"):
        return Instr(kind)
    order = rng.choice({"ld": ("", "acq"), "st": ("", "rel")}.get(kind, ("acq", "rel", "acq_rel")))
    if kind in ("exch", "add", "cbar") and rng.random() < 0.3:
        order = ""
    side = tuple(word for word, of in (("semav", "rel"), ("semvis", "acq")) if of in order and rng.random() < 0.5)
    if kind == "membar":
        return Instr(kind, order=order, scope=scope, classes=ordered, side=side)
    if kind == "cbar":
        return Instr(kind, order=order, scope=scope, classes=ordered, side=side, value=rng.choice((0, 0, 1)))
    name = rng.choice(list(names))
    storage = f"sc{classes[names[name]]}"
    registers = [i.register for i in before if i.register]
    value: int | str = rng.choice(registers) if registers and rng.random() < 0.2 else rng.randint(1, 2)
    register = "" if kind == "st" else f"r{number}"
    how = "atom" if kind in ("exch", "add") else rng.choice(("plain", "nonpriv", "local", "local", "atom", "atom"))
    if how != "atom":
        order, side = "", ()
    scope = scope if how in ("local", "atom") else ""
    return Instr(kind, how, order, scope, storage, ordered if order else (), side, name, register, value)


# ---- executions


@dataclass
class Event:
    """An event; `data` are the reads, by number, that its value depends on, `source` of an update's write its read."""

    thread: int
    kind: str  # R, W, F (fences, avdevice, visdevice), B (control barriers)
    instr: Instr
    tags: frozenset[str]
    location: str | None = None
    source: int | None = None
    data: set[int] = field(default_factory=set)


def run(test: Test) -> tuple[set[State], bool]:
    """The final states of all executions that are allowed, and whether one of these has a data race."""
    return _Candidates(test).run() if _meets(test) else (set(), False)


def _meets(test: Test) -> bool:
    """Whether nobody waits at a control barrier for ever: threads of a workgroup go on until none can."""
    bodies = [body for _, body in test.threads]
    at = [0] * len(bodies)
    comes: dict[object, dict[int, list[int]]] = {}
    for n, (place, body) in enumerate(test.threads):
        for k, i in enumerate(body):
            if i.what == "cbar":
                comes.setdefault((place[1:], i.value), {}).setdefault(n, []).append(k)
    moved = True
    while moved:
        moved = False
        for n, (place, body) in enumerate(test.threads):
            while at[n] < len(body):
                i = body[at[n]]
                if i.what == "cbar":
                    group = comes[place[1:], i.value]
                    here = group[n].index(at[n])  # the round
                    if any(len(each) <= here or at[m] < each[here] for m, each in group.items()):
                        break
                at[n] += 1
                moved = True
    return all(place == len(body) for place, body in zip(at, bodies, strict=True))


class _Candidates:
    def __init__(self, test: Test) -> None:
        self.test = test
        self.events = [Event(-1, "W", Instr("st"), frozenset(), location) for location in test.locations]
        self.reads_of: dict[tuple[int, str], int] = {}
        for n, (_, body) in enumerate(test.threads):
            for i in body:
                self.add(n, i)
        self.all = range(len(self.events))

    def add(self, thread: int, i: Instr) -> None:
        """The events of an instruction."""
        semantics = {f"semsc{n}" for n in i.classes} | set(i.side) if i.order else set()
        orders = {"acq": {"acq"}, "rel": {"rel"}, "acq_rel": {"acq", "rel"}}.get(i.order, set())
        if i.what in ("avdevice", "visdevice", "membar", "cbar"):
            own = {i.what} if i.what.endswith("device") else {i.scope}
            fence = {"fence"} if i.what == "membar" or (i.what == "cbar" and orders) else set()
            tags = frozenset(own | semantics | orders | fence)
            self.events.append(Event(thread, "B" if i.what == "cbar" else "F", i, tags))
            return
        location = self.test.names[i.name]
        data = {self.reads_of[thread, i.value]} if isinstance(i.value, str) else set()
        common = {i.storage} | ({i.scope} if i.scope else set()) | (set() if i.how == "plain" else {"nonpriv"})
        common |= {"atom"} if i.how == "atom" else set()
        local = i.how in ("local", "atom")
        read = None
        if i.what != "st":
            read = len(self.events)
            tags = common | ({"vis"} if local else set())
            if "acq" in orders:
                tags |= {"acq"} | (semantics - {"semav"})
            self.events.append(Event(thread, "R", i, frozenset(tags), location))
            self.reads_of[thread, i.register] = read
        if i.what != "ld":
            tags = common | ({"av"} if local else set())
            if "rel" in orders:
                tags |= {"rel"} | (semantics - {"semvis"})
            if i.what == "add" and read is not None:
                data = data | {read}
            self.events.append(Event(thread, "W", i, frozenset(tags), location, read, data))

    def run(self) -> tuple[set[State], bool]:
        return outcomes(self, _Fixed(self).judge)

    def values(self, rf: Mapping[int, int]) -> dict[int, int] | None:
        """The value of each access; None where one depends on itself."""
        known: dict[int, int] = {}
        open_: set[int] = set()

        def value(n: int) -> int | None:
            if n in known:
                return known[n]
            if n in open_:
                return None
            open_.add(n)
            event, i = self.events[n], self.events[n].instr
            result: int | None = 0
            if event.kind == "R":
                result = value(rf[n])
            elif event.thread >= 0:
                given = value(self.reads_of[event.thread, i.value]) if isinstance(i.value, str) else i.value
                old = value(event.source) if i.what == "add" and event.source is not None else 0
                result = None if given is None or old is None else given + old
            if result is not None:
                known[n] = result
            return result

        for n in self.all:
            if self.events[n].location is not None and value(n) is None:
                return None
        return known


class _Fixed:
    """What depends on the events alone."""

    def __init__(self, candidates: _Candidates) -> None:
        self.events, self.size = candidates.events, len(candidates.events)
        events, places = self.events, [place for place, _ in candidates.test.threads]
        self.id = self.rows(lambda a, b: a == b)
        self.po = self.rows(lambda a, b: a < b and events[a].thread == events[b].thread >= 0)
        self.loc = self.rows(lambda a, b: events[a].location is not None and events[a].location == events[b].location)
        own = [n for n in range(self.size) if events[n].thread >= 0]
        self.ref = meet(self.loc, self.rows(lambda a, b: a in own and b in own and self.address(a) == self.address(b)))
        # `sg`: the same in all of subgroup, workgroup and queue family, and so on
        self.group = {
            scope: self.rows(
                lambda a, b, k=k: a in own and b in own and places[events[a].thread][k:] == places[events[b].thread][k:]
            )
            for k, scope in enumerate(SCOPES)
        }
        self.in_scope = self.rows(lambda a, b: self.reaches(a, b) and self.reaches(b, a))
        system = candidates.test.system
        self.ssw = self.rows(lambda a, b: (events[a].thread, events[b].thread) in system)
        self.internal = self.rows(lambda a, b: events[a].thread == events[b].thread >= 0)
        both = self.rows(lambda a, b: "atom" in events[a].tags and "atom" in events[b].tags)
        self.mutual = without(meet(self.ref, self.in_scope, both), self.id)
        self.rmw = self.rows(lambda a, b: events[b].source == a)
        self.sets()
        self.included = self.rows(self.includes)
        self.barred = self.rows(
            lambda a, b: (
                a != b
                and events[a].kind == events[b].kind == "B"
                and events[a].instr.value == events[b].instr.value
                and self.round(a) == self.round(b)
            )
        )
        self.barred = meet(self.barred, self.group["wg"], self.in_scope)

    def round(self, n: int) -> int:
        """How often the thread of a barrier has been at one of its number before."""
        event = self.events[n]
        own = (e for e in self.events[:n] if e.thread == event.thread and e.kind == "B")
        return sum(e.instr.value == event.instr.value for e in own)

    def sets(self) -> None:
        """Sets of events, as identities, and what a fence orders."""
        self.W = self.on(lambda e: e.kind == "W")
        self.R = self.on(lambda e: e.kind == "R")
        self.init = self.on(lambda e: e.thread < 0)
        self.open_W = self.on(lambda e: e.kind == "W" and "nonpriv" in e.tags)
        self.open_R = self.on(lambda e: e.kind == "R" and "nonpriv" in e.tags)
        self.bars = self.on(lambda e: e.kind == "B")
        self.rel_F, self.acq_F = (self.on(lambda e, w=w: {"fence", w} <= e.tags) for w in ("rel", "acq"))
        self.rel_A, self.acq_A = (self.on(lambda e, w=w: {"atom", w} <= e.tags) for w in ("rel", "acq"))
        self.atom_W = self.on(lambda e: e.kind == "W" and "atom" in e.tags)
        self.atom_R = self.on(lambda e: e.kind == "R" and "atom" in e.tags)
        self.avail = [self.domain(("av", "semav"), k) for k in range(4)]
        self.visib = [self.domain(("vis", "semvis"), k) for k in range(4)]
        self.avdevice = self.on(lambda e: "avdevice" in e.tags)
        self.visdevice = self.on(lambda e: "visdevice" in e.tags)
        ordered = self.rows(lambda a, b: bool(self.classes(a) & self.semantics(b)))
        self.class_to_fence = meet(self.po, ordered)
        self.fence_to_class = meet(self.po, inverse(ordered))

    def rows(self, condition: Callable[[int, int], bool]) -> Rows:
        return [sum(1 << b for b in range(self.size) if condition(a, b)) for a in range(self.size)]

    def on(self, condition: Callable[[Event], bool]) -> Rows:
        """The identity on some events."""
        return [1 << n if condition(event) else 0 for n, event in enumerate(self.events)]

    def domain(self, words: tuple[str, str], level: int) -> Rows:
        """Operations that make available (visible) in a domain of the level or a wider one."""
        return self.on(lambda e: bool(e.tags & set(words)) and bool(e.tags & set(SCOPES[level:])))

    def address(self, n: int) -> str:
        return self.events[n].instr.name

    def classes(self, n: int) -> set[str]:
        return {tag[-1] for tag in self.events[n].tags if tag in ("sc0", "sc1")}

    def semantics(self, n: int) -> set[str]:
        return {tag[-1] for tag in self.events[n].tags if tag in ("semsc0", "semsc1")}

    def reaches(self, a: int, b: int) -> bool:
        scopes = [scope for scope in SCOPES if scope in self.events[a].tags]
        return bool(scopes) and bool(self.group[scopes[0]][a] >> b & 1)

    def includes(self, a: int, b: int) -> bool:
        """Whether one of two is an operation that makes the other, an access, available or visible."""
        for first, second, side in ((a, b, "av"), (b, a, "vis")):
            tags = self.events[second].tags
            if self.classes(first) and side + "device" in tags:
                return True
            if "sem" + side in tags and self.classes(first) & self.semantics(second):
                return True
        local = self.events[a].tags & {"av", "vis"} or self.events[b].tags & {"av", "vis"}
        return bool(local) and bool(self.ref[a] >> b & 1)

    def judge(self, rf: Mapping[int, int], co: tuple[tuple[int, ...], ...]) -> tuple[bool, bool]:
        """Whether the axioms hold, and whether two accesses race."""
        place = {n: (k, order.index(n)) for k, order in enumerate(co) for n in order}
        mo = self.rows(lambda a, b: a in place and b in place and place[a][0] == place[b][0] and place[a] < place[b])
        reads_from = self.rows(lambda a, b: rf.get(b) == a)
        scoped = meet(mo, self.mutual)
        hb = self.happens_before(meet(reads_from, self.mutual), scoped)
        located = self.location_order(hb)
        back = inverse(reads_from)
        from_reads = union(
            compose(inverse(meet(reads_from, located)), compose(self.W, located, self.W)),
            compose(back, scoped),
            compose(back, self.init, without(compose(self.loc, self.W), self.id)),
        )
        if loops(closure(union(located, reads_from, from_reads, scoped))):
            return False, False
        over = compose(self.W, located, closure(compose(self.W, located)))
        plain = self.on(lambda e: e.kind == "R" and "atom" not in e.tags)
        if any(meet(compose(reads_from, plain), over)):
            return False, False
        external = self.rows(lambda a, b: not self.internal[a] >> b & 1)
        if any(meet(self.rmw, compose(meet(from_reads, external), meet(scoped, external)))):
            return False, False
        pairs = self.rows(
            lambda a, b: (
                "W" in (self.events[a].kind, self.events[b].kind)
                and min(self.events[a].thread, self.events[b].thread) >= 0
            )
        )
        racing = without(without(meet(self.loc, pairs), self.mutual), self.id)
        return True, any(without(racing, union(located, inverse(located))))

    def happens_before(self, observed: Rows, scoped: Rows) -> Rows:
        """By synchronization, with release sequences along immediate successors that are updates."""
        next_ = without(scoped, compose(scoped, scoped))
        updates = self.on(lambda e: e.source is not None)
        sequence = union(closure(compose(next_, updates)), self.id)
        starts = union(self.rel_A, compose(self.rel_F, self.fence_to_class, self.atom_W))
        ends = union(self.acq_A, compose(self.atom_R, self.class_to_fence, self.acq_F))
        po = union(self.po, self.id)
        barriers = compose(self.rel_F, po, self.bars, self.barred, self.bars, po, self.acq_F)
        sync = meet(union(compose(starts, sequence, observed, ends), barriers), self.in_scope)
        hb = self.po
        for size in (1, 2):
            for chosen in combinations("01", size):
                hb = union(hb, self.by_classes(set(chosen), sync))
        return hb

    def by_classes(self, chosen: set[str], sync: Rows) -> Rows:
        """What is ordered for all of these storage classes."""
        numbers = range(self.size)
        ordering = {n for n in numbers if chosen <= self.semantics(n)}
        touched = ordering | {n for n in numbers if self.classes(n) & chosen}
        releasing = {n for n in ordering if "rel" in self.events[n].tags}
        acquiring = {n for n in ordering if "acq" in self.events[n].tags}
        steps = self.rows(
            lambda a, b: (
                (a in ordering and b in ordering and bool(sync[a] >> b & 1))
                or (
                    bool(self.po[a] >> b & 1)
                    and ((a in touched and b in releasing) or (a in acquiring and b in touched))
                )
            )
        )
        return closure(union(self.ssw, steps))

    def domains(self, hb: Rows) -> tuple[list[Rows], list[Rows]]:
        """Chains of operations that make available in wider and wider domains, and visible in narrower ones."""
        steps = [meet(hb, self.group[scope], self.included) for scope in SCOPES[:3]]
        own = self.on(lambda e: e.thread >= 0)
        up: list[Rows] = []
        down: list[Rows] = []
        for level in range(4):
            chain, back = own, own
            for below in range(level):
                chain = compose(chain, union(own, compose(up[below], steps[below])))
            for below in reversed(range(level)):
                back = compose(back, union(own, compose(steps[below], down[below])))
            up.append(compose(chain, self.avail[level]))
            down.append(compose(self.visib[level], back))
        return up, down

    def location_order(self, hb: Rows) -> Rows:
        up, down = self.domains(hb)
        here = union(meet(self.po, self.included), self.on(lambda e: e.thread >= 0))
        parts = [meet(hb, self.internal, self.ref)]
        open_ = union(self.open_W, self.open_R)
        parts.append(compose(self.open_R, hb, open_))
        parts.append(compose(self.R, closure(self.ssw), union(self.R, self.W)))
        for level, scope in enumerate(SCOPES):
            within = hb if scope == "dv" else meet(hb, self.group[scope])
            made = compose(self.open_W, here, up[level], within)
            parts.append(meet(compose(made, self.open_W), self.ref))
            parts.append(meet(compose(made, down[level], here, self.open_R), self.ref))
        device = compose(self.W, meet(hb, self.included), self.avdevice, hb)
        parts.append(compose(device, self.W))
        parts.append(compose(device, self.visdevice, meet(hb, self.included), self.R))
        return meet(self.loc, union(*parts))
