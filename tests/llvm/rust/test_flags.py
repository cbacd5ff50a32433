"""What cargo takes from variables and its configuration for all crates: of that, names that are set count."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import rusts

import xgen
from xgen.frontends.llvm.rust.cargo import cfgs_of_cargo
from xgen.frontends.testing import asks_about_waiting, cfgs_in

HOST = "x86_64-unknown-linux-gnu"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which commands run, without variables and configuration of the machine."""
    for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_in_flags() -> None:
    assert cfgs_in(["-O", "--cfg", "loom", '--cfg=feature="x"', "-Ctarget-cpu=native"]) == ("loom", 'feature="x"')
    assert cfgs_in([]) == ()


def test_variables_come_before_the_configuration(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(folder, '[build]\nrustflags = ["--cfg", "of_all"]\n')
    assert cfgs_of_cargo("a.rs", HOST) == ("of_all",)
    monkeypatch.setenv("RUSTFLAGS", "-O --cfg loom")
    assert cfgs_of_cargo("a.rs", HOST) == ("loom",)
    monkeypatch.setenv("CARGO_ENCODED_RUSTFLAGS", "--cfg=one\x1f--cfg\x1ftwo")
    assert cfgs_of_cargo("a.rs", HOST) == ("two", "one")
    monkeypatch.setenv("CARGO_ENCODED_RUSTFLAGS", "")
    assert cfgs_of_cargo("a.rs", HOST) == ()


def test_the_configuration(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags of this machine are taken in the place of those of all; those of folders above count as well."""
    configure(folder, '[build]\nrustflags = "--cfg above -O"\n')
    (folder / "inner").mkdir()
    monkeypatch.chdir(folder / "inner")
    configure(folder / "inner", '[build]\nrustflags = ["--cfg=here"]\n[target.other]\nrustflags = "--cfg no"\n')
    assert cfgs_of_cargo("a.rs", HOST) == ("here", "above")
    configure(folder / "inner", f'[target.{HOST}]\nrustflags = ["--cfg", "host"]\n')
    assert cfgs_of_cargo("a.rs", HOST) == ("host",)
    configure(folder / "inner", "[target.'cfg(unix)']\nrustflags = \"-O\"\n")
    assert cfgs_of_cargo("a.rs", HOST) == ("above",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[target.'cfg(unix)']\nrustflags = \"--cfg zz\"\n",
            "whether `cfg(unix)` holds for a.rs, which sets `zz`, is not",
        ),
        ("[build\n", "this is no configuration of cargo: "),
    ],
)
def test_what_is_not_understood(folder: Path, text: str, message: str) -> None:
    configure(folder, text)
    with pytest.raises(xgen.UsageError) as raised:
        cfgs_of_cargo("a.rs", HOST)
    assert raised.value.message.startswith(message)
    assert raised.value.file == str(folder / ".cargo/config.toml")


@pytest.mark.usefixtures("folder")
def test_loom_asks_whether_threads_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asks_about_waiting("a.rs", {"build": "."}) is None
    monkeypatch.setenv("RUSTFLAGS", "--cfg loom")
    assert asks_about_waiting("a.rs", {"build": "."}) == "--cfg loom"
    assert asks_about_waiting("a.rs", {}) is None
    assert asks_about_waiting("a.cpp", {"build": "."}) is None


@rusts
def test_a_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one run has found is not said of the other."""
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n')
    (folder / "src/lib.rs").write_text("#[test]\nfn plain() { assert!(!cfg!(zz)); }\n")
    assert run("check", "-p", ".").stdout.startswith("plain: safe (")
    configure(folder, '[build]\nrustflags = ["--cfg", "zz"]\n')
    assert run("check", "-p", ".").stdout.startswith("plain: violation: ")
    monkeypatch.setenv("RUSTFLAGS", "")
    assert run("check", "-p", ".").stdout.startswith("plain: safe (")


def configure(folder: Path, text: str) -> None:
    """Writes a configuration of cargo."""
    (folder / ".cargo").mkdir(exist_ok=True)
    (folder / ".cargo/config.toml").write_text(text)
