"""`xgen prove`: is it safe whatever happens, without a bound?

Two questions have one command: a .cub file and a program with `process p[*]` are systems of any number of processes;
everything else is a program, with loops without an end and store buffers of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import xgen
from xgen.cli import files, options, output
from xgen.cli.progress import PATIENCE, ProgressLine, progress_line
from xgen.cli.shared import loading, pictures
from xgen.clock import Clock, time_limit
from xgen.exclusions import Excludes
from xgen.shipped import find_claim
from xgen.systems.parameterised import System
from xgen.views.words import duration, plural

if TYPE_CHECKING:
    from xgen.analyses.parameterised.prove_system import Proof
    from xgen.engine.cubes import Search
    from xgen.engine.symbolic import Widening
    from xgen.program.automaton import Program

EPILOG = """\b
Examples:
  xgen prove endless/dekker_fenced --mcm tso
  xgen prove endless/deadlock --mcm pso --deadlock
  xgen prove endless/dekker --mcm tso --html dekker.html
  xgen prove mine.xcfa --mcm sc --invariant --format json
  xgen prove flags_fenced --mcm tso --certificate flags.json
  xgen prove mine.cub --mcm sc --procs 3 --timeout 60 --format json

\b
Exit codes:
  0  safe: a proof
  1  violation or deadlock
  2  bad usage or input
  3  no answer: unknown, interrupted, out of time, or the data are not finite
