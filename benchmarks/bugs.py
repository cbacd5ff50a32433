"""Known bugs of public code, before and after their fixes: does xgen find the first, and is the second one safe?

python benchmarks/bugs.py [NAME...] FOLDER > results/bugs.csv

Each row is checked with a client of our own (benchmarks/bugs), ordinary use of the interface. What it uses is fetched
into the folder: a repository at the commits before and after the fix, a crate by cargo in the versions before and after
it; what the fixes of the kernel and of kernels for GPUs change stands in the client itself. `models`: under which of
some models xgen finds the bug; `tsan`: in how many of 20 runs ThreadSanitizer reports something of the client with what
is before the fix.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness import run, write
from known import BUGS, CLIENTS, LIMIT, Bug
from real import fetched

FIELDS = [
    "name", "language", "repository", "issue", "before", "after", "buggy", "fixed", "executions", "cpu_s", "models",
    "tsan",
]  # fmt: skip
RUNS = 20
"""Of ThreadSanitizer."""
MODELS = {"rc11": ["--mcm", "rc11-c20"], "sc": ["--mcm", "sc"], "x86": ["--on", "x86"], "armv8": ["--on", "armv8"]}
"""Those that are asked whether they show the bug."""
MANIFEST = """[package]
name = "client"
version = "0.1.0"
edition = "2021"
[dependencies]
{crate}
[workspace]
"""
TARGETS = {"armv8": ("-U__x86_64__", "-D__aarch64__"), "armv7": ("-U__x86_64__", "-D__arm__")}
"""What ck asks for the machine by."""


def prepared(bug: Bug, version: str, folder: Path) -> tuple[list[str], list[str]]:
    """The files and options that xgen is asked with, and the flags of a compiler."""
    client = CLIENTS / bug.client
    if bug.crate:
        there = folder / "made"
        shutil.rmtree(there, ignore_errors=True)
        (there / "src").mkdir(parents=True)
        shutil.copy(client, there / "src" / "main.rs")
        name, _, more = bug.crate.partition(" ")
        line = f'{name} = {{ version = "={version}"{", " + more if more else ""} }}'
        (there / "Cargo.toml").write_text(MANIFEST.format(crate=line), "utf-8")
        if bug.locked:
            (there / "Cargo.lock").write_text(locked(name, version, bug.locked), "utf-8")
        return [str(there / "src" / "main.rs"), "-p", str(there)], []
    before = ["-D", version] if version == "BEFORE" else []
    if bug.language == "GPU":
        return [str(client), *before], []
    if not bug.is_fetched:
        (folder / "kernel" / "include" / "linux").mkdir(parents=True, exist_ok=True)  # nothing of it is needed
        return [str(client), "--kernel", str(folder / "kernel"), *before], []
    library = fetched(bug.repository, version, folder)
    flags = [f"-I{library / flag[2:]}" if flag.startswith("-I") else flag for flag in bug.flags]
    return [str(client), *(str(library / name) for name in bug.files)], flags


def locked(name: str, version: str, needed: Sequence[str]) -> str:
    """What cargo takes versions from that were withdrawn."""
    names = [each.split()[0] for each in needed]
    packages = [("client", "0.1.0", [name]), (name, version, names), *((*each.split(), []) for each in needed)]
    said = ["version = 3"]
    for package, number, needs in packages:
        source = "" if package == "client" else 'source = "registry+https://github.com/rust-lang/crates.io-index"\n'
        listed = ", ".join(f'"{each}"' for each in needs)
        said.append(f'[[package]]\nname = "{package}"\nversion = "{number}"\n{source}dependencies = [{listed}]\n')
    return "\n".join(said)


def asked(bug: Bug, version: str, folder: Path, options: Sequence[str]) -> tuple[dict, float]:
    """What xgen says, and the processor's seconds that it takes."""
    files, flags = prepared(bug, version, folder)
    if "--headers" in options:
        flags += TARGETS[options[options.index("--on") + 1]]
    words = [*files, *options, "--timeout", str(LIMIT), "--format", "json", "--errors", "none"]
    done = run([sys.executable, "-m", "xgen", "check", *words, *(["--", *flags] if flags else [])], limit=3 * LIMIT)
    at = done.output.find('{\n "xgen"')
    found = json.JSONDecoder().raw_decode(done.output[at:])[0] if at >= 0 else {"error": {"message": done.output[:200]}}
    return found, done.cpu


