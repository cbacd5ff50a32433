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

import re

from xgen.frontends.litmus.architectures.arithmetic import signed
from xgen.frontends.litmus.architectures.columns import Architecture, Step
from xgen.frontends.litmus.architectures.hierarchy import GpuThread, Level, read_threads
from xgen.frontends.litmus.barriers import Barrier
from xgen.frontends.litmus.initial import OWN_ADDRESS, Initial, Location
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Text
from xgen.frontends.litmus.values import NUMBER, Register, number
from xgen.program import automaton as xcfa

_REGISTER = re.compile(r"%?r\d+\Z")
_LOCATION = re.compile(r"[A-Za-z_][\w.]*\Z")
_NUMBER = re.compile(rf"{NUMBER}\Z")
_LEVELS = (Level("cta", "c"), Level("gpu", "g"))
_SCOPES = ("cta", "gpu", "sys")
_LOADS = {"ld": "generic", "tld": "texture", "suld": "surface", "cold": "constant"}
_STORES = {"st": "generic", "sust": "surface"}
_UPDATES = {"atom": "generic", "suatom": "surface", "red": "generic", "sured": "surface"}
_OF_PROXIES = ("alias", "generic", "texture", "surface", "constant")
_ORDERS = {
    "load": ("weak", "relaxed", "acquire"),
    "store": ("weak", "relaxed", "release"),
    "update": ("relaxed", "acquire", "release", "acq_rel"),
}
_ARITHMETIC: dict[str, xcfa.BinaryOp] = {
    "add": "+", "sub": "-", "mul": "*", "and": "bitand", "or": "bitor", "xor": "bitxor"
}  # fmt: skip
_BRANCHES: dict[str, xcfa.BinaryOp] = {"beq": "=", "bne": "/=", "bge": ">=", "ble": "<=", "bgt": ">", "blt": "<"}
_KNOWN = {*_LOADS, *_STORES, *_UPDATES, *_ARITHMETIC, *_BRANCHES, "mov", "goto", "fence", "bar"}
_BARRIERS = 16
"""Barriers of a block, by number."""
_ROUNDS = 64
"""How often a thread comes to a barrier in a loop, at most."""
ORDERED_FENCES = "$sc"
"""The cell that `fence.sc` writes."""


class Ptx(Architecture):
    """Registers r0, r1, ...; threads stand in blocks (cta) of GPUs."""

    name = "PTX"

    def register(self, name: str) -> str | None:
        return name.removeprefix("%") if _REGISTER.match(name) else None

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        found = read_threads(text, (start, end), _LEVELS, initial, self.register)
        for thread, (_, cells) in found:
            for place, content in cells:
                self.line(thread, text, place, content)
        return [thread for thread, _ in found]


