"""Processes that die: each costs the task that it was doing, and no other."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.distributed.working import never_ready, worker
from xgen.engine.distributed import processes
from xgen.engine.distributed.processes import Processes
from xgen.engine.distributed.workers import Lost

KILLED, EXITED, LATE = Lost("signal 9"), Lost("exit code 3"), Lost("signal 9", late=True)

CASES: list[tuple[Sequence[str], list[str | Lost]]] = [
    ([], []),
    (["a"], ["A"]),
    (["die"], [KILLED]),
    (["a", "die", "b", "exit", "c"], ["A", KILLED, "B", EXITED, "C"]),
    (["die", "die", "die", "a"], [KILLED, KILLED, KILLED, "A"]),
    (["a", "b", "c", "d", "die"], ["A", "B", "C", "D", KILLED]),
]


def test_a_process_that_stands_still_while_it_starts_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STARTING", 0.0)
    monkeypatch.setattr(processes, "_serve", never_ready)
    crew: Processes[tuple[int, str], str] = Processes(worker, (), 1, limit=lambda task: 60.0)  # noqa: ARG005
    crew.submit((0, "a"))
    try:
        assert list(crew.answers(0.0)) == [((0, "a"), LATE)]
        assert crew.deaths == 1
    finally:
        crew.close()
    assert multiprocessing.active_children() == []


def done(
    tasks: Sequence[str], size: int, ahead: int, limit: float | None = None, memory: int | None = None
) -> list[str | Lost | Exception]:
    """What comes of tasks, in their order; no process is left afterwards."""
    crew: Processes[tuple[int, str], str] = Processes(
        worker,
        (),
        size,
        memory,
        ahead,
        None if limit is None else lambda task: limit,  # noqa: ARG005
    )
    found: dict[int, str | Lost | Exception] = {}
    waiting = list(enumerate(tasks))
    try:
        while len(found) < len(tasks):
            while waiting and crew.room():
                crew.submit(waiting.pop(0))
            for (number, _), answer in crew.answers(0.5):
                assert number not in found
                found[number] = answer
    finally:
        crew.close()
    assert multiprocessing.active_children() == []
    return [found[number] for number in range(len(tasks))]


@pytest.mark.parametrize(("size", "ahead"), [(1, 2), (3, 1)])
@pytest.mark.parametrize(("tasks", "expected"), CASES)
def test_a_process_that_dies_costs_one_task(
    tasks: Sequence[str], expected: list[str | Lost], size: int, ahead: int
) -> None:
    assert done(tasks, size, ahead) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere none is a copy")
@pytest.mark.parametrize(("alone", "copies"), [(True, 2), (False, 0)])
def test_processes_are_copies_of_one_that_has_no_other_thread(alone: bool, copies: int) -> None:
    """They do the same; those that take the place of others that have died are no copies, as there are threads then."""
    tasks = ["a", "b", "die", "exit", "mistake", "gorge", "c"]
    code = f"from engine.distributed.working import copied; copied({alone}, {tasks}, {10**8})"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=paths)
    expected = ["A", "B", KILLED, EXITED, ValueError("a mistake"), Lost("memory"), "C"]
    assert found.stdout == f"{copies} {expected} []\n"


SCRIPT = """
import sys, threading
import xgen
from engine.shapes import coherence
from xgen.engine.distributed import long_run
print("begun")
if sys.argv[1] == "threads":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
long_run.ALONE = 0.0
found = xgen.check(coherence(6), xgen.model("sc"), all_states=True, processes=2)
print(found.executions, found.run["engine"], found.run["deaths"])
"""


@pytest.mark.parametrize("kind", ["alone", "threads"])
def test_processes_do_not_run_the_script_that_starts_them(kind: str, tmp_path: Path) -> None:
    """It has no `if __name__ == "__main__"`."""
    (tmp_path / "script.py").write_text(SCRIPT)
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(tmp_path / "script.py"), kind]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=paths)
    assert (found.stdout, found.stderr) == ("begun\n924 processes 0\n", "")


def test_a_task_that_takes_for_ever_is_ended() -> None:
    assert done(["hang", "a"], 1, 2, limit=5) == [LATE, "A"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not heed limits of memory")
def test_a_process_without_memory_goes_on() -> None:
    assert done(["a", "gorge", "b"], 1, 2, memory=10**8) == ["A", Lost("memory"), "B"]


def test_mistakes_of_our_own_are_told() -> None:
    [found, after] = done(["mistake", "a"], 1, 1)
    assert (repr(found), after) == ("ValueError('a mistake')", "A")


def test_whoever_stops_asking_leaves_no_process() -> None:
    crew: Processes[tuple[int, str], str] = Processes(worker, (), 3)
    for entry in enumerate(["hang", "hang", "hang"]):
        crew.submit(entry)
    crew.close()
    assert multiprocessing.active_children() == []


def test_processes_live_for_many_tasks() -> None:
    assert len(set(map(str, done(["pid"] * 20, 2, 1)))) <= 2
