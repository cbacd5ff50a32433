"""Programs in columns: a line of threads, then lines of instructions; `|` between threads, `;` after each line."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, NoReturn

from xgen.errors import Position, ProgramError, UnsupportedError, nearest
from xgen.frontends.litmus.initial import Initial
from xgen.frontends.litmus.thread import Operand, Thread
from xgen.frontends.litmus.tokens import Text
from xgen.records import dataclass

_HEAD = re.compile(r"\s*P?(\d+)\s*(?::[^|;]*)?\Z")
_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$]*)\s*:")
_SYMBOLIC = re.compile(r"%([A-Za-z_]\w*)\Z")
_LAST = 1 << 16
"""A number that is behind those of all registers."""
_MNEMONIC = re.compile(r"[A-Za-z_.][\w.]*")


@dataclass(frozen=True)
class Instruction:
    """An instruction as written, without labels, from character `start` of the text on."""

    text: str
    start: int
    whole: Text

    @cached_property
    def position(self) -> Position:
        return self.whole.position(self.start, self.start + len(self.text))

    @cached_property
    def mnemonic(self) -> str:
        """The first word, in lower case."""
        match = _MNEMONIC.match(self.text)
        return match[0].lower() if match else ""

    @cached_property
    def operands(self) -> tuple[Operand, ...]:
        """What follows the first word, split at commas that are not in brackets."""
        match = _MNEMONIC.match(self.text)
        return self.split(match.end() if match else 0)

    def split(self, start: int) -> tuple[Operand, ...]:
        """The operands from a character of the instruction on, split at commas that are not in brackets."""
        parts, depth, first = list[Operand](), 0, start
        for place, letter in enumerate(self.text[start:] + ",", start):
            if letter in "[({":
                depth += 1
            elif letter in "])}":
                depth -= 1
            elif letter == "," and depth <= 0:
                parts.append(self.part(first, place))
                first = place + 1
        return () if len(parts) == 1 and not parts[0].text else tuple(parts)

    def part(self, start: int, end: int) -> Operand:
        """The operand that some characters of the instruction are."""
        text = self.text[start:end]
        place = self.start + start + len(text) - len(text.lstrip())
        text = text.strip()
        return Operand(text, self.whole.position(place, place + len(text)))

    def unknown(self, known: frozenset[str] | set[str] = frozenset()) -> NoReturn:
        """Raises the error that this is no instruction that is supported."""
        word = self.text.split()[0] if self.text.split() else self.text
        message = f"the instruction `{word}` is not supported"
        raise UnsupportedError(message, self.whole.source, self.position, nearest(word.lower(), known))

    def unsupported(self, why: str) -> NoReturn:
        """Raises the error that the instruction cannot be run, and why."""
        raise UnsupportedError(why, self.whole.source, self.position)

    def wrong(self, message: str, operand: Operand | None = None, hint: str | None = None) -> NoReturn:
        """Raises the error that the instruction, or an operand of it, makes no sense."""
        raise ProgramError(message, self.whole.source, operand.position if operand else self.position, hint)


@dataclass(frozen=True)
class Step(ABC):
    """One instruction that is appended to a thread."""

    thread: Thread
    line: Instruction

    @abstractmethod
    def run(self) -> None:
        """Appends what the instruction does. Raises UnsupportedError and ProgramError."""


class Architecture(ABC):
    """What is particular to an architecture whose programs are columns of instructions."""

    fixed_registers: ClassVar[bool] = True
    """Whether all its registers are there even if a thread does not use them."""

    name: ClassVar[str] = ""
    """What results call it; "": as the test does."""

    language: ClassVar[str] = ""
    """What it is in the table of architectures; "": what the test says."""

    step: ClassVar[type[Step]]
    """How it does an instruction."""

    @abstractmethod
    def register(self, name: str) -> str | None:
        """The one name of a register that may have several (`W0` and `X0`), None where there is no such register."""

    def sort_key(self, register: str) -> tuple[int | str, ...]:
        """Orders registers as herd's states list them: by the number behind a letter; symbolic ones are last."""
        return (int(register[1:]),) if self.register(register) else (_LAST, register)

    def instruction(self, thread: Thread, line: Instruction) -> None:
        """Appends what an instruction does to a thread. Raises UnsupportedError and ProgramError."""
        self.step(thread, line).run()

    def threads(self, text: Text, start: int, end: int, initial: Initial) -> list[Thread]:
        """The threads of a program between two places of a text."""
        columns = read_columns(text, start, end)
        threads = []
        for number, instructions in columns:
            thread = Thread(text.source, number, initial, self.register)
            for place, content in instructions:
                self.line(thread, text, place, content)
            threads.append(thread)
        return threads

    def line(self, thread: Thread, text: Text, place: int, content: str) -> None:
        """A cell of the program: labels, and perhaps an instruction."""
        while match := _LABEL.match(content):
            thread.label(match[1], text.position(place + match.start(1), place + match.end(1)))
            place, content = place + match.end(), content[match.end() :]
        stripped = content.strip()
        if stripped:
            self.instruction(thread, Instruction(stripped, place + len(content) - len(content.lstrip()), text))


