"""Which writes have to be atomic for a formula to hold: all minimal sets, and which of them each repair needs.

An atomic write waits until its process' own stores are in memory and goes there at once, as a locked instruction of x86
does (P. Sewell et al., x86-TSO, Communications of the ACM 53, 2010).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from xgen.analyses.fences.minimal import MinimalSets, members
from xgen.analyses.ltl import LtlResult
from xgen.engine.explicit.states import Order
from xgen.records import dataclass, replace
from xgen.systems.processes import System, Transition

Verdict = Literal["holds", "repaired", "not-repairable", "interrupted"]


@dataclass(frozen=True, slots=True)
class Repairs:
    """The minimal sets of writes that have to be atomic.

    first      the answer about the system as it is
    writes     the steps that write to shared memory and are not atomic; sets have their numbers
    sets       the repairs, the smallest first; `complete`: all of them, else `reason` says why not
    cuts       of each of these sets one write at least has to be atomic
    bounded    some answer is about the bounded buffers only
    runs       how often the formula was asked about; states: those of all runs
    left       what goes wrong with all writes atomic, where no repair helps
    """

    first: LtlResult
    verdict: Verdict
    writes: tuple[Transition, ...]
    sets: tuple[tuple[int, ...], ...]
    cuts: tuple[tuple[int, ...], ...]
    complete: bool
    reason: str | None
    bounded: bool
    runs: int
    states: int
    left: LtlResult | None = None


class _Stopped(Exception):
    """An answer did not come; its argument says why."""


def find_repairs(system: System, ask: Callable[[System], LtlResult]) -> Repairs:
    """The minimal repairs of a system, by asking whether a formula holds with some writes made atomic.

    Atomic writes take away runs, and the moments between a step and its arrival in memory: a formula that needs such a
    moment may hold with fewer atomic writes only, which is not looked for.
    """
    first = ask(system)
    numbers = find_writes(system, first.memory)
    answers = {0: first}

    def is_unsafe(chosen: int) -> bool:
        if chosen not in answers:
            answers[chosen] = ask(with_atomic(system, [numbers[n] for n in members(chosen)]))
        result = answers[chosen]
        if result.stopped:
            raise KeyboardInterrupt
        if result.verdict == "interrupted":
            raise _Stopped(result.reason)
        return result.verdict in ("fails", "error")

    search = MinimalSets([1] * len(numbers), is_unsafe, monotone=False)
    sets: list[tuple[int, ...]] = []
    reason = None
    try:
        for found in search:
            sets.append(tuple(members(found)))
    except _Stopped as stopped:
        reason = str(stopped)
    except KeyboardInterrupt:
        reason = "it was interrupted"
    verdict: Verdict = "repaired" if sets else "interrupted" if reason else "not-repairable"
    if sets == [()]:
        verdict = "holds"
    return Repairs(
        first,
        verdict,
        tuple(system.transitions[n] for n in numbers),
        tuple(sets),
        tuple(tuple(members(cut)) for cut in search.cuts),
        reason is None,
        reason,
        any(answer.verdict == "holds-within-bound" for answer in answers.values()),
        len(answers),
        sum(answer.states for answer in answers.values()),
        answers[search.everything] if verdict == "not-repairable" else None,
    )


def find_writes(system: System, memory: Order) -> list[int]:
    """The numbers of the transitions whose stores can be delayed."""
    return [
        number
        for number, transition in enumerate(system.transitions)
        if memory != "sc" and not (transition.atomic or transition.direct)
        if any(e.variable.is_shared for e in transition.effects)
    ]


def with_atomic(system: System, numbers: list[int]) -> System:
    """The system in which some more transitions are atomic."""
    changed = list(system.transitions)
    for number in numbers:
        changed[number] = replace(changed[number], atomic=True)
    return replace(system, transitions=tuple(changed))
