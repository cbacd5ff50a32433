"""What registers and locations hold before and after a test: numbers and addresses; and their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from xgen.errors import Position

NOWHERE = Position(1, 1)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a shared location, or of a cell of an array."""

    name: str
    index: int = 0
    position: Position = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.name}[{self.index}]" if self.index else self.name


Value: TypeAlias = int | Address


@dataclass(frozen=True, slots=True)
class Register:
    """A register of a thread, or a local variable in C; named as the test names it."""

    thread: int
    name: str
    position: Position = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.thread}:{self.name}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A shared location, or the cell of an array (`index`)."""

    name: str
    index: int | None = None
    position: Position = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"[{self.name}]" if self.index is None else f"{self.name}[{self.index}]"


Observable: TypeAlias = Register | Cell
"""What a condition can speak of."""

NUMBER = r"-?(?:0[xX][0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*)(?![A-Za-z])"
"""How numbers are written."""


def number(text: str) -> int:
    """The value of a number; 64 bits, those from 2^63 on stand for negative ones."""
    value = int(text.replace("_", ""), 0) if text.lstrip("-")[1:2].isalpha() else int(text.replace("_", ""))
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value
