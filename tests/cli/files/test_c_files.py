"""C programs on the command line: several files, flags of compilers, headers, machines, and what may be left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.fake import run

QUEUE = """#include <stdatomic.h>
#include "queue.h"
static int slot[SIZE];
static atomic_int full;
void put(int value) { slot[0] = value; atomic_store_explicit(&full, 1, ORDER); }
int get(void) { return atomic_load_explicit(&full, memory_order_acquire) ? slot[0] : -1; }
"""
TEST = """#include <pthread.h>
#include <assert.h>
#include "queue.h"
static void *producer(void *a) { put(3); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  int value = get();
  assert(value == -1 || value == 3);
  pthread_join(t, 0);
  return 0;
}
"""
FLAGS = ("--", "-Iinc", "-DSIZE=1", "-std=c11", "-Wall", "-O2")
SAFE = "-DORDER=memory_order_release"
RACY = "-DORDER=memory_order_relaxed"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "queue.h").write_text("void put(int value);\nint get(void);\n")
    (tmp_path / "queue.c").write_text(QUEUE)
    (tmp_path / "test.c").write_text(TEST)
    return tmp_path


def first_line(*arguments: str) -> tuple[int, str]:
    found = run(*arguments)
    return found.exit_code, (found.stdout or found.stderr).split("\n")[0]


@pytest.mark.parametrize("model", [(), ("--mcm", "rc11")])
def test_two_files(model: tuple[str, ...]) -> None:
    """rc11 is the model where none is named."""
    assert first_line("check", "test.c", "queue.c", *model, *FLAGS, SAFE) == (
        0, "safe (model rc11, no bound, 2 executions, exhaustive)",
    )  # fmt: skip
    assert first_line("check", "test.c", "queue.c", *model, "-q", *FLAGS, RACY) == (
        1,
        "violation: data race on slot[0] at queue.c:6:76 and queue.c:5:23 (model rc11, no bound, 2 executions, stopped "
        "at the first violation)",
    )


@pytest.mark.parametrize(
    ("machine", "line"),
    [
        ("x86", "safe (model tso, no bound, 2 executions, exhaustive)"),
        ("armv8", "violation: assertion violated at test.c:9:3 (model arm8, no bound, "),
        ("riscv", "violation: assertion violated at test.c:9:3 (model riscv, no bound, "),
    ],
)
def test_machines(machine: str, line: str) -> None:
    """A relaxed store is a release on x86, and is none elsewhere."""
    code, found = first_line("check", "test.c", "queue.c", "--on", machine, *FLAGS, RACY)
    assert found.startswith(line)
    assert code == (0 if machine == "x86" else 1)


def test_other_commands() -> None:
    files = ("test.c", "queue.c")
    assert first_line("explain", *files, *FLAGS, SAFE)[1].startswith("forbidden by rc11: a violation")
    assert first_line("explain", *files, *FLAGS, RACY)[1].startswith("allowed by rc11: a violation")
    assert first_line("prove", *files, "--on", "x86", *FLAGS, SAFE)[1].startswith("safe")
    # The first file is the one that is changed.
    found = run("fences", *files[::-1], "--orders", "--cheapest", "--write", "fixed.c", *FLAGS, RACY)
    assert found.exit_code == 0
    assert first_line("check", "test.c", "fixed.c", "-q", *FLAGS, RACY)[0] == 0


def test_what_is_said_of_the_reading() -> None:
    found = run("check", "test.c", "queue.c", "-v", *FLAGS, SAFE)
    assert "headers     xgen's own\nignored     -Wall -O2\n" in found.stdout
    assert "headers" not in run("check", "test.c", "queue.c", *FLAGS, SAFE).stdout
    assert json.loads(run("check", "test.c", "queue.c", "--format", "json", *FLAGS, SAFE).stdout)["headers"] == "own"
    assert json.loads(run("check", "peterson", "--mcm", "sc", "--format", "json").stdout)["headers"] is None


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here: `cc`")
def test_headers_of_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("check", "test.c", "queue.c", "--headers", "cc")
    assert json.loads(run(*arguments, "--format", "json", *FLAGS, SAFE).stdout)["headers"] == "cc"
    found = run(*arguments, "-v", *FLAGS, SAFE)
    assert "headers     those that the compiler finds (cc -E)\n" in found.stdout
    assert run(*arguments, "-q", "--checkpoint", "kept.run", *FLAGS, RACY).exit_code == 1
    # What was kept needs no compiler, and no file.
    for name in ("test.c", "queue.c", "inc/queue.h"):
        (tmp_path / name).unlink()
    monkeypatch.setenv("PATH", "/nowhere")
    assert first_line("resume", "kept.run", "-q")[1].startswith("violation: data race on slot[0] at queue.c:6:76")


def test_a_build(tmp_path: Path) -> None:
    command = f"cc -Iinc -DSIZE=1 {SAFE} -o queue.o -c queue.c"
    (tmp_path / "build").mkdir()
    entry = {"directory": str(tmp_path), "file": "queue.c", "command": command}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    for place in ("build", "build/compile_commands.json"):
        assert first_line("check", "test.c", "queue.c", "-p", place, "-q")[0] == 0
    code, line = first_line("check", "test.c", "-p", "build")
    assert (code, line) == (2, "build/compile_commands.json: error: it does not say how `test.c` is compiled")


def test_preprocessed(tmp_path: Path) -> None:
    (tmp_path / "p.i").write_text('# 1 "p.c"\nint x;\n\nint main(void) { x = 1; __VERIFIER_assert(x == 2); }\n')
    for name in ("p.i", "./p.i"):
        assert first_line("check", name)[1].startswith("violation: assertion violated at ")
    assert "did you mean `xgen check p.i`?" in run("p.i").stderr
    assert first_line("show", "p.i") == (0, "digraph automaton {")


REFUSED = [
    (("test.c", "--on", "x86", "--mcm", "tso"), "Error: --on cannot be used with --mcm: it says both."),
    (("test.c", "--on", "x86", "--map", "x86"), "Error: --on cannot be used with --map: it says both."),
    (("peterson", "--on", "x86"), "Error: --on is for programs in C, C++ and Rust."),
    (("peterson",), "Error: Missing option '--mcm': the memory model, such as --mcm sc or --mcm tso (that of x86)."),
    (("--", "test.c"), "Error: Missing argument 'PROGRAM'"),
    (("test.c", "queue.c", "./test.c"), "./test.c: error: this file is given twice"),
    (("test.c", "none.c"), "none.c: error: there is no such file"),
    (("test.c", "queue.c", "--", "-I"), "error: something is missing behind the flag -I"),
    (("peterson", "test.c", "--mcm", "sc"), "error: several files are one program in C, C++ and LLVM's IR only"),
    (("peterson", "--mcm", "sc", "--", "-Ix"), "error: the option `flags` is for C programs"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_refused(arguments: tuple[str, ...], message: str) -> None:
    found = run("check", *arguments)
    assert found.exit_code == 2
    assert message in found.stderr
