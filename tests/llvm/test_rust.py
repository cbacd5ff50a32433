"""Rust: the programs in programs/rust, what std has for threads, projects of cargo, and what is refused.

What needs no rustc is in the first part: programs kept as IR, names of functions, archives.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import rusts, script

import xgen
from xgen.analyses.claims.run import check_file
from xgen.frontends.llvm.rust.names import closure_of, in_c, renamed, written_anew
from xgen.frontends.llvm.rust.rlibs import Libraries

FOLDER = Path(__file__).parents[2] / "programs" / "rust"
KEPT = Path(__file__).parent / "programs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.rs"))


def answer(program: xgen.Program, model: str = "rc11") -> str:
    found = xgen.check(program, xgen.model(model))
    kind = found.witness.violations[0].kind if found.witness else found.verdict
    return f"{kind} {found.executions} {found.blocked}"


# ---- without rustc


@pytest.mark.parametrize(
    ("name", "model", "expected"),
    [
        ("message", "rc11", "safe 2 0"),
        ("message", "arm8", "safe 2 0"),
        ("message_us", "rc11", "race 2 0"),
        ("message_us", "arm8", "assertion 2 0"),
        ("rounds", "rc11", "safe 3 0"),  # (a value that a round leaves as it was is 0)
        ("rounds", "sc", "safe 3 0"),
    ],
)
def test_kept_as_ir(name: str, model: str, expected: str) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite reads IR: pip install '.[cpp]'")
    assert answer(xgen.load(KEPT / f"rust_{name}.ll"), model) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc", "__rust_alloc"),
        ("_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed", "__rust_alloc_zeroed"),
        ("_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc", "free"),
        ("__rust_realloc", "__rust_realloc"),
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt", "abort"),
        ("_ZN4core9panicking9panic_fmt17h0123456789abcdefE", "abort"),
        ("_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedmmECsjrHSEGnQ3l9_3std", "__assert_fail"),
        ("_RNvNtCsjrHSEGnQ3l9_3std7process4exit", "exit"),
        ("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print", "fflush"),
        ("_RNvNvNtCsjrHSEGnQ3l9_3std9panicking12catch_unwind7cleanup", None),
        ("_RNvNtCsjrHSEGnQ3l9_3std9panicking9panicking", None),
        ("_RINvNtCsjrHSEGnQ3l9_3std9panicking11begin_panicReE", "abort"),
        ("_RNvMNtNtCs1_4core3str6traits5parse", None),
    ],
)
def test_names_in_c(name: str, expected: str | None) -> None:
    assert in_c(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check", "__rust_panic"),
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking19panic_cannot_unwind", "abort"),
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking16panic_in_cleanup", "abort"),
        ("_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedmmECsjrHSEGnQ3l9_3std", "__rust_assert_fail"),
        ("_RNvNtCsjrHSEGnQ3l9_3std7process5abort", "abort"),
    ],
)
def test_names_where_panics_are_caught(name: str, expected: str) -> None:
    assert in_c(name, unwinds=True) == expected
    assert written_anew("_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt", unwinds=True) == "xgen_panic_fmt"
    assert written_anew("_RNvNtCsgEmfK2I1SDS_4core9panicking5panic", unwinds=True) == "xgen_panic_str"
    assert written_anew("_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt") is None


def test_names_of_threads() -> None:
    assert closure_of("__start<program::main::{closure_env#0}, u32>") == "main::{closure#0}"
    assert closure_of("__start<program::main::{closure#1}::{closure_env#0}, ()>") == "main::{closure#1}::{closure#0}"
    assert closure_of("write") is None
    assert written_anew("_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal") == "xgen_lang_start"


def test_a_panic_about_an_assertion() -> None:
    text = renamed(
        """@alloc_1 = private constant [19 x i8] c"assertion failed: x", align 1
