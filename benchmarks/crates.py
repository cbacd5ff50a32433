"""Tests of public crates as they stand: their own loom tests beside loom, and their ordinary ones (`#[test]`).

python benchmarks/crates.py FOLDER [--only WORD] > results/crates.csv

Each crate is taken from the crates registry, by cargo, at the version that stands here, and copied into the folder. Of
its files only Cargo.toml is changed: dependencies that no chosen test needs, such as those of benchmarks, are taken
out. Its Cargo.lock is left out, as for whoever uses the crate. cargo builds the tests with the loom that the crate asks
for (or with nothing, for ordinary ones), and xgen reads the same files with the same flags; ignored tests are left out.

Seconds are the processor's, of whole commands, beside compiling. The peer's command is the test's program, which cargo
has built before, with optimisation; xgen's is `xgen check FILE -p CRATE --test NAME`, the second time that it is said:
it has the test as it compiled and translated it in the first one (`first_s`, and `compiled_s` for all tests of the
target, its std and its crates, in the row of the first test). A command that needs more than LIMIT is stopped. The
peer of an ordinary test is the test run once, by itself: one of its many executions.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import loom
from harness import XGEN, Finished, run, write
from loom import limited

ASKS = """[package]
name = "asks"
version = "0.0.0"
edition = "2021"
[dependencies]
{name} = "={version}"
[workspace]
"""
FIELDS = [
    "suite", "crate", "version", "target", "test", "outcome", "xgen", "executions", "cpu_s", "first_s", "compiled_s",
    "peer", "peer_cpu_s", "note",
]  # fmt: skip
LIMIT = 60
"""Seconds of the processor for one command."""
PLACE = re.compile(r"(\S*/)?[\w.-]+\.(rs|toml)(:\d+)*:? ?")
"""A file in a message; where it stands differs from machine to machine."""


@dataclass(frozen=True)
class Target:
    """Tests of a crate: those of a file in `tests`, or of its library, with what cargo and rustc are told."""

    crate: str
    version: str
    file: str = ""
    cfg: str = ""
    features: str = ""
    flags: tuple[str, ...] = ()
    tests: str = ""
    without: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        return "loom" if self.cfg else "test"

    @property
    def where(self) -> str:
        return f"tests/{self.file}.rs" if self.file else "library"

    @property
    def chosen(self) -> list[str]:
        return ["--features", self.features] if self.features else []


DEBUG = ("-Cdebug-assertions=on",)
BENCH = ("criterion",)
TARGETS = (
    Target("parking", "2.2.1", "loom", "loom", "loom"),
    Target("event-listener", "5.4.2", "loom", "loom", "loom", without=BENCH),
    Target("concurrent-queue", "2.5.0", "loom", "loom", "loom", without=BENCH),
    Target("oneshot", "0.2.1", "loom", "oneshot_loom", "loom,std,async", without=("async-std", "tokio")),
    Target("bytes", "1.12.2", "", "loom", tests="::fuzz::"),
    Target("arcstr", "1.2.0", "", "loom", tests="::loomtest::"),
    Target("ecow", "0.3.1", "loom", "loom", "loom"),
    Target("left-right", "0.11.8", "loom", "loom"),
    Target("diatomic-waker", "0.2.3", "", "diatomic_waker_loom"),
    Target("async-event", "0.2.1", "", "async_event_loom", without=("tokio",)),
    Target("st3", "0.4.1", "loom", "st3_loom", without=BENCH),
    Target("haphazard", "0.1.8", "loom", "loom", without=BENCH),
    Target("crossbeam-epoch", "0.9.21", "loom", "crossbeam_loom", "loom", ("--cfg", "crossbeam_sanitize")),
    Target("cordyceps", "0.3.5", "", "loom", "alloc"),
    Target("thingbuf", "0.1.6", "", "loom"),
    Target("sharded-slab", "0.1.7", "", "loom", "loom", DEBUG, without=BENCH),
    Target("maitake-sync", "0.3.0", "", "loom"),
    Target("tokio", "1.54.1", "", "loom", "sync", DEBUG, "sync::tests"),
    Target("parking", "2.2.1", "parking"),
    Target("event-listener", "5.4.2", "notify", without=BENCH),
    Target("concurrent-queue", "2.5.0", "bounded", without=BENCH),
    Target("concurrent-queue", "2.5.0", "single", without=BENCH),
    Target("concurrent-queue", "2.5.0", "unbounded", without=BENCH),
    Target("oneshot", "0.2.1", "sync", "", "std", without=("async-std", "tokio")),
    Target("want", "0.3.2"),
    Target("atomic-waker", "1.1.2", "basic", without=BENCH),
    Target("bytes", "1.12.2", "test_chain"),
    Target("left-right", "0.11.8", "deque"),
    Target("spin", "0.12.3", without=BENCH),
    Target("crossbeam-utils", "0.8.23", "parker"),
    Target("crossbeam-utils", "0.8.23", "wait_group"),
    Target("crossbeam-utils", "0.8.23", "sharded_lock"),
    Target("crossbeam-queue", "0.3.14", "array_queue"),
    Target("crossbeam-queue", "0.3.14", "seg_queue"),
    Target("once_cell", "1.21.4", "it"),
    Target("arc-swap", "1.9.5"),
)


@dataclass(frozen=True)
class Test:
    """A test that cargo has built, and the program that has it."""

    name: str
    program: Path


def lighter(manifest: str, without: tuple[str, ...]) -> str:
    """A crate's Cargo.toml, as the registry has it, without dependencies for development, and without benchmarks."""
    heads = ("[[bench]]", *(f"[dev-dependencies.{name}]" for name in without))
    return "".join(part for part in re.split(r"(?m)^(?=\[)", manifest) if not part.startswith(heads))


