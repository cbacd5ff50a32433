"""What threads wait for besides mutexes: barriers, rwlocks, semaphores, `pthread_once`.

Each is a number in a cell that threads update and wait for. At a barrier at which just as many threads wait as it is
for they meet, instead: nobody waits for a value, and there are no orders of arrivals.
"""

from __future__ import annotations

from xgen.frontends.library.call import (
    INT,
    INVALID,
    UNSIGNED,
    ZERO,
    Call,
    Cell,
    Function,
    Handler,
    Kinds,
    gives,
    notes,
    nothing,
    sets,
)
from xgen.frontends.library.facts import ANYWHERE, Key
from xgen.frontends.library.mutexes import BUSY
from xgen.frontends.library.times import Wait, refused_clock
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral

WRITING = -1
"""The state of a lock for readers and writers that is held for writing; else it is the number of readers."""
WRITERS_FIRST = 3
"""The kind of a lock for readers and writers at which readers wait while a writer does, whoever reads already. glibc
has another one of a like name, at which they do not."""
NONRECURSIVE = 2
"""Its number in attributes."""
LOCKS = Kinds(
    (WRITERS_FIRST,),
    "a lock that prefers writers and whose place is not known here is",
    "a lock for readers and writers that is not known here, in a program in which one prefers writers, is",
    "a lock for readers and writers that is of one kind and later of another is",
)
AGAIN, OVERFLOW = 11, 75
SEM_VALUE_MAX = IntLiteral((1 << 31) - 1)
ONE = IntLiteral(1)

# ---- barriers


def _barrier_init(call: Call) -> Expression:
    barrier, count = call.cell(0), call.argument(2, UNSIGNED)
    size = count.value if isinstance(count, IntLiteral) else None
    key = _one(call, barrier)  # any of several may be for another number then
    arrived, before = _arrivals(call)
    if key is not None and call.has_value_at_first(barrier):  # it must not be a barrier already
        call.store(before, call.load(arrived, "relaxed"))
        call.check(Binary("<=", call.load(barrier), ZERO), "barrier")
        call.barrier_is_for(key, size)
    else:
        if key is not None and call.is_before_threads():
            call.barrier_is_for(key, size)
        elif key is not None and call.reachable:  # those who have come may wait there, and nobody counts them any more
            call.waits.uncounted.learn(key)
        call.store(arrived, ZERO)
        call.store(before, ZERO)
    if size is not None:
        call.check(BoolLiteral(size > 0), "barrier")
    call.store(barrier, call.argument(2, INT))
    return ZERO


def _one(call: Call, barrier: Cell) -> Key | None:
    """Which barrier this is. None: one of several, and arrivals are counted at all of these, or it leads nowhere as far
    as is known yet."""
    keys = call.keys(barrier)
    if keys is not None and len(keys) == 1:
        return keys[0]
    if call.reachable:
        call.waits.uncounted.learn(*(keys if keys is not None else (ANYWHERE,)))
    return None


def _arrivals(call: Call) -> tuple[Cell, Cell]:
    """How many have ever arrived at a barrier, and how many before it was initialised the last time: threads may still
    be on their way out of their last round then."""
    return call.cell(0, 4), call.cell(0, 8)


def _barrier_destroy(call: Call) -> Expression:
    barrier = call.cell(0)
    call.check(Binary("<", ZERO, call.load(barrier)), "barrier")
    keys = call.keys(barrier)
    alone = call.handle == 0 and call.waiting.running[call.thread] <= 0
    if keys is not None and len(keys) == 1 and not alone:
        _wait_until_all_have_left(call, keys[0])
    call.store(barrier, IntLiteral(-1))
    return ZERO


def _wait_until_all_have_left(call: Call, key: Key) -> None:
    """As glibc does, so that who comes out of a barrier may destroy it, and free its memory, while others leave."""
    if call.reachable:
        call.waits.left.learn(key)
    threads = call.waits.last.barriers.get(key, ())
    for number, thread in enumerate(threads):
        if thread != call.thread:
            entered, left = (call.beside(key, what, number, len(threads)) for what in ("entered", "left"))
            _wait_for_at_least(call, left, call.keep(call.read(entered, "relaxed")))


