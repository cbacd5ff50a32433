"""Calls inside each other up to a bound, and what threads call at their end: in what order, and only if it was made."""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

HEAD = """#include <atomic>
#include <cassert>
#include <pthread.h>
std::atomic<int> go, alive, order;
template <class F> struct Thread {
  F f; pthread_t t;
  Thread(F f) : f(f) { pthread_create(&t, nullptr, [](void *p) -> void * { static_cast<Thread *>(p)->f(); return nullptr; }, this); }
  void join() { pthread_join(t, nullptr); }
};
struct Made { int id; Made(int id) : id(id) { ++alive; } ~Made() { --alive; order = order * 10 + id; } };
"""  # noqa: E501
PROGRAMS = {
    "a list and numbers": (
        """struct Node { Node *next; int value; ~Node() { delete next; } };
std::atomic<Node *> head;
bool odd(int k);
bool even(int k) { return k == 0 ? true : odd(k - 1); }
bool odd(int k) { return k == 0 ? false : even(k - 1); }
int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
int main() {
  Thread t([] { head = new Node{new Node{nullptr, 1}, 2}; });
  Node *p = head;
  int k = p ? p->value : 0;
  assert(even(k) && fibonacci(k + 4) == (p ? 8 : RESULT));
  delete p;
  t.join();
}
""",
        ("RESULT=3", "RESULT=4"),
        2,
    ),
    "structures by value": (  # a call gets a copy, which it may change
        """struct Big { long a, b; int *c; };
__attribute__((noinline)) long sum(Big v) { v.a += v.b; *v.c = v.a; v.c = nullptr; return v.a; }
int main() {
  Thread t([] { int k = 0; Big s{1, go, &k}; long r = sum(s); assert(r == k && s.a == RESULT && s.c == &k); });
  int k = 0;
  Big s{1, 2, &k};
  go = 3;
  assert(sum(s) == 3 && s.a == RESULT && k == 3 && s.c == &k);
  t.join();
}
""",
        ("RESULT=1", "RESULT=3"),
        2,
    ),
    "objects of threads": (  # one is made by each, and gone at its end
        """thread_local Made global(1);
int main() {
  Thread t([] { global.id = 1; });
  t.join();
  Thread u([] { global.id = 1; });
  u.join();
  assert(alive == 0 && order == RESULT);
}
""",
        ("RESULT=11", "RESULT=1"),
        None,
    ),
    "objects that may be made": (  # the last one made goes first; main's go before those of the program
        """struct Last { ~Last() { assert(order == 287 || order == RESULT); } } last;
void use(int id) { thread_local Made made(id); if (id == 3) { thread_local Made more(2); } }
int main() {
  thread_local Made own(7);
  use(8);
  Thread t([] { if (go) use(3); });
  go = 1;
  t.join();
  order = order ? 2 : 3;
}
""",
        ("RESULT=387", "RESULT=38"),
        2,
    ),
    "keys": (
        """pthread_key_t key;
int main() {
  pthread_key_create(&key, [](void *p) { delete static_cast<int *>(p); --alive; });
  Thread t([] { if (go) { ++alive; pthread_setspecific(key, new int(3)); } });
  Thread u([] { pthread_getspecific(key); });
  go = 1;
  t.join(); u.join();
  assert(alive == RESULT);
}
""",
        ("RESULT=0", "RESULT=1"),
        2,
    ),
}


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_ends(name: str) -> None:
    text, (right, wrong), executions = PROGRAMS[name]
    found = xgen.check(xgen.parse(HEAD + text, "cpp", defines=(right,)), xgen.model("rc11"))
    assert (found.verdict, found.bounded) == ("safe", 0)
    assert executions in (None, found.executions)
    other = xgen.check(xgen.parse(HEAD + text, "cpp", defines=(wrong,)), xgen.model("rc11"))
    assert other.witness is not None
    assert other.witness.violations[0].kind == "assertion"


@compiles
def test_deeper_calls_are_cut() -> None:
    text = """int down(int k) { return k ? down(k - 1) : 0; }
int main() { Thread t([] { go = 9; }); down(go); t.join(); }
"""
    found = xgen.check(xgen.parse(HEAD + text, "cpp"), xgen.model("rc11"))
    assert (found.verdict, found.executions, found.bounded) == ("safe-within-bound", 1, 1)
