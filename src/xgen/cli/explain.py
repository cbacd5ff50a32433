"""`xgen explain`: why an outcome is forbidden, or how it comes about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

import xgen
from xgen.cli import files, options, output
from xgen.cli.check import find_program
from xgen.clock import GRACE, Clock, time_limit
from xgen.errors import UsageError, nearest
from xgen.executions.execution import Execution
from xgen.views.words import one_line

if TYPE_CHECKING:
    from xgen.analyses.explain import Wanted
    from xgen.lowering.code import Code

EPILOG = """\b
Examples:
  xgen explain SB.litmus --mcm sc
  xgen explain peterson --mcm sc --svg peterson.svg
  xgen explain sb_fenced --mcm tso --outcome "p0:a=0 p1:b=0" --html sb.html

\b
Exit codes:
  0  allowed or forbidden, with the reason
  2  bad usage or input
  3  no answer in time
"""

FILE = click.Path(path_type=Path)


@click.command("explain", epilog=EPILOG, options_metavar="[OPTIONS]")
@click.argument("test")
@click.option("--mcm", "model", metavar="MODEL", help="The memory model; litmus tests have one by their architecture.")
@click.option("--outcome", metavar="VALUES", help="Final values, as in `p0:a=0 x=1`; else the test's own question.")
@options.max_depth
@options.timeout("Seconds to search.", default=10.0)
@click.option("--svg", type=FILE, metavar="FILE", help="Draw the execution, with the cycle highlighted.")
@click.option("--html", type=FILE, metavar="FILE", help="Write the execution as a page to explore.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for scripts.",
)
def command(
    test: str,
    model: str | None,
    outcome: str | None,
    max_depth: int | None,
    timeout: float,
    svg: Path | None,
    html: Path | None,
    form: str,
) -> None:
    """Explain why an outcome of TEST is forbidden under a memory model, or show how it comes about.

    The outcome is that of --outcome, else the condition of a litmus test, else a violation of the program. TEST is a
    .litmus or .xcfa file, or the name of a shipped program.
    """
    from xgen.analyses.explain import explain
    from xgen.views import explain as view

    clock = Clock(timeout)
    for file in (svg, html):
        if file is not None:
            files.prepare(file)
    with time_limit(clock.hard):
        code, wanted, question, default = _question(find_program(test), outcome)
        name = model or default
        if name is None:
            raise click.UsageError("Missing option '--mcm'.")
        found = explain(code, xgen.model(name), wanted, question, max_depth=max_depth, timeout=clock.left() or 0.0)
        shown = view.render_json(found) if form == "json" else view.render(found, output.terminal_paint())
    output.emit(shown)
    with time_limit(Clock(clock.left(GRACE)).hard):
        if svg is not None and found.execution is None:
            output.complain("there is no execution to draw")
            svg.unlink(missing_ok=True)
        elif svg is not None:
            files.write(svg, view.to_svg(found))
        if html is not None:
            files.write(html, view.to_html(found))
    click.get_current_context().exit(3 if found.answer == "unknown" else 0)


def _question(path: Path, outcome: str | None) -> tuple[Code, Wanted, str, str | None]:
    """The program, what is asked of its executions, that in words, and the default model."""
    from xgen.lowering.threads import lower

    if path.suffix == ".litmus":
        return _litmus_question(path, outcome)
    code = lower(xgen.load(path))
    if outcome is None:
        return code, lambda execution: bool(execution.violations), "a violation", None
    return code, *_final_values(code, outcome), None


def _litmus_question(path: Path, outcome: str | None) -> tuple[Code, Wanted, str, str | None]:
    from xgen.frontends.litmus import load_litmus
    from xgen.frontends.litmus.condition import show
    from xgen.frontends.litmus.values import Cell
    from xgen.lowering.threads import lower

    test = load_litmus(path)
    code = lower(test.program)
    if outcome is not None:
        return code, *_final_values(code, outcome), test.model
    cells = [number for item in test.observed if isinstance(item, Cell) for number in test.cells_of(item)]
    code.shown_cells = sorted(set(cells))
    against = test.question.quantifier == "forall"

    def wanted(execution: Execution) -> bool:
        state = test.state(execution.state)
        return execution.complete and test.counts(state) and test.satisfies(state) != against

    proposition = show(test.question.proposition)
    return code, wanted, f"not ({proposition})" if against else proposition, test.model


def _final_values(code: Code, text: str) -> tuple[Callable[[Execution], bool], str]:
    """What a text like `p0:a=0, x=1` asks for, and the same in words. Raises UsageError."""
    names = [f"{thread.name}:{thread.locals[i].name}" for thread in code.threads for i in thread.shown]
    names += [code.cells[cell].name for cell in code.shown_cells]
    values: dict[str, int] = {}
    for part in re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", text.strip())):
        name, sign, value = part.partition("=")
        if not sign or not re.fullmatch(r"-?\d{1,19}|true|false", value):
            raise UsageError(
                f"`{one_line(part, 60)}` is not a final value",
                hint="expected NAME=VALUE, as in `p0:a=0 x=1`, and a value of 64 bits",
            )
        if name not in names:
            near = nearest(name, names)
            raise UsageError(
                f"there is no `{name}` among the final values", hint=near or f"there are {', '.join(names)}"
            )
        values[name] = {"true": 1, "false": 0}[value] if value in ("true", "false") else int(value)
    said = " and ".join(f"{name} = {value}" for name, value in values.items())
    return lambda e: e.complete and all(e.state[name] == value for name, value in values.items()), said
