"""Tasks of SV-COMP by satisfiability: inputs are any number of their types, so that a property may be true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from xgen.cli import main

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) {}
int v, w;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
LOCKED = """
void *f(void *p) { int k = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m); v = k; w = k; pthread_mutex_unlock(&m); return p; }
int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_mutex_lock(&m); if (BAD) reach_error(); pthread_mutex_unlock(&m); return 0; }
"""
LOCKS = """
void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
  return p; }
int main() { pthread_t a; pthread_create(&a, 0, f, 0); pthread_mutex_lock(&n); pthread_mutex_lock(&m);
  if (__VERIFIER_nondet_int() == 5 && v) reach_error(); return 0; }
"""
CASES = [
    # the program, the property, the answer, and its reason
    (LOCKED.replace("BAD", "v != w"), "unreach-call", "true", ""),
    (LOCKED.replace("BAD", "v == 123456"), "unreach-call", "false", ""),
    (LOCKED.replace("BAD", "v != w"), "no-data-race", "true", ""),
    ("int main() { int k = __VERIFIER_nondet_int(); v = k + 1; return 0; }", "no-overflow", "false", ""),
    (
        "int main() { int k = __VERIFIER_nondet_int(); if (k < 9) v = k + 1; return 0; }",
        "no-overflow",
        "true",
        "",
    ),
    # a loop with an unknown number of rounds, and an input that is left out by `abort`
    (
        "int main() { int k = __VERIFIER_nondet_int(); for (int i = 0; i < k; i++) v++; if (v < 0) reach_error(); }",
        "unreach-call",
        "unknown",
        "",
    ),
    (
        "int main() { unsigned k = __VERIFIER_nondet_uint(); if (k > 5) abort(); while (k--) v++;"
        " if (v > 5) reach_error(); return 0; }",
        "unreach-call",
        "true",
        "",
    ),
    ("int main() { if (time(0) == 5) reach_error(); return 0; }", "unreach-call", "unknown", "only some values"),
    (LOCKS, "unreach-call", "true", ""),  # its deadlock does not matter
    ("int main() { int *p = &v; int k; if (k) return 1; return 0; }", "unreach-call", "unknown", "something else"),
]


@pytest.mark.parametrize(("program", "name", "answer", "why"), CASES)
def test_answers(program: str, name: str, answer: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(HEAD + program, encoding="utf-8")
    task = tmp_path / "t.yml"
    task.write_text(
        f"format_version: '2.0'\ninput_files: 't.c'\nproperties:\n  - property_file: {name}.prp\n"
        "options:\n  language: C\n  data_model: ILP32\n",
        encoding="utf-8",
    )
    found = CliRunner().invoke(main, ["check", str(task), "--engine", "sat", "--format", "json"])
    document = json.loads(found.stdout)
    assert document["answer"] == answer, found.stdout
    assert document["engine"] == "sat"
    assert found.exit_code == {"true": 0, "false": 1, "unknown": 3}[answer]
    told = CliRunner().invoke(main, ["check", str(task), "--engine", "sat"])
    assert told.stdout.startswith(f"{answer} ({name}")
    assert why in told.stdout
    if answer != "true":
        return
    values = CliRunner().invoke(main, ["check", str(task), "--engine", "sat", "--nondet", "0..2", "--format", "json"])
    assert json.loads(values.stdout)["answer"] == ("unknown" if "nondet" in program else "true")
