"""What boxes say of events, and what stands below a thread's last one."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePath
from textwrap import wrap

from xgen.errors import Position
from xgen.executions.execution import Event, Execution
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


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands below a thread's last event: a violation, or that the thread did not finish."""

    id: str
    text: str
    small: str = ""
    violation: bool = False
    line: int = 0


def event_text(event: Event) -> str:
    """A box's first line: what the event does, without its orderings and tags."""
    if event.kind == "F":
        return "F" if event.object is None else event.label
    return event.body


def chips_of(tags: Collection[str]) -> tuple[str, ...]:
    """Orderings and tags as they stand behind the first line: three at most, else two and how many more there are."""
    names = [SHORT.get(tag, tag) for tag in told(tags) if tag != "rmw"]  # the text of an update says that it is one
    return tuple(names) if len(names) <= CHIPS else (*names[: CHIPS - 1], f"+{len(names) - CHIPS + 1}")


def ending(execution: Execution, thread: int) -> list[Item]:
    """What stands below a thread's last event: violations; of kind "end", what is a chip of that event if it can."""
    found = []
    for mark in marks(execution, thread):
        kind = "violation" if mark.violation else "end"
        text, *more = wrap(mark.text, MESSAGE) if mark.violation else [mark.text]
        found.append(Item(mark.id, kind, text, (), mark.small, mark.line, mark.text, -1, more=tuple(more)))
    return found


def statement(execution: Execution, event: Event) -> str:
    """The line of an event's statement and the statement; "" for initial writes."""
    line = f"{execution.line(event.position)}: " if event.position else ""
    return line + one_line(event.text, STATEMENT)


def own_line(execution: Execution, position: Position | None) -> int:
    """The line of the program's own text, which pages show beside the drawing; 0 where there is none."""
    own = position is not None and (position.source or execution.source).name == execution.source.name
    return position.line if position is not None and own else 0


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
        source = f"{execution.line(violation.position)}: {one_line(violation.text, STATEMENT)}"
        place: Position | None = violation.position
        for event in execution.parties(violation):
            if event.thread == thread:
                source, place = statement(execution, event), event.position
        line = own_line(execution, place)
        found.append(Mark(f"{thread}:violation{number or ''}", violation.message, source, True, line))
    end = thread_end(execution, thread)
    if end:
        name = "hidden" if execution.hidden and execution.hidden[thread] else execution.ends[thread]
        found.append(Mark(f"{thread}:{name}", end))
    return found
