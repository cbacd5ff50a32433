"""The command line: `xgen COMMAND ...`, one module per command.

A command parses its options, calls the library and hands the result to a view. Its module is imported only when it is
needed, so that a short check is not kept waiting by the imports of the others.
"""

from __future__ import annotations

import gc
import importlib

import click

from xgen.errors import XgenError
from xgen.version import __version__

COMMANDS = ("check", "litmus", "models", "compare", "explain", "show")
"""The commands in the order of the help text; each is the `command` of the module of its name in this package."""

EPILOG = """\b
Examples:
  xgen check peterson --mcm tso
  xgen check mine.xcfa --mcm weak --max-depth 8 --dot pictures
  xgen models show weak

Exit codes: 0 safe, 1 violation, 2 bad usage or input, 3 no answer.
"""


class Commands(click.Group):
    """The group of all commands: it finds them lazily and turns what ends them into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"xgen.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> None:
        """Run the command; what is wrong with the input is told on standard error, and no traceback is shown."""
        # What is made of a long program lives to the end, and looking through it takes a sixth of the time.
        gc.set_threshold(50_000)
        try:
            super().invoke(ctx)
        except XgenError as error:
            click.echo(str(error), err=True)
            ctx.exit(2)
        except (KeyboardInterrupt, click.Abort):
            # click would exit with 1, which means a violation here.
            click.echo("interrupted", err=True)
            ctx.exit(3)


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="xgen", message="%(prog)s %(version)s")
def main() -> None:
    """Check whether a concurrent program can go wrong under a memory model."""
