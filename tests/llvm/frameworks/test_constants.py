"""Constants that are given another value: what is one, what is refused, what the report says, what hints name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles, rusts

import xgen
from xgen.errors import Source
from xgen.frontends.constants import bounds, constants_in, hint, hint_for, hint_for_file, with_constants

TEXT = """#define ROUNDS 4000 // of "it"
#define TWICE(x) 3
const int MaxIterations = 400'000, Other = 4;
static constexpr std::size_t N{1024u};
constexpr auto K = 5ull; const bool fast = true;
enum { A, STRESS = 1000, B = 3 };
enum class E : int { X = 0x7 };
int plain = 4;
const int Computed = 2 * Other;
const char *text = "const int S = 3;"; // const int T = 3;
void f(const int given = 8) {
  for (int i = 0; i < MaxIterations; ++i) { N == 5; }
  while (x() < STRESS) g();
  for (auto k = ROUNDS; k--;) h([&] { i = Other; });
  int local[] = {plain}; plain = 5; if (Other == 3) ;
}
"""
SOURCE = Source("a.cpp", TEXT)
RUST = Source(
    "a.rs", "const N: usize = 100_000;\nstatic M: u32 = 5u32;\nfn f<'a>() { for i in 0..N { } let n = M == 3; }\n"
)


def test_what_is_a_constant() -> None:
    found = {each.name: each.text for each in constants_in(SOURCE) if each.literal is not None}
    assert found == {
        "ROUNDS": "4000",
        "MaxIterations": "400'000",
        "Other": "4",
        "N": "1024u",
        "K": "5ull",
        "fast": "true",
        "STRESS": "1000",
        "B": "3",
        "X": "0x7",
        "given": "8",
    }
    assert {each.name: each.text for each in constants_in(RUST)} == {"N": "100_000", "M": "5u32"}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("ROUNDS=2", '#define ROUNDS 2 // of "it"'),
        ("MaxIterations=-1", "const int MaxIterations = -1, Other = 4;"),
        ("Other = 7", "const int MaxIterations = 400'000, Other = 7;"),
        ("N=3", "static constexpr std::size_t N{3u};"),
        ("N=3ul", "static constexpr std::size_t N{3ul};"),
        ("K=0x10", "constexpr auto K = 0x10ull; const bool fast = true;"),
        ("fast=false", "constexpr auto K = 5ull; const bool fast = false;"),
        ("STRESS=1", "enum { A, STRESS = 1, B = 3 };"),
    ],
)
def test_only_that_is_changed(given: str, line: str) -> None:
    (changed,) = with_constants([SOURCE], [given])
    different = [new for old, new in zip(TEXT.splitlines(), changed.text.splitlines(), strict=True) if old != new]
    assert (changed.name, different) == ("a.cpp", [line])


def test_rust() -> None:
    (changed,) = with_constants([RUST], ["N=2", "M=7"])
    assert changed.text.startswith("const N: usize = 2;\nstatic M: u32 = 7u32;\n")


BAD = [
    # what is given; the message; its line
    ("Nope=1", "there is no constant `Nope` in this text", None),
    ("MaxIteration=1", "there is no constant `MaxIteration` in this text", None),
    ("plain=1", "`plain` is no constant that is set to a number in this text", 8),
    ("A=1", "`A` is no constant that is set to a number in this text", 6),
    ("S=1", "there is no constant `S` in this text", None),
    ("Computed=1", "`Computed` is set to `2 * Other`, which is no number", 9),
    ("N=x", "`N=x` gives no constant a value", None),
    ("N", "`N` gives no constant a value", None),
    ("N=2;x", "`N=2;x` gives no constant a value", None),
]


@pytest.mark.parametrize(("given", "message", "line"), BAD)
def test_what_is_refused(given: str, message: str, line: int | None) -> None:
    with pytest.raises(xgen.UsageError) as refused:
        with_constants([SOURCE], [given])
    assert (refused.value.message, refused.value.line) == (message, line)


HOW = "a constant is given a number, or true or false: --set ROUNDS=2, or ROUNDS:28=2 for that of line 28"
WHICH = "--set N:2=... changes the one of this line"


def test_one_of_several_is_named_by_its_line() -> None:
    text = "const int N = 3;\nvoid f() {\n  constexpr int N = 4 * K;\n}\nvoid g() { const int N = 5u; }\n"
    source = Source("a.cpp", text)
    (changed,) = with_constants([source], ["N:5=2", "N:1=7"])
    assert changed.text == text.replace("5u", "2u").replace("= 3", "= 7")
    for given, message, hint_ in (
        ("N=2", "`N` is set to `4 * K`, which is no number", "--set N:1=2 changes another one of that name"),
        ("N:3=2", "`N` is set to `4 * K`, which is no number", "--set changes constants that are a number"),
        ("N:2=2", "there is no constant `N` in line 2", "where there is one: --set N:1=..., --set N:3=..., --set N:5="),
        ("M:2=2", "there is no constant `M` in this text", ""),
        ("N:0=2", "`N:0=2` gives no constant a value", HOW),
    ):
        with pytest.raises(xgen.UsageError) as refused:
            with_constants([source], [given])
        assert refused.value.message == message
        assert (refused.value.hint or "").startswith(hint_)
    for twice in (["N:1=2", "N=3"], ["N:1=2", "N:1=3"]):
        with pytest.raises(xgen.UsageError, match="`N` is given two values"):
            with_constants([source], twice)


def test_one_name_for_several() -> None:
    one, other = Source("a.c", "const int N = 3;\n"), Source("b.c", "\nconst int N = 4;\n")
    with pytest.raises(xgen.UsageError, match="`N` is 4 here, and 3 elsewhere") as refused:
        with_constants([one, other], ["N=2"])
    assert (refused.value.file, refused.value.line, refused.value.hint) == (
        "b.c",
        2,
        f"the other one is at a.c:1; {WHICH}",
    )
    with pytest.raises(xgen.UsageError) as refused:
        with_constants([one, Source("c.c", "const int N = 4;\n")], ["N=2"])
    assert refused.value.hint == "the other one is at a.c:1"  # a line does not tell one from the other
    same = Source("b.c", "\nconst int N = 3;\n")
    assert [each.text for each in with_constants([one, same], ["N=2"])] == [
        "const int N = 2;\n",
        "\nconst int N = 2;\n",
    ]
    with pytest.raises(xgen.UsageError, match="`N` is given two values"):
        with_constants([one], ["N=2", "N=3"])


DEBUGGED = """#ifdef DEBUG
const int N = 40;
#else
const int N = 400;
#endif
"""


def test_the_branches_of_a_condition_are_one() -> None:
    (changed,) = with_constants([Source("a.c", DEBUGGED * 2)], ["N=2"])
    assert changed.text == DEBUGGED.replace("400", "2").replace("40", "2") * 2
    with pytest.raises(xgen.UsageError, match="`N` is 400 here, and 40 elsewhere") as refused:
        with_constants([Source("a.c", f"{DEBUGGED}const int N = 400;\n")], ["N=2"])
    assert refused.value.line == 6
    several = Source("a.c", "const int N = 4;\nvoid f() { const int N = 5; for (int k = 0; k < N; k++) g(); }\n")
    assert hint(several) is None


def test_hints_name_what_bounds_loops() -> None:
    assert [(line, each.name) for line, each in bounds(SOURCE)] == [
        (12, "MaxIterations"),
        (13, "STRESS"),
        (14, "ROUNDS"),
    ]
    settings, _, loops = (hint(SOURCE) or "").partition(" (")
    assert settings == "try --set MaxIterations=2 --set STRESS=2 --set ROUNDS=2"
    places = {f"{each.name} is {each.text} in the loop at {SOURCE.name}:{line}" for line, each in bounds(SOURCE)}
    assert set(loops.removesuffix(")").split("; ")) == places
    assert (hint(SOURCE, range(13, 14)) or "").startswith("try --set STRESS=2 (STRESS is ")
    assert (hint(RUST) or "").startswith("try --set N=2 (N is ")
    assert hint(Source("a.cpp", "const int N = 2; void f() { for (int i = 0; i < N; ++i) g(); }")) is None


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("for (int i = 0; i < 100'000; i++) g();", "100,000"),
        ("int i = 0;\nwhile (i++ <= 5000) g();", "5,000"),
        ("for (int i = 0; i < 99; i++) g();", None),
        ("for (int i = 0; i < n; i++) g(); // for (i = 0; i < 500; i++)", None),
        ("for (double x = 0; x < 100.5; x++) g();", None),
    ],
)
def test_hints_name_loops_with_many_rounds(text: str, rounds: str | None) -> None:
    source = Source("a.cpp", f"void f(int n) {{\n{text}\n}}\n")
    line = 2 + text[: text.find("while") + 1].count("\n")
    said = (
        None if rounds is None else f"the loop at a.cpp:{line} has {rounds} rounds: let it have 2 where xgen reads it"
    )
    assert hint(source) == said
    assert hint(source, range(30, 40)) is None
    const = Source("a.cpp", f"const int N = 300;\nvoid h() {{ for (int k = 0; k < N; k++) g(); }}\n{source.text}")
    assert hint(const) == "try --set N=2 (N is 300 in the loop at a.cpp:2)"


C = """#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
#define ROUNDS 3000
enum { LIMIT = 30000 };
atomic_int n;
static void *more(void *unused) {
  for (int i = 0; i < LIMIT; ++i) atomic_fetch_add(&n, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, more, 0);
  more(0);
  pthread_join(t, 0);
  assert(n == 2 * LIMIT);
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_c(folder: Path) -> None:
    """The report says it, for people and for scripts; the whole is the program that has it in its text."""
    (folder / "a.c").write_text(C)
    done = run("check", "a.c", "--set", "LIMIT=2", "--set", "ROUNDS=5")
    assert done.exit_code == 0
    assert done.stdout.startswith("safe (model rc11, with LIMIT = 2 and ROUNDS = 5, no bound, ")
    told = json.loads(run("check", "a.c", "--set", "LIMIT=1", "--format", "json").stdout)
    assert (told["verdict"], told["set"], told["executions"]) == ("safe", {"LIMIT": "1"}, 2)
    other = xgen.check(xgen.parse(C.replace("30000", "2"), "c"), "rc11")
    result = xgen.check(xgen.load("a.c", constants=("LIMIT=2",)), "rc11")
    assert (result.verdict, result.executions, result.constants) == ("safe", other.executions, (("LIMIT", "2"),))
    assert json.loads(run("check", "a.c", "--set", "LIMIT=0", "--format", "json").stdout)["executions"] == 1


def test_where_it_takes_too_long(folder: Path) -> None:
    """What is tried is named, of those that bound the loops of this program."""
    (folder / "a.c").write_text(C)
    done = run("check", "a.c", "--timeout", "5")
    assert done.exit_code in (2, 3)
    assert "try --set LIMIT=2" in done.stdout + done.stderr
    assert "ROUNDS" not in done.stdout + done.stderr


QUEUE = """#include <pthread.h>
#include <stdatomic.h>
#ifndef ITEMS
#define ITEMS 100000
#endif
int slot[2];
atomic_uint head, tail;
void *producer(void *p) {
  for (unsigned k = 0; k < ITEMS; k++) {
    while (atomic_load(&head) - atomic_load(&tail) == 2);
    slot[k % 2] = 1;
    atomic_store(&head, k + 1);
  }
  return p;
}
void consumer(void) {
  for (unsigned k = 0; k < ITEMS; k++) {
    while (atomic_load(&head) == k);
    if (slot[k % 2] != 1) __builtin_abort();
    atomic_store(&tail, k + 1);
  }
}
"""
TEST = """#include <pthread.h>
void *producer(void *p);
void consumer(void);
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  consumer();
}
"""


def test_what_is_told_of_a_loop_leads_to_an_answer(folder: Path) -> None:
    """It is found in any file that is named, and stands in the place of bounds within which nothing completes."""
    (folder / "queue.c").write_text(QUEUE)
    (folder / "test.c").write_text(TEST)
    done = run("check", "test.c", "queue.c", "--timeout", "4")
    assert done.exit_code == 3
    assert "note: try --set ITEMS=2 (ITEMS is 100000 in the loop at queue.c:9)" in " ".join(done.stdout.split())
    assert "--max-depth" not in done.stdout
    done = run("check", "test.c", "queue.c", "--set", "ITEMS=2", "-q")
    assert (done.exit_code, done.stdout.split(" (")[0]) == (0, "safe")


def test_what_is_told_where_no_loop_is_long(folder: Path) -> None:
    many = "".join(f"pthread_create(&t[{k}], 0, f, (void *){k}L);" for k in range(12))
    (folder / "a.c").write_text(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_long x;\npthread_t t[12];\n"
        f"void *f(void *p) {{ atomic_store(&x, (long)p); return 0; }}\nint main(void) {{ {many} }}\n"
    )
    done = run("check", "a.c", "--timeout", "4", "--no-check", "races")
    assert (done.exit_code, "`--sample 1000` looks at random executions" in " ".join(done.stdout.split())) == (3, True)


def test_bad_input_of_the_command(folder: Path) -> None:
    (folder / "a.c").write_text(C)
    done = run("check", "a.c", "--set", "n=1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("a.c:6:12: error: `n` is no constant that is set to a number in this text")
    told = json.loads(run("check", "a.c", "--set", "LIMITS=1", "--format", "json").stdout)
    assert told["error"]["message"] == "there is no constant `LIMITS` in this text"
    assert told["error"]["hint"] == "did you mean `LIMIT`?"
    (folder / "a.xcfa").write_text("var x : int process p { 1 -> x; }")
    assert run("check", "a.xcfa", "--mcm", "sc", "--set", "N=1").exit_code == 2


@compiles
def test_tests_of_cpp(folder: Path) -> None:
    """Each test has what is given, in all files of the program."""
    (folder / "a.cpp").write_text("""#include <doctest/doctest.h>
int more();
namespace { constexpr int Rounds{100}; }
TEST_CASE("one") { int n = 0; for (int k = 0; k < Rounds; ++k) ++n; CHECK(n == 3); }
TEST_CASE("other") { CHECK(more() == 7); }
""")
    (folder / "b.cpp").write_text("static const long More = 5000L;\nint more() { return More; }\n")
    done = run("check", "a.cpp", "b.cpp", "--set", "Rounds=3", "--set", "More=7")
    assert done.exit_code == 0
    words = "safe (model rc11-c20, with Rounds = 3 and More = 7, no bound, 1 execution, exhaustive)"
    assert done.stdout.startswith(f"one: {words}\nother: {words}\n")


@rusts
def test_tests_of_rust(folder: Path) -> None:
    (folder / "a.rs").write_text("const N: usize = 1_000;\n#[test]\nfn few() { assert_eq!(N, 3); }\n")
    done = run("check", "a.rs", "--set", "N=3")
    assert done.exit_code == 0
    assert done.stdout.startswith("few: safe (model rc11-c20, with N = 3, no bound, ")


@pytest.fixture
def project(folder: Path) -> Path:
    """A library and a crate beside it that it names by its path, each with a constant, and tests with one each."""
    for name, depends in (("near", ""), ("queue", 'near = { path = "../near" }\n')):
        (folder / name / "src").mkdir(parents=True)
        head = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
        (folder / name / "Cargo.toml").write_text(head + depends)
    (folder / "near/src/lib.rs").write_text("pub const NEAR: usize = 70_000;\n")
    (folder / "queue/src/lib.rs").write_text("mod inner;\npub use inner::*;\npub use near::NEAR;\n")
    (folder / "queue/src/inner.rs").write_text("""use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
pub const ROUNDS: usize = 40;
static ALL: AtomicUsize = AtomicUsize::new(0);
pub fn rounds() -> usize {
    for _ in 0..ROUNDS { ALL.fetch_add(1, Relaxed); }
    ALL.swap(0, Relaxed)
}
""")
    (folder / "queue/tests").mkdir()
    for name, many in (("one", 100), ("two", 200)):
        (folder / f"queue/tests/{name}.rs").write_text(f"""const OWN: usize = {many};
#[test]
fn {name}() {{
    assert_eq!((OWN, queue::rounds(), queue::NEAR, include_str!("../src/lib.rs").len() > 9), (1, 2, 3, true));
}}
""")
    return folder / "queue"


@rusts
def test_a_project_of_cargo(project: Path) -> None:
    """A test's own constant counts, not that of another test; those of its crates do for all; nothing is written."""
    before = {path: path.read_bytes() for path in project.parent.glob("*/*/*.rs")}
    assert len(before) == 5
    done = run("check", "-p", "queue", "--set", "OWN=1", "--set", "ROUNDS=2", "--set", "NEAR=3")
    words = "safe (model rc11-c20, with OWN = 1, ROUNDS = 2 and NEAR = 3, no bound, 1 execution, exhaustive)"
    assert done.stdout.startswith(f"one: {words}\ntwo: {words}\n")
    assert {path: path.read_bytes() for path in before} == before
    done = run("check", "queue/tests/one.rs", "-p", "queue", "--set", "OWN=1", "--set", "ROUNDS=2")
    assert "one: violation: assertion violated at queue/tests/one.rs:4:5 (" in done.stdout
    # what is compiled is looked at again, from wherever the command runs
    inner = project / "src/inner.rs"
    inner.write_text(inner.read_text().replace("fetch_add(1", "fetch_add(2"))
    done = run("check", "-p", "queue", "--test", "one", "--set", "OWN=1", "--set", "ROUNDS=2", "--set", "NEAR=3")
    assert done.stdout.startswith("violation: assertion violated at queue/tests/one.rs:4:5 (")
    done = run("check", "-p", "queue", "--set", "ROUND=2")
    assert (done.exit_code, "there is no constant `ROUND` in this text" in done.stderr) == (2, True)
    assert "did you mean `ROUNDS`?" in done.stderr


@rusts
def test_a_hint_names_a_constant_of_the_library(project: Path) -> None:
    """It is one that works."""
    body = "let all = std::thread::spawn(queue::rounds).join().unwrap(); assert_eq!(all, queue::ROUNDS);"
    (project / "tests/one.rs").write_text(f"#[test]\nfn one() {{ {body} }}\n")
    program = xgen.load(project / "tests/one.rs", build=str(project), test="one")
    said = "try --set ROUNDS=2 (ROUNDS is 40 in the loop at "
    assert (hint_for(program) or "").startswith(said)
    assert (hint_for_file("queue/tests/one.rs", project="queue") or "").startswith(said)
    assert hint_for_file("queue/tests/one.rs") is None
    done = run("check", "-p", "queue", "--test", "one", "--set", "ROUNDS=2")
    assert done.stdout.startswith("safe (model rc11-c20, with ROUNDS = 2, ")
