"""`xgen fences`: where fences have to stand so that a program is safe under a memory model."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

import xgen
from xgen.cli import files, options, output
from xgen.cli.progress import PATIENCE, progress_line
from xgen.cli.shared import loading
from xgen.cli.shared.mending import TEXTS
from xgen.clock import GRACE, Clock, time_limit
from xgen.errors import UsageError, listed
from xgen.resources import short
from xgen.shipped import find_claim
from xgen.views.words import plural

if TYPE_CHECKING:
    from xgen.analyses.fences.fences import Placements

EPILOG = """\b
Examples:
  xgen fences peterson --mcm tso
  xgen fences peterson --mcm pso --cheapest --write fenced.xcfa
  xgen fences mp_us --mcm rc11 --orders --cheapest
  xgen fences endless/peterson --mcm tso --ltl 'G inside < 2'
  xgen fences treiber --mcm power --kinds "lwsync=1<sync=3,isync=1" --why

\b
Exit codes:
  0  safe as it is, or placements found
  1  no placement helps
  2  bad usage or input, or --write could not change the text
  3  no answer: no execution completes, out of time or interrupted
"""


class OfFences(options.OfPrograms):
    """`--orders` may be followed by `only`; by anything else it is followed as an option without a value is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Makes one word of the two."""
        found: list[str] = []
        for word in args:
            if found and found[-1] == "--orders" and word == "only":
                found[-1] = "--orders-only"
            else:
                found.append("--orders-only" if word == "--orders=only" else word)
        return super().parse_args(ctx, found)


@click.command(
    "fences",
    cls=OfFences,
    short_help="Find all minimal sets of fences that make PROGRAM safe.",
    epilog=EPILOG,
    options_metavar="[--mcm MODEL] [OPTIONS]",
)
@click.argument("program")
@options.mcm(f"The memory model: a .mcm or .cat file, or a shipped one.  [default: a litmus test's; {options.USUAL}]")
@click.option(
    "--kinds",
    metavar="K",
    help="The kinds of fences with their costs: lwsync=1<sync=3,isync=1; `fence` has no tag. Else the model's own.",
)
@click.option(
    "--orders",
    is_flag=True,
    help="Stronger orders of accesses too: relaxed, acquire, release, seq_cst; `--orders only`: and no fences.",
)
@click.option("--orders-only", is_flag=True, help="The same as `--orders only`.")
@click.option("--relax", is_flag=True, help="With --orders: the weakest orders that this test needs, whatever it has.")
@click.option("--cheapest", is_flag=True, help="Only the placements of least cost.")
@click.option("--uniform", is_flag=True, help="Processes that differ in names and numbers only get the same.")
@click.option("--only", multiple=True, metavar="PROCESS", help="Change this process only. Can be given several times.")
@click.option(
    "--sites",
    type=click.Choice(["all", "after-stores"]),
    default="all",
    show_default=True,
    help="Where fences may stand: everywhere, or directly behind stores.",
)
@click.option("--keep", is_flag=True, help="The fences that are there stay; else they are taken out first.")
@options.limit("At most N placements.", 1000, 10**6, "N")
@click.option(
    "--pick",
    type=int,
    callback=options.within(1, 10**6),
    metavar="N",
    default=1,
    show_default=True,
    help="The change that is shown, and written, is that of placement N.",
)
@options.max_depth
@click.option("--liveness", is_flag=True, help="No thread may wait for ever, either.")
@click.option(
    "--robust",
    is_flag=False,
    flag_value="sc",
    metavar="[MODEL]",
    help="All executions have to be such as MODEL allows; without it, sc.",
)
@click.option("--unbounded", is_flag=True, help="Prove each placement for loops without an end (sc, tso and pso).")
@click.option("--deadlock", is_flag=True, help="With --unbounded: there may be no deadlock, either.")
@click.option("--ltl", "formula", metavar="FORMULA", help="FORMULA has to hold in every fair run (sc, tso and pso).")
@click.option(
    "--buffer",
    type=int,
    callback=options.within(1, 64),
    metavar="K",
    help="With --ltl: at most K delayed stores per process (pso: and variable).  [default: 4]",
)
@click.option("--why", is_flag=True, help="For each fence, show an execution that comes back without it.")
@click.option(
    "--write",
    type=options.PATH,
    metavar="FILE",
    help="Write the program (.xcfa, C, C++, a test for a GPU) with the first placement, or that of --pick. Of several "
    "files: those that change into a folder that is there, or all changes as FILE.patch.",
)
@click.option(
    "--html",
    type=options.PATH,
    metavar="FILE",
    help="Write a page of the placements on the program's text; with --why, with the executions drawn.",
)
@options.timeout("Stop after S seconds.")
@options.form
@options.progress
@options.c_programs
@options.kernels
@click.pass_context
def command(
    ctx: click.Context,
    /,
    program: str,
    model: str | None,
    robust: str | None,
    pick: int,
    orders: bool,
    orders_only: bool,
    write: Path | None,
    html: Path | None,
    timeout: float | None,
    form: str,
    progress: bool,
    c_options: dict[str, Any],
    **asked: Any,
) -> None:
    """Find all minimal sets of fences that make PROGRAM safe under a memory model.

    PROGRAM is a file, or the name of a shipped program. The fences that it has are taken out first, and come back where
    they are needed. Of a litmus test, what is not to happen is what it asks for (`exists`), or what it forbids.
    """
    from xgen.analyses.fences.demands import RULES
    from xgen.analyses.fences.fences import confirmed, find_fences
    from xgen.views.answers import fences as view

    options.refuse(RULES, {"orders_only": "orders only"})
    clock = Clock(timeout)
    path = find_claim(program)
    if model is None:
        xgen.load(path, **c_options)
        options.missing_model()
    if write is not None:
        if path.suffix not in (*TEXTS, ".litmus"):
            raise UsageError("--write is for .xcfa, C and C++ programs, and tests for GPUs", file=str(path))
        _prepare(write)
    if html is not None:
        files.prepare(html)
    line = progress_line(progress)

    def report(runs: int, placements: int) -> None:
        if line is not None and clock.seconds > PATIENCE:
            line.say(f"{plural(runs, 'run')}, {plural(placements, 'placement')}")

    with time_limit(clock.hard), line or nullcontext():
        memory_model = xgen.model(model)
        answer = find_fences(
            loading.load(path, c_options, clock.left()),
            memory_model,
            orders="only" if orders_only else orders,
            **asked,  # the other options are called as they are in Python
            robust=None if robust is None else xgen.model(robust),
            timeout=clock.left(),
            on_progress=report,
        )
        picked = _picked(answer, pick)
        texts = confirmed(answer, memory_model, partial(_read, path, c_options), GRACE, picked)
    untold = None if write is None else _write(write, answer, texts, picked)
    if html is not None:
        from xgen.views.pages.placements import placements_to_html

        files.write(html, placements_to_html(answer))
    if form == "json":
        output.emit(view.render_json(answer, texts))
    else:
        output.emit(view.render(answer, texts, output.terminal_paint(), picked))
        if write is not None and untold is None and answer.placements:
            output.emit(f"placement {picked + 1} was written to {write}")
    if untold is not None and answer.placements:
        output.complain(f"{untold}: nothing was written")
        ctx.exit(exit_code(answer) or 2)
    ctx.exit(exit_code(answer))


PATCHES = (".patch", ".diff")
"""What the names of files end in that get the changes only."""


def _prepare(target: Path) -> None:
    """Sees that what --write names can be written."""
    files.prepare(target / ".xgen" if target.is_dir() else target)


def _write(target: Path, answer: Placements, texts: Mapping[str, str] | None, picked: int) -> str | None:
    """Writes the texts with a placement, or the changes; gives why not, where that is not possible."""
    from xgen.analyses.fences.fences import unsaid
    from xgen.views.answers.fences import patch

    if texts is None:
        where = unsaid(answer, picked) if answer.placements else None
        told = "" if where is None else f" at {where.text(answer.program.source)}"
        return f"the text of this program cannot be changed so by itself{told}"
    own, *others = texts
    if target.suffix in PATCHES:
        files.write(target, patch(answer, texts))
        return None
    if target.is_dir():
        named = {PurePath(name).name: text for name, text in texts.items()}
        if len(named) < len(texts):
            return "two of the files have the same name: --write FILE.patch takes the changes of all"
        for name, text in named.items():
            files.write(target / name, text)
        return None
    if others:
        names = listed([short(name) for name in others], "and")
        return f"{names} would change, too: --write takes a folder, or FILE.patch for the changes of all files"
    files.write(target, texts[own])
    return None


def _picked(answer: Placements, pick: int) -> int:
    """The number of the placement that is to be shown, counted from 0."""
    if pick == 1 or pick <= len(answer.placements):
        return pick - 1
    raise UsageError(f"there is no placement {pick}: {plural(len(answer.placements), 'placement')} found")


def _read(path: Path, c_options: dict[str, Any], text: str) -> xgen.Program:
    return xgen.parse(text, path.suffix.lstrip("."), str(path), **c_options)


def exit_code(answer: Placements) -> int:
    """0 safe, with or without fences, 1 no placement helps, 3 no answer, or one that says nothing."""
    return {"not-repairable": 1, "interrupted": 3, "vacuous": 3}.get(answer.verdict, 0)
