"""Several tests of a file that several processes check: the answers are those of one process, and Ctrl-C ends all.

What reads tests is replaced: each is a program of its own.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from engine.distributed.processes import children_of, ended

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there, processes are copies")

COMMAND = """
import os, signal, sys
import xgen
from xgen.frontends.testing import NamedTest

signal.signal(signal.SIGINT, signal.default_int_handler)
load, tests = xgen.load, sys.argv.pop(1).split(",")

def test(program, test, **options):
    open(f"{test}.begun", "w").close()
    if test == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if test == "refused":
        raise xgen.UnsupportedError("this is refused")
    if test == "mistaken":
        raise AssertionError("no such thing")
    return load("long.xcfa" if test.startswith("long") else xgen.shipped.find_program(test))

xgen.load = test
xgen.list_tests = lambda *_, **__: [
    NamedTest(name.strip("~"), "all.rs", line, "all.rs", ignored="~" in name) for line, name in enumerate(tests, 1)
]
from xgen.cli import main
main()
"""
STEPS = "A -> B {\n" + 6 * "  1 -> x\n" + "}"
LONG = "var x : int\n" + "".join(f"process p{p} {{\n  init loc A\n  final loc B\n  {STEPS}\n}}\n" for p in range(6))
"""A program of which nobody sees the end."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all.rs").write_text("#[test]\nfn one() {}\n")
    (tmp_path / "long.xcfa").write_text(LONG)
    return tmp_path


def start(tests: str, *options: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", COMMAND, tests, "check", "all.rs", "--mcm", "tso", *options]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(tests: str, *options: str) -> tuple[int, str, str]:
    """The exit code, and what is printed but for times."""
    with start(tests, *options) as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, re.sub(r", [0-9.]+ m?s$", ", 0 s", out, flags=re.M), err


@pytest.mark.parametrize("form", ["text", "json"])
def test_answers_are_the_same(form: str) -> None:
    """In the order of the file, whichever comes first: with two processes, and in this one."""
    tests = "peterson_fenced,peterson,~mp,refused,dekker_fenced"
    alone, beside = (told(tests, "--format", form, "--processes", str(n)) for n in (1, 2))
    if form == "json":
        answers: list[list[dict[str, Any]]] = [json.loads(answer[1])["tests"] for answer in (alone, beside)]
        for answer in (*answers[0], *answers[1]):  # of which each run has its own
            for key in ("seconds", "peak_kib"):
                answer.pop(key, None)
        assert answers[0] == answers[1]
        assert [test.get("verdict") for test in answers[1]] == ["safe", "violation", None, None, "safe"]
        assert answers[1][1]["witness"]["error"]["kind"] == "error-location"
    else:
        assert alone == beside
        assert [line.partition(":")[0] for line in beside[1].splitlines()[:-1]] == tests.replace("~", "").split(",")
        assert beside[1].endswith("5 tests, 2 safe, 1 violated, 1 without an answer, 1 ignored, 0 s\n")
    assert alone[0] == beside[0] == 1


def test_a_process_that_dies() -> None:
    """It takes its test along, and no other."""
    code, out, err = told("mp,peterson_fenced,killed", "--processes", "2")
    lines = out.splitlines()
    assert lines[0].startswith("mp: safe (")
    assert lines[1].startswith("peterson_fenced: safe (")
    assert lines[2] == "killed: no answer: the process that checked it was ended (signal 9)"
    assert (code, err.splitlines()) == (
        3,
        [
            "all.rs: error: the process that checked it was ended (signal 9)",
            "  if memory was short: fewer --processes need less of it",
        ],
    )


def test_a_mistake_of_ours() -> None:
    code, out, err = told("mistaken,mp", "--processes", "2")
    assert (code, out.count("safe (")) == (4, 1)
    assert "AssertionError" in err


def test_each_has_its_time() -> None:
    """`--timeout` is for each: one that takes too long takes none from those behind it."""
    code, out, _ = told("long1,long2,mp", "--processes", "2", "--timeout", "3")
    assert code == 3
    assert [re.sub(r" after.*", "", line) for line in out.splitlines()[:2]] == [
        "long1: interrupted by the time limit",
        "long2: interrupted by the time limit",
    ]
    assert out.splitlines()[2].startswith("mp: safe (")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c(folder: Path, processes: str, number: signal.Signals) -> None:
    """It ends the tests that are checked, those that wait, and all processes; what there is by then is told."""
    with start("mp,long1,peterson,long2,mp_us,long3", "--processes", processes) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert first.startswith("mp: safe (")
            last, until = folder / f"{'long1' if processes == '1' else 'long2'}.begun", time.monotonic() + 60
            while not last.exists() and time.monotonic() < until:
                time.sleep(0.05)
            time.sleep(1.0)  # the process that reads long2 has answered before what comes of peterson
            children = children_of(process.pid)
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    lines = out.splitlines()
    assert process.returncode == 3
    assert lines[-1].startswith("interrupted: ")
    assert not any(line.startswith(("long3", "long2")) for line in lines)
    if processes == "1":
        assert children == []
        assert lines[0].startswith("long1: interrupted after ")
        assert len(lines) == 2
    else:
        assert len(children) == 2
        assert lines[0].startswith("peterson: violation")
        assert ended(children)


def test_not_with_samples() -> None:
    code, _, err = told("mp,peterson", "--processes", "2", "--sample", "3")
    assert (code, "--sample" in err) == (2, True)


def test_reports_are_those_of_one_process(folder: Path) -> None:
    """Also where there are more processes than tests."""
    code, out, _ = told("peterson,mp", "--processes", "8", "--junit", "report.xml", "--sarif", "found.sarif")
    assert (code, out.splitlines()[-1]) == (1, "2 tests, 1 safe, 1 violated, 0 s")
    assert os.path.getsize(folder / "report.xml") > 0
    (run,) = json.loads((folder / "found.sarif").read_text(encoding="utf-8"))["runs"]
    assert [(result["ruleId"]) for result in run["results"]] == ["error-location"]
