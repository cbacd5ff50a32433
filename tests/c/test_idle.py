"""Loops that only count, and what only they depend on (xgen.frontends.reductions.counting_loops)."""

from __future__ import annotations

import pytest
from c.running import load, model

import xgen
from xgen.errors import Position
from xgen.frontends.assembly import Branch, Step
from xgen.frontends.reductions.constant_checks import without_constant_checks
from xgen.program import automaton as xcfa

LOCK = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int l; int shared;
void *t(void *a) {{
  unsigned delay = 1; int n = 3, k = 0; unsigned char c = 0;
  while (atomic_exchange_explicit(&l, 1, memory_order_acquire)) {{ {} }}
  shared++;
  atomic_store_explicit(&l, 0, memory_order_release);
  return a;
}}
int main(void) {{
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  t(0);
  pthread_join(p, 0);
  assert(shared == 2);
}}
"""
IDLE = (
    'for (int i = 0; i < (int)delay; i++) __asm__ volatile("pause"); if (delay < 64) delay *= 2;',
    "for (volatile unsigned i = 0; i < delay; i++) ; delay = delay * 2 > 16 ? 16 : delay * 2;",
    "for (unsigned i = delay; i > 0; i--) k++; if (delay < 64) delay <<= 1; else delay = 1;",
    "unsigned i = delay; while (i--) ; delay++;",
    "int i = delay; while (i-- > 0) ; delay++;",
    "unsigned i = delay; do ; while (--i); delay++;",
    "for (int i = 0; i <= n; i++) for (int j = i; j != n; j++) { if (i == j) continue; if (j == 7) break; } n++;",
    "k++; if (k > 5) { k = 0; n++; }",
    "for (int i = 0; i < (1 << n); i++) ; if (n < 10) n++;",
    "for (unsigned i = 0; i < 1u << n; i++) ; n = n + 1 > 6 ? 6 : n + 1;",
    "for (unsigned i = 1u << n; i; --i) { if (k == 9) break; } n = (n + 1) & 7;",
    "for (unsigned i = 0; i < delay; i++) ; delay = 1u << k; if (k++ == 5) k = 2;",
    "for (int i = 0; i < 100 / n; i++) ; if (n < 10) n++; else n = 3;",
)
BUSY = (
    "k++; if (k == 3) assert(l < 2);",
    "for (int i = 0; i < n; i++) atomic_load(&l); if (n < 6) n++;",
    "for (int i = 0; i < n; i++) k++; n++; if (k > 12) return 0;",
)


@pytest.mark.parametrize("text", IDLE)
def test_rounds_that_pass_the_time_only_wait(text: str) -> None:
    found = xgen.check(load(LOCK.format(text)), model("rc11"))
    assert (found.verdict, found.executions) == ("safe", 2)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("for (int i = 0; i < (1 << n); i++) ; n += 29;", "shift"),
        ("for (unsigned i = 0; i < 1u << k; i++) ; k--;", "shift"),
        ("for (int i = 0; i < 9 / n; i++) ; n--;", "division-by-zero"),
        ("for (int i = 0; i < 9 / n; i++) ; if (n == 3) n = 1; else n -= 1;", "division-by-zero"),
    ],
)
def test_checks_that_may_fail_stay(text: str, kind: str) -> None:
    found = xgen.check(load(LOCK.format(text)), model("rc11"))
    assert found.witness is not None
    assert {violation.kind for violation in found.witness.violations} == {kind}


@pytest.mark.parametrize("text", BUSY)
def test_rounds_that_do_more_are_explored(text: str) -> None:
    found = xgen.check(load(LOCK.format(text)), model("rc11"), timeout=5)
    assert found.executions > 2


def test_loops_that_may_not_end_stay() -> None:
    """C lets it be assumed that a loop ends, but not of one whose condition is constant."""
    with pytest.raises(xgen.XgenError, match="runs on and on"):
        xgen.check(load(LOCK.format("for (;;) { if ((k & 3) == 7) break; k++; }")), model("rc11"))


def test_what_was_read_orders_what_comes_behind() -> None:
    """A branch about it is one, even if nothing else depends on where it leads."""
    text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\natomic_int x, y; int k;\n"
    text += "void *t(void *a) { int r = atomic_load_explicit(&y, memory_order_relaxed); BODY\n"
    text += "  atomic_store_explicit(&x, 1, memory_order_relaxed); return a; }\n"
    text += "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);\n"
    text += "  if (atomic_load_explicit(&x, memory_order_relaxed)) {\n"
    text += "    atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
    text += "    atomic_store_explicit(&x, 2, memory_order_relaxed); }\n"
    text += "  pthread_join(p, 0); }\n"
    for body, count in (("int n = 0; if (r) n = 1;", 2), ("int n = r; while (n) n--;", 2), ("(void)r;", 3)):
        found = xgen.check(load(text.replace("BODY", body), map="armv8"), model("arm8"), all_states=True)
        assert found.executions == count, body


CLOCKS = """
#include <time.h>
#include <sys/time.h>
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int n, f;
static long now(void) {{
  struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }}
