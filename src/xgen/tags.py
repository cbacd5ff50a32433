"""The tags that events bear, and the architectures and languages that programs are written for: one table of each.

Whatever lists tags asks here: the readers of programs, the .cat side (by herd's names), comparisons, warnings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from xgen.records import dataclass

Orders = Literal["all", "stores", "nothing"]
Buffers = tuple[Orders, Orders]
"""What a fence orders under tso and under pso (mcm/tso.mcm, pso.mcm), where loads are in order anyway."""
FULL: Buffers = ("all", "all")
STBAR: Buffers = ("all", "stores")
STORES: Buffers = ("nothing", "stores")
LOADS: Buffers = ("nothing", "nothing")
Whose = Literal["C", "X86", "PPC", "ARM", "AArch64", "RISCV", "SPARC", "LKMM", "PTX", "Vulkan", "OpenCL", "HIP", "xgen"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: of which events it is ("R", "W", "F"), whose word it is, and what herd's models call these events.

    `herd` is "" where herd has no set of its own for it. `order`: it says how an access is ordered, if at all. Of a
    fence, `c` is that of C which becomes this one, "" if none does, and `buffers` what it orders where stores wait.
    """

    name: str
    kinds: str
    whose: Whose
    meaning: str
    herd: str = ""
    order: bool = False
    c: str = ""
    buffers: Buffers = FULL


def _barriers() -> list[Tag]:
    """Arm's: of all accesses, of loads before (LD), of stores only (ST), in a shareability domain."""
    what = {"": "all accesses", "ld": "loads and what follows", "st": "stores"}
    found = []
    for word in ("dmb", "dsb"):
        for domain in ("", "ish", "osh", "nsh"):
            for kind, meaning in what.items():
                suffix = domain + kind if domain else kind or "sy"
                name = f"{word}.{suffix}"
                c = {"dmb.sy": "seq_cst", "dmb.ld": "acquire"}.get(name, "")
                found.append(Tag(name, "F", "AArch64", f"orders {meaning}", name.upper(), c=c))
    return found


def _fences() -> list[Tag]:
    """RISC-V's, of reads, writes or both before and behind it."""
    c = {"rw.rw": "seq_cst", "r.rw": "acquire", "rw.w": "release"}
    found = []
    for a in ("r", "w", "rw"):
        for b in ("r", "w", "rw"):
            herd, meaning = f"Fence.{a}.{b}", f"orders {a} before it and {b} behind it"
            found.append(Tag(f"fence.{a}.{b}", "F", "RISCV", meaning, herd, c=c.get(f"{a}.{b}", "")))
    return found


def _of_gpus() -> list[Tag]:
    """Scopes, and what else accesses and fences of GPUs say."""
    ptx = {
        "cta": "with the threads of its block", "cluster": "with those of its cluster of blocks",
        "gpu": "with those of its GPU", "sys": "with all threads",
        "generic": "by generic addresses", "texture": "by the texture proxy", "surface": "by the surface proxy",
        "constant": "by the constant proxy",
    }  # fmt: skip
    vulkan = {
        "sg": "with its subgroup", "wg": "with its workgroup", "qf": "with its queue family", "dv": "with its device",
        **{f"sc{n}": f"of storage class {n}" for n in range(4)},
        **{f"semsc{n}": f"orders storage class {n}" for n in range(4)},
        "atom": "atomic", "nonpriv": "not of its thread only", "av": "makes available", "vis": "makes visible",
        "semav": "makes available what comes before", "semvis": "makes visible what follows",
    }  # fmt: skip
    opencl = {
        "wi": "with its work-item", "all": "with all devices", "global": "of global memory",
        "local": "of local memory", "nal": "of a location that is not atomic",
    }  # fmt: skip
    hip = {
        "singlethread": "with no other thread", "workgroup": "with the threads of its block",
        "agent": "with those of its GPU", "system": "with all threads",
    }  # fmt: skip
    return [
        *(Tag(name, "RWF", "PTX", meaning) for name, meaning in ptx.items()),
        Tag("alias", "F", "PTX", "orders accesses by different addresses of a location"),
        Tag("async", "RW", "PTX", "of a copy in the background"),
        Tag("signal", "RW", "PTX", "of an arrival when the copies in the background are over"),
        Tag("copied", "F", "PTX", "waits for copies of its thread"),
        Tag("arrive", "R", "PTX", "of a barrier at which it does not wait"),
        Tag("wait", "R", "PTX", "of a barrier at which it has arrived before"),
        Tag("beyond-quorum", "R", "PTX", "of a barrier that has its number of threads without it"),
        *(Tag(name, "RWF", "Vulkan", meaning) for name, meaning in vulkan.items()),
        Tag("avdevice", "F", "Vulkan", "makes available to the device"),
        Tag("visdevice", "F", "Vulkan", "makes visible from the device"),
        *(Tag(name, "RWF", "OpenCL", meaning) for name, meaning in opencl.items()),
        *(Tag(name, "RWF", "HIP", meaning) for name, meaning in hip.items()),
    ]


