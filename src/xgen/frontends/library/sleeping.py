"""Condition variables. One is a number with a bit for each thread that sleeps there.

A thread sets its bit, unlocks the mutex, and sleeps until the bit is gone. A signal takes one bit away, whichever; if
there is none, it does nothing. A broadcast takes all.

Who wakes up without a signal, or because the time is over, might as well not have slept: it unlocks the mutex and locks
it again. (If it was signalled before, it was woken by that.)
"""

from __future__ import annotations

from xgen.frontends.library.call import ZERO, Call, Cell, Function, Handler, nothing, sets
from xgen.frontends.library.mutexes import unlock_to_wait
from xgen.frontends.library.times import Wait, refused_clock
from xgen.program.automaton import Binary, BoolLiteral, Expression, IntLiteral, Name, nth

MOST = 62
"""So many threads may sleep at condition variables and futexes."""


def wake_one(call: Call, sleepers: Cell) -> Expression:
    """Wakes one of the threads that may sleep there, if one does: that which is chosen, which has to be one that does.
    Whether there is one."""
    bits = [1 << number for number in call.sleepers(sleepers)]
    if len(bits) == 1:
        old = call.change("fetch_and", sleepers, (IntLiteral(~bits[0]),), "release")
        return _has(old, IntLiteral(bits[0]))
    chosen = call.choose(len(bits) - 1)
    woken = Name(call.fresh())
    call.assign(woken.name, nth(chosen, bits))
    old = call.change("fetch_and", sleepers, (Binary("-", IntLiteral(-1), woken),), "release")
    nobody = Binary("and", Binary("=", old, ZERO), Binary("=", chosen, ZERO))  # one way to do nothing is enough
    call.assume(Binary("or", _has(old, woken), nobody))
    return _has(old, woken)


def wake_all(call: Call, sleepers: Cell) -> list[Expression]:
    """Wakes all threads that sleep there; of each that may, whether it did."""
    old = call.change("exchange", sleepers, (ZERO,), "release")
    return [_has(old, IntLiteral(1 << number)) for number in call.sleepers(sleepers)]


def _has(bits: Expression, bit: Expression) -> Expression:
    return Binary("/=", Binary("bitand", bits, bit), ZERO)


def _signal(call: Call) -> Expression:
    condition = call.cell(0)
    if not call.sleepers(condition):
        return _nobody(call, condition)
    wake_one(call, condition)
    return ZERO


def _broadcast(call: Call) -> Expression:
    condition = call.cell(0)
    if not call.sleepers(condition):
        return _nobody(call, condition)
    wake_all(call, condition)
    return ZERO


def _wait(call: Call) -> Expression:
    condition, mutex, woken = call.cell(0), call.cell(1), call.label()
    call.remark_if_alone()
    if call.spurious:
        asleep = call.label()
        call.fork(asleep)
        unlock_to_wait(call, mutex)
        call.jump(woken)
        call.bind(asleep)
    bit = fall_asleep(call, condition)
    unlock_to_wait(call, mutex)
    call.until(lambda: is_woken(call, condition, bit))
    call.bind(woken)
    call.lock(mutex)
    return ZERO


def _for_a_time(wait: Wait) -> Handler:
    """Signalled, or the time is over: who is never signalled does not wait for ever. Of a time that is none the mutex
    stays locked."""

    def handler(call: Call) -> Expression:
        is_time = wait.is_time(call)
        if refused_clock(call, wait) or is_time == ZERO:
            return IntLiteral(wait.invalid)
        condition, mutex = call.cell(0), call.cell(1)
        call.remark_if_alone()
        result, over, end, failed = call.fresh(), call.label(), call.label(), call.label()
        call.assign(result, IntLiteral(wait.invalid))
        call.branch(Binary("=", is_time, ZERO) if is_time != IntLiteral(1) else BoolLiteral(False), failed)
        call.fork(over)
        bit = fall_asleep(call, condition)
        unlock_to_wait(call, mutex)
        call.assume(is_woken(call, condition, bit))
        call.assign(result, ZERO)
        call.jump(end)
        call.bind(over)
        unlock_to_wait(call, mutex)
        call.assign(result, IntLiteral(wait.over))
        if call.spurious:
            call.fork(end)
            call.assign(result, ZERO)
        call.bind(end)
        call.lock(mutex)
        call.bind(failed)
        return Name(result)

    return handler


def fall_asleep(call: Call, sleepers: Cell, order: str = "relaxed") -> Expression:
    """Says that this thread sleeps; its bit."""
    number = call.fall_asleep_at(sleepers)
    if number >= MOST:
        call.refuse(f"that more than {MOST} threads wait at condition variables and futexes is")
    call.change("fetch_or", sleepers, (IntLiteral(1 << number),), order)
    return IntLiteral(1 << number)


def is_woken(call: Call, sleepers: Cell, bit: Expression) -> Expression:
    return Binary("=", Binary("bitand", call.read(sleepers, "acquire"), bit), ZERO)


def _nobody(call: Call, condition: Cell) -> Expression:
    """Nobody ever sleeps there."""
    if call.key(condition) is None:
        call.read(condition, "relaxed")
    return ZERO


SLEEPING = {
    "pthread_cond_init": Function(sets(0), 2, single_threaded=True),
    "cnd_init": Function(sets(0), 1, single_threaded=True),
    "pthread_cond_destroy": Function(nothing, 1, single_threaded=True),
    "cnd_destroy": Function(nothing, 1, single_threaded=True),
    "pthread_cond_signal": Function(_signal, 1, single_threaded=True),
    "cnd_signal": Function(_signal, 1, single_threaded=True),
    "pthread_cond_broadcast": Function(_broadcast, 1, single_threaded=True),
    "cnd_broadcast": Function(_broadcast, 1, single_threaded=True),
    "pthread_cond_wait": Function(_wait, 2),
    "cnd_wait": Function(_wait, 2),
    "pthread_cond_timedwait": Function(_for_a_time(Wait(2)), 3),
    "pthread_cond_clockwait": Function(_for_a_time(Wait(3, clock=2)), 4),
    "cnd_timedwait": Function(_for_a_time(Wait.of_thrd(2)), 3),
}
