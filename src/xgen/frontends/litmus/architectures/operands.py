"""Taking operands apart: what the modules of the architectures have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgen.frontends.litmus.values import NUMBER
from xgen.frontends.litmus.values import number as value_of

if TYPE_CHECKING:
    from xgen.frontends.litmus.architectures.columns import Instruction
    from xgen.frontends.litmus.thread import Operand

_NUMBER = re.compile(rf"#?\s*({NUMBER})\Z")


def expect(line: Instruction, form: str, *counts: int) -> tuple[Operand, ...]:
    """The operands of an instruction, which are so many; `form` shows how the instruction is written."""
    operands = line.operands
    if len(operands) not in counts:
        found = "no operand" if not operands else f"{len(operands)} operand{'s' * (len(operands) > 1)}"
        line.wrong(f"`{line.text.split()[0]}` has {found} here", hint=f"expected, say, `{form}`")
    for operand in operands:
        if not operand.text:
            line.wrong("an operand is missing", operand, f"expected, say, `{form}`")
    return operands


def is_number(operand: Operand) -> bool:
    return _NUMBER.match(operand.text) is not None


def immediate(line: Instruction, operand: Operand, allowed: Sequence[int] | range | None = None) -> int:
    """The value of a number, written with or without `#`; `allowed` are those that the instruction can encode."""
    match = _NUMBER.match(operand.text)
    if match is None:
        line.wrong(f"`{operand.text}` is no number", operand, f"expected, say, `{'#' * line.text.isupper()}1`")
    value = value_of(match[1])
    if allowed is not None and value not in allowed:
        line.wrong(f"{value} is out of range", operand, f"expected a number from {min(allowed)} to {max(allowed)}")
    return value
