"""Exploring in parts: the same executions, wherever the parts are explored."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

import pytest

import xgen
from engine.shapes import SHAPES, coherence, late_writer, program, store_buffers, writers
from xgen import Program, Result
from xgen.analyses.safety import check_in_parts
from xgen.engine.parts import explore, merge, split
from xgen.engine.problem import problem
from xgen.engine.run import Options
from xgen.resources import shipped

PROGRAMS = {
    **SHAPES,
    "writers": writers(3, 2),
    "coherence": coherence(4),
    "late writer": late_writer(5),
    "store buffers": store_buffers(4),
    "peterson": xgen.load(shipped("programs") / "peterson_2rounds.xcfa"),
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("model", ["sc", "tso", "weak", "coherence"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_add_up(name: str, model: str) -> None:
    shape, memory_model = PROGRAMS[name], xgen.model(model)
    asked = problem(shape, memory_model)
    whole = xgen.check(shape, memory_model, all_states=True)
    for n in (1, 2, 7, 40):
        roots = split(asked, n, Options(all_states=True))
        assert len(roots) >= min(n, whole.executions + whole.blocked)
        found = merge([explore(asked, [root], Options(all_states=True)) for root in roots])
        assert found.counters["executions"] == whole.executions
        assert found.counters["blocked"] == whole.blocked
        assert found.counters["violations"] == whole.violations
        assert list(found.outcomes) == list(whole.outcomes)


def in_processes(pool: Executor, shape: Program, model: xgen.Model) -> Result:
    whole = xgen.check(shape, model, all_states=True)
    result = check_in_parts(shape, model, pool, 6, all_states=True)
    assert (result.verdict, result.executions, result.blocked) == (whole.verdict, whole.executions, whole.blocked)
    assert list(result.outcomes) == list(whole.outcomes)
    assert result.demoted == whole.demoted
    return result


def test_parts_in_other_processes(pool: Executor) -> None:
    in_processes(pool, PROGRAMS["writers"], xgen.model("sc"))
    in_processes(pool, PROGRAMS["peterson"], xgen.model("tso"))


def test_a_model_that_is_not_extensible_in_parts(pool: Executor) -> None:
    model = xgen.parse_model("h = po | rf\nh acyclic\nf = fr(R[late] -> W)\nf empty as late_reads_read_the_last")
    shape = program("1 -> y", "a <- y", "a <- y", "a <- y", "b <- x @ late", "1 -> x")
    assert in_processes(pool, shape, model).demoted == {}
