"""From the core's traces to executions."""

from __future__ import annotations

from xgen import _core
from xgen.executions.execution import INITIAL, Event, Execution, Pairs, State, Value, Violation, ViolationKind
from xgen.lowering.code import UNLOCK, Code, Variable

_ENDS = {
    _core.Status.ENDED: "ended",
    _core.Status.BLOCKED: "blocked",
    _core.Status.CUT: "bounded",
}
_ERRORS: dict[_core.Status, ViolationKind] = {
    _core.Status.FAILED: "error-location",
    _core.Status.ASSERTION: "assertion",
    _core.Status.OVERFLOWED: "overflow",
    _core.Status.DIVISION: "division-by-zero",
    _core.Status.RANGE: "out-of-range",
}
_ENDS |= dict.fromkeys(_ERRORS, "error")


def to_execution(code: Code, trace: _core._Trace, whole: bool = True) -> Execution:
    """The execution that a trace of the core describes; not `whole`: one that the core was still extending."""
    rows, orders, ends, locals_, relations, deadlock, _ = trace
    ordered = sorted(rows, key=lambda row: (row[2], row[8]))
    place = {row[0]: number for number, row in enumerate(ordered)}
    events = []
    index = 0
    for number, row in enumerate(ordered):
        index = index + 1 if number and ordered[number - 1][2] == row[2] else 0
        events.append(_event(code, row, index))
    violations = tuple(
        _violation(code, thread, status, pc)
        for thread, (status, pc) in enumerate(ends)
        if status in _ERRORS or (deadlock and status is _core.Status.BLOCKED)
    )

    def placed(relation: str) -> Pairs:
        return tuple((place[a], place[b]) for a, b in relations[relation])

    state: State = {}
    for thread, values in zip(code.threads, locals_, strict=True):
        for register in thread.shown:
            state[f"{thread.name}:{thread.locals[register].name}"] = _value(thread.locals[register], values[register])
    mo = tuple(tuple(place[slot] for slot in order) for order in orders)
    for cell in code.shown_cells:
        value = events[mo[cell][-1]].value
        assert value is not None
        state[code.cells[cell].name] = value
    return Execution(
        threads=tuple(thread.name for thread in code.threads),
        events=tuple(events),
        rf=tuple((place[row[6]], place[row[0]]) for row in ordered if row[1] == _core.EventKind.READ),
        mo=mo,
        ends=tuple(_ENDS.get(status, "bounded" if whole else "running") for status, _ in ends),
        state=state,
        violations=violations,
        source=code.source,
        rmw=placed("rmw"),
        addr=placed("addr"),
        data=placed("data"),
        ctrl=placed("ctrl"),
        forks=placed("forks"),
    )


def _value(variable: Variable, value: int) -> Value:
    return bool(value) if variable.type == "bool" else value


def _event(code: Code, row: _core._TraceEvent, index: int) -> Event:
    slot, _, thread, pc, event_class, cell, _, value, _ = row
    seen = code.classes[event_class]
    variable = code.cells[cell] if cell >= 0 else None
    site = code.sites[pc] if thread != INITIAL else None
    return Event(
        thread=thread,
        index=index,
        kind=seen.kind,
        variable=variable.name if variable else None,
        value=_value(variable, value) if variable else None,
        tags=seen.tags,
        position=site.position if site else None,
        text=site.text if site else "",
        step=slot - len(code.cells) if thread != INITIAL else -1,
    )


def _violation(code: Code, thread: int, status: _core.Status, pc: int) -> Violation:
    site, kind = code.sites[pc], _ERRORS.get(status, "deadlock")
    if kind == "assertion" and code.instructions[pc].c == UNLOCK:
        kind = "unlock"
    return Violation(kind, thread, site.position, site.text, site.location)
