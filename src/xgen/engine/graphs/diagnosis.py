"""Where, after a run: where a bound has cut threads, which loops they go round, where they wait, what none reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from xgen import _core
from xgen._core import NOTED_ASSERTION, Op
from xgen.clock import GRACE
from xgen.engine.graphs.intervals import WHOLE, Interval
from xgen.engine.problem import Problem
from xgen.errors import Position, listed
from xgen.lowering.code import Code, Instruction, Site
from xgen.lowering.threads import NESTED_CALLS
from xgen.program.automaton import Assume, Call, Cut, Fence
from xgen.resources import short
from xgen.sources import CPP, IR, RUST
from xgen.tags import AWAITS

ENDLESS = "if it has no end, try "
"""What advice for loops that go on begins with."""

LOOK_GRAPHS, LOOK_DEPTH, LOOK_AT, LOOK = 5000, 64, 256, 2.0
"""Of a run without a bound that is stopped: in how many graphs, how many events deep, in how many executions, and for
how many seconds at most loops are looked for.
"""
LATE_LOOK = 0.4 * GRACE
"""The same after a time limit: what was found is to be told before the end of what is left."""


EVENTS = frozenset(
    {Op.LOAD, Op.STORE, Op.LOADX, Op.STOREX, Op.FENCE, Op.UNLOCK, Op.OBJECT, Op.RMW, Op.START, Op.JOIN, Op.MEET}
)
"""The operations that have events."""


class Explored(Protocol):
    """What is asked of a run (run.py). `groups`: threads that do the same, of which one was explored for the others."""

    core: _core.Exploration

    @property
    def problem(self) -> Problem: ...
    @property
    def groups(self) -> Sequence[Sequence[int]]: ...
    def settings(self, depth: int | None) -> _core.Settings: ...
    def explore(self, interval: Interval, settings: _core.Settings) -> _core.Exploration: ...
    def advance(self) -> bool: ...


# --- Where it was cut -------------------------------------------------------------------------------------------------


def cut_by_depth(code: Code, pcs: Iterable[int]) -> list[int]:
    """Of instructions at which threads were cut, those where the bound on events has done it."""
    return sorted(pc for pc in pcs if code.instructions[pc].op not in (Op.CUT, Op.BOUND))


def cut_at(run: Explored, pcs: Iterable[int]) -> list[str]:
    """Where the bound stopped threads, at these instructions: one sentence for each place."""
    code = run.problem.code
    return [
        f"{_bound_at(code, pc)} stopped {thread} at line {line}{_before(text)}{_since(code, pc)}"
        for pc in _with_like(run, pcs)
        for thread, line, text in [_place(code, pc)]
    ]


def _since(code: Code, pc: int) -> str:
    """Which bound it was, where the statement says it in words."""
    part = code.sites[pc].part
    return f": {part.what}" if isinstance(part, Cut) and part.what else ""


def going_on(run: Explored, depth: int, core: _core.Exploration, traces: Sequence[_core.Trace] = ()) -> list[str]:
    """Which threads an exploration with the bound `depth` has cut, one sentence for each place."""
    code = run.problem.code
    return [
        went_round(code, traces, _thread_of(code, pc), pc)
        or f"{thread} still goes on after {depth} events, at line {line}{_before(text)}; {_advice(code)}"
        for pc in cut_by_depth(code, core.findings.cuts)
        for thread, line, text in [_place(code, pc)]
    ]


def look_for_loops(run: Explored, depth: int = LOOK_DEPTH, *, late: bool = False) -> list[str]:
    """Where threads go on and on, as far as a short look with a bound shows it; `late`: the time is over."""
    if not any(run.problem.live):
        return []
    settings = run.settings(depth)
    settings.graph_pause, settings.trace_limit, settings.stream = LOOK_GRAPHS, LOOK_AT, False
    settings.all_states = True
    core = run.explore(WHOLE, settings)
    core.run(LATE_LOOK if late else LOOK)
    return going_on(run, depth, core, core.take_traces())


def _before(text: str) -> str:
    """What a thread has come to; of libraries that are read as IR there may be no text."""
    return f", before `{text}`" if text else ""


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
    several = len({(site.position.source or code.source).name for site in shown}) > 1
    places = [(_line_of(code, site, several), " ".join(site.text.split())) for site in shown]
    way = ", ".join(f"{line} (`{text}`)" if text else line for line, text in dict.fromkeys(places))
    written = [code.cells[event.cell].name for event in events if event.kind is _core.EventKind.WRITE]
    writes = f", and writes {listed(list(dict.fromkeys(written)), 'and')} each time" if written else ""
    count = "once" if times == 1 else f"{times} times"
    return f"{code.threads[thread].name} went round a loop {count}: {way}, and again{writes}; {_advice(code)}"


def _line_of(code: Code, site: Site, several: bool) -> str:
    """The line of a statement, with its file where there are several."""
    line = site.position.line
    return f"{short((site.position.source or code.source).name)}:{line}" if several else f"line {line}"


def _advice(code: Code) -> str:
    """What to try with a loop that has no end: loops of IR have no bound of their own."""
    compiled = code.source.name.endswith((*CPP, *RUST, *IR))
    return f"{ENDLESS}--max-depth 20" + ("" if compiled else " or --unroll 4")


def _bound_at(code: Code, pc: int) -> str:
    """What has stopped a thread there."""
    nested = code.instructions[pc].op is Op.CUT and isinstance(code.sites[pc].part, Call)
    return f"the bound on nested calls ({NESTED_CALLS})" if nested else "the bound"


# --- Where threads wait -----------------------------------------------------------------------------------------------


def waits_at(run: Explored, pcs: Iterable[int]) -> list[str]:
    """Where threads wait for ever, at these instructions, each once: `p0 at line 3`, or at a barrier, and for whom."""
    all_ = _with_like(run, pcs)
    return list(dict.fromkeys(_wait_at(run.problem.code, pc, all_) for pc in all_))


def _wait_at(code: Code, pc: int, pcs: Collection[int]) -> str:
    thread, line, _ = _place(code, pc)
    awaited = awaited_at(code, pc, pcs)
    where = f"the barrier in line {line}, to which {awaited} does not come"
    return f"{thread} at {where if awaited else f'line {line}'}"


def awaited_at(code: Code, pc: int, pcs: Iterable[int]) -> str | None:
    """The threads for which one waits that meets them at an instruction, and that do not stand at these; or the one of
    which it reads there whether that has come to a barrier."""
    instruction = code.instructions[pc]
    if instruction.op in (Op.MEET, Op.GATHER):
        missing = set(code.groups[instruction.a]) - set(coming(code, instruction, pcs))
        names = [code.threads[number].name for number in sorted(missing)]
        return listed(names, "and") if names else "another thread"
    if instruction.op is not Op.LOAD:
        return None
    families = dict(tag.partition(".")[::2] for tag in code.classes[instruction.c].tags)
    return code.threads[int(families[AWAITS].removeprefix("p"))].name if AWAITS in families else None


def coming(code: Code, meet: Instruction, pcs: Iterable[int]) -> Iterator[int]:
    """The threads that stand where others meet them, at one of these instructions."""
    for pc in pcs:
        i = code.instructions[pc]
        if i.op is meet.op and (i.a, i.b) == (meet.a, meet.b):
            yield next(number for number, (first, last) in enumerate(code.ranges) if first <= pc < last)


def blocked(run: Explored) -> Iterator[str]:
    """Where threads are blocked in one execution of a run that gives them in a stream; nothing where there is none."""
    code = run.problem.code
    for pcs in _blocked(run):
        at = [_place(code, pc) for pc in pcs]
        places = [f"{thread} at line {line} (`{' '.join(text.split())}`)" for thread, line, text in at]
        yield f"a blocked execution ends with {listed(places, 'and')}"
        return


def ended(run: Explored) -> str | None:
    """Which thread ends the program in one execution of a run that gives them in a stream, and where."""
    code = run.problem.code
    for pcs in _blocked(run):
        for pc in pcs:
            part = code.sites[pc].part
            if isinstance(part, Assume) and part.ends:
                thread, line, _ = _place(code, pc)
                return f"{thread} at line {line}"
    return None


def can_end(code: Code) -> bool:
    """Whether another thread than main ends the program somewhere."""
    return any(isinstance(site.part, Assume) and site.part.ends for site in code.sites)


def _blocked(run: Explored) -> Iterator[list[int]]:
    """The instructions at which threads are blocked, of each execution in which some are."""
    more = True
    while more:
        more = run.advance()
        for trace in run.core.take_traces():
            if at := [pc for status, pc in trace.ends if status is _core.Status.BLOCKED]:
                yield at


def _with_like(run: Explored, pcs: Iterable[int]) -> list[int]:
    """These instructions, and those in their places of threads that do the same."""
    code = run.problem.code
    found = set(pcs)
    for pc in list(found):
        own = _thread_of(code, pc)
        for group in run.groups:
            if own in group:
                found |= {code.threads[other].entry + pc - code.threads[own].entry for other in group}
    return sorted(found)


def _thread_of(code: Code, pc: int) -> int:
    return max((t.entry, number) for number, t in enumerate(code.threads) if t.entry <= pc)[1]


def _place(code: Code, pc: int) -> tuple[str, int, str]:
    """Of an instruction: its thread, its line and its text."""
    site = code.sites[pc]
    return code.threads[_thread_of(code, pc)].name, site.position.line, site.text


# --- What is never reached --------------------------------------------------------------------------------------------


def unreached(code: Code, reached: int, identical: Sequence[Sequence[int]] = ()) -> dict[Position, str]:
    """The places of assertions that no execution comes to, with their texts.

    That they hold says nothing about the program. `reached` is what the engine says of a whole exploration.

    It numbers assertions in the order of the code; after `NOTED_ASSERTION` of them it begins again, so of many some
    that are not reached may count as reached.
    """
    asserts = [pc for pc, i in enumerate(code.instructions) if i.op is Op.ASSERT and not i.c]
    come_to = {pc for number, pc in enumerate(asserts) if reached >> number % NOTED_ASSERTION & 1}
    return never(code, asserts, come_to, identical)


def never(
    code: Code, pcs: Iterable[int], visited: Collection[int], identical: Sequence[Sequence[int]] = ()
) -> dict[Position, str]:
    """The places of instructions of which none is among those that were visited, with their texts.

    Copies of one in other threads or rounds are one. `identical`: groups of threads of which one was explored for the
    others, too.
    """
    entries = [thread.entry for thread in code.threads]
    like = {thread: group[0] for group in identical for thread in group}
    texts: dict[Position, str] = {}
    keys: dict[tuple[int, int], list[Position]] = {}
    come_to: set[tuple[int, int]] = set()
    for pc in pcs:
        thread = _thread_of(code, pc)
        key = (like.get(thread, thread), pc - entries[thread])
        keys.setdefault(key, []).append(code.sites[pc].position)
        texts[code.sites[pc].position] = code.sites[pc].text
        if pc in visited:
            come_to.add(key)
    known = {position for key in come_to for position in keys[key]}
    return {position: text for position, text in sorted(texts.items(), key=_by_place) if position not in known}


def accesses(code: Code) -> list[int]:
    """The instructions that have events, but for fences that were put in."""
    return [
        pc
        for pc, (i, site) in enumerate(zip(code.instructions, code.sites, strict=True))
        if i.op in EVENTS and not (isinstance(site.part, Fence) and site.part.inserted)
    ]


def noted(code: Code, reached: int) -> dict[Position, str]:
    """The places that are told of where executions come to one of them, with their texts; none where they do not."""
    if not reached >> NOTED_ASSERTION & 1:
        return {}
    places = [site for site, i in zip(code.sites, code.instructions, strict=True) if i.op is Op.ASSERT and i.b]
    return dict(sorted({site.position: site.text for site in places}.items(), key=_by_place))


def _by_place(item: tuple[Position, str]) -> tuple[int, int]:
    return item[0].line, item[0].column
