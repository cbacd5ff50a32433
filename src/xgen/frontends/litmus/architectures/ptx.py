"""PTX, NVIDIA's virtual GPU: the instructions of litmus tests, as Dat3M writes them.

What each does: the PTX ISA, chapters "Memory Consistency Model" and "Instruction Set". An access bears its order (none
if it is weak), its scope and its proxy as tags, and how it names its location (`address.own`). The two accesses of an
update are a pair of exclusive ones that does not fail: whether they are atomic is up to the model, which says so of
accesses that are in each other's scope only. Numbers have 32 bits.

`fence.sc` is a write to a cell of xgen's own: the order of these writes is the fence-SC order. A barrier is a read of
such a cell that nobody writes, the same for all threads that meet at it; a final state counts where all that have to
come have come (`Barrier`).
"""

from __future__ import annotations

from xgen.frontends.litmus.architectures.gpu import ARITHMETIC, COMMON, Gpu, GpuStep, Tags
from xgen.frontends.litmus.architectures.hierarchy import Level
from xgen.frontends.litmus.initial import Location
from xgen.program import automaton as xcfa
from xgen.tags import ORDERED_FENCES

_SCOPES = ("cta", "gpu", "sys")
_LOADS = {"ld": "generic", "tld": "texture", "suld": "surface", "cold": "constant"}
_STORES = {"st": "generic", "sust": "surface"}
_UPDATES = {"atom": "generic", "suatom": "surface", "red": "generic", "sured": "surface"}
_OF_PROXIES = ("alias", "generic", "texture", "surface", "constant")
FENCES = ("acquire", "release", "acq_rel")
"""Orders of fences, besides `sc`."""
_ORDERS = {
    "load": ("weak", "relaxed", "acquire"),
    "store": ("weak", "relaxed", "release"),
    "update": ("relaxed", "acquire", "release", "acq_rel"),
}


class Ptx(Gpu):
    """Threads stand in blocks (cta) of GPUs."""

    name = "PTX"
    levels = (Level("cta", "c"), Level("gpu", "g"))


