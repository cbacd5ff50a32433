"""Threads of GPUs that meet at barriers, against threads that tell each other by cells that they have come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest

from tests.litmus.gpu import opencl_oracle, ptx_oracle
from tests.litmus.gpu.test_ptx import written
from tests.litmus.reading import read
from xgen.analyses.suite.litmus import LitmusResult, run_litmus
from xgen.analyses.suite.suite import asking_whether_all_end
from xgen.lowering.threads import lower
from xgen.memory.library import load_model
from xgen.program.rewrite import with_arrivals

Drawn: TypeAlias = Any
Instr: TypeAlias = Any
"""Of either oracle."""


def seen(result: LitmusResult) -> tuple[object, ...]:
    told = sorted(map(str, result.states)), result.positive, result.negative
    return result.verdict, told, bool(result.waits), result.flags


def with_more(drawn: Drawn, rng: Random, make: Callable[[], Instr]) -> Drawn:
    """A test with barriers in between, of one block."""
    threads = []
    for _, body in drawn.threads:
        more = list(body)
        for _ in range(rng.choice((1, 1, 2))):
            more.insert(rng.randint(0, len(more)), make())
        threads.append(((0, 0), tuple(more)))
    return replace(drawn, threads=tuple(threads))


def compare(text: str, model: str, ending: bool) -> bool:
    """Whether some of the threads meet."""
    test = read(text)
    test = asking_whether_all_end(test) if ending else test
    cells = replace(test, program=with_arrivals(test.program, ordered=False))
    assert seen(run_litmus(test, load_model(model))) == seen(run_litmus(cells, load_model(model))), text
    return bool(lower(test.program).groups)


SEEDS = [range(50), pytest.param(range(50, 400), marks=pytest.mark.slow)]


@pytest.mark.parametrize("model", ["ptx", "cuda"])
@pytest.mark.parametrize("seeds", SEEDS)
def test_drawn(model: str, seeds: range) -> None:
    meeting = 0
    for seed in seeds:
        rng = Random(seed)
        drawn = with_more(
            ptx_oracle.draw(rng),
            rng,
            lambda: ptx_oracle.Instr("bar", "sync", instance=rng.choice((0, 0, 1))),  # noqa: B023
        )
        meeting += compare(drawn.text, model, seed % 3 == 0)
    assert meeting > len(seeds) / 2


@pytest.mark.parametrize("seeds", SEEDS)
def test_drawn_of_opencl(seeds: range) -> None:
    meeting = 0
    for seed in seeds:
        rng = Random(seed)
        flags = rng.choice((("local",), ("global",), ("local", "global")))
        drawn = with_more(opencl_oracle.draw(rng), rng, lambda: opencl_oracle.Instr("bar", flags=flags, name="B0"))  # noqa: B023
        meeting += compare(drawn.text, "opencl", seed % 3 == 0)
    assert meeting > len(seeds) / 2


def test_many_meet() -> None:
    columns = [f"0 0: st.weak x{n}, 1; bar.cta.sync 0; ld.weak r0, x{(n + 1) % 8}" for n in range(8)]
    result = run_litmus(read(written(*columns, end="forall (0:r0=1 /\\ 7:r0=1)")), load_model("ptx"))
    assert (result.verdict, result.positive, result.negative) == ("Ok", 1, 0)
