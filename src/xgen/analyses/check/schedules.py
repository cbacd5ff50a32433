"""Threads that wait for ever where not each thread goes on: progress models of GPUs.

Sources: T. Sorensen, L. F. Salvador, H. Raval, H. Evrard, J. Wickerson, M. Martonosi, A. F. Donaldson, Specifying and
Testing GPU Workgroup Progress Models, OOPSLA 2021; T. Sorensen, H. Evrard, A. F. Donaldson, GPU Schedulers: How Fair Is
Fair Enough?, CONCUR 2018.

What is scheduled is a unit: a block of a GPU (a workgroup), or a cluster of these, whose threads begin together and all
go on if it does, else a thread. Units have numbers, from 0. A thread that starts all others, as main of a C program,
has none: it is the host, and goes on under each schedule. Somebody always goes on who can; the host cannot where it
waits for the end of another.

fair    each unit goes on
obe     occupancy-bound execution: a unit that has begun goes on, one that has not may never begin
lobe    linear obe: a unit that has begun goes on, and so does each with a lower number
hsa     of the units that have not ended, the one with the lowest number goes on; the others may stop for ever

All are weaker than `fair`: a thread that waits for ever if all are fair does so under each. Beyond that, one does

- under obe and lobe: if for a set of units that never begin, which is any that leaves some thread, or all from a number
  on, there is an execution of the others in which each has ended or waits for ever, one of them not for the end of
  another thread (if all that have begun have ended, or wait for an end, another one begins);
- under hsa: if a thread waits for ever in an execution in which each unit with a lower number has ended, and those with
  higher ones have stopped somewhere. (If one with a lower number waits for ever as well, that is the first that has not
  ended, and the others, which only read, may be taken to have stopped before their last rounds.)

Each of these is a question of waiting for ever about a program that is made of the given one (stopping.py), so that it
is answered under every memory model as that is. It suffices to stop behind writes, since an execution without the last
reads of a thread is one of the model, too, and shows others the same. Rounds that write for ever are not looked for in
these programs: they are explored, or cut by a bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NoReturn

from xgen.analyses.check import stopping
from xgen.analyses.check.case import Case
from xgen.errors import UnsupportedError, listed
from xgen.executions.execution import Execution
from xgen.executions.result import Result, Schedule
from xgen.program.automaton import Process, Program, Rmw
from xgen.program.uses import tags_of
from xgen.records import dataclass, replace

_BLOCK = re.compile(r"(?:cluster|cta|wg|workgroup)\.")
"""How the tag begins that says in which block (workgroup) an event is, or in which cluster of blocks, which begin
together."""


@dataclass(frozen=True, slots=True)
class Units:
    """What is scheduled: the processes of each unit, by the units' numbers; `host`: the process that starts them."""

    units: tuple[tuple[int, ...], ...]
    host: int | None = None


@dataclass(frozen=True, slots=True)
class Idle:
    """A program in which some threads go no further, by their numbers: these never begin, others may stop."""

    program: Program
    never: frozenset[int] = frozenset()


def under_schedule(case: Case, fair: Result, explored: Callable[[Case], Result]) -> Result:
    """The result where not each unit goes on. `fair`: that where each does; `explored`: what finds the one of a case.

    Raises UnsupportedError for programs of which it does not know who is scheduled.
    """
    schedule = case.question.schedule
    units = units_of(case.program, schedule)
    if fair.verdict in ("violation", "interrupted"):
        return fair
    found = fair
    for idle in ways(case.program, schedule, units):
        if case.clock.over():
            return replace(found, verdict="interrupted", stopped="timeout")
        result = explored(replace(case, program=idle.program))
        found = replace(
            found,
            explored=found.explored + result.explored,
            cut=found.cut or result.cut,
            bounded=max(found.bounded, result.bounded),
            left_out=tuple(dict.fromkeys((*found.left_out, *result.left_out))),
            peak_kib=max(found.peak_kib, result.peak_kib),
        )
        if result.witness is not None:
            return _violation(case, found, result, idle)
        if result.verdict == "interrupted":
            return replace(found, verdict="interrupted", stopped=result.stopped)
        if found.verdict == "safe" and (found.cut or found.left_out):
            found = replace(found, verdict="safe-within-bound")
    return found


