"""Rust: what std promises and what it leaves open, where threads see the difference; compared with rustc's own std."""

from __future__ import annotations

import pytest
from llvm.compiling import rusts

import xgen

USES = """#![allow(unused)]
use std::cell::Cell;
use std::sync::atomic::{Ordering::*, *};
use std::sync::mpsc::*;
use std::sync::*;
use std::thread;
use std::time::Duration;
static N: AtomicU32 = AtomicU32::new(0);
struct D;
impl Drop for D { fn drop(&mut self) { N.fetch_add(1, Relaxed); } }
"""


def answer(text: str, main: str = "", liveness: bool = False) -> str:
    program = xgen.parse(f"{USES}{main}fn main() {{\n    {text}\n}}\n", "rs")
    found = xgen.check(program, xgen.model("rc11"), liveness=liveness)
    kind = found.witness.violations[0].kind if found.witness else found.verdict
    return f"{kind} {found.executions}"


CHANNELS = {
    "a receiver that goes drops what nobody has received": (
        "let (s, r) = channel(); s.send(D).unwrap(); drop(r); assert_eq!(N.load(Relaxed), 1); drop(s);",
        "safe 1",
    ),
    "what is dropped may send itself": (
        "struct M(Sender<M>); let (s, r) = channel(); s.send(M(s.clone())).unwrap(); drop(r); "
        "assert!(s.send(M(s.clone())).is_err());",
        "safe 1",
    ),
    "of senders only the last one that goes is seen": (
        "let (s, r) = channel(); let t = [s.clone(), s].map(|s| thread::spawn(move || s.send(1).unwrap())); "
        "assert_eq!(r.recv(), Ok(1)); assert_eq!(r.recv(), Ok(1)); assert!(r.recv().is_err()); "
        "for t in t { t.join().unwrap(); }",
        "safe 108",
    ),
    "a receiver of a bounded channel that goes": (
        "let (s, r) = sync_channel(1); s.send(D).unwrap(); drop(r); assert_eq!(N.load(Relaxed), 1); "
        "assert!(matches!(s.try_send(D), Err(TrySendError::Disconnected(_)))); assert_eq!(N.load(Relaxed), 2);",
        "safe 1",
    ),
    "without a place: nobody has received it": (
        "let (s, r) = sync_channel(0); let t = thread::spawn(move || drop(r)); "
        "assert!(s.send(D).is_err()); assert_eq!(N.load(Relaxed), 1); t.join().unwrap();",
        "safe 2",
    ),
    "without a place: whoever is sent to waits": (
        "let (s, r) = sync_channel(0); let t = thread::spawn(move || s.try_send(1).is_ok()); "
        "let got = r.recv().is_ok(); assert_eq!(t.join().unwrap(), got);",
        "safe 5",
    ),
    "without a place: nobody waits": (
        "let (s, r) = sync_channel(0); assert!(matches!(s.try_send(1), Err(TrySendError::Full(1)))); "
        "assert!(r.try_recv().is_err());",
        "safe 1",
    ),
    "without a place: he may come too late": (
        "let (s, r) = sync_channel(0); let t = thread::spawn(move || s.try_send(1)); "
        "r.recv(); assert!(t.join().unwrap().is_ok());",
        "assertion 4",
    ),
    "without a place: who sends waits": (
        "static mut X: u32 = 0; let (s, r) = sync_channel(0); "
        "let t = thread::spawn(move || { s.send(1).unwrap(); unsafe { X } }); unsafe { X = 7; } r.recv().unwrap(); "
        "assert_eq!(t.join().unwrap(), 7);",
        "safe 2",
    ),
    "without a place: who sends again and again": (
        "let (s, r) = sync_channel(0); let t = thread::spawn(move || while s.try_send(1).is_err() {}); "
        "assert_eq!(r.recv(), Ok(1)); t.join().unwrap(); assert!(r.recv().is_err());",
        "safe 3",
    ),
}


@rusts
@pytest.mark.parametrize("name", CHANNELS)
def test_channels(name: str) -> None:
    text, expected = CHANNELS[name]
    assert answer(text) == expected


