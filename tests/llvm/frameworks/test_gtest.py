"""Tests of GoogleTest as they stand: each macro with a condition that holds and one that does not."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen

TEXT = r"""#include <gtest/gtest.h>
#include <atomic>
#include <stdexcept>
#include <thread>

int rounds = 0;

namespace {

void sees(int value) { ASSERT_EQ(value, 7) << "in a function"; }

class Flag : public testing::Test {
 protected:
  static void SetUpTestSuite() { made = 3; }
  static void TearDownTestSuite() { made = 0; }
  void SetUp() override {
    other = std::thread([this] {
      data = 42;
      flag.store(true, std::memory_order_release);
    });
  }
  void TearDown() override { other.join(); }
  static int made;
  std::atomic<bool> flag{false};
  int data = 0;
  std::thread other;
};
int Flag::made = 1;

TEST_F(Flag, Published) {
  EXPECT_EQ(made, 3);
  if (flag.load(std::memory_order_acquire)) EXPECT_EQ(data, 42) << "but " << data;
  else SUCCEED() << "too early";
}
TEST_F(Flag, Early) { EXPECT_TRUE(flag.load()) << std::string(1000, 'x') << std::endl; }
TEST_F(Flag, Racy) {
  if (flag.load(std::memory_order_relaxed)) EXPECT_EQ(data, 43);
}

TEST(Other, Published) { ASSERT_TRUE(true); }
TEST(Other, InThread) {
  std::thread t([] { EXPECT_LT(3, 2 + rounds); });
  t.join();
}
TEST(Other, Called) { sees(7); sees(8); }
TEST(Other, Thrown) { throw std::runtime_error("out"); }
TEST(Other, Fails) { FAIL() << "here"; }
TEST(Other, Adds) { ADD_FAILURE(); }
TEST(Other, Skips) { GTEST_SKIP() << "not now"; FAIL(); }
TEST(Other, Once) { int n = 0; EXPECT_EQ(++n, 1); EXPECT_EQ(n, 2); }
TEST(Other, Dies) { EXPECT_DEATH(abort(), ""); }
TEST(Other, Matches) { EXPECT_THAT(1, 2); }
TEST(Other, Scoped) {
  SCOPED_TRACE("of a test");
  RecordProperty("of", "a test");
  EXPECT_NO_FATAL_FAILURE(sees(7));
}

TEST(Holds, All) {
  int *none = nullptr, some = 0;
  EXPECT_TRUE(&some); EXPECT_FALSE(none); EXPECT_EQ(none, nullptr); EXPECT_EQ(NULL, none); EXPECT_NE(&some, none);
  EXPECT_EQ(*std::make_unique<int>(5), 5); EXPECT_EQ(std::string("ab"), "ab");
  EXPECT_LE(1, 1); EXPECT_LE(1, 2); EXPECT_GE(2, 2); EXPECT_GT(2, 1); EXPECT_LT(1, 2);
  EXPECT_STREQ("ab", "ab"); EXPECT_STRNE("ab", "abc"); EXPECT_STRCASEEQ("aB", "Ab");
  EXPECT_NEAR(1.0, 1.25, 0.25); EXPECT_FLOAT_EQ(0.1f + 0.2f, 0.3f); EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  EXPECT_THROW(throw std::out_of_range("x"), std::logic_error); EXPECT_ANY_THROW(throw 1); EXPECT_NO_THROW(rounds = 0);
  EXPECT_PRED2([](int a, int b) { return a < b; }, 1, 2);
  ASSERT_EQ(1, 1); ASSERT_NE(1, 2); ASSERT_STREQ("a", "a"); ASSERT_THROW(throw 1, int);
  ASSERT_NO_THROW({ rounds = 0; });
}
FAILING

class Values : public testing::TestWithParam<int> {};
TEST_P(Values, Small) { EXPECT_LT(GetParam(), 3); }
INSTANTIATE_TEST_SUITE_P(Listed, Values, testing::Values(1, 4));
INSTANTIATE_TEST_SUITE_P(Between, Values, testing::Range(2, 4));
class Pairs : public testing::TestWithParam<std::tuple<bool, int>> {};
INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::Combine(testing::Bool(), testing::ValuesIn({5, 6})));
TEST_P(Pairs, Odd) { EXPECT_FALSE(std::get<0>(GetParam()) && std::get<1>(GetParam()) == 5); }

template <class T> class Typed : public testing::Test {};
using Sizes = testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, Sizes);
TYPED_TEST(Typed, Four) { EXPECT_EQ(sizeof(TypeParam), 4); }

