"""`xgen completion`: what a shell completes."""

from __future__ import annotations

import click

from xgen.cli import every_command, output
from xgen.cli.desk.shells import SCRIPTS, known

EPILOG = """\b
Examples:
  eval "$(xgen completion bash)"                                      # in ~/.bashrc
  eval "$(xgen completion zsh)"                                       # in ~/.zshrc, behind compinit
  xgen completion fish > ~/.config/fish/completions/xgen.fish
"""


@click.command("completion", short_help="Print what a shell completes with TAB.", epilog=EPILOG)
@click.argument("shell", type=click.Choice(list(SCRIPTS)))
def command(shell: str) -> None:
    """Print a script for SHELL that completes commands, options, models and shipped programs.

    It leaves names of files to the shell. The script is static: a TAB starts nothing.
    """
    output.emit(SCRIPTS[shell](known(list(every_command()))).rstrip("\n"))
