"""loom's own tests as commands: xgen beside loom, in one run, and what RustMC's authors publish of them.

python benchmarks/loom.py FOLDER > results/loom.csv

The tests are those of loom's repository at its last release, fetched into the folder; loom itself is that release, from
crates.io. Both read the same files, with one change: `#[should_panic]` is taken off, since loom passes such a test if
some execution fails, xgen if each does. So a test is `safe`, or a `violation`. Ignored tests are run, too.

Seconds are the processor's, of whole commands, the least of three runs by turns, beside compiling: loom's command is
the test's program, which cargo has built before, xgen's is `xgen check FILE -p . --cfg loom --test NAME`, which has the
test as it compiled it before. `first_s`, of each file's first test, is what one has to wait after a change of the file:
that file compiled by cargo, but nothing that it depends on; by xgen, with the check. `executions` of loom are its
iterations, which it tells in a run apart. RustMC's rows are what its authors published (experiment 1, the tests ported
to it, on another machine).
"""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import XGEN, Finished, run, write
from real import fetched

import xgen

TESTS = ("tokio-rs/loom", "a7033ee06a97c52eb2f8131c095fbea6c6eecba3")
"""The commit of its tag v0.7.2."""
RUSTMC = ("Ollie-Pearce/rustmc", "44dd902c6e6366430b97c96ee2979091189349a1")
PUBLISHED = "experiment1_loom"
VERSION = "0.7.2"
LIMIT, RUNS = 20, 3
"""Seconds of the processor for one run; and how many runs there are."""
MANIFEST = f"""[package]
name = "peer"
version = "0.0.0"
edition = "2021"

[features]
default = ["futures"]
futures = []

[dev-dependencies]
loom = {{ version = "={VERSION}", features = ["futures"] }}
futures-util = "=0.3.31"

[workspace]
"""
TAKEN_OFF = "#[should_panic]\n"
RENAMED = {"park_unpark": "park_unpark_loom", "thread_local_test": "thread_local", "drop_test": "drop"}
"""By RustMC's names of tests, loom's."""
OTHER_TYPES = re.compile(r"^atomic_[iu](8|16|32|64|size)::(?<!usize::)")
"""A macro makes the same six tests for each type of atomics; those of usize are enough."""
FIELDS = [
    "suite", "program", "model", "tool", "version", "verdict", "executions", "cpu_s", "first_s", "peak_mb", "note",
]  # fmt: skip
SAID = {"SUCCESS": "safe", "PANIC_FOUND": "violation", "CRASH": "no answer"}
"""What RustMC's authors call an answer."""


@dataclass(frozen=True)
class Test:
    """A test, the file and the program that it is in."""

    file: Path
    name: str
    built: Path

    @property
    def program(self) -> str:
        return f"{self.file.stem}::{self.name}"


def made(folder: Path) -> Path:
    """A project with the tests, which has loom from crates.io."""
    library = fetched(*TESTS, folder).resolve()
    project = folder.resolve() / "loom-tests"
    for name in ("src", "tests"):
        (project / name).mkdir(parents=True, exist_ok=True)
    (project / "src" / "lib.rs").write_text("")
    (project / "Cargo.toml").write_text(MANIFEST)
    for path in (library / "tests").glob("*.rs"):
        (project / "tests" / path.name).write_text(path.read_text("utf-8").replace(TAKEN_OFF, ""), "utf-8")
    return project


def built(project: Path) -> tuple[list[Test], Finished]:
    """Its tests, as cargo has built them, and what that took."""
    subprocess.run(["cargo", "-q", "fetch"], cwd=project, check=True)
    done = run(["cargo", "test", "--no-run", "--manifest-path", str(project / "Cargo.toml"), "--message-format=json"])
    tests = []
    for line in done.output.splitlines():
        told = json.loads(line) if line.startswith("{") else {}
        if told.get("executable") and told["target"]["kind"] == ["test"]:
            listed = subprocess.run([told["executable"], "--list"], check=True, capture_output=True, text=True)
            file, program = Path(told["target"]["src_path"]), Path(told["executable"])
            tests += [Test(file, name, program) for name in re.findall(r"^(.+): test$", listed.stdout, re.M)]
    tests = [test for test in tests if not OTHER_TYPES.search(test.name)]
    return sorted(tests, key=lambda test: test.program), done


def limited(command: list[str], limit: int = LIMIT, **variables: str) -> Finished:
    """Raises TimeoutError if it needs more than so many seconds of the processor."""
    done = run(["prlimit", f"--cpu={limit}:{limit + 5}", *command], "", None, **variables)
    if done.status == -signal.SIGXCPU:
        raise TimeoutError(f"not finished within {limit} s")
    return done


def of_loom(test: Test, **variables: str) -> Finished:
    return limited([str(test.built), "--exact", "--include-ignored", test.name], LIMIT, **variables)


def of_xgen(test: Test, cache: str) -> Finished:
    project = test.file.parents[1]
    command = [XGEN, "check", str(test.file), "-p", str(project), "--cfg", "loom", "--test", test.name]
    return limited([*command, "--format", "json"], XDG_CACHE_HOME=cache)


def loom_says(done: Finished) -> dict[str, str]:
    if "test result: ok. 1 passed" in done.output:
        return {"verdict": "safe"}
    message = re.search(r"panicked at .*?:\n(.*)", done.output)
    if message is None:
        return {"verdict": "violation", "note": f"the process ends with {done.status}"}
    return {"verdict": "violation", "note": message[1].strip()}


