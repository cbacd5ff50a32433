"""What every picture of an execution shows, however it is drawn: edges, initial writes, titles, how threads ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from xgen.executions.execution import INITIAL, Event, Execution
from xgen.views.witness import lines_of, thread_end, threads_of
from xgen.views.words import one_line, plural

STATEMENT = 40
"""Statements are cut to so many characters."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands below a thread's last event: a violation, or that the thread did not finish."""

    id: str
    text: str
    small: str = ""
    violation: bool = False


def drawn_edges(execution: Execution) -> Iterator[tuple[str, int, int]]:
    """The edges of rf, mo and fr that say something, and those between events that race.

    That the only write of a variable comes after the initial one does not.
    """
    trivial = {order[0] for order in execution.mo if len(order) == 2}
    for relation, a, b in execution.edges():
        if relation != "po" and not (relation == "mo" and a in trivial):
            yield relation, a, b
    for a, b in execution.races:
        yield "data-race", a, b


def shown_initial(execution: Execution, edges: Iterable[tuple[str, int, int]]) -> list[int]:
    """The initial writes that some edge touches; the others say nothing about this execution."""
    touched = {number for _, a, b in edges for number in (a, b)}
    return [n for n, event in enumerate(execution.events) if event.thread == INITIAL and n in touched]


def statement(event: Event) -> str:
    """The line of an event's statement and the statement; "" for initial writes."""
    line = f"{event.position.line}: " if event.position else ""
    return line + one_line(event.text, STATEMENT)


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
        source = f"{violation.position.line}: {one_line(violation.text, STATEMENT)}"
        for event in execution.parties(violation):
            source = statement(event) if event.thread == thread else source
        found.append(Mark(f"{thread}:violation{number or ''}", violation.message, source, True))
    end = thread_end(execution, thread)
    if end:
        name = "hidden" if execution.hidden and execution.hidden[thread] else execution.ends[thread]
        found.append(Mark(f"{thread}:{name}", end))
    return found
