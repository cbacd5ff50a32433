"""Classes of executions of a program whose parts share nothing: those of each part, combined in all ways.

Where the model does not relate the parts (memory/statics/separable.py), an execution of the program is one execution of
each. So numbers of executions are products, the table of outcomes is one of tables; and what goes wrong in one part
goes wrong in the program if the others have executions at all.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import comb, prod
from typing import Any, Literal

from xgen._core import together
from xgen.engine.graphs.found import Found, found_by
from xgen.engine.graphs.lazy import Lazy
from xgen.engine.graphs.native import OUTCOME_LIMIT, who_waits_alone
from xgen.engine.graphs.options import Options, Progress
from xgen.engine.graphs.run import SLICE, Run
from xgen.engine.graphs.symmetry import symmetries_of
from xgen.engine.problem import Problem, problem
from xgen.executions.execution import INITIAL, Event, Execution
from xgen.executions.result import Outcome
from xgen.memory.statics.separable import separable
from xgen.program.components import components
from xgen.records import replace

_PAIRS = ("rf", "rmw", "addr", "data", "ctrl", "pick_addr", "pick_data", "pick_ctrl", "forks")
_WHOLE = ("executions", "blocked", "bounded")

TURN = 10**8
"""The work (`Run.work`) of a turn."""


def product_of(asked: Problem, options: Options) -> Product | None:
    """The exploration of classes of a problem by its components, if there are several, and the model does not mind."""
    parts = components(asked.program)
    if len(parts) == 1 or not separable(asked.model):
        return None
    return Product(asked, options, [problem(part, asked.asked, classes=True, private=asked.private) for part in parts])


class Product:
    """Explores the components of a problem in turns, and answers as a `Run` of the problem would.

    It is done when all of them are; or, where the first violation is enough, when there is one and each other component
    has an execution.
    """

    def __init__(self, asked: Problem, options: Options, parts: Sequence[Problem]) -> None:
        self.problem = asked
        self.options = self.asked = options
        self.parts = parts
        self.stopped: Literal["interrupt", "timeout"] | None = None
        self.start = time.monotonic()
        self._begin()

    def _begin(self) -> None:
        options = replace(self.options, trace_limit=max(1, self.options.trace_limit))  # one to go with a violation
        names = [thread.name for thread in self.problem.code.threads]
        alone = dict(zip(names, who_waits_alone(self.problem, options), strict=True))
        self.runs = [Run(p, options, alone=[alone[thread.name] for thread in p.code.threads]) for p in self.parts]
        self._open = list(self.runs)
        self._turn: int | None = None  # the work with which that of the first of them ends; None: it has not begun

    @property
    def work(self) -> int:
        """As `Run.work`, of the components that are explored now."""
        return sum(run.work for run in self.runs)

    def ends_within(self, seconds: float, work: int | None = None) -> bool:
        """Explores for so long, and until so much work is done, at most; whether that was the end, or Ctrl-C was.

        Turns end with their work, not with the time: with one worker, what is explored before the end is the same each
        time. Raises as `Run.advance` does.
        """
        end = time.monotonic() + seconds
        while self._open and not self.stopped and (left := end - time.monotonic()) > 0:
            rest = TURN if work is None else work - self.work
            if rest <= 0:
                return False
            run = self._open[0]
            if self._turn is None:
                self._turn = run.work + TURN
            over = run.ends_within(min(left, SLICE), min(self._turn, run.work + rest))
            if not over and run.work < self._turn:
                continue
            self._turn = None
            self._open.pop(0)
            if not over:
                self._open.append(run)
            self.stopped = run.stopped
            if run.options.partition != self.options.partition:  # of what threads see, there are too many graphs
                self.options = replace(self.options, partition=run.options.partition)
                self._begin()
            counters = [run.core.counters for run in self.runs]
            if not self.options.all_states and any(c["violations"] for c in counters):
                self._open = [run for run in self._open if not _sum(run.core.counters, *_WHOLE)]
        return not self._open or self.stopped is not None

    def finish(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Explores until the end, the timeout or Ctrl-C; calls `on_progress` about ten times a second."""
        while not self.ends_within(SLICE):
            if on_progress:
                on_progress(self.progress())

    def progress(self) -> Progress:
        """How far it has come."""
        c = _together([run.core.counters for run in self.runs])
        return Progress(c["executions"], c["blocked"], c["bounded"], c["explored"], time.monotonic() - self.start)

    @cached_property
    def each(self) -> list[Found]:
        """What was found of each component, when the exploration is over."""
        return list(map(found_by, self.runs))

    @property
    def exact(self) -> bool:
        """Whether numbers of stuck executions follow: where there are errors, these need not be of such ones."""
        stuck, wrong = (any(one.counters[name] for one in self.each) for name in ("stuck", "violations"))
        return not (self.options.all_states and stuck and wrong)

    def _orbits(self) -> int:
        """How many classes there are up to the names of symmetric threads, those of like components included."""
        found: list[tuple[int, int]] = []  # the first of some that are alike, and their number
        for n, part in enumerate(self.parts):
            like = (k for k, (first, _) in enumerate(found) if self._alike(self.parts[first], part))
            if self.options.symmetry and (k := next(like, None)) is not None:
                found[k] = found[k][0], found[k][1] + 1
            else:
                found.append((n, 1))
        return prod(comb(self.each[first].counters["orbits"] + count - 1, count) for first, count in found)

    def _alike(self, one: Problem, other: Problem) -> bool:
        """Whether a renaming takes one component to another."""
        count = len(one.program.processes)
        if len(other.program.processes) != count:
            return False
        both = replace(
            one.program,
            processes=one.program.processes + other.program.processes,
            variables=one.program.variables + other.program.variables,
        )
        renamings = symmetries_of(
            problem(both, one.asked, classes=True, private=one.private), self.options.max_depth
        ).renamings
        return any(min(threads[:count]) >= count for threads, _ in renamings)

    def found(self) -> Found:
        """What was found of the program."""
        each = self.each
        counters = _together([one.counters for one in each]) | {"orbits": self._orbits()}
        everything = _sum(counters, *_WHOLE)
        flags = {
            c.name: everything - prod(_sum(one.counters, *_WHOLE) - one.flags.get(c.name, 0) for one in each)
            for c in self.problem.model.constraints
        }
        outcomes = _Outcomes(self.problem.final_values, [list(one.outcomes) for one in each])
        cut = all(one.cut or _sum(one.counters, *_WHOLE) for one in each)  # else there is nothing to cut
        wrong = [n for n, one in enumerate(each) if one.witness is not None and everything]
        shown = [one.witness if one.witness and n == wrong[0] else one.traces[0] for n, one in enumerate(each) if wrong]
        return Found(
            counters,
            {name: number for name, number in flags.items() if number},
            outcomes,
            all(one.outcomes_complete for one in each) and len(outcomes) == outcomes.number,
            combined(self.problem, shown) if wrong else None,
            _Traces(self.problem, [one.traces for one in each], self.options.trace_limit),
            tuple(dict.fromkeys(place for one in each if cut for place in one.cuts)),
            tuple(place for one in each if counters["stuck"] and one.counters["stuck"] for place in one.waits),
            cut and any(one.cut for one in each),
            all(one.counted for one in each),
            -1 if everything else 0,
            self.stopped,
        )


