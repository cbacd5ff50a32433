"""`xgen show`: a program's automaton, or the execution in a saved result, as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import click

import xgen
from xgen.cli import options, output
from xgen.cli.shared import pictures
from xgen.clock import time_limit
from xgen.errors import UsageError
from xgen.exclusions import Excludes
from xgen.program.automaton import Program
from xgen.shipped import find_program
from xgen.sources import COMPILED

EPILOG = """\b
Examples:
  xgen show peterson.xcfa | dot -Tsvg > peterson.svg
  xgen check peterson --mcm tso --format json > result.json; xgen show result.json --format svg > witness.svg
  xgen show lock.xcfa --as xcfa          its locations and edges, as text
  xgen show lock.xcfa --as code          the text as it is written, laid out again, with its comments
"""

MAX_RESULT = 1 << 28
"""The largest result that is read, in bytes: a million outcomes fit in."""
RULES = tuple(Excludes(text, ("form svg", "show"), "nothing is drawn then") for text in ("text xcfa", "text code"))
"""Which options exclude which."""


@click.command("show", short_help="Draw a program, or the violation in a saved result.", epilog=EPILOG)
@click.argument("what", metavar="PROGRAM|RESULT")
@click.option(
    "--format", "form", type=click.Choice(["dot", "svg"]), default="dot", show_default=True, help="The kind of picture."
)
@click.option(
    "--as", "text", type=click.Choice(["xcfa", "code"]), help="Print a program as text: its automaton, or its own form."
)
@options.on_machine()
@options.show
@options.timeout("At most S seconds.")
def command(
    what: str,
    form: Literal["dot", "svg"],
    text: str | None,
    machine: str | None,
    show: tuple[str, ...] | None,
    timeout: float | None,
) -> None:
    """Print a picture: of a program's automaton, or of the violating execution in a result; or a program's text.

    PROGRAM is a file, or the name of a shipped program; its automaton as svg needs Graphviz. RESULT is what
    `xgen check --format json` has printed, in a file that ends in .json.
    """
    options.refuse(RULES)
    path = find_program(what)
    if show is not None and path.suffix != ".json":
        raise click.UsageError("--show is for results: the automaton of a program has no relations.")
    if machine is not None and path.suffix not in COMPILED:
        raise click.UsageError("--on is for programs in C, C++ and Rust.")
    of_c = {} if machine is None else {"map": machine}
    with time_limit(timeout):
        if text is not None:
            output.emit(_text(path, text, of_c).rstrip("\n"))
            return
        picture = _execution(path, form, show) if path.suffix == ".json" else _automaton(path, form, of_c)
    output.emit(picture.rstrip("\n"))


def _automaton(path: Path, form: str, of_c: dict[str, str]) -> str:
    from xgen.views.drawing.automaton import program_to_dot

    text = program_to_dot(xgen.load(path, **of_c))
    if form == "dot":
        return text
    import graphviz

    try:
        return str(graphviz.pipe("dot", "svg", text.encode()), "utf-8")
    except graphviz.ExecutableNotFound:
        raise UsageError("the automaton as svg needs Graphviz, whose program `dot` is not on PATH") from None
    except graphviz.CalledProcessError as error:
        raise UsageError(f"Graphviz cannot draw this: {error.stderr.decode(errors='replace').strip()}") from None


def _text(path: Path, form: str, of_c: dict[str, str]) -> str:
    from xgen.program.printer import print_program

    if path.suffix == ".json":
        raise UsageError("a result has no text: --as is for programs", file=str(path))
    program = xgen.load(path, **of_c)
    if form == "xcfa":
        printed = print_program(program)
        note = "" if _is_read_back(program, printed) else "// to look at: read back, it is not this program\n"
        return note + printed
    if path.suffix != ".xcfa":
        return program.source.text
    from xgen.program.parser import parse_text
    from xgen.program.text import print_text

    return print_text(parse_text(program.source))


def _is_read_back(program: Program, printed: str) -> bool:
    """Whether the text is this program again; names and addresses of other languages are not always of this one."""
    try:
        again = xgen.parse(printed, "xcfa")
    except xgen.XgenError:
        return False
    memory = [(v.name, v.type, v.address, v.bytes, v.object) for v in program.variables]
    return memory == [(v.name, v.type, v.address, v.bytes, v.object) for v in again.variables]


def _execution(path: Path, form: str, show: tuple[str, ...] | None) -> str:
    from xgen.sources import read_source
    from xgen.views.answers.json import execution_from_dict

    text = read_source(path, MAX_RESULT).text
    try:
        document = json.loads(text)
        witness = document["witness"]
        execution = execution_from_dict(witness, str(document["program"])) if witness else None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise UsageError("this is not a result that `xgen check --format json` has printed", file=str(path)) from None
    if execution is None:
        raise UsageError("the result has no violating execution", file=str(path))
    pictures.wanted(show, None)
    return execution.to_svg(show=show) if form == "svg" else execution.to_dot(show=show)
