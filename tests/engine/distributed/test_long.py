"""Long runs: workers that answer late, twice, never; processes that are killed; files that are damaged."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import xgen
from engine.distributed.halting import halting
from engine.distributed.processes import ended, kill
from engine.shapes import SHAPES, WAITING, coherence, program, writers
from xgen import Result
from xgen.cli import main
from xgen.clock import Clock
from xgen.engine.distributed import long_run, processes
from xgen.engine.distributed import run_file as file_module
from xgen.engine.distributed.checkpoint import Checkpoint, identity
from xgen.engine.distributed.coordinator import Coordinator, slice_seconds
from xgen.engine.distributed.processes import Processes
from xgen.engine.distributed.slices import Slice, Slicers, Task
from xgen.engine.distributed.workers import Here, Lost
from xgen.engine.graphs.intervals import WHOLE, Interval
from xgen.engine.graphs.options import Long, Options
from xgen.engine.problem import Problem, problem
from xgen.executions.result import Classes
from xgen.version import __version__

LOOPING = xgen.parse("""
var x : int
var y : int
process p { var r : int  init loc A  loc B  final loc E
  A -> B { 1 -> x; r <- y }  B -> A { assume r = 0 }  B -> E { assume r > 0 } }
process q { var r : int  init loc A  loc B  final loc E
  A -> B { r <- fetch_add(x, 1) }  B -> A { assume r < 2 }  B -> E { assume r >= 2; 1 -> y } }
