"""What programs print by `std::cout` and its like, and sleeping: what is raced for, what is set, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from llvm.compiling import compiles

import xgen

TEXT = r"""#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
using namespace std::chrono_literals;
using std::chrono::steady_clock;

std::atomic<int> x;
std::string name = "a name that is no short one";
char letters[] = "letters";
int number;
std::mutex mutex;
struct Pair { int a; double b; };
std::ostream &operator<<(std::ostream &out, const Pair &pair) { return out << '(' << pair.a << ", " << pair.b << ')'; }

template <class A, class B> void both(A a, B b) {
  std::thread t(a);
  b();
  t.join();
}

TEST_CASE("prints") {
  std::ios::sync_with_stdio(false);
  both([] { x = 1; std::cout << "x is " << x.load() << ' ' << 2.5f << std::endl; },
       [] { std::cerr << Pair{x, x / 2.0} << name << std::this_thread::get_id() << '\n' << std::flush;
            std::wclog << L"wide " << x.load() << std::ends; });
}
TEST_CASE("sets") {
  std::cout << std::hex << std::showbase << std::setw(4) << std::setfill('*') << 255;
  std::cout << std::fixed << std::setprecision(2);
  CHECK((std::cout.flags() & std::ios_base::basefield) == std::ios_base::hex);
  CHECK(std::cout.precision() == 2);
  CHECK(std::cout.fill() == '*');
  CHECK(std::cerr.fill() == ' ');
  CHECK(std::cerr.precision() == 6);
  CHECK((std::cerr.flags() & std::ios_base::basefield) == std::ios_base::dec);
  CHECK((std::cout.good() && !std::cout.fail() && std::cout));
  std::cout.put('a').write(letters, 3).flush() << nullptr << (void *)letters << true << name.c_str();
  std::cin.tie(nullptr);
}
TEST_CASE("number is raced for") { both([] { number = 1; }, [] { std::cout << number; }); }
TEST_CASE("string is raced for") { both([] { name = "other"; }, [] { std::cout << name; }); }
TEST_CASE("last letter is raced for") { both([] { letters[6] = '!'; }, [] { std::cout.write(letters, 7); }); }
TEST_CASE("letter behind is not") { both([] { letters[6] = '!'; }, [] { std::cout.write(letters, 6); }); }
TEST_CASE("width is raced for") { both([] { std::cout << std::setw(2); }, [] { std::cout << std::setw(3); }); }
TEST_CASE("width is locked") {
  auto print = [] { std::lock_guard<std::mutex> lock(mutex); std::cout << std::setw(2) << x.load(); };
  both(print, print);
}
TEST_CASE("text of an exception") {
  both([] { x = 1; }, [] {
    try { if (x) throw std::runtime_error(x == 1 ? "one" : "other"); }
    catch (const std::exception &e) { std::cerr << "error: " << e.what() << std::endl; printf("%s\n", e.what()); }
  });
}
TEST_CASE("what is looked at") {
  both([] { x = 1; }, [] {
    try { if (x) throw std::runtime_error(x == 1 ? "one" : "other"); }
    catch (const std::exception &e) { std::cerr << e.what(); CHECK(e.what()[0] == 'o'); }
  });
}
TEST_CASE("width is asked for") { std::cout << std::setw(3) << 1; CHECK(std::cout.width() == 0); }
TEST_CASE("how it was") { CHECK(std::ios::sync_with_stdio(false)); }
TEST_CASE("redirected") { std::cout.rdbuf(nullptr); }
TEST_CASE("string stream") { std::ostringstream out; out << 1; }
TEST_CASE("which") { both([] { x = 1; }, [] { std::ostream &out = x ? std::cout : std::cerr; out << 1; }); }
TEST_CASE("sleeps") {
  auto start = steady_clock::now();
  both([] {
    auto mine = steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(x.load() + 10));
    CHECK(steady_clock::now() - mine == 10ms);
  }, [&] {
    std::this_thread::sleep_for(1s);
    std::this_thread::sleep_until(start + 5min);
    std::this_thread::sleep_until(start + 4min);
    std::this_thread::sleep_for(-1s);
    CHECK(steady_clock::now() - start == 5min);
  });
}
TEST_CASE("sleeps by numbers of any kind") {
  using namespace std::chrono;
  auto start = steady_clock::now();
  auto since = [&] { return steady_clock::now() - start; };
  std::this_thread::sleep_for(duration<double>(0.5));
  CHECK(since() == 500ms);
  std::this_thread::sleep_for(duration<float, std::milli>(0.5f));
  CHECK(since() == 500500us);
  std::this_thread::sleep_for(duration<short>(2));
  std::this_thread::sleep_for(duration<unsigned, std::ratio<1, 30>>(60));
  std::this_thread::sleep_for(duration<double>(-0.5));
  std::this_thread::sleep_for(hours::min());
  CHECK(since() == 4500500us);
  std::this_thread::sleep_until(steady_clock::now() + duration<double>(2));
  CHECK(since() == 6500500us);
  std::this_thread::sleep_for(duration<unsigned>(2200000000u));
  CHECK(since() == 2200000006500500us);
  std::this_thread::sleep_for(hours::max());
  CHECK(since() > 2200000006500500us);
}
TEST_CASE("sleeps by the system's clock") {
  auto start = steady_clock::now();
  auto today = std::chrono::system_clock::now();
  std::this_thread::sleep_until(today + 1s);
  CHECK(steady_clock::now() - start == 1s);
  std::this_thread::sleep_for(1s);
  CHECK(std::chrono::system_clock::now() - today == 2s);
  std::this_thread::sleep_until(std::chrono::system_clock::now() + std::chrono::duration<double>(x + 0.5));
  CHECK(steady_clock::now() - start == 2500ms);
}
"""
RACES = {"last letter is raced for": "letters", "width is raced for": "std::cout", "number is raced for": "number"}
REFUSED = {
    "how it was": "the result of `std::ios::sync_with_stdio`",
    "redirected": "asking `std::cout` for its buffer",
    "width is asked for": "asking `std::cout` for its buffer or its width",
    "what is looked at": "`what`",
    "string stream": "std::ios_base::init",
    "which": "a stream other than `std::cout`",
}
SAFE = {
    **{"prints": 4, "sleeps": 1, "sleeps by numbers of any kind": 1, "sleeps by the system's clock": 1, "sets": 1},
    **{"letter behind is not": 1, "width is locked": 2, "text of an exception": 2},
}
FOUND: dict[str, int | str] = {**SAFE, **RACES, "string is raced for": "name", **REFUSED}
"""By the name of a test: how many executions there are, counted by hand; what a race is for; why it is refused."""
QUICK = ("prints", "sleeps", "width is raced for", "redirected", "text of an exception")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("streams") / "prints.cpp"
    path.write_text(TEXT, encoding="utf-8")
    return path


@compiles
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in FOUND])
def test_streams_of_the_console(text: Path, name: str) -> None:
    found = FOUND[name]
    if name in REFUSED:
        with pytest.raises(xgen.UnsupportedError, match=str(found)):
            xgen.load(text, test=name)
        return
    result = xgen.check(xgen.load(text, test=name), xgen.model("rc11-c20"))
    if isinstance(found, int):
        assert (result.verdict, result.executions, result.exhaustive) == ("safe", found, True)
    else:
        assert result.witness is not None
        violation = result.witness.violations[0]
        assert (violation.kind, found in str(violation)) == ("race", True)
