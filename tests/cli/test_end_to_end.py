"""The whole way, from the command line through the engine and back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli.fake import run, unlined

pytest.importorskip("xgen.analyses.check.check", reason="the engine is not there yet")

MESSAGE_PASSING = """\
var x : int
var y : int
process writer {
  init loc L0
  loc L1
  final loc L2
  L0 -> L1 { 1 -> x }
  L1 -> L2 { 1 -> y }
}
process reader {
  var a : int
  var b : int
  init loc K0
  loc K1
  loc K2
  final loc K3
  K0 -> K1 { a <- y }
  K1 -> K2 { b <- x }
  K2 -> K3 { assert a = 1 imply b = 1 }
}
"""

ENDLESS = """\
var x : int
process p { init loc L L -> L { 1 -> x } }
process q { var a : int init loc K K -> K { a <- x } }
"""

SEQUENTIAL = "order = po union rf union mo union fr\norder acyclic\n"
COHERENT = "order = (po & loc) union rf union mo union fr\norder acyclic\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with programs and models."""
    for name, text in {
        "mp.xcfa": MESSAGE_PASSING,
        "endless.xcfa": ENDLESS,
        "seq.mcm": SEQUENTIAL,
        "coh.mcm": COHERENT,
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def document(*args: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the JSON of a check."""
    outcome = run("check", *args, "--format", "json")
    return outcome.exit_code, json.loads(outcome.stdout)


@pytest.mark.usefixtures("folder")
def test_safe() -> None:
    code, answer = document("mp.xcfa", "--mcm", "seq.mcm")
    assert (code, answer["verdict"], answer["program"]) == (0, "safe", "mp.xcfa")
    assert (answer["executions"], answer["blocked"], answer["bounded"], answer["duplicates"]) == (3, 0, 0, 0)
    assert answer["certified"] is True
    assert answer["exhaustive"] is True
    assert answer["witness"] is None
    states = [(outcome["state"]["reader:a"], outcome["state"]["reader:b"]) for outcome in answer["outcomes"]]
    assert sorted(states) == [(0, 0), (0, 1), (1, 1)]
    assert all(outcome["state"]["x"] == 1 for outcome in answer["outcomes"])
    report = run("check", "mp.xcfa", "--mcm", "seq.mcm")
    assert report.exit_code == 0
    assert report.stdout.startswith("safe (model seq")
    assert "no bound, 3 executions, exhaustive)\n" in report.stdout


@pytest.mark.usefixtures("folder")
def test_violation() -> None:
    code, answer = document("mp.xcfa", "--mcm", "coh.mcm")
    assert (code, answer["verdict"]) == (1, "violation")
    witness = answer["witness"]
    assert witness["error"]["thread"] == "reader"
    assert witness["error"]["kind"] == "assertion"
    assert (witness["error"]["line"], witness["error"]["location"]) == (19, None)
    assert ["writer", "W", "x", 1, 7] in [
        [event["thread"], event["kind"], event["location"], event["value"], event["source"]["line"]]
        for event in witness["events"]
        if event["source"]
    ]
    assert sorted(witness["rf"]) == [["0:1", "1:0"], ["init:x", "1:1"]]
    report = run("check", "mp.xcfa", "--mcm", "coh.mcm")
    assert report.exit_code == 1
    assert report.stdout.startswith("violation: assertion violated at mp.xcfa:19:")
    assert "R x = 0  from init" in report.stdout
    assert "R y = 1  from writer line 8" in report.stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("mode", ["in-situ", "final"])
def test_all_states(mode: str) -> None:
    code, answer = document("mp.xcfa", "--mcm", "coh.mcm", "--all-states", "--filter", mode)
    assert (code, answer["verdict"], answer["executions"], answer["violations"]) == (1, "violation", 4, 1)
    assert len(answer["outcomes"]) == 4


def test_pictures_of_all_states(folder: Path) -> None:
    outcome = run("check", "mp.xcfa", "--mcm", "coh.mcm", "--all-states", "--dot", "pictures")
    assert sorted(os.listdir(folder / "pictures")) == ["0001.dot", "0002.dot", "0003.dot", "0004.dot"]
    assert "4 of 4 executions written to pictures (with a violation: 000" in outcome.stdout
    outcome = run("check", "mp.xcfa", "--mcm", "coh.mcm", "--all-states", "--dot", "pictures", "--trace-limit", "2")
    assert sorted(os.listdir(folder / "pictures")) == ["0001.dot", "0002.dot"]
    assert "2 of 4 executions written to pictures" in outcome.stdout


def test_picture_of_the_witness(folder: Path) -> None:
    assert run("check", "mp.xcfa", "--mcm", "coh.mcm", "--dot", "pictures").exit_code == 1
    assert os.listdir(folder / "pictures") == ["witness.dot"]
    assert "doubleoctagon" in (folder / "pictures" / "witness.dot").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_bound() -> None:
    code, answer = document("endless.xcfa", "--mcm", "seq.mcm", "--max-depth", "2")
    assert (code, answer["verdict"], answer["executions"], answer["max_depth"]) == (3, "safe-within-bound", 0, 2)
    assert answer["bounded"] > 0
    outcome = run("check", "endless.xcfa", "--mcm", "seq.mcm", "--max-depth", "2")
    assert outcome.stdout.startswith("no execution completes within the bound of 2 events per thread (model seq, ")
    for options, code in (([], 0), (["--complete"], 3)):
        outcome = run("check", "treiber", "--mcm", "seq.mcm", "--max-depth", "10", *options)
        assert outcome.exit_code == code
        assert outcome.stdout.startswith("safe within the bound of 10 events per thread (not exhaustive): model seq")


@pytest.mark.usefixtures("folder")
def test_timeout() -> None:
    code, answer = document("endless.xcfa", "--mcm", "seq.mcm", "--timeout", "0.3", "--max-depth", "50", "--no-spin")
    assert (code, answer["verdict"], answer["stopped"]) == (3, "interrupted", "timeout")
    assert 0.2 < answer["seconds"] < 5


def start(*args: str) -> subprocess.Popen[bytes]:
    """A check in a process of its own."""
    code = "from xgen.cli import main; main()"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process inherits that a signal is ignored
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code, "check", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c(folder: Path, workers: str, number: signal.Signals) -> None:
    bound = ("--max-depth", "50", "--no-spin", "--workers", workers)
    arguments = ("endless.xcfa", "--mcm", "seq.mcm", *bound, "--format", "json", "--dot", "pictures")
    with start(*arguments) as process:
        try:
            while not (folder / "pictures").exists():  # made right before the run
                assert process.poll() is None
                time.sleep(0.05)
            time.sleep(0.5)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()  # leaving the block waits for its end
    answer = json.loads(out)
    assert (process.returncode, answer["verdict"], answer["stopped"]) == (3, "interrupted", "interrupt")
    assert err == b"no violation to draw: nothing was written to pictures\n"


@pytest.mark.usefixtures("folder")
def test_a_reader_that_goes_away() -> None:
    with start("mp.xcfa", "--mcm", "coh.mcm") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert unlined(process.stderr.read().decode()) == ""
        assert process.wait() == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("closed", ["1", "2"])
def test_closed_streams_change_no_exit_code(form: str, closed: str) -> None:
    command = [sys.executable, "-c", "from xgen.cli import main; main()", "check", "mp.xcfa", "--mcm", "coh.mcm"]
    closing = ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *command, "--format", form]
    done = subprocess.run(closing, capture_output=True, check=False)
    assert (done.returncode, unlined(done.stderr.decode())) == (1, "")
    assert bool(done.stderr) == (closed == "1")
    assert bool(done.stdout) == (closed == "2")


BAD: list[tuple[str, bytes, str]] = [
    ("empty.xcfa", b"", "empty.xcfa:"),
    ("binary.xcfa", b"var\0x", "binary.xcfa: error: this is a binary file"),
    ("latin.xcfa", b"var \xe4 : int", "latin.xcfa:1:5: error: this is not UTF-8 text"),
    ("latin.c", b'// \xe4\nint main(void) { return "// \xe4"[0]; }', "latin.c:2:29: error: this is not UTF-8 text"),
    ("syntax.xcfa", b"var x : int\nprocess p {\n  L0 => L1\n}\n", "syntax.xcfa:3:6: error: "),
    ("litmus.litmus", b"X86 SB\n", "litmus.litmus"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD, ids=[case[0] for case in BAD])
@pytest.mark.parametrize("form", ["text", "json"])
def test_bad_programs(folder: Path, name: str, content: bytes, message: str, form: str) -> None:
    (folder / name).write_bytes(content)
    outcome = run("check", name, "--mcm", "seq.mcm", "--format", form)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith(message)
    if form == "text":
        assert outcome.stdout == ""
    else:
        error = json.loads(outcome.stdout)["error"]
        assert (error["kind"], error["file"]) == ("input", name)
        assert error["message"] in outcome.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["absent/p.xcfa", "--mcm", "seq.mcm"], "absent/p.xcfa: error: there is no such file"),
        ([".", "--mcm", "seq.mcm"], ".: error: this is a directory"),
        (["mp.xcfa", "--mcm", "absent.mcm"], "absent.mcm: error: there is no such file"),
        (["mp.xcfa", "--mcm", "no-such-model"], "error: there is no memory model `no-such-model`"),
        (["mp.xcfa", "--mcm", "mp.xcfa"], "mp.xcfa:"),
    ],
)
def test_bad_paths(args: list[str], message: str) -> None:
    outcome = run("check", *args)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(message)


@pytest.mark.usefixtures("folder")
def test_dump_needs_no_model() -> None:
    outcome = run("check", "mp.xcfa", "--dump", "code")
    assert outcome.exit_code == 0
    assert "writer" in outcome.stdout


@pytest.mark.usefixtures("folder")
def test_a_check_imports_nothing_slow() -> None:
    code = """
import sys
from xgen.cli import main
main(["check", "mp.xcfa", "--mcm", "seq.mcm", "--format", "json", "--dot", "d"], standalone_mode=False)
print("loaded", *(name for name in ("rich", "networkx", "graphviz") if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[-1] == "loaded"


@pytest.mark.usefixtures("folder")
def test_estimates() -> None:
    """Small explorations are over while their speed is measured."""
    small = run("check", "mp.xcfa", "--mcm", "coh.mcm", "--estimate")
    assert small.exit_code == 0
    assert small.stdout.startswith("executions  4 complete\ngraphs      ")
    document = json.loads(run("check", "mp.xcfa", "--mcm", "coh.mcm", "--estimate", "--format", "json").stdout)
    assert document["exact"] is True
    assert document["executions"] == {"mean": 4.0, "low": 4.0, "high": 4.0}


def test_the_estimate_of_something_large(folder: Path) -> None:
    reader = "process r{} {{ var a : int init loc A final loc B A -> B {{ a <- x }} }}\n"
    text = "var x : int\nprocess w { init loc A final loc B A -> B { 1 -> x } }\n"
    (folder / "large.xcfa").write_text(text + "".join(reader.format(n) for n in range(40)))
    lines = run("check", "large.xcfa", "--mcm", "coh.mcm", "--estimate").stdout.splitlines()
    assert lines[0] == "executions  about 1.1e+12 (1.1e+12 to 1.1e+12) complete"
    assert lines[1] == "graphs      about 2.2e+12 (2.2e+12 to 2.2e+12)"
    assert lines[2].startswith("time        about ")
    assert lines[2].endswith(" with one worker")
    assert lines[3].startswith("from ")


STALLED = """import pathlib, sys
import {module}
from xgen.cli import main

def stall(*_, **__):
    pathlib.Path("stalled").touch()
    while True:
        pass

{module}.{name} = stall
main()
"""
"""The program, with a function that does not come back; it says when it has been called."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("xgen.program.parser", "parse_program", ["show", "peterson"]),
        ("xgen.views.drawing.automaton", "program_to_dot", ["show", "peterson"]),
        ("xgen.memory.mcm.parser", "parse", ["models", "show", "own.mcm"]),
        ("xgen.memory.statics.lint", "remarks_of", ["models", "check", "tso"]),
        ("xgen.analyses.parameterised.prove_system", "prove_system", ["prove", "flags", "--mcm", "tso"]),
        ("xgen.program.parser", "parse_program", ["prove", "peterson", "--mcm", "tso"]),
        ("xgen.analyses.parameterised.certificate", "read_certificate", ["certify", "proof.json"]),
        ("xgen.analyses.parameterised.certificate", "certify", ["certify", "proof.json"]),
    ],
)
def test_ctrl_c_of_other_commands(
    tmp_path: Path,
    module: str,
    name: str,
    arguments: list[str],
    number: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One is enough, whatever a command is at."""
    monkeypatch.chdir(tmp_path)
    Path("own.mcm").write_text("po acyclic\n")  # models that come with xgen may have been read before
    if name == "certify":
        assert run("prove", "flags_fenced", "--mcm", "tso", "--certificate", "proof.json").exit_code == 0
    Path("proof.json").touch()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process inherits that a signal is ignored
    try:
        code = STALLED.format(module=module, name=name)
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            while not Path("stalled").exists():
                assert process.poll() is None, process.communicate()
                time.sleep(0.02)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err.splitlines()[-1:]) == (3, b"", [b"interrupted"])
