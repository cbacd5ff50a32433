"""`xgen models`: the memory models that are shipped, and what a model says."""

from __future__ import annotations

import click

from xgen.cli import options, output
from xgen.clock import time_limit
from xgen.exclusions import Excludes
from xgen.tags import ARCHITECTURES
from xgen.views.words import plural

EPILOG = """\b
Examples:
  xgen models list
  xgen models show weak
  xgen models check mine.mcm
"""


_arch = click.option(
    "--arch",
    type=click.Choice(list(ARCHITECTURES)),
    help="Read the names in a .cat model as for programs of this architecture.",
)


@click.group("models", short_help="List the shipped memory models, or show or check one.", epilog=EPILOG)
def command() -> None:
    """List the shipped memory models, or describe one."""


@command.command("list")
@options.form
def list_shipped(form: str) -> None:
    """List the names and titles of the shipped models.

    \b
    Example:
      xgen models list
    """
    from xgen.memory.library import list_models, load_model
    from xgen.views.answers.model import list_json

    names = list_models()
    models = [load_model(name) for name in names]
    width = max(map(len, names), default=0)
    if form == "json":
        output.emit(list_json(dict(zip(names, models, strict=True))))
        return
    for name, model in zip(names, models, strict=True):
        output.emit(f"{name:<{width}}  {model.title}".rstrip())


@command.command("show")
@click.argument("model")
@options.timeout("At most S seconds.")
@_arch
@click.option("--text", is_flag=True, help="Print the model's file as it is.")
@options.form
def show(model: str, timeout: float | None, arch: str | None, text: bool, form: str) -> None:
    """Show MODEL, a file or the name of a shipped model: what it defines and demands, and how it is checked.

    \b
    Examples:
      xgen models show weak
      xgen models show tso --text > mine.mcm
      xgen models show rc11.cat --arch C
    """
    from xgen.memory.library import load_model
    from xgen.views.answers.model import render, render_json

    options.refuse((Excludes("text", ("form json",), "it is the file as it is"),))
    with time_limit(timeout):
        loaded = load_model(model, arch)
        if text:
            shown = loaded.source.text.rstrip("\n")
        else:
            shown = render_json(loaded) if form == "json" else render(loaded, output.terminal_paint())
    output.emit(shown)


@command.command("check")
@click.argument("model")
@options.timeout("At most S seconds.")
@_arch
@options.form
def check(model: str, timeout: float | None, arch: str | None, form: str) -> None:
    """Look for mistakes in MODEL, a file or the name of a shipped model: exit code 1 if there is one.

    Reported are definitions and functions that are not used, constraints that never or always fail, and tags that
    nothing has; of .cat models, also names that are defined twice.

    \b
    Example:
      xgen models check mine.mcm
    """
    from xgen.analyses.warnings import of_plain_fences
    from xgen.memory.library import load_model
    from xgen.memory.statics.lint import remarks_of
    from xgen.views.answers.model import problems_json

    with time_limit(timeout):
        loaded = load_model(model, arch)
        found = [*remarks_of(loaded), *of_plain_fences(loaded)]
    wrong = sum(not problem.note for problem in found)
    if form == "json":
        output.emit(problems_json(loaded, found))
        click.get_current_context().exit(1 if wrong else 0)
    for problem in found:
        where = f"{problem.position.line}:{problem.position.column}:" if problem.position else ""
        output.emit(f"{loaded.source.name}:{where} {'note' if problem.note else 'problem'}: {problem.message}")
    output.emit(f"{loaded.name}: {'no problems' if wrong == 0 else plural(wrong, 'problem')}")
    click.get_current_context().exit(1 if wrong else 0)
