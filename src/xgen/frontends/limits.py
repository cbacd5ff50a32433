"""What readers write out at most: one table, so that a program has one answer, whichever reader reads it.

Where an execution needs more, its thread is cut (a bound, which the result names) or the program is refused; nothing
that lies behind a limit is a violation.
"""

from __future__ import annotations

THREADS = 256
"""Threads of one program; those are counted that may be created."""
ROUNDS = 2000
"""Rounds of a loop that are known: one that has more is a loop of the automaton."""
WRITTEN = 10_000
"""Statements that become of a loop whose rounds are written out, and of the loops inside it."""
NESTED_CALLS = 8
"""Calls of one function inside each other, and threads that start their like."""
CALLED_AGAIN, LONG = 1_000, 50_000
"""Calls of functions inside themselves, and statements of a thread, with which fewer calls may be inside each other."""
POOL = 16
"""Objects that are made by one call in a loop whose rounds are not known."""
COMPARED = 4096
"""Bytes that are compared by one call."""
SCALARS = 1 << 20
"""Numbers and pointers that one object has, as C's own reader has them."""
PRINTED = 64
"""Letters of a text that are read where it is printed."""
PARTS = 16
"""Parts that are copied, set or compared by one call where their number is not known."""
DESTROYED = 4
"""Rounds in which what a thread has for keys is destroyed, as in glibc: a destructor may set a value again."""
TRANSLATIONS = 500
"""Translations of one program: each finds out something more that has to be known from the start."""

LARGEST = (1 << 63) - 1
"""The most bytes that an object may have in C: who asks for more gets none."""

REUSED = "memory that was freed and may be given again is neither there nor gone"
"""Why what leaks is not asked with `reuse`."""
TOO_MANY_OBJECTS = f"more than {POOL} objects are allocated here"
SET_AGAIN = "a destructor sets a value that is to be destroyed again"
TOO_MANY_THREADS = f"more than {THREADS} threads are not supported"


def too_deep(name: str, most: int = NESTED_CALLS) -> str:
    """What is said where calls of a function are cut."""
    if most == 1:
        return f"a call of `{name}` is inside another one, in a program that is too long with more of them"
    return f"more than {most} calls of `{name}` are inside each other"


def too_many_like(name: str) -> str:
    """What is said where a thread is cut that is to start its like."""
    return f"more than {NESTED_CALLS} threads of `{name}` start each other"
