"""Whether any execution completes: the same by executions, by classes of all kinds, by cones, and by the search."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from oracle.against import features_for
from oracle.run_long import FEATURES
from oracle.strategies import DEFAULT, LOOPS, random_program

import xgen
from xgen.analyses.check.completion import completion
from xgen.clock import Clock
from xgen.engine.graphs.run import Options
from xgen.engine.problem import problem

ROUNDS = [
    pytest.param(range(60), id="fast"),
    pytest.param(range(60, 3000), id="long", marks=pytest.mark.long),
]
KINDS = (
    replace(DEFAULT, assumes=35, asserts=3, faults=0, threads=(2, 3, 3), events=(1, 4)),
    replace(LOOPS, assumes=25, faults=0, asserts=3),
    replace(DEFAULT, assumes=25, rmws=25, asserts=2),
    replace(FEATURES["arrays"], assumes=25),
    replace(DEFAULT, leaves=8, assumes=15),
)


@pytest.mark.parametrize("seeds", ROUNDS)
@pytest.mark.parametrize("name", ["sc", "tso", "weak", "rc11", "arm8"])
def test_random_programs(name: str, seeds: range) -> None:
    model, empty = xgen.model(name), 0
    for seed in seeds:
        features = features_for(model, KINDS[seed % len(KINDS)])
        program = xgen.parse(str(random_program(Random(f"{name} {seed}"), features)), "xcfa")
        whole = xgen.check(program, model, max_depth=6, classes="off", all_states=True)
        if whole.violations:
            continue
        completes = whole.executions > 0
        assert (whole.verdict == "vacuous") != completes, program
        for classes in ("auto", "rf", *(() if name == "arm8" else ("values", "seen"))):
            for cones in (False, True):
                found = xgen.check(program, model, max_depth=6, classes=classes, cones=cones)  # type: ignore[arg-type]
                assert (found.verdict == "vacuous") != completes, (program, classes, cones)
        asked = problem(program, model)
        if not asked.strategy.ahead:
            looked = completion(asked, lambda: problem(program, model, classes=True), Options(6), Clock())  # noqa: B023
            assert looked.known == completes, program
        empty += not completes
    assert empty >= len(seeds) // 15
