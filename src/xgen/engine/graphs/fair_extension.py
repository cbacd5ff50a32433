"""Further rounds of threads that wait for ever: whether a model allows them.

An execution in which threads wait stands for one in which they go round again and again. In most models another round
can always be added at the end; the form of the constraints tells. For the others, two more rounds are put behind the
last ones, and the model is asked about the whole.
"""

from __future__ import annotations

from collections.abc import Callable

from xgen import _core
from xgen.engine.graphs.convert import to_execution
from xgen.engine.problem import Problem
from xgen.executions.execution import Event, Execution, Pairs
from xgen.memory.evaluate import Evaluator
from xgen.records import replace

ROUNDS = 2
"""Rounds that are added."""


def lasting(problem: Problem) -> Callable[[_core.Trace], bool]:
    """What tells of a stuck execution whether its rounds can go on."""
    constraints = [c for c in problem.model.constraints if not c.flag]

    def lasts(trace: _core.Trace) -> bool:
        evaluator = Evaluator(with_rounds(to_execution(problem, trace)))
        return all(evaluator.holds(c.condition) for c in constraints)

    return lasts


def with_rounds(execution: Execution, count: int = ROUNDS) -> Execution:
    """A stuck execution in which each thread that waits has gone round so many times more.

    A new event depends on what its original depends on, in its own round where that is part of the round; and whether
    there is another round depends on all reads of the rounds before. An update of a round writes what has been there,
    one after another, and a round reads the last of these writes.
    """
    events: list[Event] = []
    place: list[int] = []
    copies: list[dict[int, int]] = []  # of one round: the original's position, and the copy's
    for number, event in enumerate(execution.events):
        place.append(len(events))
        events.append(event)
        last = number + 1 == len(execution.events) or execution.events[number + 1].thread != event.thread
        round_ = execution.waits[event.thread] if event.thread >= 0 else None
        if not last or not round_:
            continue
        originals = [n for n, e in enumerate(execution.events) if e.thread == event.thread and e.index in round_]
        for _ in range(count):
            index = events[-1].index + 1
            copies.append({n: len(events) + k for k, n in enumerate(originals)})
            events += [_copy(execution.events[n], index + k) for k, n in enumerate(originals)]

    def moved(pairs: Pairs) -> Pairs:
        within = [(place[a], place[b]) for a, b in pairs]
        return (*within, *((new.get(a, place[a]), new[b]) for new in copies for a, b in pairs if b in new))

    ctrl = set(moved(execution.ctrl))
    for new in copies:
        thread = events[next(iter(new.values()))].thread
        deciding = [n for n in new if events[place[n]].kind == "R"]
        before = [place[n] for n in deciding] + [
            other[n] for other in copies for n in deciding if n in other and min(other.values()) < min(new.values())
        ]
        ctrl |= {(a, b) for a in before for b in new.values() if events[a].thread == thread}
    mo = [[place[n] for n in order] for order in execution.mo]
    last_written = {events[order[-1]].variable: order for order in mo if order}
    anew = {events[copy].variable for new in copies for copy in new.values() if events[copy].kind == "W"}
    read_from = {read: write for write, read in moved(execution.rf)}
    for copy in (copy for new in copies for copy in new.values()):
        order = last_written[events[copy].variable] if events[copy].variable in anew else []
        if order and events[copy].kind == "R":
            read_from[copy] = order[-1]
        elif order:
            order.append(copy)
    rmw = [(place[a], place[b]) for a, b in execution.rmw]
    rmw += [(new[a], new[b]) for new in copies for a, b in execution.rmw if a in new and b in new]
    return replace(
        execution,
        events=tuple(events),
        rf=tuple((write, read) for read, write in read_from.items()),
        mo=tuple(tuple(order) for order in mo),
        rmw=tuple(rmw),
        addr=moved(execution.addr),
        data=moved(execution.data),
        ctrl=tuple(sorted(ctrl)),
        forks=tuple((place[a], place[b]) for a, b in execution.forks),
    )


def _copy(event: Event, index: int) -> Event:
    """An event of another round. The parts of its access are copied with it: they are an access of their own."""
    group = None if event.group is None else event.group + index - event.index
    return replace(event, index=index, group=group)
