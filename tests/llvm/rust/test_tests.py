"""Tests of Rust as they stand in files: those of a file, and of a project of cargo."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli.fake import run
from llvm.compiling import rusts

import xgen
from xgen.frontends.llvm.rust import tests as of_rust
from xgen.frontends.llvm.rust.harness import Constants, only, told_in
from xgen.frontends.testing import NamedTest, chosen

IR = r"""@alloc_n = private unnamed_addr constant [4 x i8] c"m::b", align 1
@alloc_f = private unnamed_addr constant [4 x i8] c"t.rs", align 1
@alloc_e = private unnamed_addr constant [3 x i8] c"b\22o", align 1
@alloc_1 = internal unnamed_addr constant <{ ptr, [8 x i8], ptr, [24 x i8], ptr, [9 x i8], [7 x i8], ptr }> <{ ptr @alloc_n, [8 x i8] c"\04\00\00\00\00\00\00\00", ptr @alloc_f, [24 x i8] c"\04\00\00\00\00\00\00\00\07\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00", ptr @alloc_e, [9 x i8] c"\03\00\00\00\00\00\00\00\01", [7 x i8] undef, ptr @f }>, align 8
@alloc_0 = private unnamed_addr constant <{ ptr, ptr }> <{ ptr @alloc_1, ptr @alloc_1 }>, align 8
define internal void @main() {
  call void @_RNvCs6_4test16test_main_static(ptr noalias noundef align 8 @alloc_0, i64 noundef 2), !dbg !9
}
!9 = !DILocation(line: 1, column: 1, scope: !3)
"""  # noqa: E501

TESTS = """
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

#[test]
fn counts() {
    static N: AtomicU32 = AtomicU32::new(0);
    let other = thread::spawn(|| N.fetch_add(1, Relaxed));
    N.fetch_add(1, Relaxed);
    other.join().unwrap();
    assert_eq!(N.load(Relaxed), 2);
}

mod m {
    use super::*;

    #[test]
    fn loses() {
        static N: AtomicU32 = AtomicU32::new(0);
        let other = thread::spawn(|| N.store(N.load(Relaxed) + 1, Relaxed));
        N.store(N.load(Relaxed) + 1, Relaxed);
        other.join().unwrap();
        assert_eq!(N.load(Relaxed), 2);
    }

    #[test]
    #[ignore = "long"]
    fn long() {}
}

#[test]
fn good() -> Result<(), String> {
    Ok(())
}

#[test]
fn bad() -> Result<(), String> {
    Err("no".to_string())
}

#[test]
#[should_panic]
fn panics() {
    thread::spawn(|| assert!(1 == 2)).join().unwrap();
}

#[test]
#[should_panic]
fn may_panic() {
    static N: AtomicU32 = AtomicU32::new(0);
    let other = thread::spawn(|| N.store(1, Relaxed));
    if N.load(Relaxed) == 1 {
        panic!();
    }
    other.join().unwrap();
}

#[test]
#[should_panic(expected = "7 things")]
fn says() {
    let n = std::hint::black_box(7);
    panic!("{n} things")
}

#[test]
#[should_panic(expected = "8 things")]
fn says_other() {
    let n = std::hint::black_box(7);
    panic!("{n} things")
}

#[test]
#[should_panic(expected = "to add with overflow")]
fn adds() {
    let _ = std::hint::black_box(255u8) + 1;
}

