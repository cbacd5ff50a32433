"""`xgen resume`, and the options of `xgen check` for long runs: what is said, and the exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine.distributed.halting import halting
from engine.distributed.processes import ended
from engine.shapes import coherence

from cli.fake import run
from xgen.engine.distributed.checkpoint import Checkpoint

BAD = """
var x : int
process p { var r : int init loc A final loc B A -> B { r <- x assert r = 0 } }
process q { init loc A final loc B A -> B { 1 -> x } }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.xcfa").write_text(coherence(9).source.text)
    (tmp_path / "bad.xcfa").write_text(BAD)
    (tmp_path / "mine.mcm").write_text("mine = po | rf\nmine acyclic\nfr = fr | mo\nfr | rf | po-loc acyclic")
    return tmp_path


def document(*arguments: str, code: int = 0) -> dict[str, object]:
    found = run(*arguments, "--format", "json")
    assert found.exit_code == code, (found.stdout, found.stderr)
    result = json.loads(found.stdout)
    for name in ("seconds", "peak_kib", "run", "stopped", "verdict"):
        result.pop(name, None)
    return result  # type: ignore[no-any-return]


def test_a_run_that_is_stopped_goes_on_without_its_files(folder: Path) -> None:
    whole = document("check", "long.xcfa", "--mcm", "sc", "--all-states")
    begin = ("check", "long.xcfa", "--mcm", "sc", "--all-states", "--checkpoint", "a.run")
    with halting():
        assert run(*begin).exit_code == 3
    (folder / "long.xcfa").unlink()
    status = run("resume", "a.run", "--status")
    assert status.exit_code == 0
    assert "open\n" in status.stdout
    found = document("resume", "a.run", "--processes", "2")
    assert {**found, "duplicates_checked": 1024} == whole
    assert run("resume", "a.run", "--status").stdout.startswith("a.run: finished\n  48620 executions, 0 blocked")
    assert {**document("resume", "a.run"), "duplicates_checked": 1024} == whole


def test_models_of_the_user_are_kept_as_well(folder: Path) -> None:
    (folder / "mine.mcm").write_text('model "mine"\nh = po | rf | mo | fr\nh acyclic')
    begun = run("check", "bad.xcfa", "--mcm", "mine.mcm", "--checkpoint", "b.run")
    assert begun.exit_code == 1
    (folder / "mine.mcm").unlink()
    again = run("resume", "b.run")
    assert again.exit_code == 1
    assert again.stdout.split(" after ")[0].split("\ncost")[0] == begun.stdout.split(" after ")[0].split("\ncost")[0]


