"""Where projects of cargo are built: what has not changed is not compiled again, and what has is, however it has."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli.fake import run
from llvm.compiling import rusts

from xgen.frontends.llvm.rust import workplace
from xgen.frontends.llvm.rust.workplace import told_apart


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crate, another one beside it, and a program, an example and a test of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, depends in (("near", ""), ("one", 'near = { path = "../near" }\n')):
        (tmp_path / name / "src").mkdir(parents=True)
        head = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
        (tmp_path / name / "Cargo.toml").write_text(head + depends)
    (tmp_path / "near/src/lib.rs").write_text("pub fn value() -> u8 { 1 }\n")
    root = tmp_path / "one"
    (root / "src/lib.rs").write_text("pub fn value() -> u8 { near::value() }\n")
    for name in ("src/main.rs", "examples/an-example.rs"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("fn main() { assert_eq!(one::value(), 1); }\n")
    (root / "tests").mkdir()
    (root / "tests/t.rs").write_text("#[test]\nfn t() { assert_eq!(one::value(), 1); }\n")
    return root


def compiled(project: Path) -> set[str]:
    """The crates of which there is IR."""
    made = project.glob("target/xgen/*/target/*/debug/*/*.ll")
    return {path.stem.rpartition("-")[0] for path in made}


@rusts
def test_what_has_not_changed_is_not_compiled_again(project: Path) -> None:
    assert run("check", "-p", "one").stdout.startswith("t: safe (")
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*.ll")}
    assert compiled(project) == {"near", "one", "t"}
    test = project / "tests/t.rs"
    test.write_text(test.read_text().replace("1", "2"))
    assert run("check", "-p", "one").stdout.startswith("t: violation: ")
    after = {path: path.stat().st_mtime_ns for path in project.rglob("*.ll")}
    changed = {path.stem.rpartition("-")[0] for path in after if after[path] != before.get(path)}
    assert changed == {"t"}


@rusts
def test_programs_that_are_built_beside_others(project: Path) -> None:
    """What other builds have left is no part of a program."""
    for name in ("src/main.rs", "examples/an-example.rs", "src/main.rs"):
        assert run("check", f"one/{name}", "-p", "one").stdout.startswith("safe (")
    near = project.parent / "near/src/lib.rs"
    near.write_text(near.read_text().replace("1", "2"))
    for name in ("examples/an-example.rs", "src/main.rs"):
        assert run("check", f"one/{name}", "-p", "one").stdout.startswith(
            f"violation: assertion violated at one/{name}:1:"
        )


@rusts
def test_files_that_are_put_back_with_their_time(project: Path) -> None:
    near = project.parent / "near/src/lib.rs"
    before, time = near.read_text(), near.stat().st_mtime_ns
    near.write_text(before.replace("1", "2"))
    assert run("check", "one/src/main.rs", "-p", "one").stdout.startswith("violation: ")
    near.write_text(before)
    os.utime(near, ns=(time, time))
    assert run("check", "one/src/main.rs", "-p", "one").stdout.startswith("safe (")


@rusts
def test_a_project_that_does_not_compile_for_a_while(project: Path) -> None:
    near = project.parent / "near/src/lib.rs"
    before, time = near.read_text(), near.stat().st_mtime_ns
    assert run("check", "one/src/main.rs", "-p", "one").exit_code == 0
    near.write_text(before.replace("1", "2"))
    (project / "src/main.rs").write_text("fn main() { assert_eq!(one::value(), 1) no }\n")
    assert run("check", "one/src/main.rs", "-p", "one").exit_code == 2  # with the new library built
    near.write_text(before)
    os.utime(near, ns=(time, time))
    (project / "src/main.rs").write_text("fn main() { assert_eq!(one::value(), 1); }\n")
    assert run("check", "one/src/main.rs", "-p", "one").exit_code == 0


@rusts
def test_a_folder_that_cannot_be_written(project: Path) -> None:
    (project / "target").write_text("no folder")
    assert run("check", "-p", "one").stdout.startswith("t: safe (")


@rusts
def test_two_runs_at_once(project: Path) -> None:
    """The second one builds elsewhere."""
    used = list[str]()
    with workplace.workplace("one/Cargo.toml", ["k"]) as first, workplace.workplace("one/Cargo.toml", ["k"]) as second:
        used += [first, second]
    with workplace.workplace("one/Cargo.toml", ["k"]) as third:
        used.append(third)
    assert used[0] == used[2] == str(next((project / "target/xgen").iterdir()))
    assert used[1] != used[0]
    assert not Path(used[1]).exists()


@rusts
def test_old_folders_go(project: Path) -> None:
    for key in range(5):
        with workplace.workplace("one/Cargo.toml", [key]):
            pass
    assert len([*(project / "target/xgen").iterdir()]) == workplace.FOLDERS_KEPT


def test_what_is_older_and_has_another_text_is_built_anew(tmp_path: Path) -> None:
    file, made = tmp_path / "a.rs", tmp_path / "target"
    file.write_text("one")
    other = tmp_path / "vendor/b.rs"
    other.parent.mkdir()
    other.write_text("one")
    packages = {str(tmp_path): True, str(tmp_path / "vendor"): False}

    def build() -> bool:
        """Whether what was made before is still there."""
        with told_apart(str(tmp_path), lambda: [str(file), str(other), str(tmp_path / "none.rs")], packages):
            there = made.exists()
            made.mkdir(exist_ok=True)
        return there

    assert [build(), build()] == [False, True]
    file.write_text("two")  # later: cargo sees to that
    assert build()
    file.write_text("one")
    os.utime(file, ns=(1, 1))
    assert [build(), build()] == [False, True]
    other.write_text("two")  # of a registry: cargo does not look
    assert [build(), build()] == [False, True]
    file.unlink()
    assert build()
    (tmp_path / "files.json").write_text("no json")
    assert build()
    assert json.loads((tmp_path / "files.json").read_text())[str(file)][0] == ""
