"""HIP's model by brute force: kernels as data, and every execution of them that the memory model allows.

Nothing of xgen is used. A kernel is drawn (`draw`), written as PTX with the instructions of xgen's headers for HIP
(`Test.text`), and run: each read gets a write to its location, the writes to a location each order. What is allowed are
the axioms of RC11 (Lahav et al., PLDI 2017) but the one on values out of thin air, with C++20's release sequences, and
scopes that have each other in them, as LLVM's page on AMD's GPUs has them. Values that depend on themselves are left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from tests.litmus.gpu.candidates import Related, State, outcomes, values_of
from tests.litmus.gpu.rows import Rows, closure, compose, inverse, loops, meet, union, without

ORDERS = {"relaxed": 0, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5}
SCOPES = {"singlethread": 1, "workgroup": 3, "agent": 4, "system": 5}
RELEASES, ACQUIRES = ("release", "acq_rel", "seq_cst"), ("acquire", "acq_rel", "seq_cst")
LOCATIONS = ("x", "y")


@dataclass(frozen=True)
class Instr:
    """ld, st, add, exch (atomic if there is an order), cas (from 0; `failure` is its other order), fence, bar."""

    what: str
    order: str = ""
    scope: str = ""
    name: str = ""
    register: str = ""
    value: int | str = 0
    failure: str = ""

    @property
    def text(self) -> str:
        order, scope = ORDERS.get(self.order, 0), SCOPES.get(self.scope, 0)
        gets, value = f"%{self.register}", f"%{self.value}" if isinstance(self.value, str) else self.value
        match self.what:
            case "ld" if self.order:
                return f"xgen.load.b32 {gets}, [{self.name}], {order}, {scope};"
            case "ld":
                return f"ld.u32 {gets}, [{self.name}];"
            case "st" if self.order:
                return f"xgen.store.b32 [{self.name}], {value}, {order}, {scope};"
            case "st":
                return f"st.u32 [{self.name}], {value};"
            case "add":
                return f"xgen.fetch_add.u32 {gets}, [{self.name}], {value}, {order}, {scope};"
            case "exch":
                return f"xgen.exchange.u32 {gets}, [{self.name}], {value}, {order}, {scope};"
            case "cas":
                return f"xgen.cas.b32 {gets}, [{self.name}], 0, {value}, {order}, {ORDERS[self.failure]}, {scope};"
            case "fence":
                return f"xgen.fence _, {order}, {scope};"
        return "bar.sync 0;"


@dataclass(frozen=True)
class Test:
    """The threads of each block, one after the other; all blocks have as many."""

    __test__ = False
    threads: tuple[tuple[Instr, ...], ...]
    blocks: int
    locations: tuple[str, ...] = LOCATIONS

    @property
    def size(self) -> int:
        return len(self.threads) // self.blocks

    @property
    def registers(self) -> list[tuple[int, str]]:
        return [(n, i.register) for n, body in enumerate(self.threads) for i in body if i.register]

    @property
    def launch(self) -> str:
        return f"k<<<{self.blocks},{self.size}>>>()"

    @property
    def text(self) -> str:
        """The kernel: its threads go each their way, and leave their registers at the end."""
        lines = ["mov.u32 %tid0, %tid.x;", "mov.u32 %cta0, %ctaid.x;", f"mad.lo.u32 %me, %cta0, {self.size}, %tid0;"]
        cells = self.registers
        for n, body in enumerate(self.threads):
            lines += [f"setp.ne.u32 %p{n}, %me, {n};", f"@%p{n} bra $T{n};", *(i.text for i in body)]
            lines += [f"st.u32 [out{k}], %{name};" for k, (m, name) in enumerate(cells) if m == n]
            lines += ["ret;", f"$T{n}:"]
        shared = [
            f".global .align 4 .u32 {name};" for name in (*self.locations, *(f"out{k}" for k in range(len(cells))))
        ]
        registers = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b32 %tid0, %cta0, %me;"
        head = f".version 8.0\n.target sm_90\n{chr(10).join(shared)}\n.visible .entry k()\n"
        return f"{head}{{\n{registers}\n{chr(10).join(lines)}\nret;\n}}\n"


SHAPES = {
    "message": ("st x", "st y"), "answer": ("ld y", "ld x"), "buffer": ("st x", "ld y"), "other": ("st y", "ld x"),
    "load": ("ld x", "st y"), "back": ("ld y", "st x"), "write": ("st y", "st x"), "handed": ("add y", "ld x"),
    "passed": ("add y",), "look": ("ld x", "ld y"), "once": ("st x",), "also": ("st y",),
}  # fmt: skip
KNOWN = (
    ("message", "answer"), ("buffer", "other"), ("message", "handed"), ("message", "passed", "answer"),
    ("load", "back"), ("message", "write"), ("once", "load", "answer"), ("once", "buffer", "other"),
    ("message", "buffer", "answer"), ("once", "also", "look", "answer"),
)  # fmt: skip


def draw(rng: Random) -> Test:
    """A small kernel: of any instructions, or one of those that models are compared by, with orders and fences."""
    if rng.random() < 0.4:
        return _draw_any(rng)
    names = rng.choice(KNOWN)
    blocks = rng.choice((len(names), len(names), 1))
    scope = "agent" if blocks > 1 else rng.choice(("workgroup", "agent"))
    strength = rng.choice((0.3, 0.6, 0.9))
    fenced, strict = rng.random() < 0.5, rng.random() < 0.4
    return Test(tuple(tuple(_along(rng, SHAPES[name], scope, strength, fenced, strict)) for name in names), blocks)


def _along(
    rng: Random, shape: tuple[str, ...], scope: str, strength: float, fenced: bool, strict: bool
) -> Iterator[Instr]:
    """The accesses of a thread, strong with some probability: by their orders, or by fences between them."""
    for number, (what, name) in enumerate(each.split() for each in shape):
        if number and fenced and rng.random() < strength:
            kinds = ("seq_cst",) if strict else ("acquire", "release", "acq_rel", "seq_cst")
            yield Instr("fence", rng.choice(kinds), rng.choice((scope, scope, scope, "system", "workgroup")))
        strong = "seq_cst" if strict else {"ld": "acquire", "st": "release", "add": "acq_rel"}[what]
        order = strong if not fenced and rng.random() < strength else "relaxed"
        if what != "add" and name == "x" and not strict and rng.random() < 0.3:
            order = ""  # the message
        chosen = rng.choice((scope, scope, scope, "system", "workgroup")) if order else ""
        yield Instr(what, order, chosen, name, "" if what == "st" else f"r{number}", 1)


def _draw_any(rng: Random) -> Test:
    """A small kernel of two or three threads."""
    blocks, size = rng.choice(((2, 1), (2, 1), (1, 2), (1, 2), (3, 1), (1, 3)))
    count, meets = blocks * size, size > 1 and rng.random() < 0.4
    threads = []
    for _ in range(count):
        body: list[Instr] = []
        for number in range(rng.randint(1, 2 if count > 2 else 3)):
            body.append(_draw_instr(rng, number, body))
        if meets:
            body.insert(rng.randint(0, len(body)), Instr("bar"))
        threads.append(tuple(body))
    return Test(tuple(threads), blocks)


def _draw_instr(rng: Random, number: int, before: list[Instr]) -> Instr:
    kind = rng.choices(("ld", "st", "add", "exch", "cas", "fence"), (30, 33, 5, 5, 6, 17))[0]
    scope = rng.choice(("workgroup", "agent", "agent", "system", "workgroup", "singlethread"))
    every = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
    if kind == "fence":
        return Instr("fence", rng.choice(every[1:]), scope)
    atomic = kind in ("add", "exch", "cas") or rng.random() < 0.75
    orders = {"ld": ("relaxed", "acquire", "seq_cst"), "st": ("relaxed", "release", "seq_cst")}
    order = rng.choice(orders.get(kind, every)) if atomic else ""
    registers = [i.register for i in before if i.register]
    value: int | str = rng.choice(registers) if registers and rng.random() < 0.2 else rng.randint(1, 2)
    failure = rng.choice(orders["ld"]) if kind == "cas" else ""
    register = "" if kind == "st" else f"r{number}"
    return Instr(kind, order, scope if atomic else "", rng.choice(LOCATIONS), register, value, failure)


# ---- executions


@dataclass
class Event:
    """An event: R, W, F or B (barriers); `source` is an update's read."""

    thread: int
    kind: str
    instr: Instr
    order: str = ""
    scope: str = ""
    location: str | None = None
    source: int | None = None
    data: set[int] = field(default_factory=set)


