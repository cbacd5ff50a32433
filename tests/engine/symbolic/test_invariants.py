"""Every proof comes with an invariant that a checker with rules of its own accepts, and it tells when one is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from oracle.buffers.invariants import Checker
from oracle.strategies import LOOPS, random_program

import xgen
from xgen.engine import symbolic
from xgen.engine.problem import problem
from xgen.engine.symbolic import Found, Options
from xgen.lowering.code import Code

FOLDER = Path(__file__).parents[3] / "programs" / "endless"
LONG = {("filter3_fenced", "tso"), ("filter3_fenced", "pso"), ("bakery3_fenced", "tso"), ("bakery3_fenced", "pso")}
"""Minutes; the last one has 299,142 states, and takes 2.3 GiB."""
SLOW = {"bakery3", "bakery3_fenced", "fast_mutex_fenced", "filter3", "filter3_fenced", "increasing"}


def safe_ones() -> Iterator[Any]:
    """The endless programs that are safe, as their heads say, and under which machine."""
    for path in sorted(FOLDER.glob("*.xcfa")):
        for machines in re.findall(r"// prove (?:--deadlock )?([a-z, ]+): safe\n", path.read_text()):
            for machine in machines.split(", "):
                marks = [pytest.mark.slow] if path.stem in SLOW else []
                if (path.stem, machine) in LONG:
                    marks = [pytest.mark.long, pytest.mark.timeout(3600)]
                yield pytest.param(path.stem, machine, marks=marks)


def proved(program: xgen.Program, machine: str, timeout: float | None = None) -> tuple[Found, Code]:
    asked = problem(program, xgen.model(machine))
    return symbolic.explore(asked, Options(invariant=True, limit=1_000_000, timeout=timeout)), asked.code


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "machine"), list(safe_ones()))
def test_the_endless_programs(name: str, machine: str) -> None:
    found, code = proved(xgen.load(FOLDER / f"{name}.xcfa"), machine)
    assert found.verdict == "safe"
    assert Checker(found, code).check() is None


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 60), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("machine", ["tso", "pso"])
def test_random_programs_with_loops(machine: str, seeds: range) -> None:
    features = replace(LOOPS, loops=30, rmws=10, faults=0, asserts=4, fence_tags=(None, "sfence"))
    checked = 0
    for seed in seeds:
        text = str(random_program(Random(seed), features))
        found, code = proved(xgen.parse(text), machine, timeout=5)
        if found.verdict == "safe":
            checked += 1
            assert Checker(found, code).check() is None, f"seed {seed}\n{text}"
    assert checked >= len(seeds) // 2


@pytest.mark.parametrize("machine", ["tso", "pso"])
def test_a_state_less_is_no_invariant(machine: str) -> None:
    found, code = proved(xgen.load(FOLDER / "peterson_fenced.xcfa"), machine)
    assert found.invariant is not None
    for number in range(len(found.invariant)):
        less = [state for n, state in enumerate(found.invariant) if n != number]
        assert Checker(replace(found, invariant=less), code).check() is not None


def test_a_smaller_past_is_no_invariant() -> None:
    found, code = proved(xgen.load(FOLDER / "dijkstra_fenced.xcfa"), "tso")
    assert found.invariant is not None
    less = [(*state[:2], [past[1:] for past in state[2]], *state[3:]) for state in found.invariant]
    assert Checker(replace(found, invariant=less), code).check() is not None
