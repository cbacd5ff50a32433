"""OpenCL by brute force: litmus tests as data, and every execution of them that the memory model allows.

Nothing of xgen is used. A test is drawn (`draw`), written as text (`Test.text`) and run: each read gets a write to its
location, the writes to a location each order, and the axioms are those of Batty, Donaldson and Wickerson (POPL 2016),
release sequences walked along the order of writes. Values that depend on themselves are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random

from tests.litmus.gpu.candidates import Related, State, outcomes, values_of
from tests.litmus.gpu.rows import Rows, closure, compose, inverse, loops, meet, union, without

SCOPES = {"wi": "work_item", "wg": "work_group", "dv": "device", "all": "all_svm_devices"}
RELEASES, ACQUIRES = ("release", "acq_rel", "seq_cst"), ("acquire", "acq_rel", "seq_cst")


@dataclass(frozen=True)
class Instr:
    """ld, st, add, exch (atomic if there is an order; a scope that is "" is not written), fence, bar."""

    what: str
    order: str = ""
    scope: str = ""
    flags: tuple[str, ...] = ()
    name: str = ""
    register: str = ""
    value: int | str = 0

    @property
    def text(self) -> str:
        order = f"memory_order_{self.order}"
        scope = f", memory_scope_{SCOPES[self.scope]}" if self.scope else ""
        flags = " | ".join(f"CLK_{flag.upper()}_MEM_FENCE" for flag in self.flags)
        match self.what:
            case "ld" if self.order:
                return f"int {self.register} = atomic_load_explicit({self.name}, {order}{scope});"
            case "ld":
                return f"int {self.register} = *{self.name};"
            case "st" if self.order:
                return f"atomic_store_explicit({self.name}, {self.value}, {order}{scope});"
            case "st":
                return f"*{self.name} = {self.value};"
            case "add" | "exch":
                function = {"add": "fetch_add", "exch": "exchange"}[self.what]
                return f"int {self.register} = atomic_{function}_explicit({self.name}, {self.value}, {order}{scope});"
            case "fence":
                return f"atomic_work_item_fence({flags}, {order}{scope});"
        return f"{self.name}{': ' if self.name else ''}barrier({flags});"


@dataclass(frozen=True)
class Test:
    """Threads in their places (work-group, device), and locations: of each its region, and whether it is atomic."""

    __test__ = False
    threads: tuple[tuple[tuple[int, int], tuple[Instr, ...]], ...]
    locations: Mapping[str, tuple[str, bool]]

    @property
    def registers(self) -> list[tuple[int, str]]:
        return [(n, i.register) for n, (_, body) in enumerate(self.threads) for i in body if i.register]

    @property
    def text(self) -> str:
        """The test as a file."""
        parameters = ", ".join(
            f"{region} {'atomic_int' if atomic else 'int'}* {name}" for name, (region, atomic) in self.locations.items()
        )
        lines = ["OPENCL drawn", "{ " + " ".join(f"{name}=0;" for name in self.locations) + " }"]
        for n, ((wg, dev), body) in enumerate(self.threads):
            lines += [f"P{n}@wg {wg}, dev {dev} ({parameters}) {{", *(f"  {i.text}" for i in body), "}"]
        listed = [f"{n}:{register};" for n, register in self.registers] + [f"{name};" for name in self.locations]
        return "\n".join([*lines, f"locations [{' '.join(listed)}]", "exists (true)", ""])


def draw(rng: Random) -> Test:
    """A small test of two or three threads."""
    count = rng.choice((2, 2, 2, 3))
    places = [(rng.randint(0, 1), int(rng.random() < 0.2)) for _ in range(count)]
    locations = {"x": ("global", rng.random() < 0.6), "y": (rng.choice(("global", "global", "local")), True)}
    threads = []
    for place in places:
        body: list[Instr] = []
        for number in range(rng.randint(1, 2 if count > 2 else 3)):
            body.append(_draw_instr(rng, locations, number, body))
        threads.append((place, tuple(body)))
    return Test(tuple(threads), locations)


def _draw_instr(rng: Random, locations: Mapping[str, tuple[str, bool]], number: int, before: list[Instr]) -> Instr:
    kind = rng.choices(("ld", "st", "add", "exch", "fence", "bar"), (30, 33, 6, 6, 14, 11))[0]
    flags = rng.choice((("global",), ("global",), ("local",), ("global", "local")))
    scope = rng.choice(("", "wg", "dv", "dv", "all", "wi"))
    if kind == "fence":
        return Instr("fence", rng.choice(("acquire", "release", "acq_rel", "seq_cst")), scope or "dv", flags)
    if kind == "bar":
        return Instr("bar", flags=flags, name=rng.choice(("", "B0", "B1")))
    name = rng.choice(list(locations))
    kind = kind if locations[name][1] or kind in ("ld", "st") else "st"
    atomic = locations[name][1] and rng.random() < 0.9
    orders = {"ld": ("relaxed", "acquire", "seq_cst"), "st": ("relaxed", "release", "seq_cst")}
    order = rng.choice(orders.get(kind, ("relaxed", "acquire", "release", "acq_rel", "seq_cst")))
    if kind in ("ld", "st") and not atomic:
        order = scope = ""
    registers = [i.register for i in before if i.register]
    value: int | str = rng.choice(registers) if registers and rng.random() < 0.2 else rng.randint(1, 2)
    return Instr(kind, order, scope, (), name, "" if kind == "st" else f"r{number}", value)


# ---- executions


@dataclass
class Event:
    """An event: R, W, F or B (barriers); `source` is an update's read, `instance` which barrier it is."""

    thread: int
    kind: str
    instr: Instr
    order: str = ""
    scope: str = ""
    regions: tuple[str, ...] = ()
    location: str | None = None
    source: int | None = None
    instance: str = ""
    data: set[int] = field(default_factory=set)


