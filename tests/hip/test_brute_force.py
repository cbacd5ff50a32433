"""Threads of kernels in HIP: the executions and races of random ones, by brute force."""

from __future__ import annotations

from random import Random

import pytest

import xgen
from tests.hip.hip_oracle import Instr, Test, draw, run
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
        pytest.param(range(90), id="fast"),
        pytest.param(range(90, 400), id="slow", marks=pytest.mark.slow),
        pytest.param(range(400, 6000), id="long", marks=pytest.mark.long),
    ],
)
def test_against_brute_force(seeds: range) -> None:
    assert sum(compare(draw(Random(seed))) for seed in seeds) >= 3 * len(seeds) // 2


def known(order: str, scope: str, fence: tuple[str, str], blocks: int = 4) -> Test:
    """Two writers, and two readers that read in opposite order (IRIW), with fences between."""

    def reads(first: str, second: str) -> tuple[Instr, ...]:
        between = [Instr("fence", *fence)] if fence[0] else []
        return Instr("ld", order, scope, first, "r0"), *between, Instr("ld", order, scope, second, "r1")

    written = "seq_cst" if order == "seq_cst" else "relaxed"
    writers = ((Instr("st", written, scope, "x", value=1),), (Instr("st", written, scope, "y", value=1),))
    return Test((*writers, reads("x", "y"), reads("y", "x")), blocks)


@pytest.mark.parametrize(
    ("drawn", "allowed"),
    [
        (known("relaxed", "agent", ("seq_cst", "agent")), False),
        (known("relaxed", "agent", ("acq_rel", "agent")), True),
        (known("relaxed", "agent", ("seq_cst", "workgroup")), True),
        (known("relaxed", "workgroup", ("seq_cst", "workgroup"), 1), False),
        (known("seq_cst", "system", ("", "")), False),
        (known("acquire", "system", ("", "")), True),
    ],
)
def test_two_readers_that_disagree(drawn: Test, allowed: bool) -> None:
    disagree = {("2:r0", 1), ("2:r1", 0), ("3:r0", 1), ("3:r1", 0)}
    assert any(disagree <= set(state) for state in run(drawn)[0]) is allowed
    compare(drawn)
