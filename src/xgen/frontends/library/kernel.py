"""What the Linux kernel's functions are to its memory model, for all who read them: litmus tests and the kernel's C.

The kernel's tools/memory-model/linux-kernel.def and Documentation/atomic_t.txt say so, as the paper by Alglave et al.
(ASPLOS 2018) models them. Operations that return a value and have no `_relaxed`, `_acquire` or `_release` in their
names are full barriers: both events have the tag mb. Those that return none have no order.

Tags: accesses once, acquire, release, noreturn, mb; locks lock-read and lock-write (of a spin_trylock: lock), unlock,
lock-fail (a spin_trylock that fails), is-locked and is-unlocked (spin_is_locked); fences as in `FENCES`.
"""

from __future__ import annotations

import re

FENCES = {
    "smp_mb": "mb",
    "smp_rmb": "rmb",
    "smp_wmb": "wmb",
    "smp_mb__before_atomic": "before-atomic",
    "smp_mb__after_atomic": "after-atomic",
    "smp_mb__after_spinlock": "after-spinlock",
    "smp_mb__after_unlock_lock": "after-unlock-lock",
    "smp_mb__after_srcu_read_unlock": "after-srcu-read-unlock",
    "smp_acquire__after_ctrl_dep": "after-ctrl-dep",
    "barrier": "barrier",
    "rcu_read_lock": "rcu-lock",
    "rcu_read_unlock": "rcu-unlock",
    "synchronize_rcu": "sync-rcu",
    "synchronize_rcu_expedited": "sync-rcu",
}
"""Functions without arguments, and the tags of the fences that they are."""
FULL = ("mb", "sync-rcu")
"""Fences that order all that is before them before all that follows."""

SRCU = {
    "srcu_read_lock": "srcu-lock",
    "srcu_down_read": "srcu-lock",
    "srcu_read_unlock": "srcu-unlock",
    "srcu_up_read": "srcu-unlock",
    "synchronize_srcu": "sync-srcu",
    "synchronize_srcu_expedited": "sync-srcu",
}
"""Functions of SRCU. Its structure is read, by a lock, which gives what is read, by a grace period, and by an unlock
(tag srcu-end), which writes what the lock has given to a location that no thread reads. No thread writes the
structure."""
SRCU_END, SRCU_BEGUN, SRCU_OVER = "srcu-end", "srcu-begun", "srcu-over"
"""More tags: of what an unlock reads; of fences, from where on a thread is in a section, and up to where, though it may
not come to the unlock."""

LOADS = {
    "READ_ONCE": "once",
    "rcu_dereference": "once",
    "smp_load_acquire": "acquire",
    "atomic_read": "once",
    "atomic_read_acquire": "acquire",
}
STORES = {
    "WRITE_ONCE": "once",
    "rcu_assign_pointer": "release",
    "smp_store_release": "release",
    "smp_store_mb": "once",
    "atomic_set": "once",
    "atomic_set_release": "release",
}
OPERATIONS = {
    "add": "fetch_add",
    "inc": "fetch_add",
    "sub": "fetch_sub",
    "dec": "fetch_sub",
    "and": "fetch_and",
    "or": "fetch_or",
    "xor": "fetch_xor",
    "andnot": "fetch_andnot",
}
_ORDER = r"(?P<order>_relaxed|_acquire|_release)?\Z"
UPDATE = re.compile(
    rf"atomic(?:64|_long)?_(?P<fetch>fetch_)?(?P<op>{'|'.join(OPERATIONS)})"
    rf"(?P<returns>_return|_and_test|_negative)?{_ORDER}"
)
EXCHANGE = re.compile(rf"(?:atomic(?:64|_long)?_)?(?P<op>xchg|cmpxchg){_ORDER}")


def tags(order: str) -> tuple[str, str]:
    """The tags of an update's read and write, by the end of the function's name."""
    if not order:
        return "mb", "mb"
    return ("acquire" if order == "_acquire" else "once", "release" if order == "_release" else "once")


WITHOUT_RESULT = ("noreturn", "once")
"""The tags of an update that returns nothing."""
