"""The functions of the library by their names."""

from __future__ import annotations

from xgen.frontends.library.call import Function, nothing
from xgen.frontends.library.mutexes import MUTEXES
from xgen.frontends.library.sleeping import SLEEPING
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
FUNCTIONS: dict[str, Function] = {
    **THREADS,
    **MUTEXES,
    **WAITING,
    **SLEEPING,
    **SYSCALL,
    **VERIFICATION,
    **{name: Function(nothing, count) for name, count in _NOTHING.items()},
    "pthread_setname_np": Function(nothing, 1, more=True),
}
