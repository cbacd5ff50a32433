"""How many arguments the functions of the library take, and those that compilers and verification tools add."""

from __future__ import annotations

import re

from xgen.frontends import reals
from xgen.frontends.library.table import FUNCTIONS, IGNORED

_EXACT = (
    "clock __builtin_ia32_rdtsc __builtin_ia32_mfence",
    "malloc free time getenv strerror alloca __builtin_malloc __builtin_free __builtin_alloca puts putchar "
    "__builtin_constant_p atomic_thread_fence __atomic_thread_fence __c11_atomic_thread_fence atomic_signal_fence "
    "__atomic_signal_fence __c11_atomic_signal_fence atomic_is_lock_free atomic_flag_test_and_set "
    "atomic_flag_clear atomic_load",
    "fputs fputc putc bzero __builtin_bzero __builtin_calloc timespec_get clock_gettime gettimeofday calloc "
    "aligned_alloc memalign realloc __builtin_expect atomic_init __c11_atomic_init __atomic_is_lock_free "
    "__atomic_always_lock_free atomic_flag_test_and_set_explicit atomic_flag_clear_explicit __atomic_test_and_set "
    "__atomic_clear atomic_store atomic_exchange atomic_load_explicit __atomic_load_n __c11_atomic_load",
    "posix_memalign memcpy memmove memset memcmp mempcpy __builtin_memcpy __builtin_memmove __builtin_memset "
    "__builtin_memcmp __builtin_mempcpy atomic_compare_exchange_strong atomic_compare_exchange_weak "
    "atomic_store_explicit atomic_exchange_explicit __atomic_load __atomic_store __atomic_store_n "
    "__atomic_exchange_n __c11_atomic_store __c11_atomic_exchange",
    "__atomic_exchange",
    "atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak_explicit "
    "__c11_atomic_compare_exchange_strong __c11_atomic_compare_exchange_weak",
    "__atomic_compare_exchange __atomic_compare_exchange_n",
)
"""By the number that they take."""
_AT_LEAST = (
    "",
    "printf __sync_lock_release",
    "fprintf dprintf sprintf __sync_lock_test_and_set",
    "snprintf __sync_bool_compare_and_swap __sync_val_compare_and_swap",
)
"""Those that may be given more."""
_PATTERNS = (
    (re.compile(r"atomic_fetch_[a-z]+$"), 2, 2),
    (re.compile(r"atomic_fetch_[a-z]+_explicit$"), 3, 3),
    (re.compile(r"__(c11_)?atomic_fetch_[a-z]+$"), 3, 3),
    (re.compile(r"__atomic_[a-z]+_fetch$"), 3, 3),
    (re.compile(r"__sync_(fetch_and_[a-z]+|[a-z]+_and_fetch)$"), 2, None),
    (re.compile(r"__builtin_(popcount|clz|ctz|clrsb|ffs|parity)(l|ll)?$|__builtin_bswap\d+$"), 1, 1),
    (re.compile(r"__VERIFIER_nondet_\w+$"), 0, 0),
)
_COUNTS: dict[str, tuple[int, int | None]] = {
    **{name: function.counts for name, function in FUNCTIONS.items()},
    **IGNORED,
    **{
        f"{prefix}{name}{suffix}": (count, count)
        for name, count in reals.OF_MATH_H.items()
        for suffix in ("", "f")
        for prefix in ("", "__builtin_")
    },
    **{f"{name}{suffix}": (1, 1) for name in reals.TO_LONG for suffix in ("", "f")},
    **{f"__builtin_{name}": (1, 1) for name in reals.CLASSES},
    **{name: (count, count) for count, names in enumerate(_EXACT) for name in names.split()},
    **{name: (least, None) for least, names in enumerate(_AT_LEAST) for name in names.split()},
}


def count_of(name: str) -> tuple[int, int | None] | None:
    """How many arguments a function takes at least and at most (None: any number); None where it is not known here."""
    if name in _COUNTS:
        return _COUNTS[name]
    return next(((least, most) for pattern, least, most in _PATTERNS if pattern.match(name)), None)


def wrong_count(what: str, given: int, least: int, most: int | None) -> str | None:
    """What is said of a call with so many arguments where others are wanted; None where it is right."""
    if least <= given and (most is None or given <= most):
        return None
    wanted = f"{'at least ' if most is None else ''}{least} argument{'s' * (least != 1)}"
    return f"{what} takes {wanted}, not {given}"
