"""Bytes that are copied, set and compared, whose number is not known: each number that it may be, or a cut."""

from __future__ import annotations

import pytest
from both.asked import READERS, ask, said

from xgen.frontends.limits import PARTS

RING = """char ring[8];
atomic_uint tail;
void *producer(void *p) {
  memcpy(ring, "hi", 2); atomic_store_explicit(&tail, 2, memory_order_release); return p;
}
int main(void) {
  pthread_t t; char out[8] = {0};
  pthread_create(&t, 0, producer, 0);
  unsigned n = atomic_load_explicit(&tail, memory_order_acquire);
  BODY
  pthread_join(t, 0);
}
"""
LONGS = """atomic_uint n;
long to[64], from[64];
void *copy(void *p) { unsigned k = n, at = 0; BODY return p; }
int main(void) { from[0] = 1; pthread_t t; pthread_create(&t, 0, copy, 0); n = 3; pthread_join(t, 0); }
"""
PIECES = """unsigned some = k < 8 - (at & 7) ? k : 8 - (at & 7); memcpy(to + at, from + at, some * sizeof *to);
  at += some; k -= some; some = k < 8 - (at & 7) ? k : 8 - (at & 7); memcpy(to + at, from + at, some * sizeof *to);"""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        (RING, "memcpy(out, ring, n); if (n) assert(out[0] == 'h' && out[1] == 'i');", ("safe", 2, [])),
        (RING, "memcpy(out, ring, n); assert(out[0] == 0);", ("violation", 2, ["assertion"])),
        (RING, "memset(out, 1, n); assert(n ? out[0] == 1 && out[1] == 1 && !out[2] : !out[0]);", ("safe", 2, [])),
        (RING, 'assert(memcmp(ring, "hi", n) == 0);', ("safe", 2, [])),
        (RING, 'assert(memcmp(ring, "ha", n) == 0);', ("violation", 2, ["assertion"])),
        (LONGS, PIECES, ("safe", 2, [])),
        (LONGS, "k += k; memcpy(to, from, k * 8); assert(to[0] == (k > 0));", ("safe", 2, [])),
        (LONGS, "k = k > 2 ? 2 : k; memmove(to, from, k * 8); assert(to[0] == (k > 0));", ("safe", 2, [])),
    ],
)
def test_of_memory_that_changes(reader: str, text: str, body: str, expected: tuple[str, int, list[str]]) -> None:
    assert said(reader, text.replace("BODY", body)) == expected


def test_any_number() -> None:
    text = """int __VERIFIER_nondet_int(void); char from[8], to[SIZE];
void *copy(void *p) { memcpy(to, from, __VERIFIER_nondet_int()); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, copy, 0); pthread_join(t, 0); }
"""
    assert said("own", text.replace("SIZE", "8"), nondet=(0, 4)) == ("safe", 5, [])
    assert said("own", text.replace("SIZE", "4"), nondet=(4, 6), whole=False)[::2] == ("violation", ["out-of-bounds"])
    assert said("own", text.replace("SIZE", "8"), nondet=(-1, 1), whole=False)[::2] == ("violation", ["out-of-bounds"])


@pytest.mark.parametrize("reader", READERS)
def test_more_is_cut(reader: str) -> None:
    result = ask(reader, LONGS.replace("n = 3", "n = 20").replace("BODY", "memcpy(to, from, k * 8);"))
    assert (result.verdict, result.executions, result.bounded) == ("safe-within-bound", 1, 1)
    (warning,) = (warning for warning in result.warnings if "stopped" in warning)
    assert f" {PARTS} parts of 8 bytes are copied here" in warning


def test_a_part_of_a_number() -> None:
    text = "_Bool __VERIFIER_nondet_bool(void); int main() { int a = 1, b = 257; assert(BODY); }"
    compared = "memcmp(&a, &b, __VERIFIER_nondet_bool()) == 0"
    assert said("own", text.replace("BODY", compared)) == ("safe", 2, [])
    assert said("own", text.replace("BODY", compared.replace("()", "() + 1")))[::2] == ("violation", ["assertion"])
