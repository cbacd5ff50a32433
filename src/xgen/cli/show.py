"""`xgen show`: a program's automaton as a picture."""

from __future__ import annotations

import click

import xgen
from xgen.cli import output
from xgen.cli.check import find_program

EPILOG = """\b
Example:
  xgen show peterson.xcfa | dot -Tsvg > peterson.svg
"""


@click.command("show", epilog=EPILOG)
@click.argument("program")
def command(program: str) -> None:
    """Print PROGRAM's automaton as Graphviz text.

    PROGRAM is a file, or the name of a shipped program.
    """
    from xgen.views.automaton import program_to_dot

    output.emit(program_to_dot(xgen.load(find_program(program))).rstrip("\n"))