@alloc_2 = private constant [5 x i8] c"boom!", align 1
define void @f() {
  call void @_ZN4core9panicking5panic17h0E(ptr @alloc_1, i64 19, ptr @place)
  call void @_ZN4core9panicking5panic17h0E(ptr @alloc_2, i64 5, ptr @place)
  call void @_ZN7program4stop17h0E()
}
declare void @_ZN4core9panicking5panic17h0E(ptr, i64, ptr)
declare void @_ZN7program4stop17h0E()
declare void @_ZN7program5other17h0E()""",
        {"_ZN7program4stop17h0E"},
    )
    assert "call void @__assert_fail(ptr @alloc_1," in text
    assert "call void @abort(ptr @alloc_2," in text
    assert "call void @abort()" in text
    assert text.count("declare void @abort(") == 1
    assert "@_ZN7program5other17h0E" in text


def _elf(bitcode: bytes) -> bytes:
    """An object with one section, and the section of names."""
    names = b"\0.llvmbc\0.shstrtab\0"
    body = bytes(64) + bitcode + names
    header = (
        b"\x7fELF\x02\x01" + bytes(10) + struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, len(body), 0, 64, 0, 0, 64, 3, 2)
    )
    rows = [(0, 0), (64, len(bitcode)), (64 + len(bitcode), len(names))]
    starts = (0, 1, 9)
    table = b"".join(
        struct.pack("<IIQQQQIIQQ", name, 1, 0, 0, offset, size, 0, 0, 1, 0)
        for name, (offset, size) in zip(starts, rows, strict=True)
    )
    return header + body[64:] + table


def test_bitcode_in_archives(tmp_path: Path) -> None:
    def member(name: str, data: bytes) -> bytes:
        return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)

    first, second = member("a.o/", _elf(b"BC-first")), member("b.o/", _elf(b"BC-second"))
    symbols = b"f\0g\0h\0"
    start = 8 + 60 + 4 + 12 + len(symbols)
    index = member("/", struct.pack(">IIII", 3, start, start + len(first), start) + symbols)
    (tmp_path / "liba.rlib").write_bytes(b"!<arch>\n" + index + first + second)
    (tmp_path / "libb.rlib").write_bytes(b"no archive")
    (tmp_path / "other.rmeta").write_bytes(b"")
    libraries = Libraries(str(tmp_path))
    assert list(libraries.defining(["g", "g", "nowhere"])) == [("liba.rlib", b"BC-second")]
    assert list(libraries.defining(["f", "h"])) == [("liba.rlib", b"BC-first")]
    assert list(libraries.defining(["f"])) == []


def test_no_rustc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="what is missing is said in this order")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    Path("a.rs").write_text("fn main() {}\n")
    found = run("check", "a.rs")
    assert (found.exit_code, found.stderr) == (
        2,
        "error: Rust is read through `rustc`, which is not there\n  https://rustup.rs installs it\n",
    )


def test_a_rustc_that_is_too_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="it says what it can read")
    monkeypatch.chdir(tmp_path)
    Path("a.rs").write_text("fn main() {}\n")
    script(tmp_path, "newer", "rustc 2.0\nhost: x\nrelease: 2.0.0\nLLVM version: 99.1.0")
    found = run("check", "a.rs", "--compiler", "./newer")
    assert found.exit_code == 2
    assert found.stderr.startswith(
        "error: rustc 2.0.0 makes IR of LLVM 99; what is installed here reads that of 16 to "
    )
    script(tmp_path, "none", "hello")
    found = run("check", "a.rs", "--compiler", "./none")
    assert found.stderr.startswith("error: `./none` is no rustc that can be asked")


# ---- with rustc


def test_all_are_here() -> None:
    wrong = {name.removesuffix("_us") for name in NAMES if name.endswith("_us")}
    assert wrong == {"message", "spinlock", "spsc", "treiber", "workers"}
    assert wrong < set(NAMES)


@rusts
@pytest.mark.parametrize("name", NAMES)
def test_claims(name: str) -> None:
    found = check_file(str(FOLDER / f"{name}.rs"), xgen.load)
    assert (found.errors, found.mistakes) == ((), ())
    assert [one.kept for one in found.checked] == [True] * len(found.checked)
    assert found.checked


STD = {
    "sorting what threads have sent": (  # (how many they are is not known)
        "let (tx, rx) = mpsc::channel(); let t2 = tx.clone(); let t = thread::spawn(move || tx.send(2).unwrap()); "
        "t2.send(1).unwrap(); drop(t2); let mut v: Vec<u32> = rx.iter().collect(); v.sort(); assert_eq!(v, [1, 2]); "
        "t.join().unwrap();",
        None,
    ),
    "a value that a thread returns": ("let t = thread::spawn(|| 7); assert_eq!(t.join().unwrap(), 7);", "safe 1 0"),
    "threads in a vector": (
        "let n = Arc::new(AtomicUsize::new(0)); let ts: Vec<_> = (0..2).map(|_| { let n = n.clone(); "
        "thread::spawn(move || n.fetch_add(1, Relaxed)) }).collect(); "
        "let sum: usize = ts.into_iter().map(|t| t.join().unwrap()).sum(); assert_eq!(sum, 1);",
        "safe 5 0",  # (main takes a count for the second thread while the first may give back its own)
    ),
    "a scope": (
        "let mut a = [1, 2]; thread::scope(|s| { s.spawn(|| a[0] = 3); }); assert_eq!(a, [3, 2]);",
        "safe 1 0",
    ),
    "a mutex": (
        "let m = Arc::new(Mutex::new(0)); let o = m.clone(); let t = thread::spawn(move || *o.lock().unwrap() += 1); "
        "*m.lock().unwrap() += 1; t.join().unwrap(); assert_eq!(*m.lock().unwrap(), 2);",
        "safe 2 2",
    ),
    "try_lock": (
        "let m = Mutex::new(0); thread::scope(|s| { s.spawn(|| { let _g = m.lock(); }); "
        "if let Ok(mut g) = m.try_lock() { *g = 1; } });",
        "safe 3 1",
    ),
    "a condition variable": (
        "let p = Arc::new((Mutex::new(false), Condvar::new())); let q = p.clone(); "
        "let t = thread::spawn(move || { *q.0.lock().unwrap() = true; q.1.notify_one(); }); "
        "let mut g = p.0.lock().unwrap(); while !*g { g = p.1.wait(g).unwrap(); } drop(g); t.join().unwrap();",
        "safe 2 3",
    ),
    "a lock for readers and writers": (
        "let l = RwLock::new(1); thread::scope(|s| { s.spawn(|| *l.write().unwrap() = 2); "
        "let x = *l.read().unwrap(); assert!(x == 1 || x == 2); });",
        "safe 2 1",
    ),
    "a barrier": (
        "let b = Barrier::new(2); let x = AtomicU32::new(0); thread::scope(|s| { "
        "s.spawn(|| { x.store(1, Relaxed); b.wait(); }); b.wait(); assert_eq!(x.load(Relaxed), 1); });",
        None,
    ),
    "what is made once": (
        "static C: OnceLock<u32> = OnceLock::new(); thread::scope(|s| { s.spawn(|| *C.get_or_init(|| 1)); "
        "assert_eq!(*C.get_or_init(|| 1), 1); });",
        None,
    ),
    "what is made late": (
        "static C: LazyLock<u32> = LazyLock::new(|| 5); thread::scope(|s| { s.spawn(|| assert_eq!(*C, 5)); "
        "assert_eq!(*C, 5); });",
        None,
    ),
    "a channel": (
        "let (s, r) = mpsc::channel(); thread::spawn(move || s.send(4).unwrap()); assert_eq!(r.recv(), Ok(4)); "
        "assert!(r.recv().is_err());",
        None,
    ),
    "a channel of one place": (
        "let (s, r) = mpsc::sync_channel(1); "
        "let t = thread::spawn(move || { s.send(1).unwrap(); s.send(2).unwrap(); }); "
        "assert_eq!(r.recv(), Ok(1)); assert_eq!(r.recv(), Ok(2)); t.join().unwrap();",
        None,
    ),
    "parking": (
        "let f = Arc::new(AtomicBool::new(false)); let g = f.clone(); "
        "let t = thread::spawn(move || { while !g.load(Acquire) { thread::park(); } }); "
        "f.store(true, Release); t.thread().unpark(); t.join().unwrap();",
        "safe 2 0",
    ),
    "a thread's own": (
        "thread_local! { static N: Cell<u32> = const { Cell::new(1) }; } "
        "let t = thread::spawn(|| { N.set(2); N.get() }); assert_eq!(t.join().unwrap(), 2); assert_eq!(N.get(), 1);",
        "safe 1 0",
    ),
    "a thread's own that is dropped": (
        "static mut X: u32 = 0; struct D(u32); impl Drop for D { fn drop(&mut self) { unsafe { X += self.0; } } } "
        "thread_local! { static N: D = D(2); } "
        "thread::spawn(|| N.with(|d| assert_eq!(d.0, 2))).join().unwrap(); assert_eq!(unsafe { X }, 2);",
        "safe 1 0",
    ),
    "a thread's own that is dropped, while another one looks": (
        "static mut X: u32 = 0; struct D(u32); impl Drop for D { fn drop(&mut self) { unsafe { X += self.0; } } } "
        "thread_local! { static N: D = D(2); } "
        "let t = thread::spawn(|| N.with(|d| d.0)); assert_eq!(unsafe { X }, 0); t.join().unwrap();",
        "race 1 0",
    ),
    "handles of pthreads": (
        "use std::os::unix::thread::JoinHandleExt; static X: AtomicU8 = AtomicU8::new(0); "
        "let t = thread::spawn(|| X.store(1, Relaxed)); let n = t.as_pthread_t(); assert_eq!(n, t.as_pthread_t()); "
        "assert_eq!(n, t.into_pthread_t()); X.load(Relaxed);",
        "safe 2 0",
    ),
    "a fence in assembly": (
        "fn fence() { let a = std::cell::UnsafeCell::new(0_usize); "
        'unsafe { std::arch::asm!("lock not qword ptr [{0}]", in(reg) a.get(), options(nostack)); } } '
        "static X: AtomicU8 = AtomicU8::new(0); static Y: AtomicU8 = AtomicU8::new(0); "
        "let t = thread::spawn(|| { X.store(1, Relaxed); fence(); Y.load(Relaxed) }); "
        "Y.store(1, Relaxed); fence(); let x = X.load(Relaxed); assert!(x + t.join().unwrap() > 0);",
        "safe 3 0",
    ),
    "no fence in assembly": (
        'fn fence() { unsafe { std::arch::asm!("pause", "sfence", "rep; nop # mfence", options(nostack)); } } '
        "static X: AtomicU8 = AtomicU8::new(0); static Y: AtomicU8 = AtomicU8::new(0); "
        "let t = thread::spawn(|| { X.store(1, Relaxed); fence(); Y.load(Relaxed) }); "
        "Y.store(1, Relaxed); fence(); let x = X.load(Relaxed); assert!(x + t.join().unwrap() > 0);",
        "assertion 2 0",
    ),
    "a builder": (
        'let t = thread::Builder::new().name("w".into()).spawn(|| thread::current().name().map(|n| n.len())).unwrap(); '
        "assert_eq!(t.join().unwrap(), Some(1));",
        "safe 1 0",
    ),
    "printing": ('let t = thread::spawn(|| println!("{}", 1)); t.join().unwrap(); eprintln!("{:?}", [1]);', "safe 1 0"),
    "a panic": ('let t = thread::spawn(|| panic!("no")); t.join().unwrap();', "exit 0 1"),
    "what is not there": ("let v: Option<u32> = None; thread::spawn(move || v.unwrap()).join().unwrap();", "exit 0 1"),
    "an overflow": (
        "static X: AtomicU8 = AtomicU8::new(255); let t = thread::spawn(|| X.load(Relaxed) + 1); t.join().unwrap();",
        "exit 0 1",
    ),
    "an assertion": (
        "static X: AtomicU8 = AtomicU8::new(1); thread::spawn(|| assert!(X.load(Relaxed) == 0)).join().unwrap();",
        "assertion 0 1",
    ),
    "an exit with an error": ("thread::spawn(|| std::process::exit(3)); thread::yield_now();", "exit 1 0"),
    "an error of main": ("", "exit 1 0"),
    "a vector that grows under a lock": (
        "let v = Mutex::new(Vec::new()); thread::scope(|s| { s.spawn(|| v.lock().unwrap().push(1u8)); "
        "v.lock().unwrap().push(2); }); assert_eq!(v.lock().unwrap().len(), 2);",
        None,
    ),
    "bytes that are compared": (
        "let v = Mutex::new([1u16, 2, 700]); thread::scope(|s| { s.spawn(|| v.lock().unwrap()[1] = 515); }); "
        "let g = v.lock().unwrap(); let b = [g[0] as u8, g[2] as u8]; assert_eq!(*g, [1, 515, 700]); "
        "assert!(b[..] < [1u8, 0xbd][..] && b[..] > [1u8, 0xbb][..] && b[..] == [1u8, 0xbc][..]);",
        "safe 1 0",
    ),
    "what was in a mutex": (
        "let m = Mutex::new(1); thread::scope(|s| { s.spawn(|| *m.lock().unwrap() += 1); *m.lock().unwrap() += 1; }); "
        "assert_eq!(m.into_inner().unwrap(), 3);",
        "safe 2 2",
    ),
    "the crate xgen": (
        "let m = Arc::new(xgen::sync::Mutex::new(0)); let o = m.clone(); "
        "let t = xgen::thread::spawn(move || *o.lock().unwrap() = 1); t.join().unwrap(); "
        "assert_eq!(*m.lock().unwrap(), if cfg!(xgen) { 1 } else { 0 });",
        "safe 1 0",
    ),
}
USES = """#![allow(unused)]
use std::cell::Cell;
use std::sync::atomic::{Ordering::*, *};
use std::sync::*;
use std::thread;
"""


@rusts
@pytest.mark.slow
@pytest.mark.parametrize("name", STD)
def test_std(name: str) -> None:
    body, expected = STD[name]
    head, foot = ("fn main() {", "}") if body else ("fn main() -> Result<(), u32> { Err(1)", "}")
    found = answer(xgen.parse(f"{USES}{head}\n    {body}\n{foot}\n", "rs"))
    assert found == expected or (expected is None and found.startswith("safe "))


@rusts
@pytest.mark.parametrize("name", ["message", "message_us", "rounds"])
def test_kept_is_what_rustc_makes(name: str, tmp_path: Path) -> None:
    """The IR of today's rustc has the executions of that which is kept."""
    made = tmp_path / "made.ll"
    flags = ["-Copt-level=0", "-Cpanic=abort", "-Cdebuginfo=2", "-Ccodegen-units=1", "-Cdebug-assertions=off"]
    command = ["rustc", "--edition=2021", "--crate-type=lib", *flags, f"--emit=llvm-ir={made}"]
    subprocess.run([*command, KEPT / f"rust_{name}.rs"], check=True)
    made.write_text(renamed(made.read_text(encoding="utf-8"), ()), encoding="utf-8")
    assert answer(xgen.load(made)) == answer(xgen.load(KEPT / f"rust_{name}.ll"))


C = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint x, y;
void *run(void *a) { atomic_store_explicit(&x, 1, ORDER); return (void *)(long)atomic_load_explicit(&y, ORDER); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_store_explicit(&y, 1, ORDER);
  atomic_load_explicit(&x, ORDER);
  pthread_join(t, 0);
}
"""
RUST = """use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
static Y: AtomicU32 = AtomicU32::new(0);
fn main() {
    let t = std::thread::spawn(|| { X.store(1, Ordering::ORDER); Y.load(Ordering::ORDER); });
    Y.store(1, Ordering::ORDER);
    X.load(Ordering::ORDER);
    t.join().unwrap();
}
"""


@rusts
@pytest.mark.parametrize(("of_c", "of_rust"), [("relaxed", "Relaxed"), ("seq_cst", "SeqCst")])
def test_as_in_c(of_c: str, of_rust: str) -> None:
    from_c = xgen.parse(C.replace("ORDER", f"memory_order_{of_c}"), "c", map="none")
    from_rust = xgen.parse(RUST.replace("ORDER", of_rust), "rs", map="none")
    for model in ("sc", "rc11", "arm8"):
        one, other = (xgen.check(program, xgen.model(model)) for program in (from_c, from_rust))
        assert (one.verdict, one.executions) == (other.verdict, other.executions), model


@rusts
def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("message.rs").write_text((FOLDER / "message_us.rs").read_text(encoding="utf-8"), encoding="utf-8")
    found = run("check", "message.rs", "-q", "--errors", "gcc")
    assert found.exit_code == 1
    assert found.stdout.startswith("violation: data race on ")
    assert "message.rs:26:29: error: data race on " in found.stderr
    assert " in main::{closure#0}" in found.stderr
    said = run("check", "message.rs").stdout
    assert "`Ordering::Release` is missing here" in said
    document = json.loads(run("check", "message.rs", "--format", "json").stdout)
    assert document["witness"]["error"]["kind"] == "race"
    assert run("check", "message.rs", "--on", "x86", "-q").stdout.startswith("safe")
    assert run("check", "message.rs", "--on", "armv8", "-q").stdout.startswith("violation")


@rusts
def test_other_questions() -> None:
    """Orders in std, where a count of Arc is given back, stand at a place of the program beside a fence."""
    weakened = run("check", str(FOLDER / "spsc.rs"), "--weaken")
    assert (weakened.exit_code, weakened.stderr) == (0, "")
    assert "not noticed" in weakened.stdout
    fences = run("fences", str(FOLDER / "message_us.rs"), "--mcm", "rc11", "--orders", "only")
    assert "release at line 23 `other.full.store(true" in fences.stdout, fences.stdout
    live = run("check", str(FOLDER / "workers.rs"), "--liveness", "-q")
    assert live.stdout.startswith("safe, and no thread waits for ever (model rc11-c20, no bound, 4 executions")


WRONG = [
    (("check", "wrong.rs"), "error[E0425]: cannot find value `y` in this scope\n --> wrong.rs:2:18\n"),
    (("check", "a.rs", "-D", "N=2"), "a.rs: error: the option `defines` is for C programs\n  flags of rustc stand"),
    (("check", "a.rs", "wrong.rs"), "wrong.rs: error: a Rust program is given as one file\n"),
    (("check", "a.rs", "-p", "."), ".: error: there is no Cargo.toml here\n"),
    (("check", "a.rs", "--entry", "f"), "a.rs: error: a Rust program begins with `main`\n"),
    (("check", "a.rs", "--compiler", "nothing"), "error: Rust is read through `nothing`, which is not there\n"),
    (("check", "lib.rs"), "error[E0601]: `main` function not found in crate `program`\n --> lib.rs:1:"),
]


@rusts
@pytest.mark.parametrize(("words", "said"), WRONG)
def test_refused(words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.rs").write_text("fn main() {}\n")
    Path("lib.rs").write_text("pub fn f() {}\n")
    Path("wrong.rs").write_text("fn main() {\n    let x: u32 = y;\n}\n")
    found = run(*words)
    assert found.exit_code == 2
    assert found.stderr.startswith(said), found.stderr


@rusts
@pytest.mark.skipif(os.name != "posix", reason="there is no shell")
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(("number", "stopped"), [("INT", "interrupt"), ("ALRM", "timeout")])
def test_rustc_takes_long(
    number: str, stopped: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C, and the end of the time, while a compiler runs that would run on, and what it has started."""
    monkeypatch.chdir(tmp_path)
    Path("a.rs").write_text("fn main() {}\n")
    long = f'[ "$1" = -vV ] && exec rustc -vV\nsleep 600 &\nkill -{number} $PPID\nsleep 600\n'
    Path("long").write_text(f"#!/bin/sh\n{long}")
    Path("long").chmod(0o755)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = run("check", "a.rs", "--compiler", "./long", "--format", form, "--timeout", "600")
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.exit_code == 3
    if form == "json":
        document = json.loads(found.stdout)
        assert (document["verdict"], document["stopped"]) == ("interrupted", stopped)
    elif stopped == "interrupt":
        assert (found.stdout, found.stderr) == ("", "interrupted\n")
    else:
        assert found.stdout.startswith("interrupted by the time limit after ")


