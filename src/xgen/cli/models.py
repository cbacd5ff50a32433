"""`xgen models`: the memory models that are shipped, and what a model says."""

from __future__ import annotations

import click

from xgen.cli import options, output
from xgen.clock import time_limit
from xgen.views.words import plural

EPILOG = """\b
Examples:
  xgen models list
  xgen models show weak
  xgen models check mine.mcm
"""


@click.group("models", epilog=EPILOG)
def command() -> None:
    """List the shipped memory models, or describe one."""


@command.command("list")
def list_shipped() -> None:
    """List the names and titles of the shipped models.

    \b
    Example:
      xgen models list
    """
    from xgen.memory.library import list_models, load_model

    names = list_models()
    width = max(map(len, names), default=0)
    for name in names:
        output.emit(f"{name:<{width}}  {load_model(name).title}".rstrip())


@command.command("show")
@click.argument("model")
@options.timeout("At most S seconds.")
@click.option("--text", is_flag=True, help="Print the model's file as it is.")
def show(model: str, timeout: float | None, text: bool) -> None:
    """Show MODEL, a file or the name of a shipped model: what it defines and demands, and how it is checked.

    \b
    Examples:
      xgen models show weak
      xgen models show tso --text > mine.mcm
    """
    from xgen.memory.library import load_model
    from xgen.views.model import render

    with time_limit(timeout):
        loaded = load_model(model)
        shown = loaded.source.text.rstrip("\n") if text else render(loaded, output.terminal_paint())
    output.emit(shown)


@command.command("check")
@click.argument("model")
@options.timeout("At most S seconds.")
def check(model: str, timeout: float | None) -> None:
    """Look for mistakes in MODEL, a file or the name of a shipped model: exit code 1 if there is one.

    Reported are definitions and functions that are not used, constraints that never or always fail, and tags that
    nothing has; of .cat models, also names that are defined twice.

    \b
    Example:
      xgen models check mine.mcm
    """
    from xgen.memory.library import load_model
    from xgen.memory.statics.problems import problems_of

    with time_limit(timeout):
        loaded = load_model(model)
        found = problems_of(loaded)
    for problem in found:
        where = f"{problem.position.line}:{problem.position.column}:" if problem.position else ""
        output.emit(f"{loaded.source.name}:{where} {'note' if problem.note else 'problem'}: {problem.message}")
    wrong = sum(not problem.note for problem in found)
    output.emit(f"{loaded.name}: {'no problems' if wrong == 0 else plural(wrong, 'problem')}")
    click.get_current_context().exit(1 if wrong else 0)
