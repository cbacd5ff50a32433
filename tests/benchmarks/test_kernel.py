"""The table of the Linux kernel's files: it has what the drivers say, and each verdict is the expected one."""

from __future__ import annotations

from pathlib import Path

import kernel
from harness import read

ROOT = Path(__file__).parents[2]
TABLE = read(ROOT / "results" / "kernel.csv")[1]
ORDERS = read(ROOT / "results" / "kernel_orders.csv")[1]


def test_each_verdict_is_the_expected_one() -> None:
    assert len(TABLE) > 20
    assert {row["verdict"] for row in TABLE} == {"safe", "violation"}
    assert [row for row in TABLE if row["verdict"] != row["expected"]] == []


def test_each_driver_and_each_change_is_in_the_table() -> None:
    drivers = {file.stem for file in kernel.DRIVERS.glob("*.c")}
    assert {row["driver"] for row in TABLE} == drivers
    meant = [(row.driver, " ".join(row.options)) for row in kernel.ROWS]
    assert [(row["driver"], row["options"]) for row in TABLE if not row["change"]] == meant
    changes = [(row.driver, seed.name, seed.verdict) for row in kernel.ROWS for seed in row.seeds]
    assert [(row["driver"], row["change"], row["expected"]) for row in TABLE if row["change"]] == changes


def test_a_change_makes_a_difference() -> None:
    """As it is, each driver but two is safe; of the changes, two are harmless here, and one mends what is wrong."""
    as_it_is = {row["driver"] for row in TABLE if not row["change"] and row["verdict"] == "violation"}
    safe = [(row["driver"], row["change"]) for row in TABLE if row["change"] and row["verdict"] == "safe"]
    assert as_it_is == {"latch", "kfifo"}
    assert [change for driver, change in safe if driver not in as_it_is] == [
        "read once: the address orders",
        "no smp_wmb in lock",
    ]
    assert [driver for driver, _ in safe if driver in as_it_is] == ["kfifo"]


def test_each_weaker_order_is_noticed_or_it_is_said_why_not() -> None:
    assert len(ORDERS) > 40
    assert [row for row in ORDERS if bool(row["noticed"]) == bool(row["why"])] == []
    drivers = {name.split()[0] for row in ORDERS for name in row["drivers"].split("; ")}
    asked = {row.driver for row in kernel.ROWS if row.verdict == "safe" and kernel.PORF not in row.options}
    assert drivers == asked - {"lockref", "mcs_percpu", "sleep"}  # which have no order of the kernel's files


def test_an_order_of_a_seed_is_noticed() -> None:
    """What a table says of an order that is weakened by hand, the other one says of it, too."""
    noticed = {(row["file"], row["call"], row["to"]) for row in ORDERS if row["noticed"]}
    assert ("kernel/locking/osq_lock.c", "atomic_xchg", "acquire") in noticed
    assert ("kernel/locking/mcs_spinlock.h", "xchg", "release") in noticed
    assert ("lib/llist.c", "cmpxchg", "relaxed") in noticed
    assert ("lib/llist.c", "smp_load_acquire", "once") not in noticed
