"""Local objects of a thread that pointers lead to which are not known: they stay locals, so that loops that wait end.

Each has a twin with a mistake, which is found.
"""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

HEAD = """#include <atomic>
#include <cassert>
#include <pthread.h>
std::atomic<int> x, y;
std::atomic<int *> out;
template <class F> struct Thread {
  F f; pthread_t t;
  Thread(F f) : f(f) { pthread_create(&t, nullptr, [](void *p) -> void * { static_cast<Thread *>(p)->f(); return nullptr; }, this); }
  void join() { pthread_join(t, nullptr); }
};
"""  # noqa: E501
PROGRAMS = {
    "one of two": (  # RIGHT: what is read; else what the other one has
        """int main() {
  Thread t([] {
    int a = 1, b = 2, k = x;
    int &r = k ? a : b;
    r += 10;
    assert(k ? a == 11 && b == RIGHT : a == 1 && b == 12);
  });
  Thread u([] { x = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=2", "RIGHT=12"),
        "assertion",
        2,
    ),
    "waiting": (
        """int main() {
  Thread t([] {
    int a = 1, *p = &a;
    while (!x) {
      int b = y, c = 0;
      int &r = b ? c : b;
      r = 1;
    }
    assert(*p == RIGHT);
  });
  Thread u([] { y = 1; x = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=0"),
        "assertion",
        1,
    ),
    "behind its block": (
        """int main() {
  Thread t([] {
    int z = 0, *p = &z;
    for (int i = 0; i < 2; i++) { int a = 1; if (x) p = RIGHT ? &z : &a; }
    *p = 3;
  });
  Thread u([] { x = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=0"),
        "use-after-free",
        3,
    ),
    "one of six": (  # more than are asked for at one place: events
        """int main() {
  Thread t([] {
    int a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, k = x;
    int *p[6] = {&a, &b, &c, &d, &e, &f}, *q[2] = {&a, &f};
    *p[k] += 10;
    assert(*p[k] == k + 10 && a + b + c + d + e + f == 25);
    *q[k & 1] += 1;
    assert(a + f == (k == RIGHT ? 6 : 16));
  });
  Thread u([] { x = 1; x = 5; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=5"),
        "assertion",
        3,
    ),
    "no object": (
        """int main() {
  Thread t([] { int a = 1, b = 2, *p = x ? &a : RIGHT ? &b : nullptr; *p = 3; });
  Thread u([] { x = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=0"),
        "bad-address",
        2,
    ),
    "told to another thread": (
        """int main() {
  Thread t([] {
    int a = 1, b = 2, *p = x ? &a : &b;
    if (RIGHT) *p = 3;
    out.store(p, std::memory_order_release);
    if (!RIGHT) *p = 3;
    while (!y);
    assert(*p == 3 || *p == 5);
  });
  Thread u([] { x = 1; int *q = out; if (q) *q = 5; y = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=0"),
        "race",
        4,
    ),
    "without a value": (
        """int main() {
  Thread t([] { int a, b = 1; if (RIGHT) a = 2; int &r = x ? a : b; if (r == 1) y = 1; });
  Thread u([] { x = 1; });
  t.join(); u.join();
}
""",
        ("RIGHT=1", "RIGHT=0"),
        "uninitialised",
        2,
    ),
    "parts of a number": (
        """struct Parts { int number; char more[4]; };
int main() {
  Thread t([] {
    Parts s{1, {1, 2, 3, 4}}, copy{};
    long k = x;
    __builtin_memcpy(&copy, &s, 8);
    reinterpret_cast<char *>(&copy)[k] = 7;
    assert(copy.number == (k ? RIGHT : 7) && copy.more[1] == 2);
  });
  Thread u([] { x = 2; });
  t.join(); u.join();
}
""",
        ("RIGHT=0x70001", "RIGHT=1"),
        "assertion",
        2,
    ),
}
POLLED = """#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
struct Ring {
  std::atomic<unsigned> head, tail;
  int slots[2];
  bool push(int v) {
    unsigned t = tail.load(std::memory_order_relaxed);
    if (t - head.load(std::memory_order_acquire) == 2) return false;
    slots[t % 2] = v;
    tail.store(t + 1, ORDER);
    return true;
  }
  std::optional<int> pop() {
    unsigned h = head.load(std::memory_order_relaxed);
    std::optional<int> found;
    if (h != tail.load(std::memory_order_acquire)) {
      found = slots[h % 2];
      head.store(h + 1, std::memory_order_release);
    }
    return found;
  }
} q;
int main() {
  std::thread p([] { for (int i = 0; i < 3; i++) while (!q.push(i)); });
  for (int i = 0; i < 3; i++) {
    std::optional<int> v;
    while (!v) v = q.pop();
    assert(*v == i);
  }
  p.join();
}
"""


@compiles
@pytest.mark.parametrize("name", PROGRAMS)
def test_locals_that_pointers_lead_to(name: str) -> None:
    body, defines, kind, executions = PROGRAMS[name]
    right, wrong = (xgen.parse(HEAD + body, "cpp", defines=(each,)) for each in defines)
    result = xgen.check(right, xgen.model("rc11"))
    assert (result.verdict, result.executions, result.exhaustive) == ("safe", executions, True)
    found = xgen.check(wrong, xgen.model("rc11")).witness
    assert found is not None
    assert kind in {each.kind for each in found.violations}


@compiles
def test_a_loop_that_polls_what_may_be_there_ends() -> None:
    """`v` has parts without a value where nothing is there, and is another one in each round."""
    right, wrong = (
        xgen.check(xgen.parse(POLLED, "cpp", defines=(f"ORDER=std::memory_order_{order}",)), xgen.model("rc11"))
        for order in ("release", "relaxed")
    )
    assert (right.verdict, right.exhaustive) == ("safe", True)
    assert wrong.witness is not None
    assert {each.kind for each in wrong.witness.violations} == {"race"}
