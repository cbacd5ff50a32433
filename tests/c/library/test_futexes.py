"""Futexes: what mutexes that are made of them do, what is told of a wake-up that is lost, and what is not read."""

from __future__ import annotations

import pytest
from c.running import load, mapped, model

import xgen

HEAD = """
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define futex(word, what, ...) syscall(SYS_futex, word, what, __VA_ARGS__)
atomic_int m;
int counter, result, error;
struct timespec late;
"""
THREE_STATES = """
static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&m, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&m, 2);
  while (seen != 0) {
    futex(&m, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    seen = atomic_exchange(&m, 2);
  }
}
static void unlock(void) {
  if (atomic_exchange(&m, 0) == 2) futex(&m, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
"""
"""The second mutex of Drepper, Futexes Are Tricky (2011)."""
LOST = THREE_STATES.replace(
    "= atomic_exchange(&m, 2);\n  }", "= 0;\n    if (atomic_compare_exchange_strong(&m, &seen, 1)) return;\n  }"
)
"""The same, where who was woken takes the mutex as if nobody else slept."""
USERS = """
static void *user(void *p) { lock(); counter++; unlock(); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, user, 0);
  pthread_create(&u, 0, user, 0);
  user(0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return counter != 3;
}
"""


def lives(text: str, **options: bool) -> bool:
    """Whether no thread waits for ever; nothing else goes wrong."""
    found = xgen.check(load(HEAD + text, **options), model("sc"), liveness=True)
    assert {v.kind for v in found.witness.violations} == {"await"} if found.witness else found.verdict == "safe"
    return found.witness is None


def test_a_mutex() -> None:
    assert lives(THREE_STATES + USERS)


def test_a_wake_up_that_is_lost() -> None:
    assert not lives(LOST + USERS)
    assert lives(LOST.replace("PRIVATE, 1", "PRIVATE, 9") + USERS)
    # A stub only says that waits may end, so that it does not see that.
    assert xgen.check(load(HEAD + LOST + USERS, stubs=("syscall",)), model("sc"), liveness=True).verdict == "safe"


@pytest.mark.parametrize("mcm", ["sc", "rc11", "tso", "arm8"])
def test_no_wake_up_is_lost_between_look_and_sleep(mcm: str) -> None:
    """Where a thread sleeps, another wakes it; else it sees what that wrote, whatever the order of its accesses."""
    text = """
    atomic_int told;
    static void *sleeper(void *p) { futex(&told, FUTEX_WAIT, 0, NULL, NULL, 0); return 0; }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, sleeper, 0);
      atomic_store_explicit(&told, 1, memory_order_relaxed);
      futex(&told, FUTEX_WAKE, 1, NULL, NULL, 0);
      pthread_join(t, 0);
    }
    """
    found = xgen.check(load(HEAD + text, **mapped(mcm, {})), model(mcm), liveness=True)
    assert (found.verdict, found.executions) == ("safe", 2)
    late = text.replace("atomic_store_explicit(&told, 1, memory_order_relaxed);\n", "").replace(
        "pthread_join", "atomic_store(&told, 1); pthread_join"
    )
    assert xgen.check(load(HEAD + late, **mapped(mcm, {})), model(mcm), liveness=True).verdict == "violation"


def test_what_is_told() -> None:
    """A wait that fails, or is over, says why; to wake says how many were woken."""
    text = "int main(void) {{ result = {}; error = errno; }}"

    def told(call: str, **options: bool) -> set[tuple[int, int]]:
        found = xgen.check(load(HEAD + text.format(call), **options), model("sc"), all_states=True)
        return {(outcome.state["result"], outcome.state["error"]) for outcome in found.outcomes}

    assert told("futex(&m, FUTEX_WAIT, 1, NULL, NULL, 0)") == {(-1, 11)}
    assert told("futex(&m, FUTEX_WAIT, 0, &late, NULL, 0)") == {(-1, 110)}
    assert told("futex(&m, FUTEX_WAIT, 0, &late, NULL, 0)", spurious=True) == {(-1, 110), (0, 0)}
    assert told("futex(&m, FUTEX_WAIT_BITSET, 1, NULL, NULL, FUTEX_BITSET_MATCH_ANY)") == {(-1, 11)}
    assert told("futex(&m, FUTEX_WAKE, 1, NULL, NULL, 0)") == {(0, 0)}
    woken = """
    static void *sleeper(void *p) { futex(&m, FUTEX_WAIT, 0, NULL, NULL, 0); return 0; }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, sleeper, 0);
      pthread_create(&u, 0, sleeper, 0);
      result = futex(&m, FUTEX_WAKE, COUNT, NULL, NULL, 0);
      m = 1;
      futex(&m, FUTEX_WAKE, 2, NULL, NULL, 0);
      pthread_join(t, 0);
      pthread_join(u, 0);
    }
    """
    for count in (1, 2, 7):
        found = xgen.check(load(HEAD + woken.replace("COUNT", str(count))), model("sc"), all_states=True)
        assert {outcome.state["result"] for outcome in found.outcomes} == set(range(min(count, 2) + 1))


def test_a_wait_in_no_loop_is_told() -> None:
    (note,) = load(HEAD + "int main(void) { futex(&m, FUTEX_WAIT, 1, NULL, NULL, 0); }").remarks
    assert "is in no loop" in note


UNKNOWN = """
atomic_int n, *p[2] = {&m, &n};
static void *thread(void *q) { CALL; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); m = 1; }
"""
REFUSED = [
    ("syscall(5)", "`syscall` for anything but a futex, or the number of a thread or process, is not supported"),
    ("futex(&m, 3, 1, 1, &m, 0)", "`futex` for anything but to wait and to wake is not supported"),
    ("futex(&m, m, 1, NULL, NULL, 0)", "`futex` for anything but to wait and to wake is not supported"),
    ("futex(&m, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1)", "a futex with a mask is not supported"),
    ("futex(&m, FUTEX_WAKE, m, NULL, NULL, 0)", "to wake an unknown number of threads, or none, is not supported"),
    ("futex(&m, FUTEX_WAKE, 0, NULL, NULL, 0)", "to wake an unknown number of threads, or none, is not supported"),
    ("futex(p[m], FUTEX_WAKE, 1, NULL, NULL, 0)", "a futex whose place is not known here is not supported"),
    ("syscall(SYS_futex, &m, FUTEX_WAKE)", "`syscall` with too few arguments for a futex is not supported"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_not_read(call: str, message: str) -> None:
    with pytest.raises(xgen.UnsupportedError) as raised:
        load(HEAD + UNKNOWN.replace("CALL", call))
    assert raised.value.message == message
    assert "--stub syscall" in str(raised.value.hint)
