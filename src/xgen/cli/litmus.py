"""`xgen litmus`: litmus tests and suites of them, with verdicts as herd's."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import click

from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.runner import Spread, run_tests
from xgen.analyses.suite.suite import (
    Expectations,
    Item,
    check_model,
    expectations_text,
    find_tests,
    outcome_of,
    read_expectations,
)
from xgen.cli import files, options, output
from xgen.cli.progress import suite_line
from xgen.cli.shared import suites
from xgen.clock import Clock, time_limit
from xgen.engine.distributed.workers import GoneError
from xgen.exclusions import Excludes
from xgen.shipped import find_suites
from xgen.views.answers import litmus as view

EPILOG = """\b
Examples:
  xgen litmus SB.litmus --mcm tso
  xgen litmus litmus/X86 --processes 2 --save verdicts.csv
  xgen litmus @all --processes 8 --checkpoint all.run
  xgen litmus litmus/X86 --expect verdicts.csv --junit report.xml
  xgen litmus @all --mcm mine.cat --format herd

\b
Exit codes:
  0  all tests have verdicts, and those that are expected
  1  a verdict is not the one that is expected
  2  bad usage or input; a test that is malformed or not supported, unless that is what --expect expects
  3  a test without an answer: no execution completes, interrupted, or out of time
  4  an error in xgen itself
"""


REFUSED = (*options.EITHER, Excludes("until_decided", ("form herd",), "herd's form has the numbers of all executions"))


@click.command(
    "litmus", short_help="Say what a memory model makes of litmus tests.", epilog=EPILOG, options_metavar="[OPTIONS]"
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@options.mcm("The memory model, for all tests; else each architecture has its own.")
@click.option("--expect", metavar="FILE", help="Expected verdicts: lines `path,verdict`, or JSON lines.")
@click.option("--save", metavar="FILE", help="Write the verdicts, for --expect; JSON lines if it ends in .jsonl.")
@click.option("--junit", metavar="FILE", help="Write a report in JUnit's XML.")
@click.option("--liveness", is_flag=True, help="Ask whether every thread ends, whatever the tests ask.")
@click.option(
    "--until-decided", is_flag=True, help="End each test once its verdict is known: not all executions are counted."
)
@options.form_of("text", "herd", "json", meaning="For people, as herd prints it, or for scripts.")
@options.timeout("At most S seconds for each test.")
@options.long_runs("Processes that run tests.", "--workers")
@options.checkpoint
@options.progress
def command(
    paths: tuple[str, ...],
    model: str | None,
    expect: str | None,
    save: str | None,
    junit: str | None,
    liveness: bool,
    until_decided: bool,
    form: str,
    timeout: float | None,
    processes: int | None,
    cluster: str | None,
    memory_limit: int | None,
    checkpoint: Path | None,
    progress: bool,
) -> None:
    """Run litmus tests and say whether their conditions hold under a memory model.

    PATH is a .litmus file, a folder that is searched for them, or @LIST, a file with a path in each line. Without --mcm
    the architecture in a test's first line chooses the model. With --liveness a test's condition holds where no thread
    waits for ever, in a loop or at a barrier.
    """
    options.refuse(REFUSED)
    expectations = read_expectations(expect) if expect else view.NOTHING
    tests = [
        Item(path, model, liveness=liveness, until_decided=until_decided) for path in find_tests(find_suites(paths))
    ]
    if model is not None:
        with time_limit(Clock(timeout).hard):
            check_model(model)
    for name in (save, junit):
        if name is not None:
            files.prepare(Path(name))
    about = {
        "command": "litmus",
        "expected": dict(expectations.by_path),
        "save": save,
        "junit": junit,
        "liveness": liveness,
        "until_decided": until_decided,
    }
    tests, how = suites.kept(tests, Spread(processes, cluster, memory_limit, timeout=timeout), checkpoint, about)
    run(tests, how, expectations, form, save, junit, progress)


def run(
    tests: Sequence[Item],
    how: Spread,
    expectations: Expectations,
    form: str,
    save: str | None,
    junit: str | None,
    progress: bool,
) -> None:
    """Runs tests, says what came of them, and exits."""
    start, results, stopped = time.monotonic(), list[LitmusResult](), None
    line = suite_line(progress, len(tests))
    try:
        with suites.ending(how.kept), line or nullcontext(), closing(run_tests(tests, how, line)) as found:
            for result in found:
                results.append(result)
                if form == "herd":
                    _emit_herd(result)
    except (KeyboardInterrupt, GoneError) as error:
        stopped = suites.stopped(error, len(results), len(tests), how)
    seconds = time.monotonic() - start
    if form == "json":
        output.emit(view.render_json(results, expectations))
    elif form == "text" and results:
        output.emit(view.render(results, seconds, expectations, output.terminal_paint()))
    if save is not None:
        files.write(Path(save), expectations_text(save, results))
    if junit is not None:
        from xgen.views.junit import render as render_junit

        files.write(Path(junit), render_junit(results, expectations))
    if stopped is not None:
        output.complain(stopped)
    click.get_current_context().exit(3 if stopped is not None else exit_code(results, expectations))


def exit_code(results: Sequence[LitmusResult], expectations: Expectations) -> int:
    """4: an error of our own, 1: not as expected, 2: a test that cannot be read or run, 3: no answer, else 0."""
    if any(result.own_error for result in results):
        return 4
    if any(expectations.met(result) is False for result in results):
        return 1
    left = [result for result in results if expectations.met(result) is None and not result.decided]
    if any(outcome_of(result) in ("error", "unsupported") and not result.too_large for result in left):
        return 2
    return 3 if any(result.too_large or outcome_of(result) in ("timeout", "vacuous") for result in left) else 0


def _emit_herd(result: LitmusResult) -> None:
    if result.verdict is not None:
        output.emit(view.herd(result))
        if result.thin_air:
            unbuilt = "executions in which a value justifies itself, which the model may allow, are not built"
            output.complain(f'Warning: File "{result.path}": {unbuilt}')
        return
    reason = result.unsupported or result.error or "out of time"
    output.complain(f'Warning: File "{result.path}": {reason}')
