"""Files of the Linux kernel under its own model: a kernel is fetched into a folder, at the commit that is named here,
and the drivers of benchmarks/kernel are checked with it, all or those that are named.

python benchmarks/kernel.py FOLDER [NAME...] > results/kernel.csv
python benchmarks/kernel.py FOLDER orders [NAME...] > results/kernel_orders.csv

Each driver is checked as the kernel's files are, and then with one order of them weakened, in a copy: for each, the
verdict that is expected, the one that there is, executions and seconds. A copy has the files that are named; all others
are the kernel's. The exit code is 1 if a verdict is not the expected one.

With `orders`, each order of the kernel's files is weakened in turn (`--weaken`): the drivers that notice it, or why
none does. The exit code is 1 if an order is not noticed, and nobody has said why.
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
MODELS = Path(__file__).parents[1] / "mcm"
REPOSITORY, COMMIT = "amwtkes/linux-5.11.4-back", "a0e3f3fe57590477ab3564e3c5008a807d824001"
LIMIT = 600
"""Seconds for a check."""
FIELDS = ("driver", "options", "change", "expected", "verdict", "executions", "flags", "seconds")
ORDERS = ("file", "line", "call", "from", "to", "drivers", "noticed", "why")
CALL = re.compile(
    r"\b(\w*(?:xchg|acquire|release|smp_|mcs_spin|rcu_assign|fetch|seqcount_begin|bit_lock|bit_unlock)\w*)\("
)
"""What has an order in a line of the kernel."""


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
    long: bool = False  # it takes too long to be asked with each order


MCS, OSQ, LLIST = "kernel/locking/mcs_spinlock.h", "kernel/locking/osq_lock.c", "lib/llist.c"
RCULIST, SEQLOCK, REFCOUNT = "include/linux/rculist.h", "include/linux/seqlock.h", "include/linux/refcount.h"
QSPINLOCK, QRWLOCK = "kernel/locking/qspinlock.c", "kernel/locking/qrwlock.c"
KFIFO, PTR_RING = "include/linux/kfifo.h", "include/linux/ptr_ring.h"
RESCHED = ("-D", "need_resched()=__VERIFIER_nondet_int()", "--nondet", "0..1")
"""Who waits in the queue may be told to do something else, at any time, or not."""
PORF = "porf.mcm"
WITHOUT_BUFFERING = 'porf = po | rf\nporf acyclic as in_order "no load buffering"\n'
"""What LKMM has besides in that file, where it takes too long by itself (docs/kernel.md)."""
NO_WMB = Seed("no smp_wmb", PTR_RING, r"smp_wmb\(\);", "")
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
    Row(
        "mcs_percpu",
        seeds=(Seed("wait relaxed", None, "smp_cond_load_acquire", "smp_cond_load_relaxed"),),
    ),
    Row("mcs_percpu", options=("-D", "N=3")),
    Row(
        "sleep",
        seeds=(Seed("state without a barrier", None, r" set_current_state", " __set_current_state"),),
    ),
    Row("osq", (OSQ,), seeds=(Seed("xchg_acquire", OSQ, r"atomic_xchg\(", "atomic_xchg_acquire("),)),
    Row("osq", (OSQ,), RESCHED),
    Row(
        "osq",
        (OSQ,),
        ("--mcm", PORF, "-D", "N=3", *RESCHED),
        seeds=(
            Seed("unqueue by cmpxchg_relaxed", OSQ, r"cmpxchg\(&prev->next", "cmpxchg_relaxed(&prev->next"),
            Seed("no smp_wmb in lock", OSQ, r"smp_wmb\(\);", "", "safe"),
        ),
    ),
    Row(
        "qspinlock",
        (QSPINLOCK,),
        ("-D", "N=2"),
        seeds=(
            Seed(
                "unlock once",
                "include/asm-generic/qspinlock.h",
                r"smp_store_release\(&lock->locked, 0\)",
                "WRITE_ONCE(lock->locked, 0)",
            ),
            Seed(
                "pending wait relaxed",
                QSPINLOCK,
                r"atomic_cond_read_acquire\(&lock->val, !\(VAL & _Q_LOCKED_MASK\)\)",
                "atomic_cond_read_relaxed(&lock->val, !(VAL & _Q_LOCKED_MASK))",
            ),
        ),
    ),
    Row("qspinlock", (QSPINLOCK,), ("--mcm", PORF, "-D", "N=3", "--max-depth", "64")),
    Row("qspinlock", (QSPINLOCK,), ("-D", "N=3", "--max-depth", "64"), long=True),
    Row(
        "qrwlock",
        (QRWLOCK,),
        seeds=(
            Seed(
                "unlock once",
                "include/asm-generic/qrwlock.h",
                r"smp_store_release\(&lock->wlocked, 0\)",
                "WRITE_ONCE(lock->wlocked, 0)",
            ),
        ),
    ),
    Row("qrwlock", (QRWLOCK,), ("-D", "SECOND=w")),
    Row("qrwlock", (QRWLOCK,), ("--mcm", PORF, "-D", "SECOND=w", "-D", "THIRD=r")),
    Row("qrwlock", (QRWLOCK,), ("-D", "SECOND=w", "-D", "THIRD=r"), long=True),
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
    Row(
        "bit_spinlock",
        seeds=(
            Seed(
                "clear_bit",
                "include/linux/bit_spinlock.h",
                r"(void bit_spin_unlock.*?)clear_bit_unlock",
                r"\1clear_bit",
            ),
        ),
    ),
    Row("lockref", ("lib/lockref.c",)),
    Row(  # a branch orders no reads, and smp_wmb no read before it (docs/kernel.md)
        "kfifo",
        verdict="violation",
        seeds=(
            Seed(
                "`in` marked, smp_rmb and smp_mb in kfifo_get",
                KFIFO,
                r"unsigned int\tin;(.*?define\tkfifo_get\(.*?)if \(__ret\) \{ (.*?)smp_wmb\(\)",
                r"volatile unsigned int in;\1if (__ret) { smp_rmb(); \2smp_mb()",
                "safe",
            ),
        ),
    ),
    Row("ptr_ring", options=("-D", "N=1"), seeds=(NO_WMB,)),
    Row("ptr_ring", options=("--mcm", PORF), seeds=(NO_WMB,)),
)


NO_LOCK = "osq orders no data: its waits are relaxed, and the lock that it is a queue of has orders of its own"
THREE = "not known: it is for queues of three CPUs, which take too long to be asked with each order"
ADDRESS = "what is done next is done at the address that was read, which orders it"
HARMLESS = (
    (LLIST, "cmpxchg(&head->first, first,", "full -> release", "an entry is given away, and none is looked at"),
    (
        "include/linux/llist.h",
        "xchg(&head->first, NULL)",
        "full -> acquire",
        "entries are taken, and none is given away",
    ),
    (LLIST, "smp_load_acquire(&head->first)", "acquire -> once", ADDRESS),
    (
        LLIST,
        "cmpxchg(&head->first, old_entry",
        "full",
        "one CPU takes, by what it has read before; it gives nothing away",
    ),
    (OSQ, "atomic_cmpxchg_acquire(", "acquire -> relaxed", NO_LOCK),
    (OSQ, "atomic_cmpxchg_release(", "release -> relaxed", NO_LOCK),
    (OSQ, "smp_load_acquire(&node->locked)", "acquire -> once", NO_LOCK),
    (OSQ, "xchg(&node->next, NULL)", "full", ADDRESS),
    (OSQ, "atomic_xchg(&lock->tail", "full -> release", ADDRESS),
    (OSQ, "smp_wmb", "", "not known: three CPUs that queue once each do not notice it (kernel.csv)"),
    (OSQ, "cmpxchg(&prev->next", "full -> relaxed", "three CPUs notice it (kernel.csv)"),
    (OSQ, "cmpxchg(&prev->next", "", "not known: only three CPUs notice the relaxed one (kernel.csv)"),
    (QRWLOCK, "atomic_read(&lock->cnts) &&", "", THREE),
    (QSPINLOCK, "smp_wmb", "", THREE),
    (QSPINLOCK, "arch_mcs_spin_", "", THREE),
    (QSPINLOCK, "_Q_LOCKED_PENDING_MASK", "", THREE),
    ("include/asm-generic/qspinlock.h", "return likely(", "", THREE),
)
"""Orders that no driver notices, by file, text and change (or what it begins with), and why they are not needed, or
that this is not known."""


def checked(row: Row, tree: Path, seed: Seed | None, folder: Path, *more: str) -> dict[str, object]:
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
    options = row.options
    if PORF in options:
        (folder / PORF).write_text((MODELS / "lkmm.mcm").read_text() + WITHOUT_BUFFERING)
        options = tuple(str(folder / PORF) if option == PORF else option for option in options)
    words = ["xgen", "check", str(driver), *map(str, files), "--kernel", str(tree), *options, *more]
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


def orders(folder: Path, names: list[str], wrong: list[str]) -> Iterator[dict[str, object]]:
    """The orders of the kernel's files, each with the drivers that come to it and those that notice that it is weaker;
    `wrong` gets those that nobody notices, and of which nothing is said."""
    tree = fetched(REPOSITORY, COMMIT, folder)
    found: dict[tuple[str, int, str, str], dict[str, str]] = {}
    for row in ROWS:
        if row.verdict != "safe" or PORF in row.options or row.long or (names and row.driver not in names):
            continue
        with tempfile.TemporaryDirectory() as copy:
            said = checked(row, tree, None, Path(copy), "--weaken")
        listed = said.get("weakened")
        for each in listed if isinstance(listed, list) else ():
            file = Path(each["file"]).absolute()
            if file.is_relative_to(tree.absolute()):
                at = str(file.relative_to(tree.absolute())), each["line"], each["from"], each["to"]
                found.setdefault(at, {})[" ".join((row.driver, *row.options[1:]))] = each["verdict"]
    for (path, line, was, to), verdicts in sorted(found.items()):
        text = (tree / path).read_text().split("\n")[line - 1].strip()
        noticed = [name for name, verdict in verdicts.items() if verdict == "noticed"]
        races = [f"{name} (a race)" for name, verdict in verdicts.items() if verdict == "race"]
        change = f"{was} -> {to}"
        why = [r for of, has, what, r in HARMLESS if of == path and has in text and change.startswith(what)]
        harmless = "" if noticed or races else "".join(why[:1])
        if not (noticed or races or harmless):
            wrong.append(f"{path}:{line}")
        call = CALL.search(text)
        told = "; ".join(verdicts), "; ".join([*noticed, *races]), harmless
        yield dict(zip(ORDERS, (path, line, call[1] if call else "", was, to, *told), strict=True))


def main() -> int:
    wrong: list[str] = []
    folder, *names = sys.argv[1:]
    kernel = f"{REPOSITORY} {COMMIT[:12]}"
    if names[:1] == ["orders"]:
        write(ORDERS, orders(Path(folder), names[1:], wrong), kernel=kernel)
    else:
        write(FIELDS, rows(Path(folder), names, wrong), kernel=kernel)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
