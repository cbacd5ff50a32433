"""Tasks of SV-COMP: what a .yml file says, and what answers are about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import xgen
from xgen.cli import main as command
from xgen.errors import ProgramError, Source, UnsupportedError
from xgen.frontends.c.text.task_file import read_task_file

TASK = """format_version: '2.0'

# old file name: a_true.c   # with a second sign
input_files: 'a.c'

properties:
  - property_file: ../properties/PROPERTY.prp
    expected_verdict: true

options:
  language: C
  data_model: LP64
"""
HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#include <limits.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void reach_error(void) BODY
void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
RUN = """
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); MAIN pthread_join(t, 0); AFTER return 0; }
"""


def ask(folder: Path, text: str, name: str = "unreach-call", *more: str, body: str = "{}") -> Result:
    (folder / "a.c").write_text(HEAD.replace("BODY", body) + text, encoding="utf-8")
    (folder / "a.yml").write_text(TASK.replace("PROPERTY", name), encoding="utf-8")
    return CliRunner().invoke(command, ["check", str(folder / "a.yml"), *more])


def program(thread: str, of_main: str, after: str = "") -> str:
    return f"void *f(void *a) {{ {thread} return 0; }}" + RUN.replace("MAIN", of_main).replace("AFTER", after)


RACE = program("x = 1;", "x = 2;")
DEADLOCK = program(
    "pthread_mutex_lock(&m); pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&n); pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
)
HANDLE = "pthread_t h; void *g(void *a) { if (h == pthread_self()) y = 1; return 0; }" + program(
    "x = 1;", "pthread_create(&h, 0, g, 0); pthread_join(h, 0);"
)
DEEP = "void deep(int n) { if (n) deep(n - 1); else reach_error(); }\n" + DEADLOCK.replace(
    "pthread_mutex_lock(&n); pthread_mutex_lock(&m)", "if (y) deep(20); pthread_mutex_lock(&n); pthread_mutex_lock(&m)"
)
"""Beside the deadlock, which comes first, an execution is cut: calls are followed so far only."""
ATOMIC = "__VERIFIER_atomic_begin(); if (!y) { x = 1; abort(); } __VERIFIER_atomic_end();"
"""Nobody sees what is written before the program ends."""
ANSWERS = [
    # the property, the program, the answer, a word that says why
    ("unreach-call", program("x = 1;", "int z = x;", "__VERIFIER_assert(x == 1);"), "true", ""),
    ("unreach-call", program("x++;", "x++;", "__VERIFIER_assert(x == 2);"), "false", "assertion"),
    ("unreach-call", program("x = 1;", "if (x) reach_error();"), "false", "assertion"),
    ("unreach-call", program("x = 1;", "assert(!x);"), "true", ""),  # an assertion is no call of reach_error
    ("unreach-call", program("x = 1;", "if (x) abort();"), "true", ""),
    ("unreach-call", program("x = 1;", "if (x) exit(1);"), "true", ""),
    ("unreach-call", RACE, "true", ""),
    ("unreach-call", DEADLOCK, "true", "deadlock"),
    ("unreach-call", DEEP, "unknown", "deadlock"),
    ("unreach-call", program("x = 1;", "int *p = 0; if (x) *p = 1;"), "unknown", "bad-address"),
    ("unreach-call", program("x = 1;", "int z; if (x) { if (z) y = 1; } else reach_error();"), "false", "assertion"),
    ("unreach-call", program("x = 1;", "if (x) __builtin_unreachable();"), "unknown", "undefined"),
    ("no-data-race", RACE, "false", "race"),
    ("no-data-race", DEADLOCK, "true", "deadlock"),
    ("no-data-race", program("x = 1;", "if (y) reach_error();", "__VERIFIER_assert(x == 1);"), "true", ""),
    ("no-data-race", program("y = 1;", "reach_error(); y = 2;"), "false", "race"),  # whose body does nothing
    ("no-data-race", program("y = 1;", "if (!y) x = 1; assert(x); y = 2;"), "false", "race"),
    ("no-data-race", program("x = 1;", "if (y) { abort(); x = 2; }"), "true", ""),
    ("no-data-race", HANDLE, "true", ""),  # the handle is there before the thread runs
    ("no-data-race", program("x = 1;", "if (y) { assert(0); x = 2; }"), "true", ""),
    ("no-data-race", program("y = 1;", "abort(); y = 2;"), "unknown", ""),  # no execution completes
    ("no-overflow", program("x = INT_MAX;", "y = x + 1;"), "false", "overflow"),
    ("no-overflow", RACE, "true", ""),
    ("no-overflow", program("x = INT_MAX;", "int *p = 0; if (x) *p = 1;"), "unknown", "bad-address"),
    ("valid-memsafety", program("x = 1;", "int *p = 0; if (x) *p = 1;"), "false", "bad-address"),
    ("valid-memsafety", program("x = 1;", "int z[2]; z[x + 1] = 1;"), "false", "out-of-bounds"),
    ("valid-memsafety", program("x = 1;", "int *p = malloc(4); free(p); if (x) free(p);"), "false", "double-free"),
    ("valid-memsafety", program("x = 1;", "int *p = malloc(4); if (x) free(p);"), "unknown", ""),  # leaks
    ("valid-memsafety", RACE, "true", ""),
    ("valid-free", program("x = 1;", "int *p = malloc(4); free(p); if (x) *p = 1;"), "unknown", "use-after-free"),
    ("valid-deref", program("x = 1;", "int *p = malloc(4); free(p); if (x) *p = 1;"), "false", "use-after-free"),
    ("unreach-call", program("x = __VERIFIER_nondet_int();", "if (x == 2) reach_error();"), "false", "assertion"),
    ("unreach-call", program("x = __VERIFIER_nondet_int();", "if (x == 9) reach_error();"), "unknown", ""),
    ("unreach-call", program(ATOMIC, "y = 1; if (x) reach_error();"), "true", ""),
    ("unreach-call", program(ATOMIC.replace("abort();", ""), "y = 1; if (x) reach_error();"), "false", "assertion"),
    ("unreach-call", program("while (x < 100) x++;", "while (!y) ;"), "unknown", ""),  # no execution completes
]


@pytest.mark.parametrize(("name", "text", "says", "kind"), ANSWERS)
def test_answers(name: str, text: str, says: str, kind: str, tmp_path: Path) -> None:
    """The first word, the exit code and the JSON document agree; only what the property is about makes it false."""
    found = ask(tmp_path, text, name, "--format", "json")
    document = json.loads(found.stdout)
    assert (document["answer"], document["property"], document["expected"]) == (says, name, True)
    assert found.exit_code == {"true": 0, "false": 1, "unknown": 3}[says]
    assert document["model"] == "sc"
    error = (document["witness"] or {"error": None})["error"]
    assert (error["kind"] if error else "") == kind
    if says == "true":
        assert not [line for line in found.stderr.splitlines() if "error:" in line]
    printed = ask(tmp_path, text, name, "-q")
    assert printed.stdout.split()[0] == says
    assert ("as expected" in printed.stdout) == (says == "true")


def test_bodies_of_reach_error(tmp_path: Path) -> None:
    """Whatever it does, a call of it is the violation; where that is not asked about, it does what it says."""
    text = program("y = 1;", "reach_error(); y = 2;")
    for body in ("{}", "{ abort(); }", "{ assert(0); }"):
        assert ask(tmp_path, text, "unreach-call", "-q", body=body).exit_code == 1
        assert ask(tmp_path, text, "no-data-race", "-q", body=body).exit_code == (1 if body == "{}" else 3)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a file that is being read
def test_bounds_and_time(tmp_path: Path) -> None:
    """An answer within a bound is none, and so is one that there was no time for."""
    text = program("for (int k = 0; k < 90 + y; k++) x++;", "y = y;")
    assert ask(tmp_path, text, "unreach-call", "--unroll", "2", "-q").exit_code == 3
    assert ask(tmp_path, text, "unreach-call", "--unroll", "92", "-q").exit_code == 0
    found = ask(tmp_path, text, "unreach-call", "--timeout", "0.0001", "--format", "json")
    assert (found.exit_code, json.loads(found.stdout)["answer"]) == (3, "unknown")
    stub = program("x = 1;", "extern int g(void); if (g()) y = 1;")
    assert ask(tmp_path, stub, "unreach-call", "--stub", "g", "-q").exit_code == 3


def test_other_models(tmp_path: Path) -> None:
    """A task may be asked about under any model."""
    text = program("x = 1; int r = y; if (!r) m.state = 1;", "y = 1; if (!x) n.state = 1;").replace("m.state", "a1")
    text = "int a1, a2;" + text.replace("n.state", "a2").replace("AFTER", "")
    text = text.replace("return 0; }\n", "if (a1 && a2) reach_error(); return 0; }\n")
    assert ask(tmp_path, text, "unreach-call", "-q").exit_code == 0
    assert ask(tmp_path, text, "unreach-call", "-q", "--mcm", "tso").exit_code == 1
    assert ask(tmp_path, text, "unreach-call", "-q", "--on", "x86").exit_code == 1


def test_several_properties(tmp_path: Path) -> None:
    """The first one that is known is asked about, or the one that is named."""
    (tmp_path / "a.c").write_text(HEAD.replace("BODY", "{}") + RACE, encoding="utf-8")
    task = TASK.replace("PROPERTY", "termination").replace(
        "\noptions", "  - property_file: x/unreach-call.prp\n  - property_file: no-data-race.prp\n\noptions"
    )
    (tmp_path / "a.yml").write_text(task, encoding="utf-8")
    said = {}
    for name in (None, "no-data-race", "../x/unreach-call.prp", "termination", "valid-free", "no-data-rac"):
        words = [] if name is None else ["--property", name]
        found = CliRunner().invoke(command, ["check", str(tmp_path / "a.yml"), "-q", *words])
        said[name] = found.exit_code, (found.stdout + found.stderr).split("\n")[0].partition(str(tmp_path))[0]
    assert said == {
        None: (0, "true (unreach-call): safe (model sc, no bound, 2 executions, exhaustive)"),
        "no-data-race": (1, "false (no-data-race): violation: data race on x at "),
        "../x/unreach-call.prp": (0, "true (unreach-call): safe (model sc, no bound, 2 executions, exhaustive)"),
        "termination": (2, ""),
        "valid-free": (2, ""),
        "no-data-rac": (2, ""),
    }
    with pytest.raises(UnsupportedError, match="`termination` is not supported"):
        xgen.load(tmp_path / "a.yml", property="termination")
    with pytest.raises(ProgramError, match="did you mean `no-data-race`"):
        xgen.load(tmp_path / "a.yml", property="no-data-rac")
    refused = CliRunner().invoke(command, ["check", str(tmp_path / "a.c"), "--property", "unreach-call"])
    assert (refused.exit_code, "no task" in refused.stderr) == (2, True)
    assert CliRunner().invoke(command, ["fences", str(tmp_path / "a.yml")]).exit_code == 2


def test_handles_elsewhere(tmp_path: Path) -> None:
    """Of a program that is no task, POSIX counts: the handle may be written when the thread runs already."""
    (tmp_path / "a.c").write_text(HEAD.replace("BODY", "{}") + HANDLE, encoding="utf-8")
    result = xgen.check(xgen.load(tmp_path / "a.c"), xgen.model("sc"))
    assert result.witness is not None
    assert [violation.location for violation in result.witness.violations] == ["h"]


def test_python(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(HEAD.replace("BODY", "{}") + RACE, encoding="utf-8")
    (tmp_path / "a.yml").write_text(TASK.replace("PROPERTY", "no-data-race"), encoding="utf-8")
    answer = xgen.check(xgen.load(tmp_path / "a.yml"), xgen.model("sc")).answer
    assert answer is not None
    assert (answer.says, answer.about, answer.expected, answer.kept) == ("false", "no-data-race", True, False)
    assert xgen.check(xgen.load(tmp_path / "a.c"), xgen.model("sc")).answer is None


def test_files() -> None:
    """Names, one or several, in the three ways that YAML has."""
    for files in ("'a.c'", '"a.c"', "a.c", "\n  - a.c", "\n- 'a.c'", "['a.c']"):
        task = read_task_file(Source("d/t.yml", TASK.replace("'a.c'", files, 1)))
        assert task.paths() == ["d/a.c"]
    for files in ("['a.c', \"b.i\"]", "\n  - a.c\n  - b.i", "\n- a.c # one\n- b.i"):
        assert read_task_file(Source("t.yml", TASK.replace("'a.c'", files, 1))).paths() == ["a.c", "b.i"]
    task = read_task_file(Source("t.yml", TASK))
    assert [(claim.name, claim.expected) for claim, _ in task.claims] == [("PROPERTY", True)]
    assert task.data_model == "lp64"
    assert read_task_file(Source("t.yml", TASK.replace("LP64", "ILP32"))).data_model == "ilp32"
    assert read_task_file(Source("t.yml", TASK.replace("  data_model: LP64\n", ""))).data_model is None


WRONG = [
    # what of the task is replaced, by what, and what is said: line, column, words
    (TASK, "", None, "this task is empty"),
    ("input_files: 'a.c'", "input_file: 'a.c'", (1, 1), "no `input_files`"),
    ("'a.c'", "", (4, 1), "the name of a file is expected"),
    ("'a.c'", "[]", (4, 14), "no input files"),
    ("'a.c'", "['a.c',", (4, 14), "not closed"),
    ("'a.c'", "{a: b}", (4, 14), "more of YAML"),
    ("'a.c'", "a.java", (4, 14), "no .c or .i file"),
    ("input_files: 'a.c'", "input_files", (4, 1), "no line of a task"),
    ("input_files: 'a.c'", "input_files: 'a.c'\ninput_files: b.c", (5, 1), "twice"),
    ("  - property_file: ../properties/PROPERTY.prp\n    expected_verdict: true\n", "", (6, 1), "list of properties"),
    ("    expected_verdict: true", "    expected_verdict: maybe", (8, 23), "`true` or `false`"),
    ("property_file: ../", "propertyfile: ../", (7, 5), "has a `property_file`"),
    ("language: C", "language: Java", (11, 13), "the language `Java`"),
    ("LP64", "LP32", (12, 15), "no data model"),
    ("  data_model", "   data_model", (12, 4), "does not belong"),
    ("  language", "\tlanguage", (11, 1), "a tab"),
    ("format_version: '2.0'\n", "- format_version: '2.0'\n", (4, 1), "does not belong"),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), WRONG)
def test_what_is_no_task(old: str, new: str, place: tuple[int, int] | None, words: str) -> None:
    assert old in TASK
    with pytest.raises((ProgramError, UnsupportedError), match=words) as error:
        read_task_file(Source("t.yml", TASK.replace(old, new, 1)))
    found = error.value
    assert (found.file, place and (found.line, found.column)) == ("t.yml", place)
