"""The programs in programs/c: what their first lines say, and how many executions there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from c.running import model

import xgen

FOLDER = Path(__file__).parents[2] / "programs" / "c"
COUNTS = {
    "bakery": 9,
    "dekker": 3,
    "double_checked": 4,
    "mcs": 4,
    "peterson": 4,
    "philosophers": 6,
    "publication": 2,
    "rwlock": 72,
    "seqlock": 18,
    "spsc": 9,
    "ticketlock": 2,
    "treiber": 20,
    "ttas": 4,
}
WRONG = {"philosophers": "deadlock", "seqlock": "assertion"}
"""What goes wrong in the others is a race."""


def claims(path: Path) -> dict[str, str]:
    return dict(re.findall(r"^// verdict (\S+): (\S+)$", path.read_text(), re.M))


def test_all_are_here() -> None:
    names = {path.stem for path in FOLDER.glob("*.c")}
    assert names == COUNTS.keys() | {f"{name}_us" for name in COUNTS}


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_verdicts(name: str) -> None:
    path = FOLDER / f"{name}.c"
    assert claims(path) == {"rc11": "safe"}
    result = xgen.check(xgen.load(path), model("rc11"), all_states=True, trace_limit=0)
    assert (result.verdict, result.executions, result.bounded) == ("safe", COUNTS[name], 0)


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_wrong_ones(name: str) -> None:
    path = FOLDER / f"{name}_us.c"
    assert claims(path) == {"rc11": "violation"}
    result = xgen.check(xgen.load(path), model("rc11"))
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
