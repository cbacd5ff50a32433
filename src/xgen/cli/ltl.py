"""`xgen ltl`: does something good happen, in every fair run, with store buffers?"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xgen.cli import files, options, output
from xgen.cli.progress import PATIENCE, progress_line
from xgen.clock import GRACE, Clock, OutOfTime, time_limit
from xgen.errors import UsageError
from xgen.shipped import find_system
from xgen.views.words import duration

if TYPE_CHECKING:
    from xgen.analyses.ltl import LtlResult
    from xgen.engine.explicit.states import Order

EPILOG = """\b
Examples:
  xgen ltl dve/peterson 'G !(P_0@CS & P_1@CS)' --mcm tso
  xgen ltl dve/peterson 'G (P_0@wait -> F P_0@CS)' --mcm tso --buffer 2
  xgen ltl dve/peterson 'G !(P_0@CS & P_1@CS)' --mcm tso --repair
  xgen ltl mine.dve 'G F x = 1' --mcm pso --unfair --format json

\b
Exit codes:
  0  holds (perhaps with bounded buffers only: the verdict says so), or repairs found
  1  fails, or something goes wrong on the way; no repair helps
  2  bad usage or input
  3  no answer: interrupted, out of time, or too many states
"""


def buffer(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:  # noqa: ARG001
    """Accepts a number of stores, or `cam`."""
    if value is None or value == "cam":
        return value
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:4]) <= 64:
        raise click.BadParameter(f"{value!r} is neither `cam` nor a number from 1 to 64.")
    return int(value)


@click.command(
    "ltl",
    short_help="Say whether FORMULA holds in every fair run of PROGRAM.",
    epilog=EPILOG,
    options_metavar="--mcm MODEL [OPTIONS]",
)
@click.argument("program")
@click.argument("formula")
@options.mcm("sc, tso or pso.", required=True)
@click.option(
    "--buffer",
    "room",
    callback=buffer,
    metavar="K|cam",
    help="At most K delayed stores per process (pso: and variable); cam: one per variable.  [default: 4]",
)
@click.option("--unfair", is_flag=True, help="A process may stand still for ever; buffers never do.")
@click.option("--repair", is_flag=True, help="Find all minimal sets of writes that have to be atomic.")
@click.option("--svg", type=options.PATH, metavar="FILE", help="Draw the run that breaks FORMULA.")
@click.option("--html", type=options.PATH, metavar="FILE", help="Write that run as a page, beside the program.")
@options.limit("Give up when there are more states.", 100_000_000)
@options.workers("Threads to search with; the answer is the same.")
@options.timeout("Stop after S seconds.")
@options.form
@options.progress
def command(
    program: str,
    formula: str,
    model: str,
    room: int | str | None,
    unfair: bool,
    repair: bool,
    svg: Path | None,
    html: Path | None,
    limit: int,
    workers: int,
    timeout: float | None,
    form: str,
    progress: bool,
) -> None:
    """Does FORMULA hold in every fair run of PROGRAM, behind store buffers of bounded length?

    PROGRAM is an .xcfa or a .dve file (DiVinE's language), or the name of a shipped one. FORMULA has G (always), F (in
    the end), U, W, R, !, &, |, ->, and propositions: `P@place`, `P:local = 1`, `x = 1`, `a[0] > y`, of what is in
    memory; `ended(P)`, `ended(all)`.
    """
    import xgen
    from xgen.analyses.ltl import LtlResult
    from xgen.views.answers import ltl as view

    memory = _memory(model, room)
    for file in filter(None, (svg, html)):
        files.prepare(file)
    line = progress_line(progress)

    def report(states: int, seconds: float) -> None:
        if line is not None and seconds >= PATIENCE:
            line.say(f"{states:,} states, {duration(seconds)}")

    ask = xgen.ltl_repairs if repair else xgen.ltl
    clock = Clock(timeout)
    with time_limit(clock.hard), line or nullcontext():
        result = ask(
            find_system(program),
            formula,
            memory,
            buffer=room if isinstance(room, int) else 4,
            fair=not unfair,
            limit=limit,
            timeout=timeout,
            workers=workers,
            on_progress=report,
        )
        said = view.render_json(result) if form == "json" else view.render(result, output.terminal_paint())
    output.emit(said)
    # What was found is drawn even if the time is over, but not for long.
    try:
        with time_limit(clock.left(GRACE)):
            _draw(result if isinstance(result, LtlResult) else result.left or result.first, svg, html)
    except OutOfTime:
        output.complain("out of time: the run is not drawn")
    good = {"holds": 0, "holds-within-bound": 0, "repaired": 0}
    click.get_current_context().exit(good.get(result.verdict, 3 if result.verdict == "interrupted" else 1))


def _draw(result: LtlResult, svg: Path | None, html: Path | None) -> None:
    """Write the pictures that were asked for; a file of an earlier run must not be taken for one of this."""
    from xgen.views.drawing import runs

    for file, draw in ((svg, runs.run_to_svg), (html, runs.run_to_html)):
        if file is not None and result.prefix:
            files.write(file, draw(result))
        elif file is not None:
            output.complain("there is no run to draw")
            file.unlink(missing_ok=True)


def _memory(model: str, room: int | str | None) -> Order:
    if model not in ("sc", "tso", "pso"):
        raise UsageError(
            f"`xgen ltl` explores machines with store buffers, and the model `{model}` is none of sc, tso, pso",
            hint="`xgen check --liveness` finds threads that wait for ever, under every model",
        )
    if room == "cam":
        if model != "tso":
            raise click.UsageError("--buffer cam is a kind of tso.")
        return "cam"
    return model  # type: ignore[return-value]
