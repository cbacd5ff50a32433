"""`xgen compare`: what tells two memory models apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xgen.analyses.compare.compare import Pair, compare_suite, example_of, load_pair, under_both
from xgen.analyses.compare.distinguish import find_difference
from xgen.analyses.suite.runner import Spread
from xgen.analyses.suite.suite import Item, find_tests, outcome_of
from xgen.cli import options, output
from xgen.cli.progress import PATIENCE, progress_line, suite_line
from xgen.cli.shared import suites
from xgen.clock import Clock, time_limit
from xgen.engine.distributed.workers import GoneError
from xgen.exclusions import Excludes
from xgen.shipped import find_suites
from xgen.sources import recorded
from xgen.views.answers import compare as view
from xgen.views.words import plural

if TYPE_CHECKING:
    from xgen.analyses.compare.file import KeptSearch

EPILOG = """\b
Examples:
  xgen compare sc tso
  xgen compare tso pso --format json
  xgen compare tso mine.cat litmus/X86
  xgen compare rc11 mine.cat --max-size 9 --processes 8 --checkpoint long.run

\b
Exit codes:
  0  no difference
  1  the models are different
  2  bad usage or input; without a difference: a test that is malformed or not supported
  3  no difference so far, but out of time, interrupted, without workers, or no execution of a test completes
"""


@click.command(
    "compare", short_help="Find what tells two memory models apart.", epilog=EPILOG, options_metavar="[OPTIONS]"
)
@click.argument("first", metavar="MODEL")
@click.argument("second", metavar="MODEL")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--max-size",
    type=int,
    callback=options.within(2, 12),
    default=7,
    show_default=True,
    metavar="N",
    help="Without PATH: compare programs of up to N accesses, fences, dependencies and tags.",
)
@options.timeout("At most S seconds for each test, or for the search.")
@options.long_runs("Processes that run tests, or compare programs.")
@options.checkpoint
@options.form
@options.progress
def command(
    first: str,
    second: str,
    paths: tuple[str, ...],
    max_size: int,
    timeout: float | None,
    processes: int | None,
    cluster: str | None,
    memory_limit: int | None,
    checkpoint: Path | None,
    form: str,
    progress: bool,
) -> None:
    """Say which litmus tests tell two memory models apart, or find a smallest program that does.

    PATH is a .litmus file, a folder that is searched for them, or @LIST, a file with a path in each line. Without any,
    small programs are generated, of what the models speak of, until one has an outcome that one model allows and the
    other forbids. It is printed as a litmus test.
    """
    names = (first, second)
    options.refuse((*options.EITHER, Excludes("max_size", ("paths",), "it is about programs that are generated")))
    how = Spread(processes, cluster, memory_limit, timeout=timeout)
    if paths:
        about = {"command": "compare", "models": names}
        tests = under_both(find_tests(find_suites(paths)), *names)
        run(names, *suites.kept(tests, how, checkpoint, about), form, progress)
        return
    kept = None
    if checkpoint is not None:
        from xgen.analyses.compare.file import KeptSearch  # long to import

        with time_limit(Clock(timeout).hard), recorded() as texts:
            load_pair(*names)
        told = {"command": "compare", "models": names, "max_size": max_size, "timeout": timeout, "texts": texts}
        kept = KeptSearch.create(checkpoint, told)
    search(names, max_size, how, kept, form, progress)


def run(names: tuple[str, str], tests: Sequence[Item], how: Spread, form: str, progress: bool) -> None:
    """Runs tests under both models, says what came of them, and exits."""
    pairs, interrupted, clock = list[Pair](), False, Clock()
    line = suite_line(progress, len(tests) // 2)
    try:
        with suites.ending(how.kept), line or nullcontext(), closing(compare_suite(tests, how)) as found:
            for pair in found:
                pairs.append(pair)
                if line:
                    line(pair.second)
    except (KeyboardInterrupt, GoneError) as error:
        interrupted = True
        output.complain(suites.stopped(error, len(pairs), len(tests) // 2, how))
    if form == "json":
        output.emit(view.suite_json(pairs, names, clock.seconds))
    else:
        output.emit(view.render_suite(pairs, names, output.terminal_paint()))
    code = 1 if any(pair.differs for pair in pairs) else 3 if interrupted else _without_answers(pairs)
    click.get_current_context().exit(code)


def _without_answers(pairs: Sequence[Pair]) -> int:
    silent = (pair for pair in pairs if not pair.answered)
    left = {outcome_of(result) for pair in silent for result in (pair.first, pair.second)}
    if left & {"error", "unsupported"}:
        return 2
    return 3 if left else 0


def search(
    names: tuple[str, str], max_size: int, how: Spread, kept: KeptSearch | None, form: str, progress: bool
) -> None:
    """Looks for a program that tells models apart, says what came of it, and exits."""
    clock = Clock(how.timeout)
    with time_limit(clock.hard), suites.ending(kept), progress_line(progress) or nullcontext() as line:
        models = load_pair(*names)

        def report(programs: int, size: int) -> None:
            if line is not None and clock.seconds > PATIENCE:
                line.say(f"{plural(programs, 'program')}, now of size {size}")

        found = find_difference(*models, max_size, clock.left(), report, how, kept)
    title = "-".join(Path(name).stem for name in names)
    example = example_of(found.difference, *names, title) if found.difference else None
    if form == "json":
        output.emit(view.search_json(found, example, names, clock.seconds))
    else:
        output.emit(view.render_search(found, example, names, output.terminal_paint()))
    if found.said is not None:
        output.complain(found.said + ("" if kept is None else f"; `xgen resume {kept.path}` goes on"))
    click.get_current_context().exit(1 if found.difference else 3 if found.stopped else 0)
