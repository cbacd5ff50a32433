"""Mutexes and spin locks. One is a number: 0 free, 1 held, -1 destroyed."""

from __future__ import annotations

from xgen.frontends.library.call import INT, ZERO, Call, Cell, Function, Handler, notes, sets
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral

NOT_OWNER, AGAIN, BUSY, DEADLOCK, TIMED_OUT = 1, 11, 16, 35, 110
THRD_BUSY, THRD_TIMED_OUT = 1, 4
NORMAL, RECURSIVE, CHECKING = range(3)
"""Kinds of mutexes. Of one that knows its owner each thread counts in a local how often it has locked it."""
ONE = IntLiteral(1)


def _init(call: Call) -> Expression:
    kind = ZERO if call.argument(1) == ZERO else call.get(1, INT)
    return _of_kind(call, kind)


def _mtx_init(call: Call) -> Expression:
    kind = call.argument(1)
    return _of_kind(call, IntLiteral(kind.value & RECURSIVE) if isinstance(kind, IntLiteral) else kind)


def _of_kind(call: Call, kind: Expression) -> Expression:
    if not isinstance(kind, IntLiteral) or kind.value not in (NORMAL, RECURSIVE, CHECKING):
        call.refuse("a mutex of a kind that is not known here is")
    call.declare_kind(call.cell(0), kind.value)
    return sets(0)(call)


def _at_least_once(depth: Expression) -> Expression:
    return BoolLiteral(depth.value > 0) if isinstance(depth, IntLiteral) else Binary("<", ZERO, depth)


def _lock(call: Call) -> Expression:
    """Who holds a mutex that knows its owner gets it once more, or is told so."""
    mutex = call.cell(0)
    kind = call.kind_of(mutex)
    if kind == NORMAL:
        call.lock(mutex)
        return ZERO
    depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
    call.branch(_at_least_once(call.known(depth)), held)
    call.lock(mutex)
    call.assign(depth, ONE)
    call.assign(result, ZERO)
    call.jump(end)
    call.place(held)
    _once_more(call, kind, depth, result, DEADLOCK)
    call.place(end)
    return call.known(result)


def _once_more(call: Call, kind: int, depth: str, result: str, held: int) -> None:
    if kind == RECURSIVE:
        call.assign(depth, _plus(call.known(depth), 1))
    call.assign(result, ZERO if kind == RECURSIVE else IntLiteral(held))


def _plus(number: Expression, step: int) -> Expression:
    if isinstance(number, IntLiteral):
        return IntLiteral(number.value + step)
    return Binary("+", number, IntLiteral(step))


def _unlock(call: Call) -> Expression:
    mutex = call.cell(0)
    if call.kind_of(mutex) == NORMAL:
        call.unlock(mutex)
        return ZERO
    depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
    call.branch(_at_least_once(call.known(depth)), held)
    call.assign(result, IntLiteral(NOT_OWNER))
    call.jump(end)
    call.place(held)
    call.assign(result, ZERO)
    call.assign(depth, _plus(call.known(depth), -1))
    call.branch(_at_least_once(call.known(depth)), end)
    call.unlock(mutex)
    call.place(end)
    return call.known(result)


def unlock_to_wait(call: Call, mutex: Cell) -> None:
    """A wait at a condition variable unlocks once, whoever has locked more often."""
    if call.kind_of(mutex) != NORMAL and call.known(call.depth_of(mutex)) != ONE:
        call.refuse("a wait with a mutex that may be held more than once, or not at all, is")
    call.unlock(mutex)


def _try(busy: int) -> Handler:
    """Who does not get it before the time is over, if there is one, has seen that it was held."""

    def handler(call: Call) -> Expression:
        mutex = call.cell(0)
        kind = call.kind_of(mutex)
        if kind == NORMAL:
            return _attempt(call, mutex, busy)
        depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
        call.branch(_at_least_once(call.known(depth)), held)
        call.assign(result, _attempt(call, mutex, busy))
        call.branch(Binary("/=", call.known(result), ZERO), end)
        call.assign(depth, ONE)
        call.jump(end)
        call.place(held)
        _once_more(call, kind, depth, result, DEADLOCK if busy == TIMED_OUT else busy)
        call.place(end)
        return call.known(result)

    return handler


def _attempt(call: Call, mutex: Cell, busy: int) -> Expression:
    old = call.try_lock(mutex)
    call.check(Binary("<=", ZERO, old), "destroyed")
    return Conditional(Binary("=", old, ZERO), ZERO, IntLiteral(busy))


MUTEXES = {
    "pthread_mutex_init": Function(_init, 2),
    "pthread_mutexattr_init": Function(notes(), 1),
    "pthread_mutexattr_settype": Function(notes(1), 2),
    "mtx_init": Function(_mtx_init, 2),
    "pthread_spin_init": Function(sets(0), 2),
    "pthread_mutex_destroy": Function(sets(-1), 1),
    "mtx_destroy": Function(sets(-1), 1),
    "pthread_spin_destroy": Function(sets(-1), 1),
    "pthread_mutex_lock": Function(_lock, 1),
    "mtx_lock": Function(_lock, 1),
    "pthread_spin_lock": Function(_lock, 1),
    "pthread_mutex_unlock": Function(_unlock, 1),
    "mtx_unlock": Function(_unlock, 1),
    "pthread_spin_unlock": Function(_unlock, 1),
    "pthread_mutex_trylock": Function(_try(BUSY), 1),
    "pthread_spin_trylock": Function(_try(BUSY), 1),
    "mtx_trylock": Function(_try(THRD_BUSY), 1),
    "pthread_mutex_timedlock": Function(_try(TIMED_OUT), 2),
    "pthread_mutex_clocklock": Function(_try(TIMED_OUT), 3),
    "mtx_timedlock": Function(_try(THRD_TIMED_OUT), 2),
}