def _violation(case: Case, whole: Result, result: Result, idle: Idle) -> Result:
    """The result whose witness is an execution of a program in which threads go no further."""
    assert result.witness is not None
    witness = _told(result.witness, case.program, idle)
    return replace(
        result,
        witness=witness,
        waits=tuple(
            f"{witness.threads[each.thread]} at line {each.position.line}"
            for each in witness.violations
            if each.kind == "await"
        ),
        explored=whole.explored,
        warnings=tuple(dict.fromkeys((*whole.warnings, *(said for said in result.warnings if "certified" in said)))),
    )


def _told(execution: Execution, program: Program, idle: Idle) -> Execution:
    """The execution with those threads told apart that have not begun, or have stopped."""
    ends, state = list(execution.ends), dict(execution.state)
    waits = list(execution.waits)
    for violation in execution.violations:
        if stopping.has_no_step(violation.position):
            ends[violation.thread], waits[violation.thread] = "stopped", None
    for thread in idle.never:
        if ends[thread] != "unstarted":
            ends[thread] = "not-begun"
    for thread, name in enumerate(execution.threads):
        if state.pop(f"{name}:{stopping.LEFT}", 0):
            ends[thread] = "blocked"
    begun = {event.thread for event in execution.events}
    for thread, end in enumerate(ends):
        if end == "stopped" and thread not in begun:
            ends[thread] = "not-begun"
    return replace(
        execution,
        source=program.source,
        ends=tuple(ends),
        state=state,
        waits=tuple(waits),
        violations=tuple(each for each in execution.violations if not stopping.has_no_step(each.position)),
    )


def ways(program: Program, schedule: Schedule, units: Units) -> Iterator[Idle]:
    """The programs in which threads go no further as a schedule lets them, so that one waits for ever for that."""
    if schedule == "hsa":
        yield from _first_waits(program, units)
    elif schedule in ("obe", "lobe"):
        for never in _absent(program, schedule, units):
            yield from _without(program, units, frozenset(never))


def _without(program: Program, units: Units, never: frozenset[int]) -> Iterator[Idle]:
    """The program in which these processes never begin, if another one may wait then."""
    others = [process for number, process in enumerate(program.processes) if number not in never]
    if not any(map(stopping.can_wait, others)):
        return
    processes = [
        stopping.never_begins(process) if number in never else process
        for number, process in enumerate(program.processes)
    ]
    if units.host is not None:
        missing = [program.processes[number].name for number in never]
        processes[units.host] = stopping.without_joins(processes[units.host], missing)
    yield Idle(_made(program, processes), never)


def _absent(program: Program, schedule: Schedule, units: Units) -> Iterator[Iterable[int]]:
    """The sets of processes that may never begin: of those that differ by the names of like ones only, the first."""
    number = len(units.units)
    some = number + (units.host is not None)  # somebody is left
    if schedule == "lobe":
        for first in range(number - 1, -1 if some > number else 0, -1):
            yield chain.from_iterable(units.units[first:])
        return
    alike = list(range(number))  # a host may do with one what it does not do with another
    if units.host is None:
        each = [_alike(program, unit) for unit in units.units]
        alike = [each.index(unit) for unit in each]
    seen = set[tuple[int, ...]]()
    for size in range(1, some):
        for chosen in combinations(range(number), size):
            kind = tuple(sorted(alike[unit] for unit in chosen))
            if kind not in seen:
                seen.add(kind)
                yield chain.from_iterable(units.units[unit] for unit in chosen)


def _alike(program: Program, unit: Sequence[int]) -> tuple[Process, ...]:
    """What the processes of a unit do, whatever their names are."""
    return tuple(replace(program.processes[number], name="") for number in unit)


def _first_waits(program: Program, units: Units) -> Iterator[Idle]:
    """The programs in which a thread waits for ever, and those of units with higher numbers may have stopped."""
    for number, unit in enumerate(units.units):
        above = set(chain.from_iterable(units.units[number + 1 :]))
        if not above:
            return  # all others go on
        for thread in unit:
            if not stopping.can_wait(program.processes[thread]):
                continue
            processes = [
                stopping.may_stop(process, program.source) if each in above else process
                for each, process in enumerate(program.processes)
            ]
            processes[thread] = stopping.must_not_end(processes[thread])
            yield Idle(_made(program, processes))