""")
READING = program("1 -> x; 1 -> y", "2 -> x; a <- y; b <- x", "2 -> x; a <- y; b <- x", "c <- x; assert c < 2")
BAD = program("1 -> x; 1 -> y", "a <- y; b <- x; assert a = 0")
ASSERTING = program(*["1 -> x; 2 -> x; a <- x; assert a > 0"] * 3, variables="x")


def summary(result: Result) -> dict[str, object]:
    """All that must not depend on how a run was cut."""
    found = {name: getattr(result, name) for name in xgen._core.COUNTERS}
    kept = ("verdict", "flags", "cut", "waits", "stopped", "outcomes_complete", "exhaustive", "warnings", "counted")
    found |= {name: getattr(result, name) for name in kept}
    witness = result.witness
    return found | {
        "outcomes": list(result.outcomes),
        "witness": witness and (witness.events, witness.rf, witness.mo, witness.violations),
    }


def same(shape: xgen.Program, model: str, tmp_path: Path, **options: object) -> Result:
    """The result of a plain run, after comparing it with that of a run that is kept and stopped again and again."""
    asked = xgen.model(model)
    whole = xgen.check(shape, asked, all_states=True, trace_limit=0, **options)  # type: ignore[arg-type]
    file = tmp_path / "run"
    kept = xgen.check(shape, asked, all_states=True, trace_limit=0, checkpoint=file, **options)  # type: ignore[arg-type]
    assert summary(kept) == summary(whole)
    again = xgen.check(shape, asked, all_states=True, trace_limit=0, checkpoint=file, **options)  # type: ignore[arg-type]
    assert summary(again) == summary(whole)
    return whole


@pytest.mark.parametrize("model", ["sc", "tso", "arm8", "weak"])
@pytest.mark.parametrize("shape", [SHAPES["IRIW"], writers(3, 2), ASSERTING, LOOPING], ids=str)
def test_what_is_kept_is_what_a_plain_run_finds(shape: xgen.Program, model: str, tmp_path: Path) -> None:
    bound = {"max_depth": 6} if shape is LOOPING else {}
    same(shape, model, tmp_path, **bound)


def test_the_first_violation_is_kept(tmp_path: Path) -> None:
    model, file = xgen.model("weak"), tmp_path / "run"
    first = xgen.check(BAD, model, checkpoint=file)
    again = xgen.check(BAD, model, checkpoint=file)
    assert (first.verdict, again.verdict) == ("violation", "violation")
    assert first.witness is not None
    assert again.witness is not None
    assert first.witness.events == again.witness.events


@pytest.mark.parametrize("demand", [{"liveness": True}, {"robust": "sc"}, {"liveness": True, "robust": "sc"}], ids=str)
def test_waiting_and_robustness(demand: dict[str, object], tmp_path: Path) -> None:
    options = {name: xgen.model(str(value)) if name == "robust" else value for name, value in demand.items()}
    whole = same(WAITING, "tso", tmp_path, **options)
    assert (whole.verdict, whole.liveness) == ("violation", "liveness" in demand)
    first = xgen.check(WAITING, xgen.model("tso"), checkpoint=tmp_path / "first", **options)  # type: ignore[arg-type]
    assert (first.verdict, first.witness) == ("violation", whole.witness)
    assert refused(tmp_path / "first", program=WAITING, model=xgen.model("tso"), all_states=False) in (
        "this is a checkpoint of another model",
        "this is a checkpoint of a run with another --liveness",
    )


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["sc", "tso", "arm8"])
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("partition", ["rf", "values", "seen"])
def test_classes(partition: Classes, symmetry: bool, model: str, tmp_path: Path) -> None:
    for number, (shape, bound) in enumerate(((writers(3, 2), None), (ASSERTING, None), (LOOPING, 6), (READING, None))):
        options = {"classes": partition, "symmetry": symmetry, "max_depth": bound}
        (tmp_path / str(number)).mkdir()
        whole = same(shape, model, tmp_path / str(number), **options)
        assert (whole.partition, whole.classes > 0) == (partition, True)


@pytest.mark.parametrize("model", ["sc", "arm8"])
def test_bounds_that_grow(model: str, tmp_path: Path) -> None:
    shape = program("1 -> x; 1 -> y", "a <- y; b <- x")
    same(shape, model, tmp_path)


# ---- the coordinator, on workers that are not to be relied on


Answer = tuple[Task, "Slice | Lost | Exception"]
Crew = Processes[Task, "Slice | Lost | XgenError"]


class Script:
    """Workers in one process that answer as the dice say: late, after they were given up, twice, or never."""

    size, deaths = 3, 0

    def __init__(self, asked: Problem, options: Options, dice: random.Random) -> None:
        self._work, self._dice = Slicers(asked, options), dice
        self._tasks: list[Task] = []
        self._said: list[Answer] = []

    def room(self) -> int:
        return 6 - len(self._tasks)

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def answers(self, seconds: float) -> Iterator[Answer]:  # noqa: ARG002 - it never waits
        self._dice.shuffle(self._tasks)
        for _ in range(self._dice.randint(0, len(self._tasks))):
            task = self._tasks.pop()
            fate = self._dice.random()
            if fate < 0.25:
                yield task, Lost("died")
            if fate < 0.15:
                continue
            self._said.append((task, self._work(replace(task, seconds=0.0))))
            yield self._said[-1]
        if self._said and self._dice.random() < 0.5:
            yield self._dice.choice(self._said)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("model", ["sc", "weak"])
def test_answers_that_come_late_or_twice_or_never(model: str, seed: int) -> None:
    asked, options = problem(coherence(7), xgen.model(model)), Options(all_states=True)
    whole = xgen.check(coherence(7), xgen.model(model), all_states=True, trace_limit=0)
    coordinator = Coordinator(asked, None, True, lambda: None, longest=0.0)
    coordinator.begin()
    coordinator.run(Here(Slicers(asked, options, lambda: True)), 0.01)
    dice = random.Random(seed)
    for _ in range(1000):  # what was set aside is tried again by who goes on
        coordinator.run(Script(asked, options, dice))
        if coordinator.stopped is None:
            break
        coordinator.take_up(coordinator.parts)
    assert (coordinator.stopped, coordinator.parts) == (None, {})
    counters = dict(coordinator.found.counters, duplicates_checked=whole.duplicates_checked)
    assert counters == {name: getattr(whole, name) for name in xgen._core.COUNTERS}


def test_a_part_that_kills_three_workers_is_set_aside() -> None:
    asked, options = problem(coherence(8), xgen.model("sc")), Options(all_states=True)
    bad: list[Interval] = []

    class Killing(Script):
        def answers(self, seconds: float) -> Iterator[Answer]:  # noqa: ARG002 - it never waits
            while self._tasks:
                task = self._tasks.pop(0)
                if not bad:
                    bad.append(task.part)
                lost = task.part.start[: len(bad[0].start)] == bad[0].start
                yield task, Lost("died") if lost else self._work(replace(task, seconds=0.0))

    coordinator = Coordinator(asked, None, True, lambda: None)
    coordinator.begin()
    coordinator.run(Here(Slicers(asked, options, lambda: True)), 0.001)
    coordinator.run(Killing(asked, options, random.Random(1)))
    assert coordinator.stopped == "lost"
    assert coordinator.aside
    assert coordinator.found.counters["executions"] > 0
    coordinator.take_up(coordinator.parts)
    coordinator.run(Here(Slicers(asked, options)))
    whole = xgen.check(coherence(8), xgen.model("sc"), all_states=True, trace_limit=0)
    assert (coordinator.stopped, coordinator.aside) == (None, [])
    assert coordinator.found.counters["executions"] == whole.executions
    assert coordinator.found.counters["explored"] == whole.explored


@pytest.mark.parametrize("hurries", [False, True])
def test_what_is_under_way_is_waited_for_unless_there_is_a_hurry(hurries: bool) -> None:
    asked, options = problem(coherence(7), xgen.model("sc")), Options(all_states=True)
    looks: list[float] = []

    class Slow(Script):
        """It answers when it is asked the third time."""

        def answers(self, seconds: float) -> Iterator[Answer]:
            looks.append(seconds)
            if len(looks) == 3:
                yield self._tasks[0], self._work(replace(self._tasks.pop(0), seconds=0.0))

    coordinator = Coordinator(asked, None, True, lambda: "interrupt", hurry=lambda: hurries)
    coordinator.begin()
    coordinator.run(Slow(asked, options, random.Random(1)))
    assert (coordinator.stopped, len(looks), coordinator.slices) == (
        ("interrupt", 1, 0) if hurries else ("interrupt", 3, 1)
    )


def test_slices_are_short_at_first_and_where_parts_are_few() -> None:
    assert slice_seconds(4, 0, 100, 100) == 1 / 40
    assert slice_seconds(4, 10, 100, 100) == 0.05
    assert slice_seconds(1, 10, 100, 100) == slice_seconds(16, 10, 100, 100) == 0.2
    assert slice_seconds(4, 1000, 100, 100) == 1
    assert slice_seconds(4, 1000, 3, 100) == 1 / 8
    assert slice_seconds(4, 1000, 0, 4) == 1 / 40
    assert slice_seconds(4096, 10**6, 10**4, 10**4) == pytest.approx(32.768)
    assert slice_seconds(4096, 10**6, 0, 4096) == pytest.approx(4.096)
    assert slice_seconds(4096, 10**6, 0, 100) == pytest.approx(0.2)


# ---- real processes


def killed(
    shape: xgen.Program, model: str, hurt: Callable[[Crew, int], None], monkeypatch: pytest.MonkeyPatch
) -> Result:
    """A run by two processes in slices of 20 ms, of which something happens to one after each dozen answers."""
    made: list[Crew] = []
    plain, number = Processes.answers, [0]

    def answers(self: Crew, seconds: float) -> Iterator[Answer]:
        for answer in plain(self, seconds):
            number[0] += 1
            yield answer
        if self not in made:
            made.append(self)
        hurt(self, number[0])

    monkeypatch.setattr(Processes, "answers", answers)
    monkeypatch.setattr(long_run, "ALONE", 0.01)
    asked, options = problem(shape, xgen.model(model)), Options(all_states=True)
    part, aside, told = long_run.explore(asked, options, Long(2, longest=0.02), Clock(), None)
    assert made
    assert not alive([pid for crew in made for pid in crew.pids])
    from xgen.analyses.check.result import result_of

    assert (aside, told.engine) == ((), "processes")
    return result_of(asked, options, part, 0.0)


def alive(pids: list[int]) -> list[int]:
    """Those of these processes that are there."""
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


SLOW = coherence(10)
"""It takes longer than a run waits before it starts processes."""


def test_workers_that_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    dice, done = random.Random(5), set[int]()

    def hurt(crew: Crew, number: int) -> None:
        if number // 12 not in done and len(done) < 5 and alive(crew.pids):
            done.add(number // 12)
            os.kill(dice.choice(alive(crew.pids)), signal.SIGKILL)

    result = killed(SLOW, "sc", hurt, monkeypatch)
    assert done
    assert summary(result) == summary(xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0))


@pytest.mark.parametrize("goes_on", [True, False])
def test_workers_that_stand_still(goes_on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stands still is ended after a while, and what it did is given to another."""
    monkeypatch.setattr(long_run, "STILL", 60.0 if goes_on else 3.0)
    monkeypatch.setattr(processes, "STARTING", 120.0 if goes_on else 3.0)
    stopped: list[int] = []
    looks = [0]

    def hurt(crew: Crew, number: int) -> None:
        looks[0] += bool(stopped)
        if number > 4 and not stopped:
            stopped.append(alive(crew.pids)[0])
            os.kill(stopped[0], signal.SIGSTOP)
        elif goes_on and looks[0] == 20:
            os.kill(stopped[0], signal.SIGCONT)

    result = killed(SLOW, "sc", hurt, monkeypatch)
    assert stopped
    assert result.executions == xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0).executions


