"""`xgen models`: the memory models that are shipped, and what a model says."""

from __future__ import annotations

import click

from xgen.cli import output

EPILOG = """\b
Examples:
  xgen models list
  xgen models show weak
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
@click.option("--text", is_flag=True, help="Print the model's file as it is.")
def show(model: str, text: bool) -> None:
    """Show MODEL, a file or the name of a shipped model: what it defines and demands, and how it is checked.

    \b
    Examples:
      xgen models show weak
      xgen models show tso --text > mine.mcm
    """
    from xgen.memory.library import load_model
    from xgen.views.model import render

    loaded = load_model(model)
    output.emit(loaded.source.text.rstrip("\n") if text else render(loaded, output.terminal_paint()))
