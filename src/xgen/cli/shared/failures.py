"""What ends a command without an answer, told in the forms that it was asked for; gives the exit code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xgen.cli import files, output
from xgen.cli.options import ERRORS, FORM
from xgen.errors import ErrorKind, UsageError, XgenError, kind_of

if TYPE_CHECKING:
    from xgen.views.findings import Finding, Form

SARIF = "xgen.sarif"
"""Where the context keeps the file that findings go to, and what they are findings of."""
CODES: dict[ErrorKind, int] = {"input": 2, "usage": 2, "limit": 3, "internal": 4}


def tell(kind: ErrorKind, message: str, asked: Mapping[str, Any], said: str | None = None) -> int:
    """Says it on standard error (`said`, where that is more than the message), and in JSON where that was asked for."""
    output.complain(f"error: {message}" if said is None else said)
    return _document(kind, message, asked)


def tell_error(error: XgenError, asked: Mapping[str, Any]) -> int:
    """Says what is wrong with an input, or what kept one from an answer, which is no finding."""
    from xgen.views.findings import of_error  # long to import

    kind = kind_of(error)
    found = of_error(error) if kind == "input" else []
    if errors_form(asked.get(ERRORS)) == "github":
        print_lines(found, "github")
    output.complain(error.report(kind))
    if SARIF in asked:
        from xgen.views import sarif

        file, category = asked[SARIF]
        verdict = "input" if kind == "input" else "interrupted"
        text = sarif.of_findings(found, category, successful=False, properties={"verdict": verdict})
        with suppress(UsageError):  # it may be just this that is wrong
            files.write(Path(file), text)
    return _document(kind, error, asked)


def _document(kind: ErrorKind, error: XgenError | str, asked: Mapping[str, Any]) -> int:
    if asked.get(FORM) == "json":
        from xgen.views.answers.json import failure

        with suppress(UsageError):  # standard output cannot be written: that may be what is told
            output.emit(failure(kind, error))
    return CODES[kind]


def errors_form(given: Form | None) -> Form:
    """What lines for machines look like: as asked for, or as those like them who listen."""
    return given or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "gcc")


def print_lines(findings: Iterable[Finding], form: Form) -> None:
    """Says on standard error where something is wrong, a line for each place."""
    from xgen.views.findings import lines

    for line in lines(findings, form):
        output.complain(line)


def print_beside(findings: Iterable[Finding], given: Form | None, shown: bool) -> None:
    """The same beside an answer. `shown`: it says these places, too, so that one terminal does not need them twice."""
    form = errors_form(given)
    if form != "gcc" or not shown or not output.one_terminal():
        print_lines(findings, form)
