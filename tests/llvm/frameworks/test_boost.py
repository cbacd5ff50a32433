"""Tests of Boost.Test as they stand. What comes of each is what Boost.Test 1.74 prints of the same text, with a list of
its own (`boost::mpl::list`) in the place of ours; but for `raced`, which has a race."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen

TEXT = r"""#define BOOST_TEST_MODULE it
#include <boost/test/unit_test.hpp>
#include <atomic>
#include <thread>
#include <tuple>
#include <vector>
#include <stdexcept>
namespace mpl_ { struct na {}; }
template <class A = mpl_::na, class B = mpl_::na, class C = mpl_::na> struct three {};
using namespace boost::unit_test; static char abc[] = "abc", other[] = "abc";

BOOST_AUTO_TEST_CASE(plain) {
  BOOST_CHECK(true);
  BOOST_REQUIRE_EQUAL(1 + 1, 2u);
  BOOST_CHECK_NE(1, 2);
  BOOST_WARN(false);
}
BOOST_AUTO_TEST_CASE(wrong) { BOOST_CHECK_EQUAL(1 + 1, 3); }
BOOST_AUTO_TEST_CASE(texts) {
  const char *p = abc, *q = other;
  BOOST_CHECK_EQUAL(p, q);
  BOOST_CHECK_EQUAL(abc, "abc");
  BOOST_TEST(p == q);
  BOOST_TEST(p == "abc");
  BOOST_TEST(p != "abd");
  BOOST_CHECK(p != q); BOOST_CHECK_EQUAL(std::string("abc"), p);
}
BOOST_AUTO_TEST_CASE(texts_wrong) { const char *p = abc, *q = other; BOOST_CHECK_NE(p, q); }
BOOST_AUTO_TEST_CASE(texts_wrong2) { const char *p = abc, *q = other; BOOST_TEST(p != q); }
BOOST_AUTO_TEST_CASE(said) {
  int a = 2, b = 3; std::vector<int> v{1, 2}, w{1, 2};
  BOOST_TEST(a + b == 5);
  BOOST_TEST(a * b >= 6);
  BOOST_TEST(!v.empty());
  BOOST_TEST(v == w);
  BOOST_TEST((a == 2 && b == 3));
  BOOST_TEST(a);
  BOOST_TEST(b % a);
  BOOST_TEST(v.size() == 2u);
  BOOST_TEST(a << 1 == 4);
  BOOST_TEST_REQUIRE(a < b);
  BOOST_TEST(a == 2 && b == 3);
  BOOST_CHECK_EQUAL_COLLECTIONS(v.begin(), v.end(), w.begin(), w.end());
  if (a == 3) BOOST_CHECK(false); else BOOST_CHECK(true);
}
BOOST_AUTO_TEST_CASE(said_wrong) { int a = 2, b = 3; BOOST_TEST(a + b == 6); }
BOOST_AUTO_TEST_CASE(said_wrong2) { int a = 2; BOOST_TEST(a % 2); }
BOOST_AUTO_TEST_CASE(collections_wrong) {
  int a[2] = {1, 2}, b[3] = {1, 2, 3};
  BOOST_CHECK_EQUAL_COLLECTIONS(a, a + 2, b, b + 3);
}
BOOST_AUTO_TEST_CASE(throws) {
  BOOST_CHECK_THROW(throw std::out_of_range("x"), std::logic_error);
  BOOST_CHECK_NO_THROW(1 + 1);
}
BOOST_AUTO_TEST_CASE(throws_wrong) { BOOST_CHECK_THROW(throw 1, std::logic_error); }
BOOST_AUTO_TEST_CASE(closing) { BOOST_CHECK_CLOSE(1.0, 1.0, 1); }
BOOST_AUTO_TEST_CASE(more) { BOOST_TEST(1 == 1, "one"); }
BOOST_AUTO_TEST_CASE(fails) { BOOST_FAIL("it " << 1); }
struct Fixture {
  std::atomic<int> n{3};
  int *p = nullptr;
  void setup() { p = new int(4); }
  void teardown() {
    BOOST_CHECK_EQUAL(n, 3);
    delete p;
  }
};
BOOST_FIXTURE_TEST_CASE(of_a_fixture, Fixture) { BOOST_CHECK_EQUAL(*p, 4); BOOST_TEST(n == 3); }
BOOST_FIXTURE_TEST_CASE(of_a_fixture_wrong, Fixture) { n = 4; }
using Types = std::tuple<int, char, std::pair<int, int>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed, T, Types) { BOOST_CHECK_EQUAL(sizeof(T), 4u); }
typedef three<int, char> Mpl;
BOOST_AUTO_TEST_CASE_TEMPLATE(listed, T, Mpl) { BOOST_CHECK_LE(sizeof(T), 3u); }
BOOST_AUTO_TEST_SUITE(one)
BOOST_FIXTURE_TEST_SUITE(two, Fixture)
BOOST_AUTO_TEST_CASE(inside) { BOOST_CHECK_EQUAL(n, 3); }
BOOST_AUTO_TEST_SUITE_END()
namespace {
BOOST_AUTO_TEST_CASE(raced) {
  int data = 0; std::atomic<bool> ready{false};
  std::thread other([&] { data = 1; ready.store(true, std::memory_order_relaxed); });
  if (ready.load()) BOOST_CHECK_EQUAL(data, 1);
  other.join();
}
}
BOOST_AUTO_TEST_CASE(ordered) {
  int data = 0; std::atomic<bool> ready{false};
  std::thread other([&] { data = 1; ready.store(true); });
  if (ready.load()) BOOST_CHECK_EQUAL(data, 1);
  other.join();
}
BOOST_AUTO_TEST_SUITE_END()
"""
EXPECTED = {
    "plain": "safe",
    "wrong": "BOOST_CHECK_EQUAL(1 + 1, 3)",
    "texts": "safe",
    "texts_wrong": "BOOST_CHECK_NE(p, q)",
    "texts_wrong2": "BOOST_TEST(p != q)",
    "said": "safe",
    "said_wrong": "BOOST_TEST(a + b == 6)",
    "said_wrong2": "BOOST_TEST(a % 2)",
    "collections_wrong": "BOOST_CHECK_EQUAL_COLLECTIONS(a, a + 2, b, b + 3)",
    "throws": "safe",
    "throws_wrong": "BOOST_CHECK_THROW(throw 1, std::logic_error)",
    "closing": "`BOOST_CHECK_CLOSE` is not supported",
    "more": "BOOST_TEST of a condition and more is not supported",
    "fails": 'BOOST_FAIL("it " << 1)',
    "of_a_fixture": "safe",
    "of_a_fixture_wrong": "BOOST_CHECK_EQUAL(n, 3)",
    "typed<0>": "safe",
    "typed<1>": "BOOST_CHECK_EQUAL(sizeof(T), 4u)",
    "typed<2>": "BOOST_CHECK_EQUAL(sizeof(T), 4u)",
    "listed<0>": "BOOST_CHECK_LE(sizeof(T), 3u)",
    "listed<1>": "safe",
    "one/two/inside": "safe",
    "one/raced": "data race on data",
    "one/ordered": "safe",
}
UNREAD = (
    ("BOOST_AUTO_TEST_CASE(a, *boost::unit_test::disabled()) {}", "decorators of Boost.Test"),
    ("BOOST_GLOBAL_FIXTURE(Fixture);", "BOOST_GLOBAL_FIXTURE"),
    ("BOOST_AUTO_TEST_CASE(c) { int a[1] = {}, b[1] = {}; BOOST_TEST(a == b); }", "a comparison of arrays"),
    ("BOOST_AUTO_TEST_CASE(b) { const char *p = nullptr; BOOST_TEST(p < p); }", "the order of texts"),
    ("#include <boost/test/data/test_case.hpp>", "test cases with data"),
)

pytestmark = compiles


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder in which all tests of this file are, as the text is compiled once only."""
    folder = tmp_path_factory.getbasetemp() / "boost"
    if not folder.exists():
        folder.mkdir()
        (folder / "all.cpp").write_text(TEXT)
    monkeypatch.chdir(folder)