def _made(program: Program, processes: Iterable[Process]) -> Program:
    """The program with other processes, of whose final states nothing is asked."""
    made = replace(program, processes=tuple(processes), requirement=None, question=None, leaks=None, again=None)
    return replace(made, remarks=(), told=())


def units_of(program: Program, schedule: Schedule) -> Units:
    """What is scheduled of a program. Raises UnsupportedError where it is not known."""
    if program.asked is not None or program.again is not None:
        what = (
            "a part of the Linux kernel, whose CPUs all make progress" if program.asked is None else "a task of SV-COMP"
        )
        _refuse(program, f"this is {what}", schedule)
    host = _host_of(program, schedule)
    threads = list(range(len(program.processes))) if host is None else _started(program, host, schedule)
    tags = {number: _block_of(program.processes[number]) for number in threads}
    if not any(tags.values()):
        return Units(tuple((number,) for number in threads), host)
    blocks: dict[tuple[int, ...], list[int]] = {}
    for number, tag in tags.items():
        if tag:  # one without events is nobody's neighbour, and nobody waits for it
            blocks.setdefault(tuple(map(int, re.findall(r"\d+", tag))), []).append(number)
    return Units(tuple(tuple(blocks[key]) for key in sorted(blocks)), host)


def _block_of(process: Process) -> str:
    """The tag that says in which block, or cluster, the events of a process are; "": none does."""
    for statement in stopping.statements(process):
        # In a text of XCFA, the first tag stands where an order does.
        first = [getattr(statement, name, None) for name in ("tag", "order")]
        first += statement.orders if isinstance(statement, Rmw) else ()
        found = [tag for tag in (*first, *tags_of(statement)) if isinstance(tag, str) and _BLOCK.match(tag)]
        if found:
            return next((tag for tag in found if tag.startswith("cluster.")), found[0])
    return ""


def _host_of(program: Program, schedule: Schedule) -> int | None:
    """The process that starts all others, and alone waits for their ends; None: all begin by themselves."""
    does = [stopping.controls(process) for process in program.processes]
    active = [number for number, found in enumerate(does) if found]
    if not active:
        return None
    names = [program.processes[number].name for number in active]
    started = {each.process.name for each in does[active[0]] if each.op == "start"}
    others = {process.name for number, process in enumerate(program.processes) if number != active[0]}
    if len(active) > 1 or started != others:
        who = listed(names, "and") if len(active) > 1 else f"{names[0]} and {min(others - started, default='no other')}"
        _refuse(program, f"more than one thread starts others, joins them, or is there from the start: {who}", schedule)
    host = program.processes[active[0]]
    own = replace(host, procedures=(host.main_procedure,)) if host.procedures else host
    if len(stopping.controls(own)) != len(does[active[0]]):
        _refuse(program, f"{host.name} starts or joins threads in procedures", schedule)
    if schedule == "hsa" and stopping.may_wait_by_itself(host):
        what = f"{host.name}, which starts the others, may wait for them by other means than their ends"
        _refuse(program, what, schedule)
    return active[0]


def _started(program: Program, host: int, schedule: Schedule) -> list[int]:
    """The processes that the host starts, in the order of its text."""
    does, name = stopping.controls(program.processes[host]), program.processes[host].name
    turn = {each: number for number, each in enumerate(dict.fromkeys(c.process.name for c in does if c.op == "start"))}
    for one, other in sorted(stopping.behind_joins(program.processes[host])):
        if schedule == "hsa" and turn[one] > turn[other]:  # which then may not have begun, though it is the first
            what = f"{name} may start {other} when it has waited for the end of {one}, which has a higher number"
            _refuse(program, what, schedule)
    place = {process.name: number for number, process in enumerate(program.processes)}
    return [place[each] for each in turn]


def _refuse(program: Program, what: str, schedule: Schedule) -> NoReturn:
    raise UnsupportedError(
        f"`--schedule {schedule}` does not say which threads make progress here: {what}",
        file=program.source.name,
        hint="it is for kernels of GPUs, litmus tests, .xcfa, and programs in which one thread starts all others",
    )
