"""`xgen lsp`: what editors show of programs and models while one writes them."""

from __future__ import annotations

import sys

import click

from xgen.cli import options, output
from xgen.errors import UsageError
from xgen.extras import installing

EPILOG = """\b
Examples:
  xgen lsp
  xgen lsp --mcm sc --timeout 10

Editors start it; docs/editors.md says how. It speaks the Language Server Protocol on standard input and output.
"""


@click.command("lsp", short_help="Serve an editor: errors and verdicts as one writes.", epilog=EPILOG)
@click.option(
    "--mcm",
    "model",
    metavar="MODEL",
    default="tso",
    show_default=True,
    help="The model of programs that name none; C, C++ and Rust have their own.",
)
@options.timeout("For a check, in seconds.", default=4.0)
def command(model: str, timeout: float) -> None:
    """Serve an editor: what is wrong with a text as one types, and what goes wrong in a program when one saves it.

    It needs the extra `lsp`. A line `// xgen: --mcm sc --unroll 3` among the first comments of a program says how
    it is checked.
    """
    try:
        from xgen.lsp.server import Editor
    except ImportError:
        raise UsageError("the language server needs pygls", hint=f"`{installing('lsp')}` has it") from None
    from xgen.memory.library import load_model

    load_model(model)
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("an editor has to be at standard input and output, which are closed")
    if output.is_terminal(sys.stdin):
        output.complain("editors start this; it waits for one on standard input (Ctrl-C ends it)")
    Editor(model, timeout).start()
