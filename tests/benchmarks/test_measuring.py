"""What is measured, and how the output of other tools is read. The tools themselves are not needed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

import measure
import pytest
import tools
from families import instance
from harness import parse, run, write
from measure import FIELDS, compare
from plot import colour, lines_of, rows_of
from run import GROWING, USUAL, instances
from tools import Counted, Model, Tool

import xgen

SAID = [
    (tools.genmc_counted, "No errors were detected.\nNumber of complete executions explored: 42\n", Counted(42, 0)),
    (
        tools.genmc_counted,
        "No errors were detected.\nNumber of complete executions explored: 6\nNumber of blocked executions seen: 3\n",
        Counted(6, 3),
    ),
    (tools.nidhugg_counted, "Trace count: 7\nNo errors were detected.\n", Counted(7, 0)),
    (
        tools.nidhugg_counted,
        "Trace count: 7\nAssume-blocked trace count: 2\nSleepset-blocked trace count: 1\nNo errors were detected.\n",
        Counted(7, 3),
    ),
    (tools.herd_counted, "Test SB Allowed\nStates 1\nOk\nWitnesses\nPositive: 3 Negative: 1\n", Counted(4, 0)),
]


@pytest.mark.parametrize(("counted", "output", "expected"), SAID)
def test_what_a_tool_says(counted: object, output: str, expected: Counted) -> None:
    assert counted(output) == expected  # type: ignore[operator]


UNSAID = [
    (tools.genmc_counted, "Error: Safety violation!\nNumber of complete executions explored: 2\n", "Safety violation!"),
    (tools.genmc_counted, "Warning: Unordered writes!\nError: Safety violation!\n", "Error: Safety violation!"),
    (tools.nidhugg_counted, "Trace count: 1\n\n Error detected:\n", "Error detected:"),
    (tools.herd_counted, 'Warning: File "program.litmus": unknown instruction\n', "unknown instruction"),
    (tools.herd_counted, "", "no answer"),
]


@pytest.mark.parametrize(("counted", "output", "reason"), UNSAID)
def test_what_a_tool_cannot_do(counted: object, output: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        counted(output)  # type: ignore[operator]


def says(executions: int) -> Tool:
    """A tool that finds so many executions in anything, by its model `--sc`."""
    line = f"print('No errors were detected.\\nNumber of complete executions explored: {executions}')"
    command = (sys.executable, "-c", line)
    version = (sys.executable, "-c", "print('Sayer v1.2.3')")
    return Tool("sayer", version, {"sc": Model("--sc", ("--sc",))}, tools.genmc_counted, command)


def measured(
    *others: Tool, names: tuple[str, ...] = ("sb(2)",), workers: tuple[int, ...] = (1,)
) -> list[dict[str, str]]:
    """The table for programs under sc, as it is read again."""
    file = io.StringIO()
    write(FIELDS, compare(list(map(instance, names)), ["sc"], workers, 1, others), file)
    return parse(file.getvalue())[1]


def test_the_columns() -> None:
    (row,) = measured()
    assert list(row) == FIELDS
    told = {"tool": "xgen", "version": xgen.__version__, "program": "sb(2)", "family": "sb", "size": "2", "model": "sc"}
    counts = {"executions": "3", "blocked": "0", "bounded": "0", "workers": "1"}
    assert {key: row[key] for key in (*told, *counts)} == told | counts
    assert all(row[field] for field in FIELDS)
    found, explored, seconds = (float(row[key]) for key in ("executions", "explored", "seconds"))
    assert found / float(row["executions_per_second"]) == pytest.approx(seconds, abs=1e-6)  # seconds are rounded
    assert float(row["ns_per_graph"]) * explored * 1e-9 == pytest.approx(seconds, abs=1e-6)


def test_another_tool_has_rows_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    xgens, theirs = measured(says(3))
    assert (xgens["tool"], theirs["tool"]) == ("xgen", "sayer")
    assert (theirs["version"], theirs["model"], theirs["executions"], theirs["explored"]) == ("1.2.3", "--sc", "3", "")
    assert capsys.readouterr().err == ""


def test_another_count_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(measured(says(4))) == 2
    assert capsys.readouterr().err == "sb(2): sayer --sc: MISMATCH: 4 executions, not 3\n"


@pytest.mark.slow
def test_what_is_left_out_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert [row["workers"] for row in measured(says(3), workers=(1, 2)) if row["tool"] == "sayer"] == ["1"]
    assert len(measured(says(3), names=("dekker:6",))) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "sb(2): sayer --sc: left out: one worker only",
        "dekker:6: sayer --sc: left out: error: sayer has no bound on events",
    ]


@pytest.mark.slow
def test_a_tool_for_which_a_program_takes_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "LIMIT", 2.0)
    sleep = "import pathlib, sys, time; time.sleep(60 if 'x1' in pathlib.Path(sys.argv[-1]).read_text() else 0)"
    sleeper = replace(says(3), command=(sys.executable, "-c", f"{sleep}; {says(3).command[2]}"))
    rows = measured(sleeper, names=("sb(2)", "sb(3)", "readers(1)"))
    assert [(row["tool"], row["program"]) for row in rows] == [
        ("xgen", "sb(2)"), ("xgen", "sb(3)"), ("xgen", "readers(1)"), ("sayer", "readers(1)"),
    ]  # fmt: skip
    assert capsys.readouterr().err.splitlines() == [
        "sb(2): sayer --sc: left out: not finished within 2 s",
        "readers(1): sayer --sc: MISMATCH: 3 executions, not 2",
    ]


def test_a_program_that_takes_xgen_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "LIMIT", 0.01)
    assert [row["tool"] for row in measured(says(3), names=("sb(2)", "sb(3)"))] == ["sayer", "sayer"]
    assert capsys.readouterr().err.splitlines() == [
        "sb(2): xgen sc: left out: not finished within 0.01 s",
    ]


def test_a_command_that_takes_too_long() -> None:
    with pytest.raises(TimeoutError, match=r"not finished within 0\.2 s"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.2)


def test_what_a_script_has_started_ends_with_it(tmp_path: Path) -> None:
    """The command would say something later."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    started = (
        "import sys, time; file = open(sys.argv[1], 'w', buffering=1)\n"
        "print('here', file=file); time.sleep(60); print('later', file=file)"
    )
    script = (
        "import sys\nfrom harness import run, write\n"
        f"write(['cpu'], ({{'cpu': run([sys.executable, '-c', {started!r}, {str(pipe)!r}]).cpu}} for _ in [0]))\n"
    )
    place = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", script], env=place, stdout=PIPE, stderr=PIPE) as process:
        with pipe.open() as file:
            assert file.readline() == "here\n"
            process.terminate()
            assert file.read() == ""
        assert process.wait() != 0


def test_every_name_stands_for_something() -> None:
    assert len(instances([*USUAL, *GROWING])) == len(USUAL) + sum(map(len, GROWING.values()))


def test_lines_of_a_plot(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(
        "tool,model,workers,size,rate\nherd7,sc.cat,1,2,1\nxgen,tso,1,2,3\nxgen,sc,1,4,7\nxgen,sc,1,2,9.5\ngenmc,--sc,1,4,\n"
    )
    lines = lines_of(rows_of([path]), "rate")
    assert list(lines.items()) == [
        (("xgen", "sc", 1), [(2, 9.5), (4, 7.0)]),
        (("xgen", "tso", 1), [(2, 3.0)]),
        (("herd7", "sc.cat", 1), [(2, 1.0)]),
    ]
    assert colour("sc") == colour("--sc") == colour("sc.cat") != colour("x86tso-mixed.cat") == colour("tso")
