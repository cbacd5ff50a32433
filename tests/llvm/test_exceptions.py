"""Exceptions of C++: where they are caught, what is cleaned up on the way, and what of it depends on other threads.

Each program runs natively without an assertion that fails (where a thread decides, whatever it does); how many
executions there are is counted by hand: in how many orders the threads can do what they do.
"""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

HEAD = """#include <atomic>
#include <cassert>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
"""
WAYS = """
struct A { int a = 1; virtual ~A() = default; };
struct B { int b = 2; virtual ~B() = default; };
struct C : A, B { int c = 3; };
int live, order;
struct T { T() { live++; } T(const T &) { live++; } ~T() { live--; } };
struct G { int n; G(int n) : n(n) {} ~G() { order = order * 10 + n; } };
void f(int k) {
  G g(k);
  if (k == 0) throw C();
  T t;
  { G h(k + 1); if (k == 2) throw T(); }
  if (k == 4) throw &order;
  if (k == 6) throw 7;
  if (k == 8) throw std::out_of_range("text");
}
int test(int k) {
  order = 0;
  try {
    try { f(k); return 1; }
    catch (int i) { assert(i == 7); return 2; }
    catch (B &b) { assert(b.b == 2); throw; }
    catch (T &) { assert(live == 1); throw; }
  }
  catch (A &a) { assert(a.a == 1); return 3; }
  catch (T) { assert(live == 2); return 4; }
  catch (void *p) { assert(p == &order); return 5; }
  catch (const std::logic_error &e) { return 6; }
  catch (...) { return 9; }
}
int nested() {
  try {
    try { throw 1; }
    catch (int a) {
      try { throw 2L; }
      catch (long b) { assert(b == 2); throw; }
    }
  } catch (long c) { return int(c); }
  return 0;
}
int again() {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    try { if (i % 2) throw i; n += 10; }
    catch (int k) { n += k; continue; }
  }
  return n;
}
struct V { std::vector<int> v; V() { v.push_back(1); throw std::runtime_error("x"); } };
int built() { try { auto p = std::make_unique<V>(); } catch (std::exception &) { return 1; } return 0; }
int said() { try { throw std::invalid_argument("abc"); } catch (std::exception &e) { return e.what()[1]; } }
std::atomic<int> go;
int main() {
  assert(test(0) == 3 && order == 0);
  assert(test(1) == 1);
  assert(test(2) == 4 && order == 32 && live == 0);
  assert(test(4) == 5 && test(6) == 2 && test(8) == 6 && live == 0);
  assert(nested() == 2 && again() == 21 && built() == 1 && said() == 'b');
  std::thread t([] { go = 2; go = 4; });
  int k = go, r = test(k);
  assert(k == 0 ? r == 3 : k == 2 ? r == 4 : r == 5);
  assert(live == 0 && order == (k == 0 ? 0 : k == 2 ? 32 : 54));
  t.join();
}
"""
TRIES = """
std::atomic<int> x;
std::mutex m;
int take() { std::lock_guard l(m); int v = x.load(std::memory_order_relaxed); if (v < 2) throw v; return v; }
int main() {
  std::thread t([] { { std::lock_guard l(m); x = 1; } { std::lock_guard l(m); x = 2; } });
  int got = -1;
  for (int i = 0; i < 2; i++) {
    try { got = take(); break; }
    catch (int v) { assert(v == 0 || v == 1); }
  }
  assert(got == -1 || got == 2);
  t.join();
}
"""
GOES_ON = """
std::atomic<int> x;
struct Q { int *p; Q() : p(new int(3)) {} ~Q() { delete p; } };
int g(int a) { Q q; while (true) { int v = x.load(); if (v == a) return *q.p; if (v == 2) throw v; } }
int main() {
  std::thread t([] { x = 1; x = 2; });
  int r = 0;
  try { r = g(1); } catch (int v) { r = -v; }
  assert(r == 3 || r == -2);
  t.join();
}
"""
DESTROYED = """
struct E {
  int v; E(int v) : v(v) {} E(const E &o) : v(o.v) {} ~E() { gone++; }
  static inline std::atomic<int> gone{0};
};
std::atomic<int> x;
void go(int n) { try { if (x.exchange(1) == 0) throw E(n); } catch (E &e) { assert(e.v == n); } }
int main() { std::thread t(go, 5), u(go, 6); t.join(); u.join(); assert(E::gone == 1); }
"""
POINTED = """
std::exception_ptr p;
int main() {
  std::thread t([] { try { throw std::runtime_error("a"); } catch (...) { p = std::current_exception(); } });
  t.join();
  try { std::rethrow_exception(p); assert(0); } catch (std::runtime_error &) {}
}
"""
COUNTS = {
    "ways": (WAYS, 3),  # main sees 0, 2 or 4
    "tries": (TRIES, 6),  # two critical sections each: 6 orders
    "goes on": (GOES_ON, 2),  # it sees 1, or only 2
    "destroyed": (DESTROYED, 2),
    "pointed": (POINTED, 1),
}
UNCAUGHT = {
    "nobody": "std::atomic<int> x; int main() { std::thread t([] { x = 1; }); if (x) throw 1; t.join(); }",
    "noexcept": "std::atomic<int> x; void f() noexcept { if (x) throw 1; }"
    "int main() { std::thread t([] { x = 1; }); try { f(); } catch (...) {} t.join(); }",
    "another type": "std::atomic<int> x; struct S {};"
    "int main() { std::thread t([] { x = 1; }); try { if (x) throw S(); } catch (int) {} t.join(); }",
    "in a thread": "int main() { try { std::thread t([] { throw 1; }); t.join(); } catch (...) {} }",
}


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", COUNTS)
def test_caught(name: str) -> None:
    text, executions = COUNTS[name]
    found = xgen.check(xgen.parse(HEAD + text, "cpp"), xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", executions)


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", UNCAUGHT)
def test_not_caught(name: str) -> None:
    found = xgen.check(xgen.parse(HEAD + UNCAUGHT[name], "cpp"), xgen.model("rc11"))
    assert found.witness is not None
    violation = found.witness.violations[0]
    assert (violation.kind, violation.position.line > HEAD.count("\n")) == ("exit", True)


@compiles
@pytest.mark.parametrize(("thrown", "verdict"), [("thrown == 1", "safe"), ("thrown == 2", "violation")])
def test_a_static_variable_is_made_again(thrown: str, verdict: str) -> None:
    """Where its constructor has thrown something, whoever comes next tries again."""
    text = f"""{HEAD}int once;
struct Made {{ int value = 1; Made() {{ if (once++ == 0) throw 1; }} }};
int made() {{ static Made m; return m.value; }}
void tries() {{ try {{ assert(made() == 1); }} catch (int thrown) {{ assert({thrown}); }} }}
int main() {{
  std::thread a(tries), b(tries);
  a.join(); b.join();
  assert(once == 2 && made() == 1);
}}
"""
    assert xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11")).verdict == verdict