def test_workers_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def explore(self: Slicers, task: Task) -> object:
        return plain(self, task) if task.outcomes < 200_000 or task.part == WHOLE else Lost("memory")

    plain = Slicers.__call__
    monkeypatch.setattr(Slicers, "__call__", explore)
    shape = coherence(6)
    asked, options = problem(shape, xgen.model("sc")), Options(all_states=True)
    part, aside, _ = long_run.explore(asked, options, Long(longest=0.01), Clock(), None)
    assert aside == ()
    assert part.counters["executions"] == xgen.check(shape, xgen.model("sc"), all_states=True).executions


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xgen", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def coordinators(times: int, tmp_path: Path, text: str, model: str) -> None:
    """Kills coordinators at random moments, and goes on each time; in the end the result is exact."""
    source, file = tmp_path / "program.xcfa", tmp_path / "run"
    source.write_text(text)
    dice = random.Random(times)
    begin = ["check", str(source), "--mcm", model, "--all-states", "--checkpoint", str(file), "--processes", "2"]
    with subprocess.Popen([sys.executable, "-m", "xgen", *begin], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not file.exists():
            os.sched_yield()
        process.kill()
    assert file.exists()
    killed = 1
    for _ in range(times):
        arguments = ["resume", str(file), "--processes", "2"]
        process = subprocess.Popen([sys.executable, "-m", "xgen", *arguments], stdout=subprocess.DEVNULL)
        try:
            process.wait(dice.uniform(0.1, 1.5))
        except subprocess.TimeoutExpired:
            kill(process, dice, 0.5)
            killed += 1
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert killed > times // 10
    assert run("resume", str(file)).returncode == 0
    asked = xgen.check(xgen.parse(text), xgen.model(model), all_states=True, trace_limit=0)
    loaded = xgen.load(source)
    kept = xgen.check(loaded, xgen.model(model), all_states=True, trace_limit=0, checkpoint=file)
    assert summary(replace(kept, duplicates_checked=asked.duplicates_checked)) == summary(asked)


def test_coordinators_that_are_killed(tmp_path: Path) -> None:
    coordinators(1, tmp_path, str_of(writers(2, 11)), "sc")


@pytest.mark.long
def test_many_coordinators_that_are_killed(tmp_path: Path) -> None:
    coordinators(100, tmp_path, str_of(writers(2, 14)), "sc")


def str_of(shape: xgen.Program) -> str:
    return shape.source.text


def test_processes_end_with_their_coordinator(tmp_path: Path) -> None:
    source = tmp_path / "program.xcfa"
    source.write_text(str_of(coherence(14)))
    arguments = ["check", str(source), "--mcm", "sc", "--all-states", "--processes", "2"]
    process = subprocess.Popen([sys.executable, "-m", "xgen", *arguments], stdout=subprocess.DEVNULL)
    children: list[int] = []
    until = time.monotonic() + 60
    while len(children) < 2 and time.monotonic() < until:
        children = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    process.kill()
    process.wait()
    assert ended(children)


# ---- files


def begun(tmp_path: Path) -> Path:
    """The file of a run that has only begun."""
    file = tmp_path / "begun.run"
    with halting():
        result = xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file)
    assert result.stopped == "timeout"
    return file


