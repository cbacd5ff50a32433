"""`xgen compare`: what tells two memory models apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import click

from xgen.analyses.compare import Pair, compare_suite, example_of, find_difference, load_pair, under_both
from xgen.analyses.spread import Spread
from xgen.analyses.suites import Item, find_tests, outcome_of
from xgen.cli import options, output, suites
from xgen.cli.progress import PATIENCE, progress_line, suite_line
from xgen.cli.shipped import find_suites
from xgen.clock import Clock, time_limit
from xgen.views import compare as view
from xgen.views.words import plural

EPILOG = """\b
Examples:
  xgen compare sc tso
  xgen compare tso pso --format json
  xgen compare tso mine.cat litmus/X86

\b
Exit codes:
  0  no difference
  1  the models are different
  2  bad usage or input; without a difference: a test that is malformed or not supported
  3  no difference so far, but out of time or interrupted
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
@options.long_runs("Processes that run tests.")
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
    options.either(processes, cluster)
    if paths:
        about = {"command": "compare", "models": names}
        how = Spread(processes, cluster, memory_limit, timeout=timeout)
        run(
            names,
            *suites.kept(under_both(find_tests(find_suites(paths)), *names), how, checkpoint, about),
            form,
            progress,
        )
    else:
        for name in options.of_long_runs(processes, cluster, memory_limit, checkpoint):
            raise click.UsageError(f"{name} is for tests: compare MODEL MODEL PATH.")
        code = _search(names, max_size, timeout, form, progress)
        click.get_current_context().exit(code)


def run(names: tuple[str, str], tests: Sequence[Item], how: Spread, form: str, progress: bool) -> None:
    """Runs tests under both models, says what came of them, and exits."""
    pairs, interrupted, clock = list[Pair](), False, Clock()
    line = suite_line(progress, len(tests) // 2)
    try:
        with suites.ending(how), line or nullcontext(), closing(compare_suite(tests, how)) as found:
            for pair in found:
                pairs.append(pair)
                if line:
                    line(pair.second)
    except KeyboardInterrupt:
        interrupted = True
        output.complain(f"interrupted after {len(pairs)} of {len(tests) // 2} tests")
    if form == "json":
        output.emit(view.suite_json(pairs, names, clock.seconds))
    else:
        output.emit(view.render_suite(pairs, names, output.terminal_paint()))
    code = 1 if any(pair.differs for pair in pairs) else 3 if interrupted else _without_answers(pairs)
    click.get_current_context().exit(code)


def _without_answers(pairs: Sequence[Pair]) -> int:
    left = {outcome_of(result) for pair in pairs for result in (pair.first, pair.second) if result.verdict is None}
    if left & {"error", "unsupported"}:
        return 2
    return 3 if left else 0


def _search(names: tuple[str, str], max_size: int, timeout: float | None, form: str, progress: bool) -> int:
    clock = Clock(timeout)
    with time_limit(clock.hard), progress_line(progress) or nullcontext() as line:
        models = load_pair(*names)

        def report(programs: int, size: int) -> None:
            if line is not None and clock.seconds > PATIENCE:
                line.say(f"{plural(programs, 'program')}, now of size {size}")

        search = find_difference(*models, max_size, clock.left(), report)
    title = "-".join(Path(name).stem for name in names)
    example = example_of(search.difference, *names, title) if search.difference else None
    if form == "json":
        output.emit(view.search_json(search, example, names, clock.seconds))
    else:
        output.emit(view.render_search(search, example, names, output.terminal_paint()))
    return 1 if search.difference else 3 if search.stopped else 0
