"""Floating point numbers that threads share, in C++ and Rust."""

from __future__ import annotations

import itertools
import shutil

import pytest
from llvm.compiling import compiles

import xgen

pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")

ATOMIC = """#include <atomic>
#include <cassert>
#include <cmath>
#include <thread>
std::atomic<double> d{1e16};
std::atomic<float> f{1};
int main() {
  std::thread a([] { d.fetch_add(1.0); f.fetch_sub(0.5f); }), b([] { d += -1e16; f = f + 1; });
  a.join(); b.join();
  float last = f;
  assert(d == 0 || d == 1);
  assert(last == 1.5f || last == 2);
  CHECK
}
"""
CHECKS = [
    ("", "safe"),
    ("assert(std::sqrt(last * 2 + 1) == 2 || (std::fmax(last, 1.75f) == 2 && std::lround(last * 1.3f) == 3));", "safe"),
    ("assert(d == 1);", "violation"),
    ("assert(d == 0);", "violation"),
    ("assert(last != 1.5f);", "violation"),
    ("assert(last != 2);", "violation"),
    ("char c = last * 100; assert(c);", "violation"),
]


@compiles
@pytest.mark.parametrize(("check", "verdict"), CHECKS)
def test_atomic_ones(check: str, verdict: str) -> None:
    """1e16 + 1 is 1e16, whose neighbours are two apart; so the order of the sums matters."""
    assert 1e16 + 1.0 - 1e16 == 0.0
    assert 1e16 - 1e16 + 1.0 == 1.0
    assert xgen.check(xgen.parse(ATOMIC.replace("CHECK", check), "cpp")).verdict == verdict


@compiles
def test_sums_on_machines() -> None:
    text = ATOMIC.replace("CHECK", "")
    assert xgen.check(xgen.parse(text, "cpp", map="x86"), xgen.model("tso")).verdict == "safe"
    with pytest.raises(xgen.UnsupportedError, match="an atomic sum of floating point numbers") as error:
        xgen.parse(text, "cpp", map="riscv")
    assert error.value.line == 8


RUST = """use std::sync::Mutex;
static M: Mutex<f64> = Mutex::new(0.0);
fn main() {
    let threads = [1e16, 1.0, -1e16].map(|x| std::thread::spawn(move || *M.lock().unwrap() += x));
    for thread in threads { thread.join().unwrap(); }
    let x = *M.lock().unwrap();
    assert!(SUMS);
    assert_eq!(((x + 5.5) * 1e30) as i32, i32::MAX);
    assert_eq!((x * f64::NAN) as u64, 0);
    assert_eq!((-x - 3.5) as u8, 0);
    assert_eq!((x - 3.9) as i64, if x < 0.5 { -3 } else { -2 });
    assert_eq!((x * 0.5 + 0.25).ceil().max(0.5), 1.0);
    assert_eq!(((x as f32) - 2.5).round() as i8, if x < 0.5 { -3 } else { -2 });
    assert_eq!((x + 2.0).sqrt().floor(), 1.0);
    assert_eq!((x + 2.5) % 2.0, if x < 0.5 { 0.5 } else { 1.5 });
    assert_eq!(x.copysign(-1.0).to_bits() >> 63, 1);
}
"""


@pytest.mark.skipif(shutil.which("rustc") is None, reason="there is no rustc")
def test_rust() -> None:
    """`as` gives the nearest integer, and 0 of NaN."""
    sums = {a + b + c for a, b, c in itertools.permutations((1e16, 1.0, -1e16))}
    known = " || ".join(f"x == {each}" for each in sorted(sums))
    result = xgen.check(xgen.parse(RUST.replace("SUMS", known), "rs"))
    assert (result.verdict, sums) == ("safe", {0.0, 1.0})
    one = RUST.replace("SUMS", "x == 0.0")
    assert xgen.check(xgen.parse(one, "rs")).verdict == "violation"
