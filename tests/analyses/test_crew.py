"""Processes that die: each costs the task that it was doing, and no other."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence

import pytest

from analyses.working import work
from xgen.analyses.crew import Crew, Lost

KILLED, EXITED, LATE = Lost(False, -9), Lost(False, 3), Lost(True)

CASES: list[tuple[Sequence[str], list[str | Lost]]] = [
    ([], []),
    (["a"], ["A"]),
    (["die"], [KILLED]),
    (["a", "die", "b", "exit", "c"], ["A", KILLED, "B", EXITED, "C"]),
    (["die", "die", "die", "a"], [KILLED, KILLED, KILLED, "A"]),
    (["a", "b", "c", "d", "die"], ["A", "B", "C", "D", KILLED]),
]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize(("tasks", "expected"), CASES)
def test_a_process_that_dies_costs_one_task(tasks: Sequence[str], expected: list[str | Lost], workers: int) -> None:
    found = list(Crew(work, tasks, workers).results())
    assert sorted(number for number, _ in found) == list(range(len(tasks)))
    assert [result for _, result in sorted(found, key=lambda pair: pair[0])] == expected
    assert multiprocessing.active_children() == []


def test_a_task_that_takes_for_ever_is_ended() -> None:
    found = dict(Crew(work, ["hang", "a"], 1, patience=2).results())
    assert found == {0: LATE, 1: "A"}
    assert multiprocessing.active_children() == []


def test_whoever_stops_asking_leaves_no_process() -> None:
    results = Crew(work, ["a", "hang", "hang"], 3).results()
    assert next(results) == (0, "A")
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_processes_live_for_many_tasks() -> None:
    assert len({pid for _, pid in Crew(work, ["pid"] * 20, 2).results()}) <= 2
