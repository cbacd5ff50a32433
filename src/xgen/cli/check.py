"""`xgen check`: can the program go wrong under the memory model?"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click

import xgen
from xgen.analyses.check.check import nothing_found
from xgen.cli import options, output, pictures
from xgen.cli.progress import progress_line
from xgen.clock import GRACE, Clock, OutOfTime, time_limit
from xgen.executions.result import Partition, Result
from xgen.shipped import find_program
from xgen.sources import recorded
from xgen.views.answers import json, text

EPILOG = """\b
Examples:
  xgen check peterson --mcm tso
  xgen check mine.xcfa --mcm weak --max-depth 8 --dot pictures
  xgen check mine.xcfa --mcm mine.mcm --all-states --format json

\b
Exit codes:
  0  safe, as far as explored
  1  violation
  2  bad usage or input
  3  no answer: interrupted, out of time, no execution completes, cut by the bound with --complete, or --sample
     without a violation
"""


@click.command(
    "check",
    cls=options.OfPrograms,
    short_help="Say whether PROGRAM can go wrong.",
    epilog=EPILOG,
    options_metavar="--mcm MODEL [OPTIONS]",
)
@click.argument("program")
@options.mcm("The memory model: a .mcm file, or the name of a shipped one.")
@options.max_depth
@options.c_programs
@click.option(
    "--no-spin", is_flag=True, help="Explore every round of loops that only wait, or only retry (with --max-depth)."
)
@click.option("--all-states", is_flag=True, help="Explore everything instead of stopping at the first violation.")
@click.option("--liveness", is_flag=True, help="Threads that wait for ever are a violation, too.")
@click.option(
    "--classes",
    type=click.Choice(["off", "rf", "values", "seen", "auto"]),
    default="auto",
    show_default=True,
    help="Visit one of all executions with the same reads-from (rf; the others are counted), in which reads read the "
    "same (values), or which no thread can tell apart (seen); auto: executions, and where these are many and only the "
    "verdict is asked, classes in turns with them; off: executions only.",
)
@click.option(
    "--cones",
    is_flag=True,
    help="Only the verdict, part by part: each thread and each pair that may race, with what they depend on.",
)
@click.option(
    "--symmetry/--no-symmetry",
    default=None,
    help="With --classes: those that differ by the names of like threads are one, too.  [default: symmetry]",
)
@pictures.options
@options.form
@options.timeout("Stop after S seconds.")
@options.workers("Threads to explore with.")
@options.long_runs("Processes to explore with.")
@options.checkpoint
@click.option(
    "--filter",
    "mode",
    type=click.Choice(["in-situ", "final"]),
    default="in-situ",
    show_default=True,
    help="Drop forbidden executions early (in-situ), or at the end (slow; for comparison).",
)
@click.option("--estimate", is_flag=True, help="Only estimate the number of executions and the time, by probing.")
@click.option(
    "--sample",
    type=int,
    callback=options.within(1, 10**9),
    metavar="N",
    help="Only N executions at random: what is found is real, but nothing is proved; estimates what there is.",
)
@click.option(
    "--seed",
    type=int,
    callback=options.within(0, 2**63 - 1),
    metavar="K",
    help="With --sample: the same seed, the same samples.  [default: 1]",
)
@options.explain
@options.answers
@options.progress
@click.option("--dump", type=click.Choice(["code"]), help="Print the lowered program; check nothing.")
def command(
    program: str,
    model: str | None,
    max_depth: int | None,
    no_spin: bool,
    all_states: bool,
    liveness: bool,
    classes: Partition | Literal["auto"],
    symmetry: bool | None,
    cones: bool,
    full_witness: bool,
    dot: Path | None,
    svg: Path | None,
    show: tuple[str, ...] | None,
    html: Path | None,
    trace_limit: int | None,
    form: str,
    timeout: float | None,
    mode: Literal["in-situ", "final"],
    workers: int,
    processes: int | None,
    cluster: str | None,
    memory_limit: int | None,
    checkpoint: Path | None,
    estimate: bool,
    sample: int | None,
    seed: int | None,
    quiet: bool,
    verbose: bool,
    explain: bool,
    complete: bool,
    progress: bool,
    dump: str | None,
    c_options: dict[str, Any],
) -> None:
    """Check whether PROGRAM can go wrong under a memory model.

    What can go wrong: an assertion, an error location, an overflow, a division by zero, an index out of range, a
    mutex, and a data race where the model gives racy programs no meaning (rc11). PROGRAM is a file, or the name of a
    shipped program.
    """
    if liveness and (no_spin or estimate):
        raise click.UsageError(f"--liveness cannot be used with {'--no-spin' if no_spin else '--estimate'}.")
    if classes not in ("off", "auto"):
        _refuse_with("--classes", **{"--liveness": liveness, "--filter final": mode == "final", "--estimate": estimate})
    elif symmetry is not None and classes == "off":
        raise click.UsageError("--symmetry and --no-symmetry cannot be used with --classes off.")
    if cones:
        listed = {"--all-states": all_states, "--liveness": liveness, "--filter final": mode == "final"}
        _refuse_with("--cones", **listed, **{"--estimate": estimate})
    if sample is not None:
        others = {
            "--classes": classes not in ("off", "auto"),
            "--cones": cones,
            "--workers": workers > 1,
            "--estimate": estimate,
        }
        for other in (other for other, given in others.items() if given):
            raise click.UsageError(f"--sample cannot be used with {other}.")
    elif seed is not None:
        raise click.UsageError("--seed needs --sample.")
    options.either(processes, cluster)
    long = options.of_long_runs(processes, cluster, memory_limit, checkpoint)
    for name in long:
        others = {"--workers": workers > 1, "--estimate": estimate, "--cones": cones, "--sample": sample is not None}
        for other in (other for other, given in others.items() if given):
            raise click.UsageError(f"{name} cannot be used with {other}.")
    if checkpoint is not None and checkpoint.exists():
        from xgen.engine.distributed.run_file import taken  # long to import

        raise taken(checkpoint)
    if dump:
        output.emit(_dump(xgen.load(find_program(program), **c_options)))
        return
    if model is None:
        options.missing_model()
    clock = Clock(timeout)
    drawings = pictures.Drawings(dot, svg, html, full_witness, show, trace_limit)
    line = progress_line(progress)
    try:
        with time_limit(clock.left()), recorded() as texts:
            path = find_program(program)
            if no_spin and path.suffix in (".c", ".i"):
                c_options["retries"] = False
            loaded = xgen.load(path, **c_options)
            memory_model = xgen.model(model)
        asked: dict[str, Any] = {
            "max_depth": max_depth,
            "all_states": all_states,
            "filter": mode,
            "unroll": no_spin,
            "liveness": liveness,
            "classes": classes,
            "symmetry": symmetry is not False,
        }
        long_run: dict[str, Any] = {}
        if long:
            about = {"program": str(path), "model": model, "c_options": c_options, "options": asked, "texts": texts}
            how = {"processes": processes, "cluster": cluster, "memory_limit": memory_limit}
            long_run = {**how, "checkpoint": checkpoint, "about": about}
        # A run that is kept ends by itself, with its last commit.
        with time_limit(clock.hard if checkpoint is None else None), line or nullcontext():
            if estimate:
                output.emit(_estimate(loaded, memory_model, max_depth, no_spin, clock, form))
                return
            drawings.prepare()
            drawings.drawn(memory_model)
            result = xgen.check(
                loaded,
                memory_model,
                **asked,
                workers=workers,
                timeout=clock.left(),
                trace_limit=drawings.executions(all_states),
                dependencies=drawings.asked or explain,
                cones=cones,
                sample=sample,
                seed=1 if seed is None else seed,
                **long_run,
                on_progress=line,
            )
    except OutOfTime:  # before the exploration, which looks at the clock itself
        if estimate:
            raise
        report(nothing_found(Path(program).name, model, max_depth, clock.seconds), form, full_witness, quiet, verbose)
        click.get_current_context().exit(3)
    with_pictures(result, loaded, memory_model, drawings, explain, clock, form, full_witness, quiet, verbose)
    click.get_current_context().exit(exit_code(result, complete))


def with_pictures(
    result: Result,
    program: xgen.Program,
    model: xgen.Model,
    drawings: pictures.Drawings,
    explain: bool,
    clock: Clock,
    form: str,
    full_witness: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Prints a result, draws it, and explains it.

    That is done even if the time is over or the run was interrupted, but not for long.
    """
    rest = Clock(GRACE if result.stopped in ("timeout", "interrupt", "lost") else clock.left(GRACE))
    if (form == "json" or verbose) and result.run is None:
        result = _with_outcomes(result, rest)
    report(result, form, full_witness, quiet, verbose)
    try:
        with time_limit(rest.hard):
            for sentence in drawings.write(result, model, rest):
                if not quiet:
                    _say(sentence, form)
            if explain:
                _say(_explanation(program, model, result, rest), form)
    except OutOfTime:
        output.complain("out of time: not all is drawn and explained")