template <class T> class Later : public testing::Test { protected: T zero{}; };
TYPED_TEST_SUITE_P(Later);
TYPED_TEST_P(Later, Zero) { EXPECT_EQ(this->zero, 0); }
TYPED_TEST_P(Later, Two) { EXPECT_EQ(sizeof(TypeParam), 2); }
REGISTER_TYPED_TEST_SUITE_P(Later, Zero, Two);
INSTANTIATE_TYPED_TEST_SUITE_P(Some, Later, Sizes);
INSTANTIATE_TYPED_TEST_SUITE_P(One, Later, short);

#define HAS_TEST(NAME, VALUE) TEST(Made, NAME) { EXPECT_EQ(VALUE, 2); }
HAS_TEST(Good, 2)
HAS_TEST(Bad, 3)
}
namespace deep { namespace er { TEST(Deep, Er) { EXPECT_EQ(1, 1); } } }
"""
FAILING = [
    "EXPECT_TRUE(1 == 2)",
    "EXPECT_FALSE(1 == 1)",
    "EXPECT_EQ(1, 2)",
    "EXPECT_NE(2, 2)",
    "EXPECT_LT(2, 2)",
    "EXPECT_LE(3, 2)",
    "EXPECT_GT(2, 2)",
    "EXPECT_GE(1, 2)",
    'EXPECT_STREQ("ab", "abc")',
    'EXPECT_STRNE("ab", "ab")',
    'EXPECT_STRCASEEQ("ab", "ac")',
    "EXPECT_NEAR(1.0, 1.5, 0.25)",
    "EXPECT_FLOAT_EQ(0.1f, 0.10001f)",
    "EXPECT_DOUBLE_EQ(0.1, -0.1)",
    "EXPECT_THROW(throw 1, std::logic_error)",
    "EXPECT_THROW(rounds = 1, std::logic_error)",
    "EXPECT_ANY_THROW(rounds = 1)",
    "EXPECT_NO_THROW(throw 1)",
    "ASSERT_EQ(1, 2)",
    "ASSERT_FALSE(true)",
    "ASSERT_GE(1, 2)",
    "ASSERT_THROW(throw 1, long)",
]
TEXT = TEXT.replace("FAILING", "\n".join(f"TEST(Fails, N{k}) {{ {text}; }}" for k, text in enumerate(FAILING)))
CASES: dict[str, str] = {
    # by its name: safe, or what fails, as the report has it
    "Flag.Published": "safe",
    "Flag.Early": "EXPECT_TRUE(flag.load())",
    "Flag.Racy": "race",
    "Other.Published": "safe",
    "Other.InThread": "EXPECT_LT(3, 2 + rounds)",
    "Other.Called": "ASSERT_EQ(value, 7)",
    "Other.Thrown": "exit",
    "Other.Fails": "FAIL()",
    "Other.Adds": "ADD_FAILURE()",
    "Other.Skips": "safe",
    "Other.Once": "EXPECT_EQ(n, 2)",
    "Other.Dies": "`EXPECT_DEATH` is not supported",
    "Other.Matches": "`EXPECT_THAT` is not supported",
    "Other.Scoped": "safe",
    "Holds.All": "safe",
    **{f"Fails.N{k}": text for k, text in enumerate(FAILING)},
    "Listed/Values.Small/0": "safe",
    "Listed/Values.Small/1": "EXPECT_LT(GetParam(), 3)",
    "Between/Values.Small/0": "safe",
    "Between/Values.Small/1": "EXPECT_LT(GetParam(), 3)",
    "All/Pairs.Odd/0": "safe",
    "All/Pairs.Odd/1": "safe",
    "All/Pairs.Odd/2": "EXPECT_FALSE(std::get<0>(GetParam()) && std::get<1>(GetParam()) == 5)",
    "All/Pairs.Odd/3": "safe",
    "Typed/0.Four": "safe",
    "Typed/1.Four": "EXPECT_EQ(sizeof(TypeParam), 4)",
    "Some/Later/0.Zero": "safe",
    "Some/Later/1.Zero": "safe",
    "Some/Later/0.Two": "EXPECT_EQ(sizeof(TypeParam), 2)",
    "Some/Later/1.Two": "EXPECT_EQ(sizeof(TypeParam), 2)",
    "One/Later/0.Zero": "safe",
    "One/Later/0.Two": "safe",
    "Made.Good": "safe",
    "Made.Bad": "EXPECT_EQ(3, 2)",
    "Deep.Er": "safe",
}
pytestmark = compiles


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The text in a file of a folder in which all tests of this file are, as it is compiled once only."""
    folder = tmp_path_factory.getbasetemp() / "gtest"
    folder.mkdir(exist_ok=True)
    if not (folder / "all.cpp").exists():
        (folder / "all.cpp").write_text(TEXT)
    monkeypatch.chdir(folder)


