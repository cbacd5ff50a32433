"""Mutexes and spin locks. One is a number: 0 free, 1 held, -1 destroyed."""

from __future__ import annotations

from collections.abc import Collection

from xgen.frontends.library.call import INT, ZERO, Call, Cell, Function, Handler, Kinds, gives, notes, sets
from xgen.frontends.library.facts import Key
from xgen.frontends.library.times import THRD_BUSY, Wait, refused_clock
from xgen.program.automaton import Binary, BoolLiteral, Conditional, Expression, IntLiteral

NOT_OWNER, BUSY, DEADLOCK = 1, 16, 35
NORMAL, RECURSIVE, CHECKING = range(3)
"""Kinds of mutexes. Of one that knows its owner each thread counts in a local how often it has locked it."""
_ADAPTIVE = 3
"""Of glibc: it differs from a normal one in its speed."""
OWNED = Kinds(
    (RECURSIVE, CHECKING),
    "a recursive or error-checking mutex whose place is not known here is",
    "a mutex that is not known here, in a program with recursive or error-checking ones, is",
    "a mutex that is of one kind and later of another is",
)
ONE = IntLiteral(1)


def _init(call: Call) -> Expression:
    kind = ZERO if call.argument(1) == ZERO else call.get(1, INT)
    return _of_kind(call, kind)


def _mtx_init(call: Call) -> Expression:
    kind = call.argument(1)
    return _of_kind(call, IntLiteral(kind.value & RECURSIVE) if isinstance(kind, IntLiteral) else kind)


def _of_kind(call: Call, kind: Expression) -> Expression:
    if not isinstance(kind, IntLiteral) or kind.value not in (NORMAL, RECURSIVE, CHECKING, _ADAPTIVE):
        call.refuse("a mutex of a kind that is not known here is")
    call.declare_kind(call.cell(0), NORMAL if kind.value == _ADAPTIVE else kind.value, OWNED)
    return sets(0)(call)


def _at_least_once(depth: Expression) -> Expression:
    return BoolLiteral(depth.value > 0) if isinstance(depth, IntLiteral) else Binary("<", ZERO, depth)


def _lock(call: Call) -> Expression:
    """Who holds a mutex that knows its owner gets it once more, or is told so."""
    mutex = call.cell(0)
    kind = call.kind_of(mutex, OWNED)
    if kind == NORMAL:
        call.lock(mutex)
        return ZERO
    depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
    call.branch(_at_least_once(call.known(depth)), held)
    call.lock(mutex)
    call.assign(depth, ONE)
    call.assign(result, ZERO)
    call.jump(end)
    call.bind(held)
    _once_more(call, kind, depth, result, DEADLOCK)
    call.bind(end)
    return call.known(result)


def _once_more(call: Call, kind: int, depth: str, result: str, held: int) -> None:
    if kind == RECURSIVE:
        call.assign(depth, _plus(call.known(depth), 1))
    call.assign(result, ZERO if kind == RECURSIVE else IntLiteral(held))


def _plus(number: Expression, step: int) -> Expression:
    if isinstance(number, IntLiteral):
        return IntLiteral(number.value + step)
    return Binary("+", number, IntLiteral(step))


def _spin_lock(call: Call) -> Expression:
    call.lock(call.cell(0))
    return ZERO


def _spin_unlock(call: Call) -> Expression:
    call.unlock(call.cell(0))
    return ZERO


def _spin_trylock(call: Call) -> Expression:
    return _attempt(call, call.cell(0), IntLiteral(BUSY))


def _mtx_unlock(call: Call) -> Expression:
    """C11, 7.26.4.6: who calls it holds the mutex, of whichever kind that is."""
    mutex = call.cell(0)
    if call.kind_of(mutex, OWNED) != NORMAL:
        call.check(_at_least_once(call.known(call.depth_of(mutex))), "unlock")
    return _unlock(call)


def _unlock(call: Call) -> Expression:
    mutex = call.cell(0)
    if call.kind_of(mutex, OWNED) == NORMAL:
        call.unlock(mutex)
        return ZERO
    depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
    call.branch(_at_least_once(call.known(depth)), held)
    call.assign(result, IntLiteral(NOT_OWNER))
    call.jump(end)
    call.bind(held)
    call.assign(result, ZERO)
    call.assign(depth, _plus(call.known(depth), -1))
    call.branch(_at_least_once(call.known(depth)), end)
    call.unlock(mutex)
    call.bind(end)
    return call.known(result)


def unlock_to_wait(call: Call, mutex: Cell) -> None:
    """A wait at a condition variable unlocks once, whoever has locked more often."""
    if call.kind_of(mutex, OWNED) != NORMAL and call.known(call.depth_of(mutex)) != ONE:
        call.refuse("a wait with a mutex that may be held more than once, or not at all, is")
    call.unlock(mutex)


