"""Threads: created, joined, detached, and who they are."""

from __future__ import annotations

from typing import NoReturn

from xgen.frontends.library.call import INT, LONG, POINTER, ZERO, Call, Function, gives, notes
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral

TELL_APART = ("pthread_self", "thrd_current", "__VERIFIER_thread_self", "pthread_getspecific", "gettid", "syscall")
"""Functions that give each thread something of its own."""
MAIN = 2**20
"""What main is known by: not 0, by which programs say that it is no thread, and no number that a thread gets."""


def _create(call: Call) -> Expression:
    call.waiting.running[call.thread] += 1
    detached = ZERO if call.argument(1) == ZERO else call.get(1, INT)
    call.put(0, call.start(2, 3, detached), LONG)
    return ZERO


def _thrd_create(call: Call) -> Expression:
    call.waiting.running[call.thread] += 1
    call.put(0, call.start(1, 2, ZERO), LONG)
    return ZERO


def _spawn(call: Call) -> Expression:
    return call.start(0, 1, ZERO)


def _join(call: Call) -> Expression:
    call.waiting.running[call.thread] -= 1
    call.join(1)
    return ZERO


def _thrd_join(call: Call) -> Expression:
    call.waiting.running[call.thread] -= 1
    call.join(1, INT)
    return ZERO


def _join_only(call: Call) -> Expression:
    call.join(None)
    return ZERO


def _detach(call: Call) -> Expression:
    call.detach()
    return ZERO


def _exit(call: Call) -> Expression:
    call.end_thread()
    return ZERO


def _self(call: Call) -> Expression:
    return IntLiteral(call.handle or MAIN)


def _number(call: Call) -> Expression:
    return IntLiteral(call.handle)


def _equal(call: Call) -> Expression:
    left, right = call.argument(0, LONG), call.argument(1, LONG)
    if isinstance(left, IntLiteral) and isinstance(right, IntLiteral):
        return IntLiteral(int(left == right))
    return Conditional(Binary("=", left, right), IntLiteral(1), ZERO)


# ---- what each thread has of its own


def _of_keys(_call: Call) -> NoReturn:
    raise AssertionError("each reader has its own way to say what a thread has of its own")


def _at_exit(call: Call) -> Expression:
    call.at_exit()
    return ZERO


KEYS = {
    **{name: Function(_of_keys, 2, single_threaded=True) for name in ("pthread_key_create", "tss_create")},
    **{name: Function(_of_keys, 1, POINTER, single_threaded=True) for name in ("pthread_getspecific", "tss_get")},
    **{name: Function(_of_keys, 2, single_threaded=True) for name in ("pthread_setspecific", "tss_set")},
}
"""Functions of values that each thread has of its own."""
THREADS = {
    "atexit": Function(_at_exit, 1, single_threaded=True),
    **KEYS,
    "pthread_create": Function(_create, 4, single_threaded=True),
    "thrd_create": Function(_thrd_create, 3, single_threaded=True),
    "pthread_join": Function(_join, 2),
    "thrd_join": Function(_thrd_join, 2),
    "pthread_exit": Function(_exit, 1, None),
    "thrd_exit": Function(_exit, 1, None),
    "pthread_self": Function(_self, 0, LONG, single_threaded=True),
    "thrd_current": Function(_self, 0, LONG, single_threaded=True),
    "__VERIFIER_thread_self": Function(_number, 0, LONG, single_threaded=True),
    "pthread_equal": Function(_equal, 2, single_threaded=True),
    "thrd_equal": Function(_equal, 2, single_threaded=True),
    "pthread_detach": Function(_detach, 1),
    "thrd_detach": Function(_detach, 1),
    "pthread_attr_init": Function(notes(), 1, single_threaded=True),
    "pthread_attr_setdetachstate": Function(notes(1, 1), 2, single_threaded=True),
    "pthread_attr_getdetachstate": Function(gives, 2),
    "__VERIFIER_spawn": Function(_spawn, 2, LONG, single_threaded=True),
    "__VERIFIER_spawn_symmetric": Function(_spawn, 3, LONG),
    "__VERIFIER_join": Function(_join_only, 1, POINTER),
    "__VERIFIER_join_symmetric": Function(_join_only, 1, POINTER),
}
