"""`xgen explain`: why an outcome is forbidden, or how it comes about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import xgen
from xgen.cli import files, options, output
from xgen.cli.shared import loading, pictures
from xgen.cli.shared.mending import next_command
from xgen.clock import GRACE, Clock, time_limit
from xgen.exclusions import Excludes, Needs
from xgen.records import replace
from xgen.shipped import find_program

if TYPE_CHECKING:
    from xgen.analyses.explain import Query

EPILOG = """\b
Examples:
  xgen explain SB.litmus --mcm sc
  xgen explain peterson --mcm sc --svg peterson.svg
  xgen explain sb_fenced --mcm tso --outcome "p0:a=0 p1:b=0" --html sb.html
  xgen explain spinlock --mcm tso --liveness

\b
Exit codes:
  0  allowed or forbidden, with the reason
  2  bad usage or input
  3  no answer in time, or no execution completes
"""

RULES = (
    Excludes("liveness", ("outcome",), "it is the one or the other that is explained"),
    Needs("show", ("svg", "tex"), "it says what is drawn"),
)


@click.command(
    "explain",
    cls=options.OfPrograms,
    short_help="Say why an outcome is forbidden, or how it comes about.",
    epilog=EPILOG,
    options_metavar="[OPTIONS]",
)
@click.argument("test")
@options.mcm("The memory model; litmus tests have one by their architecture.")
@click.option("--outcome", metavar="VALUES", help="Final values, as in `p0:a=0 x=1`; else the test's own question.")
@click.option("--liveness", is_flag=True, help="Explain why no thread waits for ever, or show one that does.")
@options.max_depth
@options.timeout("Seconds to search.", default=10.0)
@click.option("--svg", type=options.PATH, metavar="FILE", help="Draw the execution, with the cycle highlighted.")
@click.option("--tex", type=options.PATH, metavar="FILE", help="The same as TikZ, for a paper that says \\input{FILE}.")
@options.show
@click.option("--html", type=options.PATH, metavar="FILE", help="Write the execution as a page to explore.")
@options.form
@options.c_programs
def command(
    test: str,
    model: str | None,
    outcome: str | None,
    liveness: bool,
    max_depth: int | None,
    timeout: float,
    svg: Path | None,
    tex: Path | None,
    show: tuple[str, ...] | None,
    html: Path | None,
    form: str,
    c_options: dict[str, Any],
) -> None:
    """Explain why an outcome of TEST is forbidden under a memory model, or show how it comes about.

    The outcome is that of --outcome, or that a thread waits for ever (--liveness), else the condition of a litmus test,
    else a violation of the program. TEST is a .litmus, .xcfa or .c file, or the name of a shipped program.
    """
    from xgen.analyses.explain import explain
    from xgen.analyses.trial import tried
    from xgen.views.answers import explain as view

    clock = Clock(timeout)
    options.refuse(RULES)
    for file in (svg, tex, html):
        if file is not None:
            files.prepare(file)
    with time_limit(clock.hard):
        path = find_program(test)
        query = _query(path, outcome, liveness, model, c_options, clock.left())
        drawn = pictures.wanted(show, query.problem.asked)
        found = explain(query, max_depth=max_depth, timeout=clock.left() or 0.0)
        if found.execution is not None and found.race is not None:
            program, asked = query.problem.program, query.problem.asked
            execution = tried(found.execution, program, asked, max_depth=max_depth, timeout=clock.left())
            found = replace(found, execution=execution)
        if form == "json":
            shown = view.render_json(found, path.name, clock.seconds)
        else:
            shown = view.render(found, output.terminal_paint())
    output.emit(shown)
    if form != "json" and found.race is not None:
        mending = next_command(query.problem.program, query.problem.asked, clock, found.execution)
        if mending is not None:
            output.emit(f"\nnext: {mending}")
    with time_limit(Clock(clock.left(GRACE)).hard):
        for file, draw in ((svg, view.to_svg), (tex, view.to_tikz)):
            if file is not None and found.execution is None:
                output.complain("there is no execution to draw")
                file.unlink(missing_ok=True)
            elif file is not None and found.execution is not None:
                files.write(file, draw(found, **pictures.options_for(found.execution, drawn)))
                if form != "json":
                    output.emit(f"\nthe execution was written to {file}")
        if html is not None:
            files.write(html, view.to_html(found))
    click.get_current_context().exit(3 if found.answer == "unknown" or found.vacuous else 0)


def _query(
    path: Path, outcome: str | None, liveness: bool, model: str | None, c_options: dict[str, Any], left: float | None
) -> Query:
    """What the words of the command ask for."""
    from xgen.analyses.explain import asked_by, final_values, waiting

    program = loading.load(path, c_options, left)
    if model is None:
        options.missing_model()
    loaded = xgen.model(model)
    if liveness:
        return waiting(program, loaded)
    if outcome is not None:
        return final_values(program, loaded, outcome)
    return asked_by(program, loaded)
