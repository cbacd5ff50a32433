"""The functions of the library by their names."""

from __future__ import annotations

from xgen.frontends.library.call import Function, nothing
from xgen.frontends.library.mutexes import MUTEXES
from xgen.frontends.library.sleeping import SLEEPING
from xgen.frontends.library.surroundings import SURROUNDINGS
from xgen.frontends.library.syscalls import SYSCALL
from xgen.frontends.library.threads import THREADS
from xgen.frontends.library.verification import VERIFICATION
from xgen.frontends.library.waiting import WAITING

_NOTHING = {
    "pthread_attr_destroy": 1,
    "pthread_mutexattr_destroy": 1,
    "pthread_condattr_init": 1,
    "pthread_condattr_destroy": 1,
    "pthread_barrierattr_init": 1,
    "pthread_barrierattr_destroy": 1,
    "pthread_rwlockattr_destroy": 1,
    "pthread_mutexattr_setpshared": 2,
    "pthread_attr_setstacksize": 2,
    "pthread_setconcurrency": 1,
    **dict.fromkeys(("pthread_condattr_setclock", "pthread_condattr_setpshared", "pthread_barrierattr_setpshared"), 2),
    **dict.fromkeys(("pthread_rwlockattr_setpshared",), 2),
    **dict.fromkeys(("pthread_mutexattr_setprotocol", "pthread_mutexattr_setrobust"), 2),
    **dict.fromkeys(("pthread_attr_setguardsize", "pthread_attr_setscope", "pthread_attr_setinheritsched"), 2),
    **dict.fromkeys(("pthread_attr_setschedpolicy", "pthread_attr_setschedparam"), 2),
    **dict.fromkeys(("pthread_attr_setstack", "pthread_attr_setaffinity_np"), 3),
    "pthread_mutex_consistent": 1,
    **dict.fromkeys(("sigemptyset", "sigfillset"), 1),
    **dict.fromkeys(("sigaddset", "sigdelset", "thrd_sleep"), 2),
    "clock_nanosleep": 4,
    "pthread_key_delete": 1,
    "tss_delete": 1,
    "sched_yield": 0,
    "pthread_yield": 0,
    "thrd_yield": 0,
}
"""Functions that do nothing here, by the numbers of their arguments."""
FORMATTED = {"printf": 0, "fprintf": 1, "dprintf": 1, "vprintf": 0, "vfprintf": 1, "vdprintf": 1}
"""What prints by a format, and which argument that is. The result is how much was printed."""
TEXTS = frozenset(["puts", "fputs"])
"""What gives a number that is not negative, whichever."""
CHARACTERS = frozenset(["putchar", "fputc", "putc"])
"""What gives the character that is printed."""
IGNORED: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("__builtin_ia32_pause", "__builtin_ia32_lfence", "__builtin_ia32_sfence"), (0, 0)),
    "pthread_testcancel": (0, 0),  # nobody can cancel
    **dict.fromkeys(("fflush", "perror", "srand", "srandom", "srand48", "usleep", "sleep"), (1, 1)),
    **dict.fromkeys(("nanosleep", "setbuf", "__builtin___clear_cache"), (2, 2)),
    "pthread_atfork": (3, 3),  # nobody forks
    **dict.fromkeys(
        ("pthread_sigmask", "pthread_setaffinity_np", "pthread_setschedparam", "sched_setaffinity"), (3, 3)
    ),
    "setvbuf": (4, 4),
    "__builtin_prefetch": (1, None),
}
"""Functions of which nothing matters, with the numbers of arguments that they take at least and at most."""
HINTS = frozenset(
    f"__VERIFIER_{name}"
    for name in (
        *("loop_begin", "loop_bound", "spin_start", "optional", "make_interesting"),
        *("annotate_begin", "annotate_end"),
    )
)
"""What other tools are told by, likewise."""
FUNCTIONS: dict[str, Function] = {
    **THREADS,
    **MUTEXES,
    **WAITING,
    **SLEEPING,
    **SYSCALL,
    **VERIFICATION,
    **SURROUNDINGS,
    **{name: Function(nothing, count, single_threaded=True) for name, count in _NOTHING.items()},
    "pthread_setname_np": Function(nothing, 1, more=True, single_threaded=True),
}
