"""What boxes say of events, and what stands below a thread's last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import PurePath
from textwrap import wrap

from xgen.errors import Position
from xgen.executions.execution import PASSED, Event, Execution
from xgen.records import dataclass
from xgen.tags import told
from xgen.views.answers.witness import lines_of, thread_end, threads_of
from xgen.views.drawing.picture import Item
from xgen.views.words import one_line, plural

STATEMENT = 40
"""Statements are cut to so many characters."""

MESSAGE = 40
"""What violations say is in lines of so many characters."""

SHORT = {
    "acquire": "acq", "release": "rel", "acq_rel": "ar", "seq_cst": "sc", "relaxed": "rlx", "consume": "con",
}  # fmt: skip
"""Names of orderings on chips."""
CHIPS = 3
LEADS, WRONG = "leads here", "wrong"
"""The chips of reads on which it depends that a thread comes to a violation."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands below a thread's last event: a violation, or that the thread did not finish."""

    id: str
    text: str
    small: str = ""
    violation: bool = False
    line: int = 0
    other: int = 0


def event_text(event: Event) -> str:
    """A box's first line: what the event does, without its orderings and tags."""
    if event.kind == "F":
        return forking(event) or ("F" if event.object is None else event.label)
    return event.body


def forking(event: Event) -> str:
    """`start` or `join`, of what is one and no fence, or that a barrier is passed; "" of others."""
    if "meet" in event.tags:
        return PASSED
    return next((tag for tag in ("start", "join") if event.kind == "F" and tag in event.tags), "")


def chips_of(tags: Collection[str]) -> tuple[str, ...]:
    """Orderings and tags as they stand behind the first line: three at most, else two and how many more there are."""
    names = [SHORT.get(tag, tag) for tag in told(tags) if tag != "rmw"]  # the text of an update says that it is one
    return tuple(names) if len(names) <= CHIPS else (*names[: CHIPS - 1], f"+{len(names) - CHIPS + 1}")


def deciding(execution: Execution) -> dict[int, str]:
    """The chips of the reads on which a violation depends, by their numbers.

    Those that have decided before that the thread does something, as a branch on a flag does, lead there. If one alone
    is left in its thread, its value is what is refuted: it is wrong. Of several nobody can say which.
    """
    events = execution.events
    before = {a for a, b in execution.ctrl if events[a].thread == events[b].thread}
    last = Counter(events[n].thread for n in execution.decided if n not in before)
    return {n: WRONG if n not in before and last[events[n].thread] == 1 else LEADS for n in execution.decided}


def ending(execution: Execution, thread: int) -> list[Item]:
    """What stands below a thread's last event: violations, how many `more` events are not shown, and how it ended.

    What is of kind "end" is a chip of the last event if it can.
    """
    found = []
    for mark in marks(execution, thread):
        kind = "violation" if mark.violation else "more" if mark.id.endswith(":hidden") else "end"
        text, *more = wrap(mark.text, MESSAGE) if mark.violation else [mark.text]
        found.append(
            Item(mark.id, kind, text, (), mark.small, mark.line, mark.text, -1, more=tuple(more), other=mark.other)
        )
    return found


def statement(execution: Execution, event: Event) -> str:
    """The line of an event's statement and the statement; "" for initial writes."""
    return _at(execution, event.position, event.text)


def _at(execution: Execution, position: Position | None, text: str) -> str:
    """A line and what stands there, which nobody knows where the file is not here, as those of a library."""
    return ": ".join(filter(None, [execution.line(position) if position else "", one_line(text, STATEMENT)]))


def lines_at(execution: Execution, position: Position | None) -> tuple[int, int]:
    """The line of the program's own text, which pages show beside the drawing, or the one of another file; 0: none."""
    if position is None:
        return 0, 0
    own = (position.source or execution.source).name == execution.source.name
    return (position.line, 0) if own else (0, position.line)


def program_name(execution: Execution) -> str:
    """The name of the program's file without its folders."""
    return PurePath(execution.source.name).name


def remarks(execution: Execution) -> tuple[str, str]:
    """What the title says after the name: the violation, and how many events are not shown; "" where there is none."""
    fault = ""
    if execution.violations:
        violation = execution.violations[0]
        fault = f"{violation.message}, {lines_of(execution, violation)}"
    hidden = sum(execution.hidden)
    return fault, f"({plural(hidden, 'event')} not shown)" if hidden else ""


def marks(execution: Execution, thread: int) -> list[Mark]:
    """What stands below a thread's last event, from top to bottom."""
    found = []
    for number, violation in enumerate(v for v in execution.violations if thread in threads_of(execution, v)):
        source = _at(execution, violation.position, violation.text)
        place: Position | None = violation.position
        for event in execution.parties(violation):
            if event.thread == thread:
                source, place = statement(execution, event), event.position
        lines = lines_at(execution, place)
        found.append(Mark(f"{thread}:violation{number or ''}", violation.message, source, True, *lines))
    end = thread_end(execution, thread)
    if end:
        name = "hidden" if execution.hidden and execution.hidden[thread] else execution.ends[thread]
        found.append(Mark(f"{thread}:{name}", end))
    return found