def taken(target: Target, folder: Path) -> Path:
    """The crate, as it was published, in the folder."""
    there = folder / f"{target.crate}-{target.version}"
    if not there.exists():
        asks = folder / "asks"
        (asks / "src").mkdir(parents=True, exist_ok=True)
        (asks / "src" / "lib.rs").write_text("")
        (asks / "Cargo.toml").write_text(ASKS.format(name=target.crate, version=target.version))
        (asks / "Cargo.lock").unlink(missing_ok=True)
        command = ["cargo", "metadata", "--format-version=1", "--manifest-path", str(asks / "Cargo.toml")]
        told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        found = next(one for one in told["packages"] if one["name"] == target.crate)
        shutil.copytree(Path(found["manifest_path"]).parent, there, ignore=shutil.ignore_patterns("Cargo.lock"))
    original = there / "Cargo.toml.published"
    if not original.exists():
        shutil.copy(there / "Cargo.toml", original)
    (there / "Cargo.toml").write_text(lighter(original.read_text("utf-8"), target.without), "utf-8")
    return there


def tests_in(program: Path, word: str) -> list[Test]:
    """Those that a test's program lists whose names have a word, but for ignored ones."""

    def listed(*more: str) -> set[str]:
        told = subprocess.run([str(program), "--list", *more], capture_output=True, text=True, check=True).stdout
        return set(re.findall(r"^(.+): test$", told, re.M))

    return [Test(name, program) for name in sorted(listed() - listed("--ignored")) if word in name]


def built(target: Target, crate: Path) -> tuple[list[Test], str]:
    """The tests, as cargo builds them; or what it says where it cannot."""
    flags = [*(["--cfg", target.cfg] if target.cfg else []), *target.flags]
    which = ["--test", target.file] if target.file else ["--lib"]
    command = ["cargo", "test", "--no-run", "--release", "--manifest-path", str(crate / "Cargo.toml"), *which]
    folder = str(crate.parent / "built")
    done = run([*command, *target.chosen, "--message-format=json"], RUSTFLAGS=" ".join(flags), CARGO_TARGET_DIR=folder)
    if done.status:
        error = re.search(r"^error.*", done.output, re.M)
        return [], error[0] if error else f"cargo ends with {done.status}"
    told = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
    programs = [Path(one["executable"]) for one in told if one.get("executable") and one["profile"]["test"]]
    return [test for program in programs for test in tests_in(program, target.tests)], ""


def asked(target: Target, crate: Path, *more: str) -> list[str]:
    """xgen's command."""
    which = [str(crate / target.where)] if target.file else ["--lib"]
    cfg = ["--cfg", target.cfg] if target.cfg else []
    flags = ["--", *target.flags] if target.flags else []
    return [XGEN, "check", *which, "-p", str(crate), *cfg, *target.chosen, *more, "--format", "json", *flags]


