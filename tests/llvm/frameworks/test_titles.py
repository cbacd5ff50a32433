"""Tests of doctest and Catch2 as they stand: titles, parts that are run one by one, types, fixtures."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen

DOCTEST = r"""#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "deps/doctest.h"
#include <atomic>
#include <stdexcept>
#include <thread>
#define NAMED(what) "made " what ".one"

TEST_CASE("parts" * doctest::timeout(30) * doctest::description("of it")) {
  std::atomic<int> flag{0};
  int data = 0, before = 1;
  CHECK(before == 1);
  SUBCASE("released") {
    std::thread other([&] { data = 1; flag.store(1, std::memory_order_release); });
    if (flag.load(std::memory_order_acquire)) CHECK(data == 1);
    other.join();
  }
  SUBCASE("joined") {
    std::thread other([&] { data = 2; });
    other.join();
    SUBCASE("seen") { CHECK(data == 2); }
    SUBCASE("wrong") { CHECK(data == 3); }
    SUBCASE("wrong") { CHECK(data == 2); }
  }
  ++before;
  CHECK_EQ(before, 2);
}
TEST_CASE(NAMED("by a macro")) { REQUIRE(true); }
TEST_CASE_TEMPLATE("typed", T, int, std::pair<int, int>) { CHECK(sizeof(T) == 4); }
struct Fixture { std::atomic<int> n{3}; ~Fixture() { n = 0; } };
TEST_CASE_FIXTURE(Fixture, "of a fixture") { REQUIRE_EQ(n.load(), 3); CHECK_LT(n, 3); }
TEST_CASE("skipped" * doctest::skip()) { FAIL("it " << "is not"); }
TEST_CASE("to fail" * doctest::should_fail()) { CHECK(false); }
TEST_SUITE("of a suite") {
TEST_CASE("twice") { CHECK_MESSAGE(1 == 1, "no " << 1); INFO("told"); CAPTURE(1); MESSAGE("said"); }
}
TEST_CASE("twice") { CHECK_FALSE(1 == 1); }
TEST_CASE("throws") {
  CHECK_THROWS(throw 1); CHECK_THROWS_AS(throw std::out_of_range("x"), const std::logic_error &); CHECK_NOTHROW(1 + 1);
  CHECK_THROWS_AS(throw 1, std::logic_error);
}
TEST_CASE("near") {
  CHECK(1e-6 == doctest::Approx(0)); CHECK(0.1 + 0.2 == doctest::Approx(0.3)); CHECK_NE(1, 2); CHECK_GE(1, 2);
}
TEST_CASE("needs the first") {
  int n = 0;
  SUBCASE("first") { n = 1; }
  CHECK(n == 1);
  SUBCASE("later") { SUBCASE("inside") { CHECK(n == 7); } }
}
void tells(bool is) { SUBCASE("elsewhere") { CHECK(is); } }
TEST_CASE("helped") { tells(false); }
TEST_CASE("looping") { for (int k = 0; k < 2; ++k) SUBCASE("again") { CHECK(k == 0); } }
"""
OF_DOCTEST = {
    "parts/released": "safe",
    "parts/joined/seen": "safe",
    "parts/joined/wrong (21)": "CHECK(data == 3)",
    "parts/joined/wrong (22)": "safe",
    "made by a macro.one": "safe",
    "typed<int>": "safe",
    "typed<std::pair<int, int>>": "CHECK(sizeof(T) == 4)",
    "of a fixture": "CHECK_LT(n, 3)",
    "skipped": 'FAIL("it " << "is not")',
    "to fail": "a test that is to fail is not supported",
    "twice (all.cpp:34)": "safe",
    "twice (all.cpp:36)": "CHECK_FALSE(1 == 1)",
    "throws": "CHECK_THROWS_AS(throw 1, std::logic_error)",
    "near": "CHECK_GE(1, 2)",
    "needs the first/first": "safe",
    "needs the first/later": "CHECK(n == 1)",
    "helped": "a part of a test (SUBCASE, SECTION) in a function or class of its own is not supported",
    "looping/again": "a part of a test (SUBCASE, SECTION) that it comes to again, as in a loop, is not supported",
}
CATCH = r"""#define CATCH_CONFIG_MAIN
#include <INCLUDED>
#include <atomic>
#include <string>
#include <thread>
#include <vector>
TEST_CASE("a vector", "[vector]") {
  std::vector<int> v(2);
  REQUIRE(v.size() == 2);
  SECTION("grows") {
    v.resize(5);
    SECTION("and shrinks") { v.resize(1); CHECK(v.size() == 2); }
    SECTION("or not", "told at length") { REQUIRE(v.size() == 5); }
  }
  SECTION("is shared") {
    std::thread other([&] { REQUIRE_FALSE(v.size() != 2); });
    other.join();
  }
}
TEST_CASE("long", "[.slow]") { SUCCEED(); }
struct Fixture { int n = 3; };
TEST_CASE_METHOD(Fixture, "of a fixture", "[x]") { CHECK(n == 4); }
TEMPLATE_TEST_CASE("typed", "[x]", int, char) { TestType t{}; CHECK(sizeof(t) == 4); }
using Types = std::tuple<int, long>;
TEMPLATE_LIST_TEST_CASE("listed", "[x]", Types) { CHECK(sizeof(TestType) == 4); }
SCENARIO("a story") { GIVEN("a thing") { WHEN("it ends") { THEN("it is over") { CHECK(true); } } } }
TEST_CASE("of values") { int n = GENERATE(1, 2); CHECK(n > 0); }
TEST_CASE("matched") { REQUIRE_THAT(std::string("a"), "a"); }
TEST_CASE("to fail", "[x][!shouldfail]") { CHECK(false); }
TEST_CASE("throws") { CHECK_THROWS_WITH(throw 1, "one"); }
TEST_CASE("near") { UNSCOPED_INFO("x"); STATIC_REQUIRE(1 == 1); CHECK(1e-6 != Catch::Approx(0));
  CHECK(1.0 == Catch::Approx(1.000001)); CHECK(1.0 == Catch::Approx(1.5)); }
