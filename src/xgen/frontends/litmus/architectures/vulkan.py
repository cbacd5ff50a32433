"""Vulkan: the instructions of litmus tests, as Dat3M writes them.

What each does: the Vulkan specification, appendix "Memory Model". Instructions are words with points between them:
`ld.atom.acq.dv.sc0.semsc0.semvis r0, x` is an atomic load that acquires, of a location of storage class 0, in the scope
of the device, which orders accesses to that class and makes what others have made available visible. Each word is a tag
of the event. An access is private to its thread unless it says `nonpriv`, `av`, `vis` or `atom`; an atomic one makes
its own location available (a write) or visible (a read).

A memory barrier is a fence; a control barrier is a read of a cell of xgen's own, the same for all threads of a
workgroup that meet at it, and a fence where it has an order.
"""

from __future__ import annotations

from typing import NoReturn

from xgen.frontends.litmus.architectures.columns import read_columns
from xgen.frontends.litmus.architectures.gpu import ARITHMETIC, COMMON, Gpu, GpuStep, Tags
from xgen.frontends.litmus.architectures.hierarchy import HEAD, Level
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.tokens import Text
from xgen.program import automaton as xcfa

_SCOPES = ("sg", "wg", "qf", "dv")
_CLASSES = tuple(f"sc{n}" for n in range(4))
_SEMANTICS = tuple(f"semsc{n}" for n in range(4))
_ORDERS = {"acq": ("acquire",), "rel": ("release",), "acq_rel": ("acquire", "release")}
_ARTICLES = {"load": "a load", "store": "a store", "update": "an update", "fence": "a barrier"}
_OF_KIND = {
    "load": ("acq", "nonpriv", "vis"),
    "store": ("rel", "nonpriv", "av"),
    "update": tuple(_ORDERS),
    "fence": tuple(_ORDERS),
}


class Vulkan(Gpu):
    """Threads stand in subgroups of workgroups of queue families of one device."""

    name = "VULKAN"
    levels = (Level("sg", "s"), Level("wg", "w"), Level("qf", "q"))

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        number = len(read_columns(text, start, end, head=HEAD))
        for thread in {thread for pair in initial.system for thread in pair}:
            if thread >= number:
                text.wrong(f"there is no thread {thread}, which the system is said to order", start)
        return super().threads(text, start, end, initial)


class _Words:
    """The words behind the name of an instruction, each taken at most once, in their order."""

    def __init__(self, step: GpuStep, kind: str, words: list[str]) -> None:
        self.step, self.kind, self.words = step, kind, list(words)
        self.what = _ARTICLES[kind]

    def accept(self, *words: str) -> str | None:
        """The next word, if it is one of these."""
        return self.words.pop(0) if self.words and self.words[0] in words else None

    def need(self, words: tuple[str, ...], what: str) -> str:
        """The next word, which has to be one of these."""
        found = self.accept(*words)
        if found is None:
            self.wrong(f"{self.what} needs {what}" if not self.words else f"`{self.words[0]}` is not {what}", words)
        return found

    def all(self, words: tuple[str, ...]) -> Tags:
        """The next words, as long as they are among these."""
        found = list[str]()
        while word := self.accept(*words):
            if word in found:
                self.wrong(f"`.{word}` is there twice", None)
            found.append(word)
        return tuple(found)

    def wrong(self, message: str, expected: tuple[str, ...] | None) -> NoReturn:
        hint = None if expected is None else f"expected {', '.join(f'.{word}' for word in expected)}"
        self.step.line.wrong(message, hint=hint)

    def order(self) -> str | None:
        """`.acq`, `.rel`, `.acq_rel`, as far as the kind of instruction has it; None without any."""
        allowed = tuple(word for word in _OF_KIND[self.kind] if word in _ORDERS)
        if self.words and self.words[0] in _ORDERS and self.words[0] not in allowed:
            self.wrong(f"{self.what} cannot be `{self.words[0]}`", allowed)
        return self.accept(*allowed)

    def semantics(self, order: str) -> tuple[Tags, Tags]:
        """What is ordered: storage classes, and whether accesses to them are made available and visible."""
        classes = self.all(_SEMANTICS)
        if not classes:
            self.need(_SEMANTICS, "the storage classes that it orders")
        sides: Tags = ("semav",) if "release" in _ORDERS[order] else ()
        sides += ("semvis",) if "acquire" in _ORDERS[order] else ()
        return classes, self.all(sides)

    def end(self) -> None:
        if self.words:
            self.wrong(f"`.{self.words[0]}` is out of place", None)


