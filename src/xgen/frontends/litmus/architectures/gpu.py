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
from xgen.frontends.litmus.initial import OWN_ADDRESS, Initial
from xgen.frontends.litmus.meeting import NUMBERED, Meeting
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Text
from xgen.frontends.litmus.values import NUMBER, number
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
        instance = str(int(self.operands[0].text))
        tags = (*tags, "bar", "hidden", *self.gpu.groups)
        meeting = Meeting(self.thread, (self.gpu.groups[self.meeting], instance), tags, self.position)
        looped = self.gpu.in_loop(self.line.start)
        if len(self.operands) == 1:
            meeting.of_all(looped)
            return
        if looped:
            self.line.unsupported("a barrier with a number in a loop is not supported")
        which = self.value(1)
        if isinstance(which, xcfa.IntLiteral) and not 0 <= which.value < NUMBERED:
            self.line.wrong("barriers have numbers from 0 to 15", self.operands[1])
        meeting.of_number(which, self.quorum() if len(self.operands) == 3 else None)

    def quorum(self) -> int:
        operand = self.operands[2]
        if not operand.text.isdecimal():
            self.line.unsupported("a barrier whose quorum is computed is not supported")
        if int(operand.text) == 0:
            self.line.wrong("a barrier waits for one thread at least", operand)
        return int(operand.text)