"""

PROGRAMS = ("deadlock", "limit", "widen", "invariant", "full_witness")
SYSTEMS = ("procs", "brab", "max_cubes", "certificate", "quiet", "verbose")
"""The options that one kind of file has and the other has not."""


def widening(ctx: click.Context, param: click.Parameter, value: str | None) -> Widening:  # noqa: ARG001
    """Accepts a number of atoms, or `none`."""
    if value is None or value == "none":
        return None if value is None else "none"
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:5]) <= 1000:
        raise click.BadParameter(f"{value!r} is neither `none` nor a number from 1 to 1000.")
    return int(value)


@click.command(
    "prove",
    cls=options.OfPrograms,
    short_help="Prove PROGRAM safe without any bound.",
    epilog=EPILOG,
    options_metavar="--mcm MODEL [OPTIONS]",
)
@click.argument("program")
@options.mcm("sc, tso or pso; of .cub files, sc or tso.")
@click.option("--deadlock", is_flag=True, help="Programs: look for deadlocks too, where no process can go on.")
@options.limit("Programs: each exploration visits at most so many states.", 1_000_000)
@click.option(
    "--widen",
    callback=widening,
    metavar="K|none",
    help="Programs: keep K parts of what is buffered apart, and merge older ones; none: never. Else K is 1, 2, 3, ...",
)
@click.option("--invariant", is_flag=True, help="Programs: print the states that the proof consists of.")
@click.option("--full-witness", is_flag=True, help="Programs: show all events of the violation, not only the cause.")
@click.option("--procs", type=int, callback=options.within(1, 8), metavar="N", help="Any number: only for N processes.")
@click.option(
    "--max-cubes",
    type=int,
    callback=options.within(1, 10**9),
    metavar="N",
    help="Any number: give up when there are N cubes.",
)
@click.option(
    "--brab",
    type=int,
    callback=options.within(2, 4),
    metavar="N",
    help="Any number: guess invariants from an instance of N processes (2 to 4).",
)
@click.option(
    "--certificate",
    type=options.PATH,
    metavar="FILE",
    help="Any number: write what a proof rests on, for `xgen certify`.",
)
@options.c_programs
@click.option(
    "--dot",
    type=options.PATH,
    metavar="DIR",
    help="Write a picture (Graphviz) of the execution that a violation is.",
)
@click.option("--svg", type=options.PATH, metavar="DIR", help="The same, drawn as SVG.")
@click.option(
    "--html",
    type=options.PATH,
    metavar="FILE",
    help="Write that execution as a page to explore.",
)
@options.timeout("Stop after S seconds.")
@options.form
@click.option("--quiet", "-q", is_flag=True, help="Any number: print the verdict only.")
@click.option("--verbose", "-v", is_flag=True, help="Any number: print all cubes.")
@options.progress
@click.pass_context
def command(
    ctx: click.Context,
    program: str,
    model: str | None,
    deadlock: bool,
    limit: int,
    widen: Widening,
    invariant: bool,
    full_witness: bool,
    procs: int | None,
    brab: int | None,
    max_cubes: int | None,
    certificate: Path | None,
    dot: Path | None,
    svg: Path | None,
    html: Path | None,
    timeout: float | None,
    form: str,
    quiet: bool,
    verbose: bool,
    progress: bool,
    c_options: dict[str, Any],
) -> None:
    """Prove PROGRAM safe without any bound, or find what goes wrong.

    PROGRAM is an .xcfa file, a C program or a litmus test, with loops without an end, under sc, tso or pso with store
    buffers of any length; its data have to be finite. Or it speaks of any number of processes, under sc or tso: an
    .xcfa file with `process p[*]`, or a .cub file (Cubicle's language). Or it is the name of a shipped one. What can go
    wrong is what `xgen check` looks for.
    """
    options.refuse((Excludes("quiet", ("verbose",), "the one asks for less, the other one for more"),))
    if model is None:
        options.missing_machine()
    clock = Clock(timeout)
    path = find_claim(program)
    if path.suffix == ".cub" and c_options:
        raise click.UsageError("the options of C programs are not for .cub files.")
    if certificate is not None:
        files.prepare(certificate)
    drawings = pictures.Drawings(dot, svg, html, None, full_witness)
    line = progress_line(progress)
    with time_limit(clock.hard), line or nullcontext():
        loaded = read(path, c_options, clock.left())
        drawings.prepare()
        if isinstance(loaded, System):
            _refuse_options(ctx, PROGRAMS, "programs with as many processes as they name")
            answer = _system(loaded, model, procs, brab, max_cubes, certificate, clock, line, form, quiet, verbose)
            verdict: str = answer.verdict
            for sentence in _draw(answer, drawings):
                if form == "json":
                    output.complain(sentence)
                elif not quiet:
                    output.emit(f"\n{sentence}")
        else:
            _refuse_options(ctx, SYSTEMS, "any number of processes: .cub files and `process p[*]`")
            verdict = _program(loaded, model, deadlock, limit, widen, invariant, drawings, clock, line, form)
    ctx.exit({"safe": 0, "violation": 1, "deadlock": 1}.get(verdict, 3))


def _refuse_options(ctx: click.Context, names: tuple[str, ...], what: str) -> None:
    for name in names:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is for {what}.")


def read(path: Path, c_options: dict[str, Any], left: float | None) -> System | Program:
    """What a file is about: any number of processes, or those that it names."""
    if path.suffix == ".cub":
        return xgen.load_system(path)
    loaded = loading.load(path, c_options, left)
    if loaded.many is None:
        return loaded
    from xgen.frontends.cub import system_of

    return system_of(loaded)


def _system(
    system: System,
    model: str,
    procs: int | None,
    brab: int | None,
    max_cubes: int | None,
    certificate: Path | None,
    clock: Clock,
    line: ProgressLine | None,
    form: str,
    quiet: bool,
    verbose: bool,
) -> Proof:
    from xgen.analyses.parameterised.prove_system import prove_system

    report = _reporter(line) if line else None
    proof = prove_system(
        system,
        model,
        processes=procs,
        brab=brab,
        timeout=clock.left(),
        max_cubes=max_cubes,
        on_progress=report,
    )
    written = _certify(proof, certificate)
    _report(proof, form, quiet, verbose, written)
    return proof


def _draw(proof: Proof, drawings: pictures.Drawings) -> Iterator[str]:
    """Write the pictures that were asked for, and say what was written."""
    if proof.checked is not None:
        yield from drawings.write(proof.checked, xgen.model(proof.model), Clock(None))
    elif drawings.folders or drawings.page:
        yield "no violation to draw: no picture was written"


def _program(
    program: Program,
    model: str,
    deadlock: bool,
    limit: int,
    widen: Widening,
    invariant: bool,
    drawings: pictures.Drawings,
    clock: Clock,
    line: ProgressLine | None,
    form: str,
) -> str:
    from xgen.analyses.prove import prove
    from xgen.views.answers import prove as view

    def report(visited: int, seconds: float) -> None:
        if line is not None and seconds > PATIENCE:
            line.say(f"{plural(visited, 'state')} visited, {duration(seconds)}")

    asked = xgen.model(model)
    proof = prove(
        program,
        asked,
        deadlock=deadlock,
        limit=limit,
        widen=widen,
        invariant=invariant,
        timeout=clock.left(),
        on_progress=report,
    )
    if form == "json":
        output.emit(view.render_json(proof))
    else:
        output.emit(view.render(proof, output.terminal_paint(), full_witness=drawings.full_witness))
    for sentence in drawings.write_proof(proof, asked):
        output.emit(f"\n{sentence}") if form == "text" else output.complain(sentence)
    return proof.verdict


def _reporter(line: ProgressLine) -> Callable[[Search], None]:
    def report(search: Search) -> None:
        if search.seconds >= PATIENCE:
            line.say(plural(len(search), "cube"))

    return report


def _certify(proof: Proof, certificate: Path | None) -> str | None:
    """Writes the certificate of a proof; its name, or None where there is none to write."""
    if certificate is None or proof.verdict != "safe":
        return None
    from xgen.analyses.parameterised.certificate import certificate_of

    files.write(certificate, certificate_of(proof))
    return str(certificate)


def _report(proof: Proof, form: str, quiet: bool, verbose: bool, certificate: str | None) -> None:
    from xgen.views.answers import parameterised as view

    if form == "json":
        output.emit(view.render_json(proof, certificate))
    elif quiet:
        output.emit(view.verdict_line(proof))
    else:
        output.emit(view.render(proof, output.terminal_paint(), verbose=verbose))
        if certificate:
            output.emit(f"\ncertificate in {certificate}")
