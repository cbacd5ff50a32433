"""From the core's traces to executions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import cast

from xgen import _core
from xgen.engine.graphs.diagnosis import awaited_at, coming
from xgen.engine.leaks import leaked
from xgen.engine.problem import Problem
from xgen.errors import listed
from xgen.executions.execution import (
    FINISHED,
    INITIAL,
    Event,
    Execution,
    Pairs,
    Violation,
    ViolationKind,
    show_value,
)
from xgen.lowering.code import Code
from xgen.program.automaton import ASSERTIONS, Assert, Lifetime

_ENDS = {
    _core.Status.ENDED: "ended",
    _core.Status.BLOCKED: "blocked",
    _core.Status.OPEN: "blocked",  # by a value that a thread which has failed does not give any more
    _core.Status.CUT: "bounded",
    _core.Status.UNSTARTED: "unstarted",
}
_ERRORS: dict[_core.Status, ViolationKind] = {
    _core.Status.FAILED: "error-location",
    _core.Status.ASSERTION: "assertion",
    _core.Status.OVERFLOWED: "overflow",
    _core.Status.DIVISION: "division-by-zero",
    _core.Status.UNDEFINED: "uninitialised",
    _core.Status.RANGE: "out-of-range",
}
_ENDS |= dict.fromkeys(_ERRORS, "error")
_WAITS = (_core.Op.JOIN, _core.Op.MEET, _core.Op.GATHER)
_STANDS = (_core.Status.EVENT, _core.Status.CHOICE)


def to_execution(problem: Problem, trace: _core.Trace, whole: bool = True, liveness: bool = False) -> Execution:
    """The execution that a trace of the core describes; not `whole`: one that the core was still extending.

    `liveness`: that threads wait for ever is a violation.
    """
    code = problem.code
    ordered = _without_arrivals(problem, trace.events)
    place = {event.slot: number for number, event in enumerate(ordered)}
    events = []
    index = 0
    known = problem.events
    for number, event in enumerate(ordered):
        index = index + 1 if number and ordered[number - 1].thread == event.thread else 0
        key = (
            *(event.thread, index, event.event_class, event.cell, event.value, event.pc, event.slot, event.block),
            *(event.object, event.part, _is_whole(ordered, number)),
        )
        made = known.get(key)
        if made is None:
            group = None if _is_whole(ordered, number) else index - event.part
            made = known[key] = _event(problem, event, index, group)
        events.append(made)
    waits = _waits(trace.rounds, ordered)
    ends = trace.ends
    violations = tuple(
        _violation(code, thread, status, pc)
        for thread, (status, pc) in enumerate(ends)
        if status in _ERRORS or (trace.deadlock and status is _core.Status.BLOCKED)
    )
    if problem.program.leaks is not None and trace.leaked:
        violations += tuple(leaked(problem, problem.program.leaks, trace.leaked, events))
    if liveness and not violations:
        stands = [(thread, ends[thread][1], round_) for thread, round_ in enumerate(waits) if round_ is not None]
        been = _been(trace)
        stands.sort(key=lambda stand: _far(code.instructions[stand[1]].op))  # why comes before who waits for it
        violations = tuple(
            _await(code, thread, pc, [e for e in events if e.thread == thread and e.index in round_], been)
            for thread, pc, round_ in stands
        )

    def placed(pairs: Iterable[tuple[int, int]]) -> Pairs:
        return tuple([problem.pair(place[a], place[b]) for a, b in pairs if a in place and b in place])

    mo = tuple(tuple(place[slot] for slot in order if slot in place) for order in trace.mo)
    last = [events[mo[cell][-1]].value for cell in problem.observed]
    own = [values[n] for thread, values in zip(code.threads, trace.locals, strict=True) for n in thread.shown]
    state = problem.state([*own, *(value for value in last if value is not None)])
    return Execution(
        threads=tuple(thread.name for thread in code.threads),
        events=tuple(events),
        rf=placed((event.rf, event.slot) for event in ordered if event.kind == _core.EventKind.READ),
        mo=mo,
        ends=_ends(code, trace, whole),
        state=state,
        violations=violations,
        source=code.source,
        rmw=placed(trace.rmw),
        addr=placed(trace.addr),
        data=placed(trace.data),
        ctrl=placed(trace.ctrl),
        pick_addr=placed(trace.pick_addr),
        pick_data=placed(trace.pick_data),
        pick_ctrl=placed(trace.pick_ctrl),
        forks=placed(trace.forks),
        waits=waits,
        decided=tuple(sorted(place[slot] for slot in set(trace.decided) if slot in place)),
        allocated=problem.allocated,
    )


def _without_arrivals(problem: Problem, events: list[_core.TraceEvent]) -> list[_core.TraceEvent]:
    """The events without those by which threads tell each other that they have come to barriers.

    No model sees these: the barriers themselves are other events.
    """
    if not problem.arrivals:
        return events
    cells = {event.cell for event in events if event.event_class in problem.arrivals}
    return [event for event in events if event.cell < 0 or event.cell not in cells]


def is_complete(trace: _core.Trace) -> bool:
    """Whether no thread is blocked, cut or still running: `Execution.complete` of it."""
    return all(_ENDS.get(status) in FINISHED for status, _ in trace.ends)


def _is_whole(events: Sequence[_core.TraceEvent], number: int) -> bool:
    """Whether an event is not one of several that are parts of an access; these are next to each other."""
    event = events[number]
    if event.part or event.thread == INITIAL or number + 1 == len(events):
        return not event.part
    following = events[number + 1]
    return not (following.part == 1 and following.thread == event.thread and following.kind == event.kind)


def _ends(code: Code, trace: _core.Trace, whole: bool) -> tuple[str, ...]:
    """How each thread has ended, in the words of `Execution.ends`."""

    been = _been(trace) if code.groups else set()

    def end(thread: int, waiting: frozenset[int] = frozenset()) -> str:
        status, pc = trace.ends[thread]
        instruction = code.instructions[pc]
        if not whole or status not in _STANDS or instruction.op not in _WAITS:
            return _ENDS.get(status, "bounded" if whole else "running")
        if thread in waiting:
            return "blocked"  # threads that wait for each other
        if instruction.op is not _core.Op.JOIN:
            missing = set(code.groups[instruction.a]) - set(coming(code, instruction, been))
            return "bounded" if all(end(other, waiting | {thread}) == "bounded" for other in missing) else "blocked"
        # (One that joins a thread that has ended could go on.)
        joined = end(instruction.a, waiting | {thread})
        return "bounded" if joined in ("ended", "bounded") else "blocked"

    return tuple(end(thread) for thread in range(len(trace.ends)))


def _been(trace: _core.Trace) -> set[int]:
    """Where threads have had events, or stand before one."""
    standing = (pc for status, pc in trace.ends if status in _STANDS)
    return {*(event.pc for event in trace.events if event.pc >= 0), *trace.gathered, *standing}


def _waits(rounds: list[int], events: list[_core.TraceEvent]) -> tuple[range | None, ...]:
    """The last rounds of a stuck execution; the core's numbers count choices, indices do not."""
    found: list[range | None] = []
    for thread, start in enumerate(rounds):
        own = [event.number for event in events if event.thread == thread]
        found.append(range(sum(number < start for number in own), len(own)) if start >= 0 else None)
    return tuple(found)