def _wait_for_at_least(call: Call, cell: Cell, count: Expression) -> None:
    call.until(lambda: Binary(">=", call.read(cell, "acquire"), count))


def _passes(call: Call, key: Key | None, what: str, order: str) -> None:
    """A thread enters a barrier, or has left it; said where somebody asks for that. Each says it in a cell of its own,
    so that there are no orders of these."""
    if key is None or key not in call.waits.left:
        return
    threads = call.waits.last.barriers.get(key, ())
    if call.thread in threads:
        number = call.own_number(f"{what} {key[0]} {key[1]}")
        call.assign(number, Binary("+", call.known(number), ONE))
        cell = call.beside(key, what, threads.index(call.thread), len(threads))
        call.write(cell, call.known(number), order)


def _barrier_wait(call: Call) -> Expression:
    barrier = call.cell(0)
    count = call.keep(call.load(barrier))
    call.check(Binary("<", ZERO, count), "barrier")
    key = _one(call, barrier)
    found = call.round_at(key) if key is not None and call.reachable else None
    _passes(call, key, "entered", "relaxed")
    result = _count_arrivals(call, count) if key is None or found is None else _meet_all(call, key, *found)
    _passes(call, key, "left", "release")
    return result


def _meet_all(call: Call, key: Key, round_: int, waiting: tuple[str, ...]) -> Expression:
    """Waits for the others; where the program asks who is the serial thread, any of them is. Who leaves a barrier still
    looks at it, so that its memory has to be there."""
    call.meet(key, round_, waiting)
    call.load(_arrivals(call)[0], "relaxed")
    if not call.somebody_asks_for_the_serial_one(key):
        return ZERO
    first = call.change("cas", call.beside(key, f"round{round_ + 1}", 0, 1), (ZERO, ONE), "relaxed")
    return Conditional(Binary("=", first, ZERO), IntLiteral(-1), ZERO)


def _count_arrivals(call: Call, size: Expression) -> Expression:
    """The thread that arrives last of a round is the one that is told so."""
    arrived, earlier = _arrivals(call)
    start = call.keep(call.load(earlier))
    before = call.change("fetch_add", arrived, (ONE,), "acq_rel")
    rounds = Binary("+", Binary("quot", Binary("-", before, start), size), ONE)
    target = call.keep(Binary("+", start, Binary("*", rounds, size)))
    call.until(lambda: Binary(">=", call.read(arrived, "acquire"), target))
    is_last = Binary("=", Binary("+", before, ONE), target)
    return Conditional(is_last, IntLiteral(-1), ZERO)


# ---- locks for readers and writers


def _rwlock_init(call: Call) -> Expression:
    kind = ZERO if call.argument(1) == ZERO else call.get(1, INT)
    if not isinstance(kind, IntLiteral):
        call.refuse("a lock for readers and writers of a kind that is not known here is")
    call.declare_kind(call.cell(0), WRITERS_FIRST if kind.value == NONRECURSIVE else 0, LOCKS)
    return sets(0)(call)


def _writers(call: Call, lock: Cell) -> Cell | None:
    """How many writers wait, if that matters: one that is about to get the lock counts, too."""
    if call.kind_of(lock, LOCKS) != WRITERS_FIRST:
        return None
    key = call.key(lock)
    assert key is not None
    return call.beside(key, "writers", 0, 1)


def _rwlock_destroy(call: Call) -> Expression:
    lock = call.cell(0)
    call.check(Binary("=", call.load(lock), ZERO), "destroyed")
    call.store(lock, IntLiteral(-2))
    return ZERO


def _enter(call: Call, lock: Cell) -> Expression:
    """One reader more, unless there is a writer; how many there were.

    A writer that comes between the look for writers and that might as well have come behind: nothing else tells.
    """
    writers = _writers(call, lock)
    if writers is None:
        return _enter_at_once(call, lock)
    result, end = call.fresh(), call.label()
    call.assign(result, IntLiteral(WRITING))
    call.branch(Binary("/=", call.read(writers, "acquire"), ZERO), end)
    call.assign(result, _enter_at_once(call, lock))
    call.bind(end)
    return call.known(result)


