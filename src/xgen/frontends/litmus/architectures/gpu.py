"""What litmus tests of PTX and of Vulkan have in common, as Dat3M writes them: registers, updates, barriers.

The two accesses of an update are a pair of exclusive ones that does not fail: whether they are atomic is up to the
model, which says so of some accesses only. Numbers have 32 bits. A barrier is a read of a cell that nobody writes, the
same for all threads that meet at it; a final state counts where all that have to come have come (`Barrier`).
"""

from __future__ import annotations

import re
from typing import ClassVar

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
ARITHMETIC: dict[str, xcfa.BinaryOp] = {
    "add": "+", "sub": "-", "mul": "*", "and": "bitand", "or": "bitor", "xor": "bitxor"
}  # fmt: skip
BRANCHES: dict[str, xcfa.BinaryOp] = {"beq": "=", "bne": "/=", "bge": ">=", "ble": "<=", "bgt": ">", "blt": "<"}
COMMON = (*ARITHMETIC, *BRANCHES, "mov", "ld", "goto")
"""What both call the same."""
_BARRIERS = 16
"""Barriers of a block, by number."""
_ROUNDS = 64
"""How often a thread comes to a barrier in a loop, at most."""

Tags = tuple[str, ...]


class Gpu(Architecture):
    """Registers r0, r1, ...; threads stand in a hierarchy, whose `levels` are from the smallest up."""

    levels: ClassVar[tuple[Level, ...]]

    def register(self, name: str) -> str | None:
        return name.removeprefix("%") if _REGISTER.match(name) else None

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        found = read_threads(text, (start, end), self.levels, initial, self.register)
        for thread, (_, cells) in found:
            for place, content in cells:
                self.line(thread, text, place, content)
        return [thread for thread, _ in found]


class GpuStep(Step):
    """What one instruction does."""

    known: ClassVar[frozenset[str]]
    """The instructions by their first words."""

    meeting: ClassVar[int]
    """Threads of which level meet at a barrier: its number, from the smallest up."""

    def run(self) -> None:
        assert isinstance(self.thread, GpuThread)
        self.gpu: GpuThread = self.thread
        self.position = self.line.position
        self.operands = self.line.operands
        name, *words = self.line.mnemonic.split(".")
        if not words and name in ARITHMETIC:
            self.compute(name)
        elif not words and name in ("ld", "mov"):
            self.takes(2)
            self.thread.assign(self.target(0), self.value(1), self.position)
        elif not words and name == "goto":
            self.takes(1)
            self.thread.jump(self.operands[0].text, self.position)
        elif not words and name in BRANCHES:
            self.takes(3)
            condition = xcfa.Binary(BRANCHES[name], self.value(0), self.value(1), self.position)
            self.thread.branch(condition, self.operands[2].text, self.position)
        else:
            self.instruction(name, words)

    def instruction(self, name: str, words: list[str]) -> None:
        """What is particular to an architecture."""
        raise NotImplementedError

    def compute(self, name: str) -> None:
        """A register gets a value: `add r2, r0, 1`."""
        self.takes(3)
        value = xcfa.Binary(ARITHMETIC[name], self.value(1), self.value(2), self.position)
        self.thread.assign(self.target(0), signed(value, 32), self.position)

    def unknown(self) -> None:
        """Raises the error that there is no such instruction; what is meant has the same words behind its first one."""
        _, dot, rest = self.line.mnemonic.partition(".")
        self.line.unknown({known + dot + rest for known in self.known})

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

    # ---- updates

    def update(self, old: xcfa.Name, place: xcfa.Place, order: str | None, tags: Tags) -> None:
        """The read of an update."""
        self.thread.do(xcfa.Load(old, place, False, order, self.position, tags, exclusive=True))

    def changed(self, operation: str, old: xcfa.Name, given: xcfa.Expression) -> xcfa.Expression:
        """What an update writes."""
        if operation == "exch":
            return given
        return signed(xcfa.Binary(ARITHMETIC[operation], old, given, self.position), 32)

    def write_back(self, value: xcfa.Expression, place: xcfa.Place, order: str | None, tags: Tags) -> None:
        """The write of an update, which does not fail."""
        status = self.thread.fresh()
        self.thread.do(
            xcfa.StoreExclusive(status, value, place, order, self.position, tags),
            xcfa.Assume(xcfa.Binary("=", status, xcfa.IntLiteral(0), self.position), self.position),
        )

    # ---- barriers

    def barrier(self, tags: Tags) -> None:
        """The thread comes to a barrier `INSTANCE[, NUMBER[, QUORUM]]`; its event bears the tags."""
        self.takes(1, 2, 3)
        if not self.operands[0].text.isdecimal():
            self.line.wrong("the instance of a barrier is a number", self.operands[0])
        tags = (*tags, "bar", "hidden", *self.gpu.groups)
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

    @property
    def instance(self) -> str:
        """The number of a barrier that is in the text."""
        return str(int(self.operands[0].text))

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
        name = f"$bar{kind}{self.instance}"
        locations = self.thread.initial.locations
        if name not in locations or (locations[name].size or 1) < size:
            locations[name] = Location(name, [0] * max(size, 2), None, max(size, 2))
        return xcfa.Place(xcfa.Name(name, self.position), (index,))

    def meet(self, place: xcfa.Place, tags: Tags, came: xcfa.Name) -> None:
        """The thread comes to the barrier once more."""
        self.thread.do(xcfa.Load(self.thread.fresh(), place, False, None, self.position, tags))
        self.thread.assign(came, xcfa.Binary("+", came, xcfa.IntLiteral(1), self.position), self.position)

    def chosen(self, place: xcfa.Place, tags: Tags, came: xcfa.Name) -> xcfa.Name:
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

        group = (self.gpu.groups[self.meeting], self.instance)
        number = None if named is None else local(named)
        barrier = Barrier(group, local(came), number, quorum, local(met or came))
        self.gpu.barriers.append(barrier)
