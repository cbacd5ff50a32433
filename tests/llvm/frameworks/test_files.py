"""Programs of tests: several files, a main of their own or one that runs tests, and what is wrong with a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles

import xgen
from xgen.cli.shared.tests import Asked
from xgen.frontends.llvm.frameworks.headers import are_tests, own_header, standing_beside
from xgen.frontends.llvm.frameworks.tests import entry_of
from xgen.frontends.testing import NamedTest, chosen
from xgen.sources import read_source

QUEUE = """#include "common.hpp"
int pushed = 0;
TEST(Queue, Push) { pushed = 1; EXPECT_EQ(limit, 3); EXPECT_EQ(made, 1); }
"""
STACK = """#include "common.hpp"
extern int pushed;
namespace { int only() { return 2; } }
TEST(Stack, Push) { EXPECT_EQ(only(), 2); EXPECT_EQ(pushed, 1); }
"""
COMMON = "#pragma once\n#include <gtest/gtest.h>\nextern int limit, made;\n"
MAIN = """#include <gtest/gtest.h>
int limit = 0, made = 0;
struct Around : testing::Environment { void SetUp() override { made = 1; } };
int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Around);
  limit = 3;
  return RUN_ALL_TESTS();
}
"""
OWN = """#include <catch2/catch_test_macros.hpp>
#include <cassert>
TEST_CASE("one") { CHECK(1 == 2); }
int main() { assert(3 == 3); }
"""
CONTEXT = """#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
static int ready = 0;
TEST_CASE("one") { CHECK(ready == 1); }
int main(int argc, char **argv) {
  doctest::Context context;
  context.applyCommandLine(argc, argv);
  ready = 1;
  int result = context.run();
  return context.shouldExit() ? result : result + 0;
}
"""

PARTS = """#include <doctest/doctest.h>
struct Ends { ~Ends() noexcept(false) {} };
int x;
TEST_CASE("parts") {
  Ends ends;
  SUBCASE("first") { CHECK(x == 0); }
  SUBCASE("second") { CHECK(x == 1); }
}
"""
"""Each part stands where something ends that is to end also if an exception comes, as a `std::thread`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@compiles
def test_parts_beside_what_is_to_end(folder: Path) -> None:
    (folder / "parts.cpp").write_text(PARTS)
    told = json.loads(run("check", "parts.cpp", "--format", "json").stdout)["tests"]
    assert [(each["name"], each["verdict"]) for each in told] == [
        ("parts/first", "safe"),
        ("parts/second", "violation"),
    ]


@compiles
def test_files_with_a_main_that_runs_them(folder: Path) -> None:
    """What that main does is done before each test; tests of one name are in two suites."""
    for name, text in (("queue.cpp", QUEUE), ("stack.cpp", STACK), ("common.hpp", COMMON), ("main.cpp", MAIN)):
        (folder / name).write_text(text)
    files = ["queue.cpp", "stack.cpp", "main.cpp"]
    done = run("check", *files, "--format", "json")
    told = json.loads(done.stdout)["tests"]
    assert [(each["name"], each["file"], each["verdict"]) for each in told] == [
        ("Queue.Push", "queue.cpp", "safe"),
        ("Stack.Push", "stack.cpp", "violation"),
    ]
    assert told[1]["witness"]["error"]["message"] == "EXPECT_EQ(pushed, 1) failed"
    assert done.exit_code == 1
    with pytest.raises(xgen.UsageError, match="which are checked one by one") as refused:
        xgen.load("queue.cpp", others=("stack.cpp", "main.cpp"))
    assert refused.value.hint == "--test NAME names one, --list-tests lists them"
    with pytest.raises(xgen.UsageError, match="a test does not begin with a function of the program's"):
        xgen.load("queue.cpp", others=("stack.cpp", "main.cpp"), test="Queue.Push", entry="f")


@compiles
def test_a_main_of_its_own(folder: Path) -> None:
    """It is the program, unless a test is asked for."""
    (folder / "own.cpp").write_text(OWN)
    done = run("check", "own.cpp")
    assert done.stdout.startswith("safe (")
    assert done.exit_code == 0
    test = run("check", "own.cpp", "--test", "one")
    assert test.stdout.startswith("violation: CHECK(1 == 2) failed at own.cpp:3:")
    compiled = run("check", "own.cpp", "--test", "one", "--on", "armv8", "--quiet")
    assert compiled.stdout.startswith("violation: CHECK(1 == 2) failed at own.cpp:3:")
    assert "(model arm8, " in compiled.stdout
    assert [
        each["name"] for each in json.loads(run("check", "own.cpp", "--list-tests", "--format", "json").stdout)["tests"]
    ] == ["one"]