@rusts
def test_what_is_compiled_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that changes is read anew; nothing is compiled where nothing changes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("a.rs").write_text("mod b;\nfn main() { std::thread::spawn(b::f).join().unwrap(); }\n")
    Path("b.rs").write_text("pub fn f() {}\n")
    assert run("check", "a.rs", "-q").stdout.startswith("safe")
    before = {path: path.stat().st_mtime_ns for path in Path("cache").rglob("*.json")}
    assert before
    text = {path: path.read_text() for path in before}
    assert run("check", "a.rs", "-q").stdout.startswith("safe")
    assert {path: path.read_text() for path in Path("cache").rglob("*.json")} == text
    Path("b.rs").write_text("pub fn f() { panic!() }\n")
    assert run("check", "a.rs", "-q").stdout.startswith("violation")


@rusts
def test_what_else_is_compiled_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is included, a variable of the environment, a crate that a flag names: each may change."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOW", "well")
    Path("two.rs").write_text("pub const TWO: u32 = 2;\n")
    Path("text here.txt").write_text("here")
    Path("a.rs").write_text(
        'fn main() { assert!(include_str!("text here.txt").len() == 4); assert!(env!("HOW").len() == 4);\n'
        "assert!(two::TWO == 2); }\n"
    )

    def answer_of() -> str:
        subprocess.run(["rustc", "--crate-type=rlib", "two.rs"], check=True)
        return run("check", "a.rs", "-q", "--", "--extern", "two=libtwo.rlib").stdout.split(" ")[0]

    assert answer_of() == "safe"
    monkeypatch.setenv("HOW", "badly")
    assert answer_of() == "violation:"
    monkeypatch.setenv("HOW", "well")
    assert answer_of() == "safe"
    Path("two.rs").write_text("pub const TWO: u32 = 3;\n")
    assert answer_of() == "violation:"
    Path("two.rs").write_text("pub const TWO: u32 = 2;\n")
    assert answer_of() == "safe"
    Path("text here.txt").write_text("there")
    assert answer_of() == "violation:"


