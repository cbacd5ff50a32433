"""A result as JSON for scripts; what each key means is part of the interface and does not change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from xgen.errors import ErrorKind, Position, Source, XgenError
from xgen.executions.execution import INITIAL, Event, Execution, Pairs, Violation
from xgen.executions.missing import Missing
from xgen.executions.result import Outcome, Result
from xgen.executions.waiting import why_it_waits
from xgen.records import replace
from xgen.resources import short
from xgen.version import __version__
from xgen.views.answers.adequacy.coverage import coverage_to_dict
from xgen.views.answers.adequacy.weakened import weakened_to_list
from xgen.views.answers.beside.satisfiability import satisfiability_to_dict


def render(result: Result) -> str:
    """The result as one JSON document, a line per key; without a newline at its end."""
    return "".join(pieces(result))


def pieces(result: Result) -> Iterator[str]:
    """The same text piece by piece, for outcomes that there is no memory for at one time."""
    for number, (key, value) in enumerate(result_to_dict(replace(result, outcomes=())).items()):
        yield f"{',' if number else '{'}\n {json.dumps(key)}: "
        if key != "outcomes":
            yield json.dumps(value)
            continue
        yield "["
        for place, outcome in enumerate(result.outcomes):
            yield (", " if place else "") + json.dumps(_outcome(result, outcome))
        yield "]"
    yield "\n}"


def document(values: dict[str, Any]) -> str:
    """Values as one JSON document, a line per key; without a newline at its end."""
    lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def failure(kind: ErrorKind, error: XgenError | str) -> str:
    """The document where there is no answer: a text that cannot be read, wrong options, a limit, or our mistake."""
    return document({"xgen": __version__, "error": error_to_dict(kind, error)})


def error_to_dict(kind: ErrorKind, error: XgenError | str) -> dict[str, Any]:
    """What kept one from an answer, and of what kind that is."""
    return {"kind": kind, **failure_to_dict(XgenError(error) if isinstance(error, str) else error)}


def failure_to_dict(error: XgenError) -> dict[str, Any]:
    """What is wrong with an input, and where, as far as it has a place."""
    places = [
        {"message": sentence, "file": short(source.name), "line": position.line, "column": position.column}
        for sentence, position, source in error.places()
    ]
    return {
        "message": error.message,
        "hint": error.hint,
        "file": None if error.file is None else short(error.file),
        "line": error.line,
        "column": error.column,
        "width": None if error.position is None else error.position.width,
        "related": places,
        "others": [failure_to_dict(other) for other in error.others],
    }


def result_to_dict(result: Result) -> dict[str, Any]:
    """The result as plain values: the document before it is written. Numbers of executions are exact, or null."""

    def exact(number: int) -> int | None:
        return number if result.counted else None

    return {
        "xgen": __version__,
        "program": PurePath(result.program).name,
        "model": result.model,
        "map": result.map,
        "thin_air": "not-built" if result.thin_air else None,
        "verdict": ("safe-within-bound" if result.cut else "safe") if result.vacuous else result.verdict,
        "exhaustive": result.exhaustive,
        "certified": result.certified,
        "demoted": list(result.demoted),
        "demoted_because": dict(result.demoted),
        "max_depth": result.max_depth,
        "all_states": result.all_states,
        "liveness": result.liveness,
        "schedule": result.schedule if result.liveness else None,
        "filter": result.filter,
        "stopped": result.stopped,
        "executions": exact(result.executions),
        "but_for_names": result.but_for_names,
        "vacuous": result.vacuous,
        "blocked": exact(result.blocked),
        "stuck": exact(result.stuck),
        "stuck_at": list(result.waits),
        "left_out": list(result.left_out),
        "bounded": exact(result.bounded),
        "violations": exact(result.violations),
        "classes": _classes(result),
        "cones": None if result.cones is None else list(result.cones),
        "explored": result.explored,
        "revisits_tried": result.revisits_tried,
        "revisits": result.revisits,
        "dead_ends": result.dead_ends,
        "load_buffering": result.load_buffering,
        "held": result.held,
        "duplicates": result.duplicates,
        "duplicates_checked": result.duplicates_checked,
        "outcomes_complete": result.outcomes_complete,
        "outcomes": [_outcome(result, outcome) for outcome in result.outcomes],
        "flags": list(result.flags),
        "flag_counts": {name: exact(number) for name, number in result.flags.items()},
        "witness": execution_to_dict(result.witness) if result.witness else None,
        "warnings": list(result.warnings),
        "lost_parts": list(result.lost_parts),
        "run": None if result.run is None else dict(result.run),
        "engine": "graphs" if result.sat is None else "sat",
        **satisfiability_to_dict(result.sat),
        "sample": None if result.sample is None else asdict(result.sample),
        "seconds": round(result.seconds, 6),
        "peak_kib": result.peak_kib,
        "headers": result.headers,
        "answer": None if result.answer is None else result.answer.says,
        "property": None if result.answer is None else result.answer.about,
        "expected": None if result.answer is None else result.answer.expected,
        "weakened": None if result.weakened is None else weakened_to_list(result.weakened),
        "set": dict(result.constants),
        "accepted": [asdict(each) for each in result.accepted],
        "coverage": None if result.coverage is None else coverage_to_dict(result.coverage),
    }


def _outcome(result: Result, outcome: Outcome) -> dict[str, Any]:
    known = result.counted
    return {
        "state": outcome.state,
        "count": outcome.count if known else None,
        "violations": outcome.violations if known else None,
    }


def _classes(result: Result) -> dict[str, Any] | None:
    """The classes that were explored, if they were."""
    if result.partition == "off":
        return None
    names = {"count": "classes", "orbits": "orbits", "refused": "refused", "lost": "lost", "components": "components"}
    return {"partition": result.partition} | {key: getattr(result, name) for key, name in names.items()}


def execution_to_dict(execution: Execution) -> dict[str, Any]:
    """An execution: events by id, immediate po and mo, rf, how each thread ended, its errors and their cause.

    `error` is the first of `errors`.
    """
    return {
        "threads": list(execution.threads),
        "events": [_event(execution, event) for event in execution.events],
        "po": _pairs(execution, execution.po),
        "rf": _pairs(execution, execution.rf),
        "mo": _pairs(execution, execution.mo_edges),
        "fr": _pairs(execution, execution.fr),
        "ends": list(execution.ends),
        "state": execution.state,
        "error": _error(execution, execution.violations[0]) if execution.violations else None,
        "errors": [_error(execution, violation) for violation in execution.violations],
        "cause": [execution.events[number].id for number in sorted(execution.cause)],
        **({"waits": list(map(_round, execution.waits))} if execution.waits else {}),
    }


def _round(round_: range | None) -> list[int] | None:
    """The last round of a thread that waits for ever: the index of its first event, and the one behind its last."""
    return None if round_ is None else [round_.start, round_.stop]


def _event(execution: Execution, event: Event) -> dict[str, Any]:
    position = event.position
    return {
        "id": event.id,
        "thread": "init" if event.thread == INITIAL else execution.threads[event.thread],
        "kind": event.kind,
        "location": event.variable,
        "value": event.value,
        "tags": sorted(event.tags),
        "source": {"line": position.line, "column": position.column, **_place(position)} if position else None,
        "text": event.text,
        "step": event.step,
    }


def _error(execution: Execution, violation: Violation) -> dict[str, Any]:
    details: dict[str, Any] = {"events": list(violation.events), "hint": violation.hint} if violation.events else {}
    if violation.missing is not None:
        details |= missing_to_dict(violation.missing)
    if violation.kind == "await":
        details = {"threads": [_waiting(execution, v) for v in execution.violations if v.kind == "await"]}
    return {
        "thread": execution.threads[violation.thread],
        "location": violation.location,
        "line": violation.position.line,
        "column": violation.position.column,
        **_place(violation.position),
        "kind": violation.kind,
        "message": violation.message,
        "text": violation.text,
        **details,
    }


def missing_to_dict(missing: Missing) -> dict[str, Any]:
    """What a race lacks: `missing` orders by event, the way on which they are missing, and what they would do."""
    return {
        "missing": [{"event": event, "order": order} for event, order in missing.orders],
        "path": list(missing.path),
        "with_missing": missing.trial,
        "left": missing.left,
    }


def _place(position: Position) -> dict[str, Any]:
    """The file, and the calls that lead there, where these are not the program's own file and nothing."""
    if position.source is None:
        return {}
    calls = [{"function": name, "at": place.text(position.source)} for name, place in position.calls]
    return {"file": short(position.source.name), **({"calls": calls} if calls else {})}


