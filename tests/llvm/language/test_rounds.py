"""`--unroll` where there is no text of C: in IR and in Rust. In C and through clang: both/test_options.py."""

from __future__ import annotations

import pytest
from c.running import model
from llvm.compiling import rusts

import xgen

IN_IR = """@x = global i32 0
@s = global i32 0
define ptr @t(ptr %a) {
  br label %head
head:
  %1 = load atomic i32, ptr @s monotonic, align 4
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %round, label %end
round:
  %3 = atomicrmw add ptr @x, i32 1 monotonic
  br label %head
end:
  ret ptr null
}
define i32 @main() {
  %p = alloca i64
  %1 = call i32 @pthread_create(ptr %p, ptr null, ptr @t, ptr null)
  store atomic i32 1, ptr @s monotonic, align 4
  %2 = load atomic i32, ptr @x monotonic, align 4
  %3 = icmp slt i32 %2, 3
  br i1 %3, label %good, label %bad
bad:
  call void @abort()
  unreachable
good:
  ret i32 0
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare void @abort()
"""
IN_RUST = """use std::{sync::atomic::{AtomicU32, Ordering::Relaxed}, thread};
static X: AtomicU32 = AtomicU32::new(0);
static S: AtomicU32 = AtomicU32::new(0);
fn main() {
    let t = thread::spawn(|| { while S.load(Relaxed) == 0 { X.fetch_add(1, Relaxed); } });
    S.store(1, Relaxed);
    assert!(X.load(Relaxed) < 3);
    t.join().unwrap();
}
"""


@pytest.mark.parametrize(
    ("text", "language"), [(IN_IR, "ll"), pytest.param(IN_RUST, "rs", marks=rusts)], ids=["ir", "rust"]
)
def test_rounds_of_loops_are_bounded(text: str, language: str) -> None:
    """The third round is what shows the violation."""
    pytest.importorskip("llvmlite")
    verdicts = [
        xgen.check(xgen.parse(text, language, f"t.{language}", unroll=rounds), model("rc11"), all_states=True).verdict
        for rounds in (1, 2, 3)
    ]
    assert verdicts == ["safe-within-bound", "safe-within-bound", "violation"]