class _Lowering(GpuStep):
    """What one instruction does."""

    known = frozenset({*COMMON, "st", "rmw", "membar", "cbar", "avdevice", "visdevice"})
    meeting = 1

    def instruction(self, name: str, words: list[str]) -> None:
        if name in ("ld", "st"):
            self.access("load" if name == "ld" else "store", words)
        elif name == "rmw":
            self.change(words)
        elif name == "membar":
            self.fence(words)
        elif name == "cbar":
            said = _Words(self, "fence", words)
            self.barrier(self.semantics(said, needed=False))
        elif name in ("avdevice", "visdevice") and not words:
            self.takes(0)
            self.thread.do(xcfa.Fence(name, self.position, self.gpu.groups))
        else:
            self.unknown()

    def access(self, kind: str, words: list[str]) -> None:
        """`ld.sc0 r0, x`, `st.av.dv.sc0 x, 1`, `ld.atom.acq.wg.sc0.semsc0 r0, x`."""
        said = _Words(self, kind, words)
        order, tags = self.atomic(said) if said.accept("atom") else (None, self.plain(said))
        said.end()
        self.takes(2)
        place, address = self.place(1 if kind == "load" else 0)
        tags = (*tags, address, *self.gpu.groups)
        if kind == "load":
            self.thread.do(xcfa.Load(self.target(0), place, False, order, self.position, tags))
        else:
            self.thread.do(xcfa.Store(self.value(1), place, False, order, self.position, tags))

    def plain(self, said: _Words) -> Tags:
        """An access that is not atomic: private, or made available or visible in a scope."""
        side = "vis" if said.kind == "load" else "av"
        tags: Tags = ()
        if said.accept(side):
            tags = ("nonpriv", side, said.need(_SCOPES, "a scope"))
        elif said.accept("nonpriv"):
            tags = ("nonpriv",)
        elif said.words and said.words[0] in ("acq", "rel", "acq_rel"):
            said.wrong(f"{said.what} that is not atomic has no order", ("atom",))
        return (*tags, said.need(_CLASSES, "a storage class"))

    def atomic(self, said: _Words) -> tuple[str | None, Tags]:
        """The order of an atomic load or store, and its tags."""
        order = said.order()
        tags: Tags = ("atom", "nonpriv", "vis" if said.kind == "load" else "av", said.need(_SCOPES, "a scope"))
        tags = (*tags, said.need(_CLASSES, "a storage class"))
        if order is None:
            return None, tags
        classes, sides = said.semantics(order)
        return _ORDERS[order][0], (*tags, *classes, *sides)

    def change(self, words: list[str]) -> None:
        """`rmw.atom.acq_rel.dv.sc0.semsc0.add r0, x, 1`; without an operation it exchanges."""
        said = _Words(self, "update", words)
        said.need(("atom",), "to be atomic")
        order = said.order()
        common = ("atom", "nonpriv", said.need(_SCOPES, "a scope"), said.need(_CLASSES, "a storage class"))
        classes, sides = said.semantics(order) if order else ((), ())
        operation = said.accept(*ARITHMETIC) or "exch"
        said.end()
        self.takes(3)
        place, address = self.place(1)
        old, given, result = self.thread.fresh(), self.value(2), self.target(0)
        reads = writes = (*common, address, *self.gpu.groups)
        acquires = releases = None
        if "acquire" in _ORDERS.get(order or "", ()):
            acquires, reads = "acquire", (*reads, *classes, *(side for side in sides if side == "semvis"))
        if "release" in _ORDERS.get(order or "", ()):
            releases, writes = "release", (*writes, *classes, *(side for side in sides if side == "semav"))
        self.update(old, place, acquires, ("vis", *reads))
        self.write_back(self.changed(operation, old, given), place, releases, ("av", *writes))
        self.thread.assign(result, old, self.position)

    def fence(self, words: list[str]) -> None:
        """`membar.acq_rel.dv.semsc0.semav.semvis`."""
        self.takes(0)
        first, *rest = self.semantics(_Words(self, "fence", words), needed=True)
        self.thread.do(xcfa.Fence(first, self.position, (*rest, *self.gpu.groups)))

    def semantics(self, said: _Words, needed: bool) -> Tags:
        """What a barrier orders, its order first; a control barrier need not have any."""
        order = said.order()
        if order is None and needed:
            said.need(tuple(_ORDERS), "an order")
        scope = said.need(_SCOPES, "a scope")
        if order is None:
            said.end()
            return (scope,)
        classes, sides = said.semantics(order)
        said.end()
        return (*_ORDERS[order], scope, *classes, *sides)


Vulkan.step = _Lowering
VULKAN = Vulkan()
