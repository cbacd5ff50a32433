"""What a check says of a program on every machine: a row for each, one line for all, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from xgen.errors import XgenError, kind_of, listed
from xgen.executions.result import Result
from xgen.records import dataclass
from xgen.tags import MACHINES
from xgen.version import __version__
from xgen.views.answers.json import document, error_to_dict, result_to_dict
from xgen.views.findings import of_result
from xgen.views.words import duration, plural

Verdict = Literal["violation", "interrupted", "safe-within-bound", "safe"]
SAID: dict[Verdict, str] = {
    "violation": "violation",
    "interrupted": "no answer",
    "safe-within-bound": "safe within the bound",
    "safe": "safe",
}
"""Verdicts in words; of several machines, the first one counts that any of them has."""
WIDTHS = tuple(max(map(len, words)) + 2 for words in (MACHINES, MACHINES.values()))
"""Of the names of machines and of their models."""


@dataclass(frozen=True)
class OnMachine:
    """What was found on a machine, or why the program cannot be read for it."""

    machine: str
    found: Result | XgenError

    @property
    def verdict(self) -> Verdict:
        """What counts in the verdict of all: no answer is "interrupted", as in JSON."""
        found = self.found
        if isinstance(found, XgenError) or found.verdict == "interrupted" or found.vacuous:
            return "interrupted"
        if found.verdict == "violation":
            return "violation"
        return "safe-within-bound" if found.cut or found.left_out else "safe"


def verdict(answers: Sequence[OnMachine]) -> Verdict:
    """That of all: a violation on any, else no answer on any, else safe, at least within the bound."""
    found = {answer.verdict for answer in answers}
    return next(one for one in SAID if one in found)


def row(answer: OnMachine) -> str:
    """`armv8  arm8  violation: data race on x at a.c:3:1, 2 executions`."""
    name = answer.machine.ljust(WIDTHS[0]) + MACHINES[answer.machine].ljust(WIDTHS[1])
    return f"{name}{_said(answer.found)}"


def _said(found: Result | XgenError) -> str:
    if isinstance(found, XgenError):
        return f"{'no answer' if kind_of(found) == 'limit' else 'refused'}: {found.message}"
    if found.witness is not None and found.verdict == "violation":
        violation = found.witness.violations[:1]
        what = f": {violation[0].message} at {found.witness.where(violation[0])}" if violation else ""
        return f"violation{what}"
    number = f", {plural(found.executions, 'execution')}" if found.counted and found.partition == "off" else ""
    if found.stopped is not None:
        return f"no answer: {'stopped by the time limit' if found.stopped == 'timeout' else 'interrupted'}{number}"
    if found.vacuous:
        return "no answer: no execution completes"
    waiting = f", threads wait for ever in {plural(found.stuck, 'execution')}" if found.stuck else ""
    if found.left_out:
        waiting += f", rounds of {listed(found.left_out, 'and')} were left out"
    return f"{SAID['safe-within-bound' if found.cut else 'safe']}{number}{waiting}"


def summary(answers: Sequence[OnMachine], seconds: float) -> str:
    """All of it in one line: on which machines it goes wrong, of which nobody knows, and how long it took."""
    if verdict(answers) == "safe":
        return f"safe on all {len(answers)} machines ({duration(seconds)})"
    groups = ((said, [answer.machine for answer in answers if answer.verdict == one]) for one, said in SAID.items())
    parts = (f"{said} on {listed(machines, 'and')}" for said, machines in groups if machines)
    return f"{'; '.join(parts)} ({duration(seconds)})"


def render_json(program: str, answers: Sequence[OnMachine], seconds: float) -> str:
    """The document for scripts."""
    values: dict[str, Any] = {
        "xgen": __version__,
        "program": program,
        "verdict": verdict(answers),
        "machines": [_row_of_json(answer) for answer in answers],
        "seconds": round(seconds, 6),
    }
    return document(values)


def _row_of_json(answer: OnMachine) -> dict[str, Any]:
    if isinstance(answer.found, XgenError):
        error = error_to_dict(kind_of(answer.found), answer.found)
        return {"on": answer.machine, "model": MACHINES[answer.machine], "verdict": "interrupted", "error": error}
    return {"on": answer.machine, **result_to_dict(answer.found)}


def to_sarif(program: str, answers: Sequence[OnMachine]) -> str:
    """What goes wrong on each machine, as SARIF; a violation of several machines is one finding for each."""
    from xgen.views import sarif  # rarely wanted

    results = [answer.found for answer in answers if not isinstance(answer.found, XgenError)]
    found = [finding for result in results for finding in of_result(result)]
    whole = verdict(answers)
    facts = {"program": program, "verdict": whole, "machines": {answer.machine: answer.verdict for answer in answers}}
    return sarif.of_findings(found, f"xgen/all/{program}", successful=whole != "interrupted", properties=facts)
