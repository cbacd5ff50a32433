"""What has to hold when all threads of a launch have ended: a condition as in C, over buffers and globals.

    unary = ("!" | "-" | "~") unary | "(" condition ")" | "true" | "false" | NUMBER | NAME [ "[" NUMBER "]" ]

Between these stand C's operators `||`, `&&`, `|`, `^`, `&`, comparisons, `+`, `-`, `*`, which bind as in C. Numbers
have the types that C gives them. Cells are numbers with a sign, `int` where they have 4 bytes or fewer and `long` where
they have 8: what is compared with a number such as 0xffffffff, which has none, is taken without it as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from xgen.errors import Position
from xgen.frontends.ptx.scanning import NAME, NUMBER, Line, value_of
from xgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its type: so many bits (32 or 64), with a sign or without."""

    value: int
    bits: int = 32
    signed: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """A global variable, a buffer of one cell, or a cell of a longer one (`index`)."""

    name: str
    index: int | None
    position: Position

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator of one operand or of two."""

    operator: str
    operands: tuple[Condition, ...]


Condition: TypeAlias = Number | Cell | Operation
TRUE, FALSE = Number(1), Number(0)
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<=", ">=", "<", ">"), ("+", "-"), ("*",))
"""Operators of two operands: those that bind loosest first."""
_OPERATOR = re.compile(r"\|\||&&|[=!<>]=|<<|>>|[|^&<>+*-]")


def read_condition(line: Line) -> Condition:
    """The condition that the rest of a line is. Raises ProgramError."""
    found = _between(line)
    if not line.ended:
        line.fail("an operator or the end", "a condition is written as in C: out[0] == 10 && x != 0")
    return found


def _between(line: Line, level: int = 0) -> Condition:
    if level == len(_LEVELS):
        return _unary(line)
    found = _between(line, level + 1)
    while (word := _OPERATOR.match(line.text, line.at)) and word[0] in _LEVELS[level]:
        line.take(word[0])
        found = Operation(word[0], (found, _between(line, level + 1)))
    return found


def _unary(line: Line) -> Condition:
    operator = None if line.text.startswith("!=", line.at) else line.take("!", "-", "~")
    if operator is not None:
        return Operation(operator, (_unary(line),))
    if line.take("("):
        found = _between(line)
        line.need(")")
        return found
    start = line.at
    number = line.match(NUMBER)
    if number is not None:
        return _literal(line, start, number[1], number[2].lower())
    if line.match(NAME) is None:
        line.fail("a number, or a buffer or a global variable")
    name = line.text[start : line.at].rstrip()
    if name in ("true", "false"):
        return TRUE if name == "true" else FALSE
    index = None
    if line.take("["):
        index = line.number("the number of a cell")
        line.need("]")
    return Cell(name, index, line.place(start))


def _literal(line: Line, start: int, digits: str, suffix: str) -> Number:
    """A number with the first of C's types that has it."""
    value = value_of(digits)
    if suffix not in ("", "u", "l", "ul", "lu", "ll", "ull", "llu"):
        line.wrong(f"`{digits}{suffix}` is no number of C", start)
    decimal = digits[0] != "0" or digits == "0"
    for bits in (32, 64):
        if bits == 32 and "l" in suffix:
            continue
        if "u" not in suffix and value < 1 << (bits - 1):
            return Number(value, bits)
        if ("u" in suffix or not decimal) and value < 1 << bits:
            return Number(value, bits, signed=False)
    return line.wrong(f"`{digits}{suffix}` has more than 64 bits", start)


def cells_in(condition: Condition) -> Iterator[Cell]:
    """The cells that a condition speaks of, from left to right."""
    if isinstance(condition, Cell):
        yield condition
    elif isinstance(condition, Operation):
        for operand in condition.operands:
            yield from cells_in(operand)


def holds(condition: Condition, value: Callable[[Cell], Number]) -> bool:
    """Whether it holds where cells have these values."""
    return _value(condition, value).value != 0


def _value(condition: Condition, value: Callable[[Cell], Number]) -> Number:
    if isinstance(condition, Number):
        return condition
    if isinstance(condition, Cell):
        return value(condition)
    operator, operands = condition.operator, condition.operands
    if operator in ("&&", "||"):
        return TRUE if (all if operator == "&&" else any)(holds(each, value) for each in operands) else FALSE
    first = _value(operands[0], value)
    if len(operands) == 1:
        if operator == "!":
            return FALSE if first.value else TRUE
        return number(-first.value if operator == "-" else ~first.value, first.bits, first.signed)
    second = _value(operands[1], value)
    bits = max(first.bits, second.bits)
    signed = all(each.signed for each in (first, second) if each.bits == bits)
    a, b = (number(each.value, bits, signed).value for each in (first, second))
    if operator in _COMPARISONS:
        return TRUE if _COMPARISONS[operator](a, b) else FALSE
    return number(_COMPUTED[operator](a, b), bits, signed)


def number(value: int, bits: int, signed: bool) -> Number:
    """The number that the lowest bits of a value are."""
    value &= (1 << bits) - 1
    return Number(value - (1 << bits) if signed and value >> (bits - 1) else value, bits, signed)


@dataclass(frozen=True, slots=True)
class Final:
    """What has to hold in the end, as its author wrote it, and where that stands."""

    text: str
    condition: Condition
    position: Position


@dataclass(frozen=True, slots=True)
class Required:
    """What has to hold in final states of a program (a `Requirement`, and the question that the text asks).

    `names`: what final states call the cells of the condition, and how many bytes each has.
    """

    final: Final
    names: Mapping[Cell, tuple[str, int]]

    @property
    def text(self) -> str:
        return self.final.text

    @property
    def position(self) -> Position | None:
        """Where the text says it; that of the command line is in no file."""
        source = self.final.position.source
        return None if source is not None and source.name.startswith("--") else self.final.position

    @property
    def cells(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.names.values() if "[" in name)

    @property
    def filters(self) -> bool:
        return False

    @property
    def unwanted(self) -> Required:
        return self

    @property
    def unseen(self) -> Position | None:
        return None

    def counts(self, state: Mapping[str, int | bool]) -> bool:  # noqa: ARG002
        return True

    def met(self, state: Mapping[str, int | bool]) -> bool:
        def value(cell: Cell) -> Number:
            name, size = self.names[cell]
            known = number(int(state[name]), 8 * size, signed=True)
            return Number(known.value, max(32, known.bits))

        return holds(self.final.condition, value)
