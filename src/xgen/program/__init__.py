"""Programs: the automaton (XCFA), its text form and checks: text in, a checked Program out, and back.

automaton   the data classes
parser      text -> Program; the grammar is xcfa.lark, builder.py makes the data classes of what it matches
checks      names and types
printer     Program -> text
"""

from __future__ import annotations

from pathlib import Path

from xgen.errors import Source
from xgen.program.automaton import Program


def load(path: str | Path) -> Program:
    """The checked program in an .xcfa file.

    Raises UsageError where the file cannot be read, ProgramError where it is not a program that makes sense.
    """
    from xgen.sources import read_source

    return parse(read_source(path))


def parse(source: Source) -> Program:
    """The checked program that a text says. Raises ProgramError where it is not one that makes sense."""
    from xgen.program.checks import check_program
    from xgen.program.parser import parse_program  # imports lark, which takes long

    program = parse_program(source)
    check_program(program)
    return program
