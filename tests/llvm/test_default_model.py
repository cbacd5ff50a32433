"""The model where nobody names one: that of the language, by the suffixes of the files and their standard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import compiles, rusts

import xgen
from xgen.analyses.claims.run import check_file
from xgen.frontends.language import language_model

MODELS = {
    "a.c": "rc11",
    "a.i": "rc11",
    "-.c": "rc11",
    "a.cpp": "rc11-c20",
    "a.hpp": "rc11-c20",
    "a.cc -std=c++17": "rc11",
    "a.cc --std=gnu++1z": "rc11",
    "a.cc -std=c++17 -std=c++2a": "rc11-c20",
    "a.cxx -std=gnu++11": "rc11",
    "a.cpp -std=c++23": "rc11-c20",
    "a.c -std=c++17 b.cpp": "rc11",
    "a.c b.cpp": "rc11-c20",  # (a C file beside C++ decides nothing)
    "a.rs": "rc11-c20",
    "a.ll": "rc11-c20",
    "a.bc": "rc11-c20",
    "a.xcfa": None,
}


@pytest.mark.parametrize("said", MODELS)
def test_by_suffix_and_standard(said: str) -> None:
    name, *words = said.split()
    flags = tuple(word for word in words if word.startswith("-"))
    options = {"flags": flags, "others": tuple(word for word in words if word not in flags)}
    assert language_model(name, options) == MODELS[said]


def test_by_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of several standards are one program, which has the weaker model; what stands behind -- counts more."""
    monkeypatch.chdir(tmp_path)
    for standards, model in ((("17", "14"), "rc11"), (("17", "20"), "rc11-c20")):
        commands = [
            {"directory": ".", "file": f"{name}.cpp", "command": f"g++ -std=c++{standard} -c {name}.cpp"}
            for name, standard in zip("ab", standards, strict=True)
        ]
        Path("compile_commands.json").write_text(json.dumps(commands))
        how = {"build": ".", "others": ("b.cpp",)}
        assert language_model("a.cpp", how) == model
        assert language_model("a.cpp", {**how, "flags": ("-std=c++11",)}) == "rc11"


SEQUENCE = """#include <atomic>
#include <cassert>
#include <pthread.h>
int data;
std::atomic<int> flag;
void *put(void *) {
  data = 42;
  flag.store(1, std::memory_order_release);
  flag.store(2, std::memory_order_relaxed);
  return nullptr;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, put, nullptr);
  if (flag.load(std::memory_order_acquire) == 2) assert(data == 42);
  pthread_join(thread, nullptr);
}
"""
IN_RUST = """use std::sync::atomic::{AtomicU32, Ordering::*};
static mut DATA: u32 = 0;
static FLAG: AtomicU32 = AtomicU32::new(0);
fn main() {
    let other = std::thread::spawn(|| {
        unsafe { DATA = 42 };
        FLAG.store(1, Release);
        FLAG.store(2, Relaxed);
    });
    if FLAG.load(Acquire) == 2 {
        assert_eq!(unsafe { DATA }, 42);
    }
    other.join().unwrap();
}
"""


@compiles
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "violation: data race on data at a.cpp:15:57 and a.cpp:7:8 (model rc11-c20, "),
        (("--", "-std=c++17"), "safe (model rc11, no bound, 3 executions, exhaustive)\n"),
        (("--mcm", "rc11"), "safe (model rc11, no bound, 3 executions, exhaustive)\n"),
    ],
)
def test_a_later_store_hides_a_release_since_cpp20(
    words: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which C++17's release sequences let through: a wrong `safe` for C++20."""
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(SEQUENCE)
    assert run("check", "a.cpp", "-q", *words).stdout.startswith(told)


@compiles
def test_claims_without_a_model(tmp_path: Path) -> None:
    for line, kept in (
        ("// verdict: violation race", True),
        ("// verdict: safe (-- -std=c++17)", True),
        ("// verdict rc11: safe", True),
        ("// verdict: safe", False),
    ):
        (tmp_path / "a.cpp").write_text(f"{line}\n{SEQUENCE}")
        found = check_file(str(tmp_path / "a.cpp"), xgen.load)
        assert (found.errors, found.mistakes) == ((), ())
        assert [one.kept for one in found.checked] == [kept], line


@rusts
def test_rust(tmp_path: Path) -> None:
    file = tmp_path / "a.rs"
    file.write_text(IN_RUST)
    result = xgen.check(file)
    assert (result.model, result.verdict) == ("rc11-c20", "violation")
    assert xgen.check(str(file), "rc11").verdict == "safe"


def test_in_python(tmp_path: Path) -> None:
    """Names and paths do for both, and the model may be left out where the language or the test has one."""
    (tmp_path / "a.c").write_text("int x; int main(void) { x = 1; return 0; }")
    assert xgen.check(tmp_path / "a.c").model == "rc11"
    assert xgen.check(str(tmp_path / "a.c"), "sc", all_states=True).model == "sc"
    assert xgen.load("X86/SB.litmus").model == "tso"
    assert xgen.check("X86/SB.litmus").executions == 4
    with pytest.raises(xgen.UsageError, match="no model is named, and the program's language has none"):
        xgen.check("peterson")