TAGS = (
    Tag("relaxed", "RW", "C", "atomic, without an order", "RLX", order=True, buffers=LOADS),
    Tag("consume", "R", "C", "orders what depends on it", "CON", order=True),
    Tag("acquire", "RF", "C", "orders what follows", "ACQ", order=True, buffers=LOADS),
    Tag("release", "WF", "C", "orders what comes before", "REL", order=True, buffers=STORES),
    Tag("acq_rel", "RWF", "C", "both", "ACQ_REL", order=True, buffers=STORES),
    Tag("seq_cst", "RWF", "C", "both, and all of these in one order", "SC", order=True),
    Tag("mfence", "F", "X86", "orders all accesses", "MFENCE", c="seq_cst"),
    Tag("sfence", "F", "X86", "orders stores", "SFENCE", c="release", buffers=STORES),
    Tag("lfence", "F", "X86", "orders loads", "LFENCE", buffers=LOADS),
    Tag("stbar", "F", "SPARC", "orders stores", buffers=STBAR),
    Tag("sync", "F", "PPC", "orders all accesses, for all threads", "SYNC", c="seq_cst"),
    Tag("lwsync", "F", "PPC", "orders all but a store and a load", "LWSYNC", c="acq_rel"),
    Tag("eieio", "F", "PPC", "orders stores", "EIEIO"),
    Tag("isync", "F", "PPC", "behind a branch: orders loads and what follows", "ISYNC"),
    Tag("dmb", "F", "ARM", "orders all accesses", "DMB", c="seq_cst"),
    Tag("dsb", "F", "ARM", "orders all accesses", "DSB"),
    *_barriers(),
    Tag("isb", "F", "AArch64", "behind a branch: orders loads and what follows", "ISB"),
    Tag("acquire_pc", "R", "AArch64", "acquire, but not before a release", "Q", order=True),
    Tag("noret", "R", "AArch64", "of an update that returns nothing", "NoRet"),
    Tag("exclusive", "RW", "AArch64", "of a pair of exclusive accesses", "EX"),
    *_fences(),
    Tag("fence.tso", "F", "RISCV", "orders all but a store and a load", "Fence.tso", c="acq_rel"),
    Tag("fence.i", "F", "RISCV", "orders instructions", "Fence.i"),
    Tag("once", "RW", "LKMM", "READ_ONCE, WRITE_ONCE: atomic, without an order", order=True),
    Tag("noreturn", "R", "LKMM", "of an update that returns nothing"),
    Tag("mb", "RWF", "LKMM", "orders all accesses"),
    Tag("rmb", "F", "LKMM", "orders loads"),
    Tag("wmb", "F", "LKMM", "orders stores"),
    Tag("barrier", "F", "LKMM", "orders nothing, except for the compiler"),
    Tag("rcu-lock", "F", "LKMM", "begins a read-side critical section"),
    Tag("rcu-unlock", "F", "LKMM", "ends it"),
    Tag("sync-rcu", "F", "LKMM", "waits until those that have begun are over"),
    Tag("before-atomic", "F", "LKMM", "orders what comes before and the update behind it"),
    Tag("after-atomic", "F", "LKMM", "orders the update before it and what follows"),
    Tag("after-spinlock", "F", "LKMM", "orders the lock before it and what follows"),
    Tag("after-unlock-lock", "F", "LKMM", "orders an unlock and a lock before it and what follows"),
    Tag("after-srcu-read-unlock", "F", "LKMM", "orders the end of a critical section and what follows"),
    Tag("after-ctrl-dep", "F", "LKMM", "orders what a branch before it has read, and what follows"),
    Tag("later", "F", "LKMM", "of the start of what is done later, which is no barrier"),
    Tag("implied", "F", "LKMM", "of the fences beside an update that is a full barrier"),
    Tag("lock-read", "R", "LKMM", "takes a lock", "LKR"),
    Tag("lock-write", "W", "LKMM", "takes a lock", "LKW"),
    Tag("lock-fail", "R", "LKMM", "finds it taken", "LF"),
    Tag("is-locked", "R", "LKMM", "sees that a lock is taken", "RL"),
    Tag("is-unlocked", "R", "LKMM", "sees that it is free", "RU"),
    Tag("srcu-lock", "R", "LKMM", "begins a critical section of SRCU"),
    Tag("srcu-begun", "F", "LKMM", "from where on the thread is in such a section"),
    Tag("srcu-over", "F", "LKMM", "up to where"),
    Tag("srcu-end", "R", "LKMM", "says of which structure the section is that ends"),
    Tag("srcu-unlock", "W", "LKMM", "ends it"),
    Tag("sync-srcu", "R", "LKMM", "waits until those of its structure that have begun are over"),
    Tag("unwatched", "RW", "LKMM", "in no data race, as in data_race()"),
    Tag("word", "W", "LKMM", "which KCSAN takes as an atomic one"),
    Tag("exclusive-writer", "R", "LKMM", "asserts that no other thread writes"),
    Tag("exclusive-access", "R", "LKMM", "asserts that no other thread reads or writes"),
    Tag("scope-begin", "R", "LKMM", "from where on such an assertion holds"),
    Tag("scope-end", "R", "LKMM", "up to where it holds"),
    *_of_gpus(),
    Tag("bar", "R", "xgen", "of a read that stands for a barrier of threads"),
    Tag("hidden", "RW", "xgen", "of an access that stands for a fence or a barrier"),
    Tag("arrival", "RW", "xgen", "of an access that says, or reads, whether a thread has come to a barrier"),
    Tag("computed", "W", "xgen", "of an update that computes with what it reads"),
    Tag("compared", "W", "xgen", "of a CAS of AArch64"),
    Tag("lock", "RWF", "xgen", "of a mutex that is taken"),
    Tag("back-off", "RW", "xgen", "of an attempt by a library that takes several mutexes"),
    Tag("unlock", "WF", "xgen", "of a mutex that is given back"),
    Tag("init", "W", "xgen", "an initial write", "IW"),
    Tag("rmw", "RW", "xgen", "of a read-modify-write", "RMW"),
    Tag("failed", "R", "xgen", "of one that does not write"),
    Tag("atomic", "RW", "xgen", "marked as atomic in the program"),
    Tag("part", "RW", "xgen", "a part of the access before it"),
    Tag("start", "F", "xgen", "starts a process"),
    Tag("join", "F", "xgen", "waits for its end"),
    Tag("meet", "F", "xgen", "waits for others at a barrier, of which it is one"),
    Tag("alloc", "F", "xgen", "an object is allocated; models do not see it"),
    Tag("free", "F", "xgen", "an object is freed; models do not see it"),
)
"""Each tag once, under whose word it is first; others use it as well, such as Arm's loads `acquire`."""

