"""`xgen prove`: is it safe whatever happens, without a bound?"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xgen.cli import files, options, output
from xgen.cli.progress import PATIENCE, ProgressLine, progress_line
from xgen.clock import Clock, time_limit
from xgen.errors import UsageError, nearest

if TYPE_CHECKING:
    from xgen.analyses.parameterised import Proof
    from xgen.engine.cubes import Search

EPILOG = """\b
Examples:
  xgen prove flags --mcm tso
  xgen prove flags_fenced --mcm tso --certificate flags.json
  xgen prove mine.cub --mcm sc --procs 3 --timeout 60 --format json

\b
Exit codes:
  0  safe
  1  violation
  2  bad usage or input
  3  no answer: unknown, interrupted or out of time
"""


@click.command("prove", epilog=EPILOG, options_metavar="--mcm MODEL [OPTIONS]")
@click.argument("program")
@click.option("--mcm", "model", metavar="MODEL", required=True, help="The memory model: sc or tso.")
@click.option("--procs", type=int, callback=options.within(1, 8), metavar="N", help="Only for N processes.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what a proof rests on, for `xgen certify`.",
)
@click.option(
    "--max-cubes", type=int, callback=options.within(1, 10**9), metavar="N", help="Give up when there are N cubes."
)
@options.timeout("Stop after S seconds.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for scripts.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict only.")
@click.option("--verbose", "-v", is_flag=True, help="Print all cubes.")
@click.option("--progress/--no-progress", default=True, help="Show on a terminal how a long run is going.")
def command(
    program: str,
    model: str,
    procs: int | None,
    certificate: Path | None,
    max_cubes: int | None,
    timeout: float | None,
    form: str,
    quiet: bool,
    verbose: bool,
    progress: bool,
) -> None:
    """Prove PROGRAM safe for any number of processes, or find a run to an unsafe state.

    PROGRAM is a .cub file (Cubicle's language), or the name of a shipped one.
    """
    from xgen.analyses.parameterised import prove_system
    from xgen.frontends.cub import read_cub
    from xgen.sources import read_source

    path = find_system(program)
    if path.suffix != ".cub":
        raise UsageError("what is proved is a .cub file", file=program)
    if certificate is not None:
        files.prepare(certificate)
    clock = Clock(timeout)
    with time_limit(clock.left()):
        system = read_cub(read_source(path))
    line = progress_line(progress)
    with time_limit(clock.hard), line or nullcontext():
        report = _reporter(line) if line else None
        left = clock.left()
        proof = prove_system(system, model, processes=procs, timeout=left, max_cubes=max_cubes, on_progress=report)
    written = _certify(proof, certificate)
    _report(proof, form, quiet, verbose, written)
    click.get_current_context().exit({"safe": 0, "violation": 1}.get(proof.verdict, 3))


def find_system(name: str) -> Path:
    """The file that is meant: a path, or else the shipped system of that name."""
    if os.path.basename(name) == name and not os.path.exists(name):
        from xgen.resources import shipped

        systems = {path.stem: path for path in (shipped("programs") / "cub").glob("*.cub")}
        meant = systems.get(name.removesuffix(".cub"))
        if meant:
            return meant
        hint = nearest(name.removesuffix(".cub"), systems) if len(name) <= 60 else None
        if hint:
            raise UsageError("there is no such file and no such shipped system", file=name, hint=hint)
    return Path(name)


def _reporter(line: ProgressLine) -> Callable[[Search], None]:
    def report(search: Search) -> None:
        from xgen.views.words import plural

        if search.seconds >= PATIENCE:
            line.say(plural(len(search), "cube"))

    return report


def _certify(proof: Proof, certificate: Path | None) -> str | None:
    """Writes the certificate of a proof; its name, or None where there is none to write."""
    if certificate is None or proof.verdict != "safe":
        return None
    from xgen.analyses.certificate import certificate_of

    files.write(certificate, certificate_of(proof))
    return str(certificate)


def _report(proof: Proof, form: str, quiet: bool, verbose: bool, certificate: str | None) -> None:
    from xgen.views import parameterised as view

    if form == "json":
        output.emit(view.render_json(proof, certificate))
    elif quiet:
        output.emit(view.verdict_line(proof))
    else:
        output.emit(view.render(proof, output.terminal_paint(), verbose=verbose))
        if certificate:
            output.emit(f"\ncertificate in {certificate}")
