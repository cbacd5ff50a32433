"""`xgen check PROGRAM --on all`: which machines does a bug hit?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.fake import run
from xgen.tags import MACHINES

BUFFERING = """
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
atomic_int x, y;
int a, b;
void *t(void *p) {
    atomic_store_explicit(&x, 1, memory_order_release);
    a = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    atomic_store_explicit(&y, 1, memory_order_release);
    b = atomic_load_explicit(&x, memory_order_acquire);
    pthread_join(h, 0);
    assert(a || b);
}
"""
"""Store buffering by release and acquire: STLR and LDAR forbid it, LDAPR (--on armv8-lse), TSO and fences do not."""


@pytest.fixture
def buffering(tmp_path: Path) -> str:
    (tmp_path / "sb.c").write_text(BUFFERING, encoding="utf-8")
    return str(tmp_path / "sb.c")


def test_a_row_for_each_machine(buffering: str) -> None:
    outcome = run("check", buffering, "--on", "all", "--errors", "none")
    rows = outcome.stdout.splitlines()
    assert [row.split()[:2] for row in rows[:-1]] == [list(pair) for pair in MACHINES.items()]
    assert rows[1].split(None, 2)[2] == "safe, 3 executions"
    assert rows[0].split(None, 2)[2] == f"violation: assertion violated at {buffering}:18:5"
    assert rows[-1].startswith("violation on x86, armv8-lse, armv7, power and riscv; safe on armv8 (")
    assert outcome.exit_code == 1
    quiet = run("check", buffering, "--on", "all", "--quiet", "--errors", "none").stdout.splitlines()
    assert len(quiet) == 1


def test_each_row_is_what_the_machine_alone_says(buffering: str) -> None:
    """The oracle is the command for one machine."""
    whole = json.loads(run("check", buffering, "--on", "all", "--format", "json").stdout)
    assert (whole["verdict"], whole["program"]) == ("violation", "sb.c")
    for row in whole["machines"]:
        alone = json.loads(run("check", buffering, "--on", row["on"], "--format", "json").stdout)
        same = ("model", "verdict", "executions", "explored", "exhaustive")
        assert {key: row[key] for key in same} == {key: alone[key] for key in same}, row["on"]


def test_safe_on_all(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int main(void) { return 0; }", encoding="utf-8")
    outcome = run("check", str(tmp_path / "one.c"), "--on", "all")
    assert (outcome.exit_code, outcome.stdout.splitlines()[-1][:22]) == (0, "safe on all 6 machines")


def test_what_is_refused_on_some_has_a_row(tmp_path: Path) -> None:
    text = 'int main(void) { __asm__ volatile("lwsync" ::: "memory"); return 0; }'
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    outcome = run("check", str(tmp_path / "a.c"), "--on", "all")
    said = {row.split()[0]: row.split(None, 2)[2] for row in outcome.stdout.splitlines()[:-1]}
    assert (said["power"], said["x86"][:8]) == ("safe, 1 execution", "refused:")
    assert outcome.exit_code == 3
    found = json.loads(run("check", str(tmp_path / "a.c"), "--on", "all", "--format", "json").stdout)
    assert (found["machines"][0]["error"]["kind"], found["verdict"]) == ("input", "interrupted")


def test_what_is_refused_on_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return x; }", encoding="utf-8")
    outcome = run("check", str(tmp_path / "a.c"), "--on", "all")
    assert (outcome.exit_code, outcome.stderr.count("error:")) == (2, 1)


def test_sarif_has_what_each_machine_shows(buffering: str, tmp_path: Path) -> None:
    run("check", buffering, "--on", "all", "--sarif", str(tmp_path / "s.json"))
    document = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    results = document["runs"][0]["results"]
    assert [result["message"]["text"][-12:] for result in results].count("(model tso)") == 0
    assert len(results) == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check {} --on all --svg x", "--on all cannot be used with --svg: it answers one row for each machine"),
        ("check {} --on all --mcm tso", "--on cannot be used with --mcm"),
        ("explain {} --on all --outcome a=0", "--on all is for `xgen check`: name one machine."),
        ("fences {} --on all", "--on all is for `xgen check`: name one machine."),
        ("check peterson --on all", "--on is for programs in C, C++ and Rust."),
    ],
)
def test_where_one_machine_is_meant(words: str, said: str, buffering: str) -> None:
    outcome = run(*words.format(buffering).split())
    assert (outcome.exit_code, said in outcome.stderr) == (2, True), outcome.stderr


def test_time_is_shared(buffering: str) -> None:
    outcome = run("check", buffering, "--on", "all", "--timeout", "0.001")
    assert (outcome.exit_code, outcome.stdout.count("no answer: stopped by the time limit")) == (3, 6)


def test_a_file_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    outcome = run("check", str(tmp_path / "none.c"), "--on", "all")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.count("there is no such file") == 1
