"""Rust: panics that something catches, what happens on the way there, and what rustc's own programs do then."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from llvm.compiling import rusts

import xgen

USES = """#![allow(unused)]
use std::panic::*;
use std::sync::atomic::{Ordering::*, *};
use std::sync::*;
use std::thread;
static N: AtomicU32 = AtomicU32::new(0);
struct D;
impl Drop for D { fn drop(&mut self) { if thread::panicking() { N.fetch_add(1, Relaxed); } } }
fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn std::any::Any + Send>> { catch_unwind(AssertUnwindSafe(f)) }
"""


def text_of(body: str) -> str:
    return f"{USES}fn main() {{\n    {body}\n}}\n"


def answer(body: str, **options: bool) -> str:
    found = xgen.check(xgen.parse(text_of(body), "rs", **options), xgen.model("rc11"))
    return found.witness.violations[0].kind if found.witness else found.verdict


ONE_WAY = {
    "nothing panics": ("assert!(matches!(catch_unwind(|| 7), Ok(7)));", "safe"),
    "nobody panics": ("drop(D); assert!(!thread::panicking()); assert_eq!(N.load(Relaxed), 0);", "safe"),
    "destructors run": (
        "let r = caught(|| { let _d = D; if N.load(Relaxed) == 0 { panic!() } 5 }); assert!(r.is_err()); "
        "assert!(!thread::panicking()); assert_eq!(N.load(Relaxed), 1);",
        "safe",
    ),
    "the message": (
        'let e = caught(|| panic!("boom")).unwrap_err(); assert_eq!(e.downcast_ref::<&str>(), Some(&"boom"));',
        "safe",
    ),
    "something else than a message": (
        "let e = caught(|| panic_any(7_u8)).unwrap_err(); assert!(e.is::<u8>() && !e.is::<u16>()); "
        "let e = caught(|| resume_unwind(e)).unwrap_err(); assert_eq!(*e.downcast_ref::<u8>().unwrap(), 7);",
        "safe",
    ),
    "what the libraries panic about": (
        "let v: Vec<u32> = vec![]; assert!(caught(|| v[N.load(Relaxed) as usize]).is_err()); "
        "assert!(caught(|| None::<u32>.unwrap()).is_err()); assert!(caught(|| Err::<u32, u32>(1).unwrap()).is_err()); "
        "assert!(caught(|| 255 - N.load(Relaxed) as u8 - 255 + 1).is_ok());",
        "safe",
    ),
    "assertions": (
        "assert!(caught(|| assert!(N.load(Relaxed) == 1)).is_err()); "
        "assert!(caught(|| assert_eq!(N.load(Relaxed), 1)).is_err());",
        "safe",
    ),
    "a panic in a destructor, on the way": (
        "struct E; impl Drop for E { fn drop(&mut self) { panic!() } } let _ = caught(|| { let _e = E; panic!() });",
        "exit",
    ),
    "a panic behind one that is caught": ("let _ = caught(|| panic!()); panic!()", "exit"),
    "an assertion behind one that is caught": ("let r = caught(|| panic!()); assert!(r.is_ok());", "assertion"),
    "an abort": ("let _ = caught(|| std::process::abort());", "exit"),
    "a mutex is poisoned": (
        "let m = Mutex::new(1); let r = caught(|| { let mut g = m.lock().unwrap(); *g = 2; panic!() }); "
        "assert!(m.is_poisoned() && m.lock().is_err() && matches!(m.try_lock(), Err(TryLockError::Poisoned(_)))); "
        "assert_eq!(*m.lock().unwrap_or_else(PoisonError::into_inner), 2); m.clear_poison(); "
        "assert!(m.lock().is_ok());",
        "safe",
    ),
    "a lock that is held for writing is poisoned, one that is held for reading not": (
        "let l = RwLock::new(1); let _ = caught(|| { let _g = l.read(); panic!() }); assert!(!l.is_poisoned()); "
        "let _ = caught(|| { let _g = l.write(); panic!() }); assert!(l.is_poisoned() && l.read().is_err());",
        "safe",
    ),
    "a guard that is taken while a panic unwinds": (
        "static M: Mutex<u32> = Mutex::new(1); struct L; "
        "impl Drop for L { fn drop(&mut self) { *M.lock().unwrap() += 1; } } "
        "let _ = caught(|| { let _l = L; panic!() }); assert_eq!(*M.lock().unwrap(), 2);",
        "safe",
    ),
    "what is made once": (
        "let o = Once::new(); assert!(caught(|| o.call_once(|| panic!())).is_err()); "
        "assert!(caught(|| o.call_once(|| ())).is_err() && !o.is_completed()); "
        "o.call_once_force(|s| assert!(s.is_poisoned())); assert!(o.is_completed()); "
        "let c = OnceLock::new(); let _ = caught(|| *c.get_or_init(|| panic!())); assert_eq!(*c.get_or_init(|| 3), 3);",
        "safe",
    ),
    "a scope waits for its threads": (
        "let r = caught(|| thread::scope(|s| { s.spawn(|| N.store(1, Relaxed)); panic!() })); "
        "assert!(r.is_err()); assert_eq!(N.load(Relaxed), 1);",
        "safe",
    ),
}
"""What all executions do, as the one of the program that rustc makes."""


@rusts
@pytest.mark.parametrize("name", ONE_WAY)
def test_one_way(name: str, tmp_path: Path) -> None:
    body, expected = ONE_WAY[name]
    assert answer(body) == expected
    made = tmp_path / "made"
    (tmp_path / "made.rs").write_text(text_of(body))
    subprocess.run(["rustc", "--edition=2021", "-Awarnings", "-o", made, f"{made}.rs"], check=True)
    ended = subprocess.run([made], check=False, capture_output=True, env={**os.environ, "RUST_BACKTRACE": "0"})
    assert (ended.returncode == 0) == (expected == "safe")


THREADS = {
    "one of two ways": (
        "let m = Arc::new(Mutex::new(0)); let n = m.clone(); "
        "let t = thread::spawn(move || caught(|| { let _d = D; let _g = n.lock(); "
        "if N.load(Relaxed) == 0 { panic!() } }).is_err()); N.store(5, Relaxed); "
        "let bad = t.join().unwrap(); assert_eq!(m.is_poisoned(), bad);",
        ("safe", "safe"),
    ),
    "it may panic": (
        "let t = thread::spawn(move || caught(|| if N.load(Relaxed) == 0 { panic!() }).is_err()); "
        "N.store(5, Relaxed); assert!(!t.join().unwrap());",
        ("assertion", "assertion"),
    ),
    "a thread that panics is a violation, or ends": (
        "let m = Arc::new(Mutex::new(0)); let n = m.clone(); "
        "let r = thread::spawn(move || { let _g = n.lock().unwrap(); if N.load(Relaxed) == 0 { panic!() } 5 }).join(); "
        "assert!(r.is_err() && m.is_poisoned());",
        ("exit", "safe"),
    ),
    "an assertion in a thread": (
        "assert!(thread::spawn(|| assert!(N.load(Relaxed) == 1)).join().is_err());",
        ("assertion", "assertion"),
    ),
    "a scope panics if nobody has joined the thread that has": (
        "let r = caught(|| thread::scope(|s| { s.spawn(|| panic!()); })); assert!(r.is_err());",
        ("exit", "safe"),
    ),
    "somebody has": (
        "let r = caught(|| thread::scope(|s| { assert!(s.spawn(|| panic!()).join().is_err()); })); assert!(r.is_ok());",
        ("exit", "safe"),
    ),
}


@rusts
@pytest.mark.parametrize("name", THREADS)
@pytest.mark.parametrize("exits", [True, False])
def test_in_threads(name: str, exits: bool) -> None:
    """Without `exits`, what panics is no mistake by itself, and the thread ends."""
    body, expected = THREADS[name]
    assert answer(body, exits=exits) == expected[not exits]
