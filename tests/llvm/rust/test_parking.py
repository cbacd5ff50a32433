"""`park`, which std lets return for no reason: not explored unless `--spurious` is asked for."""

from __future__ import annotations

import pytest
from llvm.compiling import rusts

import xgen

TEXT = """
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

static SENT: AtomicU32 = AtomicU32::new(0);

fn main() {
    let receiver = thread::spawn(|| {
        WAIT
        assert_eq!(SENT.load(Acquire), 1);
    });
    SENT.store(1, Release);
    receiver.thread().unpark();
    receiver.join().unwrap();
}
"""
ONCE = "thread::park();"
LOOP = "while SENT.load(Acquire) == 0 { thread::park(); }"
TWICE = "thread::park(); thread::park();"


@rusts
@pytest.mark.parametrize(
    ("wait", "spurious", "expected"),
    [
        (ONCE, False, "safe"),
        (ONCE, True, "assertion"),
        (LOOP, False, "safe"),
        (LOOP, True, "safe"),
        (TWICE, False, "await"),
    ],
    ids=["once", "once, spurious", "loop", "loop, spurious", "twice"],
)
def test_parking(wait: str, spurious: bool, expected: str) -> None:
    program = xgen.parse(TEXT.replace("WAIT", wait), "rs", spurious=spurious)
    found = xgen.check(program, liveness=True)
    assert (found.witness.violations[0].kind if found.witness else found.verdict) == expected
    assert not found.bounded
