"""The simulation of long runs: trees as they are recorded, and each graph explored once."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

np = pytest.importorskip("numpy", reason="the extras repair and bench are not installed")

import parts  # noqa: E402


def test_a_tree_has_each_graph_once() -> None:
    run = parts.asked("writers(3,3)", "sc")
    run.finish()
    depths = parts.recorded("writers(3,3)", "sc")
    assert len(depths) == run.core.counters["explored"]
    assert depths[0] == 0
    assert all(later <= earlier + 1 for earlier, later in pairwise(depths))
    assert len(parts.recorded("writers(3,3)", "sc", 100)) == 100


def test_spans_are_divided_as_intervals_are() -> None:
    """At the graph nearest to the root, and what arithmetic cannot divide has one level."""
    depths, dice = parts.recorded("writers(3,3)", "sc"), random.Random(1)
    whole = parts.Span(depths, 0, len(depths), False)
    assert (whole.divided(), len(whole.rest)) == (None, 1)
    for _ in range(100):
        first = dice.randrange(1, len(depths) - 1)
        span = parts.Span(depths, first, len(depths), True)
        halves = span.divided()
        if halves is None:
            continue
        end, front = halves
        assert (front.first, front.end, end.first, end.end) == (first, end.first, front.end, len(depths))
        assert span.rest[0] == depths[end.first] - 1 == min(depths[first + 1 :]) - 1
        assert end.divided() is None


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_each_graph_is_explored_once(workers: int) -> None:
    found = parts.simulated(parts.recorded("writers(3,3)", "sc"), workers, 20)
    assert 0 <= float(found["idle"]) < 1
    assert int(found["tasks"]) >= 20 * workers
    if workers == 1:
        assert float(found["idle"]) < 0.05


def test_each_test_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, or in many parts."""
    monkeypatch.setattr(parts, "TESTS", 2000)
    tree, pieces = parts.recorded("writers(3,3)", "sc"), [0]
    plain = parts.coordinator.Coordinator.take

    def counted(self: object, task: object, answer: object) -> None:
        pieces[0] += 1
        plain(self, task, answer)

    monkeypatch.setattr(parts.coordinator.Coordinator, "take", counted)
    found = parts.suite([0.001, 0.002, 0.1], [tree], 16, None)
    assert 0 <= float(found["idle"]) < 0.5
    assert int(found["tasks"]) > parts.TESTS / parts.runner.BATCH
    found = parts.suite([0.001, 0.002, 0.1], [tree], 64, 100)
    assert 0 <= float(found["idle"]) < 0.06
    assert pieces[0] > 1000
