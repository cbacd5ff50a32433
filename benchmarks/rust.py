"""Clients of public Rust structures (programs/real/*.rs), as they are and with one thing broken, under rc11.

python benchmarks/rust.py FOLDER > results/rust.csv

What they use is fetched into the folder, each repository at the commit that the first line of its clients names. A file
is put beside its client as a module, a crate is a dependency of a project of cargo. What is broken is one piece of
text.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import run, write
from real import CLIENTS, answer, fetched, head

LIMIT = 60.0
"""Seconds for each."""
FIELDS = [
    "client", "repository", "commit", "broken", "verdict", "why", "executions", "blocked", "bounded", "seconds",
]  # fmt: skip
RELAXED = "std::sync::atomic::Ordering::Relaxed"
MANIFEST = """[package]
name = "client"
version = "0.1.0"
edition = "2021"
[dependencies]
{crate} = {{ path = "{path}"{features} }}
"""


@dataclass(frozen=True)
class Row:
    """A client, the crate that it uses (else the file that its first line names), and what is broken: in a file, a text
    that becomes another one."""

    client: str
    crate: str = ""
    features: str = ""
    file: str = ""
    breaks: tuple[str, str] = ("", "")


ROWS = (
    Row("lock_aal"),
    Row("lock_aal", file="src/ch4_spin_lock/s3_guard.rs", breaks=("store(false, Release)", f"store(false, {RELAXED})")),
    Row("once_aal"),
    Row("once_aal", file="src/ch5_channels/s3_single_atomic.rs", breaks=(
        "READY, READING, Acquire", f"READY, READING, {RELAXED}",
    )),
    Row("channel_aal"),
    Row("channel_aal", file="src/ch5_channels/s5_borrowing.rs", breaks=(
        "store(true, Release)", f"store(true, {RELAXED})",
    )),
    Row("arc_aal"),
    Row("arc_aal", file="src/ch6_arc/s1_basic.rs", breaks=("fence(Acquire);\n            unsafe", "unsafe")),
    Row("weak_aal"),
    Row("weak_aal", file="src/ch6_arc/s2_weak.rs", breaks=(
        "self.weak.data().data_ref_count.fetch_sub(1, Release)",
        f"self.weak.data().data_ref_count.fetch_sub(1, {RELAXED})",
    )),
    Row("once_cell", "once_cell"),
    Row("once_cell", "once_cell", file="src/imp_std.rs", breaks=(
        "swap(self.new_queue, Ordering::AcqRel)", "swap(self.new_queue, Ordering::Relaxed)",
    )),
    Row("oneshot", "oneshot", "std"),
    Row("oneshot", "oneshot", "std", "src/sender.rs", ("fetch_add(1, AcqRel)", "fetch_add(1, Acquire)")),
    Row("parking", "parking"),
    Row("parking", "parking", file="src/lib.rs", breaks=("drop(self.lock.lock().unwrap());", "")),
)  # fmt: skip


def made(row: Row, library: Path, folder: Path) -> tuple[Path, list[str]]:
    """The client where it finds what it uses, in a copy of the library; and the options that say where."""
    there = folder / "made"
    shutil.rmtree(there, ignore_errors=True)
    copy = there / "library"
    shutil.copytree(library, copy, ignore=shutil.ignore_patterns(".git"))
    if row.file:
        text = (copy / row.file).read_text("utf-8")
        assert row.breaks[0] in text, f"{row.client}: {row.breaks[0]} is not in {row.file}"
        (copy / row.file).write_text(text.replace(*row.breaks), "utf-8")
    client = (CLIENTS / f"{row.client}.rs").read_text("utf-8")
    if not row.crate:
        (copy / "client.rs").write_text(client, "utf-8")
        return copy / "client.rs", []
    (there / "src").mkdir()
    (there / "src" / "main.rs").write_text(client, "utf-8")
    features = f', features = ["{row.features}"]' if row.features else ""
    (there / "Cargo.toml").write_text(MANIFEST.format(crate=row.crate, path=copy, features=features), "utf-8")
    return there / "src" / "main.rs", ["-p", str(there)]


def rows(folder: Path) -> Iterator[dict[str, object]]:
    for row in ROWS:
        found = head(f"{row.client}.rs")
        library = fetched(found["repository"], found["commit"], folder)
        client, options = made(row, library, folder.resolve())
        more = ["--timeout", str(LIMIT), "--liveness", "--format", "json", *([] if row.file else ["--all-states"])]
        done = run(["xgen", "check", str(client), "--mcm", "rc11", *options, *more], limit=2 * LIMIT)
        names = {"client": row.client, "repository": found["repository"], "commit": found["commit"][:12]}
        broken = f"`{' '.join(row.breaks[0].split())}` becomes `{row.breaks[1]}`" if row.file else ""
        seconds = {"seconds": f"{done.cpu:.1f}"}
        yield dict.fromkeys(FIELDS, "") | names | {"broken": broken} | answer(done.output) | seconds


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
