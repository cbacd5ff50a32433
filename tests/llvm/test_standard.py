"""What C++'s library has for threads, down to the system: that it means what the standard says, and costs no more.

The numbers of executions are those of the same programs with loops and mutexes, counted by hand.
"""

from __future__ import annotations

import pytest
from llvm.compiling import compiles

import xgen

PROGRAMS = {
    "sorting numbers": (
        """#include <algorithm>
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>
std::atomic<int> n;
long many[40];
int few[3];
int main() {
  for (int i = 0; i < 40; i++) many[i] = (i * 7) % 40;
  std::sort(many, many + 40);
  for (int i = 0; i < 40; i++) assert(many[i] == i);
  std::vector<std::string> words{"b", "a"};
  std::sort(words.begin(), words.end());
  assert(words[0] == "a");
  std::thread u([] { n = 1; });
  std::thread t([] { few[0] = n; few[1] = 0; few[2] = 5; std::sort(few, few + 3); });
  t.join(); u.join();
  assert(few[0] == 0 && few[1] <= 1 && few[2] == 5);
}
""",
        2,
    ),
    "memory of pmr": (
        """#include <memory_resource>
#ifndef POOL
#define POOL synchronized_pool_resource
#endif
#include <vector>
#include <thread>
#include <cassert>
#include <array>
struct Own : std::pmr::memory_resource {
  int n = 0;
  void *do_allocate(std::size_t b, std::size_t a) override {
    ++n;
    return std::pmr::get_default_resource()->allocate(b, a);
  }
  void do_deallocate(void *p, std::size_t b, std::size_t a) override {
    --n;
    std::pmr::get_default_resource()->deallocate(p, b, a);
  }
  bool do_is_equal(const memory_resource &o) const noexcept override { return this == &o; }
};
int main() {
  Own own;
  {
  std::array<std::byte, 256> room;
  std::pmr::monotonic_buffer_resource r(room.data(), room.size(), &own);
  std::pmr::vector<int> v(&r);
  for (int i = 0; i < 10; ++i) v.push_back(i);
  assert(v[9] == 9 && own.n == 0);
  void *q = r.allocate(300, 8);
  assert(q && own.n == 1);
  }
  assert(own.n == 0);
  {
  std::pmr::POOL pool(std::pmr::pool_options{4, 64}, &own);
  int *a = static_cast<int *>(pool.allocate(4, 4)), *b = nullptr;
  std::thread t([&] { b = static_cast<int *>(pool.allocate(4, 4)); *b = 2; pool.deallocate(b, 4, 4); });
  *a = 1;
  pool.deallocate(a, 4, 4);
  t.join();
  pool.release();
  }
  assert(own.n == 0);
}
""",
        3,
    ),
    "shared pointers as atomics": (
        """#include <memory>
#include <thread>
#include <atomic>
#include <cassert>
int main() {
  std::shared_ptr<int> p = std::make_shared<int>(1);
  std::thread t([&] { std::atomic_store(&p, std::make_shared<int>(2)); });
  auto q = std::atomic_load(&p);
  assert(*q == 1 || *q == 2);
  t.join();
}
""",
        2,
    ),
    "what is thrown where nothing is there": (
        """#include <any>
#include <cassert>
#include <functional>
#include <optional>
#include <thread>
#include <variant>
int main() {
  std::optional<int> o; std::variant<int, long> v = 3; std::any a = 1; std::function<void()> f;
  int seen = 0;
  std::thread t([&] {
    try { (void)o.value(); } catch (std::bad_optional_access&) { seen |= 1; }
    try { (void)std::get<long>(v); } catch (std::bad_variant_access&) { seen |= 2; }
    try { (void)std::any_cast<long>(a); } catch (std::bad_cast&) { seen |= 4; }
    try { f(); } catch (std::bad_function_call&) { seen |= 8; }
  });
  t.join();
  assert(seen == 15);
}
""",
        1,
    ),
    "wait": (
        """#include <atomic>
#include <thread>
#include <cassert>
std::atomic<int> flag; int data;
int main() {
  std::thread t([] { data = 1; flag.store(1, ORDER); flag.notify_one(); });
  flag.wait(0, std::memory_order_acquire);
  assert(data == 1);
  t.join();
}
""",
        1,
    ),
    "wait in a loop": (
        """#include <atomic>
#include <thread>
#include <cassert>
std::atomic<unsigned> bits; int n;
void lock() {
  unsigned seen = bits.load(std::memory_order_relaxed);
  do {
    while (seen & 1) { bits.wait(seen, std::memory_order_relaxed); seen = bits.load(std::memory_order_relaxed); }
  } while (!bits.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire, std::memory_order_relaxed));
}
void both() { lock(); n++; bits.fetch_and(~1u, ORDER); bits.notify_all(); }
int main() { std::thread t(both), u(both); t.join(); u.join(); assert(n == 2); }
""",
        6,
    ),
    "callbacks of a stop": (
        """#include <stop_token>
#include <thread>
#include <cassert>
int called;
int main() {
  std::stop_source s;
  std::thread t([&] { s.request_stop(); });
  { std::stop_callback c(s.get_token(), [] { called++; }); }
  t.join();
  assert(called <= 1);
}
""",
        83,
    ),
    "semaphores": (
        """#include <semaphore>
#include <thread>
#include <cassert>
std::counting_semaphore<4> s{0}; std::binary_semaphore b{0}; int data;
int main() {
  std::thread t([] { data = 1; s.release(); b.acquire(); data = 2; s.release(); });
  s.acquire(); assert(data == 1); b.release(); s.acquire(); assert(data == 2);
  t.join();
}
""",
        1,
    ),
    "latch": (
        """#include <latch>
#include <thread>
#include <cassert>
int a, b;
int main() {
  std::latch l(2);
  std::thread t([&] { a = 1; l.count_down(); }), u([&] { b = 1; l.count_down(); });
  l.wait(); assert(a == 1 && b == 1);
  t.join(); u.join();
}
""",
        2,
    ),
    "barrier": (
        """#include <barrier>
#include <thread>
#include <cassert>
int a, b;
int main() {
  std::barrier<> bar(2);
  std::thread t([&] { a = 1; bar.arrive_and_wait(); assert(b == 1); });
  b = 1; bar.arrive_and_wait(); assert(a == 1);
  t.join();
}
""",
        1,  # threads meet
    ),
    "future": (
        """#include <future>
#include <thread>
#include <cassert>
int main() {
  std::promise<int> p; auto f = p.get_future();
  std::thread t([&] { p.set_value(42); });
  assert(f.get() == 42);
  t.join();
}
""",
        2,  # it is there already, or has to be waited for
    ),
    "for a time": (
        """#include <condition_variable>
#include <mutex>
#include <thread>
#include <chrono>
#include <cassert>
std::mutex m; std::condition_variable c; bool ready; std::atomic<bool> late;
int main() {
  std::thread t([] { { std::lock_guard l(m); ready = true; } c.notify_one(); });
  { std::unique_lock l(m); late = !c.wait_for(l, std::chrono::milliseconds(10), [] { return ready; }); }
  t.join();
  assert(LATE);
}
""",
        4,  # main first: it is signalled, or the time is over before the thread is there, or behind it; main second
    ),
    "stop": (
        """#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>
std::atomic<int> n;
int main() {
  std::jthread t([](std::stop_token s) { while (!s.stop_requested()) {} n = 1; });
  t.request_stop(); t.join(); assert(n == 1);
}
""",
        2,  # the thread sees the last of two updates, which stop, or that somebody is at it before
    ),
    "reals": (  # they are passed on and compared
        """#include <atomic>
#include <cassert>
#include <cmath>
#include <thread>
struct P { double x; float y; } slot;
std::atomic<int> f; std::atomic<double> d{1.5};
int main() {
  assert(0.1f * 3 / 4 > 0.07499 && int(-2.75) == -2 && -0.0 == 0.0 && !(NAN == NAN) && NAN != NAN);
  std::thread t([] { slot = {-1.5, 2.5f}; f.store(1, std::memory_order_release); d.store(-2.5); });
  if (f.load(std::memory_order_acquire)) {
    P q = slot;
    assert(q.x == -1.5 && q.y == 2.5f && q.x > -2 && std::fabs(q.x) <= 1.5);
  }
  double e = d.load();
  assert(e == 1.5 || e == -2.5);
  t.join();
}
""",
        4,
    ),
    "parts": (  # a struct is passed on with what has no value yet in it
        """#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
std::atomic<int> a;
struct P { int x; char c; short s; };
std::optional<int> f() { std::optional<int> o; if (a.load()) o = 3; return o; }
P g(int k) { P p; p.x = k; return p; }
int main() {
  std::thread t([] { a = 1; });
  std::optional<int> r;
  std::thread u([&] { r = f(); P q = g(a); assert(q.x < 2); });
  u.join(); assert(!r || *r == 3);
  t.join();
}
""",
        3,
    ),
    "sizes": (  # a thread asks for memory of a size that is one of two
        """#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
std::atomic<int> a;
int main() {
  std::thread t([] { a = 1; });
  std::size_t size = 4;
  if (a.load()) size *= 2;
  char *p = static_cast<char *>(std::malloc(size));
  p[PLACE] = 1;
  std::free(p);
  t.join();
}
""",
        2,
    ),
    "late": (  # what is at an address is made by a thread that is translated later
        """#include <atomic>
#include <cassert>
#include <thread>
struct B { virtual int f() = 0; virtual ~B() = default; };
struct D : B { int k; D(int k) : k(k) {} int f() override { return k; } };
std::atomic<B *> p;
int main() {
  std::thread t([] { p.store(new D(7), std::memory_order_release); });
  B *b = p.load(std::memory_order_acquire);
  if (b) { assert(b->f() == 7); delete b; }
  t.join();
}
""",
        2,
    ),
}