def refused(file: Path, **options: object) -> str:
    chosen = {"model": xgen.model("sc"), "all_states": True, "trace_limit": 0, **options}
    with pytest.raises(xgen.UsageError) as error:
        xgen.check(chosen.pop("program", SLOW), checkpoint=file, **chosen)  # type: ignore[arg-type]
    return error.value.message


def test_other_questions_are_refused(tmp_path: Path) -> None:
    file = begun(tmp_path)
    assert refused(file, program=coherence(8)) == "this is a checkpoint of another program"
    assert refused(file, model=xgen.model("tso")) == "this is a checkpoint of another model"
    assert refused(file, max_depth=5) == "this is a checkpoint of a run with another --max-depth"
    assert refused(file, all_states=False) == "this is a checkpoint of a run with another --all-states"
    assert refused(file, unroll=True) == "this is a checkpoint of a run with another --no-spin"
    result = xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file)
    result = replace(result, duplicates_checked=1024)  # if it had time for so many
    assert summary(result) == summary(xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0))


def test_other_versions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = begun(tmp_path)
    monkeypatch.setattr(file_module, "EXPLORATION", 7)
    assert refused(file).startswith(f"this is a checkpoint of xgen {__version__} (exploration 2); this is ")
    monkeypatch.undo()
    monkeypatch.setattr(file_module, "FORMAT", 7)
    assert refused(file) == f"this checkpoint has format 4; this xgen, {__version__}, has 7"