def test_the_tests_of_all_machines_are_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own.cpp").write_text(OWN)
    seen = list[dict[str, object]]()

    def listed(_: Path, **options: object) -> list[NamedTest]:
        seen.append(options)
        return [NamedTest("one", "own.cpp", 3, "own.cpp")]

    monkeypatch.setattr(xgen, "list_tests", listed)
    asked = Asked("own.cpp", {"map": "all", "test": "one", "flags": ()}, listing=False, lib=False)
    assert (asked.root, seen) == ("own.cpp", [{"flags": (), "test": "one"}])


@compiles
def test_a_main_with_a_context(folder: Path) -> None:
    (folder / "context.cpp").write_text(CONTEXT)
    done = run("check", "context.cpp")
    assert (done.exit_code, done.stdout.partition(" (")[0]) == (0, "one: safe")


@compiles
def test_no_test(folder: Path) -> None:
    (folder / "none.cpp").write_text("int main() {}\n")
    done = run("check", "none.cpp", "--list-tests")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "none.cpp: error: there is no test of GoogleTest, doctest, Catch2 or Boost.Test here" in done.stderr
    (folder / "empty.cpp").write_text("#include <gtest/gtest.h>\n")
    empty = run("check", "empty.cpp")
    assert (empty.exit_code, empty.stdout) == (2, "")
    assert "empty.cpp: error: there is no test here" in empty.stderr


def test_for_c_there_are_no_tests(folder: Path) -> None:
    (folder / "a.c").write_text("int main() {}\n")
    done = run("check", "a.c", "--list-tests")
    assert done.exit_code == 2
    assert "the tests of Rust and C++ are listed" in done.stderr
    assert run("check", "a.c", "--test", "one").exit_code == 2
    with pytest.raises(xgen.UsageError, match="the option `test` is for Rust and C"):
        xgen.load("a.c", test="one")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#include <gtest/gtest.h>\n", True),
        ('#include "third_party/doctest.h"\n', True),
        ('#include "all.hpp"\nTEST(A, B) {}\n', True),
        ("#include <gtest/gtest.h>\nint main() {}\n", False),
        ("#include <gtest/gtest.h>\nint main() { return RUN_ALL_TESTS(); }\n", True),
        ("#include <vector>\n// TEST(A, B)\n", False),
        ("#include <vector>\nint main() {}\n", False),
    ],
)
def test_what_is_taken_for_tests(text: str, expected: bool) -> None:
    assert are_tests([text]) is expected


def test_headers(folder: Path) -> None:
    assert own_header("x/y/catch2/catch_all.hpp") == "catch2/catch_all.hpp"
    assert own_header("doctest.h") == "doctest.h"
    assert own_header("vector") is None
    (folder / "deps").mkdir()
    (folder / "deps" / "catch.hpp").write_text("")
    (folder / "t.cpp").write_text('#include "deps/catch.hpp"\n#include "doctest.h"\n#include <gtest/gtest.h>\n')
    (folder / "catch_amalgamated.hpp").write_text("")
    ((path, own), (other, _)) = standing_beside(read_source("t.cpp"))
    assert other == str(folder / "catch_amalgamated.hpp")
    assert path == str(folder / "deps" / "catch.hpp")
    assert own.endswith("include/catch.hpp")


def test_where_a_program_begins() -> None:
    tests, main = "define weak i32 @xgen_tests_main() {", "define dso_local i32 @main() {"
    runs = "define linkonce_odr i32 @xgen_tests_in_main() {"
    assert entry_of([main], "main", True) == "main"
    assert entry_of([tests], "main", False) == "xgen_tests_main"
    assert entry_of([tests, main], "main", False) == "main"
    assert entry_of([tests, main], "main", True) == "xgen_tests_main"
    assert entry_of([tests, f"{main}\n{runs}"], "main", True) == "main"
    assert entry_of([tests], "other", True) == "other"


