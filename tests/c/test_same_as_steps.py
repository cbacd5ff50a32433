"""Algorithms in C and as XCFA's steps, written once more: the same numbers of executions."""

from __future__ import annotations

from pathlib import Path

import pytest

import xgen

PROGRAMS = Path(__file__).parents[2] / "programs"

C_HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n"
C_MAIN = """
int main(void) {
  pthread_t t[%d];
  for (int i = 0; i < %d; i++) pthread_create(&t[i], 0, run, (void *)(long)i);
  for (int i = 0; i < %d; i++) pthread_join(t[i], 0);
}
"""

TICKETS = ("""
atomic_int next, serving; int data;
void *run(void *a) {
  int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != ticket);
  int value = data; assert(value == ticket); data = value + 1;
  atomic_store_explicit(&serving, ticket + 1, memory_order_release);
  return 0;
}
""", (PROGRAMS / "tickets.xcfa").read_text(encoding="utf-8"))  # fmt: skip

BAKERY_OF_TWO = ("""
atomic_int choosing[2], number[2]; int in;
void *run(void *a) {
  int me = (long)a, other = 1 - me, n, c;
  choosing[me] = 1;
  n = number[other] + 1;
  number[me] = n;
  choosing[me] = 0;
  while (choosing[other]);
  do { c = number[other]; } while (c != 0 && (c < n || (c == n && other < me)));
  in = me;
  assert(in == me);
  number[me] = 0;
  return 0;
}
""", """
var choosing : int[2]
var number : int[2]
var in_there : int
process run[2](me) {
  var n : int
  var c : int
  1 -> choosing[me] @ seq_cst;
  n <- number[1 - me] @ seq_cst;
  n := n + 1;
  n -> number[me] @ seq_cst;
  0 -> choosing[me] @ seq_cst;
  do { c <- choosing[1 - me] @ seq_cst; } while c /= 0;
  do { c <- number[1 - me] @ seq_cst; } while c /= 0 and (c < n or (c = n and 1 - me < me));
  me -> in_there;
  c <- in_there;
  assert c = me;
  0 -> number[me] @ seq_cst;
}
""")  # fmt: skip

STACK = ("""
struct node { int val; int next; } nodes[4];
atomic_int top;
void push(int n, int v) {
  int t;
  nodes[n].val = v;
  do {
    t = atomic_load_explicit(&top, memory_order_relaxed);
    nodes[n].next = t;
  } while (!atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_release, memory_order_relaxed));
}
void *run(void *a) { push((long)a + 1, 7); return 0; }
""", """
struct Node { val : int  next : int }
var node : Node[4]
var top : int
procedure push(n : int, v : int) {
  var t : int
  var r : int
  v -> node[n].val;
  do {
    t <- top @ relaxed;
    t -> node[n].next;
    r <- cas(top, t, n) @ release, relaxed;
  } while r /= t;
}
process run[N](me) { call push(me + 1, 7); }
const N = 3
""")  # fmt: skip

PAIRS = {"tickets": TICKETS, "bakery": BAKERY_OF_TWO, "stack": STACK}


@pytest.mark.parametrize(
    ("name", "number", "models"),
    [
        ("tickets", 2, "sc tso rc11"),
        ("tickets", 3, "sc tso rc11"),
        ("stack", 2, "sc tso rc11"),
        ("bakery", 2, "sc rc11"),
    ],
)
def test_same_counts(name: str, number: int, models: str) -> None:
    """The bakery is not safe under tso; who fails there ends the whole of a C program."""
    in_c, steps = PAIRS[name]
    text = C_HEAD + in_c + C_MAIN % (number, number, number)
    defines = {} if name == "bakery" else {"defines": (f"N={number}",)}
    for memory in map(xgen.model, models.split()):
        one = xgen.check(xgen.parse(text, "c"), memory, all_states=True)
        two = xgen.check(xgen.parse(steps, **defines), memory, all_states=True)
        assert (one.verdict, one.executions, one.blocked) == (two.verdict, two.executions, two.blocked)
        assert one.verdict == "safe"
        assert one.executions > 1
