"""An execution as text: a column per thread, a row per event, in the order in which the execution was built.

Every row says where its event stands in the program; every read says which write it reads from. After the rows: how
the threads ended, the modification order of variables with several writes, and the line of the violation. Threads of
which `Execution.only` has left nothing have no column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Set

from xgen.errors import Position, excerpt
from xgen.executions.execution import INITIAL, Event, Execution, Violation, show_value
from xgen.executions.waiting import why_it_waits
from xgen.views.answers.missing import missing_lines
from xgen.views.words import folded, one_line, plural, wrapped

MAX_WIDTH = 110
"""Wider rows go without the statement; thread columns wider than that become one column."""
STATEMENTS = 30
"""What statements may add."""
ENDS = {
    "blocked": "blocked",
    "bounded": "cut by a limit",
    "running": "still running",
    "unstarted": "not started",
    "not-begun": "has not begun",
    "stopped": "has stopped",
}
"""How the end of a thread that did not finish is called."""

IN_LIBRARY = " events in a library)"
"""How a row ends that stands for several events."""
Row = tuple[str, str, int, str, str]
"""Step, line, thread, what happens there, and the statement."""


def witness_lines(execution: Execution, paint: Callable[[str, str], str], *, full: bool = False) -> list[str]:
    """The execution, ready to be pasted into a report. What libraries do is one row where the program calls them, but
    for `full`."""
    rows = _aligned(_event_rows(execution, frozenset() if full else execution.inner) + _end_rows(execution))
    lines = [paint(f"execution: {_title(execution)}", "title"), *_layout(execution, rows, paint)]
    lines += _undefined(execution, paint)
    if any(execution.hidden):
        lines += ["", f"  {hidden_sentence(execution)}"]
    elif any(row[3].endswith(IN_LIBRARY) for row in rows):
        lines += ["", "  --full-witness shows each event in a library"]
    orders = _modification_orders(execution)
    if orders:
        lines += ["", *orders]
    origins = _origins(execution)
    if origins:
        lines += ["", *origins]
    values = _values(execution)
    if values:
        lines += ["", *folded("  values  ", values, ", ")]
    for violation in execution.violations:
        lines += ["", *violation_lines(execution, violation, paint)]
    return lines


def execution_to_text(execution: Execution) -> str:
    """The same without colours, as one text."""
    return "\n".join(witness_lines(execution, lambda text, _: text))


def threads_of(execution: Execution, violation: Violation) -> list[int]:
    """The threads that a violation is about: one, but for undefined behaviour, which can take several."""
    parties = [event.thread for event in execution.parties(violation) if event.thread != INITIAL]
    return list(dict.fromkeys(parties)) or [violation.thread]


def lines_of(execution: Execution, violation: Violation) -> str:
    """The lines of the program that a violation is about: `line 5`, `lines 5 and 10`, `a.c:5 and b.c:10`."""
    places = [e.position for e in execution.parties(violation) if e.position] or [violation.position]
    lines = list(dict.fromkeys(map(execution.line, places)))
    told = " and ".join(lines)
    return told if ":" in told else f"line{'s' * (len(lines) > 1)} {told}"


def other_places(execution: Execution, violation: Violation) -> list[tuple[str, Position]]:
    """The places of a violation's other events, each with what it is."""
    parties = execution.parties(violation)
    name = "the other access, in" if len(parties) == 2 else "and in"
    return [
        (f"{name} {execution.threads[event.thread] if event.thread != INITIAL else 'init'}", event.position)
        for event in parties
        if event.position is not None and (event.thread, event.position) != (violation.thread, violation.position)
    ]


def shown_threads(execution: Execution) -> list[int]:
    """The threads that have something to show: all of them, unless events were left out."""
    threads = range(len(execution.threads))
    if not any(execution.hidden):
        return list(threads)
    seen = {event.thread for event in execution.events}
    seen |= {thread for violation in execution.violations for thread in threads_of(execution, violation)}
    return [thread for thread in threads if thread in seen]


def hidden_sentence(execution: Execution) -> str:
    """How many events were left out, and how they can be seen."""
    count = sum(execution.hidden)
    if count == 1:
        return "1 more event is not part of the cause: --full-witness shows it"
    return f"{count} more events are not part of the cause: --full-witness shows them"