BY_NAME = {tag.name: tag for tag in TAGS}

ORDERS = tuple(tag.name for tag in TAGS if tag.order)
"""The tags that say how an access is ordered."""


KERNEL = "kernel"
"""The target of programs of C that are parts of the Linux kernel, whose tags are those of its model."""


FULL_FENCES = tuple(tag.name for tag in TAGS if tag.kinds == "F" and tag.meaning.startswith("orders all accesses"))
"""Fences of machines that order everything."""


def names(whose: Whose, kind: str = "", order: bool | None = None) -> tuple[str, ...]:
    """The tags of one language or architecture: those of a kind of events, those that are orders or are not."""
    return tuple(tag.name for tag in TAGS if tag.whose == whose and kind in tag.kinds and order in (None, tag.order))


def fence_of_c(tag: str) -> str:
    """The fence of C that becomes one with this tag ("": the fence without one); "" where there is none."""
    if not tag or tag not in BY_NAME:
        return "" if tag else "seq_cst"
    found = BY_NAME[tag]
    return tag if found.whose == "C" and "F" in found.kinds else found.c


def orders(machine: Literal["tso", "pso"], tags: Iterable[str]) -> Orders:
    """What a fence with these tags orders where stores wait in buffers. A tag that nobody knows makes it no weaker."""
    told = {BY_NAME[tag].buffers[machine == "pso"] for tag in tags if tag in BY_NAME}
    weaker: tuple[Orders, ...] = ("stores", "nothing")
    return next((what for what in weaker if what in told), "all")


@dataclass(frozen=True, slots=True)
class Architecture:
    """What models and tests are written for, a machine or a language.

    name     as models in .cat and litmus tests begin
    model    the shipped model that its tests are checked under; "": there is none
    read     who reads its tests: a module of frontends/litmus, and what is taken from it; None: they are not read
    targets  what C programs are compiled for, as `--map` names it (frontends/mapping.py)
    called   what people call it besides, for hints
    """

    name: str
    model: str = ""
    read: tuple[str, str] | None = None
    targets: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


