"""Which loop a thread goes round and round, as an execution shows it that a bound has cut."""

from __future__ import annotations

from collections.abc import Iterable

from xgen import _core
from xgen.errors import listed
from xgen.lowering.code import Code
from xgen.program.automaton import Fence

ADVICE = "if it has no end, try --max-depth 20 or --unroll 4"


def went_round(code: Code, traces: Iterable[_core.Trace], thread: int, pc: int) -> str | None:
    """How often a thread that was cut before the instruction `pc` has been there, its way round, and what it writes.

    That of the first execution in which it was cut there; None where it was never there before.
    """
    for trace in traces:
        status, place = trace.ends[thread]
        if place != pc or status not in (_core.Status.EVENT, _core.Status.CHOICE):
            continue
        events = [event for event in trace.events if event.thread == thread]
        times = [number for number, event in enumerate(events) if event.pc == pc]
        if times:
            return _sentence(code, thread, len(times), events[times[-1] :])
    return None


def _sentence(code: Code, thread: int, times: int, events: list[_core.TraceEvent]) -> str:
    sites = [code.sites[event.pc] for event in events]
    shown = [site for site in sites if not (isinstance(site.part, Fence) and site.part.inserted)]
    places = [(site.position.line, " ".join(site.text.split())) for site in shown]
    way = ", ".join(f"line {line} (`{text}`)" for line, text in dict.fromkeys(places))
    written = [code.cells[event.cell].name for event in events if event.kind is _core.EventKind.WRITE]
    writes = f", and writes {listed(list(dict.fromkeys(written)), 'and')} each time" if written else ""
    count = "once" if times == 1 else f"{times} times"
    return f"{code.threads[thread].name} went round a loop {count}: {way}, and again{writes}; {ADVICE}"