static unsigned long us(void) {{ struct timeval t; gettimeofday(&t, 0); return t.tv_sec * 1000000ul + t.tv_usec; }}
void *t(void *a) {{ {} atomic_fetch_add(&n, 1); return 0; }}
int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); assert(n == 2); }}
"""


@pytest.mark.parametrize(
    "text",
    [
        "long e = now() + 100; while (now() < e) ;",
        "unsigned long s = us(); while (us() - s < 30) sched_yield();",
        "clock_t e = clock() + 4; do ; while (clock() <= e);",
        "time_t e = time(0) + 2; while (time(0) < e) for (int k = 0; k < 9; k++) __builtin_ia32_pause();",
        "unsigned long long s = __builtin_ia32_rdtsc(); while (__builtin_ia32_rdtsc() - s < 5) ;",
    ],
)
def test_loops_that_wait_for_a_clock_end(text: str) -> None:
    found = xgen.check(load(CLOCKS.format(text)), model("rc11"))
    assert (found.verdict, found.executions, found.blocked) == ("safe", 2, 0)


@pytest.mark.parametrize(
    "text",
    [
        "time_t e = time(0) + 2; while (time(0) < e) if (atomic_load(&f)) break; f = 0;",
        "time_t e = time(0) + 2, u; while ((u = time(0)) < e) ; if (u) f = 1;",
        "time_t e = time(0) + 2; while (time(0) != e) ;",
    ],
)
def test_loops_that_wait_for_more_than_a_clock_stay(text: str) -> None:
    """Its time stands still for them."""
    found = xgen.check(load(CLOCKS.format(text)), model("rc11"))
    assert (found.executions, found.blocked) == (0, 1)


def test_clocks_that_tell_any_time() -> None:
    text = "time_t e = time(0) + 1; while (time(0) < e) ;"
    found = xgen.check(load(CLOCKS.format(text), nondet=(0, 1)), model("rc11"))
    assert found.verdict == "safe"
    assert found.blocked > 0  # where the clock stands still


AT = Position(1, 1)


def test_a_check_on_which_a_local_decides_that_is_read() -> None:
    """What is known of such a local from an assignment is over with the read."""
    i, b, number = xcfa.Name("i"), xcfa.Name("b"), xcfa.IntLiteral
    check = xcfa.Assert(xcfa.Binary("<", i, number(4)), kind="out-of-bounds")
    read = xcfa.Load(b, xcfa.Place(xcfa.Name("x")))

    def steps(*more: xcfa.Statement) -> list[Step]:
        return [
            *(xcfa.Assign(i, number(0)), "again", xcfa.Assign(b, xcfa.Binary("bitand", i, number(8))), *more),
            *(Branch(xcfa.Binary("=", b, number(0)), "small", AT), xcfa.Assign(i, number(7)), "small", check),
            *(xcfa.Assign(i, xcfa.Binary("+", i, number(1))), Branch(xcfa.Binary("<", i, number(4)), "again", AT)),
        ]

    assert check not in without_constant_checks(steps(), {"i", "b"})
    assert check in without_constant_checks(steps(read), {"i"})