#[test]
#[should_panic(expected = "left == right")]
fn asserts() {
    assert_eq!(std::hint::black_box(1), 2);
}
"""
VERDICTS = [
    # name, the kind of what goes wrong or "safe", its line, executions
    ("counts", "safe", None, 2),
    ("m::loses", "assertion", 23, 2),
    ("m::long", "safe", None, 1),
    ("good", "safe", None, 1),
    ("bad", "exit", 37, 1),
    ("panics", "safe", None, 1),
    ("may_panic", "exit", 49, 1),
    ("says", "safe", None, 1),
    ("says_other", "exit", 67, 1),
    ("adds", "safe", None, 1),
    ("asserts", "safe", None, 1),
]


# ---- without rustc


def test_what_constants_tell() -> None:
    told = told_in(IR, "t.rs")
    assert told is not None
    assert [each.test for each in told] == [NamedTest("m::b", "t.rs", 7, "t.rs", ignored=True, panics=True)] * 2
    assert told[0].message == 'b"o'
    assert told_in("define void @main() {\n}\n", "t.rs") is None
    assert Constants(IR).read("@alloc_0") == (bytes(16), {0: "@alloc_1", 8: "@alloc_1"})


def test_a_name_with_a_star_is_itself_before_it_is_a_pattern() -> None:
    tests = [NamedTest(each, "t.cpp", 1, "t.cpp") for each in ("a * b", "a + b", "is it fast?", "a [x]")]
    for test in tests:
        assert chosen(tests, test.name, "t.cpp") == [test]
    assert chosen(tests, "a *", "t.cpp") == [tests[0], tests[1], tests[3]]
    assert chosen(tests, "a [*", "t.cpp") == [tests[3]]


def test_a_file_that_is_left_out_as_a_whole() -> None:
    text = "#![cfg(loom)]\nuse loom::thread;\n#[test]\nfn one() {}\n"
    left_out = of_rust.Tests(xgen.errors.Source("loom.rs", text), "define void @main() {\n}\n", frozenset())
    with pytest.raises(xgen.UsageError) as error:
        _ = left_out.told
    assert error.value.hint == "`#![cfg(loom)]` leaves all of it out: --cfg loom has it in"


def test_only_one_is_left() -> None:
    told = told_in(IR, "t.rs")
    assert told is not None
    text = only(IR, told[1])
    assert "@alloc_0 = internal unnamed_addr constant <{ ptr }> <{ ptr @alloc_1 }>, align 8" in text
    assert "call void @xgen_panics(ptr noalias noundef align 8 @alloc_0, i64 noundef 2), !dbg !12" in text
    assert "!12 = !DILocation(line: 7, column: 1, scope: !11)" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, ["m::a", "m::b", "c"]),
        ("c", ["c"]),
        ("m", ["m::a", "m::b"]),
        ("b", "there is no test `b` here; did you mean `m::b`?"),
        ("m::d", "there is no test `m::d` here; did you mean `m::b`?"),
        ("zzz", "there is no test `zzz` here; --list-tests lists them"),
        ("m::*", ["m::a", "m::b"]),
        ("*b*", ["m::b"]),
        ("?", ["c"]),
        ("*", ["m::a", "m::b", "c"]),
        ("n::*", "no test here has a name like `n::*`; --list-tests lists them"),
    ],
)
def test_which_are_meant(name: str | None, expected: list[str] | str) -> None:
    tests = [NamedTest(each, "t.rs", 1, "t.rs") for each in ("m::a", "m::b", "c")]
    if isinstance(expected, list):
        assert [test.name for test in chosen(tests, name, "t.rs")] == expected
        return
    with pytest.raises(xgen.UsageError) as error:
        chosen(tests, name, "t.rs")
    assert f"{error.value.message}; {error.value.hint}" == expected


def test_options_of_rust_are_for_rust() -> None:
    for option, value in (("test", "t"), ("cfgs", ("a",)), ("features", ("a",))):
        with pytest.raises(xgen.UsageError, match=f"the option `{option}` is for Rust"):
            xgen.parse("int main() {}", "c", **{option: value})
    with pytest.raises(xgen.UsageError, match="features are those of a cargo project"):
        xgen.parse("fn main() {}", "rs", features=("a",))
    assert "Missing argument 'PROGRAM'" in run("check", "--mcm", "sc").stderr


# ---- with rustc


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("rust") / "tests.rs"
    found.write_text(TESTS, encoding="utf-8")
    return found


@rusts
@pytest.mark.parametrize(("name", "expected", "line", "executions"), VERDICTS)
def test_one_by_its_name(file: Path, name: str, expected: str, line: int | None, executions: int) -> None:
    result = xgen.check(xgen.load(file, test=name))
    violation = result.witness.violations[0] if result.witness else None
    found = violation.kind if violation else result.verdict
    assert (found, violation.position.line if violation else None, result.executions) == (expected, line, executions)


@rusts
def test_all_of_a_file(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = run("check", str(file), "--list-tests")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == sorted(name for name, *_ in VERDICTS)
    told = run("check", str(file), "--test", "m", "--format", "json")
    assert told.exit_code == 1
    tests = json.loads(told.stdout)["tests"]
    assert [(test["name"], test["line"], test.get("verdict", "ignored")) for test in tests] == [
        ("m::long", 28, "ignored"),
        ("m::loses", 18, "violation"),
    ]
    reports = run("check", str(file), "--test", "m", "--junit", "report.xml", "--sarif", "found.sarif")
    assert reports.exit_code == 1
    suite = ElementTree.fromstring(Path("report.xml").read_text(encoding="utf-8"))
    assert [(case.get("name"), [each.tag for each in case]) for case in suite] == [
        ("m::long", ["skipped"]),
        ("m::loses", ["failure"]),
    ]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (
        "2",
        "1",
        "0",
        "1",
    )
    (results,) = json.loads(Path("found.sarif").read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in results["results"]] == ["assertion"]
    assert results["properties"] == {"tests": 2, "violated": 1}
    several = run("check", str(file), "--html", "page.html")
    assert several.exit_code == 2
    assert "a check of several tests cannot be used with --html" in several.stderr


PROJECT = {
    "Cargo.toml": '[package]\nname = "flag"\nedition = "2021"\n[features]\nlarge = []\n[workspace]\n',
    "src/lib.rs": """use std::sync::atomic::{AtomicBool, Ordering::*};