def run(test: Test) -> tuple[set[State], bool]:
    """The final states of all executions that are allowed, and whether one of these has a data race."""
    return _Candidates(test).run()


class _Candidates:
    def __init__(self, test: Test) -> None:
        self.test = test
        self.events = [
            Event(-1, "W", Instr("st"), regions=(region,), location=name)
            for name, (region, _) in test.locations.items()
        ]
        self.reads_of: dict[tuple[int, str], int] = {}
        for n, (_, body) in enumerate(test.threads):
            unnamed = 0
            for i in body:
                instance = i.name or f"{unnamed}th"
                unnamed += i.what == "bar" and not i.name
                self.add(n, i, instance)
        self.all = range(len(self.events))

    def add(self, thread: int, i: Instr, instance: str) -> None:
        """The events of an instruction."""
        if i.what in ("fence", "bar"):
            kind, scope = ("F", i.scope) if i.what == "fence" else ("B", "wg")
            self.events.append(Event(thread, kind, i, i.order, scope, i.flags, instance=instance))
            return
        scope = (i.scope or "dv") if i.order else "wi"
        regions = (self.test.locations[i.name][0],)
        data = {self.reads_of[thread, i.value]} if isinstance(i.value, str) else set()
        read = None
        if i.what != "st":
            read = len(self.events)
            self.events.append(Event(thread, "R", i, i.order, scope, regions, i.name))
            self.reads_of[thread, i.register] = read
        if i.what != "ld":
            data |= {read} if i.what == "add" and read is not None else set()
            self.events.append(Event(thread, "W", i, i.order, scope, regions, i.name, read, data=data))

    def meets(self) -> bool:
        """Whether nobody waits at a barrier for ever: threads of a work-group go on until none can.

        One passes a barrier if all of its group that have this barrier have come to it as often.
        """
        bodies = [[e.instance if e.kind == "B" else "" for e in self.events if e.thread == n] for n in self.threads()]
        places = [place for place, _ in self.test.threads]
        at = [0] * len(bodies)
        moved = True
        while moved:
            moved = False
            for n, body in enumerate(bodies):
                while at[n] < len(body):
                    here = body[at[n]]
                    come = [
                        bodies[m][: at[m] + 1].count(here)
                        for m in self.threads()
                        if here in bodies[m] and places[m] == places[n]
                    ]
                    if here and min(come) < body[: at[n] + 1].count(here):
                        break
                    at[n] += 1
                    moved = True
        return all(place == len(body) for place, body in zip(at, bodies, strict=True))

    def threads(self) -> range:
        return range(len(self.test.threads))

    def run(self) -> tuple[set[State], bool]:
        if not self.meets():
            return set(), False
        return outcomes(self, _Fixed(self).judge)

    def values(self, rf: Mapping[int, int]) -> dict[int, int] | None:
        return values_of(self, rf)


