"""Threads that undo each other's work for ever: fair cycles of runs in which threads take turns, as executions.

The core explores the states of a program's code (src/core/states/turns.hpp). A cycle of states in which something is
written, and in which each thread takes a turn or never can take one, goes on for ever; the execution that is shown of
it has its rounds twice. That models of relaxed memory allow such a run is a matter of their form
(memory/statics/sequential.py).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from xgen import _core
from xgen._core import EventKind, Op, RmwKind, Status
from xgen.engine.graphs.convert import to_execution
from xgen.engine.graphs.native import native
from xgen.engine.problem import Problem
from xgen.errors import listed
from xgen.executions.execution import INITIAL, Execution, Violation, show_value
from xgen.lowering.analysis.undone import backs_off, is_try
from xgen.lowering.code import Code
from xgen.memory.statics.sequential import allows_turns
from xgen.records import dataclass, replace

MOST_STATES = 20_000
MOST_WORDS = 4_000_000
"""Of all states together."""
MOST_THREADS = 64
SLICE = 500
"""States between two looks at the clock."""
PATIENCE = 1.0
"""Seconds for all of it: it comes before an exploration that may have an answer."""
ROUNDS = 2
"""How often the cycle is shown."""
MOST_NAMED = 4
"""Writes of a thread that are named."""
HINT = (
    "the last round is shown twice: all is as before then, so it can be repeated for ever; each thread takes a step in "
    "it, or can take none"
)
STATE = ".__state"
"""The cell of a mutex of C."""
OF_MUTEXES = frozenset({"lock", "unlock"})
UNKNOWN = frozenset({Op.LOADX, Op.STOREX, Op.PREDICT, Op.MEET, Op.GATHER, Op.BLOCK, Op.BOUND})
"""What threads that take turns do not do here; a bound ends what goes on."""

_Turn = tuple[int, int, int, bool, bool, int, int]


@dataclass(frozen=True, slots=True)
class Turns:
    """What was found: an execution that goes on for ever, or None; `complete`: there is no other run of this kind."""

    witness: Execution | None
    complete: bool


def may_go_on(problem: Problem) -> bool:
    """Whether a loop writes, so that threads may go on for ever and not only wait, and it can be looked for."""
    code = problem.code
    if code.parts is not None or len(code.threads) > MOST_THREADS or any(t.block >= 0 for t in code.threads):
        return False
    if any(i.op in UNKNOWN for i in code.instructions):
        return False
    return any(counts and problem.live[pc] for pc, counts in enumerate(_counts(code)))


def look_for_cycle(problem: Problem, seconds: float | None = None) -> Turns:
    """Looks for threads that undo each other's work for ever, if `may_go_on`; in so many seconds at most."""
    if not allows_turns(problem.model):
        return Turns(None, complete=False)
    code, counts = problem.code, _counts(problem.code)
    end = time.monotonic() + min(PATIENCE, PATIENCE if seconds is None else seconds / 4)
    core = _core.Turns(native(code, problem.live), counts, _takes(code))
    most, more = min(MOST_STATES, MOST_WORDS // max(1, core.width)), True
    while more and core.states < most and time.monotonic() < end:
        more = core.explore(min(most, core.states + SLICE))
    if core.wrong or not core.find():  # what goes wrong is found otherwise, and comes first
        return Turns(None, complete=core.complete and not more and not core.wrong)
    if any(backs_off(code, turn[1]) for turn in core.cycle):
        return Turns(None, complete=False)
    return Turns(_Lasso(problem, counts, core.prefix, core.cycle, core.standing).execution(), complete=False)


def _takes(code: Code) -> list[bool]:
    """By instruction: whether it takes a mutex."""
    return [
        i.op is Op.RMW and (code.rmws[i.c].kind is RmwKind.LOCK or is_try(code, pc))
        for pc, i in enumerate(code.instructions)
    ]


def _counts(code: Code) -> list[bool]:
    """By instruction: whether a round that writes there is more than one that only waits. Rounds that lock a mutex and
    unlock it only wait, if nobody can see that."""
    tries = not code.only_locks
    return [
        i.op is Op.STORE
        or (i.op is Op.UNLOCK and tries)
        or (i.op is Op.RMW and (tries or code.rmws[i.c].kind is not RmwKind.LOCK))
        for i in code.instructions
    ]


class _Lasso:
    """A way to a cycle of states, and the cycle, as an execution."""

    def __init__(
        self,
        problem: Problem,
        counts: Sequence[bool],
        prefix: Sequence[_Turn],
        cycle: Sequence[_Turn],
        standing: Sequence[tuple[Status, int]],
    ) -> None:
        self.problem, self.code, self.standing = problem, problem.code, standing
        self.before = len(prefix) + (ROUNDS - 1) * len(cycle)
        """The turns before the last round."""
        self.turns = [*prefix, *(turn for _ in range(ROUNDS) for turn in cycle)]
        self.movers = {turn[0] for turn in cycle}
        self.writers = {turn[0]: turn[1] for turn in reversed(cycle) if turn[4] and counts[turn[1]]}
        self.number = dict.fromkeys(range(len(self.code.threads)), 0)
        self.rounds = [-1] * len(self.code.threads)

    def execution(self) -> Execution:
        """The execution, which is a violation."""
        found = to_execution(self.problem, cast(_core.Trace, self._trace()))
        violations = tuple(self._violation(found, thread, pc) for thread, pc in sorted(self.writers.items()))
        state = {name: value for name, value in found.state.items() if ":" not in name}
        return replace(found, violations=violations, state=state)

    def _violation(self, found: Execution, thread: int, pc: int) -> Violation:
        """What a thread writes again and again, at the first of these places."""
        site, written = self.code.sites[pc], [event for event in found.round_of(thread) if event.kind == "W"]
        mutexes = [f"{event.variable}".removesuffix(STATE) for event in written if "lock" in event.tags]
        others = [event for event in written if event.tags.isdisjoint(OF_MUTEXES)]
        values = [f"{event.variable} = {show_value(event.value)}" for event in others]
        said = [
            f"{does} {_named(what)}" for does, what in (("takes and gives back", mutexes), ("writes", values)) if what
        ]
        return Violation("livelock", thread, site.position, site.text, listed(said, "and"), hint=HINT)

    # ---- the execution as the core's traces have it

    def _trace(self) -> Any:
        cells = range(len(self.code.cells))
        last = list(cells)
        mo = [[cell] for cell in cells]
        events = [
            self._event(cell, INITIAL, -1, EventKind.WRITE, 0, cell, value=self.code.initial[cell]) for cell in cells
        ]
        rmw, forks = [], []
        ends_: dict[int, int] = {}
        starts: dict[int, int] = {}
        for at, (thread, pc, cell, reads, writes, read, written) in enumerate(self.turns):
            if at == self.before:
                self.rounds = [
                    self.number[t] if t in self.movers or self._waits(t) else -1 for t in range(len(self.rounds))
                ]
            i = self.code.instructions[pc]
            update = i.op is Op.RMW
            made = []
            if reads:
                rmw_ = self.code.rmws[i.c] if update else None
                kind = i.c if rmw_ is None else rmw_.read_class if writes else rmw_.failed_class
                made.append(self._event(len(events), thread, pc, EventKind.READ, kind, cell, rf=last[cell], value=read))
            if writes:
                kind = self.code.rmws[i.c].write_class if update else i.c
                slot = len(events) + len(made)
                made.append(self._event(slot, thread, pc, EventKind.WRITE, kind, cell, value=written))
                mo[cell].append(slot)
                last[cell] = slot
                if update:
                    rmw.append((slot - 1, slot))
            if not made and i.op in (Op.FENCE, Op.START, Op.JOIN, Op.OBJECT):
                object_ = cell if i.op is Op.OBJECT else -1
                made.append(self._event(len(events), thread, pc, EventKind.FENCE, i.c, -1, object_=object_))
            if made and thread in starts:
                forks.append((starts.pop(thread), made[0].slot))
            if i.op is Op.START:
                starts[i.a] = made[0].slot
            if i.op is Op.JOIN and i.a in ends_:
                forks.append((ends_[i.a], made[0].slot))
            if made:
                ends_[thread] = made[-1].slot
            else:
                self.number[thread] += 1  # a choice
            events += made
        none: list[tuple[int, int]] = []
        return SimpleNamespace(
            events=sorted(events, key=lambda event: (event.thread, event.slot)),
            mo=mo,
            ends=[self._end(thread) for thread in range(len(self.code.threads))],
            locals=[list(thread.initial) for thread in self.code.threads],
            rounds=self.rounds,
            deadlock=False,
            rmw=rmw,
            forks=forks,
            gathered=[],
            decided=[],
            **dict.fromkeys(("addr", "data", "ctrl", "pick_addr", "pick_data", "pick_ctrl"), none),
        )

    def _event(
        self, slot: int, thread: int, pc: int, kind: EventKind, event_class: int, cell: int, *,
        rf: int = -1, value: int = 0, object_: int = -1,
    ) -> SimpleNamespace:  # fmt: skip
        number = -1
        if thread != INITIAL:
            number = self.number[thread]
            self.number[thread] += 1
        return SimpleNamespace(
            slot=slot, number=number, kind=kind, thread=thread, pc=pc, event_class=event_class, cell=cell,
            object=object_, rf=rf, value=value, block=0, part=0,
        )  # fmt: skip

    def _waits(self, thread: int) -> bool:
        """Whether a thread that takes no turn in the cycle waits: at a mutex, for another one's end, or by itself."""
        return self.standing[thread][0] not in (Status.ENDED, Status.UNSTARTED)

    def _end(self, thread: int) -> tuple[Status, int]:
        status, pc = self.standing[thread]
        return (Status.BLOCKED if self._waits(thread) else status), pc


def _named(words: Sequence[str]) -> str:
    """The first of these, each once, and how many there are besides."""
    each = list(dict.fromkeys(words))
    more = [f"{len(each) - MOST_NAMED} more"] if len(each) > MOST_NAMED else []
    return listed([*each[:MOST_NAMED], *more], "and")
