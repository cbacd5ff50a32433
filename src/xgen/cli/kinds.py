"""`xgen kinds`: what a kind of violation or refusal means."""

from __future__ import annotations

import click

from xgen.cli import options, output
from xgen.views import kinds as view

EPILOG = """\b
Examples:
  xgen kinds
  xgen kinds race
"""


@click.command("kinds", short_help="Say what a kind of violation means.", epilog=EPILOG)
@click.argument("kind", metavar="[KIND]", type=click.Choice(list(view.BY_NAME)), required=False)
@options.form
def command(kind: str | None, form: str) -> None:
    """Say what a kind of violation or refusal means, with an example, and what to do.

    KIND is what stands in brackets at the end of a message, such as race. Without it, all kinds are listed.
    """
    chosen = view.KINDS if kind is None else (view.BY_NAME[kind],)
    if form == "json":
        output.emit(view.render_json(chosen))
    else:
        output.emit(view.listed() if kind is None else view.text_of(chosen[0]))
