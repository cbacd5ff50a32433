"""`xgen models`: the memory models that are shipped."""

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
    """List the shipped memory models, or show one."""


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
def show(model: str) -> None:
    """Show MODEL, a file or the name of a shipped model: its title and its text.

    \b
    Example:
      xgen models show weak
    """
    from xgen.memory.library import load_model

    output.emit(load_model(model).source.text.rstrip("\n"))
