"""Outcomes as bytes: they sort as the values do, and what is packed is added as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import xgen
from engine.shapes import SHAPES, program
from xgen import _core
from xgen.engine.graphs.options import Options
from xgen.engine.graphs.run import Run
from xgen.engine.problem import problem

EDGES = [0, -1, 159, 160, -32, -33, 255, 256, -256, -257, 65535, 65536, 2**31, -(2**31), 2**63 - 1, -(2**63)]
NUMBERS = st.one_of(st.sampled_from(EDGES), st.integers(-(2**63), 2**63 - 1), st.integers(-400, 400))


def encoded(values: list[int]) -> bytes:
    """A state of a program that has just these values."""
    names = [f"v{number}" for number in range(len(values))]
    writes = "; ".join(f"{value} -> {name}" for name, value in zip(names, values, strict=True))
    declared = "".join(f"var {name} : int " for name in names)
    program = xgen.parse(f"{declared} process p {{ init loc A final loc B A -> B {{ {writes} }} }}")
    run = Run(problem(program, xgen.model("sc")), Options(all_states=True))
    run.finish()
    outcomes = run.core.findings.outcomes
    [(state, count, violations)] = outcomes.rows(0, 9)
    assert (count, violations) == (1, 0)
    return state


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=4))
def test_bytes_sort_as_values_do(states: list[tuple[int, int]]) -> None:
    clipped = [tuple(max(value, -(2**63) + 1) for value in state) for state in states]
    by_bytes = sorted(clipped, key=lambda state: encoded(list(state)))
    assert by_bytes == sorted(clipped)
    assert [tuple(_core.outcome_values(encoded(list(state)))) for state in clipped] == clipped


def test_merging_adds() -> None:
    run = Run(problem(SHAPES["IRIW"], xgen.model("tso")), Options(all_states=True))
    run.finish()
    one, twice = _core.Outcomes(len(run.problem.final_values)), _core.Outcomes(len(run.problem.final_values))
    packed = run.core.findings.outcomes.packed
    one.merge(packed)
    twice.merge(packed)
    twice.merge(packed)
    assert len(one) == len(twice) == len(run.outcomes())
    rows = one.rows(0, len(one))
    assert [(state, 2 * count, 2 * bad) for state, count, bad in rows] == twice.rows(0, len(twice))
    assert twice.rows(3, 2) == twice.rows(0, 100)[3:5]
    assert one.memory > 0
    one.add(rows[1:3])
    assert one.rows(0, len(one)) == [rows[0], *twice.rows(1, 2), *rows[3:]]
    one.clear()
    assert (len(one), one.rows(0, 5)) == (0, [])


@pytest.mark.parametrize("wrong", [b"\xe7", b"\x20\x20", b"\x20" * 4, b"\x18\x00"])
def test_what_is_no_outcome_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="these are no outcomes"):
        _core.Outcomes(1).merge(wrong)


@pytest.mark.parametrize("limit", [1, 7, 8])
def test_what_the_limit_leaves_out_is_told_even_of_the_last_execution(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xgen.engine.graphs.native.OUTCOME_LIMIT", limit)
    found = xgen.check(program("1 -> x", *["a <- x"] * 3), xgen.model("sc"), all_states=True)
    assert found.executions == 8
    assert [outcome.count for outcome in found.outcomes] == [1] * limit
    assert found.outcomes_complete == (limit == 8)
