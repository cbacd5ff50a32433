"""How far values are apart that are made of one register: also where rounds of a loop lie between them."""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

APART = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x;
int a[16];
void *set(void *_) { x = 2; return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int n = x;
  int *p = a + n, *q = p, *before = p, *stored[2] = {p, p};
  do {
    before = q; q = p + 1; stored[n & 1] = q; p = q + 1; n--;
  } while (n > 0);
  pthread_join(t, 0);
  assert(p - q == 1);
  assert(CHECKED);
}
"""


@compiles
@pytest.mark.parametrize(
    ("checked", "verdict"),
    [
        ("q - before == 1 || q - before == 2", "safe"),
        ("q - before == 1", "violation"),
        ("stored[0] - p == -1 || stored[0] - p == -3", "safe"),
        ("stored[0] - p == -1", "violation"),
    ],
)
def test_loops_lie_between_values(checked: str, verdict: str) -> None:
    """One round, or two: of the last but one round is what is read back."""
    program = xgen.parse(APART.replace("CHECKED", checked), "c", clang=True)
    assert xgen.check(program, xgen.model("rc11")).verdict == verdict


FAR = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic unsigned long x;
void *set(void *_) { x = 2; return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  unsigned long from = x, to = from + 0x6000000000000000ul;
  if (from) assert(to > from);
  to += 0x6000000000000000ul;
  assert(to - from == 0xc000000000000000ul);
  assert((long)(to - from) < 0);
  pthread_join(t, 0);
}
"""


@compiles
def test_a_distance_is_a_number_of_64_bits() -> None:
    program = xgen.parse(FAR, "c", clang=True)
    assert xgen.check(program, xgen.model("rc11")).verdict == "safe"