def symbolic(name: str, registers: Mapping[str, str]) -> str | None:
    """The name of a register that a test calls `%T2`, None where this is none, or could be taken for a real one."""
    match = _SYMBOLIC.match(name)
    return match[1] if match and match[1] not in registers and match[1].upper() not in registers else None


Column = tuple[int, list[tuple[int, str]]]
"""A thread's number, and the cells with where they start."""


def first_row(text: Text, start: int, end: int) -> list[tuple[int, str]]:
    """The heads of the columns, with where they start."""
    return next(iter(_rows(text, start, end)), [])


def read_columns(text: Text, start: int, end: int, head: re.Pattern[str] = _HEAD) -> list[Column]:
    """The threads' instructions; `head` is what names a thread, its number in the first group."""
    rows = list(_rows(text, start, end))
    if not rows:
        text.wrong("there is no program", start, hint="expected a line such as `P0 | P1 ;`")
    columns: list[Column] = []
    for place, name in rows[0]:
        match = head.match(name)
        if match is None:
            first = place + len(name) - len(name.lstrip())
            text.wrong("this is not the name of a thread", first, place + len(name.rstrip()), "expected, say, `P0`")
        if int(match[1]) != len(columns):
            text.wrong(f"thread {len(columns)} comes next, not thread {match[1]}", place + match.start(1))
        columns.append((int(match[1]), []))
    for row in rows[1:]:
        if len(row) > len(columns):
            place = row[len(columns)][0]
            threads = f"is {len(columns)} thread" if len(columns) == 1 else f"are {len(columns)} threads"
            text.wrong(f"this line has {len(row)} columns, there {threads}", place - 1)
        for (place, cell), (_, cells) in zip(row, columns, strict=False):
            if not cell.isspace() and cell:
                cells.append((place, cell))
    return columns


_CONDITIONS = ("exists", "forall", "locations", "filter")


def _rows(text: Text, start: int, end: int) -> list[list[tuple[int, str]]]:
    """The cells of each line, with where they start."""
    rows: list[list[tuple[int, str]]] = []
    body = text.text
    place = start + len(body[start:end]) - len(body[start:end].lstrip(" ;\t\n"))  # some write `{ ... };`
    while True:
        stop = body.find(";", place, end)
        if stop < 0:
            if body[place:end].strip():
                first = place + len(body[place:end]) - len(body[place:end].lstrip())
                hint = nearest(body[first:end].split()[0], _CONDITIONS)
                hint = hint or "expected `;` at the end of each line of instructions"
                text.wrong("this line does not end", first, hint=hint)
            return rows
        row = []
        for cell in body[place:stop].split("|"):
            row.append((place, cell))
            place += len(cell) + 1
        rows.append(row)
        place = stop + 1