def test_names() -> None:
    assert [test.name for test in xgen.list_tests("all.cpp")] == list(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts(name: str) -> None:
    if "is not supported" in EXPECTED[name]:
        with pytest.raises(xgen.XgenError, match=EXPECTED[name]):
            xgen.load("all.cpp", test=name)
        return
    result = xgen.check(xgen.load("all.cpp", test=name), xgen.model("rc11"))
    if result.witness is None:
        assert result.verdict == EXPECTED[name]
        assert EXPECTED[name] == "safe"
        return
    (violation, *_) = result.witness.violations
    assert violation.message.removesuffix(" failed").startswith(EXPECTED[name])
    assert violation.position.line == next(
        number
        for number, line in enumerate(TEXT.splitlines(), 1)
        if (EXPECTED[name] if "(" in EXPECTED[name] else "BOOST_CHECK_EQUAL(data, 1)") in line
    )


def test_what_is_not_read_is_told_by_the_compiler() -> None:
    lines = ["#include <boost/test/unit_test.hpp>", "struct Fixture {};", *(text for text, _ in UNREAD)]
    Path("bad.cpp").write_text("\n".join(lines))
    done = run("check", "bad.cpp")
    assert done.exit_code == 2
    for _, told in UNREAD:
        assert f"xgen does not read {told}" in done.stderr