LOCAL = """struct Late;
impl Drop for Late { fn drop(&mut self) { N.store(1, Relaxed); } }
thread_local!(static LATE: Late = const { Late });
"""
SCOPES = {
    "a scope waits for what its threads run, not for what they do behind that": (
        "thread::scope(|s| { s.spawn(|| LATE.with(|_| ())); }); assert_eq!(N.load(Relaxed), 1);",
        "assertion 1",
    ),
    "who joins a thread waits for that, too": (
        "thread::scope(|s| { s.spawn(|| LATE.with(|_| ())).join().unwrap(); assert_eq!(N.load(Relaxed), 1); });",
        "safe 1",
    ),
    "a thread of the scope joins another one": (
        "thread::scope(|s| { let a = s.spawn(|| 1); s.spawn(move || assert_eq!(a.join().unwrap(), 1)); });",
        "safe 1",
    ),
    "what a thread returns and nobody takes is dropped": (
        "thread::scope(|s| { s.spawn(|| D); }); assert_eq!(N.load(Relaxed), 1);",
        "safe 2",
    ),
    "by the thread or by who has its handle": (
        "drop(thread::spawn(|| D)); if N.load(Relaxed) == 1 { panic!() }",
        "exit 2",
    ),
    "to be finished orders nothing": (
        "static mut X: u32 = 0; let t = thread::spawn(|| unsafe { X = 1 }); "
        "if t.is_finished() { assert_eq!(unsafe { X }, 1); }",
        "race 2",
    ),
}


@rusts
@pytest.mark.parametrize("name", SCOPES)
def test_scopes(name: str) -> None:
    text, expected = SCOPES[name]
    assert answer(text, LOCAL if "LATE" in text else "") == expected


LOCK = "static L: RwLock<u32> = RwLock::new(0);\n"
READERS = {
    "twice, beside a writer": (
        "let t = thread::spawn(|| *L.write().unwrap() = 1); let (a, b) = (L.read().unwrap(), L.read().unwrap()); "
        "assert_eq!(*a, *b); drop((a, b)); t.join().unwrap();",
        "await",
    ),
    "one behind the other": (
        "let t = thread::spawn(|| *L.write().unwrap() = 1); let a = *L.read().unwrap(); let b = *L.read().unwrap(); "
        "assert!(a <= b); t.join().unwrap();",
        "safe",
    ),
    "twice, beside a reader": (
        "let t = thread::spawn(|| *L.read().unwrap()); let (a, b) = (L.read().unwrap(), L.read().unwrap()); "
        "assert_eq!(*a, *b); t.join().unwrap();",
        "safe",
    ),
    "a reader waits for another one": (
        "let w = thread::spawn(|| *L.write().unwrap() = 1); let a = L.read().unwrap(); "
        "let r = thread::spawn(|| *L.read().unwrap()); r.join().unwrap(); drop(a); w.join().unwrap();",
        "await",
    ),
    "a reader asks whether he may": (
        "let t = thread::spawn(|| *L.write().unwrap() = 1); let a = L.read().unwrap(); "
        "assert!(L.try_read().is_ok()); drop(a); t.join().unwrap();",
        "assertion",
    ),
    "a writer that goes on reading": (
        "let t = thread::spawn(|| *L.read().unwrap()); let mut w = L.write().unwrap(); *w = 1; "
        "let r = RwLockWriteGuard::downgrade(w); assert!(L.try_write().is_err()); assert_eq!(*r, 1); drop(r); "
        "assert!(t.join().unwrap() <= 1);",
        "safe",
    ),
}


@rusts
@pytest.mark.parametrize("name", READERS)
def test_readers_and_writers(name: str) -> None:
    text, expected = READERS[name]
    assert answer(text, LOCK, liveness=True).split()[0] == expected


INTERFACE = """use std::panic::{RefUnwindSafe, UnwindSafe};
#[derive(Debug)]
struct Ref<'a> { inner: RwLockReadGuard<'a, u32> }
fn safe<T: UnwindSafe + RefUnwindSafe>(_: &T) {}
fn told<T: std::fmt::Debug>(_: &T) {}
#[allow(deprecated)]
static ONCE: Once = ONCE_INIT;
"""