def _try(busy: int) -> Handler:
    return lambda call: _tried(call, IntLiteral(busy), busy)


def _wait(wait: Wait) -> Handler:
    """Who does not get it before the time is over has seen that it was held."""

    def handler(call: Call) -> Expression:
        if refused_clock(call, wait):
            return IntLiteral(wait.invalid)
        return _tried(call, wait.late(call), DEADLOCK)

    return handler


def _tried(call: Call, busy: Expression, held_already: int) -> Expression:
    mutex = call.cell(0)
    kind = call.kind_of(mutex, OWNED)
    if kind == NORMAL:
        return _attempt(call, mutex, busy)
    depth, result, held, end = call.depth_of(mutex), call.fresh(), call.label(), call.label()
    call.branch(_at_least_once(call.known(depth)), held)
    call.assign(result, _attempt(call, mutex, busy))
    call.branch(Binary("/=", call.known(result), ZERO), end)
    call.assign(depth, ONE)
    call.jump(end)
    call.bind(held)
    _once_more(call, kind, depth, result, held_already)
    call.bind(end)
    return call.known(result)


def _attempt(call: Call, mutex: Cell, busy: Expression) -> Expression:
    old = call.try_lock(mutex)
    call.check(Binary("<=", ZERO, old), "destroyed")
    return Conditional(Binary("=", old, ZERO), ZERO, busy)


def take_or_give(call: Call, name: str, lock: tuple[str, str], key: Key | None) -> None:
    """A call of one of two functions that are taken as those of a lock, which is beside an object of the program."""
    if key is None:
        call.refuse(f"a call of `{name}`, which --lock names, for a lock that is not known here is")
    beside = call.beside(key, "lock", 0, 1)
    if name == lock[0]:
        call.lock(beside)
    else:
        call.unlock(beside)


NAMED = "--lock take=NAME,give=NAME names two functions that it calls"


def taking_and_giving(text: str) -> tuple[str, str]:
    """The two functions that `take=NAME,give=NAME` names, in either order. Raises ValueError for what names no two."""
    said = dict(part.strip().partition("=")[::2] for part in text.split(","))
    if said.keys() != {"take", "give"} or not all(said.values()) or said["take"] == said["give"]:
        raise ValueError("two functions, as in take=my_lock,give=my_unlock")
    return said["take"], said["give"]


def uncalled(lock: tuple[str, str], called: Collection[str | None]) -> str | None:
    """What is wrong with the two names where a function of them is not called."""
    return next((f"no thread calls `{name}`, which --lock names" for name in lock if name not in called), None)


def assumed(lock: tuple[str, str]) -> str:
    """What is said of a program whose functions are taken as a lock's."""
    take, give = lock
    return f"note: `{take}` and `{give}` are taken as a lock (--lock); a check without it says whether they are one"


MUTEXES = {
    "pthread_mutex_init": Function(_init, 2, single_threaded=True),
    "pthread_mutexattr_init": Function(notes(), 1, single_threaded=True),
    "pthread_mutexattr_settype": Function(notes(1, _ADAPTIVE), 2, single_threaded=True),
    "pthread_mutexattr_gettype": Function(gives, 2),
    "mtx_init": Function(_mtx_init, 2, single_threaded=True),
    "pthread_spin_init": Function(sets(0), 2, single_threaded=True),
    "pthread_mutex_destroy": Function(sets(-1), 1, single_threaded=True),
    "mtx_destroy": Function(sets(-1), 1, single_threaded=True),
    "pthread_spin_destroy": Function(sets(-1), 1, single_threaded=True),
    "pthread_mutex_lock": Function(_lock, 1, single_threaded=True),
    "mtx_lock": Function(_lock, 1, single_threaded=True),
    "pthread_spin_lock": Function(_spin_lock, 1, single_threaded=True),
    "pthread_mutex_unlock": Function(_unlock, 1, single_threaded=True),
    "mtx_unlock": Function(_mtx_unlock, 1, single_threaded=True),
    "pthread_spin_unlock": Function(_spin_unlock, 1, single_threaded=True),
    "pthread_mutex_trylock": Function(_try(BUSY), 1, single_threaded=True),
    "pthread_spin_trylock": Function(_spin_trylock, 1),
    "mtx_trylock": Function(_try(THRD_BUSY), 1),
    "pthread_mutex_timedlock": Function(_wait(Wait(1)), 2),
    "pthread_mutex_clocklock": Function(_wait(Wait(2, clock=1)), 3),
    "mtx_timedlock": Function(_wait(Wait.of_thrd(1)), 2),
}