def test_c_programs_with_headers(folder: Path) -> None:
    (folder / "inc").mkdir()
    (folder / "inc/one.h").write_text("#define ONE 1\n")
    (folder / "p.c").write_text(
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n#include <one.h>\n"
        "atomic_int x; void *f(void *a) { x = ONE; return 0; }\n"
        "int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == ONE); }\n"
    )
    begun = document("check", "p.c", "--mcm", "rc11", "-I", "inc", "--checkpoint", "c.run")
    (folder / "inc/one.h").unlink()
    (folder / "p.c").unlink()
    assert document("resume", "c.run") == begun


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", [[], ["--all-states", "--trace-limit", "1"]])
def test_pictures_of_a_run_that_is_kept(folder: Path, more: list[str]) -> None:
    """Those of a run that is not, also long after the run has ended."""
    asked = ("check", "bad.xcfa", "--mcm", "sc", *more[:1])
    drawn = ("--dot", "{0}", "--svg", "{0}", "--html", "{0}/page.html", "--explain", "--show", "po,rf", *more[1:])

    def said(*arguments: str) -> list[str]:
        name = "plain" if arguments[0] == "check" else "kept"
        found = run(*arguments, *(part.format(name) for part in drawn))
        assert found.exit_code == 1
        return found.stdout.replace(name, "").split("\n\n", 2)[2].splitlines()

    assert run(*asked, "--checkpoint", "p.run").exit_code == 1
    (folder / "bad.xcfa").rename("kept.xcfa")
    kept = said("resume", "p.run")
    (folder / "kept.xcfa").rename("bad.xcfa")
    plain = said(*asked)
    assert [line for line in kept if "after" not in line] == [line for line in plain if "after" not in line]
    files = {path.name: path.read_text() for path in (folder / "plain").iterdir()}
    assert files == {path.name: path.read_text() for path in (folder / "kept").iterdir()}
    assert len(files) == 3


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize("option", [["--dot", "p"], ["--svg", "p"], ["--html", "p.html"], ["--explain"]])
@pytest.mark.parametrize("command", ["litmus suite", "compare sc tso suite", "compare sc tso"])
def test_what_nothing_is_drawn_of(command: str, option: list[str]) -> None:
    run(*command.split(), "--checkpoint", "n.run")
    found = run("resume", "n.run", *option)
    kind = "a search" if command == "compare sc tso" else "a suite"
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == f"n.run: error: this is the checkpoint of {kind}: there is nothing to draw\n"
    assert not Path("p").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--memory-limit", "50M"], "50M is too little: it takes 100M at least."),
        (["--memory-limit", "much"], "a size is a number with K, M, G or T behind it: 200M."),
        (["--processes", "0"], "0 is not in the range from 1 to 256."),
        (["--checkpoint", "bad.xcfa"], "bad.xcfa: error: this file exists already\n  `xgen resume bad.xcfa` goes on"),
        (["--checkpoint", "no/such/file"], "no/such/file: error: this cannot be written: No such file or directory"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_refused(arguments: list[str], said: str) -> None:
    found = run("check", "long.xcfa", "--mcm", "sc", *arguments)
    assert found.exit_code == 2
    assert said in found.stderr


@pytest.mark.usefixtures("folder")
def test_files_that_are_of_no_use() -> None:
    cases = {"none": "there is no such file", "bad.xcfa": "this is no checkpoint of xgen", ".": "this is no file"}
    if hasattr(os, "mkfifo"):
        os.mkfifo("pipe")  # nobody writes to it
        cases["pipe"] = "this is no file"
    for name, said in cases.items():
        for more in ([], ["--status"]):
            found = run("resume", name, *more)
            assert (found.exit_code, found.stdout) == (2, "")
            assert found.stderr == f"{name}: error: {said}\n"


def test_a_run_that_has_explored_nothing_yet(folder: Path) -> None:
    Checkpoint.create(folder / "new.run", {}).close()
    assert run("resume", "new.run", "--status").stdout.startswith("new.run: not begun\n  0 executions, ")


@pytest.mark.usefixtures("folder")
def test_two_at_once(folder: Path) -> None:
    run("check", "bad.xcfa", "--mcm", "sc", "--checkpoint", "d.run")
    first = Checkpoint.resume(folder / "d.run")
    found = run("resume", "d.run")
    first.close()
    assert found.exit_code == 2
    assert found.stderr.startswith(f"d.run: error: another run works with this checkpoint: process {os.getpid()} on ")


# ---- suites

SB = """X86 %s
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


@pytest.fixture
def suite(folder: Path) -> Path:
    """A folder with three tests, and a model in a file of its own that includes another."""
    (folder / "suite").mkdir()
    for name in ("a", "b", "c"):
        (folder / "suite" / f"{name}.litmus").write_text(SB % name)
    (folder / "suite/bad.litmus").write_text("X86 bad\n{}\nP0 ;\nMOV EAX ;\nexists (x=1)\n")
    (folder / "mine.cat").write_text('include "more.cat"\nacyclic po | com as sc\n')
    (folder / "more.cat").write_text("let com = rf | co | fr\n")
    return folder


def results_of(stdout: str) -> list[dict[str, object]]:
    return [{**test, "seconds": 0} for test in json.loads(stdout)["tests"]]


def untimed(value: object) -> object:
    """A document without times."""
    if isinstance(value, dict):
        return {key: untimed(one) for key, one in value.items() if key != "seconds"}
    return [untimed(one) for one in value] if isinstance(value, list) else value


def stopped_after(tests: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on Ctrl-C comes with the test after so many."""
    from xgen.analyses.suite import sliced_test

    plain, number = sliced_test.run_file, [0]

    def interrupted(*arguments: object) -> object:
        number[0] += 1
        if number[0] > tests:
            raise KeyboardInterrupt
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sliced_test, "run_file", interrupted)