def run(test: Test) -> tuple[set[State], bool]:
    """The final states of all executions that are allowed, and whether one of these has a data race. A compare-and-swap
    succeeds or fails: each way is tried by itself."""
    chances = [(n, k) for n, body in enumerate(test.threads) for k, i in enumerate(body) if i.what == "cas"]
    found: set[State] = set()
    race = False
    for chosen in range(1 << len(chances)):
        ways = {place: bool(chosen >> bit & 1) for bit, place in enumerate(chances)}
        states, races = outcomes(candidates := _Candidates(test, ways), _Fixed(candidates).judge)
        found |= states
        race |= races
    return found, race


class _Candidates:
    def __init__(self, test: Test, ways: Mapping[tuple[int, int], bool]) -> None:
        self.test, self.ways = test, ways
        self.events = [Event(-1, "W", Instr("st"), location=name) for name in test.locations]
        self.reads_of: dict[tuple[int, str], int] = {}
        self.succeeds: dict[int, bool] = {}
        for n, body in enumerate(test.threads):
            for k, i in enumerate(body):
                self.add(n, i, ways.get((n, k), True))
        self.all = range(len(self.events))

    def add(self, thread: int, i: Instr, succeeds: bool) -> None:
        """The events of an instruction."""
        if i.what in ("fence", "bar"):
            self.events.append(Event(thread, "F" if i.what == "fence" else "B", i, i.order, i.scope))
            return
        data = {self.reads_of[thread, i.value]} if isinstance(i.value, str) else set()
        read = None
        if i.what != "st":
            read = len(self.events)
            order = i.order if succeeds else i.failure
            self.events.append(Event(thread, "R", i, order, i.scope, i.name))
            self.reads_of[thread, i.register] = read
            if i.what == "cas":
                self.succeeds[read] = succeeds
        if i.what != "ld" and succeeds:
            data |= {read} if i.what == "add" and read is not None else set()
            self.events.append(Event(thread, "W", i, i.order, i.scope, i.name, read, data))

    def values(self, rf: Mapping[int, int]) -> dict[int, int] | None:
        """The value of each access; None where one depends on itself, or a compare-and-swap goes another way."""
        known = values_of(self, rf)
        if known is None or any((known[n] == 0) is not way for n, way in self.succeeds.items()):
            return None
        return known