def short(text: str) -> str:
    """A message without places, on one line."""
    words = " ".join(PLACE.sub("", text).split())
    return words if len(words) <= 160 else f"{words[:157]}..."


def document(output: str) -> dict[str, Any]:
    """The answer in what xgen wrote, which is an error where there is none."""
    found = re.search(r"^\{.*?^\}", output, re.M | re.S)
    return json.loads(found[0]) if found else {"error": {"message": output}}


def xgen_says(done: Finished) -> dict[str, object]:
    """Its verdict: `refused` where a test is not read, `no answer` where it is not decided."""
    told = document(done.output)
    error, verdict = told.get("error"), str(told.get("verdict"))
    if isinstance(error, dict):
        return {"xgen": "refused", "note": short(str(error["message"]))}
    if verdict == "safe" and not told.get("vacuous"):
        return {"xgen": "safe", "executions": told["executions"]}
    if verdict == "violation":
        witness = told.get("witness")
        found = witness.get("error") if isinstance(witness, dict) else None
        kind, message = (found["kind"], found["message"]) if isinstance(found, dict) else ("", "")
        return {"xgen": "violation", "note": short(f"{kind}: {message}")}
    warnings = told.get("warnings")
    note = warnings[0] if isinstance(warnings, list) and warnings else verdict
    return {"xgen": "no answer", "note": short(str(note))}


def of_xgen(command: list[str], cache: str) -> dict[str, object]:
    """What it says, twice: what the second time takes is beside compiling and translating."""
    try:
        first = limited(command, LIMIT, XDG_CACHE_HOME=cache)
        says: dict[str, object] = {"first_s": f"{first.cpu:.2f}"} | xgen_says(first)
        if says["xgen"] in ("safe", "violation"):
            says |= {"cpu_s": f"{limited(command, LIMIT, XDG_CACHE_HOME=cache).cpu:.2f}"}
    except TimeoutError as late:
        return {"xgen": "no answer", "note": str(late)}
    return says


def of_peer(test: Test) -> dict[str, object]:
    """What the test's program says: loom of all executions, or the system of one."""
    try:
        done = limited([str(test.program), "--exact", test.name], LIMIT)
    except TimeoutError as late:
        return {"peer": "no answer", "note": str(late)}
    said = loom.loom_says(done)
    return {"peer": said["verdict"], "peer_cpu_s": f"{done.cpu:.2f}", "note": short(said.get("note", ""))}


def outcome(ours: str, peers: str) -> str:
    """How two answers compare."""
    if ours not in ("safe", "violation"):
        return ours
    if peers not in ("safe", "violation"):
        return "alone"
    return "agreed" if ours == peers else "differs"


def of(target: Target, folder: Path, cache: str) -> Iterator[dict[str, object]]:
    """The rows of a target."""
    row: dict[str, object] = dict.fromkeys(FIELDS, "")
    row |= {"suite": target.suite, "crate": target.crate, "version": target.version, "target": target.where}
    crate = taken(target, folder)
    tests, error = built(target, crate)
    if not tests:
        yield row | {"outcome": "not built", "note": short(error or "cargo lists no tests")}
        return
    listed = run(asked(target, crate, "--list-tests"), XDG_CACHE_HOME=cache)
    if "tests" not in document(listed.output):
        for test in tests:
            yield row | {"test": test.name, "outcome": "refused"} | of_peer(test) | xgen_says(listed)
        return
    once: dict[str, object] = {"compiled_s": f"{listed.cpu:.2f}"}
    for test in tests:
        theirs, ours = of_peer(test), of_xgen(asked(target, crate, "--test", test.name), cache)
        notes = [f"{who}: {said['note']}" for who, said in (("peer", theirs), ("xgen", ours)) if said.get("note")]
        said = theirs | ours | {"note": "; ".join(notes)}
        yield row | once | {"test": test.name, "outcome": outcome(str(ours["xgen"]), str(theirs["peer"]))} | said
        once = {}


def rows(folder: Path, only: str) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as cache:
        for target in TARGETS:
            if only in f"{target.suite} {target.crate} {target.where}":
                yield from of(target, folder, cache)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="targets that have this in `SUITE CRATE TARGET`")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    facts = {"rustc": run(["rustc", "--version"]).output.strip(), "limit": f"{LIMIT} s of the processor"}
    write(FIELDS, rows(given.folder.resolve(), given.only), None, **facts)


if __name__ == "__main__":
    main()
