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


SPA = """#include <stdint.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void by_hand(unsigned char *to, const unsigned char *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[i] = from[i];
}
atomic_uint readindex = 6, writeindex = 6;
unsigned char ring[8], message[6] = {1, 2, 3, 4, 5, 6}, out[8];
void write_data(uint32_t offset, const unsigned char *data, uint32_t len) {
  uint32_t l0 = MIN(len, 8 - offset), l1 = len - l0;
  COPY(ring + offset, data, l0); if (l1 > 0) COPY(ring, data + l0, l1);
}
void read_data(uint32_t offset, unsigned char *data, uint32_t len) {
  uint32_t l0 = MIN(len, 8 - offset), l1 = len - l0;
  COPY(data, ring + offset, l0); if (l1 > 0) COPY(data + l0, ring, l1);
}
void *producer(void *p) {
  for (int k = 0; k < 2; k++) {
    uint32_t at = atomic_load_explicit(&writeindex, memory_order_relaxed);
    uint32_t filled = at - atomic_load_explicit(&readindex, memory_order_acquire);
    if (8 - filled < 3) break;
    write_data(at & 7, message + k * 3, 3);
    atomic_store_explicit(&writeindex, at + 3, memory_order_release);
  }
  return p;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, producer, 0);
  uint32_t at = atomic_load_explicit(&readindex, memory_order_relaxed);
  uint32_t some = atomic_load_explicit(&writeindex, memory_order_acquire) - at;
  read_data(at & 7, out, some);
  atomic_store_explicit(&readindex, at + some, memory_order_release);
  for (unsigned i = 0; i < 8; i++) if (i < some) assert(out[i] == i + 1);
  pthread_join(t, 0);
}
"""
"""A ring of bytes as PipeWire has it: what goes behind its end is copied in two pieces."""
STREAM = """#include <stddef.h>
#include <stdint.h>
void by_hand(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}
struct stream { atomic_size_t tail, head; uint8_t *buffer; };
uint8_t area[8];
struct stream s = {.tail = 5, .head = 5, .buffer = area};
size_t used(void) {
  size_t n = 8 + atomic_load(&s.head) - atomic_load(&s.tail);
  return n >= 8 ? n - 8 : n;
}
size_t write_bytes(const uint8_t *data, size_t n, size_t head) {
  size_t first = 8 - head < n ? 8 - head : n;
  COPY(&s.buffer[head], data, first); if (n > first) COPY(s.buffer, data + first, n - first);
  return (head + n) % 8;
}
size_t read_bytes(uint8_t *data, size_t n, size_t tail) {
  size_t first = 8 - tail < n ? 8 - tail : n;
  COPY(data, &s.buffer[tail], first); if (n > first) COPY(data + first, s.buffer, n - first);
  return (tail + n) % 8;
}
void *producer(void *p) {
  uint8_t bytes[4] = {1, 2, 3, 4};
  if (7 - used() >= 4) atomic_store(&s.head, write_bytes(bytes, 4, atomic_load(&s.head)));
  return p;
}
int main(void) {
  pthread_t t; uint8_t out[4] = {0};
  pthread_create(&t, 0, producer, 0);
  size_t n = used(), count = n < 3 ? n : 3;
  if (count) {
    atomic_store(&s.tail, read_bytes(out, count, atomic_load(&s.tail)));
    assert(out[0] == 1 && out[2] == 3);
  }
  pthread_join(t, 0);
}
"""
"""One as FreeRTOS has it: the buffer is behind a pointer, and indices begin again at its end."""
RACE = {"memory_order_release);\n  }": "memory_order_relaxed);\n  }"}
OUTSIDE = {"COPY(data, ring + offset, l0);": "COPY(data, ring + offset, l0 + (l1 > 0));", "ring[8]": "ring[8], behind"}
WRONG = {"out[2] == 3": "out[2] != 3"}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        (SPA, {}, ("safe", 6, [])),
        (SPA, RACE, ("violation", 4, ["race"])),
        (SPA, OUTSIDE, ("violation", 4, ["bad-address"])),
        (STREAM, {}, ("safe", 2, [])),
        (STREAM, WRONG, ("violation", 2, ["assertion"])),
    ],
)
def test_rings_of_bytes(reader: str, text: str, changed: dict[str, str], expected: tuple[str, int, list[str]]) -> None:
    """The offset and the length of a copy are read from memory: the same executions as of a loop written by hand."""
    for part, other in changed.items():
        assert part in text
        text = text.replace(part, other)
    for copy in ("memcpy", "memmove", "by_hand"):
        result = ask(reader, text.replace("COPY", copy), whole=False)
        kinds = [each.kind for each in result.witness.violations[:1]] if result.witness else []
        assert (copy, result.verdict, result.executions, kinds) == (copy, *expected)
        assert result.exhaustive == (result.verdict == "safe")
