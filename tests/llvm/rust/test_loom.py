"""Tests of loom, as they stand in a file: xgen's own crate `loom` is compiled with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import rusts

import xgen
from xgen.frontends.llvm.rust.loom import in_its_place, is_loom, lock_kept

TESTS = """
use loom::cell::UnsafeCell;
use loom::future::block_on;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::sync::{Arc, Notify};
use loom::{model, thread};

struct Slot {
    state: AtomicUsize,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Slot {}

fn slot(order: std::sync::atomic::Ordering) {
    model(move || {
        let slot = Arc::new(Slot { state: AtomicUsize::new(0), value: UnsafeCell::new(0) });
        let other = slot.clone();
        let writer = thread::spawn(move || {
            other.value.with_mut(|value| unsafe { *value = 3 });
            other.state.store(1, order);
        });
        if slot.state.load(Acquire) == 1 {
            assert_eq!(slot.value.with(|value| unsafe { *value }), 3);
        }
        writer.join().unwrap();
    })
}

#[test]
fn release() {
    slot(Release);
}

#[test]
fn relaxed() {
    slot(Relaxed);
}

#[test]
fn told_twice() {
    model(|| {
        let told = Arc::new(Notify::new());
        let other = told.clone();
        thread::spawn(move || other.notify());
        told.wait();
        told.wait();
    })
}

#[test]
fn drives() {
    loom::model::Builder::new().check(|| assert_eq!(block_on(async { 3 }), 3))
}

#[test]
fn names() {
    model(|| {
        assert_eq!(thread::current().name(), None);
        let one = thread::Builder::new().name("main".into()).spawn(|| thread::current().name().map(str::len)).unwrap();
        assert_eq!(one.thread().name(), Some("main"));
        assert_eq!(one.join().unwrap(), Some(4));
    })
}
"""
VERDICTS = [
    ("release", "safe", 2),
    ("relaxed", "race", 2),
    ("told_twice", "await", 0),
    ("drives", "safe", 1),
    ("names", "safe", 1),
]


# ---- without rustc


def test_flags_that_ask_for_loom() -> None:
    assert is_loom(["--edition=2021", "--cfg", "loom"])
    assert is_loom(["--cfg=loom"])
    assert is_loom(["--cfg", "oneshot_loom"])
    assert not is_loom(["--cfg", "looms", "loom"])


def test_each_version_has_one_in_its_place(tmp_path: Path) -> None:
    source = "registry+https://github.com/rust-lang/crates.io-index"
    packages = [
        {"name": "loom", "version": "0.7.2", "source": source, "features": {"default": [], "futures": ["pin-utils"]}},
        {"name": "loom", "version": "0.5.6", "source": source, "features": {}},
        {"name": "log", "version": "0.4.0", "source": source, "features": {}},
    ]
    words = in_its_place({"packages": packages}, str(tmp_path))
    assert words[:2] == ["--config", 'patch.crates-io.loom-0-7-2.package="loom"']
    assert len(words) == 8
    text = (tmp_path / "crates/loom-0.7.2/Cargo.toml").read_text(encoding="utf-8")
    assert 'version = "0.7.2"' in text
    assert '"futures" = []' in text


@pytest.mark.parametrize("before", [None, "as it was"])
def test_the_lock_stays_as_it_was(tmp_path: Path, before: str | None) -> None:
    file = tmp_path / "Cargo.lock"
    if before is not None:
        file.write_text(before, encoding="utf-8")
    with lock_kept({"workspace_root": str(tmp_path)}):
        file.write_text("of another loom", encoding="utf-8")
    assert (file.read_text(encoding="utf-8") if file.exists() else None) == before
    assert len(list(tmp_path.iterdir())) == (before is not None)


# ---- with rustc


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("loom") / "loom.rs"
    found.write_text(TESTS, encoding="utf-8")
    return found


@rusts
@pytest.mark.parametrize(("name", "expected", "executions"), VERDICTS)
def test_one_of_loom(file: Path, name: str, expected: str, executions: int) -> None:
    result = xgen.check(xgen.load(file, test=name, cfgs=("loom",)), liveness=True)
    found = result.witness.violations[0].kind if result.witness else result.verdict
    assert (found, result.executions) == (expected, executions)


@rusts
def test_an_optional_loom_of_a_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """xgen's own is taken in its place where a feature asks for it. A crate without std finds std where another one
    that it uses has it, and what no test uses is not linked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {
        ".cargo/config.toml": '[source.crates-io]\nreplace-with = "vendored"\n'
        '[source.vendored]\ndirectory = "vendor"\n',
        "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
        '[features]\nloom = ["dep:loom"]\n[dependencies]\nouter = { path = "outer" }\n'
        '[target."cfg(loom)".dependencies.loom]\nversion = "0.7"\noptional = true\n',
        "src/lib.rs": "pub fn two() -> u32 { outer::two() }\n",
        "tests/all.rs": "#![cfg(loom)]\n#[test]\nfn all() { loom::model(|| assert_eq!(app::two(), 2)) }\n",
        "outer/Cargo.toml": '[package]\nname = "outer"\nversion = "0.1.0"\nedition = "2021"\n'
        '[dependencies]\ninner = { path = "inner" }\n',
        "outer/src/lib.rs": "#![no_std]\npub use inner::*;\n",
        "outer/inner/Cargo.toml": '[package]\nname = "inner"\nversion = "0.1.0"\n',
        "outer/inner/src/lib.rs": "#![no_std]\nextern crate std;\npub fn two() -> u32 { std::cmp::max(1, 2) }\n",
        "vendor/loom/Cargo.toml": '[package]\nname = "loom"\nversion = "0.7.2"\n',
        "vendor/loom/.cargo-checksum.json": '{"files": {}}',
        "vendor/loom/src/lib.rs": 'compile_error!("this one is not compiled");\n',
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    found = run("check", "tests/all.rs", "-p", ".", "--cfg", "loom", "--features", "loom")
    assert found.stderr == ""
    assert found.stdout.startswith("all: safe, and no thread waits for ever (model rc11-c20, no bound, 1 execution, ")
    assert found.exit_code == 0