class _Fixed(Related):
    """What depends on the events alone."""

    def __init__(self, candidates: _Candidates) -> None:
        super().__init__(candidates.events)
        events, size = candidates.events, candidates.test.size
        self.blocks = [event.thread // size for event in events]
        self.inclusive = self.rows(self.includes)
        barriers = self.rows(
            lambda a, b: (
                events[a].kind == events[b].kind == "B"
                and events[a].thread != events[b].thread and self.blocks[a] == self.blocks[b]
            )
        )  # fmt: skip
        self.fixed = union(self.po, self.first, barriers)
        self.sc = self.rows(lambda a, b: a == b and self.is_seq_cst(a) and events[a].kind in "RW")
        self.fsc = self.rows(lambda a, b: a == b and self.is_seq_cst(a) and events[a].kind == "F")

    def is_atomic(self, n: int) -> bool:
        return self.events[n].scope not in ("", "singlethread")

    def is_seq_cst(self, n: int) -> bool:
        return self.is_atomic(n) and self.events[n].order == "seq_cst"

    def includes(self, a: int, b: int) -> bool:
        """Whether each of two operations has the other's thread in its scope; all are of one device."""
        if min(self.events[a].thread, self.events[b].thread) < 0 or not (self.is_atomic(a) and self.is_atomic(b)):
            return False
        together = self.blocks[a] == self.blocks[b]
        return all(self.events[n].scope in ("agent", "system") or together for n in (a, b))

    def judge(self, rf: Mapping[int, int], co: tuple[tuple[int, ...], ...]) -> tuple[bool, bool]:
        """Whether the axioms hold, and whether two accesses race."""
        events = self.events
        order = {n: k for run_ in co for k, n in enumerate(run_)}
        for n in self.numbers:
            source = events[n].source
            if source is not None and order[n] != order[rf[source]] + 1:
                return False, False
        mo = self.rows(lambda a, b: a in order and b in order and bool(self.loc[a] >> b & 1) and order[a] < order[b])
        reads = self.rows(lambda a, b: rf.get(b) == a)
        fr = without(compose(inverse(reads), mo), self.id)
        hb = without(closure(union(self.fixed, self.synchronizes(rf))), self.id)
        eco = closure(union(reads, mo, fr))
        if loops(compose(hb, eco)):
            return False, False
        if loops(closure(meet(self.partial_order(hb, eco, mo, fr), self.inclusive))):
            return False, False
        return True, any(without(without(self.conflicts(), self.inclusive), union(hb, inverse(hb))))

    def partial_order(self, hb: Rows, eco: Rows, mo: Rows, fr: Rows) -> Rows:
        """RC11's partial SC order (definition 1), before its pairs are restricted to those in each other's scope."""
        elsewhere = without(self.po, self.loc)
        scb = union(self.po, compose(elsewhere, hb, elsewhere), meet(hb, self.loc), mo, fr)
        before = union(self.sc, compose(self.fsc, union(hb, self.id)))
        behind = union(self.sc, compose(union(hb, self.id), self.fsc))
        of_fences = compose(self.fsc, union(hb, compose(hb, eco, hb)), self.fsc)
        return union(compose(before, scb, behind), of_fences)

    def synchronizes(self, rf: Mapping[int, int]) -> Rows:
        """Pairs of a release and an acquire."""
        events = self.events
        found = [0] * self.size
        for read, write in rf.items():
            if not self.is_atomic(read):
                continue
            ends = [read, *(n for n in self.numbers if self.po[read] >> n & 1 and events[n].kind == "F")]
            head: int | None = write
            while head is not None:
                starts = [head, *(n for n in self.numbers if self.po[n] >> head & 1 and events[n].kind == "F")]
                for a in starts if self.is_atomic(head) else ():
                    for b in ends:
                        if (
                            events[a].order in RELEASES and events[b].order in ACQUIRES
                            and self.inclusive[a] >> b & 1 and events[a].thread != events[b].thread
                        ):  # fmt: skip
                            found[a] |= 1 << b
                source = events[head].source
                head = None if source is None else rf[source]
        return found