class _Lowering(GpuStep):
    """What one instruction does."""

    known = frozenset({*COMMON, *_LOADS, *_STORES, *_UPDATES, "fence", "bar"})
    meeting = 0

    def instruction(self, name: str, words: list[str]) -> None:
        if name in _LOADS:
            self.load(name, words)
        elif name in _STORES:
            self.store(name, words)
        elif name in _UPDATES:
            self.change(name, words)
        elif name == "fence":
            self.fence(words)
        elif name == "bar":
            self.meet_at_barrier(words)
        else:
            self.unknown()

    def order(self, kind: str, words: list[str]) -> tuple[str | None, tuple[str, ...]]:
        """The order of an access, and its scope as a tag: what stands behind its name."""
        allowed = _ORDERS[kind]
        article = "an" if kind == "update" else "a"
        if not words or words[0] not in allowed:
            said = f"cannot be `{words[0]}`" if words else "has an order"
            self.line.wrong(f"{article} {kind} {said}", hint=f"expected {', '.join(allowed)}")
        if words[0] == "weak":
            if len(words) > 1:
                self.line.wrong(f"a weak {kind} has no scope")
            return None, ()
        return words[0], (self.scope(f"{article} {kind} that is {words[0]}", words[1:]),)

    def scope(self, what: str, words: list[str]) -> str:
        if not words:
            self.line.wrong(f"{what} needs a scope", hint=".cta, .gpu or .sys")
        if words[0] == "cluster":
            self.line.unsupported("the scope `cluster` is not supported")
        if words[0] not in _SCOPES:
            self.line.wrong(f"`{words[0]}` is not a scope", hint="expected .cta, .gpu or .sys")
        if len(words) > 1:
            self.line.wrong(f"`.{words[1]}` is out of place")
        return words[0]

    # ---- instructions

    def load(self, name: str, words: list[str]) -> None:
        order, scope = self.order("load", words)
        self.takes(2)
        place, address = self.place(1)
        tags = (*scope, _LOADS[name], address, *self.gpu.groups)
        self.thread.do(xcfa.Load(self.target(0), place, False, order, self.position, tags))

    def store(self, name: str, words: list[str]) -> None:
        order, scope = self.order("store", words)
        self.takes(2)
        place, address = self.place(0)
        tags = (*scope, _STORES[name], address, *self.gpu.groups)
        self.thread.do(xcfa.Store(self.value(1), place, False, order, self.position, tags))

    def change(self, name: str, words: list[str]) -> None:
        """`atom.relaxed.gpu.add r0, x, 1`; `red` gives nothing back."""
        operation = words[-1] if len(words) > 2 else ""
        if operation not in (*ARITHMETIC, "exch", "cas"):
            known = ", ".join((*ARITHMETIC, "exch", "cas"))
            self.line.wrong("an update has an order, a scope and an operation", hint=f"operations are {known}")
        order, scope = self.order("update", words[:-1])
        returns = "atom" in name
        if operation == "cas" and not returns:
            self.line.wrong(f"`{name}` has no `cas`, which would give nothing back", hint=f"expected `{name[:-3]}atom`")
        self.takes(1 + returns + (2 if operation == "cas" else 1))
        place, address = self.place(1 if returns else 0)
        tags = (*scope, _UPDATES[name], address, *self.gpu.groups)
        old = self.thread.fresh()
        acquires = order if order == "acquire" else "acquire" if order == "acq_rel" else "relaxed"
        self.update(old, place, acquires, tags)
        releases = order if order == "release" else "release" if order == "acq_rel" else "relaxed"
        first = 2 if returns else 1
        if operation == "cas":
            self.compare_and_swap(old, first, (place, releases, tags))
        else:
            self.write_back(self.changed(operation, old, self.value(first)), place, releases, tags)
        if returns:
            self.thread.assign(self.target(0), old, self.position)

    def compare_and_swap(self, old: xcfa.Name, first: int, write: tuple[xcfa.Place, str, Tags]) -> None:
        """Writes if what is read is what is expected. The thread goes on before that is known."""
        scope, flag, end = self.thread.fresh(), self.thread.flag(), self.thread.new_label()
        differs = xcfa.Binary("/=", old, self.value(first), self.position)
        self.thread.do(xcfa.Scope("keep", scope, self.position), xcfa.Predict(flag, differs, position=self.position))
        self.thread.branch(flag, end, self.position)
        self.write_back(self.value(first + 1), *write)
        self.thread.label(end)
        self.thread.do(xcfa.Scope("leave", scope, self.position))

    def fence(self, words: list[str]) -> None:
        """`fence.sc.gpu`, `fence.acq_rel.cta`, `fence.proxy.alias`."""
        self.takes(0)
        kind = words[0] if words else ""
        if kind == "proxy":
            if len(words) != 2 or words[1] not in _OF_PROXIES:
                self.line.wrong("a proxy fence says of which proxy", hint=f"expected {', '.join(_OF_PROXIES)}")
            self.thread.do(xcfa.Fence(words[1], self.position, self.gpu.groups))
            return
        if kind not in ("sc", *FENCES):
            self.line.wrong(
                "a fence is acquire, release, acq_rel or sc", hint="of proxies, `fence.proxy.alias` and so on"
            )
        scope = self.scope(f"a fence that is {kind}", words[1:])
        if kind in FENCES:
            self.thread.do(xcfa.Fence(kind, self.position, (scope, "generic", *self.gpu.groups)))
            return
        place = xcfa.Place(xcfa.Name(ORDERED_FENCES, self.position), (xcfa.IntLiteral(0),))
        self.thread.initial.locations[ORDERED_FENCES] = Location(ORDERED_FENCES, size=1)
        tags = (scope, "generic", "hidden", *self.gpu.groups)
        self.thread.do(xcfa.Store(xcfa.IntLiteral(0), place, False, "seq_cst", self.position, tags))

    def meet_at_barrier(self, words: list[str]) -> None:
        """`bar.cta.sync INSTANCE[, NUMBER[, QUORUM]]`, or `arrive`, which does not wait."""
        if words[:1] != ["cta"]:
            self.line.wrong("barriers are of a cta", hint="expected `bar.cta.sync` or `bar.cta.arrive`")
        if words[1:] not in (["sync"], ["arrive"]):
            self.line.wrong("a barrier is sync or arrive", hint="expected `bar.cta.sync` or `bar.cta.arrive`")
        self.barrier(("arrive",) if words[1] == "arrive" else ())


Ptx.step = _Lowering
PTX = Ptx()