def test_checkpoints_of_the_first_releases_are_told_by_their_name(tmp_path: Path) -> None:
    file = begun(tmp_path)
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 3")
    with pytest.raises(xgen.UsageError) as error:
        file_module.check_file(file)
    said = f"this checkpoint has format 3, that of xgen 0.2.0; this xgen, {__version__}, has 4"
    hint = "the xgen that wrote it can go on with it; this one has to begin again, with another file"
    assert (error.value.message, error.value.hint) == (said, hint)


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + bytes(100)])
def test_files_of_others_are_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert refused(file) == "this is no checkpoint of xgen"


def test_damaged_files_are_refused_or_harmless(tmp_path: Path) -> None:
    """A cut file is refused; so is one with other bytes in it, unless these are where nothing is."""
    file, cut = begun(tmp_path), tmp_path / "cut"
    data = file.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    assert refused(cut).startswith("this checkpoint is damaged: ")
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE part SET path = '[99999]', rest = '[0]'")
        db.commit()
    assert refused(file).startswith("this checkpoint is damaged: ")


def kept_files(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind, closed."""
    test = (
        "X86 sb\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0)"
    )
    (tmp_path / "sb.litmus").write_text(test)
    commands = {
        "check": ["check", "mp", "--mcm", "sc", "--all-states"],
        "litmus": ["litmus", str(tmp_path / "sb.litmus"), "--mcm", "tso"],
        "compare": ["compare", "sc", "tso", "--max-size", "3"],
    }
    files = {}
    for kind, command in commands.items():
        files[kind] = tmp_path / f"{kind}.run"
        outcome = CliRunner().invoke(main, [*command, "--checkpoint", str(files[kind])])
        assert outcome.exit_code in (0, 1), outcome.output
    return files


@pytest.mark.parametrize("kind", ["check", "litmus", "compare"])
def test_a_file_with_any_other_bit_is_refused(tmp_path: Path, kind: str, pytestconfig: pytest.Config) -> None:
    """Whatever is changed of a file that is sealed; with --slow, each of its bits is."""
    file = kept_files(tmp_path)[kind]
    data = bytearray(file.read_bytes())
    file_module.check_file(file)
    dice = random.Random(kind)
    step = 1 if pytestconfig.getoption("--slow") else 97
    places = {*range(100), *range(100 + dice.randrange(step), len(data), step)}
    for place in sorted(places):
        bits = range(8) if step == 1 or place < 100 else [dice.randrange(8)]
        for changed in (*(data[place] ^ (1 << bit) for bit in bits), 0, 255):
            if changed == data[place]:
                continue
            with open(file, "r+b") as opened:
                opened.seek(place)
                opened.write(bytes([changed]))
            with pytest.raises(xgen.UsageError) as error:
                file_module.check_file(file)
            assert re.match(r"this (checkpoint is damaged|is no checkpoint|checkpoint has format)", error.value.message)
        with open(file, "r+b") as opened:
            opened.seek(place)
            opened.write(data[place : place + 1])
    file_module.check_file(file)
    assert file.read_bytes() == data


def test_a_file_is_sealed_whenever_it_is_not_written(tmp_path: Path) -> None:
    """By each commit, and by what begins a session; what was killed in between is taken as it is."""
    file = begun(tmp_path)
    assert any(file.read_bytes()[file_module.SEAL])
    kept = Checkpoint.resume(file)
    sealed = file.read_bytes()[file_module.SEAL]
    assert any(sealed)
    seen = []
    kept._committed(lambda: seen.append(file.read_bytes()[file_module.SEAL]), done=False)
    assert seen == [bytes(20)]
    assert file.read_bytes()[file_module.SEAL] not in (sealed, bytes(20))
    kept.close()
    file_module.check_file(file)
    data = bytearray(file.read_bytes())
    data[file_module.SEAL] = bytes(20)
    file.write_bytes(data)
    result = xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file)
    assert result.stopped is None
    file_module.check_file(file)
    assert any(file.read_bytes()[file_module.SEAL])


def test_two_at_once(tmp_path: Path) -> None:
    file = begun(tmp_path)
    first = Checkpoint.resume(file)
    said = refused(file)
    assert said.startswith(f"another run works with this checkpoint: process {os.getpid()} on ")
    first.close()
    assert xgen.check(SLOW, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file).stopped is None


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be written stays in memory; the result is exact, and says so."""
    file, plain = tmp_path / "run", Checkpoint._write

    def write(self: Checkpoint, *arguments: object) -> None:
        self._db.execute("PRAGMA max_page_count = 12")
        plain(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Checkpoint, "_write", write)
    shape = coherence(8)
    result = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file)
    whole = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0)
    assert result.warnings[0] == "the checkpoint is not complete, it could not be written: database or disk is full"
    assert summary(replace(result, warnings=())) == summary(whole)
    monkeypatch.undo()
    again = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0, checkpoint=file)
    assert summary(again) == summary(whole)


