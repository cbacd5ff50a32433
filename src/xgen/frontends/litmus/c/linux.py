"""The Linux kernel's functions: READ_ONCE, smp_store_release, atomic_add_return, spin_lock, rcu_read_lock and so on.

What each does is in frontends/library/kernel.py. For models that know of fences only, as the kernel's was at first,
there is a fence before and after an operation that is a full barrier as well, with the tag implied. A conditional one
that fails is no barrier: what is beside its read does not count. A lock is a location that holds 1 while it is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgen.errors import Position, nearest
from xgen.frontends.c_values import integer
from xgen.frontends.library.kernel import (
    EXCHANGE,
    FENCES,
    FULL,
    LOADS,
    OPERATIONS,
    SRCU,
    SRCU_END,
    STORES,
    UPDATE,
    WITHOUT_RESULT,
    tags,
)
from xgen.frontends.litmus.c.expressions import Argument, Expressions
from xgen.program import automaton as xcfa

LANGUAGE = "LKMM"
ARCH = "LKMM"
ORDERS: dict[str, str] = {}
CONTROL_ENDS = True
TAKES_PLACE = frozenset({"READ_ONCE", "WRITE_ONCE", "rcu_assign_pointer", "rcu_dereference", "smp_store_mb"})

_LOCKS = ("spin_lock", "spin_unlock", "spin_trylock", "spin_is_locked")
_NAMES = {*FENCES, *SRCU, *LOADS, *STORES, *_LOCKS, "xchg", "cmpxchg", "atomic_add_unless", "atomic_inc_not_zero"} | {
    *(f"atomic_{op}" for op in OPERATIONS),
    *(f"atomic_{op}_return" for op in OPERATIONS),
    *(f"atomic_fetch_{op}" for op in OPERATIONS),
}


def call(body: Expressions, name: str, arguments: list[Argument], position: Position) -> xcfa.Expression | None:
    """The effects of a call of one of these functions."""
    if name in FENCES:
        body.takes(name, arguments, (0,), position)
        body.thread.do(xcfa.Fence(FENCES[name], position))
        if FENCES[name] in FULL:
            body.fence()
        return None
    if name in LOADS:
        body.takes(name, arguments, (1,), position)
        return body.read(body.target(arguments[0], position), LOADS[name], position)
    if name in STORES:
        body.takes(name, arguments, (2,), position)
        place = body.target(arguments[0], position)
        if STORES[name] != "release":
            body.write(place, position)
        body.thread.do(xcfa.Store(body.value(arguments[1]), place, True, STORES[name], position))
        if name == "smp_store_mb":
            body.thread.do(xcfa.Fence("mb", position))
        return None
    if name in _LOCKS:
        body.takes(name, arguments, (1,), position)
        return _lock(body, name, body.target(arguments[0], position), position)
    if name in SRCU:
        return _srcu(body, name, arguments, position)
    if found := EXCHANGE.match(name):
        exchange = _exchange if found["op"] == "xchg" else _compare_exchange
        return exchange(body, name, found["order"] or "", arguments, position)
    if name in ("atomic_add_unless", "atomic_inc_not_zero"):
        return _add_unless(body, name, arguments, position)
    if found := UPDATE.match(name):
        return _update(body, name, found, arguments, position)
    return body.unsupported(f"the function `{name}` is not supported", position, nearest(name, _NAMES))


def _do_update(
    body: Expressions,
    operation: str,
    place: xcfa.AnyPlace,
    values: tuple[xcfa.Expression, ...],
    tags: tuple[str, str],
    position: Position,
    target: xcfa.Name | None = None,
) -> xcfa.Name:
    """Appends an update; the value that it read. A compare-exchange that fails is a read with the tag once."""
    old = target or body.thread.fresh()
    read, write = tags
    if write != "release":
        body.write(place, position)
    if read == write == "once":
        body.thread.do(xcfa.Rmw(old, operation, place, values, ("once",), position))
    else:
        body.thread.do(xcfa.Rmw(old, operation, place, values, (), position, read_tags=(read,), write_tags=(write,)))
    return old


def _fenced(body: Expressions, order: str, position: Position, update: Callable[[], None]) -> None:
    """The update, between full fences if the function's name has no order."""
    if not order:
        body.thread.do(_implied(position))
        body.fence()
    update()
    if not order:
        body.thread.do(_implied(position))


def _implied(position: Position) -> xcfa.Fence:
    """What an update that is a full barrier has on each side."""
    return xcfa.Fence("mb", position, ("implied",))


def _update(
    body: Expressions, name: str, found: re.Match[str], arguments: list[Argument], position: Position
) -> xcfa.Expression | None:
    """`atomic_OP(value, place)`: without a result, with the new value, with the old one, or with a test."""
    unary = found["op"] in ("inc", "dec")
    body.takes(name, arguments, (1 if unary else 2,), position)
    value = xcfa.IntLiteral(1, position) if unary else body.value(arguments[0])
    place = body.target(arguments[-1], position)
    operation = OPERATIONS[found["op"]]
    returns, order, old = found["returns"], found["order"] or "", body.thread.fresh()
    if not found["fetch"] and returns is None:
        if order:
            body.unsupported(f"the function `{name}` is not supported", position)
        _do_update(body, operation, place, (value,), WITHOUT_RESULT, position)
        return None
    if found["fetch"] and returns is not None:
        body.unsupported(f"the function `{name}` is not supported", position)

    def update() -> None:
        _do_update(body, operation, place, (value,), tags(order), position, old)

    _fenced(body, order, position, update)
    if found["fetch"]:
        return old
    if operation == "fetch_andnot":
        new = xcfa.Binary("bitand", old, xcfa.Unary("bitnot", value, position), position)
    else:
        new = xcfa.Binary(xcfa.UPDATE_OPERATORS[operation], old, value, position)
    zero = xcfa.IntLiteral(0, position)
    if returns == "_and_test":
        return integer(xcfa.Binary("=", new, zero, position))
    return integer(xcfa.Binary("<", new, zero, position)) if returns == "_negative" else new


