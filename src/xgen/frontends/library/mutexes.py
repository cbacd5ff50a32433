"""Mutexes and spin locks. One is a number: 0 free, 1 held, -1 destroyed."""

from __future__ import annotations

from xgen.frontends.library.call import ZERO, Call, Function, Handler
from xgen.program.automaton import Binary, Conditional, Expression, IntLiteral

BUSY, TIMED_OUT = 16, 110
THRD_TIMED_OUT, THRD_BUSY = 2, 3


def _set(value: int) -> Handler:
    def handler(call: Call) -> Expression:
        call.store(call.cell(0), IntLiteral(value))
        return ZERO

    return handler


def _init(call: Call) -> Expression:
    if call.argument(1) != ZERO:
        call.refuse("a mutex with attributes is", "recursive and error-checking mutexes are not supported")
    return _set(0)(call)


def _mtx_init(call: Call) -> Expression:
    if call.argument(1) not in (ZERO, IntLiteral(2)):
        call.refuse("a recursive mutex is")
    return _set(0)(call)


def lock(call: Call) -> Expression:
    call.lock(call.cell(0))
    return ZERO


def _unlock(call: Call) -> Expression:
    call.unlock(call.cell(0))
    return ZERO


def _try(busy: int) -> Handler:
    """Who does not get it before the time is over, if there is one, has seen that it was held."""

    def handler(call: Call) -> Expression:
        old = call.try_lock(call.cell(0))
        call.check(Binary("<=", ZERO, old), "destroyed")
        return Conditional(Binary("=", old, ZERO), ZERO, IntLiteral(busy))

    return handler


MUTEXES = {
    "pthread_mutex_init": Function(_init, 2),
    "mtx_init": Function(_mtx_init, 2),
    "pthread_spin_init": Function(_set(0), 2),
    "pthread_mutex_destroy": Function(_set(-1), 1),
    "mtx_destroy": Function(_set(-1), 1),
    "pthread_spin_destroy": Function(_set(-1), 1),
    "pthread_mutex_lock": Function(lock, 1),
    "mtx_lock": Function(lock, 1),
    "pthread_spin_lock": Function(lock, 1),
    "pthread_mutex_unlock": Function(_unlock, 1),
    "mtx_unlock": Function(_unlock, 1),
    "pthread_spin_unlock": Function(_unlock, 1),
    "pthread_mutex_trylock": Function(_try(BUSY), 1),
    "pthread_spin_trylock": Function(_try(BUSY), 1),
    "mtx_trylock": Function(_try(THRD_BUSY), 1),
    "pthread_mutex_timedlock": Function(_try(TIMED_OUT), 2),
    "mtx_timedlock": Function(_try(THRD_TIMED_OUT), 2),
}
