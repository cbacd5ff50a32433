"""Exploring in parts: roots that can be sent to other processes, and putting together what comes back.

    roots = split(problem, 8)                             # at least 8, if there are so many
    parts = [explore(problem, [root]) for root in roots]  # anywhere, in any order
    found = merge(parts)

`xgen.analyses.safety.check_in_parts` does all of it on an executor, with bounds that grow where `Run` has them; the
roots of an exploration are those of one bound.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Literal

from xgen import _core
from xgen.engine.intervals import WHOLE, Interval, after
from xgen.engine.problem import Problem
from xgen.engine.run import Options, Run
from xgen.executions.execution import Execution
from xgen.executions.result import Outcome

_AT_ONCE = "held"
"""The counter of what is there at one time: of parts that are explored one after the other the most counts."""


@dataclass(frozen=True)
class Part:
    """What the exploration of some roots has found.

    `cut`: a bound made a difference, `cuts` says where; `outgrown`: that on events per thread did. `reached`: see
    `_core.Exploration`.
    """

    counters: dict[str, int]
    flags: dict[str, int]
    outcomes: Sequence[Outcome]
    outcomes_complete: bool
    witness: Execution | None
    traces: Sequence[Execution]
    cuts: tuple[str, ...]
    waits: tuple[str, ...]
    cut: bool = False
    outgrown: bool = False
    counted: bool = True
    reached: int = 0
    stopped: Literal["interrupt", "timeout", "lost"] | None = None


def part_of(run: Run) -> Part:
    """What a run has found."""
    return Part(
        run.core.counters,
        run.flags(),
        run.outcomes(),
        run.core.outcomes_complete,
        run.witness(),
        run.traces(),
        tuple(run.cuts()),
        tuple(run.waits()),
        run.cut,
        run.outgrown,
        run.core.counted,
        run.core.reached,
        run.stopped,
    )


def split(problem: Problem, n: int, options: Options | None = None) -> list[Interval]:
    """At least n roots, which together are the whole exploration; fewer where there are not so many graphs."""
    options = options or Options()
    leaves: list[Interval] = []
    inner = deque([WHOLE])
    while inner and len(leaves) + len(inner) < n:
        root = inner.popleft()
        count = Run(problem, options, root).branches()
        if count == 0:
            leaves.append(root)
        inner.extend(after((*root.path, branch)) for branch in range(count))
    return leaves + list(inner)


def explore(problem: Problem, roots: Iterable[Interval], options: Options | None = None) -> Part:
    """Explores roots, one after the other, up to the first violation unless `options.all_states`."""
    options = options or Options()
    parts = []
    for root in roots:
        run = Run(problem, options, root)
        run.finish()
        found = part_of(run)
        # Both are made when they are asked for, but what is sent to another process has to be made before.
        parts.append(replace(found, outcomes=tuple(found.outcomes), traces=tuple(found.traces)))
        if found.witness is not None and not options.all_states:
            break
    return merge(parts)


def merge(parts: Sequence[Part]) -> Part:
    """What some parts have found together."""
    counted: dict[tuple[tuple[str, int | bool], ...], list[int]] = {}
    for part in parts:
        for outcome in part.outcomes:
            entry = counted.setdefault(tuple(outcome.state.items()), [0, 0])
            entry[0] += outcome.count
            entry[1] += outcome.violations
    ordered = sorted(counted.items(), key=lambda item: [int(value) for _, value in item[0]])
    return Part(
        {name: (max if name == _AT_ONCE else sum)([0, *(p.counters[name] for p in parts)]) for name in _core.COUNTERS},
        dict(sum((Counter(part.flags) for part in parts), Counter())),
        tuple(Outcome(dict(state), *numbers) for state, numbers in ordered),
        all(part.outcomes_complete for part in parts),
        next((part.witness for part in parts if part.witness is not None), None),
        tuple(trace for part in parts for trace in part.traces),
        tuple(dict.fromkeys(cut for part in parts for cut in part.cuts)),
        tuple(dict.fromkeys(place for part in parts for place in part.waits)),
        any(part.cut for part in parts),
        any(part.outgrown for part in parts),
        all(part.counted for part in parts),
        reduce(or_, (part.reached for part in parts), 0),
        next((part.stopped for part in parts if part.stopped is not None), None),
    )
