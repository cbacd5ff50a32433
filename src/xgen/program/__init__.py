"""Programs: the automaton (XCFA), its text form and checks: text in, a checked Program out, and back.

automaton   the data classes; those of expressions and statements in files of their own
uses        what statements read, write and contain, in a table
parser      text -> Program; the grammar is xcfa.lark, builder.py makes those of surface.py of it; expected: what could
            have stood where a text is wrong
expand      what the text says -> Program: constants, structs, instances, steps (steps.py), local arrays (registers.py)
checks      names and types
printer     Program -> text: its locations and edges
text        a text as it is written -> text, with its comments; edit: with a statement changed
unroll      a bound on the rounds of loops; rewrite: parts of programs, found and replaced
components  parts of a program that share nothing
"""

from __future__ import annotations

from pathlib import Path

from xgen.errors import Source
from xgen.program.automaton import Program, Reading
from xgen.records import replace


def load(path: str | Path) -> Program:
    """The checked program in an .xcfa file.

    Raises UsageError where the file cannot be read, ProgramError where it is not a program that makes sense.
    """
    from xgen.sources import read_source

    return parse(read_source(path))


def parse(source: Source, reading: Reading | None = None) -> Program:
    """The checked program that a text says. Raises ProgramError where it is not one that makes sense."""
    from xgen.program.checks import check_program
    from xgen.program.parser import parse_program  # imports lark, which takes long
    from xgen.program.unroll import unrolled

    reading = reading or Reading()
    program = parse_program(source, dict(reading.constants))
    check_program(program)
    if reading.unroll is not None:
        program = unrolled(program, reading.unroll)
    return replace(program, reading=reading)
