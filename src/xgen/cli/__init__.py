"""The command line: `xgen COMMAND ...`, one module per command.

A command parses its options, calls the library and hands the result to a view. Its module is imported only when it is
needed, so that a short check is not kept waiting by the imports of the others.
"""

from __future__ import annotations

import gc

# What imports and long programs make lives to the end, and to look for garbage in it takes up to a sixth of the time.
gc.set_threshold(50_000)

import importlib
import io
import signal
import sys
from collections.abc import Iterator
from typing import Any

import click

from xgen.cli import output
from xgen.cli.shared import failures, guesses
from xgen.clock import OutOfTime
from xgen.errors import InternalError, XgenError, described, nearest, own_error
from xgen.version import __version__

COMMANDS = (
    "check",
    "resume",
    "litmus",
    "test",
    "models",
    "compare",
    "explain",
    "fences",
    "linearizable",
    "prove",
    "certify",
    "ltl",
    "show",
    "kinds",
    "serve",
    "lsp",
    "completion",
    "repair",
)
"""The commands in the order of the help text; each is the `command` of the module of its name in this package."""
DESK = ("serve", "lsp", "completion")
"""Those whose module is in the folder `desk`."""

FILES = {
    **dict.fromkeys(("bc", "c", "cc", "cpp", "cxx", "i", "ll", "xcfa", "yml"), "check"),
    "cub": "prove",
    "dve": "ltl",
    "gcl": "repair",
    "litmus": "litmus",
}
"""The command for a file, by its suffix: for hints."""

EPILOG = """\b
Examples:
  xgen check peterson --mcm tso
  xgen check mine.xcfa --mcm weak --max-depth 8 --dot pictures
  xgen models show weak

Exit codes: 0 safe, 1 violation, 2 bad usage or input, 3 no answer, 4 an error in xgen itself.
"""


class Commands(click.Group):
    """The group of all commands: it finds them lazily and turns what ends them into exit codes."""

    _asked: dict[str, Any]
    """In which forms a command was to say what goes wrong, as far as that is known."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        folder = "xgen.cli.desk" if cmd_name in DESK else "xgen.cli"
        command: click.Command = importlib.import_module(f"{folder}.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; a hint where there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            suffix = name.rpartition(".")[2]
            meant = f"did you mean `xgen {FILES[suffix]} {name}`?" if suffix in FILES else guesses.COMMANDS.get(name)
            meant = meant or nearest(name, COMMANDS)
            raise click.UsageError(f"No such command '{name}'" + (f": {meant}" if meant else "."), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        self._asked = ctx.meta
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # what click makes of it as well, after an empty line

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program: what asks it to end is taken for Ctrl-C, so that what was found so far is printed."""
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        return self.main(*args, **kwargs)

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        """Run a command line, and exit unless `standalone_mode` is False, as click calls it; then return the exit code.

        What ends a command is told on standard error; no traceback is shown."""
        try:
            code = self._code(*args, **kwargs)
        except KeyboardInterrupt:  # while an error was told
            code = 3
        if standalone_mode:
            gc.freeze()  # Python looks for garbage once more before it ends, in all modules: a tenth of a short check
            sys.exit(code)
        return code

    def _code(self, *args: Any, **kwargs: Any) -> int:
        """The exit code; click's own would be 1, a violation, for Ctrl-C and for a reader that has gone away."""
        self._asked = {}
        try:
            return super().main(*args, **{**kwargs, "standalone_mode": False}) or 0
        except click.NoSuchOption as error:
            return self._usage(guesses.answered(error, kwargs.get("args") or (args[0] if args else None) or sys.argv))
        except click.ClickException as error:
            return self._usage(error)
        except InternalError as error:
            return failures.tell("internal", own_error(error.message), self._asked)
        except XgenError as error:
            return failures.tell_error(error, self._asked)
        except (KeyboardInterrupt, click.Abort):
            output.complain("interrupted")
            return 3
        except OutOfTime:
            output.complain("out of time")
            return 3
        except MemoryError:
            output.complain("error: there is not enough memory")
            return 3
        except RecursionError:
            return failures.tell("input", "the input is nested too deeply", self._asked)
        except BrokenPipeError:  # of --help: `emit` sees to all else
            output.silence(1)
            return 0
        except OSError as error:
            return failures.tell("input", str(error), self._asked)
        except Exception as error:
            if _of_ctrl_c(error):
                output.complain("interrupted")
                return 3
            return failures.tell("internal", own_error(described(error)), self._asked)

    def _usage(self, error: click.ClickException) -> int:
        said = io.StringIO()
        error.show(said)
        return failures.tell("usage", error.format_message(), self._asked, said.getvalue().rstrip("\n"))


def _of_ctrl_c(error: BaseException | None) -> bool:
    """Whether it is what became of Ctrl-C: Python's own code has made another error of it, where classes are made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _man(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    """Prints all commands and options for `man`, and ends."""
    if value:
        from xgen.cli.desk.man import man_page  # rarely needed

        output.emit(man_page(main, every_command()))
        ctx.exit()


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="xgen", message="%(prog)s %(version)s")
@click.option("--man", is_flag=True, is_eager=True, expose_value=False, callback=_man, help="Print the manual page.")
def main() -> None:
    """Check whether a concurrent program can go wrong under a memory model."""


def every_command(group: click.Group = main, path: str = "xgen") -> Iterator[tuple[str, click.Command]]:
    """The commands of a group and of the groups in it, with their full names: what references are made of."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from every_command(command, f"{path} {name}")
