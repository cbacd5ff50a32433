"""What threads wait for besides mutexes: barriers, rwlocks, semaphores, `pthread_once`.

Each is a number in a cell that threads update and wait for. A barrier at which just as many threads wait as it is for
has a flag for each of them and each round instead: then there is one order of arrivals, not all.
"""

from __future__ import annotations

from xgen.frontends.library.call import INT, UNSIGNED, ZERO, Call, Cell, Function, Handler, Key, nothing, sets
from xgen.frontends.library.mutexes import AGAIN, BUSY, TIMED_OUT
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral

WRITING = -1
"""The state of a lock for readers and writers that is held for writing; else it is the number of readers."""
ONE = IntLiteral(1)

# ---- barriers


def _barrier_init(call: Call) -> Expression:
    barrier, count = call.cell(0), call.argument(2, UNSIGNED)
    size = count.value if isinstance(count, IntLiteral) else None
    key = call.key(barrier)
    arrived, before = _arrivals(call, barrier)
    if key is not None and call.has_value_at_first(barrier):  # it must not be a barrier already
        call.store(before, call.load(arrived, "relaxed"))
        call.check(Binary("<=", call.load(barrier), ZERO), "barrier")
        call.barrier_is_for(key, size)
    else:
        call.store(arrived, ZERO)
        call.store(before, ZERO)
    if size is not None:
        call.check(BoolLiteral(size > 0), "barrier")
    call.store(barrier, call.argument(2, INT))
    return ZERO


def _arrivals(call: Call, barrier: Cell) -> tuple[Cell, Cell]:
    """How many have ever arrived at a barrier, and how many before it was initialised the last time: threads may still
    be on their way out of their last round then."""
    return call.inside(barrier, 4), call.inside(barrier, 8)


def _barrier_destroy(call: Call) -> Expression:
    barrier = call.cell(0)
    call.check(Binary("<", ZERO, call.load(barrier)), "barrier")
    call.store(barrier, IntLiteral(-1))
    return ZERO


def _barrier_wait(call: Call) -> Expression:
    barrier = call.cell(0)
    count = call.keep(call.load(barrier))
    call.check(Binary("<", ZERO, count), "barrier")
    key = call.key(barrier)
    found = call.round_at(key) if key is not None and call.reachable else None
    if key is None or found is None:
        return _count_arrivals(call, barrier, count)
    return _meet_all(call, key, *found)


def _meet_all(call: Call, key: Key, round_: int, waiting: tuple[str, ...]) -> Expression:
    """Says that this thread is there, and waits for the others."""
    count = len(waiting) + 1
    flags = [call.beside(key, f"round{round_ + 1}", number, count) for number in range(count)]
    call.write(flags[waiting.index(call.thread)], 1, "release")
    for flag, thread in zip(flags, waiting, strict=False):
        if thread != call.thread:
            call.until(lambda flag=flag: Binary("=", call.read(flag, "acquire"), ONE))  # type: ignore[misc]
    if not call.asks_for_the_serial_one(key):
        return ZERO
    first = call.change("cas", flags[-1], (ZERO, ONE), "relaxed")
    return Conditional(Binary("=", first, ZERO), IntLiteral(-1), ZERO)


def _count_arrivals(call: Call, barrier: Cell, size: Expression) -> Expression:
    """The thread that arrives last of a round is the one that is told so."""
    arrived, earlier = _arrivals(call, barrier)
    start = call.keep(call.load(earlier))
    before = call.change("fetch_add", arrived, (ONE,), "acq_rel")
    rounds = Binary("+", Binary("quot", Binary("-", before, start), size), ONE)
    target = call.keep(Binary("+", start, Binary("*", rounds, size)))
    call.until(lambda: Binary(">=", call.read(arrived, "acquire"), target))
    is_last = Binary("=", Binary("+", before, ONE), target)
    return Conditional(is_last, IntLiteral(-1), ZERO)


# ---- locks for readers and writers


def _rwlock_destroy(call: Call) -> Expression:
    lock = call.cell(0)
    call.check(Binary("=", call.load(lock), ZERO), "destroyed")
    call.store(lock, IntLiteral(-2))
    return ZERO


def _enter(call: Call, lock: Cell) -> Expression:
    """One reader more, unless there is a writer."""
    old = call.change("add_unless", lock, (ONE, IntLiteral(WRITING)), "acquire")
    call.check(Binary("<=", IntLiteral(WRITING), old), "destroyed")
    return old


def _seize(call: Call, lock: Cell) -> Expression:
    old = call.change("cas", lock, (ZERO, IntLiteral(WRITING)), "acquire")
    call.check(Binary("<=", IntLiteral(WRITING), old), "destroyed")
    return old


def _rdlock(call: Call) -> Expression:
    lock = call.cell(0)
    call.until(lambda: Binary("/=", _enter(call, lock), IntLiteral(WRITING)))
    return ZERO


