"""What is wrong as SARIF 2.1.0 (OASIS), for what shows the findings of tools: GitHub, editors, and others.

A result is a violation. Its thread flows are the events that it rests on, one flow for each thread; `executionOrder`
says how these come one after the other in the execution. Its fingerprint is made of its kind, its file, what its line
says and the model, so that it is the same finding when lines are put before it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, get_args
from urllib.parse import quote

from xgen.errors import Position
from xgen.executions.execution import INITIAL, Event, Execution, Violation, ViolationKind
from xgen.executions.result import NOT_AS_REQUIRED, Result
from xgen.records import replace
from xgen.resources import short
from xgen.version import __version__
from xgen.views.findings import INPUT, UNMET, Finding, Region, region_of
from xgen.views.kinds import BY_NAME, PAGE

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
OTHER_RULES = {
    UNMET: NOT_AS_REQUIRED,
    INPUT: "what cannot be read as a program, a model or a claim",
    "claim": "what a file says of itself is not so",
}
Document = dict[str, Any]


def of_result(result: Result, findings: Sequence[Finding], program: str) -> str:
    """The document of a check, whose program is named as people read it."""
    prints = _Fingerprints(result.model)
    results = [_result(finding, prints) | _flows(result.witness, finding) for finding in findings]
    properties = {
        "program": program,
        "model": result.model,
        "verdict": result.verdict,
        "exhaustive": result.exhaustive,
        "executions": result.executions if result.counted else None,
    }
    return _document(
        results,
        category=f"xgen/{result.model}/{program}",
        properties=properties,
        warnings=result.warnings,
        successful=result.verdict != "interrupted",
    )


def of_findings(findings: Iterable[Finding], category: str, successful: bool, properties: Document) -> str:
    """A document of what is wrong with texts, or with what they claim."""
    prints = _Fingerprints("")
    results = [_result(finding, prints) for finding in findings]
    return _document(results, category=category, properties=properties, warnings=(), successful=successful)


def _document(
    results: list[Document], *, category: str, properties: Document, warnings: Sequence[str], successful: bool
) -> str:
    used = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = used.index(result["ruleId"])
    notes = [{"level": _level(text), "message": {"text": " ".join(text.split())}} for text in warnings]
    run = {
        "tool": {"driver": {"name": "xgen", "semanticVersion": __version__, "rules": [_rule(kind) for kind in used]}},
        "automationDetails": {"id": category},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": successful, "toolExecutionNotifications": notes}],
        "results": results,
        "properties": properties,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _level(warning: str) -> str:
    return "note" if warning.startswith("note:") else "warning"


def _rule(kind: str) -> Document:
    """A kind of finding. What its sentence says of one place stands for all of them."""
    kinds = get_args(ViolationKind)
    known = {
        name: Violation(name, 0, Position(1, 1), "", "..." if name != "assertion" else None).message for name in kinds
    }
    return {
        "id": kind,
        "name": "".join(word.capitalize() for word in kind.split("-")),
        "shortDescription": {"text": (known | OTHER_RULES)[kind]},
        "fullDescription": {"text": BY_NAME[kind].what},
        "help": {"text": f"{BY_NAME[kind].do} (`xgen kinds {kind}`; {PAGE}#{kind})"},
        "defaultConfiguration": {"level": "error"},
    }


class _Fingerprints:
    """What findings are known by: the same ones of the same lines are told apart by their number."""

    def __init__(self, model: str) -> None:
        self._model, self._seen = model, Counter[str]()

    def of(self, finding: Finding) -> str:
        text = " ".join(finding.place.text.split()) if finding.place else finding.message
        parts = (finding.kind, finding.file or "", text, self._model)
        made = sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
        self._seen[made] += 1
        return f"{made}:{self._seen[made]}"


def _result(finding: Finding, prints: _Fingerprints) -> Document:
    text = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    found: Document = {
        "ruleId": finding.kind,
        "level": "error",
        "kind": "fail",
        "message": {"text": text},
        "partialFingerprints": {"primaryLocationLineHash": prints.of(finding)},
    }
    if finding.file is not None:
        found["locations"] = [_location(finding.file, finding.place)]
    if finding.notes:
        found["relatedLocations"] = [
            {"id": number, **_location(place.file, place), "message": {"text": sentence}}
            for number, (sentence, place) in enumerate(finding.notes)
        ]
    if finding.calls:
        frames = [
            {"location": {**_location(at.file, at), "message": {"text": f"in {name}, called here"}}}
            for name, at in finding.calls
        ]
        found["stacks"] = [{"message": {"text": "the calls that lead there"}, "frames": frames}]
    return found


def _location(file: str, place: Region | None) -> Document:
    physical: Document = {"artifactLocation": {"uri": uri(file)}}
    if place is not None:
        column = max(1, place.column)
        region = {"startLine": place.line, "startColumn": column, "endColumn": column + max(1, place.width)}
        physical["region"] = region
    return {"physicalLocation": physical}


def uri(file: str) -> str:
    """A file as SARIF names it: relative to where xgen runs, or with its whole path."""
    return Path(file).as_uri() if PurePath(file).is_absolute() else quote(file)


def _flows(execution: Execution | None, finding: Finding) -> Document:
    """The events that a violation rests on, a flow for each thread; nothing where there are none."""
    if execution is None or finding.number is None:
        return {}
    violation = execution.violations[finding.number]
    cause = replace(execution, violations=(violation,)).cause
    numbers = sorted(
        (n for n in cause if execution.events[n].thread != INITIAL and execution.events[n].position is not None),
        key=lambda n: execution.events[n].step,
    )
    order = {number: place for place, number in enumerate(numbers, 1)}
    origin = {read: write for write, read in execution.rf}
    flows = []
    for thread, name in enumerate(execution.threads):
        own = [n for n in numbers if execution.events[n].thread == thread]
        if own:
            steps = [_step(execution, n, order[n], origin.get(n), violation) for n in own]
            flows.append({"id": name, "message": {"text": f"thread {name}"}, "locations": steps})
    if not flows:
        return {}
    return {"codeFlows": [{"message": {"text": "an execution that the model allows"}, "threadFlows": flows}]}


def _step(execution: Execution, number: int, order: int, origin: int | None, violation: Violation) -> Document:
    event = execution.events[number]
    assert event.position is not None
    place = region_of(event.position, execution.source)
    read = "" if origin is None else f", reads from {_named(execution, execution.events[origin])}"
    return {
        "location": {**_location(place.file, place), "message": {"text": f"{event.label}{read}"}},
        "executionOrder": order,
        "importance": "essential" if event.id in violation.events else "important",
        "nestingLevel": len(event.position.calls),
    }


def _named(execution: Execution, event: Event) -> str:
    """A write, as the step of a read says where it reads from."""
    if event.thread == INITIAL:
        return "the initial value"
    thread = execution.threads[event.thread]
    if event.position is None:
        return thread
    own = execution.source if event.position.source is None else event.position.source
    return f"{thread}, {short(own.name)}:{event.position.line}"
