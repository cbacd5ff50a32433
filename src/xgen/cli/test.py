"""`xgen test`: is what files say of themselves so?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

import xgen
from xgen.analyses.claims.files import Claims, check_files, find_files
from xgen.analyses.claims.run import NO_TIME, FileChecked
from xgen.analyses.claims.update import updated
from xgen.cli import files, options, output
from xgen.cli.shared import failures
from xgen.records import replace
from xgen.resources import short
from xgen.shipped import find_programs
from xgen.views.answers import claims as view
from xgen.views.findings import Form
from xgen.views.words import plural

EPILOG = """\b
Examples:
  xgen test queue_test.c
  xgen test tests --junit report.xml --sarif found.sarif
  xgen test tests --processes 8 --timeout 600
  xgen test queue_test.c --update

\b
What files say, in the comments that they begin with:
  // xgen: queue.c --unroll 4             options, and further files, for all that follows
  // verdict: safe                        under the language's model; `verdict sc, tso: safe` under others
  // verdict rc11: safe, 20 executions
  // verdict rc11: violation race (max-depth 8)
  // verdict: safe (on armv8)

\b
Exit codes:
  0  all claims hold
  1  a claim does not hold
  2  bad usage or input: a file that cannot be read, a claim that is none
  3  interrupted, or out of time
  4  an error in xgen itself
  5  no file claims anything (--allow-none: 0)
"""


@click.command(
    "test", short_help="Say whether what files say of themselves is so.", epilog=EPILOG, options_metavar="[OPTIONS]"
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--junit", type=options.PATH, metavar="FILE", help="Write a report in JUnit's XML.")
@click.option("--sarif", type=options.PATH, metavar="FILE", help="Write what is not so there, as SARIF 2.1.0.")
@click.option("--allow-none", is_flag=True, help="Exit with 0, not 5, if no file claims anything.")
@click.option("--update", is_flag=True, help="Write the present numbers of executions and outcomes into the files.")
@click.option(
    "--processes",
    type=int,
    callback=options.within(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that look at files.",
)
@options.errors
@options.form
@options.timeout("Stop after S seconds.")
def command(
    paths: tuple[str, ...],
    junit: Path | None,
    sarif: Path | None,
    allow_none: bool,
    update: bool,
    processes: int,
    errors: Form | None,
    form: str,
    timeout: float | None,
) -> None:
    """Check programs against what they say of themselves: verdicts, outcomes, numbers of executions.

    PATH is a program (C, C++, Rust, .xcfa), a litmus test, or a folder that is searched for them. Files that claim
    nothing are counted, not run.
    """
    found = find_files(find_programs(paths))
    for report in (junit, sarif):
        if report is not None:
            files.prepare(report)
    claims = _run(found, processes, timeout, failures.errors_form(errors), form)
    if update:
        claims = _updated(claims)
    output.emit(view.render_json(claims) if form == "json" else view.summary(claims))
    if claims.verdict == "nothing" and not allow_none:
        output.complain(
            "no file claims anything: a claim is one of a file's first comments, such as `// verdict: safe`"
        )
    if junit is not None:
        from xgen.views.junit import render_claims

        files.write(junit, render_claims(claims))
    if sarif is not None:
        from xgen.views import sarif as sarif_view

        facts = {"verdict": claims.verdict, "files": len(claims.files), "claims": len(claims.checked)}
        wrong = [finding for file in claims.files for finding in view.findings(file)]
        finished = claims.verdict != "interrupted"
        files.write(sarif, sarif_view.of_findings(wrong, "xgen/test", successful=finished, properties=facts))
    click.get_current_context().exit(exit_code(claims, allow_none))


def _run(found: Sequence[str], processes: int, timeout: float | None, lines: Form, form: str) -> Claims:
    """Looks at the files, and says of each what came of it, as soon as it is there."""
    start, done = time.monotonic(), list[FileChecked]()
    try:
        with closing(check_files(found, xgen.load, processes, timeout)) as results:
            for file in results:
                done.append(file)
                failures.print_lines(view.findings(file, errors=lines == "github"), lines)
                for error in file.errors:
                    output.complain(error.report("input"))
                for checked in file.checked:
                    if checked.kept is None and checked.found != NO_TIME:
                        output.complain(f"{short(file.file)}:{checked.claim.position.line}: no answer: {checked.found}")
                for mistake in file.mistakes:
                    output.complain(f"error: {mistake}")
                if form == "text" and not file.silent:
                    output.emit(view.row(file))
    except KeyboardInterrupt:
        return Claims(tuple(done), time.monotonic() - start, stopped=True)
    return Claims(tuple(done), time.monotonic() - start)


def _updated(claims: Claims) -> Claims:
    """Writes counts anew; then these claims are kept."""
    made = []
    for file in claims.files:
        wrong = [checked for checked in file.checked if checked.number is not None]
        if wrong:
            text = Path(file.file).read_bytes().decode("utf-8")
            files.write(Path(file.file), updated(text, file.checked))
            output.complain(f"{short(file.file)}: {plural(len(wrong), 'count')} written")
        kept = tuple(replace(c, kept=True, number=None) if c.number is not None else c for c in file.checked)
        made.append(replace(file, checked=kept))
    return replace(claims, files=tuple(made))


def exit_code(claims: Claims, allow_none: bool = False) -> int:
    """4: an error of our own, 1: a claim is not kept, 2: one cannot be read, 3: there was no time, 5: there is none
    (unless that is allowed), else 0."""
    if any(file.mistakes for file in claims.files):
        return 4
    if claims.broken:
        return 1
    if any(file.errors for file in claims.files):
        return 2
    if claims.verdict == "nothing":
        return 0 if allow_none else 5
    return 3 if claims.verdict == "interrupted" else 0
