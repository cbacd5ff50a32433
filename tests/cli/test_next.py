"""The last line of a report: the command that finds what mends the program, where something does."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

import xgen
from cli.fake import run
from xgen.analyses.trial import tried
from xgen.cli import output
from xgen.cli.check import smaller

CASES = {
    "a shipped program": ("peterson --mcm tso", "peterson --mcm tso --cheapest"),
    "no model": ("mpmc_us", "mpmc_us --orders --cheapest"),
    "races of what has no order": ("mp_us --mcm rc11", "mp_us --mcm rc11 --orders --cheapest"),
    "a machine": ("sb.c --on x86 -- -Wall", "sb.c --on x86 --cheapest -- -Wall"),
    "options": (
        "sb.c -DB=1 -U __xgen__ --mcm tso --nondet 0..2 --stub h,k --max-depth 9 --all-states --timeout 60 -v",
        "sb.c --mcm tso --max-depth 9 -D B=1 -U __xgen__ --nondet 0..2 --stub h,k --cheapest",
    ),
    "a second file": ("main.c 'lib one.c' --mcm pso", "main.c 'lib one.c' --mcm pso --cheapest"),
}
WITHOUT = {
    "no fence orders them": "peterson --mcm nofence",
    "also under sc": "wrong.xcfa --mcm tso",
    "what threads wait for": "philosophers_us",
    "a litmus test": "race.litmus --mcm rc11",
    "only one line is asked for": "peterson --mcm tso -q",
    "a document": "peterson --mcm tso --format json",
    "no violation": "peterson --mcm sc",
}
SB = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
atomic_int x, y;
int a, b;
void *f(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = LOAD(y);
  return 0;
}
void *g(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = LOAD(x);
  return 0;
}
"""
MAIN = """\
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("xgen.analyses.trial.SECONDS", 600.0)  # however busy the machine is
    Path("sb.c").write_text(SB + MAIN)
    Path("lib one.c").write_text(SB)
    declared = "#include <assert.h>\n#include <pthread.h>\nextern int a, b;\nvoid *f(void *p), *g(void *p);\n"
    Path("main.c").write_text(declared + MAIN)
    Path("wrong.xcfa").write_text("var x : int\nprocess p { 1 -> x; assert false; }\nprocess q { 1 -> x; }\n")
    Path("race.litmus").write_text("C race\n{ }\nP0(int *x) { *x = 1; }\nP1(int *x) { *x = 2; }\nexists (x=1)\n")


@pytest.mark.parametrize("case", CASES)
def test_what_mends_it(case: str) -> None:
    """The line is the last one, and does what it says."""
    asked, told = CASES[case]
    found = run("check", *shlex.split(asked))
    assert (found.exit_code, found.stdout.splitlines()[-2:]) == (1, ["", f"next: xgen fences {told}"])
    mended = run("fences", *shlex.split(told))
    assert (mended.exit_code, " placement" in mended.stdout.splitlines()[0]) == (0, True)


@pytest.mark.parametrize("case", WITHOUT)
def test_where_nothing_does(case: str) -> None:
    found = run("check", *shlex.split(WITHOUT[case]))
    assert found.exit_code in (0, 1)
    assert "next: " not in found.output


def test_what_came_from_standard_input_cannot_be_asked_about_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path("sb.c").read_bytes()
    monkeypatch.setattr("xgen.sources._standard_input", lambda _: data)
    found = run("check", "c:-", "--mcm", "tso")
    assert (found.exit_code, "next: " in found.stdout) == (1, False)


def test_a_run_that_is_gone_on_with() -> None:
    assert run("check", "peterson", "--mcm", "tso", "--all-states", "--checkpoint", "c.run").exit_code == 1
    again = run("resume", "c.run")
    assert (again.exit_code, "next: " in again.stdout) == (1, False)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it may end while it lists a folder
def test_a_run_that_ends_before_it_explores_says_that_nothing_is_kept() -> None:
    found = run("check", "peterson", "--mcm", "tso", "--timeout", "0.0001", "--checkpoint", "late.run")
    assert (found.exit_code, Path("late.run").exists()) == (3, False)
    assert "warning: late.run was not written: nothing was explored" in found.stdout


@pytest.mark.parametrize(("rows", "said"), [(24, 2), (200, 1)])
def test_the_verdict_again_where_it_has_scrolled_away(monkeypatch: pytest.MonkeyPatch, rows: int, said: int) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda _: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, rows)))
    lines = run("check", "peterson", "--mcm", "tso", "--color", "never").stdout.splitlines()
    assert [line.startswith("violation: ") for line in lines].count(True) == said
    assert lines[-1] == "next: xgen fences peterson --mcm tso --cheapest"


MANY = """#include <stdatomic.h>
#include <pthread.h>
#define ROUNDS 1000
int slot[4];
atomic_uint head, tail;
void *puts_(void *p) {
  for (int i = 0; i < ROUNDS; i++) {
    while (head - tail == 4) {}
    slot[head % 4] = i;
    atomic_store_explicit(&head, head + 1, memory_order_relaxed);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, puts_, 0);
  for (int i = 0; i < ROUNDS; i++) {
    while (atomic_load_explicit(&head, memory_order_acquire) == tail) {}
    if (slot[tail % 4] != i) return 1;
    tail++;
  }
}
"""


def test_a_long_test_is_to_be_made_small() -> None:
    """What mends it is not soon known of a thousand rounds, but of two."""
    Path("ring.c").write_text(MANY)
    witness = xgen.check(xgen.load("ring.c", constants=("ROUNDS=2",))).witness
    assert witness is not None
    long = xgen.load("ring.c")
    said = smaller(long, witness)
    assert said is not None
    assert said.startswith("try --set ROUNDS=2 (ROUNDS is 1000 in the loop at ring.c:")
    known = tried(witness, xgen.load("ring.c", constants=("ROUNDS=2",)), xgen.model("rc11"))
    assert smaller(long, known) is None
