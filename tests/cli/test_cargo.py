"""`cargo xgen`: which command of xgen is meant, and what is printed of tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import xgen
from cli.test_tests_beside import COMMAND
from xgen.cli.desk.cargo import meant
from xgen.errors import UsageError
from xgen.frontends.testing import NamedTest
from xgen.records import replace
from xgen.views import tests_of_cargo as view
from xgen.views.named_tests import Done

MEANT = [
    ("test", "check -p ."),
    ("test queue::tests --cfg loom", "check -p . --test queue::tests --cfg loom"),
    ("test --features a -p ..", "check --features a -p .."),
    ("test -p../other", "check -p../other"),
    ("test one -- -p", "check -p . --test one -- -p"),
    ("check", "check -p ."),
    ("check src/main.rs --mcm sc", "check -p . src/main.rs --mcm sc"),
    ("linearizable src/queue.rs", "linearizable -p . src/queue.rs"),
]


@pytest.mark.parametrize(("typed", "command"), MEANT)
def test_what_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, command: str) -> None:
    """Cargo says its own name for the subcommand first; who starts `cargo-xgen` does not."""
    monkeypatch.chdir(tmp_path)
    form = "cargo test" if typed.startswith("test") else None
    assert meant(["xgen", *typed.split()]) == meant(typed.split()) == (command.split(), form)


def test_where_the_project_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is that of the nearest Cargo.toml, in this folder or above it."""
    inner = tmp_path / "member" / "src" / "deep"
    inner.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "member"):
        (folder / "Cargo.toml").write_text("")
    for folder, said in ((inner, os.path.join("..", "..")), (inner.parent, ".."), (inner.parent.parent, ".")):
        monkeypatch.chdir(folder)
        assert meant(["xgen", "test"]) == (["check", "-p", said], "cargo test")


def test_a_bound_is_told() -> None:
    """`ok` alone stands for all executions."""
    test = NamedTest("a", "a.rs", 1, "a.rs")
    whole = xgen.check("mp", "sc")
    assert view.row(Done(test, whole)) == "test a ... ok"
    cut = replace(whole, verdict="safe-within-bound", max_depth=5)
    assert view.row(Done(test, cut)).startswith("test a ... ok: safe within the bound of 5 events per thread")


@pytest.mark.parametrize(
    ("typed", "code", "out", "err"),
    [
        ("", 0, "Usage: cargo xgen COMMAND", ""),
        ("--help", 0, "Usage: cargo xgen COMMAND", ""),
        ("--version", 0, "xgen ", ""),
        ("bench", 2, "", "error: no such command: `bench`\n  cargo xgen has test, check and linearizable\n"),
    ],
)
def test_what_is_no_command(typed: str, code: int, out: str, err: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        meant(["xgen", *typed.split()])
    said = capsys.readouterr()
    assert (ended.value.code, said.err) == (code, err)
    assert out in said.out


def test_no_answer_is_no_success() -> None:
    test = NamedTest("a", "a.rs", 1, "a.rs")
    refused = Done(test, error=UsageError("this is refused"))
    assert view.row(refused) == "test a ... no answer"
    told = view.summary([refused], 1.0, False)
    assert told.splitlines()[-1] == (
        "test result: no answer. 0 passed; 0 failed; 1 without an answer; 0 ignored; finished in 1.0 s"
    )
    assert "---- a ----\nthis is refused\n" in told
    assert view.summary([], 1.0, True).splitlines()[-1].startswith("test result: interrupted. 0 passed")


@pytest.mark.parametrize("asked", ["", "peterson"])
def test_what_is_printed(asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `cargo test` prints it, also of one test; the exit code is that of `xgen check`."""
    monkeypatch.chdir(tmp_path)
    command = COMMAND.replace("from xgen.cli import main\nmain()", "from xgen_command import cargo\ncargo()")
    tests = "peterson_fenced,peterson,~mp"
    words = [sys.executable, "-c", command, tests, "xgen", "test", *asked.split(), "--mcm", "tso"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    lines = done.stdout.splitlines()
    if asked:
        assert lines[:3] == ["", "running 1 test", "test peterson ... FAILED"]
        passed, ignored = 0, 0
    else:
        assert lines[:5] == [
            "",
            "running 3 tests",
            "test peterson_fenced ... ok",
            "test peterson ... FAILED",
            "test mp ... ignored",
        ]
        passed, ignored = 1, 1
    assert lines[lines.index("---- peterson ----") + 1].startswith("violation: error location Error reached at ")
    assert lines[-1].startswith(f"test result: FAILED. {passed} passed; 1 failed; {ignored} ignored; finished in ")
    assert done.returncode == 1
