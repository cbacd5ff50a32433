"""The known bugs: what is fetched, and how it is checked (bugs.py)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CLIENTS = Path(__file__).with_name("bugs")
LIMIT = 60
"""Seconds for a check."""
OLD = ("-Iinclude", "-Wno-missing-template-arg-list-after-template-kw")
CK = ("-Iinclude", f"-I{CLIENTS.parents[1] / 'programs' / 'real'}")
WRITTEN = f"-I{CLIENTS.parents[1] / 'programs' / 'real' / 'config'}"
"""The headers that the libraries' configure scripts write."""
UV = ("-Iinclude", "-Isrc", "-Isrc/unix", "-D_GNU_SOURCE", "-D_AIX")
"""A system without barriers of its own."""

WEAK = "doi 10.1145/2694344.2694391"
EXPOSED = "doi 10.1145/2908080.2908114"
PORTABLE = "doi 10.1145/2983990.2984032"
"""Papers that say what is missing from code that has no place of its own: at ASPLOS 2015, PLDI 2016, OOPSLA 2016."""


@dataclass(frozen=True)
class Bug:
    """A client (a file of benchmarks/bugs) and what it uses, before and after the fix: commits of a repository,
    versions of a crate, or nothing that is fetched: a client of kernel/ or gpu/ is what was before the fix with BEFORE.

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
        found = {"c": "C", "cpp": "C++", "rs": "Rust", "cu": "GPU"}[ending]
        return "kernel" if self.client.startswith("kernel/") else found

    @property
    def is_fetched(self) -> bool:
        return self.language not in ("kernel", "GPU")


RING = (
    *(f"-Ilib/{part}" for part in ("ring", "log", "kvargs")), "-Iconfig", WRITTEN, "-include", "rte_config.h",
    *(f"-Ilib/eal/{part}include" for part in ("", "x86/", "linux/")), "-DRTE_USE_C11_MEM_MODEL",
)  # fmt: skip
"""Flags for DPDK's ring, since it stands in lib/ring."""

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
        "ck_ring", "ck_ring_full.c", "concurrencykit/ck", "commit c7945fe", "9bae6df158b3938267d94948bb6db13218058e53",
        "c7945fe3a7817549f573b0cb902f797c7df071a0", (), CK, ("--on", "armv8", "--headers", "own", "--unroll", "3"),
        missed="the element's copy is a write, which the old fence orders; a compiler may leave that write out",
    ),
    Bug(
        "zix ring, fences", "zix_ring.c", "drobilla/zix", "commit 767f360", "818ce34b2d553d373b572ba82cb60b7aa1e14224",
        "767f3604c81592ff6790043332f53aaa15c60bab", ("src/ring.c", "src/allocator.c"), ("-Iinclude",),
        ("--clang", "--on", "armv8", "--no-check", "races"),
    ),
    Bug(
        "zix ring, atomics", "zix_ring.c", "drobilla/zix", "commit 524a5ed", "c99c6d4cf66dca1e9a13d6068da8a993f6540486",
        "524a5ed9505aae03d143c5f27805d475ba5eecfa", ("src/ring.c", "src/allocator.c"), ("-Iinclude",), ("--clang",),
    ),
    Bug(
        "PortAudio ring buffer", "pa_ringbuffer.c", "PortAudio/portaudio", "commit f22cec3",
        "fa8a45c845abba02b2b9a9d4e51ac14b270b6298", "f22cec3d45150e388ce701478368fb86bf2f3e73",
        ("src/common/pa_ringbuffer.c",), ("-Isrc/common",), ("--clang", "--on", "armv8", "--no-check", "races"),
    ),
    Bug(
        "DPDK mcslock", "mcslock.c", "DPDK/dpdk", "commit 021b698", "f32fed83db8ba3f929d520bd370df612728a130b",
        "021b698eb56e48009d74d818bea5a9bdad4f54fa", (),
        (*(f"-Ilib/librte_eal/{part}include" for part in ("", "x86/", "linux/")), "-Ilib/librte_eal/include/generic",
         "-Iconfig",
         WRITTEN, "-include", "rte_config.h", "-include", "rte_branch_prediction.h"),
        ("--on", "armv8", "--no-check", "races", "--liveness"),
    ),
    Bug(
        "DPDK ring, tail", "rte_ring.c", "DPDK/dpdk", "commit 9ed8770", "305921f4508d6a4c399ff99036e379e810455b9b",
        "9ed877062898dd1eb7150bca56ebbd5329e96ee4", (),
        (*(f"-Ilib/{part}" for part in ("librte_ring", "librte_compat", "librte_eal/common/include")),
         *(f"-Ilib/librte_eal/common/include/{part}" for part in ("arch/x86", "generic")), "-Iconfig", WRITTEN,
         "-Ilib/librte_eal/linuxapp/eal/include", "-include", "rte_config.h", "-DRTE_USE_C11_MEM_MODEL"),
    ),
    Bug(
        "DPDK ring, head", "rte_ring_many.c", "DPDK/dpdk", "commit b4421c7", "5661ff900a908ce4b4ed233054725ed11d35cca8",
        "b4421c7ac1339a313a8e8619b2102cb2bdb7cfb6", (),
        RING,
        ("--unroll", "3"),
    ),
    Bug(
        "DPDK ring, RTS", "rte_ring_rts.c", "DPDK/dpdk", "commit 8b31642", "8e77bf160424de60e5aa3addb3fb6968f7712049",
        "8b31642ab300f9ecc6556a86092f86bc4aa81dd9", (),
        RING,
        ("--mixed-atomics", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "liburing, buffers", "buf_ring.c", "axboe/liburing", "commit c44319a",
        "91b234ee33667552da5cf85293591d034a75fa17", "c44319a6bfb9953b430325227a94136690c19c33", (),
        ("-Isrc/include", WRITTEN),
    ),
    Bug(
        "haproxy mt_list", "mt_list.c", "haproxy/haproxy", "commit 1f05324",
        "8a069eb9a4b34e48ea41ac0e270cd2ccbd6fe3e8", "1f05324cbe92a7dde71f44dc740eb8240539746f", (),
        ("-Iinclude", "-DUSE_THREAD"), ("--on", "x86", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "haproxy mt_list, twice", "mt_list_delete.c", "haproxy/haproxy", "commit 7a33b90",
        "aa259f5b42869e4158093b831683750b44cfe0b6", "7a33b90b3cdcf26e4a73bee9e89a4fe670eee167", (), ("-Iinclude",),
        ("--on", "x86", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "haproxy plock", "plock.c", "haproxy/haproxy", "commit 7c69c9b", "c21ec3b7351c49e6bc6a49983d59701377c75d9b",
        "7c69c9b51f61a28dbb44599a176eaa0e54467013", (), ("-Iinclude",),
        ("--on", "x86", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "haproxy mt_list, behead", "mt_list_behead.c", "haproxy/haproxy", "commit 787dc20",
        "1e3697635292b0f194171958a26766ae3e8d8453", "787dc20952aecdfb9322fb511f07d1d21b5733c7", (),
        ("-Iinclude", "-DUSE_THREAD"),
        ("--on", "armv8", "--no-check", "races", "--unroll", "3"),
        missed="one that appends beside one that takes all is right without these barriers",
    ),
    Bug(
        "haproxy list, barriers", "locked_list.c", "haproxy/haproxy", "commit 690d2ad",
        "285192564d2a7d6eff077d91758b603ba7f2b10a", "690d2ad4d207da5c8821b84ab467090bd515eedf", (),
        ("-Iinclude", "-DUSE_THREAD"),
        ("--on", "armv8", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "haproxy list, delete", "locked_list_two.c", "haproxy/haproxy", "commit b0cef35",
        "df23c0ce4592fd664b3cf9b87a5bb8975e6ca6b7", "b0cef35b097c89ff675e055186e71239e105eb01", (),
        ("-Iinclude", "-DUSE_THREAD"),
        ("--on", "x86", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "libuv barrier, last", "uv_barrier.c", "libuv/libuv", "pull request 2019",
        "a3a601c5da8a8e3cef5a9ef992c72d5dd0e2970b", "49b8a9f1819cb47f408f7f749b0759a78b0ca139",
        ("src/unix/thread.c",), UV,
    ),
    Bug(
        "libuv barrier, destroy", "uv_barrier_all.c", "libuv/libuv", "issue 3102",
        "b12699b1efabfd241324f4ab6cfd6ce576db491e", "e49ef4f309e631e2ecbeb7ff4397b0b073da681c",
        ("src/unix/thread.c",), UV,
    ),
    Bug(
        "liburing, entries", "sq_ready.c", "axboe/liburing", "commit 724d8dd",
        "a25caac5518c421daea757ce9dcfbc24db5ab36d", "724d8dd8f624555e0e8e916f790c4d07b47e6d34", (),
        ("-Isrc/include", WRITTEN),
    ),
    Bug(
        "liburing, wakeup", "sq_wakeup.c", "axboe/liburing", "issue 541", "2de98320d5b02951936fc0ab677dd01e4fb2a7a7",
        "744f4156b25d8630fee279cfd852ecc4c73952d4", ("src/queue.c",),
        ("-Isrc/include", "-Isrc", WRITTEN, "-DLIBURING_INTERNAL", "-DLIBURING_ARCH_X86_SYSCALL_H"),
    ),
    Bug(
        "DPDK mcslock, next", "mcslock.c", "DPDK/dpdk", "commit 8357af1", "2f8d3fda56754b13a09098fac1140d781366672f",
        "8357af1cb3a359810bd56eab78ed104495c8094f", (),
        (*(f"-Ilib/eal/{part}include" for part in ("", "x86/", "linux/")), "-Iconfig", WRITTEN,
         "-include", "rte_config.h", "-include", "rte_branch_prediction.h"),
        ("--liveness",),
    ),
    Bug(
        "DPDK ring, loads", "rte_ring_take.c", "DPDK/dpdk", "commit 9bc2cbb",
        "2148d54349458023bb878bede2b33567dbec9648", "9bc2cbb007c0a3335c5582357ae9f6d37ea0b654", (),
        ("-Ilib/librte_ring", "-Ilib/librte_compat", "-Ilib/librte_eal/linuxapp/eal/include",
         *(f"-Ilib/librte_eal/common/include{part}" for part in ("/arch/arm", "/generic", "")),
         "-DRTE_ARCH_ARM64", "-DRTE_ARCH_64", "-DRTE_FORCE_INTRINSICS", "-DRTE_CACHE_LINE_SIZE=64",
         "-DRTE_MAX_LCORE=2", "-D_RTE_MEMZONE_H_", "-DRTE_MEMZONE_NAMESIZE=32"),
        ("--on", "armv8", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "DPDK KNI queue", "kni_fifo.c", "DPDK/dpdk", "commits 0b05abe, fd5f333",
        "ede56cc18dba2db0d261b15815063394dcb2035a", "fd5f33323e5a698941db03908d5bd1fa91016b7e", (),
        ("-Ilib/librte_kni", "-Ilib/librte_eal/linuxapp/eal/include", "-Iconfig", WRITTEN, "-include", "rte_config.h",
         *(f"-Ilib/librte_eal/common/include{part}" for part in ("/arch/arm", "/generic", "")),
         "-DRTE_ARCH_ARM64", "-DRTE_ARCH_64", "-DRTE_FORCE_INTRINSICS", "-DRTE_USE_C11_MEM_MODEL",
         "-Dphys_addr_t=uint64_t"),
        ("--on", "armv8", "--no-check", "races", "--unroll", "3"),
    ),
    Bug(
        "DPDK ring, HTS", "rte_ring_hts.c", "DPDK/dpdk", "commit 66d5f96", "a4ad0eba9def1d1d071da8afe5e96eb2a2e0d71f",
        "66d5f962780694f6aebf000907fc3ce7a72584f9", (),
        RING,
        ("--mixed-atomics", "--unroll", "3"),
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
        "atomic_queue, barrier", "start_barrier.cpp", "max0x7ba/atomic_queue", "commits bb86a3b, d9dd488",
        "de06e399538f39e1c36489101a11714b5a34edd5", "d9dd488bcf1a7ff20617bda31b14f560b84ba5d2", (),
        ("-I.", "-Iinclude/atomic_queue"),
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
        "readerwriterqueue, races", "readerwriterqueue_races.cpp", "cameron314/readerwriterqueue", "commit 66cd316",
        "95addc44e4efc3decac3e4d868b753d8cfe7e6a2", "66cd316bfa5e4a77517a559d247d13ca80fe3dde", (), ("-I.",),
    ),
    Bug(
        "xenium::ramalhete_queue", "ramalhete.cpp", "mpoeter/xenium", "commit a18862f",
        "c2734782c770df6fa0a22ffdb55db9cd4b7c6b7d", "a18862fea6c6921e2376cf990c3f92da8d8db3ce", (),
        ("-I.", "-std=c++17", WRITTEN),
    ),
    Bug(
        "xenium::seqlock", "seqlock_xenium.cpp", "mpoeter/xenium", "commit 8152339",
        "1356e8c51bf3326aa9ea4c6d5d16e9a3a5c2d7bd", "8152339ddd6f4e8e1c5bb646361a7f768add71a1", (),
        ("-I.", "-std=c++17"),
    ),
    Bug(
        "xenium::seqlock, slots", "seqlock_slots.cpp", "mpoeter/xenium", "commit 79601ee",
        "75099989509b0970830e199e7d330c37df5d5c23", "79601eecfcf510af41f18093c08fce9214c22ae3", (),
        ("-I.", "-std=c++17"),
    ),
    Bug(
        "stdexec::run_loop", "run_loop.cpp", "NVIDIA/stdexec", "pull request 1746",
        "970dbace4ad52a38c9b18665d077f14159792b23", "7ce043cca0cd3ba4dc910247429a5d516bd48dd0", (), ("-Iinclude",),
    ),
    Bug(
        "cds::sync::reentrant_spin_lock", "reentrant_lock.cpp", "khizmax/libcds", "issue 123",
        "efab6d4360927e49a9e2e1446dd8442dcb684f8a", "2d950549b524c89154d75100806afcd6d925a3b6", (), ("-I.",),
    ),
    Bug(
        "tf::AtomicIntrusiveStack", "intrusive_stack.cpp", "taskflow/taskflow", "commit 86e3699",
        "c7f446aea6e1469eed4e7acfcc45cf5da5661182", "86e3699a47874e3fcdc93a31c8dd2028ae6c0c83", (), ("-I.",),
    ),
    Bug(
        "folly::AtomicIntrusiveLinkedList", "intrusive_list.cpp", "facebook/folly", "commit 50e1b70",
        "895eff4e46a91effe632e09cfa71c6572cb26f23", "50e1b70a087b6c10ea6cbcb4d3995a6c861552d9", (), ("-I.",),
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
    Bug("oneshot, drop", "oneshot_drop.rs", "faern/oneshot", "commit 030febc", "0.1.11", "0.1.12", crate="oneshot"),
    Bug("spin::RwLock", "spin_rwlock.rs", "mvdnes/spin-rs", "RUSTSEC-2019-0013", "0.5.0", "0.5.2", crate="spin"),
    Bug("event-listener", "event_listener.rs", "smol-rs/event-listener", "issue 138", "5.3.0", "5.3.1",
        crate="event-listener", options=("--liveness",)),
    Bug("async-channel", "async_channel.rs", "smol-rs/async-channel", "pull request 60", "1.8.0", "1.9.0",
        crate="async-channel"),
    Bug("spin::Once, call_once", "spin_call_once.rs", "mvdnes/spin-rs", "issue 117", "0.9.2", "0.9.3", crate="spin",
        locked=("lock_api 0.4.9", "scopeguard 1.1.0", "autocfg 1.1.0")),
    Bug("oneshot, recv", "oneshot_recv.rs", "faern/oneshot", "pull request 20", "0.1.3", "0.1.4", crate="oneshot",
        options=("--spurious",), locked=("loom 0.3.6",)),
    *(
        Bug(name, f"kernel/{client}.c", "torvalds/linux", subject, "BEFORE", commit)
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
            ("perf ring", "perf_ring", "perf: Fix perf ring buffer memory ordering", ""),
            ("rwsem", "rwsem", "locking/rwsem-xadd: Fix missed wakeup due to reordering of load", ""),
            ("refcount", "refcount",
             "refcount_t: Add ACQUIRE ordering on success for dec(sub)_and_test() variants", ""),
            ("try_to_wake_up", "ttwu", "sched/core: Fix a race between try_to_wake_up() and a woken up task", ""),
            ("signal_wake_up", "signal_wake_up", "sched: fix the theoretical signal_wake_up() vs schedule() race", ""),
            ("x_tables", "x_tables", "netfilter: x_tables: Use correct memory barriers.", "175e476b"),
            ("mntput", "mnt", "fix __legitimize_mnt()/mntput() race", "119e1ef8"),
            ("sock_poll_wait", "sock_poll", "net: adding memory barrier to the poll and receive callbacks", ""),
            ("spin_is_locked", "two_locks",
             "arm64: spinlock: order spin_{is_locked,unlock_wait} against local locks", ""),
            ("blk-mq", "blk_stopped", "block: fix ordering between checking BLK_MQ_S_STOPPED request adding", ""),
            ("buffer_uptodate", "buffer_uptodate",
             "add barriers to buffer_uptodate and set_buffer_uptodate", "d4252071"),
            ("uprobes", "uprobes", "uprobes: Fix handle_swbp() vs. unregister() + register() race once more", ""),
            ("sbitmap depth", "sbitmap_depth", "sbitmap: fix improper use of smp_mb__before_atomic()", ""),
            ("bio", "bio_cnt", "bio: fix improper use of smp_mb__before_atomic()", ""),
            ("qdisc", "qdisc", "net: sched: add barrier to ensure correct ordering for lockless qdisc", ""),
            ("keys", "keys", "KEYS: Fix race between updating and finding a negative key", ""),
            ("io_uring", "io_uring", "io_uring: add a memory barrier before atomic_read", "c0e48f9d"),
            ("qspinlock", "mcs_node", "locking/qspinlock: Ensure node is initialised before updating prev->next", ""),
            ("blk-mq, quiesced", "quiesced",
             "block: fix ordering between checking QUEUE_FLAG_QUIESCED request adding", "6bda857b"),
            ("ipc/sem", "sem", "ipc/sem.c: fix complex_count vs. simple op race", ""),
            ("qdisc, end", "qdisc_end", "net: sched: add barrier to fix packet stuck problem for lockless qdisc", ""),
            ("qrwlock", "qrwlock", "locking/qrwlock: Fix ordering in queued_write_lock_slowpath()", "84a24bf8"),
            ("ceph", "ceph", "ceph: fix improper use of smp_mb__before_atomic()", ""),
            ("aio", "aio_ring", "aio: add missing smp_rmb() in read_events_ring", "2ff396be"),
            ("tty_buffer", "tty_commit", "tty: fix data race on tty_buffer.commit", ""),
            ("n_tty, tail", "n_tty_tail", "n_tty: Fix unordered accesses to lockless read buffer", ""),
            ("try_to_wake_up, on_cpu", "wake_on_cpu", "sched/core: Fix ttwu() race", "b6e13e85"),
        )
    ),
    *(
        Bug(name, f"gpu/{client}.cu", repository, issue, "BEFORE", commit)
        for name, client, repository, issue, commit in (
            ("DeviceTopK", "topk", "NVIDIA/cccl", "pull request 10627", "65461625"),
            ("CUDA by Example, lock", "spin_lock", "CUDA by Example", f"its erratum; {WEAK}", ""),
            ("CUDA by Example, hash table", "hash_table", "CUDA by Example", EXPOSED, ""),
            ("lock of Stuart and Owens", "exchange_lock", "arXiv 1110.4623", WEAK, ""),
            ("lock of He and Yu", "try_lock", "doi 10.14778/1952376.1952381", WEAK, ""),
            ("deque of Cederman and Tsigas", "deque", "GPU Computing Gems", WEAK, ""),
            ("barrier of Xiao and Feng", "barrier", "doi 10.1109/IPDPS.2010.5470477", PORTABLE, ""),
        )
    ),
)  # fmt: skip
