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


WAITING = """
var x : int
var y : int
process p { var r : int init loc A final loc E A -> E { 1 -> x r <- y } }
process q { var r : int init loc A final loc E A -> E { 1 -> y r <- x 0 -> y } }
process w { var r : int init loc A loc B final loc E A -> B { r <- y } B -> A { assume r = 0 } B -> E { assume r = 1 } }
"""


@pytest.mark.parametrize("all_states", [False, True])
@pytest.mark.parametrize("demand", [{"liveness": True}, {"robust": "sc"}, {"liveness": True, "robust": "sc"}])
def test_parts_are_asked_for_the_same(pool: Executor, demand: dict[str, object], all_states: bool) -> None:
    """Waiting and robustness are looked at in each part."""
    options = {name: xgen.model(str(value)) if name == "robust" else value for name, value in demand.items()}
    program, model = xgen.parse(WAITING, "xcfa"), xgen.model("tso")
    whole = xgen.check(program, model, all_states=all_states, **options)  # type: ignore[arg-type]
    parts = check_in_parts(program, model, pool, 5, all_states=all_states, **options)  # type: ignore[arg-type]
    assert (parts.verdict, parts.liveness) == (whole.verdict, whole.liveness) == ("violation", "liveness" in demand)
    assert parts.witness is not None
    assert whole.witness is not None
    if all_states:
        assert (parts.stuck, sorted(parts.waits)) == (whole.stuck, sorted(whole.waits))
        assert (parts.violations, parts.executions) == (whole.violations, whole.executions)
    else:
        kinds = {"await", "not-allowed"}
        assert {v.kind for v in parts.witness.violations} <= kinds


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