class _Lowering(Step):
    """What one instruction does."""

    def run(self) -> None:
        assert isinstance(self.thread, GpuThread)
        self.gpu: GpuThread = self.thread
        self.position = self.line.position
        self.operands = self.line.operands
        name, *words = self.line.mnemonic.split(".")
        if (name in ("ld", "mov") and not words) or (name in _ARITHMETIC and not words):
            self.compute(name)
        elif name in _LOADS:
            self.load(name, words)
        elif name in _STORES:
            self.store(name, words)
        elif name in _UPDATES:
            self.update(name, words)
        elif name == "fence":
            self.fence(words)
        elif name == "bar":
            self.barrier(words)
        elif name == "goto":
            self.takes(1)
            self.thread.jump(self.operands[0].text, self.position)
        elif name in _BRANCHES and not words:
            self.takes(3)
            condition = xcfa.Binary(_BRANCHES[name], self.value(0), self.value(1), self.position)
            self.thread.branch(condition, self.operands[2].text, self.position)
        else:
            self.unknown()

    def unknown(self) -> None:
        """Raises the error that there is no such instruction; what is meant has the same words behind its first one."""
        _, dot, rest = self.line.mnemonic.partition(".")
        self.line.unknown({known + dot + rest for known in _KNOWN})

    def takes(self, *counts: int) -> None:
        if len(self.operands) not in counts:
            wanted = " or ".join(map(str, counts))
            plural = "operand" if counts == (1,) else "operands"
            self.line.wrong(f"`{self.line.mnemonic}` takes {wanted} {plural}, not {len(self.operands)}")

    # ---- operands

    def target(self, index: int) -> xcfa.Name:
        operand = self.operands[index]
        if not self.thread.is_register(operand.text):
            self.line.wrong(f"`{operand.text}` is not a register", operand, "registers are r0, r1, ...")
        return self.thread.register(operand)

    def value(self, index: int) -> xcfa.Expression:
        operand = self.operands[index]
        if _NUMBER.match(operand.text):
            return signed(xcfa.IntLiteral(number(operand.text), operand.position), 32)
        return self.target(index)

    def place(self, index: int) -> tuple[xcfa.Place, str]:
        """The location that an operand names, and the tag of how it is named."""
        operand = self.operands[index]
        name = operand.text.removeprefix("[").removesuffix("]").strip()
        if not _LOCATION.match(name) or self.thread.is_register(name):
            self.line.wrong(f"`{operand.text}` is not the name of a location", operand)
        alias = self.thread.initial.aliases.get(name)
        if alias is not None:
            return xcfa.Place(xcfa.Name(alias.location, operand.position)), alias.address
        found = self.thread.symbol(Operand(name, operand.position)).place
        assert isinstance(found, xcfa.Place)
        return found, OWN_ADDRESS

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

    def compute(self, name: str) -> None:
        """A register gets a value: `add r2, r0, 1`, `mov r0, 1`."""
        if name in _ARITHMETIC:
            self.takes(3)
            value: xcfa.Expression = xcfa.Binary(_ARITHMETIC[name], self.value(1), self.value(2), self.position)
        else:
            self.takes(2)
            value = self.value(1)
        if isinstance(value, xcfa.Binary):
            value = signed(value, 32)
        self.thread.assign(self.target(0), value, self.position)

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

    def update(self, name: str, words: list[str]) -> None:
        """`atom.relaxed.gpu.add r0, x, 1`; `red` gives nothing back."""
        operation = words[-1] if len(words) > 2 else ""
        if operation not in (*_ARITHMETIC, "exch", "cas"):
            known = ", ".join((*_ARITHMETIC, "exch", "cas"))
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
        self.thread.do(xcfa.Load(old, place, False, acquires, self.position, tags, exclusive=True))
        releases = order if order == "release" else "release" if order == "acq_rel" else "relaxed"
        first = 2 if returns else 1
        if operation == "cas":
            self.compare_and_swap(old, first, (place, releases, tags))
        else:
            given = self.value(first)
            changed = given if operation == "exch" else xcfa.Binary(_ARITHMETIC[operation], old, given, self.position)
            self.write_back(given if operation == "exch" else signed(changed, 32), place, releases, tags)
        if returns:
            self.thread.assign(self.target(0), old, self.position)

    def write_back(self, value: xcfa.Expression, place: xcfa.Place, order: str, tags: tuple[str, ...]) -> None:
        """The write of an update, which does not fail."""
        status = self.thread.fresh()
        self.thread.do(
            xcfa.StoreExclusive(status, value, place, order, self.position, tags),
            xcfa.Assume(xcfa.Binary("=", status, xcfa.IntLiteral(0), self.position), self.position),
        )

    def compare_and_swap(self, old: xcfa.Name, first: int, write: tuple[xcfa.Place, str, tuple[str, ...]]) -> None:
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
        if kind not in ("sc", "acq_rel"):
            self.line.wrong("a fence is acq_rel or sc", hint="of proxies, `fence.proxy.alias` and so on")
        scope = self.scope(f"a fence that is {kind}", words[1:])
        if kind == "acq_rel":
            self.thread.do(xcfa.Fence(kind, self.position, (scope, "generic", *self.gpu.groups)))
            return
        place = xcfa.Place(xcfa.Name(ORDERED_FENCES, self.position), (xcfa.IntLiteral(0),))
        self.thread.initial.locations[ORDERED_FENCES] = Location(ORDERED_FENCES, size=1)
        tags = (scope, "generic", "hidden", *self.gpu.groups)
        self.thread.do(xcfa.Store(xcfa.IntLiteral(0), place, False, "seq_cst", self.position, tags))

    # ---- barriers

    def barrier(self, words: list[str]) -> None:
        """`bar.cta.sync INSTANCE[, NUMBER[, QUORUM]]`, or `arrive`, which does not wait."""
        if words[:1] != ["cta"]:
            self.line.wrong("barriers are of a cta", hint="expected `bar.cta.sync` or `bar.cta.arrive`")
        if words[1:] not in (["sync"], ["arrive"]):
            self.line.wrong("a barrier is sync or arrive", hint="expected `bar.cta.sync` or `bar.cta.arrive`")
        self.takes(1, 2, 3)
        if not self.operands[0].text.isdecimal():
            self.line.wrong("the instance of a barrier is a number", self.operands[0])
        tags = (*(["arrive"] if words[1] == "arrive" else []), "bar", "hidden", *self.gpu.groups)
        looped = self.gpu.in_loop(self.line.start)
        came = self.counter()
        if len(self.operands) == 1:
            self.meet(self.cell("", _ROUNDS if looped else 1, came), tags, came)
            self.note(came, None)
            return
        if looped:
            self.line.unsupported("a barrier with a number in a loop is not supported")
        which = self.value(1)
        if isinstance(which, xcfa.IntLiteral) and not 0 <= which.value < _BARRIERS:
            self.line.wrong("barriers have numbers from 0 to 15", self.operands[1])
        named = self.counter()
        place = self.cell("n", _BARRIERS, which)
        quorum = self.quorum() if len(self.operands) == 3 else None
        if quorum is None:
            self.meet(place, tags, came)
            met = came
        else:
            met = self.chosen(place, tags, came)
        self.thread.assign(named, which, self.position)
        self.note(came, named, quorum, met)

    def quorum(self) -> int:
        operand = self.operands[2]
        if not operand.text.isdecimal():
            self.line.unsupported("a barrier whose quorum is computed is not supported")
        if int(operand.text) == 0:
            self.line.wrong("a barrier waits for one thread at least", operand)
        return int(operand.text)

    def counter(self) -> xcfa.Name:
        """A local of which the final value is looked at."""
        name = self.thread.fresh()
        self.thread.written.add(name.name)
        return name

    def cell(self, kind: str, size: int, index: xcfa.Expression) -> xcfa.Place:
        """A cell of xgen's own for the barrier of this instance."""
        name = f"$bar{kind}{self.operands[0].text}"
        locations = self.thread.initial.locations
        if name not in locations or (locations[name].size or 1) < size:
            locations[name] = Location(name, [0] * max(size, 2), None, max(size, 2))
        return xcfa.Place(xcfa.Name(name, self.position), (index,))

    def meet(self, place: xcfa.Place, tags: tuple[str, ...], came: xcfa.Name) -> None:
        """The thread comes to the barrier once more."""
        self.thread.do(xcfa.Load(self.thread.fresh(), place, False, None, self.position, tags))
        self.thread.assign(came, xcfa.Binary("+", came, xcfa.IntLiteral(1), self.position), self.position)

    def chosen(self, place: xcfa.Place, tags: tuple[str, ...], came: xcfa.Name) -> xcfa.Name:
        """The thread comes to the barrier, and is one of its quorum or not: the local that counts how often it is."""
        met, beyond, end = self.counter(), self.thread.new_label(), self.thread.new_label()
        self.thread.fork(beyond, self.position)
        self.meet(place, tags, came)
        self.thread.assign(met, xcfa.IntLiteral(1), self.position)
        self.thread.jump(end, self.position)
        self.thread.label(beyond)
        self.meet(place, (*tags, "beyond-quorum"), came)
        self.thread.label(end)
        return met

    def note(
        self, came: xcfa.Name, named: xcfa.Name | None, quorum: int | None = None, met: xcfa.Name | None = None
    ) -> None:
        """What has to be so in the end for the barrier to have been passed."""

        def local(name: xcfa.Name) -> Register:
            return Register(self.thread.number, name.name)

        group = (self.gpu.groups[0], self.operands[0].text)
        number = None if named is None else local(named)
        barrier = Barrier(group, local(came), number, quorum, local(met or came))
        self.gpu.barriers.append(barrier)


Ptx.step = _Lowering
PTX = Ptx()
