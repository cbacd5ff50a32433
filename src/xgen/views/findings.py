"""What is wrong, for machines that read lines: as compilers write it, and as GitHub's log makes annotations of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from xgen.errors import Position, Source, XgenError
from xgen.executions.execution import Execution
from xgen.executions.result import NOT_AS_REQUIRED, Result
from xgen.executions.waiting import why_it_waits
from xgen.program.automaton import Requirement
from xgen.records import dataclass
from xgen.resources import short
from xgen.views.answers.missing import lacking
from xgen.views.answers.witness import other_places

Form = Literal["gcc", "github", "none"]
UNMET = "final-state"
"""The kind of what is wrong if final states are not as required: no thread is at fault."""
INPUT = "input"
"""The kind of what is wrong with a text."""


@dataclass(frozen=True, slots=True)
class Region:
    """What of a file is meant, named as people read it. Numbers count from 1; `text` is what the line has."""

    file: str
    line: int
    column: int
    width: int = 1
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: a sentence, where it is, and other places that have a part in it.

    `kind` is that of a violation, UNMET, or INPUT. A text that cannot be read has no `place`, but its name, `file`.
    `calls` lead to the place, the innermost first. `number` is that of the violation in its execution.
    """

    kind: str
    message: str
    place: Region | None
    file: str | None
    notes: tuple[tuple[str, Region], ...] = ()
    hint: str | None = None
    calls: tuple[tuple[str, Region], ...] = ()
    number: int | None = None


def region_of(position: Position, source: Source) -> Region:
    """A position in a program of this source."""
    own = position.source or source
    return Region(short(own.name), position.line, position.column, position.width, own.line(position.line))


def of_result(result: Result, required: Requirement | None = None) -> list[Finding]:
    """What goes wrong in the execution that a check shows; `required`: what its program says of final states."""
    execution = result.witness
    if execution is None:
        return []
    if not execution.violations:
        at = None if required is None else required.position
        place = region_of(at or Position(1, 1), execution.source)
        text = None if required is None else required.text
        return [Finding(UNMET, f"{NOT_AS_REQUIRED}: {text} (model {result.model})", place, place.file)]
    return [of_violation(execution, number, result.model) for number in range(len(execution.violations))]


def of_violation(execution: Execution, number: int, model: str) -> Finding:
    """What a violation of an execution is, by its number."""
    violation, source = execution.violations[number], execution.source
    place = region_of(violation.position, source)
    places = [*other_places(execution, violation), *lacking(execution, violation)]
    return Finding(
        violation.kind,
        f"{violation.message} in {execution.threads[violation.thread]} (model {model})",
        place,
        place.file,
        tuple((sentence, region_of(position, source)) for sentence, position in places),
        (why_it_waits(execution, violation.thread) if violation.kind == "await" else violation.hint) or None,
        tuple((name, region_of(called, source)) for name, called in violation.position.calls),
        number,
    )


def of_error(error: XgenError) -> list[Finding]:
    """What is wrong with an input."""
    place = None
    if error.source is not None and error.position is not None:
        place = region_of(error.position, error.source)
    elif error.file is not None and error.position is not None:
        place = Region(short(error.file), error.position.line, error.position.column)
    notes = tuple((sentence, region_of(position, source)) for sentence, position, source in error.places())
    file = None if error.file is None else short(error.file)
    first = Finding(INPUT, error.message, place, file, notes, error.hint)
    return [first, *(finding for other in error.others for finding in of_error(other))]


def lines(findings: Iterable[Finding], form: Form) -> Iterator[str]:
    """What is printed of findings: of each its line, and those of its other places."""
    for finding in findings:
        if form != "none":
            yield from _FORMS[form](finding)


def _gcc(finding: Finding) -> Iterator[str]:
    """`FILE:LINE:COLUMN: error: TEXT [KIND]`, and `note:` for other places."""
    yield f"{_where(finding)}error: {finding.message} [{finding.kind}]"
    for sentence, place in finding.notes:
        yield f"{place.file}:{place.line}:{place.column}: note: {sentence}"


def _where(finding: Finding) -> str:
    if finding.place is None:
        return "" if finding.file is None else f"{finding.file}: "
    return f"{finding.place.file}:{finding.place.line}:{finding.place.column}: "


def _github(finding: Finding) -> Iterator[str]:
    """One line, in which the other places are lines of the annotation."""
    place, known = finding.place, [] if finding.file is None else [f"file={_property(finding.file)}"]
    if place is not None:
        known += [f"line={place.line}", f"col={place.column}", f"endColumn={place.column + place.width}"]
    known.append(f"title={_property(f'xgen: {finding.kind}')}")
    said = [finding.message, *(f"{each.file}:{each.line}: {sentence}" for sentence, each in finding.notes)]
    said += [finding.hint] if finding.hint else []
    yield f"::error {','.join(known)}::{_data(chr(10).join(said))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_FORMS: dict[str, Callable[[Finding], Iterator[str]]] = {"gcc": _gcc, "github": _github}