pub struct Flag(AtomicBool);
impl Flag {
    pub const fn new() -> Flag { Flag(AtomicBool::new(false)) }
    pub fn take(&self) -> bool { if cfg!(split) { !self.0.load(Acquire) && { self.0.store(true, Release); true } } else { !self.0.swap(true, AcqRel) } }
}
#[cfg(test)]
mod tests;
""",  # noqa: E501
    "src/tests.rs": """use super::*;
#[test]
fn one_of_two() {
    static FLAG: Flag = Flag::new();
    let other = std::thread::spawn(|| FLAG.take());
    let own = FLAG.take();
    assert!(own != other.join().unwrap());
}
#[cfg(feature = "large")]
#[test]
fn large() {}
""",
    "src/main.rs": "fn main() {}\n",
    "tests/flags.rs": "#[test]\nfn once() { assert!(flag::Flag::new().take()); }\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(*words: str) -> tuple[int, list[str]]:
    """The exit code, and the first words of each line."""
    told = run("check", *words, "--errors", "none")
    return told.exit_code, [" ".join(line.split()[:2]).rstrip(",") for line in told.stdout.splitlines()]


@rusts
@pytest.mark.usefixtures("project")
def test_a_project() -> None:
    assert rows("-p", ".", "--list-tests") == (0, ["tests::one_of_two src/tests.rs:3", "once tests/flags.rs:2"])
    assert rows("-p", ".") == (0, ["tests::one_of_two: safe", "once: safe", "2 tests"])
    assert rows("-p", ".", "--lib", "--cfg", "split") == (1, ["tests::one_of_two: violation:", "1 test"])
    assert rows("tests/flags.rs", "-p", ".") == (0, ["once: safe", "1 test"])
    assert rows("-p", ".", "--test", "tests::large", "--features", "large", "-q") == (0, ["safe (model"])
    assert rows("src/main.rs", "-p", ".", "-q") == (0, ["safe (model"])


@rusts
def test_a_project_without_tests(project: Path) -> None:
    (project / "src/lib.rs").unlink()
    (project / "tests/flags.rs").unlink()
    told = run("check", "-p", ".")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "this project has no tests" in told.stderr
    assert "its programs begin in src/main.rs" in told.stderr


@rusts
def test_targets_that_need_features(project: Path) -> None:
    """As cargo does, those without them are left out; one that does not compile names the others."""
    manifest = project / "Cargo.toml"
    target = '[[test]]\nname = "other"\nrequired-features = ["large"]\n'
    manifest.write_text(PROJECT["Cargo.toml"] + target, encoding="utf-8")
    (project / "tests/other.rs").write_text("#[test]\nfn other() { nowhere() }\n", encoding="utf-8")
    assert rows("-p", ".", "--list-tests") == (0, ["tests::one_of_two src/tests.rs:3", "once tests/flags.rs:2"])
    told = run("check", "-p", ".", "--features", "large")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "cannot find function `nowhere`" in told.stderr
    others = "src/lib.rs, src/main.rs, tests/flags.rs"
    assert told.stderr.endswith(f"of this project's targets, one can be given as PROGRAM: {others}\n")
