"""Locks of two blocks, drawn, and which of their rounds are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import xgen
from xgen import Result
from xgen.engine.problem import problem
from xgen.lowering.analysis.spinning import SPINS
from xgen.program.automaton import Program

Words = Callable[[int, int], Mapping[str, object]]
"""What is put into the text of a thread's access, by the thread and the number of the access."""


def left_out(program: Program, model: str) -> int:
    """Of how many updates rounds are left out."""
    return sum(matter[:1] == [SPINS] for matter in problem(program, xgen.model(model)).live)


def states(result: Result) -> set[tuple[tuple[str, object], ...]]:
    return {tuple(sorted(outcome.state.items())) for outcome in result.outcomes}


def random_lock(rng: Random, accesses: Sequence[str], take: str, words: Words) -> str:
    """What two blocks do that take a lock, give it back, give it away and overwrite it in some way: the last three
    accesses are to the lock."""
    text = "mov.u32 %r39, %ctaid.x; setp.ne.s32 %p8, %r39, 0; @%p8 bra $OTHER;\n"
    for thread in range(2):
        chosen = [rng.choice(accesses) for _ in range(rng.choice((1, 2, 2)))] if thread or rng.random() < 0.7 else []
        if thread == 0 or rng.random() < 0.6:
            chosen.insert(rng.randrange(len(chosen) + 1), take)
            if rng.random() < 0.7:
                chosen.append(rng.choice(accesses[-3:]))
        text += "".join(each.format(**words(thread, k)) + "\n" for k, each in enumerate(chosen))
        text += "ret;\n" + ("" if thread else "$OTHER:\n")
    return text