def _sum(counters: Mapping[str, int], *names: str) -> int:
    return sum(counters[name] for name in names)


def _together(each: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The numbers of the program, from those of its components."""

    def product(*names: str) -> int:
        return prod(_sum(counters, *names) for counters in each)

    complete, uncut, everything = (product(*_WHOLE[: n + 1]) for n in range(3))
    right = prod(_sum(counters, *_WHOLE) - counters["violations"] for counters in each)
    return together(list(map(dict, each))) | {
        "executions": complete,
        "blocked": uncut - complete,
        "stuck": product("executions", "stuck") - complete,
        "bounded": everything - uncut,
        "violations": everything - right,
        "classes": product("classes"),
    }


class _Outcomes(Lazy[Outcome]):
    """All combinations of outcomes of components, ordered by their values as those of a run are."""

    def __init__(self, names: Sequence[str], rows: Sequence[Sequence[Outcome]]) -> None:
        self._rows = rows
        self._owners = [(name, n) for name in names for n, own in enumerate(rows) if own and name in own[0].state]
        self.number = prod(map(len, rows))

    def __len__(self) -> int:
        return min(self.number, OUTCOME_LIMIT)

    def item(self, place: int) -> Outcome:
        """The outcome at a place: of each component there are some rows left, fewer with each value."""
        left, number = [(0, len(rows)) for rows in self._rows], self.number
        for name, n in self._owners:
            first, last = left[n]
            each = number // (last - first)
            while True:
                value = self._rows[n][first].state[name]
                end = bisect_right(self._rows[n], value, first, last, key=lambda row: row.state[name])
                number = (end - first) * each
                if place < number:
                    break
                place, first = place - number, end
            left[n] = first, end
        found = [self._rows[n][first] for n, (first, _) in enumerate(left)]
        count, right = prod(row.count for row in found), prod(row.count - row.violations for row in found)
        return Outcome({name: found[n].state[name] for name, n in self._owners}, count, count - right)


class _Traces(Lazy[Execution]):
    """The first combinations of executions that were kept of components."""

    def __init__(self, problem: Problem, kept: Sequence[Sequence[Execution]], limit: int) -> None:
        self._problem, self._kept, self._limit = problem, kept, limit

    def __len__(self) -> int:
        return min(self._limit, prod(map(len, self._kept)))

    def item(self, place: int) -> Execution:
        """The combination with that number."""
        found = []
        for executions in self._kept:
            place, own = divmod(place, len(executions))
            found.append(executions[own])
        return combined(self._problem, found)


def combined(asked: Problem, parts: Sequence[Execution]) -> Execution:
    """The execution of a program that has one of each of its components."""
    threads = {thread.name: number for number, thread in enumerate(asked.code.threads)}
    cells = {cell.name: number for number, cell in enumerate(asked.code.cells)}
    events: dict[tuple[int, int], Event] = {}  # by the part's number, and its number there
    later = 0
    for n, part in enumerate(parts):
        for number, event in enumerate(part.events):
            initial = event.thread == INITIAL
            thread = INITIAL if initial else threads[part.threads[event.thread]]
            index = cells[str(event.variable)] if initial else event.index
            events[n, number] = replace(event, thread=thread, index=index, step=event.step + later * (not initial))
        later += len(part.events)
    order = sorted(events, key=lambda key: (events[key].thread, events[key].index))
    place = {key: number for number, key in enumerate(order)}
    ends = {name: end for part in parts for name, end in zip(part.threads, part.ends, strict=True)}
    state = {name: value for part in parts for name, value in part.state.items()}
    waits = {name: round_ for part in parts for name, round_ in zip(part.threads, part.waits, strict=False)}
    stuck = all(part.waits or set(part.ends) <= {"ended", "unstarted"} for part in parts)
    violations = []
    for n, part in enumerate(parts):
        ids = {event.id: events[n, number].id for number, event in enumerate(part.events)}
        for one in part.violations:
            named = tuple(ids[name] for name in one.events)
            violations.append(replace(one, thread=threads[part.threads[one.thread]], events=named))
    pairs: dict[str, Any] = {
        name: tuple((place[n, a], place[n, b]) for n, part in enumerate(parts) for a, b in getattr(part, name))
        for name in _PAIRS
    }
    return Execution(
        threads=tuple(threads),
        events=tuple(events[key] for key in order),
        mo=tuple(sorted(tuple(place[n, w] for w in cell) for n, part in enumerate(parts) for cell in part.mo)),
        ends=tuple(ends[name] for name in threads),
        state={name: state[name] for name in asked.final_values},
        violations=tuple(violations),
        source=asked.code.source,
        waits=tuple(waits.get(name) for name in threads) if stuck and waits else (),
        decided=tuple(sorted(place[n, read] for n, part in enumerate(parts) for read in part.decided)),
        **pairs,
    )
