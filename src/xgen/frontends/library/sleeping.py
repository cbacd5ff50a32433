"""Condition variables. One is a number with a bit for each thread that sleeps there.

A thread sets its bit, unlocks the mutex, and sleeps until the bit is gone. A signal takes one bit away, whichever; if
there is none, it does nothing. A broadcast takes all.

Who wakes up without a signal, or because the time is over, might as well not have slept: it unlocks the mutex and locks
it again. (If it was signalled before, it was woken by that.)
"""

from __future__ import annotations

from xgen.frontends.library.call import ZERO, Call, Cell, Function, Handler, nothing, sets
from xgen.frontends.library.mutexes import THRD_TIMED_OUT, TIMED_OUT, unlock_to_wait
from xgen.program.automaton import Binary, Expression, IntLiteral, Name, nth

MOST = 62
"""So many threads may sleep at condition variables."""


def _signal(call: Call) -> Expression:
    """Wakes one thread, if one sleeps: that which is chosen, which has to be one that does."""
    condition = call.cell(0)
    bits = [1 << number for number in call.sleepers(condition)]
    if not bits:
        return _nobody(call, condition)
    if len(bits) == 1:
        call.change("fetch_and", condition, (IntLiteral(~bits[0]),), "release")
        return ZERO
    chosen = call.choose(len(bits) - 1)
    woken = Name(call.fresh())
    call.assign(woken.name, nth(chosen, bits))
    old = call.change("fetch_and", condition, (Binary("-", IntLiteral(-1), woken),), "release")
    sleeps = Binary("/=", Binary("bitand", old, woken), ZERO)
    nobody = Binary("and", Binary("=", old, ZERO), Binary("=", chosen, ZERO))  # one way to do nothing is enough
    call.assume(Binary("or", sleeps, nobody))
    return ZERO


def _broadcast(call: Call) -> Expression:
    condition = call.cell(0)
    if not call.sleepers(condition):
        return _nobody(call, condition)
    call.change("exchange", condition, (ZERO,), "release")
    return ZERO


def _wait(call: Call) -> Expression:
    condition, mutex, woken = call.cell(0), call.cell(1), call.label()
    call.remark_if_alone()
    if call.spurious:
        asleep = call.label()
        call.fork(asleep)
        unlock_to_wait(call, mutex)
        call.jump(woken)
        call.place(asleep)
    bit = _fall_asleep(call, condition, mutex)
    call.until(lambda: Binary("=", Binary("bitand", call.read(condition, "acquire"), bit), ZERO))
    call.place(woken)
    call.lock(mutex)
    return ZERO


def _for_a_time(late: int) -> Handler:
    """Signalled, or the time is over: who is never signalled does not wait for ever."""

    def handler(call: Call) -> Expression:
        condition, mutex = call.cell(0), call.cell(1)
        call.remark_if_alone()
        result, over, end = call.fresh(), call.label(), call.label()
        call.fork(over)
        bit = _fall_asleep(call, condition, mutex)
        call.assume(Binary("=", Binary("bitand", call.read(condition, "acquire"), bit), ZERO))
        call.assign(result, ZERO)
        call.jump(end)
        call.place(over)
        unlock_to_wait(call, mutex)
        call.assign(result, IntLiteral(late))
        if call.spurious:
            call.fork(end)
            call.assign(result, ZERO)
        call.place(end)
        call.lock(mutex)
        return Name(result)

    return handler


def _fall_asleep(call: Call, condition: Cell, mutex: Cell) -> Expression:
    """Says that this thread sleeps, and unlocks the mutex; the thread's bit."""
    number = call.fall_asleep_at(condition)
    if number >= MOST:
        call.refuse(f"that more than {MOST} threads wait at condition variables is")
    call.change("fetch_or", condition, (IntLiteral(1 << number),), "relaxed")
    unlock_to_wait(call, mutex)
    return IntLiteral(1 << number)


def _nobody(call: Call, condition: Cell) -> Expression:
    """Nobody ever sleeps there."""
    if call.key(condition) is None:
        call.read(condition, "relaxed")
    return ZERO


SLEEPING = {
    "pthread_cond_init": Function(sets(0), 2),
    "cnd_init": Function(sets(0), 1),
    "pthread_cond_destroy": Function(nothing, 1),
    "cnd_destroy": Function(nothing, 1),
    "pthread_cond_signal": Function(_signal, 1),
    "cnd_signal": Function(_signal, 1),
    "pthread_cond_broadcast": Function(_broadcast, 1),
    "cnd_broadcast": Function(_broadcast, 1),
    "pthread_cond_wait": Function(_wait, 2),
    "cnd_wait": Function(_wait, 2),
    "pthread_cond_timedwait": Function(_for_a_time(TIMED_OUT), 3),
    "pthread_cond_clockwait": Function(_for_a_time(TIMED_OUT), 4),
    "cnd_timedwait": Function(_for_a_time(THRD_TIMED_OUT), 3),
}
