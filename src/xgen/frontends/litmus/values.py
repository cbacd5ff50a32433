"""What registers and locations hold before and after a test: numbers and addresses; and their names."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from xgen.errors import Position
from xgen.records import dataclass

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

NUMBER = r"-?(?:0[xX]_*[0-9a-fA-F][0-9a-fA-F_]*|0b_*[01][01_]*|0o_*[0-7][0-7_]*|\d[\d_]*)(?![A-Za-z])"
"""How numbers are written."""


def number(text: str) -> int:
    """The value of a number; 64 bits, those from 2^63 on stand for negative ones."""
    value = int(text.replace("_", ""), 0) if text.lstrip("-")[1:2].isalpha() else int(text.replace("_", ""))
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


_BYTES = {"char": 1, "short": 2, "int": 4, "long": 8}
_BYTES |= {f"int{8 * size}_t": size for size in (1, 2, 4, 8)}


@dataclass(frozen=True, slots=True)
class IntType:
    """A type of integers of so many bytes."""

    bytes: int
    signed: bool = True

    def value(self, number: int) -> int:
        """The value of this type that has the same low bits."""
        end = 1 << 8 * self.bytes
        value = number & (end - 1)
        return value - end if self.signed and value >= end // 2 else value


def int_type(text: str | None) -> IntType | None:
    """The type that the text names: an `int` where there is none, None where it names no type of integers."""
    if text is None:
        return IntType(4)
    word = text.split()[-1]
    unsigned = word.startswith("u")
    size = _BYTES.get(word[1:] if unsigned else word)
    return None if size is None else IntType(size, not unsigned)