TABLE = (
    Architecture(
        *("X86", "tso", ("architectures.x86", "X86_32")),
        targets=("x86",),
        called=("x86", "x86-64", "x86-tso", "x86_64"),
    ),
    Architecture("X86_64", "tso", ("architectures.x86", "X86_64")),
    Architecture(
        *("AArch64", "arm8", ("architectures.aarch64", "AARCH64")),
        targets=("armv8", "armv8-lse"),
        called=("aarch64", "arm64", "armv8"),
    ),
    Architecture("ARM", "arm", ("architectures.arm", "ARM"), targets=("armv7",), called=("armv7",)),
    Architecture("PPC", "power", ("architectures.ppc", "PPC"), targets=("power",), called=("ppc",)),
    Architecture("RISCV", "riscv", ("architectures.riscv", "RISCV"), targets=("riscv",), called=("risc-v",)),
    Architecture("MIPS"),
    Architecture("C", "rc11", ("c.body", "architecture"), called=("c", "c++", "c11")),
    Architecture("LKMM", "lkmm", called=("linux",)),
    Architecture("PTX", "ptx", ("architectures.ptx", "PTX"), called=("ptx", "nvptx")),
    Architecture("VULKAN", "vulkan", ("architectures.vulkan", "VULKAN"), called=("vulkan", "spir-v", "spirv")),
    Architecture("Vulkan", "vulkan", ("architectures.vulkan", "VULKAN")),
    Architecture("OpenCL", "opencl", ("c.opencl", "OPENCL"), called=("opencl",)),
    Architecture("OPENCL", "opencl", ("c.opencl", "OPENCL")),
)
"""Each architecture once. Of MIPS there are only models; tests of LKMM, the kernel's
dialect of C, begin with C."""

AWAITS = "awaits"
"""The family of tags of reads by which a thread waits at a barrier for another one, whose number they have."""
PLACES = ("cta", "cluster", "gpu", "sg", "wg", "qf", "dv", "workgroup", "agent")
"""The families of tags of the groups that threads of GPUs are in: `cta.g0.c1` is block 1 of GPU 0."""
SYSTEM = ("ssw-from", "ssw-to")
"""The families of tags of threads that the system orders."""
ORDERED_FENCES = "$sc"
"""The cell that PTX's `fence.sc` writes: the order of these writes is the fence-SC order."""
COPIES = "copy"
"""The family of tags of copies in the background, by their groups."""
RARE = ("cluster", COPIES)
"""Families of tags that few programs of GPUs have: clusters of blocks, copies in the background."""
GROUPS = ("address", *PLACES, *SYSTEM, AWAITS, COPIES)
"""Families of tags that readers give to events of GPUs: how a location is named, which group of threads they are in,
what the system orders, who waits for whom, and which copies are waited for."""


_OF_GROUPS = tuple(f"{group}." for group in GROUPS)


ACCEPTED = "accepted-"
"""What the tags begin with of events where a known finding is accepted; a kind of violation follows."""


def told(tags: Collection[str]) -> list[str]:
    """Those tags of an event that people are told, sorted.

    Not which groups the event and its address are of, which the text of the test shows, and not what the event is
    shown as: an initial write, an update, what a `hidden` access stands for, or the passing of a barrier; and not that
    an access of a GPU is by a generic address, as most are.
    """
    untold = ("init", "computed", "generic", *(("bar", "hidden") if "hidden" in tags else ()))
    untold = (*untold, *(("join", "meet") if "meet" in tags else ()))
    return sorted(tag for tag in tags if tag not in untold and not tag.startswith((*_OF_GROUPS, ACCEPTED)))


ARCHITECTURES = {each.name: each for each in TABLE}

ELSEWHERE = ("BPF", "LISA", "JAVA", "ASL", "CPP")
"""Architectures that models and tests of herd's and Dat3M's may be of and xgen does not know."""

MACHINES = {target: each.model for each in TABLE for target in each.targets}
"""The models of what C programs are compiled for."""

EVERY_MACHINE: Literal["all"] = "all"
"""What `--on` is called that asks about each of them."""

NO_MAP: Literal["none"] = "none"
"""What `--map` is called that leaves a text as it stands, even if a model does not know its orders."""

FAMILIES = (
    ({"lwsync", "sync"}, "lwsync=1<sync=3"),
    ({"dmb.ld", "dmb.st"}, "dmb.ld=1<dmb.sy=3,dmb.st=1<dmb.sy"),
    ({"dmb", "dmb.st"}, "dmb.st=1<dmb=3"),
    ({"fence.rw.rw"}, "fence.r.rw=1<fence.tso=3<fence.rw.rw=4,fence.rw.w=1<fence.tso"),
    ({"mb", "rmb", "wmb"}, "rmb=1<mb=3,wmb=1<mb"),
    ({"stbar", "lfence"}, "sfence=1<mfence=3"),
    ({"consume", "acquire", "release"}, "acquire=1<seq_cst=3,release=1<seq_cst"),
    ({"lfence"}, "mfence=1"),
    ({"mfence"}, "mfence=1"),
)
"""The fences that placements are made of, the weaker ones first with what they cost, by tags that a model speaks of or
expects: the first that fits."""