@compiles
@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_means(name: str) -> None:
    text, executions = PROGRAMS[name]
    defines = ("ORDER=std::memory_order_release", "LATE=true", "PLACE=3")
    found = xgen.check(xgen.parse(text, "cpp", defines=defines), xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", executions)


@pytest.mark.slow
@compiles
def test_what_rounds_find_is_of_the_same_objects() -> None:
    """In each round other objects are made before some: what was found of these must not become theirs."""
    text = """#include <barrier>
#include <cassert>
#include <future>
#include <latch>
int x, y;
int main() {
  std::latch l(1);
  std::barrier b(2);
  auto f = std::async(std::launch::async, [&] { l.wait(); x = 1; b.arrive_and_wait(); return y; });
  y = 2;
  l.count_down();
  b.arrive_and_wait();
  assert(x == 1);
  assert(f.get() == 2);
}
"""
    found = xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11"))
    assert (found.verdict, found.executions) == ("safe", 4)


@compiles
def test_waits_synchronize_by_their_orders() -> None:
    text, _ = PROGRAMS["wait"]
    found = xgen.check(xgen.parse(text, "cpp", defines=("ORDER=std::memory_order_relaxed",)), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "race"


@pytest.mark.sweep
@compiles
def test_a_pool_that_is_not_synchronized_is_raced_for() -> None:
    text, _ = PROGRAMS["memory of pmr"]
    found = xgen.check(xgen.parse(text, "cpp", defines=("POOL=unsynchronized_pool_resource",)), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "race"


@compiles
@pytest.mark.parametrize("claim", ["late", "!late"])
def test_the_time_may_be_over_or_not(claim: str) -> None:
    text, _ = PROGRAMS["for a time"]
    found = xgen.check(xgen.parse(text, "cpp", defines=(f"LATE={claim}",)), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "assertion"


@compiles
def test_there_is_no_environment() -> None:
    text = '#include <cstdlib>\n#include <cassert>\nint main() { assert(!std::getenv("N")); }'
    program = xgen.parse(text, "cpp")
    assert program.remarks == ("note: the program is started without an environment: `getenv` finds nothing",)
    assert xgen.check(program, xgen.model("rc11")).verdict == "safe"


@compiles
def test_what_a_program_is_started_with() -> None:
    text = "#include <cstdlib>\n#include <cassert>\n#include <string>\nint main(int n, char **a) {\n"
    text += "assert(n == 4 && std::atoi(a[1]) == -3 && atol(a[2]) == 5000000000);"
    text += 'assert(std::string(a[3]) == "b c" && !a[4]); }'
    program = xgen.parse(text, "cpp", arguments=("-3", "5000000000", "b c"))
    assert program.remarks == ()
    assert xgen.check(program, xgen.model("rc11")).verdict == "safe"
    assert xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11")).verdict == "violation"


@compiles
def test_sizes_are_told_apart() -> None:
    """Of 4 and 8 bytes the last one is there in one execution, and not in the other."""
    text, _ = PROGRAMS["sizes"]
    found = xgen.check(xgen.parse(text, "cpp", defines=("PLACE=7",)), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind in ("bad-address", "out-of-bounds")


@compiles
def test_what_a_thread_may_not_have_written_has_no_value() -> None:
    text = """#include <atomic>
#include <thread>
std::atomic<int> a;
int main() { int x; std::thread t([&] { if (a) x = 1; }); a = 1; t.join(); return x == 17; }
"""
    found = xgen.check(xgen.parse(text, "cpp"), xgen.model("rc11"))
    assert found.witness is not None
    assert found.witness.violations[0].kind == "uninitialised"
