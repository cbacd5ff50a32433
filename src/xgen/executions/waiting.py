"""Why a thread that waits for ever is not woken: what it reads, who wrote that, and why nobody writes anything else."""

from __future__ import annotations

from xgen.executions.execution import INITIAL, Execution, show_value


def why_it_waits(execution: Execution, thread: int) -> str:
    """A sentence for each variable that the thread reads in its last round, and one for the other threads.

    "" where the execution does not say what the thread waits for.
    """
    again = {event.id for event in execution.round_of(thread)}
    origin = {read: write for write, read in execution.rf}
    told: dict[str, None] = {}
    for number, event in enumerate(execution.events):
        if event.id not in again or event.kind != "R" or number not in origin or event.tags >= {"lock", "rmw"}:
            continue
        write = execution.events[origin[number]]
        value = f"{event.variable} = {show_value(event.value)}"
        if write.thread == INITIAL:
            told[f"{value} is there from the start"] = None
        else:
            at = f" at {execution.at(write.position)}" if write.position else ""
            told[f"{value} is what {execution.threads[write.thread]} wrote last{at}"] = None
    if not told:
        return ""
    others = [_standing(execution, other) for other in range(len(execution.threads)) if other != thread]
    left = f", and no thread is left to change it: {', '.join(others)}" if others else ", and there is no other thread"
    return "; ".join(told) + left


def _standing(execution: Execution, thread: int) -> str:
    name = execution.threads[thread]
    if execution.ends[thread] == "ended":
        return f"{name} has ended"
    if execution.waits and execution.waits[thread] is not None:
        return f"{name} waits as well"
    return f"{name} has stopped" if execution.ends[thread] == "stopped" else f"{name} has not begun"
