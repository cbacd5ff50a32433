"""What is wrong with IR, or not supported, is said in a sentence, with the place in its source."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import xgen
from xgen.cli import main
from xgen.extras import installing

PROGRAMS = Path(__file__).parent / "programs"
MESSAGE = (PROGRAMS / "message.ll").read_text(encoding="utf-8")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    found = run("check", PROGRAMS / "message.ll")
    assert found.exit_code == 2
    hint = f"  `{installing('cpp')}` has it\n"
    assert found.stderr == f"error: LLVM's IR is read with llvmlite, which is not installed\n{hint}"


STORE = "store i32 42, ptr @data, align 4"
WRONG = [
    ("stor i32 42", "store i32 42", "LLVM cannot read this: expected instruction opcode"),
    ("define i32 @start", "define i32 @main", "there is no function `main`"),
    (
        "call void @other()",
        STORE,
        "message.c:9:10: error: a call of `other`, which is not in the program, is not supported",
    ),
    (
        "call void @_ZNKSt3__14__fs10filesystem4path10__filenameEv()",
        STORE,
        "a call of `std::filesystem::path::__filename() const`, which is not in the program, is not supported",
    ),
    (
        "%f = load float, ptr @flag, align 4\n  %g = call float @llvm.fma.f32(float %f, float 1.0, float 1.0)",
        STORE,
        "a call of `llvm.fma.f32`, which is not in the program, is not supported",
    ),
    ("store x86_fp80 0xK3FFF8000000000000000, ptr @data", STORE, "a value of type `long double` in memory is not"),
    ("%q = add i128 1, 2", STORE, "message.c:9:10: error: arithmetic of type `i128` is not supported"),
    (
        '%q = call i32 asm "cpuid", "=r"()',
        STORE,
        "message.c:9:10: error: the assembly `cpuid` is not supported",
    ),
    ('call void asm sideeffect "hlt", ""()', STORE, "message.c:9:10: error: the assembly `hlt` is not supported"),
    (
        'call void asm sideeffect "movl $$1, $0; nop", "=*m"(ptr elementtype(i32) @data)',
        STORE,
        "message.c:9:10: error: the assembly `movl $1, %0` is not supported",
    ),
    (
        'call void asm sideeffect "incl $0\\0Amfence", "=*m"(ptr elementtype(i32) @data)',
        STORE,
        "message.c:9:10: error: the assembly `incl %0` is not supported",
    ),
    (
        'call void asm sideeffect inteldialect "lock not qword ptr [${0:q}]", "r"(ptr @data)',
        STORE,
        "message.c:9:10: error: assembly (`lock not qword ptr [%q0]`) on what is no local variable is not supported",
    ),
    (
        "call void @__atomic_store(i64 24, ptr @data, ptr @data, i32 5)\n  call void @__atomic_store()",
        STORE,
        "error: an atomic access of 24 bytes is not supported",
    ),
    (
        "%x = atomicrmw uinc_wrap ptr @data, i32 1 seq_cst",
        STORE,
        "error: the atomic update `uinc_wrap` is not supported",
    ),
]


@pytest.mark.parametrize(("new", "old", "said"), WRONG)
def test_errors(new: str, old: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "message.c").write_text((PROGRAMS / "message.c").read_text(encoding="utf-8"), encoding="utf-8")
    text = MESSAGE.replace(old, new, 1)
    assert text != MESSAGE
    for called in re.findall(r"call void (@\w+)\(\)", new):
        text += f"\ndeclare void {called}()\n"
    (tmp_path / "wrong.ll").write_text(text, encoding="utf-8")
    found = run("check", "wrong.ll")
    assert found.exit_code == 2, found.output
    assert said in found.stderr


def test_the_hint_of_a_function_that_is_not_there_is_an_option(tmp_path: Path) -> None:
    """What is said to do is taken."""
    pytest.importorskip("llvmlite")
    path = tmp_path / "called.ll"
    path.write_text(MESSAGE.replace(STORE, "call void @other()", 1) + "\ndeclare void @other()\n", encoding="utf-8")
    with pytest.raises(xgen.UnsupportedError) as caught:
        xgen.load(path)
    assert caught.value.hint is not None
    option, name, *_ = caught.value.hint.split()
    found = run("check", path, option, name)
    assert found.exit_code in (0, 1), found.output


def test_ir_of_a_newer_llvm(tmp_path: Path) -> None:
    binding = pytest.importorskip("llvmlite.binding")
    newest = binding.llvm_version_info[0]
    text = re.sub(r'!\{!"clang"\}|!\{!"[^"]*clang version [^"]*"\}', '!{!"clang version 99.1.0"}', MESSAGE)
    (tmp_path / "newer.ll").write_text(text.replace("store i32 42", "keep i32 42"), encoding="utf-8")
    found = run("check", tmp_path / "newer.ll")
    assert found.exit_code == 2
    assert f"error: this IR is of LLVM 99, which is newer than that of llvmlite ({newest})" in found.stderr


def test_without_debug_information(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    bare = "\n".join(line for line in MESSAGE.split("\n") if not line.startswith("!") and "#dbg" not in line)
    (tmp_path / "bare.ll").write_text(re.sub(r",? !(dbg|llvm\.loop) !\d+", "", bare), encoding="utf-8")
    program = xgen.load(tmp_path / "bare.ll")
    assert (
        "note: the IR has no debug information (`-g`): places and names of variables are not known" in program.remarks
    )
    assert xgen.check(program, xgen.model("rc11")).executions == 2


@pytest.mark.parametrize("option", ["overflow", "defines"])
def test_options_that_say_nothing_of_ir(option: str) -> None:
    pytest.importorskip("llvmlite")
    with pytest.raises(xgen.UsageError, match=f"the option `{option}` is for C programs"):
        xgen.load(PROGRAMS / "message.ll", **{option: ("N=1",) if option == "defines" else 2})


def test_bitcode_and_several_files(tmp_path: Path) -> None:
    binding = pytest.importorskip("llvmlite.binding")
    (tmp_path / "message.bc").write_bytes(binding.parse_assembly(MESSAGE).as_bitcode())
    assert xgen.check(xgen.load(tmp_path / "message.bc"), xgen.model("rc11")).executions == 2
    (tmp_path / "bad.bc").write_bytes(b"BC\xc0\xde")
    with pytest.raises(xgen.ProgramError, match="LLVM cannot read this"):
        xgen.load(tmp_path / "bad.bc")
    (tmp_path / "a.ll").write_text("@x = global i32 3\n", encoding="utf-8")
    text = MESSAGE.replace("store i32 42", "%got = load i32, ptr @x\n  store i32 %got") + "\n@x = external global i32\n"
    (tmp_path / "b.ll").write_text(text, encoding="utf-8")
    result = xgen.check(xgen.load(tmp_path / "b.ll", tmp_path / "a.ll"), xgen.model("rc11"))
    assert result.witness is not None
    assert result.witness.violations[0].kind == "assertion"
