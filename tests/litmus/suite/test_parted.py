"""Litmus tests in parts: what is said of them does not depend on how they are divided, stopped, or lost."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import xgen
from xgen.analyses.suite import runner, sliced_test
from xgen.analyses.suite.file import KeptSuite, read_suite
from xgen.analyses.suite.litmus import LitmusResult
from xgen.analyses.suite.runner import Runner, Spread, run_tests, with_texts
from xgen.analyses.suite.schedule import Answer, Job
from xgen.analyses.suite.sliced_test import Explorer, Piece
from xgen.analyses.suite.suite import Item, find_tests, run_file
from xgen.clock import OutOfTime
from xgen.engine.distributed.slices import Slice, Slicer
from xgen.engine.distributed.workers import Lost, done
from xgen.engine.graphs.intervals import Interval
from xgen.resources import shipped


def ring(threads: int) -> str:
    """Store buffers in a ring."""
    rows = [[f"P{n}" for n in range(threads)]]
    rows.append([f"MOV [x{n}],$1" for n in range(threads)])
    rows.append([f"MOV EAX,[x{(n + 1) % threads}]" for n in range(threads)])
    text = "".join(" | ".join(cell.ljust(14) for cell in row) + " ;\n" for row in rows)
    asked = " /\\ ".join(f"{n}:EAX=0" for n in range(threads))
    return f"X86 ring{threads}\n{{}}\n{text}exists ({asked})\n"


def c(body: str, ask: str) -> str:
    return f"C made\n{{}}\n{body}\n{ask}\n"


WRITERS = (
    "P%d (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, %d, memory_order_relaxed);\n"
    " int r%d = atomic_load_explicit(y, memory_order_relaxed);\n"
    " atomic_fetch_add_explicit(y, 1, memory_order_relaxed); }\n"
)
TEXTS = {
    "ring": ring(6),
    "writers": c("".join(WRITERS % (n, n + 1, n) for n in range(3)), "forall (y=3)"),
    "filter": c("".join(WRITERS % (n, n + 1, n) for n in range(3)), "filter (x=2)\nexists (1:r1=0)"),
    "race": c(
        "P0 (int* x, atomic_int* y) { *x = 1; atomic_store_explicit(y, 1, memory_order_release); }\n"
        "P1 (int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_acquire); if (r0) { *x = 2; } }\n"
        "P2 (int* x, atomic_int* y) { int r1 = atomic_load_explicit(y, memory_order_relaxed); int r2 = *x; }",
        "exists (2:r1=1)",
    ),
    "loop": "AArch64 loop\n{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 2:X1=x; 2:X3=y; }\n"
    " P0          | P1            | P2          ;\n"
    " MOV W0,#1   | L0:           | MOV W2,#2   ;\n"
    " STR W0,[X3] | LDR W0,[X1]   | STR W2,[X3] ;\n"
    " STR W0,[X1] | CBZ W0,L0     | LDR W4,[X3] ;\n"
    "             | LDR W2,[X3]   |             ;\n"
    "exists (1:X2=0)\n",
    "malformed": "X86 bad\n{}\nP0 ;\nMOV EAX ;\nexists (x=1)\n",
}
MODELS = {"race": "rc11"}


def wild(name: str) -> list[str]:
    """Paths of shipped tests, not too many."""
    return find_tests([str(shipped("litmus") / name)])[::12]


class Moody:
    """Workers in this process that answer in any order, and lose what they do, but nothing three times."""

    deaths = 0

    def __init__(self, texts: dict[str, str], timeout: float | None, seed: int) -> None:
        self.dice = random.Random(seed)
        self.size = self.dice.choice([1, 2, 5])
        self.runners = [Runner(texts, timeout) for _ in range(self.size)]
        self.tasks: list[Job] = []
        self.lost: list[str] = []
        self.stops: int | None = None

    def room(self) -> int:
        return 2 * self.size - len(self.tasks)

    def submit(self, task: Job) -> None:
        self.tasks.append(task)

    def answers(self, seconds: float) -> Iterator[tuple[Job, Answer | Lost | Exception]]:  # noqa: ARG002
        for _ in range(self.dice.randint(1, max(1, len(self.tasks)))):
            if self.stops is not None:
                self.stops -= 1
                if self.stops < 0:
                    raise KeyboardInterrupt
            if not self.tasks:
                return
            task = self.tasks.pop(self.dice.randrange(len(self.tasks)))
            if self.dice.random() < 0.1 and self.lost.count(task.name.partition("-")[0]) < 2:
                self.lost.append(task.name.partition("-")[0])
                yield task, Lost("signal 9")
            else:
                yield task, done(self.dice.choice(self.runners), task)

    def close(self) -> None:
        pass


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of few graphs, for every test."""
    monkeypatch.setattr(sliced_test, "done_at_once", lambda *_: None)
    plain, dice = Slicer.explore, random.Random(1)

    def explore(self: Slicer, part: Interval, seconds: float, outcomes: int, stop: Callable[[], bool]) -> Slice:
        return plain(self, part, seconds, outcomes, dice.choice([1, 2, 5, 20, 50]), stop)

    monkeypatch.setattr(Slicer, "explore", explore)