def iterations(output: str) -> str:
    """How many loom says that there were, of all models of a test; nothing where one stopped before."""
    found = re.findall(r"Completed in (\d+) iterations", output)
    return str(sum(map(int, found))) if found and "test result: ok" in output else ""


def xgen_says(done: Finished) -> dict[str, object]:
    document = re.search(r"^\{.*", done.output, re.M | re.S)
    answer = json.loads(document[0]) if document else {}
    if answer.get("verdict") not in ("safe", "violation"):
        told = answer["error"]["message"] if "error" in answer else answer.get("verdict") or done.output
        return {"verdict": "no answer", "note": str(told).strip().splitlines()[0]}
    error = (answer.get("witness") or {}).get("error") or {}
    executions = answer["executions"] if answer["verdict"] == "safe" else ""
    return {"verdict": answer["verdict"], "executions": executions, "note": error.get("kind", "")}


def costs(runs: list[Finished]) -> dict[str, object]:
    if not runs:
        return {}
    return {"cpu_s": round(min(done.cpu for done in runs), 3), "peak_mb": round(max(done.peak_mib for done in runs))}


def compiled(test: Test, cache: str) -> dict[str, float]:
    """What each tool takes for a test whose file it has to compile: cargo to compile it, xgen to check it, too."""
    test.file.touch()
    manifest = test.file.parents[1] / "Cargo.toml"
    done = run(["cargo", "test", "-q", "--no-run", "--manifest-path", str(manifest), "--test", test.file.stem])
    return {"loom": round(done.cpu, 2), "xgen": round(of_xgen(test, cache).cpu, 2)}


def measured(test: Test, cache: str) -> dict[str, dict[str, object]]:
    """What each tool says of a test, and what it takes, with the test compiled before."""
    runs: dict[str, list[Finished]] = {"loom": [], "xgen": []}
    late: set[str] = set()
    for _ in range(RUNS):
        for name, done in runs.items():
            if name not in late:
                try:
                    done.append(of_loom(test) if name == "loom" else of_xgen(test, cache))
                except TimeoutError:
                    late.add(name)
    told: dict[str, dict[str, object]] = {}
    for name, says in (("loom", loom_says), ("xgen", xgen_says)):
        told[name] = {"verdict": "no answer", "note": f"not finished within {LIMIT} s"}
        if name not in late:
            told[name] = says(runs[name][-1]) | costs(runs[name])
    if told["loom"]["verdict"] == "safe":
        told["loom"]["executions"] = iterations(of_loom(test, LOOM_LOG="info", RUST_TEST_NOCAPTURE="1").output)
    return told


def named(file: str, name: str) -> str:
    """A test that was ported, as loom has it."""
    return f"{file}::atomic_usize::{name}" if file == "atomic_int" else f"{file}::{RENAMED.get(name, name)}"


def published(library: Path) -> dict[str, dict[str, object]]:
    """What RustMC's table says, by file and test; the programs that it was measured with are one for each file."""
    with (library / PUBLISHED / "test_inventory_artifact.csv").open(encoding="utf-8") as file:
        files = {row["RustMC test file"]: Path(row["File Name"]).stem for row in csv.DictReader(file)}
    found: dict[str, dict[str, object]] = {}
    with (library / PUBLISHED / "experiment_results.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] in SAID:
                found[named(files[row["file"]], row["test_name"])] = {
                    "verdict": SAID[row["status"]],
                    "executions": row["executions_explored"] if row["status"] == "SUCCESS" else "",
                    "cpu_s": row["cpu_total_seconds"],
                    "peak_mb": round(float(row["max_memory_mb"])),
                }
    return found


def rows(tests: list[Test], others: dict[str, dict[str, object]]) -> Iterator[dict[str, object]]:
    """Three for each test, with what compiling takes in those of each file's first."""
    names = {"loom": ("c11", VERSION), "xgen": ("rc11-c20", xgen.__version__)}
    seen: set[Path] = set()
    with tempfile.TemporaryDirectory() as cache:
        for test in tests:
            row = dict.fromkeys(FIELDS, "") | {"suite": TESTS[0], "program": test.program}
            first = {} if test.file in seen else compiled(test, cache)
            seen.add(test.file)
            for tool, told in measured(test, cache).items():
                model, version = names[tool]
                about = {"model": model, "tool": tool, "version": version, "first_s": first.get(tool, "")}
                yield row | about | told
            if test.program in others:
                yield row | {"model": "rc11", "tool": "rustmc", "version": "published"} | others[test.program]


def main(folder: Path) -> None:
    other = published(fetched(*RUSTMC, folder))
    project = made(folder)
    tests, building = built(project)
    with tempfile.TemporaryDirectory() as cache:
        ours = of_xgen(tests[0], cache)  # its own std and crates, once for the project
    facts = {"repository": TESTS[0], "commit": TESTS[1], "published": " ".join(RUSTMC)}
    facts |= {"cargo": run(["cargo", "--version"]).output.strip(), "built, loom": f"{building.cpu:.0f} s"}
    facts |= {"built, xgen": f"{ours.cpu:.0f} s", "tests": str(len(tests))}
    write(FIELDS, rows(tests, other), None, **facts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
