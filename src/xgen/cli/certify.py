"""`xgen certify`: does a certificate prove what it says?"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xgen.cli import files, options, output
from xgen.cli.progress import progress_line

if TYPE_CHECKING:
    from xgen.analyses.parameterised.obligations import Question

EPILOG = """\b
Examples:
  xgen prove flags_fenced --mcm tso --certificate flags.json
  xgen certify flags.json
  xgen certify flags.json --solver cvc5 --smt2 obligations

\b
Exit codes:
  0  proved
  1  refuted: an obligation does not hold
  2  bad usage or input
  3  no answer: the solver gave up or is not installed
"""


@click.command(
    "certify", short_help="Check a proof of `xgen prove --certificate`.", epilog=EPILOG, options_metavar="[OPTIONS]"
)
@click.argument("certificate", type=options.PATH)
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5"]),
    default="z3",
    show_default=True,
    help="The solver to ask; a Python package.",
)
@click.option("--smt2", type=options.PATH, metavar="DIR", help="Write each obligation for any solver.")
@options.timeout("Stop after S seconds.")
@options.form
@options.progress
def command(
    certificate: Path, solver: str, smt2: Path | None, timeout: float | None, form: str, progress: bool
) -> None:
    """Check a CERTIFICATE that `xgen prove --certificate` has written.

    Nothing in it is believed but the text of the system: a solver is asked whether its cubes prove that text safe.
    """
    from xgen.analyses.parameterised.certificate import certify, read_certificate
    from xgen.analyses.parameterised.solvers import MissingSolver, load_solver
    from xgen.sources import read_source
    from xgen.views.answers.certificate import render, render_json

    read = read_certificate(read_source(certificate))
    try:
        solve = load_solver(solver)
    except MissingSolver as error:
        click.echo(str(error), err=True)
        click.get_current_context().exit(3)
    line = progress_line(progress)
    with line or nullcontext():
        keep = _Writer(smt2, (lambda name: line.say(name)) if line else None)
        checked = certify(read, solve, timeout=timeout, keep=keep)
    output.emit(render_json(checked) if form == "json" else render(checked, output.terminal_paint()))
    click.get_current_context().exit({"proved": 0, "refuted": 1}.get(checked.verdict, 3))


class _Writer:
    """Writes obligations to files as they are asked, numbered; a later text of the same one replaces the earlier."""

    def __init__(self, folder: Path | None, say: Callable[[str], None] | None) -> None:
        self.folder = folder
        self.say = say
        self.names: list[str] = []
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise files.unwritable(folder, error) from None

    def __call__(self, name: str, question: Question) -> None:
        if not self.names or self.names[-1] != name:
            self.names.append(name)
            if self.say is not None and len(self.names) % 100 == 0:
                self.say(f"{len(self.names)} obligations")
        if self.folder is not None:
            from xgen.analyses.parameterised.obligations import smt_text

            files.write(self.folder / f"{len(self.names):05}.smt2", f"; {name}\n{smt_text([question])}")
