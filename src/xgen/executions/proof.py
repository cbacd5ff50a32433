"""The answer of a proof: a verdict without a bound, and what it rests on."""

from __future__ import annotations

from typing import Literal

from xgen.executions.execution import Execution, Value
from xgen.records import dataclass

ProofVerdict = Literal["safe", "violation", "deadlock", "unknown"]


@dataclass(frozen=True, slots=True)
class Snapshots:
    """Some of the memory's values at an earlier moment; `many`: any of several such, any number of times.

    `own`: not a moment, but that the thread's own store reached the memory there.
    """

    values: tuple[dict[str, Value], ...]
    many: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Covering:
    """States of a program: where each thread stands, the memory, what each thread may still see, what it has to store.

    `at`: per thread the line and the text of its next statement. `pasts`: what a thread may read instead of what is
    there now, oldest first, for the threads that may. `buffers`: per thread and variable the values that are still to
    reach the memory, oldest first; all but the last may be missing. What has no value yet is left out.
    """

    at: dict[str, tuple[int, str]]
    memory: dict[str, Value]
    pasts: dict[str, tuple[Snapshots, ...]]
    buffers: dict[tuple[str, str], tuple[Snapshots, ...]]


@dataclass(frozen=True)
class Proof:
    """What was found out about a program without any bound.

    proof         of "safe": "exact" (the states that were stored are those that can be reached) or "widened" (they are
                  some more); of a violation or deadlock always "exact"; None where nothing was found out
    widening      the number of atoms beyond which pasts and buffers were widened; None: they were not
    stored        symbolic states that cover all; visited: that were explored; accelerated: in which a loop was taken
                  any number of times at once; atoms: the length of the longest past or buffer
    domains       the values that each variable takes; local_states: of each thread
    reason        why there is no answer, or which requirement is not met
    invariant     with --invariant, of "safe": the states, which cover all that can be reached
    warnings      what the user should know, one sentence each
    map           what the program is compiled for; "none": its text is taken as it stands
    """

    program: str
    model: str
    verdict: ProofVerdict
    proof: Literal["exact", "widened"] | None
    widening: int | None
    stored: int
    visited: int
    accelerated: int
    atoms: int
    domains: dict[str, list[Value]]
    local_states: dict[str, int]
    witness: Execution | None
    reason: str | None
    invariant: tuple[Covering, ...] | None
    seconds: float
    peak_kib: int
    warnings: tuple[str, ...] = ()
    map: str | None = None