def _refuse_with(what: str, **others: bool) -> None:
    for name, given in others.items():
        if given:
            raise click.UsageError(f"{what} cannot be used with {name}, which looks at each execution.")


def exit_code(result: Result, complete: bool) -> int:
    """0 safe, 1 violation, 3 no answer; `complete` asks for an answer about all executions."""
    if result.verdict == "violation":
        return 1
    if result.verdict == "interrupted" or result.vacuous or (complete and not result.exhaustive):
        return 3
    return 0


def _with_outcomes(result: Result, clock: Clock) -> Result:
    """The result with its outcomes made, of which there can be a million, or as many as there is time for."""
    made = []
    for outcome in result.outcomes:
        made.append(outcome)
        if len(made) % 1000 == 0 and clock.over():
            return replace(result, outcomes=made, outcomes_complete=False)
    return replace(result, outcomes=made)


def report(result: Result, form: str, full_witness: bool, quiet: bool, verbose: bool) -> None:
    """Prints a result."""
    if form == "json":
        output.emit_all(json.pieces(result))
    elif quiet:
        output.emit(text.verdict_line(result))
    else:
        paint = output.terminal_paint()
        output.emit(text.render(result, paint, full_witness=full_witness, verbose=verbose))


def _say(sentence: str, form: str) -> None:
    """What is said after the result; beside JSON, on standard error."""
    if form == "json":
        output.complain(sentence)
    else:
        output.emit("\n" + sentence)


def _estimate(
    program: xgen.Program, model: xgen.Model, max_depth: int | None, unroll: bool, clock: Clock, form: str
) -> str:
    from xgen.views.answers.estimate import render, render_json

    left = clock.left()
    seconds = 2.0 if left is None else min(2.0, left / 2)
    found = xgen.estimate(program, model, max_depth=max_depth, unroll=unroll, seconds=seconds)
    return render_json(found) if form == "json" else render(found)


def _explanation(program: xgen.Program, model: xgen.Model, result: Result, clock: Clock) -> str:
    """Why the model allows the violation that was found, or why there is none."""
    from xgen.analyses.explain import explain_result
    from xgen.views.answers.explain import render

    left = clock.left()
    found = explain_result(program, model, result, timeout=10.0 if left is None else left)
    return render(found, output.terminal_paint())


def _dump(program: xgen.Program) -> str:
    from xgen.lowering.dump import dump_code
    from xgen.lowering.threads import lower

    return dump_code(lower(program)).rstrip("\n")
