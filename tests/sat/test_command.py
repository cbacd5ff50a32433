"""`xgen check --engine sat`: what is printed, exit codes, --timeout and Ctrl-C."""

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
from click.testing import CliRunner

from xgen.cli import main

SAFE = """
var x : int  var y : int
process p { var a : int  1 -> x; a <- y; }
process q { var b : int  1 -> y; b <- x; assert b = 0 or b = 1; }
"""
INPUT = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main() { int v = __VERIFIER_nondet_int(); assert(v != 77); }
"""
HARD = """
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main() {
  unsigned long p = __VERIFIER_nondet_ulong() >> 16, q = __VERIFIER_nondet_ulong() >> 16;
  unsigned long n = (p & 0xffffffffful) * (q & 0xffffffful);
  assert(p < 2 || q < 2 || n != 1000036000099ul * 9000011ul);
}
"""


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["check", *words, "--engine", "sat"], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(text: str, name: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def test_safe(file: Any) -> None:
    code, out, _ = run(file(SAFE, "safe.xcfa"), "--mcm", "tso")
    assert code == 0
    assert out.startswith("safe (model tso, no bound, by satisfiability: 6 events, ")
    assert " conflicts, exhaustive)" in out.splitlines()[0]
    assert "outcomes" not in out
    assert "executions" not in out


def test_a_violation_with_its_input(file: Any) -> None:
    path = file(INPUT, "input.c")
    code, out, err = run(path, "--mcm", "sc")
    assert code == 1
    first = out.splitlines()[0]
    assert first.startswith("violation: assertion violated at ")
    assert "(model sc, found by satisfiability, replayed: " in first
    assert "note: main gets 77 at line 4" in out
    assert "error: assertion violated" in err
    refused = CliRunner().invoke(main, ["check", path, "--mcm", "sc"])
    assert refused.exit_code == 2
    assert "--engine sat takes all" in refused.stderr


def test_json(file: Any) -> None:
    code, out, _ = run(file(SAFE, "safe.xcfa"), "--mcm", "sc", "--format", "json")
    found = json.loads(out)
    assert (code, found["engine"], found["verdict"], found["exhaustive"]) == (0, "sat", "safe", True)
    assert (found["executions"], found["outcomes"], found["outcomes_complete"]) == (None, [], False)
    assert found["events"] == 6
    assert found["queries"] > 0 < found["clauses"]
    plain = CliRunner().invoke(main, ["check", file(SAFE, "safe.xcfa"), "--mcm", "sc", "--format", "json"])
    other = json.loads(plain.stdout)
    assert (other["engine"], other["clauses"], other["events"]) == ("graphs", None, None)


def test_a_bound_never_reads_like_a_full_run(file: Any) -> None:
    text = INPUT.replace("assert(v != 77);", "int n = 0; while (v > 0) { v--; n++; } assert(n >= 0);")
    path = file(text, "loop.c")
    code, out, _ = run(path, "--mcm", "sc")
    assert code == 0
    assert out.startswith("safe within the bound on loops, calls and memory (not exhaustive): model sc")
    assert "--unroll N allows N rounds" in out
    assert run(path, "--mcm", "sc", "--complete")[0] == 3
    assert json.loads(run(path, "--mcm", "sc", "--format", "json")[1])["verdict"] == "safe-within-bound"


def test_no_execution_completes(file: Any) -> None:
    code, out, _ = run(
        file("var x : int process p { init loc A final loc B A -> B { assume false } }", "e.xcfa"), "--mcm", "sc"
    )
    assert (code, out.splitlines()[0].partition(" (")[0]) == (3, "no execution completes")


def test_out_of_time(file: Any) -> None:
    code, out, _ = run(file(HARD, "hard.c"), "--mcm", "sc", "--timeout", "1.5")
    assert (code, out.startswith("interrupted by the time limit after")) == (3, True)
    document = json.loads(run(file(HARD, "hard.c"), "--mcm", "sc", "--timeout", "1.5", "--format", "json")[1])
    assert (document["verdict"], document["stopped"]) == ("interrupted", "timeout")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks into /proc how far the command is")
def test_ctrl_c(file: Any) -> None:
    """Well after the command line is imported, on machines of any speed."""
    command = [sys.executable, "-m", "xgen", "check", file(HARD, "hard.c"), "--mcm", "sc", "--engine", "sat"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as running:
        stat = Path(f"/proc/{running.pid}/stat")
        while int(stat.read_text().rpartition(")")[2].split()[11]) < 3 * os.sysconf("SC_CLK_TCK"):  # of CPU
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out.startswith("interrupted after")) == (3, True), (out, err)


BAD: list[tuple[list[str], str]] = [
    (["mp", "--mcm", "sc", "--all-states"], "--engine sat cannot be used with --all-states"),
    (["mp", "--mcm", "sc", "--max-depth", "3"], "--engine sat cannot be used with --max-depth"),
    (["mp", "--mcm", "sc", "--classes", "rf"], "--engine sat cannot be used with --classes"),
    (["mp", "--mcm", "sc", "--liveness"], "--engine sat cannot be used with --liveness"),
    (["mp", "--mcm", "sc", "--workers", "2"], "--engine sat cannot be used with --workers"),
    (["mp", "--mcm", "sc", "--sample", "3"], "--engine sat cannot be used with --sample"),
    (["mp", "--mcm", "any"], "--engine sat does not know"),
    (["mp", "--mcm", "lkmm"], "--engine sat does not know a recursion of the constraint"),
]


@pytest.mark.parametrize(("words", "what"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input(words: list[str], what: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert what in err