def line_of(text: str) -> int:
    return next(k for k, line in enumerate(TEXT.splitlines(), 1) if text in line)


def test_names_and_places() -> None:
    tests = xgen.list_tests("all.cpp")
    assert [test.name for test in tests] == list(CASES)
    places = {test.name: (test.file, test.line, test.ignored) for test in tests}
    assert places["Flag.Racy"] == ("all.cpp", line_of("TEST_F(Flag, Racy)"), False)
    assert places["Between/Values.Small/1"] == ("all.cpp", line_of("TEST_P(Values"), False)
    assert places["Made.Bad"] == ("all.cpp", line_of("HAS_TEST(Bad"), False)


@pytest.mark.parametrize("name", CASES)
def test_verdict(name: str) -> None:
    """What is violated is told in the test's own words, at the test's own line; what is refused, in its test only."""
    expected = CASES[name]
    if expected.endswith("is not supported"):
        with pytest.raises(xgen.XgenError) as refused:
            xgen.load("all.cpp", test=name)
        assert refused.value.message == expected
        assert refused.value.position is not None
        assert refused.value.position.line == line_of(f"TEST({name.replace('.', ', ')})")
        return
    result = xgen.check(xgen.load("all.cpp", test=name), xgen.model("rc11"))
    if expected == "safe":
        assert result.verdict == "safe"
        assert result.executions >= 1
        return
    assert result.witness is not None
    (violation, *_) = result.witness.violations
    if expected in ("race", "exit"):
        assert violation.kind == expected
        return
    assert (violation.kind, violation.message) == ("assertion", f"{expected} failed")
    assert violation.position.line == line_of("HAS_TEST(Bad" if name == "Made.Bad" else expected)


def test_executions_are_those_of_the_test() -> None:
    """The thread of SetUp is early, or late."""
    program = xgen.load("all.cpp", test="Flag.Published")
    result = xgen.check(program, xgen.model("rc11"), all_states=True)
    assert (result.verdict, result.executions) == ("safe", 2)
    assert {
        name for outcome in result.outcomes for name in outcome.state if "xgen" in name or "testing" in name
    } == set()
    skipped = xgen.load("all.cpp", test="Other.Skips")
    assert "note: the test says that it is to be skipped, and ends there" in skipped.remarks


def test_names_that_people_type() -> None:
    """A suite; values without the name of their list; a name that is nearly right."""
    done = run("check", "all.cpp", "--test", "Flag")
    assert done.exit_code == 1
    assert "3 tests, 1 safe, 2 violated, " in done.stdout
    assert run("check", "all.cpp", "--test", "Values.Small/0").exit_code == 0
    assert run("check", "all.cpp", "--test", "Typed/0").exit_code == 0
    wrong = run("check", "all.cpp", "--test", "Flag.Erly")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "there is no test `Flag.Erly` here\n  did you mean `Flag.Early`?" in wrong.stderr


def test_json_and_junit(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    done = run("check", "all.cpp", "--test", "Other", "--format", "json", "--junit", str(report))
    told = json.loads(done.stdout)["tests"]
    assert done.exit_code == 1
    assert [(each["name"], each["file"]) for each in told] == [
        (name, "all.cpp") for name in CASES if name.startswith("Other.")
    ]
    by_name = {each["name"]: each for each in told}
    error = by_name["Other.Called"]["witness"]["error"]
    assert (error["kind"], error["message"]) == ("assertion", "ASSERT_EQ(value, 7) failed")
    assert error["line"] == line_of("void sees")
    assert by_name["Other.Dies"]["error"]["message"] == "`EXPECT_DEATH` is not supported"
    assert len(ElementTree.parse(report).getroot().findall(".//testcase")) == len(told)
    listed = json.loads(run("check", "all.cpp", "--list-tests", "--format", "json").stdout)["tests"]
    assert [each["name"] for each in listed] == list(CASES)


def test_one_test_has_the_whole_report() -> None:
    done = run("check", "all.cpp", "--test", "Other.InThread")
    assert done.exit_code == 1
    place = f"all.cpp:{line_of('EXPECT_LT(3, 2 + rounds)')}"
    assert done.stdout.startswith(f"violation: EXPECT_LT(3, 2 + rounds) failed at {place}:")
    assert "xgen_" not in done.stdout
    racy = run("check", "all.cpp", "--test", "Flag.Racy").stdout
    assert "  step  line  main" in racy
    assert "xgen_" not in racy
