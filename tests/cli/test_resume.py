"""`xgen resume`, and the options of `xgen check` for long runs: what is said, and the exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from engine.halting import halting
from engine.processes import ended
from engine.shapes import coherence

from cli.fake import run
from xgen.engine.checkpoint import Checkpoint

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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--processes", "2", "--workers", "2"], "--processes cannot be used with --workers."),
        (["--checkpoint", "c", "--cones"], "--checkpoint cannot be used with --cones."),
        (["--memory-limit", "1G", "--estimate"], "--memory-limit cannot be used with --estimate."),
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
    for name, said in (("none", "there is no such file"), ("bad.xcfa", "this is no checkpoint of xgen")):
        for more in ([], ["--status"]):
            found = run("resume", name, *more)
            assert (found.exit_code, found.stdout) == (2, "")
            assert found.stderr == f"{name}: error: {said}\n"


@pytest.mark.usefixtures("folder")
def test_two_at_once(folder: Path) -> None:
    run("check", "bad.xcfa", "--mcm", "sc", "--checkpoint", "d.run")
    first = Checkpoint.resume(folder / "d.run")
    found = run("resume", "d.run")
    first.close()
    assert found.exit_code == 2
    assert found.stderr.startswith(f"d.run: error: another run works with this checkpoint: process {os.getpid()} on ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(folder: Path, number: signal.Signals) -> None:
    """What was found so far is printed and kept, and no process is left."""
    (folder / "longer.xcfa").write_text(coherence(14).source.text)
    arguments = ["check", "longer.xcfa", "--mcm", "sc", "--all-states", "--processes", "2", "--checkpoint", "e.run"]
    process = subprocess.Popen([sys.executable, "-m", "xgen", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(pids := children.read_text().split()) < 3:  # a process of the standard library is among them
            os.sched_yield()
        process.send_signal(number)
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 3
    assert said.startswith("interrupted after ")
    assert ended(map(int, pids))
    assert "open\n" in run("resume", "e.run", "--status").stdout