def same(results: list[LitmusResult]) -> list[LitmusResult]:
    return [replace(result, seconds=0.0) for result in results]


def items(folder: Path) -> list[Item]:
    """Tests of several kinds."""
    for name, text in TEXTS.items():
        (folder / f"{name}.litmus").write_text(text)
    own = [Item(str(folder / f"{name}.litmus"), MODELS.get(name)) for name in TEXTS]
    return [*own, Item(str(folder / "writers.litmus"), "weak"), *(Item(path, None) for path in wild("X86") + wild("C"))]


def moody(seed: int, monkeypatch: pytest.MonkeyPatch, stops: int | None = None) -> None:
    """From here on tests are run by such workers."""

    def crew(how: Spread, *_: object) -> Moody:
        found = Moody(dict(how.texts), how.timeout, seed)
        found.stops = stops
        return found

    monkeypatch.setattr(runner, "crew_for", crew)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(4))
def test_however_they_are_divided(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = items(tmp_path)
    whole = [run_file(test.path, test.model) for test in tests]
    assert [result.verdict for result in whole[:6]] == ["Ok", "Ok", "Ok", "Undef", "Ok", None]
    pieces: list[Piece] = []
    plain = Explorer.go_on

    def counted(self: Explorer, piece: Piece) -> object:
        pieces.append(piece)
        return plain(self, piece)

    monkeypatch.setattr(Explorer, "go_on", counted)
    moody(seed, monkeypatch)
    assert same(list(run_tests(tests, Spread(processes=2)))) == same(whole)
    assert {piece.number for piece in pieces} >= {0, 1}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(4))
