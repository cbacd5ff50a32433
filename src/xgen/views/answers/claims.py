"""What came of claims, as text for people, as JSON, and as findings."""

from __future__ import annotations

from typing import Any

from xgen.analyses.claims.files import Claims
from xgen.analyses.claims.run import Checked, FileChecked
from xgen.records import replace
from xgen.resources import short
from xgen.version import __version__
from xgen.views.answers.json import document, failure_to_dict
from xgen.views.findings import Finding, Region, of_error, of_violation
from xgen.views.words import duration, plural

CLAIM = "claim"
"""The kind of what is wrong if a claim is not kept."""
MARKS = {True: ".", False: "F", None: "?"}


def row(file: FileChecked) -> str:
    """A file's line: a mark for each claim, `.` kept, `F` not, `?` no time; `E` for what cannot be read."""
    marks = "".join(MARKS[checked.kept] for checked in file.checked)
    return f"{short(file.file)}  {marks}{'E' * (len(file.errors) + len(file.mistakes))}"


def summary(claims: Claims) -> str:
    """How many claims there are, and what came of them."""
    errors = sum(len(file.errors) + len(file.mistakes) for file in claims.files)
    silent = sum(file.silent for file in claims.files)
    told = [
        plural(len(claims.checked), "claim"),
        f"{len(claims.broken)} not kept",
        f"{claims.late} without an answer" if claims.late else "",
        plural(errors, "error") if errors else "",
        f"{plural(silent, 'file')} claim{'s' * (silent == 1)} nothing",
        duration(claims.seconds),
    ]
    return ("interrupted: " if claims.stopped else "") + ", ".join(filter(None, told))


def findings(file: FileChecked, errors: bool = True) -> list[Finding]:
    """What a file says that is not so; and, unless `errors` is False, what cannot be read."""
    found = [_broken(file.file, checked) for checked in file.checked if checked.kept is False]
    return found + [finding for error in file.errors if errors for finding in of_error(error)]


def _broken(file: str, checked: Checked) -> Finding:
    """A claim that is not kept: at the place where it goes wrong, if it does, else at the claim."""
    position, claim = checked.claim.position, checked.claim
    model = f"{claim.model}: " if claim.model else ""
    place = Region(short(file), position.line, position.column, position.width, claim.said)
    shown = f"`{claim.command}` shows it"
    if checked.witness is None:
        message = f"{model}{checked.found}; the file says {_said(checked)}"
        return Finding(CLAIM, message, place, place.file, notes=((shown, place),))
    found = of_violation(checked.witness, 0, claim.model or "")
    return replace(
        found,
        message=f"{model}{checked.witness.violations[0].message}; the file says {_said(checked)}",
        notes=((f"the claim; {shown}", place), *found.notes),
    )


def _said(checked: Checked) -> str:
    """What is claimed, without the models that it is claimed of."""
    claim = checked.claim
    value = claim.said.partition(": ")[2]
    return (
        f"that there is {value}" if claim.kind == "allows" else f"never {value}" if claim.kind == "forbids" else value
    )


def _shown(file: str, checked: Checked) -> dict[str, Any]:
    """Of what kind it is, where, and what shows it."""
    found = _broken(file, checked)
    place = found.place and {"file": found.place.file, "line": found.place.line, "column": found.place.column}
    return {"kind": found.kind, "message": found.message, "place": place, "command": checked.claim.command}


def told(file: str, checked: Checked) -> str:
    """The same in one sentence, for reports that have no places."""
    found = _broken(file, checked)
    place = "" if found.place is None else f"{found.place.file}:{found.place.line}: "
    return f"{place}{found.message} [{found.kind}]; `{checked.claim.command}` shows it"


def render_json(claims: Claims) -> str:
    """The document for scripts."""
    broken = [
        {
            "file": short(file),
            "line": checked.claim.position.line,
            "claim": checked.claim.said,
            "found": checked.found,
            **_shown(file, checked),
        }
        for file, checked in claims.broken
    ]
    values: dict[str, Any] = {
        "xgen": __version__,
        "verdict": claims.verdict,
        "files": len(claims.files),
        "silent": sum(file.silent for file in claims.files),
        "claims": len(claims.checked),
        "late": claims.late,
        "broken": broken,
        "errors": [failure_to_dict(error) for file in claims.files for error in file.errors],
        "mistakes": [mistake for file in claims.files for mistake in file.mistakes],
        "seconds": round(claims.seconds, 6),
    }
    return document(values)
