"""Files of the Linux kernel under its own model: a kernel is fetched into a folder, at the commit that is named here,
and the drivers of benchmarks/kernel are checked with it, all or those that are named.

python benchmarks/kernel.py FOLDER [NAME...] > results/kernel.csv

Each driver is checked as the kernel's files are, and then with one order of them weakened, in a copy: for each, the
verdict that is expected, the one that there is, executions and seconds. A copy has the files that are named; all others
are the kernel's. The exit code is 1 if a verdict is not the expected one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness import write
from real import fetched

DRIVERS = Path(__file__).with_name("kernel")
REPOSITORY, COMMIT = "amwtkes/linux-5.11.4-back", "a0e3f3fe57590477ab3564e3c5008a807d824001"
LIMIT = 120
"""Seconds for a check."""
FIELDS = ("driver", "options", "change", "expected", "verdict", "executions", "flags", "seconds")


@dataclass(frozen=True)
class Seed:
    """A change of a file (None: of the driver), as a pattern and what takes its place, and the verdict with it."""

    name: str
    file: str | None
    pattern: str
    by: str
    verdict: str = "violation"


@dataclass(frozen=True)
class Row:
    """A driver, the kernel's files that it is checked with, options, and what is expected."""

    driver: str
    files: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    verdict: str = "safe"
    seeds: tuple[Seed, ...] = field(default=())


MCS, OSQ, LLIST = "kernel/locking/mcs_spinlock.h", "kernel/locking/osq_lock.c", "lib/llist.c"
RCULIST, SEQLOCK, REFCOUNT = "include/linux/rculist.h", "include/linux/seqlock.h", "include/linux/refcount.h"
NO_WAIT = Seed("no grace period", None, r"synchronize_rcu\(\);", "")
ROWS = (
    Row(
        "llist",
        (LLIST,),
        seeds=(
            Seed(
                "add by cmpxchg_relaxed", LLIST, r"cmpxchg\(&head->first, first", "cmpxchg_relaxed(&head->first, first"
            ),
            Seed(
                "del_all by xchg_relaxed",
                "include/linux/llist.h",
                r"return xchg\(&head->first",
                "return xchg_relaxed(&head->first",
            ),
        ),
    ),
    Row(
        "llist_first",
        (LLIST,),
        seeds=(
            Seed(
                "read once: the address orders",
                LLIST,
                r"smp_load_acquire\(&head->first\)",
                "READ_ONCE(head->first)",
                "safe",
            ),
        ),
    ),
    Row(
        "mcs",
        options=("-D", "N=2"),
        seeds=(
            Seed("xchg_release", MCS, r"prev = xchg\(", "prev = xchg_release("),
            Seed("unlock by cmpxchg_relaxed", MCS, "cmpxchg_release", "cmpxchg_relaxed"),
            Seed("hand-over once", MCS, r"smp_store_release\(\(l\), 1\)", "WRITE_ONCE(*(l), 1)"),
            Seed("wait relaxed", MCS, "smp_cond_load_acquire", "smp_cond_load_relaxed"),
        ),
    ),
    Row("mcs", options=("-D", "N=3")),
    Row("osq", (OSQ,), seeds=(Seed("xchg_acquire", OSQ, r"atomic_xchg\(", "atomic_xchg_acquire("),)),
    Row(
        "seqlock",
        seeds=(
            Seed(
                "no smp_wmb in begin",
                SEQLOCK,
                r"(static inline void do_raw_write_seqcount_begin.*?)smp_wmb\(\);",
                r"\1",
            ),
            Seed("no smp_rmb in retry", SEQLOCK, r"smp_rmb\(\);(\s+return do___read_seqcount)", r"\1"),
        ),
    ),
    Row("seqlock", options=("-D", "TWO")),
    Row(
        "seqlock_irq",
        seeds=(Seed("interrupts on", None, r"local_irq_(?:dis|en)able\(\);", ""),),
    ),
    Row(
        "llist_irq",
        (LLIST,),
        seeds=(Seed("interrupts on", None, r"local_irq_(?:dis|en)able\(\);", ""),),
    ),
    Row("latch", verdict="violation"),  # fixed later by "kcsan, seqlock: Support seqcount_latch_t"
    Row("rculist", seeds=(NO_WAIT,)),
    Row("rculist_free", seeds=(NO_WAIT,)),
    Row("hlist", seeds=(NO_WAIT,)),
    Row(
        "refcount",
        options=("--stub", "refcount_warn_saturate"),
        seeds=(
            Seed("no acquire", REFCOUNT, r"smp_acquire__after_ctrl_dep\(\);", ""),
            Seed("relaxed", REFCOUNT, "atomic_fetch_sub_release", "atomic_fetch_sub_relaxed"),
        ),
    ),
)


def checked(row: Row, tree: Path, seed: Seed | None, folder: Path) -> dict[str, object]:
    """What xgen says, of the kernel's files or of those with a change."""
    driver = DRIVERS / f"{row.driver}.c"
    if seed is not None:
        path = driver if seed.file is None else tree / seed.file
        text = path.read_text()
        changed = re.sub(seed.pattern, seed.by, text, flags=re.DOTALL)
        if changed == text:
            raise ValueError(f"{seed.name}: nothing changes in {path}")
        other = folder / (driver.name if seed.file is None else seed.file)
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(changed)
        driver = other if seed.file is None else driver
    files = [folder / name if (folder / name).exists() else tree / name for name in row.files]
    found = [f"-I{each}/{where}" for each in (folder, tree) for where in ("include", "kernel/locking")]
    words = ["xgen", "check", str(driver), *map(str, files), "--kernel", str(tree), *row.options]
    command = [*words, "--timeout", str(LIMIT), "--format", "json", "--", *found]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found: dict[str, object] = json.loads(done.stdout) if done.stdout.strip() else {}
    return found if "verdict" in found else {"verdict": done.stderr.strip()}


def rows(folder: Path, names: list[str], wrong: list[str]) -> Iterator[dict[str, object]]:
    """The table; `wrong` gets the drivers of which xgen says another verdict than the expected one."""
    tree = fetched(REPOSITORY, COMMIT, folder)
    for row in ROWS:
        for seed in (None, *row.seeds) if not names or row.driver in names else ():
            with tempfile.TemporaryDirectory() as copy:
                found = checked(row, tree, seed, Path(copy))
            expected = row.verdict if seed is None else seed.verdict
            if found["verdict"] != expected:
                wrong.append(row.driver)
            flags = found.get("flags")
            said = (
                row.driver,
                " ".join(row.options),
                "" if seed is None else seed.name,
                expected,
                found["verdict"],
                found.get("executions"),
                " ".join(flags) if isinstance(flags, list | dict) else "",
                found.get("seconds"),
            )
            yield dict(zip(FIELDS, said, strict=True))


def main() -> int:
    wrong: list[str] = []
    write(FIELDS, rows(Path(sys.argv[1]), sys.argv[2:], wrong), kernel=f"{REPOSITORY} {COMMIT[:12]}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
