"""Exact numbers of executions."""

from __future__ import annotations

import math

import pytest

import xgen
from engine.shapes import SHAPES, coherence, late_writer, program, readers, store_buffers, writers
from xgen import Program, Result


@pytest.fixture(autouse=True)
def all_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """All executions are compared with each other."""
    monkeypatch.setattr("xgen.engine.graphs.native.DUPLICATE_LIMIT", 1 << 20)


def explore(shape: Program, model: str, **options: object) -> Result:
    result = xgen.check(shape, xgen.model(model), all_states=True, **options)  # type: ignore[arg-type]
    assert result.duplicates == 0
    assert result.duplicates_checked == result.executions + result.blocked + result.bounded
    return result


# LB: the models but `coherence` and `any` forbid that both threads read 1.
#                sc  tso pso ra  weak weak-a9 coherence any
COUNTS = {
    "SB":        (3,  4,  4,  4,  4,  4,  4,  4),
    "SB+fences": (3,  3,  3,  3,  3,  3,  4,  4),
    "MP":        (3,  3,  4,  3,  4,  4,  4,  4),
    "MP+fences": (3,  3,  3,  3,  3,  3,  4,  4),
    "LB":        (3,  3,  3,  3,  3,  3,  4,  4),
    "2+2W":      (3,  3,  4,  4,  4,  4,  4,  4),
    "S":         (3,  3,  4,  3,  4,  4,  4,  4),
    "R":         (3,  4,  4,  4,  4,  4,  4,  4),
    "WRC":       (7,  7,  7,  7,  8,  8,  8,  8),
    "IRIW":      (15, 15, 15, 16, 16, 16, 16, 16),
    "CoRR":      (3,  3,  3,  3,  3,  4,  3,  4),
    "CoWR":      (3,  3,  3,  3,  3,  3,  3,  6),
    "CoWW":      (1,  1,  1,  1,  1,  1,  1,  2),
}  # fmt: skip
MODELS = ("sc", "tso", "pso", "ra", "weak", "weak-a9", "coherence", "any")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("shape", COUNTS)
def test_classic_shapes(shape: str, model: str) -> None:
    assert explore(SHAPES[shape], model).executions == COUNTS[shape][MODELS.index(model)]


@pytest.mark.parametrize("model", ["sc", "tso", "weak"])
def test_families(model: str) -> None:
    assert explore(readers(8), model).executions == 2**8
    assert explore(late_writer(8), model).executions == 2**8
    assert explore(writers(3, 2), model).executions == math.factorial(6) // 2**3
    assert explore(coherence(5), model).executions == math.comb(10, 5)
    assert explore(store_buffers(5), model).executions == 2**5 - (model == "sc")


def test_every_graph_is_visited_once() -> None:
    """readers(n): after k readers there are 2^k graphs, and one before the write."""
    assert explore(readers(8), "sc").explored == 2 + sum(2**k for k in range(1, 9))


@pytest.mark.parametrize(("reads", "words"), [(62, 1), (63, 2), (127, 3), (255, 5), (300, 5)])
def test_more_events_than_bits_in_a_word(reads: int, words: int) -> None:
    """The graphs widen on the way: the result is that of a narrow one."""
    loads = "; ".join("a <- x" for _ in range(reads))
    result = explore(program("1 -> x", loads, variables="x"), "sc")
    assert (reads + 2 + 63) // 64 == words or reads == 62
    assert (result.executions, result.revisits) == (reads + 1, 0)


def test_widening_in_the_middle_of_revisits() -> None:
    loads = "; ".join("a <- x" for _ in range(70))
    result = explore(program(loads, "1 -> x", variables="x"), "sc")
    assert (result.executions, result.revisits) == (71, 70)


def test_filters_agree() -> None:
    for shape in SHAPES.values():
        early, late = explore(shape, "tso"), explore(shape, "tso", filter="final")
        assert early.executions == late.executions
        assert list(early.outcomes) == list(late.outcomes)
        assert early.explored <= late.explored


def test_final_filter_is_not_said_to_be_in_situ() -> None:
    result = explore(SHAPES["SB"], "sc", filter="final")
    assert set(result.demoted) == {"order"} or len(result.demoted) == 1
    assert result.filter == "final"