def _wrlock(call: Call) -> Expression:
    lock = call.cell(0)
    call.until(lambda: Binary("=", _seize(call, lock), ZERO))
    return ZERO


def _tryrdlock(busy: int) -> Handler:
    """Who does not get it before the time is over, if there is one, has seen that it was held."""

    def handler(call: Call) -> Expression:
        return Conditional(Binary("/=", _enter(call, call.cell(0)), IntLiteral(WRITING)), ZERO, IntLiteral(busy))

    return handler


def _trywrlock(busy: int) -> Handler:
    def handler(call: Call) -> Expression:
        return Conditional(Binary("=", _seize(call, call.cell(0)), ZERO), ZERO, IntLiteral(busy))

    return handler


def _rwlock_unlock(call: Call) -> Expression:
    """A writer makes 0 of -1; if nobody writes, one reader less."""
    lock, end = call.cell(0), call.label()
    old = call.change("cas", lock, (IntLiteral(WRITING), ZERO), "release")
    call.branch(Binary("=", old, IntLiteral(WRITING)), end)
    call.check(Binary("<", ZERO, old), "unlock")
    call.change("fetch_sub", lock, (ONE,), "release")
    call.place(end)
    return ZERO


# ---- semaphores


def _sem_init(call: Call) -> Expression:
    call.store(call.cell(0), call.argument(2, INT))
    return ZERO


def _take(call: Call, semaphore: Cell) -> Expression:
    return call.change("add_unless", semaphore, (IntLiteral(-1), ZERO), "acquire")


def _sem_wait(call: Call) -> Expression:
    semaphore = call.cell(0)
    call.until(lambda: Binary("/=", _take(call, semaphore), ZERO))
    return ZERO


def _sem_trywait(error: int) -> Handler:
    """Who waits for a time only and does not get it has seen that it was 0."""

    def handler(call: Call) -> Expression:
        taken = Binary("/=", _take(call, call.cell(0)), ZERO)
        call.set_errno(error, taken)
        return Conditional(taken, ZERO, IntLiteral(-1))

    return handler


def _sem_post(call: Call) -> Expression:
    call.change("fetch_add", call.cell(0), (ONE,), "release")
    return ZERO


def _sem_getvalue(call: Call) -> Expression:
    call.put(1, call.read(call.cell(0), "relaxed"), INT)
    return ZERO


# ---- once


def _once(call: Call) -> Expression:
    """0: nobody has begun, 1: somebody has, 2: it is done."""
    control, end = call.cell(0), call.label()
    attempts: list[Expression] = []

    def attempt() -> Expression:
        attempts.append(call.change("cas", control, (ZERO, ONE), "acquire"))
        return Binary("/=", attempts[-1], ONE)

    call.until(attempt)
    call.branch(Binary("=", attempts[-1], IntLiteral(2)), end)
    call.call_argument(1)
    call.write(control, 2, "release")
    call.place(end)
    return ZERO


WAITING = {
    "pthread_barrier_init": Function(_barrier_init, 3),
    "pthread_barrier_destroy": Function(_barrier_destroy, 1),
    "pthread_barrier_wait": Function(_barrier_wait, 1),
    "pthread_rwlock_init": Function(sets(0), 2),
    "pthread_rwlock_destroy": Function(_rwlock_destroy, 1),
    "pthread_rwlock_rdlock": Function(_rdlock, 1),
    "pthread_rwlock_wrlock": Function(_wrlock, 1),
    "pthread_rwlock_tryrdlock": Function(_tryrdlock(BUSY), 1),
    "pthread_rwlock_trywrlock": Function(_trywrlock(BUSY), 1),
    "pthread_rwlock_timedrdlock": Function(_tryrdlock(TIMED_OUT), 2),
    "pthread_rwlock_timedwrlock": Function(_trywrlock(TIMED_OUT), 2),
    "pthread_rwlock_clockrdlock": Function(_tryrdlock(TIMED_OUT), 3),
    "pthread_rwlock_clockwrlock": Function(_trywrlock(TIMED_OUT), 3),
    "pthread_rwlock_unlock": Function(_rwlock_unlock, 1),
    "sem_init": Function(_sem_init, 3),
    "sem_destroy": Function(nothing, 1),
    "sem_wait": Function(_sem_wait, 1),
    "sem_trywait": Function(_sem_trywait(AGAIN), 1),
    "sem_timedwait": Function(_sem_trywait(TIMED_OUT), 2),
    "sem_clockwait": Function(_sem_trywait(TIMED_OUT), 3),
    "sem_post": Function(_sem_post, 1),
    "sem_getvalue": Function(_sem_getvalue, 2),
    "pthread_once": Function(_once, 2),
    "call_once": Function(_once, 2),
}