def _enter_at_once(call: Call, lock: Cell) -> Expression:
    old = call.change("add_unless", lock, (ONE, IntLiteral(WRITING)), "acquire")
    call.check(Binary("<=", IntLiteral(WRITING), old), "destroyed")
    return old


def seize(call: Call, lock: Cell) -> Expression:
    old = call.change("cas", lock, (ZERO, IntLiteral(WRITING)), "acquire")
    call.check(Binary("<=", IntLiteral(WRITING), old), "destroyed")
    return old


def _rdlock(call: Call) -> Expression:
    lock = call.cell(0)
    call.until(lambda: Binary("/=", _enter(call, lock), IntLiteral(WRITING)))
    return ZERO


def write_lock(call: Call) -> Expression:
    lock = call.cell(0)
    writers = _writers(call, lock)
    _one_writer(call, writers, "fetch_add")
    call.until(lambda: Binary("=", seize(call, lock), ZERO))
    _one_writer(call, writers, "fetch_sub")
    return ZERO


def _one_writer(call: Call, writers: Cell | None, op: str) -> None:
    """One more that waits, or one less."""
    if writers is not None:
        call.change(op, writers, (ONE,), "acq_rel")


def _tryrdlock(call: Call) -> Expression:
    return Conditional(Binary("/=", _enter(call, call.cell(0)), IntLiteral(WRITING)), ZERO, IntLiteral(BUSY))


def _trywrlock(call: Call) -> Expression:
    return Conditional(Binary("=", seize(call, call.cell(0)), ZERO), ZERO, IntLiteral(BUSY))


def _timedrdlock(wait: Wait) -> Handler:
    """Who does not get it before the time is over has seen that it was held."""

    def handler(call: Call) -> Expression:
        if refused_clock(call, wait):
            return IntLiteral(wait.invalid)
        late = wait.late(call)
        return Conditional(Binary("/=", _enter(call, call.cell(0)), IntLiteral(WRITING)), ZERO, late)

    return handler


def _timedwrlock(wait: Wait) -> Handler:
    def handler(call: Call) -> Expression:
        if refused_clock(call, wait):
            return IntLiteral(wait.invalid)
        late, lock = wait.late(call), call.cell(0)
        writers = _writers(call, lock)
        _one_writer(call, writers, "fetch_add")
        old = seize(call, lock)
        _one_writer(call, writers, "fetch_sub")
        return Conditional(Binary("=", old, ZERO), ZERO, late)

    return handler


def _rwlock_unlock(call: Call) -> Expression:
    """A writer makes 0 of -1; if nobody writes, one reader less."""
    lock, end = call.cell(0), call.label()
    old = call.change("cas", lock, (IntLiteral(WRITING), ZERO), "release")
    call.branch(Binary("=", old, IntLiteral(WRITING)), end)
    call.check(Binary("<", ZERO, old), "unlock")
    call.change("fetch_sub", lock, (ONE,), "release")
    call.bind(end)
    return ZERO


# ---- semaphores


def _sem_init(call: Call) -> Expression:
    """A number that is too large is a negative int here."""
    value, end = call.argument(2, INT), call.label()
    if isinstance(value, IntLiteral):
        if value.value < 0:
            return _failed(call, INVALID)
        call.store(call.cell(0), value)
        return ZERO
    value = call.keep(value)
    fits = Binary("<=", ZERO, value)
    call.set_errno(IntLiteral(INVALID), fits)
    call.branch(Binary("<", value, ZERO), end)
    call.store(call.cell(0), value)
    call.bind(end)
    return Conditional(fits, ZERO, IntLiteral(-1))


def _failed(call: Call, error: int) -> Expression:
    call.set_errno(IntLiteral(error))
    return IntLiteral(-1)


def _take(call: Call, semaphore: Cell) -> Expression:
    return call.change("add_unless", semaphore, (IntLiteral(-1), ZERO), "acquire")


