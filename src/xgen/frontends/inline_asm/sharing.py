"""Registers that two operands of a statement may have in common.

Compilers take an output to be written when all inputs have been read, unless its constraint says otherwise ("=&r"), and
may give it the register of an input, or of an address.
"""

from __future__ import annotations

import re

from xgen.frontends.assembly import Branch, Step
from xgen.frontends.reductions.steps import reads, written

LATE = "an input that assembly reads when it has written an output, which may be in the same register, is"
EARLY = 'the output is written early: "=&r", or `out` in Rust'
"""What is said of one that may be lost."""
_FIXED = re.compile(r"[=+&%]*([abcdSD]|\{\w+\})")


class Sharing:
    """Which operands may have a register in common, and which of these outputs have been written."""

    def __init__(self) -> None:
        self.outputs: dict[str, bool] = {}
        self.inputs: dict[str, bool] = {}
        """By their registers: whether the constraint names the register, which is no other one's then."""
        self.written: set[str] = set()

    def operand(self, constraint: str, register: str) -> None:
        """The next operand in a register."""
        fixed = _FIXED.fullmatch(constraint) is not None
        if constraint.startswith("="):
            if "&" not in constraint:
                self.outputs[register] = fixed
        elif re.search(r"\d", constraint) and not fixed:  # an input that is an output, too
            self.outputs.pop(register, None)
        elif not constraint.startswith("+"):
            self.inputs[register] = fixed

    def write(self, register: str) -> None:
        if register in self.outputs:
            self.written.add(register)

    def may_be_lost(self, register: str) -> bool:
        """Whether an input may have been overwritten."""
        fixed = self.inputs.get(register)
        return fixed is not None and any(not (fixed and self.outputs[name]) for name in self.written)

    def line(self, steps: list[Step]) -> bool:
        """Goes on with an instruction; whether it reads an input that may be lost."""
        lost = any(self.may_be_lost(name) for step in steps for name in reads(step))
        for step in steps:
            name = written(step)
            if name is not None:
                self.write(name)
        return lost


def loops_in(lines: list[list[Step]]) -> list[tuple[int, int]]:
    """The lines to which a thread jumps back, and those from where."""
    at = {step: number for number, line in enumerate(lines) for step in line if isinstance(step, str)}
    found = ((at.get(step.label), n) for n, line in enumerate(lines) for step in line if isinstance(step, Branch))
    return [(to, n) for to, n in found if to is not None and to <= n]
