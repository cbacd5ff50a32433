"""`xgen resume`: goes on with a long run that was kept in a file."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

import xgen
from xgen.analyses.compare.file import KeptSearch, read_search
from xgen.analyses.suite.file import KeptSuite, read_suite
from xgen.analyses.suite.runner import Spread
from xgen.analyses.suite.suite import Expectations
from xgen.cli import compare, litmus, options, output
from xgen.cli.check import Answering, answer, answering
from xgen.cli.progress import progress_line
from xgen.cli.shared import pictures, suites
from xgen.clock import Clock
from xgen.engine.distributed.checkpoint import read_about
from xgen.engine.distributed.run_file import read_meta
from xgen.exclusions import Excludes
from xgen.records import replace
from xgen.room import limited_memory
from xgen.sources import given
from xgen.views.answers.checkpoint import render, render_json

EPILOG = """\b
Examples:
  xgen check mine.xcfa --mcm weak --all-states --processes 4 --checkpoint mine.run
  xgen resume mine.run --status
  xgen resume mine.run --processes 8

\b
Exit codes:
  those of the command that has begun the run; with --status always 0, but 2 where the file is of no use
"""

SHOWN = (*pictures.FILES, "show", "pictures", "full_witness", "explain", "quiet", "verbose", "complete")
RULES = (
    *options.EITHER,
    Excludes("status", (*SHOWN, "processes", "cluster", "memory_limit"), "the run does not go on"),
    *pictures.RULES,
)


@click.command("resume", short_help="Resume a run from its file.", epilog=EPILOG, options_metavar="[OPTIONS]")
@click.argument("file", type=options.PATH)
@click.option("--status", is_flag=True, help="Only say how far the run has come.")
@pictures.options
@answering
@options.timeout("Stop after S seconds.")
@options.long_runs("Processes to resume the run with.")
@options.progress
def command(
    file: Path,
    status: bool,
    drawings: pictures.Drawings,
    told: Answering,
    timeout: float | None,
    processes: int | None,
    cluster: str | None,
    memory_limit: int | None,
    progress: bool,
) -> None:
    """Go on with the run that is kept in FILE.

    The file is all that it takes: it has the texts of programs, tests and models, and the options. What was explored is
    not explored again; of a run that has ended the result is printed. Pictures, pages and explanations are of checks.
    """
    options.refuse(RULES)
    clock = Clock(timeout)
    about = read_meta(file)
    suite, search = about["kind"] == KeptSuite.kind, about["kind"] == KeptSearch.kind
    if status:
        if suite:
            about |= read_suite(file, 2 if about["command"] == "compare" else 1)
        else:
            about |= read_search(file) if search else read_about(file)
        output.emit(render_json(about, file) if told.form == "json" else render(about, file))
        return
    if (suite or search) and (drawings.asked or told.explain):
        raise xgen.UsageError(f"this is the checkpoint of {about['kind']}: there is nothing to draw", file=str(file))
    if suite:
        _go_on(file, Spread(processes, cluster, memory_limit, timeout=timeout), told.form, progress)
        return
    if search:
        _search_on(file, Spread(processes, cluster, memory_limit, timeout=timeout), told.form, progress)
        return
    if "texts" not in about:
        raise xgen.UsageError("this is the checkpoint of a run that was not begun with `xgen check`", file=str(file))
    line = progress_line(progress)
    with given(about["texts"]), limited_memory(memory_limit, f"reading {Path(about['program']).name}"):
        loaded = xgen.load(about["program"], **{k: _thawed(v) for k, v in about["c_options"].items()})
        model = xgen.model(about["model"])
    drawings.prepare()
    drawings.drawn(model)
    with line or nullcontext():
        result = xgen.check(
            loaded,
            model,
            **about["options"],
            trace_limit=drawings.executions(about["options"]["all_states"]),
            dependencies=drawings.asked or told.explain,
            timeout=timeout,
            processes=processes,
            cluster=cluster,
            checkpoint=file,
            memory_limit=memory_limit,
            on_progress=line,
        )
    answer(result, loaded, model, drawings, told, clock)


def _go_on(file: Path, how: Spread, form: str, progress: bool) -> None:
    """Goes on with a suite, and says what its command says."""
    tests, how, about = suites.resumed(file, how)
    if about["command"] == "compare":
        first, second = about["models"]
        compare.run((first, second), tests, how, form, progress)
    else:
        expectations = Expectations(about["expected"])
        litmus.run(tests, how, expectations, form, about["save"], about["junit"], progress)


def _search_on(file: Path, how: Spread, form: str, progress: bool) -> None:
    """Goes on with a search for what tells two models apart."""
    kept = KeptSearch.resume(file)
    about = kept.about()
    first, second = about["models"]
    how = replace(how, timeout=about["timeout"] if how.timeout is None else how.timeout)
    with given(about["texts"]):
        compare.search((first, second), about["max_size"], how, kept, form, progress)


def _thawed(value: Any) -> Any:
    """What JSON has made lists of were tuples."""
    return tuple(value) if isinstance(value, list) else value
