"""Workers of Dask: what they find is what one process finds, whoever dies."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.fake import run

import xgen
from engine.shapes import coherence
from xgen.analyses.suite.runner import Spread, run_suite
from xgen.analyses.suite.suite import find_tests
from xgen.engine.distributed import cluster as module
from xgen.engine.distributed import coordinator, long_run
from xgen.engine.distributed.cluster import Cluster
from xgen.engine.distributed.slices import Task
from xgen.resources import shipped

distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.slow  # processes that import Dask take seconds to start

Crew = Cluster[Task, "Slice | XgenError"]
SLOW, SC = coherence(10), xgen.model("sc")
EXECUTIONS = 184_756
"""Of SLOW, which takes longer than a run waits before it asks others."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of 5 ms, so that there are many."""
    monkeypatch.setattr(coordinator, "LONGEST", 0.005)
    monkeypatch.setattr(coordinator, "PER_WORKER", 0.0)
    monkeypatch.setattr(long_run, "ALONE", 0.01)


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """Two workers that are started again when they die; a task that kills one is not tried by another."""
    from dask import config

    with (
        config.set({"distributed.scheduler.allowed-failures": 0, "distributed.comm.retry.count": 0}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as machines,
    ):
        yield machines


def hurt(monkeypatch: pytest.MonkeyPatch, do: Any) -> None:
    """Calls something with the workers and the number of answers so far, after each."""
    plain, number = Cluster.answers, [0]

    def answers(self: Crew, seconds: float) -> Iterator[Any]:
        for answer in plain(self, seconds):
            number[0] += 1
            do(self, number[0])
            yield answer

    monkeypatch.setattr(Cluster, "answers", answers)


def test_another_version(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes before what kills workers: one that is about to die may be given the job."""
    own = module.__version__
    monkeypatch.setattr(module, "__version__", "0.0.1")
    monkeypatch.setattr(long_run, "ALONE", 0.0)
    with pytest.raises(xgen.UsageError) as error:
        xgen.check(SLOW, SC, all_states=True, cluster=machines.scheduler_address)
    said = f"a worker of the cluster has xgen {own} (exploration {module.EXPLORATION}), and not 0.0.1 "
    assert error.value.message.startswith(said)


@pytest.mark.usefixtures("short")
def test_an_exploration(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    plain = Cluster.submit

    def submit(self: Crew, task: Task) -> None:
        plain(self, task)
        names.extend(future.key for future, mine in self._tasks.items() if mine is task)

    monkeypatch.setattr(Cluster, "submit", submit)
    found = xgen.check(SLOW, SC, all_states=True, trace_limit=0, cluster=machines.scheduler_address)
    whole = xgen.check(SLOW, SC, all_states=True, trace_limit=0)
    for name in (*xgen._core.COUNTERS, "verdict", "flags"):
        assert getattr(found, name) == getattr(whole, name)
    assert list(found.outcomes) == list(whole.outcomes)
    assert found.run is not None
    assert (found.run["engine"], found.run["workers"], found.run["deaths"]) == ("cluster", 2, 0)
    assert len(set(names)) == len(names) > 20
    assert all(name.startswith(names[0][:14]) for name in names)  # xgen, and the job's name; then where the part starts


@pytest.mark.usefixtures("short")
def test_workers_that_are_killed(machines: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dice, killed = random.Random(1), list[int]()

    def kill(crew: Crew, number: int) -> None:  # noqa: ARG001 - what `hurt` calls
        if number % 25 == 0 and len(killed) < 3:
            worker = dice.choice([w for w in machines.workers.values() if w.pid is not None])
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    hurt(monkeypatch, kill)
    found = xgen.check(SLOW, SC, all_states=True, trace_limit=0, cluster=machines.scheduler_address)
    assert killed
    for _ in range(20):  # parts that were killed three times by chance are tried again
        if found.stopped is None:
            break
        assert found.stopped == "lost"
        file = tmp_path / "run"
        found = xgen.check(
            SLOW, SC, all_states=True, trace_limit=0, cluster=machines.scheduler_address, checkpoint=file
        )
    assert (found.stopped, found.executions) == (None, EXECUTIONS)


def test_suites(machines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are sent, those of models as well; the workers read no file."""
    monkeypatch.chdir(tmp_path)
    tests = find_tests([str(shipped("litmus") / "X86")])
    (tmp_path / "mine.cat").write_text('include "more.cat"\nacyclic po | com as sc\n')
    (tmp_path / "more.cat").write_text("let com = rf | co | fr\n")
    for model in (None, "mine.cat"):
        plain = [(r.name, r.verdict, r.states) for r in run_suite(tests, model)]
        found = run("litmus", *tests, *(["--mcm", model] if model else []), "--cluster", machines.scheduler_address,
                    "--format", "json")  # fmt: skip
        assert found.exit_code == 0
        named = [(t["name"], t["verdict"]) for t in json.loads(found.stdout)["tests"]]
        assert named == [(name, verdict) for name, verdict, _ in plain]
    (tmp_path / "more.cat").write_text("let com = 0\n")  # another model of the same name
    again = list(run_suite(tests, "mine.cat"))
    assert [r.verdict for r in again] != [verdict for _, verdict in named]
    how = Spread(cluster=machines.scheduler_address, texts={str(tmp_path / "more.cat"): "let com = 0\n"})
    assert len(list(run_suite(tests[:3], None, how))) == 3


def test_a_test_that_kills_its_workers(machines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from litmus.suite.killed import Killed
    from litmus.suite.test_suites import MP, SB

    monkeypatch.chdir(tmp_path)
    (tmp_path / "SB.litmus").write_text(SB)
    (tmp_path / "MP.litmus").write_text(MP)
    monkeypatch.setattr("xgen.analyses.suite.runner.Runner", Killed)
    (tmp_path / "kills").write_text("xxx")
    how = Spread(cluster=machines.scheduler_address, texts={"kills": str(tmp_path / "kills")})
    first, second = run_suite([str(tmp_path / "SB.litmus"), str(tmp_path / "MP.litmus")], "tso", how)
    assert (first.verdict, second.verdict) == (None, "Ok")
    assert first.error == "the process that ran it has died 3 times (KilledWorker), for lack of memory?"


@pytest.mark.usefixtures("short")
def test_a_scheduler_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is kept, and said; who goes on finds the rest."""
    file, checkpoint = tmp_path / "scheduler.json", tmp_path / "run"
    common = ["--no-dashboard", "--scheduler-file", str(file)]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *common, *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        for what, more in (("scheduler", ["--port", "0", "--host", "127.0.0.1"]), ("worker", ["--no-nanny"]))
    ]
    try:
        while not (file.exists() and file.read_text().endswith("}")):
            os.sched_yield()
        address = json.loads(file.read_text())["address"]

        def kill(crew: Crew, number: int) -> None:  # noqa: ARG001 - what `hurt` calls
            if number == 10:
                started[0].kill()

        hurt(monkeypatch, kill)
        found = xgen.check(SLOW, SC, all_states=True, trace_limit=0, cluster=address, checkpoint=checkpoint)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert (found.verdict, found.stopped) == ("interrupted", "lost")
    assert found.warnings[0] == f"the scheduler at {address} is gone; `xgen resume {checkpoint}` goes on"
    assert 0 < found.executions < EXECUTIONS
    rest = xgen.check(SLOW, SC, all_states=True, trace_limit=0, checkpoint=checkpoint)
    assert (rest.stopped, rest.executions) == (None, EXECUTIONS)
