"""A project of cargo: all its crates are compiled as a file is, with what cargo knows of them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import Any

from xgen.errors import Source, UsageError
from xgen.frontends.asking import text_of
from xgen.frontends.llvm.rust.rustc import FLAGS, Rustc, complaint, run, with_std

_PROGRAMS = ("bin", "example")
_OTHERS = ("test", "bench", "custom-build", "proc-macro")
"""Kinds of targets that are no libraries."""
_BETWEEN = "\x1f"


def built(
    source: Source, build: str, work: str, rustc: Rustc, flags: Sequence[str], crate: str
) -> tuple[list[tuple[str, str]], set[str]]:
    """The IR of a program of a project, or of its library (the type of the crate: "bin" or "lib"), and of all crates
    that it uses, and the files that were read for it.

    Raises CompilerError and UsageError.
    """
    manifest = build if os.path.basename(build) == "Cargo.toml" else os.path.join(build, "Cargo.toml")
    if not os.path.isfile(manifest):
        hint = "for Rust, `-p` takes the folder of a project of cargo"
        raise UsageError("there is no Cargo.toml here", file=build, hint=hint)
    known = _metadata(source, manifest)
    which = _library(source, manifest, known) if crate == "lib" else _target(source, manifest, known)
    folder = os.path.join(work, "target")
    words = ["cargo", *which, "--quiet", "--manifest-path", manifest]
    ended = run([*words, "--target", rustc.host, "--target-dir", folder], _environment(work, rustc, flags))
    if ended.returncode:
        raise complaint(ended.stderr, source, "cargo")
    made = glob(os.path.join(folder, rustc.host, "*", "deps", "*.ll"))
    made += glob(os.path.join(folder, rustc.host, "*", "examples", "*.ll"))
    return [(os.path.basename(each), text_of(each)) for each in sorted(made)], _files(manifest, known)


def _targets(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    members = set(metadata["workspace_members"])
    return [each for package in metadata["packages"] if package["id"] in members for each in package["targets"]]


def _library(source: Source, manifest: str, metadata: dict[str, Any]) -> tuple[str, ...]:
    """What cargo is asked for: the library that begins with a file, as one of Rust, whatever else it is made as."""
    found = [target["src_path"] for target in _targets(metadata) if not {*_PROGRAMS, *_OTHERS} & {*target["kind"]}]
    if os.path.realpath(source.name) not in map(os.path.realpath, found):
        hint = f"its library begins in {', '.join(map(os.path.relpath, found))}" if found else "it has no library"
        raise UsageError(f"no library of {manifest} begins in this file", file=source.name, hint=hint)
    return "rustc", "--lib", "--crate-type=lib"


def _target(source: Source, manifest: str, metadata: dict[str, Any]) -> tuple[str, ...]:
    """What cargo is asked for: the program that begins with a file."""
    known = []
    for target in _targets(metadata):
        kind = next((kind for kind in target["kind"] if kind in _PROGRAMS), None)
        if kind is None:
            continue
        if os.path.realpath(target["src_path"]) == os.path.realpath(source.name):
            return "build", f"--{kind}", target["name"]
        known.append(os.path.relpath(target["src_path"]))
    hint = f"its programs begin in {', '.join(known)}" if known else "it has a library only: an example has a main"
    raise UsageError(f"no program of {manifest} begins in this file", file=source.name, hint=hint)


def _metadata(source: Source, manifest: str) -> dict[str, Any]:
    """What cargo knows of the packages that are built, those of a registry included."""
    ended = run(["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest])
    if ended.returncode:
        raise complaint(ended.stderr, source, "cargo")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _files(manifest: str, metadata: dict[str, Any]) -> set[str]:
    """The files that may change what is built: those of all packages that are not from a registry."""
    found = {os.path.abspath(os.path.join(os.path.dirname(manifest), "Cargo.lock"))}
    for package in metadata["packages"]:
        if package["source"] is None:
            root = Path(package["manifest_path"]).parent
            found |= {str(root / "Cargo.toml"), *(str(file) for file in root.rglob("*.rs") if _is_source(file, root))}
    return found


def _is_source(file: Path, root: Path) -> bool:
    return "target" not in file.relative_to(root).parts[:-1]


def _environment(work: str, rustc: Rustc, flags: Sequence[str]) -> dict[str, str]:
    """Flags for all crates of the program; what runs while it is built, as macros, is compiled as ever."""
    words = [*FLAGS, *with_std(work), "--emit=llvm-ir", *flags]
    return {
        "CARGO_ENCODED_RUSTFLAGS": _BETWEEN.join(words),
        "CARGO_INCREMENTAL": "0",
        "RUSTC": rustc.words[0] if len(rustc.words) == 1 else "rustc",
    }
