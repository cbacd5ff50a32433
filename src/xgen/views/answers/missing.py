"""What a race lacks, in words: where an order is missing, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath

from xgen.analyses.orders import ORDERS
from xgen.errors import Position, excerpt
from xgen.executions.execution import Event, Execution, Violation
from xgen.executions.missing import Missing
from xgen.sources import CPP, RUST, C
from xgen.views.words import wrapped


def missing_lines(execution: Execution, violation: Violation, paint: Callable[[str, str], str]) -> list[str]:
    """Each place that lacks an order, with its line of the program, and whether the program is safe with them."""
    missing = violation.missing
    if missing is None:
        return []
    lines: list[str] = []
    for sentence, place in lacking(execution, violation):
        lines.append(paint(f"{place.text(execution.source)}: note: {sentence}", "unsure"))
        lines += excerpt(place.source or execution.source, place)
        lines += [f"  in {called}, called at {at.text(execution.source)}" for called, at in place.calls]
    events = {event.id: event for event in execution.events}
    lines += [line for said in _sentences(execution, missing, events) for line in wrapped(f"  {said}", "  ")]
    return lines


def lacking(execution: Execution, violation: Violation) -> list[tuple[str, Position]]:
    """Each place where an order is missing, with a sentence that says which."""
    missing, events, found = violation.missing, {event.id: event for event in execution.events}, []
    for name, order in missing.orders if missing is not None else ():
        event = events[name]
        assert missing is not None
        assert event.position is not None
        found.append(
            (f"{_role(execution, missing, event)}: {written(execution, order)} is missing here", event.position)
        )
    return found


_IN_RUST = {"acq_rel": "AcqRel", "seq_cst": "SeqCst"}


def written(execution: Execution, order: str) -> str:
    """An order as the program's text would say it."""
    suffix = PurePath(execution.source.name).suffix
    if suffix in CPP:
        return f"`std::memory_order_{order}`"
    if suffix in RUST:
        return f"`Ordering::{_IN_RUST.get(order, order.capitalize())}`"
    if suffix in (*C, ".litmus"):
        return f"`memory_order_{order}`"
    return f"`@ {order}`"


def _role(execution: Execution, missing: Missing, event: Event) -> str:
    """What an event that is too weak hands over, and to whom; or what it takes, and from whom."""
    events = {other.id: other for other in execution.events}
    place = missing.path.index(_on_path(execution, missing, event))
    own = next((word for word in ORDERS if word in event.tags), "")
    if event.kind == "W":
        to = events[missing.path[place + 1]]
        what = "update" if "rmw" in event.tags else "store"
        by = "has a fence after it has read" if to.kind == "F" else "reads"
        return f"{execution.threads[to.thread]} {by} this {own} {what}{_at(execution, event, to)}"
    since = events[missing.path[place - 1]]
    what = "update" if "rmw" in event.tags else "load"
    by = "has a fence before what" if since.kind == "F" else "stores what"
    return f"{execution.threads[since.thread]} {by} this {own} {what} reads{_at(execution, event, since)}"


def _on_path(execution: Execution, missing: Missing, event: Event) -> str:
    """The event's id on the way; of an update, that of its read or its write."""
    if event.id in missing.path:
        return event.id
    number = next(n for n, other in enumerate(execution.events) if other.id == event.id)
    partner = next(pair for pair in execution.rmw if number in pair)
    return next(execution.events[n].id for n in partner if execution.events[n].id in missing.path)


def _at(execution: Execution, here: Event, there: Event) -> str:
    """Where an event is, as seen from another one: its line, and its file if that is another."""
    if there.position is None or here.position is None:
        return ""
    return f" at {there.position.line_text(execution.source, here.position)}"


def _sentences(execution: Execution, missing: Missing, events: dict[str, Event]) -> Iterator[str]:
    """What the orders that are missing would do; where none are, why."""
    if missing.path:
        yield _with_these(execution, missing, events)
    else:
        yield "neither thread has read what the other wrote after its access: acquire and release cannot order the two"
    if missing.trial == "acq_rel":
        yield "acquire and release do not help, not even everywhere (checked); seq_cst does"
    elif missing.trial == "seq_cst":
        yield "no order helps, not even seq_cst everywhere (checked): what races has to be atomic, or behind a lock"


def _with_these(execution: Execution, missing: Missing, events: dict[str, Event]) -> str:
    first, last = (events[name].position for name in (missing.path[0], missing.path[-1]))
    assert first is not None
    assert last is not None
    one, other = first.line_text(execution.source, last), last.line_text(execution.source, first)
    these = "this order" if len(missing.orders) == 1 else "these orders"
    happens = f"with {these}, {one} would happen before {other}"
    if missing.trial == "safe":
        return f"{happens}; the program is safe then (checked)"
    if missing.trial == "safe-within-bound":
        return f"{happens}; the program is safe within the bound then (checked)"
    return happens + (f", but that is not enough: {missing.left} (checked)" if missing.left else "")