def _sem_wait(call: Call) -> Expression:
    semaphore = call.cell(0)
    call.until(lambda: Binary("/=", _take(call, semaphore), ZERO))
    return ZERO


def _sem_trywait(call: Call) -> Expression:
    return _taken(call, IntLiteral(AGAIN))


def _taken(call: Call, error: Expression) -> Expression:
    taken = Binary("/=", _take(call, call.cell(0)), ZERO)
    call.set_errno(error, taken)
    return Conditional(taken, ZERO, IntLiteral(-1))


def _sem_timedwait(wait: Wait) -> Handler:
    """Who does not get it before the time is over has seen that it was 0."""

    def handler(call: Call) -> Expression:
        if refused_clock(call, wait):
            return _failed(call, wait.invalid)
        return _taken(call, wait.late(call))

    return handler


def _sem_post(call: Call) -> Expression:
    old = call.change("add_unless", call.cell(0), (ONE, SEM_VALUE_MAX), "release")
    posted = Binary("/=", old, SEM_VALUE_MAX)
    call.set_errno(IntLiteral(OVERFLOW), posted)
    return Conditional(posted, ZERO, IntLiteral(-1))


def _sem_getvalue(call: Call) -> Expression:
    call.put(1, call.read(call.cell(0), "relaxed"), INT)
    return ZERO


# ---- once


def _once(call: Call) -> Expression:
    """0: nobody has begun, 1: somebody has, 2: it is done."""
    control, end = call.cell(0), call.label()
    attempts: list[Expression] = []

    def attempt() -> Expression:
        attempts.append(call.change("cas", control, (ZERO, ONE), "acquire", "acquire"))
        return Binary("/=", attempts[-1], ONE)

    call.until(attempt)
    call.branch(Binary("=", attempts[-1], IntLiteral(2)), end)
    call.call_argument(1)
    call.write(control, IntLiteral(2), "release")
    call.bind(end)
    return ZERO


WAITING = {
    "pthread_barrier_init": Function(_barrier_init, 3),
    "pthread_barrier_destroy": Function(_barrier_destroy, 1),
    "pthread_barrier_wait": Function(_barrier_wait, 1),
    "pthread_rwlockattr_init": Function(notes(), 1, single_threaded=True),
    "pthread_rwlockattr_setkind_np": Function(notes(1, NONRECURSIVE), 2, single_threaded=True),
    "pthread_rwlockattr_getkind_np": Function(gives, 2),
    "pthread_rwlock_init": Function(_rwlock_init, 2, single_threaded=True),
    "pthread_rwlock_destroy": Function(_rwlock_destroy, 1),
    "pthread_rwlock_rdlock": Function(_rdlock, 1),
    "pthread_rwlock_wrlock": Function(write_lock, 1),
    "pthread_rwlock_tryrdlock": Function(_tryrdlock, 1),
    "pthread_rwlock_trywrlock": Function(_trywrlock, 1),
    "pthread_rwlock_timedrdlock": Function(_timedrdlock(Wait(1)), 2),
    "pthread_rwlock_timedwrlock": Function(_timedwrlock(Wait(1)), 2),
    "pthread_rwlock_clockrdlock": Function(_timedrdlock(Wait(2, clock=1)), 3),
    "pthread_rwlock_clockwrlock": Function(_timedwrlock(Wait(2, clock=1)), 3),
    "pthread_rwlock_unlock": Function(_rwlock_unlock, 1),
    "sem_init": Function(_sem_init, 3, single_threaded=True),
    "sem_destroy": Function(nothing, 1, single_threaded=True),
    "sem_wait": Function(_sem_wait, 1),
    "sem_trywait": Function(_sem_trywait, 1),
    "sem_timedwait": Function(_sem_timedwait(Wait(1)), 2),
    "sem_clockwait": Function(_sem_timedwait(Wait(2, clock=1)), 3),
    "sem_post": Function(_sem_post, 1, single_threaded=True),
    "sem_getvalue": Function(_sem_getvalue, 2),
    "pthread_once": Function(_once, 2),
    "call_once": Function(_once, 2),
}
