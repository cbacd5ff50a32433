"""What xgen found against what the oracle found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from oracle.enumerate import EventKey, Execution, Place, Trace, evaluator_of
from oracle.evaluate import INITIAL
from oracle.expressions import show_value
from oracle.programs import Program
from oracle.races import has_race
from xgen.memory.algebra import Condition, Model

if TYPE_CHECKING:
    from xgen.executions.execution import Event as XgenEvent
    from xgen.executions.execution import Execution as XgenExecution
    from xgen.executions.result import Result

SHOWN = 3
"""How many executions of each kind a report shows."""


def key_of_execution(execution: XgenExecution) -> Execution:
    """An execution of xgen in the oracle's form; what it does not have is left empty."""
    threads = []
    for number, end in enumerate(execution.ends):
        own = sorted((event for event in execution.events if event.thread == number), key=lambda event: event.index)
        assert [event.index for event in own] == list(range(len(own))), "a thread's events are numbered from 0"
        keys = tuple(EventKey(event.kind, event.variable, event.value, event.tags) for event in own)
        threads.append(Trace(keys, end))  # type: ignore[arg-type]
    places = [_place(event) for event in execution.events]
    rf = frozenset((places[write], places[read]) for write, read in execution.rf)
    mo = frozenset(tuple(places[write] for write in order) for order in execution.mo if len(order) > 1)
    return Execution(tuple(threads), rf, mo)


def _place(event: XgenEvent) -> Place:
    if event.thread >= 0:
        return event.thread, event.index
    assert event.variable is not None
    return INITIAL, event.variable


def differences(expected: Iterable[Execution], found: Iterable[Execution]) -> str | None:
    """None where the executions are the same, however often each; else those that are missing or too many."""
    wanted = Counter(execution.seen_from_outside() for execution in expected)
    got = Counter(execution.seen_from_outside() for execution in found)
    lines: list[str] = []
    _report(lines, "missing", wanted - got)
    _report(lines, "twice, or too often", Counter({e: n for e, n in (got - wanted).items() if e in wanted}))
    _report(lines, "extra", Counter({e: n for e, n in (got - wanted).items() if e not in wanted}))
    if not lines:
        return None
    return "\n".join([f"{wanted.total()} executions expected, {got.total()} found", *lines])


def _report(lines: list[str], title: str, executions: Counter[Execution]) -> None:
    if executions:
        lines.append(f"{title}: {executions.total()}")
        for execution, count in executions.most_common(SHOWN):
            lines += [f"  {line}" for line in [f"{count} x", *describe(execution)]]


def describe(execution: Execution) -> list[str]:
    """An execution for people: a line for each thread, then its modification orders."""
    sources = {read: write for write, read in execution.rf}
    lines = []
    for thread, trace in enumerate(execution.threads):
        events = [_event_text(event, sources.get((thread, index))) for index, event in enumerate(trace.events)]
        choices = f" (chose {', '.join(f'{value} after {done}' for done, value in trace.choices)})" * bool(
            trace.choices
        )
        lines.append(f"  thread {thread}: {'; '.join(events)} -> {trace.end}{choices}")
    return lines + [f"  mo {' '.join(map(_place_text, order))}" for order in sorted(execution.mo, key=str)]


def _event_text(event: EventKey, source: Place | None) -> str:
    text: str = event.kind
    if event.variable is not None and event.value is not None:
        text += f" {event.variable} = {show_value(event.value)}"
    if source is not None:
        text += f" from {_place_text(source)}"
    return " ".join([text, *sorted(event.tags)])


def _place_text(place: Place) -> str:
    return f"init {place[1]}" if place[0] == INITIAL else f"{place[0]}:{place[1]}"


def compare_counts(program: Program, model: Model, result: Result, expected: Iterable[Execution]) -> str | None:
    """None where the counts of a result are those of the executions expected, else a report.

    Under a model that leaves programs without a meaning, an execution violates that has a data race, as C defines it
    for rc11, or that raises the model's flag.
    Where one thread is blocked and another one cut by the bound, either count may have the execution.
    """
    flags = [constraint.condition for constraint in model.constraints if constraint.undefined]
    kinds: Counter[str] = Counter()
    for execution in expected:
        kinds[execution.kind] += 1
        kinds["violations"] += execution.violates or (bool(flags) and _is_undefined(program, execution, model, flags))
    wanted = (kinds["complete"], kinds["blocked"] + kinds["bounded"], kinds["violations"], 0)
    got = (result.executions, result.blocked + result.bounded, result.violations, result.duplicates)
    names = ("complete", "blocked or bounded", "violations", "duplicates")
    lines = [f"{name}: {b} instead of {a}" for name, a, b in zip(names, wanted, got, strict=True) if a != b]
    return report(program, model, "\n".join(lines) or None, result.max_depth)


def _is_undefined(program: Program, execution: Execution, model: Model, flags: list[Condition]) -> bool:
    if model.name in ("rc11", "rc11-c20"):
        return has_race(execution)
    return not all(map(evaluator_of(program, execution).holds, flags))


def report(program: Program, model: Model, difference: str | None, max_depth: int | None) -> str | None:
    """A difference together with the program, the model and the bound that show it."""
    if difference is None:
        return None
    bound = f", at most {max_depth} events in a thread" * (max_depth is not None)
    return f"{program}\nunder {model.name}{bound}: {difference}"
