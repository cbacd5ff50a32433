"""A statement of assembly as a thread of a litmus test: AArch64, Arm, Power, RISC-V; x86 where it jumps.

Operands are put into registers that the text does not name, and the reader of the machine's litmus tests reads its
lines. What becomes of the steps, each reader of a language says.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NoReturn, Protocol

from xgen.errors import Source, XgenError
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.inline_asm.exclusives import only_retries
from xgen.frontends.inline_asm.machines import (
    IDLE,
    LABEL,
    MACHINES,
    OF_X86,
    OPERAND,
    as_litmus,
    for_machine,
    lines_of,
    machine_of,
    with_labels,
)
from xgen.frontends.inline_asm.sharing import EARLY, LATE, Sharing, loops_in
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Thread
from xgen.frontends.litmus.tokens import Text
from xgen.frontends.reductions.steps import reads


class Refuse(Protocol):
    """Refuses something, where the statement stands: what it is, up to `is`."""

    def __call__(self, what: str, hint: str | None = None) -> NoReturn: ...


class Statement:
    """A statement while it is read. Of each operand: what it is written as, by the letter in front of its number, and
    the register that it is in, if it is in one."""

    def __init__(self, machine: str, text: str, refuse: Refuse) -> None:
        self.machine, self.refuse = MACHINES[machine], refuse
        self.lines = lines_of(text, self.machine.comment)
        words = re.findall(r"\w+", " ".join(self.lines).replace("%%", " "))
        named = {self.machine.architecture.register(word) for word in words}
        self.free = [k for k, name in enumerate(self.machine.names) if name not in named]
        self.texts = list[dict[str, str]]()
        self.registers = list[str | None]()
        self.sharing = Sharing()

    @property
    def is_x86(self) -> bool:
        return self.machine is MACHINES["x86"]

    # ---- operands

    def in_memory(self) -> str:
        """The next operand is in memory: the register that has its address."""
        number = self._register("r")
        name = self.machine.registers["q" if self.is_x86 else ""][number]
        sign = "%" * self.is_x86
        self.texts.append({letter: form.format(sign + name) for letter, form in self.machine.memory.items()})
        self.registers.append(None)
        if not self.is_x86:  # where what has a name is in memory without a register
            self.sharing.operand("r", self.machine.names[number])
        return self.machine.names[number]

    def constant(self, value: int) -> None:
        """The next operand is a number that stands in the text."""
        self.texts.append(dict.fromkeys(self.machine.registers, "$" * self.is_x86 + str(value)))
        self.registers.append(None)

    def in_register(self, constraint: str, bare: str, size: int) -> str | None:
        """The next operand, of so many bytes, is in a register; None where its constraint does not say in which.
        `bare`: the letters of the constraint."""
        if bare.isdecimal():
            tied = self.registers[int(bare)] if int(bare) < len(self.registers) else None
            if tied is None:
                return None
            number = self.machine.names.index(tied)
        else:
            number = self._register(bare)
        texts = {letter: names[number] for letter, names in self.machine.registers.items()}
        if self.is_x86:
            if size < 4:
                self.refuse("an operand of fewer than 32 bits of assembly with labels is")
            texts = {letter: f"%{name}" for letter, name in texts.items()}
            texts[""] = texts["k" if size == 4 else "q"]
        self.texts.append(texts)
        self.registers.append(self.machine.names[number])
        self.sharing.operand(constraint, self.machine.names[number])
        return self.machine.names[number]

    def _register(self, constraint: str) -> int:
        """A register for an operand; those of x86 that have letters of their own are taken last."""
        fixed = [OF_X86[letter] for letter in constraint if letter in OF_X86] if self.is_x86 else []
        if fixed and not re.search(r"[rqgl]", constraint):
            number = self.machine.names.index(fixed[0])
            self.free = [other for other in self.free if other != number]
            return number
        if not self.free:
            self.refuse("assembly with more operands than there are registers is")
        return self.free.pop(-1 if self.is_x86 else 0)

    # ---- lines

    def thread(self) -> Thread:
        """The lines, as they are read."""
        thread = Thread(Source("assembly", ""), 0, Initial(), self.machine.architecture.register)
        lines = list[list[Step]]()
        for line, original in zip(with_labels(self.lines), self.lines, strict=True):
            before = len(thread.since(0))
            self._read(thread, line, original)
            lines.append(thread.since(before))
        rounds = [lines[to : n + 1] for to, n in loops_in(lines)]
        for run in (lines, *(twice + twice for twice in rounds)):
            self.sharing.written.clear()
            if any(self.sharing.line(steps) for steps in run):
                self.refuse(LATE, EARLY)
        return thread

    def _read(self, thread: Thread, line: str, original: str) -> None:
        """A line of the text, with operands in their places."""

        def shown(match: re.Match[str]) -> str:
            number, letter = int(match["number"]), match["modifier"]
            found = self.texts[number] if number < len(self.texts) else {}
            if letter not in found:
                self.refuse(f"the operand `{match[0]}` of the assembly `{original}` is")
            return found[letter]

        written_ = OPERAND.sub(shown, line).replace("%%", "%" * self.is_x86)
        label, _, rest = written_.partition(":") if LABEL.match(written_) else ("", "", written_)
        rest = as_litmus(self.machine, rest.strip())
        try:
            if label:
                thread.label(label)
            if rest and not IDLE.fullmatch(rest):
                self.machine.architecture.line(thread, Text(Source("assembly", rest)), 0, rest)
        except XgenError as error:
            other = machine_of([original])
            own = other is None or MACHINES[other] is self.machine
            self.refuse(f"the assembly `{original}` is", error.message if own else for_machine([original]))


class Ways:
    """Where the steps of a statement lead: where labels are, the branches that only try a failed store exclusive again,
    which is taken to succeed, and by labels that are jumped back to the last step that does."""

    def __init__(self, steps: list[Step], refuse: Refuse) -> None:
        self.at = {step: number for number, step in enumerate(steps) if isinstance(step, str)}
        for step in steps:
            if isinstance(step, Branch) and step.label not in self.at:
                refuse(f"assembly that leads to `{step.label or 'the end of the function'}` is")
        self.succeeding = {number for number in range(len(steps)) if only_retries(steps, number, self.at)}
        self.back = {
            step.label: number
            for number, step in enumerate(steps)
            if isinstance(step, Branch) and self.at[step.label] < number and number not in self.succeeding
        }


def is_place(bare: str) -> bool:
    """Whether what a constraint says is in memory."""
    return re.fullmatch(r"[mQoAZ<>]+", bare) is not None


def is_constant(bare: str) -> bool:
    """Whether it is a number that stands in the text."""
    return re.fullmatch(r"[inIJKLMNOPS]+", bare) is not None


def is_known(bare: str) -> bool:
    """Whether it is a constraint that is read."""
    return re.fullmatch(r"[a-zA-Z0-9<>]+", bare) is not None and bare[0] not in "fvw"


def must_be_known(step: Step, known: Container[str], refuse: Refuse) -> None:
    """Refuses a step that reads registers which are not among those known."""
    for name in reads(step):
        if name not in known:
            what = "flags that nothing has set" if name.startswith("$") else f"{name}, which has no value"
            refuse(f"assembly that reads {what}, is")
