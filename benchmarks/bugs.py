"""Known bugs of public code, before and after their fixes: does xgen find the first, and is the second one safe?

python benchmarks/bugs.py [NAME...] FOLDER > results/bugs.csv

Each row is checked with a client of our own (benchmarks/bugs), ordinary use of the interface. What it uses is fetched
into the folder: a repository at the commits before and after the fix, a crate by cargo in the versions before and after
it; what the kernel's fixes change stands in the client itself. `models`: under which of some models xgen finds the bug;
`tsan`: in how many of 20 runs ThreadSanitizer reports something of the client with what is before the fix.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import run, write
from real import fetched

CLIENTS = Path(__file__).with_name("bugs")
FIELDS = [
    "name", "language", "repository", "issue", "before", "after", "buggy", "fixed", "executions", "cpu_s", "models",
    "tsan",
]  # fmt: skip
LIMIT = 60
"""Seconds for a check."""
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
OLD = ("-Iinclude", "-Wno-missing-template-arg-list-after-template-kw")
CK = ("-Iinclude", f"-I{CLIENTS.parents[1] / 'programs' / 'real'}")


@dataclass(frozen=True)
class Bug:
    """A client (a file of benchmarks/bugs) and what it uses, before and after the fix: commits of a repository,
    versions of a crate, or nothing that is fetched: a client of kernel/ is what was before the fix with BEFORE.

    `files`: those of the repository that are compiled with the client; `flags`: the compiler's; `options`: xgen's.
    `crate`: its name and what else is said of it; `locked`: what a withdrawn version needs. `missed`: why xgen misses
    the bug."""

    name: str
    client: str
    repository: str
    issue: str
    before: str
    after: str
    files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    crate: str = ""
    locked: tuple[str, ...] = ()
    missed: str = ""

    @property
    def language(self) -> str:
        ending = self.client.rsplit(".", 1)[1]
        return "kernel" if self.client.startswith("kernel/") else {"c": "C", "cpp": "C++", "rs": "Rust"}[ending]

    @property
    def is_fetched(self) -> bool:
        return self.language != "kernel"


BUGS = (
    Bug(
        "lwrb", "lwrb.c", "MaJerle/lwrb", "commit 3586099", "eb958194b81b5344a58b6fa19965edc6ccb42dd2",
        "3586099694c6cfc7be946ab1b6d13be4f794f46d", ("lwrb/src/lwrb/lwrb.c",), ("-Ilwrb/src/include",),
    ),
    Bug(
        "jack ringbuffer", "jack.c", "jackaudio/jack2", "issues 715, 388", "f18660aa033d8647a618b1e34ad845fa93e81754",
        "75516ffe6d384223fbb32da704ad17a6af340961", ("common/ringbuffer.c",), ("-Icommon", "-Iposix", "-Ilinux"),
        ("--clang", "--on", "armv8", "--no-check", "races"),
    ),
    Bug(
        "ck_stack, fences", "ck_stack_pop.c", "concurrencykit/ck", "commit f95c2c2",
        "fe589bd3452ebd9fbc37ded25998135fc14ca665", "f95c2c2413f282d22ca30b5f82dd4ac6e5de7d8e", (), CK,
        ("--on", "armv7", "--headers", "own"),
    ),
    Bug(
        "ck_fifo", "ck_fifo.c", "concurrencykit/ck", "commit 851098b", "f95c2c2413f282d22ca30b5f82dd4ac6e5de7d8e",
        "851098b5529c037bdc58eeafe2e5cfab62fd2dbb", (), CK, ("--on", "armv7", "--headers", "own"),
    ),
    Bug(
        "ck_epoch", "ck_epoch.c", "concurrencykit/ck", "commit 1faa673", "a393bd863c9c6de05ebaca6a0946af07f9f6b994",
        "1faa673e58f79f1f78db8d72adcdf6d688082108", ("src/ck_epoch.c",), CK,
        ("--on", "armv8", "--headers", "own", "--unroll", "3"),
    ),
    Bug(
        "atomic_queue, pop", "atomic_queue_pop.cpp", "max0x7ba/atomic_queue", "commit 2bc627d",
        "6b65e8f6bdd7b627bf68e6e525a31a4c256a951e", "2bc627d7a452efaefbb49547e06b6b52881b4304", (), OLD,
    ),
    Bug(
        "atomic_queue, states", "atomic_queue_states.cpp", "max0x7ba/atomic_queue", "commit 95bbd40",
        "6a17cfeadcb265db12446d3d0a45ed2e6533b6a8", "95bbd40048037af51d1a27ec6b0a77c381096332", (), OLD,
    ),
    Bug(
        "BS::thread_pool", "thread_pool.cpp", "bshoshany/thread-pool", "commit 1d591d7",
        "67fad04348b91cf93bdfad7495d298f54825602c", "1d591d76756a0b3b020b6f5d37dcdbce3b954226", (), ("-I.",),
        ("--liveness",),
    ),
    Bug(
        "xenium::chase_work_stealing_deque", "chase_lev.cpp", "mpoeter/xenium", "commit 0818d41",
        "f510e27911c075cde61995f2cc78b2477b62bc9b", "0818d41df64883a627bf1bbb67f4ab15dbd2ac87", (),
        ("-I.", "-std=c++17"),
    ),
    Bug(
        "cppcoro::lightweight_manual_reset_event", "reset_event.cpp", "lewissbaker/cppcoro", "commit 0a768bf",
        "c6bdd25b8e7b180bac052eb92cdedc0c1f671b7e", "0a768bf45ec73c77c27d56221fced350cdc8a7f5",
        (), ("-Iinclude", "-Ilib"),
    ),
    Bug(
        "parlay::Deque", "parlay_deque.cpp", "cmuparlay/parlaylib", "pull request 54",
        "7cdb4cae8f020525f5eb4ad82e2565d1e38cfbc3", "45b8cd8e65d92e0bb163152ceac88d3b9015ae5e", (), ("-Iinclude",),
    ),
    Bug(
        "enkiTS pipe", "enki_pipe.cpp", "dougbinks/enkiTS", "commit dd5691e",
        "71cd32118598b2f819ca2ad7f105c5238e6461da", "dd5691ef7e9e7daa85af5b8b6237509821b1bf33", (), ("-Isrc",),
    ),
    Bug(
        "lockfree::mpmc::Queue", "mpmc_dnedic.cpp", "DNedic/lockfree", "commit ed267be",
        "facef7c07aa046c34906423e6a3bc5ae7f3418ae", "ed267be64a792ed3e917916ad8b76adbfe735059", (), ("-Ilockfree",),
    ),
    Bug(
        "crossbeam-channel", "crossbeam_channel.rs", "crossbeam-rs/crossbeam", "RUSTSEC-2025-0024", "0.5.14", "0.5.15",
        crate="crossbeam-channel", locked=("crossbeam-utils 0.8.21",),
        missed=f"no answer in {LIMIT} s",
    ),
    Bug("tokio::oneshot", "tokio_oneshot.rs", "tokio-rs/tokio", "RUSTSEC-2021-0124", "1.13.0", "1.13.1",
        crate='tokio features = ["sync"]'),
    Bug("tokio::broadcast", "tokio_broadcast.rs", "tokio-rs/tokio", "RUSTSEC-2025-0023", "1.44.1", "1.44.2",
        crate='tokio features = ["sync"]'),
    Bug("thread_local", "thread_local.rs", "Amanieu/thread_local-rs", "RUSTSEC-2022-0006", "1.1.3", "1.1.4",
        crate="thread_local"),
    Bug("spin::Once", "spin_once.rs", "mvdnes/spin-rs", "RUSTSEC-2023-0031", "0.9.7", "0.9.8", crate="spin",
        locked=("lock_api 0.4.9", "scopeguard 1.1.0", "autocfg 1.1.0")),
    Bug("futures::mpsc", "futures_mpsc.rs", "rust-lang/futures-rs", "issue 2304", "0.3.12", "0.3.13",
        crate='futures-channel features = ["sink"]'),
    *(
        Bug(name, f"kernel/{client}.c", "torvalds/linux", f"{subject}", "BEFORE", commit)
        for name, client, subject, commit in (
            ("rcuwait", "rcuwait", "sched/wait: Fix rcuwait_wake_up() ordering", "6dc080ee"),
            ("workqueue", "workqueue", "workqueue: fix ghost PENDING flag while doing MQ IO", "346c09f8"),
            ("bitops", "test_and_set_bit", "locking/atomic: Make test_and_*_bit() ordered on failure", ""),
            ("n_tty", "waitqueue_active", "tty: fix stall caused by missing memory barrier in drivers/tty/n_tty.c", ""),
            ("sbitmap", "sbitmap", "sbitmap: order READ/WRITE freed instance and setting clear bit", ""),
            ("ptr_ring", "ptr_ring", "ptr_ring: add barriers", ""),
            ("futex", "futex_keys", "futex: Ensure get_futex_key_refs() always implies a barrier", ""),
            ("rtmutex", "rtmutex", "rtmutex: Add acquire semantics for rtmutex lock acquisition slow path", "1c0908d8"),
            ("wait_on_bit", "wait_on_bit", "wait_on_bit: add an acquire memory barrier", ""),
        )
    ),
)  # fmt: skip


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
    if not bug.is_fetched:
        (folder / "kernel" / "include" / "linux").mkdir(parents=True, exist_ok=True)  # nothing of it is needed
        return [str(client), "--kernel", str(folder / "kernel"), *(["-D", version] if version == "BEFORE" else [])], []
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
    return found["verdict"] + (f": {error['kind']}{place}" if error else "")


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
        yield "lkmm" if bug.language == "kernel" else "rc11-c20"
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
