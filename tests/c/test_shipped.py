"""The programs in programs/c: what their first lines say, and how many executions there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from c.running import model

import xgen
from xgen.analyses.claims.run import check_file

FOLDER = Path(__file__).parents[2] / "programs" / "c"
NAMES = sorted(path.stem for path in FOLDER.glob("*.c") if not path.stem.endswith("_us"))
WRONG = {"philosophers": "deadlock", "seqlock": "assertion", "chaselev": "assertion", "msqueue_hp": "race-with-free"}
"""What goes wrong in the others is a race."""


def test_all_are_here() -> None:
    assert {path.stem for path in FOLDER.glob("*_us.c")} == {f"{name}_us" for name in NAMES}
    assert len(NAMES) == 21


@pytest.mark.parametrize("name", [*NAMES, *(f"{name}_us" for name in NAMES)])
def test_claims(name: str) -> None:
    """What its first lines say is so: a verdict under rc11 and under sc, and the number of executions if it is safe."""
    path = FOLDER / f"{name}.c"
    found = check_file(str(path), xgen.load)
    assert (found.errors, found.mistakes) == ((), ())
    assert [(one.claim.said, one.found) for one in found.checked if not one.kept] == []
    said = {one.claim.model: one.claim for one in found.checked}
    assert sorted(map(str, said)) == ["rc11", "sc"]
    assert said["rc11"].value == ("violation" if name.endswith("_us") else "safe")
    assert all((claim.count is not None) == (claim.value == "safe") for claim in said.values())


@pytest.mark.parametrize("name", NAMES)
def test_wrong_ones(name: str) -> None:
    result = xgen.check(xgen.load(FOLDER / f"{name}_us.c"), model("rc11"))
    assert result.witness is not None
    violation = result.witness.violations[0]
    assert violation.kind == WRONG.get(name, "race")
    assert violation.position.source is not None
    assert Path(violation.position.source.name).name == f"{name}.c"


def test_release_sequences_of_c20() -> None:
    """A later write of the same thread to the location is part of a release sequence in C11, and is none in C++20."""
    text = """#include <pthread.h>
#include <stdatomic.h>
int d;
atomic_int f;
void *w(void *a) {
  d = 1;
  atomic_store_explicit(&f, 1, memory_order_release);
  atomic_store_explicit(&f, 2, memory_order_relaxed);
  return a;
}
void *r(void *a) {
  if (atomic_load_explicit(&f, memory_order_acquire) == 2) d = 2;
  return a;
}
int main() {
  pthread_t x, y;
  pthread_create(&x, 0, w, 0);
  pthread_create(&y, 0, r, 0);
}"""
    program = xgen.parse(text, "c")
    assert xgen.check(program, model("rc11")).verdict == "safe"
    found = xgen.check(program, model("rc11-c20"))
    assert found.witness is not None
    assert [violation.kind for violation in found.witness.violations] == ["race"]