@rusts
def test_a_crate_that_is_vendored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is of a registry, and stands in the project all the same; and a build script says what it reads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {
        ".cargo/config.toml": '[source.crates-io]\nreplace-with = "vendored"\n'
        '[source.vendored]\ndirectory = "vendor"\n',
        "Cargo.toml": '[workspace]\nmembers = ["app"]\nresolver = "2"\n',
        "app/Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nfour = "1"\n',
        "app/build.rs": 'fn main() { let text = std::fs::read_to_string("number").unwrap();\n'
        'println!("cargo:rerun-if-changed=number"); println!("cargo:rustc-cfg=n{}", text.trim()); }\n',
        "app/number": "4",
        "app/src/main.rs": "fn main() { assert!(four::four() == if cfg!(n4) { 4 } else { 0 }); }\n",
        "vendor/four/Cargo.toml": '[package]\nname = "four"\nversion = "1.0.0"\n',
        "vendor/four/.cargo-checksum.json": '{"files": {}}',
        "vendor/four/src/lib.rs": "pub fn four() -> u32 { 4 }\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)

    def answer_of(name: str, text: str) -> str:
        Path(name).write_text(text)
        return run("check", "app/src/main.rs", "-p", "app", "-q").stdout.split(" ")[0]

    vendored = "vendor/four/src/lib.rs"
    assert answer_of("app/number", "4") == "safe"
    assert answer_of(vendored, "pub fn four() -> u32 { 5 }\n") == "violation:"
    assert answer_of(vendored, files[vendored]) == "safe"
    assert answer_of("app/number", "5") == "violation:"


@rusts
def test_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crate beside the project, whose text may change; a program in each place that cargo has for them."""
    monkeypatch.chdir(tmp_path)
    main = "use cell::Cell;\nuse std::thread;\n"
    main += "fn main() {{ let c = Cell::new(); thread::scope(|s| {{ s.spawn(|| c.put(1)); {} }}); }}\n"
    files = {
        "app/Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
        '[dependencies]\ncell = { path = "../cell" }\n',
        "app/src/main.rs": main.format("if let Some(x) = c.get() { assert_eq!(x, 1); }"),
        "app/examples/late.rs": main.format("assert!(c.get().is_some());"),
        "cell/Cargo.toml": '[package]\nname = "cell"\nversion = "0.1.0"\nedition = "2021"\n',
        "cell/src/lib.rs": """use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
pub struct Cell { value: UnsafeCell<u32>, full: AtomicBool }
unsafe impl Sync for Cell {}
impl Cell {
    pub fn new() -> Cell { Cell { value: UnsafeCell::new(0), full: AtomicBool::new(false) } }
    pub fn put(&self, value: u32) { unsafe { *self.value.get() = value }; self.full.store(true, Ordering::Release); }
    pub fn get(&self) -> Option<u32> {
        if self.full.load(Ordering::Acquire) { Some(unsafe { *self.value.get() }) } else { None }
    }
}
""",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)

    def answer_of(name: str) -> str:
        return run("check", name, "-p", "app", "-q").stdout

    assert answer_of("app/src/main.rs") == "safe (model rc11-c20, no bound, 2 executions, exhaustive)\n"
    assert answer_of("app/examples/late.rs").startswith("violation: assertion violated at app/examples/late.rs:")
    found = run("check", "cell/src/lib.rs", "-p", "app")
    assert found.exit_code == 2
    assert "no target of app/Cargo.toml begins with this file" in found.stderr
    assert "app/src/main.rs" in found.stderr
    cargo = files["app/Cargo.toml"]
    Path("app/Cargo.toml").write_text(cargo.replace("../cell", "../no"))
    found = run("check", "app/src/main.rs", "-p", "app")
    assert found.exit_code == 2
    assert "cannot compile this: failed to get `cell` as a dependency" in found.stderr
    assert "  the cause: No such file" in found.stderr
    Path("app/Cargo.toml").write_text(cargo)
    Path("cell/src/lib.rs").write_text(files["cell/src/lib.rs"].replace("Ordering::Release", "Ordering::Relaxed"))
    assert answer_of("app/src/main.rs").startswith("violation: data race on ")
    assert not Path("app/target/debug").exists()
