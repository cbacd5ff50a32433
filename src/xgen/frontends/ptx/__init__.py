"""Kernels in PTX, NVIDIA's virtual assembly, and what their text or the command line says of a launch.

launch       a launch, its arguments, what is asked of it: what is said becomes records
conditions   what has to hold in the end, a condition as in C
scanning     words of what is said, with their places
text         PTX as statements
module       functions, instructions, objects, and where they are in the source
liveness     which registers matter where
numbers      numbers that are known and those that are not, and what operations give
floats       the same of floating point numbers
layout       objects in memory, and their cells
world        what the threads of a launch share while they are read
operands     a thread: what it knows, its operands; arithmetic, accesses, meeting, mbarriers, copies: its instructions
thread       states and calls: a thread becomes steps
translate    rounds; threads -> processes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgen.errors import Source

if TYPE_CHECKING:
    from xgen.frontends.ptx.launch import Request
    from xgen.program.automaton import Program

__all__ = ["read"]


def read(text: str, source: Source, request: Request) -> Program:
    """The program that a launch of a kernel in PTX is. `source`: the user's file, by which the program is called.

    Raises ProgramError where the text or the launch does not make sense, UnsupportedError for what is not supported.
    """
    from xgen.frontends.ptx.translate import read as translated

    return translated(text, source, request)
