"""Programs of the library's primitives, made at random: xgen finds the ends that an interpreter finds, and whether a
thread may wait for ever."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from c.library.primitives import FUTEXES, PROFILES, VARIABLES, Interpreter, random_program
from c.running import load, model

import xgen


def compare(seed: int, spurious: bool, profiles: Sequence[str] = PROFILES, seconds: float = 20) -> bool:
    """Whether the program was small enough to be compared."""
    program = random_program(Random(seed), profiles)
    interpreter = Interpreter(program, spurious)
    if not interpreter.run():
        return False
    loaded = load(program.text, races=False, spurious=spurious)
    try:
        found = xgen.check(loaded, model("sc"), all_states=True, trace_limit=0, timeout=seconds)
    except xgen.LimitError:  # rounds without an end, where another thread tries the mutex
        return False
    if found.stopped:
        return False
    ends = {tuple(outcome.state[v] for v in VARIABLES) for outcome in found.outcomes}
    assert ends == interpreter.ends, (seed, program.text)
    waiting = xgen.check(loaded, model("sc"), liveness=True)
    assert (waiting.verdict == "violation") == interpreter.stuck, (seed, program.text)
    return True


@pytest.mark.parametrize("spurious", [False, True])
def test_as_an_interpreter_has_it(spurious: bool) -> None:
    assert sum(compare(seed, spurious) for seed in range(60)) > 50


@pytest.mark.parametrize("spurious", [False, True])
def test_futexes_as_an_interpreter_has_them(spurious: bool) -> None:
    """Some have rounds without an end, where a thread wakes up for nothing and writes."""
    assert sum(compare(seed, spurious, FUTEXES, 2) for seed in range(40)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("spurious", [False, True])
def test_more_as_an_interpreter_has_it(spurious: bool) -> None:
    assert sum(compare(seed, spurious) for seed in range(60, 700)) > 580
    assert sum(compare(seed, spurious, FUTEXES, 2) for seed in range(60, 160)) > 60
