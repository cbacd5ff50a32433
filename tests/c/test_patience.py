"""Loops that look for something so many times and give up: two rounds stand for all that see nothing."""

from __future__ import annotations

import pytest
from both.asked import READERS, ask

TEXT = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, lock; int x, seen, left = -1;
void *f(void *p) { x = 1; atomic_store_explicit(&flag, 1, memory_order_release); atomic_store(&lock, 3); return p; }
int main(void) {
  pthread_t t; int i, r = 0;
  pthread_create(&t, 0, f, 0);
  LOOP
  pthread_join(t, 0);
}
"""
LOAD = "atomic_load_explicit(&flag, memory_order_acquire)"
RELAXED = "atomic_load_explicit(&flag, memory_order_relaxed)"
TRY = "atomic_compare_exchange_strong_explicit(&flag, &free, 2, memory_order_acquire, memory_order_relaxed)"
SEEN = "{ assert(x == 1); seen = 1; break; }"
# The thread sees the flag in the first round, or in the second one, or in none. (Where it asks behind a round whether
# to go on, that is so before the last round.)
FEWER = {
    "for": f"for (i = 0; i < 9; i++) if ({LOAD}) {SEEN}",
    "do": f"i = 0; do if ({LOAD}) {SEEN} while (++i < 9);",
    "down": f"i = 9; while (i--) if ({LOAD}) {SEEN}",
    "what was read": f"for (i = 0; i < 9; i++) {{ r = {LOAD}; if (r) {SEEN} }} left = r;",
    "in the condition": f"for (i = 0; i < 9 && !{LOAD}; i++) ; if (i < 9) seen = x;",
    "given up": f"for (i = 0; i < 9; i++) if ({LOAD}) {SEEN} if (i == 9) left = 1;",
    "whether given up": f"for (i = 0; i < 9; i++) if ({LOAD}) {SEEN} left = i >= 9;",
    "tries": f"for (i = 0; i < 9; i++) {{ int free = 1; if ({TRY}) {SEEN} }}",
    "looks and tries": f"for (i = 0; i < 9; i++) {{ int free = 1; if ({RELAXED} == 1 && {TRY}) {SEEN} }}",
}
# Something else is made of the count, more than one place is looked at, or something is written.
ALL = {
    "the count": f"for (i = 0; i < 5; i++) if ({LOAD}) {SEEN} left = i;",
    "some counts": f"for (i = 0; i < 5; i++) if ({LOAD}) {SEEN} left = i > 2;",
    "waits longer": f"for (i = 0; i < 5; i++) {{ if ({LOAD}) {SEEN} if (i == 3) left = 3; }}",
    "the one before": f"for (i = 0; i < 5; i++) {{ int s = {LOAD}; if (s) {SEEN} r += s + 1; }} left = r;",
    "two places": f"for (i = 0; i < 5; i++) if ({LOAD} && atomic_load(&lock) != 4) {SEEN}",
    "behind a fence": f"for (i = 0; i < 5; i++) {{ if ({LOAD}) {SEEN} atomic_thread_fence(memory_order_seq_cst); }}",
    "takes": f"for (i = 0; i < 5; i++) {{ if ({LOAD}) {SEEN} atomic_fetch_add(&lock, 1); }}",
}

# What a thread does that has found something may be refused in a loop that is not written out.
STARTS = "for (i = 0; i < 5; i++) if (atomic_load(&flag)) { pthread_create(&t, 0, f, 0); break; }"


def found(loop: str, reader: str, **options: object) -> tuple[str, int, set[str]]:
    """The verdict, the number of executions, and the final states."""
    result = ask(reader, TEXT.replace("LOOP", loop), head="", **options)
    names = ("seen", "left", "flag", "lock")
    return result.verdict, result.executions, {str([o.state.get(name) for name in names]) for o in result.outcomes}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", FEWER)
def test_two_rounds_stand_for_all(name: str, reader: str) -> None:
    verdict, executions, states = found(FEWER[name], reader)
    assert (verdict, executions) == ("safe", 4 if name == "do" else 3)
    assert found(FEWER[name], reader, retries=False) == (verdict, 10, states)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ALL)
def test_rounds_that_matter_stay(name: str, reader: str) -> None:
    few = found(ALL[name], reader)
    assert few == found(ALL[name], reader, retries=False)
    assert few[1] > 3


def test_loops_that_start_threads_are_written_out() -> None:
    assert found(STARTS, "own") == found(STARTS, "own", retries=False)