def _exchange(
    body: Expressions, name: str, order: str, arguments: list[Argument], position: Position
) -> xcfa.Expression:
    body.takes(name, arguments, (2,), position)
    place, value, old = body.target(arguments[0], position), body.value(arguments[1]), body.thread.fresh()

    def update() -> None:
        _do_update(body, "exchange", place, (value,), tags(order), position, old)

    _fenced(body, order, position, update)
    return old


def _compare_exchange(
    body: Expressions, name: str, order: str, arguments: list[Argument], position: Position
) -> xcfa.Expression:
    body.takes(name, arguments, (3,), position)
    place = body.target(arguments[0], position)
    expected, new = body.value(arguments[1]), body.value(arguments[2])
    return _conditional(body, "cas", place, (expected, new), order, position)


def _add_unless(body: Expressions, name: str, arguments: list[Argument], position: Position) -> xcfa.Expression:
    """`atomic_add_unless(place, value, unless)`: 1 where it adds, 0 where the place holds `unless`."""
    counted = name == "atomic_inc_not_zero"
    body.takes(name, arguments, (1 if counted else 3,), position)
    place = body.target(arguments[0], position)
    one, zero = xcfa.IntLiteral(1, position), xcfa.IntLiteral(0, position)
    value, unless = (one, zero) if counted else (body.value(arguments[1]), body.value(arguments[2]))
    old = _conditional(body, "add_unless", place, (value, unless), "", position)
    return integer(xcfa.Binary("/=", old, unless, position))


def _conditional(
    body: Expressions,
    operation: str,
    place: xcfa.AnyPlace,
    values: tuple[xcfa.Expression, xcfa.Expression],
    order: str,
    position: Position,
) -> xcfa.Name:
    """An update that need not write, and is no barrier where it does not; the old value."""
    old, before = body.thread.fresh(), list(body.decided)

    def update() -> None:
        _do_update(body, operation, place, values, tags(order), position, old)

    _fenced(body, order, position, update)
    body.decided[:] = before
    return old


def _srcu(body: Expressions, name: str, arguments: list[Argument], position: Position) -> xcfa.Expression | None:
    """What a lock gives; an unlock gets it, and a grace period waits."""
    tag = SRCU[name]
    body.takes(name, arguments, (2 if tag == "srcu-unlock" else 1,), position)
    place = body.target(arguments[0], position)
    if tag == "srcu-lock":
        return body.read(place, tag, position)
    if tag == "sync-srcu":
        body.read(place, tag, position)
        body.fence()
        return None
    own = f"srcu${body.thread.number}"
    body.thread.initial.location(own)
    cookie, target = body.value(arguments[1]), xcfa.Place(xcfa.Name(own))
    body.write(target, position)
    value = xcfa.Binary("+", cookie, body.read(place, SRCU_END, position), position)
    body.thread.do(xcfa.Store(value, target, True, tag, position))
    return None


def _lock(body: Expressions, name: str, place: xcfa.AnyPlace, position: Position) -> xcfa.Expression | None:
    thread, zero, one = body.thread, xcfa.IntLiteral(0, position), xcfa.IntLiteral(1, position)
    if name == "spin_unlock":
        thread.do(xcfa.Store(zero, place, position=position, tags=("unlock",)))
        return None
    old = thread.fresh()
    if name == "spin_lock":
        _do_update(body, "cas", place, (zero, one), ("lock-read", "lock-write"), position, old)
        thread.do(xcfa.Assume(xcfa.Binary("=", old, zero, position), position))
        return None
    if name == "spin_trylock":
        body.write(place, position)
        thread.do(xcfa.Rmw(old, "cas", place, (zero, one), ("lock", "lock-fail"), position))
        return integer(xcfa.Binary("=", old, zero, position))
    taken, end, result, scope = thread.new_label(), thread.new_label(), thread.fresh(), body.keep(position)
    thread.fork(taken, position)
    for value, tag in ((zero, "is-unlocked"), (one, "is-locked")):
        thread.do(xcfa.Load(old, place, position=position, tags=(tag,)))
        thread.do(xcfa.Assume(body.predicted(xcfa.Binary("=", old, value, position), position), position))
        thread.do(xcfa.Assign(result, value, position))
        if value is zero:
            thread.jump(end, position)
            thread.label(taken)
    thread.label(end)
    body.leave(scope, _origin(place), position)
    return result


def _origin(place: xcfa.AnyPlace) -> frozenset[str] | None:
    """The location that a value of this place was read from, None where it is not known."""
    return frozenset({place.name.name}) if isinstance(place, xcfa.Place) else None
