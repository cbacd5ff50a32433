"""What LLVM does before the reader: no access may be added, removed or moved."""

from __future__ import annotations

import re
import signal
import sys

import pytest

from xgen.clock import ALARM, OutOfTime, time_limit
from xgen.errors import UnsupportedError
from xgen.frontends.llvm import passes

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
BODIES = {
    "two reads that nobody uses": ("%a = load i32, ptr @x\n  %b = load i32, ptr @x", 2, 0),
    "two reads": (
        "%a = load i32, ptr @x\n  %b = load i32, ptr @x\n  %s = add i32 %a, %b\n  store i32 %s, ptr @y",
        2,
        1,
    ),
    "two writes": ("store i32 1, ptr @x\n  store i32 2, ptr @x", 0, 2),
    "a read through a choice": (
        "%l = alloca i32\n  store i32 7, ptr %l\n  %p = select i1 %c, ptr %l, ptr @x\n  %a = load i32, ptr %p",
        1,
        0,
    ),
    "a local": ("%l = alloca i32\n  store i32 7, ptr %l\n  %a = load i32, ptr %l\n  store i32 %a, ptr @x", 0, 1),
    "atomic": ("%a = load atomic i32, ptr @x acquire, align 4\n  store atomic i32 1, ptr @x release, align 4", 1, 1),
}


@pytest.mark.parametrize("name", BODIES)
def test_accesses_are_kept(name: str) -> None:
    body, reads, writes = BODIES[name]
    text = f"@x = global i32 0\n@y = global i32 0\ndefine void @main(i1 %c) {{\n  {body}\n  ret void\n}}\n"
    left, _ = passes.accesses(passes.prepared([("a.ll", text)], {"main"}))
    assert sum(n for (_, op, _), n in left.items() if op == "load") >= reads
    assert sum(n for (_, op, _), n in left.items() if op == "store") == writes


def test_a_surplus_is_found() -> None:
    text = "@x = global i32 0\ndefine void @main() {\n  %a = load i32, ptr @x\n  ret void\n}\n"
    more = text.replace("  ret", "  %b = load i32, ptr @x\n  ret")
    assert (passes.grown(more, text), passes.grown(text, more)) == (set(), {"main"})


ONE_OF_TWO = """@x = global i32 0
define i32 @chosen(i1 %c) {
  %l = alloca i32
  store i32 7, ptr %l
  %p = select i1 %c, ptr %l, ptr @x
  %a = load i32, ptr %p
  ret i32 %a
}
define i32 @met(i1 %c) {
  %l = alloca i32
  store i32 7, ptr %l
  br i1 %c, label %yes, label %end
yes:
  br label %end
end:
  %p = phi ptr [ %l, %yes ], [ @x, %0 ]
  %a = load i32, ptr %p
  ret i32 %a
}
define i32 @main(i1 %c) {
  %m = alloca i1
  store i1 %c, ptr %m
  %n = load i1, ptr %m
  %a = call i32 @chosen(i1 %n)
  %b = call i32 @met(i1 %n)
  %s = add i32 %a, %b
  ret i32 %s
}
"""


def test_what_one_of_two_pointers_leads_to_is_not_read_on_both_ways() -> None:
    text = passes.prepared([("a.ll", ONE_OF_TWO)], {"main"})
    assert text.count("alloca") == 2
    assert "%m" not in text
    assert not re.search("load i32, ptr @x", text)


def test_what_the_reader_knows_brings_nothing_along() -> None:
    text = """
define i32 @main() {
  %a = call i32 @known(i32 1)
  %b = call i32 @other()
  ret i32 %b
}
define internal i32 @known(i32 %n) {
  %r = call i32 @heavy()
  ret i32 %r
}
define i32 @heavy() {
  ret i32 1
}
define i32 @other() {
  ret i32 2
}
"""
    linking = passes.Linking(is_known=lambda name: name == "known")
    found = passes.linked([("a.ll", text)], {"main"}, linking)
    assert "@heavy" not in found
    assert "declare void @known()" in found
    assert re.search(r"^define internal i32 @other\(\)", found, re.M)
    assert "@heavy" in passes.linked([("a.ll", text)], {"main"}, passes.Linking())


@pytest.mark.skipif(sys.platform == "win32", reason="it has no alarms")
@pytest.mark.parametrize("done", ["__str__", "link_in"])
def test_limits_wait_for_what_llvmlite_frees(monkeypatch: pytest.MonkeyPatch, done: str) -> None:
    """Else it is freed twice: by what is cut short, and when the interpreter drops it."""
    from llvmlite import binding

    real, after = getattr(binding.ModuleRef, done), list[str]()

    def rung(self: binding.ModuleRef, *arguments: object) -> object:
        if not after:
            signal.raise_signal(ALARM)
            after.append(done)
        return real(self, *arguments)

    monkeypatch.setattr(binding.ModuleRef, done, rung)
    texts = [("a.ll", "declare i32 @f()\ndefine i32 @main() {\n  %r = call i32 @f()\n  ret i32 %r\n}\n")]
    texts.append(("b.ll", "define i32 @f() {\n  ret i32 1\n}\n"))
    with pytest.raises(OutOfTime), time_limit(100):
        passes.linked(texts, {"main"}, passes.Linking())
    assert after == [done]


@pytest.mark.parametrize("bitcode", [False, True])
@pytest.mark.parametrize(("triple", "kept"), [("x86_64-unknown-linux-gnu", True), ("aarch64-unknown-linux-gnu", False)])
def test_processors_of_other_machines_are_left_out(triple: str, kept: bool, bitcode: bool) -> None:
    text = f'target triple = "{triple}"\ndefine i32 @main() #0 {{\n  ret i32 0\n}}\n'
    text += 'attributes #0 = { nounwind "target-cpu"="generic" "target-features"="" "tune-cpu"="generic" }\n'
    given = passes.bitcode_of("a.ll", text) if bitcode else text
    found = passes.prepared([("a.ll", given)], {"main"})
    assert ("target-cpu" in found, "nounwind" in found) == (kept, True)


OTHERS = {
    "e-m:e-p:32:32-p270:32:32-f64:32:64-S128": "pointers of 32 bits",
    "e-P1-p0:16:8-i8:8": "pointers of 16 bits",
    "E-m:e-i64:64-n32:64": "numbers with the high byte first",
    "m:e-E-p:64:64-i64:64": "numbers with the high byte first",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64": "",
    "e-m:e-p:64:64-i64:64": "",
}


@pytest.mark.parametrize("bitcode", [False, True])
@pytest.mark.parametrize(("layout", "said"), OTHERS.items())
def test_memory_of_other_machines_is_refused(layout: str, said: str, bitcode: bool) -> None:
    """Structs and numbers are otherwise in memory there."""
    from llvmlite import binding

    text = f'target datalayout = "{layout}"\n@g = global i64 0\ndefine i32 @main() {{\n  ret i32 0\n}}\n'
    given: str | bytes = text
    if bitcode:
        module = binding.parse_assembly(text)
        given = module.as_bitcode()
        module.close()
    if not said:
        assert "@main" in passes.prepared([("a.ll", given)], {"main"})
        return
    with pytest.raises(UnsupportedError) as caught:
        passes.prepared([("a.ll", given)], {"main"})
    assert (caught.value.message, caught.value.file) == (f"IR for a machine that has {said} is not supported", "a.ll")