def test_which_tests_a_name_means() -> None:
    names = ["Few/P.Up/0", "Few/P.Up/1", "Typed/0.Wrap", "t<int>", "t - char", "a title/first", "a title 2"]
    tests = [NamedTest(name, "t.cpp", 1, "t.cpp") for name in names]

    def found(name: str) -> list[str]:
        return [test.name for test in chosen(tests, name, "t.cpp")]

    assert found("Few/P.Up/1") == ["Few/P.Up/1"]
    assert found("P.Up/1") == ["Few/P.Up/1"]
    assert found("Few") == ["Few/P.Up/0", "Few/P.Up/1"]
    assert found("Typed/0") == ["Typed/0.Wrap"]
    assert found("t") == ["t<int>", "t - char"]
    assert found("a title") == ["a title/first"]
    with pytest.raises(xgen.UsageError, match="there is no test `first` here"):
        found("first")


LIBRARY = """#include "flag.hpp"
void Flag::set(int v) { data = v; ready.store(true, ORDER); }
bool Flag::get(int &v) { if (!ready.load(std::memory_order_acquire)) return false; v = data; return more() > 0; }
"""
FLAG = """#pragma once
#include <atomic>
struct Flag { std::atomic<bool> ready; int data; void set(int); bool get(int &); };
extern "C" int more(void);
"""
SEES = """#include <gtest/gtest.h>
#include <pthread.h>
#include "flag.hpp"
static Flag flag;
TEST(Flag, Sees) {
  pthread_t t;
  pthread_create(&t, nullptr, [](void *) -> void * { flag.set(3); return nullptr; }, nullptr);
  int v = 3;
  if (flag.get(v)) EXPECT_EQ(v, 3);
  pthread_join(t, nullptr);
}
"""
BUILT = {
    "src/flag.cpp": LIBRARY,
    "src/more.c": "int more(void) { return 1; }\n",
    "src/other.cpp": 'extern "C" int more(void) { not_compiled; }\nint main() {}\n',
    "tests/flag_test.cpp": SEES,
    "tests/one_test.cpp": "#include <gtest/gtest.h>\nTEST(One, Is) { EXPECT_EQ(1, 1); }\n",
}


@compiles
def test_a_build_has_tests_and_the_sources_that_they_need(folder: Path) -> None:
    """Of each file of the build; what a test calls is in others, which are compiled with it, but for programs."""
    commands = []
    for name, text in {**BUILT, "include/flag.hpp": FLAG}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        flags = f"-I{folder}/include -DORDER=std::memory_order_release"
        commands.append(
            {"directory": f"{folder}/build", "file": f"{folder}/{name}", "command": f"c++ {flags} -c {name}"}
        )
    Path("build").mkdir()
    Path("build/compile_commands.json").write_text(json.dumps(commands[:-1]), encoding="utf-8")
    for build in ("build", "."):
        listed = run("check", "-p", build, "--list-tests")
        assert listed.exit_code == 0
        assert listed.stdout == "Flag.Sees  tests/flag_test.cpp:5\nOne.Is     tests/one_test.cpp:2\n"
    found = run("check", "-p", ".")
    assert found.exit_code == 0
    assert found.stdout.startswith(
        "Flag.Sees: safe (model rc11-c20, no bound, 2 executions, exhaustive)\nOne.Is: safe "
    )
    text = BUILT["src/flag.cpp"].replace("ORDER", "std::memory_order_relaxed")
    Path("src/flag.cpp").write_text(text, encoding="utf-8")  # what was kept is of other files then
    wrong = run("check", "tests/flag_test.cpp", "-p", "build", "--test", "Flag.Sees")
    assert wrong.exit_code == 1
    assert "violation: data race on flag.data at src/flag.cpp:" in wrong.stdout
    Path("build/compile_commands.json").write_text(json.dumps(commands[:3]), encoding="utf-8")
    none = run("check", "-p", ".", "--list-tests")
    assert none.exit_code == 2
    assert none.stderr == (
        "./build/compile_commands.json: error: no file of this build has a test\n"
        "  a program is named with its file: `src/other.cpp`\n"
    )


FORMATS = r"""#include <doctest/doctest.h>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
std::atomic<int> x;
TEST_CASE("formats") {
  std::thread t([] { x = 1; });
  try { if (x) throw std::runtime_error("bad " + std::to_string(x.load())); }
  catch (const std::exception &) { x = 2; }
  t.join();
  CHECK(x != 0);
}
"""


@pytest.mark.slow
@compiles
def test_a_test_is_in_no_loop(tmp_path: Path) -> None:
    path = tmp_path / "formats.cpp"
    path.write_text(FORMATS, encoding="utf-8")
    result = xgen.check(xgen.load(path, test="formats"), xgen.model("rc11-c20"))
    assert (result.verdict, result.executions, result.exhaustive) == ("safe", 2, True)