@rusts
def test_interface() -> None:
    """What crates use of std's types: traits that they have, functions that are seldom called."""
    found = answer(
        "ONCE.call_once(|| {}); let l = RwLock::new(1); told(&Ref { inner: l.read().unwrap() }); "
        "told(&l.write().unwrap()); safe(&l); safe(&Mutex::new(1)); safe(&Condvar::new()); safe(&ONCE); "
        "let o = OnceLock::from(3); assert!(o.clone() == o); let z: LazyLock<u32> = LazyLock::new(|| 1); told(&z); "
        "let (s, r) = channel::<u32>(); told(&s); told(&r); "
        "thread::scope(|s| { told(s); told(&s.spawn(|| ())); thread::Builder::new().spawn_scoped(s, || ()); }); "
        "unsafe { thread::Builder::new().spawn_unchecked(|| ()) }.unwrap().join().unwrap(); thread::sleep_ms(1); "
        "thread::park_timeout_ms(1); assert_eq!(LazyLock::get(&z), None); "
        "assert_eq!((*z, LazyLock::get(&z)), (1, Some(&1)));",
        INTERFACE,
    )
    assert found == "safe 1"


@rusts
@pytest.mark.parametrize("name", ["some job", "foobar"])
def test_names_of_threads(name: str) -> None:
    """A builder without a name, and one with another name, of any length."""
    found = answer(
        "let name = || thread::current().name().map(|n| n.to_string()); "
        "assert_eq!(thread::Builder::new().spawn(name).unwrap().join().unwrap(), None); "
        f'let b = thread::Builder::new().name("{name}".to_string()).spawn(name).unwrap(); '
        f'assert_eq!(b.join().unwrap(), Some("{name}".to_string())); '
        'assert_eq!(thread::current().name(), Some("main"));'
    )
    assert found == "safe 1"


WIDE = """fn choose(v: u32) -> u128 { match v { 0 => u128::MAX, 1 => 1 << 100, _ => 7 } }
fn less(v: u32) -> i128 { if v == 0 { -3 } else { i128::MIN } }
fn perhaps(v: u32) -> Option<u128> { if v == 0 { None } else { Some(choose(v)) } }
"""


@rusts
def test_numbers_of_128_bits() -> None:
    """They come out of branches and go round in loops."""
    found = answer(
        "let t = thread::spawn(|| N.store(2, Relaxed)); let v = N.load(Relaxed); "
        "let (mut a, b) = (choose(v), less(v)); "
        "for _ in 0..3 { if v == 2 { a ^= 1 << 70 } else { a |= 1 } } assert!(a == u128::MAX || a == 7 ^ (1 << 70)); "
        "assert!((b == -3) == (v == 0) && (b == i128::MIN) == (v == 2)); assert_eq!(perhaps(v).is_none(), v == 0); "
        "if let Some(c) = perhaps(v) { assert!(c == 7); } let d = if v == 0 { 5 } else { 6u128 << 64 }; "
        "assert_eq!((d >> 64) as u32, if v == 0 { 0 } else { 6 }); t.join().unwrap();",
        WIDE,
    )
    assert found == "safe 2"


USUAL = {
    "numbers that are written": 'let a = n(42); assert_eq!(format!("{a:5}|{:<4}|{:x}", -a, 255), "   42|-42 |ff");',
    "what is written to a string": (
        "use std::fmt::Write; let mut s = String::new(); "
        'write!(s, "a {} b {}", n(3), n(4)).unwrap(); assert_eq!(s, "a 3 b 4");'
    ),
    "structures that are shown": (
        "#[derive(Debug)] struct P { x: i32, y: Option<String> } "
        'assert_eq!(format!("{:?}", P { x: n(1), y: Some("k".into()) }), "P { x: 1, y: Some(\\"k\\") }");'
    ),
    "vectors": "let mut v = vec![3, 1, n(2)]; v.sort(); v.retain(|x| *x != 2); assert_eq!(v, [1, 3]);",
    "strings": 'let s = String::from("a,b"); assert_eq!(s.split(\',\').rev().collect::<Vec<_>>(), ["b", "a"]);',
    "maps": (
        "let mut m = std::collections::BTreeMap::new(); m.insert(n(2), 1); m.insert(1, 0); "
        "assert_eq!(m.remove(&2), Some(1));"
    ),
    "queues": "let mut q = std::collections::VecDeque::from([n(1)]); q.push_front(0); assert_eq!(q, [0, 1]);",
    "numbers that are read": 'assert_eq!("17".parse::<i32>().unwrap(), n(17)); assert!("x".parse::<i32>().is_err());',
}


@rusts
@pytest.mark.parametrize("what", USUAL)
def test_what_every_program_does(what: str) -> None:
    """Std's own code is optimised: it has addresses of parts of locals outside of the loops that the locals are of."""
    assert answer(USUAL[what], "fn n(x: i32) -> i32 { std::hint::black_box(x) }\n") == "safe 1"
