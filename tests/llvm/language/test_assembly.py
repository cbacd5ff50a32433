"""Assembly in C++, Rust and IR. What it does in C is compared with C's own reader in inline_asm/test_x86.py."""

from __future__ import annotations

import pytest
from c.running import model
from llvm.compiling import compiles, rusts

import xgen
from xgen.errors import UnsupportedError
from xgen.frontends.inline_asm.x86 import of_intel

LOCK = """#include <cassert>
#include <thread>
struct Lock {
  unsigned held = 0;
  void lock() {
    unsigned one;
    do { one = 1; asm volatile("xchgl %0, %1" : "+r"(one), "+m"(held) : : "memory"); asm volatile("pause"); }
    while (one);
  }
  void unlock() { asm volatile("" : : : "memory"); asm volatile("movl $0, %0" : "=m"(held)); }
};
Lock l;
int x;
int main() { std::thread t([] { l.lock(); ++x; l.unlock(); }); l.lock(); ++x; l.unlock(); t.join(); assert(x == 2); }
"""
COUNTS = """use std::{arch::asm, sync::atomic::{AtomicU32, Ordering::Relaxed}, thread};
static X: AtomicU32 = AtomicU32::new(0);
fn add(by: u32) -> u32 { let mut v = by; unsafe { asm!(TEXT, in(reg) X.as_ptr(), inout(reg) v); } v }
fn main() {
    let t = thread::spawn(|| add(1));
    let (a, b) = (add(2), t.join().unwrap());
    assert!(X.load(Relaxed) == 3 && (a == 0 || b == 0));
}
"""
CHANGES = """use std::{arch::asm, sync::atomic::AtomicU32, thread};
static X: AtomicU32 = AtomicU32::new(0);
fn change(to: u32) -> bool {
    let done: u8;
    unsafe { asm!("lock cmpxchg dword ptr [{0}], {1:e}", "sete {2}",
                  in(reg) X.as_ptr(), in(reg) to, out(reg_byte) done, inout("eax") 0 => _); }
    done != 0
}
fn main() { let t = thread::spawn(|| change(1)); let one = change(2); assert!(one != t.join().unwrap()); }
"""
ALONE = "fn main() { let x: u64; unsafe { std::arch::asm!(TEXT, out(reg) x); } assert!(x == 2); }"
IN_IR = """@x = global i32 0
define i32 @main() { %text
  ret i32 0
}
"""


def said(text: str, language: str, on: str | None = "x86") -> str:
    result = xgen.check(xgen.parse(text, language, f"t.{language}", map=on), model("tso"), all_states=True)
    kinds = [] if result.witness is None else [violation.kind for violation in result.witness.violations]
    return " ".join([result.verdict, str(result.executions), *kinds[:1]])


@compiles
def test_a_lock_in_cpp() -> None:
    assert said(LOCK, "cpp") == "safe 2"
    assert said(LOCK.replace("one = 1;", "one = 0;"), "cpp").startswith("violation")


@compiles
def test_what_is_refused_in_cpp() -> None:
    with pytest.raises(UnsupportedError, match="the assembly `hlt` is not supported") as caught:
        said('int main() {\n  asm("hlt");\n}', "cpp")
    assert caught.value.position is not None
    assert caught.value.position.line == 2


@rusts
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COUNTS.replace("TEXT", '"lock xadd dword ptr [{0}], {1:e}"'), "safe 2"),
        (COUNTS.replace("TEXT", '"xadd [{0}], {1:e}"'), "violation 4 assertion"),
        (COUNTS.replace("TEXT, ", '"lock xaddl {1:e}, ({0})", options(att_syntax), '), "safe 2"),
        (CHANGES, "safe 2"),
        (ALONE.replace("TEXT", '"mov {0}, 5", "sub {0}, 3"'), "safe 1"),
        (ALONE.replace("TEXT", '"mov {0}, 3", "mfence", "sub {0}, 5"'), "violation 1 assertion"),
    ],
)
def test_rust(text: str, expected: str) -> None:
    assert said(text, "rs") == expected


@rusts
@pytest.mark.parametrize("line", ["lea {0}, [{0}+{0}]", "mov {0}, [{0}*2]", "mov {0}, fs:0", "bswap {0}"])
def test_what_is_refused_in_rust(line: str) -> None:
    shown = line.replace("{0}", "%q0").replace("[", r"\[").replace("+", r"\+").replace("*", r"\*")
    with pytest.raises(UnsupportedError, match=f"the assembly `{shown}` is not supported"):
        said(ALONE.replace("TEXT", f'"{line}"'), "rs")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('call void asm "incl $0", "=*m,*m"(ptr elementtype(i32) @x, ptr elementtype(i32) @x)', "safe 1"),
        ('%1 = call i64 asm "mov $1, ${0:k}", "=r,r"(i32 7)', "safe 1"),
        ('%1 = call i32 asm "", "=r,0"(i32 7)', "safe 1"),
        ('call void asm sideeffect "nop", "~{memory}"()', "safe 1"),
        ('%1 = call i32 asm "", "=r"()', "an output that the assembly does not write is not supported"),
        ('call void asm "incl $0", "=*m"(ptr elementtype([3 x i8]) @x)', "an operand of assembly that is no number"),
        ('call void asm "nop", "x"(i32 1)', "the constraint `x` of assembly is not supported"),
        ('call void asm "nop", "{xmm0}"(i32 1)', "the constraint `{xmm0}` of assembly is not supported"),
        ('call void asm "incl $$5", ""()', "the assembly `incl $5` is not supported"),
        ('call void asm "$(nop$|mfence$)", ""()', "the assembly `$(nop$|mfence$)` is not supported"),
        ('call void asm inteldialect "inc [eax]", ""()', "the assembly `inc [eax]` is not supported"),
    ],
)
def test_ir(call: str, expected: str) -> None:
    pytest.importorskip("llvmlite")
    try:
        found = said(IN_IR.replace("%text", call), "ll")
    except UnsupportedError as error:
        found = error.message
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lock add dword ptr [%q0 + 8], 5", "lock addl $5, 8(%q0)"),
        ("mov %q1, qword ptr [%q0-8]", "movq -8(%q0), %q1"),
        ("mov [%q0], eax", "mov %%eax, (%q0)"),
        ("setne %b0", "setne %b0"),
        ("MFENCE", "mfence"),
        ("mov %q0, [%q1 + %q2]", None),
        ("mov %q0, dword ptr fs:[0]", None),
        ("mov %q0, offset x", None),
    ],
)
def test_the_order_of_intel(line: str, expected: str | None) -> None:
    assert of_intel(line) == expected