def test_outcomes_that_there_is_no_memory_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.engine.distributed.memory.for_outcomes", lambda limit: 10_000)  # noqa: ARG005 - the signature
    shape = coherence(7)
    whole = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0)
    result = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0, memory_limit=10**9)
    assert summary(result) == summary(whole)
    assert result.outcomes[5:9] == list(whole.outcomes)[5:9]
    assert result.outcomes[-1] == whole.outcomes[-1]
    assert len(result.outcomes[::-1]) == len(whole.outcomes)
    with pytest.raises(IndexError):
        result.outcomes[len(result.outcomes)]


def test_slices_have_as_many_outcomes_as_there_is_memory_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are on their way to be added."""
    met: list[int] = []

    def task(self: Coordinator, seconds: float) -> Task | None:
        found = plain(self, seconds)
        met.extend([] if found is None else [found.outcomes])
        return found

    plain = Coordinator.task
    monkeypatch.setattr(Coordinator, "task", task)
    shape = coherence(6)
    for room, outcomes in ((10**4, 1000), (10**6, 5000), (10**9, 200_000)):
        monkeypatch.setattr("xgen.engine.distributed.memory.for_outcomes", lambda limit, room=room: room)  # noqa: ARG005 - the signature
        result = xgen.check(shape, xgen.model("sc"), all_states=True, trace_limit=0, memory_limit=10**9)
        assert len(result.outcomes) == 924
        assert set(met) == {outcomes}
        met.clear()


def test_what_has_to_be_the_same_has_the_same_names() -> None:
    """In any process, whatever its hash seed."""
    code = (
        "import xgen; from xgen.engine.distributed.checkpoint import identity; from xgen.engine.problem import problem;"
        "from xgen.engine.graphs.options import Options; from xgen.resources import shipped;"
        "p = xgen.load(shipped('programs') / 'peterson_2rounds.xcfa');"
        "print([identity(problem(p, xgen.model(m)), Options()) for m in ('rc11', 'arm8', 'lkmm')])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


CLASSES: list[Classes] = ["rf", "values", "seen"]


def test_all_options_that_matter_are_in_the_identity() -> None:
    asked = problem(SHAPES["SB"], xgen.model("sc"))
    plain = identity(asked, Options())
    for other in ({"max_depth": 3}, {"all_states": True}, {"filter": "final"}, {"unroll": True}, {"liveness": True}):
        assert identity(asked, Options(**other)) != plain  # type: ignore[arg-type]
    kinds = [identity(problem(SHAPES["SB"], xgen.model("sc"), classes=True), Options(partition=p)) for p in CLASSES]
    assert len({str(found) for found in (plain, *kinds)}) == 4