"""
OF_CATCH = {
    "a vector/grows/and shrinks": "CHECK(v.size() == 2)",
    "a vector/grows/or not": "safe",
    "a vector/is shared": "safe",
    "long": "safe",
    "of a fixture": "CHECK(n == 4)",
    "typed - int": "safe",
    "typed - char": "CHECK(sizeof(t) == 4)",
    "listed - 0": "safe",
    "listed - 1": "CHECK(sizeof(TestType) == 4)",
    "Scenario: a story/Given: a thing/When: it ends/Then: it is over": "safe",
    "of values": "`GENERATE` is not supported",
    "matched": "`REQUIRE_THAT` is not supported",
    "to fail": "a test that is to fail is not supported",
    "throws": 'CHECK_THROWS_WITH(throw 1, "one")',
    "near": "CHECK(1.0 == Catch::Approx(1.5))",
}
pytestmark = compiles


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Folders in which all tests of this file are, as the texts are compiled once only."""
    folder = tmp_path_factory.getbasetemp() / "titles"
    if not folder.exists():
        (folder / "deps").mkdir(parents=True)
        (folder / "deps" / "doctest.h").write_text("#error that of the project\n")
        (folder / "all.cpp").write_text(DOCTEST)
        for name, header in (("catch2", "catch2/catch.hpp"), ("catch3", "catch2/catch_test_macros.hpp")):
            (folder / f"{name}.cpp").write_text(CATCH.replace("INCLUDED", header))
    monkeypatch.chdir(folder)


def found(file: str, name: str) -> str:
    """What comes of a test: "safe", the words of what fails, or why it is refused."""
    try:
        result = xgen.check(xgen.load(file, test=name), xgen.model("rc11"))
    except xgen.XgenError as error:
        return error.message
    if result.witness is None:
        return result.verdict
    (violation, *_) = result.witness.violations
    line = Path(file).read_text().splitlines()[violation.position.line - 1]
    told = violation.message.removesuffix(" failed")
    assert told in line
    return told


def test_names() -> None:
    """A header that stands in the project is not read, whichever way it is found."""
    for file, expected in (("all.cpp", OF_DOCTEST), ("catch2.cpp", OF_CATCH)):
        tests = xgen.list_tests(file)
        assert [test.name for test in tests] == list(expected)
        assert [test.name for test in tests if test.ignored] == ["skipped" if file == "all.cpp" else "long"]


@pytest.mark.parametrize("name", OF_DOCTEST)
def test_doctest(name: str) -> None:
    assert found("all.cpp", name) == OF_DOCTEST[name]


@pytest.mark.parametrize("name", OF_CATCH)
def test_catch(name: str) -> None:
    assert found("catch2.cpp", name) == OF_CATCH[name]


def test_catch_of_version_3() -> None:
    done = run("check", "catch3.cpp", "--test", "a vector")
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "a vector/grows/and shrinks: violation: CHECK(v.size() == 2) failed at catch3.cpp:12:"
    )
    assert "3 tests, 2 safe, 1 violated" in done.stdout


def test_all_of_a_file() -> None:
    """What is skipped is only run where it is named."""
    done = run("check", "all.cpp")
    assert done.exit_code == 1
    assert "\nskipped: ignored\n" in done.stdout
    assert "\nparts/joined/seen: safe (" in done.stdout
    assert f"\n{len(OF_DOCTEST)} tests, " in done.stdout
    assert "twice (all.cpp:36): violation: CHECK_FALSE(1 == 1) failed at all.cpp:36:" in done.stdout


def test_executions_are_those_of_one_part() -> None:
    result = xgen.check(xgen.load("all.cpp", test="parts/released"), xgen.model("rc11"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 2)
