"""Tests of loom, as they stand in a file: xgen's own crate `loom` is compiled with them."""

from __future__ import annotations

from pathlib import Path

import pytest
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
"""
VERDICTS = [
    ("release", "safe", 2),
    ("relaxed", "race", 2),
    ("told_twice", "await", 0),
    ("drives", "safe", 1),
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
