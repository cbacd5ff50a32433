"""`xgen compare`: what tells two memory models apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from xgen.analyses.compare import Pair, compare_suite, example_of, find_difference, load_pair
from xgen.analyses.suites import find_tests, outcome_of
from xgen.cli import options, output
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
@options.form
@options.progress
def command(
    first: str, second: str, paths: tuple[str, ...], max_size: int, timeout: float | None, form: str, progress: bool
) -> None:
    """Say which litmus tests tell two memory models apart, or find a smallest program that does.

    PATH is a .litmus file, a folder that is searched for them, or @LIST, a file with a path in each line. Without any,
    small programs are generated, of what the models speak of, until one has an outcome that one model allows and the
    other forbids. It is printed as a litmus test.
    """
    names = (first, second)
    if paths:
        code = _suite(names, find_tests(find_suites(paths)), timeout, form, progress)
    else:
        code = _search(names, max_size, timeout, form, progress)
    click.get_current_context().exit(code)


def _suite(names: tuple[str, str], tests: list[str], timeout: float | None, form: str, progress: bool) -> int:
    pairs, interrupted, clock = list[Pair](), False, Clock()
    line = suite_line(progress, len(tests))
    try:
        with line or nullcontext():
            for pair in compare_suite(tests, *names, timeout):
                pairs.append(pair)
                if line:
                    line(pair.second)
    except KeyboardInterrupt:
        interrupted = True
        output.complain(f"interrupted after {len(pairs)} of {len(tests)} tests")
    if form == "json":
        output.emit(view.suite_json(pairs, names, clock.seconds))
    else:
        output.emit(view.render_suite(pairs, names, output.terminal_paint()))
    return 1 if any(pair.differs for pair in pairs) else 3 if interrupted else _without_answers(pairs)


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
