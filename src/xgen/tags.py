"""The tags that events bear, and the architectures and languages that programs are written for: one table of each.

Whatever lists tags asks here: the readers of programs, the .cat side (by herd's names), comparisons, warnings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Whose = Literal["C", "X86", "PPC", "ARM", "AArch64", "RISCV", "SPARC", "LKMM", "xgen"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: of which events it is ("R", "W", "F"), whose word it is, and what herd's models call these events.

    `herd` is "" where herd has no set of its own for it. `order`: it says how an access is ordered, if at all.
    """

    name: str
    kinds: str
    whose: Whose
    meaning: str
    herd: str = ""
    order: bool = False


def _barriers() -> list[Tag]:
    """Arm's: of all accesses, of loads before (LD), of stores only (ST), in a shareability domain."""
    what = {"": "all accesses", "ld": "loads and what follows", "st": "stores"}
    found = []
    for word in ("dmb", "dsb"):
        for domain in ("", "ish", "osh", "nsh"):
            for kind, meaning in what.items():
                suffix = domain + kind if domain else kind or "sy"
                found.append(Tag(f"{word}.{suffix}", "F", "AArch64", f"orders {meaning}", f"{word}.{suffix}".upper()))
    return found


TAGS = (
    Tag("relaxed", "RW", "C", "atomic, without an order", "RLX", order=True),
    Tag("consume", "R", "C", "orders what depends on it", "CON", order=True),
    Tag("acquire", "RF", "C", "orders what follows", "ACQ", order=True),
    Tag("release", "WF", "C", "orders what comes before", "REL", order=True),
    Tag("acq_rel", "RWF", "C", "both", "ACQ_REL", order=True),
    Tag("seq_cst", "RWF", "C", "both, and all of these in one order", "SC", order=True),
    Tag("mfence", "F", "X86", "orders all accesses", "MFENCE"),
    Tag("sfence", "F", "X86", "orders stores", "SFENCE"),
    Tag("lfence", "F", "X86", "orders loads", "LFENCE"),
    Tag("stbar", "F", "SPARC", "orders stores"),
    Tag("sync", "F", "PPC", "orders all accesses, for all threads", "SYNC"),
    Tag("lwsync", "F", "PPC", "orders all but a store and a load", "LWSYNC"),
    Tag("eieio", "F", "PPC", "orders stores", "EIEIO"),
    Tag("isync", "F", "PPC", "behind a branch: orders loads and what follows", "ISYNC"),
    Tag("dmb", "F", "ARM", "orders all accesses", "DMB"),
    Tag("dsb", "F", "ARM", "orders all accesses", "DSB"),
    *_barriers(),
    Tag("isb", "F", "AArch64", "behind a branch: orders loads and what follows", "ISB"),
    Tag("acquire_pc", "R", "AArch64", "acquire, but not before a release", "Q", order=True),
    Tag("noret", "R", "AArch64", "of an update that returns nothing", "NoRet"),
    Tag("exclusive", "RW", "AArch64", "of a pair of exclusive accesses", "EX"),
    *(
        Tag(f"fence.{a}.{b}", "F", "RISCV", f"orders {a} before it and {b} behind it", f"Fence.{a}.{b}")
        for a in ("r", "w", "rw")
        for b in ("r", "w", "rw")
    ),
    Tag("fence.tso", "F", "RISCV", "orders all but a store and a load", "Fence.tso"),
    Tag("fence.i", "F", "RISCV", "orders instructions", "Fence.i"),
    Tag("once", "RW", "LKMM", "READ_ONCE, WRITE_ONCE: atomic, without an order", order=True),
    Tag("noreturn", "R", "LKMM", "of an update that returns nothing"),
    Tag("mb", "RWF", "LKMM", "orders all accesses"),
    Tag("rmb", "F", "LKMM", "orders loads"),
    Tag("wmb", "F", "LKMM", "orders stores"),
    Tag("barrier", "F", "LKMM", "orders nothing but for the compiler"),
    Tag("rcu-lock", "F", "LKMM", "begins a read-side critical section"),
    Tag("rcu-unlock", "F", "LKMM", "ends it"),
    Tag("sync-rcu", "F", "LKMM", "waits until those that have begun are over"),
    Tag("before-atomic", "F", "LKMM", "orders what comes before and the update behind it"),
    Tag("after-atomic", "F", "LKMM", "orders the update before it and what follows"),
    Tag("after-spinlock", "F", "LKMM", "orders the lock before it and what follows"),
    Tag("after-unlock-lock", "F", "LKMM", "orders an unlock and a lock before it and what follows"),
    Tag("after-srcu-read-unlock", "F", "LKMM", "orders the end of a critical section and what follows"),
    Tag("implied", "F", "LKMM", "of the fences beside an update that is a full barrier"),
    Tag("lock-read", "R", "LKMM", "takes a lock", "LKR"),
    Tag("lock-write", "W", "LKMM", "takes a lock", "LKW"),
    Tag("lock-fail", "R", "LKMM", "finds it taken", "LF"),
    Tag("is-locked", "R", "LKMM", "sees that a lock is taken", "RL"),
    Tag("is-unlocked", "R", "LKMM", "sees that it is free", "RU"),
    Tag("computed", "W", "xgen", "of an update that computes with what it reads"),
    Tag("compared", "W", "xgen", "of a CAS of AArch64"),
    Tag("lock", "RWF", "xgen", "of a mutex that is taken"),
    Tag("unlock", "WF", "xgen", "of a mutex that is given back"),
    Tag("init", "W", "xgen", "an initial write", "IW"),
    Tag("rmw", "RW", "xgen", "of a read-modify-write", "RMW"),
    Tag("failed", "R", "xgen", "of one that does not write"),
    Tag("atomic", "RW", "xgen", "marked as atomic in the program"),
    Tag("start", "F", "xgen", "starts a process"),
    Tag("join", "F", "xgen", "waits for its end"),
    Tag("alloc", "F", "xgen", "an object is allocated; models do not see it"),
    Tag("free", "F", "xgen", "an object is freed; models do not see it"),
)
"""Each tag once, under whose word it is first; others use it as well, such as Arm's loads `acquire`."""

BY_NAME = {tag.name: tag for tag in TAGS}

ORDERS = tuple(tag.name for tag in TAGS if tag.order)
"""The tags that say how an access is ordered."""


def names(whose: Whose, kind: str = "", order: bool | None = None) -> tuple[str, ...]:
    """The tags of one language or architecture: those of a kind of events, those that are orders or are not."""
    return tuple(tag.name for tag in TAGS if tag.whose == whose and kind in tag.kinds and order in (None, tag.order))


LOAD_FENCES = frozenset({"lfence", "acquire", "relaxed"})
"""Fences that order no store with anything under sc, tso and pso, whose loads are in order anyway (mcm/pso.mcm)."""
STORE_FENCES = frozenset({"sfence", "release", "acq_rel"})
"""Fences that order stores there, no store with a later load."""

ARCHITECTURES = ("X86", "X86_64", "PPC", "ARM", "AArch64", "RISCV", "MIPS", "C", "LKMM")
"""The architectures that models may be of. LKMM is the Linux kernel's dialect of C; of MIPS there are only models."""

ELSEWHERE = ("BPF", "LISA", "JAVA", "ASL", "CPP", "OpenCL", "PTX", "VULKAN")
"""Architectures that models and tests of herd's and Dat3M's may be of and xgen does not know."""

MACHINES = {"x86": "tso", "armv8": "arm8", "armv8-lse": "arm8", "armv7": "arm", "power": "power", "riscv": "riscv"}
"""The models of what C programs are compiled for."""