def thread_end(execution: Execution, thread: int) -> str | None:
    """How a thread that did not finish ended, as far as that is part of what is shown."""
    hidden = execution.hidden[thread] if execution.hidden else 0
    if hidden:
        stopped = f", and it {ENDS['stopped']}" if execution.ends[thread] == "stopped" else ""  # which is a part of why
        return plural(hidden, "more event") + stopped
    if any(violation.thread == thread and not violation.events for violation in execution.violations):
        return None  # a deadlock: what is said about it is better than that the thread is blocked
    return ENDS.get(execution.ends[thread])


def _title(execution: Execution) -> str:
    count = sum(event.thread != INITIAL for event in execution.events)
    threads = len(shown_threads(execution))
    return f"{plural(count, 'event')}, {plural(threads, 'thread')}"


def violation_lines(execution: Execution, violation: Violation, paint: Callable[[str, str], str]) -> list[str]:
    """What went wrong, with each place of the program that has a part in it, and what may be done."""
    source, first = execution.source, violation.position
    title = f"{first.text(source)}: error: {violation.message} in {execution.threads[violation.thread]}"
    places = [(f"{title} [{violation.kind}]", first)]
    places += [(f"{at.text(source)}: note: {sentence}", at) for sentence, at in other_places(execution, violation)]
    lines = []
    for title, position in places:
        lines += [paint(title, "bad"), *excerpt(position.source or source, position)]
        lines += [f"  in {name}, called at {place.text(source)}" for name, place in position.calls]
    hint = why_it_waits(execution, violation.thread) if violation.kind == "await" else violation.hint
    lines += wrapped(f"  {hint}", "  ") if hint else []
    return lines + missing_lines(execution, violation, paint)


def _event_rows(execution: Execution, inner: Set[int]) -> list[Row]:
    origin = {read: write for write, read in execution.rf}
    rows: list[Row] = []
    folded_here = 0
    for number, event in sorted(enumerate(execution.events), key=lambda pair: pair[1].step):
        if event.thread == INITIAL:
            continue
        text = event.label
        if number in origin and "hidden" not in event.tags:
            text += f"  from {_name(execution, origin[number])}"
        line = execution.line(event.position) if event.position else ""
        row = (str(event.step), line, event.thread, text, one_line(event.text))
        follows = folded_here and number in inner and rows[-1][1:3] == row[1:3]
        folded_here = folded_here + 1 if follows else int(number in inner)
        if follows:
            rows[-1] = (rows[-1][0], line, event.thread, f"({folded_here}{IN_LIBRARY}", row[4])
        else:
            rows.append(row)
    return rows


def _end_rows(execution: Execution) -> list[Row]:
    """How the threads stopped that did not end as they should: the violation last."""
    ends = [(thread, thread_end(execution, thread)) for thread in shown_threads(execution)]
    rows: list[Row] = [("", "", thread, f"({end})", "") for thread, end in ends if end]
    for violation in execution.violations:
        if not violation.events:
            line, text = execution.line(violation.position), f"** {violation.message} **"
            rows.append(("", line, violation.thread, text, one_line(violation.text)))
    return rows


def _undefined(execution: Execution, paint: Callable[[str, str], str]) -> list[str]:
    """What goes wrong between events, a line each: `** data race on x: p0 line 5, p1 line 10 **`."""
    lines = []
    for violation in execution.violations:
        places = [(e.thread, e.position) for e in execution.parties(violation) if e.position]
        places = places or [(violation.thread, violation.position)]
        told = ", ".join(f"{execution.threads[thread]} {execution.at(place)}" for thread, place in places)
        if violation.events:
            lines.append(paint(f"  ** {violation.message}: {told} **", "bad"))
    return lines


def _aligned(rows: list[Row]) -> list[Row]:
    """The rows, with the places right-aligned below a header."""
    width = max((len(line) for _, line, *_ in rows), default=4)
    return [(step, line.rjust(width), thread, text, statement) for step, line, thread, text, statement in rows]


