"""std::atomic of 16 bytes: as many executions as the same in C, by GCC's functions, which C's own reader takes."""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

CPP = """#include <atomic>
#include <cassert>
#include <pthread.h>
struct P { long a; long b; };
std::atomic<P> p;
void load(P *to, std::memory_order o) { *to = p.load(o); }
void store(P from, std::memory_order o) { p.store(from, o); }
void swap(P *to, P from, std::memory_order o) { *to = p.exchange(from, o); }
bool cas(P *e, P n, std::memory_order o) { return p.compare_exchange_strong(*e, n, o, std::memory_order_relaxed); }
#define RELAXED std::memory_order_relaxed
#define ACQUIRE std::memory_order_acquire
#define RELEASE std::memory_order_release
"""
C = """#include <assert.h>
#include <pthread.h>
typedef struct { long a; long b; } P;
P p;
void load(P *to, int o) { __atomic_load(&p, to, o); }
void store(P from, int o) { __atomic_store(&p, &from, o); }
void swap(P *to, P from, int o) { __atomic_exchange(&p, &from, to, o); }
_Bool cas(P *e, P n, int o) { return __atomic_compare_exchange(&p, e, &n, 0, o, __ATOMIC_RELAXED); }
#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
"""
PROGRAMS = {
    "counted up": """void *run(void *arg) {
  P o, n; load(&o, RELAXED); n.a = o.a + 1; n.b = o.b + 2; cas(&o, n, RELEASE);
  return arg;
}
int main() {
  pthread_t t; pthread_create(&t, 0, run, 0);
  P o, n; load(&o, ACQUIRE);
  do { n.a = o.a + 1; n.b = o.b + 2; } while (!cas(&o, n, ACQUIRE));
  pthread_join(t, 0);
  load(&o, RELAXED);
  assert(o.b == 2 * o.a);
}
""",
    "handed over": """int data;
void *run(void *arg) {
  P n; data = 1; n.a = 1; n.b = -2; store(n, ORDER); n.a = 3; n.b = -6; store(n, RELAXED);
  return arg;
}
int main() {
  pthread_t t; pthread_create(&t, 0, run, 0);
  P o, n; n.a = 4; n.b = -8;
  load(&o, ACQUIRE); assert(o.b == -2 * o.a);
  if (o.a == 1) assert(data == 1);
  swap(&o, n, RELAXED); assert(o.b == -2 * o.a);
  pthread_join(t, 0);
}
""",
}  # fmt: skip


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_c(name: str) -> None:
    answers = []
    for head, language in ((CPP, "cpp"), (C, "c")):
        program = xgen.parse(head + PROGRAMS[name], language, defines=("ORDER=RELEASE",), map="none")
        for model in ("sc", "rc11", "arm8"):
            found = xgen.check(program, xgen.model(model), all_states=True)
            answers.append((model, found.verdict, found.executions, found.blocked))
    assert answers[:3] == answers[3:]
    assert answers[1][1] == "safe"
    assert answers[1][2] > 1


@compiles
def test_synchronizes_by_its_order() -> None:
    program = xgen.parse(CPP + PROGRAMS["handed over"], "cpp", defines=("ORDER=RELAXED",))
    found = xgen.check(program, xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "race"


@compiles
def test_halves_are_not_atomic() -> None:
    text = (
        CPP
        + """union { std::atomic<P> w; std::atomic<long> half; char byte; } u{P{0, 0}};
int main() {
  pthread_t t; pthread_create(&t, 0, [](void *a) { u.w.store({1, 2}); return a; }, 0);
  long half = u.half.load();
  pthread_join(t, 0);
}
"""
    )
    with pytest.raises(xgen.XgenError, match="an atomic access of a half of what is accessed atomically as a whole"):
        xgen.parse(text, "cpp")


@compiles
def test_main_shares_by_an_access_of_another_size() -> None:
    """The one by which main comes to share something with a thread is cut up as later ones are."""
    text = """#include <pthread.h>
union { int w; short h[2]; } u;
int main() {
  pthread_t t; pthread_create(&t, 0, [](void *a) { u.h[0] = 1; u.h[1] = 2; return a; }, 0);
  u.w = 3;
  pthread_join(t, 0);
}
"""
    found = xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "race"
