"""Threads of kernels in HIP: the executions and races of random ones, by brute force."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.hip.hip_oracle import Test, draw, run
from tests.hip.kernels import program
from xgen.records import replace

MODEL = xgen.model("hip")


def compare(drawn: Test) -> int:
    """How many final states there are, which are the same by brute force; so is whether there is a race."""
    expected, race = run(drawn)
    made = program(drawn.text, drawn.launch)
    result = xgen.check(replace(made, races=False), MODEL, all_states=True, trace_limit=0)
    cells = [f"out{k}" for k in range(len(drawn.registers))]
    found = {
        (
            *((f"{n}:{name}", outcome.state[cell]) for (n, name), cell in zip(drawn.registers, cells, strict=True)),
            *((f"[{name}]", outcome.state.get(name, 0)) for name in drawn.locations),
        )
        for outcome in result.outcomes
    }
    assert found == expected, drawn.text
    raced = xgen.check(made, MODEL)
    assert (raced.verdict == "violation") is race, drawn.text
    return len(found)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(40), id="fast"),
        pytest.param(range(40, 400), id="slow", marks=pytest.mark.slow),
        pytest.param(range(400, 6000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    assert sum(compare(draw(Random(seed))) for seed in seeds) >= 3 * len(seeds) // 2
