"""Clients of public C++ structures (programs/real/*.cpp), as they are and with one thing broken, under rc11.

python benchmarks/cpp.py FOLDER > results/cpp.csv

The headers are fetched into the folder, each repository at the commit that the first line of its clients names, and are
read as they are. What is broken is one piece of text of a header, in a copy.
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
PUT = "memory_order_release"


@dataclass(frozen=True)
class Row:
    """A client, the folder of the headers, flags, and what is broken: in a file, a text that becomes another one.

    `options`: those of xgen, a bound for what spins a number of times."""

    client: str
    folder: str = "."
    flags: str = ""
    file: str = ""
    breaks: tuple[str, str] = ("", "")
    options: str = ""

    @property
    def name(self) -> str:
        return f"{self.client} {self.flags.replace('-D', '')}".strip()


ROWS = (
    *(Row("spsc_rigtorp", "include", f"-DVALUES={n}") for n in (1, 2, 4)),
    Row("spsc_rigtorp", "include", "-DVALUES=2", "include/rigtorp/SPSCQueue.h", (
        "writeIdx_.store(nextWriteIdx, std::memory_order_release)",
        "writeIdx_.store(nextWriteIdx, std::memory_order_relaxed)",
    )),
    Row("mpmc_rigtorp", "include"),
    Row("mpmc_rigtorp", "include", "", "include/rigtorp/MPMCQueue.h", (
        "slot.turn.store(turn(head) * 2 + 1, std::memory_order_release)",
        "slot.turn.store(turn(head) * 2 + 1, std::memory_order_relaxed)",
    )),
    Row("seqlock_rigtorp", "include"),
    *(Row("readerwriterqueue", ".", f"-DVALUES={n}") for n in (1, 2, 3)),
    Row("readerwriterqueue", ".", "-DVALUES=1", "readerwriterqueue.h", (
        "fence(memory_order_release)", "fence(memory_order_relaxed)",
    )),
    *(Row("spsc_folly", "benchmarks/ext/folly", f"-DVALUES={n}") for n in (1, 2, 3)),
    Row("spsc_folly", "benchmarks/ext/folly", "-DVALUES=2", "benchmarks/ext/folly/ProducerConsumerQueue.h", (
        "writeIndex_.store(nextRecord, std::memory_order_release)",
        "writeIndex_.store(nextRecord, std::memory_order_relaxed)",
    )),
    *(Row("atomic_queue", "include", f"-DVALUES={n}") for n in (2, 3)),
    *(Row("atomic_queue", "include", f"-DVALUES={n} -DPAIRS") for n in (1, 2, 3)),
    Row("atomic_queue", "include", "-DVALUES=2 -DPAIRS", "include/atomic_queue/atomic_queue.h", (
        "state.store(STORED, R)", "state.store(STORED, X)",
    )),
    *(Row("spinlock_atomic_queue", "include", f"-DLOCK=atomic_queue::{lock}") for lock in (
        "Spinlock", "TicketSpinlock",
    )),
    Row("spinlock_atomic_queue", "include", "-DLOCK=atomic_queue::TicketSpinlock", "include/atomic_queue/spinlock.h", (
        "next_.store(ticket + 1, std::memory_order_release)", "next_.store(ticket + 1, std::memory_order_relaxed)",
    )),
    Row("xenium_seqlock"),
    Row("xenium_seqlock", file="xenium/seqlock.hpp", breaks=("XENIUM_THREAD_FENCE(std::memory_order_release)", "")),
    Row("xenium_chaselev"),
    Row("xenium_chaselev", file="xenium/chase_work_stealing_deque.hpp", breaks=(
        "std::memory_order_seq_cst", "std::memory_order_relaxed",
    )),
    Row("xenium_vyukov"),
    Row("xenium_nikolaev"),
    Row("xenium_leftright"),
    *(Row("spsc_mengrao", ".", f"-DVALUES={n}") for n in (1, 2, 4)),
    Row("spsc_mengrao", ".", "-DVALUES=2", "SPSCQueue.h", (
        "(write_idx + 1, std::memory_order_release)", "(write_idx + 1, std::memory_order_relaxed)",
    )),
    Row("deque_riften", "include"),
    Row("deque_taskflow"),
    Row("deque_taskflow", file="wsq.hpp", breaks=(
        "std::atomic_thread_fence(std::memory_order_seq_cst)", "std::atomic_thread_fence(std::memory_order_acq_rel)",
    )),
    *(Row("spsc_lockfree", "lockfree", f"-DVALUES={n}") for n in (1, 2, 3)),
    Row("spsc_lockfree", "lockfree", "-DVALUES=2", "lockfree/spsc/queue_impl.hpp", (
        "_w.store(w_next, std::memory_order_release)", "_w.store(w_next, std::memory_order_relaxed)",
    )),
    Row("mpmc_lockfree", "lockfree"),
    Row("mpmc_lockfree", "lockfree", "", "lockfree/mpmc/queue_impl.hpp", (PUT, "memory_order_relaxed")),
    *(Row("spsc_drogalis", "include", f"-DVALUES={n}") for n in (1, 2)),
    Row("spsc_drogalis", "include", "-DVALUES=2", "include/dro/spsc-queue.hpp", (PUT, "memory_order_relaxed")),
    *(Row("spsc_spans", "include", f"-DVALUES={n}") for n in (1, 2)),
    Row("spsc_spans", "include", "-DVALUES=2", "include/LockFreeSpscQueue.h", (PUT, "memory_order_relaxed")),
    *(Row("fifo_frasch", ".", f"-DRING={ring}") for ring in ("Fifo3", "Fifo4a", "Mutex")),
    Row("fifo_frasch", ".", "-DRING=Fifo3", "Fifo3.hpp", (
        "pushCursor_.store(pushCursor + 1, std::memory_order_release)",
        "pushCursor_.store(pushCursor + 1, std::memory_order_relaxed)",
    )),
    Row("spinmutex_crill", "include"),
    Row("spinmutex_crill", "include", "", "include/crill/spin_mutex.h", (
        "std::memory_order_acquire", "std::memory_order_relaxed",
    )),
    *(Row("fifo_farbot", "include", flags) for flags in ("", "-DMANY")),
    Row("fifo_farbot", "include", "", "include/farbot/detail/fifo.tcc", (
        "reserve.store (pos + 1, std::memory_order_release)", "reserve.store (pos + 1, std::memory_order_relaxed)",
    )),
    Row("realtime_farbot", "include"),
    Row("realtime_farbot", "include", "", "include/farbot/detail/RealtimeObject.tcc", (
        "pointer.exchange (nullptr)", "pointer.exchange (nullptr, std::memory_order_relaxed)",
    )),
    Row("queue_craflin"),
    Row("queue_craflin", file="LockFreeQueueCpp11.h", breaks=(
        "node->head.load(std::memory_order_relaxed)", "node->head.load(std::memory_order_acquire)",
    )),
    Row("pipe_enki", "src"),
    Row("pipe_enki", "src", "", "src/LockLessMultiReadPipe.h", (
        "FLAG_CAN_READ, std::memory_order_release", "FLAG_CAN_READ, std::memory_order_relaxed",
    )),
    Row("list_enki", "src"),
    Row("list_enki", "src", "", "src/LockLessMultiReadPipe.h", (
        "pPrev->pNext = pNode_;", "pPrev->pNext.store(pNode_, std::memory_order_relaxed);",
    )),
    *(Row("ccia", "listings", f"-D{what}") for what in ("SPIN", "STACK")),
    Row("ccia", "listings", "-DSPIN", "listings/listing_5.1.cpp", (PUT, "memory_order_relaxed")),
    Row("ccia", "listings", "-DSTACK", "listings/listing_7.3.cpp", (
        "(new_node->next,new_node)", "(new_node->next,new_node,std::memory_order_relaxed)",
    )),
    *(Row(f"{what}_preshing", "common", options="--max-depth 12") for what in ("event", "rwlock")),
    Row("event_preshing", "common", "", "common/autoresetevent.h", (PUT, "memory_order_relaxed"), "--max-depth 12"),
    Row("rwlock_preshing", "common", "", "common/rwlock.h", (PUT, "memory_order_relaxed"), "--max-depth 12"),
)  # fmt: skip


def headers(row: Row, library: Path, copies: Path) -> Path:
    """The folder of headers; where something is broken, a copy with that."""
    if not row.file:
        return library / row.folder
    there = copies / row.client
    shutil.rmtree(there, ignore_errors=True)
    shutil.copytree(library, there, ignore=shutil.ignore_patterns(".git", "html", "results"))
    text = (there / row.file).read_text("utf-8")
    assert row.breaks[0] in text, f"{row.name}: {row.breaks[0]} is not in {row.file}"
    (there / row.file).write_text(text.replace(*row.breaks), "utf-8")
    return there / row.folder


def command(row: Row, folder: Path) -> list[str]:
    """How a client is checked: all executions of what should be right, the first that is wrong of what is broken."""
    options = [
        "--mcm",
        "rc11",
        "--timeout",
        str(LIMIT),
        "--format",
        "json",
        *row.options.split(),
        *([] if row.file else ["--all-states"]),
    ]
    return ["xgen", "check", str(CLIENTS / f"{row.client}.cpp"), *options, "--", f"-I{folder}", *row.flags.split()]


def rows(folder: Path) -> Iterator[dict[str, object]]:
    for row in ROWS:
        found = head(f"{row.client}.cpp")
        library = fetched(found["repository"], found["commit"], folder)
        done = run(command(row, headers(row, library, folder / "broken")), limit=2 * LIMIT)
        names = {"client": row.name, "repository": found["repository"], "commit": found["commit"][:12]}
        broken = f"`{row.breaks[0]}` becomes `{row.breaks[1]}`" if row.file else ""
        yield (
            dict.fromkeys(FIELDS, "")
            | names
            | {"broken": broken}
            | answer(done.output)
            | {"seconds": f"{done.cpu:.1f}"}
        )


if __name__ == "__main__":
    write(FIELDS, rows(Path(sys.argv[1])))