def _far(op: _core.Op) -> int:
    """How far from the cause a thread waits: at a barrier for who does not come, for the end of such a thread."""
    return 0 if op not in _WAITS else 2 if op is _core.Op.JOIN else 1


def _await(code: Code, thread: int, pc: int, events: list[Event], been: Collection[int]) -> Violation:
    """That a thread waits for ever where it stands, after these events of its last round. `been`: where threads stand,
    or have had events."""
    site, instruction = code.sites[pc], code.instructions[pc]
    reads = [event for event in events if event.kind == "R" and not event.tags >= {"lock", "rmw"}]
    read = [f"{event.variable} = {show_value(event.value)}" for event in reads]
    if instruction.op is _core.Op.JOIN:
        reason = f"{code.threads[instruction.a].name} does not end"
    elif awaited := awaited_at(code, pc, been):
        reason = f"{awaited} does not come to the barrier"
    elif events and events[-1].kind == "R" and "lock" in events[-1].tags:
        reason = f"no thread unlocks {events[-1].variable} any more"
    elif read:
        reason = f"the loop reads {listed(list(dict.fromkeys(read)), 'and')}, which no thread changes any more"
    else:
        reason = "the loop reads nothing that could end it"
    return Violation("await", thread, site.position, site.text, reason)


def _event(problem: Problem, event: _core.TraceEvent, index: int, group: int | None) -> Event:
    code = problem.code
    seen = code.classes[event.event_class]
    variable = code.cells[event.cell] if event.cell >= 0 else None
    site = code.sites[event.pc] if event.thread != INITIAL else None
    return Event(
        thread=event.thread,
        index=index,
        kind=seen.kind,
        variable=variable.name if variable else None,
        value=problem.value(variable, event.value) if variable else None,
        tags=seen.tags,
        position=site.position if site else None,
        text=site.text if site else "",
        step=event.slot - len(code.cells) if event.thread != INITIAL else -1,
        block=event.block,
        object=code.cells[event.object].object if event.object >= 0 else None,
        group=group,
    )


def _violation(code: Code, thread: int, status: _core.Status, pc: int) -> Violation:
    site, kind = code.sites[pc], _ERRORS.get(status, "deadlock")
    instruction = code.instructions[pc]
    if kind == "assertion":
        kind = cast(ViolationKind, ASSERTIONS[instruction.c]) if instruction.op is _core.Op.ASSERT else "unlock"
        if instruction.op is _core.Op.RMW:
            kind = "destroyed"
    if isinstance(site.part, Lifetime):
        kind = "bad-free"
    if kind == "out-of-range" and instruction.op is _core.Op.DEREF and instruction.c:
        kind = "bad-address"
    what = site.part.what if isinstance(site.part, Assert) else ""
    return Violation(kind, thread, site.position, site.text, site.location or what or None)