def test_stopped_and_gone_on_with(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was explored is in the file, and nothing of it twice."""
    tests = with_texts(items(tmp_path)[:7])
    whole = [run_file(test.path, test.model) for test in tests]
    suite = KeptSuite.begin(tmp_path / "suite.run", {}, tests)
    stops = 5
    for session in range(60):
        moody(100 * seed + session, monkeypatch, stops)
        try:
            results = list(run_tests(tests, Spread(kept=suite)))
            break
        except KeyboardInterrupt:
            begun = len(suite.begun())
            suite.close()
            assert read_suite(tmp_path / "suite.run", 1)["begun"] == begun
            suite = KeptSuite.resume(tmp_path / "suite.run")
            stops += 40
    assert session > 2
    assert same(results) == same(whole)
    assert (suite.begun(), suite.about()["done"]) == ([], True)
    suite.close()


@pytest.mark.usefixtures("small")
def test_one_process_keeps_the_parts_of_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long test is not begun anew where its process was killed."""
    monkeypatch.setattr("xgen.engine.distributed.run_file.INTERVAL", 0.0)
    monkeypatch.setattr("xgen.engine.distributed.run_file.SHARE", 0.0)
    (tmp_path / "ring.litmus").write_text(TEXTS["ring"])
    tests = with_texts([Item(str(tmp_path / "ring.litmus"), None)])
    whole = run_file(tests[0].path)
    suite = KeptSuite.begin(tmp_path / "suite.run", {}, tests)
    plain, calls = Explorer.go_on, list[Piece]()

    def stopping(self: Explorer, piece: Piece) -> object:
        calls.append(piece)
        if len(calls) == 4:
            suite._db.close()  # whoever is killed writes nothing any more
            raise KeyboardInterrupt
        return plain(self, piece)

    monkeypatch.setattr(Explorer, "go_on", stopping)
    with pytest.raises(KeyboardInterrupt):
        list(run_tests(tests, Spread(kept=suite)))
    begins: list[object] = []
    monkeypatch.setattr(Explorer, "begin", lambda *arguments: begins.append(arguments))
    suite = KeptSuite.resume(tmp_path / "suite.run")
    (found,) = run_tests(tests, Spread(kept=suite))
    suite.close()
    assert (same([found]), begins) == (same([whole]), [])
    assert calls[4].task.part == calls[3].task.part  # where it was killed


@pytest.mark.usefixtures("small")
def test_what_is_wrong_in_an_execution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence is that of the whole run, also of a violation from before a run was gone on with."""
    text = (
        "X86 wrong\n{}\n"
        " P0            | P1          | P2          ;\n"
        " MOV EAX,[x]   | MOV [x],$1  | MOV [y],$1  ;\n"
        " CMP EAX,$1    | MOV EBX,[y] | MOV EBX,[x] ;\n"
        " JNE l         | MOV [y],$2  | MOV [x],$2  ;\n"
        " MOV ECX,[EDX] |             |             ;\n"
        " l: MOV ESI,[y] |            |             ;\n"
        "exists (x=1)\n"
    )
    (tmp_path / "wrong.litmus").write_text(text)
    tests = with_texts([Item(str(tmp_path / "wrong.litmus"), None)])
    whole = run_file(tests[0].path)
    assert whole.unsupported == "7:2: in an execution: array index out of range"
    for seed in range(6):
        moody(seed, monkeypatch)
        assert same(list(run_tests(tests, Spread(processes=2)))) == same([whole])
    stops = 4
    suite = KeptSuite.begin(tmp_path / "suite.run", {}, tests)
    for session in range(40):
        moody(session, monkeypatch, stops)
        try:
            results = list(run_tests(tests, Spread(kept=suite)))
            break
        except KeyboardInterrupt:
            stops += 4
    assert same(results) == same([whole])
    suite.close()


@pytest.mark.usefixtures("small")
def test_time_is_that_of_all_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ring.litmus").write_text(ring(12))
    moody(1, monkeypatch)
    (found,) = run_tests([Item(str(tmp_path / "ring.litmus"), None)], Spread(processes=2, timeout=0.001))
    assert (found.stopped, found.verdict, found.name) == ("timeout", None, "ring12")
    assert found.seconds >= 0.001


@pytest.mark.usefixtures("small")
def test_the_limit_holds_for_what_is_made_of_the_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Final states that take longer to show than there is time for: no verdict, but no error of our own."""

    def out_of_time(*_: object) -> LitmusResult:
        raise OutOfTime

    (tmp_path / "ring.litmus").write_text(ring(6))
    moody(1, monkeypatch)
    monkeypatch.setattr(sliced_test, "judged", out_of_time)
    (found,) = run_tests([Item(str(tmp_path / "ring.litmus"), None)], Spread(processes=2, timeout=1000.0))
    assert (found.stopped, found.verdict, found.error) == ("timeout", None, None)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (Lost("signal 9"), "the process that ran it has died 3 times (signal 9), for lack of memory?"),
        (Lost("memory"), "there is not enough memory"),
        (Lost("signal 9", late=True), "the process that ran it stood still 3 times"),
    ],
)
def test_a_part_that_kills_is_the_error_of_its_test(
    lost: Lost, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other tests have their answers."""
    tests = items(tmp_path)[:5]
    whole = [run_file(test.path, test.model) for test in tests]
    moody(0, monkeypatch)
    plain = done

    def dies(runner: Runner, job: Job) -> Answer | Lost | Exception:
        return lost if isinstance(job, Piece) and job.number == 1 else plain(runner, job)

    monkeypatch.setitem(globals(), "done", dies)
    found = list(run_tests(tests, Spread(processes=2)))
    assert (found[1].error, found[1].lost, found[1].verdict) == (said, True, None)
    assert same(found[:1] + found[2:]) == same(whole[:1] + whole[2:])


@pytest.mark.usefixtures("small")
def test_final_states_that_there_is_no_memory_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xgen.engine.distributed.memory.for_outcomes", lambda limit: 2_000)  # noqa: ARG005 - the signature
    moody(0, monkeypatch)
    tests = items(tmp_path)[:2]
    found = list(run_tests(tests, Spread(memory=10**9)))
    assert found[0].error == "there is not enough memory"
    monkeypatch.setattr(sliced_test, "OUTCOME_LIMIT", 5)
    moody(0, monkeypatch)
    assert next(run_tests(tests, Spread(processes=2))).unsupported == "there are too many final states"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE begun SET data = '{'",
        "UPDATE begun SET data = '[]'",
        "UPDATE begun SET data = json_set(data, '$.parts', json('[]'))",
        "UPDATE begun SET data = json_set(data, '$.parts', json('[[[-1], [0]]]'))",
        "UPDATE begun SET data = json_set(data, '$.parts', json('[[[99999], [0]]]'))",
        "UPDATE begun SET data = json_set(data, '$.found.flags', json('[]'))",
        "UPDATE outcome SET state = x'01'",
        "UPDATE begun SET number = 17",
    ],
)
def test_damaged_files(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = with_texts(items(tmp_path)[:1])
    suite = KeptSuite.begin(tmp_path / "suite.run", {}, tests)
    moody(3, monkeypatch, 6)
    with pytest.raises(KeyboardInterrupt):
        list(run_tests(tests, Spread(kept=suite)))
    assert len(suite.begun()) == 1
    suite._db.execute(change)
    moody(3, monkeypatch)
    with pytest.raises(xgen.UsageError, match="this checkpoint is damaged"):
        list(run_tests(tests, Spread(kept=suite)))
    suite.close()


def test_a_disk_that_is_full_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that was asked for is named, and nothing is left."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(KeptSuite, "_lock", full)
    with pytest.raises(xgen.UsageError) as error:
        KeptSuite.begin(tmp_path / "suite.run", {}, [])
    assert str(error.value) == f"{tmp_path}/suite.run: error: this cannot be written: database or disk is full"
    assert list(tmp_path.iterdir()) == []


def test_real_processes_divide_one_test(tmp_path: Path) -> None:
    """A test that takes longer than a slice, by processes."""
    (tmp_path / "ring.litmus").write_text(ring(13))
    (found,) = run_tests([Item(str(tmp_path / "ring.litmus"), None)], Spread(processes=2))
    assert (found.verdict, found.positive + found.negative) == ("Ok", 2**13)