def said(found: dict) -> str:
    """The verdict; of a violation its kind and its place, of what is refused why."""
    if "verdict" not in found:
        return "refused: " + re.sub(r"\s+", " ", found["error"]["message"])[:120]
    if found["verdict"] == "interrupted":
        return "no-answer"
    if found.get("vacuous"):
        return "no-answer: none completes"
    error = (found.get("witness") or {}).get("error") or {}
    place = f" at {Path(error['file']).name}:{error['line']}" if error.get("file") and error.get("line") else ""
    within = "-within-bound" if found["verdict"] == "safe" and found.get("bounded") else ""
    return found["verdict"] + within + (f": {error['kind']}{place}" if error else "")


def row(bug: Bug, folder: Path) -> dict[str, object]:
    """Both versions, the models that show the first, and ThreadSanitizer."""
    buggy, before = asked(bug, bug.before, folder, bug.options)
    fixed, after = asked(bug, bug.after, folder, bug.options)
    first = said(buggy) if buggy.get("verdict") == "violation" or "verdict" not in buggy else "not-found"
    if first == "not-found":
        first += f": {bug.missed or said(buggy)}"
    counts = [str(each.get("executions", "-")) for each in (buggy, fixed)]
    return {
        "name": bug.name,
        "language": bug.language,
        "repository": bug.repository,
        "issue": bug.issue,
        "before": bug.before[:12] if bug.is_fetched else f"{bug.after}^" if bug.after else "",
        "after": bug.after[:12],
        "buggy": first,
        "fixed": said(fixed),
        "executions": " / ".join(counts),
        "cpu_s": f"{before:.1f} / {after:.1f}",
        "models": " ".join(shown(bug, folder)) if first.startswith("violation") else "",
        "tsan": reports(bug, folder) if bug.language in ("C", "C++") else "",
    }


def shown(bug: Bug, folder: Path) -> Iterator[str]:
    """The models under which xgen finds the bug; what is asked about a machine is not asked about others."""
    if "--on" in bug.options:
        yield bug.options[bug.options.index("--on") + 1]
        return
    if bug.language not in ("C", "C++"):
        yield {"kernel": "lkmm", "GPU": "cuda"}.get(bug.language, "rc11-c20")
    if bug.language == "GPU" and asked(bug, bug.before, folder, ["--as-compiled"])[0].get("verdict") == "violation":
        yield "ptx"
    for name, options in MODELS.items() if bug.language in ("C", "C++") else ():
        if asked(bug, bug.before, folder, [*bug.options, *options])[0].get("verdict") == "violation":
            yield name


def reports(bug: Bug, folder: Path) -> str:
    """In how many runs ThreadSanitizer reports something, or the client fails."""
    files, flags = prepared(bug, bug.before, folder)
    program, compiler = folder / "client", "g++" if bug.language == "C++" else "gcc"
    standard = ["-std=c++20"] if bug.language == "C++" and not any("-std" in flag for flag in flags) else []
    words = ["-fsanitize=thread", "-g", "-O1", "-w", *standard, *files, *flags, "-pthread", "-o", str(program)]
    if subprocess.run([compiler, *words], check=False, capture_output=True).returncode:
        return "not compiled"
    found = 0
    for _ in range(RUNS):
        try:
            done = subprocess.run([str(program)], check=False, capture_output=True, timeout=10)
            found += done.returncode != 0
        except subprocess.TimeoutExpired:
            found += 1
    return f"{found} of {RUNS}"


def rows(folder: Path, names: Sequence[str]) -> Iterator[dict[str, object]]:
    for bug in BUGS:
        if not names or bug.name in names:
            yield row(bug, folder)


if __name__ == "__main__":
    *chosen, place = sys.argv[1:]
    write(FIELDS, rows(Path(place).resolve(), chosen))