class _Fixed(Related):
    """What depends on the events alone."""

    def __init__(self, candidates: _Candidates) -> None:
        super().__init__(candidates.events)
        events, self.test = candidates.events, candidates.test
        self.places = [place for place, _ in candidates.test.threads]
        self.internal = self.rows(lambda a, b: events[a].thread == events[b].thread)
        self.inclusive = self.rows(self.includes)
        self.W = self.rows(lambda a, b: a == b and events[a].kind == "W")

    def includes(self, a: int, b: int) -> bool:
        """Whether two operations name the same scope, and are in it together."""
        one, other = self.events[a], self.events[b]
        if min(one.thread, other.thread) < 0 or one.scope != other.scope:
            return False
        (wg, dev), (wg2, dev2) = self.places[one.thread], self.places[other.thread]
        return {"all": True, "dv": dev == dev2, "wg": (wg, dev) == (wg2, dev2), "wi": False}[one.scope]

    def judge(self, rf: Mapping[int, int], co: tuple[tuple[int, ...], ...]) -> tuple[bool, bool]:
        """Whether the axioms hold, and whether two accesses race."""
        events = self.events
        atomic = {name for name, (_, is_atomic) in self.test.locations.items() if is_atomic}
        order = {n: k for run_ in co for k, n in enumerate(run_)}
        mo = self.rows(lambda a, b: a in order and b in order and bool(self.loc[a] >> b & 1) and order[a] < order[b])
        modification = [row if events[n].location in atomic else 0 for n, row in enumerate(mo)]
        reads = self.rows(lambda a, b: rf.get(b) == a)
        swaps = {region: self.synchronizes(region, rf, co, atomic) for region in ("global", "local")}
        hb = {
            region: self.happens(region, swaps[region], swaps["local" if region == "global" else "global"])
            for region in swaps
        }
        both = union(hb["global"], hb["local"])
        back = union(inverse(reads), self.id)
        for region in hb:
            if loops(compose(back, modification, union(reads, self.id), hb[region])):
                return False, False
        if loops(compose(reads, both)) or not self.sees(rf, hb, atomic):
            return False, False
        for n in self.numbers:
            source = events[n].source
            if source is None:
                continue
            after = self.outside(n, order, rf[source], source in rf and events[n].location in atomic)
            if after:
                return False, False
        seq = self.rows(lambda a, b: events[a].order == events[b].order == "seq_cst")
        fence = self.rows(lambda a, b: a == b and events[a].kind in "FB")
        before, behind = union(compose(fence, self.po), self.id), union(compose(self.po, fence), self.id)
        steps = union(compose(inverse(reads), modification), modification, both)
        if loops(closure(meet(compose(before, steps, behind), seq, self.inclusive))):
            return False, False
        return True, any(without(without(self.conflicts(), self.inclusive), union(both, inverse(both))))

    def outside(self, write: int, order: Mapping[int, int], origin: int, atomic: bool) -> bool:
        """Whether a write of another thread than the update's comes between what it reads and what it writes."""
        if not atomic:
            return False
        own = self.events[write]
        return any(
            order[origin] < order[n] < order[write] and self.events[n].location == own.location
            and self.events[n].thread != own.thread
            for n in order
        )  # fmt: skip

    def sees(self, rf: Mapping[int, int], hb: Mapping[str, Rows], atomic: set[str]) -> bool:
        """Whether reads of locations that are not atomic read the last write that happens before."""
        for read, write in rf.items():
            event = self.events[read]
            if event.location in atomic:
                continue
            before = hb[event.regions[0]]
            if not before[write] >> read & 1:
                return False
            between = compose(meet(before, self.loc), self.W, before)
            if between[write] >> read & 1:
                return False
        return True

    def synchronizes(
        self, region: str, rf: Mapping[int, int], co: tuple[tuple[int, ...], ...], atomic: set[str]
    ) -> Rows:
        """Pairs of a release and an acquire, each an access of the region or a fence that orders it."""
        events = self.events
        found = [0] * self.size
        for read, write in rf.items():
            if events[read].scope == "wi" or region not in events[write].regions:
                continue
            ends = [read, *(n for n in self.numbers if self.po[read] >> n & 1 and events[n].kind in "FB")]
            for head in self.heads(write, co, atomic):
                starts = [head, *(n for n in self.numbers if self.po[n] >> head & 1 and events[n].kind in "FB")]
                for a, b in product(starts, ends):
                    if (
                        events[a].order in RELEASES and events[b].order in ACQUIRES
                        and events[a].kind in "WF" and events[b].kind in "RF"
                        and region in events[a].regions and region in events[b].regions
                        and self.inclusive[a] >> b & 1 and events[a].thread != events[b].thread
                    ):  # fmt: skip
                        found[a] |= 1 << b
        return found

    def heads(self, write: int, co: tuple[tuple[int, ...], ...], atomic: set[str]) -> Iterator[int]:
        """The writes of whose release sequences a write is one: with nothing between of others but updates."""
        events = self.events
        if events[write].scope != "wi":
            yield write
        if events[write].location not in atomic:
            return
        order = next(each for each in co if write in each)
        place = order.index(write)
        for k in range(place):
            head = order[k]
            own = events[head].thread
            follows = (events[n].source is not None or (events[n].thread == own >= 0) for n in order[k + 1 : place + 1])
            if events[head].scope != "wi" and all(follows):
                yield head

    def happens(self, region: str, swaps: Rows, others: Rows) -> Rows:
        """What happens before what in a region; a barrier does not come before itself."""
        events, places = self.events, self.places
        inside = [region in event.regions for event in events]
        across = self.rows(
            lambda a, b: (
                events[a].order == events[b].order == "seq_cst" or len(events[a].regions) == len(events[b].regions) == 2
            )
        )
        barriers = self.rows(
            lambda a, b: (
                events[a].kind == events[b].kind == "B" and events[a].instance == events[b].instance
                and events[a].thread != events[b].thread and places[events[a].thread] == places[events[b].thread]
            )
        )  # fmt: skip
        kept = self.rows(lambda a, b: inside[a] and inside[b])
        steps = union(meet(union(self.po, self.first, barriers), kept), swaps, meet(others, across))
        return without(closure(steps), self.id)
