"""`xgen repair`: make a protocol of guarded commands tolerate its faults."""

from __future__ import annotations

import time
from contextlib import nullcontext

import click

from xgen.cli import options, output
from xgen.cli.progress import PATIENCE, progress_line
from xgen.clock import GRACE, OutOfTime, time_limit
from xgen.errors import UsageError
from xgen.extras import installing
from xgen.shipped import find_protocol
from xgen.version import __version__

EPILOG = """\b
Examples:
  xgen repair byzantine
  xgen repair byzantine --set n=4 --level failsafe
  xgen repair mine.gcl --check
  xgen repair mine.gcl --format gcl > repaired.gcl

\b
Exit codes:
  0  repaired, or tolerant already
  1  impossible; with --check: not tolerant
  2  bad usage or input
  3  no answer: interrupted, out of time, or too many states
"""


def constant(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:  # noqa: ARG001
    """Accepts settings of constants: `n=4`."""
    found = {}
    for value in values:
        name, equals, number = value.partition("=")
        digits = number.removeprefix("-")
        if not equals or not name.isidentifier() or not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise click.BadParameter(f"{value!r}: a constant is set by NAME=NUMBER.")
        found[name] = int(number)
    return found


@click.command("repair", short_help="Make a protocol tolerate its faults.", epilog=EPILOG, options_metavar="[OPTIONS]")
@click.argument("protocol")
@click.option(
    "--level",
    type=click.Choice(["masking", "failsafe", "nonmasking"]),
    default="masking",
    show_default=True,
    help="Safe and recovering; safe only; recovering only.",
)
@click.option("--set", "constants", multiple=True, callback=constant, metavar="NAME=VALUE", help="Set a constant.")
@click.option("--check", "only_check", is_flag=True, help="Only say whether it is tolerant as it is; else, a run.")
@options.limit("Give up when there are more states.", 1_000_000, 10**8)
@options.timeout("Stop after S seconds.")
@options.form_of("text", "json", "gcl", meaning="For people, for scripts, or as a protocol again.")
@options.progress
def command(
    protocol: str,
    level: str,
    constants: dict[str, int],
    only_check: bool,
    limit: int,
    timeout: float | None,
    form: str,
    progress: bool,
) -> None:
    """Make PROTOCOL tolerate its faults: change its processes so that it does, or say that nothing does.

    PROTOCOL is a .gcl file: guarded commands, what each process reads and writes, faults, and what is legitimate; or
    the name of a shipped one. This has nothing to do with memory models.
    """
    try:
        import numpy  # noqa: F401
        import pysat.solvers  # noqa: F401
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        raise UsageError(f"`xgen repair` needs {package}", hint=f"`{installing('repair')}` has it") from None
    from xgen.repair import repair as work
    from xgen.repair import show
    from xgen.repair.elaborate import read_protocol
    from xgen.sources import read_source

    if only_check and form == "gcl":
        raise click.UsageError("--check has no protocol to print; choose --format text or json.")
    start = time.monotonic()
    context = click.get_current_context()
    with time_limit(None if timeout is None else timeout + GRACE):
        read = read_protocol(read_source(find_protocol(protocol)), constants)
        left = None if timeout is None else max(0.0, timeout - (time.monotonic() - start))
        if only_check:
            checked, why = work.check_as_it_is(read, level, limit, left)
            seconds = time.monotonic() - start
            if form == "json":
                output.emit(show.check_json(read, level, checked, why, seconds, __version__))
            else:
                output.emit(show.check_text(read, level, checked, why, output.terminal_paint()))
            context.exit(3 if checked is None else 0 if checked.trouble is None else 1)
        line = progress_line(progress)
        with line or nullcontext():

            def say(text: str) -> None:
                if line and time.monotonic() - start > PATIENCE:
                    line.say(text)

            try:
                result = work.repair(read, level, limit, left, say)
            except OutOfTime:
                result = work.Repair(read, level, why="the time is over")
    if form == "gcl":
        if result.verdict in ("repaired", "tolerant"):
            output.emit(show.as_protocol(result).rstrip("\n"))
        else:
            output.complain(show.text(result, lambda text, role: text))  # noqa: ARG005
    else:
        output.emit(show.as_json(result, __version__) if form == "json" else show.text(result, output.terminal_paint()))
    context.exit({"repaired": 0, "tolerant": 0, "impossible": 1}.get(result.verdict, 3))