def _layout(execution: Execution, rows: list[Row], paint: Callable[[str, str], str]) -> list[str]:
    """The rows under a header, as wide as their content needs."""
    threads = shown_threads(execution)
    names = [execution.threads[t] for t in threads]
    widths = [max([len(execution.threads[t]), *(len(row[3]) for row in rows if row[2] == t)]) for t in threads]
    if sum(widths) + 3 * len(widths) > MAX_WIDTH:
        return _narrow_layout(execution, rows, paint)
    statements = max((len(row[4]) for row in rows), default=0)
    wide = statements > 0 and sum(widths) + 3 * len(widths) + statements + 14 <= MAX_WIDTH + STATEMENTS
    header = [name.ljust(width) for name, width in zip(names, widths, strict=True)]
    lines = [paint(_row("step", _over(rows), [*header, "statement"] if wide else header), "dim")]
    for step, line, thread, text, statement in rows:
        cells = [(text if t == thread else "").ljust(width) for t, width in zip(threads, widths, strict=True)]
        row = _row(step, line, [*cells, statement] if wide else cells)
        lines.append(paint(row, "bad") if text.startswith("**") else row)
    return lines


def _narrow_layout(execution: Execution, rows: list[Row], paint: Callable[[str, str], str]) -> list[str]:
    """One column for all threads, each row led by its thread's name: for executions with many threads.

    Where names are so long that not even that fits, what happens is in a line below the thread's name.
    """
    name_width = max(len(name) for name in (*(execution.threads[t] for t in shown_threads(execution)), "thread"))
    text_width = max(len(row[3]) for row in rows)
    room = MAX_WIDTH + STATEMENTS - name_width - text_width - 20
    wide = room >= max(len(row[4]) for row in rows)
    heads = ["thread".ljust(name_width), "event".ljust(text_width), *(["statement"] if wide else [])]
    lines = [paint(_row("step", _over(rows), heads if room >= 0 else ["thread and event"]), "dim")]
    for step, line, thread, text, statement in rows:
        cells = [execution.threads[thread].ljust(name_width), text.ljust(text_width), *([statement] if wide else [])]
        row = _row(step, line, cells) if room >= 0 else _row(step, line, [execution.threads[thread]])
        below = [] if room >= 0 else wrapped(f"{' ' * 16}{text}", " " * 18)
        lines += [paint(part, "bad") if text.startswith("**") else part for part in (row, *below)]
    return lines


def _over(rows: list[Row]) -> str:
    """The header of the places."""
    return "line".rjust(len(rows[0][1]) if rows else 0)


def _row(step: str, line: str, cells: list[str]) -> str:
    return f"  {step:>4}  {line:>4}  {'   '.join(cells)}".rstrip()


def _modification_orders(execution: Execution) -> list[str]:
    """The writes of each variable with several, in order: with one (and the initial one), there is nothing to order."""
    lines = []
    for order in execution.mo:
        if sum(execution.events[n].thread != INITIAL for n in order) > 1:
            writes = [f"{_name(execution, n)} ({show_value(execution.events[n].value)})" for n in order]
            lines += folded(f"  mo {execution.events[order[0]].variable}  ", writes, " -> ")
    return lines


def _origins(execution: Execution) -> list[str]:
    """Where the objects come from that are in the rows, but for those that a row allocates."""
    here = {event.object for event in execution.events if event.kind == "F"}
    used = {event.variable for event in execution.events if event.variable is not None and event.thread != INITIAL}
    lines = []
    for name, place in execution.allocated.items():
        if name in here or not any(re.match(rf"{re.escape(name)}([.\[]|$)", variable) for variable in used):
            continue
        calls = [f"in {function} called at {at.text(execution.source)}" for function, at in place.calls]
        lines.append(f"  {name}  allocated at {', '.join([place.text(execution.source), *calls])}")
    return lines


def _values(execution: Execution) -> list[str]:
    """The values of the shared variables and of the locals of the threads that are shown."""
    shown = {execution.threads[thread] for thread in shown_threads(execution)}
    owners = ((name.rpartition(":")[0], name, value) for name, value in execution.state.items())
    return [f"{name} = {show_value(value)}" for owner, name, value in owners if not owner or owner in shown]


def _name(execution: Execution, number: int) -> str:
    """What a write is called in a row: `init`, or its thread and line, with its step where these are not enough."""
    event = execution.events[number]
    if event.thread == INITIAL:
        return "init"
    thread = execution.threads[event.thread]
    if event.position is None:
        return f"{thread} step {event.step}"
    alike = Counter(_place(execution, other) for other in execution.events)[_place(execution, event)]
    name = f"{thread} {execution.at(event.position)}"
    return name if alike == 1 else f"{name} step {event.step}"


def _place(execution: Execution, event: Event) -> tuple[int, str, str | None, str | None]:
    line = execution.line(event.position) if event.position else None
    return event.thread, event.kind, event.variable, line