def _waiting(execution: Execution, violation: Violation) -> dict[str, Any]:
    """A thread that waits for ever, and what it reads in each round."""
    reads = [event.id for event in execution.round_of(violation.thread) if event.kind == "R"]
    return {
        "thread": execution.threads[violation.thread],
        "line": violation.position.line,
        "reads": reads,
        "message": violation.message,
        "reason": why_it_waits(execution, violation.thread) or None,
    }


def _pairs(execution: Execution, pairs: Iterable[tuple[int, int]]) -> list[list[str]]:
    return [[execution.events[a].id, execution.events[b].id] for a, b in pairs]


def execution_from_dict(document: Any, name: str) -> Execution:
    """The execution that `execution_to_dict` wrote, without the program's text; `name` is the program's.

    Raises KeyError, TypeError, ValueError, IndexError or AttributeError where the document is not one of ours.
    """
    threads = tuple(map(str, document["threads"]))
    events = tuple(_event_from_dict(threads, event) for event in document["events"])
    place = {event.id: number for number, event in enumerate(events)}
    if len(place) < len(events) or len(document["ends"]) != len(threads):
        raise ValueError
    followers = dict(_places(place, document["mo"]))
    writes = [n for n, event in enumerate(events) if event.kind == "W"]
    orders = [[n] for n in writes if n not in followers.values()]
    for order in orders:
        while order[-1] in followers:
            if len(order) > len(writes):
                raise ValueError  # it comes back to where it was
            order.append(followers[order[-1]])
    first = document["error"]
    errors = document.get("errors", [first] if first else [])  # xgen 0.2 wrote the first one only
    return Execution(
        threads=threads,
        events=events,
        rf=_places(place, document["rf"]),
        mo=tuple(map(tuple, orders)),
        ends=tuple(map(str, document["ends"])),
        state=dict(document["state"]),
        violations=tuple(_violation_from_dict(threads, error) for error in errors),
        source=Source(name, ""),
        waits=tuple(round_ and range(int(round_[0]), int(round_[1])) for round_ in document.get("waits", ())),
    )


def _violation_from_dict(threads: tuple[str, ...], error: Any) -> Violation:
    violation = Violation(
        error["kind"],
        threads.index(error["thread"]),
        Position(int(error["line"]), int(error["column"])),
        str(error["text"]),
        error["location"],
        tuple(map(str, error.get("events", ()))),
        error.get("hint"),
    )
    if not violation.message:  # which its kind says
        raise ValueError
    return violation


def _event_from_dict(threads: tuple[str, ...], event: Any) -> Event:
    place = event["source"]
    initial = event["thread"] == "init" and event["id"].startswith("init:")
    if event["kind"] not in ("R", "W", "F"):
        raise ValueError
    return Event(
        thread=INITIAL if initial else threads.index(event["thread"]),
        index=0 if initial else int(event["id"].partition(":")[2]),
        kind=event["kind"],
        variable=None if event["location"] is None else str(event["location"]),
        value=event["value"],
        tags=frozenset(map(str, event["tags"])),
        position=Position(int(place["line"]), int(place["column"])) if place else None,
        text=str(event["text"]),
        step=int(event["step"]),
    )


def _places(place: dict[str, int], pairs: Any) -> Pairs:
    return tuple((place[a], place[b]) for a, b in pairs)