def test_a_suite_that_is_stopped_goes_on_without_its_files(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("litmus", "suite", "--mcm", "mine.cat", "--expect", "all.csv")
    (suite / "all.csv").write_text("path,verdict\nsuite/a.litmus,No\nsuite/bad.litmus,error\nsuite/c.litmus,Ok\n")
    whole = run(*asked, "--format", "json")
    assert whole.exit_code == 1
    with monkeypatch.context() as patch:
        stopped_after(2, patch)
        begun = run(*asked, "--format", "json", "--checkpoint", "s.run", "--save", "found.csv")
    assert (begun.exit_code, begun.stderr) == (3, "interrupted after 2 of 4 tests\n")
    assert results_of(begun.stdout) == results_of(whole.stdout)[:2]
    status = run("resume", "s.run", "--status")
    assert status.stdout.startswith("s.run: 2 tests of 4 left\n  2 of 4 tests answered; 1 session, ")
    for name in ("suite/a.litmus", "suite/b.litmus", "suite/bad.litmus", "suite/c.litmus", "mine.cat", "more.cat"):
        (suite / name).unlink()
    found = run("resume", "s.run", "--format", "json", "--processes", "2")
    assert found.exit_code == 1
    assert results_of(found.stdout) == results_of(whole.stdout)
    assert (suite / "found.csv").read_text().splitlines()[1:3] == ["suite/a.litmus,No", "suite/b.litmus,No"]
    assert run("resume", "s.run", "--status").stdout.startswith(
        "s.run: finished\n  4 of 4 tests answered; 2 sessions, "
    )
    again = run("resume", "s.run", "--format", "json")
    assert (again.exit_code, results_of(again.stdout)) == (1, results_of(whole.stdout))


def test_a_comparison_that_is_stopped_goes_on(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("compare", "sc", "tso", "suite", "--format", "json")
    whole = json.loads(run(*asked).stdout)
    with monkeypatch.context() as patch:
        stopped_after(3, patch)
        assert run(*asked, "--checkpoint", "c.run").exit_code == 1
    assert run("resume", "c.run", "--status").stdout.startswith("c.run: 3 tests of 4 left\n  1 of 4 tests answered; ")
    (suite / "suite/b.litmus").unlink()
    found = run("resume", "c.run", "--format", "json", "--processes", "2")
    assert found.exit_code == 1
    assert untimed(json.loads(found.stdout)) == untimed(whole)


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize("command", ["litmus suite", "compare sc tso suite"])
def test_a_scheduler_that_is_gone(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found so far is printed, with how to go on."""
    from xgen.analyses.suite import runner
    from xgen.engine.distributed.workers import GoneError, Here

    class Leaving(Here[object, object]):
        def answers(self, seconds: float) -> Iterator[tuple[object, object]]:
            yield from super().answers(seconds)
            if next(asked) == 2:
                raise GoneError("the scheduler at a:1 is gone")

    asked = iter(range(100))
    whole = json.loads(run(*command.split(), "--format", "json").stdout)
    with monkeypatch.context() as patch:
        patch.setattr(runner, "crew_for", lambda how, make, job, limit: Leaving(make(*job)))  # noqa: ARG005
        found = run(*command.split(), "--checkpoint", "g.run", "--format", "json")
    done = 1 if command.startswith("compare") else 3
    assert found.exit_code == (1 if command.startswith("compare") else 3)
    assert found.stderr == f"the scheduler at a:1 is gone, after {done} of 4 tests; `xgen resume g.run` goes on\n"
    assert untimed(json.loads(found.stdout)["tests"]) == untimed(whole["tests"][:done])
    assert untimed(json.loads(run("resume", "g.run", "--format", "json").stdout)) == untimed(whole)


def test_a_search_for_a_difference_goes_on_without_its_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It compares no program twice, and finds what it would have found; of one that has ended it is said again."""
    from xgen.analyses.compare import distinguish

    (folder / "mine.cat").write_text('include "more.cat"\nacyclic po | com as sc\n')
    (folder / "more.cat").write_text("let com = rf | co | fr\n")
    asked = ("compare", "sc", "mine.cat", "--max-size", "5", "--format", "json")
    whole = json.loads(run(*asked).stdout)
    plain, compared = distinguish.Comparer._answer, list[object]()

    def interrupted(self: distinguish.Comparer, candidate: distinguish.Candidate) -> distinguish.Answer:
        if len(compared) == 100:
            raise KeyboardInterrupt
        compared.append(candidate.shape)
        return plain(self, candidate)

    with monkeypatch.context() as patch:
        patch.setattr(distinguish.Comparer, "_answer", interrupted)
        begun = run(*asked, "--checkpoint", "d.run")
    assert begun.exit_code == 3
    found = json.loads(begun.stdout)
    assert (found["why"], found["stopped"], found["programs"] <= 100) == ("interrupt", True, True)
    status = json.loads(run("resume", "d.run", "--status", "--format", "json").stdout)
    assert (status["done"], status["programs"], status["size"]) == (False, found["programs"], found["size"])
    assert run("resume", "d.run", "--status").stdout.startswith("d.run: now of size ")
    for name in ("mine.cat", "more.cat"):
        (folder / name).unlink()
    assert untimed(json.loads(run("resume", "d.run", "--format", "json", "--processes", "2").stdout)) == untimed(whole)
    status = run("resume", "d.run", "--status")
    assert status.stdout.startswith(f"d.run: finished\n  {whole['programs']} programs compared; 2 sessions, ")
    assert untimed(json.loads(run("resume", "d.run", "--format", "json").stdout)) == untimed(whole)


@pytest.mark.parametrize("models", ["sc tso", "tso pso", "pso arm8"])
@pytest.mark.usefixtures("folder")
def test_a_difference_that_was_found_is_found_again(models: str) -> None:
    asked = ("compare", *models.split(), "--format", "json")
    whole = untimed(json.loads(run(*asked).stdout))
    for more in (("--processes", "2", "--checkpoint", "f.run"), ("--memory-limit", "500M")):
        found = run(*asked, *more)
        assert (found.exit_code, untimed(json.loads(found.stdout))) == (1, whole)
    again = run("resume", "f.run", "--format", "json")
    assert (again.exit_code, untimed(json.loads(again.stdout))) == (1, whole)


def test_workers_are_another_name_for_processes(suite: Path) -> None:
    assert run("litmus", "suite/a.litmus", "suite/b.litmus", "--workers", "2").exit_code == 0
    for command in ("litmus suite", "compare sc tso suite"):
        found = run(*command.split(), "--processes", "2", "--memory-limit", "500M")
        assert found.exit_code == (2 if command.startswith("litmus") else 1)
        assert found.stdout.startswith("4 tests: ")
        twice = run(*command.split(), "--checkpoint", str(suite / "mine.cat"))
        assert (twice.exit_code, "this file exists already" in twice.stderr) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(folder: Path, number: signal.Signals) -> None:
    """What was found so far is printed and kept, and no process is left."""
    (folder / "longer.xcfa").write_text(coherence(14).source.text)
    arguments = ["check", "longer.xcfa", "--mcm", "sc", "--all-states", "--processes", "2", "--checkpoint", "e.run"]
    process = subprocess.Popen([sys.executable, "-m", "xgen", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(pids := children.read_text().split()) < 2:
            os.sched_yield()
        process.send_signal(number)
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 3
    assert said.startswith("interrupted after ")
    assert ended(map(int, pids))
    assert "open\n" in run("resume", "e.run", "--status").stdout
